"""A serving floor is hurt in every way that `make crash` knows, its disk fills up, its files turn read-only.

Nothing is lost, nothing is done twice, and what an event itself takes away does not go unnoticed.
"""

from __future__ import annotations

import array
import fcntl
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from houseway.manager.keyring import Keyring

# The tool is no package; its parts are used here as they are.
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from crash import Attempt, Attempts, Counts, PostgresServer, Server, check, found_floor, key_beside
from faults.aftermath import Seen, judge
from faults.databases import SqliteFiles, opened
from faults.events import EVENTS, backup_of, judge_failover
from faults.life import Life
from faults.syncs import can_fail_syncs
from faults.tables import read_tables
from floor_load import Load, random_floor

TOOL = Path(__file__).parents[2] / "tools" / "crash.py"
LINE = re.compile(
    r"(\d+) events \(.*\), (\d+) orders: lost (\d+), doubled (\d+), unbalanced (\d+), unnoticed (\d+), late (\d+), "
    r"noticed \d+, harmless \d+"
)


def crash(*arguments: str) -> tuple[int, list[int], str]:
    """Run the tool; answers its exit code, the numbers of its last line, and what it said on the way."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(TOOL), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    found = LINE.fullmatch(done.stdout.strip())
    assert found, f"{done.stdout}\n{done.stderr}"
    return done.returncode, [int(number) for number in found.groups()], done.stderr


def must_hold(events: int, database: str, seed: int) -> None:
    """So many events, every kind among them, and nothing found; enough went on that there was something to find."""
    code, (total, orders, *found), said = crash("--kills", str(events), "--database", database, "--seed", str(seed))
    assert (code, total, found) == (0, events, [0, 0, 0, 0, 0]), said
    assert orders > 20 * events
    kinds = [kind for kind in EVENTS[database] if kind != "failing syncs" or can_fail_syncs()]
    assert [kind for kind in kinds if f"{database}, {kind}, " not in said] == []


# --------------------------------------------------------------------------------------------------------------- events


@pytest.mark.clause("PR-16", "PR-24", "PR-38")
def test_twelve_events_on_sqlite_lose_nothing_unnoticed() -> None:
    must_hold(12, "sqlite", seed=11)


@pytest.mark.clause("PR-16", "PR-24", "PR-38")
def test_ten_events_on_postgresql_lose_nothing_unnoticed() -> None:
    must_hold(10, "postgres", seed=2)


def must_hold_with_six_games(kills: int, database: str, seed: int) -> None:
    """So many kills -9 of a floor with six games on one mega / major / minor link."""
    manner = ("--six-games", "--only", "kill", "--database", database)
    code, (total, orders, *found), said = crash("--kills", str(kills), "--seed", str(seed), *manner)
    assert (code, total, found) == (0, kills, [0, 0, 0, 0, 0]), said
    assert orders > 20 * kills


@pytest.mark.clause("FV-2", "PR-38")
def test_six_games_on_a_link_are_killed_and_lose_nothing() -> None:
    must_hold_with_six_games(3, "sqlite", seed=6)


@pytest.mark.long
@pytest.mark.clause("FV-2", "PR-38")
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_six_games_on_a_link_are_killed_sixty_times(database: str) -> None:
    must_hold_with_six_games(60, database, seed=66)


@pytest.mark.long
@pytest.mark.clause("PR-16", "PR-24", "PR-38")
@pytest.mark.parametrize(("database", "seed"), [("sqlite", 3), ("postgres", 4)])
def test_three_hundred_events_lose_nothing_unnoticed(database: str, seed: int) -> None:
    must_hold(150, database, seed)


@pytest.mark.clause("PR-38", "FL-3")
def test_a_round_with_cards_is_played_on_after_a_kill(tmp_path: Path) -> None:
    """Killed with cards out, the table stands where it stood: the sealed deck is dealt on, and opened at the close."""
    url = str(tmp_path / "floor.db")
    with served(url, tmp_path) as floor:
        floor.play(lambda attempt: happened(attempt, "packet_dealt"))
        floor.server.kill()
        floor.server = Server(url, tmp_path / "server.log")
        floor.server.ready()
        floor.send_again()
        floor.play(lambda attempt: happened(attempt, "deck_opened"))
        floor.ends_well()


def happened(attempt: Attempt, kind: str) -> bool:
    """Whether an order was carried out, and made something of that kind happen."""
    return attempt.done and any(event["type"] == kind for event in (attempt.answer or {})["events"])


@pytest.mark.parametrize(("planted", "place", "kills"), [("early", 0, 4), ("twice", 1, 1), ("line", 2, 1)])
def test_a_server_that_loses_or_doubles_is_found_out(planted: str, place: int, kills: int) -> None:
    """Answered before it was durable, which a kill must hit; done twice; money left out of the totals."""
    few = ("--kills", str(kills), "--only", "kill", "--seed", "1", "--database", "sqlite")
    code, (_, _, *found), said = crash(*few, "--planted", planted)
    assert code == 1, said
    assert found[place] > 0, said
    # What was lost and sent again gets another number, and so may count as doubled too.
    assert planted == "early" or [number for number in found if number] == [found[place]], said


# ---------------------------------------------------------------------------------------------- how an event is judged


def test_a_sign_in_that_an_older_file_takes_away_is_noticed_and_no_order_is_called_lost(hurt: Life) -> None:
    """Nobody who signs in is told an entry's number; the floor knows it all the same, and refuses to go on."""
    hurt.serve()
    hurt.answered()
    older = read_tables(hurt.url)
    backup = backup_of(hurt)
    (server,) = hurt.servers
    server.sign_in("s1")
    hurt.answered()
    hurt.kill()
    assert len(read_tables(hurt.url).lines) == len(older.lines) + 1
    Path(f"{hurt.url}-wal").unlink()
    backup.replace(hurt.url)
    assert not judge(hurt, Seen(time.monotonic()), "start")
    assert hurt.counts.clean, hurt.counts.said
    assert hurt.counts.noticed == {("restore", "start"): 1}


