"""Files of any format over HTTP: said what they are, made into workspaces, brought into one that is open, twice."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile
from typing import Any

import pytest

from draftsmith.usecases.requests.costs import CHARACTERS
from tests import image_samples
from tests.integration.client import Api, check_problem, node

FLOWCHART = "flowchart LR\n  shop[Shop] -->|places orders| orders[Orders]\n  classDef hot fill:#f00\n"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()


def drawing(*cells: str, page: str = "p1") -> str:
    model = f"<mxGraphModel><root>{''.join(cells)}</root></mxGraphModel>"
    return f'<mxfile><diagram id="{page}" name="Shop">{model}</diagram></mxfile>'


def shape(cell: str, label: str, x: int) -> str:
    return f'<mxCell id="{cell}" value="{label}" vertex="1"><mxGeometry x="{x}" width="180" height="72"/></mxCell>'


def line(cell: str, source: str, target: str) -> str:
    return f'<mxCell id="{cell}" edge="1" source="{source}" target="{target}"/>'


FIRST = drawing(shape("a", "Web", 0), shape("b", "Orders", 400), shape("c", "Old", 800), line("e", "a", "b"))
SECOND = drawing(shape("a", "Web shop", 0), shape("b", "Orders", 400), shape("d", "Mail", 900), line("f", "b", "d"))


def named_files(*named: tuple[str, str]) -> list[dict[str, str]]:
    return [{"path": path, "content": content} for path, content in named]


def make(api: Api, *named: tuple[str, str], **more: Any) -> dict[str, Any]:
    body = {"import": {"format": "files", "files": named_files(*named), **more}}
    made: dict[str, Any] = api.ask("POST", "/workspaces", 201, json=body)
    return made


def compare(api: Api, w: str, *named: tuple[str, str], **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = api.ask("POST", f"/workspaces/{w}/imports", json={"files": named_files(*named), **more})
    return found


def operations(found: dict[str, Any], *lists: str) -> list[dict[str, Any]]:
    return [one for name in lists for row in found[name] for one in row["operations"]]


def test_formats_are_listed_and_files_are_said_to_be_what_they_are(api: Api) -> None:
    """What is not recognized, and what is recognized and cannot be read, says so; nothing is made."""
    formats = {one["reader"]: one for one in api.ask("GET", "/imports")["items"]}
    assert formats["drawio"]["endings"][0] == ".drawio"
    assert {"json", "mermaid", "markdown"} < formats.keys()
    body = {
        "files": [
            {"path": "docs/plan.drawio", "content": FIRST},
            {"path": "docs/flow.mmd", "content": FLOWCHART},
            {"path": "docs/broken.mmd", "content": "pie\n"},
            {"path": "docs/photo.png", "content_base64": PNG},
        ]
    }
    said = api.ask("POST", "/imports", json=body)
    assert said["unrecognized"] == ["docs/photo.png"]
    plan, flow, broken = said["sets"]
    assert (plan["reader"], plan["files"], plan["problem"]) == ("drawio", ["docs/plan.drawio"], None)
    assert plan["parts"] == [{"part": 1, "name": "Shop", "nodes": 3, "edges": 1, "chars": 0}]
    assert (flow["parts"][0]["name"], [one["place"] for one in flow["unread"]]) == ("flow", ["line 3"])
    assert broken["parts"] == []
    assert (broken["problem"]["file"], broken["problem"]["place"]) == ("docs/broken.mmd", "line 1")
    assert api.ask("GET", "/workspaces")["items"] == []


def test_files_become_a_workspace_and_the_other_parts_are_named(api: Api) -> None:
    made = make(api, ("plan.drawio", FIRST), ("flow.mmd", FLOWCHART), ("data.bin", "?"))
    assert (made["name"], made["nodes"], made["edges"]) == ("Shop", 3, 1)
    left, parts = made["warnings"]
    assert (left["code"], parts["code"], parts["candidates"]) == ("files_left", "parts_left", ["2"])
    assert "data.bin" in left["message"]
    second = make(api, ("plan.drawio", FIRST), ("flow.mmd", FLOWCHART), part=2)
    assert (second["name"], second["nodes"]) == ("flow", 2)
    (unread,) = second["warnings"]
    assert (unread["code"], unread["path"]) == ("part_unread", "/import/files")
    assert unread["message"].startswith("flow.mmd, line 3, was not taken over: ")
    nodes = api.read(second["id"])["diagram"]["nodes"]
    assert {one["properties"]["source_id"] for one in nodes} == {"mermaid:flow.mmd#shop", "mermaid:flow.mmd#orders"}
    assert len({(one["position"]["x"], one["position"]["y"]) for one in nodes}) == 2


def test_images_in_a_drawing_come_along(api: Api) -> None:
    """With either form of body; a node shows one by its address."""
    content = image_samples.png()
    sha256 = hashlib.sha256(content).hexdigest()
    style = f"shape=image;image=data:image/png,{base64.b64encode(content).decode()};"
    cell = f'<mxCell id="a" value="Web" style="{style}" vertex="1"><mxGeometry width="90" height="90"/></mxCell>'
    plain = {"import": {"format": "drawio", "content": drawing(cell)}}
    for made in (make(api, ("plan.drawio", drawing(cell))), api.ask("POST", "/workspaces", 201, json=plain)):
        assert made["warnings"] == []
        (found,) = api.read(made["id"])["diagram"]["nodes"]
        assert found["image"] == f"images/{sha256}.png"
        assert [one["sha256"] for one in api.ask("GET", f"/workspaces/{made['id']}/images")["items"]] == [sha256]


def test_images_of_an_export_come_along(api: Api) -> None:
    """Bytes come in base 64, and an export that is read as a file brings its images."""
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'
    name = hashlib.sha256(svg).hexdigest()
    export = {
        "format": "draftsmith/1", "name": "Shop", "diagram": {"nodes": [], "edges": []},
        "document": {"text": f"![logo](images/{name}.svg)\n"},
        "images": {name: {"type": "image/svg+xml", "data": base64.b64encode(svg).decode()}},
    }  # fmt: skip
    sent = {"path": "shop.json", "content_base64": base64.b64encode(json.dumps(export).encode()).decode()}
    made = api.ask("POST", "/workspaces", 201, json={"import": {"format": "files", "files": [sent]}})
    images = api.ask("GET", f"/workspaces/{made['id']}/images")
    assert [one["sha256"] for one in images["items"]] == [name]


def test_a_zip_comes_as_the_folder_that_is_in_it(api: Api) -> None:
    """Each set is made by its root, also into a workspace that is open, where it is recognized the next time."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as writing:
        writing.writestr("plans/plan.drawio", FIRST)
        writing.writestr("plans/flow.mmd", FLOWCHART)
    sent = [{"path": "plans.zip", "content_base64": base64.b64encode(packed.getvalue()).decode()}]
    said = api.ask("POST", "/imports", json={"files": sent})
    roots = [one["root"] for one in said["sets"]]
    assert roots == ["plans.zip/plans/plan.drawio", "plans.zip/plans/flow.mmd"]
    source = {"format": "files", "files": sent, "root": roots[1], "part": 1}
    made = api.ask("POST", "/workspaces", 201, json={"import": source})
    assert (made["name"], made["nodes"]) == ("flow", 2)
    again = compare(api, made["id"], ("plans/flow.mmd", FLOWCHART))
    assert (again["new"], again["changed"], again["missing"]) == ([], [], [])
    found = api.ask("POST", f"/workspaces/{made['id']}/imports", json={"files": sent, "part": 2})
    assert found["unchanged"] == 3
    refused = api.ask("POST", "/workspaces", 422, json={"import": {**source, "root": "plans.zip/no.mmd"}})
    assert (refused["code"], refused["problems"][0]["path"]) == ("part_unknown", "/import/root")


