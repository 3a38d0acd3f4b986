"""The contracts of the releases before are kept: each change that breaks a client stands in a reviewed list, or fails.

Then the comparison itself, which must be able to fail.
"""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from draftsmith.errors import BatchRejected
from draftsmith.main import contract
from tests.builders import run, workspace_of
from tests.contract_changes import Direction, openapi_changes, schema_changes

RELEASES = sorted((Path(__file__).parents[1] / "fixtures").glob("contracts-*"))


def reviewed(release: Path, part: Literal["change", "refused"]) -> list[dict[str, Any]]:
    """What has been looked at and is on purpose since a release."""
    found: list[dict[str, Any]] = tomllib.loads((release / "reviewed.toml").read_text("utf-8")).get(part, [])
    return found


REFUSED = [change for release in RELEASES for change in reviewed(release, "refused")]


def released(name: str, release: Path = RELEASES[-1]) -> Any:
    return json.loads((release / name).read_text("utf-8"))


def current(what: Literal["openapi", "operations", "live"]) -> Any:
    return json.loads(json.dumps(contract(what)))


def breaking_changes(release: Path) -> list[str]:
    """Every change since a release that breaks a client, each with the contract that it is in."""
    live = (released("live.schema.json", release), current("live"))
    operations = (released("operations.schema.json", release), current("operations"))
    return [
        *(f"openapi: {change}" for change in openapi_changes(released("openapi.json", release), current("openapi"))),
        *(f"live: {change}" for change in schema_changes(*live, "ClientMessage", "sent")),
        *(f"live: {change}" for change in schema_changes(*live, "ServerMessage", "received")),
        *(f"operations: {change}" for change in schema_changes(*operations, "", "sent")),
    ]


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_clients_of_the_releases_before_are_not_broken_unreviewed(release: Path) -> None:
    """Whatever breaks a client of a release stands in its reviewed.toml, with the version that does it and why."""
    changes = reviewed(release, "change")
    assert all(change["what"] and change["version"] and change["reason"] for change in changes)
    assert sorted(breaking_changes(release)) == sorted(change["what"] for change in changes)


@pytest.mark.parametrize("change", REFUSED, ids=[change["operation"]["op"] for change in REFUSED])
def test_what_is_refused_now_and_was_taken_is_reviewed(change: dict[str, Any]) -> None:
    """Each such operation stands in reviewed.toml with the code that refuses it, the version that does it and why."""
    assert change["version"]
    assert change["reason"]
    with pytest.raises(BatchRejected) as rejected:
        run(workspace_of(text="# Doc\n\n## A\n\na\n\n### C\n\nc\n"), change["operation"], revision=2)
    assert [problem.code for problem in rejected.value.problems] == [change["code"]]


OPENAPI = released("openapi.json")
LIVE = released("live.schema.json")
NODES = "/api/v1/workspaces/{w}/nodes"
BATCHES = "/api/v1/workspaces/{w}/batches"
SCHEMAS = ("components", "schemas")


def put_at(*path: Any, value: Any) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for part in path[:-1]:
            document = document[part]
        document[path[-1]] = value

    return change


def drop(*path: Any) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for part in path[:-1]:
            document = document[part]
        if isinstance(document, list) and not isinstance(path[-1], int):
            document.remove(path[-1])
        else:
            document.pop(path[-1])

    return change


def add_at(*path: Any, value: Any) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for part in path:
            document = document[part]
        document.append(value)

    return change


def field(schema: str, name: str) -> tuple[str, ...]:
    return (*SCHEMAS, schema, "properties", name)


TEXT_OR_NULL = {"anyOf": [{"type": "string"}, {"type": "null"}]}


