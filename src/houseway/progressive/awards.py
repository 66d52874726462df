"""Who wins what of a progressive, from which money: its pure half (PR-4 … PR-8, PR-17, PR-18).

Given a pay table, the meters and who holds what, this says what each spot is awarded, in the order in which the
winners of one round are paid, and where the meters stand afterwards. Nothing is booked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from houseway.paytables import ProgressiveRow, ProgressiveTable
from houseway.refusal import Refusal
from houseway.rule import rule

DOLLAR: int = 100


@rule
def share(meter: int, percent: int) -> int:
    """PR-5: a percentage of the meter as it stands, rounded down to the cent."""
    return meter * percent // 100


@rule
def drawn(meter: int, amount: int) -> int:
    """PR-7: what the meter can give of a fixed award; the house covers the rest."""
    return min(meter, amount)


@rule
def scaled(amount: int, wager: int, for_wager: int) -> int:
    """PR-8: an amount given for one wager, at another; rounded down to the cent."""
    return amount * wager // for_wager


class Policy(NamedTuple):
    """The house options that bear on awards and envy."""

    folded_qualifies: bool = False
    fixed_from: str = "as_marked"
    award_order: str | tuple[int, ...] = "right_to_left"
    envy_needs_wager: bool = True
    folded_wins_envy: bool = True
    envy_scales: bool = True
    """PR-A2: whether envy grows with the wager."""
    second_spot_envies: bool = False
    """The game's own rule about a player's second spot (PR-18)."""

    @staticmethod
    def of(options: Mapping[str, Any], second_spot_envies: bool) -> Policy:
        """The policy that a table's house options make; the defaults at a game that has no progressive."""
        if "award_order" not in options:
            return Policy(second_spot_envies=second_spot_envies)
        order = options["award_order"]
        return Policy(
            folded_qualifies=options["folded_qualifies"],
            fixed_from=options["fixed_from"],
            award_order=order if isinstance(order, str) else tuple(order),
            envy_needs_wager=options["envy_needs_wager"],
            folded_wins_envy=options["folded_wins_envy"],
            envy_scales=options.get("envy_scales", True),
            second_spot_envies=second_spot_envies,
        )


class Meter(NamedTuple):
    """One meter before the round: what it holds, and what it starts again from."""

    amount_cents: int
    seed_cents: int = 0
    reserve_cents: int = 0


class Entry(NamedTuple):
    """One spot of the round, with or without a progressive wager."""

    spot: int
    hand: str
    """Its row key on the progressive table; empty when it holds nothing."""
    wager_cents: int = 0
    folded: bool = False
    player: str = ""


class Award(NamedTuple):
    """What one spot wins by its own hand."""

    spot: int
    row: ProgressiveRow
    meter: str | None
    """The meter it draws on, None for an award from the tray."""
    from_meter_cents: int
    from_tray_cents: int
    shortfall_cents: int
    """Part of ``from_tray_cents``: what the meter could not give (PR-7)."""
    meter_before_cents: int
    meter_after_cents: int
    reseeded: bool


class Envy(NamedTuple):
    """What one spot wins by another's hand."""

    spot: int
    winner: int
    row: ProgressiveRow
    amount_cents: int


class Awards(NamedTuple):
    """All awards of a round in the order they are paid, then all envy, and the meters afterwards."""

    awards: tuple[Award, ...]
    envy: tuple[Envy, ...]
    meters: Mapping[str, int]
    reseeded: tuple[str, ...]


def check_policy(table: ProgressiveTable, policy: Policy) -> None:
    """Refuse a ``fixed_from`` that does not name a meter of this table."""
    kind, _, name = policy.fixed_from.partition(":")
    if kind != "meter":
        return
    if name and name not in table.meters:
        raise Refusal("options.fixed_from", f"{name!r} is not a meter of {table.label}; it has {_list(table.meters)}")
    if not name and len(table.meters) > 1:
        raise Refusal(
            "options.fixed_from",
            f"must name the meter, meter:NAME, where the table has {_list(table.meters)}",
        )


def source_meter(row: ProgressiveRow, table: ProgressiveTable, policy: Policy) -> str | None:
    """PR-6, CSP-A2: the meter an award comes off, None for the tray."""
    if row.percent is not None:
        return row.meter
    if policy.fixed_from == "tray" or row.source == "tray":
        return None
    if row.source == "meter":
        return table.meters[0]
    kind, _, name = policy.fixed_from.partition(":")
    return (name or table.meters[0]) if kind == "meter" else None


