"""What the maker would say to a configuration (PR-9, PR-31, PR-40): sentences for a person, with exact figures.

An advice is no defect: the operator may know better. Every figure comes from the counts that are shipped with the
program; where they are not those of these rules, the sentence says *not computed*. The risk of running dry is solved
when it is asked for, in plain Python and well under a second (``proof.meter_risk.dry``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from msgspec import structs

from houseway.games import find_game
from houseway.manager.config import LinkConfig
from houseway.money import dollars
from houseway.paytables import ProgressiveTable
from houseway.progressive import Policy, seed_amount
from houseway.progressive.awards import fixed_amount, source_meter
from houseway.progressive.terms import WHOLE_BP, MeterTerms
from houseway.proof.figure import Claim, percent
from houseway.proof.progressive import Odds, inferred_contribution

if TYPE_CHECKING:
    from houseway.proof.meter_risk.dry import Outlook

GROWS_FROM_BP: Final = 7_000
"""The contribution from which tables that pay everything off the meter are made to grow, in hundredths of a percent."""
NOT_COMPUTED: Final = "not computed"

Style: TypeAlias = Literal["all", "percentages", "mixed"]


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice: where it applies, the clause it comes from, and the sentence."""

    where: str
    clause: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Chances(NamedTuple):
    """In how many of all cases each hand comes at a game."""

    rows: dict[str, int]
    total: int

    def of(self, hand: str) -> Fraction:
        """The probability of a hand; 0 for one that the game cannot make."""
        return Fraction(self.rows.get(hand, 0), self.total)

    def words(self, hand: str) -> str:
        """The probability of a hand for people: the cases, and the percentage."""
        count = self.rows.get(hand, 0)
        return f"{count:,} of {self.total:,} cases ({percent(self.of(hand), 6)})" if count else "never"


def chances_at(game: str) -> Chances | None:
    """The hands of a game's progressive, whatever a pay table gives for them; None for *not computed*."""
    from houseway.proof.store import shipped

    counted = next(
        (figure for (key, wager, _), figure in (shipped() or {}).items() if (key, wager) == (game, "progressive")), None
    )
    return Chances(dict(counted.rows), counted.total) if counted is not None and counted.rows else None


@dataclass(frozen=True)
class Advised:
    """A link to be advised on, with the chances of its hands."""

    link: LinkConfig
    chances: Chances | None
    others: int
    """Other spots with the wager: a full table."""

    @property
    def table(self) -> ProgressiveTable:
        return self.link.terms.table

    @property
    def wager_cents(self) -> int:
        return self.link.terms.wager_cents

    @property
    def meters(self) -> Mapping[str, MeterTerms]:
        return self.link.terms.meters

    @property
    def policy(self) -> Policy:
        return Policy(fixed_from=self.link.terms.fixed_from)

    @property
    def contribution(self) -> Fraction:
        """What all meters get of a wager, reserves apart."""
        return Fraction(sum(meter.contribution_bp for meter in self.meters.values()), WHOLE_BP)

    @property
    def reserve(self) -> Fraction:
        return Fraction(sum(meter.reserve_bp for meter in self.meters.values()), WHOLE_BP)

    @property
    def style(self) -> Style:
        """Whether all awards come off meters, only the percentages, or some of the fixed ones too."""
        fixed = [source_meter(row, self.table, self.policy) for row in self.table.rows if row.percent is None]
        if all(meter is None for meter in fixed):
            return "percentages"
        return "mixed" if None in fixed else "all"

    @cached_property
    def odds(self) -> Odds | None:
        """The pay table at this link's wager, seeds and source of fixed awards."""
        return self.odds_with({name: meter.seed_cents for name, meter in self.meters.items()})

    def odds_with(self, seeds_cents: Mapping[str, int]) -> Odds | None:
        """The same with other seeds; None where it is not computed."""
        if self.chances is None or any(row.hand not in self.chances.rows for row in self.table.rows):
            return None
        # Seeds are cents at the link's own wager; a table that states none takes it as that of its figures.
        table = replace(self.table, figures_wager_cents=self.wager_cents)
        return Odds(table, self.chances.rows, self.chances.total, self.others, self.policy, dict(seeds_cents))

    def edge(self, contribution: Fraction, odds: Odds | None = None) -> str:
        """The house edge with this contribution to the meters, the reserves as they are; in words."""
        known = odds or self.odds
        return NOT_COMPUTED if known is None else percent(known.house_edge(contribution + self.reserve), 2)

    @property
    def with_envy(self) -> str:
        """What an edge assumes about envy, for the end of a sentence."""
        envy = any(row.envy_cents for row in self.table.rows)
        return f", with {self.others} other spots in" if envy else ""

    def dry(self, name: str, *, with_reserve: bool = False, **changed: int) -> Outlook | None:
        """What a meter risks until its next jackpot, from its seed or with what its reserve holds by then.

        ``changed`` are terms of the meter that are set otherwise. None where no fixed award comes off it, and where it
        is not computed: without chances, without a contribution, where no hand wins all of it, or where the seed is
        millions of contributions.
        """
        from houseway.proof.meter_risk.dry import after_a_jackpot, dry_risk, from_the_seed
        from houseway.proof.meter_risk.ladder import TooHigh
        from houseway.proof.meter_risk.model import models_of

        if self.chances is None:
            return None
        meters = {**self.meters, name: structs.replace(self.meters[name], **changed)}
        terms = structs.replace(self.link.terms, meters=meters)
        model = models_of(terms, self.chances.rows, self.chances.total)[name]
        if not (model.fixed and model.contribution and model.jackpot_ways):
            return None
        try:
            risk = dry_risk(model)
        except TooHigh:
            return None
        return after_a_jackpot(model, risk) if with_reserve else from_the_seed(model, risk)

    @property
    def drained(self) -> list[str]:
        """The meters that fixed awards come off."""
        sources = {source_meter(row, self.table, self.policy) for row in self.table.rows if row.percent is None}
        return [name for name in self.meters if name in sources]

    def advice(self, clause: str, what: str, meter: str = "") -> Advice:
        return Advice(f"link {self.link.id}{f', meter {meter}' if meter else ''}", clause, what)


