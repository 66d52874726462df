"""What the exact solvers say, as the loops play it: the one place where simulation asks them for decisions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from itertools import permutations
from math import comb
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.games.model import Game, Thumb
from houseway.paytables import PayTable
from houseway.proof.collect import PAI_GOW_ELEMENTS
from houseway.proof.simulation.decisions import EXTRA
from houseway.proof.simulation.kernels import kept_folder, loop
from houseway.proof.simulation.ways import BEST, HOUSE_WAY, Asked, PointWay, Way, keyed, point_way, save
from houseway.proof.strategy import PLAY_FROM, thumbs_of
from houseway.refusal import Refusal

Ints: TypeAlias = npt.NDArray[np.int64]
Bytes: TypeAlias = npt.NDArray[np.uint8]

# ------------------------------------------------------------------------------------------------ best decisions


def best_points(asked: Asked) -> tuple[PointWay, ...]:
    """The best decision at every point, solved once for a pay table and kept in the cache folder."""
    solve = SOLVERS.get(asked.game.key)
    if solve is None:
        raise Refusal("strategy", f"no solver knows the best way to play {asked.game.key}; choose simple or a thumb")
    folder = kept_folder()
    depends = json.dumps([asked.game.key, _pays(asked.odds), sorted(asked.options.items())])
    name = f"{asked.game.key}-best-{hashlib.sha256(depends.encode()).hexdigest()[:24]}.npz"
    file = folder / name if folder else None
    if file is not None and file.exists():
        with np.load(file) as saved:
            return tuple(
                PointWay(-1, tuple(saved[f"limits_{place}"].tolist()), *(saved[f"{part}_{place}"] for part in PARTS))
                for place in range(len(asked.game.points))
            )
    points = solve(asked)
    if file is not None:
        arrays: dict[str, Any] = {}
        for place, point in enumerate(points):
            arrays[f"limits_{place}"] = np.array(point.limits)
            arrays |= {f"{part}_{place}": array for part, array in zip(PARTS, point.tables(), strict=True)}
        save(file, lambda unfinished: np.savez(unfinished, **arrays))
    return points


PARTS: Final = ("by_value", "classes", "choices")


def _pays(table: PayTable) -> list[Any]:
    return [[[row.hand, [[odds.num, odds.den] for odds in row.odds]] for row in table.rows], table.returns_wager]


def blind_points(asked: Asked, thumb: Thumb) -> tuple[PointWay, ...]:
    """The best decisions of somebody who does not look at a zone."""
    from houseway.proof import caribbean_stud as solver

    solution = solver.solve(asked.odds, progress=asked.progress)
    return (_by_up_card(solution, solver.RULES_OF_THUMB[thumb.words](solution)),)


def _three_card_poker(asked: Asked) -> tuple[PointWay, ...]:
    counted = asked.counted()
    value = counted.play.facts.get(PLAY_FROM) if counted and counted.play else None
    if value is None:
        raise Refusal("strategy", "the best way on this table has no lowest hand to play; choose a rule of thumb")
    return (PointWay(limits=(value, 0, value, 1)),)


def _caribbean_stud(asked: Asked) -> tuple[PointWay, ...]:
    from houseway.proof import caribbean_stud as solver

    solution = solver.solve(asked.odds, progress=asked.progress)
    return (_by_up_card(solution, solution.best),)


def _by_up_card(solution: Any, flags: Any) -> PointWay:
    keys, choices = keyed(solution.cards, np.zeros((len(flags), 0)), solution.possible, flags, ups=True)
    return point_way(keys, solution.values.astype(np.int64), choices)


def _straight_edge(asked: Asked) -> tuple[PointWay, ...]:
    from houseway.proof import straight_edge as solver

    version: solver.Version = 1 if asked.game.key == "straight-edge-1" else 2
    zero = asked.options.get("blind_on_margin_zero", "push")
    solved = solver.base_game(version, asked.odds, zero, progress=asked.progress)
    weights = np.int64(1) << 4 * np.arange(solved.held.shape[1], dtype=np.int64)
    keys = (solved.held * weights).sum(axis=1)
    return (point_way(keys, solved.run.astype(np.int64), solved.played.astype(np.uint8).reshape(-1, 1)),)


SOLVERS: Final[Mapping[str, Callable[[Asked], tuple[PointWay, ...]]]] = {
    "three-card-poker": _three_card_poker,
    "caribbean-stud": _caribbean_stud,
    "straight-edge-1": _straight_edge,
    "straight-edge-2": _straight_edge,
}

# ------------------------------------------------------------------------------------------------ hands that are set


def way_to_set(asked: Asked) -> Way:
    """A way to play a game whose hands are set, from the special solver that the declaration names."""
    from houseway.proof import six_card_pai_gow as solver

    names = {BEST: solver.BEST_SETTING_DOUBLING, HOUSE_WAY: solver.HOUSE_WAY}
    name = names.get(asked.name, asked.name)
    if name not in PAI_GOW_ELEMENTS:
        name = asked.thumb([*PAI_GOW_ELEMENTS, *solver.SETTING_RULES, *solver.DOUBLING_RULES])
    shown = asked.name if asked.name in names else name
    if name in PAI_GOW_ELEMENTS:
        counted = asked.counted(name)
        distribution = counted.distribution if counted else None
        edge = distribution.house_edge if distribution else None
        return Way(shown, edge, distribution, settings="" if name == solver.HOUSE_WAY else name)
    counted = asked.counted(solver.BEST_SETTING if name in solver.SETTING_RULES else solver.HOUSE_WAY_DOUBLING)
    edges = {thumb.words: thumb.house_edge for thumb in thumbs_of(counted)} if counted else {}
    return Way(
        shown,
        edges.get(name),
        setting_lines=tuple((line.low, line.high) for line in solver.SETTING_RULES.get(name, ())),
        extra_lines=tuple((line.low, line.high) for line in solver.DOUBLING_RULES.get(name, ())),
    )


@cache
def hand_choose(game: Game) -> Ints:
    """By place in a rising hand and card: what the card adds to the hand's number; empty where no hand is set."""
    if not game.splits:
        return np.zeros((0, 0), np.int64)
    cards = range(len(game.deck))
    return np.array([[comb(card, place + 1) for card in cards] for place in range(game.player_cards)], np.int64)


