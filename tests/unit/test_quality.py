"""How well batches fit: what a run came to, when it is loud, and that the counters stay few."""

from __future__ import annotations

from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from draftsmith.api.http.metrics import AssistantMetrics, metrics_response
from draftsmith.assistant.loop import TurnReport
from draftsmith.assistant.provider import ToolResult, Usage
from draftsmith.errors import StorageError
from draftsmith.ports.runs import RunRequest
from draftsmith.usecases.usage.metering import Metering, UsageFacts
from draftsmith.usecases.usage.quality import RunTally, quality_of
from tests.fakes.memory_usage import MemoryUsage
from tests.integration.assistant_workers import Rows
from tests.scripted import HandClock

NOON = 1_790_164_800_000 // 86_400_000 * 86_400_000 + 43_200_000
DAY_MS = 86_400_000


def request(workflow: Any = "edit", edit_mode: Any = "tools") -> RunRequest:
    return RunRequest(
        workflow=workflow, mode="auto", prompt="p", focus={}, provider="anthropic", label="M", model="m",
        actor={"id": "guest:ana", "name": "Ana", "kind": "person"}, prompt_hash="h", base={}, edit_mode=edit_mode,
    )  # fmt: skip


def refused_call(*problems: tuple[str, str]) -> ToolResult:
    data = {"problems": [{"op": op, "code": code} for op, code in problems]} if problems else None
    return ToolResult("c", "no", is_error=True, data=data, failed_batch=True)


def staged(*ops: str) -> ToolResult:
    return ToolResult("c", "yes", data={"staged": [{"op": op} for op in ops], "warnings": []})


def tally(*results: tuple[str, ToolResult]) -> RunTally:
    counted = RunTally()
    for tool, result in results:
        counted.count(tool, result)
    return counted


def metering_of(store: MemoryUsage | None = None, clock: HandClock | None = None) -> Metering:
    clock = clock or HandClock(NOON)
    return Metering(store or MemoryUsage(clock), Rows(), clock)


def test_what_a_run_came_to_is_told_by_batch_code_and_operation() -> None:
    """Problems count by code, batches by operation; a question is no batch; a call that is no JSON has a code, too."""
    counts = tally(
        ("edit_diagram", refused_call(("add_edge", "node_not_found"), ("add_edge", "node_not_found"))),
        ("find_nodes", ToolResult("c", "three")),
        ("edit_document", refused_call()),
        ("edit_diagram", staged("add_node", "add_edge")),
    ).counts
    assert counts == {
        "batches": 3, "refused": 2, "code|node_not_found": 2, "refused|add_edge": 1,
        "refused|add_edge|node_not_found": 2, "code|unreadable": 1, "refused|other": 1, "refused|other|unreadable": 1,
        "staged|add_node": 1, "staged|add_edge": 1,
    }  # fmt: skip


def test_whatever_a_model_calls_an_operation_the_counters_stay_few() -> None:
    """Names that there are not count together."""
    counts = tally(*(("edit_diagram", refused_call((f"make_{number}", "op_unknown"))) for number in range(50))).counts
    assert set(counts) == {
        "batches", "refused", "code|op_unknown", "refused|other", "refused|other|op_unknown",
    }  # fmt: skip


@pytest.mark.parametrize(
    "fields, is_loud",
    [
        ({"batches": 10, "refused": 1}, False),
        ({"batches": 10, "refused": 2}, True),
        ({"batches": 9, "refused": 9}, False),
        ({"runs": 10, "failed": 1}, False),
        ({"runs": 10, "failed": 2}, True),
        ({"runs": 9, "failed": 9}, False),
        ({}, False),
    ],
)
def test_more_than_a_tenth_is_loud_from_ten_on(fields: dict[str, int], is_loud: bool) -> None:
    assert quality_of(fields)["is_loud"] is is_loud


