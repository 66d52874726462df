"""The JSON contract of ``houseway settle``, as another program meets it: what goes in, what comes out, exit codes."""

from __future__ import annotations

import gc
import io
import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from houseway.adjudication import settle_object, settle_text
from houseway.cli import main
from houseway.games import approved_book
from houseway.refusal import Refusal

SETTLE = (sys.executable, "-m", "houseway.cli", "settle")

# fmt: off
THREE: dict[str, Any] = {
    "game": "three-card-poker",
    "tables": {"ante_bonus": "A", "pair_plus": "A", "six_card_bonus": "TCP-6B1"},
    "options": {},
    "dealer": "Qs 7d 2c",
    "spots": [{"spot": 1, "cards": "Ah Kd 3c",
               "wagers": {"ante": 1000, "pair_plus": 500, "six_card_bonus": 100},
               "decision": {"play": True}}],
}
ANSWER: dict[str, Any] = {
    "game": "three-card-poker",
    "dealer": {"hand": "queen high", "qualifies": True, "category": "high_card"},
    "spots": [{"spot": 1, "hand": "ace high", "category": "high_card", "outcome": "win",
               "wagers": {"ante": {"result": "win", "wagered": 1000, "returned": 2000},
                          "play": {"result": "win", "wagered": 1000, "returned": 2000},
                          "pair_plus": {"result": "lose", "wagered": 500, "returned": 0},
                          "six_card_bonus": {"result": "lose", "wagered": 100, "returned": 0}},
               "wagered": 2600, "returned": 4000}],
}
STUD: dict[str, Any] = {
    "game": "caribbean-stud",
    "tables": {"bonus": "CPSB-01", "progressive": "CSTUD-01"},
    "dealer": "Ac Kd 9h 7s 3c",
    "meters": {"main": 2_500_000}, "seeds": {"main": 1_000_000},
    "spots": [{"spot": 2, "cards": "2c 2d 5h 8s Tc",
               "wagers": {"ante": 500, "bonus": 100, "cover_all": 200, "progressive": 100},
               "decision": {"play": True}},
              {"spot": 5, "cards": "4c 6d 9s Js Qh", "wagers": {"ante": 500, "progressive": 100},
               "decision": {"fold": True}}],
}
FIRST: dict[str, Any] = {
    "game": "straight-edge-1",
    "tables": {"bonus": "1"},
    "dealer": "Ac Kd 9h 7s 3c 2d 5d 5h",
    "spots": [{"spot": 3, "cards": "4c 6d 9s Js Qh 8d 7c",
               "wagers": {"ante": 500, "bonus": 100, "insurance": 100},
               "decision": {"play": True}}],
}
EDGE: dict[str, Any] = {
    "game": "straight-edge-2",
    "dealer": "Ac Kd 9h 7s 3c 2d 5d",
    "spots": [{"spot": 3, "cards": "4c 6d 9s Js Qh 8d 7c",
               "wagers": {"ante": 500, "blind": 500, "four_plus": 100, "insurance": 100},
               "decision": {"play": True}}],
}
GOW: dict[str, Any] = {
    "game": "six-card-pai-gow",
    "tables": {"fortune": "1", "progressive": "QH"},
    "dealer": "Ac Kd 9h 7s 3c 2d",
    "meters": {"five aces": 9_000_000, "royal flush": 700_000},
    "seeds": {"five aces": 1_000_000, "royal flush": 100_000},
    "spots": [{"spot": 6, "cards": "Jk 6d 9s Js Qh 8d",
               "wagers": {"base": 500, "fortune": 500, "insurance": 100, "progressive": 100},
               "decision": {"low": "Qh", "double_down": 500}}],
}
# fmt: on


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def answers(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Ask = Callable[..., Done]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Ask]:
    """Run ``houseway settle`` in this process: the same door as the command, without the time to start it."""

    def run(data: bytes | str | Any, *arguments: str) -> Done:
        if not isinstance(data, bytes):
            data = (data if isinstance(data, str) else json.dumps(data)).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        monkeypatch.setattr(sys, "argv", ["houseway", "settle", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        code = left.value.code or 0
        assert isinstance(code, int)
        return Done(code, *capfd.readouterr())

    thresholds = gc.get_threshold()
    yield run
    gc.set_threshold(*thresholds)


def changed(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """``base`` with other values at some paths; ``...`` takes the field away."""
    made = deepcopy(base)
    for path, value in deepcopy(changes).items():
        *above, last = [int(step) if step.isdigit() else step for step in path.split("/")]
        at: Any = made
        for step in above:
            at = at.setdefault(step, {}) if isinstance(at, dict) else at[step]
        if value is ...:
            del at[last]
        elif isinstance(at, list) and last == len(at):
            at.append(value)
        else:
            at[last] = value
    return made


# ------------------------------------------------------------------------------------------------ one request


def test_the_example_of_the_contract(ask: Ask) -> None:
    done = ask(THREE)
    assert (done.code, done.err) == (0, "")
    assert done.answers == [ANSWER]


def test_the_example_as_a_real_command_and_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(THREE, indent=2))
    for arguments, data in (((str(file),), b""), ((), file.read_bytes())):
        done = subprocess.run([*SETTLE, *arguments], input=data, capture_output=True, check=True)
        assert json.loads(done.stdout) == ANSWER
        assert done.stderr == b""


def test_a_request_over_many_lines_is_one_request(ask: Ask) -> None:
    assert ask(json.dumps(THREE, indent=1)).answers == [ANSWER]
    assert ask(b"\n\n" + json.dumps(THREE, indent="\t").encode() + b"\n\n").answers == [ANSWER]
    assert ask(json.dumps(THREE, indent=1).replace("\n", "\r\n")).answers == [ANSWER]
    assert ask(b"\xef\xbb\xbf" + json.dumps(THREE).encode()).answers == [ANSWER]


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"options": ...}, True),
        ({"spots/0/cards": "  Ah Kd\t3c "}, True),
        ({"tables": {"designator": "TCP-01", "six_card_bonus": "TCP-6B1"}}, True),
        ({"tables/designator": "TCP-01"}, True),
        ({"tables/progressive": "1"}, True),
        ({"spots/0/wagers": {"ante": 1000}, "tables": {"ante_bonus": "A"}}, False),
        ({"spots/0/wagers": {"pair_plus": 500}, "spots/0/decision": ...}, False),
        ({"spots/0/wagers": {"pair_plus": 500}, "spots/0/decision": {}, "tables": {"pair_plus": "D"}}, False),
        ({"options/two_spots": True}, True),
        ({"options/reconcile_order": "pair_plus ante ante_bonus play"}, True),
        ({"options/decision_timeout_seconds": 12.5}, True),
        ({"options/decision_timeout_seconds": 0}, True),
        ({"options/folded_qualifies": False}, True),
        ({"options/award_order": [3, 1, 2]}, True),
        ({"options/award_order": "left_to_right"}, True),
        ({"options/ante_required": True}, True),
        ({"options/fixed_from": "tray"}, True),
        ({"spots/0/spot": 7}, False),
        ({"dealer": "Qs 10d 2c"}, True),
        ({"spots/0/wagers/ante": 10**15}, False),
    ],
    ids=str,
)
def test_what_else_a_request_may_say(ask: Ask, change: dict[str, Any], same: bool) -> None:
    done = ask(changed(THREE, change))
    assert (done.code, done.err) == (0, "")
    answer = {key: value for key, value in done.answers[0].items() if key not in ("meters", "reseeded")}
    assert (answer == ANSWER) is same


