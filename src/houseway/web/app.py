"""The application: every route, the live hub, and what stands before them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Scope

from houseway.manager.floor import Floor
from houseway.manager.server_settings import ServerSettings
from houseway.web.guard import Guard
from houseway.web.health import health_routes
from houseway.web.hub import Hub
from houseway.web.limiter import Room
from houseway.web.logs import RequestLog, route_path
from houseway.web.metrics import Metrics
from houseway.web.openapi import openapi
from houseway.web.orders import order_routes
from houseway.web.pages import page_routes, static_version
from houseway.web.problem import TITLES, Problem, problem_of
from houseway.web.reads import read_routes
from houseway.web.routes import ENCODER, JSON, PREFIX, Route, install
from houseway.web.seat import seat_routes
from houseway.web.secrets import Keys
from houseway.web.session import session_routes
from houseway.web.site import Site
from houseway.web.stream import stream_route


def all_routes() -> list[Route]:
    """Everything the API answers; the orders first, since they come most often."""
    return [*order_routes(), *session_routes(), stream_route(), *seat_routes(), *read_routes()]


def make_app(floor: Floor, settings: ServerSettings) -> ASGIApp:
    """An application that serves a floor. The floor is the caller's, who closes it after the server stopped."""
    hub = Hub(floor, settings.most_streams, settings.streams_from_one_address, settings.streams_per_person)
    site = Site(floor, Keys(lambda: floor.keys.secret("web")), settings, hub)
    room = Room(settings.most_waiting)
    routes = all_routes()
    orders = frozenset(f"{PREFIX}{route.path}" for route in routes if route.order)
    metrics, log = Metrics(site, orders), RequestLog(site, orders)

    def answered(scope: Scope, status: int, seconds: float) -> None:
        path = route_path(scope)
        metrics.answered(scope, path, status, seconds)
        log.answered(scope, path, status, seconds)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
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

    app = FastAPI(
        title="Houseway", openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, lifespan=lifespan
    )
    app.state.site = site
    install(app, site, routes)
    health_routes(app, site, metrics)
    page_routes(app, site)
    described: list[bytes] = []
    describing = asyncio.Lock()

    async def description(request: Request) -> Response:
        # It takes a while, and never changes: it is made once, however many ask for it at the same time.
        async with describing:
            if not described:
                described.append(await asyncio.to_thread(lambda: ENCODER.encode(openapi(routes))))
        return Response(described[0], media_type=JSON)

    app.add_route("/openapi.json", description, methods=["GET"], include_in_schema=False)

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

    app.add_exception_handler(HTTPException, not_found)
    app.add_exception_handler(Exception, failed)
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
