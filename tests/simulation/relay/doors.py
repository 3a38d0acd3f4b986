"""The doors through which the relay writes: the use cases in this process, or the HTTP API of a running server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import httpx

from draftsmith.adapters.process.system import SystemClock
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import diagram_json
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.commits.staged_request import StagedRequest
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.requests.request import Request
from draftsmith.usecases.requests.undo_requests import UndoRequest
from draftsmith.usecases.staging.staging import StagingArea
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.simulation.relay.plan import Op
from tests.timeouts import TIMEOUT_SECONDS

PEOPLE = ("ann", "ben")
MODEL = "model"
_API = "/api/v1"


@dataclass(frozen=True)
class State:
    """A workspace as a reader sees it."""

    revision: int
    text: str
    nodes: dict[str, dict[str, Any]]
    edges: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Answer:
    """What a write was answered: done, or refused with a code and problems; `aside`: nodes it says to have moved."""

    code: str = ""
    detail: str = ""
    problems: Sequence[Mapping[str, Any]] = ()
    changed: bool = False
    left_out: Sequence[Mapping[str, Any]] = ()
    aside: frozenset[str] = frozenset()

    @property
    def is_refused(self) -> bool:
        return bool(self.code)

    @property
    def is_told(self) -> bool:
        """Whether a refusal says what is wrong in words."""
        return bool(self.detail) and all(problem["message"] for problem in self.problems)


@dataclass
class Staged:
    """Operations that are resolved and wait to be committed; `answer` says whether they were taken."""

    answer: Answer
    area: StagingArea | None = field(default=None, repr=False)
    aside: frozenset[str] = frozenset()


class Door(Protocol):
    """One workspace, written to by a model and two people."""

    can_stage: bool

    async def open(self, name: str, text: str, diagram: Mapping[str, Any]) -> None: ...
    async def state(self) -> State: ...
    async def batch(self, who: str, operations: Sequence[Op], base: int | None = None) -> Answer: ...
    async def stage(self, operations: Sequence[Op], onto: Staged | None = None) -> Staged: ...
    async def commit(self, staged: Staged) -> Answer: ...
    async def undo(self, who: str) -> Answer: ...
    async def close(self) -> None: ...


def _by_id(items: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {item["id"]: dict(item) for item in items}


class InProcess:
    """The use cases of one worker on a log in memory; the model's batches can be staged, as its runs do."""

    can_stage = True

    def __init__(self) -> None:
        self._clock = SystemClock()
        self._limits = WorkspaceLimits()
        self._actors = {name: Actor(f"guest:{name}", name.title(), "person") for name in PEOPLE}
        self._actors[MODEL] = Actor("local:model", "Assistant", "assistant")
        self._w = ""

    async def open(self, name: str, text: str, diagram: Mapping[str, Any]) -> None:
        store = MemoryStore()
        self._there = Workspaces(MemoryCommitLog(store), MemoryIndex(store), self._clock, self._limits, "relay")
        content = {"document": {"text": text}, "diagram": diagram}
        identity = identify(self._actors["ann"], None, self._clock)
        self._w, _ = await self._there.create(
            identity, self._actors["ann"], name=name[:200], content=content, source="test", fingerprint=""
        )

    async def state(self) -> State:
        def read(replica: Any) -> State:
            diagram = diagram_json(replica.workspace.diagram)
            nodes, edges = _by_id(diagram["nodes"]), _by_id(diagram["edges"])
            return State(replica.head.revision, replica.workspace.document.text, nodes, edges)

        return await self._there.read(self._w, read)

    async def batch(self, who: str, operations: Sequence[Op], base: int | None = None) -> Answer:
        try:
            batch = parse_batch(list(operations), self._limits)
        except DraftsmithError as error:
            return _refusal(error)
        request = BatchRequest(**self._common(who), batch=batch, limits=self._limits, base=base)
        return await self._submit(request)

    async def stage(self, operations: Sequence[Op], onto: Staged | None = None) -> Staged:
        area = onto.area if onto is not None and onto.area else StagingArea(self._there, self._w, self._limits)
        try:
            added = await area.add(operations)
        except DraftsmithError as error:
            return Staged(_refusal(error))
        if area.dropped:
            return Staged(Answer("run_conflict", str(area.dropped)))
        aside = _aside(added.warnings) | (onto.aside if onto is not None else frozenset())
        return Staged(Answer(changed=True), area, aside)

    async def commit(self, staged: Staged) -> Answer:
        assert staged.area is not None
        assert staged.area.base is not None
        request = StagedRequest(
            **self._common(MODEL), base=staged.area.base, staged=staged.area.operations, limits=self._limits
        )
        answer = await self._submit(request)
        return replace(answer, aside=answer.aside | staged.aside)

    async def undo(self, who: str) -> Answer:
        return await self._submit(UndoRequest(**self._common(who), action="undo"))

    async def close(self) -> None:
        await self._there.close()

    def _common(self, who: str) -> dict[str, Any]:
        actor = self._actors[who]
        identity = identify(actor, None, self._clock)
        return {
            "batch_id": identity.batch_id,
            "txid": identity.txid,
            "fingerprint": "",
            "actor": actor,
            "scope": actor.id,
        }

    async def _submit(self, request: Request[Any]) -> Answer:
        try:
            answer = await self._there.submit(self._w, request)
        except DraftsmithError as error:
            return _refusal(error)
        aside = _aside(answer.get("warnings") or ())
        return Answer(changed=answer["changed"], left_out=answer.get("left_out") or (), aside=aside)


