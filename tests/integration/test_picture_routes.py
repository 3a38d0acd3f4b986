"""Pictures over HTTP, by the real process: what is drawn, what it answers with, and what it refuses."""

from __future__ import annotations

import json
import random
import struct
import subprocess
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from draftsmith.adapters.files.editor_folder import static_folder
from draftsmith.adapters.files.template_files import list_templates
from tests.integration.client import Api, check_problem, edge, node
from tests.integration.servers import running
from tests.kit.fixtures import workspace_fixture
from tests.technology_icons import embedded_icons

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

SVG = "{http://www.w3.org/2000/svg}"
TEXT = "# Shop\n\n## Orders\n\n[Api](#node/api) writes to [Db](#node/db).\n\n## Rest\n\nNothing.\n"
NAMES = ("Orders", "Bestellungen über alles", "注文サービス", '🚀 <b>& "Launch"</b>', "Заказы", "x" * 90)
NODE = """
const { readFileSync } = require('node:fs');
const world = require('node:vm').createContext({});
require('node:vm').runInContext(readFileSync(process.argv[1], 'utf8'), world);
for (const request of JSON.parse(readFileSync(0, 'utf8')))
  console.log(JSON.stringify(JSON.parse(world.draftsmithPicture.run(JSON.stringify(request))).svg));
"""


w = workspace_fixture(
    [
        node("core", type="group"),
        node("edge", type="group"),
        node("api", parent="core", technology="Go"),
        node("db", parent="core", type="database"),
        node("cdn", parent="edge"),
        edge("api", "db"),
        edge("cdn", "api"),
    ],
    name="Shop",
    document={"text": TEXT},
)
"""A workspace with two groups, three nodes, and a section that links to two of them."""


def picture(api: Api, w: str, headers: dict[str, str] | None = None, **query: Any) -> httpx.Response:
    return api.get(f"/api/v1/workspaces/{w}/picture.svg", params=query, headers=headers)


def png(api: Api, w: str, headers: dict[str, str] | None = None, **query: Any) -> httpx.Response:
    return api.get(f"/api/v1/workspaces/{w}/picture.png", params=query, headers=headers)


