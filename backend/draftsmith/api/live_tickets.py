"""Short-lived credentials for `/live`: a page of another origin sends one instead of a cookie, which browsers withhold.

A ticket is issued to a caller (the page's own backend, say) for one workspace, in the caller's name, for a minute. It
is signed with the store's secret, so every worker can verify it. It is checked in the handshake only; the connection
may last longer than the ticket.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from itsdangerous import BadData, URLSafeSerializer

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor, actor_from_json
from draftsmith.model.ids import WorkspaceId

LIFE_MS: Final = 60_000


@dataclass(frozen=True)
class LiveTickets:
    """Issues and verifies tickets."""

    secret: str

    @property
    def _serializer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self.secret, salt="draftsmith-live-ticket")

    def issue(self, workspace_id: WorkspaceId, actor: Actor, now_ms: int) -> tuple[str, int]:
        """Issue a ticket; returns it and when it expires, milliseconds since 1970."""
        until = now_ms + LIFE_MS
        text = self._serializer.dumps({"w": workspace_id, "actor": actor.to_json(), "until": until})
        return text if isinstance(text, str) else text.decode(), until

    def read(self, text: str, workspace_id: WorkspaceId, now_ms: int) -> Actor:
        """The actor that a ticket was issued to.

        Raises:
            DraftsmithError: `unauthorized` if it is forged, for another workspace, or expired.
        """
        try:
            shape = self._serializer.loads(text)
            if shape["w"] == workspace_id and now_ms < shape["until"]:
                return actor_from_json(shape["actor"])
        except (BadData, KeyError, TypeError):
            pass
        raise DraftsmithError("unauthorized", "This ticket does not open this workspace now; ask for a new one.")
