"""A slow second opinion: all five games settled a second time, plainly, and compared over many random rounds.

Written from the specification alone. Nothing of the program is used but the TOML files of the pay tables: cards are
read here, hands are ranked by trying everything, the joker by putting every card in its place, and the house way goes
through its clauses one after the other.
"""

from __future__ import annotations

import importlib.util
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
FIVE_CARD = (
    *("high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"),
    *("four_of_a_kind", "straight_flush", "royal_flush", "five_aces"),
)
THREE_CARD = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")

Value = tuple[int, tuple[int, ...]]
Request = dict[str, Any]


# ------------------------------------------------------------------------------------------------ pay tables


def pay_tables() -> dict[tuple[str, str, str], dict[str, Any]]:
    package = importlib.util.find_spec("houseway")
    assert package is not None
    assert package.origin is not None
    tables = {}
    for file in sorted((Path(package.origin).parent / "paytables" / "data").glob("*.toml")):
        for table in tomllib.loads(file.read_text("utf-8"), parse_float=Decimal)["paytable"]:
            tables[table["game"], table["wager"], table["id"]] = table
    return tables


TABLES = pay_tables()


def prize(table: dict[str, Any], hand: str, wager: int, column: int | None = None) -> int | None:
    """What a row pays on the wager, rounded down; None where there is no such row."""
    odds = table["rows"].get(hand)
    if odds is None:
        return None
    if column is not None:
        odds = odds[table["by_hands_in_round"].index(column)]
    return int(Fraction(odds) * wager)


def paid_to(table: dict[str, Any], hand: str, wager: int, column: int | None = None) -> int:
    """What comes back on a wager that pays "to 1": prize and wager, or nothing."""
    won = prize(table, hand, wager, column)
    return 0 if won is None else wager + won


def cents(dollars: int | Decimal) -> int:
    return int(dollars * 100)


# -------------------------------------------------------------------------------------------------- ranking


def rank(card: str) -> int:
    return 14 if card == "Jk" else RANKS.index(card[0]) + 2


def by_groups(ranks: Sequence[int]) -> tuple[list[int], tuple[int, ...]]:
    """How often each rank is there, most often first, and the ranks in that order."""
    groups = sorted(Counter(ranks).items(), key=lambda group: (-group[1], -group[0]))
    return [count for _, count in groups], tuple(found for found, _ in groups)


def plain_five(cards: Sequence[str], wheel: int) -> Value:
    """Five cards without a joker; ``wheel`` is what A-2-3-4-5 counts for among straights (ace high is 14)."""
    counts, ranks = by_groups([rank(card) for card in cards])
    flush = len({card[1] for card in cards}) == 1 and len(ranks) == 5
    top = 0
    if len(ranks) == 5:
        if set(ranks) == {14, 2, 3, 4, 5}:
            top = wheel
        elif max(ranks) - min(ranks) == 4:
            top = 2 * max(ranks)
    if counts == [5]:
        return FIVE_CARD.index("five_aces"), ranks
    if flush and set(ranks) == {14, 13, 12, 11, 10}:
        return FIVE_CARD.index("royal_flush"), ()
    if flush and top:
        return FIVE_CARD.index("straight_flush"), (top,)
    if counts == [4, 1]:
        return FIVE_CARD.index("four_of_a_kind"), ranks
    if counts == [3, 2]:
        return FIVE_CARD.index("full_house"), ranks
    if flush:
        return FIVE_CARD.index("flush"), ranks
    if top:
        return FIVE_CARD.index("straight"), (top,)
    shapes = {(3, 1, 1): "three_of_a_kind", (2, 2, 1): "two_pair", (2, 1, 1, 1): "pair"}
    return FIVE_CARD.index(shapes.get(tuple(counts), "high_card")), ranks


def standard_five(cards: Sequence[str]) -> Value:
    """CS-1: A-2-3-4-5 is the lowest straight."""
    return plain_five(cards, wheel=10)


@cache
def joker_five(cards: frozenset[str]) -> Value:
    """PG-1, PG-2: the joker as every card there is; as anything but an ace only where it completes something."""
    naturals = sorted(cards - {"Jk"})
    if len(naturals) == 5:
        return plain_five(naturals, wheel=27)
    completed = {FIVE_CARD.index(name) for name in ("straight", "flush", "straight_flush", "royal_flush")}
    values = []
    for card in DECK:
        value = plain_five([*naturals, card], wheel=27)
        if card[0] == "A" or (card not in naturals and value[0] in completed):
            values.append(value)
    return max(values)


def best_of_six(cards: Sequence[str], five: Callable[[frozenset[str]], Value]) -> Value:
    return max(five(frozenset(chosen)) for chosen in combinations(cards, 5))


