"""Texts as terms: words in lower case, names in camel case both whole and in parts, plurals as singulars.

Plurals are removed by the rules of the S stemmer (Harman, *How effective is suffixing?*, 1991), which change
little else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_WORD: Final = re.compile(r"[A-Za-z0-9]+")
_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
_LONGEST_WORD: Final = 60
_WHOLE: Final = ("nosql", "newsql")
"""Their parts say the opposite of them."""
_SILENT: Final = (
    "a an and any apiversion are as at be been being by can could custom definition desired do does each every for"
    " from get give has have how i if in into is it its kind kubernetes let like make me my need no not of"
    " on one or our out people represent represents represented run schema should so some something spec specification"
    " specifies specify state status structure such that the their them then there these they thing this to up us use"
    " used using want way we what when where which while who why will with would you your"
    " contain define find show tell about other"
)


def cleaned(text: object, most: int) -> str:
    """A text of somebody else on one line, without control characters, cut; empty where it is no text."""
    if not isinstance(text, str):
        return ""
    line = " ".join(_CONTROL.sub(" ", text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def singular(word: str) -> str:
    """A word without the ending of its plural."""
    if word.endswith("ies") and len(word) > 4 and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and len(word) > 4 and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and len(word) > 3 and word != "https" and not word.endswith(("us", "ss")):
        return word[:-1]
    return word


STOP_WORDS: Final = frozenset(map(singular, _SILENT.split()))


def terms_of(text: str) -> list[str]:
    """The terms of a text, in order, without those that say nothing; a name in parts is followed by its parts."""
    return [term for term, _ in written_terms(text)]


def written_terms(text: str) -> list[tuple[str, str]]:
    """The same, each with the word as it is written."""
    pairs = ((singular(one.lower()), one.lower()) for word in _WORD.findall(text) for one in _of_word(word))
    return [(term, one) for term, one in pairs if len(term) > 1 and term not in STOP_WORDS]


def _of_word(word: str) -> Iterator[str]:
    if len(word) > _LONGEST_WORD:
        return
    yield word
    parts = _PART.findall(word)
    if len(parts) > 1 and word.lower() not in _WHOLE:
        yield from parts
