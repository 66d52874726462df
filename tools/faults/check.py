"""What must hold after every event: the journal against every answer, the money against itself."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Any, Final

import msgspec

from faults.counts import Counts
from faults.server import Attempt, Attempts, key_beside
from faults.tables import read_tables
from houseway.books.replay import replay
from houseway.books.verify import verify
from houseway.manager.entry import Entry, entry_of
from houseway.manager.store import open_store

CLOCK: Final = "clock-"
"""How the ids of entries begin that a floor makes by itself about its clock."""
OWN: Final = ("refused/", "sign-in-", "found", "enrol-", "admit-", "enter-", CLOCK)
"""How the ids of entries begin that this test did not send as orders."""
_MARK: Final = re.compile(rb"houseway mark 1 [0-9a-f]{64} ([0-9]{20}) ([0-9a-f]{64}) [0-9]{20} [0-9a-f]{8}\n")
_ENCODER: Final = msgspec.json.Encoder()


def check(url: str, attempts: Attempts, counts: Counts) -> dict[str, Entry]:
    """Compare the journal with what was acknowledged, and the money with itself; answers the entries by order."""
    tables = read_tables(url)
    for defect in tables.defects():
        counts.find("unbalanced", defect)
    # The program's own opinion, which must be the same.
    store = open_store(url, create=False, read_only=True)
    try:
        for finding in verify(store).bad:
            counts.find("unbalanced", f"verify: {finding}")
        for row in replay(store).rows:
            if not row.equal:
                counts.find("unbalanced", f"replay: {row}")
    finally:
        store.close()
    return _compared([entry_of(line.body) for line in tables.lines], attempts, counts)


def missing(there: Set[tuple[str, int]], attempts: Attempts) -> list[Attempt]:
    """The acknowledged orders that are not there, under the number they were acknowledged with."""
    return [
        attempt
        for order, tries in attempts.items()
        for attempt in tries
        if attempt.done and (order, (attempt.answer or {})["entry"]) not in there
    ]


def known_to_marks(log: Path) -> list[tuple[int, str]]:
    """The entries, by number and hash, that the marks beside a floor's key file name; what is no mark names none."""
    texts = [file.read_bytes() for file in key_beside(log).parent.glob("houseway.key.mark*")]
    return [(int(match[1]), match[2].decode()) for text in texts if (match := _MARK.fullmatch(text))]


def _compared(entries: Sequence[Entry], attempts: Attempts, counts: Counts) -> dict[str, Entry]:
    entries_by_order: dict[str, Entry] = {}
    for entry in entries:
        if entry.order.startswith(OWN):
            continue
        if entry.order in entries_by_order:
            counts.find(
                "doubled", f"order {entry.order} is in entries {entries_by_order[entry.order].seq} and {entry.seq}"
            )
        entries_by_order[entry.order] = entry
        tries = attempts.get(entry.order, [])
        if not any(attempt.done or attempt.open for attempt in tries):
            answers = "; ".join(str(attempt.answer) for attempt in tries) or "nothing"
            counts.find("doubled", f"entry {entry.seq} holds order {entry.order}, which was told {answers}")
        elif not any(attempt.digest == entry.digest for attempt in tries):
            counts.find("doubled", f"entry {entry.seq} holds something else than order {entry.order} asked")
    for order, tries in attempts.items():
        for single_try in tries:
            if single_try.done:
                _check_kept(order, single_try.answer or {}, entries_by_order.get(order), counts)
    return entries_by_order


def _check_kept(order: str, answer: dict[str, Any], entry: Entry | None, counts: Counts) -> None:
    """An acknowledged order is there, under the number and with the events that were told."""
    if entry is None:
        counts.find("lost", f"order {order} was acknowledged as entry {answer['entry']} and is not there")
    elif answer["entry"] != entry.seq:
        counts.find("doubled", f"order {order} was acknowledged as entry {answer['entry']}, it is {entry.seq}")
    elif answer["events"] != msgspec.json.decode(_ENCODER.encode(entry.shown_events())):
        counts.find("lost", f"entry {entry.seq} of order {order} is not what was acknowledged")
