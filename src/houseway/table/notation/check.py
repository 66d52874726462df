"""Is a written round right? Its presses are made again at a table of its own, and what that table writes is compared.

The table is asked through `houseway.table.machine.decide`, as a real one is: the same rules settle, award and refuse.
What the head of a round does not tell is taken as the lines say it: what a meter held, what surveillance verified, and
what a manager put right by hand. Cards come as they were dealt; `check_deck` holds those against the seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from msgspec.structs import fields, replace

from houseway.cards import Card, text_of
from houseway.games import Game
from houseway.games.flow import BOARD, DEALER
from houseway.paytables import Book, PayTable, ProgressiveTable, Table
from houseway.progressive.link import LinkState, MeterState
from houseway.progressive.terms import MICROS_PER_CENT, MeterTerms, Terms
from houseway.refusal import Refusal
from houseway.table.card_round import commands as card_ask
from houseway.table.card_round import events as play
from houseway.table.card_round.agenda import counts_hands, has_positions, steps
from houseway.table.card_round.cards import Deck, Promise
from houseway.table.card_round.decide import PLAYER, VOIDED
from houseway.table.card_round.forfeits import forfeits
from houseway.table.card_round.settle import options_of
from houseway.table.card_round.state import Play
from houseway.table.card_round.streets import next_street, waiting
from houseway.table.config import Console, Dated, Limits, Policies, TableConfig
from houseway.table.event import Event
from houseway.table.machine import decide
from houseway.table.notation.deck import cards_off
from houseway.table.notation.form import blank_of, form_for, whom, write_line
from houseway.table.notation.opening import PROMISED, first_marks, first_seats, first_shoe
from houseway.table.notation.record import RoundRecord, known_game, pays_digest, sort_events, steps_of
from houseway.table.progressive_round import commands as ask
from houseway.table.progressive_round import events as at_table
from houseway.table.progressive_round.adjustments import ManualChange, WinUndone
from houseway.table.progressive_round.decide import Context
from houseway.table.progressive_round.evolve import evolve, evolve_link, undo_win
from houseway.table.state import Round, TableState

NO_MAXIMUM: Final = 10**15
HOUR: Final = 3_600_000_000
"""So long after each other the presses are made: nobody's time to decide is too short for that."""
GIVEN: Final = (
    *(play.SeedCommitted, play.PlayerSeedAdded, play.PayoutVerified, at_table.SurveillanceVerified, ManualChange),
)
"""What no rule of the head decides: it is taken as it is said."""


class Difference(NamedTuple):
    """Where a round says one thing and the rules another."""

    where: str
    says: str
    gives: str

    def __str__(self) -> str:
        return f"{self.where}: the round says {self.says}; the rules give {self.gives}"


def settle_record(record: RoundRecord, book: Book) -> list[Difference]:
    """Everything in which a round is not what a table makes of its presses, cards and wagers."""
    game = known_game(record.game)
    tables = _tables(record, game, book)
    config = _config(record, game, tables)
    wrong = [*_table_differences(record, tables), *_start_differences(record, game, config)]
    if wrong:
        return wrong
    again = _Again(record, config, tables.get("progressive"))
    for place, step in enumerate(record.steps):
        try:
            again.take(step)
        except Refusal as refusal:
            # Where a table would have refused, nothing after it can be judged.
            line = write_line(step, record.console)
            refused = Difference(place_of(step, record.console), line, f"nothing: {refusal}")
            return [*_compare(record.steps[:place], again.lines(until_now=True), record.console), refused]
    return [*_compare(record.steps, again.lines(), record.console)]


# ----------------------------------------------------------------------------------------------- the table it is put at


def _tables(record: RoundRecord, game: Game, book: Book) -> dict[str, Table]:
    tables = {}
    for wager, (name, _) in record.pays.items():
        table = book.find(game.families, wager, name)
        if table is None:
            raise Refusal(f"pays.{wager}", f"{name!r} is not a pay table known here; give its file")
        tables[wager] = table
    return tables


