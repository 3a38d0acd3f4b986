"""What a run came to, from what ran: what was refused and not corrected, and a summary where the model gave none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from draftsmith.assistant.answers.batches import Batches
from draftsmith.assistant.answers.feedback import count_text
from draftsmith.assistant.loop import ExecutedCall, LoopResult
from draftsmith.assistant.text_blocks import without_block_tags
from draftsmith.ports.run_outcomes import OutcomeOut, RefusedOut, ToolCallOut
from draftsmith.ports.run_shapes import QueryOut, RunOut
from draftsmith.transform.staged_operations import StagedOperation

_MOST_CALLS: Final = 100
_MOST_REFUSED: Final = 20
_MOST_PROBLEMS: Final = 20
_MOST_SENTENCES: Final = 5


def loop_result_json(result: LoopResult) -> OutcomeOut:
    """The JSON of what the turns have come to."""
    known = [_call_json(one) for one in result.executed[:_MOST_CALLS]]
    outcome: OutcomeOut = {
        "summary": without_block_tags(result.text).strip(),
        "tools_used": result.tools_used,
        "iterations": result.iterations,
        "usage": {"input_tokens": result.input_tokens, "output_tokens": result.output_tokens},
        "tool_calls": known,
    }
    if len(result.executed) > len(known):
        outcome["tool_calls_left_out"] = len(result.executed) - len(known)
    return outcome


def empty_result() -> OutcomeOut:
    """The JSON of a run whose turns are not known."""
    return loop_result_json(LoopResult())


def settled_json(result: LoopResult, batches: Batches, staged: Sequence[StagedOperation], *, waits: bool) -> OutcomeOut:
    """The JSON of a run that has finished: with what was refused and not corrected, and never without a summary.

    `waits`: what is staged becomes a proposal.
    """
    outcome = loop_result_json(result)
    uncorrected = batches.uncorrected_batches[:_MOST_REFUSED]
    if uncorrected:
        done, of = batches.parts([one.asked for one in staged])
        refused: list[RefusedOut] = [
            {
                "tool": one.tool,
                "operations": len(one.operations_left),
                "why": one.why,
                "problems": one.problems[:_MOST_PROBLEMS],
            }
            for one in uncorrected
        ]
        outcome = {**outcome, "refused": refused, "parts": {"done": done, "of": of}}
    if not outcome["summary"]:
        outcome["summary"] = _summary(result, outcome, staged, waits=waits)
    return outcome


def without_calls(outcome: OutcomeOut) -> OutcomeOut:
    """The outcome as every page is sent it: calls are long, and hold what only whoever asked may have asked for."""
    rest = {name: value for name, value in outcome.items() if name not in ("tool_calls", "tool_calls_left_out")}
    return cast(OutcomeOut, rest)


def query_json(run: RunOut) -> QueryOut:
    """A run that is over as the answer to a query."""
    outcome: OutcomeOut = run["outcome"] or {}
    is_answered = run["status"] == "answered"
    answer: QueryOut = {
        "success": is_answered,
        "run": run["id"],
        "summary": (outcome.get("summary") or "") if is_answered else "",
        "tools_used": outcome.get("tools_used") or [],
        "iterations": outcome.get("iterations") or 0,
    }
    if not is_answered:
        error = outcome.get("error")
        cause, message = (
            (run["status"], outcome.get("detail") or "") if error is None else (error["code"], error["detail"])
        )
        answer["error"] = {"code": "QUERY_FAILED", "message": message, "cause": cause}
    return answer


def not_done(outcome: OutcomeOut) -> str:
    """What was refused and not corrected, in a sentence; empty where there is nothing."""
    refused = outcome.get("refused") or []
    return " ".join(
        f"Not done ({one['tool']}, {count_text(one['operations'])} refused): {one['why']}" for one in refused
    )


def _call_json(one: ExecutedCall) -> ToolCallOut:
    return {"name": one.tool, "input": one.input, "result": one.result, "status": one.status, "seconds": one.seconds}


def _summary(result: LoopResult, outcome: OutcomeOut, staged: Sequence[StagedOperation], *, waits: bool) -> str:
    """What ran, where the model says nothing: what was changed, or what was looked up."""
    if not staged:
        tools = ", ".join(result.tools_used)
        looked = f" It looked up: {tools}." if tools else ""
        return f"The model gave no answer.{looked} {not_done(outcome)}".strip()
    said = [f"{one.what}." for one in staged[:_MOST_SENTENCES]]
    more = len(staged) - len(said)
    if more:
        said.append(f"And {more} more change{'s' if more > 1 else ''}.")
    return " ".join([*(["Prepared:"] if waits else []), *said, not_done(outcome)]).strip()
