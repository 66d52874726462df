"""What is simulated: one table of one game, its wagers and pay tables, the way its spots play, and its progressives.

A plan is plain data that can be sent to any worker. With the number of a round it decides everything about it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import Any, Final

from houseway.games import Game, approved_book
from houseway.games.model import Stake, Wager
from houseway.paytables import Book, PayTable, ProgressiveTable
from houseway.progressive import Policy
from houseway.progressive.awards import check_policy, envy_amount, fixed_amount, seed_amount, source_meter
from houseway.progressive.terms import WHOLE_BP, MeterTerms, Terms
from houseway.proof.collect import Request, all_figures, is_counted
from houseway.proof.compiled import Progress
from houseway.proof.distribution import exact_wager
from houseway.proof.simulation.declared import BASE, Declared
from houseway.proof.simulation.loops import plan_digest
from houseway.proof.simulation.stream import SEEDS
from houseway.proof.simulation.tally import Line
from houseway.proof.simulation.ways import BEST, Way, way_to_play
from houseway.refusal import Refusal

PROGRESSIVE: Final = "progressive"
MOST_ROUNDS: Final = 1 << 48

BEYOND_TABLE: Final = 100
"""The most, to one, that a rule may pay by itself, beyond what its pay table says."""


@dataclass(frozen=True, slots=True)
class Link:
    """How a progressive is set: rates and seeds by meter; empty where the table's own are meant."""

    contribution_bp: Mapping[str, int] = field(default_factory=dict)
    reserve_bp: Mapping[str, int] = field(default_factory=dict)
    seeds_cents: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """What is asked for."""

    game: Game
    spots: int = 1
    seed: int = 1
    wagers: tuple[str, ...] = ()
    """Empty for every wager of the game; the base game is always played."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """By wager: the pay table, by id or alias; the first approved one where none is named."""
    strategy: str = BEST
    progressives: tuple[str, ...] = ()
    link: Link = field(default_factory=Link)
    options: Mapping[str, Any] = field(default_factory=dict)
    book: Book = field(default_factory=approved_book)


@dataclass(frozen=True, slots=True)
class Progressive:
    """A progressive wager of every spot: its terms, and what each row does, by the game's row numbers."""

    table: ProgressiveTable
    terms: Terms
    percent: tuple[int, ...]
    """Share of the meter; 0 for the other rows."""
    amount: tuple[int, ...]
    """Cents of the rows that are no percentage."""
    meter: tuple[int, ...]
    """The place of the meter it draws on; -1 for the tray."""
    cost: tuple[int, ...]
    """What the house pays for it on average, in cents: the tray's award, or the seed of a meter that is won whole."""
    envy: tuple[int, ...]

    @property
    def rate(self) -> Fraction:
        """What of a wager goes to meters and reserves."""
        return Fraction(sum(meter.contribution_bp + meter.reserve_bp for meter in self.terms.meters.values()), WHOLE_BP)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a worker needs to play any round."""

    game: str
    spots: int
    seed: int
    digest: str
    """Of the rules, tables, solvers and the simulation itself: a worker with others refuses."""
    deck: int
    cards: int
    lines: tuple[Line, ...]
    places: tuple[int, ...]
    """The number of each line in the game's loop."""
    amounts: tuple[int, ...]
    """By wager of the game: what a spot bets before the deal, in parts of its line."""
    odds: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """By wager that pays by a table: its odds by row; empty where it is not played."""
    weights: tuple[int, ...]
    """By line: what the wager's own money counts in the bankroll, where every wager is ``bankroll_unit``."""
    bankroll_unit: int
    way: Way
    progressives: tuple[Progressive, ...]
    order: tuple[int, ...]
    terms: tuple[int, int]
    """Whether a folded hand qualifies for the progressive, and whether it wins envy."""
    tables: Mapping[str, PayTable]
    """By wager."""
    options: Mapping[str, Any]
    """Every option of the game."""


