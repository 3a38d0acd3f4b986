"""Reading tool calls: forgiving about form, never about meaning; what is left goes to the strict reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.assistant.answers.feedback import rejection_text
from draftsmith.assistant.answers.parse import complete_operations, explanations_of, operations_of
from draftsmith.errors import DraftsmithError
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import OPERATION_MODELS, parse_batch
from tests.builders import refusal_of

ADD = {"op": "add_node", "type": "cache", "label": "Redis"}
EDGE = {"op": "add_edge", "source": "a", "target": "b"}
NAMED = {"op": "update_node", "id": "a", "label": "B"}
QUOTE = {"op": "edit_section", "section": "A", "find": "b", "replace": "c"}
RETITLED = {"op": "rename_section", "section": "A", "title": "B"}


@pytest.mark.parametrize(
    "given, means",
    [
        ({"action": "add_node", "type": "cache", "label": "Redis"}, ADD),
        ({"operation": "Add Node", "type": "Cache", "label": "Redis"}, ADD),
        ({"type": "add_node", "label": "Redis"}, {"op": "add_node", "label": "Redis"}),
        ({"op": "addNode", "type": "CACHE", "label": "Redis"}, ADD),
        ({"op": "ADD-NODE", "type": "load balancer", "label": "L"}, ADD | {"type": "load_balancer", "label": "L"}),
        ({"op": "update_node", "node_id": "a", "label": "B"}, {"op": "update_node", "id": "a", "label": "B"}),
        ({"op": "update_node", "nodeId": "a"}, {"op": "update_node", "id": "a"}),
        ({"op": "delete_edge", "edge_id": "e"}, {"op": "delete_edge", "id": "e"}),
        ({"op": "delete_nodes", "node_ids": ["a"]}, {"op": "delete_nodes", "ids": ["a"]}),
        ({"op": "delete_nodes", "ids": "a"}, {"op": "delete_nodes", "ids": ["a"]}),
        ({"op": "add_edge", "from": "a", "to": "b"}, EDGE),
        ({"op": "add_edge", "source_id": "a", "targetId": "b", "kind": "Async"}, EDGE | {"kind": "async"}),
        ({"op": "move_to_group", "ids": ["a"], "group_id": "g"}, {"op": "move_to_group", "ids": ["a"], "group": "g"}),
        (
            {"op": "edit_section", "section_path": "# A", "old_text": "b", "new_text": "c"},
            {"op": "edit_section", "section": "# A", "find": "b", "replace": "c"},
        ),
        (
            {"section": "# A", "find": "b", "replace": "c"},
            {"op": "edit_section", "section": "# A", "find": "b", "replace": "c"},
        ),
        (
            {"op": "append_to_section", "heading": "# A", "content": "b"},
            {"op": "append_to_section", "section": "# A", "text": "b"},
        ),
        (
            {"op": "insert_between", "from": "a", "to": "b", "node": {"node_id": "c", "type": "Queue", "label": "C"}},
            {"op": "insert_between", "source": "a", "target": "b", "node": {"id": "c", "type": "queue", "label": "C"}},
        ),
        # names of fields
        ({"op": "edit_section", "section": "A", "old_str": "b", "new_str": "c"}, QUOTE),
        ({"op": "edit_section", "heading": "A", "old_string": "b", "new_string": "c"}, QUOTE),
        ({"section": "A", "old_str": "b", "new_str": "c"}, QUOTE),
        ({"command": "str_replace", "path": "A", "old_str": "b", "new_str": "c"}, QUOTE),
        ({"op": "add_node", "type": "cache", "name": "Redis"}, ADD),
        ({"op": "update_node", "id": "a", "new_label": "B"}, NAMED),
        ({"op": "update_node", "id": "a", "new_name": "B", "label": "B"}, NAMED),
        ({"op": "insert_section", "heading": "A"}, {"op": "insert_section", "title": "A"}),
        ({"op": "rename_section", "section": "A", "heading": "B"}, RETITLED),
        ({"op": "rename_section", "heading": "A", "title": "B"}, RETITLED),
        ({"op": "rename_section", "heading": "A", "new_heading": "B"}, RETITLED),
        ({"op": "delete_section", "heading": "A"}, {"op": "delete_section", "section": "A"}),
        (ADD | {"group": "g"}, ADD | {"parent": "g"}),
        (ADD | {"group_id": "g"}, ADD | {"parent": "g"}),
        ({"op": "move_to_group", "node_id": "a", "parent": "g"}, {"op": "move_to_group", "ids": ["a"], "group": "g"}),
        ({"op": "add_edge", "from": "a", "to": "b", "type": "event"}, EDGE | {"kind": "async"}),
        # wrappers
        ({"op": "update_node", "id": "a", "updates": {"name": "B"}}, NAMED),
        ({"op": "update_node", "id": "a", "fields": {"label": "B"}}, NAMED),
        ({"op": "update_node", "id": "a", "changes": '{"label": "B"}'}, NAMED),
        ({"op": "update_node", "node": {"id": "a", "label": "B"}}, NAMED),
        ({"op": "update_node", "id": "a", "label": "B", "updates": {"label": "B"}}, NAMED),
        (
            {"op": "group_nodes", "group": {"name": "G", "members": ["a"]}},
            {"op": "group_nodes", "label": "G", "ids": ["a"]},
        ),
        ({"op": "add_edge", "edge": {"source_id": "a", "target_id": "b"}}, EDGE),
        ({"tool": "add_edge", "input": {"from": "a", "to": "b"}}, EDGE),
        ({"name": "add_edge", "arguments": '{"source": "a", "target": "b"}'}, EDGE),
        ({"type": "tool_use", "id": "toolu_1", "name": "add_edge", "input": {"source": "a", "target": "b"}}, EDGE),
        ({"type": "function", "function": {"name": "add_edge", "arguments": {"source": "a", "target": "b"}}}, EDGE),
        ({"add_edge": {"source": "a", "target": "b"}}, EDGE),
        # values
        (ADD | {"type": "cache", "properties": {"size": 3, "on": True, "rate": 0.5}},
         ADD | {"type": "cache", "properties": {"size": "3", "on": "true", "rate": "0.5"}}),
        (ADD | {"type": "redis"}, ADD | {"technology": "Redis"}),
        (ADD | {"type": "Redis", "technology": "Redis 8"}, ADD | {"technology": "Redis 8"}),
        ({"op": "update_node", "id": "a", "component_type": "postgres"},
         {"op": "update_node", "id": "a", "type": "database", "technology": "PostgreSQL"}),
        ({"op": "insert_between", "source": "a", "target": "b", "node": {"type": "Apache Kafka", "name": "L"}},
         {"op": "insert_between", "source": "a", "target": "b",
          "node": {"type": "stream", "label": "L", "technology": "Kafka"}}),
        (ADD | {"type": "message broker"}, ADD | {"type": "queue"}),
        (ADD | {"type": "container"}, ADD | {"type": "service"}),
        (ADD | {"type": "loadbalancer"}, ADD | {"type": "load_balancer"}),
        (ADD | {"type": "MessageQueue"}, ADD | {"type": "queue"}),
        (ADD | {"type": "message-queue"}, ADD | {"type": "queue"}),
        (ADD | {"type": "db"}, ADD | {"type": "database"}),
        (ADD | {"type": "lb"}, ADD | {"type": "load_balancer"}),
        (ADD | {"type": "API Gateway"}, ADD | {"type": "gateway"}),
        (ADD | {"type": "microservice"}, ADD | {"type": "service"}),
        (EDGE | {"kind": "synchronous"}, EDGE | {"kind": "sync"}),
        (EDGE | {"direction": "bidirectional"}, EDGE | {"direction": "both"}),
        ({"op": "insert_between", "source": "a", "target": "b", "node": {"type": "lb", "name": "L"}},
         {"op": "insert_between", "source": "a", "target": "b", "node": {"type": "load_balancer", "label": "L"}}),
        # why
        (ADD | {"explanation": "faster reads"}, ADD),
        (ADD | {"reason": "faster reads", "comment": None}, ADD),
    ],
    ids=lambda one: json.dumps(one)[:50],
)  # fmt: skip
def test_form_is_put_right(given: dict[str, Any], means: dict[str, Any]) -> None:
    """Other names and letters that can mean only one thing mean it, in either tool."""
    for tool in ("edit_diagram", "edit_document"):
        assert operations_of(tool, {"operations": [given]}) == [means]


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "add_node", "type": "banana", "label": "B"},
        {"op": "explode", "id": "a"},
        {"op": "update_node", "id": "a", "shade": "red"},
        {"op": "update_node", "id": "a", "node_id": "b"},
        {"op": "add_edge", "source": "a", "target": "b", "kind": "fast"},
        {"op": "add_edge", "source": "a", "target": "b", "label": "From A to B"},
        {"op": "rename_section", "section": "# A", "title": "Type: Cache"},
        {"label": "No operation"},
        # two values for one field
        {"op": "update_node", "id": "a", "label": "B", "name": "C"},
        {"op": "update_node", "id": "a", "label": "B", "updates": {"label": "C"}},
        {"op": "edit_section", "section": "A", "find": "b", "old_str": "c", "replace": "d"},
        # another operation than it says: an edge gets other ends
        {"op": "update_edge", "id": "e", "updates": {"source": "a"}},
        {"op": "update_node", "id": "a", "parent": "g"},
        # the id of something of another sort
        {"op": "update_edge", "node_id": "a"},
        # a word that names several types
        {"op": "add_node", "type": "app", "label": "B"},
    ],
)
def test_meaning_is_left_alone(operation: dict[str, Any]) -> None:
    """Unknown words, fields and operations go on as they are; so do values that people read."""
    assert operations_of("edit_diagram", {"operations": [operation]}) == [operation]


def test_what_is_unknown_is_named_by_the_strict_reader() -> None:
    """Nothing is dropped on the way: an extra field is still a problem, in its place."""
    given = operations_of(
        "edit_diagram", {"operations": [ADD, {"action": "update_node", "node_id": "a", "shade": "red"}]}
    )
    with pytest.raises(DraftsmithError) as caught:
        parse_batch(given, WorkspaceLimits())
    assert [(problem.code, problem.path) for problem in caught.value.problems] == [
        ("field_unknown", "/operations/1/shade")
    ]


@pytest.mark.parametrize(
    "given",
    [
        {"operations": [ADD]},
        {"operations": ADD},
        {"operations": json.dumps([ADD])},
        {"operations": json.dumps({"operations": [ADD]})},
        {"operations": {"operations": [ADD]}},
        {"operations": [json.dumps(ADD)]},
        {"edits": [ADD]},
        {"explanation": "why", "actions": [ADD]},
        ADD,
        {"tools": [ADD]},
        {"doc_edits": [ADD]},
        {"tools": [ADD], "doc_edits": []},
        {"operation": ADD},
        {"add_node": {"type": "cache", "label": "Redis"}},
        {"input": {"operations": [ADD]}},
        {"name": "edit_diagram", "arguments": json.dumps({"operations": [ADD]})},
        {"tools": [{"tool": "edit_diagram", "input": {"operations": [ADD]}}]},
        {"tool_calls": [{"type": "function", "function": {"name": "edit_diagram", "arguments": {"tools": [ADD]}}}]},
    ],
    ids=lambda one: json.dumps(one)[:40],
)
def test_the_list_is_found(given: dict[str, Any]) -> None:
    """As a text, alone, inside itself, under another name."""
    assert operations_of("edit_diagram", given) == [ADD]


def test_no_operations_are_no_operations() -> None:
    """An empty call is refused by the strict reader, in its words; a list that is broken JSON here."""
    for empty in ({}, {"operations": []}, {"operations": None}, {"explanation": "x"}, {"operations": 3}):
        assert operations_of("edit_diagram", empty) == []
    assert refusal_of(lambda: parse_batch([], WorkspaceLimits())) == "invalid_request"
    assert refusal_of(lambda: operations_of("edit_diagram", {"operations": '[{"op": '})) == "invalid_request"


def test_several_lists_are_one() -> None:
    """Operations of diagram and document in one call: none is lost, in the order in which they stand."""
    both = {"tools": [ADD, EDGE], "doc_edits": [{"section": "A", "old_str": "b", "new_str": "c"}], "explanation": "x"}
    assert operations_of("edit_diagram", both) == [ADD, EDGE, QUOTE]


@pytest.mark.parametrize(
    "given, path",
    [
        ({"modifications": [ADD]}, "/modifications"),
        ({"changes": [json.dumps(ADD)]}, "/changes"),
        ({"nodes": [{"id": "a"}], "edges": []}, "/nodes"),
        ({"operations": [ADD], "more": [EDGE]}, "/more"),
        ({"operations": [], "edge": {"source": "a", "target": "b"}}, "/edge"),
        ({"operations": [ADD], **EDGE}, "/op"),
    ],
    ids=lambda one: json.dumps(one)[:40],
)
def test_operations_in_a_wrong_place_are_not_lost(given: dict[str, Any], path: str) -> None:
    """A list under a name that nobody knows is no empty batch: it is refused, and the right name is said."""
    with pytest.raises(DraftsmithError) as caught:
        operations_of("edit_diagram", given)
    assert [(one.code, one.path, one.candidates) for one in caught.value.problems] == [
        ("field_unknown", path, ("operations",))
    ]
    assert "operations" in rejection_text(caught.value)


def test_why_is_taken_from_wherever_it_stands() -> None:
    """In the call, else in its operations; each reason once."""
    why = {"reason": "faster reads"}
    assert explanations_of("edit_diagram", {"operations": [ADD | why], "explanation": "asked for"}) == ["asked for"]
    assert explanations_of("edit_diagram", {"operations": [ADD | why, EDGE | why, EDGE | {"comment": "b"}]}) == [
        "faster reads",
        "b",
    ]
    call = {"name": "edit_diagram", "input": {"operations": [ADD], "explanation": "asked for"}}
    assert explanations_of("edit_diagram", call) == ["asked for"]
    assert explanations_of("rewrite_document", {"text": "# A", "explanation": "shorter"}) == ["shorter"]
    assert explanations_of("edit_diagram", {"operations": [ADD]}) == []


def test_null_for_what_is_absent_is_left_out() -> None:
    """Some models fill every field; where null clears something it stays."""
    given = [
        {"op": "delete_node", "id": "a", "bridge": None, "children": None},
        {"op": "edit_section", "section": "# A", "find": "b", "replace": "c", "all": None},
        {"op": "update_node", "id": "a", "description": None},
        {"op": "move_to_group", "ids": ["a"], "group": None},
    ]
    found = operations_of("edit_diagram", {"operations": given})
    assert found == [
        {"op": "delete_node", "id": "a"},
        {"op": "edit_section", "section": "# A", "find": "b", "replace": "c"},
        *given[2:],
    ]
    assert operations_of("rewrite_diagram", {"nodes": [{"id": "a", "parent": None}], "edges": []})[0]["nodes"] == [
        {"id": "a", "parent": None}
    ]
    parse_batch(found, WorkspaceLimits())


def test_things_that_are_no_object_stay() -> None:
    """So that the strict reader can name them."""
    assert operations_of("edit_diagram", {"operations": [3, None, "no json", ["a"]]}) == [3, None, "no json", ["a"]]


def test_rewriting_becomes_a_whole_state() -> None:
    """What is absent stays absent: a missing list of edges must not delete every edge."""
    whole = {"nodes": [{"node_id": "a", "type": "Service", "label": "A"}], "edges": [{"from": "a", "to": "b"}]}
    right = {
        "op": "replace_diagram",
        "nodes": [{"id": "a", "type": "service", "label": "A"}],
        "edges": [{"source": "a", "target": "b"}],
    }
    assert operations_of("rewrite_diagram", whole) == [right]
    assert operations_of("rewrite_diagram", {"diagram": whole, "explanation": "x"}) == [right]
    assert operations_of("rewrite_diagram", {**whole, "edges": json.dumps(whole["edges"])}) == [right]
    assert operations_of("rewrite_diagram", {"nodes": []}) == [{"op": "replace_diagram", "nodes": []}]
    assert operations_of("rewrite_document", {"text": "# A"}) == [{"op": "replace_document", "text": "# A"}]
    assert operations_of("rewrite_document", {}) == [{"op": "replace_document"}]
    with pytest.raises(DraftsmithError):
        parse_batch(operations_of("rewrite_diagram", {"nodes": []}), WorkspaceLimits())


def test_every_operation_of_the_page_passes_unchanged() -> None:
    """No field of any operation is taken for an alias of another."""
    for name, model in OPERATION_MODELS.items():
        given = {"op": name} | {field: "x" for field in model.model_fields if field not in ("op", "ids")}
        assert operations_of("edit_diagram", {"operations": [given]}) == [given]


_FIELDS = st.sampled_from(
    [
        *sorted({f for m in OPERATION_MODELS.values() for f in m.model_fields}),
        *(
            "action",
            "from",
            "x",
            "tool",
            "input",
            "arguments",
            "updates",
            "operations",
            "reason",
            "old_str",
            "function",
        ),
    ]
)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from([*OPERATION_MODELS, "[]", "{", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_FIELDS, inner, max_size=4),
    max_leaves=10,
)


@given(
    st.sampled_from(["edit_diagram", "edit_document", "rewrite_diagram", "rewrite_document"]),
    st.dictionaries(
        st.sampled_from(
            ["operations", "edits", "nodes", "edges", "text", "diagram", "op", "tools", "doc_edits", "input", "x"]
        ),
        _VALUES,
    ),
)
def test_whatever_a_model_sends_is_read_or_refused(tool: str, sent: dict[str, Any]) -> None:
    """Never a defect: operations, or a refusal that can be told; half of it neither."""
    raw = json.dumps(sent)
    for end in (len(raw) // 2, len(raw)):
        assert isinstance(complete_operations(tool, raw[:end]), list)
    problems, said = _refusal(tool, sent)
    assert len(said) <= 8_000
    assert bool(problems) == bool(said)


def _refusal(tool: str, sent: dict[str, Any]) -> tuple[int, str]:
    """How many problems a call has, and what is said of them."""
    try:
        parse_batch(operations_of(tool, sent), WorkspaceLimits())
    except DraftsmithError as error:
        return len(error.problems), rejection_text(error)
    return 0, ""


# -- while it is being written -----------------------------------------------------------------------------------------

WHOLE = json.dumps({"explanation": "why", "operations": [ADD, EDGE, {"op": "update_node", "id": "a", "label": '}],"'}]})


def test_operations_appear_when_they_are_complete() -> None:
    """At every length: a prefix of the operations, growing, never one that still changes; at the end all of them."""
    every = operations_of("edit_diagram", json.loads(WHOLE))
    counts = []
    for end in range(len(WHOLE) + 1):
        found = complete_operations("edit_diagram", WHOLE[:end])
        assert found == every[: len(found)], WHOLE[:end]
        counts.append(len(found))
    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2, 3}
    assert counts[WHOLE.index('{"op": "add_edge"') + 1] == 1, "the first is complete when the second begins"
    assert counts[-2] == 3, "the last is complete when its list is closed"


@pytest.mark.parametrize(
    "given",
    [
        {"tools": [ADD, {"tool": "add_edge", "input": {"from": "a", "to": "b"}}, ADD]},
        {"operations": [ADD, ADD], "doc_edits": [{"section": "A", "old_str": "b", "new_str": "c"}, ADD]},
        {"input": {"operations": [ADD, ADD]}, "explanation": "why"},
        {"name": "edit_diagram", "arguments": {"operations": [ADD, ADD]}},
        {"tools": [{"name": "edit_diagram", "input": {"operations": [ADD, EDGE]}}, ADD]},
        {"operation": ADD},
        {"op": "update_node", "id": "a", "updates": {"label": "B"}},
    ],
    ids=lambda one: json.dumps(one)[:40],
)
def test_every_form_appears_while_it_is_written(given: dict[str, Any]) -> None:
    """At every length a growing prefix of what the whole call means, in whatever form; at the end all of it."""
    raw, every = json.dumps(given), operations_of("edit_diagram", given)
    seen = [complete_operations("edit_diagram", raw[:end]) for end in range(len(raw) + 1)]
    assert all(found == every[: len(found)] for found in seen)
    assert [len(found) for found in seen] == sorted(len(found) for found in seen)
    assert seen[-1] == every


def test_complete_operations_are_put_right_too() -> None:
    """What ghosts are drawn from is what will be run."""
    raw = '{"operations": [{"action": "Add Edge", "from": "a", "to": "b"}, {"op'
    assert complete_operations("edit_document", raw) == [EDGE]


@pytest.mark.parametrize("raw", ["", "{", "[]", "nonsense", '{"operations": 3}', '{"operations": "[{', '{"a": 1}', "3"])
def test_nothing_to_see_is_nothing(raw: str) -> None:
    """Broken, other or too short JSON has no operations."""
    assert complete_operations("edit_diagram", raw) == []


def test_a_rewrite_is_complete_at_its_end_only() -> None:
    """Half a diagram would show everything else deleted."""
    raw = '{"nodes": [{"id": "a"}], "edges": []'
    assert complete_operations("rewrite_diagram", raw) == []
    assert complete_operations("rewrite_diagram", raw + "}") == [
        {"op": "replace_diagram", "nodes": [{"id": "a"}], "edges": []}
    ]


def test_what_products_were_taken_for_is_told() -> None:
    """Once for each word, wherever it stands; a label may be a product."""
    asked = {
        "operations": [
            ADD | {"type": "redis"},
            ADD | {"type": "redis"},
            {"op": "insert_between", "source": "a", "target": "b", "node": json.dumps({"type": "broker"})},
            ADD,
        ]
    }
    notes = [
        "“redis” is no type of node; it was taken for cache with the technology Redis.",
        "“broker” is no type of node; it was taken for queue.",
    ]
    assert _notes("edit_diagram", asked) == notes
    assert _notes("rewrite_diagram", {"nodes": asked["operations"]}) == notes
    own = {"op": "update_node", "id": "a", "properties": {"type": "redis"}}
    assert _notes("edit_diagram", {"operations": [own]}) == []


def test_only_what_was_taken_for_a_type_is_told() -> None:
    """A text that happens to be JSON stays a text, and nobody is told of a type in it."""
    text = json.dumps({"type": "redis"})
    for own in (ADD | {"description": text}, {"op": "append_to_section", "section": "# A", "text": text}):
        assert operations_of("edit_diagram", {"operations": [own]}) == [own]
        assert _notes("edit_diagram", {"operations": [own]}) == []
    between = {"op": "insert_between", "source": "a", "target": "b", "node": {"type": "kafka", "label": "Events"}}
    assert _notes("edit_diagram", {"operations": [between]}) == [
        "“kafka” is no type of node; it was taken for stream with the technology Kafka."
    ]


def _notes(tool: str, asked: dict[str, Any]) -> list[str]:
    notes: dict[str, None] = {}
    operations_of(tool, asked, notes)
    return list(notes)