def test_images_come_along_into_a_workspace_that_is_open(api: Api) -> None:
    """Those that what is new refers to are there before it is; nothing else is kept."""
    shown, other = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="4"/>'.encode() for side in (4, 5))
    names = [hashlib.sha256(one).hexdigest() for one in (shown, other)]
    images = [{"type": "image/svg+xml", "data": base64.b64encode(one).decode()} for one in (shown, other)]
    text = f"# Shop\n\n![logo](images/{names[0]}.svg)\n"
    export = {"format": "draftsmith/1", "document": {"text": text}, "images": dict(zip(names, images, strict=True))}
    w = api.create(name="Open", document={"text": "# Ours\n"})
    found = compare(api, w, ("shop.json", json.dumps(export)))
    assert found["unread"] == []
    api.batch(w, *operations(found, "new"))
    assert [one["sha256"] for one in api.ask("GET", f"/workspaces/{w}/images")["items"]] == names[:1]
    assert text.strip() in api.read(w)["document"]["text"]


def test_a_large_set_is_read_in_another_process(api: Api) -> None:
    """It answers the same, also where it is compared with a workspace, and where it is only looked at."""
    comments = "%% words that draw nothing\n" * (CHARACTERS // 20)
    short, long = ("flow.mmd", FLOWCHART), ("flow.mmd", comments + FLOWCHART)
    small, large = make(api, short), make(api, long)
    assert [one["label"] for one in api.read(small["id"])["diagram"]["nodes"]] == [
        one["label"] for one in api.read(large["id"])["diagram"]["nodes"]
    ]
    w = api.create(name="Open")
    assert compare(api, w, short)["new"] == compare(api, w, long)["new"]
    said = [api.ask("POST", "/imports", json={"files": named_files(one)})["sets"][0]["parts"] for one in (short, long)]
    assert said[0] == said[1]


def test_a_second_import_of_the_same_source_recognizes_its_things(api: Api) -> None:
    """The first comes as one commit; the second says what is new, changed and gone, and keeps what people did."""
    w = api.create(name="Open")
    api.batch(w, node("ours", position={"x": 0, "y": 0}))
    first = compare(api, w, ("plan.drawio", FIRST))
    assert [row["id"] for row in first["new"]][:3] == ["new:node:web", "new:node:orders", "new:node:old"]
    assert (first["changed"], first["missing"], first["unchanged"]) == ([], [], 0)
    assert api.read(w)["revision"] == first["revision"] == 2
    assert api.batch(w, *operations(first, "new", "changed"))["revision"] == 3
    api.batch(w, {"op": "update_node", "id": "orders", "description": "Ours.", "position": {"x": 3, "y": 999}})
    again = compare(api, w, ("plan.drawio", FIRST))
    assert (again["new"], again["changed"], again["missing"], again["unchanged"]) == ([], [], [], 4)
    second = compare(api, w, ("plan.drawio", SECOND))
    assert [row["id"] for row in second["new"]] == ["new:node:mail", "new:edge:orders--mail"]
    assert [(row["id"], row["by"]) for row in second["changed"]] == [("changed:node:web", "source")]
    assert [row["id"] for row in second["missing"]] == ["missing:edge:web--orders", "missing:node:old"]
    api.batch(w, *operations(second, "new", "changed"))
    nodes = {one["id"]: one for one in api.read(w)["diagram"]["nodes"]}
    assert nodes.keys() == {"ours", "web", "orders", "old", "mail"}
    assert (nodes["web"]["label"], nodes["orders"]["description"]) == ("Web shop", "Ours.")
    assert nodes["orders"]["position"] == {"x": 3, "y": 999}
    last = compare(api, w, ("plan.drawio", SECOND))
    assert (last["new"], last["changed"], len(last["missing"])) == ([], [], 2)
    api.batch(w, *operations(last, "missing"))
    assert "old" not in {one["id"] for one in api.read(w)["diagram"]["nodes"]}
    for _ in range(4):
        api.ask("POST", f"/workspaces/{w}/undo")
    assert [one["id"] for one in api.read(w)["diagram"]["nodes"]] == ["ours"]


def test_a_workspace_that_was_made_of_files_recognizes_them(api: Api) -> None:
    made = make(api, ("plan.drawio", FIRST))
    found = compare(api, made["id"], ("plan.drawio", SECOND))
    assert [row["id"] for row in found["changed"]] == ["changed:node:web"]


def test_an_import_is_proposed_like_any_other_change(api: Api) -> None:
    w = api.create(name="Open")
    found = compare(api, w, ("flow.mmd", FLOWCHART), reader="mermaid")
    body = {"operations": operations(found, "new"), "base_revision": found["revision"], "propose": True}
    proposal = api.ask("POST", f"/workspaces/{w}/batches", 201, json=body)
    assert api.read(w)["diagram"]["nodes"] == []
    api.ask("POST", f"/workspaces/{w}/proposals/{proposal['id']}/accept", json={})
    assert len(api.read(w)["diagram"]["nodes"]) == 2


def test_text_comes_section_by_section(api: Api) -> None:
    w = api.create(name="Open", document={"text": "# Shop\n\nOurs.\n"})
    found = compare(api, w, ("notes.md", "# Shop\n\nTheirs.\n\n# Tills\n\nCash.\n"))
    assert [row["element"] for row in found["new"]] == ["Tills"]
    assert [row["title"] for row in found["changed"]] == ["Shop"]
    api.batch(w, *operations(found, "new", "changed"))
    assert api.read(w)["document"]["text"] == "# Shop\n\nTheirs.\n\n# Tills\n\nCash.\n"
    again = compare(api, w, ("notes.md", "# Shop\n\nTheirs.\n\n# Tills\n\nCash.\n"))
    assert (again["new"], again["changed"], again["unchanged"]) == ([], [], 2)


@pytest.mark.parametrize(
    "sent, code, path",
    [
        ([{"path": "../../etc/hosts.md", "content": "x"}], "invalid_request", "/files/0/path"),
        ([{"path": "a.md", "content": "x"}, {"path": "./a.md", "content": "y"}], "invalid_request", "/files/1/path"),
        ([{"path": "a.md", "content": "x", "content_base64": "eA=="}], "invalid_request", "/files/0/content_base64"),
        ([{"path": "a.md"}], "invalid_request", "/files/0/content_base64"),
        ([{"path": "a.png", "content_base64": "?"}], "invalid_request", "/files/0/content_base64"),
        ([], "invalid_request", "/files"),
        ([{"path": f"{number}.md", "content": ""} for number in range(10_000)], "invalid_request", "/files"),
        ([{"path": "a.bin", "content": "x"}], "format_unknown", "/files"),
        ([{"path": "a.mmd", "content": "\npie\n"}], "source_unread", "/files/0"),
    ],
    ids=["..", "twice", "both", "neither", "base 64", "none", "10,000", "unknown", "unreadable"],
)
def test_what_cannot_be_imported_is_refused_with_its_place(
    api: Api, sent: list[dict[str, str]], code: str, path: str
) -> None:
    """The same of a new workspace and of one that is open; nothing is made or changed."""
    w = api.create(name="Open")
    before = api.state(w)
    found = check_problem(api.send_to("POST", f"/workspaces/{w}/imports", json={"files": sent}), 422, code)
    assert found["problems"][0]["path"] == path
    body = {"import": {"format": "files", "files": sent}}
    made = check_problem(api.post("/api/v1/workspaces", json=body), 422, code)
    assert made["problems"][0]["path"] == f"/import{path}"
    if code == "source_unread":
        assert (found["file"], found["line"]) == ("a.mmd", 2)
    if code == "format_unknown":
        assert "drawio" in found["problems"][0]["candidates"]
    assert api.state(w) == before
    assert [one["id"] for one in api.ask("GET", "/workspaces")["items"]] == [w]


def test_a_part_or_a_format_that_is_not_there_is_refused(api: Api) -> None:
    w = api.create(name="Open")
    for more, code, path in (
        ({"part": 3}, "part_unknown", "/part"),
        ({"reader": "visio"}, "format_unknown", "/reader"),
    ):
        body = {"files": named_files(("flow.mmd", FLOWCHART)), **more}
        found = check_problem(api.send_to("POST", f"/workspaces/{w}/imports", json=body), 422, code)
        assert found["problems"][0]["path"] == path


def test_more_than_a_batch_may_change_is_refused_with_its_number(api: Api) -> None:
    w = api.create(name="Open")
    many = "flowchart LR\n" + "".join(f"n{number}[N{number}]\n" for number in range(501))
    body = {"files": named_files(("flow.mmd", many))}
    found = check_problem(api.send_to("POST", f"/workspaces/{w}/imports", json=body), 422, "limit_operations")
    assert "501 changes" in found["detail"]
