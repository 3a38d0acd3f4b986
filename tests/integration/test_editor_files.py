"""The built editor's files: packed for who takes that, whole in parts, cached while they hold, nothing else."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from draftsmith import __version__
from tests.integration.servers import running
from tests.timeouts import TIMEOUT_SECONDS

CODE = b"export const answer = 42;\n" * 100
SCRIPT = "/assets/index-abc123.js"


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside") / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(
        '<!doctype html><meta name="version" content="DRAFTSMITH-VERSION">'
        '<meta property="csp-nonce" nonce="DRAFTSMITH-NONCE"><p>The page</p>'
    )
    (folder / "manifest.webmanifest").write_text("{}")
    (folder / "offline.js").write_text("self.skipWaiting();")
    (folder / "mermaid.html").write_text("<!doctype html><p>The frame</p>")
    (folder.parent / "secret.js").write_text("secret")
    (folder / SCRIPT[1:]).write_bytes(CODE)
    (folder / (SCRIPT[1:] + ".br")).write_bytes(b"as brotli")
    (folder / (SCRIPT[1:] + ".gz")).write_bytes(b"as gzip")
    (folder / "assets/style-abc.css").write_text("p {}")
    return folder


@pytest.fixture(scope="module")
def editor_address(redis_server: str, editor: Path) -> Iterator[str]:
    with running(redis_server, "w-editor", EDITOR_DIR=str(editor)) as (server,):
        yield server.url


def get_as_written(address: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask without any client's own ideas of what to accept or of how an address is written."""
    where = urlsplit(address)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=TIMEOUT_SECONDS)
    try:
        connection.putrequest("GET", path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    "accepted, encoding, body",
    [
        (None, None, CODE),
        ("identity", None, CODE),
        ("gzip", "gzip", b"as gzip"),
        ("gzip, deflate, br, zstd", "br", b"as brotli"),
        ("GZIP;Q=0.5, br;q=0.2", "gzip", b"as gzip"),
        ("br;q=0, gzip", "gzip", b"as gzip"),
        ("br;q=0, gzip;q=0", None, CODE),
        ("*", "br", b"as brotli"),
        ("*;q=0", None, CODE),
        ("identity, gzip;q=0.5", None, CODE),
        ("gzip;q=much", None, CODE),
    ],
)
def test_a_file_goes_in_the_form_that_is_liked_best(
    editor_address: str, accepted: str | None, encoding: str | None, body: bytes
) -> None:
    status, headers, content = get_as_written(
        editor_address, SCRIPT, **({"Accept_Encoding": accepted} if accepted else {})
    )
    assert (status, headers.get("content-encoding"), content) == (200, encoding, body)
    assert headers["vary"] == "Accept-Encoding"
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    assert headers["content-length"] == str(len(body))
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["x-content-type-options"] == "nosniff"


def test_a_part_is_one_of_the_file_itself(editor_address: str) -> None:
    status, headers, content = get_as_written(editor_address, SCRIPT, Accept_Encoding="br", Range="bytes=7-11")
    assert (status, content) == (206, CODE[7:12])
    assert "content-encoding" not in headers
    assert headers["content-range"] == f"bytes 7-11/{len(CODE)}"


def test_each_form_has_its_own_token_and_is_not_sent_twice(editor_address: str) -> None:
    tags = {}
    for accepted in ("identity", "gzip", "br"):
        tags[accepted] = get_as_written(editor_address, SCRIPT, Accept_Encoding=accepted)[1]["etag"]
    assert len(set(tags.values())) == 3
    status, headers, content = get_as_written(
        editor_address, SCRIPT, Accept_Encoding="br", If_None_Match=f'"x", W/{tags["br"]}'
    )
    assert (status, content, headers["etag"]) == (304, b"", tags["br"])
    assert get_as_written(editor_address, SCRIPT, Accept_Encoding="br", If_None_Match=tags["gzip"])[0] == 200


def test_a_file_without_packed_forms_goes_as_it_is(editor_address: str) -> None:
    status, headers, content = get_as_written(editor_address, "/assets/style-abc.css", Accept_Encoding="br, gzip")
    assert (status, content, headers["content-type"]) == (200, b"p {}", "text/css; charset=utf-8")
    assert "content-encoding" not in headers
    assert "vary" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/assets/none.js",
        f"{SCRIPT}.br",
        f"{SCRIPT}.gz",
        "/assets/../../secret.js",
        "/assets/%2e%2e/%2e%2e/secret.js",
        "/..%2fsecret.js",
        "/assets",
        "/assets/%00.js",
        "/" + "x" * 5000,
    ],
)
def test_anything_else_is_not_there(editor_address: str, path: str) -> None:
    status, _, content = get_as_written(editor_address, path, Accept_Encoding="br")
    assert status == 404
    assert b"secret" not in content


