"""A short-lived process that makes snapshots: `python -m draftsmith.snapshotter <workspace id> …`.

Replaying thousands of commits takes a second of CPU, which would block a worker. The
store is named by DRAFTSMITH_STORE_URL (else REDIS_URL), the rules of retention by their settings. A worker starts it
(`adapters.snapshot_process`); starting it by hand does no harm. Several workspaces are done one after the other, since
starting costs more than most snapshots.

Exit codes: 0 done, also if there was nothing to do; 1 it failed; 2 wrong use; 3 the workspace is frozen; of several the
highest. Each one's is said on standard output, as `<workspace id> <code>`.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys

import structlog

from draftsmith.adapters.process.logs import configure_logs
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.adapters.redis.usable import DiskRoom, room_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import CorruptEntry
from draftsmith.model.ids import WorkspaceId
from draftsmith.settings import Settings
from draftsmith.usecases.upkeep.snapshot import Policy, SnapshotReport, make_snapshot, policy_of

DONE, FAILED, WRONG_USE, FROZEN = 0, 1, 2, 3
_LONGEST_S = 600
_NICE = 10

_log = structlog.get_logger("draftsmith.snapshotter")


def main(arguments: list[str]) -> int:
    """Make the snapshots; the exit code."""
    settings = Settings()
    configure_logs(settings.log_level, settings.log_format)
    url = settings.draftsmith_store_url or settings.redis_url
    if not arguments or url is None:
        _log.error("wrong_use", detail="Give workspace ids, and the store in DRAFTSMITH_STORE_URL.")
        return WRONG_USE
    os.nice(_NICE)
    # A large state is built once and discarded; garbage collection took half of the time.
    gc.disable()
    gc.freeze()
    room = room_of(url, settings.data_dir, settings.redis_url)
    codes = []
    for workspace_id in map(WorkspaceId, arguments):
        # For systems whose kernel does not kill it together with its worker.
        signal.alarm(_LONGEST_S)
        codes.append(asyncio.run(_run(url, workspace_id, policy_of(settings), room)))
        sys.stdout.write(f"{workspace_id} {codes[-1]}\n")
        sys.stdout.flush()
        if len(codes) < len(arguments):
            gc.collect()
    return max(codes)


async def _run(url: str, workspace_id: WorkspaceId, policy: Policy, room: DiskRoom | None) -> int:
    try:
        report = await _snapshot(url, workspace_id, policy, room)
    except CorruptEntry as corrupt:
        _log.error("frozen", workspace=workspace_id, detail=str(corrupt))
        return FROZEN
    except DraftsmithError as error:
        _log.error("failed", workspace=workspace_id, code=error.code, detail=error.detail)
        return FROZEN if error.code == "frozen" else FAILED
    for name in report.checkpoints_lost:
        _log.warning("checkpoint_lost", workspace=workspace_id, checkpoint=name)
    _log.info(
        "done", workspace=workspace_id, stored=report.stored, revision=report.revision, kept=report.states_kept,
        dropped=report.dropped, base=report.base,
    )  # fmt: skip
    return DONE


async def _snapshot(url: str, workspace_id: WorkspaceId, policy: Policy, room: DiskRoom | None) -> SnapshotReport:
    connection = await connect(url, has_room=room)
    try:
        return await make_snapshot(RedisCommitLog(connection), workspace_id, policy, SystemClock())
    finally:
        await connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
