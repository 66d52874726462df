"""What a par sheet says in sentences: how each wager was counted, what the words mean, and what print says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import Any, Final

from houseway.games import Game
from houseway.proof.figure import BASE, Counted, Figure
from houseway.proof.par.spread import COCHRAN, LEVELS, VOLATILITY_LEVEL
from houseway.proof.strategy import unit_words

ROYAL_THREES: Final = {"akq_spades": "A-K-Q of spades", "akq_other_suit": "A-K-Q of another suit"}


def counted_how(game: Game, wager: str, counted: Counted) -> str:
    """How one wager was counted, in a sentence or two."""
    if counted.distribution is None and not counted.rows:
        return (
            "The highest of several hands: partial sums of inclusion and exclusion over the hands hold every chance "
            "between two exact bounds. A simulation stands beside them as a second witness and enters no figure."
        )
    total = counted.distribution.total if counted.distribution else counted.total
    deck = f"a deck of {len(game.deck)}"
    if wager == BASE:
        return f"{game.method or 'Every case was counted.'} {_cases(total)}."
    both = game.player_cards + game.dealer_cards
    sets = {
        game.player_cards: f"every hand of {game.player_cards} cards from {deck}",
        both: f"every set of {both} cards that player and dealer hold together from {deck}",
    }
    for cards, words in sets.items():
        if total == comb(len(game.deck), cards):
            return f"{_capital(words)} was counted once. {_cases(total)}."
    dealt = comb(len(game.deck), game.player_cards)
    if total == dealt * comb(len(game.deck) - game.player_cards, game.dealer_cards):
        return f"Every hand of the player was counted with every hand the dealer can then hold. {_cases(total)}."
    return f"Every way to deal the hands that the wager looks at was counted. {_cases(total)}."


def _cases(total: int) -> str:
    return f"{total:,} equally likely cases"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def hand(key: str) -> str:
    """A row key for people."""
    return ROYAL_THREES.get(key, key.replace("_", " "))


def unit_of(game: Game, wager: str) -> str:
    """What a figure is a share of."""
    if wager != BASE:
        return "the wager"
    return f"the {unit_words(game)}"


def remarks(figure: Figure) -> list[str]:
    """What there is to say of the printed figures, each a sentence or more."""
    notes = [f"{_capital(note)}." for note in figure.notes]
    return [*([figure.why] if figure.why else []), *notes]


def method(wagers: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The words of the sheet explained: of every kind of figure that it has."""
    return [{"word": word, "means": means} for word, means in _method(wagers)]


def _method(wagers: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    yield (
        "Count",
        "Every case that the cards allow is counted, in whole numbers; nothing is sampled and nothing rounded before "
        "the last step. Hands that differ only in the names of suits are counted once, with their number. Every case "
        "is settled by the very functions that pay at the table.",
    )
    yield (
        "House edge",
        "The expected loss of the player per unit of the wager. Of a base game per unit of the Ante or base wager, the "
        "wagers that follow from it included, under the decisions named with it.",
    )
    if any(wager["figures"].get("element_of_risk") for wager in wagers):
        yield "Element of risk", "The expected loss per unit of everything wagered on average."
    yield (
        "Hit frequency",
        "How often the wager returns anything as a win; of a base game how often the round ends ahead.",
    )
    yield "Standard deviation", "The root of the variance of the result of one round, the wager being 1."
    yield (
        "Volatility index",
        f"{LEVELS[VOLATILITY_LEVEL]} standard deviations: divided by the root of a number of rounds it is how far the "
        f"house's win per unit wagered strays from its mean in {VOLATILITY_LEVEL} of all such runs.",
    )
    levels = ", ".join(f"{level} with {by}" for level, by in LEVELS.items())
    yield (
        "Confidence table",
        "Between which bounds the house's win per unit wagered lies after so many rounds of one wager each: the mean "
        f"and so many standard deviations divided by the root of the rounds to either side ({levels}). This takes the "
        "sum for normal. A cell in grey is below "
        f"{COCHRAN} times the squared skewness, Cochran's rule, where rare high awards make that approximation poor. "
        "The last column is the chance that the house is behind.",
    )
    if any(wager["progressive"] for wager in wagers):
        yield (
            "Progressive",
            "House edge = 1 less returns from the tray, less the contribution to meters and reserve, less the seed "
            "cost, less envy. Seed cost is seed times the chance of the 100% award, per unit wagered. Money on a meter "
            "is the players' and comes back in the end, so the contribution is a return, however it is shared between "
            "percentages and fixed awards from the meter. The house's result of one wager is what it keeps after the "
            "contribution, less tray awards, seeds and envy.",
        )
        yield (
            "Break-even meter",
            "The meter at which awards and envy come to the wager, contributions not counted. The player's edge is a "
            "straight line in the meter through that point.",
        )
        yield (
            "Mean top award",
            "The meter at which contribution and seed cost balance what awards take off it on average, one wager at a "
            "time and before rounding down to the cent. It holds while the meter never runs dry.",
        )
    if any(wager["figures"]["method"] == "bounds" for wager in wagers):
        yield (
            "Bounds",
            "Two exact numbers that hold the truth between them, for Cover All of four hands and more. Where one "
            "number is shown it is their middle.",
        )
    yield (
        "Printed figures",
        "A printed percentage is reproduced when our exact count, rounded half up to the printed digits, is that "
        "percentage. No count is bent towards print, and a reason for a difference is given only where a count or the "
        "document itself confirms it. Contribution rates are not printed: one that is marked inferred is the whole "
        "percent that reproduces the printed edge, and so no confirmation of it.",
    )
