"""People who type, for tests: each knows the document as of some revision and pushes changes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from draftsmith.adapters.process.system import SystemClock
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Entry, Head
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.steps.changeset import ChangeSet, replacing
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.replicas.log_reader import load_replica
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.requests.typing_request import TypingRequest
from tests.contracts.backends import open_redis

ADA, BOB, CLEO = (Actor(f"guest:{name.lower()}", name, "person") for name in ("Ada", "Bob", "Cleo"))
SCRIPT = Actor("local:api", "API", "script")
Answer = dict[str, Any]
Cut = tuple[int, int, str]


@asynccontextmanager
async def workers(url: str, *names: str) -> AsyncIterator[list[Workspaces]]:
    """Workers on one real store, each with memory and connections of its own."""
    clock = SystemClock()
    if not names:
        yield []
        return
    async with open_redis(url) as backend, workers(url, *names[1:]) as others:
        one = Workspaces(backend.log, backend.index, clock, WorkspaceLimits(), names[0])
        try:
            yield [one, *others]
        finally:
            await one.close()


async def new_workspace(workspaces: Workspaces, text: str) -> str:
    """A workspace with a document and a node; its id."""
    identity = identify(SCRIPT, None, workspaces.clock)
    node = {"id": "api", "type": "service", "label": "Api", "position": {"x": 0, "y": 0}}
    content = {"document": {"text": text}, "diagram": {"nodes": [node], "edges": []}}
    w, _ = await workspaces.create(identity, SCRIPT, name="Shop", content=content, source="api", fingerprint="mark")
    return w


class Typist:
    """Somebody with a page open.

    Attributes:
        epoch, base, text: the state that they know.
        head: what they looked at last, whose hash they tell while `base` is its revision.
    """

    def __init__(self, workspaces: Workspaces, w: str, actor: Actor, limits: WorkspaceLimits | None = None) -> None:
        self.workspaces, self.w, self.actor, self.limits = workspaces, w, actor, limits or WorkspaceLimits()
        self.epoch, self.base, self.text = "", 0, ""
        self.head: Head | None = None

    async def look(self) -> str:
        """Take the newest state in; the document."""
        self.head, self.text = await self.workspaces.read(
            self.w, lambda replica: (replica.head, replica.workspace.document.text)
        )
        self.epoch, self.base = self.head.epoch, self.head.revision
        return self.text

    async def push(self, *cuts: Cut, given: str | None = None) -> Answer:
        """Push changes of the document as they know it, given in code points; they learn nothing by it."""
        return await self.push_changes(replacing(self.text, cuts), given=given)

    async def push_changes(self, changes: ChangeSet, given: str | None = None) -> Answer:
        """Push changes as they are."""
        identity = identify(self.actor, given, self.workspaces.clock)
        chain = self.head.chain if self.head is not None and self.head.revision == self.base else None
        facts = [self.epoch, self.base, changes.to_json()]
        request = TypingRequest(
            **from_input.common(identity, self.actor, facts),
            epoch=self.epoch, base=self.base, chain=chain, changes=changes, limits=self.limits,
        )  # fmt: skip
        return await self.workspaces.submit(self.w, request)

    async def write(self, after: str, text: str) -> int:
        """Look, and type behind a text that stands there; the revision."""
        await self.look()
        at = self.text.index(after) + len(after)
        return int((await self.push((at, at, text)))["revision"])

    async def erase(self, text: str) -> int:
        """Look, and delete a text that stands there; the revision."""
        await self.look()
        at = self.text.index(text)
        return int((await self.push((at, at + len(text), "")))["revision"])

    async def edit(self, *operations: dict[str, Any], base: int | None = None) -> Answer:
        """Run a batch, which may speak of an older revision."""
        batch = parse_batch(list(operations), self.limits)
        identity = identify(self.actor, None, self.workspaces.clock)
        request = from_input.edit(
            identity,
            self.actor,
            operations=list(operations),
            batch=batch,
            limits=self.limits,
            base=base,
            base_revision=base,
        )
        return await self.workspaces.submit(self.w, request)

    async def undo(self) -> Answer:
        """Take back one's own newest commit."""
        identity = identify(self.actor, None, self.workspaces.clock)
        request = from_input.undo(identity, self.actor, limits=self.limits, scope="mine", expect=None, force=False)
        return await self.workspaces.submit(self.w, request)

    async def redo(self) -> Answer:
        """Bring back what was undone last."""
        identity = identify(self.actor, None, self.workspaces.clock)
        return await self.workspaces.submit(
            self.w, from_input.redo(identity, self.actor, limits=self.limits, expect=None, force=False)
        )

    async def revert(self, revision: int, upto: int | None = None, *, dry_run: bool = False) -> Answer:
        """Take back a commit, or what somebody typed in a range."""
        identity = identify(self.actor, None, self.workspaces.clock)
        request = from_input.revert(
            identity, self.actor, revision, limits=self.limits, upto=upto, force=False, dry_run=dry_run
        )
        return await self.workspaces.submit(self.w, request)


async def entries_of(workspaces: Workspaces, w: str) -> Sequence[Entry]:
    """The whole log."""
    meta = await workspaces.log.meta(w)
    assert meta is not None
    return await workspaces.log.entries(w, 0, meta.head.revision, meta.head.revision)


async def assert_sound(everywhere: Sequence[Workspaces], w: str) -> str:
    """All workers and the log replayed from nothing hold the same, stacks and all; the document."""
    replayed = await load_replica(everywhere[0].log, w)
    for one in everywhere:
        assert await one.read(w, lambda replica: replica.dump()) == replayed.dump()
    return replayed.workspace.document.text
