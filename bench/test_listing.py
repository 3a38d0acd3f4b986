"""The list of 10,000 workspaces against the cheapest request there is, in one run on one server."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from collections.abc import Callable

import httpx
import redis

from bench.conftest import Report
from bench.test_http import _ready, _server
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.listing import RECENT
from draftsmith.history.commit import Draft
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.usecases.commits.workspaces import Workspaces
from tests.contracts.backends import open_redis

COUNT = 10_000
_ROUNDS = 100
_WORDS = ("Orders", "Billing", "Search", "Catalogue", "Shipping", "Mail", "Identity")


async def _made(url: str) -> float:
    """Make the workspaces; the median time of reading all of them, in milliseconds, as every page did before."""
    clock = SystemClock()
    async with open_redis(url) as backend:

        async def make(number: int) -> None:
            w = WorkspaceId(clock.new_id())
            await backend.index.add(w)
            name = f"{_WORDS[number % len(_WORDS)]} platform {number}"
            draft = Draft(f"t{number}", "f", "a", "", "create", "", b"{}")
            await backend.log.create(w, "e", draft, {"name": name, "nodes": 1, "edges": 0, "chars": 9})

        for at in range(0, COUNT, 200):
            await asyncio.gather(*(make(number) for number in range(at, at + 200)))
        workspaces = Workspaces(backend.log, backend.index, clock, WorkspaceLimits(), "bench")
        took = []
        for _ in range(3):
            began = time.perf_counter()
            await workspaces.ids()
            took.append(time.perf_counter() - began)
    return 1000 * statistics.median(took)


def _times(call: Callable[[], httpx.Response], rounds: int) -> list[float]:
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        assert call().status_code == 200
        took.append(1000 * (time.perf_counter() - began))
    return took


def test_pages_of_the_list(redis_url: str, report: Report) -> None:
    """A page of 50, by change, by name, further on, and searched, is at most five times a `GET /me`; nobody waits."""
    naive = asyncio.run(_made(redis_url))
    with _server("ours", redis_url) as port, redis.Redis.from_url(redis_url) as store:
        _ready(port)
        deadline = time.monotonic() + 120
        while store.zcard(RECENT) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert not store.zcard(RECENT), "the list was not settled"
        base = f"http://127.0.0.1:{port}/api/v1"
        with httpx.Client(base_url=base, timeout=30) as client:
            cursor = client.get("/workspaces?limit=200").json()["next_cursor"]
            pages = {
                "by change": "/workspaces",
                "by name": "/workspaces?sort=name",
                "further on": f"/workspaces?cursor={cursor}",
                "many match": "/workspaces?q=plat",
                "few match": "/workspaces?q=mail%2099",
            }
            assert len(client.get(pages["few match"]).json()["items"]) > 3
            for path in ("/me", *pages.values()):
                _times(lambda path=path: client.get(path), 20)  # type: ignore[misc]
            took: dict[str, list[float]] = {name: [] for name in ("me", *pages)}
            for _ in range(5):
                for name, path in {"me": "/me", **pages}.items():
                    took[name] += _times(lambda path=path: client.get(path), _ROUNDS // 5)  # type: ignore[misc]
            calm, beside = [], []
            for _ in range(5):  # in turns, and the best turn of each: this machine has other work
                calm.append(_beside(base, "/me", lambda: _times(lambda: client.get("/me"), 200)))
                beside.append(_beside(base, pages["by name"], lambda: _times(lambda: client.get("/me"), 200)))
    me = _quick(took.pop("me"))
    for name, values in took.items():
        report(f"a page of 10,000 workspaces, {name} / GET /me", _quick(values) / me, "<=", 5)
    report("the longest GET /me beside somebody who lists / who asks the same", min(beside) / min(calm), "<=", 2)
    shown = {name: round(_quick(values), 2) for name, values in took.items()}
    print(f"\nms: GET /me {me:.2f}, {shown}, all metas {naive:.0f}")
    print(f"longest GET /me: {min(calm):.1f} beside another like it, {min(beside):.1f} beside somebody who lists")


def _quick(took: list[float]) -> float:
    """The lower quartile: what it takes where nothing else of the machine gets in between."""
    return statistics.quantiles(took, n=4)[0]


def _beside(base: str, path: str, measure: Callable[[], list[float]]) -> float:
    """The longest of what is measured while another client reads something all the time."""
    over = threading.Event()

    def reads() -> None:
        with httpx.Client(base_url=base, timeout=30) as other:
            while not over.is_set():
                other.get(path)

    thread = threading.Thread(target=reads)
    thread.start()
    try:
        return max(measure())
    finally:
        over.set()
        thread.join()
