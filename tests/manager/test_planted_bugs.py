"""A check that cannot fail is a defect: floors with a bug planted in them, each of which the simulation must find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from tests.manager.simulation import SEEDS, Broken, simulate_all

from houseway.manager import decide as office
from houseway.manager import floor
from houseway.manager.authority import Asked
from houseway.manager.entry import Entry
from houseway.manager.ledger import postings_of
from houseway.manager.state import FloorState, Staff, snapshot_of
from houseway.manager.store.base import Posting, Snapshot
from houseway.manager.store.sqlite import SqliteStore
from houseway.progressive.link import Due, LinkState, MeterState, dues
from houseway.progressive.terms import MICROS_PER_CENT, Split, Terms, split
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round import decide as play
from houseway.table.progressive_round import decide as table
from houseway.table.progressive_round.events import WinPaid

Plant = Callable[[pytest.MonkeyPatch], None]


def doubled_contribution(patch: pytest.MonkeyPatch) -> None:
    """Every contribution is booked twice, and taken from the house; it balances."""

    def twice(terms: Terms, wagers: int) -> Split:
        meters, reserves, kept = split(terms, wagers)
        return Split({name: 2 * micros for name, micros in meters.items()}, reserves, kept - sum(meters.values()))

    patch.setattr(table, "split", twice)


def dropped_residue(patch: pytest.MonkeyPatch) -> None:
    """PR-2: the parts of a cent go to the house."""

    def in_cents(terms: Terms, wagers: int) -> Split:
        meters, reserves, kept = split(terms, wagers)
        whole = {name: micros - micros % MICROS_PER_CENT for name, micros in meters.items()}
        return Split(whole, reserves, kept + sum(meters.values()) - sum(whole.values()))

    patch.setattr(table, "split", in_cents)


def lost_reseed(patch: pytest.MonkeyPatch) -> None:
    """PR-4: a meter that was won starts again from nothing."""
    paid = table._paid

    def unseeded(*asked: Any) -> WinPaid:
        event = paid(*asked)
        return replace(event, seed=0, from_reserve=0, after=event.before - event.from_meter)

    patch.setattr(table, "_paid", unseeded)


def skipped_confirmation(patch: pytest.MonkeyPatch) -> None:
    """PR-15: who named a win may confirm it."""
    patch.setattr(table, "_not_own", lambda *_: None)


def skipped_authority(patch: pytest.MonkeyPatch) -> None:
    """Anybody on the staff may do anything, alone."""

    def anybody(state: FloorState, asked: Asked, now: int) -> Staff:
        return state.staff.get(asked.by) or office_check(state, asked, now)

    office_check = office.check_authority
    patch.setattr(office, "check_authority", anybody)


def unchained(patch: pytest.MonkeyPatch) -> None:
    """PR-24: a hash that leaves out the one before it."""
    from houseway.manager import entry

    chained = entry.chained
    patch.setattr(entry, "chained", lambda previous, body: chained("0" * 64, body))


def cut_hash(patch: pytest.MonkeyPatch) -> None:
    """PR-24: a hash that leaves out the end of the text."""
    from houseway.manager import entry

    chained = entry.chained
    patch.setattr(entry, "chained", lambda previous, body: chained(previous, body[:200]))


def reversed_order(patch: pytest.MonkeyPatch) -> None:
    """PR-17: awards are paid from the wrong end of the table."""
    place = table._place
    patch.setattr(table, "_place", lambda order, spot: -place(order, spot))


def later_money(patch: pytest.MonkeyPatch) -> None:
    """PR-32: a claim takes what the meter holds when it is confirmed, not when it was named."""

    def as_it_stands(link: LinkState) -> dict[tuple[str, int], Due]:
        marks = {
            name: tuple(replace(mark, held=link.meters[name].value) for mark in here)
            for name, here in link.marks.items()
        }
        return dues(replace(link, marks=marks))

    patch.setattr(table, "dues", as_it_stands)


def missing_posting(patch: pytest.MonkeyPatch) -> None:
    """The last line of every entry's money is not written down."""

    def less(entry: Entry, *moves: Any) -> list[Posting]:
        return postings_of(entry, *moves)[:-1]

    patch.setattr(floor, "postings_of", less)


def missing_total(patch: pytest.MonkeyPatch) -> None:
    """Nor is it added to the totals, though it is written down."""
    totals_of = floor.totals_of
    patch.setattr(floor, "totals_of", lambda entry, postings, into: totals_of(entry, postings[:-1], into))


