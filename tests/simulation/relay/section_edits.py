"""Edits of whole sections: what a scripted model means, how it says it, what must come of it."""

from __future__ import annotations

import random
import re

from tests.noise.samples import Part, Sample
from tests.simulation.relay.naive import Change, one_way
from tests.simulation.relay.plan import Op, Plan
from tests.simulation.relay.quoting import named, noise_of
from tests.simulation.relay.text_edits import NAMELESS_SHARE

_HEADING_SHARE = 0.15  # of texts for a section that begin with the section's own heading, as models like to send


def _part(sample: Sample, rng: random.Random) -> Part | None:
    """A section; seldom one that has its headings in common with another, which no name can mean."""
    part = rng.choice(sample.parts)
    return part if sample.is_chain_unique(part) or rng.random() < NAMELESS_SHARE else None


def _own(part: Part) -> tuple[int, int]:
    return part.start, part.own_end


def _body(step: int, rng: random.Random) -> str:
    """Text for a section."""
    paragraph = f"Step {step} wrote this paragraph, with `code`, **weight** and a [link](https://example.com/{step})."
    items = "\n".join(f"- item {number} of step {step}" for number in range(1, rng.randint(2, 4)))
    table = f"| Step | Count |\n|---|---|\n| {step} | {rng.randint(1, 90)} |"
    code = f"```text\n# no heading, step {step}\n```"
    return "\n\n".join(rng.sample([paragraph, items, table, code], rng.randint(1, 3)))


def core_of(sample: Sample, part: Part) -> tuple[int, int] | None:
    """A section's own text without the blank lines around it; None if it has none."""
    filled = [line for line in sample.lines(part) if line.text.strip()]
    return (filled[0].start, filled[-1].end) if filled else None


def _with_heading(text: str, part_level: int, title: str, rng: random.Random) -> tuple[str, str]:
    """The text, sometimes below its own heading line; and the noise."""
    if rng.random() < _HEADING_SHARE:
        return f"{'#' * part_level} {title}\n\n{text}", "heading in the text"
    return text, "exact"


