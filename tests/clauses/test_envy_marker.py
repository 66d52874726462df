"""The envy marker of a Fortune wager, as every screen has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.table.table_kit import Opener, rooms

from houseway.table.card_round.view import Viewer

VIEWERS: tuple[Viewer, ...] = ("player", "dealer", "surveillance", "display")


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


@pytest.mark.clause("PGF-2")
@pytest.mark.parametrize(
    ("table", "cents", "marked"), [("1", 500, True), ("1", 400, False), ("2", 500, False), ("1", 0, False)]
)
def test_a_fortune_wager_of_five_dollars_has_an_envy_marker_on_every_screen_at_once(
    open_room: Opener, table: str, cents: int, marked: bool
) -> None:
    room = open_room("six-card-pai-gow", pays={"fortune": table})
    room.bets({1: {"base": 1000, **({"fortune": cents} if cents else {})}, 2: {"base": 1000}})
    seen = [(room.spot(1, viewer, "p2").envy_marker, room.spot(2, viewer, "p2").envy_marker) for viewer in VIEWERS]
    assert seen == [(marked, False)] * len(VIEWERS), "from the moment it is placed, for everybody"
    if marked:
        room.bet(1, "fortune", 0)
        assert not room.spot(1).envy_marker, "it goes with the wager"
