"""A random walk over all games and kinds of table: whatever is asked, and by whom, what must hold holds.

From any state that can be reached, sensible and senseless commands. After each: money is conserved and every meter is
what its account holds; every card is in exactly one place; wagers are reconciled once each and in order; a refused
command changes nothing. At the end the journal, read back from its text, gives the floor as it stands.
"""

from __future__ import annotations

from collections import Counter
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from tests.manager.floor_kit import settled
from tests.table.board_games import BOARD_GAMES
from tests.table.card_floor import (
    AMOUNTS,
    OF_BOARD_OR_SHOE,
    CardFloor,
    OnPaper,
    OnSqlite,
    Staffed,
    TiltedShoe,
    act,
    action_of,
    floor_of,
)

from houseway.cards import Card, text_of
from houseway.games import all_games
from houseway.games.flow import BOARD, packet_size
from houseway.games.round import Dealt
from houseway.manager import commands as office
from houseway.manager.config import FloorConfig
from houseway.manager.entry import Entry
from houseway.progressive.link import promised
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import Refusal
from houseway.table.card_round import agenda
from houseway.table.card_round import commands as ask
from houseway.table.card_round import decide as play_decide
from houseway.table.card_round import events as tell
from houseway.table.card_round.cards import deck_of, filled, opened
from houseway.table.card_round.decide import FAILED, PLAYER, PROCEDURE, fault_of, large_wins
from houseway.table.card_round.evolve import evolve_seats
from houseway.table.card_round.forfeits import forfeits
from houseway.table.card_round.state import Hand, Play
from houseway.table.card_round.streets import last_street, next_street
from houseway.table.card_round.streets import waiting as waiting_spots
from houseway.table.commitment import check_dealt, opens
from houseway.table.progressive_round import commands as press
from houseway.table.progressive_round import events as base
from houseway.table.progressive_round import evolve as table_evolve
from houseway.table.progressive_round import ledger
from houseway.table.progressive_round.decide import unnamed
from houseway.table.shuffler import STEPS, next_steps
from houseway.table.state import TableState

GUESTS: Final = tuple(f"guest-{number}" for number in range(1, 8))


class Wish(NamedTuple):
    """What somebody wants."""

    by: str
    command: office.Command
    second: str = ""


# ---------------------------------------------------------------------------------------------------- who asks for what