def three_cards(cards: Sequence[str]) -> Value:
    """TC-2."""
    counts, ranks = by_groups([rank(card) for card in cards])
    suited = len({card[1] for card in cards}) == 1
    top = 0
    if len(ranks) == 3:
        top = 3 if set(ranks) == {14, 2, 3} else ranks[0] if ranks[0] - ranks[2] == 2 else 0
    name = "flush" if suited else "high_card"
    if counts == [3]:
        name = "three_of_a_kind"
    elif counts == [2, 1]:
        name = "pair"
    elif top:
        name, ranks = ("straight_flush" if suited else "straight"), (top,)
    return THREE_CARD.index(name), ranks


def longest_run(cards: Sequence[str], *, wraps: bool) -> tuple[int, int]:
    """SE-2, SE1-2, SE2-1: length and ending card, found by asking for every run from the best down."""
    held = {rank(card) for card in cards}
    for length in range(len(cards), 0, -1):
        for top in range(14, 1, -1):
            run = [top - place for place in range(length)]
            if wraps:
                run = [place if place >= 2 else place + 13 for place in run]
            elif run[-1] < 1:
                continue
            if all((14 if place == 1 else place) in held for place in run):
                return length, top
    raise AssertionError("a hand has a run of one at least")


# --------------------------------------------------------------------------------------------- the house way


def low_order(card: str) -> int:
    """As a low card the joker counts above an ace."""
    return 15 if card == "Jk" else rank(card)


def highest_left_whole(cards: Sequence[str], category: int) -> str:
    """The highest low card without which the others are still of that category."""
    falling = sorted(cards, key=low_order, reverse=True)
    return next(low for low in falling if joker_five(frozenset(cards) - {low})[0] == category)


def house_way(cards: Sequence[str]) -> str:
    """The low card by PG-10 to PG-16, one clause after the other, PG-12 to PG-16 before PG-11."""
    category = best_of_six(cards, joker_five)[0]
    name = FIVE_CARD[category]
    counts, ranks = by_groups([rank(card) for card in cards])

    def of_rank(wanted: int) -> str:
        return max((card for card in cards if rank(card) == wanted), key=low_order)

    if name == "full_house" and counts == [3, 3]:  # PG-12
        return of_rank(max(ranks))
    if name == "two_pair" and counts == [2, 2, 2]:  # PG-13
        return of_rank(max(ranks))
    one_suit = len({card[1] for card in cards if card != "Jk"}) == 1
    if name == "flush" and one_suit:  # PG-14
        return max(cards, key=low_order)
    if name in ("straight", "straight_flush") and six_in_a_row(cards):  # PG-14
        return highest_left_whole(cards, category)
    if name == "flush":  # PG-15
        suits = Counter(card[1] for card in cards if card != "Jk")
        return next(card for card in cards if card != "Jk" and suits[card[1]] == 1)
    if name == "straight_flush" and one_suit:  # PG-16
        return highest_left_whole(cards, category)
    if name == "high_card":  # PG-10, the joker as the ace it is
        return sorted(cards, key=rank, reverse=True)[1]
    # PG-11: the highest card that is no part of the made hand
    if name in ("straight", "straight_flush", "royal_flush"):
        return highest_left_whole(cards, category)
    made = {"pair": 1, "two_pair": 2, "three_of_a_kind": 1, "full_house": 2, "four_of_a_kind": 1, "five_aces": 1}[name]
    return max((card for card in cards if rank(card) not in ranks[:made]), key=low_order)


def six_in_a_row(cards: Sequence[str]) -> bool:
    """Whether the six cards, the joker as any rank, are six consecutive ranks."""
    naturals = {rank(card) for card in cards if card != "Jk"}
    if len(naturals) + ("Jk" in cards) != 6:
        return False
    windows = [{14, 2, 3, 4, 5, 6}, *({*range(low, low + 6)} for low in range(2, 10))]
    return any(naturals <= window for window in windows)


# ------------------------------------------------------------------------------------------- the progressive


Holding = tuple[dict[str, Any], str, bool]
"""A spot, the row of the progressive table that its hand is, and whether it folded."""


def may_win(holding: Holding, options: dict[str, Any]) -> bool:
    return not holding[2] or options.get("folded_qualifies", False)


def meter_names(table: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(row.get("meter", "main") for row in table["rows"].values() if "percent" in row))


def in_paying_order(holdings: list[Holding], order: str | list[int]) -> list[Holding]:
    """PR-17: the holdings with a wager, from the highest spot down unless the house says otherwise."""
    wagering = [holding for holding in holdings if "progressive" in holding[0]["wagers"]]
    if isinstance(order, list):
        return [holding for number in order for holding in wagering if holding[0]["spot"] == number]
    return sorted(wagering, key=lambda holding: holding[0]["spot"], reverse=order == "right_to_left")


