"""Ten thousand requests that nobody wrote: valid rounds, valid rounds with something broken, and anything at all.

Every one is answered or refused; what is answered adds up, and never pays more than the tables allow.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from houseway.adjudication import settle_text, write_json
from houseway.games import Game, all_games, approved_book
from houseway.games.flow import next_point
from houseway.paytables import PayTable, ProgressiveTable
from houseway.refusal import Refusal

OWN = ("caribbean-stud", "six-card-pai-gow", "straight-edge-1", "straight-edge-2", "three-card-poker")
BOOK = approved_book()

VALID, BROKEN, ANYTHING = 4_000, 4_500, 1_500
"""Examples of each kind: ten thousand in all."""


def steady(examples: int) -> settings:
    """The same examples in every run, so that a change is what makes a test fail."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=checks)


# ------------------------------------------------------------------------------------------------ valid rounds

STRONG = {
    "caribbean-stud": "royal quads straight_flush full_house straight flush",
    "six-card-pai-gow": "royal six_run quads straight_flush full_house five_aces two_trips three_pairs",
    "straight-edge-1": "seven_run wrapping four_run no_run",
    "straight-edge-2": "seven_run wrapping four_run no_run",
    "three-card-poker": "akq_spades akq trips straight_flush",
}
CARDS = {
    "royal": "As Ks Qs Js Ts",
    "quads": "9c 9d 9h 9s Kd",
    "straight_flush": "4d 5d 6d 7d 8d",
    "full_house": "Tc Td Th Kc Kh",
    "straight": "5c 6c 7h 8c 9h",
    "flush": "Ad Jd 9d 3d 2d",
    "six_run": "3h 4h 5h 6h 7h 8h",
    "five_aces": "Ac Ad Ah As Jk 2c",
    "two_trips": "2c 2d 2h 3c 3d 3h",
    "three_pairs": "6c 6d 7c 7d Qh Qd",
    "seven_run": "5c 6c 7c 8c 9c Tc Jc",
    "wrapping": "Jd Qd Kd Ad 2d 3d 4d",
    "four_run": "5h 6h 7h 8h Th Qh 2h",
    "no_run": "2s 4s 6s 8s Ts Qs Qc",
    "akq_spades": "As Ks Qs",
    "akq": "Ad Kd Qd",
    "trips": "7c 7d 7h",
}
"""Hands that a fair deal hardly ever gives."""
TWIN_SUITS = {"c": "d", "d": "h", "h": "s", "s": "c", "k": "k"}

OPTIONS: dict[str, tuple[Any, ...]] = {
    "equal_hands": ("push", "lose"),
    "reconcile_order": ("ante play pair_plus ante_bonus",),
    "cover_all_expose_from": ("three_of_a_kind", "straight"),
    "fixed_from": ("as_marked", "tray", "meter"),
    "award_order": ("right_to_left", "left_to_right", "list"),
    "blind_on_margin_zero": ("push", "one_to_one", "lose"),
    "positions": (2, 7),
    "dealer_position": (1, 7),
    "decision_timeout_seconds": (0, 60, 2.5),
    "ante_required": (False,),
}
"""What an option may be, where it is not true or false."""
AMOUNTS = (1, 3, 5, 99, 100, 250, 500, 501, 1_000, 2_500, 1_000_000, 10**15)
METERS = (0, 1, 99, 100, 4_999, 1_000_000, 123_456_789, 10**15)


