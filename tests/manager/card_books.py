"""A second opinion on rounds with cards: what lies on the layout, what it comes to, and in which order it is settled.

Kept from the orders that were carried out; only what chance and the clock decided is taken from the events: the
sealed seeds of a virtual table, and what was decided for a player who had left or thought too long. The deck that
follows from the seeds is worked out here again. What the wagers come to is
asked of the contract of ``houseway settle``.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from houseway.adjudication import settle_object
from houseway.cards import Card, read_cards, text_of
from houseway.games import all_games, approved_book
from houseway.table.card_round import commands as ask
from houseway.table.card_round import events as tell
from houseway.table.config import TableConfig
from houseway.table.progressive_round import commands as press

Hold = Callable[[bool, str], None]
SeedOf = Callable[[str, str, int], bytes]
"""Opens the sealed seed of a table's round."""
LAST = {"caribbean-stud": (("cover_all",),), "six-card-pai-gow": (("fortune_envy",), ("insurance",))}
"""CSC-5, PGF-3: what waits for everything else, in its order."""
AT_ONCE = {"caribbean-stud": {"ante", "bet"}}
"""CS-7: what one pass around the table settles first where the dealer has no hand."""
FORFEITS = {"caribbean-stud": {"ante", "bonus"}}
"""CS-5, CSB-A1: what a fold gives up."""
DEALING = (
    *(ask.SitDown, ask.StandUp, ask.Bet, ask.NoMoreBets, ask.Deal, ask.EnterCards, ask.Act, ask.TimeUp),
    *(ask.Collect, ask.Reveal, ask.Reconcile, ask.SignOver, ask.MalfunctionStep, ask.CollectCommission, ask.ChangeShoe),
)
"""What a dealer may do; a technician may record what was done about a shuffler too."""


