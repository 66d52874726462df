"""The win page: everything on record about one win, as a document to file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from houseway.books.pdf import check_target, render, save
from houseway.books.period import money
from houseway.books.win_record import WinDeed, WinRecord, key_words
from houseway.manager.gaming_day import MICROS as MICROSECONDS
from houseway.progressive.terms import MICROS_PER_CENT

_MINUTE: Final = 60
_HOUR: Final = 3_600
_LEFT: Final = ("Where", "What was won", "Paid from", "Meter")
"""The sections that stand in the left column of the page."""


def win_page_pdf(record: WinRecord, path: Path, *, force: bool = False) -> None:
    """PR-22: the win page as a document. The same win in the same state is the same file."""
    check_target(path, force=force)
    last = record.undone.deed if record.undone else record.paid or record.confirmed
    save(render("win_page", win_document(record), last.when.at // MICROSECONDS), path, force=force)


def win_document(record: WinRecord) -> dict[str, Any]:
    """What the template of a win page shows: the same sections on a screen."""
    shown = [{"title": title, "rows": [list(row) for row in rows]} for title, rows in win_sections(record)]
    return {
        "number": str(record.number),
        "site": record.site,
        "amount": money(record.amount_cents * MICROS_PER_CENT, record.currency),
        "status": record.status,
        "undone": record.undone is not None,
        "intact": record.intact,
        "headline": f"{record.hand_words} · table {record.table}, spot {record.spot}",
        "left": [section for section in shown if section["title"] in _LEFT],
        "right": [section for section in shown if section["title"] not in _LEFT],
        "hash": record.hash,
        "signatures": _signatures(record),
    }


def win_sections(record: WinRecord) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """A win in labelled lines, by subject; a line that says nothing is left out."""
    sections = (
        ("Where", _where(record)),
        ("What was won", _what(record)),
        ("Paid from", _paid_from(record)),
        ("Meter", _meter(record)),
        ("People", _people(record)),
        ("Verification", _checks(record)),
        ("WinEnvy", _envy(record)),
        ("WinUndoing", _undoing(record)),
    )
    return tuple((title, rows) for title, lines in sections if (rows := tuple(lines)))


Rows: TypeAlias = Iterator[tuple[str, str]]


def _where(record: WinRecord) -> Rows:
    yield "link", _named_id(record.link_name, record.link)
    yield "table", f"{record.table}{f', {key_words(record.game)}' if record.game else ''}"
    yield "spot", str(record.spot)
    yield "round", str(record.round)
    yield "console", record.console
    yield "gaming day", record.day


def _what(record: WinRecord) -> Rows:
    yield "hand", record.hand_words
    yield "pay table", record.pay_table
    yield "row", record.row
    yield "wager", _cents(record, record.wager_cents)
    yield "amount", _cents(record, record.amount_cents)


def _paid_from(record: WinRecord) -> Rows:
    if record.meter:
        yield f"meter {record.meter}", _cents(record, record.from_meter_cents)
    if record.from_tray_cents:
        yield "tray", _cents(record, record.from_tray_cents)
    if record.shortfall_cents:
        yield "house, for what the meter lacked", _cents(record, record.shortfall_cents)


def _meter(record: WinRecord) -> Rows:
    if record.meter_before_micros is None or record.meter_after_micros is None:
        return
    yield f"{record.meter} before", money(record.meter_before_micros, record.currency)
    yield "award", money(-record.from_meter_cents * MICROS_PER_CENT, record.currency)
    if record.reseeded:
        yield "seed", money(record.seed_micros, record.currency)
        yield "from its reserve", money(record.from_reserve_micros, record.currency)
    yield f"{record.meter} after", money(record.meter_after_micros, record.currency)


def _people(record: WinRecord) -> Rows:
    if record.named is not None:
        yield from _deed_rows("named by", record.named)
    if record.arrived_after_microseconds is not None:
        yield "call to arrival", duration(record.arrived_after_microseconds)
    yield from _deed_rows("paid late by" if record.late else "confirmed by", record.confirmed)
    if record.confirmed_after_microseconds is not None:
        yield "call to confirmation", duration(record.confirmed_after_microseconds)
    if record.paid is not None and record.paid.entry != record.confirmed.entry:
        yield from _deed_rows("meter adjusted by", record.paid)


def _deed_rows(label: str, deed: WinDeed) -> Rows:
    yield label, str(deed.by)
    if deed.second is not None:
        yield "with", str(deed.second)
    yield "at", deed.when.local
    yield "", deed.when.utc


def _checks(record: WinRecord) -> Rows:
    if record.verified is not None:
        yield "surveillance", record.verified.observer
        yield "player", record.verified.player
        yield from _deed_rows("recorded by", record.verified.recorded)
    elif record.late:
        yield "surveillance", "none on record: paid on its evidence, by two people"
    else:
        yield "surveillance", "needed, not yet verified" if record.surveillance else "not needed"
    yield "tax form", "needed" if record.tax_form else "not needed"
    if record.evidence:
        yield "evidence", record.evidence


def _envy(record: WinRecord) -> Rows:
    for envy in record.envy:
        yield f"spot {envy.spot}", _cents(record, envy.cents)


def _undoing(record: WinRecord) -> Rows:
    if record.undone is None:
        return
    yield "entry", f"{record.undone.deed.entry}"
    yield from _deed_rows("by", record.undone.deed)
    yield "reason", record.undone.reason
    yield "explanation", record.undone.explanation


def _signatures(record: WinRecord) -> Sequence[str]:
    observer = ("surveillance",) if record.surveillance or record.verified else ()
    return ("player", "dealer", "supervisor", *observer, "cage")


def _named_id(name: str, id: str) -> str:
    return name if name == id else f"{name} ({id})"


def _cents(record: WinRecord, cents: int) -> str:
    return money(cents * MICROS_PER_CENT, record.currency)


def duration(micros: int) -> str:
    """How long something took, for people."""
    seconds = micros // MICROSECONDS
    minutes = f"{seconds % _HOUR // _MINUTE} min {seconds % _MINUTE:02} s"
    return f"{seconds // _HOUR} h {minutes}" if seconds >= _HOUR else minutes
