"""The win page: every way a win can come about, what is on record of it, and the document."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typst
from tests.keys import KEYS
from tests.manager.floor_kit import House, pay_table
from tests.manager.test_reports import command

from houseway.books import pdf
from houseway.books.win_page import duration, win_document, win_page_pdf, win_sections
from houseway.books.win_record import WinMoment, WinPerson, WinRecord, win_record
from houseway.commands import reports as commands
from houseway.manager.signing import pem_of
from houseway.manager.state import load_state
from houseway.manager.store import open_store
from houseway.refusal import Damaged, Refusal
from houseway.table.progressive_round import commands as felt


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Any]:
    made = House(tmp_path, tables=2, console={"T1": "touch", "T2": "keypad"}, reserve="5%")
    yield made
    made.floor.close()


def lines(record: WinRecord) -> dict[str, dict[str, str]]:
    return {title: dict(rows) for title, rows in win_sections(record)}


def shown(record: WinRecord, label: str) -> list[str]:
    """What the document really shows under a label, in order."""
    found = typst.query(pdf.template("win_page"), f"<{label}>", sys_inputs={"data": json.dumps(win_document(record))})
    return [_text(one) for one in json.loads(found)]


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(map(_text, content))
    if not isinstance(content, dict):
        return ""
    if content.get("func") == "space":
        return " "
    return str(content.get("text", "")) or "".join(_text(content.get(part)) for part in ("body", "children", "child"))


# ---------------------------------------------------------------------------------------------- the ways of a win


@pytest.mark.clause("PR-22")
def test_a_win_of_the_whole_meter_on_a_touch_console(house: Any) -> None:
    house.coin_in("T1", 1, 3, 5)
    named = house.name("T1", 3, "royal_flush").seq
    house.clock.later(133)
    house.arrive("T1")
    house.clock.later(60)
    number = house.confirm("T1", 3).seq
    record = win_record(house.store, number)
    assert (record.number, record.hash, record.intact) == (number, house.store.entry(number).hash, True)
    assert (record.link, record.link_name, record.meter) == ("L1", "Link L1", "main")
    assert (record.table, record.game, record.console) == ("T1", "caribbean-stud", "touch")
    assert (record.round, record.spot, record.hand, record.hand_words) == (1, 3, "royal_flush", "royal flush")
    assert (record.pay_table, record.row) == ("progressive CSTUD-01", "royal flush: 100% of meter main")
    assert (record.wager_cents, record.amount_cents, record.from_meter_cents) == (100, 1_000_210, 1_000_210)
    assert (record.from_tray_cents, record.shortfall_cents) == (0, 0)
    assert (record.meter_before_micros, record.meter_after_micros) == (10_002_100_000, 10_000_150_000)
    assert (record.reseeded, record.seed_micros, record.from_reserve_micros) == (True, 10_000_000_000, 150_000)
    assert record.named is not None
    assert (str(record.named.by), record.named.entry) == ("D1 (d1)", named)
    assert (record.confirmed.by.id, record.confirmed.entry, record.paid) == ("e1", number, record.confirmed)
    assert (record.arrived_after_microseconds, record.confirmed_after_microseconds) == (133_000_000, 193_000_000)
    assert (record.day, record.late, record.status, record.undone, record.envy) == (
        "2026-03-01",
        False,
        "paid",
        None,
        (),
    )
    assert (record.tax_form, record.surveillance, record.verified) == (True, False, None)
    assert record.confirmed.when == WinMoment(
        1_772_424_193_000_000,
        "2026-03-02 04:03:13 UTC",
        "2026-03-01 20:03:13 PST",
    )


@pytest.mark.clause("PR-22")
def test_on_the_keypad_a_win_is_logged_and_then_paid(house: Any) -> None:
    """PR-16: J-POT and RUN are two entries; the page finds both, by the number of the first."""
    house.coin_in("T2", 2)
    house.name("T2", 2, "full_house")
    number = house.j_pot("T2", 2, by="s1").seq
    between = win_record(house.store, number)
    assert (between.amount_cents, between.status, between.paid) == (10_000, "logged at J-POT, not yet paid", None)
    assert (between.meter_before_micros, between.meter_after_micros) == (None, None)
    assert "Meter" not in lines(between)
    house.clock.later(20)
    paid = house.run("T2", by="s2").seq
    record = win_record(house.store, number)
    assert record.paid is not None
    assert (record.status, record.paid.entry, record.paid.by.id) == ("paid", paid, "s2")
    assert (record.meter_before_micros, record.meter_after_micros) == (10_000_700_000, 9_900_700_000)
    assert lines(record)["People"]["meter adjusted by"] == "S2 (s2)"
    assert (record.number, record.hash) == (between.number, between.hash)


def test_a_second_win_of_the_round_has_a_page_of_its_own(house: Any) -> None:
    house.coin_in("T2", 2, 4)
    first, second = house.win("T2", 4, "full_house"), house.win("T2", 2, "flush")
    for number, cents, before in ((first, 10_000, 10_001_400_000), (second, 5_000, 9_901_400_000)):
        record = win_record(house.store, number)
        assert (record.amount_cents, record.meter_before_micros) == (cents, before)
        assert record.paid is not None
        assert record.paid.entry == number + 1


def test_a_claim_that_was_taken_back_and_named_again_shows_who_named_it_last(house: Any) -> None:
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush", by="d1")
    house.clock.later(5)
    house.name("T1", 1, "flush", by="d1")
    house.clock.later(5)
    named = house.name("T1", 1, "flush", by="d2").seq
    record = win_record(house.store, house.confirm("T1", 1).seq)
    assert record.named is not None
    assert (record.named.by.id, record.named.entry) == ("d2", named)


def test_an_award_from_the_tray_has_no_meter(tmp_path: Path) -> None:
    house = House(tmp_path, table="CSTUD-14")
    house.coin_in("T1", 1)
    record = win_record(house.store, house.win("T1", 1, "straight"))
    assert (record.meter, record.from_meter_cents, record.from_tray_cents) == ("", 0, 3_000)
    assert (record.meter_before_micros, record.meter_after_micros) == (None, None)
    assert lines(record)["Paid from"] == {"tray": "$30.00"}
    house.floor.close()


@pytest.mark.clause("PR-22")
def test_a_meter_that_runs_dry_shows_what_the_house_paid(tmp_path: Path) -> None:
    """PR-7."""
    house = House(tmp_path, seed=20_00)
    house.coin_in("T1", 1)
    record = win_record(house.store, house.win("T1", 1, "full_house"))
    assert (record.amount_cents, record.from_meter_cents) == (10_000, 2_070)
    assert (record.from_tray_cents, record.shortfall_cents) == (0, 7_930)
    assert lines(record)["Paid from"] == {"meter main": "$20.70", "house, for what the meter lacked": "$79.30"}
    house.floor.close()


def test_parts_of_a_cent_on_the_meter_are_shown(tmp_path: Path) -> None:
    house = House(tmp_path, contribution="12.34%")
    house.coin_in("T1", 1)
    record = win_record(house.store, house.win("T1", 1, "royal_flush"))
    assert record.amount_cents == 1_000_012
    assert lines(record)["Meter"] == {
        "main before": "$10,000.1234",
        "award": "-$10,000.12",
        "seed": "$10,000.00",
        "from its reserve": "$0.00",
        "main after": "$10,000.0034",
    }
    house.floor.close()


def test_envy_is_listed_spot_by_spot_and_only_that_of_this_win(tmp_path: Path) -> None:
    house = House(tmp_path, table="CSTUD-15")
    house.coin_in("T1", 1, 2, 5)
    numbers = [house.win("T1", 5, "royal_flush"), house.win("T1", 1, "straight_flush"), house.win("T1", 2, "flush")]
    assert win_record(house.store, numbers[0]).envy == ()
    house.end("T1")
    envy = [{one.spot: one.cents for one in win_record(house.store, number).envy} for number in numbers]
    assert envy == [{2: 100_000, 1: 100_000}, {5: 30_000, 2: 30_000}, {}]
    house.floor.close()


def test_a_verification_by_surveillance(tmp_path: Path) -> None:
    """FL-18."""
    house = House(tmp_path, washington=True)
    house.coin_in("T1", 1)
    number = house.win("T1", 1, "royal_flush")
    record = win_record(house.store, number)
    assert (record.surveillance, record.verified) == (True, None)
    assert lines(record)["Verification"]["surveillance"] == "needed, not yet verified"
    house.clock.later(60)
    verified = house.verify("T1", number)
    record = win_record(house.store, number)
    assert record.verified is not None
    assert (record.verified.observer, record.verified.player) == ("O1", "P. Layer")
    assert record.verified.recorded.entry == verified.seq
    assert "surveillance" in win_document(record)["signatures"]
    house.floor.close()


def test_a_win_that_was_undone_says_by_what(house: Any) -> None:
    """PR-23: the page of the win names the adjustment, and the win stays on it."""
    house.coin_in("T1", 1)
    number = house.win("T1", 1, "full_house")
    house.end("T1")
    house.clock.set("2026-03-04 10:00")
    undone = house.undo(number).seq
    record = win_record(house.store, number)
    assert record.undone is not None
    assert (record.undone.deed.entry, record.undone.deed.by.id) == (undone, "m1")
    assert (record.undone.deed.second, record.undone.explanation) == (WinPerson("m2", "M2"), "the hand was misread")
    assert (record.status, record.amount_cents) == (f"undone by entry {undone}", 10_000)
    assert shown(record, "status") == [f"UNDONE BY ENTRY {undone}"]


def test_a_win_paid_late(house: Any) -> None:
    """PR-36."""
    house.coin_in("T1", 1, 2)
    house.end("T1")
    house.clock.set("2026-03-03 09:00")
    number = house.pay_late("T1", 1, 2, "full_house").seq
    record = win_record(house.store, number)
    assert (record.late, record.status, record.evidence) == (True, "paid late", "camera 4, 20:15")
    assert (record.table, record.round, record.spot, record.day) == ("T1", 1, 2, "2026-03-03")
    assert (record.amount_cents, record.wager_cents, record.from_meter_cents) == (10_000, 100, 10_000)
    assert (record.named, record.confirmed.by.id, record.confirmed.second) == (None, "m1", WinPerson("m2", "M2"))
    assert record.row == "full house: $100.00 for $1.00"
    assert lines(record)["Verification"]["surveillance"].startswith("none on record")


def test_a_late_win_from_the_tray(tmp_path: Path) -> None:
    house = House(tmp_path, table="CSTUD-14")
    house.coin_in("T1", 1)
    house.end("T1")
    record = win_record(house.store, house.pay_late("T1", 1, 1, "straight").seq)
    assert (record.meter, record.from_tray_cents, record.shortfall_cents) == ("", 3_000, 0)
    house.floor.close()


def test_the_page_shows_the_terms_the_round_was_played_under(house: Any) -> None:
    """PR-3: whatever was configured since."""
    from msgspec.structs import replace

    house.coin_in("T1", 1)
    number = house.win("T1", 1, "full_house")
    house.end("T1")
    before = win_record(house.store, number)
    link = house.config.links[0]
    other = pay_table("CSTUD-05")
    changed = replace(link, name="Renamed", terms=replace(link.terms, table=other))
    policies = replace(house.config.policies, site="Another name", time_zone="America/New_York")
    house.reconfigure(replace(house.config, links=(changed,), policies=policies))
    assert win_record(house.store, number) == before
    house.coin_in("T1", 1)
    record = win_record(house.store, house.win("T1", 1, "full_house"))
    assert (record.pay_table, record.amount_cents, record.site) == ("progressive CSTUD-05", 5_000, "Another name")
    assert record.confirmed.when.local.endswith("EST")


def test_rows_that_are_no_hands_are_said_in_words(tmp_path: Path) -> None:
    house = House(tmp_path, table="TWBB-1", game="straight-edge")
    house.coin_in("T1", 1)
    record = win_record(house.store, house.win("T1", 1, "6"))
    assert record.row == f"{record.hand_words}: 250 for 1"
    assert record.hand_words.endswith("6")
    house.floor.close()


@pytest.mark.parametrize(
    ("at", "local"),
    [
        ("2026-11-01 01:30", "2026-11-01 01:30:00 PDT"),
        ("2026-03-08 03:00", "2026-03-08 03:00:00 PDT"),
    ],
)
def test_times_are_by_the_clock_as_it_stood(tmp_path: Path, at: str, local: str) -> None:
    house = House(tmp_path, at=at)
    house.coin_in("T1", 1)
    assert win_record(house.store, house.win("T1", 1, "flush")).confirmed.when.local == local
    house.clock.later(3_600)
    later = win_record(house.store, _next_win(house)).confirmed.when.local
    assert later == local.replace("PDT", "PST") if "11-01" in local else local.replace("03:00", "04:00")
    house.floor.close()


def _next_win(house: Any) -> int:
    house.end("T1")
    house.coin_in("T1", 1)
    return house.win("T1", 1, "flush")


# ----------------------------------------------------------------------------------------------- what is no win


def test_a_number_that_is_no_win_is_refused_and_says_what_it_is(house: Any) -> None:
    locked = house.coin_in("T2", 1).seq
    house.name("T2", 1, "flush")
    win = house.j_pot("T2", 1).seq
    paid = house.run("T2").seq
    for number, says in (
        (locked, f"there is no win {locked}: entry {locked} is a lock in"),
        (paid, f"there is no win {paid}: entry {paid} belongs to win {win}"),
        (0, "there is no win 0: the journal has the entries 1 to"),
        (-5, "there is no win -5"),
        (paid + 1, f"there is no win {paid + 1}"),
        (10**30, "there is no win"),
    ):
        with pytest.raises(Refusal) as refused:
            win_record(house.store, number)
        assert refused.value.field == "win"
        assert says in refused.value.sentence


def test_a_floor_that_does_not_exist_has_no_wins(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "empty.db"))
    with pytest.raises(Refusal, match="holds no floor yet"):
        win_record(store, 1)
    store.close()


@pytest.fixture
def with_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The floor's key file is at hand: with it the saved state is good, and what is before it need not be read."""
    file = tmp_path / "houseway.key"
    file.write_bytes(pem_of(KEYS.signing))
    file.chmod(0o600)
    monkeypatch.setenv("HOUSEWAY_KEY", str(file))


