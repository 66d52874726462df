"""One solver for every game: its kernels against brute force, planted errors, ties, symmetries, and counts kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.proof import toys

from houseway.cards import DECK_52, Card, read_cards
from houseway.games import all_games, approved_book, find_game
from houseway.games.model import Game
from houseway.paytables import Odds, OddsRow, PayTable
from houseway.proof import compiled, keep, leaves, solver
from houseway.proof.bench import base_tables
from houseway.proof.cardsets import alike_suits, every_set, values_of_sets, verified_suits
from houseway.proof.kernels import by_ranks, sweep
from houseway.proof.kernels.brute import solve_brute
from houseway.proof.leaves import DealerSolution, StepsDifferError, leaves_of_hand
from houseway.proof.solution import PlayResult, Solution
from houseway.proof.solver import BY_RANKS, SPECIAL, SWEEP, choose_kernel, solve
from houseway.refusal import Refusal

Cards = tuple[Card, ...]


THREE, STUD = all_games()["three-card-poker"], all_games()["caribbean-stud"]
EDGES = (all_games()["straight-edge-1"], all_games()["straight-edge-2"])
unhurried = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
few = settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves of these tests are kept nowhere; what was compiled is."""
    monkeypatch.setattr(keep, "cache_root", lambda: None)
    keep.forget()


def short_decks(least: int, most: int) -> Any:
    """Decks of so many cards: any, and such as have suits that can be renamed."""
    anything = st.lists(st.integers(0, 51), min_size=least, max_size=most, unique=True)
    ranks = st.lists(st.integers(0, 12), min_size=3, max_size=3, unique=True)
    alike = st.builds(
        lambda ranks, rest: list(dict.fromkeys([*(13 * suit + rank for suit in range(4) for rank in ranks), *rest]))[
            :most
        ],
        ranks,
        anything,
    )
    return st.one_of(anything, alike).filter(lambda deck: len(deck) >= least).map(lambda deck: tuple(map(Card, deck)))


def hold_plays(ours: PlayResult, brute: PlayResult) -> None:
    assert ours.distribution.probabilities() == brute.distribution.probabilities()
    assert ours.distribution.unit == brute.distribution.unit
    assert ours.distribution.hit_frequency == brute.distribution.hit_frequency
    assert ours.distribution.wagered == brute.distribution.wagered
    assert ours.frequencies == brute.frequencies
    assert ours.follow_frequency == brute.follow_frequency


def hold_against(ours: Solution, brute: Solution) -> None:
    """Every choice is worth the same with everything that may be seen, and play comes to the same."""
    assert ours.points.keys() == brute.points.keys()
    for node, table in brute.points.items():
        for row, column in np.argwhere(table.possible).tolist():
            cards = [Card(card) for card in table.hands[row].tolist()]
            seen = [brute.deck[column]] if table.possible.shape[1] > 1 else []
            worth = table.fractions(row, column)
            known = {
                choice.key: worth[place] for place, choice in enumerate(table.point.choices) if table.open[row, place]
            }
            advice = ours.advise(cards, seen, (), node)
            assert dict(advice) == known
            assert advice[0][0] == table.point.choices[table.best[row, column]].key
            ours_row, ours_column = ours.row_of(node, cards, seen, ())
            assert ours.points[node].best[ours_row, ours_column] == table.best[row, column]
            assert ours.points[node].best_larger[ours_row, ours_column] == table.best_larger[row, column]
    hold_plays(ours.play(), brute.play())
    hold_plays(ours.play(ours.larger), brute.play(brute.larger))
    for thumb in ours.game.thumbs:
        played = ours.play(ours.by_thumb(thumb))
        hold_plays(played, brute.play(brute.by_thumb(thumb)))
        assert ours.edge(ours.by_thumb(thumb)) == played.distribution.house_edge


def both(game: Game, tables: Any, deck: Sequence[Card], options: Any = None) -> tuple[Any, Any]:
    return solve(game, tables, options or {}, deck=deck), solve_brute(game, tables, options or {}, deck)


# ------------------------------------------------------------------------------------------------ against brute force


@unhurried
@given(st.sampled_from(toys.TOYS), short_decks(7, 9), st.sampled_from(["push", "lose"]))
def test_small_games_of_every_shape_equal_brute_force(game: Game, deck: Cards, equal: str) -> None:
    assert choose_kernel(game, deck).kernel == SWEEP
    hold_against(*both(game, toys.tables_of(game), deck, {"equal_cards": equal}))


@few
@given(short_decks(8, 9), st.sampled_from(["push", "lose"]), st.integers(0, 2))
def test_three_card_poker_equals_brute_force(deck: Cards, equal: str, number: int) -> None:
    table = approved_book().of(THREE.families, "ante_bonus")[number]
    hold_against(*both(THREE, {"ante_bonus": table}, deck, {"equal_hands": equal}))


@few
@given(short_decks(10, 10))
def test_caribbean_stud_equals_brute_force(deck: Cards) -> None:
    hold_against(*both(STUD, base_tables(STUD), deck))