def plan_of(setup: Setup, progress: Progress | None = None) -> Plan:
    """The plan for a table; whatever does not fit is refused."""
    game, declared = setup.game, Declared(setup.game)
    if not 1 <= setup.spots <= game.most_spots:
        raise Refusal("spots", f"must be from 1 to {game.most_spots} at {game.key}")
    if not 0 <= setup.seed < SEEDS:
        raise Refusal("seed", "must be a whole number from 0 to 18446744073709551615")
    _check_options(game, setup.options)
    options = {**game.defaults, **setup.options}
    tables = _tables(setup, declared)
    lines = tuple(_line(declared, line, tables, setup) for line in _played(setup, declared))
    units = {wager.key: line.unit for line in lines for wager in declared.lines[line.wager]}
    bearing = {name: options[name] for name in game.bearing[BASE] if options[name] != game.defaults[name]}
    base = {wager.table_key: tables[wager.table_key] for wager in declared.base_wagers if wager.table_key in tables}
    way = way_to_play(game, setup.strategy, base, bearing, progress)
    policy = Policy.of(options, game.second_spot_envies) if game.progressive is not None else Policy()
    unit = lcm(*(line.stake for line in lines))
    return Plan(
        game=game.key,
        spots=setup.spots,
        seed=setup.seed,
        digest=plan_digest(game),
        deck=len(game.pack(options)),
        cards=declared.spot_cards * setup.spots + declared.table_cards,
        lines=lines,
        places=tuple(list(declared.lines).index(line.wager) for line in lines),
        amounts=tuple(units.get(wager.key, 0) if wager.key in declared.placed else 0 for wager in game.wagers),
        odds=tuple(_odds(setup, wager, tables.get(wager.table_key)) for wager in declared.with_tables),
        weights=tuple(unit // line.stake for line in lines),
        bankroll_unit=unit,
        way=way,
        progressives=tuple(_progressive(setup, name, policy) for name in setup.progressives),
        order=_order(setup.spots, policy),
        terms=(int(policy.folded_qualifies), int(policy.folded_wins_envy)),
        tables=tables,
        options=options,
    )


def _check_options(game: Game, options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        option = game.options_by_name.get(name)
        if option is None:
            known = ", ".join(sorted(option.name for option in game.options if option.settles))
            raise Refusal(f"option {name}", f"is no option of {game.key}; there are {known}")
        if not option.fits(value):
            raise Refusal(f"option {name}", f"{value!r} does not fit; allowed is {option.allowed}")


def _played(setup: Setup, declared: Declared) -> list[str]:
    """The lines that are played: the base game, what is required, and the side wagers asked for."""
    game = setup.game
    for wager in setup.wagers:
        if wager not in declared.lines:
            raise Refusal(
                "wager", f"{wager[:40]!r} is not simulated at {game.key}; there are {', '.join(declared.lines)}"
            )
    return [
        line
        for line in declared.lines
        if (line == BASE or not setup.wagers or line in setup.wagers or declared.is_sure(line))
        and _is_offered(game, line, {**game.defaults, **setup.options})
    ]


def _is_offered(game: Game, line: str, options: Mapping[str, Any]) -> bool:
    """Whether the house offers a wager under these options."""
    wager = game.wager(line)
    if wager is None or wager.offered_with is None:
        return True
    option, value = wager.offered_with
    return bool(options[option] == value)


def _tables(setup: Setup, declared: Declared) -> dict[str, PayTable]:
    """The pay table of every wager that is played."""
    game, book = setup.game, setup.book
    wager_names = tuple(
        dict.fromkeys(
            wager.table_key
            for line in _played(setup, declared)
            for wager in declared.lines[line]
            if wager.hands and wager.pays
        )
    )
    names = {game.base_table if wager == BASE else wager: name for wager, name in setup.tables.items()}
    for wager, name in names.items():
        if wager not in wager_names:
            raise Refusal(
                "tables", f"{wager[:40]!r} has no pay table in this simulation; {', '.join(wager_names) or 'none'} have"
            )
        if not isinstance(book.find(game.families, wager, name), PayTable):
            ids = ", ".join(table.id for table in book.of(game.families, wager))
            raise Refusal("tables", f"{name[:40]!r} is no {wager} table of {game.key}; there are {ids}")
    tables: dict[str, PayTable] = {}
    for wager in wager_names:
        pay_table = book.find(game.families, wager, names[wager]) if wager in names else None
        known = [table for table in book.of(game.families, wager) if isinstance(table, PayTable)]
        if not isinstance(pay_table, PayTable) and not known:
            raise Refusal("tables", f"{game.key} has no pay table for {wager}; give one in a file")
        tables[wager] = pay_table if isinstance(pay_table, PayTable) else known[0]
    return tables


def _odds(setup: Setup, wager: Wager, table: PayTable | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What a wager's table pays by row, in the column of this number of hands."""
    if table is None:
        return (), ()
    return table.schedule(wager.hands, setup.spots + 1 if wager.by_hands_dealt else None)


def _line(declared: Declared, line: str, tables: Mapping[str, PayTable], setup: Setup) -> Line:
    """What is counted of some wagers: their unit, cut so that no pay is rounded, and the bounds of their results."""
    game, wagers = declared.game, declared.lines[line]
    odds = {wager.key: _odds(setup, wager, tables.get(wager.table_key)) for wager in wagers}
    halves = [2 for wager in wagers if wager.key in declared.surrendered]
    unit = lcm(*(exact_wager(den) for _, den in odds.values()), *(wager.parts for wager in wagers), *halves)
    wagered = won = 0
    for wager in wagers:
        num, den = odds[wager.key]
        pays = max((-(-top // bottom) for top, bottom in zip(num, den, strict=True) if bottom), default=0)
        times = 1 if wager.kind == "award" else _most_times(game, wager)
        wagered += 0 if wager.kind == "award" else times
        won += times * (max(pays, 0) + BEYOND_TABLE)
    named = tables.get(game.base_table if line == BASE else wagers[0].table_key)
    shown = Line(line, "", unit, -wagered * unit, won * unit)
    if named is None:
        return shown
    column = setup.spots + 1 if named.columns else None
    label = named.id if column is None else f"{column}" if named.approved else f"{named.id} {column}"
    hands = wagers[0].hands
    envy = tuple(named.envy_cents.get(hand, 0) for hand in hands) if named.envy_cents and line != BASE else ()
    cents = named.envy_minimum_cents or 100
    if envy and cents % unit:
        cents *= unit
    return replace(
        shown,
        table=label,
        for_one=line != BASE and named.returns_wager is False,
        money=cents // unit if envy else 1,
        envy=envy,
    )


def _most_times(game: Game, wager: Wager) -> int:
    """How many units of the first wager this one comes to at most."""
    stakes: tuple[Stake, ...] = game.followers.get(wager.key, ())
    return max(
        (stake.times * _most_times(game, leader) for stake in stakes if (leader := game.wager(stake.of))), default=1
    )


def _order(spots: int, policy: Policy) -> tuple[int, ...]:
    """The spots, from 0, in the order in which their awards are paid (PR-17)."""
    order = policy.award_order
    if isinstance(order, tuple):
        missing = [spot for spot in range(1, spots + 1) if spot not in order]
        if missing:
            raise Refusal("option award_order", f"must name every spot; {missing[0]} is missing")
        return tuple(spot - 1 for spot in order if spot <= spots)
    return tuple(reversed(range(spots))) if order == "right_to_left" else tuple(range(spots))


# ------------------------------------------------------------------------------------------------ progressives


def _progressive(setup: Setup, name: str, policy: Policy) -> Progressive:
    table = setup.book.find(setup.game.families, PROGRESSIVE, name)
    if not isinstance(table, ProgressiveTable):
        known = ", ".join(pay_table.id for pay_table in setup.book.of(setup.game.families, PROGRESSIVE))
        raise Refusal("progressive", f"{name[:40]!r} is no progressive table of {setup.game.key}; there are {known}")
    check_policy(table, policy)
    wager = table.stated_wager_cents or table.figures_wager_cents or 100
    terms = Terms(table=table, wager_cents=wager, meters=_meters(setup, table, wager), fixed_from=policy.fixed_from)
    rows = [table.row(hand) for hand in progressive_hands(setup.game)]
    meters = list(terms.meters)
    percent, amount, meter, cost, envy = [], [], [], [], []
    for row in rows:
        source = None if row is None else source_meter(row, table, policy)
        share = row.percent or 0 if row is not None else 0
        fixed = 0 if row is None or share else fixed_amount(row, table, wager)
        percent.append(share)
        amount.append(fixed)
        meter.append(-1 if source is None else meters.index(source))
        seed = terms.meters[source].seed_cents if source is not None and share == 100 else 0
        cost.append(seed if source is not None else fixed)
        envy.append(0 if row is None else envy_amount(row, table, wager, scales=policy.envy_scales))
    return Progressive(table, terms, *(tuple(column) for column in (percent, amount, meter, cost, envy)))


def _meters(setup: Setup, table: ProgressiveTable, wager: int) -> dict[str, MeterTerms]:
    """Rates and seeds by meter: as given, else as printed or inferred (docs/proof.md)."""
    link = setup.link
    for what, shares in (
        ("contribution", link.contribution_bp),
        ("reserve", link.reserve_bp),
        ("seed-amount", link.seeds_cents),
    ):
        unknown = [name for name in shares if name and name not in table.meters]
        if unknown or ("" in shares and len(table.meters) > 1):
            raise Refusal(
                what,
                f"must name the meter, such as {table.meters[0]}=…; {table.label} has {', '.join(table.meters)}",
            )
    meters = {}
    for name in table.meters:
        rate = _given(link.contribution_bp, name)
        seed = _given(link.seeds_cents, name)
        if seed is None:
            seed = seed_amount(table, wager) if len(table.meters) == 1 else None
        if seed is None:
            raise Refusal("seed-amount", f"no seed is printed for {table.label}; give one for the meter {name}")
        if rate is None:
            rate = _inferred(setup, table)
        if rate is None:
            raise Refusal("contribution", f"is not known for {table.label}; give one for the meter {name}")
        meters[name] = MeterTerms(contribution_bp=rate, reserve_bp=_given(link.reserve_bp, name) or 0, seed_cents=seed)
    if sum(meter.contribution_bp + meter.reserve_bp for meter in meters.values()) > WHOLE_BP:
        raise Refusal("contribution", "and reserve rates come to more than the whole wager")
    return meters


def _given(values: Mapping[str, int], name: str) -> int | None:
    return values.get(name, values.get(""))


def _inferred(setup: Setup, table: ProgressiveTable) -> int | None:
    """The rate that reproduces the printed edge, in hundredths of a percent."""
    if len(table.meters) != 1 or not is_counted(setup.game):
        return None
    request = Request(setup.book, games=(setup.game.key,), wagers=(PROGRESSIVE,), tables=(table.id,))
    returns = all_figures(request)[0].returns
    return None if returns is None or returns.contribution is None else int(returns.contribution * WHOLE_BP)


def progressive_hands(game: Game) -> tuple[str, ...]:
    """The rows of a progressive as the game's rule numbers them."""
    return game.progressive.hands if game.progressive is not None else ()


def check_rounds(rounds: int) -> None:
    """Refuse a number of rounds that cannot be played."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal("rounds", f"must be a whole number from 1 to {MOST_ROUNDS}")


def wagers_of(game: Game, book: Book, names: Sequence[str]) -> dict[str, str]:
    """``WAGER=TABLE`` or a designator such as TCP-05, as the pay table of each wager."""
    texts: dict[str, str] = {}
    for text in names:
        wager, equals, name = text.partition("=")
        if equals:
            pairs = {wager: name}
        else:
            designator = book.designator(game.key, text)
            if designator is None:
                raise Refusal("tables", f"{text[:40]!r} is neither WAGER=TABLE nor a designator of {game.key}")
            pairs = dict(designator.tables)
        for wager_key, table in pairs.items():
            if wager_key in texts:
                raise Refusal("tables", f"{wager_key[:40]} is given twice")
            texts[wager_key] = table
    return texts
