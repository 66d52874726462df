"""Printed against counted: the figure of a wager, with what the documents print beside it and a verdict.

A printed percentage is reproduced when our exact count, rounded half up to the printed digits, is that percentage.
Where it is not, ``why`` says by how much, and gives a reason only where a count or the documents confirm it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any, Final

from houseway.games import Game
from houseway.paytables import Book, PayTable, ProgressiveTable, Table
from houseway.progressive import Policy
from houseway.proof import strategy
from houseway.proof.figure import (
    Claim,
    Counted,
    Figure,
    Outcome,
    Quantity,
    Returns,
    Verdict,
    half_up,
    percent,
    players_edge,
)
from houseway.proof.progressive import Odds, returns
from houseway.proof.published import WORDS, compare

EDGE: Final = "house_edge"
HITS: Final = "hit_frequency"
NAMES: Final = {EDGE: "house edge", HITS: "hit frequency"}
CLAIM_OF_BASE: Final = "par_per_ante"
"""How the documents call the house edge of a base game (three card poker's Ante)."""
UNKNOWN: Final = "The reason is not known."
ROWS_LEFT_OUT: Final = 2
"""How many rows a guess may leave out before it explains anything."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a figure is asked for, beyond the pay table."""

    game: Game
    book: Book
    options: Mapping[str, Any] = field(default_factory=dict)
    """House options away from their default that bear on the figure."""
    contribution: Fraction | None = None
    seeds_cents: Mapping[str, int] = field(default_factory=dict)
    others: int | None = None
    """Other spots with the wager; a full table where it is not given."""

    @property
    def other_spots(self) -> int:
        return self.game.most_spots - 1 if self.others is None else self.others

    @property
    def policy(self) -> Policy:
        return Policy.of({**self.game.defaults, **self.options}, self.game.second_spot_envies)


def figure_of(counted: Counted, table: Table | None, setup: Setup) -> Figure:
    """The figure that a count comes to on its pay table."""
    if isinstance(table, ProgressiveTable):
        return _progressive_figure(counted, table, setup)
    edge, hits, deviation = _own_figures(counted)
    assumptions = list(_option_words(setup))
    around: dict[int, Fraction] = {}
    if isinstance(table, PayTable) and table.envy_cents:
        around = {others: _edge_with_envy(counted, table, others) for others in range(setup.game.most_spots + 1)}
        edge = Quantity.of(around[setup.other_spots])
        assumptions += _envy_words(counted, table, setup.other_spots)
    if setup.game.shoe is not None:
        decks = setup.game.copies({**setup.game.defaults, **setup.options})
        assumptions.append(f"a freshly shuffled shoe of {decks} decks")
    if any(wager.by_hands_dealt for wager in setup.game.wagers if wager.table_key == counted.wager):
        assumptions.append("every hand dealt counts; under best play nobody folds three of a kind or better")
    base = counted.wager == "base"
    claims = _claims(table, base)
    verdict, why = judge(claims, {EDGE: edge, HITS: hits}, Evidence(table, counted, setup, around))
    distribution = counted.distribution
    literature = compare(counted, setup.game, setup.options)
    figure = Figure(
        game=counted.game,
        wager=counted.wager,
        table=counted.table,
        approved=table is None or table.approved,
        house_edge=edge,
        hit_frequency=hits,
        standard_deviation=deviation,
        element_of_risk=distribution.element_of_risk if base and distribution else None,
        strategy=strategy.in_words(counted) if base else "",
        printed=_texts(claims),
        verdict=verdict,
        why=why,
        assumptions=tuple(assumptions),
        seconds=counted.seconds,
        outcomes=_outcomes(counted),
        total=distribution.total if distribution else 0,
        simulation=counted.simulation,
        average_bet=distribution.wagered if base and distribution else None,
        larger=counted.larger,
        published=literature.texts,
        published_verdict=literature.verdict,
        published_why=literature.why,
    )
    lost = players_edge(edge.high, strategy.unit_words(setup.game) if base else "wager")
    return replace(figure, notes=(*([lost] if lost else []), *_elsewhere(figure, table), *literature.notes))


def _own_figures(counted: Counted) -> tuple[Quantity, Quantity, float | None]:
    """Edge, hit frequency and deviation of the own hand."""
    distribution = counted.distribution
    if distribution is not None:
        return (
            Quantity.of(distribution.house_edge),
            Quantity.of(distribution.hit_frequency),
            distribution.standard_deviation,
        )
    if counted.house_edge is None or counted.hit_frequency is None:
        raise ValueError(f"nothing was counted for {counted.game} {counted.wager} {counted.table}")
    return counted.house_edge, counted.hit_frequency, counted.standard_deviation


def _claims(table: Table | None, base: bool) -> dict[str, Claim | None]:
    printed = table.printed if table is not None else {}
    texts = {EDGE: printed.get(CLAIM_OF_BASE if base else EDGE), HITS: None if base else printed.get(HITS)}
    return {name: _claim(text) for name, text in texts.items()}


def _claim(text: str | None) -> Claim | None:
    try:
        return None if text is None else Claim.of(text)
    except ValueError:
        return None  # a house may print what it likes under a key of its own


def _texts(claims: Mapping[str, Claim | None]) -> dict[str, str | None]:
    return {name: None if claim is None else claim.text for name, claim in claims.items()}


def _option_words(setup: Setup) -> Iterator[str]:
    for name, value in setup.options.items():
        yield f"house option {name} = {str(value).lower() if isinstance(value, bool) else value}"
        for wager in setup.game.wagers:
            if wager.after_fold == name and value is False:
                yield f"a hand that wins {wager.label} is kept in play; folded it would lose it"


def _outcomes(counted: Counted) -> tuple[Outcome, ...]:
    distribution = counted.distribution
    if distribution is None:
        return tuple(Outcome(_net_words(net), chance, None, net) for net, chance in reversed(counted.results))
    return tuple(
        Outcome(_net_words(net), Quantity.of(chance), int(chance * distribution.total), net)
        for net, chance in reversed(distribution.probabilities().items())
    )


def _net_words(net: Fraction) -> str:
    return f"wins {net}" if net > 0 else f"loses {-net}" if net < 0 else "comes out even"


# ------------------------------------------------------------------------------------------------ flat envy


def _envy_each(counted: Counted, table: PayTable) -> Fraction:
    """What one other player's hand is worth in flat envy, per unit of the least wager that takes part (PGF-2)."""
    cents = sum(counted.rows[hand] * cents for hand, cents in table.envy_cents.items())
    return Fraction(cents, counted.total * table.envy_minimum_cents)


def _edge_with_envy(counted: Counted, table: PayTable, others: int) -> Fraction:
    if counted.distribution is None:
        raise ValueError(f"{table.label} pays envy and was not counted case by case")
    return counted.distribution.house_edge - others * _envy_each(counted, table)


def _envy_words(counted: Counted, table: PayTable, others: int) -> list[str]:
    each = percent(_envy_each(counted, table), 4)
    return [
        f"a ${table.envy_minimum_cents // 100} wager and {others} other players, each worth {each} of it in envy",
        "hit frequency and standard deviation are those of the player's own hand, envy not counted",
    ]


# ------------------------------------------------------------------------------------------------ progressives


def _progressive_figure(counted: Counted, table: ProgressiveTable, setup: Setup) -> Figure:
    odds = odds_of(counted, table, setup)
    claims = _claims(table, base=False)
    result = returns(odds, claims[EDGE], setup.contribution)
    edge = None if result.contribution is None else Quantity.of(odds.house_edge(result.contribution))
    hits = Quantity.of(odds.hit_frequency)
    verdict, why = judge(claims, {EDGE: edge, HITS: hits}, Evidence(table, counted, setup))
    outcomes = [
        _award(row.hand, counted, counted.rows[row.hand], None if row.percent is not None else odds.fixed(row) - 1)
        for row in table.rows
    ]
    lost = counted.total - sum(counted.rows[row.hand] for row in table.rows)
    figure = Figure(
        game=counted.game,
        wager=counted.wager,
        table=counted.table,
        approved=table.approved,
        house_edge=edge,
        hit_frequency=hits,
        standard_deviation=_deviation(odds),
        element_of_risk=None,
        strategy="",
        printed=_texts(claims),
        verdict=verdict,
        why=why,
        published=dict.fromkeys(WORDS),
        assumptions=tuple(_progressive_words(odds, result, claims[EDGE], setup)),
        seconds=counted.seconds,
        returns=result,
        outcomes=(*outcomes, _award("no award", counted, lost, Fraction(-1))),
        total=counted.total,
    )
    notes = (*_elsewhere(figure, table), *_needed(odds, result, claims[EDGE], setup), *_top_award(figure, odds))
    return replace(figure, notes=notes)


def _award(what: str, counted: Counted, ways: int, net: Fraction | None) -> Outcome:
    return Outcome(what, Quantity.of(Fraction(ways, counted.total)), ways, net)


def odds_of(counted: Counted, table: ProgressiveTable, setup: Setup) -> Odds:
    """A progressive table with how often each of its hands comes."""
    seeds = {name: cents for name, cents in setup.seeds_cents.items() if name in table.meters}
    return Odds(table, counted.rows, counted.total, setup.other_spots, setup.policy, seeds)


def _deviation(odds: Odds) -> float | None:
    """The standard deviation of the own awards with every meter at its seed; None where a seed is not known."""
    mean = square = Fraction(0)
    for row in odds.table.rows:
        if row.percent is None or row.meter is None:
            award = odds.fixed(row)
        else:
            seed = odds.seed_cents(row.meter)
            if seed is None:
                return None
            award = Fraction(row.percent * seed, 100 * odds.wager_cents)
        mean += odds.chance(row) * award
        square += odds.chance(row) * award**2
    return sqrt(square - mean**2)


def _progressive_words(odds: Odds, result: Returns, edge: Claim | None, setup: Setup) -> Iterator[str]:
    yield from _option_words(setup)
    yield f"a wager of ${odds.wager_cents / 100:,.2f}"
    if odds.envy_per_other:
        yield f"{odds.others} other spots with the wager"
    if result.seed is not None:
        yield "standard deviation of the player's own awards with the meter at its seed"
    if odds.fixed_from_meter:
        yield (
            f"fixed awards from the meter, {percent(odds.fixed_from_meter, 2)} of the wager, are paid with the "
            "players' contributions"
        )
    if result.contribution is not None and result.inferred and edge is not None:
        yield (
            f"a contribution of {percent(result.contribution, 0)}, inferred: the whole percent that reproduces the "
            f"printed {edge.text}"
        )
    elif result.contribution is not None:
        without = "" if result.seed is not None else "; the seed is not known and its cost is not counted"
        yield f"a contribution of {_short(result.contribution)}, given{without}"
    if result.contribution is None and edge is None:
        yield f"no contribution is printed; before it and the seed the house keeps {percent(1 - _given(odds), 2)}"
    yield from _needed(odds, result, edge, setup)


def _needed(odds: Odds, result: Returns, edge: Claim | None, setup: Setup) -> Iterator[str]:
    """What the printed edge needs where no single whole percent of contribution explains it."""
    if edge is None or (result.contribution is not None and not result.inferred):
        return
    if result.contribution is not None:
        yield from _beside_the_cheaper_table(odds, result.contribution, setup)
    elif result.contribution_and_seed is not None:
        yield (
            f"no seed is printed: with the printed {edge.text} contribution and seed cost together come to "
            f"{percent(result.contribution_and_seed, 2)} of the wager"
        )
    else:
        yield (
            f"no whole percent of contribution reproduces the printed {edge.text}; it would take "
            f"{percent(odds.left_for_contribution(edge.share) - (result.seed or 0), 2)}"
        )


def _given(odds: Odds) -> Fraction:
    return odds.tray + odds.envy_per_other * odds.others


def _short(share: Fraction) -> str:
    """A rate with as many digits as it needs, up to four."""
    digits = next((digits for digits in range(4) if (share * 100 * 10**digits).denominator == 1), 4)
    return percent(share, digits)


def _beside_the_cheaper_table(odds: Odds, contribution: Fraction, setup: Setup) -> Iterator[str]:
    """CSP-A3: a dearer table that prints a cheaper one's fixed pays and the same edge needs another contribution."""
    table = odds.table
    for other in setup.book.of((table.game,), table.wager):
        if (
            isinstance(other, ProgressiveTable)
            and other.stated_wager_cents is not None
            and (table.stated_wager_cents or 0) > other.stated_wager_cents
            and other.printed.get(EDGE) == table.printed.get(EDGE)
            and [(row.hand, row.fixed_cents) for row in other.rows]
            == [(row.hand, row.fixed_cents) for row in table.rows]
        ):
            theirs = Odds(other, odds.rows, odds.total, odds.others, odds.policy)
            needed = returns(theirs, _claim(other.printed.get(EDGE))).contribution
            if needed is not None and needed != contribution:
                yield (
                    f"for a ${(table.stated_wager_cents or 0) / 100:,.2f} wager it prints the fixed pays of "
                    f"{other.id}, a ${other.stated_wager_cents / 100:,.2f} table: the same printed edge needs a "
                    f"contribution of {percent(contribution, 0)} here and of {percent(needed, 0)} there"
                )


def _elsewhere(figure: Figure, table: Table | None) -> Iterator[str]:
    printed = table.printed if table is not None else {}
    for name, quantity in ((EDGE, figure.house_edge), (HITS, figure.hit_frequency)):
        claim = _claim(printed.get(f"{name}_elsewhere"))
        if claim is not None and quantity is not None and claim.text not in figure.why:
            agrees = claim.reproduced_by(quantity.low) and claim.reproduced_by(quantity.high)
            verdict = "which is the count" if agrees else "which is not the count"
            yield f"the {NAMES[name]} is printed elsewhere as {claim.text}, {verdict}"


def _top_award(figure: Figure, odds: Odds) -> Iterator[str]:
    top, printed = odds.table.rows[0], odds.table.printed
    if not odds.rows[top.hand]:
        return
    often = 1 / odds.chance(top)
    if "top_award_odds" in printed:
        yield (
            f"the top award is printed as {printed['top_award_odds']}; it comes once in {_number(often)} hands, "
            f"which is {_number(often - 1)} to 1"
        )
    seed = odds.seed_cents(top.meter or "")
    contribution = figure.returns.contribution if figure.returns is not None else None
    if "average_top_award" in printed and contribution is not None and seed is not None:
        average = Fraction(seed, 100) + contribution * often * Fraction(odds.wager_cents, 100)
        yield (
            f"the average top award is printed as ${printed['average_top_award']}; a seed of ${seed // 100:,} and "
            f"a contribution of {_short(contribution)} make ${_number(average)}"
        )


def _number(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else f"{float(value):,.2f}"


# ------------------------------------------------------------------------------------------------ the verdict


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a reason is looked for in."""

    table: Table | None
    counted: Counted
    setup: Setup
    around: Mapping[int, Fraction] = field(default_factory=dict)
    """House edges by the number of other players, where envy makes it matter."""


def judge(
    claims: Mapping[str, Claim | None], counted: Mapping[str, Quantity | None], evidence: Evidence
) -> tuple[Verdict, str]:
    """The verdict on every printed figure that we have a count for, and why one differs."""
    judged = [(name, claim, counted[name]) for name, claim in claims.items() if claim is not None]
    pairs = [(name, claim, quantity) for name, claim, quantity in judged if quantity is not None]
    if not pairs:
        return "not printed", ""
    differing = [
        (name, claim, quantity)
        for name, claim, quantity in pairs
        if not (claim.reproduced_by(quantity.low) and claim.reproduced_by(quantity.high))
    ]
    if not differing:
        return "reproduced", ""
    return "differs", " ".join(_why(name, claim, quantity, evidence) for name, claim, quantity in differing)


def _why(name: str, claim: Claim, quantity: Quantity, evidence: Evidence) -> str:
    exact = quantity.middle
    sentence = (
        f"The {NAMES[name]} is printed as {claim.text}; counted it is {percent(exact, claim.digits + 2)}"
        f"{f' ({exact})' if quantity.exact is not None else ''}, which rounds to {percent(exact, claim.digits)}."
    )
    reasons = _reasons(name, claim, exact, evidence)
    return " ".join([sentence, *reasons])


def _reasons(name: str, claim: Claim, exact: Fraction, evidence: Evidence) -> list[str]:
    """What is known of the difference, most telling first; it always ends with whether that is the reason."""
    options = evidence.setup.options
    if name == EDGE and options:
        away = _listed([f"{option} = {value}" for option, value in options.items()])
        return [f"It is counted with {away}, which is not the default."]
    elsewhere = _printed_elsewhere(name, exact, evidence)
    if elsewhere:
        return [elsewhere, *_rounded_otherwise(claim, exact), UNKNOWN]
    if name == EDGE and evidence.setup.contribution is not None and isinstance(evidence.table, ProgressiveTable):
        return [_with_another_contribution(claim, evidence)]
    if name == HITS and (other := _rows_of_another_table(claim, evidence)):
        return [other]
    words = [
        *_rounded_otherwise(claim, exact),
        *(_other_rows(claim, evidence) if name == HITS else ()),
        *(_other_players(claim, evidence) if name == EDGE else ()),
        *_misprinted(claim, exact),
    ]
    return [*words, UNKNOWN]


def _printed_elsewhere(name: str, exact: Fraction, evidence: Evidence) -> str:
    claim = _claim(evidence.table.printed.get(f"{name}_elsewhere")) if evidence.table is not None else None
    if claim is None or not claim.reproduced_by(exact):
        return ""
    return f"Elsewhere the same document prints {claim.text}, which is the count."


def _with_another_contribution(claim: Claim, evidence: Evidence) -> str:
    table = evidence.table
    if not isinstance(table, ProgressiveTable):
        return UNKNOWN
    needed = returns(odds_of(evidence.counted, table, evidence.setup), claim).contribution
    if needed is None:
        return f"It is counted with the contribution given; no whole percent reproduces {claim.text}."
    return f"It is counted with the contribution given; {claim.text} takes {percent(needed, 0)}."


def _table_rows(table: Table | None) -> list[str]:
    return [row.hand for row in table.rows] if isinstance(table, ProgressiveTable) else []


def _frequency(hands: Sequence[str], counted: Counted) -> Fraction:
    return Fraction(sum(counted.rows[hand] for hand in hands), counted.total)


def _rows_of_another_table(claim: Claim, evidence: Evidence) -> str:
    """The printed frequency is that of the first rows alone, and right for the tables that have no others."""
    hands, counted = _table_rows(evidence.table), evidence.counted
    for last in range(len(hands) - 1, 0, -1):
        if claim.reproduced_by(_frequency(hands[:last], counted)):
            tables = evidence.setup.book.of(evidence.setup.game.families, counted.wager)
            same = [other.id for other in tables if _table_rows(other) == hands[:last]]
            if not same:
                return ""
            more = [_words(hand) for hand in hands[last:]]
            return (
                f"The printed figure is that of the rows from {_words(hands[0])} to {_words(hands[last - 1])} alone, "
                f"and right for {_listed(same)}; {_listed(more)}, which this table pays as well, "
                f"{'is' if len(more) == 1 else 'are'} not in it."
            )
    return ""


def _rounded_otherwise(claim: Claim, exact: Fraction) -> Iterator[str]:
    scaled = exact * 100 * 10**claim.digits
    cut = int(scaled)
    printed = half_up(claim.share, claim.digits)
    if printed == cut:
        yield f"Cut off after the printed digits instead of rounded it is {claim.text}."
    elif printed == cut + 1 and scaled != cut:
        yield f"Rounded up instead of to the nearest it is {claim.text}."


def _other_rows(claim: Claim, evidence: Evidence) -> Iterator[str]:
    hands, counted = _table_rows(evidence.table), evidence.counted
    if not hands:
        return
    left_out = [
        gone
        for count in range(1, len(hands))
        for gone in combinations(hands, count)
        if claim.reproduced_by(_frequency([hand for hand in hands if hand not in gone], counted))
    ]
    few = [gone for gone in left_out if len(gone) <= ROWS_LEFT_OUT]
    if few:
        choices = ", or without ".join(_listed([_words(hand) for hand in gone]) for gone in few)
        yield f"Without {choices}, the rows come to it{' too' if len(few) == 1 else ''}."
    elif not left_out:
        last = min(range(1, len(hands)), key=lambda last: abs(_frequency(hands[:last], counted) - claim.share))
        nearest = percent(_frequency(hands[:last], counted), claim.digits + 2)
        yield (
            f"No selection of its rows comes to {claim.text}; the nearest of its first rows, {_words(hands[0])} to "
            f"{_words(hands[last - 1])}, come to {nearest}."
        )


def _other_players(claim: Claim, evidence: Evidence) -> Iterator[str]:
    around = evidence.around
    if not around:
        return
    giving = [others for others, edge in around.items() if claim.reproduced_by(edge)]
    if giving:
        yield f"With {_listed([str(others) for others in giving])} other players it is {claim.text}."
        return
    table, counted = evidence.table, evidence.counted
    if isinstance(table, PayTable) and counted.distribution is not None:
        for gone in (gone for size in range(1, len(table.envy_cents)) for gone in combinations(table.envy_cents, size)):
            envy = {hand: cents for hand, cents in table.envy_cents.items() if hand not in gone}
            edges = {others: _edge_with_envy(counted, replace(table, envy_cents=envy), others) for others in around}
            giving = [others for others, edge in edges.items() if claim.reproduced_by(edge)]
            if giving:
                hands = _listed([_words(hand) for hand in gone])
                yield f"Without envy on {hands} and with {giving[0]} other players it is {claim.text}."
                return
    here = evidence.setup.other_spots
    beside = [
        f"{percent(around[others], claim.digits)} with {others}"
        for others in (here - 1, here, here + 1)
        if others in around
    ]
    yield (
        f"No number of other players from 0 to {max(around)} gives it, even with some of the envy pays left out: it is "
        f"{_listed(beside)}."
    )


def _misprinted(claim: Claim, exact: Fraction) -> Iterator[str]:
    """How the printed digits stand to the counted ones: seen, not concluded."""
    counted = percent(exact, claim.digits).removesuffix("%")
    printed = claim.text.removesuffix("%")
    if len(counted) != len(printed):
        return
    apart = [place for place in range(len(counted)) if counted[place] != printed[place]]
    if len(apart) == 1 and apart[0] != len(counted) - 1:
        yield f"The two differ in one digit, {printed} for {counted}."
    elif len(apart) > 1 and sorted(counted) == sorted(printed):
        yield f"The two have the same digits in another order, {printed} for {counted}."


def _words(hand: str) -> str:
    return hand.replace("_", " ")


def _listed(words: Sequence[str]) -> str:
    return " and ".join([*([", ".join(words[:-1])] if len(words) > 1 else []), words[-1]])
