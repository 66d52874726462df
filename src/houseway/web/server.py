"""Running the application: one uvicorn process on one floor, stopped cleanly by a signal."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import resource
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import Any, Final, cast

import uvicorn

from houseway.manager.floor import Floor
from houseway.manager.keyring import Keyring
from houseway.manager.memory import spare_what_is_loaded
from houseway.manager.server_settings import ServerSettings
from houseway.manager.signing import check_in_force, new_key
from houseway.manager.store import open_store
from houseway.manager.store.base import EMPTY
from houseway.refusal import FAULT_EXIT, Fault, Refusal
from houseway.web.app import make_app
from houseway.web.deadlines import CLOSE_SECONDS, ends_in_time
from houseway.web.interpreter import check_interpreter
from houseway.web.limiter import HANDSHAKES_AT_ONCE, PROBES_AT_ONCE, READS_AT_ONCE, Lines, Turns
from houseway.web.logs import refused_connection, start_logging
from houseway.web.problem import Problem
from houseway.web.protocol import Crowd, LimitedProtocol, Limits, shake_hands

log = logging.getLogger("houseway.server")

Founder = Callable[[Floor], None]
"""Founds a floor in an empty database, or finishes what was begun; given every floor before it is served."""
BACKLOG: Final = 4096
ACCEPTS_AT_ONCE: Final = 8
"""How many connections are taken before everything else on the event loop has its turn."""
SWEEP_SECONDS: Final = 1.0
UNSENT_BYTES: Final = 64 * 1024
"""How much the system itself keeps for a client that does not read; the rest waits here, where it is seen."""
SPARE_FILES: Final = 256
BROKEN_SECONDS: Final = 2.0
"""A floor that takes nothing more is served for so long yet, so that everybody who asks hears why."""
ANSWER_SECONDS: Final = 2
"""How long the last answers may take to be sent, once nobody waits for the database any more."""


def serve(
    settings: ServerSettings,
    founder: Founder | None = None,
    *,
    create: bool = False,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve the floor in a database until a signal says stop; what was taken is finished first.

    A floor that takes nothing more ends it with a Fault that says why.
    With ``create`` a database that is not there is made, with its key. Nothing is written before the address to listen
    on is had. ``ready`` is told the address before the first request is answered.
    """
    check_interpreter()
    context = tls_context(settings)
    with _Stop() as stop:
        sockets = listen(settings)
        try:
            check_plain_http(settings, sockets)
            with _opened(settings, founder, create=create) as floor:
                check_demonstration(floor, settings, sockets)
                start_logging(settings.log, settings.log_level)
                if speaks_plain_http(settings, sockets):
                    log.warning(
                        "plain_http is set: PINs and cookies cross the network unencrypted, "
                        "and everybody on the way can read them; set tls_certificate"
                    )
                _raise_file_limit(settings.most_connections)
                address = address_of(settings, sockets)
                if ready is not None:
                    ready(address)
                log.info("serving", extra={"fields": {"address": address, "entry": floor.state.seq}})
                server = FloorServer(_config(floor, settings, context), settings)
                spare_what_is_loaded()
                stop.run(server, sockets)
            if server.hangs:
                _leave()
            if floor.broken:
                raise Fault(floor.broken)
        finally:
            for sock in sockets:
                sock.close()
        log.info("stopped")


@contextmanager
def _opened(settings: ServerSettings, founder: Founder | None, *, create: bool) -> Iterator[Floor]:
    """The floor in the database, founded where there is none yet and somebody knows how, with the key in force."""
    store = open_store(settings.db, create=create)
    try:
        if create and store.head() == EMPTY:
            make_key(settings.key_file)
        elif not settings.key_file.exists():
            raise Refusal(
                "key_file", f"{settings.key_file} is not there; without the floor's key nothing is dealt or signed in"
            )
        floor = Floor(store, keys=Keyring.load(settings.key_file))
    except BaseException:
        store.close()
        raise
    try:
        if founder is not None:
            founder(floor)
        if floor.state.config is None:
            raise Refusal("floor", f"{floor.store.name} holds none yet; houseway floor start makes one")
        check_in_force(floor.state, floor.keys.signing)
        yield floor
    finally:
        _close(floor)


def _close(floor: Floor) -> None:
    """Close the floor, or end the process where its database does not let it."""
    if not ends_in_time(floor.close, CLOSE_SECONDS):
        _leave()


def _leave() -> None:
    """End although threads hang in the database: they would hold up every other way out."""
    sys.stderr.write(
        "houseway: the database does not answer, and the server ends without closing it; "
        "what was acknowledged is recorded, and everything else is sent again with the same id\n"
    )
    sys.stderr.flush()
    os._exit(FAULT_EXIT)


def make_key(file: Path) -> None:
    """A key for a new floor, where there is none; one whose writing was cut short held nothing yet."""
    with suppress(OSError):
        if file.is_file() and not file.stat().st_size:
            file.unlink()
    if not file.exists():
        new_key(file)


