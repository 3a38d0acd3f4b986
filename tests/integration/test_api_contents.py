"""Reading over HTTP: the whole, its parts, ETags, and what methods an address takes."""

from __future__ import annotations

import re

import pytest

from tests import patient
from tests.integration.client import Api, check_problem, edge, node
from tests.kit.fixtures import workspace_fixture

NOBODY = "0" * 26
TEXT = "Intro.\n\n# Book\n\nOwn.\n\n## One\n\nFirst.\n\n## Two\n\nSee [Api](#node/api) and [gone](#node/gone).\n"
READS = ["", "/diagram", "/document"]


w = workspace_fixture([node("api"), node("db"), edge("api", "db")], name="Read", document={"text": TEXT})
"""A workspace with two nodes and a document of sections."""


def test_the_parts_are_those_of_the_whole(api: Api, w: str) -> None:
    whole = api.read(w)
    assert api.ask("GET", f"/workspaces/{w}/diagram") == whole["diagram"]
    assert api.ask("GET", f"/workspaces/{w}/document") == whole["document"] == {"text": TEXT, "eol": "lf"}
    assert whole["diagram"]["nodes"][0] == {
        "id": "api", "type": "service", "label": "Api", "description": "", "technology": "", "notes": "", "image": "",
        "color": "", "style": "", "properties": {}, "position": whole["diagram"]["nodes"][0]["position"], "size": None,
        "parent": None, "locked": False,
    }  # fmt: skip


@pytest.mark.parametrize("path", READS)
def test_a_reader_who_has_the_newest_is_told_so(api: Api, w: str, path: str) -> None:
    url = f"/api/v1/workspaces/{w}{path}"
    tag = api.get(url).headers["etag"]
    assert re.fullmatch(r'"[0-9a-z]{26}\.2\.[0-9a-f]{8}"', tag)
    for given in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        same = api.get(url, headers={"If-None-Match": given})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    assert api.get(url, headers={"If-None-Match": '"other"'}).status_code == 200
    api.batch(w, node("more"))
    fresh = api.get(url, headers={"If-None-Match": tag})
    assert fresh.status_code == 200
    assert fresh.headers["etag"] != tag


def test_the_outline_lists_sections_and_each_can_be_read(api: Api, w: str) -> None:
    items = api.ask("GET", f"/workspaces/{w}/outline")["items"]
    assert [(item["level"], item["title"]) for item in items] == [(1, "Book"), (2, "One"), (2, "Two")]
    for item in items:
        section = api.ask("GET", f"/workspaces/{w}/section", params={"path": item["path"]})
        assert (section["title"], section["line"]) == (item["title"], item["line"])
        assert section["text"] in TEXT
        assert len(section["text"]) == item["chars"]
    assert api.ask("GET", f"/workspaces/{w}/section", params={"path": "Book > One"})["own_text"].strip() == "First."
    assert "Intro." in api.ask("GET", f"/workspaces/{w}/section", params={"path": ""})["text"]


def test_the_outline_says_the_address_of_each_heading(api: Api) -> None:
    """Equal ones apart, and renaming one answers with what followed it."""
    text = "# Top\n\n[second](#notes-1)\n\n## Notes\n\none\n\n## Notes\n\n## 🎉\n"
    w = api.create(document={"text": text})
    items = api.ask("GET", f"/workspaces/{w}/outline")["items"]
    assert [item["anchor"] for item in items] == ["top", "notes", "notes-1", ""]
    edit = {"op": "edit_section", "section": "Top", "find": "## Notes\n\none", "replace": "## Remarks\n\none"}
    gone = api.batch(w, edit)
    assert [one["code"] for one in gone["warnings"]] == ["links_followed"]
    assert "[second](#notes)" in api.read(w)["document"]["text"]
    gone = api.batch(w, {"op": "replace_document", "text": "# Top\n\n[second](#notes)\n"})
    assert [one["code"] for one in gone["warnings"]] == ["dangling_anchor"]
    assert [one["code"] for one in api.ask("GET", f"/workspaces/{w}/lint")["items"]] == ["dangling_anchor"]


