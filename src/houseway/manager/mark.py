"""How far a floor was, remembered outside its database.

A database that lost its last entries looks whole: an older backup, a log with one bad bit, a standby that was behind.
So each process that writes a floor keeps a mark beside the key file, ``houseway.key.mark``: the last entry that it
recorded or read, by number and hash. It is written after the commit and before anybody is answered; a start compares it
with the journal. The write survives the end of the process. It reaches the disk `SYNC_SECONDS` later at most, so after
a power cut the mark may be behind by that much, and is never ahead of what the database confirmed.

Two processes on one machine share a key file, not a mark: the second keeps ``houseway.key.mark-2``, and so on.
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Final, NamedTuple
from zlib import crc32

from houseway.manager.store.base import Head, Store, StoreFault
from houseway.refusal import Refusal

SYNC_SECONDS: Final = 0.1
MOST_PROCESSES: Final = 64
"""So many processes of one machine may share a key file."""
FIELD: Final = "journal"
GUIDE: Final = "docs/recovery.md says what to do"

_RECORD: Final = re.compile(rb"(houseway mark 1 ([0-9a-f]{64}) ([0-9]{20}) ([0-9a-f]{64}) ([0-9]{20})) ([0-9a-f]{8})\n")
_NAME: Final = re.compile(r"\.mark(-[0-9]+)?")
_LONGEST: Final = 512
_READS: Final = 5
"""So often a mark is read that another process writes just now."""

log = logging.getLogger("houseway.floor")


class Known(NamedTuple):
    """An entry that a floor is known to have had."""

    floor: str
    """The hash of the floor's first entry."""
    seq: int
    hash: str
    at: int
    """When it was made, in microseconds since 1970."""

    @property
    def words(self) -> str:
        """The entry, for people."""
        return f"entry {self.seq} of {moment(self.at)}"


def moment(at: int) -> str:
    """A time of the journal, for people."""
    return f"{datetime.fromtimestamp(at / 1e6, UTC):%Y-%m-%d %H:%M:%S} UTC"


def missing_words(entries: int) -> str:
    """How many entries are missing."""
    return "1 entry is missing" if entries == 1 else f"{entries} entries are missing"


# -------------------------------------------------------------------------------------------------------- reading them


def read_marks(key_file: Path) -> list[Known]:
    """What the marks beside a key file remember, the furthest last; refused where one cannot be read."""
    marks = [known for file in mark_files(key_file) if (known := _read(file)) is not None]
    return sorted(marks, key=lambda mark: mark.seq)


def mark_files(key_file: Path) -> list[Path]:
    """The marks beside a key file."""
    try:
        names = [path.name for path in key_file.parent.iterdir()]
    except OSError as error:
        raise Refusal(str(key_file.parent), f"cannot be read: {error.strerror}") from None
    ours = (name for name in names if name.startswith(key_file.name) and _NAME.fullmatch(name, len(key_file.name)))
    return [key_file.with_name(name) for name in sorted(ours)]


def _read(file: Path) -> Known | None:
    """What a mark remembers; None for one that nothing was written to yet."""
    for attempt in range(_READS):
        if attempt:
            time.sleep(0.002)
        try:
            text = file.read_bytes()[:_LONGEST]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Refusal(str(file), f"cannot be read: {error.strerror}") from None
        if not text:
            return None
        match = _RECORD.fullmatch(text)
        if match is not None and crc32(match[1]) == int(match[6], 16):
            return Known(match[2].decode(), int(match[3]), match[4].decode(), int(match[5]))
    raise Refusal(str(file), f"is damaged: nothing says how far the floor was; {GUIDE}")


def defect(store: Store, known: Known) -> str:
    """Why a journal is not the one that a mark remembers, in a sentence; empty where it is.

    The mark must have been read before: the journal of a floor that is being written only grows.
    """
    first = store.entry(1)
    if first is None:
        return (
            f"{store.name} holds no floor, but the mark beside the key file knows one up to {known.words}; restore "
            f"that floor, or use a new key file for a new floor; {GUIDE}"
        )
    if first.hash != known.floor:
        return (
            f"{store.name} is another floor than the one that the mark beside the key file knows up to {known.words}; "
            f"name that floor's database, or the key file of this one; {GUIDE}"
        )
    head = store.head()
    confirm = "or have two people confirm the loss with houseway floor recover"
    if head.seq < known.seq:
        return (
            f"{store.name} ends at entry {head.seq}, but this floor was known to have {known.words}: "
            f"{missing_words(known.seq - head.seq)}; find the database that has them, {confirm}; {GUIDE}"
        )
    row = store.entry(known.seq)
    if row is None or row.hash != known.hash:
        return (
            f"{store.name} has {head.seq} entries, but its entry {known.seq} is not the one that this floor recorded "
            f"at {moment(known.at)}; find the database that has it, {confirm}; {GUIDE}"
        )
    return ""


