"""Baccarat, with commission and EZ, with Dragon 7, Panda 8 and Dragon Bonus (clauses BA)."""

from __future__ import annotations

from typing import Final

from houseway.games import options as house
from houseway.games.model import (
    PUBLIC_RULES,
    DeckShoe,
    Derived,
    Game,
    Hand,
    LaterDeal,
    LiteratureFigure,
    RuleLine,
    RuleSection,
    Wager,
    Zone,
)
from houseway.games.rules import even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking.points import NO_THIRD, POINTS, THIRD_CARD, TWO_CARD_POINTS
from houseway.rule import Ints, rule

COMMISSION: Final = 0
"""The first value of the option version."""
TIED: Final = 0
PLAYER: Final = 1
BANKER: Final = 2
SIDES: Final = ("tie", "player", "banker")
COUP: Final = "coup"
MAIN: Final = ("player", "banker", "tie")
TIE_HANDS: Final = ("", "tie")
DRAGON_HANDS: Final = ("", "three_card_seven")
PANDA_HANDS: Final = ("", "three_card_eight")
BONUS_HANDS: Final = ("", "natural_tie", "natural", "by_4", "by_5", "by_6", "by_7", "by_8", "by_9")
BY_FOUR: Final = 3
"""The row of a win by four points; each point more is the next row."""


@rule
def is_natural(player_two: int, banker_two: int) -> bool:
    """BA-3: 8 or 9 on either side ends the hand."""
    return player_two >= 8 or banker_two >= 8


@rule
def player_draws(player_two: int, banker_two: int) -> bool:
    """BA-4."""
    return not is_natural(player_two, banker_two) and player_two <= 5


@rule
def banker_draws(player_two: int, banker_two: int, player_third: int) -> bool:
    """BA-5: by the Player's third card, where there is one."""
    if is_natural(player_two, banker_two):
        return False
    if player_third == NO_THIRD:
        return banker_two <= 5
    if banker_two <= 2:
        return True
    if banker_two == 3:
        return player_third != 8
    if banker_two == 4:
        return 2 <= player_third <= 7
    if banker_two == 5:
        return 4 <= player_third <= 7
    return banker_two == 6 and 6 <= player_third <= 7


@rule
def winning_side(player_points: int, banker_points: int) -> int:
    """BA-6: the hand nearer nine."""
    if player_points == banker_points:
        return TIED
    return PLAYER if player_points > banker_points else BANKER


@rule
def player_returned(winner: int, stake: int) -> int:
    """BA-6: what Player gives back."""
    if winner == TIED:
        return stake
    return even_money(stake) if winner == PLAYER else 0


@rule
def wins_with_three(winner: int, side: int, points: int, third: int, count: int) -> bool:
    """Whether a side wins with three cards that count so much."""
    return winner == side and points == count and third != NO_THIRD


@rule
def banker_commission(winner: int, version: int, stake: int) -> int:
    """BA-7, BA-10: what the house keeps of a winning Banker: one in twenty, rounded up to a cent."""
    return stake - stake * 19 // 20 if winner == BANKER and version == COMMISSION else 0


@rule
def banker_returned(winner: int, banker_points: int, banker_third: int, version: int, stake: int) -> int:
    """BA-6, BA-7: what Banker gives back: 19 to 20, or 1 to 1 but for a seven with three cards."""
    if winner == TIED:
        return stake
    if winner != BANKER:
        return 0
    if version == COMMISSION:
        return even_money(stake) - banker_commission(winner, version, stake)
    return stake if wins_with_three(winner, BANKER, banker_points, banker_third, 7) else even_money(stake)


@rule
def tie_returned(winner: int, stake: int, num: Ints, den: Ints) -> int:
    """BA-6: what Tie gives back."""
    return returned_to(stake, 1 if winner == TIED else 0, num, den)


@rule
def dragon_returned(winner: int, banker_points: int, banker_third: int, stake: int, num: Ints, den: Ints) -> int:
    """BA-8: what Dragon 7 gives back."""
    won = wins_with_three(winner, BANKER, banker_points, banker_third, 7)
    return returned_to(stake, 1 if won else 0, num, den)


