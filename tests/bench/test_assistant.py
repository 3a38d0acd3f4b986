"""The built-in commands over HTTP against the cheapest read there is, in one run on one server."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import httpx

from tests.bench.conftest import Report
from tests.bench.test_http import _ready, _server

_ROUNDS = 300
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
