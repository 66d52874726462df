"""The verify display: it reads hands and shows them set the house way, when it may and not before (FL-5, FL-6, FL-20).

Everything it shows is a record with its time, and the last record is what is on it now: surveillance reads the records
and sees the display (FL-7).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from houseway.cards import Card, text_of
from houseway.games import Game
from houseway.games.settle import hand_words, house_way_place, setting_of
from houseway.refusal import Refusal

DEALER: Final = 0
"""The dealer's place among the spots."""
Status: TypeAlias = Literal["setting", "asks", "set", "shown"]
"""Still setting; asks for the house way; set by the player; set the house way, and shown."""


class Shown(Struct, frozen=True, kw_only=True):
    """FL-7: one thing the display showed, and when."""

    who: int
    """The spot; 0 for the dealer."""
    at: int
    """Microseconds since 1970, UTC."""
    cards: str
    """The hand as it was read."""
    high: str
    low: str
    hand: str
    """The high hand in words."""

    @property
    def words(self) -> str:
        """What stood on the display."""
        return f"{place_words(self.who)}: {self.high} and {self.low}, {self.hand}"


class Display(Struct, frozen=True, kw_only=True):
    """The display in one round."""

    spots: dict[int, Status]
    """Every spot with a hand."""
    shown: tuple[Shown, ...] = ()
    """What it showed in this round, in order."""

    @property
    def dealer_shown(self) -> bool:
        return any(row.who == DEALER for row in self.shown)


def of_spots(spots: Sequence[int]) -> Display:
    """The display of a new round: these spots have a hand and nobody has set."""
    return Display(spots=dict.fromkeys(sorted(spots), "setting"))


def hand_set(display: Display, spot: int) -> Display:
    """A player has set the hand, also after asking, as long as it was not shown."""
    return _now(display, spot, "set")


def ask(display: Display, spot: int) -> Display:
    """A player asks for the house way (PG-5); so does the hand of one who left (FL-23)."""
    return _now(display, spot, "asks")


def _now(display: Display, spot: int, status: Status) -> Display:
    before = display.spots.get(spot)
    if before is None:
        raise Refusal("spot", f"{spot} has no hand in this round; hands are at {_spots(display.spots) or 'no spot'}")
    if before in ("set", "shown"):
        raise Refusal("spot", f"{spot} has set its hand already; a hand that is set stays as it is")
    return replace(display, spots={**display.spots, spot: status})


# ------------------------------------------------------------------------------------------------- the gate


def asking(display: Display) -> tuple[int, ...]:
    """FL-20: the spots that ask for the house way, in the order they are shown: the highest first."""
    return tuple(sorted((spot for spot, status in display.spots.items() if status == "asks"), reverse=True))


def missing(display: Display, who: int) -> tuple[int, ...]:
    """FL-6: the spots that must have set before this hand is shown, and have not.

    For a player those who ask count as set (FL-20), but the higher ones are shown first; for the dealer nobody who
    still asks counts.
    """
    setting = [spot for spot, status in display.spots.items() if status == "setting" and spot != who]
    before = [spot for spot in asking(display) if who == DEALER or spot > who]
    return tuple(sorted([*setting, *before]))


def refusal(display: Display, who: int) -> str | None:
    """FL-6: why the display does not show this hand now; None where it may."""
    if who != DEALER and who not in display.spots:
        return f"{place_words(who)} has no hand in this round; hands are at {_spots(display.spots) or 'no spot'}"
    if who == DEALER and display.dealer_shown:
        return "the dealer's hand is shown already"
    if who != DEALER and display.spots[who] == "shown":
        return f"{place_words(who)} is shown already"
    if who != DEALER and display.spots[who] != "asks":
        return f"{place_words(who)} has not asked for the house way; only a hand that asks is shown set (PG-5)"
    waits = missing(display, who)
    return _not_yet(display, who, waits) if waits else None


def _not_yet(display: Display, who: int, waits: Sequence[int]) -> str:
    """Who is missing, and by which rule."""
    setting = [spot for spot in waits if display.spots[spot] == "setting"]
    spots = [spot for spot in waits if display.spots[spot] == "asks"]
    reasons = []
    if setting:
        reasons.append(f"{_spots(setting)} {_have(setting)} not set (FL-6)")
    if spots and who == DEALER:
        reasons.append(f"{_spots(spots)} {_have(spots)} not been set the house way (FL-6)")
    elif spots:
        reasons.append(f"{_spots(spots)} asked too, and the highest spot is shown first (FL-20)")
    return f"{place_words(who)} is not shown yet: {'; '.join(reasons)}"


def next_up(display: Display) -> int | None:
    """The hand that may be shown now, 0 for the dealer's; None where the display must wait, or is done."""
    turn = (*asking(display), DEALER)[0]
    return turn if refusal(display, turn) is None else None


# ------------------------------------------------------------------------------------------ what it shows


class Screen(NamedTuple):
    """What stands on the display, and what comes next: the same for the table and for surveillance."""

    showing: Shown | None
    next_up: int | None
    """The hand that may be shown now, 0 for the dealer's."""
    waits_for: tuple[int, ...]
    """The spots it waits for before the next hand."""
    sentence: str


def screen(display: Display) -> Screen:
    """FL-7: the display as everybody who may look sees it."""
    showing = display.shown[-1] if display.shown else None
    turn = (*asking(display), DEALER)[0]
    may = next_up(display)
    if may is not None:
        return Screen(showing, may, (), f"{place_words(may)} may be shown")
    return Screen(showing, None, missing(display, turn), refusal(display, turn) or "")


def show(display: Display, game: Game, who: int, cards: Sequence[Card], at: int) -> tuple[Display, Shown]:
    """FL-5, FL-7: read a hand, show it set the house way, and record that; refused before its time (FL-6)."""
    refused = refusal(display, who)
    if refused is not None:
        raise Refusal("display", refused)
    shown = _read(game, who, cards, at)
    spots: dict[int, Status] = dict(display.spots)
    if who != DEALER:
        spots[who] = "shown"
    return Display(spots=spots, shown=(*display.shown, shown)), shown


def _read(game: Game, who: int, cards: Sequence[Card], at: int) -> Shown:
    """A hand and its house-way setting, by the rulebook's own function."""
    count = game.player_cards
    if len(cards) != count or len(set(cards)) != count:
        different = len(set(cards))
        raise Refusal("cards", f"{place_words(who)} shows {different} different cards; the display reads {count}")
    split = game.splits[0]
    high, low, _ = setting_of(cards, house_way_place(game, split, cards), "house way")
    return Shown(
        who=who,
        at=at,
        cards=text_of(cards),
        high=text_of(high),
        low=text_of([low]),
        hand=hand_words(game, split.given[0], high),
    )


def place_words(who: int) -> str:
    """A spot, or the dealer, in words."""
    return "the dealer" if who == DEALER else f"spot {who}"


def _spots(spots: Sequence[int] | dict[int, Status]) -> str:
    """Spots in words: spot 2, spots 2 and 3, spots 2, 3 and 4."""
    numbers = [str(spot) for spot in sorted(spots)]
    if not numbers:
        return ""
    if len(numbers) == 1:
        return f"spot {numbers[0]}"
    return f"spots {', '.join(numbers[:-1])} and {numbers[-1]}"


def _have(spots: Sequence[int]) -> str:
    return "has" if len(spots) == 1 else "have"