def test_a_win_that_was_changed_afterwards_says_so(house: Any, with_keys: None) -> None:
    """PR-24: the page is printed from what is there, with a warning that cannot be missed."""
    house.coin_in("T1", 1)
    number = house.win("T1", 1, "full_house")
    house.floor.close()
    with sqlite3.connect(house.file) as database:
        (body,) = database.execute("SELECT body FROM journal WHERE seq = ?", (number,)).fetchone()
        database.execute("UPDATE journal SET body = ? WHERE seq = ?", (body.replace('"by":"e1"', '"by":"s2"'), number))
    database.close()
    store = open_store(str(house.file), create=False, read_only=True)
    record = win_record(store, number, load_state(store, KEYS))
    assert (record.intact, record.confirmed.by.id) == (False, "s2")
    assert len(shown(record, "broken")) == 1
    store.close()
    assert "no longer fits its hash" in command(commands.win, str(number), "--db", str(house.file)).out


def test_without_the_key_a_changed_journal_is_refused_with_its_entry(house: Any) -> None:
    """Every entry is read then, and the first that does not follow from the one before it ends that."""
    house.coin_in("T1", 1)
    number = house.win("T1", 1, "full_house")
    house.floor.close()
    with sqlite3.connect(house.file) as database:
        database.execute("UPDATE journal SET body = replace(body, 'e1', 's2') WHERE seq = ?", (number,))
    database.close()
    with pytest.raises(Damaged, match=f"entry {number} does not follow from entry {number - 1}"):
        command(commands.win, str(number), "--db", str(house.file))


