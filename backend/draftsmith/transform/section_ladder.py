"""Finds the one section that a path means, by a series of rungs; a rung must match exactly once.

exact (as written or without marks) · normalised (case, punctuation, quotes, `&`) · without blanks · without leading
numbering · nearly the same, guarded. Headings before the last must be its ancestors, in order; some may be left out.
Ancestors and levels only decide between equal matches; if two remain, the path is refused and both are listed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from draftsmith.model.sections import Outline, Section
from draftsmith.model.titles import plain_title
from draftsmith.transform.wording import is_inflection, is_typo

_MARKED = re.compile(r"(?:^|(?<=[\s>/]))(#{1,6})[ \t]+")
_SEPARATORS = re.compile(r"(?<!\s)\s++(?:(?:>|/|::?)\s++|[→›»]\s*+)|[→›»]\s*+|\n++")
_CLOSING = re.compile(r"(?<![ \t])[ \t]++#++[ \t]*+$")
_NUMBERING = re.compile(
    r"^(?:(?:section|chapter|part|appendix|step|phase)\s+)?(?:\d+(?:[.)\-]\d+)*[.):]?|[a-z][.)]|[ivxlc]+[.)])\s+",
    re.IGNORECASE,
)
_PUNCTUATION = re.compile(r"[^\w\s]+")
_FUZZY, _MARGIN = 84, 5
_SHORT_FUZZY = 75  # one typing error in a title of one short word
_SMALL = frozenset({"the", "a", "an", "of", "and", "for", "to", "in", "on"})


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a section path; level 0 if none was given."""

    level: int
    title: str


