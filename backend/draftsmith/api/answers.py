"""What goes out over HTTP, as models: for OpenAPI and its tests; answers themselves are written without them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Out(BaseModel):
    """An answer."""

    model_config = ConfigDict(extra="forbid")


class ProblemOut(Out):
    """One reason why something does not fit."""

    index: int
    op: str
    code: str
    path: str
    message: str
    candidates: list[str]
    remedy: Literal["fix", "retry", "stop"]
    caused_by: int | None = None


class ProblemDocument(BaseModel):
    """RFC 9457, with a stable `code`."""

    model_config = ConfigDict(extra="allow")
    type: str
    title: str
    status: int
    code: str
    detail: str
    problems: list[ProblemOut]
    request_id: str


class PointOut(Out):
    """Pixels."""

    x: float
    y: float


class SizeOut(Out):
    """Pixels."""

    width: float
    height: float


class NodeOut(Out):
    """A node."""

    id: str
    type: str
    label: str
    description: str
    technology: str
    notes: str
    properties: dict[str, str]
    position: PointOut
    size: SizeOut | None
    parent: str | None
    locked: bool


class EdgeOut(Out):
    """An edge."""

    id: str
    source: str
    target: str
    label: str
    kind: str
    direction: str
    description: str
    properties: dict[str, str]
    route: list[PointOut] | None


class DiagramOut(Out):
    """Nodes and edges, oldest first, those of one commit by id."""

    nodes: list[NodeOut]
    edges: list[EdgeOut]


class DocumentOut(Out):
    """Text with LF line ends, and the line ends it came with."""

    text: str
    eol: Literal["lf", "crlf", "mixed"]


class WorkspaceOut(Out):
    """A workspace at a revision; `frozen` says why it takes no writes."""

    id: str
    name: str
    role: Literal["owner", "editor", "viewer"]
    revision: int
    diagram: DiagramOut
    document: DocumentOut
    frozen: str | None = None


class WorkspaceItem(Out):
    """A workspace in a list."""

    id: str
    name: str
    role: Literal["owner", "editor", "viewer"]
    revision: int
    nodes: int
    edges: int
    chars: int
    created_at: str
    updated_at: str
    deleted_at: str | None


class CreatedOut(WorkspaceItem):
    """A workspace that was just made; `warnings` name the lines of an import that were not understood."""

    warnings: list[ProblemOut]


class WorkspaceList(Out):
    """A page of workspaces."""

    items: list[WorkspaceItem]
    next_cursor: str | None


class MatchOut(Out):
    """Where a document operation matched: the rung, the section, first and last line, the text as it reads now."""

    rung: str
    section: str
    lines: list[int]
    snippet: str


class ResultOut(Out):
    """What one operation did."""

    index: int
    op: str
    ids: list[str]
    removed: list[str] | None = None
    match: MatchOut | None = None


class ChangedOut(Out):
    """Fields of a node or edge that changed: `[old, new]` each."""

    id: str
    fields: dict[str, list[Any]]


class NodesDiff(Out):
    """Nodes added, changed and removed."""

    added: list[NodeOut]
    changed: list[ChangedOut]
    removed: list[str]


class EdgesDiff(Out):
    """Edges added, changed and removed."""

    added: list[EdgeOut]
    changed: list[ChangedOut]
    removed: list[str]


class TextDiff(Out):
    """A stretch of the document that changed; lines as they were before."""

    section: str
    from_line: int
    to_line: int
    old: str
    new: str


class DiffOut(Out):
    """What changed."""

    nodes: NodesDiff
    edges: EdgesDiff
    document: list[TextDiff]
    workspace: dict[str, list[str]]


class LeftOut(Out):
    """Something that an undo had to leave out, and why; `ids`: the nodes and edges that it speaks of."""

    what: str
    why: str
    ids: list[str] = []


class WriteAnswer(Out):
    """What a write did; `diff` is absent with `Prefer: return=minimal`."""

    batch_id: str
    revision: int
    changed: bool
    dry_run: bool
    replayed: bool
    kind: str
    ref: int | None
    results: list[ResultOut]
    diff: DiffOut | None = None
    warnings: list[ProblemOut]
    left_out: list[LeftOut]


class ActorOut(Out):
    """Who."""

    id: str
    name: str
    kind: str


class CountsOut(Out):
    """How much changed."""

    added: int
    changed: int
    removed: int
    text: int


class RevertOut(Out):
    """What to ask for to take a row back: `POST /commits/{rev}/revert {upto}`."""

    rev: int
    upto: int | None


class CommitOut(Out):
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


class CommitList(Out):
    """A page of commits, newest first."""

    items: list[CommitOut]
    next_cursor: str | None


class UndoneOut(Out):
    """The newest commit that took it back, and how many of the things it had changed were left as they were.

    Things are nodes, edges, stretches of the document, the name and the line ends.
    """

    revision: int
    left_out: int
    of: int


class CommitFull(CommitOut):
    """A commit with everything it changed.

    `undone` is null as long as it stands, also after a redo. Told from the 5,000 commits after it; always null in the
    stream of events.
    """

    results: list[ResultOut]
    diff: DiffOut
    warnings: list[ProblemOut]
    checkpoint: dict[str, Any] | None
    steps: list[dict[str, Any]]
    undone: UndoneOut | None


class StackTop(Out):
    """What undo or redo would take."""

    rev: int
    label: str


class UndoState(Out):
    """What undo and redo would take, for oneself, of the document (`touching`), and undo for all."""

    undo: StackTop | None
    redo: StackTop | None
    undo_document: StackTop | None
    redo_document: StackTop | None
    undo_all: StackTop | None


class CompareOut(Out):
    """What changed between two revisions."""

    from_revision: int
    to_revision: int
    what: str
    diff: DiffOut
    counts: CountsOut


class CheckpointOut(Out):
    """A named revision."""

    id: str
    name: str
    revision: int
    at: str


class CheckpointList(Out):
    """All checkpoints, newest first."""

    items: list[CheckpointOut]
    next_cursor: None = None


class OutlineItem(Out):
    """A section."""

    level: int
    title: str
    path: str
    line: int
    chars: int


class OutlineOut(Out):
    """The sections of the document."""

    items: list[OutlineItem]
    next_cursor: None = None


class SectionOut(Out):
    """One section with its text."""

    path: str
    level: int
    title: str
    line: int
    text: str
    own_text: str


class LintOut(Out):
    """All warnings."""

    items: list[ProblemOut]
    next_cursor: None = None


class ExportOut(Out):
    """The lossless export form."""

    format: Literal["draftsmith/1"]
    name: str
    diagram: dict[str, Any]
    document: DocumentOut


class MeOut(Out):
    """Who one is here."""

    id: str
    name: str
    kind: str
    color: str


class TemplateOut(Out):
    """Something to start from."""

    id: str
    name: str
    description: str
    nodes: int
    edges: int


class TemplateList(Out):
    """All templates."""

    items: list[TemplateOut]
    next_cursor: None = None


class HealthOut(Out):
    """Whether it works."""

    status: str
    code: str | None = None
    detail: str | None = None


class TicketOut(Out):
    """What opens `/live` for a page of another origin, and until when."""

    ticket: str
    expires_at: str