class Wanderer:
    """Wants something at some table, mostly what comes next there."""

    def __init__(self, staffed: Staffed, seed: int) -> None:
        self.staffed, self.random = staffed, Random(seed)
        self.wins: list[int] = []

    def wish(self) -> Wish:
        random = self.random
        name = random.choice(list(self.staffed.state.tables))
        table = self.staffed.state.tables[name]
        draw = random.random()
        if draw < 0.02:
            wish = self._office(table)
        elif draw < 0.80:
            wish = self._next(table)
        else:
            wish = self._anything(table)
        wish = self._by_player(table, wish)
        if random.random() < 0.03:
            wish = wish._replace(by=random.choice(["d1", "s1", "m1", "a1", "nobody", "", f"{PLAYER}guest-1", PLAYER]))
        return wish

    @staticmethod
    def _by_player(table: TableState, wish: Wish) -> Wish:
        """TR-8: at a virtual table players sit down, bet and decide for themselves."""
        command, hands = wish.command, table.round.play.hands
        if table.config.kind != "virtual":
            return wish
        match command:
            case ask.SitDown():
                return wish._replace(by=f"{PLAYER}{command.player}")
            case ask.Bet() | ask.StackDeck():
                return wish._replace(by=f"{PLAYER}{table.seats.get(command.spot, GUESTS[0])}")
            case ask.Act() if command.spot in hands:
                return wish._replace(by=f"{PLAYER}{hands[command.spot].player}")
        return wish

    def _next(self, table: TableState) -> Wish:
        """What moves the round on."""
        if table.config.kind == "progressive":
            return self._sensor(table)
        return self._with_cards(opened(table, self.staffed.floor.shoe))

    def _sensor(self, table: TableState) -> Wish:
        name, random, state = table.id, self.random, table.round
        if not state.locked:
            lit = tuple(random.sample(range(1, table.config.spots + 1), random.randint(1, table.config.spots)))
            return Wish("d1", press.LockIn(table=name, lit=lit))
        claim = self._claimed(table)
        if claim is not None:
            return claim
        if random.random() < 0.3 and state.booked:
            return self._named(table, random.choice(state.booked))
        return self._end(table)

    def _with_cards(self, table: TableState) -> Wish:
        name, random, play = table.id, self.random, table.round.play
        if not play.called:
            return self._betting(table)
        if table.config.link and not table.round.locked:
            return Wish("d1", press.LockIn(table=name))
        if table.malfunction and random.random() < 0.6:
            return self._repair(table)
        game = all_games()[table.config.game]
        if (game.dealer_cards and not play.dealer) or not all(hand.cards for hand in play.hands.values()):
            return self._cards(table)
        waiting = list(waiting_spots(all_games()[table.config.game], play))
        if waiting:
            return self._choice(table, random.choice(waiting))
        if not play.revealed:
            street = next_street(game, play) or last_street(game, play)
            if table.config.kind == "cards" and street is not None and street.target == BOARD:
                return self._cards(table)
            lying = forfeits(table.config, play)
            if lying:
                return Wish("d1", ask.Collect(table=name, spot=random.choice((0, *lying))))
            return Wish("d1", ask.Reveal(table=name))
        desk = self.staffed.felt(name).desk
        for spot, hand in unnamed(desk) if desk is not None else ():
            return Wish(random.choice(("d1", "d1", "s2")), press.NameWin(table=name, spot=spot, hand=hand))
        claim = self._claimed(table) if random.random() < 0.5 or not play.steps else None
        if claim is not None:
            return claim
        if play.steps:
            return Wish("d1", ask.Reconcile(table=name, spot=self._reconciled(play)))
        return self._end(table)

    def _reconciled(self, play: Play) -> int:
        folded = [step.spot for step in play.steps if play.hands[step.spot].folded]
        draw = self.random.random()
        return 0 if draw < 0.5 else self.random.choice(folded) if folded and draw < 0.7 else play.steps[0].spot

    def _betting(self, table: TableState) -> Wish:
        name, random, seats = table.id, self.random, table.seats
        game = all_games()[table.config.game]
        hands = table.round.play.hands
        if not seats or (len(seats) < 4 and random.random() < 0.3):
            spot = random.randint(1, table.config.spots)
            return Wish("d1", ask.SitDown(table=name, spot=spot, player=random.choice(GUESTS)))
        idle = [spot for spot in seats if spot not in hands]
        if hands and (random.random() < 0.3 or not idle):
            return Wish("d1", ask.NoMoreBets(table=name))
        spot = random.choice(idle or list(seats))
        placed = [wager for wager in game.wagers if wager.kind in ("required", "optional")]
        there = hands[spot].wagers if spot in hands else {}
        needed = [one for one in placed if one.kind == "required" and one.key not in there]
        wager = random.choice(needed or placed)
        cents = random.choice(AMOUNTS) if random.random() < 0.9 else 0
        link = self.staffed.link(name)
        if wager.key == "progressive" and link is not None and cents:
            cents = link.now.wager_cents
        if wager.equals and wager.equals in there:
            cents = there[wager.equals]
        added = random.choice(("", "the same as ever", f"{random.random()}")) if table.config.kind == "virtual" else ""
        bet = ask.Bet(table=name, spot=spot, wager=wager.key, cents=cents, player_seed=added)
        return Wish(f"{PLAYER}{seats[spot]}", bet)

    def _cards(self, table: TableState) -> Wish:
        name, random, play = table.id, self.random, table.round.play
        if table.config.kind == "virtual":
            return Wish("d1", ask.Deal(table=name, packets=random.choice((0, 1, 1, 2, 9))))
        game = all_games()[table.config.game]
        missing = [spot for spot, hand in play.hands.items() if not hand.cards] + ([] if play.dealer else [0])
        if not game.dealer_cards or not missing:
            missing = [spot for spot in missing if spot] or [BOARD]
        spot = random.choice(missing if missing and random.random() < 0.9 else [0, *play.hands])
        size = packet_size(game, spot)
        if spot == BOARD:
            street = next_street(game, play) or last_street(game, play)
            size = len(street.places) if street is not None else 1
        used = {card for hand in play.hands.values() for card in hand.cards} | set(play.dealer)
        used |= set(play.board_up.values())
        deck = [card for card in game.deck if card not in used or random.random() < 0.02]
        if random.random() < 0.05:
            size += random.choice((-1, 1))
        first = random.randrange(len(deck) - size) if random.random() < 0.3 else None
        cards = random.sample(deck, size) if first is None else deck[first : first + size]
        return Wish("d1", ask.EnterCards(table=name, spot=spot, cards=text_of(cards)))

    def _choice(self, table: TableState, spot: int) -> Wish:
        hand = table.round.play.hands[spot]
        if self.random.random() < 0.1:
            return Wish("d1", ask.TimeUp(table=table.id, spot=spot))
        action = action_of(all_games()[table.config.game], hand, self.random)
        by = "d1" if hand.left or self.random.random() < 0.3 else f"{PLAYER}{hand.player}"
        return Wish(by, act(table.id, spot, action))

    def _named(self, table: TableState, spot: int) -> Wish:
        link = self.staffed.link(table.id)
        hands = [row.hand for row in link.now.table.rows] if link is not None else ["royal_flush"]
        return Wish("d1", press.NameWin(table=table.id, spot=spot, hand=self.random.choice(hands)))

    def _claimed(self, table: TableState) -> Wish | None:
        link = self.staffed.link(table.id)
        claims = link.claims_at(table.id) if link is not None else ()
        if not claims:
            return None
        spot = self.random.choice(claims).spot
        if self.random.random() < 0.1:
            return Wish("s1", press.DropClaim(table=table.id, spot=spot, reason="misread"))
        if any(claim.fixed is not None for claim in claims):
            return Wish("s1", press.Run(table=table.id))
        if table.config.console == "touch":
            return Wish(self.random.choice(("e1", "e1", "s1")), press.Confirm(table=table.id, spot=spot))
        return Wish(self.random.choice(("e1", "e1", "s1")), press.JPot(table=table.id, spot=spot))

    def _end(self, table: TableState) -> Wish:
        """The close, after what surveillance must see; now and then a void."""
        random, name = self.random, table.id
        unseen = [win for win in table.round.wins if win.surveillance and not win.verified]
        if unseen and random.random() < 0.7:
            return Wish("o1", press.Surveillance(table=name, win=unseen[0].number, player="P"))
        felt = self.staffed.felt(name)
        for spot, wager in large_wins(felt.play, felt.context.policies):
            if wager not in table.round.play.hands[spot].verified:
                command = ask.VerifyPayout(table=name, spot=spot, wager=wager, player="P")
                return Wish("o1", command)
        if random.random() < 0.03:
            return Wish("s1", press.VoidRound(table=name, cause="misdeal", malfunction=random.random() < 0.5), "s2")
        return Wish("d1", press.CloseRound(table=name))

    def _repair(self, table: TableState) -> Wish:
        fault = fault_of(table)
        step = self.random.choice(next_steps(fault) if fault is not None else STEPS)
        return Wish("d1", ask.MalfunctionStep(table=table.id, step=step, note="backup 2"))

    def _spot(self, table: TableState) -> int:
        random = self.random
        return random.randint(1, table.config.spots) if random.random() < 0.95 else random.choice([0, -1, 8, 99])

    def _anything(self, table: TableState) -> Wish:
        """Any command there is, allowed or not."""
        random, name, spot = self.random, table.id, self._spot(table)
        guest = random.choice(GUESTS)
        wager = random.choice([*(one.key for one in all_games()[table.config.game].wagers), "tip"])
        play = table.round.play
        hand = play.hands.get(spot, Hand(player=guest, cards=(Card(0), Card(1)), wagers={"base": 500, "ante": 500}))
        game = all_games()[table.config.game]
        action = action_of(game, hand, random)
        wishes = [
            Wish(random.choice(("d1", f"{PLAYER}{guest}")), ask.SitDown(table=name, spot=spot, player=guest)),
            Wish(random.choice(("d1", f"{PLAYER}{guest}")), ask.StandUp(table=name, spot=spot)),
            Wish("d1", ask.Bet(table=name, spot=spot, wager=wager, cents=random.choice((-5, 0, 1, *AMOUNTS)))),
            Wish("d1", ask.NoMoreBets(table=name)),
            Wish("d1", ask.Deal(table=name, packets=random.choice((-1, 0, 1, 3)))),
            Wish("d1", ask.StackDeck(table=name, spot=spot, cards="As Ks Qs")),
            self._cards(table) if play.hands else Wish("d1", ask.EnterCards(table=name, spot=spot, cards="Ah Kd 2c")),
            Wish("d1", act(name, spot, action)),
            Wish("d1", ask.Act(table=name, spot=spot, action="play", card="As", cents=5)),
            Wish("d1", ask.TimeUp(table=name, spot=spot)),
            Wish("d1", ask.Collect(table=name, spot=random.choice((0, spot)))),
            Wish("d1", ask.Reveal(table=name)),
            Wish("d1", ask.Reconcile(table=name, spot=spot)),
            Wish("o1", ask.VerifyPayout(table=name, spot=spot, wager=wager, player="P")),
            Wish("d1", ask.SignOver(table=name, to=random.choice(("d1", "d2", "")))),
            self._fault(table),
            Wish("d1", press.Light(table=name, spot=spot)),
            Wish("d1", press.Unlight(table=name, spot=spot)),
            Wish("d1", press.LockIn(table=name, lit=random.choice((None, (1, 2), (9,))))),
            Wish("s1", press.CorrectCount(table=name, spot=spot, wagered=random.random() < 0.5, reason="slid")),
            Wish("d1", press.FirstCard(table=name)),
            Wish("d1", press.Fold(table=name, spot=spot)),
            Wish("d1", press.SeeHand(table=name, spot=spot, hand="")),
            Wish("d1", press.SamePlayer(table=name, spots=(spot, spot + 1))),
            self._named(table, spot),
            Wish("s1", press.DropClaim(table=name, spot=spot, reason="misread")),
            Wish("s1", press.Arrive(table=name)),
            Wish("e1", press.JPot(table=name, spot=spot)),
            Wish("s1", press.Run(table=name)),
            Wish("e1", press.Confirm(table=name, spot=spot)),
            Wish("o1", press.Surveillance(table=name, win=1, player="P")),
            Wish("d1", press.CloseRound(table=name, round=random.choice((0, 0, 1)))),
        ]
        if random.random() < 0.1:
            return Wish("s1", press.VoidRound(table=name, cause="misdeal", malfunction=random.random() < 0.5), "s2")
        return random.choice(wishes)

    def _fault(self, table: TableState) -> Wish:
        step = self.random.choice((FAILED, PROCEDURE, "kicked", *STEPS))
        return Wish("d1", ask.MalfunctionStep(table=table.id, step=step, note=self.random.choice(("4.2", ""))))

    def _office(self, table: TableState) -> Wish:
        """The Game Manager's own commands, where they touch a table."""
        random = self.random
        undo = office.UndoWin(win=random.choice(self.wins or [1]), reason="malfunction", explanation="misread")
        return random.choice(
            [
                Wish("m1", undo, "m2"),
                Wish("t1", office.Suspend(what="table", id=table.id, why="wiring")),
                *[Wish("t1", office.Resume(what="table", id=one)) for one in self._stopped()],
            ]
        )

    def _stopped(self) -> list[str]:
        return [name for name, table in self.staffed.state.tables.items() if table.stops] * 3


