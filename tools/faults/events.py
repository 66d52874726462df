"""What happens to a floor: each kind of event does it, has it judged, and answers whether the floor can go on."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Final

from floor_load import FIRST

from faults.aftermath import REFUSALS, Seen, ask_ready, judge, leave
from faults.check import CLOCK, known_to_marks, missing
from faults.counts import Ended
from faults.databases import PostgresServer
from faults.life import LONGEST, Life
from faults.server import HOUSEWAY, Attempt, Manner, Server, key_beside
from faults.syncs import Syncs, can_fail_syncs
from faults.tables import read_tables
from faults.web import WebServer

Event = Callable[[Life], bool]

DEADLINE: Final = 15.0
"""By when an order must be answered, whatever the database does."""
OTHER_GOES_ON: Final = 3.5
"""How soon a second server must record again when the first stands still, in seconds."""
LONG_HANG: Final = DEADLINE + 2
DAY: Final = 86_400
JUMPS: Final = (400 * DAY, 4 * DAY, -400 * DAY)
WRONG_MOMENT: Final = 600_000_000
"""An entry so many microseconds from the true time was written by a wrong clock."""
RARER: Final = 0.3
"""How often an event is the rarer form of its kind."""
MANY_KILLS: Final = 8
"""How many of a round of events are plain kills."""


# ---------------------------------------------------------------------------------------------------------------- kills


def kill(life: Life) -> bool:
    """``kill -9`` at any moment: while it starts, in the middle of everything, right after the last answer."""
    two = life.database.shared and life.plan.random() < 0.5
    life.start(2 if two else 1)
    if life.plan.random() < 0.2:
        # Somewhere on the way to serving.
        time.sleep(life.plan.uniform(0, 0.8))
        life.kill()
        life.check()
        return True
    for server in life.servers:
        server.ready()
    began = time.monotonic()
    life.send_again()
    life.play()
    if two and life.plan.random() < 0.5:
        # The other one goes on.
        life.kill(life.servers[:1])
        life.play(life.plan.uniform(0.02, LONGEST / 2))
    if life.plan.random() < 0.5:
        # At once after the last answer: everything it said must be there.
        life.answered()
    life.kill()
    for attempt in _attempts_since(life, began):
        if attempt.answer is not None and attempt.open:
            life.counts.find(
                "lost", f"order {attempt.sent.id} failed on a database in order: {attempt.answer['error']}"
            )
    life.check()
    return True


def database_kill(life: Life) -> bool:
    """PR-38: the database server is killed under a serving floor, which says so, stays, and goes on afterwards."""
    postgres = _postgres(life)
    life.serve(life.plan.choice((1, 2)))
    life.play()
    postgres.kill()
    life.play(life.plan.uniform(0, 0.2))
    postgres.start()
    life.answered()
    life.play(life.plan.uniform(0.02, LONGEST / 2))
    life.kill()
    life.check()
    return True


# ------------------------------------------------------------------------------------------- another database behind it


def failover(life: Life) -> bool:
    """A standby that follows by streaming is cut off and, behind by what is written then, promoted."""
    if life.plan.random() < RARER:
        return _failover_unasked(life)
    postgres = _postgres(life)
    life.serve(life.plan.choice((1, 2)))
    life.play()
    postgres.follow()
    life.play(life.plan.uniform(0.02, LONGEST / 2))
    behind = life.plan.random() < 0.8
    if not behind:
        life.answered()
        postgres.catch_up()
    postgres.cut()
    if behind:
        life.play(life.plan.uniform(0.05, LONGEST / 2))
    postgres.fail_over()
    since = time.monotonic()
    return judge_failover(life, leave(life, since))


def _failover_unasked(life: Life) -> bool:
    """The same, looked at from a server that nobody gives an order: it must say by itself that it is not ready."""
    postgres = _postgres(life)
    life.serve()
    postgres.follow()
    with _web(life) as web:
        postgres.cut()
        life.play(life.plan.uniform(0.05, LONGEST / 2))
        life.answered()
        life.kill()
        postgres.fail_over()
        ready = ask_ready(life.counts, time.monotonic(), web)
    return judge_failover(life, ready)


def judge_failover(life: Life, facts: Seen) -> bool:
    """The old primary tells what there was: what was acknowledged was in one of the two, and so was what marks know."""
    postgres = _postgres(life)
    postgres.settle(life.url)
    with postgres.dead_primary(life.url) as old:
        lines = [*read_tables(old).lines, *read_tables(life.url).lines]
    orders, hashes = {(line.order, line.seq) for line in lines}, {(line.seq, line.hash) for line in lines}
    for attempt in missing(orders, life.attempts):
        life.counts.find("lost", f"order {attempt.sent.id} was acknowledged, and neither primary has it")
    for seq, hash_ in known_to_marks(life.log):
        if (seq, hash_) not in hashes:
            life.counts.find("lost", f"a mark names entry {seq}, and neither primary has it")
    return judge(life, facts, "start")


def restore(life: Life) -> bool:
    """An older backup gets the floor's name while the floor is served."""
    if life.plan.random() < RARER:
        return _restore_unasked(life)
    life.serve()
    life.play()
    backup = backup_of(life)
    life.play(life.plan.uniform(0.05, LONGEST / 2))
    life.plan.choice((_renamed_over, _copied_over, _restored_by_command))(life, backup, Path(life.url))
    since = time.monotonic()
    return judge(life, leave(life, since), "start")


