"""The newest commits of a log, encoded once for all pages; and the whole state, for pages that need more than these.

It follows the replica of the workspace's writer and detects when that has become another history. Not here: which page
has received what (`connection_state`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Final, Literal

import orjson

from draftsmith.collab.commit_message import CommitMessage, commit_message
from draftsmith.collab.protocol import encode, frame
from draftsmith.collab.typed_commits import TypedCommits
from draftsmith.history.commit import Entry, Head, chain_hash
from draftsmith.history.replica import TAIL, Replica
from draftsmith.model.workspace import dump

MAX_BYTES: Final = 4 * 1024 * 1024
_KEPT_BYTES: Final = 256 * 1024  # of commits that all pages have received, for pages that reconnect

StateReason = Literal["fresh", "trimmed", "diverged", "behind", "asked"]
"""Why a page is sent the whole state; docs/protocol.md, `state`."""


class CommitBuffer:
    """The newest commits of one workspace.

    Attributes:
        head: where the log ends, as far as it has been followed.
        replica: what is followed; None while there is none. It may be ahead of `head` for a moment.
        typed: the templates of typed commits.
    """

    def __init__(self, replica: Replica, max_bytes: int = MAX_BYTES) -> None:
        """Start at the replica's head; keep at most as many commits as the replica does, and at most `max_bytes`."""
        self.head = replica.head
        self.replica: Replica | None = replica
        self.typed = TypedCommits()
        self._max_bytes = max_bytes
        self._tail: deque[CommitMessage] = deque()
        self._bytes = 0
        self._joined: dict[tuple[int, bool], bytes] = {}
        self._frames: dict[tuple[int, bool], str] = {}
        self._content: bytes | None = None

    def follow(self, replica: Replica | None) -> Literal["unchanged", "advanced", "restarted"]:
        """Take the replica as it is now, None while there is none; say whether the log advanced or is another one."""
        known, self.replica = self.replica, replica
        if replica is None or (replica is known and replica.head == self.head):
            return "unchanged"
        self._content = None
        count = replica.head.revision - self.head.revision
        continues = replica is known or is_on_line(replica, self.head)
        before, self.head = self.head, replica.head
        if not continues or not 0 <= count <= len(replica.tail):
            self._clear()
            return "restarted" if replica.head != before else "unchanged"
        self._clear_caches()
        for entry in _newest(replica, count):
            if self.typed.is_full:
                self._forget_templates()
            self._append(commit_message(entry, self.typed), replica.tail.maxlen or TAIL)
        return "advanced" if count else "unchanged"

    def _forget_templates(self) -> None:
        """Begin with new templates; the commits here have none any more."""
        self.typed.forget()
        for message in self._tail:
            message.typed = None

    def _append(self, message: CommitMessage, max_count: int) -> None:
        self._tail.append(message)
        self._bytes += len(message.commit)
        while self._bytes > self._max_bytes or len(self._tail) > max_count:
            self._bytes -= len(self._tail.popleft().commit)

    def _clear(self) -> None:
        self._tail.clear()
        self._bytes = 0
        self._clear_caches()

    def _clear_caches(self) -> None:
        self._joined.clear()
        self._frames.clear()

    def trim(self, revision: int) -> None:
        """Drop old commits up to a revision that all pages have received; the newest 256 KiB stay."""
        while self._bytes > _KEPT_BYTES and self._tail[0].revision <= revision:
            self._bytes -= len(self._tail.popleft().commit)

    def state_reason(self, position: Head) -> StateReason | None:
        """Why a page at a position needs the whole state; None if the commits here continue from there."""
        if position == self.head:
            return None
        if position.epoch != self.head.epoch or position.revision > self.head.revision:
            return "diverged"
        commit = self.at(position.revision)
        if commit is not None:
            is_same: bool | None = commit.chain == position.chain
        else:
            is_same = None if self.replica is None else is_on_line(self.replica, position)
        if is_same is False:
            return "diverged"
        return None if is_same and self.reaches(position.revision) else "behind"

    def reaches(self, revision: int) -> bool:
        """Whether all commits after a revision are here."""
        return revision == self.head.revision or bool(self._tail and self._tail[0].revision <= revision + 1)

    def at(self, revision: int) -> CommitMessage | None:
        """The commit of a revision, if it is here."""
        index = revision - self._tail[0].revision if self._tail else -1
        return self._tail[index] if 0 <= index < len(self._tail) else None

    def contains(self, txid: str, revision: int) -> bool:
        """Whether a transaction is known to be the commit of a revision."""
        commit = self.at(revision)
        if commit is not None or self.replica is None:
            return commit is not None and commit.txid == txid
        index = revision - self.replica.tail[0].revision if self.replica.tail else -1
        return 0 <= index < len(self.replica.tail) and self.replica.tail[index].txid == txid

    def commits_after(self, revision: int) -> list[CommitMessage]:
        """The commits after a revision, oldest first, where the buffer `reaches` it; none beyond `head`."""
        newest = list(islice(reversed(self._tail), max(0, self.head.revision - revision)))
        newest.reverse()
        return newest

    def joined_after(self, revision: int, *, is_typed: bool) -> bytes:
        """The same as encoded messages, separated by commas; `is_typed`: as typed commits, where they are."""
        key = (revision, is_typed)
        if key not in self._joined:
            self._joined[key] = b",".join(commit.form(is_typed=is_typed) for commit in self.commits_after(revision))
        return self._joined[key]

    def frame_after(self, revision: int, *, is_typed: bool) -> str:
        """The same as a frame; built once for all pages at this revision."""
        key = (revision, is_typed)
        if key not in self._frames:
            self._frames[key] = frame([self.joined_after(revision, is_typed=is_typed)])
        return self._frames[key]

    def state(self, why: StateReason) -> bytes:
        """The encoded `state` message; only while there is a replica, and after it has been followed."""
        assert self.replica is not None
        assert self.replica.head == self.head
        if self._content is None:
            self._content = orjson.dumps(dump(self.replica.workspace))
        facts = {"t": "state", "epoch": self.head.epoch, "rev": self.head.revision, "h": self.head.chain, "why": why}
        return encode(facts)[:-1] + b',"workspace":' + self._content + b"}"


def is_on_line(replica: Replica, position: Head) -> bool | None:
    """Whether a position is part of a replica's history; None if the replica's tail does not reach back so far."""
    head, tail = replica.head, replica.tail
    if position.epoch != head.epoch or position.revision > head.revision:
        return False
    if position.revision == head.revision:
        return position == head
    if not tail or tail[0].revision > position.revision + 1:
        return None
    if tail[0].revision == position.revision + 1:
        return chain_hash(position.chain, tail[0]) == tail[0].chain
    return tail[position.revision - tail[0].revision].chain == position.chain


def _newest(replica: Replica, count: int) -> Sequence[Entry]:
    newest = list(islice(reversed(replica.tail), count))
    newest.reverse()
    return newest
