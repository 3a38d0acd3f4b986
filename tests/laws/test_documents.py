"""Laws of operations on the document: spacing, headings, and what stays."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.errors import BatchRejected
from draftsmith.model.markdown.sections import outline_of
from tests.builders import Op, run, workspace_of
from tests.seeds import examples

TITLES = ["Risks", "Data", "C#", "Ängste 🚀"]
BLOCKS = ["para", "two\nlines", "- one\n- two", "1. one", "| a |\n|---|\n| 1 |", "```\n# code\n```", "> # quote", "🚀"]

blocks = st.lists(st.sampled_from(BLOCKS), max_size=3)
atx = st.tuples(st.integers(1, 4), st.sampled_from(TITLES)).map(lambda it: f"{'#' * it[0]} {it[1]}")
setext = st.tuples(st.sampled_from(TITLES), st.sampled_from(["===", "---"])).map("\n".join)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Documents as people set them: blocks apart by one blank line, headings tight or wide."""
    parts = ["\n\n".join(draw(blocks))]
    for _ in range(draw(st.integers(0, 5))):
        gap = draw(st.sampled_from(["\n", "\n\n"]))
        parts.append(draw(st.one_of(atx, setext)) + gap + "\n\n".join(draw(blocks)))
    text = "\n\n".join(part.strip("\n") for part in parts if part.strip())
    return text + draw(st.sampled_from(["", "\n"]))


def sections(text: str) -> list[tuple[int, str]]:
    """Level and title of every heading."""
    return [(section.level, section.title) for section in outline_of(text).sections]


def changed(text: str, operation: Op) -> str | None:
    """The text after an operation, None if it does not fit."""
    workspace = workspace_of(text=text)
    try:
        run(workspace, operation, revision=2)
    except BatchRejected:
        return None
    return workspace.document.text


@st.composite
def writings(draw: st.DrawFn, text: str) -> Op:
    """An operation that writes into, adds, moves or takes out a section of a text."""
    outline = outline_of(text)
    paths = [outline.path(section) for section in outline.sections] or [""]
    section = draw(st.sampled_from(paths))
    other = draw(st.sampled_from(paths))
    new = "\n\n".join(draw(blocks))
    where = draw(st.sampled_from(["before", "after", "into"]))
    shapes: list[dict[str, Any]] = [
        {"op": "append_to_section", "section": section, "text": new},
        {"op": "replace_section", "section": section, "text": new},
        {"op": "replace_section", "section": section, "text": new, "scope": "subtree"},
        {"op": "insert_section", "title": "New", "text": new, where: section},
        {"op": "insert_section", "title": "New", "text": new},
        {"op": "delete_section", "section": section},
        {"op": "move_section", "section": section, where: other},
        {"op": "rename_section", "section": section, "title": "New"},
    ]
    return draw(st.sampled_from(shapes))


@given(documents(), st.data())
@settings(max_examples=examples(400))
def test_no_blank_line_is_doubled(text: str, data: st.DataObject) -> None:
    """Where blocks stood apart by one blank line, they still do; nothing ends in blank lines that did not."""
    after = changed(text, data.draw(writings(text)))
    if after is not None:
        assert "\n\n\n" not in after
        assert not after.endswith("\n\n")


@given(documents(), st.data())
@settings(max_examples=examples(400))
def test_headings_are_what_the_operation_says(text: str, data: st.DataObject) -> None:
    """Writing text changes no heading; adding adds one; deleting and renaming leave the others as they are."""
    operation = data.draw(writings(text))
    after = changed(text, operation)
    if after is None:
        return
    old, new = sections(text), sections(after)
    name = operation["op"]
    if name == "append_to_section" or (name == "replace_section" and "scope" not in operation):
        assert new == old
    elif name == "insert_section":
        assert len(new) == len(old) + 1
        added = next(at for at in range(len(new)) if new[:at] + new[at + 1 :] == old and new[at][1] == "New")
        assert new[added][1] == "New"
    elif name == "rename_section":
        assert [level for level, _ in new] == [level for level, _ in old]
        assert sum(one != other for one, other in zip(old, new, strict=True)) == 1
    elif name == "move_section":
        assert sorted(title for _, title in new) == sorted(title for _, title in old)
    else:
        rest = iter(old)
        assert all(any(one == other for other in rest) for one in new), "no heading that was not there"


@given(documents(), st.data())
@settings(max_examples=examples(300))
def test_text_is_only_added_by_appending_and_inserting(text: str, data: st.DataObject) -> None:
    """Every line that was there is still there, in order."""
    operation = data.draw(writings(text))
    if operation["op"] not in ("append_to_section", "insert_section"):
        return
    after = changed(text, operation)
    if after is not None:
        lines = iter(after.split("\n"))
        assert all(any(line == other for other in lines) for line in text.split("\n") if line.strip())


@given(documents(), st.data())
@settings(max_examples=examples(200))
def test_a_moved_section_moves_back(text: str, data: st.DataObject) -> None:
    """A section that moved behind its neighbour and back again reads as before, blank lines at the end aside."""
    outline = outline_of(text)
    pairs = [
        (one, other)
        for one in outline.sections
        for other in outline.sections
        if one.end == other.start and one.level == other.level
    ]
    unique = {path for path in map(outline.path, outline.sections) if sections_called(text, path) == 1}
    pairs = [pair for pair in pairs if all(outline.path(section) in unique for section in pair)]
    if not pairs:
        return
    first, second = data.draw(st.sampled_from(pairs))
    workspace = workspace_of(text=text)
    path, other = outline.path(first), outline.path(second)
    run(workspace, {"op": "move_section", "section": path, "after": other}, revision=2)
    run(workspace, {"op": "move_section", "section": path, "before": other}, revision=3)
    assert _plain(workspace.document.text) == _plain(text)


def sections_called(text: str, path: str) -> int:
    """How many sections have that path."""
    outline = outline_of(text)
    return sum(outline.path(section) == path for section in outline.sections)


def _plain(text: str) -> str:
    return re.sub(r"\n+", "\n", text).strip("\n")
