"""Lone Card Hold'em: a card each, two that spot and dealer share, and two decisions (clauses LC)."""

from importlib.resources import files

from houseway.cards import RANK_NAMES, rank_of
from houseway.games.model import (
    Choice,
    Decide,
    Game,
    Hand,
    Reveal,
    RuleLine,
    RuleSection,
    Thumb,
    Wager,
    Zone,
    multiples,
)
from houseway.games.rules import even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking.ranking import by_rule
from houseway.ranking.three_card import CATEGORIES, PAIR, THREE_CARDS, category
from houseway.rule import Ints, rule


@rule
def dealer_plays(dealer: int) -> bool:
    """LC-5: a pair or better."""
    return dealer >= PAIR << 12


@rule
def ante_returned(player: int, dealer: int, ante: int) -> int:
    """LC-5, LC-6: what the Ante of a hand that was not folded gives back."""
    if not dealer_plays(dealer) or player == dealer:
        return ante
    return even_money(ante) if player > dealer else 0


@rule
def play_returned(player: int, dealer: int, play: int) -> int:
    """LC-6: what the Play wager gives back; it loses a tie."""
    return even_money(play) if player > dealer else 0


@rule
def trio_returned(player: int, trio: int, num: Ints, den: Ints) -> int:
    """LC-7: what Trio gives back on the spot's three cards, whatever the dealer holds."""
    return returned_to(trio, category(player), num, den)


@rule
def nine_or_better(hole: int) -> bool:
    """Raise before the board with a nine or better."""
    return hole >= 9


@rule
def ten_high(player: int) -> bool:
    """Fold below ten high."""
    return player >= 10 << 8


GAME = Game(
    key="lone-card-holdem",
    title="Lone Card Hold'em",
    document="examples/games/lone_card_holdem",
    most_spots=6,
    zones=(Zone("card", "spot", 1), Zone("dealers", "dealer", 1), Zone("board", "table", 2)),
    values=(
        Hand("player", THREE_CARDS, ("card", "board")),
        Hand("dealer", THREE_CARDS, ("dealers", "board")),
        Hand("hole", by_rule(rank_of, 1, lambda rank: RANK_NAMES[rank], suits_matter=False), ("card",)),
    ),
    flow=(
        Decide("before", (Choice("check"), *multiples("play", "ante", 2)), sample=nine_or_better, left="check"),
        Reveal("board", (0, 1), "Board"),
        Decide(
            "after",
            (Choice("fold", folds=True), *multiples("play", "ante", 1)),
            sample=ten_high,
            left="fold",
            unless=("play",),
        ),
    ),
    base=("ante", "play"),
    wagers=(
        Wager("ante", "Ante", "required", ante_returned),
        Wager("play", "Play", "follows", play_returned),
        Wager("trio", "Trio", "optional", trio_returned, needs="ante", hands=CATEGORIES, after_fold="stays"),
    ),
    outcome="play",
    qualifies=dealer_plays,
    families=("lone-card-holdem",),
    schemas=(Schema("lone-card-holdem", "trio", "odds", tuple(reversed(CATEGORIES[1:]))),),
    table_files=(files("lone_card_holdem") / "paytables.toml",),
    reconcile=("ante", "play", "trio"),
    thumbs=(Thumb("raise a nine or better, fold below ten high", {"before": nine_or_better, "after": ten_high}),),
    example_hands={"Ace": "As", "Nine": "9d", "Deuce": "2c"},
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("A card for every spot and one for the dealer; two that all share, face down.", ("LC-1",)),
                RuleLine("An Ante is required; Trio may go beside it.", ("LC-2",)),
                RuleLine("A spot looks at its card and checks, or plays for twice its Ante.", ("LC-3",)),
                RuleLine("Both shared cards are turned. A spot that checked folds, or plays for its Ante.", ("LC-4",)),
                RuleLine("The dealer plays with a pair or better; otherwise every Ante comes back.", ("LC-5",)),
                RuleLine("The better three cards win 1 to 1. A tie gives the Ante back and loses Play.", ("LC-6",)),
                RuleLine("Trio wins with a pair or better, also when the spot folds.", ("LC-7",)),
            ),
        ),
    ),
)
