"""What an import would do in a workspace that is there, as rows that somebody chooses from. Types alone.

Not here: how rows are found (`imported_diagram`, `imported_document`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12


class ImportDifferenceOut(TypedDict):
    """A field of which the source says something else than the workspace."""

    field: str
    here: str
    source: str


class ImportRowOut(TypedDict):
    """One thing of an import, with the operations that take it over; none where that cannot be, as `reason` says then.

    `element` is the id of a node or an edge, or the path of a section. `by` says how it was recognized: by the id that
    the source has for it, or by what it is called and where it stands; null for what is new. `needs` are rows without
    which its operations do not run.
    """

    id: str
    of: Literal["node", "edge", "section"]
    element: str
    title: str
    by: Literal["source", "name"] | None
    differences: list[ImportDifferenceOut]
    reason: str
    needs: list[str]
    operations: list[dict[str, object]]


@dataclass(slots=True)
class ImportRows:
    """The three lists, and how many things are recognized and say the same.

    Attributes:
        new: groups before what stands in them, nodes before their edges.
        missing: edges before nodes.
        unchanged: how many say the same.
    """

    new: list[ImportRowOut] = field(default_factory=list)
    changed: list[ImportRowOut] = field(default_factory=list)
    missing: list[ImportRowOut] = field(default_factory=list)
    unchanged: int = 0
