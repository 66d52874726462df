"""Ultimate Texas Hold'em with Trips: one Play wager, the sooner the larger, against the dealer's seven (clauses UT)."""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, JACK, KING, QUEEN, TEN, rank_of, suit_of
from houseway.games import five_card_link
from houseway.games import options as house
from houseway.games.draws import has_run, needs_one, rank_bit
from houseway.games.model import (
    PUBLIC_RULES,
    Choice,
    Decide,
    Game,
    Hand,
    LiteratureFigure,
    Reveal,
    RuleLine,
    RuleSection,
    Thumb,
    Wager,
    Zone,
    multiples,
)
from houseway.games.rules import even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking import five_card
from houseway.ranking.poker import CATEGORIES, PAIR, STRAIGHT, THREE_OF_A_KIND, category
from houseway.ranking.ranking import by_rule
from houseway.ranking.two_card import TWO_CARDS, high_rank, is_pair, is_suited, low_rank
from houseway.rule import Ints, rule

HANDS: Final = CATEGORIES[:10]
THREE_OR_FOUR: Final = 0
"""The first value of the option preflop_multiples."""
FOUR_TIMES: Final = 2
"""The place of the choice 4x."""
MOST_OUTS: Final = 20
"""With as many cards that would beat the spot, or fewer, the published strategy still plays."""


@rule
def dealer_qualifies(dealer: int) -> bool:
    """UT-7: a pair or better; one that lies on the board is enough."""
    return dealer >= PAIR << 20


@rule
def ante_returned(player: int, dealer: int, ante: int) -> int:
    """UT-8, UT-9, UT-10: what the Ante of a hand that was not folded gives back."""
    if not dealer_qualifies(dealer) or player == dealer:
        return ante
    return even_money(ante) if player > dealer else 0


@rule
def play_returned(player: int, dealer: int, play: int) -> int:
    """UT-9, UT-10: what the Play wager gives back."""
    if player == dealer:
        return play
    return even_money(play) if player > dealer else 0


@rule
def blind_returned(player: int, dealer: int, blind: int, num: Ints, den: Ints) -> int:
    """UT-9, UT-10, UT-11: a better hand pays by the table and pushes below its last row."""
    if player > dealer and den[category(player)] != 0:
        return returned_to(blind, category(player), num, den)
    return blind if player >= dealer else 0


@rule
def trips_returned(player: int, trips: int, num: Ints, den: Ints) -> int:
    """UT-12: the spot's best five, whatever the dealer holds."""
    return returned_to(trips, category(player), num, den)


@rule
def three_is_open(preflop_multiples: int) -> bool:
    """UT-3: whether the house allows three times the Ante beside four."""
    return preflop_multiples == THREE_OR_FOUR


@rule
def link_row(link_hand: int) -> int:
    """FV-1: the spot's two cards and the first three community cards."""
    return category(link_hand)


# ------------------------------------------------------------------------------------------------ the published strategy


@rule
def worth_four_times(pocket: int) -> bool:
    """Threes and better; any ace; kings, queens and jacks from a rank on that is lower with one suit."""
    high = high_rank(pocket)
    low = low_rank(pocket)
    if is_pair(pocket):
        return high >= 3
    if is_suited(pocket):
        return high >= KING or (high == QUEEN and low >= 6) or (high == JACK and low >= 8)
    return high == ACE or (high == KING and low >= 5) or (high == QUEEN and low >= 8) or (high == JACK and low == TEN)


@rule
def preflop_choice(pocket: int) -> int:
    return FOUR_TIMES if worth_four_times(pocket) else 0


@rule
def flop_choice(a: int, b: int, c: int, d: int, e: int) -> int:
    """Two pair or better, a pair of one's own but deuces, or four of a suit with a ten or better in the hand."""
    x, y = rank_of(a), rank_of(b)
    board = rank_bit(c) | rank_bit(d) | rank_bit(e)
    if x == y:
        return 1 if x > 2 or board & 1 << x else 0
    if board & (1 << x | 1 << y):
        return 1
    if has_run(board | 1 << x | 1 << y):
        return 1
    for suit in range(4):
        shared = (suit_of(c) == suit) + (suit_of(d) == suit) + (suit_of(e) == suit)
        own = (suit_of(a) == suit) + (suit_of(b) == suit)
        best = max(x if suit_of(a) == suit else 0, y if suit_of(b) == suit else 0)
        if own and (shared + own >= 5 or (shared + own == 4 and best >= TEN)):
            return 1
    return 0


