"""Four games with a shared board, declared from their clauses (MS, LR, UT, HB), to test the board kernels with."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from houseway.cards import ACE, JACK, KING, QUEEN, TEN, rank_of, suit_of
from houseway.games import options as house
from houseway.games.model import (
    Choice,
    Decide,
    Game,
    Hand,
    Option,
    ProgressiveHand,
    Reveal,
    RuleLine,
    RuleSection,
    Stake,
    Thumb,
    Wager,
    Zone,
    multiples,
)
from houseway.games.rules import always, even_money, returned_to
from houseway.paytables import Book, PayTable, Schema, read
from houseway.ranking import five_card, three_card
from houseway.ranking.poker import CATEGORIES, HIGH_CARD, PAIR, STRAIGHT, THREE_OF_A_KIND, category, first_rank
from houseway.ranking.ranking import by_rule
from houseway.rule import Ints, rule

PROGRESSIVE_HANDS: Final = tuple(reversed(CATEGORIES[2:10]))
FOLD: Final = Choice("fold", folds=True)
CHECK: Final = Choice("check")


# ------------------------------------------------------------------------------------------------ two cards


@rule
def value_of_pocket(a: int, b: int) -> int:
    """Two cards: a pair above everything, then the higher rank, the lower one, and whether they are of one suit."""
    high = max(rank_of(a), rank_of(b))
    low = min(rank_of(a), rank_of(b))
    if high == low:
        return 1 << 12 | high << 8
    return high << 8 | low << 4 | (1 if suit_of(a) == suit_of(b) else 0)


POCKET: Final = by_rule(value_of_pocket, 2)


@rule
def a_pair_or_a_jack(pocket: int) -> bool:
    return pocket >= JACK << 8


@rule
def a_pair_or_an_ace(pocket: int) -> bool:
    return pocket >= ACE << 8


@rule
def progressive_row(player: int) -> int:
    """FV-1: the five cards of the hand."""
    return category(player)


LINK: Final = Schema("five-card-link", "progressive", "progressive", PROGRESSIVE_HANDS)


# ------------------------------------------------------------------------------------------------ three card bonus

MINI_ROYAL: Final = 6
THREE_CARD_ROWS: Final = (*three_card.CATEGORIES, "mini_royal")
THREE_CARD_HANDS: Final = ("mini_royal", *reversed(three_card.CATEGORIES[1:]))


@rule
def three_card_row(three: int) -> int:
    """A straight flush to the ace is a row of its own, where the table has one."""
    if three_card.category(three) == three_card.STRAIGHT_FLUSH and three >> 8 & 15 == ACE:
        return MINI_ROYAL
    return three_card.category(three)


@rule
def three_card_bonus_returned(three: int, three_card_bonus: int, num: Ints, den: Ints) -> int:
    """MS-9, LR-7: a straight flush to the ace pays as any other where the table has no row for it."""
    row = three_card_row(three)
    if row == MINI_ROYAL and den[row] == 0:
        row = three_card.STRAIGHT_FLUSH
    return returned_to(three_card_bonus, row, num, den)


# ------------------------------------------------------------------------------------------------ Mississippi Stud

STUD_ROWS: Final = ("", "pair_of_sixes_to_tens", "pair_of_jacks_or_better", *CATEGORIES[2:10])


@rule
def stud_row(player: int) -> int:
    """MS-7: a pair pays from jacks up and pushes from sixes up."""
    if category(player) == PAIR:
        rank = first_rank(player)
        return 2 if rank >= JACK else 1 if rank >= 6 else 0
    return 0 if category(player) == HIGH_CARD else category(player) + 1


@rule
def stud_returned(player: int, stake: int, num: Ints, den: Ints) -> int:
    """MS-7: Ante and every street wager pay by the one hand."""
    return returned_to(stake, stud_row(player), num, den)


@rule
def a_made_pair(third: int) -> int:
    """Three times the Ante with a pair, once with two jacks or better, fold the rest: of three cards."""
    if third >= three_card.PAIR << 12:
        return 3
    return 1 if third >= JACK << 8 else 0


def _street(key: str, label: str) -> Wager:
    return Wager(key, label, "follows", stud_returned, hands=STUD_ROWS, table="base")


MISSISSIPPI_STUD: Final = Game(
    key="mississippi-stud",
    title="Mississippi Stud",
    document="public rules",
    most_spots=7,
    zones=(Zone("hole", "spot", 2), Zone("board", "table", 3)),
    values=(
        Hand("player", five_card.FIVE_CARDS, ("hole", "board")),
        Hand("pocket", POCKET, ("hole",)),
        Hand("third", three_card.THREE_CARDS, ("hole", ("board", 0))),
        Hand("three", three_card.THREE_CARDS, ("board",)),
    ),
    flow=(
        Decide(
            "third",
            (FOLD, *multiples("third_street", "ante", 1, 2, 3)),
            sample=a_pair_or_a_jack,
            left="fold",
            label="3rd Street",
        ),
        Reveal("board", (0,), "3rd Street card"),
        Decide("fourth", (FOLD, *multiples("fourth_street", "ante", 1, 2, 3)), sample=always, left="fold"),
        Reveal("board", (1,), "4th Street card"),
        Decide("fifth", (FOLD, *multiples("fifth_street", "ante", 1, 2, 3)), sample=always, left="fold"),
        Reveal("board", (2,), "5th Street card"),
    ),
    base=("ante", "third_street", "fourth_street", "fifth_street"),
    wagers=(
        Wager("ante", "Ante", "required", stud_returned, hands=STUD_ROWS, table="base"),
        _street("third_street", "3rd Street"),
        _street("fourth_street", "4th Street"),
        _street("fifth_street", "5th Street"),
        Wager(
            "three_card_bonus",
            "3 Card Bonus",
            "optional",
            three_card_bonus_returned,
            needs="ante",
            hands=THREE_CARD_ROWS,
            after_fold="stays",
            judged_on="the three community cards",
        ),
        Wager("progressive", "Progressive", "optional", needs="ante"),
    ),
    dealer_hand="",
    outcome="ante",
    progressive=ProgressiveHand(progressive_row, CATEGORIES),
    families=("mississippi-stud", "five-card-link"),
    schemas=(
        Schema("mississippi-stud", "base", "odds", tuple(reversed(STUD_ROWS[1:])), pushes=True),
        Schema("mississippi-stud", "three_card_bonus", "odds", THREE_CARD_HANDS),
        LINK,
    ),
    options=(
        Option(
            "straight_pays",
            4,
            "4 or 5",
            lambda value: type(value) is int and value in (4, 5),
            "What a straight pays: table standard or straight-5.",
            ("MS-8",),
        ),
        *house.progressive_options(house.folded_qualifies("MS-A1")),
    ),
    reconcile=("ante", "third_street", "fourth_street", "fifth_street", "three_card_bonus", "progressive"),
    thumbs=(
        Thumb("pairs three times, a jack once, to the end", {"third": a_pair_or_a_jack, "fourth": a_made_pair}),
        Thumb("never look at the community cards", blind_to="board"),
    ),
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("Two cards each and three community cards; there is no dealer's hand.", ("MS-1",)),
                RuleLine("An Ante is required; 3 Card Bonus and Progressive are optional.", ("MS-2",)),
                RuleLine(
                    "With two cards, with the first and with the second community card a player folds, or wagers 1, 2 "
                    "or 3 times the Ante.",
                    ("MS-3", "MS-4", "MS-5"),
                ),
                RuleLine("A fold loses everything wagered on the base game.", ("MS-6",)),
                RuleLine(
                    "All wagers pay by the five cards; a pair of sixes to tens pushes, anything less loses.", ("MS-7",)
                ),
                RuleLine("A straight pays 4 or, where the house says so, 5 to 1.", ("MS-8",)),
                RuleLine("3 Card Bonus is judged on the community cards and stays in play after a fold.", ("MS-9",)),
                RuleLine("Players do not show each other their cards.", ("MS-10",)),
                RuleLine("Settled from the dealer's right: base wagers, 3 Card Bonus, Progressive.", ("MS-11",)),
            ),
        ),
    ),
)


# ------------------------------------------------------------------------------------------------ Let It Ride

RIDE_ROWS: Final = ("", "pair_of_tens_or_better", *CATEGORIES[2:10])


@rule
def ride_row(player: int) -> int:
    """LR-6: a pair pays from tens up."""
    if category(player) == PAIR and first_rank(player) < TEN:
        return HIGH_CARD
    return category(player)


@rule
def ride_returned(player: int, stake: int, num: Ints, den: Ints) -> int:
    """LR-6: every wager left pays by the hand."""
    return returned_to(stake, ride_row(player), num, den)


@rule
def a_pair_of_tens(three: int) -> bool:
    return three >= three_card.PAIR << 12 | TEN << 8


def _rides(wager: str) -> tuple[Choice, ...]:
    return Choice("take_back", takes_back=wager), Choice("ride", "Let it ride")


LET_IT_RIDE: Final = Game(
    key="let-it-ride",
    title="Let It Ride",
    document="public rules",
    most_spots=7,
    zones=(Zone("hand", "spot", 3), Zone("board", "table", 2)),
    values=(
        Hand("player", five_card.FIVE_CARDS, ("hand", "board")),
        Hand("three", three_card.THREE_CARDS, ("hand",)),
    ),
    flow=(
        Decide("first", _rides("bet_1"), sample=a_pair_of_tens, left="take_back"),
        Reveal("board", (0,), "First community card"),
        Decide("second", _rides("bet_2"), sample=a_pair_of_tens, left="take_back"),
        Reveal("board", (1,), "Second community card"),
    ),
    base=("bet_dollar", "bet_2", "bet_1"),
    wagers=(
        Wager("bet_1", "1", "required", ride_returned, equals="bet_dollar", hands=RIDE_ROWS, table="base"),
        Wager("bet_2", "2", "required", ride_returned, equals="bet_dollar", hands=RIDE_ROWS, table="base"),
        Wager("bet_dollar", "$", "required", ride_returned, hands=RIDE_ROWS, table="base"),
        Wager("three_card_bonus", "3 Card Bonus", "optional", three_card_bonus_returned, hands=THREE_CARD_ROWS),
        Wager("progressive", "Progressive", "optional"),
    ),
    dealer_hand="",
    outcome="bet_dollar",
    progressive=ProgressiveHand(progressive_row, CATEGORIES),
    families=("let-it-ride", "five-card-link"),
    schemas=(
        Schema("let-it-ride", "base", "odds", tuple(reversed(RIDE_ROWS[1:]))),
        Schema("let-it-ride", "three_card_bonus", "odds", THREE_CARD_HANDS),
        LINK,
    ),
    options=house.progressive_options(house.folded_qualifies("LR-5")),
    reconcile=("bet_dollar", "bet_2", "bet_1", "three_card_bonus", "progressive"),
    thumbs=(Thumb("ride with a pair of tens in three cards", {"first": a_pair_of_tens, "second": a_pair_of_tens}),),
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("Three cards each; the dealer burns one card and keeps two as community cards.", ("LR-1",)),
                RuleLine("Three equal wagers, 1, 2 and $, are required.", ("LR-2",)),
                RuleLine("With three cards a player takes wager 1 back or lets it ride.", ("LR-3",)),
                RuleLine("With the first community card the same for wager 2.", ("LR-4",)),
                RuleLine("Wager $ always stays; there is no fold.", ("LR-5",)),
                RuleLine("Every wager left pays by the five cards, from a pair of tens up.", ("LR-6",)),
                RuleLine("3 Card Bonus is judged on the spot's own three cards.", ("LR-7",)),
                RuleLine("A wager taken back is returned at once.", ("LR-8",)),
                RuleLine("Settled from the dealer's right: $, 2, 1, 3 Card Bonus, Progressive.", ("LR-9",)),
            ),
        ),
    ),
)


# ---------------------------------------------------------------------------------------------- Ultimate Texas Hold'em

BLIND_ROWS: Final = CATEGORIES[:10]
THREE_OR_FOUR: Final = 0
"""The first value of the option preflop_multiples."""


@rule
def dealer_has_a_pair(dealer: int) -> bool:
    """UT-7: a pair or better, one on the board included."""
    return dealer >= PAIR << 20


@rule
def ante_returned(player: int, dealer: int, ante: int) -> int:
    """UT-8, UT-9, UT-10."""
    if not dealer_has_a_pair(dealer) or player == dealer:
        return ante
    return even_money(ante) if player > dealer else 0


@rule
def play_returned(player: int, dealer: int, stake: int) -> int:
    """UT-9, UT-10; HB-7, HB-8: even money for the better hand."""
    if player == dealer:
        return stake
    return even_money(stake) if player > dealer else 0


@rule
def blind_returned(player: int, dealer: int, blind: int, num: Ints, den: Ints) -> int:
    """UT-9, UT-10: a better hand pays by the table, and pushes below its last row."""
    if player > dealer and den[category(player)] != 0:
        return returned_to(blind, category(player), num, den)
    return blind if player >= dealer else 0


@rule
def trips_returned(player: int, trips: int, num: Ints, den: Ints) -> int:
    """UT-12: whatever the dealer holds."""
    return returned_to(trips, category(player), num, den)


@rule
def three_is_open(preflop_multiples: int) -> bool:
    """UT-3."""
    return preflop_multiples == THREE_OR_FOUR


@rule
def four_with_a_pair_or_an_ace(pocket: int) -> int:
    return 2 if pocket >= ACE << 8 else 0


@rule
def two_pair_on_the_flop(link_hand: int) -> bool:
    return category(link_hand) > PAIR


@rule
def a_pair_at_the_end(player: int) -> bool:
    return category(player) >= PAIR


@rule
def link_row(link_hand: int) -> int:
    """FV-1: two cards and the first three community cards."""
    return category(link_hand)


ULTIMATE_TEXAS_HOLDEM: Final = Game(
    key="ultimate-texas-holdem",
    title="Ultimate Texas Hold'em",
    document="public rules",
    most_spots=6,
    zones=(Zone("hole", "spot", 2), Zone("dealers", "dealer", 2), Zone("board", "table", 5)),
    values=(
        Hand("player", five_card.BEST_OF_SEVEN, ("hole", "board")),
        Hand("dealer", five_card.BEST_OF_SEVEN, ("dealers", "board")),
        Hand("pocket", POCKET, ("hole",)),
        Hand("link_hand", five_card.FIVE_CARDS, ("hole", ("board", 0, 1, 2))),
    ),
    flow=(
        Decide(
            "preflop",
            (
                CHECK,
                *multiples("play", "ante", 3, when=three_is_open),
                *multiples("play", "ante", 4),
            ),
            sample=four_with_a_pair_or_an_ace,
            left="check",
        ),
        Reveal("board", (0, 1, 2), "Flop"),
        Decide("flop", (CHECK, *multiples("play", "ante", 2)), two_pair_on_the_flop, left="check", unless=("play",)),
        Reveal("board", (3, 4), "Turn and river"),
        Decide("river", (FOLD, *multiples("play", "ante", 1)), a_pair_at_the_end, left="fold", unless=("play",)),
    ),
    base=("ante", "blind", "play"),
    wagers=(
        Wager("ante", "Ante", "required", ante_returned),
        Wager("blind", "Blind", "required", blind_returned, equals="ante", hands=BLIND_ROWS),
        Wager("play", "Play", "follows", play_returned),
        Wager(
            "trips",
            "Trips",
            "optional",
            trips_returned,
            needs="ante",
            hands=BLIND_ROWS,
            after_fold="folded_keeps_trips",
            judged_on="the spot's best five of seven",
        ),
        Wager("progressive", "Progressive", "optional", needs="ante"),
    ),
    outcome="play",
    qualifies=dealer_has_a_pair,
    progressive=ProgressiveHand(link_row, CATEGORIES),
    families=("ultimate-texas-holdem", "five-card-link"),
    schemas=(
        Schema("ultimate-texas-holdem", "blind", "odds", tuple(reversed(BLIND_ROWS[STRAIGHT:]))),
        Schema("ultimate-texas-holdem", "trips", "odds", tuple(reversed(BLIND_ROWS[THREE_OF_A_KIND:]))),
        LINK,
    ),
    options=(
        house.choice("preflop_multiples", ("3 or 4", "4"), "The Play wager before the flop, times the Ante.", "UT-3"),
        house.switch("folded_keeps_trips", True, "A folded hand keeps its Trips.", "UT-A1"),
        *house.progressive_options(house.folded_qualifies("FV-3")),
    ),
    reconcile=("play", "ante", "blind", "trips", "progressive"),
    thumbs=(
        Thumb(
            "pairs and aces four times, two pair on the flop, a pair at the end",
            {"preflop": four_with_a_pair_or_an_ace, "flop": two_pair_on_the_flop, "river": a_pair_at_the_end},
        ),
        Thumb("pairs and aces four times, then the best", {"preflop": four_with_a_pair_or_an_ace}),
    ),
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("Five community cards; two cards for every spot and the dealer.", ("UT-1",)),
                RuleLine("Ante and Blind are required and equal.", ("UT-2",)),
                RuleLine("Before the flop a player checks, or plays 3 or 4 times the Ante.", ("UT-3",)),
                RuleLine("After the flop a player without a Play wager checks, or plays 2 times.", ("UT-4",)),
                RuleLine("At the end a player without one plays once, or folds Ante and Blind.", ("UT-5", "UT-6")),
                RuleLine("Best five of seven; the dealer qualifies with a pair.", ("UT-7",)),
                RuleLine("If the dealer does not qualify, the Ante pushes.", ("UT-8",)),
                RuleLine(
                    "The better hand wins Play and Ante 1 to 1 and the Blind from its table; below the table the "
                    "Blind pushes.",
                    ("UT-9", "UT-11"),
                ),
                RuleLine("Equal hands push; a worse hand loses.", ("UT-10",)),
                RuleLine("Trips is judged on the spot's hand alone.", ("UT-12",)),
                RuleLine("Settled from the dealer's right: Play, Ante, Blind, Trips, Progressive.", ("UT-13",)),
            ),
        ),
    ),
)


# ------------------------------------------------------------------------------------------------ Texas Hold'em Bonus


@rule
def bonus_ante_returned(player: int, dealer: int, ante: int, ante_pays_from: int) -> int:
    """HB-7, HB-8: the Ante of a better hand wins from the house's hand on and pushes below it."""
    if player > dealer and category(player) >= STRAIGHT + ante_pays_from:
        return even_money(ante)
    return ante if player >= dealer else 0


