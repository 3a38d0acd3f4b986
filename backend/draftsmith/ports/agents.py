"""What agents need from a store: what each was shown, and how often in a row it sent the same in vain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from draftsmith.model.ids import WorkspaceId


class AgentStore(Protocol):
    """Small facts about agents. All of them expire; none holds anything of what is in a workspace."""

    async def marks(self, agent: str, workspace_id: WorkspaceId, epoch: str) -> Mapping[str, int]:
        """What an agent was shown of a workspace, by mark the revision (`agents.marks`); of another epoch nothing."""
        ...

    async def add_marks(
        self, agent: str, workspace_id: WorkspaceId, epoch: str, marks: Sequence[str], revision: int
    ) -> None:
        """Add what it was shown at a revision; a mark that is there at a later one stays.

        Beyond a bound those of the oldest revisions are dropped. All expire after a week in which none was added.
        """
        ...

    async def refusals(self, agent: str, fingerprint: str) -> int:
        """How often in a row a call was refused by now."""
        ...

    async def count_refusal(self, agent: str, fingerprint: str) -> int:
        """Count a call that was refused; how often in a row the same was, also on other workers.

        Forgotten ten minutes after the last.
        """
        ...

    async def clear_refusals(self, agent: str) -> None:
        """A call was done: whatever was refused before is no longer in a row."""
        ...