# ------------------------------------------------------------------------------------------------ what must always hold


class Watcher:
    """Looks at the floor after every command."""

    def __init__(self, staffed: Staffed) -> None:
        self.staffed = staffed
        self.happened: Counter[str] = Counter()
        self._done: dict[str, list[tell.Reconciled]] = {}
        self._forfeits: dict[str, Counter[int]] = {}
        """By table and spot: cents that were collected of folds (CS-5, TC-15)."""
        """What was reconciled in the present round, by table."""

    def seen(self, table: str) -> bytes:
        """Everything a command at a table could change, as text: nothing in it can be altered unnoticed."""
        state = self.staffed.state
        return _ENCODER.encode((state.tables[table], state.link_of(table), state.seq))

    def check(self, entry: Entry | None, before: TableState) -> None:
        """After a command; no entry where it was refused."""
        table = self.staffed.state.tables[before.id]
        for event in entry.events if entry is not None else ():
            self.happened[event.__class__.__name__] += 1
            if isinstance(event, tell.ForfeitCollected):
                assert not before.round.play.revealed
                self._forfeits.setdefault(before.id, Counter())[event.spot] += event.wagered
            if isinstance(event, tell.Reconciled):
                self._done.setdefault(event.table, []).append(event)
            elif isinstance(event, base.RoundClosed | base.RoundVoided):
                self._end_of_round(event, before, entry)
        self.money(before.id)
        if table.config.kind != "progressive":
            self.cards(table)
            self.wagers(table)

    def money(self, name: str) -> None:
        """All accounts sum to zero; meters and reserves are what their accounts hold, and keep what they promised."""
        held = self.staffed.floor.balances()
        assert sum(held.values()) == 0
        link = self.staffed.link(name)
        for meter, one in link.meters.items() if link is not None else ():
            assert link is not None
            assert one.value == held.get(f"meter/{link.id}/{meter}", 0) >= 0
            assert one.reserve == held.get(f"reserve/{link.id}/{meter}", 0) >= 0
            kept = promised(link, meter)
            assert one.value >= kept.held
            assert one.reserve >= kept.reserve

    def cards(self, table: TableState) -> None:
        """Each card of the deck in exactly one place: a hand, the dealer's, the rack, or not dealt yet."""
        play = opened(table, self.staffed.floor.shoe).round.play
        deck = all_games()[table.config.game].deck
        out = [card for hand in play.hands.values() for card in hand.cards]
        out += play.dealer
        assert len(set(out)) == len(out)
        assert set(out) <= set(deck)
        if table.config.kind != "virtual":
            assert play.sealed == ""
            return
        assert bool(play.sealed) == bool(play.commitment)
        assert play.commitment or not (play.hands or play.shuffled)
        assert not any(hand.cards for hand in table.round.play.hands.values())
        if not play.shuffled:
            assert out == []
            return
        order = deck_of(table, play, self.staffed.floor.shoe).order
        assert sorted(order) == sorted(deck)
        assert table.round.dealt or not table.config.link

    def wagers(self, table: TableState) -> None:
        """The progressive's books and the layout tell the same; nothing is reconciled twice or out of turn."""
        state, play = table.round, table.round.play
        if state.locked:
            assert set(state.booked) == {spot for spot, hand in play.hands.items() if "progressive" in hand.wagers}
            assert set(state.folded) == {spot for spot, hand in play.hands.items() if hand.folded}
        for spot, hand in play.hands.items():
            assert min(hand.wagers.values()) > 0
            assert play.called or table.seats.get(spot) == hand.player
            assert len(set(hand.reconciled)) == len(hand.reconciled)
            left = [wager for step in play.steps if step.spot == spot for wager in step.wagers]
            assert sorted([*hand.reconciled, *left]) == sorted(hand.lines)
            assert bool(hand.lines) == play.revealed or (hand.folded and not play.revealed)
            assert not hand.actions or hand.dealt or table.config.kind == "cards"

    def _end_of_round(self, event: Any, before: TableState, entry: Entry | None) -> None:
        table, done = before, self._done.pop(before.id, [])
        forfeited = self._forfeits.pop(before.id, Counter())
        assert entry is not None
        if table.config.kind == "progressive":
            return
        play = table.round.play
        if isinstance(event, base.RoundVoided):
            # FL-12: what was taken goes back, what was paid comes back.
            settled = sum(one.wagered - one.returned for one in done)
            assert event.rack == (settled + forfeited.total()) * MICROS_PER_CENT
        else:
            self._all_reconciled(table, done, forfeited)
        shown = [one for one in entry.events if isinstance(one, tell.DeckOpened)]
        assert bool(shown) == bool(play.commitment)
        for one in shown:
            self._as_promised(table, one, whole=play.dealt)

    def _all_reconciled(self, table: TableState, done: list[tell.Reconciled], forfeited: Counter[int]) -> None:
        """Every wager of every spot once, what follows from a decision included, and from the dealer's right."""
        play, game = table.round.play, all_games()[table.config.game]
        for spot, hand in play.hands.items():
            lay = sum(one.wagered for one in done if one.spot == spot) + forfeited[spot]
            placed = sum(cents for wager, cents in hand.wagers.items() if wager != "progressive")
            assert hand.actions or "ante" not in hand.wagers
            made = sum(action.cents for action in hand.actions)
            for action in hand.actions:
                point = next(point for point in game.points if point.key == action.point)
                choice = point.choice(action.action)
                if choice is None:  # a spot without a choice
                    continue
                made += sum(stake.times * hand.wagers[stake.of] for stake in choice.stakes if not stake.optional)
                made -= hand.wagers.get(choice.takes_back, 0)
            assert lay == placed + made
        in_order(table, done)

    def _as_promised(self, table: TableState, shown: tell.DeckOpened, *, whole: bool) -> None:
        """FL-3: the deck that was opened is the one that was promised, and was dealt so."""
        play, game = table.round.play, all_games()[table.config.game]
        assert shown.commitment == play.commitment
        if not whole:
            return
        assert opens(shown.commitment, bytes.fromhex(shown.seed), table=table.id, round=table.round.number)
        play = filled(play, shown.order)
        hands = {spot: hand.cards for spot, hand in play.hands.items()}
        places = [range(hand.first, hand.first + hand.count) for hand in play.hands.values()]
        places.append(range(play.dealer_first, play.dealer_first + play.dealer_count))
        places.append(range(play.board_first, play.board_first + play.board_count))
        rack = tuple(card for place, card in enumerate(shown.order) if not any(place in some for some in places))
        dealt = Dealt(hands, play.dealer, play.face_up, rack, play.board)
        assert all(play.board[place] == card for place, card in play.board_up.items())
        assert check_dealt(shown.order, dealt, game, table.config.options, play.start) == []
        self.happened["opened"] += 1


