"""``houseway journal``: check, replay, export and sign the journal of a floor."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.commands.arguments import (
    DEFAULT_DATABASE,
    DEFAULT_KEY_FILE,
    AsJson,
    Card,
    Database,
    KeyFile,
    ReadingKeyFile,
    SecondCard,
    reading_keys,
)
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from datetime import date

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from houseway.books.bundle import Bundle
    from houseway.books.export import Period
    from houseway.books.reading import Progress
    from houseway.books.replay import Replay
    from houseway.books.verify import Findings
    from houseway.manager.keyring import Keyring
    from houseway.manager.state import FloorState
    from houseway.manager.store.base import Store
    from houseway.manager.transparency.checkpoint import Checkpoint, WitnessPolicy

INTERRUPTED = 130
MOST_SHOWN = 50
"""So many findings are printed; all that were listed are in the JSON."""

journal_app = typer.Typer(
    name="journal",
    help="The journal of a floor: check it, replay it, export it, sign it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
key_app = typer.Typer(
    name="key",
    help="The keys of a floor: what signs, and the secrets beside it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
journal_app.add_typer(key_app)

FromDay = Annotated[str | None, typer.Option("--from", metavar="DAY", help="The first gaming day, such as 2026-11-30.")]
ToDay = Annotated[str | None, typer.Option("--to", metavar="DAY", help="The last gaming day.")]
Keys = Annotated[
    list[str] | None,
    typer.Option("--key", metavar="HEX", help="Take only what this public key signed; may be given again."),
]


WitnessKeys = Annotated[
    list[str] | None,
    typer.Option("--witness", metavar="VKEY", help="Demand this witness's cosignature; may be given again."),
]
Quorum = Annotated[
    int | None, typer.Option(min=0, help="How many of the witnesses named are enough; all, unless it is said.")
]
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to this new file.")]


@journal_app.command()
def verify(
    bundle: Annotated[
        Path | None, typer.Argument(help="A signed bundle to check by itself; without one, the database.")
    ] = None,
    head: Annotated[
        list[Path] | None,
        typer.Option("--head", metavar="FILE", help="A signed head that was kept elsewhere; may be given again."),
    ] = None,
    key: Keys = None,
    key_file: ReadingKeyFile = None,
    witness: WitnessKeys = None,
    quorum: Quorum = None,
    db: Database = DEFAULT_DATABASE,
    as_json: AsJson = False,
) -> None:
    """Check every entry, who gave it, every line of money and every total, and name the first bad entry.

    Exit code 1 for one. A signed head is a checkpoint, or a head in JSON as earlier versions signed them. Where the
    floor or --witness demands witnesses, enough of them must have cosigned a checkpoint of this very journal.
    """
    from houseway.books.verify import verify as verify_store
    from houseway.manager.recovery import read_heads
    from houseway.manager.signing import check_public

    keys = [check_public("--key", text_key) for text_key in key or ()]
    if bundle is not None:
        if head:
            raise Refusal("--head", "is for a database; a bundle carries its own signed head")
        _tell_bundle(bundle, keys, as_json)
        return
    heads, checkpoints = read_heads(head or ())
    policy = _policy(witness, quorum)
    with _read_only(db) as store, _progress("verifying") as progress:
        findings = verify_store(
            store, heads, progress, keys=keys, checkpoints=checkpoints, witnesses=policy, ring=reading_keys(key_file)
        )
        name = store.name
    if as_json:
        _print_json(
            {
                "database": name,
                "entries": findings.entries,
                "postings": findings.postings,
                "totals": findings.totals,
                "credentials": findings.credentials,
                "heads": findings.heads,
                "codes": findings.codes,
                "uncoded": findings.uncoded,
                "witnessed": findings.witnessed,
                "repaired": findings.repaired,
                "last": findings.last._asdict(),
                **_found(findings),
            }
        )
    else:
        _print_found(findings)
        sys.stdout.write(f"{name}: {_summary(findings)}\n")
    _leave(findings)


@journal_app.command()
def replay(key_file: ReadingKeyFile = None, db: Database = DEFAULT_DATABASE, as_json: AsJson = False) -> None:
    """Rebuild every meter and reserve from the journal alone, and compare. Exit code 1 when one differs."""
    from houseway.books.replay import replay as replay_store

    with _read_only(db) as store, _progress("replaying") as progress:
        name, again = store.name, replay_store(store, progress, reading_keys(key_file))
    if as_json:
        _print_json(
            {
                "database": name,
                "last": again.last._asdict(),
                "finished": again.finished,
                "equal": again.equal,
                "meters": [{**row._asdict(), "equal": row.equal} for row in again.rows],
            }
        )
    else:
        _show_replay(name, again)
    if not again.finished:
        raise typer.Exit(INTERRUPTED)
    if not again.equal:
        raise typer.Exit(1)


@journal_app.command()
def export(
    from_day: FromDay = None,
    to_day: ToDay = None,
    entries: Annotated[
        str | None, typer.Option(metavar="FIRST-LAST", help="These entries, by number, instead of days.")
    ] = None,
    as_text: Annotated[
        bool, typer.Option("--text", help="As paragraphs in plain English; this is the default.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="As comma separated values, one line a posting.")] = False,
    as_csv_entries: Annotated[
        bool, typer.Option("--csv-entries", help="As comma separated values, one line an entry.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, one object a line for every entry.")] = False,
    bundle: Annotated[
        Path | None,
        typer.Option("--bundle", metavar="FILE", help="As one signed file that journal verify checks anywhere."),
    ] = None,
    key_file: KeyFile = DEFAULT_KEY_FILE,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Export the journal of some gaming days: as text to read, for a spreadsheet, for a program, or signed."""
    chosen = [
        name
        for name, path in (
            ("--text", as_text),
            ("--csv", as_csv),
            ("--csv-entries", as_csv_entries),
            ("--json", as_json),
            ("--bundle", bundle is not None),
        )
        if path
    ]
    if len(chosen) > 1:
        raise Refusal(chosen[1], f"stands beside {chosen[0]}; choose one of them")
    if entries is not None and (from_day or to_day or bundle):
        raise Refusal("--entries", "stands beside --from, --to or --bundle; those go by gaming days")
    period = _period(from_day, to_day)
    with _read_only(db) as store:
        if bundle is not None:
            _write_bundle(store, period, key_file, bundle)
            return
        state = _founded(store, reading_keys(None if key_file == DEFAULT_KEY_FILE else key_file))
        first, last = _numbers(entries, state) if entries is not None else _range(store, state, period)
        _write(_lines(chosen[0] if chosen else "--text", store, state, first, last))


