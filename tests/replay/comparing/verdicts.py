"""What came of a request, judged: right, wrong, refused, or an error that says nothing about the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from tests.builders import canonical
from tests.replay.cases import Case, unmet
from tests.replay.conditions import After

Verdict = Literal["right", "wrong", "refused", "error"]

STOPPING: Final = frozenset({"auth", "billing", "model_not_found", "needs_key", "provider_unknown"})
"""Codes after which every further request would fail alike."""
_NOT_THE_MODEL: Final = STOPPING | {
    *("rate_limited", "overloaded", "provider_down", "timeout", "network", "bad_request"),
    *("internal", "worker_lost", "busy", "run_conflict", "storage_down"),
}


@dataclass(frozen=True)
class Judged:
    """A verdict with what it rests on.

    Attributes:
        verdict: see `judge`.
        failed: the checks and guards that do not hold.
        is_accepted: a change was asked for, and what came is what was asked for.
    """

    verdict: Verdict
    failed: Sequence[Mapping[str, Any]] = ()
    is_accepted: bool = False


def judge(case: Case, after: After, code: str = "") -> Judged:
    """Judge a request by its checks and guards.

    * right: all of them hold, in what was applied, or in what was proposed once it is accepted;
    * refused: nothing was changed although something should have been, or the run ended with a reason of the model's
      (it declined, its batches did not fit, it came to no end);
    * error: the run ended with a reason that is not the model's; it is not counted, and asked again;
    * wrong: anything else.

    Args:
        case: the request.
        after: what there is now, with what was proposed accepted.
        code: of the error with which the run ended; empty for none.
    """
    if code:
        return Judged("error" if code in _NOT_THE_MODEL else "refused")
    failed = unmet(case, after)
    if not failed:
        return Judged("right", is_accepted=case.wants_change)
    is_untouched = canonical(after.workspace) == canonical(after.before)
    return Judged("refused" if case.wants_change and is_untouched else "wrong", failed)
