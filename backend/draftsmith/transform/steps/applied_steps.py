"""Steps that are applied to a workspace but not durable yet: how to roll them back and apply them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from draftsmith.model.document import Document, units
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.changeset import ChangeSet
from draftsmith.transform.steps.steps import Step, other_steps, roll_back, text_steps
from draftsmith.transform.steps.text import ChangeText


@dataclass(frozen=True, slots=True)
class DocumentState:
    """A text and its outline, if cached."""

    text: str
    outline: Outline | None

    @classmethod
    def of(cls, document: Document) -> DocumentState:
        """The current state of a document."""
        return cls(document.text, document.known_outline)

    def restore(self, document: Document) -> None:
        """Return a document to this state."""
        document.text = self.text
        if self.outline is not None:
            document.take_outline(self.outline)


@dataclass(frozen=True, slots=True)
class AppliedSteps:
    """Steps that have been applied to a workspace, in order.

    Attributes:
        steps: what was applied.
        before, after: the document before and after, if the steps change nothing else. A long text and its outline
            are then computed once, however often the steps are rolled back and applied again.
        outline: of the document after, made elsewhere from an equal text; None where it is made here.
    """

    steps: Sequence[Step] = ()
    before: DocumentState | None = None
    after: DocumentState | None = None
    outline: Outline | None = None

    def roll_back(self, workspace: Workspace) -> None:
        """Undo the steps, newest first; the workspace must be in the state that they led to."""
        if self.before is not None:
            self.before.restore(workspace.document)
        else:
            roll_back(self.steps, workspace)

    def apply_again(self, workspace: Workspace) -> None:
        """Apply the steps again, to the same state or another one that they fit."""
        if self.before is not None and self.after is not None and workspace.document.text is self.before.text:
            self.after.restore(workspace.document)
            return
        for step in self.steps if self.outline is None else other_steps(self.steps):
            step.write(workspace)
        if self.outline is not None:
            for text in text_steps(self.steps):
                self._write_text(text, workspace.document, self.outline)

    def _write_text(self, step: ChangeText, document: Document, outline: Outline) -> None:
        """Change the text without deriving its outline; a commit changes it once, so that is the text after."""
        document.text = step.changes.apply(document.text)
        document.take_outline(replace(outline, text=document.text))


NOTHING: Final = AppliedSteps()


def apply_changes(workspace: Workspace, changes: ChangeSet) -> AppliedSteps:
    """Apply changes to the document, unchanged characters left out; no step if nothing is left.

    Raises:
        ValueError: they are for another text; nothing was applied.
    """
    document = workspace.document
    if changes.length != units(document.text):
        raise ValueError("the changes are for a text of another length")
    changes = changes.trim(changes.deleted_texts(document.text))
    if changes.is_empty:
        return NOTHING
    step = ChangeText(changes, tuple(changes.deleted_texts(document.text)))
    before = DocumentState.of(document)
    step.write(workspace)
    return AppliedSteps((step,), before, DocumentState.of(document))
