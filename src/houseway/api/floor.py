"""The present floor: tables, links, claims and the Game Manager, as somebody may see them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from houseway.api.paging import PageQuery
from houseway.api.route import Chapter
from houseway.api.views import (
    ActionOffer,
    NextPress,
    PlayView,
    Press,
    RepairOffer,
    SpotTotal,
    StepOffer,
    TableView,
    VerifyOffer,
    WagerOffer,
)
from houseway.books.view import (
    AlarmLine,
    ClaimLine,
    DeviceLine,
    LinkLine,
    MeterLine,
    Need,
    PendingLine,
    TableLine,
)
from houseway.manager.state import PrizeAccount
from houseway.progressive.terms import MeterTerms

present = Chapter("floor")


Before = Literal["j_pot", "round", "named", "order"]


class WaitsFor(Struct, frozen=True, kw_only=True):
    """PR-17, PR-32: a claim that must be confirmed or dropped first, and why."""

    table: str
    round: int
    spot: int
    hand: str
    why: Before
    """It stands between J-POT and RUN; its round claimed the meter before; it was named before the first win of the
    round was confirmed; or the round's award order puts it first."""


class ClaimDoc(Struct, frozen=True, kw_only=True):
    """An open claim. Amounts are cents."""

    link: str
    link_name: str
    table: str
    round: int
    spot: int
    hand: str
    hand_words: str
    pay_table: str
    percent: int
    """The share of the meter that its row of the pay table pays; 0 for a fixed award."""
    fixed_cents: int
    wager_cents: int
    meter: str
    """Empty for an award from the tray."""
    held_cents: int
    """What the meter holds for this claim."""
    due_cents: int
    from_meter_cents: int
    from_tray_cents: int
    """Without the shortfall."""
    shortfall_cents: int
    """PR-7: what the meter cannot give, and the house pays."""
    turn: int
    """PR-32: its place among all claims on its meter; 1 when it may be confirmed."""
    waits_for: tuple[WaitsFor, ...]
    """Those before it, in the order in which they must be confirmed."""
    award_order: Literal["right_to_left", "left_to_right", "list"]
    """PR-17: in which order the winners of its round are paid."""
    award_order_spots: tuple[int, ...]
    award_order_reference: str
    """The internal control that orders otherwise than the rules."""
    named_by: str
    named_by_name: str
    named_at: int
    next_press: Literal["confirm", "j_pot", "run"]
    """PR-16: how its table's console records it: in one step, or in two."""
    executive: bool
    """PR-15: whether it takes an Executive card."""
    executive_from_cents: int
    surveillance: bool
    """FL-18: whether surveillance must verify it before its round closes."""
    tax_form: bool


class TableDoc(Struct, frozen=True, kw_only=True):
    """A table as somebody may see it."""

    entry: int
    """The last entry of the journal that it takes into account."""
    table: str
    game: str
    kind: str
    console: str
    spots: int
    link: str
    currency: str
    demonstration: bool
    """Whether nothing here is real: cards can be chosen."""
    advice: bool
    """Whether players may ask what each choice is worth."""
    wagers: tuple[WagerOffer, ...]
    """What can be placed at a table that sees its cards."""
    actions: tuple[ActionOffer, ...]
    """What the viewer's own spots may do now; at a physical table, for the dealer, what every spot may."""
    totals: tuple[SpotTotal, ...]
    """What every spot has in the round, and what it came to."""
    step: StepOffer | None
    """The next step of reconciling, with what it takes and pays."""
    hands: tuple[str, ...]
    """The hands that the progressive pays, as its pay table names them: the hand buttons."""
    presses: tuple[Press, ...]
    """For the dealer and the supervisor: the buttons that would not be refused now."""
    next_press: NextPress | None
    """For those who may press: the one button that comes next."""
    may: tuple[str, ...]
    """The orders of a table that the viewer's own card, or a player's sign-in, may give; others need another's card."""
    takes_second: tuple[str, ...]
    """For staff: the orders of a table that take a second person's card, as it stands now."""
    claims: tuple[ClaimDoc, ...]
    """For staff: the open claims, with what a supervisor has to know of them."""
    to_verify: tuple[VerifyOffer, ...]
    """FL-18, for staff: the wins that surveillance has still to verify."""
    malfunction: str
    """FL-13: where the repair of the shuffler stands; empty when it works."""
    repair: tuple[RepairOffer, ...]
    """FL-13, for staff: what may be recorded of the shuffler now."""
    stops: tuple[str, ...]
    progressive: TableView | None
    """What the console of the progressive shows; none where the table plays none."""
    play: PlayView | None
    """The round with cards; none where the system sees no cards there."""


