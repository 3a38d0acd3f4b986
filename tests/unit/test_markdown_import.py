"""A Markdown file as a workspace, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.errors import DraftsmithError
from draftsmith.model.markdown_import import from_markdown, read, to_markdown
from draftsmith.model.readers.document_room import reason_against_reading
from draftsmith.model.readers.reading import SourceFile, SourceSet, UnreadableSource
from draftsmith.usecases.upkeep.import_export import read_text

WITH_FLOWCHART = """Intro

# The *Orders* `platform`

```mermaid
sequenceDiagram
  A->>B: not this one
```

```mermaid
flowchart LR
  web[Web shop] --> db[(Orders)]
  style web fill:#fff
```

```mermaid
flowchart LR
  second --> third
```
"""


def test_the_text_is_kept_and_the_first_flowchart_read() -> None:
    """The document is the whole text; the diagram comes from the first block that is a flowchart."""
    found = from_markdown(WITH_FLOWCHART)
    assert found["format"] == "draftsmith/1"
    assert found["name"] == "The Orders platform"
    assert found["document"] == {"text": WITH_FLOWCHART, "eol": "lf"}
    assert [node["id"] for node in found["diagram"]["nodes"]] == ["web", "db"]
    assert found["unread"] == [{"line": 13, "text": "style web fill:#fff", "reason": "`style` is not kept"}]
    assert WITH_FLOWCHART.split("\n")[12].strip() == "style web fill:#fff"


def test_without_a_flowchart_each_block_that_is_none_is_named() -> None:
    """The document is kept whole, and each diagram of another kind is told, with its line in the file."""
    text = "# A\n\n```mermaid\nsequenceDiagram\n  A->>B: hi\n```\n\n```mermaid\n%% why\nC4Context\n```\n"
    found = from_markdown(text)
    assert found["document"]["text"] == text
    assert found["diagram"] == {"nodes": [], "edges": []}
    assert [(line["line"], line["text"]) for line in found["unread"]] == [(4, "sequenceDiagram"), (10, "C4Context")]
    assert "this is a sequence diagram, and only flowcharts are read" in found["unread"][0]["reason"]


@pytest.mark.parametrize(
    "text,eol",
    [("a\nb\n", "lf"), ("a\r\nb\r\n", "crlf"), ("a\r\nb\n", "mixed"), ("a\rb", "mixed"), ("", "lf")],
)
def test_line_ends_are_remembered(text: str, eol: str) -> None:
    """Inside, line ends are LF; which came in is remembered."""
    document = from_markdown(text)["document"]
    assert document == {"text": text.replace("\r\n", "\n").replace("\r", "\n"), "eol": eol}


@pytest.mark.parametrize(
    "text,name",
    [
        ("# One\n# Two\n", "One"),
        ("## Two\n\n# One\n", "One"),
        ("Title\n=====\n", "Title"),
        ("```\n# code\n```\n\n# Real\n", "Real"),
        ("\n\n- first line\n", "first line"),
        ("## Only level two\n", "Only level two"),
        ("\ufeff# Marked\n", "Marked"),
        ("#\n", "Untitled"),
        ("", "Untitled"),
        ("# " + "x" * 500, "x" * 200),
    ],
)
def test_names(text: str, name: str) -> None:
    """The first heading of level 1, else the first line, else a stand-in; at most 200 characters."""
    assert from_markdown(text)["name"] == name


@given(st.text(max_size=300))
def test_no_text_fails(text: str) -> None:
    """Any text is a document with a name."""
    found = from_markdown(text)
    assert 1 <= len(found["name"]) <= 200
    assert "\n" not in found["name"]
    assert "\r" not in found["document"]["text"]


def test_a_document_is_exported_as_it_is() -> None:
    """Nothing is added to a text that says something."""
    assert to_markdown("Name", "body\n", {"nodes": [{"id": "a", "type": "api", "label": "A"}]}) == "body\n"


def test_a_workspace_without_a_document_exports_name_and_diagram() -> None:
    """What there is comes back when it is read again."""
    diagram = from_markdown(WITH_FLOWCHART)["diagram"]
    text = to_markdown("Two\nlines", "\n", diagram)
    again = from_markdown(text)
    assert again["name"] == "Two lines"
    assert again["diagram"] == diagram
    assert again["unread"] == []
    assert to_markdown("Empty", "", {"nodes": [], "edges": []}) == "# Empty\n"


@pytest.mark.parametrize(
    "line", ["#\n", "#\r", "a\n=\n", "a\n-\n", "a\n\n", "- a\n", "1. a\n", "___\n", "[a]: b\n", "> a\n\n"], ids=ascii
)
def test_a_text_of_very_many_blocks_is_refused_before_it_is_read(line: str) -> None:
    """A few megabytes would take minutes and more memory than a process should have."""
    text = line * (2_000_000 // len(line))
    file = SourceFile("a.md", text.encode())
    with pytest.raises(UnreadableSource, match="more headings, paragraphs and items"):
        read(SourceSet(file, {file.path: file}))
    with pytest.raises(DraftsmithError) as refused:
        read_text(text, "markdown")
    assert refused.value.code == "too_costly"


def test_a_long_text_of_the_usual_kind_is_read() -> None:
    assert not reason_against_reading("## Part\n\nA paragraph of some fifty characters, as people write.\n\n" * 30_000)
