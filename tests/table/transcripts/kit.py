"""A table that plays whole rounds on a real floor, with a clock, a shuffler and an entropy of its own.

    table = PlayTable(folder, "caribbean-stud", "touch", progressive="CSTUD-15")
    table.stack({6: "Ah Kh Qh Jh Th"})
    table.play({6: {"ante": 1000, "progressive": 100}}, {6: PLAY})
    print(write_round(table.record()))

Nothing in it is random, so the same calls write the same text.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace as copied
from itertools import count
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final

from tests.keys import KEYS
from tests.staff_kit import credentials_of, founding

from houseway.books.rounds import journalled
from houseway.cards import Card, text_of
from houseway.games import Game, all_games, approved_book
from houseway.games.flow import is_open, read_decision
from houseway.games.model import Decide
from houseway.games.round import HOUSE_WAY, Action
from houseway.manager import commands as office
from houseway.manager.config import FloorConfig, LinkConfig
from houseway.manager.entry import Entry
from houseway.manager.floor import INSTALLATION, Floor
from houseway.manager.shoe import SealingShoe
from houseway.manager.store import open_store
from houseway.manager.store.base import Credential
from houseway.paytables import PayTable, ProgressiveTable
from houseway.progressive.link import dues, queue
from houseway.progressive.terms import MeterTerms, Terms
from houseway.refusal import Refusal
from houseway.table.card_round import commands as play
from houseway.table.card_round.cards import opened
from houseway.table.card_round.forfeits import forfeits
from houseway.table.card_round.settle import game_of
from houseway.table.card_round.streets import next_street, waiting
from houseway.table.config import Console, Limits, Policies, TableConfig
from houseway.table.notation import RoundRecord
from houseway.table.progressive_round import commands as felt
from houseway.table.state import TableState

BEGINS: Final = 1_772_424_000_000_000
"""2026-03-02 04:00 UTC, eight in the evening of 1 March at the site."""
KEY: Final = bytes(range(32))
DEALER, SUPERVISOR, EXECUTIVE, MANAGER, SECOND = "dana", "sam", "eve", "max", "mia"
STAFF: Final[Mapping[str, office.Role]] = {
    MANAGER: "manager",
    DEALER: "dealer",
    SUPERVISOR: "supervisor",
    EXECUTIVE: "executive",
    SECOND: "manager",
}
PLAYERS: Final = ("", "Ann", "Bo", "Cy Young", "Dee", "Eli", "Fay", "Gus")
"""By spot."""
ADDED: Final = {2: "seven come eleven", 4: "4" * 64, 5: "c0ffee", 6: "0123456789abcdef" * 4}
"""What players add to their deck, by spot; the others add nothing."""


def seeded_shoe(seed: str) -> SealingShoe:
    """The floor's own shuffler, whose randomness a text decides."""
    numbers = count()
    return SealingShoe(KEY, entropy=lambda size: hashlib.shake_256(f"{next(numbers)} {seed}".encode()).digest(size))