def test_options_of_live_procedure_change_nothing(ask: Ask) -> None:
    for base, options in (
        (STUD, {"cover_all_expose_from": "straight"}),
        (GOW, {"positions": 5, "dealer_position": 3}),
    ):
        assert ask(changed(base, {"options": options})).answers == ask(base).answers


def test_pair_plus_alone_has_no_outcome(ask: Ask) -> None:
    (answer,) = ask(changed(THREE, {"spots/0/wagers": {"pair_plus": 500}, "spots/0/decision": ...})).answers
    assert answer["spots"][0]["outcome"] is None
    assert set(answer["spots"][0]["wagers"]) == {"pair_plus"}


@pytest.mark.parametrize(("base", "second"), [(STUD, "bet"), (FIRST, "play"), (EDGE, "play"), (GOW, "double_down")])
def test_the_parts_of_an_answer(ask: Ask, base: dict[str, Any], second: str) -> None:
    (answer,) = ask(base).answers
    assert answer["game"] == base["game"]
    assert [spot["spot"] for spot in answer["spots"]] == [spot["spot"] for spot in base["spots"]]
    spot, asked = answer["spots"][0], base["spots"][0]
    assert set(spot["wagers"]) == {*asked["wagers"], second}
    assert spot["wagered"] == sum(wager["wagered"] for wager in spot["wagers"].values())
    assert spot["outcome"] in ("win", "lose", "push", "fold", "foul")
    assert (answer["dealer"]["qualifies"] is None) == (base is FIRST)
    assert isinstance(spot["category"], dict) == (base in (FIRST, EDGE))
    assert ("set" in spot) == ("set" in answer["dealer"]) == (base is GOW)
    assert ("meters" in answer) == ("reseeded" in answer) == ("meters" in base)
    if "progressive" in spot["wagers"]:
        assert {"from_meter", "from_tray", "envy"} < set(spot["wagers"]["progressive"])
    if base is GOW:
        assert spot["set"] == {"high": "Jk Js 9s 8d 6d", "low": "Qh", "by": "player"}
        assert answer["dealer"]["set"] == {"high": "Ac 9h 7s 3c 2d", "low": "Kd", "by": "house way"}


