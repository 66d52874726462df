"""The API's description in OpenAPI 3.1, made from the list of routes and the structs they read and write."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from itertools import pairwise
from typing import Any, Final

import msgspec

from houseway.client.answers import Carried, ProblemDetails
from houseway.web.orders import KEY_FORM
from houseway.web.problem import MEDIA_TYPE, TITLES
from houseway.web.routes import JSON, PREFIX, Route

ABOUT: Final = (
    "A floor of table games with its progressive jackpots. Amounts are integers: fields named cents are cents, fields "
    "named micros are millionths of the currency's unit; the currency is named in each answer. Times are microseconds "
    "since 1970, UTC. Every order takes an Idempotency-Key: sent again with the same body it is carried out once and "
    "answers the same; with another body it is refused with 422. Lists come in pages: pass `next` as `after` until it "
    "is null. Whatever goes wrong is told as problem details (RFC 9457)."
)
_REF: Final = "#/components/schemas/{name}"
_PRESENCE: Final = "The token of somebody who presented card and PIN for this order (POST /presence)."
_NUMBERS: Final = frozenset({"round", "win", "entry"})
"""What in an address is a number."""
_WORDS: Final = {"by": ("day", "table", "link", "meter")}
"""What in an address is one of a few words."""
_OPEN: Final = frozenset({"rules", "figures"})
_WRONG: Final = (400, 401, 403, 404, 405, 406, 408, 409, 413, 414, 415, 422, 429, 431, 500, 503)
_WAITS: Final = frozenset({429, 503})
_LAST_NUMBER: Final = 10**18 - 1


def openapi(routes: list[Route]) -> dict[str, Any]:
    """The whole description."""
    types: list[Any] = [ProblemDetails, Carried]
    for route in routes:
        types += [one for one in (route.body, route.answer) if one is not None]
    distinct = list({repr(one): one for one in types}.values())
    schemas, components = msgspec.json.schema_components(distinct, ref_template=_REF)
    _describe(components, distinct)
    by_type = {repr(one): schema for one, schema in zip(distinct, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(f"{PREFIX}{route.path}", {})[route.method.lower()] = _operation(route, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Houseway", "version": version("houseway"), "description": ABOUT},
        "paths": {path: paths[path] for path in sorted(paths)},
        "components": {
            "schemas": {name: components[name] for name in sorted(components)},
            "responses": {f"Problem{status}": _problem(status, by_type[repr(ProblemDetails)]) for status in _WRONG},
            "securitySchemes": {
                "card": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "houseway",
                    "description": "Set by signing in (named __Host-houseway where browsers come by TLS); what changes "
                    "something also needs X-CSRF-Token.",
                },
                "token": {"type": "http", "scheme": "bearer", "description": "A device's token."},
            },
        },
    }


def _operation(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": _part(name)}
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    if route.query is not None:
        parameters += _query(route.query)
    if route.order:
        key = {"type": "string", "minLength": 1, "maxLength": 100, "pattern": f"^{KEY_FORM.pattern}$"}
        parameters.append(
            _header("Idempotency-Key", "Your own id for this order, new for each.", required=True) | {"schema": key}
        )
        parameters += [_header("By-Card", _PRESENCE), _header("Second-Card", _PRESENCE)]
    if route.method != "GET":
        parameters.append(_header("X-CSRF-Token", "With a cookie: the token that signing in gave."))
    operation: dict[str, Any] = {
        "operationId": route.name,
        "tags": [route.tag],
        "summary": route.says,
        "parameters": parameters,
        "responses": _responses(route, schemas),
    }
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": schemas[repr(route.body)]}}}
    if route.may and route.may not in _OPEN:
        operation["security"] = [{"card": []}, {"token": []}]
    return operation


def _part(name: str) -> dict[str, Any]:
    """What may stand in a place of an address."""
    if name in _NUMBERS:
        return {"type": "integer", "minimum": 1, "maximum": _LAST_NUMBER}
    if name in _WORDS:
        return {"type": "string", "enum": list(_WORDS[name])}
    return {"type": "string", "minLength": 1}


def _responses(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {"description": "It is done." if route.method != "GET" else "It is this."}
    if route.status != 204:
        answers["content"] = {
            media: {"schema": schemas[repr(route.answer)]} if media == JSON and route.answer is not None else {}
            for media in route.media
        }
    if route.order:
        again = {"description": "With an order that had been carried out already.", "schema": {"const": "true"}}
        answers["headers"] = {"Idempotent-Replayed": again}
    wrong = {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in _WRONG}
    return {str(route.status): answers} | wrong


def _problem(status: int, schema: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {"description": TITLES[status], "content": {MEDIA_TYPE: {"schema": schema}}}
    if status in _WAITS:
        made["headers"] = {
            "Retry-After": {"description": "When to try again, in seconds.", "schema": {"type": "string"}}
        }
    return made


def _header(name: str, says: str, *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": required, "description": says, "schema": {"type": "string"}}


def _query(struct: Any) -> list[dict[str, Any]]:
    (schema,), components = msgspec.json.schema_components([struct], ref_template=_REF)
    _describe(components, [struct])
    described = components[schema["$ref"].rpartition("/")[2]]
    required = described.get("required", [])
    made = []
    for name, one in described["properties"].items():
        parameter = {"name": name, "in": "query", "required": name in required, "schema": one}
        if "description" in one:
            parameter["description"] = one.pop("description")
        made.append(parameter)
    return made


# ------------------------------------------------------------------------------------------------------- what it says


def _describe(components: dict[str, Any], types: Iterable[Any]) -> None:
    """Give every field the words that stand below it in the code."""
    for kind in _structs(types):
        properties = components.get(kind.__name__, {}).get("properties", {})
        names = {one.name: one.encode_name for one in msgspec.structs.fields(kind)}
        for name, words in _said(kind).items():
            described = properties.get(names.get(name, name))
            if described is not None:
                described.setdefault("description", words)


def _structs(types: Iterable[Any]) -> Iterator[type[Any]]:
    """Every struct that is in these types, however deep."""
    seen: dict[type[Any], None] = {}
    waiting: list[Any] = list(msgspec.inspect.multi_type_info(types))
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in seen:
                continue
            seen[info.cls] = None
        waiting += _inside(info)
    return iter(seen)


def _inside(info: Any) -> Iterator[Any]:
    for name in getattr(info, "__struct_fields__", ()):
        value = getattr(info, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, msgspec.inspect.Type):
                yield one
            elif isinstance(one, msgspec.inspect.Field):
                yield one.type


def _said(kind: type[Any]) -> dict[str, str]:
    """The words below each field of a struct, its bases' included."""
    said: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        said |= _said_in(one.__module__).get(one.__qualname__, {})
    return said


@cache
def _said_in(module: str) -> dict[str, dict[str, str]]:
    """The same for every class of one of our modules."""
    if not module.startswith("houseway."):
        return {}
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {one.name: dict(_words_below(one.body)) for one in tree.body if isinstance(one, ast.ClassDef)}


def _words_below(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for line, below in pairwise(body):
        match line, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                yield name, " ".join(words.replace("``", "`").split())
