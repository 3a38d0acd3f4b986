"""Texts that tell an agent why a call was refused: what somebody else changed, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from draftsmith.agents.answer import NOT_INSTRUCTIONS
from draftsmith.assistant.answers import feedback
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import quote_line
from draftsmith.errors import DraftsmithError

_NEXT: Final[Mapping[str, str]] = {
    "unread_change": (
        "Read it, decide anew what is right, and send a new edit with a new id. Raising base_revision alone is refused "
        "again."
    ),
    "stale_base": (
        "Take that into account, read what you do not see, and send a new edit with the newest revision and a new id."
    ),
    "workspace_not_found": "list_workspaces shows those that you may see.",
    "forbidden": "Do not look for a way around it; tell the person what you wanted to do.",
    "unauthorized": "Tell the person that this agent needs a key of Draftsmith.",
    "too_many_requests": "Wait as long as it says; do not repeat calls in a loop.",
    "agent_looping": "Stop, and tell the person what you wanted to do and why it was refused.",
    "key_reused": "Take a new id for a new edit.",
    "locked": "Leave out what touches the lock, and tell the person what they have to unlock.",
    "busy": "Send the same again in a moment, with the same id.",
    "outcome_unknown": "Send the same again with the same id; it is not done twice.",
    "storage_down": "Send the same again in a moment, with the same id.",
    "trimmed": "Read the workspace as it is now instead.",
}


def refusal_text(error: DraftsmithError) -> str:
    """One text: the refusal, what changed, what to do."""
    if error.code in ("batch_rejected", "invalid_request") and error.problems:
        return feedback.rejection_text(error, reader="read_sections")
    said = [f"Refused ({error.code}): {error.detail}"]
    said += [f"Unread: {_subject_text(one)}" for one in error.extra.get("unread", ())]
    changes = error.extra.get("changes", ())
    if changes:
        text = "\n".join(_change(one) for one in changes)
        said += ["What others changed there:", text_block("changes", mark_of([text]), text), NOT_INSTRUCTIONS]
    said += _to_read(error.extra.get("read"))
    if "retry_after" in error.extra:
        said.append(f"Again after {error.extra['retry_after']} seconds.")
    if error.code in _NEXT:
        said.append(_NEXT[error.code])
    return "\n".join(said)


def _to_read(read: Mapping[str, Sequence[str]] | None) -> list[str]:
    if not read:
        return []
    said = []
    if read.get("nodes"):
        said.append(f"read_nodes: {', '.join(read['nodes'])}")
    if read.get("sections"):
        said.append(f"read_sections: {'; '.join(one or '(before the first heading)' for one in read['sections'])}")
    return said


def _subject_text(one: Mapping[str, Any]) -> str:
    if one["part"] == "document":
        return f"section {quote_line(one['section'])}" if one["section"] else "the text before the first heading"
    name = f"{one['part']} {one.get('id', '')}".rstrip()
    return f"{name} ({one['field']})" if one.get("field") else name


def _change(one: Mapping[str, Any]) -> str:
    """`revision 12, Ana, 2026-…: node orders label "Orders" → "Order desk"`."""
    by, at = quote_line(one.get("by", "?")), one.get("at", "?")
    head = f"revision {one['revision']}, {by}, {at}: {_subject_text({**_BARE, **one})}"
    if "texts" in one:
        return "\n".join(
            [
                head,
                *(f"  line {row['line']}: {quote_line(row['old'])} → {quote_line(row['new'])}" for row in one["texts"]),
            ]
        )
    if "old" in one or "new" in one:
        return f"{head} {_value(one.get('old'))} → {_value(one.get('new'))}"
    return head


_BARE: Final = {"section": "", "field": "", "id": ""}


def _value(value: Any) -> str:
    return quote_line(value) if isinstance(value, str) else "nothing" if value is None else quote_line(str(value))
