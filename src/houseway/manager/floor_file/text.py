"""The configuration in force as a floor file, so that a change can begin from it.

The journal holds a floor without the comments of its file. `floor_text` writes a new file; `update_floor_text` puts
what is in force into the operator's own file and leaves everything else in it as it is, comments too. Pay tables of
the house's own stand in files of theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

import tomlkit
from tomlkit.items import AoT, InlineTable, Table

from houseway.games import find_game
from houseway.manager.config import DEMONSTRATED, FloorConfig, LinkConfig, Witnesses
from houseway.manager.floor_file.draft import WEEKDAYS
from houseway.money import dollars
from houseway.progressive.terms import MeterTerms
from houseway.table.approvals import DEMONSTRATION, Checklist
from houseway.table.config import Dated, Limits, Policies, SeparateGames, TableConfig
from houseway.table.equipment import Equipment

Entry = dict[str, Any]
LISTS: Final = {"tables": "id", "links": "id", "equipment": "id", "approvals": "game"}
"""The lists of a floor file, and the key that tells their entries apart."""
BY_NAME: Final = ("limits", "meters", "items")
"""Keys that hold a small table for each name that the operator chose: one line each."""


def floor_text(config: FloorConfig) -> str:
    """A new floor file that describes this floor."""
    document = tomlkit.document()
    if tables := _house_tables(config):
        document.add(tomlkit.comment(f"Pay tables of the house's own, to be named in paytable_files: {tables}"))
        document.add(tomlkit.nl())
    for key, value in _floor(config).items():
        if key in LISTS:
            if value:
                document.append(key, _list(value))
        else:
            document.append(key, _table(value).add(tomlkit.nl()))
    return tomlkit.dumps(document)


def update_floor_text(text: str, described: FloorConfig, in_force: FloorConfig) -> str:
    """The operator's file, which describes one floor, with every difference to the floor that is in force put right."""
    document = tomlkit.parse(text)
    before, after = _floor(described), _floor(in_force)
    for key, name in LISTS.items():
        _update_list(document, key, name, before.pop(key), after.pop(key))
    _update(document, before, after)
    return tomlkit.dumps(document)


def _house_tables(config: FloorConfig) -> str:
    """Whoever changes such a file must bring the files of these tables with it."""
    names = {f"{own.wager} {own.id}" for table in config.tables for own in table.tables.values() if not own.approved}
    names |= {f"progressive {link.terms.table.id}" for link in config.links if not link.terms.table.approved}
    return ", ".join(sorted(names))


# ------------------------------------------------------------------------------------------------------ a floor as data


def _floor(config: FloorConfig) -> Entry:
    floor: Entry = {
        "site": _site_entry(config.policies),
        "policies": _policies_entry(config.policies),
        "tables": list(map(_table_entry, config.tables)),
        "links": list(map(_link_entry, config.links)),
        "equipment": list(map(_machine_entry, config.equipment)),
        "approvals": list(map(_checklist_entry, config.approvals)),
    }
    if isinstance(config.witnesses, Witnesses):
        floor["witnesses"] = {"keys": list(config.witnesses.keys), "quorum": config.witnesses.quorum}
    return floor


def _site_entry(policies: Policies) -> Entry:
    return {
        "name": policies.site.removeprefix(DEMONSTRATED) if policies.demonstration else policies.site,
        "jurisdiction": policies.jurisdiction,
        "kind": policies.kind,
        "time_zone": policies.time_zone,
        "day_starts": policies.day_starts,
        "week_starts": WEEKDAYS[policies.week_starts],
        "currency": policies.currency,
    }


def _policies_entry(policies: Policies) -> Entry:
    return {
        "washington": policies.washington,
        "executive_from": _money(policies.executive_from_cents),
        "surveillance_over": _money(policies.surveillance_over_cents),
        "tax_forms": _amounts(policies.tax_forms),
        "tax_multiple": policies.tax_multiple,
        "failures_before_lockout": policies.failures_before_lockout,
        "lockout_minutes": policies.lockout_minutes,
        "seconding_wait_hours": policies.seconding_wait_hours,
        "advice": policies.advice,
        **_if_any(authorised_limits=_amounts(policies.authorised_limits)),
        **_if_any(separate_games=[_separate_games(reading) for reading in policies.separate_games]),
    }


def _separate_games(reading: SeparateGames) -> Entry:
    entry: Entry = {"since": date.fromisoformat(reading.since), "games": reading.games}
    return {**entry, **_if_any(not_counted=list(reading.not_counted)), "reference": reading.reference}


def _table_entry(table: TableConfig) -> Entry:
    game = find_game(table.game)
    defaults = game.defaults if game is not None else {}
    # The link decides for its tables where the progressive is paid from.
    decided = {"fixed_from"} if table.link else set()
    options = {key: value for key, value in table.options.items() if key not in decided and value != defaults.get(key)}
    return {
        "id": table.id,
        "game": table.game,
        "console": table.console,
        "spots": table.spots,
        "kind": table.kind,
        **_if_any(dealing=table.dealing, pay_tables=dict(table.pay_tables), options=options),
        **_if_any(award_order_reference=table.award_order_reference),
        **_if_any(limits={wager: _limits_entry(limits) for wager, limits in table.limits.items()}),
    }


