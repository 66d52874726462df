"""``houseway bots`` and ``houseway load``: a floor that is alive, and how much it bears."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from houseway.commands.arguments import AsJson
from houseway.refusal import Fault, NotAllowed, Refusal

if TYPE_CHECKING:
    from subprocess import Popen

    from houseway.books.verify import Findings
    from houseway.client.asking import Card
    from houseway.client.crew import Cards, Crew, Happened
    from houseway.client.tally import Tally

DEFAULT_URL = "http://127.0.0.1:8420"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
START_SECONDS = 60
STOP_SECONDS = 30
SIGN_IN_AGAIN_SECONDS = 5.0
MOST_LISTED = 20
LOAD_TRIES = 6


class _Stopping:
    """The first Ctrl-C asks to stop, the second stops at once."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.asked = False
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._ask, task)

    def _ask(self, task: asyncio.Task[Any] | None) -> None:
        if self.asked and task is not None:
            task.cancel()
        self.asked = True
        self.event.set()


def _run(work: Any) -> Any:
    """Run on the quicker event loop, which the server uses too."""
    from importlib.util import find_spec

    import uvloop

    if "sniffio" not in sys.modules and find_spec("sniffio") is None:
        # httpcore tries to import it about four times a request, and looks through every folder each time.
        sys.modules["sniffio"] = None  # type: ignore[assignment]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


# --------------------------------------------------------------------------------------------------------------- bots


def bots(
    url: Annotated[str, typer.Option(envvar="HOUSEWAY_URL", help="The floor's address.")] = DEFAULT_URL,
    tables: Annotated[
        str, typer.Option(metavar="ID,ID,…", help="Only these tables; without them all.", show_default=False)
    ] = "",
    pace: Annotated[float, typer.Option(min=0.0, help="Seconds between two things that a bot does, on average.")] = 1.5,
    players: Annotated[int, typer.Option(min=0, max=7, help="How many players sit at a table with cards.")] = 3,
    seconds: Annotated[float, typer.Option(min=0.0, help="Stop after so long; 0 for when you press Ctrl-C.")] = 0.0,
    seed: Annotated[int | None, typer.Option(help="What the bots draw by lot, they draw the same again.")] = None,
    simple: Annotated[
        bool, typer.Option("--simple", help="Play a simple way, decided at once, and not the exact best one.")
    ] = False,
    dealer: Annotated[str, typer.Option(envvar="HOUSEWAY_DEALER_CARD", help="The card the dealers use.")] = "",
    supervisor: Annotated[str, typer.Option(envvar="HOUSEWAY_SUPERVISOR_CARD", help="The supervisor's.")] = "",
    executive: Annotated[str, typer.Option(envvar="HOUSEWAY_EXECUTIVE_CARD", help="The executive's.")] = "",
    surveillance: Annotated[str, typer.Option(envvar="HOUSEWAY_SURVEILLANCE_CARD", help="Surveillance's.")] = "",
) -> None:
    """Keep a running floor alive: bots deal, play by the best strategy, and record what is won, all over HTTP.

    On this machine they use a demonstration's cards. Elsewhere give them cards of their own; their PINs are taken from
    HOUSEWAY_DEALER_PIN, HOUSEWAY_SUPERVISOR_PIN, HOUSEWAY_EXECUTIVE_PIN and HOUSEWAY_SURVEILLANCE_PIN, or from
    HOUSEWAY_PIN.
    """
    numbers = {"dealer": dealer, "supervisor": supervisor, "executive": executive, "surveillance": surveillance}
    cards = _cards(url, numbers)
    named = [one.strip() for one in tables.split(",") if one.strip()]
    counted = _run(_keep_alive(url, cards, named, pace, players, seconds, seed, simple))
    sys.stdout.write(f"{sum(counted.values()):,} rounds at {len(counted)} tables\n")


def _cards(url: str, numbers: dict[str, str]) -> Cards:
    """The cards that were given, or on this machine a demonstration's."""
    from urllib.parse import urlsplit

    from houseway.client.asking import Card
    from houseway.client.crew import Cards
    from houseway.web.demonstration import PIN, STAFF

    try:
        scheme, host = urlsplit(url).scheme, urlsplit(url).hostname
    except ValueError:
        scheme, host = "", None
    if scheme not in ("http", "https") or not host:
        raise Refusal("url", f"{url[:60]!r} is no address of a floor; it begins with http:// or https://")
    found = {}
    for role, given in numbers.items():
        pin = os.environ.get(f"HOUSEWAY_{role.upper()}_PIN", os.environ.get("HOUSEWAY_PIN", ""))
        if given and not pin:
            raise Refusal(role, f"has a card but no PIN; set HOUSEWAY_{role.upper()}_PIN")
        if not given and host not in LOOPBACK:
            raise Refusal(role, f"must be given: a demonstration's cards are for this machine, not for {host}")
        demo = next(member.card for member in STAFF if member.role == role)
        found[role] = Card(given, pin) if given else Card(demo, PIN)
    return Cards(**found)


