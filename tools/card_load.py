"""Whole rounds with cards for the random mixture of `floor_load`: a virtual table, and one whose cards are entered.

What is sent for a round is planned when it begins and sent in order, now and then again, out of turn or for another
table; nothing is known of the answers but what a view of the floor shows. A virtual table's cards are not known here,
so its wins are guessed at until the guess is right.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from houseway.cards import Card, text_of
from houseway.games import Game, approved_book, find_game
from houseway.manager.commands import Command
from houseway.paytables import PayTable
from houseway.ranking import joker
from houseway.ranking.poker import CATEGORIES, category
from houseway.table.card_round import commands as play
from houseway.table.config import TableConfig
from houseway.table.progressive_round import commands as deal
from houseway.table.shuffler import STEPS

CARD_TABLES: Final = ("V1", "C1")
"""The tables with cards: V1 is virtual, at C1 the dealer enters them."""
_MOST_SPOTS: Final = 6
_CENTS: Final = (500, 1_000, 2_500, 175)
_LATER: Final = ("cover_all", "insurance")
"""Wagers that are settled in a step of their own, after all others."""


def card_table(rng: Random, table: TableConfig) -> dict[str, Any]:
    """What makes a table of the mixture one with cards: its kind, and a pay table for every wager."""
    game = _game(table.game)
    tables = {}
    for wager in game.table_wagers:
        found = [one for one in approved_book().of(game.families, wager) if isinstance(one, PayTable)]
        if found:
            # A copy: a pay table that settles keeps what it worked out, and that cannot be journalled.
            tables[wager] = dataclasses.replace(rng.choice(found))
    options = {**table.options, "decision_timeout_seconds": rng.choice((0, 30))}
    kind = "virtual" if table.id == "V1" else "cards"
    return {"kind": kind, "tables": tables, "options": options, "spots": min(table.spots, _MOST_SPOTS)}


def _game(name: str) -> Game:
    game = find_game(name)
    if game is None:
        raise LookupError(f"there is no game {name}")
    return game


GUESTS: Final = tuple(f"guest-{spot}" for spot in range(1, _MOST_SPOTS + 1))
"""The players of the virtual table, who were let in before anything else."""


def acts_for(command: Command) -> str:
    """TR-8: the player who gives an order at a virtual table; empty where that is the dealer."""
    match command:
        case play.SitDown():
            return command.player
        case play.Bet() | play.Act():
            return f"guest-{command.spot}"
    return ""


class CardRounds:
    """The rounds of one table with cards."""

    def __init__(self, rng: Random, table: TableConfig, wager_cents: int, hands: tuple[str, ...]) -> None:
        self._rng = rng
        self._table = table
        self._game = _game(table.game)
        self._wager_cents = wager_cents
        self._hands = hands
        self._round = 0
        self._before: list[Command] = []
        """What was planned for the round: up to COIN IN, and from there to the close."""
        self._after: list[Command] = []
        self._steps: list[Command] = []
        """What of that is still to be sent."""
        self._spots: list[int] = []
        self._seated: set[int] = set()
        self._held: dict[int, str] = {}
        """Which hand each spot holds, where the cards are ours."""
        self._bases: dict[int, int] = {}
        self._rest: tuple[Card, ...] = ()
        """What is left of the deck there."""

    def next(self, number: int, lit: tuple[int, ...], *, locked: bool) -> Command:
        """What is asked of the table next, in round ``number``; ``lit`` are the spots with a progressive wager."""
        if number != self._round:
            self._round, self._held, self._bases, self._rest = number, {}, {}, ()
            self._before = list(self._wagers())
            self._after = list(self._play())
            self._steps = [*self._before, *self._after]
        chance = self._rng.random()
        if chance < 0.04:
            return self._rng.choice([*self._before, *self._after])
        if chance < 0.08:
            return self._out_of_turn()
        if self._steps:
            return self._steps.pop(0)
        if self._rng.random() < (0.3 if locked else 0.5):
            # Something was lost on its way, or refused: that part of the round once more, in order.
            self._steps = [*self._strays(), *self._after] if locked else list(self._before)
        return self._after_reveal(lit)

    def _wagers(self) -> Iterator[Command]:
        """A round up to COIN IN."""
        name, rng = self._table.id, self._rng
        self._spots = rng.sample(range(1, self._table.spots + 1), rng.randint(1, min(4, self._table.spots)))
        for spot in self._spots:
            if rng.random() < (0.1 if spot in self._seated else 0.95):
                self._seated.add(spot)
                yield play.SitDown(table=name, spot=spot, player=f"guest-{spot}")
            adds = self._table.kind == "virtual" and rng.random() < 0.7
            added = f"{rng.getrandbits(256):064x}" if adds else ""
            for wager in self._game.wagers:
                if wager.kind == "required" or (wager.kind == "optional" and rng.random() < 0.6):
                    cents = self._wager_cents if wager.key == "progressive" else rng.choice(_CENTS)
                    if wager.key == "base":
                        self._bases[spot] = cents
                    yield play.Bet(table=name, spot=spot, wager=wager.key, cents=cents, player_seed=added)
        yield play.NoMoreBets(table=name)
        yield deal.LockIn(table=name)

    def _play(self) -> Iterator[Command]:
        """From there to the close, if nothing comes between."""
        name, rng = self._table.id, self._rng
        yield from self._cards()
        if rng.random() < 0.1:
            leaving = rng.choice(self._spots)
            self._seated.discard(leaving)
            yield play.StandUp(table=name, spot=leaving)
        for spot in rng.sample(self._spots, len(self._spots)):
            yield self._act(name, spot)
        yield play.Collect(table=name)
        yield play.Reveal(table=name)
        bets = [one for one in self._before if isinstance(one, play.Bet)]
        for bet in bets:
            if bet.wager == "progressive" and self._held.get(bet.spot) in self._hands:
                yield deal.NameWin(table=name, spot=bet.spot, hand=self._held[bet.spot])
        for _ in range(len(self._spots) + sum(bet.wager in _LATER for bet in bets)):
            yield play.Reconcile(table=name)
        yield deal.CloseRound(table=name)

    def _strays(self) -> Iterator[Command]:
        """Cards and decisions for spots that are in though nobody planned it."""
        name = self._table.id
        for spot in range(1, self._table.spots + 1):
            if spot in self._spots:
                continue
            if self._table.kind == "cards" and self._rest:
                cards, self._rest = self._rest[: self._game.player_cards], self._rest[self._game.player_cards :]
                yield play.EnterCards(table=name, spot=spot, cards=text_of(cards))
            yield self._act(name, spot)

    def _cards(self) -> Iterator[Command]:
        name, rng = self._table.id, self._rng
        if self._table.kind == "virtual":
            yield play.Deal(table=name, packets=rng.choice((0, 1)))
            yield play.Deal(table=name, packets=0)
            return
        deck = list(self._game.deck)
        # Now and then in order, where the hands are that nobody ever sees.
        if rng.random() < 0.7:
            rng.shuffle(deck)
        for spot in rng.sample([0, *self._spots], len(self._spots) + 1):
            size = self._game.player_cards if spot else self._game.dealer_cards
            cards, deck = tuple(deck[:size]), deck[size:]
            if spot:
                self._held[spot] = CATEGORIES[category(joker.value_of_six(*cards))]
            yield play.EnterCards(table=name, spot=spot, cards=text_of(cards))
        self._rest = tuple(deck)

    def _act(self, name: str, spot: int) -> play.Act:
        if self._game.key == "six-card-pai-gow":
            cents = self._rng.choice((0, self._bases.get(spot, 0)))
            return play.Act(table=name, spot=spot, action="house_way", cents=cents)
        return play.Act(table=name, spot=spot, action="play" if self._rng.random() < 0.7 else "fold")

    def _after_reveal(self, lit: tuple[int, ...]) -> Command:
        name, rng = self._table.id, self._rng
        chance = rng.random()
        if chance < 0.45:
            return play.Reconcile(table=name, spot=0 if rng.random() < 0.8 else rng.choice(self._spots))
        if chance < 0.65:
            spot = rng.choice(lit or self._spots)
            hand = self._held.get(spot, "") if rng.random() < 0.9 else ""
            return deal.NameWin(table=name, spot=spot, hand=hand if hand in self._hands else rng.choice(self._hands))
        if chance < 0.72:
            wager = rng.choice(self._game.reconcile)
            return play.VerifyPayout(table=name, spot=rng.choice(self._spots), wager=wager, player="p")
        if chance < 0.80:
            return play.MalfunctionStep(table=name, step=rng.choice(("guide", "resumed", "resumed")))
        return deal.CloseRound(table=name)

    def _out_of_turn(self) -> Command:
        """Something that may come at any time, or should not come now."""
        name, rng, spot = self._table.id, self._rng, self._rng.randint(1, 7)
        wager = rng.choice([wager.key for wager in self._game.wagers])
        commands: list[Command] = [
            play.SitDown(table=name, spot=spot, player=f"guest-{rng.randint(1, 7)}"),
            play.StandUp(table=name, spot=spot),
            play.Bet(table=name, spot=spot, wager=wager, cents=rng.choice((0, -1, 1_000))),
            play.NoMoreBets(table=name),
            play.Deal(table=name),
            play.EnterCards(table=name, spot=spot, cards="Ah Kd 2c 5s 9h"),
            self._act(name, spot),
            play.TimeUp(table=name, spot=spot),
            play.Reveal(table=name),
            play.Reconcile(table=name),
            play.SignOver(table=name, to=rng.choice(("d1", "d2"))),
            play.MalfunctionStep(table=name, step=rng.choice(("failed", "procedure", *STEPS)), note="misfeed"),
            deal.Light(table=name, spot=spot),
            deal.FirstCard(table=name),
            deal.Fold(table=name, spot=spot),
            deal.SeeHand(table=name, spot=spot, hand=rng.choice(self._hands)),
            deal.CorrectCount(table=name, spot=spot, wagered=rng.random() < 0.5, reason="the chip lay beside"),
            deal.VoidRound(table=name, cause="a hand of six cards", malfunction=rng.random() < 0.3),
        ]
        return rng.choice(commands)
