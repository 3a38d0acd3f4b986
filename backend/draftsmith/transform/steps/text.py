"""The step on the document: a ChangeSet and the deleted text, so that it can be checked and inverted by itself.

The changes that a text has come from (`TextHistory`) are evidence for edits that may have been made before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from draftsmith.model.document import from_units_in_order
from draftsmith.model.ids import NodeId
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.base import NO_PAIRS, BaseStep, Cell, Key, Pair
from draftsmith.transform.steps.changeset import ChangeSet, from_json, of_parts, one_after_another
from draftsmith.transform.steps.shapes import TextStep


@dataclass(frozen=True, slots=True)
class ChangeText(BaseStep):
    """Change the document; `deleted` is the text that each change deletes, in order."""

    changes: ChangeSet
    deleted: tuple[str, ...]

    key: ClassVar[Key | None] = None
    pairs: ClassVar[Mapping[str, Pair]] = NO_PAIRS

    def conflict(self, workspace: Workspace) -> str | None:
        """The length must be equal and every deleted span present."""
        try:
            fits = tuple(self.changes.deleted_texts(workspace.document.text)) == self.deleted
            self.changes.apply(workspace.document.text)
        except ValueError:
            fits = False
        return None if fits else "the text has been changed since"

    def write(self, workspace: Workspace) -> None:
        """Change it."""
        document = workspace.document
        old, new = document.text, self.changes.apply(document.text)
        start, end = _changed_span(old, self.changes)
        document.change(new, start, end)

    def inverse(self) -> ChangeText:
        """Change it back."""
        inserted = tuple(change.inserted for change in self.changes.changes())
        return ChangeText(self.changes.invert(self.deleted), inserted)

    def span_after(self, text: str) -> tuple[int, int]:
        """From the first change to the last, in code points of `text`, the text after."""
        return _changed_span(text, self.inverse().changes)

    def then(self, after: ChangeText, text: str) -> ChangeText:
        """This step, made on `text`, followed by `after`, as one; text that both leave as it was is no change."""
        changes = self.changes.compose(after.changes)
        changes = changes.trim(changes.deleted_texts(text))
        return ChangeText(changes, tuple(changes.deleted_texts(text)))

    def named_nodes(self) -> tuple[NodeId, ...]:
        """None."""
        return ()

    def overwrites(self) -> Iterator[Cell]:
        """Nothing: what it deletes of the document is no cell."""
        return iter(())

    def to_json(self) -> TextStep:
        """`{k: "text", c: ChangeSet, d: [deleted, …]}`."""
        return {"k": "text", "c": self.changes.to_json(), "d": self.deleted}


@dataclass(frozen=True, slots=True)
class TextHistory:
    """The changes that led to the current text.

    Attributes:
        pending: changes that are not committed, newest first.
        kept_changes: changes of commits before them, newest first.
    """

    pending: Sequence[ChangeText] = ()
    kept_changes: Sequence[ChangeText] = ()


def net_of(head: str, length: int, later: Sequence[ChangeText]) -> tuple[ChangeSet, str]:
    """All later changes of a text as one, without what cancels out (an edit and its undo leave no trace), and the text.

    Args:
        head: the text after them.
        length: of the text before them, in UTF-16 units.
        later: the changes, oldest first.
    """
    kept = of_parts([(length, None)])
    if not later:
        return kept, head
    text = one_after_another([step.inverse().changes for step in reversed(later)]).apply(head)
    net = kept.compose(one_after_another([step.changes for step in later]))
    return net.trim(net.deleted_texts(text)), text


def in_one(steps: Sequence[ChangeText]) -> ChangeText:
    """Compose consecutive text steps into one, without reading the text."""
    changes = one_after_another([step.changes for step in steps])
    back = one_after_another([step.inverse().changes for step in reversed(steps)])
    # Both keep the same characters, so their changes are adjacent.
    return ChangeText(changes, tuple(change.inserted for change in back.changes()))


def _changed_span(text: str, changes: ChangeSet) -> tuple[int, int]:
    """From the first change to the last, in code points of the text before."""
    spans = list(changes.changes())
    if not spans:
        return 0, 0
    point = from_units_in_order(text)
    return point(spans[0].start), point(spans[-1].end)


def edit_of(text: str, changes: ChangeSet) -> ChangeText:
    """Make the step that applies `changes` to `text`.

    Raises:
        ValueError: they do not fit.
    """
    changes.apply(text)
    return ChangeText(changes, tuple(changes.deleted_texts(text)))


def read_text(shape: TextStep) -> ChangeText:
    """Read `text`."""
    return ChangeText(from_json(shape["c"]), tuple(shape["d"]))
