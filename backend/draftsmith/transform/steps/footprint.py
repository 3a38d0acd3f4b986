"""What steps touch, and whether two runs of steps clash: for `base_revision`, proposals and their dependencies.

They clash only if both set the same field, if one needs or removes what the other made or removed, or if both changed
overlapping text. Everything else commutes. A batch that does not fit has no steps; `subjects` compares it instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NotRequired, TypedDict

from draftsmith.transform.steps.base import Cell
from draftsmith.transform.steps.changeset import Change
from draftsmith.transform.steps.spans import Span, SpanMap
from draftsmith.transform.steps.steps import Step, text_step_of, text_steps
from draftsmith.transform.steps.text import ChangeText

_ENOUGH = 100  # clashes in the text that are reported, newest first
Clash = TypedDict(
    "Clash",
    {"revision": int, "part": str, "id": str, "field": str, "from": NotRequired[int], "to": NotRequired[int]},
)
"""What a commit has changed that matters to a batch: a cell, or of the document the range in UTF-16 units."""
Commits = Sequence[tuple[int, Sequence[Step]]]  # revision and steps, oldest first


def writes(steps: Sequence[Step]) -> set[Cell]:
    """Cells that steps write."""
    return {cell for step in steps for cell in step.writes()}


def needs(steps: Sequence[Step]) -> set[Cell]:
    """Existences that steps rely on."""
    return {cell for step in steps for cell in step.needs()}


def clashes(
    mine: Sequence[Step], since: Commits, passed_over: Collection[int] = (), following: Collection[Span] = ()
) -> list[Clash]:
    """Find where `mine`, made on the head, clashes with the commits in `since` (revision, steps; oldest first).

    `passed_over`: revisions with which nothing clashes; `following`: changes of the text that clash with nothing, since
    they only take links along with their headings.

    Returns `[{revision, part, id, field}]`, and `{revision, part: "document", from, to}` for text (UTF-16 units of the
    head text).
    """
    own = writes(mine)
    needed = needs(mine)
    own_all = {(part, key) for part, key, field in own if field == "*"}
    made = {(part, key) for part, key, field in own if field == ""}
    found: list[Clash] = []
    for revision, steps in since:
        if revision in passed_over:
            continue
        for part, key, field in sorted(writes(steps)):
            same = (part, key, field) in own or (field == "*" and any(c[:2] == (part, key) for c in own))
            removed_here = field != "" and (part, key) in own_all
            existence = field == "" and ((part, key, "") in needed or (part, key) in made)
            if same or removed_here or existence:
                found.append({"revision": revision, "part": part, "id": key, "field": field.replace("*", "")})
    return _unique(found) + _text_clashes(mine, since, passed_over, following)


def _unique(found: list[Clash]) -> list[Clash]:
    return list({tuple(sorted(item.items())): item for item in found}.values())


def _text_clashes(
    mine: Sequence[Step], since: Commits, passed_over: Collection[int], following: Collection[Span]
) -> list[Clash]:
    text = text_step_of(mine)
    if text is None:
        return []
    later = [(revision, step) for revision, steps in since for step in text_steps(steps)]
    spans = ((change.start, change.end) for change in text.changes.changes())
    own = [span for span in spans if span not in following]
    found: list[Clash] = []
    for at, start, end in _overlap_candidates(own, [step for _, step in later]):
        if later[at][0] in passed_over:
            continue
        for _, step in later[at + 1 :]:
            start, end = SpanMap(step.changes.changes()).map_widening(start, end)  # noqa: PLW2901  # one step on
        if any(meets(*span, start, end) for span in own):
            found.append(
                {"revision": later[at][0], "part": "document", "id": "", "field": "", "from": start, "to": end}
            )
        if len(found) == _ENOUGH:
            break
    return found[::-1]


def _overlap_candidates(spans: Sequence[Span], steps: Sequence[ChangeText]) -> Iterator[tuple[int, int, int]]:
    """Changes of `steps` that may overlap `spans`, newest first, as (index of the step, start, end after it).

    The spans are mapped backwards, never too narrow, so that of thousands of steps only the relevant ones have to be
    mapped forwards.
    """
    for at in reversed(range(len(steps))):
        changes = list(steps[at].changes.changes())
        for change in reversed(changes):
            if any(start <= change.new_end and change.new_start <= end for start, end in spans):
                yield at, change.new_start, change.new_end
        before = SpanMap(Change(one.new_start, one.new_end, one.start, one.end, "") for one in changes)
        spans = [before.map_widening(start, end, adjacent=True) for start, end in spans]


def meets(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether two spans overlap; an empty one overlaps a span around it, or an empty one at the same offset."""
    if start == end and other_start == other_end:
        return start == other_start
    return start < other_end and other_start < end
