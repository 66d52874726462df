"""``houseway backup`` and ``restore``: a floor in one file, and a floor from one."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houseway.commands.arguments import (
    DEFAULT_DATABASE,
    Checkpoints,
    Database,
    ReadingKeyFile,
    reading_keys,
)

if TYPE_CHECKING:
    pass


def backup(
    target: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")],
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Copy a floor's whole database, as of one moment, into one file, while the floor runs."""
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        store.backup(target)
    finally:
        store.close()
    copy = open_store(str(target), create=False, read_only=True)
    try:
        seq = copy.head().seq
    finally:
        copy.close()
    sys.stdout.write(f"{target}: {seq} entries\n")


def restore(
    source: Annotated[Path, typer.Argument(help="A file that houseway backup wrote.")],
    checkpoint: Checkpoints = None,
    key_file: ReadingKeyFile = None,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Restore a backup into a new database: verified first, the chain and every meter replayed from the journal.

    Says how old it is, and what is missing by the mark beside the key file and by the checkpoints that are given
    (docs/recovery.md). Exit code 1 where it does not verify; nothing is restored then.
    """
    from houseway.books.replay import replay, running_state
    from houseway.books.verify import verify
    from houseway.manager.recovery import claims, in_words
    from houseway.manager.store import restore as restore_into
    from houseway.manager.store.base import Store
    from houseway.manager.transparency.checkpoint import WitnessPolicy

    keys = reading_keys(key_file)
    lines: list[str] = []

    def check(copy: Store) -> None:
        # What witnesses have seen is for the claims to say: a backup may well end before it.
        findings = verify(copy, ring=keys, witnesses=WitnessPolicy(), marked=False)
        again = replay(copy, keys=keys)
        for finding in findings.bad:
            sys.stdout.write(f"{finding}\n")
        if findings.bad or not again.equal:
            sys.stdout.write(f"{source}: it does not verify; nothing was restored\n")
            raise typer.Exit(1)
        state = running_state(copy, keys)
        lines.append(
            f"{copy.name}: {state.seq} entries restored; the chain verifies and every meter replays to the same"
        )
        lines.append(f"the last is entry {state.seq} of {_how_long_ago(state.at)}, gaming day {state.day}")
        lacking = [in_words(state, claim) for claim in claims(copy, state, keys, checkpoint or ()) if not claim.holds]
        lines.extend(lacking)
        if lacking:
            lines.append(
                f"it is not served until two people confirm what is missing: houseway floor recover --db {db} "
                "--card … --second-card … --reason …; docs/recovery.md leads through it"
            )

    restore_into(source, db, check)
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _how_long_ago(at: int) -> str:
    from houseway.manager.mark import moment

    minutes = (time.time_ns() // 1_000 - at) // 60_000_000
    days, hours = minutes // 1_440, minutes // 60 % 24
    age = f"{days} days {hours} hours" if days else f"{hours} hours {minutes % 60} minutes"
    return f"{moment(at)}, {age} ago"