@rule
def dealer_outs(mask: int, counts: int, visible: int, own_high: int, flush_suit: int) -> int:
    """How many single cards would beat a hand that has nothing of its own: by rank, in view and on the board."""
    outs = 0
    lowest = 0
    for rank in range(2, 15):
        if counts >> 4 * rank & 15 == 1 and lowest == 0:
            lowest = rank
    kicker = max(own_high, lowest)
    run = needs_one(mask)
    for rank in range(2, 15):
        left = 4 - (visible >> 4 * rank & 15)
        on_board = counts >> 4 * rank & 15
        if on_board or rank > kicker or (run and has_run(mask | 1 << rank)):
            outs += left
        elif flush_suit and left:
            outs += 1
    return outs


@rule
def river_choice(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """A pair of one's own or better, or at most twenty single cards of the dealer's that would win."""
    x, y = rank_of(a), rank_of(b)
    board = rank_bit(c) | rank_bit(d) | rank_bit(e) | rank_bit(f) | rank_bit(g)
    if x == y or board & (1 << x | 1 << y):
        return 1
    if has_run(board | 1 << x | 1 << y) and not has_run(board):
        return 1
    flush_suit = 0
    for suit in range(4):
        shared = (suit_of(c) == suit) + (suit_of(d) == suit) + (suit_of(e) == suit)
        shared += (suit_of(f) == suit) + (suit_of(g) == suit)
        own = (suit_of(a) == suit) + (suit_of(b) == suit)
        if shared + own >= 5 and own:
            return 1
        if shared == 4:
            flush_suit = 1
    counts = 1 << 4 * rank_of(c)
    counts += 1 << 4 * rank_of(d)
    counts += 1 << 4 * rank_of(e)
    counts += 1 << 4 * rank_of(f)
    counts += 1 << 4 * rank_of(g)
    visible = counts + (1 << 4 * x) + (1 << 4 * y)
    return 1 if dealer_outs(board, counts, visible, max(x, y), flush_suit) <= MOST_OUTS else 0


@rule
def play_flop(plan_on_the_flop: int) -> int:
    return plan_on_the_flop


@rule
def play_river(plan_at_the_end: int) -> int:
    return plan_at_the_end


FOLD: Final = Choice("fold", folds=True)
CHECK: Final = Choice("check")

GAME: Final = Game(
    key="ultimate-texas-holdem",
    title="Ultimate Texas Hold'em",
    document=PUBLIC_RULES,
    most_spots=6,
    zones=(Zone("hole", "spot", 2), Zone("dealers", "dealer", 2), Zone("board", "table", 5)),
    values=(
        Hand("player", five_card.BEST_OF_SEVEN, ("hole", "board")),
        Hand("dealer", five_card.BEST_OF_SEVEN, ("dealers", "board")),
        Hand("pocket", TWO_CARDS, ("hole",)),
        Hand("link_hand", five_card.FIVE_CARDS, ("hole", ("board", 0, 1, 2))),
        Hand("plan_on_the_flop", by_rule(flop_choice, 5), ("hole", ("board", 0, 1, 2))),
        Hand("plan_at_the_end", by_rule(river_choice, 7), ("hole", "board")),
    ),
    flow=(
        Decide(
            "preflop",
            (CHECK, *multiples("play", "ante", 3, when=three_is_open), *multiples("play", "ante", 4)),
            sample=preflop_choice,
            left="check",
            label="Two cards",
        ),
        Reveal("board", (0, 1, 2), "Flop"),
        Decide(
            "flop", (CHECK, *multiples("play", "ante", 2)), sample=play_flop, left="check", unless=("play",), label="Flop"
        ),
        Reveal("board", (3, 4), "Turn and river"),
        Decide(
            "river",
            (FOLD, *multiples("play", "ante", 1)),
            sample=play_river,
            left="fold",
            unless=("play",),
            label="River",
        ),
    ),
    base=("ante", "blind", "play"),
    wagers=(
        Wager("ante", "Ante", "required", ante_returned),
        Wager("blind", "Blind", "required", blind_returned, equals="ante", hands=HANDS, against_dealer=True),
        Wager("play", "Play", "follows", play_returned),
        Wager(
            "trips",
            "Trips",
            "optional",
            trips_returned,
            needs="ante",
            hands=HANDS,
            after_fold="folded_keeps_trips",
            judged_on="the spot's best five of seven",
        ),
        Wager("progressive", "Progressive", "optional", needs="ante"),
    ),
    outcome="play",
    qualifies=dealer_qualifies,
    progressive=five_card_link.five_cards(link_row),
    families=("ultimate-texas-holdem", five_card_link.FAMILY),
    schemas=(
        Schema("ultimate-texas-holdem", "blind", "odds", tuple(reversed(HANDS[STRAIGHT:]))),
        Schema("ultimate-texas-holdem", "trips", "odds", tuple(reversed(HANDS[THREE_OF_A_KIND:]))),
        five_card_link.SCHEMA,
    ),
    options=(
        house.choice("preflop_multiples", ("3 or 4", "4"), "The Play wager on two cards, times the Ante.", "UT-3"),
        house.switch("folded_keeps_trips", True, "A folded hand keeps its Trips.", "UT-A1"),
        *house.progressive_options(house.folded_qualifies("FV-3")),
    ),
    reconcile=("play", "ante", "blind", "trips", "progressive"),
    call_does_not_play='"dealer does not qualify"',
    method=(
        "On every board, up to renamed suits, all pairs of cards are put in order once: how many of the dealer's pairs "
        "lose, tie and win follows from the places. The wager that is worth most on average is made at the end, after "
        "three community cards, and on two cards, in that order."
    ),
    thumbs=(
        Thumb(
            "the published strategy in three steps",
            {"preflop": preflop_choice, "flop": play_flop, "river": play_river},
            in_full="Two cards: play four times with threes or better, any ace, a king of one suit or with a five, a "
            "queen with a six of its suit or any eight, a jack with an eight of its suit or any ten. Three community "
            "cards: play twice with a straight or a flush, with a card that pairs the board, with a pocket pair above deuces, or "
            "with four of one suit when you hold a ten or better of it. All five: play once with a pair, straight or "
            "flush that the board alone does not have, or when at most 20 single cards would beat you. Otherwise check, "
            "and at the end fold",
        ),
    ),
    published=(
        LiteratureFigure(
            *("base", "A"),
            house_edge="2.185%",
            element_of_risk="0.53%",
            average_bet="4.15",
            standard_deviation="4.94",
        ),
        LiteratureFigure("trips", "A", house_edge="0.90%"),
        LiteratureFigure("trips", "B", house_edge="1.90%"),
        LiteratureFigure("trips", "C", house_edge="3.50%"),
        LiteratureFigure("trips", "D", house_edge="6.18%"),
    ),
    example_hands={"Pair of aces": "As Ad", "Ace and king of one suit": "Ah Kh", "Seven and deuce": "7d 2c"},
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("Two cards for every spot and the dealer, five community cards, all face down.", ("UT-1",)),
                RuleLine("Ante and Blind are required and equal; Trips and Progressive may go beside them, all before "
                         "the deal.", ("UT-2",)),
                RuleLine("With two cards a spot checks, or makes a Play wager of 3 or 4 times its Ante (the house may "
                         "allow 4 alone).", ("UT-3",)),
                RuleLine("Three community cards are turned; a spot without a Play wager checks, or plays 2 Antes.",
                         ("UT-4",)),
                RuleLine("The last two are turned together; a spot without a Play wager plays 1 Ante, or folds Ante "
                         "and Blind. One Play wager a round.", ("UT-5", "UT-6")),
                RuleLine("The best five of seven cards count. The dealer qualifies with a pair, also one on the board.",
                         ("UT-7",)),
                RuleLine("If the dealer does not qualify, every Ante still in play comes back.", ("UT-8",)),
                RuleLine("The better hand wins: Play and Ante 1 to 1, the Blind from its table; below the table's last "
                         "row the Blind comes back.", ("UT-9", "UT-11")),
                RuleLine("Equal hands give Ante, Play and Blind back. A worse hand loses them, the Ante only where the "
                         "dealer qualifies.", ("UT-10",)),
                RuleLine("Settled from the dealer's right: Play, Ante, Blind, Trips, Progressive.", ("UT-13",)),
            ),
        ),
        RuleSection(
            "Side wagers",
            (
                RuleLine("Trips is judged on the spot's best five of seven, three of a kind or better, whatever the "
                         "dealer holds.", ("UT-12",)),
                RuleLine("A folded hand keeps its Trips, unless the house says otherwise.", ("UT-A1",)),
                RuleLine("Progressive is judged on the two cards and the first three community cards.", ("FV-1",)),
                RuleLine("Cover All is approved for this game too; it is left out until a house brings its pay table.",
                         ("UT-2",)),
            ),
        ),
    ),
)  # fmt: skip
