"""Marks of what an agent was shown."""

from __future__ import annotations

from draftsmith.agents.marks import (
    LINES,
    TEXT,
    commit_mark,
    edge_mark,
    field_mark,
    is_of_section,
    line_mark,
    node_mark,
    section_marks,
)
from draftsmith.model.markdown.sections import outline_of

NAMES = [f"n{number}" for number in range(50)]


def test_marks_of_sections_and_of_commits_are_told_from_others() -> None:
    sections = [mark for _, mark in section_marks(outline_of("".join(f"# {name}\n" for name in NAMES)))]
    commits = [commit_mark(revision) for revision in range(50)]
    others = [make(name) for make in (line_mark, node_mark, edge_mark) for name in NAMES]
    others += [LINES, TEXT, *(field_mark("node", name, "label") for name in NAMES)]
    assert len({*sections, *commits, *others}) == len(sections) + len(commits) + len(others)
    assert all(map(is_of_section, sections + commits))
    assert not any(map(is_of_section, others))


def test_sections_with_equal_paths_are_told_apart_by_their_order() -> None:
    """Whatever stands between them."""
    text = "start\n\n# A\n\n## B\n\n# A\n\n## B\n\n# A\n"
    marks = [mark for _, mark in section_marks(outline_of(text))]
    assert len(set(marks)) == len(marks) == 6
    fewer = [mark for _, mark in section_marks(outline_of(text.replace("## B\n\n", "")))]
    assert fewer == [marks[0], marks[1], marks[3], marks[5]]


def test_marks_are_the_same_in_every_version() -> None:
    """The store keeps them, and workers of two versions run side by side while one replaces the other."""
    sections = [mark for _, mark in section_marks(outline_of("# A\n\n## B\n\n# A\n\n# A\n"))]
    assert sections == [
        "s94ccfb0786d6a694", "sfda2dabdbe25ea36", "s28da199afc8f0642", "s2a445566000c8aed", "s50bc87a63ac68c79",
    ]  # fmt: skip
    assert [line_mark("api"), node_mark("api"), edge_mark("api--db")] == [
        "l5d43eecc9a7c9c4d", "ne254d5a72e127c95", "e9e83606312805520",
    ]  # fmt: skip
    assert [field_mark("node", "api", "label"), commit_mark(7)] == ["f09961d6213c51345", "cfda2fe1c9f08f663"]
    assert (LINES, TEXT) == ("lines", "text")