def test_a_card_that_was_presented_is_waited_for_like_an_order(hurt: Life) -> None:
    """Otherwise its entry may be written when a standby was already found to have everything."""
    hurt.serve()
    (server,) = hurt.servers
    hurt.answered()
    before = len(read_tables(hurt.url).lines)
    for _ in range(20):
        server.sign_in("s1")
    hurt.answered()
    assert len(read_tables(hurt.url).lines) == before + 20


def test_a_start_that_is_refused_with_everything_there_counts_as_lost(hurt: Life) -> None:
    """A floor that cannot be opened is of no use, though its file is whole."""
    hurt.serve()
    hurt.kill()
    hurt.log.with_name("houseway.key.mark").write_bytes(b"no mark")
    assert not judge(hurt, Seen(time.monotonic()), "start")
    assert (hurt.counts.lost, hurt.counts.noticed.total()) == (1, 0), hurt.counts.said
    assert "is damaged" in " ".join(hurt.counts.said)


@pytest.mark.clause("PR-24")
def test_an_order_that_the_dead_primary_never_had_is_lost_though_a_start_is_refused(tmp_path: Path) -> None:
    """A standby explains that an order is gone only where the primary before it had the order."""
    counts = Counts(now="failover")
    # A short name: PostgreSQL puts its socket there.
    with (
        tempfile.TemporaryDirectory(prefix="hw", ignore_cleanup_errors=True) as folder,
        opened("postgres", Path(folder)) as database,
    ):
        assert isinstance(database, PostgresServer)
        life = Life(database, Random(5), tmp_path / "floor", counts)
        try:
            life.serve()
            life.answered()
            database.follow()
            database.cut()
            life.play(0.2)
            life.answered()
            done = [one for tries in life.attempts.values() for one in tries if one.done]
            life.kill()
            database.fail_over()
            (done[-1].answer or {})["entry"] += 1_000
            assert not judge_failover(life, Seen(time.monotonic()))
        finally:
            life.kill()
    assert (counts.lost, counts.unnoticed, counts.noticed.total()) == (1, 0, 1), counts.said
    assert f"order {done[-1].sent.id} was acknowledged, and neither primary has it" in " ".join(counts.said)


