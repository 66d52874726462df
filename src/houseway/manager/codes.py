"""Authentication codes (TR-12): what only the floor's own process could have written.

A code is BLAKE2b with the secret for codes. An entry's code is taken over its hash and its text, so that one row can be
checked by itself; the hash ties it to everything before it. The secret is the one in force *before* the entry, so that
the entry which replaces the secret is the last under the old one.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Final

import msgspec

from houseway.manager.entry import FIRST_CODED, Entry, chained, entry_of
from houseway.manager.keyring import Keyring
from houseway.manager.store.base import Head, Row, Snapshot
from houseway.refusal import Damaged, Refusal

CODE_BYTES: Final = 16
_ENTRY: Final = b"houseway entry"
_STATE: Final = b"houseway state"
VERIFY: Final = "`houseway journal verify` says what is wrong"


class Codes:
    """Makes and checks the codes of a floor with its keys."""

    def __init__(self, keys: Keyring) -> None:
        self._keys = keys
        self.source = f"the key in {keys.file}" if keys.file is not None else "its key"
        self._begun: dict[tuple[bytes, str], blake2b | None] = {}

    def of_entry(self, ids: Mapping[str, str], hash: str, body: str) -> str:
        """The code of an entry, with the secret in force by these names."""
        return self.maker(ids)(hash, body)

    def maker(self, ids: Mapping[str, str]) -> Callable[[str, str], str]:
        """What makes the codes of entries while these secrets are in force."""
        begun = self._begin(_ENTRY, ids.get("codes", ""))
        if begun is None:
            raise Refusal("key_file", f"does not hold the codes secret {ids['codes']} that is in force by the journal")
        copy = begun.copy

        def made(hash: str, body: str) -> str:
            code = copy()
            code.update(f"{hash}\n{body}".encode())
            return code.hexdigest()

        return made

    def entry_fits(self, ids: Mapping[str, str], row: Row) -> bool:
        """Whether an entry's code was made with the secret in force by these names."""
        due = self._made(_ENTRY, ids.get("codes", ""), f"{row.hash}\n{row.body}".encode())
        return due is not None and _same(row.code, due)

    def holds(self, ids: Mapping[str, str]) -> bool:
        """Whether the secret in force by these names is at hand."""
        return self._keys.named("codes", ids.get("codes", "")) is not None

    def sealed(self, snapshot: Snapshot) -> Snapshot:
        """A snapshot with its code."""
        code = self._made(_STATE, self._keys.ids.get("codes", ""), _covered(snapshot))
        if code is None:
            raise Refusal("key_file", "does not hold the codes secret that is in force by the journal")
        return snapshot._replace(code=code)

    def snapshot_fits(self, snapshot: Snapshot) -> bool:
        """Whether a snapshot was made with the floor's newest secret: one that was replaced may be known to others."""
        due = _started(_STATE, self._keys.newest("codes"), _covered(snapshot)).hexdigest()
        return _same(snapshot.code, due)

    def past(self, row: Row) -> Entry:
        """An entry of long ago that a decision asks for; refused when somebody changed it since."""
        entry = entry_of(row.body)
        if entry.format >= FIRST_CODED and not any(
            _same(row.code, _started(_ENTRY, secret, f"{row.hash}\n{row.body}".encode()).hexdigest())
            for secret in self._keys.secrets("codes")
        ):
            raise Refusal("journal", f"entry {row.seq} was changed since it was written; {VERIFY}")
        return entry

    def _begin(self, purpose: bytes, name: str) -> blake2b | None:
        """BLAKE2b with a secret, to be copied; None where the secret is not at hand."""
        key = (purpose, name)
        if key not in self._begun:
            secret = self._keys.named("codes", name)
            self._begun[key] = None if secret is None else _started(purpose, secret)
        return self._begun[key]

    def _made(self, purpose: bytes, name: str, text: bytes) -> str | None:
        begun = self._begin(purpose, name)
        if begun is None:
            return None
        code = begun.copy()
        code.update(text)
        return code.hexdigest()


def _started(purpose: bytes, secret: bytes, text: bytes = b"") -> blake2b:
    return blake2b(text, key=secret, person=purpose, digest_size=CODE_BYTES)


def _covered(snapshot: Snapshot) -> bytes:
    return f"{snapshot.seq}\n{snapshot.hash}\n".encode() + snapshot.body


def _same(has: object, due: str) -> bool:
    return isinstance(has, str) and has.isascii() and hmac.compare_digest(has, due)


def read_next(row: Row, head: Head, uncoded: Head, ids: Mapping[str, str], codes: Codes | None) -> Entry:
    """The entry of the next row of a journal, if it follows from the one before it and nobody but the floor wrote it.

    ``uncoded`` is the last entry without a code so far. Without codes only the chain is checked.
    """
    if row.seq != head.seq + 1:
        raise Damaged(f"the journal: entry {head.seq + 1} is missing; {VERIFY}")
    if chained(head.hash, row.body) != row.hash:
        raise Damaged(f"the journal: entry {row.seq} does not follow from entry {head.seq}; {VERIFY}")
    try:
        entry = entry_of(row.body)
    except (msgspec.DecodeError, UnicodeError) as wrong:
        raise Damaged(f"the journal: entry {row.seq} cannot be read ({wrong}); {VERIFY}") from None
    if entry.seq != row.seq:
        raise Damaged(f"the journal: entry {row.seq} says it is entry {entry.seq}; {VERIFY}")
    if entry.format < FIRST_CODED:
        if head != uncoded:
            raise Damaged(f"the journal: entry {row.seq} has no code, but the one before it has; {VERIFY}")
    elif codes is not None and not codes.entry_fits(ids, row):
        if not codes.holds(ids):
            raise Refusal("key_file", f"does not hold the codes secret that was in force at entry {row.seq}")
        raise Refusal(
            "journal", f"entry {row.seq} was not written by this floor: its code does not fit {codes.source}; {VERIFY}"
        )
    return entry
