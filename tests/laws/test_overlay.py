"""Laws of edits that quote a text as it reads: what the quotation left out stays with its words, or that is said.

What came out is judged by markdown-it: each word of the result, with the marks that are around it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from draftsmith.document import EditError, apply_edits
from draftsmith.errors import Problem
from tests.seeds import examples

_READER = MarkdownIt("commonmark").enable("strikethrough")
_WORDS = [
    *("anvil", "badger", "copper", "dragon", "ember", "falcon", "garnet", "harbor", "island", "jaguar", "kettle"),
    *("lantern", "magnet", "nickel", "otter"),
]
_NEW = ["pumpernickel", "quokka", "rhubarb", "saffron", "turnip"]
_FEW = ["anvil", "badger", "copper"]
_PLAIN_GAPS = (" ", " ", " ", "\n", "\u00a0", "  \n", "\\\n", "&nbsp;", "[^1] ", ", ", ". ", " &amp; ", " <!-- x --> ")
_MARKS = ("**", "*", "`", "~~", "link", "image", "reference", "")
_READ = {"\u00a0": " ", "  \n": "\n", "\\\n": "\n", "&nbsp;": " ", "[^1] ": " ", " &amp; ": " & ", " <!-- x --> ": " "}
_DEFINITIONS = "\n\n[ref]: https://example.org/ref\n"


@dataclass(frozen=True)
class Marked:
    """A paragraph: words, what stands between them, and marks around runs of them."""

    words: Sequence[str]
    gaps: Sequence[str]
    marks: Sequence[tuple[str, int, int]]  # which, from, to before

    @property
    def text(self) -> str:
        """As Markdown."""
        opens = {first: mark for mark, first, _ in self.marks}
        closes = {last: (mark, first) for mark, first, last in self.marks}
        pieces = []
        for at, word in enumerate(self.words):
            if at in opens:
                pieces.append({"link": "[", "reference": "[", "image": "!["}.get(opens[at], opens[at]))
            pieces.append(word)
            if at + 1 in closes:
                mark, first = closes[at + 1]
                target = f"](https://example.org/{first})"
                pieces.append({"link": target, "image": target, "reference": "][ref]"}.get(mark, mark))
            pieces.append(self.gaps[at] if at + 1 < len(self.words) else ".")
        return "".join(pieces)

    def read(self) -> str:
        """As it reads on the page."""
        gaps = [_READ.get(gap, gap) for gap in self.gaps[: len(self.words) - 1]]
        return "".join(word + gap for word, gap in zip(self.words, [*gaps, "."], strict=True))


@st.composite
def marked(draw: st.DrawFn, words: Sequence[str], *, most: int, unique: bool) -> Marked:
    """Paragraphs with marks that do not overlap."""
    chosen = draw(st.lists(st.sampled_from(words), min_size=2, max_size=most, unique=unique))
    marks: list[tuple[str, int, int]] = []
    at = 0
    while at < len(chosen):
        size = draw(st.integers(1, 3))
        mark = draw(st.sampled_from(_MARKS))
        if mark and at + size <= len(chosen):
            marks.append((mark, at, at + size))
        at += size
    gaps = [draw(st.sampled_from(_PLAIN_GAPS)) for _ in chosen]
    for _, first, last in marks:
        gaps[first : last - 1] = [" "] * (last - 1 - first)  # what is in code or a link's text is read otherwise
    return Marked(chosen, gaps, marks)


@st.composite
def changed(draw: st.DrawFn, there: Marked) -> tuple[str, list[int | None]]:
    """What the paragraph reads as with some words changed, and for each of its words which one it was, None if new."""
    gaps = [_READ.get(gap, gap) for gap in there.gaps[: len(there.words) - 1]] + ["."]
    new = iter(_NEW)
    pieces: list[str] = []
    origins: list[int | None] = []
    for at, word in enumerate(there.words):
        what = draw(st.sampled_from(["keep"] * 6 + ["drop", "change", "add"]))
        if what == "drop":
            continue
        if what in ("change", "add") and (one := next(new, None)) is not None:
            pieces.append(one + (gaps[at] if what == "change" else " "))
            origins.append(None)
        if what != "change":
            pieces.append(word + gaps[at])
            origins.append(at)
    return "".join(pieces).strip(), origins


def words_with_marks(text: str) -> list[tuple[str, frozenset[str]]]:
    """Each word of the first paragraph, and the marks around it."""
    return list(_walk(_READER.parse(text)[1].children or [], frozenset()))


def _walk(tokens: Sequence[object], outer: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    around = [outer]
    for token in tokens:
        kind = token.type  # type: ignore[attr-defined]
        if kind.endswith("_open"):
            around.append(around[-1] | {f"{kind.removesuffix('_open')} {token.attrs.get('href', '')}"})  # type: ignore[attr-defined]
        elif kind.endswith("_close"):
            around.pop()
        elif kind == "image":
            yield from _walk(token.children, around[-1] | {f"image {token.attrs['src']}"})  # type: ignore[attr-defined]
        else:
            marks = around[-1] | ({"code"} if kind == "code_inline" else frozenset())
            for word in token.content.replace("\u00a0", " ").split() if kind != "html_inline" else ():  # type: ignore[attr-defined]
                bare = "".join(filter(str.isalpha, word))
                if bare:
                    yield bare, marks


def edited(there: Marked, replace: str) -> tuple[str, list[Problem]]:
    told: list[Problem] = []
    text = f"# Zoo\n\n{there.text}{_DEFINITIONS}"
    after = apply_edits(text, [{"section": "Zoo", "find": there.read(), "replace": replace}], told)
    head, tail = "# Zoo\n\n", _DEFINITIONS
    assert after.startswith(head)
    assert after.endswith(tail)
    return after[len(head) :], told


@given(st.data())
@settings(max_examples=examples(150))
def test_marks_stay_with_the_words_that_survive(data: st.DataObject) -> None:
    """Each word that was there keeps its marks and their targets, and what stands between it and its neighbour.

    The words are those of the replacement. A mark that is gone is told of, and only such a mark.
    """
    there = data.draw(marked(_WORDS, most=10, unique=True))
    replace, origins = data.draw(changed(there))
    assume(replace and replace != there.read() and there.read() not in there.text)
    after, told = edited(there, replace)
    before = words_with_marks(there.text + _DEFINITIONS)
    found = words_with_marks(after)
    assert [word for word, _ in found] == [word for word, _ in words_with_marks(replace)]
    kept = {at for at in origins if at is not None}
    by_word = dict(found)
    for at, (word, marks) in enumerate(before):
        if at in kept:
            assert by_word[word] == marks, (word, after)
    for one, other in pairwise(origins):
        if one is not None and other == one + 1:
            first, last = there.text.index(there.words[one]), there.text.index(there.words[other])
            assert there.text[first : last + len(there.words[other])] in after
    gone = [first for mark, first, last in there.marks if not kept & set(range(first, last))]
    if gone:
        assert [one.code for one in told] == ["marks_lost"]
    elif "[^1]" not in there.text and "<!--" not in there.text:
        assert not told


def alignments(one: Sequence[str], other: Sequence[str]) -> list[tuple[tuple[int, int], ...]]:
    """Every way to find the same words in two texts in the same order, by trying all."""
    if not one or not other:
        return [()]
    found = [tuple((a + 1, b) for a, b in rest) for rest in alignments(one[1:], other)]
    for at, word in enumerate(other):
        if word == one[0]:
            rests = alignments(one[1:], other[at + 1 :])
            found += [((0, at), *((a + 1, b + at + 1) for a, b in rest)) for rest in rests]
    return found


def changes(pairs: Sequence[tuple[int, int]], one: int, other: int) -> int:
    ends = [(-1, -1), *pairs, (one, other)]
    return sum(first[0] + 1 != last[0] or first[1] + 1 != last[1] for first, last in pairwise(ends))


@given(marked(_FEW, most=5, unique=False), st.lists(st.sampled_from([*_FEW, "quokka"]), min_size=1, max_size=5))
@settings(max_examples=examples(150))
def test_what_may_be_kept_in_two_ways_is_refused_and_nothing_else(there: Marked, words: list[str]) -> None:
    """Of all longest alignments with fewest changes, each keeps the same marks, or the edit is refused.

    Where it is carried out, those marks are there and no others.
    """
    plain = Marked(there.words, [" "] * len(there.words), there.marks)
    replace = " ".join(words) + "."
    assume(replace != plain.read() and plain.read() not in plain.text)
    ways = alignments(plain.words, words)
    longest = max(map(len, ways))
    ways = [way for way in ways if len(way) == longest]
    fewest = min(changes(way, len(plain.words), len(words)) for way in ways)
    ways = [way for way in ways if changes(way, len(plain.words), len(words)) == fewest]
    kept = {frozenset(mark for mark in plain.marks if any(mark[1] <= at < mark[2] for at, _ in way)) for way in ways}
    if len(kept) > 1:
        with pytest.raises(EditError) as error:
            edited(plain, replace)
        assert error.value.code == "edit_ambiguous"
        return
    after, _ = edited(plain, replace)
    before = words_with_marks(plain.text + _DEFINITIONS)
    some = {mark for at, (_, marks) in enumerate(before) for mark in marks if _is_in(at, next(iter(kept)))}
    assert {mark for _, marks in words_with_marks(after) for mark in marks} == some
    assert [word for word, _ in words_with_marks(after)] == words


def _is_in(at: int, marks: frozenset[tuple[str, int, int]]) -> bool:
    return any(first <= at < last for _, first, last in marks)


@st.composite
def _left_out_signs(draw: st.DrawFn) -> tuple[str, str, str]:
    """A sentence with signs, a quotation that leaves some of them out, and a replacement of words of both kinds."""
    words = draw(st.lists(st.sampled_from(_WORDS), min_size=4, max_size=9))
    gaps = draw(st.lists(st.sampled_from([" ", ", ", "; ", " (", ") ", ": ", "  ", "\n"]), min_size=8, max_size=8))
    text = "".join(f"{word}{gap}" for word, gap in zip(words, gaps, strict=False)).strip() + "."
    bare = draw(st.lists(st.booleans(), min_size=8, max_size=8))
    find = "".join(
        f"{word}{' ' if is_bare else gap}" for word, gap, is_bare in zip(words, gaps, bare, strict=False)
    ).strip()
    count = draw(st.integers(1, len(words) - 1))
    new = draw(st.lists(st.sampled_from(_NEW), min_size=1, max_size=3))
    place = draw(st.sampled_from(["before", "after", "between"]))
    kept = words[:count] if place != "after" else words[count:]
    pieces = [*new, *kept] if place == "after" else [*kept, *new]
    return text, find + ".", " ".join(pieces if place != "between" else [*pieces, *words[count + 1 :]]) + "."


@given(_left_out_signs())
@example(("anvil, badger copper dragon.", "anvil badger copper dragon.", "anvil turnip dragon."))
@settings(max_examples=examples(400), deadline=None)
def test_new_words_are_never_glued_to_others(case: tuple[str, str, str]) -> None:
    """Whatever signs the quotation leaves out."""
    text, find, replace = case
    try:
        after = apply_edits(f"# A\n\n{text}\n", [{"section": "A", "find": find, "replace": replace}], [])
    except EditError:
        assume(False)
    found = re.findall(r"\w+", after)
    assert [word for word in found if word in _NEW] == [word for word in re.findall(r"\w+", replace) if word in _NEW]


_SIGNS = (" ", " ", " ", ", ", "; ", " (", ") ", ": ", "  ", "\n", "\u00a0", "[^1] ", " <!-- x --> ")


@dataclass(frozen=True)
class Misquoted:
    """A sentence and its quotation in pieces: words, marked as the sentence has them, or dots; and what is behind."""

    text: str
    pieces: Sequence[tuple[str, str]]

    @property
    def find(self) -> str:
        """The quotation."""
        return _joined(self.pieces)


def _joined(pieces: Sequence[tuple[str, str]]) -> str:
    return "".join(word + gap for word, gap in pieces[:-1]) + f"{pieces[-1][0]}."


@st.composite
def misquoted(draw: st.DrawFn) -> Misquoted:
    """Sentences whose quotation leaves out signs, adds some, has other blanks, or has dots for words."""
    words = draw(st.lists(st.sampled_from(_WORDS), min_size=5, max_size=9, unique=True))
    words = [f"{mark}{word}{mark}" for word in words for mark in [draw(st.sampled_from(["", "", "", "", "`", "*"]))]]
    gaps = [draw(st.sampled_from(_SIGNS)) for _ in words]
    pieces = []
    for word, gap in zip(words, gaps, strict=True):
        plain = _READ.get(gap, gap)
        ways = [plain, plain, plain, " " if plain.strip() else draw(st.sampled_from(["\n", "  ", ", ", " ("]))]
        pieces.append((word, draw(st.sampled_from(ways))))
    if draw(st.booleans()):
        first = draw(st.integers(1, len(words) - 3))
        last = draw(st.integers(first + 1, len(words) - 1))
        pieces[first - 1] = (pieces[first - 1][0], draw(st.sampled_from(["", " "])))
        pieces[first:last] = [(draw(st.sampled_from(["…", "..."])), draw(st.sampled_from(["", " "])))]
    return Misquoted(_joined(list(zip(words, gaps, strict=True))), pieces)


def _edited_sentence(text: str, find: str, replace: str, refused: Collection[str] | None = None) -> str:
    """A sentence after an edit; what is refused is not looked at, unless for a reason that is not among some."""
    try:
        return _edited(text, find, replace)
    except EditError as error:
        if refused is not None and error.code not in refused:
            raise
        return assume(False)


def _edited(text: str, find: str, replace: str) -> str:
    """A sentence after an edit."""
    after = apply_edits(f"# A\n\n{text}\n", [{"section": "A", "find": find, "replace": replace}], [])
    return after.removeprefix("# A\n\n").removesuffix("\n")


@given(misquoted())
@example(Misquoted("anvil badger copper dragon.", [("anvil", " "), ("badger", " ("), ("copper", ") "), ("dragon", "")]))
@example(Misquoted("anvil badger copper dragon.", [("anvil", ""), ("…", ""), ("copper", " "), ("dragon", "")]))
@example(Misquoted("anvil, `badger` copper.", [("anvil", " "), ("`badger`", " "), ("copper", "")]))
@settings(max_examples=examples(400), deadline=None)
def test_a_replacement_that_says_what_the_find_says_changes_nothing(case: Misquoted) -> None:
    """However the quotation is wrong in signs and blanks, and whatever its dots stand for."""
    assert _edited_sentence(case.text, case.find, case.find) == case.text


@given(misquoted(), st.data())
@settings(max_examples=examples(400), deadline=None)
def test_no_words_are_glued(case: Misquoted, data: st.DataObject) -> None:
    """Each word that comes out is one of the text or of the replacement, and new ones come out in order."""
    new = iter(_NEW)
    pieces: list[tuple[str, str]] = []
    for word, gap in case.pieces:
        what = data.draw(st.sampled_from(["keep"] * 6 + ["drop", "change", "before", "after"]))
        one = next(new, None) if what not in ("keep", "drop") and word[0] not in ".…" else None
        between = data.draw(st.sampled_from([" ", ", ", "\n"])) if one else gap
        ways = {"drop": [], "change": [(one, gap)], "before": [(one, between), (word, gap)]}
        ways["after"] = [(word, between), (one, gap)]
        pieces += [(word, gap)] if one is None and what != "drop" else ways[what]
    assume(pieces)
    replace = _joined(pieces)
    found = re.findall(r"\w+", _edited_sentence(case.text, case.find, replace))
    assert {*found} <= {*re.findall(r"\w+", case.text), *re.findall(r"\w+", replace)}
    assert [word for word in found if word in _NEW] == [word for word in re.findall(r"\w+", replace) if word in _NEW]


@dataclass(frozen=True)
class Elided:
    """A sentence, a quotation with dots for some of its words, and what those dots stand for."""

    text: str
    pieces: Sequence[tuple[str, str]]
    elided: Sequence[str]

    @property
    def find(self) -> str:
        """The quotation."""
        return _joined(self.pieces)


_DOTS = ("…", "...", "[…]", "(...)", ". . .")


@st.composite
def elided(draw: st.DrawFn) -> Elided:
    """Sentences quoted with dots for one or two runs of their words, and with all else as it reads."""
    words = draw(st.lists(st.sampled_from(_WORDS), min_size=5, max_size=9, unique=True))
    words = [f"{mark}{word}{mark}" for word in words for mark in [draw(st.sampled_from(["", "", "", "", "`", "*"]))]]
    gaps = [draw(st.sampled_from(_SIGNS)) for _ in words]
    dots, blank = draw(st.sampled_from(_DOTS)), draw(st.sampled_from([" ", " ", " ", ""]))
    size = len(words) - 2
    runs = [(1, draw(st.integers(2, size)))]
    if size - runs[0][1] >= 2:
        runs += draw(st.sampled_from([[], [(size, size + 1)]]))
    pieces = [(word, _READ.get(gap, gap)) for word, gap in zip(words, gaps, strict=True)]
    there = []
    for first, last in reversed(runs):
        around = _READ.get(gaps[first - 1], gaps[first - 1]), _READ.get(gaps[last - 1], gaps[last - 1])
        inside = _joined(list(zip(words, gaps, strict=True))[first:last])[:-1]
        there.append(f"{around[0]}{inside}{around[1]}".strip())
        pieces[first - 1 : last] = [(words[first - 1], blank), (dots, draw(st.sampled_from([" ", " ", blank])))]
    return Elided(_joined(list(zip(words, gaps, strict=True))), pieces, there)


@given(elided(), st.data())
@settings(max_examples=examples(400), deadline=None)
def test_what_dots_stand_for_stays_or_the_edit_is_refused(case: Elided, data: st.DataObject) -> None:
    """Where the replacement has dots: as many as the find has are the same, and all are.

    Whatever is around them, unless words beside them are gone and nothing has come there.
    """
    new = iter(_NEW)
    pieces: list[tuple[str, str]] = []
    parts: list[str] = []
    for word, gap in case.pieces:
        if word in _DOTS:
            parts.append("dots")
            count = data.draw(st.sampled_from([1, 1, 1, 1, 0, 2]))
            pieces += [(word, gap), *([("walrus", " "), (word, gap)] if count == 2 else [])] if count else []
            continue
        what = data.draw(st.sampled_from(["keep", "drop", "change", "change"]))
        one = next(new, None) if what == "change" else None
        parts.append("new" if one else "gone" if what == "drop" else "kept")
        pieces += [(one or word, gap)] if what != "drop" else []
    kept = sum(word in _DOTS and before not in _DOTS for (before, _), (word, _) in pairwise([("", ""), *pieces]))
    assume(kept)  # dots beside dots are the same ones
    replace = _joined(pieces)
    is_glued = any(not one[1] and not other[1] for one, other in pairwise([*case.pieces, *pieces]))
    may_be_more = re.search("(?:^|kept )(?:gone )+dots|dots(?: gone)+(?: kept|$)", " ".join(parts))
    if kept != len(case.elided) or (may_be_more and not is_glued):
        with pytest.raises(EditError, match="edit_ambiguous"):
            _edited(case.text, case.find, replace)
        return
    after = _edited_sentence(case.text, case.find, replace, refused={"edit_ambiguous"} if is_glued else set())
    assert not any(dots in after for dots in _DOTS)
    assert all(one in after for one in case.elided)


@given(elided(), st.data())
@settings(max_examples=examples(200), deadline=None)
def test_a_find_with_dots_cuts_no_word(case: Elided, data: st.DataObject) -> None:
    """Neither at its ends nor at dots with a blank beside them."""
    pieces = [(word.strip("`*"), gap) for word, gap in case.pieces]
    sides = [(0, "start"), (len(pieces) - 1, "end")]
    for at, (word, gap) in enumerate(pieces):
        if word in _DOTS:
            sides += [(at - 1, "end")] if pieces[at - 1][1] else []
            sides += [(at + 1, "start")] if gap else []
    at, side = data.draw(st.sampled_from(sides))
    word, gap = pieces[at]
    cut = data.draw(st.integers(1, 2))
    pieces[at] = (word[cut:] if side == "start" else word[:-cut], gap)
    with pytest.raises(EditError, match="find_not_found"):
        _edited(case.text, _joined(pieces).removesuffix("."), "walrus")
