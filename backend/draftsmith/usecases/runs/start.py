"""The opening of a run: what is asked as it stands in the store, the first message, the course with all it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.assistant.context import first_message
from draftsmith.assistant.loop import Limits as LoopLimits
from draftsmith.assistant.prompts import PromptSet
from draftsmith.assistant.provider import AIProvider
from draftsmith.assistant.tools import tools_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import Workspace
from draftsmith.ports import Clock
from draftsmith.ports.runs import RunStore
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.runs.earlier_turns import changes_since, recap_of
from draftsmith.usecases.runs.finish import Settlement
from draftsmith.usecases.runs.metering import Metering
from draftsmith.usecases.runs.providers import Providers
from draftsmith.usecases.runs.recorder import Journal
from draftsmith.usecases.runs.run import Before, RunCourse, before_of
from draftsmith.usecases.runs.staging import Stage
from draftsmith.usecases.runs.values import Ask

Json = Mapping[str, Any]
_TURNS_TOLD: Final = 6


@dataclass(frozen=True)
class Surroundings:
    """What every run of this worker shares."""

    workspaces: Workspaces
    store: RunStore
    providers: Providers
    metering: Metering
    prompts: Callable[[str], PromptSet]
    clock: Clock
    run_limits: LoopLimits
    settlement: Settlement
    regenerate: bool


@dataclass(frozen=True)
class Opening:
    """One request on its way to become a run.

    Attributes:
        request: JSON of what is asked, for the store.
    """

    around: Surroundings
    workspace_id: WorkspaceId
    ask: Ask
    provider: AIProvider
    stage: Stage
    before: Before
    prompts: PromptSet
    request: Json

    async def first(self) -> str:
        """The first message: the workspace as it is now and the request last, or the bare request."""
        if not self.provider.reads_context:
            return self.ask.prompt
        talks = [talk for _, talk in await self.around.store.talks(self.workspace_id, before=None, count=_TURNS_TOLD)]
        changed = await changes_since(self.around.workspaces, self.workspace_id, talks)
        revision = self.stage.base.revision if self.stage.base is not None else 0

        def write(workspace: Workspace) -> str:
            return first_message(
                self.prompts, workspace, revision=revision, prompt=self.ask.prompt, focus=self.ask.focus,
                recap=recap_of(talks), changed_since=changed,
            )  # fmt: skip

        return await self.stage.look(write)

    def course(self, journal: Journal, first: str) -> RunCourse:
        """The run itself."""
        around, ask = self.around, self.ask
        facts = {
            "provider": self.provider.name,
            "model": self.provider.model,
            "operation": self.prompts.workflow,
            "person": self.request["actor"]["id"],
            "workspace": self.workspace_id,
            "run_id": ask.id,
            "prompt_hash": self.request["prompt_hash"],
        }
        tools = tools_of(ask.workflow, self.prompts, regenerate=self.prompts.workflow == "regenerate")
        return RunCourse(
            self.workspace_id, ask, self.request, self.provider, self.prompts.system, tools, first, self.before,
            self.stage, journal, around.settlement, around.metering, around.clock, around.run_limits, facts,
        )  # fmt: skip


async def open_run(around: Surroundings, workspace_id: WorkspaceId, actor: Actor, ask: Ask) -> Opening:
    """Find out who answers and what there is to work on.

    Raises:
        DraftsmithError: `assistant_off`, `needs_key`, `needs_model`, `provider_unknown`,
            `workspace_not_empty`.
    """
    stage = Stage(around.workspaces, workspace_id, around.settlement.limits)
    provider = around.providers.open(ask.workflow, ask.provider, stage.look)
    stage.is_brief = not provider.reads_context
    before = await stage.look(before_of)
    if ask.workflow == "generate" and not before.is_empty:
        message = "Generating starts from an empty workspace; this one has something in it. Use edit instead."
        raise DraftsmithError("workspace_not_empty", message)
    if ask.workflow == "generate" and not provider.reads_context:
        message = "Generating needs an AI model, and none is connected. Enter a key, or begin with a template."
        raise DraftsmithError("needs_model", message)
    rewrites = around.regenerate and ask.workflow == "edit" and provider.reads_context
    prompts = around.prompts("regenerate" if rewrites else ask.workflow)
    request = _request(actor, ask, provider, stage, prompts.hash if provider.reads_context else "")
    return Opening(around, workspace_id, ask, provider, stage, before, prompts, request)


def _request(actor: Actor, ask: Ask, provider: AIProvider, stage: Stage, prompt_hash: str) -> dict[str, Any]:
    base = stage.base
    return {
        "workflow": ask.workflow,
        "mode": ask.mode,
        "prompt": ask.prompt,
        "focus": ask.focus.model_dump(mode="json", by_alias=True),
        "actor": actor.to_json(),
        "provider": provider.name,
        "label": provider.label,
        "model": provider.model,
        "prompt_hash": prompt_hash,
        "base": {"epoch": base.epoch, "revision": base.revision} if base is not None else {},
    }
