"""Tell what changed over a range of commits, in a few sentences: one turn with a model, or its commits' own sentences.

Nothing is written, and the answer is kept nowhere. A model that fails is an outcome, and nothing tells it in its place.
Not here: the texts (`assistant.context.changes`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Literal

import orjson

from draftsmith.assistant.builtin import BuiltinProvider
from draftsmith.assistant.context.changes import Changes, changes_message, told_without_a_model
from draftsmith.assistant.loop import LoopContext, LoopResult, TurnReport, run_once
from draftsmith.assistant.provider import AIProvider, ToolCall, ToolResult, Usage
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.actor import Actor
from draftsmith.history.rows import Rows
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.providers.model_access import ModelAccess
from draftsmith.usecases.runs.debug_record import RecordedProvider
from draftsmith.usecases.runs.dependencies import RunDependencies
from draftsmith.usecases.upkeep.history import compare
from draftsmith.usecases.usage.metering import UsageFacts
from draftsmith.usecases.usage.shapes import SummaryOut

WORKFLOW: Final = "summary"
MOST_COMMITS: Final = 1_000
MOST_ROWS: Final = 200
_SECONDS: Final = 60.0
_ANSWER_TOKENS: Final = 4_000
_ANSWER_CHARS: Final = 4_000
_AT_ONCE: Final = 4
_UNTOLD: Final = ("trimmed", "too_costly")
"""Why what the commits come to may not be known; the commits themselves are then told all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryInput:
    """What is asked.

    Attributes:
        id: names the call in rows of usage and debug records.
        since: the commits after this revision.
        until: up to this one; None for the newest.
        provider: asked for by name; empty for who answers in the workspace.
    """

    id: RunId
    since: int
    until: int | None = None
    provider: str = ""


@dataclass
class Summaries:
    """Tells it on one worker; of one person one at a time, and of a workspace four."""

    dependencies: RunDependencies
    _going: dict[WorkspaceId, list[str]] = field(default_factory=dict)

    async def tell(self, workspace_id: WorkspaceId, actor: Actor, asked: SummaryInput) -> SummaryOut:
        """Tell what changed; `status` says whether that worked.

        Raises:
            DraftsmithError: `assistant_off`, `needs_key`, `provider_unknown`, `day_tokens`, `run_busy`,
                `revision_unknown`, `trimmed`, `invalid_request`.
        """
        needs = self.dependencies
        await needs.workspaces.meta(workspace_id)
        switch = await needs.store.switch_of(workspace_id)
        name = needs.providers.name_for(asked.provider, switch.provider)
        if switch.is_off:
            raise DraftsmithError("assistant_off", "The assistant is switched off in this workspace.")
        access = needs.providers.find(name)
        if access is not None:
            access.require()
        with self._turn(workspace_id, actor.id):
            changes = await read_changes(needs.workspaces, workspace_id, asked.since, asked.until)
            if access is None or not changes.rows:
                return self._without_model(workspace_id, actor, asked, changes)
            await needs.metering.check_day()
            return await self._by_model(workspace_id, actor, asked, changes, access)

    @contextmanager
    def _turn(self, workspace_id: WorkspaceId, person: str) -> Iterator[None]:
        going = self._going.setdefault(workspace_id, [])
        try:
            if person in going or len(going) >= _AT_ONCE:
                whose = "person" if person in going else "workspace"
                message = "What has changed is being told already; wait for that."
                raise DraftsmithError("run_busy", message, extra={"runs": [], "whose": whose})
            going.append(person)
            try:
                yield
            finally:
                going.remove(person)
        finally:
            if not going:
                self._going.pop(workspace_id, None)

    def _without_model(
        self, workspace_id: WorkspaceId, actor: Actor, asked: SummaryInput, changes: Changes
    ) -> SummaryOut:
        """Told without a model."""
        facts = _facts(workspace_id, actor, asked, BuiltinProvider.name, "", "")
        report = TurnReport(
            turn=1, status="ok", stop="end", usage=Usage(), calls=0, first_ms=None, duration_ms=0, retries=0
        )
        self.dependencies.metering.count(report, facts)
        return self._answer(changes, BuiltinProvider.name, BuiltinProvider.label, "", told_without_a_model(changes))

    async def _by_model(
        self, workspace_id: WorkspaceId, actor: Actor, asked: SummaryInput, changes: Changes, access: ModelAccess
    ) -> SummaryOut:
        """Told by a model, in one turn."""
        needs, result = self.dependencies, LoopResult()
        provider: AIProvider = access.open("ask")
        if needs.debug and (record := needs.debug.open(asked.id, workspace_id)):
            provider = RecordedProvider(provider, record, needs.providers.keys)
        prompts = needs.prompts(WORKFLOW)
        workspace_name = await needs.workspaces.read(workspace_id, lambda replica: replica.workspace.name)
        message, left_out = changes_message(prompts, workspace_name, changes)
        facts = _facts(workspace_id, actor, asked, provider.name, provider.model, prompts.hash)

        async def count(report: TurnReport) -> None:
            needs.metering.count(report, facts)

        context = LoopContext(
            provider=provider, system=prompts.system, tools=(), execute=_no_tool, on_event=_ignore, on_turn=count,
            on_done=_is_done, clock=needs.clock, result=result,
            limits=replace(needs.run_limits, seconds=_SECONDS, answer_tokens=_ANSWER_TOKENS),
        )  # fmt: skip
        error: DraftsmithError | None = None
        try:
            async with asyncio.timeout(_SECONDS):
                await run_once(context, message)
        except TimeoutError:
            error = DraftsmithError("deadline", f"It was not told within {_SECONDS:.0f} seconds. Ask for a part.")
        except DraftsmithError as failure:
            error = failure
        text = "" if error else result.text[:_ANSWER_CHARS] or "The model gave no answer."
        told = self._answer(
            replace(changes, left_out=left_out), provider.name, provider.label, provider.model, text, result
        )
        if error is not None:
            told["status"], told["error"] = "failed", {"code": error.code, "detail": error.detail}
        return told

    def _answer(
        self, changes: Changes, name: str, label: str, model: str, text: str, result: LoopResult | None = None
    ) -> SummaryOut:
        result = result or LoopResult()
        tokens = {"input": result.input_tokens, "output": result.output_tokens}
        prices = self.dependencies.metering.prices
        price = prices.of(name, model) if model else None
        status: Literal["told"] = "told"
        return {
            "status": status,
            "since": changes.since,
            "until": changes.until,
            "commits": changes.commits,
            "left_out": changes.left_out,
            "text": text,
            "provider": name,
            "label": label,
            "model": model,
            "error": None,
            "tokens": {"input": tokens["input"], "output": tokens["output"]},
            "cost": None if price is None else price.of(tokens),
            "currency": None if price is None else price.currency,
        }


