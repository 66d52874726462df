"""A table that does not hear the Game Manager closes its progressive, and opens it by itself when in step again."""

from __future__ import annotations

import pytest

from houseway.api.floor import LinkDoc
from houseway.client import Beat, Carried, Gap, Lost, StreamEvent, TableLink, View
from houseway.refusal import Refusal
from houseway.table.card_round.commands import Act, Bet, Deal
from houseway.table.progressive_round.commands import (
    CloseRound,
    CorrectCount,
    FirstCard,
    Fold,
    Light,
    LockIn,
    NameWin,
    Unlight,
)

SUBJECTS = ("table/T", "link/L")
BEAT = Beat(entry=1, at=1)
WAGERS = [
    Light(table="T", spot=1),
    LockIn(table="T"),
    Bet(table="T", spot=1, wager="progressive", cents=100),
    CorrectCount(table="T", spot=1, wagered=True, reason="r"),
]
OTHERS = [
    Unlight(table="T", spot=1),
    FirstCard(table="T"),
    Fold(table="T", spot=1),
    NameWin(table="T", spot=1, hand="flush"),
    CloseRound(table="T"),
    Deal(table="T"),
    Act(table="T", spot=1, action="play"),
    Bet(table="T", spot=1, wager="ante", cents=500),
    Bet(table="T", spot=1, wager="progressive", cents=0),
    CorrectCount(table="T", spot=1, wagered=False, reason="r"),
]


def view(subject: str) -> View:
    doc = LinkDoc(
        entry=1,
        link="L",
        name="L",
        currency="USD",
        tables=(),
        wager_cents=100,
        pay_table="1",
        meters=(),
        pending=(),
        next_cents={},
        stops=(),
        claims=(),
    )
    return View(subject, 1, 1, doc, True)


class Table:
    """A link with a clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0
        self.link = TableLink(SUBJECTS, clock=lambda: self.now)

    def hear(self, *events: StreamEvent) -> bool:
        for event in events:
            self.link.take(event)
        return self.link.open

    def later(self, seconds: float) -> bool:
        self.now += seconds
        return self.link.open


@pytest.fixture
def table() -> Table:
    made = Table()
    assert made.hear(view("table/T"), view("link/L"), BEAT)
    return made


def test_it_is_closed_until_it_is_in_step() -> None:
    table = Table()
    assert not table.link.open
    assert not table.hear(BEAT)
    assert not table.hear(view("table/T"))
    assert "link/L is not in view yet" in table.link.now.sentence
    assert table.hear(view("link/L"))


def test_a_view_without_a_heartbeat_does_not_open_it() -> None:
    table = Table()
    assert not table.hear(view("table/T"), view("link/L"))
    assert table.hear(BEAT)


@pytest.mark.clause("PR-38")
def test_five_seconds_of_silence_close_it(table: Table) -> None:
    assert table.later(4.999)
    assert not table.later(0.001)
    heard = table.link.now
    assert heard.silent == pytest.approx(5.0)
    assert heard.sentence == (
        "the progressive wager is closed: the Game Manager is not heard, for 5 seconds now; "
        "the base game may go on, and recorded wagers stand"
    )
    for command in WAGERS:
        with pytest.raises(Refusal, match="the progressive wager is closed"):
            table.link.check(command)
    for command in OTHERS:
        table.link.check(command)


def test_open_it_refuses_nothing(table: Table) -> None:
    for command in (*WAGERS, *OTHERS):
        table.link.check(command)


def test_a_heartbeat_keeps_it_open(table: Table) -> None:
    for _ in range(20):
        assert table.later(4.9)
        assert table.hear(BEAT)


def test_a_lost_connection_or_a_gap_is_not_hearing(table: Table) -> None:
    table.later(3)
    assert table.hear(Lost("reset"), Gap("", 1, 2, "w"))
    assert not table.later(2)


def test_it_opens_again_by_itself_once_in_step(table: Table) -> None:
    table.later(6)
    assert not table.hear(Lost("silent"))
    assert not table.hear(BEAT), "heard, but what happened meanwhile is not known"
    assert "is heard again" in table.link.now.sentence
    assert not table.hear(view("link/L"))
    assert table.hear(view("table/T"))


def test_a_view_over_a_connection_that_is_gone_does_not_count(table: Table) -> None:
    table.hear(view("table/T"), view("link/L"))
    table.later(6)
    assert not table.hear(Lost("silent"), BEAT)


@pytest.mark.clause("PR-38")
def test_a_connection_that_was_only_silent_goes_on_where_it_was(table: Table) -> None:
    """The server stood still and went on before anybody gave up: no view comes again, for nothing changed."""
    assert not table.later(6)
    assert table.hear(BEAT)
    assert table.later(4.9)


def test_a_connection_that_comes_back_in_time_does_not_close_it(table: Table) -> None:
    assert table.hear(Lost("reset"), BEAT)
    assert not table.later(6)
    assert not table.hear(BEAT, view("table/T")), "closed by the silence, it waits for what it follows"
    assert table.hear(view("link/L"))


def test_lost_again_while_coming_back_it_begins_anew(table: Table) -> None:
    table.later(6)
    table.hear(Lost("silent"), view("table/T"), BEAT)
    table.later(6)
    assert not table.hear(Lost("silent"), view("link/L"), BEAT)
    assert table.hear(view("table/T"))


@pytest.mark.clause("PR-38")
def test_what_was_acknowledged_stays(table: Table) -> None:
    answer = Carried(
        entry=5, at=1, day="2026-03-01", type="lock_in", table="T", round=1, currency="USD", events=[{"type": "x"}]
    )
    assert table.link.carried(answer) is answer
    table.later(60)
    assert table.link.acknowledged == answer
    assert not table.link.open


def test_an_acknowledged_order_is_heard(table: Table) -> None:
    table.later(4)
    table.link.carried(
        Carried(entry=5, at=1, day="2026-03-01", type="light", table="T", round=1, currency="USD", events=[])
    )
    assert table.later(4)
