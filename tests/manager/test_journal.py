"""Proving the journal: signing, verifying, replaying, exporting, and the bundle for a machine without a floor.

``sample_floor`` makes a real floor in a SQLite file on which everything has happened at least once; the tests of
tampering and the clause tests use it too.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec.structs import replace
from tests.keys import KEYS
from typer.testing import CliRunner, Result

from houseway.books.bundle import check_bundle, write_bundle
from houseway.books.export import (
    SAY,
    Period,
    Site,
    as_entries_csv,
    as_json_lines,
    as_postings_csv,
    as_text,
    entry_range,
    plain,
)
from houseway.books.replay import replay, running_state
from houseway.books.verify import verify
from houseway.commands.journal import journal_app
from houseway.manager import commands as office
from houseway.manager.clock import Clock
from houseway.manager.codes import Codes
from houseway.manager.credentials import credential_digest
from houseway.manager.entry import chained, entry_of
from houseway.manager.events import AuthorityRefused, Event, FloorConfigured
from houseway.manager.floor import INSTALLATION, Floor
from houseway.manager.floor_file import read_floor
from houseway.manager.keyring import PURPOSES
from houseway.manager.signing import (
    check_head,
    head_signature_holds,
    load_head,
    load_key,
    new_key,
    pem_of,
    public_hex,
    read_head,
    sign_head,
)
from houseway.manager.state import FloorState, load_state
from houseway.manager.store import open_store
from houseway.manager.store.base import EMPTY, Credential, Row, Store
from houseway.money import exact_dollars
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round.events import AnyPlayEvent
from houseway.table.event import Event as AnyEvent
from houseway.table.progressive_round import commands as felt

FLOOR: Final = """
[site]
name = "Sample Card Room"
jurisdiction = "Washington"
time_zone = "America/Los_Angeles"

[policies]
washington = true
surveillance_over = "200.00"
failures_before_lockout = 2

[[tables]]
id = "T1"
game = "caribbean-stud"
console = "touch"
spots = 7
limits.ante = { min = "5.00", max = "100.00" }
limits.bet = { min = "10.00", max = "200.00" }

[[tables]]
id = "K1"
game = "caribbean-stud"
console = "keypad"
spots = 6
limits.ante = { min = "5.00", max = "100.00" }
limits.bet = { min = "10.00", max = "200.00" }

[[links]]
id = "levels"
name = "Mega Major Minor"
tables = ["T1"]
pay_table = "ML03"
wager = "1.00"
fixed_from = "tray"
meters.mega = { contribution = "8%", reserve = "1%", seed = "1,000.00" }
meters.major = { contribution = "4%", reserve = "0.5%", seed = "300.00", maximum = "300.05" }
meters.minor = { contribution = "2%", reserve = "0.25%", seed = "100.00" }

[[links]]
id = "stud"
name = "Caribbean Stud Jackpot"
tables = ["K1"]
pay_table = "CSTUD-01"
wager = "1.00"
meters.main = { contribution = "70%", reserve = "2%", seed = "60.00" }
"""
STAFF: Final[dict[str, office.Role]] = {
    "boss": "manager",
    "dealer": "dealer",
    "super": "supervisor",
    "exec": "executive",
    "second": "manager",
    "tech": "technician",
    "eye": "surveillance",
}
BEGIN: Final = 1_772_000_000_000_000
"""2026-02-25 06:13:20 UTC: the evening before in Washington."""


def credential_of(card: str, staff: str) -> Credential:
    """A card's credential, not one that any PIN fits: no PIN is tried here, and argon2 takes its time."""
    return Credential(card, staff, f"$argon2id$v=19$m=65536,t=3,p=4${staff}")


