"""Exports of Notion: pages become one document, links stay links, and no zip is unbounded."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Mapping

import pytest

from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.notion.reader import read, recognizes, sets_of
from draftsmith.model.readers import archive
from draftsmith.model.readers.document_room import TOO_MANY_BLOCKS
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from tests.image_samples import png
from tests.seeds import examples

A, B, C, D = ("a1" * 16, "b2" * 16, "c3" * 16, "d4" * 16)


def zipped(files: Mapping[str, str | bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as writing:
        for name, content in files.items():
            writing.writestr(name, content)
    return packed.getvalue()


def read_zip(files: Mapping[str, str | bytes]) -> ReadWorkspace:
    return read_content(zipped(files))


def read_content(content: bytes) -> ReadWorkspace:
    file = SourceFile("Export.zip", content)
    (found,) = read(SourceSet(file, {file.path: file}))
    return found


HOME = f"""# Home

See [the plan](Home%20{A}/Plan%20{B}.md), [itself](https://www.notion.so/Home-{A}?pvs=4) and [others](https://example.com).

# Why

![Sketch](Home%20{A}/Sketch.png)

`[code](Home%20{A}/Plan%20{B}.md)`
"""
EXPORT = {
    f"Home {A}.md": HOME,
    f"Home {A}/Plan {B}.md": f"# Plan\r\n\r\n## Steps\r\n\r\nBack [home](../Home%20{A}.md).\r\n",
    f"Home {A}/Tasks {C}.csv": "Name,State\nFirst,Open\n",
    f"Home {A}/Tasks {C}_all.csv": 'Name,State\nFirst,Open\n"Sec|ond","two\nlines"\n',
    f"Home {A}/Tasks {C}/First {D}.md": "# First\n\nState: Open\n",
    f"Home {A}/Sketch.png": png(),
    f"Home {A}/Contract.pdf": b"%PDF-1.7",
}


def test_pages_become_one_document_below_one_another() -> None:
    found = read_zip(EXPORT)
    (name,) = found.images
    assert found.name == "Home"
    assert (
        found.document
        == f"""# Home

See [the plan](#plan), [itself](#home) and [others](https://example.com).

## Why

![Sketch](images/{name})

`[code](Home%20{A}/Plan%20{B}.md)`

## Plan

#### Steps

Back [home](#home).

## Tasks

| Name | State |
|---|---|
| First | Open |
| Sec\\|ond | two lines |

### First

State: Open
"""
    )
    assert found.images[name] == png()
    assert [(one.file, one.reason) for one in found.unread] == [
        (f"Home {A}/Contract.pdf", "it is no page, and no image that a page shows")
    ]


def test_links_lead_to_pages_of_one_name_each() -> None:
    """Headings of one name have numbered addresses, those within pages too."""
    found = read_zip(
        {
            f"Notes {A}.md": f"# Notes\n\n## Notes\n\n[other](Notes%20{B}.md)\n",
            f"Notes {B}.md": f"# Notes\n\n[first](Notes%20{A}.md)\n",
        }
    )
    anchors = outline_of(found.document).anchors
    assert [link.name for link in anchors.links()] == ["notes-2", "notes"]
    assert list(anchors.names) == ["notes", "notes-1", "notes-2"]


def test_a_folder_is_read_as_a_zip_is() -> None:
    files = [SourceFile(path, text.encode() if isinstance(text, str) else text) for path, text in EXPORT.items()]
    others = [SourceFile("shop.dsl", b"workspace {\n}"), SourceFile("elsewhere/a.png", png())]
    (one,) = sets_of([*others, *files, SourceFile("Cover.png", png())])
    assert one.root.path == f"Home {A}.md"
    assert sorted(one.files) == sorted([*EXPORT, "Cover.png"])
    assert read(one)[0].document == read_zip(EXPORT).document


def test_zips_in_a_zip_are_one_export() -> None:
    halves = dict(list(EXPORT.items())[:3]), dict(list(EXPORT.items())[3:])
    parts = {f"ExportBlock-12ab-Part-{number}.zip": zipped(half) for number, half in enumerate(halves, 1)}
    assert recognizes(SourceFile("e.zip", zipped(parts)))
    assert read_zip(parts).document == read_zip(EXPORT).document


@pytest.mark.parametrize(
    "path, content, is_one",
    [
        (f"Home {A}.md", b"# Home", True),
        (f"Tasks {A}_all.csv", b"Name", True),
        (f"Home {A}.txt", b"", False),
        ("readme.md", b"# Read me", False),
        ("Export.zip", zipped({f"Home {A}.md": "# Home"}), True),
        ("Export.zip", zipped({"readme.md": "# Read me"}), False),
        ("Export.zip", b"PK\x03\x04 and no more", False),
    ],
)
def test_exports_are_recognized_by_the_ids_in_their_names(path: str, content: bytes, is_one: bool) -> None:
    assert recognizes(SourceFile(path, content)) is is_one


@pytest.mark.parametrize("name", [f"../Home {A}.md", f"a/../../Home {A}.md", f"/Home {A}.md", f"..\\Home {A}.md"])
def test_a_path_that_leads_out_of_a_zip_is_refused(name: str) -> None:
    with pytest.raises(UnreadableSource, match="leads out"):
        read_zip({name: "# Home"})


def test_a_zip_is_bounded_by_what_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 100_000)
    monkeypatch.setattr(archive, "MAX_FILES", 4)
    bomb = zipped({f"Home {A}.md": "a" * 100_001})
    assert len(bomb) < 1_000
    with pytest.raises(UnreadableSource, match="more than 100,000 bytes"):
        read_content(bomb)
    with pytest.raises(UnreadableSource, match="more than 100,000 bytes"):
        read_zip({f"{number}.zip": zipped({f"Home {A}.md": "a" * 50_001}) for number in range(2)})
    with pytest.raises(UnreadableSource, match="more than 4 files"):
        read_zip({f"{number}.md": "" for number in range(5)})


def test_what_lies_about_its_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size in the directory of a zip is what it says, not what it has."""
    monkeypatch.setattr(archive, "MAX_BYTES", 1_000)
    text = b"a" * 5_000
    content = zipped({f"Home {A}.md": text}).replace(len(text).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(UnreadableSource):
        read_content(content)


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_to_pack_are_refused(kind: int) -> None:
    with pytest.raises(UnreadableSource, match="packed in a way that is not read"):
        read_content(zipped({f"Home {A}.md": "# Home"}, kind))


def test_a_page_that_is_no_text_is_listed() -> None:
    found = read_zip({f"Home {A}.md": "# Home", f"Bad {B}.md": b"\xff\xfe\x00"})
    assert found.document == "# Home\n"
    assert [one.file for one in found.unread] == [f"Bad {B}.md"]


def test_pages_beyond_the_room_of_a_document_are_listed() -> None:
    found = read_zip({f"One {A}.md": "a" * 1_999_000, f"Two {B}.md": "b" * 2_000, f"Z {C}.md": "c"})
    assert found.document.endswith("c\n")
    assert [(one.file, one.reason) for one in found.unread] == [
        (f"Two {B}.md", "a document has at most 2,000,000 characters")
    ]


def test_headings_beyond_what_a_document_is_read_with_are_listed() -> None:
    """A page of nothing but headings is left out before it is read, and alone it is refused."""
    many = "# [a](b.md)\n" * 150_000
    found = read_zip({f"One {A}.md": "# One\n", f"Two {B}.md": many, f"Z {C}.md": "# Z\n"})
    assert found.document == "# One\n\n# Z\n"
    assert [(one.file, one.reason) for one in found.unread] == [(f"Two {B}.md", TOO_MANY_BLOCKS)]
    with pytest.raises(UnreadableSource, match="more headings"):
        read_zip({f"Two {B}.md": many})


def test_no_damage_makes_it_fail() -> None:
    chance = random.Random(1)
    content = zipped(EXPORT)
    for _ in range(examples(300)):
        damaged = bytearray(content)
        if chance.random() < 0.3:
            del damaged[chance.randrange(len(damaged)) :]
        for _ in range(chance.randrange(1, 12)):
            if damaged:
                damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        recognizes(SourceFile("Export.zip", bytes(damaged)))
        try:
            found = read_content(bytes(damaged))
        except UnreadableSource as problem:
            if not problem.reason:
                raise
        else:
            assert len(found.document) <= 2_000_000


def test_the_first_flowchart_of_an_export_is_the_diagram() -> None:
    found = read_zip({f"Home {A}.md": "# Home\n\n```mermaid\nflowchart LR\na[Web] --> b[Orders]\n```\n"})
    assert [node["label"] for node in found.diagram["nodes"]] == ["Web", "Orders"]
