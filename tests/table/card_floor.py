"""A floor whose tables play with cards, on paper or on SQLite, and the people who play there at random.

On paper the same decisions are made on the same state without a database, for very many of them. The shoe's decks are
sealed and committed to as a real one's; some of them lie in order, so that the hands nobody ever sees come often.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from tests.keys import KEYS
from tests.manager.floor_kit import STAFF, Clock
from tests.staff_kit import founding, with_credentials

from houseway.cards import Card, rank_of, text_of
from houseway.games import Game, all_games, approved_book
from houseway.games.flow import BOARD, is_open, next_point
from houseway.games.model import Choice
from houseway.games.round import FOLD, HOUSE_WAY, PLAY, Action
from houseway.manager import commands as office
from houseway.manager.config import FloorConfig, LinkConfig
from houseway.manager.decide import Office, decide
from houseway.manager.entry import Entry, entry_of, row_of
from houseway.manager.floor import INSTALLATION, Floor
from houseway.manager.ledger import postings_of
from houseway.manager.past import Journal
from houseway.manager.shoe import SealingShoe
from houseway.manager.state import FloorState, after, caught_up
from houseway.manager.store import open_store
from houseway.manager.store.base import Head
from houseway.paytables import PayTable, ProgressiveTable
from houseway.progressive.link import Claim, LinkState, queue
from houseway.progressive.terms import MeterTerms, Terms
from houseway.table.card_round import commands as ask
from houseway.table.card_round import events as tell
from houseway.table.card_round.cards import opened
from houseway.table.card_round.decide import PLAYER, Felt, large_wins
from houseway.table.card_round.forfeits import forfeits
from houseway.table.card_round.state import Hand, Play
from houseway.table.card_round.streets import actions_of, last_street, next_street, waiting
from houseway.table.commitment import Shuffled
from houseway.table.config import Limits, Policies, TableConfig
from houseway.table.progressive_round import commands as press
from houseway.table.progressive_round.decide import Context, Desk, unnamed
from houseway.table.progressive_round.events import TableEvent

GAMES: Final = tuple(key for key, game in all_games().items() if game.progressive is not None)
"""Those with a progressive; a shoe has no hidden cards, and tests of its own (test_shoe.py)."""
AMOUNTS: Final = (500, 1000, 2500, 175, 10_000)
"""Cents; odd ones too, where a payout is rounded."""
KEY: Final = b"a key that only this test knows."

OF_BOARD_OR_SHOE: Final = (
    *(tell.BoardTurned, tell.CardDrawn, tell.ShoeContinued, tell.ShoeChanged),
    *(tell.CommissionMarked, tell.CommissionCollected, tell.CommissionWrittenOff, tell.CommissionUnmarked),
)
"""What happens at games with a board or a shoe alone, which have tests of their own."""


class TiltedShoe(SealingShoe):
    """A seeded shoe. ``tilt`` of its decks lie nearly in order, by suit or by rank."""

    def __init__(self, random: Random, tilt: float = 0.0) -> None:
        super().__init__(KEY, entropy=random.randbytes)
        self._tilt = tilt

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
        fair = super()._shuffled(cards, seed, player_seeds, positions, table=table, round=round)
        return fair._replace(order=self._order(cards, Random(seed)) or fair.order)

    def _order(self, deck: tuple[Card, ...], random: Random) -> tuple[Card, ...]:
        """A deck that is tilted; none for the one that follows from the seeds."""
        cards = list(deck)
        if random.random() >= self._tilt:
            return ()
        if random.random() < 0.3:
            cards.sort(key=rank_of)
        cut = random.randrange(len(cards))
        cards = cards[cut:] + cards[:cut]
        for _ in range(random.choice((0, 0, 1, 3, 8))):
            one, other = random.randrange(len(cards)), random.randrange(len(cards))
            cards[one], cards[other] = cards[other], cards[one]
        return tuple(cards)


# ------------------------------------------------------------------------------------------------------ what is set up


def options_of(game: Game, random: Random, strange: float) -> dict[str, Any]:
    """The house options of a table, some of them not at their default."""
    chosen = dict(game.defaults)
    for option in game.options:
        if random.random() >= strange:
            continue
        candidates: tuple[Any, ...] = {
            "award_order": ("left_to_right", random.sample(range(1, game.most_spots + 1), game.most_spots)),
            "dealer_position": (1, 2, 3, 4),
            "positions": (5, 7),
            "decision_timeout_seconds": (20,),
            "equal_hands": ("lose",),
            "reconcile_order": ("pair_plus ante ante_bonus play",),
        }.get(option.name, (True, False))
        fitting = [value for value in candidates if option.fits(value)]
        if option.name != "two_spots" and fitting:
            chosen[option.name] = random.choice(fitting)
    return chosen


def limits_of(game: Game) -> dict[str, Limits]:
    """Posted limits for every wager that is placed, wide enough for most of the amounts here."""
    placed = [wager.key for wager in game.wagers if wager.kind in ("required", "optional", "follows")]
    return {key: Limits(minimum_cents=200, maximum_cents=6_000) for key in placed if key != "progressive"}


def table_of(name: str, game: Game, kind: Any, random: Random, *, strange: float, link: str) -> TableConfig:
    """One table, its pay tables drawn from the approved ones."""
    options = options_of(game, random, strange)
    tables = {}
    for wager in game.table_wagers:
        found = [one for one in approved_book().of(game.families, wager) if isinstance(one, PayTable)]
        if found:
            # A copy: a pay table that settles keeps what it worked out, and that cannot be journalled.
            tables[wager] = dataclasses.replace(random.choice(found))
    spots = min(game.most_spots, 6, options.get("positions", 7) - 1)
    return TableConfig(
        id=name,
        game=game.key,
        console=random.choice(("touch", "keypad")),
        spots=spots,
        link=link,
        kind=kind,
        tables=tables,
        options=options,
        second_spot_envies=game.second_spot_envies,
        limits=limits_of(game) if random.random() < strange else {},
    )


def link_of(table: TableConfig, random: Random, *, whole_cents: bool) -> LinkConfig:
    """The link of one table, on one of the pay tables approved for its game."""
    game = all_games()[table.game]
    pays = random.choice([one for one in approved_book().of(game.families, "progressive") if _links(one, table.game)])
    assert isinstance(pays, ProgressiveTable)
    open_from = ("as_marked", "tray", f"meter:{pays.meters[-1]}")
    rates = (2_000, 400) if whole_cents else random.choice(((3_233, 77), (1_111, 0), (2_500, 123)))
    meters = {
        name: MeterTerms(contribution_bp=rates[0], reserve_bp=rates[1], seed_cents=random.choice((0, 50_00, 1_000_00)))
        for name in pays.meters
    }
    terms = Terms(
        table=pays,
        wager_cents=pays.stated_wager_cents or random.choice((100, 500)),
        meters=meters,
        fixed_from=random.choice(open_from),
    )
    return LinkConfig(id=table.link, name=table.link, tables=(table.id,), terms=terms)


def _links(pays: Any, game: str) -> bool:
    from houseway.manager.alike import unlike

    return isinstance(pays, ProgressiveTable) and not list(unlike(pays, [game]))


def floor_of(
    random: Random,
    kinds: Iterable[str] = ("virtual", "cards", "progressive"),
    games: Iterable[str] = GAMES,
    *,
    strange: float = 0.3,
    without_link: float = 0.2,
    whole_cents: bool = False,
) -> FloorConfig:
    """A floor with a table of every game and kind, each on a link of its own or on none."""
    tables, links = [], []
    for kind in kinds:
        for number, key in enumerate(games, start=1):
            name = f"{kind[0].upper()}{number}"
            has_progressive = all_games()[key].progressive is not None
            if kind == "progressive" and not has_progressive:
                continue
            linked = kind == "progressive" or (random.random() >= without_link and has_progressive)
            table = table_of(name, all_games()[key], kind, random, strange=strange, link=f"L-{name}" if linked else "")
            tables.append(table)
            if linked:
                links.append(link_of(table, random, whole_cents=whole_cents))
    policies = Policies(
        site="Test house",
        jurisdiction="none",
        washington=strange > 0 and random.random() < 0.5,
        executive_from_cents=random.choice((50_00, 1_000_000)),
        surveillance_over_cents=random.choice((100_00, 300_000)),
    )
    return FloorConfig(policies=policies, tables=tuple(tables), links=tuple(links))


# --------------------------------------------------------------------------------------------------- where it is played


class CardFloor(Protocol):
    """A floor that takes orders, one after another."""

    shoe: SealingShoe
    clock: Clock

    @property
    def state(self) -> FloorState: ...

    def give(self, order: office.Order) -> Entry: ...

    def balances(self) -> dict[str, int]: ...

    def replayed(self) -> FloorState: ...


class OnPaper:
    """No database: decide, check that it balances, evolve."""

    def __init__(self, shoe: SealingShoe, *, keep: bool = True) -> None:
        self.shoe, self.clock = shoe, Clock("2026-03-01 20:00")
        self.book: list[Entry] = []
        self._keep = keep
        self._state = FloorState()
        self._held: dict[str, int] = {}

    @property
    def state(self) -> FloorState:
        return self._state

    def balances(self) -> dict[str, int]:
        return self._held

    def give(self, order: office.Order) -> Entry:
        state, day = self._state, "2026-03-01"
        past = Journal(_NOTHING, self.book, lambda row: entry_of(row.body))
        events = decide(Office(state, order, state.seq + 1, self.clock(), day, past, self.shoe))
        subject = next((event for event in events if isinstance(event, TableEvent)), None)
        entry = Entry(
            seq=state.seq + 1,
            at=self.clock(),
            day=day,
            order=order.id,
            digest="",
            by=order.by,
            second=order.second,
            kind=office.kind_of(order.command),
            table=subject.table if subject else "",
            round=subject.round if subject else 0,
            events=events,
        )
        postings = postings_of(entry)
        self._state = after(state, entry, "")
        if self._keep:
            self.book.append(entry)
        for posting in postings:
            self._held[posting.account] = self._held.get(posting.account, 0) + posting.micros
        return entry

    def replayed(self) -> FloorState:
        """Through the text of every entry, as a journal would keep it."""
        state = FloorState()
        for entry in self.book:
            state = after(state, entry_of(row_of(entry, Head(entry.seq - 1, "")).body), "")
        return state


class _Nothing:
    """A store in which nothing is."""

    def entry(self, seq: int) -> None:
        return None

    def round_entries(self, table: str, round: int) -> list[Any]:
        return []


_NOTHING: Any = _Nothing()


class OnSqlite:
    """A real floor on a real database."""

    def __init__(self, folder: Path, shoe: SealingShoe) -> None:
        self.shoe, self.clock = shoe, Clock("2026-03-01 20:00")
        self._file = str(folder / "floor.db")
        self.reopen()

    def reopen(self) -> None:
        """As after a power cut: what was durable, and nothing else."""
        if hasattr(self, "store"):
            self.store.close()
        self.store = open_store(self._file)
        self.floor = Floor(self.store, keys=KEYS, clock=self.clock, threaded=False, shoe=self.shoe)

    @property
    def state(self) -> FloorState:
        return self.floor.state

    def balances(self) -> dict[str, int]:
        return self.store.balances()

    def give(self, order: office.Order) -> Entry:
        named, credentials = with_credentials(order)
        return self.floor.handle(named, *credentials).entry

    def replayed(self) -> FloorState:
        return caught_up(FloorState(), self.store)


class Staffed:
    """A founded floor, its staff and open meters; orders get their ids here."""

    def __init__(self, floor: CardFloor, config: FloorConfig) -> None:
        self.floor = floor
        self.after_each: Callable[[Entry], None] | None = None
        self._numbers = count(1)
        self.do(INSTALLATION, founding(config, STAFF))
        for link in config.links:
            for meter in link.terms.meters:
                self.do("m1", office.SeedMeter(link=link.id, meter=meter))

    def do(self, by: str, command: office.Command, second: str = "") -> Entry:
        """Give an order under an id of its own; a player who was not let in yet is let in first."""
        name = by.removeprefix(PLAYER)
        if by.startswith(PLAYER) and name not in self.floor.state.guests:
            self.do("d1", office.Admit(player=name, code=f"code of {name}"))
        order = office.Order(id=f"order-{next(self._numbers)}", by=by, second=second, command=command)
        entry = self.floor.give(order)
        if self.after_each is not None and entry.table:
            self.after_each(entry)
        return entry

    @property
    def state(self) -> FloorState:
        return self.floor.state

    def felt(self, table: str, by: str = "d1") -> Felt:
        """What a decision at a table looks at now."""
        state = self.state
        context = Context(state.seq + 1, self.floor.clock(), by, "dealer", "2026-03-01", state.policies)
        return Felt(opened(state.tables[table], self.floor.shoe), state.link_of(table), context, self.floor.shoe)

    def play(self, table: str) -> Play:
        """The round with its cards, as the shoe has them."""
        return self.felt(table).play

    def link(self, table: str) -> LinkState | None:
        return self.state.link_of(table)


# ------------------------------------------------------------------------------------------------------ who plays there


def wagers_of(game: Game, random: Random, progressive_cents: int) -> dict[str, int]:
    """What a spot might bet; now and then something the table refuses."""
    placed = [wager for wager in game.wagers if wager.kind in ("required", "optional")]
    made: dict[str, int] = {}
    for wager in placed:
        first = not made
        if wager.kind == "required" or first or random.random() < 0.7:
            made[wager.key] = random.choice(AMOUNTS)
    for wager in placed:
        if wager.equals and wager.key in made:
            made[wager.key] = made[wager.equals]
    if "progressive" in made:
        made["progressive"] = progressive_cents
        if not progressive_cents:
            del made["progressive"]
    # Three Card Poker: a spot may bet Pair Plus alone.
    if game.key == "three-card-poker" and random.random() < 0.15:
        return {"pair_plus": random.choice(AMOUNTS)}
    return made


def action_of(game: Game, hand: Hand, random: Random, limits: Mapping[str, Limits] | None = None) -> Action:
    """An action that fits the game, the cards and the posted limits; now and then a double that is too small."""
    if not game.splits:
        point = next_point(game, hand.wagers, actions_of(hand))
        if point is None or point.choice("play") is not None:
            return PLAY if random.random() < 0.7 else FOLD
        fitting = [choice.key for choice in point.choices if _fits(game, choice, hand, limits or {})]
        return Action(random.choice(fitting))
    double = hand.wagers.get("base", 0) if random.random() < 0.4 else 0
    if double > 1 and random.random() < 0.1:
        double = random.randint(1, double)
    if random.random() < 0.5 or not hand.cards:
        return HOUSE_WAY._replace(cents=double)
    return Action("low", random.choice(hand.cards), double)


def _fits(game: Game, choice: Choice, hand: Hand, limits: Mapping[str, Limits]) -> bool:
    """Whether a choice is open with the spot's own cards, and makes no wager over its posted maximum."""
    if choice.when is not None and not (len(hand.cards) == game.player_cards and is_open(game, choice, hand.cards)):
        return False
    return all(
        stake.wager not in limits or stake.times * hand.wagers.get(stake.of, 0) <= limits[stake.wager].maximum_cents
        for stake in choice.stakes
    )


