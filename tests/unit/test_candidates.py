"""Candidates for unknown operations and fields: what was meant, and nothing that the caller is not offered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.assistant.answers.feedback import rejection_text
from draftsmith.assistant.answers.offers import offer_of
from draftsmith.assistant.answers.parse import operations_of
from draftsmith.assistant.tools.tool_inputs import DIAGRAM_OPERATIONS, DOCUMENT_OPERATIONS
from draftsmith.errors import BatchRejected, DraftsmithError, Problem
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.type_words import type_named
from draftsmith.model.vocabulary import NODE_TYPES
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import EVERYTHING, OPERATION_MODELS, parse_batch
from draftsmith.transform.requests.op_words import Offer
from tests.builders import Op, node, run

OFFERED = {"edit_diagram": DIAGRAM_OPERATIONS, "edit_document": DOCUMENT_OPERATIONS}
NEVER = {"locked", "position", "size", "positions", "sizes", "route", "routes", "changes", "base_revision"}


def form_problems(operation: Any, offer: Offer = EVERYTHING) -> list[Problem]:
    """What is wrong with the form of an operation."""
    with pytest.raises(DraftsmithError) as caught:
        parse_batch([operation], WorkspaceLimits(), offer=offer)
    return list(caught.value.problems)


@pytest.mark.parametrize(
    "tool, operation, first",
    [
        ("edit_diagram", {"op": "create", "type": "api", "label": "A"}, "add_node"),
        ("edit_diagram", {"op": "create", "source": "a", "target": "b"}, "add_edge"),
        ("edit_diagram", {"op": "make_node"}, "add_node"),
        ("edit_diagram", {"op": "insert_component"}, "add_node"),
        ("edit_diagram", {"op": "rename", "id": "a", "label": "B"}, "update_node"),
        ("edit_diagram", {"op": "relabel", "source": "a", "target": "b", "label": "B"}, "update_edge"),
        ("edit_diagram", {"op": "rename_workspace_to"}, "rename_workspace"),
        ("edit_diagram", {"op": "remove", "id": "a"}, "delete_node"),
        ("edit_diagram", {"op": "drop_nodes", "ids": ["a"]}, "delete_nodes"),
        ("edit_diagram", {"op": "disconnect", "source": "a", "target": "b"}, "delete_edge"),
        ("edit_diagram", {"op": "remove_connection"}, "delete_edge"),
        ("edit_diagram", {"op": "link", "source": "a", "target": "b"}, "add_edge"),
        ("edit_diagram", {"op": "connect_nodes"}, "add_edge"),
        ("edit_diagram", {"op": "move", "ids": ["a"], "group": "g"}, "move_to_group"),
        ("edit_diagram", {"op": "set", "id": "a", "technology": "Redis"}, "update_node"),
        ("edit_diagram", {"op": "modify_edge"}, "update_edge"),
        ("edit_diagram", {"op": "change", "id": "a", "label": "B"}, "update_node"),
        ("edit_diagram", {"op": "update", "id": "a", "label": "B"}, "update_node"),
        ("edit_diagram", {"op": "insert_node_between"}, "insert_between"),
        ("edit_diagram", {"op": "reroute", "id": "e"}, "rewire_edge"),
        ("edit_diagram", {"op": "create_group"}, "group_nodes"),
        ("edit_diagram", {"op": "tidy"}, "layout_diagram"),
        ("edit_diagram", {"op": "udpate_node"}, "update_node"),
        ("edit_document", {"op": "create", "title": "A"}, "insert_section"),
        ("edit_document", {"op": "add_section"}, "insert_section"),
        ("edit_document", {"op": "rename", "section": "A"}, "rename_section"),
        ("edit_document", {"op": "str_replace"}, "edit_section"),
        ("edit_document", {"op": "update", "section": "A", "find": "b", "replace": "c"}, "edit_section"),
        ("edit_document", {"op": "update_section", "section": "A", "text": "b"}, "replace_section"),
        ("edit_document", {"op": "remove_heading"}, "delete_section"),
        ("edit_document", {"op": "append_text"}, "append_to_section"),
        ("edit_document", {"op": "reorder", "section": "A", "after": "B"}, "move_section"),
    ],
    ids=lambda one: json.dumps(one)[:45],
)
def test_a_verb_leads_to_an_operation_of_this_tool(tool: str, operation: Op, first: str) -> None:
    """Also where the operation is named by a verb alone: what came with it decides what is meant first."""
    [problem] = form_problems(operation, offer_of(tool))
    assert (problem.code, problem.candidates[0]) == ("op_unknown", first)
    assert problem.candidates[0] in rejection_text(DraftsmithError("invalid_request", "", [problem]))


def test_what_another_tool_does_is_said_without_naming_its_operations() -> None:
    [problem] = form_problems({"op": "create_node"}, offer_of("edit_document"))
    assert problem.message == "There is no operation 'create_node'. The diagram is edited by the tool edit_diagram."
    [problem] = form_problems({"op": "rename_section_to"}, offer_of("edit_diagram"))
    assert problem.message.endswith("The document is edited by the tool edit_document.")


@given(
    st.sampled_from(["edit_diagram", "edit_document"]),
    st.sampled_from([*OPERATION_MODELS, "create", "rename", "move", "explode", "lock", "resize", "replace_all", ""]),
    st.dictionaries(
        st.sampled_from(["lock", "pos", "positon", "sise", "coordinates", "x", "label", "id", "node", "where"]),
        st.sampled_from(["a", 1, None, {"type": "api", "label": "A", "lock": True}]),
        max_size=3,
    ),
)  # fmt: skip
def test_nothing_is_named_that_is_not_offered(tool: str, name: str, fields: dict[str, Any]) -> None:
    """No operation of another tool, and no field that only people set, whatever the model sent."""
    offer = offer_of(tool)
    try:
        parse_batch(operations_of(tool, {"operations": [{"op": name, **fields}]}), WorkspaceLimits(), offer=offer)
    except DraftsmithError as error:
        for problem in error.problems:
            named = set(problem.candidates)
            assert named.isdisjoint(NEVER), problem
            assert named & OPERATION_MODELS.keys() <= OFFERED[tool].keys(), problem


def test_programs_are_shown_everything() -> None:
    """Over REST the whole vocabulary counts."""
    assert form_problems({"op": "update_node", "id": "a", "lock": True})[0].candidates[0] == "locked"
    [problem] = form_problems({"op": "update_node", "id": "a", "position": {"x": 1, "y": 1, "z": 1}})
    assert problem.candidates == ("x", "y")
    assert form_problems({"op": "move_node"})[0].candidates[0] == "move_to_group"
    assert "move_nodes" in form_problems({"op": "move_node"})[0].candidates


@pytest.mark.parametrize(
    "operation, field, right",
    [
        ({"op": "update_node", "node_id": "a"}, "node_id", "id"),
        ({"op": "add_node", "type": "api", "name": "A"}, "name", "label"),
        ({"op": "add_edge", "from": "a", "target": "b"}, "from", "source"),
        ({"op": "edit_section", "section": "A", "old_str": "b", "replace": "c"}, "old_str", "find"),
        ({"op": "insert_section", "heading": "A"}, "heading", "title"),
        ({"op": "add_node", "type": "api", "label": "A", "group": "g"}, "group", "parent"),
        ({"op": "update_node", "id": "a", "descripton": "b"}, "descripton", "description"),
    ],
)
def test_an_unknown_field_leads_to_the_right_one(operation: Op, field: str, right: str) -> None:
    found = {problem.path: problem for problem in form_problems(operation)}
    assert found[f"/operations/0/{field}"].candidates[0] == right


def test_a_field_that_another_operation_changes_names_it() -> None:
    """The one that does what was asked for, as far as it is offered."""
    [problem] = form_problems({"op": "update_node", "id": "a", "parent": "g"}, offer_of("edit_diagram"))
    assert problem.message == "'update_node' has no field 'parent'; move_to_group does that."
    [problem] = form_problems({"op": "update_node", "id": "a", "parent": "g"}, offer_of("edit_document"))
    assert "move_to_group" not in (problem.message, *problem.candidates)


def test_two_values_for_one_field_are_told_as_such() -> None:
    """Which of them is meant is not guessed."""
    for operation in (
        {"op": "edit_section", "section": "A", "find": "b", "old_str": "c", "replace": "d"},
        {"op": "edit_section", "section": "A", "old_str": "b", "old_text": "c", "replace": "d"},
    ):
        [given] = operations_of("edit_document", {"operations": [operation]})
        [problem] = form_problems(given, offer_of("edit_document"))
        assert problem.message.endswith(", and 'find' is given already.")
    [given] = operations_of("edit_diagram", {"operations": [{"op": "update_node", "id": "a", "label": "B",
                                                            "updates": {"label": "C"}}]})  # fmt: skip
    [problem] = form_problems(given, offer_of("edit_diagram"))
    assert problem.message.endswith("; the fields of an operation stand beside 'op', each of them once.")


@pytest.mark.parametrize("spelled, type_", [
    ("loadbalancer", "load_balancer"), ("Load-Balancer", "load_balancer"), ("LB", "load_balancer"),
    ("message_queue", "queue"), ("messageQueue", "queue"), ("db", "database"), ("data store", "database"),
    ("api_gateway", "gateway"), ("frontend", "web"), ("mobile app", "mobile"), ("lambda", "function"),
    ("object storage", "storage"), ("event bus", "stream"), ("third-party", "external"), ("MLModel", "ml_model"),
])  # fmt: skip
def test_usual_spellings_of_types(spelled: str, type_: str) -> None:
    assert type_named(spelled) == type_


@pytest.mark.parametrize("word", ["redis", "postgres", "broker", "messaging", "app", "thing", "", "🚀"])
def test_what_is_no_name_of_one_type_is_none(word: str) -> None:
    """Products, words for several types, and anything else."""
    assert type_named(word) is None


def test_every_type_is_its_own_name() -> None:
    assert all(type_named(one) == one for one in NODE_TYPES)


def test_a_product_in_place_of_a_type_leads_to_its_type() -> None:
    """Refused, with the type that things of this sort have first."""
    meant = {"postgres": "database", "redis": "cache", "kafka": "stream", "loadbalancer": "load_balancer"}
    for word, first in meant.items():
        with pytest.raises(BatchRejected) as rejected_:
            run(Workspace("W"), node("n", type=word))
        [problem] = rejected_.value.problems
        assert (problem.code, problem.candidates[0]) == ("type_unknown", first)
