"""One file for a period of the journal, signed, that can be checked on a machine with no floor and no database.

A bundle is JSON Lines: a heading, the configuration in force before its first entry, the entries with their hashes,
the signed head of the whole journal, a manifest with the digest of every part, and a signature over the manifest. So
the signature covers every byte before it. The hashes chain the entries from the one before the first to the last; the
manifest names that last hash beside the journal's head, and one key signs both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, TypeVar

import msgspec
from msgspec import Struct

from houseway.books.export import Period, entry_range, read_entry
from houseway.books.findings import Finder, Finding, Judged, Orders, repeats
from houseway.books.reading import PAGE, Progress
from houseway.books.verify import next_time, repair_in
from houseway.manager.config import FloorConfig
from houseway.manager.entry import Entry, chained, entry_of, row_of, written_form
from houseway.manager.events import FloorConfigured, KeyReplaced
from houseway.manager.ledger import postings_of
from houseway.manager.signing import (
    SignedHead,
    check_in_force,
    head_signature_holds,
    sign_head,
    signature_holds,
    signed,
)
from houseway.manager.state import FloorState
from houseway.manager.store.base import EMPTY, Head, Row, Store
from houseway.manager.store.files import new_file
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT: Final = "houseway journal bundle 1"
PURPOSE: Final = b"houseway journal bundle 1\n"
MOST_LINE_BYTES: Final = 32_000_000
"""A longer line is no line of ours; it is not read into memory."""


class Heading(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: what this is."""

    format: str
    site: str
    first_day: str
    """The gaming days that were asked for; empty for no bound."""
    last_day: str
    first: int
    """The first and last entry in it."""
    last: int
    before: str
    """The hash of the entry before the first: what the chain begins with."""
    made_at: int
    """Microseconds since 1970."""
    key: str
    """The public key that signs it, in hex."""


