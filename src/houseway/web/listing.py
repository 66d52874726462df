"""Lists in pages, and what else the books over HTTP have in common: days, numbers, the form of an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, TypeVar

from starlette.responses import Response

from houseway.api.paging import PageQuery
from houseway.manager.config import FloorConfig
from houseway.manager.gaming_day import Calendar
from houseway.manager.store.base import Row, Store
from houseway.refusal import Refusal
from houseway.web.problem import Problem, away
from houseway.web.routes import Ask

MOST_WALKED: Final = 20_000
"""How many entries one request looks at while it fills a page."""
MOST_VERIFIED: Final = 10_000
MOST_HISTORY_DAYS: Final = 31
WITHHELD: Final = "withheld"
WINDOW: Final = 1_000
_NUMBER_DIGITS: Final = 18

Item = TypeVar("Item")
Made = TypeVar("Made")


# --------------------------------------------------------------------------------------------------- pages of a list


def page(items: Iterable[Item], key: Callable[[Item], str], query: PageQuery) -> tuple[tuple[Item, ...], str | None]:
    """The part of a list that a query asks for, and what to ask next with."""
    every = list(items)
    begin = 0
    if query.after:
        names = [key(item) for item in every]
        if query.after not in names:
            raise Problem(422, "invalid", f"{query.after[:60]!r} is not in this list (any more); begin again", "after")
        begin = names.index(query.after) + 1
    chosen = every[begin : begin + query.limit]
    return tuple(chosen), key(chosen[-1]) if begin + query.limit < len(every) else None


def walked(ask: Ask, query: Any, make: Callable[[Row], Iterable[Item]]) -> tuple[tuple[Item, ...], str | None]:
    """A page of what `make` finds in entries, and the entry to go on after."""
    items: list[Item] = []
    count, last = 0, ask.site.state.seq
    for count, row in enumerate(_rows(ask.site.floor.store, last, query), start=1):
        items += make(row)
        if len(items) >= query.limit or count >= MOST_WALKED:
            end = row.seq == (1 if query.order == "newest" else last)
            return tuple(items), None if end else str(row.seq)
    return tuple(items), None


def _rows(store: Store, last: int, query: Any) -> Iterator[Row]:
    """The entries up to the last one, in the order and from the place that was asked for."""
    after = int(query.after or 0)
    if query.order == "oldest":
        yield from store.entries(after, last)
        return
    upper = min(after - 1, last) if query.after else last
    while upper > 0:
        lower = max(upper - WINDOW, 0)
        yield from reversed(list(store.entries(lower, upper)))
        upper = lower


def number_in(ask: Ask, name: str) -> int:
    """A number in the address."""
    text = ask.path[name]
    if not (text.isascii() and text.isdigit() and len(text) <= _NUMBER_DIGITS):
        raise Problem(422, "invalid", f"{text[:40]!r} is not a number", name)
    return int(text)


def media_for(ask: Ask, *known: str) -> str:
    """Which of the forms that there are the Accept header likes best; the first where it does not say."""
    accept = ask.request.headers.get("accept", "").strip()
    if not accept:
        return known[0]
    best, chosen = 0.0, ""
    for media in known:
        liked = _liking(accept, media)
        if liked > best:
            best, chosen = liked, media
    if not chosen:
        raise Problem(406, "not-acceptable", f"there is {', '.join(known)}", "Accept")
    return chosen


def _liking(accept: str, media: str) -> float:
    """How much an Accept header likes a form, 0 to 1; what names it most closely decides."""
    closest, liked = -1, 0.0
    for part in accept.split(","):
        name, _, rest = part.strip().partition(";")
        ranges = ("*/*", f"{media.partition('/')[0]}/*", media)
        if name.strip().lower() not in ranges or ranges.index(name.strip().lower()) <= closest:
            continue
        closest, liked = ranges.index(name.strip().lower()), _quality(rest)
    return liked


def _quality(parameters: str) -> float:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0


def document(content: str | bytes, media: str, name: str) -> Response:
    """A file to keep, under a name."""
    return Response(content, media_type=media, headers={"content-disposition": f'attachment; filename="{name}"'})


@contextmanager
def asked(status: int = 422, kind: str = "invalid") -> Iterator[None]:
    """What cannot be looked up because of what was asked is no refusal of the floor."""
    try:
        yield
    except Refusal as refusal:
        raise Problem(status, kind, refusal.sentence, refusal.field) from None


def today(ask: Ask) -> date:
    """The gaming day that it is now at the site."""
    policies = ask.site.state.policies
    return date.fromisoformat(Calendar(policies.time_zone, policies.day_starts).day_of(ask.site.floor.clock.now))


def day_in(ask: Ask, name: str, text: str, otherwise: date | None = None) -> date:
    if not text:
        return otherwise or today(ask)
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Problem(422, "invalid", f"{text!r} is not a day; write it as 2026-11-30", name) from None


def config_of(ask: Ask) -> FloorConfig:
    config = ask.site.state.config
    if config is None:
        raise away("unavailable", "the floor has not been founded")
    return config