def _table_differences(record: RoundRecord, tables: Mapping[str, Table]) -> Iterator[Difference]:
    for wager, (name, digest) in record.pays.items():
        known = pays_digest(tables[wager])
        if known != digest:
            yield Difference(f"pays.{wager}", f"{name} {digest}", f"another table of that name, {known}")


def _start_differences(record: RoundRecord, game: Game, config: TableConfig) -> Iterator[Difference]:
    """PG-3: a start position is one that the table has."""
    positions = has_positions(game, options_of(config))
    for deck in (*record.of(play.DeckShuffled), *record.of(play.DeckCommitted)):
        if not (1 <= deck.start <= positions if positions else deck.start == 0):
            yield Difference("start", str(deck.start), f"1 to {positions}" if positions else "none")


def _config(record: RoundRecord, game: Game, tables: Mapping[str, Table]) -> TableConfig:
    return TableConfig(
        id=record.table,
        game=record.game,
        console=record.console,
        spots=record.spots,
        link=record.link,
        kind=record.kind,  # type: ignore[arg-type]  # one of its own kinds
        dealing=record.dealing,
        tables={wager: table for wager, table in tables.items() if isinstance(table, PayTable)},
        options={**game.defaults, **record.options},
        second_spot_envies=game.second_spot_envies,
        limits=_limits(record, game),
    )


def _limits(record: RoundRecord, game: Game) -> dict[str, Limits]:
    """FL-25: the posted aggregate limits; PGD-1: a wager of the player's own amount may be less by its own limit."""
    optional = {
        choice.key: stake.wager
        for point in game.points
        for choice in point.choices
        for stake in choice.stakes
        if stake.optional
    }
    most: dict[str, int] = {}
    for acted in record.of(play.Acted):
        if acted.action in optional and acted.cents:
            most[optional[acted.action]] = max(most.get(optional[acted.action], 0), acted.cents)
    if not most and not record.aggregate:
        return {}
    aggregate = {wager: (Dated(since=record.day, cents=cents),) for wager, cents in record.aggregate.items()}
    return {
        wager: Limits(minimum_cents=0, maximum_cents=most.get(wager, NO_MAXIMUM), aggregate=aggregate.get(wager, ()))
        for wager in game.wager_keys
    }


def _link(record: RoundRecord, table: Table | None) -> LinkState | None:
    if not record.link or not isinstance(table, ProgressiveTable):
        return None
    locked = record.of(at_table.LockedIn)
    bets = [bet.cents for bet in record.of(play.WagerPlaced) if bet.wager == "progressive"]
    wager = locked[0].wager_cents if locked else max(bets, default=0)
    meters = {name: MeterTerms(contribution_bp=0, seed_cents=record.seeds.get(name, 0)) for name in table.meters}
    terms = Terms(table=table, wager_cents=wager, meters=meters, fixed_from=record.fixed_from)
    return LinkState(
        id=record.link,
        name=record.link,
        tables=(record.table,),
        version=1,
        terms={1: terms},
        meters={name: MeterState(opened=True) for name in table.meters},
    )


class _Dealt:
    """A shoe that promises and deals what the round says was promised and dealt."""

    def __init__(self, record: RoundRecord, game: Game) -> None:
        decks = [*record.of(play.DeckShuffled), *record.of(play.DeckCommitted)]
        openings = record.of(play.DeckOpened)
        dealt = cards_off(record, game)
        whole = openings[0].order if openings and openings[0].order else game.deck
        promises = record.of(play.SeedCommitted)
        self._commitment = promises[0].commitment if promises else PROMISED
        self.order = (*dealt, *(card for card in whole if card not in dealt))
        self._deck = Deck(self.order, decks[0].start if decks else 0, seed=PROMISED)

    def promise(self, table: str, round: int) -> Promise:
        return Promise(self._commitment, PROMISED)

    def deck(
        self,
        sealed: str,
        table: str,
        round: int,
        cards: tuple[Card, ...],
        player_seeds: Mapping[int, str],
        positions: int,
    ) -> Deck:
        return self._deck


