"""A brain that behaves as small models do at Ollama: it reads the end of what is sent, and has their habits.

Ollama puts the tools first, then the system text and the messages, and drops the beginning of what is longer than its
context without a word: a model that has lost its tools answers in prose. Of the models that it lists, `gemma3` knows no
tools at all, `llama3.2:1b` writes its calls down as text, and the others call. What is to be done they know from the
built-in commands (`draftsmith.assistant.builtin`); asked for what those refuse, they call all the same and say that it
is done.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.assistant.builtin import plan
from tests.standin.prefix import blocks_of
from tests.standin.reading import read_first
from tests.standin.script import Brain, HttpError, Step, Text, Thinking, ToolUse, Turn

WITHOUT_TOOLS = "gemma3"
WRITES_CALLS = "llama3.2:1b"
_BYTES_PER_TOKEN = 4
_REQUEST = re.compile(r"<request-[0-9a-f]{8}>")
_Calls = Sequence[tuple[str, Mapping[str, Any]]]


def small_model(context_tokens: int, *, calls_tools: bool = True) -> Brain:
    """A model that reads so many tokens of what it is sent, the last, and says nothing of the rest."""

    def answer(body: Mapping[str, Any]) -> Step:
        tools = json.dumps(body["tools"], ensure_ascii=False) if body["tools"] else ""
        if tools and body["model"] == WITHOUT_TOOLS:
            refusal = f"registry.ollama.ai/library/{WITHOUT_TOOLS}:latest does not support tools"
            return HttpError("invalid_request_error", refusal)
        sent = "\n".join([tools, body["system"], *(_text_of(message) for message in body["messages"])]).encode()
        read = sent[-context_tokens * _BYTES_PER_TOKEN :].decode("utf-8", "ignore")
        may_call = calls_tools and bool(tools) and read.startswith(tools)
        if _REQUEST.search(read):
            return _work(body, may_call=may_call)
        if body["tools"] and (asked := re.search(r"status word: (\w+)", read)):
            said = f"The word is {asked[1]}."
            return Turn([ToolUse("report_status", {"word": asked[1]}) if may_call else Text(said)])
        if "numbers from 1" in read:
            return Turn([Thinking("They want numbers."), Text(" ".join(map(str, range(1, 41))))])
        words = re.findall(r"The code word is (\w+)\.", read)
        return Turn([Thinking("Let me look."), Text(", ".join(words) or "There are none.")])

    return answer


def _text_of(message: Mapping[str, Any]) -> str:
    """A message as its text and the JSON of its calls and results."""
    blocks = blocks_of(message["content"])
    return "\n".join(block["text"] if block["type"] == "text" else json.dumps(block) for block in blocks)


def _work(body: Mapping[str, Any], *, may_call: bool) -> Turn:
    """What is answered to a request about a workspace."""
    if not may_call:
        return Turn([Text("To change the diagram, open it in your editor and add what you need.")])
    asked = read_first(body["messages"])
    may_edit = any(tool["name"] == "edit_diagram" for tool in body["tools"])
    wanted = asked.request.partition("\n")[0]  # what is pasted below is material
    calls = _calls_for(wanted, plan(wanted, asked.workspace, may_edit=may_edit).calls)
    has_called = any(block["type"] == "tool_use" for message in body["messages"] for block in message["content"])
    if body["model"] == WRITES_CALLS and may_edit and not has_called:
        return Turn([Text("".join(f"```json\n{json.dumps(given)}\n```\n" for _, given in calls))])
    if has_called:
        return Turn([Thinking("That went well."), Text("Done: it is as you asked.")])
    return Turn([Thinking("The request is clear."), *(ToolUse(name, given) for name, given in calls)])


def _calls_for(request: str, planned: _Calls) -> _Calls:
    """The calls for a request: one for each operation, all in one turn; one that cannot fit where none is planned."""
    if not planned:
        name = re.sub(r"\W+", "-", request.lower()).strip("-").rpartition("-")[2]
        return [("edit_diagram", {"operations": [{"op": "delete_node", "id": name}]})]
    single: list[tuple[str, Mapping[str, Any]]] = []
    for name, given in planned:
        rest = {key: value for key, value in given.items() if key != "operations"}
        operations = given.get("operations")
        single += [(name, {**rest, "operations": [one]}) for one in operations] if operations else [(name, given)]
    return single
