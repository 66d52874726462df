"""Whether a table may open on a day, as a pure function of its configuration, and the sign that is made from it."""

from __future__ import annotations

import dataclasses
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from houseway.books.signage import Sign, signage
from houseway.games import all_games
from houseway.manager.changes import changes_in_words
from houseway.manager.config import FloorConfig
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.readiness import REASONS_SHOWN, demonstrations, stops, why_not_open
from houseway.table.approvals import COMPARED, items_for
from houseway.table.card_round.law import separate_games, separate_games_on, unauthorised
from houseway.table.config import Policies, SeparateGames, TableConfig
from houseway.table.equipment import Equipment

ON = date(2026, 3, 1)
_found = read_floor(example_floor().encode(), "floor.toml", Path(), ON).config
assert _found is not None
FLOOR: FloorConfig = _found


def table(name: str, config: FloorConfig = FLOOR) -> TableConfig:
    return next(one for one in config.tables if one.id == name)


def why(config: FloorConfig, name: str, on: date = ON) -> list[str]:
    return why_not_open(config, table(name, config), on)


def changed(name: str, **changes: Any) -> FloorConfig:
    tables = tuple(replace(one, **changes) if one.id == name else one for one in FLOOR.tables)
    return replace(FLOOR, tables=tables)


def posting(name: str, cents: int, config: FloorConfig = FLOOR) -> FloorConfig:
    """The floor with every maximum of a table set so."""
    limits = {wager: replace(one, maximum_cents=cents) for wager, one in table(name, config).limits.items()}
    tables = tuple(replace(one, limits=limits) if one.id == name else one for one in config.tables)
    return replace(config, tables=tables)


def test_the_example_is_open() -> None:
    assert [why(FLOOR, one.id) for one in FLOOR.tables] == [[]] * len(FLOOR.tables)
    assert set(stops(FLOOR, "2026-03-01").values()) == {""}


@pytest.mark.parametrize("game", all_games())
@pytest.mark.parametrize("item", [item.key for item in (*items_for("commercial"), COMPARED)])
def test_each_missing_item_shuts_the_tables_of_its_game_and_no_other(game: str, item: str) -> None:
    asked = item in [one.key for one in items_for("commercial", all_games()[game])]
    approvals = tuple(
        replace(one, items={key: had for key, had in one.items.items() if key != item}) if one.game == game else one
        for one in FLOOR.approvals
    )
    less = replace(FLOOR, approvals=approvals)
    for one in FLOOR.tables:
        reasons = why(less, one.id)
        assert len(reasons) == (asked and one.game == game)
        assert all(reason.startswith(f"DEMONSTRATION: {game}: ") and "missing (FL-10)" in reason for reason in reasons)


@given(day=st.dates(date(2023, 1, 1), date(2026, 12, 31)))
@settings(max_examples=30, deadline=None)
def test_a_table_is_open_from_the_day_of_its_last_approval_on(day: date) -> None:
    last = max(item.date for item in FLOOR.approvals[0].items.values())
    limits_since = "2023-08-19"  # the example posts what has been authorised since then
    assert (why(FLOOR, "CS-1", day) == []) == (day.isoformat() >= max(last, limits_since))


def test_every_reason_is_told_at_once() -> None:
    nothing = replace(posting("CS-1", 40_001), approvals=(), equipment=())
    reasons = why(nothing, "CS-1")
    assert [reason[reason.rindex("FL-") :].rstrip(")") for reason in reasons] == [
        *["FL-10"] * 4,
        *["FL-1", "FL-11"],
        "FL-9",
    ]
    sentence = stops(nothing, "2026-03-01")["CS-1"]
    assert sentence == f"{'; '.join(reasons[:REASONS_SHOWN])}; and {len(reasons) - REASONS_SHOWN} more"


def test_a_floor_that_keeps_no_registers_is_not_asked() -> None:
    nothing = replace(FLOOR, approvals=(), equipment=())
    assert all(stops(replace(nothing, approvals_kept=False), "2026-03-01")[one.id] == "" for one in FLOOR.tables)
    assert stops(nothing, "2026-03-01")["CS-1"] != ""


