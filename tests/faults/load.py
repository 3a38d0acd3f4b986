"""Clients that edit one workspace through several workers, and write down what they were told.

A client keeps what it asked for as a value (`Asked`), so that it can send it again under the same id, to this worker
or to another, until it hears what became of it. Everything is drawn from one seed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from draftsmith.adapters.process.system import SystemClock
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.prepare.queue import Answer
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.identity import fingerprint, identify
from draftsmith.usecases.requests.request import Request
from draftsmith.usecases.requests.undo_requests import UndoRequest
from tests.timeouts import timeout

LIMITS = WorkspaceLimits()
CLOCK = SystemClock()
DOCUMENT = "# Shop\n\nWhat it is.\n\n## Parts\n\nNone yet.\n\n## Notes\n\nNone yet.\n"
# Answers after which a client does not know, or knows that nothing happened and tries again.
AGAIN = frozenset({"storage_down", "storage_full", "outcome_unknown", "busy"})
_KNOWN_NODES = 40


@dataclass(frozen=True)
class Asked:
    """One request, as its client keeps it. `action`: edit, undo, redo, or undo_all."""

    id: str
    who: str
    action: str
    operations: list[dict[str, Any]] = field(default_factory=list)

    @property
    def txid(self) -> str:
        return identify(actor(self.who), self.id, CLOCK).txid

    def request(self) -> Request:
        """Make the request anew, as a repeat over HTTP would."""
        me = actor(self.who)
        mark = fingerprint([self.action, self.operations])
        if self.action == "edit":
            batch = parse_batch(self.operations, LIMITS)
            return BatchRequest(
                batch_id=self.id, txid=self.txid, fingerprint=mark, actor=me, scope=me.id, batch=batch, limits=LIMITS
            )
        return UndoRequest(
            batch_id=self.id, txid=self.txid, fingerprint=mark, actor=me, scope=me.id,
            action="redo" if self.action == "redo" else "undo", everyone=self.action == "undo_all",
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def actor(name: str) -> Actor:
    return Actor(f"guest:{name}", name.title(), "person")


@dataclass
class Ledger:
    """What clients were told of their requests, by transaction id.

    Attributes:
        made: a commit, at this revision.
        unmade: done, but without a commit.
        refused: never to be in the log.
        open: sent, and nothing heard that settles it.
        repeats: requests that were answered only when sent again.
        codes: refusals and failures, counted.
    """

    made: dict[str, int] = field(default_factory=dict)
    unmade: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    open: dict[str, Asked] = field(default_factory=dict)
    repeats: int = 0
    codes: dict[str, int] = field(default_factory=dict)

    def note_answer(self, txid: str, revision: int, *, is_commit: bool) -> None:
        """A client has heard that its request was carried out."""
        self.open.pop(txid, None)
        if not is_commit:
            assert txid not in self.made, f"{txid} was told that it had changed nothing after it had"
            self.unmade.add(txid)
            return
        assert txid not in self.unmade, f"{txid} was carried out after it had been told that nothing was to be done"
        assert self.made.setdefault(txid, revision) == revision, f"{txid} was told two revisions"

    def note_refusal(self, txid: str, code: str) -> None:
        """A client has heard that its request does not fit."""
        assert txid not in self.made, f"{txid} was refused ({code}) after it had been carried out"
        self.open.pop(txid, None)
        self.refused[txid] = code

    def count(self, code: str) -> None:
        self.codes[code] = self.codes.get(code, 0) + 1

    @property
    def told(self) -> int:
        """How many requests have been settled."""
        return len(self.made) + len(self.unmade) + len(self.refused)


def is_commit(asked: Asked, answer: Answer) -> bool:
    """Whether an answer speaks of an entry in the log: a change, or an undo that found nothing left to do."""
    return bool(answer["changed"]) or (asked.action != "edit" and answer["ref"] is not None)


@dataclass
class Load:
    """The clients of one workspace, and what they have in common."""

    w: str
    seed: str
    ledger: Ledger = field(default_factory=Ledger)
    nodes: list[str] = field(default_factory=lambda: ["shop"])
    heard: Callable[[str, Asked, Any], None] = lambda what, asked, more: None
    _runs: int = 0

    async def run(self, workers: Sequence[Workspaces], clients: int, going: Callable[[], bool]) -> None:
        """Let clients work until told to stop; each then waits for its last answer."""
        self._runs += 1
        async with asyncio.TaskGroup() as group:
            for number in range(clients):
                run = f"{self.seed}-{self._runs}"
                client = Client(f"c{number}", run, random.Random(f"{run}/{number}"), self, workers)
                group.create_task(client.run(going))

    async def run_count(self, workers: Sequence[Workspaces], clients: int, count: int) -> None:
        """Let clients work until so many more requests have been settled."""
        enough = self.ledger.told + count
        await self.run(workers, clients, lambda: self.ledger.told < enough)


class Client:
    """One person at work: asks, waits, asks again where the answer got lost."""

    def __init__(self, name: str, run: str, rng: random.Random, load: Load, workers: Sequence[Workspaces]) -> None:
        self._name, self._run, self._rng, self._load, self._workers = name, run, rng, load, workers
        self._count = 0

    async def run(self, going: Callable[[], bool]) -> None:
        while going():
            await self.settle(await self._next())

    async def settle(self, asked: Asked) -> None:
        """Send a request until it is known what became of it, which has the one limit for hanging.

        A commit is sent now and then once more, for nothing.

        What was refused is not sent again: later it may well fit.
        """
        ledger = self._load.ledger
        ledger.open[asked.txid] = asked
        self._load.heard("sent", asked, None)
        tries = 0
        try:
            async with timeout():
                while not await self.send(asked):
                    tries += 1
                    await asyncio.sleep(self._rng.uniform(0.005, 0.05))
        except TimeoutError:
            raise AssertionError(f"never settled: {asked}; {ledger.codes}") from None
        ledger.repeats += tries > 0
        if asked.txid in ledger.made and self._rng.random() < 0.05:
            await self.send(asked)

    async def send(self, asked: Asked) -> bool:
        """Send once, to any worker; whether the request is settled now."""
        ledger, worker = self._load.ledger, self._rng.choice(self._workers)
        try:
            answer = await worker.submit(self._load.w, asked.request())
        except DraftsmithError as error:
            ledger.count(error.code)
            if error.code in AGAIN:
                return False
            ledger.note_refusal(asked.txid, error.code)
            self._load.heard("refused", asked, error.code)
            return True
        committed = is_commit(asked, answer)
        ledger.note_answer(asked.txid, answer["revision"], is_commit=committed)
        self._load.heard("told", asked, [answer["revision"], committed])
        return True

    async def _next(self) -> Asked:
        self._count += 1
        if self._count % 12 == 0:
            await self._look()
        name, roll = f"{self._run}-{self._name}-{self._count}", self._rng.random()
        if roll < 0.12:
            return Asked(name, self._name, self._rng.choice(("undo", "undo", "redo", "undo_all")))
        if roll < 0.16:
            return Asked(name, self._name, "edit", await self._typing())
        return Asked(name, self._name, "edit", self._batch())

    def _batch(self) -> list[dict[str, Any]]:
        count = self._rng.choice((1, 1, 1, 1, 2, 3))
        return [operation for _ in range(count) for operation in self._rng.choice(self._kinds)(self)]

    async def _typing(self) -> list[dict[str, Any]]:
        """Text put in at a place that is named by the revision it was read at."""
        try:
            revision, length = await self._rng.choice(self._workers).read(
                self._load.w,
                lambda replica: (replica.head.revision, len(replica.workspace.document.text.encode("utf-16-le")) // 2),
            )
        except DraftsmithError:
            return self._append()
        at = self._rng.randint(0, length)
        changes = [*([at] if at else []), [0, "ä😀"], *([length - at] if length > at else [])]
        return [{"op": "edit_text", "base_revision": revision, "changes": changes}]

    async def _look(self) -> None:
        """See which nodes there are now, as a page would; what the store does not answer is left as it was."""
        with suppress(DraftsmithError):
            found = await self._rng.choice(self._workers).read(
                self._load.w, lambda replica: sorted(replica.workspace.diagram.node_ids())
            )
            self._load.nodes[:] = ["shop", *self._rng.sample(found, min(len(found), _KNOWN_NODES))]

    def _node(self) -> str:
        return self._rng.choice(self._load.nodes)

    def _add(self) -> list[dict[str, Any]]:
        node, other = f"{self._name}-{self._run}-{self._count}".lower()[:60], self._node()
        more = [{"op": "add_edge", "source": node, "target": other, "label": "asks"}] if other != node else []
        return [{"op": "add_node", "id": node, "type": "service", "label": node}, *more]

    def _update(self) -> list[dict[str, Any]]:
        fields = {"technology": f"v{self._count}", "properties": {self._name: str(self._count)}}
        return [{"op": "update_node", "id": self._node(), **fields}]

    def _move(self) -> list[dict[str, Any]]:
        place = {"x": self._rng.randrange(2000), "y": self._rng.randrange(2000)}
        return [{"op": "move_nodes", "positions": {self._node(): place}}]

    def _delete(self) -> list[dict[str, Any]]:
        if len(self._load.nodes) == 1:
            return self._add()
        node = self._load.nodes.pop(self._rng.randrange(1, len(self._load.nodes)))
        return [{"op": "delete_node", "id": node, "bridge": self._rng.random() < 0.3}]

    def _connect(self) -> list[dict[str, Any]]:
        label = f"{self._name} {self._count}"
        return [{"op": "add_edge", "source": self._node(), "target": self._node(), "label": label}]

    def _group(self) -> list[dict[str, Any]]:
        name = f"g{self._name}-{self._run}-{self._count}".lower()[:60]
        return [{"op": "group_nodes", "id": name, "label": name, "ids": [self._node()]}]

    def _append(self) -> list[dict[str, Any]]:
        return [{"op": "append_to_section", "section": "Notes", "text": f"\n{self._name} {self._count}.\n"}]

    def _rewrite(self) -> list[dict[str, Any]]:
        return [{"op": "replace_section", "section": "Notes", "text": f"\nAgain by {self._name} {self._count}.\n"}]

    _kinds = (_add, _add, _add, _update, _update, _move, _delete, _connect, _group, _append, _rewrite)


async def new_workspace(workers: Workspaces, name: str) -> str:
    """Make a workspace with one node and a document of three sections; its id."""
    node = {"id": "shop", "type": "service", "label": "Shop", "position": {"x": 0, "y": 0}}
    content = {"diagram": {"nodes": [node], "edges": []}, "document": {"text": DOCUMENT}}
    identity = identify(actor("maker"), name, CLOCK)
    w, _ = await workers.create(
        identity, actor("maker"), name=name, content=content, source="api", fingerprint=fingerprint(name)
    )
    return w
