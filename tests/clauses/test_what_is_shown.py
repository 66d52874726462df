"""What the Game Manager and a display show, without a browser: PR-21, PR-27 and PR-33.

The pages themselves are in test_screens_manager.py and test_screens_display.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import to_builtins
from tests.manager.floor_kit import House, Opener, opened

from houseway.books.view import floor_view, next_prizes, pending_lines
from houseway.manager.commands import IssueDevice
from houseway.table.progressive_round import commands as press


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Opener]:
    yield from opened(tmp_path)


@pytest.mark.clause("PR-21")
def test_every_link_meter_reserve_and_table_is_shown_as_it_stands(open_house: Opener) -> None:
    house = open_house(tables=2, reserve="5%", second_link=True)
    house.coin_in("T1", 1, 2, 3)
    house.suspend("table", "T2")
    shown = to_builtins(floor_view(house.state))
    meters = {
        link["id"]: [(one["meter"], one["cents"], one["reserve_cents"]) for one in link["meters"]]
        for link in shown["links"]
    }
    assert meters == {"L1": [("main", 10_002_10, 15)], "L2": [("main", 10_000_00, 0)]}
    tables = {table["id"]: (table["locked"], table["lit"], table["stops"]) for table in shown["tables"]}
    assert tables == {
        "T1": (True, (1, 2, 3), ()),
        "T2": (False, (), ("the network is down",)),
        "X1": (False, (), ()),
    }


@pytest.mark.clause("PR-21")
def test_open_claims_confirmed_wins_with_the_amount_to_pay_and_alarms_are_shown(open_house: Opener) -> None:
    """The meter cannot give all of the $500: the house adds to it, and the whole is what is due and paid."""
    house = open_house(seed=400_00, console="keypad")
    house.coin_in("T1", 1, 2)
    house.name("T1", 1, "four_of_a_kind")
    (claim,) = floor_view(house.state).links[0].claims
    assert (claim.table, claim.spot, claim.hand, claim.due_cents, claim.turn) == ("T1", 1, "four_of_a_kind", 500_00, 1)
    assert floor_view(house.state).alarms == ()
    win = house.record("T1", 1).seq
    shown = floor_view(house.state)
    assert shown.links[0].claims == ()
    assert [(one.win, one.spot, one.cents, one.paid) for one in shown.tables[0].wins] == [(win, 1, 500_00, True)]
    (alarm,) = shown.alarms
    assert "running dry" in alarm.text
    house.undo(win)
    assert floor_view(house.state).tables[0].wins == (), "a win that was undone is not to be paid"


@pytest.mark.clause("PR-27")
def test_nothing_can_be_done_with_the_token_of_a_display(open_house: Opener) -> None:
    house = open_house()
    house.do("m1", IssueDevice(device="wall", right="display", subject="L1", token="digest"))
    for order in (
        press.Light(table="T1", spot=1),
        press.LockIn(table="T1"),
        press.CloseRound(table="T1"),
        press.Arrive(table="T1"),
    ):
        assert house.not_allowed(lambda command=order: house.do("device/wall", command)) == "role"  # type: ignore[misc]


@pytest.mark.clause("PR-33")
def test_while_a_claim_is_open_its_amount_is_pending_and_the_next_prize_grows(open_house: Opener) -> None:
    house: House = open_house(tables=2, reserve="10%")
    house.coin_in("T1", 1, 2)
    assert (list(pending_lines(house.link())), next_prizes(house.link())) == ([], {})
    house.name("T1", 1, "royal_flush")
    assert [(one.meter, one.table, one.cents) for one in pending_lines(house.link())] == [("main", "T1", 10_001_40)]
    assert next_prizes(house.link()) == {"main": 10_000_20}, "the seed and the reserve: what it starts again from"
    house.coin_in("T2", 1)
    house.name("T2", 1, "straight_flush")
    # A tenth of what the second round finds there, and it comes off the next prize.
    assert [(one.table, one.cents) for one in pending_lines(house.link())] == [("T1", 10_001_40), ("T2", 1_000_10)]
    assert next_prizes(house.link()) == {"main": 10_001_00 - 1_000_10}
    house.confirm("T1", 1)
    house.drop("T2", 1)
    assert (list(pending_lines(house.link())), next_prizes(house.link())) == ([], {})
    assert house.meter() == 10_001_00
