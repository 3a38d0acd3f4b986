"""Quotes whose ends are not clean: line ends, blanks, half pairs of marks, dots. The middle is what stands there."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from tests.noise.cases import Case, Edit
from tests.noise.quotes import Quote, quote_from
from tests.noise.samples import Part, Sample, bare, occurrences
from tests.noise.spoiling import SPOILERS, exact

Maker = Callable[[str, Sample, random.Random], Case | None]
NEW = ["Something else stands here now.", "Nothing of that: `code` and **more**.", "One line\nand another one."]
_SPOILS = [exact, exact, *(SPOILERS[name][1] for name in ("spacing", "dashes", "emphasis dropped", "quotation marks"))]
# A pair of marks in a line: what opens it, its text, what closes it.
_PAIR = re.compile(
    r"(?<![\w*_`\\\[!])(?:(\*\*|\*|`|__|_)(?![\s*_`])([^*_`\[\]\\|<>]+?)(?<![\s*_`])(\1)(?![\w*_`])"
    r"|(\[)([^*_`\[\]\\|<>]+)(\]\([^()\s]+\)))"
)


def case(kind: str, quote: Quote, find: str, given: str, accepted: set[tuple[int, int]]) -> Case:
    """The case in which one of some spans is replaced."""
    text, new = quote.sample.text, given.replace("\n", quote.sample.newline)
    edit: Edit = {"section": quote.part.path, "find": find, "replace": given}
    texts = frozenset(text[:start] + new + text[end:] for start, end in accepted)
    return Case(kind, quote.sample.name, text, [edit], texts, true=quote.true)


def _lines_of(sample: Sample, rng: random.Random) -> Quote | None:
    quote = quote_from(sample, rng, ("line", "item", "lines"))
    return quote if quote is not None and sample.is_chain_unique(quote.part) else None


def line_end(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The line end behind the quote, which the new text has not: it stays."""
    quote = _lines_of(sample, rng)
    if quote is None or not sample.text.startswith(sample.newline, quote.end):
        return None
    find = rng.choice(_SPOILS)(quote, rng)
    if find is None:
        return None
    tail = rng.choice(["\n", "\n", "\n\n", " \n", "\n  "])
    return case(kind, quote, find + tail, rng.choice(NEW), {(quote.start, quote.end)})


