"""The icons of technologies of the built editor, for tests of what draws them."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.adapters.files.editor_folder import static_folder
from draftsmith.adapters.files.icon_files import IconFiles


def shipped_icons() -> IconFiles:
    """The icons that come along."""
    folder = static_folder()
    assert folder is not None
    return IconFiles(folder, None)


def svg_of(technology: str) -> bytes:
    """The file of the icon of a technology."""
    folder, icon = static_folder(), shipped_icons().find(technology)
    assert folder is not None
    assert icon is not None
    return (folder / icon.file).read_bytes()


def embedded_icons(diagram: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, dict[str, str]]:
    """What a page would ask a picture of this diagram to be drawn with; of nodes without images."""
    icons, addresses = shipped_icons(), dict[str, str]()
    images = dict[str, str]()
    for node in diagram["nodes"]:
        technology = node["technology"]
        icon = icons.find(technology)
        if icon is not None and node["type"] != "group":
            addresses[technology] = icon.address
            images[icon.address] = f"data:image/svg+xml;base64,{base64.b64encode(svg_of(technology)).decode()}"
    return {"images": images, "icons": addresses}
