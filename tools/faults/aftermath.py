"""Whether damage was noticed: by the servers that ran, by the next start, or by ``journal verify`` and ``doctor``."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Literal, NamedTuple

from floor_load import FIRST

from faults.check import known_to_marks, missing
from faults.counts import Counts, Ended
from faults.life import Life
from faults.server import HOUSEWAY, Server, key_beside
from faults.tables import Tables, Unreadable, read_tables
from faults.web import SAYS_SO, WebServer

Stage = Literal["server", "start", "verify", "doctor"]

STAGES: Final[tuple[Stage, ...]] = ("server", "start", "verify", "doctor")
REFUSALS: Final = (2, 75)
"""How a program leaves that refuses, or that met a fault."""


class Seen(NamedTuple):
    """What the servers did that ran through an event."""

    since: float
    """When the event was over; an order sent later met what it left."""
    went_on: int = 0
    """Orders that were acknowledged after it."""
    spoke: bool = False
    """Whether any server answered with a fault, said that it is not ready, or ended by itself."""
    ready: bool = False
    """Whether a server said all the time that it is ready."""


def leave(life: Life, since: float) -> Seen:
    """See what the servers say after an event, then end them."""
    life.play(life.plan.uniform(0.1, 0.4), may_end=True)
    for server in life.servers:
        with suppress(Ended):
            server.sign_in(FIRST)
            server.answered()
    attempts = [attempt for tries in life.attempts.values() for attempt in tries if attempt.at > since]
    spoke = any(attempt.answer is not None and attempt.open for attempt in attempts)
    ended = [server.process.poll() for server in life.servers]
    if life.plan.random() < 0.5:
        for server in life.servers:
            server.stop()
        life.servers = []
    life.kill()
    attempts = [attempt for tries in life.attempts.values() for attempt in tries if attempt.at > since]
    return Seen(since, sum(attempt.done for attempt in attempts), spoke or any(code is not None for code in ended))


def ask_ready(counts: Counts, since: float, web: WebServer) -> Seen:
    """See whether a server says by itself, without an order, that it can record nothing any more."""
    silent = not web.becomes(ready=False, seconds=SAYS_SO)
    if not silent and (code := web.ended(SAYS_SO)) not in REFUSALS:
        counts.find("late", f"{counts.now}: a server that takes nothing more has not ended by itself ({code})")
    web.kill()
    return Seen(since, spoke=not silent, ready=silent)


def judge(life: Life, facts: Seen, latest: Stage, before: Tables | None = None) -> bool:
    """Count an event as noticed, harmless or unnoticed, by the raw tables; answers whether the floor can go on.

    ``latest`` is by when damage must have been noticed; with ``before`` any row that is not as it was is damage.
    """
    life.database.settle(life.url)
    counts, kind = life.counts, life.counts.now
    damage = _damage(life, facts.since, before)
    refusal = _refused_start(life)
    if not damage:
        if refusal:
            counts.find("lost", f"{kind}: everything is there, yet a start is refused: {refusal}")
            return False
        counts.harmless[kind] += 1
        life.check()
        return True
    who: Stage | None = "start" if refusal else _examined(life)
    if facts.went_on:
        counts.find("unnoticed", f"{kind}: {damage}; yet {facts.went_on} orders were acknowledged afterwards")
    elif facts.ready:
        counts.find("unnoticed", f"{kind}: {damage}; yet a server said for {SAYS_SO} s that it is ready")
    elif who is None or STAGES.index(who) > STAGES.index(latest):
        counts.find("unnoticed", f"{kind}: {damage}; it started as if nothing had happened, then: {who or 'nothing'}")
    else:
        counts.noticed[kind, "server and " + who if facts.spoke else who] += 1
    return False


def _damage(life: Life, since: float, before: Tables | None) -> str:
    """What the tables lack of what was acknowledged, or what is wrong with them, in a sentence; empty for nothing."""
    try:
        tables = read_tables(life.url)
    except Unreadable as error:
        return f"the tables cannot be read ({error})"
    gone = missing({(line.order, line.seq) for line in tables.lines}, life.attempts)
    for attempt in gone:
        if attempt.at > since:
            life.counts.find(
                "lost", f"order {attempt.sent.id} was sent after the event, acknowledged, and is not there"
            )
    # An entry may be gone that nobody was told of by its number: somebody who signed in, a refusal, an order whose
    # answer the end of its server cut off. The marks know it, and a start must say so as well.
    there = {(line.seq, line.hash) for line in tables.lines}
    beyond = [seq for seq, hash_ in known_to_marks(life.log) if (seq, hash_) not in there]
    defects = list(tables.defects())
    changed = [] if before is None else [name for name, rows in before.rows.items() if rows != tables.rows[name]]
    parts = [f"{len(gone)} acknowledged orders are gone"] if gone else []
    parts += [f"entry {max(beyond)} is gone, which was recorded"] if beyond else []
    parts += [f"{len(defects)} defects, first: {defects[0]}"] if defects else []
    parts += [f"changed: {', '.join(changed)}"] if changed else []
    return "; ".join(parts)


def _refused_start(life: Life) -> str:
    """Start a server and give it an order: what it says where it does not begin, or takes nothing; else nothing."""
    server = Server(life.url, life.log)
    try:
        server.serves()
        server.sign_in(FIRST)
        server.until(lambda: FIRST in server.signed_in)
    except Ended:
        code = server.stop()
        words = server.last_words()
        if code not in REFUSALS or "Traceback" in words:
            life.counts.find("unnoticed", f"a start ended with {code} and without a sentence: {words[-700:]}")
        return words[-700:] or f"it ended with {code}"
    finally:
        if server.process.poll() is None:
            server.stop()
    answer = server.signed_in[FIRST]
    return "" if answer["ok"] else str(answer["error"])


def _examined(life: Life) -> Stage | None:
    """Have the whole floor looked at by the commands for that."""
    known = ["--db", life.url, "--key-file", str(key_beside(life.log))]
    if _asked(life, ["journal", "verify", *known]).returncode:
        return "verify"
    return "doctor" if _asked(life, ["doctor", "--full", "--port", "0", *known]).returncode else None


def _asked(life: Life, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command; it must not end with a traceback."""
    done = subprocess.run([*HOUSEWAY, *command], capture_output=True, text=True, check=False, cwd="/")
    if "Traceback" in done.stderr:
        life.counts.find("unnoticed", f"houseway {command[0]} ended with a traceback: {done.stderr[-700:]}")
    return done
