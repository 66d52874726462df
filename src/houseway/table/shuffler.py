"""The shuffler: its modes, its green button, what its screen shows, and the record of a malfunction.

It counts cards and never holds one: a press says which places of the deck come out, and whoever keeps the deck's order
looks them up. So a shuffler can be shown to anybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from houseway.cards.shuffle import Source
from houseway.games import Game, all_games
from houseway.paytables import PayTable
from houseway.refusal import Refusal

HAND: Final = "hand"
"""How a table that is dealt by hand calls its dealing; every other name is a mode's."""
FEWEST_HANDS, MOST_HANDS = 2, 8
"""CSC-3: the columns of Cover All, the dealer's hand counted."""


class MachineMode(NamedTuple):
    """One setting of the machine."""

    key: str
    name: str
    """As the machine's menu has it."""
    packet: int
    deck: int
    games: tuple[str, ...] = ()
    """The games it is made for."""
    models: tuple[str, ...] = ("i-deal", "i-deal-plus")
    """The machines that have it, by their kind in the equipment register."""
    shows: tuple[str, ...] = ("packets",)
    """What the screen shows: packets, start_position, cover_all."""


GENERAL_MODES: Final[tuple[MachineMode, ...]] = (
    MachineMode("seven-cards", "Seven card packets", 7, 52),
    MachineMode("pai-gow", "Pai Gow Poker", 7, 53, shows=("packets", "start_position")),
)
"""The modes that are made for no game of ours."""


def modes() -> tuple[MachineMode, ...]:
    """Every mode of the machine: those that the games declare, and the general ones."""
    modes: dict[tuple[str, int, int], MachineMode] = {}
    for game in all_games().values():
        for mode in game.modes:
            place = (mode.key, game.player_cards, len(game.deck))
            known = modes.get(place)
            sharing = (*known.games, game.key) if known is not None else (game.key,)
            modes[place] = MachineMode(*place[:1], mode.name, *place[1:], sharing, mode.models, mode.shows)
    return (*modes.values(), *GENERAL_MODES)


def mode_named(key: str) -> MachineMode:
    """The mode of that name; an unknown one is refused."""
    every = modes()
    for mode in every:
        if mode.key == key:
            return mode
    raise Refusal("dealing", f"no mode {key!r}; allowed are {', '.join(mode.key for mode in every)}, and {HAND!r}")


def modes_for(game: Game) -> tuple[MachineMode, ...]:
    """The modes a table of this game may use, its own first."""
    fitting = [mode for mode in modes() if mode_fits(mode, game) is None]
    return tuple(sorted(fitting, key=lambda mode: game.key not in mode.games))


def usual_dealing(game: Game, *, cover_all: bool = False) -> str:
    """How a table of this game deals where nothing is said: its own mode first; empty where there is no way."""
    for mode in modes_for(game):
        if mode_fits(mode, game, cover_all=cover_all) is None:
            return mode.key
    return HAND if hand_fits(game) is None else ""


def mode_fits(mode: MachineMode, game: Game, *, cover_all: bool = False) -> str | None:
    """FL-1: why a mode does not fit a table's game; None where it fits. ``cover_all``: the table offers that wager."""
    if (mode.packet, mode.deck) != (game.player_cards, len(game.deck)):
        return (
            f"the mode {mode.name} deals packets of {mode.packet} from {mode.deck} cards; "
            f"{game.title} takes packets of {game.player_cards} from {len(game.deck)} (FL-1)"
        )
    own = [other for other in modes() if game.key in other.games]
    if mode not in own and not game.any_mode_of_its_size:
        return f"the mode {mode.name} is not set to {game.title}; allowed is {_names(own)} (FL-1)"
    showing = [other for other in own if "cover_all" in other.shows]
    if cover_all and showing and mode not in showing:
        return f"the mode {mode.name} shows no Cover All column; Cover All needs {_names(showing)} (CSC-4)"
    return None


def hand_fits(game: Game) -> str | None:
    """FL-1: why a game may not be dealt by hand; None where it may."""
    if game.dealt_by_hand:
        return None
    allowed = [other.short_title or other.title for other in all_games().values() if other.dealt_by_hand]
    names = " and ".join([*([", ".join(allowed[:-1])] if len(allowed) > 1 else []), *allowed[-1:]])
    only = f"only {names} may be dealt by hand" if allowed else "no game may be dealt by hand"
    return f"{game.title} is dealt from an approved shuffler; {only} (FL-1)"


def dealing_fits(dealing: str, game: Game, *, cover_all: bool = False) -> str | None:
    """FL-1: why a table may not deal this way, a mode's key or ``hand``; None where it may."""
    if dealing == HAND:
        return hand_fits(game)
    try:
        mode = mode_named(dealing)
    except Refusal as refusal:
        return refusal.sentence
    return mode_fits(mode, game, cover_all=cover_all)


