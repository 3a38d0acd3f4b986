"""Undo and redo stacks: a fold over the log, so that no second structure can disagree with it.

Rules (laws: `tests/laws/test_workspace_machine.py`):
* an edit goes on its scope's undo stack and clears its scope's redo stack;
* an undo takes the entry it undoes off its owner's stack and goes on the redo stack of the owner and of whoever did it;
* a redo takes the undo off both and goes back on the owner's undo stack;
* a revert takes the named entry off its owner's stack and stands on the stack of whoever did it; undoing the revert
  puts the entry back where it was;
* creation and checkpoints are on no stack.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from draftsmith.history.commit import Entry

DEPTH = 200
_NESTING = 8  # reverts of reverts that are remembered; deeper ones are simply not put back


@dataclass(frozen=True, slots=True)
class StackItem:
    """What stands on a stack: a revision, whose stack it belongs on, and the item that a revert took off."""

    revision: int
    owner: str
    reverted_item: StackItem | None = None

    def to_json(self) -> list[Any]:
        """`[revision, owner, taken | null]`."""
        return [self.revision, self.owner, None if self.reverted_item is None else self.reverted_item.to_json()]


def item_from_json(shape: Any) -> StackItem:
    """Read what `StackItem.to_json` wrote."""
    return StackItem(shape[0], shape[1], None if shape[2] is None else item_from_json(shape[2]))


class UndoStacks:
    """The stacks of all scopes, oldest first in each."""

    __slots__ = ("redo", "undo")

    def __init__(self) -> None:
        self.undo: dict[str, list[StackItem]] = {}
        self.redo: dict[str, list[StackItem]] = {}

    def fold(self, entry: Entry) -> None:
        """Take one log entry in."""
        if entry.kind in ("edit", "text", "restore"):
            self._push_done(StackItem(entry.revision, entry.scope))
        elif entry.kind == "undo":
            self._push_undone(entry)
        elif entry.kind == "redo":
            self._redone(entry)
        elif entry.kind == "revert":
            taken = self._take(self.undo, entry.ref_revision)
            self._push_done(StackItem(entry.revision, entry.scope, _shallow(taken)))

    def _push_done(self, item: StackItem) -> None:
        if item.owner:
            self.redo.pop(item.owner, None)
            _push(self.undo, item.owner, item)

    def _push_undone(self, entry: Entry) -> None:
        item = self._take(self.undo, entry.ref_revision)
        owner = item.owner if item is not None else entry.scope
        taken = item.reverted_item if item is not None else None
        for scope in {owner, entry.scope} - {""}:
            _push(self.redo, scope, StackItem(entry.revision, owner, taken))
        if taken is not None and taken.owner:
            _push(self.undo, taken.owner, taken)

    def _redone(self, entry: Entry) -> None:
        item = self._take(self.redo, entry.ref_revision)
        owner = item.owner if item is not None else entry.scope
        taken = None
        if item is not None and item.reverted_item is not None:
            taken = self._take(self.undo, item.reverted_item.revision)
        if owner:
            _push(self.undo, owner, StackItem(entry.revision, owner, _shallow(taken)))

    def _take(self, stacks: dict[str, list[StackItem]], revision: int | None) -> StackItem | None:
        """Take a revision off every stack it is on."""
        found: StackItem | None = None
        for scope in list(stacks):
            for item in stacks[scope]:
                if item.revision == revision:
                    found = item
                    stacks[scope].remove(item)
                    break
            if not stacks[scope]:
                del stacks[scope]
        return found

    def top(self, scope: str) -> StackItem | None:
        """What undo "mine" would take back."""
        items = self.undo.get(scope)
        return items[-1] if items else None

    def top_of_all(self) -> StackItem | None:
        """What undo "all" would take back: the newest of anyone."""
        return max((items[-1] for items in self.undo.values()), default=None, key=lambda item: item.revision)

    def next_redo(self, scope: str) -> StackItem | None:
        """What redo would bring back."""
        items = self.redo.get(scope)
        return items[-1] if items else None

    def revisions(self) -> Iterator[int]:
        """All revisions that stand on a stack."""
        for stacks in (self.undo, self.redo):
            for items in stacks.values():
                yield from (item.revision for item in items)

    def to_json(self) -> dict[str, Any]:
        """`{undo: {scope: [item, …]}, redo: {…}}`, scopes sorted."""
        return {
            name: {scope: [item.to_json() for item in items] for scope, items in sorted(stacks.items())}
            for name, stacks in (("undo", self.undo), ("redo", self.redo))
        }


def stacks_from_json(shape: Mapping[str, Any]) -> UndoStacks:
    """Read what `UndoStacks.to_json` wrote."""
    stacks = UndoStacks()
    stacks.undo = {scope: [item_from_json(item) for item in items] for scope, items in shape["undo"].items()}
    stacks.redo = {scope: [item_from_json(item) for item in items] for scope, items in shape["redo"].items()}
    return stacks


def _push(stacks: dict[str, list[StackItem]], scope: str, item: StackItem) -> None:
    """Put an item where its revision belongs; the oldest falls off beyond the depth."""
    items = stacks.setdefault(scope, [])
    insort(items, item, key=lambda one: one.revision)
    del items[:-DEPTH]


def _shallow(item: StackItem | None, depth: int = _NESTING) -> StackItem | None:
    if item is None or depth == 0:
        return None
    return StackItem(item.revision, item.owner, _shallow(item.reverted_item, depth - 1))
