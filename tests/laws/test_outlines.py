"""An outline is brought along with edits, and is then what a fresh one would be."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from draftsmith.model.markdown.anchors import HeadingLink
from draftsmith.model.markdown.sections import Outline, Section, outline_of, rereading, update_outline
from draftsmith.model.markdown.segments import LEAST, LEAST_OF_SHORT, SHORT
from draftsmith.transform.matching.like_titles import Test
from draftsmith.transform.matching.section_ladder import (
    _CLOSING,
    RUNGS,
    Candidate,
    SectionPathPart,
    ahead,
    match,
    narrow_matches,
    parse_path,
)
from tests.seeds import examples

_PIECES = [
    "# A\n", "## B\n", "### C `c`\n", "# D #\n", "text\n", "\n", "---\n", "===\n", "```\n", "```x\n", "~~~\n", "> q\n",
    "- x\n", "1. a\n", "   ## in a list\n", "    code\n", "<div>\n", "<!--\n", "-->\n", "* * *\n", "[x]: y\n", "a: b\n",
    "a", "\t", "\ufeff", "\r\n", "# Z\r\n", "\r", "- \n", "2) b\n", "<b>\n", '[x]: y "t\n', "[x]:\n", '"t\n', 'u"\n',
    "[\n", "]: u\n",
    "> ", "  y\n", "      - z\n", "- [l](x)\n", "| a |\n", "...\n", "\U0001f600", "\0", "\x0b\n", "\u2028", "\xa0\n",
    "<script>\n", "a </script>\n", "<?x\n", "b ?>\n", "word --> more\n", "[x]:\njavascrip:x\n===\n", "two words\n",
    "|---|\n", "a | b\n", "-|-\n", ":-|-:\n", "| c | d \\| e |\n", "> | a |\n", "> ## in a quote\n", "> A\n> ---\n",
    "[x](#a)\n", "[y]: #b\n", "| [z](#b-1) |\n", "- [w](#c\n)\n", "|", "\\",
    "[^1]: n\n", "[^1]:\n", "    # in a note\n", "[^", "> [^2]: # q\n", "- " * 12 + "x\n",
    "- two words\n", "1. two words\n", "> * two words\n", "[x]: y\nmore words\n", "- [x]:\nwords\n", "-a\n", "12.b\n",
]  # fmt: skip
_TEXTS = st.lists(st.sampled_from(_PIECES), max_size=25).map("".join)
_FRONTS = st.sampled_from(["", "", "---\na: b\n", "---\na: b\n---\n", "\ufeff---\r\n# b\r\n...\r\n"])
_TYPED = st.one_of(
    st.sampled_from(["w", "t", " ", "wo rd", "-", "é"]),
    st.sampled_from([*'`~-=<>![] \n\r#x:."', "```", "~~~", "<!--", "-->", "---", "    "]),
    _TEXTS,
)
_EDITS = st.tuples(st.integers(0, 10**6), st.sampled_from([0, 0, 0, 1, 1, 2, 4, 12, 60]), _TYPED)
_LEAST = st.sampled_from([1, 5, 20, 1_000])


def _edit(outline: Outline, at: int, length: int, new: str) -> Outline:
    text = outline.text
    start = at % (len(text) + 1)
    end = min(len(text), start + length)
    return update_outline(outline, start, end, text[:start] + new + text[end:])


def _links_at_once(text: str) -> list[HeadingLink]:
    """The links of a text that is one segment."""
    return list(outline_of(text, len(text) + 1).anchors.links())


def _check(carried: Outline) -> None:
    fresh = outline_of(carried.text)
    assert (carried.sections, carried.preamble_end) == (fresh.sections, fresh.preamble_end)
    assert (carried.anchors.names, carried.anchors.of_sections) == (fresh.anchors.names, fresh.anchors.of_sections)
    assert list(carried.anchors.links()) == list(fresh.anchors.links()) == _links_at_once(carried.text)
    assert (carried.front, carried.preamble, carried.count) == (fresh.front, fresh.preamble, len(fresh.sections))


@settings(max_examples=examples(300))
@given(_FRONTS, _TEXTS, _LEAST, st.lists(_EDITS, min_size=1, max_size=6))
def test_an_outline_is_brought_along(front: str, text: str, least: int, edits: list[tuple[int, int, str]]) -> None:
    """Whatever opens or closes a fence, a comment, a list, a reference or a front matter, edit after edit."""
    outline = outline_of(front + text, least)
    for at, length, new in edits:
        outline = _edit(outline, at, length, new)
        _check(outline)


@settings(max_examples=examples(200))
@given(_FRONTS, _TEXTS, _LEAST)
@example("", "", 1)
def test_one_section_is_what_it_is_among_all(front: str, text: str, least: int) -> None:
    """One that is made alone, from the headings around it: by its position, by an offset, with its path and line."""
    alone, outline = outline_of(front + text, least), outline_of(front + text)
    starts = [section.start for section in outline.sections]
    assert [alone.section(index) for index in range(alone.count)] == list(outline.sections)
    for offset in range(0, len(outline.text) + 1, 3):
        place = bisect_right(starts, offset)
        section = outline.sections[place - 1] if place else None
        assert alone.at(offset) == section
        assert alone.path_at(offset) == ("" if section is None else outline.path(section))
    for section in outline.sections:
        titles = " ".join(f"{'#' * one.level} {one.title}" for one in outline.chain(section))
        assert alone.path(section) == titles
        assert alone.line_at(section.start) == section.line
    assert "sections" not in vars(alone)


_PATHS = st.sampled_from(
    [
        "A", "# A", "# A ## B", "B", "a", "b ", "# A > B", "C c", "C `c`", "### C c", "D", "Z", "text", "two word",
        "# A ### Cc", "two-words", "1. two words", "## B ### C `c`", "Part # 2", "# 2", "x ## B", "3. A", "part 2",
        "nothing",
    ]
)  # fmt: skip
_TITLED = st.lists(
    st.sampled_from([*_PIECES, "# Part # 2\n", "## 3. A\n", "# A\n", "## B\n", "## b\n", "### Two words\n"]),
    max_size=25,
).map("".join)


@settings(max_examples=examples(300))
@given(_TITLED, _LEAST, st.lists(_EDITS, max_size=4), st.lists(_PATHS, min_size=1, max_size=4), st.booleans())
def test_a_path_leads_where_it_leads_if_every_title_is_compared(
    text: str, least: int, edits: list[tuple[int, int, str]], paths: list[str], fuzzy: bool
) -> None:
    """In an outline that was brought along, whose segments know the titles that they were asked for before."""
    outline = outline_of(text, least)
    for at, length, new in [*edits, (0, 0, "")]:
        for path in paths:
            found = match(outline, path, fuzzy=fuzzy)
            assert ([section.index for section in found.sections], found.rung) == compared(outline, path, fuzzy=fuzzy)
        outline = _edit(outline, at, length, new)


def compared(outline: Outline, path: str, *, fuzzy: bool) -> tuple[list[int], str]:
    """What a path leads to, by comparing it with all sections, and the rung."""
    parts = parse_path(path)
    whole = _titled(outline, path.strip()) or _titled(outline, _CLOSING.sub("", path.strip()))
    if len(whole) == 1 and len(parts) > 1:
        return [whole[0].index], "exact"
    found = _compared(outline, path, parts, fuzzy=fuzzy) if parts else ([], "")
    if parts and not found[0] and len(parts) > 1 and not any(part.level for part in parts):
        return _compared(outline, path, [SectionPathPart(0, path.strip())], fuzzy=False)
    return found


def _titled(outline: Outline, title: str) -> list[Section]:
    return [section for section in outline.sections if title in (section.title, section.plain)]


def _compared(outline: Outline, path: str, parts: Sequence[SectionPathPart], *, fuzzy: bool) -> tuple[list[int], str]:
    for rung, tests in RUNGS:
        if rung == "fuzzy" and not fuzzy:
            break
        found = [section for section in outline.sections if _fits(outline.chain(section), parts, tests)]
        if rung == "exact" and not found and path.startswith("#"):
            ends = f" {path.strip()}"
            found = [section for section in outline.sections if f" {outline.path(section)}".endswith(ends)]
        places = [outline.segments.place(section.index) for section in found]
        candidates = [Candidate(place, outline.segments.chain(place)) for place in places]
        if rung == "fuzzy" and len(candidates) > 1:
            candidates = ahead(candidates, parts[-1].title)
        if candidates:
            return [outline.segments.index(one.place) for one in narrow_matches(candidates, parts)], rung
    return [], ""


def _fits(chain: Sequence[Section], parts: Sequence[SectionPathPart], tests: Sequence[Test]) -> bool:
    def is_like(part: SectionPathPart, section: Section) -> bool:
        return any(test(part.title, section.title) for test in tests)

    around = iter(chain[:-1])
    return is_like(parts[-1], chain[-1]) and all(any(is_like(part, one) for one in around) for part in parts[:-1])


_BLOCKS = {
    "paragraphs": "".join(f"Words of paragraph {n}.\n\n" for n in range(150)),
    "headings": "".join(f"## Part {n}\nWords.\n" for n in range(150)),
    "a list": "".join(f"- item {n}\n" for n in range(300)),
    "a list with blank lines": "".join(f"1. item {n}\n\n   more\n\n" for n in range(150)),
    "a table": "| a | b |\n|---|---|\n" + "".join(f"| {n} | x |\n" for n in range(300)),
    "a fence": "```\n" + "## no heading\n" * 200 + "```\n\n# After\n\nWords.\n",
    "a comment": "<!--\n" + "## no heading\n\n" * 200 + "-->\n\n# After\n\nWords.\n",
    "a quote": "> ## no heading\n" * 200 + "\n# After\n\nWords.\n",
    "underlined headings": "".join(f"Part {n}\n----\n" for n in range(200)),
    "references": "".join(f'[r{n}]: /u\n"t\nmore {n}\n===\n' for n in range(150)),
    "CR LF": "".join(f"## Part {n}\r\n\r\nWords \U0001f600.\r\n" for n in range(100)),
}  # fmt: skip
_KEYS = [
    "\n```\n", "\n```py\nx\n```\n", "\n<!--\n", "-->", "\n<!-- x -->\n", "\n---\n", "\n===\n", "\n    ", "\n> ",
    "\n- a\n  - b\n", "\n## New\n", '"', "\n\n", "\r\n", "~~~\n", "\U0001f600",
]  # fmt: skip


@pytest.mark.parametrize("blocks", _BLOCKS)
def test_keys_typed_and_taken_back_in_a_long_text(blocks: str) -> None:
    """A fence, a comment, an underline, an indent, a quote: each character by itself, and deleted again."""
    outline = outline_of("# First\n\n" + _BLOCKS[blocks])
    for number, keys in enumerate(_KEYS):
        at = len(outline.text) * (number % 7 + 1) // 9
        for offset, key in enumerate(keys):
            outline = _edit(outline, at + offset, 0, key)
            _check(outline)
        for offset in reversed(range(len(keys))):
            outline = _edit(outline, at + offset, 1, "")
        _check(outline)


def test_a_short_text_that_becomes_a_long_one_is_cut_anew() -> None:
    """Once, and not at each edit; its sections are those of a fresh outline before and after."""
    part = "## Part\n\nWords of a part that goes on for a while, and then for another.\n\n"
    outline = outline_of(part * (SHORT // len(part)))
    assert outline.segments.least == LEAST_OF_SHORT
    for _ in range(3):
        outline = _edit(outline, len(outline.text) // 2, 0, part * (SHORT // len(part) // 2))
        _check(outline)
    assert outline.segments.least == LEAST
    assert rereading(outline, 9, 9, "x\n\n") < 4 * LEAST
    assert rereading(outline_of(part * (SHORT // len(part))), 9, 9, part * (2 * SHORT // len(part))) > 2 * SHORT
    assert _edit(outline, 9, 0, "x\n\n").read < 4 * LEAST


def test_a_title_that_closes_late_joins_the_reference_above() -> None:
    """What is a heading below a reference becomes its title when a quotation mark is typed three lines further down."""
    text = 'a\n\n[x]: y\n"t\nmore\nend\n===\n\nz\n'
    outline = outline_of(text, 1)
    assert [section.title for section in outline.sections] == ['"t more end']
    after = _edit(outline, text.index("end") + 3, 0, '"')
    assert after.sections == ()
    _check(after)


def test_a_colon_typed_in_the_second_line_makes_a_front_matter() -> None:
    """And its closing rule is no underline any more; a rule typed later closes one that was open."""
    outline = _edit(outline_of("---\na b\nc\n---\n# A\n"), 5, 0, ":")
    assert [section.title for section in outline.sections] == ["A"]
    outline = _edit(_edit(outline, outline.text.index("---\n#"), 3, "--"), 0, 0, "")
    assert outline.front == -1
    outline = _edit(outline, outline.text.index("--\n#"), 0, "-")
    assert outline.front == outline.text.index("# A")
    _check(outline)


@pytest.mark.parametrize(
    "text, at, key",
    [
        ("<!--\n# A\nend -->\n# B\n", "->", "x"),
        ("<script>\n# A\nend </script>\n# B\n", "ipt>\n# B", "x"),
        ("[x]:\njavascrip:y\n===\n", ":y", "t"),
        ("[x]:\nto y\n===\n", " y", "-"),
        ("One\ntwo words\n===\n", " words", "x"),
        ("---\na b\n---\n", " b", ":"),
        ("words\n===\n", "rds", "\n"),
        ("words\n===\n", "\n=", "\n"),
        ("some words\n", " words", "\n# X\n"),
    ],
)
def test_keys_inside_a_line_of_words_that_matter_all_the_same(text: str, at: str, key: str) -> None:
    """In an HTML block's end, in a reference, in a title, in a front matter, and where they break the line."""
    outline = outline_of(text)
    assert sections_of(_edit(outline, text.index(at), 0, key)) != sections_of(outline)
    _check(_edit(outline, text.index(at), 0, key))


def sections_of(outline: Outline) -> list[str]:
    """The titles, and how many lines there are before each."""
    return [f"{section.line} {section.title}" for section in outline_of(outline.text).sections]