def deal(game: Game, source: random.Random, hands: int, strong: str) -> list[str]:
    """The dealer's cards, then the players': as they fall, but for a hand of ``CARDS`` where one is asked for.

    Its twin in other suits may go to the dealer or to a second player, so that two win at once.
    """
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] + (["Jk"] if game.has_joker else [])
    source.shuffle(deck)
    given: dict[int, list[str]] = {}
    if strong:
        given[1] = CARDS[strong].split()
        twin = [card[0] + TWIN_SUITS[card[1]] for card in given[1]]
        if set(twin).isdisjoint(given[1]):
            given[source.choice([0, 2, 3])] = twin
    taken = {card for place, hand in given.items() if place <= hands for card in hand}
    deck = [card for card in deck if card not in taken]
    made = []
    for place in range(hands + 1):
        count = game.player_cards if place else game.dealer_cards
        hand = given.get(place, [])[:count]
        hand += [deck.pop() for _ in range(count - len(hand))]
        source.shuffle(hand)
        made.append(" ".join(hand))
    return made


def make_round(game: Game, crowd: int, strong: int, seed: int) -> dict[str, Any]:
    """A round that every rule allows."""
    source = random.Random(seed)
    count = min(crowd, game.most_spots)
    numbers = source.sample(range(1, game.most_spots + 1), count)
    hands = ["", "", *STRONG[game.key].split()]
    dealer, *dealt = deal(game, source, count, hands[strong % len(hands)])
    tables: dict[str, Any] = {wager: source.choice(BOOK.of(game.families, wager)) for wager in game.table_wagers}
    progressive = tables["progressive"]
    stake = progressive.stated_wager_cents or source.choice(AMOUNTS)
    options = make_options(game, source, numbers, progressive)
    spots = []
    for number, hand in zip(numbers, dealt, strict=True):
        wagers = make_wagers(game, source, stake)
        spot = {"spot": number, "cards": hand, "wagers": wagers}
        decision = make_decision(game, source, hand, wagers, options)
        if decision or source.random() < 0.5:
            spot["decision"] = decision
        spots.append(spot)
    request = {
        "game": game.key,
        "tables": {wager: source.choice([table.id, *table.aliases]) for wager, table in tables.items()},
        "dealer": dealer,
        "spots": spots,
        "meters": {name: source.choice(METERS) for name in progressive.meters},
        "seeds": {name: source.choice(METERS) for name in progressive.meters},
    }
    if options or source.random() < 0.5:
        request["options"] = options
    if source.random() < 0.5:
        request["reserves"] = {name: source.choice(METERS) for name in progressive.meters}
    return request


def make_options(
    game: Game, source: random.Random, numbers: list[int], progressive: ProgressiveTable
) -> dict[str, Any]:
    chosen = source.sample(game.options, source.randrange(4))
    options = {option.name: source.choice(OPTIONS.get(option.name, (True, False))) for option in chosen}
    if options.get("award_order") == "list":
        options["award_order"] = source.sample(numbers, len(numbers))
    if options.get("fixed_from") == "meter" and len(progressive.meters) > 1:
        options["fixed_from"] = f"meter:{source.choice(progressive.meters)}"
    if game.key == "three-card-poker" and "folded_qualifies" in options:
        options["folded_qualifies"] = False
    return options


def make_wagers(game: Game, source: random.Random, stake: int) -> dict[str, int]:
    wagers: dict[str, int] = {}
    for wager in game.wagers:
        if wager.kind not in ("required", "optional") or (wager.needs and wager.needs not in wagers):
            continue
        if wager.kind == "required" or source.random() < 0.6:
            wagers[wager.key] = wagers[wager.equals] if wager.equals else source.choice(AMOUNTS)
    if not wagers:
        wagers = {"pair_plus": source.choice(AMOUNTS)}
    if "progressive" in wagers:
        wagers["progressive"] = stake
    return wagers


def make_decision(
    game: Game, source: random.Random, hand: str, wagers: Mapping[str, int], options: Mapping[str, Any]
) -> dict[str, Any]:
    if game.key == "six-card-pai-gow":
        made: dict[str, Any] = source.choice([{"house_way": True}, *({"low": card} for card in hand.split())])
        if source.random() < 0.5:
            least = 1 if options.get("double_down_for_less") else wagers["base"]
            made["double_down"] = source.randint(least, wagers["base"])
        return made
    if next_point(game, wagers) is None:
        return {}
    return {"play": True} if source.random() < 0.7 else {"fold": True}


