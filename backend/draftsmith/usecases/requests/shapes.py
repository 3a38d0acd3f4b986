"""The JSON shapes of what writes answer. Types alone."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.errors import ProblemOut
from draftsmith.history.shapes import DiffOut
from draftsmith.transform.results import LeftOut, ResultOut


class WriteAnswer(TypedDict):
    """What a write did; `diff` is absent with `Prefer: return=minimal`."""

    batch_id: str
    revision: int
    changed: bool
    dry_run: bool
    replayed: bool
    kind: str
    ref: int | None
    results: list[ResultOut]
    diff: NotRequired[DiffOut | None]
    warnings: list[ProblemOut]
    left_out: list[LeftOut]
