"""Runs whose worker has gone: each is brought to its end by whoever finds it, once.

One that had not decided changed nothing and is told as failed. One that had decided may have done it or not: doing it
again settles that, since the transaction id of a run is fixed. After some minutes nobody expects it to happen any
more; then it is only looked up.
"""

from __future__ import annotations

from typing import Final

import structlog

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.runs import RUNNING, Ending, RunRow, RunStore
from draftsmith.usecases.runs.finish import Settlement, failed
from draftsmith.usecases.runs.values import read_decision

_STILL_WANTED_MS: Final = 300_000
_LOST: Final = DraftsmithError("worker_lost", "The server that ran this was stopped; nothing was changed. Ask again.")
_log = structlog.get_logger("draftsmith.runs")


async def rescue_all(store: RunStore, settlement: Settlement) -> None:
    """Do so in every workspace in which something may run; what cannot be done now is left for the next time."""
    try:
        places = dict.fromkeys(workspace_id for workspace_id, _ in await store.in_flight())
    except StorageError as error:
        _log.warning("rescue_put_off", reason=error.detail)
        return
    except Exception as error:  # noqa: BLE001  # or nobody would look after any run any more
        _log.error("rescue_defect", exc_info=error)
        return
    for workspace_id in places:
        try:
            await rescue(store, settlement, workspace_id)
        except DraftsmithError as error:
            _log.warning("rescue_put_off", workspace=workspace_id, reason=error.detail)
        except Exception as error:  # noqa: BLE001  # as above
            _log.error("rescue_defect", workspace=workspace_id, exc_info=error)


async def rescue(store: RunStore, settlement: Settlement, workspace_id: WorkspaceId) -> None:
    """Bring every abandoned run of a workspace to its end; one that cannot be now is left for the next time.

    Raises:
        StorageError: the runs could not be listed.
    """
    for row in await store.open_runs(workspace_id):
        if not row.is_abandoned:
            continue
        try:
            ending = await _ending(settlement, workspace_id, row)
            if await store.end(workspace_id, row.id, {row.status}, ending):
                _log.info("run_rescued", workspace=workspace_id, run=row.id, status=ending.status)
        except DraftsmithError as error:
            _log.warning("rescue_put_off", workspace=workspace_id, run=row.id, reason=error.detail)
        except Exception as error:  # noqa: BLE001  # one run that nobody can read must not keep all others from ending
            _log.error("rescue_defect", workspace=workspace_id, run=row.id, exc_info=error)


async def _ending(settlement: Settlement, workspace_id: WorkspaceId, row: RunRow) -> Ending:
    if row.status == RUNNING:
        return failed(row.id, row.request, _LOST, {})
    try:
        decision = read_decision(row.staged)
    except ValueError:
        return await settlement.committed(workspace_id, row.id, row.request, {}) or failed(
            row.id, row.request, _LOST, {}
        )
    is_late = row.now_ms - row.alive_until_ms > _STILL_WANTED_MS
    if is_late and decision.do == "commit":
        done = await settlement.committed(workspace_id, row.id, row.request, decision.course)
        return done or failed(row.id, row.request, _LOST, decision.course)
    return await settlement.carry_out(workspace_id, row.id, row.request, decision)
