"""Typed commits: few bytes, and each stands for exactly the `commit` that pages of version 1 are sent."""

from __future__ import annotations

from typing import Any

import orjson
from pydantic import TypeAdapter

from draftsmith.collab.connection_state import ConnectionState
from draftsmith.collab.room import Join, Room
from draftsmith.collab.server_messages import ServerMessage, TypedCommit
from draftsmith.collab.typed_commits import MAX_TEMPLATES
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Draft, chain_hash, entry_of
from draftsmith.history.record import Record
from draftsmith.model.document import units
from draftsmith.transform.steps.changeset import of_parts
from draftsmith.transform.steps.text import edit_of
from tests.room_pages import ANN, BOB, RenameLog, room_of

_FRAME: TypeAdapter[Any] = TypeAdapter(list[ServerMessage | TypedCommit])
Json = dict[str, Any]


class TypingLog(RenameLog):
    """A log to which people type, too."""

    def type(self, who: Actor, what: str = "Typed in the document", inserted: str = "x") -> str:
        """Somebody types at the end; the transaction id."""
        text = self.replica.workspace.document.text
        parts = [(units(text), None), (0, inserted)] if text else [(0, inserted)]
        body = Record([edit_of(text, of_parts(parts))], what, source="page").encode()
        head = self.replica.head
        draft = Draft(f"typed-{head.revision}", "f", who.to_text(), "", "text", "", body)
        entry = entry_of(draft, head.revision + 1, chain_hash(head.chain, draft), 1_800_000_000_000)
        self.entries.append(entry)
        self.replica.advance(entry)
        return draft.txid


class Page:
    """A page of either version; `commits`: those it was sent, spelled out."""

    def __init__(self, room: Room, member: str, version: int, actor: Actor = ANN) -> None:
        self._room, self.connection = room, ConnectionState(member, actor, room.shared)
        self._templates: list[Json] = []
        self.commits: list[Json] = []
        self.kinds: list[str] = []
        self.size = 0
        room.join(self.connection, Join(version=version), 0.0, 0)
        self.take()

    def take(self) -> None:
        """Take the next frame."""
        text = self._room.frame(self.connection, 0.0) or "[]"
        messages = orjson.loads(text)
        _FRAME.validate_python([one for one in messages if isinstance(one, list) or one["t"] != "welcome"])
        self.size = len(text)
        self.kinds = []
        for message in messages:
            self.kinds.append("typed" if isinstance(message, list) else message["t"])
            if isinstance(message, list):
                rev, h, at_ms, number, changes, deleted = message
                own = {"rev": rev, "h": h, "at_ms": at_ms, "steps": [{"k": "text", "c": changes, "d": deleted}]}
                self.commits.append({**self._templates[number], **own})
            elif message["t"] == "templates":
                self._templates[message["start"] :] = message["templates"]
            elif message["t"] == "commit":
                self.commits.append(message)


def test_a_typed_commit_stands_for_the_commit() -> None:
    """The same for pages of both versions, whoever types, renames between, and comes later; a template comes once."""
    log = TypingLog()
    room = room_of(log)
    old, new = Page(room, "m1", 1), Page(room, "m2", 2)
    later: list[Page] = []
    for number in range(20):
        log.type((ANN, BOB)[number % 2], inserted='line\n"é🚀"')
        if number % 7 == 3:
            log.commit()
            later.append(Page(room, f"late{number}", 2))
        room.workspace_moved(log.replica)
        for page in (old, new, *later):
            page.take()
        assert ("templates" in new.kinds) == (number < 2)
    assert len(old.commits) == log.replica.head.revision
    assert new.commits == old.commits
    for page in later:
        assert page.commits == old.commits[-len(page.commits) :]


def test_a_keystroke_of_another_takes_less_than_a_hundred_bytes() -> None:
    log = TypingLog()
    log.type(BOB, inserted="w" * 12_000)
    room = room_of(log)
    page = Page(room, "m1", 2)
    for _ in range(2):
        log.type(BOB, "Typed in “A section with rather a long title”")
        room.workspace_moved(log.replica)
        page.take()
    assert page.kinds == ["typed"]
    assert page.size < 100


def test_ones_own_is_announced_directly_before_it() -> None:
    """A template that it needs comes before both."""
    log = TypingLog()
    room = room_of(log)
    page = Page(room, "m1", 2)
    page.connection.write_sent(log.type(ANN), "write-0001")
    room.workspace_moved(log.replica)
    page.take()
    assert page.kinds == ["templates", "committed", "typed"]


def test_templates_do_not_grow_for_ever() -> None:
    """When they are forgotten, pages that lag behind, and those that come, are told the same as ever."""
    log = TypingLog()
    room = room_of(log)
    old, quick, slow = Page(room, "m1", 1), Page(room, "m2", 2), Page(room, "m3", 2)
    for number in range(3 * MAX_TEMPLATES + 5):
        log.type(ANN, f"Typed in “Part {number}”")
        room.workspace_moved(log.replica)
        for page in (old, quick, *([slow] if number % 50 == 49 else [])):
            page.take()
    slow.take()
    newcomer = Page(room, "m4", 2)
    log.type(ANN, "Typed in “Part 0”")
    room.workspace_moved(log.replica)
    for page in (old, quick, slow, newcomer):
        page.take()
        assert page.commits == old.commits[-len(page.commits) :]
    assert len(slow.commits) == len(quick.commits) == len(old.commits)
    assert len(newcomer.commits) == 1
