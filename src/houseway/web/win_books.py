"""Wins, their pages, and adjustments, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from starlette.responses import Response

from houseway.api import wins as api_wins
from houseway.api.route import PDF
from houseway.api.wins import Adjustment, Adjustments, MovedMicros, WinItem, Wins
from houseway.books.export import read_entry
from houseway.books.pdf import render
from houseway.books.win_page import win_document
from houseway.books.win_record import WinRecord, win_record
from houseway.manager import events as tell
from houseway.manager.entry import Entry
from houseway.manager.gaming_day import MICROS as MICROSECONDS
from houseway.manager.ledger import lines as money_lines
from houseway.manager.state import FloorState
from houseway.manager.store.base import Row, Store
from houseway.table.progressive_round import events as at_table
from houseway.web.listing import asked, document, number_in, walked
from houseway.web.routes import Ask, Handlers

wins = Handlers()


@wins.answers(api_wins.ALL_WINS, slow=True)
def all_wins(ask: Ask) -> Wins:
    state, store, query = ask.site.state, ask.site.floor.store, ask.query

    def found(row: Row) -> Iterator[WinItem]:
        if '"win_logged"' not in row.body and '"late_win_paid"' not in row.body:
            return
        if query.table and row.table != query.table:
            return
        for win in _wins_in(read_entry(row), store, state):
            if not query.link or win.link == query.link:
                yield win

    items, following = walked(ask, query, found)
    return Wins(currency=state.policies.currency, items=items, next=following)


def _wins_in(entry: Entry, store: Store, state: FloorState) -> Iterator[WinItem]:
    undone = entry.seq in state.undone
    for event in entry.events:
        if isinstance(event, at_table.WinLogged):
            paid = undone or _is_paid(entry, event.win, store)
            yield WinItem(
                win=event.win,
                at=entry.at,
                day=entry.day,
                link=event.link,
                table=event.table,
                round=event.round,
                spot=event.claim.spot,
                hand=event.claim.hand,
                meter=event.claim.meter,
                cents=event.due.cents,
                late=False,
                state="undone" if undone else "paid" if paid else "logged",
            )
        elif isinstance(event, tell.LateWinPaid):
            yield WinItem(
                win=event.win,
                at=entry.at,
                day=entry.day,
                link=event.link,
                table=event.table,
                round=event.round,
                spot=event.spot,
                hand=event.hand,
                meter=event.meter,
                cents=event.cents,
                late=True,
                state="undone" if undone else "paid",
            )


def _is_paid(entry: Entry, win: int, store: Store) -> bool:
    """On a touch console with the confirmation itself; on the keypad by a later entry, at RUN."""
    if any(isinstance(event, at_table.WinPaid) and event.win == win for event in entry.events):
        return True
    return any(
        isinstance(event, at_table.WinPaid) and event.win == win
        for row in store.round_entries(entry.table, entry.round)
        if row.seq > entry.seq and '"win_paid"' in row.body
        for event in read_entry(row).events
    )


@wins.answers(api_wins.ONE_WIN, slow=True)
def one_win(ask: Ask) -> WinRecord:
    with asked(404, "no-win"):
        return win_record(ask.site.floor.store, number_in(ask, "win"), ask.site.state)


@wins.answers(api_wins.WIN_PAGE, slow=True)
def win_page(ask: Ask) -> Response:
    with asked(404, "no-win"):
        record = win_record(ask.site.floor.store, number_in(ask, "win"), ask.site.state)
    last = record.undone.deed if record.undone else record.paid or record.confirmed
    pdf = render("win_page", win_document(record), last.when.at // MICROSECONDS)
    return document(pdf, PDF, f"win-{record.number}.pdf")


# -------------------------------------------------------------------------------------------------------- adjustments


_ADJUSTING: Final = frozenset({"undo_win", "adjust_meter", "pay_late_win", "transfer"})


@wins.answers(api_wins.ADJUSTMENTS, slow=True)
def adjustments(ask: Ask) -> Adjustments:
    query = ask.query

    def found(row: Row) -> Iterator[Adjustment]:
        if row.kind not in _ADJUSTING:
            return
        for adjustment in _adjustments_in(read_entry(row)):
            if query.link in ("", adjustment.link, adjustment.to_link) and query.table in ("", adjustment.table):
                yield adjustment

    items, following = walked(ask, query, found)
    return Adjustments(currency=ask.site.state.policies.currency, items=items, next=following)


def _adjustments_in(entry: Entry) -> Iterator[Adjustment]:
    for event in entry.events:
        match event:
            case tell.WinUndone() | tell.MeterAdjusted():
                words = event.explanation
            case tell.LateWinPaid():
                words = event.evidence
            case tell.MeterTransferred():
                words = event.authority
            case _:
                continue
        moved = (
            MovedMicros(account=line.account, purpose=line.purpose, micros=line.micros) for line in money_lines(event)
        )
        yield Adjustment(
            entry=entry.seq,
            at=entry.at,
            day=entry.day,
            by=entry.by,
            second=entry.second,
            type=event.__struct_config__.tag,  # type: ignore[arg-type]
            link=event.link,
            meter=event.meter,
            to_link=getattr(event, "to_link", ""),
            to_meter=getattr(event, "to_meter", ""),
            table=getattr(event, "table", ""),
            round=getattr(event, "round", 0),
            spot=getattr(event, "spot", 0),
            win=getattr(event, "win", 0),
            reason=getattr(event, "reason", ""),
            explanation=words,
            lines=tuple(moved),
        )
