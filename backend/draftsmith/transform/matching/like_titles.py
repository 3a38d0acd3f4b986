"""Compares titles of sections: in a form without marks and punctuation, without blanks, without numbering, and nearly.

Not here: paths of several titles, and how the titles to compare are found (`section_ladder`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from draftsmith.model.markdown.titles import plain_title
from draftsmith.transform.matching.wording import is_inflection, is_typo

_NUMBERING = re.compile(
    r"^(?:(?:section|chapter|part|appendix|step|phase)\s+)?(?:\d+(?:[.)\-]\d+)*[.):]?|[a-z][.)]|[ivxlc]+[.)])\s+",
    re.IGNORECASE,
)
_PUNCTUATION = re.compile(r"[^\w\s]+")
_DIGITS = re.compile(r"\d+")
FUZZY = 84
_SHORT_FUZZY = 75  # one typing error in a title of one short word
_SHORT = 4  # letters of a word in which one for another is another word
_SMALL = frozenset({"the", "a", "an", "of", "and", "for", "to", "in", "on"})

Test = Callable[[str, str], bool]  # (wanted, title of the document)


@lru_cache(maxsize=8192)
def normal_title(title: str) -> str:
    """A title for comparing: NFKC, case folded, marks and punctuation dropped, `&` read as "and"."""
    text = unicodedata.normalize("NFKC", plain_title(title)).casefold().replace("&", " and ")
    text = text.replace("_", " ")
    kept = text.replace("c++", "cplusplus").replace("c#", "csharp")
    return " ".join(_PUNCTUATION.sub(" ", kept).split()) or " ".join(text.split())


def _join_words(title: str) -> str:
    return normal_title(title).replace(" ", "")


@lru_cache(maxsize=8192)
def _without_number(title: str) -> str:
    plain = plain_title(title)
    rest = _NUMBERING.sub("", plain)
    return normal_title(rest) if rest.strip() else normal_title(plain)


def is_equal_title(wanted: str, title: str) -> bool:
    """Whether a title is as wanted, as written or without marks."""
    return wanted in (title, plain_title(title))


def same_normal(wanted: str, title: str) -> bool:
    """Whether titles are equal but for case, marks and punctuation."""
    return normal_title(wanted) == normal_title(title)


def same_joined(wanted: str, title: str) -> bool:
    """Whether titles are equal but for that and blanks."""
    return _join_words(wanted) == _join_words(title)


def same_unnumbered(wanted: str, title: str) -> bool:
    """Whether titles are equal without leading numbering; a number in the path must be equal, too."""
    own = _NUMBERING.match(plain_title(wanted))
    if own is not None and _NUMBERING.match(plain_title(title)) is not None:
        return False
    return normal_title(wanted) == _without_number(title) or (
        own is not None and _without_number(wanted) == normal_title(title)
    )


def same_but_for_numbering(wanted: str, title: str) -> bool:
    """Whether two titles are the same without their numbers, for candidates; the numbers may differ."""
    return _without_number(wanted) == _without_number(title)


def is_same_title(wanted: str, title: str) -> bool:
    """Whether two titles are the same on any rung but the fuzzy one."""
    return any(test(wanted, title) for test in (is_equal_title, same_normal, same_joined, same_unnumbered))


def is_near_title(wanted: str, title: str) -> bool:
    """Whether titles are nearly the same, and no word is another one."""
    return likeness(wanted, title) >= FUZZY


def likeness(wanted: str, title: str) -> float:
    """The similarity of two titles in per cent; 0 if digits differ or a word is replaced by another one."""
    one, other = _without_number(wanted), _without_number(title)
    if _DIGITS.findall(one) != _DIGITS.findall(other):
        return 0.0
    numbered = [found[0] for title in (wanted, title) if (found := _NUMBERING.match(plain_title(title)))]
    if len(numbered) == 2 and re.findall(r"\w+", numbered[0]) != re.findall(r"\w+", numbered[1]):
        return 0.0
    ratio = fuzz.ratio(one, other)
    if not _same_words(one.split(), other.split()):
        return 0.0
    return max(ratio, FUZZY) if ratio >= _SHORT_FUZZY else 0.0


def forms_of(title: str) -> set[str]:
    """A title in all forms in which titles are compared for being equal: two that have none in common are not."""
    return {title, plain_title(title), normal_title(title), _join_words(title), _without_number(title)}


def sketch_of(title: str) -> tuple[str, ...]:
    """What titles have in common that are nearly the same: their digits, and how the words begin that must be there."""
    form = _without_number(title)
    return (*_DIGITS.findall(form), "", *(word[0] for word in form.split() if word not in _SMALL))


def _same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether words are equal, inflections or typing errors of each other; small words may be missing."""
    first = [word for word in one if word not in _SMALL]
    second = [word for word in other if word not in _SMALL]
    if len(first) != len(second):
        return False
    others = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if len(others) == 1 and (len(first) > 1 or max(map(len, others[0])) > _SHORT) and _is_slip(*others[0]):
        return True
    return all(not a.isdigit() and (is_inflection(a, b) or is_typo(a, b)) for a, b in others)


def _is_slip(one: str, other: str) -> bool:
    """Whether a word of four letters lacks one, has one too many, or has two neighbours exchanged, after the first.

    One letter for another is often another word: test, text.
    """
    is_short = _SHORT in (len(one), len(other)) and min(len(one), len(other)) >= _SHORT - 1
    is_one_off = len(one) != len(other) or sorted(one) == sorted(other)
    return is_short and is_one_off and one[0] == other[0] and OSA.distance(one, other) == 1