def test_an_entry_that_is_none_any_more_is_one_sentence(house: Any, with_keys: None) -> None:
    house.coin_in("T1", 1)
    number = house.win("T1", 1, "full_house")
    house.end("T1")
    house.floor.close()
    with sqlite3.connect(house.file) as database:
        database.execute("UPDATE journal SET body = '{}' WHERE seq = ?", (number,))
    database.close()
    done = command(commands.win, str(number), "--db", str(house.file))
    assert (done.code, done.out, done.err) == (
        2,
        "",
        f"journal: entry {number} cannot be read; run houseway journal verify\n",
    )


# ------------------------------------------------------------------------------------------------ the document


def test_the_document_shows_everything_on_record(tmp_path: Path) -> None:
    house = House(tmp_path, table="CSTUD-15", washington=True)
    house.coin_in("T1", 1, 2, 5)
    number = house.win("T1", 5, "royal_flush")
    house.verify("T1", number)
    house.end("T1")
    house.undo(number)
    record = win_record(house.store, number)
    assert record.verified is not None
    assert shown(record, "number") == [str(number)]
    assert shown(record, "amount") == ["$10,002.10"]
    values = shown(record, "value")
    assert sorted(values) == sorted(value for _, rows in win_sections(record) for _, value in rows)
    for wanted in ("Link L1 (L1)", "royal flush: 100% of meter main", "O1", "$1,000.00", "D1 (d1)", "E1 (e1)"):
        assert wanted in values
    assert shown(record, "broken") == []
    house.floor.close()


