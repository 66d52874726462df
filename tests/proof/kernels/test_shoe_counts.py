"""Shoe by counts against brute force: every order of a short shoe, dealt by the declaration and settled by the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from houseway.cards import NO_CARD, Card, read_cards
from houseway.games import approved_book
from houseway.games.baccarat import GAME as BACCARAT
from houseway.games.casino_war import GAME as WAR
from houseway.games.flow import told
from houseway.games.model import Game
from houseway.games.round import Action, Round, Spot
from houseway.paytables import PayTable
from houseway.proof.distribution import side_wager
from houseway.proof.kernels.shoe_counts import count_shoe_cases, find_kinds, solve_shoe
from houseway.proof.sides import RuleAsked
from houseway.refusal import Refusal

WAR_SHOES = ("2c 2d 2c 3c 3d 9h 9s", "Ac Ac Kc Kd Kc Qh", "5c 5d 5h 5s 6c")
BACCARAT_SHOES = ("Ac 2c 2c 5d 6h 8s 9d", "3c 3c 4d Tc Kd 7h 7h", "4c 5c 6c 4c 5c 6c 7s")


def tables_of(game: Game) -> dict[str, PayTable]:
    book = approved_book()
    found = {key: book.of(game.families, key)[0] for key in game.table_wagers}
    return {key: table for key, table in found.items() if isinstance(table, PayTable)}


def coups(shoe: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Every order of the shoe, dealt as a dealer deals it: third cards come off the top, one after the other."""
    for order in permutations(shoe):
        board = [*order[:4], NO_CARD, NO_CARD]
        out = 4
        for deal in BACCARAT.later_deals:
            assert deal.when is not None
            if told(BACCARAT, deal.when, (), (), board):
                board[deal.to[0][1]] = order[out]
                out += 1
        yield tuple(board)


@pytest.mark.parametrize("text", BACCARAT_SHOES)
def test_every_wager_of_baccarat_comes_to_what_every_order_of_a_short_shoe_does(text: str) -> None:
    shoe = read_cards(text)
    tables = tables_of(BACCARAT)
    for version in ("commission", "ez"):
        options = {**BACCARAT.defaults, "version": version}
        nets: dict[str, Counter[int]] = {wager.key: Counter() for wager in BACCARAT.wagers}
        for board, times in Counter(coups(shoe)).items():
            spot = Spot(1, (), {wager.key: 20 for wager in BACCARAT.wagers})
            settled = BACCARAT.settle(Round((), (spot,), tables, options, board)).spots[0]
            for key, result in settled.wagers.items():
                nets[key][result.returned - 20] += times
        for wager in BACCARAT.wagers:
            assert wager.pays is not None
            odds: Any = tables[wager.table_key].schedule(wager.hands) if wager.hands else ((), ())
            cases = count_shoe_cases(BACCARAT, wager.pays, options, shoe)
            asked = RuleAsked(BACCARAT, wager.pays, options)
            counted = side_wager(cases, lambda case, stake, asked=asked, odds=odds: asked(case, stake, odds), (20,))
            total = sum(nets[wager.key].values())
            assert counted.probabilities() == {
                Fraction(net, 20): Fraction(ways, total) for net, ways in sorted(nets[wager.key].items())
            }, wager.key


def war_deals(shoe: Sequence[Card]) -> Counter[tuple[Card, ...]]:
    """First card, the dealer's, and the two of a war; the burned cards are whatever comes between."""
    return Counter(order[:4] for order in permutations(shoe))


def war_net(deal: tuple[Card, ...], action: str, options: dict[str, Any]) -> int:
    own, dealer, war_own, war_dealer = deal
    went = action == "war"
    actions = (Action(action),) if own % 13 == dealer % 13 else ()
    cards = (own, war_own if actions and went else NO_CARD), (dealer, war_dealer if actions and went else NO_CARD)
    settled = WAR.settle(Round(cards[1], (Spot(1, cards[0], {"bet": 2}, actions),), {}, options)).spots[0]
    return sum(result.returned - result.wagered for result in settled.wagers.values())


@pytest.mark.parametrize("text", WAR_SHOES)
@pytest.mark.parametrize("bonus", [False, True])
def test_casino_war_comes_to_what_every_order_of_a_short_shoe_does(text: str, bonus: bool) -> None:
    shoe = read_cards(text)
    options = {**WAR.defaults, "war_tie_bonus": bonus}
    solution = solve_shoe(WAR, {}, {"war_tie_bonus": bonus}, shoe)
    deals = war_deals(shoe)
    worth: dict[int, Counter[str]] = {}
    ways: Counter[int] = Counter()
    for deal, times in deals.items():
        if deal[0] % 13 == deal[1] % 13:
            ways[deal[0] % 13] += times
            for action in ("surrender", "war"):
                worth.setdefault(deal[0] % 13, Counter())[action] += times * war_net(deal, action, options)
    for rank, sums in worth.items():
        cards = [card for card in shoe if card % 13 == rank]
        advised = dict(solution.advise([cards[0]], [cards[1]]))
        assert advised == {action: Fraction(total, 2 * ways[rank]) for action, total in sums.items()}
    best = {rank: "war" if sums["war"] > sums["surrender"] else "surrender" for rank, sums in worth.items()}
    nets: Counter[int] = Counter()
    for deal, times in deals.items():
        nets[war_net(deal, best.get(deal[0] % 13, "war"), options)] += times
    total = sum(nets.values())
    assert solution.best.distribution.probabilities() == {
        Fraction(net, 2): Fraction(times, total) for net, times in sorted(nets.items())
    }


def test_kinds_are_found_and_not_claimed() -> None:
    hands = [value for value in BACCARAT.values if hasattr(value, "ranking")]
    kinds = find_kinds(BACCARAT, hands)
    assert [sorted(kind.ranks) for kind in kinds if len(kind.ranks) > 1] == [[10, 11, 12, 13]]
    assert len(kinds) == 10
    assert len(find_kinds(WAR, [value for value in WAR.values if hasattr(value, "ranking")])) == 13


@pytest.mark.clause("CW-9")
def test_the_published_edge_of_surrendering_is_that_of_the_rule_of_thumb() -> None:
    solution = solve_shoe(WAR, {}, {})
    edges = {thumb.words: float(solution.edge(solution.by_thumb(thumb))) for thumb in WAR.thumbs}
    assert {words: round(100 * edge, 2) for words, edge in edges.items()} == {
        "go to war on every tie": 2.88,
        "surrender every tie": 3.70,
    }


def test_cards_that_make_no_decision_are_refused() -> None:
    with pytest.raises(Refusal, match="no decision"):
        solve_shoe(WAR, {}, {}).advise(read_cards("7h"), read_cards("8h"))


def test_a_shoe_that_is_too_short_is_refused() -> None:
    with pytest.raises(Refusal, match="too few"):
        solve_shoe(WAR, {}, {}, read_cards("7h 7d 7c"))
