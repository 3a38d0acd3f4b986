"""Whether a word stands anywhere in a text, in whatever case.

Each segment of a text keeps its letters folded. What an edit leaves alone it keeps, so a search costs one look at each.
"""

from __future__ import annotations

import re
from typing import Final

from draftsmith.model.markdown.segments import Segments

_FOLDED: Final = "folded text"


def stands_in(segments: Segments, text: str, word: str) -> bool:
    """Whether a word stands in a text, in whatever case and number; no segment begins or ends within one."""
    stem = word.removesuffix("s")
    pattern, wanted = re.compile(rf"\b{re.escape(stem)}s?\b", re.IGNORECASE), fold_case(stem)
    begin = 0
    for one in segments.all:
        end = begin + one.length
        known = one.notes.get(_FOLDED)
        if known is None:
            known = one.notes[_FOLDED] = fold_case(text[begin:end])
        if wanted in known and pattern.search(text, begin, end) is not None:
            return True
        begin = end
    return False


def fold_case(text: str) -> str:
    """A text in which letters are equal that a pattern takes for equal in whatever case: the Turkish i is one, too."""
    return text.replace("\u0131", "i").replace("\u0130", "i").casefold()
