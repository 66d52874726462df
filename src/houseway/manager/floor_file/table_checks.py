"""What can be wrong with the site and the tables of a floor file: a visible list of small functions, one a fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from houseway.games import Game, all_games
from houseway.manager.floor_file.draft import AmountPart
from houseway.manager.floor_file.plan import DESIGNATOR, PROGRESSIVE, Plan, PlannedTable
from houseway.money import dollars
from houseway.paytables import Defect
from houseway.paytables.checks import listed, shown
from houseway.refusal import Refusal
from houseway.table import limits as law

Defects: TypeAlias = Iterator[Defect]
FROM_THE_LINK: Final = "fixed_from"
"""A house option that a link sets for all its tables (PR-6)."""


# ------------------------------------------------------------------------------------------------- the site


def the_time_zone_exists(plan: Plan) -> Defects:
    name = plan.site.time_zone
    if name is None:
        return
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        yield Defect("site", f'time_zone {shown(name)} is not known; write an IANA name, such as "America/Los_Angeles"')


def the_site_has_a_name(plan: Plan) -> Defects:
    for key, value in (("name", plan.site.name), ("jurisdiction", plan.site.jurisdiction)):
        if value is not None and not value.strip():
            yield Defect("site", f"{key} is empty; reports and win pages show it")


def dated_policies_are_in_order(plan: Plan) -> Defects:
    yield from _in_order("policies", "tax_forms", plan.policies.tax_forms)
    yield from _in_order("policies", "authorised_limits", plan.policies.authorised_limits)


def authorised_limits_have_a_reference(plan: Plan) -> Defects:
    """FL-9: whoever enters a limit of the law says where it stands."""
    for number, authorised_limit in enumerate(plan.policies.authorised_limits, start=1):
        if not authorised_limit.reference.strip():
            yield Defect(
                "policies", f"authorised_limits.{number}.reference is missing; it names the compact or rule it is from"
            )


def separate_games_name_wagers_and_a_reference(plan: Plan) -> Defects:
    """FL-9: another reading of what one hand may carry says where it stands, and names wagers that there are."""
    games = [table.game for table in plan.tables if table.game is not None]
    known = sorted({wager.key for game in games for wager in game.wagers if wager.kind in ("required", "optional")})
    for number, reading in enumerate(plan.policies.separate_games, start=1):
        where = f"separate_games.{number}"
        if not reading.reference.strip():
            yield Defect("policies", f"{where}.reference is missing; it names the rule or the letter it is from")
        for wager in reading.not_counted:
            if wager not in known:
                yield Defect("policies", f"{where}.not_counted: unknown wager {wager!r}; allowed: {', '.join(known)}")


def a_tribal_site_enters_its_limits(plan: Plan) -> Defects:
    """FL-9: a tribal casino's limits come from its compact."""
    posted = any(table.part.limits for table in plan.tables)
    if plan.site.kind == "tribal" and posted and law.law_on(plan.rules, plan.on) is None:
        yield Defect(
            "policies",
            f"authorised_limits has nothing in force on {plan.on}; a tribal site enters the limits of its compact "
            "before it posts any (FL-9)",
        )


def entered_limits_do_not_widen_the_law(plan: Plan) -> Defects:
    """FL-19: what the operator enters may be stricter than the law that is known here, never looser."""
    known = law.law_for(plan.rules.jurisdiction, plan.rules.kind)
    for limit in plan.rules.authorised_limits:
        lawful = max((each for each in known if each.since <= limit.since), key=lambda each: each.since, default=None)
        if lawful is not None and limit.cents > max(lawful.cents, lawful.few_cents):
            yield Defect(
                "policies",
                f"authorised_limits allows {dollars(limit.cents)} since {limit.since}; the law is in force, "
                f"{dollars(lawful.cents)} since {lawful.since} ({lawful.reference}), and nothing may widen it (FL-19)",
            )


# ----------------------------------------------------------------------------------------------- each table


def table_ids_are_unique(plan: Plan) -> Defects:
    yield from unique("table", (table.part.id for table in plan.tables))


