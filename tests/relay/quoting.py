"""How a scripted model quotes text and names sections: rarely as they stand there."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from tests.noise.cases import accepted_texts
from tests.noise.decoys import DECOYS
from tests.noise.naming import NAMINGS, full, leaf, separators
from tests.noise.quotes import Quote
from tests.noise.samples import Part, Sample, bare
from tests.noise.spoiling import SPOILERS
from tests.relay.naive import Change

_MARKS = frozenset("*_`[]")
# What takes marks away or adds some: a model that does so to a quote does the same to what it writes instead.
_OF_MARKS = frozenset(
    ["emphasis dropped", "emphasis added", "code ticks dropped", "code ticks added", "links as text", "escapes"]
)
_EXACT_SHARE, _MISREMEMBERED_SHARE, _PLAIN_NAME_SHARE = 0.2, 0.06, 0.6
_TRIES = 6


@dataclass(frozen=True)
class Quoted:
    """A quote as it is sent.

    Attributes:
        noise: what is wrong with it.
        find: what is sent.
        is_misremembered: its words mean something else, so it has to be refused.
    """

    noise: str
    find: str
    is_misremembered: bool = False


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
    ways = {name: way for name, way in SPOILERS.items() if name != "exact" and not (keeps_marks and name in _OF_MARKS)}
    for _ in range(_TRIES):
        [name] = rng.choices(list(ways), [weight for weight, _ in ways.values()])
        find = ways[name][1](quote, rng)
        if find and find.strip() and _means(quote, find):
            return Quoted(name, find)
    return Quoted("exact", quote.text)


def _means(quote: Quote, find: str) -> bool:
    """Whether a quote with noise stands nowhere exactly, so that it can mean the stretch alone."""
    own = quote.sample.text[quote.part.start : quote.part.end]
    return find not in quote.text and find not in own.replace(quote.true, "\0")


def _misremembered(quote: Quote, rng: random.Random) -> Quoted | None:
    [name] = rng.choices(list(DECOYS), [weight for weight, _ in DECOYS.values()])
    found = DECOYS[name][1](quote, rng)
    if found is None:
        return None
    own = quote.sample.text[quote.part.start : quote.part.end]
    if bare(found[0]) in bare(own) or bare(found[0]) == bare(quote.true) or found[0] in quote.sample.text:
        return None
    return Quoted(name, found[0], is_misremembered=True)


def changed(quote: Quote, given: Quoted, new: str) -> Change:
    """What may become of a quoted stretch: a pair of marks around it may go or stay if the quote is wrong in marks."""
    text = quote.sample.text
    strict = given.noise not in _OF_MARKS
    if strict:
        return Change(((quote.start, quote.end, new),))
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
