"""Pages of other origins, frames, and a proxy in front: who may what, and what browsers are told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import websockets

from tests.integration.client import Api, check_problem
from tests.integration.people import Town
from tests.integration.servers import Server, running
from tests.kit.fixtures import town_fixture

NAMED, OTHER = "https://app.example", "https://evil.example"
START = {"name": "Shop", "document": {"text": "# Shop\n"}}


place = town_fixture(
    "others",
    ALLOWED_ORIGINS=f"{NAMED}, https://second.example:8443",
    FRAME_ANCESTORS=NAMED,
    ROOT_PATH="/drafts",
    TRUSTED_PROXIES="127.0.0.1",
    ALLOWED_HOSTS="drafts.example",
)


@pytest.fixture(scope="module")
def closed(redis_server: str) -> Iterator[Server]:
    with running(redis_server, "closed") as [server]:
        yield server


def preflight(api: Api, origin: str, path: str = "/api/v1/workspaces", method: str = "POST") -> dict[str, str]:
    """The CORS headers of the answer to a preflight."""
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization",
    }
    answer = api.options(path, headers=asked)
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control")}


class TestNamedOrigins:
    def test_a_preflight_says_what_the_address_takes(self, place: Town) -> None:
        api = place.stranger()
        said = preflight(api, NAMED)
        assert said["access-control-allow-origin"] == NAMED
        assert said["access-control-allow-methods"] == "GET, POST"
        assert "Authorization" in said["access-control-allow-headers"]
        assert "access-control-allow-credentials" not in said
        assert preflight(api, "https://second.example:8443")["access-control-allow-origin"]
        nowhere = api.options("/api/v1/nowhere", headers={"Origin": NAMED, "Access-Control-Request-Method": "GET"})
        assert nowhere.status_code == 404

    @pytest.mark.parametrize("origin", [OTHER, "null", f"{NAMED}.evil.example", "http://app.example", f"{NAMED}:444"])
    def test_another_origin_is_told_nothing_and_may_nothing(self, place: Town, origin: str) -> None:
        key = place.key()
        api = place.caller(key=key)
        assert preflight(api, origin) == {}
        read = api.get("/api/v1/me", headers={"Origin": origin})
        assert "access-control-allow-origin" not in read.headers
        assert read.headers["vary"].endswith("Origin")
        assert read.headers["cross-origin-resource-policy"] == "same-origin"
        check_problem(api.post("/api/v1/workspaces", json=START, headers={"Origin": origin}), 403, "cross_site")

    def test_a_page_of_a_named_origin_reads_and_writes_with_a_credential(self, place: Town) -> None:
        api = place.caller(key=place.key())
        made = api.post("/api/v1/workspaces", json=START, headers={"Origin": NAMED, "Sec-Fetch-Site": "cross-site"})
        assert made.status_code == 201
        assert made.headers["access-control-allow-origin"] == NAMED
        assert "Location" in made.headers["access-control-expose-headers"]
        assert made.headers["cross-origin-resource-policy"] == "cross-origin"
        refused = api.post("/api/v1/workspaces", json={"name": 7}, headers={"Origin": NAMED})
        assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (422, NAMED)

    def test_cookies_count_for_nothing_from_there(self, place: Town) -> None:
        assert place.admin.get("/api/v1/me").json()["signed_in"] is True
        assert place.admin.get("/api/v1/me", headers={"Origin": NAMED}).json()["signed_in"] is False
        written = place.admin.post("/api/v1/workspaces", json=START, headers={"Origin": NAMED})
        check_problem(written, 401, "unauthorized")

    def test_without_the_setting_there_are_no_such_headers(self, closed: Server) -> None:
        with Api(closed.url) as api:
            assert preflight(api, NAMED) == {}
            check_problem(api.post("/api/v1/workspaces", json=START, headers={"Origin": NAMED}), 403, "cross_site")
            assert "vary" not in api.get("/api/v1/me", headers={"Origin": NAMED}).headers


class TestSettings:
    def test_are_not_changed_from_pages_of_named_origins(self, redis_server: str) -> None:
        """In local mode, in which nobody signs in, they may do all else; a profile that they send along is none."""
        with running(redis_server, "named", ALLOWED_ORIGINS=NAMED) as [server], Api(server.url) as api:
            assert api.post("/api/v1/workspaces", json=START, headers={"Origin": NAMED}).status_code == 201
            api.ask("POST", "/session", 201, json={})
            for method, body in (("PUT", {"json": {"api_key": "x" * 20}}), ("DELETE", {})):
                refused = api.send_to(method, "/assistant/key", headers={"Origin": NAMED}, **body)
                check_problem(refused, 403, "forbidden")


class TestFrames:
    def test_named_origins_may_show_the_editor_in_a_frame(self, place: Town, closed: Server) -> None:
        headers = place.stranger().get("/").headers
        assert f"frame-ancestors 'self' {NAMED}" in headers["content-security-policy"]
        assert "x-frame-options" not in headers
        with Api(closed.url) as api:
            headers = api.get("/").headers
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert headers["x-frame-options"] == "SAMEORIGIN"

    def test_answers_of_the_api_are_in_no_frame(self, place: Town) -> None:
        headers = place.stranger().get("/api/v1/me").headers
        assert headers["x-frame-options"] == "SAMEORIGIN"


class TestBehindAProxy:
    def test_the_path_of_the_proxy_may_be_there_or_not(self, place: Town) -> None:
        key, server = place.key(), place.servers[0].url
        for below in (server, f"{server}/drafts"):
            assert place.caller(below, key).ask("GET", "/me")["name"] == "Ada"
        assert place.caller(f"{server}/draftsman", key).get("/api/v1/me").status_code == 404

    def test_the_page_and_what_it_loads_are_below_that_path(self, place: Town) -> None:
        text = place.stranger().get("/w/some").text
        assert '<meta name="root" content="/drafts"' in text
        assert 'src="/drafts/assets/' in text
        assert 'src="/assets' not in text
        assert 'href="/assets' not in text
        contract = place.stranger().get("/api/v1/openapi.json").json()
        assert contract["servers"][0]["url"] == "/drafts"

    def test_addresses_that_are_told_are_those_of_the_proxy(self, place: Town) -> None:
        made = place.admin.send_to("POST", "/workspaces", json=START)
        w = made.json()["id"]
        assert made.headers["location"] == f"/drafts/api/v1/workspaces/{w}"
        told = {"X-Forwarded-Proto": "https", "Host": "drafts.example"}
        share = place.admin.post(f"/api/v1/workspaces/{w}/shares", json={"role": "viewer"}, headers=told)
        assert share.json()["url"].startswith("https://drafts.example/drafts/s#dss_")

    def test_cookies_are_secure_over_tls_and_below_that_path(self, place: Town) -> None:
        cookie = (
            place.stranger()
            .post("/api/v1/session", json={}, headers={"X-Forwarded-Proto": "https"})
            .headers["set-cookie"]
        )
        assert "Secure" in cookie
        assert "Path=/drafts" in cookie

    @pytest.mark.parametrize(
        "origin, proto, expected",
        [
            ("https://drafts.example", "https", 201),
            ("https://drafts.example:443", "https", 201),
            ("HTTPS://DRAFTS.example", "https", 201),
            ("http://drafts.example", "https", 403),
            ("http://drafts.example:80", "https", 403),
            ("http://drafts.example:443", "https", 403),
            ("https://drafts.example:8443", "https", 403),
            ("https://user@drafts.example", "https", 403),
            ("ftp://drafts.example", "https", 403),
            ("null", "https", 403),
            ("http://drafts.example", "http", 201),
            ("https://drafts.example", "http", 201),  # TLS may end at a proxy that says nothing
        ],
    )
    def test_a_page_that_came_by_plain_http_is_another_origin_over_tls(
        self, place: Town, origin: str, proto: str, expected: int
    ) -> None:
        """The scheme counts, as the trusted proxy says it."""
        headers = {"X-Forwarded-Proto": proto, "Host": "drafts.example", "Origin": origin}
        made = place.admin.post("/api/v1/workspaces", json=START, headers=headers)
        assert made.status_code == expected, made.text

    @pytest.mark.parametrize("scheme, is_let_in", [("https", True), ("http", False)])
    async def test_so_it_is_to_a_socket(self, place: Town, scheme: str, is_let_in: bool) -> None:
        w = place.admin.create(**START)
        cookie = "; ".join(f"{name}={value}" for name, value in place.admin.cookies.items())
        headers = {"X-Forwarded-Proto": "https", "Host": "drafts.example", "Origin": f"{scheme}://drafts.example"}
        url = f"{place.servers[0].url.replace('http', 'ws')}/api/v1/workspaces/{w}/live"
        opened = websockets.connect(url, additional_headers={**headers, "Cookie": cookie})
        if is_let_in:
            async with opened as live:
                await live.ping()
            return
        with pytest.raises(websockets.InvalidStatus) as refused:
            await opened
        assert refused.value.response.status_code == 403

    def test_only_named_proxies_say_who_asks(self, place: Town, closed: Server) -> None:
        w = place.admin.create(**START)
        claimed = {"X-Forwarded-For": "198.51.100.7, 203.0.113.9"}
        place.admin.post(f"/api/v1/workspaces/{w}/shares", json={"role": "viewer"}, headers=claimed)
        [entry, *_] = place.admin.ask("GET", f"/workspaces/{w}/audit")["items"]
        assert entry["address"] == "203.0.113.9", "the last that a trusted proxy has seen, not what a client wrote"
        with Api(closed.url) as api:
            cookie = api.post("/api/v1/session", json={}, headers={"X-Forwarded-Proto": "https"}).headers["set-cookie"]
            assert "Secure" not in cookie