def games_are_known(plan: Plan) -> Defects:
    for table in plan.tables:
        if table.game is None and table.part.game is not None:
            yield table.defect(f"unknown game {shown(table.part.game)}; known are {listed(all_games())}")


def spots_fit_the_game(plan: Plan) -> Defects:
    """FL-19: the maker's rules say how many may play."""
    for table, game in _with_game(plan):
        spots = table.part.spots
        if spots is not None and spots > game.most_spots:
            yield table.defect(
                f"spots is {spots}; the maker's rules for {game.key} allow 1 to {game.most_spots}, and the house may "
                "only allow fewer (FL-19)"
            )


def positions_fit_the_spots(plan: Plan) -> Defects:
    """PG-3: every spot and the dealer has a position."""
    for table, _game in _with_game(plan):
        positions, dealer = table.options.get("positions"), table.options.get("dealer_position")
        if positions is None or dealer is None:
            continue
        if dealer > positions:
            yield table.defect(f"options.dealer_position is {dealer}; there are {positions} positions")
        if table.part.spots is not None and table.part.spots >= positions:
            yield table.defect(
                f"spots is {table.part.spots}; options.positions is {positions} with the dealer's own, which leaves "
                f"{positions - 1} for spots"
            )


def options_are_known_and_fit(plan: Plan) -> Defects:
    """FL-19: a house option chooses among what the maker's rules leave open, and nothing beyond."""
    for table, game in _with_game(plan):
        known = {option.name: option for option in game.options}
        for name, value in table.part.options.items():
            if name == FROM_THE_LINK:
                yield table.defect(
                    f"options.{name} belongs to the link, which decides for all its tables (PR-6); write {name} there"
                )
            elif name not in known:
                yield table.defect(f"unknown option {shown(name)}; {game.key} has {listed(known)}")
            elif not known[name].fits(value):
                yield table.defect(
                    f"options.{name} is {shown(value)}; allowed is {known[name].allowed}; a house option may not go "
                    "beyond the maker's rules (FL-19)"
                )


def another_award_order_is_complete_and_authorised(plan: Plan) -> Defects:
    """PR-17: another order comes from internal controls, and names every spot."""
    for table, game in _with_game(plan):
        order = table.options.get("award_order")
        if order == game.defaults.get("award_order"):
            continue
        if not table.part.award_order_reference.strip():
            yield table.defect(
                "award_order_reference is missing; another order than right_to_left comes from internal controls, "
                "and this names them (PR-17)"
            )
        spots = table.part.spots
        if isinstance(order, list) and spots is not None and sorted(order) != list(range(1, spots + 1)):
            yield table.defect(f"options.award_order must name every spot from 1 to {spots} once")


def pay_tables_exist(plan: Plan) -> Defects:
    for table, game in _with_game(plan):
        for wager, name in table.part.pay_tables.items():
            if wager == PROGRESSIVE:
                yield table.defect("pay_tables.progressive belongs to the link; write pay_table there")
            elif wager == DESIGNATOR:
                yield from _designator_defects(table, game, name)
            elif wager not in game.table_wagers:
                known = listed(table_wager for table_wager in game.table_wagers if table_wager != PROGRESSIVE)
                yield table.defect(f"pay_tables.{_key(wager)} is no wager of {game.key} that pays by a table: {known}")
            elif name is not None and table.book.find(game.families, wager, name) is None:
                known = listed(pay_table.id for pay_table in table.book.of(game.families, wager))
                yield table.defect(
                    f"pay_tables.{wager} {shown(name)} is no {wager} table of {game.key}; it has {known}"
                )


def options_and_pay_tables_agree(plan: Plan) -> Defects:
    """A house option that names a pay table does not name another one than the file."""
    for table, game in _with_game(plan):
        try:
            game.named_tables(
                {wager: name for wager, name in table.part.pay_tables.items() if name}, table.written_options
            )
        except Refusal as refusal:
            yield table.defect(f"{refusal.field.replace('tables.', 'pay_tables.')} {refusal.sentence}")


