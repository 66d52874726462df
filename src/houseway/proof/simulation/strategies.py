"""Ways to play, as look-ups that a compiled loop can ask: the best one, the house way, and every rule of thumb.

The best decisions come from the exact solvers, hand by hand. Rules of thumb are named by the words that ``houseway
strategy`` prints, or any part of them that fits only one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK_52, DECK_53
from houseway.games import Game
from houseway.paytables import PayTable
from houseway.proof.collect import BASE, PAI_GOW_ELEMENTS, Question, count, three_card_thumbs
from houseway.proof.compiled import Progress
from houseway.proof.distribution import Distribution
from houseway.proof.figure import Counted
from houseway.proof.simulation.kernels import kept_folder, loop
from houseway.proof.simulation.search import hashed
from houseway.proof.strategy import PLAY_FROM, thumbs_of
from houseway.ranking.three_card import THREE_OF_A_KIND
from houseway.refusal import Refusal

Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

BEST: Final = "best"
HOUSE_WAY: Final = "house-way"
NEVER: Final = 1 << 40
"""Above the value of any hand."""
RUNS: Final = 256
"""More than any run is worth."""
NO_INTS: Final = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to play one game: its name, what it costs by count, and the look-ups for the loop."""

    name: str
    edge: Fraction | None
    """The exact house edge of the base game played so."""
    distribution: Distribution | None = None
    """Every result of the base game played so, where it was counted."""
    limits: tuple[int, int] = (0, 0)
    """From which value on every hand is played, and below which none."""
    by_run: Ints = field(default_factory=lambda: NO_INTS)
    """Straight Edge: whether a hand with this run is played; 2 where the other cards decide."""
    hands: Ints = field(default_factory=lambda: hashed(NO_INTS, NO_INTS))
    """Hands whose value does not decide, as ``looked_up`` takes them."""
    setting_lines: tuple[tuple[int, int], ...] = ()
    doubling_lines: tuple[tuple[int, int], ...] = ()
    element: str = ""
    """Pai gow: the element whose table of every hand is played by; empty where lines are."""


