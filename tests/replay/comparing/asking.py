"""One side of a comparison on a store: the product's own assistant, built from settings as the server builds it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.adapters.redis.workspace_index import RedisIndex
from draftsmith.assistant.context.focus import Focus
from draftsmith.assistant.loop import RunLimits
from draftsmith.components import assistant_of, limits_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.workspace import export_json
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.runs.assistant import Assistant
from draftsmith.usecases.runs.values import RunInput
from tests.builders import copy_of
from tests.replay.cases import Case
from tests.replay.comparing.sides import Side
from tests.replay.comparing.verdicts import judge
from tests.replay.conditions import After

ASKER: Final = Actor("guest:compare", "Ann", "person")
_COUNTS: Final = {
    "input": "input_tokens",
    "cache_read": "cache_read",
    "cache_write": "cache_write",
    "output": "output_tokens",
}
_A_WHILE_SECONDS: Final = 30.0


@dataclass
class _Rows:
    """The rows of usage of the request that goes on."""

    rows: list[Mapping[str, Any]] = field(default_factory=list)

    def write(self, row: Mapping[str, Any]) -> None:
        self.rows.append(row)


@dataclass
class Asking:
    """A side that can be asked; `limits` are those of its runs as they are set."""

    side: Side
    limits: RunLimits
    assistant: Assistant
    workspaces: Workspaces
    proposals: Proposals
    rows: _Rows

    async def ask(self, case: Case) -> dict[str, Any]:
        """Make a request in a workspace of its own, accept what is proposed, judge; the row of the journal."""
        clock = self.workspaces.clock
        w = await self._workspace(case)
        before = await self.workspaces.read(w, lambda replica: copy_of(replica.workspace))
        self.rows.rows.clear()
        start = clock.monotonic()
        try:
            run = await self._run(w, case)
        except DraftsmithError as problem:
            run = {"status": "failed", "outcome": {"error": {"code": problem.code, "detail": problem.detail}}}
        seconds = clock.monotonic() - start
        outcome = run["outcome"]
        alternatives = outcome.get("alternatives") or []
        if run["status"] == "proposed":
            proposal = alternatives[0]["proposal"] if alternatives else outcome["proposal"]
            await self.proposals.accept(w, proposal, ASKER, None)
        now = await self.workspaces.read(w, lambda replica: copy_of(replica.workspace))
        await self.workspaces.set_deleted(w, True)
        error = outcome.get("error") or {}
        after = After(
            before, now, str(outcome.get("summary") or ""), run["status"], outcome.get("findings"), len(alternatives)
        )
        judged = judge(case, after, str(error.get("code") or ""))
        tokens = {name: sum(int(row[of]) for row in self.rows.rows) for name, of in _COUNTS.items()}
        return {
            "case": case.id, "side": self.side.letter, "part": case.part,
            "verdict": judged.verdict, "accepted": judged.is_accepted, "proposed": run["status"] == "proposed",
            "status": run["status"], "code": error.get("code", ""), "failed": list(judged.failed),
            "calls": len(self.rows.rows), "tokens": tokens, "seconds": round(seconds, 3),
            "cost": None if self.side.cost is None else self.side.cost.of(tokens),
            "said": (after.answer or str(error.get("detail") or ""))[:1_000],
        }  # fmt: skip

    async def _run(self, w: str, case: Case) -> Any:
        body = case.body()
        self.assistant.dependencies.run_limits = self._limits(case)
        run_input = RunInput(
            id=self.workspaces.clock.new_id(), is_given=False, workflow=body["workflow"], prompt=case.prompt,
            mode="auto", focus=Focus.model_validate(body.get("focus", {})),
        )  # fmt: skip
        run: Any = await self.assistant.start(w, ASKER, run_input)
        while run["outcome"] is None:
            run = await self.assistant.wait(w, run["id"], _A_WHILE_SECONDS)
        return run

    def _limits(self, case: Case) -> RunLimits:
        """The limits of the side, for a request that is for a small context with that."""
        if not case.context:
            return self.limits
        return replace(self.limits, provider_context={self.side.info.name: case.context})

    async def _workspace(self, case: Case) -> str:
        workspaces = self.workspaces
        content = json.loads(json.dumps(export_json(case.started())))
        w, _ = await workspaces.create(
            identify(ASKER, None, workspaces.clock), ASKER, name=content["name"], content=content, source="compare",
            fingerprint="",
        )  # fmt: skip
        for operations in case.history:
            identity = identify(ASKER, None, workspaces.clock)
            limits = workspaces.limits
            request = BatchRequest(
                batch_id=identity.batch_id, txid=identity.txid, fingerprint="", actor=ASKER, scope=ASKER.id,
                batch=parse_batch(list(operations), limits), limits=limits,
            )  # fmt: skip
            await workspaces.submit(w, request)
        return w


@asynccontextmanager
async def asking(side: Side, store_url: str) -> AsyncIterator[Asking]:
    """A side on a store; what it wrote is left there."""
    await asyncio.to_thread(side.info.load)  # or the first request would seem slow
    connection = await connect(store_url)
    clock = SystemClock()
    workspaces = Workspaces(
        RedisCommitLog(connection), RedisIndex(connection), clock, limits_of(side.settings), f"compare-{side.letter}"
    )
    assistant = assistant_of(side.settings, workspaces, connection, clock)
    rows = assistant.dependencies.metering.log = _Rows()
    try:
        yield Asking(
            side,
            assistant.dependencies.run_limits,
            assistant,
            workspaces,
            Proposals(workspaces, assistant.dependencies.store, workspaces.limits),
            rows,
        )
    finally:
        await assistant.close()
        await workspaces.close()
        await assistant.dependencies.providers.close()
        await connection.close()