@few
@given(st.sampled_from(EDGES), st.lists(st.integers(0, 51), min_size=15, max_size=15, unique=True), st.data())
def test_straight_edge_equals_brute_force(game: Game, cards: list[int], data: Any) -> None:
    deck = tuple(map(Card, cards))
    options = {"blind_on_margin_zero": data.draw(st.sampled_from(["push", "one_to_one", "lose"]))}
    given_options = options if "blind_on_margin_zero" in game.defaults else {}
    assert choose_kernel(game, tuple(sorted(deck))).kernel == BY_RANKS
    short = deck if game.dealer_cards == 8 else deck[:14]
    ours, brute = both(game, base_tables(game), short, given_options)
    for row in range(0, len(brute.points["decide"].hands), 97):
        cards_held = [Card(card) for card in brute.points["decide"].hands[row].tolist()]
        assert ours.advise(cards_held) == brute.advise(cards_held)
    hold_plays(ours.play(), brute.play())


def test_a_joker_is_swept_like_any_card() -> None:
    game = toys.TWO_AGAINST_ONE
    deck = (*read_cards("2c 2d 9c 9d Kc Kd Kh"), Card(52))
    hold_against(*both(game, toys.tables_of(game), deck))


# ------------------------------------------------------------------------------------------------ planted errors


PLANTED_DECK = read_cards("2c 5c 9c Kc 2d 5d 9d Kd 7h")


def test_a_sweep_that_forgets_to_exclude_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel counts one hand too many below a step of one class."""
    true = sweep._count_below

    def wrong(*given: Any) -> Any:
        entered = true(*given)
        below, which, step = given[11], given[10], given[9]
        below[step[-1], which[-1], 0] += 1
        return entered

    monkeypatch.setattr(sweep, "_count_below", wrong)
    game = toys.SHOWN
    with pytest.raises((AssertionError, ArithmeticError)):
        hold_against(*both(game, toys.tables_of(game), PLANTED_DECK))


def test_a_count_by_ranks_that_misses_a_half_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    true = by_ranks._joined
    monkeypatch.setattr(by_ranks, "_joined", lambda lower, *rest: true(lower[:, :, ::-1], *rest))
    with pytest.raises((AssertionError, ArithmeticError)):
        both(EDGES[1], base_tables(EDGES[1]), DECK_52[:15])


def test_a_wrong_price_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    true = DealerSolution._alive
    monkeypatch.setattr(DealerSolution, "_alive", lambda self, course: true(self, course)[:1])
    game = toys.ONE_CARD
    with pytest.raises(AssertionError):
        hold_against(*both(game, toys.tables_of(game), PLANTED_DECK))


def test_weights_that_do_not_sum_to_the_deals_are_refused() -> None:
    game = toys.ONE_CARD
    found = solve(game, toys.tables_of(game), deck=PLANTED_DECK).leaves  # type: ignore[attr-defined]
    found.check()
    ways = found.ways.copy()
    ways[0] += 1
    with pytest.raises(ArithmeticError, match="hands where"):
        replace(found, ways=ways).check()
    counts = found.counts.copy()
    counts[0, 0, 0] += 1
    with pytest.raises(ArithmeticError, match="do not sum"):
        replace(found, counts=counts).check()


# ------------------------------------------------------------------------------------------------ symmetries


def test_suits_are_renamed_only_where_no_value_changes() -> None:
    deck = tuple(sorted(Card(13 * suit + rank) for suit in range(4) for rank in (1, 5, 9)))
    sets = every_set(deck, 2)
    assert alike_suits(deck) == [[0, 1, 2, 3]]
    assert verified_suits(deck, [(sets, values_of_sets(toys.PIPS[2], deck, 2))]) == [[0, 1, 2, 3]]
    assert verified_suits(deck, [(sets, values_of_sets(toys.SPADES, deck, 2))]) == [[0, 1, 2], [3]]
    solution = solve(toys.OF_SPADES, toys.tables_of(toys.OF_SPADES), deck=deck)
    assert solution.leaves.suits == ((0, 1, 2), (3,))  # type: ignore[attr-defined]


def test_a_false_claim_that_suits_do_not_matter_is_found() -> None:
    """A ranking that says suits do not matter, and lies."""
    game = EDGES[0]
    hand = game.value_of("player")
    assert hand is not None
    lying = replace(hand.ranking, value=lambda *cards: sum(cards))  # type: ignore[union-attr]
    from houseway.proof.fits import holds_by_rank

    assert holds_by_rank(hand, DECK_52, 7)  # type: ignore[arg-type]
    assert not holds_by_rank(replace(hand, ranking=lying), DECK_52, 7)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ once counted


def house_bonus(*odds: tuple[int, int]) -> PayTable:
    rows = tuple(
        OddsRow(hand, (Odds(*pay),))
        for hand, pay in zip(("straight_flush", "three_of_a_kind", "straight"), odds, strict=True)
    )
    return PayTable(THREE.key, "ante_bonus", "H", (), True, (), "", rows, {}, 0, {}, False, "a test")


def test_another_pay_table_is_priced_and_nothing_is_counted_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(keep, "cache_root", lambda: tmp_path)
    runs = []
    true = sweep.count_leaves

    def counted(*given: Any, **named: Any) -> Any:
        runs.append(given[0].key)
        return true(*given, **named)

    monkeypatch.setattr(sweep, "count_leaves", counted)
    tables = [*approved_book().of(THREE.families, "ante_bonus"), house_bonus((7, 2), (4, 3), (1, 1))]
    edges = {solve(THREE, {"ante_bonus": table}).best.distribution.house_edge for table in tables}
    assert len(edges) == 4
    assert runs == [THREE.key]
    keep.forget()
    again = solve(THREE, {"ante_bonus": tables[0]})
    assert again.best.distribution.house_edge == Fraction(686689, 20358520)
    assert runs == [THREE.key]
    solve(THREE, {"ante_bonus": tables[0]}, {"equal_hands": "lose"})
    assert len(runs) == 2
    solve(THREE, {"ante_bonus": tables[0]}, fresh=True)
    assert len(runs) == 3


def test_a_table_that_makes_a_step_of_its_own_is_counted_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule changes with the odds themselves: what was counted does not do, and that is noticed."""
    game, deck = toys.BY_ODDS, read_cards("2c 5c 8c 9c Kc 2d 8d 9d Kd 7h")
    usual, odd = toys.tables_of(game, 5, 1, 1, 2, 9), toys.tables_of(game, 7, 1, 1, 2, 9)
    first = solve(game, usual, deck=deck)
    with pytest.raises(StepsDifferError):
        DealerSolution(game, odd, {}, first.leaves).price()  # type: ignore[attr-defined]
    hold_against(*both(game, odd, deck))
    hold_against(*both(game, usual, deck))


