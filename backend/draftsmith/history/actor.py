"""Who did it, as it stands in the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from draftsmith.history.shapes import ActorOut

ActorKind = Literal["person", "script", "assistant", "agent", "system"]


@dataclass(frozen=True, slots=True)
class Actor:
    """A principal at the time of a commit. `id` never changes; `name` may, so the log keeps what it was.

    JSON shape: `{id, name, kind}`.
    """

    id: str
    name: str
    kind: ActorKind

    @property
    def is_person(self) -> bool:
        """Whether locks may be set and cleared: by everybody but the assistant and agents."""
        return self.kind not in ("assistant", "agent")

    def to_text(self) -> str:
        """The JSON text that stands in the log."""
        return orjson.dumps(self.to_json()).decode()

    def to_json(self) -> ActorOut:
        """The JSON shape."""
        return {"id": self.id, "name": self.name, "kind": self.kind}


def actor_from_json(shape: Mapping[str, Any]) -> Actor:
    """Read what `Actor.to_json` wrote."""
    return Actor(shape["id"], shape["name"], shape["kind"])


def actor_json(text: str) -> ActorOut:
    """Read an actor from the log; a damaged one is shown as unknown rather than hiding the commit."""
    try:
        shape: Mapping[str, Any] = orjson.loads(text)
        return {"id": shape["id"], "name": shape["name"], "kind": shape["kind"]}
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return {"id": "", "name": "Unknown", "kind": "system"}
