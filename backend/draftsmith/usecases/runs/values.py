"""Runs as values: what is asked of the assistant, and how a run, its end and its decision look as JSON."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import orjson

from draftsmith.assistant.decision import Mode
from draftsmith.assistant.focus import Focus
from draftsmith.assistant.loop import Course
from draftsmith.history.actor import Actor
from draftsmith.model.ids import RunId
from draftsmith.ports.runs import RunRow
from draftsmith.transform.staged import Staged, staged_from_json
from draftsmith.usecases.commits.at_head import Base

Workflow = Literal["edit", "ask", "generate"]
EDIT_WORKFLOWS: Final = frozenset({"edit", "generate"})
EXPLANATION_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to the assistant.

    Attributes:
        id: of the run; given by the caller for repeats, or fresh.
        is_given: whether the caller gave it.
        workflow: edit, ask or generate.
        prompt: the person's words.
        mode: auto, apply or propose; for workflows that edit.
        focus: what the person has selected.
        provider: asked for by name; empty for the configured one.
    """

    id: RunId
    is_given: bool
    workflow: Workflow
    prompt: str
    mode: Mode
    focus: Focus
    provider: str = ""

    @property
    def edits(self) -> bool:
        """Whether it may change the workspace."""
        return self.workflow in EDIT_WORKFLOWS


@dataclass(frozen=True, slots=True)
class Decision:
    """What a run has decided to do, so that any worker can do it.

    Attributes:
        do: `commit` or `propose`.
        reason: why it is a proposal; empty for a commit.
        base: what the operations were staged on.
        staged: the operations.
        explanation: for the history.
        course: `{summary, tools_used, iterations, usage}`.
    """

    do: Literal["commit", "propose"]
    reason: str
    base: Base
    staged: Sequence[Staged]
    explanation: str
    course: Mapping[str, Any]

    def encode(self) -> bytes:
        """The bytes that wait in the store."""
        shape = {
            "do": self.do,
            "reason": self.reason,
            "base": self.base.to_json(),
            "operations": [one.to_json() for one in self.staged],
            "explanation": self.explanation,
            "course": self.course,
        }
        return zlib.compress(orjson.dumps(shape), 1)


def read_decision(content: bytes) -> Decision:
    """Read what `Decision.encode` wrote.

    Raises:
        ValueError: it is damaged or of a newer release.
    """
    try:
        shape = orjson.loads(zlib.decompress(content))
        staged = [staged_from_json(one) for one in shape["operations"]]
        return Decision(
            shape["do"], shape["reason"], Base(*shape["base"]), staged, shape["explanation"], shape["course"]
        )
    except (zlib.error, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged decision: {error!r}") from error


def assistant_for(asker: Actor) -> Actor:
    """The assistant as it acts for somebody."""
    return Actor(f"assistant:{asker.id}", f"Assistant · for {asker.name}", "assistant")


def course_json(course: Course) -> dict[str, Any]:
    """What a run has come to: `{summary, tools_used, iterations, usage}`, all from what ran."""
    return {
        "summary": course.text,
        "tools_used": course.tools_used,
        "iterations": course.iterations,
        "usage": {"input_tokens": course.input_tokens, "output_tokens": course.output_tokens},
    }


def run_json(row: RunRow) -> dict[str, Any]:
    """A run as people and programs see it."""
    return {
        "id": row.id,
        "status": row.status if row.status != "settling" else "running",
        **{name: row.request.get(name) for name in _ASKED},
        "outcome": dict(row.outcome) if row.outcome else None,
        "created_ms": row.created_ms,
        "updated_ms": row.updated_ms,
    }


_ASKED: Final = ("workflow", "mode", "prompt", "focus", "actor", "provider", "label", "model", "prompt_hash", "base")
