"""What stands on the pages of a PDF file, for tests; `python -m tests.pdf_pages FILE` prints it as JSON."""

from __future__ import annotations

import json
import sys
from io import BytesIO
from pathlib import Path
from typing import TypedDict

from pypdf import PageObject, PdfReader


class PdfPage(TypedDict):
    """One page; `links` are addresses, and `#` for each that leads to a place in the file."""

    width: int
    height: int
    text: str
    links: list[str]


def pages_of(content: bytes) -> list[PdfPage]:
    """The pages of a file; sizes in points."""
    return [
        {
            "width": round(page.mediabox.width),
            "height": round(page.mediabox.height),
            "text": page.extract_text(),
            "links": _links_on(page),
        }
        for page in PdfReader(BytesIO(content)).pages
    ]


def drawing_of(content: bytes) -> bytes:
    """What its pages draw: the operators of PDF, page after page."""
    drawn = (page.get_contents() for page in PdfReader(BytesIO(content)).pages)
    return b"\n".join(one.get_data() for one in drawn if one is not None)


def _links_on(page: PageObject) -> list[str]:
    found = [annotation.get_object() for annotation in page.get("/Annots") or []]
    return [str(one.get("/A", {}).get("/URI", "#")) for one in found if one.get("/Subtype") == "/Link"]


if __name__ == "__main__":
    print(json.dumps(pages_of(Path(sys.argv[1]).read_bytes())))
