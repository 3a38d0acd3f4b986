"""Whatever is wrong with a request, the answer speaks of what was sent: of fields and JSON, never of our classes."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import draftsmith
from tests.integration.client import Api, edge, node
from tests.kit.fixtures import workspace_fixture
from tests.openapi import OPENAPI

SCHEMAS: dict[str, Any] = OPENAPI["components"]["schemas"]
WRONG: tuple[Any, ...] = (5, "x", True, [], [5], {}, {"x": 1}, None)
TAGS = ("op", "format")
# What a ChangeSet is stands in the glossary; it is the name that the field gives to such a change.
OF_THE_FIELD = {"ChangeSet"}


def class_names() -> set[str]:
    """Every class of ours whose name is no English word by itself, and every form of the contract."""
    found = set(SCHEMAS)
    for module in pkgutil.walk_packages(draftsmith.__path__, "draftsmith."):
        members = inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        found |= {name for name, one in members if one.__module__.startswith("draftsmith") and name not in found}
    return {name for name in found if name in SCHEMAS or re.search(r"[a-z][A-Z]", name)} - OF_THE_FIELD


@cache
def ours() -> re.Pattern[str]:
    """What no answer may speak of."""
    return re.compile(
        rf"\b(?:{'|'.join(sorted(map(re.escape, class_names())))})\b|instance of|pydantic|constrained-str"
    )


def forms_in(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object form that a value of this schema may have."""
    if "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    if "properties" in schema:
        yield schema
    for word in ("anyOf", "oneOf", "allOf"):
        for option in schema.get(word, ()):
            yield from forms_in(option)


def spoiled(form: dict[str, Any]) -> Iterator[Any]:
    """Bodies of a form with something wrong in it: every field at once, and each field that is a form, from inside."""
    fields = form["properties"]
    tags = {name: fields[name]["const"] for name in TAGS if "const" in fields.get(name, {})}
    for wrong in WRONG:
        yield {name: tags.get(name, wrong) for name in fields}
    yield tags
    yield {**tags, "no_such_field": 1}
    for name, schema in fields.items():
        for inner in forms_in(schema):
            for value in spoiled(inner):
                yield {**tags, name: value}
        listed = [option for option in (schema, *schema.get("anyOf", ())) if "items" in option]
        for inner in (found for one in listed for found in forms_in(one["items"])):
            for value in spoiled(inner):
                yield {**tags, name: [value]}


def routes() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in OPENAPI["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


# Every body but those of images is JSON.
BODIES = [
    (method, path, content["application/json"]["schema"])
    for method, path, operation in routes()
    if "application/json" in (content := operation.get("requestBody", {}).get("content", {}))
]


def filled(path: str, w: str) -> str:
    there = {"w": w, "node_id": "a", "edge_id": "e", "revision": "1", "run_id": "0" * 26, "proposal_id": "0" * 26}
    return re.sub(r"{(\w+)}", lambda name: there.get(name[1], "x"), path)


def check_words(response: Any, sent: Any) -> None:
    """No class of ours, and every path leads to what was sent, or to a field that is missing there."""
    assert response.status_code < 500, response.text
    said = f"{sent!r:.300} was answered with {response.text[:1000]}"
    if response.status_code < 400:
        return
    document = response.json()
    words = [document["detail"], *(problem["message"] for problem in document["problems"])]
    assert not [found for found in map(ours().search, words) if found], said
    assert not ours().search(" ".join(problem["path"] for problem in document["problems"])), said
    for problem in document["problems"]:
        assert leads_somewhere(sent, problem["path"], problem["code"]), said


def leads_somewhere(sent: Any, path: str, code: str) -> bool:
    parts = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]
    for number, part in enumerate(parts):
        if isinstance(sent, list) and part.isdigit() and int(part) < len(sent):
            sent = sent[int(part)]
        elif isinstance(sent, dict) and part in sent:
            sent = sent[part]
        else:
            return code in ("field_missing", "limit_operations") and number == len(parts) - 1
    return True


w = workspace_fixture([node("a"), node("b"), edge("a", "b", id="e")], name="Words")


@pytest.mark.parametrize("method, path, schema", BODIES, ids=[f"{method} {path}" for method, path, _ in BODIES])
def test_a_body_that_is_wrong_is_refused_in_words_of_the_api(
    api: Api, w: str, method: str, path: str, schema: dict[str, Any]
) -> None:
    url = filled(path, w)
    for body in WRONG:
        check_words(api.request(method, url, json=body), body)
    seen = 0
    for form in forms_in(schema):
        for body in spoiled(form):
            check_words(api.request(method, url, json=body), body)
            seen += 1
    assert seen


