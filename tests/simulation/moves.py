"""The one table of moves: for each operation of the schema, how it is drawn from what is known of a workspace.

Each simulation takes its operations from here, with a player of its own. A new operation is drawn by all of them once
it stands in `MOVES`, and `test_moves.py` fails while it does not. Not here: what an operation leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from draftsmith.model.vocabulary import DIRECTIONS, EDGE_KINDS
from tests.simulation.player import Draw, NothingThere, Op, Player, Span

_MOST_TRIES: Final = 30
_IMAGE: Final = f"images/{'0' * 64}.png"


# -- nodes -------------------------------------------------------------------------------------------------------------


def _looks_of_node(player: Player) -> dict[str, Draw]:
    """The fields that say what a node is and how it looks."""
    return {
        "description": lambda: player.text("description"),
        "technology": lambda: player.text("technology"),
        "notes": lambda: player.text("notes"),
        "image": lambda: player.chance.choice((_IMAGE, "")),
        "color": player.color,
        "style": player.style,
    }


def _fields_of_node(player: Player, kind: str = "") -> Op:
    is_group = kind == "group"
    more = {"position": player.point, "size": player.size, "parent": player.group, "near": player.node,
            "properties": player.properties, "locked": player.locked}  # fmt: skip
    places = {field: draw for field, draw in more.items() if not _is_empty(player, field)}
    return {
        "id": player.new_id("group" if is_group else "node"),
        "type": kind or player.type(),
        "label": player.text("label"),
        **player.some(**_looks_of_node(player), **places),
    }


def _is_empty(player: Player, field: str) -> bool:
    """Whether nothing is there that a field could name."""
    return (field == "parent" and not player.view.groups) or (field == "near" and not player.view.nodes)


def _add_node(player: Player) -> Op:
    return _fields_of_node(player, "group" if player.happens(0.25) else "")


def _update_node(player: Player) -> Op:
    looks = {field: _nullable(player, draw) for field, draw in _looks_of_node(player).items()}
    return {
        "id": player.node(),
        **player.changes(
            label=lambda: player.text("label"),
            type=player.type,
            position=player.point,
            size=_nullable(player, player.size),
            properties=lambda: player.or_null(player.patch, player.errs),
            locked=player.locked,
            **looks,
        ),
    }


def _nullable(player: Player, draw: Draw) -> Draw:
    return lambda: player.or_null(draw)


def _way_of_deleting(player: Player) -> Op:
    return player.some(bridge=player.flag, children=lambda: player.chance.choice(("up", "delete")))


def _delete_node(player: Player) -> Op:
    return {"id": player.node(), **_way_of_deleting(player)}


def _delete_nodes(player: Player) -> Op:
    return {"ids": player.several(), **_way_of_deleting(player)}


def _move_nodes(player: Player) -> Op:
    positions = {one: player.point() for one in player.several(2)}
    routes: dict[str, Draw] = {"routes": lambda: {player.edge(): player.or_null(player.route)}}
    more = player.some(
        sizes=lambda: {player.node(): player.or_null(player.size)}, **(routes if player.view.edges else {})
    )
    return {"positions": {} if more and player.happens(player.errs) else positions, **more}


# -- edges -------------------------------------------------------------------------------------------------------------


def _looks_of_edge(player: Player) -> dict[str, Draw]:
    return {
        "label": lambda: player.text("edge label"),
        "kind": lambda: player.chance.choice(EDGE_KINDS),
        "direction": lambda: player.chance.choice(DIRECTIONS),
        "description": lambda: player.text("description"),
        "color": player.color,
        "style": player.style,
        "shape": player.shape,
        "route": player.route,
        "route_by": lambda: player.chance.choice(("hand", "hand", "")),
        "label_at": lambda: player.chance.choice((0, 0.25, 1)),
    }


def _two_nodes(player: Player) -> tuple[str, str]:
    """Two nodes, seldom the same one twice."""
    source = player.node()
    others = [one for one in player.view.nodes if one != source]
    return source, source if player.happens(player.errs) else player.one(others)


def _add_edge(player: Player) -> Op:
    source, target = _two_nodes(player)
    id_of_it: dict[str, Draw] = {"id": lambda: player.new_id("edge")}
    looks = _looks_of_edge(player)
    return {"source": source, "target": target, **player.some(**id_of_it, **looks, properties=player.properties)}


def _named_edge(player: Player, label: str = "label") -> Op:
    """An edge by its id or by its ends, which several may share; then its label says which."""
    if "ends" in player.never or player.happens(0.6):
        return {"id": player.edge()}
    source, target = player.ends()
    by_label = {label: player.text("edge label")} if player.happens(player.errs) else {}
    return {"source": source, "target": target, **by_label}


def _update_edge(player: Player) -> Op:
    always_set = ("kind", "direction")
    looks = {
        field: draw if field in always_set else _nullable(player, draw)
        for field, draw in _looks_of_edge(player).items()
    }
    return {**_named_edge(player, "current_label"), **player.changes(**looks, properties=player.patch)}


def _delete_edge(player: Player) -> Op:
    return _named_edge(player)


def _rewire_edge(player: Player) -> Op:
    end = player.chance.choice(("new_source", "new_target"))
    both = {"new_source": player.node()} if player.happens(player.errs) else {}
    return {**_named_edge(player), **both, end: player.node()}


def _insert_between(player: Player) -> Op:
    source, target = player.ends()
    by_label = {"label": player.text("edge label")} if player.happens(player.errs) else {}
    node: Any = player.node() if player.happens(0.3) else _fields_of_node(player)
    labels = player.some(in_label=lambda: player.text("edge label"), out_label=lambda: player.text("edge label"))
    return {"source": source, "target": target, "node": node, **by_label, **labels}


# -- groups and types --------------------------------------------------------------------------------------------------


def _group_nodes(player: Player) -> Op:
    ids = player.several()
    name: Op = {"id": player.new_id("group"), "label": player.text("label")}
    return {**name, "ids": ids, **player.some(description=lambda: player.text("description"))}


def _ungroup_nodes(player: Player) -> Op:
    return {"id": player.group()}


def _move_to_group(player: Player) -> Op:
    ids = player.several()
    placed = player.several(1) if player.happens(player.errs) else ids
    positions = player.some(positions=lambda: {one: player.point() for one in placed})
    group = player.or_null(player.group)
    if group in ids and not player.happens(player.errs):
        raise NothingThere
    return {"ids": ids, "group": group, **positions}


def _layout_diagram(player: Player) -> Op:
    scope = player.chance.choice(("new", "all", "ids"))
    ids = {"ids": player.several()} if scope == "ids" else {}
    return {"scope": scope, **ids, **player.some(redraw=player.flag)}


def _define_type(player: Player) -> Op:
    base = player.chance.choice(("service", "database", "queue"))
    own = player.new_id("type")
    looks = player.some(technology=lambda: player.text("technology"), color=player.color)
    return {"id": own, "label": player.text("type name"), "type": base, **looks}


def _delete_type(player: Player) -> Op:
    return {"id": player.own_type()}


def _replace_diagram(player: Player) -> Op:
    """A whole diagram of what is there and what is new; what is not in it goes."""
    new = [_whole_node(player) for _ in range(player.chance.randint(1, 7))]
    nodes = list({node["id"]: node for node in new}.values())
    known = {node["id"] for node in nodes}
    for node in nodes:
        if node.get("parent") not in known:
            node.pop("parent", None)
    pairs = [player.chance.sample(sorted(known), 2) for _ in range(player.chance.randint(0, 4)) if len(known) > 1]
    ids = player.chance.sample(player.view.edges, min(len(pairs), len(player.view.edges)))
    edges: list[Op] = []
    for number, (source, target) in enumerate(pairs):
        named = {"id": ids[number]} if number < len(ids) and player.takes("id") else {}
        edges.append({"source": source, "target": target, **named, **player.some(**_looks_of_edge(player))})
    types: dict[str, Draw] = {"types": lambda: {player.new_id("type"): {"name": player.text("type name"),
                                                                     "base": "service"}}}  # fmt: skip
    return {"nodes": nodes, "edges": edges, **(player.some(**types) if player.happens(player.errs) else {})}


def _whole_node(player: Player) -> Op:
    """A node as it is to be: a new one, or one that is there with some of its fields."""
    there = [{"id": player.node()}] if player.view.nodes and player.happens(0.5) else []
    node = _fields_of_node(player, "group" if player.happens(0.25) else "")
    node.pop("near", None)
    if "parent" in node:
        node["parent"] = player.or_null(player.group)
    if player.view.own_types and player.takes("custom_type"):
        node["custom_type"] = player.or_null(lambda: player.one(player.view.own_types))
    if not there:
        return node
    kept = [field for field in node if field != "id" and player.happens(0.5)]
    return {"id": there[0]["id"], **{field: node[field] for field in kept}}


# -- the document and the workspace ------------------------------------------------------------------------------------


def _edit_section(player: Player) -> Op:
    section = player.section()
    find = player.quote(section)
    return {"section": section, "find": find, "replace": player.text("replace"), **player.some(all=player.flag)}


def _replace_section(player: Player) -> Op:
    section = player.section()
    scope: Draw = lambda: player.chance.choice(("body", "subtree"))  # noqa: E731
    return {"section": section, "text": player.body(section), **player.some(scope=scope)}


def _append_to_section(player: Player) -> Op:
    return {"section": player.section(), "text": player.text("text")}


def _insert_section(player: Player) -> Op:
    """A section at the end, or beside or in another one."""
    is_beside = bool(player.view.sections) and player.happens(0.7)
    beside = {player.chance.choice(_beside(player)): player.neighbour()} if is_beside else {}
    level = player.some(level=player.level)
    return {"title": player.text("title"), **player.some(text=lambda: player.text("text")), **beside, **level}


def _beside(player: Player) -> Sequence[str]:
    return [where for where in ("before", "after", "into") if where not in player.never]


def _delete_section(player: Player) -> Op:
    return {"section": player.section()}


def _move_section(player: Player) -> Op:
    section, beside = player.section(), player.neighbour()
    if beside == section and not player.happens(player.errs):
        raise NothingThere
    return {"section": section, player.chance.choice(_beside(player)): beside}


def _rename_section(player: Player) -> Op:
    return {"section": player.section(), "title": player.text("title")}


def _edit_text(player: Player) -> Op:
    spans = player.spans()
    if not spans:
        raise NothingThere
    return {"changes": change_parts(player.view.text, spans), "base_revision": player.view.revision}


def change_parts(text: str, spans: Iterable[Span]) -> list[Any]:
    """A change of a text as an editor sends it: UTF-16 units that are kept, and what is put in place of others."""
    parts: list[Any] = []
    done = 0
    for begin, end, new in spans:
        parts += [_units(text[done:begin])] if begin > done else []
        parts.append([_units(text[begin:end]), *(new.split("\n") if new else [])])
        done = end
    return [*parts, _units(text[done:])] if done < len(text) else parts


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _replace_document(player: Player) -> Op:
    ends: Draw = lambda: player.chance.choice(("lf", "crlf", "mixed"))  # noqa: E731
    return {"text": player.text("document"), **player.some(eol=ends)}


def _rename_workspace(player: Player) -> Op:
    return {"name": player.text("name")}


# -- the table ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Move:
    """How an operation is drawn, how often beside others, and on which part of a workspace."""

    draw: Callable[[Player], Op]
    weight: int
    part: Literal["diagram", "document", "workspace"]


MOVES: Final[dict[str, Move]] = {
    "add_node": Move(_add_node, 5, "diagram"),
    "update_node": Move(_update_node, 5, "diagram"),
    "delete_node": Move(_delete_node, 2, "diagram"),
    "delete_nodes": Move(_delete_nodes, 1, "diagram"),
    "move_nodes": Move(_move_nodes, 2, "diagram"),
    "add_edge": Move(_add_edge, 4, "diagram"),
    "update_edge": Move(_update_edge, 2, "diagram"),
    "delete_edge": Move(_delete_edge, 2, "diagram"),
    "rewire_edge": Move(_rewire_edge, 2, "diagram"),
    "insert_between": Move(_insert_between, 1, "diagram"),
    "group_nodes": Move(_group_nodes, 1, "diagram"),
    "ungroup_nodes": Move(_ungroup_nodes, 1, "diagram"),
    "move_to_group": Move(_move_to_group, 2, "diagram"),
    "layout_diagram": Move(_layout_diagram, 1, "diagram"),
    "define_type": Move(_define_type, 2, "diagram"),
    "delete_type": Move(_delete_type, 1, "diagram"),
    "replace_diagram": Move(_replace_diagram, 1, "diagram"),
    "edit_section": Move(_edit_section, 4, "document"),
    "replace_section": Move(_replace_section, 2, "document"),
    "append_to_section": Move(_append_to_section, 2, "document"),
    "insert_section": Move(_insert_section, 3, "document"),
    "delete_section": Move(_delete_section, 2, "document"),
    "move_section": Move(_move_section, 2, "document"),
    "rename_section": Move(_rename_section, 1, "document"),
    "edit_text": Move(_edit_text, 2, "document"),
    "replace_document": Move(_replace_document, 1, "document"),
    "rename_workspace": Move(_rename_workspace, 1, "workspace"),
}


def names_of(*parts: str, without: Iterable[str] = ()) -> Sequence[str]:
    """Return the operations on some parts of a workspace, without those that somebody gives a reason to leave out.

    Raises:
        KeyError: one that is left out is no operation, or not any more.
    """
    left_out = {name for name in without if MOVES[name]}
    return tuple(name for name, move in MOVES.items() if move.part in parts and name not in left_out)


def operation(player: Player, names: Sequence[str]) -> Op | None:
    """Draw one of some operations; None where the view has nothing for any that the dice chose."""
    weighted = _weighted(tuple(names))
    for _ in range(_MOST_TRIES):
        name = player.chance.choice(weighted)
        try:
            return {"op": name, **MOVES[name].draw(player)}
        except NothingThere:
            continue
    return None


@lru_cache(maxsize=64)
def _weighted(names: tuple[str, ...]) -> Sequence[str]:
    return [name for name in names for _ in range(MOVES[name].weight)]