# --------------------------------------------------------------------------------------------------- the presses again


class _Again:
    """A round that is played again by its lines."""

    def __init__(self, record: RoundRecord, config: TableConfig, progressive: Table | None) -> None:
        self.record = record
        self.console = record.console
        self.game = known_game(record.game)
        self.shoe = _Dealt(record, self.game) if record.kind == "virtual" else None
        # A deck of before TR-11 was promised when it was dealt, and face up lay nothing that was told.
        self.first = record.of(play.DeckCommitted)
        first_play = Play(commitment=self.first[0].commitment, sealed=PROMISED) if self.first else Play()
        self.table = TableState(
            config=config,
            round=Round(number=record.round, play=first_play),
            seats=first_seats(record),
            commission=first_marks(record),
            shoe=first_shoe(record, config),
        )
        self.link = _link(record, progressive)
        self.events: list[Any] = []
        self.expected: Counter[str] = Counter()
        """The lines that the presses so far make, and that the round has not told yet."""
        self.ahead: Counter[str] = Counter()
        """The lines that the round has told, and that a press is still to make."""
        self.now = 0
        self.confirmed_by = ""

    def take(self, step: Any) -> None:
        """Make the press that a line tells of, unless an earlier press has made the line already."""
        own = write_line(step, self.console)
        if self.expected[own] > 0:
            self.expected[own] -= 1
            return
        if isinstance(step, GIVEN):
            self._check_given(step)
            self._book([replace(step, table=self.record.table, round=self.record.round)])
            return
        command = press_of(step, self.table.config)
        if command is None:
            self.ahead[own] += 1
            return
        if isinstance(step, at_table.WinLogged):
            self._hold(step)
        if isinstance(step, play.Acted | play.DealerRevealed | play.BoardTurned | play.CardDrawn):
            self._turn_unseen(step)
        self.now += HOUR
        decided = decide(self._table_for(step), self.link, command, self._context(step), self.shoe)
        events = sort_events([then for event in decided for then in self._as_then(event, decided)])
        self._book(events)
        for line in (write_line(part, self.console) for event in events for part in event.parts() if part.TEXT):
            if self.ahead[line] > 0:
                self.ahead[line] -= 1
            else:
                self.expected[line] += 1
        self.expected[own] -= self.expected[own] > 0

    def _check_given(self, step: Any) -> None:
        """Refuse what is said of a spot or a win that the round does not have."""
        now = self.table.round
        if isinstance(step, play.PayoutVerified) and step.spot not in now.play.hands:
            raise Refusal("spot", f"spot {step.spot} is not in this round")
        if isinstance(step, WinUndone) and now.number == self.record.round:
            win = now.win(step.spot)
            if win is None or win.number != step.win:
                raise Refusal("win", f"spot {step.spot} has no win {step.win} that stands")

    def lines(self, *, until_now: bool = False) -> tuple[Event, ...]:
        """What the table wrote, or what of it the round has told by now; sealed cards are told from its deck."""
        events = self.events
        if self.shoe is not None and not any(isinstance(event, play.DeckOpened) for event in events):
            events = [*events, replace(blank_of(play.DeckOpened), order=self.shoe.order, seed=PROMISED)]
        steps = steps_of(self.table.config, events)
        return tuple(step for step in steps if not (until_now and self.expected[write_line(step, self.console)] > 0))

    def _book(self, events: Sequence[Any]) -> None:
        self.events += events
        for event in events:
            if isinstance(event, WinUndone):
                self.table = undo_win(self.table, event.win)
            elif isinstance(event, at_table.ProgressiveEvent | play.CardEvent):
                self.table = evolve(self.table, event, self.now)
                if self.link is not None:
                    self.link = evolve_link(self.link, event)

    def _table_for(self, step: Any) -> TableState:
        """The table that is asked; in a round of procedure 1 forfeits were taken while reconciling, in any order."""
        table, now = self.table, self.table.round.play
        if self.record.procedure > 1:
            return table
        if isinstance(step, play.DealerRevealed):
            due = forfeits(table.config, now)
            hands = {
                spot: replace(hand, reconciled=(*hand.reconciled, *due.get(spot, ())))
                for spot, hand in now.hands.items()
            }
            return replace(table, round=replace(table.round, play=replace(now, hands=hands)))
        if isinstance(step, play.Reconciled) and step.spot in now.hands and now.hands[step.spot].folded:
            first = [due for due in now.steps if due.spot == step.spot]
            agenda = (*first, *(due for due in now.steps if due not in first))
            return replace(table, round=replace(table.round, play=replace(now, steps=agenda)))
        return table

    def _old_agenda(self, decided: Sequence[Any]) -> tuple[Any, ...]:
        results = {event.spot: event.lines for event in decided if isinstance(event, play.SpotResult)}
        hands = {spot: replace(hand, lines=results[spot]) for spot, hand in self.table.round.play.hands.items()}
        return steps(self.game, hands, options_of(self.table.config), None)

    def _old_column(self, column: int) -> int:
        """Before procedure 2 no column was shown where nobody had bet on it."""
        counted = counts_hands(self.game)
        bet = any(wager in counted for hand in self.table.round.play.hands.values() for wager in hand.wagers)
        shown = [step.column for step in self.record.steps if hasattr(step, "column")]
        return column if bet or any(shown) else 0

    def _as_then(self, event: Any, decided: Sequence[Any]) -> Iterator[Any]:
        """An event as a round of that time has it."""
        if (self.first or self.record.procedure == 1) and hasattr(event, "column"):
            event = replace(event, column=self._old_column(event.column))
        if self.record.procedure == 1 and isinstance(event, play.DealerRevealed):
            event = replace(event, steps=self._old_agenda(decided), procedure=1)
        if isinstance(event, play.SeedCommitted) and event.round != self.record.round:
            return  # the promise for the next round
        if self.first and isinstance(event, play.DeckShuffled):
            promise = self.first[0]
            yield replace(promise, **{name: getattr(event, name) for name in ("table", "round", "column", "targets")})
        elif not self.first or not isinstance(event, play.FaceUpShown) or self.record.of(play.FaceUpShown):
            yield event

    def _context(self, step: Any) -> Context:
        by = "dealer"
        match step:
            case at_table.WinLogged():
                by = self.confirmed_by = step.confirmed_by
            case at_table.WinPaid():
                by = self.confirmed_by
            case at_table.ClaimNamed():
                by = step.claim.named_by
            case play.SignedOver():
                by = step.by
            case play.Seated() | play.WagerPlaced() if self.shoe is not None:
                by = f"{PLAYER}{step.player}"
            case play.Acted() | play.DeckStacked() if self.shoe is not None and step.spot > DEALER:
                hand = self.table.round.play.hands.get(step.spot)
                player = self.table.seats.get(step.spot, "") if hand is None else hand.player
                by = f"{PLAYER}{player}"
        return Context(
            seq=getattr(step, "win", 0),
            now=self.now,
            by=by,
            role="executive",
            day=self.record.day,
            policies=Policies(site="", jurisdiction=""),
            demonstration=True,
        )

    def _hold(self, step: at_table.WinLogged) -> None:
        """Let the meter hold for a win what the round says it held: other tables fill and draw on it too."""
        meter, micros = step.claim.meter, step.due.held_cents * MICROS_PER_CENT
        if self.link is None or meter not in self.link.meters:
            return
        marks = tuple(replace(mark, held=micros) for mark in self.link.marks.get(meter, ()))
        self.link = replace(
            self.link,
            meters={**self.link.meters, meter: replace(self.link.meters[meter], value=micros)},
            marks={**self.link.marks, meter: marks} if marks else self.link.marks,
        )

    def _turn_unseen(self, step: Event) -> None:
        """At a physical table, streets of dealer's cards that nobody has entered yet: turning them tells nothing."""
        play_now = self.table.round.play
        while self.shoe is None and not play_now.dealer:
            street = next_street(self.game, play_now)
            if street is None or street.target != DEALER or waiting(self.game, play_now):
                return
            try:
                events = decide(self.table, self.link, card_ask.Reveal(table=self.table.id), self._context(step))
            except Refusal:
                return
            self._book(events)
            play_now = self.table.round.play