@journal_app.command("head")
def sign_head(
    key_file: KeyFile = DEFAULT_KEY_FILE,
    output: Output = None,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Sign where the journal stands now: a checkpoint, in the form that transparency logs use.

    Keep it elsewhere: it shows a cut-off or rewritten journal later.
    """
    from houseway.manager.keyring import Keyring

    keys = Keyring.load(key_file)
    with _read_only(db) as store:
        state = _founded(store, keys)
        point = _signed_point(store, state, keys.in_force(state.key_ids, state.key).signing)
    _put(point.text, output, f"entry {point.size}, signed by key {state.key}")


@journal_app.command("vkey")
def verifier_key(db: Database = DEFAULT_DATABASE, key_file: ReadingKeyFile = None) -> None:
    """Show what others check this floor's checkpoints with: the verifier key of its log, as witnesses are given it."""
    from houseway.manager.transparency.checkpoint import log_verifier
    from houseway.manager.transparency.kept import origin_in

    with _read_only(db) as store:
        key = _founded(store, reading_keys(key_file)).key
        sys.stdout.write(f"{log_verifier(origin_in(store), key).text}\n")


@journal_app.command()
def prove(
    entry: Annotated[int | None, typer.Argument(help="The entry to prove, by its number.", min=1)] = None,
    from_head: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Prove that the journal extends this checkpoint.")
    ] = None,
    to_head: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="Prove it of this checkpoint; without one, it is signed now."),
    ] = None,
    with_text: Annotated[bool, typer.Option("--with-text", help="Put the entry itself into its proof.")] = False,
    key_file: KeyFile = DEFAULT_KEY_FILE,
    output: Output = None,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Prove that an entry is in the journal, or that the journal still begins with what an old checkpoint signed.

    Anybody can check the proof without the database: houseway journal check-proof.
    """
    from houseway.manager.keyring import Keyring
    from houseway.manager.transparency.checkpoint import read_checkpoint, read_text
    from houseway.manager.transparency.prove import prove_entry, prove_extends

    if (entry is None) == (from_head is None):
        raise Refusal("entry", "name one entry, or an older checkpoint with --from")
    with _read_only(db) as store:
        if to_head is not None:
            point = read_checkpoint(str(to_head), read_text(to_head))
        else:
            keys = Keyring.load(key_file)
            state = _founded(store, keys)
            point = _signed_point(store, state, keys.in_force(state.key_ids, state.key).signing)
        if entry is not None:
            text = prove_entry(store, entry, point, with_text=with_text).text
            what = f"entry {entry} is in the journal of {point.size} entries"
        else:
            old = read_checkpoint(str(from_head), read_text(_sure(from_head)))
            text = prove_extends(store, old, point).text
            what = f"the journal of {point.size} entries begins with that of {old.size}"
    _put(text, output, what)


@journal_app.command("check-proof")
def check_proof(
    file: Annotated[Path, typer.Argument(help="A proof, as houseway journal prove writes it.")],
    log: Annotated[
        list[str] | None,
        typer.Option("--log", metavar="VKEY", help="The verifier key of the floor's log; may be given again."),
    ] = None,
    from_head: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="The older checkpoint that the journal extends.")
    ] = None,
    text: Annotated[Path | None, typer.Option("--text", metavar="FILE", help="The entry that was proved.")] = None,
    witness: WitnessKeys = None,
    quorum: Quorum = None,
) -> None:
    """Check a proof, without a database or a floor. Exit code 1 where it does not hold."""
    from houseway.manager.transparency.checkpoint import WitnessPolicy, read_checkpoint, read_proof, read_text
    from houseway.manager.transparency.note import ED25519, read_verifier
    from houseway.manager.transparency.prove import checked_proof

    keys = [read_verifier("--log", verifier, (ED25519,)) for verifier in log or ()]
    if not keys:
        raise Refusal("--log", "is missing; a proof is checked with the floor's verifier key (houseway journal vkey)")
    proof = read_proof(str(file), read_text(file))
    old = read_checkpoint(str(from_head), read_text(from_head)) if from_head is not None else None
    note_text = read_text(text) if text is not None else None
    try:
        says = checked_proof(proof, keys, _policy(witness, quorum) or WitnessPolicy(), old=old, text=note_text)
    except Refusal as refusal:
        sys.stdout.write(f"{file}: does not hold: {_plain(str(refusal))}\n")
        raise typer.Exit(1) from None
    sys.stdout.write(f"{file}: {_plain(says)}\n")


@key_app.command("new")
def new_key(file: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")]) -> None:
    """Make a new key in a file that only its owner may read, and show its public half."""
    from houseway.manager.signing import new_key as make

    sys.stdout.write(f"{make(file)}\n")


@key_app.command("show")
def show_key(file: Annotated[Path, typer.Argument(help="The file of a key.")]) -> None:
    """Show the public half of a key: what others compare a signature with."""
    from houseway.manager.signing import load_key, public_hex

    sys.stdout.write(f"{public_hex(load_key(file))}\n")


@key_app.command("replace")
def replace_key(
    purpose: Annotated[str, typer.Option(help="signing, codes, sealing, web or pepper.")],
    card: Card,
    second_card: SecondCard,
    reason: Annotated[str, typer.Option(help="Why, for the journal.")],
    key_file: KeyFile = DEFAULT_KEY_FILE,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Replace one key of a floor: write the new one into the key file, then give the order. It takes two people.

    Nothing is taken out of the file. Whichever step is cut short, the floor starts: the journal says which key is in
    force, and the file holds both.
    """
    from typing import get_args

    from houseway.commands.open_floor import give, open_floor, sign_in
    from houseway.manager.commands import KeyPurpose, Order, ReplaceKey
    from houseway.manager.keyring import PURPOSES, add_secret, add_signing_key

    known = get_args(KeyPurpose)
    if purpose not in known:
        raise Refusal("--purpose", f"{purpose!r} is unknown; allowed: {', '.join(known)}")
    with open_floor(db, key_file) as floor:
        by, second = sign_in(floor, card), sign_in(floor, second_card, second=True)
        # What would be refused leaves the file as it is.
        trial = Order(id="trial", by=by.id, second=second.id, command=ReplaceKey(key="f" * 64, reason=reason))
        refusal = floor.would_refuse(trial)
        if refusal is not None:
            raise refusal
        name = add_signing_key(key_file, floor.keys) if purpose == "signing" else ""
        command = ReplaceKey(key=name, reason=reason)
        for key_purpose in PURPOSES:
            if key_purpose == purpose:
                name = add_secret(key_file, floor.keys, key_purpose)
                command = ReplaceKey(purpose=key_purpose, secret_id=name, reason=reason)
        give(floor, command, by, second)
    sys.stdout.write(f"{purpose} key {name} is in force, and in {key_file}: keep a new copy of that file elsewhere\n")


