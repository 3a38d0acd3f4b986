"""How well batches of models fit: what one run came to, and the sums of all of them.

Counted per workflow and edit mode, into the same store as model calls and under days of their own. Operations that
there are not count as `other`, so the number of counters is bounded. Not here: calls and tokens (`metering`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, cast

import structlog

from draftsmith.assistant.provider import ToolResult
from draftsmith.assistant.tools.tools import BATCH_TOOLS
from draftsmith.errors import StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.runs import EditMode, GivenRating, RunRequest, RunRow, UsageLog
from draftsmith.transform.requests.batch import OPERATION_MODELS
from draftsmith.usecases.usage.counters import DayCounters, add_to
from draftsmith.usecases.usage.shapes import Counts, OperationQuality, Quality, QualityOut, WorkflowQuality

LOUD_SHARE: Final = 0.1
LOUD_FROM: Final = 10
"""Batches, or runs, of which there have to be so many before a share of them says anything."""
UNREADABLE: Final = "unreadable"
"""Counted as the code of a refused batch that could not be read as one, and so has no problems."""
_DAYS: Final = "quality:"
_OTHER: Final = "other"
_log = structlog.get_logger("draftsmith.runs")

Place = tuple[str, str]
"""A workflow and an edit mode."""
Fields = Mapping[str, int]


def place_of(request: RunRequest) -> Place:
    """Where a run counts."""
    return request["workflow"], request.get("edit_mode", "tools")


@dataclass
class RunTally:
    """What the batches of one run have come to; which were `repaired` is known to `assistant.answers.batches`.

    Attributes:
        counts: counters by name; with bars in them: `code|<code>` counts problems, `staged|<op>` operations,
            `refused|<op>` batches and `refused|<op>|<code>` problems.
    """

    counts: dict[str, int] = field(default_factory=dict)

    def count(self, tool: str, result: ToolResult) -> None:
        """Count one call of a tool; what is no batch does not count."""
        if result.failed_batch:
            add_to(self.counts, {"batches": 1, "refused": 1, **_refusal(result.data)})
        elif tool in BATCH_TOOLS and not result.is_error:
            add_to(self.counts, {"batches": 1})
            for one in (result.data or {}).get("staged", ()):
                add_to(self.counts, {f"staged|{_known_or_other(one['op'])}": 1})


def _refusal(data: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for problem in (data or {}).get("problems", ()) or [{"code": UNREADABLE, "op": ""}]:
        op, code = _known_or_other(problem["op"]), str(problem["code"])
        add_to(counts, {f"code|{code}": 1, f"refused|{op}|{code}": 1})
        counts[f"refused|{op}"] = 1
    return counts


def _known_or_other(op: str) -> str:
    return op if op in OPERATION_MODELS else _OTHER


@dataclass
class RunQuality:
    """Counts how runs went, and sums it up.

    Attributes:
        grown: what this worker has counted since it started, by place, for metrics; model calls as `call|<field>`,
            ratings as `rated|<rating>`.
        changes: how often `grown` has changed.
    """

    counters: DayCounters
    log: UsageLog
    grown: dict[Place, dict[str, int]] = field(default_factory=dict)
    changes: int = 0
    _loud_day: str = ""
    _has_changed: bool = False

    @property
    def is_loud(self) -> bool:
        """Whether more than a tenth was refused or failed today, as far as this worker has looked."""
        return self._loud_day == self.counters.day()

    def count_call(self, operation: str, counts: Fields) -> None:
        """Count a model call for the metrics; `operation`: the workflow of its prompts."""
        self._grow(_place_of_operation(operation), {f"call|{name}": count for name, count in counts.items()})

    def count_run(
        self, request: RunRequest, status: str, tally: RunTally, *, repaired: int = 0, is_fallback: bool = False
    ) -> None:
        """Count a run of a model that is over; `repaired`: refused batches that were staged in another form."""
        counts = {"runs": 1, status: 1, "repaired": repaired, "fallbacks": int(is_fallback)}
        self._count(place_of(request), {**counts, **tally.counts})

    def count_rating(
        self, workspace_id: WorkspaceId, row: RunRow, before: GivenRating | None, rating: GivenRating | None
    ) -> None:
        """Count a rating that was given, changed or taken back, each on its day, and write its line."""
        if (before and before.rating) == (rating and rating.rating):
            return
        place = place_of(row.request)
        if before is not None:
            self._count(place, {before.rating: -1}, before.day)
        if rating is not None:
            self._count(place, {rating.rating: 1}, rating.day)
            self._grow(place, {f"rated|{rating.rating}": 1})
        self.log.write(
            {
                "ts": datetime.fromtimestamp(self.counters.clock.now_ms() / 1000, UTC).isoformat(
                    timespec="milliseconds"
                ),
                "rating": rating and rating.rating,
                **{name: row.request.get(name) for name in ("provider", "model", "prompt_hash")},
                "operation": place[0] if place[1] == "tools" else place[1],
                "person": row.request["actor"]["id"],
                "workspace": workspace_id,
                "run_id": row.id,
            }
        )

    def _count(self, place: Place, counts: Fields, day: str | None = None) -> None:
        self._has_changed = True
        self.counters.add(_DAYS + (day or self.counters.day()), "|".join(place), counts)
        self._grow(place, counts)

    def _grow(self, place: Place, counts: Fields) -> None:
        self.changes += 1
        add_to(self.grown.setdefault(place, {}), counts)

    async def check(self) -> None:
        """Look at what all workers have counted today, and warn once a day where too much does not fit."""
        if not self._has_changed or self.is_loud:
            return
        self._has_changed = False
        today = self.counters.day()
        try:
            found = await self.counters.store.read([_DAYS + today])
        except StorageError:
            return
        self._learn(today, quality_of(_sum_of_days(found.values())))

    def _learn(self, today: str, quality: Quality) -> None:
        if not quality["is_loud"] or self._loud_day == today:
            return
        self._loud_day = today
        names = ("batches", "refused", "runs", "failed", "refused_by_code")
        _log.warning("assistant_often_wrong", **{name: cast(Mapping[str, Any], quality)[name] for name in names})

    async def sums(self, days: Sequence[str], calls: Mapping[str, Counts]) -> QualityOut:
        """Everything of some days, of which the first is today; `calls`: those of models, by operation."""
        found = await self.counters.read([_DAYS + day for day in days])
        by_place: dict[Place, dict[str, int]] = {_place_of_operation(operation): {} for operation in calls}
        for of_day in found.values():
            for key, fields in of_day.items():
                workflow, _, mode = key.partition("|")
                add_to(by_place.setdefault((workflow, mode), {}), fields)
        total, of_today = _sum_of_days([by_place]), quality_of(_sum_of_days([found.get(_DAYS + days[0], {})]))
        self._learn(days[0], of_today)
        return {
            "today": of_today,
            "total": quality_of(total),
            "by_workflow": [_of_workflow(place, by_place[place], calls) for place in sorted(by_place)],
            "by_op": _by_op(total),
        }


def quality_of(fields: Fields) -> Quality:
    """Counters in words."""
    runs, failed, batches, refused = (fields.get(name, 0) for name in ("runs", "failed", "batches", "refused"))
    return {
        "runs": runs,
        "applied": fields.get("applied", 0),
        "failed": failed,
        "batches": batches,
        "refused": refused,
        "repaired": fields.get("repaired", 0),
        "fallbacks": fields.get("fallbacks", 0),
        "refused_by_code": _under(fields, "code|"),
        "refused_share": round(refused / batches, 4) if batches else 0.0,
        "is_loud": _is_above(refused, batches) or _is_above(failed, runs),
        "ratings": {"up": fields.get("up", 0), "down": fields.get("down", 0)},
    }


def _is_above(part: int, total: int) -> bool:
    return total >= LOUD_FROM and part > LOUD_SHARE * total


def _of_workflow(place: Place, fields: Fields, calls: Mapping[str, Counts]) -> WorkflowQuality:
    workflow, mode = place
    used = calls.get("regenerate" if mode == "regenerate" else workflow, {})
    return {**quality_of(fields), "workflow": workflow, "edit_mode": cast(EditMode, mode), "calls": used}


def _by_op(fields: Fields) -> list[OperationQuality]:
    staged, refused = _under(fields, "staged|"), _under(fields, "refused|")
    names = sorted({name.partition("|")[0] for name in (*staged, *refused)})
    return [
        {
            "op": op,
            "staged": staged.get(op, 0),
            "refused": refused.get(op, 0),
            "refused_by_code": _under(refused, f"{op}|"),
        }
        for op in names
    ]


def _under(fields: Fields, prefix: str) -> dict[str, int]:
    return {name.removeprefix(prefix): fields[name] for name in sorted(fields) if name.startswith(prefix)}


def _place_of_operation(operation: str) -> Place:
    """The place of a workflow of the prompts, where writing anew is one of its own."""
    return ("edit", "regenerate") if operation == "regenerate" else (operation, "tools")


def _sum_of_days(days: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for of_day in days:
        for fields in of_day.values():
            add_to(total, fields)
    return total
