"""The wins of the progressives, and adjustments."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from houseway.api.paging import WalkQuery
from houseway.api.route import PDF, Chapter
from houseway.books.win_record import WinRecord

wins = Chapter("wins")


class WinItem(Struct, frozen=True, kw_only=True):
    """A win of a progressive at a glance."""

    win: int
    """The entry that recorded it."""
    at: int
    day: str
    link: str
    table: str
    round: int
    spot: int
    hand: str
    meter: str
    """Empty for an award from the tray."""
    cents: int
    late: bool
    """Whether it was noticed after its round had closed."""
    state: Literal["logged", "paid", "undone"]
    """Logged: its amount is fixed, and the meter not yet adjusted."""


class Wins(Struct, frozen=True, kw_only=True):
    currency: str
    items: tuple[WinItem, ...]
    next: str | None


class PlaceQuery(WalkQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of a list by number, of one link or table where that is named."""

    link: str = ""
    table: str = ""


ALL_WINS = wins.get("all_wins", "/wins", "The wins of the progressives.", may="wins", answer=Wins, query=PlaceQuery)


ONE_WIN = wins.get("one_win", "/wins/{win}", "Everything on record about a win.", may="wins", answer=WinRecord)
WIN_PAGE = wins.file(
    "win_page", "/wins/{win}/page.pdf", "The win page, as a document to print and sign.", may="wins", media=PDF
)


class MovedMicros(Struct, frozen=True, kw_only=True):
    """One line of money: so many millionths more on an account, or less where negative."""

    account: str
    purpose: str
    micros: int


class Adjustment(Struct, frozen=True, kw_only=True):
    """Something that two people put right at the Game Manager."""

    entry: int
    at: int
    day: str
    by: str
    second: str
    type: Literal["win_undone", "meter_adjusted", "late_win_paid", "meter_transferred"]
    link: str
    meter: str
    to_link: str
    """With a transfer."""
    to_meter: str
    table: str
    round: int
    spot: int
    win: int
    reason: str
    explanation: str
    """In the words of who made it; of a late win its evidence, of a transfer the authority."""
    lines: tuple[MovedMicros, ...]


class Adjustments(Struct, frozen=True, kw_only=True):
    currency: str
    items: tuple[Adjustment, ...]
    next: str | None


ADJUSTMENTS = wins.get(
    "adjustments",
    "/adjustments",
    "Wins undone, meters put right, wins paid late and meters transferred, with their explanations.",
    may="adjustments",
    answer=Adjustments,
    query=PlaceQuery,
)
