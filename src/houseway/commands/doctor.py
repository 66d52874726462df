"""``houseway doctor``: whether a floor can be served here, and what to do where it cannot."""

from __future__ import annotations

import platform
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import typer

from houseway.commands.arguments import FIRST_CODES, AsJson, setting_option
from houseway.refusal import Fault, Refusal

if TYPE_CHECKING:
    from houseway.manager.floor_file import FloorFile
    from houseway.manager.keyring import Keyring
    from houseway.manager.server_settings import ServerSettings
    from houseway.manager.state import FloorState
    from houseway.manager.store.base import Store

LAST_ENTRIES: Final = 2_000
"""So many entries at the end of the journal are checked without --full."""
LITTLE_ROOM: Final = 1_000_000_000
NO_ROOM: Final = 100_000_000
SOON_DAYS: Final = 30
OLD_HOURS: Final = 24
"""A checkpoint that witnesses cosigned longer ago than this is worth a word."""
PACKAGES: Final = (
    *("houseway", "starlette", "uvicorn", "uvloop", "httptools", "msgspec", "pydantic", "sqlalchemy"),
    *("alembic", "psycopg", "argon2-cffi", "cryptography", "structlog", "prometheus-client", "typst", "tzdata"),
)
EXTRAS: Final = ("numba", "numpy")
"""What proofs need and a floor does not."""


class Line(NamedTuple):
    """One thing that was looked at."""

    how: Literal["ok", "warn", "bad"]
    what: str
    says: str
    do: str = ""
    """What to do about it."""


def doctor(
    file: Annotated[
        Path | None, typer.Argument(metavar="FLOOR.toml", help="The floor file; houseway init writes one.")
    ] = None,
    db: Annotated[str | None, setting_option("db")] = None,
    key_file: Annotated[Path | None, setting_option("key_file")] = None,
    host: Annotated[str | None, setting_option("host")] = None,
    port: Annotated[int | None, setting_option("port")] = None,
    full: Annotated[bool, typer.Option("--full", help="Verify the whole database, however long that takes.")] = False,
    as_json: AsJson = False,
) -> None:
    """See whether a floor can be served here: database, chain, clock, disk, key, configuration, versions, port.

    Says what to do where something is wrong. Exit code 1 when something is bad.
    """
    from houseway.commands.screen import console, print_json, show, table
    from houseway.manager.server_settings import ServerSettings

    lines: list[Line] = []
    found = _file(file, lines)
    given = {"db": db, "key_file": key_file, "host": host, "port": port}
    settings = _settings(file, found, given, lines) or ServerSettings()
    lines += _looked_at(settings, found, file, full)
    bad = any(line.how == "bad" for line in lines)
    if as_json:
        print_json({"ok": not bad, "lines": [line._asdict() for line in lines]})
    else:
        made = table("", "", "what", "found", "what to do")
        for line in lines:
            made.add_row(line.how, line.what, line.says, line.do)
        show(console(), made)
        counts = {how: sum(line.how == how for line in lines) for how in ("ok", "warn", "bad")}
        sys.stdout.write(", ".join(f"{number} {how}" for how, number in counts.items()) + "\n")
    if bad:
        raise typer.Exit(1)


def _looked_at(settings: ServerSettings, found: FloorFile | None, file: Path | None, full: bool) -> Iterator[Line]:
    yield from _versions()
    store = None
    try:
        from houseway.manager.store import open_store

        store = open_store(settings.db, create=False, read_only=True)
        yield from _floor(store, settings, found, file, full)
    except (Refusal, Fault) as refusal:
        do = "start the floor with houseway serve, or name its database with --db" if store is None else ""
        yield Line("bad", "database", str(refusal), do)
    finally:
        if store is not None:
            store.close()
    yield _disk(settings)
    yield from _tls(settings)
    yield _port(settings)