def test_a_fold_has_no_second_wager(ask: Ask) -> None:
    (answer,) = ask(STUD).answers
    assert answer["spots"][1]["outcome"] == "fold"
    assert set(answer["spots"][1]["wagers"]) == {"ante", "progressive"}


# ----------------------------------------------------------------------------------------------- JSON Lines

LINE = json.dumps(THREE)
WRONG = json.dumps(changed(THREE, {"spots/0/wagers/ante": 0}))


@pytest.mark.parametrize("arguments", [(), ("--lines",)], ids=["found out", "forced"])
def test_one_answer_a_line_in_order(ask: Ask, arguments: tuple[str, ...]) -> None:
    done = ask("\n".join([LINE, json.dumps(STUD), LINE]), *arguments)
    assert (done.code, done.err) == (0, "")
    assert [answer["game"] for answer in done.answers] == ["three-card-poker", "caribbean-stud", "three-card-poker"]


@pytest.mark.parametrize("arguments", [(), ("--lines",)], ids=["found out", "forced"])
def test_a_wrong_line_is_answered_in_its_place(ask: Ask, arguments: tuple[str, ...]) -> None:
    done = ask("\n".join([LINE, WRONG, "{", "[]", "null", LINE, '"x"', "\ufeff" + LINE]), *arguments)
    assert (done.code, done.err) == (1, "")
    assert [set(answer) == {"error"} for answer in done.answers] == [False, True, True, True, True, False, True, False]
    assert done.answers[1]["error"].startswith("spots[0].wagers.ante: ")


@pytest.mark.parametrize("arguments", [(), ("--lines",)], ids=["found out", "forced"])
def test_line_ends_and_blank_lines(ask: Ask, arguments: tuple[str, ...]) -> None:
    done = ask(f"\r\n{LINE}\r\n\r\n   \r\n{LINE}\r\n\t\r\n", *arguments)
    assert (done.code, done.answers) == (0, [ANSWER, ANSWER])


def test_one_wrong_line_is_one_wrong_request_unless_lines_are_forced(ask: Ask) -> None:
    assert ask(WRONG).code == 2
    done = ask(WRONG, "--lines")
    assert (done.code, len(done.answers), done.err) == (1, 1, "")


def test_broken_text_in_a_line_stops_nothing(ask: Ask) -> None:
    done = ask(b"\n".join([LINE.encode(), b'{"game": "\xff"}', b"\x00", LINE.encode()]))
    assert done.code == 1
    assert [answer.get("error", "")[:8] for answer in done.answers] == ["", "request:", "request:", ""]


