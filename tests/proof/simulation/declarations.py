"""Games that are declared for tests alone: High Card Flip, and one with two decisions, a shared board and a dealer."""

from __future__ import annotations

from functools import cache
from typing import Final

from houseway.cards import RANK_NAMES, rank_of, suit_of
from houseway.games import options as house
from houseway.games.model import (
    Choice,
    Decide,
    Game,
    Hand,
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
from houseway.paytables import Book, Schema, read
from houseway.ranking import three_card
from houseway.ranking.ranking import by_rule
from houseway.rule import Ints, rule

FOLD: Final = Choice("fold", folds=True)
CARD: Final = (RuleSection("The game", (RuleLine("As the tests declare it.", ("HF-1",)),)),)


# ------------------------------------------------------------------------------------------------ High Card Flip

TWIN_HANDS: Final = ("", "other_colour", "same_colour")
HIGH_CARD: Final = by_rule(rank_of, 1, RANK_NAMES.__getitem__)


@rule
def flip_returned(player: int, dealer: int, stake: int, equal_cards: int) -> int:
    """HF-3: what the Ante, or the Play wager, of a card that was not folded gives back."""
    if player > dealer:
        return even_money(stake)
    if player == dealer and equal_cards == 0:
        return stake
    return 0


@rule
def twin_row(a: int, b: int) -> int:
    """HF-4: two cards of one rank, told apart by colour; 0 for all others."""
    if rank_of(a) != rank_of(b):
        return 0
    red = suit_of(a) == 1 or suit_of(a) == 2
    other_red = suit_of(b) == 1 or suit_of(b) == 2
    return 2 if red == other_red else 1


@rule
def twin_returned(twins: int, twin: int, num: Ints, den: Ints) -> int:
    """HF-4: what Twin gives back."""
    return returned_to(twin, twins, num, den)


@rule
def eight_or_better(player: int) -> bool:
    return player >= 8


HIGH_CARD_FLIP: Final = Game(
    key="high-card-flip",
    title="High Card Flip",
    document="CONTRIBUTING.md",
    most_spots=7,
    zones=(Zone("card", "spot", 1), Zone("dealers", "dealer", 1)),
    values=(
        Hand("player", HIGH_CARD, ("card",)),
        Hand("dealer", HIGH_CARD, ("dealers",)),
        Hand("twins", by_rule(twin_row, 2), ("card", "dealers")),
    ),
    flow=(
        Decide(
            "decide", (FOLD, Choice("play", stakes=(Stake("play", of="ante"),))), sample=eight_or_better, left="fold"
        ),
    ),
    base=("ante", "play"),
    wagers=(
        Wager("ante", "Ante", "required", flip_returned),
        Wager("twin", "Twin", "optional", twin_returned, needs="ante", hands=TWIN_HANDS, after_fold="stays"),
        Wager("play", "Play", "follows", flip_returned),
    ),
    outcome="ante",
    families=("high-card-flip",),
    schemas=(Schema("high-card-flip", "twin", "odds", ("same_colour", "other_colour")),),
    options=(house.choice("equal_cards", ("push", "lose"), "Ante and Play on cards of one rank.", "HF-3"),),
    reconcile=("ante", "play", "twin"),
    thumbs=(Thumb("play every card", {"decide": always}),),
    rule_card=CARD,
)


# ------------------------------------------------------------------------------------------------ two decisions


@rule
def street_returned(player: int, dealer: int, stake: int, equal_hands: int) -> int:
    """What Ante and street wagers give back; the dealer needs a jack."""
    if dealer < 11 << 8 or (player == dealer and equal_hands == 0):
        return stake
    if player > dealer:
        return even_money(stake)
    return 0


@rule
def board_returned(turned: int, player: int, board_bet: int, num: Ints, den: Ints) -> int:
    """A wager on the two board cards, paid double where the hand is a pair."""
    paid = returned_to(board_bet, turned, num, den)
    if three_card.category(player) >= three_card.PAIR:
        paid += paid
    return paid


@rule
def pair_of_two(a: int, b: int) -> int:
    return 1 if rank_of(a) == rank_of(b) else 0


@rule
def first_bonus(player: int, ante: int) -> int:
    """An award for three of a kind."""
    return 5 * ante if three_card.category(player) == three_card.THREE_OF_A_KIND else 0


@rule
def by_own_card(own_rank: int) -> int:
    """Fold a low card, check a middle one, bet with the rest."""
    return 2 if own_rank >= 12 else 1 if own_rank >= 6 else 0


@rule
def check_always() -> int:
    return 1


@rule
def by_two_cards(two: int) -> int:
    """Fold, once, or with a pair three times."""
    return 2 if two > 100 else 1 if two % 3 else 0


@rule
def sum_of_two(a: int, b: int) -> int:
    return 100 + rank_of(a) if rank_of(a) == rank_of(b) else rank_of(a) + rank_of(b)


@rule
def an_ace_or_a_pair(two: int) -> bool:
    return two > 100 or two >= 14


@rule
def pair_row(player: int, dealer: int) -> int:
    return 1 if three_card.category(min(player, dealer)) >= three_card.PAIR else 0


TWO_STREETS: Final = Game(
    key="two-streets",
    title="Two Streets",
    document="the tests",
    most_spots=6,
    zones=(Zone("own", "spot", 1), Zone("dealers", "dealer", 1), Zone("board", "table", 2)),
    values=(
        Hand("player", three_card.THREE_CARDS, ("own", "board")),
        Hand("dealer", three_card.THREE_CARDS, ("dealers", "board")),
        Hand("own_rank", by_rule(rank_of, 1), ("own",)),
        Hand("two", by_rule(sum_of_two, 2), ("own", ("board", 0))),
        Hand("turned", by_rule(pair_of_two, 2), ("board",)),
    ),
    flow=(
        Decide(
            "first",
            (FOLD, Choice("check"), Choice("bet", stakes=(Stake("street", of="ante", times=2),))),
            sample=by_own_card,
            left="fold",
        ),
        Reveal("board", (0,)),
        Decide(
            "second",
            (
                FOLD,
                *multiples("street", "ante", 1),
                *multiples("street", "ante", 3, when=an_ace_or_a_pair),
                Choice("surrender", takes_back="ante"),
            ),
            sample=by_two_cards,
            left="fold",
            unless=("street",),
        ),
        Reveal("board", (1,)),
    ),
    base=("ante", "street", "first_bonus"),
    wagers=(
        Wager("ante", "Ante", "required", street_returned),
        Wager("street", "Street", "follows", street_returned),
        Wager("first_bonus", "First Bonus", "award", first_bonus, of="ante"),
        Wager(
            "board_bet",
            "Board",
            "optional",
            board_returned,
            needs="ante",
            hands=("", "pair"),
            after_fold="folded_keeps",
        ),
        Wager("progressive", "Progressive", "optional", needs="ante"),
    ),
    outcome="ante",
    progressive=ProgressiveHand(pair_row, ("", "pair")),
    families=("two-streets",),
    schemas=(
        Schema("two-streets", "board_bet", "odds", ("pair",)),
        Schema("two-streets", "progressive", "progressive", ("pair",)),
    ),
    options=(
        house.choice("equal_hands", ("push", "lose"), "Equal hands.", "TS-1"),
        house.switch("folded_keeps", False, "A folded hand keeps its Board wager.", "TS-2"),
        *house.progressive_options(house.folded_qualifies("TS-3")),
    ),
    reconcile=("ante", "street", "first_bonus", "board_bet", "progressive"),
    thumbs=(Thumb("always check, then bet once", {"first": check_always, "second": always}),),
    rule_card=CARD,
)

TABLES: Final = """
[[paytable]]
game = "high-card-flip"
wager = "twin"
id = "A"
pays = "to"
rows = { same_colour = "15", other_colour = "6" }
[[paytable]]
game = "two-streets"
wager = "board_bet"
id = "A"
pays = "to"
rows = { pair = "7/2" }
"""


@cache
def book() -> Book:
    """The pay tables of these games."""
    schemas = [*HIGH_CARD_FLIP.schemas, *TWO_STREETS.schemas]
    tables, defects = read(TABLES, "tables of the tests", schemas, approved=True)
    if defects:
        raise ValueError(f"{defects[0].where}: {defects[0].what}")
    return tables
