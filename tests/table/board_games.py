"""Two games with a shared board, as a third party would declare them; no other file knows of them.

River Stud has no dealer's hand and three decisions: Mississippi Stud's, with a pay rule of its own. Open Board has a
dealer with a card that is turned over between two decisions, a board that lies open in part from the deal on, a raise
that is open with a pair only, and a wager that can be taken back.
"""

from __future__ import annotations

from typing import Final

from houseway.cards import rank_of
from houseway.games import options as house
from houseway.games.model import Choice, Decide, Game, Hand, Reveal, RuleLine, RuleSection, Wager, Zone, multiples
from houseway.games.rules import even_money
from houseway.ranking.five_card import FIVE_CARDS
from houseway.ranking.poker import PAIR, TWO_PAIR, category, first_rank
from houseway.ranking.ranking import by_rule
from houseway.rule import rule

FOLD: Final = Choice("fold", folds=True)
CARD: Final = (RuleSection("The game", (RuleLine("A game of the tests.", ("T-1",)),)),)


@rule
def stud_returned(player: int, stake: int) -> int:
    """Two pair pay 2 to 1, a pair of jacks 1 to 1; a pair of sixes to tens comes back."""
    if category(player) >= TWO_PAIR:
        return 3 * stake
    if category(player) == PAIR and first_rank(player) > 10:
        return even_money(stake)
    if category(player) == PAIR and first_rank(player) > 5:
        return stake
    return 0


@rule
def stays_low() -> int:
    """One times the Ante, always."""
    return 1


RIVER_STUD: Final = Game(
    key="river-stud",
    title="River Stud",
    document="the tests",
    most_spots=6,
    zones=(Zone("hole", "spot", 2), Zone("board", "table", 3)),
    values=(Hand("player", FIVE_CARDS, ("hole", "board")),),
    flow=(
        Decide("third", (FOLD, *multiples("third", "ante", 1, 2, 3)), stays_low, "fold", label="3rd Street"),
        Reveal("board", (0,), "4th Street"),
        Decide("fourth", (FOLD, *multiples("fourth", "ante", 1, 2, 3)), stays_low, "fold", label="4th Street"),
        Reveal("board", (1,), "5th Street"),
        Decide("fifth", (FOLD, *multiples("fifth", "ante", 1, 2, 3)), stays_low, "fold", label="5th Street"),
    ),
    base=("ante", "third", "fourth", "fifth"),
    wagers=(
        Wager("ante", "Ante", "required", stud_returned),
        Wager("third", "3rd Street", "follows", stud_returned),
        Wager("fourth", "4th Street", "follows", stud_returned),
        Wager("fifth", "5th Street", "follows", stud_returned),
    ),
    dealer_hand="",
    outcome="ante",
    families=("river-stud",),
    schemas=(),
    options=(house.DECISION_TIMEOUT,),
    reconcile=("ante", "third", "fourth", "fifth"),
    rule_card=CARD,
)


@rule
def ranks_of_two(first: int, second: int) -> int:
    return 100 * (rank_of(first) == rank_of(second)) + rank_of(first) + rank_of(second)


@rule
def ranks_of_four(first: int, second: int, third: int, fourth: int) -> int:
    return rank_of(first) + rank_of(second) + rank_of(third) + rank_of(fourth)


@rule
def has_pair(hole: int) -> bool:
    return hole >= 100


@rule
def higher(player: int, dealer: int, stake: int) -> int:
    if player > dealer:
        return even_money(stake)
    return stake if player == dealer else 0


@rule
def checks() -> int:
    return 0


OPEN_BOARD: Final = Game(
    key="open-board",
    title="Open Board",
    document="the tests",
    most_spots=5,
    zones=(Zone("hole", "spot", 2), Zone("dealers", "dealer", 2), Zone("board", "table", 2, shown=(0,))),
    values=(
        Hand("hole", by_rule(ranks_of_two, 2, suits_matter=False), ("hole",)),
        Hand("player", by_rule(ranks_of_four, 4, suits_matter=False), ("hole", "board")),
        Hand("dealer", by_rule(ranks_of_four, 4, suits_matter=False), ("dealers", "board")),
    ),
    flow=(
        Decide(
            "first",
            (Choice("check"), *multiples("raised", "ante", 2), *multiples("raised", "ante", 4, when=has_pair)),
            checks,
            "check",
        ),
        Reveal("dealers", (1,), "Dealer's card"),
        Decide("second", (FOLD, *multiples("raised", "ante", 1)), checks, "fold", unless=("raised",)),
        Decide("third", (Choice("let_it_ride"), Choice("take_back", takes_back="side")), checks, "let_it_ride", "side"),
    ),
    base=("ante", "raised"),
    wagers=(
        Wager("ante", "Ante", "required", higher),
        Wager("raised", "Raise", "follows", higher),
        Wager("side", "Side", "optional", higher, needs="ante", after_fold="stays"),
    ),
    outcome="ante",
    families=("open-board",),
    schemas=(),
    options=(house.DECISION_TIMEOUT,),
    reconcile=("ante", "raised", "side"),
    rule_card=CARD,
)
BOARD_GAMES: Final = {game.key: game for game in (RIVER_STUD, OPEN_BOARD)}
