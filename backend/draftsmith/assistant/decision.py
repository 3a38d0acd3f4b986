"""Decide whether staged operations are committed at once or become a proposal, and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from draftsmith.history.sentences import counts_of
from draftsmith.history.shapes import DiffOut
from draftsmith.ports.runs import Mode
from draftsmith.transform.staged import UNBORN, Staged
from draftsmith.transform.steps import text_steps
from draftsmith.transform.steps_node import RemoveNode

MANY: Final = 20
LARGE_SHARE: Final = 0.3
_LEAST_LOSS: Final = 500  # characters; below that much text nobody is asked because of its share
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$|^(\S.*)\n(?:=+|-{2,})[ \t]*$", re.MULTILINE)
_WHOLE: Final = frozenset({"replace_diagram", "replace_document"})
_KEEPS_HEADINGS: Final = frozenset({"rename_section", "move_section"})


def reason_to_propose(
    mode: Mode,
    staged: Sequence[Staged],
    diff: DiffOut,
    *,
    nodes: int,
    chars: int,
    sections_lost: int,
    is_first: bool,
) -> str | None:
    """The reason to make a proposal; None if it may be committed.

    Args:
        mode: what the person asked for.
        staged: the operations.
        diff: what they change together.
        nodes: how many nodes there are without them.
        chars: how long the document is without them.
        sections_lost: how many sections it has less with them.
        is_first: the workspace was empty when the run began, so everything new is wanted.
    """
    if mode == "propose":
        return "You asked for a proposal."
    whole = any(one.op in _WHOLE for one in staged)
    removed = len(taken_out(staged))
    lost = lost_chars(diff)
    if whole and (removed > LARGE_SHARE * nodes or lost > LARGE_SHARE * max(chars, 1)):
        return "It would remove more than 30 % of what is there."
    if mode == "apply":
        return None
    if whole and not is_first:
        return "It rewrites a whole instead of changing parts."
    if removed:  # also on a workspace that was empty: others may have added something meanwhile
        return f"It deletes {removed} node{'s' if removed > 1 else ''}."
    if sections_lost or (not is_first and any(takes_out_sections(one) for one in staged)):
        return "It deletes a section of the document."
    if lost >= _LEAST_LOSS and lost > LARGE_SHARE * chars:
        return "It would remove more than 30 % of the document."
    count = changed_things(diff)
    return f"It changes {count} things at once." if count > MANY and not is_first else None


def changed_things(diff: DiffOut) -> int:
    """How many nodes, edges and places of the document a diff changes."""
    counts = counts_of(diff)
    return counts["added"] + counts["changed"] + counts["removed"] + counts["text"] + len(diff["workspace"])


def taken_out(staged: Sequence[Staged]) -> set[str]:
    """The nodes that are removed, also if the same id is added again; not those that are added and removed at once."""
    steps = [step for one in staged for step in one.steps]
    return {step.id for step in steps if isinstance(step, RemoveNode) and step.birth != UNBORN}


def lost_chars(diff: DiffOut) -> int:
    """How much shorter the document becomes."""
    return sum(len(change["old"]) - len(change["new"]) for change in diff["document"])


def takes_out_sections(one: Staged) -> bool:
    """Whether an operation leaves fewer headings than it found, or writes a section anew without some of its own."""
    if one.op in _KEEPS_HEADINGS:
        return False
    texts = text_steps(one.steps)
    gone = [title for step in texts for part in step.deleted for title in _titles(part)]
    come = [title for step in texts for change in step.changes.changes() for title in _titles(change.inserted)]
    is_rewritten = one.op == "replace_section" and bool(Counter(gone) - Counter(come))
    return one.op == "delete_section" or len(gone) > len(come) or is_rewritten


def _titles(text: str) -> list[str]:
    return [(found[1] or found[2]).strip() for found in _HEADING.finditer(text)]
