"""Who draws moves: what is known of a workspace (`View`), and the values that operations are made of (`Player`).

Each simulation has a player of its own, which says what new things are called, what is written, and which fields can be
checked. Not here: which fields an operation has (`moves`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol, TypeVar

from draftsmith.model.vocabulary import STYLES

T = TypeVar("T")
Op = dict[str, Any]
Span = tuple[int, int, str]
Draw = Callable[[], Any]
Kind = Literal["node", "group", "edge", "type"]


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

    def after(self, op: Op) -> View:
        """Return the view with what an operation adds and without what it deletes, for the next one of a batch."""
        new = [op["id"]] if "id" in op and op["op"] in ("add_node", "add_edge", "group_nodes") else []
        edges = new if op["op"] == "add_edge" else []
        nodes = new if op["op"] in ("add_node", "group_nodes") else []
        groups = nodes if op.get("type", "group") == "group" else []
        gone = {op.get("id"), *op.get("ids", ())} if op["op"].startswith(("delete_", "ungroup_")) else set()
        return replace(
            self,
            nodes=[one for one in (*self.nodes, *nodes) if one not in gone],
            groups=[one for one in (*self.groups, *groups) if one not in gone],
            edges=[one for one in (*self.edges, *edges) if one not in gone],
            ends=[ends for ends in self.ends if not gone.intersection(ends)],
        )


class NothingThere(Exception):
    """The view holds nothing that a move could be about, or what was drawn for it does not go together."""


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

    def own_type(self) -> str:
        """Return the id of a type that the workspace defines."""
        return self._known(self.view.own_types, self.ids["type"])

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

    def level(self) -> int:
        """Return the level of a new section."""
        return self.chance.randint(1, 6)

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
