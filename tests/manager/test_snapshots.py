"""A start reads the last snapshot and what came after it; one that is not of this program's words is not trusted."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.keys import KEYS
from tests.manager.floor_kit import House

from houseway.manager.codes import Codes
from houseway.manager.floor import Floor
from houseway.manager.state import STATE_FORMAT, FloorState, load_state
from houseway.manager.store import open_store
from houseway.manager.store.base import Snapshot

SCHEMA_OF_FORMAT = {
    1: "5ca754db73be58d9",
    2: "1dbf9d96b976d0be",
    3: "d2f0fdf408a289b9",
    4: "76f98fa0395c8b05",
    5: "5da47d944b953d1c",
    6: "3dd97a94120dde3e",
    7: "e68048a2a0dba52d",
    8: "269178f56949b629",
    9: "8725b50a610ef83e",
    10: "f0504c36e755d625",
    11: "66e19c5c90581feb",
}
"""What the state holds in each format. Another digest: raise STATE_FORMAT in manager/state.py, and add a line here."""


def test_what_the_state_holds_has_a_format_of_its_own() -> None:
    schema = json.dumps(_shape(msgspec.json.schema(FloorState)), sort_keys=True, default=str)
    assert hashlib.sha256(schema.encode()).hexdigest()[:16] == SCHEMA_OF_FORMAT[STATE_FORMAT]


def _shape(schema: Any) -> Any:
    """A schema without its words for people."""
    if isinstance(schema, dict):
        return {key: _shape(value) for key, value in schema.items() if key != "description"}
    return [_shape(value) for value in schema] if isinstance(schema, list) else schema


def replaced(house: House, change: dict[str, object] | None) -> None:
    """Put another snapshot in place of the floor's: with some fields changed, or with no sense in it."""
    store = house.store
    kept = store.snapshot()
    assert kept is not None
    body = b"{" if change is None else json.dumps({**json.loads(kept.body), **change}).encode()
    store.begin()
    store.save_snapshot(Codes(KEYS).sealed(Snapshot(kept.seq, kept.hash, body)))
    store.commit()


def test_a_snapshot_of_another_format_is_not_used_and_is_written_anew(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.coin_in("T1", 1, 2)
    right = house.floor.state
    replaced(house, {"format": STATE_FORMAT + 1, "tables": {}, "links": {}})
    assert load_state(house.store, KEYS) == right
    house.store.close()
    store = open_store(str(house.file))
    floor = Floor(store, keys=KEYS, threaded=False)
    assert floor.state == right
    kept = store.snapshot()
    assert kept is not None
    assert json.loads(kept.body)["format"] == STATE_FORMAT
    floor.close()


def test_a_snapshot_is_used_with_the_keys_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the floor saved it, nothing before it is read again; without keys nobody can say, so all is read."""
    house = House(tmp_path)
    house.restart()
    read: list[int] = []
    entries = house.store.entries
    monkeypatch.setattr(house.store, "entries", lambda after=0, until=None: read.append(after) or entries(after, until))
    assert load_state(house.store, KEYS) == load_state(house.store) == house.state
    assert read == [house.state.seq, 0]


def test_a_damaged_snapshot_is_thrown_away(tmp_path: Path) -> None:
    """It is a cache: the journal has everything."""
    house = House(tmp_path)
    right = house.state
    replaced(house, None)
    assert load_state(house.store, KEYS) == right
