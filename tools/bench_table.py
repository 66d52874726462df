"""Speed of rounds with cards, as ratios in one run: whole rounds of every game, four spots each.

Through the floor: a round is every order from the first wager to END GAME, each durable in SQLite before the next is
given, beside the raw commit rate of the same disk; once at one table, once at sixteen tables that play at the same
time and share their commits. Without the store: the same orders decided and evolved in memory, beside a round of
PokerKit: fixed-limit hold'em, four players who check and call to the showdown, dealt and paid by its automations. The
games differ; it is the nearest round that another library plays.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from bench_floor import raw_sqlite

from houseway.games import Game, all_games, approved_book
from houseway.manager.commands import Admit, Command, Found, Order, Person, Role, SeedMeter
from houseway.manager.config import FloorConfig, LinkConfig
from houseway.manager.decide import Office, decide
from houseway.manager.entry import Entry
from houseway.manager.floor import INSTALLATION, FirstPerson, Floor
from houseway.manager.keyring import Keyring
from houseway.manager.shoe import SealingShoe
from houseway.manager.state import FloorState, after
from houseway.manager.store import open_store
from houseway.paytables import PayTable, ProgressiveTable
from houseway.progressive.link import LinkState, queue
from houseway.progressive.terms import MeterTerms, Terms
from houseway.table.card_round.commands import Act, Bet, Collect, Deal, NoMoreBets, Reconcile, Reveal, SitDown
from houseway.table.card_round.forfeits import forfeits
from houseway.table.card_round.streets import waiting
from houseway.table.config import Policies, TableConfig
from houseway.table.progressive_round.commands import CloseRound, Confirm, LockIn, NameWin
from houseway.table.progressive_round.decide import Context, Desk, unnamed

SECONDS = 3.0
SPOTS = (1, 2, 4, 5)
TABLES_AT_ONCE = 16
KEY = b"the key of a bench and no other."


def table_of(name: str, game: Game) -> TableConfig:
    """A virtual table with the first approved pay table of every wager."""
    tables = {}
    for wager in game.table_wagers:
        pay_tables = [
            pay_table for pay_table in approved_book().of(game.families, wager) if isinstance(pay_table, PayTable)
        ]
        if pay_tables:
            tables[wager] = dataclasses.replace(pay_tables[0])
    return TableConfig(
        id=name,
        game=game.key,
        console="touch",
        spots=6,
        link=f"L-{name}",
        kind="virtual",
        tables=tables,
        options=dict(game.defaults),
        second_spot_envies=game.second_spot_envies,
    )


def link_of(table: TableConfig) -> LinkConfig:
    """The link of one table."""
    families = all_games()[table.game].families
    pays = next(
        pay_table
        for pay_table in approved_book().of(families, "progressive")
        if isinstance(pay_table, ProgressiveTable)
    )
    meters = {name: MeterTerms(contribution_bp=2_000, reserve_bp=500, seed_cents=100_000) for name in pays.meters}
    terms = Terms(table=pays, wager_cents=pays.stated_wager_cents or 100, meters=meters)
    return LinkConfig(id=table.link, name=table.link, tables=(table.id,), terms=terms)


def floor_of(games: list[str]) -> FloorConfig:
    """A table of each of these games."""
    tables = tuple(table_of(f"V{number}", all_games()[key]) for number, key in enumerate(games, start=1))
    return FloorConfig(
        policies=Policies(site="Bench", jurisdiction="none"),
        tables=tables,
        links=tuple(link_of(table) for table in tables),
    )


def meters_of(config: FloorConfig) -> list[SeedMeter]:
    """Every meter gets its seed."""
    return [SeedMeter(link=link.id, meter=meter) for link in config.links for meter in link.terms.meters]


STAFF: Final[dict[str, Role]] = {"manager-1": "manager", "d": "dealer", "e": "executive"}


class Step(NamedTuple):
    """One order of a round."""

    by: str
    command: Command


def whole_round(state: Callable[[], FloorState], name: str, random: Random) -> Iterator[Step]:
    """Every order of one round at a table, each asked for when the one before it is done."""
    table = state().tables[name]
    game, link = all_games()[table.config.game], state().links[table.config.link]
    for spot in SPOTS:
        if spot not in state().tables[name].seats:
            yield Step(f"player/guest-{spot}", SitDown(table=name, spot=spot, player=f"guest-{spot}"))
        for wager in game.wagers:
            if wager.kind in ("required", "optional"):
                cents = link.now.wager_cents if wager.key == "progressive" else 1_000
                yield Step(f"player/guest-{spot}", Bet(table=name, spot=spot, wager=wager.key, cents=cents))
    yield Step("d", NoMoreBets(table=name))
    yield Step("d", LockIn(table=name))
    yield Step("d", Deal(table=name, packets=0))
    for spot in waiting(game, state().tables[name].round.play):
        action = "house_way" if game.splits else "play" if random.random() < 0.8 else "fold"
        yield Step(f"player/guest-{spot}", Act(table=name, spot=spot, action=action))
    if forfeits(table.config, state().tables[name].round.play):
        yield Step("d", Collect(table=name))
    yield Step("d", Reveal(table=name))
    yield from _wins(state, name)
    while state().tables[name].round.play.steps:
        yield Step("d", Reconcile(table=name))
    while (claims := state().links[table.config.link]).claims:
        yield Step("e", Confirm(table=name, spot=_next_claim(claims)))
    yield Step("d", CloseRound(table=name))


def _wins(state: Callable[[], FloorState], name: str) -> Iterator[Step]:
    now = state()
    table = now.tables[name]
    context = Context(now.seq, 0, "d", "dealer", "2026-01-01", now.policies)
    for spot, hand in unnamed(Desk(table, now.links[table.config.link], context)):
        yield Step("d", NameWin(table=name, spot=spot, hand=hand))


def _next_claim(link: LinkState) -> int:
    """The spot whose claim may be confirmed now."""
    for meter in link.meters:
        for claim in queue(link, meter):
            return claim.spot
    return link.claims[0].spot


# ---------------------------------------------------------------------------------------------------- through the floor


class Rates(NamedTuple):
    """What was done in a second."""

    rounds: float
    orders: float


def started(path: Path, config: FloorConfig) -> Floor:
    """A new floor with its staff, its meters open."""
    floor = Floor(open_store(str(path)), keys=Keyring.new())
    floor.found(config, [FirstPerson(staff, staff, role, staff, "1234") for staff, role in STAFF.items()], pin_set=True)
    for number, seed in enumerate(meters_of(config)):
        floor.handle(Order(id=f"seed-{number}", by="manager-1", command=seed))
    for spot in SPOTS:
        floor.handle(Order(id=f"admit-{spot}", by="d", command=Admit(player=f"guest-{spot}", code=f"code-{spot}")))
    return floor


def through_the_floor(path: Path, games: list[str]) -> Rates:
    """Whole rounds a second, one at every table at the same time, every order durable before its table's next."""
    config = floor_of(games)
    floor = started(path, config)
    numbers, random = count(1), Random(5)
    rounds = orders = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        playing = [whole_round(lambda: floor.state, table.id, random) for table in config.tables]
        while playing:
            steps = [(player, step) for player in playing if (step := next(player, None)) is not None]
            rounds += len(playing) - len(steps)
            together([Order(id=f"o{next(numbers)}", by=step.by, command=step.command) for _, step in steps], floor)
            orders += len(steps)
            playing = [player for player, _ in steps]
    seconds = time.perf_counter() - start
    floor.close()
    return Rates(rounds / seconds, orders / seconds)