def line_end_before(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The line end before it."""
    quote = _lines_of(sample, rng)
    if quote is None or not sample.text.endswith(sample.newline, 0, quote.start):
        return None
    find = rng.choice(_SPOILS)(quote, rng)
    lead = rng.choice(["\n", "\n", "\n\n"])
    return None if find is None else case(kind, quote, lead + find, rng.choice(NEW), {(quote.start, quote.end)})


def line_taken_out(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """A whole line with its line end, letter for letter, for nothing: the line goes, no two others are joined."""
    quote = _lines_of(sample, rng)
    if quote is None or not sample.text.startswith(sample.newline, quote.end):
        return None
    begins = quote.start == 0 or sample.text[quote.start - 1] in "\r\n"
    end = quote.end + len(sample.newline)
    is_last = sample.text.startswith(sample.newline, end) or end == len(sample.text)
    ends = {end} if begins else {quote.end, end} if is_last else {quote.end}
    return case(kind, quote, quote.text + "\n", "", {(quote.start, end) for end in ends})


def blanks(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """Blanks around a phrase that the new text has not. Where they stand there, they may go: they were quoted."""
    quote = quote_from(sample, rng, ("phrase", "sentence"))
    if quote is None or not sample.is_chain_unique(quote.part):
        return None
    find = rng.choice(_SPOILS)(quote, rng)
    if find is None:
        return None
    lead, tail = rng.choice([(" ", ""), ("", " "), (" ", " "), ("  ", ""), ("", "\t"), ("", "  ")])
    spans = {(quote.start, quote.end)}
    if find == quote.text:  # letter for letter, as far as the blanks are those
        start = quote.start - len(lead) if sample.text.endswith(lead, 0, quote.start) else -1
        end = quote.end + len(tail) if sample.text.startswith(tail, quote.end) else -1
        spans |= {(start, end)} if start >= 0 <= end else set()
    return case(kind, quote, lead + find + tail, rng.choice(NEW), spans)


def _marked(sample: Sample, rng: random.Random) -> Iterator[tuple[Part, int, int, int, int, int]]:
    """A pair of marks of running text: its part, where it and its text begin and end, and where the line ends."""
    if not sample.parts:
        return
    part = rng.choice(sample.parts)
    lines = [line for line in sample.lines(part) if line.kind in ("prose", "item")]
    rng.shuffle(lines)
    for line in lines:
        for found in _PAIR.finditer(line.text):
            group = 2 if found[2] is not None else 5
            spans = found.start(), found.start(group), found.end(group), found.end()
            if sample.is_chain_unique(part):
                yield part, *(line.start + at for at in spans), line.end


def _words_after(sample: Sample, at: int, end: int, rng: random.Random) -> int:
    """The end of some plain words that follow a place in its line; the place itself if there are none."""
    words = list(re.finditer(r"\s+[A-Za-z]{2,}(?:[a-z,]*)(?=\s|[.;:]|$)", sample.text[at:end]))
    run = 0
    while run < len(words) and words[run].start() == (words[run - 1].end() if run else 0):
        run += 1
    return at + words[rng.randrange(run)].end() if run else at


def _half(sample: Sample, rng: random.Random) -> tuple[Quote, tuple[int, int], str] | None:
    """A quote that holds one half of a pair, the span with the whole pair, and the half."""
    for part, outer, inner, inner_end, outer_end, line_end in _marked(sample, rng):
        if rng.random() < 0.6:
            end = _words_after(sample, outer_end, line_end, rng)
            quote, whole, half = Quote(sample, part, inner, end, "half"), (outer, end), sample.text[inner_end:outer_end]
        else:
            quote, whole = Quote(sample, part, outer, inner_end, "half"), (outer, outer_end)
            half = sample.text[outer:inner]
        own = sample.text[part.start : part.end]
        words = bare(quote.true)
        if len(quote.true) >= 8 and " " in words and own.count(quote.true) == bare(own).count(words) == 1:
            return quote, whole, half
    return None


def half_pair(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """A quote that begins or ends inside a pair: the whole pair is replaced, by a text that has none or a whole one."""
    found = _half(sample, rng)
    if found is None:
        return None
    quote, whole, half = found
    if half.startswith("](") and rng.random() < 0.3:
        half = "]"
    given = rng.choice(["Something else now.", "**Something** else now.", "something `else`"])
    return case(kind, quote, quote.text, given, {whole})


def same_half(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The new text has the same half: the other one stays where it is."""
    found = _half(sample, rng)
    if found is None:
        return None
    quote, _, half = found
    given = half + "else" if quote.true.startswith(half) else f"else{half} now"
    return case(kind, quote, quote.text, given, {(quote.start, quote.end)})


def mark_at_one_end(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """A mark at one end that the document has not; the new text has none, either."""
    quote = quote_from(sample, rng, ("phrase", "sentence"))
    if (
        quote is None
        or not sample.is_chain_unique(quote.part)
        or set("*_`[]<>\\~") & set(quote.true)
        or quote.words < 3
    ):
        return None
    around = sample.text[max(0, quote.start - 3) : quote.start] + sample.text[quote.end : quote.end + 3]
    if set("*_`[]") & set(around) or not re.search(r"\w\Z|[.,]\Z", quote.true) or not quote.true[0].isalnum():
        return None
    mark = rng.choice(["**", "*", "`"])
    find = mark + quote.text if rng.random() < 0.5 else quote.text + mark
    return case(kind, quote, find, "Something else now.", {(quote.start, quote.end)})


def pair_at_both_ends(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """A pair of another kind than stands there, or one more: the pair of the document goes with its text."""
    for part, outer, inner, inner_end, outer_end, _ in _marked(sample, rng):
        quote = Quote(sample, part, inner, inner_end, "pair")
        mark = sample.text[outer:inner]
        own = bare(sample.text[part.start : part.end])
        if mark not in ("**", "*", "__", "_") or len(quote.true) < 8 or own.count(bare(quote.true)) != 1:
            continue
        other = rng.choice([one for one in ("**", "*", "`", "***") if one != mark])
        return case(kind, quote, f"{other}{quote.text}{other}", rng.choice(["**New**", "new"]), {(outer, outer_end)})
    return None


def half_apart(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """One half of a pair whose other half stands further away, for a text without marks: refused."""
    for part, outer, inner, inner_end, outer_end, line_end in _marked(sample, rng):
        words = list(re.finditer(r"\S+", sample.text[inner:inner_end]))
        if len(words) < 3 or sample.text[outer:inner] == "[":
            continue
        start = inner + words[rng.randint(1, len(words) - 2)].start()
        end = _words_after(sample, outer_end, line_end, rng)
        quote = Quote(sample, part, start, end, "half")
        own = sample.text[part.start : part.end]
        if len(bare(quote.true)) >= 8 and bare(own).count(bare(quote.true)) == 1:
            edit: Edit = {"section": part.path, "find": quote.text, "replace": "Something else now."}
            codes = frozenset(["find_not_found"])
            return Case(kind, sample.name, sample.text, [edit], codes=codes, true=quote.true)
    return None


def single_line_blocks(sample: Sample, part: Part) -> list[tuple[int, int]]:
    """Stretches of blocks that are one line: from where its content begins to the end of the line."""
    lines = sample.lines(part)
    found = []
    for index, line in enumerate(lines):
        before = lines[index - 1].kind if index else "blank"
        after = lines[index + 1].kind if index + 1 < len(lines) else "blank"
        alone = line.kind == "prose" and before == after == "blank"
        if alone or (line.kind == "item" and after in ("blank", "item") and before in ("blank", "item")):
            mark = re.match(r"\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?)?", line.text)
            start = line.start + (mark.end() if mark else 0)
            found.append((start, line.start + len(line.text.rstrip())))
    return found


def ellipsis(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The beginning or the end of a block that is one line; the dots stand for the rest of it, and for no blank."""
    if not sample.parts:
        return None
    number = rng.randrange(len(sample.parts))
    blocks = single_line_blocks(sample, sample.parts[number])
    if not blocks:
        return None
    start, end = rng.choice(blocks)
    if rng.random() < 0.5 and end < len(sample.text):  # blanks at the end of the line make a line break
        sample = Sample(sample.name, f"{sample.text[:end]}  {sample.text[end:]}")
    part = sample.parts[number]
    quote = Quote(sample, part, start, end, "line")
    words = quote.text.split(" ")
    if len(words) < 7 or not quote.is_unique_in(part) or set("…*`[_") & set(quote.text) or "..." in quote.text:
        return None
    count = rng.randint(4, len(words) - 2)
    dots = rng.choice(["...", "…", " ...", " …"])
    is_head = rng.random() < 0.7
    kept = " ".join(words[:count] if is_head else words[-count:])
    own = bare(sample.text[part.start : part.end])
    if len(kept) < 14 or own.count(bare(kept)) != 1 or occurrences(sample.text, kept + dots):
        return None
    find = kept + dots if is_head else f"{dots.strip()}{rng.choice([' ', ''])}{kept}"
    return case(kind, quote, find, rng.choice(NEW), {(start, end)}) if sample.is_chain_unique(part) else None


ENDS: dict[str, tuple[int, Maker]] = {
    "end: line end": (6, line_end),
    "end: line end before": (4, line_end_before),
    "end: line taken out": (3, line_taken_out),
    "end: blanks": (6, blanks),
    "end: half a pair": (6, half_pair),
    "end: same half": (3, same_half),
    "end: mark at one end": (4, mark_at_one_end),
    "end: another pair": (2, pair_at_both_ends),
    "ellipsis": (5, ellipsis),
}
