"""What every choice with a hand is worth: the average net result against all cards the player cannot see, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from houseway.cards import Card, parse_card, text_of
from houseway.games import Game, approved_book
from houseway.games.model import Decide
from houseway.games.round import Action
from houseway.paytables import Book, PayTable
from houseway.proof.bench import base_tables
from houseway.proof.compiled import Progress
from houseway.proof.shape import seen_by
from houseway.proof.solver import BOARD, BY_RANKS, SUPERSETS, SWEEP, choose_kernel, kept_solution, refusal_words, solve
from houseway.proof.special import special_solver
from houseway.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Choice:
    """Something the player can do with a hand."""

    what: str
    value: Fraction
    """The average net result, per unit of Ante (pai gow: of the base wager)."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """Every choice with a hand, best first."""

    game: str
    cards: tuple[Card, ...]
    up: Card | None
    table: str
    """The pay table that decides the base game; empty where none does."""
    choices: tuple[Choice, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        best = self.choices[0].value
        return {
            "game": self.game,
            "cards": text_of(self.cards),
            "up": None if self.up is None else text_of([self.up]),
            "table": self.table or None,
            "options": dict(self.options),
            "choices": [
                {
                    "choice": choice.what,
                    "exact": str(choice.value),
                    "value": round(float(choice.value), 10),
                    "best": choice.value == best,
                    "notes": list(choice.notes),
                }
                for choice in self.choices
            ],
        }


def choices(
    game: Game,
    cards: Sequence[Card],
    up: Card | None = None,
    *,
    table: str | None = None,
    options: Mapping[str, Any] | None = None,
    book: Book | None = None,
    board: Sequence[Card] = (),
    progress: Progress | None = None,
) -> Advice:
    """Every choice with these cards and its exact value, best first.

    ``up`` is the dealer's face-up card, needed where the game shows one; ``board`` the shared cards that are seen.
    ``table`` names the pay table that decides the base game; without it the first approved one. ``progress`` is told of
    a count that takes long, which is kept.
    """
    chosen_options = dict(options or {})
    chosen = choose_kernel(game)
    if not chosen.kernel:
        raise Refusal("game", refusal_words(game, chosen))
    if not game.points:
        raise Refusal("game", f"nobody decides anything at {game.key}")
    _check_cards(game, cards, up, board)
    for name, value in chosen_options.items():
        option = game.options_by_name.get(name)
        if option is None or not option.fits(value):
            allowed = f"allowed is {option.allowed}" if option else f"{game.key} has no such option"
            raise Refusal(f"option {name}", f"{value!r} does not fit; {allowed}")
    known = book or approved_book()
    odds = _base_table(game, table, known)
    if game.solver:
        advised = special_solver(game).advise(game, cards, {**game.defaults, **chosen_options})
        choices = [Choice(choice.what, choice.value, choice.notes) for choice in advised]
    else:
        up_cards = () if up is None else (up,)
        tables = base_tables(game, odds, known)
        advised_choices = _advised(game, tables, chosen_options, cards, up_cards, board, progress)
        choices = [Choice(what, worth) for what, worth in advised_choices]
    ordered = tuple(sorted(choices, key=lambda choice: -choice.value))
    return Advice(game.key, tuple(cards), up, odds.id if odds else "", ordered, chosen_options)


def _advised(
    game: Game,
    tables: Mapping[str, PayTable],
    options: Mapping[str, Any],
    cards: Sequence[Card],
    up_cards: Sequence[Card],
    board: Sequence[Card],
    progress: Progress | None,
) -> list[tuple[str, Fraction]]:
    """From what is kept; else one hand counted by itself, where that is quick; else the whole game."""
    deck = tuple(sorted(game.deck))
    kernel = choose_kernel(game).kernel
    if kernel in (SUPERSETS, BOARD):
        return _advised_with_board(game, tables, options, cards, board, progress)
    if kernel in (SWEEP, BY_RANKS):
        from houseway.proof.leaves import DealerSolution, StepsDifferError, leaves_of_hand

        solution = kept_solution(game, tables, options, deck)
        if solution is not None:
            try:
                return solution.advise(cards, up_cards)
            except StepsDifferError:
                pass  # a table by which results change inside a kept step: counted below
        alone = leaves_of_hand(game, deck, cards, up_cards)
        if alone is not None:
            return DealerSolution(game, tables, options, alone).advise(cards, up_cards)
    return solve(game, tables, options, progress=progress).advise(cards, up_cards, board)


def _advised_with_board(
    game: Game,
    tables: Mapping[str, PayTable],
    options: Mapping[str, Any],
    cards: Sequence[Card],
    board: Sequence[Card],
    progress: Progress | None,
) -> list[tuple[str, Fraction]]:
    """Counted from what is seen on, where that is short; the first decision against a dealer is looked up."""
    from houseway.proof.openings import find_opening, keep_opening, opening_of
    from houseway.proof.sight import OneSight, is_short, node_at

    node = node_at(game, len(board))
    short = node is not None and is_short(game, len(board))
    if not game.dealer_cards:
        if node is not None and short:
            return OneSight(game, tables, options, cards, board).advise(node)
        return solve(game, tables, options, progress=progress).advise(cards, (), board)
    if not short and board:
        return solve(game, tables, options, progress=progress).advise(cards, (), board)
    opening = find_opening(game, tables, options)
    if opening is None:
        from houseway.proof.kernels.board_play import solve_board

        opening = opening_of(solve_board(game, tables, options, progress=progress))
        keep_opening(game, tables, options, opening)
    if node is not None and short:
        return OneSight(game, tables, options, cards, board, opening.cuts).advise(node)
    return opening.advise(cards)


def _check_cards(game: Game, cards: Sequence[Card], up: Card | None, board: Sequence[Card]) -> None:
    if len(cards) != game.player_cards:
        raise Refusal("cards", f"{len(cards)} cards where a hand of {game.key} has {game.player_cards}")
    for card in (*cards, *(() if up is None else (up,)), *board):
        if card not in game.deck:
            raise Refusal("cards", f"{text_of([card])} is not in the deck of {game.key}")
    if len(set(cards)) != len(cards):
        raise Refusal("cards", "a card is there twice")
    if game.dealer_face_up and up is None:
        raise Refusal("up", f"is missing; at {game.key} the dealer's up card is seen before deciding")
    if not game.dealer_face_up and up is not None:
        raise Refusal("up", f"is not known; at {game.key} no card of the dealer's is seen before deciding")
    if up is not None and up in cards and game.shoe is None:
        raise Refusal("up", f"{text_of([up])} is one of the player's own cards")
    if len({*cards, *board}) != len(cards) + len(board) or up in board:
        raise Refusal("board", "a card is there twice")
    sights = {len(seen_by(game, point)[1]) for point in game.points}
    if len(board) not in sights and game.points:
        counts = " or ".join(map(str, sorted(sights)))
        raise Refusal("board", f"has {len(board)} cards; at {game.key} a decision is made with {counts} in view")


def _base_table(game: Game, name: str | None, book: Book) -> PayTable | None:
    wager = game.base_table
    if not wager:
        if name is not None:
            raise Refusal("table", f"no pay table decides the base game of {game.key}; leave it out")
        return None
    tables = [table for table in book.of(game.families, wager) if isinstance(table, PayTable)]
    pay_table = tables[0] if name is None and tables else book.find(game.families, wager, name or "")
    if not isinstance(pay_table, PayTable):
        known = ", ".join(table.id for table in tables)
        raise Refusal("table", f"{str(name)[:40]!r} is no {wager} table of {game.key}; there are {known}")
    return pay_table


def advised_action(point: Decide, words: str) -> Action:
    """An advised choice, ``low Kd, high …, double down``, as an action; its optional wager is marked by one cent."""
    name, _, rest = words.partition(" ")
    choice = point.choice(name)
    if choice is None:
        raise ValueError(f"{name} is not a choice at {point.key}")
    extras = [stake.wager.replace("_", " ") for stake in choice.stakes if stake.optional]
    card = parse_card(rest.partition(",")[0]) if choice.sets == "player" else None
    return Action(name, card, 1 if any(words.endswith(f", {extra}") for extra in extras) else 0)