async def _keep_alive(
    url: str, cards: Cards, tables: list[str], pace: float, players: int, seconds: float, seed: int | None, simple: bool
) -> dict[str, int]:
    from random import Random

    from houseway.client.crew import Crew
    from houseway.client.floor_bots import Manner
    from houseway.client.strategy import Best, Mind, Simple

    random, stopping = Random(seed), _Stopping()
    mind: Mind = Simple() if simple else Best()
    counted: dict[str, int] = {}
    with suppress(asyncio.CancelledError):
        while not stopping.event.is_set():
            refused: list[BaseException] = []
            try:
                async with Crew(url, cards, mind=mind, random=random, players=players, manner=Manner(pace)) as crew:
                    await _at_tables(crew, tables, counted, stopping.event, seconds)
            except* NotAllowed as group:
                refused += group.exceptions
            if refused and not counted:
                raise refused[0]
            if refused:
                # Signed out, as after a long time: everybody signs in again.
                await asyncio.sleep(SIGN_IN_AGAIN_SECONDS)
    return counted


async def _at_tables(
    crew: Crew, tables: list[str], counted: dict[str, int], stop: asyncio.Event, seconds: float
) -> None:
    layouts = await crew.layouts(tables)
    dealers = [await crew.dealer(layout) for layout in layouts]
    if seconds and not counted:
        asyncio.get_running_loop().call_later(seconds, stop.set)
    for layout in layouts:
        counted.setdefault(layout.table, 0)
    sys.stdout.write(f"bots play at {', '.join(layout.table for layout in layouts)}; Ctrl-C stops them\n")
    sys.stdout.flush()
    said: dict[str, str] = {}
    with _status() as show:

        def told(happened: Happened) -> None:
            counted[happened.table] += happened.what == "round"
            show(f"{sum(counted.values()):,} rounds")
            if happened.words and said.get(happened.table) != happened.words:
                sys.stderr.write(f"{happened.table}: {happened.words}\n")
            said[happened.table] = happened.words

        await crew.keep_alive(dealers, told, stop)


@contextmanager
def _status() -> Iterator[Callable[[str], None]]:
    """A line that is written over again on a terminal; elsewhere nothing."""
    from rich.console import Console

    out = Console(stderr=True)
    if not out.is_terminal:
        yield lambda words: None
        return
    with out.status("") as status:
        yield status.update


# --------------------------------------------------------------------------------------------------------------- load


class _Played(NamedTuple):
    """What came of a load test before anything is checked."""

    rounds: int
    seconds: float
    shut: int
    faults: list[str]
    interrupted: bool