def in_order(table: TableState, done: list[tell.Reconciled]) -> None:
    """TC-13: spots n to 1, then again for the wagers that wait; CS-7, SE2-4: before them the pass of "no hand"."""
    game, play = all_games()[table.config.game], table.round.play
    turns = []
    for event in done:
        turn = next((1 + place for place, group in enumerate(game.later) if set(event.wagers) <= set(group)), 0)
        assert turn or not {wager for group in game.later for wager in group} & set(event.wagers)
        if play.dealer_plays is False and set(event.wagers) & set(game.at_once):
            assert set(event.wagers) <= set(game.at_once), "the pass settles nothing else"
            turn = -1
        assert not (play.hands[event.spot].folded and "ante" in event.wagers), "a fold was collected before the reveal"
        turns.append((turn, -event.spot))
    assert turns == sorted(set(turns))


_ENCODER: Final = msgspec.json.Encoder()


# ------------------------------------------------------------------------------------------------------------- the walk


def walk(floor: CardFloor, seed: int, steps: int, config: FloorConfig | None = None) -> Watcher:
    """So many commands on one floor."""
    random = Random(seed)
    staffed = Staffed(floor, config or floor_of(random))
    for guest in GUESTS:
        staffed.do("d1", office.Admit(player=guest, code=f"code of {guest}"))
    wanderer, watcher = Wanderer(staffed, seed), Watcher(staffed)
    for number in range(steps):
        floor.clock.later(random.choice((0, 1, 30)))
        wish = wanderer.wish()
        name = getattr(wish.command, "table", None) or "V1"
        before, seen = staffed.state.tables[name], watcher.seen(name)
        order = office.Order(id=f"wish-{number}", by=wish.by, second=wish.second, command=wish.command)
        try:
            entry = floor.give(order)
        except Refusal:
            watcher.happened["refused"] += 1
            unchanged(watcher, name, seen, before)
            watcher.check(None, before)
            continue
        watcher.check(entry, before)
        wanderer.wins += [event.win for event in entry.events if isinstance(event, base.WinPaid)]
    assert settled(floor.replayed()) == settled(floor.state)
    return watcher


