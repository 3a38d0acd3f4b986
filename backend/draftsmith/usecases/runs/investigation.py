"""What a run that only reads is given beyond the workspace as it is now: its history, and a place for its findings.

Not here: how commits are put into words (`assistant.tools.commit_answers`), what makes a finding valid
(`assistant.tools.findings`), tools that read the workspace as it is (`tool_calls`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from draftsmith.assistant.answers import feedback
from draftsmith.assistant.provider import ToolCall, ToolResult
from draftsmith.assistant.tools import commit_answers
from draftsmith.assistant.tools.commit_answers import ReadableCommit
from draftsmith.assistant.tools.findings import check_findings, cited_revisions, named_edge
from draftsmith.assistant.tools.investigation_inputs import FindCommits, ReadCommit, ReportFindings
from draftsmith.assistant.tools.lines import quote_line
from draftsmith.assistant.tools.readers import ReadAnswer
from draftsmith.assistant.tools.tool_arguments import ToolFault, named_node, nearest, read_tool_input
from draftsmith.errors import DraftsmithError
from draftsmith.history.commit_filter import CommitFilter
from draftsmith.history.rows import PageCursor
from draftsmith.model.ids import EdgeId, NodeId, WorkspaceId
from draftsmith.model.workspace import Workspace
from draftsmith.ports.run_outcomes import FindingOut, OutcomeOut
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.refusal import OperationRefused
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.staging.staging import StagingArea
from draftsmith.usecases.upkeep.history import full_commit, list_commits

_WORDS: Final = 20  # that are looked for


@dataclass
class Investigation:
    """The history and the findings of one run.

    Attributes:
        findings: those of the last report that was taken; None before the first.
        refused: why the newest report was not taken; empty if it was.
    """

    workspaces: Workspaces
    workspace_id: WorkspaceId
    staging: StagingArea
    findings: list[FindingOut] | None = None
    refused: str = ""
    _has_reminded: bool = False

    async def read_past(self, tool: str, arguments: Mapping[str, object]) -> ReadAnswer:
        """Answer a question on the history.

        Raises:
            ToolFault: it cannot be answered.
        """
        if tool == "read_commit":
            revision = read_tool_input(ReadCommit, arguments).revision
            commit = await self._commit(revision)
            if isinstance(commit, str):
                raise ToolFault(commit)
            return commit_answers.read_commit(commit)
        return await self._find(read_tool_input(FindCommits, arguments))

    async def report(self, call: ToolCall, arguments: Mapping[str, object]) -> ToolResult:
        """Take what the model reports, all of it or nothing; a later report replaces an earlier one."""
        try:
            reported = read_tool_input(ReportFindings, arguments).findings
            commits = {revision: await self._commit(revision) for revision in cited_revisions(reported)}
            found, problems = await self.staging.read(lambda workspace: check_findings(workspace, commits, reported))
            if problems:
                raise ToolFault("\n".join(["", *(f"- {problem}" for problem in problems)]))
        except ToolFault as fault:
            self.refused = str(fault).strip()
            return ToolResult(
                call.id, feedback.report_refusal_text(self.refused), is_error=True, data={"error": self.refused}
            )
        self.findings, self.refused = found, ""
        return ToolResult(call.id, feedback.report_text(len(found)), data={"findings": found})

    def reminder(self, *, is_wanted: bool) -> str | None:
        """Ask, once in a run, for the findings: where they are wanted and absent, or were refused; None if not."""
        is_missing = self.findings is None and is_wanted
        if self._has_reminded or not (is_missing or self.refused):
            return None
        self._has_reminded = True
        return feedback.missing_report_text(self.refused)

    def with_findings(self, outcome: OutcomeOut) -> OutcomeOut:
        """An outcome with what was found."""
        if self.findings is not None:
            outcome = {**outcome, "findings": self.findings}
        return {**outcome, "findings_refused": self.refused} if self.refused else outcome

    async def _find(self, asked: FindCommits) -> ReadAnswer:
        wanted, said, note = await self.staging.read(lambda workspace: _filter_of(workspace, asked))
        head = 0 if self.staging.base is None else self.staging.base.revision
        start = PageCursor(min(asked.before or head + 1, head + 1))
        found, following = await list_commits(self.workspaces.log, self.workspace_id, start, asked.limit, wanted)
        return commit_answers.found_commits(found, None if following is None else following.before, said, note)

    async def _commit(self, revision: int) -> ReadableCommit | str:
        """A commit with what it changed; a text says why it cannot be read."""
        try:
            _, log = await self.workspaces.log_reader(self.workspace_id)
            commit = full_commit(await log.entry(revision))
        except DraftsmithError as error:
            if error.code not in ("revision_unknown", "trimmed"):
                raise
            return error.detail
        return commit


def _filter_of(workspace: Workspace, asked: FindCommits) -> tuple[CommitFilter, str, str]:
    """The filter that a question means, what is looked for in words, and what the model has to know of it."""
    node, edge, section, notes = None, None, None, []
    if asked.node:
        node, note = _node_then(workspace, asked.node)
        notes.append(note)
    if asked.edge:
        edge = _edge_then(workspace, asked.edge)
    if asked.section:
        section = _section_then(workspace, asked.section)
    words = tuple(asked.text.casefold().replace('"', " ").split())[:_WORDS]
    parts = [("node", node), ("edge", edge), ("section", section)]
    said = [f" {what} {quote_line(one)}" for what, one in parts if one is not None]
    said += [f" the words {quote_line(' '.join(words))}"] if words else []
    about = f" with{' and'.join(said)}" if said else ""
    return CommitFilter(node=node, edge=edge, section=section, words=words), about, " ".join(filter(None, notes))


def _node_then(workspace: Workspace, wanted: str) -> tuple[NodeId, str]:
    """The node that is meant, which may be gone: then what was written counts as its id, and the note says so."""
    try:
        return named_node(workspace.diagram, wanted), ""
    except ToolFault as fault:
        if str(fault).startswith("Several"):
            raise
    note = f"There is no node {quote_line(wanted)} now, so it is taken as the id of one that is gone."
    return NodeId(wanted.strip()), f"{note}{nearest(workspace.diagram, wanted)}"


def _edge_then(workspace: Workspace, wanted: str) -> EdgeId:
    """The edge that is meant; what looks like an id counts as one, since the edge may be gone."""
    try:
        return named_edge(workspace.diagram, wanted)
    except ToolFault:
        if "->" in wanted or "→" in wanted:
            raise
    return EdgeId(wanted.strip())


def _section_then(workspace: Workspace, wanted: str) -> str:
    """The path of the section that is meant; what begins as a path counts as one, since the section may be gone."""
    outline = workspace.document.outline
    try:
        return outline.path(find_section(outline, wanted, "/section", fuzzy=False))
    except OperationRefused as refused:
        if refused.code == "section_not_found" and wanted.lstrip().startswith("#"):
            return wanted.strip()
        near = f" Sections: {'; '.join(refused.candidates)}." if refused.candidates else ""
        raise ToolFault(f"{refused.message}{near}") from None
