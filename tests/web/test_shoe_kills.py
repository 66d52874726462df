"""A server is killed in the middle of a shoe: the shoe, its promise, its roads and the place in it stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.stream_kit import journal_of
from tests.web.web_kit import Server, make_floor

from houseway.games.baccarat import GAME
from houseway.manager.floor import Floor
from houseway.manager.floor_file import demonstration_floor
from houseway.manager.keyring import Keyring
from houseway.manager.store import open_store
from houseway.table.card_round.events import CardDrawn, PacketDealt
from houseway.table.commitment import opens

TABLE = "V-BA"
FLOOR = Path(__file__).with_name("shoe_floor.toml").read_text("utf-8")
KEPT = ("round", "stage", "board", "sides", "shoe", "commitment", "deck", "spots")
"""What everybody sees of a round, and must see again."""


class ShoeTable:
    """A server that is killed, with a dealer and a player at its baccarat table."""

    def __init__(self, folder: Path, database: str) -> None:
        self.server = Server(make_floor(folder, database, demonstration_floor()), database).start()
        self.dealer = self.server.sign_in("2001")
        self.player = self.server.player("ann", self.dealer)
        self.player.order(f"tables/{TABLE}/sit-down", spot=1, player="ann")

    def seen(self) -> dict[str, Any]:
        play = self.dealer.get(f"tables/{TABLE}")["play"]
        return {name: play[name] for name in KEPT}

    def bet(self) -> None:
        self.player.order(f"tables/{TABLE}/bet", spot=1, wager="banker", cents=1000)

    def press_until(self, *stages: str) -> None:
        """The dealer's next press, again and again, until the round has come to one of these stages."""
        while True:
            press = self.dealer.get(f"tables/{TABLE}")["next_press"]
            self.dealer.order(f"tables/{TABLE}/{press['command'].replace('_', '-')}", **press["body"])
            if self.seen()["stage"] in stages:
                return

    def kill(self) -> None:
        before = self.seen()
        self.server.kill()
        self.server.start()
        assert self.seen() == before


@pytest.mark.clause("BA-1", "BA-11", "TR-11")
def test_a_kill_changes_nothing_of_a_shoe_and_the_cards_after_it_are_those_promised(
    tmp_path: Path, database: str
) -> None:
    table = ShoeTable(tmp_path, database)
    promise = table.seen()["commitment"]
    table.kill()  # promised, and no card out
    table.bet()
    table.press_until("turning", "revealing")
    table.kill()  # cards out
    table.press_until("betting")
    table.kill()  # between two rounds
    table.bet()
    table.press_until("reconciling")
    table.kill()  # the round is won, and not on the layout any more
    table.press_until("betting")
    last = table.seen()
    assert (len(last["shoe"]["bead_road"]), last["commitment"]) == (2, promise)
    assert table.server.stop() == 0

    floor = Floor(open_store(database), keys=Keyring.load(tmp_path / "houseway.key"))
    try:
        shoe = floor.state.tables[TABLE].shoe
        assert shoe is not None
        deck = floor.shoe.deck(shoe.sealed, TABLE, shoe.round, GAME.deck * 8, shoe.player_seeds, 0)
    finally:
        floor.close()
    assert opens(promise, bytes.fromhex(deck.seed), table=TABLE, round=shoe.round)
    dealt: dict[int, Any] = {}
    for event in (event for entry in journal_of(database) for event in entry.events):
        if isinstance(event, PacketDealt):
            dealt |= {event.first + place: card for place, card in enumerate(event.cards)}
        elif isinstance(event, CardDrawn):
            dealt[event.first] = event.card
    assert [dealt[place] for place in range(len(dealt))] == list(deck.order[: len(dealt)])
    assert shoe.out == len(dealt) >= 8
    assert last["shoe"]["left"] == 416 - len(dealt)