@pytest.mark.parametrize("path", ["/nonsense.png", "/assets/none.js", "/a/b.html"])
def test_a_file_that_is_not_there_is_a_problem_and_no_page(editor_address: str, path: str) -> None:
    """Whoever asks for a script or a picture is not given a page in its place."""
    status, headers, content = get_as_written(editor_address, path)
    assert (status, headers["content-type"]) == (404, "application/problem+json")
    assert json.loads(content)["code"] == "not_found"


def test_a_page_that_is_not_there_says_so_itself(editor_address: str) -> None:
    status, headers, content = get_as_written(editor_address, "/no/such/page")
    assert (status, headers["content-type"], b"The page" in content) == (404, "text/html; charset=utf-8", True)


def test_the_page_knows_the_version_of_its_server(editor_address: str) -> None:
    content = get_as_written(editor_address, "/")[2]
    assert f'content="{__version__}"'.encode() in content


def test_every_page_has_a_nonce_of_its_own(editor_address: str) -> None:
    """Its policy allows styles with the nonce that stands in the page, which no other answer has."""
    pages = ["/", "/", "/w/01j00000000000000000000000", "/sign-in", "/share", "/no/such/page"]
    nonces = set()
    for page in pages:
        _, headers, content = get_as_written(editor_address, page)
        found = re.search(r"style-src 'self' 'nonce-([\w-]{20,})';", headers["content-security-policy"])
        assert found, page
        assert f'nonce="{found[1]}"'.encode() in content
        nonces.add(found[1])
    assert len(nonces) == len(pages)


def test_what_installs_the_editor_may_be_read(editor_address: str) -> None:
    """Its policy names the manifest, which no other directive covers."""
    status, headers, _ = get_as_written(editor_address, "/manifest.webmanifest")
    assert (status, headers["content-type"]) == (200, "application/manifest+json")
    assert "manifest-src 'self'" in get_as_written(editor_address, "/")[1]["content-security-policy"]


def test_the_service_worker_is_asked_for_each_time_and_may_be_one(editor_address: str) -> None:
    """Pages may have it, it may ask this server alone, and no cache keeps it; its folder is its scope."""
    status, headers, _ = get_as_written(editor_address, "/offline.js", Service_Worker="script")
    assert (status, headers["cache-control"]) == (200, "no-cache")
    assert headers["content-type"].startswith("text/javascript")
    assert "connect-src 'self'" in headers["content-security-policy"]
    assert "service-worker-allowed" not in headers
    _, page, _ = get_as_written(editor_address, "/")
    assert "worker-src 'self'" in page["content-security-policy"]


def test_the_frame_that_draws_may_style_itself_and_ask_nobody(editor_address: str) -> None:
    """Mermaid's own styles are allowed in its frame alone, which only pages of this origin may hold."""
    status, headers, body = get_as_written(editor_address, "/mermaid")
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert (status, b"The frame" in body) == (200, True)
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'self'"
    assert not policy.keys() & {"connect-src", "img-src"}
    _, headers, _ = get_as_written(editor_address, "/")
    assert "'unsafe-inline'" not in headers["content-security-policy"]


def test_the_frame_of_a_remote_image_shows_it_and_does_nothing_else(editor_address: str) -> None:
    """An image of another server, with whatever is in its address, and no script, no style of others, no referrer."""
    asked = "https://example.org/a.png%3Fb%3D1%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
    status, headers, body = get_as_written(editor_address, f"/remote-image?address={asked}", Sec_Fetch_Dest="iframe")
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert status == 200
    assert policy["default-src"] == "'none'"
    assert policy["img-src"] == "https: http:"
    assert policy["frame-ancestors"] == "'self'"
    assert not policy.keys() & {"script-src", "connect-src"}
    assert headers["referrer-policy"] == "no-referrer"
    assert b'src="https://example.org/a.png?b=1&quot;&gt;&lt;script&gt;' in body
    assert b"<script" not in body
    _, page, _ = get_as_written(editor_address, "/")
    assert "img-src 'self' data: blob:;" in page["content-security-policy"]


@pytest.mark.parametrize(
    "asked,headers",
    [
        ("https://example.org/a.png", {"Sec_Fetch_Dest": "document"}),
        ("javascript:alert(1)", {}),
        ("data:image/png;base64,AAAA", {}),
        ("//example.org/a.png", {}),
        ("", {}),
        ("https://example.org/" + 2_000 * "a", {}),
    ],
)
def test_the_frame_of_a_remote_image_is_no_page_and_takes_web_addresses_alone(
    editor_address: str, asked: str, headers: dict[str, str]
) -> None:
    """Nobody can be sent to it by a link, and no other kind of address gets in."""
    assert get_as_written(editor_address, f"/remote-image?address={asked}", **headers)[0] == 404
