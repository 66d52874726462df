"""What the operator of a floor should know before it opens: limits, policies, and games on which the house loses.

No advice is a defect. Figures come from the counts that are shipped with the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from houseway.games import find_game
from houseway.manager.advice import Advice, advise
from houseway.manager.config import FloorConfig
from houseway.money import dollars
from houseway.proof.figure import players_edge
from houseway.proof.store import shipped
from houseway.proof.strategy import unit_words
from houseway.table import limits as law
from houseway.table.config import TableConfig


def advise_floor(floor: FloorConfig, on: date) -> list[Advice]:
    """The advice on every link, and what else the operator of this floor should know on a day."""
    games = {table.id: table.game for table in floor.tables}
    links = [
        advice
        for link in floor.links
        for advice in advise(link, list(dict.fromkeys(games[table] for table in link.tables)))
    ]
    losing = [advice for table in floor.tables for advice in _losing_games(table)]
    return [*_site_advice(floor, on), *_limit_advice(floor), *losing, *links]


def _site_advice(floor: FloorConfig, on: date) -> Iterator[Advice]:
    policies = floor.policies
    washington = policies.jurisdiction.strip().casefold() == "washington"
    if washington and policies.kind == "commercial" and not policies.washington:
        yield Advice("policies", "FL-14", "washington is false: FL-14, FL-15, FL-17 and FL-18 are not in force")
    if law.law_on(policies, on) is None and any(table.limits for table in floor.tables):
        yield Advice(
            "policies",
            "FL-9",
            f"no authorised limit of {policies.jurisdiction} is known for {on}, so posted limits are not held against "
            "one; enter authorised_limits",
        )


def _limit_advice(floor: FloorConfig) -> Iterator[Advice]:
    """FL-8: the table shows a figure lower than the one posted."""
    for table in floor.tables:
        game = find_game(table.game)
        for wager, limit in table.limits.items() if game is not None else ():
            real = law.effective(game, wager, table.limits) if game is not None else None
            if real is not None and (real.minimum_cents, real.maximum_cents) != (
                limit.minimum_cents,
                limit.maximum_cents,
            ):
                others = ", ".join(f"{follow.wager} is {follow.words} × {wager}" for follow in real.because)
                yield Advice(
                    f"table {table.id}",
                    "FL-8",
                    f"{wager} can only be {dollars(real.minimum_cents)} to {dollars(real.maximum_cents)}, not "
                    f"{dollars(limit.minimum_cents)} to {dollars(limit.maximum_cents)}: {others}, within limits of "
                    "its own",
                )


def _losing_games(table: TableConfig) -> Iterator[Advice]:
    """PR-9: a base game on which the house loses, by the figure that is shipped for it."""
    game = find_game(table.game)
    if game is None:
        return
    for (key, wager, label), counted in (shipped() or {}).items():
        chosen = table.tables.get(wager)
        if key != table.game or wager != "base" or (chosen is not None and chosen.id != label):
            continue
        sentence = players_edge(counted.distribution.house_edge, unit_words(game)) if counted.distribution else ""
        if sentence:
            changed = any(table.options.get(name, value) != value for name, value in game.defaults.items())
            options = ", with every house option at its default" if changed else ""
            yield Advice(f"table {table.id}", "PR-9", f"{game.title}: {sentence}{options}")
