"""Several providers on one server: every one edits, a workspace has its own, and a conversation carries words alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.usecases.providers.model_access import ModelAccess
from tests.integration.assistant_workers import AssistantWorker, NoKeys, assistant_worker
from tests.standin import Standin, Step, Text, Thinking, ToolUse, Turn, serve
from tests.standin.kinds import KINDS, Script

WORKFLOWS = ("edit", "ask", "generate", "investigate")
BAD = {"operations": [{"op": "update_node", "id": "no-such-node", "label": "X"}]}
GOOD = {"operations": [{"op": "add_node", "id": "redis", "type": "cache", "label": "Redis"}]}
SECRET_THOUGHT = "A thought of the first provider."


def clumsy(body: Mapping[str, Any]) -> Step:
    """A model that takes a wrong name, calls what there is not, writes a call as text, and does it in the end."""
    turns = sum(message["role"] == "assistant" for message in body["messages"])
    as_text = Text(f"```json\n{json.dumps(GOOD)}\n```")
    answers = [
        Turn([Thinking(SECRET_THOUGHT), ToolUse("edit_diagram", BAD), ToolUse("no_such_tool", {})]),
        Turn([as_text]),
        Turn([ToolUse("edit_diagram", GOOD)]),
        Turn([Text("Redis is there.")]),
    ]
    return answers[min(turns, 3)]


def detective(body: Mapping[str, Any]) -> Step:
    """A model that reads the history, reports what does not hold, and corrects it."""
    turns = sum(message["role"] == "assistant" for message in body["messages"])
    finding = {"kind": "edge", "id": "queue -> worker", "evidence": "order events", "why": "Every event is a mail."}
    answers = [
        Turn([Thinking(SECRET_THOUGHT), ToolUse("find_commits", {"edge": "queue -> worker"})]),
        Turn([ToolUse("read_commit", {"revision": 2}), ToolUse("report_findings", {"findings": [{"kind": "node"}]})]),
        Turn([ToolUse("report_findings", {"findings": [finding, {**finding, "kind": "commit", "id": "2"}]})]),
        Turn([Text("Every event becomes a mail.")]),
    ]
    return answers[min(turns, 3)]


class Several:
    """A worker that can ask all providers, each at its own stand-in."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self.standins: dict[str, Standin] = {}

    async def add(self, worker: AssistantWorker, *names: str, brain: Script = clumsy) -> None:
        access = []
        for name in names:
            kind = KINDS[name]
            standin = self.standins[name] = kind.standin(brain)
            url = await self._stack.enter_async_context(serve(standin))
            connections = kind.connections(url)
            self._stack.push_async_callback(connections.close)
            models = dict.fromkeys(WORKFLOWS, kind.model)
            access.append(
                ModelAccess(
                    info=kind.info, env_key=standin.key, keys=NoKeys(), models=models, base_url=url,
                    connections=connections,
                )
            )  # fmt: skip
        providers = worker.assistant.dependencies.providers
        providers.available = access
        providers.offered = [one.info.name for one in access]


@pytest.mark.parametrize("name", list(KINDS))
async def test_every_provider_edits_whatever_goes_wrong_at_first(redis_url: str, name: str) -> None:
    """A wrong name, a tool that there is not, and a batch written as text are answered, and then it is done."""
    async with AsyncExitStack() as stack:
        worker = await stack.enter_async_context(assistant_worker(redis_url))
        several = Several(stack)
        await several.add(worker, name)
        await worker.make_shop()
        run = await worker.ask("add a cache")
        assert run["status"] == "applied", run["outcome"]
        assert (run["provider"], run["model"]) == (KINDS[name].info.name, KINDS[name].model)
        assert [one["status"] for one in run["outcome"]["tool_calls"]] == ["refused", "unknown_tool", "ok"]
        assert several.standins[name].refused == []


@pytest.mark.parametrize("name", ["anthropic", "chat", "loose", "responses", "google"])
async def test_every_provider_investigates(redis_url: str, name: str) -> None:
    """The history is read, a report that does not hold is refused, one that does is kept; in every dialect."""
    async with AsyncExitStack() as stack:
        worker = await stack.enter_async_context(assistant_worker(redis_url))
        several = Several(stack)
        await several.add(worker, name, brain=detective)
        await worker.make_shop()
        before = await worker.state()
        run = await worker.ask("mails are sent twice", workflow="investigate")
        assert run["status"] == "answered", run["outcome"]
        assert [one["status"] for one in run["outcome"]["tool_calls"]] == ["ok", "ok", "refused", "ok"]
        found = [(one["kind"], one["id"], one["evidence"]) for one in run["outcome"]["findings"]]
        assert found == [("edge", "queue--worker", "order events"), ("commit", "2", "order events")]
        assert await worker.state() == before
        assert several.standins[name].refused == []
        if name == "loose":
            sent = several.standins[name].asked[0].body["tools"]
            assert "anyOf" not in json.dumps([one for one in sent if "report_findings" in json.dumps(one)])


async def test_another_provider_in_a_conversation_is_sent_words_alone(redis_url: str) -> None:
    """Neither thoughts nor signatures nor calls of the one before, and the choice of the workspace is kept to."""
    async with AsyncExitStack() as stack:
        worker = await stack.enter_async_context(assistant_worker(redis_url))
        several = Several(stack)
        await several.add(worker, "anthropic", "responses", "google")
        w = await worker.make_shop()
        first = await worker.ask("add a cache")
        assert first["provider"] == "anthropic"
        for provider, kind in (("openai", "responses"), ("google", "google")):
            await worker.assistant.set_provider(w, provider)
            await worker.ask("and what about it")
            sent = json.dumps(several.standins[kind].asked[0].body, ensure_ascii=False)
            assert "add a cache" in sent, "the recap"
            assert "Redis is there." in sent
            assert SECRET_THOUGHT not in sent
            assert "signature" not in sent.lower()
            assert several.standins[kind].refused == []
        asked = len(several.standins["anthropic"].asked)
        with pytest.raises(DraftsmithError, match="provider_unknown"):
            await worker.start("add a cache", provider="anthropic")
        worker.assistant.dependencies.providers.offered = []
        with pytest.raises(DraftsmithError, match="provider_unknown"):
            await worker.start("add a cache")  # what was chosen is not offered any more, and nobody takes its place
        assert len(several.standins["anthropic"].asked) == asked