# --------------------------------------------------------------------------------------------------- what was asked for


def _policy(keys: list[str] | None, quorum: int | None) -> WitnessPolicy | None:
    """The witnesses that are demanded here; None where that is left to the floor."""
    from houseway.manager.transparency.checkpoint import WitnessPolicy

    if not keys and quorum is not None:
        raise Refusal("--quorum", "stands without --witness; name those that count")
    return WitnessPolicy.read("--witness", keys, quorum) if keys else None


def _signed_point(store: Store, state: FloorState, key: Ed25519PrivateKey) -> Checkpoint:
    from houseway.manager.signing import check_in_force
    from houseway.manager.transparency.checkpoint import signed_checkpoint
    from houseway.manager.transparency.kept import frontier_of, origin_in
    from houseway.manager.transparency.note import Signer

    check_in_force(state, key)
    return signed_checkpoint(Signer(origin_in(store), key), state.seq, frontier_of(store, state.seq).root)


def _put(text: str, output: Path | None, what: str) -> None:
    """Write a text to a new file and say what it is, or print it alone."""
    from houseway.manager.store.files import new_file

    if output is None:
        sys.stdout.write(text)
        return
    try:
        with new_file(output) as part:
            part.write_text(text, "utf-8")
    except OSError as error:
        raise Refusal(str(output), f"cannot be written: {error.strerror}") from None
    sys.stdout.write(f"{output}: {what}\n")