def _restore_unasked(life: Life) -> bool:
    """The same, looked at from a server that nobody gives an order: it must say by itself that it is not ready."""
    life.serve()
    life.play()
    backup = backup_of(life)
    life.play(life.plan.uniform(0.05, LONGEST / 2))
    life.answered()
    life.kill()
    with _web(life) as web:
        life.plan.choice((_renamed_over, _restored_by_command))(life, backup, Path(life.url))
        ready = ask_ready(life.counts, time.monotonic(), web)
    return judge(life, ready, "start")


@contextmanager
def _web(life: Life) -> Iterator[WebServer]:
    """A server with pages on the floor, which takes no orders here."""
    web = WebServer(life.url, life.log)
    try:
        web.start()
        yield web
    finally:
        web.kill()


def backup_of(life: Life) -> Path:
    """A copy of the floor's file as it is now."""
    backup = Path(life.url).with_suffix(".backup")
    backup.unlink(missing_ok=True)
    with closing(sqlite3.connect(life.url)) as source, closing(sqlite3.connect(backup)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
    return backup


def _renamed_over(life: Life, backup: Path, file: Path) -> None:
    for leftover in (Path(f"{file}-wal"), Path(f"{file}-shm")):
        leftover.unlink()
    backup.replace(file)


def _copied_over(life: Life, backup: Path, file: Path) -> None:
    shutil.copyfile(backup, file)


def _restored_by_command(life: Life, backup: Path, file: Path) -> None:
    """As an operator does who does not stop the server first: the old file is put away, then the backup restored."""
    for old in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        old.replace(Path(f"{old}.away"))
    command = ["restore", str(backup), "--db", str(file), "--key-file", str(key_beside(life.log))]
    subprocess.run([*HOUSEWAY, *command], capture_output=True, check=False, cwd="/")


def wal_removed(life: Life) -> bool:
    """The log beside a SQLite file is deleted while the floor is served."""
    life.serve()
    life.play()
    Path(f"{life.url}-wal").unlink()
    since = time.monotonic()
    if life.plan.random() < 0.5:
        # Before it could save anything.
        life.kill()
        return judge(life, Seen(since), "start")
    return judge(life, leave(life, since), "start")


# ------------------------------------------------------------------------------------------------------------------ rot


def wal_rot(life: Life) -> bool:
    """After a kill one bit of the log is another."""
    life.serve()
    life.play()
    life.kill()
    log = Path(f"{life.url}-wal")
    flip(log, life.plan, 0, log.stat().st_size)
    return judge(life, Seen(time.monotonic()), "start")


def file_rot(life: Life) -> bool:
    """After a kill one byte of the file is another, where acknowledged entries lie."""
    life.serve()
    life.play()
    life.kill()
    file = Path(life.url)
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = read_tables(life.url)
    _flip_an_entry(file, life.plan, [line.hash for line in before.lines])
    return judge(life, Seen(time.monotonic()), "doctor", before)


def postgres_wal_rot(life: Life) -> bool:
    """The database server is killed, and one bit of what it wrote to its log since the last checkpoint is another."""
    postgres = _postgres(life)
    life.serve()
    postgres.checkpoint()
    began, first = postgres.log_place()
    life.play()
    life.kill()
    life.database.settle(life.url)
    log, last = postgres.log_place()
    postgres.kill()
    flip(log, life.plan, first if log == began else 0, last)
    postgres.start()
    return judge(life, Seen(time.monotonic()), "start")


def postgres_file_rot(life: Life) -> bool:
    """The database server is killed, and one byte of the journal's table is another."""
    postgres = _postgres(life)
    life.serve()
    life.play()
    life.kill()
    life.database.settle(life.url)
    before = read_tables(life.url)
    postgres.checkpoint()
    file = postgres.file_of(life.url, "journal")
    postgres.kill()
    _flip_an_entry(file, life.plan, [line.hash for line in before.lines])
    postgres.start()
    return judge(life, Seen(time.monotonic()), "doctor", before)


def flip(file: Path, rng: Random, first: int, last: int) -> None:
    """Turn one bit over, of the bytes from one place to before another."""
    place = rng.randrange(first, last)
    with file.open("r+b") as data:
        data.seek(place)
        byte = data.read(1)[0] ^ (1 << rng.randrange(8))
        data.seek(place)
        data.write(bytes([byte]))


def _flip_an_entry(file: Path, rng: Random, hashes: Sequence[str]) -> None:
    """Turn a bit over in the row of an entry: its hash is found in the file, the rest of the row is before it."""
    content = file.read_bytes()
    while (place := content.find(rng.choice(hashes).encode())) < 0:
        pass
    flip(file, rng, max(0, place - 600), place + 64)


# ------------------------------------------------------------------------------------------ servers that stand still


def pause(life: Life) -> bool:
    """A server of a SQLite floor stands still for a while; nobody else may write meanwhile."""
    life.serve()
    life.play()
    (server,) = life.servers
    server.signal(signal.SIGSTOP)
    try:
        other = Server(life.url, life.log)
        with suppress(Ended):
            other.serves()
        code = other.stop()
        if code not in REFUSALS:
            life.counts.find("doubled", f"a second server wrote to a file beside a paused one; it left with {code}")
    finally:
        server.signal(signal.SIGCONT)
    return _played_on(life)


def postgres_pause(life: Life) -> bool:
    """One of two servers stands still in the middle of a transaction: the other goes on, and nothing is done twice."""
    postgres = _postgres(life)
    life.serve(2)
    paused, other = life.servers
    for _ in range(10):
        life.play(0.05)
        paused.signal(signal.SIGSTOP)
        if postgres.holds_lock(life.url):
            break
        paused.signal(signal.SIGCONT)
    began = time.monotonic()
    paused.signal(signal.SIGSTOP)
    try:
        # What is on its way at the other one waits for the lock as well.
        with _alone(life, other):
            while not _records(life, other):
                pass
            took = time.monotonic() - began
            if took > OTHER_GOES_ON:
                life.counts.find("late", f"with one server paused the other recorded nothing for {took:.1f} s")
            life.play(0.2)
    finally:
        paused.signal(signal.SIGCONT)
    return _played_on(life)


@contextmanager
def _alone(life: Life, server: Server) -> Iterator[None]:
    """Give orders to one of the servers only."""
    all_, life.servers = life.servers, [server]
    try:
        yield
    finally:
        life.servers = all_


def _records(life: Life, server: Server) -> bool:
    """Whether a server records an order: somebody who signs in again."""
    server.signed_in.clear()
    server.sign_in("d1")
    server.until(lambda: "d1" in server.signed_in)
    return bool(server.signed_in["d1"]["ok"])


def _played_on(life: Life) -> bool:
    """It goes on as before: every order is answered, more are taken, and everything is there."""
    life.answered()
    life.play(life.plan.uniform(0.02, LONGEST / 2))
    life.kill()
    life.check()
    return True


# ----------------------------------------------------------------------------------------- databases that stand still


def slow(life: Life) -> bool:
    """Another process keeps a SQLite file locked for some seconds."""
    life.serve()
    life.play(life.plan.uniform(0.02, LONGEST / 2))
    began = time.monotonic()
    with closing(sqlite3.connect(life.url, isolation_level=None, timeout=10)) as other:
        other.execute("BEGIN IMMEDIATE")
        life.play(_hang(life.plan), may_end=True)
        other.execute("ROLLBACK")
    return _answered_in_time(life, began)


def postgres_slow(life: Life) -> bool:
    """The database server stands still for some seconds, with all its processes."""
    postgres = _postgres(life)
    life.serve(life.plan.choice((1, 2)))
    life.play(life.plan.uniform(0.02, LONGEST / 2))
    began = time.monotonic()
    with postgres.stopped():
        life.play(_hang(life.plan), may_end=True)
    return _answered_in_time(life, began)


def _hang(rng: Random) -> float:
    return LONG_HANG if rng.random() < 0.05 else rng.uniform(0.3, 2.5)


def _answered_in_time(life: Life, began: float) -> bool:
    for server in life.servers:
        with suppress(Ended):
            server.answered()
    slowest = max(
        (attempt.answered - attempt.at for attempt in _attempts_since(life, began) if attempt.answer), default=0.0
    )
    if slowest > DEADLINE:
        life.counts.find("late", f"{life.counts.now}: an order was answered after {slowest:.1f} s")
    life.kill()
    life.check()
    return True


def _attempts_since(life: Life, moment: float) -> list[Attempt]:
    return [attempt for tries in life.attempts.values() for attempt in tries if attempt.at > moment]


# -------------------------------------------------------------------------------------------------------- failing syncs


def failing_syncs(life: Life) -> bool:
    """Every fsync of a server on SQLite answers EIO for a while: nothing is acknowledged that was not synced."""
    syncs = Syncs()
    try:
        life.serve(1, Manner(syncs=syncs))
        life.play()
        _fail(life, syncs)
        _settled(life)
    finally:
        life.kill()
        syncs.close()
    life.check()
    return True


def postgres_failing_syncs(life: Life) -> bool:
    """The same under the database server, which gives up and recovers when it can."""
    postgres = _postgres(life)
    syncs = Syncs()
    try:
        postgres.again(syncs)
        life.serve(life.plan.choice((1, 2)))
        life.play()
        _fail(life, syncs)
        # It has given up; another one takes over its files.
        postgres.kill()
        postgres.start()
        _settled(life)
    finally:
        life.kill()
        syncs.close()
    life.check()
    return True


def _fail(life: Life, syncs: Syncs) -> None:
    """Have all syncs fail for a while."""
    syncs.failing = True
    since = time.monotonic()
    try:
        life.play(life.plan.uniform(0.1, 0.4), may_end=True)
        for server in life.servers:
            with suppress(Ended):
                server.take(0.1)
        before = {
            order
            for order, tries in life.attempts.items()
            if any(earlier.done and earlier.at <= since for earlier in tries)
        }
        for attempt in _attempts_since(life, since):
            # A repetition is answered with what was recorded before.
            if attempt.done and attempt.sent.id not in before:
                life.counts.find("unnoticed", f"order {attempt.sent.id} was acknowledged while no sync succeeded")
    finally:
        syncs.failing = False


def _settled(life: Life) -> None:
    """With the database in order again, every order has its answer, unless its server has ended, and more are given."""
    for server in life.servers:
        with suppress(Ended):
            server.answered()
    life.play(life.plan.uniform(0.02, LONGEST / 2), may_end=True)


# --------------------------------------------------------------------------------------------------------------- clocks


def clock_jump(life: Life) -> bool:
    """The wall clock of a server jumps by days, and comes back a moment later; or it was wrong from the start."""
    if life.plan.random() < RARER:
        return _clock_wrong_at_start(life)
    life.serve(1, Manner(planted="clock", jump=life.plan.choice(JUMPS)))
    life.play(life.plan.uniform(0.02, LONGEST / 2))
    (server,) = life.servers
    server.signal(signal.SIGUSR1)
    life.play(life.plan.uniform(0.1, 0.4), may_end=True)
    server.signal(signal.SIGUSR1)
    life.play(life.plan.uniform(0.1, 0.4), may_end=True)
    return _right_moments(life)


def _clock_wrong_at_start(life: Life) -> bool:
    """A server is started with a wall clock that is days wrong."""
    life.start(1, Manner(planted="wrong clock", jump=life.plan.choice(JUMPS)))
    (server,) = life.servers
    with suppress(Ended):
        server.serves()
        server.sign_in(FIRST)
        server.until(lambda: FIRST in server.signed_in)
    life.play(life.plan.uniform(0.1, 0.4), may_end=True)
    return _right_moments(life, refused=not server.signed_in.get(FIRST, {"ok": False})["ok"])


def _right_moments(life: Life, *, refused: bool = False) -> bool:
    """No entry carries a moment that only a wrong clock showed; where the floor wrote that down, it was noticed."""
    known = max((entry.seq for entry in life.entries.values()), default=0)
    life.kill()
    life.check()
    now = time.time_ns() // 1_000
    lines = read_tables(life.url).lines
    wrong = [line.seq for line in lines if abs(line.at - now) > WRONG_MOMENT]
    if wrong:
        life.counts.find(
            "unnoticed", f"{len(wrong)} entries from {wrong[0]} on carry a moment that a wrong clock showed"
        )
    elif refused or any(line.order.startswith(CLOCK) for line in lines if line.seq > known):
        life.counts.noticed[life.counts.now, "server"] += 1
    return not wrong


# ------------------------------------------------------------------------------------------------------------ the whole


def _postgres(life: Life) -> PostgresServer:
    if not isinstance(life.database, PostgresServer):
        raise TypeError("this happens to PostgreSQL only")
    return life.database


EVENTS: Final[dict[str, dict[str, Event]]] = {
    "sqlite": {
        "kill": kill,
        "restore": restore,
        "wal removed": wal_removed,
        "wal rot": wal_rot,
        "file rot": file_rot,
        "pause": pause,
        "slow": slow,
        "failing syncs": failing_syncs,
        "clock": clock_jump,
    },
    "postgres": {
        "kill": kill,
        "database kill": database_kill,
        "failover": failover,
        "wal rot": postgres_wal_rot,
        "file rot": postgres_file_rot,
        "pause": postgres_pause,
        "slow": postgres_slow,
        "failing syncs": postgres_failing_syncs,
        "clock": clock_jump,
    },
}


def rotation(database: str, rng: Random, only: Sequence[str] = ()) -> Iterator[str]:
    """The kinds of events without end, each round of them in another order: every kind once, kills several times.

    The first round has one kill, so that a short run sees every kind.
    """
    kinds = [kind for kind in EVENTS[database] if not only or kind in only]
    if not can_fail_syncs():
        kinds.remove("failing syncs")
    deck = kinds
    while True:
        yield from rng.sample(deck, len(deck))
        deck = kinds + ["kill"] * (MANY_KILLS - 1 if "kill" in kinds and not only else 0)
