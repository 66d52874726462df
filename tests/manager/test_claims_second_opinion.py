"""A second opinion on who is due what (PR-4, PR-5, PR-7, PR-16, PR-17, PR-20, PR-32, PR-35), written from the clauses.

Here every coin on a meter carries the time at which it was put there. "A claim takes what the meter held when its
round's first claim was named" then needs no arithmetic: a round may use the coins that are not younger than its first
claim, and what is booked later lies untouched for the next prize. Draws take the oldest coins first. A reseed puts the
seed down as if it had always been there, and the reserve's coins with the age they have. Dollars are fractions.

Where the clauses are silent: a round whose claims on a meter were all dropped, and none paid, has no first claim there.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.manager.floor_kit import PaperHouse

from houseway.progressive.link import queue
from houseway.refusal import Refusal

TABLES: Final = ("T1", "T2", "T3")
ALWAYS: Final = -1
"""The age of seed money: before everything."""


@dataclass
class Coin:
    age: int
    dollars: Fraction


def whole_cents(dollars: Fraction) -> Fraction:
    return Fraction(int(dollars * 100), 100)


@dataclass
class Hope:
    """A claim, as the model knows it."""

    table: str
    spot: int
    share: Fraction
    fixed: Fraction
    firm: int = 0
    amount: tuple[Fraction, Fraction] | None = None
    """From the meter and from the house, once the supervisor's key fixed it."""


@dataclass
class Pot:
    """One meter and its reserve, coin by coin, and everybody who hopes for something of it."""

    seed: Fraction
    coins: list[Coin] = field(default_factory=list)
    saved: list[Coin] = field(default_factory=list)
    hopes: list[Hope] = field(default_factory=list)
    since: dict[str, int] = field(default_factory=dict)
    """By table: when the first claim of its round was named."""
    paid_at: set[str] = field(default_factory=set)
    """The tables whose round has been paid from this pot."""
    house_pays: Fraction = Fraction(0)

    def total(self) -> Fraction:
        return sum((coin.dollars for coin in self.coins), Fraction(0))

    def reserve(self) -> Fraction:
        return sum((coin.dollars for coin in self.saved), Fraction(0))

    def held_for(self, table: str) -> Fraction:
        return sum((coin.dollars for coin in self.coins if coin.age <= self.since[table]), Fraction(0))

    def in_turn(self) -> list[Hope]:
        """Who comes after whom: the one at the key, then round by round, and in a round from the highest spot down."""
        at_key = [hope for hope in self.hopes if hope.amount is not None]
        rounds = sorted(self.since, key=lambda table: self.since[table])
        others = []
        for table in rounds:
            here = [hope for hope in self.hopes if hope.table == table and hope.amount is None]
            others += sorted((hope for hope in here if hope.firm), key=lambda hope: hope.firm)
            others += sorted((hope for hope in here if not hope.firm), key=lambda hope: -hope.spot)
        return at_key + others

    def worth(self, hope: Hope) -> tuple[Fraction, Fraction]:
        """What a hope would be paid now: from the meter, from the house."""
        if hope.amount is not None:
            return hope.amount
        held = whole_cents(self.held_for(hope.table))
        if hope.share:
            return whole_cents(held * hope.share), Fraction(0)
        return min(held, hope.fixed), hope.fixed - min(held, hope.fixed)

    def hope(self, now: int, table: str, spot: int, share: Fraction, fixed: Fraction) -> None:
        self.since.setdefault(table, now)
        self.hopes.append(Hope(table, spot, share, fixed))

    def give_up(self, hope: Hope) -> None:
        self.hopes.remove(hope)
        if hope.table not in self.paid_at and not any(one.table == hope.table for one in self.hopes):
            del self.since[hope.table]

    def fix(self, hope: Hope) -> None:
        """The key is turned: this amount stands, and so does the order of all who were named in the round by now."""
        hope.amount = self.worth(hope)
        here = [one for one in self.in_turn() if one.table == hope.table]
        for place, one in enumerate(here, start=1):
            one.firm = place

    def pay(self, hope: Hope) -> None:
        from_meter, from_house = self.worth(hope)
        self.hopes.remove(hope)
        self.paid_at.add(hope.table)
        self.house_pays += from_house
        left = from_meter
        for coin in sorted(self.coins, key=lambda coin: coin.age):
            taken = min(coin.dollars, left)
            coin.dollars -= taken
            left -= taken
        assert left == 0, "the meter has been promised away twice"
        if hope.share == 1:
            self.coins += [Coin(ALWAYS, self.seed), *self.saved]
            self.saved = []

    def tidy(self) -> None:
        """Coins older than every open round's first claim are all of one age, for all that matters."""
        oldest = min(self.since.values(), default=None)
        for pile in (self.coins, self.saved):
            heap: dict[int, Fraction] = {ALWAYS: Fraction(0)}
            for coin in pile:
                age = ALWAYS if oldest is None or coin.age <= oldest else coin.age
                heap[age] = heap.get(age, Fraction(0)) + coin.dollars
            pile[:] = [Coin(age, dollars) for age, dollars in heap.items()]

    def amounts(self) -> dict[tuple[str, int], Fraction]:
        """What everybody would be paid if all were paid in turn: so pay them all, in a pot of our own."""
        pot, found = copy.deepcopy(self), {}
        for hope in pot.in_turn():
            found[hope.table, hope.spot] = sum(pot.worth(hope), Fraction(0))
            pot.pay(hope)
        return found

    def take_back(self, dollars: Fraction, saved: Fraction) -> tuple[Fraction, Fraction]:
        """Contributions come off again: only coins that nobody was promised, never below the seed; how much did."""
        last = max(self.since.values(), default=ALWAYS - 1)
        free = sum((coin.dollars for coin in self.coins if coin.age > last), Fraction(0))
        off = max(Fraction(0), min(dollars, free, self.total() - self.seed))
        kept = sum((coin.dollars for coin in self.saved if coin.age > last), Fraction(0))
        off_saved = min(saved, kept)
        _take_youngest(self.coins, off)
        _take_youngest(self.saved, off_saved)
        return off, off_saved

    def forget(self, table: str) -> None:
        """The round is over."""
        self.hopes = [hope for hope in self.hopes if hope.table != table]
        self.since.pop(table, None)
        self.paid_at.discard(table)


