"""The API's description: kept in the repository, made from the code, valid, and complete."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct
from tests.web.web_kit import serving

from houseway.api.openapi import openapi
from houseway.api.problem import TITLES
from houseway.api.route import PREFIX, Chapter
from houseway.api.routes import ROUTES
from houseway.manager.permissions import MAY_READ, PERMISSIONS

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "openapi.json"
PAGE = ROOT / "docs" / "api.md"


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return openapi(ROUTES)


def operations(description: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(method, path, one) for path, found in description["paths"].items() for method, one in found.items()]


def test_the_kept_description_is_the_codes_own(described: dict[str, Any]) -> None:
    kept = json.loads(KEPT.read_text("utf-8"))
    differing = [
        f"{part}: {name}"
        for part, ours, theirs in (
            ("path", described["paths"], kept["paths"]),
            ("schema", described["components"]["schemas"], kept["components"]["schemas"]),
        )
        for name in sorted({*ours, *theirs})
        if ours.get(name) != theirs.get(name)
    ]
    assert kept == json.loads(json.dumps(described)), f"run python tools/openapi.py; it differs in {differing}"


def test_the_tool_that_writes_it_says_whether_it_is_up_to_date(tmp_path: Path) -> None:
    tool = tmp_path / "tools" / "openapi.py"
    tool.parent.mkdir()
    tool.write_text((ROOT / "tools" / "openapi.py").read_text("utf-8"), "utf-8")
    page = tmp_path / "docs" / "openapi.json"
    page.parent.mkdir()

    def run(*options: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, tool, *options], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    assert run() == (0, "wrote openapi.json\n")
    assert page.read_bytes() == KEPT.read_bytes()
    page.write_text("{}", "utf-8")
    assert run("--check") == (1, "docs/openapi.json is out of date: run tools/openapi.py\n")


def test_every_reference_leads_somewhere(described: dict[str, Any]) -> None:
    text = json.dumps(described)
    for name in re.findall(r'"\$ref": "#/([^"]+)"', text):
        place: Any = described
        for part in name.split("/"):
            place = place[part]
    assert '"$ref"' in text


def test_every_schema_is_a_json_schema(described: dict[str, Any]) -> None:
    """OpenAPI 3.1 takes JSON Schema as it is."""
    for schema in described["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for _, _, one in operations(described):
        for parameter in one["parameters"]:
            Draft202012Validator.check_schema(parameter["schema"])


def test_it_is_openapi_as_its_readers_understand_it(described: dict[str, Any]) -> None:
    import schemathesis

    schema = schemathesis.openapi.from_dict(described)
    schema.validate()
    broken = json.loads(json.dumps(described))
    del broken["paths"]["/api/v1/games"]["get"]["responses"]
    broken["info"] = "Houseway"
    with pytest.raises(Exception, match=r"(?i)info"):
        schemathesis.openapi.from_dict(broken).validate()


def test_every_route_is_described_once(described: dict[str, Any]) -> None:
    routes = {(route.method.lower(), f"{PREFIX}{route.path}") for route in ROUTES}
    assert {(method, path) for method, path, _ in operations(described)} == routes
    assert len(routes) == len(ROUTES)
    names = [one["operationId"] for _, _, one in operations(described)]
    assert len(names) == len(set(names))


def test_every_operation_says_what_it_does_and_what_can_go_wrong(described: dict[str, Any]) -> None:
    for _, path, one in operations(described):
        assert one["summary"].endswith("."), path
        assert {"401", "403", "422", "503"} <= set(one["responses"]), path
        assert set(re.findall(r"{(\w+)}", path)) == {p["name"] for p in one["parameters"] if p["in"] == "path"}
    problems = described["components"]["responses"]
    assert {f"Problem{status}" for status in TITLES} == set(problems)


def test_who_must_sign_in_is_told(described: dict[str, Any]) -> None:
    for route in ROUTES:
        one = described["paths"][f"{PREFIX}{route.path}"][route.method.lower()]
        closed = bool(route.may) and "anyone" not in MAY_READ.get(route.may, ())
        assert bool(one["security"]) == (closed or route.name == "present"), route.path
        assert route.may in {"", *MAY_READ, *PERMISSIONS}


def test_what_is_always_told_is_required_and_what_may_be_left_out_is_not(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    assert set(schemas["Tried"]["required"]) == {"ok", "field", "sentence"}  # defaults, and always told
    assert "token" not in schemas["Carried"]["required"]  # told with a device alone
    assert schemas["LightBody"]["required"] == ["spot"]
    assert schemas["LightBody"]["properties"]["base_wager"] == {"type": "boolean", "description": "Without it: true."}
    for name, schema in schemas.items():
        fields = schema.get("properties", {})
        assert set(schema.get("required", ())) <= set(fields), name
        assert not any(field.startswith("_") for field in fields), name
        assert "default" not in {key for field in fields.values() for key in field}, name


def test_every_order_takes_its_key(described: dict[str, Any]) -> None:
    for route in ROUTES:
        one = described["paths"][f"{PREFIX}{route.path}"][route.method.lower()]
        required = {p["name"] for p in one["parameters"] if p["in"] == "header" and p["required"]}
        assert ("Idempotency-Key" in required) == route.order
    # Given on the machine itself, on a floor that is not served.
    assert {route.name for route in ROUTES if route.order} == set(PERMISSIONS) - {"recover"}


def test_answers_with_money_name_their_currency(described: dict[str, Any]) -> None:
    """Whoever reads an amount finds its currency in the same answer."""
    schemas = described["components"]["schemas"]

    def inside(schema: Any, seen: set[str]) -> set[str]:
        """The names of all fields in a schema, however deep."""
        if isinstance(schema, list):
            return {name for one in schema for name in inside(one, seen)}
        if not isinstance(schema, dict):
            return set()
        names = set(schema.get("properties", {}))
        for key, value in schema.items():
            if key == "$ref":
                name = value.rpartition("/")[2]
                if name not in seen:
                    seen.add(name)
                    names |= inside(schemas[name], seen)
            else:
                names |= inside(value, seen)
        return names

    without = []
    for method, path, one in operations(described):
        answer = next(iter(one["responses"].values())).get("content", {}).get("application/json", {})
        names = inside(answer.get("schema"), set())
        if any(re.search(r"(^|_)(cents|micros)$", name) for name in names) and "currency" not in names:
            without.append(f"{method} {path}")
    assert without == []


def test_what_is_said_below_a_field_is_its_description() -> None:
    section = Chapter("test")
    section.get("test", "/test", "Nothing.", may="", answer=Said)
    schema = openapi(section.routes)["components"]["schemas"]["Said"]
    assert schema["properties"]["word"] == {"type": "string"}
    described = openapi([one for one in ROUTES if one.name == "all_wins"])["components"]["schemas"]["WinItem"]
    assert described["properties"]["late"]["description"] == "Whether it was noticed after its round had closed."


class Said(Struct):
    word: str
    """Only what stands in our own modules is told."""


def test_no_field_of_money_is_a_fraction(described: dict[str, Any]) -> None:
    for name, schema in described["components"]["schemas"].items():
        for field, one in schema.get("properties", {}).items():
            if re.search(r"(^|_)(cents|micros)$", field):
                assert '"number"' not in json.dumps(one), f"{name}.{field}"


# ---------------------------------------------------------------------------------------------- the page about the API


def test_the_page_names_everything_that_can_be_read() -> None:
    page = PAGE.read_text("utf-8")
    missing = [route.path for route in ROUTES if not route.order and f"{route.path}`" not in page]
    assert missing == []


def test_the_examples_on_the_page_work(tmp_path: Path) -> None:
    """All of them, one after another, as somebody would who reads the page from top to bottom."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 8
    script = "set -euo pipefail\n" + "\n".join(blocks)
    with serving(tmp_path) as server:
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "HOUSE": server.url},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-600:] + done.stderr
    assert '"type":"round_voided"' in done.stdout