@rule
def panda_returned(winner: int, player_points: int, player_third: int, stake: int, num: Ints, den: Ints) -> int:
    """BA-8: what Panda 8 gives back."""
    won = wins_with_three(winner, PLAYER, player_points, player_third, 8)
    return returned_to(stake, 1 if won else 0, num, den)


@rule
def bonus_row(own: int, other: int, own_two: int, other_two: int) -> int:
    """BA-9: the row of a side's Dragon Bonus, by its points and those of the other side, whole and of two cards."""
    natural = own_two >= 8
    if own == other:
        return 1 if natural and other_two >= 8 else 0
    if own < other:
        return 0
    if natural:
        return 2
    return BY_FOUR + own - other - 4 if own - other >= 4 else 0


@rule
def bonus_player_returned(
    player_points: int, banker_points: int, player_two: int, banker_two: int, stake: int, num: Ints, den: Ints
) -> int:
    """BA-9: what the Dragon Bonus on Player gives back."""
    return returned_to(stake, bonus_row(player_points, banker_points, player_two, banker_two), num, den)


@rule
def bonus_banker_returned(
    player_points: int, banker_points: int, player_two: int, banker_two: int, stake: int, num: Ints, den: Ints
) -> int:
    """BA-9: what the Dragon Bonus on Banker gives back."""
    return returned_to(stake, bonus_row(banker_points, player_points, banker_two, player_two), num, den)


