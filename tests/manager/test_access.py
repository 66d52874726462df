"""Players' codes, devices' tokens, and who stays signed in: kept in the journal, known to every process of a floor."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.keys import KEYS
from tests.manager.test_people import Desk
from tests.staff_kit import PIN

from houseway.manager.commands import Admit, Command, Enter, IssueDevice, Order, RevokeDevice, SignOut
from houseway.manager.floor import Floor
from houseway.manager.state import CODE_GOOD_FOR, LONGEST_SIGNED_IN
from houseway.manager.store import open_store
from houseway.refusal import NotAllowed, Refusal
from houseway.table.progressive_round.commands import Light, LockIn


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.enrol("dee", "dealer")
    return made


def give(desk: Desk, by: str, command: Command) -> None:
    desk.orders += 1
    desk.floor.handle(Order(id=f"a{desk.orders}", by=by, command=command))


def test_a_code_is_good_once(desk: Desk) -> None:
    give(desk, "dee", Admit(player="Ann", code="c1"))
    give(desk, "", Enter(code="c1", session="s1"))
    assert desk.floor.state.signed["s1"].who == "player/Ann"
    with pytest.raises(NotAllowed, match="ask the dealer"):
        give(desk, "", Enter(code="c1", session="s2"))


def test_a_code_waits_ten_minutes(desk: Desk) -> None:
    give(desk, "dee", Admit(player="Ann", code="c1"))
    desk.now += CODE_GOOD_FOR
    with pytest.raises(NotAllowed):
        give(desk, "", Enter(code="c1", session="s1"))


def test_a_code_that_was_not_used_is_replaced_and_a_name_in_use_is_not_given_again(desk: Desk) -> None:
    """TR-8."""
    give(desk, "dee", Admit(player="Ann", code="c1"))
    give(desk, "dee", Admit(player="Ann", code="c2"))
    with pytest.raises(NotAllowed):
        give(desk, "", Enter(code="c1", session="s1"))
    give(desk, "", Enter(code="c2", session="s2", again="r2"))
    with pytest.raises(Refusal, match="is signed in"):
        give(desk, "dee", Admit(player="Ann", code="c3"))
    give(desk, "", Enter(code="r2", session="s3", again="r3"))
    assert set(desk.floor.state.signed) == {"s3"}
    with pytest.raises(NotAllowed):
        give(desk, "", Enter(code="r2", session="s4"))


@pytest.mark.parametrize("name", ["", " ", " Ann", "A" * 41, "An\nn"])
def test_a_player_has_a_name_that_can_be_read(desk: Desk, name: str) -> None:
    with pytest.raises(Refusal, match="player: must be a name"):
        give(desk, "dee", Admit(player=name, code="c1"))


def test_only_who_deals_admits_players(desk: Desk) -> None:
    with pytest.raises(NotAllowed):
        give(desk, desk.first.staff, Admit(player="Ann", code="c1"))


def test_signing_in_lasts_so_long_and_a_new_card_ends_it(desk: Desk) -> None:
    desk.floor.sign_in("card-dee", PIN, "s1")
    assert desk.floor.state.signed["s1"].who == "dee"
    desk.now += LONGEST_SIGNED_IN + 1
    desk.floor.sign_in("card-dee", PIN, "s2")
    assert set(desk.floor.state.signed) == {"s2"}
    desk.enrol("dee", "dealer", card="card-2")
    assert not desk.floor.state.signed


def test_nobody_signs_another_out(desk: Desk) -> None:
    desk.floor.sign_in("card-dee", PIN, "s1")
    with pytest.raises(NotAllowed):
        give(desk, desk.first.staff, SignOut(session="s1"))
    give(desk, "dee", SignOut(session="s1"))
    assert not desk.floor.state.signed
    give(desk, "dee", SignOut(session="s1"))


def test_a_sensor_box_lights_its_own_table_and_does_nothing_else(desk: Desk) -> None:
    manager = desk.first.staff
    give(desk, manager, IssueDevice(device="box-1", right="sensor", subject="CS-1", token="t1"))
    give(desk, "device/box-1", Light(table="CS-1", spot=2))
    assert desk.floor.state.tables["CS-1"].round.lit == (2,)
    for command in (Light(table="CS-2", spot=2), LockIn(table="CS-1")):
        with pytest.raises(NotAllowed, match="not for this device"):
            give(desk, "device/box-1", command)
    give(desk, manager, RevokeDevice(device="box-1", reason="broken"))
    with pytest.raises(NotAllowed, match="no valid token"):
        give(desk, "device/box-1", Light(table="CS-1", spot=3))


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (IssueDevice(device="a b", right="casino", token="t"), "letters, digits and dashes"),
        (IssueDevice(device="w", right="display", subject="CS-1", token="t"), "a link of this floor"),
        (IssueDevice(device="w", right="sensor", subject="stud", token="t"), "a table of this floor"),
        (IssueDevice(device="w", right="casino", subject="stud", token="t"), "must be empty"),
        (RevokeDevice(device="w", reason="gone"), "not a device of this floor"),
    ],
)
def test_a_device_that_makes_no_sense_is_refused(desk: Desk, command: Command, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        give(desk, desk.first.staff, command)


def test_a_device_has_one_token_at_a_time(desk: Desk) -> None:
    manager = desk.first.staff
    give(desk, manager, IssueDevice(device="hall", right="display", subject="stud", token="t1"))
    with pytest.raises(Refusal, match="revoke it first"):
        give(desk, manager, IssueDevice(device="hall", right="display", subject="stud", token="t2"))
    give(desk, manager, RevokeDevice(device="hall", reason="lost"))
    give(desk, manager, IssueDevice(device="hall", right="display", subject="stud", token="t2"))
    assert desk.floor.state.devices["hall"].token == "t2"


def test_listeners_are_told_of_every_entry_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    told: list[int] = []
    desk.floor.listen(lambda entries, state: told.extend(entry.seq for entry in entries))
    desk.enrol("dee", "dealer")
    desk.floor.refresh()
    assert told == [desk.floor.state.seq - 1, desk.floor.state.seq]
    desk.floor.close()
    again = Floor(open_store(str(tmp_path / "floor.db")), keys=KEYS, threaded=False)
    assert again.state == desk.floor.state
    again.close()
