"""The JSON shapes of what is read of a workspace: commits, comparisons, what undo would take, sections. Types alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.errors import ProblemOut
from draftsmith.history.shapes import CommitOut, CountsOut, DiffOut, UndoneOut
from draftsmith.model.ids import NodeId
from draftsmith.transform.requests.drawn_flowchart import DrawnEdgeOut, DrawnNodeOut
from draftsmith.transform.requests.imported_rows import ImportRowOut
from draftsmith.transform.results import ResultOut


class CommitFull(CommitOut):
    """A commit with everything it changed.

    `undone` is null as long as it stands, also after a redo. Told from the 5,000 commits after it; always null in the
    stream of events.
    """

    results: list[ResultOut]
    diff: DiffOut
    warnings: list[ProblemOut]
    checkpoint: dict[str, Any] | None
    steps: list[Mapping[str, object]]
    undone: UndoneOut | None


class StackTop(TypedDict):
    """What undo or redo would take."""

    rev: int
    label: str


class UndoState(TypedDict):
    """What undo and redo would take, for oneself, of the document (`touching`), and undo for all.

    `undo_typing` is one's own newest run of typed text that stands, if it is newer than `undo_document`.
    """

    undo: StackTop | None
    redo: StackTop | None
    undo_document: StackTop | None
    undo_typing: StackTop | None
    redo_document: StackTop | None
    undo_all: StackTop | None


class CompareOut(TypedDict):
    """What changed between two revisions."""

    from_revision: int
    to_revision: int
    what: str
    diff: DiffOut
    counts: CountsOut


class SectionOut(TypedDict):
    """One section with its text."""

    path: str
    level: int
    title: str
    line: int
    text: str
    own_text: str


class FlowchartOperationsOut(TypedDict):
    """A Mermaid flowchart as operations to send as a batch; none where it is empty.

    `new_ids` are of the nodes that the batch makes, `namesakes` those whose id or label another node has: they are new
    all the same. `warnings` name the lines that were not taken over.
    """

    revision: int
    operations: list[DrawnNodeOut | DrawnEdgeOut]
    new_ids: list[NodeId]
    namesakes: list[NodeId]
    warnings: list[ProblemOut]


class FormatOut(TypedDict):
    """A format that is read: its name, what people call it, and endings of names of its files."""

    reader: str
    title: str
    endings: list[str]
    media_type: str


class FormatList(TypedDict):
    """All formats that are read."""

    items: list[FormatOut]
    next_cursor: NotRequired[None]


class UnreadPartOut(TypedDict):
    """Something that was not taken over: its file, where in it, at most 200 characters of it, and why."""

    file: str
    place: str
    text: str
    reason: str


class ReadPartOut(TypedDict):
    """What becomes one workspace; `part` is its number in its set, from 1."""

    part: int
    name: str
    nodes: int
    edges: int
    chars: int


class ReadSetOut(TypedDict):
    """Files that are read together.

    `reader` is the format's name, `title` what people call it, `root` the file after which the set is called. `problem`
    says why there are no parts, null where there are some.
    """

    reader: str
    title: str
    root: str
    files: list[str]
    parts: list[ReadPartOut]
    unread: list[UnreadPartOut]
    problem: UnreadPartOut | None


class ReadFilesOut(TypedDict):
    """What files are: the sets among them, and the paths of those that no format has."""

    sets: list[ReadSetOut]
    unrecognized: list[str]


class OpenImportOut(TypedDict):
    """What an import would do in a workspace that is open: nothing is changed.

    Operations are sent in the order of the lists, as one batch: of `new`, of `changed`, and of those of `missing` that
    somebody wants to go. `unchanged` counts what is recognized and says the same.
    """

    revision: int
    reader: str
    title: str
    part: int
    parts: list[str]
    new: list[ImportRowOut]
    changed: list[ImportRowOut]
    missing: list[ImportRowOut]
    unchanged: int
    unread: list[UnreadPartOut]
    unrecognized: list[str]