def awards(request: Request, holdings: list[Holding]) -> tuple[dict[int, tuple[int, int]], dict[str, int], list[str]]:
    """PR-4 to PR-8: by spot what it wins from meter and tray, then the meters, and those that were reseeded."""
    options, table = request["options"], request["progressive"]
    meters, reserves = dict(request["meters"]), dict(request.get("reserves", {}))
    won: dict[int, tuple[int, int]] = {}
    reseeded: list[str] = []
    for holding in in_paying_order(holdings, options.get("award_order", "right_to_left")):
        spot, hand, _ = holding
        row = table["rows"].get(hand)
        if row is None or not may_win(holding, options):
            continue
        if "percent" in row:
            name = row.get("meter", "main")
            award = meters[name] * row["percent"] // 100
            won[spot["spot"]] = award, 0
            meters[name] -= award
            if row["percent"] == 100:
                meters[name] = request["seeds"][name] + reserves.pop(name, 0)
                reseeded.append(name)
            continue
        award = row["for_one"] * spot["wagers"]["progressive"] if "for_one" in row else cents(row["fixed"])
        source = fixed_source(row["from"], options.get("fixed_from", "as_marked"), meter_names(table))
        given = 0 if source is None else min(award, meters[source])
        won[spot["spot"]] = given, award - given
        if source is not None:
            meters[source] -= given
    return won, meters, sorted(set(reseeded))


def envy_of(asked: Holding, request: Request, holdings: list[Holding]) -> int:
    """PR-18, PR-A1, PR-A2: what a spot with a progressive wager wins by the hands of the others."""
    options, table = request["options"], request["progressive"]
    if asked[2] and not options.get("folded_wins_envy", True):
        return 0
    total = 0
    for other in holdings:
        has_wager = "progressive" in other[0]["wagers"] or not options.get("envy_needs_wager", True)
        if other is not asked and has_wager and may_win(other, options):
            envy = cents(table["rows"].get(other[1], {}).get("envy", 0))
            if "stated_wager" not in table and options.get("envy_scales", True):
                envy = envy * asked[0]["wagers"]["progressive"] // 100
            total += envy
    return total


def fixed_source(marked: str, option: str, names: list[str]) -> str | None:
    """PR-6, CSP-A2: the meter a fixed row comes from, or None for the tray."""
    if option == "tray" or marked == "tray":
        return None
    if marked == "meter":
        return names[0]
    if option == "meter":
        return names[0]
    return option.removeprefix("meter:") if option.startswith("meter:") else None


# ------------------------------------------------------------------------------------------------- the games


def entry(wagered: int, returned: int) -> dict[str, Any]:
    result = "win" if returned > wagered else "push" if returned == wagered else "lose"
    return {"result": result, "wagered": wagered, "returned": returned}


def answer(
    request: Request, dealer: dict[str, Any], spots: list[dict[str, Any]], rows: list[str], folds: list[bool]
) -> dict[str, Any]:
    """The whole answer, the progressive and the sums added."""
    expected: dict[str, Any] = {"game": request["game"], "dealer": dealer, "spots": spots}
    if "progressive" in request:
        holdings = list(zip(request["spots"], rows, folds, strict=True))
        won, expected["meters"], expected["reseeded"] = awards(request, holdings)
        for holding, settled in zip(holdings, spots, strict=True):
            wager = holding[0]["wagers"].get("progressive")
            if wager is not None:
                from_meter, from_tray = won.get(holding[0]["spot"], (0, 0))
                envy = envy_of(holding, request, holdings)
                together = from_meter + from_tray + envy
                settled["wagers"]["progressive"] = {
                    "result": "win" if together else "lose",
                    "wagered": wager,
                    "returned": together,
                    "from_meter": from_meter,
                    "from_tray": from_tray,
                    "envy": envy,
                }
    for asked, settled in zip(request["spots"], spots, strict=True):
        settled["spot"] = asked["spot"]
        for total in ("wagered", "returned"):
            settled[total] = sum(wager[total] for wager in settled["wagers"].values())
    return expected


def table_for(request: Request, game: str, wager: str, default: str = "standard") -> dict[str, Any]:
    return TABLES[game, wager, request["tables"].get(wager, default)]


