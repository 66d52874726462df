"""What a game is, what a round is, and what a settled round says. The games themselves are one module each.

A ``Game`` holds the static facts and the pure functions of one rule set; a ``Round`` is one deal at one table, already
checked; a ``Settlement`` is what every wager of it gives back. Money is whole cents. What is made anew for every round is
a named tuple: as unchangeable as a frozen dataclass, and made in a quarter of the time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from houseway.cards import DECK_52, DECK_53, Card
from houseway.paytables import PayTable, Schema
from houseway.refusal import Refusal
from houseway.rule import Ints

Result: TypeAlias = Literal["win", "push", "lose"]
Outcome: TypeAlias = Literal["win", "lose", "push", "fold", "foul"]
Category: TypeAlias = "str | dict[str, int | str]"
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Wager:
    """One betting place on the layout."""

    key: str
    label: str
    kind: Literal["required", "optional", "follows", "award"]
    """``follows``: made by a decision; ``award``: paid without a wager of its own."""
    needs: str = ""
    """The wager without which this one is not accepted."""
    equals: str = ""
    """The wager whose amount this one must match."""
    advice_cents: int = 0
    """The amount the maker recommends, and so the default; 0 where none is."""


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


@dataclass(frozen=True, slots=True)
class Decision:
    """What a spot decided after looking at its cards."""

    kind: Literal["none", "play", "fold", "set", "house_way"]
    low: Card | None = None
    """Pai gow: the card the player set as the low hand."""
    double_cents: int = 0
    """Pai gow: the Double Down wager."""

    @property
    def folded(self) -> bool:
        return self.kind == "fold"


NO_DECISION = Decision("none")
PLAY = Decision("play")
FOLD = Decision("fold")
HOUSE_WAY = Decision("house_way")


class Spot(NamedTuple):
    """One hand of one player in a round."""

    number: int
    cards: tuple[Card, ...]
    wagers: Mapping[str, int]
    decision: Decision = NO_DECISION
    player: str = ""
    """Who plays it, where that is known: two spots of one player are two hands."""


class Round(NamedTuple):
    """One deal, checked: the cards are all different, the wagers and decisions fit the game."""

    dealer: tuple[Card, ...]
    spots: tuple[Spot, ...]
    tables: Mapping[str, PayTable] = NOTHING
    """By wager."""
    options: Mapping[str, Any] = NOTHING
    """Every option of the game, defaults filled in."""


class WagerResult(NamedTuple):
    """What one wager came to."""

    result: Result
    wagered: int
    returned: int
    envy: int | None = None
    """Part of ``returned`` won from other players' hands; None where the wager has no envy."""


class SpotSettlement(NamedTuple):
    """What one spot came to, the progressive apart."""

    number: int
    hand: str
    category: Category
    outcome: Outcome | None
    wagers: Mapping[str, WagerResult]
    progressive_hand: str
    """The row key under which this hand stands on a progressive table; empty when it could never win."""
    folded: bool = False
    setting: tuple[tuple[Card, ...], Card, str] | None = None
    """Pai gow: high hand, low card, and who set it."""


class DealerSettlement(NamedTuple):
    """What the dealer held."""

    hand: str
    category: Category
    qualifies: bool | None
    setting: tuple[tuple[Card, ...], Card, str] | None = None


