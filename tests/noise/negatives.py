"""Edits that must be refused, and what the refusal must say."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import pairwise

from rapidfuzz import fuzz

from tests.noise.cases import Apply, Case, Edit, Hint, Refusal, attempt
from tests.noise.decoys import DECOYS
from tests.noise.positives import single_line_blocks
from tests.noise.quotes import Quote, quote_from
from tests.noise.samples import Library, Sample, bare, occurrences

_NEW = "Something else stands here now."
_SECTION_CODES = frozenset(["section_not_found", "section_ambiguous"])
_MADE_UP = ["Quantum Billing Matrix", "## Holiday Calendar", "Kitchen Inventory", "# Foo ## Zebra Crossing", "Xyzzy"]


def edit_of(section: str, find: str, replace: str = _NEW) -> Edit:
    return {"section": section, "find": find, "replace": replace}


def _quote(sample: Sample, rng: random.Random, shapes: tuple[str, ...] | None = None) -> Quote | None:
    quote = quote_from(sample, rng, shapes) if shapes else quote_from(sample, rng)
    return quote if quote is not None and sample.is_chain_unique(quote.part) else None


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def shows(*stretches: str) -> Hint:
    """The words of the refusal hold one of these stretches as they stand in the document."""
    wanted = [_squeezed(stretch) for stretch in stretches]
    return lambda apply, refusal: any(stretch in _squeezed(refusal.words) for stretch in wanted)


def _decoy(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """A find that means something else; the refusal shows the true words."""
    quote = _quote(sample, rng)
    found = DECOYS[kind][1](quote, rng) if quote else None
    if quote is None or found is None:
        return None
    find, start, end = found
    own = sample.text[quote.part.start : quote.part.end]
    # Where the words stand elsewhere, the find may mean that place; where they are near, there are two nearest.
    if bare(find) in bare(own) or bare(find) == bare(quote.true) or find in sample.text:
        return None
    text = quote.text
    left = [one.start() for one in re.finditer(r"\S+", text[:start])][-2:]
    right = [one.end() + end for one in re.finditer(r"\S+", text[end:])][:2]
    windows = text[left[0] if left else 0 : end], text[start : right[-1] if right else len(text)]
    edit = edit_of(quote.part.path, find)
    codes = frozenset(["find_not_found"])
    return Case(kind, sample.name, sample.text, [edit], codes=codes, hint=shows(*windows), true=quote.true)


def _absent(kind: str, library: Library, sample: Sample, rng: random.Random) -> Case | None:
    """A stretch of another document."""
    other = rng.choice(library.plain)
    quote = quote_from(other, rng)
    part = rng.choice(sample.parts)
    if quote is None or other.name in sample.name or not sample.is_chain_unique(part) or quote.words < 4:
        return None
    if fuzz.partial_ratio(bare(quote.text), bare(sample.text)) > 85:
        return None
    return Case(
        kind,
        sample.name,
        sample.text,
        [edit_of(part.path, quote.text)],
        codes=frozenset(["find_not_found"]),
        true="(nothing)",
    )


def leads_to(text: str, find: str, accepted: str) -> Hint:
    """One of the candidates, sent back as the section, brings the edit where it belongs."""

    def hint(apply: Apply, refusal: Refusal) -> bool:
        tries = [attempt(apply, text, [edit_of(candidate, find)]) for candidate in refusal.candidates]
        return any(result == accepted for result in tries)

    return hint


def _elsewhere(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The text stands word for word in another section than the one named."""
    quote = _quote(sample, rng)
    others = [part for part in sample.parts if quote and not part.holds(quote.part) and sample.is_chain_unique(part)]
    if quote is None or not others or len(quote.true) < 12 or len(quote.true) > 500:
        return None
    part = rng.choice(others)
    stands_once = bare(sample.text).count(bare(quote.true)) == 1 and len(occurrences(sample.text, quote.true)) == 1
    near = fuzz.partial_ratio(bare(quote.true), bare(sample.text[part.start : part.end])) > 80
    if not stands_once or near or not bare(sample.text[part.body : part.end]):
        return None
    accepted = sample.text[: quote.start] + _NEW + sample.text[quote.end :]
    return Case(
        kind,
        sample.name,
        sample.text,
        [edit_of(part.path, quote.text)],
        codes=frozenset(["find_not_found"]),
        hint=leads_to(sample.text, quote.text, accepted),
        true=quote.true,
    )


