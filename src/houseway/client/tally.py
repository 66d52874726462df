"""Counts what a client's orders came to, and holds it against the journal afterwards."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from houseway.api.orders import Carried
from houseway.client.asking import Answered
from houseway.client.problems import Refused

NOT_ORDERS: Final = frozenset({"sign_in", "enter", "sign_out"})
"""What stands in the journal without a key that a client chose."""
MOST_LISTED: Final = 20


class JournalRow(Protocol):
    """What is looked at of an entry of the journal."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def order(self) -> str: ...


class Tally:
    """Told of every answer (`watch`), it knows which orders were carried out, refused, or never answered."""

    def __init__(self) -> None:
        self.carried: dict[str, int] = {}
        """The entry of every order that was carried out, by its key."""
        self.refused: Counter[str] = Counter()
        """Refusals that the state of a table explains, by order and field."""
        self.errors: Counter[str] = Counter()
        """Everything else that was no success, in words."""
        self.retried = 0
        self.asked = 0
        """Requests that were no orders."""
        self._open: set[str] = set()
        self._seconds = array("d")

    @property
    def orders(self) -> int:
        """How many orders were answered."""
        return len(self._seconds)

    def watch(self, answered: Answered) -> None:
        """One try of a client's."""
        self.retried += answered.tries > 1
        if not answered.key:
            self.asked += 1
        else:
            self._open.add(answered.key)
        outcome = answered.outcome
        if isinstance(outcome, Refused) and outcome.status == 409:
            self.refused[f"{answered.name}: {outcome.field}"] += 1
        elif isinstance(outcome, Exception):
            self.errors[f"{answered.name}: {type(outcome).__name__}: {outcome}"[:200]] += 1
            return
        if answered.key:
            self._open.discard(answered.key)
            self._seconds.append(answered.seconds)
            if isinstance(outcome, Carried):
                self.carried[answered.key] = outcome.entry

    def discard(self, first: int) -> None:
        """Leave the times of the first so many orders out: those before the bots began to play."""
        del self._seconds[:first]

    def milliseconds(self, *shares: float) -> list[float]:
        """The time of an order that so large a share of them did not exceed."""
        ordered = sorted(self._seconds)
        return [1e3 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0 for share in shares]

    def unaccounted(self, rows: Iterable[JournalRow]) -> Iterator[str]:
        """Where answers and journal differ, in words: every acknowledged order must be there once, and nothing else."""
        left = dict(self.carried)
        for row in rows:
            entry = left.pop(row.order, None)
            if entry is None and row.kind not in NOT_ORDERS:
                yield f"entry {row.seq} ({row.kind}) was acknowledged to nobody"
            elif entry is not None and entry != row.seq:
                yield f"entry {row.seq} ({row.kind}) was acknowledged as {entry}"
        for key, entry in left.items():
            yield f"order {key} was acknowledged as entry {entry}, which is not in the journal"
        for key in self._open:
            yield f"order {key} was never answered"
