"""How much of real draw.io files comes in: `python -m bench.drawings.drawio_import FOLDER`.

Counts what is in a file on the raw XML, by a small counter that knows nothing of the reader, and looks for it in what
was read. Labelled shapes are counted apart from text that draw.io writes without a shape (style `text`), lines that
name both ends apart from those that do not. Prints a table of pages as Markdown, what is missing, and why.
"""

from __future__ import annotations

import base64
import html
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ET
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from draftsmith.errors import DraftsmithError
from draftsmith.usecases.upkeep.drawio_import import ImportedPage, drawing_pages, read_drawing

Pieces = tuple[str, ...]


@dataclass
class PageCount:
    """What a page holds by the counter, and what of it was found."""

    file: str
    page: str
    shapes: int = 0
    shapes_found: int = 0
    texts: int = 0
    texts_found: int = 0
    named: int = 0
    loose: int = 0
    edges: int = 0
    lost: list[str] = field(default_factory=list)
    refused: str = ""
    missing: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)


def main(folder: Path) -> None:
    counts = [count for file in sorted(folder.rglob("*.*")) for count in counts_of(folder, file)]
    print("| File | Page | Labelled shapes | Text | Lines with both ends named | Loose lines | Edges | Refused |")
    print("|---|---|---|---|---|---|---|---|")
    for one in counts:
        print(
            f"| {one.file} | {one.page} | {one.shapes_found} of {one.shapes} | {one.texts_found} of {one.texts}"
            f" | {one.named} | {one.loose} | {one.edges} | {one.refused} |"
        )
    files = len({one.file for one in counts})
    shapes, found = sum(one.shapes for one in counts), sum(one.shapes_found for one in counts)
    texts, said = sum(one.texts for one in counts), sum(one.texts_found for one in counts)
    named, edges = sum(one.named for one in counts), sum(one.edges for one in counts)
    loose = sum(one.loose for one in counts)
    lost = sum(len(one.lost) for one in counts)
    print(f"\n{files} files, {len(counts)} pages: {found} of {shapes} labelled shapes ({found / max(shapes, 1):.1%}),")
    kept = named - lost
    print(f"{said} of {texts} texts, {kept} of {named} lines with both ends named ({kept / max(named, 1):.1%}),")
    print(f"{edges - kept} of {loose} lines without.")
    for one in counts:
        for missing in one.missing:
            print(f"- missing: {one.file}, {one.page}: {missing}")
    reasons: Counter[str] = Counter()
    for one in counts:
        reasons.update(one.reasons)
    for reason, number in reasons.most_common():
        print(f"- {number} × {reason}")


def counts_of(folder: Path, file: Path) -> Iterator[PageCount]:
    """The counts of every page of a file."""
    name, raw = str(file.relative_to(folder)), file.read_bytes()
    for number, (page, xml) in enumerate(_pages(raw), 1):
        count = PageCount(name, page)
        wanted = list(_labels(xml, count))
        try:
            assert number <= len(drawing_pages(raw))
            drawing = read_drawing(raw, number)
        except DraftsmithError as refused:
            count.refused = refused.detail
            yield count
            continue
        _compare(count, wanted, drawing)
        yield count


def _pages(raw: bytes) -> Iterator[tuple[str, ET.Element]]:
    root = ET.fromstring(raw)
    pages = list(root.iter("diagram"))
    if not pages:
        yield "", root
    for number, page in enumerate(pages, 1):
        text = (page.text or "").strip()
        if page.find("mxGraphModel") is None and text:
            inflated = zlib.decompress(base64.b64decode(text), -15).decode()
            yield page.get("name") or str(number), ET.fromstring(urllib.parse.unquote(inflated))
        else:
            yield page.get("name") or str(number), page


def _labels(page: ET.Element, count: PageCount) -> Iterator[tuple[Pieces, bool]]:
    """The label of every vertex that is shown and has one, and whether it is text without a shape; counts lines."""
    wrapped = {id(cell): one for one in page.iter() if one.tag != "mxCell" for cell in one.findall("mxCell")}
    layers = [cell for cell in page.iter("mxCell") if cell.get("vertex") != "1" and cell.get("edge") != "1"]
    hidden = {cell.get("id") for cell in layers if cell.get("visible") == "0"}
    cells = [cell for cell in page.iter("mxCell") if cell.get("parent") not in hidden]
    ids = {id(cell): wrapped[id(cell)].get("id") or cell.get("id") for cell in cells}
    edges = {ids[id(cell)] for cell in cells if cell.get("edge") == "1"}
    vertices = {ids[id(cell)] for cell in cells if cell.get("vertex") == "1"}
    for cell in cells:
        if cell.get("edge") == "1":
            is_named = cell.get("source") in vertices and cell.get("target") in vertices
            count.named += is_named
            if is_named:
                count.lost.append(ids[id(cell)] or "")
            count.loose += not is_named
        elif cell.get("vertex") == "1" and cell.get("parent") not in edges:
            label = wrapped[id(cell)].get("label") or cell.get("value") or ""
            style = cell.get("style") or ""
            pieces = _pieces(label, "html=1" in style)
            if pieces:
                yield pieces, style.startswith("text") or ";text;" in style


def _pieces(label: str, is_html: bool) -> Pieces:
    """The letters and digits of each line of a label."""
    if is_html:
        label = re.sub(r"<(script|style)\b.*?</\1>", " ", label, flags=re.DOTALL)
        label = re.sub(r"</?(?:br|div|p|hr|li|h\d|td|tr)\b[^>]*>", "\n", label)
        label = html.unescape(re.sub(r"<[^>]*>", "", label))
    return tuple(words for line in label.splitlines() if (words := _words(line)))


def _words(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _compare(count: PageCount, wanted: list[tuple[Pieces, bool]], drawing: ImportedPage) -> None:
    """Look for every label in one node with its texts, or in the document, as often as it is there."""
    diagram = drawing.content["diagram"]
    assert diagram is not None
    document = drawing.content.get("document") or {}
    parts = [_words(document.get("text", ""))]
    parts += [
        _words("".join((node["label"], node.get("description", ""), node.get("technology", ""))))
        for node in diagram["nodes"]
    ]
    found = {
        pieces: sum(min(part.count(piece) for piece in pieces) for part in parts)
        for pieces in {one for one, _ in wanted}
    }
    for pieces, is_text in wanted:
        is_found = found[pieces] > 0
        found[pieces] -= is_found
        if is_text:
            count.texts += 1
            count.texts_found += is_found
        else:
            count.shapes += 1
            count.shapes_found += is_found
        if not is_found:
            count.missing.append(f"{'text' if is_text else 'shape'} “{' '.join(pieces)[:60]}”")
    count.edges = len(diagram["edges"])
    unread = {cell["cell"] for cell in drawing.unread}
    count.lost = [one for one in count.lost if one in unread]
    count.reasons.update(re.sub(r" \(and .*", "", cell["reason"]) for cell in drawing.unread)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