class SampleFloor:
    """A floor on a database, with a clock of its own and a person for every role."""

    def __init__(self, url: str, key_file: Path) -> None:
        self.now = BEGIN
        self.url = url
        self.key_file = key_file
        self.off = 0
        clock = Clock(lambda: self.now + self.off, lambda: self.now)
        self.floor = Floor(open_store(url), keys=KEYS, clock=clock, threaded=False)
        self._numbers = count(1)

    def do(self, by: str, command: office.Command, second: str = "", *credentials: Credential) -> int:
        """Give an order, some seconds after the last; the number of its entry."""
        self.now += 7_300_000
        order = office.Order(id=f"order-{next(self._numbers)}", by=by, second=second, command=command)
        return self.floor.handle(order, *credentials).entry.seq

    def enrol(self, staff: str, role: office.Role, card: str) -> None:
        credential = credential_of(card, staff)
        command = office.Enroll(
            staff=staff, name=f"{staff.title()} Smith", role=role, card=card, credential=credential_digest(credential)
        )
        self.do("boss", command, "exec", credential)

    def found(self) -> None:
        config = read_floor(FLOOR.encode(), "floor.toml", self.key_file.parent).config
        assert config is not None
        config = replace(config, approvals_kept=False)  # its tables are open whatever is on file
        credentials = [credential_of(f"card-{staff}", staff) for staff in STAFF]
        people = tuple(
            office.Person(
                staff=staff,
                name="Big Boss" if staff == "boss" else f"{staff.title()} Smith",
                role=role,
                card=one.card,
                credential=credential_digest(one),
            )
            for (staff, role), one in zip(STAFF.items(), credentials, strict=True)
        )
        found = office.Found(config=config, people=people, key=KEYS.public, key_ids=KEYS.names, pin_set=True)
        self.key_file.write_bytes(pem_of(KEYS.signing))
        self.key_file.chmod(0o600)
        self.do(INSTALLATION, found, "", *credentials)
        for one in credentials[1:-1]:  # the last, of surveillance, presents a card at another screen
            self.do(one.staff, office.SignIn(card=one.card, fits=credential_digest(one)))
        for meter in ("mega", "major", "minor"):
            self.do("boss", office.SeedMeter(link="levels", meter=meter))
        taken_over = office.OpenMeter(
            link="stud", meter="main", meter_cents=6_000, reserve_cents=1_000, reference="reading of the old system"
        )
        self.do("boss", taken_over, "second")

    def play(self) -> None:
        """Rounds at both consoles, and everything that can happen at the Game Manager."""
        self._touch_rounds()
        self._keypad_rounds()
        self._office()

    def _touch_rounds(self) -> None:
        for spot in (1, 2, 3, 5, 6):
            self.do("dealer", felt.Light(table="T1", spot=spot))
        self.do("dealer", felt.Unlight(table="T1", spot=6))
        self.do("dealer", felt.LockIn(table="T1"))
        self.do("super", felt.CorrectCount(table="T1", spot=4, wagered=True, reason="chip slid off the sensor"))
        self.do("dealer", felt.SamePlayer(table="T1", spots=(4, 5)))
        self.do("dealer", felt.FirstCard(table="T1"))
        self.do("dealer", felt.Light(table="T1", spot=7))
        self.do("dealer", felt.Fold(table="T1", spot=1))
        self.do("dealer", felt.SeeHand(table="T1", spot=2, hand="royal_flush"))
        self.do("dealer", felt.NameWin(table="T1", spot=3, hand="flush"))
        self.do("super", felt.DropClaim(table="T1", spot=3, reason="four hearts and a diamond"))
        self.do("dealer", felt.NameWin(table="T1", spot=2, hand="royal_flush"))
        self.do("super", felt.Arrive(table="T1"))
        win = self.do("exec", felt.Confirm(table="T1", spot=2))
        self.do("eye", felt.Surveillance(table="T1", win=win, player="P. Layer"))
        self.do("dealer", felt.NameWin(table="T1", spot=3, hand="straight"))
        tray = self.do("super", felt.Confirm(table="T1", spot=3))
        self.do("dealer", felt.CloseRound(table="T1"))
        undo = office.UndoWin(win=tray, reason="malfunction", explanation="the hand was misread")
        self.do("boss", undo, "second")

    def _keypad_rounds(self) -> None:
        self.do("dealer", felt.LockIn(table="K1", lit=(1, 2, 4)))
        self.do("dealer", felt.NameWin(table="K1", spot=4, hand="four_of_a_kind"))
        dry = self.do("super", felt.JPot(table="K1", spot=4))
        self.do("super", felt.Run(table="K1"))
        self.do("eye", felt.Surveillance(table="K1", win=dry, player="Q. Layer"))
        self.do("dealer", felt.CloseRound(table="K1"))
        self.do("tech", office.Acknowledge(alarm=dry + 1))
        self.do("dealer", felt.LockIn(table="K1", lit=(1, 3)))
        self.do("super", felt.VoidRound(table="K1", cause="the shuffler jammed", malfunction=True), "exec")
        self.do("dealer", felt.LockIn(table="K1", lit=(2,)))
        self.do("dealer", felt.CloseRound(table="K1"))

    def _office(self) -> None:
        late = office.PayLateWin(table="K1", round=3, spot=2, hand="straight_flush", evidence="camera 4 at 22:40")
        self.do("boss", late, "second")
        adjust = office.AdjustMeter(
            link="levels", meter="minor", cents=250, reason="malfunction", explanation="as found in the count"
        )
        self.do("boss", adjust, "second")
        move = office.Transfer(
            link="levels", meter="minor", to_link="levels", to_meter="mega", authority="letter of 2026-02-01"
        )
        self.do("boss", move, "second")
        self.do("boss", office.EnterAccount(link="stud", balance_cents=5, short=True, reference="statement 12"))
        self.do("boss", office.RecordDeposit(link="stud", week="2026-02-23", cents=500, reference="slip 77"))
        self.do("tech", office.Suspend(what="table", id="T1", why="the network is down"))
        self.do("tech", office.Resume(what="table", id="T1"))
        self.wrong_pins("card-super")
        self.do("boss", office.Unlock(staff="super"), "exec")
        self.do("dealer", office.Admit(player="Ann", code="c0de"))
        self.do("player/Ann", office.Enter(code="c0de", session="5e55"))
        self.do("player/Ann", office.SignOut(session="5e55"))
        self.do("boss", office.IssueDevice(device="wall", right="display", subject="stud", token="70ce"))
        self.do("boss", office.RevokeDevice(device="wall", reason="taken down"))
        self.do("super", office.SignIn(card="card-super", fits=credential_digest(credential_of("card-super", "super"))))
        self.enrol("dealer", "dealer", "card-dealer-2")
        code, own = credential_of("card-dealer-2", "dealer"), credential_of("card-dealer-2", "dealer, own")
        set_pin = office.SetPin(card=code.card, fits=credential_digest(code), credential=credential_digest(own))
        self.do("boss", office.Dismiss(staff="tech", reason="left"), "exec")
        self.do("boss", self.changed(), "exec")
        self.do("dealer", set_pin, "", own)
        self._clock()

    def _clock(self) -> None:
        """The clock jumps and comes back; a jump of an hour is confirmed, and that turns out to be wrong."""
        for self.off in (86_400_000_000, 0, 3_600_000_000):
            self.do("dealer", felt.Light(table="K1", spot=5))
            self.do("dealer", felt.Unlight(table="K1", spot=5))
        shown = (self.now + self.off) // 1_000_000
        self.do("boss", office.ConfirmClock(clock_seconds=shown), "second")
        self.off = 0
        repair = office.RepairClock(clock_seconds=self.now // 1_000_000, reason="the new clock was an hour ahead")
        self.do("boss", repair, "second")

    def wrong_pins(self, card: str) -> None:
        for place in ("10.0.0.1", "10.0.0.2"):
            with pytest.raises(NotAllowed):
                self.do("super", office.SignIn(card=card, fits="", network=place))

    def changed(self) -> office.Configure:
        text = FLOOR.replace('maximum = "300.05"', 'maximum = "900.00"')
        config = read_floor(text.encode(), "floor.toml", self.key_file.parent).config
        assert config is not None
        config = replace(config, approvals_kept=False)  # its tables are open whatever is on file
        return office.Configure(config=config, reason="approved 2026-02-20")

    def recover(self) -> None:
        lost = office.Recover(entries=5, known_to=6, known_hash="ab" * 32, reason="the disk was lost")
        self.do("boss", lost, "second")

    def replace_key(self, key_file: Path) -> None:
        self.do("boss", office.ReplaceKey(key=new_key(key_file), reason="yearly"), "second")
        with key_file.open("a") as file:
            # The other secrets stay in force; they came from the first key.
            file.writelines(f"houseway {purpose} {KEYS.secret(purpose).hex()}\n" for purpose in PURPOSES)
        self.key_file = key_file

    def close(self) -> None:
        self.floor.close()


def sample_floor(folder: Path, url: str = "") -> SampleFloor:
    """A floor on which everything has happened at least once; closed again."""
    made = SampleFloor(url or str(folder / "floor.db"), folder / "first.key")
    made.found()
    made.play()
    made.recover()
    made.replace_key(folder / "second.key")
    made.close()
    return made


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> SampleFloor:
    """A floor on which everything has happened, closed."""
    return sample_floor(tmp_path_factory.mktemp("sample"))


@pytest.fixture
def store(sample: SampleFloor) -> Iterator[Store]:
    """Its database, open for reading."""
    with closing(open_store(sample.url, create=False, read_only=True)) as opened:
        yield opened


@pytest.fixture
def state(store: Store) -> FloorState:
    return load_state(store)


def refusal_of(ask: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as raised:
        ask()
    return str(raised.value)


# -------------------------------------------------------------------------------------------------------------- signing


def test_a_new_key_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "site.key"
    previous = os.umask(0)
    try:
        public = new_key(file)
    finally:
        os.umask(previous)
    assert file.stat().st_mode & 0o777 == 0o600
    assert public == public_hex(load_key(file))
    assert "exists already" in refusal_of(lambda: new_key(file))
    assert public == public_hex(load_key(file)), "and it was not touched"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o777])
