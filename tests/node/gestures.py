"""Hypothesis strategies for what the gestures of a page emit, with values at the borders, and cases made of them.

Much of it does not fit, and some is not even of the right form: what the server refuses the page must not promise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from draftsmith.model.workspace import Workspace, load
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.steps.text import edit_of
from draftsmith.transform.undo.restore import difference
from tests.builders import Op, copy_of
from tests.laws.test_batches import fitting, workspaces
from tests.node.step_cases import Case, batch_case, content_of, misfit_case, steps_case, with_inverses
from tests.strategies import ANY, EDGES, GROUPS, changes_to, operations_on, view_of

Draw = Callable[..., Any]


def _mostly(usual: st.SearchStrategy[Any], odd: st.SearchStrategy[Any], of: int = 12) -> st.SearchStrategy[Any]:
    """Once in so many times the odd one, since a batch of which one part does not fit tells nothing of the others."""
    return st.integers(1, of).flatmap(lambda drawn: odd if drawn == of else usual)


_ROUNDED = [0, -0.0, 0.005, 0.125, -0.125, 0.375, 2.675, 1.005, -33.333333, 1e-9, -1e-9, 1e6, -1e6, 999_999.995]
_FITTING = st.one_of(st.sampled_from(_ROUNDED), st.floats(-500, 500), st.integers(-50, 900))
coordinates = _mostly(_FITTING, st.floats(-2e6, 2e6))
points = st.fixed_dictionaries({"x": coordinates, "y": coordinates})
lengths = _mostly(st.sampled_from([20, 72.125, 180, 20_000]), st.sampled_from([19.99, 20_001]))
sizes = st.fixed_dictionaries({"width": lengths, "height": lengths})
_MANY = {f"k{number}": "x" for number in range(50)}
keys = st.sampled_from(["k", "l", "__proto__", "constructor", "10", "2", "a.b", "x" * 64])
odd_keys = _mostly(keys, st.sampled_from(["", "x" * 65, "nul\0"]), 30)
values = st.sampled_from(["1", "2", "", "🚀" * 1_000])
properties = _mostly(st.dictionaries(odd_keys, values, max_size=2), st.just(_MANY))
patches = _mostly(
    st.dictionaries(odd_keys, st.one_of(st.none(), values), max_size=3), st.sampled_from([_MANY, None]), 4
)
_LABELS = ["Orders", " Orders ", "\x85x\x85", "\ufeffx", "\x1cx", "\u2028x", "x" * 120, f"  {'🚀' * 120}  "]
labels = _mostly(st.sampled_from(_LABELS), st.sampled_from(["", "  ", "x" * 121, "🚀" * 121, "nul\0"]), 25)
edge_labels = _mostly(st.sampled_from(["", "reads", " reads ", "writes", "x" * 200]), st.just("x" * 201), 25)
texts = st.sampled_from([None, "", "what it does\r\n🚀", " kept as it is "])
kinds, ways = st.sampled_from(["sync", "async", "data"]), st.sampled_from(["forward", "both"])
colors = _mostly(st.sampled_from([None, "", "red", "teal"]), st.just("purple"), 25)
styles = _mostly(st.sampled_from([None, "", "dashed", "muted"]), st.just("wavy"), 25)
shapes = _mostly(st.sampled_from([None, "", "straight", "curved"]), st.just("round"), 25)
routes = st.one_of(st.none(), st.lists(points, max_size=2))
by_hand = _mostly(st.sampled_from(["hand", "hand", None, ""]), st.just("mouse"))
shares = _mostly(st.sampled_from([0, 1, 0.5, 0.126, 0.125, None]), st.sampled_from([-0.01, 1.01]))
types = _mostly(st.sampled_from(["service", "database", "group", "group", "own"]), st.just("teapot"), 20)
junk = st.sampled_from(
    [None, True, False, 0, 1.5, "x", "", [], {}, ["a"], {"x": 1, "y": True}, {"x": 1, "y": 2, "z": 3}]
)
ids = _mostly(
    st.sampled_from(["10", "2", "constructor", "n", "m", "i-1", "o_2"]),
    st.sampled_from([*ANY, "Not An Id", "x" * 65, ""]),
)


def gestures_on(workspace: Workspace) -> st.SearchStrategy[Op]:
    """Operations as a page sends them; now and then one of a form that is wrong."""
    view = view_of(workspace)
    nodes, groups, edges = (
        _mostly(st.sampled_from(there or names), st.sampled_from(names), 4)
        for there, names in ((view.nodes, ANY), (view.groups, GROUPS), (view.edges, EDGES))
    )
    found = st.one_of(*_on_nodes(nodes, groups), *_on_edges(nodes, edges), *_moves(nodes, edges))
    return _mostly(found, found.flatmap(_spoiled)).map(_as_a_page_writes)


def _as_a_page_writes(value: Any) -> Any:
    """The same with keys as JavaScript orders them: whole numbers first, ascending. The server keeps what it gets."""
    if not isinstance(value, dict):
        return value
    numbers = sorted((key for key in value if key.isdecimal() and str(int(key)) == key), key=int)
    return {key: _as_a_page_writes(value[key]) for key in dict.fromkeys([*numbers, *value])}


def _op(name: str, required: dict[str, Any], optional: dict[str, Any] | None = None) -> st.SearchStrategy[Op]:
    return st.fixed_dictionaries({"op": st.just(name), **required}, optional=optional or {})


def _on_nodes(nodes: st.SearchStrategy[str], groups: st.SearchStrategy[str]) -> list[st.SearchStrategy[Op]]:
    words = {"description": texts, "technology": texts, "notes": texts, "color": colors, "style": styles}
    more = {**words, "properties": properties, "size": sizes, "locked": st.one_of(st.none(), st.booleans())}
    placed = {"near": st.one_of(st.none(), nodes), "parent": st.one_of(st.none(), groups, groups)}
    new = {"id": ids, "type": types, "label": labels, "position": points}
    changes = {"type": types, "label": labels, "position": points, "size": st.one_of(st.none(), sizes)}
    several, children = st.lists(nodes, min_size=1, max_size=4), st.sampled_from(["up", "delete"])
    return [
        _op("add_node", {**new, "label": st.just("New")}, {**more, **placed}),
        _op("add_node", new, placed),
        _op("update_node", {"id": nodes}, {**changes, **words, "properties": patches}),
        _op("update_node", {"id": nodes, "properties": patches}),
        _op("update_node", {"id": nodes, "locked": st.one_of(st.none(), st.booleans())}, {"label": labels}),
        _op("delete_node", {"id": nodes}, {"children": children}),
        _op("delete_nodes", {"ids": several}, {"children": children, "bridge": st.just(False)}),
        _op("group_nodes", {"id": ids, "label": labels, "ids": several}, {"description": texts}),
        _op("ungroup_nodes", {"id": groups}),
        _op("move_to_group", {"ids": several, "group": st.one_of(st.none(), groups)}),
        _op(
            "move_to_group",
            {"ids": several, "group": st.one_of(st.none(), groups), "positions": st.dictionaries(nodes, points)},
        ),
        _op("rename_workspace", {"name": st.sampled_from(["Shop", " Bank ", "", "x" * 201, "\x85"])}),
    ]


def _on_edges(nodes: st.SearchStrategy[str], edges: st.SearchStrategy[str]) -> list[st.SearchStrategy[Op]]:
    words = {"label": edge_labels, "kind": kinds, "direction": ways, "description": texts, "color": colors}
    words |= {"style": styles, "shape": shapes}
    new = {
        "id": _mostly(st.sampled_from(["k1", "k2", "k3"]), st.one_of(ids, edges), 6),
        "source": nodes,
        "target": nodes,
    }
    label_or_none = st.one_of(st.none(), edge_labels)
    changes = {
        **words,
        "label": label_or_none,
        "kind": st.one_of(st.none(), kinds),
        "route": routes,
        "route_by": by_hand,
        "label_at": shares,
    }
    ends = {"new_source": st.one_of(st.none(), nodes), "new_target": nodes}
    return [
        _op("add_edge", new),
        _op(
            "add_edge",
            new,
            {**words, "properties": properties, "route": routes, "route_by": by_hand, "label_at": shares},
        ),
        _op("update_edge", {"id": edges}, {**changes, "properties": patches}),
        _op("delete_edge", {"id": edges}),
        _op("rewire_edge", {"id": edges}, ends),
        _op("rewire_edge", {"id": edges, "new_target": nodes}),
    ]


def _moves(nodes: st.SearchStrategy[str], edges: st.SearchStrategy[str]) -> list[st.SearchStrategy[Op]]:
    sizes_of = st.dictionaries(nodes, st.one_of(st.none(), sizes), max_size=2)
    routes_of = st.dictionaries(edges, routes, max_size=2)
    positions = st.dictionaries(nodes, points, max_size=3)
    moves = _op("move_nodes", {"positions": positions}, {"sizes": sizes_of, "routes": routes_of})
    return [moves, _op("move_nodes", {"positions": positions})]


@st.composite
def _spoiled(draw: st.DrawFn, operation: Op) -> Op:
    """The same with one field that is left out, of another type, or one too many."""
    fields = sorted(operation.keys() - {"op"})
    way = draw(st.sampled_from(["drop", "junk", "junk", "more"]))
    if way == "more":
        return {**operation, draw(st.sampled_from(["colour", "id", "parent", "__proto__"])): draw(junk)}
    field = draw(st.sampled_from(fields))
    kept = {name: value for name, value in operation.items() if name != field}
    return kept if way == "drop" else {**kept, field: draw(junk)}


def generated(count: int, number: int) -> list[Case]:
    """Cases that a seed gives: batches on states with a history, and steps against states of other times.

    Args:
        count: histories; each gives some six cases.
        number: the seed.
    """
    found: list[Case] = []

    @seed(number)
    @settings(max_examples=count, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(workspaces(), st.data())
    def collect(workspace: Workspace, data: st.DataObject) -> None:
        found.extend(_history(workspace, data.draw, len(found)))

    collect()
    return found


def _history(workspace: Workspace, draw: Draw, first: int) -> list[Case]:
    contents = [content_of(workspace)]
    cases: list[Case] = []
    steps: list[Any] = []
    for _ in range(2):
        either = _mostly(gestures_on(workspace), operations_on(workspace), 5)
        batch = draw(st.lists(either, min_size=1, max_size=4))
        cases.append(batch_case(f"{first + len(cases)}", contents[-1], batch))
        left = batch if "after" in cases[-1] else _that_fit(contents[-1], batch)
        if len(left) < len(batch):
            cases.append(batch_case(f"{first + len(cases)}", contents[-1], left))
        if left:
            _, made = fitting(workspace, left, 9)
            steps += with_inverses(made)
        contents.append(content_of(workspace))
    for made in _beside_operations(workspace, contents[0], draw):
        cases.append(steps_case(f"{first + len(cases)}", contents[-1], made))
        steps += with_inverses(made)
    cases.append(misfit_case(f"{first + len(cases)}", contents, steps))
    return [case for case in cases if case.get("operations") != []]


def _beside_operations(workspace: Workspace, earlier: Any, draw: Draw) -> list[list[Step]]:
    """What no operation makes: changes to the text as they are typed, and the way back to an earlier state."""
    text = workspace.document.text
    typed = edit_of(text, draw(changes_to(text)))
    return [[typed], difference(copy_of(workspace), load(orjson.loads(orjson.dumps(earlier))))]


def _that_fit(content: Any, batch: list[Op]) -> list[Op]:
    """What is left of a batch without the operations that do not fit, or are of no right form."""
    left = batch
    while left:
        case = batch_case("", content, left)
        if "after" in case:
            break
        bad = {index for index, _ in case["problems"]}
        left = [operation for index, operation in enumerate(left) if index not in bad]
    return left
