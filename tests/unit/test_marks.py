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
