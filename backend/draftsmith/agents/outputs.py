"""What the tools answer, as JSON. Types alone; their schemas are the tools' output schemas.

Long answers come in pages: `next_cursor` is null at the end. What people wrote stands in fields of its own.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.ports.proposal_shapes import AlternativeOut


class AgentWorkspaceItem(TypedDict):
    """One workspace in a list."""

    workspace: str
    name: str
    role: str
    revision: int
    nodes: int
    edges: int
    characters: int
    updated_at: str
    link: str


class ListWorkspacesResult(TypedDict):
    """Workspaces, newest change first."""

    workspaces: list[AgentWorkspaceItem]
    next_cursor: str | None


class CreateWorkspaceResult(TypedDict):
    """A workspace that was made."""

    workspace: str
    name: str
    revision: int
    link: str


class SectionRead(TypedDict):
    """One section: its text with the heading, and the sections below it that are not in `text`."""

    section: str
    line: int
    text: str
    is_whole: bool
    below: list[str]


class ReadSectionsResult(TypedDict):
    """Sections as they stand, and those that were not read, each with the reason."""

    workspace: str
    revision: int
    sections: list[SectionRead]
    not_read: list[str]


class ReadNodesResult(TypedDict):
    """Nodes with all their fields and edges, and those that were not read, each with the reason."""

    workspace: str
    revision: int
    nodes: list[dict[str, Any]]
    not_read: list[str]


class AgentPlace(TypedDict):
    """A place in the document."""

    section: str
    line: int
    text: str


class FindResult(TypedDict):
    """What words are found in: lines of nodes, and places in the document; or patterns, as text."""

    workspace: str
    revision: int
    nodes: list[str]
    nodes_total: int
    places: list[AgentPlace]
    places_total: int
    patterns: NotRequired[str]


class Warned(TypedDict):
    """One thing that looks wrong."""

    code: str
    message: str


class CheckResult(TypedDict):
    """What looks wrong."""

    workspace: str
    revision: int
    warnings: list[Warned]
    next_cursor: str | None


class AgentCommit(TypedDict):
    """One commit: who, when, what; `agent` where an agent made it, `yours` where this one did."""

    revision: int
    at: str
    by: str
    kind: str
    what: str
    why: str
    agent: NotRequired[str]
    yours: NotRequired[bool]


class HistoryResult(TypedDict):
    """Commits, newest first."""

    workspace: str
    revision: int
    commits: list[AgentCommit]
    next_cursor: str | None


class ElementsChanged(TypedDict):
    """What differs in nodes, or in edges: fields are `[old, new]`."""

    added: list[dict[str, Any]]
    changed: list[dict[str, Any]]
    removed: list[str]


class TextChanged(TypedDict):
    """A stretch of the document."""

    section: str
    line: int
    old: str
    new: str


class Difference(TypedDict):
    """What differs; `left_out` counts what there was no room for."""

    nodes: ElementsChanged
    edges: ElementsChanged
    document: list[TextChanged]
    name: NotRequired[list[str]]
    left_out: int


class CompareResult(TypedDict):
    """What differs between two revisions."""

    workspace: str
    from_revision: int
    to_revision: int
    what: str
    difference: Difference


class ExportResult(TypedDict):
    """A file, or a page of it."""

    workspace: str
    revision: int
    format: str
    text: str
    next_cursor: str | None


class QueryFailure(TypedDict):
    """Why a query has no answer; `cause` is a code of the assistant's outcomes."""

    code: Literal["QUERY_FAILED"]
    message: str
    cause: str


class QueryResult(TypedDict):
    """The answer of the assistant, with the tools that did something and the turns that it took."""

    workspace: str
    success: bool
    run: str
    summary: str
    tools_used: list[str]
    iterations: int
    error: NotRequired[QueryFailure]


class EditResult(TypedDict):
    """What became of a batch.

    `status`: `applied` (it is `revision`), `proposed` (`proposal` waits for a yes because of `reason`), `unchanged`, or
    `would_apply` and `would_propose` for a dry run.
    """

    workspace: str
    status: Literal["applied", "proposed", "unchanged", "would_apply", "would_propose"]
    revision: int
    replayed: bool
    what: list[str]
    ids: list[str]
    lines: list[str]
    warnings: list[str]
    proposal: NotRequired[str]
    reason: NotRequired[str]
    link: str


class UndoResult(TypedDict):
    """What became of undoing a commit; `left_out`: what others have changed since, each with the reason."""

    workspace: str
    status: Literal["undone", "unchanged", "would_undo"]
    revision: int
    replayed: bool
    difference: Difference
    left_out: list[str]


class ProposalRead(TypedDict):
    """A proposal; one of several alternatives has its place among them, what speaks for it and what against."""

    proposal: str
    status: str
    by: str
    yours: bool
    reason: str
    explanation: str
    fits: bool
    what: list[str]
    conflicts: list[str]
    link: str
    alternative: NotRequired[AlternativeOut]


class ProposalsResult(TypedDict):
    """Proposals; one that was accepted comes with its revision."""

    workspace: str
    proposals: list[ProposalRead]
    revision: NotRequired[int]