rounds = st.builds(
    make_round,
    st.sampled_from([all_games()[key] for key in OWN]),
    st.integers(1, 7),
    st.integers(0, 9),
    st.integers(0, 2**32),
)


# --------------------------------------------------------------------------------------- what must always hold


def settle(request: Any) -> dict[str, Any]:
    """The answer, which a program could read."""
    answer = settle_text(json.dumps(request), BOOK)
    text = write_json(answer)
    assert "\n" not in text
    assert json.loads(text.encode("utf-8")) == answer
    return answer


def check_sums(request: dict[str, Any], answer: dict[str, Any]) -> None:
    assert [spot["spot"] for spot in answer["spots"]] == [spot["spot"] for spot in request["spots"]]
    for asked, spot in zip(request["spots"], answer["spots"], strict=True):
        for key, wager in spot["wagers"].items():
            assert wager["returned"] >= 0
            assert wager["wagered"] == asked["wagers"].get(key, wager["wagered"])
            assert wager["result"] in ("win", "push", "lose")
            assert (wager["result"] == "lose") == (wager["returned"] == 0) or wager["result"] == "win"
        assert set(asked["wagers"]) <= set(spot["wagers"])
        for sum_of in ("wagered", "returned"):
            assert spot[sum_of] == sum(wager[sum_of] for wager in spot["wagers"].values())
        if "progressive" in spot["wagers"]:
            won = spot["wagers"]["progressive"]
            assert min(won["from_meter"], won["from_tray"], won["envy"]) >= 0
            assert won["returned"] == won["from_meter"] + won["from_tray"] + won["envy"]


def check_bounds(request: dict[str, Any], answer: dict[str, Any]) -> None:
    """No wager gives back more than the highest row of its table, and what others' hands add to it."""
    families = all_games()[request["game"]].families
    named = request.get("tables", {})
    for spot in answer["spots"]:
        for key, wager in spot["wagers"].items():
            if key == "ante_bonus":
                most = 5 * spot["wagers"]["ante"]["wagered"]
            else:
                tables = [BOOK.find(families, key, named[key])] if key in named else BOOK.of(families, key)
                most = max((most_returned(request, table, wager) for table in tables), default=0)
            assert wager["returned"] <= max(most, 2 * wager["wagered"]), key


def most_returned(request: dict[str, Any], table: Any, wager: dict[str, Any]) -> int:
    others = len(request["spots"]) - 1
    if isinstance(table, ProgressiveTable):
        return most_progressive(request, table, wager, others)
    assert isinstance(table, PayTable)
    best = max(Fraction(odds.num, odds.den) for row in table.rows for odds in row.odds)
    return int(wager["wagered"] * (1 + best)) + others * max(table.envy_cents.values(), default=0)


def most_progressive(request: dict[str, Any], table: ProgressiveTable, wager: dict[str, Any], others: int) -> int:
    stated = table.stated_wager_cents or 100
    envy = others * max(row.envy_cents for row in table.rows)
    if request.get("options", {}).get("envy_scales", True):
        envy = envy * wager["wagered"] // stated
    fixed = max((row.fixed_cents or 0) for row in table.rows)
    multiple = max((Fraction(row.for_one.num, row.for_one.den) for row in table.rows if row.for_one), default=0)
    tray = max(fixed, int(multiple * wager["wagered"]))
    pot = max(request["meters"][name] + request["seeds"][name] * 7 + reserve(request, name) for name in table.meters)
    assert wager["envy"] <= envy
    assert wager["from_tray"] <= tray
    assert wager["from_meter"] <= max(pot, tray)
    return max(pot, tray) + envy


def reserve(request: dict[str, Any], name: str) -> int:
    return int(request.get("reserves", {}).get(name, 0))


