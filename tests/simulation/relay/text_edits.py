"""Replacing quoted text: what a scripted model means, how it says it, what must come of it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from tests.noise.quotes import Quote, quote_from
from tests.noise.samples import Part, Sample
from tests.simulation.relay.naive import one_way
from tests.simulation.relay.plan import Plan, together
from tests.simulation.relay.quoting import careful_quote, changed, named, noise_of, quoted

_TWO_SHARE = 0.1  # of batches with two edits
_DELETED_SHARE = 0.1  # of sentences and phrases
_LINE_END_SHARE = 0.08  # of quotes of whole lines that are sent with their line end
NAMELESS_SHARE = (
    0.2  # of the edits that fall on a section which no name can mean, because another has the same headings
)


def edit(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """Replace a quoted text."""
    quote = quote_from(sample, rng)
    if quote is None or not (sample.is_chain_unique(quote.part) or rng.random() < NAMELESS_SHARE):
        return None
    plan = edit_plan(quote, written_instead(quote, rng, step), rng)
    if plan is None or rng.random() > _TWO_SHARE:
        return plan
    another = quote_from(sample, rng)
    if another is None or another.part == quote.part or not sample.is_chain_unique(another.part):
        return plan
    second = edit_plan(another, written_instead(another, rng, step), rng)
    return plan if second is None else replace(together(plan, second), kind="two edits at once")


def edit_preamble(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """Add to a line before the first heading, which the empty path names."""
    before = sample.text[: sample.parts[0].start] if sample.parts else ""
    front = re.match(r"---\n.*?\n---\n", before, re.DOTALL)
    lines = [found for found in re.finditer(r"[^\n]*\w[^\n]*", before) if not front or found.start() >= front.end()]
    alone = [found for found in lines if before.count(found[0]) == 1]
    if not alone:
        return None
    line = rng.choice(alone)
    operation = {"op": "edit_section", "section": "", "find": line[0], "replace": f"{line[0]} Step {step}."}
    return Plan(
        kind="edit_section: line",
        noise="before the first heading",
        operations=[operation],
        careful=[operation],
        changes=[one_way(line.end(), line.end(), f" Step {step}.")],
        touched=[line.span()],
        named=[(0, len(before))],
        true=[line[0]],
    )


def edit_all(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """Replace a word everywhere in a section and its subsections."""
    part = rng.choice(sample.parts)
    own = sample.text[part.start : part.end]
    if not sample.is_chain_unique(part) or len(own) > len(sample.text) / 2:
        return None
    words = Counter(re.findall(r"(?<![\w`*-])[a-z]{6,}(?![\w`*-])", sample.text[part.body : part.end]))
    often = sorted(word for word in words if 2 <= own.count(word) <= 6)
    return all_plan(sample, part, rng.choice(often), f"wording{step}", rng) if often else None


def all_plan(sample: Sample, part: Part, old: str, new: str, rng: random.Random) -> Plan:
    """Replace a text wherever it stands in a section and its subsections."""
    section, naming = named(sample, part, rng)
    operation = {"op": "edit_section", "find": old, "replace": new, "all": True}
    found = re.finditer(re.escape(old), sample.text[part.start : part.end])
    return Plan(
        kind="edit_section, all",
        noise=naming,
        operations=[{**operation, "section": section}],
        careful=[{**operation, "section": part.path}],
        changes=[one_way(part.start + one.start(), part.start + one.end(), new) for one in found],
        touched=[(part.start, part.end)],
        named=[(part.start, part.end)],
        true=[old],
    )


def edit_plan(quote: Quote, new: str, rng: random.Random, *, keeps_marks: bool = False) -> Plan | None:
    """Replace a stretch by another text."""
    careful = careful_quote(quote)
    if new == quote.true or careful is None:
        return None
    given = quoted(quote, rng, keeps_marks=keeps_marks)
    section, naming = named(quote.sample, quote.part, rng)
    find, instead, noise = given.find, new, given.noise
    is_whole_line = quote.shape in ("line", "item", "lines", "row") and quote.sample.text.startswith("\n", quote.end)
    if is_whole_line and not given.is_misremembered and rng.random() < _LINE_END_SHARE:
        find, instead, noise = f"{find}\n", f"{new}\n", noise_of(noise, "with its line end")
    elif is_whole_line and new and not given.is_misremembered and rng.random() < _LINE_END_SHARE:
        find, noise = f"{find}\n", noise_of(noise, "line end in the quote alone")  # which stays in the document
    before, after = quote.sample.text[careful.start : quote.start], quote.sample.text[quote.end : careful.end]
    exact = {"op": "edit_section", "section": quote.part.path, "find": careful.true, "replace": before + new + after}
    return Plan(
        kind=f"edit_section: {quote.shape}",
        noise=noise_of(noise, naming),
        operations=[{"op": "edit_section", "section": section, "find": find, "replace": instead}],
        careful=[exact],
        changes=[changed(quote, given, new)],
        touched=[lines_around(quote.sample.text, careful.start, careful.end)],
        named=[(quote.part.start, quote.part.end)],
        true=[quote.true],
        must_refuse=given.is_misremembered,
        repeats=bool(new) and quote.true not in new,
    )


def lines_around(text: str, start: int, end: int) -> tuple[int, int]:
    """A span, widened to whole lines."""
    stop = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if stop < 0 else stop


def written_instead(quote: Quote, rng: random.Random, step: int) -> str:
    """What a model writes in place of a quote: the same kind of block, in part the same words."""
    true = quote.true
    mark = re.match(r"\s*(?:[-*+]|\d+[.)]|>)\s+", true) if quote.shape in ("item", "line", "lines") else None
    lead = mark[0] if mark else ""
    if quote.shape == "code":
        return f"{true.rstrip()}_{step}"
    if quote.shape == "row":
        cells = re.split(r"(?<!\\)\|", true)
        cells[1] = f" changed in step {step} "
        return "|".join(cells)
    if quote.shape in ("lines", "blocks") or not quote.is_prose:
        lines = true.split("\n")
        return "\n".join([*lines[:-1], f"{lines[-1]} and step {step}"]) if quote.is_prose else f"{true} {step}"
    words = true[len(lead) :].split(" ")
    ways: list[Callable[[], str]] = [
        lambda: lead + f"Step {step} says it otherwise.",
        lambda: lead + f"In step {step}, `code` and **more** replaced this sentence.",
        lambda: true + f" Step {step} adds a sentence.",
        lambda: lead + " ".join([*words[: len(words) // 2], f"(step {step})", *words[len(words) // 2 :]]),
        lambda: lead + f"One line of step {step}\n" + " " * len(lead) + "and another one.",
    ]
    if quote.shape in ("sentence", "phrase") and rng.random() < _DELETED_SHARE:
        return ""
    return rng.choice(ways)()
