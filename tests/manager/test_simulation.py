"""A floor played by seed, with every invariant looked at after every command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from tests.manager.simulation import SEEDS, SIX_GAMES, quiet, simulate, simulate_all
from tests.table.card_floor import OF_BOARD_OR_SHOE

from houseway.manager.events import (
    AnyManagerEvent,
    ClockConfirmed,
    ClockDoubted,
    ClockRepaired,
    ClockTrusted,
    DeviceIssued,
    DeviceRevoked,
    PlayerAdmitted,
    PlayerEntered,
    Restored,
    SignedOut,
)
from houseway.table.card_round.events import AnyPlayEvent
from houseway.table.progressive_round.commands import AnyTableCommand
from houseway.table.progressive_round.events import AnyTableEvent

ROOT = Path(__file__).parents[2]
CHUNK = 10
RARE = {
    *("MalfunctionRecorded", "PayoutVerified", "SignedOver", "DeckStacked"),
    # Decks and decisions of rounds before TR-11: no new round has them.
    *("DeckCommitted", "SpotDecided"),
}
OF_THE_NETWORK = (DeviceIssued, DeviceRevoked, PlayerAdmitted, PlayerEntered, SignedOut)
OF_THE_BOOKS = (ClockConfirmed, ClockDoubted, ClockRepaired, ClockTrusted, Restored)
MONEY_CLAUSES = ("PR-2", "PR-4", "PR-5", "PR-7", "PR-11", "PR-14", "PR-15", "PR-16", "PR-17", "PR-20", "PR-23", "PR-32")


@pytest.mark.clause(*MONEY_CLAUSES, "PR-38")
@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_a_floor_holds_whatever_people_and_disks_do(first: int) -> None:
    simulate_all(range(first, first + CHUNK))


@pytest.mark.clause(*MONEY_CLAUSES, "PR-38")
@pytest.mark.parametrize("first", range(400, 430, CHUNK))
def test_two_servers_of_one_floor_agree_entry_for_entry(first: int) -> None:
    """Each is behind the other until its next order; both tell of every entry once, in order."""
    seen = simulate_all(range(first, first + CHUNK), servers=2).seen
    assert seen["overtaken"] > CHUNK


@pytest.mark.clause("PR-24", "PR-38")
@pytest.mark.parametrize("seed", [461, 462])
def test_two_servers_agree_on_postgresql(seed: int, new_postgres: Callable[[], str], tmp_path: Path) -> None:
    with quiet():
        seen = simulate(seed, tmp_path, servers=2, commands=150, url=new_postgres()).seen
    assert seen["overtaken"] > 1


@pytest.mark.clause("PR-24", "PR-38")
@pytest.mark.parametrize(("replacement", "servers"), [("file", 1), ("log", 1), ("database", 2)])
def test_a_floor_whose_database_is_replaced_takes_nothing_more(replacement: str, servers: int) -> None:
    """An older file under the same name, a deleted log, an older copy that answers and that another server goes on."""
    seen = simulate_all(range(470, 480), servers=servers, replacement=replacement, commands=60).seen
    assert seen["replaced"] == 10


SIX_GAMES_PLAYED = {f"{meter} at {game}" for meter in ("mega", "major", "minor") for game in SIX_GAMES}


@pytest.mark.clause("FV-2", "FL-16", "PR-38")
def test_six_games_share_mega_major_and_minor_and_nothing_is_lost() -> None:
    """Faults and restarts as everywhere; every game won on the link's meters, and the postings agree throughout."""
    assert len(SIX_GAMES) == 6
    seen = simulate_all(range(500, 508), six_games=True, commands=400).seen
    assert {name.rpartition(" at ")[2] for name in SIX_GAMES_PLAYED & seen.keys()} == set(SIX_GAMES)
    assert seen["restarts"]


@pytest.mark.long
@pytest.mark.clause("FV-2", "FL-16", "PR-38")
@pytest.mark.parametrize("first", range(4_000, 4_400, 5 * CHUNK))
def test_four_hundred_floors_with_six_games_on_a_link_hold(first: int) -> None:
    seen = simulate_all(range(first, first + 5 * CHUNK), six_games=True, servers=1 + first // (5 * CHUNK) % 2).seen
    assert seen.keys() >= SIX_GAMES_PLAYED


@pytest.mark.long
@pytest.mark.clause(*MONEY_CLAUSES, "PR-38")
@pytest.mark.parametrize("first", range(1_000, 3_000, 5 * CHUNK))
def test_two_thousand_floors_hold(first: int) -> None:
    simulate_all(range(first, first + 5 * CHUNK), servers=1 + first // (5 * CHUNK) % 2)


def test_in_the_simulation_everything_happens() -> None:
    seen = simulate_all(range(305, 315), commands=700).seen
    events = {event.__name__ for event in (*get_args(AnyTableEvent), *get_args(AnyManagerEvent))}
    # Players' codes and devices' tokens move no money: tests/manager/test_people.py and tests/web try them.
    events -= {event.__name__ for event in OF_THE_NETWORK}
    # A floor of the simulation has its clock and its files for itself: tests/books tries both with real ones.
    events -= {event.__name__ for event in OF_THE_BOOKS}
    # Rare ones of a round with cards are left to the random walk over tables, which comes to all of them.
    events |= {event.__name__ for event in get_args(AnyPlayEvent)} - RARE
    events -= {event.__name__ for event in OF_BOARD_OR_SHOE}
    assert events <= set(seen), f"never seen: {events - set(seen)}"
    assert {"repeated", "refused", "faults", "caught up", "restarts"} <= set(seen)
    # A mixture that is mostly refused would prove little.
    assert seen["done"] > seen["refused"]
    assert seen["WinPaid"] > len(get_args(AnyTableCommand))


def test_a_seed_is_played_again_to_the_last_letter() -> None:
    """In another process, where sets and dictionaries of text have another order."""
    played = simulate_all([7], commands=120)
    again = subprocess.run(
        [sys.executable, "-m", "tests.manager.simulation", "--seed", "7", "--commands", "120"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert again.stdout.splitlines()[-1] == played.hash
