"""The built editor: one page for every address, hashed files beside it, served from this origin alone.

Beside it stands the client library below `client/`; embedders serve a copy of it from their own origin.
"""

from __future__ import annotations

import html
import re
import secrets
from pathlib import Path

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from draftsmith.access.actions import Action
from draftsmith.api.access.cookies import guest
from draftsmith.api.context import Context, Ctx, Me
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.http.compressed_files import file_response, is_compressed
from draftsmith.api.http.proxies import root_of
from draftsmith.api.shared.previews import tags_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor

router = APIRouter(route_class=Route, include_in_schema=False)
# Styles that code puts into the page (the text editor's) need the nonce of that very answer; scripts are files alone.
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'{nonce}; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors {ancestors}"
)
# The frame that draws Mermaid diagrams, which writes styles where it draws. It asks nobody and sends nothing anywhere.
_MERMAID_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
# The frame that shows one image of another server, once a person has said so: no script, no way out but to that image.
_REMOTE_IMAGE_CSP = (
    "default-src 'none'; img-src https: http:; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
_REMOTE_IMAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>An image of another server</title>'
    '<style nonce="{nonce}">html, body {{ margin: 0; background: transparent }} '
    "img {{ display: block; max-width: 100%; height: auto }}</style>"
    '<img src="{address}" alt="" referrerpolicy="no-referrer">'
)
_WEB_ADDRESS = re.compile(r"https?://[^\s/]", re.IGNORECASE)
_MAX_ADDRESS = 2_000
# Stand in the built pages where the nonce (frontend/vite.config.ts) and the server's version (index.html) belong.
_NONCE = "DRAFTSMITH-NONCE"
_VERSION = "DRAFTSMITH-VERSION"
# Stands there where the page learns below which path it is served.
_NO_ROOT = 'name="root" content=""'
_HEADERS = {
    "Content-Security-Policy": _CSP.format(nonce="", ancestors="'none'"),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_ICONS = "icons/"
_FOREVER = "public, max-age=31536000, immutable"
# The tag that says the product's name, where an address may say no more.
_TITLE_TAG = '<meta property="og:title" content="Draftsmith" />'
_NOT_BUILT = (
    "<!doctype html><title>Draftsmith</title><h1>Draftsmith</h1><p>The editor has not been built. Run <code>make run"
    "</code>, or <code>npm ci && npm run build</code> in <code>frontend/</code>. "
    "The API is at <a href='/docs'>/docs</a>."
)


@router.get("/", dependencies=[requires(Action.PUBLIC)])
@router.get("/sign-in", dependencies=[requires(Action.PUBLIC)])
@router.get("/s", dependencies=[requires(Action.PUBLIC)])
@router.get("/w/{rest:path}", dependencies=[requires(Action.PUBLIC)])
async def page(request: Request, context: Ctx, actor: Me) -> Response:
    """The editor's page; gives a browser its profile. Its head says what its address may show elsewhere."""
    return _page(request, context, actor, await tags_of(context, request))


@router.get("/mermaid", dependencies=[requires(Action.PUBLIC)])
async def mermaid_page(context: Ctx) -> Response:
    """The frame in which the editor has Mermaid diagrams drawn."""
    if context.static is None or not (context.static / "mermaid.html").is_file():
        return HTMLResponse(_NOT_BUILT, headers=_HEADERS)
    headers = {**_HEADERS, "Content-Security-Policy": _MERMAID_CSP}
    return HTMLResponse((context.static / "mermaid.html").read_text(encoding="utf-8"), headers=headers)


@router.get("/remote-image", dependencies=[requires(Action.PUBLIC)])
async def remote_image_page(request: Request, address: str = "") -> Response:
    """The frame in which the editor shows an image of another server (decision 0067); no page of its own."""
    is_frame = request.headers.get("sec-fetch-dest", "iframe") == "iframe"
    if not is_frame or len(address) > _MAX_ADDRESS or not _WEB_ADDRESS.match(address):
        raise DraftsmithError("not_found", "There is no such page.")
    nonce = secrets.token_urlsafe(16)
    headers = {
        **_HEADERS,
        "Content-Security-Policy": _REMOTE_IMAGE_CSP.format(nonce=nonce),
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }
    return HTMLResponse(_REMOTE_IMAGE.format(nonce=nonce, address=html.escape(address)), headers=headers)


@router.get("/{name:path}", dependencies=[requires(Action.PUBLIC)])
async def file(name: str, request: Request, context: Ctx, actor: Me) -> Response:
    """A file of the built editor. Where there is none a page says so, or a problem document where no page was meant."""
    if name.startswith("api/"):
        raise HTTPException(405)  # whether the address is known with another method is looked up in one place
    icons = context.icons if name.startswith(_ICONS) else {}
    if (content := icons.get(name.removeprefix(_ICONS))) is not None:
        return _icon_file(name, content)
    if context.static is None:
        raise DraftsmithError("not_found", "There is no such page.")
    found = _file_in_folder(context.static, name)
    if found is not None and not is_compressed(found):
        hashed = name.startswith("assets/")
        cache = _FOREVER if hashed else "no-cache"
        return file_response(request, found, {**_HEADERS, "Cache-Control": cache})
    if "." in name.rpartition("/")[2]:
        raise DraftsmithError("not_found", "There is no such file.")
    response = _page(request, context, actor)
    response.status_code = 404
    return response


def _page(request: Request, context: Context, actor: Actor, tags: str = "") -> Response:
    if context.static is None or not (context.static / "index.html").is_file():
        return HTMLResponse(_NOT_BUILT, headers=_HEADERS)
    nonce = secrets.token_urlsafe(16)
    text = (context.static / "index.html").read_text(encoding="utf-8").replace(_NONCE, nonce)
    text = text.replace(_VERSION, request.app.version)
    if tags:
        text = text.replace(_TITLE_TAG, tags, 1)
    if root := root_of(request):
        text = text.replace(_NO_ROOT, _NO_ROOT[:-1] + f'{root}"')
        text = text.replace('href="/', f'href="{root}/').replace('src="/', f'src="{root}/')
    ancestors = " ".join(("'self'", *context.frame_ancestors)) if context.frame_ancestors else "'none'"
    policy = _CSP.format(nonce=f" 'nonce-{nonce}'", ancestors=ancestors)
    # Not kept by anybody: its nonce is good for one showing of the page.
    headers = {**_HEADERS, "Content-Security-Policy": policy, "Cache-Control": "no-store"}
    response = HTMLResponse(text, headers=headers)
    if actor.kind != "person":
        context.profiles.remember(response, guest(context.clock.new_id()), secure=request.url.scheme == "https")
    return response


def _icon_file(name: str, content: bytes) -> Response:
    """An icon of the operator's folder, which is named by what is in it, or the table of all icons (decision 0078)."""
    if name.endswith(".svg"):
        return Response(content, headers={**_HEADERS, "Cache-Control": _FOREVER}, media_type="image/svg+xml")
    return Response(content, headers=_HEADERS, media_type="application/json")


def _file_in_folder(folder: Path, name: str) -> Path | None:
    """The file of that name, unless it lies outside the folder."""
    try:
        found = (folder / name).resolve()
        return found if found.is_relative_to(folder.resolve()) and found.is_file() else None
    except (OSError, ValueError):  # a name that no file can have: too long, or with NUL in it
        return None