class PlayTable:
    """One table T1 with its link L1 on a floor of its own."""

    id = "T1"

    def __init__(
        self,
        folder: Path,
        game: str,
        console: Console = "touch",
        *,
        kind: Any = "virtual",
        progressive: str | None = None,
        tables: Mapping[str, str] | None = None,
        options: Mapping[str, Any] | None = None,
        limits: Mapping[str, Limits] | None = None,
        contribution_bp: int = 7_000,
        reserve_bp: int = 500,
        seed_cents: int = 1_000_000,
        seed: str = "",
        link: bool = True,
    ) -> None:
        self.game: Game = all_games()[game]
        link = link and self.game.progressive is not None
        self.shoe = seeded_shoe(seed or f"{game} {console}")
        self._chosen: dict[int, str] = {}
        self.now = BEGINS
        self._numbers = count(1)
        config = self._config(console, kind, dict(tables or {}), dict(options or {}), dict(limits or {}), link)
        links = (self._link(progressive, contribution_bp, reserve_bp, seed_cents),) if config.link else ()
        policies = Policies(site="Demonstration house", jurisdiction="none", demonstration=True)
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "floor.db"
        self.store = open_store(str(self.file))
        self.floor = Floor(self.store, keys=KEYS, clock=lambda: self.now, threaded=False, shoe=self.shoe)
        self._found(FloorConfig(policies=policies, tables=(config,), links=links))

    @classmethod
    def reopened(cls, folder: Path, game: str, console: Console = "touch") -> PlayTable:
        """The same table in another process: nothing but its file, and the shuffler's key, is left of the first."""
        table = cls.__new__(cls)
        table.game = all_games()[game]
        table.shoe = seeded_shoe(f"{game} {console} again")
        table._chosen = {}
        table._numbers = count(1_000)
        table.file = folder / "floor.db"
        table.store = open_store(str(table.file))
        table.now = BEGINS + 3_600_000_000
        table.floor = Floor(table.store, keys=KEYS, clock=lambda: table.now, threaded=False, shoe=table.shoe)
        return table

    def _config(
        self,
        console: Console,
        kind: Any,
        tables: dict[str, str],
        options: dict[str, Any],
        limits: dict[str, Limits],
        link: bool,
    ) -> TableConfig:
        book, game = approved_book(), self.game
        chosen = {}
        for wager in game.table_wagers:
            known = [one for one in book.of(game.families, wager) if isinstance(one, PayTable)]
            named = [one for one in known if one.id == tables.get(wager, known[0].id)]
            # A copy: a pay table that something settled by keeps what it worked out, which no journal takes.
            chosen.update({wager: copied(named[0])} if named else {})
        return TableConfig(
            id=self.id,
            game=game.key,
            console=console,
            spots=min(6, game.most_spots),
            link="L1" if link else "",
            kind=kind,
            tables=chosen,
            pay_tables={wager: table.id for wager, table in chosen.items()},
            options={**game.defaults, **options},
            second_spot_envies=game.second_spot_envies,
            limits=limits,
        )

    def _link(self, name: str | None, contribution_bp: int, reserve_bp: int, seed_cents: int) -> LinkConfig:
        known = [
            one for one in approved_book().of(self.game.families, "progressive") if isinstance(one, ProgressiveTable)
        ]
        table = next(one for one in known if one.id == (name or known[0].id))
        share = len(table.meters)
        one = MeterTerms(
            contribution_bp=contribution_bp // share, reserve_bp=reserve_bp // share, seed_cents=seed_cents
        )
        terms = Terms(table=table, wager_cents=table.stated_wager_cents or 100, meters=dict.fromkeys(table.meters, one))
        return LinkConfig(id="L1", name="Grand", tables=(self.id,), terms=terms)

    def _found(self, config: FloorConfig) -> None:
        found = founding(config, STAFF)
        self.do(INSTALLATION, found, *credentials_of(found))
        # The rounds of the examples begin when they always did, though their people come in one entry.
        self.now += 4_000_000
        for one in config.links:
            for meter in one.terms.meters:
                self.do(MANAGER, office.SeedMeter(link=one.id, meter=meter))

    # --------------------------------------------------------------------------------------------- one step at a time

    def do(self, by: str, command: Any, *credentials: Credential, second: str = "") -> Entry:
        """One order, a second after the last."""
        self.now += 1_000_000
        order = office.Order(id=f"order-{next(self._numbers)}", by=by, second=second, command=command)
        return self.floor.handle(order, *credentials).entry

    def by_dealer(self, command: Any) -> Entry:
        """An order of the dealer's."""
        return self.do(DEALER, command)

    @property
    def state(self) -> TableState:
        return self.floor.state.tables[self.id]

    @property
    def options(self) -> Mapping[str, Any]:
        return {**self.game.defaults, **self.state.config.options}

    def stack(self, hands: Mapping[int, str]) -> None:
        """Choose cards of the next deck, as on a demonstration floor: by spot, 0 for the dealer, -2 for the board."""
        self._chosen = dict(hands)

    def bet(self, spot: int, wagers: Mapping[str, int]) -> None:
        """A player sits down where nobody sits, and bets."""
        if spot not in self.state.seats:
            self.sit(spot)
        for wager, cents in wagers.items():
            added = ADDED.get(spot, "") if self.state.config.kind == "virtual" else ""
            bet = play.Bet(table=self.id, spot=spot, wager=wager, cents=cents, player_seed=added)
            self.do(f"player/{self.state.seats[spot]}", bet)

    def sit(self, spot: int) -> None:
        """A player comes in, where nobody of that name was here, and sits down (TR-8)."""
        name = PLAYERS[spot]
        if name not in self.floor.state.guests:
            self.by_dealer(office.Admit(player=name, code=f"code of {name}"))
        self.do(f"player/{name}", play.SitDown(table=self.id, spot=spot, player=name))

    def begin(self) -> None:
        """No more bets, and the progressive's wagers locked in; cards that were chosen are asked for before."""
        for spot, cards in self._chosen.items():
            by = f"player/{self.state.seats[spot]}" if spot > 0 else DEALER
            self.do(by, play.StackDeck(table=self.id, spot=spot, cards=cards))
        self._chosen = {}
        self.by_dealer(play.NoMoreBets(table=self.id))
        if self.state.config.link:
            self.by_dealer(felt.LockIn(table=self.id))

    def act(self, spot: int, action: Action) -> None:
        player = self.state.round.play.hands[spot].player
        card = text_of((action.card,)) if action.card is not None else ""
        command = play.Act(table=self.id, spot=spot, action=action.name, card=card, cents=action.cents)
        self.do(f"player/{player}", command)

    def reveal(self) -> None:
        """The dealer's cards, once what folded spots gave up is collected."""
        state = self.state
        streets_left = next_street(game_of(state.config), state.round.play) is not None
        if forfeits(state.config, state.round.play) and not streets_left:
            self.by_dealer(play.Collect(table=self.id))
        self.by_dealer(play.Reveal(table=self.id))

    def name_wins(self) -> None:
        """Every win that the cards make is named."""
        state = self.state.round
        for spot, hand in sorted(state.seen.items()):
            if hand and spot in state.booked and spot not in state.folded:
                self.by_dealer(felt.NameWin(table=self.id, spot=spot, hand=hand))

    def reconcile(self) -> None:
        while self.state.round.play.steps:
            self.by_dealer(play.Reconcile(table=self.id))

    def confirm_all(self) -> None:
        """A supervisor comes and confirms every claim, each when it is its turn."""
        link = self.floor.state.links.get("L1")
        if link is None or not link.claims_at(self.id):
            return
        self.do(SUPERVISOR, felt.Arrive(table=self.id))
        while claims := self.floor.state.links["L1"].claims_at(self.id):
            link = self.floor.state.links["L1"]
            due = [one for meter in link.meters for one in queue(link, meter)]
            spot = (due or claims)[0].spot
            if self.state.config.console == "touch":
                self.do(EXECUTIVE, felt.Confirm(table=self.id, spot=spot))
            else:
                large = dues(link)[self.id, spot].cents >= self.floor.state.policies.executive_from_cents
                self.do(EXECUTIVE if large else SUPERVISOR, felt.JPot(table=self.id, spot=spot))
                self.do(SUPERVISOR, felt.Run(table=self.id))

    def close(self) -> None:
        self.by_dealer(felt.CloseRound(table=self.id))

    # --------------------------------------------------------------------------------------------------- whole rounds

    def play(
        self,
        bets: Mapping[int, Mapping[str, int]],
        actions: Mapping[int, Action | Sequence[Action]] = MappingProxyType({}),
    ) -> RoundRecord:
        """A whole virtual round with these wagers and decisions: one for a spot, or one for each point it comes to."""
        for spot, wagers in bets.items():
            self.bet(spot, wagers)
        self.begin()
        self.by_dealer(play.Deal(table=self.id, packets=0))
        left = {
            spot: deque((planned,) if isinstance(planned, Action) else planned) for spot, planned in actions.items()
        }
        while not self.state.round.play.revealed:
            for spot in [spot for spot in left if spot in self.waiting()]:
                self.act(spot, left[spot].popleft())
            self.reveal()
        assert not any(left.values()), left
        return self.finish()

    def waiting(self) -> Mapping[int, Decide]:
        """By spot: the decisions that must be made before the dealer goes on."""
        return waiting(self.game, opened(self.state, self.shoe).round.play)

    def finish(self) -> RoundRecord:
        """From the last decision to the end."""
        while not self.state.round.play.revealed:
            self.reveal()
        self.name_wins()
        self.reconcile()
        self.confirm_all()
        self.close()
        return self.record()

    def record(self, number: int = 0) -> RoundRecord:
        """The record of a round from the journal; the last that ended where none is named."""
        number = number or self.state.round.number - 1
        return journalled(self.store, self.id, number, self.floor.state.configured)

    def random_round(self, dice: Random) -> RoundRecord | None:
        """A round as anybody might play it: some bet, some fold, one may leave, two in ten rounds are void.

        None where the wagers do not make a round.
        """
        for spot in sorted(dice.sample(range(1, 7), dice.randint(1, 4))):
            self.bet(spot, self._random_wagers(dice))
        try:
            self.begin()
        except Refusal:
            self._clear()
            return None
        turn = self.state.round.number % 10
        self.by_dealer(play.Deal(table=self.id, packets=dice.randint(0, 3) if turn == 4 else 0))
        if turn == 4:
            return self._void()
        self._random_decisions(dice, some_leave=turn in (2, 6))
        if turn == 8:
            return self._void()
        while not self.state.round.play.revealed:
            self.reveal()
            self._random_decisions(dice)
        record = self.finish()
        self._clear()
        return record

    def _void(self) -> RoundRecord:
        self.do(
            SUPERVISOR, felt.VoidRound(table=self.id, cause="a hand with the wrong number of cards"), second=EXECUTIVE
        )
        record = self.record()
        self._clear()
        return record

    def _clear(self) -> None:
        for spot in tuple(self.state.seats):
            self.by_dealer(play.StandUp(table=self.id, spot=spot))

    def _random_wagers(self, dice: Random) -> dict[str, int]:
        wagers: dict[str, int] = {}
        # A wager that equals another comes after it.
        for wager in sorted(self.game.wagers, key=lambda wager: bool(wager.equals)):
            often = {"required": 1.0, "optional": 0.7}.get(wager.kind, 0.0)
            if dice.random() >= often or (wager.needs and wager.needs not in wagers):
                continue
            if wager.offered_with and self.options[wager.offered_with[0]] != wager.offered_with[1]:
                continue
            if wager.key == "progressive":
                wagers[wager.key] = self.floor.state.links["L1"].now.wager_cents
            else:
                wagers[wager.key] = wagers.get(wager.equals) or dice.choice((500, 1_000, 2_575, 10_001))
        return wagers

    def _random_decisions(self, dice: Random, *, some_leave: bool = False) -> None:
        """Everybody who is asked before the dealer goes on decides."""
        while asked := self.waiting():
            spot, point = next(iter(asked.items()))
            if some_leave and dice.random() < 0.5:
                self.by_dealer(play.StandUp(table=self.id, spot=spot))
                continue
            hand = opened(self.state, self.shoe).round.play.hands[spot]
            self.act(spot, self._random_action(dice, point, hand.cards, hand.wagers))

    def _random_action(self, dice: Random, point: Decide, cards: tuple[Card, ...], wagers: Mapping[str, int]) -> Action:
        if not self.game.splits:
            open_now = [choice for choice in point.choices if is_open(self.game, choice, cards, options=self.options)]
            folds = [choice for choice in open_now if choice.folds]
            stays = [choice for choice in open_now if not choice.folds]
            return Action(dice.choice(folds if folds and dice.random() < 0.3 else stays).key)
        action = HOUSE_WAY if dice.random() < 0.5 else Action("low", dice.choice(cards))
        raw = {action.name: True if action.card is None else text_of((action.card,))}
        try:
            read_decision(self.game, {**raw, "double_down": wagers["base"]}, cards, wagers, self.options)
        except Refusal:
            return action
        return action._replace(cents=wagers["base"])
