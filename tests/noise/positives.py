"""Edits that must be carried out, exactly where they were meant."""

from __future__ import annotations

import random

from tests.noise.cases import Case, accepted_texts
from tests.noise.ends import ENDS
from tests.noise.escaping import ESCAPING
from tests.noise.naming import NAMINGS, full, leaf, separators
from tests.noise.quotes import Quote, is_balanced, quote_from
from tests.noise.repeating import REPEATED, repeated
from tests.noise.rewording import REWORDED
from tests.noise.samples import Library, Part, Sample
from tests.noise.spoiling import SETTINGS, SPOILERS, Spoiler, exact
from tests.noise.thesaurus import THESAURUS

_SHAPES_FOR = {
    "list marks": ("item", "lines", "line"),
    "table row padded": ("row",),
    "table row tight": ("row",),
    "paraphrase": ("sentence", "line", "item", "lines"),
    "typing error": ("sentence", "line", "item", "lines"),
    "capital": ("sentence", "phrase"),
    "wrapping": ("phrase", "sentence", "line", "lines", "item"),
}
_MAKERS = {**ENDS, **ESCAPING, **REWORDED, **THESAURUS}
_REPLACEMENTS = [
    "Something else stands here now.",
    "Something else stands here now.",
    "It costs \\1 and $& and \\g<0>, `code` and **more**.",
    "One line\nand another one.",
    "",
]


def positive(kind: str, library: Library, rng: random.Random) -> Case | None:
    """A case of the kind, or None if the dice fell badly."""
    sample = library.pick(rng)
    if kind.startswith("section: "):
        return _named(kind, sample, rng)
    if kind in REPEATED:
        return repeated(kind, sample, rng)
    if kind in _MAKERS:
        return _MAKERS[kind][1](kind, sample, rng)
    if kind == "with its line end":
        return _whole_line(sample, rng)
    if kind == "heading line":
        return _heading(sample, rng)
    if kind == "several of these":
        first, second = rng.sample(SETTINGS, 2)
        return _spoiled(kind, sample, lambda quote, dice: _both(first, second, quote, dice), rng)
    return _spoiled(kind, sample, SPOILERS[kind][1], rng)


def case_of(kind: str, quote: Quote, find: str, section: str, rng: random.Random, *, strict: bool = False) -> Case:
    """The case in which a quote, sent as `find`, is replaced."""
    sample = quote.sample
    given = rng.choice(_REPLACEMENTS)
    new = given.replace("\n", sample.newline)
    accepted = accepted_texts(sample.text, quote.start, quote.end, new, strict=strict)
    edit = {"section": section, "find": find, "replace": given}
    return Case(kind, sample.name, sample.text, [edit], accepted, true=quote.true)


def _both(first: Spoiler, second: Spoiler, quote: Quote, rng: random.Random) -> str | None:
    once = first(quote, rng)
    if once is None:
        return None
    again = second(_Resent(quote.sample, quote.part, quote.start, quote.end, quote.shape, once), rng)
    return again if again != once else None


class _Resent(Quote):
    """A quote that has been spoiled once."""

    def __init__(self, sample: Sample, part: Part, start: int, end: int, shape: str, text: str) -> None:
        super().__init__(sample, part, start, end, shape)
        object.__setattr__(self, "_text", text)

    @property
    def text(self) -> str:
        return str(self.__dict__["_text"])


def _plain_name(sample: Sample, part: Part, rng: random.Random) -> str | None:
    [way] = rng.choices([full, leaf, separators], [6, 2, 1])
    return way(sample, part, rng) or full(sample, part, rng)


def _spoiled(kind: str, sample: Sample, spoil: Spoiler, rng: random.Random) -> Case | None:
    quote = quote_from(sample, rng, _SHAPES_FOR[kind]) if kind in _SHAPES_FOR else quote_from(sample, rng)
    if quote is None:
        return None
    find = spoil(quote, rng)
    if find is None or not find.strip() or (find in quote.text) != (spoil is exact):  # what stands there stands there
        return None
    own = quote.sample.text[quote.part.start : quote.part.end]
    if spoil is not exact and find.replace("\n", sample.newline) in own.replace(quote.true, "\0"):
        return None
    section = _plain_name(sample, quote.part, rng)
    return None if section is None else case_of(kind, quote, find, section, rng, strict=spoil is exact)


def _named(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    quote = quote_from(sample, rng)
    if quote is None:
        return None
    if kind == "section: one above":
        return _named_by_an_ancestor(kind, quote, rng)
    section = NAMINGS[kind][1](sample, quote.part, rng)
    return None if section is None else case_of(kind, quote, quote.text, section, rng, strict=True)


def _named_by_an_ancestor(kind: str, quote: Quote, rng: random.Random) -> Case | None:
    """The text stands in a subsection of the section that is named."""
    above = [part for part in quote.sample.parts if part.holds(quote.part) and part is not quote.part]
    above = [part for part in above if quote.is_unique_in(part) and quote.sample.is_chain_unique(part)]
    if not above:
        return None
    return case_of(kind, quote, quote.text, rng.choice(above).path, rng, strict=True)


def _heading(sample: Sample, rng: random.Random) -> Case | None:
    """A find that begins with the heading line, as models like to send."""
    quote = quote_from(sample, rng, ("phrase", "sentence", "line"))
    if quote is None:
        return None
    lines = sample.lines(quote.part)
    text = [line for line in lines if line.kind != "blank"]
    if not text or text[0].kind not in ("prose", "item") or not sample.is_chain_unique(quote.part):
        return None
    start = quote.part.start
    whole = Quote(sample, quote.part, start, start + len(sample.text[start : text[0].end].rstrip()), "heading")
    if not is_balanced(whole.true):
        return None
    return case_of("heading line", whole, whole.text, quote.part.path, rng, strict=True)


def _whole_line(sample: Sample, rng: random.Random) -> Case | None:
    """A whole line with its line end, spoiled or not; the new text brings its own."""
    quote = quote_from(sample, rng, ("line", "item", "lines"))
    if quote is None or not sample.text.startswith(sample.newline, quote.end):
        return None
    spoil = rng.choice([exact, SPOILERS["spacing"][1], SPOILERS["dashes"][1], SPOILERS["emphasis dropped"][1]])
    find, section = spoil(quote, rng), _plain_name(sample, quote.part, rng)
    if find is None or section is None:
        return None
    end = quote.end + len(sample.newline)
    accepted = {sample.text[: quote.start] + "New line." + sample.newline + sample.text[end:]}
    edit = {"section": section, "find": f"{find}\n", "replace": "New line.\n"}
    return Case("with its line end", sample.name, sample.text, [edit], frozenset(accepted), true=quote.true)


POSITIVES: dict[str, int] = {
    **{kind: weight for kind, (weight, _) in SPOILERS.items()},
    "several of these": 8,
    **{kind: weight for kind, (weight, _) in _MAKERS.items()},
    **REPEATED,
    "with its line end": 4,
    "heading line": 3,
    "section: one above": 4,
    **{kind: weight for kind, (weight, _) in NAMINGS.items()},
}