def test_a_key_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "site.key"
    new_key(file)
    file.chmod(mode)
    assert f"chmod 600 {file}" in refusal_of(lambda: load_key(file))
    file.chmod(0o400)
    assert load_key(file)


def test_a_raw_key_is_taken_too(tmp_path: Path) -> None:
    file = tmp_path / "raw.key"
    new_key(tmp_path / "pem.key")
    key = load_key(tmp_path / "pem.key")
    file.write_bytes(key.private_bytes_raw())
    file.chmod(0o600)
    assert public_hex(load_key(file)) == public_hex(key)


@pytest.mark.parametrize(
    "text", [b"", b"x" * 31, b"x" * 33, b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_what_is_no_key_is_refused(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "no.key"
    file.write_bytes(text)
    file.chmod(0o600)
    assert "is not an Ed25519 private key" in refusal_of(lambda: load_key(file))


def test_an_encrypted_key_and_one_of_another_kind_are_refused(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519

    locked = serialization.BestAvailableEncryption(b"secret")
    for key, encryption, why in (
        (ed25519.Ed25519PrivateKey.generate(), locked, "is encrypted"),
        (ec.generate_private_key(ec.SECP256R1()), serialization.NoEncryption(), "is not an Ed25519"),
    ):
        file = tmp_path / f"{why[3:6]}.key"
        file.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption))
        file.chmod(0o600)
        assert why in refusal_of(lambda file=file: load_key(file))


def test_places_where_no_key_can_be_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    for path in (tmp_path, tmp_path / "none", tmp_path / "pipe", Path("a\0b")):
        assert refusal_of(lambda path=path: load_key(path))
    for path in (tmp_path / "none" / "new.key", Path("a\0b")):
        assert "cannot be written" in refusal_of(lambda path=path: new_key(path))


def test_a_signed_head_says_where_the_journal_stands(sample: SampleFloor, state: FloorState) -> None:
    head = sign_head(state, load_key(sample.key_file), 1_800_000_000_000_000)
    assert (head.site, head.seq, head.hash) == ("Sample Card Room", state.seq, state.hash)
    assert check_head(head.text, state.key) == read_head(head.text) == head
    assert json.loads(head.text)["at"] == 1_800_000_000_000_000
    other = "ab" * 32
    assert f"not by {other}" in refusal_of(lambda: check_head(head.text, other))


def test_every_part_of_a_head_is_signed(sample: SampleFloor, state: FloorState, tmp_path: Path) -> None:
    key = load_key(sample.key_file)
    head = sign_head(state, key, 5)
    new_key(tmp_path / "other.key")
    other = public_hex(load_key(tmp_path / "other.key"))
    for changed in (
        replace(head, site="Elsewhere"),
        replace(head, seq=head.seq - 1),
        replace(head, hash="0" * 64),
        replace(head, at=6),
        replace(head, key=other),
        replace(head, signature="0" * 128),
        replace(head, signature=head.signature.upper()),
        replace(head, signature=""),
        replace(head, key="zz"),
    ):
        assert not head_signature_holds(changed)
        assert "is not signed by the key it names" in refusal_of(lambda changed=changed: check_head(changed.text))


def test_a_head_has_one_text(sample: SampleFloor, state: FloorState, tmp_path: Path) -> None:
    text = sign_head(state, load_key(sample.key_file), 5).text
    for changed in (
        text.replace(":", ": ", 1),
        text.replace("{", '{"seq":1,', 1),
        text.replace("{", '{"more":1,', 1),
        text[:-2],
        "",
        "[" * 100_000,
    ):
        file = tmp_path / "head.json"
        file.write_text(changed)
        assert "head" in refusal_of(lambda file=file: load_head(file))
    for path in (tmp_path, tmp_path / "none"):
        assert "cannot be read" in refusal_of(lambda path=path: load_head(path))
    (tmp_path / "head.json").write_bytes(b"\xff")
    assert "is not a signed head" in refusal_of(lambda: load_head(tmp_path / "head.json"))


def test_only_the_key_in_force_signs(sample: SampleFloor, state: FloorState) -> None:
    replaced = load_key(sample.key_file.with_name("first.key"))
    assert "replace the key first" in refusal_of(lambda: sign_head(state, replaced, 5))
    assert "has not been founded" in refusal_of(lambda: sign_head(FloorState(), replaced, 5))


def test_a_head_holds_after_its_key_was_replaced(sample: SampleFloor, store: Store, state: FloorState) -> None:
    """A head is good if its key was in force as of its entry, and only then."""
    before = FloorState()
    from houseway.manager.state import after

    for row in store.entries(0, state.seq - 1):
        before = after(before, entry_of(row.body), row.hash)
    old, new = load_key(sample.key_file.with_name("first.key")), load_key(sample.key_file)
    assert verify(store, [sign_head(before, old, 1), sign_head(state, new, 2)]).whole
    early = sign_head(replace(before, key=public_hex(new)), new, 3)
    late = sign_head(replace(state, key=public_hex(old)), old, 4)
    found = verify(store, [early, late])
    assert [finding.entry for finding in found.bad] == [state.seq - 1, state.seq]
    assert all("was in force then" in finding.what for finding in found.bad)


# ------------------------------------------------------------------------------------------------------------ verifying


def test_an_untouched_floor_verifies(store: Store, state: FloorState) -> None:
    found = verify(store)
    assert found.whole
    assert (found.entries, found.last, found.first_bad) == (state.seq, state.head, None)
    assert found.postings == sum(1 for _ in store.postings())
    assert found.totals == len(store.totals())
    assert found.credentials == sum(1 for _ in store.credentials())


def test_an_empty_database_verifies(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "empty.db"))) as store:
        assert verify(store).whole
        assert replay(store).equal