def caribbean_stud(request: Request) -> dict[str, Any]:
    options = request["options"]
    dealer = standard_five(request["dealer"].split())
    ranks = {rank(card) for card in request["dealer"].split()}
    qualifies = FIVE_CARD[dealer[0]] != "high_card" or {14, 13} <= ranks
    values = [standard_five(spot["cards"].split()) for spot in request["spots"]]
    folds = ["fold" in spot["decision"] for spot in request["spots"]]
    shown = [dealer]
    for value, folded in zip(values, folds, strict=True):
        if not folded or options.get("cover_all_counts_folded", True):
            shown.append(value)
    highest = FIVE_CARD[max(shown)[0]]
    spots = []
    for spot, value, folded in zip(request["spots"], values, folds, strict=True):
        made, name, wagers = spot["wagers"], FIVE_CARD[value[0]], {}
        ante, bet = made["ante"], 2 * made["ante"]
        if folded:
            outcome = "fold"
            wagers["ante"] = entry(ante, 0)
        elif not qualifies:
            outcome = "win"
            wagers |= {"ante": entry(ante, 2 * ante), "bet": entry(bet, bet)}
        elif value > dealer:
            outcome = "win"
            pays = paid_to(TABLES["caribbean-stud", "bet", "standard"], name, bet)
            wagers |= {"ante": entry(ante, 2 * ante), "bet": entry(bet, pays)}
        elif value == dealer:
            outcome = "push"
            wagers |= {"ante": entry(ante, ante), "bet": entry(bet, bet)}
        else:
            outcome = "lose"
            wagers |= {"ante": entry(ante, 0), "bet": entry(bet, 0)}
        if "bonus" in made:
            row = name
            if name == "pair" and value[1][0] >= 10:
                row = "pair_of_tens_or_better"
            pays = paid_to(table_for(request, "caribbean-stud", "bonus"), row, made["bonus"])
            kept = not folded or options.get("folded_keeps_bonus", False)
            wagers["bonus"] = entry(made["bonus"], pays if kept else 0)
        if "cover_all" in made:
            table = TABLES["caribbean-stud", "cover_all", "standard"]
            pays = paid_to(table, highest, made["cover_all"], len(request["spots"]) + 1)
            wagers["cover_all"] = entry(made["cover_all"], pays)
        spots.append({"category": name, "outcome": outcome, "wagers": wagers})
    seen = {"category": FIVE_CARD[dealer[0]], "qualifies": qualifies}
    return answer(request, seen, spots, [spot["category"] for spot in spots], folds)


def three_card_poker(request: Request) -> dict[str, Any]:
    options = request["options"]
    dealt = request["dealer"].split()
    dealer = three_cards(dealt)
    plays = THREE_CARD[dealer[0]] != "high_card" or dealer[1][0] >= 12
    spots, rows, folds = [], [], []
    for spot in request["spots"]:
        cards, made, wagers = spot["cards"].split(), spot["wagers"], {}
        value = three_cards(cards)
        name = THREE_CARD[value[0]]
        folded = "fold" in spot.get("decision", {})
        outcome = None
        if "ante" in made:
            ante = made["ante"]
            if folded:
                outcome = "fold"
                wagers["ante"] = entry(ante, 0)
            elif not plays:
                outcome = "win"
                wagers |= {"ante": entry(ante, 2 * ante), "play": entry(ante, ante)}
            elif value > dealer:
                outcome = "win"
                wagers |= {"ante": entry(ante, 2 * ante), "play": entry(ante, 2 * ante)}
            elif value == dealer and options.get("equal_hands", "push") == "push":
                outcome = "push"
                wagers |= {"ante": entry(ante, ante), "play": entry(ante, ante)}
            else:
                outcome = "lose"
                wagers |= {"ante": entry(ante, 0), "play": entry(ante, 0)}
            bonus = prize(table_for(request, "three-card-poker", "ante_bonus"), name, ante)
            if bonus is not None and not folded:
                wagers["ante_bonus"] = entry(0, bonus)
        if "pair_plus" in made:
            pays = paid_to(table_for(request, "three-card-poker", "pair_plus"), name, made["pair_plus"])
            wagers["pair_plus"] = entry(made["pair_plus"], 0 if folded else pays)
        if "six_card_bonus" in made:
            best = FIVE_CARD[best_of_six([*cards, *dealt], lambda five: standard_five(sorted(five)))[0]]
            pays = paid_to(table_for(request, "three-card-poker", "six_card_bonus"), best, made["six_card_bonus"])
            wagers["six_card_bonus"] = entry(made["six_card_bonus"], pays)
        spots.append({"category": name, "outcome": outcome, "wagers": wagers})
        if set(cards) == {"As", "Ks", "Qs"}:
            rows.append("akq_spades")
        elif name == "straight_flush" and {card[0] for card in cards} == {"A", "K", "Q"}:
            rows.append("akq_other_suit")
        else:
            rows.append(name)
        folds.append(folded)
    return answer(request, {"category": THREE_CARD[dealer[0]], "qualifies": plays}, spots, rows, folds)


def run_category(run: tuple[int, int]) -> dict[str, Any]:
    return {"length": run[0], "ending": RANKS[run[1] - 2]}


def bad_beat(player: tuple[int, int], dealer: tuple[int, int]) -> str:
    """SEB-1, SEB-2: the row of the lower of two runs of four or more that do not tie."""
    if player == dealer or min(player[0], dealer[0]) < 4:
        return ""
    return str(min(player, dealer)[0])


