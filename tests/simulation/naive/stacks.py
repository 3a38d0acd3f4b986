"""Whose commit is taken back next: the rules of docs/api.md, kept as lists of revisions."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field


@dataclass
class Stacks:
    """What each person can undo and redo, oldest first.

    Attributes:
        owner: on whose undo stack a revision belongs.
        held: for a revert, the commit that it took off somebody's stack.
    """

    undo: dict[str, list[int]] = field(default_factory=dict)
    redo: dict[str, list[int]] = field(default_factory=dict)
    owner: dict[int, str] = field(default_factory=dict)
    held: dict[int, int] = field(default_factory=dict)

    def next_undo(self, person: str, *, everyone: bool = False, among: Container[int] | None = None) -> int | None:
        """What an undo would take back: one's own newest, or anybody's; or one's own newest among some."""
        if among is not None:
            return _newest(self.undo.get(person, ()), among)
        tops = [stack[-1] for name, stack in self.undo.items() if stack and (everyone or name == person)]
        return max(tops, default=None)

    def next_redo(self, person: str, *, among: Container[int] | None = None) -> int | None:
        """What a redo would bring back: the newest undo, or the newest among some."""
        if among is not None:
            return _newest(self.redo.get(person, ()), among)
        stack = self.redo.get(person)
        return stack[-1] if stack else None

    def edited(self, revision: int, person: str) -> None:
        """Somebody has changed something: what one had undone cannot be brought back any more."""
        self.redo[person] = []
        self._put(self.undo, person, revision, person)

    def undone(self, revision: int, person: str, taken: int) -> None:
        """Both whoever did it and the owner can bring it back; what a revert had taken off is back where it was."""
        owner = self.owner[taken]
        self._drop(self.undo, taken)
        for name in {owner, person}:
            self._put(self.redo, name, revision, owner)
        if taken in self.held:
            held = self.held[revision] = self.held[taken]
            self._put(self.undo, self.owner[held], held, self.owner[held])

    def redone(self, revision: int, taken: int) -> None:
        """It is on its owner's undo stack again."""
        owner = self.owner[taken]
        self._drop(self.redo, taken)
        if taken in self.held and self._drop(self.undo, self.held[taken]):
            self.held[revision] = self.held[taken]
        self._put(self.undo, owner, revision, owner)

    def reverted(self, revision: int, person: str, taken: int) -> None:
        """What was reverted is on nobody's stack; the revert is on that of whoever did it."""
        if self._drop(self.undo, taken):
            self.held[revision] = taken
        self.edited(revision, person)

    def _put(self, stacks: dict[str, list[int]], name: str, revision: int, owner: str) -> None:
        self.owner[revision] = owner
        stacks[name] = sorted({*stacks.get(name, ()), revision})

    def _drop(self, stacks: dict[str, list[int]], revision: int) -> bool:
        on_any = any(revision in stack for stack in stacks.values())
        for stack in stacks.values():
            stack[:] = [one for one in stack if one != revision]
        return on_any


def _newest(stack: Iterable[int], among: Container[int]) -> int | None:
    return max((one for one in stack if one in among), default=None)