def _sure(path: Path | None) -> Path:
    if path is None:
        raise ValueError("no path")
    return path


def _period(first: str | None, last: str | None) -> Period:
    from houseway.books.export import period_of

    return period_of(_day("--from", first), _day("--to", last))


def _day(field: str, text: str | None) -> date | None:
    from datetime import date

    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refusal(field, f"{text[:40]!r} is not a day; write it as 2026-11-30") from None


def _numbers(text: str, state: FloorState) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    parts = [part.strip() for part in ((first, last) if dash else (first, first))]
    if not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
        raise Refusal("--entries", f"{text[:40]!r} is not a range of entries; write it as 10-20")
    low, high = map(int, parts)
    if not 1 <= low <= high <= state.seq:
        raise Refusal("--entries", f"must be a range between 1 and {state.seq}, where the journal ends")
    return low, high


def _range(store: Store, state: FloorState, period: Period) -> tuple[int, int]:
    from houseway.books.export import entry_range

    return entry_range(store, state, period)


@contextmanager
def _read_only(db: str) -> Iterator[Store]:
    """The database, open for reading beside a running floor, and closed again whatever happens."""
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        yield store
    finally:
        store.close()


def _founded(store: Store, keys: Keyring | None) -> FloorState:
    """The floor as it stands, if the journal agrees with where it stands."""
    from houseway.books.replay import running_state
    from houseway.manager.codes import VERIFY

    state = running_state(store, keys)
    if state.config is None:
        raise Refusal("floor", f"{store.name} holds none yet; its journal is empty")
    last = store.entry(state.seq)
    if last is None or last.hash != state.hash:
        raise Refusal("database", f"{store.name}: its snapshot is not of its journal; {VERIFY}")
    return state


