"""Schemathesis against a running server: what it makes of the description never breaks the server, nor the description.

It knows the API by its description alone. Whatever it sends, fitting or not, by a manager or a dealer: no answer is a
5xx, and every answer has a status, a content type and a body that the description names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from tests.web.web_kit import API, Server, serving

from houseway.api.openapi import openapi
from houseway.api.routes import ROUTES

EXAMPLES: Final = 3
"""So many requests of each kind for every operation and role."""
MANY: Final = 60
MANAGER, DEALER = "5001", "2001"
CHECKED: Final = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance", "negative_data_rejection"),
)
KNOWN: Final = {
    "table": ("CS-1", "V-TCP", "PG-2"),
    "link": ("stud", "three-level"),
    "meter": ("main", "mega"),
    "game": ("caribbean-stud", "six-card-pai-gow"),
    "entry": (1, 5, 20),
    "win": (1, 5),
    "round": (1,),
}
"""What there is on the floor: most requests that fit ask for that, so that they come further."""

load_all_checks()
_PROJECT: Final = ProjectConfig(
    generation=GenerationConfig(database="none", with_security_parameters=False), max_stream_events=2
)
DESCRIPTION: Final = openapi(ROUTES)
CONFIG: Final = SchemathesisConfig(projects=ProjectsConfig(default=_PROJECT))
SCHEMA: Final = schemathesis.openapi.from_dict(DESCRIPTION, config=CONFIG)
OPERATIONS: Final = {one.ok().label: one.ok() for one in SCHEMA.get_all_operations()}


class Caller:
    """Somebody signed in, whose cookie and token come with every request whatever the last answer set."""

    def __init__(self, server: Server, card: str) -> None:
        person = server.sign_in(card)
        self.url = server.url
        self.cookies = dict(person.http.cookies)
        self.csrf = person.http.headers["X-CSRF-Token"]
        self.session = requests.Session()

    def call(self, case: Case, place: int) -> None:
        """Send a request and hold the answer against the description; with a place, about something that is there."""
        if place:
            for name, known in KNOWN.items():
                if name in case.path_parameters:
                    case.path_parameters[name] = known[place % len(known)]
            for name in ("By-Card", "Second-Card"):
                case.headers.pop(name, None)
        sent = {} if (case.method, case.path) == ("DELETE", f"{API}/session") else {"X-CSRF-Token": self.csrf}
        case.headers.pop("X-CSRF-Token", None)
        self.session.cookies.clear()
        self.session.cookies.update(self.cookies if sent else {})
        case.cookies.clear()
        response = case.call(base_url=self.url, session=self.session, headers=sent, timeout=20)
        case.validate_response(response, checks=[CHECKS.get_one(name) for name in CHECKED])


@pytest.fixture(scope="module")
def callers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Caller]]:
    with serving(tmp_path_factory.mktemp("schemathesis")) as server:
        made = {"manager": Caller(server, MANAGER), "dealer": Caller(server, DEALER)}
        yield made
        for one in made.values():
            one.session.close()


def fuzz(caller: Caller, label: str, mode: GenerationMode, examples: int) -> None:
    """So many requests of one kind for one operation."""

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=OPERATIONS[label].as_strategy(generation_mode=mode),
        place=st.integers(0, 3) if mode.is_positive else st.just(0),
    )
    def send(case: Case, place: int) -> None:
        caller.call(case, place)

    send()


def can_be_wrong(label: str) -> bool:
    """Whether an operation takes anything that could be wrong: any text may stand where a name is asked for."""
    method, _, path = label.partition(" ")
    described = DESCRIPTION["paths"][path][method.lower()]
    taken = [one["schema"] for one in described["parameters"] if one["in"] != "header" or one["required"]]
    return "requestBody" in described or any(one != {"type": "string", "minLength": 1} for one in taken)


@pytest.mark.parametrize("role", ["manager", "dealer"])
@pytest.mark.parametrize("label", OPERATIONS)
def test_what_fits_the_description_is_answered_by_it(callers: dict[str, Caller], label: str, role: str) -> None:
    fuzz(callers[role], label, GenerationMode.POSITIVE, EXAMPLES)


@pytest.mark.parametrize("label", [label for label in OPERATIONS if can_be_wrong(label)])
def test_what_does_not_fit_is_refused_by_it(callers: dict[str, Caller], label: str) -> None:
    fuzz(callers["manager"], label, GenerationMode.NEGATIVE, EXAMPLES)


def test_an_answer_that_is_not_as_described_is_noticed(callers: dict[str, Caller]) -> None:
    """A planted fault: the description asks for a field that no game has."""
    label = "GET /api/v1/games"
    wrong = json.loads(json.dumps(DESCRIPTION))
    wrong["components"]["schemas"]["GameItem"]["required"].append("colour")
    broken = schemathesis.openapi.from_dict(wrong, config=CONFIG)
    operation = next(one.ok() for one in broken.get_all_operations() if one.ok().label == label)
    with pytest.raises(FailureGroup, match="colour"):
        callers["manager"].call(operation.Case(), 1)
    callers["manager"].call(OPERATIONS[label].Case(), 1)


@pytest.mark.long
@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("role", ["manager", "dealer"])
@pytest.mark.parametrize("label", OPERATIONS)
def test_many_requests(callers: dict[str, Caller], label: str, role: str, mode: GenerationMode) -> None:
    if mode.is_positive or can_be_wrong(label):
        fuzz(callers[role], label, mode, MANY)
