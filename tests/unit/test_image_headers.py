"""Headers of images: what they say is read, and what is none, is cut off or would grow is refused."""

from __future__ import annotations

import struct

import pytest

from draftsmith.model.images import ImageHeader, ImageUnread, images_named, read_header
from tests.image_samples import SAMPLES, chunk, gif, jpeg, png, svg, webp

BOMB = '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
FAR = '<!DOCTYPE svg [<!ENTITY far SYSTEM "file:///etc/passwd">]>'
PLAIN_DOCTYPE = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'


@pytest.mark.parametrize("kind", SAMPLES)
def test_each_format_says_its_size(kind: str) -> None:
    content, width, height = SAMPLES[kind]
    assert read_header(content) == ImageHeader(kind, width, height)


@pytest.mark.parametrize("kind", SAMPLES)
def test_what_is_cut_off_is_refused(kind: str) -> None:
    """Wherever it is cut, but inside the pixels of a JPEG, whose end is not looked for."""
    content, _, _ = SAMPLES[kind]
    last = content.index(b"\xff\xda") if kind == "image/jpeg" else len(content) - 1
    for end in range(last):
        with pytest.raises(ImageUnread):
            read_header(content[:end])


@pytest.mark.parametrize(
    "attributes, size",
    [
        ('width="40px" height="30.2"', (40, 31)),
        ('width="1in" height="72pt"', (96, 96)),
        ('viewBox="0 0 1200 800"', (1200, 800)),
        ('viewBox="0,0,1200,800" width="600"', (600, 400)),
        ('width="100%" height="100%" viewBox="0 0 10 20"', (10, 20)),
        ("", (300, 150)),
        ('width="1e9" height="2"', (1_000_000_000, 2)),
    ],
)
def test_the_size_of_an_svg(attributes: str, size: tuple[int, int]) -> None:
    header = read_header(svg(attributes))
    assert (header.width, header.height) == size


def test_an_svg_may_have_a_declaration_and_a_public_doctype() -> None:
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n{PLAIN_DOCTYPE}\n'
    assert read_header(svg(before=head)).type == "image/svg+xml"
    assert read_header(b"\xef\xbb\xbf" + svg()).type == "image/svg+xml"
    assert read_header('<?xml version="1.0" encoding="UTF-16"?>'.encode("utf-16") + svg().decode().encode("utf-16-le"))


REFUSED = {
    "nothing": b"",
    "text": b"hello",
    "a page": b"<!doctype html><html><script>alert(1)</script></html>",
    "a page as XML": b'<html xmlns="http://www.w3.org/1999/xhtml"/>',
    "svg of no namespace": b"<svg width='1' height='1'/>",
    "entities": svg(before=BOMB, inside="<text>&b;</text>"),
    "a file of the server": svg(before=FAR, inside="<text>&far;</text>"),
    "deep": svg(inside="<g>" * 5_000 + "</g>" * 5_000),
    "many elements": svg(inside="<g/>" * 300_000),
    "not closed": svg()[:-6],
    "a page in a GIF": b"GIF89a/*<script>alert(1)</script>*/=1;",
    "GIF of many blocks": gif()[:19] + b"\x21\xfe" + b"\x01a" * 300_000 + b"\x00;",
    "PNG whose chunk is longer than the file": png().replace(struct.pack(">I", 13), struct.pack(">I", 14), 1),
    "PNG with a huge chunk": png()[:33] + struct.pack(">I4s", 0xFFFFFFF0, b"IDAT"),
    "PNG without pixels": png()[:33] + chunk(b"IEND", b""),
    "PNG of many chunks": png()[:33] + chunk(b"teXt", b"") * 300_000 + png()[33:],
    "JPEG without a frame": jpeg()[:20] + jpeg()[jpeg().index(b"\xff\xda") :],
    "JPEG with a page": b"\xff\xd8\xff<html>",
    "WebP longer than the file": webp()[:4] + struct.pack("<I", 5_000) + webp()[8:],
    "WebP of something else": b"RIFF\x04\x00\x00\x00WEBP",
}


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED.keys())
def test_what_poses_as_an_image_is_refused(content: bytes) -> None:
    with pytest.raises(ImageUnread):
        read_header(content)


def test_sides_are_those_of_the_header() -> None:
    """Whatever the pixels are: nothing is decoded."""
    assert read_header(png(60_000, 60_000, rows=b"")) == ImageHeader("image/png", 60_000, 60_000)
    wide = gif(10, 10).replace(struct.pack("<HHHH", 0, 0, 10, 10), struct.pack("<HHHH", 0, 0, 60_000, 10))
    assert read_header(wide).width == 60_000
    assert read_header(jpeg(65_500, 1)).width == 65_500


def test_images_are_named_by_their_address() -> None:
    one, other = "ab" * 32, "0f" * 32
    text = f'{{"text":"![a](images/{one}.png) <img src=\\"images/{other}.svg\\"> images/{one}0.png images/abc.png"}}'
    assert images_named(text.encode()) == {one, other}
