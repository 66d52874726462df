"""What a check of a journal or of a bundle finds, and whether an order id comes twice in it."""

from __future__ import annotations

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NamedTuple

import msgspec

from houseway.manager.entry import entry_of

MOST_FINDINGS: Final = 1000
"""So many are listed; further ones are counted."""


class Finding(NamedTuple):
    """Something in a database that is not as it was written."""

    entry: int | None
    """The number of the entry it is about, where it is about one."""
    where: str
    """That entry, or the table and row."""
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Judged:
    """What was checked: it is whole, or something is bad."""

    __slots__ = ()
    bad: tuple[Finding, ...]
    finished: bool

    @property
    def first_bad(self) -> int | None:
        """The number of the first bad entry, where one is bad."""
        return min((finding.entry for finding in self.bad if finding.entry is not None), default=None)

    @property
    def whole(self) -> bool:
        """Whether everything was read and nothing was found."""
        return self.finished and not self.bad


@dataclass(slots=True, kw_only=True)
class Finder:
    """Lists findings as they come."""

    listed: list[Finding] = field(default_factory=list)
    unlisted: int = 0

    def in_order(self) -> tuple[Finding, ...]:
        """First entry by entry, then everything that is about no entry."""
        return tuple(sorted(self.listed, key=lambda finding: (finding.entry is None, finding.entry or 0)))

    def _find(self, entry: int | None, where: str, what: str) -> None:
        if len(self.listed) < MOST_FINDINGS:
            self.listed.append(Finding(entry, where, what))
        else:
            self.unlisted += 1

    def _find_in(self, entry: int, what: str) -> None:
        self._find(entry, f"entry {entry}", what)


class Orders:
    """The order ids of a whole journal, eight bytes each: enough to suspect a repeated one."""

    def __init__(self) -> None:
        self._marks: defaultdict[int, array[int]] = defaultdict(lambda: array("Q"))

    @staticmethod
    def mark(order: str) -> int:
        """The first eight bytes of an id's hash."""
        return int.from_bytes(hashlib.sha256(order.encode("utf-8", "surrogatepass")).digest()[:8], "big")

    def add(self, order: str) -> None:
        """Take an id in."""
        mark = self.mark(order)
        self._marks[mark >> 56].append(mark)

    def repeated_marks(self) -> set[int]:
        """The marks that came more than once. Sorted in parts, so that no second whole list is made."""
        twice: set[int] = set()
        for marks in self._marks.values():
            ordered = sorted(marks)
            twice.update(mark for mark, following in pairwise(ordered) if mark == following)
        return twice


def repeats(orders: Orders, bodies: Callable[[], Iterable[Any]]) -> Iterator[tuple[int, int]]:
    """Entries with the order id of an earlier one, and that one. Only on a suspicion are the entries read again."""
    suspects = orders.repeated_marks()
    first: dict[str, int] = {}
    for body in bodies() if suspects else ():
        try:
            entry = entry_of(body)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError):
            continue
        if Orders.mark(entry.order) not in suspects:
            continue
        if entry.order in first:
            yield entry.seq, first[entry.order]
        first.setdefault(entry.order, entry.seq)
