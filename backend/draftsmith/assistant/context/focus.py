"""What the person had selected. A hint for the model, not a limit on what it may change.

What has been deleted since is left out, and `context` says so.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from draftsmith.model.ids import EdgeId, NodeId

_ID = StringConstraints(min_length=1, max_length=200)
_Offset = Annotated[int, Field(ge=0, le=10_000_000)]


class TextRange(BaseModel):
    """A stretch of the document, JSON shape `{from, to}`, in UTF-16 units."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)

    start: Annotated[_Offset, Field(alias="from")]
    end: Annotated[_Offset, Field(alias="to")]


class Focus(BaseModel):
    """Selected nodes and edges by id, the section the cursor stands in, and the selected text."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    nodes: Annotated[list[Annotated[NodeId, _ID]], Field(max_length=200)] = []
    edges: Annotated[list[Annotated[EdgeId, _ID]], Field(max_length=200)] = []
    section: Annotated[str, StringConstraints(max_length=2_000)] | None = None
    range: TextRange | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is selected."""
        return not self.nodes and not self.edges and self.section is None and self.range is None
