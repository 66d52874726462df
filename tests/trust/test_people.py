"""People who try to cheat: second persons of one's own making, guessed PINs, quiet voids (TR-5, TR-6, TR-7)."""

from __future__ import annotations

import sqlite3
import stat
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.keys import KEYS
from tests.manager.floor_kit import House
from tests.staff_kit import CHEAP, PIN, enroll
from tests.table.table_kit import Room
from tests.web.web_kit import Person, serving_here

from houseway.books.verify import verify
from houseway.cli import main
from houseway.manager import authority, credentials, decide
from houseway.manager.authority import asked_by, check_authority
from houseway.manager.commands import (
    AdjustMeter,
    Command,
    Configure,
    Dismiss,
    Enroll,
    Found,
    Order,
    ReplaceKey,
    Role,
    SeedMeter,
    Unlock,
)
from houseway.manager.commands import Person as Member
from houseway.manager.credentials import check_pin, credential_digest, new_credential, pin_fits
from houseway.manager.decide import PinNotSet
from houseway.manager.entry import Entry, entry_of
from houseway.manager.events import StaffEnrolled
from houseway.manager.floor import INSTALLATION, Floor
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.keyring import Keyring
from houseway.manager.past import Journal
from houseway.manager.permissions import LONG_PIN, PERMISSIONS, RIGHTS_OF
from houseway.manager.state import FloorState, after, caught_up
from houseway.manager.store import open_store
from houseway.manager.store.base import Credential
from houseway.manager.waiting import MustWait, Waiting
from houseway.refusal import NotAllowed, Refusal
from houseway.table.progressive_round.commands import VoidRound
from houseway.web.limiter import network_of

HOUR = 3_600_000_000
START = 1_780_000_000_000_000
RAISED = 490_000_00


class Office:
    """A new floor, its two first people with PINs of their own, its meters seeded, and a clock in hand."""

    def __init__(self, folder: Path) -> None:
        self.now = START
        config = read_floor(example_floor().encode(), "floor.toml", folder).config
        assert config is not None
        self.config = config
        self.file = folder / "floor.db"
        self.floor = Floor(open_store(str(self.file)), keys=KEYS, clock=lambda: self.now, threaded=False)
        self.manager, self.executive = self.floor.found(config)
        for one in (self.manager, self.executive):
            self.floor.set_pin(one.card, one.secret, PIN)
        self._numbers = count(1)
        self.do("manager-1", SeedMeter(link="stud", meter="main"))

    def do(self, by: str, command: Command, second: str = "", *given: Credential) -> Entry:
        self.now += 1_000_000
        order = Order(id=f"order-{next(self._numbers)}", by=by, second=second, command=command)
        return self.floor.handle(order, *given).entry

    def enrol(self, first: str, second: str, staff: str, role: Role, **more: str) -> None:
        self.now += 1_000_000
        enroll(self.floor, first, second, staff, role, **more)

    def enrol_alone(self, first: str, staff: str, role: Role) -> None:
        """As one manager tried it: an enrolment without a second person."""
        credential = new_credential(f"card-{staff}", staff, "a code", KEYS)
        digest = credential_digest(credential)
        command = Enroll(staff=staff, name=staff, role=role, card=credential.card, credential=digest)
        self.do(first, command, "", credential)

    def raised(self, second: str, first: str = "manager-1") -> Entry:
        return self.do(first, raising(), second)

    def meter(self) -> int:
        return self.floor.state.links["stud"].meters["main"].value // 10_000


def raising() -> AdjustMeter:
    """+$490,000."""
    words = "a malfunction of the display"
    return AdjustMeter(link="stud", meter="main", cents=RAISED, reason="malfunction", explanation=words)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.floor.close()


def rule_of(raised: pytest.ExceptionInfo[NotAllowed]) -> str:
    return raised.value.rule


# ------------------------------------------------------------------------------------- nobody makes their own second


