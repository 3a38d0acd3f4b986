"""Named cases, which Vitest runs without Python.

`python -m tests.node.named_cases` writes tests/fixtures/steps/ anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.steps.text import edit_of
from tests.builders import Op, edge, group, node, run, update, workspace_of
from tests.node.step_cases import Case, batch_case, content_of, misfit_case, steps_case, with_inverses

FOLDER: Final = Path(__file__).parents[1] / "fixtures" / "steps"
_BEND = [{"x": 1, "y": 2.5}]
_BY_HAND = {"route": [{"x": 450, "y": 80}, {"x": 450, "y": 30.5}], "route_by": "hand"}
# g holds h and a, h holds b; c, d and the empty group k stand outside. Edges that begin at a or d have routes;
# h1 is bent by hand.
_START = [
    group("g", 10, 20.25),
    group("h", 60, 100, parent="g"),
    node("a", 24, 40, parent="g"),
    node("b", 24.5, 40, parent="h"),
    node("c", 400, 0, description="what", properties={"k": "1", "constructor": "2"}),
    node("d", 700, 0, type="database"),
    group("k", 900, 0),
    edge("a", "b", id="e1", route=_BEND),
    edge("a", "c", id="e2", route=_BEND, label="reads"),
    edge("c", "d", id="e3", kind="async", properties={"k": "1"}),
    edge("d", "c", id="e4", route=_BEND, description="back", direction="both"),
    edge("a", "d", id="h1", kind="data", label_at=0.25, **_BY_HAND),
]
_LOCKED = update("g", locked=True)
_NEW = {"op": "add_node", "id": "n", "type": "service", "label": "New", "position": {"x": 0.125, "y": -0.125}}
_50 = {f"k{number}": "x" for number in range(50)}
_Named = tuple[str, list[Op], list[Op]]  # name, what happened besides the start, the batch


def _moved(**positions: tuple[float, float]) -> Op:
    return {"op": "move_nodes", "positions": {one: {"x": x, "y": y} for one, (x, y) in positions.items()}}


def _deleted(*ids: str, **more: Any) -> Op:
    return {"op": "delete_nodes", "ids": list(ids), **more}


def _regrouped(group_id: str | None, *ids: str, **more: Any) -> Op:
    return {"op": "move_to_group", "ids": list(ids), "group": group_id, **more}


def _rewired(edge_id: str | None, **ends: str | None) -> Op:
    return {"op": "rewire_edge", "id": edge_id, **ends}


def _edge_update(edge_id: str, **fields: Any) -> Op:
    return {"op": "update_edge", "id": edge_id, **fields}


_NODES: list[_Named] = [
    (
        "every field",
        [],
        [
            _NEW
            | {"description": "d", "technology": "t", "notes": "n", "color": "red", "properties": {"__proto__": "x"}}
        ],
    ),
    ("a size, a lock, a parent", [], [_NEW | {"size": {"width": 20.005, "height": 99}, "locked": True, "parent": "h"}]),
    ("empty fields are absent", [], [_NEW | {"description": "", "notes": None, "properties": {}, "locked": False}]),
    ("beside a node, in its group", [], [_NEW | {"near": "b"}]),
    ("beside a node, in another group", [], [_NEW | {"near": "b", "parent": "g"}]),
    ("into a group of the same batch", [], [_NEW | {"type": "group"}, _NEW | {"id": "o", "parent": "n"}]),
    ("a label in white space", [], [_NEW | {"label": "\x85 New \u2028"}]),
    ("a label in what is no white space", [], [_NEW | {"label": "\ufeffNew\x1c"}]),
    ("without an id", [], [{name: value for name, value in _NEW.items() if name != "id"}]),
    ("without a place", [], [_NEW | {"position": None}]),
    ("a taken id", [], [_NEW | {"id": "a"}]),
    ("no id", [], [_NEW | {"id": "A b"}]),
    ("no type", [], [_NEW | {"type": "teapot"}]),
    ("a parent that is no group", [], [_NEW | {"parent": "a"}]),
    ("a parent that is not there", [], [_NEW | {"parent": "toString"}]),
    ("into a locked group", [_LOCKED], [_NEW | {"parent": "h"}]),
    ("an unknown field", [], [_NEW | {"colour": "red"}]),
    ("too long a label", [], [_NEW | {"label": "🚀" * 121}]),
    ("as long as may be", [], [_NEW | {"label": "🚀" * 120}]),
    ("a place beyond", [], [_NEW | {"position": {"x": 1_000_000.001, "y": 0}}]),
    (
        "fields set and cleared",
        [],
        [update("c", label=" C ", description=None, notes="n", size={"width": 30, "height": 40})],
    ),
    ("nothing that differs", [], [update("c", label="c", description="what", notes="", properties={"k": "1"})]),
    (
        "a property set, one added, one cleared",
        [],
        [update("c", properties={"k": "2", "10": "y", "constructor": None})],
    ),
    ("all properties cleared", [], [update("c", properties=None)]),
    ("the last property cleared", [], [update("c", properties={"k": None, "constructor": None})]),
    ("a property that is not there cleared", [], [update("c", properties={"__proto__": None, "valueOf": None})]),
    ("too many properties", [], [update("c", properties=_50)]),
    ("as many properties as may be", [], [update("d", properties=_50)]),
    ("one property too many", [update("d", properties=_50)], [update("d", properties={"more": "x"})]),
    ("one property for another", [update("d", properties=_50)], [update("d", properties={"k1": None, "more": "x"})]),
    ("another type", [], [update("c", type="queue")]),
    ("another type that is none", [], [update("c", type="teapot")]),
    ("a label cannot be cleared", [], [update("c", label=None)]),
    ("a group with children stays one", [], [update("g", type="service")]),
    ("a group with one child stays one", [], [update("h", type="service")]),
    ("an empty group becomes a node", [_deleted("b")], [update("h", type="service")]),
    ("locking", [], [update("g", locked=True, label="G")]),
    ("unlocking with other changes", [_LOCKED], [update("g", locked=False, label="G")]),
    ("unlocking in a locked group", [update("a", locked=True), _LOCKED], [update("a", locked=False)]),
    ("what is locked", [_LOCKED], [update("b", label="B")]),
    ("locked again with other changes", [_LOCKED], [update("g", locked=True, label="G")]),
    ("a lock cannot be cleared", [_LOCKED], [update("g", locked=None)]),
    ("a move drops routes", [], [update("a", position={"x": 2.675, "y": 1.005})]),
    ("a move of a group drops routes in it", [], [_moved(g=(0, 0))]),
    ("a move takes a line by hand along", [], [update("a", position={"x": 2.675, "y": 1.005})]),
    ("a move of its other end", [], [_moved(d=(650.5, -33.33))]),
    ("a move of both ends", [], [_moved(a=(30, 50), d=(800, 90))]),
    ("a move of both ends alike", [], [_moved(a=(124, 40.5), d=(800, 0.5))]),
    ("a move of both ends, one by one", [], [_moved(a=(30, 50)), _moved(d=(800, 90))]),
    ("a node moved onto its line, and back", [], [_moved(a=(400, 40)), _moved(a=(24, 40))]),
    (
        "a line of straight shape by hand",
        [_edge_update("h1", shape="straight")],
        [update("a", position={"x": 30, "y": 50})],
    ),
    (
        "a straight line by hand",
        [_edge_update("h1", route=[{"x": 450, "y": 70}], route_by="hand")],
        [_moved(d=(700, -80))],
    ),
    ("a route with a move", [], [_moved(a=(0, 0)) | {"routes": {"h1": _BEND}}]),
    ("places and sizes", [], [_moved(a=(1, 2), c=(3, 4)) | {"sizes": {"a": None, "d": {"width": 40, "height": 50}}}]),
    ("routes", [], [_moved() | {"routes": {"e1": None, "e2": [], "e3": _BEND, "e4": _BEND}}]),
    ("a route of no edge", [], [_moved() | {"routes": {"never": None}}]),
    ("a route at what is locked", [_LOCKED], [_moved() | {"routes": {"e1": None}}]),
    ("a place of what is locked", [_LOCKED], [_moved(c=(1, 2), b=(1, 2))]),
    ("a size of what is locked", [_LOCKED], [_moved() | {"sizes": {"b": None}}]),
    ("a longer route", [], [_moved() | {"routes": {"e1": [*_BEND, {"x": 3, "y": 4}]}}]),
    ("too long a route", [], [_moved() | {"routes": {"e1": _BEND * 101}}]),
    ("a place without its half", [], [{"op": "move_nodes", "positions": {"a": {"x": 1}}}]),
    ("a place with more than that", [], [{"op": "move_nodes", "positions": {"a": {"x": 1, "y": 2, "z": 3}}}]),
    ("no map of places", [], [{"op": "move_nodes", "positions": 1}]),
    ("a place of no node", [], [_moved(a=(1, 2), constructor=(0, 0))]),
]
_EDGES: list[_Named] = [
    (
        "every field",
        [],
        [edge("b", "d", id="n", label=" l ", kind="data", direction="none", description="d", route=_BEND)],
    ),
    ("defaults are absent", [], [edge("b", "d", id="n", label="", kind="sync", direction="forward", properties={})]),
    ("at what is locked", [_LOCKED], [edge("b", "d", id="n")]),
    ("between what the batch makes", [], [_NEW, _NEW | {"id": "o"}, edge("n", "o", id="p")]),
    ("without an id", [], [edge("b", "d")]),
    ("a taken id", [], [edge("b", "d", id="e1")]),
    ("no id", [], [edge("b", "d", id="E")]),
    ("an equal edge", [], [edge("a", "c", id="n", label="reads")]),
    ("the same ends with another kind", [], [edge("a", "c", id="n", label="reads", kind="data")]),
    ("to itself", [], [edge("a", "a", id="n")]),
    ("to nothing", [], [edge("a", "never", id="n")]),
    ("fields set and cleared", [], [_edge_update("e4", label="l", description=None, direction="forward", route=None)]),
    ("bent by hand", [], [_edge_update("e3", **_BY_HAND)]),
    ("bent by hand again", [], [_edge_update("h1", route=_BEND, route_by="hand")]),
    ("no longer by hand", [], [_edge_update("h1", route=_BEND)]),
    ("drawn anew", [], [_edge_update("h1", route=None)]),
    ("by hand as it is", [], [_edge_update("e1", route_by="hand"), _edge_update("h1", route_by="")]),
    ("a place of a label", [], [_edge_update("h1", label_at=0), _edge_update("e1", label_at=0.126)]),
    ("no place of a label", [], [_edge_update("h1", label_at=None), _edge_update("e1", label_at=1)]),
    ("a place beyond the line", [], [_edge_update("h1", label_at=1.01)]),
    ("shapes", [], [_edge_update("e3", shape="curved"), _edge_update("h1", shape="straight")]),
    ("no such shape", [], [_edge_update("e3", shape="round")]),
    ("a shape, and none", [], [_edge_update("e3", shape="curved"), _edge_update("e3", shape="")]),
    ("by a mouse", [], [_edge_update("h1", route_by="mouse")]),
    ("properties", [], [_edge_update("e3", properties={"k": None, "l": "2"})]),
    ("all properties cleared", [], [_edge_update("e3", properties=None)]),
    ("nothing that differs", [], [_edge_update("e2", label="reads", kind="sync", route=_BEND)]),
    ("a kind cannot be cleared", [], [_edge_update("e2", kind=None)]),
    ("becoming equal", [edge("a", "c", id="e5")], [_edge_update("e5", label="reads")]),
    ("at a locked end", [_LOCKED], [_edge_update("e2", label="l")]),
    ("by its ends", [], [{"op": "update_edge", "source": "a", "target": "c", "label": "l"}]),
    ("gone", [], [{"op": "delete_edge", "id": "e1"}]),
    ("gone by its ends", [], [{"op": "delete_edge", "source": "a", "target": "c"}]),
    ("gone at a locked end", [_LOCKED], [{"op": "delete_edge", "id": "e2"}]),
    ("never there", [], [{"op": "delete_edge", "id": "never"}]),
    ("both ends elsewhere", [], [_rewired("e2", new_source="d", new_target="b")]),
    ("turned around", [], [_rewired("e3", new_source="d", new_target="c")]),
    ("a line by hand turned around", [], [_rewired("h1", new_source="d", new_target="a")]),
    (
        "a line by hand to another node",
        [update("c", size={"width": 90, "height": 144})],
        [_rewired("h1", new_target="c")],
    ),
    ("a line by hand to a group", [], [_rewired("h1", new_target="k"), _moved(k=(900, 50))]),
    ("ends where they are", [], [_rewired("e2", new_source="a")]),
    ("no new end", [], [_rewired("e2", new_source=None)]),
    ("rewired to itself", [], [_rewired("e2", new_target="a")]),
    ("rewired to an equal one", [edge("b", "c", id="e5", label="reads")], [_rewired("e5", new_source="a")]),
    ("rewired away from what is locked", [_LOCKED], [_rewired("e2", new_source="d")]),
    ("rewired to what is locked", [_LOCKED], [_rewired("e3", new_target="a")]),
    ("rewired by its ends", [], [{"op": "rewire_edge", "source": "a", "target": "b", "new_target": "d"}]),
]
_GROUPS: list[_Named] = [
    ("a node and its edges", [], [{"op": "delete_node", "id": "c"}]),
    ("a group, its children move up", [], [{"op": "delete_node", "id": "g"}]),
    ("a group and all in it", [], [{"op": "delete_node", "id": "g", "children": "delete"}]),
    ("groups in one another", [], [_deleted("g", "h", "g")]),
    ("a group beside what stands in it", [], [_deleted("g", "c", "b", children="delete")]),
    ("with a bridge", [], [_deleted("c", bridge=True)]),
    ("never there", [], [_deleted("c", "never")]),
    ("none", [], [_deleted()]),
    ("what is locked", [_LOCKED], [_deleted("c", "b")]),
    ("locked inside", [update("b", locked=True)], [_deleted("g", children="delete")]),
    ("locked inside, moving up", [update("a", locked=True)], [_deleted("g")]),
    ("an edge to what is locked", [_LOCKED], [_deleted("c")]),
    ("dissolved", [], [{"op": "ungroup_nodes", "id": "h"}]),
    ("dissolved though no group", [], [{"op": "ungroup_nodes", "id": "a"}]),
    ("around nodes", [], [{"op": "group_nodes", "id": "n", "label": "N", "ids": ["c", "d", "c"], "description": "d"}]),
    ("around nodes in a group", [], [{"op": "group_nodes", "id": "n", "label": "N", "ids": ["h", "a"]}]),
    (
        "around what stands far out",
        [_moved(c=(-1e6, 5))],
        [{"op": "group_nodes", "id": "n", "label": "N", "ids": ["c"]}],
    ),
    ("around nodes of two groups", [], [{"op": "group_nodes", "id": "n", "label": "N", "ids": ["a", "b"]}]),
    ("around what is locked", [_LOCKED], [{"op": "group_nodes", "id": "n", "label": "N", "ids": ["a"]}]),
    ("around what is locked itself", [_LOCKED], [{"op": "group_nodes", "id": "n", "label": "N", "ids": ["g"]}]),
    ("around nothing", [], [{"op": "group_nodes", "id": "n", "label": "N", "ids": ["never"]}]),
    ("without an id", [], [{"op": "group_nodes", "label": "N", "ids": ["c"]}]),
    ("into a group, staying on screen", [], [_regrouped("h", "c", "d")]),
    ("into a group, to a place", [], [_regrouped("h", "c", positions={"c": {"x": 24, "y": 40.125}})]),
    ("a line by hand into a group, to a place", [], [_regrouped("h", "d", positions={"d": {"x": 300, "y": 9}})]),
    ("out of all groups", [], [_regrouped(None, "b", "h")]),
    ("into its own group", [], [_regrouped("g", "a", positions={"a": {"x": 1, "y": 1}})]),
    ("into itself", [], [_regrouped("h", "g")]),
    ("into a locked group", [_LOCKED], [_regrouped("h", "c")]),
    ("out of a locked group", [_LOCKED], [_regrouped(None, "b")]),
    ("what is locked into a group", [update("c", locked=True)], [_regrouped("h", "c")]),
    ("what is not there", [], [_regrouped("h", "never")]),
    ("into what is no group", [], [_regrouped("a", "c")]),
    ("another name", [], [{"op": "rename_workspace", "name": " Bank "}]),
    ("the same name", [], [{"op": "rename_workspace", "name": "Shop"}]),
    ("no name", [], [{"op": "rename_workspace", "name": "  "}]),
    ("one that fits and one that does not", [], [_moved(a=(1, 1)), _deleted("never")]),
    ("what the server resolves", [], [_moved(a=(1, 1)), {"op": "layout_diagram", "scope": "all"}]),
    ("the document", [], [{"op": "replace_document", "text": "# A\r\n🚀\r\nb\r\n"}]),
]
_PAYMENT = {"op": "define_type", "id": "payment", "label": "Payment provider", "type": "external"}
_OF_IT = [_PAYMENT, update("c", type="payment"), update("d", type="payment")]
_TYPES: list[_Named] = [
    ("a node of one", [_PAYMENT], [_NEW | {"type": "payment"}]),
    ("what it is like all others of its base", _OF_IT, [update("c", label="C", color="red")]),
    ("another one of the same base", [*_OF_IT, _PAYMENT | {"id": "bank", "label": "Bank"}], [update("c", type="bank")]),
    ("its base alone", _OF_IT, [update("c", type="external")]),
    ("another built-in type", _OF_IT, [update("c", type="cache"), update("d", type="group")]),
    ("one that it has", _OF_IT, [update("c", type="payment")]),
    ("by its name, which the server knows", [_PAYMENT], [update("c", type="Payment Provider")]),
    ("one that there is not", [_PAYMENT], [update("c", type="teapot")]),
    ("gone with its node", _OF_IT, [_deleted("c")]),
    ("in a group that is made", _OF_IT, [{"op": "group_nodes", "id": "n", "label": "N", "ids": ["c", "d"]}]),
    ("defined", [], [_PAYMENT | {"technology": "Stripe", "color": "teal"}]),
    ("defined and used", [], [_PAYMENT, _NEW | {"type": "payment"}]),
    ("defined anew", _OF_IT, [_PAYMENT | {"label": "PSP", "color": "red"}]),
    ("of another base", _OF_IT, [_PAYMENT | {"type": "service"}]),
    ("deleted", _OF_IT, [{"op": "delete_type", "id": "payment"}]),
    ("deleted, and a node of its base", _OF_IT, [{"op": "delete_type", "id": "payment"}, update("c", type="external")]),
    ("deleted under what is locked", [*_OF_IT, update("c", locked=True)], [{"op": "delete_type", "id": "payment"}]),
    ("named like a built-in one", [], [_PAYMENT | {"label": "Database"}]),
]


_BATCHES: Final = {"nodes": _NODES, "edges": _EDGES, "groups": _GROUPS, "types": _TYPES}
NAMES: Final = (*_BATCHES, "texts", "misfits")
"""Of the files."""


def cases_of(name: str) -> list[Case]:
    """Make the cases of a file."""
    if name in _BATCHES:
        return [_batch(*named) for named in _BATCHES[name]]
    return list(_texts() if name == "texts" else _misfits())


def _started(*more: Op, text: str = "# A\n\n🚀 b\n") -> Workspace:
    workspace = workspace_of(*_START, text=text)
    for revision, operation in enumerate(more, start=2):
        run(workspace, operation, revision=revision)
    return workspace


def _batch(name: str, more: Sequence[Op], operations: Sequence[Op]) -> Case:
    return batch_case(name, content_of(_started(*more)), operations)


def _texts() -> Iterable[Case]:
    spans: dict[str, list[tuple[int, int, str]]] = {
        "inserted": [(3, 3, "new\nlines\n")],
        "taken out": [(0, 4, "")],
        "in several places, with emoji": [(0, 1, "🚀"), (5, 6, ""), (8, 8, "𝒳")],
        "put back as it was": [(0, 3, "# A")],
    }
    workspace = _started()
    for name, changes in spans.items():
        step = edit_of(workspace.document.text, replacing(workspace.document.text, changes))
        yield steps_case(name, content_of(workspace), [step])


def _misfits() -> Iterable[Case]:
    """Every reason why a step does not fit."""
    states = [_started(*more) for more in _PASTS]
    steps = [step for batch in _FUTURES for step in with_inverses(run(_started(), *batch, revision=8).steps)]
    yield misfit_case("steps of other times", [content_of(state) for state in states], steps)


_PASTS: list[list[Op]] = [
    [],
    [_deleted("c")],
    [_deleted("c"), node("c", 400, 0)],
    [_deleted("g")],
    [_deleted("g"), group("g", 10, 20.25)],
    [_deleted("h")],
    [_deleted("h"), group("h", 60, 100, parent="g")],
    [update("c", properties={"k": "2"})],
    [_regrouped("k", "h")],
    [_rewired("e3", new_source="a")],
    [_deleted("b"), update("h", type="service")],
    [_moved(c=(1, 1)), update("c", properties={"k": "2"}, label="C"), _edge_update("e2", label="l", kind="data")],
    [_regrouped(None, "h"), _regrouped("h", "g")],
    [node("n"), edge("a", "d", id="e5"), edge("a", "d", id="n", label="reads")],
    [{"op": "delete_edge", "id": "e2"}, edge("b", "d", id="e2")],
    [_rewired("e3", new_source="b"), {"op": "rename_workspace", "name": "Bank"}],
    [_deleted("d"), node("d"), edge("d", "b", id="e3")],
    [_deleted("a"), _deleted("c"), group("c", 1, 1), node("i", parent="c")],
    [{"op": "replace_document", "text": "# A\r\n\r\n🚀 b\r\nmore"}],
    [{"op": "replace_document", "text": "# A\n\nu🚀b\n"}],
    [_PAYMENT, update("c", type="payment")],
    [_PAYMENT | {"color": "red"}],
]
_FUTURES: list[list[Op]] = [
    [_NEW | {"parent": "h"}],
    [update("c", label="c2", properties={"k": None})],
    [update("c", type="group")],
    [_regrouped("h", "c")],
    [_regrouped("h", "a")],
    [_regrouped("h", "k", positions={"k": {"x": 0, "y": 0}})],
    [update("c", properties={"k": None})],
    [_deleted("c")],
    [_deleted("g", children="delete")],
    [edge("a", "d", id="n", label="reads")],
    [edge("a", "d", id="o", label="")],
    [_edge_update("e2", label="l2", kind="async")],
    [_rewired("e2", new_target="d")],
    [_rewired("e3", new_target="a")],
    [{"op": "rename_workspace", "name": "Bank"}],
    [{"op": "replace_document", "text": "# A\r\n\r\n🚀 c\r\n"}],
    [_PAYMENT, update("c", type="payment")],
]


def written(cases: Sequence[Case]) -> bytes:
    """A file of cases, one a line, so that a change of one is a change of one line."""
    return b"[\n" + b",\n".join(orjson.dumps(case) for case in cases) + b"\n]\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in NAMES:
        (FOLDER / f"{name}.json").write_bytes(written(cases_of(name)))
