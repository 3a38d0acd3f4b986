"""Refusals as agents are told them: with the change of the person who was there first, which then counts as read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from draftsmith.agents.marks import commit_mark, field_mark
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry
from draftsmith.history.diff import diff_of
from draftsmith.history.record import decode_record
from draftsmith.history.shapes import DiffOut
from draftsmith.history.times import iso
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call

_MOST: Final = 20  # changes that are told
_LONGEST: Final = 600  # characters of a value that is shown in full
_HUNKS: Final = 5  # stretches of the document of one commit


async def explain_refusal(needs: AgentDependencies, call: Call, error: DraftsmithError) -> DraftsmithError:
    """A refusal because of what others did, with who, when, old and new; another refusal as it is."""
    if error.code not in ("stale_base", "unread_change"):
        return error
    replica, log = await needs.workspaces.log_reader(call.workspace_id, is_fresh=False)
    changes: list[dict[str, object]] = []
    marks: dict[int, list[str]] = {}
    for one in error.extra.get("changes", ())[-_MOST:]:
        try:
            entry = await log.entry(int(one["revision"]))
        except DraftsmithError:
            continue  # no longer kept
        shown, mark = _describe_change(entry, one)
        if shown not in changes:
            changes.append(shown)
        if mark is not None:
            marks.setdefault(entry.revision, []).append(mark)
    for revision, some in marks.items():
        await needs.store.add_marks(call.agent.id, call.workspace_id, replica.head.epoch, some, revision)
    read = _to_read(error)
    extra = {**error.extra, "changes": changes, **({"read": read} if read else {})}
    return DraftsmithError(error.code, error.detail, error.problems, extra)


def _describe_change(entry: Entry, one: Mapping[str, object]) -> tuple[dict[str, object], str | None]:
    """A change with who, when, old and new, and the mark of it where it is shown in full."""
    record = decode_record(entry.body)
    diff = diff_of(record.steps, record.places)
    part, key, field = str(one["part"]), str(one.get("id", "")), str(one.get("field", ""))
    shown: dict[str, object] = {
        "revision": entry.revision, "by": actor_json(entry.actor)["name"], "at": iso(entry.ms),
        "part": part, "id": key, "field": field,
    }  # fmt: skip
    if record.explanation:
        shown["why"] = record.explanation[:_LONGEST]
    if part == "document":
        return _text_shown(entry, diff, {**shown, "section": str(one.get("section", ""))})
    pair = _pair(diff, part, key, field)
    if pair is None:
        return shown, None
    old, new = (_short(value) for value in pair)
    is_full = new == pair[1]
    return {**shown, "old": old, "new": new}, field_mark(part, key, field) if is_full and field else None


def _text_shown(entry: Entry, diff: DiffOut, change: dict[str, object]) -> tuple[dict[str, object], str | None]:
    rows = diff["document"]
    texts = [
        {"section": row["section"], "line": row["from_line"], "old": _short(row["old"]), "new": _short(row["new"])}
        for row in rows[:_HUNKS]
    ]
    is_full = len(rows) <= _HUNKS and all(len(row["old"]) <= _LONGEST and len(row["new"]) <= _LONGEST for row in rows)
    change = {**change, "section": change["section"] or (rows[0]["section"] if rows else ""), "texts": texts}
    return change, commit_mark(entry.revision) if is_full and rows else None


def _pair(diff: DiffOut, part: str, key: str, field: str) -> tuple[Any, Any] | None:
    """Old and new value of a field; of something that came or went, that it did."""
    if part == "workspace":
        found = diff["workspace"].get(field)
        return None if found is None else (found[0], found[1])
    if part == "type":
        return _type_pair(diff, key, field)
    rows: Any = diff["nodes"] if part == "node" else diff["edges"]
    for changed in rows["changed"]:
        if changed["id"] == key and field in changed["fields"]:
            old, new = changed["fields"][field]
            return old, new
    if key in rows["removed"]:
        return "there", "removed"
    if any(added["id"] == key for added in rows["added"]):
        return "not there", "added"
    return None


def _type_pair(diff: DiffOut, key: str, field: str) -> tuple[Any, Any] | None:
    old, new = diff.get("types", {}).get(key, (None, None))
    if old is None or new is None:
        return None if old is new else ("there", "removed") if new is None else ("not there", "added")
    return old.get(field), new.get(field)


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:_LONGEST]}…"
    return value


def _to_read(error: DraftsmithError) -> dict[str, list[str]]:
    """What to read before the next try, by tool."""
    nodes: dict[str, None] = {}
    sections: dict[str, None] = {}
    for one in error.extra.get("unread", ()):
        if one["part"] == "document":
            sections[one["section"]] = None
        elif one.get("node"):
            nodes[one["node"]] = None
    found = {"nodes": list(nodes), "sections": list(sections)}
    return {name: some for name, some in found.items() if some}
