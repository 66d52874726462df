"""``houseway witness``: a program of its own that sees a floor's checkpoints and cosigns what extends the last one."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houseway.commands.arguments import AsJson
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.transparency.note import Signer
    from houseway.manager.transparency.witness_server import WitnessServer

DEFAULT_PORT = 8421

witness_app = typer.Typer(
    name="witness",
    help="A witness: on another machine, with another key, it cosigns each head of a journal that extends the last.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

State = Annotated[Path, typer.Option("--state", metavar="DIR", help="Where the witness keeps what it has seen.")]


@witness_app.command("new-key")
def new_key(
    name: Annotated[str, typer.Argument(help="What the witness is called, such as witness.example.com/w1.")],
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")],
) -> None:
    """Make a witness's key in a file that only its owner may read, and show its public half.

    Example: houseway witness new-key regulator.example/w1 witness.key

    Floors name what it shows under [witnesses] in their floor file.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from houseway.manager.signing import write_key_file
    from houseway.manager.transparency.note import COSIGNATURE, Signer, is_name

    if not is_name(name):
        raise Refusal("name", "must be 1 to 200 printable characters without blanks and plus signs")
    signer = Signer(name, Ed25519PrivateKey.generate(), COSIGNATURE)
    write_key_file(file, f"{signer.secret_text}\n".encode())
    sys.stdout.write(f"{signer.verifier.text}\n")


@witness_app.command()
def serve(
    log: Annotated[
        list[str],
        typer.Option("--log", metavar="VKEY", help="A floor's verifier key (houseway journal vkey); again for more."),
    ],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The witness's key.")] = Path("witness.key"),
    state: State = Path("witness"),
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 for any that is free.")] = DEFAULT_PORT,
) -> None:
    """Answer floors that send their checkpoints, and auditors that ask for the last one.

    Example: houseway witness serve --key witness.key --state witness --log houseway/3f…+1c…+AQ… --host 10.1.0.9

    A floor whose key was replaced is given with both keys, old and new.
    """
    import logging

    from houseway.manager.transparency.note import ED25519, read_verifier
    from houseway.manager.transparency.witness import Witness
    from houseway.manager.transparency.witness_server import WitnessServer

    signer = _signer(key)
    logs = [read_verifier("--log", line, (ED25519,)) for line in log]
    witness = Witness(signer, state, logs)
    try:
        server = WitnessServer(witness, host, port)
        logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
        sys.stdout.write(f"{signer.verifier.text}\nwitness at {server.address}; Ctrl-C stops it\n")
        sys.stdout.flush()
        _run(server)
    finally:
        witness.close()


@witness_app.command()
def show(
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="Show this key's public half too.")] = None,
    state: State = Path("witness"),
    as_json: AsJson = False,
) -> None:
    """Show what a witness has seen last of each floor, and the evidence it keeps. Exit code 1 where there is some.

    Example: houseway witness show --state witness
    """
    from houseway.commands.screen import print_json
    from houseway.manager.transparency.witness import seen_in

    logs_seen = list(seen_in(state))
    if as_json:
        print_json(
            {
                "key": _signer(key).verifier.text if key is not None else None,
                "logs": [
                    {
                        "origin": log_state.origin,
                        "size": log_state.checkpoint.size,
                        "cosigned": log_state.at,
                        "evidence": list(map(str, log_state.evidence)),
                    }
                    for log_state in logs_seen
                ],
            }
        )
    else:
        if key is not None:
            sys.stdout.write(f"{_signer(key).verifier.text}\n")
        for log_seen in logs_seen:
            sys.stdout.write(
                f"{log_seen.origin}: {log_seen.checkpoint.size} entries, cosigned "
                f"{datetime.fromtimestamp(log_seen.at, UTC):%Y-%m-%d %H:%M:%S} UTC\n"
            )
            for file in log_seen.evidence:
                sys.stdout.write(f"  evidence: {file}\n")
        if not logs_seen:
            sys.stdout.write(f"{state}: nothing was seen yet\n")
    if any(log_state.evidence for log_state in logs_seen):
        raise typer.Exit(1)


def _signer(file: Path) -> Signer:
    from houseway.manager.signing import read_key_file
    from houseway.manager.transparency.note import COSIGNATURE, read_signer

    try:
        text = read_key_file(file).decode()
    except UnicodeDecodeError:
        raise Refusal(str(file), "is not a witness's key; houseway witness new-key makes one") from None
    return read_signer(str(file), text, COSIGNATURE)


def _run(server: WitnessServer) -> None:
    """Answer until a signal says stop."""
    import signal
    from threading import Thread

    def stop(*_: object) -> None:
        # It waits for the loop to end, which this very thread is in.
        Thread(target=server.shutdown, daemon=True).start()

    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, stop)
    with server:
        server.serve_forever(poll_interval=0.1)