async def test_workers_are_summed_by_workflow_mode_and_operation() -> None:
    """Also after a restart: what was counted is in the store, by day."""
    clock = HandClock(NOON)
    store = MemoryUsage(clock)
    one, other = metering_of(store, clock), metering_of(store, clock)
    bad = ("edit_diagram", refused_call(("add_edge", "node_not_found")))
    one.quality.count_run(request(), "applied", tally(bad, ("edit_diagram", staged("add_edge"))), repaired=1)
    one.quality.count_run(request(), "failed", tally(bad, bad, bad))
    whole = tally(("rewrite_diagram", staged("replace_diagram")))
    other.quality.count_run(request(edit_mode="regenerate"), "applied", whole, is_fallback=True)
    for operation, tokens in (("edit", 100), ("regenerate", 900)):
        facts = UsageFacts(
            provider="anthropic", model="m", operation=operation, person="p", workspace="w", run_id="r",
            prompt_hash="h", tool_errors=0,
        )  # fmt: skip
        usage = Usage(input=tokens, cache_read=7, output=5)
        other.count(TurnReport(
            turn=1, status="ok", stop="end", usage=usage, calls=1, first_ms=1, duration_ms=2_000, retries=0,
        ), facts)  # fmt: skip
    await one.close()
    await other.close()
    clock.ms += DAY_MS
    found = await metering_of(store, clock).totals(7)
    quality = found["quality"]
    assert quality["today"]["batches"] == 0
    total = quality["total"]
    assert (total["runs"], total["applied"], total["failed"], total["batches"]) == (3, 2, 1, 6)
    assert (total["refused"], total["repaired"], total["fallbacks"]) == (4, 1, 1)
    assert total["refused_by_code"] == {"node_not_found": 4}
    assert total["refused_share"] == 0.6667
    rows = {(row["workflow"], row["edit_mode"]): row for row in quality["by_workflow"]}
    assert set(rows) == {("edit", "tools"), ("edit", "regenerate")}
    assert rows["edit", "tools"]["batches"] == 5
    assert rows["edit", "tools"]["calls"] == {
        "calls": 1, "input": 100, "cache_read": 7, "output": 5, "duration_ms": 2_000,
    }  # fmt: skip
    assert (rows["edit", "regenerate"]["fallbacks"], rows["edit", "regenerate"]["calls"]["input"]) == (1, 900)
    assert {row["name"]: row["input"] for row in found["by_mode"]} == {"regenerate": 900, "tools": 100}
    assert quality["by_op"] == [
        {"op": "add_edge", "staged": 1, "refused": 4, "refused_by_code": {"node_not_found": 4}},
        {"op": "replace_diagram", "staged": 1, "refused": 0, "refused_by_code": {}},
    ]


async def test_too_much_that_does_not_fit_is_loud_once_a_day() -> None:
    """A warning with the numbers in the log of each worker, and a metric until the day is over."""
    clock = HandClock(NOON)
    one = metering_of(clock=clock)
    bad = ("edit_diagram", refused_call(("add_edge", "node_not_found")))
    for number in range(12):
        result = bad if number % 4 == 0 else ("edit_diagram", staged("add_edge"))
        one.quality.count_run(request(), "applied", tally(result))
    await one.flush()
    with capture_logs() as logs:
        await one.quality.check()
        one.quality.count_run(request(), "applied", tally(bad))
        await one.flush()
        await one.quality.check()
    told = {"batches": 12, "refused": 3, "runs": 12, "failed": 0, "refused_by_code": {"node_not_found": 3}}
    assert logs == [{"event": "assistant_often_wrong", "log_level": "warning", **told}]
    assert one.quality.is_loud
    assert (await one.totals(1))["quality"]["today"]["is_loud"]
    clock.ms += DAY_MS
    assert not one.quality.is_loud
    assert not (await one.totals(1))["quality"]["today"]["is_loud"]
    assert (await one.totals(2))["quality"]["total"]["is_loud"]
    await one.close()


async def test_a_store_that_is_away_is_looked_at_later() -> None:
    """Looking raises nothing, and nothing is loud meanwhile."""

    class Away(MemoryUsage):
        async def read(self, days: Any) -> Any:
            raise StorageError("away")

    one = metering_of(Away(HandClock(NOON)))
    one.quality.count_run(request(), "failed", tally())
    await one.quality.check()
    assert not one.quality.is_loud
    await one.close()


async def test_metrics_grow_by_what_is_counted() -> None:
    """Whatever is collected twice counts once; names and labels are those of docs/operating.md."""
    one = metering_of()
    metrics = AssistantMetrics(one.quality)
    bad = ("edit_diagram", refused_call(("add_edge", "node_not_found")))
    tools, whole = {"workflow": "edit", "edit_mode": "tools"}, {"workflow": "edit", "edit_mode": "regenerate"}
    watched = {
        "runs": {**tools, "status": "applied"},
        "batches": {**tools, "result": "refused"},
        "refusals": {**tools, "code": "node_not_found"},
        "repairs": tools,
        "fallbacks": whole,
        "operations": {**tools, "op": "add_edge", "result": "staged"},
    }
    before = {name: metric(name, labels) for name, labels in watched.items()}
    for _ in range(2):
        one.quality.count_run(request(), "applied", tally(bad, ("edit_diagram", staged("add_edge"))), repaired=1)
        metrics.collect()
        metrics.collect()
    one.quality.count_run(request(edit_mode="regenerate"), "failed", tally(), is_fallback=True)
    metrics.collect()
    grown = {name: metric(name, labels) - before[name] for name, labels in watched.items()}
    assert grown == {"runs": 2, "batches": 2, "refusals": 2, "repairs": 2, "fallbacks": 1, "operations": 2}
    await one.close()


def metric(name: str, labels: dict[str, str]) -> float:
    """A metric of the assistant in this process."""
    text = bytes(metrics_response().body).decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    full = f"draftsmith_assistant_{name}_total"
    return sum(one.value for one in samples if one.name == full and one.labels == labels)
