"""What a round with cards comes to: the rulebook's own settlement, with the reasons in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as copied
from datetime import date
from typing import Any, NamedTuple

from houseway.games import Game, find_game
from houseway.games.round import Round, Settlement, Spot, SpotSettlement, WagerResult
from houseway.games.settle import values_for
from houseway.paytables import PayTable
from houseway.rule import arguments_of
from houseway.table.card_round.reasons import reason
from houseway.table.card_round.state import Line, Play
from houseway.table.card_round.streets import actions_of, board_of
from houseway.table.config import TableConfig
from houseway.table.limits import aggregate_on, within_aggregate


def game_of(config: TableConfig) -> Game:
    """The rule set that a table plays."""
    game = find_game(config.game)
    if game is None:
        raise RuntimeError(f"{config.game} is not installed")
    return game


class _Known(NamedTuple):
    config: TableConfig
    """Held, so that no other configuration can get its place in memory."""
    options: Mapping[str, Any]
    tables: Mapping[str, PayTable]


_KNOWN: dict[int, _Known] = {}
_MOST_KNOWN = 1_000


def _known(config: TableConfig) -> _Known:
    """What follows from a configuration, worked out once."""
    known = _KNOWN.get(id(config))
    if known is None:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        # Copies: a pay table that settles keeps what it worked out, and the configuration stays as it was journalled.
        tables = {wager: copied(table) for wager, table in config.tables.items()}
        known = _KNOWN[id(config)] = _Known(config, {**game_of(config).defaults, **config.options}, tables)
    return known


def options_of(config: TableConfig) -> Mapping[str, Any]:
    """Every house option of the table's game, defaults filled in."""
    return _known(config).options


def round_of(config: TableConfig, play: Play) -> Round:
    """The round as the rulebook takes it."""
    game = game_of(config)
    dealer = game.fill_places("dealer", (*play.dealer, *play.dealer_later))
    spots = tuple(
        Spot(
            number,
            game.fill_places("spot", (*hand.cards, *hand.later)),
            {wager: cents for wager, cents in hand.wagers.items() if wager != "progressive"},
            actions_of(hand),
            hand.player,
        )
        for number, hand in sorted(play.hands.items())
    )
    return Round(dealer, spots, _known(config).tables, options_of(config), board_of(game, play))


def lines_of(config: TableConfig, played: Round, settlement: Settlement, day: str) -> dict[int, dict[str, Line]]:
    """What every wager of every spot came to, and why; payouts within their aggregate limits (FL-25)."""
    found = {spot.number: dict(_spot_lines(config, played, settlement, spot)) for spot in settlement.spots}
    for wager, limits in config.limits.items():
        limit = aggregate_on(limits, date.fromisoformat(day)) if limits.aggregate else None
        if limit is None:
            continue
        winners = [
            number for number, lines in found.items() if wager in lines and lines[wager].returned > lines[wager].wagered
        ]
        won = [found[number][wager].returned - found[number][wager].wagered for number in winners]
        for number, before, after in zip(winners, won, within_aggregate(won, limit), strict=True):
            if after < before:
                line = found[number][wager]
                why = f"{line.why}; the posted aggregate payout limit shares it out"
                # Of a win that is shared out, commission is not marked: what is paid is after it.
                found[number][wager] = Line(
                    result=line.result, wagered=line.wagered, returned=line.wagered + after, envy=line.envy, why=why
                )
    return found


def _spot_lines(
    config: TableConfig, played: Round, settlement: Settlement, spot: SpotSettlement
) -> list[tuple[str, Line]]:
    lines = []
    for wager, result in spot.wagers.items():
        own, envy = result, result.envy or 0
        if envy:
            # PGF-3: envy is paid after all Fortune wagers, so it is a line of its own.
            returned = result.returned - envy
            own = WagerResult("win" if returned else "lose", result.wagered, returned)
            line = Line(result="win", wagered=0, returned=envy, envy=envy, why="another player's hand")
            lines.append((f"{wager}_envy", line))
        why = reason(game_of(config), played, settlement, spot, wager, own)
        line = Line(
            result=own.result,
            wagered=own.wagered,
            returned=own.returned,
            commission=_commission(config, played, wager, own),
            why=why,
        )
        lines.append((wager, line))
    return lines


def _commission(config: TableConfig, played: Round, wager: str, result: WagerResult) -> int:
    """BA-10: the commission that is marked when a wager is paid; 0 where it is collected at once."""
    game = game_of(config)
    declared = game.wager(wager)
    if declared is None or declared.commission is None or played.options["commission_collected"] != "marked":
        return 0
    names = arguments_of(declared.commission)
    values = values_for(game, names, (), played.dealer, played.board, played.options)
    return int(declared.commission(*[result.wagered if name == "stake" else values[name] for name in names]))


def stays(config: TableConfig, wager: str) -> bool:
    """Whether a wager stays in play when its spot folds (CSC-A4, TCB-2, SE1-5, and the options of CSB-A1, SE2-A2)."""
    game = game_of(config)
    return game.wager(wager) is not None and game.stays(wager, options_of(config))
