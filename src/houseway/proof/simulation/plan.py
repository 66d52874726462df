"""What is simulated: one table of one game, its wagers and pay tables, the way its spots play, and its progressives.

A plan is plain data that can be sent to any worker. With the number of a round it decides everything about it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, Final

from houseway.games import Game, approved_book
from houseway.games import six_card_pai_gow as pai_gow
from houseway.games import straight_edge as edge
from houseway.games import straight_edge_2 as edge_2
from houseway.games import three_card_poker as three_card
from houseway.games.caribbean_stud import BET_HANDS, BONUS_HANDS
from houseway.games.straight_edge import LENGTH_HANDS
from houseway.paytables import Book, PayTable, ProgressiveTable
from houseway.progressive import Policy
from houseway.progressive.awards import check_policy, envy_amount, fixed_amount, seed_amount, source_meter
from houseway.progressive.terms import WHOLE_BP, MeterTerms, Terms
from houseway.proof.collect import BASE, BASE_TABLES, BEARING, Request, all_figures, check_options
from houseway.proof.compiled import Progress
from houseway.proof.distribution import exact_wager
from houseway.proof.simulation.kernels import simulation_digest
from houseway.proof.simulation.strategies import BEST, Way, way_to_play
from houseway.proof.simulation.stream import SEEDS
from houseway.proof.simulation.tally import Line
from houseway.ranking import three_card as three_card_ranking
from houseway.ranking.poker import CATEGORIES
from houseway.refusal import Refusal

PROGRESSIVE: Final = "progressive"
MOST_ROUNDS: Final = 1 << 48

WAGERS: Final[Mapping[str, tuple[str, ...]]] = {
    "caribbean-stud": (BASE, "bonus", "cover_all"),
    "three-card-poker": (BASE, "pair_plus", "six_card_bonus"),
    "straight-edge-1": (BASE, "bonus", "insurance"),
    "straight-edge-2": (BASE, "four_plus", "insurance"),
    "six-card-pai-gow": (BASE, "fortune", "insurance"),
}
"""The wagers of a game as its loop numbers them."""

HANDS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("caribbean-stud", BASE): BET_HANDS,
    ("caribbean-stud", "bonus"): BONUS_HANDS,
    ("caribbean-stud", "cover_all"): CATEGORIES,
    ("three-card-poker", BASE): three_card_ranking.CATEGORIES,
    ("three-card-poker", "pair_plus"): three_card_ranking.CATEGORIES,
    ("three-card-poker", "six_card_bonus"): three_card.SIX_CARD_HANDS,
    ("straight-edge-1", BASE): LENGTH_HANDS,
    ("straight-edge-1", "bonus"): LENGTH_HANDS,
    ("straight-edge-1", "insurance"): edge.INSURANCE_HANDS,
    ("straight-edge-2", BASE): LENGTH_HANDS,
    ("straight-edge-2", "four_plus"): LENGTH_HANDS,
    ("straight-edge-2", "insurance"): edge.INSURANCE_HANDS,
    ("six-card-pai-gow", "fortune"): CATEGORIES,
    ("six-card-pai-gow", "insurance"): pai_gow.INSURANCE_HANDS,
}
"""The rows of a wager's pay table as its rule numbers them."""

PROGRESSIVE_HANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "caribbean-stud": CATEGORIES,
    "three-card-poker": three_card.PROGRESSIVE_HANDS,
    "straight-edge-1": LENGTH_HANDS,
    "straight-edge-2": LENGTH_HANDS,
    "six-card-pai-gow": CATEGORIES,
}
"""The rows of a progressive as the game's rule numbers them."""

