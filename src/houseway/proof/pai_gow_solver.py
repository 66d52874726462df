"""Six-card pai gow as a solver of its own: the ways to play it, in figures and in words.

The counting itself, ``six_card_pai_gow`` and ``pai_gow_hands``, is loaded when something is counted: what was counted
can be read without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from houseway.cards import Card, text_of
from houseway.games.model import Game
from houseway.proof.compiled import Progress
from houseway.proof.distribution import Distribution
from houseway.proof.figure import Counted, Play, percent
from houseway.proof.special import Advised, SettingThumb

if TYPE_CHECKING:
    from houseway.proof.six_card_pai_gow import BaseGame

HOUSE_WAY: Final = "house way"
BEST_SETTING: Final = "best setting"
HOUSE_WAY_DOUBLING: Final = "house way, doubling"
BEST_SETTING_DOUBLING: Final = "best setting, doubling"
ELEMENTS: Final = (HOUSE_WAY, BEST_SETTING, HOUSE_WAY_DOUBLING, BEST_SETTING_DOUBLING)

HOUSE_WAY_WORDS: Final = (
    "Set by the house way: keep the best category the six cards make whole, then play the highest low card that leaves "
    "it so and does not foul."
)


class PaiGowSolver:
    """What a declaration that names this solver is counted by."""

    labels = ELEMENTS
    best = BEST_SETTING_DOUBLING
    house_way = HOUSE_WAY

    def solved(self, played: Game, told: Progress) -> BaseGame:
        """The base game, whole."""
        from houseway.proof.six_card_pai_gow import base_game

        return base_game(progress=told)

    def played(self, solved: BaseGame, label: str) -> tuple[Distribution, Play]:
        """What one way to play comes to."""
        from houseway.proof.six_card_pai_gow import DOUBLING_RULES, SETTING_RULES

        element = solved.elements[label]
        best = element.distribution.house_edge
        costs: dict[str, Fraction] = {}
        if label == BEST_SETTING:
            costs = {words: solved.cost_of_setting(lines) for words, lines in SETTING_RULES.items()}
        elif label == HOUSE_WAY_DOUBLING:
            costs = {words: solved.cost_of_doubling(lines) for words, lines in DOUBLING_RULES.items()}
        edges = {words: best + cost for words, cost in costs.items()}
        return element.distribution, Play(element.double_frequency, thumbs=edges)

    def settings(self, solved: BaseGame, label: str) -> tuple[Any, Any, Any]:
        """Every class of hands as bits by card, the place of its low card, and whether it is doubled."""
        import numpy as np

        column = {HOUSE_WAY_DOUBLING: 0, BEST_SETTING: 1, BEST_SETTING_DOUBLING: 2}[label]
        chosen = solved.chosen[:, column].astype(np.int64)
        doubled = solved.worth[1, np.arange(len(chosen)), chosen] > 0
        return solved.hands, chosen, doubled & (label != BEST_SETTING)

    def setting_thumbs(self) -> dict[str, SettingThumb]:
        """The rules of thumb, by their words."""
        from houseway.proof.six_card_pai_gow import DOUBLING_RULES, SETTING_RULES

        def numbers(lines: Sequence[Any]) -> tuple[tuple[int, int], ...]:
            return tuple((line.low, line.high) for line in lines)

        return {
            **{words: SettingThumb(BEST_SETTING, setting=numbers(lines)) for words, lines in SETTING_RULES.items()},
            **{
                words: SettingThumb(HOUSE_WAY_DOUBLING, extra=numbers(lines)) for words, lines in DOUBLING_RULES.items()
            },
        }

    def words(self, counted: Counted, play: Play) -> str:
        """The way to play in words."""
        setting, _, doubling = counted.table.partition(", ")
        said = [HOUSE_WAY_WORDS if setting == HOUSE_WAY else "Set the way that wins most against every dealer hand."]
        said.append(
            f"Double where that wins more than it loses, in {percent(play.frequency, 2)} of hands."
            if doubling
            else "Never double."
        )
        best = counted.distribution.house_edge if counted.distribution else Fraction(0)
        dearer = sorted((edge - best, words) for words, edge in play.thumbs.items() if edge > best)
        if dearer:
            cost, words = dearer[0]
            said.append(f"A rule to remember: {words}. It costs {percent(cost, 4)} of the base wager.")
        return " ".join(said)

    def advise(self, played: Game, cards: Sequence[Card], options: Mapping[str, Any]) -> list[Advised]:
        """Every setting, undoubled and doubled."""
        from houseway.proof.six_card_pai_gow import advise

        found = []
        for setting in advise(cards):
            words = f"low {text_of([setting.low])}, high {text_of(setting.high)}"
            notes = (*(("fouls",) if setting.fouls else ()), *(("house way",) if setting.house_way else ()))
            found.append(Advised(words, setting.base, notes))
            found.append(Advised(f"{words}, double down", setting.base + setting.double_down, notes))
        return found


SOLVER: Final = PaiGowSolver()
