"""Previews of addresses that people paste elsewhere: tags of OpenGraph in the page, and oEmbed.

Who asks is a program without a credential, so an address says no more than its own `link` may show: the token of a link
to a picture. Any other address says the product's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final
from urllib.parse import parse_qs, quote, urlsplit

from starlette.requests import Request

from draftsmith.access.records import SharedPicture
from draftsmith.api.context import API, Context
from draftsmith.api.forms.answers import OEmbedOut
from draftsmith.api.http.proxies import address_of, base_of
from draftsmith.api.shared.picture_answers import PICTURE_BY_LINK, pictures_of
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.shares import open_picture
from draftsmith.usecases.requests.client import Client, set_client
from draftsmith.usecases.upkeep.pictures import PictureOptions, allowed_by

PRODUCT: Final = "Draftsmith"
_WIDE, _HIGH = 1_200, 1_200
"""Pixels of a picture in a preview where nobody says less."""


@dataclass(frozen=True, slots=True)
class AddressPreview:
    """What an address may show.

    Attributes:
        title: the name of the workspace, which the picture shows, too.
        token: of the link to the picture.
        shows: what that link shows.
    """

    workspace_id: WorkspaceId
    title: str
    token: str
    shows: SharedPicture


async def preview_of(context: Context, request: Request, address: str) -> AddressPreview | None:
    """What an address of ours may show; None where that is the product's name alone.

    Raises:
        DraftsmithError: `not_found` for an address that is not ours; `storage_down`.
    """
    base = base_of(request)
    if address != base and not address.startswith((f"{base}/", f"{base}?")):
        raise DraftsmithError("not_found", "This address is of another server.")
    parts = urlsplit(address.removeprefix(base))
    tokens = parse_qs(parts.query).get("link", [])
    is_picture = parts.path in (f"{PICTURE_BY_LINK}.svg", f"{PICTURE_BY_LINK}.png")
    if not tokens or not (is_picture or parts.path.startswith("/w/")):
        return None
    try:
        share, shows = await open_picture(context.access, tokens[0])
        workspace_id = WorkspaceId(share.workspace_id)
        if not is_picture and parts.path != f"/w/{workspace_id}":
            return None
        set_client(Client(address_of(request), f"link:{share.id}"))
        title = await context.workspaces.read(workspace_id, lambda replica: replica.workspace.name)
    except DraftsmithError as error:
        if error.code not in ("share_invalid", "workspace_not_found", "workspace_deleted"):
            raise
        return None
    return AddressPreview(workspace_id, title, tokens[0], shows)


async def tags_of(context: Context, request: Request) -> str:
    """The tags of a page's address for its head, as HTML; empty for what may show nothing. A failure shows nothing."""
    query = request.url.query
    if "link=" not in query:
        return ""
    address = f"{base_of(request)}{_path_of(request)}?{query}"
    try:
        preview = await preview_of(context, request, address)
    except DraftsmithError:
        return ""
    if preview is None:
        return ""
    image = f"{base_of(request)}{PICTURE_BY_LINK}.png?link={quote(preview.token)}"
    found = f"{base_of(request)}{API}/oembed?url={quote(address, safe='')}"
    tags = {"og:title": preview.title, "og:type": "website", "og:image": image, "og:image:alt": preview.title}
    return "".join([
        *(f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items()),
        '<meta name="twitter:card" content="summary_large_image" />',
        f'<link rel="alternate" type="application/json+oembed" href="{escape(found)}" />',
    ])  # fmt: skip


def _path_of(request: Request) -> str:
    """The path of a request below the address that people open."""
    return str(request.scope["path"]).removeprefix(str(request.scope.get("root_path", "")))


async def oembed_of(
    context: Context, request: Request, address: str, most_width: int | None, most_height: int | None
) -> OEmbedOut:
    """What oEmbed answers of an address.

    Raises:
        DraftsmithError: as `preview_of`; as `Pictures.size_within`.
    """
    preview, base = await preview_of(context, request, address), base_of(request)
    if preview is None:
        return {"version": "1.0", "type": "link", "provider_name": PRODUCT, "provider_url": base, "title": PRODUCT}
    shown = allowed_by(preview.shows, PictureOptions())
    scale, width, height = await pictures_of(context).size_within(
        preview.workspace_id, shown, most_width or _WIDE, most_height or _HIGH
    )
    return {
        "version": "1.0",
        "type": "photo",
        "provider_name": PRODUCT,
        "provider_url": base,
        "title": preview.title,
        "url": f"{base}{PICTURE_BY_LINK}.png?link={quote(preview.token)}&scale={scale}",
        "width": width,
        "height": height,
    }