def act(table: str, spot: int, action: Action) -> ask.Act:
    """The order for an action."""
    card = text_of((action.card,)) if action.card is not None else ""
    return ask.Act(table=table, spot=spot, action=action.name, card=card, cents=action.cents)


def claims_in_turn(link: LinkState, table: str) -> Iterator[Claim]:
    """The open claims of a table, those whose turn it is first."""
    for meter in link.meters:
        yield from (claim for claim in queue(link, meter) if claim.table == table)
    yield from (claim for claim in link.claims_at(table) if not claim.meter)


class Dealt(NamedTuple):
    """A round that was played to its end."""

    table: str
    round: int
    entries: tuple[Entry, ...]


class Evening:
    """Plays whole rounds at the tables of a floor, as people would."""

    def __init__(self, staffed: Staffed, random: Random) -> None:
        self.staffed, self.random = staffed, random
        self.entries: list[Entry] = []

    def do(self, by: str, command: office.Command) -> None:
        self.entries.append(self.staffed.do(by, command))

    def whole_round(self, table: str, spots: Iterable[int]) -> Dealt:
        """One round from the first wager to the close; ``spots`` are those that play."""
        self.entries = []
        state = self.staffed.state.tables[table]
        number = state.round.number
        self._bet(table, tuple(spots))
        self.do("d1", ask.NoMoreBets(table=table))
        if state.config.link:
            self.do("d1", press.LockIn(table=table))
        self._cards(table)
        while not self.staffed.play(table).revealed:
            self._decide(table)
            self._turn_over(table)
        self._reconcile(table)
        self.do("d1", press.CloseRound(table=table))
        return Dealt(table, number, tuple(self.entries))

    def _bet(self, table: str, spots: tuple[int, ...]) -> None:
        config = self.staffed.state.tables[table].config
        link = self.staffed.link(table)
        game = all_games()[config.game]
        for spot in spots:
            if spot not in self.staffed.state.tables[table].seats:
                self.do(f"{PLAYER}guest-{spot}", ask.SitDown(table=table, spot=spot, player=f"guest-{spot}"))
            made = wagers_of(game, self.random, link.now.wager_cents if link else 0)
            adds = config.kind == "virtual" and self.random.random() < 0.7
            added = f"{self.random.getrandbits(64):x}" if adds else ""
            if config.options.get("ante_required") and "ante" not in made:
                made = {"ante": 1000, **made}
            for wager, cents in made.items():
                amount = cents
                if wager in config.limits:
                    amount = min(max(cents, 200), 2_900)
                bet = ask.Bet(table=table, spot=spot, wager=wager, cents=amount, player_seed=added)
                self.do(f"{PLAYER}guest-{spot}", bet)

    def _cards(self, table: str) -> None:
        config = self.staffed.state.tables[table].config
        if config.kind == "virtual":
            if self.random.random() < 0.3:
                while not self.staffed.play(table).dealt:
                    self.do("d1", ask.Deal(table=table))
            else:
                self.do("d1", ask.Deal(table=table, packets=0))
            return
        game = all_games()[config.game]
        for spot in (0, *self.staffed.play(table).hands):
            if size := game.player_cards if spot else game.dealer_cards:
                self._enter(table, spot, size)

    def _enter(self, table: str, target: int, size: int) -> None:
        """Enter cards of the deck that lie nowhere yet."""
        play = self.staffed.play(table)
        there = {*play.dealer, *play.board_up.values(), *(card for hand in play.hands.values() for card in hand.cards)}
        deck = [card for card in all_games()[self.staffed.state.tables[table].config.game].deck if card not in there]
        cards = text_of(self.random.sample(deck, size))
        self.do("d1", ask.EnterCards(table=table, spot=target, cards=cards))

    def _decide(self, table: str) -> None:
        """Every spot that has come to a decision makes it."""
        config = self.staffed.state.tables[table].config
        game = all_games()[config.game]
        while asked := list(waiting(game, self.staffed.play(table))):
            spot = self.random.choice(asked)
            hand = self.staffed.play(table).hands[spot]
            action = action_of(game, hand, self.random, config.limits)
            if action.cents:
                limits = config.limits.get("double_down")
                most = hand.wagers["base"] if limits is None else min(hand.wagers["base"], limits.maximum_cents)
                action = action._replace(cents=most)
            self.do(f"{PLAYER}{hand.player}", act(table, spot, action))

    def _turn_over(self, table: str) -> None:
        """The next street, or at last what is still face down; where cards are entered, the board's are."""
        felt = self.staffed.felt(table)
        street = next_street(felt.game, felt.play) or last_street(felt.game, felt.play)
        if felt.table.config.kind == "cards" and street is not None and street.target == BOARD:
            self._enter(table, BOARD, len(street.places))
            return
        if forfeits(felt.table.config, felt.play):
            self.do("d1", ask.Collect(table=table))
        self.do("d1", ask.Reveal(table=table))

    def _reconcile(self, table: str) -> None:
        """Everything is named, confirmed and paid as the console prompts it."""
        felt = self.staffed.felt(table)
        if felt.link is not None:
            for spot, hand in unnamed(Desk(felt.table, felt.link, felt.context)):
                self.do("d1", press.NameWin(table=table, spot=spot, hand=hand))
        while self.staffed.play(table).steps:
            self.do("d1", ask.Reconcile(table=table))
        while link := self.staffed.link(table):
            claim = next(claims_in_turn(link, table), None)
            if claim is None:
                break
            self._confirm(table, claim.spot)
        self._verify(table)

    def _confirm(self, table: str, spot: int) -> None:
        if self.staffed.state.tables[table].config.console == "touch":
            self.do("e1", press.Confirm(table=table, spot=spot))
        else:
            self.do("e1", press.JPot(table=table, spot=spot))
            self.do("s1", press.Run(table=table))

    def _verify(self, table: str) -> None:
        """FL-18, where it is in force."""
        for win in self.staffed.state.tables[table].round.wins:
            if win.surveillance:
                self.do("o1", press.Surveillance(table=table, win=win.number, player="P"))
        felt = self.staffed.felt(table)
        for spot, wager in large_wins(felt.play, felt.context.policies):
            command = ask.VerifyPayout(table=table, spot=spot, wager=wager, player="P")
            self.do("o1", command)
