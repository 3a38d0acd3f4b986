"""A process that prepares what takes long, so that its worker need not: `python -m draftsmith.preparer`.

It reads requests from its standard input and writes what became of each to its standard output, one at a time, until
the input ends. It holds a few workspaces in memory, which follow the log; it never writes to the store. The store is
named by DRAFTSMITH_STORE_URL (else REDIS_URL). A worker starts it (`adapters.server.preparer_process`).
"""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any, BinaryIO, Final

import structlog

from draftsmith.adapters.process.frames import read_frame, write_frame
from draftsmith.adapters.process.logs import configure_logs
from draftsmith.adapters.process.processor_time import allow_processor_seconds
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.adapters.server.preparer_process import Reply
from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import CorruptEntry, Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.settings import Settings
from draftsmith.usecases.prepare.preparation import Preparation, portable, prepare_at_head, prepare_first
from draftsmith.usecases.replicas.dependencies import Counters, WriterDependencies
from draftsmith.usecases.replicas.local_replica import LocalReplica
from draftsmith.usecases.requests.request import Request

MEMORY_BYTES: Final = 1 << 30
"""What the process may use for data; more ends in a refusal."""

HELD: Final = 4
"""Workspaces in memory."""

PROCESSOR_SECONDS: Final = 60
"""Processor time that one request may take; its budget of counted work mostly ends earlier."""

_NICE: Final = 5  # whoever serves everybody goes first; lower still, and who waits would starve on a busy machine
_log = structlog.get_logger("draftsmith.preparer")


class Preparing:
    """Prepares requests on replicas of its own."""

    def __init__(self, dependencies: WriterDependencies) -> None:
        self._dependencies = dependencies
        self._held: OrderedDict[WorkspaceId, LocalReplica] = OrderedDict()

    async def prepare(self, workspace_id: WorkspaceId, request: Request[Any], epoch: str) -> Preparation:
        """Prepare a request at the end of the log; with an epoch, as the first of a workspace that is not there yet.

        Raises:
            DraftsmithError: the workspace cannot be read.
            CorruptEntry: the log has an entry that cannot be applied.
        """
        if epoch:
            return prepare_first(Replica(epoch), request)
        local = self._held.pop(workspace_id, None) or LocalReplica(self._dependencies, workspace_id)
        self._held[workspace_id] = local
        if len(self._held) > HELD:
            self._held.popitem(last=False)
        try:
            return await prepare_at_head(local, self._dependencies.log, workspace_id, request)
        except BaseException:
            self._held.pop(workspace_id, None)  # it may be half changed
            raise


def main() -> int:
    """Prepare until the input ends; the exit code."""
    settings = Settings()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints, a library or a log, must not mix with replies
    configure_logs(settings.log_level, settings.log_format)
    url = settings.draftsmith_store_url or settings.redis_url
    if url is None:
        _log.error("wrong_use", detail="Name the store in DRAFTSMITH_STORE_URL.")
        return 2
    os.nice(_NICE)
    _limit_memory()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)  # as in a worker: workspaces are long-lived and have no cycles
    gc.enable()  # off while importing: `without_gc`
    asyncio.run(_serve(url, output))
    return 0


def _limit_memory() -> None:
    try:
        import resource  # absent on some systems
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))


async def _serve(url: str, output: BinaryIO) -> None:
    connection = await connect(url)
    try:
        dependencies = WriterDependencies(
            log=RedisCommitLog(connection), clock=SystemClock(), worker=f"preparer-{os.getpid()}", counters=Counters()
        )
        preparing = Preparing(dependencies)
        while (question := await asyncio.to_thread(read_frame, sys.stdin.buffer)) is not None:
            allow_processor_seconds(PROCESSOR_SECONDS)
            write_frame(output, await _reply_to(preparing, question))
    finally:
        await connection.close()


async def _reply_to(preparing: Preparing, question: bytes) -> bytes:
    reply: Reply
    try:
        asked = pickle.loads(question)  # noqa: S301  # from our own worker
        reply = ("done", await preparing.prepare(*asked), most_kib())
    except CorruptEntry as corrupt:
        detail = f"This workspace is read only: {corrupt}. Run `draftsmith recover`."
        reply = ("refused", ("frozen", detail), most_kib())
    except DraftsmithError as error:
        same = portable(error)
        reply = ("refused", (same.code, same.detail, same.problems, same.extra), most_kib())
    except MemoryError:
        detail = "This would take too much memory. Nothing was applied; ask for less at a time."
        reply = ("refused", ("too_costly", detail), sys.maxsize)
    except Exception as error:  # noqa: BLE001  # whatever it is, the worker must hear of it
        _log.exception("defect")
        reply = ("failed", repr(error), most_kib())
    return pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)


def most_kib() -> int:
    """The most memory that this process has used so far, KiB; 0 where that is not known.

    Linux counts in `ru_maxrss` what the worker had when it started this process, so the kernel's other figure is read
    where there is one: otherwise a large worker would replace its preparers after each request.
    """
    try:
        status = Path("/proc/self/status").read_text("ascii")
        return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0])
    except (OSError, ValueError, IndexError):
        pass
    try:
        import resource  # absent on some systems
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most


if __name__ == "__main__":
    sys.exit(main())
