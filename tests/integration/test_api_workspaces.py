"""The lives of workspaces over HTTP: made, listed, copied, imported, exported, renamed, in the trash and back."""

from __future__ import annotations

import base64
import zlib
from typing import Any
from urllib.parse import quote

import pytest
import redis

from tests.integration.client import Api, check_problem, edge, node
from tests.integration.servers import Server

NOBODY = "0" * 26
MARKDOWN = "---\ntitle: x\n---\n# Ship  it\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n# no\n```\n".replace("\n", "\r\n")
BANANA = {"nodes": [{"id": "a", "type": "banana", "label": "A"}]}
DRAWING = (
    '<mxfile><diagram name="Shop"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>'
    '<mxCell id="a" value="Web" vertex="1" parent="1"><mxGeometry width="120" height="60"/></mxCell>'
    '<mxCell id="b" value="Orders" vertex="1" parent="1"><mxGeometry x="300" width="120" height="60"/></mxCell>'
    '<mxCell id="e" edge="1" parent="1" source="a" target="b"/><mxCell id="f" edge="1" parent="1" source="a"/>'
    '</root></mxGraphModel></diagram><diagram name="Tills"><mxGraphModel><root><mxCell id="0"/>'
    '<mxCell id="c" value="Till" vertex="1" parent="0"><mxGeometry width="120" height="60"/></mxCell>'
    "</root></mxGraphModel></diagram></mxfile>"
)