def replace_section(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """Write a section's own text anew."""
    part = _part(sample, rng)
    return None if part is None else replace_plan(sample, part, _body(step, rng), rng)


def replace_plan(sample: Sample, part: Part, new: str, rng: random.Random) -> Plan | None:
    """Put a text in place of a section's own text; the blank lines around that stay."""
    core = core_of(sample, part)
    if core is None:
        return None
    section, naming = named(sample, part, rng)
    text, heading = _with_heading(new, part.chain[-1][0], part.title, rng)
    careful = {"op": "replace_section", "section": part.path, "text": new}
    return Plan(
        kind="replace_section",
        noise=noise_of(naming, heading),
        operations=[{"op": "replace_section", "section": section, "text": text}],
        careful=[careful],
        changes=[one_way(*core, new.rstrip(" \t\n"))],  # blanks at the very end of a text that is sent are not kept
        touched=[_own(part)],
    )


def append(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """Add a paragraph to the end of a section's own text."""
    part = _part(sample, rng)
    core = None if part is None else core_of(sample, part)
    if part is None or core is None:
        return None
    section, naming = named(sample, part, rng)
    new = f"Step {step} adds this paragraph at the end."
    return Plan(
        kind="append_to_section",
        noise=naming,
        operations=[{"op": "append_to_section", "section": section, "text": new}],
        careful=[{"op": "append_to_section", "section": part.path, "text": new}],
        changes=[one_way(core[1], core[1], f"\n\n{new}")],
        touched=[_own(part)],
    )


def insert(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """Add a section beside or into another, or at the end."""
    part = _part(sample, rng)
    if part is None:
        return None
    place = rng.choice(["before", "after", "into", ""])
    level = min(6, part.chain[-1][0] + 1) if place == "into" else part.chain[-1][0]
    at = {"before": part.start, "after": part.end, "into": part.end}.get(place, len(sample.text))
    return insert_plan(sample, part, place, at, level, f"Step {step} note", _body(step, rng), rng)


def insert_plan(
    sample: Sample, part: Part, place: str, at: int, level: int, title: str, body: str, rng: random.Random
) -> Plan:
    """Put a section with a heading of a level at an offset, which a place beside a section means."""
    section, naming = named(sample, part, rng)
    text, heading = _with_heading(body, level, title, rng)
    careful: Op = {"op": "insert_section", "title": title, "text": body, "level": level}
    first: Op = {**careful, "text": text}
    if place:
        careful[place], first[place] = part.path, section
    return Plan(
        kind="insert_section",
        noise=noise_of(naming if place else "exact", heading),
        operations=[first],
        careful=[careful],
        changes=[standing(sample.text, at, f"{'#' * level} {title}\n\n{body}")],
        touched=[(at, at), _own(part)],
    )


def standing(text: str, at: int, piece: str) -> Change:
    """A section between two others: a blank line before and after it, none that is there already doubled."""
    before = text[:at]
    lead = "" if not before.strip("\ufeff \t\n") or re.search(r"\n[ \t]*\n\Z", before) else "\n"
    lead = lead if not before or before.endswith("\n") else "\n\n"
    return one_way(at, at, lead + piece.rstrip("\n") + ("\n\n" if at < len(text) else "\n"))


def delete(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """Delete a section with its subsections; never most of the document."""
    part = _part(sample, rng)
    if part is None or part.end - part.start > len(sample.text) // 3:
        return None
    section, naming = named(sample, part, rng)
    return delete_plan(sample, part, section, naming)


def delete_plan(sample: Sample, part: Part, section: str, naming: str) -> Plan:
    """Take a section out; at the end of the text, also the blank lines before it."""
    text, start = sample.text, part.start
    if part.end == len(text):
        above = text[:start].rstrip("\n")
        start = min(len(above) + 1, start) if above else start
    # A setext heading that follows must not become one with the line before it.
    follows = part.end < len(text) and not re.match(r" {0,3}#", text[part.end :])
    joins = follows and bool(text[:start].strip()) and not text[:start].endswith("\n\n")
    return Plan(
        kind="delete_section",
        noise=naming,
        operations=[{"op": "delete_section", "section": section}],
        careful=[{"op": "delete_section", "section": part.path}],
        changes=[one_way(start, part.end, "\n" if joins else "")],
        touched=[(start, part.end)],
    )


def rename(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """Give a section another title."""
    part = _part(sample, rng)
    return None if part is None else rename_plan(sample, part, f"Title of step {step}", rng)


def heading_line(sample: Sample, part: Part) -> str:
    """The heading as it stands there, with its underline if it has one."""
    return sample.text[part.start : part.body]


def rename_plan(sample: Sample, part: Part, title: str, rng: random.Random) -> Plan:
    """Put another title into a heading; its marks or its underline stay."""
    old = heading_line(sample, part)
    end = "\n" if old.endswith("\n") else ""
    marks = re.match(r" {0,3}#{1,6}(?=[ \t]|\n|\Z)", old)
    new = f"{marks[0]} {title}{end}" if marks else f"{title}\n{old.rstrip().splitlines()[-1]}{end}"
    section, naming = named(sample, part, rng)
    return Plan(
        kind="rename_section",
        noise=naming,
        operations=[{"op": "rename_section", "section": section, "title": title}],
        careful=[{"op": "rename_section", "section": part.path, "title": title}],
        changes=[one_way(part.start, part.body, new)],
        touched=[_own(part)],
    )


def move(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """Put a section before or after another one of its level, so that no heading changes."""
    part = _part(sample, rng)
    if part is None:
        return None
    beside = [
        one
        for one in sample.parts
        if one.chain[-1][0] == part.chain[-1][0] and one is not part and not part.holds(one) and not one.holds(part)
    ]
    return move_plan(sample, part, rng.choice(beside), rng.choice(["before", "after"]), rng) if beside else None


def move_plan(sample: Sample, part: Part, beside: Part, place: str, rng: random.Random) -> Plan | None:
    """Move a section beside another; None where it stands there already, or at the end of the text."""
    at = beside.start if place == "before" else beside.end
    if part.start <= at <= part.end or len(sample.text) in (at, part.end):
        return None
    taken = delete_plan(sample, part, part.path, "exact").changes[0]
    put = standing(sample.text, at, sample.text[part.start : part.end])
    section, naming = named(sample, part, rng)
    other, other_naming = named(sample, beside, rng)
    return Plan(
        kind="move_section",
        noise=noise_of(naming, other_naming),
        operations=[{"op": "move_section", "section": section, place: other}],
        careful=[{"op": "move_section", "section": part.path, place: beside.path}],
        changes=[taken, put],
        touched=[(part.start, part.end), (at, at), _own(beside)],
    )
