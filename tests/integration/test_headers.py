"""What browsers may do with an answer is said on every one of them, whoever makes it."""

from __future__ import annotations

import httpx
import pytest
import websockets.exceptions
import websockets.sync.client

from tests.integration.client import Api
from tests.integration.servers import Server

ANSWERS = [
    ("GET", "/api/v1/me", {}, 200),
    ("GET", "/healthz", {}, 200),
    ("GET", "/metrics", {}, 200),
    ("GET", "/docs", {}, 200),
    ("GET", "/api/v1/openapi.json", {}, 200),
    ("GET", "/", {}, 200),
    ("GET", "/mermaid", {}, 200),
    ("GET", "/remote-image?address=https://example.org/a.png", {}, 200),
    ("GET", "/no/such/page", {}, 404),
    ("GET", "/no/such/file.js", {}, 404),
    ("GET", "/api/v1/workspaces/none", {}, 404),
    ("PUT", "/api/v1/me", {"Content-Type": "application/json"}, 405),
    ("POST", "/api/v1/workspaces", {}, 415),
    ("POST", "/api/v1/workspaces", {"Content-Type": "application/json", "Origin": "https://evil.example"}, 403),
    ("GET", "/api/v1/me", {"Host": "evil.example"}, 400),
    ("OPTIONS", "/api/v1/me", {}, 204),
    ("HEAD", "/api/v1/me", {}, 200),
]


@pytest.mark.parametrize("method,path,headers,status", ANSWERS)
def test_every_answer_says_it(api: Api, method: str, path: str, headers: dict[str, str], status: int) -> None:
    """Pages, files, answers of the API, refusals of the guard: no sniffing, no embedding, no frames of others."""
    answer = api.request(method, path, headers=headers)
    assert answer.status_code == status, answer.text[:300]
    check_headers(answer)


def check_headers(answer: httpx.Response) -> None:
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"
    assert answer.headers.get_list("content-security-policy")[1:] == [], "one policy, its own or the common one"
    assert "frame-ancestors" in answer.headers["content-security-policy"]


def test_a_body_that_is_too_large_is_no_exception(api: Api) -> None:
    answer = api.post("/api/v1/workspaces", content=b" " * 40_000_000, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    check_headers(answer)


def test_a_stream_of_events_says_it_too(api: Api) -> None:
    w = api.create(name="Streamed")
    with api.stream("GET", f"/api/v1/workspaces/{w}/commits/events") as answer:
        assert answer.status_code == 200
        check_headers(answer)


def test_a_socket_that_is_refused_says_it_too(api: Api, server: Server) -> None:
    """By the guard and by the endpoint, before it is a socket."""
    asked = (f"{server.url}/api/v1/workspaces/none/live?ticket=wrong", {"Origin": "https://evil.example"})
    for url, headers in (asked, (asked[0].partition("?")[0], asked[1])):
        with pytest.raises(websockets.exceptions.InvalidStatus) as refusal:
            websockets.sync.client.connect(url.replace("http", "ws", 1), additional_headers=headers)
        headers_of = refusal.value.response.headers
        assert headers_of["X-Content-Type-Options"] == "nosniff"
        assert headers_of["Cross-Origin-Resource-Policy"] == "same-origin"
