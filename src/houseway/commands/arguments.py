"""Options that several commands take, with one name and one help text each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from houseway.manager.keyring import Keyring

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="As JSON, for a program.")]
HouseTables: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--paytable",
        metavar="FILE",
        help="Also know the pay tables in this file of the house's own, marked not approved; may be given again.",
    ),
]
Database: TypeAlias = Annotated[
    str,
    typer.Option(
        "--db",
        envvar="HOUSEWAY_DB",
        metavar="FILE|URL",
        help="The floor's database: a file (SQLite), or postgresql://… .",
    ),
]
DEFAULT_DATABASE = "houseway.db"
KeyFile: TypeAlias = Annotated[
    Path, typer.Option("--key-file", envvar="HOUSEWAY_KEY", help="The file of the key that signs the journal.")
]
DEFAULT_KEY_FILE = Path("houseway.key")
ReadingKeyFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        envvar="HOUSEWAY_KEY",
        help="The floor's key file; houseway.key is taken where it is there. Without one no code is checked.",
    ),
]


def reading_keys(key_file: Path | None) -> Keyring | None:
    """The keys with which a floor is read: from the file that is named, or the usual one where there is one."""
    from houseway.manager.keyring import Keyring

    named = key_file or (Path(os.environ["HOUSEWAY_KEY"]) if os.environ.get("HOUSEWAY_KEY") else None)
    if named is None and not DEFAULT_KEY_FILE.exists():
        return None
    return Keyring.load(named or DEFAULT_KEY_FILE)


FIRST_CODES = "first-codes.txt"
"""Beside the key file: the codes of a new floor's first people, where no terminal shows them."""
Card: TypeAlias = Annotated[
    str,
    typer.Option("--card", envvar="HOUSEWAY_CARD", help="Your card; the PIN is asked for, or taken from HOUSEWAY_PIN."),
]
SecondCard: TypeAlias = Annotated[
    str,
    typer.Option(
        "--second-card",
        envvar="HOUSEWAY_SECOND_CARD",
        help="The second person's card, where it takes two; PIN as above, from HOUSEWAY_SECOND_PIN.",
    ),
]