def _limits_entry(limits: Limits) -> Entry:
    return {
        "min": _money(limits.minimum_cents),
        "max": _money(limits.maximum_cents),
        **_if_any(aggregate=_amounts(limits.aggregate)),
    }


def _link_entry(link: LinkConfig) -> Entry:
    return {
        "id": link.id,
        "name": link.name,
        "tables": list(link.tables),
        "pay_table": link.terms.table.id,
        "wager": _money(link.terms.wager_cents),
        "fixed_from": link.terms.fixed_from,
        **_if_any(reference=link.terms.reference),
        "meters": {name: _meter_entry(meter) for name, meter in link.terms.meters.items()},
    }


def _meter_entry(meter: MeterTerms) -> Entry:
    maximum = {} if meter.maximum_cents is None else {"maximum": _money(meter.maximum_cents)}
    return {
        "contribution": _rate(meter.contribution_bp),
        "reserve": _rate(meter.reserve_bp),
        "seed": _money(meter.seed_cents),
        **maximum,
    }


def _machine_entry(machine: Equipment) -> Entry:
    claims = {"intelligence": machine.intelligence, "network": machine.network}
    return {
        "id": machine.id,
        "kind": machine.kind,
        **_if_any(version=machine.version, tables=list(machine.tables), backup=machine.backup),
        **{key: claim for key, claim in claims.items() if claim is not None},
        **_if_any(model=machine.model, modes=list(machine.modes), reference=machine.reference),
    }


def _checklist_entry(checklist: Checklist) -> Entry:
    items = {}
    for key, item in checklist.items.items():
        # Read again it is marked again.
        bare = item.reference.removeprefix(f"{DEMONSTRATION}: ") if checklist.demonstration else item.reference
        items[key] = {
            "date": date.fromisoformat(item.date),
            "reference": bare if bare.strip() else item.reference,
            **_if_any(sold=date.fromisoformat(item.sold) if item.sold else None, by=item.by),
        }
    return {
        "game": checklist.game,
        "submission": checklist.submission,
        "rules": [date.fromisoformat(day) for day in checklist.rules],
        **_if_any(equipment=list(checklist.equipment), demonstration=checklist.demonstration, items=items),
    }


def _if_any(**values: Any) -> Entry:
    """Those that say something: what is empty is left out of the file."""
    return {key: value for key, value in values.items() if value}


def _amounts(amounts: Iterable[Dated]) -> list[Entry]:
    return [
        {
            "since": date.fromisoformat(amount.since),
            "amount": _money(amount.cents),
            **_if_any(reference=amount.reference),
        }
        for amount in amounts
    ]


def _money(cents: int) -> str:
    return dollars(cents).removeprefix("$")


def _rate(points: int) -> str:
    return f"{points // 100}.{points % 100:02d}%".replace(".00%", "%")


# ----------------------------------------------------------------------------------------------------------------- TOML


def _list(entries: Iterable[Entry]) -> AoT:
    return AoT(list(map(_table, entries)))


def _table(entry: Mapping[str, Any]) -> Table:
    table = tomlkit.table()
    for key, value in entry.items():
        if key in BY_NAME:
            for name, inner in value.items():
                table.append(tomlkit.key([key, name]), _item(inner))
        else:
            table.append(key, _item(value))
    return table


def _item(value: Any) -> Any:
    match value:
        case dict():
            return _inline(value)
        case list():
            array = tomlkit.array()
            array.extend(map(_item, value))
            return array
    return value


def _inline(entry: Mapping[str, Any]) -> InlineTable:
    table = tomlkit.inline_table()
    for key, value in entry.items():
        table.append(key, _item(value))
    return table


def _update_list(document: Any, key: str, name: str, before: list[Entry], after: list[Entry]) -> None:
    old = {entry[name]: entry for entry in before}
    new = {entry[name]: entry for entry in after}
    if not before:
        if after:
            document.append(key, _list(after))
        return
    entries = document[key]
    for place in reversed(range(len(entries))):
        if entries[place][name] not in new:
            del entries[place]
    for entry in entries:
        _update(entry, old[entry[name]], new[entry[name]])
    for entry in after:
        if entry[name] not in old:
            entries.append(_table(entry))


def _update(table: Any, before: Entry, after: Entry) -> None:
    """Change in the file what differs, and nothing else."""
    for key in before.keys() - after.keys():
        table.pop(key, None)
    for key, value in after.items():
        if key in before and before[key] == value:
            continue
        if key in table and isinstance(value, dict) and isinstance(before.get(key), dict):
            _update(table[key], before[key], value)
        else:
            table[key] = _item(value)
