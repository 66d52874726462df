"""What both versions of Straight Edge Poker share (clauses SE and SEB): insurance and the Two Way Bad Beat."""

from __future__ import annotations

from typing import Final

from houseway.cards import rank_of, suit_of
from houseway.games import options as house
from houseway.games.model import (
    Choice,
    Decide,
    Hand,
    Mode,
    Option,
    ProgressiveHand,
    RuleLine,
    RuleSection,
    Stake,
    Wager,
    Zone,
)
from houseway.games.rules import returned_to
from houseway.paytables import Schema
from houseway.ranking.ranking import Ranking
from houseway.ranking.runs import length
from houseway.rule import Ints, rule

PLAYER_CARDS: Final = 7
MOST_SPOTS: Final = 6
LONGEST: Final = 7
LENGTH_HANDS: Final = tuple(str(cards) for cards in range(LONGEST + 1))
"""Rows by number of cards, for lengths and for margins."""
INSURANCE_HANDS: Final = ("no_two_card_straight",)
BAD_BEAT_HANDS: Final = ("7", "6", "5", "4")
DECIDE: Final = "decide"


@rule
def is_single(player: int) -> bool:
    """SE-3: the longest run is one card."""
    return length(player) == 1


@rule
def insurance_returned(player: int, insurance: int, num: Ints, den: Ints) -> int:
    """SE-3: what Insurance gives back."""
    if is_single(player):
        return returned_to(insurance, 0, num, den)
    return 0


@rule
def length_returned(player: int, stake: int, num: Ints, den: Ints) -> int:
    """SE1-9, SE2-7: what a wager on the length of the player's own run gives back."""
    return returned_to(stake, length(player), num, den)


@rule
def margin(player: int, dealer: int) -> int:
    """SE-4: by how many cards the player's run is longer."""
    return length(player) - length(dealer)


@rule
def bad_beat_row(player: int, dealer: int) -> int:
    """SEB-1, SEB-2: the length of the lower of two runs of four or more; 0 for a tie or where one is shorter."""
    lower = min(player, dealer)
    if length(lower) < 4 or player == dealer:
        return 0
    return length(lower)


SHARED_SCHEMAS: Final = (
    Schema("straight-edge", "insurance", "odds", INSURANCE_HANDS),
    Schema("straight-edge", "progressive", "progressive", BAD_BEAT_HANDS),
)


def progressive_options() -> tuple[Option, ...]:
    """The progressive's house options at Straight Edge."""
    return (*house.progressive_options(house.folded_qualifies("SEB-A1")), house.ENVY_SCALES)


SHARED_RULES: Final = (
    RuleLine("One deck of 52 cards in packets of seven. Suits do not matter; a second card of a rank neither helps nor "
             "hurts.", ("SE-1",)),
    RuleLine("The longer run of consecutive ranks wins; equal runs are compared by their ending card, the ace highest. "
             "Of several longest runs the one with the highest ending card counts.", ("SE-2",)),
    RuleLine("No two ranks in sequence is a one-card straight.", ("SE-4",)),
)  # fmt: skip
INSURANCE_RULE: Final = RuleLine("Insurance wins 25 to 1 when the longest run is a single card.", ("SE-3",))
BAD_BEAT_RULES: Final = RuleSection(
    "Two Way Bad Beat progressive",
    (
        RuleLine("Wins when player and dealer both hold four cards or more in sequence and do not tie, whoever was "
                 "beaten.", ("SEB-1",)),
        RuleLine("Pays on the lower of the two hands.", ("SEB-2",)),
        RuleLine("Table TWBB-1 pays envy on the seven-card row; TWBB-2 has none.", ("SEB-3",)),
        RuleLine("Equal runs are a tie and lose this wager, also where the player wins copies.", ("SEB-A2",), fixed=True),
    ),
)  # fmt: skip


@rule
def three_in_a_row(player: int) -> bool:
    """A simple way to play: a run of three or more."""
    return length(player) >= 3


@rule
def number_of_bits(bits: int) -> int:
    """How many bits are set."""
    count = 0
    while bits > 0:
        count += bits & 1
        bits >>= 1
    return count


def cards_of_rank(key: str, *ranks: int) -> Hand:
    """How many cards of these ranks a spot holds."""

    def count(*cards: int) -> int:
        return sum(1 for card in cards if rank_of(card) in ranks)

    def bit(card: int) -> int:
        return 1 << 4 * ranks.index(rank_of(card)) + suit_of(card) if rank_of(card) in ranks else 0

    return Hand(key, Ranking(key, 0, count, number_of_bits, suits_matter=False, card_bit=bit), ("hand",))


def values(runs: Ranking) -> tuple[Hand, ...]:
    """The runs of the player and of the dealer."""
    return Hand("player", runs, ("hand",)), Hand("dealer", runs, ("dealers",))


def zones(dealer_cards: int) -> tuple[Zone, ...]:
    """Seven cards for a spot, and the dealer's."""
    return Zone("hand", "spot", PLAYER_CARDS), Zone("dealers", "dealer", dealer_cards)


def decision(times: int) -> tuple[Decide, ...]:
    """Fold, or a Play wager of so many times the Ante."""
    play = Choice("play", stakes=(Stake("play", of="ante", times=times),))
    return (Decide(DECIDE, (Choice("fold", folds=True), play), sample=three_in_a_row, left="fold"),)


def insurance(after_fold: str) -> Wager:
    """The Insurance wager."""
    return Wager(
        "insurance", "Insurance", "optional", insurance_returned, needs="ante", hands=INSURANCE_HANDS,
        after_fold=after_fold,
    )  # fmt: skip


PROGRESSIVE: Final = Wager("progressive", "Two Way Bad Beat progressive", "optional", needs="ante")
BAD_BEAT: Final = ProgressiveHand(bad_beat_row, ("", *LENGTH_HANDS[1:]))
SHUFFLER: Final = (Mode("straight-edge", "Straight Edge"),)
METHOD: Final = (
    "Suits do not matter, so every set of ranks the player can hold is set against every set the dealer can then hold, "
    "each with its number of cases. A hand is played where that is worth more on average than the fold."
)
MISSES: Final = "also looks at the cards outside the run"
"""What the rules of thumb leave out."""
EXAMPLE_HANDS: Final = {"Seven in a row": "As Ks Qs Js Ts 9s 8s", "Five in a row": "9c 8d 7h 6s 5c Kd 2h"}