def load(
    tables: Annotated[int, typer.Option(min=1, max=5000, help="How many tables.")] = 200,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long they are played at.")] = 60.0,
    db: Annotated[
        str, typer.Option(metavar="URL", help="An empty database to use; without it a new file.", show_default=False)
    ] = "",
    mix: Annotated[str, typer.Option(help="Which tables: KIND=WEIGHT, separated by commas.")] = "",
    players: Annotated[int, typer.Option(min=1, max=5, help="How many players sit at a table with cards.")] = 3,
    best: Annotated[bool, typer.Option("--best", help="Play by the best strategy, which takes time to find.")] = False,
    seed: Annotated[int, typer.Option(help="What the bots draw by lot; the cards are the server's.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Load a floor of its own: a real server in a temporary folder, and bots that play at all its tables over HTTP.

    Then it checks that every answer is accounted for, that the ledger balances and that the journal verifies. Exit
    code 1 when anything is wrong.
    """
    import tempfile

    from houseway.client.tally import Tally
    from houseway.commands.load_floor import DEFAULT_MIX, floor_text, read_mix

    text = floor_text(tables, read_mix(mix or DEFAULT_MIX))
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="houseway-load-") as name:
        folder = Path(name)
        database = db or str(folder / "floor.db")
        founded = _found(folder, database, text)
        server = _Server(folder, database)
        try:
            url = server.start()
            used = time.process_time()
            played = _run(_play(url, tally, seconds, players, best, seed))
            own = time.process_time() - used
        finally:
            code, cpu = server.stop()
        wrong = [*_wrong_answers(tally, played), *([f"the server ended with exit code {code}"] if code else [])]
        findings, more, entries = _checked(database, founded, tally)
        wrong += more
    report = _report(tables, tally, played, findings, entries, own, cpu, wrong)
    _print(report, as_json)
    if wrong:
        raise typer.Exit(1)


def _found(folder: Path, database: str, text: str) -> int:
    """Found the floor; answers with the number of its last entry."""
    from houseway.manager.floor import Floor
    from houseway.manager.floor_file import load_floor
    from houseway.manager.keyring import Keyring
    from houseway.manager.signing import new_key
    from houseway.manager.store import open_store
    from houseway.manager.store.base import EMPTY
    from houseway.web.demonstration import found_demonstration

    file, key = folder / "floor.toml", folder / "houseway.key"
    file.write_text(text, "utf-8")
    config = load_floor(file)
    new_key(key)
    store = open_store(database)
    if store.head() != EMPTY:
        store.close()
        raise Refusal("db", f"{store.name} holds a floor already; a load test takes an empty database")
    floor = Floor(store, keys=Keyring.load(key))
    try:
        found_demonstration(floor, config)
        return floor.state.seq
    finally:
        floor.close()


class _Server:
    """A server in a process of its own."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        self._database = database
        self._process: Popen[bytes] | None = None
        self._log = folder / "server.log"

    def start(self) -> str:
        """Start it and wait until it is ready; answers with its address."""
        import socket
        import subprocess

        import httpx

        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        command = [sys.executable, "-m", "houseway.cli", "serve", str(self._folder / "floor.toml")]
        command += ["--db", self._database, "--key-file", str(self._folder / "houseway.key"), "--port", str(port)]
        command += ["--host", "127.0.0.1", "--log-level", "warning", "--most-connections", "10000"]
        # All bots come from one address, one dealer deals at every table, and nobody waits.
        for name in ("connections-per-address", "streams-per-address", "streams-per-person", "orders-a-second"):
            command += [f"--{name}", "100000"]
        for name in ("address", "person", "player"):
            command += [f"--orders-a-second-per-{name}", "100000"]
        with self._log.open("wb") as log:
            # A group of its own: Ctrl-C is the bots', who stop first.
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder, start_new_session=True)
        url = f"http://127.0.0.1:{port}"
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            try:
                if httpx.get(f"{url}/readyz", timeout=1, verify=False).status_code == 200:
                    return url
            except httpx.TransportError:
                time.sleep(0.05)
        words = self._log.read_text("utf-8", "replace").strip().splitlines()
        raise Refusal("server", f"did not start: {words[-1] if words else 'it said nothing'}")

    def stop(self) -> tuple[int, float]:
        """Ask it to stop; its exit code, and the seconds of processor time it used."""
        import resource
        import subprocess

        if self._process is None:
            return 0, 0.0
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


async def _play(url: str, tally: Tally, seconds: float, players: int, best: bool, seed: int) -> _Played:
    from random import Random

    from houseway.client.asking import Card
    from houseway.client.crew import Cards, Crew
    from houseway.client.floor_bots import Manner
    from houseway.client.retry import Patience
    from houseway.client.strategy import Best, Simple
    from houseway.web.demonstration import PIN, STAFF

    by_role: dict[str, Card] = {member.role: Card(member.card, PIN) for member in reversed(STAFF)}
    cards = Cards(*(by_role[role] for role in Cards._fields))
    mind = Best() if best else Simple()
    stopping, counts, faults = _Stopping(), {"round": 0, "shut": 0}, list[str]()

    def told(happened: Happened) -> None:
        if happened.what in counts:
            counts[happened.what] += 1
        elif happened.what == "fault":
            faults.append(f"{happened.table}: {happened.words}")

    crew = Crew(
        url,
        cards,
        mind=mind,
        random=Random(seed),
        players=players,
        manner=Manner(),
        patience=Patience(tries=LOAD_TRIES),
        watcher=tally.watch,
    )
    before, began = 0, time.perf_counter()
    try:
        async with crew:
            dealers = [await crew.dealer(layout) for layout in await crew.layouts()]
            before, began = tally.orders, time.perf_counter()
            asyncio.get_running_loop().call_later(seconds, stopping.event.set)
            line = asyncio.create_task(_progress(tally, before, seconds, counts))
            try:
                await crew.keep_alive(dealers, told, stopping.event)
            finally:
                line.cancel()
    except asyncio.CancelledError:
        faults.append("interrupted before the open rounds were finished")
    except Fault as fault:
        faults.append(str(fault))
    except ExceptionGroup as group:
        faults += [f"{type(exception).__name__}: {exception}" for exception in group.exceptions]
    took = time.perf_counter() - began
    tally.discard(before)
    return _Played(counts["round"], took, counts["shut"], faults, stopping.asked)


async def _progress(tally: Tally, before: int, seconds: float, counts: dict[str, int]) -> None:
    began = time.perf_counter()
    with _status() as show:
        while True:
            await asyncio.sleep(0.5)
            took = time.perf_counter() - began
            orders = tally.orders - before
            show(f"{min(took, seconds):.0f} of {seconds:.0f} s: {orders:,} orders, {orders / took:,.0f} a second, "
                 f"{counts['round']:,} rounds")  # fmt: skip


def _wrong_answers(tally: Tally, played: _Played) -> Iterator[str]:
    for words, count in tally.errors.most_common(MOST_LISTED):
        yield f"{words} ({count:,} times)"
    yield from played.faults[:MOST_LISTED]
    if not played.rounds and not played.interrupted:
        yield "no round was played to its end"


def _checked(database: str, founded: int, tally: Tally) -> tuple[Findings, list[str], int]:
    """The journal against the answers, the ledger, and every row of the database."""
    from itertools import islice

    from houseway.books.verify import verify
    from houseway.manager.store import open_store

    store = open_store(database, create=False, read_only=True)
    try:
        last = store.head().seq
        wrong = list(islice(tally.unaccounted(store.entries(founded, last)), MOST_LISTED))
        uneven = sum(store.balances().values())
        if uneven:
            wrong.append(f"the ledger does not balance: it is {uneven} micros off")
        findings = verify(store)
    finally:
        store.close()
    wrong += [str(finding) for finding in findings.bad[:MOST_LISTED]]
    if not findings.finished:
        wrong.append("the journal was not read to its end")
    return findings, wrong, last - founded


def _report(
    tables: int,
    tally: Tally,
    played: _Played,
    findings: Findings,
    entries: int,
    own: float,
    cpu: float,
    wrong: list[str],
) -> dict[str, Any]:
    half, most, worst = tally.milliseconds(0.5, 0.99, 1.0)
    return {
        "tables": tables,
        "seconds": round(played.seconds, 1),
        "interrupted": played.interrupted,
        "rounds": played.rounds,
        "orders": tally.orders,
        "orders_a_second": round(tally.orders / played.seconds),
        "looks": tally.asked,
        "p50_ms": round(half, 1),
        "p99_ms": round(most, 1),
        "worst_ms": round(worst, 1),
        "refused": dict(tally.refused),
        "tried_again": tally.retried,
        "entries": entries,
        "verified": {"entries": findings.entries, "postings": findings.postings, "bad": len(findings.bad)},
        "server_cpu_seconds": round(cpu, 1),
        "bots_cpu_seconds": round(own, 1),
        "wrong": wrong,
    }


def _print(report: dict[str, Any], as_json: bool) -> None:
    from houseway.commands.screen import print_json

    if as_json:
        print_json(report)
        return
    refused = sum(report["refused"].values())
    kinds = "".join(f"\n    {count:,} {what}" for what, count in sorted(report["refused"].items()))
    lines = [
        f"{report['tables']:,} tables, {report['seconds']:g} seconds{', interrupted' if report['interrupted'] else ''}",
        f"  {report['rounds']:,} rounds, {report['orders']:,} orders, {report['orders_a_second']:,} a second, "
        f"beside {report['looks']:,} looks",
        f"  an order took {report['p50_ms']:g} ms (half of them), {report['p99_ms']:g} ms (99 of 100), "
        f"{report['worst_ms']:g} ms (the slowest)",
        f"  {refused:,} refused, {report['tried_again']:,} tried again{kinds}",
        f"  {report['entries']:,} entries; {report['verified']['entries']:,} entries and "
        f"{report['verified']['postings']:,} postings verified",
        f"  processor time: server {report['server_cpu_seconds']:g} s, bots {report['bots_cpu_seconds']:g} s",
        *(f"WRONG: {one}" for one in report["wrong"]),
        "nothing is wrong: every answer is in the journal, the ledger balances, the journal verifies"
        if not report["wrong"]
        else f"{len(report['wrong'])} things are wrong",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
