"""Requests that take long are prepared in another process, while everybody else goes on; real store, real processes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import orjson
import psutil
import pytest

from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.server.preparer_process import PreparerProcess
from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.prepare import deferred_requests
from draftsmith.usecases.prepare.preparation import Preparation
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.client import Client, set_client
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.requests.request import Request
from draftsmith.usecases.requests.undo_requests import RestoreRequest
from draftsmith.usecases.upkeep import contents, history
from draftsmith.usecases.upkeep.import_export import flowchart_operations
from tests import forking
from tests.integration.client import node
from tests.integration.layout_workers import prepared_worker
from tests.integration.processes import BACKEND
from tests.integration.servers import running
from tests.integration.typists import ADA, Typist, new_workspace
from tests.timeouts import TIMEOUT_SECONDS, timeout

CLOCK = SystemClock()
LIMITS = WorkspaceLimits()
EVE, BEN = Client("10.0.0.9", "eve"), Client("10.0.0.2", "ben")
COUNT = 600  # with a line from each to the next more than what is prepared by the worker itself
Operations = Sequence[dict[str, Any]]


def many(count: int = COUNT, label: str = "Node") -> dict[str, Any]:
    """An operation that takes long: a whole diagram."""
    nodes = [{"id": f"n{number}", "type": "service", "label": f"{label} {number}"} for number in range(count)]
    edges = [{"source": f"n{number}", "target": f"n{number + 1}", "label": "calls"} for number in range(count - 1)]
    return {"op": "replace_diagram", "nodes": nodes, "edges": edges}


def long_text(word: str, sections: int = 800) -> dict[str, Any]:
    """An operation that takes long: a whole document."""
    parts = [
        f"## {word} {number}\n\nWhat there is to say of {word} {number}, at some length.\n"
        for number in range(sections)
    ]
    return {"op": "replace_document", "text": "# All\n\n" + "\n".join(parts)}


def edit_request(operations: Operations, given: str | None = None, *, dry_run: bool = False) -> Request[Any]:
    batch = parse_batch(list(operations), LIMITS)
    identity = identify(ADA, given, CLOCK)
    return from_input.edit(identity, ADA, operations=list(operations), batch=batch, limits=LIMITS, dry_run=dry_run)


def submit_for(client: Client, one: Workspaces, w: str, request: Request[Any]) -> asyncio.Task[Any]:
    """Send a request for a client; the task that waits for its answer."""

    async def send() -> Any:
        set_client(client)
        return await one.submit(WorkspaceId(w), request)

    return asyncio.create_task(send())


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The preparers that this process starts are forked, as those of forked workers are."""
    monkeypatch.setattr(asyncio, "create_subprocess_exec", forking.create_subprocess_exec)


def process_of(one: PreparerProcess) -> psutil.Process:
    """The process of a preparer that runs."""
    return psutil.Process(one._process.pid)


def preparers_of(pid: int) -> list[psutil.Process]:
    return [one for one in psutil.Process(pid).children() if "draftsmith.preparer" in one.cmdline()]


@contextmanager
def stopped(process: psutil.Process) -> Iterator[None]:
    """Nothing is prepared meanwhile."""
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        if process.is_running():
            process.send_signal(signal.SIGCONT)


async def state(one: Workspaces, w: str) -> bytes:
    return await one.read(WorkspaceId(w), Replica.dump)


async def check_replay(url: str, one: Workspaces, w: str) -> None:
    """What is in memory is what the log says, and the sections are those of the text."""
    async with prepared_worker(url) as fresh:
        assert await state(fresh, w) == await state(one, w)
        known = await one.read(WorkspaceId(w), lambda replica: replica.workspace.document.known_outline)
        derived = await fresh.read(WorkspaceId(w), lambda replica: replica.workspace.document.outline)
        assert known is None or (known.sections, known.preamble_end) == (derived.sections, derived.preamble_end)


