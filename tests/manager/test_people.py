"""Cards, PINs, roles, second persons, lock-outs, and what is written down when somebody asks for what he may not do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from tests.keys import KEYS

from houseway.manager.commands import AdjustMeter, Dismiss, Enroll, Order, PlainCommand, Role, Unlock
from houseway.manager.credentials import credential_digest, new_credential, pin_fits
from houseway.manager.entry import Entry, entry_of
from houseway.manager.events import AuthorityRefused
from houseway.manager.floor import REFUSALS_A_MINUTE, FirstCard, Floor
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.permissions import PERMISSIONS
from houseway.manager.store import open_store
from houseway.manager.store.base import Credential
from houseway.refusal import NotAllowed, Refusal
from houseway.table.commands import Light

MINUTE = 60_000_000
START = 1_780_000_000_000_000


class Desk:
    """A floor just founded, with a clock in hand."""

    def __init__(self, folder: Path) -> None:
        self.now = START
        self.config = read_floor(example_floor().encode(), "floor.toml", folder).config
        assert self.config is not None
        self.floor = Floor(open_store(str(folder / "floor.db")), keys=KEYS, clock=lambda: self.now, threaded=False)
        self.first: FirstCard = self.floor.found(self.config)
        self.orders = 0

    def do(
        self, by: str, command: PlainCommand | Enroll, second: str = "", credential: Credential | None = None
    ) -> Entry:
        self.orders += 1
        return self.floor.handle(Order(id=f"o{self.orders}", by=by, second=second, command=command), credential).entry

    def enrol(self, staff: str, role: Role, pin: str = "4711", card: str = "") -> None:
        credential = new_credential(card or f"card-{staff}", staff, pin)
        digest = credential_digest(credential)
        command = Enroll(staff=staff, name=staff.title(), role=role, card=credential.card, credential=digest)
        self.do(self.first.staff, command, credential=credential)

    def refusals(self) -> list[AuthorityRefused]:
        return [
            event
            for row in self.floor.store.entries()
            for event in entry_of(row.body).events
            if isinstance(event, AuthorityRefused)
        ]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.floor.close()


def test_the_first_start_makes_one_manager_whose_pin_is_kept_nowhere(desk: Desk) -> None:
    assert [(one.id, one.role) for one in desk.floor.state.staff.values()] == [(desk.first.staff, "manager")]
    assert desk.floor.sign_in(desk.first.card, desk.first.pin).role == "manager"
    everything = "".join(row.body for row in desk.floor.store.entries())
    credential = desk.floor.store.credential(desk.first.card)
    assert credential is not None
    assert desk.first.pin not in credential.pin_hash
    assert f'"{desk.first.pin}"' not in everything
    assert credential.pin_hash.startswith("$argon2id$")
    assert credential.pin_hash not in everything
    assert desk.config is not None
    with pytest.raises(Refusal, match="founded already"):
        desk.floor.found(desk.config)


def test_a_card_and_its_own_pin_fit_and_nothing_else_does(desk: Desk) -> None:
    desk.enrol("lee", "dealer", pin="123456")
    assert desk.floor.sign_in("card-lee", "123456").id == "lee"
    for card, pin in (("card-lee", "123457"), ("card-lee", ""), ("card-nobody", "123456"), ("", "")):
        with pytest.raises(NotAllowed, match="do not fit"):
            desk.floor.sign_in(card, pin)
    assert not pin_fits(None, "123456")
    for pin in ("123", "1" * 13, "12 34", "abcd", "١٢٣٤"):
        with pytest.raises(Refusal, match="4 to 12 digits"):
            new_credential("c", "s", pin)


def test_a_credential_that_was_exchanged_in_the_database_opens_nothing(desk: Desk) -> None:
    desk.enrol("lee", "dealer")
    store = desk.floor.store
    store.begin()
    store.add_credential(new_credential("card-lee", "lee", "9999"))
    store.commit()
    with pytest.raises(NotAllowed, match="do not fit"):
        desk.floor.sign_in("card-lee", "9999")


def test_wrong_pins_in_a_row_lock_a_card_until_time_or_a_manager_frees_it(desk: Desk) -> None:
    desk.enrol("lee", "dealer", pin="1111")
    policies = desk.floor.state.policies
    for _ in range(policies.failures_before_lockout):
        with pytest.raises(NotAllowed, match="do not fit"):
            desk.floor.sign_in("card-lee", "2222")
    with pytest.raises(NotAllowed, match="locked"):
        desk.floor.sign_in("card-lee", "1111")
    assert [one.locked_until > 0 for one in desk.refusals()].count(True) == 1
    desk.now += policies.lockout_minutes * MINUTE + 1
    assert desk.floor.sign_in("card-lee", "1111").id == "lee"
    for _ in range(policies.failures_before_lockout):
        with pytest.raises(NotAllowed):
            desk.floor.sign_in("card-lee", "2222")
    desk.do(desk.first.staff, Unlock(staff="lee"))
    assert desk.floor.sign_in("card-lee", "1111").id == "lee"


def test_a_right_pin_between_wrong_ones_begins_the_count_anew(desk: Desk) -> None:
    desk.enrol("lee", "dealer", pin="1111")
    for pins in (("2222",) * (desk.floor.state.policies.failures_before_lockout - 1), ("2222",)):
        for pin in pins:
            with pytest.raises(NotAllowed, match="do not fit"):
                desk.floor.sign_in("card-lee", pin)
        assert desk.floor.sign_in("card-lee", "1111").id == "lee"


def test_who_is_dismissed_neither_signs_in_nor_orders_and_the_last_manager_stays(desk: Desk) -> None:
    desk.enrol("lee", "dealer")
    desk.do(desk.first.staff, Dismiss(staff="lee", reason="left"))
    with pytest.raises(NotAllowed):
        desk.floor.sign_in("card-lee", "4711")
    with pytest.raises(NotAllowed, match="not on the staff"):
        desk.do("lee", Light(table="TCP-1", spot=1))
    with pytest.raises(Refusal, match="without a manager"):
        desk.do(desk.first.staff, Dismiss(staff=desk.first.staff, reason="left"))


def test_a_card_is_one_persons_and_comes_with_its_credential(desk: Desk) -> None:
    desk.enrol("lee", "dealer", card="77")
    with pytest.raises(Refusal, match="card of Lee"):
        desk.enrol("kim", "dealer", card="77")
    command = Enroll(staff="kim", name="Kim", role="dealer", card="78", credential="0" * 64)
    with pytest.raises(Refusal, match="must come with an enrolment"):
        desk.do(desk.first.staff, command)
    assert "kim" not in desk.floor.state.staff


def test_an_adjustment_takes_two_different_people_of_the_right_roles(desk: Desk) -> None:
    desk.enrol("ann", "executive")
    desk.enrol("lee", "dealer")
    wish = AdjustMeter(link="stud", meter="main", cents=100, reason="malfunction", explanation="test")
    before = desk.floor.state.links
    for second in ("", "lee", desk.first.staff, "nobody"):
        with pytest.raises(NotAllowed) as refused:
            desk.do(desk.first.staff, wish, second=second)
        assert refused.value.rule == "second person"
    with pytest.raises(NotAllowed) as refused:
        desk.do("ann", wish, second=desk.first.staff)
    assert refused.value.rule == "role"
    # With both right, only the meter itself is in the way.
    with pytest.raises(Refusal, match="not been opened"):
        desk.do(desk.first.staff, wish, second="ann")
    assert desk.floor.state.links == before
    assert [one.rule for one in desk.refusals()] == ["second person"] * 4 + ["role"]


def test_too_many_refusals_are_counted_and_not_all_written_down(desk: Desk) -> None:
    desk.enrol("lee", "dealer")
    for _ in range(REFUSALS_A_MINUTE + 12):
        with pytest.raises(NotAllowed):
            desk.do("lee", Unlock(staff="lee"))
    assert len(desk.refusals()) == REFUSALS_A_MINUTE
    desk.now += MINUTE + 1
    with pytest.raises(NotAllowed):
        desk.do("lee", Unlock(staff="lee"))
    assert desk.refusals()[-1].unrecorded == 12
    # A wrong PIN is always written down: the lock-out counts on it.
    for _ in range(REFUSALS_A_MINUTE + 2):
        with pytest.raises(NotAllowed):
            desk.do("lee", Unlock(staff="lee"))
    with pytest.raises(NotAllowed):
        desk.floor.sign_in("card-lee", "0000")
    assert desk.refusals()[-1].failed


def test_every_command_is_in_the_one_table_of_rights() -> None:
    names = {command.__struct_config__.tag for command in get_args(PlainCommand)} | {"enroll", "admit", "issue_device"}
    assert names == set(PERMISSIONS)
    assert all(right.roles for right in PERMISSIONS.values())
