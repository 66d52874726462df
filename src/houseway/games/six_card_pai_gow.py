"""6 Card Fortune Pai Gow Poker with Fortune, Insurance and Double Down (clauses PG, PGF, PGI, PGD; PGP's hands)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from houseway.cards import DECK_53, JOKER, RANK_NAMES, Card, parse_card, rank_of
from houseway.games import options as house
from houseway.games.model import (
    HOUSE_WAY,
    DealerSettlement,
    Dealt,
    Decision,
    Game,
    Option,
    Outcome,
    Round,
    RuleLine,
    RuleSection,
    Settlement,
    Spot,
    SpotSettlement,
    Wager,
    WagerResult,
    settled,
    settled_by,
)
from houseway.games.rules import even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking import joker
from houseway.ranking.poker import CATEGORIES, HIGH_CARD, PAIR, category, first_rank
from houseway.refusal import Refusal
from houseway.rule import Ints, rule

PAIR_OF_EIGHTS: Final = PAIR << 20 | 8 << 16
JOKER_LOW: Final = 15
"""A joker as a low card counts above an ace (PG-8, PG-A1)."""
WIN: Final = 1
PUSHED: Final = 0
LOSE: Final = -1


@rule
def low_rank(card: int) -> int:
    """The rank of a low card, 2 to 14; the joker above the ace (PG-8)."""
    if card == JOKER:
        return JOKER_LOW
    return rank_of(card)


@rule
def dealer_low_rank(card: int) -> int:
    """PG-A2: the dealer's joker is an ace."""
    return rank_of(card)


@rule
def fouls(high: int, low: int) -> bool:
    """PG-4: the low card outranks an unpaired high hand; ace and joker are equal here."""
    return category(high) == HIGH_CARD and first_rank(high) < min(low, 14)


@rule
def setting_merit(high: int, low: int) -> int:
    """How the house way likes a setting, PG-10 to PG-16 and PG-A1 in one order; -1 for a foul.

    The best category first (a made hand is never broken), then the highest low card that leaves it whole, then the
    better high hand. Two trips, three pairs, six-card straights and flushes, quads and a pair all follow from that.
    """
    if fouls(high, low):
        return -1
    return category(high) << 28 | low << 24 | (high & 0xFFFFF)


@rule
def matchup(player_high: int, player_low: int, dealer_high: int, dealer_low: int) -> int:
    """PG-7, PG-8, PG-9: 1 both won, 0 one each, -1 both lost; the house wins copies."""
    high_won = player_high > dealer_high
    low_won = player_low > dealer_low
    if high_won and low_won:
        return WIN
    if high_won or low_won:
        return PUSHED
    return LOSE


@rule
def base_returned(outcome: int, wager: int) -> int:
    """PG-9: what the base wager gives back."""
    if outcome == WIN:
        return even_money(wager)
    if outcome == PUSHED:
        return wager
    return 0


@rule
def double_has_action(dealer_high: int) -> bool:
    """PGD-2, PGD-A1: the dealer's high hand as set is a pair of eights or better."""
    return dealer_high >= PAIR_OF_EIGHTS


@rule
def double_returned(outcome: int, dealer_high: int, double: int) -> int:
    """PGD-2: without action it comes back, a fouled hand's too; with it, it goes as the base wager goes."""
    if not double_has_action(dealer_high):
        return double
    return base_returned(outcome, double)


@rule
def fortune_returned(best: int, fortune: int, num: Ints, den: Ints) -> int:
    """PGF-1: what Fortune gives back on the best five of six, whatever happens to the base wager."""
    return returned_to(fortune, category(best), num, den)


@rule
def insurance_row(best: int) -> int:
    """PGI-1: the highest card of a hand with no pair or better; 0, a row that never pays, for the others."""
    if category(best) == HIGH_CARD:
        return first_rank(best)
    return 0


@rule
def insurance_returned(best: int, insurance: int, num: Ints, den: Ints) -> int:
    """PGI-1: what Insurance gives back."""
    return returned_to(insurance, insurance_row(best), num, den)


INSURANCE_HANDS: Final = tuple(
    str(rank) if 8 <= rank <= 10 else RANK_NAMES[rank] if rank in (11, 12, 13) else "" for rank in range(15)
)
"""Insurance rows by the rank of the highest card."""
FORTUNE_SCHEMA: Final = tuple(reversed(CATEGORIES[3:]))


