"""The four games with a shared board, their pay tables by name, and a small one: to test the board kernels with."""

from __future__ import annotations

from typing import Final

from houseway.games import approved_book, let_it_ride, mississippi_stud, texas_holdem_bonus, ultimate_texas_holdem
from houseway.games.model import Choice, Decide, Game, Hand, Reveal, RuleLine, RuleSection, Stake, Wager, Zone
from houseway.games.rules import always, even_money
from houseway.paytables import PayTable
from houseway.ranking.ranking import by_rule
from houseway.rule import rule

MISSISSIPPI_STUD: Final = mississippi_stud.GAME
LET_IT_RIDE: Final = let_it_ride.GAME
ULTIMATE_TEXAS_HOLDEM: Final = ultimate_texas_holdem.GAME
TEXAS_HOLDEM_BONUS: Final = texas_holdem_bonus.GAME
GAMES: Final = (MISSISSIPPI_STUD, LET_IT_RIDE, ULTIMATE_TEXAS_HOLDEM, TEXAS_HOLDEM_BONUS)


def pay_tables(game: Game, **names: str) -> dict[str, PayTable]:
    """Tables by wager: those named, the first of its kind for every other wager of the game."""
    tables: dict[str, PayTable] = {}
    for key in game.table_wagers:
        known = [table for table in approved_book().of((game.key,), key) if table.id == names.get(key, table.id)]
        if known and isinstance(known[0], PayTable):
            tables[key] = known[0]
    return tables


# ------------------------------------------------------------------------------------------------ one card each


@rule
def sum_of_ranks(a: int, b: int, c: int) -> int:
    """The ranks of a card and two of the board added up: many hands are equal."""
    return a % 13 + b % 13 + c % 13


@rule
def dealer_over_ten(theirs: int) -> bool:
    return theirs >= 10


@rule
def lead_returned(ours: int, theirs: int, lead: int) -> int:
    """Pushes against a low hand, loses a tie against a high one: two cuts beside the comparison."""
    if not dealer_over_ten(theirs):
        return lead
    return even_money(lead) if ours > theirs else 0


@rule
def raise_returned(ours: int, theirs: int, stake: int) -> int:
    """Three to one against the highest hands."""
    if ours == theirs:
        return stake
    if ours < theirs:
        return 0
    return 4 * stake if theirs >= 20 else 2 * stake


SUMS = by_rule(sum_of_ranks, 3)
ONE_CARD = Game(
    key="one-card",
    title="One Card",
    document="made up",
    most_spots=3,
    zones=(Zone("card", "spot", 1), Zone("dealers", "dealer", 1), Zone("board", "table", 2)),
    values=(Hand("ours", SUMS, ("card", "board")), Hand("theirs", SUMS, ("dealers", "board"))),
    flow=(
        Decide("before", (Choice("fold", folds=True), Choice("stay")), always, left="fold"),
        Reveal("board", (0,)),
        Decide(
            "middle", (Choice("check"), Choice("raise", stakes=(Stake("more", of="lead", times=2),))), always, "check"
        ),
        Reveal("board", (1,)),
        Decide("end", (Choice("fold", folds=True), Choice("call", stakes=(Stake("last", of="lead"),))), always, "fold"),
    ),
    base=("lead", "more", "last"),
    wagers=(
        Wager("lead", "Lead", "required", lead_returned),
        Wager("more", "More", "follows", raise_returned),
        Wager("last", "Last", "follows", raise_returned),
    ),
    hand="ours",
    dealer_hand="theirs",
    outcome="lead",
    families=("one-card",),
    schemas=(),
    reconcile=("lead", "more", "last"),
    rule_card=(RuleSection("The game", (RuleLine("One card each and two that everybody shares.", ("OC-1",)),)),),
)