# ------------------------------------------------------------------------------------------------ what is shown of it


def _tell_bundle(source: Path, keys: list[str], as_json: bool) -> None:
    from houseway.books.bundle import check_bundle

    with _progress("verifying") as progress:
        bundle = check_bundle(source, keys, progress)
    if as_json:
        _print_json(
            {
                "bundle": str(source),
                "site": bundle.site,
                "first": bundle.first,
                "last": bundle.last,
                "entries": bundle.entries,
                "head": bundle.head,
                "key": bundle.key,
                "key_expected": bool(keys),
                **_found(bundle),
            }
        )
    else:
        _print_found(bundle)
        sys.stdout.write(f"{source}: {_bundle_summary(bundle, keys)}\n")
    _leave(bundle)


def _bundle_summary(bundle: Bundle, keys: list[str]) -> str:
    if not bundle.whole:
        return _verdict(bundle)
    whose = "which is the one expected" if keys else "to be compared with the site's key on file"
    return (
        f"entries {bundle.first} to {bundle.last} of {_plain(bundle.site)} are in order, of a journal that stood at "
        f"entry {bundle.head}; signed by key {bundle.key}, {whose}"
    )


def _summary(findings: Findings) -> str:
    if not findings.whole:
        return _verdict(findings)
    heads = (
        f"agrees with {_counted(findings.heads, 'signed head')}"
        if findings.heads
        else "no signed head was given, so a journal written anew as a whole would not be noticed"
    )
    if findings.witnessed:
        heads += f"; enough witnesses have seen it up to entry {findings.witnessed}"
    if findings.repaired:
        where = ", ".join(map(str, findings.repaired))
        heads += f"; two people put the time right at entry {where}, which is earlier than the one before it"
    return (
        f"{_counted(findings.entries, 'entry')}, {_counted(findings.postings, 'posting')}, "
        f"{_counted(findings.totals, 'total')} and {_counted(findings.credentials, 'credential')} are in order; "
        f"{_codes_in_words(findings)}; {heads}"
    )


def _codes_in_words(findings: Findings) -> str:
    old = f"; {_counted(findings.uncoded, 'entry')} of before there were codes" if findings.uncoded else ""
    if findings.codes or findings.entries == findings.uncoded:
        return f"every code fits the floor's key{old}"
    return f"no key file was given, so no code was checked{old}"


def _verdict(result: Findings | Bundle) -> str:
    bad = len(result.bad) + result.unlisted
    what = _counted(bad, "finding") if bad else "nothing found so far"
    if result.first_bad is not None:
        what = f"the first bad entry is {result.first_bad}; {what}"
    return what if result.finished else f"interrupted after {_counted(result.entries, 'entry')}; {what}"


