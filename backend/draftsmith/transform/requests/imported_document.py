"""The document of an import beside the one of a workspace that is there: section by section, by level and title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from draftsmith.model.document import Document, with_lf
from draftsmith.model.markdown.sections import Outline, Section, outline_of
from draftsmith.transform.requests.imported_rows import ImportDifferenceOut, ImportRowOut, ImportRows

_MAX_TITLE = 300
_SEVERAL = "several sections are called so, so it is not clear which is meant"


@dataclass(frozen=True, slots=True)
class _ReadSection:
    """An outermost section that was read: its text is all below its heading."""

    level: int
    title: str
    plain: str
    text: str


def add_document_rows(rows: ImportRows, text: str, name: str, document: Document) -> None:
    """Add the rows of a document that was read.

    Args:
        rows: to which they are added.
        text: Markdown that was read; may be empty.
        name: the title of what stands under no heading.
        document: the one that is there; into an empty one the text comes as it is.
    """
    read = with_lf(text)
    if not read.strip():
        return
    if not document.text.strip():
        operation: dict[str, object] = {"op": "replace_document", "text": read}
        rows.new.append(_row("new", "", name, [operation]))
        return
    here = document.outline
    found = list(_sections(read, name, here.text[here.preamble : here.preamble_end]))
    counts = Counter((one.level, one.plain) for one in found)
    for number, one in enumerate(found):
        same = [section for section in here.by_title.get(one.plain, ()) if section.level == one.level]
        if len(same) > 1 or counts[one.level, one.plain] > 1:
            rows.changed.append(_row(f"changed:{number}", one.plain, one.plain, [], reason=_SEVERAL))
        elif not same:
            rows.new.append(_row(f"new:{number}", one.plain, one.plain, [_insertion(one)]))
        elif _text_of(here, same[0]).strip() == one.text.strip():
            rows.unchanged += 1
        else:
            rows.changed.append(_changed_row(here, same[0], one))


def _sections(text: str, name: str, there: str) -> Iterator[_ReadSection]:
    """The outermost sections; what stands before them becomes one called as the import is, unless that is `there`."""
    outline = outline_of(text)
    outermost = [section for section in outline.sections if section.parent is None]
    before = text[outline.preamble : outline.preamble_end]
    if before.strip() not in ("", there.strip()):
        title = name[:_MAX_TITLE].strip() or "Text"
        yield _ReadSection(outermost[0].level if outermost else 1, title, title, before)
    for section in outermost:
        title = " ".join(section.title.split())[:_MAX_TITLE].strip() or "Untitled"
        yield _ReadSection(section.level, title, section.plain or title, text[section.body : section.end])


def _insertion(one: _ReadSection) -> dict[str, object]:
    return {"op": "insert_section", "title": one.title, "text": one.text.strip("\n"), "level": one.level}


def _changed_row(here: Outline, section: Section, one: _ReadSection) -> ImportRowOut:
    path = here.path(section)
    lines = [f"{len(text.strip().splitlines()):,} lines" for text in (_text_of(here, section), one.text)]
    operation: dict[str, object] = {
        "op": "replace_section", "section": path, "text": one.text.strip("\n"), "scope": "subtree"
    }  # fmt: skip
    difference: ImportDifferenceOut = {"field": "text", "here": lines[0], "source": lines[1]}
    return _row(f"changed:{path}", path, section.plain, [operation], difference=difference)


def _text_of(outline: Outline, section: Section) -> str:
    return outline.text[section.body : section.end]


def _row(
    row_id: str,
    element: str,
    title: str,
    operations: list[dict[str, object]],
    *,
    reason: str = "",
    difference: ImportDifferenceOut | None = None,
) -> ImportRowOut:
    kind, _, rest = row_id.partition(":")
    return {
        "id": f"{kind}:section:{rest}", "of": "section", "element": element, "title": title,
        "by": None if kind == "new" else "name", "differences": [] if difference is None else [difference],
        "reason": reason, "needs": [], "operations": operations,
    }  # fmt: skip
