"""PDF of a page, made by WeasyPrint, an optional package (the extra `pdf`), in a process that is bounded by others.

A page loads nothing: what it names is in itself, or among the images and fonts that are handed over, or left out. Not
here: what stands in a page (`frontend/src/model/export/paper.ts`), and the bounds of the process (`script_engine`).
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

_FONT_SCHEME: Final = "font:"
_IMAGE_SCHEME: Final = "image:"
_WHOLE_IMAGE: Final = "data:image/"


class PdfUnavailable(Exception):
    """WeasyPrint, or a library that it needs, is not installed; says which."""


def pdf_of(html: str, images: Mapping[str, bytes], fonts: Mapping[int, Path]) -> bytes:
    """Make a PDF.

    Args:
        html: the page; it names images as `image:`, a key of `images`, and an ending, or holds them (`data:`, base 64).
        images: their bytes, by hash.
        fonts: files of the font of diagrams, by weight.

    Raises:
        PdfUnavailable: something is not installed.
    """
    try:
        from weasyprint import CSS, HTML  # optional; loads Pango and others
        from weasyprint.text.fonts import FontConfiguration
    except (ImportError, OSError) as error:
        raise PdfUnavailable(str(error).splitlines()[0]) from error
    fetcher = _fetcher(images, fonts)
    configuration = FontConfiguration()
    faces = CSS(string=_faces(fonts), font_config=configuration, url_fetcher=fetcher)
    page = HTML(string=html, url_fetcher=fetcher, media_type="print")
    target = BytesIO()
    page.write_pdf(target, stylesheets=[faces], font_config=configuration)
    return target.getvalue()


def _faces(fonts: Mapping[int, Path]) -> str:
    return "".join(
        f'@font-face{{font-family:Inter;font-weight:{weight};src:url("{_FONT_SCHEME}{weight}")}}' for weight in fonts
    )


def _fetcher(images: Mapping[str, bytes], fonts: Mapping[int, Path]) -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Given(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
        """Answers with what the page holds or was handed over; refuses all else."""

        def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
            """The bytes of an address.

            Raises:
                ValueError: it is none of them.
            """
            sha256 = url.removeprefix(_IMAGE_SCHEME).partition(".")[0]
            if url.startswith(_IMAGE_SCHEME) and sha256 in images:
                return URLFetcherResponse(url, images[sha256])
            if url.startswith(_WHOLE_IMAGE):
                return URLFetcherResponse(url, b64decode(url.partition(",")[2]))
            weight = url.removeprefix(_FONT_SCHEME)
            if url.startswith(_FONT_SCHEME) and weight.isdigit() and int(weight) in fonts:
                return URLFetcherResponse(url, fonts[int(weight)].read_bytes())
            raise ValueError("a page loads nothing from elsewhere")

    return Given()