def together(orders: list[Order], floor: Floor) -> None:
    """Hand in orders at the same time, and wait until all are durable."""
    if len(orders) == 1:
        floor.handle(orders[0])
        return
    for future in [floor.submit(order) for order in orders]:
        future.result()


# ---------------------------------------------------------------------------------------------------- without the store


class Memory:
    """The same orders on the same state, and nothing kept."""

    def __init__(self, config: FloorConfig) -> None:
        self.state = FloorState()
        self._shoe = SealingShoe(KEY)
        people = tuple(
            Person(staff=staff, name=staff, role=role, card=staff, credential="") for staff, role in STAFF.items()
        )
        self.give(INSTALLATION, Found(config=config, people=people, key="0" * 64, pin_set=True))
        for seed in meters_of(config):
            self.give("manager-1", seed)
        for spot in SPOTS:
            self.give("d", Admit(player=f"guest-{spot}", code=f"code-{spot}"))

    def give(self, by: str, command: Command) -> None:
        """Decide an order and evolve."""
        state = self.state
        order = Order(id="", by=by, command=command)
        past: Any = None
        events = decide(Office(state, order, state.seq + 1, 0, "2026-01-01", past, self._shoe))
        entry = Entry(
            seq=state.seq + 1,
            at=0,
            day="2026-01-01",
            order="",
            digest="",
            by=by,
            second="",
            kind="",
            table="",
            round=0,
            events=events,
        )
        self.state = after(state, entry, "")


def without_the_store(game: str) -> Rates:
    """Whole rounds a second, decided and evolved."""
    config = floor_of([game])
    memory, random = Memory(config), Random(5)
    rounds = orders = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS / 3:
        for step in whole_round(lambda: memory.state, "V1", random):
            memory.give(step.by, step.command)
            orders += 1
        rounds += 1
    seconds = time.perf_counter() - start
    return Rates(rounds / seconds, orders / seconds)


def pokerkit_rounds() -> float:
    """Rounds of PokerKit a second: fixed-limit hold'em, four players, checked and called to the showdown."""
    from pokerkit import Automation, FixedLimitTexasHoldem

    automations = tuple(Automation)
    rounds = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        state = FixedLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 4, (200,) * len(SPOTS), len(SPOTS))
        while state.status:
            state.check_or_call()
        rounds += 1
    return rounds / (time.perf_counter() - start)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=list(all_games()), help="this game alone")
    args = parser.parse_args()
    games = [args.game] if args.game else list(all_games())
    with tempfile.TemporaryDirectory(prefix="hw") as name:
        folder = Path(name)
        print(f"sqlite, {len(SPOTS)} spots a round:")
        for key in games:
            raw = raw_sqlite(folder / f"{key}-raw.db")
            print(f"  {key}: raw {raw:,.0f} commits a second")
            for tables in (1, TABLES_AT_ONCE):
                floor = through_the_floor(folder / f"{key}-{tables}.db", [key] * tables)
                print(
                    f"    {tables:2} tables: {floor.rounds:6,.1f} rounds a second, {floor.orders:6,.0f} orders, "
                    f"{floor.orders / raw:.2f} orders and {floor.rounds / raw:.3f} rounds a raw commit",
                    flush=True,
                )
    other = pokerkit_rounds()
    print(f"without the store: PokerKit {other:,.0f} rounds a second (limit hold'em, {len(SPOTS)} players, showdown)")
    for key in games:
        floor = without_the_store(key)
        print(
            f"  {key:17} {floor.rounds:6,.0f} rounds a second, {floor.orders:,.0f} orders, "
            f"{floor.rounds / other:.2f} of PokerKit",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
