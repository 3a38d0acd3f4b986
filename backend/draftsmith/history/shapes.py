"""The JSON shapes of the history: diffs, and commits as lists show them. Types alone."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.model.custom_types import CustomType
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.shapes import EdgeOut, NodeOut
from draftsmith.transform.results import LeftOut


class ChangedOut(TypedDict):
    """Fields of a node or edge that changed: `[old, new]` each."""

    id: str
    fields: dict[str, list[Any]]


class NodesDiff(TypedDict):
    """Nodes added, changed and removed."""

    added: list[NodeOut]
    changed: list[ChangedOut]
    removed: list[NodeId]


class EdgesDiff(TypedDict):
    """Edges added, changed and removed."""

    added: list[EdgeOut]
    changed: list[ChangedOut]
    removed: list[EdgeId]


class TextDiff(TypedDict):
    """A stretch of the document that changed; lines as they were before."""

    section: str
    from_line: int
    to_line: int
    old: str
    new: str


class DiffOut(TypedDict):
    """What changed; `types` of one's own, `[old, new]` by id, only where some did."""

    nodes: NodesDiff
    edges: EdgesDiff
    document: list[TextDiff]
    workspace: dict[str, list[str]]
    types: NotRequired[dict[str, list[CustomType | None]]]


class ActorOut(TypedDict):
    """Who."""

    id: str
    name: str
    kind: str


class CountsOut(TypedDict):
    """How much changed."""

    added: int
    changed: int
    removed: int
    text: int


class RevertOut(TypedDict):
    """What to ask for to take a row back: `POST /commits/{rev}/revert {upto}`."""

    rev: int
    upto: int | None


class CommitOut(TypedDict):
    """A commit, or several that belong together as one (`revisions`, newest first).

    `revert` is null where there is nothing to take back, or several edits that are taken back one by one.
    """

    revision: int
    revisions: list[int]
    at: str
    since: str
    actor: ActorOut
    kind: str
    ref: int | None
    what: str
    why: str
    source: str
    counts: CountsOut
    left_out: list[LeftOut]
    revert: RevertOut | None


class UndoneOut(TypedDict):
    """The newest commit that took it back, and how many of the things it had changed were left as they were.

    Things are nodes, edges, types of one's own, stretches of the document, the name and the line ends.
    """

    revision: int
    left_out: int
    of: int
