"""Rounds out of the journal: random ones settle to the same cents as text, and the commands that read them."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.table.transcripts.kit import EXECUTIVE, MANAGER, SECOND, PlayTable
from tests.table.transcripts.rounds import EXAMPLES

from houseway.adjudication import settle_object
from houseway.books.export import SAY
from houseway.books.reports import By, report
from houseway.cards import text_of
from houseway.cli import main
from houseway.games import all_games, approved_book
from houseway.games.flow import BOARD, DEALER
from houseway.games.later import card_fields
from houseway.games.round import FOLD, PLAY, Dealt
from houseway.manager import commands as office
from houseway.manager.entry import entry_of
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.table.card_round import commands as play
from houseway.table.card_round import events as play_tell
from houseway.table.notation import RoundRecord, check_deck, parse_round, settle_record, write_round
from houseway.table.progressive_round import commands as felt
from houseway.table.progressive_round import events as felt_tell
from houseway.table.progressive_round.adjustments import LateWinPaid, WinUndone

ROUNDS_A_GAME = 40
GAMES = [key for key, game in all_games().items() if game.progressive is not None]
"""The games that a table of the kit plays, each with its link."""
LONG_ROUNDS_A_GAME = 2_000


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The command line in this process: exit code, output, errors."""

    def command(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["houseway", *words])
        code = 0
        try:
            main()
        except SystemExit as left:
            code = int(left.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


# ------------------------------------------------------------------------------------- what a round says, and settling


def request_of(record: RoundRecord) -> dict[str, Any]:
    """The round as ``houseway settle`` takes it, the progressive apart; made from the lines alone."""
    game = all_games()[record.game]
    cards = {one.target: one.cards for one in record.of(play_tell.PacketDealt)}
    wagers: dict[int, dict[str, int]] = {}
    for one in record.of(play_tell.WagerPlaced):
        if one.wager != "progressive":
            wagers.setdefault(one.spot, {})[one.wager] = one.cents
    acted: dict[int, list[Any]] = {spot: [] for spot in wagers}
    for one in record.of(play_tell.Acted):
        if one.action != "none":
            acted[one.spot].append(action(one))
    dealt = Dealt({}, cards.get(DEALER, ()), (), (), cards.get(BOARD, ()))
    return {
        "game": record.game,
        "tables": {wager: pair[0] for wager, pair in record.pays.items() if wager != "progressive"},
        "options": record.options,
        **card_fields(game, dealt),
        "spots": [
            {"spot": spot, "cards": text_of(cards[spot]), "wagers": made, "actions": acted[spot]}
            for spot, made in wagers.items()
        ],
    }


def action(one: play_tell.Acted) -> str | dict[str, Any]:
    """An action as a request has it: its name, or an object where it takes more."""
    if one.card is None and not one.cents:
        return one.action
    double = {"double_down": one.cents} if one.cents else {}
    return {one.action: True if one.card is None else text_of((one.card,)), **double}


def paid_by_spot(record: RoundRecord) -> dict[int, tuple[int, int]]:
    """What was taken and paid at each spot, forfeits and all."""
    sums: dict[int, tuple[int, int]] = {}
    for taken in (*record.of(play_tell.Reconciled), *record.of(play_tell.ForfeitCollected)):
        wagered, returned = sums.get(taken.spot, (0, 0))
        sums[taken.spot] = wagered + taken.wagered, returned + getattr(taken, "returned", 0)
    return sums


def check_words(table: PlayTable) -> None:
    """Everything that happened can be told in sentences, for the export."""
    for row in table.floor.store.entries():
        for event in entry_of(row.body).events:
            told = event.in_words(SAY)
            assert told.endswith("."), told


def check_rounds(folder: Path, game: str, console: Any, rounds: int) -> None:
    table = PlayTable(folder, game, console, seed_cents=5_000, options={"folded_wins_envy": False})
    dice = Random(f"{game} {console}")
    ended = voided = awarded = left = 0
    while ended < rounds:
        record = table.random_round(dice)
        if record is None:
            continue
        ended += 1
        text = write_round(record)
        again = parse_round(text)
        assert again == record
        assert write_round(again) == text
        assert settle_record(again, approved_book()) == [], text
        assert check_deck(again) == [], text
        voided += again.voided
        awarded += bool(again.of(felt_tell.WinLogged))
        left += any(one.held for one in again.of(play_tell.SeatLeft))
        if not again.voided:
            answer = settle_object(request_of(again), approved_book())
            assert {one["spot"]: (one["wagered"], one["returned"]) for one in answer["spots"]} == paid_by_spot(again)
    check_words(table)
    assert voided
    assert left
    assert awarded or rounds < LONG_ROUNDS_A_GAME


@pytest.mark.parametrize("console", ["touch", "keypad"])
@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_settle_to_the_same_cents_as_text(tmp_path: Path, game: str, console: str) -> None:
    check_rounds(tmp_path, game, console, ROUNDS_A_GAME // 2)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_many_random_rounds_settle_to_the_same_cents_as_text(tmp_path: Path, game: str) -> None:
    check_rounds(tmp_path, game, "touch", LONG_ROUNDS_A_GAME)


# -------------------------------------------------------------------------------------------------------- the commands


@pytest.fixture
def stud(tmp_path: Path) -> PlayTable:
    """A table with one round played: a straight flush that wins a tenth of the meter."""
    table = PlayTable(tmp_path, "caribbean-stud", "touch", progressive="CSTUD-15")
    table.stack({5: "9s 8s 7s 6s 5s", 2: "Ah Qd 9c 6h 2d", 0: "Ac Kd 8h 5h 3c"})
    table.play(
        {2: {"ante": 1_000, "progressive": 100}, 5: {"ante": 1_000, "progressive": 100}},
        {2: FOLD, 5: PLAY},
    )
    return table


def test_show_prints_a_round_of_the_journal(stud: PlayTable, run: Any, tmp_path: Path) -> None:
    code, out, _ = run("round", "show", "T1", "1", "--db", str(stud.file))
    assert (code, out) == (0, write_round(stud.record(1)))
    file = tmp_path / "one.round"
    file.write_text(out, "utf-8")
    assert run("round", "show", str(file)) == (0, out, "")


def test_check_of_the_journal_and_of_a_file(stud: PlayTable, run: Any, tmp_path: Path) -> None:
    code, out, _ = run("round", "check", "T1", "1", "--db", str(stud.file))
    assert code == 0
    assert "every wager settles to the same cent, and the deck is the one that was promised" in out
    text = write_round(stud.record(1))
    file = tmp_path / "one.round"
    file.write_text(text.replace("pay 5 bet win 20.00 -> 1020.00", "pay 5 bet win 20.00 -> 1020.01"), "utf-8")
    assert file.read_text("utf-8") != text
    code, out, _ = run("round", "check", str(file))
    assert code == 1
    assert out.startswith('spot 5 pay bet: the round says pay 5 bet win 20.00 -> 1020.01 "straight flush')
    assert out.endswith("table T1, round 1: 1 difference\n")


def test_check_in_json_names_the_rules_and_every_difference(stud: PlayTable, run: Any, tmp_path: Path) -> None:
    text = write_round(stud.record(1))
    file = tmp_path / "one.round"
    file.write_text(text.replace("envy 2 300.00 for 5\n", "").replace("open ", "open 0", 1)[: len(text)], "utf-8")
    assert run("round", "check", str(file), "--json")[0] == 2  # the nonce is a digit too long
    file.write_text(text.replace("envy 2 300.00 for 5\n", ""), "utf-8")
    code, out, _ = run("round", "check", str(file), "--json")
    told = json.loads(out)
    assert code == 1
    assert told["differences"] == ["spot 2 envy: the round says nothing; the rules give envy 2 300.00 for 5"]
    assert told["rules"] == told["settled_by"]


def test_check_says_when_another_rulebook_wrote_it(stud: PlayTable, run: Any, tmp_path: Path) -> None:
    record = stud.record(1)
    file = tmp_path / "one.round"
    older = write_round(record).replace(record.rules, "000 (2022); rulebook 0123456789abcdef")
    file.write_text(older, "utf-8")
    code, out, _ = run("round", "check", str(file))
    assert code == 0
    assert "written under the rules 000 (2022); rulebook 0123456789abcdef; settled here by" in out


def test_replay_tells_it_in_words(stud: PlayTable, run: Any) -> None:
    code, out, _ = run("round", "replay", "T1", "1", "--db", str(stud.file))
    assert code == 0
    told = out.splitlines()
    assert told[0].strip().startswith("DEMONSTRATION · Demonstration house, table T1, round 1 of")
    assert len(told) == len(stud.record(1).steps) + 1
    assert any(one.endswith("START GAME: spots 2 and 5 at $1.00 each.") for one in told)
    assert any(one.endswith("Spot 2 was paid $300.00 envy because of the hand of spot 5.") for one in told)


def test_replay_waits_for_enter(stud: PlayTable, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n"))
    code, out, _ = run("round", "replay", "T1", "1", "--step", "--db", str(stud.file))
    assert (code, len(out.splitlines())) == (0, 3)


@pytest.mark.clause("FL-3")
def test_shuffle_verify_checks_a_past_round(stud: PlayTable, run: Any, tmp_path: Path) -> None:
    code, out, _ = run("shuffle", "verify", "T1", "1", "--db", str(stud.file))
    record = stud.record(1)
    promised, opened = record.of(play_tell.SeedCommitted)[0].commitment, record.of(play_tell.DeckOpened)[0]
    assert code == 0
    deck, verdict = out.splitlines()
    assert deck == f"deck: {text_of(opened.order)}"
    seeds = "the house's seed and those of spot 2, 5"
    chosen = "; DEMONSTRATION: with cards that were chosen"
    assert verdict == f"table T1, round 1: dealt as promised, from {seeds}, commitment {promised}{chosen}"
    file = tmp_path / "one.round"
    file.write_text(write_round(stud.record(1)).replace("deal 2: Ah Qd", "deal 2: Qd Ah"), "utf-8")
    code, out, _ = run("shuffle", "verify", str(file), "--json")
    assert code == 1
    assert "spot 2: Qd Ah 9c 6h 2d was dealt" in json.loads(out)["defects"][1]


@pytest.mark.clause("FL-3", "FL-4")
def test_shuffle_verify_needs_a_promise(run: Any) -> None:
    code, _, err = run("shuffle", "verify", str(EXAMPLES / "physical-cards-keypad.round"))
    assert code == 2
    assert "nothing was promised" in err


def test_open_round_is_not_shown(stud: PlayTable, run: Any) -> None:
    """Its cards are nobody's to read before it is over."""
    stud.bet(2, {"ante": 1_000})
    stud.begin()
    stud.by_dealer(play.Deal(table="T1", packets=0))
    for command in (("round", "show"), ("round", "check"), ("round", "replay"), ("shuffle", "verify")):
        code, out, err = run(*command, "T1", "2", "--db", str(stud.file))
        assert (code, out) == (2, "")
        assert "is not over" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("round", "show", "T1", "99"), "no round 99 of table T1"),
        (("round", "show", "T9", "1"), "no round 1 of table T9"),
        (("round", "show", "nowhere.round"), "cannot be read"),
    ],
)
def test_what_is_not_there_is_refused(stud: PlayTable, run: Any, words: tuple[str, ...], says: str) -> None:
    code, out, err = run(*words, "--db", str(stud.file))
    assert (code, out) == (2, "")
    assert says in err


