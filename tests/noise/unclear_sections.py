"""Edits whose section is not there, or there more than once: refused, with paths that are accepted."""

from __future__ import annotations

import random
import re

from tests.noise.asking import NEW, edit_of, leads_to, quote_of
from tests.noise.cases import Apply, Case, Hint, Refusal, attempt
from tests.noise.samples import Sample, bare

_SECTION_CODES = frozenset(["section_not_found", "section_ambiguous"])
_MADE_UP = ["Quantum Billing Matrix", "## Holiday Calendar", "Kitchen Inventory", "# Foo ## Zebra Crossing", "Xyzzy"]


def _appended(sample: Sample, block: str) -> Sample:
    """The document with one block more at its end."""
    gap = sample.newline * 2
    return Sample(sample.name, sample.text.rstrip("\r\n") + gap + block.replace("\n", sample.newline) + sample.newline)


def equal_headings(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """Two headings with the same headings above them: nothing tells them apart, the find least of all."""
    quote = quote_of(sample, rng)
    if quote is None or any("\n" in title for _, title in quote.part.chain):
        return None
    chain = "\n\n".join(f"{'#' * level} {title}" for level, title in quote.part.chain)
    double = _appended(sample, f"{chain}\n\nAnother text under the same headings.")
    twins = [part for part in double.parts if part.path == quote.part.path]
    if len(twins) != 2:
        return None
    lines = {str(part.line) for part in twins}

    def hint(apply: Apply, refusal: Refusal) -> bool:
        return lines <= set(re.findall(r"\d+", refusal.words)) and len(refusal.candidates) >= 2

    edit = edit_of(rng.choice([quote.part.path, quote.part.path, quote.part.title]), quote.text)
    codes = frozenset(["section_ambiguous"])
    return Case(kind, sample.name, double.text, [edit], codes=codes, hint=hint, true=quote.true)


def equal_titles(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The last heading alone, where it stands under two others."""
    quote = quote_of(sample, rng)
    if quote is None or quote.part.chain[-1][0] < 2 or not sample.is_title_unique(quote.part):
        return None
    level, title = quote.part.chain[-1]
    double = _appended(sample, f"# Addendum of later\n\n{'#' * level} {title}\n\nAnother text under the same title.")
    if sum(part.title == title for part in double.parts) != 2:
        return None
    accepted = double.text[: quote.start] + NEW + double.text[quote.end :]
    leads = leads_to(double.text, quote.text, accepted)

    def hint(apply: Apply, refusal: Refusal) -> bool:
        return len(refusal.candidates) >= 2 and leads(apply, refusal)

    section = rng.choice([title, f"{'#' * level} {title}"])
    codes = frozenset(["section_ambiguous"])
    edit = edit_of(section, quote.text)
    return Case(kind, sample.name, double.text, [edit], codes=codes, hint=hint, true=quote.true)


def _all_accepted(text: str, find: str) -> Hint:
    """There are candidates, and each of them names a section."""

    def hint(apply: Apply, refusal: Refusal) -> bool:
        tries = [attempt(apply, text, [edit_of(candidate, find)]) for candidate in refusal.candidates]
        named = [not isinstance(one, Refusal) or not one.codes & _SECTION_CODES for one in tries]
        return bool(named) and all(named)

    return hint


def no_such_section(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    quote = quote_of(sample, rng)
    if quote is None or not all(sample.is_chain_unique(part) for part in sample.parts):
        return None
    codes = frozenset(["section_not_found"])
    hint = _all_accepted(sample.text, quote.text)
    return Case(kind, sample.name, sample.text, [edit_of(rng.choice(_MADE_UP), quote.text)], codes=codes, hint=hint)


def other_number_in_title(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """`Phase 2` is not `Phase 3`, and section 2.1 is not 2.7."""
    quote = quote_of(sample, rng)
    found = re.search(r"\d", quote.part.title) if quote else None
    if quote is None or found is None:
        return None
    title = quote.part.title
    title = title[: found.start()] + rng.choice("3456789") + title[found.end() :]
    if bare(title) in {bare(part.title) for part in sample.parts} or title == quote.part.title:
        return None
    accepted = sample.text[: quote.start] + NEW + sample.text[quote.end :]
    hint = leads_to(sample.text, quote.text, accepted)
    edit = edit_of(f"{'#' * quote.part.chain[-1][0]} {title}", quote.text)
    codes = frozenset(["section_not_found"])
    return Case(kind, sample.name, sample.text, [edit], codes=codes, hint=hint, true=quote.part.title)


def wrong_heading_above(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The section is there, but not under the one it is said to be under."""
    quote = quote_of(sample, rng)
    if quote is None or len(quote.part.chain) < 2 or not sample.is_title_unique(quote.part):
        return None
    above = [part for part in sample.parts if not part.holds(quote.part) and sample.is_title_unique(part)]
    above = [part for part in above if part.chain[-1][0] < quote.part.chain[-1][0]]
    if not above:
        return None
    level, title = rng.choice(above).chain[-1]
    accepted = sample.text[: quote.start] + NEW + sample.text[quote.end :]
    edit = edit_of(f"{'#' * level} {title} {'#' * quote.part.chain[-1][0]} {quote.part.title}", quote.text)
    return Case(
        kind,
        sample.name,
        sample.text,
        [edit],
        codes=frozenset(["section_not_found"]),
        hint=leads_to(sample.text, quote.text, accepted),
        true=quote.part.path,
    )
