"""Syncs that fail: the kernel itself answers fsync and fdatasync of a process with EIO, for as long as is wanted.

A seccomp filter hands each of these calls of the process to this one, which lets it happen or answers for it. That
takes no compiler and no rights, only a kernel of 5.5 or later.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import select
import struct
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")


class _Machine(NamedTuple):
    arch: int
    seccomp: int
    fsync: int
    fdatasync: int


# From the kernel's <linux/audit.h>, <linux/filter.h>, <linux/prctl.h>, <linux/seccomp.h> and system call tables.
_MACHINES: Final = {
    "x86_64": _Machine(0xC000003E, 317, 74, 75),
    "aarch64": _Machine(0xC00000B7, 277, 82, 83),
}
_LOAD, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ASK = 0x7FFF0000, 0x7FC00000
_NO_NEW_PRIVILEGES, _SET_FILTER, _NEW_LISTENER = 38, 1, 8
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_QUESTION_BYTES, _CONTINUE = 80, 1


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Syncs:
    """Decides over the syncs of the processes that it spawns; they happen unless ``failing`` is set."""

    def __init__(self) -> None:
        self.failing = False
        self.failed = 0
        """How many were answered with EIO."""
        self._listener = -1
        self._over = Event()
        self._watcher: Thread | None = None

    def spawn(self, begin: Callable[[], T]) -> T:
        """Begin a process under the filter; ``begin`` is called in a thread of its own, which has the filter first."""
        begun: list[T] = []
        wrong: list[BaseException] = []

        def run() -> None:
            try:
                self._listener = _filtered()
                self._watcher = Thread(target=self._watch, daemon=True)
                self._watcher.start()
                begun.append(begin())
            except BaseException as error:
                wrong.append(error)

        thread = Thread(target=run)
        thread.start()
        thread.join()
        if wrong:
            raise wrong[0]
        return begun[0]

    def close(self) -> None:
        """Let go of the processes, which have ended."""
        self._over.set()
        if self._watcher is not None:
            self._watcher.join()
            os.close(self._listener)
            self._watcher = None

    def _watch(self) -> None:
        waiting = select.poll()
        waiting.register(self._listener, select.POLLIN)
        while not self._over.is_set():
            if any(event & select.POLLIN for _, event in waiting.poll(100)):
                self._answer()
            else:
                # Also when all processes are gone: then it would be answered at once, for ever.
                self._over.wait(0.01)

    def _answer(self) -> None:
        question = bytearray(_QUESTION_BYTES)
        # The process may be killed between its question and the answer.
        with suppress(FileNotFoundError):
            fcntl.ioctl(self._listener, _RECEIVE, question)
            (number,) = struct.unpack_from("Q", question)
            error, flags = (-errno.EIO, 0) if self.failing else (0, _CONTINUE)
            self.failed += self.failing
            fcntl.ioctl(self._listener, _SEND, bytearray(struct.pack("QqiI", number, 0, error, flags)))


def can_fail_syncs() -> bool:
    """Whether this machine lets syncs be answered."""
    syncs = Syncs()
    try:
        syncs.spawn(lambda: None)
    except (OSError, KeyError):
        return False
    finally:
        syncs.close()
    return True


def _filtered() -> int:
    """Put this thread, and all that it begins, under the filter; answers the file its calls are heard from."""
    machine = _MACHINES[platform.machine()]
    steps = (
        (_LOAD, 0, 0, 4),
        (_IF_EQUAL, 0, 3, machine.arch),
        (_LOAD, 0, 0, 0),
        (_IF_EQUAL, 2, 0, machine.fsync),
        (_IF_EQUAL, 1, 0, machine.fdatasync),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ASK),
    )
    text = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(text, len(text))
    program = _Program(len(steps), ctypes.cast(buffer, ctypes.c_void_p))
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    listener = int(system.syscall(machine.seccomp, _SET_FILTER, _NEW_LISTENER, ctypes.byref(program)))
    if listener < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return listener
