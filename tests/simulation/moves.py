"""The one table of moves: for each operation of the schema, how it is drawn from what is known of a workspace.

Each simulation takes its operations from here with a player of its own, which says what new things are called, what is
written, and which fields can be checked. A new operation is drawn by all of them once it stands in `MOVES`, and
`test_moves.py` fails while it does not. Not here: what an operation leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol, TypeVar

from draftsmith.model.vocabulary import DIRECTIONS, EDGE_KINDS, STYLES

T = TypeVar("T")
Op = dict[str, Any]
Span = tuple[int, int, str]
Draw = Callable[[], Any]
Kind = Literal["node", "group", "edge", "type"]

_MOST_TRIES: Final = 30
_IMAGE: Final = f"images/{'0' * 64}.png"


class Chance(Protocol):
    """What moves are drawn with: `random.Random` is one, and so are the draws of Hypothesis (`tests.strategies`)."""

    def random(self) -> float: ...
    def randint(self, least: int, most: int, /) -> int: ...
    def choice(self, options: Sequence[T], /) -> T: ...
    def sample(self, options: Sequence[T], count: int, /) -> list[T]: ...


@dataclass(frozen=True)
class View:
    """What is known of a workspace.

    Attributes:
        nodes: with the groups.
        ends: of edges.
        types: that a node may be of.
        own_types: ids of types that the workspace defines.
        sections: paths.
        finds: texts of the document that can be quoted.
    """

    nodes: Sequence[str] = ()
    groups: Sequence[str] = ()
    edges: Sequence[str] = ()
    ends: Sequence[tuple[str, str]] = ()
    types: Sequence[str] = ("service", "database", "queue")
    own_types: Sequence[str] = ()
    sections: Sequence[str] = ()
    finds: Sequence[str] = ()
    text: str = ""
    revision: int = 0


class NothingThere(Exception):
    """The view holds nothing that a move could be about."""


class Player:
    """Draws the values of moves; its own come from small sets, so that several meet.

    Attributes:
        always, never: optional fields that are drawn each time or not at all, for whoever can check nothing else.
        errs: how often a value is of the right form and does not fit: a node that is not there, an edge from a node to
            itself, a place for a node that is not moved.
        ids: what new things are called.
    """

    always: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    errs = 0.1
    ids: Mapping[Kind, Sequence[str]] = MappingProxyType({
        "node": ("a", "b", "c", "d", "i", "j"), "group": ("g", "h", "i"), "edge": ("e", "f"), "type": ("own", "kin"),
    })  # fmt: skip

    def __init__(self, chance: Chance, view: View) -> None:
        self.chance, self.view = chance, view

    # -- what players differ in --------------------------------------------------------------------------------------

    def new_id(self, kind: Kind) -> str:
        """Return an id for something new; now and then it is taken."""
        taken = {*self.view.nodes, *self.view.edges, *self.view.own_types}
        free = [one for one in self.ids[kind] if one not in taken]
        return self.chance.choice((*free, *free, self.ids[kind][0]))

    def text(self, field: str) -> str:
        """Return a text for a field of an operation."""
        return self.chance.choice(_TEXTS[field])

    def body(self, section: str) -> str:
        """Return the text that replaces a section's."""
        return self.text("text")

    def quote(self, section: str) -> str:
        """Return a text to find in a section."""
        return self.one(self.view.finds)

    def spans(self) -> Sequence[Span]:
        """Return what is typed: stretches of the text in order, each with the text in place of it."""
        size = len(self.view.text)
        cuts = sorted(self.chance.randint(0, size) for _ in range(2 * self.chance.randint(1, 2)))
        return [(*cut, self.text("replace")) for cut in zip(cuts[::2], cuts[1::2], strict=True)]

    def point(self) -> Op:
        """Return a position."""
        return {"x": self.chance.choice((-40, 0, 12.5, 300)), "y": self.chance.choice((0, 90, 400))}

    def takes(self, field: str) -> bool:
        """Say whether an optional field is drawn this time."""
        return field in self.always or (field not in self.never and self.happens(0.5))

    # -- what all have in common -------------------------------------------------------------------------------------

    def happens(self, odds: float) -> bool:
        """Say whether something happens that happens so often."""
        return self.chance.random() < odds

    def one(self, options: Sequence[T]) -> T:
        """Return one of some things.

        Raises:
            NothingThere: there are none.
        """
        if not options:
            raise NothingThere
        return self.chance.choice(options)

    def several(self, most: int = 3) -> list[str]:
        """Return some nodes."""
        ids = self.view.nodes
        if not ids:
            raise NothingThere
        strangers = [self.chance.choice(self.ids["node"])] if self.happens(self.errs) else []
        return [*self.chance.sample(ids, self.chance.randint(1, min(most, len(ids)))), *strangers]

    def some(self, **draws: Draw) -> Op:
        """Return those of some optional fields that are taken."""
        return {field: draw() for field, draw in draws.items() if self.takes(field)}

    def changes(self, **draws: Draw) -> Op:
        """Return one to three of some fields that a change may give."""
        known = [field for field in draws if field not in self.never]
        given = self.chance.sample(known, self.chance.randint(1, min(3, len(known))))
        return {field: draws[field]() for field in given}

    def or_null(self, draw: Draw, odds: float = 0.25) -> Any:
        """Return a value, or null, which clears a field."""
        return None if self.happens(odds) else draw()

    # -- values ------------------------------------------------------------------------------------------------------

    def node(self) -> str:
        """Return the id of a node or a group."""
        return self._known(self.view.nodes, self.ids["node"])

    def group(self) -> str:
        """Return the id of a group."""
        return self._known(self.view.groups, self.ids["group"])

    def edge(self) -> str:
        """Return the id of an edge."""
        return self._known(self.view.edges, self.ids["edge"])

    def ends(self) -> tuple[str, str]:
        """Return the ends of an edge."""
        return self.one(self.view.ends) if not self.happens(self.errs) else (self.node(), self.node())

    def _known(self, options: Sequence[str], others: Sequence[str]) -> str:
        """One that is there, now and then another."""
        return self.chance.choice(others) if self.happens(self.errs) else self.one(options)

    def section(self) -> str:
        """Return the path of a section."""
        return self._known(self.view.sections, _TITLES)

    def neighbour(self) -> str:
        """Return the path of a section beside or in which another one is put."""
        return self._known(self.view.sections, _TITLES)

    def type(self) -> str:
        """Return a type for a node."""
        return self.one(self.view.types)

    def size(self) -> Op:
        """Return a size of a node."""
        return {"width": self.chance.choice((20, 180, 400)), "height": self.chance.choice((20, 72, 300))}

    def route(self) -> list[Op]:
        """Return the bends of an edge."""
        return [self.point() for _ in range(self.chance.randint(1, 2))]

    def color(self) -> str:
        """Return a colour, or none."""
        return self.chance.choice(("red", "blue", ""))

    def style(self) -> str:
        """Return a style, or none."""
        return self.chance.choice((*STYLES, ""))

    def shape(self) -> str:
        """Return a shape of a line, or none."""
        return self.chance.choice(("straight", "curved", ""))

    def properties(self) -> Op:
        """Return properties."""
        keys = self.chance.sample(_KEYS, self.chance.randint(0, 2))
        return {key: self.text("property") for key in keys}

    def patch(self) -> Op:
        """Return a change of properties."""
        keys = self.chance.sample(_KEYS, self.chance.randint(0, 2))
        return {key: self.or_null(lambda: self.text("property")) for key in keys}

    def locked(self) -> bool:
        """Say whether a node is locked; mostly not, since little may be done to it then."""
        return self.happens(0.25)

    def flag(self) -> bool:
        """Return yes or no."""
        return self.happens(0.5)