def check_meters(request: dict[str, Any], answer: dict[str, Any]) -> None:
    """Money comes to the meters only by reseeding, and leaves them only to a winner."""
    table = BOOK.find(all_games()[request["game"]].families, "progressive", request["tables"]["progressive"])
    assert isinstance(table, ProgressiveTable)
    winners = {row.hand: row.meter for row in table.rows if row.percent == 100}
    folded_can = request.get("options", {}).get("folded_qualifies", False)
    times = dict.fromkeys(table.meters, 0)
    for spot, asked in zip(answer["spots"], request["spots"], strict=True):
        meter = winners.get(progressive_hand(request["game"], spot, asked["cards"], answer["dealer"]))
        if meter and "progressive" in asked["wagers"] and (folded_can or spot["outcome"] != "fold"):
            times[meter] += 1
    assert {name for name, won in times.items() if won} == set(answer["reseeded"])
    assert len(set(answer["reseeded"])) == len(answer["reseeded"])
    seeded = sum(won * request["seeds"][name] + reserve(request, name) for name, won in times.items() if won)
    paid = sum(
        spot["wagers"]["progressive"]["from_meter"] for spot in answer["spots"] if "progressive" in spot["wagers"]
    )
    assert sum(answer["meters"].values()) == sum(request["meters"].values()) - paid + seeded
    assert set(answer["meters"]) == set(table.meters)
    assert min(answer["meters"].values()) >= 0


def progressive_hand(game: str, spot: dict[str, Any], cards: str, dealer: dict[str, Any]) -> str:
    """On which row of a progressive a spot stands, from what the answer says about the hands."""
    if game == "three-card-poker":
        return "akq_spades" if set(cards.split()) == {"As", "Ks", "Qs"} else ""
    if not game.startswith("straight-edge"):
        return str(spot["category"])
    both = [spot["category"], dealer["category"]]
    lengths = [hand["length"] for hand in both]
    return "" if both[0] == both[1] or min(lengths) < 4 else str(min(lengths))


def check(request: dict[str, Any], answer: dict[str, Any]) -> None:
    check_sums(request, answer)
    check_bounds(request, answer)
    if answer.get("meters"):
        check_meters(request, answer)


# ---------------------------------------------------------------------------------------------------- the tests


