"""How much a workspace and a batch may hold. Settings carry the same defaults; nothing here reads them."""

from __future__ import annotations

from dataclasses import dataclass

from draftsmith.model.work import FULL


@dataclass(frozen=True, slots=True)
class WorkspaceLimits:
    """Limits on size; crossing one is a problem that names it.

    Attributes:
        nodes, edges: in one workspace.
        operations: in one batch.
        batch_bytes: JSON of one batch, unless it holds a whole-state operation.
        document_chars: characters of the document.
        work: units of counted work that one request may spend (`model.work`).
    """

    nodes: int = 5_000
    edges: int = 10_000
    operations: int = 500
    batch_bytes: int = 1_000_000
    document_chars: int = 2_000_000
    work: int = FULL


UNLIMITED = WorkspaceLimits(10**9, 10**9, 10**9, 10**12, 10**9, 10**15)
