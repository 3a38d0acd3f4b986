"""Laws of a batch: all or nothing, exactly invertible, sound afterwards, the same through bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.errors import BatchRejected
from draftsmith.history.diff import diff_of
from draftsmith.model.diagram import NO_ENDS
from draftsmith.model.fields import field_of
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.workspace import Workspace, diagram_json, dump, load
from draftsmith.transform.steps.base import Cell
from draftsmith.transform.steps.steps import Step, apply, step_from_json
from draftsmith.transform.undo.restore import difference, restore
from tests.builders import (
    Op,
    assert_sound,
    canonical,
    copy_of,
    edge,
    group,
    node,
    refusal_of,
    refused,
    run,
    workspace_of,
)
from tests.seeds import examples
from tests.strategies import documents, operations_on

TEXT = "intro 🚀\n\n# Risks\n\nalpha beta\n\n## Data\n\n- item\n- item\n\nÄngste 🚀\n---\n\nx\n"
START = [
    group("g", 10, 20),
    group("h", 50, 50, parent="g"),
    node("a", 24, 40, parent="h"),
    node("b", 400, 0),
    node("c", 700, 0),
    edge("a", "b", id="e", route=[{"x": 1, "y": 2}]),
    edge("b", "c", id="f", label="reads"),
]


@st.composite
def workspaces(draw: st.DrawFn) -> Workspace:
    """A workspace with groups, edges and sections, and some commits in which further things happened."""
    workspace = workspace_of(*START, text=draw(st.one_of(st.just(TEXT), documents)))
    for revision in range(2, draw(st.integers(2, 5))):
        fitting(workspace, draw_batch(draw, workspace, 2), revision)
    return workspace


def draw_batch(draw: Callable[..., Any], workspace: Workspace, size: int = 4, part: str = "") -> list[Op]:
    """Some operations on what is in a workspace."""
    return list(draw(st.lists(operations_on(workspace, part), min_size=1, max_size=size)))


def fitting(workspace: Workspace, batch: Sequence[Op], revision: int) -> tuple[list[Op], list[Step]]:
    """What is left of a batch without the operations that do not fit, and its steps; applied to the workspace."""
    left = list(batch)
    while left:
        try:
            return left, run(workspace, *left, revision=revision).steps
        except BatchRejected as rejected:
            bad = {problem.index for problem in rejected.problems}
            left = [op for index, op in enumerate(left) if index not in bad]
    return [], []


@given(workspaces(), st.data())
@settings(max_examples=examples(250))
def test_a_batch_and_its_inverse_are_nothing(workspace: Workspace, data: st.DataObject) -> None:
    """P1: the steps lead from the one state to the other, and their inverses back, byte for byte, step by step."""
    states = [canonical(workspace)]
    before = copy_of(workspace)
    _, steps = fitting(workspace, draw_batch(data.draw, workspace), 9)
    after = canonical(workspace)
    for step in steps:  # the logged steps are the whole of what happened
        apply(step, before)
        states.append(canonical(before))
    assert states[-1] == after
    assert_sound(before)
    for step in reversed(steps):
        assert canonical(workspace) == states.pop()
        apply(step.inverse(), workspace)
    assert canonical(workspace) == states.pop()
    assert_sound(workspace)


@given(workspaces(), st.data())
@settings(max_examples=examples(150))
def test_steps_say_what_they_do(workspace: Workspace, data: st.DataObject) -> None:
    """What a step says of itself is so in the states before and after it, and its inverse says the opposite."""
    now = copy_of(workspace)
    _, steps = fitting(workspace, draw_batch(data.draw, workspace), 9)
    for step in steps:
        inverse = step.inverse()
        assert (inverse.key, inverse.inserts, inverse.removes) == (step.key, step.removes, step.inserts)
        assert inverse.pairs == {field: (new, old) for field, (old, new) in step.pairs.items()}
        touched = [*step.needs(), *step.frees(), *inverse.needs(), *inverse.frees()]
        others = {key for part, key, _ in touched if part != "edge" and (part, key) != (step.key or ())[:2]}
        assert set(step.named_nodes()) == set(inverse.named_nodes()) == others
        assert set(step.overwrites()) == _cells_lost(step, now)
        assert step.without(()) == step
        assert not step.pairs or step.without(step.pairs) is None
        was_there, nodes = _is_there(step, now), now.diagram.node_count
        apply(step, now)
        assert now.diagram.node_count - nodes == step.node_growth
        assert (was_there, _is_there(step, now)) == (not step.inserts, not step.removes)
    assert canonical(now) == canonical(workspace)


def _cells_lost(step: Step, before: Workspace) -> set[Cell]:
    """The cells that hold something before a step and that it writes; of a removal, all fields as one."""
    diagram = before.diagram
    found = set()
    for part, key, field in step.writes():
        if part == "workspace":
            values: Mapping[str, Any] = {"name": before.name, "eol": before.document.eol}
        elif part == "node":
            values = diagram.node(NodeId(key)) or {}
        elif part == "type":
            values = diagram.types.get(key) or {}
        else:
            ends = diagram.ends(EdgeId(key)) or NO_ENDS
            values = {**(diagram.edge(EdgeId(key)) or {}), "source": ends[0], "target": ends[1]}
        if field == "*" or field_of(values, field) not in (None, "", {}, []):
            found.add((part, key, field))
    return found


def _is_there(step: Step, workspace: Workspace) -> bool:
    """Whether there is what a step changes: a node, an edge, or what is always there."""
    part, key, birth = step.key or ("document", "", 0)
    if part not in ("node", "edge"):
        return True
    there = workspace.diagram.node(NodeId(key)) if part == "node" else workspace.diagram.edge(EdgeId(key))
    return there is not None and there["birth"] == birth


@given(workspaces(), st.data())
@settings(max_examples=examples(200))
def test_a_refused_batch_leaves_nothing_behind(workspace: Workspace, data: st.DataObject) -> None:
    """P2: a batch with one operation that cannot fit changes neither the dump nor any index; one that fits is sound.

    P6, P17, P18: whatever fits leaves no dangling or equal edges, no self loops, and groups that are a forest.
    """
    # These indexes are there before, so have to be kept.
    _ = workspace.diagram.places, workspace.diagram.ids_by_name("")
    before = canonical(workspace)
    batch = draw_batch(data.draw, workspace)
    doomed = [*batch, {"op": "delete_node", "id": "never-there"}]
    problems = refused(workspace, *doomed, revision=9)
    assert problems[-1] == (len(batch), "node_not_found")
    assert problems == sorted(problems, key=lambda problem: problem[0])
    assert canonical(workspace) == before
    assert_sound(workspace)
    fitting(workspace, draw_batch(data.draw, workspace), 9)
    assert_sound(workspace)


@given(workspaces(), st.data())
def test_steps_survive_bytes(workspace: Workspace, data: st.DataObject) -> None:
    """P15: every step, through JSON and back, is the same value and does the same."""
    other = copy_of(workspace)
    _, steps = fitting(workspace, draw_batch(data.draw, workspace), 9)
    decoded = [step_from_json(orjson.loads(orjson.dumps(step.to_json()))) for step in steps]
    assert decoded == list(steps)
    for step in decoded:
        apply(step, other)
    assert canonical(other) == canonical(workspace)
    for step in reversed(decoded):
        apply(step.inverse(), other)
    assert_sound(other)


@given(workspaces(), st.data(), st.randoms(use_true_random=False))
@settings(max_examples=examples(60))
def test_the_dump_does_not_tell_the_order(workspace: Workspace, data: st.DataObject, random: object) -> None:
    """P16: nodes and edges put in in any order give the same bytes, and the same JSON for readers."""
    fitting(workspace, draw_batch(data.draw, workspace), 9)
    content = dump(workspace)
    shuffled = {**content, "nodes": list(content["nodes"]), "edges": list(content["edges"])}
    random.shuffle(shuffled["nodes"])  # type: ignore[attr-defined]  # Hypothesis gives a random.Random
    random.shuffle(shuffled["edges"])  # type: ignore[attr-defined]  # as above
    other = load(shuffled)
    assert canonical(other) == canonical(workspace)
    assert diagram_json(other.diagram) == diagram_json(workspace.diagram)
    assert_sound(other)


@given(workspaces(), st.data())
@settings(max_examples=examples(250))
def test_restore_leads_to_any_state(workspace: Workspace, data: st.DataObject) -> None:
    """From any state to any other, births included, by steps that can be taken back; unless a lock stands there."""
    fitting(workspace, draw_batch(data.draw, workspace), 8)
    wanted = copy_of(workspace)
    fitting(workspace, draw_batch(data.draw, workspace), 9)
    left = canonical(workspace)
    locked = [node_id for node_id in workspace.diagram.node_ids() if workspace.diagram.lock_on(node_id)]
    steps: list[Step] = []
    refusal = refusal_of(lambda: steps.extend(restore(workspace, wanted)))
    if refusal:
        assert refusal == "locked"
        assert locked
        assert canonical(workspace) == left
        return
    assert canonical(workspace) == canonical(wanted)
    assert_sound(workspace)
    for step in reversed(steps):
        apply(step.inverse(), workspace)
    assert canonical(workspace) == left


@given(workspaces(), st.data())
@settings(max_examples=examples(100))
def test_a_difference_does_not_mind_locks(workspace: Workspace, data: st.DataObject) -> None:
    """For comparing, the way from one state to another is found over locked nodes too."""
    fitting(workspace, draw_batch(data.draw, workspace), 8)
    wanted = copy_of(workspace)
    fitting(workspace, draw_batch(data.draw, workspace), 9)
    difference(workspace, wanted)
    assert canonical(workspace) == canonical(wanted)


@given(workspaces(), st.data())
@settings(max_examples=examples(200))
def test_a_diff_says_what_differs(workspace: Workspace, data: st.DataObject) -> None:
    """The net diff of the steps is what a comparison of the two states finds."""
    before, old_types = _shapes(workspace), dict(workspace.diagram.types)
    _, steps = fitting(workspace, draw_batch(data.draw, workspace), 9)
    after, new_types = _shapes(workspace), workspace.diagram.types
    found = diff_of(steps)
    changed_types = {key for key in old_types.keys() | new_types.keys() if old_types.get(key) != new_types.get(key)}
    assert found.get("types", {}) == {key: [old_types.get(key), new_types.get(key)] for key in changed_types}
    for part in ("nodes", "edges"):
        old, new = before[part], after[part]
        # What went and came again in one batch is another one under the same id; so it may be told as a change.
        assert {item["id"] for item in found[part]["added"]} == new.keys() - old.keys()
        assert set(found[part]["removed"]) == old.keys() - new.keys()
        assert all(new[item["id"]] == item for item in found[part]["added"])
        changed = {item["id"]: item["fields"] for item in found[part]["changed"]}
        assert changed.keys() == {key for key in old.keys() & new.keys() if old[key] != new[key]}
        for key, fields in changed.items():
            for field, (was, now) in fields.items():
                assert _read(old[key], field) == was
                assert _read(new[key], field) == now


def _shapes(workspace: Workspace) -> dict[str, dict[str, Op]]:
    diagram: Op = diagram_json(workspace.diagram)
    return {part: {item["id"]: item for item in diagram[part]} for part in ("nodes", "edges")}


def _read(shape: Op, field: str) -> object:
    return shape["properties"].get(field[11:]) if field.startswith("properties.") else shape.get(field)


@given(workspaces(), st.data())
@settings(max_examples=examples(200))
def test_placing_never_overlaps(workspace: Workspace, data: st.DataObject) -> None:
    """A node that is placed by us meets none of those that stood in its group before."""
    for revision in range(9, 13):
        op = data.draw(operations_on(workspace, "diagram"))
        names = {"add_node"} if "position" not in op else set()
        known = set(workspace.diagram.node_ids())
        if not fitting(workspace, [op], revision)[0] or op["op"] not in names:
            continue
        for made in set(workspace.diagram.node_ids()) - known:
            siblings = workspace.diagram.children(workspace.diagram.parent(made))
            for other in siblings:
                assert other == made or not _overlap(workspace, made, other), f"{made} on {other}"


@given(workspaces())
@settings(max_examples=examples(150))
def test_a_layout_never_overlaps(workspace: Workspace) -> None:
    """After laying everything out, no two siblings meet, and what is locked stands where it stood."""
    diagram = workspace.diagram
    locked = {i: diagram.position(i) for i in diagram.node_ids() if diagram.lock_on(i)}
    apart = {
        frozenset((one, other)) for one in locked for other in diagram.children(diagram.parent(one)) if other in locked
    }
    run(workspace, {"op": "layout_diagram", "scope": "all"}, revision=9)
    assert {i: diagram.position(i) for i in locked} == locked
    for parent in (None, *diagram.node_ids()):
        children = diagram.children(parent)
        for one in children:
            for other in children:
                if one < other and frozenset((one, other)) not in apart:
                    assert not _overlap(workspace, one, other), f"{one} on {other}"


def _overlap(workspace: Workspace, one: str, other: str) -> bool:
    def box(node_id: str) -> tuple[float, float, float, float]:
        at = workspace.diagram.position(node_id)
        width, height = workspace.diagram.size_of(node_id)
        return at["x"], at["y"], at["x"] + width, at["y"] + height

    left, top, right, bottom = box(one)
    x, y, u, v = box(other)
    return left < u and x < right and top < v and y < bottom


@given(workspaces(), st.data())
@settings(max_examples=examples(150))
def test_text_outside_the_edit_stays(workspace: Workspace, data: st.DataObject) -> None:
    """Byte for byte: what a step on the document did not replace is there before and after."""
    text = workspace.document.text
    _, steps = fitting(workspace, draw_batch(data.draw, workspace, 3, "document"), 9)
    rebuilt = text
    for step in steps:
        shape = step.to_json()
        if shape["k"] == "text":
            rebuilt = _spliced(rebuilt, shape["c"])
    assert rebuilt == workspace.document.text


def _spliced(text: str, changes: list[object]) -> str:
    """Apply CodeMirror's JSON the slow and obvious way."""
    raw, out, at = text.encode("utf-16-le"), b"", 0
    for part in changes:
        if isinstance(part, int):
            out += raw[at : at + 2 * part]
            at += 2 * part
        elif isinstance(part, list):
            out += "\n".join(part[1:]).encode("utf-16-le")
            at += 2 * part[0]
    return (out + raw[at:]).decode("utf-16-le")