def _designator_defects(table: PlannedTable, game: Game, name: str | None) -> Defects:
    if name is None:
        return
    named_set = table.book.designator(game.key, name)
    if named_set is None:
        known = listed(designator.id for designator in table.book.designators if designator.game == game.key)
        yield table.defect(f"pay_tables.designator {shown(name)} is not known; {game.key} has {known}")
        return
    for wager, own in named_set.tables.items():
        other = table.part.pay_tables.get(wager) or own
        if table.book.find(game.families, wager, other) != table.book.find(game.families, wager, own):
            yield table.defect(
                f"pay_tables.{wager} is {shown(other)}, but the designator {name} stands for {own}; "
                "leave one of them out"
            )


def offered_wagers_have_a_pay_table(plan: Plan) -> Defects:
    """A wager with limits is offered, so what it pays must be known."""
    for table, game in _with_game(plan):
        named = table.part.pay_tables
        # An unknown designator has its own defect; nobody can say which wagers it was meant for.
        unclear = DESIGNATOR in named and table.book.designator(game.key, named[DESIGNATOR] or "") is None
        if not table.part.limits or unclear:
            continue
        for wager in game.tables_needed(table.part.limits):
            if wager not in named and wager != PROGRESSIVE and table.pay_table(wager) is None:
                known = listed(pay_table.id for pay_table in table.book.of(game.families, wager))
                yield table.defect(f"pay_tables.{wager} is missing; the wager is offered, so choose one of {known}")


# --------------------------------------------------------------------------------------------------- limits


def limits_are_of_wagers(plan: Plan) -> Defects:
    for table, game in _with_game(plan):
        known = [wager.key for wager in game.wagers if wager.kind != "award" and wager.key != PROGRESSIVE]
        for wager in table.part.limits:
            if wager == PROGRESSIVE:
                yield table.defect(
                    "limits.progressive belongs to the link: every table of a link takes its one wager (PR-39)"
                )
            elif wager not in known:
                yield table.defect(f"limits.{_key(wager)} is no wager of {game.key}; it has {listed(known)}")


def limits_are_complete(plan: Plan) -> Defects:
    """FL-8: every wager has its own limits, the ones that must be made and those that follow from them too."""
    for table, game in _with_game(plan):
        limits = table.part.limits
        if not limits:
            continue
        needed = {wager.key: "it is required to be dealt in" for wager in game.wagers if wager.kind == "required"}
        followers = {
            follow.wager: f"it follows from {follow.leader}"
            for follow in law.follows_at(game)
            if follow.leader in limits
        }
        for wager, why in (followers | needed).items():
            if wager not in limits:
                yield table.defect(f"limits.{wager} is missing; {why}, and every wager has its own limits (FL-8)")


def minimum_is_below_maximum(plan: Plan) -> Defects:
    for table in plan.tables:
        for wager, limit in table.limits.items():
            if limit.minimum_cents > limit.maximum_cents:
                yield table.defect(
                    f"limits.{_key(wager)}.min is {dollars(limit.minimum_cents)}, above its max of "
                    f"{dollars(limit.maximum_cents)}"
                )
            elif limit.minimum_cents == 0:
                yield table.defect(f"limits.{_key(wager)}.min is $0.00; a wager is at least a cent")


def wagers_that_follow_are_possible(plan: Plan) -> Defects:
    """FL-8: a wager that follows from another must be possible within its own limit."""
    for table, game in _with_game(plan):
        for wager, limit in table.limits.items():
            real = law.effective(game, wager, table.limits)
            if not real.possible and limit.minimum_cents <= limit.maximum_cents:
                others = ", ".join(f"{reason.wager} ({reason.words} × {reason.leader})" for reason in real.because)
                yield table.defect(
                    f"limits.{wager} leaves no amount: with the limits of {others} it must be at least "
                    f"{dollars(real.minimum_cents)} and at most {dollars(real.maximum_cents)} (FL-8)"
                )