def _take_youngest(coins: list[Coin], dollars: Fraction) -> None:
    for coin in sorted(coins, key=lambda coin: -coin.age):
        taken = min(coin.dollars, dollars)
        coin.dollars -= taken
        dollars -= taken
    assert dollars == 0


class Prize(NamedTuple):
    """What a hand wins: of which pot, what share of it, or how many dollars."""

    pot: str
    share: Fraction
    fixed: Fraction


class Scheme(NamedTuple):
    """A pay table as a person reads it, and the link it is played on."""

    table: str
    wager: Fraction
    prizes: dict[str, Prize]
    contribution: dict[str, str]
    reserve: dict[str, str]
    seeds: dict[str, int]
    consoles: dict[str, str]

    def pots(self) -> dict[str, Pot]:
        return {
            name: Pot(Fraction(seed), [Coin(ALWAYS, Fraction(seed))], [Coin(ALWAYS, Fraction(0))])
            for name, seed in self.seeds.items()
        }

    def part(self, rates: dict[str, str], pot: str) -> Fraction:
        return self.wager * Fraction(rates[pot].removesuffix("%")) / 100


def _all(pot: str) -> Prize:
    return Prize(pot, Fraction(1), Fraction(0))


def _dollars(pot: str, dollars: int) -> Prize:
    return Prize(pot, Fraction(0), Fraction(dollars))


MIXED = {"T1": "touch", "T2": "keypad", "T3": "keypad"}
TOUCH = {"T1": "touch", "T2": "touch", "T3": "touch"}
STUD_01 = {
    "royal_flush": _all("main"),
    "straight_flush": Prize("main", Fraction(1, 10), Fraction(0)),
    "four_of_a_kind": _dollars("main", 500),
    "full_house": _dollars("main", 100),
    "flush": _dollars("main", 50),
}
STUD_06 = {
    "royal_flush": _all("main"),
    "straight_flush": Prize("main", Fraction(1, 10), Fraction(0)),
    "four_of_a_kind": Prize("main", Fraction(1, 100), Fraction(0)),
    "full_house": _dollars("main", 50),
    "flush": _dollars("main", 25),
}
LEVELS = {
    "royal_flush": _all("mega"),
    "straight_flush": _all("major"),
    "four_of_a_kind": _all("minor"),
}
SCHEMES = (
    Scheme("CSTUD-01", Fraction(1), STUD_01, {"main": "70%"}, {"main": "5.55%"}, {"main": 10_000}, MIXED),
    Scheme("CSTUD-01", Fraction(1), STUD_01, {"main": "33.33%"}, {"main": "12.34%"}, {"main": 20}, MIXED),
    Scheme("CSTUD-01", Fraction(1), STUD_01, {"main": "90%"}, {"main": "10%"}, {"main": 0}, TOUCH),
    Scheme("CSTUD-06", Fraction(1), STUD_06, {"main": "0.01%"}, {"main": "99.99%"}, {"main": 60}, MIXED),
    Scheme(
        "ML03",
        Fraction(5),
        LEVELS,
        {"mega": "20%", "major": "7.77%", "minor": "3%"},
        {"mega": "1%", "major": "0%", "minor": "10%"},
        {"mega": 500, "major": 0, "minor": 20},
        MIXED,
    ),
)


