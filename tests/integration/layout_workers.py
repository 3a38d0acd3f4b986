"""Workers with a layout engine: real V8 in a real process, a stand-in for the script."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.adapters.redis.workspace_index import RedisIndex
from draftsmith.adapters.server.engine_process import LayoutProcess
from draftsmith.adapters.server.preparer_process import PreparerProcess
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.prepare.arranging import Arranging
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.client import Client, set_client
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.requests.undo_requests import UndoRequest
from tests.contracts.backends import PATIENT
from tests.integration.typists import ADA, new_workspace

SCRIPT = Path(__file__).parents[1] / "fixtures" / "engine" / "layout.js"
CLOCK, LIMITS = SystemClock(), WorkspaceLimits()
BEN = Client("10.0.0.2", "ben")
Op = dict[str, Any]


@asynccontextmanager
async def prepared_worker(url: str, *preparers: Any, arranging: Arranging | None = None) -> AsyncIterator[Workspaces]:
    """A worker whose long requests these prepare; it prepares them itself where there are none."""
    connection = await connect(url, PATIENT)
    pool = PreparerPool(preparers, arranging) if preparers else None
    one = Workspaces(RedisCommitLog(connection), RedisIndex(connection), CLOCK, LIMITS, "w", preparer_pool=pool)
    try:
        yield one
    finally:
        await one.close()
        if pool is not None:
            await pool.close()
        await connection.close()


@asynccontextmanager
async def worker(url: str, script: Path = SCRIPT, layouts: LayoutProcess | None = None) -> AsyncIterator[Workspaces]:
    """A worker with a process that prepares and one that arranges."""
    arranging = Arranging(layouts or LayoutProcess(script))
    async with prepared_worker(url, PreparerProcess(url), arranging=arranging) as one:
        yield one


def new(node_id: str, **fields: Any) -> Op:
    return {"op": "add_node", "id": node_id, "type": "service", "label": node_id, **fields}


def chain(count: int, **fields: Any) -> list[Op]:
    edges = [{"op": "add_edge", "source": f"n{i}", "target": f"n{i + 1}"} for i in range(count - 1)]
    return [*(new(f"n{i}", **fields) for i in range(count)), *edges]


async def send(one: Workspaces, w: str, operations: list[Op], *, dry_run: bool = False, client: Client = BEN) -> Any:
    set_client(client)
    batch, identity = parse_batch(operations, LIMITS), identify(ADA, None, CLOCK)
    request = from_input.edit(identity, ADA, operations=operations, batch=batch, limits=LIMITS, dry_run=dry_run)
    return await one.submit(WorkspaceId(w), request)


async def take_back(one: Workspaces, w: str) -> None:
    """Undo the last commit."""
    identity = identify(ADA, None, CLOCK)
    request = UndoRequest(
        batch_id=identity.batch_id, txid=identity.txid, fingerprint="", actor=ADA, scope=ADA.id, action="undo"
    )
    await one.submit(WorkspaceId(w), request)


async def empty(one: Workspaces) -> str:
    """A workspace without nodes."""
    w = await new_workspace(one, "")
    await send(one, w, [{"op": "delete_nodes", "ids": list(await positions(one, w))}])
    return w


async def positions(one: Workspaces, w: str) -> dict[str, Any]:
    def read(replica: Replica) -> dict[str, Any]:
        diagram = replica.workspace.diagram
        return {node_id: dict(diagram.position(node_id)) for node_id in diagram.node_ids()}

    return await one.read(WorkspaceId(w), read)
