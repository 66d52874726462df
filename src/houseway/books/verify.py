"""Whether a floor's database still says what was written to it (PR-24): every row of every table is checked.

The journal is read once, in pages, each as of one moment, so that a running floor is not held up. Every entry is
decoded, written again, chained to the one before it, judged by who could give such an order then, and folded into the
floor; what the other tables must then hold follows from it. With the floor's keys every code is checked too. A
difference anywhere is a finding, and so is anything in the database that is not the floor's. Nothing that a database
holds can make this raise.

What stays in memory is the floor, the totals, and eight bytes an entry. Over 500 lines because all checks share one
pass and what it keeps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from houseway.books.audit import authorised
from houseway.books.findings import Finder, Finding, Judged, Orders, repeats
from houseway.books.reading import (
    BODIES,
    CREDENTIALS,
    HEAD,
    JOURNAL,
    POSTINGS,
    SNAPSHOT,
    TOTALS,
    Ask,
    Pace,
    Progress,
    Reading,
    Unreadable,
    Values,
    read_rows,
    reading_of,
    show_value,
)
from houseway.books.rounds import chosen_cards
from houseway.manager.codes import CODE_BYTES, Codes
from houseway.manager.credentials import credential_digest
from houseway.manager.entry import FIRST_CODED, SALT_BYTES, Entry, chained, entry_of, row_of, written_form
from houseway.manager.events import ClockRepaired, PinSet, StaffEnrolled
from houseway.manager.keyring import Keyring
from houseway.manager.ledger import postings_of, totals_of
from houseway.manager.mark import defect, read_marks
from houseway.manager.signing import SignedHead, head_signature_holds
from houseway.manager.state import STATE_FORMAT, FloorState, after, format_of, snapshot_of
from houseway.manager.store.base import EMPTY, Credential, Head, Posting, Row, Snapshot, Store, TotalKey
from houseway.manager.transparency.check import TREE, TreeCheck
from houseway.manager.transparency.checkpoint import Checkpoint, WitnessPolicy
from houseway.table.progressive_round.ledger import meter_account, reserve_account

_HEX: Final = frozenset("0123456789abcdef")
COLUMNS: Final = ("number", "time", "gaming day", "order id", "kind", "table", "round")
"""The columns that repeat what the body says, in the order of a row."""


@dataclass(frozen=True, slots=True)
class Findings(Judged):
    """What was checked, and everything that was found: first entry by entry, then table by table."""

    entries: int
    postings: int
    totals: int
    credentials: int
    heads: int
    """Signed heads and checkpoints it was held against."""
    codes: int
    """Entries whose code was checked with the floor's key."""
    uncoded: int
    """Entries of before there were codes."""
    witnessed: int
    """The last entry that the demanded number of witnesses has seen; 0 where none was demanded."""
    last: Head
    """The last entry read."""
    bad: tuple[Finding, ...]
    unlisted: int
    """How many more there were than are listed."""
    finished: bool
    """False when it was interrupted: nothing is known of what comes after ``last``."""
    repaired: tuple[int, ...] = ()
    """The entries at which two people put the time right: earlier than the entry before, and nothing bad."""


def verify(
    store: Store,
    heads: Sequence[SignedHead] = (),
    progress: Progress | None = None,
    *,
    keys: Collection[str] = (),
    ring: Keyring | None = None,
    checkpoints: Sequence[Checkpoint] = (),
    witnesses: WitnessPolicy | None = None,
    marked: bool = True,
) -> Findings:
    """Check every table of a floor's database, against signed heads and checkpoints where there are any.

    With ``keys`` only what one of these public keys signed is taken; with ``ring`` the codes are checked, and, unless
    it is not ``marked``, how far the floor was by the marks beside its file. ``witnesses`` stands in place of what the
    floor itself demands: somebody who rewrites a journal can also rewrite that.
    """
    # Read before the journal, which may grow meanwhile.
    marks = read_marks(ring.file) if marked and ring is not None and ring.file is not None else []
    findings = verify_reading(
        reading_of(store),
        heads,
        progress,
        keys=keys,
        ring=ring,
        strangers=store.strangers,
        checkpoints=checkpoints,
        witnesses=witnesses,
    )
    wrong = tuple(Finding(None, "mark", why) for known in marks if (why := defect(store, known)))
    return replace(findings, bad=(*findings.bad, *wrong)) if wrong else findings