def _print_found(result: Findings | Bundle) -> None:
    for finding in result.bad[:MOST_SHOWN]:
        sys.stdout.write(f"{_plain(str(finding))}\n")
    more = len(result.bad) - MOST_SHOWN
    if more > 0:
        sys.stdout.write(f"and {more} more; --json lists them\n")


def _found(result: Findings | Bundle) -> dict[str, Any]:
    return {
        "finished": result.finished,
        "first_bad": result.first_bad,
        "findings": [finding._asdict() for finding in result.bad],
        "unlisted": result.unlisted,
    }


def _leave(result: Findings | Bundle) -> None:
    """End with the exit code that says what was found."""
    if not result.finished:
        raise typer.Exit(INTERRUPTED)
    if result.bad:
        raise typer.Exit(1)


def _show_replay(name: str, again: Replay) -> None:
    from houseway.commands.screen import console, show, table
    from houseway.money import exact_dollars

    if not again.finished:
        sys.stdout.write(f"{name}: interrupted after entry {again.last.seq}; nothing was compared\n")
        return
    amounts = ("replayed", "stored", "running")
    rows = table("", "link", "meter", "", *amounts, "equal", right=amounts)
    for row in again.rows:
        amounts_shown = (exact_dollars(row.replayed), exact_dollars(row.stored), exact_dollars(row.running))
        rows.add_row(_plain(row.link), _plain(row.meter), row.part, *amounts_shown, "yes" if row.equal else "NO")
    show(console(), rows)
    wrong = sum(not row.equal for row in again.rows)
    verdict = f"{wrong} of {len(again.rows)} differ" if wrong else "every meter and reserve replays to the same"
    sys.stdout.write(f"{name}: {_counted(again.last.seq, 'entry')}; {verdict}\n")


def _write_bundle(store: Store, period: Period, key_file: Path, target: Path) -> None:
    from houseway.books.bundle import write_bundle
    from houseway.manager.keyring import Keyring

    keys = Keyring.load(key_file)
    state = _founded(store, keys)
    key = keys.in_force(state.key_ids, state.key).signing
    try:
        with _progress("writing") as progress:
            bundle = write_bundle(store, state, period, key, _now(), target, progress)
    except KeyboardInterrupt:
        sys.stderr.write("houseway: interrupted; no bundle was written\n")
        raise typer.Exit(INTERRUPTED) from None
    sys.stdout.write(f"{target}: entries {bundle.first} to {bundle.last}, signed by key {bundle.key}\n")


def _lines(form: str, store: Store, state: FloorState, first: int, last: int) -> Iterator[str]:
    from houseway.books import export as make
    from houseway.manager.store.base import EMPTY, Head

    rows, site = store.entries(first - 1, last), make.Site.of(state)
    if form == "--csv":
        return make.as_postings_csv(rows)
    if form == "--csv-entries":
        return make.as_entries_csv(rows, site)
    if form == "--json":
        before = store.entry(first - 1)
        return make.as_json_lines(rows, Head(before.seq, before.hash) if before else EMPTY)
    return make.as_text(rows, site)


def _write(lines: Iterable[str]) -> None:
    """Write line after line; interrupted, what was written stands and is whole."""
    count = 0
    try:
        for line in lines:
            sys.stdout.write(line)
            count += 1
    except KeyboardInterrupt:
        sys.stdout.flush()
        sys.stderr.write(f"houseway: interrupted after {count} parts; what was written is in order\n")
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def _progress(what: str) -> Iterator[Progress | None]:
    """A bar on a terminal's standard error; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _counted(number: int, word: str) -> str:
    many = f"{word.removesuffix('y')}ies" if word.endswith("y") else f"{word}s"
    return f"{number} {word if number == 1 else many}"


def _plain(text: str) -> str:
    from houseway.books.export import plain

    return plain(text)


def _print_json(value: Any) -> None:
    from houseway.commands.screen import print_json

    print_json(value)


def _now() -> int:
    return time.time_ns() // 1_000
