"""D2 as its authors publish it for Node.js (`bench/peers/d2.mjs`): the same graphs drawn by somebody else.

What it makes is judged as our own drawings are: its boxes with our cards' size, its lines by their bends. Its curves
(dagre) count by the points that bend them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

from bench.drawings.graph import Diagram, Graph

LAYOUTS = {"d2": "dagre", "d2_elk": "elk"}
"""Its layout engines by column; the first is the one that it takes by itself."""
_PEERS = Path(__file__).parents[1] / "peers"


def missing() -> str:
    """Why it cannot run here; empty where it can."""
    if shutil.which("node") is None:
        return "Node.js is not installed"
    return "" if (_PEERS / "node_modules/@terrastruct/d2").is_dir() else f"not installed: npm ci in {_PEERS}"


class D2Failed(Exception):
    """D2 did not draw what it was asked for."""


class D2:
    """A process that draws one graph after the other."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["node", str(_PEERS / "d2.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> D2:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def draw(self, graph: Graph, layout: str) -> Diagram:
        """The graph with D2's places, sizes and bends, by one of its layout engines."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        empty = graph.diagram()
        stdin.write(json.dumps({"layout": layout, "nodes": empty["nodes"], "edges": empty["edges"]}) + "\n")
        stdin.flush()
        line = stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"failed": "the process has ended"}
        if "failed" in answer:
            raise D2Failed(answer["failed"])
        diagram = graph.placed(answer["boxes"])
        for edge in diagram["edges"]:
            edge["route"] = answer["routes"][edge["id"]] or None
        return diagram
