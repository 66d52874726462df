"""A par sheet says what was counted, and a second opinion on what it computes from the counts."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from statistics import NormalDist
from typing import Any

import pytest

from houseway.games import all_games, approved_book
from houseway.proof import Request, all_figures
from houseway.proof.par import Asked, HouseFile, check, make
from houseway.proof.par.sheet import HASH, as_text, content_hash
from houseway.proof.par.spread import LEVELS, ROUNDS
from houseway.refusal import Refusal

GAMES = ("caribbean-stud", "six-card-pai-gow", "straight-edge-1", "straight-edge-2", "three-card-poker")
SMALL = {
    "caribbean-stud": ("standard", "CPSB-01", "4", "CSTUD-15"),
    "six-card-pai-gow": ("best setting, doubling", "1", "3"),
    "straight-edge-1": (),
    "straight-edge-2": (),
    "three-card-poker": ("A", "TCP-6B1", "1"),
}
"""Tables of every kind, few enough to be made again hundreds of times."""
HOUSE = """
[[paytable]]
game = "three-card-poker"
wager = "progressive"
id = "OURS"
figures_for_wager = 1
seed = 1000
rows.akq_spades = { percent = 100 }
rows.akq_other_suit = { percent = 20 }
rows.straight_flush = { for_one = 60, from = "meter" }
rows.three_of_a_kind = { for_one = 50, from = "tray" }
"""


@cache
def whole(game: str) -> dict[str, Any]:
    return make(Asked(game))


@cache
def small(game: str) -> dict[str, Any]:
    return make(Asked(game, tables=SMALL[game]))


def again(data: dict[str, Any]) -> dict[str, Any]:
    """The sheet as it comes back from its file."""
    made = json.loads(as_text(data))
    assert isinstance(made, dict)
    return made


@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_holds_what_the_proof_counted(game: str) -> None:
    figures = all_figures(Request(games=(game,)))
    sheet = whole(game)
    assert figures
    assert [(one["figures"]["wager"], one["figures"]["table"]) for one in sheet["wagers"]] == [
        (one.wager, one.table) for one in figures
    ]
    for one, figure in zip(sheet["wagers"], figures, strict=True):
        counted = figure.to_json(distribution=True)
        said = one["figures"]
        assert {name: said[name] for name in counted if name not in ("seconds", "distribution")} == {
            name: value for name, value in counted.items() if name not in ("seconds", "distribution")
        }
        outcomes = one["distribution"]["outcomes"]
        assert [(row["net"], row["ways"], row["chance"]) for row in outcomes] == [
            (row["net"], row["ways"], row["chance"]) for row in counted["distribution"]["outcomes"]
        ]
        if figure.total:
            assert sum(row["ways"] for row in outcomes) == one["distribution"]["total"] == figure.total
        assert said["remarks"] == [
            *([figure.why] if figure.why else []),
            *(f"{note[0].upper()}{note[1:]}." for note in figure.notes),
        ]


@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_holds(game: str) -> None:
    assert check(again(whole(game)), fresh=False) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_holds_when_every_case_is_counted_again(game: str) -> None:
    assert check(again(whole(game)), fresh=True) == []


def test_a_small_sheet_holds_when_every_case_is_counted_again() -> None:
    sheet = again(make(Asked("three-card-poker", wagers=("pair_plus", "progressive"))))
    assert check(sheet, fresh=True) == []


def test_verifying_afresh_does_not_believe_kept_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts that were kept wrong, here all of them, go unnoticed only where they are believed."""
    from dataclasses import replace

    from houseway.proof.store import Store

    find = Store.find

    def wrong(self: Store, question: Any) -> Any:
        known = find(self, question)
        made = None if known is None else known.distribution
        if known is None or made is None:
            return known
        return replace(known, distribution=replace(made, ways={-1: made.total - 1, 1: 1}, hits=1))

    monkeypatch.setattr(Store, "find", wrong)
    sheet = again(make(Asked("three-card-poker", wagers=("pair_plus",), tables=("A",))))
    assert check(sheet, fresh=False) == []
    found = check(sheet, fresh=True)
    assert any(one.where == "wagers[Pair Plus, table A].figures.house_edge.exact" for one in found)


