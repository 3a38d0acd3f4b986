"""How a scripted model takes its own edit back: by another edit, quoted from what it sees now, or by undo.

Some edits no operation can take back byte for byte: a section whose blank lines or heading are set otherwise than the
operations set them. There is no plan for those, and they are undone.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from tests.noise.quotes import Quote
from tests.noise.samples import Line, Part, Sample
from tests.simulation.relay.document_edits import planned
from tests.simulation.relay.naive import Way, results
from tests.simulation.relay.plan import Op, Plan, together
from tests.simulation.relay.values import BodyText, Quotation, SectionName, Substitute


def reversal_plan(
    plan: Plan, before: Sample, after: Sample, stretches: Sequence[Way], rng: random.Random
) -> Plan | None:
    """An edit that brings back what a plan has replaced; None where only undo can.

    Args:
        plan: what was done to the document.
        before: the document without it, all else as it is now.
        after: the document as it is now.
        stretches: where what was written stands, and what stood there.
        rng: the dice.
    """
    kind = str(plan.careful[0]["op"]) if plan.careful else ""
    (start, end, old), found = stretches[0], None
    if plan.kind.startswith("edit_section, all"):
        found = _all_back(after, stretches, rng)
    elif kind in ("edit_section", "append_to_section"):
        each = [_quoted_back(after, *stretch, rng) for stretch in stretches]
        whole = [one for one in each if one is not None]
        found = reduce(together, whole) if len(whole) == len(each) else None
        found = found if found is None or len(each) == 1 else replace(found, kind="two edits at once")
    elif kind == "replace_section":
        found = _replaced_back(after, start, end, old, rng)
    elif kind == "insert_section":
        found = _deleted_again(after, start, end, rng)
    elif kind == "delete_section":
        found = _inserted_again(before, after, start, old, rng)
    elif kind == "rename_section":
        found = _renamed_back(after, start, old, rng)
    return found if found is not None and _leads_to(found, after.text, before.text) else None


def _leads_to(plan: Plan, now: str, wanted: str) -> bool:
    """Whether the operations of a plan, by their rules, give back every byte."""
    return all(result.text == wanted for result in results(now, plan.changes))


def _quoted_back(after: Sample, start: int, end: int, old: str, rng: random.Random) -> Plan | None:
    """Quote what was written, with words around it where it alone is too little, and put the old words there."""
    part = _part_at(after, start)
    if part is None:
        return None
    lines = [line for line in after.lines(part) if line.start <= end and start <= line.end]
    if not lines:
        return None
    quote = Quote(after, part, start, end, _shape(lines, start, end))
    if quote.true != quote.true.strip() or quote.words < 2 or not quote.is_unique_in(part):
        # As much of the lines around it as makes it a quote: a whole line, or the last one before an appended text.
        filled = [line for line in lines if line.text.strip()]
        if not filled:
            return None
        first, last = min(start, filled[0].start), max(end, filled[-1].end)
        quote = Quote(after, part, first, last, "line" if len(filled) == 1 else "blocks")
        if quote.true != quote.true.strip() or not quote.is_unique_in(part):
            return None
        old = after.text[first:start] + old + after.text[end:last]
    op = {"op": "edit_section", "section": SectionName(part), "find": Quotation(quote), "replace": Substitute(old)}
    return planned(after, op, rng, keeps_marks=True)


def _all_back(after: Sample, stretches: Sequence[Way], rng: random.Random) -> Plan | None:
    """The new word for the old one, in the smallest section that holds them all."""
    first, last = stretches[0], stretches[-1]
    around = [part for part in after.parts if part.start <= first[0] and last[1] <= part.end]
    if not around or not after.is_chain_unique(around[-1]):
        return None
    find, replacement = Quotation(after.text[first[0] : first[1]]), Substitute(first[2])
    section = SectionName(around[-1])
    op = {"op": "edit_section", "section": section, "find": find, "replace": replacement, "all": True}
    return planned(after, op, rng)


def _shape(lines: Sequence[Line], start: int, end: int) -> str:
    """What a stretch is, for the ways in which it may be quoted."""
    is_whole = start <= lines[0].start and end >= lines[-1].end
    if any(not line.text.strip() for line in lines):
        return "blocks"
    kinds = {line.kind for line in lines}
    if len(lines) > 1:
        return "lines"
    [kind] = kinds
    if kind in ("row", "code"):
        return kind
    if not is_whole:
        return "phrase"
    return "item" if kind == "item" else "line"


def _replaced_back(after: Sample, start: int, end: int, old: str, rng: random.Random) -> Plan | None:
    part = _part_at(after, start)
    if part is None:
        return None
    return planned(after, {"op": "replace_section", "section": SectionName(part), "text": BodyText(old)}, rng)


def _deleted_again(after: Sample, start: int, end: int, rng: random.Random) -> Plan | None:
    begins = start + len(after.text[start:end]) - len(after.text[start:end].lstrip("\n"))
    part = next((part for part in after.parts if part.start == begins), None)
    if part is None or not after.is_chain_unique(part):
        return None
    return planned(after, {"op": "delete_section", "section": SectionName(part)}, rng)


def _inserted_again(before: Sample, after: Sample, start: int, old: str, rng: random.Random) -> Plan | None:
    """Write the section that was deleted before the one that follows it, or at the end."""
    gone = Sample("", old.lstrip("\n"))
    if not gone.parts or gone.parts[0].start or any(part.start and part.holds(gone.parts[0]) for part in gone.parts):
        return None
    level, title = gone.parts[0].chain[-1]
    body = gone.text[gone.parts[0].body :].strip("\n")
    following = next((part for part in after.parts if part.start == start), None)
    if following is None and start < len(after.text) - 1:
        return None
    op: Op = {"op": "insert_section", "title": title, "text": BodyText(body), "level": level}
    if following is None:
        return planned(after, op, rng)
    if not after.is_chain_unique(following):
        return None
    return planned(after, {**op, "before": SectionName(following)}, rng)


def _renamed_back(after: Sample, start: int, old: str, rng: random.Random) -> Plan | None:
    part = next((part for part in after.parts if part.start == start), None)
    was = Sample("", old)
    if part is None or not was.parts:
        return None
    op = {"op": "rename_section", "section": SectionName(part), "title": was.parts[0].title}
    return planned(after, op, rng)


def _part_at(sample: Sample, offset: int) -> Part | None:
    """The innermost section that holds an offset."""
    at = bisect_right(sample.parts, offset, key=lambda part: part.start)
    return sample.parts[at - 1] if at else None