@pytest.mark.usefixtures("forks")
async def test_others_write_while_one_is_prepared(redis_url: str) -> None:
    """And then it is prepared for the head of that moment, and applied once."""
    elsewhere = PreparerProcess(redis_url)
    async with timeout(), prepared_worker(redis_url, elsewhere) as one:
        w = await new_workspace(one, "")
        await submit_for(EVE, one, w, edit_request([many(label="First")]))
        with stopped(process_of(elsewhere)):
            heavy = submit_for(EVE, one, w, edit_request([many(label="Second")]))
            light = [await submit_for(BEN, one, w, edit_request([node(f"ben{number}")])) for number in range(3)]
            own = submit_for(EVE, one, w, edit_request([node("own")]))
            await submit_for(BEN, one, w, edit_request([node("last")]))
            assert [answer["revision"] for answer in light] == [3, 4, 5]
            assert not heavy.done()
            assert not own.done()  # what a client sends is done in its order
        assert (await heavy)["revision"] == 7
        assert (await own)["revision"] == 8
        labels = await one.read(
            WorkspaceId(w), lambda replica: [one["label"] for one in replica.workspace.diagram.nodes().values()]
        )
        assert sorted(labels) == sorted([*(f"Second {number}" for number in range(COUNT)), "Own"])
        await check_replay(redis_url, one, w)


@pytest.mark.usefixtures("forks")
async def test_a_killed_preparer_is_started_again(redis_url: str) -> None:
    """Nothing is half done, and the request is applied once."""
    elsewhere = PreparerProcess(redis_url)
    async with timeout(), prepared_worker(redis_url, elsewhere) as one:
        w = await new_workspace(one, "")
        await submit_for(EVE, one, w, edit_request([many(label="First")]))
        killed = process_of(elsewhere)
        with stopped(killed):
            heavy = submit_for(EVE, one, w, edit_request([many(label="Second")]))
            await submit_for(BEN, one, w, edit_request([{"op": "rename_workspace", "name": "Meanwhile"}]))
            killed.kill()
        assert (await heavy)["revision"] == 4
        assert process_of(elsewhere).pid != killed.pid
        assert one.preparer_pool is not None
        assert one.preparer_pool.lost == 1
        await check_replay(redis_url, one, w)


@pytest.mark.usefixtures("forks")
async def test_a_repeat_while_it_is_prepared_is_a_repeat(redis_url: str) -> None:
    """From whatever connection it comes: one commit, two equal answers."""
    elsewhere = PreparerProcess(redis_url)
    async with timeout(), prepared_worker(redis_url, elsewhere) as one:
        w = await new_workspace(one, "")
        await submit_for(EVE, one, w, edit_request([many(label="First")]))
        with stopped(process_of(elsewhere)):
            first = submit_for(EVE, one, w, edit_request([many(label="Second")], "the-same-id"))
            second = submit_for(BEN, one, w, edit_request([many(label="Second")], "the-same-id"))
            other = submit_for(BEN, one, w, edit_request([many(label="Third")], "the-same-id"))
            with pytest.raises(DraftsmithError, match="key_reused"):
                await other
            await submit_for(Client("10.0.0.3", "cy"), one, w, edit_request([node("cy")]))
            assert not second.done()
        assert await second == {**await first, "replayed": True}
        assert (await submit_for(BEN, one, w, edit_request([node("ben")])))["revision"] == 5
        assert one.preparer_pool is not None
        assert one.preparer_pool.prepared == 2  # the first of all, and this one, once


REQUESTS: dict[str, Callable[[], list[Request[Any]]]] = {
    "a diagram": lambda: [edit_request([many()]), edit_request([many(label="Other")])],
    "a document": lambda: [edit_request([long_text("Alpha")]), edit_request([long_text("Beta"), node("with")])],
    "an edit of a long document": lambda: [
        edit_request([long_text("Alpha", 3_000)]),
        edit_request(
            [{"op": "edit_section", "section": "# All ## Alpha 7", "find": "at some length", "replace": "shortly"}]
        ),
    ],
    "what does not fit": lambda: [
        edit_request([{**many(2 * COUNT), "edges": [{"source": "n1", "target": "gone", "label": "calls"}]}])
    ],
    "what changes nothing": lambda: [
        edit_request([many()]),
        edit_request([many()], "nothing-to-do"),
        edit_request([many()], "nothing-to-do"),
    ],
    "a dry run": lambda: [edit_request([many()], dry_run=True)],
    "an undo": lambda: [edit_request([many()]), undo(), undo(), redo()],
    "a restore": lambda: [edit_request([many()]), edit_request([node("more")]), restore(2)],
}


