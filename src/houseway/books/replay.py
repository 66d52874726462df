"""Every meter and reserve rebuilt from the journal alone, beside what the database and the running floor say of it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final, NamedTuple

from houseway.books.reading import JOURNAL, PAGE, SNAPSHOT, Ask, Pace, Progress, Values, reading_of
from houseway.books.rounds import chosen_cards
from houseway.books.verify import meters_of
from houseway.manager.codes import VERIFY, Codes
from houseway.manager.entry import entry_of
from houseway.manager.keyring import Keyring
from houseway.manager.state import FloorState, after, genuine, load_state
from houseway.manager.store.base import Head, Snapshot, Store
from houseway.refusal import Refusal

BALANCES: Final = "SELECT account, micros FROM totals"


class Replayed(NamedTuple):
    """One meter or reserve, in micros, told three times."""

    link: str
    meter: str
    part: str
    """``meter`` or ``reserve``."""
    replayed: int
    """By the journal alone, from its first entry."""
    stored: int
    """By the totals that balances and reports come from."""
    running: int
    """By the floor as a start loads it: the saved state, where the key at hand tells it to be genuine, and since."""

    @property
    def equal(self) -> bool:
        """Whether all three say the same."""
        return self.replayed == self.stored == self.running


@dataclass(frozen=True, slots=True)
class Replay:
    """All meters and reserves of a floor as of one entry."""

    last: Head
    rows: tuple[Replayed, ...]
    finished: bool = True
    """False when it was interrupted: the rows then tell of the journal up to ``last`` only."""

    @property
    def equal(self) -> bool:
        """Whether every meter and reserve is the same however it is told."""
        return self.finished and all(row.equal for row in self.rows)


def replay(store: Store, progress: Progress | None = None, keys: Keyring | None = None) -> Replay:
    """Fold the journal from nothing and compare; a journal that cannot be folded is refused, with the entry.

    Without keys no start could use the saved state either: then the running floor is the replayed one.
    """
    state, pace = FloorState(), Pace()
    reading = reading_of(store)
    try:
        while True:
            with reading() as ask:
                limit = pace.limit(ask, state.seq)
                rows = _page(ask, state.seq, limit)
                for row in rows:
                    state = _after(state, row)
                if progress is not None:
                    progress(state.seq, max(state.seq, pace.end))
                if len(rows) < limit:
                    # The same moment: a running floor has not moved between the last entry and the totals.
                    running = _running(ask, keys) or state
                    return Replay(state.head, _compared(meters_of(state), _stored(ask), meters_of(running)))
    except KeyboardInterrupt:
        return Replay(state.head, (), finished=False)
    except Refusal:
        raise
    except Exception as error:
        # Whatever the database's driver comes up with.
        raise Refusal("database", f"{store.name} cannot be read after entry {state.seq} ({error}); {VERIFY}") from None


def running_state(store: Store, keys: Keyring | None = None) -> FloorState:
    """The floor as a start would load it; a database from which it cannot be loaded is refused."""
    try:
        return load_state(store, keys)
    except Refusal:
        raise
    except Exception as error:
        # A damaged snapshot or entry can break the fold in any way.
        raise Refusal("database", f"{store.name} cannot be read as a floor ({error}); {VERIFY}") from None


def _page(ask: Ask, after_seq: int, limit: int) -> list[Values]:
    return list(ask(f"{JOURNAL} WHERE seq > {after_seq} ORDER BY seq LIMIT {limit}"))


def _after(state: FloorState, row: Values) -> FloorState:
    seq, body, hash = row[0], row[-3], row[-2]  # noqa: A001  the word of the journal
    try:
        entry = entry_of(body)
        if seq != state.seq + 1 or entry.seq != seq:
            raise Refusal(f"entry {state.seq + 1}", f"is missing; {VERIFY}")
        for why in () if state.demonstration else chosen_cards(entry):
            raise Refusal(f"entry {seq}", f"{why}; {VERIFY}")
        return after(state, entry, hash)
    except Refusal:
        raise
    except Exception as error:
        raise Refusal(f"entry {seq}", f"cannot be replayed ({error}); {VERIFY}") from None


def _running(ask: Ask, keys: Keyring | None) -> FloorState | None:
    """The floor as it is loaded at a start, of the same moment; None where the saved state is not used."""
    state = None
    for _, *columns in ask(SNAPSHOT) if keys is not None else ():
        try:
            state = genuine(Snapshot(*columns), Codes(keys)) if keys is not None else None
        except Exception as error:
            raise Refusal("snapshot", f"cannot be read ({error}); {VERIFY}") from None
    if state is None:
        return None
    while rows := _page(ask, state.seq, PAGE):
        for row in rows:
            state = _after(state, row)
    return state


def _stored(ask: Ask) -> dict[str, int]:
    balances: dict[str, int] = defaultdict(int)
    for account, micros in ask(BALANCES):
        if not isinstance(micros, int):
            raise Refusal(f"totals of {account}", f"hold no number; {VERIFY}")
        balances[account] += micros
    return balances


def _compared(replayed: dict[str, int], stored: dict[str, int], running: dict[str, int]) -> tuple[Replayed, ...]:
    known = {account for account in stored if str(account).startswith(("meter/", "reserve/"))}
    rows = []
    for account in dict.fromkeys((*replayed, *running, *sorted(known))):
        part, link, meter = (*account.split("/", 2), "", "")[:3]
        amounts = (replayed.get(account, 0), stored.get(account, 0), running.get(account, 0))
        if account in replayed or any(amounts):
            rows.append(Replayed(link, meter, part, *amounts))
    return tuple(rows)
