"""Prepare a run: who answers, what is asked as the store keeps it, what the provider is told first.

The first message also tells the earlier turns of the conversation, and what was committed since the last of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from draftsmith.assistant.builtin.pattern_finder import PatternFinder
from draftsmith.assistant.context.context import first_message
from draftsmith.assistant.loop import RunLimits
from draftsmith.assistant.prompts import PromptSet
from draftsmith.assistant.provider import AIProvider
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor, actor_json
from draftsmith.history.record import decode_record
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import Workspace
from draftsmith.ports.runs import ConversationTurn, EditMode, FocusOut, RunRequest, RunStore, Switch
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.runs.debug_record import RecordedProvider
from draftsmith.usecases.runs.dependencies import RunDependencies
from draftsmith.usecases.runs.values import RunInput
from draftsmith.usecases.staging.staging import StagingArea

if TYPE_CHECKING:
    from draftsmith.usecases.plugins.plugin_session import PluginSession

_EARLIER_TURNS: Final = 6
_MOST_COMMITS: Final = 20  # of others, that the provider is told of
_MOST_CHARS: Final = 400  # of a text of an earlier turn
_ENDS: Final = {
    "applied": "applied as revision {revision}",
    "proposed": "left as a proposal",
    "answered": "answered",
    "unchanged": "changed nothing",
    "failed": "failed",
    "cancelled": "stopped",
}
_RECENT_RUNS: Final = 20
_AS_THE_SERVER: Final = Switch()


@dataclass(frozen=True, slots=True)
class InitialSize:
    """How large the workspace was when a run began."""

    nodes: int
    chars: int

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing in it."""
        return self.nodes == 0 and self.chars == 0


def size_of(workspace: Workspace) -> InitialSize:
    """How large the workspace is now."""
    return InitialSize(workspace.diagram.node_count, len(workspace.document.text.strip()))


@dataclass(frozen=True, kw_only=True)
class PreparedRun:
    """A run that has been checked and not been started.

    Attributes:
        run_input: what was asked.
        provider: who answers.
        staging: where its operations are staged.
        before: how large the workspace is.
        prompts: the prompts of its workflow.
        request: what is asked, for the store.
        plugins: what it may call of plugins; None for nothing.
        is_fallback: it writes anew as a whole after batches of the run before had not fitted.
    """

    dependencies: RunDependencies
    workspace_id: WorkspaceId
    run_input: RunInput
    provider: AIProvider
    staging: StagingArea
    before: InitialSize
    prompts: PromptSet
    request: RunRequest
    plugins: PluginSession | None = None
    is_fallback: bool = False

    @property
    def limits(self) -> RunLimits:
        """Where the run is stopped, and how much its model can read."""
        access = self.dependencies.providers.find(self.provider.name)
        limits = self.dependencies.run_limits
        if access is None:
            return limits.of_provider(self.provider.name)
        return limits.of_provider(self.provider.name, access.measured_context, access.cut_beyond)

    async def first_message(self) -> str:
        """The first message to the provider: the workspace as it is now with the request last, or the bare request."""
        if not self.provider.reads_context:
            return self.run_input.prompt
        store, workspaces = self.dependencies.store, self.dependencies.workspaces
        found = await store.conversation(self.workspace_id, before=None, count=_EARLIER_TURNS)
        turns = [turn for _, turn in found]
        changed = await _changes_since(workspaces, self.workspace_id, turns)
        revision = self.staging.base.revision if self.staging.base is not None else 0

        def write(workspace: Workspace) -> str:
            return first_message(
                self.prompts,
                workspace,
                revision=revision,
                prompt=self.run_input.prompt,
                focus=self.run_input.focus,
                recap=_turn_lines(turns),
                changed_since=changed,
                finding=self.run_input.finding,
                is_small=self.limits.is_small,
            )

        return await self.staging.read(write)