def undo() -> Request[Any]:
    identity = identify(ADA, None, CLOCK)
    return from_input.undo(identity, ADA, limits=LIMITS, scope="mine", expect=None, force=False)


def redo() -> Request[Any]:
    return from_input.redo(identify(ADA, None, CLOCK), ADA, limits=LIMITS, expect=None, force=False)


def restore(revision: int) -> Request[Any]:
    common = from_input.common(identify(ADA, None, CLOCK), ADA, ["restore", revision])
    return RestoreRequest(**common, target=revision, limits=LIMITS)


async def test_what_is_prepared_elsewhere_is_what_would_be_prepared_here(redis_url: str) -> None:
    """The same answers and the same state, and what is in memory is what the log says.

    All by one preparer, which holds the last few workspaces.
    """
    async with (
        timeout(),
        prepared_worker(redis_url, PreparerProcess(redis_url)) as one,
        prepared_worker(redis_url) as alone,
    ):
        assert one.preparer_pool is not None
        for name, requests in REQUESTS.items():
            said, before = [], one.preparer_pool.prepared
            for here in (one, alone):
                w = await new_workspace(here, "")
                answers = [await outcome(here, w, request) for request in requests()]
                said.append((answers, await state(here, w)))
                await check_replay(redis_url, here, w)
            assert said[0] == said[1], name
            assert one.preparer_pool.prepared > before, name


async def outcome(one: Workspaces, w: str, request: Request[Any]) -> Any:
    """What a request came to, without the id that nobody has given."""
    try:
        answer = dict(await one.submit(WorkspaceId(w), request))
    except DraftsmithError as error:
        return error.code, error.detail, error.problems, error.extra
    return {name: value for name, value in answer.items() if name != "batch_id"}


class Overtaken:
    """A preparer that somebody always overtakes: another client has written before it answers."""

    def __init__(self, preparer: PreparerProcess) -> None:
        self._preparer = preparer
        self.before_answer: Callable[[], Coroutine[Any, Any, None]] | None = None

    async def prepare(self, workspace_id: WorkspaceId, request: Request[Any], epoch: str = "") -> Preparation:
        preparation = await self._preparer.prepare(workspace_id, request, epoch)
        if self.before_answer is not None:
            await self.before_answer()
        return preparation

    async def start(self) -> None:
        await self._preparer.start()

    async def close(self) -> None:
        await self._preparer.close()


@pytest.mark.usefixtures("forks")
async def test_a_request_that_is_always_overtaken_gets_through(redis_url: str) -> None:
    """The writer waits for it the last time; who writes then waits too."""
    overtaken = Overtaken(PreparerProcess(redis_url))
    async with timeout(), prepared_worker(redis_url, overtaken) as one:
        w = await new_workspace(one, "")
        rivals: list[asyncio.Task[Any]] = []

        async def write() -> None:
            rivals.append(
                submit_for(BEN, one, w, edit_request([{"op": "rename_workspace", "name": f"Name {len(rivals)}"}]))
            )
            if len(rivals) <= deferred_requests.RIVAL_HEADS:
                await rivals[-1]
            else:
                await asyncio.sleep(0.05)
                assert not rivals[-1].done()

        overtaken.before_answer = write
        answer = await submit_for(EVE, one, w, edit_request([many()]))
        assert answer["revision"] == 1 + deferred_requests.RIVAL_HEADS + 1
        assert [(await rival)["revision"] for rival in rivals] == [2, 3, 4, 6]
        assert one.counters.prepared_again == deferred_requests.RIVAL_HEADS
        await check_replay(redis_url, one, w)


