"""When a shoe is over, and what everybody sees of one: how much is left of it, and its history (CW-1, BA-1, BA-11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from houseway.cards import NO_CARD, Card
from houseway.games import Game
from houseway.table.state import TableState

ROAD_ROWS: Final = 6
TIE: Final = "tie"


def is_over(table: TableState, game: Game, options: Mapping[str, Any]) -> bool:
    """Whether the next round needs a new shoe: the cut card is out, or a round at every spot could run short."""
    shoe = table.shoe
    if shoe is None or not shoe.shuffled:
        return True
    if game.shoe is None or shoe.game != game.key or shoe.decks != game.copies(options):
        return True
    return shoe.before_cut == 0 or shoe.left < game.round_cards(table.config.spots)


def shoe_to_change(table: TableState, game: Game, options: Mapping[str, Any]) -> bool:
    """Whether the cards that were entered since the last new shoe say that a physical table needs another."""
    counts = table.config.kind == "cards" and table.shoe is not None and table.shoe.shuffled
    return counts and is_over(table, game, options)


def surplus(game: Game, options: Mapping[str, Any], cards: Sequence[Card]) -> Card | None:
    """The first card that is there more often than there are decks."""
    most = game.copies(options)
    counts: Counter[Card] = Counter()
    for card in cards:
        counts[card] += card != NO_CARD
        if counts[card] > most:
            return card
    return None


# ------------------------------------------------------------------------------------------------ what is shown


class RoadCell(Struct, frozen=True, kw_only=True):
    """One mark of a road."""

    column: int
    row: int
    """From the top, 0 to 5."""
    side: str
    """player, banker, or tie."""
    ties: int = 0
    """How many ties came right after it, on the big road."""


ShoeCount = Literal["dealt", "entered", "unknown"]


class ShoeView(Struct, frozen=True, kw_only=True):
    """The shoe as everybody sees it."""

    round: int
    """The first round dealt from it."""
    decks: int
    cards: int
    left: int
    before_cut: int
    """How many cards come before the cut card; 0 once it is out."""
    last_round: bool
    """Whether it is shuffled again after this round."""
    known: ShoeCount
    """Where ``left`` comes from: dealt by the system; entered by people, who may have burned more; or not known."""
    bead_road: tuple[RoadCell, ...]
    big_road: tuple[RoadCell, ...]


def view_shoe(table: TableState, game: Game, options: Mapping[str, Any]) -> ShoeView | None:
    """What a display shows of the shoe; nothing where the game has none."""
    shoe = table.shoe
    if game.shoe is None:
        return None
    results = shoe.results if shoe is not None else ()
    is_new = shoe is None or not shoe.shuffled
    known: ShoeCount = "dealt" if table.config.kind == "virtual" else "unknown" if is_new else "entered"
    cards = len(game.pack(options))
    if shoe is None or not shoe.shuffled:
        cut = game.shoe.cut_at(cards, options)
        decks, left, before_cut, number = game.copies(options), cards, cut, table.round.number
    else:
        decks, cards, left, before_cut, number = shoe.decks, shoe.cards, shoe.left, shoe.before_cut, shoe.round
    return ShoeView(
        round=number,
        decks=decks,
        cards=cards,
        left=left,
        before_cut=before_cut,
        last_round=shoe is not None and shoe.shuffled and is_over(table, game, options),
        known=known,
        bead_road=bead_road(results),
        big_road=big_road(results),
    )


def bead_road(results: Sequence[str]) -> tuple[RoadCell, ...]:
    """BA-11: every result in its order, down six rows and then to the right."""
    return tuple(
        RoadCell(column=place // ROAD_ROWS, row=place % ROAD_ROWS, side=side) for place, side in enumerate(results)
    )


def big_road(results: Sequence[str]) -> tuple[RoadCell, ...]:
    """BA-11: a new column whenever the other side wins; a run that finds no room below turns right.

    A tie has no cell of its own: it is a mark on the cell before, or on the first one where the shoe begins with ties.
    """
    cells: list[RoadCell] = []
    cells_in_use: set[tuple[int, int]] = set()
    head = -1
    early = 0
    for side in results:
        if side == TIE:
            if cells:
                cells[-1] = RoadCell(**{**_fields(cells[-1]), "ties": cells[-1].ties + 1})
            else:
                early += 1
            continue
        if not cells or cells[-1].side != side:
            head += 1
            column, row = head, 0
        else:
            column, row = cells[-1].column, cells[-1].row
            below = row + 1
            if below < ROAD_ROWS and (column, below) not in cells_in_use and not _has_turned(cells, column):
                row = below
            else:
                column += 1
        cells_in_use.add((column, row))
        cells.append(RoadCell(column=column, row=row, side=side, ties=early if not cells else 0))
    return tuple(cells)


def _has_turned(cells: Sequence[RoadCell], column: int) -> bool:
    """Whether the run has turned right already: from then on it stays in its row."""
    return len(cells) > 1 and cells[-2].side == cells[-1].side and cells[-2].column == column - 1


def _fields(cell: RoadCell) -> dict[str, Any]:
    return {"column": cell.column, "row": cell.row, "side": cell.side, "ties": cell.ties}
