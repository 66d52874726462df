"""The bots of the house: a dealer who runs whole rounds, and a supervisor who comes when a win is named.

A dealer looks at his table first and goes on from where it stands, so he may be stopped and started again at any
moment, and people may play at his table beside the bots.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Final, NamedTuple

from houseway.api.commands import (
    Arrive,
    CloseRound,
    Collect,
    Confirm,
    Deal,
    EnterCards,
    FirstCard,
    Fold,
    JPot,
    Light,
    LockIn,
    NameWin,
    NoMoreBets,
    Reconcile,
    Reveal,
    Run,
    StandUp,
    Surveillance,
    VerifyPayout,
)
from houseway.api.floor import TableDoc
from houseway.api.orders import Carried
from houseway.api.views import ClaimView, PlayView, TableView
from houseway.cards import Card, shuffled, text_of
from houseway.client.async_client import AsyncClient
from houseway.client.layout import Layout
from houseway.client.player_bot import PlayerBot
from houseway.client.problems import Refused
from houseway.games.flow import DEALER, packet_size
from houseway.refusal import Refusal

BOT: Final = re.compile(r"\(bot( \d+)?\)$")
"""How the names of bots end."""
TURN_SECONDS: Final = 0.05
"""How long a claim waits before it looks again whether it is its turn."""
MOST_LOOKS: Final = 400

Pause = Callable[[], Awaitable[None]]


class Manner(NamedTuple):
    """How lively a table is."""

    pace: float = 0.0
    """Seconds between two things that are done, on average."""
    wins: float = 0.05
    """In how many rounds of a table whose cards the system does not see somebody names a win."""
    patience: float = 60.0
    """Seconds that a person is waited for before the round goes on without him (FL-23)."""


AT_ONCE: Final = Manner()


class SupervisorBot:
    """Comes to a table where a win was named, and records it.

    Brings an executive where the amount asks for one, and surveillance where it must verify the win.
    """

    def __init__(self, client: AsyncClient, executive: AsyncClient, surveillance: AsyncClient) -> None:
        self._client = client
        self._executive = executive
        self._surveillance = surveillance

    async def attend(self, layout: Layout) -> None:
        """Everything at a table that waits for a supervisor."""
        for _ in range(MOST_LOOKS):
            doc = await self._client.table(layout.table)
            view = doc.progressive
            if view is not None:
                if view.called_at and not view.arrived_at:
                    await self._client.order(Arrive(table=layout.table))
                if view.claims:
                    if not await self._record(layout, view):
                        await asyncio.sleep(TURN_SECONDS)
                    continue
                await self._verify_wins(layout, view)
            await self._verify_payouts(layout, doc)
            return
        raise Refusal("table", f"the claims of {layout.table} wait for another table's for too long")

    async def _record(self, layout: Layout, view: TableView) -> bool:
        """Record the claim whose turn it is; False where it is no claim's of this table."""
        claim = next((one for one in view.claims if one.at_j_pot), None)
        claim = claim or next((one for one in view.claims if one.turn == 1), None)
        if claim is None:
            return False
        try:
            await self._recorded(layout, claim)
        except Refused as refusal:
            if refusal.status != 409:
                raise
            # Another table's claim came in between on the same meter.
            return False
        return True

    async def _recorded(self, layout: Layout, claim: ClaimView) -> None:
        who = self._executive if claim.executive else self._client
        if layout.console == "touch":
            await who.order(Confirm(table=layout.table, spot=claim.spot))
            return
        if not claim.at_j_pot:
            await who.order(JPot(table=layout.table, spot=claim.spot))
        await self._client.order(Run(table=layout.table))

    async def _verify_wins(self, layout: Layout, view: TableView) -> None:
        for win in view.wins:
            if win.surveillance and not win.verified:
                command = Surveillance(table=layout.table, win=win.number, player=f"the player of spot {win.spot}")
                await self._surveillance.order(command)

    async def _verify_payouts(self, layout: Layout, doc: TableDoc) -> None:
        if doc.play is None:
            return
        players = {one.spot: one.player for one in doc.play.spots}
        for spot, wager in doc.play.large_wins:
            command = VerifyPayout(table=layout.table, spot=spot, wager=wager, player=players.get(spot) or "unknown")
            await self._surveillance.order(command)


