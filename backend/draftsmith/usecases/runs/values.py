"""Runs as values: what is asked of the assistant, what a run has decided, how a run looks as JSON."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

import orjson

from draftsmith.assistant.context.focus import Focus
from draftsmith.history.actor import Actor
from draftsmith.history.times import iso
from draftsmith.model.ids import RunId
from draftsmith.ports.run_outcomes import FindingOut, OutcomeOut
from draftsmith.ports.run_shapes import RunOut
from draftsmith.ports.runs import RUNNING, SETTLING, AboutFinding, EditMode, Mode, RunRow, RunStatus, Workflow
from draftsmith.transform.staged_operations import StagedOperation, staged_from_json
from draftsmith.usecases.commits.at_head import Base
from draftsmith.usecases.runs.options import Option, option_from_json

EDIT_WORKFLOWS: Final = frozenset({"edit", "generate", "recommend"})
EXPLANATION_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInput:
    """One request to the assistant.

    Attributes:
        id: of the run; given by the caller for repeats, or fresh.
        is_given: whether the caller gave it.
        workflow: edit, ask, generate, investigate or recommend.
        prompt: the person's words.
        mode: auto, apply or propose; for workflows that edit.
        focus: what the person has selected.
        provider: asked for by name; empty for the configured one.
        edit_mode: how a model edits in this request; None: as the workspace or the server is set.
        may_approve: whether who asks may say yes to calls that change something outside; else none is offered.
        about: the finding that a change is asked for.
        finding: what it says.
    """

    id: RunId
    is_given: bool
    workflow: Workflow
    prompt: str
    mode: Mode
    focus: Focus
    provider: str = ""
    edit_mode: EditMode | None = None
    may_approve: bool = True
    about: AboutFinding | None = None
    finding: FindingOut | None = None

    @property
    def edits(self) -> bool:
        """Whether it prepares changes of the workspace."""
        return self.workflow in EDIT_WORKFLOWS


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a run has decided to do, so that any worker can carry it out.

    Its JSON names `result` `course` and `staged` `operations`.

    Attributes:
        do: `commit` or `propose`.
        reason: why it is a proposal; empty for a commit.
        base: the revision that the operations were staged at.
        staged: the operations.
        explanation: what the history says.
        result: what the turns of the run have come to.
        options: alternatives, each to be a proposal of its own; then `staged` is empty.
    """

    do: Literal["commit", "propose"]
    reason: str
    base: Base
    staged: Sequence[StagedOperation]
    explanation: str
    result: OutcomeOut
    options: Sequence[Option] = ()

    def encode(self) -> bytes:
        """The bytes for the store."""
        shape = {
            "do": self.do,
            "reason": self.reason,
            "base": self.base.to_json(),
            "operations": [one.to_json() for one in self.staged],
            "explanation": self.explanation,
            "course": self.result,
            **({"options": [one.to_json() for one in self.options]} if self.options else {}),
        }
        return zlib.compress(orjson.dumps(shape), 1)


def read_decision(content: bytes) -> Decision:
    """Read what `Decision.encode` wrote.

    Raises:
        ValueError: it is damaged or of a newer release.
    """
    try:
        shape = orjson.loads(zlib.decompress(content))
        return Decision(
            do=shape["do"],
            reason=shape["reason"],
            base=Base(*shape["base"]),
            staged=[staged_from_json(one) for one in shape["operations"]],
            explanation=shape["explanation"],
            result=shape["course"],
            options=[option_from_json(one) for one in shape.get("options", ())],
        )
    except (zlib.error, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged decision: {error!r}") from error


def assistant_for(asker: Actor) -> Actor:
    """The assistant as it acts for somebody."""
    return Actor(f"assistant:{asker.id}", f"Assistant · for {asker.name}", "assistant")


def run_json(row: RunRow) -> RunOut:
    """A run as people and programs see it."""
    asked = row.request
    run: RunOut = {
        "id": row.id,
        "status": cast(RunStatus, RUNNING if row.status == SETTLING else row.status),
        "workflow": asked["workflow"],
        "mode": asked["mode"],
        "prompt": asked["prompt"],
        "focus": asked["focus"],
        "about": asked.get("about"),
        "actor": asked["actor"],
        "provider": asked["provider"],
        "label": asked["label"],
        "model": asked["model"],
        "prompt_hash": asked["prompt_hash"],
        "base_revision": asked["base"].get("revision"),
        "outcome": row.outcome or None,
        "edit_mode": asked.get("edit_mode", "tools"),
        "rating": row.rating,
        "created_at": iso(row.created_ms),
        "updated_at": iso(row.updated_ms),
    }
    waits = row.approval
    if waits is not None and row.status == RUNNING and row.verdict is None:
        run["approval"] = {
            "id": waits.id,
            "plugin": waits.plugin,
            "tool": waits.tool,
            "input": dict(waits.input),
            "until": iso(waits.until_ms),
        }
    return run