def press_of(step: Any, config: TableConfig) -> Any:
    """The press that makes an event; None where it only follows from one."""
    match step:
        case play.Acted(action=play.NO_ACTION) | play.Acted(how="left"):
            return None
        case play.MalfunctionRecorded() if step.step == VOIDED:
            return None
        case play.Acted(how="time"):
            return card_ask.TimeUp(table=config.id, spot=step.spot)
        case play.BoardTurned(target=target) if config.kind == "cards" and target == BOARD:
            return card_ask.EnterCards(table=config.id, spot=BOARD, cards=text_of(step.cards))
        case play.CardDrawn() if config.kind == "cards":
            return card_ask.EnterCards(table=config.id, spot=step.target, cards=text_of((step.card,)))
        case play.CardsEntered():
            return card_ask.EnterCards(table=config.id, spot=step.spot, cards=text_of(step.cards), hands=step.column)
        case at_table.LockedIn():
            return ask.LockIn(table=config.id, lit=step.spots)
        case at_table.WinLogged() if config.console == "keypad":
            return ask.JPot(table=config.id, spot=step.claim.spot)
    command = step.PRESS
    if command is None:
        return None
    values = {"table": config.id}
    for field in fields(command):
        value = getattr(step, field.name, getattr(getattr(step, "claim", None), field.name, None))
        if field.name not in ("table", "round") and value is not None:
            is_cards = field.type is str and not isinstance(value, str)
            values[field.name] = text_of(value if isinstance(value, tuple) else (value,)) if is_cards else value
    return command(**values)