def way_to_play(
    game: Game, name: str, table: PayTable | None, options: Mapping[str, Any], progress: Progress | None = None
) -> Way:
    """The way of that name; ``table`` is the pay table that decides the base game."""
    return MAKERS[game.key](Asked(game, name, table, options, progress))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a way to play is made for."""

    game: Game
    name: str
    table: PayTable | None
    options: Mapping[str, Any]
    """Those that bear on the base game."""
    progress: Progress | None

    def counted(self, label: str = "") -> Counted:
        """What was counted of the base game, shipped or kept or counted now."""
        question = Question(self.game, BASE, label or self.odds.id, self.table, tuple(self.options.items()))
        return count([question], progress=self.progress)[0]

    @property
    def odds(self) -> PayTable:
        if self.table is None:
            raise ValueError(f"no pay table decides {self.game.key}")
        return self.table

    def thumb(self, known: Iterable[str]) -> str:
        """The rule of thumb that is meant."""
        words = list(known)
        if self.name in words:
            return self.name
        fitting = [one for one in words if self.name.lower() in one.lower()]
        if len(fitting) == 1:
            return fitting[0]
        told = "fits more than one" if fitting else "is not known"
        raise Refusal(
            "strategy", f"{self.name[:60]!r} {told}; there are {BEST}, {_house_way(self.game)}{'; '.join(words)}"
        )

    def refuse_house_way(self) -> None:
        if self.name == HOUSE_WAY:
            raise Refusal("strategy", "only six-card-pai-gow has a house way; choose best or a rule of thumb")


def _kept(asked: Asked, solve: Callable[[], Way]) -> Way:
    """The best way by the exact solver, solved once for a pay table and kept in the cache folder."""
    folder = kept_folder()
    depends = json.dumps([asked.game.key, _pays(asked.odds), sorted(asked.options.items())])
    name = f"{asked.game.key}-best-{hashlib.sha256(depends.encode()).hexdigest()[:24]}.npz"
    file = folder / name if folder else None
    if file is not None and file.exists():
        with np.load(file) as saved:
            low, high = saved["limits"].tolist()
            way = Way(BEST, None, limits=(low, high), by_run=saved["by_run"], hands=saved["hands"])
    else:
        way = solve()
        if file is not None:
            limits = np.array(way.limits)
            _save(file, lambda unfinished: np.savez(unfinished, limits=limits, by_run=way.by_run, hands=way.hands))
    distribution = asked.counted().distribution
    return replace(way, edge=distribution.house_edge if distribution else None, distribution=distribution)


def _pays(table: PayTable) -> list[Any]:
    return [[[row.hand, [[odds.num, odds.den] for odds in row.odds]] for row in table.rows], table.returns_wager]


def _save(file: Path, write: Callable[[Any], None]) -> None:
    """Written under another name first: a file that is there is whole."""
    with NamedTemporaryFile(dir=file.parent, suffix=file.suffix, delete=False) as unfinished:
        write(unfinished)
    Path(unfinished.name).replace(file)


def _house_way(game: Game) -> str:
    return f"{HOUSE_WAY}, " if game.key == "six-card-pai-gow" else ""


# ------------------------------------------------------------------------------------------------ three card poker


def _three_card_poker(asked: Asked) -> Way:
    asked.refuse_house_way()
    counted = asked.counted()
    if counted.play is None:
        raise ValueError("the base game was counted without its play")
    if asked.name == BEST:
        value = counted.play.facts.get(PLAY_FROM)
        if value is None:
            raise Refusal("strategy", "the best way on this table has no lowest hand to play; choose a rule of thumb")
        distribution = counted.distribution
        return Way(BEST, distribution.house_edge if distribution else None, distribution, (value, value))
    thumbs = three_card_thumbs()
    words = asked.thumb(thumbs)
    decide = thumbs[words]
    lowest = next(value for value in range((THREE_OF_A_KIND + 2) << 12) if decide(value))
    return Way(words, counted.play.thumbs.get(words), None, (lowest, lowest))


# ------------------------------------------------------------------------------------------------ caribbean stud


def _caribbean_stud(asked: Asked) -> Way:
    from houseway.proof import caribbean_stud as solver

    asked.refuse_house_way()
    if asked.name == BEST:

        def solved() -> Way:
            solution = solver.solve(asked.odds, progress=asked.progress)
            return _by_up_card(BEST, None, solution, solution.best)

        return _kept(asked, solved)
    words = asked.thumb(solver.RULES_OF_THUMB)
    by_worth = words == "the best that ignores the up card"
    solution = solver.solve(asked.odds, progress=asked.progress) if by_worth else _every_hand_unsolved()
    counted = asked.counted()
    edge = counted.play.thumbs.get(words) if counted.play else None
    return _by_up_card(words, edge, solution, solver.RULES_OF_THUMB[words](solution))


def _every_hand_unsolved() -> Any:
    """Every hand and up card as the solver lists them, without what betting is worth: enough for a rule of thumb."""
    from houseway.proof import caribbean_stud as solver
    from houseway.proof.hands import deck_array, five_card_order

    hands = solver.every_hand(DECK_52)
    stands = np.flatnonzero(hands.size)
    cards = hands.cards[stands]
    _, _, values = five_card_order()
    possible = np.ones((len(stands), len(DECK_52)), dtype=np.bool_)
    np.put_along_axis(possible, cards.astype(np.int64), False, axis=1)
    none = np.zeros((0, 0), np.int64)
    return solver.Solution(
        *(DECK_52, 1, 2, stands, deck_array(DECK_52)[cards].astype(np.uint8)),
        *(values[hands.place[stands]], hands.size[stands].astype(np.int64), possible),
        *(none, none, np.zeros((0, 0, 0), np.int32)),
    )


def _by_up_card(name: str, edge: Fraction | None, hands: Any, flags: Flags) -> Way:
    """Two limits, and between them for every class of hands the up cards against which it is bet."""
    bets = flags & hands.possible
    some = bets.any(axis=1)
    all_ = (bets | ~hands.possible).all(axis=1)
    above = int(hands.values[~all_].max(initial=-1)) + 1
    below = int(hands.values[some].min(initial=NEVER))
    between = np.flatnonzero((hands.values >= below) & (hands.values < above) & some)
    bits = np.int64(1) << np.arange(len(DECK_52), dtype=np.int64)
    keys = bits[hands.cards[between].astype(np.int64)].sum(axis=1)
    return Way(name, edge, limits=(above, below), hands=hashed(keys, (bets[between] * bits).sum(axis=1)))


# ------------------------------------------------------------------------------------------------ straight edge


def _straight_edge(asked: Asked) -> Way:
    from houseway.proof import straight_edge as solver

    asked.refuse_house_way()
    version: solver.Version = 1 if asked.game.key == "straight-edge-1" else 2
    zero = asked.options.get("blind_on_margin_zero", "push")

    def best() -> Way:
        solved = solver.base_game(version, asked.odds, zero, progress=asked.progress)
        return _by_ranks(BEST, None, solved.held, solved.run, solved.played)

    if asked.name == BEST:
        return _kept(asked, best)
    solved = solver.base_game(version, asked.odds, zero, progress=asked.progress)
    rules = {str(rule): rule for rule in solved.rules_of_thumb()}
    words = asked.thumb(rules)
    rule = rules[words]
    played = solved.run >= rule.least
    for holding in rule.holdings:
        held = solved.held[:, [rank - 2 for rank in holding.ranks]].sum(axis=1)
        fits = held < holding.least if holding.fewer else held >= holding.least
        played = np.where(solved.run == holding.run, fits, played)
    return _by_ranks(words, solved.distribution.house_edge + rule.cost, solved.held, solved.run, played)


def _by_ranks(name: str, edge: Fraction | None, held: Ints, run: Ints, played: Flags) -> Way:
    """What to do by run, and where that does not decide the hands that are played."""
    by_run = np.zeros(RUNS, np.int64)
    look = np.zeros(len(run), np.bool_)
    for value in np.unique(run).tolist():
        here = run == value
        by_run[value] = 1 if played[here].all() else 2 if played[here].any() else 0
        if by_run[value] == 2:
            look |= here
    weights = np.int64(1) << 4 * np.arange(held.shape[1], dtype=np.int64)
    keys = (held[look & played] * weights).sum(axis=1)
    return Way(name, edge, by_run=by_run, hands=hashed(keys, np.ones(len(keys), np.int64)))


# ------------------------------------------------------------------------------------------------ six card pai gow


def _six_card_pai_gow(asked: Asked) -> Way:
    from houseway.proof import six_card_pai_gow as solver

    names = {BEST: solver.BEST_SETTING_DOUBLING, HOUSE_WAY: solver.HOUSE_WAY}
    name = names.get(asked.name, asked.name)
    if name in PAI_GOW_ELEMENTS:
        distribution = asked.counted(name).distribution
        element = "" if name == solver.HOUSE_WAY else name
        edge = distribution.house_edge if distribution else None
        return Way(asked.name, edge, distribution, element=element)
    words = asked.thumb([*PAI_GOW_ELEMENTS, *solver.SETTING_RULES, *solver.DOUBLING_RULES])
    if words in PAI_GOW_ELEMENTS:
        return _six_card_pai_gow(Asked(asked.game, words, asked.table, asked.options, asked.progress))
    setting = solver.SETTING_RULES.get(words, ())
    doubling = solver.DOUBLING_RULES.get(words, ())
    counted = asked.counted(solver.BEST_SETTING if words in solver.SETTING_RULES else solver.HOUSE_WAY_DOUBLING)
    edges = {thumb.words: thumb.house_edge for thumb in thumbs_of(counted)}
    return Way(words, edges.get(words), setting_lines=_lines(setting), doubling_lines=_lines(doubling))


def _lines(lines: Sequence[Any]) -> tuple[tuple[int, int], ...]:
    return tuple((line.low, line.high) for line in lines)


@cache
def hand_choose() -> Ints:
    """By place in a rising hand of six and card: what the card adds to the hand's number."""
    return np.array([[comb(card, place + 1) for card in range(len(DECK_53))] for place in range(6)], np.int64)