@pytest.mark.clause("TR-5")
def test_a_manager_who_enrols_an_auditor_cannot_use_her_as_second_person(office: Office) -> None:
    """The attack as it was done: enrol an auditor, raise a meter by $490,000 with her, dismiss her."""
    before = office.meter()
    with pytest.raises(NotAllowed) as alone:
        office.enrol_alone("manager-1", "auditor-x", "auditor")
    assert rule_of(alone) == "second person"
    # With a second manager who does not look closely, who is no executive, the enrolment itself goes through …
    office.enrol("manager-1", "executive-1", "manager-2", "manager")
    office.enrol("manager-1", "manager-2", "auditor-x", "auditor", card="77", pin="")
    # … but her card opens nothing before she has set a PIN, and then not for those who enrolled her.
    for first in ("manager-1", "manager-2"):
        with pytest.raises(NotAllowed) as unset:
            office.raised("auditor-x", first)
        assert rule_of(unset) == "second person"
    with pytest.raises(NotAllowed, match="do not fit"):
        office.floor.sign_in("77", "123456")
    office.enrol("manager-1", "manager-2", "auditor-x", "auditor", card="78")
    for first in ("manager-1", "manager-2"):
        with pytest.raises(NotAllowed, match="enrolled Auditor-X less than 24 hours ago") as own:
            office.raised("auditor-x", first)
        assert rule_of(own) == "second person"
    assert office.meter() == before
    office.now += 24 * HOUR
    office.raised("auditor-x")
    assert office.meter() == before + RAISED
    assert verify(office.floor.store).bad == ()


