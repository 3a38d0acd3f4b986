"""What the stand-in says in the relay of `tests.replay`: it looks texts up, misquotes some, and corrects itself."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from tests.replay.relay_prompts import Wanted, wanted_of
from tests.standin.demonstration import demonstrate
from tests.standin.prefix import blocks_of, turns_of
from tests.standin.reading import read_first
from tests.standin.script import Step, Text, ToolUse, Turn

_DIAGRAM = ("node", "edge", "between")


def relay(body: Mapping[str, Any]) -> Step:
    """Answer a request of the relay; any other one as the demonstration does."""
    request = read_first(body["messages"]).request
    wanted = wanted_of(request)
    if not wanted:
        return demonstrate(body)
    turns = turns_of(body["messages"])
    results = [
        block for turn in turns if turn["role"] == "user" for block in turn["content"] if block["type"] == "tool_result"
    ]
    edited = _last_edit(turns)
    if edited and not any(result.get("is_error") for result in _results_of(results, edited)):
        return Turn([Text("Done, and nothing else was changed.")])
    if len([turn for turn in turns if turn["role"] == "assistant"]) > 4:
        return Turn([Text("It could not be done like that, so nothing was changed.")])
    unread = [one for one in wanted if one.ends is not None]
    if unread and not results:
        return Turn([ToolUse("read_section", {"section": one.operation["section"]}) for one in unread])
    read = [_said(result) for result in results]
    operations = [_operation(one, read) for one in wanted]
    if not edited and int(hashlib.sha256(request.encode()).hexdigest(), 16) % 2 == 0:
        operations = [_misquoted(operation) for operation in operations]
    return Turn(_calls(operations))


def _operation(wanted: Wanted, read: Sequence[str]) -> dict[str, Any]:
    """The operation, the text that it replaces looked up in what was read."""
    if wanted.ends is None:
        return dict(wanted.operation)
    first, last = wanted.ends
    text = next(one for one in read if first in one)
    start = text.index(first)
    end = text.index(last, start + len(first)) + len(last)
    return {**wanted.operation, "find": text[start:end]}


def _misquoted(operation: dict[str, Any]) -> dict[str, Any]:
    """One word in the middle of a quote remembered wrongly."""
    words = str(operation.get("find", "")).split(" ")
    if len(words) < 3:
        return operation
    words[len(words) // 2] = "Zanzibar"
    return {**operation, "find": " ".join(words)}


def _calls(operations: Sequence[Mapping[str, Any]]) -> list[ToolUse]:
    diagram = [one for one in operations if any(word in one["op"] for word in _DIAGRAM)]
    document = [one for one in operations if one not in diagram]
    calls = [("edit_document", document), ("edit_diagram", diagram)]
    return [ToolUse(name, {"operations": some, "explanation": "As asked"}) for name, some in calls if some]


def _last_edit(turns: Sequence[Mapping[str, Any]]) -> list[str]:
    """The ids of the calls that edit, of the newest answer that has some."""
    for turn in reversed(turns):
        if turn["role"] == "assistant":
            calls = [block for block in turn["content"] if block["type"] == "tool_use"]
            ids = [str(call["id"]) for call in calls if call["name"].startswith("edit_")]
            if ids:
                return ids
    return []


def _results_of(results: Sequence[Mapping[str, Any]], ids: Sequence[str]) -> list[Mapping[str, Any]]:
    return [result for result in results if result["tool_use_id"] in ids]


def _said(result: Mapping[str, Any]) -> str:
    return "\n".join(block.get("text", "") for block in blocks_of(result.get("content")))