@pytest.mark.usefixtures("forks")
async def test_a_request_that_is_overtaken_while_it_is_waited_for_gets_through(redis_url: str) -> None:
    """By another worker that no lease keeps out (it goes by the same name): it is prepared once more, not refused."""
    overtaken = Overtaken(PreparerProcess(redis_url))
    async with timeout(), prepared_worker(redis_url, overtaken) as one, prepared_worker(redis_url) as other:
        w = await new_workspace(one, "")
        rivals = 0

        async def write() -> None:
            nonlocal rivals
            if rivals > deferred_requests.RIVAL_HEADS:
                return
            rivals += 1
            await other.submit(WorkspaceId(w), edit_request([{"op": "rename_workspace", "name": f"Name {rivals}"}]))

        overtaken.before_answer = write
        answer = await submit_for(EVE, one, w, edit_request([many()]))
        assert rivals == deferred_requests.RIVAL_HEADS + 1
        assert answer["revision"] == 1 + rivals + 1
        await check_replay(redis_url, one, w)


@pytest.mark.usefixtures("forks")
async def test_what_is_given_up_is_killed_and_refused(redis_url: str) -> None:
    """A worker that stops refuses what is not prepared yet, and leaves no process behind."""
    elsewhere = PreparerProcess(redis_url)
    async with timeout(), prepared_worker(redis_url, elsewhere) as one:
        w = await new_workspace(one, "")
        await submit_for(EVE, one, w, edit_request([many(label="First")]))
        process = process_of(elsewhere)
        with stopped(process):
            heavy = submit_for(EVE, one, w, edit_request([many(label="Second")]))
            await submit_for(BEN, one, w, edit_request([node("ben")]))
            await one.close()
            with pytest.raises(DraftsmithError, match="storage_down"):
                await heavy
            assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


async def test_a_large_worker_keeps_its_preparer(redis_url: str) -> None:
    """How much memory a preparer uses is told without what the worker had when it started it."""
    ballast = bytearray(b"x") * (450 << 20)
    elsewhere = PreparerProcess(redis_url)
    async with timeout(), prepared_worker(redis_url, elsewhere) as one:
        w = await new_workspace(one, "")
        await submit_for(EVE, one, w, edit_request([many(label="First")]))
        first = process_of(elsewhere)
        await submit_for(EVE, one, w, edit_request([many(label="Second")]))
        assert preparers_of(os.getpid()) == [first]
    assert len(ballast) == 450 << 20


# A worker that has started a preparer and stays.
PARENT = """
import asyncio, sys
from tests.integration.test_prepared_elsewhere import (
    EVE, PreparerProcess, edit_request, many, new_workspace, prepared_worker, submit_for,
)

async def main(url):
    async with prepared_worker(url, PreparerProcess(url)) as one:
        await submit_for(EVE, one, await new_workspace(one, ""), edit_request([many()]))
        print("ready", flush=True)
        await asyncio.sleep(600)

asyncio.run(main(sys.argv[1]))
"""


