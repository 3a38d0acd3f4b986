"""What browsers may do with an answer is said on every one of them, whoever makes it."""

from __future__ import annotations

import pytest

from tests.integration.client import Api

ANSWERS = [
    ("GET", "/api/v1/me", {}, 200),
    ("GET", "/healthz", {}, 200),
    ("GET", "/metrics", {}, 200),
    ("GET", "/docs", {}, 200),
    ("GET", "/api/v1/openapi.json", {}, 200),
    ("GET", "/", {}, 200),
    ("GET", "/mermaid", {}, 200),
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
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"
    assert answer.headers.get_list("content-security-policy")[1:] == [], "one policy, its own or the common one"
    assert "frame-ancestors" in answer.headers["content-security-policy"]
