"""SVG that is cleaned: shapes stay, and nothing that runs, loads or grows."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from draftsmith.model.images import ImageUnread, read_header
from draftsmith.model.svg_cleaning import cleaned_svg
from tests.image_samples import png, svg

SHAPE = '<path d="M0 0h9v9z"/>'
NS = "{http://www.w3.org/2000/svg}"


def cleaned(inside: str, attributes: str = 'viewBox="0 0 10 20"') -> str:
    return cleaned_svg(svg(attributes, inside)).decode()


def tags(text: str) -> list[str]:
    return [one.tag.removeprefix(NS) for one in ET.fromstring(text).iter()]


def test_what_is_drawn_stays() -> None:
    """Shapes, gradients, masks and clip paths with what places and colours them, in a square."""
    inside = (
        '<defs><linearGradient id="a" x1="0" x2="1"><stop offset="0" stop-color="#f00"/></linearGradient>'
        '<clipPath id="c"><rect width="5" height="5"/></clipPath></defs>'
        '<g transform="translate(1 2) scale(.5)" clip-path="url(#c)">'
        '<path id="p" d="M0 0L5 5" fill="url(#a)" style="stroke: rgb(1,2,3); stroke-width:2"/></g>'
        '<use href="#p" x="3"/>'
    )
    text = cleaned(inside)
    assert tags(text) == ["svg", "defs", "linearGradient", "stop", "clipPath", "rect", "g", "path", "use"]
    root = ET.fromstring(text)
    assert (root.get("viewBox"), root.get("width"), root.get("height")) == ("0 0 10 20", "64", "64")
    path = next(root.iter(f"{NS}path"))
    assert dict(path.attrib) == {
        "id": "p", "d": "M0 0L5 5", "fill": "url(#a)", "stroke": "rgb(1,2,3)", "stroke-width": "2"
    }  # fmt: skip
    assert next(root.iter(f"{NS}g")).get("transform") == "translate(1 2) scale(.5)"
    assert read_header(text.encode()).type == "image/svg+xml"
    assert cleaned_svg(text.encode()).decode() == text


def test_its_size_is_its_view_box() -> None:
    """Of one that says its size alone the view box is that."""
    assert 'viewBox="0 0 40 30"' in cleaned(SHAPE, 'width="40" height="30"')


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<style>@import url(https://evil.example/x.css)</style>",
        '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example"/></foreignObject>',
        '<image href="https://evil.example/x.png"/>',
        '<image xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="file:///etc/passwd"/>',
        '<a href="javascript:evil()"><path d="M1 1" id="evil"/></a>',
        '<path d="M1 1" onclick="evil()" onload="evil()"/>',
        '<path d="M1 1" style="fill:url(https://evil.example/x)"/>',
        '<path d="M1 1" fill="url(https://evil.example/x#y)"/>',
        '<path d="M1 1" fill="\\75rl(//evil)"/>',
        '<path d="M1 1" fill="image-set(evil)"/>',
        '<animate attributeName="href" values="javascript:evil()"/>',
        '<set attributeName="onmouseover" to="evil()"/>',
        '<filter id="evil"><feImage href="https://evil.example"/></filter>',
        "<text>evil</text>",
        '<path xmlns="https://evil.example" d="M1 1" id="evil"/>',
        '<use href="https://evil.example/x.svg#a"/>',
        "<?evil href='x'?>",
        "<!-- evil -->",
        "<title>evil</title>",
    ],
)
def test_what_runs_or_loads_is_dropped(inside: str) -> None:
    """With what is in it; the shape beside it stays."""
    text = cleaned(inside + SHAPE)
    assert "evil" not in text
    assert not {"script", "style", "image", "a", "text", "filter", "animate", "set", "foreignObject"} & set(tags(text))
    assert "M0 0h9v9z" in text


def test_attributes_of_the_outermost_element_are_looks_alone() -> None:
    """Nothing that runs when it is loaded."""
    text = cleaned(SHAPE, 'viewBox="0 0 9 9" onload="evil()" class="evil" fill="none" d="evil"')
    assert "evil" not in text
    assert 'fill="none"' in text


def test_nothing_grows_by_being_repeated() -> None:
    """A thousand million shapes by nine lines of `use`, or masks of masks."""
    layers = '<path id="l0" d="M0 0"/>' + "".join(
        f'<g id="l{at}">' + f'<use href="#l{at - 1}"/>' * 10 + "</g>" for at in range(1, 9)
    )
    found = tags(cleaned(layers))
    assert found.count("use") == 10
    masks = '<mask id="a"><g mask="url(#b)"><path d="M0 0" clip-path="url(#a)"/></g></mask>'
    assert "url(" not in cleaned(masks)


@pytest.mark.parametrize(
    "content, why",
    [
        (png(), "it is no SVG"),
        (svg(inside="<script>1</script>"), "no shape"),
        (svg(inside=SHAPE, before='<!DOCTYPE svg [<!ENTITY a "aaaa">]>'), "document type"),
        (svg(inside="<g>" * 60 + "</g>" * 60), "too many"),
        (svg(inside=SHAPE * 1_001), "too many"),
        (b"<svg", "no XML"),
        (b"<html/>", "outermost"),
    ],
)
def test_what_is_no_icon_is_refused(content: bytes, why: str) -> None:
    """With the reason."""
    with pytest.raises(ImageUnread, match=why):
        cleaned_svg(content)
