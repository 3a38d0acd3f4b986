"""Finish runs whose worker has gone; any worker may, and each run is finished once.

A run that had not decided changed nothing and ends as failed. One that had decided may have been carried out or not;
carrying it out again settles that, since its transaction id is fixed. After some minutes nobody expects the change any
more; then its commit is only looked up.
"""

from __future__ import annotations

from typing import Final

import structlog

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.runs import RUNNING, Ending, RunRow, RunStore
from draftsmith.usecases.runs.finish import RunFinisher, failed_ending, outside_note
from draftsmith.usecases.runs.values import read_decision

_CARRY_OUT_WITHIN_MS: Final = 300_000
_LOST: Final = DraftsmithError("worker_lost", "The server that ran this was stopped; nothing was changed. Ask again.")
_log = structlog.get_logger("draftsmith.runs")


async def take_over_all(store: RunStore, finisher: RunFinisher) -> None:
    """Finish the abandoned runs of every workspace; what fails is left for the next time."""
    try:
        workspace_ids = dict.fromkeys(workspace_id for workspace_id, _ in await store.in_flight())
    except StorageError as error:
        _log.warning("takeover_postponed", reason=error.detail)
        return
    except Exception as error:  # noqa: BLE001  # the loop that calls this must go on
        _log.error("takeover_defect", exc_info=error)
        return
    for workspace_id in workspace_ids:
        try:
            await take_over(store, finisher, workspace_id)
        except DraftsmithError as error:
            _log.warning("takeover_postponed", workspace=workspace_id, reason=error.detail)
        except Exception as error:  # noqa: BLE001  # as above
            _log.error("takeover_defect", workspace=workspace_id, exc_info=error)


async def take_over(store: RunStore, finisher: RunFinisher, workspace_id: WorkspaceId) -> None:
    """Finish the abandoned runs of one workspace; what fails is left for the next time.

    Raises:
        StorageError: the runs could not be listed.
    """
    for row in await store.open_runs(workspace_id):
        if not row.is_abandoned:
            continue
        try:
            ending = await _ending(store, finisher, workspace_id, row)
            if await store.end(workspace_id, row.id, {row.status}, ending):
                _log.info("run_taken_over", workspace=workspace_id, run=row.id, status=ending.status)
        except DraftsmithError as error:
            _log.warning("takeover_postponed", workspace=workspace_id, run=row.id, reason=error.detail)
        except Exception as error:  # noqa: BLE001  # one unreadable run must not keep the others from being finished
            _log.error("takeover_defect", workspace=workspace_id, run=row.id, exc_info=error)


async def _ending(store: RunStore, finisher: RunFinisher, workspace_id: WorkspaceId, row: RunRow) -> Ending:
    if row.status == RUNNING:
        note = await outside_note(store, workspace_id, row.id)
        return failed_ending(row.id, row.request, _LOST, {"reason": note} if note else {})
    try:
        decision = read_decision(row.staged)
    except ValueError:
        done = await finisher.find_committed(workspace_id, row.id, row.request)
        return done or failed_ending(row.id, row.request, _LOST, {})
    is_late = row.now_ms - row.alive_until_ms > _CARRY_OUT_WITHIN_MS
    if is_late and decision.do == "commit":
        done = await finisher.find_committed(workspace_id, row.id, row.request, decision)
        return done or failed_ending(row.id, row.request, _LOST, decision.result)
    return await finisher.carry_out(workspace_id, row.id, row.request, decision)