def straight_edge_1(request: Request) -> dict[str, Any]:
    options = request["options"]
    dealer = longest_run(request["dealer"].split(), wraps=True)
    spots, rows, folds = [], [], []
    for spot in request["spots"]:
        made, wagers = spot["wagers"], {}
        player = longest_run(spot["cards"].split(), wraps=True)
        folded = "fold" in spot["decision"]
        ante = made["ante"]
        if folded:
            outcome = "fold"
            wagers["ante"] = entry(ante, 0)
        elif player[0] > dealer[0] or (player[0] == dealer[0] and player[1] >= dealer[1]):
            outcome = "win"
            table = TABLES["straight-edge-1", "play", "standard"]
            pays = paid_to(table, str(player[0] - dealer[0]), ante)
            wagers |= {"ante": entry(ante, 2 * ante), "play": entry(ante, pays)}
        else:
            outcome = "lose"
            wagers |= {"ante": entry(ante, 0), "play": entry(ante, 0)}
        if "bonus" in made:
            pays = paid_to(table_for(request, "straight-edge-1", "bonus"), str(player[0]), made["bonus"])
            kept = not folded or options.get("folded_keeps_bonus", False)
            wagers["bonus"] = entry(made["bonus"], pays if kept else 0)
        if "insurance" in made:
            wagers["insurance"] = entry(made["insurance"], 26 * made["insurance"] if player[0] == 1 else 0)
        spots.append({"category": run_category(player), "outcome": outcome, "wagers": wagers})
        rows.append(bad_beat(player, dealer))
        folds.append(folded)
    return answer(request, {"category": run_category(dealer), "qualifies": None}, spots, rows, folds)


def straight_edge_2(request: Request) -> dict[str, Any]:
    options = request["options"]
    dealer = longest_run(request["dealer"].split(), wraps=False)
    qualifies = dealer[0] >= 3 or (dealer[0] == 2 and dealer[1] >= 10)
    spots, rows, folds = [], [], []
    for spot in request["spots"]:
        made, wagers = spot["wagers"], {}
        player = longest_run(spot["cards"].split(), wraps=False)
        folded = "fold" in spot["decision"]
        ante, blind, play = made["ante"], made["blind"], 2 * made["ante"]
        if folded:
            outcome = "fold"
            wagers |= {"ante": entry(ante, 0), "blind": entry(blind, 0)}
        elif player == dealer:
            outcome = "push"
            wagers |= {"ante": entry(ante, ante), "play": entry(play, play), "blind": entry(blind, blind)}
        elif player > dealer:
            outcome = "win"
            margin = player[0] - dealer[0]
            if margin:
                pays = paid_to(TABLES["straight-edge-2", "blind", "standard"], str(margin), blind)
            else:
                house = options.get("blind_on_margin_zero", "push")
                pays = {"push": blind, "one_to_one": 2 * blind, "lose": 0}[house]
            wagers |= {"ante": entry(ante, 2 * ante if qualifies else ante), "play": entry(play, 2 * play)}
            wagers["blind"] = entry(blind, pays)
        else:
            outcome = "lose"
            wagers |= {"ante": entry(ante, 0 if qualifies else ante), "play": entry(play, 0), "blind": entry(blind, 0)}
        if "four_plus" in made:
            pays = paid_to(TABLES["straight-edge-2", "four_plus", "1"], str(player[0]), made["four_plus"])
            kept = not folded or options.get("folded_keeps_four_plus", False)
            wagers["four_plus"] = entry(made["four_plus"], pays if kept else 0)
        if "insurance" in made:
            kept = not folded or options.get("folded_keeps_insurance", True)
            wagers["insurance"] = entry(made["insurance"], 26 * made["insurance"] if player[0] == 1 and kept else 0)
        spots.append({"category": run_category(player), "outcome": outcome, "wagers": wagers})
        rows.append(bad_beat(player, dealer))
        folds.append(folded)
    return answer(request, {"category": run_category(dealer), "qualifies": qualifies}, spots, rows, folds)