@pytest.fixture
def hurt(tmp_path: Path) -> Iterator[Life]:
    """A floor in a file, to which something is done."""
    life = Life(SqliteFiles(tmp_path), Random(5), tmp_path / "floor", Counts(now="restore"))
    try:
        yield life
    finally:
        life.kill()


# ------------------------------------------------------------------------------------------ disks that are full or shut


class Served:
    """A floor that is being served, and asked one order after another."""

    def __init__(self, url: str, folder: Path, seed: int) -> None:
        rng = Random(seed)
        config = random_floor(rng)
        found_floor(url, config, Keyring.load(key_beside(folder / "server.log")))
        self.url = url
        self.load = Load(rng, config)
        self.attempts: Attempts = defaultdict(list)
        self.server = Server(url, folder / "server.log")
        self.server.ready()

    def play(self, until: Callable[[Attempt], bool], most: int = 2_000) -> list[Attempt]:
        """Give orders until an answer is as wanted."""
        given = []
        for _ in range(most):
            self.server.say({"op": "view", "id": "view"})
            assert self.server.view is not None
            attempt = self.server.send(self.load.next(self.server.view))
            self.server.until(lambda: not self.server.in_flight)
            if attempt is not None:
                given.append(attempt)
                self.attempts[attempt.sent.id].append(attempt)
                if until(attempt):
                    return given
        raise AssertionError(f"it never came: {Counter(str(one.answer)[:200] for one in given).most_common(5)}")

    def play_on(self, orders: int) -> None:
        """Give orders, so many of which must be carried out; none may fail for the database."""
        done = Counter[bool]()

        def enough(attempt: Attempt) -> bool:
            assert not attempt.open, attempt.answer
            done[attempt.done] += 1
            return done[True] >= orders

        self.play(enough)

    def fails(self, words: str) -> None:
        """Give orders until one fails for the database: it says why, and the server lives."""
        failed = self.play(lambda attempt: attempt.open)[-1]
        sentence = (failed.answer or {})["error"]
        assert re.search(words, sentence), sentence
        assert "Traceback" not in sentence
        assert self.server.process.poll() is None

    def send_again(self) -> None:
        """Every order that failed is sent again under its id, and is answered."""
        for attempt in [one for tries in self.attempts.values() for one in tries if one.open]:
            again = self.server.send(attempt.sent)
            self.server.until(lambda: not self.server.in_flight)
            assert again is not None
            assert not again.open, again.answer
            self.attempts[attempt.sent.id].append(again)

    def ends_well(self) -> None:
        """Stopped, it verifies, and holds exactly what it acknowledged."""
        assert self.server.stop() == 0
        counts = Counts()
        check(self.url, self.attempts, counts)
        assert counts.clean, counts.said


@contextmanager
def served(url: str, folder: Path, seed: int = 1) -> Iterator[Served]:
    """Serve a new floor; whatever happens, its process ends."""
    one = Served(url, folder, seed)
    try:
        yield one
    finally:
        one.server.kill()