def test_a_section_that_is_not_there_is_answered_with_near_ones(api: Api, w: str) -> None:
    found = check_problem(api.get(f"/api/v1/workspaces/{w}/section?path=Ones+and+twos"), 404, "section_not_found")
    assert any("One" in candidate for candidate in found["candidates"])
    check_problem(api.get(f"/api/v1/workspaces/{w}/section"), 422, "invalid_request")
    api.batch(w, {"op": "insert_section", "title": "One", "text": "again"})
    ambiguous = check_problem(api.get(f"/api/v1/workspaces/{w}/section?path=One"), 422, "section_ambiguous")
    assert len(ambiguous["candidates"]) == 2


def test_lint_names_what_is_wrong_and_says_nothing_where_nothing_is(api: Api, w: str) -> None:
    assert [(one["code"], one["remedy"]) for one in api.ask("GET", f"/workspaces/{w}/lint")["items"]] == [
        ("dangling_link", "fix")
    ]
    api.batch(w, node("alone"))
    codes = {one["code"] for one in api.ask("GET", f"/workspaces/{w}/lint")["items"]}
    assert codes == {"dangling_link", "orphan"}
    clean = api.create(name="Clean")
    assert api.ask("GET", f"/workspaces/{clean}/lint")["items"] == []


def test_an_unknown_export_format_is_refused(api: Api, w: str) -> None:
    check_problem(api.get(f"/api/v1/workspaces/{w}/export?format=docx"), 422, "invalid_request")


@pytest.mark.parametrize(
    "path",
    ["", "/diagram", "/document", "/outline", "/section?path=x", "/lint", "/export", "/commits", "/commits/1",
     "/revisions/1", "/compare?from=1", "/checkpoints", "/undo"],
)  # fmt: skip
def test_every_read_of_no_workspace_is_the_same_404(api: Api, path: str) -> None:
    check_problem(api.get(f"/api/v1/workspaces/{NOBODY}{path}"), 404, "workspace_not_found")


def test_head_answers_as_get_does_without_the_body(api: Api, w: str) -> None:
    got, head = api.get(f"/api/v1/workspaces/{w}"), api.head(f"/api/v1/workspaces/{w}")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == got.headers["etag"]
    assert head.headers["content-length"] == str(len(got.content))
    assert api.head(f"/api/v1/workspaces/{NOBODY}").status_code == 404
    assert api.head("/healthz").status_code == 200


def test_options_and_other_methods_are_told_what_an_address_takes(api: Api, w: str) -> None:
    response = api.options(f"/api/v1/workspaces/{w}", headers={"Origin": "https://elsewhere.example"})
    assert (response.status_code, response.headers["allow"]) == (204, "DELETE, GET, HEAD, OPTIONS, PATCH")
    assert not [name for name in response.headers if name.startswith("access-control-")]
    refused = api.send_to("PUT", f"/workspaces/{w}")
    check_problem(refused, 405, "method_not_allowed")
    assert refused.headers["allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH"
    get_of_post = api.get(f"/api/v1/workspaces/{w}/batches")
    check_problem(get_of_post, 405, "method_not_allowed")
    assert get_of_post.headers["allow"] == "OPTIONS, POST"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_an_unknown_address_of_the_api_is_a_problem_document(api: Api, method: str) -> None:
    for path in ("/nothing", "/workspaces/a/b/c/d", ""):
        check_problem(api.send_to(method, path), 404, "not_found")


def test_the_reference_page_needs_no_other_origin(api: Api) -> None:
    page = api.get("/docs")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert not re.search(r"""(?:src|href)=['"]?(?:https?:)?//|<script""", page.text)
    for path in api.get("/api/v1/openapi.json").json()["paths"]:
        assert path in page.text


def test_files_of_the_editor_cannot_be_left(server: object, api: Api) -> None:
    with patient.client(base_url=api.base_url) as browser:
        for path in ("/%2e%2e/%2e%2e/pyproject.toml", "/..%2f..%2fpyproject.toml", "/a%00b", "/" + "x" * 3000, "/%ff"):
            response = browser.get(path)
            assert response.status_code == 404, path
            assert "hatchling" not in response.text
