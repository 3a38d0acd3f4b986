"""Images of nodes in pictures of the real process: embedded, equal to what the page makes, drawn in pixels, inert."""

from __future__ import annotations

import base64
import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import cast

import pytest

from draftsmith.adapters.files.editor_folder import static_folder
from draftsmith.model.images import ImageType, address_of
from tests.image_samples import SAMPLES, chunk, png, sha256_of, svg, webp
from tests.integration.client import Api, node, put_image
from tests.integration.test_picture_routes import NODE, SVG, picture, pixels_of
from tests.integration.test_picture_routes import png_picture as png_of

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

RED = (230, 20, 30)
RED_SVG = svg('width="40" height="40"', '<rect width="40" height="40" fill="rgb(230,20,30)"/>')


def shows(api: Api, w: str, content: bytes, kind: ImageType, name: str = "a") -> str:
    """Put an image and a node that shows it; the address."""
    put_image(api, w, content, kind)
    address = address_of(sha256_of(content), kind)
    api.batch(w, node(name, image=address))
    return address


def red_pixels(content: bytes) -> int:
    """How many pixels of a PNG are red."""
    _, _, rows = pixels_of(content)
    return sum(
        all(abs(part - wanted) < 12 for part, wanted in zip(row[at : at + 3], RED, strict=True))
        for row in rows
        for at in range(0, len(row), 4)
    )


def red_png(width: int = 20, height: int = 20) -> bytes:
    """A PNG in which every pixel is red: grey of 8 bits becomes a palette of one colour."""
    whole = png(width, height)
    head = whole[:25] + b"\x03" + whole[26:29]
    return whole[:8] + chunk(b"IHDR", head[16:29]) + chunk(b"PLTE", bytes(RED)) + whole[33:]


def test_it_is_what_the_page_would_export(api: Api) -> None:
    """To the byte as Node makes it of the same images, each of them embedded once, in an element that runs nothing."""
    w = api.create(name="Logos")
    data = {}
    for at, (kind, (content, _, _)) in enumerate(SAMPLES.items()):
        for again in "xy":
            address = shows(api, w, content, cast(ImageType, kind), f"n{at}{again}")
        data[address] = f"data:{kind};base64,{base64.b64encode(content).decode()}"
    whole = api.read(w)
    request = {"diagram": whole["diagram"], "nodes": None, "title": whole["name"], "theme": "light", "scale": 1}
    folder = static_folder()
    assert folder is not None
    command = ["node", "-e", NODE, str(folder / "picture" / "picture.js")]
    asked = json.dumps([{**request, "images": data}])
    lines = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout
    found = picture(api, w)
    assert found.text == json.loads(lines)
    images = list(ET.fromstring(found.content).iter(f"{SVG}image"))
    assert sorted(image.attrib["href"] for image in images) == sorted(data.values())
    assert len(list(ET.fromstring(found.content).iter(f"{SVG}use"))) == 2 * len(SAMPLES)


@pytest.mark.parametrize(
    "kind, content", [("image/png", red_png()), ("image/webp", webp(20, 20, RED)), ("image/svg+xml", RED_SVG)]
)
def test_a_png_shows_them(api: Api, kind: ImageType, content: bytes) -> None:
    """In the place of the icon: at twice the size some 56 pixels a side."""
    w = api.create(name="Logo")
    api.batch(w, node("plain", position={"x": 0, "y": 300}))
    assert red_pixels(png_of(api, w, scale=2).content) == 0
    shows(api, w, content, kind)
    assert 50 * 50 < red_pixels(png_of(api, w, scale=2).content) < 60 * 60


def test_an_image_that_comes_later_is_in_the_next_answer(api: Api) -> None:
    """Who has the picture without it is not told that it is the newest."""
    w, content = api.create(name="Late"), red_png()
    api.batch(w, node("a", image=address_of(sha256_of(content), "image/png")))
    before = picture(api, w)
    assert "<image" not in before.text
    tag = {"If-None-Match": before.headers["etag"]}
    assert picture(api, w, tag).status_code == 304
    put_image(api, w, content)
    after = picture(api, w, tag)
    assert (after.status_code, after.text.count("<image")) == (200, 1)
    assert picture(api, w, {"If-None-Match": after.headers["etag"]}).status_code == 304


def test_an_svg_in_an_svg_is_inert(api: Api, tmp_path: Path) -> None:
    """Its markup is nowhere in the picture, and no file that it names is drawn."""
    secret = tmp_path / "secret.png"
    secret.write_bytes(red_png())
    inside = (
        '<script>alert(1)</script><rect width="9" height="9" onload="alert(1)"/>'
        f'<image href="{secret}" width="40" height="40"/><image href="file://{secret}" width="40" height="40"/>'
    )
    w = api.create(name="Hostile")
    shows(api, w, svg(inside=inside), "image/svg+xml")
    text = picture(api, w).text
    assert "<image" in text
    assert "alert" not in text
    assert "secret" not in text
    assert red_pixels(png_of(api, w, scale=2).content) == 0