def verify_reading(
    reading: Reading,
    heads: Sequence[SignedHead] = (),
    progress: Progress | None = None,
    *,
    keys: Collection[str] = (),
    ring: Keyring | None = None,
    strangers: Callable[[], list[str]] | None = None,
    checkpoints: Sequence[Checkpoint] = (),
    witnesses: WitnessPolicy | None = None,
) -> Findings:
    """Check every table of the database that a reading opens; interrupted, it answers with what it has.

    ``strangers`` names what the database has beside the floor's own tables.
    """
    check = _Check(heads, keys, ring)
    check.find_strangers(strangers)
    check.tree = TreeCheck(checkpoints, keys, witnesses, check._find)
    try:
        check.run(reading, progress)
    except KeyboardInterrupt:
        return check.findings(finished=False)
    return check.findings(finished=True)


def repair_in(entry: Entry) -> ClockRepaired | None:
    """What an entry tells of the time that two people put right; None where it tells of none."""
    return next((event for event in entry.events if isinstance(event, ClockRepaired)), None)


def next_time(before: int, entry: Entry) -> tuple[int, str]:
    """The time of the journal after an entry, and what is wrong with that entry's time; empty where nothing is.

    An entry is never earlier than the one before it, but where two people put the time right.
    """
    repair = repair_in(entry)
    if repair is not None and repair.was == before and entry.at < before:
        return entry.at, ""
    if repair is not None:
        return max(before, entry.at), "puts the time right, but not that of the entry before it"
    return max(before, entry.at), "is earlier than the entry before it" if entry.at < before else ""


# ------------------------------------------------------------------------------------------- what the pass keeps


class _Lines:
    """The postings of a page, handed out entry by entry; one without a proper entry number goes to ``stray``."""

    def __init__(self, rows: Iterator[Values], stray: Callable[[Values], None]) -> None:
        self._rows = rows
        self._stray = stray
        self.count = 0
        self._next = self._after()

    def of(self, seq: int) -> list[Values]:
        """Those of one entry; those that come before it belong to none."""
        faults = []
        while self._next is not None and self._next[0] <= seq:
            if self._next[0] == seq:
                faults.append(self._next)
            else:
                self._stray(self._next)
            self._next = self._after()
        return faults

    def rest(self) -> None:
        """Those that are left belong to no entry."""
        while self._next is not None:
            self._stray(self._next)
            self._next = self._after()

    def _after(self) -> Values | None:
        for line in self._rows:
            self.count += 1
            if type(line[0]) is int:
                return line
            self._stray(line)
        return None


# ------------------------------------------------------------------------------------------------------- the one pass