@pytest.mark.clause("TR-5")
def test_planted_without_check_second_the_meter_is_raised(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    before = office.meter()
    office.enrol("manager-1", "executive-1", "manager-2", "manager")
    office.enrol("manager-1", "manager-2", "auditor-x", "auditor")
    with pytest.raises(NotAllowed):
        office.raised("auditor-x")
    monkeypatch.setattr(authority, "check_second", lambda state, first, second, now: None)
    office.raised("auditor-x")
    assert office.meter() == before + RAISED


@pytest.mark.clause("TR-5")
def test_planted_with_the_rights_of_before_one_manager_enrols_alone(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PERMISSIONS, "enroll", RIGHTS_OF[1]["enroll"])
    office.enrol_alone("manager-1", "auditor-x", "auditor")
    assert "auditor-x" in office.floor.state.staff


@pytest.mark.clause("TR-5")
def test_an_executive_who_took_part_lifts_the_wait_for_others_and_not_for_themselves(office: Office) -> None:
    office.enrol("manager-1", "executive-1", "auditor-a", "auditor")
    office.raised("auditor-a")
    # An executive who was made on the way is new to who made them, and lifts nothing for that person.
    office.enrol("manager-1", "auditor-a", "executive-x", "executive")
    with pytest.raises(NotAllowed, match="enrolled Executive-X"):
        office.enrol("manager-1", "executive-x", "auditor-b", "auditor")
    # Nor does the executive who enrolled a supervisor have her second a void of theirs.
    office.enrol("manager-1", "executive-1", "supervisor-s", "supervisor")
    staff = office.floor.state.staff
    with pytest.raises(NotAllowed):
        authority.check_second(office.floor.state, staff["executive-1"], staff["supervisor-s"], office.now)
    authority.check_second(office.floor.state, staff["manager-1"], staff["supervisor-s"], office.now)


@pytest.mark.clause("TR-5")
@pytest.mark.parametrize("change", ["role", "card"])
def test_another_role_or_card_counts_as_an_enrolment_and_works_both_ways(office: Office, change: str) -> None:
    office.enrol("manager-1", "executive-1", "manager-2", "manager")
    office.enrol("manager-1", "executive-1", "lee", "auditor" if change == "card" else "dealer")
    office.now += 100 * HOUR
    office.enrol("manager-1", "manager-2", "lee", "auditor", card="new card")
    for first in ("manager-1", "manager-2"):
        with pytest.raises(NotAllowed):
            office.raised("lee", first)
    # Nor is a new manager helped by who made that person one.
    office.enrol("manager-1", "manager-2", "manager-3", "manager")
    with pytest.raises(NotAllowed, match="enrolled Manager-3"):
        office.raised("manager-1", "manager-3")


@pytest.mark.clause("TR-5")
def test_enrolling_dismissing_unlocking_configuring_and_keys_take_two_people(office: Office) -> None:
    office.enrol("manager-1", "executive-1", "lee", "dealer")
    office.enrol("manager-1", "executive-1", "ann", "auditor")
    credential = new_credential("card-kim", "kim", "code", KEYS)
    digest = credential_digest(credential)
    orders: list[tuple[Command, tuple[Credential, ...]]] = [
        (Enroll(staff="kim", name="Kim", role="dealer", card="card-kim", credential=digest), (credential,)),
        (Unlock(staff="lee"), ()),
        (Dismiss(staff="lee", reason="left"), ()),
        (Configure(config=office.config, reason="none"), ()),
        (ReplaceKey(key="ab" * 32, reason="yearly"), ()),
    ]
    for command, given in orders:
        for second in ("", "manager-1", "lee", "nobody"):
            with pytest.raises(NotAllowed) as refused:
                office.do("manager-1", command, second, *given)
            assert rule_of(refused) == "second person"
        office.do("manager-1", command, "executive-1", *given)
    # Nobody takes part in what gives or frees their own card.
    for about, first, second in (("ann", "manager-1", "ann"), ("manager-1", "manager-1", "executive-1")):
        with pytest.raises(NotAllowed, match="two others must do it"):
            office.do(first, Unlock(staff=about), second)


@pytest.mark.clause("TR-5")
def test_a_floor_keeps_two_people_who_can_go_on(office: Office) -> None:
    for leaving in ("manager-1", "executive-1"):
        with pytest.raises(Refusal, match="must keep a manager and a second person"):
            office.do("manager-1", Dismiss(staff=leaving, reason="left"), "executive-1")
    member = Member(staff="m", name="M", role="manager", card="1", credential="")
    other = Member(staff="d", name="D", role="dealer", card="2", credential="")
    for people in ((member,), (member, other), (other,)):
        found = Order(id="f", by=INSTALLATION, command=Found(config=office.config, people=people, key="0" * 64))
        past = Journal(office.floor.store, (), lambda row: entry_of(row.body))
        nothing = decide.Office(FloorState(), found, 1, START, "2026-01-01", past)
        with pytest.raises(Refusal, match="must keep a manager"):
            decide.decide(nothing)


@pytest.mark.clause("TR-5")
def test_a_new_member_sets_a_pin_and_until_then_the_card_opens_nothing(office: Office) -> None:
    credential = new_credential("card-lee", "lee", "ENROLMENTC", KEYS)
    digest = credential_digest(credential)
    command = Enroll(staff="lee", name="Lee", role="supervisor", card="card-lee", credential=digest)
    office.do("manager-1", command, "executive-1", credential)
    with pytest.raises(PinNotSet, match="set your own PIN first"):
        office.floor.sign_in("card-lee", "ENROLMENTC")
    with pytest.raises(NotAllowed, match="not on the staff"):
        office.do("lee", VoidRound(table="CS-1", cause="x"))
    with pytest.raises(Refusal, match="6 to 12 digits"):
        office.floor.set_pin("card-lee", "ENROLMENTC", "1379")
    assert office.floor.set_pin("card-lee", "ENROLMENTC", "580793").id == "lee"
    assert office.floor.sign_in("card-lee", "580793").id == "lee"
    # The code is good once; the PIN is changed with the PIN.
    for pin in ("ENROLMENTC", "580794"):
        with pytest.raises(NotAllowed, match="do not fit"):
            office.floor.set_pin("card-lee", pin, "713580")
    office.now += 2_000_000
    with pytest.raises(Refusal, match="the PIN so far"):
        office.floor.set_pin("card-lee", "580793", "580793")
    office.floor.set_pin("card-lee", "580793", "713580")
    assert office.floor.sign_in("card-lee", "713580").id == "lee"
    assert verify(office.floor.store).bad == ()
    assert caught_up(FloorState(), office.floor.store) == office.floor.state


@pytest.mark.clause("TR-5")
def test_every_entry_tells_by_itself_who_took_part(office: Office) -> None:
    """What a later check of the journal needs: the same functions, on the state before and the entry alone."""
    office.enrol("manager-1", "executive-1", "ann", "auditor")
    office.raised("ann")
    office.do("manager-1", Dismiss(staff="ann", reason="left"), "executive-1")
    state, judged = FloorState(), 0
    for row in office.floor.store.entries():
        entry = entry_of(row.body)
        if entry.kind in PERMISSIONS:
            check_authority(state, asked_by(entry), entry.at)
            judged += 1
            alone = asked_by(entry)._replace(second="")
            if PERMISSIONS[entry.kind].takes_second(None):
                with pytest.raises(NotAllowed):
                    check_authority(state, alone, entry.at)
            if not RIGHTS_OF[1][entry.kind].seconds:
                check_authority(state, alone, entry.at, RIGHTS_OF[1])
        state = after(state, entry, row.hash)
    assert judged == 4


@pytest.mark.clause("TR-5")
def test_a_journal_from_before_goes_on_as_it_was(office: Office) -> None:
    """An enrolment without the new fields: a PIN is set, and nobody waits for anybody."""
    body = b'{"type":"staff_enrolled","staff":"old","name":"Old","role":"auditor","card":"9","credential":"x"}'
    old = msgspec.json.decode(body, type=StaffEnrolled)
    state = office.floor.state
    entry = Entry(
        seq=state.seq + 1,
        at=office.now,
        day=state.day,
        order="o",
        digest="",
        by="manager-1",
        second="",
        kind="enroll",
        table="",
        round=0,
        events=(old,),
    )
    later = after(state, entry, "hash")
    member = later.staff["old"]
    assert (member.pin_set, member.enrolled_by, member.enrolled_at) == (True, (), 0)
    authority.check_second(later, later.staff["manager-1"], member, office.now)
    # A floor of one manager enrols its second person with that manager alone, and then never again.
    lone = msgspec.structs.replace(later, staff={"manager-1": later.staff["manager-1"]})
    asked = authority.Asked("enroll", "manager-1", about="new")
    assert check_authority(lone, asked, office.now).id == "manager-1"
    with pytest.raises(NotAllowed):
        check_authority(later, asked, office.now)


@pytest.mark.clause("TR-5", "TR-14")
def test_the_first_codes_are_for_their_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("floor.toml").write_text(example_floor())

    def run(*arguments: str, **given: str) -> tuple[int, str]:
        for name, value in given.items():
            monkeypatch.setenv(f"HOUSEWAY_{name.upper()}", value)
        monkeypatch.setattr(sys, "argv", ["houseway", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), "".join(capfd.readouterr())

    code, said = run("floor", "start", "floor.toml", "--json")
    assert code == 0, said
    codes = Path("first-codes.txt")
    assert stat.S_IMODE(codes.stat().st_mode) == 0o600
    people = [line.split() for line in codes.read_text().splitlines()]
    assert [(one[0], one[1]) for one in people] == [("manager-1", "manager"), ("executive-1", "executive")]
    assert not any(secret in said for *_, secret in people)
    # Each of them sets a PIN with it; then they enrol somebody together, and nobody does so alone.
    for (_, _, card, secret), pin in zip(people, ("580793", "713580"), strict=True):
        code, said = run("staff", "pin", "--card", card, pin=secret, new_pin=pin)
        assert code == 0, said
    lee = ("staff", "add", "lee", "--name", "Lee", "--role", "dealer", "--card", people[0][2])
    assert run(*lee, pin="580793", second_pin="713580")[0] == 2
    code, said = run(*lee, "--second-card", people[1][2])
    assert code == 0, said
    code, said = run("floor", "start", "floor.toml", "--db", "other.db", "--key-file", "other.key")
    assert (code, "move it away first" in said) == (2, True)


# --------------------------------------------------------------------------------------------------------------- PINs


@pytest.mark.clause("TR-6")
def test_short_and_obvious_pins_are_refused() -> None:
    assert {"supervisor", "executive", "manager", "auditor", "surveillance"} == LONG_PIN
    for role in LONG_PIN:
        with pytest.raises(Refusal, match="6 to 12 digits"):
            check_pin("8063", role, "card")
    obvious = (
        *("0000", "777777", "1234", "987654", "567890", "121212", "123123", "45454545", "2580", "0852"),
        *("1984", "2026", "311299", "19841231", "147258", "147258369", "13579", "654321", "258025"),
    )
    for pin in obvious:
        with pytest.raises(Refusal, match="nobody would try first"):
            check_pin(pin, "dealer", "card")
    for pin in ("5831", "0042", "806315"):
        check_pin(pin, "dealer", "card")
        with pytest.raises(Refusal, match="part of the card's number"):
            check_pin(pin, "dealer", f"77{pin}1")
    refused = sum(_refused(f"{number:06}") for number in range(0, 1_000_000, 37))
    assert refused / (1_000_000 / 37) < 0.10


def _refused(pin: str) -> bool:
    try:
        check_pin(pin, "manager", "card")
    except Refusal:
        return True
    return False


@pytest.mark.clause("TR-6")
def test_a_copied_database_gives_no_pin_away(office: Office, tmp_path: Path) -> None:
    """Somebody has a backup and all the time in the world: without the key file no PIN can even be tried."""
    office.enrol("manager-1", "executive-1", "lee", "dealer", pin="5831")
    office.floor.store.backup(tmp_path / "stolen.db")
    with sqlite3.connect(tmp_path / "stolen.db") as stolen:
        row = stolen.execute("SELECT card, staff, pin_hash FROM credentials WHERE card = 'card-lee'").fetchone()
    credential = Credential(*row)
    assert credential.pin_hash.startswith("hw2$")
    assert pin_fits(credential, "5831", KEYS)
    # The thief tries all 10,000, as they are and under a pepper of their own, with the salt and the hash in hand.
    hashed = credential.pin_hash.split("$", 2)[2]
    thief = Keyring(Ed25519PrivateKey.generate())
    renamed = credential._replace(pin_hash=f"hw2${credentials.secret_id('pepper', thief.secret('pepper'))}${hashed}")
    bare = credential._replace(pin_hash=hashed)
    assert not any(pin_fits(bare, f"{number:04}", thief) for number in range(10_000))
    assert not any(pin_fits(renamed, f"{number:04}", thief) for number in range(5_500, 6_000))
    assert not pin_fits(credential, "5831", thief)


@pytest.mark.clause("TR-6")
def test_planted_without_the_pepper_ten_thousand_tries_give_the_pin() -> None:
    with patch.object(credentials, "_peppered", lambda pepper, card, secret: secret):
        stolen = new_credential("card", "lee", "5831", KEYS)
    hashed, thief = stolen.pin_hash.split("$", 2)[2], Keyring(Ed25519PrivateKey.generate())
    bare = stolen._replace(pin_hash=hashed)
    assert next(pin for number in range(10_000) if pin_fits(bare, pin := f"{number:04}", thief)) == "5831"


@pytest.mark.clause("TR-6")
def test_a_pin_from_before_the_pepper_stays_good_until_it_is_changed(office: Office) -> None:
    old = Credential("card-old", "lee", CHEAP.hash("5831"))
    digest = credential_digest(old)
    command = Enroll(staff="lee", name="Lee", role="dealer", card="card-old", credential=digest)
    office.do("manager-1", command, "executive-1", old)
    assert not credentials.is_peppered(old)
    office.floor.set_pin("card-old", "5831", "3158")
    now = office.floor.store.credential("card-old")
    assert now is not None
    assert credentials.is_peppered(now)
    # A replaced pepper still opens what was closed under it.
    ring = Keyring(KEYS.signing, {"pepper": (b"n" * 32,)})
    assert pin_fits(now, "3158", ring)
    assert not pin_fits(new_credential("c", "s", "3158", ring), "3158", KEYS)


@pytest.mark.clause("TR-6")
def test_who_guesses_at_one_terminal_waits_longer_and_longer_and_nobody_else_does(office: Office) -> None:
    office.enrol("manager-1", "executive-1", "sam", "supervisor")
    waits: list[int] = []
    for guess in range(200):
        try:
            with pytest.raises(NotAllowed, match="do not fit"):
                office.floor.sign_in("card-sam", f"{guess:06}", network="10.0.0.66")
        except MustWait as wait:
            waits.append(wait.seconds)
            office.now += wait.seconds * 1_000_000
    assert waits[:5] == [2, 4, 8, 16, 32]
    assert waits[-1] == office.floor.state.policies.lockout_minutes * 60
    # The supervisor herself, at a terminal where her card never was, signs in at once; an unknown card waits alike.
    assert office.floor.sign_in("card-sam", PIN, network="10.0.0.7").id == "sam"
    for _ in range(2):
        with pytest.raises(NotAllowed, match="do not fit"):
            office.floor.sign_in("card-nobody", PIN, network="10.0.0.8")
    with pytest.raises(MustWait) as unknown:
        office.floor.sign_in("card-nobody", PIN, network="10.0.0.8")
    assert unknown.value.seconds == 2


@pytest.mark.clause("TR-6")
def test_planted_without_waiting_one_terminal_tries_as_many_as_it_likes(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.enrol("manager-1", "executive-1", "lee", "dealer", pin="0042")
    monkeypatch.setattr(Waiting, "begin", lambda self, card, place, longest: None)
    for guess in range(100):
        try:
            found = office.floor.sign_in("card-lee", f"{guess:04}", network="10.0.0.66").id
            break
        except NotAllowed:
            continue
    assert (found, guess) == ("lee", 42)


@pytest.mark.clause("TR-6")
def test_two_tries_are_free_then_2_4_8_seconds_up_to_the_longest() -> None:
    now = [START]
    waiting, waits = Waiting(lambda: now[0]), []
    for _ in range(40):
        try:
            waiting.begin("card", "here", 900_000_000)
        except MustWait as wait:
            waits.append(wait.seconds)
            now[0] += wait.seconds * 1_000_000
    assert waits[:4] == [2, 4, 8, 16]
    assert max(waits) == 900
    # Elsewhere there is nothing to wait for; here there is for other cards too, after so many wrong PINs.
    waiting.begin("card", "there", 900_000_000)
    for card in ("card", "another card"):
        with pytest.raises(MustWait):
            waiting.begin(card, "here", 900_000_000)
    now[0] += 2 * 900_000_000
    for _ in range(2):
        waiting.begin("card", "here", 900_000_000)
    with pytest.raises(MustWait):
        waiting.begin("card", "here", 900_000_000)
    waiting.forget("card")
    waiting.begin("card", "here", 900_000_000)


@pytest.mark.clause("TR-6")
def test_many_places_lock_a_card_where_it_is_new_and_not_where_it_is_known(office: Office) -> None:
    office.enrol("manager-1", "executive-1", "sam", "supervisor")
    office.floor.sign_in("card-sam", PIN, network="10.0.0.1")
    for place in range(50):
        with pytest.raises(NotAllowed, match="this card and PIN do not fit"):
            office.floor.sign_in("card-sam", f"{place:06}", network=f"10.9.0.{place}")
    # The guesser who has it right from yet another place is told the same as ever.
    with pytest.raises(NotAllowed, match="this card and PIN do not fit"):
        office.floor.sign_in("card-sam", PIN, network="10.9.9.9")
    assert office.floor.sign_in("card-sam", PIN, network="10.0.0.1").id == "sam"


@pytest.mark.clause("TR-6")
def test_a_network_is_an_address_or_a_64() -> None:
    assert network_of("2001:db8:1:2::7") == network_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:3::7") != network_of("2001:db8:1:2::7")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") == "10.0.0.1"
    assert network_of("fe80::1%eth0") == "fe80::/64"
    assert network_of("") == ""


@pytest.mark.clause("TR-6")
def test_over_the_network_a_locked_card_an_unknown_one_and_a_wrong_pin_are_alike(tmp_path: Path) -> None:
    """A real server on a socket: the same status, the same words, and about the same time."""
    with serving_here(tmp_path) as server:
        floor, places, at_the_desk = server.floor, count(1), server.sign_in("3001")

        def tried(card: str) -> tuple[int, dict[str, Any], float]:
            # Each try from a place of its own, as a proxy would name it.
            with patch("houseway.web.session.address_of", lambda ask: f"10.0.{next(places)}.1"):
                began = time.perf_counter()
                answer = server.somebody().http.post("/api/v1/session", json={"card": card, "pin": "000000"})
                return answer.status_code, answer.json(), time.perf_counter() - began

        for _ in range(floor.state.policies.failures_before_lockout):
            tried("3001")
        assert floor.state.staff["demo-supervisor"].locked_until > 0
        found = {card: [tried(card) for _ in range(7)] for card in ("3001", "nobody", "4001")}
        assert len({str((status, body)) for answers in found.values() for status, body, _ in answers}) == 1
        assert found["3001"][0][0] == 401
        times = {card: median(seconds for *_, seconds in answers) for card, answers in found.items()}
        assert max(times.values()) < 3 * min(times.values()) + 0.05
        # At a terminal where the card has opened before, it opens.
        assert at_the_desk.sign_in("3001")["role"] == "supervisor"


@pytest.mark.clause("TR-6")
def test_over_the_network_waiting_is_told_with_when_to_come_back(tmp_path: Path) -> None:
    with serving_here(tmp_path) as server:
        somebody = server.somebody()
        for _ in range(2):
            assert somebody.http.post("/api/v1/session", json={"card": "3001", "pin": "0"}).status_code == 401
        answer = somebody.http.post("/api/v1/session", json={"card": "3001", "pin": "1234"})
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "2")
        server.clock.later(2)
        assert somebody.sign_in("3001")["role"] == "supervisor"


@pytest.mark.clause("TR-5")
def test_over_the_network_two_people_enrol_and_the_new_one_sets_a_pin(tmp_path: Path) -> None:
    """The whole way on a real server; with one person, or with another's PIN in the body, it is refused."""
    with serving_here(tmp_path) as server:
        manager, new = server.sign_in("5001"), server.somebody()
        lee = {"staff": "lee", "name": "Lee", "role": "auditor"}
        alone = manager.send("staff/enroll", **lee)
        assert (alone.status_code, alone.json()["field"]) == (403, "second")
        assert manager.send("staff/enroll", **lee, pin="123456").status_code == 422
        made = seconded(manager, "staff/enroll", "5002", **lee)
        with_code = {"card": made["card"], "pin": made["code"]}
        unset = new.http.post("/api/v1/session", json=with_code)
        assert (unset.status_code, unset.json()["type"]) == (403, "urn:houseway:problem:set-pin")
        presence = {**with_code, "key": "k", "path": "staff/unlock", "role": "second"}
        assert manager.http.post("/api/v1/presence", json=presence).status_code == 403
        short = new.http.post("/api/v1/session/pin", json={**with_code, "new_pin": "4711"})
        assert (short.status_code, short.json()["field"]) == (409, "new_pin")
        new.welcomed(new.http.post("/api/v1/session/pin", json={**with_code, "new_pin": "580793"}))
        assert new.get("session")["id"] == "lee"
        # She is no second person of either of the two who enrolled her, yet is of another manager's.
        raise_it = {"link": "stud", "meter": "main", "cents": 100, "reason": "malfunction", "explanation": "x"}
        key = "raise"
        second = {"Second-Card": manager.present(made["card"], key, pin="580793")}
        refused = manager.send("adjustments/adjust-meter", key, second, **raise_it)
        assert (refused.status_code, refused.json()["field"]) == (403, "second")


def seconded(person: Person, path: str, card: str, **body: Any) -> dict[str, Any]:
    """An order that somebody gives with a second person's card."""
    key = f"{path}-{time.monotonic_ns()}"
    return person.order(path, key, {"Second-Card": person.present(card, key)}, **body)


# ------------------------------------------------------------------------------------------------ voids and jackpots


@pytest.mark.clause("TR-7")
def test_a_void_once_cards_are_out_takes_a_second_person(tmp_path: Path) -> None:
    house = House(tmp_path, tables=2)
    house.coin_in("T1", 1, 2)
    # Before the first card one supervisor is enough: nobody can know how the round ends.
    house.do("s1", VoidRound(table="T1", cause="the wrong shoe"))
    house.coin_in("T1", 1, 2)
    house.deal("T1")
    void = VoidRound(table="T1", cause="a player we do not like won")
    for second in ("", "s1", "d1", "t1", "a1"):
        assert house.not_allowed(lambda second=second: house.do("s1", void, second)) == "second person"
    for second in ("s2", "e1", "m1"):
        house.do("s1", void, second)
        house.coin_in("T1", 1, 2)
        house.deal("T1")


@pytest.mark.clause("TR-7")
def test_planted_without_second_when_one_supervisor_voids_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path)
    house.coin_in("T1", 1)
    house.deal("T1")
    monkeypatch.setitem(PERMISSIONS, "void_round", RIGHTS_OF[1]["void_round"])
    house.do("s1", VoidRound(table="T1", cause="a player we do not like won"))


