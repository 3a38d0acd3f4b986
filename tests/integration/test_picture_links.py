"""Links to pictures: whoever has one sees that picture on any page, and gets nothing else by it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.integration.client import check_problem, edge, node
from tests.integration.people import Caller, Town
from tests.kit.fixtures import admin_workspace_fixture, town_fixture

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

SVG = "{http://www.w3.org/2000/svg}"
TEXT = "# Shop\n\n## Orders\n\n[Api](#node/api) writes to [Db](#node/db).\n\n## Layoffs\n\nNothing.\n"
WIKI = {"Origin": "https://wiki.example", "Referer": "https://wiki.example/page", "Sec-Fetch-Site": "cross-site"}


place = town_fixture("pl-one", "pl-two", TRIES_PER_MINUTE="3")


w = admin_workspace_fixture(
    [node("api"), node("db"), node("cdn"), edge("api", "db")], name="Shop", document={"text": TEXT}
)
"""Three nodes, and a section that links to two of them."""


def new_link(owner: Caller, w: str, **shows: Any) -> Any:
    """A new link to a picture."""
    body = {"role": "viewer", "picture": shows}
    return owner.ask("POST", f"/workspaces/{w}/shares", 201, json=body)


def picture_at(stranger: Caller, url: str, headers: dict[str, str] | None = None, **query: Any) -> httpx.Response:
    """What somebody gets who has nothing but the link's address."""
    address = urlsplit(url)
    given = {name: values[0] for name, values in parse_qs(address.query).items()}
    return stranger.get(address.path, params={**given, **query}, headers=headers)


def nodes_in(answer: httpx.Response) -> set[str | None]:
    assert answer.status_code == 200, answer.text
    return {one.get("data-id") for one in ET.fromstring(answer.content).iter(f"{SVG}g") if one.get("class") == "node"}


def test_a_link_shows_the_newest_picture_on_pages_of_any_origin(place: Town, w: str) -> None:
    """Without a credential, in the theme and size that are asked; who has the newest is told so."""
    made, stranger = new_link(place.admin, w), place.stranger()
    assert made["url"] == f"{place.url}/api/v1/picture.svg?link={made['token']}"
    first = picture_at(stranger, made["url"], WIKI)
    assert nodes_in(first) == {"api", "db", "cdn"}
    assert first.headers["content-type"] == "image/svg+xml"
    assert first.headers["cross-origin-resource-policy"] == "cross-origin"
    assert first.headers.get_list("access-control-allow-origin") == ["*"]
    assert first.headers["cache-control"] == "no-cache"
    assert "set-cookie" not in first.headers
    assert first.content == place.admin.get(f"/api/v1/workspaces/{w}/picture.svg").content
    tag = {"If-None-Match": first.headers["etag"]}
    same = picture_at(stranger, made["url"], {**WIKI, **tag})
    assert (same.status_code, same.headers["cross-origin-resource-policy"]) == (304, "cross-origin")
    place.admin.batch(w, node("more"))
    assert "more" in nodes_in(picture_at(stranger, made["url"], tag))
    assert nodes_in(picture_at(stranger, made["url"], nodes="cdn")) == {"cdn"}
    assert picture_at(stranger, made["url"], theme="dark").content != picture_at(stranger, made["url"]).content
    png = picture_at(stranger, made["url"].replace(".svg", ".png"), scale=0.5)
    assert png.content[:8] == b"\x89PNG\r\n\x1a\n"


def test_other_routes_are_for_our_own_pages_as_before(place: Town, w: str) -> None:
    """What a link opens up is its own address alone."""
    own = place.admin.get(f"/api/v1/workspaces/{w}/picture.svg", headers=WIKI)
    assert own.headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in own.headers
    assert own.headers["cache-control"] == "private, no-cache"


def test_a_link_shows_what_it_was_made_for_and_no_more(place: Town, w: str) -> None:
    """A part, by ids that stay when names change; a revision; what the link decides cannot be asked for otherwise."""
    stranger = place.stranger()
    part, section = new_link(place.admin, w, nodes=["Db"]), new_link(place.admin, w, section="Orders")
    then, whole = new_link(place.admin, w, revision=2), new_link(place.admin, w)
    assert part["picture"] == {"section": None, "nodes": ["db"], "revision": None}
    place.admin.batch(w, {"op": "update_node", "id": "db", "label": "Store"}, {"op": "delete_nodes", "ids": ["cdn"]})
    assert nodes_in(picture_at(stranger, part["url"])) == {"db"}
    assert nodes_in(picture_at(stranger, section["url"])) == {"api", "db"}
    assert nodes_in(picture_at(stranger, then["url"])) == {"api", "db", "cdn"}
    assert nodes_in(picture_at(stranger, whole["url"])) == {"api", "db"}
    for made, query in (
        (part, {"nodes": "api"}),
        (section, {"nodes": "cdn"}),
        (whole, {"section": "Orders"}),
        (whole, {"revision": 2}),
        (then, {"revision": 1}),
    ):
        check_problem(picture_at(stranger, made["url"], **query), 403, "forbidden")


def test_what_is_not_there_is_told_without_what_else_there_is(place: Town, w: str) -> None:
    """A link to a part names nothing of the rest, of the document neither."""
    stranger = place.stranger()
    section, part = new_link(place.admin, w, section="Orders"), new_link(place.admin, w, nodes=["db"])
    text = TEXT.replace("## Orders", "## Payments")
    place.admin.batch(w, {"op": "delete_nodes", "ids": ["db"]}, {"op": "replace_document", "text": text})
    for made, code in ((section, "section_not_found"), (part, "node_not_found")):
        problem = check_problem(picture_at(stranger, made["url"]), 404, code)
        assert problem["detail"] == "What this link shows is not there now."
        assert problem["problems"] == []


