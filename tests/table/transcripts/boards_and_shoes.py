"""Example rounds of the games with a board, and of those dealt from a shoe, at both consoles."""

from __future__ import annotations

from pathlib import Path

from tests.table.transcripts.kit import PlayTable

from houseway.games.flow import BOARD
from houseway.games.round import FOLD, PLAY, Action
from houseway.table.notation import RoundRecord

CHECK, BET = Action("check"), Action("bet")
ONCE, TWICE, THREE_TIMES, FOUR_TIMES = (Action(f"{times}x") for times in (1, 2, 3, 4))
RIDE, TAKE_BACK = Action("ride"), Action("take_back")
WAR, SURRENDER = Action("war"), Action("surrender")


def ultimate_texas_holdem_touch(folder: Path) -> RoundRecord:
    """Bets before the flop, on the flop and on the river; a straight flush takes part of the meter."""
    table = PlayTable(folder, "ultimate-texas-holdem", "touch")
    table.stack({6: "As Ad", 4: "9h 8h", 2: "Kc 4d", 0: "Qc Qd", BOARD: "7h 6h 5h Ks 2c"})
    base = {"ante": 1_000, "blind": 1_000}
    return table.play(
        {2: base, 4: {**base, "trips": 500, "progressive": 100}, 6: {**base, "progressive": 100}},
        {2: (CHECK, CHECK, ONCE), 4: (CHECK, TWICE), 6: FOUR_TIMES},
    )


def ultimate_texas_holdem_keypad(folder: Path) -> RoundRecord:
    """The dealer does not qualify; one folds on the river and keeps Trips."""
    table = PlayTable(folder, "ultimate-texas-holdem", "keypad")
    table.stack({5: "Kh Kd", 3: "3c 2d", 1: "Ah Ts", 0: "Qs 4h", BOARD: "Jc 9d 8s 7h 5c"})
    base = {"ante": 1_500, "blind": 1_500}
    return table.play(
        {1: base, 3: {**base, "trips": 500}, 5: base},
        {1: THREE_TIMES, 3: (CHECK, CHECK, FOLD), 5: (CHECK, TWICE)},
    )


def mississippi_stud_touch(folder: Path) -> RoundRecord:
    """A flush with three wagers, a pair that gives them back, and a fold on 4th Street."""
    table = PlayTable(folder, "mississippi-stud", "touch")
    table.stack({6: "Ah Kh", 4: "9c 9d", 2: "7s 2c", BOARD: "4h 8h Jh"})
    return table.play(
        {2: {"ante": 1_000}, 4: {"ante": 1_000, "progressive": 100}, 6: {"ante": 1_000, "progressive": 100}},
        {2: (ONCE, FOLD), 4: (THREE_TIMES, ONCE, ONCE), 6: (ONCE, ONCE, THREE_TIMES)},
    )


def mississippi_stud_keypad(folder: Path) -> RoundRecord:
    """3 Card Bonus wins with the community cards, also for a spot that folded."""
    table = PlayTable(folder, "mississippi-stud", "keypad")
    table.stack({3: "Jc 5d", 1: "8c 3d", BOARD: "6s 6d 6h"})
    return table.play(
        {1: {"ante": 2_500, "three_card_bonus": 500}, 3: {"ante": 2_500, "three_card_bonus": 500}},
        {1: FOLD, 3: (ONCE, TWICE, THREE_TIMES)},
    )


def let_it_ride_touch(folder: Path) -> RoundRecord:
    """A royal flush rides to the end; another hand takes both wagers back and loses the third."""
    table = PlayTable(folder, "let-it-ride", "touch")
    table.stack({5: "As Ks Qs", 2: "9d 6c 2h", BOARD: "Js Ts"})
    base = {"bet_1": 1_000, "bet_2": 1_000, "bet_dollar": 1_000}
    return table.play(
        {2: {**base, "progressive": 100}, 5: {**base, "three_card_bonus": 500, "progressive": 100}},
        {2: (TAKE_BACK, TAKE_BACK), 5: (RIDE, RIDE)},
    )


def let_it_ride_keypad(folder: Path) -> RoundRecord:
    """A wager is taken back before the first community card, and one after it."""
    table = PlayTable(folder, "let-it-ride", "keypad")
    table.stack({4: "Kc Kd 4h", 3: "8h 9h Th", 1: "5c 5d Qc", BOARD: "Qd 2s"})
    bets = {spot: {"bet_1": 500, "bet_2": 500, "bet_dollar": 500} for spot in (1, 3, 4)}
    return table.play(bets, {1: (TAKE_BACK, RIDE), 3: (RIDE, TAKE_BACK), 4: (RIDE, RIDE)})


def texas_holdem_bonus_touch(folder: Path) -> RoundRecord:
    """Two aces bet on every street, one checks, one folds; the Bonus stays in play."""
    table = PlayTable(folder, "texas-holdem-bonus", "touch")
    table.stack({6: "As Ad", 4: "Kc Jc", 2: "7d 2c", 0: "Qc Qd", BOARD: "Ah 9s 5d Ts 3h"})
    return table.play(
        {2: {"ante": 1_000, "bonus": 500}, 4: {"ante": 1_000}, 6: {"ante": 1_000, "bonus": 500}},
        {2: FOLD, 4: (PLAY, CHECK, CHECK), 6: (PLAY, BET, BET)},
    )


def texas_holdem_bonus_keypad(folder: Path) -> RoundRecord:
    """The board plays for everybody: the hands are equal and every wager comes back."""
    table = PlayTable(folder, "texas-holdem-bonus", "keypad")
    table.stack({3: "2h 2d", 1: "4c 4d", 0: "3c 3d", BOARD: "Th Jd Qc Ks As"})
    bets = {spot: {"ante": 2_000} for spot in (1, 3)}
    return table.play(bets, {1: (PLAY, BET, CHECK), 3: (PLAY, CHECK, BET)})


def casino_war_touch(folder: Path) -> RoundRecord:
    """Equal cards at two spots: one goes to war, the other surrenders half."""
    table = PlayTable(folder, "casino-war", "touch", seed="casino-war touch 10")
    return table.play({spot: {"bet": 1_000, "tie": 500} for spot in (1, 3, 5)}, {1: WAR, 3: SURRENDER})


def casino_war_keypad(folder: Path) -> RoundRecord:
    """No card equals the dealer's: nobody is asked."""
    table = PlayTable(folder, "casino-war", "keypad")
    return table.play({spot: {"bet": 2_500} for spot in (2, 4)})


def baccarat_touch(folder: Path) -> RoundRecord:
    """The player draws a third card and the banker wins: a commission of one in twenty."""
    table = PlayTable(folder, "baccarat", "touch")
    return table.play(
        {1: {"banker": 2_500}, 3: {"player": 1_000, "dragon_bonus_player": 500}, 5: {"player": 1_000, "tie": 500}}
    )


def baccarat_keypad(folder: Path) -> RoundRecord:
    """EZ: a tie gives Player and Banker back, and Dragon 7 and Panda 8 lose."""
    table = PlayTable(folder, "baccarat", "keypad", options={"version": "ez"})
    return table.play({2: {"banker": 2_500, "dragon_7": 500}, 4: {"player": 2_500, "panda_8": 500}})


BOARDS_AND_SHOES = (
    *(ultimate_texas_holdem_touch, ultimate_texas_holdem_keypad, mississippi_stud_touch, mississippi_stud_keypad),
    *(let_it_ride_touch, let_it_ride_keypad, texas_holdem_bonus_touch, texas_holdem_bonus_keypad),
    *(casino_war_touch, casino_war_keypad, baccarat_touch, baccarat_keypad),
)
