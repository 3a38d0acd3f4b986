"""Which operations of a proposal come along with which: named cases. That none is missing is a law (`test_carry`)."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.staged_operations import StagedOperation, stage
from draftsmith.transform.undo.dependencies import dependencies
from tests.builders import edge, group, node, run, update, workspace_of
from tests.kit.documents import append_to_section, edit_section, insert_section

Op = dict[str, Any]
CALLS: Op = {"op": "rewire_edge", "id": "web--api", "new_target": "limiter"}
LOGS: Op = {"op": "delete_node", "id": "logs"}
LIMITER: Op = {"op": "add_node", "id": "limiter", "type": "gateway", "label": "Limiter"}


@pytest.fixture
def call_chain() -> Workspace:
    """Web and app call the API, which writes logs."""
    workspace = Workspace()
    nodes = [{"op": "add_node", "id": name, "type": "service", "label": name} for name in ("web", "app", "api", "logs")]
    ends = [("web", "api"), ("app", "api"), ("api", "logs")]
    run(workspace, *nodes, *({"op": "add_edge", "source": source, "target": target} for source, target in ends))
    return workspace


def needs(workspace: Workspace, *operations: Op) -> list[set[int]]:
    """For each operation those it builds on."""
    staged: list[StagedOperation] = []
    for one in operations:
        staged += stage(workspace, parse_batch([one], WorkspaceLimits()), [one], WorkspaceLimits())
    return dependencies(staged)


def test_a_connection_that_moves_does_not_need_one_that_went_elsewhere(call_chain: Workspace) -> None:
    """What cannot be equal to it made no room for it."""
    assert needs(call_chain, LOGS, LIMITER, CALLS) == [set(), set(), {1}]


def test_two_connections_that_move_do_not_need_each_other(call_chain: Workspace) -> None:
    """They leave one end and come to another."""
    assert needs(call_chain, LIMITER, CALLS, {**CALLS, "id": "app--api"}) == [set(), {0}, {0}]


def test_a_connection_of_a_new_node_does_not_need_those_that_came_to_it(call_chain: Workspace) -> None:
    """Nothing that was there before began at the new node."""
    onward = {"op": "add_edge", "source": "limiter", "target": "api"}
    assert needs(call_chain, LIMITER, CALLS, onward) == [set(), {0}, {0}]


def test_an_equal_connection_needs_that_the_first_one_went(call_chain: Workspace) -> None:
    """Deleted and put in again, or moved to where one was deleted."""
    gone = {"op": "delete_edge", "id": "web--api"}
    assert needs(call_chain, gone, {"op": "add_edge", "source": "web", "target": "api"})[1] == {0}


def test_a_connection_that_moves_to_where_one_went_needs_that(call_chain: Workspace) -> None:
    """The app's call begins at the web shop now, as another did."""
    gone = {"op": "delete_edge", "id": "web--api"}
    assert needs(call_chain, gone, {"op": "rewire_edge", "id": "app--api", "new_source": "web"})[1] == {0}


@pytest.mark.parametrize(
    "gone",
    [
        {"op": "rewire_edge", "id": "web--api", "new_target": "logs"},
        {"op": "rewire_edge", "id": "web--api", "new_source": "logs", "new_target": "app"},
        {"op": "update_edge", "id": "web--api", "label": "calls"},
        {"op": "update_edge", "id": "web--api", "kind": "async"},
    ],
)
def test_a_connection_that_comes_where_another_was_needs_that_it_is_another_now(
    call_chain: Workspace, gone: Op
) -> None:
    """The first one leads elsewhere, or is called or meant otherwise."""
    assert needs(call_chain, gone, {"op": "add_edge", "source": "web", "target": "api"}) == [set(), {0}]


@pytest.mark.parametrize("label, needed", [("mail", {0}), ("", set()), (None, set())])
def test_a_connection_that_comes_where_another_was_is_compared_by_what_that_was_called(
    call_chain: Workspace, label: str | None, needed: set[int]
) -> None:
    """One that had another name, or none, made no room for it."""
    run(call_chain, {"op": "update_edge", "id": "web--api", "label": label})
    mail = {"op": "add_edge", "source": "web", "target": "api", "label": "mail"}
    assert needs(call_chain, {"op": "update_edge", "id": "web--api", "label": "calls"}, mail) == [set(), needed]


