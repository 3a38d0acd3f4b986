"""Staged operations in words, and several of them as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.sentences import sentence_of
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.workspace import Workspace
from draftsmith.transform.staged_operations import StagedOperation
from draftsmith.transform.steps.steps import Step, join_text_steps, other_steps, roll_back, text_step_of, text_steps
from draftsmith.transform.steps.text import in_one


def describe_and_revert(workspace: Workspace, staged: Sequence[StagedOperation]) -> list[StagedOperation]:
    """Describe applied operations in a sentence each, and revert them."""
    described: list[StagedOperation] = []
    for one in reversed(staged):
        texts, others = text_steps(one.steps), other_steps(one.steps)
        roll_back(texts, workspace)  # places come from the text before, names from the diagram after
        document = workspace.document
        steps = join_text_steps(one.steps, document.text)
        diff = diff_of(steps, places_of(text_step_of(steps), document.text, document.known_outline))
        described.append(replace(one, what=sentence_of(diff, workspace.diagram, steps)))
        roll_back(others, workspace)
    return described[::-1]


def said_of(steps: Sequence[Step], text: str, outline: Outline | None, workspace: Workspace) -> str:
    """A sentence for one operation: places come from the text before it, names from the diagram after it."""
    together = join_text_steps(steps, text)
    diff = diff_of(together, places_of(text_step_of(together), text, outline))
    return sentence_of(diff, workspace.diagram, together)


def as_one(staged: Sequence[StagedOperation]) -> list[StagedOperation]:
    """The same steps as one operation, all changes of the text composed, so that applying many again costs little."""
    steps = [step for one in staged for step in one.steps]
    texts = text_steps(steps)
    return [replace(staged[-1], steps=(*other_steps(steps), *([in_one(texts)] if texts else [])))] if staged else []
