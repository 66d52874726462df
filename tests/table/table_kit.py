"""A room whose tables play with cards, in a few words, so that a test of the table reads like the rule book.

    room = Room(tmp_path, "three-card-poker")
    room.bets({1: {"ante": 1000}, 2: {"ante": 1000, "pair_plus": 500}})
    room.call()
    room.cards({1: "As Ks Qs", 2: "2h 7d 9c", 0: "Qd 8c 4h"})
    room.act(1, "play")

It is a real floor on a real SQLite file. At a virtual table the shoe deals the hands a test asks for, whatever follows
from the seeds; at a physical one the dealer enters them. Amounts are cents. Spot 0 is the dealer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace as copied
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.keys import KEYS
from tests.manager.floor_kit import ZONE, Clock, House, bp, pay_table

from houseway.cards import Card, read_cards
from houseway.games import Game, all_games, approved_book
from houseway.games.flow import packet_size, targets
from houseway.manager import commands as office
from houseway.manager.config import FloorConfig, LinkConfig
from houseway.manager.entry import Entry
from houseway.manager.floor import Floor
from houseway.manager.shoe import SealingShoe
from houseway.manager.store import open_store
from houseway.paytables import PayTable
from houseway.progressive.terms import MeterTerms, Terms
from houseway.table.card_round import commands as ask
from houseway.table.card_round.cards import opened
from houseway.table.card_round.decide import Felt
from houseway.table.card_round.state import Hand, Play
from houseway.table.card_round.view import PlayView, SpotView, Viewer, Who, stage_of, view
from houseway.table.commitment import Shuffled
from houseway.table.config import Console, Limits, Policies, TableConfig
from houseway.table.progressive_round.commands import LockIn
from houseway.table.progressive_round.decide import Context

KEY: Final = b"a key that only this test knows."


class StackedShoe(SealingShoe):
    """A shoe that cheats: its next deck lies as it was told; what was not told comes in the order of a new pack."""

    def __init__(self) -> None:
        super().__init__(KEY, entropy=Random(1).randbytes)
        self.on_top: tuple[Card, ...] = ()
        self.start = 1

    def _shuffled(
        self,
        cards: tuple[Card, ...],
        seed: bytes,
        player_seeds: Mapping[int, str],
        positions: int,
        *,
        table: str,
        round: int,
    ) -> Shuffled:
        rest = list(cards)
        for card in self.on_top:
            rest.remove(card)
        order = (*self.on_top, *rest)
        return Shuffled(order, self.start if positions else 0)


class Room(House):
    """A floor with table T1, its link L1 where it plays a progressive, and the staff of a house."""

    def __init__(
        self,
        folder: Path,
        game: str = "caribbean-stud",
        *,
        kind: Any = "virtual",
        console: Console = "touch",
        progressive: str | None = None,
        linked: bool = True,
        spots: int = 6,
        tables: int = 1,
        contribution: str = "70%",
        reserve: str = "0%",
        seed: int = 10_000_00,
        options: Mapping[str, Any] | None = None,
        limits: Mapping[str, tuple[int, int]] | None = None,
        dealing: str = "",
        without_tables: tuple[str, ...] = (),
        pays: Mapping[str, str] | None = None,
        at: str = "2026-03-01 20:00",
        **policies: Any,
    ) -> None:
        self.file = folder / "floor.db"
        self.clock = Clock(at)
        self.shoe = StackedShoe()
        self._numbers = count(1)
        played = all_games()[game]
        linked = linked and played.progressive is not None
        names = tuple(f"T{number}" for number in range(1, tables + 1))
        settings: dict[str, Any] = {
            "game": game,
            "console": console,
            "spots": min(spots, played.most_spots),
            "link": "L1" if linked else "",
            "kind": kind,
            "dealing": dealing,
            "tables": {
                wager: table for wager, table in _tables(played, pays or {}).items() if wager not in without_tables
            },
            "options": {**played.defaults, **(options or {})},
            "second_spot_envies": played.second_spot_envies,
            "limits": {
                wager: Limits(minimum_cents=low, maximum_cents=high) for wager, (low, high) in (limits or {}).items()
            },
        }
        links: tuple[LinkConfig, ...] = ()
        if linked:
            terms = _terms(progressive or _first_progressive(played), played, contribution, reserve, seed)
            links = (LinkConfig(id="L1", name="Link L1", tables=names, terms=terms),)
        self.config = FloorConfig(
            policies=Policies(site="Test house", jurisdiction="none", time_zone=ZONE, **policies),
            tables=tuple(TableConfig(id=name, **settings) for name in names),
            links=links,
        )
        self._make()
        self._found()
        for link in links:
            for meter in link.terms.meters:
                self.do("m1", office.SeedMeter(link=link.id, meter=meter))

    def _open(self) -> None:
        self.store = open_store(str(self.file))
        self.floor = Floor(self.store, keys=KEYS, clock=self.clock, threaded=False, shoe=self.shoe)

    # ---------------------------------------------------------------------------------------------- before the cards

    def player(self, spot: int, table: str = "T1") -> str:
        """Who acts for a spot: its player at a virtual table (TR-8), the dealer at a real one."""
        here = self.state.tables[table]
        hand = here.round.play.hands.get(spot)
        name = here.seats.get(spot) or (hand.player if hand else f"p{spot}")
        return f"player/{name}" if here.config.kind == "virtual" else "d1"

    def sit(self, *spots: int, table: str = "T1") -> None:
        """Players p1, p2, … at these spots, those who do not sit there yet."""
        for spot in spots:
            if spot not in self.state.tables[table].seats:
                self.do(self.player(spot, table), ask.SitDown(table=table, spot=spot, player=f"p{spot}"))

    def bet(self, spot: int, wager: str, cents: int, *, table: str = "T1", by: str = "") -> Entry:
        return self.do(by or self.player(spot, table), ask.Bet(table=table, spot=spot, wager=wager, cents=cents))

    def bets(self, wagers: Mapping[int, Mapping[str, int]], *, table: str = "T1") -> None:
        """Players sit down and bet; progressive=1 stands for the wager of the link."""
        for spot, made in wagers.items():
            self.sit(spot, table=table)
            for wager, cents in made.items():
                whole = self.link().now.wager_cents if wager == "progressive" else cents
                self.bet(spot, wager, whole, table=table)

    def call(self, *, table: str = "T1") -> Entry:
        """ "No more bets"; then COIN IN / START GAME where the table plays a progressive."""
        called = self.no_more_bets(table=table)
        if self.state.tables[table].config.link:
            self.lock(table=table)
        return called

    def no_more_bets(self, *, table: str = "T1", by: str = "d1") -> Entry:
        return self.do(by, ask.NoMoreBets(table=table))

    def lock(self, *, table: str = "T1", by: str = "d1") -> Entry:
        return self.do(by, LockIn(table=table))

    # ----------------------------------------------------------------------------------------------------- the cards

    def stack(self, hands: Mapping[int, str], *, start: int = 1, table: str = "T1") -> None:
        """The next deck brings these hands; whoever is not named gets what is left."""
        state = self.state.tables[table]
        game = all_games()[state.config.game]
        whom = targets(game, tuple(state.round.play.hands), state.config.options, start)
        told = {spot: read_cards(cards) for spot, cards in hands.items()}
        taken = {card for cards in told.values() for card in cards}
        rest = (card for card in game.deck if card not in taken)
        on_top: list[Card] = []
        for target in whom:
            size = packet_size(game, target)
            on_top += told.get(target) or [next(rest) for _ in range(size)]
        self.shoe.on_top, self.shoe.start = tuple(on_top), start

    def press(self, packets: int = 1, *, table: str = "T1", by: str = "d1") -> Entry:
        """The green button."""
        return self.do(by, ask.Deal(table=table, packets=packets))

    def enter(self, spot: int, cards: str, *, hands: int = 0, table: str = "T1", by: str = "d1") -> Entry:
        return self.do(by, ask.EnterCards(table=table, spot=spot, cards=cards, hands=hands))

    def cards(self, hands: Mapping[int, str], *, start: int = 1, table: str = "T1") -> None:
        """These hands are on the table: dealt by the shoe, or entered by the dealer."""
        if self.state.tables[table].config.kind == "virtual":
            self.stack(hands, start=start, table=table)
            self.press(0, table=table)
            return
        for spot in sorted(hands, key=lambda one: one or 99):
            self.enter(spot, hands[spot], table=table)

    # --------------------------------------------------------------------------------------- decisions and the rest

    def act(self, spot: int, action: str, *, card: str = "", cents: int = 0, table: str = "T1", by: str = "") -> Entry:
        command = ask.Act(table=table, spot=spot, action=action, card=card, cents=cents)
        return self.do(by or self.player(spot, table), command)

    def leave(self, spot: int, *, table: str = "T1", by: str = "d1") -> Entry:
        return self.do(by, ask.StandUp(table=table, spot=spot))

    def time_up(self, spot: int, *, table: str = "T1") -> Entry:
        return self.do("d1", ask.TimeUp(table=table, spot=spot))

    def reveal(self, *, table: str = "T1", by: str = "d1") -> Entry:
        """Turn the dealer's cards over, once what folded spots gave up is collected."""
        if stage_of(self.felt(table)) == "collecting":
            self.collect(table=table, by=by)
        return self.do(by, ask.Reveal(table=table))

    def collect(self, spot: int = 0, *, table: str = "T1", by: str = "d1") -> Entry:
        return self.do(by, ask.Collect(table=table, spot=spot))

    def reconcile(self, spot: int = 0, *, table: str = "T1", by: str = "d1") -> Entry:
        return self.do(by, ask.Reconcile(table=table, spot=spot))

    def reconcile_all(self, *, table: str = "T1") -> None:
        while self.state.tables[table].round.play.steps:
            self.reconcile(table=table)

    def sign_over(self, to: str, *, table: str = "T1", by: str = "d1") -> Entry:
        return self.do(by, ask.SignOver(table=table, to=to))

    def fault(self, step: str, note: str = "", *, table: str = "T1", by: str = "d1") -> Entry:
        return self.do(by, ask.MalfunctionStep(table=table, step=step, note=note))

    # ------------------------------------------------------------------------------------------- what stands where

    def game(self, table: str = "T1") -> Game:
        return all_games()[self.state.tables[table].config.game]

    def play(self, table: str = "T1") -> Play:
        """The round with its cards, as the shoe has them."""
        return opened(self.state.tables[table], self.floor.shoe).round.play

    def hand(self, spot: int, table: str = "T1") -> Hand:
        return self.play(table).hands[spot]

    def felt(self, table: str = "T1") -> Felt:
        """Everything a view looks at."""
        state = self.state
        context = Context(
            state.seq + 1,
            self.clock(),
            "d1",
            "dealer",
            "2026-03-01",
            state.policies,
            demonstration=state.demonstration,
        )
        return Felt(opened(state.tables[table], self.floor.shoe), state.link_of(table), context, self.floor.shoe)

    def seen(self, kind: Viewer = "dealer", player: str = "", table: str = "T1") -> PlayView:
        """What somebody sees of the table."""
        guest = self.state.guests.get(player)
        return view(self.felt(table), Who(kind, player, guest.id if guest else 0))

    def spot(self, spot: int, kind: Viewer = "dealer", player: str = "", table: str = "T1") -> SpotView:
        """What somebody sees of a spot."""
        return next(one for one in self.seen(kind, player, table).spots if one.spot == spot)

    def rack(self, table: str = "T1") -> int:
        """What the rack of a table has won, in cents."""
        return self.balances().get(f"rack/{table}", 0) // 10_000