_TEXT = "# Shop\n\nOne two three.\n\n## Storage\n\nPostgres.\n\n## Risks\n\nOne machine.\n"


@pytest.mark.parametrize(
    "first, second, is_needed",
    [
        (append_to_section("Storage", "Redis and more."), edit_section("Storage", "and more", "alone"), True),
        (append_to_section("Storage", "Redis and more."), edit_section("Risks", "One machine", "Two"), False),
        (edit_section("Shop", "two", "2 and 2"), edit_section("Shop", "One 2", "1"), True),
        (edit_section("Shop", "two", "2 and 2"), edit_section("Shop", "2 three", "x"), True),
        (edit_section("Shop", "two", "2 and 2"), edit_section("Shop", "and", ""), True),
        (edit_section("Shop", "two", "2 and 2"), edit_section("Shop", "three", "3"), False),
        (edit_section("Shop", "two", "2 and 2"), edit_section("Shop", "One", "1"), False),
        (edit_section("Shop", "two", "2 and 2"), edit_section("Shop", "One ", "One-"), False),
        (edit_section("Shop", "two", "2 and 2"), edit_section("Shop", " three", "-three"), False),
        (insert_section("Costs", text="Few.", after="Storage"), insert_section("More", text="x", after="Costs"), True),
        (insert_section("Costs", text="Few.", after="Storage"), append_to_section("Costs", "Fewer."), True),
        (insert_section("Costs", text="Few.", after="Storage"), edit_section("Shop", "One", "1"), False),
    ],
)
def test_a_text_needs_what_it_stands_in_or_beside(first: Op, second: Op, is_needed: bool) -> None:
    """What an earlier operation wrote, from its first character to its last; a new section with what follows in it."""
    assert needs(workspace_of(text=_TEXT), first, second)[1] == ({0} if is_needed else set())


_OUT: Op = {"op": "move_to_group", "ids": ["in"], "group": None}
_INTO: Op = {"op": "move_to_group", "ids": ["a"], "group": "g"}


@pytest.mark.parametrize(
    "first, second, is_needed",
    [
        (update("a", label="A"), update("a", label="AA"), True),
        (update("a", label="A"), update("a", notes="N"), False),
        (update("a", label="A"), {"op": "delete_node", "id": "a"}, True),
        (update("a", label="A"), edge("a", "b", label="x"), False),
        (update("a", label="A"), update("b", label="B"), False),
        ({"op": "delete_node", "id": "a"}, node("a"), True),
        (node("n"), update("n", label="N"), True),
        (node("n"), edge("n", "a"), True),
        (group("n"), {"op": "move_to_group", "ids": ["a"], "group": "n"}, True),
        (_INTO, {"op": "delete_node", "id": "a"}, True),
        (_INTO, update("g", label="G"), False),
        (_OUT, {"op": "delete_node", "id": "g"}, True),
        (_OUT, update("g", label="G"), False),
        (_OUT, update("in", label="I"), False),
        ({"op": "delete_edge", "id": "e"}, {"op": "delete_node", "id": "a"}, True),
        ({"op": "delete_edge", "id": "e"}, update("a", label="A"), False),
        ({"op": "update_edge", "id": "e", "label": "x"}, edge("a", "b"), True),
        ({"op": "update_edge", "id": "e", "label": "x"}, {"op": "update_edge", "id": "e", "description": "n"}, False),
        ({"op": "rename_workspace", "name": "1"}, {"op": "rename_workspace", "name": "2"}, True),
        ({"op": "rename_workspace", "name": "1"}, update("a", label="A"), False),
    ],
)
def test_an_operation_needs_what_made_or_changed_what_it_is_about(first: Op, second: Op, is_needed: bool) -> None:
    """Not what changed another field of it, nor what is about its neighbours."""
    workspace = workspace_of(group("g"), node("a"), node("b", 400), node("in", parent="g"), edge("a", "b", id="e"))
    assert needs(workspace, first, second)[1] == ({0} if is_needed else set())