async def prepare_run(
    dependencies: RunDependencies,
    workspace_id: WorkspaceId,
    actor: Actor,
    run_input: RunInput,
    switch: Switch = _AS_THE_SERVER,
) -> PreparedRun:
    """Choose the provider and read the workspace; nothing is written.

    Provider and edit mode: the request's, else those of the workspace (`switch`), else the server's.

    Raises:
        DraftsmithError: `assistant_off`, `needs_key`, `needs_model`, `provider_unknown`,
            `workspace_not_empty`.
    """
    staging = StagingArea(dependencies.workspaces, workspace_id, dependencies.workspaces.limits)
    provider = dependencies.providers.open(run_input.workflow, run_input.provider, staging.compute, switch.provider)
    if run_input.workflow == "recommend" and not provider.reads_context:
        provider = PatternFinder(staging.compute, dependencies.patterns, run_input.focus)
    staging.is_inline = not provider.reads_context
    if (
        provider.reads_context
        and dependencies.debug
        and (record := dependencies.debug.open(run_input.id, workspace_id))
    ):
        provider = RecordedProvider(provider, record, dependencies.providers.keys)
    before = await staging.read(size_of)
    if run_input.workflow == "generate" and not before.is_empty:
        message = "Generating starts from an empty workspace; this one has something in it. Use edit instead."
        raise DraftsmithError("workspace_not_empty", message)
    if not provider.reads_context:
        _check_commands_can(run_input)
    edit_mode: EditMode = run_input.edit_mode or switch.edit_mode or dependencies.edit_mode
    if run_input.workflow != "edit" or not provider.reads_context:
        edit_mode = "tools"  # nothing else is offered there
    prompts = dependencies.prompts("regenerate" if edit_mode == "regenerate" else run_input.workflow)
    plugins: PluginSession | None = None
    if dependencies.plugins is not None and provider.reads_context and edit_mode != "regenerate":
        plugins = dependencies.plugins.session(run_input.id, run_input.workflow, may_write=run_input.may_approve)
    prompt_hash = prompts.hash if plugins is None else plugins.prompt_hash(prompts.hash)
    base = staging.base
    request = RunRequest(
        workflow=run_input.workflow,
        mode=run_input.mode,
        prompt=run_input.prompt,
        focus=cast(FocusOut, run_input.focus.model_dump(mode="json", by_alias=True)),
        actor=actor.to_json(),
        provider=provider.name,
        label=provider.label,
        model=provider.model,
        prompt_hash=prompt_hash if provider.reads_context else "",
        base={"epoch": base.epoch, "revision": base.revision} if base is not None else {},
        edit_mode=edit_mode,
    )
    if run_input.edit_mode is not None:
        request["asked_edit_mode"] = run_input.edit_mode
    if run_input.about is not None:
        request["about"] = run_input.about
    return PreparedRun(
        dependencies=dependencies,
        workspace_id=workspace_id,
        run_input=run_input,
        provider=provider,
        staging=staging,
        before=before,
        prompts=prompts,
        request=request,
        plugins=plugins,
        is_fallback=edit_mode == "regenerate" and await _follows_failures(dependencies.store, workspace_id, actor),
    )


def _check_commands_can(run_input: RunInput) -> None:
    """Refuse what takes a model, where built-in commands would answer: they know fixed sentences and do not guess.

    Raises:
        DraftsmithError: `needs_model`.
    """
    if run_input.workflow == "generate":
        message = "Generating needs an AI model, and none is connected. Enter a key, or begin with a template."
    elif run_input.workflow == "investigate":
        message = (
            "Investigating needs an AI model; built-in commands cannot do it. Asked as questions, they say what breaks "
            "if something fails, what calls it, and how one thing leads to another."
        )
    elif run_input.about is not None:
        message = "A change for a finding needs an AI model; built-in commands know fixed sentences only."
    else:
        return
    raise DraftsmithError("needs_model", message)


async def _follows_failures(store: RunStore, workspace_id: WorkspaceId, actor: Actor) -> bool:
    """Whether three batches in a row did not fit in this person's newest run that edits, and it made small changes."""
    rows = await store.runs(workspace_id, before=None, count=_RECENT_RUNS)
    own = (row for row in rows if row.request["actor"]["id"] == actor.id and row.request["workflow"] == "edit")
    newest = next(own, None)
    if newest is None or newest.request.get("edit_mode") == "regenerate":
        return False
    error = newest.outcome.get("error")
    return error is not None and error["code"] == "too_many_failures"


def _turn_lines(turns: Sequence[ConversationTurn]) -> list[str]:
    """Return earlier turns as plain lines, oldest first; `turns` are newest first."""
    return [_turn_line(turn) for turn in reversed(turns)]


def _turn_line(turn: ConversationTurn) -> str:
    """Return what was asked, how it ended, what the assistant said, and a note.

    The note says why the turn failed or was left to decide, and what was refused.
    """
    status = str(turn["status"])
    end = _ENDS.get(status, status).format(revision=turn.get("revision"))
    said = "" if status == "failed" else _short(str(turn.get("summary") or ""))
    detail = _short(str(turn.get("detail") or ""))
    parts = [end, f"you said: {said}" if said else "", f"note: {detail}" if detail else ""]
    name = turn["actor"]["name"]
    return f"{name} ({turn['workflow']}): {_short(str(turn['prompt']))} → {'; '.join(filter(None, parts))}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MOST_CHARS else f"{flat[: _MOST_CHARS - 1]}…"


async def _changes_since(
    workspaces: Workspaces, workspace_id: WorkspaceId, turns: Sequence[ConversationTurn]
) -> list[str]:
    """Return a line for each commit since the newest turn, newest last; none without an earlier turn."""
    revision = next((turn["revision"] for turn in turns if turn.get("revision")), None)
    if revision is None:
        return []
    replica, past = await workspaces.log_reader(workspace_id)
    head = replica.head.revision
    try:  # only what is shown is read
        entries = await past.entries_after(max(revision, head - _MOST_COMMITS))
    except DraftsmithError:
        return ["much has changed; the history since your last turn is no longer kept"]
    lines = []
    for entry in entries:
        record = decode_record(entry.body)
        if record.what and not record.hidden:
            lines.append(f"r{entry.revision} {actor_json(entry.actor)['name']}: {record.what}")
    more = head - revision - _MOST_COMMITS
    return [f"{more} earlier changes", *lines] if more > 0 else lines
