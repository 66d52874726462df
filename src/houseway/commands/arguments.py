"""Options that several commands take, with one name and one help text each."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from houseway.manager.server_settings import DECLARED, ServerSettings

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


def setting_option(name: str, help: str = "", *, show_default: bool = False) -> Any:
    """The option that sets one thing about a server, from its declaration."""
    setting = DECLARED[name]
    return typer.Option(
        setting.flag,
        envvar=setting.variable,
        metavar=setting.metavar,
        help=help or setting.help,
        show_default=show_default,
    )


def take_settings(command: Callable[..., None]) -> None:
    """Give a command, which takes them as keywords, an option for every setting of a server."""
    signature = inspect.signature(command, eval_str=True)
    own = [
        parameter for parameter in signature.parameters.values() if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[setting.option_type | None, setting_option(name)],
        )
        for name, setting in DECLARED.items()
    ]
    command.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *options)}


Database: TypeAlias = Annotated[str, setting_option("db", show_default=True)]
DEFAULT_DATABASE = ServerSettings().db
KeyFile: TypeAlias = Annotated[
    Path, setting_option("key_file", "The file of the key that signs the journal.", show_default=True)
]
DEFAULT_KEY_FILE = ServerSettings().key_file
ReadingKeyFile: TypeAlias = Annotated[
    Path | None,
    setting_option(
        "key_file",
        "The floor's key file; houseway.key is taken where it is there. Without one no code is checked.",
        show_default=True,
    ),
]


def reading_keys(key_file: Path | None) -> Keyring | None:
    """The keys with which a floor is read: from the file that is named, or the usual one where there is one."""
    from houseway.manager.keyring import Keyring

    in_environment = os.environ.get(DECLARED["key_file"].variable)
    named = key_file or (Path(in_environment) if in_environment else None)
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
Checkpoints: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="A signed head of this floor that was kept elsewhere, or by a witness; may be given again.",
    ),
]
