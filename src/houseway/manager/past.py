"""What a decision may look up in the journal: a win of long ago, a round that closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from houseway.manager.decide import PastRound, PastWin
from houseway.manager.entry import Entry
from houseway.manager.events import FloorConfigured, LateWinPaid
from houseway.manager.store.base import Row, Store
from houseway.progressive.terms import Terms
from houseway.table.progressive_round.events import LockedIn, RoundClosed, WinLogged, WinPaid


class Journal:
    """The journal as a decision sees it: what is stored, and what this transaction has added so far."""

    def __init__(self, store: Store, added: Sequence[Entry], read: Callable[[Row], Entry]) -> None:
        self._store = store
        self._read = read
        """The entry of a stored row, refused where somebody changed it (TR-12)."""
        self._added = added

    def win(self, number: int) -> PastWin | None:
        """A confirmed or late win by its number."""
        entry = self._entry(number)
        for event in entry.events if entry else ():
            if isinstance(event, LateWinPaid):
                return PastWin(
                    *(event.link, event.table, event.round, event.spot, event.meter),
                    *(event.from_meter, event.from_house, event.seed, event.from_reserve),
                    late=True,
                )
            if isinstance(event, WinLogged) and event.win == number:
                claim = event.claim
                paid = self._paid(event)
                if paid is None:
                    return PastWin(event.link, event.table, event.round, claim.spot, claim.meter, paid=False)
                return PastWin(
                    *(event.link, event.table, event.round, claim.spot, paid.meter),
                    *(paid.from_meter, paid.from_tray, paid.seed, paid.from_reserve),
                )
        return None

    def _paid(self, logged: WinLogged) -> WinPaid | None:
        """On a keypad the win is paid by an entry of its own, at RUN."""
        for entry in self._of_round(logged.table, logged.round):
            for event in entry.events:
                if isinstance(event, WinPaid) and event.win == logged.win:
                    return event
        return None

    def round(self, table: str, number: int, configured: Iterable[int]) -> PastRound | None:
        """A closed round; ``configured`` are the entries that configured the floor."""
        locked: tuple[LockedIn, int] | None = None
        for entry in self._of_round(table, number):
            for event in entry.events:
                if isinstance(event, LockedIn):
                    locked = event, entry.seq
                if isinstance(event, RoundClosed) and locked is not None:
                    return PastRound(event, entry.seq, self._terms(event.link, locked[1], configured))
        return None

    def _terms(self, link: str, seq: int, configured: Iterable[int]) -> Terms:
        """The terms in force when an entry was made: those last configured before it."""
        number = max(number_before for number_before in configured if number_before < seq)
        entry = self._entry(number)
        for event in entry.events if entry else ():
            if isinstance(event, FloorConfigured):
                return next(link_config.terms for link_config in event.config.links if link_config.id == link)
        raise RuntimeError(f"entry {number} is no configuration")

    def _entry(self, seq: int) -> Entry | None:
        for entry in self._added:
            if entry.seq == seq:
                return entry
        row = self._store.entry(seq)
        return self._read(row) if row else None

    def _of_round(self, table: str, number: int) -> Iterator[Entry]:
        for row in self._store.round_entries(table, number):
            yield self._read(row)
        yield from (entry for entry in self._added if entry.table == table and entry.round == number)