def test_a_game_that_is_not_installed_is_not_approved() -> None:
    (reason,) = why(changed("CS-1", game="whist"), "CS-1")
    assert reason == "whist: this game is not installed, so nothing is known of its approval (FL-10)"


def test_an_altered_pay_table_of_a_link_shuts_its_tables() -> None:
    link = FLOOR.links[1]
    rows = link.terms.table.rows
    richer = dataclasses.replace(link.terms.table, rows=(*rows[:-1], dataclasses.replace(rows[-1], envy_cents=99)))
    links = tuple(replace(one, terms=replace(one.terms, table=richer)) if one is link else one for one in FLOOR.links)
    config = replace(FLOOR, links=links)
    for name in ("CS-1", "CS-2"):
        (reason,) = why(config, name)
        assert 'pay table "CSTUD-01" of "progressive" does not pay as the approved one of that name' in reason
    assert why(config, "CS-3") == []


def test_a_house_pay_table_reopens_the_checklist() -> None:
    own = dataclasses.replace(table("CS-1").tables["bonus"], id="HOUSE-1", approved=False)
    config = changed("CS-1", tables={**table("CS-1").tables, "bonus": own}, pay_tables={"bonus": "HOUSE-1"})
    (reason,) = why(config, "CS-1")
    assert 'pay table "HOUSE-1" of "bonus" is not an approved one; this reopens the checklist (FL-10)' in reason


# ------------------------------------------------------------------------------------------------- limits


@pytest.mark.clause("FL-9")
@pytest.mark.parametrize(
    ("on", "most"),
    [
        ("1997-01-01", 2_500),
        ("2000-01-01", 10_000),
        ("2009-01-01", 30_000),
        ("2023-08-18", 30_000),
        ("2023-08-19", 40_000),
    ],
)
def test_posted_limits_are_judged_by_their_day(on: str, most: int) -> None:
    limits = table("CS-1").limits
    for cents, allowed in ((most, True), (most + 1, False)):
        posted = {wager: replace(one, maximum_cents=cents) for wager, one in limits.items()}
        assert (unauthorised(posted, FLOOR.policies, on) == "") is allowed


def test_where_no_law_is_known_nothing_is_unauthorised() -> None:
    nowhere = Policies(site="S", jurisdiction="Elsewhere")
    posted = {wager: replace(one, maximum_cents=10**9) for wager, one in table("CS-1").limits.items()}
    assert unauthorised(posted, nowhere, "2026-03-01") == ""
    assert unauthorised(posted, FLOOR.policies, "") == "", "no day, no law"


@pytest.mark.clause("FL-9")
def test_from_2004_three_tables_could_post_more() -> None:
    on = date(2005, 1, 1)
    low = FLOOR
    for one in FLOOR.tables:
        low = posting(one.id, 10_000, low)
    for name in ("CS-1", "CS-2", "CS-3"):
        low = posting(name, 20_000, low)
    assert [reason for reason in why(low, "CS-1", on) if "FL-9" in reason] == []
    four = posting("CS-4", 20_000, low)
    (reason,) = [reason for reason in why(four, "CS-1", on) if "FL-9" in reason]
    assert reason.startswith("CS-1, CS-2, CS-3, CS-4 post more than $100.00; the law allows that on 3 tables")
    assert [reason for reason in why(four, "PG-1", on) if "FL-9" in reason] == [], "it posts no more"


@pytest.mark.clause("FL-9")
def test_a_tribal_floor_without_a_compact_posts_nothing() -> None:
    tribal = replace(FLOOR, policies=replace(FLOOR.policies, kind="tribal"))
    assert "CS-1: no authorised limit of the compact is in force on 2026-03-01 (FL-9)" in why(tribal, "CS-1")


# --------------------------------------------------------------------------------------- separate games of a hand

KNOWN = SeparateGames("2008-01-01", 3, "WAC 230-15-040")