def test_advice_on_one_hand_is_the_same_from_kept_leaves_and_alone() -> None:
    for game, cards, seen in (
        (THREE, "Qc 6d 4h", ""), (STUD, "Ac Kd Qh 4s 3d", "4c"), (EDGES[0], "Kc Qd 9h 7s 5c 3d 2h", ""),
    ):  # fmt: skip
        deck = tuple(sorted(game.deck))
        tables = base_tables(game)
        up = read_cards(seen) if seen else ()
        alone = leaves_of_hand(game, deck, read_cards(cards), up)
        assert alone is not None
        advice = DealerSolution(game, tables, {}, alone).advise(read_cards(cards), up)
        assert advice == solve(game, tables).advise(read_cards(cards), up)
        assert {key for key, _ in advice} == {"play", "fold"}


# ------------------------------------------------------------------------------------------------ what it says


def test_kernels_are_chosen_by_shape() -> None:
    assert {key: choose_kernel(game).kernel for key, game in all_games().items() if key in
            ("caribbean-stud", "three-card-poker", "straight-edge-1", "straight-edge-2", "six-card-pai-gow")} == {
        "caribbean-stud": SWEEP,
        "three-card-poker": SWEEP,
        "straight-edge-1": BY_RANKS,
        "straight-edge-2": BY_RANKS,
        "six-card-pai-gow": SPECIAL,
    }  # fmt: skip


def test_what_no_kernel_can_do_is_refused_by_name() -> None:
    game = find_game("six-card-pai-gow")
    assert game is not None
    with pytest.raises(Refusal, match="solver of its own"):
        solve(game, {})
    chosen = solver.Chosen("", {SWEEP: "the dealer shows more than one card"})
    assert "sweep: the dealer shows more than one card" in solver.refusal_words(THREE, chosen)


def test_equal_choices_are_said_and_both_tie_rules_are_there() -> None:
    """One card each of two ranks that are all alike: to play or not is worth the same."""
    game = toys.ONE_CARD
    tables = toys.tables_of(game, 0, 0, 0, 0, 0)
    solution = solve(game, tables, {"equal_cards": "push"}, deck=read_cards("9c 9d 9h 9s"))
    assert solution.has_ties
    table = solution.points["decide"]
    assert set(table.best.ravel().tolist()) == {1}
    assert set(table.best_larger.ravel().tolist()) == {2}
    small, large = solution.play(), solution.play(solution.larger)
    assert small.distribution.house_edge == large.distribution.house_edge == 0
    assert (small.distribution.wagered, large.distribution.wagered) == (2, 4)


def test_progress_is_told() -> None:
    told: dict[str, float] = {}
    solve(THREE, base_tables(THREE), progress=lambda what, done: told.update({what: done}), fresh=True)
    assert set(told.values()) == {1.0}
    assert THREE.title in told


def test_a_rule_with_more_steps_than_the_solver_follows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaves, "MOST_STEPS", 2)
    monkeypatch.setattr(leaves, "FEW_STEPS", 2)
    with pytest.raises(Refusal, match="changes"):
        solve(THREE, base_tables(THREE), fresh=True)


def test_the_compile_cache_is_that_of_all_sources() -> None:
    folder = compiled.cache_folder()
    assert folder is None or folder.name == compiled.rules_digest()
