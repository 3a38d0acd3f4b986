"""How a scripted model quotes text and names sections: rarely as they stand there."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from tests.noise.cases import accepted_texts
from tests.noise.decoys import DECOYS
from tests.noise.ends import single_line_blocks
from tests.noise.naming import NAMINGS, full, leaf, separators
from tests.noise.quotes import Quote
from tests.noise.samples import Part, Sample, bare
from tests.noise.spoiling import SPOILERS
from tests.simulation.relay.naive import Change

# What takes marks away or adds some: a model that does so to a quote does the same to what it writes instead.
_OF_MARKS = frozenset(
    ["emphasis dropped", "emphasis added", "code ticks dropped", "code ticks added", "links as text", "escapes"]
)
# What leaves every word and mark as it is, so that two of them can come together.
_OF_SETTING = frozenset(["spacing", "wrapping", "quotation marks", "dashes", "list marks"])
_EXACT_SHARE, _MISREMEMBERED_SHARE, _TWICE_SHARE, _ELLIPSIS_SHARE, _PLAIN_NAME_SHARE = 0.12, 0.1, 0.15, 0.25, 0.45
_TRIES = 12


@dataclass(frozen=True)
class Quoted:
    """A quote as it is sent.

    Attributes:
        noise: what is wrong with it.
        find: what is sent.
        is_misremembered: its words mean something else, so it has to be refused.
        may_end_later: up to where the stretch may reach as well, since nobody sees the difference; 0 for its end.
    """

    noise: str
    find: str
    is_misremembered: bool = False
    may_end_later: int = 0


def quoted(quote: Quote, rng: random.Random, *, keeps_marks: bool = False) -> Quoted:
    """A stretch as a model quotes it, by the ways of `tests.noise`; exact where none of these ways fits it.

    Args:
        quote: the stretch.
        rng: the dice.
        keeps_marks: leave emphasis, code and links as they are.
    """
    if rng.random() < _EXACT_SHARE:
        return Quoted("exact", quote.text)
    if rng.random() < _MISREMEMBERED_SHARE and (wrong := _misremembered(quote, rng)):
        return wrong
    if rng.random() < _ELLIPSIS_SHARE and (shortened := _shortened(quote, rng)):
        return shortened
    ways = {
        name: way for name, (_, way) in SPOILERS.items() if name != "exact" and not (keeps_marks and name in _OF_MARKS)
    }
    weights = [SPOILERS[name][0] for name in ways]
    for _ in range(_TRIES):
        [name] = rng.choices(list(ways), weights)
        find = ways[name](quote, rng)
        if not find or not find.strip() or not _means(quote, find):
            continue
        if rng.random() < _TWICE_SHARE and name in _OF_SETTING:
            [other] = rng.choices(list(ways), weights)
            again = ways[other](_Resent(quote, find), rng) if other in _OF_SETTING and other != name else None
            if again and again.strip() and _means(quote, again):
                return Quoted(f"{name} + {other}", again)
        return Quoted(name, find)
    return Quoted("exact", quote.text)


class _Resent(Quote):
    """A quote that has been spoiled once."""

    def __init__(self, quote: Quote, text: str) -> None:
        super().__init__(quote.sample, quote.part, quote.start, quote.end, quote.shape)
        object.__setattr__(self, "_sent", text)

    @property
    def text(self) -> str:
        return str(self.__dict__["_sent"])


def _shortened(quote: Quote, rng: random.Random) -> Quoted | None:
    """The beginning or the end of a block of one line, dots for the rest."""
    sample, part = quote.sample, quote.part
    if (quote.start, quote.end) not in single_line_blocks(sample, part):
        return None
    words = quote.text.split(" ")
    if len(words) < 7 or set("…*`[_") & set(quote.text) or "..." in quote.text:
        return None
    count, dots = rng.randint(4, len(words) - 2), rng.choice(["...", "…", " ...", " …"])
    is_head = rng.random() < 0.7
    kept = " ".join(words[:count] if is_head else words[-count:])
    if len(kept) < 14 or bare(sample.text[part.start : part.end]).count(bare(kept)) != 1:
        return None
    find = kept + dots if is_head else f"{dots.strip()} {kept}"
    blanks = len(sample.text[quote.end :]) - len(sample.text[quote.end :].lstrip(" \t"))
    return Quoted("ellipsis", find, may_end_later=quote.end + blanks if is_head and blanks else 0)


def _means(quote: Quote, find: str) -> bool:
    """Whether a quote with noise stands nowhere exactly, so that it can mean the stretch alone."""
    own = quote.sample.text[quote.part.start : quote.part.end]
    return find not in quote.text and find not in own.replace(quote.true, "\0")


def _misremembered(quote: Quote, rng: random.Random) -> Quoted | None:
    own = quote.sample.text[quote.part.start : quote.part.end]
    for _ in range(_TRIES):
        [name] = rng.choices(list(DECOYS), [weight for weight, _ in DECOYS.values()])
        found = DECOYS[name][1](quote, rng)
        if found is None or bare(found[0]) in bare(own) or bare(found[0]) == bare(quote.true):
            continue
        if found[0] not in quote.sample.text:
            return Quoted(name, found[0], is_misremembered=True)
    return None


def changed(quote: Quote, given: Quoted, new: str) -> Change:
    """What may become of a quoted stretch: a pair of marks around it may go or stay if the quote is wrong in marks."""
    text = quote.sample.text
    if given.noise not in _OF_MARKS:
        ends = [quote.end, given.may_end_later] if given.may_end_later else [quote.end]
        return Change(tuple((quote.start, end, new) for end in ends))
    allowed = accepted_texts(text, quote.start, quote.end, new, strict=False)
    ways = [(quote.start, quote.end, new)]
    for width in (1, 2, 3):
        for start, end in ((quote.start + width, quote.end - width), (quote.start - width, quote.end + width)):
            if 0 <= start < end <= len(text) and text[:start] + new + text[end:] in allowed:
                ways.append((start, end, new))
    return Change(tuple(dict.fromkeys(ways)))


def named(sample: Sample, part: Part, rng: random.Random) -> tuple[str, str]:
    """A name for a section and what is wrong with it; every name means this section and no other."""
    if rng.random() < _PLAIN_NAME_SHARE:
        way = rng.choice([full, full, leaf, separators])
        return way(sample, part, rng) or part.path, "exact"
    for _ in range(_TRIES):
        [name] = rng.choices(list(NAMINGS), [weight for weight, _ in NAMINGS.values()])
        path = NAMINGS[name][1](sample, part, rng)
        if path is not None:
            return path, name
    return part.path, "exact"


def noise_of(*noises: str) -> str:
    """Several noises as one."""
    return " + ".join(noise for noise in noises if noise != "exact") or "exact"


def careful_quote(quote: Quote) -> Quote | None:
    """The stretch or, where it stands there more than once, the lines around it that stand there once."""
    sample, part = quote.sample, quote.part
    own = sample.text[part.start : part.own_end]
    start, end = quote.start, quote.end
    lines = sample.lines(part)
    first = next((at for at, line in enumerate(lines) if line.start <= start <= line.end), None)
    last = next((at for at, line in enumerate(lines) if line.start <= end <= line.end), None)
    if first is None or last is None:
        return quote if own.count(quote.true) == 1 else None
    while own.count(sample.text[start:end]) != 1:
        if (start, end) == (lines[0].start, lines[-1].end):
            return None
        if start > lines[first].start or end < lines[last].end:
            start, end = lines[first].start, lines[last].end
        elif first > 0:
            first -= 1
            start = lines[first].start
        else:
            last += 1
            end = lines[last].end
        if last == len(lines) - 1 and first == 0 and own.count(sample.text[start:end]) != 1:
            return None
    return replace(
        quote, start=start, end=end, shape="lines" if (start, end) != (quote.start, quote.end) else quote.shape
    )