def test_lines_are_answered_while_more_may_come() -> None:
    with subprocess.Popen([*SETTLE, "--lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for line in (LINE, WRONG, LINE):
            program.stdin.write(line.encode() + b"\n")
            program.stdin.flush()
            ready, _, _ = select.select([program.stdout], [], [], 30)
            assert ready, "no answer while standard input is open"
            answer = json.loads(program.stdout.readline())
            assert answer == ANSWER or (line is WRONG and set(answer) == {"error"})
        program.stdin.close()
        assert program.wait(30) == 1


@pytest.mark.parametrize("way", ["standard input", "file"])
def test_a_reader_that_leaves_early_causes_no_complaint(tmp_path: Path, way: str) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text((LINE + "\n") * 2_000)
    arguments = [str(file)] if way == "file" else []
    with (
        file.open("rb") as stream,
        subprocess.Popen(
            [*SETTLE, "--lines", *arguments], stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as program,
    ):
        assert program.stdout is not None
        assert program.stderr is not None
        assert json.loads(program.stdout.readline()) == ANSWER
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait(30) not in (0, 2)


# ---------------------------------------------------------------------------------------------- house tables

HOUSE = """
[[paytable]]
game = "three-card-poker"
wager = "pair_plus"
id = "HOUSE-1"
pays = "to"
rows = { straight_flush = "35", three_of_a_kind = "33", straight = "6", flush = "7/2", pair = "1" }

[[paytable]]
game = "three-card-poker"
wager = "progressive"
id = "HOUSE-P"
stated_wager = 2.50
rows.akq_spades = { percent = 100, envy = 250 }
"""


@pytest.fixture
def house(tmp_path: Path) -> str:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE)
    return str(file)


def test_a_house_table_is_marked_not_approved_in_the_answer(ask: Ask, house: str) -> None:
    request = changed(THREE, {"tables/pair_plus": "HOUSE-1", "spots/0/cards": "Ah Kh 3h"})
    assert ask(request).code == 2
    (answer,) = ask(request, "--paytable", house).answers
    assert answer["spots"][0]["wagers"]["pair_plus"]["returned"] == 500 + 1750
    assert any("HOUSE-1" in name and "not approved" in name for name in answer["not_approved"])
    assert ask(THREE, "--paytable", house).answers == [ANSWER]


def test_a_house_progressive_is_marked_too(ask: Ask, house: str) -> None:
    changes = {"tables/progressive": "HOUSE-P", "spots/0/wagers/progressive": 250, "meters/main": 1, "seeds/main": 1}
    (answer,) = ask(changed(THREE, changes), "--paytable", house).answers
    assert "not approved" in answer["not_approved"][0]
    done = ask(changed(THREE, {**changes, "spots/0/wagers/progressive": 200}), "--paytable", house)
    assert (done.code, "spots[0].wagers.progressive: must be 250 cents" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be"), ("[[paytable]]\n", "game"), ("\x00", ""), (HOUSE.replace("HOUSE-1", "A"), "A")],
)
def test_a_wrong_house_file_is_refused(ask: Ask, tmp_path: Path, content: str | None, words: str) -> None:
    file = tmp_path / "other.toml"
    if content is not None:
        file.write_text(content)
    done = ask(THREE, "--paytable", str(file))
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert words in done.err


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_refused(ask: Ask, tmp_path: Path, name: str) -> None:
    done = ask("", str(tmp_path / name))
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "cannot be read" in done.err


# ------------------------------------------------------------------------------------------- wrong requests

# fmt: off
W = "spots/0/wagers/"
D = "spots/0/decision"
SECOND_SPOT = {"spot": 2, "cards": "Ac Kc 4c", "wagers": {"ante": 1000}, "decision": {"play": True}}
ML = {"tables/progressive": "ML01", "meters": {"mega": 5, "major": 5}, "seeds": {"mega": 5, "major": 5}}
REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    # the request
    *[(THREE, {name: 1}, f"{name}: is not a known field") for name in ("table", "Game", "spot", "meter", "seats")],
    (THREE, {"x" * 500: 1}, "x" * 40 + "…: is not a known field"), (THREE, {"a\nb": 1}, r"a\nb: is not a known"),
    *[(THREE, {name: ...}, f"{name}: is missing") for name in ("game", "dealer", "spots")],
    *[(THREE, {"game": game}, "game: ") for game in (
        "", "poker", "Three-Card-Poker", "poker ", 3, None, True, ["caribbean-stud"], {}, "\n", "straight-edge")],
    # cards
    *[(THREE, {"dealer": hand}, "dealer: ") for hand in (
        "", "Qs 7d", "Qs 7d 2c 3c", "Qs 7d Qs", "Qs 7d Jk", "Qs 7d xx", "Qs 7d 2C", "Qs,7d,2c", "Qs7d2c", "Qs 7d 1c",
        "10 7d 2c", ["Qs", "7d", "2c"], 5, None, True, {"cards": "Qs 7d 2c"}, "Qs 7d 2c" * 5000)],
    *[(THREE, {"spots/0/cards": hand}, "spots[0].cards: ") for hand in (
        "", "Ah", "Ah Kd 3c 4c", "Ah Kd Kd", "Ah Kd Jk", "Ah Kd 3x", "Ah Kd 2c", "Th 10h 3c", 1.5, None, False, [])],
    (THREE, {"spots/1": {**SECOND_SPOT, "cards": "Ah Kc 4c"}}, "spots[1].cards: Ah is there twice"),
    (STUD, {"spots/1/cards": "3c 6d 9s Js Qh"}, "spots[1].cards: 3c is there twice"),
    (STUD, {"spots/0/cards": "2c 2d 5h 8s Jk"}, "spots[0].cards: has a joker"),
    (FIRST, {"dealer": "Ac Kd 9h 7s 3c 2d 5d"}, "dealer: has 7 cards where exactly 8"),
    (EDGE, {"dealer": "Ac Kd 9h 7s 3c 2d 5d 5h"}, "dealer: has 8 cards where exactly 7"),
    (EDGE, {"dealer": "Ac Kd 9h 7s 3c 2d Jk"}, "dealer: has a joker"),
    (GOW, {"dealer": "Jk Kd 9h 7s 3c 2d"}, "spots[0].cards: Jk is there twice"),
    (GOW, {"spots/0/cards": "Jk 6d 9s Js Qh Jk"}, "spots[0].cards: Jk is there twice"),
    (GOW, {"spots/0/cards": "Jk 6d 9s Js Qh"}, "spots[0].cards: has 5 cards"),
    # spots
    *[(THREE, {"spots": spots}, "spots") for spots in ([], {}, None, "1", 1, [[]], [None], [1], ["x"], [{}])],
    *[(THREE, {"spots/0/spot": spot}, "spots[0].spot: ") for spot in (
        0, -1, 8, 10**30, 1.0, "1", True, None, [1])],
    *[(THREE, {f"spots/0/{name}": ...}, f"spots[0].{name}: is missing") for name in ("spot", "cards", "wagers")],
    *[(THREE, {f"spots/0/{name}": 1}, f"spots[0].{name}: is not a known field") for name in ("player", "bets", "hand")],
    (THREE, {"spots/1": {**SECOND_SPOT, "spot": 1}}, "spots[1].spot: 1 is there twice"),
    (THREE, {"spots": [{**SECOND_SPOT, "spot": n} for n in range(1, 9)]}, "spots: has 8 spots"),
    *[(base, {"spots": base["spots"] * 7}, "spots: has 7 spots") for base in (FIRST, EDGE, GOW)],
    (FIRST, {"spots/0/spot": 7}, "spots[0].spot: "), (GOW, {"spots/0/spot": 7}, "spots[0].spot: "),
    # wagers
    *[(THREE, {W + "ante": amount}, "spots[0].wagers.ante: must be") for amount in (
        0, -100, 10.0, 0.5, "1000", None, True, False, [1000], {}, 10**15 + 1, 10**300, 1e20)],
    *[(THREE, {"spots/0/wagers": wagers}, "spots[0].wagers: must ") for wagers in ({}, [], None, 5, "ante", True)],
    *[(THREE, {W + name: 100}, f"spots[0].wagers.{name}: is not a wager") for name in (
        "Ante", "bonus", "blind", "fortune", "base", "bet", "insurance", "cover_all", " ante")],
    *[(THREE, {W + name: 100}, f"spots[0].wagers.{name}: ") for name in ("play", "ante_bonus")],
    (STUD, {W + "bet": 1000}, "spots[0].wagers.bet: "), (GOW, {W + "double_down": 5}, "spots[0].wagers.double_down: "),
    (THREE, {"spots/0/wagers": {"pair_plus": 5, "six_card_bonus": 5}}, "spots[0].wagers.six_card_bonus: needs"),
    (THREE, {"spots/0/wagers": {"pair_plus": 5, "progressive": 5}}, "spots[0].wagers.progressive: needs"),
    (THREE, {"spots/0/wagers": {"six_card_bonus": 5}}, "spots[0].wagers"),
    (THREE, {W + "ante": ..., "options/ante_required": True}, "spots[0].wagers"),
    *[(base, {W + required: ...}, f"spots[0].wagers.{required}: is missing") for base, required in (
        (STUD, "ante"), (FIRST, "ante"), (EDGE, "ante"), (EDGE, "blind"), (GOW, "base"))],
    (EDGE, {W + "blind": 400}, "spots[0].wagers.blind: must equal ante"),
    (EDGE, {W + "ante": 400}, "spots[0].wagers.blind: must equal ante"),
    # decisions
    *[(THREE, {D: decision}, "spots[0].decision: ") for decision in (
        ..., {}, None, "play", True, [], {"play": False}, {"play": 1}, {"fold": "true"}, {"fold": None},
        {"play": True, "fold": True}, {"play": True, "bet": 5}, {"call": True}, {"low": "Ah"}, {"house_way": True})],
    *[(THREE, {"spots/0/wagers": {"pair_plus": 500}, D: decision}, "spots[0].decision: ") for decision in (
        {"play": True}, {"fold": True}, None, [])],
    *[(GOW, {D: decision}, "spots[0].decision") for decision in (
        ..., {}, {"play": True}, {"double_down": 500}, {"house_way": False}, {"house_way": 1}, {"low": None},
        {"low": ["Qh"]}, {"low": "Qh", "fold": True}, {"low": "Qh", "high": "Jk 6d 9s Js 8d"})],
    (GOW, {D: {"low": "Qh", "house_way": True}}, "spots[0].decision: must be"),
    (GOW, {D: {"low": "Qh", "house_way": False}}, "spots[0].decision"),
    *[(GOW, {D: {"low": low}}, "spots[0].decision.low: ") for low in ("Ac", "5c", "xx", "", "Qh Js", "qh", "Ace")],
    *[(GOW, {D + "/double_down": double}, "spots[0].decision.double_down: must ") for double in (
        501, 499, 1000, 0, -500, 500.0, "500", True, None)],
    (GOW, {D + "/double_down": 501, "options/double_down_for_less": True}, "spots[0].decision.double_down: must not"),
    # options
    *[(THREE, {"options": options}, "options: must be") for options in ([], None, "none", 1, True)],
    *[(THREE, {f"options/{name}": True}, f"options.{name}: is not an option") for name in (
        "folded_keeps_bonus", "cover_all_counts_folded", "blind_on_margin_zero", "double_down_for_less", "positions",
        "Equal_hands", "x")],
    *[(THREE, {f"options/{name}": value}, f"options.{name}: ") for name, value in (
        ("equal_hands", "win"), ("equal_hands", None), ("equal_hands", True), ("ante_required", "true"),
        ("ante_required", 1), ("two_spots", 0), ("folded_qualifies", True), ("folded_qualifies", 0),
        ("reconcile_order", "play ante"), ("reconcile_order", ["play"]), ("envy_needs_wager", "yes"),
        ("folded_wins_envy", None), ("fixed_from", "purse"), ("fixed_from", "meter:"), ("fixed_from", True),
        ("award_order", "clockwise"), ("award_order", []), ("award_order", [1, 1]), ("award_order", [0]),
        ("award_order", ["1"]), ("award_order", [True]), ("award_order", [1.0]), ("award_order", 1),
        ("award_order", [8]), ("decision_timeout_seconds", -1), ("decision_timeout_seconds", "5"),
        ("decision_timeout_seconds", True))],
    *[(STUD, {"options/award_order": order}, "options.award_order: ") for order in ([2], [2, 5, 8])],
    *[(STUD, {"options/cover_all_expose_from": value}, "options.cover_all_expose_from: ") for value in ("flush", True)],
    *[(GOW, {f"options/{name}": value}, f"options.{name}: ") for name, value in (
        ("positions", 8), ("positions", 1), ("positions", "7"), ("positions", 6.0), ("dealer_position", 0),
        ("dealer_position", True))],
    (STUD, {**ML, "options/fixed_from": "meter"}, "options.fixed_from: must name the meter"),
    (STUD, {**ML, "options/fixed_from": "meter:main"}, "options.fixed_from: "),
    (STUD, {"options/fixed_from": "meter:mega"}, "options.fixed_from: "),
    # tables
    *[(THREE, {"tables": tables}, "tables") for tables in ([], None, "TCP-01", 5, {}, {"designator": None})],
    *[(THREE, {f"tables/{wager}": ...}, f"tables.{wager}: is missing") for wager in THREE["tables"]],
    *[(THREE, {"tables/pair_plus": name}, "tables.pair_plus: ") for name in ("", "E", "a", "A ", "TCP-01", 1, [])],
    *[(THREE, {f"tables/{wager}": "A"}, f"tables.{wager}: is not a wager") for wager in ("ante", "bonus", "play", "x")],
    *[(THREE, {"tables/designator": name}, "tables.designator: ") for name in ("TCP-13", "", 1, None, "TCP-02", "1")],
    *[(STUD, {f"tables/{wager}": ...}, f"tables.{wager}: is missing") for wager in ("bonus", "progressive")],
    *[(base, {f"tables/{wager}": name}, f"tables.{wager}: ") for base, wager, name in (
        (STUD, "designator", "TCP-01"), (STUD, "progressive", "TWBB-1"), (FIRST, "bonus", "3"), (GOW, "fortune", "4"))],
    # progressives
    *[(STUD, {f"{name}": value}, f"{name}: ") for name in ("meters", "seeds") for value in (..., [], None, 5, "main")],
    *[(STUD, {"reserves": value}, "reserves: ") for value in (None, [], 5)],
    *[(STUD, {f"{name}/main": value}, f"{name}.main: ") for name in ("meters", "seeds", "reserves")
      for value in (-1, 1.0, "5", None, True, 10**15 + 1)],
    *[(STUD, {name: {}}, f"{name}.main: is missing") for name in ("meters", "seeds")],
    *[(STUD, {f"{name}/mega": 5}, f"{name}.mega: is not a meter") for name in ("meters", "seeds", "reserves")],
    *[(GOW, {f"{name}/royal flush": ...}, f"{name}.royal flush: is missing") for name in ("meters", "seeds")],
    (STUD, {**ML, "meters": {"mega": 5}}, "meters.major: is missing"),
    (STUD, {**ML, "seeds": {"major": 5}}, "seeds.mega: is missing"),
    (STUD, {**ML, "meters/minor": 5}, "meters.minor: is not a meter of table ML01"),
    (STUD, {**ML, "spots/1/wagers/progressive": 200}, "spots[1].wagers.progressive: must be 100 cents"),
    (STUD, {"spots/1/wagers/progressive": 200}, "spots[1].wagers.progressive: must be 100 cents, the wager that"),
    (STUD, {"tables/progressive": "CSTUD-10"}, "spots[0].wagers.progressive: must be 250 cents"),
    *[(THREE, {f"{name}/main": 5}, f"{name}: is given") for name in ("meters", "seeds", "reserves")],
]
# fmt: on


@pytest.mark.parametrize(("base", "change", "message"), REFUSED, ids=[f"{n}" for n in range(len(REFUSED))])
def test_a_wrong_request_is_refused_by_the_field(
    ask: Ask, base: dict[str, Any], change: dict[str, Any], message: str
) -> None:
    done = ask(changed(base, change))
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert done.err.startswith("houseway: " + message)
    assert len(done.err) < 500


def test_wrong_lines_are_answered_in_order_by_the_same_words() -> None:
    assert len(REFUSED) > 120
    lines = "".join(json.dumps(changed(base, change)) + "\n" for base, change, _ in REFUSED)
    done = subprocess.run([*SETTLE, "--lines"], input=lines, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    answers = [json.loads(line)["error"] for line in done.stdout.splitlines()]
    assert [answer[: len(row[2])] for answer, row in zip(answers, REFUSED, strict=True)] == [row[2] for row in REFUSED]


# ------------------------------------------------------------------------------------------- texts that are no request


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (b"", 2, "request: is missing"),
        (b" \r\n\t\n", 2, "request: is missing"),
        (b"{}", 2, "game: is missing"),
        (b'{"game": "three-card-poker", "game": "caribbean-stud"}', 2, "game: is there twice"),
        (b'{"game": "three-card-poker",\n "game": "caribbean-stud"}', 2, "game: is there twice"),
        (json.dumps(THREE).replace('"ante": 1000', '"ante": 1000, "ante": 1').encode(), 2, "ante: is there twice"),
        (json.dumps(THREE).replace('"ante": 1000', '"ante": NaN').encode(), 2, "request: holds NaN"),
        (json.dumps(THREE).replace('"ante": 1000', '"ante": -Infinity').encode(), 2, "request: holds -Infinity"),
        (json.dumps(THREE).replace('"ante": 1000', '"ante": 1e400').encode(), 2, "spots[0].wagers.ante: must be"),
        (json.dumps(THREE).replace('"ante": 1000', '"ante": ' + "9" * 5000).encode(), 2, "request: holds a number"),
        (json.dumps(THREE).replace("1000", "1000.0").encode(), 2, "spots[0].wagers.ante: must be"),
        (b'{"game": "\xff\xfe"}', 1, "request: is not UTF-8"),
        (json.dumps(THREE).encode("utf-16"), 1, "request: is not UTF-8"),
        (b'{"game": "three-card-poker"', 1, "request: is not JSON"),
        (b"{'game': 'three-card-poker'}", 1, "request: is not JSON"),
        (b'{"game": "three-card-poker"} {}', 1, "request: is not JSON"),
        (b'{"game": "three-card-poker",}', 1, "request: is not JSON"),
        (b"[]", 1, "request: must be a JSON object"),
        (b"null", 1, "request: must be a JSON object"),
        (b"true", 1, "request: must be a JSON object"),
        (b"17", 1, "request: must be a JSON object"),
        (b'"three-card-poker"', 1, "request: must be a JSON object"),
        (b"[" + json.dumps(THREE).encode() + b"]", 1, "request: must be a JSON object"),
        (b"<game/>", 1, "request: is not JSON"),
        (b"\x00", 1, "request: is not JSON"),
        (b'{"a":' * 100_000, 1, "request: is nested too deeply"),
        (b"[" * 100_000, 1, "request: is nested too deeply"),
    ],
    ids=lambda value: repr(value)[:40] if isinstance(value, bytes) else None,
)
def test_a_text_that_is_no_request(ask: Ask, text: bytes, code: int, message: str) -> None:
    """One JSON object that is wrong exits 2; what is no JSON object is a wrong line of JSON Lines."""
    done = ask(text)
    assert done.code == code
    if code == 2:
        assert (done.out, len(done.err.splitlines())) == ("", 1)
        assert done.err.startswith("houseway: " + message)
    else:
        assert done.err == ""
        assert done.answers[0]["error"].startswith(message)


