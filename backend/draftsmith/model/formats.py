"""The file formats for export, pictures and import: names, extensions and media types.

Routes, the command line and OpenAPI (and from there the page's types) use these lists. Not here: how each format is
written and read (`usecases.upkeep.import_export`), how pictures are drawn (`usecases.upkeep.pictures`), how PDF is made
(`usecases.upkeep.papers`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

Format = Literal["json", "markdown", "mermaid", "drawio", "dot", "structurizr", "text"]
"""What a workspace, or a part of it, is written as by itself."""
TextFormat = Literal["markdown", "mermaid", "text"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
ImportFormat = Literal["json", "markdown", "mermaid", "text", "drawio"]
IMPORT_FORMATS: Final[tuple[ImportFormat, ...]] = get_args(ImportFormat)
"""What a workspace is made from."""
ExportFormat = Literal[Format, "pdf", "zip"]
"""What a workspace is exported as; nothing is imported from PDF, nor from the archive of all formats."""

PictureFormat = Literal["svg", "png"]
PICTURE_FORMATS: Final[tuple[PictureFormat, ...]] = get_args(PictureFormat)
Theme = Literal["light", "dark"]
"""Of a picture: its colours."""
THEMES: Final[tuple[Theme, ...]] = get_args(Theme)
LEAST_SCALE: Final = 0.05
"""Of a picture: pixels for each pixel of the diagram."""
MOST_SCALE: Final = 4.0


@dataclass(frozen=True, slots=True)
class FormatFacts:
    """One file format; `endings` are file name extensions in lower case, that of a written file first."""

    media_type: str
    endings: tuple[str, ...]


FORMAT_FACTS: Final[Mapping[Format, FormatFacts]] = {
    "json": FormatFacts("application/json", (".json",)),
    "markdown": FormatFacts("text/markdown", (".md", ".markdown")),
    "mermaid": FormatFacts("text/vnd.mermaid", (".mmd", ".mermaid")),
    # SVG and PNG of draw.io carry the drawing; any other is refused when it is read.
    "drawio": FormatFacts("application/vnd.jgraph.mxfile", (".drawio", ".xml", ".dio", ".svg", ".png")),
    "dot": FormatFacts("text/vnd.graphviz", (".dot", ".gv")),
    "structurizr": FormatFacts("text/plain", (".dsl",)),
    # Every program opens it, and no other format has that ending.
    "text": FormatFacts("text/plain", (".diagram.txt",)),
}


def format_of(name: str) -> ImportFormat | None:
    """Return the format for a file name; None if the extension is unknown."""
    lowered = name.lower()
    return next((form for form in IMPORT_FORMATS if lowered.endswith(FORMAT_FACTS[form].endings)), None)
