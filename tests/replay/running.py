"""One request of the replay set against a running server, by its HTTP API alone."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import httpx

from draftsmith.model.workspace import Workspace, export_json
from tests.replay.cases import Case, read_workspace, unmet
from tests.replay.conditions import After

_API = "/api/v1"
_LONGEST_SECONDS = 300.0
_OVER = frozenset({"applied", "proposed", "answered", "unchanged", "failed", "cancelled"})


@dataclass(frozen=True)
class Replayed:
    """What came of a request.

    Attributes:
        case: the request.
        status: of the run; `timeout` if it was not over in time.
        failed: the checks and guards that do not hold.
        outcome: of the run, as the API tells it.
        provider: who answered, as the run says.
        seconds: from the request to its end.
        edit_mode: that the run says it had.
        refused: batches that were refused.
    """

    case: Case
    status: str
    failed: list[Any] = field(default_factory=list)
    outcome: dict[str, Any] = field(default_factory=dict)
    provider: str = ""
    seconds: float = 0.0
    edit_mode: str = "tools"
    refused: int = 0

    @property
    def is_right(self) -> bool:
        """Whether everything is as it has to be."""
        return self.status in _OVER - {"failed", "cancelled"} and not self.failed

    def tokens(self, kind: str) -> int:
        """How many tokens of a kind (`input_tokens`, `output_tokens`) the run says it took."""
        return int((self.outcome.get("usage") or {}).get(kind) or 0)


def run_one(client: httpx.Client, case: Case, edit_mode: str | None = None) -> Replayed:
    """Make a workspace, ask, wait for the end, compare, and put the workspace into the trash.

    Args:
        client: with the server's address as its base.
        case: the request.
        edit_mode: to make it in; None: as the server is set.

    Raises:
        httpx.HTTPStatusError: the server refused a request that is no run.
    """
    before = case.before()
    w = _answer(client.post(f"{_API}/workspaces", json=_creation(case.started())))["id"]
    try:
        for batch in case.history:
            _answer(client.post(f"{_API}/workspaces/{w}/batches", json={"operations": batch}))
        start = time.monotonic()
        body = case.body() if edit_mode is None else {**case.body(), "edit_mode": edit_mode}
        asked = client.post(f"{_API}/workspaces/{w}/runs", json=body)
        if asked.is_error:
            return Replayed(case, f"refused: {asked.text[:300]}", [*case.checks])
        path = f"{_API}/workspaces/{w}/runs/{asked.json()['id']}"
        over = _once_over(client, path, asked.json(), start)
        seconds = time.monotonic() - start
        alternatives = (over.get("outcome") or {}).get("alternatives") or []
        if alternatives:
            first = f"{_API}/workspaces/{w}/proposals/{alternatives[0]['proposal']}"
            _answer(client.post(f"{first}/accept", json={}))
        now = read_workspace(_answer(client.get(f"{_API}/workspaces/{w}")))
        outcome = over.get("outcome") or {}
        summary, findings = str(outcome.get("summary") or ""), outcome.get("findings")
        after = After(before, now, summary, over["status"], findings, len(alternatives))
        failed = unmet(case, after)
        return Replayed(
            case,
            over["status"],
            failed,
            outcome,
            f"{over['provider']} {over['model']}".strip(),
            seconds,
            over["edit_mode"],
            client.get(f"{path}/events").text.count("event: refused\n"),
        )
    finally:
        client.delete(f"{_API}/workspaces/{w}")


def _creation(workspace: Workspace) -> dict[str, Any]:
    return {"name": workspace.name, "import": {"format": "json", "content": export_json(workspace)}}


def _once_over(client: httpx.Client, path: str, run_: dict[str, Any], start: float) -> dict[str, Any]:
    """The run when it is over; each look waits at the server."""
    while run_["status"] not in _OVER:
        if time.monotonic() - start > _LONGEST_SECONDS:
            client.post(f"{path}/cancel", json={})
            return {**run_, "status": "timeout"}
        run_ = _answer(client.get(path, headers={"Prefer": "wait=30"}))
    return run_


def _answer(response: httpx.Response) -> dict[str, Any]:
    response.raise_for_status()
    found: dict[str, Any] = response.json()
    return found