# ------------------------------------------------------------------------------------------------------ a changed digit


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every number and text in a sheet that holds a digit."""
    if isinstance(value, dict):
        return [leaf for name, one in value.items() for leaf in leaves(one, (*path, name))]
    if isinstance(value, list):
        return [leaf for place, one in enumerate(value) for leaf in leaves(one, (*path, place))]
    if isinstance(value, bool) or value is None:
        return []
    return [path] if any(one.isdigit() for one in json.dumps(value)) else []


def with_another_digit(text: str, at: int, source: random.Random) -> str:
    digit = source.choice([one for one in "0123456789" if one != text[at]])
    return text[:at] + digit + text[at + 1 :]


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_digit_anywhere_in_the_file_is_caught(game: str) -> None:
    source = random.Random(f"digits of {game}")
    text = as_text(small(game))
    digits = [place for place, one in enumerate(text) if one.isdigit()]
    tried = 0
    for at in source.sample(digits, 25):
        try:
            changed = json.loads(with_another_digit(text, at, source))
        except ValueError:
            continue  # a leading zero: no JSON any more, and refused as such
        tried += 1
        assert check(changed, fresh=False), f"{text[at - 40 : at]}>{text[at]}<{text[at + 1 : at + 20]}"
    assert tried > 15


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_figure_is_named_even_with_its_hash_repaired(game: str) -> None:
    """Whoever changes a figure can also make a new hash; what was counted he cannot change."""
    source = random.Random(f"figures of {game}")
    places = [path for path in leaves(small(game)) if path[0] not in ("asked", "kind", HASH)]
    for path in source.sample(places, 25):
        changed = again(small(game))
        *way, last = path
        holder: Any = changed
        for step in way:
            holder = holder[step]
        written = json.dumps(holder[last])
        at = source.choice([place for place, one in enumerate(written) if one.isdigit()])
        try:
            value = json.loads(with_another_digit(written, at, source))
        except ValueError:
            continue
        if value == holder[last]:
            continue  # -0.0 for 0.0
        holder[last] = value
        changed[HASH] = content_hash(changed)
        found = check(changed, fresh=False)
        assert len(found) == 1, (path, found)
        assert str(path[-1]) in found[0].where or isinstance(path[-1], int)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("contribution", "3/10"),
        ("seeds_cents", {"main": 200_000}),
        ("seeds_cents", {"other": 200_000}),
        ("tables", ["2"]),
        ("tables", ["none"]),
        ("options", {"equal_hands": "lose"}),
        ("options", {"equal_hands": "draw"}),
        ("wagers", ["base"]),
        ("game", "caribbean-stud"),
        ("game", 7),
        ("contribution", "1/0"),
        ("contribution", "much"),
        ("house_tables", [{"file": "x.toml", "text": "no toml"}]),
        ("house_tables", None),
    ],
)
def test_a_sheet_that_asks_something_else_than_it_answers_does_not_hold(name: str, value: Any) -> None:
    changed = again(make(Asked("three-card-poker", tables=("A", "1"))))
    changed["asked"][name] = value
    changed[HASH] = content_hash(changed)
    assert check(changed, fresh=False)


def test_parts_left_out_or_added_are_caught() -> None:
    for change in ("method", "game", "program"):
        changed = again(small("three-card-poker"))
        del changed[change]
        changed[HASH] = content_hash(changed)
        assert any(one.where.startswith(change) for one in check(changed, fresh=False))
    changed = again(small("three-card-poker"))
    changed["more"] = 1
    changed["wagers"].append(changed["wagers"][0])
    changed["wagers"][0]["figures"]["house_edge"]["low"] = 1
    changed[HASH] = content_hash(changed)
    places = [one.where for one in check(changed, fresh=False)]
    assert len(places) == 3
    assert "more" in places
    assert any(place.endswith("house_edge.low") for place in places)


# ------------------------------------------------------------------------------------------- what a sheet computes


@pytest.mark.parametrize("game", GAMES)
def test_the_spread_is_that_of_the_results(game: str) -> None:
    """Moments computed another way: from the published outcomes in floating point, where nothing but them bears."""
    seen = 0
    for one in whole(game)["wagers"]:
        result, outcomes = one["house_result"], one["distribution"]["outcomes"]
        if result is None or one["progressive"] or (one["pay_table"] or {}).get("envy_cents"):
            continue
        seen += 1
        wins = [(-float(Fraction(row["net"])), row["chance"]["value"]) for row in outcomes]
        mean = sum(win * chance for win, chance in wins)
        variance = sum((win - mean) ** 2 * chance for win, chance in wins)
        third = sum((win - mean) ** 3 * chance for win, chance in wins)
        assert mean == pytest.approx(one["figures"]["house_edge"]["value"], abs=2e-6)
        assert result["standard_deviation"] == pytest.approx(variance**0.5, abs=2e-5)
        assert result["skewness"] == pytest.approx(third / variance**1.5, rel=2e-4, abs=1e-5)
        assert result["standard_deviation"] == one["figures"]["standard_deviation"]
    assert seen


@pytest.mark.parametrize("game", GAMES)
def test_the_confidence_table_is_the_normal_one(game: str) -> None:
    for one in whole(game)["wagers"]:
        result = one["house_result"]
        if result is None:
            continue
        mean, deviation = one["figures"]["house_edge"]["value"], result["standard_deviation"]
        assert [row["rounds"] for row in result["confidence"]] == list(ROUNDS)
        assert (ROUNDS[0], ROUNDS[-1]) == (1_000, 10_000_000)
        for row in result["confidence"]:
            after = NormalDist(mean, deviation / row["rounds"] ** 0.5)
            for level in LEVELS:
                outside = (1 - int(level.removesuffix("%")) / 100) / 2
                assert row[level] == pytest.approx([after.inv_cdf(outside), after.inv_cdf(1 - outside)], abs=1e-5)
            assert row["house_behind"] == pytest.approx(after.cdf(0), abs=1e-5)
            assert row["normal"] == (row["rounds"] >= 25 * result["skewness"] ** 2)


def test_the_spread_of_a_progressive_is_that_of_the_houses_money() -> None:
    """By hand, Three Card Poker's table 1: tray awards, one seed, and envy to six others."""
    one = next(one for one in whole("three-card-poker")["wagers"] if one["title"] == "Progressive, table 1")
    costs = {1: 1000 + 6 * 100, 3: 500 + 6 * 25, 44: 70, 52: 60, 720: 6}
    mean = sum(ways * cost for ways, cost in costs.items()) / 22_100
    square = sum(ways * cost**2 for ways, cost in costs.items()) / 22_100
    assert one["house_result"]["standard_deviation"] == pytest.approx((square - mean**2) ** 0.5, abs=1e-6)
    assert one["figures"]["house_edge"]["value"] == pytest.approx(1 - 0.14 - mean, abs=1e-9)