def test_a_killed_worker_leaves_no_preparer(redis_url: str) -> None:
    """However it ends."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(BACKEND), str(BACKEND.parent)])}
    with subprocess.Popen(
        [sys.executable, "-P", "-c", PARENT, redis_url], env=environment, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        [child] = preparers_of(parent.pid)
        parent.kill()
        psutil.wait_procs([child], timeout=TIMEOUT_SECONDS)
        assert not child.is_running()


def test_a_server_starts_its_processes_before_they_are_needed(redis_url: str) -> None:
    """The first large request does not wait for Python to start."""
    with running(redis_url, "w1", start=subprocess.Popen, PREPARERS="2", PREPARERS_START="ready") as [server]:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while len(preparers_of(server.process.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(preparers_of(server.process.pid)) == 2


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("text", ["# Short\n", long_text("Alpha")["text"]])
async def test_a_large_workspace_is_created_elsewhere(redis_url: str, text: str) -> None:
    """With the same answer and the same first commit; a repeat finds it; what does not fit is refused."""
    nodes = [{"id": f"n{number}", "type": "service", "label": "N"} for number in range(2 * COUNT)]
    content = {"document": {"text": text}, "diagram": {"nodes": nodes, "edges": []}}
    unfit = {"diagram": {"nodes": nodes, "edges": [{"source": "n1", "target": "gone", "label": "calls"}]}}
    async with (
        timeout(),
        prepared_worker(redis_url, PreparerProcess(redis_url)) as one,
        prepared_worker(redis_url) as alone,
    ):
        said = []
        for number, here in enumerate((one, alone)):
            identity = identify(ADA, f"create-{number}", CLOCK)
            answers = []
            for _ in range(2):
                w, answer = await here.create(
                    identity, ADA, name="Large", content=content, source="api", fingerprint="f"
                )
                answers.append({**answer, "batch_id": ""})
            with pytest.raises(DraftsmithError) as refused:
                await here.create(
                    identify(ADA, None, CLOCK), ADA, name="Unfit", content=unfit, source="api", fingerprint="f"
                )
            problems = refused.value.problems
            said.append((answers, await state(here, w), problems, (await here.meta(w)).summary))
        assert said[0] == said[1]
        assert [answer["replayed"] for answer in said[0][0]] == [False, True]
        assert one.preparer_pool is not None
        assert one.preparer_pool.prepared == 3


@pytest.mark.usefixtures("forks")
async def test_reads_of_a_large_workspace_are_computed_elsewhere(redis_url: str) -> None:
    """And are what they would be here; what is small is computed here."""
    readers: list[Callable[[Workspace], bytes]] = [
        contents.content_json, contents.diagram, contents.outline, partial(contents.lint, frozenset()),
        partial(contents.export, "mermaid"), partial(flowchart_operations, "flowchart LR\n  a --> b", 500),
        partial(contents.section, ""), partial(contents.completions, "rename a", 8, may_edit=True),
    ]  # fmt: skip
    async with timeout(), prepared_worker(redis_url, PreparerProcess(redis_url)) as one:
        assert one.preparer_pool is not None
        w = WorkspaceId(await new_workspace(one, ""))
        for large in (False, True):
            if large:
                await submit_for(EVE, one, w, edit_request([many(), long_text("Alpha"), node("alone")]))
            before = one.preparer_pool.prepared
            for reader in readers:
                head, content = await one.compute(w, reader)
                here = await one.read(w, lambda replica, reader=reader: (replica.head, reader(replica.workspace)))
                assert (head, content) == here
            assert one.preparer_pool.prepared - before == (len(readers) if large else 0)


@pytest.mark.usefixtures("forks")
async def test_what_was_large_is_compared_elsewhere(redis_url: str) -> None:
    """Also if it is small by now; what never was large is compared here, with the same answers."""
    empty = {"op": "replace_diagram", "nodes": [], "edges": []}
    async with (
        timeout(),
        prepared_worker(redis_url, PreparerProcess(redis_url)) as one,
        prepared_worker(redis_url) as alone,
    ):
        assert one.preparer_pool is not None
        w = WorkspaceId(await new_workspace(one, ""))
        for operations in ([node("alone")], [many()], [empty]):
            await submit_for(EVE, one, w, edit_request(operations))
        for old, new, is_elsewhere in ((1, 2, False), (2, 3, True), (3, 4, True), (4, 2, False)):
            before = one.preparer_pool.prepared
            reader = partial(history.compare, old, new)
            compared = await one.compute_past(w, reader, [old, new])
            assert compared == await alone.compute_past(w, reader, [old, new])
            assert orjson.loads(compared)["counts"]
            assert one.preparer_pool.prepared - before == is_elsewhere
        with pytest.raises(DraftsmithError, match="There is no revision 9"):
            await one.compute_past(w, contents.content_json, [9])


@pytest.mark.usefixtures("forks")
async def test_typing_in_a_long_document_after_a_restart_is_prepared_elsewhere(redis_url: str) -> None:
    """Until its sections are known; from then on a worker updates them itself."""
    async with timeout(), prepared_worker(redis_url) as before:
        w = await new_workspace(before, long_text("Alpha")["text"])
    async with timeout(), prepared_worker(redis_url, PreparerProcess(redis_url)) as one:
        assert one.preparer_pool is not None
        typist = Typist(one, w, ADA)
        for _ in range(2):
            await typist.look()
            await typist.push((5, 5, " of it"))
        assert one.preparer_pool.prepared == 1
        await check_replay(redis_url, one, w)
        assert await one.read(WorkspaceId(w), lambda replica: replica.workspace.document.known_outline) is not None
