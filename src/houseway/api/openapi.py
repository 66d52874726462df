"""The API's description in OpenAPI 3.1, made from the list of routes and the structs they read and write.

Two things differ from msgspec's own schemas, so that generated clients are right. A field with a default is always
there in an answer, and may be left out of a request: `required` says which, and no `default` stands in a schema, since
some generators take it for "always sent". And what msgspec does not write is not described: a field that begins with
an underscore.
"""

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

from houseway.api.orders import KEY_FORM
from houseway.api.problem import MEDIA_TYPE, TITLES, ProblemDetails
from houseway.api.route import EVENTS, JSON, PREFIX, Route
from houseway.api.tags import TAGS

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
_WRONG: Final = (400, 401, 403, 404, 405, 406, 408, 409, 413, 414, 415, 422, 429, 431, 500, 501, 503)
_WAITS: Final = frozenset({429, 503})
_LAST_NUMBER: Final = 10**18 - 1
_SIGNED_IN: Final[list[dict[str, list[str]]]] = [{"card": []}, {"token": []}]

Schema = dict[str, Any]


def openapi(routes: Iterable[Route[Any]]) -> Schema:
    """The whole description."""
    routes = tuple(routes)
    answers, components = _schemas([ProblemDetails, *(route.answer for route in routes)], answers=True)
    bodies, body_components = _schemas([route.body for route in routes], answers=False)
    both = components.keys() & body_components.keys()
    if any(components[name] != body_components[name] for name in both):
        raise ValueError(f"both sent and answered, which needs two names: {', '.join(sorted(both))}")
    components |= body_components
    paths: dict[str, Schema] = {}
    for route in routes:
        operation = _operation(route, answers.get(repr(route.answer)), bodies.get(repr(route.body)))
        paths.setdefault(f"{PREFIX}{route.path}", {})[route.method.lower()] = operation
    tags = dict.fromkeys(route.tag for route in routes)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Houseway",
            "version": version("houseway"),
            "description": ABOUT,
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server that this description came from."}],
        "tags": [{"name": tag, "description": says} for tag, says in TAGS.items() if tag in tags],
        "paths": {path: paths[path] for path in sorted(paths)},
        "components": {
            "schemas": {name: components[name] for name in sorted(components)},
            "responses": {f"Problem{status}": _problem(status, answers[repr(ProblemDetails)]) for status in _WRONG},
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


def _operation(route: Route[Any], answer: Schema | None, body: Schema | None) -> Schema:
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
    operation: Schema = {
        "operationId": route.name,
        "tags": [route.tag],
        "summary": route.says,
        "parameters": parameters,
        "responses": _responses(route, answer),
        "security": _SIGNED_IN if route.is_closed else [],
    }
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": body}}}
    return operation


def _part(name: str) -> Schema:
    """What may stand in a place of an address."""
    if name in _NUMBERS:
        return {"type": "integer", "minimum": 1, "maximum": _LAST_NUMBER}
    if name in _WORDS:
        return {"type": "string", "enum": list(_WORDS[name])}
    return {"type": "string", "minLength": 1}


def _responses(route: Route[Any], answer: Schema | None) -> Schema:
    success: Schema = {"description": "It is done." if route.method != "GET" else "It is this."}
    if route.status != 204:
        success["content"] = {media: _content(media, answer) for media in route.media}
    if route.order:
        again = {"description": "With an order that had been carried out already.", "schema": {"const": "true"}}
        success["headers"] = {"Idempotent-Replayed": again}
    wrong = {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in _WRONG}
    return {str(route.status): success} | wrong


def _content(media: str, answer: Schema | None) -> Schema:
    match media:
        case _ if media == JSON and answer is not None:
            return {"schema": answer}
        case _ if media == EVENTS:
            return {}  # a stream is not read as one text
        case _ if media.startswith("text/"):
            return {"schema": {"type": "string"}}
    return {"schema": {"type": "string", "format": "binary"}}


def _problem(status: int, schema: Schema) -> Schema:
    problem: Schema = {"description": TITLES[status], "content": {MEDIA_TYPE: {"schema": schema}}}
    if status in _WAITS:
        problem["headers"] = {
            "Retry-After": {"description": "When to try again, in seconds.", "schema": {"type": "string"}}
        }
    return problem


def _header(name: str, says: str, *, required: bool = False) -> Schema:
    return {"name": name, "in": "header", "required": required, "description": says, "schema": {"type": "string"}}


def _query(struct: Any) -> list[Schema]:
    schemas, components = _schemas([struct], answers=False)
    (schema,) = schemas.values()
    described = components[schema["$ref"].rpartition("/")[2]]
    required = described.get("required", [])
    parameters = []
    for name, field in described["properties"].items():
        parameter = {"name": name, "in": "query", "required": name in required, "schema": field}
        if "description" in field:
            parameter["description"] = field.pop("description")
        parameters.append(parameter)
    return parameters


# ------------------------------------------------------------------------------------------------------------- schemas


def _schemas(types: Iterable[Any], *, answers: bool) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """The schemas of types by their `repr`, and the components they refer to."""
    distinct = list({repr(kind): kind for kind in types if kind is not None}.values())
    schemas, components = msgspec.json.schema_components(distinct, ref_template=_REF)
    for kind in _records(distinct):
        if kind.__name__ in components:
            _describe(components[kind.__name__], kind, answers=answers)
    for schema in components.values():
        _open_tuples(schema)
    return {repr(kind): schema for kind, schema in zip(distinct, schemas, strict=True)}, components


def _describe(schema: Schema, kind: type[Any], *, answers: bool) -> None:
    """Say which fields of a record are always there, and give each the words that stand below it in the code."""
    fields = {name: field for name, field in schema.get("properties", {}).items() if not name.startswith("_")}
    if not fields:
        return
    config = getattr(kind, "__struct_config__", None)
    always = answers and not (config is not None and config.omit_defaults)
    details = msgspec.structs.fields(kind) if config is not None else ()
    unset = {field.encode_name for field in details if field.default is msgspec.UNSET}
    required = [name for name in (fields if always else schema.get("required", [])) if name in fields.keys() - unset]
    names = {field.name: field.encode_name for field in details}
    words = {names.get(name, name): text for name, text in _words_of(kind).items()}
    for name, field in fields.items():
        default = field.pop("default", None)
        text = words.get(name, field.get("description", ""))
        if not answers and default not in (None, "", False, [], {}):
            text = f"{text} Without it: {msgspec.json.encode(default).decode()}.".lstrip()
        if text:
            field["description"] = text
    schema["properties"] = fields
    schema["required"] = required


def _open_tuples(schema: Any) -> None:
    """A tuple's length is said by `maxItems`; `items: false`, which says it again, stops some generators."""
    match schema:
        case {"prefixItems": _, "items": False}:
            del schema["items"]
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _open_tuples(part)


def _records(types: Iterable[Any]) -> Iterator[type[Any]]:
    """Every struct and dataclass that is in these types, however deep."""
    known: dict[type[Any], None] = {}
    waiting: list[Any] = list(msgspec.inspect.multi_type_info(types))
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.DataclassType):
            if info.cls in known:
                continue
            known[info.cls] = None
        waiting += _inside(info)
    return iter(known)


def _inside(info: Any) -> Iterator[Any]:
    for name in getattr(info, "__struct_fields__", ()):
        value = getattr(info, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, msgspec.inspect.Type):
                yield part
            elif isinstance(part, msgspec.inspect.Field):
                yield part.type


def _words_of(kind: type[Any]) -> dict[str, str]:
    """The words below each field of a record, its bases' included."""
    words: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        words |= _words_in(base.__module__).get(base.__qualname__, {})
    return words


@cache
def _words_in(module: str) -> dict[str, dict[str, str]]:
    """The same for every class of one of our modules."""
    if not module.startswith("houseway."):
        return {}
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: dict(_words_below(node.body)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _words_below(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for line, below in pairwise(body):
        match line, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                yield name, " ".join(words.replace("``", "`").split())
