"""What one client has in a workspace: what it asks for next, and how it must look once all of that has happened once.

Every batch counts: the number of the request stands in a node afterwards. Some do what cannot happen twice (a node is
added, or deleted), some what would show if it did (a line is appended).
"""

from __future__ import annotations

import random
from typing import Any

_LINES = 20
"""Lines after which a section begins anew, so that the document stays small."""
_LONG_LINES = 1_500
_LONG_LINE = "What was decided, by whom, and what it costs\n"

Operation = dict[str, Any]


class Belongings:
    """A node with a count and a place, a neighbour that comes and goes, and a section; nobody else touches them.

    Attributes:
        heading: the title of the section.
    """

    def __init__(self, name: str, rng: random.Random, *, writes_much: bool = False) -> None:
        """Own nothing yet; `writes_much`: each batch writes the section anew, with 67,500 characters."""
        self.heading = name
        self._node, self._beside, self._rng = name, f"{name}-beside", rng
        self._writes_much = writes_much
        self._count = ""
        self._place = {"x": 0, "y": 0}
        self._is_beside = False
        self._text = ""

    def first(self) -> Operation:
        """The operation that adds the node, before the first batch."""
        return {"op": "add_node", "id": self._node, "type": "service", "label": self._node, "position": self._place}

    def next(self, number: int) -> list[Operation]:
        """Draw the next batch; from now on it is taken for done."""
        self._count = str(number)
        count = {"op": "update_node", "id": self._node, "properties": {"count": self._count}}
        if self._writes_much:
            return [count, self._write_much(number)]
        roll = self._rng.random()
        if roll < 0.55:
            return [count, self._move()]
        return [count, *(self._toggle() if roll < 0.9 else [self._write(number)])]

    def _move(self) -> Operation:
        self._place = {"x": self._rng.randrange(2_000), "y": self._rng.randrange(2_000)}
        return {"op": "move_nodes", "positions": {self._node: self._place}}

    def _toggle(self) -> list[Operation]:
        self._is_beside = not self._is_beside
        if not self._is_beside:
            return [{"op": "delete_node", "id": self._beside}]
        add = {"op": "add_node", "id": self._beside, "type": "cache", "label": self._count, "position": self._place}
        return [add, {"op": "add_edge", "source": self._node, "target": self._beside, "label": "asks"}]

    def _write(self, number: int) -> Operation:
        if self._text.count("\n") >= _LINES:
            self._text = f"{number}\n"
            return {"op": "replace_section", "section": self.heading, "text": self._text}
        self._text += f"{number}\n"
        return {"op": "append_to_section", "section": self.heading, "text": f"{number}\n"}

    def _write_much(self, number: int) -> Operation:
        self._text = f"{number}\n\n" + _LONG_LINE * _LONG_LINES
        return {"op": "replace_section", "section": self.heading, "text": self._text}

    def differences(self, workspace: dict[str, Any]) -> list[str]:
        """In what a workspace differs from what must be there."""
        nodes = {node["id"]: node for node in workspace["diagram"]["nodes"]}
        ends = [(edge["source"], edge["target"]) for edge in workspace["diagram"]["edges"]]
        node = nodes.get(self._node, {})
        pairs = {
            "count": (node.get("properties", {}).get("count", ""), self._count),
            "place": (node.get("position"), self._place),
            "neighbour": (self._beside in nodes, self._is_beside),
            "edges": (ends.count((self._node, self._beside)), int(self._is_beside)),
            "section": (_words_of(workspace["document"]["text"], self.heading), self._text.split()),
        }
        return [f"{self._node}, {what}: {there}, not {due}" for what, (there, due) in pairs.items() if there != due]


def _words_of(text: str, heading: str) -> list[str]:
    before, found, after = f"\n{text}".partition(f"\n## {heading}\n")
    return after.partition("\n## ")[0].split() if found else [f"no {heading} in {len(before)} characters"]