def advise(link: LinkConfig, games: Sequence[str]) -> list[Advice]:
    """Everything the maker would say to a link that joins tables of these games."""
    game = find_game(games[0]) if games else None
    chances = chances_at(game.key) if game is not None else None
    advised = Advised(link, chances, game.most_spots - 1 if game is not None else 0)
    return [advice for adviser in ADVISERS for advice in adviser(advised)]


def house_edge(link: LinkConfig, games: Sequence[str]) -> Fraction | None:
    """The house edge of a link's wager as it is configured; None where it is not computed."""
    game = find_game(games[0]) if games else None
    if game is None:
        return None
    advised = Advised(link, chances_at(game.key), game.most_spots - 1)
    return None if advised.odds is None else advised.odds.house_edge(advised.contribution + advised.reserve)


# --------------------------------------------------------------------------------------------- contributions


def meters_that_pay_all_should_grow(advised: Advised) -> Iterator[Advice]:
    """PR-9: all-from-meter tables under 70% contribution."""
    recommended = Fraction(GROWS_FROM_BP, WHOLE_BP)
    rate_now = advised.contribution
    if advised.style == "all" and rate_now < recommended:
        yield advised.advice(
            "PR-9",
            f"the contribution is {_rate(rate_now)}; where every award comes off the meter {_rate(recommended)} or "
            "more is recommended, and below it the risk of the meter running dry grows. The house edge is "
            f"{advised.edge(rate_now)} now and {advised.edge(recommended)} with {_rate(recommended)}{advised.with_envy}"
            f"{_risks(advised)}",
        )


def _risks(advised: Advised) -> str:
    """The risk of every meter that fixed awards come off; of an only meter also with the recommended contribution."""
    sentences = []
    for name in advised.drained:
        who = "it" if len(advised.meters) == 1 else f"meter {name}"
        now = advised.dry(name)
        words = f". The chance that {who} runs dry before the next jackpot, from the seed, is {_chance(now)}"
        words += _covered(now)
        if len(advised.meters) == 1:
            better = advised.dry(name, contribution_bp=GROWS_FROM_BP)
            words += f" now and {_chance(better)} with {_rate(Fraction(GROWS_FROM_BP, WHOLE_BP))}"
        sentences.append(words)
    return "".join(sentences)


def _chance(risk: Outlook | None) -> str:
    from houseway.proof.meter_risk.dry import in_words

    return NOT_COMPUTED if risk is None else in_words(risk.chance)


def _covered(risk: Outlook | None) -> str:
    """What the house covers on average until the next jackpot, where it comes to a dollar."""
    covered = 0 if risk is None else round(risk.shortfall_cents / 100)
    return f" (and the house covers about ${covered:,} until then)" if covered else ""