@pytest.mark.parametrize(
    ("game", "wagers", "games"),
    [
        ("three-card-poker", ["ante"], 1),
        ("three-card-poker", ["pair_plus"], 1),
        ("three-card-poker", ["ante", "play", "pair_plus"], 2),
        ("three-card-poker", ["ante", "pair_plus", "six_card_bonus", "progressive"], 4),
        ("caribbean-stud", ["ante", "bet", "bonus", "cover_all"], 3),
        ("six-card-pai-gow", ["base", "double_down", "fortune", "insurance"], 3),
        ("straight-edge-1", ["ante", "play", "insurance"], 2),
        ("straight-edge-2", ["ante", "blind", "play"], 1),
        ("straight-edge-2", ["ante", "blind", "four_plus", "insurance", "progressive"], 4),
    ],
)
def test_the_base_game_is_one_and_every_other_wager_one_more(game: str, wagers: list[str], games: int) -> None:
    assert separate_games(all_games()[game], wagers, KNOWN) == games


def test_how_many_is_dated_and_washingtons() -> None:
    first = date(2008, 1, 1)
    assert separate_games_on(FLOOR.policies, (first - timedelta(days=1)).isoformat()) is None
    found = separate_games_on(FLOOR.policies, first.isoformat())
    assert found is not None
    assert found.games == 3
    assert separate_games_on(replace(FLOOR.policies, kind="tribal"), "2026-03-01") is None
    assert separate_games_on(replace(FLOOR.policies, jurisdiction="Oregon"), "2026-03-01") is None


# ------------------------------------------------------------------------------------------------ on the record


def test_a_change_of_a_register_is_a_change_in_words() -> None:
    newer = replace(FLOOR, equipment=(replace(FLOOR.equipment[0], version="6.7"), *FLOOR.equipment[1:]))
    assert changes_in_words(FLOOR, newer) == ["equipment game-manager version: 6.6 build 520 became 6.7"]
    real = replace(FLOOR, approvals=(replace(FLOOR.approvals[0], demonstration=False), *FLOOR.approvals[1:]))
    assert changes_in_words(FLOOR, real) == ["approval three-card-poker demonstration: True became False"]


def test_an_older_journal_has_no_registers_and_shuts_no_table() -> None:
    plain = msgspec.to_builtins(FLOOR)
    for key in ("equipment", "approvals", "approvals_kept"):
        del plain[key]
    older = msgspec.convert(plain, FloorConfig)
    assert (older.equipment, older.approvals, older.approvals_kept) == ((), (), False)
    assert set(stops(older, "2026-03-01").values()) == {""}


@given(kind=st.text(max_size=8), version=st.text(max_size=8))
@settings(max_examples=60, deadline=None)
def test_whatever_an_order_registers_is_judged(kind: str, version: str) -> None:
    """The journal must replay, whatever stands in it."""
    odd = Equipment(id="X", kind=kind, version=version, tables=("SE1-2",))
    config = replace(FLOOR, equipment=(*FLOOR.equipment, odd))
    (reason,) = why(config, "SE1-2")
    assert reason.startswith("X: ")
    assert reason.endswith("is no kind of equipment that is approved (FL-11)")
    worded = Equipment(id="X", kind="i-deal", version=f"v{version}x", tables=("SE1-2",), backup=True)
    assert why(replace(FLOOR, equipment=(*FLOOR.equipment, worded)), "SE1-2")[0].startswith("X: i-Deal")


def test_the_games_that_only_demonstrate_are_named() -> None:
    assert set(demonstrations(FLOOR)) == {approval.game for approval in FLOOR.approvals}
    real = tuple(replace(one, demonstration=False) for one in FLOOR.approvals)
    assert demonstrations(replace(FLOOR, approvals=real)) == ()
    assert signage(replace(FLOOR, approvals=real), "CS-1").notice == ""


def test_a_sign_is_plain_data() -> None:
    for one in FLOOR.tables:
        sign = signage(FLOOR, one.id)
        assert msgspec.json.decode(msgspec.json.encode(sign), type=Sign) == sign


def test_a_sign_without_limits_shows_every_pay_table_there_is() -> None:
    config = changed("CS-1", limits={})
    sign = signage(config, "CS-1")
    assert sign.wagers == ()
    assert {one.wager for one in sign.pay_tables} == set(table("CS-1").tables)
