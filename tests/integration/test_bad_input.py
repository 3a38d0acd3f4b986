"""Whatever is sent, the answer is a documented problem and the workspace stays byte for byte what it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from tests.integration.client import Api, check_problem, edge, label, node
from tests.kit.documents import edit_section

NUL, HALF = "\x00", b"\\ud800"
TEXT = "# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known.\n\n## Risks\n\nAgain.\n"
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def filled(server: Any, redis_server: str) -> Iterator[tuple[Api, str]]:
    """A workspace with nested groups, edges and a document, made once: nothing here changes it."""
    with Api(server.url) as api:
        w = api.create(name="Sound", document={"text": TEXT})
        group = {"op": "add_node", "type": "group"}
        api.batch(
            w,
            {**group, "id": "outer", "label": "Outer"},
            {**group, "id": "inner", "label": "Inner", "parent": "outer"},
            node("api", parent="inner"),
            node("db"),
            edge("api", "db", id="reads"),
            edge("api", "db", id="writes", label="writes"),
        )
        api.batch(w, node("kept-out", locked=True))
        yield api, w


@pytest.fixture
def sound(filled: tuple[Api, str]) -> Iterator[tuple[Api, str]]:
    """The workspace, which must be the same byte for byte when the test is over."""
    api, w = filled
    before = api.state(w)
    yield api, w
    assert api.state(w) == before


def send_raw(api: Api, w: str, raw: bytes, path: str = "/batches") -> Any:
    return api.post(f"/api/v1/workspaces/{w}{path}", content=raw, headers=JSON)


MALFORMED = {
    "nothing closed": b'{"operations": [',
    "a word": b"operations",
    "two values": b"{} {}",
    "a trailing comma": b'{"operations": [],}',
    "single quotes": b"{'operations': []}",
    "a comment": b'{"operations": [] /* none */}',
    "NaN": b'{"operations": [{"op": "move_nodes", "positions": {"db": {"x": NaN, "y": 0}}}]}',
    "Infinity": b'{"operations": [{"op": "move_nodes", "positions": {"db": {"x": Infinity, "y": 0}}}]}',
    "-Infinity": b'{"operations": [{"op": "move_nodes", "positions": {"db": {"x": 0, "y": -Infinity}}}]}',
    "a number beyond doubles": b'{"operations": [{"op": "move_nodes", "positions": {"db": {"x": 1e999, "y": 0}}}]}',
    "half a surrogate pair": b'{"operations": [{"op": "update_node", "id": "db", "label": "%b"}]}' % HALF,
    "halves the wrong way": b'{"operations": [{"op": "replace_document", "text": "\\udc00\\ud800"}]}',
    "half a pair in a key": b'{"operations": [{"op": "update_node", "id": "db", "properties": {"%b": "x"}}]}' % HALF,
    "bytes that are no UTF-8": b'{"operations": [{"op": "update_node", "id": "db", "label": "\xff\xfe"}]}',
    "a surrogate in UTF-8": b'{"operations": [{"op": "update_node", "id": "db", "label": "\xed\xa0\x80"}]}',
    "UTF-16": '{"operations": []}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"operations": []}',
    "a raw NUL": b'{"operations": [{"op": "update_node", "id": "db", "label": "a\x00b"}]}',
    "a raw line end in a text": b'{"operations": [{"op": "update_node", "id": "db", "label": "a\nb"}]}',
    "lists 1,500 deep": b"[" * 1500 + b"]" * 1500,
    "lists 100,000 deep": b"[" * 100_000,
    "objects 1,000 deep": b'{"a":' * 1000 + b"1" + b"}" * 1000,
    "a change 1,000 deep": b'{"operations": [{"op": "edit_text", "base_revision": 1, "changes": %b%b}]}'
    % (b"[" * 1000, b"]" * 1000),
    "a change 150 deep": b'{"operations": [{"op": "edit_text", "base_revision": 1, "changes": %b%b}]}'
    % (b"[" * 150, b"]" * 150),
}


@pytest.mark.parametrize("raw", MALFORMED.values(), ids=MALFORMED)
@pytest.mark.parametrize("path", ["/batches", "/nodes", "/undo", "/document/edits", "/checkpoints"])
def test_what_is_no_json_of_ours_is_malformed(sound: tuple[Api, str], raw: bytes, path: str) -> None:
    check_problem(send_raw(*sound, raw, path), 400, "malformed_json")


def test_deep_values_under_a_key_are_refused_too(sound: tuple[Api, str]) -> None:
    api, w = sound
    deep = b"[" * 300 + b"]" * 300
    headers = {**JSON, "Idempotency-Key": "deep-values-1"}
    for path, raw in (
        (f"/workspaces/{w}/batches", b'{"operations":[{"op":"edit_text","base_revision":1,"changes":%b}]}' % deep),
        ("/workspaces", b'{"import":{"format":"json","content":{"format":"draftsmith/1","name":%b}}}' % deep),
        ("/workspaces", b'{"diagram":{"nodes":%b}}' % deep),
    ):
        check_problem(api.post(f"/api/v1{path}", content=raw, headers=headers), 400, "malformed_json")


ENVELOPES: dict[str, tuple[Any, str]] = {
    "a list": ([], ""),
    "a text": ("x", ""),
    "a number": (5, ""),
    "null": (None, ""),
    "true": (True, ""),
    "no operations": ({}, "/operations"),
    "null for operations": ({"operations": None}, "/operations"),
    "no operation": ({"operations": []}, "/operations"),
    "an object for operations": ({"operations": {"op": "add_node"}}, "/operations"),
    "a text for operations": ({"operations": '[{"op":"add_node"}]'}, "/operations"),
    "501 operations": ({"operations": [label("db", "Other")] * 501}, "/operations"),
    "an unknown field": ({"operations": [label("db", "x")], "sneaky": 1}, "/sneaky"),
    "a number for dry_run": ({"operations": [label("db", "x")], "dry_run": 1}, "/dry_run"),
    "a text for dry_run": ({"operations": [label("db", "x")], "dry_run": "true"}, "/dry_run"),
    "a long explanation": ({"operations": [label("db", "x")], "explanation": "x" * 2001}, "/explanation"),
    "a number for an explanation": ({"operations": [label("db", "x")], "explanation": 5}, "/explanation"),
    "NUL in an explanation": ({"operations": [label("db", "x")], "explanation": NUL}, "/explanation"),
    "a short id": ({"operations": [label("db", "x")], "id": "short"}, "/id"),
    "a number for an id": ({"operations": [label("db", "x")], "id": 12345678}, "/id"),
    "a base below zero": ({"operations": [label("db", "x")], "base_revision": -1}, "/base_revision"),
    "a huge base": ({"operations": [label("db", "x")], "base_revision": 2**63}, "/base_revision"),
    "a true base": ({"operations": [label("db", "x")], "base_revision": True}, "/base_revision"),
}


@pytest.mark.parametrize("body, path", ENVELOPES.values(), ids=ENVELOPES)
def test_what_is_no_batch_is_invalid(sound: tuple[Api, str], body: Any, path: str) -> None:
    found = check_problem(send_raw(*sound, orjson.dumps(body)), 422, "invalid_request")
    assert found["problems"][0]["path"] == path


OPERATIONS: dict[str, tuple[Any, str, str]] = {
    "no object": (5, "field_invalid", "/operations/0"),
    "null": (None, "field_invalid", "/operations/0"),
    "no op": ({"id": "db"}, "op_unknown", "/operations/0"),
    "an unknown op": ({"op": "add_nod", "id": "db"}, "op_unknown", "/operations/0"),
    "a number for op": ({"op": 5}, "op_unknown", "/operations/0"),
    "a list for op": ({"op": ["add_node"]}, "op_unknown", "/operations/0"),
    "an alias that only models may use": ({"action": "add_node", "label": "x"}, "op_unknown", "/operations/0"),
    "other letter case": ({"op": "ADD_NODE", "type": "api", "label": "x"}, "op_unknown", "/operations/0"),
    "an unknown field": (label("db", "x") | {"colour": "red"}, "field_unknown", "/operations/0/colour"),
    "a field with ~ and /": (label("db", "x") | {"a/b~c": 1}, "field_unknown", "/operations/0/a~1b~0c"),
    "a missing field": ({"op": "update_node", "label": "x"}, "field_missing", "/operations/0/id"),
    "a number for a text": (label("db", 5), "field_invalid", "/operations/0/label"),  # type: ignore[arg-type]  # meant
    "true for a text": ({"op": "delete_node", "id": True}, "field_invalid", "/operations/0/id"),
    "a text for a boolean": (
        {"op": "delete_node", "id": "db", "bridge": "yes"}, "field_invalid", "/operations/0/bridge",
    ),
    "a number for a boolean": ({"op": "update_node", "id": "db", "locked": 1}, "field_invalid", "/operations/0/locked"),
    "a text for a number": (node("x", position={"x": "1", "y": 0}), "field_invalid", "/operations/0/position/x"),
    "true for a number": (node("x", position={"x": True, "y": 0}), "field_invalid", "/operations/0/position/x"),
    "null for a number": (node("x", position={"x": None, "y": 0}), "field_invalid", "/operations/0/position/x"),
    "half a point": (node("x", position={"x": 1}), "field_missing", "/operations/0/position/y"),
    "a third coordinate": (node("x", position={"x": 1, "y": 1, "z": 1}), "field_unknown", "/operations/0/position/z"),
    "a place too far": (node("x", position={"x": 1e6 + 1, "y": 0}), "field_invalid", "/operations/0/position/x"),
    "a huge number": (node("x", position={"x": 2**60, "y": 0}), "field_invalid", "/operations/0/position/x"),
    "a size too small": (node("x", size={"width": 19, "height": 50}), "field_invalid", "/operations/0/size/width"),
    "no label": (node("x", label=""), "field_invalid", "/operations/0/label"),
    "a blank label": (node("x", label=" \t "), "field_invalid", "/operations/0/label"),
    "a long label": (node("x", label="x" * 121), "field_invalid", "/operations/0/label"),
    "a long description": (node("x", description="x" * 10_001), "field_invalid", "/operations/0/description"),
    "NUL in a label": (node("x", label=f"a{NUL}b"), "field_invalid", "/operations/0/label"),
    "NUL in a property's name": (node("x", properties={NUL: "x"}), "field_invalid", "/operations/0/properties"),
    "51 properties": (
        node("x", properties={f"k{n}": "v" for n in range(51)}), "field_invalid", "/operations/0/properties",
    ),
    "a list for properties": (node("x", properties=[]), "field_invalid", "/operations/0/properties"),
    "a number for a property": (node("x", properties={"a": 1}), "field_invalid", "/operations/0/properties/a"),
    "a deep property": (node("x", properties={"a": {"b": "c"}}), "field_invalid", "/operations/0/properties/a"),
    "an unknown kind": (edge("db", "api", kind="http"), "field_invalid", "/operations/0/kind"),
    "101 bends": (edge("db", "api", route=[{"x": 0, "y": 0}] * 101), "field_invalid", "/operations/0/route"),
    "nothing to delete": ({"op": "delete_nodes", "ids": []}, "field_invalid", "/operations/0/ids"),
    "501 to delete": ({"op": "delete_nodes", "ids": ["db"] * 501}, "field_invalid", "/operations/0/ids"),
    "an unknown scope": ({"op": "layout_diagram", "scope": "some"}, "field_invalid", "/operations/0/scope"),
    "a title of two lines": ({"op": "insert_section", "title": "a\nb"}, "field_invalid", "/operations/0/title"),
    "a long title": ({"op": "insert_section", "title": "x" * 301}, "field_invalid", "/operations/0/title"),
    "level 7": ({"op": "insert_section", "title": "x", "level": 7}, "field_invalid", "/operations/0/level"),
    "NUL in a document": ({"op": "replace_document", "text": NUL}, "field_invalid", "/operations/0/text"),
    "NUL in a replacement": (edit_section("Plan", "one", NUL), "field_invalid", "/operations/0/replace"),
    "an unknown line end": ({"op": "replace_document", "text": "", "eol": "cr"}, "field_invalid", "/operations/0/eol"),
    "a text for changes": (
        {"op": "edit_text", "base_revision": 1, "changes": "x"}, "field_invalid", "/operations/0/changes",
    ),
    "a text for its base": (
        {"op": "edit_text", "base_revision": "1", "changes": []}, "field_invalid", "/operations/0/base_revision",
    ),
    "an empty name": ({"op": "rename_workspace", "name": " "}, "field_invalid", "/operations/0/name"),
}  # fmt: skip


@pytest.mark.parametrize("operation, code, path", OPERATIONS.values(), ids=OPERATIONS)
def test_an_operation_of_the_wrong_form_is_told_by_its_place(
    sound: tuple[Api, str], operation: Any, code: str, path: str
) -> None:
    api, w = sound
    found = check_problem(send_raw(api, w, orjson.dumps({"operations": [operation]})), 422, "invalid_request")
    assert (code, path) in [(one["code"], one["path"]) for one in found["problems"]]
    later = check_problem(
        send_raw(api, w, orjson.dumps({"operations": [label("db", "x"), operation]})), 422, "invalid_request"
    )
    assert later["problems"][0]["path"].startswith(path.replace("/operations/0", "/operations/1"))


MISFITS: dict[str, tuple[list[Any], list[str]]] = {
    "a node that is there": ([node("db")], ["node_exists"]),
    "one node twice": ([node("x"), node("x")], ["node_exists"]),
    "one edge twice": ([edge("db", "api", id="e"), edge("db", "api", id="e", label="z")], ["edge_exists"]),
    "an equal edge": ([edge("api", "db")], ["edge_duplicate"]),
    "an id in capitals": ([node("API")], ["id_invalid"]),
    "an id that is a path": ([node("../etc")], ["id_invalid"]),
    "an id of 65": ([node("x" * 65)], ["id_invalid"]),
    "an id of letters that look alike": ([node("аpi")], ["id_invalid"]),
    "an unknown type": ([node("x", type="banana")], ["type_unknown"]),
    "an edge to nothing": ([edge("api", "nowhere")], ["node_not_found"]),
    "an edge from nothing to nothing": ([edge("here", "there")], ["node_not_found"]),
    "an edge to itself": ([edge("db", "db")], ["self_loop"]),
    "rewired to itself": ([{"op": "rewire_edge", "id": "reads", "new_target": "api"}], ["self_loop"]),
    "one of two edges": ([{"op": "delete_edge", "source": "api", "target": "db"}], ["edge_ambiguous"]),
    "an edge without an address": ([{"op": "delete_edge"}], ["edge_address"]),
    "no such edge": ([{"op": "delete_edge", "id": "db--api"}], ["edge_not_found"]),
    "no such node": ([{"op": "delete_node", "id": "nobody"}], ["node_not_found"]),
    "a node deleted twice": ([{"op": "delete_node", "id": "db"}] * 2, ["node_not_found"]),
    "a group in itself": ([{"op": "move_to_group", "ids": ["outer"], "group": "outer"}], ["containment_cycle"]),
    "a group in its own child": ([{"op": "move_to_group", "ids": ["outer"], "group": "inner"}], ["containment_cycle"]),
    "a node in a node": ([{"op": "move_to_group", "ids": ["api"], "group": "db"}], ["not_a_group"]),
    "a node in nothing": ([node("x", parent="nowhere")], ["node_not_found"]),
    "a group of two places": ([{"op": "group_nodes", "label": "G", "ids": ["api", "db"]}], ["different_parents"]),
    "what is locked": ([label("kept-out", "x")], ["locked"]),
    "no such section": ([edit_section("Nothing", "a", "b")], ["section_not_found"]),
    "one of two sections": ([edit_section("Risks", "None", "b")], ["section_ambiguous"]),
    "nothing to find": ([edit_section("Plan", "", "b")], ["find_empty"]),
    "what does not stand there": ([edit_section("Plan", "two queues", "b")], ["find_not_found"]),
    "what stands there often": ([edit_section("Plan", "e", "b")], ["find_ambiguous"]),
    "changes of another text": ([{"op": "edit_text", "base_revision": 3, "changes": [99]}], ["text_invalid"]),
    "changes that are none": ([{"op": "edit_text", "base_revision": 3, "changes": [{"a": 1}]}], ["text_invalid"]),
    "negative changes": ([{"op": "edit_text", "base_revision": 3, "changes": [-5]}], ["text_invalid"]),
    "huge changes": ([{"op": "edit_text", "base_revision": 3, "changes": [2**63]}], ["text_invalid"]),
    "true for a length": ([{"op": "edit_text", "base_revision": 3, "changes": [True]}], ["text_invalid"]),
    "a section between two": ([{"op": "move_section", "section": "Plan", "into": "Plan"}], []),
    "a whole with a node twice": (
        [{"op": "replace_diagram", "nodes": [{"id": "a", "type": "api", "label": "A"}] * 2, "edges": []}],
        ["node_exists"],
    ),
    "a whole with a cycle": (
        [
            {
                "op": "replace_diagram",
                "nodes": [
                    {"id": "g", "type": "group", "label": "G", "parent": "h"},
                    {"id": "h", "type": "group", "label": "H", "parent": "g"},
                ],
                "edges": [],
            }
        ],
        [],
    ),
    "a whole with an edge to nothing": (
        [{"op": "replace_diagram", "nodes": [], "edges": [{"source": "a", "target": "b"}]}],
        [],
    ),
    "a document too long": ([{"op": "replace_document", "text": "x" * 2_000_001}], []),
}


@pytest.mark.parametrize("operations, codes", MISFITS.values(), ids=MISFITS)
def test_what_does_not_fit_is_rejected_whole(sound: tuple[Api, str], operations: list[Any], codes: list[str]) -> None:
    api, w = sound
    batch = [node("innocent"), edit_section("Plan", "one queue", "no queue"), *operations]
    found = check_problem(send_raw(api, w, orjson.dumps({"operations": batch})), 422, "batch_rejected")
    assert found["problems"]
    assert set(codes) <= {one["code"] for one in found["problems"]}
    assert all(one["index"] >= 2 for one in found["problems"])


def test_a_stale_base_is_a_conflict(sound: tuple[Api, str]) -> None:
    api, w = sound
    late = {"operations": [label("db", "x")], "base_revision": 4}
    check_problem(send_raw(api, w, orjson.dumps(late)), 409, "stale_base")
    gone = {"operations": [edge("api", "kept-out", label="x")], "base_revision": 2}
    check_problem(send_raw(api, w, orjson.dumps(gone)), 409, "stale_base")


WORKSPACE_IDS = [
    "..", "%2e%2e", "%2F", "..%2F..%2Fetc", "%00", "%ff", "%ED%A0%80", "ünïcödé", "*", "{w}", "0" * 25, "0" * 27,
    "O" * 26, "a" * 10_000, "%7B" * 26, " ", "%20", "null", "-1", "'; DROP",
]  # fmt: skip


@pytest.mark.parametrize("w", WORKSPACE_IDS)
def test_ids_of_workspaces_that_are_none(server: Any, sound: tuple[Api, str], w: str) -> None:
    api, _ = sound
    for path in ("", "/document", "/commits", "/undo"):
        response = api.get(f"/api/v1/workspaces/{w}{path}")
        assert response.json()["code"] in ("workspace_not_found", "not_found"), response.text
        check_problem(response, 404, response.json()["code"])
    response = send_raw(api, w, orjson.dumps({"operations": [node("x")]}))
    check_problem(response, 404, response.json()["code"])


@pytest.mark.parametrize("name", ["%2e%2e", "%2F", "%00", "%ff", "ünï", "x" * 10_000, "*", "DB", " ", "a%2Fb", "{id}"])
def test_ids_of_nodes_and_edges_that_are_none(sound: tuple[Api, str], name: str) -> None:
    api, w = sound
    for kind, path in (("node", f"/nodes/{name}"), ("edge", f"/edges/{name}"), ("checkpoint", f"/checkpoints/{name}")):
        for method in ("PATCH", "DELETE"):
            if (kind, method) != ("checkpoint", "PATCH"):
                response = api.send_to(method, f"/workspaces/{w}{path}", **({"json": {}} if method == "PATCH" else {}))
                assert response.status_code in (404, 405, 422), response.text
                check_problem(response, response.status_code, response.json()["code"])


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "x", "", "9" * 30, "9" * 5000, "１", "0x1", "1e3", "null", "%00"])
def test_numbers_of_revisions_that_are_none(sound: tuple[Api, str], number: str) -> None:
    api, w = sound
    for path in (f"/commits/{number}", f"/revisions/{number}", f"/compare?from={number}", f"/commits?before={number}"):
        response = api.get(f"/api/v1/workspaces/{w}{path}")
        if response.status_code != 200:  # a list before a revision that is far off is just the list
            check_problem(response, response.status_code, response.json()["code"])
            assert response.status_code in (404, 405, 422)
    for path in (f"/commits/{number}/revert", f"/revisions/{number}/restore"):
        for headers in ({}, {"Idempotency-Key": "far-beyond"}):
            response = api.send_to("POST", f"/workspaces/{w}{path}", headers=headers)
            check_problem(response, response.status_code, response.json()["code"])
            assert response.status_code in (404, 422)


def test_a_batch_of_many_faults_names_the_first_fifty(sound: tuple[Api, str]) -> None:
    api, w = sound
    form = check_problem(send_raw(api, w, orjson.dumps({"operations": [{"op": "x"}] * 500})), 422, "invalid_request")
    assert len(form["problems"]) == 50
    assert "more than 50" in form["detail"]
    misfit = [label(f"nobody-{number}", "x") for number in range(500)]
    fit = check_problem(send_raw(api, w, orjson.dumps({"operations": misfit})), 422, "batch_rejected")
    assert 100 <= len(fit["problems"]) <= 500
