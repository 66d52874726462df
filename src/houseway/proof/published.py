"""Published against counted: the figures of the trade's literature beside ours, with a verdict of the same kind.

Nothing here is printed in a document. A published figure is reproduced when our count, rounded to the published digits,
is that figure. Where two choices are worth exactly the same, the average bet, the element of risk and the deviation
depend on which of them is made: it is enough that one of the two tie rules reproduces them, and the words say which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from houseway.games.model import Game, LiteratureFigure
from houseway.proof.distribution import Distribution
from houseway.proof.figure import Claim, Counted, PublishedVerdict, half_up, percent

SMALLER: Final = "the smaller stake"
LARGER: Final = "the larger stake"
WORDS: Final = {
    "house_edge": "house edge",
    "element_of_risk": "element of risk",
    "average_bet": "average bet",
    "standard_deviation": "standard deviation",
}
"""What the literature gives, in words."""
OR: Final = " or "


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the literature says of one wager on one table, and whether our count agrees."""

    texts: Mapping[str, str | None]
    verdict: PublishedVerdict = "not published"
    why: str = ""
    notes: tuple[str, ...] = ()
    """Which tie rule a published figure takes."""


def compare(counted: Counted, game: Game, options: Mapping[str, Any] | None = None) -> Comparison:
    """The published figures of a wager beside what was counted, under these house options away from their defaults."""
    set_here = {name: value for name, value in (options or {}).items() if name != game.figures_by.get(counted.wager)}
    wager_table_options = counted.wager, counted.table, set_here
    known = next(
        (
            figure
            for figure in game.published
            if (figure.wager, figure.table, dict(figure.options)) == wager_table_options
        ),
        None,
    )
    if known is None or counted.distribution is None:
        return Comparison(dict.fromkeys(WORDS))
    texts = {name: getattr(known, name) or None for name in WORDS}
    rules = {SMALLER: _quantities(counted.distribution)}
    if counted.larger is not None:
        rules[LARGER] = _quantities(counted.larger)
    differing: list[str] = []
    notes: list[str] = []
    for name, text in texts.items():
        if text is None:
            continue
        agreeing = [rule for rule, values in rules.items() if _agrees(text, values[name])]
        if not agreeing:
            differing.append(_difference(name, text, rules[SMALLER][name]))
        elif agreeing == [LARGER]:
            notes.append(f"the published {WORDS[name]}, {text}, takes {LARGER} where two choices are worth the same")
    if not differing:
        return Comparison(texts, "reproduced", notes=tuple(notes))
    return Comparison(texts, "differs", " ".join([*differing, _reason(known)]), tuple(notes))


def _quantities(counted: Distribution) -> dict[str, Any]:
    return {
        "house_edge": counted.house_edge,
        "element_of_risk": counted.element_of_risk,
        "average_bet": counted.wagered,
        "standard_deviation": counted.standard_deviation,
    }


def _agrees(text: str, value: Fraction | float) -> bool:
    """Whether a count is what is published: one figure, or two with "or" between them."""
    return any(_is(figure, value) for figure in text.split(OR))


def _is(text: str, value: Fraction | float) -> bool:
    share = Fraction(value)
    if text.endswith("%"):
        return Claim.of(text).reproduced_by(share)
    digits = len(text.partition(".")[2])
    return half_up(share / 100, digits) == half_up(Fraction(text) / 100, digits)


def _difference(name: str, text: str, value: Fraction | float) -> str:
    digits = len(text.split(OR, maxsplit=1)[0].removesuffix("%").partition(".")[2])
    exact = percent(Fraction(value), digits + 2) if text.endswith("%") else f"{float(value):.{digits + 2}f}"
    return f"The {WORDS[name]} is published as {text}; counted it is {exact}."


def _reason(known: LiteratureFigure) -> str:
    return known.why or "The reason is not known."
