"""What a client has been told: the workspace at the newest revision, built from a state and the commits after it.

Only the wire is trusted: steps come as JSON, are checked to fit, and a commit must be the next one. Whatever is not so
is written down in `faults`; a server that keeps its promises never brings one about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from draftsmith.model.workspace import Workspace, dump, load
from draftsmith.transform.steps.steps import Step, StepConflict, apply, step_from_json, text_step_of
from draftsmith.transform.steps.text import ChangeText


@dataclass(frozen=True)
class Place:
    """The position of a replica in the log, as in `hello`."""

    epoch: str
    rev: int
    h: str

    def to_json(self) -> dict[str, Any]:
        return {"epoch": self.epoch, "rev": self.rev, "h": self.h}


class ClientReplica:
    """A workspace as the server has told it; `place` is None before the first state."""

    def __init__(self) -> None:
        self.workspace = Workspace()
        self.place: Place | None = None
        self.faults: list[str] = []

    @property
    def rev(self) -> int:
        return self.place.rev if self.place is not None else 0

    @property
    def text(self) -> str:
        return self.workspace.document.text

    def take_state(self, message: Mapping[str, Any]) -> None:
        """Hold what a `state` says, in place of everything before."""
        self.workspace = load(message["workspace"])
        self.place = Place(message["epoch"], message["rev"], message["h"])

    def take_commit(self, message: Mapping[str, Any]) -> ChangeText | None:
        """Go on by a `commit`; its step on the text, if it has one."""
        if self.place is None or message["rev"] != self.place.rev + 1:
            self.faults.append(f"commit {message['rev']} came at {self.rev}")
            return None
        steps = [step_from_json(step) for step in message["steps"]]
        self._apply(message["rev"], steps)
        self.place = Place(self.place.epoch, message["rev"], message["h"])
        return text_step_of(steps)

    def _apply(self, rev: int, steps: list[Step]) -> None:
        try:
            for step in steps:
                apply(step, self.workspace)
        except StepConflict as conflict:
            self.faults.append(f"commit {rev} does not fit: {conflict}")


def content_of(workspace: Workspace) -> bytes:
    """The canonical bytes of a workspace, in which `1.0` is `1` as in a browser."""
    return canonical(dump(workspace))


def canonical(content: Any) -> bytes:
    """Sorted JSON; whole numbers without a point, since JavaScript has no other."""
    return orjson.dumps(_plain(content), option=orjson.OPT_SORT_KEYS)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