def six_card_pai_gow(request: Request) -> dict[str, Any]:
    dealt = request["dealer"].split()
    dealer_low = house_way(dealt)
    dealer_high = joker_five(frozenset(dealt) - {dealer_low})
    action = FIVE_CARD[dealer_high[0]] not in ("high_card", "pair") or (
        FIVE_CARD[dealer_high[0]] == "pair" and dealer_high[1][0] >= 8
    )
    bests = [FIVE_CARD[best_of_six(spot["cards"].split(), joker_five)[0]] for spot in request["spots"]]
    spots = []
    for spot, best in zip(request["spots"], bests, strict=True):
        cards, made, wagers = spot["cards"].split(), spot["wagers"], {}
        low = spot["decision"].get("low") or house_way(cards)
        high = joker_five(frozenset(cards) - {low})
        if FIVE_CARD[high[0]] == "high_card" and high[1][0] < rank(low):
            outcome = "foul"
        else:
            high_won = high > dealer_high
            low_won = low == "Jk" or rank(low) > rank(dealer_low)
            outcome = {2: "win", 1: "push", 0: "lose"}[high_won + low_won]
        back = {"win": 2, "push": 1}.get(outcome, 0)
        wagers["base"] = entry(made["base"], made["base"] * back)
        double = spot["decision"].get("double_down")
        if double is not None:
            wagers["double_down"] = entry(double, double * back if action else double)
        if "fortune" in made:
            wagers["fortune"] = fortune(request, spot, best, bests)
        if "insurance" in made:
            pays = 0
            if best == "high_card":
                top = max(rank(card) for card in cards)
                rows = {8: "8", 9: "9", 10: "10", 11: "jack", 12: "queen", 13: "king", 14: "ace"}
                pays = paid_to(TABLES["six-card-pai-gow", "insurance", "standard"], rows[top], made["insurance"])
            wagers["insurance"] = entry(made["insurance"], pays)
        spots.append({"category": best, "outcome": outcome, "wagers": wagers, "low": low_order(low)})
    best_of_dealer = FIVE_CARD[best_of_six(dealt, joker_five)[0]]
    seen = {"category": best_of_dealer, "qualifies": action, "low": low_order(dealer_low)}
    return answer(request, seen, spots, bests, [False] * len(bests))


def fortune(request: Request, spot: dict[str, Any], best: str, bests: list[str]) -> dict[str, Any]:
    """PGF-1, PGF-2."""
    table = table_for(request, "six-card-pai-gow", "fortune")
    wager = spot["wagers"]["fortune"]
    own = entry(wager, paid_to(table, best, wager))
    if "envy" not in table:
        return own
    envy = 0
    if wager >= cents(table["envy_minimum_wager"]):
        for other, held in zip(request["spots"], bests, strict=True):
            if other is not spot:
                envy += cents(table["envy"].get(held, 0))
    return {**own, "result": "win" if envy else own["result"], "returned": own["returned"] + envy, "envy": envy}


# ------------------------------------------------------------------------------------------- random rounds


def drawn(dice: random.Random, deck: list[str], count: int, beside: Sequence[str]) -> list[str]:
    """Cards off the deck, often strong ones: suited, in sequence, in groups, or a copy of another hand's ranks."""
    kind = dice.choice(("any", "any", "suited", "row", "suited row", "groups", "copy"))
    suit = dice.choice(SUITS)
    first = dice.choice((*range(13), 0, 8, 8, 10))
    row = [RANKS[(first + place) % 13] for place in range(count)]
    pools = {
        "any": [],
        "suited": [card for card in deck if card[1] == suit],
        "row": [card for letter in row for card in dice.sample(SUITS, 4) for card in [letter + card] if card in deck],
        "suited row": [letter + suit for letter in row if letter + suit in deck],
        "groups": [letter + one for letter in dice.sample(RANKS, 2) for one in dice.sample(SUITS, 4)],
        "copy": [letter[0] + one for letter in beside if letter != "Jk" for one in dice.sample(SUITS, 4)],
    }
    wanted: list[str] = []
    for card in pools[kind]:
        repeated = kind in ("row", "copy") and any(card[0] == other[0] for other in wanted)
        if card in deck and card not in wanted and not repeated:
            wanted.append(card)
    wanted = wanted[: count - (dice.random() < 0.4)]
    if "Jk" in deck and dice.random() < 0.3:
        wanted = ["Jk", *wanted][:count]
    rest = [card for card in deck if card not in wanted]
    hand = wanted + dice.sample(rest, count - len(wanted))
    for card in hand:
        deck.remove(card)
    dice.shuffle(hand)
    return hand


def amount(dice: random.Random) -> int:
    return dice.choice((1, 3, 99, 100, 101, 250, 499, 500, 501, 1000, 2500, 12_345))