def rearranged(request: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """The same hands at other spots, asked for in another order."""
    made = deepcopy(request)
    most = all_games()[request["game"]].most_spots
    numbers = dict(zip(range(1, most + 1), source.sample(range(1, most + 1), most), strict=True))
    for spot in made["spots"]:
        spot["spot"] = numbers[spot["spot"]]
    source.shuffle(made["spots"])
    if isinstance(made.get("options", {}).get("award_order"), list):
        made["options"]["award_order"] = [numbers[number] for number in made["options"]["award_order"]]
    return made


def renamed(request: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """The same ranks in other suits, the cards of a hand in another order."""
    suits = dict(zip("cdhs", source.sample("cdhs", 4), strict=True)) | {"k": "k"}

    def other(hand: str) -> str:
        cards = [card[0] + suits[card[1]] for card in hand.split()]
        source.shuffle(cards)
        return " ".join(cards)

    made = deepcopy(request)
    made["dealer"] = other(made["dealer"])
    for spot in made["spots"]:
        spot["cards"] = other(spot["cards"])
        if "low" in spot.get("decision", {}):
            low = spot["decision"]["low"]
            spot["decision"]["low"] = low[0] + suits[low[1]]
    return made


def base_results(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """By the cards of a spot: what it came to, the progressive apart."""
    return {
        asked["cards"]: (
            spot["outcome"],
            spot["category"],
            {key: wager for key, wager in spot["wagers"].items() if key != "progressive"},
        )
        for asked, spot in zip(request["spots"], answer["spots"], strict=True)
    }


@steady(VALID)
@given(rounds, st.integers(0, 2**32))
def test_valid_rounds_are_settled_and_add_up(request: dict[str, Any], seed: int) -> None:
    note(json.dumps(request))
    source = random.Random(seed)
    answer = settle(request)
    check(request, answer)
    moved = rearranged(request, source)
    assert base_results(moved, settle(moved)) == base_results(request, answer)
    other = renamed(request, source)
    again = settle(other)
    assert list(base_results(other, again).values()) == list(base_results(request, answer).values())
    # TCX-1: ace-king-queen of spades is the one hand whose suit has a name.
    if request["game"] != "three-card-poker":
        assert (again["meters"], again["reseeded"]) == (answer["meters"], answer["reseeded"])
        assert [spot["wagers"] for spot in again["spots"]] == [spot["wagers"] for spot in answer["spots"]]


# fmt: off
JUNK = st.sampled_from([
    None, True, False, 0, -1, 1, 2, 8, 10**15, 10**16, 10**400, 1.0, 0.5, -0.0, 1e300, "", " ", "x", "A", "Ah", "Jk",
    "Ah Kd 3c", "10h", "TCP-01", "true", "1", "meter:main", "\x00", "\ud800", "é…", "x" * 500, [], {}, [[]], [1, 2],
    {"play": True}, {"fold": True}, {"ante": 100}, ["right_to_left"], [{}], {"": {}},
]).map(deepcopy) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from([
    "game", "tables", "options", "dealer", "spots", "meters", "seeds", "reserves", "spot", "cards", "wagers",
    "decision", "ante", "blind", "play", "low", "double_down", "progressive", "designator", "main", "mega", "x",
    "award_order",
    "", "\ud800", "\n", "y" * 300,
])
# fmt: on


@st.composite
def broken(draw: st.DrawFn) -> Any:
    """A valid round with up to three things changed, taken away, added or exchanged."""
    request: Any = draw(rounds)
    for _ in range(draw(st.integers(1, 3))):
        at: Any = request
        while True:
            inside = [
                key for key in (at if isinstance(at, dict) else range(len(at))) if isinstance(at[key], dict | list)
            ]
            if not inside or draw(st.booleans()):
                break
            at = at[draw(st.sampled_from(inside))]
        places = list(at) if isinstance(at, dict) else list(range(len(at)))
        act = draw(st.sampled_from(["change", "change", "remove", "add", "exchange"]))
        if act == "add" or not places:
            if isinstance(at, dict):
                at[draw(KEYS)] = draw(JUNK)
            else:
                at.append(deepcopy(at[0]) if at and draw(st.booleans()) else draw(JUNK))
            continue
        place = draw(st.sampled_from(places))
        if act == "change":
            at[place] = draw(JUNK)
        elif act == "remove":
            del at[place]
        else:
            other = draw(st.sampled_from(places))
            at[place], at[other] = at[other], at[place]
    return request


def answered_or_refused(text: str) -> dict[str, Any] | None:
    """The answer; None for a refusal, which names its field on one line that can be written down."""
    try:
        return settle_text(text, BOOK)
    except Refusal as refusal:
        error = write_json({"error": str(refusal)})
    error.encode("utf-8")
    message = json.loads(error)["error"]
    assert message.isprintable()
    assert len(message) < 1_000
    assert ": " in message or '"": ' in text, "no field is named, though it has a name"
    return None


@steady(BROKEN)
@given(broken())
def test_broken_rounds_are_answered_or_refused(request: Any) -> None:
    note(json.dumps(request))
    answer = answered_or_refused(json.dumps(request))
    if answer is not None:
        check_sums(request, answer)
        check_bounds(request, answer)


@steady(ANYTHING)
@given(JUNK | st.dictionaries(KEYS, JUNK, max_size=6) | st.text().map(lambda text: "@" + text))
def test_anything_is_refused(value: Any) -> None:
    text = value[1:] if isinstance(value, str) and value.startswith("@") else json.dumps(value)
    assert answered_or_refused(text) is None