def test_a_page_is_one_sheet_and_the_same_every_time(house: Any, tmp_path: Path) -> None:
    house.coin_in("T1", 1)
    number = house.win("T1", 1, "full_house")
    record = win_record(house.store, number)
    assert len(pdf.picture("win_page", win_document(record))) == 1
    win_page_pdf(record, tmp_path / "one.pdf")
    win_page_pdf(win_record(house.store, number), tmp_path / "two.pdf")
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()
    with pytest.raises(Refusal, match="exists already"):
        win_page_pdf(record, tmp_path / "one.pdf")


def test_words_of_people_are_not_typesetting(house: Any) -> None:
    house.coin_in("T1", 1, 2)
    house.end("T1")
    evidence = "#panic() *camera* $4$ \\ [x] <y> @z"
    record = win_record(house.store, house.pay_late("T1", 1, 2, "full_house", evidence=evidence).seq)
    assert evidence in shown(record, "value")


@pytest.mark.parametrize(
    ("micros", "words"),
    [(0, "0 min 00 s"), (999_999, "0 min 00 s"), (61_000_000, "1 min 01 s"), (7_384_000_000, "2 h 3 min 04 s")],
)
def test_how_long_a_call_took(micros: int, words: str) -> None:
    assert duration(micros) == words


# ------------------------------------------------------------------------------------------------- the command