def _facts(
    workspace_id: WorkspaceId, actor: Actor, asked: SummaryInput, provider: str, model: str, prompt_hash: str
) -> UsageFacts:
    return UsageFacts(
        provider=provider,
        model=model,
        operation=WORKFLOW,
        person=actor.id,
        workspace=workspace_id,
        run_id=asked.id,
        prompt_hash=prompt_hash,
        tool_errors=0,
    )


async def _no_tool(call: ToolCall) -> ToolResult:
    raise AssertionError("no tool is offered, and calls of a single turn are not executed")


async def _ignore(event: object) -> None:
    """Nobody watches."""


async def _is_done() -> None:
    """A single turn is followed by nothing."""


async def read_changes(workspaces: Workspaces, workspace_id: WorkspaceId, since: int, until: int | None) -> Changes:
    """Read what happened after a revision up to another; of many commits the newest `MOST_COMMITS`.

    Raises:
        DraftsmithError: `revision_unknown`, `trimmed`, `invalid_request`.
    """
    replica, past = await workspaces.log_reader(workspace_id)
    head = replica.head.revision
    upto = head if until is None else until
    await past.entry(upto)
    if since > upto:
        if until is None:
            raise DraftsmithError("revision_unknown", f"There is no revision {since}; the newest is {head}.")
        problem = Problem(-1, "", "field_invalid", "/until", f"must be {since} or later: it ends where it begins.")
        raise DraftsmithError("invalid_request", f"'until' {problem.message}", [problem])
    entries = [one for one in await past.upto(upto, min(upto - since, MOST_COMMITS)) if one.revision > since]
    if not entries:
        return Changes(since=since, until=upto, rows=[], left_out=upto - since)
    rows = Rows(MOST_ROWS)
    for entry in reversed(entries):
        rows.add(entry)
        if rows.is_full:
            break
    oldest = entries[0].revision if rows.following is None else rows.following.before
    changes = Changes(since=since, until=upto, rows=rows.items[::-1], left_out=oldest - 1 - since)
    try:
        compared = orjson.loads(
            await workspaces.compute_past(workspace_id, partial(compare, since, upto), [since, upto])
        )
    except DraftsmithError as error:
        if error.code not in _UNTOLD:
            raise
        return changes
    return replace(changes, what=compared["what"], diff=compared["diff"])