class DealerBot:
    """Runs the rounds of one table."""

    def __init__(
        self,
        client: AsyncClient,
        supervisor: SupervisorBot,
        layout: Layout,
        players: Sequence[PlayerBot],
        random: Random,
        manner: Manner = AT_ONCE,
    ) -> None:
        self.layout = layout
        self.rounds = 0
        """How many it has closed."""
        self._client = client
        self._supervisor = supervisor
        self._players = players
        self._random = random
        self._manner = manner

    async def play_round(self) -> bool:
        """One round, from wherever the table stands to its close; False where the table is shut just now."""
        doc = await self._client.table(self.layout.table)
        if doc.stops or (doc.play is not None and doc.play.malfunction):
            return False
        closed = await (self._progressive(doc) if doc.play is None else self._cards(doc, doc.play))
        self.rounds += closed
        return closed

    async def _pause(self) -> None:
        if self._manner.pace:
            await asyncio.sleep(self._manner.pace * self._random.uniform(0.5, 1.5))

    # ------------------------------------------------------------------------------------------- the progressive alone

    async def _progressive(self, doc: TableDoc) -> bool:
        view, name = doc.progressive, self.layout.table
        if view is None:
            return False
        booked = view.booked
        if not view.locked:
            booked = await self._lit(view)
            await self._pause()
            await self._client.order(LockIn(table=name))
        if not view.dealt:
            await self._pause()
            await self._client.order(FirstCard(table=name))
        await self._pause()
        claimed = bool(view.claims) or bool(view.wins)
        free = [spot for spot in booked if spot not in view.folded]
        if not claimed and free and self.layout.hands and self._random.random() < self._manner.wins:
            spot = self._random.choice(free)
            await self._client.order(NameWin(table=name, spot=spot, hand=self._hand()))
            claimed = True
        elif not claimed and free and self._random.random() < 0.5:
            await self._client.order(Fold(table=name, spot=self._random.choice(free)))
        if claimed:
            await self._pause()
            await self._supervisor.attend(self.layout)
        await self._pause()
        await self._client.order(CloseRound(table=name))
        return True

    async def _lit(self, view: TableView) -> tuple[int, ...]:
        """Chips on some of the sensors."""
        spots = range(1, self.layout.spots + 1)
        chosen = self._random.sample(spots, self._random.randint(1, min(4, len(spots))))
        for spot in chosen:
            if spot not in view.lit:
                await self._client.order(Light(table=self.layout.table, spot=spot))
        return tuple(sorted({*chosen, *view.lit}))

    def _hand(self) -> str:
        """A hand that wins, the lesser ones more often."""
        hands = self.layout.hands
        return self._random.choices(hands, [place * place for place in range(1, len(hands) + 1)])[0]

    # ---------------------------------------------------------------------------------------------- a round with cards

    async def _cards(self, doc: TableDoc, play: PlayView) -> bool:
        name, stage = self.layout.table, play.stage
        if stage == "betting":
            await self._bets(doc, play)
            await self._pause()
            await self._client.order(NoMoreBets(table=name))
            stage = "locking in"
        if stage == "locking in":
            if self.layout.link:
                await self._client.order(LockIn(table=name))
            stage = "dealing"
        if stage == "dealing":
            await self._pause()
            await self._deal(play)
            stage = "deciding"
        while stage in ("deciding", "turning", "collecting", "revealing"):
            if stage == "deciding":
                await self._decisions()
            await self._pause()
            await self._turn_over()
            stage = await self._stage_after_turning()
        await self._settle()
        await self._client.order(CloseRound(table=name))
        return True

    async def _bets(self, doc: TableDoc, play: PlayView) -> None:
        """The bots take the first free spots, leaving people where they sit; bots that are gone are stood up."""
        here = {player.name for player in self._players}
        for spot, name in play.seats.items():
            if BOT.search(name) and name not in here:
                await self._client.order(StandUp(table=self.layout.table, spot=spot))
        doc = await self._client.table(self.layout.table)
        play = doc.play or play
        free = [spot for spot in range(1, self.layout.spots + 1) if spot not in play.seats]
        own = {player: spot for spot, player in play.seats.items()}
        for player in self._players:
            if player.name not in own and not free:
                continue
            spot = own[player.name] if player.name in own else free.pop(0)
            await player.join(self.layout, doc, spot)
            await self._pause()

    async def _deal(self, play: PlayView) -> None:
        name, game = self.layout.table, self.layout.game
        if self.layout.kind == "virtual":
            await self._client.order(Deal(table=name, packets=0))
            return
        # Real cards: this dealer's own deck, entered as they lie; those that were entered stay.
        now = (await self._client.table(name)).play or play
        deck = self._deck_left(now)
        column = len(now.spots) + 1 if any(wager.by_hands_dealt for wager in game.wagers) else 0
        places = [hand.spot for hand in now.spots if not hand.cards]
        for place in (*places, *((DEALER,) if game.dealer_cards and not now.dealer else ())):
            size = packet_size(game, place)
            cards, deck = deck[:size], deck[size:]
            hands = column if place == DEALER else 0
            await self._client.order(EnterCards(table=name, spot=place, cards=text_of(cards), hands=hands))

    def _deck_left(self, play: PlayView) -> list[Card]:
        """A deck of real cards without those that lie on the table."""
        out = set(" ".join((play.dealer, play.board, *(hand.cards for hand in play.spots))).split())
        return [card for card in shuffled(self.layout.game.deck, self._random) if text_of((card,)) not in out]

    async def _turn_over(self) -> None:
        """The next street, and after the last one everything, once forfeits are collected; at a physical table the
        board's cards are entered.
        """
        name = self.layout.table
        doc = await self._client.table(name)
        press = doc.next_press
        if doc.play is not None and press is not None and press.command == "enter_cards":
            cards = text_of(self._deck_left(doc.play)[: press.cards])
            await self._client.order(EnterCards(table=name, spot=press.body["spot"], cards=cards))
            return
        if press is not None and press.command == "collect":
            await self._client.order(Collect(table=name))
        await self._client.order(Reveal(table=name))

    async def _stage_after_turning(self) -> str:
        if len(self.layout.game.flow) == len(self.layout.game.points):
            return "reconciling"
        play = (await self._client.table(self.layout.table)).play
        return play.stage if play is not None else ""

    async def _decisions(self) -> None:
        """The bots decide; people are waited for, and a person who does not come back has left (FL-23)."""
        bots = {player.name for player in self._players}
        play = None
        for player in self._players:
            play = await player.decide(self.layout)
            await self._pause()
        if play is not None and all(one.player in bots for one in play.spots):
            return
        waited = 0.0
        while True:
            play = (await self._client.table(self.layout.table)).play
            waiting = [hand for hand in play.spots if hand.deciding and not hand.held_for] if play is not None else []
            people = [hand for hand in waiting if hand.player not in bots]
            if not people:
                return
            gone = [hand for hand in people if BOT.search(hand.player or "")]
            if gone or waited >= self._manner.patience:
                # Bots that were stopped short do not come back (TR-8: nobody decides for them).
                for hand in gone or people:
                    await self._client.order(StandUp(table=self.layout.table, spot=hand.spot))
                continue
            await asyncio.sleep(1.0)
            waited += 1.0

    async def _settle(self) -> None:
        """Name what the cards show, take and pay every wager, and have every win recorded."""
        name = self.layout.table
        doc = await self._client.table(name)
        play = doc.play
        if play is None:
            return
        for spot, hand in play.unnamed:
            await self._client.order(NameWin(table=name, spot=spot, hand=hand))
            await self._pause()
        left = {
            (one.spot, wager)
            for one in play.spots
            for wager in one.lines
            if wager in self.layout.game.reconcile and wager != "progressive" and wager not in one.reconciled
        }
        while left:
            await self._pause()
            done = _reconciled(await self._client.order(Reconcile(table=name)))
            if not done & left:
                break
            left -= done
        view = doc.progressive
        if play.unnamed or play.large_wins or (view is not None and (view.claims or view.wins)):
            await self._supervisor.attend(self.layout)


def _reconciled(answer: Carried) -> set[tuple[int, str]]:
    return {
        (event["spot"], wager) for event in answer.events if event["type"] == "reconciled" for wager in event["wagers"]
    }
