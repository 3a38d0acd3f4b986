"""Asking the layout engine: what a batch needs to know, and where what was imported from a text stands.

The answers are evidence for the transaction of a batch. They are remembered for a while by their questions: a dry run
and the batch after it ask the same, and so does a batch that is prepared again because the head has moved. That a
question takes too much is remembered, too. Not here: what is asked
(`transform.placement.layouts`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final, cast

from draftsmith.model.fields import SparseEdge, SparseNode
from draftsmith.model.workspace import WorkspaceContent
from draftsmith.ports.engines import Engine, EngineFailed
from draftsmith.transform.placement.layouts import Layouts, plain, route_of

_DIRECTIONS: Final = {"right": "RIGHT", "down": "DOWN"}
"""As the engine calls them; what flows to the other sides keeps the positions that it was given."""
_REMEMBERED: Final = 64
_LONGEST: Final = 1 << 20
"""Bytes of an answer that is remembered."""

TIMES_ASKED: Final = 3
"""How often one batch asks at most: for layouts, then for routes, and once more where the head has moved meanwhile."""

Answers = Mapping[str, bytes | None]


class Arranging:
    """The layout engine of one worker, and what it has answered lately.

    Attributes:
        counts: how many questions it has answered, and how many not: `answered`, `failed`.
    """

    def __init__(self, engine: Engine) -> None:
        """Ask nothing yet."""
        self._engine = engine
        self._answers_by_question: OrderedDict[str, bytes] = OrderedDict()
        self.counts = {"answered": 0, "failed": 0}

    async def answers(self, asks: Mapping[str, bytes]) -> Answers:
        """The answer to each question, by its key; None where the engine has none."""
        return {key: await self._answer(key, question) for key, question in asks.items()}

    async def _answer(self, key: str, question: bytes) -> bytes | None:
        known = self._answers_by_question.get(key)
        if known is not None:
            self._answers_by_question.move_to_end(key)
            return known
        try:
            answer = await self._engine.run(question)
        except EngineFailed as failure:
            self.counts["failed"] += 1
            if failure.is_too_costly:
                self._remember(key, b"")  # read as no answer
            return None
        self.counts["answered"] += 1
        if len(answer) <= _LONGEST:
            self._remember(key, answer)
        return answer

    def _remember(self, key: str, answer: bytes) -> None:
        self._answers_by_question[key] = answer
        while len(self._answers_by_question) > _REMEMBERED:
            self._answers_by_question.popitem(last=False)

    async def start(self) -> None:
        """Start the engine before it is needed."""
        await self._engine.start()

    async def close(self) -> None:
        """End the engine."""
        await self._engine.close()


async def laid_out(arranging: Arranging, content: WorkspaceContent) -> WorkspaceContent:
    """Return a content that says in which direction it flows with the engine's positions, sizes and routes.

    Where the engine has no answer, the content is returned as it is.
    """
    direction = _DIRECTIONS.get(content.get("flow", ""))
    diagram = content.get("diagram")
    if direction is None or diagram is None or not diagram.get("nodes"):
        return content
    layouts, question = Layouts(), plain(diagram["nodes"], diagram.get("edges", []), direction)
    layouts.arrangement(question)
    found = Layouts(await arranging.answers(layouts.asks)).arrangement(question)
    if found is None:
        return content
    nodes = [
        cast(SparseNode, {**node, "position": found.positions[node["id"]], "size": found.sizes.get(node["id"])})
        for node in diagram["nodes"]
    ]
    edges = [
        cast(SparseEdge, {**edge, "route": route_of(found.routes.get(edge["id"]))}) for edge in diagram.get("edges", [])
    ]
    return {**content, "diagram": {**diagram, "nodes": nodes, "edges": edges}}
