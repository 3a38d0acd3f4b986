"""Edits that must be refused, and what the refusal must say."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import pairwise

from rapidfuzz import fuzz

from tests.noise import unclear_sections as sections
from tests.noise.asking import NEW, edit_of, leads_to, quote_of
from tests.noise.cases import Apply, Case, Hint, Refusal
from tests.noise.decoys import DECOYS
from tests.noise.ends import half_apart, single_line_blocks
from tests.noise.quotes import quote_from
from tests.noise.repeating import two_ways
from tests.noise.rewording import NOT_CLEAR
from tests.noise.samples import Library, Sample, bare, occurrences
from tests.noise.thesaurus import FURTHER_DECOYS


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def shows(*stretches: str) -> Hint:
    """The words of the refusal hold one of these stretches as they stand in the document."""
    wanted = [_squeezed(stretch) for stretch in stretches]
    return lambda apply, refusal: any(stretch in _squeezed(refusal.words) for stretch in wanted)


def _decoy(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """A find that means something else; the refusal shows the true words."""
    quote = quote_of(sample, rng)
    found = _DECOYS[kind][1](quote, rng) if quote else None
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


def _elsewhere(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The text stands word for word in another section than the one named."""
    quote = quote_of(sample, rng)
    others = [part for part in sample.parts if quote and not part.holds(quote.part) and sample.is_chain_unique(part)]
    if quote is None or not others or len(quote.true) < 12 or len(quote.true) > 500:
        return None
    part = rng.choice(others)
    stands_once = bare(sample.text).count(bare(quote.true)) == 1 and len(occurrences(sample.text, quote.true)) == 1
    near = fuzz.partial_ratio(bare(quote.true), bare(sample.text[part.start : part.end])) > 80
    if not stands_once or near or not bare(sample.text[part.body : part.end]):
        return None
    accepted = sample.text[: quote.start] + NEW + sample.text[quote.end :]
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
    lines = {sample.line_at(part.start + hit) for hit in hits[:5]}
    if kind == "ambiguous, set otherwise":
        # Nothing but spacing may tell the places apart, or there are more of them than were counted.
        if len(find.split()) < 2 or bare(own).count(bare(find)) != len(hits):
            return None
        find = re.sub(" +", "  ", find, count=1)
        if find in own:
            return None

    def hint(apply: Apply, refusal: Refusal) -> bool:
        numbers = set(re.findall(r"\d+", refusal.words))
        return str(len(hits)) in numbers and all(str(line) in numbers for line in lines)

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
    quote, part = quote_of(sample, rng), rng.choice(sample.parts)
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
    quote = quote_of(sample, rng)
    if quote is None or NEW in sample.text:
        return None
    path = quote.part.path
    edits = [edit_of(path, quote.text), edit_of(path, rng.choice([NEW, "else stands here", NEW[:14]]), "x")]
    return Case(kind, sample.name, sample.text, edits, codes=frozenset(["overlap"]), true=quote.true)


Maker = Callable[[str, Sample, random.Random], Case | None]
_DECOYS = DECOYS | FURTHER_DECOYS
_MAKERS: dict[str, tuple[int, Maker]] = {
    **{kind: (weight, _decoy) for kind, (weight, _) in _DECOYS.items()},
    **NOT_CLEAR,
    "half a pair, half apart": (4, half_apart),
    "repeated: two ways to keep": (5, two_ways),
    "in another section": (8, _elsewhere),
    "ambiguous": (8, _ambiguous),
    "ambiguous, set otherwise": (4, _ambiguous),
    "equal headings": (5, sections.equal_headings),
    "equal titles": (5, sections.equal_titles),
    "no such section": (4, sections.no_such_section),
    "other number in title": (3, sections.other_number_in_title),
    "wrong heading above": (3, sections.wrong_heading_above),
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
