"""A bot that plays: it sits down, places its wagers and decides, with a session of its own."""

from __future__ import annotations

import asyncio
import secrets
from random import Random

from houseway.cards import parse_card, read_cards, text_of
from houseway.client.answers import TableDoc
from houseway.client.async_client import AsyncClient
from houseway.client.layout import Layout
from houseway.client.strategy import Best, Hand, Mind, seen_cards
from houseway.table.commitment import SEED_BYTES
from houseway.table.play.commands import Act, Bet, SitDown
from houseway.table.play.view import PlayView


class PlayerBot:
    """A player; the same one may sit at several tables."""

    def __init__(self, client: AsyncClient, name: str, mind: Mind, random: Random) -> None:
        self.client = client
        self.name = name
        self._mind = mind
        self._random = random

    async def join(self, layout: Layout, doc: TableDoc, spot: int) -> None:
        """Sit down where he does not, and bet."""
        if doc.play is None:
            return
        if doc.play.seats.get(spot) != self.name:
            await self.client.order(SitDown(table=layout.table, spot=spot, player=self.name))
        there = next((one.wagers for one in doc.play.spots if one.spot == spot), {})
        if there:
            return
        added = secrets.token_hex(SEED_BYTES) if doc.kind == "virtual" else ""
        for wager, cents in layout.wagers(self._random).items():
            bet = Bet(table=layout.table, spot=spot, wager=wager, cents=cents, player_seed=added)
            await self.client.order(bet)

    async def decide(self, layout: Layout) -> PlayView | None:
        """Look at his cards and decide for every spot of his; the round as he saw it before."""
        doc = await self.client.table(layout.table)
        if doc.play is None:
            return None
        waiting = [one for one in doc.play.spots if one.player == self.name and one.cards and not one.decided]
        optional = {offer.spot: sum(offer.optional.values()) for offer in doc.actions}
        for spot in waiting:
            up = seen_cards(doc.play.dealer)
            hand = Hand(
                layout.game,
                tuple(read_cards(spot.cards)),
                parse_card(up[0]) if up and layout.game.dealer_face_up else None,
                optional.get(spot.spot, 0),
            )
            if isinstance(self._mind, Best):
                # It may take a third of a second: the others go on meanwhile.
                choice = await asyncio.to_thread(self._mind.choose, hand)
            else:
                choice = self._mind.choose(hand)
            card = text_of((choice.card,)) if choice.card is not None else ""
            await self.client.order(
                Act(table=layout.table, spot=spot.spot, action=choice.name, card=card, cents=choice.cents)
            )
        return doc.play