BASE_STAKES: Final[Mapping[str, tuple[int, int]]] = {
    "caribbean-stud": (3, 2),
    "three-card-poker": (2, 1),
    "straight-edge-1": (2, 1),
    "straight-edge-2": (4, 1),
    "six-card-pai-gow": (2, 0),
}
"""In units of the first wager: the most that is wagered on a base game, and what its pay table pays on."""


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
        return Fraction(sum(one.contribution_bp + one.reserve_bp for one in self.terms.meters.values()), WHOLE_BP)


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
    """The number of each line's wager in the game's loop."""
    weights: tuple[int, ...]
    """By line: what the wager's own money counts in the bankroll, where every wager is ``bankroll_unit``."""
    bankroll_unit: int
    flags: tuple[int, ...]
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
    game = setup.game
    if game.key not in WAGERS:
        raise Refusal("game", f"{game.key} is not simulated; there are {', '.join(WAGERS)}")
    if not 1 <= setup.spots <= game.most_spots:
        raise Refusal("spots", f"must be from 1 to {game.most_spots} at {game.key}")
    if not 0 <= setup.seed < SEEDS:
        raise Refusal("seed", "must be a whole number from 0 to 18446744073709551615")
    check_options(Request(setup.book, games=(game.key,), options=setup.options))
    options = {**game.defaults, **setup.options}
    tables = _tables(setup)
    lines = tuple(
        _line(game, wager, tables.get(BASE_TABLES.get(game.key, "") if wager == BASE else wager), setup)
        for wager in WAGERS[game.key]
        if wager == BASE or wager in tables
    )
    bearing = {
        name: options[name]
        for name in BEARING.get((game.key, BASE), ())
        if options[name] != game.defaults[name]
    }  # fmt: skip
    way = way_to_play(game, setup.strategy, tables.get(BASE_TABLES.get(game.key, "")), bearing, progress)
    policy = Policy.of(options, game.second_spot_envies)
    unit = lcm(*(line.stake for line in lines))
    return Plan(
        game=game.key,
        spots=setup.spots,
        seed=setup.seed,
        digest=simulation_digest(),
        deck=len(game.deck),
        cards=game.player_cards * setup.spots + game.dealer_cards,
        lines=lines,
        places=tuple(WAGERS[game.key].index(line.wager) for line in lines),
        weights=tuple(unit // line.stake for line in lines),
        bankroll_unit=unit,
        flags=_flags(game, options),
        way=way,
        progressives=tuple(_progressive(setup, name, policy) for name in setup.progressives),
        order=_order(setup.spots, policy),
        terms=_terms(game, policy),
        tables=tables,
        options=options,
    )


def _tables(setup: Setup) -> dict[str, PayTable]:
    """The pay table of every wager that is played."""
    game, book = setup.game, setup.book
    side = [wager for wager in WAGERS[game.key] if wager != BASE]
    decides = BASE_TABLES.get(game.key)
    for wager in setup.wagers:
        if wager not in (BASE, *side):
            raise Refusal(
                "wager", f"{wager[:40]!r} is not simulated at {game.key}; there are {BASE}, {', '.join(side)}"
            )
    wanted = {wager: wager for wager in side if not setup.wagers or wager in setup.wagers}
    if decides:
        wanted = {decides: BASE, **wanted}
    names = {decides if wager == BASE and decides else wager: name for wager, name in setup.tables.items()}
    for wager, name in names.items():
        if wager not in wanted:
            raise Refusal(
                "tables", f"{wager[:40]!r} has no pay table in this simulation; {', '.join(wanted) or 'none'} have"
            )
        if not isinstance(book.find(game.families, wager, name), PayTable):
            ids = ", ".join(table.id for table in book.of(game.families, wager))
            raise Refusal("tables", f"{name[:40]!r} is no {wager} table of {game.key}; there are {ids}")
    made: dict[str, PayTable] = {}
    for wager in wanted:
        found = book.find(game.families, wager, names[wager]) if wager in names else None
        known_tables = [table for table in book.of(game.families, wager) if isinstance(table, PayTable)]
        made[wager] = found if isinstance(found, PayTable) else known_tables[0]
    return made


def _line(game: Game, wager: str, table: PayTable | None, setup: Setup) -> Line:
    column = setup.spots + 1 if table is not None and table.columns else None
    if table is None:
        return Line(wager, "", 1, (), (), -2, 2)
    num, den = table.schedule(HANDS[game.key, wager], column)
    unit = exact_wager(den)
    most = max((unit * n // d for n, d in zip(num, den, strict=True) if d), default=0)
    label = table.id if column is None else f"{column}" if table.approved else f"{table.id} {column}"
    if wager == BASE:
        wagered, on_table = BASE_STAKES[game.key]
        return Line(wager, label, unit, num, den, -wagered * unit, wagered * unit + on_table * max(most, unit))
    envy = tuple(table.envy_cents.get(hand, 0) for hand in HANDS[game.key, wager]) if table.envy_cents else ()
    cents = table.envy_minimum_cents or 100
    if envy and cents % unit:
        cents *= unit
    return Line(
        *(wager, label, unit, num, den, -unit, most),
        for_one=table.returns_wager is False,
        money=cents // unit if envy else 1,
        envy=envy,
    )


def _flags(game: Game, options: Mapping[str, Any]) -> tuple[int, ...]:
    """The house options that bear on settling, as the game's loop takes them."""
    match game.key:
        case "caribbean-stud":
            return int(options["folded_keeps_bonus"]), int(options["cover_all_counts_folded"])
        case "three-card-poker":
            return (int(options["equal_hands"] == "lose"),)
        case "straight-edge-1":
            return 0, int(options["folded_keeps_bonus"]), 1
        case "straight-edge-2":
            zero = edge_2.MARGIN_ZERO.index(options["blind_on_margin_zero"])
            return zero, int(options["folded_keeps_four_plus"]), int(options["folded_keeps_insurance"])
        case _:
            return (0,)


def _terms(game: Game, policy: Policy) -> tuple[int, int]:
    """Whether a folded hand qualifies, and wins envy; where nobody folds every hand does."""
    if not any(choice.folds for point in game.points for choice in point.choices):
        return 1, 1
    return int(policy.folded_qualifies), int(policy.folded_wins_envy)


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
        known = ", ".join(one.id for one in setup.book.of(setup.game.families, PROGRESSIVE))
        raise Refusal("progressive", f"{name[:40]!r} is no progressive table of {setup.game.key}; there are {known}")
    check_policy(table, policy)
    wager = table.stated_wager_cents or table.figures_wager_cents or 100
    terms = Terms(table=table, wager_cents=wager, meters=_meters(setup, table, wager), fixed_from=policy.fixed_from)
    rows = [table.row(hand) for hand in PROGRESSIVE_HANDS[setup.game.key]]
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
        envy.append(0 if row is None else envy_amount(row, table, wager))
    return Progressive(table, terms, *(tuple(one) for one in (percent, amount, meter, cost, envy)))


def _meters(setup: Setup, table: ProgressiveTable, wager: int) -> dict[str, MeterTerms]:
    """Rates and seeds by meter: as given, else as printed or inferred (docs/proof.md)."""
    link = setup.link
    for what, given in (
        ("contribution", link.contribution_bp),
        ("reserve", link.reserve_bp),
        ("seed-amount", link.seeds_cents),
    ):
        unknown = [name for name in given if name and name not in table.meters]
        if unknown or ("" in given and len(table.meters) > 1):
            raise Refusal(
                what,
                f"must name the meter, such as {table.meters[0]}=…; {table.label} has {', '.join(table.meters)}",
            )
    made = {}
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
        made[name] = MeterTerms(contribution_bp=rate, reserve_bp=_given(link.reserve_bp, name) or 0, seed_cents=seed)
    if sum(one.contribution_bp + one.reserve_bp for one in made.values()) > WHOLE_BP:
        raise Refusal("contribution", "and reserve rates come to more than the whole wager")
    return made


def _given(values: Mapping[str, int], name: str) -> int | None:
    return values.get(name, values.get(""))


def _inferred(setup: Setup, table: ProgressiveTable) -> int | None:
    """The rate that reproduces the printed edge, in hundredths of a percent."""
    if len(table.meters) != 1:
        return None
    asked = Request(setup.book, games=(setup.game.key,), wagers=(PROGRESSIVE,), tables=(table.id,))
    returns = all_figures(asked)[0].returns
    return None if returns is None or returns.contribution is None else int(returns.contribution * WHOLE_BP)


def check_rounds(rounds: int) -> None:
    """Refuse a number of rounds that cannot be played."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal("rounds", f"must be a whole number from 1 to {MOST_ROUNDS}")


def wagers_of(game: Game, book: Book, names: Sequence[str]) -> dict[str, str]:
    """``WAGER=TABLE`` or a designator such as TCP-05, as the pay table of each wager."""
    made: dict[str, str] = {}
    for text in names:
        wager, equals, name = text.partition("=")
        if equals:
            pairs = {wager: name}
        else:
            designator = book.designator(game.key, text)
            if designator is None:
                raise Refusal("tables", f"{text[:40]!r} is neither WAGER=TABLE nor a designator of {game.key}")
            pairs = dict(designator.tables)
        for one, table in pairs.items():
            if one in made:
                raise Refusal("tables", f"{one[:40]} is given twice")
            made[one] = table
    return made
