"""What a table paid is what `houseway settle` says of the same round, to the cent, the progressive included."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.table.card_floor import GAMES, Dealt, Evening, OnPaper, Staffed, TiltedShoe, floor_of

from houseway.adjudication import settle_object
from houseway.cards import read_cards, text_of
from houseway.games import all_games, approved_book
from houseway.games.flow import BOARD, DEALER
from houseway.manager.state import FloorState
from houseway.progressive.awards import fixed_amount
from houseway.table.card_round import decide as play_decide
from houseway.table.card_round import events as tell
from houseway.table.card_round.settle import lines_of
from houseway.table.card_round.state import Line
from houseway.table.progressive_round import decide as progressive_decide
from houseway.table.progressive_round import events as base

MICROS = 10_000
ROUNDS_A_FLOOR = 25


def request_of(dealt: Dealt, before: FloorState) -> dict[str, Any]:
    """The round as the settling contract asks for it, from what was journalled of it alone."""
    config = before.tables[dealt.table].config
    game = all_games()[config.game]
    link = before.link_of(dealt.table)
    wagers: dict[int, dict[str, int]] = {}
    cards: dict[int, str] = {}
    actions: dict[int, list[dict[str, Any]]] = {}
    booked: dict[str, int] = {}
    reserved: dict[str, int] = {}
    told = [event for entry in dealt.entries for event in entry.events]
    order = next((event.order for event in told if isinstance(event, tell.DeckOpened)), ())
    for event in told:
        if isinstance(event, tell.WagerPlaced):
            wagers.setdefault(event.spot, {})[event.wager] = event.cents
        elif isinstance(event, tell.PacketDealt):
            cards[event.target] = text_of(order[event.first : event.first + event.count])
        elif isinstance(event, tell.Acted):
            held = read_cards(cards[event.spot])
            acted = event if event.place is None else replace(event, card=held[event.place])
            actions.setdefault(event.spot, []).append(_asked(acted))
        elif isinstance(event, base.LockedIn):
            booked, reserved = event.meters, event.reserves
    raw: dict[str, Any] = {
        "game": config.game,
        "tables": {wager: table.id for wager, table in config.tables.items()},
        "options": {name: value for name, value in config.options.items() if value != game.defaults[name]},
        **{field: cards[target] for field, target in (("dealer", DEALER), ("board", BOARD)) if target in cards},
        "spots": [
            {"spot": spot, "cards": cards[spot], "wagers": made, "actions": actions.get(spot, [])}
            for spot, made in wagers.items()
        ],
    }
    if link is not None:
        raw["tables"]["progressive"] = link.now.table.id
        raw["options"]["fixed_from"] = link.now.fixed_from
        raw["meters"] = {name: _cents(one.value + booked.get(name, 0)) for name, one in link.meters.items()}
        raw["reserves"] = {name: _cents(one.reserve + reserved.get(name, 0)) for name, one in link.meters.items()}
        raw["seeds"] = {name: one.seed_cents for name, one in link.now.meters.items()}
    return raw


def _asked(acted: tell.Acted) -> dict[str, Any]:
    made: dict[str, Any] = {acted.action: True if acted.card is None else text_of((acted.card,))}
    return made | ({"double_down": acted.cents} if acted.cents else {})


def _cents(micros: int) -> int:
    assert micros % MICROS == 0
    return micros // MICROS


def paid_by(dealt: Dealt) -> dict[int, dict[str, int]]:
    """By spot, in cents: what was taken and paid step by step, what the progressive gave, and the envy."""
    paid: dict[int, Counter[str]] = {}
    for event in (event for entry in dealt.entries for event in entry.events):
        if isinstance(event, tell.Reconciled):
            sums = paid.setdefault(event.spot, Counter())
            sums["wagered"] += event.wagered
            sums["returned"] += event.returned
        elif isinstance(event, tell.ForfeitCollected):
            paid.setdefault(event.spot, Counter())["wagered"] += event.wagered
        elif isinstance(event, base.WinPaid):
            sums = paid.setdefault(event.spot, Counter())
            sums["from_meter"] += _cents(event.from_meter)
            sums["from_tray"] += _cents(event.from_tray)
        elif isinstance(event, base.EnvyPaid):
            paid.setdefault(event.spot, Counter())["envy"] += event.cents
    return {spot: {name: cents for name, cents in sums.items() if cents} for spot, sums in paid.items()}


def said_by(answer: dict[str, Any]) -> dict[int, dict[str, int]]:
    """The same of a settled round."""
    said = {}
    for spot in answer["spots"]:
        progressive = spot["wagers"].get("progressive", {})
        sums = {
            "wagered": spot["wagered"] - progressive.get("wagered", 0),
            "returned": spot["returned"] - progressive.get("returned", 0),
            **{name: progressive.get(name, 0) for name in ("from_meter", "from_tray", "envy")},
        }
        said[spot["spot"]] = {name: cents for name, cents in sums.items() if cents}
    return said


def lines_by(dealt: Dealt) -> dict[int, dict[str, tuple[int, int]]]:
    """By spot and wager: what lay there and what came back; envy with its own wager, as the contract has it."""
    found: dict[int, dict[str, tuple[int, int]]] = {}
    for event in (event for entry in dealt.entries for event in entry.events):
        if isinstance(event, tell.SpotResult):
            lines: dict[str, Line] = event.lines
            sums: Counter[tuple[str, int]] = Counter()
            for wager, line in lines.items():
                sums[wager.removesuffix("_envy"), 0] += line.wagered
                sums[wager.removesuffix("_envy"), 1] += line.returned
            found[event.spot] = {wager: (sums[wager, 0], sums[wager, 1]) for wager, _ in sums}
    return found


def check_round(dealt: Dealt, before: FloorState, after: FloorState) -> dict[str, Any]:
    """Settle the round by the contract and compare everything; the answer."""
    request = request_of(dealt, before)
    answer = settle_object(request, approved_book())
    assert paid_by(dealt) == said_by(answer), request
    told = {
        spot["spot"]: {
            wager: (line["wagered"], line["returned"])
            for wager, line in spot["wagers"].items()
            if wager != "progressive"
        }
        for spot in answer["spots"]
    }
    assert lines_by(dealt) == told, request
    link = after.link_of(dealt.table)
    if link is not None:
        assert {name: _cents(one.value) for name, one in link.meters.items()} == answer["meters"], request
        reseeded = [
            event.meter
            for entry in dealt.entries
            for event in entry.events
            if isinstance(event, base.WinPaid) and event.reseeded
        ]
        assert set(reseeded) == set(answer["reseeded"])
    return answer


def play_and_compare(game: str, rounds: int, seed: int) -> Counter[str]:
    """Random rounds of one game, on tables set up at random; what happened in them."""
    random = Random(f"{game} {seed}")
    happened: Counter[str] = Counter()
    for done in range(0, rounds, ROUNDS_A_FLOOR):
        config = floor_of(random, ("virtual",), (game,), without_link=0.1, whole_cents=True)
        staffed = Staffed(OnPaper(TiltedShoe(random, tilt=0.5), keep=False), config)
        evening = Evening(staffed, random)
        table = config.tables[0]
        for _ in range(min(ROUNDS_A_FLOOR, rounds - done)):
            before = staffed.state
            spots = random.sample(range(1, table.spots + 1), random.randint(1, min(4, table.spots)))
            dealt = evening.whole_round(table.id, spots)
            answer = check_round(dealt, before, staffed.state)
            happened["rounds"] += 1
            for spot in answer["spots"]:
                happened.update(f"{wager} {line['result']}" for wager, line in spot["wagers"].items())
                progressive = spot["wagers"].get("progressive", {})
                happened.update(name for name in ("from_meter", "from_tray", "envy") if progressive.get(name))
                happened["fortune envy"] += bool(spot["wagers"].get("fortune", {}).get("envy"))
            happened["reseeded"] += bool(answer.get("reseeded"))
    return happened


@pytest.mark.parametrize("game", GAMES)
def test_a_table_pays_what_settle_says(game: str) -> None:
    happened = play_and_compare(game, 500, 1)
    assert happened["rounds"] == 500
    if all_games()[game].progressive is not None:
        # The rounds were not all alike: awards from the meter and from the tray, whole meters, envy.
        for what in ("from_meter", "from_tray", "progressive win", "progressive lose"):
            assert happened[what], (what, happened)
        # The shoe deals good hands to spots. Where a board completes them, whole meters and envy stay too rare.
        if not all_games()[game].board_cards:
            assert happened["envy"], happened
            assert happened["reseeded"], happened
    assert (game == "six-card-pai-gow") == bool(happened["fortune envy"])


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("game", GAMES)
def test_a_table_pays_what_settle_says_for_very_long(game: str, seed: int) -> None:
    assert play_and_compare(game, 1_000, 100 + seed)["rounds"] == 1_000


# --------------------------------------------------------------------------------------------------------- planted bugs


def _a_cent_more(*asked: Any) -> Any:
    """Pays every win of an Ante one cent too much."""
    found = lines_of(*asked)
    for lines in found.values():
        if "ante" in lines and lines["ante"].result == "win":
            lines["ante"] = replace(lines["ante"], returned=lines["ante"].returned + 1)
    return found


def _for_one_cent(row: Any, table: Any, wager_cents: int) -> int:
    return fixed_amount(row, table, wager_cents) + 1


def _nobody(desk: Any) -> tuple[()]:
    return ()


@pytest.mark.parametrize(
    ("where", "name", "bug"),
    [
        (play_decide, "lines_of", _a_cent_more),
        (progressive_decide, "fixed_amount", _for_one_cent),
        (progressive_decide, "_envy", _nobody),
    ],
)
def test_a_planted_bug_is_found(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, bug: Any) -> None:
    assert callable(getattr(where, name))
    monkeypatch.setattr(where, name, bug)
    with pytest.raises(AssertionError):
        play_and_compare("three-card-poker", 200, 3)
