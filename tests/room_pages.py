"""Rooms in tests without any I/O: a log that can lose its tail, and pages that check what they are sent."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import orjson

from draftsmith.collab.commit_buffer import MAX_BYTES
from draftsmith.collab.commit_message import RETRYABLE, commit_message
from draftsmith.collab.connection_state import ConnectionState
from draftsmith.collab.room import Join, ResumePoint, Room
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Draft, Entry, Head, chain_hash, entry_of
from draftsmith.history.record import Record
from draftsmith.history.replica import TAIL, Replica
from draftsmith.transform.steps.workspace import Rename

ANN, BOB, CLEO = (Actor(name.lower(), name, "person") for name in ("Ann", "Bob", "Cleo"))
EPOCH = "e1"


class RenameLog:
    """A log of renames, and the replica of it that a worker holds; `kept`: of how many commits."""

    def __init__(self, kept: int = TAIL) -> None:
        self.entries: list[Entry] = []
        self._count, self._kept = 0, kept
        self.replica = self.load()

    def commit(self, txid: str = "", *, size: int = 0, changes: bool = True) -> Entry:
        """Another commit; `size`: of its steps, about."""
        self._count += 1
        old = self.replica.workspace.name
        new = f"n{self._count}".ljust(size, "x") if changes else old
        body = Record([Rename("name", old, new)] if changes else [], "Renamed", results=[{"index": 0}]).encode()
        draft = Draft(txid or f"other-{self._count}", "f", ANN.to_text(), "ann", "edit", "", body)
        head = self.replica.head
        entry = entry_of(draft, head.revision + 1, chain_hash(head.chain, draft), 1)
        self.entries.append(entry)
        self.replica.advance(entry)
        return entry

    def load(self, epoch: str = EPOCH) -> Replica:
        """Load it anew."""
        self.replica = Replica(epoch)
        self.replica.tail = deque(maxlen=self._kept)
        for entry in self.entries:
            self.replica.advance(entry)
        return self.replica

    def lose(self, count: int) -> None:
        """A failover has lost its newest commits."""
        del self.entries[max(len(self.entries) - count, 0) :]
        self.load()

    def answer(self, entry: Entry) -> dict[str, Any]:
        """What the writer answers to the write that made a commit."""
        return {"revision": entry.revision, **_ANSWER}

    def nothing(self) -> dict[str, Any]:
        """What the writer answers to a write that had nothing to do."""
        return {"revision": self.replica.head.revision, **_ANSWER, "changed": False}


_ANSWER: dict[str, Any] = {
    "changed": True, "replayed": False, "kind": "edit", "results": [], "warnings": [], "left_out": [],
}  # fmt: skip


def room_of(log: RenameLog, max_bytes: int = MAX_BYTES) -> Room:
    """A room that is open."""
    return Room({"v": 1, "w": "w", "silence_s": 60, "limits": {}}, "instance", log.replica, max_bytes)


@dataclass
class RoomPage:
    """A page: takes frames when it likes, and checks each message against what it was sent before."""

    room: Room
    connection: ConnectionState
    rev: int = -1
    h: str = ""
    epoch: str = ""
    name: str = ""
    frames: list[list[dict[str, Any]]] = field(default_factory=list)
    answers: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def take(self, now: float = 0.0) -> list[dict[str, Any]]:
        """Take the next frame, if there is one."""
        text = self.room.frame(self.connection, now)
        if text is None:
            return []
        messages: list[dict[str, Any]] = orjson.loads(text)
        self.frames.append(messages)
        for index, message in enumerate(messages):
            following = messages[index + 1] if index + 1 < len(messages) else {"t": ""}
            self._check(message, following)
        return messages

    def _check(self, message: dict[str, Any], following: dict[str, Any]) -> None:
        match message["t"]:
            case "state":
                self.rev, self.h, self.epoch = message["rev"], message["h"], message["epoch"]
                self.name = message["workspace"]["name"]
            case "commit":
                assert message["rev"] == self.rev + 1, f"commit {message['rev']} after {self.rev}"
                for step in message["steps"]:
                    assert step["v"][0] == self.name, "the commit does not follow what the page has"
                    self.name = step["v"][1]
                self.rev, self.h = message["rev"], message["h"]
            case "committed":
                self.answers.setdefault(message["id"], []).append(message)
                is_next = following["t"] == "commit" and following["rev"] == message["rev"]
                assert not message["changed"] or is_next or message["rev"] <= self.rev
            case "rejected":
                self.answers.setdefault(message["id"], []).append(message)
                assert message["retry"] == (message["code"] in RETRYABLE)
            case _:
                pass

    def final(self, write_id: str) -> list[dict[str, Any]]:
        """The answers to a write after which it is not sent again."""
        return [one for one in self.answers.get(write_id, []) if one["t"] == "committed" or not one["retry"]]

    @property
    def position(self) -> Head:
        """What it has, for its next hello."""
        return Head(self.epoch, self.rev, self.h)


def join(
    room: Room, member: str, actor: Actor = ANN, position: Head | None = None, missed: list[Entry] | None = None,
    pending: dict[str, str] | None = None, now: float = 0.0, **more: Any,
) -> RoomPage:  # fmt: skip
    """Open a page; `more`: its role, and why the workspace is frozen."""
    connection = ConnectionState(member, actor, room.shared)
    resume = ResumePoint(position, [commit_message(entry) for entry in missed or []])
    room.join(connection, Join(resume, pending or {}, **more), now, int(now * 1000))
    return RoomPage(room, connection)


def rejoin(
    room: Room, member: str, before: RoomPage, log: RenameLog, pending: dict[str, str] | None = None
) -> RoomPage:
    """Open a page that continues from another, with what it has missed."""
    missed = log.entries[before.rev :]
    page = join(room, member, before.connection.actor, before.position, missed, pending)
    page.rev, page.h, page.epoch, page.name = before.rev, before.h, before.epoch, before.name
    return page