def test_a_full_disk_is_said_and_outlived(tmp_path: Path) -> None:
    """A limit on the size of the server's files, as a quota sets one, drawn tight and loosened while it serves."""
    with served(str(tmp_path / "floor.db"), tmp_path) as floor:
        floor.play_on(20)
        size = max(file.stat().st_size for file in tmp_path.glob("floor.db*"))
        for limit in (size + 10_000, 0):
            resource.prlimit(floor.server.process.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            floor.fails("the disk refused to read or write")
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(floor.server.process.pid, resource.RLIMIT_FSIZE, unlimited)
        floor.send_again()
        floor.play_on(20)
        floor.ends_well()


def test_a_full_file_system_is_said_and_outlived(small_disk: Path) -> None:
    """A file system of its own, filled up by somebody else, and cleared again."""
    with served(str(small_disk / "floor.db"), small_disk) as floor:
        floor.play_on(20)
        filler = small_disk / "filler"
        fill(filler)
        floor.fails("the disk is full; make room, then go on")
        filler.unlink()
        floor.send_again()
        floor.play_on(20)
        floor.ends_well()


def test_a_full_file_system_under_postgresql_is_said_and_outlived(small_disk: Path) -> None:
    server = PostgresServer(small_disk / "pg")
    try:
        with served(server.new(), small_disk) as floor:
            floor.play_on(20)
            filler = small_disk / "filler"
            fill(filler)
            floor.fails("the server's disk is full; make room, then go on")
            filler.unlink()
            floor.send_again()
            floor.play_on(20)
            floor.ends_well()
    finally:
        server.close()


def test_files_that_turn_read_only_are_said_and_outlived(tmp_path: Path) -> None:
    with served(str(tmp_path / "floor.db"), tmp_path) as floor:
        floor.play_on(20)
        files = [file for file in tmp_path.glob("floor.db*") if file.suffix in (".db", ".db-wal")]
        with unchangeable(files):
            floor.fails("the disk refused to read or write|cannot be written to")
        floor.send_again()
        floor.play_on(20)
        floor.ends_well()


def test_a_floor_in_a_read_only_folder_is_not_served(small_disk: Path) -> None:
    """One sentence, and the files are left as they were; allowed to write again, it serves."""
    url = str(small_disk / "floor.db")
    with served(url, small_disk) as floor:
        floor.play_on(5)
        floor.ends_well()
    before = (small_disk / "floor.db").read_bytes()
    remount(small_disk, "ro")
    refused = subprocess.run(
        [
            sys.executable,
            "-m",
            "houseway.cli",
            "floor",
            "serve",
            "--db",
            url,
            "--key-file",
            str(small_disk / "houseway.key"),
        ],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert refused.returncode == 2
    assert re.fullmatch(r"houseway: database: .* cannot be written to .*allow it.*\n", refused.stderr), refused.stderr
    remount(small_disk, "rw")
    assert (small_disk / "floor.db").read_bytes() == before
    again = Server(url, small_disk / "server.log")
    again.ready()
    assert again.stop() == 0


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of its own; only who may mount one can have it."""
    # A short path: PostgreSQL puts its socket there.
    place = Path(tempfile.mkdtemp(prefix="hw"))
    options = "size=128m,mode=755"
    mount = ["mount", "-t", "tmpfs", "-o", options, "houseway-test", str(place)]
    made = subprocess.run(mount, capture_output=True, check=False)
    if made.returncode:
        place.rmdir()
        pytest.skip("mounting a file system takes root")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
        place.rmdir()


def remount(place: Path, how: str) -> None:
    """Turn a file system read-only, or writable again."""
    subprocess.run(["mount", "-o", f"remount,{how}", str(place)], check=True)


def fill(filler: Path) -> None:
    """Write until nothing more fits."""
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"\0" * 4096)


@contextmanager
def unchangeable(files: list[Path]) -> Iterator[None]:
    """Files that the kernel lets nobody write any more, not even who has them open."""
    if not _can_freeze(files[0].with_name("probe")):
        pytest.skip("making a file unchangeable takes root and a file system that can")
    try:
        for file in files:
            _freeze(file, True)
        yield
    finally:
        for file in files:
            _freeze(file, False)


def _can_freeze(probe: Path) -> bool:
    """Whether the mark is allowed here, and heeded by those who have the file open already."""
    with probe.open("wb", buffering=0) as file:
        try:
            _freeze(probe, True)
        except OSError:
            return False
        try:
            file.write(b"x")
        except PermissionError:
            return True
        finally:
            _freeze(probe, False)
        return False


def _freeze(file: Path, on: bool) -> None:
    """Set or clear the mark that ``chattr +i`` sets."""
    get, put, immutable = 0x80086601, 0x40086602, 0x10
    handle = os.open(file, os.O_RDONLY)
    try:
        flags = array.array("l", [0])
        fcntl.ioctl(handle, get, flags, True)
        flags[0] = flags[0] | immutable if on else flags[0] & ~immutable
        fcntl.ioctl(handle, put, flags, True)
    finally:
        os.close(handle)
