"""Links across games, clause by clause: FV. (Which five cards a game brings, FV-1, is in its own tests too.)"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.clauses.test_floor_file_clauses import accepted, link, read, table
from tests.table.table_kit import Room

from houseway.cards import parse_cards
from houseway.games import all_games, approved_book
from houseway.games.flow import BOARD
from houseway.games.settle import values_for
from houseway.paytables import ProgressiveTable
from houseway.proof.collect import Question, count
from houseway.rule import arguments_of
from houseway.table.progressive_round.events import EnvyPaid

JOINED = (
    *("caribbean-stud", "crazy-four-poker", "four-card-poker", "mississippi-stud", "let-it-ride"),
    "ultimate-texas-holdem",
)
RATE = '{ contribution = "5%", reserve = "1%", seed = "1,000.00" }'
LEVELS = f"meters.mega = {RATE}\nmeters.major = {RATE}\nmeters.minor = {RATE}"
ROYAL = {"caribbean-stud": ("As Ks Qs Js Ts", ""), "crazy-four-poker": ("As Ks Qs Js Ts", ""),
         "four-card-poker": ("As Ks Qs Js Ts", ""), "mississippi-stud": ("As Ks", "Qs Js Ts"),
         "let-it-ride": ("As Ks Qs", "Js Ts"), "ultimate-texas-holdem": ("As Ks", "Qs Js Ts 2c 2d")}  # fmt: skip


@pytest.mark.clause("FV-1")
@pytest.mark.parametrize("key", JOINED)
def test_the_five_cards_are_those_that_come_first(key: str) -> None:
    game = all_games()[key]
    assert game.progressive is not None
    cards, board = (parse_cards(text, len(text.split())) if text else () for text in ROYAL[key])
    row = game.progressive.row
    given = values_for(game, arguments_of(row), cards, (), board)
    assert game.progressive.hands[row(*[given[name] for name in arguments_of(row)])] == "royal_flush"


@pytest.mark.clause("FV-2")
def test_the_chances_are_counted_from_the_declarations_and_equal() -> None:
    chances = []
    for key in JOINED:
        game = all_games()[key]
        pay_table = approved_book().find(game.families, "progressive", "ML03")
        assert isinstance(pay_table, ProgressiveTable)
        counted = count([Question(game, "progressive", "ML03", pay_table)])[0]
        chances.append({row.hand: counted.rows[row.hand] / counted.total for row in pay_table.rows})
    assert all(one == chances[0] for one in chances)
    assert chances[0]["royal_flush"] == 4 / 2_598_960


@pytest.mark.clause("FV-2", "FL-16")
def test_six_games_share_mega_major_and_minor() -> None:
    names = "ABCDEF"
    tables = [table(name, key) for name, key in zip(names, JOINED, strict=True)]
    for pay_table, meters in (("ML03", LEVELS), ("01", 'meters.main = { contribution = "10%", seed = "10,000.00" }')):
        (joined,) = accepted(*tables, link(" ".join(names), pay_table, meters=meters))
        assert joined.tables == tuple(names)


@pytest.mark.clause("FV-2", "FL-16")
def test_a_three_card_game_is_refused_with_both_chances_shown() -> None:
    defects = read(table("A", "let-it-ride"), table("B", "three-card-poker"), link("A B", "01")).defects
    assert any(
        "row royal_flush: let-it-ride 4 of 2,598,960 cases (0.000154%), three-card-poker never" in defect.what
        for defect in defects
    )


@pytest.mark.clause("FV-2", "FL-16")
def test_dj_wild_is_refused_among_the_six_with_both_chances_shown() -> None:
    """One sentence, however many games win alike; the royal flushes of 53 cards with five wild ones are counted."""
    names = "ABCDEFG"
    tables = [table(name, key) for name, key in zip(names, (*JOINED, "dj-wild"), strict=True)]
    defects = read(*tables, link(" ".join(names), "ML03", meters=LEVELS)).defects
    assert [str(defect) for defect in defects] == [
        "link L: table G plays dj-wild, which has no progressive wager",
        "link L: caribbean-stud and dj-wild may share a link only where the winning hand and its probability are the "
        "same (FL-16); row royal_flush: caribbean-stud 4 of 2,598,960 cases (0.000154%), dj-wild 1,004 of 2,869,685 "
        "cases (0.034986%)",
    ]


@pytest.mark.clause("FV-2")
def test_a_table_of_caribbean_stud_stays_there() -> None:
    defects = read(table("A", "caribbean-stud"), table("B", "let-it-ride"), link("A B", "CSTUD-15")).defects
    assert any("CSTUD-15" in defect.what and "let-it-ride" in defect.what for defect in defects)


@pytest.mark.clause("FV-4")
def test_envy_is_won_from_spots_of_the_same_table_alone(tmp_path: Path) -> None:
    room = Room(tmp_path, "mississippi-stud", progressive="01", tables=2, spots=3)
    wager = room.config.links[0].terms.wager_cents
    for name in ("T1", "T2"):
        room.bets({spot: {"ante": 500, "progressive": wager} for spot in (1, 2)}, table=name)
        room.call(table=name)
    room.cards({1: "As Ks", 2: "7c 2d", BOARD: "Qs Js Ts"})
    while room.seen().stage != "reconciling":
        deciding = [spot for spot in (1, 2) if room.spot(spot).deciding]
        if deciding:
            room.act(deciding[0], "1x")
        else:
            room.reveal()
    room.reconcile()
    room.win("T1", 1, "royal_flush")
    room.reconcile_all()
    room.end("T1")
    assert [(paid.table, paid.spot, paid.winner) for paid in room.events(EnvyPaid)] == [("T1", 2, 1)]
