"""Prometheus metrics, right with several workers: each writes its own files, any of them answers for all."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, Protocol

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.responses import Response

from draftsmith.ports.runs import FINAL_STATUSES
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.live.hub import Live
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.usage.quality import Place, RunQuality

REQUESTS = Counter("draftsmith_requests_total", "HTTP requests.", ["method", "route", "status"])
SECONDS = Histogram(
    "draftsmith_request_seconds",
    "Time from the request's head to the end of the answer, seconds.",
    ["method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
COMMITS = Counter("draftsmith_commits_total", "Commits made durable.")
GROUPS = Counter("draftsmith_commit_groups_total", "Appends that got through; commits / groups is the group size.")
CONFLICTS = Counter("draftsmith_commit_conflicts_total", "Appends that lost a race to another worker.")
REPEATS = Counter("draftsmith_commit_repeats_total", "Requests that had been carried out before.")
RELOADS = Counter("draftsmith_workspace_loads_total", "Workspaces read from the store.")
UNKNOWN = Counter("draftsmith_commit_unknown_total", "Commits given up without an answer from the store.")
PREPARED = Counter("draftsmith_prepared_elsewhere_total", "Requests that another process prepared.")
PREPARED_AGAIN = Counter("draftsmith_prepared_again_total", "Of these, those that others had overtaken.")
PREPARERS_LOST = Counter(
    "draftsmith_preparers_lost_total", "Processes that ended before they answered, or were killed."
)
LAID_OUT = Counter("draftsmith_layouts_total", "Questions that the layout engine has answered, or not.", ["outcome"])
PREPARED_WAITING = Gauge(
    "draftsmith_waiting_for_preparers", "Requests that wait until another process is free.", multiprocess_mode="livesum"
)
STALLS = Histogram(
    "draftsmith_event_loop_stall_seconds",
    "How much later than asked for the event loop came back to a task that sleeps; nobody is served meanwhile.",
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
LONGEST_STALL = Gauge(
    "draftsmith_event_loop_longest_stall_seconds",
    "The longest of these in the last minute, over all workers.",
    multiprocess_mode="livemax",
)
HANDSHAKES = Counter("draftsmith_socket_handshakes_total", "WebSockets asked for.", ["status"])
SOCKETS = Gauge("draftsmith_open_sockets", "WebSockets that are open.", multiprocess_mode="livesum")
ENDINGS = Counter("draftsmith_socket_endings_total", "WebSockets that ended, by what ended them.", ["code"])
MESSAGES = Counter("draftsmith_socket_messages_total", "Messages from pages.", ["kind"])
FRAMES = Counter("draftsmith_socket_frames_total", "Frames sent to pages; each holds one message or more.")
FRAME_CHARACTERS = Counter("draftsmith_socket_frame_characters_total", "Characters of the frames sent to pages.")
ROOMS = Gauge(
    "draftsmith_open_rooms", "Workspaces that pages have open or programs follow.", multiprocess_mode="livesum"
)
RESYNCS = Counter("draftsmith_resyncs_total", "Whole states sent to pages that had one already.")
_PLACE = ["workflow", "edit_mode"]
CALLS = Counter("draftsmith_assistant_calls_total", "Model calls.", [*_PLACE, "status"])
CALL_SECONDS = Counter("draftsmith_assistant_call_seconds_total", "Time of model calls, seconds.", _PLACE)
TOKENS = Counter(
    "draftsmith_assistant_tokens_total", "Tokens; cache_read and cache_write are parts of input.", [*_PLACE, "kind"]
)
RUNS = Counter("draftsmith_assistant_runs_total", "Requests to models that are over.", [*_PLACE, "status"])
BATCHES = Counter("draftsmith_assistant_batches_total", "Batches of models.", [*_PLACE, "result"])
REFUSALS = Counter("draftsmith_assistant_refusals_total", "Problems of refused batches.", [*_PLACE, "code"])
REPAIRS = Counter("draftsmith_assistant_repairs_total", "Refused batches that were corrected in the same run.", _PLACE)
FALLBACKS = Counter("draftsmith_assistant_fallbacks_total", "Runs that wrote anew after three failed batches.", _PLACE)
OPERATIONS = Counter(
    "draftsmith_assistant_operations_total",
    "Operations of models that were staged; batches that were refused because of one.",
    [*_PLACE, "op", "result"],
)
RATINGS = Counter(
    "draftsmith_assistant_ratings_total", "Ratings that were given; not less when taken back.", ["rating"]
)
LOUD = Gauge(
    "draftsmith_assistant_is_loud",
    "1 where more than a tenth of today's batches was refused, or of today's runs failed.",
    multiprocess_mode="livemax",
)
OPEN = Gauge("draftsmith_open_workspaces", "Workspaces in memory.", multiprocess_mode="livesum")


_SOON: Final = 0.1
"""Seconds from a request to when what it has changed can be read at other workers."""

# Looking labels up costs several times what counting does; there are as many as routes have methods and statuses.
_requests, _seconds = lru_cache(maxsize=2048)(REQUESTS.labels), lru_cache(maxsize=1024)(SECONDS.labels)


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request that is over, and the time that it took."""
    _requests(method, route, str(status)).inc()
    _seconds(method, route).observe(seconds)


