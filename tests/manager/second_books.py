"""A second opinion on a floor: rounds, claims and money, worked out from the orders that it carried out, nothing else.

Written from `progressive.md` and apart from the engine: fractions of cents for micros, sets for states that are
replaced, and a meter's history that is gone through again where the engine keeps marks. It decides nothing. It is told
which orders were carried out, holds that each may have been, and says what every account must hold then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Any

from tests.manager.card_books import DEALING as CARD_DEALING
from tests.manager.card_books import CardTable, SeedOf

from houseway.manager import commands as ask
from houseway.manager.commands import Order
from houseway.manager.config import FloorConfig
from houseway.paytables import ProgressiveRow
from houseway.progressive.terms import Terms
from houseway.table.card_round import commands as play
from houseway.table.config import TableConfig
from houseway.table.progressive_round import commands as deal

MICROS = 10_000
DEALING = {"dealer", "supervisor"}
SUPERVISING = {"supervisor", "executive"}
MONEY = {"manager"}
SECONDING = {"executive", "manager", "auditor"}
KEEPING = {"technician", "supervisor", "executive", "manager"}
AT_THE_TABLE = (deal.Light, deal.Unlight, deal.LockIn, deal.FirstCard, deal.Fold, deal.SeeHand, deal.SamePlayer)
RECORDING = (deal.CorrectCount, deal.DropClaim, deal.Arrive, deal.JPot, deal.Run, deal.Confirm)
MAY: list[tuple[set[str], bool, tuple[type, ...]]] = [
    (DEALING | {"technician"}, False, (play.MalfunctionStep,)),
    (DEALING, False, (ask.Admit, *AT_THE_TABLE, deal.NameWin, deal.CloseRound, *CARD_DEALING)),
    (SUPERVISING, False, (*RECORDING, deal.VoidRound)),
    (SUPERVISING, True, (play.WriteOffCommission,)),
    ({"surveillance"}, False, (deal.Surveillance, play.VerifyPayout)),
    (MONEY, True, (ask.OpenMeter, ask.UndoWin, ask.AdjustMeter, ask.PayLateWin, ask.Transfer, ask.ReplaceKey)),
    (MONEY, True, (ask.Configure, ask.Enroll, ask.Dismiss, ask.Unlock, ask.ConfirmClock, ask.RepairClock)),
    (MONEY, False, (ask.SeedMeter,)),
    ({"manager", "auditor"}, False, (ask.EnterAccount, ask.RecordDeposit)),
    (KEEPING, False, (ask.Suspend, ask.Resume, ask.Acknowledge)),
]
"""Who may do what, written down a second time: roles, whether it takes two, and the commands."""


class Wrong(AssertionError):  # noqa: N818  what the floor is then
    """The floor did what it must not, or holds what it should not."""


def hold(true: bool, sentence: str) -> None:
    """Stop where something is not as it must be."""
    if not true:
        raise Wrong(sentence)


@dataclass
class Pot:
    """A meter and its reserve, in cents and parts of a cent."""

    value: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    draws: list[tuple[int, int | None]] = field(default_factory=list)
    """Every award ever taken: how much, and the seed where it took all."""
    stakes: list[Stake] = field(default_factory=list)
    """The rounds that have a claim on it, in the order in which they are served (PR-32)."""
    in_play: bool = False


@dataclass
class Stake:
    """What one round found on a meter when its first claim was named."""

    table: str
    value: Fraction
    reserve: Fraction
    since: int
    """How many awards the meter had given by then."""
    drawn: bool = False
    firm: list[int] = field(default_factory=list)
    """The order of its other spots, once the first was confirmed."""

    def left(self, pot: Pot) -> tuple[Fraction, Fraction]:
        """What it found on meter and reserve, less all awards since, and reseeded as often as the meter was."""
        value, reserve = self.value, self.reserve
        for cents, seed in pot.draws[self.since :]:
            value = max(Fraction(0), value - cents)
            if seed is not None:
                value, reserve = value + seed + reserve, Fraction(0)
        return value, reserve


@dataclass
class Claimed:
    """A named win."""

    hand: str
    row: ProgressiveRow
    meter: str
    named_by: str
    fixed: tuple[int, int, int] | None = None
    """What J-POT fixed, and the number it is logged under: from the meter, from the house, win."""


@dataclass
class Paid:
    """A paid win, with where its money came from, so that it can go back."""

    link: str
    table: str
    round: int
    spot: int
    hand: str
    meter: str
    from_meter: Fraction
    from_house: Fraction
    seed: int
    from_reserve: Fraction
    undone: int = 0
    """The entry that undid it."""
    late: bool = False
    """PR-36: paid after its round."""
    reseeded: int = 0
    """The entry in which it reseeded its meter, where it took all of it."""

    @property
    def drawn(self) -> Fraction:
        """What it took off its meter, less what the meter started again from."""
        return self.from_meter - self.seed - self.from_reserve


@dataclass
class Round:
    """One round of a table."""

    number: int = 1
    lit: set[int] = field(default_factory=set)
    waiting: set[int] = field(default_factory=set)
    terms: Terms | None = None
    """Set by the lock-in."""
    dealt: bool = False
    folded: set[int] = field(default_factory=set)
    seen: dict[int, str] = field(default_factory=dict)
    pairs: set[frozenset[int]] = field(default_factory=set)
    claims: dict[int, Claimed] = field(default_factory=dict)
    put: dict[str, Fraction] = field(default_factory=dict)
    put_by: dict[str, Fraction] = field(default_factory=dict)
    over: dict[str, Fraction] = field(default_factory=dict)

    @property
    def locked(self) -> bool:
        return self.terms is not None

    @property
    def under(self) -> Terms:
        hold(self.terms is not None, "something was done that needs a lock-in before it")
        assert self.terms is not None
        return self.terms


@dataclass(frozen=True)
class Closed:
    """What is kept of a round that closed (PR-36)."""

    entry: int
    link: str
    terms: Terms
    spots: frozenset[int]
    winners: frozenset[int]
    values: dict[str, Fraction]


class Books:
    """The floor as the orders make it."""

    def __init__(self, seed_of: SeedOf) -> None:
        self._seed_of = seed_of
        self.roles: dict[str, str] = {}
        self.guests: set[str] = set()
        self.tables: dict[str, TableConfig] = {}
        self.links: dict[str, Terms] = {}
        self.rounds: dict[str, Round] = {}
        self.pots: dict[tuple[str, str], Pot] = {}
        self.others: dict[str, Fraction] = {}
        """What players, house and earlier systems gave or got."""
        self.wins: dict[int, Paid] = {}
        self.closed: dict[tuple[str, int], Closed] = {}
        self.late: dict[tuple[str, int, int], int] = {}
        """Late wins that stand, by table, round and spot: their numbers."""
        self.config: FloorConfig | None = None
        self.card_tables: dict[str, CardTable] = {}
        self.without_pin: set[str] = set()
        """TR-5: whose card opens nothing yet."""
        self.cards: dict[str, str] = {}
        """Whose each card is."""

    # ------------------------------------------------------------------------------------------------ what it must show

    def accounts(self) -> dict[str, int]:
        """What every account holds, in micros, without the empty ones."""
        found = {name: amount * MICROS for name, amount in self.others.items()}
        for (link, meter), pot in self.pots.items():
            found[f"meter/{link}/{meter}"] = pot.value * MICROS
            found[f"reserve/{link}/{meter}"] = pot.reserve * MICROS
        for name, micros in found.items():
            hold(micros.denominator == 1, f"{name} holds a part of a micro: {micros}")
            hold(micros >= 0 or not name.startswith(("meter", "reserve")), f"{name} is below zero: {micros}")
        return {name: int(micros) for name, micros in found.items() if micros}

    # ------------------------------------------------------------------------------------------------- what it is told

    def take(self, order: Order, seq: int, events: Sequence[Any] = ()) -> None:
        """An order that the floor carried out, as entry ``seq``; of its events only what chance decided counts."""
        command = order.command
        if isinstance(command, ask.Found):
            self.roles.update({one.staff: one.role for one in command.people})
            self._configure(command.config)
            return
        if isinstance(command, ask.SetPin):
            hold(bool(command.fits), "somebody set a PIN with a code that does not fit")
            # The card says whose PIN it is, whoever sends the order.
            self.without_pin.discard(self.cards.get(command.card, order.by))
            return
        if isinstance(command, ask.SignIn):
            hold(bool(command.fits), "somebody signed in with a PIN that does not fit")
            return
        if order.by.startswith("player/"):
            self._check_player(order)
        else:
            self._check_authority(order)
            self._check_players_own(order)
        if isinstance(command, ask.Admit):
            seated = {name for table in self.card_tables.values() for name in table.seats.values()}
            hold(command.player not in seated, f"{command}: somebody of that name has a seat")
            self.guests.add(command.player)
            return
        if isinstance(command, deal.TableCommand) and command.table in self.card_tables:
            self._with_cards(order, command, seq, events)
        elif isinstance(command, deal.TableCommand):
            self._at_table(order, command, seq)
        else:
            self._at_office(command, seq, order.second)

    def _check_player(self, order: Order) -> None:
        """TR-8: somebody who was let in, for a spot that this very player took."""
        name, command = order.by.removeprefix("player/"), order.command
        hold(name in self.guests, f"{name} was not let in: {command}")
        match command:
            case play.SitDown():
                hold(command.player == name, f"{name} sat another down: {command}")
            case play.Bet() | play.StandUp():
                hold(self.card_tables[command.table].seats.get(command.spot) == name, f"{name}: {command}")
            case play.Act():
                hold(self.card_tables[command.table].owners.get(command.spot) == name, f"{name}: {command}")
            case _:
                raise Wrong(f"no player may give {command}")

    def _check_players_own(self, order: Order) -> None:
        """TR-8: at a virtual table nobody of the house sits down, bets or decides for a player."""
        command = order.command
        if isinstance(command, play.SitDown | play.Bet | play.Act | deal.CorrectCount):
            hold(self.tables[command.table].kind != "virtual", f"{order.by} acted for a player: {command}")

    def _check_authority(self, order: Order) -> None:
        for roles, two, kinds in MAY:
            if isinstance(order.command, kinds):
                role = self.roles.get(order.by)
                hold(role in roles, f"{order.by} ({role}) may not give {order.command}")
                hold(not {order.by, order.second} & self.without_pin, f"without a PIN: {order}")
                voids = isinstance(order.command, deal.VoidRound)
                if two or (voids and self._turned(order.command.table)):
                    second, allowed = self.roles.get(order.second), SECONDING
                    if isinstance(order.command, ask.PayLateWin):
                        allowed = {*SECONDING, "surveillance"}
                    if voids or isinstance(order.command, play.WriteOffCommission):
                        allowed = {"supervisor", "executive", "manager"}
                    hold(second in allowed, f"{order.second} ({second}) may not second {order.command}")
                    hold(order.by != order.second, f"{order.by} seconded himself: {order.command}")
                return
        raise Wrong(f"nobody may give {order.command}")

    def _turned(self, table: str) -> bool:
        """TR-7: whether the dealer's cards are turned, or may be where nobody sees them."""
        seen = self.card_tables.get(table)
        return self.rounds[table].dealt if seen is None else seen.now.revealed

    # ------------------------------------------------------------------------------------------- at a table with cards

    def _with_cards(self, order: Order, command: Any, seq: int, events: Sequence[Any]) -> None:
        round = self.rounds[command.table]  # noqa: A001  a round is called round
        hold(command.round in (0, round.number), f"{command} was carried out in round {round.number}")
        table = self.card_tables[command.table]
        table.told(command, events)
        match command:
            case play.SitDown():
                table.sit_down(command)
            case play.StandUp():
                table.stand_up(command.spot)
            case play.Bet():
                table.placed(command)
            case play.NoMoreBets():
                table.call()
            case play.Deal() | play.TimeUp():
                hold(table.config.kind == "virtual", f"{command}: not a virtual table")
            case play.EnterCards():
                table.enter(command)
            case play.Reveal():
                table.reveal()
                rows = {row.hand for row in round.under.table.rows}
                round.seen = {spot: hand if hand in rows else "" for spot, hand in table.now.hands.items()}
            case play.Collect() | play.Reconcile():
                settle = table.collect if isinstance(command, play.Collect) else table.reconcile
                cents = settle(events)
                table.now.to_rack += cents
                self._move(f"players/{command.table}", Fraction(-cents))
                self._move(f"rack/{command.table}", Fraction(cents))
            case play.VerifyPayout():
                hold(table.now.revealed, f"{command}: before the reveal")
            case play.Act() | play.SignOver() | play.MalfunctionStep():
                pass
            case _:
                self._progressive_with_cards(order, command, seq, table)
        if not round.locked:
            round.lit = {spot for spot, made in table.now.wagers.items() if "progressive" in made}
        round.dealt |= bool(table.now.cards or table.now.decisions)
        round.folded = {spot for spot in table.now.decisions if table.now.folded(spot)}

    def _progressive_with_cards(self, order: Order, command: Any, seq: int, table: CardTable) -> None:
        """What the progressive's commands mean where wagers and cards are seen."""
        round = self.rounds[command.table]  # noqa: A001  a round is called round
        match command:
            case deal.LockIn():
                hold(table.now.called, f"{command}: before the call")
            case deal.CorrectCount():
                table.bet(command.spot, "progressive", round.under.wager_cents if command.wagered else 0)
            case deal.NameWin():
                hold(table.now.revealed, f"{command}: before the reveal")
            case deal.CloseRound():
                table.close()
            case deal.VoidRound():
                hold(table.now.called, f"{command}: too early")
                self._move(f"players/{command.table}", Fraction(table.now.to_rack))
                self._move(f"rack/{command.table}", Fraction(-table.now.to_rack))
            case deal.Light() | deal.Unlight() | deal.FirstCard() | deal.Fold() | deal.SeeHand() | deal.SamePlayer():
                raise Wrong(f"{command}: wagers, cards and players are seen there")
        if isinstance(command, deal.VoidRound) and not round.locked:
            self._next_round(command.table, round)
        else:
            self._at_table(order, command, seq)
        if self.rounds[command.table] is not round:
            table.next_round()

    # ------------------------------------------------------------------------------------------------------ at a table

    def _at_table(self, order: Order, command: Any, seq: int) -> None:
        round = self.rounds[command.table]  # noqa: A001  a round is called round
        hold(command.round in (0, round.number), f"{command} was carried out in round {round.number}")
        match command:
            case deal.Light():
                hold(command.base_wager, f"{command}: no base wager")
                (round.waiting if round.locked else round.lit).add(command.spot)
            case deal.Unlight():
                (round.waiting if round.locked else round.lit).discard(command.spot)
            case deal.LockIn():
                if not round.locked:
                    self._lock_in(command.table, round, command.lit)
            case deal.CorrectCount():
                hold(not round.dealt, f"{command}: the first card is out")
                hold(command.wagered != (command.spot in round.lit), f"{command}: it was so already")
                self._correct(command.table, round, command.spot, command.wagered)
            case deal.FirstCard():
                round.dealt = bool(round.under)
            case deal.Fold():
                round.dealt = bool(round.under) and (round.dealt or command.spot not in round.folded)
                round.folded.add(command.spot)
            case deal.SeeHand():
                round.dealt |= round.seen.get(command.spot) != command.hand
                round.seen[command.spot] = command.hand
            case deal.SamePlayer():
                round.pairs.add(frozenset(command.spots))
            case deal.NameWin():
                self._name(command, round, order.by)
            case deal.DropClaim():
                self._drop(command.table, round, command.spot)
            case deal.Confirm():
                hold(self.tables[command.table].console == "touch", f"{command}: not a touch console")
                self._fix(command.table, round, command.spot, order.by, seq)
                self._pay(command.table, round, command.spot, seq)
            case deal.JPot():
                hold(self.tables[command.table].console == "keypad", f"{command}: not a keypad")
                self._fix(command.table, round, command.spot, order.by, seq)
            case deal.Run():
                (spot,) = (spot for spot, claim in round.claims.items() if claim.fixed is not None)
                hold(round.claims[spot].named_by != order.by, f"{order.by} named the win and turned the key to RUN")
                self._pay(command.table, round, spot, seq)
            case deal.CloseRound():
                self._close(command.table, round, seq)
            case deal.VoidRound():
                self._void(command.table, round, command.malfunction)
            case deal.Surveillance():
                hold(command.win in self.wins or self._at_j_pot(round, command.win), f"{command}: no such win")
            case deal.Arrive():
                pass

    @staticmethod
    def _at_j_pot(round: Round, win: int) -> bool:
        return any(claim.fixed is not None and claim.fixed[2] == win for claim in round.claims.values())

    def _lock_in(self, table: str, round: Round, lit: tuple[int, ...] | None) -> None:
        link = self._link_of(table)
        round.terms = self.links[link]
        round.lit = set(round.lit if lit is None else lit)
        round.put = {name: Fraction(0) for name in round.terms.meters}
        round.put_by, round.over = {**round.put}, {**round.put}
        self._share_out(table, round, len(round.lit))

    def _share_out(self, table: str, round: Round, wagers: int) -> None:
        """PR-2, FL-15: wagers to meters, reserves and the house; what a full meter cannot take goes to its reserve."""
        link, terms = self._link_of(table), round.under
        coin_in = Fraction(terms.wager_cents * wagers)
        self._move(f"players/{table}", -coin_in)
        kept = coin_in
        for name, one in terms.meters.items():
            pot = self.pots[link, name]
            to_meter, to_reserve = coin_in * one.contribution_bp / 10_000, coin_in * one.reserve_bp / 10_000
            kept -= to_meter + to_reserve
            if one.maximum_cents is not None:
                over = max(Fraction(0), to_meter - max(Fraction(0), one.maximum_cents - pot.value))
                to_meter, to_reserve = to_meter - over, to_reserve + over
                round.over[name] += over
            pot.value += to_meter
            pot.reserve += to_reserve
            round.put[name] += to_meter
            round.put_by[name] += to_reserve
        self._move(f"house/{link}", kept)

    def _correct(self, table: str, round: Round, spot: int, wagered: bool) -> None:
        if wagered:
            round.lit.add(spot)
            round.waiting.discard(spot)
            self._share_out(table, round, 1)
            return
        round.lit.discard(spot)
        link, terms = self._link_of(table), round.under
        wager = Fraction(terms.wager_cents)
        given = Fraction(0)
        for name, one in terms.meters.items():
            pot = self.pots[link, name]
            meant = wager * one.contribution_bp / 10_000
            over = min(round.over[name], meant)
            reserve = wager * one.reserve_bp / 10_000 + over
            off, off_reserve = self._take_back(pot, one.seed_cents, meant - over, reserve)
            round.put[name] -= off
            round.put_by[name] -= off_reserve
            round.over[name] -= min(over, off_reserve)
            given += off + off_reserve
        self._move(f"players/{table}", wager)
        self._move(f"house/{link}", given - wager)

    def _name(self, command: deal.NameWin, round: Round, by: str) -> None:
        terms, spot = round.under, command.spot
        hold(spot in round.lit, f"{command}: the spot has no wager")
        open_claim = round.claims.get(spot)
        if open_claim is not None:
            hold(open_claim.hand == command.hand and open_claim.fixed is None, f"{command}: cannot be taken back")
            self._drop(command.table, round, spot)
            return
        hold(self._standing(command.table, round, spot) is None, f"{command}: the spot has won already")
        options = self.tables[command.table].options
        hold(spot not in round.folded or options["folded_qualifies"], f"{command}: the spot folded")
        hold(round.seen.get(spot, command.hand) == command.hand, f"{command}: the cards make something else")
        (row,) = (row for row in terms.table.rows if row.hand == command.hand)
        meter = _paid_from(row, terms)
        round.dealt = True
        round.claims[spot] = Claimed(command.hand, row, meter, by)
        if meter:
            pot = self.pots[self._link_of(command.table), meter]
            if all(stake.table != command.table for stake in pot.stakes):
                pot.stakes.append(Stake(command.table, pot.value, pot.reserve, len(pot.draws)))

    def _drop(self, table: str, round: Round, spot: int) -> None:
        claim = round.claims.pop(spot)
        hold(claim.fixed is None, f"{table} spot {spot}: a win at J-POT was dropped")
        if not claim.meter:
            return
        pot = self.pots[self._link_of(table), claim.meter]
        stake = _stake(pot, table)
        stake.firm = [one for one in stake.firm if one != spot]
        self._sweep(pot, table, round, claim.meter)

    @staticmethod
    def _sweep(pot: Pot, table: str, round: Round, meter: str) -> None:
        """A stake without claims goes, unless a win of its round was paid from it."""
        if not any(one.meter == meter for one in round.claims.values()):
            pot.stakes = [stake for stake in pot.stakes if stake.table != table or stake.drawn]

    def _fix(self, table: str, round: Round, spot: int, by: str, seq: int) -> None:
        """PR-15, PR-17, PR-32: it is this claim's turn, the right person confirms it, and this is what it is due."""
        hold(spot in round.claims, f"{table} spot {spot} was confirmed without a claim")
        claim = round.claims[spot]
        hold(claim.fixed is None, f"{table} spot {spot} was recorded twice")
        hold(claim.named_by != by, f"{by} named the win of {table} spot {spot} and confirmed it")
        hold(self._standing(table, round, spot) is None, f"{table} spot {spot} won twice in round {round.number}")
        terms, row = round.under, claim.row
        printed = _printed(row, terms)
        if not claim.meter:
            claim.fixed = (0, printed, seq)
        else:
            pot = self.pots[self._link_of(table), claim.meter]
            first = next(self._queue(pot, claim.meter))
            hold(first == (table, spot), f"{table} spot {spot} was confirmed before {first} on meter {claim.meter}")
            stake = _stake(pot, table)
            stake.firm = [one for owner, one in self._queue(pot, claim.meter) if owner == table and one != spot]
            held = floor(stake.left(pot)[0])
            from_meter = held * row.percent // 100 if row.percent else min(held, printed)
            claim.fixed = (from_meter, 0 if row.percent else printed - from_meter, seq)
        amount = claim.fixed[0] + claim.fixed[1]
        hold(self.config is not None, "a win on a floor without configuration")
        assert self.config is not None
        if self.tables[table].console == "touch" and amount >= self.config.policies.executive_from_cents:
            hold(self.roles[by] == "executive", f"{by} confirmed {amount} cents without an Executive card")

    def _queue(self, pot: Pot, meter: str) -> Iterator[tuple[str, int]]:
        """PR-16, PR-17, PR-32: the claims on a meter in their order: the one that stands at J-POT before all others."""
        waiting: dict[str, list[int]] = {}
        for stake in pot.stakes:
            for spot, one in self.rounds[stake.table].claims.items():
                if one.meter == meter and one.fixed is not None:
                    yield stake.table, spot
                elif one.meter == meter:
                    waiting.setdefault(stake.table, []).append(spot)
        for stake in pot.stakes:
            claims = waiting.get(stake.table, [])
            firm = [spot for spot in stake.firm if spot in claims]
            order = self.tables[stake.table].options["award_order"]
            others = sorted((spot for spot in claims if spot not in firm), key=lambda spot: _place(order, spot))
            yield from ((stake.table, spot) for spot in (*firm, *others))

    def _pay(self, table: str, round: Round, spot: int, seq: int) -> None:
        """PR-4 … PR-7: the award leaves the meter, and the meter starts again where all of it was won."""
        claim, link = round.claims[spot], self._link_of(table)
        hold(claim.fixed is not None, f"{table} spot {spot} was paid without being recorded")
        assert claim.fixed is not None
        from_meter, from_house, win = claim.fixed
        paid = Paid(
            link,
            table,
            round.number,
            spot,
            claim.hand,
            claim.meter,
            Fraction(from_meter),
            Fraction(from_house),
            0,
            Fraction(0),
        )
        if claim.meter:
            pot = self.pots[link, claim.meter]
            _stake(pot, table).drawn = True
            seed = None
            if claim.row.percent == 100:
                seed = paid.seed = round.under.meters[claim.meter].seed_cents
                paid.from_reserve, pot.reserve = pot.reserve, Fraction(0)
                paid.reseeded = seq
            pot.draws.append((from_meter, seed))
            pot.value += paid.seed + paid.from_reserve - from_meter
        del round.claims[spot]
        self.wins[win] = paid
        self._move(f"players/{table}", Fraction(from_meter + from_house))
        self._move(f"house/{link}", Fraction(-from_house - paid.seed))

    def _close(self, table: str, round: Round, seq: int) -> None:
        """PR-18, PR-19: envy is paid, and what a late win would need is kept."""
        hold(not round.claims, f"{table} closed round {round.number} with an open claim")
        link, terms = self._link_of(table), round.under
        wins = {win.spot: win for win in self.wins.values() if self._stands_at(win, table, round)}
        for cents in self._envy(table, round, {spot: win.hand for spot, win in wins.items()}):
            self._move(f"players/{table}", Fraction(cents))
            self._move(f"house/{link}", Fraction(-cents))
        values = {meter: pot.value for (owner, meter), pot in self.pots.items() if owner == link}
        self.closed[table, round.number] = Closed(seq, link, terms, frozenset(round.lit), frozenset(wins), values)
        self._next_round(table, round)

    def _envy(self, table: str, round: Round, winners: dict[int, str]) -> Iterator[int]:
        config, terms = self.tables[table], round.under
        causes = dict(winners)
        if not config.options["envy_needs_wager"]:
            causes |= {
                spot: hand
                for spot, hand in round.seen.items()
                if spot not in round.lit and (spot not in round.folded or config.options["folded_qualifies"])
            }
        for winner, hand in causes.items():
            row = next((row for row in terms.table.rows if row.hand == hand), None)
            if row is None or not row.envy_cents:
                continue
            for spot in round.lit - {winner}:
                own = any({spot, winner} <= pair for pair in round.pairs)
                left_out = spot in round.folded and not config.options["folded_wins_envy"]
                if not left_out and (config.second_spot_envies or not own):
                    scales = config.options.get("envy_scales", True)
                    times, per = (terms.wager_cents, terms.table.stated_wager_cents or 100) if scales else (1, 1)
                    yield row.envy_cents * times // per

    def _void(self, table: str, round: Round, malfunction: bool) -> None:
        """PR-20: every wager goes back; contributions come off again, never below the seed nor what is promised."""
        assert self.config is not None
        standing = [win for win in self.wins.values() if self._stands_at(win, table, round)]
        hold(not standing, f"{table} voided round {round.number} with a standing win")
        link, terms = self._link_of(table), round.under
        self._forget_stakes(table)
        back = Fraction(terms.wager_cents * len(round.lit))
        covered = back
        for name, one in terms.meters.items():
            if self.config.policies.washington and not malfunction:
                break
            covered -= sum(self._take_back(self.pots[link, name], one.seed_cents, round.put[name], round.put_by[name]))
        self._move(f"players/{table}", back)
        self._move(f"house/{link}", -covered)
        self._next_round(table, round)

    def _next_round(self, table: str, round: Round) -> None:
        self._forget_stakes(table)
        self.rounds[table] = Round(number=round.number + 1, lit=round.waiting)

    def _forget_stakes(self, table: str) -> None:
        for pot in self.pots.values():
            pot.stakes = [stake for stake in pot.stakes if stake.table != table]

    def _stands_at(self, win: Paid, table: str, round: Round) -> bool:
        return win.table == table and win.round == round.number and not win.undone

    def _standing(self, table: str, round: Round, spot: int) -> Paid | None:
        wins = [win for win in self.wins.values() if self._stands_at(win, table, round) and win.spot == spot]
        hold(len(wins) < 2, f"{table} spot {spot} has won twice in round {round.number}")
        return wins[0] if wins else None

    @staticmethod
    def _take_back(pot: Pot, seed_cents: int, wanted: Fraction, from_reserve: Fraction) -> tuple[Fraction, Fraction]:
        """PR-20: what a meter and its reserve give back: not below the seed, nor what rounds with claims count on."""
        promises = [stake.left(pot) for stake in pot.stakes] or [(Fraction(0), Fraction(0))]
        least = max(Fraction(seed_cents), *(value for value, _ in promises))
        off = min(wanted, max(Fraction(0), pot.value - least))
        off_reserve = min(from_reserve, max(Fraction(0), pot.reserve - max(reserve for _, reserve in promises)))
        pot.value -= off
        pot.reserve -= off_reserve
        return off, off_reserve

    # ---------------------------------------------------------------------------------------------- at the Game Manager

    def _at_office(self, command: Any, seq: int, second: str) -> None:
        match command:
            case ask.Configure():
                self._configure(command.config)
            case ask.Enroll():
                self.roles[command.staff] = command.role
                self.without_pin.add(command.staff)
                self.cards[command.card] = command.staff
            case ask.Dismiss():
                self.roles.pop(command.staff, None)
            case ask.SeedMeter():
                seed = Fraction(self.links[command.link].meters[command.meter].seed_cents)
                self._in_play(command.link, command.meter).value += seed
                self._move(f"house/{command.link}", -seed)
            case ask.OpenMeter():
                pot = self._in_play(command.link, command.meter)
                pot.value += command.meter_cents
                pot.reserve += command.reserve_cents
                self._move(f"taken_over/{command.link}", Fraction(-command.meter_cents - command.reserve_cents))
            case ask.UndoWin():
                self._undo(command.win, seq)
            case ask.AdjustMeter():
                self._adjust(command)
            case ask.PayLateWin():
                amount = self._pay_late(command, seq)
                large = self.config.policies.washington and amount > self.config.policies.surveillance_over_cents
                seen = self.roles[second] == "surveillance"
                hold(large == seen, f"{second} seconded a late win of {amount}")
            case ask.Transfer():
                self._transfer(command)

    def _configure(self, config: FloorConfig) -> None:
        self.config = config
        self.tables = {table.id: table for table in config.tables}
        for table in config.tables:
            self.rounds.setdefault(table.id, Round())
            if table.kind != "progressive":
                self.card_tables.setdefault(table.id, CardTable(table, hold, self._seed_of)).config = table
        for link in config.links:
            self.links[link.id] = link.terms
            for meter in link.terms.meters:
                self.pots.setdefault((link.id, meter), Pot())

    def _in_play(self, link: str, meter: str) -> Pot:
        pot = self.pots[link, meter]
        hold(not pot.in_play, f"meter {meter} of {link} was opened twice")
        pot.in_play = True
        return pot

    def _quiet(self, link: str, meter: str) -> Pot:
        """A meter without an open claim; what it held for rounds before means nothing any more."""
        pot = self.pots[link, meter]
        hold(not list(self._queue(pot, meter)), f"meter {meter} of {link} was adjusted under an open claim")
        pot.stakes = []
        return pot

    def _undo(self, number: int, seq: int) -> None:
        """PR-23: the money goes back where it came from; what the meter no longer holds the house covers."""
        win = self.wins[number]
        hold(not win.undone, f"win {number} was undone twice")
        win.undone = seq
        self.late = {where: late for where, late in self.late.items() if late != number}
        self._move(f"players/{win.table}", Fraction(-win.from_meter - win.from_house))
        self._move(f"house/{win.link}", Fraction(win.from_house + win.seed))
        if win.meter:
            pot = self._quiet(win.link, win.meter)
            hold(pot.in_play, f"win {number} was put back on a meter that is out of play")
            after = pot.value + win.drawn
            covered = max(Fraction(0), -after)
            # FL-15: over a posted maximum it goes to the reserve; what was over it before stays where it is.
            most = self.links[win.link].meters[win.meter].maximum_cents
            over = Fraction(0) if most is None else max(Fraction(0), after - max(Fraction(most), pot.value))
            pot.value = after + covered - over
            pot.reserve += win.from_reserve + over
            self._move(f"house/{win.link}", -covered)

    def _adjust(self, command: ask.AdjustMeter) -> None:
        pot, cents = self._quiet(command.link, command.meter), Fraction(command.cents)
        if command.part == "meter":
            pot.value += cents
        else:
            pot.reserve += cents
        if command.reason == "maximum":
            pot.reserve -= cents
        else:
            self._move(f"house/{command.link}", -cents)

    def _pay_late(self, command: ask.PayLateWin, seq: int) -> int:
        """PR-36: paid at what the meter held when the round closed."""
        where = command.table, command.round, command.spot
        past = self.closed[command.table, command.round]
        here = [win for win in self.wins.values() if (win.table, win.round) == where[:2] and not win.late]
        undone = [win for win in here if win.undone > past.entry]
        winners = past.winners - {win.spot for win in undone}
        hold(command.spot in past.spots - winners, f"{command}: the spot had no wager, or had won")
        hold(where not in self.late, f"{command}: paid twice")
        self.late[where] = seq
        (row,) = (row for row in past.terms.table.rows if row.hand == command.hand)
        meter = _paid_from(row, past.terms)
        paid = Paid(past.link, *where, command.hand, meter, Fraction(0), Fraction(0), 0, Fraction(0), late=True)
        amount = _printed(row, past.terms)
        if row.percent:
            back = sum((win.drawn for win in undone if win.meter == meter), Fraction(0))
            amount = floor(past.values[meter] + back) * row.percent // 100
        if meter:
            pot = self._quiet(past.link, meter)
            on_it = [win for win in self.wins.values() if (win.link, win.meter) == (past.link, meter)]
            won_since = any(win.reseeded > past.entry and not win.undone for win in on_it)
            least = past.terms.meters[meter].seed_cents if won_since else 0
            paid.from_meter = min(Fraction(amount), max(Fraction(0), pot.value - least))
            if row.percent == 100 and not won_since and pot.in_play:
                paid.seed, paid.from_reserve = past.terms.meters[meter].seed_cents, pot.reserve
                pot.reserve, paid.reseeded = Fraction(0), seq
            pot.value -= paid.drawn
        paid.from_house = amount - paid.from_meter
        self.wins[seq] = paid
        self._move(f"players/{command.table}", Fraction(amount))
        self._move(f"house/{past.link}", -paid.from_house - paid.seed)
        return amount

    def _transfer(self, command: ask.Transfer) -> None:
        """PR-26: all of it, and nothing lost on the way."""
        source = self._quiet(command.link, command.meter)
        target = self.pots[command.to_link, command.to_meter]
        target.value += source.value
        target.reserve += source.reserve
        source.value = source.reserve = Fraction(0)
        source.in_play = False

    # ------------------------------------------------------------------------------------------------- small questions

    def _link_of(self, table: str) -> str:
        return self.tables[table].link

    def _move(self, account: str, cents: Fraction) -> None:
        self.others[account] = self.others.get(account, Fraction(0)) + cents


def _stake(pot: Pot, table: str) -> Stake:
    (stake,) = (stake for stake in pot.stakes if stake.table == table)
    return stake


def _place(order: Any, spot: int) -> int:
    """PR-17: highest spot first, unless the house orders otherwise."""
    if order == "right_to_left":
        return -spot
    return spot if order == "left_to_right" else list(order).index(spot)


def _paid_from(row: ProgressiveRow, terms: Terms) -> str:
    """PR-6: the meter a row is paid from; empty for the tray."""
    if row.percent:
        return row.meter or ""
    where = terms.fixed_from
    if where == "tray" or row.source == "tray":
        return ""
    if row.source == "meter":
        return next(one.meter or "" for one in terms.table.rows if one.percent)
    return where.removeprefix("meter:") if where.startswith("meter:") else ""


def _printed(row: ProgressiveRow, terms: Terms) -> int:
    """PR-8: what a row without a percentage pays on the link's wager."""
    if row.percent:
        return 0
    if row.for_one is not None:
        return floor(Fraction(row.for_one.num, row.for_one.den) * terms.wager_cents)
    return floor(Fraction(row.fixed_cents or 0) * terms.wager_cents / (terms.table.stated_wager_cents or 100))