PROGRESSIVES = {
    "caribbean-stud": ("caribbean-stud", "five-card-link"),
    "three-card-poker": ("three-card-poker",),
    "straight-edge-1": ("straight-edge",),
    "straight-edge-2": ("straight-edge",),
    "six-card-pai-gow": ("six-card-pai-gow",),
}
SHAPES = {
    "caribbean-stud": (5, 5, 7, ("ante",), ("bonus", "cover_all")),
    "three-card-poker": (3, 3, 7, ("ante",), ("pair_plus", "six_card_bonus")),
    "straight-edge-1": (7, 8, 6, ("ante",), ("bonus", "insurance")),
    "straight-edge-2": (7, 7, 6, ("ante", "blind"), ("four_plus", "insurance")),
    "six-card-pai-gow": (6, 6, 6, ("base",), ("fortune", "insurance")),
}
"""Cards of a player and of the dealer, most spots, required wagers, side wagers."""
OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "caribbean-stud": {
        "folded_keeps_bonus": (True, False),
        "cover_all_counts_folded": (True, False),
        "cover_all_expose_from": ("three_of_a_kind", "straight"),
        "folded_qualifies": (True, False),
    },
    "three-card-poker": {
        "equal_hands": ("push", "lose"),
        "two_spots": (True, False),
        "reconcile_order": ("ante play pair_plus ante_bonus",),
        "folded_qualifies": (False,),
    },
    "straight-edge-1": {
        "folded_keeps_bonus": (True, False),
        "folded_qualifies": (True, False),
        "envy_scales": (True, False),
    },
    "straight-edge-2": {
        "blind_on_margin_zero": ("push", "one_to_one", "lose"),
        "folded_keeps_insurance": (True, False),
        "folded_keeps_four_plus": (True, False),
        "envy_scales": (True, False),
        "folded_qualifies": (True, False),
    },
    "six-card-pai-gow": {
        "double_down_for_less": (True, False),
        "positions": (7,),
        "dealer_position": (1, 4),
        "envy_scales": (True, False),
        "folded_qualifies": (True, False),
    },
}
EVERY_GAME = {
    "envy_needs_wager": (True, False),
    "folded_wins_envy": (True, False),
    "decision_timeout_seconds": (0, 30),
}


def rounds(game: str, count: int, seed: int) -> Iterator[Request]:
    dice = random.Random(f"{game} {seed}")
    for _ in range(count):
        yield random_round(game, dice)


def random_round(game: str, dice: random.Random) -> Request:
    players, dealers, most, required, sides = SHAPES[game]
    deck = [*DECK, "Jk"] if game == "six-card-pai-gow" else list(DECK)
    dealer = drawn(dice, deck, dealers, [])
    numbers = dice.sample(range(1, most + 1), dice.choice((1, 2, 2, 3, 3, dice.randint(1, most))))
    choices = {**OPTIONS[game], **EVERY_GAME}
    options = {name: dice.choice(values) for name, values in choices.items() if dice.random() < 0.4}
    tables = {}
    for wager in (*required, *sides, "ante_bonus"):
        known = [name for family, made, name in TABLES if family == game and made == wager]
        if len(known) > 1:
            tables[wager] = dice.choice(known)
    request: Request = {"game": game, "tables": tables, "options": options, "dealer": " ".join(dealer), "spots": []}
    stake = add_progressive(request, dice, numbers) if dice.random() < 0.75 else 0
    for number in numbers:
        cards = drawn(dice, deck, players, dealer)
        base = amount(dice)
        wagers = dict.fromkeys(required, base) | {side: amount(dice) for side in sides if dice.random() < 0.5}
        if stake and dice.random() < 0.8:
            wagers["progressive"] = stake
        if game == "three-card-poker" and "pair_plus" in wagers and dice.random() < 0.2:
            wagers = {"pair_plus": wagers["pair_plus"]}
        spot = {"spot": number, "cards": " ".join(cards), "wagers": wagers}
        decide(request, spot, dice)
        request["spots"].append(spot)
    return request


def decide(request: Request, spot: dict[str, Any], dice: random.Random) -> None:
    if request["game"] == "six-card-pai-gow":
        base = spot["wagers"]["base"]
        decision: dict[str, Any] = {"house_way": True}
        if dice.random() < 0.5:
            decision = {"low": dice.choice(spot["cards"].split())}
        if dice.random() < 0.5:
            less = request["options"].get("double_down_for_less", False)
            decision["double_down"] = dice.randint(1, base) if less else base
        spot["decision"] = decision
    elif "ante" in spot["wagers"]:
        spot["decision"] = {"fold": True} if dice.random() < 0.3 else {"play": True}


def add_progressive(request: Request, dice: random.Random, numbers: list[int], families: Sequence[str] = ()) -> int:
    """A progressive table with its meters, and the options about it; gives the wager of the round."""
    chosen = families or PROGRESSIVES[request["game"]]
    key = dice.choice([key for key in TABLES if key[0] in chosen and key[1] == "progressive"])
    table = TABLES[key]
    names = meter_names(table)
    request["tables"]["progressive"] = key[2]
    request["progressive"] = table
    request["meters"] = {name: dice.choice((0, 7, 2_999, 123_457, 9_999_999)) for name in names}
    request["seeds"] = {name: dice.choice((0, 100_000, 1_234_567)) for name in names}
    if dice.random() < 0.6:
        request["reserves"] = {name: dice.randint(0, 50_000) for name in names if dice.random() < 0.8}
    if dice.random() < 0.6:
        values = ["as_marked", "tray", *(f"meter:{name}" for name in names), *(["meter"] if len(names) == 1 else [])]
        request["options"]["fixed_from"] = dice.choice(values)
    if dice.random() < 0.6:
        order = dice.sample(numbers, len(numbers))
        request["options"]["award_order"] = dice.choice(("right_to_left", "left_to_right", order))
    stated = table.get("stated_wager")
    return cents(stated) if stated is not None else dice.choice((1, 33, 100, 250, 500))


