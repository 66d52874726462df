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

from houseway.manager.floor import Floor
from houseway.manager.state import STATE_FORMAT, FloorState, load_state
from houseway.manager.store import open_store
from houseway.manager.store.base import Snapshot
from houseway.refusal import Refusal

SCHEMA_OF_FORMAT = {1: "5ca754db73be58d9", 2: "1dbf9d96b976d0be", 3: "d2f0fdf408a289b9"}
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
    store.save_snapshot(Snapshot(kept.seq, kept.hash, body))
    store.commit()


def test_a_snapshot_of_another_format_is_not_used_and_is_written_anew(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.coin_in("T1", 1, 2)
    right = house.floor.state
    replaced(house, {"format": STATE_FORMAT + 1, "tables": {}, "links": {}})
    assert load_state(house.store) == right
    house.store.close()
    store = open_store(str(house.file))
    floor = Floor(store, keys=KEYS, threaded=False)
    assert floor.state == right
    kept = store.snapshot()
    assert kept is not None
    assert json.loads(kept.body)["format"] == STATE_FORMAT
    floor.close()


def test_a_damaged_snapshot_is_refused_in_one_sentence(tmp_path: Path) -> None:
    house = House(tmp_path)
    replaced(house, None)
    with pytest.raises(Refusal, match="damaged"):
        load_state(house.store)
