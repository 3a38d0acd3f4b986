"""Cases that the page's model has to agree with: what the server makes of a state and a batch, or of a step, as JSON.

A batch case is `{name, before, operations, predicted, problems, steps?, inverses?, after?}`: `predicted` says whether
the page has to know the result by itself (null: it need not, as others move aside or names of types are compared),
`problems` are `[index, code]`, and the rest is there if the batch fits. What it makes is born as the page has it
(`UNBORN`). A case of steps alone is `{name, before, steps, inverses, after}`. A misfit case is
`{name, states, steps, reasons}`, with a row of reasons (null: it fits) for every state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.model.vocabulary import NODE_TYPES
from draftsmith.model.workspace import Workspace, dump, load
from draftsmith.transform.staged_operations import UNBORN
from draftsmith.transform.steps.steps import Step, apply, step_from_json
from tests.builders import Op, run

Case = dict[str, Any]
REVISION: Final = 4_000_000_000_001  # like nothing else in a case
_KINDS: Final = frozenset({"update_node", "move_nodes", "ungroup_nodes", "move_to_group", "rename_workspace"})
_WITH_ID: Final = frozenset({"add_edge", "update_edge", "delete_edge", "rewire_edge", "group_nodes"})


def content_of(workspace: Workspace) -> Any:
    """A state as the live protocol tells it, a copy of its own."""
    return orjson.loads(orjson.dumps(dump(workspace)))


def batch_case(name: str, content: Any, operations: Sequence[Op]) -> Case:
    """What becomes of a batch on a state."""
    workspace = load(orjson.loads(orjson.dumps(content)))
    case = {"name": name, "before": content, "operations": operations, "problems": []}
    case["predicted"] = all(is_predicted(operation) for operation in operations)
    if case["predicted"] and any(_may_name_a_type(operation, content.get("types", {})) for operation in operations):
        case["predicted"] = None
    try:
        tx = run(workspace, *operations, revision=REVISION, by_id=True)  # as the socket takes them
    except DraftsmithError as error:
        return _plain({**case, "problems": [[problem.index, problem.code] for problem in error.problems]})
    if any(warning.code == "moved_aside" for warning in tx.warnings):
        case["predicted"] = None
    return _plain({**case, **_done(tx.steps, workspace)})


def steps_case(name: str, content: Any, steps: Sequence[Step]) -> Case:
    """What becomes of a state by steps that fit it."""
    workspace = load(orjson.loads(orjson.dumps(content)))
    for step in steps:
        apply(step, workspace)
    return _plain({"name": name, "before": content, **_done(steps, workspace)})


def _done(steps: Sequence[Step], workspace: Workspace) -> Case:
    inverses = [step.inverse().to_json() for step in steps]
    return {"steps": [step.to_json() for step in steps], "inverses": inverses, "after": content_of(workspace)}


def misfit_case(name: str, contents: Sequence[Any], steps: Sequence[Any]) -> Case:
    """Whether, and why not, steps fit states."""
    states = [load(orjson.loads(orjson.dumps(content))) for content in contents]
    known = [step_from_json(step) for step in steps]
    reasons = [[step.conflict(state) for step in known] for state in states]
    return {"name": name, "states": list(contents), "steps": list(steps), "reasons": reasons}


def with_inverses(steps: Sequence[Step]) -> list[Any]:
    """Steps and what leads back from each, as JSON."""
    return [orjson.loads(orjson.dumps(one.to_json())) for step in steps for one in (step, step.inverse())]


def is_predicted(operation: Mapping[str, Any]) -> bool:
    """Whether the page resolves an operation of this form by itself: what gestures emit, ids and places given."""
    op = operation.get("op")
    if op == "add_node":
        return operation.get("id") is not None and operation.get("position") is not None
    if op in ("delete_node", "delete_nodes"):
        return operation.get("bridge") is not True
    return op in _KINDS or (op in _WITH_ID and operation.get("id") is not None)


def _may_name_a_type(operation: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Whether it may choose a type of one's own by its name, which the server alone compares."""
    kind = operation.get("type")
    return bool(own) and isinstance(kind, str) and kind not in NODE_TYPES and kind not in own


def _plain(case: Case) -> Case:
    """As it comes out of JSON, with everything that the batch made unborn."""
    plain: Case = orjson.loads(orjson.dumps(case).replace(str(REVISION).encode(), str(UNBORN).encode()))
    return plain
