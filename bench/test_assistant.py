"""The assistant over HTTP: built-in commands against the cheapest read there is, and what we add to a model's time."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx

from bench.conftest import Report
from bench.test_http import _ready, _server
from tests.integration.client import Api
from tests.integration.model_beside import model_beside
from tests.integration.servers import running
from tests.standin import Step, Text, ToolUse, Turn

_ROUNDS = 300
_EDITS, _WARM = 60, 10
_API = "/api/v1/workspaces"


def _median_ms(call: Callable[[int], httpx.Response], rounds: int) -> float:
    took = []
    for number in range(rounds):
        began = time.perf_counter()
        answer = call(number)
        took.append(time.perf_counter() - began)
        assert answer.status_code == 200, answer.text
    return 1000 * statistics.median(took)


def test_builtin_answers(redis_url: str, report: Report) -> None:
    """Median of a built-in command or question, from request to answer, over the median of `GET /undo`: at most 3."""
    with _server("ours", redis_url) as port:
        _ready(port)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            w = client.post(_API, json={"name": "Shop", "template": "web-service"}).json()["id"]
            labels = [
                node["label"] for node in client.get(f"{_API}/{w}/diagram").json()["nodes"] if node["type"] != "group"
            ]
            first, second = labels[0], labels[1]

            def run(prompt: str, workflow: str, status: str) -> httpx.Response:
                answer = client.post(f"{_API}/{w}/runs", json={"prompt": prompt, "workflow": workflow})
                assert answer.json()["status"] == status, answer.text
                return answer

            kinds: dict[str, Callable[[int], httpx.Response]] = {
                "GET /undo": lambda number: client.get(f"{_API}/{w}/undo"),
                "question": lambda number: run(f'what calls "{second}"', "ask", "answered"),
                "command": lambda number: run(
                    f'change the description of "{first}" to "Round {number}"', "edit", "applied"
                ),
                "refusal": lambda number: run("make it nicer", "edit", "failed"),
                "batch": lambda number: client.post(
                    f"{_API}/{w}/batches",
                    json={"operations": [{"op": "rename_workspace", "name": f"Shop {number}"}]},
                ),
            }
            for call in kinds.values():
                _median_ms(call, 20)
            took: dict[str, list[float]] = {name: [] for name in kinds}
            for _ in range(3):
                for name, call in kinds.items():
                    took[name].append(_median_ms(call, _ROUNDS // 3))
    medians = {name: statistics.median(values) for name, values in took.items()}
    base = medians.pop("GET /undo")
    for name, value in medians.items():
        report(
            f"built-in {name}: median answer / GET /undo" if name != "batch" else "POST /batches / GET /undo",
            value / base,
            "<=",
            3,
        )
    print("\nmedian ms:", {"GET /undo": round(base, 2), **{name: round(value, 2) for name, value in medians.items()}})


def test_a_change_by_a_model_that_answers_at_once(redis_url: str, report: Report) -> None:
    """From the prompt to the commit of one changed node of the sample, in two turns over real sockets.

    What the stand-in takes to answer is in the wall time, and not in the processor time, which is the server's alone.
    """
    number = 0

    def answer(body: Mapping[str, Any]) -> Step:
        if len(body["messages"]) > 1:
            return Turn([Text("Renamed.")], chunk=400)
        rename = {"op": "update_node", "id": "checkout", "label": f"Checkout {number}"}
        return Turn([ToolUse("edit_diagram", {"operations": [rename]})], chunk=400)

    took, used = [], []
    with model_beside() as model:
        model.brain = answer
        settings = {"ASSISTANT_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": model.key, "ANTHROPIC_BASE_URL": model.url}
        with running(redis_url, "w-bench", **settings) as (server,), Api(server.url) as api:
            w = api.ask("POST", "/workspaces", 201, json={"name": "Sample", "template": "sample"})["id"]
            for number in range(_WARM + _EDITS):
                began, busy = time.perf_counter(), _busy_s(server.process.pid)
                run = api.run(w, f"Call the checkout Checkout {number}")
                took.append(1000 * (time.perf_counter() - began))
                used.append(1000 * (_busy_s(server.process.pid) - busy))
                assert (run["status"], run["outcome"]["iterations"]) == ("applied", 2), run
    wall, busy_ms = statistics.median(took[_WARM:]), statistics.mean(used[_WARM:])
    print(f"\nprompt to commit: median {wall:.0f} ms, worst {max(took[_WARM:]):.0f} ms; processor {busy_ms:.0f} ms")
    report("prompt to a committed change of one node, the model apart, ms", wall, "<=", 200)
    report("the same, processor time of the server, ms", busy_ms, "<=", 200)


def _busy_s(pid: int) -> float:
    """How long a process has been on a processor, all of its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