# ------------------------------------------------------------------------------------------------------- line by line


def _compare(says: Sequence[Event], gives: Sequence[Event], console: Console) -> Iterator[Difference]:
    """The lines that differ, each with its counterpart; or the first one that stands in another place.

    The opened deck is left to `check_deck`.
    """
    sides = [[step for step in side if not isinstance(step, play.DeckOpened)] for side in (says, gives)]
    by_place: dict[str, tuple[list[Event], list[Event]]] = {}
    for number, side in enumerate(sides):
        for step in side:
            by_place.setdefault(place_of(step, console), ([], []))[number].append(step)
    differences = [
        Difference(place, *("nothing" if step is None else write_line(step, console) for step in pair))
        for place, both in by_place.items()
        for pair in zip_longest(*both)
        if _facts(pair[0]) != _facts(pair[1])
    ]
    yield from differences
    if not differences:
        for pair in zip(*sides, strict=True):
            if _facts(pair[0]) != _facts(pair[1]):
                wrong, right = (write_line(step, console) for step in pair)
                yield Difference("order", repr(wrong), f"{right!r} before it")
                return


def _facts(step: Any) -> Any:
    """A line without its reason in words: money and results must agree, a later version may say why otherwise."""
    if not isinstance(step, play.SpotResult):
        return step
    return replace(step, lines={wager: replace(line, why="") for wager, line in step.lines.items()})


def place_of(step: Any, console: Console) -> str:
    """What a line is about: ``spot 3 bet ante``, ``spot 3 hand``, ``dealer show``, ``no more bets``."""
    place = form_for(step, console).verb
    spot = getattr(step, "spot", getattr(step, "target", getattr(getattr(step, "claim", None), "spot", None)))
    if spot is not None:
        place = f"{f'spot {spot}' if spot > DEALER else whom(spot)} {place}"
    wagers = (step.wager,) if hasattr(step, "wager") else tuple(getattr(step, "lines", ()))
    return " ".join((place, *wagers))
