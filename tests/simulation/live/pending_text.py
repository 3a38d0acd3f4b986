"""A writer's own text on its way: at most one push that has been sent, and what was typed since.

The writer sees the server's text, then the push in flight, then what waits. What others do to the text is mapped under
both (`take`). A push goes out as it was made, with the revision it speaks of, and is sent again in the same words, so
that the server knows it by its id.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from draftsmith.model.document import units
from draftsmith.transform.steps.changeset import ChangeSet, of_parts
from draftsmith.transform.steps.rebase import map_changes


@dataclass
class Push:
    """Typed text that has been sent.

    Attributes:
        message: exactly what was sent.
        made: the changes for the text at `message["base"]`.
        now: the same for the server's text of now; None once the writer's text was given up for a whole state.
        void_at: the revision at which it came to nothing, which may not have been told yet.
    """

    message: dict[str, Any]
    made: ChangeSet
    now: ChangeSet | None
    void_at: int | None = None


class PendingText:
    """The text as its writer sees it, over the server's."""

    def __init__(self) -> None:
        self.flying: Push | None = None
        self.waiting: ChangeSet | None = None

    def seen(self, base: str) -> str:
        """The writer's text over the server's."""
        if self.flying is not None and self.flying.now is not None:
            base = self.flying.now.apply(base)
        return self.waiting.apply(base) if self.waiting is not None else base

    def type(self, changes: ChangeSet) -> None:
        """The writer has changed the text that it sees."""
        self.waiting = changes if self.waiting is None else self.waiting.compose(changes)

    def take(self, theirs: ChangeSet) -> None:
        """Somebody else has changed the server's text."""
        flying = self.flying
        if flying is not None and flying.now is not None:
            over = map_changes(theirs, flying.now, before=True)
            flying.now, theirs = map_changes(flying.now, theirs), over
        if self.waiting is not None:
            self.waiting = map_changes(self.waiting, theirs)

    def push(self, message: dict[str, Any]) -> Push | None:
        """Make what waits the push in flight; None if there is nothing, or one is in flight already."""
        waiting = self.waiting
        if waiting is None or self.flying is not None:
            return None
        self.waiting = None
        if waiting.is_empty:
            return None
        self.flying = Push({**message, "changes": waiting.to_json()}, waiting, waiting)
        return self.flying

    def land(self) -> Push | None:
        """The push in flight has become part of the server's text, or changed nothing."""
        flying, self.flying = self.flying, None
        return flying

    def detach(self) -> ChangeSet | None:
        """The server's text has been replaced as a whole; what was typed and not sent, which does not fit any more."""
        waiting, self.waiting = self.waiting, None
        if self.flying is not None:
            self.flying.now = None
        return waiting


def replacing(text: str, start: int, end: int, inserted: str) -> ChangeSet:
    """The changes that put `inserted` in place of `[start, end)`, in code points of `text`."""
    parts = [(units(text[:start]), None), (units(text[start:end]), inserted), (units(text[end:]), None)]
    return of_parts(parts)


def inserted_by(changes: ChangeSet) -> list[str]:
    """What some changes put in."""
    return [change.inserted for change in changes.changes() if change.inserted]
