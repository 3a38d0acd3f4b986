"""Hypothesis strategies for operations and texts that often hit what is there.

Few ids, few labels, few titles: collisions, reuse of ids and nesting are the rule and not the exception.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from draftsmith.model.document import units
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.changeset import ChangeSet, of_parts, replacing

Op = dict[str, Any]

NODES = ["a", "b", "c", "d"]
GROUPS = ["g", "h"]
ANY = [*NODES, *GROUPS]
EDGES = ["e", "f"]
TITLES = ["Risks", "Data", "Ängste 🚀"]
WORDS = ["alpha", "beta", "🚀", "né", "x", "𝒳 y", "- item", "| a | b |", "", "# no", "```", "\n", "tail  "]

points = st.fixed_dictionaries({"x": st.sampled_from([-40, 0, 12.5, 300]), "y": st.sampled_from([0, 90, 400])})
sizes = st.fixed_dictionaries({"width": st.sampled_from([20, 180, 400]), "height": st.sampled_from([20, 72, 300])})
labels = st.sampled_from(["Orders", "Cart", "🚀 Pad"])
edge_labels = st.sampled_from(["", "reads", "writes"])
kinds = st.sampled_from(["sync", "async"])
routes = st.lists(points, min_size=1, max_size=2)
by_hand = st.sampled_from(["hand", "hand", None])
shares = st.sampled_from([0, 0.25, 1])
properties = st.dictionaries(st.sampled_from(["k", "l"]), st.sampled_from(["1", "2"]), max_size=2)
patches = st.dictionaries(st.sampled_from(["k", "l"]), st.sampled_from(["1", "2", None]), max_size=2)
words = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
paragraphs = st.lists(st.sampled_from([*WORDS, "a **b** c"]), max_size=4).map("\n".join)
headings = st.tuples(st.integers(1, 3), st.sampled_from(TITLES)).map(lambda it: f"{'#' * it[0]} {it[1]}")
setext = st.sampled_from(TITLES).map(lambda title: f"{title}\n---")
documents = st.lists(st.one_of(headings, paragraphs, setext, st.just("")), max_size=8).map("\n".join)
OWN_TYPES = ["own", "kin"]
ways = st.sampled_from(["up", "delete"])


@dataclass(frozen=True)
class Pool:
    """What operations may speak of; most of it is there."""

    nodes: tuple[str, ...]
    groups: tuple[str, ...]
    edges: tuple[str, ...]
    ends: tuple[tuple[str, str], ...]
    sections: tuple[str, ...]
    finds: tuple[str, ...]
    types: tuple[str, ...]
    has_own_types: bool


def pool_of(workspace: Workspace, *, has_own_types: bool = True) -> Pool:
    """What is in a workspace, twice, and a little that may not be; `has_own_types`: types of nodes are defined, too."""
    diagram, outline = workspace.diagram, workspace.document.outline
    nodes = sorted(diagram.node_ids())
    groups = [node_id for node_id in nodes if diagram[node_id]["type"] == "group"]
    edges = sorted(diagram.edge_ids())
    ends = sorted({diagram.ends(edge_id) or ("", "") for edge_id in edges})
    lines = sorted({line for line in workspace.document.text.split("\n") if line.strip()})
    return Pool(
        (*nodes, *nodes, *ANY),
        (*groups, *groups, *GROUPS),
        (*edges, *edges, *EDGES),
        (*ends, *ends, ("a", "b")),
        (*sorted({outline.path(section) for section in outline.sections}), *TITLES, ""),
        (*lines, "alpha", "🚀"),
        ("service", "database", "group", *sorted(diagram.types)),
        has_own_types,
    )


def operations_on(workspace: Workspace, part: str = "", *, has_own_types: bool = True) -> st.SearchStrategy[Op]:
    """Operations that mostly speak of what is in a workspace: on its `diagram`, its `document`, or both."""
    return _operations(pool_of(workspace, has_own_types=has_own_types), part)


@lru_cache(maxsize=2048)
def _operations(pool: Pool, part: str) -> st.SearchStrategy[Op]:
    diagram = (*_on_nodes(pool), *_on_edges(pool), *_on_groups(pool), *_on_types(pool), _replace_diagram(pool))
    if part == "diagram":
        return st.one_of(*diagram)
    if part == "document":
        return st.one_of(*_on_document(pool))
    name = _op("rename_workspace", {"name": st.sampled_from(["Shop", "Bank"])})
    return st.one_of(*diagram, *_on_document(pool), name)


def _op(op: str, required: dict[str, Any], optional: dict[str, Any] | None = None) -> st.SearchStrategy[Op]:
    return st.fixed_dictionaries({"op": st.just(op), **required}, optional=optional or {})


def _new(pool: Pool) -> st.SearchStrategy[str]:
    free = [node_id for node_id in (*ANY, "i", "j") if pool.nodes.count(node_id) < 3]
    return st.sampled_from([*free, *free, "a"])


def _types(pool: Pool) -> st.SearchStrategy[str]:
    return st.sampled_from(pool.types)


def _on_types(pool: Pool) -> list[st.SearchStrategy[Op]]:
    if not pool.has_own_types:
        return []
    ids, bases = st.sampled_from(OWN_TYPES), st.sampled_from(["service", "database"])
    names = {"label": st.sampled_from(["Own thing", "Kin thing"])}
    looks = {"technology": st.sampled_from(["", "Kafka"]), "color": st.sampled_from(["", "red"])}
    return [_op("define_type", {"id": ids, **names, "type": bases}, looks), _op("delete_type", {"id": ids})]


def _node_fields(pool: Pool) -> tuple[dict[str, Any], dict[str, Any]]:
    required: dict[str, Any] = {"id": _new(pool), "type": _types(pool), "label": labels}
    optional: dict[str, Any] = {
        "position": points,
        "size": sizes,
        "parent": st.sampled_from(pool.groups),
        "near": st.sampled_from(pool.nodes),
        "properties": properties,
        "description": st.sampled_from(["", "what it does 🚀"]),
        "locked": st.sampled_from([False, False, False, True]),
    }
    return required, optional


def _on_nodes(pool: Pool) -> list[st.SearchStrategy[Op]]:
    required, optional = _node_fields(pool)
    ids = st.sampled_from(pool.nodes)
    several = st.lists(ids, min_size=1, max_size=3)
    text = st.sampled_from([None, "", "what it does", "else"])
    fields = {"label": labels, "position": points, "size": st.one_of(st.none(), sizes), "description": text}
    changes = {**fields, "type": _types(pool), "properties": st.one_of(st.none(), patches)}
    sizes_of = st.dictionaries(ids, st.one_of(st.none(), sizes), max_size=1)
    routes_of = st.dictionaries(st.sampled_from(pool.edges), st.one_of(st.none(), routes), max_size=1)
    moves = {"sizes": sizes_of, "routes": routes_of}
    return [
        _op("add_node", required, optional),
        _op("add_node", {**required, "type": st.just("group")}, optional),
        _op("update_node", {"id": ids}, changes),
        _op("update_node", {"id": ids, "position": points}),
        _op("update_node", {"id": ids, "locked": st.sampled_from([True, False, False])}),
        _op("delete_node", {"id": ids}, {"bridge": st.booleans(), "children": ways}),
        _op("delete_nodes", {"ids": several}, {"bridge": st.booleans(), "children": ways}),
        _op("move_nodes", {"positions": st.dictionaries(ids, points, max_size=2)}, moves),
    ]


def _on_edges(pool: Pool) -> list[st.SearchStrategy[Op]]:
    ids, edges = st.sampled_from(pool.nodes), st.sampled_from(pool.edges)
    new: dict[str, Any] = {"id": st.sampled_from(EDGES), "label": edge_labels, "kind": kinds}
    more = {"route": routes, "route_by": by_hand, "label_at": shares, "properties": properties}
    changes = {
        "label": edge_labels,
        "kind": kinds,
        "route": st.one_of(st.none(), routes),
        "properties": patches,
        "route_by": by_hand,
    }
    by_ends = st.sampled_from(pool.ends).map(lambda ends: {"source": ends[0], "target": ends[1]})
    fresh = st.fixed_dictionaries({"id": _new(pool), "type": _types(pool), "label": labels})
    between = _op(
        "insert_between", {"node": st.one_of(ids, fresh)}, {"in_label": edge_labels, "out_label": edge_labels}
    )
    rewired = {"new_source": ids, "new_target": ids}
    return [
        _op("add_edge", {"source": ids, "target": ids}, {**new, **more}),
        _op("add_edge", {"source": ids, "target": ids}, {"label": edge_labels, "route": routes}),
        _op("update_edge", {"id": edges}, changes),
        _op("delete_edge", {"id": edges}),
        _joined(_op("delete_edge", {}), by_ends),
        _op("rewire_edge", {"id": edges}, rewired),
        _joined(_op("rewire_edge", {"new_target": ids}), by_ends),
        _joined(between, by_ends),
    ]


def _joined(one: st.SearchStrategy[Op], other: st.SearchStrategy[Op]) -> st.SearchStrategy[Op]:
    return st.tuples(one, other).map(lambda both: both[0] | both[1])


def _on_groups(pool: Pool) -> list[st.SearchStrategy[Op]]:
    ids, groups = st.sampled_from(pool.nodes), st.sampled_from(pool.groups)
    several = st.lists(ids, min_size=1, max_size=3)
    positions = {"positions": st.dictionaries(ids, points, max_size=1)}
    return [
        _op("group_nodes", {"id": _new(pool), "label": labels, "ids": several}),
        _op("ungroup_nodes", {"id": groups}),
        _op("move_to_group", {"ids": several, "group": st.one_of(groups, st.none())}, positions),
        _op("layout_diagram", {"scope": st.sampled_from(["new", "all"])}),
        _op("layout_diagram", {"scope": st.just("ids"), "ids": several}),
    ]


def _replace_diagram(pool: Pool) -> st.SearchStrategy[Op]:
    required, optional = _node_fields(pool)
    ids = st.sampled_from(pool.nodes)
    parents = st.one_of(st.none(), st.sampled_from(pool.groups))
    extras = {name: extra for name, extra in optional.items() if name != "near"} | {"parent": parents}
    own = pool.types[3:]
    if own:
        extras["custom_type"] = st.sampled_from([*own, None])
    node = st.one_of(
        st.fixed_dictionaries({"id": ids}, optional=extras),
        st.fixed_dictionaries({"id": ids, "type": _types(pool), "label": labels}, optional=extras),
        st.fixed_dictionaries(required, optional=extras),
    )
    edge = st.fixed_dictionaries(
        {"source": ids, "target": ids},
        optional={"id": st.sampled_from(pool.edges), "label": edge_labels, "kind": kinds, "route": routes},
    )
    nodes = st.lists(node, min_size=1, max_size=7, unique_by=lambda item: item["id"]).map(_with_parents)
    return st.tuples(nodes, st.lists(edge, max_size=4)).map(_closed)


def _with_parents(nodes: list[Op]) -> list[Op]:
    """Only parents that are in the list, most of the time a forest."""
    known = {item["id"] for item in nodes}
    return [
        {name: value for name, value in item.items() if name != "parent" or value is None or value in known}
        for item in nodes
    ]


def _closed(whole: tuple[list[Op], list[Op]]) -> Op:
    """Only edges between nodes that are in the list, no self loops, no id twice."""
    nodes, edges = whole
    known = {item["id"] for item in nodes}
    kept = [e for e in edges if e["source"] in known and e["target"] in known and e["source"] != e["target"]]
    once = [e for place, e in enumerate(kept) if "id" not in e or e["id"] not in {o.get("id") for o in kept[:place]}]
    return {"op": "replace_diagram", "nodes": nodes, "edges": once}


def _on_document(pool: Pool) -> list[st.SearchStrategy[Op]]:
    sections = st.sampled_from(pool.sections)
    titles = st.sampled_from([*TITLES, "C #", "- x"])
    find = {"section": sections, "find": st.sampled_from(pool.finds), "replace": words}
    scopes = st.sampled_from(["body", "subtree"])
    wheres = ("before", "after", "into")
    return [
        _op("edit_section", find, {"all": st.booleans()}),
        _op(
            "replace_section",
            {"section": sections, "text": paragraphs},
            {"scope": scopes},
        ),
        _op("append_to_section", {"section": sections, "text": paragraphs}),
        _op("insert_section", {"title": titles}, {"text": paragraphs, "level": st.integers(1, 6)}),
        *(_op("insert_section", {"title": titles, where: sections}, {"text": paragraphs}) for where in wheres),
        _op("delete_section", {"section": sections}),
        *(_op("move_section", {"section": sections, where: sections}) for where in wheres),
        _op("rename_section", {"section": sections, "title": titles}),
        _op("replace_document", {"text": documents}, {"eol": st.sampled_from(["lf", "crlf"])}),
    ]


@st.composite
def changes_to(draw: st.DrawFn, text: str, size: int = 3) -> ChangeSet:
    """Changes that fit a text: up to `size` replaced stretches, astral characters included."""
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=2 * size)))
    spans = [
        (start, end, draw(st.one_of(st.just(""), words))) for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    if not spans:
        return of_parts([(units(text), None)])
    return replacing(text, spans)
