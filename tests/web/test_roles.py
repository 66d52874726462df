"""Who may: every route with every role, a player, every kind of device and nobody, held against the one table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import httpx
import msgspec
import pytest
from msgspec import Struct
from starlette.routing import BaseRoute
from tests.web.web_kit import API, InHand, Person, ServerHere, serving_here

from houseway.api.orders import ORDERS
from houseway.api.route import PREFIX, Route
from houseway.api.routes import ROUTES
from houseway.manager.commands import DeviceRight, Role
from houseway.manager.entry import entry_of
from houseway.manager.permissions import DEVICES_MAY, MAY_READ, PERMISSIONS, PLAYERS_MAY, Right
from houseway.web.demonstration import FIRST, STAFF
from houseway.web.pages import PAGES

PLAYER: Final = "Ann"
FOR_EVERYBODY: Final = {
    ("GET", ""),
    ("GET", "/session"),
    ("POST", "/session"),
    ("DELETE", "/session"),
    ("POST", "/session/player"),
    ("POST", "/session/guest"),
    ("POST", "/session/pin"),
    ("POST", "/presence"),
}
"""What has no right of its own: the index, signing in, and out, and presenting a card."""
OPEN_ADDRESSES: Final = {"/healthz", "/readyz", "/openapi.json", "/check"}
"""What answers beside the API, without signing in."""
GUARDED_ADDRESSES: Final = {"/metrics"}
"""What is beside the API and looks for itself who asks."""
PLACES: Final = {
    "table": "CS-1",
    "link": "stud",
    "meter": "main",
    "game": "caribbean-stud",
    "what": "table",
    "id": "CS-1",
    "staff": "new-one",
    "name": "New One",
    "player": "Ben",
    "day": "2026-01-01",
    "week": "2026-01-05",
    "from": "2026-01-01",
    "to": "2026-01-01",
    "subject": "link/stud",
    "by": "day",
    "type": "close_round",
}
"""What is put where a route asks for something of that name."""


class Asker(NamedTuple):
    """Somebody who asks, and as what the tables of rights know him."""

    reader: str
    kind: Literal["nobody", "staff", "player", "device"]
    person: Person


# --------------------------------------------------------------------------------------- what the tables of rights say


def may(asker: Asker, route: Route) -> bool:
    """Whether the tables of rights let him."""
    if (route.method, route.path) in FOR_EVERYBODY:
        return True
    if not route.order:
        readers = MAY_READ[route.may]
        return "anyone" in readers or asker.reader in readers
    match asker.kind:
        case "staff":
            return asker.reader in PERMISSIONS[route.may].roles
        case "player":
            return route.may in PLAYERS_MAY
        case "device":
            return route.may in DEVICES_MAY[asker.reader]  # type: ignore[index]
    return False


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_route_has_a_right(route: Route) -> None:
    if (route.method, route.path) in FOR_EVERYBODY:
        assert not route.may
        assert not route.order
    elif route.order:
        assert route.may in PERMISSIONS
    else:
        assert route.may in MAY_READ, f"{route.path} is open to everybody"


def test_every_right_has_a_route_and_no_route_comes_twice() -> None:
    # A floor is recovered on the machine itself alone.
    assert {route.may for route in ORDERS.values()} == set(PERMISSIONS) - {"recover"}
    routes = ROUTES
    assert len({(route.method, route.path) for route in routes}) == len(routes)
    assert len({route.name for route in routes}) == len(routes)


def test_nothing_is_served_beside_the_list_of_routes(server: ServerHere) -> None:
    """Added to the application past the list, a route would ask nobody who he is."""
    served = {(method, one.path) for one in _served(server) for method in one.methods - {"HEAD", "OPTIONS"}}
    listed = {(route.method, f"{PREFIX}{route.path}") for route in ROUTES}
    pages = {page.path for page in PAGES} | {"/static/{path:path}"}
    assert served - listed == {("GET", path) for path in OPEN_ADDRESSES | GUARDED_ADDRESSES | pages}
    assert listed <= served


def _served(server: ServerHere) -> list[Any]:
    app = server.app
    while not hasattr(app, "routes"):
        app = app._app
    every: list[BaseRoute] = app.routes
    assert all(hasattr(one, "methods") for one in every)
    return every


# ---------------------------------------------------------------------------------------------------------- the asking


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHere]:
    with serving_here(tmp_path_factory.mktemp("roles")) as running:
        yield running


@pytest.fixture(scope="module")
def askers(server: ServerHere) -> list[Asker]:
    """One of each: nobody, every role, a player, every kind of device."""
    cards = {one.role: one.card for one in (FIRST, *STAFF)}
    assert set(cards) == set(get_args(Role))
    staff = {role: server.sign_in(card) for role, card in cards.items()}
    made = [Asker("nobody", "nobody", server.somebody())]
    made += [Asker(role, "staff", person) for role, person in staff.items()]
    made.append(Asker("player", "player", server.player(PLAYER, staff["dealer"])))
    subjects = {"display": "stud", "sensor": "CS-1", "casino": ""}
    for right in get_args(DeviceRight):
        told = staff["manager"].order("devices/issue-device", device=f"a-{right}", right=right, subject=subjects[right])
        device = server.somebody()
        device.http.headers["Authorization"] = f"Bearer {told['token']}"
        made.append(Asker(right, "device", device))
    return made


def sample(kind: Any, name: str, places: dict[str, str]) -> Any:
    """A value that a field of this type takes, so that a request is refused for nothing but who sends it."""
    if kind is str:
        return places.get(name, "something")
    if kind is bool:
        return False
    if kind is int:
        return 1
    if kind is float:
        return 1.0
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return sample(parts[0], name, places)
    if origin is Literal:
        return "malfunction" if "malfunction" in parts else parts[0]
    if origin in (Union, UnionType):
        return sample(parts[0], name, places)
    if origin in (tuple, list, frozenset):
        return [sample(parts[0], name, places)]
    if isinstance(kind, type) and issubclass(kind, Struct):
        return sample_body(kind, places)
    raise AssertionError(f"no sample for {name} of {kind}")


def sample_body(struct: type[Struct], places: dict[str, str]) -> dict[str, Any]:
    required = [one for one in msgspec.structs.fields(struct) if one.required]
    return {one.encode_name: sample(one.type, one.name, places) for one in required}


KEYS = count(1)


def ask(asker: Asker, route: Route, **headers: str) -> tuple[int, str]:
    """How a route answers him: the status and the kind of problem. Nothing but who he is is wrong with the request."""
    places = PLACES | ({"table": "V-TCP", "player": PLAYER} if asker.kind == "player" else {})
    path = re.sub(r"{(\w+)}", lambda part: places.get(part[1], "1"), route.path)
    query = sample_body(route.query, places) if route.query is not None else {}
    if route.name == "stream":
        query = {"subject": "link/stud"}
    if route.order:
        headers.setdefault("Idempotency-Key", f"roles-{next(KEYS)}")
    body = sample_body(route.body, places) if route.body is not None else None
    headers = {
        name: one.shown(path.lstrip("/"), name) if isinstance(one, InHand) else one for name, one in headers.items()
    }
    http = asker.person.http
    held = httpx.Cookies(http.cookies)  # who signs in as a guest stays who he was
    with http.stream(route.method, f"{API}{path}", params=query, json=body, headers=headers) as response:
        http.cookies = held
        if response.status_code == 200:
            return 200, ""
        response.read()
        kind = str(response.json()["type"]) if response.content else ""
        return response.status_code, kind.rpartition(":")[2]


def test_who_may_not_is_told_so_and_nothing_happens(server: ServerHere, askers: list[Asker]) -> None:
    """401 for nobody and 403 for who may not, at every route; the journal gets refusals and nothing else."""
    before, wrong, asked = server.floor.state.seq, [], 0
    for asker in askers:
        for route in ROUTES:
            if may(asker, route):
                continue
            asked += 1
            expected = (401, "sign-in") if asker.kind == "nobody" else (403, "not-allowed")
            if (got := ask(asker, route)) != expected:
                wrong.append(f"{asker.reader} {route.method} {route.path}: {got}, not {expected}")
    assert not wrong, "\n".join(wrong)
    assert asked > 300
    kinds = {
        str(event.__struct_config__.tag)
        for row in server.floor.store.entries(before)
        for event in entry_of(row.body).events
    }
    assert kinds == {"authority_refused"}


def test_who_may_is_never_turned_away(server: ServerHere, askers: list[Asker]) -> None:
    """He may be refused for the state of the table or for what he asks, never for who he is."""
    wrong = []
    for asker in askers:
        for route in ROUTES:
            if not may(asker, route) or (route.method, route.path) == ("DELETE", "/session"):
                continue
            headers = {}
            if asker.kind == "player":
                asker.person.send("tables/V-TCP/sit-down", spot=1, player=PLAYER)
                asker.person.send("tables/V-TCP/bet", spot=1, wager="ante", cents=1000)
            if route.order and PERMISSIONS[route.may].takes_second(None):
                key = f"seconded-{next(KEYS)}"
                headers = {
                    "Idempotency-Key": key,
                    "Second-Card": asker.person.present("5001" if asker.reader == "executive" else "4001", key),
                }
            # Signing in is for everybody; that these cards and codes are none is another matter.
            status, kind = ask(asker, route, **headers)
            signing = (route.method, route.path) in FOR_EVERYBODY and kind in ("sign-in", "")
            if status >= 500 or (status in (401, 403) and not signing):
                wrong.append(f"{asker.reader} {route.method} {route.path}: {status} {kind}")
            if status in (415, 422) or (status == 400 and kind != "refused"):
                wrong.append(f"{asker.reader} {route.method} {route.path}: the sample is no request: {status} {kind}")
    assert not wrong, "\n".join(wrong)


def takes_two(right: Right) -> bool:
    return bool(right.seconds) and not right.second_when


@pytest.mark.parametrize("name", sorted({route.may for route in ORDERS.values() if takes_two(PERMISSIONS[route.may])}))
def test_what_takes_two_is_refused_to_one(askers: list[Asker], name: str) -> None:
    route = next(one for one in ORDERS.values() if one.may == name)
    for asker in askers:
        if asker.reader in PERMISSIONS[name].roles:
            assert ask(asker, route) == (403, "not-allowed")


def test_signing_out_is_for_everybody(askers: list[Asker], server: ServerHere) -> None:
    for person in (askers[0].person, server.sign_in("2002")):
        assert person.http.delete(f"{API}/session").status_code == 204


def test_pages_are_for_those_who_may_read_what_they_show(askers: list[Asker]) -> None:
    """Nobody is sent to sign in; who may not is told so."""
    for page in PAGES:
        path = re.sub(r"{(\w+)}", lambda part: PLACES.get(part[1], "1"), page.path)
        for asker in askers:
            response = asker.person.http.get(path)
            if not page.may or asker.reader in MAY_READ[page.may]:
                assert response.status_code == 200, (asker.reader, path)
            elif asker.kind == "nobody":
                assert response.status_code == 303, path
                assert response.headers["location"].startswith("/sign-in?next=/")
            else:
                assert response.status_code == 403, (asker.reader, path)


@pytest.mark.parametrize("path", sorted(OPEN_ADDRESSES))
def test_what_answers_without_signing_in(server: ServerHere, path: str) -> None:
    assert server.somebody().http.get(path).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/docs",
        "/redoc",
        f"{API}/openapi.json",
        f"{API}/",
        "/metrics/",
        f"{API}/floor/",
        f"{API}//floor",
        "/static/../app.py",
        "/static/..%2Fapp.py",
    ],
)
def test_nothing_else_answers(server: ServerHere, path: str) -> None:
    assert server.somebody().http.get(f"{server.url}{path}").status_code in (401, 403, 404)


@pytest.mark.parametrize("method", ["HEAD", "PUT", "PATCH", "DELETE", "TRACE"])
def test_no_other_method_gets_around_the_question_who_asks(server: ServerHere, method: str) -> None:
    nobody = server.somebody().http
    for path in ("/floor", "/tables/CS-1/light", "/staff/enroll"):
        response = nobody.request(method, f"{API}{path}")
        assert response.status_code in (401, 405), (path, response.status_code)
        if response.status_code == 405:
            assert response.headers["allow"]


def test_the_index_lists_every_address(server: ServerHere) -> None:
    nobody = server.somebody().http
    index = nobody.get(API).json()
    listed = {(line["method"], line["path"]) for line in index["addresses"]}
    assert listed == {(route.method, f"{PREFIX}{route.path}") for route in ROUTES}
    assert nobody.get(index["description"]).json()["info"]["title"] == index["name"] == "Houseway"


def test_options_tells_the_methods_of_an_address_and_nothing_else(server: ServerHere) -> None:
    nobody = server.somebody().http
    for path, methods in (
        ("/floor", {"GET", "HEAD"}),
        ("/session", {"GET", "HEAD", "POST", "DELETE"}),
        ("/tables/CS-1/light", {"POST"}),
    ):
        response = nobody.options(f"{API}{path}")
        assert (response.status_code, response.content) == (204, b""), path
        assert set(response.headers["allow"].split(", ")) == {*methods, "OPTIONS"}, path
        assert not any(name.startswith("access-control") for name in response.headers)
        wrong = nobody.put(f"{API}{path}")
        assert wrong.status_code == 405
        assert set(wrong.headers["allow"].split(", ")) == {*methods, "OPTIONS"}, path


@pytest.mark.parametrize("path", ["/games", "/floor", "/stream?subject=floor", "/wins/1"])
def test_head_answers_as_get_does_without_the_body(server: ServerHere, path: str) -> None:
    manager = server.sign_in(FIRST.card).http
    head = manager.head(f"{API}{path}")
    with manager.stream("GET", f"{API}{path}") as answer:
        assert (head.status_code, head.content) == (answer.status_code, b"")
        assert head.headers["content-type"] == answer.headers["content-type"]