def _names(modes: Iterable[MachineMode]) -> str:
    return " or ".join(mode.name for mode in modes)


# ----------------------------------------------------------------------------------------- the green button

Phase: TypeAlias = Literal["shuffling", "ready", "dealing", "dealer_served"]


class Dispensed(NamedTuple):
    """What one press brought out: places of the deck, counted from the top."""

    first: int
    """The first place, from 0."""
    after: int
    """The place after the last."""
    packet: int
    """Which packet of the round it is, from 1; 0 for the remaining cards."""


class Shuffler(Struct, frozen=True, kw_only=True):
    """A shuffler as it stands."""

    mode: str
    """The key of its mode."""
    phase: Phase = "shuffling"
    deck: int = 0
    """How many decks it has shuffled."""
    packets: int = 0
    """Packets out of this deck."""
    cards: int = 0
    """Cards out of this deck."""
    next_start: int = 0
    """The start position drawn for the deck that is in; the screen keeps it until the first press."""
    start: int = 0
    """The start position on the screen; 0 for none."""
    column: int = 0
    """The Cover All column on the screen, until the next round's first packet; 0 for none."""
    fault: Malfunction | None = None
    """The malfunction that is being dealt with."""


def shuffled_in(shuffler: Shuffler, start: int = 0) -> Shuffler:
    """The next deck is shuffled and in; a mode that shows a start position needs the one drawn for it (PG-3)."""
    _working(shuffler)
    if shuffler.phase != "shuffling":
        raise Refusal("shuffler", "has a deck in; the next one is shuffled when the remaining cards are out")
    shows_start = "start_position" in mode_named(shuffler.mode).shows
    if shows_start != (start > 0):
        raise Refusal("start", "is a position from 1" if shows_start else "is not shown in this mode; leave it out")
    return replace(shuffler, phase="ready", deck=shuffler.deck + 1, packets=0, cards=0, next_start=start)


def press(shuffler: Shuffler) -> tuple[Shuffler, Dispensed]:
    """FL-2: the green button: one packet or, once the dealer has his, the remaining cards."""
    _working(shuffler)
    mode = mode_named(shuffler.mode)
    if shuffler.phase == "shuffling":
        raise Refusal("shuffler", "is shuffling the next deck; the green button works when that deck is in")
    if shuffler.phase == "dealer_served":
        return _remaining(shuffler, mode)
    if shuffler.cards >= mode.deck:
        raise Refusal("shuffler", "is empty: every card of the deck is out")
    number = shuffler.packets + 1
    after = min(shuffler.cards + mode.packet, mode.deck)
    out = Dispensed(shuffler.cards, after, number)
    start = shuffler.next_start or shuffler.start
    return replace(shuffler, phase="dealing", packets=number, cards=after, start=start, next_start=0, column=0), out


def _remaining(shuffler: Shuffler, mode: MachineMode) -> tuple[Shuffler, Dispensed]:
    """FL-2, CSC-4: everything that is left, and the number of hands is counted for the Cover All column."""
    column = shuffler.packets if "cover_all" in mode.shows else 0
    if column and not FEWEST_HANDS <= column <= MOST_HANDS:
        raise Refusal("shuffler", f"has {column} hands out; Cover All has columns for 2 to 8, the dealer's included")
    out = Dispensed(shuffler.cards, mode.deck, 0)
    return replace(shuffler, phase="shuffling", cards=mode.deck, column=column), out


def dealer_served(shuffler: Shuffler) -> Shuffler:
    """The dealer has the last packet: the next press brings the remaining cards."""
    _working(shuffler)
    if shuffler.phase != "dealing":
        raise Refusal("shuffler", "has no packet out for the dealer; press the green button first")
    return replace(shuffler, phase="dealer_served")


def emptied(shuffler: Shuffler) -> Shuffler:
    """FL-12: the round is void: whatever is in comes out unseen, and the deck is shuffled anew."""
    return replace(shuffler, phase="shuffling", packets=0, cards=0, next_start=0, start=0, column=0)


def start_position(positions: int, source: Source) -> int:
    """PG-3: the position that gets the first packet, every one equally likely."""
    return source.randrange(positions) + 1


def _working(shuffler: Shuffler) -> None:
    if shuffler.fault is not None and not shuffler.fault.ended:
        raise Refusal("shuffler", f"is out of order: {next_words(shuffler.fault)} (FL-13)")


class Screen(NamedTuple):
    """What the screen shows; None where the mode, or the moment, shows nothing there."""

    mode: str
    packets: int | None
    start_position: int | None
    cover_all_column: int | None
    words: tuple[str, ...]
    """The same in words, a line each."""


