"""Serve files of the built editor, compressed where the browser accepts it.

The build leaves `x.js.br` and `x.js.gz` beside `x.js` (frontend/scripts/pack.mjs); a file without them is served as it
is. Not here: which address is which file, and its security headers (`routes/pages.py`).
"""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response

_ENDINGS: Final = {"br": ".br", "gzip": ".gz"}
# What a system's own table of types says of these differs from one to the next.
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ts": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}


def is_compressed(path: Path) -> bool:
    """Whether it is the compressed form of a file beside it; such files have no address of their own."""
    return path.suffix in _ENDINGS.values() and path.with_suffix("").is_file()


def file_response(request: Request, path: Path, headers: Mapping[str, str]) -> Response:
    """Answer with a file, compressed if the browser accepts it and there is such a form; 304 if its ETag matches."""
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    forms = {
        name: compressed
        for name, ending in _ENDINGS.items()
        if (compressed := path.with_name(path.name + ending)).is_file()
    }
    # A range of the compressed file is not the range of the file that was asked for.
    name = None if "range" in request.headers else _best(request.headers.get("accept-encoding", ""), forms)
    sent = dict(headers)
    if forms:
        sent["Vary"] = "Accept-Encoding"
    if name is not None:
        sent["Content-Encoding"] = name
    chosen = path if name is None else forms[name]
    response = FileResponse(chosen, headers=sent, media_type=kind, stat_result=chosen.stat())
    if _is_known(request.headers.get("if-none-match", ""), response.headers["etag"]):
        kept = {**sent, "ETag": response.headers["etag"]}
        kept.pop("Content-Encoding", None)
        return Response(status_code=304, headers=kept)
    return response


def _best(accepted: str, forms: Mapping[str, Path]) -> str | None:
    """The encoding with the highest quality value, of equals the first (the smallest); None for the file itself."""
    qualities = dict(_quality(part) for part in accepted.lower().split(",") if part.strip())
    weights = {name: qualities.get(name, qualities.get("*", 0.0)) for name in forms}
    best = max(weights, key=lambda name: weights[name], default=None)
    if best is None or weights[best] <= 0 or weights[best] < qualities.get("identity", 0.0):
        return None
    return best


def _quality(part: str) -> tuple[str, float]:
    """`gzip;q=0.5` as a name and its quality value; 0 if it cannot be parsed."""
    name, _, rest = part.partition(";")
    key, _, value = rest.partition("=")
    if not rest.strip():
        return name.strip(), 1.0
    try:
        return name.strip(), float(value) if key.strip() == "q" else 0.0
    except ValueError:
        return name.strip(), 0.0


def _is_known(if_none_match: str, etag: str) -> bool:
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return etag in tags or if_none_match.strip() == "*"
