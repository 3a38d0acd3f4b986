"""What was, as agents are answered: commits, differences, what an undo did."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.assistant.lines import one_line, quoted
from draftsmith.assistant.readers import filled
from draftsmith.assistant.wrapped import mark_of, tagged
from draftsmith.history.shapes import CommitOut

_ROOM: Final = 24_000  # characters of a difference
_LONGEST: Final = 2_000  # characters of one value in it


def commits(
    workspace_id: str, revision: int, found: Sequence[CommitOut], following: str | None, actor_id: str
) -> ToolAnswer:
    """A page of commits; `actor_id`: who asks."""
    rows = [_commit(one, actor_id) for one in found]
    lines = [
        f"{row['revision']} {row['at']} {quoted(row['by'])}: {quoted(row['what'])}"
        + (f" because {quoted(row['why'])}" if row["why"] else "")
        + (" (yours)" if row.get("yours") else "")
        for row in rows
    ]
    text = "\n".join(lines) or "(nothing)"
    said = [f"Revision {revision} is the newest.", tagged("history", mark_of([text]), text), NOT_INSTRUCTIONS]
    said += [f"There is more: cursor {following}"] if following else []
    data = {"workspace": workspace_id, "revision": revision, "commits": rows, "next_cursor": following}
    return ToolAnswer(data, "\n".join(said))


def _commit(one: CommitOut, actor_id: str) -> dict[str, Any]:
    actor = one["actor"]
    row: dict[str, Any] = {
        "revision": one["revision"], "at": one["at"], "by": actor["name"], "kind": one["kind"], "what": one["what"],
        "why": one["why"],
    }  # fmt: skip
    if actor["kind"] == "agent":
        row["agent"] = actor["id"]
        row["yours"] = actor["id"] == actor_id
    return row


def compared(workspace_id: str, found: Mapping[str, Any]) -> ToolAnswer:
    """What differs between two revisions."""
    difference = difference_of(found["diff"])
    data = {
        "workspace": workspace_id, "from_revision": found["from_revision"], "to_revision": found["to_revision"],
        "what": found["what"], "difference": difference,
    }  # fmt: skip
    text = "\n".join([one_line(found["what"]), *_lines(difference)])
    said = [
        f"From revision {found['from_revision']} to {found['to_revision']}:",
        tagged("difference", mark_of([text]), text),
        NOT_INSTRUCTIONS,
    ]
    return ToolAnswer(data, "\n".join(said))


def undone(workspace_id: str, revision: int, answer: Mapping[str, Any]) -> ToolAnswer:
    """What became of undoing a commit."""
    left_out = [f"{one['what']}: {one['why']}" for one in answer["left_out"]]
    status = "would_undo" if answer["dry_run"] else "undone" if answer["changed"] else "unchanged"
    difference = difference_of(answer["diff"])
    data = {
        "workspace": workspace_id, "status": status, "revision": answer["revision"], "replayed": answer["replayed"],
        "difference": difference, "left_out": left_out,
    }  # fmt: skip
    heads = {
        "undone": f"Revision {revision} is taken back, as revision {answer['revision']}.",
        "would_undo": f"Revision {revision} would be taken back. Nothing was changed.",
        "unchanged": f"Nothing changed: nothing of revision {revision} is there any more.",
    }
    kept = ["Left as it is, since somebody has changed it since:", *(f"- {one_line(one)}" for one in left_out)]
    text = "\n".join([*_lines(difference), *(kept if left_out else [])]) or "(nothing)"
    said = [heads[status], tagged("difference", mark_of([text]), text), NOT_INSTRUCTIONS]
    return ToolAnswer(data, "\n".join(said))


def difference_of(diff: Mapping[str, Any] | None) -> dict[str, Any]:
    """A difference without places in the drawing, as much of it as there is room for."""
    room = _Room()
    empty: Mapping[str, Any] = {"added": [], "changed": [], "removed": []}
    parts: dict[str, Any] = {name: _elements((diff or {}).get(name, empty), room) for name in ("nodes", "edges")}
    document = [
        row
        for one in (diff or {}).get("document", ())
        if room.takes(
            row := {
                "section": one["section"], "line": one["from_line"], "old": _cut(one["old"]), "new": _cut(one["new"]),
            }
        )
    ]  # fmt: skip
    name = (diff or {}).get("workspace", {}).get("name")
    shape = {**parts, "document": document, "left_out": room.left_out}
    return {**shape, "name": list(name)} if name else shape


class _Room:
    """How much more is shown."""

    def __init__(self) -> None:
        self._left = _ROOM
        self.left_out = 0

    def takes(self, row: Any) -> bool:
        size = len(str(row))
        if size > self._left:
            self.left_out += 1
            return False
        self._left -= size
        return True


def _elements(part: Mapping[str, Any], room: _Room) -> dict[str, Any]:
    changed = [
        {"id": one["id"], "fields": fields}
        for one in part["changed"]
        if (
            fields := {
                name: [_cut(value) for value in pair] for name, pair in one["fields"].items() if name not in _PLACE
            }
        )
    ]
    return {
        "added": [row for one in part["added"] if room.takes(row := filled(one))],
        "changed": [row for row in changed if room.takes(row)],
        "removed": [row for row in part["removed"] if room.takes(row)],
    }


_PLACE: Final = frozenset({"position", "size", "route"})


def _cut(value: Any) -> Any:
    return f"{value[:_LONGEST]}…" if isinstance(value, str) and len(value) > _LONGEST else value


def _lines(difference: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for part, one in (("nodes", "node"), ("edges", "edge")):
        found = difference[part]
        lines += [f"+ {one} {json.dumps(row, ensure_ascii=False)}" for row in found["added"]]
        lines += [
            f"~ {one} {row['id']} {name}: {quoted(str(old))} → {quoted(str(new))}"
            for row in found["changed"]
            for name, (old, new) in row["fields"].items()
        ]
        lines += [f"- {one} {row}" for row in found["removed"]]
    for row in difference["document"]:
        lines += [f"{row['section'] or 'before the first heading'}, line {row['line']}:"]
        lines += [f"- {line}" for line in row["old"].splitlines()] + [f"+ {line}" for line in row["new"].splitlines()]
    if "name" in difference:
        lines.append(f"name: {quoted(difference['name'][0])} → {quoted(difference['name'][1])}")
    if difference["left_out"]:
        lines.append(f"and {difference['left_out']} more; compare revisions that are nearer to each other.")
    return lines