MISFITS: list[tuple[str, str, Any, list[tuple[str, str]]]] = [
    ("POST", "/nodes", {"type": "banana", "label": "B"}, [("type_unknown", "/type")]),
    ("POST", "/nodes", {"type": "api", "label": "B", "parent": "a"}, [("not_a_group", "/parent")]),
    ("PATCH", "/nodes/none", {"label": "B"}, [("node_not_found", "")]),
    ("PATCH", "/nodes/a", {"type": "banana"}, [("type_unknown", "/type")]),
    ("DELETE", "/nodes/none", None, [("node_not_found", "")]),
    ("POST", "/edges", {"source": "a", "target": "none"}, [("node_not_found", "/target")]),
    ("PATCH", "/edges/e", {"source": "none"}, [("node_not_found", "/source")]),
    ("PATCH", "/edges/e", {"source": "none", "label": "x"}, [("node_not_found", "/source")]),
    ("PATCH", "/edges/none", {"label": "x", "target": "b"}, [("edge_not_found", ""), ("edge_not_found", "")]),
    ("DELETE", "/edges/none", None, [("edge_not_found", "")]),
    (
        "POST",
        "/document/edits",
        {"edits": [{"section": "No", "find": "a", "replace": "b"}, {"section": "", "find": " ", "replace": "b"}]},
        [("section_not_found", "/edits/0/section"), ("find_empty", "/edits/1/find")],
    ),
    (
        "POST",
        "/batches",
        {"operations": [{"op": "delete_node", "id": "none"}, {"op": "delete_edge", "source": "a", "target": "none"}]},
        [("node_not_found", "/operations/0/id"), ("node_not_found", "/operations/1/target")],
    ),
]


@pytest.mark.parametrize("method, route, body, problems", MISFITS, ids=[f"{one[0]} {one[1]}" for one in MISFITS])
def test_what_does_not_fit_points_into_what_was_sent(
    api: Api, w: str, method: str, route: str, body: Any, problems: list[tuple[str, str]]
) -> None:
    """Also where the server makes operations of a body: nobody sent `/operations/0`, and the id is in the address."""
    response = api.request(method, f"/api/v1/workspaces/{w}{route}", json=body)
    is_gone = problems[0] in [("node_not_found", ""), ("edge_not_found", "")]
    assert response.status_code == (404 if is_gone else 422), response.text
    assert [(one["code"], one["path"]) for one in response.json()["problems"]] == problems


def test_warnings_point_into_what_was_sent(api: Api, w: str) -> None:
    """As problems do."""
    response = api.request("POST", f"/api/v1/workspaces/{w}/nodes", json={"type": "api", "label": "Alone"})
    assert [(one["code"], one["path"]) for one in response.json()["warnings"]] == [("orphan", "")]


NAMES = [
    ("POST", "/nodes", {"type": "api", "label": "B", "node_id": "x"}, "/node_id", "id"),
    ("POST", "/nodes", {"type": "api", "name": "B"}, "/name", "label"),
    ("POST", "/nodes", {"type": "api", "label": "B", "group": "g"}, "/group", "parent"),
    ("PATCH", "/nodes/a", {"title": "B"}, "/title", "label"),
    ("POST", "/edges", {"from": "a", "target": "b"}, "/from", "source"),
    ("POST", "/edges", {"source": "a", "target": "b", "type": "async"}, "/type", "kind"),
    ("PUT", "/document", {"content": "x"}, "/content", "text"),
    ("POST", "/document/edits", {"operations": []}, "/operations", "edits"),
    (
        "POST", "/document/edits",
        {"edits": [{"section": "", "old_str": "a", "replace": "b"}]}, "/edits/0/old_str", "find",
    ),
    ("POST", "/batches", {"edits": []}, "/edits", "operations"),
    ("POST", "/batches", {"operations": [{"op": "update_node", "node_id": "a"}]}, "/operations/0/node_id", "id"),
    ("POST", "/batches", {"operations": [{"op": "update_node", "id": "a", "lock": 1}]}, "/operations/0/lock", "locked"),
    ("POST", "/runs", {"message": "Hi"}, "/message", "prompt"),
]  # fmt: skip


@pytest.mark.parametrize("method, route, body, path, right", NAMES, ids=[f"{one[1]}{one[3]}" for one in NAMES])
def test_an_unknown_field_comes_with_the_right_name(
    api: Api, w: str, method: str, route: str, body: Any, path: str, right: str
) -> None:
    """Refused all the same: only models are forgiven."""
    response = api.request(method, f"/api/v1/workspaces/{w}{route}", json=body)
    assert response.status_code == 422, response.text
    found = {one["path"]: one for one in response.json()["problems"] if one["code"] == "field_unknown"}
    assert found[path]["candidates"][0] == right


def test_parameters_that_are_wrong_are_refused_in_words_of_the_api(api: Api, w: str) -> None:
    for method, path, operation in routes():
        names = [one["name"] for one in operation.get("parameters", ()) if one.get("in") == "query"]
        if path.endswith("/events"):
            continue
        for wrong in ("", "x", "-1", "é" * 500):
            response = api.request(method, filled(path, w), params=dict.fromkeys(names, wrong))
            assert not ours().search(response.text) or response.status_code < 400, response.text
