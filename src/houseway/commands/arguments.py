"""Options that several commands take, with one name and one help text each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

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
