"""The fuzz at length: hostile clients beside a well-behaved one, and a report of what came of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.hostile.beside import Beside, BesideNeighbour
from tests.hostile.drawing import FULL, Scale
from tests.hostile.findings import tracebacks
from tests.hostile.playing import Played, Record, do, hostile_client, request_id_of, workspace_of
from tests.hostile.scenes import Scenes
from tests.hostile.serving import MIB, Deployed, deployed, family, is_store, resident
from tests.hostile.shrinking import Shrinker

NOISE = 3.0
"""Its p99 beside hostile clients is at most so many times that without."""
FLAT = 1.1
_SHRUNK = 5
_STALLS = 5


@dataclass
class Outcome:
    """What a run has found.

    Attributes:
        memory: when, bytes of the server's processes, bytes of the store's.
        findings: what may not be; the run has failed if there are any.
        failing: scenes with the number of the step that fails.
        below: figures that miss their bar; machines are noisy, so they are said and do not fail the run.
    """

    record: Record = field(default_factory=Record)
    memory: list[tuple[float, int, int]] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    failing: list[tuple[str, int]] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


async def attack(seconds: float, seed: str, clients: int, folder: Path, scale: Scale = FULL) -> Outcome:
    """Run for so long, after a tenth of that (at most a minute) without hostile clients."""
    outcome = Outcome()
    with deployed() as server:
        children = workers_of(server)
        neighbour = BesideNeighbour(server)
        try:
            _give_way()
            neighbour.mark("warm")
            await asyncio.sleep(min(3.0, seconds / 20))
            neighbour.mark("without")
            await asyncio.sleep(min(60.0, seconds / 10))
            neighbour.mark("with")
            await _attack(server, seconds, seed, clients, scale, outcome)
            neighbour.mark("after")
            found = await asyncio.to_thread(neighbour.end)
        finally:
            neighbour.close()
            outcome.record.write(folder / "requests.jsonl")
            (folder / "server.log").write_text(server.log, "utf-8")
        (folder / "waits.json").write_text(json.dumps(found["took"]), "utf-8")
        if workers_of(server) != children:
            outcome.findings.append("a process of the server has ended and was started again")
        _judge(outcome, found, server.log)
    outcome.lines += _report(outcome, found, seconds)
    await _shrink(outcome, scale, folder)
    return outcome


def workers_of(server: Deployed) -> list[int]:
    """The processes that the launcher keeps running: the store and the workers."""
    with contextlib.suppress(OSError):
        return sorted(map(int, Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()))
    return []


def _give_way() -> None:
    """Let this process, which makes hostile requests, not take the processor from the server."""
    os.nice(10)
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text("10")


async def _attack(server: Deployed, seconds: float, seed: str, clients: int, scale: Scale, outcome: Outcome) -> None:
    until = time.monotonic() + seconds
    watching = asyncio.create_task(_watch(server, outcome))
    try:
        async with asyncio.TaskGroup() as group:
            for number in range(clients):
                name = f"{seed}/{number}"
                group.create_task(
                    hostile_client(server.place, name, scale, outcome.record, lambda: time.monotonic() < until)
                )
    finally:
        watching.cancel()
        await asyncio.wait([watching])


async def _watch(server: Deployed, outcome: Outcome) -> None:
    while True:
        pids = family(server.pid)
        stores = sum(resident(pid) for pid in pids if is_store(pid))
        outcome.memory.append((time.monotonic(), sum(map(resident, pids)) - stores, stores))
        await asyncio.sleep(0.5)


def _judge(outcome: Outcome, found: dict[str, Any], log: str) -> None:
    record = outcome.record
    outcome.findings += [f"answer: {one}" for one in record.defects]
    outcome.failing += [(one.scene, one.number) for one in record.defects]
    seen: set[str] = set()
    for trace in tracebacks(log):
        kind = trace.text.rpartition("} ")[2]
        if kind not in seen:
            outcome.findings.append(f"log: {trace.request_id} {trace.text}")
            if trace.request_id.startswith("hostile-"):
                scene, _, number = trace.request_id.removeprefix("hostile-").rpartition("-")
                outcome.failing.append((scene.replace(".", "/"), int(number)))
        seen.add(kind)
    outcome.findings += [f"lost: {one}" for one in found["lost"]]
    outcome.findings += [f"the well-behaved client: {one}" for one in found["failures"][:20]]


def _report(outcome: Outcome, found: dict[str, Any], seconds: float) -> list[str]:
    record, lines = outcome.record, []
    total = sum(record.counts.values())
    lines.append(f"{total:,} hostile requests, {record.sent / MIB:,.0f} MB sent, {total / seconds:.1f} a second")
    by_answer: dict[tuple[int, str], int] = {}
    for (_, status, code), count in record.counts.items():
        by_answer[status, code] = by_answer.get((status, code), 0) + count
    lines += [f"  {status or 'none':>5} {code:<32} {count:>7,}" for (status, code), count in sorted(by_answer.items())]
    figures = {mark: [took for _, took in found["took"].get(mark, [])] for mark in ("without", "with")}
    for mark, took in figures.items():
        lines.append(
            f"well-behaved client {mark}: {len(took):,} nodes, p50 {part(took, 0.5):.1f} ms, "
            f"p99 {part(took, 0.99):.1f} ms, longest {part(took, 1):.0f} ms"
        )
    ratio = part(figures["with"], 0.99) / max(part(figures["without"], 0.99), 0.01)
    lines.append(f"p99 with / without: {ratio:.2f} (bar {NOISE}); {found['acknowledged']:,} nodes acknowledged")
    if ratio > NOISE:
        outcome.below.append(f"p99 {ratio:.1f} times that without")
    lines += _memory(outcome)
    lines += ["slowest:", *(f"  {text}" for _, text in record.slowest[:8])]
    lines += _stalls(record.newest, found["took"].get("with", []), 3 * part(figures["without"], 0.99) / 1e3)
    return lines


def part(values: Sequence[float], share: float) -> float:
    """A percentile of seconds, in milliseconds."""
    ordered = sorted(values) or [0.0]
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1e3


def _memory(outcome: Outcome) -> list[str]:
    """Means of each third; what the store holds is what was written to it, so it is not expected to be flat."""
    thirds = []
    size = max(1, len(outcome.memory) // 3)
    for number in range(3):
        some = outcome.memory[number * size : (number + 1) * size] or [(0.0, 0, 0)]
        thirds.append([statistics.fmean(one[column] for one in some) / MIB for column in (1, 2)])
    ratio = thirds[2][0] / max(thirds[1][0], 1.0)
    if ratio > FLAT:
        outcome.below.append(f"memory not flat: {ratio:.2f}")
    peak = max((one[1] for one in outcome.memory), default=0) / MIB
    texts = [f"{server:.0f} MB (store {store:.0f})" for server, store in thirds]
    return [f"memory in thirds: {', '.join(texts)}; peak {peak:.0f}; last / second {ratio:.2f} (bar {FLAT})"]


def _stalls(played: Sequence[Played], took: Sequence[tuple[float, float]], bar: float) -> list[str]:
    """The longest waits of the well-behaved client, with the hostile requests that ran then."""
    late = sorted((one for one in took if one[1] > bar), key=lambda one: -one[1])
    lines = [f"{len(late)} waits longer than {bar * 1e3:.0f} ms; beside the longest:"]
    told: list[tuple[float, float]] = []
    for due, waited in late:
        # What was due while another waited has waited for the same.
        if len(told) == _STALLS or any(due < other + long and other < due + waited for other, long in told):
            continue
        told.append((due, waited))
        beside = [one for one in played if one.began < due + waited and one.ended > due]
        lines.append(f"  {waited * 1e3:.0f} ms:")
        lines += [f"    {one}" for one in sorted(beside, key=lambda one: -one.answer.seconds)[:4]]
    return lines


async def _shrink(outcome: Outcome, scale: Scale, folder: Path) -> None:
    if not outcome.failing:
        return
    with deployed() as server:
        shrinker = Shrinker(server)
        for number, (name, at) in enumerate(list(dict.fromkeys(outcome.failing))[:_SHRUNK]):
            steps = list(Scenes(name, scale).scene().steps[: at + 1])
            small = await shrinker.shrink(steps)
            file = folder / f"finding-{number}.json"
            shape = {"scene": name, "step": at, "said": small.said, "steps": [step.to_json() for step in small.steps]}
            file.write_text(json.dumps(shape, indent=1), "utf-8")
            outcome.lines.append(f"{name}#{at}: {small.said[:300]} → {len(small.steps)} steps in {file}")


async def replay(name: str, scale: Scale = FULL) -> list[str]:
    """Play one scene alone beside a prober: the longest wait of another client for each step."""
    lines = []
    with deployed() as server:
        beside, w = Beside(server), "none"
        try:
            for number, step in enumerate(Scenes(name, scale).scene().steps):
                beside.stretch()
                before = len(server.log)
                began = time.monotonic()
                answer = await do(server.place, step.placed(w), request_id_of(name, number))
                if number == 0:
                    w = await workspace_of(server.place, answer)
                await asyncio.sleep(0.1)
                seen = beside.stretch()
                played = Played(name, number, step, answer, began, time.monotonic())
                lines.append(f"{seen['longest_ms']:7.0f} ms beside  {played}")
                lines += [f"    log: {trace.text}" for trace in tracebacks(server.log[before:])]
        finally:
            beside.close()
    return lines
