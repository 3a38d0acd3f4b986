"""How names are sorted and searched: by words, each a beginning of one in the name, in whatever order."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

KEY_CHARS: Final = 60
"""So many of a name's characters count when sorting, so that a cursor stays short enough for an address."""
_WORD: Final = re.compile(r"[^\W_]+")
# Scripts that put no spaces between words: whichever character one begins with may be looked for.
UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MOST_WORDS: Final = 64


def sort_key(name: str) -> str:
    """What a name is sorted by."""
    return name.casefold()[:KEY_CHARS].replace("\0", "")


def name_key(name: str) -> str:
    """What names have in common that differ in letter case, white space or Unicode's form alone."""
    if not name.isascii():
        name = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
    return " ".join(name.casefold().split())


def words_of(name: str) -> list[str]:
    """The words of a name, each once; where a script has no spaces, also what follows each of its characters."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(name.casefold()):
        word = match[0]
        found[word] = None
        for inner in UNSPACED.finditer(word, 1):
            found[word[inner.start() :]] = None
    return list(found)[:_MOST_WORDS]


def searched_words(query: str) -> list[str]:
    """The words that are looked for; of a query without any the whole of it, which no name has."""
    wanted = query.casefold().strip()
    return list(dict.fromkeys(_WORD.findall(wanted)))[:_MOST_WORDS] or ([wanted] if wanted else [])


def matches(searched: list[str], name: str) -> bool:
    """Whether each word that is looked for is the beginning of a word of the name."""
    words = words_of(name)
    return all(any(word.startswith(begun) for word in words) for begun in searched)
