"""What a game is: one declaration, from which everything else follows.

A declaration says where cards lie and who sees them when (zones and reveals), what a spot may do at which point
(decisions and choices), what the cards are worth (values), what every wager pays and when (wagers and their rules), and
the words for people. Nothing else knows a game by name: settlement, dealing, limits, tables, figures, strategy,
simulation and screens all read the declaration. What it lacks is one sentence when the game is loaded.

A rule in a declaration is a function of integers that names what it needs: a value by its key (``player``, ``dealer``),
the amount of a wager by its key (``ante``) or as ``stake``, a house option by its name (false and true are 0 and 1, a
named value is its place among those allowed), and ``num`` and ``den``, the pay table's odds by row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from houseway.cards import DECK_52, DECK_53, NO_CARD, Card
from houseway.games.round import Action, Dealt, Round, Settlement
from houseway.paytables import Schema
from houseway.ranking.ranking import Ranking
from houseway.refusal import Refusal
from houseway.rule import arguments_of

if TYPE_CHECKING:
    from houseway.games.flow import SpotCourse
    from houseway.games.settle import Settler

Rule: TypeAlias = Callable[..., int]
Owner: TypeAlias = Literal["spot", "dealer", "table"]
Places: TypeAlias = tuple[tuple[str, tuple[int, ...] | None], ...]
PROGRESSIVE: Final = "progressive"
PUBLIC_RULES: Final = "public rules"
"""The document of a game whose rules come from public sources."""

# ------------------------------------------------------------------------------------------------ cards


@dataclass(frozen=True, slots=True)
class Zone:
    """A place where cards lie. A game has at most one for a spot, one for the dealer and one for the table."""

    key: str
    owner: Owner
    cards: int
    shown: tuple[int, ...] = ()
    """Places that lie face up for everybody once the cards are dealt."""
    burned: int = 0
    """Cards that are dealt before it and burned unseen; for the table's zone."""
    later: tuple[str, ...] = ()
    """Names of the places after those, which a `LaterDeal` may fill: ``("war_card",)``."""
    parts: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Where a board is two or more hands: the name of each, and its places in the order in which they are filled."""

    @property
    def places(self) -> int:
        """How many cards may lie there, those that are dealt later included."""
        return self.cards + len(self.later)


@dataclass(frozen=True, slots=True)
class DeckShoe:
    """Several decks that rounds are dealt from, one after the other, until the cut card comes out."""

    decks: str
    """The house option that says how many decks there are."""
    penetration: str = ""
    """The house option that says after how many percent of the cards the cut card comes."""
    behind_cut: int = 0
    """Where there is no such option: how many cards lie behind the cut card."""

    def cut_at(self, cards: int, options: Mapping[str, Any]) -> int:
        """How many of so many cards lie before the cut card."""
        if self.penetration:
            return cards * int(options[self.penetration]) // 100
        return cards - self.behind_cut


@dataclass(frozen=True, slots=True)
class LaterDeal:
    """Cards that are dealt face up in the course of a round, where a rule or a wager calls for them.

    A place of the spot's zone is filled at the spots that made ``wager``; a place of the dealer or the table where
    some spot made it, or where ``when`` says so.
    """

    to: tuple[tuple[str, int], ...]
    """Zones and places, in the order in which they are filled; a spot's place at every spot before the next."""
    label: str
    when: Rule | None = None
    """A rule of values that look at no spot's cards, and at places that are filled before."""
    wager: str = ""
    burns: int = 0
    """How many cards are laid aside unseen before the first."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Cards that the dealer turns over between two decisions. Whatever is still face down at the end is turned then."""

    zone: str
    places: tuple[int, ...]
    label: str = ""
    """What the street is called, such as Flop."""


@dataclass(frozen=True, slots=True)
class Split:
    """A zone that is set into a high hand and a low card.

    The values of the two are computed as if they were zones of their own. The house way is the setting that ``merit``
    likes most; a setting that it values below zero fouls.
    """

    zone: str
    high: str
    low: str
    merit: Rule
    given: tuple[str, str]
    """The values of the high hand and of the low card that ``merit`` takes."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A value of cards: a ranking over whole zones, or over some places of one: ``("board", 0, 1, 2)``."""

    key: str
    ranking: Ranking
    cards: tuple[str | tuple[str | int, ...], ...]

    @property
    def places(self) -> Places:
        """Zone by zone: which places; None for all of them."""
        return tuple(
            (part, None) if isinstance(part, str) else (str(part[0]), tuple(int(place) for place in part[1:]))
            for part in self.cards
        )


