"""6 Card Fortune Pai Gow Poker with Fortune, Insurance and Double Down (clauses PG, PGF, PGI, PGD; PGP's hands)."""

from __future__ import annotations

from typing import Final

from houseway.cards import DECK_53, JOKER, RANK_NAMES, rank_of
from houseway.games import options as house
from houseway.games.model import (
    Choice,
    Decide,
    Derived,
    Game,
    Hand,
    Mode,
    ProgressiveHand,
    RuleLine,
    RuleSection,
    Split,
    Stake,
    Wager,
    Zone,
)
from houseway.games.rules import FOUL, LOSE, PUSH, WIN, always, even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking import joker
from houseway.ranking.poker import CATEGORIES, HIGH_CARD, PAIR, category, first_rank
from houseway.ranking.ranking import by_rule
from houseway.rule import Ints, rule

PAIR_OF_EIGHTS: Final = PAIR << 20 | 8 << 16
JOKER_LOW: Final = 15
"""A joker as a low card counts above an ace (PG-8, PG-A1)."""


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
def matchup(high: int, low: int, dealer_high: int, dealer_low: int) -> int:
    """PG-7, PG-8, PG-9: both won, one each, or both lost; the house wins copies."""
    high_won = high > dealer_high
    low_won = low > dealer_low
    if high_won and low_won:
        return WIN
    if high_won or low_won:
        return PUSH
    return LOSE


@rule
def against_dealer(high: int, low: int, dealer_high: int, dealer_low: int) -> int:
    """PG-4, PG-9: a foul, or what the two hands come to."""
    if fouls(high, low):
        return FOUL
    return matchup(high, low, dealer_high, dealer_low)


@rule
def base_returned(outcome: int, stake: int) -> int:
    """PG-9: what the base wager gives back."""
    if outcome == WIN:
        return even_money(stake)
    if outcome == PUSH:
        return stake
    return 0


@rule
def double_has_action(dealer_high: int) -> bool:
    """PGD-2, PGD-A1: the dealer's high hand as set is a pair of eights or better."""
    return dealer_high >= PAIR_OF_EIGHTS


@rule
def double_returned(outcome: int, dealer_high: int, double_down: int) -> int:
    """PGD-2: without action it comes back, a fouled hand's too; with it, it goes as the base wager goes."""
    if not double_has_action(dealer_high):
        return double_down
    return base_returned(outcome, double_down)


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


@rule
def progressive_row(best: int) -> int:
    """PGP-1: the best hand among all six cards."""
    return category(best)


DOUBLE: Final = Stake("double_down", of="base", optional=True, less="double_down_for_less")


RULE_CARD: Final = (
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


GAME: Final = Game(
    key="six-card-pai-gow",
    title="6 Card Fortune Pai Gow Poker",
    short_title="6 Card Fortune Pai Gow",
    document="002 (2023)",
    deck=DECK_53,
    most_spots=6,
    zones=(Zone("hand", "spot", 6), Zone("dealers", "dealer", 6)),
    splits=(
        Split("hand", "high_cards", "low_card", setting_merit, ("high", "low")),
        Split("dealers", "dealer_high_cards", "dealer_low_card", setting_merit, ("dealer_high", "dealer_low_as_set")),
    ),
    values=(
        Hand("best", joker.BEST_OF_SIX, ("hand",)),
        Hand("high", joker.FIVE_CARDS, ("high_cards",)),
        Hand("low", by_rule(low_rank, 1), ("low_card",)),
        Hand("dealer_high", joker.FIVE_CARDS, ("dealer_high_cards",)),
        Hand("dealer_low", by_rule(dealer_low_rank, 1), ("dealer_low_card",)),
        Hand("dealer_low_as_set", by_rule(low_rank, 1), ("dealer_low_card",)),
        Derived("outcome", against_dealer),
    ),
    flow=(
        Decide(
            "set",
            (
                Choice("low", "Set", stakes=(DOUBLE,), sets="player"),
                Choice("house_way", "House way", stakes=(DOUBLE,), sets="house_way"),
            ),
            sample=always,
            left="house_way",
        ),
    ),
    base=("base", "double_down"),
    wagers=(
        Wager("base", "Base wager", "required", base_returned),
        Wager(
            "double_down",
            "Double Down",
            "follows",
            double_returned,
            without_action="the dealer's hand has no pair of eights",
        ),
        Wager(
            "fortune",
            "Fortune",
            "optional",
            fortune_returned,
            needs="base",
            hands=CATEGORIES,
            envy_row=progressive_row,
        ),
        Wager("insurance", "Insurance", "optional", insurance_returned, needs="base", hands=INSURANCE_HANDS),
        Wager("progressive", "Progressive", "optional", needs="base"),
    ),
    hand="best",
    dealer_hand="dealer_high",
    outcome="outcome",
    qualifies=double_has_action,
    progressive=ProgressiveHand(progressive_row, CATEGORIES),
    families=("six-card-pai-gow",),
    schemas=(
        Schema("six-card-pai-gow", "fortune", "odds", FORTUNE_SCHEMA, envy=True),
        Schema("six-card-pai-gow", "insurance", "odds", ("8", "9", "10", "jack", "queen", "king")),
        Schema("six-card-pai-gow", "progressive", "progressive", FORTUNE_SCHEMA),
    ),
    options=(
        house.switch("double_down_for_less", False, "A player may double for less than the base wager.", "PGD-1"),
        house.number("positions", 7, 2, 7, "How many positions get a packet, the dealer's included.", "PG-3"),
        house.number("dealer_position", 1, 1, 7, "Where the dealer sits in the count of positions.", "PG-3"),
        *house.progressive_options(house.folded_qualifies("CSP-A1")),
        house.ENVY_SCALES,
    ),
    reconcile=("base", "double_down", "fortune", "fortune_envy", "insurance", "progressive"),
    later=(("fortune_envy",), ("insurance",)),
    by_positions=True,
    shuffler=(Mode("six-card-pai-gow", "6 Card Fortune Pai Gow", shows=("packets", "start_position")),),
    method=(
        "Every hand of the player in every setting is set against every hand of the dealer, set the house way: how many "
        "lose, push and win is found by inclusion and exclusion over the cards already dealt."
    ),
    solver="six-card-pai-gow",
    example_hands={
        "Five aces": "As Ac Ad Ah Jk 9s",
        "Royal flush": "As Ks Qs Js Ts 4d",
        "Straight flush": "9h 8h 7h 6h 5h Kc",
        "Four of a kind": "Kc Kd Kh Ks 4d 7c",
    },
    rule_card=RULE_CARD,
)