class MetricsSource(Protocol):
    """Counters of other modules that are copied to Prometheus."""

    def collect(self) -> None:
        """Bring the metrics of this worker up to date."""
        ...


class Collector:
    """Brings the metrics of this worker up to date: when they are read here, and soon after requests.

    Other workers read what this one has written, so it does not wait for a reader. Doing it after each request cost a
    fiftieth of a small batch.
    """

    def __init__(self) -> None:
        self._parts: list[MetricsSource] = []
        self._timer: asyncio.TimerHandle | None = None

    def add(self, *parts: MetricsSource) -> None:
        """Carry over these, too."""
        self._parts += parts

    def soon(self) -> None:
        """Collect in a moment, once for all requests until then."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SOON, self.collect)

    def collect(self) -> None:
        """Collect now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for part in self._parts:
            part.collect()


class CommitMetrics:
    """Copies the writers' counters to Prometheus, by their growth."""

    def __init__(self, workspaces: Workspaces) -> None:
        self._workspaces = workspaces
        self._last_counts: dict[str, int] = {}

    def collect(self) -> None:
        """Bring the metrics of this worker up to date."""
        counters = self._workspaces.counters
        for name, metric in (
            ("commits", COMMITS), ("groups", GROUPS), ("conflicts", CONFLICTS),
            ("repeats", REPEATS), ("reloads", RELOADS), ("unknown", UNKNOWN), ("prepared_again", PREPARED_AGAIN),
        ):  # fmt: skip
            now = getattr(counters, name)
            metric.inc(now - self._last_counts.get(name, 0))
            self._last_counts[name] = now
        OPEN.set(self._workspaces.open_count)


class LoadMetrics:
    """Copies counts of requests that other processes prepare, and how long the event loop was blocked."""

    def __init__(self, pool: PreparerPool | None, longest_stall: Callable[[], float]) -> None:
        self._pool, self._longest_stall = pool, longest_stall
        self._prepared = self._last_lost = 0
        self._layouts = {"answered": 0, "failed": 0}

    def collect(self) -> None:
        """Bring the metrics of this worker up to date."""
        LONGEST_STALL.set(self._longest_stall())
        if self._pool is None:
            return
        prepared, lost = self._pool.prepared, self._pool.lost
        PREPARED.inc(prepared - self._prepared)
        PREPARERS_LOST.inc(lost - self._last_lost)
        self._prepared, self._last_lost = prepared, lost
        PREPARED_WAITING.set(self._pool.waiting)
        for outcome, count in self._pool.layouts.items():
            LAID_OUT.labels(outcome).inc(count - self._layouts[outcome])
            self._layouts[outcome] = count


class LiveMetrics:
    """Copies the counters of the rooms."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._last_count = 0

    def collect(self) -> None:
        """Bring the metrics of this worker up to date."""
        now = self._live.resyncs
        RESYNCS.inc(now - self._last_count)
        self._last_count = now
        ROOMS.set(self._live.room_count)


class AssistantMetrics:
    """Copies the counters of calls of models, by their growth."""

    def __init__(self, quality: RunQuality) -> None:
        self._quality = quality
        self._last_counts: dict[Place, dict[str, int]] = {}
        self._changes = 0

    def collect(self) -> None:
        """Bring the metrics of this worker up to date."""
        LOUD.set(self._quality.is_loud)
        if self._changes == self._quality.changes:
            return
        self._changes = self._quality.changes
        for place, fields in self._quality.grown.items():
            seen = self._last_counts.setdefault(place, {})
            growth = {name: count - seen.get(name, 0) for name, count in fields.items()}
            seen.update(fields)
            _add_calls(place, growth)
            _add_quality(place, growth)


def _add_calls(place: Place, growth: Mapping[str, int]) -> None:
    failed = growth.get("call|failed", 0)
    for status, count in (("ok", growth.get("call|calls", 0) - failed), ("failed", failed)):
        if count:
            CALLS.labels(*place, status).inc(count)
    CALL_SECONDS.labels(*place).inc(growth.get("call|duration_ms", 0) / 1000)
    for kind in ("input", "output", "cache_read", "cache_write", "thinking"):
        if count := growth.get(f"call|{kind}", 0):
            TOKENS.labels(*place, kind).inc(count)


def _add_quality(place: Place, growth: Mapping[str, int]) -> None:
    refused = growth.get("refused", 0)
    for result, count in (("staged", growth.get("batches", 0) - refused), ("refused", refused)):
        if count:
            BATCHES.labels(*place, result).inc(count)
    REPAIRS.labels(*place).inc(growth.get("repaired", 0))
    FALLBACKS.labels(*place).inc(growth.get("fallbacks", 0))
    for name, count in growth.items():
        kind, _, rest = name.partition("|")
        if not count:
            continue
        if name in FINAL_STATUSES:
            RUNS.labels(*place, name).inc(count)
        elif kind == "code":
            REFUSALS.labels(*place, rest).inc(count)
        elif kind in ("staged", "refused") and rest and "|" not in rest:
            OPERATIONS.labels(*place, rest, kind).inc(count)
        elif kind == "rated":
            RATINGS.labels(rest).inc(count)


def metrics_response() -> Response:
    """All metrics of all workers, in Prometheus' text form."""
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # prometheus_client leaves it untyped
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