def _risk(advised: Advised, name: str) -> str:
    """The risk of one meter for the end of a sentence; nothing where no fixed award comes off it."""
    if name not in advised.drained:
        return ""
    risk = advised.dry(name)
    return f". The chance that it runs dry before the next jackpot, from the seed, is {_chance(risk)}{_covered(risk)}"


def only_percentages_come_off_the_meter(advised: Advised) -> Iterator[Advice]:
    """PR-9: above the pre-configured contribution the house edge shrinks."""
    printed = advised.table.printed.get("house_edge")
    if advised.style != "percentages" or printed is None:
        return
    if advised.odds is None:
        yield advised.advice(
            "PR-9",
            f"the pre-configured contribution of {advised.table.label} is {NOT_COMPUTED}; above it the house edge "
            "shrinks",
        )
        return
    rate_now, usual = advised.contribution + advised.reserve, preconfigured(advised, advised.odds)
    if rate_now > usual:
        before, now = (percent(advised.odds.house_edge(rate), 2) for rate in (usual, rate_now))
        yield advised.advice(
            "PR-9",
            f"contribution and reserve are {_rate(rate_now)}, above the pre-configured {_rate(usual)} of "
            f"{advised.table.label} (found from its printed house edge of {printed}): the house edge shrinks from "
            f"{before} to {now}{advised.with_envy}",
        )


def preconfigured(advised: Advised, odds: Odds) -> Fraction:
    """The contribution behind a printed edge: the whole percent that reproduces it, else what is left for it.

    Where a seed is printed it is counted as printed; elsewhere as configured.
    """
    claim = Claim.of(advised.table.printed["house_edge"])
    seed = seed_amount(advised.table, advised.wager_cents)
    as_printed = advised.odds_with({advised.table.meters[0]: seed}) if seed is not None else None
    whole = inferred_contribution(as_printed, claim) if as_printed is not None else None
    return whole if whole is not None else odds.left_for_contribution(claim.share) - (odds.seed_cost or 0)


def mixed_tables_by_drift(advised: Advised) -> Iterator[Advice]:
    """PR-40: where some fixed awards come off the meter and some from the tray, the drift decides."""
    if advised.style != "mixed":
        return
    odds = advised.odds
    if odds is None or len(advised.meters) != 1:
        yield advised.advice("PR-40", f"fixed awards come off the meter and from the tray; its drift is {NOT_COMPUTED}")
        return
    (name, meter), rate_now = next(iter(advised.meters.items())), advised.contribution
    drift = odds.drift_cents(rate_now, meter.seed_cents)
    start = (
        f"the meter moves by {_cents(drift)} on average with each wager of {dollars(advised.wager_cents)} when it "
        f"stands at its seed of {dollars(meter.seed_cents)} (contribution {_rate(rate_now)}, house edge "
        f"{advised.edge(rate_now)})"
    )
    if drift < 0:
        holds = rate_now - drift / advised.wager_cents
        rest = f"from {_rate(_up(holds))} on it would hold" if holds <= 1 else "no contribution would hold it"
        yield advised.advice("PR-40", f"{start}: it falls, and may run dry; {rest}{_risk(advised, name)}", name)
    else:
        limit = _level(odds, rate_now)
        yield advised.advice("PR-40", f"{start}: it grows, up to about {limit}{_risk(advised, name)}", name)


def _level(odds: Odds, contribution: Fraction) -> str:
    """The amount at which a meter neither grows nor falls, to the dollar."""
    at_zero, at_dollar = odds.drift_cents(contribution, 0), odds.drift_cents(contribution, 100)
    falling = at_zero - at_dollar
    return f"${int(at_zero / falling):,}" if falling > 0 else "no limit"


def the_house_keeps_an_edge(advised: Advised) -> Iterator[Advice]:
    """PR-9: a configuration in which the house edge has shrunk to nothing."""
    rate_now = advised.contribution + advised.reserve
    if advised.odds is not None and advised.odds.house_edge(rate_now) <= 0:
        yield advised.advice(
            "PR-9",
            f"the house edge is {advised.edge(advised.contribution)}{advised.with_envy}: on average the house pays for "
            "this wager",
        )


# ------------------------------------------------------------------------------------------ reserves and seeds


def a_reserve_is_recommended(advised: Advised) -> Iterator[Advice]:
    """PR-9: no reserve."""
    for name, meter in advised.meters.items():
        if meter.reserve_bp == 0:
            yield advised.advice(
                "PR-9",
                "there is no reserve; a small part of each wager is recommended for it, as it is added to the seed of "
                f"{dollars(meter.seed_cents)} after a 100% award",
                name,
            )