@dataclass(slots=True)
class _Check(Finder):
    """One verification on its way through the journal."""

    heads: Sequence[SignedHead]
    keys: Collection[str]
    ring: Keyring | None = None
    codes: Codes | None = None
    coded: int = 0
    """Entries whose code was checked."""
    unknown_keys: set[str] = field(default_factory=set)
    """Secrets that were in force and are not at hand."""
    uncoded: Head = EMPTY
    uncoded_entries: int = 0
    place: Head = EMPTY
    """The entry read last, with the hash it is stored with."""
    rows: int = 0
    """Rows of the journal, those included that are no entry."""
    entries: int = 0
    postings: int = 0
    total_rows: int = 0
    credential_rows: int = 0
    state: FloorState | None = field(default_factory=FloorState)
    """The floor folded so far; None once an entry could not be folded."""
    at: int = 0
    repaired: list[int] = field(default_factory=list)
    totals: dict[TotalKey, int] = field(default_factory=dict)
    enrolled: dict[str, str] = field(default_factory=dict)
    """By card: the digest of its credential."""
    orders: Orders = field(default_factory=Orders)
    pace: Pace = field(default_factory=Pace)
    snapshots: set[Values] = field(default_factory=set)
    """Snapshots that were compared with the floor they claim to be."""
    heads_at: dict[int, list[SignedHead]] = field(default_factory=dict)
    tree: TreeCheck = field(init=False)

    def run(self, reading: Reading, progress: Progress | None) -> None:
        """Read everything: page after page of entries, and in the moment of the last page all other tables."""
        self._take_heads()
        self.codes = Codes(self.ring) if self.ring is not None else None
        last_page = False
        try:
            while not last_page:
                with reading() as ask:
                    last_page = self._page(ask)
                    if progress is not None:
                        progress(self.entries, max(self.entries, self.pace.end))
                    if last_page:
                        self._tables(ask)
        except Unreadable as error:
            self._find(None, "database", f"{error}; nothing after entry {self.place.seq} was checked")
        except Exception as error:
            # Whatever a database and its driver come up with is a finding: this is the one place that hears of it.
            self._find(None, "database", f"cannot be read after entry {self.place.seq}: {show_value(error)}")

    def find_strangers(self, strangers: Callable[[], list[str]] | None) -> None:
        """TR-12: what the database has beside the floor's own tables could change what is written or read."""
        try:
            for what in strangers() if strangers is not None else ():
                self._find(None, "database", what)
        except Exception as error:
            self._find(None, "database", f"its tables cannot be listed: {show_value(error)}")

    def findings(self, *, finished: bool) -> Findings:
        """What there is so far."""
        return Findings(
            entries=self.entries,
            postings=self.postings,
            totals=self.total_rows,
            credentials=self.credential_rows,
            heads=len(self.heads) + len(self.tree.checkpoints),
            codes=self.coded,
            uncoded=self.uncoded_entries,
            witnessed=self.tree.witnessed,
            last=self.place,
            bad=self.in_order(),
            unlisted=self.unlisted,
            finished=finished,
            repaired=tuple(self.repaired),
        )

    def _page(self, ask: Ask) -> bool:
        """One page of entries, each with its postings; answers whether it was the last."""
        begun = f"WHERE seq > {self.place.seq}" if self.entries else ""
        limit = self.pace.limit(ask, self.place.seq)
        stored = list(read_rows("journal", ask, f"{JOURNAL} {begun} ORDER BY seq LIMIT {limit}"))
        rows = [row for row in stored if type(row[0]) is int]
        # Numbers sort before text, so what follows a row without a number is no entry either.
        last_page = len(stored) < limit or not rows or rows[-1] is not stored[-1]
        until = "" if last_page else f"{'AND' if begun else 'WHERE'} seq <= {rows[-1][0]}"
        lines = _Lines(read_rows("postings", ask, f"{POSTINGS} {begun} {until} ORDER BY seq, line"), self._find_stray)
        snapshot_rows = list(read_rows("snapshot", ask, SNAPSHOT))
        self._snapshots(snapshot_rows)
        self.rows += len(stored)
        for row in stored:
            if type(row[0]) is not int:
                self._find(None, f"journal {show_value(row[0])}", "is a row without the number of an entry")
        for row in rows:
            self._entry(row, lines.of(row[0]))
            self._snapshots(snapshot_rows)
        lines.rest()
        self.postings += lines.count
        return last_page

    def _find_stray(self, line: Values) -> None:
        self._find(None, f"postings {show_value(line[0])}/{show_value(line[1])}", "belongs to no entry of the journal")

    # -------------------------------------------------------------------------------------------------- entry by entry

    def _entry(self, stored: Values, lines: list[Values]) -> None:
        seq, stored_hash = stored[0], stored[-2]
        self._check_number(seq)
        self.entries += 1
        chain = stored_hash if type(stored_hash) is str and stored_hash.isascii() else ""
        try:
            entry = entry_of(stored[-3])
            self._check_row(stored, entry)
            self._check_code(seq, stored, entry)
            self._check_time(seq, entry)
            self._check_postings(seq, entry, lines)
            self._enrol(entry)
            self._check_chosen(seq, entry)
            self.orders.add(entry.order)
            self._check_authority(seq, entry)
            self._fold(seq, entry, chain)
        except Exception as error:
            # A body that was made up can be no JSON, no entry, or one that cannot be written again.
            self._find_in(seq, f"its body is no entry of a journal: {show_value(error)}")
            self.state = None
        self.place = Head(seq, chain)
        self.tree.entry(stored[-3], chain, self.state)
        for head in self.heads_at.pop(seq, ()):
            self._check_signed(head)

    def _check_number(self, seq: int) -> None:
        due = self.place.seq + 1
        if not self.entries and seq < 1:
            self._find_in(seq, "has a number below 1; the journal counts from 1")
        elif seq == due + 1:
            self._find_in(due, "is missing")
        elif seq > due:
            self._find_in(due, f"is missing, and all others before entry {seq}")
        elif seq < due:
            self._find_in(seq, "is there more than once")
        if seq != due:
            self.state = None

    def _check_row(self, stored: Values, entry: Entry) -> None:
        """The row must be what the program writes for the entry in it, after the entry before it."""
        seq, body = stored[0], stored[-3]
        row = row_of(entry, Head(entry.seq - 1, self.place.hash))
        for name, has, should in zip(COLUMNS, stored, row, strict=False):
            if not _same(has, should):
                self._find_in(seq, f"its column says {name} {show_value(has)}, its body {show_value(should)}")
        if body != written_form(entry, body):
            self._find_in(seq, "its body is not written as the program writes it")
        if not _same(stored[-2], chained(self.place.hash, body)):
            before = f"entry {self.place.seq}" if self.place.seq else "an empty journal"
            self._find_in(seq, f"its hash does not fit its body after {before}: it was changed, or what is before it")

    def _check_code(self, seq: int, stored: Values, entry: Entry) -> None:
        """TR-10, TR-12: a salt and a code, from the first entry that has them on."""
        code = stored[-1]
        if entry.format < FIRST_CODED:
            self.uncoded_entries += 1
            if self.place != self.uncoded:
                self._find_in(seq, f"is of format {entry.format}, without a code, but entry {self.place.seq} has one")
            if entry.salt or entry.format != 1 or not _same(code, ""):
                self._find_in(seq, "is of format 1, which has neither salt nor code")
            self.uncoded = Head(seq, stored[-2]) if type(stored[-2]) is str else self.uncoded
            return
        if len(entry.salt) != SALT_BYTES * 2 or not _HEX.issuperset(entry.salt):
            self._find_in(seq, f"its salt is not {SALT_BYTES * 2} hexadecimal digits")
        if type(code) is not str or len(code) != CODE_BYTES * 2 or not _HEX.issuperset(code):
            self._find_in(seq, f"its code is not {CODE_BYTES * 2} hexadecimal digits")
        elif self.codes is not None and self.state is not None and type(stored[-2]) is str:
            self._check_secret(seq, Row(*stored), self.codes, self.state.key_ids)

    def _check_secret(self, seq: int, row: Row, codes: Codes, ids: dict[str, str]) -> None:
        self.coded += 1
        name = ids.get("codes", "")
        if codes.holds(ids):
            if not codes.entry_fits(ids, row):
                self._find_in(seq, "its code does not fit the floor's key: the floor did not write it")
        elif name not in self.unknown_keys:
            self.unknown_keys.add(name)
            self._find_in(seq, f"was written under the codes secret {name}, which the key file does not hold")

    def _check_authority(self, seq: int, entry: Entry) -> None:
        """TR-12: the order was its giver's to give, by the staff and the rules of then."""
        why = authorised(self.state, entry) if self.state is not None else ""
        if why:
            self._find_in(seq, f"{show_value(entry.by)} may not have made it: {show_value(why)}")

    def _check_time(self, seq: int, entry: Entry) -> None:
        self.at, why = next_time(self.at, entry)
        if why:
            self._find_in(seq, why)
        elif repair_in(entry) is not None:
            self.repaired.append(seq)

    def _check_postings(self, seq: int, entry: Entry, lines: list[Values]) -> None:
        """The stored lines must be the entry's money: no line more, less or different."""
        try:
            due = postings_of(entry)
        except RuntimeError:
            self._find_in(seq, "does not balance: its money does not sum to zero")
            return
        totals_of(entry, due, self.totals)
        for has, should in zip(lines, due, strict=False):
            if not _all_same(has, should):
                self._find(seq, f"entry {seq}, postings line {show_value(has[1])}", _difference(has, should))
        for line in lines[len(due) :]:
            self._find(seq, f"entry {seq}, postings line {show_value(line[1])}", "is not in the entry")
        for posting in due[len(lines) :]:
            self._find(seq, f"entry {seq}, postings line {posting.line}", "is missing")

    def _enrol(self, entry: Entry) -> None:
        for event in entry.events:
            if isinstance(event, StaffEnrolled | PinSet):
                self.enrolled[event.card] = event.credential

    def _check_chosen(self, seq: int, entry: Entry) -> None:
        """TR-9: on a floor that was not founded as a demonstration no card is chosen."""
        if self.state is not None and not self.state.demonstration:
            for why in chosen_cards(entry):
                self._find_in(seq, why)

    def _fold(self, seq: int, entry: Entry, hash: str) -> None:
        if self.state is None:
            return
        try:
            self.state = after(self.state, entry, hash)
        except Exception as error:
            # An entry that was made up can contradict the floor in any way, and break the fold in any way.
            self._find_in(seq, f"cannot have happened on the floor as it stood: {show_value(error)}")
            self.state = None

    # ------------------------------------------------------------------------------------------------------- signatures

    def _take_heads(self) -> None:
        for head in self.heads:
            if not head_signature_holds(head):
                self._find_signed(head, "is not signed by the key it names")
            elif self.keys and head.key not in self.keys:
                self._find_signed(head, f"is signed by key {head.key}, which is not one of those given")
            if head.seq < 1:
                self._find_signed(head, "names no entry")
            else:
                self.heads_at.setdefault(head.seq, []).append(head)

    def _check_signed(self, head: SignedHead) -> None:
        """A signed head against the entry that was just read."""
        if not _same(head.hash, self.place.hash):
            self._find_signed(head, "has another hash than the journal: this entry or one before it was changed since")
        if self.state is None:
            return
        if head.key != self.state.key:
            self._find_signed(head, f"is signed by key {head.key}, but {show_value(self.state.key)} was in force then")
        if self.state.config is not None and head.site != self.state.policies.site:
            self._find_signed(
                head, f"is of site {show_value(head.site)}, not of {show_value(self.state.policies.site)}"
            )

    def _find_signed(self, head: SignedHead, what: str) -> None:
        self._find(max(head.seq, 0) or None, f"signed head of entry {head.seq}", what)

    # --------------------------------------------------------------------------------------------------- table by table

    def _tables(self, ask: Ask) -> None:
        """The tables that follow from the journal, after its last entry."""
        for heads in self.heads_at.values():
            for head in heads:
                self._find_signed(head, f"is not in the journal, which ends at entry {self.place.seq}: it was cut off")
        self._check_border()
        self._check_orders(ask)
        self._check_count(ask, "journal", self.rows)
        self._check_count(ask, "postings", self.postings)
        self._table("head", ask, HEAD, self._check_head)
        self._table("snapshot", ask, SNAPSHOT, self._check_snapshot)
        self._table("tree", ask, TREE, self.tree.nodes)
        self.tree.end(self.state)
        self._table("totals", ask, TOTALS, self._check_totals)
        self._table("credentials", ask, CREDENTIALS, self._check_credentials)

    def _check_border(self) -> None:
        """The key file knows which entries have no code: a journal written anew in an old format is not that one."""
        due = self.ring.uncoded if self.ring is not None else None
        if due is not None and due != self.uncoded:
            last = self.uncoded.seq
            self._find(
                None,
                "journal",
                f"has no codes up to entry {last}, but by the key file the last without one is entry {due.seq}"
                + (", with another hash" if last == due.seq else ""),
            )

    def _table(self, name: str, ask: Ask, question: str, check: Callable[[Iterable[Values]], None]) -> None:
        try:
            check(read_rows(name, ask, question))
        except Unreadable as error:
            self._find(None, name, str(error))

    def _check_count(self, ask: Ask, table: str, read: int) -> None:
        """A row without a proper number can slip between two pages; the table's own count includes it."""
        for (rows,) in read_rows(table, ask, f"SELECT count(*) FROM {table}"):
            if rows != read:
                self._find(None, table, f"has {rows} rows, but {read} of them have the number of an entry, in order")

    def _check_orders(self, ask: Ask) -> None:
        """No two entries may come of one order."""
        for seq, earlier in repeats(self.orders, lambda: (row[0] for row in read_rows("journal", ask, BODIES))):
            self._find_in(seq, f"has the order id of entry {earlier}: one order is done once")

    def _check_head(self, stored_rows: Iterable[Values]) -> None:
        rows = list(stored_rows)
        if len(rows) != 1:
            self._find(None, "head", f"has {len(rows)} rows; it must have one")
        for number, *stored in rows:
            if not _same(number, 1):
                self._find(None, "head", f"its row is numbered {show_value(number)}, not 1")
            if not _all_same(stored, self.place):
                stored_words = f"entry {show_value(stored[0])} with hash {show_value(stored[1])}"
                self._find(
                    None, "head", f"says {stored_words}; the journal ends at entry {self.place.seq}, {self.place.hash}"
                )

    def _snapshots(self, rows: list[Values]) -> None:
        """Compare a snapshot with the floor when the journal has come to the entry it is of."""
        for row in rows:
            seq = row[1]
            if self.state is None or not self.entries or not _same(seq, self.place.seq) or row in self.snapshots:
                continue
            self.snapshots.add(row)
            if self._is_of_before(row) or self._is_of_earlier_format(row):
                continue
            if not _all_same(row[1:-1], snapshot_of(self.state)[:-1]):
                what = "floor" if _same(row[2], self.place.hash) else "hash"
                self._find(None, "snapshot", f"its {what} is not that of the journal at entry {seq}")

    def _check_snapshot(self, stored_rows: Iterable[Values]) -> None:
        rows = list(stored_rows)
        if len(rows) > 1 or (not rows and self.entries):
            self._find(None, "snapshot", f"has {len(rows)} rows; it must have one")
        for row in rows:
            if not _same(row[0], 1):
                self._find(None, "snapshot", f"its row is numbered {show_value(row[0])}, not 1")
            self._check_snapshot_code(row)
            if row not in self.snapshots and self.state is not None:
                self._find(None, "snapshot", f"is of entry {show_value(row[1])}, which is not an entry of the journal")

    def _is_of_before(self, row: Values) -> bool:
        """Whether a snapshot was saved before there were codes: no start uses it, so what it says is of no account."""
        return _same(row[-1], "") and type(row[1]) is int and row[1] <= self.uncoded.seq

    def _is_of_earlier_format(self, row: Values) -> bool:
        """Whether an earlier version saved it: this one's start does not use it either."""
        try:
            return self._is_snapshot(row) and 0 < format_of(Snapshot(*row[1:])) < STATE_FORMAT
        except (msgspec.MsgspecError, UnicodeError):
            return False

    def _check_snapshot_code(self, row: Values) -> None:
        code = row[-1]
        if self._is_of_before(row):
            return
        if type(code) is not str or len(code) != CODE_BYTES * 2 or not _HEX.issuperset(code):
            self._find(None, "snapshot", f"its code is not {CODE_BYTES * 2} hexadecimal digits")
        elif self.codes is not None and self._is_snapshot(row) and not self.codes.snapshot_fits(Snapshot(*row[1:])):
            self._find(None, "snapshot", "its code does not fit the floor's key: the floor did not save it")

    def _is_snapshot(self, row: Values) -> bool:
        return type(row[1]) is int and type(row[2]) is str and row[2].isascii() and type(row[3]) is bytes

    def _check_totals(self, rows: Iterable[Values]) -> None:
        """The totals must be the sums of the postings, and the meters the sums of the totals."""
        balances: dict[str, int] = defaultdict(int)
        left = dict(self.totals)
        for row in rows:
            self.total_rows += 1
            *key, micros = row
            due = left.pop(TotalKey(*key), None)
            if due is None:
                self._find(None, _total(key), "is no total of the journal")
            elif not _same(micros, due):
                self._find(None, _total(key), f"is {show_value(micros)} micros; the journal sums to {due}")
            if type(micros) is int:
                balances[key[2]] += micros
        for total in left:
            self._find(None, _total(total), "is missing")
        self._check_meters(balances)

    def _check_meters(self, balances: dict[str, int]) -> None:
        if self.state is None:
            return
        for account, micros in meters_of(self.state).items():
            if balances.pop(account, 0) != micros:
                self._find(None, account, f"its totals do not sum to the {micros} micros that it holds by the journal")
        for account, micros in balances.items():
            if micros and isinstance(account, str) and account.startswith(("meter/", "reserve/")):
                self._find(None, show_value(account), f"{micros} micros are on a meter that the floor does not have")

    def _check_credentials(self, rows: Iterable[Values]) -> None:
        """Every card that was ever enrolled must have the credential it was last enrolled with, and no other card."""
        left = dict(self.enrolled)
        for row in rows:
            self.credential_rows += 1
            digest = left.pop(row[0], None)
            where = f"credentials {show_value(row[0])}"
            if digest is None:
                self._find(None, where, "is of a card that was never enrolled")
            elif _digest(row) != digest:
                self._find(None, where, "is not the credential that the card was enrolled with")
        for card in left:
            self._find(None, f"credentials {show_value(card)}", "is missing")


