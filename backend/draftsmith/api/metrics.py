"""Prometheus metrics, right with several workers: each writes its own files, any of them answers for all."""

from __future__ import annotations

import os

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

from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.live.hub import Live

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
OPEN = Gauge("draftsmith_open_workspaces", "Workspaces in memory.", multiprocess_mode="livesum")


class CommitMetrics:
    """Carries the writers' counters over to Prometheus, by their growth."""

    def __init__(self, workspaces: Workspaces) -> None:
        self._workspaces = workspaces
        self._seen: dict[str, int] = {}

    def collect(self) -> None:
        """Bring the metrics of this worker up to date."""
        counters = self._workspaces.counters
        for name, metric in (
            ("commits", COMMITS), ("groups", GROUPS), ("conflicts", CONFLICTS),
            ("repeats", REPEATS), ("reloads", RELOADS), ("unknown", UNKNOWN),
        ):  # fmt: skip
            now = getattr(counters, name)
            metric.inc(now - self._seen.get(name, 0))
            self._seen[name] = now
        OPEN.set(self._workspaces.open_count)


class LiveMetrics:
    """Carries over what the rooms count."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._seen = 0

    def collect(self) -> None:
        """Bring the metrics of this worker up to date."""
        now = self._live.resyncs
        RESYNCS.inc(now - self._seen)
        self._seen = now
        ROOMS.set(self._live.room_count)


def metrics_response() -> Response:
    """All metrics of all workers, in Prometheus' text form."""
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # prometheus_client leaves it untyped
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
