"""Routes of what a batch adds to a routed drawing, by the layout engine: real V8, a stand-in for the script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from draftsmith.history.replica import Replica
from draftsmith.model.ids import EdgeId, WorkspaceId
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.staging.staging import StagingArea
from tests.builders import edge
from tests.integration.layout_workers import LIMITS, Op, chain, empty, new, send, take_back, worker
from tests.timeouts import timeout

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

FOUND = [{"x": 7, "y": 9}]
BEND = [{"x": 200, "y": -50}]
BETWEEN: Op = {
    "op": "insert_between",
    "source": "n0",
    "target": "n1",
    "node": {"id": "x", "type": "cache", "label": "X"},
}


async def routed(one: Workspaces) -> str:
    """Three nodes in a row with room between them; the two edges have routes."""
    w = await empty(one)
    nodes = [new(f"n{i}", position={"x": 600 * i, "y": 0}) for i in range(3)]
    edges = [edge(f"n{i}", f"n{i + 1}", id=f"e{i}", route=BEND) for i in range(2)]
    await send(one, w, [*nodes, *edges])
    return w


async def routes(one: Workspaces, w: str) -> dict[str, Any]:
    def read(replica: Replica) -> dict[str, Any]:
        diagram = replica.workspace.diagram
        return {edge: (diagram.edge(EdgeId(edge)) or {}).get("route") for edge in diagram.edge_ids()}

    return await one.read(WorkspaceId(w), read)


async def test_what_comes_between_is_routed(redis_url: str) -> None:
    """In the same commit; lines that it does not touch stay; undo takes the routes back."""
    async with timeout(), worker(redis_url) as one:
        w = await routed(one)
        await send(one, w, [BETWEEN])
        after = await routes(one, w)
        assert {name: route for name, route in after.items() if name != "e1"} == {"n0--x": FOUND, "x--n1": FOUND}
        assert after["e1"] == BEND
        await take_back(one, w)
        assert await routes(one, w) == {"e0": BEND, "e1": BEND}


async def test_a_drawing_without_routes_gets_none(redis_url: str) -> None:
    """The editor draws its lines, and the engine is not asked."""
    async with timeout(), worker(redis_url) as one:
        w = await empty(one)
        await send(
            one, w, [new("n0", position={"x": 0, "y": 0}), new("n1", position={"x": 600, "y": 0}), edge("n0", "n1")]
        )
        await send(one, w, [BETWEEN])
        assert set((await routes(one, w)).values()) == {None}
        assert one.preparer_pool is not None
        assert one.preparer_pool.layouts == {"answered": 0, "failed": 0}


async def test_without_an_answer_the_lines_have_no_routes(redis_url: str) -> None:
    """Nothing is refused, and nothing said: the editor draws them."""
    async with timeout(), worker(redis_url, Path("/nowhere/layout.js")) as one:
        w = await routed(one)
        answer = await send(one, w, [BETWEEN])
        assert (await routes(one, w)) == {"n0--x": None, "x--n1": None, "e1": BEND}
        assert "simple_layout" not in {warning["code"] for warning in answer["warnings"]}


async def test_a_block_beside_others_is_laid_out_and_then_routed(redis_url: str) -> None:
    """The engine is asked twice: for the block within itself, whose routes move with it, and for its other lines."""
    async with timeout(), worker(redis_url) as one:
        w = await routed(one)
        block = [{**op, "id": f"x{op['id']}"} for op in chain(6) if op["op"] == "add_node"]
        inner = [edge(f"xn{i}", f"xn{i + 1}") for i in range(5)]
        await send(one, w, [*block, *inner, edge("n2", "xn0")])
        found = await routes(one, w)
        assert {found[name] is None for name in found} == {False}
        assert [found[name] for name in ("n2--xn0", "xn1--xn2", "xn4--xn5")] == [FOUND] * 3
        assert found["xn0--xn1"] != FOUND
        assert one.preparer_pool is not None
        assert one.preparer_pool.layouts == {"answered": 2, "failed": 0}


async def test_a_run_has_its_lines_routed_too(redis_url: str) -> None:
    """What is staged has the engine's routes, with the operation that needs them."""
    async with timeout(), worker(redis_url) as one:
        w = await routed(one)
        area = StagingArea(one, WorkspaceId(w), LIMITS)
        staged = await area.add([BETWEEN, {"op": "update_node", "id": "n2", "label": "Last"}])
        steps = [step.to_json() for step in staged.operations[0].steps]
        assert [step["v"]["route"][1] for step in steps if step["k"] == "edge="] == [FOUND, FOUND]
