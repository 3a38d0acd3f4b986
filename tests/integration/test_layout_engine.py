"""The layout engine in a process of its own: real V8, real processes, a stand-in for the script."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import psutil
import pytest

from draftsmith.adapters.doctor.doctor import check_layout
from draftsmith.adapters.server.engine_process import LayoutProcess, layout_in, missing_for_layout
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.engines import EngineFailed
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.requests.client import Client
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.staging.staging import StagingArea
from draftsmith.usecases.upkeep.import_export import read_text
from tests.builders import edge
from tests.drawings import overlaps_of
from tests.integration.layout_workers import CLOCK, LIMITS, SCRIPT, chain, empty, new, positions, send, worker
from tests.integration.test_prepared_elsewhere import preparers_of
from tests.integration.typists import ADA
from tests.timeouts import timeout

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

EVE = Client("10.0.0.9", "eve")


@asynccontextmanager
async def engine(script: Path = SCRIPT, idle: float = 60) -> AsyncIterator[Any]:
    one = LayoutProcess(script, idle)
    try:
        yield one
    finally:
        await one.close()


def question(*labels: str) -> bytes:
    nodes = [{"id": f"n{i}", "type": "service", "label": label, "parent": None} for i, label in enumerate(labels)]
    return orjson.dumps({"task": "arrange", "diagram": {"nodes": nodes, "edges": []}})


async def test_it_answers_one_after_the_other() -> None:
    """Starts with the first question, and stays for the next."""
    async with timeout(), engine() as one:
        answers = await asyncio.gather(one.run(question("a", "b")), one.run(question("c")))
        positions = [orjson.loads(answer)["operation"]["positions"] for answer in answers]
        assert positions == [{"n0": {"x": 1000, "y": 500}, "n1": {"x": 1220, "y": 500}}, {"n0": {"x": 1000, "y": 500}}]
        assert one.pid is not None


async def test_a_failure_is_one_answer_less() -> None:
    """What the script throws fails the question; the process stays."""
    async with timeout(), engine() as one:
        await one.run(question("a"))
        pid = one.pid
        with pytest.raises(EngineFailed):
            await one.run(question("throws"))
        assert await one.run(question("a"))
        assert one.pid == pid


async def test_what_nobody_waits_for_is_killed() -> None:
    """Cancelling the question ends the process."""
    async with timeout(), engine() as one:
        await one.run(question("a"))
        process = psutil.Process(one.pid)
        task = asyncio.create_task(one.run(question("for ever")))
        while process.cpu_times().user == 0 or not one._turn.locked():  # noqa: ASYNC110  # what another process does has no event
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait([task])
        assert not process.is_running()


async def test_too_much_memory_is_a_failure() -> None:
    """The script's memory is limited; whatever becomes of the process, the next question is answered."""
    async with timeout(), engine() as one:
        with pytest.raises(EngineFailed):
            await one.run(question("too much"))
        assert await one.run(question("a"))


async def test_it_ends_when_it_is_not_needed() -> None:
    """After a while without a question; the next one starts it again."""
    async with timeout(), engine(idle=0.05) as one:
        await one.run(question("a"))
        while one.pid is not None:  # noqa: ASYNC110  # as above
            await asyncio.sleep(0.01)
        assert await one.run(question("a"))


@pytest.mark.parametrize("is_known", [True, False])
async def test_a_process_that_was_killed_is_replaced(is_known: bool) -> None:
    """By whomever; also where it is not known yet when the next question comes."""
    async with timeout(), engine() as one:
        await one.run(question("a"))
        psutil.Process(one.pid).kill()
        while is_known and one.pid is not None:  # noqa: ASYNC110  # as above
            await asyncio.sleep(0.01)
        assert await one.run(question("a"))


async def test_a_script_that_is_not_there() -> None:
    """Fails the question."""
    async with timeout(), engine(script=Path("/nowhere/layout.js")) as one:
        with pytest.raises(EngineFailed):
            await one.run(question("a"))


def test_doctor_says_what_is_missing(tmp_path: Path) -> None:
    """The built editor without the engine is a warning with a remedy."""
    assert missing_for_layout(SCRIPT.parents[1]) == ""
    assert layout_in(SCRIPT.parents[1]) == SCRIPT
    check = check_layout(missing_for_layout(tmp_path))
    assert (check.status, "layout.js" in check.detail, bool(check.remedy)) == ("warn", True, True)
    assert check_layout("").status == "ok"


# -- in batches --------------------------------------------------------------------------------------------------------


async def test_a_block_of_new_nodes_is_laid_out_by_the_engine(redis_url: str) -> None:
    """In one commit, as many steps as without, without a word; replay lays nothing out."""
    async with timeout(), worker(redis_url) as one:
        w = await empty(one)
        answer = await send(
            one, w, [{"op": "add_node", "id": "g", "type": "group", "label": "G"}, *chain(6, parent="g")]
        )
        assert [warning["code"] for warning in answer["warnings"] if warning["code"] == "simple_layout"] == []
        found = await positions(one, w)
        assert [found[f"n{i}"] for i in range(6)] == [{"x": 24 + i * 220, "y": 40} for i in range(6)]
        assert found["g"] == {"x": 0, "y": 0}
        async with worker(redis_url, Path("/nowhere")) as fresh:
            assert await positions(fresh, w) == found


