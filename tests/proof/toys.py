"""Small games of this test's own making: hands of any size, cards shown or not, ties, conditions, and odd rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from houseway.cards import rank_of, suit_of
from houseway.games import options as house
from houseway.games.model import (
    Choice,
    Decide,
    Derived,
    Game,
    Hand,
    RuleLine,
    RuleSection,
    Stake,
    Thumb,
    Wager,
    Zone,
    multiples,
)
from houseway.games.rules import always, even_money, returned_to
from houseway.paytables import Odds, OddsRow, PayTable, Schema
from houseway.ranking.ranking import by_rule
from houseway.rule import Ints, rule


@rule
def pips_of_one(a: int) -> int:
    return rank_of(a)


@rule
def pips_of_two(a: int, b: int) -> int:
    """Pairs high, then the sum; one suit counts one more."""
    same = 1 if suit_of(a) == suit_of(b) else 0
    return (100 if rank_of(a) == rank_of(b) else 0) + 2 * (rank_of(a) + rank_of(b)) + same


@rule
def pips_of_three(a: int, b: int, c: int) -> int:
    return (rank_of(a) + rank_of(b) + rank_of(c)) // 2


@rule
def spades_of_two(a: int, b: int) -> int:
    """A value that tells one suit from the others."""
    return pips_of_two(a, b) + (40 if suit_of(a) == 3 or suit_of(b) == 3 else 0)


PIPS: Final = {1: by_rule(pips_of_one, 1), 2: by_rule(pips_of_two, 2), 3: by_rule(pips_of_three, 3)}
SPADES: Final = by_rule(spades_of_two, 2)


@rule
def won_by(player: int, dealer: int) -> int:
    """1 for a win, 0 for a tie, -1 for a loss."""
    return (player > dealer) - (player < dealer)


@rule
def ante_returned(result: int, ante: int, equal_cards: int) -> int:
    if result > 0:
        return even_money(ante)
    return ante if result == 0 and equal_cards == 0 else 0


@rule
def play_returned(result: int, player: int, dealer: int, play: int, num: Ints, den: Ints) -> int:
    """A win pays by how much it is won by, to four."""
    if result > 0:
        return returned_to(play, min(player - dealer, 4), num, den)
    return play if result == 0 else 0


@rule
def above_twelve(player: int) -> bool:
    return player >= 12


@rule
def even(player: int) -> bool:
    return player % 2 == 0


@rule
def play_two_above(player: int) -> int:
    return 0 if player < 12 else 1 if player < 16 else 2


@rule
def higher_than_shown(player: int, up: int) -> bool:
    return player > up


@rule
def twin_row(a: int, b: int) -> int:
    """Two cards of one rank, told apart by colour."""
    if rank_of(a) != rank_of(b):
        return 0
    red = (suit_of(a) == 1 or suit_of(a) == 2) == (suit_of(b) == 1 or suit_of(b) == 2)
    return 2 if red else 1


@rule
def twin_returned(twin: int, stake: int, num: Ints, den: Ints) -> int:
    return returned_to(stake, twin, num, den)


@rule
def gap_returned(player: int, dealer: int, stake: int) -> int:
    """A wager without a table on two hands set against each other."""
    return 3 * stake if player > dealer + 3 else 0


@rule
def ante_by_first_odds(player: int, dealer: int, ante: int, num: Ints, den: Ints) -> int:
    """A rule that looks at the odds themselves: only a table that pays 7 first makes the dealer's nine a step."""
    if num[0] == 7 and dealer < 9:
        return ante
    return even_money(ante) if player > dealer else 0


HANDS: Final = ("0", "1", "2", "3", "4")
CARD: Final = (RuleSection("The game", (RuleLine("A game for tests.", ("T-1",)),)),)


def table(key: str, wager: str, *odds: int | tuple[int, int], name: str = "T") -> PayTable:
    """A pay table of rows 0, 1, 2, …"""
    pays = [Odds(*pay) if isinstance(pay, tuple) else Odds(pay, 1) for pay in odds]
    rows = tuple(OddsRow(hand, (pay,)) for hand, pay in zip(HANDS, pays, strict=False))
    return PayTable(key, wager, name, (), True, (), "", rows, {}, 0, {}, False, "a test")