def test_no_round_at_all_in_a_file(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "bytes"
    file.write_bytes(b"\xff\xfe")
    assert "is not UTF-8 text" in run("round", "show", str(file))[2]
    file.write_bytes(b"houseway round 1\n" * 200_000)
    assert "is too long" in run("round", "show", str(file))[2]
    file.write_bytes(b"hello\n")
    assert "line 1" in run("round", "check", str(file))[2]


# ------------------------------------------------------------------------------------------------- what came afterwards


@pytest.mark.clause("PR-23", "PR-36")
def test_adjustments_after_the_close_stand_below_it(stud: PlayTable) -> None:
    win = next(one.win for one in stud.record(1).of(felt_tell.WinLogged))
    stud.do(MANAGER, office.UndoWin(win=win, reason="malfunction", explanation="misread"), second=SECOND)
    late = office.PayLateWin(table="T1", round=1, spot=2, hand="flush", evidence="camera 4")
    stud.do(MANAGER, late, second=SECOND)
    record = stud.record(1)
    assert [type(step) for step in record.steps[-3:]] == [felt_tell.RoundClosed, WinUndone, LateWinPaid]
    assert parse_round(write_round(record)) == record
    # The round itself was settled right; what was put right later is not held against it.
    assert settle_record(record, approved_book()) == []


@pytest.mark.clause("PR-3")
def test_round_is_written_under_the_configuration_it_was_played_by(stud: PlayTable) -> None:
    from msgspec.structs import replace

    before = write_round(stud.record(1))
    config = stud.floor.state.config
    assert config is not None
    table = replace(config.tables[0], options={**config.tables[0].options, "folded_wins_envy": False})
    stud.do(MANAGER, office.Configure(config=replace(config, tables=(table,)), reason="tried"), second=EXECUTIVE)
    assert write_round(stud.record(1)) == before
    stud.play({2: {"ante": 1_000, "progressive": 100}}, {2: FOLD})
    assert stud.record(2).options == {"folded_wins_envy": False}


def test_table_without_a_link(tmp_path: Path) -> None:
    table = PlayTable(tmp_path, "three-card-poker", "keypad", link=False)
    record = table.play({1: {"ante": 1_000, "pair_plus": 500}}, {1: PLAY})
    assert (record.link, record.of(felt_tell.LockedIn)) == ("", [])
    assert settle_record(parse_round(write_round(record)), approved_book()) == []


@pytest.mark.clause("PR-7")
def test_award_that_the_meter_could_not_give(tmp_path: Path) -> None:
    """A fixed award from a meter that holds too little: the house covers the rest, and the text says so."""
    table = PlayTable(tmp_path, "caribbean-stud", "keypad", progressive="CSTUD-01", seed_cents=1_000)
    table.stack({1: "Qs Qd Qh Qc 2s", 0: "Ac Kd 8h 5h 3c"})
    record = table.play({1: {"ante": 1_000, "progressive": 100}}, {1: PLAY})
    (win,) = record.of(felt_tell.WinLogged)
    assert win.due.shortfall_cents == win.due.from_tray_cents > 0
    assert settle_record(parse_round(write_round(record)), approved_book()) == []


def test_voided_round_has_nothing_to_settle(stud: PlayTable) -> None:
    stud.bet(2, {"ante": 1_000, "progressive": 100})
    stud.begin()
    stud.do("sam", felt.VoidRound(table="T1", cause="misdeal"), second=EXECUTIVE)
    record = stud.record(2)
    assert record.of(felt_tell.RoundVoided)[0].returned == 100 * MICROS_PER_CENT
    assert settle_record(record, approved_book()) == []
    assert check_deck(record) == []


@pytest.mark.parametrize("by", ["day", "table", "link", "meter"])
def test_a_report_reconciles_what_the_rack_took_and_paid(stud: PlayTable, by: By) -> None:
    store = stud.floor.store
    state = stud.floor.state
    day = date.fromisoformat(state.day)
    made = report(store, state.policies, day, day, by)
    assert made.defects == ()
    done = [
        event
        for row in store.entries()
        for event in entry_of(row.body).events
        if isinstance(event, play_tell.Reconciled | play_tell.ForfeitCollected)
    ]
    assert done
    assert made.total.micros("card_wagers") == sum(one.wagered for one in done) * MICROS_PER_CENT
    assert made.total.micros("card_payments") == sum(getattr(one, "returned", 0) for one in done) * MICROS_PER_CENT