def _floor(
    store: Store, settings: ServerSettings, found: FloorFile | None, file: Path | None, full: bool
) -> Iterator[Line]:
    """What only a database that can be read tells."""
    from houseway.manager.keyring import Keyring
    from houseway.manager.state import load_state
    from houseway.manager.store.migrate import CURRENT

    head = store.head()
    yield Line("ok", "database", f"{store.name}: {head.seq:,} entries, version {CURRENT}, {_engine(store)}")
    keys = None
    with suppress(Refusal):
        keys = Keyring.load(settings.key_file)
    yield _whole(store, keys) if full else _chain(store)
    yield _mark(store, settings.key_file)
    changed = ""
    try:
        state = load_state(store, keys)
    except Refusal as refusal:
        # The key may be another floor's; what is read without one tells.
        state, changed = load_state(store), str(refusal)
    if state.config is None:
        yield Line("bad", "floor", "the database holds none yet", "houseway serve FLOOR.toml founds it")
        return
    yield from _clock(state)
    key = _key(settings, state)
    yield key
    if changed and key.how == "ok":
        yield Line(
            "bad", "codes", changed, "stop the floor, keep a copy of the database, and run houseway journal verify"
        )
    yield _witnesses(store, settings, state)
    yield from _in_force(state, found, file)
    yield from _demonstration(state, settings)
    yield from _people(state, store, settings)


# ----------------------------------------------------------------------------------------------------- the program


def _versions() -> Iterator[Line]:
    from importlib.metadata import PackageNotFoundError, version

    from houseway.web.interpreter import cookies_are_slow, defects

    wrong = list(defects())
    for defect in wrong:
        says, _, do = defect.rpartition("; ")
        yield Line("bad", "Python", says, do)
    if not wrong:
        slow = "; its own cookie parser is slow with hostile cookies, and the server does not use it"
        says = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
        yield Line("ok", "Python", says + (slow if cookies_are_slow() else ""))
    have, missing = [], []
    for name in (*PACKAGES, *EXTRAS):
        try:
            have.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    needed = [name for name in missing if name not in EXTRAS]
    if needed:
        yield Line("bad", "packages", f"missing: {', '.join(needed)}", "pip install houseway")
    elif missing:
        yield Line("ok", "packages", f"{', '.join(have)}; without {', '.join(missing)}, which only proofs need")
    else:
        yield Line("ok", "packages", ", ".join(have))


def _engine(store: Store) -> str:
    from houseway.books.reading import reading_of
    from houseway.manager.store.sqlite import SqliteStore

    sqlite = isinstance(store, SqliteStore)
    question = "SELECT sqlite_version()" if sqlite else "SELECT current_setting('server_version')"
    with reading_of(store)() as ask:
        return f"{'SQLite' if sqlite else 'PostgreSQL'} {next(iter(ask(question)))[0]}"


# ----------------------------------------------------------------------------------------------------- the journal


def _chain(store: Store) -> Line:
    """The last entries, each chained to the one before it and written as the program writes it."""
    from houseway.manager.entry import chained, entry_of, row_of, written_form
    from houseway.manager.store.base import EMPTY, Head

    last = store.head()
    after = max(last.seq - LAST_ENTRIES, 0)
    first = store.entry(after) if after else None
    previous = EMPTY if first is None else Head(first.seq, first.hash)
    do = "stop the floor, keep a copy of the database, and run houseway journal verify"
    for row in store.entries(after, last.seq):
        try:
            entry = entry_of(row.body)
            due = row_of(entry, previous)._replace(body=row.body, hash=chained(previous.hash, row.body), code=row.code)
            good = row == due and written_form(entry, row.body) == row.body
        except Exception as wrong:
            return Line("bad", "chain", f"entry {row.seq} cannot be read: {type(wrong).__name__}", do)
        if not good:
            return Line("bad", "chain", f"entry {row.seq} does not follow from the one before it", do)
        previous = Head(row.seq, row.hash)
    if previous != last:
        return Line("bad", "chain", f"the journal ends at entry {previous.seq}, but its head says {last.seq}", do)
    entries = f"the last {last.seq - after:,} entries" if after else f"all {last.seq:,} entries"
    return Line("ok", "chain", f"{entries} are in order{'; --full checks all' if after else ''}")