def deck_from(seed: bytes, table: str, round: int, added: dict[int, str], pack: Sequence[Card]) -> list[Card]:
    """TR-11, another way: all the bytes that could be needed at once, and the deck built from its last place up."""
    lines = ["houseway deck 2", table, str(round), *(f"{spot} {added[spot]}" for spot in sorted(added)), ""]
    key = hmac.new(seed, "\n".join(lines).encode(), "sha256").digest()
    drawn = iter(b"".join(hmac.new(key, struct.pack(">Q", block), "sha256").digest() for block in range(64)))
    deck = list(pack)
    for size in range(len(deck), 1, -1):
        # A number above 256 takes two bytes.
        wide = size > 256
        all_of_them = 65_536 if wide else 256
        numbers = (256 * byte + next(drawn) if wide else byte for byte in drawn)
        place = next(number % size for number in numbers if number // size < all_of_them // size)
        deck[place], deck[size - 1] = deck[size - 1], deck[place]
    return deck


@dataclass
class CardRound:
    """One round with cards."""

    wagers: dict[int, dict[str, int]] = field(default_factory=dict)
    added: dict[int, str] = field(default_factory=dict)
    """TR-11: what players added to the deck, by spot."""
    deck: list[Card] = field(default_factory=list)
    """What is left of it, the top card first."""
    called: bool = False
    cards: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    """By spot; 0 is the dealer."""
    decisions: dict[int, tuple[str, Card | None, int]] = field(default_factory=dict)
    """What each spot did: the action, the card it named, the cents it added."""
    hands: dict[int, str] = field(default_factory=dict)
    """What each spot holds, once the dealer's cards are turned over."""
    open: dict[int, dict[str, tuple[int, int]]] = field(default_factory=dict)
    """What is still to be reconciled, by spot and wager: what lies there and what comes back."""
    collected: dict[int, dict[str, int]] = field(default_factory=dict)
    """CS-5: what was taken of folded spots before the reveal."""
    no_hand: bool = False
    """CS-7: whether the dealer does not qualify."""
    revealed: bool = False
    reconciled: bool = False
    to_rack: int = 0
    """Cents that the rack took, less what it paid: a void gives them back."""
    """Whether anything was."""

    def folded(self, spot: int) -> bool:
        return spot in self.decisions and self.decisions[spot][0] == "fold"

    @staticmethod
    def seen(actions: Sequence[Any]) -> tuple[str, Card | None, int]:
        """The one action of a spot, as it is written here."""
        (action,) = actions
        return action.action, action.card, action.cents


class CardTable:
    """A table with cards."""

    def __init__(self, config: TableConfig, hold: Hold, seed_of: SeedOf) -> None:
        self.config = config
        self._hold = hold
        self._seed_of = seed_of
        self._sealed: dict[int, str] = {}
        """The house's seed of each round."""
        self.game = all_games()[config.game]
        self.seats: dict[int, str] = {}
        self.owners: dict[int, str] = {}
        """Who bet at each spot."""
        self.now = CardRound()

    def next_round(self) -> None:
        self.now = CardRound()

    # ------------------------------------------------------------------------------------------------- wagers and cards

    def sit_down(self, command: ask.SitDown) -> None:
        self._hold(command.spot not in self.seats, f"{command}: the spot is taken")
        self._hold(command.player not in self.seats.values(), f"{command}: he has a spot")
        self.seats[command.spot] = command.player

    def stand_up(self, spot: int) -> None:
        self._hold(spot in self.seats, f"somebody left spot {spot} of {self.config.id}, where nobody sat")
        del self.seats[spot]
        if not self.now.called:
            self.now.wagers.pop(spot, None)
            self.now.added.pop(spot, None)

    def bet(self, spot: int, wager: str, cents: int) -> None:
        """A wager in place of what lay there; nothing for 0."""
        made = self.now.wagers.setdefault(spot, {})
        made.pop(wager, None)
        if cents:
            made[wager] = cents
        if not made:
            del self.now.wagers[spot]

    def placed(self, command: ask.Bet) -> None:
        self._hold(not self.now.called, f"{command}: after the call")
        self._hold(command.spot in self.seats, f"{command}: nobody sits there")
        self._hold(command.cents >= 0, f"{command}: less than nothing")
        self.owners[command.spot] = self.seats[command.spot]
        self.bet(command.spot, command.wager, command.cents)

    def call(self) -> None:
        needed = {wager.key for wager in self.game.wagers if wager.kind == "required"}
        self._hold(bool(self.now.wagers), f"{self.config.id}: no more bets where nobody bet")
        self._hold(all(needed <= made.keys() for made in self.now.wagers.values()), f"{self.config.id}: no base wager")
        self.now.called = True

    def told(self, command: Any, events: Sequence[Any]) -> None:
        """Seeds, cards as they came out of the shuffler, and decisions."""
        promised = False
        for event in events:
            if isinstance(event, tell.SeedCommitted):
                promised = True
                self._sealed[event.round] = event.sealed
                ends = isinstance(command, press.CloseRound | press.VoidRound)
                self._hold(
                    ends or not self.now.wagers, f"{self.config.id}: the house committed to its seed after a wager"
                )
            elif isinstance(event, tell.DeckShuffled):
                self._shuffle(event)
            elif isinstance(event, tell.PacketDealt):
                size = self.game.player_cards if event.target else self.game.dealer_cards
                cards, self.now.deck = tuple(self.now.deck[:size]), self.now.deck[size:]
                self._deal(event.target, cards)
            elif isinstance(event, tell.Acted):
                self._decide(command, event)
        if isinstance(command, ask.Bet) and command.cents and command.player_seed and not promised:
            known = self.now.added.setdefault(command.spot, command.player_seed)
            self._hold(known == command.player_seed, f"{command}: another seed than {known}")

    def _shuffle(self, event: tell.DeckShuffled) -> None:
        """TR-11: everybody's seed is in the deck who has a wager, and nobody else's."""
        self._hold(not self.now.deck and not self.now.cards, f"{self.config.id} was shuffled twice")
        added = {spot: text for spot, text in sorted(self.now.added.items()) if spot in self.now.wagers}
        self._hold(event.player_seeds == added, f"{self.config.id}: {event.player_seeds} in the deck, not {added}")
        seed = self._seed_of(self._sealed[event.round], self.config.id, event.round)
        self.now.deck = deck_from(seed, self.config.id, event.round, added, self.game.deck)

    def enter(self, command: ask.EnterCards) -> None:
        self._hold(self.config.kind == "cards", f"{command}: the system deals there")
        self.now.cards.pop(command.spot, None)
        self._deal(command.spot, read_cards(command.cards))

    def _deal(self, target: int, cards: tuple[Card, ...]) -> None:
        """No card twice, to nobody who is not in, and nothing before the call."""
        self._hold(self.now.called and not self.now.revealed, f"{self.config.id}: cards at the wrong time")
        out = {card for hand in self.now.cards.values() for card in hand}
        self._hold(not out & set(cards) and len(set(cards)) == len(cards), f"{self.config.id}: {cards} was out already")
        if target < 0:
            return
        self._hold(target in (0, *self.now.wagers), f"{self.config.id}: cards to spot {target}, which is not in")
        size = self.game.player_cards if target else self.game.dealer_cards
        self._hold(len(cards) == size, f"{self.config.id}: {len(cards)} cards to {target}")
        self.now.cards[target] = cards

    def _decide(self, command: Any, event: tell.Acted) -> None:
        spot, card = event.spot, event.card
        self._hold(spot not in self.now.decisions, f"{self.config.id} spot {spot} decided twice")
        if isinstance(command, ask.Act) and command.spot == spot:
            asked = (command.action, command.cents)
            self._hold((event.action, event.cents) == asked, f"{command} became {event}")
            if event.place is not None:
                self._hold(card is None, f"{command}: {event} tells a sealed card")
                card = self.now.cards[spot][event.place]
            said = text_of((card,)) if card is not None else ""
            self._hold(said == command.card, f"{command} became {event}")
        else:
            forced = "house_way" if self.config.game == "six-card-pai-gow" else "fold"
            self._hold(event.action == forced and event.how != "player", f"{command} made spot {spot} act: {event}")
        self._hold(event.folds == (event.action == "fold"), f"{event}")
        self.now.decisions[spot] = event.action, card, event.cents

    # ------------------------------------------------------------------------------------------------ what it comes to

    def reveal(self) -> None:
        now = self.now
        if now.revealed:
            return
        # TC-2: a spot with Pair Plus alone has nothing to decide.
        asked = {spot for spot, made in now.wagers.items() if "ante" in made or "base" in made}
        self._hold(now.decisions.keys() == asked, f"{self.config.id} turned over before all had decided")
        folded = {spot for spot in now.decisions if now.folded(spot)}
        self._hold(now.collected.keys() == folded, f"{self.config.id} turned over with forfeits on the layout")
        now.revealed = True
        options = {
            name: value for name, value in self.config.options.items() if name not in ("award_order", "fixed_from")
        }
        answer = settle_object(
            {
                "game": self.config.game,
                "tables": {wager: table.id for wager, table in self.config.tables.items()},
                "options": options,
                "dealer": text_of(now.cards[0]),
                "spots": [self._asked(spot) for spot in now.wagers],
            },
            approved_book(),
        )
        now.no_hand = answer["dealer"].get("qualifies") is False
        for spot in answer["spots"]:
            now.hands[spot["spot"]] = spot["category"]
            lines = now.open[spot["spot"]] = {}
            for wager, line in spot["wagers"].items():
                envy = line.get("envy", 0)
                lines[wager] = line["wagered"], line["returned"] - envy
                if envy:
                    lines[f"{wager}_envy"] = 0, envy
            for wager, cents in now.collected.get(spot["spot"], {}).items():
                self._hold(lines.pop(wager) == (cents, 0), f"{self.config.id}: {wager} was no forfeit")

    def _asked(self, spot: int) -> dict[str, Any]:
        wagers = {wager: cents for wager, cents in self.now.wagers[spot].items() if wager != "progressive"}
        decision: dict[str, Any] = {}
        if spot in self.now.decisions:
            action, card, cents = self.now.decisions[spot]
            decision = {action: True if card is None else text_of((card,))}
            if cents:
                decision["double_down"] = cents
        return {"spot": spot, "cards": text_of(self.now.cards[spot]), "wagers": wagers, "decision": decision}

    def collect(self, events: Sequence[Any]) -> int:
        """Forfeits of folded spots, before the reveal; how many cents went to the rack."""
        now, table, cents = self.now, self.config.id, 0
        keeps = self.config.options.get("folded_keeps_bonus", False)
        for event in events:
            self._hold(isinstance(event, tell.ForfeitCollected), f"{table}: {event} is no forfeit")
            self._hold(now.folded(event.spot) and not now.revealed, f"{table}: {event} of a hand in play")
            self._hold(event.spot not in now.collected, f"{table}: {event} again")
            lost = FORFEITS[self.config.game] - ({"bonus"} if keeps else set())
            due = {wager: amount for wager, amount in now.wagers[event.spot].items() if wager in lost}
            self._hold(event.each == due, f"{table}: {event} and not {due}")
            now.collected[event.spot] = due
            cents += sum(due.values())
        return cents

    def reconcile(self, events: Sequence[Any]) -> int:
        """One step, which must have been next, or the whole pass of a dealer without a hand (CS-7); how many cents went
        to the rack, less what came back.
        """
        table = self.config.id
        passes = [self._reconciled(event) for event in events]
        at_once = {turn for turn, _ in passes} == {-1}
        left = {self._turn(spot, lines) for spot, lines in self.now.open.items() if lines}
        self._hold(len(passes) == 1 or at_once, f"{table}: {len(passes)} steps in one")
        self._hold(not at_once or -1 not in left, f"{table}: the pass stopped half way")
        return sum(cents for _, cents in passes)

    def _reconciled(self, event: Any) -> tuple[int, int]:
        """The turn of one step, and its cents."""
        now, table = self.now, self.config.id
        self._hold(now.revealed and isinstance(event, tell.Reconciled), f"{table}: reconciled before the reveal")
        turns = {spot: self._turn(spot, lines) for spot, lines in now.open.items() if lines}
        first = min(turns.values())
        next_spot = max(spot for spot, turn in turns.items() if turn == first)
        self._hold(turns.get(event.spot) == first, f"{table}: spot {event.spot} was settled out of turn")
        self._hold(event.spot == next_spot, f"{table}: spot {event.spot} before spot {next_spot}")
        lines = now.open[event.spot]
        group = {wager for wager in lines if self._of(event.spot, wager) == first}
        self._hold(set(event.wagers) == group, f"{table}: {event.wagers} of spot {event.spot}, not {group}")
        taken = [lines.pop(wager) for wager in event.wagers]
        now.reconciled = True
        return first, sum(wagered - returned for wagered, returned in taken)

    def _of(self, spot: int, wager: str) -> int:
        if self.now.no_hand and wager in AT_ONCE.get(self.config.game, ()) and not self.now.folded(spot):
            return -1
        groups = LAST[self.config.game]
        return next((place for place, group in enumerate(groups, start=1) if wager in group), 0)

    def _turn(self, spot: int, lines: dict[str, tuple[int, int]]) -> int:
        return min(self._of(spot, wager) for wager in lines)

    def close(self) -> None:
        """Everything was turned over, taken and paid."""
        self._hold(self.now.revealed and not any(self.now.open.values()), f"{self.config.id} closed with wagers open")
