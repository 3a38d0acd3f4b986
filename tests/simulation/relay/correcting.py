"""What a scripted model sends after a refusal: corrected by what the refusal says, else from what it reads again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.simulation.relay.doors import Answer
from tests.simulation.relay.plan import Op, Plan

_AGAIN = frozenset(["stale_base", "run_conflict"])  # others were faster: the same again, at what is there now


def corrected(plan: Plan, sent: Sequence[Op], answer: Answer) -> tuple[Sequence[Op], bool] | None:
    """The operations to send next and whether the refusal alone was enough to know them; None to give up."""
    if answer.code in _AGAIN and not answer.problems:
        return sent, True
    if plan.careful is None:
        return None
    if list(sent) == list(plan.careful):
        return None
    fixed = list(sent)
    by_hint = bool(answer.problems)
    for problem in answer.problems:
        at = int(problem["index"])
        if not 0 <= at < len(fixed):
            by_hint = False
            continue
        by_hint = by_hint and _says_enough(problem, plan, at)
        fixed[at] = plan.careful[at]
    if fixed == list(sent):
        return plan.careful, False
    return fixed, by_hint


def _says_enough(problem: Mapping[str, Any], plan: Plan, at: int) -> bool:
    """Whether a problem shows the text that was meant, or names what was meant among its candidates."""
    assert plan.careful is not None
    said = [*problem["candidates"], problem["message"]]
    field = str(problem["path"]).rsplit("/", 1)[-1]
    if field == "find" and plan.true[at : at + 1]:
        return any(_one_line(plan.true[at]) in _one_line(one) for one in said)
    meant = [value for value in plan.careful[at].values() if isinstance(value, str)]
    return any(candidate in meant for candidate in problem["candidates"])


def _one_line(text: str) -> str:
    return " ".join(text.split())