@lru_cache(maxsize=2048)
def parse_path(path: str) -> tuple[Segment, ...]:
    """Split a section path into its headings."""
    marks = list(_MARKED.finditer(path))
    if marks and not path[: marks[0].start()].strip():
        ends = [mark.start() for mark in marks[1:]] + [len(path)]
        parts = [(len(mark[1]), path[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
    else:
        parts = [(0, part) for part in _SEPARATORS.split(path)]
    cleaned = [(level, _CLOSING.sub("", part).strip().rstrip(">/→").strip()) for level, part in parts]
    return tuple(Segment(level, title) for level, title in cleaned if title)


@lru_cache(maxsize=8192)
def normal_title(title: str) -> str:
    """A title for comparing: NFKC, case folded, marks and punctuation dropped, `&` read as "and"."""
    text = unicodedata.normalize("NFKC", plain_title(title)).casefold().replace("&", " and ")
    text = text.replace("_", " ")
    kept = text.replace("c++", "cplusplus").replace("c#", "csharp")
    return " ".join(_PUNCTUATION.sub(" ", kept).split()) or " ".join(text.split())


def _joined(title: str) -> str:
    return normal_title(title).replace(" ", "")


@lru_cache(maxsize=8192)
def _unnumbered(title: str) -> str:
    plain = plain_title(title)
    rest = _NUMBERING.sub("", plain)
    return normal_title(rest) if rest.strip() else normal_title(plain)


Test = Callable[[str, str], bool]  # (wanted, title of the document)


def _same(wanted: str, title: str) -> bool:
    return wanted in (title, plain_title(title))


def _same_normal(wanted: str, title: str) -> bool:
    return normal_title(wanted) == normal_title(title)


def _same_joined(wanted: str, title: str) -> bool:
    return _joined(wanted) == _joined(title)


def _same_unnumbered(wanted: str, title: str) -> bool:
    """Whether titles are equal without leading numbering; a number in the path must be equal, too."""
    own = _NUMBERING.match(plain_title(wanted))
    if own is not None and _NUMBERING.match(plain_title(title)) is not None:
        return False
    return normal_title(wanted) == _unnumbered(title) or (
        own is not None and _unnumbered(wanted) == normal_title(title)
    )


def same_but_for_numbering(wanted: str, title: str) -> bool:
    """Whether two titles are the same without their numbers, for candidates; the numbers may differ."""
    return _unnumbered(wanted) == _unnumbered(title)


def is_same_title(wanted: str, title: str) -> bool:
    """Whether two titles are the same on any rung but the fuzzy one."""
    return any(test(wanted, title) for test in (_same, _same_normal, _same_joined, _same_unnumbered))


def _near(wanted: str, title: str) -> bool:
    return likeness(wanted, title) >= _FUZZY


def likeness(wanted: str, title: str) -> float:
    """The similarity of two titles in per cent; 0 if digits differ or a word is replaced by another one."""
    one, other = _unnumbered(wanted), _unnumbered(title)
    if re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return 0.0
    numbered = [found[0] for title in (wanted, title) if (found := _NUMBERING.match(plain_title(title)))]
    if len(numbered) == 2 and re.findall(r"\w+", numbered[0]) != re.findall(r"\w+", numbered[1]):
        return 0.0
    ratio = fuzz.ratio(one, other)
    if not _same_words(one.split(), other.split()):
        return 0.0
    return max(ratio, _FUZZY) if ratio >= _SHORT_FUZZY else 0.0


def _same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether words are equal, inflections or typing errors of each other; small words may be missing."""
    first = [word for word in one if word not in _SMALL]
    second = [word for word in other if word not in _SMALL]
    return len(first) == len(second) and all(
        a == b or (not a.isdigit() and (is_inflection(a, b) or is_typo(a, b)))
        for a, b in zip(first, second, strict=True)
    )


RUNGS: tuple[tuple[str, tuple[Test, ...]], ...] = (
    ("exact", (_same,)),
    ("normalised", (_same, _same_normal)),
    ("joined", (_same, _same_normal, _same_joined)),
    ("numbering", (_same, _same_normal, _same_joined, _same_unnumbered)),
    ("fuzzy", (_same, _same_normal, _same_joined, _same_unnumbered, _near)),
)


@dataclass(frozen=True, slots=True)
class Matches:
    """The sections a path may mean, and the rung that found them; more than one stays ambiguous."""

    sections: Sequence[Section]
    rung: str


def match(outline: Outline, path: str, *, fuzzy: bool = True) -> Matches:
    """The sections that match on the first rung with a match, narrowed by ancestors and levels."""
    segments = parse_path(path)
    whole = outline.by_title.get(path.strip(), ()) or outline.by_title.get(_CLOSING.sub("", path.strip()), ())
    if len(whole) == 1 and len(segments) > 1:  # a title that contains a path separator: "CI / CD"
        return Matches(whole, "exact")
    if not segments:
        return Matches((), "")
    found = _match(outline, path, segments, fuzzy=fuzzy)
    if not found.sections and len(segments) > 1 and not any(segment.level for segment in segments):
        return _match(outline, path, (Segment(0, path.strip()),), fuzzy=False)  # such a title, set otherwise
    return found


def _match(outline: Outline, path: str, segments: Sequence[Segment], *, fuzzy: bool) -> Matches:
    for rung, tests in RUNGS:
        if rung == "fuzzy" and not fuzzy:
            break
        pool = outline.by_title.get(segments[-1].title, ()) if rung == "exact" else outline.sections
        found = [section for section in pool if _fits(outline, section, segments, tests)]
        if rung == "exact" and not found:
            found = [section for section in outline.sections if _path_ends(outline, section, path.strip())]
        if rung == "fuzzy" and len(found) > 1:
            found = _ahead(found, segments[-1].title)
        if found:
            return Matches(_narrowed(outline, found, segments), rung)
    return Matches((), "")


def _fits(outline: Outline, section: Section, segments: Sequence[Segment], tests: Sequence[Test]) -> bool:
    """Whether the last part matches the section and the others match ancestors, in order."""
    if not any(test(segments[-1].title, section.title) for test in tests):
        return False
    around = iter(outline.chain(section)[:-1])
    return all(
        any(any(test(segment.title, part.title) for test in tests) for part in around) for segment in segments[:-1]
    )


def _path_ends(outline: Outline, section: Section, path: str) -> bool:
    """Whether a section's full path ends with a path exactly; titles may contain separators: "Part # 2"."""
    return path.startswith("#") and f" {outline.path(section)}".endswith(f" {path}")


def _ahead(found: Sequence[Section], wanted: str) -> list[Section]:
    """The most similar section, if it is ahead of the next by the margin; else all."""
    ranked = sorted(found, key=lambda section: -likeness(wanted, section.title))
    best, second = likeness(wanted, ranked[0].title), likeness(wanted, ranked[1].title)
    return [ranked[0]] if best - second >= _MARGIN else list(found)


def _narrowed(outline: Outline, found: Sequence[Section], segments: Sequence[Segment]) -> Sequence[Section]:
    """Choose between equal matches: by the full chain as given, then by the end of the chain, then by levels."""
    for narrower in (_same_chain, _chain_ends, _same_levels):
        if len(found) > 1:
            found = [section for section in found if narrower(outline, section, segments)] or found
    return found


def _same_chain(outline: Outline, section: Section, segments: Sequence[Segment]) -> bool:
    return len(outline.chain(section)) == len(segments)


def _chain_ends(outline: Outline, section: Section, segments: Sequence[Segment]) -> bool:
    chain = outline.chain(section)[-len(segments) :]
    return (
        len(segments) > 1
        and len(chain) == len(segments)
        and all(
            normal_title(segment.title) == normal_title(part.title)
            for segment, part in zip(segments, chain, strict=True)
        )
    )


def _same_levels(outline: Outline, section: Section, segments: Sequence[Segment]) -> bool:
    levels = [part.level for part in outline.chain(section)][-len(segments) :]
    return segments[-1].level == section.level and all(
        segment.level in (0, level) for segment, level in zip(segments, levels, strict=False)
    )
