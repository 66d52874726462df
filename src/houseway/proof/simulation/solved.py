"""What the exact solvers say, as the loops play it: the one place where simulation asks them for decisions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import comb
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.games.model import Decide, Game, Thumb
from houseway.proof.compiled import silent
from houseway.proof.digest import game_digest
from houseway.proof.simulation.decisions import EXTRA, planes_of
from houseway.proof.simulation.declared import Declared
from houseway.proof.simulation.kernels import kept_folder, loop
from houseway.proof.simulation.search import CARDS, lay_boards, lay_choices
from houseway.proof.simulation.ways import BEST, HOUSE_WAY, Asked, PointWay, Way, keyed, point_way, save
from houseway.proof.solution import Solution
from houseway.proof.solver import solve
from houseway.proof.special import special_solver
from houseway.refusal import Refusal

Ints: TypeAlias = npt.NDArray[np.int64]
Bytes: TypeAlias = npt.NDArray[np.uint8]

PARTS: Final = ("by_value", "classes", "choices")


def best_points(asked: Asked) -> tuple[PointWay, ...]:
    """The best decision at every point, solved once for its pay tables and kept in the cache folder."""
    digest, folder = game_digest(asked.game), kept_folder()
    pays = {
        key: [[[row.hand, [[odds.num, odds.den] for odds in row.odds]] for row in table.rows], table.returns_wager]
        for key, table in sorted(asked.tables.items())
    }
    depends = json.dumps([digest, pays, sorted(asked.options.items())])
    name = f"{asked.game.key}-best-{hashlib.sha256(depends.encode()).hexdigest()[:24]}.npz"
    file = folder / name if folder and digest else None
    if file is not None and file.exists():
        with np.load(file) as saved:
            return tuple(
                PointWay(-1, tuple(saved[f"limits_{place}"].tolist()), *(saved[f"{part}_{place}"] for part in PARTS))
                for place in range(len(asked.game.points))
            )
    solution = _solution(asked)
    points = _points(asked.game, solution, {key: table.best for key, table in solution.points.items()})
    if file is not None:
        arrays: dict[str, Any] = {}
        for place, point in enumerate(points):
            arrays[f"limits_{place}"] = np.array(point.limits)
            arrays |= {f"{part}_{place}": array for part, array in zip(PARTS, point.tables(), strict=True)}
        save(file, lambda unfinished: np.savez(unfinished, **arrays))
    return points


def blind_points(asked: Asked, thumb: Thumb) -> tuple[PointWay, ...]:
    """The best decisions of somebody who does not look at a zone."""
    if any(Declared(asked.game).by_board(point) for point in asked.game.points):
        raise Refusal(
            "strategy", f"{thumb.words!r} cannot be played at {asked.game.key}, where the dealer shares the board"
        )
    solution = _solution(asked)
    return _points(asked.game, solution, solution.by_thumb(thumb))


def _solution(asked: Asked) -> Solution:
    try:
        solution = solve(asked.game, asked.tables, asked.options, progress=asked.progress)
    except Refusal as refusal:
        raise Refusal("strategy", f"{asked.name} cannot be played: {refusal.sentence}") from None
    return solution


def _points(game: Game, solution: Solution, chosen: dict[str, Any]) -> tuple[PointWay, ...]:
    declared = Declared(game)
    found = []
    for point in game.points:
        nodes = [node.key for node in declared.nodes_at(point)]
        seen = declared.seen_at(point)
        if declared.by_board(point):
            found.append(_on_boards(solution, point, nodes))
            continue
        by_node = [
            keyed(
                *(table.hands, table.board, np.array(solution.deck), table.possible, chosen[node]),
                ups=bool(seen.up),
                by_rank=declared.by_rank,
            )
            for node in nodes
            if (table := solution.points[node]) is not None
        ]
        keys, first, again = np.unique(by_node[0][0], return_index=True, return_inverse=True)
        choices = np.hstack([choice for _, choice in by_node])
        if any((other != by_node[0][0]).any() for other, _ in by_node) or (choices[first][again] != choices).any():
            raise ArithmeticError(f"classes of cards at {point.key} of {game.key} are not told apart alike")
        values = np.asarray(solution.points[nodes[0]].values).astype(np.int64)[first]
        found.append(point_way(keys, values if declared.value_at(point) and len(nodes) == 1 else None, choices[first]))
    return tuple(found)


def _on_boards(solution: Solution, point: Decide, nodes: Sequence[str]) -> PointWay:
    """The best choices with the whole board in view: every board by number, and a bit for every hole on its class."""
    from houseway.proof.kernels.board_play import BoardSolution

    if not isinstance(solution, BoardSolution):
        raise TypeError(f"{solution.game.key} was not solved by sorting boards")
    counts, planes = solution.counts, planes_of(point)
    cards = np.array(solution.deck, np.int64)
    boards = cards[counts.boards.astype(np.int64)]
    names, back = [], []
    for renamed in counts.renamed:
        suits = {int(old) // 13: int(new) // 13 for old, new in zip(cards, cards[renamed], strict=True) if old < 52}
        names.append(sum(suits.get(suit, suit) << 2 * suit for suit in range(4)))
        back.append(sum(suit << 2 * suits.get(suit, suit) for suit in range(4)))
    rows = np.zeros((comb(CARDS, boards.shape[1]), 2), np.int64)
    lay_boards(boards, np.array(names, np.int64), np.array(back, np.int64), rows)
    step = planes * len(nodes)
    bits = np.zeros((len(boards) * step, -(-comb(CARDS, counts.holes.shape[1]) // 8)), np.uint8)
    for place, node in enumerate(nodes):
        lay_choices(boards, cards, counts.holes, solution.on_boards(node), place * planes, step, planes, bits)
    return PointWay(classes=rows, choices=bits)


# ------------------------------------------------------------------------------------------------ hands that are set


def way_to_set(asked: Asked) -> Way:
    """A way to play a game whose hands are set, from the special solver that the declaration names."""
    solver = special_solver(asked.game)
    names = {BEST: solver.best, HOUSE_WAY: solver.house_way}
    name = names.get(asked.name, asked.name)
    thumbs = solver.setting_thumbs()
    if name not in solver.labels:
        name = asked.thumb([*solver.labels, *thumbs])
    shown = asked.name if asked.name in names else name
    if name in solver.labels:
        counted = asked.counted(name)
        distribution = counted.distribution if counted else None
        edge = distribution.house_edge if distribution else None
        return Way(shown, edge, distribution, settings="" if name == solver.house_way else name)
    thumb = thumbs[name]
    counted = asked.counted(thumb.label)
    edge = counted.play.thumbs.get(name) if counted and counted.play else None
    return Way(shown, edge, setting_lines=thumb.setting, extra_lines=thumb.extra)


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
    digest = game_digest(game)
    name_digest = hashlib.sha256(f"{digest} {name}".encode()).hexdigest()[:24]
    file = folder / f"{game.key}-{name_digest}.npy" if folder and digest else None
    if file is None or not file.exists():
        made = _every_setting(game, name)
        if file is None:
            return made
        save(file, lambda unfinished: np.save(unfinished, made))
    return np.asarray(np.load(file, mmap_mode="r"))


def _every_setting(game: Game, name: str) -> Bytes:
    solver = special_solver(game)
    hands, chosen, extra = solver.settings(solver.solved(game, silent), name)
    made = np.zeros(comb(len(game.deck), game.player_cards), np.uint8)
    _spread(hands, chosen, extra, np.array(list(permutations(range(4))), np.int64), hand_choose(game), EXTRA, made)
    return made


@loop()
def _spread(hands: Any, chosen: Any, extras: Any, renamings: Any, choose: Any, extra: Any, made: Any) -> None:
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
            made[number] = below + (extra if extras[hand] else 0)
