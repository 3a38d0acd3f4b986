"""The form of what is sent is checked in pieces where it holds much: the same answers, never many faults at once."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from draftsmith.api.forms import schemas
from draftsmith.api.forms.reading import checking
from draftsmith.errors import DraftsmithError
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.slices import run_slices
from draftsmith.transform.requests import form_check
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.requests.form_check import MAX_PROBLEMS, check_form
from draftsmith.transform.requests.operations import Operation

_FORM: Any = list[Operation]
Op = dict[str, Any]
MANY = 20_000


def numbered_node(number: int, **more: Any) -> Op:
    return {"id": f"n{number}", "type": "service", "label": "N", **more}


def numbered_edge(number: int, **more: Any) -> Op:
    return {"source": "a", "target": "b", "route": [{"x": number, "y": 2.5}] * 3, **more}


def diagram(nodes: list[Op], edges: list[Op]) -> Op:
    return {"op": "replace_diagram", "nodes": nodes, "edges": edges}


UNKNOWN = {f"x{number}": 1 for number in range(MANY)}
HOSTILE: dict[str, list[Any]] = {
    "unknown fields of an operation": [{"op": "add_node", "type": "api", "label": "A", **UNKNOWN}],
    "unknown fields of a value": [{"op": "update_node", "id": "a", "position": {"x": 1, "y": 2, **UNKNOWN}}],
    "many faulty nodes": [diagram([numbered_node(n, **dict(list(UNKNOWN.items())[:50])) for n in range(500)], [])],
    "faulty places": [{"op": "move_nodes", "positions": {f"n{n}": {"x": "1", "y": 2} for n in range(MANY)}}],
    "a place with unknown fields": [{"op": "move_nodes", "positions": {"a": UNKNOWN}}],
    "numbers for ids": [{"op": "delete_nodes", "ids": [1] * MANY}],
    "numbers for properties": [{"op": "add_node", "type": "api", "label": "A", "properties": UNKNOWN}],
    "a node that is none": [{"op": "insert_between", "source": "a", "target": "b", "node": UNKNOWN}],
    "unknown operations": [{"op": "x"}] * 500,
    "empty lists": [[[]] * MANY] * 60,
}


class _Counted(TypeAdapter[Any]):
    """A form that notes how many faults it has made at once."""

    most = 0

    def validate_python(self, *args: Any, **options: Any) -> Any:
        try:
            return super().validate_python(*args, **options)
        except ValidationError as error:
            _Counted.most = max(_Counted.most, error.error_count())
            raise


@pytest.mark.parametrize("operations", HOSTILE.values(), ids=HOSTILE)
def test_hostile_operations_make_few_faults_and_fifty_problems(
    operations: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form_check, "TypeAdapter", _Counted)
    monkeypatch.setattr(form_check, "_adapters", {})
    monkeypatch.setattr(_Counted, "most", 0)
    with pytest.raises(DraftsmithError) as refused:
        parse_batch(operations, WorkspaceLimits())
    assert refused.value.code == "invalid_request"
    assert len(refused.value.problems) == MAX_PROBLEMS == 50
    assert "There are more than 50 problems" in refused.value.detail
    assert 0 < _Counted.most < 12_000


def test_large_values_become_what_they_become_at_once() -> None:
    """Whatever is checked in pieces is the same value in the end."""
    operations = [
        diagram(
            [numbered_node(n, properties={"k": "v"}) for n in range(1000)], [numbered_edge(n) for n in range(1000)]
        ),
        {"op": "move_nodes", "positions": {f"n{n}": {"x": n, "y": 0.123} for n in range(3000)}},
        {"op": "edit_text", "base_revision": 1, "changes": list(range(MANY))},
        {"op": "replace_document", "text": "x"},
    ]
    value, faults = check_form(_FORM, operations)
    assert faults == []
    assert value == TypeAdapter(_FORM).validate_python(operations)


@pytest.mark.parametrize(
    "operation,path",
    [
        (
            diagram([numbered_node(0)], [numbered_edge(n) for n in range(2999)] + [numbered_edge(0, kind="x")]),
            "/operations/1/edges/2999/kind",
        ),
        (
            diagram([numbered_node(n) for n in range(2000)] + [numbered_node(0, colour=1)], []),
            "/operations/1/nodes/2000/colour",
        ),
        (
            {"op": "move_nodes", "positions": {f"n{n}": {"x": n, "y": n} for n in range(3000)} | {"b": {"x": 1}}},
            "/operations/1/positions/b/y",
        ),
        ({"op": "delete_nodes", "ids": ["a"] * MANY}, "/operations/1/ids"),
        ({**diagram([numbered_node(n) for n in range(2000)], []), "extra": [[]] * MANY}, "/operations/1/extra"),
    ],
)
def test_one_fault_in_much_is_found_at_its_place(operation: Op, path: str) -> None:
    with pytest.raises(DraftsmithError) as refused:
        parse_batch([{"op": "replace_document", "text": ""}, operation], WorkspaceLimits())
    assert [problem.path for problem in refused.value.problems] == [path]
    assert "There are more" not in refused.value.detail


def test_bodies_are_checked_in_pieces_as_well() -> None:
    """Through optional fields and unions, to the same model and the same places."""
    content: Op = {"format": "draftsmith/1", "diagram": {"nodes": [numbered_node(n) for n in range(2000)], "edges": []}}
    body = {"import": {"format": "json", "content": content}}
    assert run_slices(checking(body, schemas.WorkspaceBody)) == schemas.WorkspaceBody.model_validate(body)
    content["diagram"]["nodes"][1999] = {"labl": 1}
    with pytest.raises(DraftsmithError) as refused:
        run_slices(checking(body, schemas.WorkspaceBody))
    (problem,) = refused.value.problems
    assert problem.path == "/import/content/diagram/nodes/1999/labl"
    assert "label" in problem.candidates
    for model in (schemas.EmptyBody, schemas.WorkspaceBody, schemas.EditsBody):
        with pytest.raises(DraftsmithError) as refused:
            run_slices(checking({**UNKNOWN, "edits": [UNKNOWN] * 20}, model))
        assert len(refused.value.problems) == 50
    with pytest.raises(DraftsmithError, match="'0': input should be a valid integer"):
        run_slices(checking({"operations": ["5"] * MANY}, schemas.AcceptBody))


def test_an_answer_repeats_no_long_names() -> None:
    """Neither in places nor in messages."""
    with pytest.raises(DraftsmithError) as refused:
        parse_batch(
            [{"op": "x" * 10_000}, {"op": "layout_diagram", "scope": "all", "y" * 10_000: 1}], WorkspaceLimits()
        )
    assert max(len(str(problem.to_json())) for problem in refused.value.problems) < 2_000