def a_seed_is_recommended(advised: Advised) -> Iterator[Advice]:
    """PR-9: seed 0, alone or with the reserve in its place."""
    for name, meter in advised.meters.items():
        if meter.seed_cents == 0 and meter.reserve_bp == 0:
            yield advised.advice(
                "PR-9",
                f"the seed is $0.00: after a 100% award the meter starts from nothing{_risk(advised, name)}",
                name,
            )
        elif meter.seed_cents == 0:
            yield advised.advice(
                "PR-9",
                "the seed is $0.00 and the reserve alone takes its place: of two 100% awards close together the second "
                f"starts the meter at next to nothing{_reserve_alone(advised, name)}",
                name,
            )


def _reserve_alone(advised: Advised, name: str) -> str:
    """The risk with what the reserve usually holds, and with nothing in it."""
    if name not in advised.drained:
        return ""
    usual, empty = advised.dry(name, with_reserve=True), advised.dry(name)
    return (
        f". The chance that it runs dry before the next jackpot is {_chance(usual)} with what the reserve usually holds"
        f"{_covered(usual)}, and {_chance(empty)} with nothing in it"
    )


def the_seed_holds_the_largest_fixed_award(advised: Advised) -> Iterator[Advice]:
    """PR-9: seed below the largest fixed award."""
    amounts = {
        row.hand: fixed_amount(row, advised.table, advised.wager_cents)
        for row in advised.table.rows
        if row.percent is None
    }
    if not amounts:
        return
    hand = max(amounts, key=lambda hand: amounts[hand])
    row = advised.table.row(hand)
    source = source_meter(row, advised.table, advised.policy) if row is not None else None
    chance = NOT_COMPUTED if advised.chances is None else advised.chances.words(hand)
    for name, meter in advised.meters.items():
        if 0 < meter.seed_cents < amounts[hand]:
            paid = "comes off this meter, which would run dry" if source == name else "does not come off this meter"
            yield advised.advice(
                "PR-9",
                f"the seed of {dollars(meter.seed_cents)} is below the largest fixed award, {dollars(amounts[hand])} "
                f"for {hand.replace('_', ' ')}, which {paid} (probability: {chance}){_risk(advised, name)}",
                name,
            )


def the_printed_seed_is_recommended(advised: Advised) -> Iterator[Advice]:
    """PR-31: a seed other than the pre-configured one, which grows with the wager (TCX-3)."""
    printed = seed_amount(advised.table, advised.wager_cents)
    if printed is None:
        return
    for name, meter in advised.meters.items():
        if meter.seed_cents != printed:
            usual = advised.odds_with({name: printed})
            yield advised.advice(
                "PR-31",
                f"the seed is {dollars(meter.seed_cents)}; {advised.table.label} is made for {dollars(printed)} at a "
                f"wager of {dollars(advised.wager_cents)}. The house edge is {advised.edge(advised.contribution)} with "
                f"yours and {advised.edge(advised.contribution, usual)} with that{advised.with_envy}"
                f"{_seed_risks(advised, name, printed)}",
                name,
            )


def _seed_risks(advised: Advised, name: str, printed: int) -> str:
    """The risk with the seed that is set and with the printed one."""
    if name not in advised.drained:
        return ""
    yours, usual = advised.dry(name), advised.dry(name, seed_cents=printed)
    return (
        f". The chance that it runs dry before the next jackpot, from the seed, is {_chance(yours)} with yours and "
        f"{_chance(usual)} with that"
    )


ADVISERS: Final[tuple[Callable[[Advised], Iterator[Advice]], ...]] = (
    meters_that_pay_all_should_grow,
    only_percentages_come_off_the_meter,
    mixed_tables_by_drift,
    the_house_keeps_an_edge,
    a_reserve_is_recommended,
    a_seed_is_recommended,
    the_seed_holds_the_largest_fixed_award,
    the_printed_seed_is_recommended,
)


def _rate(share: Fraction) -> str:
    """A rate, with decimals only where it has any."""
    return percent(share, 0 if (share * 100).denominator == 1 else 2)


def _up(share: Fraction) -> Fraction:
    """A rate rounded up to the hundredth of a percent that can be configured."""
    return Fraction(ceil(share * WHOLE_BP), WHOLE_BP)


def _cents(amount: Fraction) -> str:
    """A part of a cent as dollars with four decimals, such as -$0.0123."""
    rounded = round(amount * 100)
    return f"{'-' if rounded < 0 else ''}${abs(rounded) // 10_000:,}.{abs(rounded) % 10_000:04}"