def test_heads_of_another_site_or_of_no_entry_are_found(sample: SampleFloor, store: Store, state: FloorState) -> None:
    key = load_key(sample.key_file)
    assert state.config is not None
    elsewhere = replace(state.config, policies=replace(state.policies, site="Elsewhere"))
    found = verify(
        store, [sign_head(replace(state, config=elsewhere), key, 1), sign_head(replace(state, seq=0), key, 1)]
    )
    assert {finding.what for finding in found.bad} == {
        "is of site Elsewhere, not of Sample Card Room",
        "names no entry",
    }


def test_progress_is_told_and_an_interrupt_answers_with_what_was_read(
    store: Store, state: FloorState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.books.reading.PAGE", 10)
    told: list[tuple[int, int]] = []
    assert verify(store, progress=lambda done, total: told.append((done, total))).whole
    assert told == [(min(10 * page, state.seq), state.seq) for page in range(1, state.seq // 10 + 2)]

    def interrupt(done: int, total: int) -> None:
        if done >= 30:
            raise KeyboardInterrupt

    found = verify(store, progress=interrupt)
    assert (found.finished, found.entries, found.bad, found.whole) == (False, 30, (), False)


def test_a_running_floor_verifies_and_replays_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries, totals and snapshots move while they are read; what is compared is of one moment."""
    monkeypatch.setattr("houseway.books.reading.PAGE", 9)
    monkeypatch.setattr("houseway.books.replay.PAGE", 9)
    monkeypatch.setattr("houseway.manager.floor.SNAPSHOT_EVERY", 11)
    _verified_while_running(sample_floor(tmp_path), times=15)


def test_a_running_floor_on_postgresql_verifies_and_replays_at_any_moment(
    new_postgres: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.books.reading.PAGE", 9)
    monkeypatch.setattr("houseway.books.replay.PAGE", 9)
    monkeypatch.setattr("houseway.manager.floor.SNAPSHOT_EVERY", 11)
    sample = sample_floor(tmp_path, new_postgres())
    with closing(open_store(sample.url, create=False, read_only=True)) as store:
        state = load_state(store)
        head = sign_head(state, load_key(sample.key_file), 1)
        assert verify(store, [head]).whole
        assert verify(store, [replace(head, hash="0" * 64)]).first_bad == state.seq
        write_bundle(store, state, Period(), load_key(sample.key_file), 2, tmp_path / "a.bundle")
    assert check_bundle(tmp_path / "a.bundle").whole
    _verified_while_running(sample, times=3)


def _verified_while_running(sample: SampleFloor, times: int) -> None:
    floor = Floor(open_store(sample.url), keys=KEYS, clock=lambda: sample.now)
    numbers, stop = count(1), threading.Event()

    def play() -> None:
        # Some time between rounds, so that the journal does not grow faster than a busy machine reads it.
        while not stop.wait(0.02):
            for command in (felt.LockIn(table="T1", lit=(1, 2)), felt.CloseRound(table="T1")):
                order = office.Order(id=f"live-{next(numbers)}", by="dealer", command=command)
                with suppress(Refusal):
                    floor.handle(order)

    # The sample moved the minor meter's money away; it must be open again before a round.
    floor.handle(office.Order(id="again", by="boss", command=office.SeedMeter(link="levels", meter="minor")))
    players = [threading.Thread(target=play) for _ in range(3)]
    for player in players:
        player.start()
    try:
        with closing(open_store(sample.url, create=False, read_only=True)) as store:
            ends = []
            for _ in range(times):
                found = verify(store)
                assert found.whole, found.bad
                assert replay(store).equal
                ends.append(found.last.seq)
            assert ends[-1] > ends[0], "the floor moved meanwhile"
    finally:
        stop.set()
        for player in players:
            player.join()
        floor.close()


# ------------------------------------------------------------------------------------------------------------ replaying


def test_replay_rebuilds_every_meter_from_the_journal_alone(store: Store, state: FloorState) -> None:
    again = replay(store)
    assert again.equal
    assert again.last == state.head
    meters = {(link.id, name): meter for link in state.links.values() for name, meter in link.meters.items()}
    assert {(row.link, row.meter) for row in again.rows} == set(meters)
    for row in again.rows:
        meter = meters[row.link, row.meter]
        assert row.replayed == (meter.value if row.part == "meter" else meter.reserve)
    assert any(row.replayed for row in again.rows)


def copy_of(sample: SampleFloor, target: Path, *statements: str) -> Store:
    """A copy of the sample with some SQL done to it, open for reading."""
    with closing(open_store(sample.url, create=False, read_only=True)) as source:
        source.backup(target)
    with closing(sqlite3.connect(target)) as copy:
        for statement in statements:
            copy.execute(statement)
        copy.commit()
    return open_store(str(target), create=False, read_only=True)


def test_replay_shows_a_meter_that_differs(sample: SampleFloor, tmp_path: Path) -> None:
    wrong_total = "UPDATE totals SET micros = micros + 5 WHERE account = 'meter/stud/main' AND purpose = 'contribution'"
    with closing(copy_of(sample, tmp_path / "a.db", wrong_total)) as store:
        (differs,) = [row for row in replay(store).rows if not row.equal]
        assert (differs.link, differs.meter, differs.part) == ("stud", "main", "meter")
        assert differs.stored == differs.replayed + 5 == differs.running + 5
    stray = "INSERT INTO totals VALUES ('2026-02-24', '', 'meter/none/main', 'seed', 7)"
    with closing(copy_of(sample, tmp_path / "b.db", stray)) as store:
        (differs,) = [row for row in replay(store).rows if not row.equal]
        assert differs == ("none", "main", "meter", 0, 7, 0)


def test_replay_shows_a_snapshot_that_differs(sample: SampleFloor, tmp_path: Path) -> None:
    wrong = "UPDATE snapshot SET body = CAST(replace(CAST(body AS TEXT), '1102650000', '1102650001') AS BLOB)"
    with closing(copy_of(sample, tmp_path / "a.db", wrong)) as store:
        assert replay(store).equal, "a start does not use what it cannot check"
        assert replay(store, keys=KEYS).equal, "nor what the floor did not save"
        kept = store.snapshot()
        assert kept is not None
        code = Codes(KEYS).sealed(kept).code
    with closing(copy_of(sample, tmp_path / "b.db", f"{wrong}, code = '{code}'")) as store:
        (differs,) = [row for row in replay(store, keys=KEYS).rows if not row.equal]
        assert (differs.meter, differs.running - differs.replayed) == ("mega", 1)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("DELETE FROM journal WHERE seq = 30", "entry 30: is missing"),
        ("UPDATE journal SET body = '{' WHERE seq = 30", "entry 30: cannot be replayed"),
        ("UPDATE journal SET body = replace(body, 'mega', 'giga') WHERE seq = 17", "entry 17: cannot be replayed"),
        ("DROP TABLE totals", "database: "),
    ],
)
def test_a_journal_that_cannot_be_replayed_is_refused(
    sample: SampleFloor, tmp_path: Path, statement: str, why: str
) -> None:
    with closing(copy_of(sample, tmp_path / "a.db", statement)) as store:
        assert refusal_of(lambda: replay(store)).startswith(why)


# ------------------------------------------------------------------------------------------------------------ exporting


def test_everything_has_happened_on_the_sample_floor(store: Store) -> None:
    happened = {type(event) for row in store.entries() for event in entry_of(row.body).events}
    # Rounds with cards have a floor of their own: tests/manager/test_rounds.py.
    assert happened == set(get_args(Event)) - set(get_args(AnyPlayEvent))


def test_every_event_has_words(store: Store) -> None:
    """A new kind of event fails here until it has words of its own, that tell more than its name."""
    assert [kind for kind in get_args(Event) if kind.in_words is AnyEvent.in_words] == []
    for row in store.entries():
        for event in entry_of(row.body).events:
            told = event.in_words(SAY)
            assert told.endswith(".")
            assert told[0].isupper() or told[0].isdigit() or told[0] == "$" or told.split()[0] in STAFF


def test_words_tell_what_an_event_holds(store: Store) -> None:
    """Whatever is changed in an event changes its words, but for what its money lines or its heading tell."""
    elsewhere = {
        "table", "round", "config", "credential", "locked_until", "meters", "reserves", "kept", "terms",
        "wager_cents", "excess", "players", "staff", "failed", "unrecorded", "code", "session", "token",
    }  # fmt: skip
    for row in store.entries():
        for event in entry_of(row.body).events:
            for field in event.__struct_fields__:
                value = getattr(event, field)
                if field not in elsewhere and isinstance(value, str) and value and field not in ("reason", "what"):
                    changed = replace(event, **{field: "Something else"})
                    assert changed.in_words(SAY) != event.in_words(SAY), (event, field)


def test_the_text_is_for_people(store: Store, state: FloorState) -> None:
    paragraphs = list(as_text(store.entries(), Site.of(state)))
    assert len(paragraphs) == state.seq
    assert paragraphs[27] == (
        "28. 2026-02-24 22:16:44 -08:00, gaming day 2026-02-24, table T1 round 1\n"
        "   confirm, by Exec Smith (exec)\n"
        "   Win 28 was logged on link levels: spot 2, royal flush, $1,000.40 to pay, $1,000.40 of it from meter mega, "
        "which held $1,000.40 for it. Named by dealer, confirmed by exec 14 s after the call. Every other spot with "
        "the wager wins $1,000.00 envy by it at the close. Surveillance must verify it before the round closes.\n"
        "   Win 28 was paid to spot 2 on link levels: $1,000.40 from meter mega. Meter mega went from $1,000.40 to "
        "$1,000.05. It was reseeded with $1,000.00 and $0.05 from its reserve.\n"
        "      -$1,000.40  meter/levels/mega  (award from meter)\n"
        "      +$1,000.40  players/T1  (award from meter)\n"
        "      -$1,000.00  house/levels  (seed)\n"
        "      +$1,000.00  meter/levels/mega  (seed)\n"
        "          -$0.05  reserve/levels/mega  (reseed from reserve)\n"
        "          +$0.05  meter/levels/mega  (reseed from reserve)\n\n"
    )


def test_amounts_are_exact(store: Store) -> None:
    assert exact_dollars(1_234_567_890_000) == "$1,234,567.89"
    assert exact_dollars(-12_500) == "-$0.012500"
    assert exact_dollars(10_000, sign=True) == "+$0.01"
    assert exact_dollars(0) == "$0.00"


def test_nothing_off_a_card_reaches_a_terminal_or_a_spreadsheet(store: Store, state: FloorState) -> None:
    refused = next(
        event for row in store.entries() for event in entry_of(row.body).events if isinstance(event, AuthorityRefused)
    )
    evil = replace(refused, card="\x1b[2J\u202e", sentence="=1+1")
    assert "\x1b" not in plain(evil.in_words(SAY))
    assert "\\x1b[2J\\u202e" in plain(evil.in_words(SAY))
    row = next(row for row in store.entries() if row.seq == 52)
    entry = replace(entry_of(row.body), by="=cmd()", order="@SUM(A1)")
    evil_row = row._replace(body=msgspec.json.encode(entry).decode())
    _, line = csv.reader(io.StringIO("".join(as_entries_csv([evil_row], Site.of(state)))))
    assert line[4:6] == ["'@SUM(A1)", "'=cmd()"]


def test_the_csv_of_postings_is_the_ledger(store: Store) -> None:
    lines = list(csv.DictReader(io.StringIO("".join(as_postings_csv(store.entries())))))
    told = [(int(one["entry"]), int(one["line"]), one["account"], one["purpose"], int(one["micros"])) for one in lines]
    assert told == [tuple(posting) for posting in store.postings()]
    assert sum(int(one["micros"]) for one in lines) == 0
    assert {one["dollars"] for one in lines if one["micros"] == "12500"} == {"0.012500"}


def test_the_csv_of_entries_has_a_line_for_each(store: Store, state: FloorState) -> None:
    lines = list(csv.DictReader(io.StringIO("".join(as_entries_csv(store.entries(), Site.of(state))))))
    assert [(int(one["entry"]), one["order"], one["hash"]) for one in lines] == [
        (row.seq, row.order, row.hash) for row in store.entries()
    ]
    assert all(one["what"] for one in lines)


def test_the_json_lines_can_be_chained_again(store: Store) -> None:
    previous = EMPTY.hash
    for line, row in zip(as_json_lines(store.entries(), EMPTY), store.entries(), strict=True):
        told = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        assert msgspec.json.decode(told["previous"]) == previous
        previous = msgspec.json.decode(told["hash"])
        assert previous == chained(msgspec.json.decode(told["previous"]), bytes(told["entry"]).decode())
        assert previous == row.hash


class Days:
    """A store of bare entries, one of each gaming day named; the time is noon of that day by the clock then."""

    def __init__(self, *days: str) -> None:
        from datetime import UTC, datetime

        self.rows = [
            Row(seq, int(datetime.fromisoformat(f"{day}T20:00").replace(tzinfo=UTC).timestamp()) * 1_000_000, day,
                "", "", "", 0, "", "")
            for seq, day in enumerate(days, 1)
        ]  # fmt: skip

    def between(self, first: int, last: int) -> tuple[int, int]:
        found = [row.seq for row in self.rows if first <= row.at < last]
        return (found[0], found[-1]) if found else (0, 0)

    def entries(self, after: int = 0, until: int | None = None) -> Iterator[Row]:
        return iter(self.rows[after:until])

    def entry(self, seq: int) -> Row | None:
        return self.rows[seq - 1] if 0 < seq <= len(self.rows) else None


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        (None, None, (1, 7)),
        ("2026-03-02", "2026-03-02", (2, 3)),
        ("2026-03-02", None, (2, 7)),
        (None, "2026-03-02", (1, 3)),
        ("2026-03-03", "2026-03-09", (4, 5)),
        ("2026-03-06", "2026-06-30", (5, 6)),
        ("2026-02-01", "2026-03-01", (1, 1)),
        ("2026-07-01", "2026-07-30", (7, 7)),
        ("2026-03-10", "2026-05-31", None),
        ("2027-01-01", None, None),
        (None, "2025-01-01", None),
        ("0001-01-01", "9999-12-31", (1, 7)),
    ],
)
def test_a_period_is_of_gaming_days(
    state: FloorState, first: str | None, last: str | None, found: tuple[int, int] | None
) -> None:
    days = ("2026-03-01", "2026-03-02", "2026-03-02", "2026-03-03", "2026-03-08", "2026-06-01", "2026-07-15")
    store: Any = Days(*days)
    period = Period(*(date.fromisoformat(day) if day else None for day in (first, last)))
    short = replace(state, seq=len(days))
    if found is None:
        assert "no entry is in that period; the journal goes from 2026-03-01 to 2026-07-15" in refusal_of(
            lambda: entry_range(store, short, period)
        )
    else:
        assert entry_range(store, short, period) == found


# --------------------------------------------------------------------------------------------------------- the bundle


def test_a_bundle_of_a_part_is_checked_by_itself(sample: SampleFloor, tmp_path: Path) -> None:
    """Two gaming days, of which one is bundled; the configuration in force before it comes along."""
    made = SampleFloor(str(tmp_path / "floor.db"), tmp_path / "site.key")
    made.found()
    made.do("boss", made.changed(), "exec")
    made.now += 86_400_000_000
    first = made.do("dealer", felt.LockIn(table="T1", lit=(1, 2)))
    last = made.do("dealer", felt.CloseRound(table="T1"))
    made.now += 86_400_000_000
    made.do("dealer", felt.LockIn(table="T1", lit=(1,)))
    key, file = load_key(made.key_file), tmp_path / "day.bundle"
    period = Period(date(2026, 2, 25), date(2026, 2, 25))
    written = write_bundle(made.floor.store, made.floor.state, period, key, made.now, file)
    assert (written.first, written.last, written.head) == (first, last, last + 1)
    made.close()
    found = check_bundle(file)
    assert found.whole
    assert (found.first, found.last, found.head, found.key) == (first, last, last + 1, public_hex(key))
    assert check_bundle(file, [found.key]).whole
    assert "not one of those given" in check_bundle(file, ["ab" * 32]).bad[0].what
    config = json.loads(file.read_bytes().splitlines()[1])
    assert config["entry"] == first - 1
    assert config["config"]["links"][0]["terms"]["meters"]["major"]["maximum_cents"] == 90_000


def test_a_bundle_forged_whole_is_known_by_its_key(sample: SampleFloor, store: Store, tmp_path: Path) -> None:
    """Everything in it fits, but another key has signed it."""
    new_key(tmp_path / "own.key")
    own = load_key(tmp_path / "own.key")
    forged = replace(load_state(store), key=public_hex(own))
    write_bundle(store, forged, Period(), own, 1, tmp_path / "a.bundle")
    found = check_bundle(tmp_path / "a.bundle")
    assert "was in force" in found.bad[0].what, "the entries themselves name the key"
    assert "not one of those given" in check_bundle(tmp_path / "a.bundle", [load_state(store).key]).bad[0].what


def test_a_broken_journal_is_not_bundled(sample: SampleFloor, tmp_path: Path) -> None:
    key = load_key(sample.key_file)
    for number, (statement, where) in enumerate(
        (
            ("UPDATE journal SET body = replace(body, 'tech', 'tack') WHERE seq = 6", "entry 6"),
            ("UPDATE journal SET kind = 'x' WHERE seq = 7", "entry 7"),
            ("UPDATE journal SET body = '{}' WHERE seq = 8", "entry 8"),
            ("DELETE FROM journal WHERE seq = 9", "entry 10"),
            ("DELETE FROM journal WHERE seq > 50", "entry 51"),
        )
    ):
        target = tmp_path / f"{number}.bundle"
        with closing(copy_of(sample, tmp_path / f"{number}.db", statement)) as store:
            with closing(open_store(sample.url, create=False, read_only=True)) as whole:
                state = load_state(whole)
            assert refusal_of(lambda: write_bundle(store, state, Period(), key, 1, target)).startswith(where)  # noqa: B023
        assert not list(tmp_path.glob("*.bundle*")), "and nothing is left behind"


# -------------------------------------------------------------------------------------------------------- the commands


def run(*arguments: str | Path, db: str = "") -> Result:
    """`houseway journal` with these arguments; a refusal is its exception."""
    return CliRunner().invoke(journal_app, [*map(str, arguments), *(["--db", db] if db else [])])


def refused_by(*arguments: str | Path, db: str = "") -> str:
    refusal = run(*arguments, db=db).exception
    assert isinstance(refusal, Refusal), refusal
    return str(refusal)


def test_the_verify_command(sample: SampleFloor, state: FloorState, tmp_path: Path) -> None:
    head = tmp_path / "head.json"
    assert run("head", "--key-file", sample.key_file, "-o", head, db=sample.url).exit_code == 0
    told = run("verify", "--head", head, "--key", state.key, db=sample.url)
    assert told.exit_code == 0
    assert told.output == (
        f"{sample.url}: {state.seq} entries, 71 postings, 54 totals and 8 credentials are in order; "
        "no key file was given, so no code was checked; agrees with 1 signed head; "
        "two people put the time right at entry 76, which is earlier than the one before it\n"
    )
    assert "every code fits the floor's key;" in run("verify", "--key-file", sample.key_file, db=sample.url).output
    other = tmp_path / "other.key"
    new_key(other)
    assert "does not hold" in run("verify", "--key-file", other, db=sample.url).output
    assert "no signed head was given" in run("verify", db=sample.url).output
    assert "exists" in refused_by("head", "--key-file", sample.key_file, "-o", head, db=sample.url)
    told = run("verify", "--head", head, "--key", "ab" * 32, "--json", db=sample.url)
    assert told.exit_code == 1
    assert json.loads(told.output)["first_bad"] == state.seq


def test_the_verify_command_names_the_first_bad_entry(sample: SampleFloor, tmp_path: Path) -> None:
    copy_of(sample, tmp_path / "bad.db", "UPDATE journal SET day = '2026-02-23' WHERE seq = 33").close()
    told = run("verify", db=str(tmp_path / "bad.db"))
    assert told.exit_code == 1
    assert told.output == (
        "entry 33: its column says gaming day 2026-02-23, its body 2026-02-24\n"
        f"{tmp_path / 'bad.db'}: the first bad entry is 33; 1 finding\n"
    )
    told = run("verify", "--json", db=str(tmp_path / "bad.db"))
    assert told.exit_code == 1
    assert json.loads(told.output)["findings"] == [
        {"entry": 33, "where": "entry 33", "what": "its column says gaming day 2026-02-23, its body 2026-02-24"}
    ]


def test_the_replay_command(sample: SampleFloor, tmp_path: Path) -> None:
    told = run("replay", db=sample.url)
    assert told.exit_code == 0
    assert "every meter and reserve replays to the same" in told.output
    assert "$1,102.65" in told.output
    copy_of(sample, tmp_path / "bad.db", "UPDATE totals SET micros = 1 WHERE account = 'meter/levels/mega'").close()
    told = run("replay", db=str(tmp_path / "bad.db"))
    assert told.exit_code == 1
    assert "1 of 8 differ" in told.output
    told = run("replay", "--json", db=str(tmp_path / "bad.db"))
    assert told.exit_code == 1
    assert [one["meter"] for one in json.loads(told.output)["meters"] if not one["equal"]] == ["mega"]


def test_the_export_command(sample: SampleFloor, store: Store, state: FloorState) -> None:
    text = "".join(as_text(store.entries(), Site.of(state)))
    assert run("export", db=sample.url).output == run("export", "--text", db=sample.url).output == text
    assert run("export", "--entries", "28", db=sample.url).output in text
    assert run("export", "--csv", "--from", "2026-02-24", "--to", "2026-02-24", db=sample.url).output == "".join(
        as_postings_csv(store.entries())
    )
    assert len(run("export", "--csv-entries", "--entries", "3-5", db=sample.url).output.splitlines()) == 4
    lines = run("export", "--json", "--entries", "3-5", db=sample.url).output.splitlines()
    assert [json.loads(line)["entry"]["seq"] for line in lines] == [3, 4, 5]
    assert json.loads(lines[1])["previous"] == json.loads(lines[0])["hash"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("export", "--csv", "--json"), "--json: stands beside --csv"),
        (("export", "--from", "yesterday"), "--from: 'yesterday' is not a day"),
        (("export", "--from", "2026-02-25", "--to", "2026-02-24"), "--to: 2026-02-24 is before"),
        (("export", "--from", "2026-02-25"), "--from: no entry is in that period"),
        (("export", "--entries", "x"), "--entries: 'x' is not a range"),
        (("export", "--entries", "5-3"), "--entries: must be a range between 1 and 78"),
        (("export", "--entries", "1-79"), "--entries: must be a range between 1 and 78"),
        (("export", "--entries", "1", "--from", "2026-02-24"), "--entries: stands beside"),
        (("verify", "--key", "12"), "--key: must be an Ed25519 public key"),
        (("verify", "--head", "/dev/null"), "/dev/null: is not a signed note"),
        (("head", "--key-file", "/dev/null"), "/dev/null: is not a file"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(sample: SampleFloor, arguments: tuple[str, ...], why: str) -> None:
    assert refused_by(*arguments, db=sample.url).startswith(why)


def test_a_place_without_a_floor_is_refused(tmp_path: Path) -> None:
    open_store(str(tmp_path / "empty.db")).close()
    (tmp_path / "text.db").write_text("not a database at all")
    for name, why in (("none.db", "does not exist"), ("text.db", "")):
        for command in ("verify", "replay", "export", "head"):
            key = ("--key-file", new_key_file(tmp_path)) if command == "head" else ()
            assert why in refused_by(command, *key, db=str(tmp_path / name))
    assert "journal is empty" in refused_by("export", db=str(tmp_path / "empty.db"))
    assert run("verify", db=str(tmp_path / "empty.db")).exit_code == 0


def new_key_file(folder: Path) -> Path:
    file = folder / "some.key"
    if not file.exists():
        new_key(file)
    return file


def test_a_damaged_snapshot_is_not_needed(sample: SampleFloor, tmp_path: Path) -> None:
    copy_of(sample, tmp_path / "a.db", "UPDATE snapshot SET body = x'7b7d'").close()
    copy_of(sample, tmp_path / "b.db", "UPDATE snapshot SET body = x'00'").close()
    with closing(open_store(str(tmp_path / "b.db"), create=False, read_only=True)) as store:
        assert running_state(store) == running_state(store, KEYS)
    changed = 'UPDATE snapshot SET body = CAST(replace(CAST(body AS TEXT), \'"hash":"\', \'"hash":"0\') AS BLOB)'
    copy_of(sample, tmp_path / "c.db", changed).close()
    for name in ("b.db", "c.db"):
        for command in ("export", "head"):
            key = ("--key-file", sample.key_file) if command == "head" else ()
            assert run(command, *key, db=str(tmp_path / name)).exit_code == 0


def test_the_key_commands(tmp_path: Path) -> None:
    made = run("key", "new", tmp_path / "a.key")
    assert made.exit_code == 0
    assert made.output == run("key", "show", tmp_path / "a.key").output
    assert len(made.output.strip()) == 64
    assert "exists already" in refused_by("key", "new", tmp_path / "a.key")


def test_a_bundle_is_checked_on_a_machine_without_a_floor(
    sample: SampleFloor, state: FloorState, tmp_path: Path
) -> None:
    """Another process, an empty folder, no database, nothing but the file."""
    file = tmp_path / "all.bundle"
    told = run("export", "--bundle", file, "--key-file", sample.key_file, db=sample.url)
    assert told.output == f"{file}: entries 1 to {state.seq}, signed by key {state.key}\n"
    assert "exists" in refused_by("export", "--bundle", file, "--key-file", sample.key_file, db=sample.url)
    empty = tmp_path / "elsewhere"
    empty.mkdir()
    program = "import sys; from houseway.commands.journal import journal_app; journal_app(sys.argv[1:])"

    def verify_there(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "error", "-c", program, "verify", str(file), *arguments]
        return subprocess.run(command, cwd=empty, capture_output=True, text=True, check=False)

    done = verify_there()
    assert (done.returncode, done.stderr) == (0, "")
    assert f"signed by key {state.key}, to be compared with the site's key on file" in done.stdout
    assert "which is the one expected" in verify_there("--key", state.key).stdout
    file.write_bytes(file.read_bytes().replace(b"Tech Smith", b"Tech Smyth"))
    done = verify_there("--json")
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["first_bad"] == 1
    assert "cannot be read" in refused_by("verify", tmp_path / "none.bundle")
    assert "a bundle carries its own" in refused_by("verify", file, "--head", file)


def test_the_configuration_before_a_bundle_is_the_one_in_force(store: Store, state: FloorState) -> None:
    """The state names the entries that configured the floor; a bundle relies on it."""
    configured = [
        row.seq
        for row in store.entries()
        if any(isinstance(event, FloorConfigured) for event in entry_of(row.body).events)
    ]
    assert state.configured == tuple(configured)