GAME = Game(
    key="baccarat",
    title="Baccarat",
    document=PUBLIC_RULES,
    most_spots=14,
    shoe=DeckShoe("decks", behind_cut=16),
    zones=(
        Zone(
            COUP,
            "table",
            4,
            shown=(0, 1, 2, 3),
            later=("player_third", "banker_third"),
            parts=(("player", (0, 2, 4)), ("banker", (1, 3, 5))),
        ),
    ),
    values=(
        Hand("player_two", TWO_CARD_POINTS, ((COUP, 0, 2),)),
        Hand("banker_two", TWO_CARD_POINTS, ((COUP, 1, 3),)),
        Hand("player_third", THIRD_CARD, ((COUP, 4),)),
        Hand("banker_third", THIRD_CARD, ((COUP, 5),)),
        Hand("player_points", POINTS, ((COUP, 0, 2, 4),)),
        Hand("banker_points", POINTS, ((COUP, 1, 3, 5),)),
        Derived("winner", winning_side),
    ),
    flow=(
        LaterDeal(((COUP, 4),), "Player's third card", when=player_draws),
        LaterDeal(((COUP, 5),), "Banker's third card", when=banker_draws),
    ),
    base=(),
    at_least_one=(*MAIN, "dragon_bonus_player", "dragon_bonus_banker"),
    not_together=(("player", "banker"),),
    wagers=(
        Wager("player", "Player", "optional", player_returned),
        Wager("banker", "Banker", "optional", banker_returned, parts=20, commission=banker_commission),
        Wager("tie", "Tie", "optional", tie_returned, hands=TIE_HANDS),
        Wager(
            "dragon_7",
            "Dragon 7",
            "optional",
            dragon_returned,
            hands=DRAGON_HANDS,
            needs_one_of=MAIN,
            offered_with=("version", "ez"),
            judged_on="the Banker's hand",
        ),
        Wager(
            "panda_8",
            "Panda 8",
            "optional",
            panda_returned,
            hands=PANDA_HANDS,
            needs_one_of=MAIN,
            offered_with=("version", "ez"),
            judged_on="the Player's hand",
        ),
        Wager(
            "dragon_bonus_player",
            "Dragon Bonus on Player",
            "optional",
            bonus_player_returned,
            hands=BONUS_HANDS,
            table="dragon_bonus",
        ),
        Wager(
            "dragon_bonus_banker",
            "Dragon Bonus on Banker",
            "optional",
            bonus_banker_returned,
            hands=BONUS_HANDS,
            table="dragon_bonus",
        ),
    ),
    hand="",
    dealer_hand="",
    outcome="",
    winner=("winner", SIDES),
    side_values={"player": "player_points", "banker": "banker_points"},
    families=("baccarat",),
    schemas=(
        Schema("baccarat", "tie", "odds", ("tie",)),
        Schema("baccarat", "dragon_7", "odds", ("three_card_seven",)),
        Schema("baccarat", "panda_8", "odds", ("three_card_eight",)),
        Schema("baccarat", "dragon_bonus", "odds", (*BONUS_HANDS[:2:-1], "natural", "natural_tie"), pushes=True),
    ),
    table_defaults={"tie": "8"},
    figures_by={"banker": "version"},
    options=(
        house.one_of("decks", (8, 6), "How many decks are in the shoe.", "BA-1"),
        house.choice(
            "version", ("commission", "ez"), "What a winning Banker pays, and which side wagers there are.", "BA-7"
        ),
        house.COMMISSION_COLLECTED,
    ),
    reconcile=("player", "banker", "tie", "dragon_7", "panda_8", "dragon_bonus_player", "dragon_bonus_banker"),
    dealt_by_hand=True,
    method=(
        "Cards are told apart by their points alone. Every order in which the first four cards and the third cards can "
        "come is weighed with the number of ways in which a full shoe deals it."
    ),
    published=(
        LiteratureFigure("player", "standard", "1.24%"),
        LiteratureFigure("banker", "commission", "1.06%"),
        LiteratureFigure("banker", "ez", "1.02%"),
        LiteratureFigure("tie", "8", "14.36%"),
        LiteratureFigure("dragon_7", "40", "7.61%"),
        LiteratureFigure("panda_8", "25", "10.19%"),
        LiteratureFigure("dragon_bonus_player", "standard", "2.65%"),
        LiteratureFigure("dragon_bonus_banker", "standard", "9.37%"),
    ),
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("A shoe of eight or six decks, shuffled again when the cut card comes out.", ("BA-1",)),
                RuleLine(
                    "Aces count 1, tens and faces 0, other cards their number; a hand is worth the last digit of its sum.",
                    ("BA-1",),
                ),
                RuleLine(
                    "A spot bets on Player, Banker, Tie or a Dragon Bonus, but not on both Player and Banker. Dragon 7 "
                    "and Panda 8 are for EZ baccarat, beside Player, Banker or Tie.",
                    ("BA-2",),
                ),
                RuleLine("Nobody decides anything.", ("BA-10",)),
                RuleLine("The table shows the history of the shoe to everybody.", ("BA-11",)),
            ),
        ),
        RuleSection(
            "The cards",
            (
                RuleLine(
                    "Cards go to Player, Banker, Player, Banker. An 8 or 9 on either side, a natural, ends the hand.",
                    ("BA-3",),
                ),
                RuleLine("Otherwise Player draws one card on 0 to 5 and stands on 6 and 7.", ("BA-4",)),
                RuleLine(
                    "Banker draws on 0 to 5 if Player stood. If Player drew: on 0 to 2 always; on 3 unless that card "
                    "counts 8; on 4 if it counts 2 to 7; on 5 if 4 to 7; on 6 if 6 or 7; never on 7.",
                    ("BA-5",),
                ),
            ),
        ),
        RuleSection(
            "What pays",
            (
                RuleLine("The hand nearer nine wins. Player pays 1 to 1.", ("BA-6",)),
                RuleLine("A tie pushes Player and Banker and pays Tie 8 to 1 (or 9 to 1).", ("BA-6",)),
                RuleLine(
                    "Banker pays 19 to 20 with commission. EZ: 1 to 1, but a push when Banker wins with three cards that "
                    "count 7.",
                    ("BA-7",),
                ),
                RuleLine(
                    "Commission is collected at once, or marked at the spot and collected when the player leaves.",
                    ("BA-10",),
                ),
                RuleLine(
                    "Dragon 7: Banker wins with three cards that count 7, 40 to 1. Panda 8: Player wins with three cards "
                    "that count 8, 25 to 1.",
                    ("BA-8",),
                ),
                RuleLine(
                    "Dragon Bonus on a side: a natural that wins 1 to 1, a natural tie a push, a win without a natural "
                    "by 9, 8, 7, 6, 5, 4 points 30, 10, 6, 4, 2, 1 to 1.",
                    ("BA-9",),
                ),
                RuleLine("Figures are those of a freshly shuffled shoe.", ("BA-12",)),
            ),
        ),
    ),
)