def unchanged(watcher: Watcher, name: str, seen: bytes, before: TableState) -> None:
    """A refusal leaves a table and its link as they were. One of authority is itself written down, and no more."""
    table, link, _ = msgspec.json.decode(watcher.seen(name))
    was, other, _ = msgspec.json.decode(seen)
    assert (table, link) == (was, other)
    assert watcher.staffed.state.tables[name] == before


def on_paper(seed: int, steps: int) -> Counter[str]:
    return walk(OnPaper(TiltedShoe(Random(seed), tilt=0.6)), seed, steps).happened


def test_a_random_walk_of_18_000_commands() -> None:
    happened: Counter[str] = Counter()
    for seed in range(1, 13):
        happened += on_paper(seed, 1_500)
    assert missing(happened) == []
    assert 3_000 < happened["refused"] < 12_000


def test_a_random_walk_at_games_with_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streets, several decisions, conditions and take-backs, at tables of both kinds."""
    for key, game in BOARD_GAMES.items():
        monkeypatch.setitem(all_games(), key, game)
    happened: Counter[str] = Counter()
    for seed in range(10):
        config = floor_of(Random(seed), ("virtual", "cards"), BOARD_GAMES, without_link=1.0)
        happened += walk(OnPaper(TiltedShoe(Random(seed), tilt=0.3)), seed, 1_200, config).happened
    for kind in (tell.Acted, tell.BoardTurned, tell.DealerRevealed, tell.CardsEntered, base.RoundClosed):
        assert happened[kind.__name__] > 15, kind
    assert happened["opened"] > 10


def missing(happened: Counter[str]) -> list[str]:
    """Which kinds of event the walk never came to: all of them must be reachable."""
    kinds = [*tell.AnyPlayEvent.__args__, *base.AnyTableEvent.__args__]
    # On a real floor, as this is, no deck can be stacked however often it is asked for.
    assert not happened["DeckStacked"]
    kinds.remove(tell.DeckStacked)
    # No new round has decks of before TR-11, or decisions of before there were actions by name.
    kinds.remove(tell.DeckCommitted)
    kinds.remove(tell.SpotDecided)
    # Boards are walked below; shoes have tests of their own in test_shoe.py and test_commission.py.
    for kind in OF_BOARD_OR_SHOE:
        kinds.remove(kind)
    return [kind.__name__ for kind in kinds if not happened[kind.__name__]]


@pytest.mark.parametrize("seed", [101, 102])
def test_a_random_walk_on_sqlite(tmp_path: Path, seed: int) -> None:
    floor = OnSqlite(tmp_path, TiltedShoe(Random(seed), tilt=0.6))
    happened = walk(floor, seed, 1_000).happened
    assert happened["RoundClosed"] > 10
    stood = floor.state
    floor.reopen()
    assert floor.state == stood
    floor.floor.close()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(50))
def test_a_random_walk_of_500_000_commands(seed: int) -> None:
    """Fifty floors, ten thousand commands each."""
    happened = on_paper(1_000 + seed, 10_000)
    assert happened["RoundClosed"] > 100


# --------------------------------------------------------------------------------------------------------- planted bugs


def _from_the_left(game: Any, hands: Any, options: Any, qualifies: Any) -> Any:
    """Reconciles from the wrong side."""
    return tuple(sorted(agenda.steps(game, hands, options, qualifies), key=lambda step: step.spot))


def _one_card_twice(self: TiltedShoe, deck: tuple[Card, ...], random: Random) -> tuple[Card, ...]:
    return (*deck[:-1], deck[0])


def _forgets_a_wager(felt: Any, command: Any) -> Any:
    """Refuses, and yet changes something."""
    felt.play.hands.clear()
    raise Refusal("table", "not now")


def _keeps_a_micro(source: str, target: str, purpose: str, micros: int) -> Any:
    return [ledger.Line(source, purpose, -micros), ledger.Line(target, purpose, micros - 1)] if micros else []


class _Forgetful:
    """Every ninth time it forgets who sat down: a state that the journal does not tell."""

    def __init__(self) -> None:
        self._times = 0

    def __call__(self, seats: Any, event: Any) -> Any:
        self._times += isinstance(event, tell.Seated)
        return seats if self._times % 9 == 0 else evolve_seats(seats, event)


@pytest.mark.parametrize(
    ("where", "name", "bug"),
    [
        (play_decide, "steps", _from_the_left),
        (TiltedShoe, "_order", _one_card_twice),
        (ledger, "moved", _keeps_a_micro),
        (table_evolve, "evolve_seats", _Forgetful()),
    ],
)
def test_a_planted_bug_is_found(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, bug: Any) -> None:
    monkeypatch.setattr(where, name, bug)
    with pytest.raises((AssertionError, RuntimeError, KeyError)):
        list(map(on_paper, range(1, 5), repeat(2_000)))


def test_a_refusal_that_changes_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(play_decide._DECIDE, ask.NoMoreBets, _forgets_a_wager)
    with pytest.raises(AssertionError):
        on_paper(1, 2_000)