def _ambiguous(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """Words that stand in the section's own text more than once; with other spacing, none of them exactly."""
    part = rng.choice(sample.parts)
    own = sample.text[part.start : part.own_end]
    words = list(re.finditer(r"\S+", own))
    if not sample.is_chain_unique(part) or len(words) < 8:
        return None
    first = rng.randrange(len(words) - 3)
    find = own[words[first].start() : words[first + rng.randint(0, 2)].end()]
    hits = occurrences(own, find)
    if len(find) < 5 or len(hits) < 2 or re.search(r"[\r\n]", find) or not re.search(r"\w{3}", find):
        return None
    lines = sorted({sample.line_at(part.start + hit) for hit in hits})
    if kind == "ambiguous, set otherwise":
        if len(find.split()) < 2 or len(re.findall(re.escape(find), own, re.IGNORECASE)) != len(hits):
            return None
        find = re.sub(" +", "  ", find, count=1)
        if find in own:
            return None

    def hint(apply: Apply, refusal: Refusal) -> bool:
        numbers = set(re.findall(r"\d+", refusal.words))
        return str(len(hits)) in numbers and all(str(line) in numbers for line in lines[:3])

    edit = edit_of(part.path, find)
    return Case(
        kind,
        sample.name,
        sample.text,
        [edit],
        codes=frozenset(["find_ambiguous"]),
        hint=hint,
        true=f"{len(hits)} times",
    )


def _appended(sample: Sample, block: str) -> Sample:
    """The document with one block more at its end."""
    gap = sample.newline * 2
    return Sample(sample.name, sample.text.rstrip("\r\n") + gap + block.replace("\n", sample.newline) + sample.newline)


def _equal_headings(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """Two headings with the same headings above them: nothing tells them apart, the find least of all."""
    quote = _quote(sample, rng)
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


def _equal_titles(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The last heading alone, where it stands under two others."""
    quote = _quote(sample, rng)
    if quote is None or quote.part.chain[-1][0] < 2 or not sample.is_title_unique(quote.part):
        return None
    level, title = quote.part.chain[-1]
    double = _appended(sample, f"# Addendum of later\n\n{'#' * level} {title}\n\nAnother text under the same title.")
    if sum(part.title == title for part in double.parts) != 2:
        return None
    accepted = double.text[: quote.start] + _NEW + double.text[quote.end :]
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


def _no_such_section(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    quote = _quote(sample, rng)
    if quote is None or not all(sample.is_chain_unique(part) for part in sample.parts):
        return None
    codes = frozenset(["section_not_found"])
    hint = _all_accepted(sample.text, quote.text)
    return Case(kind, sample.name, sample.text, [edit_of(rng.choice(_MADE_UP), quote.text)], codes=codes, hint=hint)


def _other_number_in_title(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """`Phase 2` is not `Phase 3`, and section 2.1 is not 2.7."""
    quote = _quote(sample, rng)
    found = re.search(r"\d", quote.part.title) if quote else None
    if quote is None or found is None:
        return None
    title = quote.part.title
    title = title[: found.start()] + rng.choice("3456789") + title[found.end() :]
    if bare(title) in {bare(part.title) for part in sample.parts} or title == quote.part.title:
        return None
    accepted = sample.text[: quote.start] + _NEW + sample.text[quote.end :]
    hint = leads_to(sample.text, quote.text, accepted)
    edit = edit_of(f"{'#' * quote.part.chain[-1][0]} {title}", quote.text)
    codes = frozenset(["section_not_found"])
    return Case(kind, sample.name, sample.text, [edit], codes=codes, hint=hint, true=quote.part.title)


def _wrong_heading_above(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The section is there, but not under the one it is said to be under."""
    quote = _quote(sample, rng)
    if quote is None or len(quote.part.chain) < 2 or not sample.is_title_unique(quote.part):
        return None
    above = [part for part in sample.parts if not part.holds(quote.part) and sample.is_title_unique(part)]
    above = [part for part in above if part.chain[-1][0] < quote.part.chain[-1][0]]
    if not above:
        return None
    level, title = rng.choice(above).chain[-1]
    accepted = sample.text[: quote.start] + _NEW + sample.text[quote.end :]
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


def _empty(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    part = rng.choice(sample.parts)
    if not sample.is_chain_unique(part):
        return None
    edit = edit_of(part.path, rng.choice(["", " ", "\n", "\t \n"]))
    return Case(kind, sample.name, sample.text, [edit], codes=frozenset(["find_empty"]))


def _ellipsis(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """Dots in a block of several lines, or after too little, do not say how far they reach."""
    part = rng.choice(sample.parts)
    lines = sample.lines(part)
    if not sample.is_chain_unique(part):
        return None
    if rng.random() < 0.3:
        blocks = single_line_blocks(sample, part)
        start, end = rng.choice(blocks) if blocks else (0, 0)
        find = sample.text[start:end][: rng.randint(3, 9)].strip()
    else:
        firsts = [
            one
            for one, other in pairwise(lines)
            if one.kind == "prose" and other.kind == "prose" and len(one.text.split()) > 6
        ]
        if not firsts:
            return None
        words = rng.choice(firsts).text.split()
        find = " ".join(words[: rng.randint(4, 6)])
    if len(find) < 3 or find.endswith(".") or occurrences(sample.text, find + "..."):
        return None
    edit = edit_of(part.path, find + rng.choice(["...", "…"]))
    codes = frozenset(["find_not_found", "find_ambiguous"])
    return Case(kind, sample.name, sample.text, [edit], codes=codes, true="(where it ends is not said)")


def _half_a_batch(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """A good edit and a bad one: neither is carried out, and the bad one is pointed at."""
    quote, part = _quote(sample, rng), rng.choice(sample.parts)
    if quote is None or not sample.is_chain_unique(part):
        return None
    edits = [edit_of(quote.part.path, quote.text), edit_of(part.path, "Nobody has ever written this sentence down.")]
    bad = 1
    if rng.random() < 0.5:
        edits.reverse()
        bad = 0
    codes = frozenset(["find_not_found"])

    def hint(apply: Apply, refusal: Refusal) -> bool:
        return refusal.indexes == {bad} and "nothing was applied" in refusal.words.lower()

    return Case(kind, sample.name, sample.text, edits, codes=codes, hint=hint, true=quote.true)


def _overlap(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The second edit quotes what the first one wrote."""
    quote = _quote(sample, rng)
    if quote is None or _NEW in sample.text:
        return None
    path = quote.part.path
    edits = [edit_of(path, quote.text), edit_of(path, rng.choice([_NEW, "else stands here", _NEW[:14]]), "x")]
    return Case(kind, sample.name, sample.text, edits, codes=frozenset(["overlap"]), true=quote.true)


Maker = Callable[[str, Sample, random.Random], Case | None]
_MAKERS: dict[str, tuple[int, Maker]] = {
    **{kind: (weight, _decoy) for kind, (weight, _) in DECOYS.items()},
    "in another section": (8, _elsewhere),
    "ambiguous": (8, _ambiguous),
    "ambiguous, set otherwise": (4, _ambiguous),
    "equal headings": (5, _equal_headings),
    "equal titles": (5, _equal_titles),
    "no such section": (4, _no_such_section),
    "other number in title": (3, _other_number_in_title),
    "wrong heading above": (3, _wrong_heading_above),
    "empty find": (2, _empty),
    "ellipsis without an end": (3, _ellipsis),
    "half a batch": (3, _half_a_batch),
    "overlap": (2, _overlap),
}
NEGATIVES: dict[str, int] = {**{kind: weight for kind, (weight, _) in _MAKERS.items()}, "absent": 6}


def negative(kind: str, library: Library, rng: random.Random) -> Case | None:
    """A case of the kind, or None if the dice fell badly."""
    sample = library.pick(rng)
    if not sample.parts:
        return None
    if kind == "absent":
        return _absent(kind, library, sample, rng)
    return _MAKERS[kind][1](kind, sample, rng)
