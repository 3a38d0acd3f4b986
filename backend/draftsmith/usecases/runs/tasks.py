"""The tasks of this worker: runs that go on, and writes of inline runs whose answer is already on its way.

Whatever happens to a run, it ends in the store or is found abandoned and taken over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.ports.runs import RUNNING
from draftsmith.usecases.runs.finish import failed_ending, outside_note
from draftsmith.usecases.runs.prepare import PreparedRun
from draftsmith.usecases.runs.recorder import StoredRecorder
from draftsmith.usecases.runs.run import Run

_STOPPING: Final = "The server was stopped while the assistant worked; nothing was changed. Ask again."
_DEFECT: Final = "Something went wrong here; nothing was changed. The server's log has more under the id of the run."
_log = structlog.get_logger("draftsmith.runs")


@dataclass
class RunTasks:
    """Tasks by workspace and run."""

    _running: dict[tuple[str, str], asyncio.Task[None]] = field(default_factory=dict)
    _recording: set[asyncio.Task[None]] = field(default_factory=set)
    _newest: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _is_closing: bool = False

    def __contains__(self, key: tuple[str, str]) -> bool:
        return key in self._running

    def start(self, recorder: StoredRecorder, prepared: PreparedRun) -> None:
        """Execute a run that is in the store."""
        key = (recorder.workspace_id, recorder.run_id)
        task = self._running[key] = asyncio.create_task(self._run(recorder, prepared), name=f"run {recorder.run_id}")
        task.add_done_callback(lambda done: self._running.pop(key, None))

    def stop(self, key: tuple[str, str]) -> None:
        """Cancel the task of a run that somebody has ended, if it is one of this worker's."""
        task = self._running.get(key)
        if task is not None:
            task.cancel()

    async def _run(self, recorder: StoredRecorder, prepared: PreparedRun) -> None:
        recorder.start()
        try:
            await recorder.add_event({"type": "phase", "phase": "reading"})
            first_message = await prepared.first_message()
            await recorder.add_event({"type": "phase", "phase": "thinking"})
            await Run(prepared, recorder).run(first_message)
        except asyncio.CancelledError:
            if self._is_closing:
                await _end_failed(recorder, DraftsmithError("worker_lost", _STOPPING))
            raise
        except StorageError as error:
            _log.warning("run_left", run=recorder.run_id, reason=error.detail)  # any worker takes it over
        except DraftsmithError as error:
            await _end_failed(recorder, error)
        except Exception as error:  # noqa: BLE001  # a defect must not leave the person waiting
            _log.error("run_defect", run=recorder.run_id, exc_info=error)
            await _end_failed(recorder, DraftsmithError("internal", _DEFECT))
        finally:
            await recorder.close()

    def record(self, workspace_id: str, writing: Coroutine[Any, Any, bool]) -> None:
        """Write a run that is over, in the background; what it committed is in the log already.

        Runs of one workspace are written one after the other, so that the conversation has them in their order.
        """
        before = self._newest.get(workspace_id)

        async def record() -> None:
            if before is not None:
                await asyncio.wait([before])
            try:
                await writing
            except StorageError as error:
                _log.warning("run_not_recorded", reason=error.detail)
            except Exception as error:  # noqa: BLE001  # nobody waits for this task
                _log.error("run_defect", exc_info=error)

        task = self._newest[workspace_id] = asyncio.create_task(record(), name="record")
        self._recording.add(task)

        def on_done(_: object) -> None:
            self._recording.discard(task)
            if self._newest.get(workspace_id) is task:
                del self._newest[workspace_id]

        task.add_done_callback(on_done)

    async def flush(self) -> None:
        """Wait for the background writes, so that every run that was answered can be read."""
        if self._recording:
            await asyncio.wait(list(self._recording))

    async def close(self) -> None:
        """Cancel every run and record that it was stopped."""
        self._is_closing = True
        for task in self._running.values():
            task.cancel()
        tasks = [*self._running.values(), *self._recording]
        if tasks:
            await asyncio.wait(tasks)


async def _end_failed(recorder: StoredRecorder, error: DraftsmithError) -> None:
    """End a run that has not decided; one that has is taken over."""
    try:
        row = await recorder.store.run(recorder.workspace_id, recorder.run_id)
        if row is not None:
            note = await outside_note(recorder.store, recorder.workspace_id, recorder.run_id)
            ending = failed_ending(recorder.run_id, row.request, error, {"reason": note} if note else {})
            await recorder.store.end(recorder.workspace_id, recorder.run_id, {RUNNING}, ending)
    except StorageError as down:
        _log.warning("run_left", run=recorder.run_id, reason=down.detail)  # any worker takes it over
    recorder.on_written()
