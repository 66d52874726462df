"""What every choice with a hand is worth: the average net result against all cards the player cannot see, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any, Final, TypeAlias

from houseway.cards import Card, text_of
from houseway.games import Game, approved_book
from houseway.paytables import Book, PayTable
from houseway.proof.collect import BASE_TABLES
from houseway.proof.distribution import exact_wager
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
) -> Advice:
    """Every choice with these cards and its exact value, best first.

    ``up`` is the dealer's face-up card, needed where the game shows one. ``table`` names the pay table that decides the
    base game; without it the first approved one.
    """
    given = dict(options or {})
    adviser = ADVISERS.get(game.key)
    if adviser is None:
        raise Refusal("game", f"no solver advises on {game.key}; there are {', '.join(ADVISERS)}")
    _check_cards(game, cards, up)
    for name, value in given.items():
        option = next((one for one in game.options if one.name == name), None)
        if option is None or not option.fits(value):
            allowed = f"allowed is {option.allowed}" if option else f"{game.key} has no such option"
            raise Refusal(f"option {name}", f"{value!r} does not fit; {allowed}")
    odds = _base_table(game, table, book or approved_book())
    made = adviser(Hand(game, tuple(cards), up, odds, {**game.defaults, **given}))
    ordered = tuple(sorted(made, key=lambda choice: -choice.value))
    return Advice(game.key, tuple(cards), up, odds.id if odds else "", ordered, given)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand to be advised on, checked."""

    game: Game
    cards: tuple[Card, ...]
    up: Card | None
    table: PayTable | None
    options: Mapping[str, Any]

    @property
    def odds(self) -> PayTable:
        if self.table is None:
            raise ValueError(f"{self.game.key} has no pay table that decides it")
        return self.table


def _check_cards(game: Game, cards: Sequence[Card], up: Card | None) -> None:
    if len(cards) != game.player_cards:
        raise Refusal("cards", f"{len(cards)} cards where a hand of {game.key} has {game.player_cards}")
    for card in (*cards, *(() if up is None else (up,))):
        if card not in game.deck:
            raise Refusal("cards", f"{text_of([card])} is not in the deck of {game.key}")
    if len(set(cards)) != len(cards):
        raise Refusal("cards", "a card is there twice")
    if game.dealer_face_up and up is None:
        raise Refusal("up", f"is missing; at {game.key} the dealer's up card is seen before deciding")
    if not game.dealer_face_up and up is not None:
        raise Refusal("up", f"is not known; at {game.key} no card of the dealer's is seen before deciding")
    if up is not None and up in cards:
        raise Refusal("up", f"{text_of([up])} is one of the player's own cards")


def _base_table(game: Game, name: str | None, book: Book) -> PayTable | None:
    wager = BASE_TABLES.get(game.key)
    if wager is None:
        if name is not None:
            raise Refusal("table", f"no pay table decides the base game of {game.key}; leave it out")
        return None
    tables = [table for table in book.of(game.families, wager) if isinstance(table, PayTable)]
    found = tables[0] if name is None else book.find(game.families, wager, name)
    if not isinstance(found, PayTable):
        known = ", ".join(table.id for table in tables)
        raise Refusal("table", f"{str(name)[:40]!r} is no {wager} table of {game.key}; there are {known}")
    return found


def _play_or_fold(worth: Mapping[str, Fraction]) -> list[Choice]:
    return [Choice(what, value) for what, value in worth.items()]


def _three_card_poker(hand: Hand) -> list[Choice]:
    from houseway.proof import three_card_poker

    return _play_or_fold(three_card_poker.advise(hand.cards, hand.odds, hand.options["equal_hands"]))


def _caribbean_stud(hand: Hand) -> list[Choice]:
    """Every four cards under the up card, one by one, by the rules as they stand: quicker than to load a compiler."""
    from houseway.games import caribbean_stud as rules
    from houseway.ranking import five_card

    if hand.up is None:
        raise ValueError("caribbean stud is decided with the up card in view")
    num, den = hand.odds.schedule(rules.BET_HANDS)
    ante = exact_wager(den)
    bet = 2 * ante
    own = five_card.value(*hand.cards)
    rest = [card for card in hand.game.deck if card != hand.up and card not in hand.cards]
    dealers = Counter(five_card.value(*four, hand.up) for four in combinations(rest, 4))
    net = sum(
        times * (rules.ante_returned(own, dealer, ante) + rules.bet_returned(own, dealer, bet, num, den) - ante - bet)
        for dealer, times in dealers.items()
    )
    return _play_or_fold({"play": Fraction(net, dealers.total() * ante), "fold": Fraction(-1)})


def _straight_edge_1(hand: Hand) -> list[Choice]:
    from houseway.proof import straight_edge

    return _play_or_fold(straight_edge.advise(1, hand.cards, hand.odds))


def _straight_edge_2(hand: Hand) -> list[Choice]:
    from houseway.proof import straight_edge

    return _play_or_fold(straight_edge.advise(2, hand.cards, hand.odds, hand.options["blind_on_margin_zero"]))


def _six_card_pai_gow(hand: Hand) -> list[Choice]:
    """Every setting, undoubled and doubled."""
    from houseway.proof import six_card_pai_gow

    made = []
    for setting in six_card_pai_gow.advise(hand.cards):
        words = f"low {text_of([setting.low])}, high {text_of(setting.high)}"
        notes = (*(("fouls",) if setting.fouls else ()), *(("house way",) if setting.house_way else ()))
        made.append(Choice(words, setting.base, notes))
        made.append(Choice(f"{words}, double down", setting.base + setting.double_down, notes))
    return made


Adviser: TypeAlias = Callable[[Hand], list[Choice]]

ADVISERS: Final[Mapping[str, Adviser]] = {
    "three-card-poker": _three_card_poker,
    "caribbean-stud": _caribbean_stud,
    "straight-edge-1": _straight_edge_1,
    "straight-edge-2": _straight_edge_2,
    "six-card-pai-gow": _six_card_pai_gow,
}
