"""A slow second opinion on the games with a shared board: settled a second time, plainly, over many random rounds.

Written from the clauses MS, LR, UT and HB. Of the program only the pay table files are used, through the functions of
the first second opinion; hands are ranked by trying every five cards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import pytest
from tests.clauses.test_second_opinion import (
    DECK,
    FIVE_CARD,
    TABLES,
    THREE_CARD,
    Value,
    paid_to,
    rank,
    standard_five,
    three_cards,
)

Request = dict[str, Any]
Lines = dict[str, tuple[str, int, int]]
"""By wager: result, wagered, returned."""


def best(cards: Sequence[str]) -> Value:
    return max(standard_five(chosen) for chosen in combinations(cards, 5))


def name(value: Value) -> str:
    return FIVE_CARD[value[0]]


def line(wagered: int, returned: int) -> tuple[str, int, int]:
    return ("win" if returned > wagered else "push" if returned == wagered else "lose"), wagered, returned


def against(own: Value, dealer: Value, stake: int) -> int:
    return 2 * stake if own > dealer else stake if own == dealer else 0


def by_pair(value: Value, rows: Callable[[int], str]) -> str:
    return rows(value[1][0]) if name(value) == "pair" else name(value)


def three_card_bonus(game: str, table: str, cards: Sequence[str], stake: int) -> tuple[str, int, int]:
    value = three_cards(cards)
    hand = THREE_CARD[value[0]]
    rows = TABLES[game, "three_card_bonus", table]
    if hand == "straight_flush" and value[1] == (14,) and "mini_royal" in rows["rows"]:
        hand = "mini_royal"
    return line(stake, paid_to(rows, hand, stake))


# ------------------------------------------------------------------------------------------------ the games


def mississippi_stud(request: Request, spot: Request) -> tuple[str, Lines]:
    table = TABLES["mississippi-stud", "base", "straight-5" if request["options"]["straight_pays"] == 5 else "standard"]
    value = best([*spot["cards"].split(), *request["board"].split()])
    row = by_pair(
        value,
        lambda high: "pair_of_jacks_or_better" if high > 10 else "pair_of_sixes_to_tens" if high > 5 else "low",
    )
    wagers = spot["wagers"]
    stakes = {"ante": wagers["ante"]}
    for street, action in zip(("third_street", "fourth_street", "fifth_street"), spot["actions"], strict=False):
        if action != "fold":
            stakes[street] = int(action[0]) * wagers["ante"]
    folded = "fold" in spot["actions"]

    def returned(stake: int) -> int:
        if folded:
            return 0
        return stake if row == "pair_of_sixes_to_tens" else paid_to(table, row, stake)

    lines = {wager: line(stake, returned(stake)) for wager, stake in stakes.items()}
    if "three_card_bonus" in wagers:
        lines["three_card_bonus"] = three_card_bonus(
            request["game"], request["tables"]["three_card_bonus"], request["board"].split(), wagers["three_card_bonus"]
        )
    return "fold" if folded else lines["ante"][0], lines


def let_it_ride(request: Request, spot: Request) -> tuple[str, Lines]:
    table = TABLES["let-it-ride", "base", "standard"]
    value = best([*spot["cards"].split(), *request["board"].split()])
    row = by_pair(value, lambda high: "pair_of_tens_or_better" if high > 9 else "low")
    lines = {}
    for wager, action in (("bet_1", spot["actions"][0]), ("bet_2", spot["actions"][1]), ("bet_dollar", "ride")):
        stake = spot["wagers"][wager]
        lines[wager] = (
            ("taken_back", stake, stake) if action == "take_back" else line(stake, paid_to(table, row, stake))
        )
    if "three_card_bonus" in spot["wagers"]:
        lines["three_card_bonus"] = three_card_bonus(
            *(request["game"], request["tables"]["three_card_bonus"], spot["cards"].split()),
            spot["wagers"]["three_card_bonus"],
        )
    return lines["bet_dollar"][0], lines


def ultimate_texas_holdem(request: Request, spot: Request) -> tuple[str, Lines]:
    board = request["board"].split()
    own, dealer = best([*spot["cards"].split(), *board]), best([*request["dealer"].split(), *board])
    ante = spot["wagers"]["ante"]
    folded = spot["actions"][-1] == "fold"
    qualifies = name(dealer) != "high_card"
    lines = {}
    if folded:
        lines |= {"ante": line(ante, 0), "blind": line(ante, 0)}
    else:
        lines["ante"] = line(ante, against(own, dealer, ante) if qualifies else ante)
        rows = TABLES["ultimate-texas-holdem", "blind", request["tables"]["blind"]]
        won = max(ante, paid_to(rows, name(own), ante))
        lines["blind"] = line(ante, won if own > dealer else ante if own == dealer else 0)
        play = int(spot["actions"][-1][0]) * ante
        lines["play"] = line(play, against(own, dealer, play))
    if "trips" in spot["wagers"]:
        stake = spot["wagers"]["trips"]
        rows = TABLES["ultimate-texas-holdem", "trips", request["tables"]["trips"]]
        lost = folded and not request["options"]["folded_keeps_trips"]
        lines["trips"] = line(stake, 0 if lost else paid_to(rows, name(own), stake))
    return "fold" if folded else lines["play"][0], lines


def texas_holdem_bonus(request: Request, spot: Request) -> tuple[str, Lines]:
    board, cards = request["board"].split(), spot["cards"].split()
    own, dealer = best([*cards, *board]), best([*request["dealer"].split(), *board])
    ante = spot["wagers"]["ante"]
    folded = spot["actions"] == ["fold"]
    lines = {"ante": line(ante, 0)}
    if not folded:
        strong = FIVE_CARD.index(request["options"]["ante_pays_from"]) <= own[0]
        lines["ante"] = line(ante, against(own, dealer, ante) if strong or own <= dealer else ante)
        made = {"flop": 2 * ante}
        made |= {
            street: ante for street, word in zip(("turn", "river"), spot["actions"][1:], strict=True) if word == "bet"
        }
        lines |= {wager: line(stake, against(own, dealer, stake)) for wager, stake in made.items()}
    if "bonus" in spot["wagers"]:
        stake = spot["wagers"]["bonus"]
        row = pocket_row(cards, request["dealer"].split())
        lines["bonus"] = line(stake, paid_to(TABLES["texas-holdem-bonus", "bonus", "standard"], row, stake))
    return "fold" if folded else lines["flop"][0], lines


def pocket_row(cards: Sequence[str], dealer: Sequence[str]) -> str:
    low, high = sorted(map(rank, cards))
    suited = "_suited" if cards[0][1] == cards[1][1] else ""
    if low == high == 14:
        return "both_aces" if {card[0] for card in dealer} == {"A"} else "aces"
    if low == high:
        return "kings_to_jacks" if low > 10 else "tens_to_deuces"
    if high < 14 or low < 11:
        return "nothing"
    return ("ace_king" if low == 13 else "ace_queen_or_jack") + suited


# ------------------------------------------------------------------------------------------------ random rounds

DEALT = {"mississippi-stud": (2, 0, 3), "let-it-ride": (3, 0, 2), "ultimate-texas-holdem": (2, 2, 5),
         "texas-holdem-bonus": (2, 2, 5)}  # fmt: skip
"""Cards of a spot, of the dealer and of the board."""
SETTLED = {"mississippi-stud": mississippi_stud, "let-it-ride": let_it_ride,
           "ultimate-texas-holdem": ultimate_texas_holdem, "texas-holdem-bonus": texas_holdem_bonus}  # fmt: skip


def actions_of(game: str, source: random.Random) -> list[str]:
    if game == "mississippi-stud":
        chosen: list[str] = []
        while len(chosen) < 3 and chosen[-1:] != ["fold"]:
            chosen.append(source.choice(["fold", "1x", "2x", "3x", "1x", "3x"]))
        return chosen
    if game == "let-it-ride":
        return [source.choice(["ride", "take_back"]) for _ in range(2)]
    if game == "ultimate-texas-holdem":
        return source.choice(
            [
                ["3x"],
                ["4x"],
                ["check", "2x"],
                ["check", "check", "1x"],
                ["check", "check", "1x"],
                ["check", "check", "fold"],
            ]
        )
    if source.random() < 0.2:
        return ["fold"]
    return ["play", source.choice(["check", "bet"]), source.choice(["check", "bet"])]


def wagers_of(game: str, source: random.Random) -> dict[str, int]:
    stake = source.randrange(1, 5_000)
    required = {"mississippi-stud": ["ante"], "let-it-ride": ["bet_1", "bet_2", "bet_dollar"],
                "ultimate-texas-holdem": ["ante", "blind"], "texas-holdem-bonus": ["ante"]}  # fmt: skip
    side = {"ultimate-texas-holdem": "trips", "texas-holdem-bonus": "bonus"}.get(game, "three_card_bonus")
    beside = {side: source.randrange(1, 900)} if source.random() < 0.6 else {}
    return {**dict.fromkeys(required[game], stake), **beside}


def random_round(game: str, source: random.Random) -> Request:
    own, dealers, board = DEALT[game]
    most = 6 if dealers else 7
    spots = sorted(source.sample(range(1, most + 1), source.randint(1, 3)))
    deck = source.sample(DECK, own * len(spots) + dealers + board)
    if source.random() < 0.3:  # hands worth something come more often from few ranks
        ranks = source.sample("23456789TJQKA", 6)
        few = [card for card in DECK if card[0] in ranks]
        deck = source.sample(few, len(deck))

    def packet(count: int) -> str:
        taken = deck[:count]
        del deck[:count]
        return " ".join(taken)

    options: dict[str, Any] = {
        "mississippi-stud": {"straight_pays": source.choice([4, 5])},
        "let-it-ride": {},
        "ultimate-texas-holdem": {"folded_keeps_trips": source.random() < 0.5},
        "texas-holdem-bonus": {"ante_pays_from": source.choice(["straight", "flush"])},
    }[game]
    tables = {
        "mississippi-stud": {"three_card_bonus": source.choice("12")},
        "let-it-ride": {"three_card_bonus": source.choice("1234")},
        "ultimate-texas-holdem": {"blind": source.choice("AB"), "trips": source.choice("ABCD")},
        "texas-holdem-bonus": {},
    }[game]
    request: Request = {"game": game, "options": options, "tables": tables, "board": packet(board)}
    if dealers:
        request["dealer"] = packet(dealers)
    request["spots"] = [
        {"spot": spot, "cards": packet(own), "wagers": wagers_of(game, source), "actions": actions_of(game, source)}
        for spot in spots
    ]
    return request


def hold(settle: Callable[[Request], Request], game: str, rounds: int, seed: int) -> None:
    source = random.Random(seed)
    for number in range(rounds):
        request = random_round(game, source)
        answer = settle(request)
        for spot, settled in zip(request["spots"], answer["spots"], strict=True):
            outcome, lines = SETTLED[game](request, spot)
            assert settled["outcome"] == outcome, (number, request)
            made = {
                wager: (entry["result"], entry["wagered"], entry["returned"])
                for wager, entry in settled["wagers"].items()
            }
            assert made == lines, (number, request)
            counted = [entry for entry in lines.values() if entry[0] != "taken_back"]
            assert settled["wagered"] == sum(entry[1] for entry in counted), (number, request)
            assert settled["returned"] == sum(entry[2] for entry in counted), (number, request)
            held = [*spot["cards"].split(), *request["board"].split()]
            assert settled["category"] == name(best(held)), (number, request)


@pytest.mark.parametrize("game", list(SETTLED))
def test_a_thousand_random_rounds_agree(settle: Callable[[Request], Request], game: str) -> None:
    hold(settle, game, 1_000, seed=20_261_118)


@pytest.mark.long
@pytest.mark.parametrize("game", list(SETTLED))
def test_twenty_thousand_random_rounds_agree(settle: Callable[[Request], Request], game: str) -> None:
    hold(settle, game, 20_000, seed=17)
