"""A slow second opinion on Crazy 4 Poker, Four Card Poker and DJ Wild: settled plainly, compared over random rounds.

Written from the specification alone, as ``test_second_opinion.py``, whose cards, pay tables and progressive it uses.
Four cards are found by trying every four, a wild card by putting every card in its place.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest
from tests.clauses.test_second_opinion import (
    DECK,
    EVERY_GAME,
    TABLES,
    Request,
    Value,
    add_progressive,
    amount,
    answer,
    by_groups,
    comparable,
    drawn,
    entry,
    paid_to,
    prize,
    rank,
    standard_five,
)
from tests.clauses.test_second_opinion import FIVE_CARD as POKER

FOUR_CARD = (
    *("high_card", "pair", "two_pair", "straight", "flush", "three_of_a_kind", "straight_flush", "four_of_a_kind"),
)
WILD_CARD = (
    *("high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind"),
    *("straight_flush", "five_of_a_kind", "royal_flush", "five_wilds"),
)
ROUNDS = 1000


# -------------------------------------------------------------------------------------------------- ranking


def best_four(cards: Sequence[str]) -> Value:
    """CF-1, CF-2: the best of every four."""
    return max(four_cards(four) for four in combinations(cards, 4))


def four_cards(cards: Sequence[str]) -> Value:
    counts, ranks = by_groups([rank(card) for card in cards])
    if len(ranks) < 4:
        names = {(4,): "four_of_a_kind", (3, 1): "three_of_a_kind", (2, 2): "two_pair", (2, 1, 1): "pair"}
        return FOUR_CARD.index(names[tuple(counts)]), ranks
    suited = len({card[1] for card in cards}) == 1
    low = set(ranks) == {14, 2, 3, 4}
    if low or ranks[0] - ranks[3] == 3:
        return FOUR_CARD.index("straight_flush" if suited else "straight"), (4 if low else ranks[0],)
    return FOUR_CARD.index("flush" if suited else "high_card"), ranks


def wild_five(cards: Sequence[str]) -> Value:
    """DJ-1, DJ-2, DJ-A1: every rank in the place of the wild cards, in the suit of the others and in none."""
    naturals = sorted(card for card in cards if card != "Jk" and card[0] != "2")
    suited = len({card[1] for card in naturals}) <= 1
    return wild_ranks(tuple(rank(card) for card in naturals), suited)


@cache
def wild_ranks(naturals: tuple[int, ...], suited: bool) -> Value:
    wilds = 5 - len(naturals)
    if wilds == 5:
        return WILD_CARD.index("five_wilds"), ()
    found = []
    for others in combinations_with_replacement(range(2, 15), wilds):
        ranks = sorted((*naturals, *others), reverse=True)
        if len(set(ranks)) == 1:
            found.append((WILD_CARD.index("five_of_a_kind"), (ranks[0],)))
            continue
        # The cards of one suit, and the same in two.
        for suit in ("h", "s") if suited and len(set(ranks)) == 5 else ("s",):
            number, order = standard_five([f"{'23456789TJQKA'[value - 2]}{suit if place else 'h'}"
                                           for place, value in enumerate(ranks)])  # fmt: skip
            found.append((WILD_CARD.index(POKER[number]), order))
    return max(found)


# ------------------------------------------------------------------------------------------------- the games


def multiple(spot: dict[str, Any]) -> int:
    """How many times the Ante was bet; 0 for a fold."""
    return {"fold": 0, "1x": 1, "2x": 2, "3x": 3}[spot["actions"][0]]


def crazy_four_poker(request: Request) -> dict[str, Any]:
    dealer = best_four(request["dealer"].split())
    qualifies = dealer >= (0, (13,))
    spots, rows, folds = [], [], []
    for spot in request["spots"]:
        cards, made = spot["cards"].split(), spot["wagers"]
        value, times, ante = best_four(cards), multiple(spot), made["ante"]
        name, play = FOUR_CARD[value[0]], times * ante
        wagers: dict[str, Any] = {}
        pushes = value >= dealer or not qualifies
        if not times:
            outcome = "fold"
            wagers |= {"ante": entry(ante, 0), "super_bonus": entry(ante, 0)}
        else:
            if not qualifies:
                outcome = "win"
                wagers |= {"ante": entry(ante, ante), "play": entry(play, 2 * play)}
            else:
                back = 2 if value > dealer else 1 if value == dealer else 0
                outcome = {2: "win", 1: "push", 0: "lose"}[back]
                wagers |= {"ante": entry(ante, back * ante), "play": entry(play, back * play)}
            row = "four_aces" if name == "four_of_a_kind" and value[1][0] == 14 else name
            won = prize(TABLES["crazy-four-poker", "super_bonus", "standard"], row, ante)
            returned = ante + won if won is not None else ante if pushes else 0
            wagers["super_bonus"] = entry(ante, returned) | ({"result": "win"} if won is not None and won else {})
        if "queens_up" in made:
            row = "pair_of_queens_or_better" if name == "pair" and value[1][0] >= 12 else name
            table = TABLES["crazy-four-poker", "queens_up", request["tables"]["queens_up"]]
            kept = times or request["options"].get("folded_keeps_queens_up", False)
            wagers["queens_up"] = entry(made["queens_up"], paid_to(table, row, made["queens_up"]) if kept else 0)
        spots.append({"category": name, "outcome": outcome, "wagers": wagers})
        rows.append(POKER[standard_five(cards)[0]])
        folds.append(not times)
    return answer(request, {"category": FOUR_CARD[dealer[0]], "qualifies": qualifies}, spots, rows, folds)


def four_card_poker(request: Request) -> dict[str, Any]:
    dealer = best_four(request["dealer"].split())
    spots, rows, folds = [], [], []
    for spot in request["spots"]:
        cards, made = spot["cards"].split(), spot["wagers"]
        value = best_four(cards)
        name = FOUR_CARD[value[0]]
        wagers: dict[str, Any] = {}
        outcome = None
        folded = spot.get("actions") == ["fold"]
        if "ante" in made:
            ante, play = made["ante"], made["ante"] * multiple(spot)
            if folded:
                outcome = "fold"
                wagers["ante"] = entry(ante, 0)
            else:
                outcome = "win" if value >= dealer else "lose"
                back = 2 if outcome == "win" else 0
                wagers |= {"ante": entry(ante, back * ante), "play": entry(play, back * play)}
                bonus = prize(TABLES["four-card-poker", "ante_bonus", request["tables"]["ante_bonus"]], name, ante)
                if bonus:
                    wagers["ante_bonus"] = entry(0, bonus)
        if "aces_up" in made:
            row = "pair_of_aces" if name == "pair" and value[1][0] == 14 else name
            table = TABLES["four-card-poker", "aces_up", request["tables"]["aces_up"]]
            wagers["aces_up"] = entry(made["aces_up"], 0 if folded else paid_to(table, row, made["aces_up"]))
        spots.append({"category": name, "outcome": outcome, "wagers": wagers})
        rows.append(POKER[standard_five(cards)[0]])
        folds.append(folded)
    return answer(request, {"category": FOUR_CARD[dealer[0]], "qualifies": None}, spots, rows, folds)


def dj_wild(request: Request) -> dict[str, Any]:
    dealer = wild_five(request["dealer"].split())
    spots = []
    for spot in request["spots"]:
        value, ante = wild_five(spot["cards"].split()), spot["wagers"]["ante"]
        name, play = WILD_CARD[value[0]], 2 * ante
        if spot["actions"] == ["fold"]:
            outcome, wagers = "fold", {"ante": entry(ante, 0), "blind": entry(ante, 0)}
        else:
            back = 2 if value > dealer else 1 if value == dealer else 0
            outcome = {2: "win", 1: "push", 0: "lose"}[back]
            won = prize(TABLES["dj-wild", "blind", "standard"], name, ante) or 0
            blind = ante + won if back == 2 else back * ante
            wagers = {"ante": entry(ante, back * ante), "play": entry(play, back * play), "blind": entry(ante, blind)}
        spots.append({"category": name, "outcome": outcome, "wagers": wagers})
    return answer(request, {"category": WILD_CARD[dealer[0]], "qualifies": None}, spots, [], [])


# ------------------------------------------------------------------------------------------- random rounds


def rounds(game: str, count: int, seed: int) -> Iterator[Request]:
    dice = random.Random(f"{game} {seed}")
    for _ in range(count):
        yield random_round(game, dice)


def random_round(game: str, dice: random.Random) -> Request:
    wild = game == "dj-wild"
    deck = [*DECK, "Jk"] if wild else list(DECK)
    most = 6 if wild else 7
    dealer = drawn(dice, deck, 6 if game == "four-card-poker" else 5, [])
    numbers = dice.sample(range(1, most + 1), dice.choice((1, 2, 2, 3, 3, dice.randint(1, most))))
    offered = {"folded_qualifies": (True, False), **EVERY_GAME}
    if game == "crazy-four-poker":
        offered["folded_keeps_queens_up"] = (True, False)
    options = {name: dice.choice(values) for name, values in offered.items() if not wild and dice.random() < 0.4}
    tables = {}
    for wager in ("queens_up", "ante_bonus", "aces_up"):
        known = [name for family, made, name in TABLES if family == game and made == wager]
        if known:
            tables[wager] = dice.choice(known)
    request: Request = {"game": game, "tables": tables, "options": options, "dealer": " ".join(dealer), "spots": []}
    stake = add_progressive(request, dice, numbers, ("five-card-link",)) if not wild and dice.random() < 0.75 else 0
    for number in numbers:
        cards = drawn(dice, deck, 5, dealer)
        if wild and dice.random() < 0.3:
            cards = with_deuces(dice, deck, cards)
        base = amount(dice)
        equal = {"crazy-four-poker": "super_bonus", "dj-wild": "blind"}.get(game)
        wagers = {"ante": base} | ({equal: base} if equal else {})
        side = {"crazy-four-poker": "queens_up", "four-card-poker": "aces_up"}.get(game)
        if side and dice.random() < 0.5:
            wagers[side] = amount(dice)
        if stake and dice.random() < 0.8:
            wagers["progressive"] = stake
        if game == "four-card-poker" and dice.random() < 0.2:
            wagers = {"aces_up": amount(dice)}
        spot: dict[str, Any] = {"spot": number, "cards": " ".join(cards), "wagers": wagers}
        if "ante" in wagers:
            spot["actions"] = [dice.choice(open_choices(game, cards))]
        request["spots"].append(spot)
    return request


def with_deuces(dice: random.Random, deck: list[str], cards: list[str]) -> list[str]:
    """Some cards of a hand replaced by deuces that are still in the deck."""
    deuces = [card for card in deck if card[0] == "2"][: dice.randint(1, 4)]
    held = [*cards[: 5 - len(deuces)], *deuces]
    for card in deuces:
        deck.remove(card)
    deck += [card for card in cards if card not in held]
    return held


def open_choices(game: str, cards: Sequence[str]) -> tuple[str, ...]:
    if game == "dj-wild":
        return "fold", "play", "play"
    if game == "four-card-poker" or best_four(cards) >= (1, (14,)):
        return "fold", "1x", "2x", "3x"
    return "fold", "1x", "1x"


OPINIONS: dict[str, Callable[[Request], dict[str, Any]]] = {
    "crazy-four-poker": crazy_four_poker,
    "four-card-poker": four_card_poker,
    "dj-wild": dj_wild,
}


def compare(settle: Callable[[Request], dict[str, Any]], game: str, count: int, seed: int) -> Counter[str]:
    """Settle many rounds twice; gives how often each category and each outcome came."""
    met: Counter[str] = Counter()
    for asked in rounds(game, count, seed):
        request = {key: value for key, value in asked.items() if key != "progressive"}
        assert comparable(settle(request)) == OPINIONS[game](asked), request
        for spot in OPINIONS[game](asked)["spots"]:
            met[spot["category"]] += 1
            met[str(spot["outcome"])] += 1
    return met


RARE = {
    "crazy-four-poker": ("four_of_a_kind", "straight_flush", "push", "fold"),
    "four-card-poker": ("four_of_a_kind", "straight_flush", "None", "fold"),
    "dj-wild": ("five_wilds", "royal_flush", "five_of_a_kind", "straight_flush", "fold"),
}


@pytest.mark.parametrize("game", OPINIONS)
def test_a_second_opinion_agrees_on_random_rounds(settle: Callable[[Request], dict[str, Any]], game: str) -> None:
    met = compare(settle, game, ROUNDS, seed=1)
    assert all(met[name] >= 2 for name in (*RARE[game], "win", "lose")), met


@pytest.mark.long
@pytest.mark.parametrize("game", OPINIONS)
def test_a_second_opinion_agrees_on_very_many_random_rounds(
    settle: Callable[[Request], dict[str, Any]], game: str
) -> None:
    met = compare(settle, game, 20 * ROUNDS, seed=2)
    assert all(met[name] >= 20 for name in (*RARE[game], "win", "lose")), met