def fixed_amount(row: ProgressiveRow, table: ProgressiveTable, wager_cents: int) -> int:
    """What a row that is no percentage pays on this wager."""
    if row.for_one is not None:
        return wager_cents * row.for_one.num // row.for_one.den
    if row.fixed_cents is None or table.stated_wager_cents is None:
        raise ValueError(f"{table.label} row {row.hand} is neither a percentage, a multiple nor a fixed amount")
    return scaled(row.fixed_cents, wager_cents, table.stated_wager_cents)


def envy_amount(row: ProgressiveRow, table: ProgressiveTable, wager_cents: int, *, scales: bool = True) -> int:
    """What envy on a row pays on this wager: printed for the stated wager, or for one dollar; or always as printed."""
    if not scales:
        return row.envy_cents
    return scaled(row.envy_cents, wager_cents, table.stated_wager_cents or DOLLAR)


def seed_amount(table: ProgressiveTable, wager_cents: int) -> int | None:
    """TCX-3: the printed seed at this wager; None where none is printed. A table that states its wager has one seed."""
    if table.seed_cents is None or table.figures_wager_cents is None:
        return table.seed_cents
    return scaled(table.seed_cents, wager_cents, table.figures_wager_cents)


def in_award_order(entries: Sequence[Entry], order: str | tuple[int, ...]) -> list[Entry]:
    """PR-17, TCX-5: from the dealer's farthest right, the highest spot, unless the house orders otherwise."""
    if isinstance(order, tuple):
        return sorted(entries, key=lambda entry: order.index(entry.spot))
    return sorted(entries, key=lambda entry: entry.spot, reverse=order == "right_to_left")


def award_round(
    table: ProgressiveTable, meters: Mapping[str, Meter], entries: Sequence[Entry], policy: Policy
) -> Awards:
    """The awards of a round, the envy they cause, and the meters afterwards."""
    amounts = {name: meter.amount_cents for name, meter in meters.items()}
    reseeded: list[str] = []
    awards: list[Award] = []
    contenders = [
        (entry, row)
        for entry in in_award_order([entry for entry in entries if entry.wager_cents], policy.award_order)
        if _qualifies(entry, policy) and (row := table.row(entry.hand)) is not None
    ]
    for entry, row in contenders:
        name = source_meter(row, table, policy)
        before = amounts[name] if name is not None else 0
        again = False
        if row.percent is not None:
            due = share(before, row.percent)
            from_meter = due
        else:
            due = fixed_amount(row, table, entry.wager_cents)
            from_meter = drawn(before, due) if name is not None else 0
        if name is not None:
            amounts[name] = before - from_meter
            if row.percent == 100:
                again = True
                amounts[name] += _restart(meters[name], first=name not in reseeded)
                if name not in reseeded:
                    reseeded.append(name)
        awards.append(
            Award(
                entry.spot,
                row,
                name,
                from_meter,
                due - from_meter,
                due - from_meter if name is not None else 0,
                before,
                amounts[name] if name is not None else 0,
                again,
            )
        )
    return Awards(tuple(awards), _envy(table, entries, policy), amounts, tuple(reseeded))


def _restart(meter: Meter, *, first: bool) -> int:
    """PR-4: seed and reserve the first time; the reserve is empty after that."""
    return meter.seed_cents + (meter.reserve_cents if first else 0)


def _qualifies(entry: Entry, policy: Policy) -> bool:
    return bool(entry.hand) and (not entry.folded or policy.folded_qualifies)


def _envy(table: ProgressiveTable, entries: Sequence[Entry], policy: Policy) -> tuple[Envy, ...]:
    """PR-18, PR-A1: every other spot with a wager is paid once for every hand that causes envy."""
    winners = [
        (entry, row)
        for entry in entries
        if _qualifies(entry, policy)
        and (entry.wager_cents or not policy.envy_needs_wager)
        and (row := table.row(entry.hand)) is not None
        and row.envy_cents
    ]
    if not winners:
        return ()
    return tuple(
        Envy(entry.spot, winner.spot, row, envy_amount(row, table, entry.wager_cents, scales=policy.envy_scales))
        for winner, row in sorted(winners, key=lambda pair: -pair[0].spot)
        for entry in in_award_order(entries, "right_to_left")
        if _envies(entry, winner, policy)
    )


def _envies(entry: Entry, winner: Entry, policy: Policy) -> bool:
    if not entry.wager_cents or entry.spot == winner.spot or (entry.folded and not policy.folded_wins_envy):
        return False
    own = bool(entry.player) and entry.player == winner.player
    return policy.second_spot_envies or not own


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
