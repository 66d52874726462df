"""The one solver against those that were written for a game each: every choice and every deal of the whole deck."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from tests.proof.second_opinions import caribbean_stud, straight_edge, three_card_poker

from houseway.cards import Card
from houseway.games import all_games
from houseway.proof.bench import base_tables
from houseway.proof.solver import solve

STUD, THREE = all_games()["caribbean-stud"], all_games()["three-card-poker"]


def test_caribbean_stud() -> None:
    """Every class of hands against every up card."""
    tables = base_tables(STUD)
    ours, theirs = solve(STUD, tables), caribbean_stud.solve(tables["bet"])
    table = ours.points["decide"]
    rows = np.searchsorted(table.keys, (np.int64(1) << theirs.cards.astype(np.int64)).sum(axis=1))
    assert np.array_equal(table.possible[rows], theirs.possible)
    assert np.array_equal(
        np.where(theirs.possible, table.worth[rows, 1], 0), np.where(theirs.possible, theirs.worth, 0)
    )
    assert np.array_equal(table.possible[rows] & (table.best[rows] == 1), theirs.best)
    assert ours.best.distribution == theirs.play(theirs.best).distribution
    assert {thumb.words: ours.edge(ours.by_thumb(thumb)) for thumb in STUD.thumbs} == {
        words: theirs.play(rule(theirs)).distribution.house_edge
        for words, rule in caribbean_stud.RULES_OF_THUMB.items()
    }


@pytest.mark.parametrize("equal", ["push", "lose"])
def test_three_card_poker(equal: str) -> None:
    tables = base_tables(THREE)
    ours = solve(THREE, tables, {"equal_hands": equal})
    theirs = three_card_poker.base_game(tables["ante_bonus"], equal)
    assert ours.best.distribution == theirs.distribution
    for hand in theirs.classes:
        assert dict(ours.advise([Card(card) for card in hand.cards]))["play"] == hand.play


@pytest.mark.parametrize(("version", "options"), [(1, {}), (2, {}), (2, {"blind_on_margin_zero": "lose"})])
def test_straight_edge(version: Literal[1, 2], options: dict[str, Any]) -> None:
    game = all_games()[f"straight-edge-{version}"]
    tables = base_tables(game)
    ours = solve(game, tables, options)
    theirs = straight_edge.base_game(version, tables[game.base_table], **options)
    table = ours.points["decide"]
    rows = np.searchsorted(table.keys, (theirs.held << 4 * np.arange(13)).sum(axis=1))
    assert np.array_equal(table.ways[rows], theirs.ways)
    assert np.array_equal(table.worth[rows, 1, 0] - table.worth[rows, 0, 0], theirs.gain)
    assert ours.best.distribution == theirs.distribution
