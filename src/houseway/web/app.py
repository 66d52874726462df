"""The application: every route, the live hub, and what stands before them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Address
from starlette.types import ASGIApp, Scope

from houseway.api.openapi import openapi
from houseway.api.problem import TITLES
from houseway.api.route import JSON, PREFIX
from houseway.api.routes import DESCRIPTION, INDEX, ROUTES, Index, index
from houseway.manager.floor import Floor
from houseway.manager.server_settings import ServerSettings
from houseway.web.guard import Guard
from houseway.web.health import health_routes
from houseway.web.hub import Hub
from houseway.web.limiter import Room
from houseway.web.logs import RequestLog, route_path
from houseway.web.metrics import Metrics
from houseway.web.orders import orders
from houseway.web.pages import page_routes, static_version
from houseway.web.problem import Problem, problem_of
from houseway.web.reads import read_handlers
from houseway.web.routes import ENCODER, Ask, Handlers, Served, addresses
from houseway.web.seat import seat
from houseway.web.secrets import Keys
from houseway.web.session import sessions
from houseway.web.site import Site
from houseway.web.stream import streams

top = Handlers()


@top.answers(INDEX)
def api_index(ask: Ask) -> Index:
    return index()


def all_handlers() -> list[Served]:
    """What answers the API."""
    return [*orders.all, *sessions.all, *streams.all, *seat.all, *read_handlers(), *top.all]


def make_app(floor: Floor, settings: ServerSettings) -> ASGIApp:
    """An application that serves a floor. The floor is the caller's, who closes it after the server stopped."""
    hub = Hub(floor, settings.most_streams, settings.streams_from_one_address, settings.streams_per_person)
    site = Site(floor, Keys(lambda: floor.keys.secret("web")), settings, hub)
    room = Room(settings.most_waiting)
    places = frozenset(f"{PREFIX}{route.path}" for route in ROUTES if route.order)
    metrics, log = Metrics(site, places), RequestLog(site, places)

    def answered(scope: Scope, status: int, seconds: float) -> None:
        path = route_path(scope)
        metrics.answered(scope, path, status, seconds)
        log.answered(scope, path, status, seconds)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        # The first who opens a page shall not wait for all files to be packed, nor anybody else meanwhile.
        await asyncio.to_thread(static_version)
        hub.start()
        site.publisher.start()
        # What runs the application ends the streams first: no connection would ever close otherwise.
        yield {"site": site, "metrics": metrics, "room": room}
        hub.stop()
        site.publisher.stop()
        await asyncio.to_thread(hub.join)
        await asyncio.to_thread(site.close)

    described: list[bytes] = []
    describing = asyncio.Lock()

    async def description(request: Request) -> Response:
        # It takes a while, and never changes: it is made once, however many ask for it at the same time.
        async with describing:
            if not described:
                described.append(await asyncio.to_thread(lambda: ENCODER.encode(openapi(ROUTES))))
        return Response(described[0], media_type=JSON)

    async def not_found(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        if status not in TITLES:
            status = 400
        words = {404: f"there is nothing at {request.scope['path']!r}", 405: "this address does not take that method"}
        allowed = getattr(error, "headers", None) or {}
        kind = {404: "not-found", 405: "method"}.get(status, "http")
        problem = Problem(status, kind, words.get(status, "it cannot be read"))
        problem.headers.update(allowed)
        return problem.response()

    async def failed(request: Request, error: Exception) -> Response:
        return problem_of(error).response()

    app = Starlette(
        routes=[
            *addresses(site, all_handlers()),
            *health_routes(site, metrics),
            *page_routes(site),
            Address(DESCRIPTION, description),
        ],
        exception_handlers={HTTPException: not_found, Exception: failed},
        lifespan=lifespan,
    )
    app.state.site = site
    app.router.redirect_slashes = False
    # On its own machine it answers to that machine's own names alone.
    own = {"localhost", "127.0.0.1", "[::1]", settings.host.lower()}
    hosts = frozenset(own) if settings.on_loopback and not settings.trusted_proxies else frozenset[str]()
    return Guard(
        app,
        body_seconds=settings.body_seconds,
        secure=settings.secure,
        watcher=answered,
        at_once=settings.connections_from_one_address,
        room=room,
        is_demonstration=lambda: site.demonstration,
        hosts=hosts,
    )
