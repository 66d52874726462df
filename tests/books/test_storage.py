"""The database, its files or their names change under a floor, and the floor notices: nothing acknowledged vanishes.

The servers are real processes, killed with kill -9; what happens to the files is done to the files.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from tests.web.web_kit import API, Person, Server, make_floor, serving

from houseway.cli import main
from houseway.manager import mark as marks
from houseway.manager.commands import Order, Resume, Suspend
from houseway.manager.entry import entry_of
from houseway.manager.events import Restored
from houseway.manager.floor import Floor
from houseway.manager.keyring import Keyring
from houseway.manager.mark import read_marks
from houseway.manager.store import open_store, restore, sqlite
from houseway.manager.store.base import Store, StoreFault
from houseway.refusal import Refusal
from houseway.web.demonstration import FIRST, PIN

EXECUTIVE = "4001"


class Said(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """The ``houseway`` command in this process, with the demonstration's PIN."""
    monkeypatch.chdir(tmp_path)
    for name in ("PIN", "SECOND_PIN"):
        monkeypatch.setenv(f"HOUSEWAY_{name}", PIN)

    def command(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["houseway", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        said = Said(int(left.value.code or 0), *capfd.readouterr())
        assert "Traceback" not in said.err
        return said

    return command


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    """A floor in this process, in floor.db, with its key and mark beside it."""
    make_floor(tmp_path, str(tmp_path / "floor.db"))
    with closing(open_floor(tmp_path)) as opened:
        yield opened


def open_floor(folder: Path, database: str = "floor.db") -> Floor:
    store = open_store(str(folder / database) if "://" not in database else database, create=False)
    try:
        return Floor(store, keys=Keyring.load(folder / "houseway.key"))
    except BaseException:
        store.close()
        raise


def suspend(number: int) -> Order:
    """An order that is always carried out, told from others by its number."""
    what: Any = Suspend if number % 2 else Resume
    given = {"why": "to count"} if number % 2 else {}
    return Order(id=f"order-{number}", by=FIRST.staff, command=what(what="table", id="CS-1", **given))


def work(floor: Floor, orders: int = 4) -> int:
    """So many orders more; answers the number of the last entry."""
    done = floor.state.seq
    for _ in range(orders):
        done = floor.handle(suspend(done + 1)).entry.seq
    return done


def play(dealer: Person, orders: int) -> int:
    """So many orders over the network; answers the last entry that was acknowledged."""
    last = 0
    for number in range(orders):
        last = int(dealer.order(f"tables/CS-1/{'unlight' if number % 2 else 'light'}", spot=1)["entry"])
    return last


def not_taken(dealer: Person) -> None:
    """An order is answered as a fault, or the server is not there any more."""
    try:
        response = dealer.send("tables/CS-1/light", spot=3)
    except httpx.TransportError:
        return
    assert response.status_code == 503, response.text


def kill(server: Server) -> None:
    """End a server at once, if it has not ended by itself."""
    for person in server.people:
        person.http.close()
    if server.process is not None and server.process.poll() is None:
        server.kill()
    server.process = None


def known(folder: Path) -> int:
    """How far the floor was by its marks."""
    return read_marks(folder / "houseway.key")[-1].seq


# ------------------------------------------------------------------------------------- files under a running server


def test_a_restore_under_a_running_server_is_refused(tmp_path: Path, run: Run) -> None:
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        play(dealer, 4)
        assert run("backup", "copy.db", "--db", server.database).code == 0
        play(dealer, 4)
        (tmp_path / "floor.db").rename(tmp_path / "away.db")
        done = run("restore", "copy.db", "--db", server.database)
        assert done.code == 2
        assert "written by another Houseway" in done.err
        assert not list(tmp_path.glob("floor.db*part*"))
        assert not (tmp_path / "floor.db").exists()
        not_taken(dealer)


@pytest.mark.parametrize("how", ["another file in its place", "copied over it", "moved away"])
def test_a_file_that_is_not_the_one_that_was_opened_gets_no_more_orders(tmp_path: Path, run: Run, how: str) -> None:
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        play(dealer, 4)
        assert run("backup", "copy.db", "--db", server.database).code == 0
        last = play(dealer, 6)
        match how:
            case "another file in its place":
                Path("copy.db").replace(server.database)
            case "copied over it":
                shutil.copyfile("copy.db", server.database)
            case _:
                Path(server.database).rename("elsewhere.db")
        not_taken(dealer)
        not_taken(dealer)
    assert known(tmp_path) == last
    assert "takes nothing more" in server.log.read_text()


def test_a_file_that_is_written_over_gets_not_one_more_order(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even one that follows at once, when the log was looked at a moment ago."""
    monkeypatch.setattr(sqlite, "LOOK_SECONDS", 3_600)
    floor.store.backup(tmp_path / "copy.db")
    time.sleep(2 * sqlite.COARSE_NANOSECONDS / 1e9)
    last = work(floor)
    shutil.copyfile(tmp_path / "copy.db", tmp_path / "floor.db")
    with pytest.raises(StoreFault, match=r"another program has written to .*nothing was recorded"):
        floor.handle(suspend(last + 1))
    assert "another program has written to" in floor.broken
    assert known(tmp_path) == last


def test_a_file_that_is_written_over_during_a_transaction_is_noticed_after_it(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where that transaction is the one after which the log is moved into the file."""
    monkeypatch.setattr(sqlite, "LOG_PAGES", 0)
    floor.store.backup(tmp_path / "copy.db")
    last, commit = work(floor), floor.store.commit

    def late() -> None:
        shutil.copyfile(tmp_path / "copy.db", tmp_path / "floor.db")
        commit()

    with monkeypatch.context() as during:
        during.setattr(floor.store, "commit", late)
        floor.handle(suspend(last + 1))
    with pytest.raises(StoreFault, match="another program has written to"):
        floor.handle(suspend(last + 2))


def test_a_log_that_is_deleted_while_the_floor_runs_loses_nothing(tmp_path: Path, run: Run) -> None:
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        last = play(dealer, 20)
        Path(f"{server.database}-wal").unlink()
        not_taken(dealer)
        kill(server)
    assert "floor.db-wal was deleted while this floor ran, its entries were saved" in server.log.read_text()
    with closing(open_store(server.database, create=False, read_only=True)) as store:
        # The order that noticed it was answered as not certain, and may be there.
        assert store.head().seq - last in (0, 1)
    assert run("journal", "verify", "--db", server.database, "--key-file", "houseway.key").code == 0


def test_a_probe_is_a_write_and_sees_the_same(store: Store, tmp_path: Path) -> None:
    assert store.probe() == store.head()
    if "floor" in store.name and Path(store.name).exists():
        Path(f"{store.name}-wal").unlink()
        with pytest.raises(StoreFault, match="was deleted") as fault:
            store.probe()
        assert fault.value.fatal


def test_a_floor_that_cannot_write_says_so_when_it_is_probed(floor: Floor, tmp_path: Path) -> None:
    last = work(floor)
    floor.probe()
    assert floor.state.seq == last
    Path(tmp_path / "floor.db").rename(tmp_path / "elsewhere.db")
    with pytest.raises(StoreFault, match="was deleted or moved"):
        floor.probe()
    assert "takes nothing more" in floor.broken
    with pytest.raises(StoreFault, match="takes nothing more"):
        work(floor, 1)


# --------------------------------------------------------------------------------------------- how far the floor was


def test_the_mark_survives_a_kill_and_is_what_was_acknowledged(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        for orders in (1, 7):
            assert play(dealer, orders) == known(tmp_path)
        last = play(dealer, 1)
        kill(server)
        assert known(tmp_path) == last
        server.start()
        assert server.stop() == 0
    assert (tmp_path / "houseway.key.mark").stat().st_mode & 0o777 == 0o600


def test_a_bad_bit_in_the_log_after_a_kill_is_noticed_at_the_start(tmp_path: Path, run: Run) -> None:
    with serving(tmp_path) as server:
        last = play(server.sign_in("2001"), 30)
        kill(server)
    log = Path(f"{server.database}-wal")
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 1
    log.write_bytes(content)
    with pytest.raises(AssertionError, match=f"was known to have entry {last} of"):
        server.start()
    server.process = None
    assert "docs/recovery.md" in server.log.read_text()
    said = run("journal", "verify", "--db", server.database, "--key-file", "houseway.key")
    assert (said.code, f"entry {last} of" in said.out) == (1, True)
    told = run("doctor", "floor.toml", "--db", server.database, "--key-file", "houseway.key", "--port", "0", "--json")
    assert (told.code, f"was known to have entry {last}" in told.out) == (1, True)


def test_an_older_backup_under_another_name_is_refused(floor: Floor, tmp_path: Path) -> None:
    work(floor)
    floor.store.backup(tmp_path / "copy.db")
    last = work(floor)
    floor.close()
    with pytest.raises(Refusal, match=rf"ends at entry {last - 4}, but .* known to have entry {last} .* 4 entries are"):
        open_floor(tmp_path, "copy.db")
    # The right one opens, and so does a copy that has all of it.
    open_floor(tmp_path).close()


def test_a_journal_with_another_entry_at_the_mark_is_refused(floor: Floor, tmp_path: Path) -> None:
    work(floor)
    floor.store.backup(tmp_path / "copy.db")
    last = work(floor, 2)
    floor.close()
    mark = tmp_path / "houseway.key.mark"
    kept = mark.read_bytes()
    mark.unlink()
    # Without its mark nothing tells, and a second history begins.
    with closing(open_floor(tmp_path, "copy.db")) as other:
        work(other, 6)
    mark.write_bytes(kept)
    with pytest.raises(Refusal, match=f"its entry {last} is not the one that this floor recorded"):
        open_floor(tmp_path, "copy.db")


def test_a_new_floor_is_not_begun_with_the_key_of_another(floor: Floor, tmp_path: Path, run: Run) -> None:
    floor.close()
    (tmp_path / "floor.db").rename(tmp_path / "lost.db")
    done = run("floor", "start", "floor.toml", "--db", "floor.db", "--key-file", "houseway.key")
    assert (done.code, "holds no floor, but the mark beside the key file knows one" in done.err) == (2, True)


def test_a_damaged_mark_is_refused_and_not_taken_for_none(floor: Floor, tmp_path: Path) -> None:
    floor.close()
    mark = tmp_path / "houseway.key.mark"
    text = mark.read_bytes()
    mark.write_bytes(text[:100] + b"7" + text[101:] if text[100:101] != b"7" else text[:100] + b"8" + text[101:])
    with pytest.raises(Refusal, match="is damaged"):
        open_floor(tmp_path)


def test_every_process_keeps_its_own_mark_and_the_furthest_counts(
    tmp_path: Path, new_postgres: Callable[[], str]
) -> None:
    database = new_postgres()
    make_floor(tmp_path, database)
    with closing(open_floor(tmp_path, database)) as one, closing(open_floor(tmp_path, database)) as two:
        work(one, 3)
        last = two.handle(suspend(one.state.seq + 1)).entry.seq
        assert {file.name for file in marks.mark_files(tmp_path / "houseway.key")} == {
            *("houseway.key.mark", "houseway.key.mark-2")
        }
        assert [one.seq for one in read_marks(tmp_path / "houseway.key")] == [last - 1, last]
        assert one.refresh().seq == last
        assert [one.seq for one in read_marks(tmp_path / "houseway.key")] == [last, last]
    older = new_postgres()
    with closing(open_store(database, read_only=True, create=False)) as store:
        store.backup(tmp_path / "copy.db")
    with closing(open_floor(tmp_path, database)) as one:
        work(one, 2)
    restore(tmp_path / "copy.db", older)
    with pytest.raises(Refusal, match="2 entries are missing"):
        open_floor(tmp_path, older)


class ReplacedStore:
    """A store behind whose address another database stands from a moment on."""

    def __init__(self, before: Store, replaced: Callable[[], Store]) -> None:
        self._store = before
        self._replaced = replaced

    def __getattr__(self, name: str) -> Any:
        # The saved state is the first that a start reads of the floor itself, after it has compared the marks.
        if name == "snapshot":
            self._store = self._replaced()
        return getattr(self._store, name)


def test_a_standby_that_takes_over_during_a_start_does_not_set_the_mark_back(floor: Floor, tmp_path: Path) -> None:
    work(floor)
    floor.store.backup(tmp_path / "copy.db")
    last = work(floor)
    floor.close()
    older = open_store(str(tmp_path / "copy.db"), create=False)
    with closing(open_store(str(tmp_path / "floor.db"), create=False)) as whole, closing(older):
        store: Any = ReplacedStore(whole, lambda: older)
        with pytest.raises(Refusal, match=f"known to have entry {last} .*: 4 entries are missing"):
            Floor(store, keys=Keyring.load(tmp_path / "houseway.key"), threaded=False)
    assert known(tmp_path) == last


def test_a_process_that_records_and_dies_during_a_start_leaves_its_mark(floor: Floor, tmp_path: Path) -> None:
    """The mark of a process that runs is not taken over by one that read the journal before its last entries."""
    work(floor)
    floor.store.backup(tmp_path / "copy.db")
    older = open_store(str(tmp_path / "copy.db"), create=False)
    last = 0

    def record_and_die() -> Store:
        nonlocal last
        if not last:
            last = work(floor)
            floor.close()
        return older

    with closing(older):
        store: Any = ReplacedStore(older, record_and_die)
        with pytest.raises(Refusal, match=r"known to have entry [0-9]+ .*: 4 entries are missing"):
            Floor(store, keys=Keyring.load(tmp_path / "houseway.key"), threaded=False)
    assert known(tmp_path) == last > 0


def test_a_refused_start_lets_go_of_its_mark(floor: Floor, tmp_path: Path) -> None:
    work(floor)
    floor.store.backup(tmp_path / "copy.db")
    work(floor, 1)
    floor.close()
    for _ in range(2):
        with pytest.raises(Refusal, match="1 entry is missing"):
            open_floor(tmp_path, "copy.db")
    assert [file.name for file in marks.mark_files(tmp_path / "houseway.key")] == ["houseway.key.mark"]


def test_a_mark_that_cannot_be_written_stops_the_orders_until_it_can(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as failing:
        failing.setattr(marks.os, "pwrite", full)
        last = work(floor, 1)  # It was recorded, so it is answered.
        with pytest.raises(StoreFault, match=r"houseway\.key\.mark.* cannot be written .*nothing was recorded"):
            work(floor, 1)
        with pytest.raises(StoreFault, match="cannot be written"):
            floor.probe()
    assert work(floor, 1) == last + 1


# ------------------------------------------------------------------------------------------------ streams come back


def watch(dealer: Person, since: int) -> httpx.Response:
    with dealer.http.stream("GET", f"{API}/stream", headers={"Last-Event-ID": str(since)}) as response:
        if response.status_code != 200:
            response.read()
        return response


def test_an_invented_number_of_an_entry_is_refused_and_does_not_stop_the_floor(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        last = play(dealer, 4)
        for invented in (last + 1, 10**17):
            response = watch(dealer, invented)
            assert response.status_code == 409
            assert response.json()["field"] == "Last-Event-ID"
        assert watch(dealer, last).status_code == 200
        assert play(dealer, 2) == last + 2
        assert httpx.get(f"{server.url}/readyz").status_code == 200
    assert f"has seen entry {last + 1}, but the journal ends at {last}" in server.log.read_text()


def test_a_stream_from_beyond_the_journal_stops_a_floor_whose_marks_say_so_too(
    tmp_path: Path, new_postgres: Callable[[], str]
) -> None:
    """Two servers, one database; the second was promoted from a standby that was behind, before it read anything."""
    database, behind = new_postgres(), new_postgres()
    make_floor(tmp_path, database)
    with closing(open_floor(tmp_path, database)) as one:
        with closing(open_store(database, read_only=True, create=False)) as store:
            store.backup(tmp_path / "copy.db")
        restore(tmp_path / "copy.db", behind)
        (tmp_path / "elsewhere").mkdir()
        shutil.copy(tmp_path / "houseway.key", tmp_path / "elsewhere")
        with closing(open_floor(tmp_path / "elsewhere", behind)) as two:
            two.compare_marks()
            assert not two.broken
            work(one, 3)
            shutil.copy(tmp_path / "houseway.key.mark", tmp_path / "elsewhere" / "houseway.key.mark-2")
            with pytest.raises(StoreFault, match=r"takes nothing more: .* 3 entries are missing"):
                two.compare_marks()
            assert two.broken


# ------------------------------------------------------------------------------------------------ one name, one writer


def test_a_file_with_two_names_is_refused(floor: Floor, tmp_path: Path) -> None:
    work(floor)
    os.link(tmp_path / "floor.db", tmp_path / "second.db")
    for read_only in (False, True):
        with pytest.raises(Refusal, match="has 2 names"):
            open_store(str(tmp_path / "second.db"), create=False, read_only=read_only)
    work(floor)


def test_a_file_that_was_moved_under_its_writer_gets_no_second_one(floor: Floor, tmp_path: Path) -> None:
    work(floor)
    (tmp_path / "floor.db").rename(tmp_path / "moved.db")
    (tmp_path / "houseway.key.mark").rename(tmp_path / "kept")
    with pytest.raises(Refusal, match="written by another Houseway"):
        open_store(str(tmp_path / "moved.db"), create=False)


def test_a_second_writer_is_refused_and_the_first_goes_on(floor: Floor, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="written by another Houseway"):
        open_store(str(tmp_path / "floor.db"), create=False)
    work(floor)


def test_locks_on_the_file_itself_leave_readers_of_other_programs_alone(floor: Floor, tmp_path: Path) -> None:
    last = work(floor)
    code = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT seq FROM head').fetchone()[0])"
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "floor.db"], capture_output=True, check=True)
    assert int(done.stdout) == last
    assert work(floor) == last + 4


# ------------------------------------------------------------------------------------------------- copies, whole or not


def test_a_restored_file_has_its_name_only_when_it_was_verified(
    floor: Floor, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    work(floor)
    floor.store.backup(tmp_path / "copy.db")
    seen: list[str] = []
    verify = sys.modules["houseway.books.verify"].verify

    def watched(store: Store, *given: Any, **named: Any) -> Any:
        seen.extend(sorted(file.name for file in tmp_path.glob("again.db*")))
        return verify(store, *given, **named)

    monkeypatch.setattr("houseway.books.verify.verify", watched)
    done = run("restore", "copy.db", "--db", "again.db", "--key-file", "houseway.key")
    assert done.code == 0, done
    assert seen == ["again.db-lock", "again.db.part"]
    assert (tmp_path / "again.db").exists()
    # One that does not verify gets no name at all.
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy, copy:
        copy.execute("UPDATE journal SET at = at + 1 WHERE seq = 3")
    done = run("restore", "copy.db", "--db", "bad.db", "--key-file", "houseway.key")
    assert (done.code, "nothing was restored" in done.out) == (1, True)
    assert not list(tmp_path.glob("bad*"))


def test_a_copy_that_fails_leaves_nothing_behind(floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work(floor)
    floor.store.backup(tmp_path / "copy.db")

    def torn(source: sqlite3.Connection, target: Path) -> None:
        for suffix in ("", "-journal", "-wal", "-shm"):
            Path(f"{target}{suffix}").write_bytes(b"half")
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(sqlite, "copy_file", torn)
    for attempt in (
        lambda: floor.store.backup(tmp_path / "new.db"),
        lambda: restore(tmp_path / "copy.db", str(tmp_path / "new.db")),
    ):
        with pytest.raises(StoreFault):
            attempt()
        assert not list(tmp_path.glob("new*"))


def test_what_a_killed_copy_left_is_named_and_not_taken_for_ones_own(floor: Floor, tmp_path: Path) -> None:
    for left in ("new.db.part", "new.db.part-journal"):
        (tmp_path / left).write_bytes(b"half")
        with pytest.raises(Refusal, match=left):
            floor.store.backup(tmp_path / "new.db")
        assert (tmp_path / left).read_bytes() == b"half"
        (tmp_path / left).unlink()
    floor.store.backup(tmp_path / "new.db")


# ------------------------------------------------------------------------------------------------- commits that fail


class FailingCommit:
    """A connection whose commit fails at its last step, and where asked its rollback too."""

    def __init__(self, connection: sqlite3.Connection, *failing: str) -> None:
        self.connection = connection
        self.failing = failing

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Pass everything on but what fails."""
        if statement in self.failing:
            raise sqlite3.OperationalError("disk I/O error")
        return self.connection.execute(statement, values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


def test_nothing_was_recorded_is_said_only_when_the_cut_log_is_on_the_disk(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    work(floor)
    store: Any = floor.store
    synced: list[str] = []

    def fsync(handle: int) -> None:
        synced.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        if failing:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("houseway.manager.store.files.os.fsync", fsync)
    for failing in (False, True):
        writer = store._writer
        store._writer = FailingCommit(writer, "COMMIT")
        with pytest.raises(StoreFault) as fault:
            work(floor, 1)
        assert "floor.db-wal" in synced
        assert fault.value.uncertain is failing
        assert ("not certain" in str(fault.value)) is failing
        store._writer = writer
        synced.clear()
        work(floor, 1)


def test_no_transaction_is_left_open_when_even_the_rollback_fails(floor: Floor) -> None:
    last = work(floor)
    store: Any = floor.store
    store._writer = FailingCommit(store._writer, "COMMIT", "ROLLBACK")
    with pytest.raises(StoreFault) as fault:
        floor.handle(suspend(last + 1))
    assert fault.value.uncertain
    done = floor.handle(suspend(last + 1))
    assert done.entry.seq == last + 1
    assert not store._writer.in_transaction
    assert work(floor) == last + 5


def test_no_transaction_is_left_open_after_an_uncertain_commit_that_cannot_be_looked_up(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = work(floor)
    store: Any = floor.store
    commit, catch_up = store.commit, floor._catch_up

    def uncertain() -> None:
        commit()
        monkeypatch.setattr(floor, "_catch_up", unreadable)
        raise StoreFault("the line broke", uncertain=True)

    def unreadable(_: object) -> None:
        raise StoreFault("the disk refused to read")

    monkeypatch.setattr(store, "commit", uncertain)
    with pytest.raises(StoreFault, match="not certain"):
        floor.handle(suspend(last + 1))
    assert store._at is None
    assert not store._writer.in_transaction
    monkeypatch.setattr(store, "commit", commit)
    monkeypatch.setattr(floor, "_catch_up", catch_up)
    done = floor.handle(suspend(last + 1))
    assert (done.entry.seq, done.repeated) == (last + 1, True)


# --------------------------------------------------------------------------------------------- a restore is an event


@pytest.fixture
def behind(floor: Floor, tmp_path: Path, run: Run) -> int:
    """A floor whose disk was lost and whose backup lacks the last four entries; answers the last known one."""
    work(floor)
    floor.store.backup(tmp_path / "copy.db")
    assert run("journal", "head", "-o", "early.head", "--db", "floor.db", "--key-file", "houseway.key").code == 0
    last = work(floor)
    assert run("journal", "head", "-o", "late.head", "--db", "floor.db", "--key-file", "houseway.key").code == 0
    floor.close()
    for name in ("floor.db", "floor.db-wal", "floor.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    return last


RECOVER = ("floor", "recover", "--db", "floor.db", "--key-file", "houseway.key", "--reason", "the disk was lost")
TWO = ("--card", FIRST.card, "--second-card", EXECUTIVE)


def test_a_restore_says_how_old_it_is_and_what_is_missing(behind: int, run: Run) -> None:
    done = run("restore", "copy.db", "--db", "floor.db", "--key-file", "houseway.key", "--checkpoint", "late.head")
    assert done.code == 0, done
    assert f"the last is entry {behind - 4} of " in done.out
    assert "0 hours 0 minutes ago, gaming day" in done.out
    assert f"by the mark beside the key file this floor had entry {behind} of" in done.out
    assert f"by a checkpoint this floor had entry {behind}: 4 entries are missing" in done.out
    assert "houseway floor recover" in done.out
    assert (
        run("restore", "copy.db", "--db", "other.db", "--key-file", "houseway.key", "--checkpoint", "copy.db").code == 2
    )


def test_two_people_recover_a_floor_and_one_does_not(behind: int, run: Run, tmp_path: Path) -> None:
    assert run("restore", "copy.db", "--db", "floor.db", "--key-file", "houseway.key").code == 0
    with pytest.raises(Refusal, match="4 entries are missing"):
        open_floor(tmp_path)
    alone = run(*RECOVER, "--card", FIRST.card, "--second-card", FIRST.card)
    assert alone.code == 2
    assert run(*RECOVER, "--card", FIRST.card).code == 2
    with pytest.raises(Refusal, match=r"entries are missing|entry is missing"):
        open_floor(tmp_path)
    done = run(*RECOVER, *TWO)
    assert done.code == 0, done
    assert f"known to entry {behind}" in done.out
    with closing(open_floor(tmp_path)) as again:
        (event,) = entry_of(rows[-1].body).events if (rows := list(again.store.entries())) else ()
        assert isinstance(event, Restored)
        assert (event.known_to, event.known_hash != "") == (behind, True)
        assert entry_of(rows[-1].body).second != ""
        work(again)
    assert run("journal", "verify", "--db", "floor.db", "--key-file", "houseway.key").code == 0
    assert "it is known to have had entry" in run("journal", "export", "--db", "floor.db").out
    again_refused = run(*RECOVER, *TWO)
    assert (again_refused.code, "nothing is to recover" in again_refused.err) == (2, True)


@pytest.mark.parametrize("way", ["checkpoint", "number", "damaged mark"])
def test_a_floor_without_its_mark_is_recovered_by_what_others_know(
    behind: int, run: Run, tmp_path: Path, way: str
) -> None:
    mark = tmp_path / "houseway.key.mark"
    mark.unlink()
    if way == "damaged mark":
        mark.write_bytes(b"rot")
    restored = (
        run("restore", "copy.db", "--db", "floor.db")
        if way == "damaged mark"
        else run("restore", "copy.db", "--db", "floor.db", "--key-file", "houseway.key")
    )
    if way == "damaged mark":
        assert restored.code == 2
        assert "is damaged" in restored.err
        restore(tmp_path / "copy.db", str(tmp_path / "floor.db"))
    assert run(*RECOVER, *TWO).code == 2
    told = ("--checkpoint", "late.head") if way == "checkpoint" else ("--known-to", str(behind))
    done = run(*RECOVER, *TWO, *told)
    assert done.code == 0, done
    with closing(open_floor(tmp_path)) as again:
        last = list(again.store.entries())[-1]
        (event,) = entry_of(last.body).events
        assert isinstance(event, Restored)
        assert (event.known_to, event.root != "") == (behind, way == "checkpoint")
        work(again)


def test_a_floor_that_lacks_nothing_is_not_recovered(floor: Floor, run: Run) -> None:
    work(floor)
    floor.close()
    assert "nothing is to recover" in run(*RECOVER, *TWO).err
    assert run(*RECOVER, *TWO, "--known-to", "3").code == 2


def test_a_floor_is_not_recovered_beside_a_server_that_still_runs(
    tmp_path: Path, new_postgres: Callable[[], str], run: Run
) -> None:
    database = new_postgres()
    make_floor(tmp_path, database)
    with closing(open_floor(tmp_path, database)) as running:
        last = work(running)
        given = ("floor", "recover", "--db", database, "--key-file", "houseway.key", "--reason", "none")
        done = run(*given, *TWO, "--known-to", str(last + 100))
        assert (done.code, "another Houseway" in done.err) == (2, True)
        kinds = [row.kind for row in running.store.entries(last)]
        assert set(kinds) == {"sign_in"}
        work(running)
