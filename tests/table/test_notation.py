"""A round as text: the examples byte by byte, there and back, and what is refused or found wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.table.transcripts.rounds import EXAMPLES, ROUNDS

from houseway.cards import DECK_53
from houseway.games import all_games, approved_book
from houseway.refusal import Refusal
from houseway.table.card_round.state import Line
from houseway.table.event import Event
from houseway.table.notation import check_deck, in_words, parse_round, settle_record, write_round
from houseway.table.notation.form import PART, Form, blank_of, form_for, forms
from houseway.table.progressive_round.console import WORDS
from houseway.table.progressive_round.events import TableEvent

TEXTS = {name: (EXAMPLES / f"{name}.round").read_text("utf-8") for name in ROUNDS}
STUD = TEXTS["caribbean-stud-touch"]
PAI_GOW = TEXTS["six-card-pai-gow-touch"]
KEYPAD = TEXTS["caribbean-stud-keypad"]
ALONE = TEXTS["progressive-only-touch"]
FIRST_DECKS = Path(__file__).parent / "transcripts" / "deck-1"


def differences(text: str) -> list[str]:
    """Everything that a check of a text finds, by where it is."""
    record = parse_round(text)
    return [one.where for one in settle_record(record, approved_book())] + ["deck"] * len(check_deck(record))


def changed(text: str, old: str, new: str) -> str:
    """A text with one place changed; the place must be there once."""
    assert text.count(old) == 1, (old, text.count(old))
    return text.replace(old, new)


# ------------------------------------------------------------------------------------------------------------ examples


@pytest.mark.parametrize("name", ROUNDS)
def test_example_is_what_the_floor_writes(name: str, tmp_path: Path) -> None:
    """Played again on a floor of its own, a round is written in the same bytes."""
    assert write_round(ROUNDS[name](tmp_path)) == TEXTS[name]


@pytest.mark.parametrize("name", ROUNDS)
def test_example_comes_back_and_settles_to_the_same_cents(name: str) -> None:
    record = parse_round(TEXTS[name])
    assert write_round(record) == TEXTS[name]
    assert settle_record(record, approved_book()) == []
    assert check_deck(record) == []


@pytest.mark.parametrize("file", sorted(FIRST_DECKS.glob("*.round")), ids=lambda file: file.stem)
def test_round_of_before_players_added_to_their_deck_stays_readable_and_checkable(file: Path) -> None:
    text = file.read_text("utf-8")
    record = parse_round(text)
    assert write_round(record) == text
    assert settle_record(record, approved_book()) == []
    assert check_deck(record) == []
    assert all(in_words(record))
    opened = next(one for one in text.splitlines() if one.startswith("open "))
    assert "deck" in differences(changed(text, opened[:10], f"{opened[:9]}{'0' if opened[9] != '0' else '1'}"))
    promised = next(one for one in text.splitlines() if one.startswith("commit "))
    assert "deck" in differences(changed(text, f"{promised}\n", ""))


def test_examples_are_of_every_game_and_both_consoles() -> None:
    found = {(record.game, record.console) for record in map(parse_round, TEXTS.values()) if record.kind == "virtual"}
    assert found >= {(game, console) for game in all_games() for console in WORDS}
    assert {path.stem for path in EXAMPLES.iterdir()} == set(ROUNDS)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (
            "caribbean-stud-touch",
            "CONFIRM 6 royal_flush win 36: meter 10002.10 tray 0.00 of main holding 10002.10 by eve",
        ),
        ("caribbean-stud-touch", "pay 4 cover_all win 5.00 -> 1255.00"),
        ("caribbean-stud-touch", "decide 2 fold"),
        ("caribbean-stud-touch", "envy 2 1000.00 for 6"),
        ("caribbean-stud-keypad", "J-POT 3 royal_flush win 39: meter 9001.89 tray 0.00 of main holding 9001.89 by sam"),
        ("six-card-pai-gow-touch", "decide 5 set low Kd double 25.00"),
        ("six-card-pai-gow-touch", "pay 3 fortune_envy win 0.00 -> 15.00 envy 15.00"),
        ("straight-edge-2-keypad", "decide 2 fold because left"),
        ("void-keypad", 'shuffler "failed" note "it says \\"no cards\\""'),
        ("void-keypad", 'void "the shuffler stopped after two packets" returning 2.00 malfunction'),
        ("physical-cards-keypad", 'count 4 in "the chip lay beside the sensor"'),
        ("progressive-only-touch", 'undo 6 win 13 "the wrong button"'),
    ],
)
def test_example_shows(name: str, line: str) -> None:
    assert f"\n{line}" in TEXTS[name]


@pytest.mark.parametrize("name", ROUNDS)
def test_console_speaks_its_own_words(name: str) -> None:
    record = parse_round(TEXTS[name])
    own = {"keypad": ("COIN IN", "GAME OVER"), "touch": ("START GAME", "END GAME")}
    other = "touch" if record.console == "keypad" else "keypad"
    told = "\n".join(in_words(record))
    for text in (TEXTS[name], told):
        # COIN IN and START GAME lock the progressive's wagers in.
        assert own[record.console][0 if record.link else 1] in text
        assert not any(word in text for word in own[other])


@pytest.mark.parametrize("name", ROUNDS)
def test_every_step_has_words(name: str) -> None:
    record = parse_round(TEXTS[name])
    told = list(in_words(record))
    assert len(told) == len(record.steps) + 1
    assert all(one.endswith((".", '."')) and "_" not in one.replace("J_POT", "") for one in told)


# -------------------------------------------------------------------------------------------------------- found wrong


@pytest.mark.parametrize(
    ("text", "old", "new", "where"),
    [
        (STUD, "pay 6 bet win 20.00 -> 2020.00", "pay 6 bet win 20.00 -> 2020.01", "spot 6 pay bet"),
        (STUD, "pay 4 cover_all win 5.00 -> 1255.00", "pay 4 cover_all lose 5.00 -> 0.00", "spot 4 pay cover_all"),
        (STUD, "hand 4 \"two pair, nines and fours\" win", 'hand 4 "two pair, nines and fours" push', "spot 4 hand"),
        (STUD, 'reveal "ace king high" plays', 'reveal "ace king high" does not play', "reveal"),
        (STUD, "reconcile 6 ante bet: 30.00 -> 2040.00", "reconcile 6 ante bet: 30.00 -> 2040.01", "spot 6 reconcile"),
        (STUD, "column 4", "column 3", "shuffle"),
        (STUD, "decide 2 fold", "decide 2 play", "spot 2 collect"),
        (STUD, "envy 2 1000.00 for 6\n", "", "spot 2 envy"),
        (STUD, "envy 4 1000.00 for 6", "envy 4 1000.01 for 6", "spot 4 envy"),
        (STUD, "see 6 royal_flush\n", "", "spot 6 see"),
        (STUD, "meter 10002.10 tray 0.00", "meter 10002.11 tray 0.00", "spot 6 CONFIRM"),
        (STUD, "paid 6 win 36 reseeded", "paid 6 win 36", "spot 6 paid"),
        (STUD, "CONFIRM 6 royal_flush", "CONFIRM 6 straight_flush", "spot 6 CONFIRM"),
        (STUD, "bet 2 progressive 1.00 by Bo\n", "", "START GAME"),
        (STUD, "START GAME 2 4 6 at 1.00", "START GAME 2 4 6 at 2.00", "spot 2 bet progressive"),
        (STUD, "9a335a74d29c164a", "9a335a74d29c164b", "pays.progressive"),
        (STUD, 'pays.bonus = ["CPSB-01", "6ed0faea207024da"]\n', "", "spot 4 bet bonus"),
        (STUD, "deal 2: 7c 8d 2s 3h Jc", "deal 2: 7d 8d 2s 3h Jc", "deck"),
        (STUD, "6s 7d 4c Qc", "7d 6s 4c Qc", "deck"),
        (STUD, "open seed 5822", "open seed 5823", "deck"),
        (STUD, "seed aab9", "seed aaba", "deck"),
        (STUD, '"seven come eleven"', '"seven come twelve"', "deck"),
        (STUD, 'player seed 2 "seven come eleven" by Bo\n', "", "deck"),
        (STUD, "seeds 2 4 6", "seeds 2 4 house alone 6", "deck"),
        (STUD, " stacked", "", "deck"),
        (STUD, "stack 4: 9c 9d", "stack 4: 9d 9c", "deck"),
        (STUD, "face up 3c", "face up 5h", "deck"),
        (PAI_GOW, "house alone 1 3", "house alone 1", "deck"),
        (KEYPAD, "meter 1000.21 tray 0.00 of", "meter 10002.10 tray 0.00 of", "spot 5 J-POT"),
        (KEYPAD, "reconcile 5 bonus: 1.00 -> 201.00\n", "", "spot 3 reconcile"),
        (STUD, "collect 2 ante: 10.00 and 5 cards\n", "", "reveal"),
        (STUD, "collect 2 ante: 10.00 and 5 cards", "collect 2 ante: 10.01 and 5 cards", "spot 2 collect"),
        (STUD, "collect 2 ante: 10.00 and 5 cards", "collect 2 ante: 10.00 and 4 cards", "spot 2 collect"),
        (PAI_GOW, "decide 5 set low Kd double 25.00", "decide 5 set low Kd", "spot 5 pay double_down"),
        (PAI_GOW, "decide 5 set low Kd double 25.00", "decide 5 set low Kh double 25.00", "spot 5 decide"),
        (PAI_GOW, "start 4", "start 5", "deck"),
        (PAI_GOW, "start 4", "start 9", "start"),
        (PAI_GOW, "decide 1 house_way\n", "", "reveal"),
        (PAI_GOW, "pay 3 fortune_envy win 0.00 -> 15.00 envy 15.00", "pay 3 fortune_envy win 0.00 -> 25.00 envy 25.00",
         "spot 3 pay fortune_envy"),
        (ALONE, "tray 300.00", "tray 301.00", "spot 6 CONFIRM"),
        (ALONE, "CONFIRM 6 four_of_a_kind win 17", "CONFIRM 4 four_of_a_kind win 17", "spot 4 CONFIRM"),
        (TEXTS["void-keypad"], "returning 2.00", "returning 1.00", "void"),
        (TEXTS["physical-cards-keypad"], "enter dealer: Qd 6h 2c", "enter dealer: Qd Qh 2c", "reveal"),
        (TEXTS["physical-cards-keypad"], "bet 4 progressive 1.00 by Dee\n", "", "spot 4 bet progressive"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(text: str, old: str, new: str, where: str) -> None:
    assert where in differences(changed(text, old, new))


@pytest.mark.parametrize(
    ("text", "step", "before"),
    [
        (STUD, "no more bets\n", "sit 2"),
        (STUD, "START GAME 2 4 6 at 1.00\n", "deal 2"),
        (STUD, "deal 2: 7c 8d 2s 3h Jc\n", "shuffle"),
        (STUD, "bet 2 ante 10.00 by Bo\n", "seed aab9"),
        (
            STUD,
            'player seed 4 "4444444444444444444444444444444444444444444444444444444444444444" by Dee\n',
            "seed aab9",
        ),
        (STUD, "face up 3c\n", "deal 4"),
        (STUD, "decide 2 fold\n", "deal 2"),
        (STUD, 'reveal "ace king high" plays\n', "decide 2"),
        (STUD, "envy 4 1000.00 for 6\n", "reconcile 6 ante"),
        (STUD, "paid 6 win 36 reseeded\n", "CONFIRM"),
        (STUD, "CONFIRM 6 royal_flush win 36: meter 10002.10 tray 0.00 of main holding 10002.10 by eve\n", "name 6"),
        (PAI_GOW, "deal 3: Ac Ad Jh Js 4c Qd\n", "deal empty: 6d"),
        (PAI_GOW, "bet 5 fortune 5.00 by Eli\n", "shuffle"),
    ],
)
def test_step_that_comes_too_early_or_late_is_found(text: str, step: str, before: str) -> None:
    moved = changed(text, step, "").replace(f"\n{before}", f"\n{step}{before}", 1)
    assert sorted(moved) == sorted(text)
    assert moved != text
    assert differences(moved)


@pytest.mark.parametrize(
    ("text", "step", "where"),
    [
        (STUD, "decide 4 play\n", "spot 4 decide"),
        (STUD, "no more bets\n", "no more bets"),
        (STUD, "see 6 royal_flush\n", "spot 6 see"),
        (STUD, "name 6 royal_flush 100% from main by dana\n", "spot 6 name"),
        (STUD, "paid 6 win 36 reseeded\n", "spot 6 paid"),
        (STUD, "collect 2 ante: 10.00 and 5 cards\n", "spot 2 collect"),
        (STUD, 'pay 2 ante lose 10.00 -> 0.00 "folded"\n', "spot 2 pay ante"),
        (ALONE, 'undo 6 win 13 "the wrong button"\n', "spot 6 undo"),
    ],
)
def test_step_that_is_there_twice_is_found(text: str, step: str, where: str) -> None:
    assert where in differences(changed(text, step, step + step))


@pytest.mark.parametrize(
    ("text", "old", "new", "where"),
    [
        (STUD, "no more bets\n", "", "START GAME"),
        (STUD, "holding 10002.10 by eve", "holding 10002.10 by dana", "spot 6 CONFIRM"),
        (STUD, "name 6 royal_flush 100% from main", "name 6 royal_flush 10% from main", "spot 6 name"),
        (STUD, "bet 4 bonus 5.00 by Dee", "bet 4 bonus 5.00 by Bo", "spot 4 bet bonus"),
        (ALONE, 'undo 6 win 13 "the wrong button"\n', "", "spot 6 name"),
        (ALONE, 'drop 4 "pressed again"\n', "", "END GAME"),
        (PAI_GOW, "deal empty: Tc 6c Jk Kc 8s 8h\n", "", "empty deal"),
        (PAI_GOW, "show 3: Ac Ad Jh Js 4c / Qd", "show 3: Ac Ad Jh Js Qd / 4c", "spot 3 show"),
        (TEXTS["straight-edge-2-keypad"], " held for Bo", "", "spot 2 reconcile"),
        (TEXTS["void-keypad"], "COIN IN 1 6 at 1.00\n", "", "spot 6 deal"),
    ],
)
def test_what_a_table_would_not_do_is_found(text: str, old: str, new: str, where: str) -> None:
    assert where in differences(changed(text, old, new))


def test_order_of_reconciling_is_the_games_own() -> None:
    first, second = "reconcile 6 ante bet: 30.00 -> 2040.00\n", "reconcile 4 ante bet bonus: 80.00 -> 220.00\n"
    assert differences(changed(STUD, first + second, second + first)) == ["spot 4 reconcile"]


@pytest.mark.clause("CS-5", "CS-11", "TC-15")
def test_a_forfeit_is_collected_before_the_reveal_and_where_the_game_says_so_after_every_decision() -> None:
    """Caribbean Stud takes it as a spot folds, or later; Three Card Poker after all have decided; nobody afterwards."""
    three_card = TEXTS["three-card-poker-touch"]
    stud_forfeit, card_forfeit = "collect 2 ante: 10.00 and 5 cards\n", "collect 1 ante pair_plus: 15.00 and 3 cards\n"
    at_once = changed(changed(STUD, stud_forfeit, ""), "decide 2 fold\n", f"decide 2 fold\n{stud_forfeit}")
    assert differences(at_once) == []
    too_early = changed(changed(three_card, card_forfeit, ""), "decide 1 fold\n", f"decide 1 fold\n{card_forfeit}")
    assert differences(too_early) == ["spot 1 collect"]
    seen = "see 6 royal_flush\n"
    assert "reveal" in differences(changed(changed(STUD, stud_forfeit, ""), seen, f"{stud_forfeit}{seen}"))
    not_folded = changed(changed(STUD, stud_forfeit, ""), "decide 2 fold\n", f"{stud_forfeit}decide 2 fold\n")
    assert differences(not_folded) == ["spot 2 collect"]


@pytest.mark.clause("CS-7", "SE2-4")
@pytest.mark.parametrize(
    ("name", "first", "then"),
    [
        ("caribbean-stud-keypad", "reconcile 1 ante bet: 45.00 -> 60.00\n", "reconcile 5 bonus: 1.00 -> 201.00\n"),
        (
            "no-hand-cards-touch",
            "reconcile 3 ante: 10.00 -> 10.00\n",
            "reconcile 5 play blind insurance: 35.00 -> 60.00\n",
        ),
    ],
)
def test_without_a_hand_one_pass_around_the_table_comes_before_anything_else(name: str, first: str, then: str) -> None:
    assert first + then in TEXTS[name], "the last step of the pass, then the first one after it"
    assert differences(changed(TEXTS[name], first + then, then + first)) == ["order"]


def test_reason_in_words_is_not_what_is_compared() -> None:
    assert differences(changed(STUD, '"folded"', '"the hand was folded"')) == []


def test_unknown_pay_table_is_refused() -> None:
    with pytest.raises(Refusal, match="HOUSE-9"):
        differences(changed(STUD, '["CPSB-01"', '["HOUSE-9"'))


@pytest.mark.clause("PR-A1", "PR-18")
def test_house_option_in_the_head_decides() -> None:
    without = changed(STUD, "pays.bet", "option.folded_wins_envy = false\npays.bet")
    assert differences(without) == ["spot 2 envy"]
    assert differences(changed(without, "envy 2 1000.00 for 6\n", "")) == []


@pytest.mark.clause("FL-25")
def test_aggregate_limit_in_the_head_shares_out() -> None:
    limited = changed(STUD, "link =", 'aggregate.cover_all = "1000.00"\nlink =')
    assert set(differences(limited)) == {
        *("spot 4 pay cover_all", "spot 6 pay cover_all", "spot 4 reconcile", "spot 6 reconcile"),
    }
    assert {one.gives for one in settle_record(parse_round(limited), approved_book()) if "spot 6 pay" in one.where} == {
        'pay 6 cover_all win 5.00 -> 505.00 "wins on the highest hand at the table; the posted aggregate payout limit '
        'shares it out"'
    }


# ------------------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("houseway round 1", "houseway round 2", 1, "houseway round 1"),
        ('game = "caribbean-stud"', 'game = "whist"', 7, "not a game"),
        ('console = "touch"', 'console = "crank"', 9, "keypad or touch"),
        ("round = 1\n", "round = 0\n", 4, "above 0"),
        ("round = 1\n", "round = one\n", 4, "JSON"),
        ('day = "2026-03-01"', 'day = "2026-02-30"', 5, "a day"),
        ('site = "DEMONSTRATION · Demonstration house"\n', "", 19, "site is missing"),
        (
            'site = "DEMONSTRATION · Demonstration house"',
            'sight = "DEMONSTRATION · Demonstration house"',
            2,
            "not a fact",
        ),
        ('site = "DEMONSTRATION · Demonstration house"', "DEMONSTRATION · Demonstration house", 2, "not a fact"),
        ('seed.main = "10000.00"', 'seed.main = "10000"', 19, "amount"),
        ('pays.bet = ["standard", ', 'pays.bet = ["standard", 1, ', 13, "pay table"),
        ('pays.bet = ["standard", ', 'plays.bet = ["standard", ', 13, "no names"),
        ("pays.bet", "option.two_decks = true\npays.bet", 13, "not a house option"),
        ("site =", "option.folded_wins_envy = false\nsite =", 2, "before the game"),
        ("sit 2 Bo", "sits 2 Bo", 21, "not a step"),
        ("sit 2 Bo", "sit 7 Bo", 21, "spot 7"),
        ("sit 2 Bo", 'sit 2 "Bo"', 21, "sit 2 Bo"),
        ("sit 2 Bo", "sit 02 Bo", 21, "sit 2 Bo"),
        ("sit 2 Bo", " sit 2 Bo", 21, "not a step"),
        ("bet 2 ante 10.00 by Bo", "bet 2 ante 10 by Bo", 24, "bet SPOT WAGER CENTS by PLAYER"),
        ("bet 2 ante 10.00 by Bo", "bet 2 aunt 10.00 by Bo", 24, "aunt"),
        ("START GAME 2 4 6", "COIN IN 2 4 6", 42, "touch"),
        ("deal 2: 7c 8d 2s 3h Jc", "deal 2: 7c 8d 2s 3h", 44, "4 cards where 5"),
        ("deal 2: 7c 8d 2s 3h Jc", "deal 2: 7c 8d 2s 3h Jk", 44, "Jk is not in the deck"),
        ("deal 2: 7c 8d 2s 3h Jc", "deal 2: 7c 8d 2s 3h 1c", 44, "1c"),
        ("deal 2: 7c 8d 2s 3h Jc", "deal 2: 7c 8d 2s 3h Ah", 46, "Ah is in this round already"),
        ("deal 4: 9c 9d 4s 4h 2c", "deal 2: 9c 9d 4s 4h 2c", 45, "second packet"),
        ("END GAME\n", "", 77, "has not ended"),
        ("END GAME\n", "END GAME\nEND GAME\n", 78, "ends once"),
        ("END GAME\n", "END GAME\nno more bets\n", 78, "after the end"),
        ("END GAME\n", "END GAME", 77, "new line"),
        ("\n\nsit", "\nsit", 77, "an empty line"),
    ],
)
def test_refused_with_its_line(old: str, new: str, line: int, says: str) -> None:
    with pytest.raises(Refusal) as raised:
        parse_round(changed(STUD, old, new))
    assert raised.value.field == f"line {line}", str(raised.value)
    assert says in raised.value.sentence


@pytest.mark.parametrize(
    "twice", ['site = "DEMONSTRATION · Demonstration house"', "spots = 6", 'seed.main = "10000.00"']
)
def test_a_fact_stands_once(twice: str) -> None:
    with pytest.raises(Refusal, match="line"):
        parse_round(changed(STUD, twice, f"{twice}\n{twice}"))


@pytest.mark.parametrize("value", ["1", '"yes"', "null"])
def test_an_option_has_an_allowed_value(value: str) -> None:
    with pytest.raises(Refusal, match="line 13: folded_wins_envy must be true or false"):
        parse_round(changed(STUD, "pays.bet", f"option.folded_wins_envy = {value}\npays.bet"))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_broken_text_is_refused_or_canonical(data: st.DataObject) -> None:
    """Whatever is cut out, doubled or changed: one Refusal, or the one text of another round."""
    text = TEXTS[data.draw(st.sampled_from(sorted(TEXTS)))]
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 40)))
    put = data.draw(st.one_of(st.just(""), st.just(text[start:stop] * 2), st.text(max_size=5)))
    broken = text[:start] + put + text[stop:]
    where = "line "
    try:
        record = parse_round(broken)
        assert write_round(record) == broken
        # Whatever else it says, it can be told and checked, unless nobody knows its pay table.
        assert list(in_words(record))
        check_deck(record)
        settle_record(record, approved_book())
    except Refusal as refusal:
        where = refusal.field
    assert where.startswith(("line ", "pays."))


# ------------------------------------------------------------------------------------------------- every kind of line

CARD = st.sampled_from(DECK_53)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "number": st.integers(1, 99),
    "who": st.integers(-2, 99),
    "spot": st.integers(1, 99),
    "spots": st.lists(st.integers(1, 99), max_size=4).map(tuple),
    "keys": st.sets(st.integers(1, 99), max_size=4).map(lambda spots: dict.fromkeys(sorted(spots), "")),
    "seeds": st.dictionaries(
        st.integers(1, 99), st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=12)
    ),
    "chosen": st.sampled_from(({}, {0: ()})),
    "flag": st.booleans(),
    "places": st.lists(st.integers(0, 98), max_size=4).map(tuple),
    "micros": st.integers(1, 10**12).map(lambda cents: cents * 10_000),
    "money": st.integers(1, 10**12),
    "name": st.text(st.characters(exclude_categories=("Cs",)), max_size=12),
    "wagers": st.lists(st.from_regex(r"[a-z_]{1,9}", fullmatch=True).filter(lambda name: name != "none")).map(tuple),
    "wager": st.text(st.characters(exclude_categories=("Cs",)), max_size=12),
    "text": st.text(st.characters(exclude_categories=("Cs",)), max_size=20),
    "hex": st.from_regex(r"[0-9a-f]{64}", fullmatch=True),
    "cards": st.lists(CARD, min_size=1, max_size=7, unique=True).map(tuple),
    "card": CARD,
    "action": st.sampled_from(("none", "play", "fold", "low", "house_way", "3x")),
    "result": st.sampled_from(("win", "push", "lose", "fold", "foul")),
    "how": st.sampled_from(("left", "time", "no choice")),
    "inout": st.booleans(),
    "plays": st.booleans(),
    "line": st.builds(
        lambda wager, result, amounts, why: {
            wager: Line(result=result, wagered=amounts[0], returned=amounts[1], envy=amounts[2], why=why)
        },
        st.text(st.characters(exclude_categories=("Cs",)), max_size=12),
        st.sampled_from(("win", "push", "lose", "fold", "foul")),
        st.tuples(*[st.integers(0, 10**12)] * 3),
        st.text(st.characters(exclude_categories=("Cs",)), max_size=20),
    ),
}


KINDS = {form.text: (kind, place) for kind, of in forms("touch").items() for place, form in enumerate(of)}


def filled(kind: Any, values: dict[str, Any]) -> Any:
    """An event with these values, by path, and nothing else in it."""
    parts: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        head, _, name = path.rpartition(".")
        parts.setdefault(head, {})[name] = value
    blank = blank_of(kind)
    inner = {head: replace(getattr(blank, head), **of) for head, of in parts.items() if head}
    return replace(blank, **parts.get("", {}), **inner)


@st.composite
def steps(draw: st.DrawFn, form: Form) -> Event:
    """Any event of one form; what may be left out is there as a whole or not at all."""
    values: dict[str, Any] = {}
    for part in PART.findall(form.text):
        if part.startswith("[") and draw(st.booleans()):
            continue
        for path, codec in re.findall(r"\{([\w.]+):(\w+)\}", part):
            values[path] = draw(VALUES[codec])
    return filled(form.kind, values)


@settings(max_examples=30, deadline=None)
@given(data=st.data(), console=st.sampled_from(("keypad", "touch")))
@pytest.mark.parametrize("text", KINDS)
def test_every_line_comes_back(text: str, data: st.DataObject, console: Any) -> None:
    kind, place = KINDS[text]
    form = forms(console)[kind][place]
    step = data.draw(steps(form))
    line = form.write(step)
    assert "\n" not in line
    every = [other for of in forms(console).values() for other in of]
    assert [event for other in every if (event := other.parse(line)) is not None] == [step]
    assert form_for(step, console) == form


def test_every_line_is_documented() -> None:
    page = (EXAMPLES.parents[1] / "docs" / "rounds.md").read_text("utf-8")
    verbs = {form.verb for console in WORDS for of in forms(console).values() for form in of}
    assert {verb for verb in verbs if f"`{verb}" not in page} == set()


def test_every_event_of_a_table_has_a_line_or_tells_itself_by_another() -> None:
    without = {kind.__name__ for kind in TableEvent.kinds() if not kind.TEXT}
    assert without == {"SpotDecided"}
