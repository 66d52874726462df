"""How a request of the API is read, checked and answered: Starlette routes it, msgspec reads and writes the bodies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Address

from houseway.api.route import JSON, PREFIX, Route
from houseway.api.routes import ROUTES
from houseway.web.guard import MOST_BYTES
from houseway.web.limiter import network_of
from houseway.web.problem import Problem, problem_of
from houseway.web.site import Site
from houseway.web.who import SEEN_EVERY, Principal, check_may_read

ENCODER: Final = msgspec.json.Encoder()


class Ask(NamedTuple):
    """One request, read and checked."""

    site: Site
    request: Request
    who: Principal
    path: dict[str, str]
    query: Any
    """The query as the route's struct; None where it takes none."""
    body: Any
    """The body as the route's struct; None where it takes none."""


Handler = Callable[[Ask], Any]
"""Answers with a struct, or a whole Response; awaited where it is a coroutine."""
Endpoint = Callable[[Request], Awaitable[Response]]


class Served(NamedTuple):
    """A route and what answers it."""

    route: Route[Any]
    handler: Handler
    slow: bool
    """Whether it reads the database or does long sums, and so runs in a thread of its own."""


class Handlers:
    """What answers some routes, filled by a decorator."""

    def __init__(self) -> None:
        self.all: list[Served] = []

    def answers(self, route: Route[Any], *, slow: bool = False) -> Callable[[Handler], Handler]:
        """Have a function answer a route."""

        def keep(handler: Handler) -> Handler:
            self.all.append(Served(route, handler, slow))
            return handler

        return keep


def addresses(site: Site, handlers: Iterable[Served]) -> list[Address]:
    """Every address that the API declares, in its order, each with all its methods."""
    by_name = {served.route.name: served for served in handlers}
    by_path: dict[str, dict[str, Endpoint]] = {}
    for route in ROUTES:
        by_path.setdefault(f"{PREFIX}{route.path}", {})[route.method] = _endpoint(site, by_name[route.name])
    return [_address(path, endpoints) for path, endpoints in by_path.items()]


def _address(path: str, endpoints: dict[str, Endpoint]) -> Address:
    """One address: it answers HEAD as it answers GET, and OPTIONS with its methods."""
    methods = sorted({*endpoints, *(["HEAD"] if "GET" in endpoints else []), "OPTIONS"})

    async def endpoint(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"allow": ", ".join(methods)})
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return Address(path, endpoint, methods=methods)


def _endpoint(site: Site, served: Served) -> Endpoint:
    route, handler, slow = served
    decoder = msgspec.json.Decoder(route.body) if route.body is not None else None
    awaited = asyncio.iscoroutinefunction(handler)

    async def endpoint(request: Request) -> Response:
        try:
            # What answers without signing in does so also to a browser whose sign-in is over.
            who = await _who(site, request, open_to_all=not (route.may and route.is_closed))
            request.scope["houseway.who"] = who.id
            if route.order:
                if who.kind == "nobody":
                    raise Problem(401, "sign-in", "sign in with card and PIN, or send a device's token")
                site.order_rates.count(address_of(request), who.id, player=who.kind == "player")
            elif route.may:
                check_may_read(who, route.may)
            site.door.check_origin(request, who)
            query = _query(request, route.query)
            body = await _body(site, request, decoder) if decoder is not None else None
            ask = Ask(site, request, who, request.path_params, query, body)
            if awaited:
                answer = await handler(ask)
            elif slow:
                answer = await site.read(network_of(address_of(request)), handler, ask)
            else:
                answer = handler(ask)
        except Exception as error:
            return problem_of(error).response()
        response = answer if isinstance(answer, Response) else json_response(answer, route.status)
        return _seen(site, who, response)

    return endpoint


async def _who(site: Site, request: Request, *, open_to_all: bool) -> Principal:
    """Who asks. A sign-in that this process has not heard of may have been made at another one: look, once."""
    try:
        return site.door.who(site.state, request)
    except Problem:
        if site.door.is_unheard(site.state, request):
            await site.refresh()
        return site.door.known(site.state, request) if open_to_all else site.door.who(site.state, request)


def json_response(answer: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(ENCODER.encode(answer), status, media_type=JSON)


def _seen(site: Site, who: Principal, response: Response) -> Response:
    """Note in a browser's cookie that it was used, now and then."""
    now = site.seconds()
    if who.secret and now - who.seen >= SEEN_EVERY and "set-cookie" not in response.headers:
        set_cookie(site, response, who.secret, now)
    return response


def set_cookie(site: Site, response: Response, secret: str, now: int) -> None:
    """Give a browser its secret."""
    response.set_cookie(
        site.door.cookie_name,
        site.keys.cookie(secret, now),
        httponly=True,
        samesite="strict",
        secure=site.door.secure,
        path="/",
    )


def address_of(request: Request) -> str:
    """Where a request comes from; behind a trusted proxy, what that says."""
    return request.client.host if request.client else ""


async def _body(site: Site, request: Request, decoder: msgspec.json.Decoder[Any]) -> Any:
    """A request's body as its struct; a large one is read where the event loop does not wait for it."""
    text = await _json(request)
    if len(text) <= MOST_BYTES:
        return decoded(text, decoder)
    return await site.read(network_of(address_of(request)), decoded, text, decoder)


async def _json(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise Problem(415, "not-json", f"must be {JSON}", "Content-Type")
    return await request.body()


def decoded(text: bytes, decoder: msgspec.json.Decoder[Any]) -> Any:
    """A body as its struct; refused with what is wrong and where."""
    if b"\\u0000" in text:
        raise Problem(422, "invalid", "must not hold a NUL character", "body")
    try:
        return decoder.decode(text or b"{}")
    except msgspec.ValidationError as wrong:
        field, sentence = _where(str(wrong))
        raise Problem(422, "invalid", sentence, field) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise Problem(400, "unreadable", f"the body is not JSON that can be read: {wrong}", "body") from None


def _where(sentence: str) -> tuple[str, str]:
    """msgspec says ``… - at `$.field` ``: the field apart, for the problem's own place for it."""
    reason, _, place = sentence.partition(" - at `$")
    field = place.rstrip("`").lstrip(".") or "body"
    return field, f"{reason[:1].lower()}{reason[1:]}"


def _query(request: Request, struct: type[Struct] | None) -> Any:
    pairs = request.query_params.multi_items()
    if struct is None:
        if pairs:
            raise Problem(422, "invalid", f"takes no query, but {pairs[0][0][:40]!r} was given", "query")
        return None
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    values: dict[str, Any] = {}
    for name, text in pairs:
        if name not in fields:
            raise Problem(422, "invalid", f"unknown parameter {name[:40]!r}; allowed: {', '.join(fields)}", "query")
        if name in _listed(struct):
            values.setdefault(name, []).append(text)
        elif name in values:
            raise Problem(422, "invalid", "is given twice", name)
        else:
            values[name] = text
    try:
        return msgspec.convert(values, struct, strict=False)
    except msgspec.ValidationError as wrong:
        field, sentence = _where(str(wrong))
        raise Problem(422, "invalid", sentence, field) from None


@cache
def _listed(struct: type[Struct]) -> frozenset[str]:
    """The fields of a query that may be given several times."""
    info = msgspec.inspect.type_info(struct)
    assert isinstance(info, msgspec.inspect.StructType)
    return frozenset(
        field.name
        for field in info.fields
        if isinstance(field.type, msgspec.inspect.VarTupleType | msgspec.inspect.ListType)
    )
