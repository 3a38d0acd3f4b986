"""The runs that go on in this worker, each a task; whatever happens to one, it ends in the store or is found abandoned.

Also the writes of runs that were over before anybody could look, while their answers are on their way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.ports.runs import RUNNING
from draftsmith.usecases.runs.finish import failed
from draftsmith.usecases.runs.recorder import StoredJournal
from draftsmith.usecases.runs.start import Opening

_STOPPING: Final = "The server was stopped while the assistant worked; nothing was changed. Ask again."
_DEFECT: Final = "Something went wrong here; nothing was changed. The server's log has more under the id of the run."
_log = structlog.get_logger("draftsmith.runs")


@dataclass
class RunTasks:
    """Tasks by workspace and run."""

    _running: dict[tuple[str, str], asyncio.Task[None]] = field(default_factory=dict)
    _recording: set[asyncio.Task[None]] = field(default_factory=set)
    _is_closing: bool = False

    def __contains__(self, key: tuple[str, str]) -> bool:
        return key in self._running

    def start(self, journal: StoredJournal, opening: Opening) -> None:
        """Let a run go on that the store knows of."""
        key = (journal.workspace_id, journal.run_id)
        task = self._running[key] = asyncio.create_task(self._run(journal, opening), name=f"run {journal.run_id}")
        task.add_done_callback(lambda done: self._running.pop(key, None))

    def stop(self, key: tuple[str, str]) -> None:
        """Let go of a run that somebody has ended; nothing happens if it is none of this worker's."""
        task = self._running.get(key)
        if task is not None:
            task.cancel()

    async def _run(self, journal: StoredJournal, opening: Opening) -> None:
        journal.start()
        try:
            await journal.tell({"type": "phase", "phase": "reading"})
            course = opening.course(journal, await opening.first())
            await journal.tell({"type": "phase", "phase": "thinking"})
            await course.run()
        except asyncio.CancelledError:
            if self._is_closing:
                await _end_failed(journal, DraftsmithError("worker_lost", _STOPPING))
            raise
        except StorageError as error:
            _log.warning("run_left", run=journal.run_id, reason=error.detail)  # any worker settles it
        except DraftsmithError as error:
            await _end_failed(journal, error)
        except Exception as error:  # noqa: BLE001  # a defect must not leave the person waiting
            _log.error("run_defect", run=journal.run_id, exc_info=error)
            await _end_failed(journal, DraftsmithError("internal", _DEFECT))
        finally:
            await journal.close()

    def record(self, writing: Coroutine[Any, Any, bool]) -> None:
        """Write down a run that is over and being answered; what it committed is in the log already."""

        async def record() -> None:
            try:
                await writing
            except StorageError as error:
                _log.warning("run_not_recorded", reason=error.detail)
            except Exception as error:  # noqa: BLE001  # nobody waits for this task
                _log.error("run_defect", exc_info=error)

        task = asyncio.create_task(record(), name="record")
        self._recording.add(task)
        task.add_done_callback(self._recording.discard)

    async def recorded(self) -> None:
        """Wait until all that was answered here can be read."""
        if self._recording:
            await asyncio.wait(list(self._recording))

    async def close(self) -> None:
        """Stop what runs here, and say so of each run."""
        self._is_closing = True
        for task in self._running.values():
            task.cancel()
        tasks = [*self._running.values(), *self._recording]
        if tasks:
            await asyncio.wait(tasks)


async def _end_failed(journal: StoredJournal, error: DraftsmithError) -> None:
    """End a run that has not decided; one that has is settled by whoever finds it."""
    try:
        row = await journal.store.run(journal.workspace_id, journal.run_id)
        if row is not None:
            ending = failed(journal.run_id, row.request, error, {})
            await journal.store.end(journal.workspace_id, journal.run_id, {RUNNING}, ending)
    except StorageError as down:
        _log.warning("run_left", run=journal.run_id, reason=down.detail)  # any worker settles it
    journal.woken()