def _png(drawing: str) -> bytes:
    """A PNG as draw.io saves one, without its pixels."""
    chunks = ((b"IHDR", b"\0" * 13), (b"tEXt", b"mxfile\0" + quote(drawing).encode()), (b"IEND", b""))
    parts = (
        len(body).to_bytes(4, "big") + name + body + zlib.crc32(name + body).to_bytes(4, "big") for name, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def full_workspace(api: Api) -> str:
    """A workspace with something in every field that there is."""
    w = api.create(name="Füll ✓ “quoted”", document={"text": "# Füll\n\n## Part\n\nText.\n", "eol": "lf"})
    api.batch(
        w,
        {"op": "add_node", "id": "zone", "type": "group", "label": "Zone", "size": {"width": 400, "height": 300}},
        node("api", parent="zone", description="d", technology="t", notes="n", properties={"k": "v"}),
        node("db", parent="zone", position={"x": 10.25, "y": -20}, size={"width": 200, "height": 90}),
        node("lone", locked=True),
        edge("api", "db", kind="async", direction="both", description="e", properties={"x": "y"}),
        edge("lone", "api", id="own-id", route=[{"x": 1, "y": 2}, {"x": 3.5, "y": 4}]),
    )
    return w


def test_a_new_workspace_is_empty_and_is_where_its_location_says(api: Api) -> None:
    response = api.post("/api/v1/workspaces", json={})
    made = response.json()
    assert response.status_code == 201
    assert response.headers["location"] == f"/api/v1/workspaces/{made['id']}"
    assert (made["name"], made["revision"], made["nodes"], made["warnings"]) == ("Untitled", 1, 0, [])
    whole = api.read(made["id"])
    assert whole == {
        "id": made["id"],
        "name": "Untitled",
        "role": "owner",
        "revision": 1,
        "diagram": {"nodes": [], "edges": []},
        "document": {"text": "", "eol": "lf"},
        "frozen": None,
    }


def test_every_template_makes_a_workspace_without_warnings(api: Api) -> None:
    listed = api.ask("GET", "/templates")
    names = [item["id"] for item in listed["items"]]
    assert {"blank", "web-service", "event-driven", "data-pipeline", "sample"} >= set(names) >= {"blank", "web-service"}
    for item in listed["items"]:
        made = api.ask("POST", "/workspaces", 201, json={"template": item["id"]})
        assert (made["nodes"], made["edges"], made["warnings"]) == (item["nodes"], item["edges"], [])
        assert made["name"] == item["name"] or made["name"]
        assert api.ask("GET", f"/workspaces/{made['id']}/lint")["items"] == []


def test_an_unknown_template_is_named_with_those_there_are(api: Api) -> None:
    response = api.post("/api/v1/workspaces", json={"template": "nothing-such"})
    check_problem(response, 422, "template_unknown")


def test_two_sources_are_refused(api: Api) -> None:
    check_problem(api.post("/api/v1/workspaces", json={"template": "blank", "copy_of": NOBODY}), 422, "invalid_request")
    both = {"template": "blank", "diagram": {"nodes": [], "edges": []}}
    check_problem(api.post("/api/v1/workspaces", json=both), 422, "invalid_request")


def test_a_copy_holds_what_the_original_held_and_goes_its_own_way(api: Api) -> None:
    w = full_workspace(api)
    copy = api.create(copy_of=w)
    original, copied = api.read(w), api.read(copy)
    assert copied["diagram"] == original["diagram"]
    assert copied["document"] == original["document"]
    assert copied["name"] == f"Copy of {original['name']}"
    api.batch(copy, {"op": "delete_node", "id": "db"})
    assert api.read(w) == original
    assert api.create(copy_of=w, name="Named") != copy
    check_problem(api.post("/api/v1/workspaces", json={"copy_of": NOBODY}), 404, "workspace_not_found")


def test_a_json_export_comes_back_byte_for_byte(api: Api) -> None:
    w = full_workspace(api)
    exported = api.get(f"/api/v1/workspaces/{w}/export", params={"format": "json"})
    assert exported.json()["format"] == "draftsmith/1"
    again = api.create(**{"import": {"format": "json", "content": exported.json()}})
    assert api.get(f"/api/v1/workspaces/{again}/export").content == exported.content
    ours, theirs = api.read(w), api.read(again)
    assert (ours["diagram"], ours["document"], ours["name"]) == (theirs["diagram"], theirs["document"], theirs["name"])


def test_markdown_comes_back_with_its_own_line_ends(api: Api) -> None:
    w = api.create(**{"import": {"format": "markdown", "content": MARKDOWN}})
    whole = api.read(w)
    assert whole["name"] == "Ship it"
    assert whole["document"] == {"text": MARKDOWN.replace("\r\n", "\n"), "eol": "crlf"}
    exported = api.get(f"/api/v1/workspaces/{w}/export", params={"format": "markdown"})
    assert exported.headers["content-type"] == "text/markdown; charset=utf-8"
    assert exported.content.decode() == MARKDOWN


@pytest.mark.parametrize("text", ["# A\r\n\nx\n", "# A\r\rx\r"])
def test_line_ends_that_are_not_kept_are_told(api: Api, text: str) -> None:
    """Whatever a workspace is made of, at the place in the body where the text stands; CR LF throughout is kept."""
    exported = {"format": "draftsmith/1", "document": {"text": text}}
    for body, path in (
        ({"import": {"format": "markdown", "content": text}}, "/import/content"),
        ({"import": {"format": "json", "content": exported}}, "/import/content/document/text"),
        ({"document": {"text": text}}, "/document/text"),
    ):
        made = api.ask("POST", "/workspaces", 201, json=body)
        assert [(one["code"], one["path"]) for one in made["warnings"]] == [("line_ends_mixed", path)]
        raw = api.get(f"/api/v1/workspaces/{made['id']}/export", params={"format": "markdown"})
        assert raw.content.decode() == text.replace("\r\n", "\n").replace("\r", "\n")
    kept = api.ask("POST", "/workspaces", 201, json={"import": {"format": "markdown", "content": MARKDOWN}})
    assert kept["warnings"] == []


def test_mermaid_comes_back_and_says_what_it_could_not_read(api: Api) -> None:
    text = (
        "flowchart LR\n  web[Shop] -->|orders| api[Orders]\n  api --> db[(Store)]\n  ??? what\n  style web fill:#f00\n"
    )
    made = api.ask("POST", "/workspaces", 201, json={"import": {"format": "mermaid", "content": text}})
    w = made["id"]
    assert [warning["code"] for warning in made["warnings"]] == ["line_unread"] * 2
    assert "Line 4" in made["warnings"][0]["message"]
    diagram = api.read(w)["diagram"]
    assert {one["id"]: one["label"] for one in diagram["nodes"]} == {"web": "Shop", "api": "Orders", "db": "Store"}
    exported = api.get(f"/api/v1/workspaces/{w}/export", params={"format": "mermaid"})
    assert exported.headers["content-type"] == "text/vnd.mermaid; charset=utf-8"
    again = api.create(**{"import": {"format": "mermaid", "content": exported.text}})
    drawn = [(one["id"], one["label"], one["type"]) for one in api.read(again)["diagram"]["nodes"]]
    assert drawn == [(one["id"], one["label"], one["type"]) for one in diagram["nodes"]]


def test_a_diagram_exported_for_draw_io_comes_back_with_everything_in_it(api: Api) -> None:
    """With ids, places, groups and properties; the document is not in it."""
    w = full_workspace(api)
    exported = api.get(f"/api/v1/workspaces/{w}/export", params={"format": "drawio"})
    assert exported.headers["content-type"] == "application/vnd.jgraph.mxfile"
    made = api.ask("POST", "/workspaces", 201, json={"import": {"format": "drawio", "content": exported.text}})
    assert made["warnings"] == []
    before, after = (api.read(one)["diagram"] for one in (w, made["id"]))
    assert after["edges"] == before["edges"]
    assert [{**one, "size": None} for one in after["nodes"]] == [{**one, "size": None} for one in before["nodes"]]


def test_the_diagram_as_text_comes_back_and_says_which_lines_it_could_not_read(api: Api) -> None:
    text = "Shop\n  Orders DB [Postgres]\nOrders -> Orders DB: reads\nMail (nothing)\n"
    made = api.ask("POST", "/workspaces", 201, json={"import": {"format": "text", "content": text}})
    (warning,) = made["warnings"]
    assert (warning["code"], warning["path"]) == ("line_unread", "/import/content")
    assert warning["message"].startswith("Line 4 was not taken over: “nothing” is no type")
    nodes = {one["label"]: one for one in api.read(made["id"])["diagram"]["nodes"]}
    assert {label: one["type"] for label, one in nodes.items()} == {
        "Shop": "group", "Orders DB": "database", "Orders": "service", "Mail": "service",
    }  # fmt: skip
    assert len({(one["position"]["x"], one["position"]["y"], one["parent"]) for one in nodes.values()}) == 4
    exported = api.get(f"/api/v1/workspaces/{made['id']}/export", params={"format": "text"})
    assert exported.headers["content-type"] == "text/plain; charset=utf-8"
    lines = ["Shop", "  Orders DB [Postgres]", "Orders", "Mail", "", "Orders -> Orders DB: reads"]
    assert sorted(exported.text.splitlines()) == sorted(lines)
    again = api.create(**{"import": {"format": "text", "content": exported.text}})
    written = api.get(f"/api/v1/workspaces/{again}/export", params={"format": "text"}).text
    assert sorted(written.splitlines()) == sorted(lines)


@pytest.mark.parametrize("content", ["-> Orders\n", "x" * 5_000_001], ids=["no line", "too long"])
def test_a_text_of_which_no_line_can_be_read_creates_nothing(api: Api, content: str) -> None:
    body = {"name": "Shop", "import": {"format": "text", "content": content}}
    found = check_problem(api.post("/api/v1/workspaces", json=body), 422, "invalid_request")
    assert (found["line"], found["problems"][0]["path"]) == (1, "/import/content")
    assert "Nothing was created." in found["detail"]
    assert api.ask("GET", "/workspaces")["items"] == []


@pytest.mark.parametrize(
    "text, line, candidates",
    [
        ("gantt\n  title Plan\n", 1, ["flowchart", "graph"]),
        ("---\ntitle: Shop\n---\npie\n  title x\n", 4, ["flowchart", "graph"]),
        ("%% drawn by hand\nmindmap\n  root\n", 2, ["flowchart", "graph"]),
        ("No diagram at all.", 1, ["flowchart", "graph"]),
        ("", 1, ["flowchart", "graph"]),
        ("flowchart LR\n  ??? what\n", 2, []),
        ("flowchart LR\n" + "a\n" * 500_000, 1, []),
    ],
    ids=["Gantt", "pie", "mind map", "prose", "nothing", "unreadable", "too long"],
)
def test_mermaid_of_a_kind_that_is_not_read_creates_nothing(
    api: Api, text: str, line: int, candidates: list[str]
) -> None:
    """The problem names the line and what would be right; the key is free for the next try."""
    headers = {"Idempotency-Key": "other-kind-1"}
    body = {"name": "Shop", "import": {"format": "mermaid", "content": text}}
    for _ in range(2):
        found = check_problem(api.post("/api/v1/workspaces", json=body, headers=headers), 422, "mermaid_unread")
        (problem,) = found["problems"]
        assert (found["line"], problem["path"], problem["candidates"]) == (line, "/import/content", candidates)
        assert problem["message"].startswith(f"Line {line}: ")
        assert "Nothing was created." in found["detail"]
    assert api.ask("GET", "/workspaces")["items"] == []
    body["import"] = {"format": "mermaid", "content": "flowchart LR\n  a --> b\n"}
    assert api.post("/api/v1/workspaces", json=body, headers=headers).json()["nodes"] == 2


def test_a_page_of_a_drawing_becomes_a_workspace(api: Api) -> None:
    """The first by itself, and then a warning names the others; what is not kept is a warning each."""
    made = api.ask("POST", "/workspaces", 201, json={"import": {"format": "drawio", "content": DRAWING}})
    assert (made["name"], made["nodes"], made["edges"]) == ("Shop", 2, 1)
    left, loose = made["warnings"]
    assert (left["code"], left["candidates"]) == ("pages_left", ["2"])
    assert (loose["code"], loose["path"]) == ("shape_unread", "/import/content")
    assert "one end only" in loose["message"]
    png = base64.b64encode(_png(DRAWING)).decode()
    for content in (DRAWING, png):
        body = {"name": "Second", "import": {"format": "drawio", "content": content, "page": 2}}
        second = api.ask("POST", "/workspaces", 201, json=body)
        assert (second["name"], second["warnings"]) == ("Second", [])
        assert [node["label"] for node in api.read(second["id"])["diagram"]["nodes"]] == ["Till"]


@pytest.mark.parametrize(
    "drawing, code, path",
    [
        ({"content": "<html/>"}, "drawio_unread", "/import/content"),
        ({"content": "<mxfile><diagram"}, "drawio_unread", "/import/content"),
        ({"content": "<mxGraphModel/>", "page": 2}, "page_unknown", "/import/page"),
        ({"content": "<mxGraphModel/>", "page": 0}, "invalid_request", "/import/page"),
        ({"content": "<!DOCTYPE a [<!ENTITY b 'c'>]><mxfile/>"}, "drawio_unread", "/import/content"),
    ],
    ids=["HTML", "cut", "no such page", "page 0", "entities"],
)
def test_a_drawing_that_cannot_be_read_creates_nothing(api: Api, drawing: dict[str, Any], code: str, path: str) -> None:
    answer = api.post("/api/v1/workspaces", json={"import": {"format": "drawio", **drawing}})
    assert check_problem(answer, 422, code)["problems"][0]["path"] == path
    assert api.ask("GET", "/workspaces")["items"] == []


def test_a_large_drawing_is_read_in_another_process(api: Api) -> None:
    """It answers the same."""
    many = "".join(
        f'<mxCell id="n{i}" value="N{i}" vertex="1" parent="1">'
        f'<mxGeometry x="{i * 200}" width="180" height="72"/></mxCell>'
        for i in range(500)
    )
    content = f"<mxGraphModel><root>{many}</root></mxGraphModel>"
    made = api.ask("POST", "/workspaces", 201, json={"import": {"format": "drawio", "content": content}})
    assert (made["nodes"], made["warnings"]) == (500, [])


def test_a_document_keeps_diagrams_of_other_kinds_and_says_that_they_are_no_nodes(api: Api) -> None:
    """Markdown is a document first: other diagrams in it are shown there, and a warning says why they are no nodes."""
    text = "# Shop\n\n```mermaid\nsequenceDiagram\n  A->>B: hi\n```\n"
    made = api.ask("POST", "/workspaces", 201, json={"import": {"format": "markdown", "content": text}})
    assert api.read(made["id"])["document"]["text"] == text
    (warning,) = made["warnings"]
    assert warning["code"] == "line_unread"
    assert warning["message"].startswith("Line 4 was not taken over: this is a sequence diagram, and only flowcharts")


@pytest.mark.parametrize(
    "body, code, path",
    [
        ({"diagram": BANANA}, "batch_rejected", "/diagram/nodes/0/type"),
        ({"diagram": {"nodes": [{"id": "a", "type": "api", "label": 5}]}}, "invalid_request", "/diagram/nodes/0/label"),
        ({"diagram": {"nodes": [], "arcs": []}}, "invalid_request", "/diagram/arcs"),
        ({"document": {"text": 5}}, "invalid_request", "/document/text"),
        ({"document": {"text": "x", "eol": "cr"}}, "invalid_request", "/document/eol"),
        ({"import": {"format": "json", "content": {"format": "other"}}}, "invalid_request", "/import/content/format"),
        ({"import": {"format": "json", "content": "text"}}, "invalid_request", "/import/content"),
        ({"import": {"format": "markdown", "content": {}}}, "invalid_request", "/import/content"),
        ({"import": {"format": "pdf", "content": ""}}, "invalid_request", "/import"),
        (
            {"import": {"format": "json", "content": {"format": "draftsmith/1", "diagram": BANANA}}},
            "batch_rejected",
            "/import/content/diagram/nodes/0/type",
        ),
        ({"name": ""}, "invalid_request", "/name"),
        ({"name": "x" * 201}, "invalid_request", "/name"),
        ({"title": "x"}, "invalid_request", "/title"),
    ],
)
def test_what_does_not_fit_is_told_in_places_of_the_body_and_makes_nothing(
    api: Api, body: dict[str, Any], code: str, path: str
) -> None:
    document = check_problem(api.post("/api/v1/workspaces", json=body), 422, code)
    assert path in [problem["path"] for problem in document["problems"]]
    assert api.ask("GET", "/workspaces")["items"] == []


def test_repeating_a_creation_finds_the_same_workspace(api: Api) -> None:
    key = {"Idempotency-Key": "create-once-1"}
    first = api.post("/api/v1/workspaces", json={"name": "Once"}, headers=key)
    w = first.json()["id"]
    api.batch(w, node("a"))
    again = api.post("/api/v1/workspaces", json={"name": "Once"}, headers=key)
    assert (again.status_code, again.json()["id"]) == (201, w)
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    other = api.post("/api/v1/workspaces", json={"name": "Twice"}, headers=key)
    check_problem(other, 422, "key_reused")
    assert len(api.ask("GET", "/workspaces")["items"]) == 1


def test_repeating_a_copy_works_after_the_original_has_gone(api: Api) -> None:
    w = full_workspace(api)
    key = {"Idempotency-Key": "copy-once-1"}
    first = api.post("/api/v1/workspaces", json={"copy_of": w}, headers=key).json()
    api.ask("DELETE", f"/workspaces/{w}", 204)
    again = api.post("/api/v1/workspaces", json={"copy_of": w}, headers=key)
    assert again.json()["id"] == first["id"]
    check_problem(api.post("/api/v1/workspaces", json={"copy_of": NOBODY}, headers=key), 422, "key_reused")


def test_lists_are_searched_and_paged_without_gaps_or_repeats(api: Api) -> None:
    made = [api.create(name=f"Plan {number:02}") for number in range(7)]
    api.create(name="Other")
    found: list[str] = []
    sizes, cursor = [], None
    while True:
        query = {"q": "pLaN", "limit": 3, **({"cursor": cursor} if cursor else {})}
        page = api.ask("GET", "/workspaces", params=query)
        found += [item["id"] for item in page["items"]]
        sizes.append(len(page["items"]))
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert sizes == [3, 3, 1]
    assert sorted(found) == sorted(made)
    times = [item["updated_at"] for item in api.ask("GET", "/workspaces")["items"]]
    assert times == sorted(times, reverse=True)
    assert api.ask("GET", "/workspaces", params={"q": "nothing such"}) == {"items": [], "next_cursor": None}


def test_lists_by_name_have_no_gaps_either(api: Api) -> None:
    for name in ("beta", "Alpha", "gamma", "alpha", "Äpfel", "Ω" * 100, "Ω" * 99):
        api.create(name=name)
    found: list[str] = []
    cursor = None
    while True:
        query = {"sort": "name", "limit": 2, **({"cursor": cursor} if cursor else {})}
        page = api.ask("GET", "/workspaces", params=query)
        found += [item["name"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(found) == len(set(found)) == len(api.ask("GET", "/workspaces")["items"])
    firsts = [name.casefold()[:60] for name in found]
    assert firsts == sorted(firsts)


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=201", "limit=x", "cursor=!!!", "cursor=WzFd", "trash=maybe", "sort=size", "q=" + "x" * 201],
)
def test_bad_queries_of_lists_are_refused(api: Api, query: str) -> None:
    check_problem(api.get(f"/api/v1/workspaces?{query}"), 422, "invalid_request")


def test_renaming_is_a_commit_that_can_be_undone(api: Api) -> None:
    w = api.create(name="Before")
    answer = api.ask("PATCH", f"/workspaces/{w}", json={"name": "  After "})
    assert answer["diff"]["workspace"] == {"name": ["Before", "After"]}
    assert api.ask("GET", "/workspaces")["items"][0]["name"] == "After"
    api.ask("POST", f"/workspaces/{w}/undo")
    assert api.read(w)["name"] == "Before"
    check_problem(api.patch(f"/api/v1/workspaces/{w}", json={}), 422, "invalid_request")
    check_problem(api.patch(f"/api/v1/workspaces/{NOBODY}", json={"name": "x"}), 404, "workspace_not_found")


def test_the_list_says_who_changed_a_workspace_last(api: Api, server: Server) -> None:
    """By name, from the first commit on; whatever the workspace's size and however it was changed."""
    w = api.create(name="Shop")
    with Api(server.url) as ann:
        ann.ask("POST", "/session", 201)
        ann.ask("PATCH", "/me", json={"name": "Ann"})
        names = [changed_by(api, w)]
        for by, write in (
            (ann, lambda: ann.batch(w, node("a"))),
            (api, lambda: api.batch(w, node("b"))),
            (ann, lambda: ann.ask("POST", f"/workspaces/{w}/undo")),
        ):
            write()
            names.append(changed_by(api, w))
            assert names[-1] == by.ask("GET", "/me")["name"]
        ann.batch(w, {"op": "update_node", "id": "b", "label": "b"}, {"op": "rename_workspace", "name": "Shop"})
        assert changed_by(api, w) == names[-1]
    assert names == [names[0], "Ann", names[0], "Ann"]


def changed_by(api: Api, w: str) -> str:
    (item,) = api.ask("GET", "/workspaces")["items"]
    assert item["id"] == w
    return str(item["changed_by"])


def test_the_trash_hides_a_workspace_until_it_is_brought_back(api: Api) -> None:
    w = full_workspace(api)
    before = api.state(w)
    api.ask("DELETE", f"/workspaces/{w}", 204)
    api.ask("DELETE", f"/workspaces/{w}", 204)
    assert api.ask("GET", "/workspaces")["items"] == []
    (item,) = api.ask("GET", "/workspaces", params={"trash": True})["items"]
    assert (item["id"], item["deleted_at"] is not None) == (w, True)
    for path in ("", "/document", "/commits", "/undo", "/revisions/1", "/export"):
        check_problem(api.get(f"/api/v1/workspaces/{w}{path}"), 404, "workspace_deleted")
    refused = api.send_to("POST", f"/workspaces/{w}/batches", json={"operations": [node("late")]})
    check_problem(refused, 404, "workspace_deleted")
    assert api.ask("POST", f"/workspaces/{w}/undelete")["deleted_at"] is None
    assert api.state(w) == before
    assert api.ask("POST", f"/workspaces/{w}/undelete")["id"] == w


def test_nothing_is_done_to_a_workspace_that_is_not_there(api: Api) -> None:
    check_problem(api.delete(f"/api/v1/workspaces/{NOBODY}"), 404, "workspace_not_found")
    check_problem(api.send_to("POST", f"/workspaces/{NOBODY}/undelete"), 404, "workspace_not_found")


def test_an_index_entry_without_a_workspace_is_no_ghost_in_the_list(api: Api, redis_url: str) -> None:
    w = api.create(name="Real")
    with redis.Redis.from_url(redis_url) as store:
        store.sadd("draftsmith:workspaces", NOBODY, "not even an id")
    assert [item["id"] for item in api.ask("GET", "/workspaces")["items"]] == [w]
    assert api.ask("GET", "/workspaces", params={"trash": True})["items"] == []


def test_a_creation_that_was_refused_leaves_no_ghost(api: Api, redis_url: str) -> None:
    api.post("/api/v1/workspaces", json={"diagram": BANANA})
    with redis.Redis.from_url(redis_url) as store:
        assert store.scard("draftsmith:workspaces") == 0


def test_a_templates_title_follows_the_name(api: Api) -> None:
    """The document of a new workspace does not begin with somebody else's name."""
    w = api.create(name="Shop", template="blank")
    assert api.read(w)["document"]["text"].startswith("# Shop\n\n## Summary\n")
    untouched = api.create(template="web-service")
    assert api.read(untouched)["document"]["text"].startswith("# Web service\n")
