"""Example rounds of Crazy 4 Poker, Four Card Poker and DJ Wild, at both consoles."""

from __future__ import annotations

from pathlib import Path

from tests.table.transcripts.kit import PlayTable

from houseway.games.round import FOLD, PLAY, Action
from houseway.table.notation import RoundRecord

ONCE, TWICE, THREE_TIMES = Action("1x"), Action("2x"), Action("3x")


def crazy_four_poker_touch(folder: Path) -> RoundRecord:
    """Four aces bet three times; a straight flush takes part of the meter; one folds."""
    table = PlayTable(folder, "crazy-four-poker", "touch", progressive="01")
    table.stack({6: "Ac Ad Ah As 9d", 4: "Kh Qh Jh Th 9h", 2: "7c 8d 2s 3h Jc", 0: "Kc Kd 8s 5h 3c"})
    base = {"ante": 1_000, "super_bonus": 1_000}
    return table.play(
        {2: base, 4: {**base, "queens_up": 500, "progressive": 100}, 6: {**base, "queens_up": 500}},
        {2: FOLD, 4: THREE_TIMES, 6: THREE_TIMES},
    )


def crazy_four_poker_keypad(folder: Path) -> RoundRecord:
    """The dealer does not qualify: a queen high that is worse wins its Play."""
    table = PlayTable(folder, "crazy-four-poker", "keypad", progressive="01")
    table.stack({5: "Qd 9c 6s 4d 3h", 3: "Kd Ks 9s 7h 2c", 1: "5c 6d 7s 8c Jd", 0: "Qs Jh Td 5h 2d"})
    bets = {spot: {"ante": 1_500, "super_bonus": 1_500} for spot in (1, 3, 5)}
    return table.play(bets, {1: TWICE, 3: ONCE, 5: ONCE})


def four_card_poker_touch(folder: Path) -> RoundRecord:
    """A straight flush and three of a kind have their Ante Bonus, one of them with a hand that loses."""
    table = PlayTable(folder, "four-card-poker", "touch", progressive="01")
    table.stack({6: "9h 8h 7h 6h 2c", 4: "Jc Jd Jh 8s 3d", 2: "Tc Td 5s 4h 2h", 0: "Kh Qc Qd Qh 6s 3s"})
    return table.play(
        {
            2: {"ante": 1_000},
            4: {"ante": 1_000, "aces_up": 500, "progressive": 100},
            6: {"ante": 2_000, "aces_up": 500},
        },
        {2: ONCE, 4: THREE_TIMES, 6: THREE_TIMES},
    )


def four_card_poker_keypad(folder: Path) -> RoundRecord:
    """Equal hands win, one spot folds, and one has Aces Up alone and nothing to decide."""
    table = PlayTable(folder, "four-card-poker", "keypad", progressive="01")
    table.stack({5: "Kc Kd Jd 9h 3c", 3: "Ac Ad 9c 6s 3d", 1: "Qs 8d 6h 5c 2d", 0: "Ks Kh Jc 9s 7c 4h"})
    return table.play(
        {1: {"ante": 1_000}, 3: {"aces_up": 500}, 5: {"ante": 1_000}},
        {1: FOLD, 5: TWICE},
    )


def dj_wild_touch(folder: Path) -> RoundRecord:
    """Four deuces and an ace make a royal flush; a flush filled from the top; a pair of fours with a three folds."""
    table = PlayTable(folder, "dj-wild", "touch", link=False)
    table.stack({6: "2c 2d 2h 2s As", 4: "Ah 9h 5h 4h Jk", 2: "4c 4d 3h Ts 8c", 0: "Kc Kd 9s 7c 6d"})
    return table.play(
        {spot: {"ante": 1_000, "blind": 1_000} for spot in (2, 4, 6)},
        {2: FOLD, 4: PLAY, 6: PLAY},
    )


def dj_wild_keypad(folder: Path) -> RoundRecord:
    """Equal straights push all three wagers; three of a kind wins and its Blind comes back."""
    table = PlayTable(folder, "dj-wild", "keypad", link=False)
    table.stack({3: "9d Ts Js Qd 2h", 1: "7c 7d 7h Kd 4s", 0: "9c Td Jh Qs 2c"})
    bets = {spot: {"ante": 2_500, "blind": 2_500} for spot in (1, 3)}
    return table.play(bets, {1: PLAY, 3: PLAY})


FOUR_AND_WILD = (
    *(crazy_four_poker_touch, crazy_four_poker_keypad, four_card_poker_touch, four_card_poker_keypad),
    *(dj_wild_touch, dj_wild_keypad),
)