def _mark(store: Store, key_file: Path) -> Line:
    """Whether the journal goes as far as this floor is known to have been."""
    from houseway.manager.mark import check_marks, mark_files, read_marks

    do = "find the database that has what is missing: docs/recovery.md"
    try:
        marks = read_marks(key_file)
        if not marks:
            return Line(
                "warn", "mark", f"{key_file}.mark holds nothing yet", "serve the floor once; it is written then"
            )
        check_marks(store, key_file)
    except Refusal as refusal:
        return Line("bad", "mark", str(refusal), do)
    names = ", ".join(map(str, mark_files(key_file)))
    return Line("ok", "mark", f"{names}: the journal has {marks[-1].words}, the last that is known")


def _whole(store: Store, keys: Keyring | None) -> Line:
    from houseway.books.verify import verify
    from houseway.commands.journal import _progress

    with _progress("verifying") as progress:
        findings = verify(store, progress=progress, ring=keys)
    if findings.bad:
        count = len(findings.bad) + findings.unlisted
        return Line(
            "bad",
            "chain",
            f"{findings.bad[0]}{f'; and {count - 1:,} more' if count > 1 else ''}",
            "stop the floor, keep a copy of the database, and run houseway journal verify",
        )
    if not findings.finished:
        return Line("warn", "chain", f"interrupted after entry {findings.last.seq:,}; so far everything is in order")
    return Line("ok", "chain", f"all {findings.entries:,} entries and {findings.postings:,} postings are in order")


def _clock(state: FloorState) -> Iterator[Line]:
    from houseway.manager.clock import started, utc
    from houseway.manager.gaming_day import Calendar

    reading = started(state.at, may_rest=state.demonstration)
    now = reading.wall
    if reading.doubt:
        says, _, do = reading.words.partition("; ")
        yield Line("bad", "clock", says, do)
    else:
        yield Line("ok", "clock", f"{utc(now)}, after the journal's last entry")
    for where in state.doubts:
        yield Line("warn", "clock", f"the floor does not believe the clock of {where}", "look at the clock there")
    policies = state.policies
    try:
        day = Calendar(policies.time_zone, policies.day_starts).day_of(now)
    except Refusal as refusal:
        yield Line("bad", "time zone", str(refusal), "pip install tzdata")
    else:
        yield Line("ok", "time zone", f"{policies.time_zone}, gaming day {day}")


# ----------------------------------------------------------------------------------------------------- the settings


def _file(file: Path | None, lines: list[Line]) -> FloorFile | None:
    """What a floor file says, if there is one."""
    from houseway.manager.floor_file import MOST_BYTES, read_bytes, read_floor

    if file is None:
        return None
    try:
        floor_file = read_floor(read_bytes(file, MOST_BYTES + 1), file.name, file.parent)
    except Refusal as refusal:
        lines.append(Line("bad", "configuration", str(refusal), "houseway init writes an example"))
        return None
    if floor_file.defects:
        more = f"; and {len(floor_file.defects) - 1} more" if len(floor_file.defects) > 1 else ""
        lines.append(
            Line(
                "bad",
                "configuration",
                f"{file}: {floor_file.defects[0]}{more}",
                f"houseway check {file} lists everything",
            )
        )
    else:
        advice = f", {len(floor_file.advice)} pieces of advice" if floor_file.advice else ""
        lines.append(Line("ok", "configuration", f"{file}: no defect{advice}"))
    return floor_file


def _settings(
    file: Path | None, found: FloorFile | None, given: Mapping[str, object], lines: list[Line]
) -> ServerSettings | None:
    from houseway.web.settings import resolve_settings

    in_file = found.server if found is not None else None
    try:
        return resolve_settings(in_file or {}, file.parent if file else Path(), given)
    except Refusal as refusal:
        lines.append(Line("bad", "settings", str(refusal), "docs/server.md lists what can be set"))
        return None