def test_the_spread_of_fortune_has_the_envy_of_the_others_in_it() -> None:
    """Every hand is paid, and five others are paid envy for it on their $5."""
    one = next(one for one in whole("six-card-pai-gow")["wagers"] if one["title"] == "Fortune, table 1")
    envy = one["pay_table"]["envy_cents"]
    mean = square = 0.0
    for row in one["distribution"]["outcomes"]:
        assert len(row["hands"]) <= 1
        paid = float(Fraction(row["net"])) + 5 * sum(envy.get(hand, 0) for hand in row["hands"]) / 500
        mean += paid * row["chance"]["value"]
        square += paid**2 * row["chance"]["value"]
    assert -mean == pytest.approx(one["figures"]["house_edge"]["value"], abs=1e-6)
    assert one["house_result"]["standard_deviation"] == pytest.approx((square - mean**2) ** 0.5, abs=1e-4)


def test_the_mean_top_award_is_where_the_meter_balances() -> None:
    """A second opinion that follows the mean meter wager by wager until the top award is all but certain."""
    asked = Asked("three-card-poker", house=(HouseFile("ours.toml", HOUSE),), contribution=Fraction(1, 4))
    one = make(asked)["wagers"][0]
    top, shared, fixed, meter = 1 / 22_100, 3 / 22_100 * 0.20, 44 / 22_100 * 6000, 100_000.0
    mean, still = 0.0, 1.0
    while still > 1e-12:
        meter += 25
        mean += still * top * meter
        still *= 1 - top
        meter -= (meter * shared + fixed) / (1 - top)
    counted = one["progressive"]["mean_top_award_cents"]
    assert float(Fraction(counted["exact"])) == pytest.approx(mean, rel=1e-9)
    assert counted["cents"] == int(mean)
    assert one["figures"]["approved"] is False


