"""Images of nodes and icons of technologies in pictures and PDF: which, and how they get to what draws.

That process reads nothing by itself: what is drawn is in the question, as a `data:` address, and has a bound. The page
decides by the same rule (`frontend/src/model/export/nodeImages.ts`), so that both draw alike. Not here: what is drawn
where one is left out, which is the icon of the node's type.
"""

from __future__ import annotations

import asyncio
import base64
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.model.custom_types import own_type
from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import NodeAttributes
from draftsmith.model.ids import NodeId, WorkspaceId
from draftsmith.model.images import ADDRESS, read_header
from draftsmith.ports.blobs import StoredImage
from draftsmith.ports.icons import Icons
from draftsmith.usecases.upkeep.images import Images

MAX_DRAWN_BYTES: Final = 1_000_000
"""Of one image; one that has more leaves the icon."""
MAX_ALL_DRAWN_BYTES: Final = 2_000_000
"""Of all images of a picture, each counted once."""
MAX_ALL_ICON_BYTES: Final = 500_000
"""Of all icons of technologies in a picture, each counted once."""
MOST_PIXELS: Final = 40_000_000
"""Of all images of a picture in pixels, each counted as often as it is shown: they are decoded there, one by one."""

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class DrawnImages:
    """What a picture can show of the images that its nodes name, and of the icons of their technologies.

    Attributes:
        embedded: `data:` addresses, by the address that nodes have, and by that of icons.
        missing: the addresses of those that are not there, or not yet.
        icons: addresses of icons, by technologies as nodes have them.
    """

    embedded: Mapping[str, str]
    missing: tuple[str, ...] = ()
    icons: Mapping[str, str] = field(default_factory=dict)


def images_shown(diagram: Diagram, nodes: Sequence[NodeId] | None) -> dict[str, int]:
    """How often a picture would show which image, in the order in which they get room; a group shows none.

    Args:
        diagram: what is drawn.
        nodes: the nodes to draw, with what they hold; None for all.
    """
    counts = Counter(image for node in _cards(diagram, nodes) if (image := node.get("image", "")))
    return dict(sorted(counts.items()))


def technologies_shown(diagram: Diagram, nodes: Sequence[NodeId] | None) -> list[str]:
    """The technologies whose icons a picture would show: of nodes without an image and of own types, each once."""
    shown = set[str]()
    for node in _cards(diagram, nodes):
        if node.get("image", ""):
            continue
        custom = own_type(node.get("custom_type"), node["type"], diagram.types)
        shown |= {node.get("technology", ""), "" if custom is None else diagram.types[custom].get("icon", "")}
    return sorted(shown - {""})


def _cards(diagram: Diagram, nodes: Sequence[NodeId] | None) -> Iterator[NodeAttributes]:
    drawn = diagram.node_ids() if nodes is None else {one for node in nodes for one in diagram.subtree(node)}
    return (known for node in drawn if (known := diagram[node])["type"] != "group")


async def read_images(
    images: Images, workspace_id: WorkspaceId, counts: Mapping[str, int], *, is_decoded: bool
) -> DrawnImages:
    """Read the images of a picture, as far as they are there and have room.

    Args:
        images: where they are.
        workspace_id: the workspace of the diagram.
        counts: as `images_shown` says.
        is_decoded: whether the picture is made of pixels here, for which theirs are bounded, too.

    Raises:
        DraftsmithError: `storage_down`.
    """
    embedded, missing, room, pixels = dict[str, str](), list[str](), MAX_ALL_DRAWN_BYTES, MOST_PIXELS
    for address, count in counts.items():
        image = await _image_or_none(images, workspace_id, address)
        if image is None:
            missing.append(address)
            continue
        if image.size > min(room, MAX_DRAWN_BYTES):
            continue
        content = await images.read(workspace_id, image)
        room -= image.size
        if is_decoded:
            header = await asyncio.to_thread(read_header, content)
            taken = header.width * header.height * count
            if taken > pixels:
                continue
            pixels -= taken
        embedded[address] = data_address(image.type, content)
    return DrawnImages(embedded, tuple(missing))


def with_icons(images: DrawnImages, icons: Icons, technologies: Iterable[str]) -> DrawnImages:
    """The same with the icons of technologies that have room, in the order of their addresses."""
    by_technology = {one: icon for one in technologies if (icon := icons.find(one)) is not None}
    embedded, room = dict(images.embedded), MAX_ALL_ICON_BYTES
    for icon in sorted(set(by_technology.values()), key=lambda icon: icon.address):
        content = icons.read(icon)
        if content is None or len(content) > room:
            continue
        room -= len(content)
        embedded[icon.address] = data_address("image/svg+xml", content)
    return replace(images, embedded=embedded, icons={one: icon.address for one, icon in by_technology.items()})


async def ask_with_images(ask: Callable[[bytes], Awaitable[_Answer]], question: bytes, images: DrawnImages) -> _Answer:
    """What is answered to a question that is given its images and icons; to the bare one where they make it fail.

    Args:
        ask: asks the process that draws.
        question: an object of JSON, still without them.
        images: what it can show.

    Raises:
        DraftsmithError: as `ask`.
    """
    if images.embedded:
        more = orjson.dumps({"images": images.embedded, "icons": images.icons})
        try:
            return await ask(question[:-1] + b"," + more[1:])
        except DraftsmithError as error:
            if error.code not in ("too_costly", "internal"):  # else it is that again
                raise
    return await ask(question)


def data_address(kind: str, content: bytes) -> str:
    """The address that holds all of an image."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


async def _image_or_none(images: Images, workspace_id: WorkspaceId, address: str) -> StoredImage | None:
    named = ADDRESS.fullmatch(address)
    try:
        return await images.find(workspace_id, named[1] if named else "")
    except DraftsmithError as error:
        if error.code != "image_not_found":
            raise
        return None