def _config(floor: Floor, settings: ServerSettings, context: ssl.SSLContext | None) -> uvicorn.Config:
    return uvicorn.Config(
        make_app(floor, settings),
        loop="uvloop",
        http=LimitedProtocol,
        ws="none",
        access_log=False,
        log_config=None,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=settings.keep_alive_seconds,
        # The floor's own deadline comes first: what is cut off here gets an answer that says nothing.
        timeout_graceful_shutdown=settings.stop_seconds + ANSWER_SECONDS,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        ssl_context_factory=None if context is None else lambda config, default: context,
    )


# -------------------------------------------------------------------------------------------------- what it listens on


def listen(settings: ServerSettings) -> list[socket.socket]:
    """A socket for each address of the host; refused in one sentence where that cannot be."""
    place = f"{settings.host} port {settings.port}"
    try:
        addresses = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_NUMERICSERV
        )
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no name"
        raise Refusal("host", f"{settings.host!r} cannot be listened on: {why}") from None
    sockets: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in dict.fromkeys(addresses):
            sock = socket.socket(family, kind, protocol)
            sockets.append(sock)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            with suppress(OSError, AttributeError):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
            sock.setblocking(False)
            sock.bind(address)
            # Another that was bound first only says so here.
            sock.listen(BACKLOG)
    except OSError as error:
        for sock in sockets:
            sock.close()
        if error.errno == errno.EADDRINUSE:
            raise Refusal("port", f"{place} is in use by another program; stop that, or name another port") from None
        if error.errno == errno.EACCES:
            raise Refusal("port", f"{place} may not be listened on by this user; name one of 1024 or above") from None
        raise Refusal("host", f"{place} cannot be listened on: {error.strerror}") from None
    return sockets


def address_of(settings: ServerSettings, sockets: list[socket.socket]) -> str:
    """The address for browsers."""
    host, port = sockets[0].getsockname()[:2]
    host = settings.host if settings.host == "localhost" else f"[{host}]" if ":" in host else host
    return f"{'https' if settings.tls_certificate else 'http'}://{host}:{port}"


def speaks_plain_http(settings: ServerSettings, sockets: list[socket.socket]) -> bool:
    """Whether others reach it without TLS, its own or a proxy's."""
    if settings.tls_certificate is not None or (settings.trusted_proxies and not settings.plain_http):
        return False
    return not all(ip_address(sock.getsockname()[0]).is_loopback for sock in sockets)


def check_plain_http(settings: ServerSettings, sockets: list[socket.socket]) -> None:
    """Off loopback it speaks TLS, or a proxy does; anything else somebody has to ask for by name."""
    if speaks_plain_http(settings, sockets) and not settings.plain_http:
        raise Refusal(
            "host",
            f"{settings.host} can be reached by others, who would send PINs unencrypted; set tls_certificate, name a "
            "proxy that speaks TLS in trusted_proxies, or set plain_http (--plain-http) where the network is safe",
        )


def check_demonstration(floor: Floor, settings: ServerSettings, sockets: list[socket.socket]) -> None:
    """TR-9: a floor that was founded as a demonstration is served on this machine alone, for ever."""
    if not floor.state.demonstration:
        return
    words = "this floor was founded as a demonstration, where cards can be chosen"
    if settings.trusted_proxies:
        raise Refusal(
            "trusted_proxies",
            f"a proxy lets others in, but {words}; name no proxy, or found a real floor in a new database",
        )
    if not settings.on_loopback or not all(ip_address(sock.getsockname()[0]).is_loopback for sock in sockets):
        raise Refusal(
            "host",
            f"{settings.host} can be reached by others, but {words}; "
            "listen on 127.0.0.1, or found a real floor in a new database",
        )