def toy(
    own: int = 1,
    dealer: int = 1,
    *,
    shows: bool = False,
    ranking: Any = None,
    ante: Callable[..., int] = ante_returned,
    choices: tuple[Choice, ...] | None = None,
    key: str = "toy",
) -> Game:
    """A game of so many cards each."""
    known = ranking or PIPS[own]
    values: list[Any] = [Hand("player", known, ("hand",)), Hand("dealer", PIPS[dealer], ("dealers",))]
    if shows:
        values.append(Hand("up", PIPS[1], (("dealers", 0),)))
    if own == dealer == 1:
        values.append(Hand("twin", by_rule(twin_row, 2), ("hand", "dealers")))
    values.append(Derived("result", won_by))
    given = choices or (Choice("fold", folds=True), *multiples("play", "ante", 1, 3))
    thumbs = [Thumb("always the first", {"decide": always}), Thumb("by steps", {"decide": play_two_above})]
    if shows:
        thumbs += [Thumb("above the card", {"decide": higher_than_shown}), Thumb("blind", blind_to="dealers")]
    by_odds = ante is ante_by_first_odds
    wagers = [
        Wager("ante", "Ante", "required", ante, hands=HANDS if by_odds else ()),
        Wager("play", "Play", "follows", play_returned, hands=HANDS),
        Wager("gap", "Gap", "optional", gap_returned, needs="ante"),
    ]
    if own == dealer == 1:
        wagers.append(Wager("twin_bet", "Twin", "optional", twin_returned, needs="ante", hands=HANDS))
    schemas = [Schema(key, wager.key, "odds", tuple(reversed(HANDS))) for wager in wagers if wager.hands]
    return Game(
        key=key,
        title="Toy",
        document="a test",
        most_spots=2,
        zones=(Zone("hand", "spot", own), Zone("dealers", "dealer", dealer, shown=(0,) if shows else ())),
        values=tuple(values),
        flow=(Decide("decide", given, sample=always, left=given[0].key),),
        base=("ante", "play"),
        wagers=tuple(wagers),
        outcome="ante",
        families=(key,),
        schemas=tuple(schemas),
        options=(house.choice("equal_cards", ("push", "lose"), "Equal cards.", "T-1"),),
        reconcile=tuple(wager.key for wager in wagers),
        thumbs=tuple(thumbs),
        rule_card=CARD,
    )


ONE_CARD: Final = toy(key="toy-one")
TWO_AGAINST_ONE: Final = toy(2, 1, key="toy-two")
ONE_AGAINST_TWO: Final = toy(1, 2, key="toy-one-two")
SHOWN: Final = toy(2, 2, shows=True, key="toy-shown")
THREE_SHOWN: Final = toy(1, 3, shows=True, key="toy-three")
OF_SPADES: Final = toy(2, 2, ranking=SPADES, key="toy-spades")
CONDITION: Final = toy(
    1,
    2,
    choices=(
        Choice("fold", folds=True),
        Choice("play", stakes=(Stake("play", of="ante"),)),
        Choice("big", stakes=(Stake("play", of="ante", times=5),), when=even),
    ),
    key="toy-condition",
)
BY_ODDS: Final = toy(1, 1, ante=ante_by_first_odds, key="toy-odds")
TOYS: Final = (ONE_CARD, TWO_AGAINST_ONE, ONE_AGAINST_TWO, SHOWN, THREE_SHOWN, OF_SPADES, CONDITION)


def tables_of(game: Game, *odds: int | tuple[int, int]) -> dict[str, PayTable]:
    """Tables for the base game of a toy."""
    return {
        wager.key: table(game.key, wager.key, *(odds or (0, 1, (3, 2), 2, 9)))
        for wager in game.wagers
        if wager.hands and wager.key in game.base
    }