def forgotten_orders(patch: pytest.MonkeyPatch) -> None:
    """What was done already is not looked up: an order that is sent again is carried out again."""
    patch.setattr(SqliteStore, "known", lambda store, orders: {})


def forgetful_restart(patch: pytest.MonkeyPatch) -> None:
    """PR-38: after a restart open claims are gone."""

    def without_claims(state: FloorState) -> Snapshot:
        links = {name: replace(link, claims=(), marks={}) for name, link in state.links.items()}
        return snapshot_of(replace(state, links=links))

    patch.setattr(floor, "snapshot_of", without_claims)


def refusal_that_acts(patch: pytest.MonkeyPatch) -> None:
    """An order that is refused is written down as if it had been carried out."""
    answer = floor.Floor._answer

    def recorded(self: floor.Floor, job: Any, known: Any, group: Any) -> Any:
        answered = answer(self, job, known, group)
        if isinstance(answered, Refusal) and not isinstance(answered, NotAllowed) and answered.field != "id":
            office = self._office(job.order, group.state, group.past, group.reading)
            group.add(self._entry(office, job, (), group.salt()))
        return answered

    patch.setattr(floor.Floor, "_answer", recorded)


def money_from_nowhere(patch: pytest.MonkeyPatch) -> None:
    """The meter in memory rises by more than its postings say."""
    from houseway.table.progressive_round import evolve

    def risen(meter: MeterState, **changes: Any) -> MeterState:
        if changes.get("value", 0) > meter.value > 0:
            changes["value"] += 1
        return replace(meter, **changes)

    real = evolve.replace
    patch.setattr(evolve, "replace", lambda old, **new: (risen if isinstance(old, MeterState) else real)(old, **new))


def by_utc(patch: pytest.MonkeyPatch) -> None:
    """FL-24: days begin at midnight in Greenwich."""
    from datetime import UTC, datetime

    from houseway.manager.gaming_day import Calendar

    patch.setattr(Calendar, "day_of", lambda self, at: datetime.fromtimestamp(at // 1_000_000, UTC).date().isoformat())


def overpaid_hand(patch: pytest.MonkeyPatch) -> None:
    """Every wager that wins at a table with cards is paid one cent too much; it balances."""
    lines_of = play.lines_of

    def more(*asked: Any) -> Any:
        found = lines_of(*asked)
        for lines in found.values():
            lines.update({name: replace(one, returned=one.returned + 1) for name, one in lines.items() if one.returned})
        return found

    patch.setattr(play, "lines_of", more)


def from_the_left(patch: pytest.MonkeyPatch) -> None:
    """TC-13: spots are reconciled from the dealer's left."""
    steps = play.steps
    patch.setattr(play, "steps", lambda *asked: tuple(sorted(steps(*asked), key=lambda step: step.spot)))


def forgotten_seats(patch: pytest.MonkeyPatch) -> None:
    """PR-38: after a restart nobody sits anywhere."""

    def without_seats(state: FloorState) -> Snapshot:
        return snapshot_of(replace(state, tables={name: replace(one, seats={}) for name, one in state.tables.items()}))

    patch.setattr(floor, "snapshot_of", without_seats)


PLANTS: Sequence[tuple[Plant, str]] = [
    (doubled_contribution, "the second books"),
    (dropped_residue, "the second books"),
    (lost_reseed, "the second books"),
    (skipped_confirmation, "named the win"),
    (skipped_authority, "may not"),
    (unchained, "is not chained"),
    (cut_hash, "is not chained"),
    (reversed_order, "was confirmed before"),
    (later_money, "the second books"),
    (missing_posting, "does not balance"),
    (missing_total, "all accounts together"),
    (forgotten_orders, "was refused .* yet entry|failed on a database that did not"),
    (forgetful_restart, "after a restart"),
    (refusal_that_acts, "which was not asked or was refused"),
    (money_from_nowhere, "is not the sum of its postings"),
    (by_utc, "is on day"),
    (overpaid_hand, "the second books"),
    (from_the_left, "before spot|out of turn"),
    (forgotten_seats, "after a restart"),
]


@pytest.mark.parametrize(("plant", "said"), PLANTS, ids=[plant.__name__ for plant, _ in PLANTS])
def test_the_simulation_finds_the_planted_bug(plant: Plant, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(Broken, match=said) as found:
        simulate_all(range(SEEDS))
    # It says itself which seed it was, and how to see it again.
    assert "-m tests.manager.simulation --seed" in str(found.value)
