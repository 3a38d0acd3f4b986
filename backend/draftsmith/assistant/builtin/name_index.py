"""Names by their first word, so that to find those that stand in a sentence takes as long as the sentence is.

Every sentence is read several times, and those that are offered in its place some dozens of times, beside thousands of
names. Not here: where in the sentence they stand (`masking`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from draftsmith.assistant.builtin.masking import folded, folded_name
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.workspace import Workspace
from draftsmith.transform.matching.searched import keep

_WORD = re.compile(r"\w+")
_TITLES = "names of sections"


class NameIndex:
    """Some names."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_word: dict[str, list[tuple[str, str]]] = {}
        self._others: list[tuple[str, str]] = []
        for name in names:
            fold = folded_name(name)
            word = _first_word(fold)
            (self._others if word is None else self._by_word.setdefault(word, [])).append((name, fold))

    def within(self, text: str) -> list[tuple[str, str]]:
        """Those whose letters stand in a text, whatever their case and blanks, with their folded forms."""
        plain = folded(text)
        words = dict.fromkeys(_WORD.findall(plain))
        some = [*self._others, *(pair for word in words for pair in self._by_word.get(word, ()))]
        return [(name, fold) for name, fold in some if fold and fold in plain]


def _first_word(fold: str) -> str | None:
    """The word that a text must have, as a whole, where a name stands in it; None if it may have half of it.

    A name that begins with a letter or a digit begins a word wherever it is marked (`masking`). Its first word ends
    with another sign, or with the name: then it ends a word only if its last sign is a letter or a digit, too.
    """
    found = _WORD.match(fold)
    if found is None or not fold[0].isalnum() or (found.end() == len(fold) and not fold[-1].isalnum()):
        return None
    return found[0]


def titles_within(workspace: Workspace, text: str) -> list[tuple[str, str]]:
    """The titles and paths of sections that stand in a text, with their folded forms."""
    outline = workspace.document.outline
    index: NameIndex | None = outline.matches.get(_TITLES)
    if index is None:
        index = NameIndex(dict.fromkeys(name for one in outline.sections for name in (one.title, one.plain)))
        keep(outline, _TITLES, index)
    found = index.within(text)
    return [*found, *_paths(outline, [name for name, _ in found])] if "#" in text else found


def _paths(outline: Outline, titles: Iterable[str]) -> list[tuple[str, str]]:
    """The paths of the sections with some titles: what stands in a text does so with its title."""
    paths = dict.fromkeys(
        outline.path(section) for title in titles for section in outline.by_title.get(title, ()) if title.strip()
    )
    return [(path, folded_name(path)) for path in paths]
