"""A changed configuration: whether it may come into force now, and what changed, in words (PR-3, FL-15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.manager.config import DEMONSTRATED, FloorConfig, LinkConfig, Witnesses, demonstrated
from houseway.manager.state import FloorState
from houseway.progressive.link import LinkState
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import Refusal
from houseway.table.config import TableConfig


def kept_as(config: FloorConfig, demonstration: bool) -> FloorConfig:
    """TR-9: a demonstration stays one whatever its floor file says; a real floor takes nothing of a demonstration."""
    if demonstration:
        return replace(config, policies=demonstrated(config.policies))
    for approval in config.approvals:
        if approval.demonstration:
            raise Refusal(
                "floor", f"marks the approval of {approval.game} as a demonstration, but this floor is a real one"
            )
    if config.policies.demonstration or config.policies.site.startswith(DEMONSTRATED):
        raise Refusal("floor", "calls itself a demonstration, but this floor is a real one and stays one")
    return config


def differences(state: FloorState, config: FloorConfig) -> list[str]:
    """What would change if a configuration came into force on this floor."""
    if state.demonstration:
        config = replace(config, policies=demonstrated(config.policies))
    return changes_in_words(state.config, config)


def check_changes(state: FloorState, config: FloorConfig) -> None:
    """Refuse a configuration that would touch a round in play, lose money, or put a maximum under a meter.

    Rates, seeds, reserves and maxima may change at any time: each round keeps the terms it was locked in with.
    """
    for why in (*_tables(state, config), *_links(state, config)):
        raise Refusal("floor", why)


def _tables(state: FloorState, config: FloorConfig) -> Iterator[str]:
    tables = {table.id: table for table in config.tables}
    for name, table in state.tables.items():
        if name not in tables and table.commission:
            yield f"table {name} has commission marked; collect it before the table is taken off the floor"
        if not (table.round.locked or table.round.play.called):
            continue
        if name not in tables:
            yield f"table {name} is in a round; close it before it is taken off the floor"
        elif tables[name] != table.config:
            yield f"table {name} is in a round; its configuration changes between rounds"


def _links(state: FloorState, config: FloorConfig) -> Iterator[str]:
    links = {link.id: link for link in config.links}
    for link in state.links.values():
        meters = {name: meter for name, meter in link.meters.items() if meter.value or meter.reserve}
        if link.id not in links:
            for name in meters:
                yield f"meter {name} of {link.id} holds money; transfer it before the link is taken off the floor"
            continue
        yield from _link(state, link, links[link.id])


def _link(state: FloorState, link: LinkState, config: LinkConfig) -> Iterator[str]:
    terms = config.terms
    for name, meter in link.meters.items():
        if name not in terms.meters and (meter.value or meter.reserve):
            yield f"meter {name} of {link.id} holds money; transfer it before it is taken off the link"
        elif name in terms.meters:
            maximum = terms.meters[name].maximum_cents
            if maximum is not None and maximum * MICROS_PER_CENT < meter.value:
                yield f"the maximum of meter {name} of {link.id} may not be set below what it holds now"
    moved = set(config.tables) ^ set(link.tables)
    playing = [table for table in link.tables if state.tables[table].round.locked]
    structure = (terms.table, terms.wager_cents, set(terms.meters), terms.fixed_from)
    if playing and (structure != (link.now.table, link.now.wager_cents, set(link.now.meters), link.now.fixed_from)):
        yield (
            f"table {playing[0]} is in a round on {link.id}; pay table, wager and meters change when all its tables "
            "are between rounds"
        )
    for table in moved & set(playing):
        yield f"table {table} is in a round; it joins or leaves {link.id} between rounds"


def changes_in_words(old: FloorConfig | None, new: FloorConfig) -> list[str]:
    """What differs, place by place: what it was and what it is."""
    before = _flat(old) if old is not None else {}
    now = _flat(new)
    places = dict.fromkeys([*before, *now])
    return [
        f"{place}: {before.get(place, 'not there')} became {now.get(place, 'not there')}"
        for place in places
        if before.get(place) != now.get(place)
    ]


def _flat(config: FloorConfig) -> dict[str, str]:
    def named(items: tuple[TableConfig, ...] | tuple[LinkConfig, ...]) -> dict[str, Any]:
        return {item.id: msgspec.to_builtins(item) for item in items}

    whole = {
        "site": msgspec.to_builtins(config.policies),
        "table": named(config.tables),
        "link": named(config.links),
        "equipment": {item.id: msgspec.to_builtins(item) for item in config.equipment},
        "approval": {item.game: msgspec.to_builtins(item) for item in config.approvals},
        "approvals_kept": config.approvals_kept,
        "witnesses": msgspec.to_builtins(config.witnesses) if isinstance(config.witnesses, Witnesses) else "none",
    }
    return dict(_leaves("", whole))


def _leaves(place: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(f"{place} {key}".strip(), inner)
    elif isinstance(value, list | tuple) and value and isinstance(value[0], dict):
        for number, inner in enumerate(value, start=1):
            yield from _leaves(f"{place} {number}", inner)
    else:
        yield place, str(value)
