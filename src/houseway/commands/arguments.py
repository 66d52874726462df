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