@pytest.mark.clause("TR-7")
def test_a_void_after_the_reveal_takes_a_second_person_at_a_table_that_sees_its_cards(tmp_path: Path) -> None:
    """The table tells its screens so, and from the reveal on one person is refused."""
    room = Room(tmp_path)
    try:
        room.bets({1: {"ante": 1_000}})
        room.call()
        room.cards({1: "As Ad 7c 4h 2s", 0: "Qs Jd 7d 4c 2h"})
        room.act(1, "play")
        right, void = PERMISSIONS["void_round"], VoidRound(table="T1", cause="the dealer lost")
        assert not right.takes_second(room.state.tables["T1"])
        assert room.floor.would_refuse(Order(id="x", by="s1", command=void)) is None
        room.reveal()
        assert right.takes_second(room.state.tables["T1"])
        assert room.not_allowed(lambda: room.do("s1", void)) == "second person"
        room.do("s1", void, "e1")
    finally:
        room.floor.close()


@pytest.mark.clause("TR-7")
def test_a_keypad_jackpot_takes_an_executives_card_from_the_amount_up(tmp_path: Path) -> None:
    house = House(tmp_path, console="keypad", executive_from_cents=5_000_00)
    house.coin_in("T1", 1, 2)
    house.name("T1", 1, "royal_flush")
    assert house.not_allowed(lambda: house.j_pot("T1", 1, by="s1")) == "executive"
    house.j_pot("T1", 1, by="e1")
    house.run("T1", by="s1")
    assert house.round().wins[0].cents == 10_001_40


@pytest.mark.clause("TR-7")
def test_planted_without_the_amount_a_supervisor_records_a_jackpot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, console="keypad", executive_from_cents=5_000_00)
    house.coin_in("T1", 1)
    house.name("T1", 1, "royal_flush")
    monkeypatch.setattr("houseway.table.progressive_round.decide.needs_executive", lambda policies, claim, cents: False)
    house.j_pot("T1", 1, by="s1")
