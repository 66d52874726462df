"""The pages: a shell for each, with its words in it. What moves, moves in the browser, by the API."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import jinja2
import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from houseway.games import all_games
from houseway.manager.permissions import MAY_READ
from houseway.web.checker import checker_parts
from houseway.web.demonstration import PIN
from houseway.web.problem import Problem
from houseway.web.site import Site
from houseway.web.text import own_text, page_text
from houseway.web.who import Principal

HTML: Final = "text/html; charset=utf-8"
CACHE: Final = {"cache-control": "no-cache"}
LANGUAGE: Final = "en"


class Page(NamedTuple):
    """One page: its address, who may open it, and where its words and its script are."""

    path: str
    name: str
    """Of its script in ``static/js/pages`` and of its words in ``text/en``."""
    may: str
    """What one must be allowed to read; empty for everybody."""


PAGES: Final = (
    Page("/", "floor", "floor"),
    Page("/sign-in", "sign-in", ""),
    Page("/table/{table}", "table", "table"),
    Page("/seat", "seat", ""),
    Page("/seat/{table}", "seat", ""),
    Page("/supervisor", "supervisor", "claims"),
    Page("/surveillance", "surveillance", "observations"),
    Page("/manager", "manager", "manager"),
    Page("/manager/wins", "wins", "wins"),
    Page("/manager/wins/{win}", "win", "wins"),
    Page("/manager/adjustments", "adjustments", "adjustments"),
    Page("/manager/reports", "reports", "reports"),
    Page("/manager/configuration", "configuration", "manager"),
    Page("/manager/staff", "staff", "staff"),
    Page("/manager/approvals", "approvals", "approvals"),
    Page("/manager/journal", "journal", "journal"),
    Page("/display/{link}", "display", ""),
    Page("/verify/{table}", "verify", "table"),
    Page("/shuffler/{table}", "shuffler", "table"),
    Page("/sign/{table}", "signage", ""),
)

NAVIGATION: Final = (
    ("/", "floor", "floor"),
    ("/supervisor", "supervisor", "claims"),
    ("/surveillance", "surveillance", "observations"),
    ("/manager", "manager", "manager"),
    ("/manager/wins", "wins", "wins"),
    ("/manager/adjustments", "adjustments", "adjustments"),
    ("/manager/reports", "reports", "reports"),
    ("/manager/configuration", "configuration", "manager"),
    ("/manager/staff", "staff", "staff"),
    ("/manager/approvals", "approvals", "approvals"),
    ("/manager/journal", "journal", "journal"),
)
"""Where one can go, the name of the words for it, and what one must be allowed to read."""


def page_routes(site: Site) -> list[Route]:
    """The pages, and what they are made of."""
    return [
        *(Route(page.path, _shown(site, page)) for page in PAGES),
        Route("/check", _checker),
        Route("/static/{path:path}", _static),
    ]


def _shown(site: Site, page: Page) -> Callable[[Request], Any]:
    async def show(request: Request) -> Response:
        who = site.door.known(site.state, request)
        if page.may and who.reader not in MAY_READ[page.may]:
            if who.kind == "nobody":
                query = request.scope["query_string"].decode("latin-1")
                asked = request.scope["path"] + (f"?{query}" if query else "")
                return RedirectResponse(f"/sign-in?next={quote(asked)}", 303)
            return _page(site, page, who, request, 403)
        return _page(site, page, who, request)

    return show


def _page(site: Site, page: Page, who: Principal, request: Request, status: int = 200) -> Response:
    text = page_text(LANGUAGE, page.name)
    data = {
        "page": page.name,
        "path": dict(request.path_params),
        "who": {"kind": who.kind, "id": who.id, "name": who.name, "role": who.reader if who.kind != "nobody" else ""},
        "csrf": site.keys.csrf(who.secret) if who.secret else "",
        "site": site.state.policies.site,
        "currency": site.state.policies.currency,
        "demonstration": site.demonstration,
        "demo": _demo(site),
        "games": _game_titles(),
        "text": text,
    }
    body = (
        _templates()
        .get_template("page.html")
        .render(
            page=page.name,
            title=text.get("title", page.name),
            text=text,
            who=who,
            site=site.state.policies.site,
            demonstration=site.demonstration,
            refused=status == 403,
            version=static_version(),
            language=LANGUAGE,
            navigation=[(to, name) for to, name, may in NAVIGATION if who.reader in MAY_READ[may]],
            here=request.scope["path"],
            data=_embedded(data),
        )
    )
    return Response(body, status, headers=CACHE, media_type=HTML)


async def _checker(request: Request) -> Response:
    policy = f"{checker_parts().policy}; frame-ancestors 'none'"
    return Response(checker_page(), headers={**CACHE, "content-security-policy": policy}, media_type=HTML)


@cache
def checker_page() -> str:
    """TR-11: the stand-alone checker, a whole page in one file."""
    text = page_text(LANGUAGE, "check")
    made = checker_parts()
    template = _templates().get_template("check.html")
    data = _embedded({"text": own_text(LANGUAGE, "check")})
    return template.render(language=LANGUAGE, text=text, data=data, **made._asdict())


def _demo(site: Site) -> dict[str, Any] | None:
    """The cards that are no secret, for buttons that present them; None on a real floor."""
    people = [
        {"id": one.id, "name": one.name, "role": one.role, "card": one.card}
        for one in sorted(site.state.staff.values(), key=lambda one: one.card)
        if one.demonstration and one.active
    ]
    return {"pin": PIN, "people": people} if people else None


@cache
def _game_titles() -> dict[str, str]:
    """What a screen calls each game, by its key."""
    return {key: game.short_title or game.title for key, game in all_games().items()}


def _embedded(data: Any) -> str:
    """JSON that can stand inside a page: nothing in it ends the element it stands in."""
    return msgspec.json.encode(data).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028")


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("houseway.web", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        auto_reload=False,
    )


async def _static(request: Request) -> Response:
    path = request.path_params["path"]
    found = _file(path)
    if found is None:
        return Problem(404, "not-found", f"there is nothing at {request.scope['path']!r}").response()
    body, packed, kind = found
    # A page names the version of what it uses: under it nothing changes.
    lasting = {"cache-control": "public, max-age=31536000, immutable"} if request.query_params else CACHE
    if "gzip" in request.headers.get("accept-encoding", "").lower():
        return Response(
            packed, headers={**lasting, "content-encoding": "gzip", "vary": "accept-encoding"}, media_type=kind
        )
    return Response(body, headers={**lasting, "vary": "accept-encoding"}, media_type=kind)


def _file(path: str) -> tuple[bytes, bytes, str] | None:
    """What the browser may load, by its path; nothing else can be asked for."""
    return _files().get(path)


@cache
def _files() -> dict[str, tuple[bytes, bytes, str]]:
    """Everything the browser loads, plain and packed; the stylesheet is one, put together from its parts."""
    found: dict[str, tuple[bytes, bytes, str]] = {}
    sheet: list[bytes] = []
    for path, place in _walk(_folder("static")):
        if path.startswith("css/"):
            sheet.append(place.read_bytes())
            continue
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        found[path] = _packed(place.read_bytes(), f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
    return {**found, "house.css": _packed(b"".join(sheet), "text/css; charset=utf-8")}


def _packed(body: bytes, kind: str) -> tuple[bytes, bytes, str]:
    return body, gzip.compress(body, mtime=0), kind


@cache
def static_version() -> str:
    """A name for everything the browser loads, as it is now."""
    digest = hashlib.sha256()
    for path, (body, _, _) in _files().items():
        digest.update(path.encode() + body)
    return digest.hexdigest()[:12]


def _walk(folder: Traversable, before: str = "") -> list[tuple[str, Traversable]]:
    """The files of a folder by their paths, in the order of their names."""
    found: list[tuple[str, Traversable]] = []
    for one in sorted(folder.iterdir(), key=lambda place: place.name):
        path = f"{before}{one.name}"
        found += _walk(one, f"{path}/") if one.is_dir() else [(path, one)]
    return found


def _folder(*names: str) -> Traversable:
    place: Traversable = files("houseway.web")
    for name in names:
        place = place.joinpath(name)
    return place