@dataclass
class Felt:
    """One table of the model: which spots are in, and what the round put where."""

    booked: set[int] = field(default_factory=set)
    locked: bool = False
    dealt: bool = False
    won: set[int] = field(default_factory=set)
    given: dict[str, Fraction] = field(default_factory=dict)
    saved: dict[str, Fraction] = field(default_factory=dict)


def _refusal(press: Callable[[], object]) -> Refusal | None:
    try:
        press()
    except Refusal as refusal:
        return refusal
    return None


class Both:
    """The house and the model, pressed in the same way."""

    def __init__(self, scheme: Scheme, random: Random) -> None:
        self.scheme, self.random = scheme, random
        self.house = PaperHouse(
            table=scheme.table,
            tables=3,
            wager=int(scheme.wager * 100),
            contribution=scheme.contribution,
            reserve=scheme.reserve,
            seed={name: seed * 100 for name, seed in scheme.seeds.items()},
            console=scheme.consoles,
        )
        self.pots = scheme.pots()
        self.felts = {table: Felt() for table in TABLES}
        self.now = 0
        self.done: list[str] = []

    # ----------------------------------------------------------------------------------------- one press, on both sides

    def press(self, what: str, house: Callable[[], object], model: Callable[[], bool]) -> None:
        """The model says first whether it may be; then the house must do the same."""
        self.now += 1
        self.house.clock.later(1)
        self.done.append(what)
        allowed = model()
        refused = _refusal(house)
        assert (refused is None) == allowed, (self.done, refused)
        self.compare()
        for pot in self.pots.values():
            pot.tidy()

    def compare(self) -> None:
        link = self.house.link()
        for name, pot in self.pots.items():
            assert self.house.micros(name) == pot.total() * 1_000_000, (self.done, name)
            assert self.house.reserve(name) == pot.reserve() * 1_000_000, (self.done, name)
            turn = [(claim.table, claim.spot) for claim in queue(link, name)]
            assert turn == [(hope.table, hope.spot) for hope in pot.in_turn()], (self.done, name)
        amounts = {key: cents for pot in self.pots.values() for key, cents in pot.amounts().items()}
        shown = {(table, spot): due for table in TABLES for spot, due in self.house.due_at(table).items()}
        assert shown == {key: dollars * 100 for key, dollars in amounts.items()}, self.done

    def hopes(self, table: str) -> Iterator[tuple[Pot, Hope]]:
        for pot in self.pots.values():
            for hope in pot.hopes:
                if hope.table == table:
                    yield pot, hope

    def hope_of(self, table: str, spot: int) -> tuple[Pot, Hope] | None:
        return next(((pot, hope) for pot, hope in self.hopes(table) if hope.spot == spot), None)

    # ---------------------------------------------------------------------------------------------- what may be pressed

    def coin_in(self, table: str) -> None:
        felt = self.felts[table]
        spots = sorted(self.random.sample(range(1, 7), self.random.randint(1, 6)))

        def model() -> bool:
            if not felt.locked:
                felt.locked, felt.booked = True, set(spots)
                for _ in spots:
                    self._book(felt, 1)
            return True

        self.press(f"{table} coin in {spots}", lambda: self.house.coin_in(table, *spots), model)

    def _book(self, felt: Felt, sign: int) -> None:
        scheme = self.scheme
        for name, pot in self.pots.items():
            part, saved = scheme.part(scheme.contribution, name), scheme.part(scheme.reserve, name)
            if sign > 0:
                pot.coins.append(Coin(self.now, part))
                pot.saved.append(Coin(self.now, saved))
                off = part, saved
            else:
                off = pot.take_back(part, saved)
            felt.given[name] = felt.given.get(name, Fraction(0)) + sign * off[0]
            felt.saved[name] = felt.saved.get(name, Fraction(0)) + sign * off[1]

    def at_key(self) -> bool:
        return any(hope.amount is not None for pot in self.pots.values() for hope in pot.hopes)

    def correct(self, table: str) -> None:
        felt, spot, wagered = self.felts[table], self.random.randint(1, 6), self.random.random() < 0.5

        def model() -> bool:
            if not felt.locked or felt.dealt or wagered == (spot in felt.booked):
                return False
            if not wagered and self.at_key():
                return False
            self._book(felt, 1 if wagered else -1)
            felt.booked ^= {spot}
            return True

        self.press(f"{table} correct {spot} {wagered}", lambda: self.house.correct(table, spot, wagered), model)

    def name(self, table: str) -> None:
        felt = self.felts[table]
        fresh = felt.booked - felt.won - {hope.spot for _, hope in self.hopes(table)}
        spot = self.random.choice(sorted(fresh if fresh and self.random.random() < 0.8 else felt.booked) or [1])
        hand = self.random.choice(sorted(self.scheme.prizes))

        def model() -> bool:
            if not felt.locked or spot not in felt.booked:
                return False
            known = self.hope_of(table, spot)
            if known is not None:
                pot, hope = known
                prize = self.scheme.prizes[hand]
                same = (hope.share, hope.fixed, pot) == (prize.share, prize.fixed, self.pots[prize.pot])
                if not same or hope.amount is not None:
                    return False
                pot.give_up(hope)
                return True
            if spot in felt.won:
                return False
            prize = self.scheme.prizes[hand]
            self.pots[prize.pot].hope(self.now, table, spot, prize.share, prize.fixed)
            felt.dealt = True
            return True

        self.press(f"{table} name {spot} {hand}", lambda: self.house.name(table, spot, hand), model)

    def drop(self, table: str) -> None:
        spot = self.random.choice([hope.spot for _, hope in self.hopes(table)] or [1])

        def model() -> bool:
            known = self.hope_of(table, spot)
            if known is None or known[1].amount is not None:
                return False
            known[0].give_up(known[1])
            return True

        self.press(f"{table} drop {spot}", lambda: self.house.drop(table, spot), model)

    def confirm(self, table: str) -> None:
        spot = self.random.choice([hope.spot for _, hope in self.hopes(table)] or [1])
        turns = [pot.in_turn()[0] for pot in self.pots.values() if pot.hopes]
        if turns and self.random.random() < 0.8:
            first = self.random.choice(turns)
            table, spot = first.table, first.spot
        touch = self.scheme.consoles[table] == "touch"

        def model() -> bool:
            known = self.hope_of(table, spot)
            if known is None:
                return False
            pot, hope = known
            if pot.in_turn()[0] is not hope or hope.amount is not None:
                return False
            if not touch and any(one.amount is not None for _, one in self.hopes(table)):
                return False
            pot.fix(hope)
            if touch:
                pot.pay(hope)
            self.felts[table].won.add(spot)
            return True

        press = self.house.confirm if touch else self.house.j_pot
        self.press(f"{table} confirm {spot}", lambda: press(table, spot), model)

    def run(self, table: str) -> None:
        waiting = [one for one in TABLES for _, hope in self.hopes(one) if hope.amount is not None]
        table = self.random.choice([table, *waiting * 3])

        def model() -> bool:
            for pot, hope in self.hopes(table):
                if hope.amount is not None:
                    pot.pay(hope)
                    return True
            return False

        self.press(f"{table} run", lambda: self.house.run(table), model)

    def end(self, table: str) -> None:
        felt = self.felts[table]

        def model() -> bool:
            if not felt.locked or any(True for _ in self.hopes(table)):
                return False
            self._over(table)
            return True

        self.press(f"{table} end", lambda: self.house.end(table), model)

    def void(self, table: str) -> None:
        felt = self.felts[table]

        def model() -> bool:
            if not felt.locked or felt.won or self.at_key():
                return False
            given, saved = felt.given, felt.saved
            self._over(table)
            for name, pot in self.pots.items():
                pot.take_back(given[name], saved[name])
            return True

        self.press(f"{table} void", lambda: self.house.void(table), model)

    def _over(self, table: str) -> None:
        for pot in self.pots.values():
            pot.forget(table)
        self.felts[table] = Felt()


