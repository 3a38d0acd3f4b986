"""What an address says of itself where it is pasted: never more than its link may show."""

from __future__ import annotations

import html
import re
import struct
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.integration.client import check_problem, edge, node
from tests.integration.people import Town
from tests.kit.fixtures import admin_workspace_fixture, town_fixture

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

NAME = 'Secret "shop" <b>&'
NAMELESS = {"type": "link", "title": "Draftsmith", "version": "1.0", "provider_name": "Draftsmith"}


place = town_fixture("pre-one")


w = admin_workspace_fixture([node("api", label="Payroll"), node("db"), edge("api", "db")], name=NAME)


def linked_page(place: Town, w: str) -> tuple[str, Any]:
    """The address of a workspace with a link to its picture; and what was made."""
    made = place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer", "picture": {}})
    return f"{place.url}/w/{w}?link={made['token']}", made


def tags_at(place: Town, address: str) -> dict[str, str]:
    """The tags that a program sees which shows nothing but the address."""
    answer = place.stranger().get(address.removeprefix(place.url))
    assert answer.status_code == 200
    found = re.findall(r'<meta property="([\w:]+)" content="([^"]*)"', answer.text)
    return {name: html.unescape(content) for name, content in found}


def oembed(place: Town, address: str, **query: int) -> httpx.Response:
    return place.stranger().get("/api/v1/oembed", params={"url": address, **query})


def test_a_page_with_a_link_to_its_picture_has_a_preview(place: Town, w: str) -> None:
    """Title and picture, to whoever asks; the picture that it names is there, and so is what oEmbed says of it."""
    address, _ = linked_page(place, w)
    tags = tags_at(place, address)
    assert (tags["og:title"], tags["og:site_name"]) == (NAME, "Draftsmith")
    image = place.stranger().get(tags["og:image"].removeprefix(place.url))
    assert image.content[:8] == b"\x89PNG\r\n\x1a\n"
    page = place.stranger().get(address.removeprefix(place.url)).text
    [found] = re.findall(r'type="application/json\+oembed" href="([^"]*)"', page)
    answer = place.stranger().get(html.unescape(found).removeprefix(place.url)).json()
    assert (answer["type"], answer["title"]) == ("photo", NAME)
    shown = place.stranger().get(answer["url"].removeprefix(place.url))
    assert struct.unpack(">II", shown.content[16:24]) == (answer["width"], answer["height"])


@pytest.mark.parametrize("most", [{"maxwidth": 200}, {"maxheight": 60}, {"maxwidth": 150, "maxheight": 150}])
def test_a_preview_is_no_larger_than_asked(place: Town, w: str, most: dict[str, int]) -> None:
    address, made = linked_page(place, w)
    for one in (address, made["url"]):
        answer = oembed(place, one, **most).json()
        assert answer["width"] <= most.get("maxwidth", 10_000)
        assert answer["height"] <= most.get("maxheight", 10_000)
        assert parse_qs(urlsplit(answer["url"]).query)["link"] == [made["token"]]


def test_an_address_without_rights_says_the_products_name_alone(place: Town, w: str) -> None:
    """A workspace, a share link, a link to another workspace's picture, one that is none or was revoked."""
    address, made = linked_page(place, w)
    other, _ = linked_page(place, place.admin.create(name="Other"))
    role = place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "editor"})
    place.admin.ask("DELETE", f"/workspaces/{w}/shares/{made['id']}", 204)
    stolen = f"{place.url}/w/{w}?{urlsplit(other).query}"
    share, none = f"{place.url}/w/{w}?link={role['token']}", f"{place.url}/w/{w}?link=dsp_none"
    for one in (f"{place.url}/w/{w}", role["url"], stolen, share, none, address, made["url"], place.url):
        answer = oembed(place, one).json()
        assert answer == {**NAMELESS, "provider_url": place.url}, one
        if one != made["url"]:
            tags = tags_at(place, one)
            assert (tags["og:title"], "og:image" in tags) == ("Draftsmith", False), one
    page = place.admin.get(f"/w/{w}").text
    assert NAME not in html.unescape(page)


def test_addresses_of_others_are_none_of_ours(place: Town, w: str) -> None:
    address, _ = linked_page(place, w)
    for foreign in (address.replace("127.0.0.1", "evil.example"), f"{place.url}.evil.example/w/{w}", "no address"):
        check_problem(oembed(place, foreign), 404, "not_found")


def test_what_is_in_the_trash_has_no_preview(place: Town, w: str) -> None:
    address, _ = linked_page(place, w)
    place.admin.ask("DELETE", f"/workspaces/{w}", 204)
    assert tags_at(place, address)["og:title"] == "Draftsmith"
    assert oembed(place, address).json()["type"] == "link"