@cache
def settings_of(game: Game, name: str) -> Bytes:
    """By the number of a hand: the place of its low card, and 16 where the optional wager is made; kept on the disk.

    A worker on another machine makes its own, once: it is the same whoever makes it.
    """
    if not name:
        return np.zeros(0, np.uint8)
    folder = kept_folder()
    file = folder / f"{game.key}-{hashlib.sha256(name.encode()).hexdigest()[:24]}.npy" if folder else None
    if file is None or not file.exists():
        made = _every_setting(game, name)
        if file is None:
            return made
        save(file, lambda unfinished: np.save(unfinished, made))
    return np.asarray(np.load(file, mmap_mode="r"))


def _every_setting(game: Game, name: str) -> Bytes:
    from houseway.proof import six_card_pai_gow as solver

    solved = solver.base_game()
    column = {solver.HOUSE_WAY_DOUBLING: 0, solver.BEST_SETTING: 1, solver.BEST_SETTING_DOUBLING: 2}[name]
    hands, chosen = solved.hands, solved.chosen[:, column].astype(np.int64)
    doubles = solved.worth[1, np.arange(len(chosen)), chosen] > 0
    if name == solver.BEST_SETTING:
        doubles = np.zeros(len(chosen), np.bool_)
    made = np.zeros(comb(len(game.deck), game.player_cards), np.uint8)
    _spread(hands, chosen, doubles, np.array(list(permutations(range(4))), np.int64), hand_choose(game), EXTRA, made)
    return made


@loop()
def _spread(hands: Any, chosen: Any, doubles: Any, renamings: Any, choose: Any, extra: Any, made: Any) -> None:
    """Write the choice of every class to each of its hands: the low card, wherever it comes to stand among the six."""
    size, deck = choose.shape
    cards = np.zeros(size, np.int64)
    for hand in range(len(hands)):
        for renaming in range(len(renamings)):
            at = 0
            low = 0
            for card in range(deck):
                if hands[hand] >> card & 1:
                    renamed = card if card == 52 else 13 * renamings[renaming, card // 13] + card % 13
                    if at == chosen[hand]:
                        low = renamed
                    place = at
                    while place > 0 and cards[place - 1] > renamed:
                        cards[place] = cards[place - 1]
                        place -= 1
                    cards[place] = renamed
                    at += 1
            number = 0
            below = 0
            for place in range(size):
                number += choose[place, cards[place]]
                if cards[place] < low:
                    below += 1
            made[number] = below + (extra if doubles[hand] else 0)