def _tables(game: Game, pays: Mapping[str, str]) -> dict[str, PayTable]:
    """By wager: the approved pay table that ``pays`` names, or the first one."""
    found = {}
    for wager in game.table_wagers:
        fitting = [one for one in approved_book().of(game.families, wager) if isinstance(one, PayTable)]
        if fitting and wager != "progressive":
            # A copy: a table that settled elsewhere keeps what it worked out.
            found[wager] = copied(next(table for table in fitting if pays.get(wager, table.id) == table.id))
    return found


def _first_progressive(game: Game) -> str:
    return str(next(iter(approved_book().of(game.families, "progressive"))).id)


def _terms(name: str, game: Game, contribution: str, reserve: str, seed: int) -> Terms:
    pays = next(one for one in approved_book().of(game.families, "progressive") if one.id == name)
    assert pays == pay_table(name, pays.game)
    one = MeterTerms(contribution_bp=bp(contribution), reserve_bp=bp(reserve), seed_cents=seed)
    return Terms(
        table=pay_table(name, pays.game),
        wager_cents=getattr(pays, "stated_wager_cents", 0) or 100,
        meters=dict.fromkeys(pay_table(name, pays.game).meters, one),
    )


Opener = Callable[..., Room]


def rooms(folder: Path) -> Iterator[Opener]:
    """For a fixture: opens rooms, each in a folder of its own, and closes them all down at the end."""
    made: list[Room] = []

    def open_room(*args: Any, **settings: Any) -> Room:
        place = folder / f"room-{len(made) + 1}"
        place.mkdir()
        made.append(Room(place, *args, **settings))
        return made[-1]

    yield open_room
    for room in made:
        room.floor.close()