def _key(settings: ServerSettings, state: FloorState) -> Line:
    from houseway.manager.keyring import Keyring
    from houseway.manager.signing import check_in_force

    file = settings.key_file
    if not file.exists():
        return Line("bad", "key", f"{file} is not there", "bring the floor's key file back, or name it with --key-file")
    try:
        public = check_in_force(state, Keyring.load(file).in_force(state.key_ids, state.key).signing)
    except Refusal as refusal:
        return Line("bad", "key", str(refusal), "use the key that is in force, readable by its owner alone")
    return Line("ok", "key", f"{file}: private, and in force ({public[:16]}…)")


def _witnesses(store: Store, settings: ServerSettings, state: FloorState) -> Line:
    """TR-13: whether somebody else has seen the journal, as it is, and not long ago."""
    from houseway.manager.transparency.checkpoint import WitnessPolicy, checked_by, log_verifier
    from houseway.manager.transparency.kept import frontier_of, origin_in
    from houseway.manager.transparency.publish import kept_checkpoint
    from houseway.web.settings import checkpoint_place

    policy = state.config.witness_policy if state.config is not None else WitnessPolicy()
    set_up = "set up a witness on another machine: docs/journal.md"
    if not policy.quorum:
        return Line("warn", "witnesses", "none is demanded, so anybody with the key can rewrite the journal", set_up)
    file = checkpoint_place(settings)
    point = kept_checkpoint(file)
    if point is None:
        return Line("warn", "witnesses", f"{file} holds no checkpoint yet", "serve the floor with witnesses set")
    look = "keep a copy of the database, and compare it with what the witnesses hold"
    if point.size > state.seq:
        return Line("bad", "witnesses", f"they have seen entry {point.size:,}, but the journal ends before", look)
    if point.origin != origin_in(store) or point.root != frontier_of(store, point.size).root:
        return Line("bad", "witnesses", f"the journal is not the one they saw up to entry {point.size:,}", look)
    try:
        checked_by(point, [log_verifier(point.origin, state.key)])
        seen = policy.seen_by(point)
    except Refusal as refusal:
        return Line("warn", "witnesses", f"{file}: {refusal}", "a key replaced a moment ago; otherwise look into it")
    if len(seen) < policy.quorum:
        said = f"{len(seen)} of the {policy.quorum} demanded have cosigned {file}"
        return Line("bad", "witnesses", said, "see that the witnesses run, and are set under [server]")
    hours = (time.time() - min(seen.values())) / 3600
    says = f"{', '.join(seen)} saw it up to entry {point.size:,}, {hours:,.1f} hours ago"
    if hours > OLD_HOURS:
        return Line("warn", "witnesses", says, "see that the server and its witnesses run")
    return Line("ok", "witnesses", says)


def _in_force(state: FloorState, found: FloorFile | None, file: Path | None) -> Iterator[Line]:
    from houseway.manager.changes import differences

    if found is None or found.config is None:
        return
    changes = differences(state, found.config)
    if changes:
        more = f"; and {len(changes) - 1:,} more" if len(changes) > 1 else ""
        yield Line(
            "warn",
            "in force",
            f"the file differs from what is in force: {changes[0]}{more}",
            f"houseway floor apply {file} brings it into force",
        )
    else:
        yield Line("ok", "in force", f"the file is what is in force since entry {state.configured[-1]}")


def _demonstration(state: FloorState, settings: ServerSettings) -> Iterator[Line]:
    if not state.demonstration:
        return
    says = "this floor was founded as a demonstration and stays one: its cards can be chosen"
    remedy = "found a real floor in a new database, without demonstration = true in its file"
    if settings.on_loopback and not settings.trusted_proxies:
        yield Line("warn", "demonstration", f"{says}; it is served on this machine alone", remedy)
    else:
        yield Line(
            "bad", "demonstration", f"{says}, and others are let in", f"listen on 127.0.0.1 without a proxy; {remedy}"
        )