# ------------------------------------------------------------------------------------------------------- small things


def meters_of(state: FloorState) -> dict[str, int]:
    """What every meter and reserve of a floor holds, by its account."""
    balances = {}
    for link in state.links.values():
        for name, meter in link.meters.items():
            balances[meter_account(link.id, name)] = meter.value
            balances[reserve_account(link.id, name)] = meter.reserve
    return balances


def _same(has: Any, should: Any) -> bool:
    """Whether a stored value is the right one, and of the right type: to a database 1 may be 1.0."""
    return type(has) is type(should) and has == should


def _all_same(has: Iterable[Any], should: Iterable[Any]) -> bool:
    return all(_same(mine, other) for mine, other in zip(has, should, strict=True))


def _total(key: Iterable[object]) -> str:
    return f"totals {' / '.join(map(show_value, key))}"


def _difference(has: Values, should: Posting) -> str:
    parts = [
        f"{name} is {show_value(mine)}, the entry says {show_value(other)}"
        for name, mine, other in zip(Posting._fields, has, should, strict=True)
        if not _same(mine, other)
    ]
    return "; ".join(parts)


def _digest(row: Values) -> str | None:
    if not all(type(value) is str for value in row):
        return None
    try:
        return credential_digest(Credential(*row))
    except UnicodeError:
        return None