def pixels_of(content: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and rows of RGBA of a PNG of eight bits without interlacing."""
    width, height, depth, colour = struct.unpack(">IIBB", content[16:26])
    assert (content[:8], depth, colour) == (b"\x89PNG\r\n\x1a\n", 8, 6)
    packed, at = b"", 8
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at : at + 8])
        packed += content[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    raw, size = zlib.decompress(packed), 4 * width + 1
    rows, above = [], bytes(4 * width)
    for start in range(0, len(raw), size):
        above = unfiltered(raw[start], raw[start + 1 : start + size], above)
        rows.append(above)
    assert len(rows) == height
    return width, height, rows


def unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    """A row of a PNG before it was filtered (RFC 2083, 6)."""
    row = bytearray(line)
    for at, value in enumerate(line):
        left, up, corner = (row[at - 4], above[at], above[at - 4]) if at >= 4 else (0, above[at], 0)
        near = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
        row[at] = (value + (0, left, up, (left + up) // 2, near)[kind]) & 255
    return bytes(row)


def dark_in(content: bytes) -> int:
    """How many pixels are as dark as the letters of names."""
    _, _, rows = pixels_of(content)
    return sum(max(row[at : at + 3]) < 90 for row in rows for at in range(0, len(row), 4))


def nodes_in(response: httpx.Response) -> set[str | None]:
    """The ids of what is drawn: cards and frames."""
    assert response.status_code == 200, response.text
    groups = ET.fromstring(response.content).iter(f"{SVG}g")
    return {one.get("data-id") for one in groups if one.get("class") in ("node", "group")}


def test_it_is_what_the_page_would_export(api: Api) -> None:
    """Twenty workspaces in both themes, to the byte as Node makes them; the page's own: frontend/tests/model/export."""
    chance = random.Random(20)
    ids = [api.ask("POST", "/workspaces", 201, json={"template": one.id})["id"] for one in list_templates()]
    ids += [crowded(api, chance) for _ in range(20 - len(ids))]
    wholes = [api.read(w) for w in ids]
    requests = [
        {
            "diagram": whole["diagram"],
            "nodes": None,
            "title": whole["name"],
            "theme": theme,
            "scale": 1,
            **embedded_icons(whole["diagram"]),
        }
        for whole in wholes
        for theme in ("light", "dark")
    ]
    folder = static_folder()
    assert folder is not None
    command = ["node", "-e", NODE, str(folder / "picture" / "picture.js")]
    lines = subprocess.run(command, input=json.dumps(requests), capture_output=True, text=True, check=True).stdout
    expected = [json.loads(line) for line in lines.splitlines()]
    found = [picture(api, w, theme=theme).text for w in ids for theme in ("light", "dark")]
    assert found == expected
    assert len(set(found)) == len(found)


def crowded(api: Api, chance: random.Random) -> str:
    """A workspace of nodes with names in many scripts, in a heap, with lines of every kind and shape."""
    count = chance.randrange(3, 20)
    nodes = [
        node(
            f"n{at}",
            label=f"{chance.choice(NAMES)} {at}",
            type=chance.choice(["service", "queue", "user", "group"]),
            position={"x": chance.randrange(1500), "y": chance.randrange(900)},
        )
        for at in range(count)
    ]
    kinds = ["sync", "async", "data", "dependency"]
    shapes = ["", "straight", "curved"]
    lines = [
        edge(
            f"n{chance.randrange(at)}",
            f"n{at}",
            label=chance.choice(NAMES),
            kind=chance.choice(kinds),
            shape=chance.choice(shapes),
        )
        for at in range(1, count)
    ]
    w: str = api.create(name=chance.choice(NAMES))
    api.batch(w, *nodes, *lines)
    return w


def test_a_picture_is_an_svg_that_follows_the_workspace(api: Api, w: str) -> None:
    """Who has the newest is told so; who asks after a commit gets what is drawn then."""
    first = picture(api, w)
    assert first.headers["content-type"] == "image/svg+xml"
    assert nodes_in(first) == {"core", "edge", "api", "db", "cdn"}
    tag = first.headers["etag"]
    same = picture(api, w, {"If-None-Match": tag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    assert picture(api, w).content == first.content
    api.batch(w, node("more"))
    fresh = picture(api, w, {"If-None-Match": tag})
    assert "more" in nodes_in(fresh)
    assert fresh.headers["etag"] != tag


def test_a_part_of_it(api: Api, w: str) -> None:
    """Nodes with what they hold and the groups around them, by id or name; or what a section links to."""
    assert nodes_in(picture(api, w, nodes="core")) == {"core", "api", "db"}
    assert nodes_in(picture(api, w, nodes="DB,cdn")) == {"core", "db", "edge", "cdn"}
    assert nodes_in(picture(api, w, nodes=["db", "cdn"])) == {"core", "db", "edge", "cdn"}
    assert nodes_in(picture(api, w, section="Orders")) == {"core", "api", "db"}
    assert nodes_in(picture(api, w, section="", nodes="")) == {"core", "edge", "api", "db", "cdn"}


def test_the_past(api: Api, w: str) -> None:
    """As it was at a revision, also what has been deleted since."""
    api.batch(w, {"op": "delete_nodes", "ids": ["cdn"]})
    assert "cdn" not in nodes_in(picture(api, w))
    then = picture(api, w, revision=2)
    assert "cdn" in nodes_in(then)
    assert nodes_in(picture(api, w, revision=2, nodes="cdn")) == {"edge", "cdn"}
    assert picture(api, w, {"If-None-Match": then.headers["etag"]}, revision=2).status_code == 304


def test_an_empty_diagram_has_a_picture(api: Api) -> None:
    """A page that shows it has no broken image before the first node is drawn."""
    response = picture(api, api.create(name="Empty"))
    assert "Nothing is drawn here yet." in response.text
    assert nodes_in(response) == set()


def test_its_size(api: Api, w: str) -> None:
    """The scale changes how large it is shown, and nothing that is drawn."""
    one, half = (ET.fromstring(picture(api, w, scale=scale).content) for scale in (1, 0.5))
    assert half.get("viewBox") == one.get("viewBox")
    assert [round(int(one.get(side)) / 2) for side in ("width", "height")] == [
        int(half.get(side)) for side in ("width", "height")
    ]


def test_a_png_is_that_picture_in_pixels(api: Api, w: str) -> None:
    """As large as the SVG at that scale; its names are drawn, in the bundled font; who has it is told so."""
    svg = ET.fromstring(picture(api, w, scale=0.5).content)
    response = png(api, w, scale=0.5)
    assert response.headers["content-type"] == "image/png"
    width, height, rows = pixels_of(response.content)
    assert [str(width), str(height)] == [svg.get("width"), svg.get("height")]
    assert len({row[at : at + 4] for row in rows for at in range(0, len(row), 4)}) > 100
    bare = api.create(name="Shop")
    api.batch(bare, node("api", label="."))
    named = api.create(name="Shop")
    api.batch(named, node("api", label="Orders"))
    assert dark_in(png(api, named, nodes="api").content) > dark_in(png(api, bare, nodes="api").content) + 50
    assert png(api, w, {"If-None-Match": response.headers["etag"]}, scale=0.5).status_code == 304


def test_a_png_that_would_be_too_large(api: Api) -> None:
    """It is refused with its size before a pixel is ids; the SVG is drawn."""
    w = api.create(name="Wide")
    api.batch(w, node("a", position={"x": 0, "y": 0}), node("b", position={"x": 30_000, "y": 0}))
    problem = check_problem(png(api, w), 422, "picture_too_large")
    assert problem["width"] > 30_000
    assert problem["height"] > 50
    assert png(api, w, scale=0.25).status_code == 200
    assert picture(api, w).status_code == 200


@pytest.mark.parametrize(
    "query, status, code",
    [
        ({"nodes": "api,apis"}, 404, "node_not_found"),
        ({"section": "Nowhere at all"}, 404, "section_not_found"),
        ({"section": "Rest"}, 422, "section_without_nodes"),
        ({"revision": 99}, 404, "revision_unknown"),
        ({"theme": "blue"}, 422, "invalid_request"),
        ({"scale": 0}, 422, "invalid_request"),
        ({"scale": "nan"}, 422, "invalid_request"),
    ],
)
def test_what_cannot_be_drawn_is_refused(api: Api, w: str, query: dict[str, Any], status: int, code: str) -> None:
    """By a code, and never with a picture of something else."""
    check_problem(picture(api, w, **query), status, code)
    tag = picture(api, w).headers["etag"]
    if "nodes" in query or "section" in query:
        assert picture(api, w, {"If-None-Match": tag}, **query).status_code == status


@pytest.fixture(scope="module")
def without_editor(redis_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server whose editor was not built."""
    folder: Path = tmp_path_factory.mktemp("not-built")
    with running(redis_server, "w-bare", EDITOR_DIR=str(folder)) as servers, Api(servers[0].url) as client:
        yield client


def test_a_server_that_lacks_what_draws_says_so(without_editor: Api) -> None:
    """It is no part of this installation, which is another thing than a workspace that is not there."""
    check_problem(picture(without_editor, without_editor.create(name="Shop")), 501, "pictures_unavailable")
