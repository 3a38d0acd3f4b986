"""An element of a scene as it stands in the file: whatever stands where, a value of the wrong kind is as if absent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from draftsmith.model.readers.limits import FURTHEST

_MAX_TEXT: Final = 20_000


@dataclass(frozen=True, slots=True)
class SceneElement:
    """An object of a scene by the names of its members."""

    members: dict[str, object]

    def text(self, name: str) -> str:
        """A text without NUL, which no workspace holds; empty if it is none."""
        value = self.members.get(name)
        return value[:_MAX_TEXT].replace("\x00", "") if isinstance(value, str) else ""

    def number(self, name: str) -> float:
        """A number within what places may be; 0 if it is none."""
        return _number(self.members.get(name))

    def texts(self, name: str) -> Sequence[str]:
        """The texts of a list."""
        value = self.members.get(name)
        return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []

    def pairs(self, name: str) -> Sequence[tuple[float, float]]:
        """The pairs of numbers of a list."""
        value = self.members.get(name)
        pairs = [one for one in value if isinstance(one, list) and len(one) == 2] if isinstance(value, list) else []
        return [(_number(one), _number(other)) for one, other in pairs]

    def part(self, name: str) -> SceneElement:
        """An object in it; an empty one if it is none."""
        value = self.members.get(name)
        return SceneElement(cast(dict[str, object], value) if isinstance(value, dict) else {})

    def parts(self, name: str) -> Sequence[SceneElement] | None:
        """The objects of a list; None if it is no list."""
        value = self.members.get(name)
        return [SceneElement(one) for one in value if isinstance(one, dict)] if isinstance(value, list) else None

    def is_true(self, name: str) -> bool:
        """Whether a member is true."""
        return self.members.get(name) is True

    def __contains__(self, name: str) -> bool:
        return name in self.members


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return 0.0
    return float(min(max(value, -FURTHEST), FURTHEST))