# ------------------------------------------------------------------------------------------- the comparison

OPINIONS: dict[str, Callable[[Request], dict[str, Any]]] = {
    "caribbean-stud": caribbean_stud,
    "three-card-poker": three_card_poker,
    "straight-edge-1": straight_edge_1,
    "straight-edge-2": straight_edge_2,
    "six-card-pai-gow": six_card_pai_gow,
}


def comparable(given: dict[str, Any]) -> dict[str, Any]:
    """The program's answer without the words for people; of a setting, how high its low card is."""
    plain = {**given, "dealer": without_words(given["dealer"]), "spots": [without_words(one) for one in given["spots"]]}
    if "reseeded" in plain:
        plain["reseeded"] = sorted(plain["reseeded"])
    return plain


def without_words(seen: dict[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in seen.items() if key not in ("hand", "set")}
    if "set" in seen:
        plain["low"] = low_order(seen["set"]["low"])
    return plain


def compare(settle: Callable[[Request], dict[str, Any]], game: str, count: int, seed: int) -> Counter[str]:
    """Settle many rounds twice; gives how often each category and each outcome came."""
    met: Counter[str] = Counter()
    for made in rounds(game, count, seed):
        request = {key: value for key, value in made.items() if key != "progressive"}
        expected = OPINIONS[game](made)
        given = comparable(settle(request))
        assert given == expected, request
        for spot in expected["spots"]:
            category = spot["category"]
            met[str(category["length"] if isinstance(category, dict) else category)] += 1
            met[str(spot["outcome"])] += 1
            if spot["wagers"].get("progressive", {}).get("envy"):
                met["envy"] += 1
    return met


HANDS_OF_SIX = 18_395 + 16_731 + 1_716 + 6_175 + 9_295 + 1_287
"""Without the joker and with it: ranks alone, one card short of six of a suit, six of a suit."""


def hands_of_six() -> Iterator[list[str]]:
    """Every six-card hand of the 53, up to the names of the suits and to suits that make no flush."""
    for jokers in (0, 1):
        for letters in combinations_with_replacement(RANKS, 6 - jokers):
            if max(Counter(letters).values()) <= 4:
                yield ["Jk"][:jokers] + [letter + SUITS[place % 4] for place, letter in enumerate(letters)]
        for letters in combinations(RANKS, 5 - jokers):
            for odd in RANKS:
                yield ["Jk"][:jokers] + [letter + "s" for letter in letters] + [odd + "h"]
        for letters in combinations(RANKS, 6 - jokers):
            yield ["Jk"][:jokers] + [letter + "s" for letter in letters]


def compare_house_way(settle: Callable[[Request], dict[str, Any]], every: int) -> int:
    """Set each of the hands twice, or one in ``every``; gives how many were set."""
    count = 0
    for place, cards in enumerate(hands_of_six()):
        if place % every:
            continue
        count += 1
        others = [card for card in DECK[::3] if card not in cards][:6]
        spot = {"spot": 1, "cards": " ".join(cards), "wagers": {"base": 100}, "decision": {"house_way": True}}
        request = {"game": "six-card-pai-gow", "dealer": " ".join(others), "spots": [spot]}
        low = settle(request)["spots"][0]["set"]["low"]
        assert low_order(low) == low_order(house_way(cards)), cards
    return count


def test_a_second_opinion_on_the_house_way_agrees(settle: Callable[[Request], dict[str, Any]]) -> None:
    assert compare_house_way(settle, every=37) > 1_400


@pytest.mark.long
def test_a_second_opinion_on_the_house_way_agrees_on_every_hand(settle: Callable[[Request], dict[str, Any]]) -> None:
    assert compare_house_way(settle, every=1) == HANDS_OF_SIX


@pytest.mark.parametrize("game", OPINIONS)
def test_a_second_opinion_agrees_on_random_rounds(settle: Callable[[Request], dict[str, Any]], game: str) -> None:
    met = compare(settle, game, 1000, seed=1)
    rare = ("7", "1") if game.startswith("straight-edge") else ("straight_flush", "three_of_a_kind")
    assert all(met[name] >= 3 for name in (*rare, "win", "lose")), met


@pytest.mark.long
@pytest.mark.parametrize("game", OPINIONS)
def test_a_second_opinion_agrees_on_very_many_random_rounds(
    settle: Callable[[Request], dict[str, Any]], game: str
) -> None:
    met = compare(settle, game, 20_000, seed=2)
    rare = ("7", "1", "envy") if game.startswith("straight-edge") else ("straight_flush", "three_of_a_kind", "envy")
    assert all(met[name] >= 100 for name in (*rare, "win", "lose")), met