def settings(cards: Sequence[Card]) -> list[tuple[int, int, int]]:
    """The six ways to set six cards: (value of the high hand, rank of the low card, place of the low card)."""
    a, b, c, d, e, f = cards
    value = joker.value
    return [
        (value(b, c, d, e, f), low_rank(a), 0),
        (value(a, c, d, e, f), low_rank(b), 1),
        (value(a, b, d, e, f), low_rank(c), 2),
        (value(a, b, c, e, f), low_rank(d), 3),
        (value(a, b, c, d, f), low_rank(e), 4),
        (value(a, b, c, d, e), low_rank(f), 5),
    ]


def house_way(cards: Sequence[Card]) -> tuple[int, int, int]:
    """PG-10 to PG-16: the setting the house prefers, as ``settings`` writes it."""
    return max(settings(cards), key=lambda setting: setting_merit(setting[0], setting[1]))


class SixCardPaiGow(Game):
    """Six cards set into a high hand of five and a low hand of one."""

    key = "six-card-pai-gow"
    title = "6 Card Fortune Pai Gow Poker"
    document = "002 (2023)"
    deck = DECK_53
    player_cards = 6
    dealer_cards = 6
    most_spots = 6
    wagers = (
        Wager("base", "Base wager", "required"),
        Wager("fortune", "Fortune", "optional", needs="base"),
        Wager("insurance", "Insurance", "optional", needs="base"),
        Wager("progressive", "Progressive", "optional", needs="base"),
        Wager("double_down", "Double Down", "follows"),
    )
    table_wagers = ("fortune", "insurance", "progressive")
    families = ("six-card-pai-gow",)
    schemas = (
        Schema("six-card-pai-gow", "fortune", "odds", FORTUNE_SCHEMA, envy=True),
        Schema("six-card-pai-gow", "insurance", "odds", ("8", "9", "10", "jack", "queen", "king")),
        Schema("six-card-pai-gow", "progressive", "progressive", FORTUNE_SCHEMA),
    )
    reconcile = ("base", "double_down", "fortune", "fortune_envy", "insurance", "progressive")
    options: ClassVar[tuple[Option, ...]] = (
        house.switch("double_down_for_less", False, "A player may double for less than the base wager.", "PGD-1"),
        house.number("positions", 7, 2, 7, "How many positions get a packet, the dealer's included.", "PG-3"),
        house.number("dealer_position", 1, 1, 7, "Where the dealer sits in the count of positions.", "PG-3"),
        *house.progressive_options(house.folded_qualifies("CSP-A1")),
    )

    def choices(self, wagers: Mapping[str, int]) -> tuple[str, ...]:
        return ("low", "house_way", "double_down")

    def read_decision(
        self, raw: Mapping[str, Any], cards: Sequence[Card], wagers: Mapping[str, int], options: Mapping[str, Any]
    ) -> Decision:
        unknown = [key for key in raw if key not in ("low", "house_way", "double_down")]
        if unknown:
            raise Refusal(f"decision.{unknown[0][:40]}", "is not known; it may hold low or house_way, and double_down")
        if ("low" in raw) == ("house_way" in raw):
            raise Refusal("decision", 'must be {"low": "Kd"} or {"house_way": true}, one of the two')
        double = 0
        if "double_down" in raw:
            double = self._double(raw["double_down"], wagers["base"], options)
        if "house_way" in raw:
            if raw["house_way"] is not True:
                raise Refusal("decision.house_way", "must be true, or set the hand with low")
            return Decision("house_way", double_cents=double)
        if not isinstance(raw["low"], str):
            raise Refusal("decision.low", "must be one card of the hand, such as Kd")
        try:
            low = parse_card(raw["low"])
        except Refusal as refusal:
            raise Refusal("decision.low", refusal.sentence) from None
        if low not in cards:
            raise Refusal("decision.low", f"{raw['low']} is not one of the six cards of this hand")
        return Decision("set", low, double)

    @staticmethod
    def _double(double: Any, base: int, options: Mapping[str, Any]) -> int:
        """PGD-1: equal to the base wager, or less where the house allows that."""
        if type(double) is not int or double <= 0:
            raise Refusal("decision.double_down", "must be a whole number of cents above zero")
        if double > base:
            raise Refusal("decision.double_down", f"must not be more than the base wager, {base} cents")
        if double < base and not options["double_down_for_less"]:
            raise Refusal("decision.double_down", f"must equal the base wager, {base} cents")
        return double

    def settle(self, round_: Round) -> Settlement:
        dealer = house_way(round_.dealer)
        bests = {spot.number: joker.value_of_six(*spot.cards) for spot in round_.spots}
        return Settlement(
            DealerSettlement(
                joker.name(dealer[0]),
                CATEGORIES[category(dealer[0])],
                bool(double_has_action(dealer[0])),
                _set_cards(round_.dealer, dealer[2], "house way"),
            ),
            tuple(self._settle_spot(round_, spot, bests, dealer[0], round_.dealer[dealer[2]]) for spot in round_.spots),
        )

    def _settle_spot(
        self, round_: Round, spot: Spot, bests: Mapping[int, int], dealer_high: int, dealer_low: Card
    ) -> SpotSettlement:
        best = bests[spot.number]
        made = spot.wagers
        if spot.decision.low is None:
            high, low, place = house_way(spot.cards)
            by = "house way"
        else:
            high, low, place = settings(spot.cards)[spot.cards.index(spot.decision.low)]
            by = "player"
        outcome: Outcome
        if fouls(high, low):
            against = LOSE
            outcome = "foul"
        else:
            against = matchup(high, low, dealer_high, dealer_low_rank(dealer_low))
            outcome = "win" if against == WIN else "push" if against == PUSHED else "lose"
        wagers: dict[str, WagerResult] = {"base": settled(made["base"], base_returned(against, made["base"]))}
        double = spot.decision.double_cents
        if double:
            wagers["double_down"] = settled(double, double_returned(against, dealer_high, double))
        if "fortune" in made:
            wagers["fortune"] = self._fortune(round_, spot, bests)
        if "insurance" in made:
            wagers["insurance"] = settled_by(
                round_.tables["insurance"], INSURANCE_HANDS, insurance_returned, best, made["insurance"]
            )
        key = CATEGORIES[category(best)]
        return SpotSettlement(
            spot.number,
            joker.name(best),
            key,
            outcome,
            wagers,
            key,
            setting=_set_cards(spot.cards, place, by),
        )

    @staticmethod
    def _fortune(round_: Round, spot: Spot, bests: Mapping[int, int]) -> WagerResult:
        """PGF-1, PGF-2: the wager on the own hand, and flat envy for every other player's hand on the envy list."""
        table = round_.tables["fortune"]
        wager = spot.wagers["fortune"]
        own = settled_by(table, CATEGORIES, fortune_returned, bests[spot.number], wager)
        if not table.envy_cents:
            return own
        envy = 0
        if wager >= table.envy_minimum_cents:
            envy = sum(
                table.envy_cents.get(CATEGORIES[category(bests[other.number])], 0)
                for other in round_.spots
                if other.number != spot.number and (not spot.player or other.player != spot.player)
            )
        return WagerResult("win" if envy else own.result, wager, own.returned + envy, envy)

    def deal(self, deck: Sequence[Card], spots: Sequence[int], options: Mapping[str, Any], first: int = 1) -> Dealt:
        """PG-3, PG-18: packets counter-clockwise from position ``first``; an empty position's goes unseen to the rack.

        Position p is spot 8 - p with the dealer at position 1, as the positions are counted counter-clockwise.
        """
        positions, dealer_at = options["positions"], options["dealer_position"]
        hands: dict[int, tuple[Card, ...]] = {}
        dealer: tuple[Card, ...] = ()
        rack: tuple[Card, ...] = ()
        for turn in range(positions):
            position = (first - 1 + turn) % positions + 1
            packet = tuple(deck[turn * self.player_cards : (turn + 1) * self.player_cards])
            spot = positions - (position - dealer_at) % positions
            if position == dealer_at:
                dealer = packet
            elif spot in spots:
                hands[spot] = packet
            else:
                rack += packet
        return Dealt(hands, dealer, (), rack + tuple(deck[positions * self.player_cards :]))

    def sample_decision(self, cards: Sequence[Card], face_up: Sequence[Card]) -> Decision:
        """The house way, without doubling."""
        return HOUSE_WAY

    rule_card = (
        RuleSection(
            "The game",
            (
                RuleLine("53 cards. The joker is an ace, or completes a straight, flush, straight flush or royal flush; in "
                         "a flush it is the highest rank missing.", ("PG-1",)),
                RuleLine("Five-card poker with five aces on top; A-2-3-4-5 is the second-highest straight.", ("PG-2",)),
                RuleLine("Six cards are set into a high hand of five and a low hand of one. If the low card outranks an "
                         "unpaired high hand the hand fouls and the base wager loses; side wagers still play. A high hand "
                         "whose top card equals the low card does not foul.", ("PG-4",)),
                RuleLine("A player may ask for the house way.", ("PG-5",)),
                RuleLine("High plays against high, low against low; the house wins copies.", ("PG-7",)),
                RuleLine("A player's joker as low card beats any low card.", ("PG-8",)),
                RuleLine("The dealer's joker as low card is an ace.", ("PG-A2",), fixed=True),
                RuleLine("Both won pays 1 to 1, one each is a push, both lost loses. There is no commission.", ("PG-9",)),
                RuleLine("Six players and seven packets, positions counted counter-clockwise from the dealer as 1: taken "
                         "from pai gow poker as the Commission posts it, where this game's document is silent.",
                         ("PG-17", "PG-3")),
            ),
        ),
        RuleSection(
            "House way",
            (
                RuleLine("No pair: the highest card high, the second highest low.", ("PG-10",)),
                RuleLine("A made hand is never broken for the low card, which is the highest kicker.", ("PG-11",)),
                RuleLine("Two threes of a kind: the lower stays whole, with a pair of the higher; its third card low.",
                         ("PG-12",)),
                RuleLine("Three pairs: the two lower pairs high, with a card of the highest; the other low.", ("PG-13",)),
                RuleLine("Six-card straight, flush or straight flush: the highest card low. A royal flush stays whole.",
                         ("PG-14",)),
                RuleLine("Straight and flush both possible: the flush.", ("PG-15",)),
                RuleLine("A six-card flush with a straight flush in it: the straight flush, the other card low.",
                         ("PG-16",)),
                RuleLine("Otherwise: the best category whole, then the highest low card, a joker above an ace, then the "
                         "better high hand.", ("PG-A1",), fixed=True),
            ),
        ),
        RuleSection(
            "Double Down",
            (
                RuleLine("After looking, a player may double for exactly the base wager.", ("PGD-1",)),
                RuleLine("It plays only when the dealer has a pair of eights or better, and comes back otherwise.",
                         ("PGD-2",)),
                RuleLine("That is judged on the dealer's high hand as set.", ("PGD-A1",), fixed=True),
            ),
        ),
        RuleSection(
            "Fortune and Insurance",
            (
                RuleLine("Fortune wins with three of a kind or better in the best five of the six cards, whatever happens "
                         "to the base wager.", ("PGF-1",)),
                RuleLine("On table 1 a Fortune wager of $5 or more wins flat envy when another player holds a full house "
                         "or better. Nobody envies the dealer or himself.", ("PGF-2",)),
                RuleLine("Fortune first, then its envy, then Insurance.", ("PGF-3",)),
                RuleLine("Insurance wins when the best hand is king high or less.", ("PGI-1",)),
            ),
        ),
        RuleSection(
            "Progressive",
            (
                RuleLine("Judged on the best hand among all six cards; pays for 1.", ("PGP-1",)),
                RuleLine("Table 3 has a meter for five aces and one for the royal flush.", ("PGP-2",)),
                RuleLine("Tables 2, 3 and 4 pay envy, table 5 none.", ("PGP-3",)),
            ),
        ),
    )  # fmt: skip


def _set_cards(cards: Sequence[Card], place: int, by: str) -> tuple[tuple[Card, ...], Card, str]:
    high = sorted((card for at, card in enumerate(cards) if at != place), key=lambda card: (-low_rank(card), card))
    return tuple(high), cards[place], by


GAME: Final = SixCardPaiGow()
