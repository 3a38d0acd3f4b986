"""A room: the pages that have one workspace open on this worker. Pure: it is given events, time is an argument.

What happens is passed to it (`join`, `leave`, `handle`, `workspace_moved`, `runs_changed`, …; presence of other workers
to its `gossip`); afterwards `next_tick` says when it wants to be called again, `tick` returns the connections that have
something to receive, and `frame` builds the next frame of one. A quiet room ticks at once, a busy one every 25 ms, and
one of few pages more often, where little is saved by waiting for more to send.

Not here: what a frame contains (`connection_state`); waiting, sockets and the store (`usecases.live`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from draftsmith.access.roles import Role
from draftsmith.collab.client_messages import ClientMessage, Ping, Presence, Resync, Unwatch, Watch
from draftsmith.collab.commit_buffer import MAX_BYTES, CommitBuffer, StateReason
from draftsmith.collab.commit_message import CommitMessage
from draftsmith.collab.connection_state import ConnectionState
from draftsmith.collab.cursor_updates import CursorUpdates
from draftsmith.collab.gossip_message import InstanceId, MemberId
from draftsmith.collab.presence_gossip import PresenceGossip
from draftsmith.collab.protocol import CloseReason, encode
from draftsmith.collab.roster import MemberRoster
from draftsmith.collab.run_feeds import RunFeed, event_position, run_gone
from draftsmith.collab.server_messages import WelcomeBase
from draftsmith.collab.shared_state import SharedState
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica
from draftsmith.model.ids import RunId

Json = Mapping[str, Any]

TICK_S: Final = 0.025
_TICK_S_PER_PAGE: Final = 0.002_5
KEEPALIVE_S: Final = 20.0
"""A page that was sent nothing for so long is sent an empty frame."""
_RECONNECT_APART_MS, _RECONNECT_SPREAD_MS = 37, 3_000  # disconnected pages do not all come back at once
_MOVES_S_PER_PAGE: Final = 0.002  # each page is sent the moves of all others, so a large room gets them less often
_MAX_WATCHED: Final = 32


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """Where a page continues after its `hello`.

    Attributes:
        position: what the page has; None where it is sent the whole state.
        missed: the commits that follow, as far as they have been read from the log; the room has those after them.
        state_reason: why it is sent the whole state, where there is no position.
    """

    position: Head | None = None
    missed: Sequence[CommitMessage] = ()
    state_reason: StateReason = "fresh"


@dataclass(frozen=True, slots=True)
class Join:
    """What is known of a page that joins.

    Attributes:
        resume: where it continues.
        pending: ids of the writes it has sent and was not answered, by transaction id.
        role: what it may do.
        frozen: why the workspace takes no writes; None where it does.
        version: of the protocol that it speaks.
    """

    resume: ResumePoint = ResumePoint()
    pending: Mapping[str, str] = field(default_factory=dict)
    role: Role = "owner"
    frozen: str | None = None
    version: int = 1


class Room:
    """The pages of one workspace.

    Attributes:
        shared: what all of them are sent from.
        gossip: presence between workers.
        connections: the connections by member.
    """

    def __init__(
        self, welcome: WelcomeBase, instance: InstanceId, replica: Replica, max_bytes: int = MAX_BYTES
    ) -> None:
        """Open it; `welcome`: the members of every `welcome` message that are the same for all."""
        roster = MemberRoster()
        self.shared = SharedState(CommitBuffer(replica, max_bytes), roster, CursorUpdates(roster))
        self.gossip = PresenceGossip(instance, roster)
        self.connections: dict[MemberId, ConnectionState] = {}
        self._welcome = welcome
        self._ticked_at = self._moves_released_at = float("-inf")
        self._roster_ticked = 0
        self._has_news = False

    # -- events ------------------------------------------------------------------------------------------------------

    def join(self, connection: ConnectionState, join: Join, now: float, now_ms: int) -> None:
        """A page has opened; its first frame is ready at once."""
        commits, roster, resume = self.shared.commits, self.shared.roster, join.resume
        connection.framed_at = now
        connection.state_reason = resume.state_reason
        for txid, write_id in join.pending.items():
            connection.writes.add(txid, write_id, is_new=False)
        if resume.position is not None:
            last = resume.missed[-1] if resume.missed else None
            at = resume.position if last is None else Head(resume.position.epoch, last.revision, last.chain)
            connection.position, connection.state_reason = at, commits.state_reason(at)
        is_resumed = connection.state_reason is None
        roster.join(connection.member, connection.actor, now_ms)
        me = {**connection.actor.to_json(), "color": roster.color_of(connection.actor.id)}
        connection.version = join.version
        own = {
            "v": join.version,
            "member": connection.member,
            "me": me,
            "role": join.role,
            "resumed": is_resumed,
            "frozen": join.frozen,
        }
        connection.prelude.append(encode({"t": "welcome", **self._welcome, **own}))
        if is_resumed:
            connection.prelude += connection.writes.announce(resume.missed)
        self.connections[connection.member] = connection

    def leave(self, connection: ConnectionState) -> None:
        """A page is gone."""
        if self.connections.pop(connection.member, None) is not None:
            self.shared.roster.leave(connection.member)

    def handle(self, connection: ConnectionState, message: ClientMessage) -> bool:
        """A page has sent something other than a write; return whether there is a frame for it at once."""
        match message:
            case Presence():
                self.shared.roster.move(connection.member, message.state.model_dump(exclude_none=True))
                return False
            case Ping():
                connection.send([encode({"t": "pong", "n": message.n})])
            case Watch():
                self.watch(connection, RunId(message.run), message.after)
            case Unwatch():
                connection.watched.pop(RunId(message.run), None)
                return False
            case Resync():
                connection.state_reason = connection.state_reason or "asked"
            case _:
                raise TypeError(f"{message.t} is not for the room")
        return True

    def watch(self, connection: ConnectionState, run: RunId, after: str) -> None:
        """A page wants the events of a run that follow the one with an id."""
        self.drop_unwatched()
        if len(connection.watched) >= _MAX_WATCHED and run not in connection.watched:
            detail = f"A page watches at most {_MAX_WATCHED} runs; unwatch one."
            connection.send([run_gone(run, DraftsmithError("busy", detail))])
            return
        self.shared.feeds.setdefault(run, RunFeed(run))
        connection.watched[run] = event_position(after)

    def drop_unwatched(self) -> None:
        """Drop the feeds that no page watches any more."""
        watched = {run for connection in self.connections.values() for run in connection.watched}
        for run in self.shared.feeds.keys() - watched:
            del self.shared.feeds[run]

    def workspace_moved(self, replica: Replica | None) -> None:
        """The writer's replica has moved, was loaded again, or (None) was dropped."""
        commits, connections = self.shared.commits, self.connections.values()
        is_loaded_again = replica is not None and replica is not commits.replica
        change = commits.follow(replica)
        if is_loaded_again:
            for connection in connections:
                is_rejected = connection.send(connection.writes.reject_after(commits.head.revision))
                self._has_news = self._has_news or is_rejected
        if change == "unchanged":
            can_send_state = replica is not None and any(connection.state_reason for connection in connections)
            self._has_news = self._has_news or can_send_state
            return
        self._has_news = True
        if change == "restarted":
            for connection in connections:
                connection.state_reason = connection.state_reason or commits.state_reason(connection.position)

    def runs_changed(self, runs: Sequence[Json], proposals: Sequence[Json], *, is_announced: bool = False) -> bool:
        """Runs and open proposals as they are now; return whether something has changed.

        `is_announced`: another worker has said so, and need not be told.
        """
        changed = [self.shared.runs.put(runs), self.shared.proposals.put(proposals)]
        if any(changed):
            self._has_news = True
            if not is_announced:
                self.gossip.announce_runs()
        return any(changed)

    def store_changed(self, *, is_ok: bool, reason: str = "", risks: Sequence[Json] = ()) -> bool:
        """Whether commits can be made durable now, why not, and what the store may lose; return whether it changed."""
        changed = self.shared.store.put(is_ok, reason, risks)
        self._has_news = self._has_news or changed
        return changed

    def feed_changed(self) -> None:
        """A run that is watched has a new event, or has ended."""
        self._has_news = True

    def close(self, reason: CloseReason) -> None:
        """Disconnect everybody; where they may reconnect, at different moments."""
        for number, connection in enumerate(self.connections.values()):
            again = reason.again_ms
            if again is not None:
                again += number * _RECONNECT_APART_MS % _RECONNECT_SPREAD_MS
            connection.close(replace(reason, again_ms=again))

    def rename(self, actor: Actor, now_ms: int) -> None:
        """A person has a new name."""
        for connection in self.connections.values():
            if connection.actor.id == actor.id:
                connection.actor = actor
        self.shared.roster.rename(actor, now_ms)

    # -- what to do next ---------------------------------------------------------------------------------------------

    def next_tick(self, now: float) -> float | None:
        """Seconds until `tick` is to be called; None if there is nothing to send."""
        times: list[float] = []
        if self._has_news or self.shared.roster.version != self._roster_ticked:
            times.append(self._ticked_at + _tick_apart_s(len(self.connections)))
        if self.shared.cursors.is_due:
            times.append(self._moves_released_at + _moves_apart_s(len(self.connections)))
        return max(0.0, min(times) - now) if times else None

    def tick(self, now: float) -> list[ConnectionState]:
        """Release what has happened; return the connections for which there is a frame."""
        self._ticked_at, self._roster_ticked, self._has_news = now, self.shared.roster.version, False
        if self.shared.cursors.is_due and now >= self._moves_released_at + _moves_apart_s(len(self.connections)):
            self._moves_released_at = now
            self.shared.cursors.release()
        connections, commits = self.connections.values(), self.shared.commits
        positions = [connection.position.revision for connection in connections if connection.state_reason is None]
        commits.trim(min(positions, default=commits.head.revision))
        return [connection for connection in connections if connection.has_news()]

    def heartbeat(self, now: float) -> list[ConnectionState]:
        """Drop silent workers; return the connections that were sent nothing for long and are due an empty frame."""
        self.gossip.drop_silent(now)
        self.drop_unwatched()
        due = [connection for connection in self.connections.values() if now - connection.framed_at >= KEEPALIVE_S]
        for connection in due:
            connection.is_keepalive_due = True
        return due

    def frame(self, connection: ConnectionState, now: float) -> str | None:
        """Build the next frame of a connection; None if there is nothing for it, or not yet."""
        commits = self.shared.commits
        if connection.state_reason is None and not commits.reaches(connection.position.revision):
            connection.state_reason = "behind"
        if connection.state_reason is not None:
            self.workspace_moved(commits.replica)  # it may be ahead: the writer tells of several commits at once
        return connection.build_frame(now)


def _tick_apart_s(pages: int) -> float:
    """Seconds between two ticks."""
    return min(TICK_S, _TICK_S_PER_PAGE * pages)


def _moves_apart_s(pages: int) -> float:
    """Seconds between two releases of moves."""
    return max(TICK_S, _MOVES_S_PER_PAGE * pages)