@pytest.mark.parametrize("place", ["game", "options/equal_hands", "tables/designator", "spots/0/wagers/ante", "dealer"])
def test_no_depth_of_nesting_is_too_much(place: str) -> None:
    """Below Python's limit of 1,000 calls, around it and far above it."""
    for depth in (90, 900, 960, 980, 985, 990, 995, 1_000, 5_000, 100_000):
        text = json.dumps(changed(THREE, {place: "@"})).replace('"@"', "[" * depth + "]" * depth)
        with pytest.raises(Refusal):
            settle_text(text, approved_book())


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_answers_are_utf8_whatever_the_terminal_says(encoding: str) -> None:
    """A half of a character in a name must not stop the lines behind it."""
    lines = [
        LINE,
        json.dumps(changed(THREE, {"\ud800": 1})),
        json.dumps(changed(THREE, {"game": "\ud800"})),
        json.dumps(changed(GOW, {"spots/0/decision/\ud800": 1})),
        json.dumps(changed(GOW, {"spots/0/decision/é…": 1})),
        json.dumps(changed(THREE, {"game": "é…" * 50})),
        LINE,
    ]
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run(
        [*SETTLE, "--lines"], input="\n".join(lines).encode(), capture_output=True, env=environment, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"")
    answers = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, True, True, True, True, False]


def test_a_request_is_left_as_it_was() -> None:
    for base in (THREE, STUD, FIRST, EDGE, GOW):
        before = deepcopy(base)
        settle_object(base, approved_book())
        assert base == before
