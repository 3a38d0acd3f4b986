"""Images of workspaces over HTTP, on the real server: put by hash, shown as what they are, refused with reasons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.hostile.images import HOSTILE_IMAGES
from tests.image_samples import SAMPLES, gif, png, sha256_of, svg
from tests.integration.client import Api, check_problem, node
from tests.integration.servers import Server, running
from tests.kit.fixtures import workspace_fixture

NOBODY = "0" * 64


w = workspace_fixture(name="Shop")


@pytest.fixture(scope="module")
def narrow(redis_server: str) -> Iterator[Server]:
    """A worker whose workspaces have room for two kilobytes of images, each of one kilobyte at most."""
    with running(redis_server, "w-narrow", MAX_IMAGE_BYTES="1000", MAX_IMAGES_BYTES="2000") as servers:
        yield servers[0]


def put(api: Api, w: str, content: bytes, kind: str = "image/png", name: str | None = None) -> httpx.Response:
    address = f"/api/v1/workspaces/{w}/images/{sha256_of(content) if name is None else name}"
    return api.put(address, content=content, headers={"Content-Type": kind})


def get(api: Api, w: str, name: str, **headers: str) -> httpx.Response:
    return api.get(f"/api/v1/workspaces/{w}/images/{name}", headers=headers)


def refused(answer: httpx.Response, status: int, code: str) -> list[tuple[str, str]]:
    """Where and why, of an answer that refuses."""
    problem = check_problem(answer, status, code)
    return [(one["path"], one["code"]) for one in problem["problems"]]


@pytest.mark.parametrize("kind", SAMPLES)
def test_an_image_is_put_and_shown(api: Api, w: str, kind: str) -> None:
    """Byte for byte, as its own type, under headers with which it is an image and nothing else."""
    content, width, height = SAMPLES[kind]
    name = sha256_of(content)
    said = {"sha256": name, "type": kind, "bytes": len(content), "width": width, "height": height}
    first, again = put(api, w, content, kind), put(api, w, content, kind)
    assert (first.status_code, first.json()) == (201, said)
    assert (again.status_code, again.json()) == (200, said)
    shown = get(api, w, name)
    assert (shown.status_code, shown.content) == (200, content)
    assert shown.headers["content-type"] == kind
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert shown.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert shown.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert shown.headers["content-length"] == str(len(content))
    assert get(api, w, f"{name}.png").content == content
    unchanged = get(api, w, f"{name}.html", **{"If-None-Match": shown.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] == shown.headers["etag"] == f'"{name}"'
    head = api.head(f"/api/v1/workspaces/{w}/images/{name}")
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", str(len(content)))


def test_the_bounds_are_told_with_the_list(api: Api, w: str) -> None:
    assert api.ask("GET", f"/workspaces/{w}/images")["items"] == []
    content = svg()
    put(api, w, content, "image/svg+xml")
    listed = api.ask("GET", f"/workspaces/{w}/images")
    name = sha256_of(content)
    assert listed["items"] == [
        {"sha256": name, "type": "image/svg+xml", "bytes": len(content), "address": f"images/{name}.svg"}
    ]
    assert listed["bytes"] == len(content)
    assert listed["limits"] == {
        "types": list(SAMPLES),
        "bytes": 10_000_000,
        "side": 16_384,
        "all_bytes": 200_000_000,
        "count": 2_000,
    }


def test_what_does_not_agree_is_refused_with_every_reason(api: Api, w: str) -> None:
    content = png()
    assert refused(put(api, w, content, name=NOBODY), 422, "image_refused") == [("/sha256", "hash_differs")]
    assert refused(put(api, w, content, "image/gif"), 422, "image_refused") == [("/content-type", "type_differs")]
    assert refused(put(api, w, content + b"!", "image/gif", sha256_of(content)), 422, "image_refused") == [
        ("/sha256", "hash_differs"),
        ("/content-type", "type_differs"),
    ]
    assert refused(put(api, w, b"GIF", "image/gif"), 422, "image_refused") == [("", "image_unread")]
    assert refused(put(api, w, png(16_385, 1)), 422, "image_refused") == [("", "image_too_large")]
    assert refused(put(api, w, gif(0, 5), "image/gif"), 422, "image_refused") == [("", "image_too_large")]
    assert refused(put(api, w, content, "text/html"), 415, "media_type") == []
    assert refused(put(api, w, content, "application/json"), 415, "media_type") == []
    assert api.ask("GET", f"/workspaces/{w}/images")["items"] == []


def test_what_would_be_right_is_said(api: Api, w: str) -> None:
    content = png()
    [wrong] = check_problem(put(api, w, content, name=NOBODY), 422, "image_refused")["problems"]
    assert sha256_of(content) in wrong["message"]
    [wrong] = check_problem(put(api, w, content, "image/webp"), 422, "image_refused")["problems"]
    assert "image/png" in wrong["message"]
    assert "image/webp" in check_problem(put(api, w, content, "application/json"), 415, "media_type")["detail"]


@pytest.mark.parametrize("hostile", HOSTILE_IMAGES, ids=lambda hostile: hostile.name)
def test_hostile_images_are_refused_or_harmless(api: Api, w: str, hostile: Any) -> None:
    """Bombs, wrong lengths, polyglots, scripts: refused, or kept and shown where nothing in them can run."""
    answer = put(api, w, hostile.content, hostile.kind)
    assert answer.status_code == hostile.status, answer.text
    if answer.is_success:
        shown = get(api, w, sha256_of(hostile.content))
        assert (shown.content, shown.headers["content-type"]) == (hostile.content, hostile.kind)
        assert shown.headers["content-security-policy"] == "sandbox; default-src 'none'"
        assert shown.headers["x-content-type-options"] == "nosniff"
    assert api.ask("GET", "/me")


@pytest.mark.parametrize(
    "name", ["%2e%2e", "%2e%2e%2f%2e%2e%2fSERVER", "unnamed.json", ".locks", "a" * 64 + "%00", "A" * 64, "x" * 64]
)
def test_no_name_leads_elsewhere(api: Api, w: str, name: str) -> None:
    content = png()
    put(api, w, content)
    assert get(api, w, name).status_code in (404, 422)
    assert put(api, w, content, name=name).status_code in (404, 405, 415, 422)
    assert [item["sha256"] for item in api.ask("GET", f"/workspaces/{w}/images")["items"]] == [sha256_of(content)]


def test_an_image_of_another_workspace_is_not_shown(api: Api, w: str) -> None:
    content, other = png(), api.create(name="Other")
    put(api, w, content)
    check_problem(get(api, other, sha256_of(content)), 404, "image_not_found")
    check_problem(get(api, w, NOBODY), 404, "image_not_found")
    check_problem(put(api, "0" * 26, content), 404, "workspace_not_found")
    check_problem(get(api, "0" * 26, NOBODY), 404, "workspace_not_found")


def test_the_trash_shows_and_takes_no_images(api: Api, w: str) -> None:
    content = png()
    put(api, w, content)
    api.ask("DELETE", f"/workspaces/{w}", 204)
    check_problem(put(api, w, content), 404, "workspace_deleted")
    check_problem(get(api, w, sha256_of(content)), 404, "workspace_deleted")
    api.ask("POST", f"/workspaces/{w}/undelete", json={})
    assert get(api, w, sha256_of(content)).content == content


def test_room_is_bounded(narrow: Server, redis_url: str) -> None:
    """What is there already takes no more room, and what is refused takes none."""
    with Api(narrow.url) as api:
        w = api.create(name="Shop")
        images = [png(salt=bytes([65 + number]) * 600) for number in range(4)]
        assert [put(api, w, image).status_code for image in images[:2]] == [201, 201]
        check_problem(put(api, w, images[2]), 422, "quota_reached")
        assert put(api, w, images[0]).status_code == 200
        listed = api.ask("GET", f"/workspaces/{w}/images")
        assert listed["bytes"] == sum(len(image) for image in images[:2])
        assert (listed["limits"]["bytes"], listed["limits"]["all_bytes"]) == (1_000, 2_000)
        large = png(salt=b"a" * 1_000)
        assert "1,000 bytes" in check_problem(put(api, w, large), 413, "body_too_large")["detail"]
        other = api.create(name="Other")
        assert put(api, other, images[2]).status_code == 201


def test_two_workers_serve_the_same_images(two: list[Api], tmp_path: Path) -> None:
    left, right = two
    w = left.create(name="Shop")
    content = png(salt=b"two")
    assert put(left, w, content).status_code == 201
    assert put(right, w, content).status_code == 200
    assert get(right, w, sha256_of(content)).content == content


def test_a_large_image_goes_both_ways(api: Api, w: str) -> None:
    content = png(salt=b"0123456789" * 990_000)
    assert len(content) > 9_900_000
    assert put(api, w, content).status_code == 201
    assert get(api, w, sha256_of(content)).content == content


def test_pages_of_other_sites_put_nothing(api: Api, w: str) -> None:
    content = png()
    address = f"/api/v1/workspaces/{w}/images/{sha256_of(content)}"
    headers = {"Content-Type": "image/png", "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    check_problem(api.put(address, content=content, headers=headers), 403, "cross_site")


def test_a_node_shows_an_image(api: Api, w: str) -> None:
    """By its address, which is set, changed, cleared and taken back like any text; nothing else is an address."""
    content = png()
    put(api, w, content)
    address = f"images/{sha256_of(content)}.png"
    api.batch(w, node("web", image=address), node("api"))
    images = {one["id"]: one["image"] for one in api.read(w)["diagram"]["nodes"]}
    assert images == {"web": address, "api": ""}
    api.batch(w, {"op": "update_node", "id": "web", "image": None})
    assert api.ask("GET", f"/workspaces/{w}/nodes/web")["image"] == ""
    api.ask("POST", f"/workspaces/{w}/undo", json={})
    assert api.ask("GET", f"/workspaces/{w}/nodes/web")["image"] == address
    assert api.ask("GET", f"/workspaces/{w}/export")["diagram"]["nodes"][1]["image"] == address
    copy = api.create(copy_of=w)
    assert get(api, copy, sha256_of(content)).content == content
    for false in (
        "javascript:alert(1)",
        "images/plan.png",
        f"https://x.test/{address}",
        f"{address}?x",
        f"../{address}",
    ):
        answer = api.send_to(
            "POST",
            f"/workspaces/{w}/batches",
            json={"operations": [{"op": "update_node", "id": "web", "image": false}]},
        )
        assert answer.status_code == 422, false
        assert "images/{sha256}.{ext}" in answer.text


def test_lint_names_images_that_are_not_there(api: Api, w: str) -> None:
    content = png()
    put(api, w, content)
    there, missing = f"images/{sha256_of(content)}.png", f"images/{NOBODY}.svg"
    api.batch(
        w,
        node("web", image=missing),
        node("api", image=there),
        {"op": "replace_document", "text": f"# Shop\n\n![a]({there})\n\n![b]({missing})\n"},
    )
    found = api.ask("GET", f"/workspaces/{w}/lint")["items"]
    assert [one["path"] for one in found if one["code"] == "image_missing"] == [
        "/diagram/nodes/web",
        "/document/lines/5",
    ]