PRESSES: Final = (
    *(Both.coin_in,) * 4,
    *(Both.name,) * 8,
    *(Both.confirm,) * 8,
    *(Both.run,) * 4,
    *(Both.end,) * 3,
    Both.drop,
    Both.correct,
    Both.correct,
    Both.void,
)


def play(scheme: Scheme, seed: int, presses: int) -> Both:
    both = Both(scheme, Random(seed))
    for _ in range(presses):
        both.random.choice(PRESSES)(both, both.random.choice(TABLES))
    return both


@pytest.mark.clause("PR-32")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scheme=st.sampled_from(SCHEMES), seed=st.integers(0, 2**32))
def test_the_two_opinions_agree_on_meters_amounts_and_turns_after_every_press(scheme: Scheme, seed: int) -> None:
    play(scheme, seed, 80)


@pytest.mark.clause("PR-32")
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: f"{scheme.table} {scheme.contribution}")
def test_the_two_opinions_agree_over_long_evenings(scheme: Scheme) -> None:
    """And the evening really had wins of every kind, second winners of all, shortfalls and waiting tables."""
    paid = Fraction(0)
    for seed in range(6):
        both = play(scheme, seed, 400)
        paid += sum(pot.house_pays for pot in both.pots.values())
    assert paid > 0 or scheme.table == "ML03" or scheme.seeds["main"] > 1_000


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: f"{scheme.table} {scheme.contribution}")
def test_the_two_opinions_agree_over_very_many_evenings(scheme: Scheme) -> None:
    for seed in range(300):
        play(scheme, 1_000 + seed, 300)