@dataclass(frozen=True, slots=True)
class Derived:
    """A value that follows from others by a rule."""

    key: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Highest:
    """The highest hand of a round, the dealer's included."""

    key: str
    of: str
    """The value of a spot's hand."""
    dealer: str
    counts_folded: str
    """The house option that says whether folded hands count."""
    exposes: Rule
    """Whether the dealer leaves a hand exposed as the highest so far: a rule of ``of``, and of house options."""


Value: TypeAlias = Hand | Derived


# ------------------------------------------------------------------------------------------------ decisions


@dataclass(frozen=True, slots=True)
class Stake:
    """A wager that a choice makes: a multiple of another one."""

    wager: str
    of: str
    times: int = 1
    optional: bool = False
    """Whether the player may leave it, and names the amount."""
    less: str = ""
    """The house option that lets an optional stake be less than the multiple."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something a spot may do at a decision point."""

    key: str
    label: str = ""
    stakes: tuple[Stake, ...] = ()
    folds: bool = False
    sets: Literal["", "player", "house_way"] = ""
    """Who sets the hand, at a game with a `Split`; the player names the low card."""
    takes_back: str = ""
    """The wager that the player takes back."""
    surrenders: str = ""
    """The wager of which the player gives up one half, rounded up to a cent, and gets the rest back."""
    when: Rule | None = None
    """Where the choice is open only with some cards: a rule of what the spot sees."""

    @property
    def words(self) -> str:
        return self.label or self.key.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Decide:
    """A decision point: every spot that comes to it chooses one of these."""

    key: str
    choices: tuple[Choice, ...]
    sample: Rule
    """A simple way to play: the place of a choice, by what the spot sees. For demonstrations, not the best strategy."""
    left: str
    """The choice of a player who left, or whose time is up (FL-23)."""
    needs: str = ""
    """The wager without which a spot is not asked."""
    unless: tuple[str, ...] = ()
    """Wagers made by earlier choices after which a spot is not asked any more."""
    when: Rule | None = None
    """Where a spot is asked only with some cards: a rule of what it sees. The last decision alone may have one."""
    label: str = ""

    def choice(self, key: str) -> Choice | None:
        """The choice of that name, or None."""
        for choice in self.choices:
            if choice.key == key:
                return choice
        return None


def multiples(wager: str, of: str, *times: int, when: Rule | None = None) -> tuple[Choice, ...]:
    """Choices that make a wager of so many times another: ``2x`` and ``3x``."""
    return tuple(Choice(f"{number}x", stakes=(Stake(wager, of, number),), when=when) for number in times)


Step: TypeAlias = Decide | Reveal | LaterDeal


# ------------------------------------------------------------------------------------------------ wagers