class Settlement(NamedTuple):
    """A settled round, spots in the order asked."""

    dealer: DealerSettlement
    spots: tuple[SpotSettlement, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """Who got which cards."""

    hands: Mapping[int, tuple[Card, ...]]
    dealer: tuple[Card, ...]
    face_up: tuple[Card, ...]
    """The dealer's cards that everybody sees before any decision."""
    rack: tuple[Card, ...]
    """The rest of the deck."""


def settled(wagered: int, returned: int, table: PayTable | None = None) -> WagerResult:
    """The result of a wager: a win gives back more than was wagered, a push as much, a loss nothing.

    On a table that pays "for" one anything at all is a win.
    """
    if not returned:
        return WagerResult("lose", wagered, 0)
    if returned > wagered or (table is not None and not table.returns_wager):
        return WagerResult("win", wagered, returned)
    return WagerResult("push", wagered, returned)


def settled_by(
    table: PayTable,
    hands: tuple[str, ...],
    rule: Callable[[int, int, Ints, Ints], int],
    hand: int,
    wager: int,
    *,
    kept: bool = True,
    column: int | None = None,
) -> WagerResult:
    """The result of a wager that pays by a table: ``rule`` says what comes back; nothing where it was not kept."""
    num, den = table.schedule(hands, column)
    return settled(wager, rule(hand, wager, num, den) if kept else 0, table)


class Game(ABC):
    """One rule set. A subclass states the facts as class variables and writes ``read_decision`` and ``settle``."""

    key: ClassVar[str]
    title: ClassVar[str]
    document: ClassVar[str]
    """The documents the rules come from."""
    deck: ClassVar[tuple[Card, ...]] = DECK_52
    player_cards: ClassVar[int]
    dealer_cards: ClassVar[int]
    dealer_face_up: ClassVar[tuple[int, ...]] = ()
    """Which of the dealer's cards, by place in the packet, lie face up before any decision."""
    most_spots: ClassVar[int]
    wagers: ClassVar[tuple[Wager, ...]]
    options: ClassVar[tuple[Option, ...]]
    families: ClassVar[tuple[str, ...]]
    """Whose pay tables the game uses, its own first."""
    schemas: ClassVar[tuple[Schema, ...]]
    table_wagers: ClassVar[tuple[str, ...]]
    """The wagers that pay by a table."""
    table_files: ClassVar[tuple[Traversable, ...]] = ()
    """Pay table files that come with the game's own package; Houseway's own are found without."""
    reconcile: ClassVar[tuple[str, ...]]
    """The order in which the wagers of a spot are settled (TC-13 …); spots run from the dealer's right (n to 1)."""
    rule_card: ClassVar[tuple[RuleSection, ...]]
    second_spot_envies: ClassVar[bool] = False
    """Whether a player's second spot may win envy from the first (PR-18: the game's own rule)."""

    @property
    def has_joker(self) -> bool:
        return len(self.deck) == len(DECK_53)

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

    def wager(self, key: str) -> Wager | None:
        """The wager of that name, or None."""
        return self._wagers.get(key)

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """Every house option at its default."""
        return MappingProxyType({option.name: option.default for option in self.options})

    def tables_needed(self, wagers: Collection[str]) -> tuple[str, ...]:
        """The pay tables that settle these wagers, by table wager."""
        return tuple(key for key in self.table_wagers if key in wagers)

    def check_wagers(self, wagers: Mapping[str, int], options: Mapping[str, Any]) -> None:
        """Refuse wagers that do not stand together; a game with its own conditions adds them."""
        together = tuple(wagers)
        if together not in self._known_together:
            self._check_together(wagers)
            self._known_together.add(together)
        for wager in self._equal_wagers:
            if wager.key in wagers and wagers[wager.key] != wagers[wager.equals]:
                raise Refusal(f"wagers.{wager.key}", f"must equal {wager.equals}, {wagers[wager.equals]} cents")

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
            if wager.needs and wager.needs not in wagers:
                raise Refusal(f"wagers.{key}", f"needs a wager on {wager.needs}, which this spot has not made")

    def advice(self, wagers: Mapping[str, int]) -> tuple[str, ...]:
        """What the maker would say to these wagers: a sentence for each that is not what he recommends."""
        return tuple(
            f"{wager.label} of {wagers[wager.key]} cents: {wager.advice_cents} cents are recommended"
            for wager in self.wagers
            if wager.advice_cents and wagers.get(wager.key, wager.advice_cents) != wager.advice_cents
        )

    def choices(self, wagers: Mapping[str, int]) -> tuple[str, ...]:
        """What a spot with these wagers may decide."""
        return ("play", "fold")

    def read_decision(
        self, raw: Mapping[str, Any], cards: Sequence[Card], wagers: Mapping[str, int], options: Mapping[str, Any]
    ) -> Decision:
        """The decision in ``raw``, or a refusal. Fold or play, unless the game says otherwise."""
        if len(raw) == 1:
            if raw.get("play") is True:
                return PLAY
            if raw.get("fold") is True:
                return FOLD
        raise Refusal("decision", 'must be {"play": true} or {"fold": true}')

    @abstractmethod
    def settle(self, round_: Round) -> Settlement:
        """What every wager of the round gives back, the progressive apart."""

    @abstractmethod
    def sample_decision(self, cards: Sequence[Card], face_up: Sequence[Card]) -> Decision:
        """A simple way to play, for demonstrations and dealers in training; not the best strategy."""

    def deal(self, deck: Sequence[Card], spots: Sequence[int], options: Mapping[str, Any], first: int = 1) -> Dealt:
        """Packets off the top of ``deck`` to the spots in rising order, the dealer last."""
        hands: dict[int, tuple[Card, ...]] = {}
        at = 0
        for spot in sorted(spots):
            hands[spot] = tuple(deck[at : at + self.player_cards])
            at += self.player_cards
        dealer = tuple(deck[at : at + self.dealer_cards])
        at += self.dealer_cards
        return Dealt(hands, dealer, tuple(dealer[place] for place in self.dealer_face_up), tuple(deck[at:]))
