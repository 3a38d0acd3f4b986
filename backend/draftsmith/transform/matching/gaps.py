"""What stands between the tokens of a replacement that is laid over a stretch: blanks, line breaks, objects.

A *gap* is what stands before a token, or behind the last one. One of the stretch goes along with a word beside it that
stays, where find and replacement have the same there; else the gap is as the replacement says. An *object* is what is
neither word nor blank: a footnote, an image without a text, a comment. It stays with the words beside it.

Not here: which tokens the result has, and the marks around them (`overlay`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from draftsmith.transform.matching import wording
from draftsmith.transform.matching.marked_words import TokenizedText
from draftsmith.transform.matching.word_alignment import AlignedTokens

_HARD = re.compile(r"(?:(?<! ) {2,}+|\\)(?:\r\n|\n|\r)")
_BREAK = re.compile(r"(?>(?:(?<![^\S\r\n])[^\S\r\n]++)?)(?:\r\n|\n|\r)")
_LINE_END = re.compile(r"\r\n?")
_BLANKS = re.compile(r"(?:[^\S\r\n\v]|&nbsp;)+")
_OBJECT = re.compile(
    r"(?P<note>\[\^[^\[\]\s]+\])|(?P<image>!\[\]\([^()\s]*(?:\s+\"[^\"]*\")?\))|<!--(?>(?:(?!<!--|-->).)*)-->",
    re.DOTALL,
)


@dataclass(slots=True)
class ResultToken:
    """A token of the result: of the stretch, or of the replacement. `given`: the token of the replacement it is for."""

    there: int | None
    given: int


class Gaps:
    """The gaps of a result, each asked for once, in order.

    Args:
        there: the stretch.
        asked: the find.
        replacement: what is laid over the stretch.
        units: the find and the stretch side by side.
        elements: the tokens of the result.
        at: which element each token of the stretch is that stays.
        unwritten: tokens that find and replacement have and the stretch has not, by their place in the replacement.
    """

    def __init__(
        self,
        there: TokenizedText,
        asked: TokenizedText,
        replacement: TokenizedText,
        *,
        units: Sequence[AlignedTokens],
        elements: Sequence[ResultToken],
        at: Mapping[int, int],
        unwritten: Collection[int],
    ) -> None:
        self._there, self._asked, self._replacement = there, asked, replacement
        self._elements, self._at, self._unwritten = elements, at, unwritten
        self._unit_of = {token: unit for unit in units for token in unit.there}
        with_dots = [one for one in units if "..." in "".join(self._signs(one))]
        self._for_dots = {token for unit in with_dots if self._reads_otherwise(unit) for token in unit.there}
        self._changed_at: dict[int, int] = {}  # of the gaps around signs that the find leaves out
        for run in (unit.there for unit in units if not unit.asked):
            self._changed_at.update(dict.fromkeys(range(run.start, run.stop + 1), self._gap_with_blank(run)))
        self._used: set[int] = set()  # gaps of the stretch

    def before(self, at: int) -> str:
        """What stands before an element: as in the stretch where find and replacement agree, else as in the latter."""
        before = self._elements[at - 1] if at else None
        after = self._elements[at] if at < len(self._elements) else None
        left = 0 if before is None else None if before.there is None else before.there + 1
        right = len(self._there.tokens) if after is None else after.there
        new = self._written_before(len(self._replacement.tokens) if after is None else after.given)
        gaps = self._there.gaps
        if left is not None and left == right and self._is_unchanged(left, new):
            self._used.add(left)
            return gaps[left]
        sides = [side for side in (left, right) if side is not None and side not in self._used]
        kept = [side for side in sides if left != right and self._goes_along(side, new, is_behind=side == left)]
        if kept:
            chosen = max(kept, key=lambda side: (_OBJECT.search(gaps[side]) is not None, gaps[side] != " "))
            self._used.add(chosen)
            return gaps[chosen] or self._blank_between(before, after)
        if not new.strip(" ") and (self._is_glued(left, before) or self._is_glued(right, after)):
            new = ""
        new = new or self._blank_between(before, after)
        written = self._objects_behind(left) + new + self._objects_before(right)
        self._used.update(side for side in sides if gaps[side] == new)
        return written

    def lost_objects(self) -> Iterator[tuple[str, str, int]]:
        """The objects that came into no gap and that nobody quoted: what, as it reads, where it stood."""
        ends = [0, *(token.end for token in self._there.tokens)]
        for number in range(len(self._there.gaps)):
            for one in self._objects_left(number):
                kind = "footnote" if one["note"] else "image" if one["image"] else "comment"
                yield kind, one[0], ends[number] + one.start()

    # -- what is written instead ---------------------------------------------------------------------------------------

    def _written_before(self, token: int) -> str:
        """What the replacement has before a token, around signs that come to nothing since the stretch has them not."""
        first = token
        while first - 1 in self._unwritten:
            first -= 1
        return _joined_gaps(self._replacement.gaps[first : token + 1])

    def _blank_between(self, before: ResultToken | None, after: ResultToken | None) -> str:
        """What keeps two words apart that neither text has together, such as one that dots stand for and another."""
        if before is None or after is None or not (self._is_word(before) and self._is_word(after)):
            return ""
        tokens = self._replacement.tokens[max(0, after.given - 1) : after.given + 1]
        if len(tokens) == 2 and all(token.is_word for token in tokens):
            return ""
        gaps = [self._there.gaps[before.there + 1]] if before.there is not None else []
        gaps += [self._there.gaps[after.there]] if after.there is not None else []
        return next((gap for gap in gaps if gap.isspace()), " ")

    def _is_word(self, element: ResultToken) -> bool:
        if element.there is not None:
            return self._there.tokens[element.there].is_word
        return self._replacement.tokens[element.given].is_word

    # -- whether a gap of the stretch stays --------------------------------------------------------------------------

    def _is_unchanged(self, gap: int, new: str) -> bool:
        """Whether a gap stays between its two neighbours, both of which stay."""
        inside = 0 < gap < len(self._there.tokens)
        if inside and self._unit_of[gap - 1] is self._unit_of[gap]:
            return True
        old = self._gap_of_find(gap)
        if not (old and new) and self._is_at_dots(gap):
            return True
        return _is_same(old, new, self._there.gaps[gap]) or self._changed_at.get(gap, gap) != gap

    def _goes_along(self, gap: int, new: str, *, is_behind: bool) -> bool:
        """Whether a gap goes along with the word before it, or else behind it, that alone stays."""
        there, old = self._there.gaps[gap], self._gap_of_find(gap)
        if not _is_same(old, new, there) or self._is_at_dots(gap):
            return False
        beside = self._unit_of.get(gap if is_behind else gap - 1)  # what is gone
        if beside is not None and self._reads_otherwise(beside) and there.isspace() and not old:
            return False
        if ("\n" in new) != ("\n" in there) and not self._is_at_home(gap):
            return False
        if _has_note(there) and not is_behind:  # it belongs to what stands before it
            return False
        if self._is_split(gap, new):
            return False
        # Where the find leaves out a sign behind a word, it has a blank there that the stretch has not.
        return bool(there) or not new.isspace()

    def _gap_of_find(self, gap: int) -> str:
        """What the find has for a gap, around signs that it alone has there."""
        first = self._unit_of[gap - 1].asked.stop if gap else 0
        is_end = gap == len(self._there.tokens)
        last = len(self._asked.tokens) if is_end else self._unit_of[gap].asked.start
        return _joined_gaps(self._asked.gaps[first : last + 1])

    def _gap_with_blank(self, run: range) -> int:
        """Which gap around signs that the find leaves out is the one of the find: before a bracket, behind a comma."""
        return next((gap for gap in run if self._there.gaps[gap].isspace()), run.stop)

    def _is_at_dots(self, gap: int) -> bool:
        """Whether the find has dots for the words at one side of a gap: the blanks around dots are quoted by nobody."""
        return gap in self._for_dots or gap - 1 in self._for_dots

    def _is_glued(self, gap: int | None, element: ResultToken | None) -> bool:
        """Whether nothing is in a gap beside an element that dots stand for."""
        if gap is None or element is None or element.there not in self._for_dots:
            return False
        return 0 < gap < len(self._there.tokens) and not self._there.gaps[gap]

    def _signs(self, unit: AlignedTokens) -> Iterator[str]:
        """The tokens of the find in a unit that are no words."""
        return (self._asked.texts[at] for at in unit.asked if not self._asked.tokens[at].is_word)

    def _reads_otherwise(self, unit: AlignedTokens) -> bool:
        return [self._asked.texts[at] for at in unit.asked] != [self._there.texts[at] for at in unit.there]

    def _is_split(self, gap: int, new: str) -> bool:
        """Whether something comes between two words with blanks between them, which are then neither's alone.

        A line break stays at one of them, unless the replacement has one there.
        """
        blanks, before, after = self._there.gaps[gap], self._at.get(gap - 1), self._at.get(gap)
        if before is None or after is None or not blanks.isspace():
            return False
        between = (self._replacement.gaps[one.given] for one in self._elements[before + 1 : after + 1])
        return "\n" not in blanks or ("\n" not in new and any("\n" in one for one in between))

    def _is_at_home(self, gap: int) -> bool:
        """Whether a word beside a gap of the stretch is more than a small one, or a number, that comes up by chance.

        Else a line would be broken, or joined, in the middle of a text that has little to do with what stood there.
        """
        for token, further in ((gap - 1, gap - 2), (gap, gap + 1)):
            if token not in self._at:
                continue
            word = self._there.tokens[token]
            step = further - token
            beside = self._at.get(further) == self._at[token] + step
            if beside or not 0 <= further < len(self._there.tokens):
                return True
            if not (wording.is_small(word.text) or wording.is_count(word.text)):
                return True
        return gap in (0, len(self._there.tokens))

    # -- objects -----------------------------------------------------------------------------------------------------

    def _objects_left(self, gap: int) -> list[re.Match[str]]:
        """The objects in a gap not used so far that the find left out and the replacement does not write by itself."""
        if gap in self._used:
            return []
        sources = self._asked.source, self._replacement.source
        return [one for one in _OBJECT.finditer(self._there.gaps[gap]) if not any(one[0] in text for text in sources)]

    def _objects_behind(self, gap: int | None) -> str:
        """What stands behind a word and is neither word nor blank, up to its end."""
        if not gap:
            return ""
        objects = self._objects_left(gap)
        if not objects:
            return ""
        self._used.add(gap)
        return self._there.gaps[gap][: objects[-1].end()]

    def _objects_before(self, gap: int | None) -> str:
        """The same before a word, where the word before it is gone; a footnote goes with its word."""
        if gap is None:
            return ""
        text, objects = self._there.gaps[gap], self._objects_left(gap)
        if not objects or _has_note(text):
            return ""
        self._used.add(gap)
        return text[objects[0].start() :]


def _joined_gaps(gaps: Sequence[str]) -> str:
    """Gaps around signs that are not there as one; blanks at both sides of a sign are one."""
    found = ""
    for gap in gaps:
        found += gap.lstrip(" \t") if found[-1:].isspace() else gap
    return found


def _has_note(gap: str) -> bool:
    """Whether there is a footnote, which belongs to what stands before it."""
    return any(one["note"] is not None for one in _OBJECT.finditer(gap))


def _is_same(old: str, new: str, now: str) -> bool:
    """Whether find and replacement have the same at a gap, or nearly so where the stretch has something else."""
    if old == new:
        return True
    old, new, now = (_LINE_END.sub("\n", text) for text in (old, new, now))
    return old == new or (now != old and _setting(old) == _setting(new))


def _setting(gap: str) -> str:
    """A gap for comparing: hard line breaks, line breaks and blanks."""
    return _BLANKS.sub(" ", _BREAK.sub("\n", _HARD.sub("\v", gap)))
