"""A client of the HTTP API for tests: says what is asked in one line and fails with what the server answered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.image_samples import sha256_of
from tests.timeouts import TIMEOUT_SECONDS

_WAIT = {"Prefer": "wait=30"}
PROBLEM_FIELDS = {"type", "title", "status", "code", "detail", "problems", "request_id"}
REASON_FIELDS = {"index", "op", "code", "path", "message", "candidates", "remedy"}


def node(name: str, **fields: Any) -> dict[str, Any]:
    """An operation that adds a node with this id."""
    return {"op": "add_node", "id": name, "type": "service", "label": name.title(), **fields}


def edge(source: str, target: str, **fields: Any) -> dict[str, Any]:
    """An operation that adds an edge."""
    return {"op": "add_edge", "source": source, "target": target, "label": "calls", **fields}


def label(name: str, text: str) -> dict[str, Any]:
    """An operation that gives a node another label."""
    return {"op": "update_node", "id": name, "label": text}


def put_image(api: Api, w: str, content: bytes, kind: str = "image/png", name: str | None = None) -> httpx.Response:
    """Put an image into a workspace, under its own name unless another is given; the answer."""
    path = f"/workspaces/{w}/images/{sha256_of(content) if name is None else name}"
    return api.send_to("PUT", path, content=content, headers={"Content-Type": kind})


class TokenMode(Protocol):
    """How callers get in where one has to show who one is.

    Attributes:
        settings: with which servers are started then.
    """

    settings: Mapping[str, str]

    def enter(self, caller: Api) -> None:
        """A new caller is the script that everybody is in local mode until they say who they are."""

    def become(self, caller: Api, name: str) -> None:
        """Sign in as a person of that name."""

    def made(self, caller: Api, w: str) -> None:
        """Open a workspace to everybody, as it is in local mode."""


class Api(httpx.Client):
    """One caller: a script until it makes itself a profile, and then a person.

    Attributes:
        token_mode: how callers get in; None in local mode, where they are in.
    """

    token_mode: ClassVar[TokenMode | None] = None

    def __init__(self, url: str) -> None:
        super().__init__(base_url=url, timeout=TIMEOUT_SECONDS)
        if self.token_mode is not None:
            self.token_mode.enter(self)

    def ask(self, method: str, path: str, expected: int | None = 200, **options: Any) -> Any:
        """Send a request below the API's root; the decoded answer, which must have this status, or be no error."""
        response = self.send_to(method, path, **options)
        fits = response.is_success if expected is None else response.status_code == expected
        assert fits, f"{method} {path}: {response.status_code} {response.text[:2000]}"
        return response.json() if response.content else None

    def run(self, w: str, prompt: str, **fields: Any) -> Any:
        """Ask the assistant and wait until it has ended; the run. Each wait may end before it, on a slow machine."""
        run = self.ask("POST", f"/workspaces/{w}/runs", None, json={"prompt": prompt, **fields}, headers=_WAIT)
        return self.ended(w, run["id"])

    def ended(self, w: str, run_id: str) -> Any:
        """A run, once it has ended."""
        while (run := self.ask("GET", f"/workspaces/{w}/runs/{run_id}", headers=_WAIT))["outcome"] is None:
            pass
        return run

    def send_to(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request below the API's root."""
        if method in ("POST", "PUT", "PATCH") and not {"json", "content"} & options.keys():
            options["json"] = {}
        return self.request(method, f"/api/v1{path}", **options)

    @property
    def own_origin(self) -> dict[str, str]:
        """The header with which a page of the server itself writes."""
        return {"Origin": str(self.base_url).rstrip("/")}

    @property
    def profile_cookie(self) -> tuple[str, str]:
        """Name and value of the cookie of a profile."""
        [found] = [(name, value) for name, value in self.cookies.items() if name.startswith("draftsmith_profile")]
        return found

    def create(self, *batches: Sequence[Any], **body: Any) -> str:
        """Create a workspace and run batches on it; its id."""
        found: str = self.ask("POST", "/workspaces", 201, json=body)["id"]
        if self.token_mode is not None:
            self.token_mode.made(self, found)
        for operations in batches:
            self.batch(found, *operations)
        return found

    def batch(self, w: str, *operations: Any, expected: int = 200, headers: Any = None, **fields: Any) -> Any:
        """Run a batch; the answer."""
        body = {"operations": list(operations), **fields}
        return self.ask("POST", f"/workspaces/{w}/batches", expected, json=body, headers=headers)

    def read(self, w: str) -> Any:
        """The whole workspace."""
        return self.ask("GET", f"/workspaces/{w}")

    def state(self, w: str) -> bytes:
        """The whole workspace as bytes, and its history's length."""
        whole = self.get(f"/api/v1/workspaces/{w}")
        commits = self.get(f"/api/v1/workspaces/{w}/commits", params={"limit": 200})
        assert (whole.status_code, commits.status_code) == (200, 200), whole.text + commits.text
        return whole.content + commits.content

    def nodes(self, w: str) -> list[str]:
        """The ids of all nodes, oldest first, those of one commit by id."""
        return [one["id"] for one in self.read(w)["diagram"]["nodes"]]

    def become(self, name: str) -> str:
        """Become a person of that name; the principal's id."""
        if self.token_mode is not None:
            self.token_mode.become(self, name)
        else:
            self.ask("POST", "/session", 201)
        found: str = self.ask("PATCH", "/me", json={"name": name})["id"]
        return found

    def become_same_as(self, other: Api) -> None:
        """Become whoever another client is."""
        self.cookies = other.cookies
        if "authorization" in other.headers:
            self.headers["authorization"] = other.headers["authorization"]


def metric(api: Api, name: str, **labels: str) -> float:
    """The sum of a metric of a server over all labels but the given ones."""
    families = text_string_to_metric_families(api.get("/metrics").text)
    samples = [sample for family in families for sample in family.samples if sample.name == name]
    return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())


def check_problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check that an answer is a problem document of this kind; the document."""
    said = f"{response.status_code} {response.text[:1000]}"
    assert response.status_code == status, said
    assert response.headers["content-type"] == "application/problem+json", said
    document: dict[str, Any] = json.loads(response.content)
    assert document.keys() >= PROBLEM_FIELDS, said
    assert (document["status"], document["code"]) == (status, code), said
    assert document["type"] == f"urn:draftsmith:problem:{code}"
    assert document["title"], said
    assert document["detail"], said
    assert document["request_id"] == response.headers["x-request-id"]
    for reason in document["problems"]:
        assert reason.keys() >= REASON_FIELDS, said
        assert reason["code"], said
        assert reason["message"], said
        assert reason["remedy"] in ("fix", "retry", "stop"), said
        assert isinstance(reason["candidates"], list), said
    assert "Traceback" not in response.text
    return document
