"""Numbers for Prometheus, with the money as the database has it. docs/server.md lists them.

Nothing here is global: an application has a registry of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from houseway import __version__
from houseway.manager.entry import Entry
from houseway.manager.permissions import MAY_READ
from houseway.manager.state import FloorState
from houseway.manager.store.base import StoreFault
from houseway.progressive.terms import cents_of
from houseway.table.progressive_round.ledger import meter_account, reserve_account
from houseway.web.guard import is_forwarded
from houseway.web.limiter import network_of
from houseway.web.problem import Problem
from houseway.web.site import Site

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
READERS: Final = MAY_READ["manager"] | {"casino"}


class Metrics:
    """Everything that is counted about one server."""

    def __init__(self, site: Site, orders: frozenset[str]) -> None:
        self._site = site
        self._orders = orders
        """The paths of orders."""
        self.registry = CollectorRegistry(auto_describe=False)
        self._requests = Counter(
            "houseway_requests",
            "Requests answered, by method, route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "houseway_request_seconds",
            "How long requests took until their answer began, by route.",
            ("route",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._refused = Counter(
            "houseway_orders_refused",
            "Orders that were refused, by route and status.",
            ("route", "status"),
            registry=self.registry,
        )
        self._connections_refused = Counter(
            "houseway_connections_refused",
            "Connections refused before there was a request, by problem.",
            ("problem",),
            registry=self.registry,
        )
        self._taken = Counter(
            "houseway_entries_seen",
            "Entries of the journal that this process wrote or took in since it started, by kind.",
            ("kind",),
            registry=self.registry,
        )
        self._groups = Histogram(
            "houseway_entries_together",
            "How many entries became known at once: those of one transaction, or those that another process wrote.",
            buckets=SIZES,
            registry=self.registry,
        )
        self.registry.register(_Floor(site))
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        site.floor.listen(self._entries)

    def answered(self, scope: Scope, path: str, status: int, seconds: float) -> None:
        """Told of every answer; ``path`` is the route's own."""
        self._requests.labels(_method(scope), path, status).inc()
        self._seconds.labels(path).observe(seconds)
        if status >= 400 and path in self._orders:
            self._refused.labels(path, status).inc()

    def refused_connection(self, problem: Problem) -> None:
        """Told of every connection that was refused."""
        self._connections_refused.labels(problem.details.type.rpartition(":")[2]).inc()

    def _entries(self, entries: Sequence[Entry], state: FloorState) -> None:
        self._groups.observe(len(entries))
        for entry in entries:
            self._taken.labels(entry.kind).inc()

    async def response(self, request: Request) -> Response:
        """Everything as text; refused to who may not read it."""
        self._check_may(request)
        address = request.client.host if request.client else ""
        text = await self._site.read(network_of(address), generate_latest, self.registry)
        return Response(text, headers={"content-type": CONTENT_TYPE_LATEST})

    def _check_may(self, request: Request) -> None:
        """This machine itself, unless it speaks for another; a casino's system; staff who see the Game Manager."""
        site = self._site
        if site.settings.metrics == "open" or (_is_local(request) and not site.settings.trusted_proxies):
            return
        who = site.door.who(site.state, request)
        if who.kind == "nobody":
            raise Problem(401, "sign-in", "sign in, send a casino system's token, or ask from the server's own machine")
        if who.reader not in READERS:
            raise Problem(403, "not-allowed", f"metrics are for: {' or '.join(sorted(READERS))}; you are {who.reader}")


class _Floor(Collector):
    """What is read when it is asked for: the floor as it stands, and the money from the database."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        site, state = self._site, self._site.state
        yield InfoMetricFamily("houseway_build", "The program.", {"version": __version__})
        yield CounterMetricFamily("houseway_entries", "Entries in the journal.", state.seq)
        yield GaugeMetricFamily("houseway_streams", "Live streams that are open.", site.hub.streams)
        yield GaugeMetricFamily(
            "houseway_recording", "1 while the floor can record.", int(not site.hub.recording.why_not)
        )
        yield GaugeMetricFamily("houseway_signed_in", "Sign-ins that are not over.", len(state.signed))
        yield GaugeMetricFamily("houseway_alarms", "Alarms that nobody has acknowledged.", len(state.alarms))
        claims = GaugeMetricFamily("houseway_claims", "Claims that wait to be confirmed, by link.", labels=["link"])
        for link in state.links.values():
            claims.add_metric([link.id], len(link.claims))
        yield claims
        yield from self._money(state)

    def _money(self, state: FloorState) -> Iterator[Metric]:
        up = GaugeMetricFamily("houseway_database_up", "1 when the database answered this very question.")
        try:
            balances = self._site.floor.store.balances()
        except StoreFault:
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        labels = ["link", "meter", "currency"]
        meters = GaugeMetricFamily(
            "houseway_meter_cents", "What a meter holds by the ledger, in whole cents rounded down.", labels=labels
        )
        reserves = GaugeMetricFamily(
            "houseway_reserve_cents", "What a meter's reserve holds by the ledger, in whole cents.", labels=labels
        )
        for link in state.links.values():
            for name in link.meters:
                where = [link.id, name, state.policies.currency]
                meters.add_metric(where, cents_of(balances.get(meter_account(link.id, name), 0)))
                reserves.add_metric(where, cents_of(balances.get(reserve_account(link.id, name), 0)))
        yield meters
        yield reserves
        yield GaugeMetricFamily(
            "houseway_ledger_difference_micros",
            "The sum of all accounts in millionths of a dollar: anything but 0 is a fault.",
            sum(balances.values()),
        )


def _is_local(request: Request) -> bool:
    """Whether this machine asks, and not for another: a proxy says for whom it asks."""
    if is_forwarded(request.scope):
        return False
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _method(scope: Scope) -> str:
    method = str(scope["method"])
    return method if method in _METHODS else "other"


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
