"""What a stranger may try on a server in token mode: each is refused as it should be, and others are answered on."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.integration.client import check_problem, node
from tests.integration.people import Caller, Town
from tests.kit.fixtures import admin_workspace_fixture, town_fixture
from tests.timeouts import TIMEOUT_SECONDS

START = {"name": "Shop", "document": {"text": "# Shop\n"}}
EVIL = "https://evil.example"


place = town_fixture("attacked")


w = admin_workspace_fixture(**START)


@pytest.fixture(autouse=True)
def others_are_served(place: Town) -> Iterator[None]:
    """Whatever is tried, the next one is answered."""
    yield
    assert place.admin.get("/healthz").status_code == 200
    assert place.admin.ask("GET", "/me")["signed_in"]


def sent(place: Town, head: str, body: str = "") -> bytes:
    """What is answered to bytes that no client would send; closed afterwards."""
    parts = urlsplit(place.url)
    with socket.create_connection((parts.hostname, parts.port), TIMEOUT_SECONDS) as raw:
        host = "" if "\r\nHost:" in head else f"Host: {parts.netloc}\r\n"
        raw.sendall(f"{head}\r\n{host}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode("latin-1"))
        found = b""
        while chunk := raw.recv(65_536):
            found += chunk
    return found


def cookie_of(caller: Caller) -> str:
    return "; ".join(f"{name}={value}" for name, value in caller.cookies.items())


class TestPaths:
    @pytest.mark.parametrize(
        "path",
        [
            "/../../../../etc/passwd",
            "/..%2f..%2f..%2fetc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/assets/../../../etc/passwd",
            "/assets/..%2f..%2f..%2fetc%2fpasswd",
            "/assets/....//....//etc/passwd",
            "/client/%2e%2e/%2e%2e/pyproject.toml",
            "/assets/%00/etc/passwd",
            "//etc/passwd",
            "/assets//etc/passwd",
            "/..\\..\\etc\\passwd",
        ],
    )
    def test_lead_to_no_file_but_the_editors(self, place: Town, path: str) -> None:
        answer = sent(place, f"GET {path} HTTP/1.1")
        status = int(answer.split(b" ", 2)[1])
        assert b"root:" not in answer
        assert b"[project]" not in answer
        assert status in (200, 400, 404), answer[:200]
        if status == 200:
            assert b"<!doctype html>" in answer.lower(), "the page of the editor, which says that there is no such page"

    @pytest.mark.parametrize(
        "path",
        [
            "/api/v1/workspaces/../users",
            "/api/v1/workspaces/%2e%2e/users",
            "/api/v1//users",
            "/api/v1/users/",
            "/API/V1/users",
            "/api/v1/users%00",
            "/api/v1/templates/../users",
            "/w/../api/v1/users",
        ],
    )
    def test_go_round_the_gate_by_no_spelling(self, place: Town, path: str) -> None:
        answer = sent(place, f"GET {path} HTTP/1.1")
        assert b'"items"' not in answer
        assert int(answer.split(b" ", 2)[1]) in (200, 307, 308, 400, 401, 404), answer[:200]

    @pytest.mark.parametrize("method", ["PUT", "TRACE", "CONNECT", "FOO", "get"])
    def test_are_asked_by_no_other_method(self, place: Town, w: str, method: str) -> None:
        answer = sent(place, f"{method} /api/v1/workspaces/{w} HTTP/1.1")
        assert int(answer.split(b" ", 2)[1]) in (400, 401, 404, 405, 415, 501), answer[:200]
        assert b"Shop" not in answer

    def test_of_a_workspace_is_the_one_that_is_asked_for(self, place: Town, w: str) -> None:
        """An id in a query, a body or a header names no other workspace than the path does."""
        ben = place.person("Ben")
        own = ben.create(**START)
        ben.ask("GET", f"/workspaces/{own}", params={"w": w, "workspace_id": w})
        body = {"operations": [node("mine")], "w": w, "workspace_id": w}
        check_problem(ben.send_to("POST", f"/workspaces/{own}/batches", json=body), 422, "invalid_request")
        headers = {"X-Original-URL": f"/api/v1/workspaces/{w}", "X-Rewrite-URL": f"/api/v1/workspaces/{w}"}
        assert ben.ask("GET", f"/workspaces/{own}", headers=headers)["id"] == own
        for spelled in (w.upper(), f"{w}%20", f"%20{w}", f"{w}/", f"{own}%2F..%2F{w}", f"{own}/../{w}"):
            response = ben.get(f"/api/v1/workspaces/{spelled}")
            assert response.status_code in (404, 307), spelled
            assert response.status_code == 404 or response.headers["location"].endswith(f"/workspaces/{w}")


class TestHeaders:
    @pytest.mark.parametrize("name", ["Eve\r\nSet-Cookie: x=1", "Eve\nX: y", "Eve\x00", "\u2028Eve", "a" * 10_000])
    def test_a_name_ends_up_in_none(self, place: Town, name: str) -> None:
        eve = place.person("Eve")
        response = eve.send_to("PATCH", "/me", json={"name": name})
        assert "x=1" not in response.headers.get("set-cookie", "")
        known = eve.ask("GET", "/me")["name"]
        assert "\n" not in known
        assert "\r" not in known
        assert known.isprintable()
        assert len(known) <= 60

    @pytest.mark.parametrize("name", ['a"; filename="evil.exe', "a\r\nX-Evil: 1", "../../etc/passwd", "Ä\u202egnp.exe"])
    def test_the_name_of_a_workspace_is_no_header_and_no_path(self, place: Town, name: str) -> None:
        made = place.admin.send_to("POST", "/workspaces", json={**START, "name": name})
        if made.status_code == 422:
            return
        response = place.admin.get(f"/api/v1/workspaces/{made.json()['id']}/export", params={"format": "markdown"})
        assert response.status_code == 200
        assert "x-evil" not in response.headers
        assert not [value for value in response.headers.values() if "evil" in value or "passwd" in value]

    def test_an_id_of_a_request_is_written_into_no_log_line_of_its_own(self, place: Town) -> None:
        answer = sent(place, 'GET /healthz HTTP/1.1\r\nX-Request-Id: a b\x0b{"level": "error"}')
        assert answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 400"))
        assert b'{"level"' not in answer.partition(b"\r\n\r\n")[0]

    @pytest.mark.parametrize(
        "head",
        [
            "GET /api/v1/users HTTP/1.1\r\nAuthorization: Bearer a\r\n Bearer b",
            "GET /api/v1/users HTTP/1.1\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b",
            'GET /api/v1/users HTTP/1.1\r\nDraftsmith-Actor: {"id": "1", "name": "x"}',
            "GET /api/v1/users HTTP/1.1\r\nX-Forwarded-User: admin\r\nX-Remote-User: admin\r\nRemote-User: admin",
            "GET /api/v1/users HTTP/1.1\r\nX-Forwarded-For: 127.0.0.1\r\nForwarded: for=127.0.0.1",
            "GET /api/v1/users HTTP/1.1\r\nCookie: draftsmith_session=x; draftsmith_session=y",
        ],
    )
    def test_make_nobody_of_a_stranger(self, place: Town, head: str) -> None:
        answer = sent(place, head)
        assert int(answer.split(b" ", 2)[1]) in (400, 401), answer[:200]

    def test_a_smuggled_request_is_none(self, place: Town, w: str) -> None:
        """Two lengths, or a length beside chunks: refused, and what follows is not read as a request of its own."""
        inner = f"DELETE /api/v1/workspaces/{w} HTTP/1.1\r\nHost: x\r\nCookie: {cookie_of(place.admin)}\r\n\r\n"
        for head in (
            "POST /api/v1/session HTTP/1.1\r\nTransfer-Encoding: chunked",
            "POST /api/v1/session HTTP/1.1\r\nContent-Length: 0",
            "POST /api/v1/session HTTP/1.1\r\nTransfer-Encoding: xchunked",
        ):
            answer = sent(place, f"{head}\r\nContent-Type: application/json", f"0\r\n\r\n{inner}")
            assert answer.count(b"HTTP/1.1 2") <= 1, answer[:300]
        assert place.admin.read(w)["id"] == w


class TestOtherPages:
    """A page of another origin that somebody who is signed in has opened."""

    @pytest.mark.parametrize(
        "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    )
    def test_a_form_posts_nothing(self, place: Town, w: str, kind: str) -> None:
        """With the cookie that a browser would send, and with the origin that it would name."""
        for origin in (EVIL, "null"):
            response = place.admin.request(
                "POST", f"/api/v1/workspaces/{w}/batches", content=b'{"operations": []}',
                headers={"Content-Type": kind, "Origin": origin},
            )  # fmt: skip
            assert response.status_code == 403, response.text
        assert len(place.admin.ask("GET", f"/workspaces/{w}/commits")["items"]) == 1

    @pytest.mark.parametrize("path", ["/sign-in/link", "/session", "/shares/open", "/keys"])
    def test_signs_nobody_in_as_somebody_else(self, place: Town, path: str) -> None:
        headers = {"Origin": EVIL, "Content-Type": "application/json"}
        check_problem(place.admin.send_to("POST", path, json={"token": "x"}, headers=headers), 403, "cross_site")

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::1]evil", "a b"])
    def test_a_name_that_is_bound_to_this_address_is_refused(self, place: Town, w: str, host: str) -> None:
        answer = sent(place, f"GET /api/v1/workspaces/{w} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie_of(place.admin)}")
        assert int(answer.split(b" ", 2)[1]) in (400, 403, 421), answer[:200]
        assert b"Shop" not in answer

    @pytest.mark.parametrize(
        "path", ["//evil.example", "/\\evil.example", "https://evil.example", "/%0d%0aX:1", "javascript:1"]
    )
    def test_a_sign_in_leads_nowhere_else(self, place: Town, path: str) -> None:
        response = place.stranger().get("/api/v1/sign-in/begin", params={"path": path})
        location = response.headers.get("location", "")
        assert "evil.example" not in location
        assert "javascript" not in location
        assert response.status_code in (302, 303, 400, 404, 422)