@pytest.mark.parametrize(
    "change, said",
    [
        (drop("paths", NODES), f"POST {NODES}: removed"),
        (drop("paths", NODES, "post"), f"POST {NODES}: removed"),
        (drop("paths", BATCHES, "post", "responses", "200"), f"POST {BATCHES}: status 200 removed"),
        (drop("paths", BATCHES, "post", "responses", "409"), f"POST {BATCHES}: status 409 removed"),
        (put_at("paths", BATCHES, "post", "operationId", value="run_batch"), "operationId post_batch is now run_batch"),
        (drop("components", "responses", "409", "headers", "X-Request-Id"), "409: header X-Request-Id removed"),
        (
            put_at("components", "responses", "409", "description", value="Conflict: `undo_moved`."),
            "code stale_base: answered with no status, was 409",
        ),
        (drop("paths", NODES, "post", "parameters", 0), "parameter path w removed"),
        (put_at("components", "parameters", "IfMatch", "required", value=True), "header If-Match is now required"),
        (drop(*field("WriteAnswer", "revision")), "WriteAnswer.revision: removed"),
        (drop(*SCHEMAS, "WriteAnswer", "required", "revision"), "WriteAnswer.revision: no longer always there"),
        (put_at(*field("NodeOut", "label"), value=TEXT_OR_NULL), "NodeOut.label: may now be null"),
        (put_at(*field("NodeOut", "label"), value={"type": "integer"}), "NodeOut.label: may now be integer"),
        (drop(*field("RunOut", "status"), "enum", "failed"), "RunOut.status: value failed removed"),
        (add_at(*field("RunOut", "status"), "enum", value="asleep"), "value asleep added to what is received"),
        (drop(*field("RunOut", "status"), "enum"), "RunOut.status: may now be any value"),
        (put_at(*field("NodesDiff", "removed"), "items", value={"type": "integer"}), "removed[]: may now be int"),
        (drop(*field("NodeBody", "notes")), "NodeBody.notes: removed"),
        (add_at(*SCHEMAS, "NodeBody", "required", value="notes"), "NodeBody.notes: now required"),
        (drop(*field("AddEdge", "label"), "anyOf", 1), "AddEdge.label: null is no longer accepted"),
        (drop(*field("DeleteNode", "children"), "enum", "up"), "DeleteNode.children: value up removed"),
        (put_at(*field("NodeBody", "label"), "maxLength", value=60), "NodeBody.label: maxLength 60, was 120"),
        (put_at(*field("NodeBody", "label"), "pattern", value="^a"), "NodeBody.label: pattern ^a, was not limited"),
        (put_at(*field("BatchBody", "operations"), "minItems", value=2), "BatchBody.operations: minItems 2, was 1"),
        (put_at(*field("NameBody", "name"), value={"type": "integer"}), "NameBody.name: string is no longer accepted"),
        (drop(*field("BatchBody", "operations"), "items", "oneOf", 3), "BatchBody.operations[]: op="),
    ],
)  # fmt: skip
def test_what_breaks_a_client_of_the_api_is_named(change: Callable[[Any], None], said: str) -> None:
    after = copy.deepcopy(OPENAPI)
    change(after)
    assert any(said in one for one in openapi_changes(OPENAPI, after)), openapi_changes(OPENAPI, after)


@pytest.mark.parametrize(
    "change",
    [
        put_at("paths", "/api/v1/more", value={"get": {"responses": {}}}),
        put_at(*field("WriteAnswer", "more"), value={"type": "string"}),
        put_at(*field("NodeBody", "more"), value={"type": "string"}),
        put_at(*field("NodeBody", "label"), "maxLength", value=240),
        drop(*field("NodeBody", "label"), "maxLength"),
        drop(*SCHEMAS, "NodeBody", "required", "label"),
        add_at(*field("DeleteNode", "children"), "enum", value="aside"),
        put_at(*field("NodeBody", "label"), value=TEXT_OR_NULL),
        put_at(*field("NodeOut", "parent"), value={"type": "string"}),
        add_at("components", "schemas", "NodeOut", "required", value="more"),
        put_at(*SCHEMAS, "NodeOut", "description", value="Another sentence."),
    ],
)
def test_what_breaks_nobody_is_not_named(change: Callable[[Any], None]) -> None:
    after = copy.deepcopy(OPENAPI)
    change(after)
    assert openapi_changes(OPENAPI, after) == []


DEFS = ("$defs",)
RUNS = {"$ref": "#/$defs/Runs"}
NEW_STEP = {"properties": {"k": {"const": "page"}}, "type": "object"}


@pytest.mark.parametrize(
    "change, definition, direction, said",
    [
        (drop(*DEFS, "ServerMessage", "anyOf", RUNS), "ServerMessage", "received", "ServerMessage: t=runs removed"),
        (drop(*DEFS, "Commit", "properties", "source"), "ServerMessage", "received", "Commit.source: removed"),
        (
            add_at(*DEFS, "Commit", "properties", "steps", "items", "anyOf", value=NEW_STEP),
            "ServerMessage",
            "received",
            "may now be k=page",
        ),
        (drop(*DEFS, "ClientMessage", "oneOf", 2), "ClientMessage", "sent", "is no longer accepted"),
        (add_at(*DEFS, "Hello", "required", value="name"), "ClientMessage", "sent", "Hello.name: now required"),
        (
            put_at(*DEFS, "EdgeStep", "properties", "eb", "prefixItems", value=[]),
            "ServerMessage", "received", "a tuple",
        ),
    ],
)  # fmt: skip
def test_what_breaks_a_page_is_named(
    change: Callable[[Any], None], definition: str, direction: Direction, said: str
) -> None:
    after = copy.deepcopy(LIVE)
    change(after)
    found = schema_changes(LIVE, after, definition, direction)
    assert any(said in one for one in found), found


def test_a_new_kind_of_message_breaks_no_page() -> None:
    """docs/protocol.md: a client passes over kinds of messages that it does not know."""
    after = copy.deepcopy(LIVE)
    after["$defs"]["ServerMessage"]["anyOf"].append({"properties": {"t": {"const": "weather"}}, "type": "object"})
    assert schema_changes(LIVE, after, "ServerMessage", "received") == []


def test_a_schema_that_recurs_is_compared_once() -> None:
    tree = {
        "$defs": {"Tree": {"properties": {"below": {"items": {"$ref": "#/$defs/Tree"}}, "name": {"type": "string"}}}}
    }
    after = copy.deepcopy(tree)
    after["$defs"]["Tree"]["properties"].pop("name")
    assert schema_changes(tree, after, "Tree", "received") == ["Tree.name: removed"]
