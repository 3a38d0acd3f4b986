"""What differs between two states, for models: without places in the drawing, bounded, and as lines.

Not here: computing a difference (`history.diff`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from draftsmith.assistant.tools.lines import quote_line
from draftsmith.assistant.tools.readers import without_empty
from draftsmith.model.fields import DRAWN_FIELDS

_ROOM: Final = 24_000  # characters of a difference
_LONGEST: Final = 2_000  # characters of one value in it


def difference_of(diff: Mapping[str, Any] | None, room: int = _ROOM) -> dict[str, Any]:
    """A difference without places in the drawing, as much of it as `room` characters hold."""
    left = _Room(room)
    empty: Mapping[str, Any] = {"added": [], "changed": [], "removed": []}
    parts: dict[str, Any] = {name: _elements((diff or {}).get(name, empty), left) for name in ("nodes", "edges")}
    document = [
        row
        for one in (diff or {}).get("document", ())
        if left.takes(
            row := {
                "section": one["section"], "line": one["from_line"], "old": _cut(one["old"]), "new": _cut(one["new"]),
            }
        )
    ]  # fmt: skip
    name = (diff or {}).get("workspace", {}).get("name")
    types = {"types": diff["types"]} if diff and diff.get("types") else {}
    shape = {**parts, **types, "document": document, "left_out": left.left_out}
    return {**shape, "name": list(name)} if name else shape


class _Room:
    """How much more is shown."""

    def __init__(self, room: int) -> None:
        self._room_left = room
        self.left_out = 0

    def takes(self, row: Any) -> bool:
        size = len(str(row))
        if size > self._room_left:
            self.left_out += 1
            return False
        self._room_left -= size
        return True


def _elements(part: Mapping[str, Any], room: _Room) -> dict[str, Any]:
    changed = [
        {"id": one["id"], "fields": fields}
        for one in part["changed"]
        if (
            fields := {
                name: [_cut(value) for value in pair]
                for name, pair in one["fields"].items()
                if name not in DRAWN_FIELDS
            }
        )
    ]
    return {
        "added": [row for one in part["added"] if room.takes(row := without_empty(one))],
        "changed": [row for row in changed if room.takes(row)],
        "removed": [row for row in part["removed"] if room.takes(row)],
    }


def _cut(value: Any) -> Any:
    return f"{value[:_LONGEST]}…" if isinstance(value, str) and len(value) > _LONGEST else value


def difference_lines(difference: Mapping[str, Any]) -> list[str]:
    """A difference as lines: `+` came, `~` changed, `-` went."""
    lines: list[str] = []
    for part, one in (("nodes", "node"), ("edges", "edge")):
        found = difference[part]
        lines += [f"+ {one} {json.dumps(row, ensure_ascii=False)}" for row in found["added"]]
        lines += [
            f"~ {one} {row['id']} {name}: {quote_line(str(old))} → {quote_line(str(new))}"
            for row in found["changed"]
            for name, (old, new) in row["fields"].items()
        ]
        lines += [f"- {one} {row}" for row in found["removed"]]
    lines += [
        f"type {type_id}: {json.dumps(old, ensure_ascii=False)} → {json.dumps(new, ensure_ascii=False)}"
        for type_id, (old, new) in difference.get("types", {}).items()
    ]
    for row in difference["document"]:
        lines += [f"{row['section'] or 'before the first heading'}, line {row['line']}:"]
        lines += [f"- {line}" for line in row["old"].splitlines()] + [f"+ {line}" for line in row["new"].splitlines()]
    if "name" in difference:
        lines.append(f"name: {quote_line(difference['name'][0])} → {quote_line(difference['name'][1])}")
    if difference["left_out"]:
        lines.append(f"and {difference['left_out']} more; compare revisions that are nearer to each other.")
    return lines
