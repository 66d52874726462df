"""Cards, PINs, roles, second persons, lock-outs, and what is written down when somebody asks for what he may not do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from tests.keys import KEYS
from tests.staff_kit import PIN, enroll

from houseway.manager.commands import AdjustMeter, Dismiss, Enroll, Order, PlainCommand, Role, Unlock
from houseway.manager.credentials import new_credential, pin_fits
from houseway.manager.entry import Entry, entry_of
from houseway.manager.events import AuthorityRefused
from houseway.manager.floor import REFUSALS_A_MINUTE, Floor
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.permissions import PERMISSIONS
from houseway.manager.store import open_store
from houseway.refusal import NotAllowed, Refusal
from houseway.table.progressive_round.commands import Light

MINUTE = 60_000_000
START = 1_780_000_000_000_000


class Desk:
    """A floor just founded, with a clock in hand."""

    def __init__(self, folder: Path) -> None:
        self.now = START
        self.config = read_floor(example_floor().encode(), "floor.toml", folder).config
        assert self.config is not None
        self.floor = Floor(open_store(str(folder / "floor.db")), keys=KEYS, clock=lambda: self.now, threaded=False)
        self.first, self.other = self.floor.found(self.config)
        for one in (self.first, self.other):
            self.floor.set_pin(one.card, one.secret, PIN)
        self.orders = 0

    def do(self, by: str, command: PlainCommand | Enroll, second: str = "") -> Entry:
        self.orders += 1
        return self.floor.handle(Order(id=f"o{self.orders}", by=by, second=second, command=command)).entry

    def both(self, command: PlainCommand | Enroll) -> Entry:
        """An order of the floor's first two people."""
        return self.do(self.first.staff, command, self.other.staff)

    def enrol(self, staff: str, role: Role, pin: str = PIN, card: str = "") -> None:
        enroll(self.floor, self.first.staff, self.other.staff, staff, role, pin=pin, card=card)

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


def test_the_first_start_makes_a_manager_and_an_executive_whose_secrets_are_kept_nowhere(desk: Desk) -> None:
    people = [(one.id, one.role) for one in desk.floor.state.staff.values()]
    assert people == [(desk.first.staff, "manager"), (desk.other.staff, "executive")]
    assert desk.floor.sign_in(desk.first.card, PIN).role == "manager"
    everything = "".join(row.body for row in desk.floor.store.entries())
    credential = desk.floor.store.credential(desk.first.card)
    assert credential is not None
    for secret in (desk.first.secret, PIN):
        assert secret not in credential.pin_hash
        assert f'"{secret}"' not in everything
    assert "$argon2id$" in credential.pin_hash
    assert credential.pin_hash not in everything
    assert desk.config is not None
    with pytest.raises(Refusal, match="founded already"):
        desk.floor.found(desk.config)


def test_a_card_and_its_own_pin_fit_and_nothing_else_does(desk: Desk) -> None:
    desk.enrol("lee", "dealer")
    assert desk.floor.sign_in("card-lee", PIN).id == "lee"
    for card, pin in (("card-lee", f"{PIN}7"), ("card-lee", ""), ("card-nobody", PIN), ("", "")):
        with pytest.raises(NotAllowed, match="do not fit"):
            desk.floor.sign_in(card, pin)
    desk.now += MINUTE
    assert not pin_fits(None, PIN, KEYS)
    for pin in ("123", "1" * 13, "12 34", "abcd", "١٢٣٤"):
        with pytest.raises(Refusal, match="4 to 12 digits"):
            desk.floor.set_pin("card-lee", PIN, pin)


def test_a_credential_that_was_exchanged_in_the_database_opens_nothing(desk: Desk) -> None:
    desk.enrol("lee", "dealer")
    store = desk.floor.store
    store.begin()
    store.add_credential(new_credential("card-lee", "lee", "9999", KEYS))
    store.commit()
    with pytest.raises(NotAllowed, match="do not fit"):
        desk.floor.sign_in("card-lee", "9999")


def wrong_pins(desk: Desk, places: int) -> None:
    """A wrong PIN for Lee's card from each of so many places."""
    for place in range(places):
        with pytest.raises(NotAllowed, match="do not fit"):
            desk.floor.sign_in("card-lee", "222222", network=f"10.0.0.{place}")


def test_wrong_pins_from_many_places_lock_a_card_where_it_is_new_until_time_or_two_people_free_it(desk: Desk) -> None:
    desk.enrol("lee", "dealer")
    policies = desk.floor.state.policies
    assert desk.floor.sign_in("card-lee", PIN, network="10.1.1.1").id == "lee"
    wrong_pins(desk, policies.failures_before_lockout)
    with pytest.raises(NotAllowed, match="do not fit"):
        desk.floor.sign_in("card-lee", PIN, network="10.2.2.2")
    assert [one.locked_until > 0 for one in desk.refusals()].count(True) == 1
    desk.now += policies.lockout_minutes * MINUTE + 1
    assert desk.floor.sign_in("card-lee", PIN, network="10.2.2.2").id == "lee"
    wrong_pins(desk, policies.failures_before_lockout)
    desk.both(Unlock(staff="lee"))
    assert desk.floor.sign_in("card-lee", PIN, network="10.3.3.3").id == "lee"


def test_a_right_pin_between_wrong_ones_begins_the_count_anew(desk: Desk) -> None:
    desk.enrol("lee", "dealer")
    most = desk.floor.state.policies.failures_before_lockout - 1
    for _ in range(2):
        wrong_pins(desk, most)
        assert desk.floor.sign_in("card-lee", PIN, network="10.1.1.1").id == "lee"
        assert desk.floor.state.staff["lee"].failed_from == ()


def test_who_is_dismissed_neither_signs_in_nor_orders_and_the_last_manager_stays(desk: Desk) -> None:
    desk.enrol("lee", "dealer")
    desk.both(Dismiss(staff="lee", reason="left"))
    with pytest.raises(NotAllowed):
        desk.floor.sign_in("card-lee", PIN)
    with pytest.raises(NotAllowed, match="not on the staff"):
        desk.do("lee", Light(table="TCP-1", spot=1))
    for one in (desk.first, desk.other):
        with pytest.raises(Refusal, match="must keep a manager and a second person"):
            desk.both(Dismiss(staff=one.staff, reason="left"))


def test_a_card_is_one_persons_and_comes_with_its_credential(desk: Desk) -> None:
    desk.enrol("lee", "dealer", card="77")
    with pytest.raises(Refusal, match="card of Lee"):
        desk.enrol("kim", "dealer", card="77")
    command = Enroll(staff="kim", name="Kim", role="dealer", card="78", credential="0" * 64)
    with pytest.raises(Refusal, match="must come with an enrolment"):
        desk.both(command)
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
        desk.floor.sign_in("card-lee", "000000")
    assert desk.refusals()[-1].failed


def test_every_command_is_in_the_one_table_of_rights() -> None:
    names = {command.__struct_config__.tag for command in get_args(PlainCommand)} | {
        *("enroll", "admit", "issue_device", "recover")
    }
    assert names == set(PERMISSIONS)
    assert all(right.roles for right in PERMISSIONS.values())