@rule
def bonus_row(pocket: int, dealer_pocket: int) -> int:
    """HB-9, from the rarest row on."""
    high = pocket >> 8 & 15
    low = pocket >> 4 & 15
    suited = pocket & 1
    if pocket >> 12 == 1:
        if high == ACE:
            return 8 if dealer_pocket == pocket else 7
        return 3 if high >= JACK else 1
    if high != ACE or low < JACK:
        return 0
    if low == KING:
        return 6 if suited else 4
    return 5 if suited else 2


@rule
def bonus_returned(pocket: int, dealer_pocket: int, bonus: int, num: Ints, den: Ints) -> int:
    return returned_to(bonus, bonus_row(pocket, dealer_pocket), num, den)


@rule
def a_queen_or_two_of_a_suit(pocket: int) -> bool:
    return pocket >= QUEEN << 8 or pocket & 1 == 1


BONUS_ROWS: Final = (
    *("", "tens_to_deuces", "ace_queen_or_jack", "kings_to_jacks", "ace_king", "ace_queen_or_jack_suited"),
    *("ace_king_suited", "aces", "both_aces"),
)

TEXAS_HOLDEM_BONUS: Final = Game(
    key="texas-holdem-bonus",
    title="Texas Hold'em Bonus",
    document="public rules",
    most_spots=6,
    zones=(Zone("hole", "spot", 2), Zone("dealers", "dealer", 2), Zone("board", "table", 5)),
    values=(
        Hand("player", five_card.BEST_OF_SEVEN, ("hole", "board")),
        Hand("dealer", five_card.BEST_OF_SEVEN, ("dealers", "board")),
        Hand("pocket", POCKET, ("hole",)),
        Hand("dealer_pocket", POCKET, ("dealers",)),
        Hand("on_the_flop", five_card.FIVE_CARDS, ("hole", ("board", 0, 1, 2))),
        Hand("on_the_turn", five_card.BEST_OF_SIX, ("hole", ("board", 0, 1, 2, 3))),
    ),
    flow=(
        Decide(
            "preflop",
            (FOLD, Choice("play", stakes=(Stake("flop", of="ante", times=2),))),
            sample=a_queen_or_two_of_a_suit,
            left="fold",
        ),
        Reveal("board", (0, 1, 2), "Flop"),
        Decide("turn_wager", (CHECK, Choice("bet", stakes=(Stake("turn", of="ante"),))), always, left="check"),
        Reveal("board", (3,), "Turn"),
        Decide("river_wager", (CHECK, Choice("bet", stakes=(Stake("river", of="ante"),))), always, left="check"),
        Reveal("board", (4,), "River"),
    ),
    base=("ante", "flop", "turn", "river"),
    wagers=(
        Wager("ante", "Ante", "required", bonus_ante_returned),
        Wager("flop", "Flop", "follows", play_returned),
        Wager("turn", "Turn", "follows", play_returned),
        Wager("river", "River", "follows", play_returned),
        Wager(
            "bonus",
            "Bonus",
            "optional",
            bonus_returned,
            needs="ante",
            hands=BONUS_ROWS,
            after_fold="stays",
            judged_on="the spot's two cards, and the dealer's two against a pair of aces",
        ),
    ),
    outcome="flop",
    families=("texas-holdem-bonus",),
    schemas=(Schema("texas-holdem-bonus", "bonus", "odds", tuple(reversed(BONUS_ROWS[1:]))),),
    options=(
        house.choice("ante_pays_from", ("straight", "flush"), "From which hand on a winning Ante pays 1 to 1.", "HB-7"),
    ),
    reconcile=("river", "turn", "flop", "ante", "bonus"),
    thumbs=(
        Thumb(
            "queens and suits, then every wager",
            {"preflop": a_queen_or_two_of_a_suit, "turn_wager": always, "river_wager": always},
        ),
    ),
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("Two cards for every spot and the dealer; the board comes as three, one and one.", ("HB-1",)),
                RuleLine("An Ante is required; Bonus is optional.", ("HB-2",)),
                RuleLine("With two cards a player folds, or makes a Flop wager of 2 times the Ante.", ("HB-3",)),
                RuleLine("After the flop and after the turn a wager equal to the Ante may be added.", ("HB-4", "HB-5")),
                RuleLine("Best five of seven; the dealer always plays.", ("HB-6",)),
                RuleLine(
                    "A better hand wins Flop, Turn and River 1 to 1, and the Ante from the house's hand on.", ("HB-7",)
                ),
                RuleLine("Equal hands push everything; a worse hand loses everything.", ("HB-8", "HB-A1")),
                RuleLine("Bonus is judged on the two cards and stays in play after a fold.", ("HB-9",)),
                RuleLine("Settled from the dealer's right: River, Turn, Flop, Ante, Bonus.", ("HB-10",)),
            ),
        ),
    ),
)

GAMES: Final = (MISSISSIPPI_STUD, LET_IT_RIDE, ULTIMATE_TEXAS_HOLDEM, TEXAS_HOLDEM_BONUS)


@cache
def book() -> Book:
    """The pay tables of the four games."""
    file = Path(__file__).with_name("paytables.toml")
    tables, defects = read(
        file.read_text(), file.name, [schema for game in GAMES for schema in game.schemas], approved=True
    )
    if defects:
        raise ValueError(f"{file.name}: {defects[0].where}: {defects[0].what}")
    return tables


def pay_tables(game: Game, **names: str) -> dict[str, PayTable]:
    """Tables by wager: those named, the first of its kind for every other wager of the game."""
    found: dict[str, PayTable] = {}
    for key in game.table_wagers:
        known = [table for table in book().of((game.key,), key) if table.id == names.get(key, table.id)]
        if known and isinstance(known[0], PayTable):
            found[key] = known[0]
    return found
