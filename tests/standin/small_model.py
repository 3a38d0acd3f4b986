"""A brain that behaves as a small model does while it is tried: it reads no more than the end of a long text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.standin.script import Brain, Step, Text, Thinking, ToolUse, Turn

_BYTES_PER_TOKEN = 4


def small_model(context_tokens: int, *, calls_tools: bool = True) -> Brain:
    """A model that reads so many tokens of its prompt, the last, and says nothing of the rest."""

    def answer(body: Mapping[str, Any]) -> Step:
        prompt = body["messages"][-1]["content"][0]["text"]
        read = prompt[-context_tokens * _BYTES_PER_TOKEN :]
        if body["tools"] and (asked := re.search(r"status word: (\w+)", read)):
            said = f"The word is {asked[1]}."
            return Turn([ToolUse("report_status", {"word": asked[1]}) if calls_tools else Text(said)])
        if "numbers from 1" in read:
            return Turn([Thinking("They want numbers."), Text(" ".join(map(str, range(1, 41))))])
        words = re.findall(r"The code word is (\w+)\.", read)
        return Turn([Thinking("Let me look."), Text(", ".join(words) or "There are none.")])

    return answer
