"""``houseway round``: a round as text, out of the journal or a file; shown, checked, told step by step."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from houseway.commands.arguments import DEFAULT_DATABASE, AsJson, Database, HouseTables
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.store.base import Store
    from houseway.table.notation import RoundRecord

MOST_BYTES: Final = 2_000_000
"""No round is written with more; a longer file is something else."""

round_app = typer.Typer(
    name="round",
    help="A round as text: show it, check it, follow it step by step.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
What: TypeAlias = Annotated[
    str, typer.Argument(metavar="FILE|TABLE", help="A file with a round, - for standard input; or a table.")
]
Number: TypeAlias = Annotated[
    int | None, typer.Argument(metavar="ROUND", help="The number of the table's round; with it, the journal is read.")
]


@round_app.command()
def show(what: What, number: Number = None, db: Database = DEFAULT_DATABASE) -> None:
    """Show a round that is over in its text form: from a file, or TABLE and ROUND from the journal."""
    from houseway.table.notation import write_round

    _utf8()
    sys.stdout.write(write_round(named_round(what, number, db)))


@round_app.command()
def check(
    what: What,
    number: Number = None,
    paytable: HouseTables = None,
    as_json: AsJson = False,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Settle a round again by the rulebook and compare every wager to the cent, and the deck with its commitment.

    With differences the exit code is 1.
    """
    from houseway.commands.screen import print_json
    from houseway.commands.tables import book_with
    from houseway.table.notation import check_deck, settle_record
    from houseway.table.notation.record import known_game, rules_version

    _utf8()
    record = named_round(what, number, db)
    differences = [str(difference) for difference in settle_record(record, book_with(paytable or []))]
    differences += [f"deck: {fault}" for fault in check_deck(record)]
    present = rules_version(known_game(record.game))
    if as_json:
        print_json({"round": _title(record), "rules": record.rules, "settled_by": present, "differences": differences})
    else:
        for difference in differences:
            sys.stdout.write(f"{difference}\n")
        if record.rules != present:
            sys.stdout.write(f"written under the rules {record.rules}; settled here by {present}\n")
        sys.stdout.write(f"{_title(record)}: {_verdict(record, differences)}\n")
    if differences:
        raise typer.Exit(1)


@round_app.command()
def replay(
    what: What,
    number: Number = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after every step.")] = False,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Tell a round step by step, in words."""
    from houseway.books.export import plain
    from houseway.table.notation import in_words

    _utf8()
    sentences = list(in_words(named_round(what, number, db)))
    wide = len(str(len(sentences)))
    for place, sentence in enumerate(sentences):
        sys.stdout.write(f"{place or '':>{wide}}  {plain(sentence)}\n")
        if step and place < len(sentences) - 1:
            sys.stdout.flush()
            if not sys.stdin.readline():
                break


def _verdict(record: RoundRecord, differences: list[str]) -> str:
    if differences:
        return f"{len(differences)} difference{'s' if len(differences) > 1 else ''}"
    if record.voided:
        return "void; its deck and what went back are in order"
    return f"every wager settles to the same cent{_deck_words(record)}"


def _deck_words(record: RoundRecord) -> str:
    """What the deck was made of."""
    from houseway.table.card_round.events import DeckShuffled
    from houseway.table.notation.deck import is_from_shoe

    if record.kind != "virtual":
        return ""
    if is_from_shoe(record):
        return "; its shoe is checked as a whole, when it is opened"
    alone = ""
    for deck in record.of(DeckShuffled):
        if not deck.player_seeds:
            alone = ", made from the house's seed alone"
        elif deck.house_only:
            alone = f", made without a seed of spot {', '.join(map(str, deck.house_only))}"
        if deck.stacked:
            alone += "; DEMONSTRATION: cards were chosen"
    return f", and the deck is the one that was promised{alone}"


def _title(record: RoundRecord) -> str:
    return f"table {record.table}, round {record.round}"


def _utf8() -> None:
    """A round is UTF-8 whatever the terminal's locale."""
    import io

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


# ------------------------------------------------------------------------------------------ where a round comes from


def named_round(what: str, number: int | None, db: str) -> RoundRecord:
    """The round of a file, or that of a table in the journal."""
    if number is None:
        return round_in(Path(what))
    with _read_only(db) as store:
        from houseway.books.replay import running_state
        from houseway.books.rounds import journalled
        from houseway.commands.arguments import reading_keys

        return journalled(store, what, number, running_state(store, reading_keys(None)).configured)


def round_in(file: Path) -> RoundRecord:
    """The round in a file, or on standard input."""
    from houseway.table.notation import parse_round

    try:
        with nullcontext(sys.stdin.buffer) if str(file) == "-" else file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        why = f"cannot be read: {error.strerror}; a round of the journal is named by table and number"
        raise Refusal(str(file), why) from None
    if len(data) > MOST_BYTES:
        raise Refusal(str(file), "is too long for a round")
    try:
        return parse_round(_notation(str(file), data.decode("utf-8")))
    except UnicodeDecodeError:
        raise Refusal(str(file), "is not UTF-8 text") from None


def _notation(file: str, text: str) -> str:
    """The text of a round; one that was read as JSON from the server holds it under ``notation``."""
    if not text.startswith("{"):
        return text
    import json

    try:
        notation = json.loads(text)["notation"]
    except (ValueError, KeyError, RecursionError):
        notation = None
    if not isinstance(notation, str):
        raise Refusal(file, "is JSON, but not a round as the server gives it: it has no text under notation")
    return notation


@contextmanager
def _read_only(db: str) -> Iterator[Store]:
    """The database, open for reading beside a running floor."""
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        yield store
    finally:
        store.close()
