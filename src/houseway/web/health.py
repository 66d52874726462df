"""Whether the server is there, and ready: for load balancers and people, without signing in."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from houseway.web.metrics import Metrics
from houseway.web.problem import problem_of, retry_after
from houseway.web.site import Site


def health_routes(site: Site, metrics: Metrics) -> list[Route]:
    """``/healthz``: the process answers. ``/readyz``: it can record. ``/metrics``: for Prometheus."""

    async def healthz(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readyz(request: Request) -> Response:
        why = site.hub.recording.why_not
        body: dict[str, Any] = {"status": why or "ready", "entry": site.state.seq}
        if doubt := site.floor.clock.words:
            body["clock"] = doubt
        if site.publisher.alarms:
            body["alarm"] = "a witness has seen another journal than this one"
        return JSONResponse(body, 503, retry_after(1)) if why else JSONResponse(body)

    async def metrics_text(request: Request) -> Response:
        try:
            return await metrics.response(request)
        except Exception as error:
            return problem_of(error).response()

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics_text)]
