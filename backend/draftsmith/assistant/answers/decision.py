"""Decide whether staged operations are committed at once or become a proposal, and why.

What waits for a yes is stated in docs/security.md. What they take away is counted in `losses`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from draftsmith.assistant.answers.losses import Losses
from draftsmith.assistant.answers.text_losses import LARGE_SHARE, TextLoss
from draftsmith.history.sentences import counts_of
from draftsmith.history.shapes import DiffOut
from draftsmith.model.fields import DRAWN_FIELDS
from draftsmith.ports.runs import Mode
from draftsmith.transform.staged_operations import UNBORN, StagedOperation
from draftsmith.transform.steps.steps import text_steps

MANY: Final = 20
MOST_EDGES: Final = 3
MOST_CLEARED: Final = 3
MOST_REPLACED: Final = 10
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$|^(\S.*)\n(?:=+|-{2,})[ \t]*$", re.MULTILINE)
_WHOLE: Final = frozenset({"replace_diagram", "replace_document"})
_KEEPS_HEADINGS: Final = frozenset({"rename_section", "move_section"})
_PREFIXES: Final = {"node": "", "edge": "connection ", "document": "section "}
_IRREGULAR_FIELDS: Final = {
    "technology": ("technology", "technologies"),
    "notes": ("note", "notes"),
    "image": ("image", "images"),
    "color": ("colour", "colours"),
    "properties": ("property", "properties"),
    "parent": ("place in a group", "places in groups"),
    "custom_type": ("own type", "own types"),
}
"""Singular and plural of fields for which they are not the name, and the name with an s."""


def reason_to_propose(
    mode: Mode,
    staged: Sequence[StagedOperation],
    diff: DiffOut,
    losses: Losses,
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
        losses: what they take away together.
        nodes: how many nodes there are without them.
        chars: how long the document is without them.
        sections_lost: how many sections it has less with them.
        is_first: the workspace was empty when the run began, so everything new is wanted.
    """
    if mode == "propose":
        return "You asked for a proposal."
    whole = any(one.op in _WHOLE for one in staged)
    removed = len(taken_out(staged))
    if whole and (removed > LARGE_SHARE * nodes or lost_chars(diff) > LARGE_SHARE * max(chars, 1)):
        return "It would remove more than 30 % of what is there."
    if mode == "apply":
        return None
    if whole and not is_first:
        return "It rewrites a whole instead of changing parts."
    # Also on a workspace that was empty: others may have added something meanwhile, which is counted.
    sections = max(sections_lost, 0 if is_first else sum(map(sections_taken_out, staged)))
    said = [*_deletions(removed, sections), *_of_connections(losses), *_of_fields(losses), *_of_text(losses.text)]
    if said:
        return f"It {_join_reasons(said)}."
    count = changed_things(diff) - moved_aside(staged, diff)
    return f"It changes {count} things at once." if count > MANY and not is_first else None


def _deletions(nodes: int, sections: int) -> Iterator[str]:
    if nodes:
        yield f"deletes {_count(nodes, 'node', 'nodes')}"
    if sections:
        yield "deletes a section of the document" if sections == 1 else f"deletes {sections} sections of the document"


def _of_connections(losses: Losses) -> Iterator[str]:
    if losses.removed + losses.redirected > MOST_EDGES:
        if losses.removed:
            yield f"removes {_count(losses.removed, 'connection', 'connections')}"
        if losses.redirected:
            yield f"redirects {_count(losses.redirected, 'connection', 'connections')}"


def _of_fields(losses: Losses) -> Iterator[str]:
    """Both are said if either is too much: what is cleared counts as replaced as well."""
    cleared, replaced = losses.cleared.total(), losses.replaced.total()
    if cleared <= MOST_CLEARED and cleared + replaced <= MOST_REPLACED:
        return
    if cleared:
        yield f"clears {_fields(losses.cleared)}"
    if replaced:
        yield f"replaces {_fields(losses.replaced)}"


def _of_text(loss: TextLoss | None) -> Iterator[str]:
    if loss is not None:
        where = f"“{loss.title}”" if loss.title else "the document"
        share = f"{loss.lost:,} of {loss.chars:,} characters ({100 * loss.lost // loss.chars} %)"
        yield f"deletes or replaces {share} of {where}"


def _fields(counts: Counter[str]) -> str:
    """`12 descriptions`, or `14 fields (12 descriptions, 2 labels)`."""
    said = [_count(count, *_field_in_words(name)) for name, count in counts.most_common()]
    return said[0] if len(said) == 1 else f"{counts.total()} fields ({', '.join(said)})"


def _field_in_words(name: str) -> tuple[str, str]:
    """One and many of a counted field: `connection label` and `connection labels` for `edge.label`."""
    about, _, field = name.partition(".")
    one, many = _IRREGULAR_FIELDS.get(field, (field, f"{field}s"))
    return f"{_PREFIXES[about]}{one}", f"{_PREFIXES[about]}{many}"


def _count(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _join_reasons(said: Sequence[str]) -> str:
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def changed_things(diff: DiffOut) -> int:
    """How many nodes, edges and places of the document a diff changes."""
    counts = counts_of(diff)
    return counts["added"] + counts["changed"] + counts["removed"] + counts["text"] + len(diff["workspace"])


def moved_aside(staged: Sequence[StagedOperation], diff: DiffOut) -> int:
    """How many nodes and edges are only drawn elsewhere, to make room, and not what any operation speaks of."""
    spoken = {one for operation in staged for one in operation.result["ids"]}
    drawn = [*diff["nodes"]["changed"], *diff["edges"]["changed"]]
    return sum(1 for one in drawn if one["id"] not in spoken and one["fields"].keys() <= DRAWN_FIELDS - {"size"})


def taken_out(staged: Sequence[StagedOperation]) -> set[str]:
    """The nodes that are removed, also if the same id is added again; not those that are added and removed at once."""
    steps = [step for one in staged for step in one.steps]
    removed = [node for step in steps if (node := step.removed_node) is not None]
    return {node_id for node_id, birth in removed if birth != UNBORN}


def lost_chars(diff: DiffOut) -> int:
    """How much shorter the document becomes."""
    return sum(len(change["old"]) - len(change["new"]) for change in diff["document"])


def sections_taken_out(one: StagedOperation) -> int:
    """How many sections an operation takes out: headings that it leaves less, or own ones that a rewrite leaves out."""
    if one.op in _KEEPS_HEADINGS:
        return 0
    texts = text_steps(one.steps)
    gone = [title for step in texts for part in step.deleted for title in _titles(part)]
    come = [title for step in texts for change in step.changes.changes() for title in _titles(change.inserted)]
    rewritten = (Counter(gone) - Counter(come)).total() if one.op == "replace_section" else 0
    return max(rewritten, len(gone) - len(come), int(one.op == "delete_section"))


def _titles(text: str) -> list[str]:
    return [(found[1] or found[2]).strip() for found in _HEADING.finditer(text)]
