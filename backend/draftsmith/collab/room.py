"""A room: everybody who has one workspace open on this worker, and what each of them is told next.

Sans I/O: time and ids are passed in. There are no queues of frames. Each page has a place in the log; when it is ready
it takes one frame that holds everything from there to the head, so who reads slowly gets larger frames and costs
nothing, and who is too far behind gets the whole state. Commits are encoded once for all pages, and so are frames that
hold nothing else. News goes out at once in a quiet room, in a busy one a few dozen times a second. Not here: the log
(`recent`), a page's own answers (`listener`), and waiting, sockets and the store (`usecases.live`).

A frame holds, in this order: welcome, commits (each of the page's own after its `committed`) or the state, what is for
this page alone, roster, presence, events of runs, runs, proposals, the store's state, bye.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from draftsmith.collab.boards import Board, Light
from draftsmith.collab.feeds import Feed, place_of
from draftsmith.collab.listener import Listener
from draftsmith.collab.moves import Moves
from draftsmith.collab.protocol import Ending, encode, frame
from draftsmith.collab.recent import BEHIND_BYTES, Lack, Recent
from draftsmith.collab.roster import Roster
from draftsmith.collab.server_messages import Role
from draftsmith.collab.told import Told
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica
from draftsmith.model.ids import RunId

TICK_S: Final = 0.025
SIGN_S: Final = 20.0
"""A page that was told nothing for so long is sent an empty frame."""
_APART_MS, _SPREAD_MS = 37, 3_000  # how those who are sent away come back
_MOVES_PER_PAGE_S: Final = 0.002  # everybody is told of everybody's moves, so a large room is told of them less often


class Room:
    """One workspace's room.

    Attributes:
        resyncs: how many whole states were sent to pages that had one already, for metrics.
    """

    def __init__(
        self, facts: Mapping[str, Any], roster: Roster, replica: Replica, kept_bytes: int = BEHIND_BYTES
    ) -> None:
        """Open it; `facts`: members of every `welcome` that are the same for all."""
        self.recent, self.roster = Recent(replica, kept_bytes), roster
        self.runs, self.proposals, self.store = Board("runs"), Board("proposals"), Light()
        self.feeds: dict[RunId, Feed] = {}
        self.listeners: dict[str, Listener] = {}
        self.resyncs = 0
        self._facts = facts
        self._boards: dict[str, Board | Light] = {"runs": self.runs, "proposals": self.proposals, "store": self.store}
        self._frames: dict[int, str] = {}
        self._rosters: tuple[tuple[int, int], bytes] | None = None
        self._moves: dict[int, Moves] = {}
        self._flushed_at = self._moves_told_at = float("-inf")
        self._moves_told = self._roster_told = 0
        self._has_news = False

    # -- who is here -------------------------------------------------------------------------------------------------

    def sit(
        self,
        member: str,
        actor: Actor,
        place: Head | None,
        missed: Sequence[Told],
        pending: Mapping[str, str],
        now: float,
        now_ms: int,
        lack: Lack = "fresh",
        *,
        role: Role = "owner",
        frozen: str | None = None,
    ) -> Listener:
        """Somebody opens a page.

        Args:
            member: its name in the roster.
            actor: who it is.
            place: what it has; None where it is to be given the whole state, because of `lack`.
            missed: the commits that lead on from there; the room has those after them.
            pending: ids of what it wrote and has not heard of, by transaction id.
            role: what it may do here.
            frozen: why the workspace takes no writes; None where it does.
        """
        listener = Listener(member, actor, self.recent.head, lack, told_at=now)
        for txid, write_id in pending.items():
            listener.expect(txid, write_id, is_sent=False)
        if place is not None:
            last = Head(place.epoch, missed[-1].revision, missed[-1].chain) if missed else place
            listener.lacks, listener.position = self.recent.lack(last), last
        self.roster.join(member, actor, now_ms)
        listener.prelude.append(self._welcome(listener, role, frozen))
        if listener.lacks is None:
            listener.prelude += listener.announce(missed)
        for name, board in self._boards.items():
            listener.seen[name] = board.version if board.is_empty else -1
        self.listeners[member] = listener
        return listener

    def _welcome(self, listener: Listener, role: Role, frozen: str | None) -> bytes:
        me = {**listener.actor.to_json(), "color": self.roster.color_of(listener.actor.id)}
        mine = {"member": listener.member, "me": me, "role": role, "resumed": listener.lacks is None}
        return encode({"t": "welcome", **self._facts, **mine, "frozen": frozen})

    def leave(self, listener: Listener) -> None:
        """The page is gone."""
        if self.listeners.pop(listener.member, None) is not None:
            self.roster.leave(listener.member)

    def rename(self, actor: Actor, now_ms: int) -> None:
        """Somebody has another name now."""
        for listener in self.listeners.values():
            if listener.actor.id == actor.id:
                listener.actor = actor
        self.roster.rename(actor, now_ms)

    # -- what happens ------------------------------------------------------------------------------------------------

    def follow(self, replica: Replica | None) -> None:
        """The memory of the workspace has moved, was loaded anew, or (None) was dropped."""
        is_anew = replica is not None and replica is not self.recent.replica
        went = self.recent.follow(replica)
        if is_anew:
            for listener in self.listeners.values():
                self._has_news = listener.lose_beyond(self.recent.head.revision) or self._has_news
        if not went:
            is_back = replica is not None and any(listener.lacks for listener in self.listeners.values())
            self._has_news = self._has_news or is_back
            return
        self._frames.clear()
        self._has_news = True
        if went == "anew":
            for listener in self.listeners.values():
                listener.lacks = listener.lacks or self.recent.lack(listener.position)

    def expect(self, listener: Listener, txid: str, write_id: str) -> None:
        """A page writes; it may be a repeat of a commit that is about to come along."""
        known = self.recent.reaches(listener.position.revision) and any(
            one.txid == txid for one in self.recent.after(listener.position.revision)
        )
        listener.expect(txid, write_id, is_sent=not known)

    def is_coming(self, listener: Listener, txid: str, revision: int) -> bool:
        """Whether a commit is here that a page has not been told yet."""
        return revision > listener.position.revision and self.recent.holds(txid, revision)

    def notice(self) -> None:
        """A board or a feed has changed."""
        self._has_news = True

    def watch(self, listener: Listener, run: RunId, after: str) -> None:
        """A page wants the events of a run that come after one."""
        self.feeds.setdefault(run, Feed(run))
        listener.watched[run] = place_of(after)
        self._has_news = True

    def end(self, end: Ending) -> None:
        """Everybody has to go; where they may come back, not all of them at the same moment."""
        for number, listener in enumerate(self.listeners.values()):
            again = None if end.again_ms is None else end.again_ms + number * _APART_MS % _SPREAD_MS
            listener.end(replace(end, again_ms=again))

    # -- when it is told ---------------------------------------------------------------------------------------------

    def wait(self, now: float) -> float | None:
        """Seconds until something is to go out; None if there is nothing."""
        times: list[float] = []
        if self._has_news or self.roster.version != self._roster_told:
            times.append(self._flushed_at + TICK_S)
        if self.roster.moves > self._moves_told:
            times.append(self._moves_due_at)
        return max(0.0, min(times) - now) if times else None

    @property
    def _moves_due_at(self) -> float:
        return self._moves_told_at + max(TICK_S, _MOVES_PER_PAGE_S * len(self.listeners))

    def flush(self, now: float) -> list[Listener]:
        """The time has come: those for whom there is something."""
        self._flushed_at, self._roster_told, self._has_news = now, self.roster.version, False
        if self.roster.moves > self._moves_told and now >= self._moves_due_at:
            self._moves_told_at, self._moves_told = now, self.roster.moves
            self._moves.clear()
        places = [one.position.revision for one in self.listeners.values() if one.lacks is None]
        self.recent.forget(min(places, default=self.recent.head.revision))
        return [listener for listener in self.listeners.values() if self.has_news(listener)]

    def signs_due(self, now: float) -> Iterator[Listener]:
        """Those who have been told nothing for long, and are to hear that somebody is there."""
        for listener in self.listeners.values():
            if now - listener.told_at >= SIGN_S:
                listener.owes_sign = True
                yield listener

    def has_news(self, listener: Listener) -> bool:
        """Whether there is something for a page that may go out."""
        return (
            listener.position.revision < self.recent.head.revision
            or listener.lacks is not None
            or bool(listener.direct or listener.prelude or listener.ending)
            or listener.moves_seen < self._moves_told
            or self._has_new_board(listener)
            or any(self.feeds[run].has_more(seen) for run, seen in listener.watched.items())
        )

    def _has_new_board(self, listener: Listener) -> bool:
        seen = listener.seen
        return seen.get("roster") != self.roster.version or any(
            seen[name] != board.version for name, board in self._boards.items()
        )

    # -- what is told ------------------------------------------------------------------------------------------------

    def take(self, listener: Listener, now: float) -> str | None:
        """Everything there is for a page now, as one frame; None if there is nothing, or not yet."""
        must_wait = listener.lacks is not None and not self.recent.has_state
        if listener.has_ended or (must_wait and listener.ending is None):
            return None
        frame_ = self._shared(listener) if self._wants_commits_alone(listener) else self._own(listener, must_wait)
        if frame_ is not None:
            listener.told_at, listener.owes_sign = now, False
        return frame_

    def _wants_commits_alone(self, listener: Listener) -> bool:
        own = listener.lacks or listener.prelude or listener.direct or listener.expected or listener.watched
        others = listener.ending or listener.owes_sign or listener.moves_seen < self._moves_told
        return not own and not others and not self._has_new_board(listener)

    def _shared(self, listener: Listener) -> str | None:
        """A frame of commits alone, made once for everybody who stands at the same place."""
        start = listener.position.revision
        if start == self.recent.head.revision:
            return None
        if not self.recent.reaches(start):
            listener.lacks = "behind"
            return self._own(listener, must_wait=not self.recent.has_state)
        listener.position = self.recent.head
        if start not in self._frames:
            self._frames[start] = frame([self.recent.joined(start)])
        return self._frames[start]

    def _own(self, listener: Listener, must_wait: bool) -> str | None:
        if listener.lacks is None and not self.recent.reaches(listener.position.revision):
            listener.lacks = "behind"
            must_wait = not self.recent.has_state
        if must_wait and listener.ending is None:
            return None
        parts, listener.prelude = listener.prelude, []
        if not must_wait:
            parts += self._log(listener)
        parts += listener.taken()
        parts += self._roster(listener)
        parts += self._presence(listener)
        parts += self._events(listener)
        for name, board in self._boards.items():
            if listener.seen[name] != board.version:
                listener.seen[name] = board.version
                parts.append(board.message(listener.actor.id))
        if listener.ending is not None:
            parts.append(encode(listener.ending.bye()))
            listener.has_ended = True
        return frame(parts) if parts or listener.owes_sign else None

    def _log(self, listener: Listener) -> list[bytes]:
        """The commits that a page has not been told, or the whole state."""
        if listener.lacks is not None:
            self.follow(self.recent.replica)  # which tells of its moves only when it has made several
        start, why, head = listener.position.revision, listener.lacks, self.recent.head.revision
        listener.position, listener.lacks = self.recent.head, None
        if why is not None:
            self.resyncs += why != "fresh"
            said = [self.recent.state(why)]
        elif start == head:
            said = []
        else:
            said = listener.announce(self.recent.after(start)) if listener.expected else [self.recent.joined(start)]
        return said + listener.overtaken(head, self.recent.holds)

    def _roster(self, listener: Listener) -> list[bytes]:
        if listener.seen.get("roster") == self.roster.version:
            return []
        key = (self.roster.version, self.roster.moves)
        if self._rosters is None or self._rosters[0] != key:
            self._rosters = key, encode({"t": "roster", "members": self.roster.members()})
        listener.seen["roster"], listener.moves_seen = key
        return [self._rosters[1]]

    def _presence(self, listener: Listener) -> list[bytes]:
        """Where others have moved to since this page was told."""
        start = listener.moves_seen
        if start >= self._moves_told:
            return []
        if start not in self._moves:
            self._moves[start] = Moves(self.roster, start)
        moves = self._moves[start]
        listener.moves_seen = moves.upto
        return moves.message(but=listener.member)

    def _events(self, listener: Listener) -> list[bytes]:
        """What has happened in the runs that a page watches."""
        messages: list[bytes] = []
        for run, seen in list(listener.watched.items()):
            more, upto = self.feeds[run].after(seen)
            messages += more
            if upto is None:
                del listener.watched[run]
            else:
                listener.watched[run] = upto
        return messages

    def drop_unwatched(self) -> list[RunId]:
        """Let go of feeds that nobody watches any more; the runs that they were of."""
        watched = {run for listener in self.listeners.values() for run in listener.watched}
        unwatched = [run for run in self.feeds if run not in watched]
        for run in unwatched:
            del self.feeds[run]
        return unwatched