class InForce(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The second line: the site's configuration before the first entry of the bundle, and the entry it came with."""

    config: FloorConfig | None
    """None where the bundle begins with the journal: its first entry brings the first configuration."""
    entry: int


class Link(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the middle: one entry as its hash is taken over, and that hash."""

    body: str
    hash: str


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line but one: where the chain of the entries ends, and the digest of every part."""

    last: int
    hash: str
    """The hash of the last entry."""
    heading_sha256: str
    config_sha256: str
    entries_sha256: str
    head_sha256: str


class Signature(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line: over the manifest."""

    signature: str


@dataclass(frozen=True, slots=True)
class Bundle(Judged):
    """A bundle that was written, or what was found in one that was read."""

    site: str
    first: int
    last: int
    entries: int
    head: int
    """The entry at which the whole journal stood when the bundle was made."""
    key: str
    """Who signed it. Whether that is the site's key, only someone who knows that key can say."""
    bad: tuple[Finding, ...] = ()
    unlisted: int = 0
    """How many more findings there were than are listed."""
    finished: bool = True


_ENCODER: Final = msgspec.json.Encoder()


def _line(part: Struct) -> bytes:
    return _ENCODER.encode(part) + b"\n"


# ---------------------------------------------------------------------------------------------------------- writing one


def write_bundle(
    store: Store,
    state: FloorState,
    period: Period,
    key: Ed25519PrivateKey,
    at: int,
    target: Path,
    progress: Progress | None = None,
) -> Bundle:
    """Write the entries of some gaming days, signed, into a new file; whole or not at all."""
    public = check_in_force(state, key)
    first, last = entry_range(store, state, period)
    head = sign_head(state, key, at)
    heading = Heading(
        format=FORMAT,
        site=state.policies.site,
        first_day=period.first.isoformat() if period.first else "",
        last_day=period.last.isoformat() if period.last else "",
        first=first,
        last=last,
        before=_hash_before(store, first),
        made_at=at,
        key=public,
    )
    try:
        with new_file(target) as part, part.open("wb") as out:
            heading_line, config_line = _line(heading), _line(_in_force(store, state, first))
            out.write(heading_line + config_line)
            digest, hash_at_end = _write_entries(store, Head(first - 1, heading.before), last, out, progress)
            head_line = head.text.encode()
            manifest = _line(
                Manifest(
                    last=last,
                    hash=hash_at_end,
                    heading_sha256=_sha256(heading_line),
                    config_sha256=_sha256(config_line),
                    entries_sha256=digest,
                    head_sha256=_sha256(head_line),
                )
            )
            out.write(head_line + manifest + _line(Signature(signature=signed(key, PURPOSE, manifest))))
    except OSError as error:
        raise Refusal(str(target), f"cannot be written: {_why(error)}") from None
    return Bundle(state.policies.site, first, last, last - first + 1, head.seq, public)


def _write_entries(store: Store, before: Head, last: int, out: IO[bytes], progress: Progress | None) -> tuple[str, str]:
    """The entries, checked link by link: what does not hold together is not signed."""
    digest, place = hashlib.sha256(), before
    for row in store.entries(before.seq, last):
        entry = read_entry(row)
        if not _is_as_written(entry, row, place):
            raise Refusal(f"entry {row.seq}", "is not as it was written; `houseway journal verify` says what is wrong")
        line = _line(Link(body=row.body, hash=row.hash))
        digest.update(line)
        out.write(line)
        place = Head(row.seq, row.hash)
        if progress is not None:
            progress(row.seq - before.seq, last - before.seq)
    if place.seq != last:
        raise Refusal(f"entry {place.seq + 1}", "is missing; `houseway journal verify` says what is wrong")
    return digest.hexdigest(), place.hash


def _is_as_written(entry: Entry, row: Row, place: Head) -> bool:
    """Whether a row repeats its entry in its columns, follows from the one before it and is written as it should be."""
    if entry.seq != place.seq + 1:
        return False
    due = row_of(entry, place)._replace(body=row.body, hash=chained(place.hash, row.body), code=row.code)
    return row == due and written_form(entry, row.body) == row.body


def _hash_before(store: Store, first: int) -> str:
    if first == 1:
        return EMPTY.hash
    row = store.entry(first - 1)
    if row is None:
        raise Refusal(f"entry {first - 1}", "is missing; `houseway journal verify` says what is wrong")
    return row.hash


def _in_force(store: Store, state: FloorState, first: int) -> InForce:
    """The configuration before an entry."""
    number = max((seq for seq in state.configured if seq < first), default=0)
    row = store.entry(number) if number else None
    for event in read_entry(row).events if row else ():
        if isinstance(event, FloorConfigured):
            return InForce(config=event.config, entry=number)
    if first > 1:
        raise Refusal(f"entry {number}", "should bring a configuration; `houseway journal verify` says what is wrong")
    return InForce(config=None, entry=0)


# --------------------------------------------------------------------------------------------------------- checking one


def check_bundle(source: Path, keys: Collection[str] = (), progress: Progress | None = None) -> Bundle:
    """Everything that is wrong with a bundle, by itself alone; with keys, also that one of them has signed it."""
    try:
        size = source.stat().st_size
        with source.open("rb") as file:
            check = _Check(_Lines(file), keys)
            try:
                check.run(lambda: progress(check.lines.read, size) if progress is not None else None)
            except KeyboardInterrupt:
                return check.bundle(finished=False)
            return check.bundle(finished=True)
    except OSError as error:
        raise Refusal(str(source), f"cannot be read: {_why(error)}") from None


class _Broken(Exception):  # noqa: N818  it never leaves this module
    """A line is not what it must be, and nothing after it can be made sense of."""


Part = TypeVar("Part", bound=Struct)


class _Lines:
    """The lines of a bundle, each exactly as this program would write it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.read = 0

    def next(self, kind: type[Part], name: str) -> tuple[Part, bytes]:
        """The next line, as what it must be."""
        line = self._file.readline(MOST_LINE_BYTES + 1)
        self.read += len(line)
        if len(line) > MOST_LINE_BYTES:
            raise _Broken(f"its {name} is too long to be one")
        try:
            part = msgspec.json.decode(line, type=kind)
            encoded = part.text.encode() if isinstance(part, SignedHead) else _line(part)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError) as error:
            raise _Broken(f"its {name} cannot be read: {error}" if line else f"it ends before its {name}") from None
        if encoded != line:
            raise _Broken(f"its {name} is not written as the program writes it")
        return part, line

    def end(self) -> bool:
        """Whether nothing follows."""
        return not self._file.read(1)

    def again(self) -> Iterator[str]:
        """The bodies of the entries once more, from the start."""
        self._file.seek(0)
        while line := self._file.readline(MOST_LINE_BYTES + 1):
            try:
                yield msgspec.json.decode(line, type=Link).body
            except msgspec.MsgspecError:
                continue


class _Check(Finder):
    """One bundle on its way through its lines."""

    def __init__(self, lines: _Lines, keys: Collection[str]) -> None:
        super().__init__()
        self.lines = lines
        self._keys = keys
        self._heading: Heading | None = None
        self._place = EMPTY
        self._entries = 0
        self._at = 0
        self._head = 0
        self._orders = Orders()
        self._key_in_force = ""
        """The last key that the entries name."""

    def run(self, progress: Callable[[], None]) -> None:
        """Read the bundle from its first line to its last."""
        try:
            heading, heading_line = self.lines.next(Heading, "heading")
            if heading.format != FORMAT:
                raise _Broken(f"its heading says {heading.format!r}; this program reads {FORMAT!r}")
            self._take(heading)
            _, config_line = self._configuration(heading)
            entries = hashlib.sha256()
            for seq in range(heading.first, heading.last + 1):
                entries.update(self._entry(seq, heading))
                if not seq % PAGE:
                    progress()
            head_line = self._signed_head(heading)
            manifest, manifest_line = self.lines.next(Manifest, "manifest")
            self._check_manifest(
                manifest,
                Manifest(
                    last=heading.last,
                    hash=self._place.hash,
                    heading_sha256=_sha256(heading_line),
                    config_sha256=_sha256(config_line),
                    entries_sha256=entries.hexdigest(),
                    head_sha256=_sha256(head_line),
                ),
            )
            signature, _ = self.lines.next(Signature, "signature")
            if not signature_holds(heading.key, signature.signature, PURPOSE, manifest_line):
                self._find(None, "signature", f"key {heading.key} has not signed this bundle")
            if not self.lines.end():
                self._find(None, "bundle", "something was added after its signature")
            for seq, earlier in repeats(self._orders, self.lines.again):
                self._find_in(seq, f"has the order id of entry {earlier}: one order is done once")
            progress()
        except _Broken as error:
            self._find(None, "bundle", str(error))

    def bundle(self, *, finished: bool) -> Bundle:
        """What there is so far."""
        heading = self._heading
        return Bundle(
            site=heading.site if heading else "",
            first=heading.first if heading else 0,
            last=heading.last if heading else 0,
            entries=self._entries,
            head=self._head,
            key=heading.key if heading else "",
            bad=self.in_order(),
            unlisted=self.unlisted,
            finished=finished,
        )

    def _take(self, heading: Heading) -> None:
        self._heading = heading
        self._place = Head(heading.first - 1, heading.before)
        if not 1 <= heading.first <= heading.last:
            raise _Broken(f"it says it goes from entry {heading.first} to {heading.last}")
        if heading.first == 1 and heading.before != EMPTY.hash:
            self._find_in(1, "a journal begins with nothing before it, but here something is")
        if self._keys and heading.key not in self._keys:
            self._find(None, "signature", f"it is signed by key {heading.key}, which is not one of those given")

    def _configuration(self, heading: Heading) -> tuple[InForce, bytes]:
        part, line = self.lines.next(InForce, "configuration")
        if (part.config is None) != (heading.first == 1):
            self._find(None, "configuration", "must be there, unless the bundle begins with entry 1")
        if not 0 <= part.entry < heading.first:
            self._find(None, "configuration", f"comes with entry {part.entry}, which is not before the first entry")
        return part, line

    def _entry(self, seq: int, heading: Heading) -> bytes:
        """One entry; what is wrong with it is found, and the chain goes on from the hash it has."""
        try:
            link, line = self.lines.next(Link, f"entry {seq}")
        except _Broken as error:
            self._find_in(seq, "cannot be read, and nothing after it")
            raise error from None
        self._entries += 1
        if link.hash != chained(self._place.hash, link.body):
            self._find_in(seq, "its hash does not fit its body and the hash before it: one of them was changed")
        try:
            entry = entry_of(link.body)
            if entry.seq != seq or written_form(entry, link.body) != link.body:
                self._find_in(seq, "its body is not written as the program writes it")
            postings_of(entry)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError, RuntimeError) as error:
            self._find_in(seq, f"its body is no such entry of a journal: {error}")
        else:
            self._take_entry(seq, entry, heading)
        self._place = Head(seq, link.hash)
        return line

    def _take_entry(self, seq: int, entry: Entry, heading: Heading) -> None:
        repair = repair_in(entry)
        # The entry before the first one is not in the bundle: there a repair alone tells its time.
        self._at, why = next_time(self._at or (repair.was if repair is not None else 0), entry)
        if why:
            self._find_in(seq, why)
        if seq in (heading.first, heading.last) and not _in_period(heading, entry.day):
            self._find_in(seq, f"is of gaming day {entry.day}, which the bundle is not for")
        self._orders.add(entry.order)
        for event in entry.events:
            if isinstance(event, KeyReplaced) and event.purpose == "signing":
                self._key_in_force = event.key

    def _signed_head(self, heading: Heading) -> bytes:
        """The head of the whole journal: the chain must end there, or before it."""
        head, line = self.lines.next(SignedHead, "signed head")
        self._head = head.seq
        if not head_signature_holds(head):
            self._find(None, "signed head", "is not signed by the key it names")
        if (head.key, head.site) != (heading.key, heading.site):
            self._find(None, "signed head", "is of another key or site than the bundle")
        if head.seq < heading.last:
            self._find(None, "signed head", f"is of entry {head.seq}, before the last entry of the bundle")
        elif head.seq == heading.last:
            if head.hash != self._place.hash:
                self._find_in(heading.last, "its hash is not the one that the signed head names")
            if self._key_in_force not in ("", heading.key):
                self._find(None, "signature", f"key {self._key_in_force} was in force, but {heading.key} has signed")
        return line

    def _check_manifest(self, manifest: Manifest, due: Manifest) -> None:
        for field in Manifest.__struct_fields__:
            if getattr(manifest, field) != getattr(due, field):
                self._find(None, "manifest", f"its {field.replace('_', ' ')} is not that of the bundle")


def _in_period(heading: Heading, day: str) -> bool:
    return heading.first_day <= day and (not heading.last_day or day <= heading.last_day)


def _sha256(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