@dataclass(frozen=True, slots=True)
class Wager:
    """One betting place on the layout."""

    key: str
    label: str
    kind: Literal["required", "optional", "follows", "award"]
    """``follows``: made by a choice; ``award``: paid on ``of`` without a wager of its own."""
    pays: Rule | None = None
    """What the wager gives back, an award's prize; none for the progressive, which has rules of its own."""
    needs: str = ""
    """The wager without which this one is not accepted."""
    needs_where: str = ""
    """The house option that says whether ``needs`` holds; empty for always (TC-A2)."""
    needs_one_of: tuple[str, ...] = ()
    """Wagers of which a spot must have made one, or this one is not accepted."""
    offered_with: tuple[str, str] | None = None
    """The house option, and the value of it, without which the wager is not offered."""
    equals: str = ""
    """The wager whose amount this one must match."""
    of: str = ""
    """The wager that an award is paid on."""
    hands: tuple[str, ...] = ()
    """The rows of its pay table as its rule numbers them; empty where none decides it."""
    table: str = ""
    """The name of its pay table, where several wagers share one; otherwise a table is called as its wager."""
    by_hands_dealt: bool = False
    """Whether its table has a column for each number of hands in the round, the dealer's included."""
    after_fold: str = "loses"
    """``loses``, ``stays``, or the house option that says whether it stays."""
    advice_cents: int = 0
    """The amount the maker recommends, and so the default; 0 where none is."""
    judged_on: str = ""
    """In words, what it is judged on where that is not the spot's own hand."""
    envy_row: Rule | None = None
    """Where its table pays flat envy: the row of ``hands`` that a spot's hand stands in for the others."""
    against_dealer: bool = False
    """Whether the reason given for its result names the dealer's hand, though a table says what it pays."""
    compared_always: bool = False
    """SE2-4: whether the two hands decide it even when the dealer does not qualify."""
    without_action: str = ""
    """In words, why it comes back though the hand of its spot fouls."""
    parts: int = 1
    """Where its rule pays a fraction that no table holds: the smallest wager on which nothing is rounded."""
    commission: Rule | None = None
    """BA-10: the part of its win that the house keeps, which ``pays`` leaves out already; a table may mark it instead."""
    compares: tuple[str, str] | None = None
    """The player's and the dealer's value that decide it once their cards are dealt, where a later deal brings them."""

    @property
    def table_key(self) -> str:
        """What its pay table is called."""
        return self.table or self.key


@dataclass(frozen=True, slots=True)
class ProgressiveHand:
    """Which row of a progressive table a spot's cards stand for."""

    row: Rule
    hands: tuple[str, ...]
    """Row keys by row number; empty for a row that could never win."""


@dataclass(frozen=True, slots=True)
class Thumb:
    """A rule of thumb: at every point the place of a choice, by what the spot sees."""

    words: str
    rules: Mapping[str, Rule] = field(default_factory=dict)
    """By decision point."""
    blind_to: str = ""
    """In place of rules: the best play of somebody who does not look at this zone."""
    in_full: str = ""
    """The rule as a strategy card says it, where the words only name it; without the last full stop."""
    misses: str = ""
    """What perfect play does beyond the rule, to follow "which": also looks at the cards outside the run."""


# ------------------------------------------------------------------------------------------------ the house


@dataclass(frozen=True, slots=True)
class Option:
    """A house option: a point where the documents leave the house a choice, or contradict themselves."""

    name: str
    default: Any
    allowed: str
    """What may stand here, in words."""
    fits: Callable[[Any], bool]
    says: str
    clauses: tuple[str, ...]
    settles: bool = True
    """False for an option of live procedure, which changes no settlement."""
    values: tuple[str, ...] = ()
    """The named values, in the order in which rules number them; empty for the other kinds."""

    def number(self, value: Any) -> int:
        """A value as a rule takes it."""
        return self.values.index(value) if self.values else int(value)


class TableOption(NamedTuple):
    """A house option that stands for a pay table: ``straight_pays`` is 4 or 5, and names the table of the base game."""

    option: str
    wager: str
    """The table wager."""
    tables: tuple[tuple[Any, str], ...]
    """Value by value: the id of the table."""


class Mode(NamedTuple):
    """One setting of a shuffler."""

    key: str
    name: str
    """As the machine's menu has it."""
    models: tuple[str, ...] = ("i-deal", "i-deal-plus")
    """The machines that have it, by their kind in the equipment register."""
    shows: tuple[Literal["packets", "start_position", "cover_all"], ...] = ("packets",)


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One line of the rule card, with the clauses it comes from."""

    text: str
    clauses: tuple[str, ...]
    fixed: bool = False
    """True where the documents are silent or contradictory and the line is fixed at our default."""


@dataclass(frozen=True, slots=True)
class RuleSection:
    """A heading of the rule card and its lines."""

    title: str
    lines: tuple[RuleLine, ...]


FROM_PUBLIC_SOURCES: Final = RuleSection(
    "Where these rules come from",
    (
        RuleLine(
            "Public sources, not approved documents: a table opens only with an approval that the operator entered.",
            ("FL-10",),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class LiteratureFigure:
    """What the trade's literature says of one wager on one pay table, as it is written there; empty where it is silent."""

    wager: str
    """The wager, ``base`` for the base game."""
    table: str
    """The pay table, or the value of the option that decides it, as a figure names it."""
    house_edge: str = ""
    element_of_risk: str = ""
    average_bet: str = ""
    """Everything wagered in a round, per unit of the first base wager."""
    standard_deviation: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    """The house options it is meant for, where they are not those of our defaults."""
    why: str = ""
    """Where a count differs and the reason is known: a sentence."""


