"""How much of a workspace the first message holds: by workflow, and less for models that can read little."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from draftsmith.assistant.tools.outline import DOCUMENT_WHOLE


@dataclass(frozen=True, slots=True)
class MessageRoom:
    """Sizes in characters.

    Attributes:
        document: up to which the document is given whole; a longer one is given as its outline.
        sections: of the sections that are given in full beside an outline.
        weak_sections: up to which sections follow that only share words with the request.
        diagram: up to which every node has its line; None: always.
        nodes: what is given of a larger diagram.
    """

    document: int = DOCUMENT_WHOLE
    sections: int = 8_000
    weak_sections: int = 4_000
    diagram: int | None = 24_000
    nodes: int = 16_000


_ROOMS: Final = {
    # An edit needs the few sections that it is about; what the excerpts miss can be read.
    "edit": MessageRoom(document=6_000),
    # What is not written again is deleted, so whoever writes anew sees all of it.
    "regenerate": MessageRoom(document=200_000, diagram=None),
}
_SMALL: Final = MessageRoom(document=2_000, sections=3_000, weak_sections=2_000, diagram=4_000, nodes=3_500)


def room_of(workflow: str, *, is_small: bool = False) -> MessageRoom:
    """The room in the first message of a workflow; `is_small`: for a model that can read little."""
    return _SMALL if is_small and workflow != "regenerate" else _ROOMS.get(workflow, MessageRoom())
