"""A process that draws pictures and makes PDF with the page's own code: `python -m draftsmith.renderer FOLDER`.

The folder is `frontend/dist/picture`: the script that draws, built from `frontend/src/engine/picture.ts`, and the font.
What is drawn is SVG; where pixels are wanted, resvg makes them of that SVG with that font, and with no other. Of a
page that the script writes, WeasyPrint makes a PDF (`adapters.process.pdf_writer`). A worker starts it
(`adapters.server.engine_process`).

A question is the JSON of `PictureRequest` in `frontend/src/model/export/picture.ts`, with the `form`, `svg` or `png`;
or, with the form `pdf`, of `PaperRequest` in `frontend/src/model/export/paper.ts`, with the images that its
document names as `files`, by hash and in base 64.
An answer is a line of JSON, and after it the file: `{"width", "height"}` of a picture in pixels, or `{"error"}`, a
code, and of one that is too large its size (`usecases.upkeep.pictures`, `papers`).
"""

from __future__ import annotations

import base64
import json
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from draftsmith.adapters.process.pdf_writer import PdfUnavailable, pdf_of
from draftsmith.adapters.process.script_engine import ScriptEngine, is_out_of_memory, serve

PROCESSOR_SECONDS: Final = 15
"""A diagram of the largest size takes some three seconds, the largest number of pixels some ten."""

MOST_PIXELS: Final = 40_000_000
"""Four bytes each; twice that while they are packed."""

MOST_SIDE: Final = 16_000
"""As in `frontend/src/model/export/pixelSize.ts`: what every browser can show."""

_FONT: Final = "Inter"


class Renderer:
    """Draws what is asked, one picture at a time."""

    def __init__(self, folder: Path) -> None:
        """Load the script; nothing that makes pixels yet."""
        self._engine = ScriptEngine(folder / "picture.js", "draftsmithPicture")
        self._fonts = {int(font.stem.rpartition("-")[2]): font for font in sorted(folder.glob("*.ttf"))}

    def answer(self, question: bytes) -> bytes:
        """The answer to a question; see above."""
        try:
            asked = json.loads(question)
            if asked["form"] == "pdf":
                files = asked.pop("files")
                return self._paper(json.dumps(asked).encode(), files)
            picture = json.loads(self._engine.answer(question))
            svg: str = picture.pop("svg")
            if asked["form"] == "svg":
                return _answer(picture, svg.encode("utf-8"))
            if picture["width"] * picture["height"] > MOST_PIXELS or max(picture.values()) > MOST_SIDE:
                return _answer({"error": "picture_too_large", **picture})
            return _answer(picture, self._pixels(svg))
        except Exception as error:  # noqa: BLE001  # whatever is thrown, who asked must hear of it
            traceback.print_exc()
            return _answer({"error": "too_costly" if is_out_of_memory(error) else "internal"})

    def _paper(self, question: bytes, files: Mapping[str, str]) -> bytes:
        """A PDF of a page with these images in its document, or why there is none."""
        html: str = json.loads(self._engine.answer(question))["html"]
        given = {sha256: base64.b64decode(data) for sha256, data in files.items()}
        try:
            return _answer({}, pdf_of(html, given, self._fonts))
        except PdfUnavailable as error:
            return _answer({"error": "pdf_unavailable", "reason": str(error)})

    def _pixels(self, svg: str) -> bytes:
        """A PNG of the size that the SVG says."""
        from resvg_py import svg_to_bytes  # optional, as V8 is; only where pixels are wanted

        files = [str(font) for font in self._fonts.values()]
        return bytes(svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=files, font_family=_FONT))


def _answer(head: Mapping[str, str | int], content: bytes = b"") -> bytes:
    return json.dumps(head).encode() + b"\n" + content


if __name__ == "__main__":
    serve(lambda: Renderer(Path(sys.argv[1])).answer, PROCESSOR_SECONDS)