def test_the_command_shows_writes_and_gives_data(house: Any, tmp_path: Path) -> None:
    house.coin_in("T1", 1)
    number = house.win("T1", 1, "full_house")
    record = win_record(house.store, number)
    house.floor.close()
    where = ("--db", str(house.file))
    seen = command(commands.win, str(number), *where)
    assert (seen.code, seen.err) == (0, "")
    assert all(value in seen.out for _, rows in win_sections(record) for _, value in rows)
    assert record.hash in seen.out
    data = json.loads(command(commands.win, str(number), *where, "--json").out)
    assert data == json.loads(msgspec.json.encode(record))
    assert (data["amount_cents"], data["confirmed"]["by"]["id"], data["status"]) == (10_000, "e1", "paid")
    file = tmp_path / "win.pdf"
    assert command(commands.win, str(number), *where, "-o", str(file)).code == 0
    assert file.read_bytes().startswith(b"%PDF-")
    again = command(commands.win, str(number), *where, "-o", str(file))
    assert (again.code, len(again.err.splitlines())) == (2, 1)
    assert command(commands.win, str(number), *where, "-o", str(file), "--force").code == 0


@pytest.mark.parametrize("number", ["0", "1", "999999", "99999999999999999999999"])
def test_the_command_refuses_what_is_no_win_in_one_sentence(house: Any, number: str) -> None:
    done = command(commands.win, number, "--db", str(house.file))
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert done.err.startswith(f"win: there is no win {number}")


def test_a_page_of_a_round_that_is_still_open(house: Any) -> None:
    """A claim that nobody confirmed is no win yet."""
    house.coin_in("T1", 1)
    named = house.do("d1", felt.NameWin(table="T1", spot=1, hand="flush")).seq
    with pytest.raises(Refusal, match=f"entry {named} is a name win"):
        win_record(house.store, named)