def check_marks(store: Store, key_file: Path) -> None:
    """Refuse a journal that is not the one that the marks beside a key file remember."""
    for known in reversed(read_marks(key_file)):
        if why := defect(store, known):
            raise Refusal(FIELD, why)


# ------------------------------------------------------------------------------------------------------- keeping one


class Mark:
    """This process's own mark. Not for two threads at a time."""

    def __init__(self, key_file: Path) -> None:
        self._key_file = key_file
        self.file, self._handle = _own(key_file)
        self._record = b""
        self._wrong = ""
        """Why the mark could not be written; empty while it can."""
        self._changed = Event()
        self._closed = False
        self._thread: Thread | None = None

    def set(self, floor: str, head: Head, at: int) -> None:
        """Remember where the journal stands now. Its orders are recorded, so a failure is for the next ones to hear."""
        body = b"houseway mark 1 %b %020d %b %020d" % (floor.encode(), head.seq, head.hash.encode(), at)
        self._record = b"%b %08x\n" % (body, crc32(body))
        self._write()
        if not self._changed.is_set():
            self._changed.set()
        if self._thread is None:
            self._thread = Thread(target=self._sync, name="houseway-mark", daemon=True)
            self._thread.start()

    def must_be_writable(self) -> None:
        """A fault where the last entry could not be remembered, and still cannot."""
        if self._wrong:
            self._write()
            self._make_durable()
            if self._wrong:
                raise StoreFault(f"{self._wrong}; nothing was recorded")

    def must_be_alone(self) -> None:
        """Refused while another process keeps a mark beside the same key file."""
        for file in self._others():
            handle = _locked(file)
            if handle is None:
                raise Refusal(
                    str(file), "is kept by another Houseway that runs on this key file; stop that one, then try again"
                )
            os.close(handle)

    def begin_anew(self) -> None:
        """Forget what all marks beside the key file remember."""
        self.must_be_alone()
        for file in self._others():
            file.unlink(missing_ok=True)
        os.ftruncate(self._handle, 0)

    def _others(self) -> list[Path]:
        return [file for file in mark_files(self._key_file) if file != self.file]

    def close(self) -> None:
        """Make the last record durable, and let go."""
        self._closed = True
        self._changed.set()
        if self._thread is not None:
            self._thread.join()
            self._make_durable()
        with suppress(OSError):
            fcntl.flock(self._handle, fcntl.LOCK_UN)
        os.close(self._handle)

    def _write(self) -> None:
        try:
            if os.pwrite(self._handle, self._record, 0) != len(self._record):
                raise OSError(0, "only part of it was written")
            self._wrong = ""
        except OSError as error:
            self._fail(error)

    def _sync(self) -> None:
        """Bring the record to the disk, some time after it was written."""
        while not self._closed:
            self._changed.wait()
            self._changed.clear()
            self._make_durable()
            time.sleep(SYNC_SECONDS)

    def _make_durable(self) -> None:
        try:
            os.fdatasync(self._handle)
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self._wrong = f"{self.file}, the mark of how far this floor is, cannot be written ({error.strerror})"
        log.error("%s", self._wrong)


def _own(key_file: Path) -> tuple[Path, int]:
    """A mark that no other process keeps, new where all are kept."""
    for number in range(1, MOST_PROCESSES + 1):
        file = key_file.with_name(f"{key_file.name}.mark{f'-{number}' if number > 1 else ''}")
        if (handle := _locked(file)) is not None:
            return file, handle
    raise Refusal(str(key_file), f"is used by {MOST_PROCESSES} processes; stop some of them")


def _locked(file: Path) -> int | None:
    """A mark, open and this process's own; None while another has it."""
    while True:
        try:
            handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Refusal(
                str(file), f"cannot be written ({error.strerror}); it says how far the floor is, so allow it"
            ) from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), file.stat()):
                return handle
        except BlockingIOError:
            os.close(handle)
            return None
        except FileNotFoundError:
            pass
        # Another process deleted it between the opening and the lock.
        os.close(handle)
