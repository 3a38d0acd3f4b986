"""Stand-ins that answer the requests of the replay set: all right, all wrong, never, or now this and now that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from tests.replay.cases import cases
from tests.standin.reading import read_first
from tests.standin.script import Brain, Step, Text, ToolUse, Turn

Style = Literal["right", "wrong", "refusing", "idle", "uneven"]
SOLUTIONS: Final[Mapping[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "replay" / "solutions.json").read_text("utf-8")
)
"""By request: `calls`, pairs of tool and input, and what is said in the end."""
_WRONG: Final = {"operations": [{"op": "add_node", "type": "other", "label": "Something else"}]}


def solver(style: Style) -> Brain:
    """A stand-in's brain.

    Args:
        style: `right`; `wrong`: another node than was asked for, or an answer that says nothing; `refusing`: declines;
            `idle`: says that it is done and does nothing; `uneven`: of seven one is done wrong and one is declined.
    """
    numbers = {case.prompt: (number, case.id) for number, case in enumerate(cases())}

    def answer(body: Mapping[str, Any]) -> Step:
        number, name = numbers[read_first(body["messages"]).request]
        is_first = len(body["messages"]) == 1
        match _style_of(number, style):
            case "refusing":
                return Turn([Text("I would rather not.")], stop="refusal")
            case "idle":
                return Turn([Text("Done.")])
            case "wrong":
                may_edit = any(tool["name"] == "edit_diagram" for tool in body["tools"])
                return Turn([ToolUse("edit_diagram", _WRONG)] if may_edit and is_first else [Text("Hm.")])
        calls = SOLUTIONS[name]["calls"] if is_first else ()
        return Turn([ToolUse(tool, given) for tool, given in calls] or [Text(SOLUTIONS[name]["text"])])

    return answer


def _style_of(number: int, style: Style) -> Style:
    if style != "uneven":
        return style
    return "wrong" if number % 7 == 3 else "refusing" if number % 7 == 5 else "right"
