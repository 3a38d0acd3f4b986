"""What the coding agent's model does: reads, is refused after a person's edit, reads again, edits, takes it back.

The stand-in decides by what it is given, as a model would: each step looks at the result of the one before. Between the
reading and the first edit a person writes into the very sentence, and more than a refusal shows in full. Refused as
stale the model makes the mistake that models make: it raises the revision and writes the section anew, unread.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.standin.script import Step, Text, ToolUse, Turn

DOCUMENT = "# Shop\n\n## Orders\n\nOrders are kept for 90 days in Postgres 15.\n\n## Mail\n\nReceipts go out at once.\n"
BEFORE = "Orders are kept for 90 days in Postgres 15."
AFTER = "Orders are kept for one year in Postgres 15." + " Finance asked for it." * 60
OF_THE_PERSON = DOCUMENT.replace(BEFORE, AFTER)
PROMPT = "Our code runs on PostgreSQL 17 by now; bring the design up to date."
_MEANT = BEFORE.replace("Postgres 15", "PostgreSQL 17")
_WHY = "The code runs on PostgreSQL 17"


@dataclass
class Session:
    """The model's side of the session.

    Attributes:
        workspace: where it works.
        meanwhile: the person's edit.
        seen: what the agent handed to the model: the result of each call and whether it is an error.
        offered: names of the tools that the model was offered.
        system: the system text of the first request.
    """

    workspace: str
    meanwhile: Callable[[], None]
    seen: list[tuple[str, bool]] = field(default_factory=list)
    offered: Sequence[str] = ()
    system: str = ""

    def __call__(self, body: Mapping[str, Any]) -> Step:
        """Answer a request."""
        self.offered = [tool["name"] for tool in body.get("tools", ())]
        self.system = self.system or json.dumps(body.get("system", ""), ensure_ascii=False)
        self.seen = list(results_of(body["messages"]))
        match len(self.seen):
            case 0:
                return self._calls("read_workspace")
            case 1:
                self.meanwhile()
                return self._edit(self._revision(), _quoted(BEFORE, _MEANT))
            case 2:
                careless = {"op": "replace_section", "section": "## Orders", "text": _MEANT}
                return self._edit(self._newest(), careless)
            case 3:
                return self._calls("read_sections", sections=["## Orders"])
            case 4:
                return self._edit(self._revision(), _quoted("Postgres 15", "PostgreSQL 17"))
            case 5:
                return self._calls("undo", revision=self._revision())
        return Turn([Text("It was the wrong database, so I have taken my change back.")])

    def _calls(self, tool: str, **given: Any) -> Turn:
        return Turn([ToolUse(f"draftsmith_{tool}", {"workspace": self.workspace, **given})])

    def _edit(self, base: int, of_document: Mapping[str, Any]) -> Turn:
        operations = [{"op": "update_node", "id": "orders-db", "technology": "PostgreSQL 17"}, of_document]
        return self._calls("edit", base_revision=base, explanation=_WHY, operations=operations)

    def _newest(self) -> int:
        """The greatest revision that the last result names."""
        return max(map(int, re.findall(r"revision (\d+)", self.seen[-1][0])), default=0)

    def _revision(self) -> int:
        """The revision that the last result tells."""
        found = re.search(r"[Rr]evision\\?\"?:? ?(\d+)", self.seen[-1][0])
        assert found is not None, self.seen[-1]
        return int(found[1])


def _quoted(find: str, replace: str) -> dict[str, Any]:
    return {"op": "edit_section", "section": "## Orders", "find": find, "replace": replace}


def results_of(messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool]]:
    """The result of each call in what an agent hands to its model, and whether it is an error."""
    found = []
    for message in messages:
        content = message["content"]
        for block in content if isinstance(content, list) else ():
            if block["type"] == "tool_result":
                inner = block.get("content", "")
                text = inner if isinstance(inner, str) else "\n".join(one.get("text", "") for one in inner)
                found.append((text, bool(block.get("is_error"))))
    return found