class LinkDoc(Struct, frozen=True, kw_only=True):
    """A link as somebody may see it."""

    entry: int
    link: str
    name: str
    currency: str
    tables: tuple[str, ...]
    wager_cents: int
    pay_table: str
    meters: tuple[MeterLine, ...]
    pending: tuple[PendingLine, ...]
    """PR-33: awards that wait to be confirmed."""
    next_cents: dict[str, int]
    """PR-33: by meter with a pending award, what the next prize has so far."""
    stops: tuple[str, ...]
    claims: tuple[ClaimLine, ...]
    """For staff alone."""


class FloorDoc(Struct, frozen=True, kw_only=True):
    """The floor at a glance, with what needs a person first."""

    entry: int
    at: int
    site: str
    currency: str
    needs: tuple[Need, ...]
    tables: tuple[TableLine, ...]
    links: tuple[LinkDoc, ...]


class OrderRight(Struct, frozen=True, kw_only=True):
    """The roles that may give an order, and those one of which must second it."""

    roles: tuple[str, ...]
    seconds: tuple[str, ...]


class ClockLine(Struct, frozen=True, kw_only=True):
    """The clock of the server that answers. Times are microseconds since 1970."""

    now: int
    """What the floor goes by."""
    shows: int
    """What the machine's clock shows."""
    doubt: str
    """Why it is not believed and what to do, in a sentence; empty where it is."""
    stops: bool
    """Whether orders wait until the time is certain."""
    behind: bool
    """Whether the clock shows a time before the last entry: then the floor's time can be repaired."""


class ManagerDoc(Struct, frozen=True, kw_only=True):
    """The Game Manager's own view: meters with their reserves, alarms, prize accounts, devices."""

    entry: int
    at: int
    currency: str
    links: tuple[LinkLine, ...]
    alarms: tuple[AlarmLine, ...]
    accounts: dict[str, PrizeAccount]
    devices: tuple[DeviceLine, ...]
    signed_in: int
    """How many people are signed in."""
    configured: int
    """The entry that put the present configuration in force."""
    terms: dict[str, dict[str, MeterTerms]]
    """By link and meter: the shares of each wager, the seed and the posted maximum, as a new round is played."""
    suspended: tuple[str, ...]
    """What was suspended and can be resumed, as ``table/ID`` and ``link/ID``."""
    clock: ClockLine
    rights: dict[str, OrderRight]
    """By order of the Game Manager: whose card may give it."""


class Tables(Struct, frozen=True, kw_only=True):
    items: tuple[TableDoc, ...]
    next: str | None


class Links(Struct, frozen=True, kw_only=True):
    items: tuple[LinkDoc, ...]
    next: str | None


class Claims(Struct, frozen=True, kw_only=True):
    currency: str
    items: tuple[ClaimLine, ...]
    next: str | None


FLOOR = present.get(
    "floor", "/floor", "The floor at a glance, with what needs a person first.", may="floor", answer=FloorDoc
)
GAME_MANAGER = present.get(
    "game_manager",
    "/manager",
    "The Game Manager's view: meters with their reserves, alarms, prize accounts, devices.",
    may="manager",
    answer=ManagerDoc,
)
ALL_TABLES = present.get(
    "all_tables",
    "/tables",
    "Every table, as you may see it; a device is shown its own.",
    may="table",
    answer=Tables,
    query=PageQuery,
)
ONE_TABLE = present.get("one_table", "/tables/{table}", "One table, as you may see it.", may="table", answer=TableDoc)
ALL_LINKS = present.get(
    "all_links",
    "/links",
    "Every link with its meters; a display or a sensor is shown its own.",
    may="meters",
    answer=Links,
    query=PageQuery,
)
ONE_LINK = present.get("one_link", "/links/{link}", "One link and its meters.", may="meters", answer=LinkDoc)
OPEN_CLAIMS = present.get(
    "open_claims",
    "/claims",
    "Every claim that waits to be confirmed or paid, link by link.",
    may="claims",
    answer=Claims,
    query=PageQuery,
)
