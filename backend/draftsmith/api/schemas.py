"""What crosses the HTTP border beside operations: bodies that come in and answers that go out."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from draftsmith.transform import operations as ops

RequestId = Annotated[str, StringConstraints(min_length=8, max_length=128, pattern=r"^[\x21-\x7e]+$")]
Explanation = Annotated[str, StringConstraints(max_length=2_000)]
Base = Annotated[int, Field(ge=0)] | Annotated[str, StringConstraints(max_length=200)]


class In(BaseModel):
    """A body: strict, unknown fields refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Out(BaseModel):
    """An answer."""

    model_config = ConfigDict(extra="forbid")


# -- bodies ----------------------------------------------------------------------------------------------------------


class BatchBody(In):
    """A batch: all of its operations happen, or none does."""

    operations: Annotated[list[ops.Operation], Field(min_length=1, max_length=500)]
    id: RequestId | None = None
    base_revision: Base | None = None
    explanation: Explanation = ""
    dry_run: bool = False


class Envelope(In):
    """A batch whose operations are read on their own, so that every fault of theirs is reported."""

    operations: Any = None
    id: RequestId | None = None
    base_revision: Base | None = None
    explanation: Explanation = ""
    dry_run: bool = False


class NodeBody(ops.NodeFields):
    """A new node."""


class EdgeBody(ops.EdgeFields):
    """A new edge."""


class NodePatch(In):
    """Fields of a node to change; null clears."""

    type: ops.NodeType | None = None
    label: ops.NodeLabel | None = None
    description: ops.LongText | None = None
    technology: ops.Technology | None = None
    notes: ops.LongText | None = None
    properties: ops.PropertyPatch | None = None
    position: ops.Point | None = None
    size: ops.Size | None = None
    locked: bool | None = None


class EdgePatch(In):
    """Fields of an edge to change; null clears. `source` and `target` move its ends."""

    label: ops.EdgeLabel | None = None
    kind: ops.EdgeKind | None = None
    direction: ops.Direction | None = None
    description: ops.LongText | None = None
    properties: ops.PropertyPatch | None = None
    route: ops.Route | None = None
    source: ops.NodeId | None = None
    target: ops.NodeId | None = None


class DocumentBody(In):
    """The whole document; unchanged lines stay untouched."""

    text: str
    eol: Literal["lf", "crlf", "mixed"] | None = None


class SectionEdit(In):
    """One quoted text to replace."""

    section: ops.SectionPath
    find: str
    replace: str
    all: bool = False


class EditsBody(In):
    """Edits of the document, all or none."""

    edits: Annotated[list[SectionEdit], Field(min_length=1, max_length=500)]
    base_revision: Base | None = None
    explanation: Explanation = ""
    dry_run: bool = False


class ImportBody(In):
    """Something made elsewhere: `json` is our export form."""

    format: Literal["json", "markdown", "mermaid"]
    content: str | dict[str, Any]


class WorkspaceBody(In):
    """A new workspace; at most one of template, copy_of and import, or a document and a diagram."""

    name: ops.WorkspaceName | None = None
    template: Annotated[str, StringConstraints(max_length=64)] | None = None
    copy_of: Annotated[str, StringConstraints(max_length=64)] | None = None
    import_: Annotated[ImportBody | None, Field(alias="import")] = None
    document: DocumentBody | None = None
    diagram: dict[str, Any] | None = None


class NameBody(In):
    """A new name for a workspace."""

    name: ops.WorkspaceName


class MeBody(In):
    """A new name for oneself."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=60, strip_whitespace=True)]


class EmptyBody(In):
    """Nothing."""


class UndoBody(In):
    """Which stack to undo from; `expect` guards against a stack that has moved."""

    scope: Literal["mine", "all"] = "mine"
    expect: Annotated[int, Field(ge=1)] | None = None
    force: bool = False
    dry_run: bool = False


class RedoBody(In):
    """As undo, for one's own redo stack."""

    expect: Annotated[int, Field(ge=1)] | None = None
    force: bool = False
    dry_run: bool = False


class RevertBody(In):
    """How to take back one commit."""

    force: bool = False
    dry_run: bool = False


class RestoreBody(In):
    """How to restore a revision."""

    dry_run: bool = False


class CheckpointBody(In):
    """A name for a revision; default the newest."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True)]
    revision: Annotated[int, Field(ge=1)] | None = None


# -- answers ---------------------------------------------------------------------------------------------------------


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
    """Nodes and edges, oldest first."""

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
    """Something that an undo had to leave out, and why."""

    what: str
    why: str


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


class CommitOut(Out):
    """A commit, or neighbouring ones as one (`revisions`, newest first)."""

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


class CommitList(Out):
    """A page of commits, newest first."""

    items: list[CommitOut]
    next_cursor: str | None


class CommitFull(CommitOut):
    """A commit with everything it changed."""

    results: list[ResultOut]
    diff: DiffOut
    warnings: list[ProblemOut]
    checkpoint: dict[str, Any] | None
    steps: list[dict[str, Any]]


class StackTop(Out):
    """What undo or redo would take."""

    rev: int
    label: str


class UndoState(Out):
    """What undo and redo would take, for oneself, and undo for all."""

    undo: StackTop | None
    redo: StackTop | None
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