def _aside(warnings: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(one for warning in warnings if warning["code"] == "moved_aside" for one in warning["candidates"])


def _refusal(error: DraftsmithError) -> Answer:
    return Answer(error.code, error.detail, [problem.to_json() for problem in error.problems])


class OverHttp:
    """A workspace of a running server; each person is a profile of their own, the model a script."""

    can_stage = False

    def __init__(self, url: str, others_url: str = "") -> None:
        """Write at one worker as the model and, if there is another one, at that as the people."""
        urls = {**dict.fromkeys(PEOPLE, others_url or url), MODEL: url}
        self._clients = {name: httpx.AsyncClient(base_url=at, timeout=TIMEOUT_SECONDS) for name, at in urls.items()}
        self._w = ""

    async def open(self, name: str, text: str, diagram: Mapping[str, Any]) -> None:
        for person in PEOPLE:
            if not self._clients[person].cookies:
                (await self._clients[person].post(f"{_API}/session", json={})).raise_for_status()
        content = {"format": "draftsmith/1", "name": name[:200], "diagram": diagram, "document": {"text": text}}
        body = {"name": name[:200], "import": {"format": "json", "content": content}}
        made = await self._clients[MODEL].post(f"{_API}/workspaces", json=body)
        assert made.status_code == 201, made.text
        self._w = made.json()["id"]

    async def state(self) -> State:
        whole = (await self._clients[MODEL].get(f"{_API}/workspaces/{self._w}")).raise_for_status().json()
        nodes, edges = _by_id(whole["diagram"]["nodes"]), _by_id(whole["diagram"]["edges"])
        return State(whole["revision"], whole["document"]["text"], nodes, edges)

    async def raw(self) -> str:
        """The document as it is exported, line ends as they came."""
        answered = await self._clients[MODEL].get(f"{_API}/workspaces/{self._w}/export", params={"format": "markdown"})
        return answered.raise_for_status().content.decode("utf-8")

    async def batch(self, who: str, operations: Sequence[Op], base: int | None = None) -> Answer:
        body = {"operations": list(operations)} | ({"base_revision": base} if base is not None else {})
        return await self._post(who, "batches", body)

    async def stage(self, operations: Sequence[Op], onto: Staged | None = None) -> Staged:
        raise NotImplementedError("only a run of the assistant stages, and it needs a model")

    async def commit(self, staged: Staged) -> Answer:
        raise NotImplementedError

    async def undo(self, who: str) -> Answer:
        return await self._post(who, "undo", {})

    async def close(self) -> None:
        for client in self._clients.values():
            await client.aclose()

    async def _post(self, who: str, what: str, body: Mapping[str, Any]) -> Answer:
        answered = await self._clients[who].post(f"{_API}/workspaces/{self._w}/{what}", json=body)
        told = answered.json()
        if answered.status_code == 200:
            aside = _aside(told.get("warnings") or ())
            return Answer(changed=told["changed"], left_out=told.get("left_out") or (), aside=aside)
        assert answered.status_code < 500, answered.text
        return Answer(told["code"], told["detail"], told["problems"])
