"""What the assistant keeps in Redis: runs, their events, what waits for a yes, the conversation, and the switch.

With `proposals` it implements `ports.runs.RunStore`; it also implements `ports.approvals.ApprovalStore`.

Every change is one Lua script and so one atomic step; see the comment at its top in `lua/`. Beside its hash and its
events a run is in the list of its workspace and, until it is over, in the hash of active runs, by which a start is
decided.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final, cast

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.assistant.proposals import RedisProposals
from draftsmith.adapters.redis.assistant.run_limits import EVENTS_KEPT, RUN_KEPT_MS, RUNS_KEPT, RUNS_SLACK, TURNS_KEPT
from draftsmith.adapters.redis.assistant.run_values import check_ending, pack, unpack
from draftsmith.adapters.redis.assistant.stream_ids import last_before, next_after
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import RUNS_IN_FLIGHT, WorkspaceKeys
from draftsmith.adapters.redis.pool import Argument
from draftsmith.errors import StorageError
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.approvals import Approval, Verdict, approval_from_json
from draftsmith.ports.run_events import RunEventFields
from draftsmith.ports.run_outcomes import OutcomeOut
from draftsmith.ports.runs import (
    OPEN_STATUSES,
    AlreadyThere,
    Busy,
    ConversationTurn,
    EditMode,
    Ending,
    GivenRating,
    Rating,
    RunRequest,
    RunRow,
    RunStart,
    StartOutcome,
    Switch,
    SwitchedOff,
)

_STEP = 256
"""Runs read or dropped in one go."""
_READ_AGAIN = 8
_STARTS_WITHIN_MS = 60_000
"""How long after its entry an indexed run may still start; one that is not in the store by then never did."""
_EDIT_MODES: Final[Mapping[bytes | None, EditMode]] = {b"tools": "tools", b"regenerate": "regenerate"}


class RedisRuns(RedisProposals):
    """What the assistant keeps of every workspace of one store."""

    def __init__(self, connection: RedisConnection) -> None:
        super().__init__(connection)
        self._index = _RunIndex(connection)

    # -- runs ----------------------------------------------------------------------------------------------------------

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
                row = _run_row(run_id, answer[2], answer[1])
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
            [run_id, f" {' '.join(OPEN_STATUSES.intersection(expected))} ", *_ending_arguments(ending)],
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
            [run_id, pack(request), worker, RUNS_KEPT, RUNS_SLACK, *_ending_arguments(ending)],
        )
        if answer[0] == b"there":
            return False
        await self._drop_oldest(keys, answer[1])
        return True

    async def rate(self, workspace_id: WorkspaceId, run_id: RunId, rating: GivenRating | None) -> GivenRating | None:
        """Keep the rating of a run that is over, None takes it back; return the one before."""
        names = [WorkspaceKeys(workspace_id).run(run_id)]
        asked = ("", "") if rating is None else (rating.rating, rating.day)
        return _given_rating(await self._connection.write.script(scripts.RATE_RUN, names, [*asked]))

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
            rows += [_run_row(name, values, now) for name, values in zip(part, found, strict=True)]
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

    # -- events --------------------------------------------------------------------------------------------------------

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

    # -- calls that wait for a yes -------------------------------------------------------------------------------------

    async def ask_approval(
        self, workspace_id: WorkspaceId, run_id: RunId, approval: Approval, *, worker: str, wait_ms: int
    ) -> bool:
        """Have a call wait for a yes; see `ports.approvals.ApprovalStore`."""
        names = [WorkspaceKeys(workspace_id).run(run_id)]
        given: list[Argument] = [approval.id, wait_ms, pack(approval.to_json()), worker]
        return bool(await self._connection.write.script(scripts.ASK_APPROVAL, names, given))

    async def answer_approval(
        self, workspace_id: WorkspaceId, run_id: RunId, approval_id: str, verdict: Verdict
    ) -> Verdict | None:
        """Answer a call that waits; see `ports.approvals.ApprovalStore`."""
        names = [WorkspaceKeys(workspace_id).run(run_id)]
        said = f"{'yes' if verdict.allow else 'no'} {verdict.by}"
        return _verdict_of(await self._connection.write.script(scripts.ANSWER_APPROVAL, names, [approval_id, said]))

    async def close_approval(self, workspace_id: WorkspaceId, run_id: RunId, approval_id: str) -> Verdict | None:
        """End the waiting; see `ports.approvals.ApprovalStore`."""
        names = [WorkspaceKeys(workspace_id).run(run_id)]
        return _verdict_of(await self._connection.write.script(scripts.CLOSE_APPROVAL, names, [approval_id]))

    # -- conversation and switch ---------------------------------------------------------------------------------------

    async def conversation(
        self, workspace_id: WorkspaceId, *, before: str | None, count: int
    ) -> list[tuple[str, ConversationTurn]]:
        """Turns of the conversation with their ids, newest first.

        Raises:
            DraftsmithError: `invalid_request`; `before` is no id.
        """
        end = "+" if before is None else last_before(before)
        if count < 1:
            return []
        key = WorkspaceKeys(workspace_id).conversation
        found = await self._connection.read.command("XREVRANGE", key, end, "-", "COUNT", count)
        return [(name.decode(), cast(ConversationTurn, unpack(fields[b"t"]))) for name, fields in found]

    async def clear_conversation(self, workspace_id: WorkspaceId) -> None:
        """Forget the conversation; workspace, runs and proposals stay."""
        await self._connection.write.command("UNLINK", WorkspaceKeys(workspace_id).conversation)

    async def switch_of(self, workspace_id: WorkspaceId) -> Switch:
        """The switch of a workspace; an edit mode that a later version may have set counts as none."""
        keys = WorkspaceKeys(workspace_id)
        names = keys.runs_off, keys.edit_mode, keys.provider
        off, mode, provider = await self._connection.read.command("MGET", *names)
        return Switch(off is not None, _EDIT_MODES.get(mode), provider and provider.decode())

    async def switch(self, workspace_id: WorkspaceId, *, off: bool) -> None:
        """Switch the assistant off or on; runs that are alive go on."""
        key = WorkspaceKeys(workspace_id).runs_off
        await self._connection.write.command(*(("SET", key, b"1") if off else ("UNLINK", key)))

    async def set_edit_mode(self, workspace_id: WorkspaceId, edit_mode: EditMode | None) -> None:
        """Say how models edit there; None: as the server is set."""
        key = WorkspaceKeys(workspace_id).edit_mode
        await self._connection.write.command(*(("SET", key, edit_mode) if edit_mode else ("UNLINK", key)))

    async def set_provider(self, workspace_id: WorkspaceId, provider: str | None) -> None:
        """Say which provider answers there; None: the server's."""
        key = WorkspaceKeys(workspace_id).provider
        await self._connection.write.command(*(("SET", key, provider) if provider else ("UNLINK", key)))

    # -- removing ------------------------------------------------------------------------------------------------------

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


