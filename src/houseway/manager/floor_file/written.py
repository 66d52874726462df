"""The configuration in force as a floor file, so that a change can begin from it.

What the journal holds is the file without its comments: reading what is written here gives the same configuration
again, pay tables of the house's own excepted, for they stand in files of theirs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from houseway.games import find_game
from houseway.manager.config import DEMONSTRATED, FloorConfig, LinkConfig, Witnesses
from houseway.manager.floor_file.draft import WEEKDAYS
from houseway.money import dollars
from houseway.progressive.terms import MeterTerms
from houseway.table.approvals import DEMONSTRATION, Checklist
from houseway.table.config import Dated, Limits, Policies, TableConfig
from houseway.table.equipment import Equipment

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
Pairs = Iterable[tuple[str, str]]


def written(config: FloorConfig) -> str:
    """A floor file that describes this floor."""
    parts = [
        _part("[site]", _site(config.policies)),
        _part("[policies]", _policies(config.policies)),
        *(_part("[[tables]]", _table(one)) for one in config.tables),
        *(_part("[[links]]", _link(one)) for one in config.links),
        *(_part("[[equipment]]", _machine(one)) for one in config.equipment),
        *(_part("[[approvals]]", _checklist(one)) for one in config.approvals),
        *_witnesses(config),
    ]
    return "\n".join([*_house_tables(config), *parts])


def _house_tables(config: FloorConfig) -> Iterator[str]:
    """Whoever changes such a file must bring the files of these tables with it."""
    tables = {f"{one.wager} {one.id}" for table in config.tables for one in table.tables.values() if not one.approved}
    tables |= {f"progressive {one.terms.table.id}" for one in config.links if not one.terms.table.approved}
    if tables:
        yield f"# Pay tables of the house's own, to be named in paytable_files: {', '.join(sorted(tables))}\n"


def _witnesses(config: FloorConfig) -> Iterator[str]:
    if isinstance(config.witnesses, Witnesses):
        yield _part(
            "[witnesses]", [("keys", _value(config.witnesses.keys)), ("quorum", _value(config.witnesses.quorum))]
        )


def _part(heading: str, pairs: Pairs) -> str:
    return "\n".join([heading, *(f"{key} = {value}" for key, value in pairs), ""])


def _site(policies: Policies) -> Iterator[tuple[str, str]]:
    yield "name", _value(policies.site.removeprefix(DEMONSTRATED) if policies.demonstration else policies.site)
    yield "jurisdiction", _value(policies.jurisdiction)
    yield "kind", _value(policies.kind)
    yield "time_zone", _value(policies.time_zone)
    yield "day_starts", _value(policies.day_starts)
    yield "week_starts", _value(WEEKDAYS[policies.week_starts])
    yield "currency", _value(policies.currency)


def _policies(policies: Policies) -> Iterator[tuple[str, str]]:
    yield "washington", _value(policies.washington)
    yield "executive_from", _money(policies.executive_from_cents)
    yield "surveillance_over", _money(policies.surveillance_over_cents)
    yield "tax_forms", _dated(policies.tax_forms)
    yield "tax_multiple", _value(policies.tax_multiple)
    yield "failures_before_lockout", _value(policies.failures_before_lockout)
    yield "lockout_minutes", _value(policies.lockout_minutes)
    yield "seconding_wait_hours", _value(policies.seconding_wait_hours)
    yield "advice", _value(policies.advice)
    if policies.authorised_limits:
        yield "authorised_limits", _dated(policies.authorised_limits)


def _table(table: TableConfig) -> Iterator[tuple[str, str]]:
    game = find_game(table.game)
    defaults = game.defaults if game is not None else {}
    # The link decides for its tables where the progressive is paid from.
    decided = {"fixed_from"} if table.link else set()
    yield "id", _value(table.id)
    yield "game", _value(table.game)
    yield "console", _value(table.console)
    yield "spots", _value(table.spots)
    yield "kind", _value(table.kind)
    if table.dealing:
        yield "dealing", _value(table.dealing)
    if table.pay_tables:
        yield "pay_tables", _inline((key, _value(value)) for key, value in table.pay_tables.items())
    options = {key: one for key, one in table.options.items() if key not in decided and one != defaults.get(key)}
    if options:
        yield "options", _inline((key, _value(one)) for key, one in options.items())
    if table.award_order_reference:
        yield "award_order_reference", _value(table.award_order_reference)
    for wager, limits in table.limits.items():
        yield f"limits.{_key(wager)}", _inline(_limits(limits))


def _limits(limits: Limits) -> Iterator[tuple[str, str]]:
    yield "min", _money(limits.minimum_cents)
    yield "max", _money(limits.maximum_cents)
    if limits.aggregate:
        yield "aggregate", _dated(limits.aggregate)


def _link(link: LinkConfig) -> Iterator[tuple[str, str]]:
    yield "id", _value(link.id)
    yield "name", _value(link.name)
    yield "tables", _value(link.tables)
    yield "pay_table", _value(link.terms.table.id)
    yield "wager", _money(link.terms.wager_cents)
    yield "fixed_from", _value(link.terms.fixed_from)
    if link.terms.reference:
        yield "reference", _value(link.terms.reference)
    for name, meter in link.terms.meters.items():
        yield f"meters.{_key(name)}", _inline(_meter(meter))


def _meter(meter: MeterTerms) -> Iterator[tuple[str, str]]:
    yield "contribution", _rate(meter.contribution_bp)
    yield "reserve", _rate(meter.reserve_bp)
    yield "seed", _money(meter.seed_cents)
    if meter.maximum_cents is not None:
        yield "maximum", _money(meter.maximum_cents)


def _machine(machine: Equipment) -> Iterator[tuple[str, str]]:
    yield "id", _value(machine.id)
    yield "kind", _value(machine.kind)
    if machine.version:
        yield "version", _value(machine.version)
    if machine.tables:
        yield "tables", _value(machine.tables)
    if machine.backup:
        yield "backup", _value(True)
    for key, said in (("intelligence", machine.intelligence), ("network", machine.network)):
        if said is not None:
            yield key, _value(said)
    for key, words in (("model", machine.model), ("modes", machine.modes), ("reference", machine.reference)):
        if words:
            yield key, _value(words)


def _checklist(checklist: Checklist) -> Iterator[tuple[str, str]]:
    yield "game", _value(checklist.game)
    yield "submission", _value(checklist.submission)
    yield "rules", _value([date.fromisoformat(day) for day in checklist.rules])
    if checklist.demonstration:
        yield "demonstration", _value(True)
    for key, item in checklist.items.items():
        # Read again it is marked again.
        bare = item.reference.removeprefix(f"{DEMONSTRATION}: ") if checklist.demonstration else item.reference
        reference = bare if bare.strip() else item.reference
        pairs = [("date", item.date), ("reference", _value(reference))]
        pairs += [("sold", item.sold)] if item.sold else []
        pairs += [("by", _value(item.by))] if item.by else []
        yield f"items.{_key(key)}", _inline(pairs)


# ----------------------------------------------------------------------------------------------------------------- TOML


def _inline(pairs: Pairs) -> str:
    return f"{{ {', '.join(f'{_key(key)} = {value}' for key, value in pairs)} }}"


def _dated(amounts: Iterable[Dated]) -> str:
    return f"[{', '.join(_inline(_amount(one)) for one in amounts)}]"


def _amount(amount: Dated) -> Iterator[tuple[str, str]]:
    yield "since", amount.since
    yield "amount", _money(amount.cents)
    if amount.reference:
        yield "reference", _value(amount.reference)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _money(cents: int) -> str:
    return _value(dollars(cents).removeprefix("$"))


def _rate(points: int) -> str:
    return f'"{points // 100}.{points % 100:02d}%"'.replace(".00%", "%")


def _value(value: Any) -> str:
    match value:
        case bool() | str():
            # What may stand in a floor file is printable, and so the same text in JSON and in TOML.
            return json.dumps(value, ensure_ascii=False)
        case date():
            return value.isoformat()
        case Mapping():
            return _inline((str(key), _value(one)) for key, one in value.items())
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
    return str(value)
