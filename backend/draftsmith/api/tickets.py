"""Tickets for `/live`: a page of another origin shows one in place of a cookie, which its browser would not send.

Whoever may ask this server for one (its own backend, say) gets it for one workspace, in its own name, and for a minute;
the store's secret signs it, so any worker can read what another has written. It lets in once the connection is made:
how long that then lasts is nothing to it.
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
class Tickets:
    """Writes and reads tickets."""

    secret: str

    @property
    def _serializer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self.secret, salt="draftsmith-live-ticket")

    def issue(self, workspace_id: WorkspaceId, actor: Actor, now_ms: int) -> tuple[str, int]:
        """Write a ticket; it and the time of its end, milliseconds since 1970."""
        until = now_ms + LIFE_MS
        text = self._serializer.dumps({"w": workspace_id, "actor": actor.to_json(), "until": until})
        return text if isinstance(text, str) else text.decode(), until

    def read(self, text: str, workspace_id: WorkspaceId, now_ms: int) -> Actor:
        """Who shows this ticket at the door of a workspace.

        Raises:
            DraftsmithError: `unauthorized`; it was not written here, is of another workspace, or too old.
        """
        try:
            shape = self._serializer.loads(text)
            if shape["w"] == workspace_id and now_ms < shape["until"]:
                return actor_from_json(shape["actor"])
        except (BadData, KeyError, TypeError):
            pass
        raise DraftsmithError("unauthorized", "This ticket does not open this workspace now; ask for a new one.")
