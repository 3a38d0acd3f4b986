"""The contract holds: whatever OpenAPI allows or forbids is answered as OpenAPI says, and never with a defect."""

from __future__ import annotations

import copy
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.specs.openapi import checks as on

from tests.integration.client import Api, edge, node
from tests.integration.servers import Server
from tests.openapi import OPENAPI, REQUESTS
from tests.seeds import run_seed
from tests.timeouts import TIMEOUT_SECONDS

TEXT = "# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known.\n"
START = {
    "name": "Journey",
    "document": {"text": TEXT},
    "diagram": {
        "nodes": [{"id": name, "type": "group" if name == "g" else "service", "label": name} for name in "abg"],
        "edges": [{"id": "e", "source": "a", "target": "b", "label": "calls"}],
    },
}
CHECKS = [
    schemathesis.checks.not_a_server_error,
    on.status_code_conformance,
    on.content_type_conformance,
    on.response_headers_conformance,
    on.response_schema_conformance,
    on.negative_data_rejection,
    on.missing_required_header,
]
place: dict[str, str] = {}
# What is made up for each route, after every case that its schemas name; `make soak` makes up more.
EXAMPLES = settings(
    max_examples=int(os.environ.get("CONTRACT_EXAMPLES", "10")),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    database=None,
)
# What a journey draws depends on what the server has answered, and that differs: a run is over or still goes on, so
# that a link has a value to pass on, or has none and one is made up. Hypothesis compares journeys that begin alike and
# takes such a difference for a defect of the test. A backend of another name draws the same way, without comparing.
AVAILABLE_PROVIDERS["uncompared"] = AVAILABLE_PROVIDERS["hypothesis"]
JOURNEYS = settings(EXAMPLES, max_examples=40, stateful_step_count=25, backend="uncompared")


@pytest.fixture(scope="module")
def session(server: Server, redis_server: str) -> Iterator[requests.Session]:
    """One connection; a workspace with a little of everything is in `place`."""
    with Api(server.url) as api, requests.Session() as session:
        place["w"] = filled_workspace(api)
        ask = f"/workspaces/{place['w']}/runs"
        place["run_id"] = api.ask("POST", ask, json={"prompt": "what is unconnected", "workflow": "ask"})["id"]
        proposed = api.ask("POST", ask, json={"prompt": "add a queue called Jobs", "mode": "propose"})
        place["proposal_id"] = proposed["outcome"]["proposal"]
        yield session


def filled_workspace(api: Api) -> str:
    w = api.create(name="Contract", document={"text": TEXT})
    group = {"op": "add_node", "id": "g", "type": "group", "label": "Group"}
    api.batch(w, node("a"), node("b"), group, edge("a", "b", id="e"))
    api.batch(w, node("c"))
    return w


ENDLESS = {"operation_id": "watch_commits"}
"""An answer that goes on until the server stops; see test_live_events.py."""
# A value that is too long may make the whole body too large, which is said first.
REFUSALS = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "431", "5xx"]
CONFIG = schemathesis.Config.from_dict(
    {"seed": int(run_seed()), "checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}}
)
schema = schemathesis.openapi.from_dict(copy.deepcopy(OPENAPI), config=CONFIG)


@schema.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any]) -> dict[str, Any]:
    """Mostly speak of what is there; the rest stays as it was made up."""
    there = {**place, "node_id": "a", "edge_id": "e", "revision": 2}
    if path_parameters and len(repr(path_parameters)) % 10:
        return {**path_parameters, **{name: there[name] for name in path_parameters if name in there}}
    return path_parameters


