"""The service without screens, and several who write at once: every answer right, one transaction for many."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.keys import KEYS
from tests.manager.floor_kit import House
from tests.staff_kit import PIN

from houseway.books.verify import verify
from houseway.commands.service import Service
from houseway.manager.floor import Floor
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.state import FloorState, caught_up
from houseway.manager.store import open_store
from houseway.table.progressive_round.commands import LockIn


def served(folder: Path, ask: Callable[[dict[str, Any], dict[str, Any]], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The answers of a service on a new floor; ``ask`` says what to send, given its two people's sign-ins."""
    config = read_floor(example_floor().encode(), "floor.toml", folder).config
    assert config is not None
    floor = Floor(open_store(str(folder / "floor.db")), keys=KEYS)
    manager, executive = floor.found(config)
    for one in (manager, executive):
        floor.set_pin(one.card, one.secret, PIN)
    said: list[dict[str, Any]] = []
    service = Service(floor, lambda text: said.append(json.loads(text)))
    tokens = []
    for one in (manager, executive):
        signing = {"op": "sign_in", "id": "in", "card": one.card, "pin": PIN}
        service.take(json.dumps(signing).encode())
        while not said:
            pass
        tokens.append(said.pop())
    for request in ask(*tokens):
        before = len(said)
        service.take(json.dumps(request).encode())
        while len(said) == before:
            pass
    service.serve([])
    findings = verify(floor.store)
    floor.close()
    assert findings.bad == ()
    return said


def test_orders_by_lines(tmp_path: Path) -> None:
    seed = {"type": "seed_meter", "link": "three-card", "meter": "main"}
    person = {"staff": "lee", "name": "Lee", "role": "dealer", "card": "7"}

    def asked(first: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
        assert (first["ok"], first["role"], other["role"]) == (True, "manager", "executive")
        token, second = first["token"], other["token"]
        return [
            {"op": "do", "id": "1", "token": token, "command": seed},
            {"op": "do", "id": "1", "token": token, "command": seed},
            {"op": "do", "id": "1", "token": token, "command": {**seed, "link": "stud"}},
            {"op": "do", "id": "2", "token": token, "command": {"type": "lock_in", "table": "TCP-1"}},
            {"op": "do", "id": "3", "token": "somebody else's", "command": seed},
            {"op": "enroll", "id": "4", "token": token, "second": second, **person},
            {"op": "enroll", "id": "4", "token": token, "second": second, **person},
            {"op": "set_pin", "id": "7", "card": "7", "pin": "not the code", "new_pin": "4711"},
            {"op": "do", "id": "5", "token": token, "command": {"type": "sign_in", "card": "7", "fits": ""}},
            {"op": "view", "id": "6"},
        ]

    once, again, other, role, stranger, enrolled, enrolled_again, unset, smuggled, view = served(tmp_path, asked)
    assert (once["ok"], once["repeated"], again["repeated"], again["entry"]) == (True, False, True, once["entry"])
    assert (other["ok"], other["field"]) == (False, "id")
    assert (role["ok"], role["field"]) == (False, "by")
    assert (stranger["ok"], stranger["field"]) == (False, "token")
    assert enrolled["ok"]
    assert enrolled_again["entry"] == enrolled["entry"]
    assert (enrolled["card"], len(enrolled["code"]), "code" in enrolled_again) == ("7", 10, False)
    assert (unset["ok"], unset["field"]) == (False, "card")
    assert (smuggled["ok"], smuggled["field"]) == (False, "line")
    assert [link["meters"][0]["cents"] for link in view["floor"]["links"] if link["id"] == "three-card"] == [100_000]


def test_many_threads_write_each_order_once_and_a_refused_one_is_refused_alone(tmp_path: Path) -> None:
    house = House(tmp_path, tables=8)
    house.store.close()
    floor = Floor(open_store(str(house.file)), keys=KEYS, clock=house.clock)
    tables = [f"T{number}" for number in range(1, 9)]

    def press(number: int) -> bool:
        from houseway.manager.commands import Order

        table = tables[number % 8] if number % 5 else "nowhere"
        order = Order(id=f"press {number}", by="d1", command=LockIn(table=table, lit=(1, 2)))
        return floor.submit(order).exception() is None if number % 2 else _handled(floor, order)

    with ThreadPoolExecutor(16) as pool:
        done = list(pool.map(press, range(160)))
    assert [number for number in range(160) if not done[number]] == [number for number in range(160) if number % 5 == 0]
    assert caught_up(FloorState(), floor.store) == floor.state
    assert all(floor.state.tables[table].round.booked == (1, 2) for table in tables)
    assert verify(floor.store).bad == ()
    floor.close()


def _handled(floor: Floor, order: Any) -> bool:
    from houseway.refusal import Refusal

    try:
        floor.handle(order)
    except Refusal:
        return False
    return True


WRITER = """
import sys
from tests.keys import KEYS
from houseway.manager.commands import Order
from houseway.manager.clock import system_clock
from houseway.manager.floor import Floor
from houseway.manager.store import open_store
from houseway.table.progressive_round.commands import CloseRound, LockIn
floor = Floor(open_store(sys.argv[1]), keys=KEYS, clock=system_clock)
for number in range(40):
    for table in sys.argv[3:]:
        for name, command in (("in", LockIn(table=table, lit=(1, 3))), ("out", CloseRound(table=table))):
            floor.handle(Order(id=f"{sys.argv[2]} {table} {number} {name}", by="d1", command=command))
floor.close()
"""


def test_several_processes_serve_one_postgresql_floor_and_no_meter_loses_or_doubles(
    tmp_path: Path, new_postgres: Callable[[], str]
) -> None:
    house = House(tmp_path, tables=4)
    url = new_postgres()
    from houseway.manager.store import restore

    house.store.backup(tmp_path / "backup.db")
    restore(tmp_path / "backup.db", url)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, url, f"w{place}", *tables])
        for place, tables in enumerate((("T1", "T2"), ("T3", "T4")))
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    store = open_store(url, create=False)
    floor = Floor(store, keys=KEYS, threaded=False)
    wagers = 2 * 40 * 4
    terms = floor.state.links["L1"].now
    rise = wagers * terms.wager_cents * terms.meters["main"].contribution_bp
    assert floor.state.links["L1"].meters["main"].value == house.floor.state.links["L1"].meters["main"].value + rise
    assert verify(store).bad == ()
    floor.close()
