"""The floors of load tests, and what is held against the journal afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from houseway.api.orders import Carried
from houseway.client.asking import Answered
from houseway.client.problems import Refused
from houseway.client.tally import Tally
from houseway.commands.load_floor import DEFAULT_MIX, KINDS, floor_text, read_mix, shares
from houseway.games import all_games
from houseway.manager.floor_file import read_floor
from houseway.manager.store.base import Row
from houseway.refusal import Refusal


@pytest.mark.parametrize("tables", [1, 2, 7, 40])
def test_a_floor_of_any_size_has_no_defect(tables: int) -> None:
    found = read_floor(floor_text(tables, read_mix(DEFAULT_MIX)).encode(), "floor.toml", Path())
    assert not found.defects
    assert found.config is not None
    assert len(found.config.tables) == tables


def test_the_usual_floor_has_every_game_and_both_consoles() -> None:
    config = read_floor(floor_text(200, read_mix(DEFAULT_MIX)).encode(), "floor.toml", Path()).config
    assert config is not None
    assert {one.game for one in config.tables if one.kind == "virtual"} == set(all_games())
    assert {one.console for one in config.tables if one.kind == "progressive"} == {"touch", "keypad"}
    kinds = [one.kind for one in config.tables]
    assert kinds.count("virtual") == kinds.count("progressive") == 100
    assert len(config.links) <= len(KINDS)


@pytest.mark.parametrize("tables", [1, 3, 10, 199])
def test_shares_are_whole_tables_as_near_as_can_be(tables: int) -> None:
    mix = read_mix("virtual-stud=3,progressive-stud=1")
    made = shares(mix, tables)
    assert sum(made.values()) == tables
    for kind, weight in mix.items():
        assert abs(made[kind] - tables * weight / sum(mix.values())) < 1


@pytest.mark.parametrize("mix", ["moon=1", "virtual=x", "virtual=0", "", "virtual=1,,", "virtual=-1"])
def test_a_mix_that_is_none_is_refused(mix: str) -> None:
    with pytest.raises(Refusal, match="mix"):
        read_mix(mix)


def carried(entry: int) -> Carried:
    return Carried(entry=entry, at=0, day="", type="light", table="T", round=1, currency="USD", events=[])


def row(seq: int, order: str, kind: str = "light") -> Row:
    return Row(seq, 0, "", order, kind, "T", 1, "", "")


def answered(key: str, outcome: Any, tries: int = 1, status: int = 200) -> Answered:
    return Answered("light", key, tries, 0.01, status, outcome)


@pytest.fixture
def tally() -> Tally:
    made = Tally()
    made.watch(answered("a", carried(1)))
    made.watch(answered("b", httpx.ReadError("reset"), status=0))
    made.watch(answered("b", carried(2), tries=2))
    made.watch(answered("c", Refused("spot", "is taken", status=409, kind="refused"), status=409))
    made.watch(Answered("table", "", 1, 0.02, 200, object()))
    return made


def test_a_tally_knows_what_came_of_every_order(tally: Tally) -> None:
    assert tally.carried == {"a": 1, "b": 2}
    assert dict(tally.refused) == {"light: spot": 1}
    assert (tally.orders, tally.asked, tally.retried) == (3, 1, 1)
    assert list(tally.errors) == ["light: ReadError: reset"]
    assert list(tally.unaccounted([row(1, "a"), row(2, "b"), row(3, "sign-in-1", "sign_in")])) == []


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([row(1, "a")], "order b was acknowledged as entry 2, which is not in the journal"),
        ([row(1, "a"), row(3, "b")], "was acknowledged as 2"),
        ([row(1, "a"), row(2, "b"), row(3, "x")], "entry 3 (light) was acknowledged to nobody"),
        ([row(1, "a"), row(2, "b"), row(3, "b")], "entry 3 (light) was acknowledged to nobody"),
    ],
)
def test_a_difference_from_the_journal_is_found(tally: Tally, rows: list[Row], words: str) -> None:
    assert any(words in one for one in tally.unaccounted(rows))


def test_an_order_without_an_answer_is_found() -> None:
    tally = Tally()
    tally.watch(answered("a", httpx.ReadError("reset"), status=0))
    assert list(tally.unaccounted([])) == ["order a was never answered"]


def test_shares_of_time_are_of_the_orders_that_count() -> None:
    tally = Tally()
    for number in range(1, 101):
        tally.watch(Answered("light", str(number), 1, number / 1000, 200, carried(number)))
    assert tally.milliseconds(0.5, 0.99, 1.0) == pytest.approx([51, 100, 100])
    tally.discard(99)
    assert tally.milliseconds(0.5) == pytest.approx([100])