def test_the_players_edge_goes_through_the_break_even_meter() -> None:
    for one in whole("caribbean-stud")["wagers"]:
        if one["progressive"] and one["progressive"]["player_edge"]:
            even = Fraction(one["progressive"]["break_even_cents"])
            rows = one["progressive"]["player_edge"]
            edges = {row["meter_cents"]: Fraction(row["edge"]["exact"]) for row in rows}
            low, high = min(edges), max(edges)
            slope = (edges[high] - edges[low]) / (high - low)
            assert all(edges[meter] == slope * (meter - even) for meter in edges)
            assert all(row["seed"] == (row["meter_cents"] == 1_000_000) for row in rows) or "CSTUD-1" in one["title"]


def test_hands_stand_beside_the_pays_they_earn() -> None:
    one = next(one for one in whole("three-card-poker")["wagers"] if one["title"] == "Pair Plus, table A")
    table = approved_book().find(("three-card-poker",), "pair_plus", "A")
    assert table is not None
    named = {hand: row["net"] for row in one["distribution"]["outcomes"] for hand in row["hands"]}
    assert named == {row["hand"]: str(Fraction(row["num"], row["den"])) for row in one["pay_table"]["rows"]}
    assert set(named) == {row.hand for row in table.rows}


# ------------------------------------------------------------------------------------------------------ what is asked


def test_a_designator_names_its_tables() -> None:
    sheet = make(Asked("three-card-poker", tables=("TCP-01",)))
    designator = approved_book().designator("three-card-poker", "TCP-01")
    assert designator is not None
    tables = {one["pay_table"]["wager"]: one["pay_table"]["id"] for one in sheet["wagers"]}
    assert tables == dict(designator.tables)


def test_a_sheet_of_the_houses_own_tables_needs_no_file_any_more() -> None:
    asked = Asked("three-card-poker", house=(HouseFile("ours.toml", HOUSE),), contribution=Fraction(1, 5))
    sheet = again(make(asked))
    assert [one["title"] for one in sheet["wagers"]] == ["Progressive, table OURS (not approved)"]
    assert check(sheet, fresh=False) == []
    changed = again(sheet)
    changed["asked"]["house_tables"][0]["text"] = HOUSE.replace("60", "61")
    changed[HASH] = content_hash(changed)
    assert any("straight_flush" in one.where for one in check(changed, fresh=False))


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (Asked("whist"), "game"),
        (Asked("caribbean-stud", tables=("CSTUD-99",)), "table"),
        (Asked("caribbean-stud", wagers=("pair_plus",)), "wager"),
        (Asked("caribbean-stud", options={"equal_hands": "lose"}), "option equal_hands"),
        (Asked("caribbean-stud", contribution=Fraction(3, 2)), "contribution"),
        (Asked("caribbean-stud", seeds_cents={"minor": 5}, tables=("CSTUD-01",)), "seed"),
        (Asked("caribbean-stud", house=(HouseFile("ours.toml", HOUSE),)), "--paytable"),
        (Asked("caribbean-stud", house=(HouseFile("bad.toml", "[["),)), "bad.toml"),
    ],
)
def test_what_cannot_be_counted_is_refused(asked: Asked, field: str) -> None:
    with pytest.raises(Refusal) as refused:
        make(asked)
    assert refused.value.field == field


def test_what_is_asked_survives_the_file() -> None:
    asked = Asked(
        "straight-edge-2",
        ("base", "progressive"),
        ("standard", "TWBB-1"),
        {"blind_on_margin_zero": "lose"},
        Fraction(1, 7),
        {"main": 500_000},
        (HouseFile("ours.toml", HOUSE),),
    )
    assert Asked.from_json(json.loads(json.dumps(asked.to_json()))) == asked


def test_options_away_from_their_default_are_shown() -> None:
    sheet = make(Asked("three-card-poker", wagers=("base",), tables=("A",), options={"equal_hands": "lose"}))
    options = {one["option"]: (one["value"], one["default"]) for one in sheet["game"]["options"]}
    assert options["equal_hands"] == ("lose", False)
    assert options["ante_required"] == (False, True)
    assert set(options) == {one.name for one in all_games()["three-card-poker"].options if one.settles}
    edge = Fraction(sheet["wagers"][0]["figures"]["house_edge"]["exact"])
    usual = Fraction(whole("three-card-poker")["wagers"][0]["figures"]["house_edge"]["exact"])
    assert edge > usual