def operations_of(contract: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in contract["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


ROUTES = [route for route, operation in operations_of(OPENAPI) if operation["operationId"] != ENDLESS["operation_id"]]


def taken_in_bodies(contract: dict[str, Any]) -> set[str]:
    """The names of the schemas that bodies of requests are made of."""
    found: set[str] = set()
    waiting: list[Any] = [operation.get("requestBody") for _, operation in operations_of(contract)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            name = str(one.get("$ref", "")).rpartition("/")[2]
            if name and name not in found:
                found.add(name)
                waiting.append(contract["components"]["schemas"][name])
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found


def narrowed(contract: dict[str, Any]) -> dict[str, Any]:
    """The contract with few names to choose from, so that made-up requests meet what is there."""
    shapes = copy.deepcopy(contract)
    names = {"type": "string", "enum": ["a", "b", "c", "g", "h", "n1"]}
    sections = {"type": "string", "enum": ["Plan", "Risks", "", "New"]}
    taken = taken_in_bodies(contract)
    for title, form in shapes["components"]["schemas"].items():
        if title not in taken:
            continue
        fields = form.get("properties", {})
        for field in fields.keys() & {"source", "target", "near", "parent", "new_source", "new_target"}:
            fields[field] = names
        for field in fields.keys() & {"section", "before", "after", "into"}:
            fields[field] = sections
        if "ids" in fields:
            fields["ids"] = {"type": "array", "items": names, "minItems": 1, "maxItems": 3, "uniqueItems": True}
        if form.get("title") in ("AddNode", "UpdateNode", "DeleteNode", "NodeBody", "UngroupNodes", "WholeNode"):
            fields["id"] = names
        if title in ("DefineType", "DeleteType"):
            fields["id"] = {"type": "string", "enum": ["own", "kin"]}
        if "type" in fields and title in ("AddNode", "UpdateNode", "NodeBody", "NodeFields", "NodePatch", "WholeNode"):
            fields["type"] = {"type": "string", "enum": ["service", "queue", "group", "own"]}
        if "find" in fields:
            fields["find"] = {"type": "string", "enum": ["one", "queue", "None known."]}
        for field in fields.keys() & {
            "notes",
            "description",
            "properties",
            "routes",
            "route",
            "sizes",
            "base_revision",
        }:
            if field not in form.get("required", ()):
                del fields[field]  # they only make bodies long
        if "operations" in fields:
            fields["operations"]["maxItems"] = 2
    shapes["components"]["schemas"]["WorkspaceBody"] = {"const": START}
    made = shapes["paths"]["/api/v1/workspaces"]["post"]
    made["requestBody"]["content"]["application/json"].pop("examples")
    del made["responses"]["201"]["links"]["create_workspace_then_delete_workspace"]  # it would end most journeys
    return shapes


deep = schemathesis.openapi.from_dict(
    narrowed(OPENAPI), config=schemathesis.Config.from_dict({"generation": {"mode": "positive"}})
).exclude(**ENDLESS)


@deep.hook("map_headers")
def mostly_without_a_base(context: Any, headers: dict[str, Any] | None) -> dict[str, Any] | None:
    """A made-up If-Match only ever says that it is of another history; a made-up key hides what comes after."""
    return {name: value for name, value in (headers or {}).items() if name == "Prefer"}


Machine = deep.as_state_machine()


class Journey(Machine):  # type: ignore[misc, valid-type]  # made at run time
    """Create a workspace, then whatever the contract's links say may follow, in any order."""

    url = ""
    session: requests.Session
    statuses: ClassVar[Counter[str]] = Counter()

    def get_call_kwargs(self, case: Any) -> dict[str, Any]:
        return {"base_url": self.url, "session": self.session, "timeout": TIMEOUT_SECONDS}

    def validate_response(self, response: Any, case: Any, **options: Any) -> None:
        name = case.operation.definition.raw["operationId"]
        self.statuses[f"{name} {response.status_code}"] += 1
        case.validate_response(response, checks=CHECKS)


def test_journeys_along_the_links_of_the_contract_never_meet_a_defect(
    server: Server, session: requests.Session
) -> None:
    Journey.url, Journey.session = server.url, session
    Journey.run(settings=JOURNEYS)
    reached = {entry.partition(" ")[0] for entry in Journey.statuses if entry.endswith((" 200", " 201"))}
    # Which ones is chance; that each works at all is shown by the examples below.
    assert "create_workspace" in reached, Journey.statuses
    assert len(reached) >= 12, Journey.statuses


def test_journeys_may_be_answered_differently_each_time() -> None:
    """A server that has an answer ready at one time and not yet at another makes no journey fail."""
    link = {"operationId": "read", "parameters": {"name": "$response.body#/ready"}}
    started = {"description": "Started", "links": {"start_then_read": link}}
    name = {"name": "name", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    read = {"operationId": "read", "parameters": [name], "responses": {"200": {"description": "Read"}}}
    paths = {
        "/runs": {"post": {"operationId": "start", "responses": {"201": started}}},
        "/results/{name}": {"get": read},
    }
    contract = {"openapi": "3.1.0", "info": {"title": "Slow at times", "version": "1"}, "paths": paths}
    machine: Any = schemathesis.openapi.from_dict(contract).as_state_machine()
    read_by_link: set[bool] = set()
    turns = itertools.count()

    class SlowAtTimes(machine):  # type: ignore[misc]  # made at run time
        def call(self, case: Any, **options: Any) -> schemathesis.Response:
            if case.method == "GET":
                read_by_link.add(case.path_parameters["name"] == "here")
            body = json.dumps({"ready": "here" if next(turns) % 3 else None}).encode()
            request = requests.Request(case.method, "http://localhost").prepare()
            status = 201 if case.method == "POST" else 200
            return schemathesis.Response(status, {}, body, request, elapsed=0, verify=False)

        def validate_response(self, response: Any, case: Any, **options: Any) -> None:
            """There is nothing to find."""

    SlowAtTimes.run(settings=JOURNEYS)
    assert read_by_link == {True, False}


def checked(route: str, check: Callable[[Any], None]) -> Callable[[], None]:
    """What checks each case of a route: those that its schemas name, then some that are made up.

    They are made when the route is tested: each process of a whole run collects all routes and tests a part of them.
    """
    method, _, path = route.partition(" ")
    known = dict(place)
    place.clear()  # the cases are the same whatever was tested before
    try:
        return build_operation_test(
            config=schema.config,
            operation=schema[path][method],
            test_func=EXAMPLES(check),
            given_kwargs={},
            feedback=FeedbackSources(),
        )
    finally:
        place.update(known)


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_answers_as_the_contract_says(route: str, server: Server, session: requests.Session) -> None:
    def check(case: Any) -> None:
        case.call_and_validate(base_url=server.url, session=session, checks=CHECKS, timeout=TIMEOUT_SECONDS)
        if case.operation.definition.raw["operationId"] == "delete_workspace":
            session.post(f"{server.url}/api/v1/workspaces/{place['w']}/undelete", json={})

    checked(route, check)()


@pytest.mark.parametrize("name, title", [(name, title) for name, examples in REQUESTS.items() for title in examples])
def test_every_example_of_the_contract_works(api: Api, name: str, title: str) -> None:
    (where,) = [where for where, operation in operations_of(OPENAPI) if operation["operationId"] == name]
    method, _, path = where.partition(" ")
    api.become("Ada")
    w = api.create(name="Example", document={"text": TEXT})
    api.batch(w, node("a"))
    api.batch(w, node("b"))
    if name == "redo":
        api.ask("POST", f"/workspaces/{w}/undo")
    response = api.request(method, path.format(w=w), json=REQUESTS[name][title])
    assert response.is_success, response.text
    assert response.json().get("warnings", []) == [] or name != "create_workspace"


def test_the_contract_is_complete_and_readable() -> None:
    names = [operation["operationId"] for _, operation in operations_of(OPENAPI)]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z]+(?:_[a-z]+)*", name) for name in names)
    for where, operation in operations_of(OPENAPI):
        assert operation["description"], where
        for status, response in operation["responses"].items():
            if status[0] in "45" and where != "GET /readyz":
                assert response == {"$ref": f"#/components/responses/{status}"}, where
    for status, response in OPENAPI["components"]["responses"].items():
        assert list(response["content"]) == ["application/problem+json"], status