def tls_context(settings: ServerSettings) -> ssl.SSLContext | None:
    """TLS by the certificate files; refused in one sentence where they are not good."""
    if settings.tls_certificate is None:
        return None
    for name, file in (("tls_certificate", settings.tls_certificate), ("tls_key", settings.tls_key)):
        if file is None:
            continue
        try:
            with file.open("rb"):
                pass
        except OSError as error:
            raise Refusal(name, f"{file} cannot be read: {error.strerror}") from None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    context.options |= ssl.OP_NO_RENEGOTIATION
    try:
        context.load_cert_chain(settings.tls_certificate, settings.tls_key, password=_no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise Refusal("tls_key", f"is not the key of the certificate in {settings.tls_certificate}") from None
        raise Refusal(
            "tls_certificate", f"{settings.tls_certificate} and its key are not a certificate and key in PEM"
        ) from None
    return context


def _no_password() -> str:
    raise Refusal("tls_key", "is encrypted; a server starts alone, so its key stands in a file without a password")


def _raise_file_limit(connections: int) -> None:
    """Every connection is an open file; as many as the system lets us."""
    files = connections + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft == unlimited or soft >= files:
        return
    reached = files if hard == unlimited else min(files, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (reached, hard))
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft < files:
        log.warning("the system allows %d open files, less than most_connections needs (%d)", soft, files)


# --------------------------------------------------------------------------------------------------- running, stopping


class FloorServer(uvicorn.Server):
    """A server that ends in good order: what was taken is finished, streams are ended."""

    def __init__(self, config: uvicorn.Config, settings: ServerSettings) -> None:
        super().__init__(config)
        self._settings = settings
        self.servers = []
        self._beside: set[asyncio.Task[None]] = set()
        """Who shakes hands: a stop does not wait for them."""
        self._listening: dict[socket.socket, asyncio.TimerHandle | None] = {}
        """The sockets that connections are taken from; with when, where that is not now."""
        self._broken_at: float | None = None

    @property
    def hangs(self) -> bool:
        """Whether it has ended while threads of it still wait for the database."""
        return self.started and self.lifespan.state["site"].hangs

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are ours to hear, from before the floor is opened until after it is closed."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections."""
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            raise RuntimeError("the application did not start")
        loop = asyncio.get_running_loop()
        metrics = self.lifespan.state["metrics"]

        def refused(problem: Problem, address: str) -> None:
            metrics.refused_connection(problem)
            refused_connection(problem, address)

        settings = self._settings
        crowd = Crowd(
            settings.most_connections,
            settings.connections_from_one_address,
            settings.trusted_proxies,
            proxies_alone=settings.reached_by_proxies_alone,
        )
        handshakes = Lines(HANDSHAKES_AT_ONCE)
        limits = Limits(
            crowd,
            settings.header_seconds,
            settings.write_seconds,
            refused,
            Turns(READS_AT_ONCE),
            Turns(PROBES_AT_ONCE),
            handshakes,
            self.lifespan.state["room"],
        )
        context = self.config.ssl

        def connection() -> LimitedProtocol:
            return LimitedProtocol(self.config, self.server_state, self.lifespan.state, loop, limits)

        for sock in sockets or ():
            loop.add_reader(sock, self._let_in, sock, connection, context, limits)
            self._listening[sock] = None
        self._sweep()
        self.started = True

    def _let_in(
        self,
        listening: socket.socket,
        connection: Callable[[], LimitedProtocol],
        context: ssl.SSLContext | None,
        limits: Limits,
    ) -> None:
        """Take the connections that wait, as many as one round of the event loop has room for.

        A server of the loop's own takes one in a round; a crowd would wait for longer than anybody does. Where TLS is
        spoken, an address that has too many is turned away before any handshake.
        """
        loop = asyncio.get_running_loop()
        for _ in range(ACCEPTS_AT_ONCE):
            try:
                raw, peer = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                log.warning("a connection could not be taken: %s", error.strerror)
                loop.remove_reader(listening)
                again = (listening, self._let_in, listening, connection, context, limits)
                self._listening[listening] = loop.call_later(SWEEP_SECONDS, loop.add_reader, *again)
                return
            raw.setblocking(False)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if context is None:
                self._keep(_joined(connection, raw))
            else:
                self._keep(shake_hands(connection(), raw, str(peer[0]), context, limits))

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside, until the server stops."""
        task = asyncio.get_running_loop().create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    def _sweep(self) -> None:
        """Once a second: cut off who does not read."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in cast("list[LimitedProtocol]", list(self.server_state.connections)):
            connection.cut_off_if_stuck(now)
        self._sweeping = loop.call_later(SWEEP_SECONDS, self._sweep)

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: whether it is time to end. A floor that takes nothing more is not served for long."""
        over = await super().on_tick(counter)
        if not self.lifespan.state["site"].floor.broken:
            return over
        now = time.monotonic()
        if self._broken_at is None:
            self._broken_at = now
        return over or now - self._broken_at >= BROKEN_SECONDS

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams first: their connections would never close. Who still waits at the end is answered."""
        site = self.lifespan.state["site"]
        site.hub.stop()
        for listening, later in self._listening.items():
            asyncio.get_running_loop().remove_reader(listening)
            if later is not None:
                later.cancel()
        for task in self._beside:
            task.cancel()
        grace = 0 if site.floor.broken else self._settings.stop_seconds
        ending = asyncio.get_running_loop().call_later(grace, site.deadlines.end)
        await super().shutdown(sockets)
        ending.cancel()
        self._sweeping.cancel()


async def _joined(connection: Callable[[], LimitedProtocol], raw: socket.socket) -> None:
    """Serve a connection that was taken."""
    try:
        await asyncio.get_running_loop().connect_accepted_socket(connection, raw)
    except OSError as error:
        log.debug("a connection was gone before it was served: %s", error)
        raw.close()


class _Stop:
    """What signals ask: the first for a clean end, the second for an end at once."""

    def __init__(self) -> None:
        self._asked = False
        self._server: FloorServer | None = None
        self._before: dict[signal.Signals, object] = {}

    def __enter__(self) -> _Stop:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._hear) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # as signal.signal gave it

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._asked:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        self._asked = True
        if self._server is not None:
            self._server.should_exit = True

    def run(self, server: FloorServer, sockets: list[socket.socket]) -> None:
        """Run a server until a signal asks for its end, which may have been heard already."""
        self._server = server
        if not self._asked:
            server.run(sockets)