_KEYS: Final = ("k", "l")
_WORDS: Final = ("alpha", "beta", "🚀", "né", "x", "𝒳 y", "- item", "| a | b |", "", "# no", "```", "\n", "tail  ",
                 "alpha beta né", "x\n- item\ntail  ")  # fmt: skip
_TITLES: Final = ("Risks", "Data", "Ängste 🚀")
_PROSE: Final = ("", "what it does 🚀", "else")
_TEXTS: Final = {
    "label": ("Orders", "Cart", "🚀 Pad"),
    "edge label": ("", "reads", "writes"),
    "description": _PROSE,
    "notes": _PROSE,
    "technology": ("", "Kafka"),
    "property": ("1", "2"),
    "type name": ("Own thing", "Kin thing"),
    "name": ("Shop", "Bank"),
    "title": (*_TITLES, "C #", "- x"),
    "text": (*_WORDS, "a **b** c", "alpha\nbeta né\na **b** c", "- item\n\n- item\n🚀"),
    "replace": _WORDS,
    "document": ("", *(f"intro 🚀\n\n# {one}\n\nalpha beta\n\n## Data\n- item\n{one}\n---\nx" for one in _TITLES),
                 "alpha", "# Risks\n# Risks\n\n```\n# no\n```\n| a | b |\ntail  \n"),
}  # fmt: skip


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
    return {"ids": ids, "group": player.or_null(player.group), **positions}


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
    return {"id": player.one((*player.view.own_types, player.new_id("type")))}


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
    level = {} if "into" in beside else player.some(level=lambda: player.chance.randint(1, 6))
    return {"title": player.text("title"), **player.some(text=lambda: player.text("text")), **beside, **level}


def _beside(player: Player) -> Sequence[str]:
    return [where for where in ("before", "after", "into") if where not in player.never]


def _delete_section(player: Player) -> Op:
    return {"section": player.section()}


def _move_section(player: Player) -> Op:
    return {"section": player.section(), player.chance.choice(_beside(player)): player.neighbour()}


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