def _people(state: FloorState, store: Store, settings: ServerSettings) -> Iterator[Line]:
    """TR-5, TR-6: whether orders that take two people can be given, and whether a copied database gives a PIN away."""
    from houseway.manager.credentials import is_peppered
    from houseway.manager.permissions import PERMISSIONS

    enroll = PERMISSIONS["enroll"]
    able = [member for member in state.staff.values() if member.active and member.role in enroll.roles | enroll.seconds]
    ready = [one for one in able if one.pin_set]
    if len(ready) < 3:
        says = f"{len(ready)} people with a PIN may give or second what takes two"
        yield Line("warn", "two people", says, "have three: with two, neither can be given a new card")
    else:
        yield Line("ok", "two people", f"{len(ready)} people may give or second what takes two")
    cards = {member.card for member in state.staff.values() if member.active}
    bare = sum(credential.card in cards and not is_peppered(credential) for credential in store.credentials())
    if bare:
        yield Line("warn", "PINs", f"{bare} are kept without the pepper", "houseway staff pin, for each of them")
    else:
        yield Line("ok", "PINs", "all are kept under the pepper of the key file")
    if state.policies.washington and not any(
        member.role == "surveillance" and member.active for member in state.staff.values()
    ):
        says = "nobody holds a surveillance card; a round with a large win cannot close without one"
        yield Line("warn", "surveillance", says, "houseway staff add … --role surveillance")
    codes = settings.key_file.with_name(FIRST_CODES)
    if codes.exists():
        yield Line("warn", "first codes", f"{codes} is still there", "delete it once its codes are handed over")


def _disk(settings: ServerSettings) -> Line:
    on_server = "://" in settings.db and not settings.db.startswith("sqlite:")
    folder = Path() if on_server else Path(settings.db.removeprefix("sqlite:///")).absolute().parent
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    says = f"{free / 1e9:,.1f} GB free{'' if not on_server else ' here; the database is on a server of its own'}"
    if free < NO_ROOM:
        return Line("bad", "disk", says, "make room: without it no order can be recorded")
    if free < LITTLE_ROOM:
        return Line("warn", "disk", says, "make room before it is full")
    return Line("ok", "disk", says)


def _tls(settings: ServerSettings) -> Iterable[Line]:
    from cryptography import x509

    from houseway.web.server import tls_context

    if settings.tls_certificate is None:
        if not settings.on_loopback and not settings.trusted_proxies:
            do = "set tls_certificate, or put a proxy with TLS in front"
            if settings.plain_http:
                yield Line("warn", "TLS", "none, but others can reach it: plain_http is set", do)
            else:
                yield Line("bad", "TLS", "none, but others can reach it; the server refuses to start", do)
        return
    try:
        tls_context(settings)
        certificate = x509.load_pem_x509_certificate(settings.tls_certificate.read_bytes())
    except (Refusal, ValueError) as refusal:
        yield Line("bad", "TLS", str(refusal), "bring certificate and key in PEM")
        return
    days = (certificate.not_valid_after_utc - datetime.now(UTC)).days
    says = f"{settings.tls_certificate}, good until {certificate.not_valid_after_utc:%Y-%m-%d}"
    if days < 0:
        yield Line("bad", "TLS", says, "renew the certificate")
    else:
        yield Line("warn" if days < SOON_DAYS else "ok", "TLS", says, "renew it soon" if days < SOON_DAYS else "")


def _port(settings: ServerSettings) -> Line:
    """Whether it can be listened on; one that our own server listens on is as good."""
    from houseway.web.server import listen

    place = f"{settings.host} port {settings.port}"
    try:
        sockets = listen(settings)
    except Refusal as refusal:
        if refusal.field == "port" and _answers(settings):
            return Line("ok", "port", f"{place}: a Houseway server answers there")
        return Line("bad", "port", refusal.sentence, "stop what uses it, or set another host or port")
    for socket in sockets:
        socket.close()
    return Line("ok", "port", f"{place} is free")


def _answers(settings: ServerSettings) -> bool:
    import httpx

    scheme = "https" if settings.tls_certificate else "http"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    try:
        # Only whether it is one of ours, which no certificate has to vouch for.
        response = httpx.get(f"{scheme}://{host}:{settings.port}/healthz", timeout=2, verify=False)
        return response.status_code == 200 and response.json() == {"status": "ok"}
    except (httpx.HTTPError, ValueError):
        return False
