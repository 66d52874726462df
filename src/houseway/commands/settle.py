"""``houseway settle``: adjudicate rounds given as JSON."""

from __future__ import annotations

import codecs
import gc
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from houseway.commands.arguments import HouseTables
from houseway.refusal import Refusal


def settle(
    file: Annotated[
        Path | None, typer.Argument(help="Read the request from this file instead of standard input.")
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Every line is a request: answer line by line, as they come.")
    ] = False,
    paytable: HouseTables = None,
) -> None:
    """Settle a round: read one JSON object, or one a line (JSON Lines), and write what every wager gives back.

    A wrong request is refused with exit code 2 and one line on standard error that names the field. In JSON Lines the
    bad line's answer is {"error": "…"}, the rest go on, and the exit code is 1.
    """
    from houseway.commands.tables import book_with

    book = book_with(paytable or [])
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8 whatever the terminal's locale
    if file is None:
        failed = _answer(sys.stdin.buffer, lines, book)
    else:
        with _opened(file) as stream:
            failed = _answer(stream, lines, book)
    if failed:
        raise typer.Exit(1)


def _opened(file: Path) -> BinaryIO:
    try:
        stream = file.open("rb")
        stream.peek(1)
    except OSError as error:
        raise Refusal(str(file), f"cannot be read: {error.strerror}") from None
    return stream


def _answer(stream: BinaryIO, lines: bool, book: Any) -> bool:
    """Write the answer or the answers; True when a line of JSON Lines was in error."""
    from houseway.adjudication import is_one_object, settle_text, write_json

    if lines:
        # Somebody may be waiting at the other end of a pipe, but not of a file.
        return _answer_lines(stream, book, at_once=not _is_file(stream))
    data = stream.read()
    if not data.strip():
        raise Refusal("request", "is missing; give one JSON object, or one a line")
    try:
        text = _text(data)
    except Refusal:
        return _answer_lines(data.splitlines(), book)
    if not is_one_object(text):
        return _answer_lines(data.splitlines(), book)
    sys.stdout.write(write_json(settle_text(text, book)) + "\n")
    return False


def _is_file(stream: BinaryIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:  # no file of the operating system's at all
        return False


def _answer_lines(lines: Iterable[bytes], book: Any, *, at_once: bool = False) -> bool:
    from houseway.adjudication import settle_text, write_json

    # Answers hold no cycles: looking for garbage after every few hundred objects costs a tenth of the speed.
    gc.set_threshold(100_000, 50, 100)
    failed = False
    for line in _filled(lines):
        answer: dict[str, Any]
        try:
            answer = settle_text(_text(line), book)
        except Refusal as refusal:
            failed = True
            answer = {"error": str(refusal)}
        sys.stdout.write(write_json(answer) + "\n")
        if at_once:
            sys.stdout.flush()
    sys.stdout.flush()
    return failed


def _filled(lines: Iterable[bytes]) -> Iterator[bytes]:
    return (line for line in lines if line.strip())


def _text(data: bytes) -> str:
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError:
        raise Refusal("request", "is not UTF-8 text") from None