# ------------------------------------------------------------------------------------------------ the game


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """One rule set."""

    key: str
    title: str
    short_title: str = ""
    """For a small screen; the title where it is left out."""
    document: str
    """The documents the rules come from; `PUBLIC_RULES` where they come from public sources."""
    most_spots: int
    deck: tuple[Card, ...] = DECK_52

    zones: tuple[Zone, ...]
    splits: tuple[Split, ...] = ()
    values: tuple[Value, ...]
    """In an order in which each needs only those before it."""
    shoe: DeckShoe | None = None
    """Where rounds are dealt from a shoe; otherwise every round has a deck of its own."""
    highest: Highest | None = None
    flow: tuple[Step, ...]
    """Decisions, reveals and later deals in their order, from the deal on."""

    base: tuple[str, ...]
    """The wagers of the base game, the one that counts as the unit first; none where every wager stands alone."""
    wagers: tuple[Wager, ...]
    """In the order in which a settlement lists them."""
    at_least_one: tuple[str, ...] = ()
    """Optional wagers of which a spot must make one."""
    not_together: tuple[tuple[str, str], ...] = ()
    """Wagers that a spot may not make both."""
    required_by: Mapping[str, str] = field(default_factory=dict)
    """House options that make an optional wager required: option by wager."""
    hand: str = "player"
    """The value that a spot's hand is called by; empty where a spot has no cards."""
    dealer_hand: str = "dealer"
    """The value that the dealer's hand is called by; empty where there is no dealer's hand."""
    outcome: str
    """The wager whose result is that of the round, or a value: WIN, PUSH, LOSE or FOUL of ``games.rules``.

    Empty where a spot has no result but those of its wagers.
    """
    winner: tuple[str, tuple[str, ...]] | None = None
    """A value that says which side won the round, and the names of the sides as it numbers them."""
    side_values: Mapping[str, str] = field(default_factory=dict)
    """Where a board is several hands: by the name of each, the value that it is called by."""
    qualifies: Rule | None = None
    """Whether the dealer qualifies."""
    progressive: ProgressiveHand | None = None
    second_spot_envies: bool = False
    """Whether a player's second spot may win envy from the first (PR-18: the game's own rule)."""

    families: tuple[str, ...]
    """Whose pay tables the game uses, its own first."""
    table_defaults: Mapping[str, str] = field(default_factory=dict)
    """By table wager: the table that is meant where nobody names one, though there are several."""
    table_options: tuple[TableOption, ...] = ()
    """House options that name a pay table."""
    figures_by: Mapping[str, str] = field(default_factory=dict)
    """By wager, or ``base``: the house option that decides a figure no pay table decides; each value has a figure."""
    schemas: tuple[Schema, ...]
    table_files: tuple[Traversable, ...] = ()
    """Pay table files that come with the game's own package; Houseway's own are found without."""
    options: tuple[Option, ...] = ()

    reconcile: tuple[str, ...]
    """The order in which the wagers of a spot are settled (TC-13 …); spots run from the dealer's right (n to 1)."""
    later: tuple[tuple[str, ...], ...] = ()
    """Wagers that wait until every spot's others are settled, in their order (CSC-5, PGF-3)."""
    collects_folds: Literal["as_they_fold", "after_all"] = "as_they_fold"
    """When the dealer may take what a fold gives up (CS-5, TC-15); always before the dealer's hand is turned over."""
    at_once: tuple[str, ...] = ()
    """Wagers that one pass around the table settles first where the dealer does not qualify (CS-7, SE2-4)."""
    at_once_words: str = ""
    """What the dealer does in that pass."""
    by_positions: bool = False
    """Whether packets go to positions, empty ones too, from a drawn one on (PG-3)."""
    shuffler: tuple[Mode, ...] = ()
    """The modes made for it; where none is named, one with its own name."""
    any_mode_of_its_size: bool = False
    """FL-1: whether it may borrow every mode with its packet and deck."""
    dealt_by_hand: bool = False
    """FL-1: whether it may be dealt by hand, under house procedure."""
    never_linked_with: tuple[str, ...] = ()
    """PR-39: games that may never share a link with it."""
    lays_away: bool = False
    """SE-5: whether a spot that plays lays away the cards that its hand does not need."""
    call_plays: str = ""
    """FL-22: what the dealer calls when the hand qualifies; empty for nothing."""
    call_does_not_play: str = ""
    fold_words: str = ""
    """What the dealer does with a folded hand, where the documents say."""

    rule_card: tuple[RuleSection, ...]
    """As the declaration writes it; what is shown is `sections`."""
    published: tuple[LiteratureFigure, ...] = ()
    """Figures of the trade's literature, to hold the counts against."""
    method: str = ""
    """How the base game is counted, for the par sheet."""
    thumbs: tuple[Thumb, ...] = ()
    solver: str = ""
    """A solver of its own, by its name in the entry points ``houseway.solvers``; empty where the shape decides."""
    example_hands: Mapping[str, str] = field(default_factory=dict)
    """Hands to choose at a demonstration table: words and cards."""

    def __post_init__(self) -> None:
        from houseway.games.check import check_declaration

        check_declaration(self)

    def __repr__(self) -> str:
        return f"<Game {self.key}>"

    # -------------------------------------------------------------------------------------------- where it comes from

    @property
    def has_public_rules(self) -> bool:
        """Whether no document describes it: it opens only with an approval that the operator entered (FL-10)."""
        return self.document == PUBLIC_RULES

    @property
    def source_words(self) -> str:
        """Where its rules come from, after "from"."""
        return "public sources, not approved documents" if self.has_public_rules else f"documents {self.document}"

    @property
    def sections(self) -> tuple[RuleSection, ...]:
        """The rule card, with a word on where the rules come from where that is no document."""
        return (*self.rule_card, FROM_PUBLIC_SOURCES) if self.has_public_rules else self.rule_card

    # -------------------------------------------------------------------------------------------- cards

    @property
    def has_joker(self) -> bool:
        return len(self.deck) == len(DECK_53)

    def copies(self, options: Mapping[str, Any]) -> int:
        """How many times each card of the deck is there."""
        return 1 if self.shoe is None else int(options[self.shoe.decks])

    def pack(self, options: Mapping[str, Any]) -> tuple[Card, ...]:
        """All cards that are shuffled together, new and in their order: a deck, or several one after the other."""
        return self.deck * self.copies(options)

    @cached_property
    def deals_open(self) -> bool:
        """Whether every card is dealt face up, so that nobody has anything to hide."""
        return all(set(zone.shown) == set(range(zone.cards)) for zone in self.zones)

    def round_cards(self, spots: int) -> int:
        """How many cards a round with so many spots takes at most, burned ones included."""
        sizes = {zone.key: spots if zone.owner == "spot" else 1 for zone in self.zones}
        later = sum(deal.burns + sum(sizes[zone] for zone, _ in deal.to) for deal in self.later_deals)
        return self.player_cards * spots + self.dealer_cards + self.board_cards + later

    def fill_places(self, owner: Owner, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Cards as a round holds them: one for every place of the zone, `NO_CARD` where none was dealt."""
        zone = self.zone_of(owner)
        return (*cards, *(NO_CARD,) * ((zone.places if zone else 0) - len(cards)))

    def zone_of(self, owner: Owner) -> Zone | None:
        """The zone of a spot, of the dealer or of the table."""
        return self._zones.get(owner)

    @cached_property
    def _zones(self) -> dict[str, Zone]:
        return {zone.owner: zone for zone in self.zones}

    @cached_property
    def player_cards(self) -> int:
        """How many cards a spot gets."""
        zone = self.zone_of("spot")
        return zone.cards if zone else 0

    @cached_property
    def dealer_cards(self) -> int:
        """How many cards the dealer gets."""
        zone = self.zone_of("dealer")
        return zone.cards if zone else 0

    @cached_property
    def board_cards(self) -> int:
        """How many cards everybody shares."""
        zone = self.zone_of("table")
        return zone.cards if zone else 0

    @cached_property
    def burned_cards(self) -> int:
        """How many cards are burned unseen before those that everybody shares."""
        zone = self.zone_of("table")
        return zone.burned if zone else 0

    @cached_property
    def board_parts(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The hands that the board consists of, by name; none where it is one."""
        zone = self.zone_of("table")
        return zone.parts if zone else ()

    @cached_property
    def dealer_face_up(self) -> tuple[int, ...]:
        """Which of the dealer's cards, by place in the packet, lie face up before any decision."""
        zone = self.zone_of("dealer")
        return zone.shown if zone else ()

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """The shuffler modes made for the game."""
        return self.shuffler or (Mode(self.key, self.title),)

    def split_of(self, zone: str) -> Split | None:
        """How a zone is set."""
        return next((split for split in self.splits if split.zone == zone), None)

    def value_of(self, key: str) -> Value | None:
        """The value of that name."""
        return self._values.get(key)

    @cached_property
    def _values(self) -> dict[str, Value]:
        return {value.key: value for value in self.values}

    # -------------------------------------------------------------------------------------------- decisions

    @cached_property
    def points(self) -> tuple[Decide, ...]:
        """The decision points in their order."""
        return tuple(step for step in self.flow if isinstance(step, Decide))

    @cached_property
    def house_ways(self) -> frozenset[str]:
        """The choices with which a player has the house set the hand."""
        return frozenset(choice.key for point in self.points for choice in point.choices if choice.sets == "house_way")

    @cached_property
    def reveals(self) -> tuple[Reveal | LaterDeal, ...]:
        """The streets in their order: what is turned over or dealt between decisions."""
        return tuple(step for step in self.flow if not isinstance(step, Decide))

    @cached_property
    def later_deals(self) -> tuple[LaterDeal, ...]:
        """What is dealt in the course of a round."""
        return tuple(step for step in self.flow if isinstance(step, LaterDeal))

    @cached_property
    def followers(self) -> Mapping[str, tuple[Stake, ...]]:
        """By wager: every stake of a choice that makes it."""
        found: dict[str, list[Stake]] = {}
        for point in self.points:
            for choice in point.choices:
                for stake in choice.stakes:
                    found.setdefault(stake.wager, []).append(stake)
        return {wager: tuple(dict.fromkeys(stakes)) for wager, stakes in found.items()}

    @cached_property
    def takes_more(self) -> bool:
        """Whether an action may hold more than its name: a card, or the amount of an optional wager."""
        choices = [choice for point in self.points for choice in point.choices]
        return any(choice.sets or any(stake.optional for stake in choice.stakes) for choice in choices)

    @cached_property
    def courses(self) -> dict[tuple[tuple[str, ...], tuple[Action, ...]], SpotCourse]:
        """What `houseway.games.flow` found out about wagers and choices, kept."""
        return {}

    # -------------------------------------------------------------------------------------------- wagers

    @cached_property
    def _wagers(self) -> dict[str, Wager]:
        return {wager.key: wager for wager in self.wagers}

    @cached_property
    def wager_keys(self) -> frozenset[str]:
        """The names of all wagers."""
        return frozenset(self._wagers)

    @cached_property
    def _known_together(self) -> set[tuple[str, ...]]:
        """Sets of wagers that were found to stand together: the same few come round after round."""
        return set()

    @cached_property
    def _tables_known(self) -> dict[frozenset[str], tuple[str, ...]]:
        """What `tables_needed` found: it is asked for every wager that is placed."""
        return {}

    @cached_property
    def table_wagers(self) -> tuple[str, ...]:
        """The wagers that pay by a table; the progressive last."""
        odds = tuple(dict.fromkeys(wager.table_key for wager in self.wagers if wager.hands))
        return (*odds, PROGRESSIVE) if self.progressive is not None else odds

    @cached_property
    def base_table(self) -> str:
        """The wager whose pay table decides the base game; empty where none does."""
        return next((self._wagers[key].table_key for key in self.base if self._wagers[key].hands), "")

    def wager(self, key: str) -> Wager | None:
        """The wager of that name, or None."""
        return self._wagers.get(key)

    def leaders(self, wager: str) -> tuple[str, ...]:
        """The wagers of which one that follows is a multiple, or on which an award is paid."""
        known = self._wagers[wager]
        if known.of:
            return (known.of,)
        return tuple(dict.fromkeys(stake.of for stake in self.followers.get(wager, ())))

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """Every house option at its default."""
        return MappingProxyType({option.name: option.default for option in self.options})

    @cached_property
    def options_by_name(self) -> Mapping[str, Option]:
        return MappingProxyType({option.name: option for option in self.options})

    def tables_needed(self, wagers: Collection[str]) -> tuple[str, ...]:
        """The pay tables that settle these wagers and those that follow from them, by table wager."""
        asked = frozenset(wagers)
        known = self._tables_known.get(asked)
        if known is None:
            used = {wager.table_key for wager in self.wagers if self._is_settled_with(wager.key, asked)}
            known = self._tables_known[asked] = tuple(key for key in self.table_wagers if key in used)
        return known

    def _is_settled_with(self, wager: str, wagers: Collection[str]) -> bool:
        return wager in wagers or any(leader in wagers for leader in self.leaders(wager))

    def named_tables(self, names: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Pay tables by wager, those included that a house option or a default names.

        ``options`` are those that somebody set; one that names another table than ``names`` is refused.
        """
        named: dict[str, Any] = dict(self.table_defaults)
        for known in self.table_options:
            value = options.get(known.option, self.defaults[known.option])
            table = dict(known.tables)[value]
            if known.option in options and names.get(known.wager, table) != table:
                raise Refusal(
                    f"tables.{known.wager}",
                    f"is {names[known.wager]}, but the option {known.option} = {value} names {table}; give one of the two",
                )
            named[known.wager] = table
        return {**named, **names}

    def stays(self, wager: str, options: Mapping[str, Any]) -> bool:
        """Whether a wager stays in play when its spot folds."""
        after = self._wagers[wager].after_fold
        return after == "stays" or (after != "loses" and bool(options[after]))

    def check_wagers(self, wagers: Mapping[str, int], options: Mapping[str, Any]) -> None:
        """Refuse wagers that do not stand together."""
        together = tuple(wagers)
        if together not in self._known_together:
            self._check_together(wagers)
            self._known_together.add(together)
        for wager in self._conditional_wagers:
            if wager.key in wagers and wager.offered_with is not None:
                option, value = wager.offered_with
                if options[option] != value:
                    raise Refusal(
                        f"wagers.{wager.key}", f"is not offered: {wager.label} needs the option {option} {value}"
                    )
        for wager in self._needing_wagers:
            if wager.key in wagers and options[wager.needs_where]:
                _check_needs(wager, wagers)
        for key, option in self.required_by.items():
            if options[option] and key not in wagers:
                label = self._wagers[key].label
                raise Refusal(f"wagers.{key}", f"is missing; the option {option} makes the {label} required")
        for wager in self._equal_wagers:
            if wager.key in wagers and wagers[wager.key] != wagers[wager.equals]:
                raise Refusal(f"wagers.{wager.key}", f"must equal {wager.equals}, {wagers[wager.equals]} cents")

    @cached_property
    def _conditional_wagers(self) -> tuple[Wager, ...]:
        return tuple(wager for wager in self.wagers if wager.offered_with is not None)

    @cached_property
    def _needing_wagers(self) -> tuple[Wager, ...]:
        return tuple(wager for wager in self.wagers if wager.needs_where)

    @cached_property
    def _equal_wagers(self) -> tuple[Wager, ...]:
        return tuple(wager for wager in self.wagers if wager.equals)

    def _check_together(self, wagers: Collection[str]) -> None:
        for wager in self.wagers:
            if wager.kind == "required" and wager.key not in wagers:
                raise Refusal(f"wagers.{wager.key}", f"is missing; {wager.label} is required to be dealt in")
        for key in wagers:
            wager = self._wagers[key]
            if wager.kind in ("follows", "award"):
                raise Refusal(f"wagers.{key}", "is not placed before the deal; it follows from the decision")
            if wager.needs and not wager.needs_where:
                _check_needs(wager, wagers)
            if wager.needs_one_of and not any(other in wagers for other in wager.needs_one_of):
                needed = " or ".join(wager.needs_one_of)
                raise Refusal(f"wagers.{key}", f"needs a wager on {needed}, which this spot has not made")
        for first, other in self.not_together:
            if first in wagers and other in wagers:
                raise Refusal(f"wagers.{other}", f"cannot stand beside {first}: a spot makes one of the two")
        if self.at_least_one and not any(key in wagers for key in self.at_least_one):
            raise Refusal("wagers", f"must hold {_one_of(self.at_least_one)}")

    def wagers_together(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """Wagers placed before the deal that one spot can make at once: all of them where nothing speaks against it."""
        together: list[str] = []
        for wager in self.wagers:
            offered = wager.offered_with is None or options[wager.offered_with[0]] == wager.offered_with[1]
            barred = any(wager.key in pair and any(key in pair for key in together) for pair in self.not_together)
            if wager.kind in ("required", "optional") and offered and not barred:
                together.append(wager.key)
        return tuple(together)

    def advice(self, wagers: Mapping[str, int]) -> tuple[str, ...]:
        """What the maker would say to these wagers: a sentence for each that is not what he recommends."""
        return tuple(
            f"{wager.label} of {wagers[wager.key]} cents: {wager.advice_cents} cents are recommended"
            for wager in self.wagers
            if wager.advice_cents and wagers.get(wager.key, wager.advice_cents) != wager.advice_cents
        )

    # -------------------------------------------------------------------------------------------- a round

    def deal(self, deck: Sequence[Card], spots: Sequence[int], options: Mapping[str, Any], first: int = 1) -> Dealt:
        """Who gets which cards of a deck; ``first`` is the position that gets the first packet (PG-3)."""
        from houseway.games.flow import deal

        return deal(self, deck, spots, options, first)

    @cached_property
    def _settler(self) -> Settler:
        from houseway.games.settle import Settler

        return Settler(self)

    def settle(self, round_: Round) -> Settlement:
        """What every wager of the round gives back, the progressive apart."""
        return self._settler.settle(round_)

    @cached_property
    def bearing(self) -> Mapping[str, tuple[str, ...]]:
        """By wager, and for the base game under ``base``: the house options that its rules ask for."""
        decks = () if self.shoe is None else (self.shoe.decks,)
        asked = {
            wager.key: (
                *decks,
                *(name for name in _every_argument(self, wager.pays) if name in self.options_by_name),
            )
            for wager in self.wagers
            if wager.pays is not None
        }
        base = tuple(dict.fromkeys(name for key in self.base for name in asked.get(key, ())))
        return {**asked, "base": base}


def declared_rules(game: Game) -> tuple[Rule, ...]:
    """Every rule that a declaration names, each once: its sources are the game's own."""
    choices = [choice for point in game.points for choice in point.choices]
    named = (
        *(value.rule for value in game.values if isinstance(value, Derived)),
        *(value.ranking.compiled for value in game.values if isinstance(value, Hand)),
        *(split.merit for split in game.splits),
        *(wager.pays for wager in game.wagers),
        *(choice.when for choice in choices),
        *(point.when for point in game.points),
        *(deal.when for deal in game.later_deals),
        game.qualifies,
        game.progressive.row if game.progressive is not None else None,
        game.highest.exposes if game.highest is not None else None,
    )
    return tuple(dict.fromkeys(rule for rule in named if rule is not None))


def _every_argument(game: Game, rule: Rule) -> tuple[str, ...]:
    """What a rule needs, and what the values need that it is given."""
    found: dict[str, None] = {}
    waiting = list(arguments_of(rule))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            value = game.value_of(name)
            if isinstance(value, Derived):
                waiting += arguments_of(value.rule)
    return tuple(found)


def _check_needs(wager: Wager, wagers: Collection[str]) -> None:
    if wager.needs not in wagers:
        raise Refusal(f"wagers.{wager.key}", f"needs a wager on {wager.needs}, which this spot has not made")


def _one_of(keys: tuple[str, ...]) -> str:
    article = [f"{'an' if key[0] in 'aeiou' else 'a'} {key}" for key in keys]
    both = ", or both" if len(keys) == 2 else ""
    return f"{', '.join(article)}{both}" if both else " or ".join(article)