async def test_a_layout_of_everything(redis_url: str) -> None:
    """`layout_diagram` brings the engine's positions, sizes and routes; locked nodes stay."""
    async with timeout(), worker(redis_url) as one:
        w = await empty(one)
        await send(one, w, [new("a", position={"x": 7, "y": 7}, locked=True), new("b"), new("c")])
        await send(one, w, [{"op": "add_edge", "id": "e", "source": "b", "target": "c"}])
        answer = await send(one, w, [{"op": "layout_diagram", "scope": "all"}])
        assert "simple_layout" not in {warning["code"] for warning in answer["warnings"]}
        assert await positions(one, w) == {
            "a": {"x": 7, "y": 7}, "b": {"x": 1220, "y": 500}, "c": {"x": 1440, "y": 500},
        }  # fmt: skip
        edge = await one.read(WorkspaceId(w), lambda replica: replica.workspace.diagram.edge("e"))  # type: ignore[arg-type]
        assert edge is not None
        assert edge["route"] == [{"x": 1010, "y": 490}]


async def test_without_an_answer_the_small_layout_serves(redis_url: str) -> None:
    """And the answer says so."""
    async with timeout(), worker(redis_url, Path("/nowhere/layout.js")) as one:
        w = await empty(one)
        answer = await send(one, w, chain(6))
        assert "simple_layout" in {warning["code"] for warning in answer["warnings"]}
        found = await positions(one, w)
        assert len({(place["x"], place["y"]) for place in found.values()}) == 6


async def test_a_dry_run_answers_the_same(redis_url: str) -> None:
    """Down to the diff."""
    async with timeout(), worker(redis_url) as one:
        w = await empty(one)
        await send(one, w, [new("there"), new("here")])
        batch = [*chain(7), {"op": "add_edge", "source": "there", "target": "n0"}]
        dry = await send(one, w, batch, dry_run=True)
        wet = await send(one, w, batch)
        assert [dry[part] for part in ("diff", "results", "warnings")] == [
            wet[part] for part in ("diff", "results", "warnings")
        ]


async def test_others_write_meanwhile(redis_url: str) -> None:
    """Nobody waits for the engine; what it has found goes where it is free then, beside what others have put there."""
    layouts = LayoutProcess(SCRIPT)
    async with timeout(), worker(redis_url, layouts=layouts) as one:
        w = await empty(one)
        await send(one, w, [new("a", position={"x": 0, "y": 0}), *chain(6), edge("a", "n0")])
        [engine_process] = [psutil.Process(layouts.pid)]
        engine_process.send_signal(signal.SIGSTOP)
        block = [{**op, "id": f"x{op['id']}"} for op in chain(6) if op["op"] == "add_node"]
        heavy = asyncio.create_task(send(one, w, [*block, edge("n5", "xn0")], client=EVE))
        last = (await positions(one, w))["n5"]["x"]
        for number in range(3):
            await send(one, w, [new(f"light{number}", position={"x": last + 260, "y": 200 * number - 200})])
        assert not heavy.done()
        engine_process.send_signal(signal.SIGCONT)
        await heavy
        assert len(await positions(one, w)) == 16
        assert await one.read(WorkspaceId(w), lambda replica: overlaps_of(replica.workspace.diagram)) == set()


async def test_few_nodes_wait_for_nobody(redis_url: str) -> None:
    """Five are placed by the worker itself, while the engine and what prepares stand still."""
    layouts = LayoutProcess(SCRIPT)
    async with timeout(), worker(redis_url, layouts=layouts) as one:
        w = await empty(one)
        await send(one, w, chain(6))
        still = [psutil.Process(layouts.pid), *preparers_of(os.getpid())]
        assert len(still) == 2
        for process in still:
            process.send_signal(signal.SIGSTOP)
        six = [{**op, "id": f"x{op['id']}"} for op in chain(6) if op["op"] == "add_node"]
        heavy = asyncio.create_task(send(one, w, six, client=EVE))
        five = [{**op, "id": f"y{op['id']}"} for op in chain(5) if op["op"] == "add_node"]
        answer = await send(one, w, [*five, *(edge(f"yn{i}", f"yn{i + 1}") for i in range(4))])
        assert "simple_layout" not in {warning["code"] for warning in answer["warnings"]}
        found = await positions(one, w)
        assert [found[f"yn{i}"]["x"] - found["yn0"]["x"] for i in range(5)] == [0, 260, 520, 780, 1040]
        assert not heavy.done()
        for process in still:
            process.send_signal(signal.SIGCONT)
        await heavy
        assert await one.read(WorkspaceId(w), lambda replica: overlaps_of(replica.workspace.diagram)) == set()


async def test_a_run_asks_the_engine_too(redis_url: str) -> None:
    """What is staged has the engine's places."""
    async with timeout(), worker(redis_url) as one:
        w = await empty(one)
        area = StagingArea(one, WorkspaceId(w), LIMITS)
        staged = await area.add(chain(6))
        steps = [step for operation in staged.operations for step in operation.steps]
        places = [step.fields["position"] for step in steps if hasattr(step, "fields") and "position" in step.fields]  # type: ignore[union-attr]
        assert [place["x"] for place in places] == [i * 220 for i in range(6)]


async def test_an_import_is_laid_out_in_its_direction(redis_url: str) -> None:
    """By the engine where there is one; else as it was read."""
    content, _ = read_text("flowchart TD\n  a[A] --> b[B]\n  subgraph g\n    c[C]\n  end\n", "mermaid")
    async with timeout(), worker(redis_url) as one, worker(redis_url, Path("/nowhere")) as without:
        drawn = await _created(one, content)
        assert [drawn["a"]["x"], drawn["b"]["x"], drawn["g"]["x"]] == [1000, 1220, 1440]
        simply = await _created(without, content)
        assert simply["a"]["y"] < simply["b"]["y"]


async def _created(one: Workspaces, content: dict[str, Any]) -> dict[str, Any]:
    identity = identify(ADA, None, CLOCK)
    w, _ = await one.create(identity, ADA, name="Read", content=content, source="import", fingerprint="")
    return await positions(one, str(w))