def posted_limits_are_authorised(plan: Plan) -> Defects:
    """FL-9, FL-19: the law of the day is over the house."""
    lawful = law.law_on(plan.rules, plan.on)
    if lawful is None:
        return
    above = []
    for table in plan.tables:
        highest = max((limit.maximum_cents for limit in table.limits.values()), default=0)
        above += [table] if lawful.cents < highest <= lawful.few_cents else []
        most = law.Limit("law", max(lawful.cents, lawful.few_cents), lawful.reference)
        for wager, limit in table.limits.items():
            if law.widened(law.Limit("house", limit.maximum_cents), [most]) is not None:
                yield table.defect(
                    f"limits.{_key(wager)}.max is {dollars(limit.maximum_cents)}; in force is the law, "
                    f"{dollars(most.cents)} since {lawful.since} ({lawful.reference}), and the house may only go "
                    "below it (FL-9, FL-19)"
                )
    if len(above) > lawful.few_tables:
        yield Defect(
            "tables",
            f"{listed(table.where for table in above)} post more than {dollars(lawful.cents)}; the law allows that on "
            f"{lawful.few_tables} tables, since {lawful.since} (FL-9)",
        )


def aggregate_limits_are_high_enough(plan: Plan) -> Defects:
    """FL-25: an aggregate payout limit still pays one player the most that he can win, odds counted to 50."""
    for table, game in _with_game(plan):
        for wager, limit in table.limits.items():
            pay_table = table.pay_table(wager)
            if wager in game.table_wagers and pay_table is None:
                continue
            odds = law.highest_odds(pay_table)
            least = law.least_aggregate(limit.maximum_cents, odds)
            for aggregate in limit.aggregate:
                if aggregate.cents < least:
                    yield table.defect(
                        f"limits.{wager}.aggregate is {dollars(aggregate.cents)} since {aggregate.since}; it may not "
                        f"be below {dollars(least)}, the maximum wager times the highest odds, {odds} to 1, counted to "
                        f"{law.ODDS_COUNTED_TO} (FL-25)"
                    )


def aggregate_limits_are_in_order(plan: Plan) -> Defects:
    for table in plan.tables:
        for wager, limit in table.part.limits.items():
            if limit is not None:
                yield from _in_order(table.where, f"limits.{_key(wager)}.aggregate", limit.aggregate)


CHECKS: Final[tuple[Callable[[Plan], Defects], ...]] = (
    the_site_has_a_name,
    the_time_zone_exists,
    dated_policies_are_in_order,
    authorised_limits_have_a_reference,
    separate_games_name_wagers_and_a_reference,
    a_tribal_site_enters_its_limits,
    entered_limits_do_not_widen_the_law,
    table_ids_are_unique,
    games_are_known,
    spots_fit_the_game,
    positions_fit_the_spots,
    options_are_known_and_fit,
    another_award_order_is_complete_and_authorised,
    pay_tables_exist,
    options_and_pay_tables_agree,
    offered_wagers_have_a_pay_table,
    limits_are_of_wagers,
    limits_are_complete,
    minimum_is_below_maximum,
    wagers_that_follow_are_possible,
    posted_limits_are_authorised,
    aggregate_limits_are_high_enough,
    aggregate_limits_are_in_order,
)


# ------------------------------------------------------------------------------------------------- together


def unique(kind: str, ids: Iterable[str | None]) -> Defects:
    """Every id that is there more than once."""
    for name, times in Counter(name for name in ids if name is not None).items():
        if times > 1:
            yield Defect(f"{kind} {name}", f"the id is there {times} times; every {kind} has its own")


def _with_game(plan: Plan) -> Iterator[tuple[PlannedTable, Game]]:
    for table in plan.tables:
        if table.game is not None:
            yield table, table.game


def _in_order(where: str, what: str, amounts: Iterable[AmountPart]) -> Defects:
    """A dated table goes from the oldest day on, each day once, so that the file reads as it is used."""
    days = [amount.since for amount in amounts if amount.since is not None]
    for before, after in pairwise(days):
        if after <= before:
            yield Defect(where, f"{what} has {after} after {before}; the days go from the oldest on, each once")


def _key(name: str) -> str:
    return name if name.isprintable() and len(name) <= 40 else ascii(name[:40])[1:-1]