def screen(shuffler: Shuffler) -> Screen:
    """FL-2: what the mode shows now."""
    mode = mode_named(shuffler.mode)
    packets = shuffler.packets if "packets" in mode.shows else None
    start = shuffler.start or None
    column = shuffler.column or None
    words = [mode.name]
    if shuffler.fault is not None and not shuffler.fault.ended:
        words.append(f"out of order: {next_words(shuffler.fault)}")
    if packets is not None:
        words.append(f"packets out: {packets}")
    if start is not None:
        words.append(f"start position: {start}")
    if column is not None:
        words.append(f"Cover All: {column} hands")
    return Screen(mode.name, packets, start, column, tuple(words))


def cover_all_pays(table: PayTable, column: int) -> tuple[tuple[str, str], ...]:
    """CSC-4: the column of a Cover All table that the screen shows: each hand and what it pays."""
    if column not in table.columns:
        raise Refusal("hands", f"{column} hands have no column; allowed are {', '.join(map(str, table.columns))}")
    at = table.columns.index(column)
    return tuple((row.hand, f"{row.odds[at].num} to {row.odds[at].den}") for row in table.rows)


# ------------------------------------------------------------------------------------------- malfunctions

Step: TypeAlias = Literal["guide", "off", "unplugged", "replaced", "connected", "on", "service_called", "resumed"]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
"""FL-13: the steps of a swap, in their order."""
STEP_WORDS: Final[dict[Step, str]] = {
    "guide": "follow the guide on the machine",
    "off": "turn the shuffler off",
    "unplugged": "unplug it",
    "replaced": "replace it by the backup",
    "connected": "connect power and data",
    "on": "turn it on",
    "service_called": "call the service",
    "resumed": "resume play",
}


class StepTaken(Struct, frozen=True, kw_only=True):
    """One recorded step."""

    step: Step
    by: str
    at: int
    """Microseconds since 1970, UTC."""
    note: str = ""
    """On ``replaced``, which backup."""


class Malfunction(Struct, frozen=True, kw_only=True):
    """The record of one malfunction."""

    what: str
    by: str
    at: int
    steps: tuple[StepTaken, ...] = ()
    procedure: str = ""
    """The regulator's own procedure, named; then no step but the last is ours to order."""
    voided: bool = False
    """Whether the round was voided instead."""

    @property
    def ended(self) -> bool:
        """Whether play went on, or the round was voided."""
        return self.voided or any(step.step == "resumed" for step in self.steps)

    @property
    def backup(self) -> str:
        """The backup that took the machine's place; empty for none."""
        return next((step.note for step in self.steps if step.step == "replaced"), "")


def next_steps(fault: Malfunction) -> tuple[Step, ...]:
    """FL-13: what may be recorded next, the usual first; nothing once it has ended.

    After the guide play may resume at once, because the guide may have helped.
    """
    if fault.ended:
        return ()
    if fault.procedure:
        return ("resumed",)
    following = STEPS[len(fault.steps)]
    return (following, "resumed") if following == "off" else (following,)


def next_words(fault: Malfunction) -> str:
    """The next step as the console prompts it."""
    if fault.ended:
        return "nothing is left to do"
    return "next: " + " or ".join(STEP_WORDS[step] for step in next_steps(fault))


def failed(shuffler: Shuffler, what: str, by: str, at: int) -> Shuffler:
    """FL-13: a malfunction begins."""
    _working(shuffler)
    return replace(shuffler, fault=Malfunction(what=_named("what", what), by=by, at=at))


def take_step(shuffler: Shuffler, step: Step, by: str, at: int, note: str = "") -> Shuffler:
    """FL-13: record a step; one that is not next is refused, with the one that is."""
    fault = _open_fault(shuffler)
    if step not in next_steps(fault):
        raise Refusal("step", f"{STEP_WORDS.get(step, repr(step))} is not next; {next_words(fault)} (FL-13)")
    if step == "replaced":
        note = _named("note", note)
    step_taken = StepTaken(step=step, by=by, at=at, note=note)
    return replace(shuffler, fault=replace(fault, steps=(*fault.steps, step_taken)))


def name_procedure(shuffler: Shuffler, procedure: str) -> Shuffler:
    """FL-13: the regulator's own procedure is followed from here on; it is named."""
    return replace(shuffler, fault=replace(_open_fault(shuffler), procedure=_named("procedure", procedure)))


def void_fault(shuffler: Shuffler) -> Shuffler:
    """FL-13, FL-12: the round is voided instead, and the deck shuffled anew."""
    return emptied(replace(shuffler, fault=replace(_open_fault(shuffler), voided=True)))


def _open_fault(shuffler: Shuffler) -> Malfunction:
    if shuffler.fault is None or shuffler.fault.ended:
        raise Refusal("shuffler", "has no malfunction on record; record what happened first (FL-13)")
    return shuffler.fault


def _named(field: str, words: str) -> str:
    """The words without blanks around them; none at all is refused."""
    if not words.strip():
        raise Refusal(field, "is empty; say what or which one, it goes on record (FL-13)")
    return words.strip()
