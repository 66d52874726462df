"""Two small games to break and to interpret: every part of a declaration in as few cards as possible."""

from __future__ import annotations

from typing import Any, Final

from houseway.cards import DECK_53, rank_of
from houseway.games import options as house
from houseway.games.model import (
    Choice,
    Decide,
    Derived,
    Game,
    Hand,
    Highest,
    ProgressiveHand,
    Reveal,
    RuleLine,
    RuleSection,
    Split,
    Stake,
    Thumb,
    Wager,
    Zone,
    multiples,
)
from houseway.games.rules import even_money, prize, returned_to
from houseway.paytables import Schema
from houseway.ranking.ranking import by_rule

RANK: Final = by_rule(rank_of, 1, suits_matter=False)


def sum_of(a: int, b: int) -> int:
    return rank_of(a) + rank_of(b)


def returned(player: int, dealer: int, stake: int) -> int:
    """The higher sum wins 1 to 1; equal ones push."""
    return even_money(stake) if player > dealer else stake if player == dealer else 0


def bonus(player: int, ante: int, num: Any, den: Any) -> int:
    """An award for 20 or more."""
    return prize(ante, 1 if player >= 20 else 0, num, den)


def side_returned(board_card: int, side: int, num: Any, den: Any) -> int:
    return returned_to(side, 1 if board_card == 14 else 0, num, den)


def both(play: int, ante: int) -> int:
    """Gives back what the Play wager is beside the Ante: 0 where the spot made none."""
    return play // ante


def first(hole: int) -> int:
    return 1 if hole >= 8 else 0


def second(player: int) -> int:
    return 1 if player >= 16 else 0


def is_high(hole: int) -> bool:
    return hole >= 10


def two_tens(player: int) -> int:
    return 1 if player == 20 else 0


def difference(player: int, dealer: int) -> int:
    return player - dealer


def never() -> bool:
    return False


SMALL: Final[dict[str, Any]] = {
    "key": "small-game",
    "title": "Small Game",
    "document": "a test",
    "most_spots": 4,
    "zones": (Zone("card", "spot", 1), Zone("dealers", "dealer", 1), Zone("board", "table", 1)),
    "values": (
        Hand("hole", RANK, ("card",)),
        Hand("board_card", RANK, ("board",)),
        Hand("player", by_rule(sum_of, 2, suits_matter=False), ("card", "board")),
        Hand("dealer", by_rule(sum_of, 2, suits_matter=False), ("dealers", "board")),
        Derived("margin", difference),
    ),
    "flow": (
        Decide(
            "before",
            (Choice("check"), Choice("take_back", takes_back="extra"), *multiples("play", "ante", 3, when=is_high)),
            sample=first,
            left="check",
            needs="extra",
        ),
        Reveal("board", (0,), "Turn"),
        Decide(
            "after",
            (Choice("fold", folds=True), *multiples("play", "ante", 1, 2)),
            sample=second,
            left="fold",
            unless=("play",),
        ),
    ),
    "base": ("ante", "play"),
    "wagers": (
        Wager("ante", "Ante", "required", returned),
        Wager("play", "Play", "follows", returned),
        Wager("extra", "Extra", "optional", returned, needs="ante"),
        Wager("bonus", "Bonus", "award", bonus, of="ante", hands=("", "twenty")),
        Wager("side", "Side", "optional", side_returned, needs="ante", hands=("", "ace"), after_fold="keeps_side"),
        Wager("ratio", "Ratio", "optional", both, needs="ante", after_fold="stays"),
        Wager("progressive", "Progressive", "optional", needs="ante"),
    ),
    "outcome": "ante",
    "progressive": ProgressiveHand(two_tens, ("", "twenty")),
    "families": ("small-game",),
    "schemas": (
        Schema("small-game", "bonus", "odds", ("twenty",), award=True),
        Schema("small-game", "side", "odds", ("ace",)),
        Schema("small-game", "progressive", "progressive", ("twenty",)),
    ),
    "options": (house.switch("keeps_side", False, "A folded spot keeps its Side.", "X-1"),),
    "reconcile": ("ante", "play", "extra", "side", "ratio", "progressive"),
    "thumbs": (Thumb("fold below sixteen", {"after": second}),),
    "example_hands": {"Ace": "As"},
    "rule_card": (RuleSection("The game", (RuleLine("The higher sum wins.", ("X-1",)),)),),
}
"""A board, two decisions, a wager that is taken back, an award, a condition, a progressive."""


def merit(high: int, low: int) -> int:
    return high - low


def highest_returned(top: int, stake: int) -> int:
    return even_money(stake) if top >= 20 else 0


def exposed(pair: int) -> bool:
    return pair >= 20


SET: Final[dict[str, Any]] = {
    "key": "set-game",
    "title": "Set Game",
    "document": "a test",
    "most_spots": 4,
    "deck": DECK_53,
    "zones": (Zone("hand", "spot", 2), Zone("dealers", "dealer", 2)),
    "splits": (Split("hand", "high_card", "low_card", merit, ("high", "low")),),
    "values": (
        Hand("pair", by_rule(sum_of, 2), ("hand",)),
        Hand("high", RANK, ("high_card",)),
        Hand("low", RANK, ("low_card",)),
        Hand("dealer", by_rule(sum_of, 2), ("dealers",)),
    ),
    "highest": Highest("top", "pair", "dealer", "counts_folded", exposed),
    "flow": (
        Decide(
            "set",
            (
                Choice("low", sets="player", stakes=(Stake("double", of="base", optional=True, less="for_less"),)),
                Choice("house_way", sets="house_way"),
            ),
            sample=never,
            left="house_way",
        ),
    ),
    "base": ("base", "double"),
    "wagers": (
        Wager("base", "Base", "required", highest_returned),
        Wager("double", "Double", "follows", highest_returned),
    ),
    "hand": "pair",
    "outcome": "base",
    "families": ("set-game",),
    "schemas": (),
    "options": (
        house.switch("for_less", False, "Less is allowed.", "X-2"),
        house.switch("counts_folded", True, "Folded hands count.", "X-2"),
    ),
    "reconcile": ("base", "double"),
    "rule_card": (RuleSection("The game", (RuleLine("The higher sum wins.", ("X-1",)),)),),
}
"""A hand that is set, an optional stake, and the highest hand of the round."""


def small(**changes: Any) -> Game:
    """The game with a board, with some fields changed."""
    return Game(**SMALL | changes)


def set_game(**changes: Any) -> Game:
    """The game with a hand that is set, with some fields changed."""
    return Game(**SET | changes)
