"""A bot that plays: it sits down, places its wagers and decides, with a session of its own."""

from __future__ import annotations

import asyncio
import secrets
from itertools import groupby
from random import Random

from houseway.api.commands import SEED_BYTES, Act, Bet, SitDown
from houseway.api.floor import TableDoc
from houseway.api.views import ActionOffer, PlayView
from houseway.cards import text_of
from houseway.client.async_client import AsyncClient
from houseway.client.layout import Layout
from houseway.client.strategy import Best, Mind, Sight, seen_cards


class PlayerBot:
    """A player; the same one may sit at several tables."""

    def __init__(self, client: AsyncClient, name: str, mind: Mind, random: Random) -> None:
        self.client = client
        self.name = name
        self._mind = mind
        self._random = random

    async def join(self, layout: Layout, doc: TableDoc, spot: int) -> None:
        """Sit down where this player does not sit yet, and bet."""
        if doc.play is None:
            return
        if doc.play.seats.get(spot) != self.name:
            await self.client.order(SitDown(table=layout.table, spot=spot, player=self.name))
        there = next((placed.wagers for placed in doc.play.spots if placed.spot == spot), {})
        if there:
            return
        added = secrets.token_hex(SEED_BYTES) if doc.kind == "virtual" else ""
        for wager, cents in layout.wagers(self._random).items():
            bet = Bet(table=layout.table, spot=spot, wager=wager, cents=cents, player_seed=added)
            await self.client.order(bet)

    async def decide(self, layout: Layout) -> PlayView | None:
        """Decide for every spot of this player's until none has anything to decide; the round as it was seen first."""
        doc = await self.client.table(layout.table)
        first = doc.play
        while doc.play is not None and doc.actions:
            for spot, offers in groupby(doc.actions, key=lambda offer: offer.spot):
                await self._act(layout, doc.play, spot, tuple(offers))
            if len(layout.game.points) == 1:
                break
            # What was done may have brought a spot to its next decision.
            doc = await self.client.table(layout.table)
        return first

    async def _act(self, layout: Layout, play: PlayView, spot: int, offers: tuple[ActionOffer, ...]) -> None:
        hand = next(hand for hand in play.spots if hand.spot == spot)
        point = next(point for point in layout.game.points if point.key == offers[0].point)
        if not hand.cards:
            return
        sight = Sight(
            layout.game,
            point,
            seen_cards(hand.cards),
            seen_cards(play.dealer),
            seen_cards(play.board),
            actions=hand.actions,
            offered=tuple(offer.action for offer in offers),
            extra_cents=max((cents for offer in offers for cents in offer.optional.values()), default=0),
        )
        if isinstance(self._mind, Best):
            # It may take a third of a second: the others go on meanwhile.
            action = await asyncio.to_thread(self._mind.choose, sight)
        else:
            action = self._mind.choose(sight)
        card = "" if action.card is None else text_of((action.card,))
        await self.client.order(Act(table=layout.table, spot=spot, action=action.name, card=card, cents=action.cents))
