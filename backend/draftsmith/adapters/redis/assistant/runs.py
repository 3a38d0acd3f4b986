"""Runs of the assistant in Redis; with `conversations` and `proposals` it implements `ports.runs.RunStore`.

Every change is one Lua script and so one atomic step; see the comment at its top in `lua/`. Beside its hash and its
events a run is in the list of its workspace and, until it is over, in the hash of active runs, by which a start is
decided.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.assistant.approvals import RedisApprovals
from draftsmith.adapters.redis.assistant.conversations import RedisConversations
from draftsmith.adapters.redis.assistant.proposals import RedisProposals
from draftsmith.adapters.redis.assistant.run_index import RunIndex
from draftsmith.adapters.redis.assistant.run_limits import EVENTS_KEPT, RUNS_KEPT, RUNS_SLACK
from draftsmith.adapters.redis.assistant.run_rows import ending_arguments, given_rating, run_row
from draftsmith.adapters.redis.assistant.run_values import check_ending, pack, unpack
from draftsmith.adapters.redis.assistant.stream_ids import next_after
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.pool import Argument
from draftsmith.errors import StorageError
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.run_events import RunEventFields
from draftsmith.ports.runs import (
    OPEN_STATUSES,
    AlreadyThere,
    Busy,
    Ending,
    GivenRating,
    RunRequest,
    RunRow,
    RunStart,
    StartOutcome,
    SwitchedOff,
)

_STEP = 256
"""Runs read or dropped in one go."""
_READ_AGAIN = 8


class RedisRuns(RedisConversations, RedisProposals, RedisApprovals):
    """What the assistant keeps of every workspace of one store."""

    def __init__(self, connection: RedisConnection) -> None:
        super().__init__(connection)
        self._index = RunIndex(connection)

    async def start(
        self,
        workspace_id: WorkspaceId,
        run_id: RunId,
        request: RunRequest,
        worker: str,
        *,
        edits_for: str,
        ttl_ms: int,
        at_most: int,
    ) -> StartOutcome:
        """Start a run if it may; see `ports.runs.RunStore`."""
        content, keys = pack(request), WorkspaceKeys(workspace_id)
        await self._index.add(workspace_id, run_id)
        answer = await self._connection.write.script(
            scripts.START_RUN,
            [keys.run(run_id), keys.runs, keys.active_runs, keys.runs_off],
            [run_id, content, worker, edits_for, ttl_ms, at_most, RUNS_KEPT, RUNS_SLACK],
        )
        match answer[0]:
            case b"started":
                await self._drop_oldest(keys, answer[1])
                return RunStart()
            case b"off":
                return SwitchedOff()
            case b"there":
                row = run_row(run_id, answer[2], answer[1])
                assert row is not None
                return AlreadyThere(row)
        return Busy(answer[0].decode(), sorted(name.decode() for name in answer[1]))

    async def heartbeat(self, workspace_id: WorkspaceId, run_id: RunId, worker: str, ttl_ms: int) -> str:
        """Keep a run alive for another `ttl_ms`; its status, empty if there is no such run."""
        keys = WorkspaceKeys(workspace_id)
        names = [keys.run(run_id), keys.active_runs]
        answer: bytes = await self._connection.write.script(scripts.HEARTBEAT_RUN, names, [run_id, worker, ttl_ms])
        return answer.decode()

    async def save_decision(self, workspace_id: WorkspaceId, run_id: RunId, staged: bytes, ttl_ms: int) -> str:
        """Go from `running` to `settling` with an encoded decision; the status that it has now.

        Empty if there is no such run, or if it is settling with other bytes.
        """
        keys = WorkspaceKeys(workspace_id)
        names = [keys.run(run_id), keys.active_runs]
        answer: bytes = await self._connection.write.script(scripts.SAVE_DECISION, names, [run_id, staged, ttl_ms])
        return answer.decode()

    async def end(self, workspace_id: WorkspaceId, run_id: RunId, expected: Collection[str], ending: Ending) -> bool:
        """End a run whose status is among `expected`; whether it did. One that is over is never ended again.

        Raises:
            ValueError: the status to end with is not a final one.
        """
        check_ending(ending)
        keys = WorkspaceKeys(workspace_id)
        has_ended = await self._connection.write.script(
            scripts.END_RUN,
            [keys.run(run_id), keys.events(run_id), keys.conversation, keys.active_runs],
            [run_id, f" {' '.join(OPEN_STATUSES.intersection(expected))} ", *ending_arguments(ending)],
        )
        if has_ended:
            await self._index.remove(workspace_id, run_id)
        return bool(has_ended)

    async def record(
        self, workspace_id: WorkspaceId, run_id: RunId, request: RunRequest, worker: str, ending: Ending
    ) -> bool:
        """Write a run that is over already, in one step; False (and nothing changed) if the id is known.

        Raises:
            ValueError: the status to end with is not a final one.
        """
        check_ending(ending)
        keys = WorkspaceKeys(workspace_id)
        answer = await self._connection.write.script(
            scripts.RECORD_RUN,
            [keys.run(run_id), keys.events(run_id), keys.conversation, keys.runs],
            [run_id, pack(request), worker, RUNS_KEPT, RUNS_SLACK, *ending_arguments(ending)],
        )
        if answer[0] == b"there":
            return False
        await self._drop_oldest(keys, answer[1])
        return True

    async def rate(self, workspace_id: WorkspaceId, run_id: RunId, rating: GivenRating | None) -> GivenRating | None:
        """Keep the rating of a run that is over, None takes it back; return the one before."""
        names = [WorkspaceKeys(workspace_id).run(run_id)]
        asked = ("", "") if rating is None else (rating.rating, rating.day)
        return given_rating(await self._connection.write.script(scripts.RATE_RUN, names, [*asked]))

    async def run(self, workspace_id: WorkspaceId, run_id: RunId) -> RunRow | None:
        """One run."""
        (row,) = await self._rows(WorkspaceKeys(workspace_id), [run_id])
        return row

    async def runs(self, workspace_id: WorkspaceId, *, before: str | None, count: int) -> list[RunRow]:
        """The newest runs first; `before`: the id of the last one seen. Empty if that one is gone."""
        keys, end = WorkspaceKeys(workspace_id), "+inf"
        if before is not None:
            score = await self._connection.read.command("ZSCORE", keys.runs, before)
            if score is None:
                return []
            end = f"({int(score)}"
        found: list[RunRow] = []
        expired: list[RunId] = []
        while len(found) < count:
            names, end = await self._names(keys, end, min(count - len(found), _STEP))
            if not names:
                break
            rows = await self._rows(keys, names)
            found += [row for row in rows if row is not None]
            expired += [name for name, row in zip(names, rows, strict=True) if row is None]
        await self._drop(keys, expired, "0")
        return found

    async def _names(self, keys: WorkspaceKeys, end: str, count: int) -> tuple[list[RunId], str]:
        """The next ids of the list, newest first, and where those after them begin."""
        flat = await self._connection.read.command(
            "ZREVRANGEBYSCORE", keys.runs, end, "-inf", "WITHSCORES", "LIMIT", 0, count
        )
        return [RunId(name.decode()) for name in flat[::2]], f"({flat[-1].decode()}" if flat else end

    async def _rows(self, keys: WorkspaceKeys, names: Sequence[RunId]) -> list[RunRow | None]:
        rows: list[RunRow | None] = []
        for at in range(0, len(names), _STEP):
            part = names[at : at + _STEP]
            now, *found = await self._connection.read.script(scripts.READ_RUNS, [keys.run(name) for name in part], [])
            rows += [run_row(name, values, now) for name, values in zip(part, found, strict=True)]
        return rows

    async def open_runs(self, workspace_id: WorkspaceId) -> list[RunRow]:
        """All runs that are not over, abandoned ones included; the oldest first."""
        keys = WorkspaceKeys(workspace_id)
        names = [RunId(name.decode()) for name in await self._connection.read.command("HKEYS", keys.active_runs)]
        rows = [row for row in await self._rows(keys, names) if row is not None and not row.is_over]
        return sorted(rows, key=lambda row: (row.created_ms, row.id))

    async def in_flight(self) -> list[tuple[WorkspaceId, RunId]]:
        """(workspace, run) of all that are not over, of all workspaces; an index that is repaired as it is read."""
        return await self._index.read()

    async def add_events(self, workspace_id: WorkspaceId, run_id: RunId, events: Sequence[RunEventFields]) -> str:
        """Append to the event stream of a run; the id of the last one.

        Nothing happens, and the id is empty, if there is no such run or it is over.
        """
        keys = WorkspaceKeys(workspace_id)
        names = [keys.active_runs, keys.events(run_id)]
        arguments: list[Argument] = [run_id, EVENTS_KEPT, *map(pack, events)]
        answer: bytes = await self._connection.write.script(scripts.ADD_EVENTS, names, arguments)
        return answer.decode()

    async def events(
        self, workspace_id: WorkspaceId, run_id: RunId, after: str, count: int
    ) -> list[tuple[str, RunEventFields]]:
        """Events after an id (`0` for all), oldest first.

        Raises:
            DraftsmithError: `invalid_request`; `after` is no id.
        """
        start = next_after(after)
        if count < 1:
            return []
        key = WorkspaceKeys(workspace_id).events(run_id)
        found = await self._connection.read.command("XRANGE", key, start, "+", "COUNT", count)
        return [(name.decode(), unpack(fields[b"e"])) for name, fields in found]

    async def purge(self, workspace_id: WorkspaceId, *, keeps_switch: bool = False) -> None:
        """Remove everything of a workspace that is gone; of one that stays, all but how its assistant is set."""
        keys = WorkspaceKeys(workspace_id)
        for _ in range(_READ_AGAIN):
            runs = [name.decode() for name in await self._connection.read.command("ZRANGE", keys.runs, 0, -1)]
            proposals = [name.decode() for name in await self._connection.read.command("ZRANGE", keys.proposals, 0, -1)]
            names = [keys.runs, keys.proposals, keys.active_runs, keys.conversation]
            names += [] if keeps_switch else [keys.runs_off, keys.edit_mode, keys.provider]
            names += [keys.run(name) for name in runs] + [keys.events(name) for name in runs]
            names += [keys.proposal(name) for name in proposals]
            listed = [" ".join(runs), " ".join(proposals)]
            if await self._connection.write.script(scripts.PURGE_RUNS, names, listed) != b"moved":
                return
        raise StorageError("What the assistant has of the workspace keeps changing while it is removed; try again.")

    async def _drop_oldest(self, keys: WorkspaceKeys, names: Sequence[bytes]) -> None:
        await self._drop(keys, [RunId(name.decode()) for name in names], "1")

    async def _drop(self, keys: WorkspaceKeys, names: Sequence[RunId], over_too: str) -> None:
        """Remove runs from the list, as far as possible; the rest is removed the next time."""
        for at in range(0, len(names), _STEP):
            part = names[at : at + _STEP]
            pairs = [key for name in part for key in (keys.run(name), keys.events(name))]
            with suppress(StorageError):
                await self._connection.write.script(
                    scripts.DROP_RUNS, [keys.runs, keys.active_runs, *pairs], [over_too, *part]
                )
