"""``houseway shuffle``: is the shuffler that deals at the tables fair, and was a round dealt as promised?"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from houseway.commands.arguments import DEFAULT_DATABASE, AsJson, Database
from houseway.commands.rounds import Number, named_round
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.cards import Card
    from houseway.table.chi_square import Result, Tally
    from houseway.table.commitment import Entropy
    from houseway.table.notation import RoundRecord

LEAST_CARDS: Final = 20_000
MOST_CARDS: Final = 100_000_000_000
DECKS_AT_ONCE: Final = 4_000
INTERRUPTED: Final = 130

shuffle_app = typer.Typer(
    name="shuffle", help="The shuffler of the virtual tables.", no_args_is_help=True, rich_markup_mode=None
)


@shuffle_app.callback()
def _group() -> None:
    """The shuffler of the virtual tables."""


class Tested(NamedTuple):
    """One deck's tests."""

    games: tuple[str, ...]
    """The games that are played with it."""
    counted: Tally
    results: tuple[Result, ...]


@shuffle_app.command("test")
def run_test(
    cards: Annotated[int, typer.Option(help="How many cards to shuffle, of each deck.")] = 10_000_000,
    game: Annotated[
        str | None, typer.Option(help="Only the deck of this game; otherwise every deck that a game is played with.")
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Shuffle from this text instead of the secure source, to repeat a run."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Shuffle millions of cards as a table does and test them: position × card, serial and runs, with p-values.

    A p-value is the chance that a fair shuffler looks at least so uneven. Below 0.000001, or as near to 1, the shuffler
    is suspicious, and the exit code is 1. Interrupted, it shows what it has.
    """
    if not LEAST_CARDS <= cards <= MOST_CARDS:
        raise Refusal("--cards", f"is {cards}; it must be from {LEAST_CARDS:,} to {MOST_CARDS:,}")
    tested: list[Tested] = []
    stopped = False
    for deck, games in _decks(game).items():
        done, stopped = _tested(deck, games, cards, _entropy(seed))
        tested += [] if done is None else [done]
        if stopped:
            break
    _show(tested, seed, stopped, as_json)
    if stopped:
        raise typer.Exit(INTERRUPTED)
    if any(result.suspicious for trial in tested for result in trial.results):
        raise typer.Exit(1)


@shuffle_app.command()
def verify(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|TABLE", help="A file with a round, as text or JSON, - for standard input; or a table."
        ),
    ] = None,
    number: Number = None,
    table: Annotated[str | None, typer.Option(help="Without a round: the table, as the commitment names it.")] = None,
    round_number: Annotated[int | None, typer.Option("--round", help="Without a round: its number.")] = None,
    game: Annotated[str | None, typer.Option(help="Without a round: the game, which says what is in the deck.")] = None,
    seed: Annotated[str | None, typer.Option(help="Without a round: the house's seed, 64 hexadecimal digits.")] = None,
    commitment: Annotated[str | None, typer.Option(help="Without a round: what was published before wagers.")] = None,
    player_seed: Annotated[
        list[str] | None, typer.Option(metavar="SPOT=TEXT", help="Without a round: what a player added; repeatable.")
    ] = None,
    positions: Annotated[
        int | None, typer.Option(help="Without a round: how many positions get a packet, where not the game's default.")
    ] = None,
    decks: Annotated[
        int, typer.Option(min=1, max=8, help="Without a round: how many decks, of a shoe; --round is its first round.")
    ] = 1,
    as_json: AsJson = False,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Compute the deck of a past round again, from the house's seed and the players', and compare.

    Give TABLE and ROUND of the journal, a file with a round, or the facts themselves with --table, --round, --game,
    --seed, --commitment and --player-seed. Where the deck is not the one that was promised the exit code is 1.
    """
    if what is None:
        facts = {"--table": table, "--round": round_number, "--game": game, "--seed": seed, "--commitment": commitment}
        missing = [name for name, value in facts.items() if value is None]
        if missing:
            raise Refusal(missing[0], "must be given where no round is named")
        request = _Asked(
            *(str(table), int(round_number or 0), str(game), str(seed), str(commitment), player_seed or []),
            *(positions, decks),
        )
        answer = _verified_facts(request)
    else:
        answer = _verified_round(what, number, db)
    _tell(answer, as_json)
    if answer["defects"]:
        raise typer.Exit(1)


class _Asked(NamedTuple):
    """A deck by its facts alone."""

    table: str
    round: int
    game: str
    seed: str
    commitment: str
    player_seeds: list[str]
    positions: int | None
    decks: int = 1


def _verified_round(what: str, number: int | None, db: str) -> dict[str, Any]:
    from houseway.cards import text_of
    from houseway.table.card_round.events import DeckCommitted, DeckShuffled, SeedCommitted
    from houseway.table.notation import check_deck, deck_from_seeds
    from houseway.table.notation.deck import is_from_shoe

    record = named_round(what, number, db)
    if is_from_shoe(record):
        return _verify_shoe(record, what if number is not None else None, db)
    promised = record.of(SeedCommitted) or record.of(DeckCommitted)
    if not promised:
        raise Refusal("round", f"{record.round} of {record.table} was not dealt by our shuffler; nothing was promised")
    deck = deck_from_seeds(record)
    shuffles = record.of(DeckShuffled)
    return {
        "table": record.table,
        "round": record.round,
        "commitment": promised[-1].commitment,
        "defects": check_deck(record),
        "seeds_of": list(shuffles[0].player_seeds) if shuffles else [],
        "house_only": list(shuffles[0].house_only) if shuffles else [],
        "stacked": bool(shuffles and shuffles[0].stacked),
        "deck": text_of(deck.order) if deck is not None else "",
        "start": deck.start if deck is not None else 0,
    }


def _verify_shoe(record: RoundRecord, table: str | None, db: str) -> dict[str, Any]:
    """A round of a shoe, against the shoe as it was opened in its last round, which the journal has."""
    from houseway.cards import text_of
    from houseway.table.notation import check_deck
    from houseway.table.notation.deck import cards_not_of, opening_of, shoe_from_seeds, shoe_number

    opening, number = opening_of(record), record.round + 1
    while opening is None and table is not None:
        try:
            later = named_round(table, number, db)
        except Refusal:
            break
        opening = opening_of(later) if shoe_number(later) == shoe_number(record) else None
        number += 1
    if opening is None:
        where = "is not opened yet" if table is not None else "is opened in its last round; name table and round"
        raise Refusal("round", f"{record.round} was dealt from the shoe of round {shoe_number(record)}, which {where}")
    order = shoe_from_seeds(record, opening)
    return {
        "table": record.table,
        "round": record.round,
        "commitment": opening.commitment,
        "defects": list(dict.fromkeys([*check_deck(record), *cards_not_of(record, order)])),
        "seeds_of": sorted(opening.player_seeds),
        "house_only": [],
        "stacked": False,
        "deck": text_of(order),
        "start": 0,
    }


def _verified_facts(facts: _Asked) -> dict[str, Any]:
    from houseway.cards import text_of
    from houseway.commands.rules import named_game
    from houseway.table.card_round.agenda import has_positions
    from houseway.table.commitment import opens, shuffle

    game = named_game(facts.game)
    for name, value in (("--seed", facts.seed), ("--commitment", facts.commitment)):
        if not re.fullmatch(r"[0-9a-f]{64}", value):
            raise Refusal(name, "must be 64 hexadecimal digits")
    seeds = dict(map(_player_seed, facts.player_seeds))
    seed = bytes.fromhex(facts.seed)
    positions = has_positions(game, game.defaults) if facts.positions is None else facts.positions
    deal = shuffle(game.deck * facts.decks, seed, seeds, positions, table=facts.table, round=facts.round)
    opened = opens(facts.commitment, seed, table=facts.table, round=facts.round)
    return {
        "table": facts.table,
        "round": facts.round,
        "commitment": facts.commitment,
        "defects": [] if opened else ["the seed is not the one that was committed to: the house chose another"],
        "seeds_of": sorted(seeds),
        "house_only": [],
        "stacked": False,
        "deck": text_of(deal.order),
        "start": deal.start,
    }


def _player_seed(text: str) -> tuple[int, str]:
    from houseway.table.commitment import player_seed_in

    spot, _, added = text.partition("=")
    if not re.fullmatch(r"[1-9]\d?", spot):
        raise Refusal("--player-seed", f"{text[:40]!r} names no spot; write it as 3=TEXT")
    return int(spot), player_seed_in(added)


def _tell(answer: dict[str, Any], as_json: bool) -> None:
    from houseway.commands import screen

    if as_json:
        screen.print_json(answer)
        return
    for defect in answer["defects"]:
        sys.stdout.write(f"{defect}\n")
    if answer["deck"]:
        start = f", start position {answer['start']}" if answer["start"] else ""
        sys.stdout.write(f"deck: {answer['deck']}{start}\n")
    verdict = "NOT dealt as promised" if answer["defects"] else "dealt as promised"
    spots = ", ".join(map(str, answer["seeds_of"]))
    seeds = f"the house's seed and those of spot {spots}" if spots else "the house's seed alone"
    source = f", from {seeds}" if answer["deck"] else ""
    chosen = "; DEMONSTRATION: with cards that were chosen" if answer["stacked"] else ""
    sys.stdout.write(
        f"table {answer['table']}, round {answer['round']}: {verdict}{source}, "
        f"commitment {answer['commitment']}{chosen}\n"
    )


def _decks(game: str | None) -> dict[tuple[Card, ...], tuple[str, ...]]:
    """The decks to test, and the games of each."""
    from houseway.commands.rules import named_game
    from houseway.games import all_games

    games = [named_game(game)] if game is not None else list(all_games().values())
    decks: dict[tuple[Card, ...], tuple[str, ...]] = {}
    for game_key in games:
        decks[tuple(game_key.deck)] = (*decks.get(tuple(game_key.deck), ()), game_key.key)
    return decks


def _entropy(seed: str | None) -> Entropy:
    """The source a table uses, or a stream that a text decides."""
    if seed is None:
        return os.urandom
    numbers = count()

    def seeded(size: int) -> bytes:
        return hashlib.shake_256(f"{next(numbers)} {seed}".encode("utf-8", "replace")).digest(size)

    return seeded


def _tested(deck: tuple[Card, ...], games: tuple[str, ...], cards: int, entropy: Entropy) -> tuple[Tested | None, bool]:
    """Shuffle and count; whether it was interrupted. None where too few decks were shuffled by then."""
    from houseway.table.chi_square import batches, enough, results, tally, together
    from houseway.table.commitment import new_deck

    decks = -(-cards // len(deck))
    counted = tally([], deck)
    stopped = False
    try:
        with _progress(f"{len(deck)} cards") as progress:
            for some in batches(decks, DECKS_AT_ONCE):
                counted = together(counted, tally([new_deck(deck, entropy) for _ in range(some)], deck))
                progress(counted.decks / decks)
    except KeyboardInterrupt:
        stopped = True
    return (Tested(games, counted, results(counted)) if enough(counted) else None), stopped


@contextmanager
def _progress(what: str) -> Iterator[Callable[[float], None]]:
    """A bar on a terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bars = Progress(
        *(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()),
        console=Console(stderr=True),
        transient=True,
    )
    with bars:
        task = bars.add_task(what, total=1.0)
        yield lambda done: bars.update(task, completed=done)


def _show(tested: list[Tested], seed: str | None, stopped: bool, as_json: bool) -> None:
    from houseway.commands import screen

    if as_json:
        screen.print_json(
            {
                "source": "secure" if seed is None else "seed",
                "interrupted": stopped,
                "decks": [_data(trial) for trial in tested],
            }
        )
        return
    source = "the operating system's secure source" if seed is None else "a seed: repeatable, and never used at a table"
    right = ("cards", "statistic", "freedom", "p")
    table = screen.table(f"Shuffled from {source}", "deck", "test", *right, "verdict", right=right)
    for tested_deck in tested:
        for result in tested_deck.results:
            table.add_row(
                f"{tested_deck.counted.size} cards",
                result.test,
                f"{tested_deck.counted.cards:,}",
                f"{result.statistic:,.1f}",
                f"{result.freedom:,}",
                _p_words(result.p),
                "SUSPICIOUS" if result.suspicious else "fair",
            )
    screen.show(screen.console(), table)
    if stopped:
        sys.stderr.write("houseway: interrupted; what was shuffled until then is shown\n")


def _p_words(p: float) -> str:
    return f"{p:.6f}" if 1e-6 <= p <= 1 - 1e-6 else f"{p:.1e}" if p < 0.5 else f"1 - {1 - p:.1e}"


def _data(trial: Tested) -> dict[str, Any]:
    return {
        "deck": trial.counted.size,
        "games": list(trial.games),
        "decks": trial.counted.decks,
        "cards": trial.counted.cards,
        "tests": [
            {
                "test": result.test,
                "statistic": round(result.statistic, 6),
                "degrees_of_freedom": result.freedom,
                "p": result.p,
                "suspicious": result.suspicious,
            }
            for result in trial.results
        ],
    }