@cache
def best_way(element: str) -> npt.NDArray[np.uint8]:
    """By the number of a hand: the place of its low card, and 8 where it is doubled; kept in the cache folder.

    A worker on another machine makes its own, once: it is the same whoever makes it.
    """
    if not element:
        return np.zeros(0, np.uint8)
    folder = kept_folder()
    file = folder / f"six-card-pai-gow-{element.replace(', ', '-').replace(' ', '-')}.npy" if folder else None
    if file is None or not file.exists():
        made = _count_best_way(element)
        if file is None:
            return made
        _save(file, lambda unfinished: np.save(unfinished, made))
    return np.asarray(np.load(file, mmap_mode="r"))


def _count_best_way(element: str) -> npt.NDArray[np.uint8]:
    from houseway.proof import six_card_pai_gow as solver

    game = solver.base_game()
    column = {solver.HOUSE_WAY_DOUBLING: 0, solver.BEST_SETTING: 1, solver.BEST_SETTING_DOUBLING: 2}[element]
    chosen = game.chosen[:, column].astype(np.int64)
    doubled = game.worth[1, np.arange(len(chosen)), chosen] > 0
    doubles = doubled if element != solver.BEST_SETTING else np.zeros(len(chosen), np.bool_)
    made = np.zeros(comb(len(DECK_53), 6), np.uint8)
    _spread(game.hands, chosen, doubles, np.array(list(permutations(range(4))), np.int64), hand_choose(), made)
    return made


@loop()
def _spread(hands: Any, chosen: Any, doubles: Any, renamings: Any, choose: Any, made: Any) -> None:
    """Write the choice of every class to each of its hands: the low card, wherever it comes to stand among the six."""
    cards = np.zeros(6, np.int64)
    for hand in range(len(hands)):
        for renaming in range(len(renamings)):
            at = 0
            low = 0
            for card in range(53):
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
            for place in range(6):
                number += choose[place, cards[place]]
                if cards[place] < low:
                    below += 1
            made[number] = below + (8 if doubles[hand] else 0)


Maker: TypeAlias = Callable[[Asked], Way]

MAKERS: Final[Mapping[str, Maker]] = {
    "three-card-poker": _three_card_poker,
    "caribbean-stud": _caribbean_stud,
    "straight-edge-1": _straight_edge,
    "straight-edge-2": _straight_edge,
    "six-card-pai-gow": _six_card_pai_gow,
}
