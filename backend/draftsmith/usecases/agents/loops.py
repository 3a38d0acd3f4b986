"""An agent in a loop is stopped: the same call, refused several times in a row, is not tried again for a while.

People see it: a line in the audit, and the agent's name among those who are here. Others, and other calls of the same
agent, are not concerned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from draftsmith.errors import DraftsmithError
from draftsmith.ports.agents import AgentStore
from draftsmith.usecases.requests.identity import fingerprint

MOST_REFUSALS: Final = 5
"""Refusals of the same call in a row; after these it is not tried any more."""
PAUSE_S: Final = 600
"""How long the same call is not tried; sending it meanwhile begins that time anew."""
_NEW_EACH_TIME: Final = frozenset({"id", "base_revision"})
_NOT_ITS_FAULT: Final = frozenset(
    {"too_many_requests", "storage_down", "storage_full", "busy", "outcome_unknown", "internal", "restarting", "frozen"}
)


class RefusedCalls:
    """Counts one call of one agent."""

    def __init__(self, store: AgentStore, agent_id: str, tool: str, arguments: Mapping[str, object]) -> None:
        """Tell calls apart by what they ask, not by their ids and bases."""
        self._store, self._agent_id = store, agent_id
        asked = {name: value for name, value in arguments.items() if name not in _NEW_EACH_TIME}
        self._fingerprint = fingerprint([tool, asked])

    async def check(self) -> None:
        """Refuse to try it once more.

        Raises:
            DraftsmithError: `agent_looping`.
        """
        count = await self._store.refusals(self._agent_id, self._fingerprint)
        if count < MOST_REFUSALS:
            return
        await self._store.count_refusal(self._agent_id, self._fingerprint)
        message = f"This call was refused {count} times in a row; it is not tried again for {PAUSE_S // 60} minutes."
        raise DraftsmithError("agent_looping", message, extra={"retry_after": PAUSE_S})

    async def count_refusal(self, error: DraftsmithError) -> bool:
        """It was refused; whether that was once too often, just now."""
        if error.code in _NOT_ITS_FAULT:
            return False
        return await self._store.count_refusal(self._agent_id, self._fingerprint) == MOST_REFUSALS

    async def clear_refusals(self) -> None:
        """It was done."""
        await self._store.clear_refusals(self._agent_id)