@pytest.mark.parametrize(
    "body, status, code",
    [
        ({"role": "editor", "picture": {}}, 422, "invalid_request"),
        ({"role": "viewer", "picture": {"nodes": ["apis"]}}, 404, "node_not_found"),
        ({"role": "viewer", "picture": {"section": "Nowhere at all"}}, 404, "section_not_found"),
        ({"role": "viewer", "picture": {"revision": 99}}, 404, "revision_unknown"),
        ({"role": "viewer", "picture": {"theme": "dark"}}, 422, "invalid_request"),
    ],
)
def test_a_link_to_what_is_not_there_is_not_made(
    place: Town, w: str, body: dict[str, Any], status: int, code: str
) -> None:
    check_problem(place.admin.send_to("POST", f"/workspaces/{w}/shares", json=body), status, code)
    assert place.admin.ask("GET", f"/workspaces/{w}/shares")["items"] == []


def test_a_link_is_listed_and_revoked_with_the_others(place: Town, w: str) -> None:
    """Its next request gets nothing, also from who has the newest picture, and on another worker."""
    role, made = (
        place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer"}),
        new_link(place.admin, w),
    )
    stranger = place.stranger()
    tag = {"If-None-Match": picture_at(stranger, made["url"]).headers["etag"]}
    listed = place.admin.ask("GET", f"/workspaces/{w}/shares")["items"]
    whole = {"section": None, "nodes": [], "revision": None}
    assert [(one["id"], one["picture"]) for one in listed] == [(role["id"], None), (made["id"], whole)]
    assert listed[1]["used_at"] is not None
    place.admin.ask("DELETE", f"/workspaces/{w}/shares/{made['id']}", 204)
    for server in place.servers:
        check_problem(picture_at(place.stranger(server.url), made["url"], tag), 422, "share_invalid")
    assert [one["id"] for one in place.admin.ask("GET", f"/workspaces/{w}/shares")["items"]] == [role["id"]]
    audit = place.admin.ask("GET", f"/workspaces/{w}/audit")["items"]
    assert [(one["what"], one["detail"]) for one in audit][:1] == [("share.revoked", f"picture ({made['id']})")]


def test_a_link_shows_while_who_made_it_may_share(place: Town, w: str) -> None:
    """Rights are those of the person now."""
    eve = place.person("Eve, who shows")
    member = f"/workspaces/{w}/members/{eve.id}"
    place.admin.ask("PUT", member, json={"role": "owner"})
    made = new_link(eve, w)
    assert picture_at(place.stranger(), made["url"]).status_code == 200
    place.admin.ask("PUT", member, json={"role": "editor"})
    check_problem(picture_at(place.stranger(), made["url"]), 422, "share_invalid")
    check_problem(
        eve.send_to("POST", f"/workspaces/{w}/shares", json={"role": "viewer", "picture": {}}), 403, "forbidden"
    )
    place.admin.ask("PUT", member, json={"role": "owner"})
    assert picture_at(place.stranger(), made["url"]).status_code == 200
    place.admin.ask("DELETE", f"/users/{eve.id}", 204)
    check_problem(picture_at(place.stranger(), made["url"]), 422, "share_invalid")


def test_its_token_opens_nothing_else(place: Town, w: str) -> None:
    """Neither as a share link, nor as a key, nor in place of a role; and theirs show no picture."""
    made, stranger = new_link(place.admin, w), place.stranger()
    check_problem(stranger.send_to("POST", "/shares/open", json={"token": made["token"]}), 422, "share_invalid")
    check_problem(stranger.send_to("GET", f"/workspaces/{w}"), 401, "unauthorized")
    program = place.caller(key=made["token"])
    check_problem(program.send_to("GET", f"/workspaces/{w}/picture.svg"), 401, "credential_invalid")
    other = place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "editor"})["token"]
    disguised = made["token"].replace("dsp_", "dss_")
    assert disguised != made["token"]
    for token in (other, disguised, f"dsp_{other[4:]}", "dsp_", place.key()):
        answer = stranger.get("/api/v1/picture.svg", params={"link": token})
        check_problem(answer, 422, "share_invalid")


def test_a_page_with_a_revoked_link_locks_nobody_out(place: Town, w: str) -> None:
    """It is asked for by every reader of a wiki; that is no guessing at credentials."""
    made = new_link(place.admin, w)
    place.admin.ask("DELETE", f"/workspaces/{w}/shares/{made['id']}", 204)
    for _ in range(8):
        check_problem(picture_at(place.stranger(), made["url"]), 422, "share_invalid")


def test_what_is_in_the_trash_is_not_shown(place: Town, w: str) -> None:
    made = new_link(place.admin, w)
    place.admin.ask("DELETE", f"/workspaces/{w}", 204)
    check_problem(picture_at(place.stranger(), made["url"]), 404, "workspace_deleted")


def test_no_token_is_in_the_logs(place: Town, w: str) -> None:
    made = new_link(place.admin, w)
    picture_at(place.stranger(), made["url"])
    picture_at(place.stranger(), made["url"], scale="nan")
    check_problem(place.stranger().send_to("GET", f"/picture.svg?link={'x' * 300}"), 422, "invalid_request")
    assert made["token"] not in "".join(server.log for server in place.servers)