class _RunIndex:
    """An index of the runs of all workspaces that may not be over.

    It is one sorted set in a slot of its own, scored by time. A run is added before it starts and removed after it has
    ended; what a crash leaves in between is dropped when the index is read.
    """

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def add(self, workspace_id: WorkspaceId, run_id: RunId) -> None:
        """Add a run that is about to start."""
        await self._connection.write.script(scripts.INDEX_RUN, [RUNS_IN_FLIGHT], [f"{workspace_id} {run_id}"])

    async def remove(self, workspace_id: WorkspaceId, run_id: RunId) -> None:
        """Remove a run that is over; a failure does no harm."""
        with suppress(StorageError):
            await self._connection.write.command("ZREM", RUNS_IN_FLIGHT, f"{workspace_id} {run_id}")

    async def read(self) -> list[tuple[WorkspaceId, RunId]]:
        """Return (workspace, run) of those that exist and are not over, in the order of their starts; drop others."""
        now, flat = await self._connection.read.script(scripts.READ_RUN_INDEX, [RUNS_IN_FLIGHT], [])
        found: list[tuple[WorkspaceId, RunId]] = []
        stale: list[bytes] = []
        for at in range(0, len(flat), 2 * _STEP):
            entries = [(member, score) for member, score in zip(*[iter(flat[at : at + 2 * _STEP])] * 2, strict=True)]
            names = [_names(member) for member, _ in entries]
            commands = [("HGET", WorkspaceKeys(workspace_id).run(run_id), "status") for workspace_id, run_id in names]
            statuses = await self._connection.read.commands(commands)
            for (member, score), name, status in zip(entries, names, statuses, strict=True):
                if status is not None and status.decode() in OPEN_STATUSES:
                    found.append(name)
                elif status is not None or now - int(score) > _STARTS_WITHIN_MS:
                    stale += [member, score]
        if stale:
            with suppress(StorageError):
                await self._connection.write.script(scripts.DROP_FROM_RUN_INDEX, [RUNS_IN_FLIGHT], stale)
        return found


def _names(member: bytes) -> tuple[WorkspaceId, RunId]:
    workspace_id, _, run_id = member.decode().partition(" ")
    return WorkspaceId(workspace_id), RunId(run_id)


def _ending_arguments(ending: Ending) -> list[bytes | str | int]:
    """Return the arguments of an ending as the scripts expect them (`lua/run_prelude.lua`)."""
    turn = b"" if ending.turn is None else pack(ending.turn)
    limits = (RUN_KEPT_MS, EVENTS_KEPT, TURNS_KEPT)
    return [ending.status, pack(ending.outcome), turn, *limits, *map(pack, ending.events)]


def _run_row(run_id: RunId, values: Sequence[bytes | None], now_ms: int) -> RunRow | None:
    """Read a run from a row as the scripts return it; None if there is none."""
    if values[0] is None:
        return None
    status, request, outcome, staged, worker, alive, created, updated, rated, approval, verdict = (
        value or b"" for value in values
    )
    return RunRow(
        id=run_id,
        status=status.decode(),
        request=cast(RunRequest, unpack(request)),
        outcome=cast(OutcomeOut, unpack(outcome)),
        staged=staged,
        worker=worker.decode(),
        alive_until_ms=int(alive),
        created_ms=int(created),
        updated_ms=int(updated),
        now_ms=now_ms,
        rating=None if (given := _given_rating(rated)) is None else given.rating,
        approval=approval_from_json(unpack(approval)) if approval else None,
        verdict=_verdict_of(verdict),
    )


def _given_rating(content: bytes) -> GivenRating | None:
    """Read a rating as it stands in a run; None if there is none."""
    rating, _, day = content.decode().partition(" ")
    return GivenRating(cast(Rating, rating), day) if rating else None


def _verdict_of(content: bytes) -> Verdict | None:
    """Read the answer to a call that waits, as it stands in a run; None if there is none."""
    said, _, by = content.decode().partition(" ")
    return Verdict(said == "yes", by) if said else None
