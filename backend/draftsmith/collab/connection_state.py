"""One page's connection without I/O: what the page has been sent, and the next frame for it.

There is no queue of frames: a connection has a position in the log and versions of everything else, and a frame
contains what is newer (ADR 0010). A slow page therefore gets fewer and larger frames; one whose next commits are no
longer buffered gets the whole state.

A frame contains, in this order: welcome, commits (each of the page's own after its `committed`) or the state, messages
for this page only, roster, presence, events of runs, runs, proposals, the store's status, bye. Not here: when frames
are due (`room`), sockets (`usecases.live.connection`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from draftsmith.collab.commit_buffer import StateReason
from draftsmith.collab.gossip_message import MemberId
from draftsmith.collab.pending_writes import PendingWrites
from draftsmith.collab.protocol import CloseReason, close_reason, encode, frame
from draftsmith.collab.run_feeds import EventPosition
from draftsmith.collab.shared_state import SharedState
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import RunId

MAX_OUTBOX: Final = 4_096
MAX_OUTBOX_BYTES: Final = 4 * 1024 * 1024


class ConnectionState:
    """One connection.

    Attributes:
        member: its id in the roster.
        version: of the protocol that the page speaks.
        actor: who it is.
        position: the end of the log as the page knows it.
        state_reason: why the page is sent the whole state next; None if it is not.
        prelude: encoded messages that go before all others.
        templates_seen: how many templates of typed commits it was sent.
        watched: the runs whose events it watches, each with the position of the last event sent.
        seen: the versions of the roster and the latest values that were sent, by name.
        seen_version: `SharedState.version` when they were sent; -1 before the first frame.
        moves_seen: the number of the last move that was sent.
        close_reason: why the connection is to be closed; None while it is not.
        is_closed: whether the page has been told so.
        framed_at: when its last frame was built.
        is_keepalive_due: whether it was sent nothing for so long that an empty frame is due.
    """

    def __init__(self, member: MemberId, actor: Actor, shared: SharedState) -> None:
        self.member, self.actor = member, actor
        self.version = 1
        self.templates_seen = 0
        self.position = shared.commits.head
        self.state_reason: StateReason | None = "fresh"
        self.prelude: list[bytes] = []
        self.writes = PendingWrites()
        self.watched: dict[RunId, EventPosition] = {}
        self.seen = {name: value.version if value.is_default else -1 for name, value in shared.latest.items()}
        self.seen_version = -1
        self.moves_seen = 0
        self.close_reason: CloseReason | None = None
        self.is_closed = False
        self.framed_at = 0.0
        self.is_keepalive_due = False
        self._shared = shared
        self._outbox: list[bytes] = []
        self._outbox_bytes = 0

    def wake(self) -> None:
        """Called when there may be a frame; whoever waits for frames overrides it."""

    # -- what is for this page only ----------------------------------------------------------------------------------

    def send(self, messages: Sequence[bytes]) -> bool:
        """Put encoded messages into the next frame; return whether there are any.

        A page that sends and never reads is disconnected.
        """
        self._outbox += messages
        self._outbox_bytes += sum(map(len, messages))
        if len(self._outbox) > MAX_OUTBOX or self._outbox_bytes > MAX_OUTBOX_BYTES:
            detail = "Thousands of answers wait to be read; this page sends and never reads."
            self.close(close_reason("invalid_message", detail))
        return bool(messages)

    def close(self, reason: CloseReason) -> None:
        """Have the connection closed after the next frame; the first reason counts."""
        self.close_reason = self.close_reason or reason

    def write_sent(self, txid: str, write_id: str) -> None:
        """The page writes; it may be a repeat of a commit that the page is about to be sent."""
        commits, start = self._shared.commits, self.position.revision
        is_known = commits.reaches(start) and any(commit.txid == txid for commit in commits.commits_after(start))
        self.writes.add(txid, write_id, is_new=not is_known)

    def write_answered(self, txid: str, answer: Mapping[str, Any]) -> bool:
        """The writer has answered; return whether there is a message to send at once.

        An answer whose commit the page has yet to receive is deferred until then.
        """
        revision = answer["revision"]
        is_after = revision > self.position.revision
        is_deferred = is_after and (answer["changed"] or self._shared.commits.contains(txid, revision))
        return self.send(self.writes.answer(txid, answer, is_deferred=is_deferred))

    def write_refused(self, txid: str, error: DraftsmithError) -> bool:
        """The writer has refused; return whether there is a message to send."""
        return self.send(self.writes.refuse(txid, error))

    def another_refused(self, txid: str, write_id: str, error: DraftsmithError) -> bool:
        """Refuse a second write under the id of one that waits; return whether there is a message to send."""
        return self.send(self.writes.refuse_another(txid, write_id, error))

    # -- frames ------------------------------------------------------------------------------------------------------

    def has_news(self) -> bool:
        """Whether there is something that may be sent now."""
        return (
            self.position.revision < self._shared.commits.head.revision
            or self.state_reason is not None
            or bool(self._outbox or self.prelude or self.close_reason)
            or self.moves_seen < self._shared.cursors.released
            or self.seen_version != self._shared.version
            or bool(
                self.watched
                and any(self._shared.feeds[run].has_more(position) for run, position in self.watched.items())
            )
        )

    def build_frame(self, now: float) -> str | None:
        """Everything that the page has not been sent, as one frame; None if there is nothing, or not yet."""
        must_wait = self.state_reason is not None and self._shared.commits.replica is None
        if self.is_closed or (must_wait and self.close_reason is None):
            return None
        text = self._commits_frame() if self._needs_commits_only() else self._own_frame(must_wait=must_wait)
        if text is not None:
            self.framed_at, self.is_keepalive_due = now, False
        return text

    def _needs_commits_only(self) -> bool:
        own = self.state_reason or self.prelude or self._outbox or self.writes or self.watched
        others = self.close_reason or self.is_keepalive_due or self.moves_seen < self._shared.cursors.released
        return not (own or others or self._lacks_templates()) and self.seen_version == self._shared.version

    @property
    def _takes_typed(self) -> bool:
        return self.version > 1

    def _lacks_templates(self) -> bool:
        return self._takes_typed and self.templates_seen != self._shared.commits.typed.count

    def _commits_frame(self) -> str | None:
        """A frame of commits alone, built once for all connections at the same position."""
        start, commits = self.position.revision, self._shared.commits
        if start == commits.head.revision:
            return None
        self.position = commits.head
        return commits.frame_after(start, is_typed=self._takes_typed)

    def _own_frame(self, *, must_wait: bool) -> str | None:
        parts, self.prelude = self.prelude, []
        if not must_wait:
            parts += self._commits_or_state()
        parts += self._outbox
        self._outbox, self._outbox_bytes = [], 0
        parts += self._roster_and_moves()
        if self.watched:
            parts += self._run_events()
        self.seen_version = self._shared.version
        for name, value in self._shared.latest.items():
            if self.seen[name] != value.version:
                self.seen[name] = value.version
                parts.append(value.message(self.actor.id))
        if self.close_reason is not None:
            parts.append(encode(self.close_reason.bye()))
            self.is_closed = True
        return frame(parts) if parts or self.is_keepalive_due else None

    def _commits_or_state(self) -> list[bytes]:
        commits, start, reason = self._shared.commits, self.position.revision, self.state_reason
        self.position, self.state_reason = commits.head, None
        messages: list[bytes] = []
        if reason is not None:
            self._shared.resyncs += reason != "fresh"
            messages.append(commits.state(reason))
        elif start != commits.head.revision:
            messages += self._templates()
            is_typed = self._takes_typed
            if self.writes:
                messages += self.writes.announce(commits.commits_after(start), is_typed=is_typed)
            else:
                messages.append(commits.joined_after(start, is_typed=is_typed))
        if self.writes:
            messages += self.writes.settle(commits.head.revision, commits.contains)
        return messages

    def _templates(self) -> list[bytes]:
        """The templates that the page lacks."""
        if not self._lacks_templates():
            return []
        known, typed = self.templates_seen, self._shared.commits.typed
        self.templates_seen = typed.count
        return [typed.message(known)]

    def _roster_and_moves(self) -> list[bytes]:
        roster, messages = self._shared.roster, []
        if self.seen.get("roster") != roster.version:
            self.seen["roster"], self.moves_seen = roster.version, roster.moves
            messages.append(roster.message())
        if self.moves_seen < self._shared.cursors.released:
            moves, self.moves_seen = self._shared.cursors.since(self.moves_seen, but=self.member)
            messages += moves
        return messages

    def _run_events(self) -> list[bytes]:
        messages: list[bytes] = []
        for run, position in list(self.watched.items()):
            more, end = self._shared.feeds[run].messages_after(position)
            messages += more
            if end is None:
                del self.watched[run]
            else:
                self.watched[run] = end
        return messages
