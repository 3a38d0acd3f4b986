"""Hypothesis strategies for operations and texts that often hit what is there.

Few ids, few labels, few titles: collisions, reuse of ids and nesting are the rule and not the exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

from hypothesis import assume
from hypothesis import strategies as st

from draftsmith.model.diagram import NO_ENDS
from draftsmith.model.document import units
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.changeset import ChangeSet, of_parts, replacing
from tests.simulation.moves import Player, View, names_of, operation

Op = dict[str, Any]
T = TypeVar("T")

NODES = ["a", "b", "c", "d"]
GROUPS = ["g", "h"]
ANY = [*NODES, *GROUPS]
EDGES = ["e", "f"]
TITLES = ["Risks", "Data", "Ängste 🚀"]
WORDS = ["alpha", "beta", "🚀", "né", "x", "𝒳 y", "- item", "| a | b |", "", "# no", "```", "\n", "tail  "]

words = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
paragraphs = st.lists(st.sampled_from([*WORDS, "a **b** c"]), max_size=4).map("\n".join)
headings = st.tuples(st.integers(1, 3), st.sampled_from(TITLES)).map(lambda it: f"{'#' * it[0]} {it[1]}")
setext = st.sampled_from(TITLES).map(lambda title: f"{title}\n---")
documents = st.lists(st.one_of(headings, paragraphs, setext, st.just("")), max_size=8).map("\n".join)


class DrawnChance:
    """The chance of moves, drawn by Hypothesis, which makes a failing example small."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def random(self) -> float:
        """Return a share of one."""
        return self._draw(_SHARES)

    def randint(self, least: int, most: int, /) -> int:
        """Return a whole number; both are possible."""
        return self._draw(_between(least, most))

    def choice(self, options: Sequence[T], /) -> T:
        """Return one of some things."""
        return options[self._draw(_between(0, len(options) - 1))]

    def sample(self, options: Sequence[T], count: int, /) -> list[T]:
        """Return some things, none twice."""
        left = list(options)
        return [left.pop(self._draw(_between(0, len(left) - 1))) for _ in range(count)]


_SHARES = st.integers(0, 99).map(lambda number: number / 100)


@lru_cache(maxsize=1024)
def _between(least: int, most: int) -> st.SearchStrategy[int]:
    return st.integers(least, most)


def view_of(workspace: Workspace) -> View:
    """What is in a workspace."""
    diagram, outline = workspace.diagram, workspace.document.outline
    nodes, edges = sorted(diagram.node_ids()), sorted(diagram.edge_ids())
    lines = sorted({line for line in workspace.document.text.split("\n") if line.strip()})
    return View(
        nodes=nodes,
        groups=[node_id for node_id in nodes if diagram[node_id]["type"] == "group"],
        edges=edges,
        ends=sorted({diagram.ends(edge_id) or NO_ENDS for edge_id in edges}),
        types=("service", "database", "group", *sorted(diagram.types)),
        own_types=sorted(diagram.types),
        sections=(*sorted({outline.path(section) for section in outline.sections}), ""),
        finds=(*lines, "alpha", "🚀"),
        text=workspace.document.text,
    )


class LawPlayer(Player):
    """Draws the values of moves for the laws, texts by the strategies above."""

    def __init__(self, draw: st.DrawFn, view: View) -> None:
        super().__init__(DrawnChance(draw), view)
        self._draw = draw

    def text(self, field: str) -> str:
        """Return a text for a field of an operation."""
        return self._draw(_TEXTS[field]) if field in _TEXTS else super().text(field)


_TEXTS = {"document": documents, "text": paragraphs, "replace": words}
_TYPED = ("edit_text",)  # is of a revision, and drawn by `changes_to`
_NAMES = {
    "": names_of("diagram", "document", "workspace", without=_TYPED),
    "diagram": names_of("diagram"),
    "document": names_of("document", without=_TYPED),
}


@st.composite
def operations_on(draw: st.DrawFn, workspace: Workspace, part: str = "") -> Op:
    """Operations that mostly speak of what is in a workspace: on its `diagram`, its `document`, or both."""
    drawn = operation(LawPlayer(draw, view_of(workspace)), _NAMES[part])
    assume(drawn is not None)
    assert drawn is not None
    return drawn


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
