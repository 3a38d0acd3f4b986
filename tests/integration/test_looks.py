"""Colour and style of what is drawn, and the shape of lines: set, cleared and taken back like any other field."""

from __future__ import annotations

import pytest

from tests.integration.client import Api, check_problem, edge, node
from tests.kit.fixtures import workspace_fixture

w = workspace_fixture(name="Shop")


def looks(api: Api, w: str) -> dict[str, tuple[str, str]]:
    """Colour and style of everything that is drawn, by id."""
    diagram = api.read(w)["diagram"]
    return {one["id"]: (one["color"], one["style"]) for one in (*diagram["nodes"], *diagram["edges"])}


def test_nodes_groups_and_edges_have_looks(api: Api, w: str) -> None:
    api.batch(
        w,
        node("web", color="red"),
        node("api", style="muted"),
        {"op": "add_node", "id": "zone", "type": "group", "label": "Zone", "color": "teal", "style": "solid"},
        edge("web", "api", id="calls", color="blue", style="dashed"),
        edge("api", "web", id="answers"),
    )
    first = {"web": ("red", ""), "api": ("", "muted"), "zone": ("teal", "solid")}
    assert looks(api, w) == {**first, "answers": ("", ""), "calls": ("blue", "dashed")}
    api.batch(
        w,
        {"op": "update_node", "id": "web", "color": None, "style": "bold"},
        {"op": "update_node", "id": "api", "color": "grey", "style": ""},
        {"op": "update_edge", "id": "calls", "color": "", "style": None},
        {"op": "update_edge", "source": "api", "target": "web", "style": "dotted"},
    )
    after = {"web": ("", "bold"), "api": ("grey", ""), "zone": ("teal", "solid")}
    assert looks(api, w) == {**after, "answers": ("", "dotted"), "calls": ("", "")}
    api.ask("POST", f"/workspaces/{w}/undo", json={})
    assert looks(api, w) == {**first, "answers": ("", ""), "calls": ("blue", "dashed")}
    assert api.ask("GET", f"/workspaces/{w}/edges/calls")["color"] == "blue"
    copy = api.create(copy_of=w)
    assert api.read(copy)["diagram"] == api.read(w)["diagram"]


@pytest.mark.parametrize("field", ["color", "style"])
@pytest.mark.parametrize("operation", [node("web"), {"op": "update_edge", "id": "calls"}], ids=["node", "edge"])
def test_other_looks_are_refused_with_those_there_are(
    api: Api, w: str, field: str, operation: dict[str, object]
) -> None:
    answer = api.send_to("POST", f"/workspaces/{w}/batches", json={"operations": [{**operation, field: "#ff0000"}]})
    check_problem(answer, 422, "invalid_request")
    assert {"color": "violet", "style": "dotted"}[field] in answer.text
    assert api.read(w)["diagram"]["nodes"] == []


def test_two_people_set_different_looks_of_one_line_at_once(two: list[Api]) -> None:
    """Neither overwrites the other, and each takes back what is their own."""
    ana, ben = two
    ana.become("Ana")
    ben.become("Ben")
    w = ana.create(name="Shop")
    ana.batch(w, node("web"), node("api"), edge("web", "api", id="calls"))
    base = ana.read(w)["revision"]
    ana.batch(w, {"op": "update_edge", "id": "calls", "color": "green"}, base_revision=base)
    ben.batch(w, {"op": "update_edge", "id": "calls", "style": "bold"}, base_revision=base)
    assert looks(ana, w)["calls"] == ("green", "bold")
    ana.ask("POST", f"/workspaces/{w}/undo", json={})
    assert looks(ben, w)["calls"] == ("", "bold")
    ben.ask("POST", f"/workspaces/{w}/undo", json={})
    assert looks(ana, w)["calls"] == ("", "")


def test_what_comes_between_two_nodes_hands_the_looks_of_their_line_on(api: Api, w: str) -> None:
    """Put in between, and taken away again with a bridge."""
    api.batch(w, node("web"), node("db"), edge("web", "db", color="red", style="dashed"))
    api.batch(w, {"op": "insert_between", "source": "web", "target": "db", "node": {"type": "api", "label": "Api"}})
    assert {looks(api, w)[one] for one in ("web--api", "api--db")} == {("red", "dashed")}
    api.batch(w, {"op": "delete_node", "id": "api", "bridge": True})
    assert looks(api, w) == {"web": ("", ""), "db": ("", ""), "web--db": ("red", "dashed")}


def test_lines_have_a_shape(api: Api, w: str) -> None:
    """Set, cleared by null and by the empty text, taken back, copied, exported and imported; handed on, too."""
    api.batch(w, node("web"), node("db"), edge("web", "db", id="calls", shape="curved"))
    shapes = {one["id"]: one["shape"] for one in api.read(w)["diagram"]["edges"]}
    assert shapes == {"calls": "curved"}
    copy = api.create(copy_of=w)
    assert api.ask("GET", f"/workspaces/{copy}/edges/calls")["shape"] == "curved"
    flowchart = api.send_to("GET", f"/workspaces/{w}/export?format=mermaid").text
    drawn = api.create(**{"import": {"format": "mermaid", "content": flowchart}})
    assert [one["shape"] for one in api.read(drawn)["diagram"]["edges"]] == ["curved"]
    for shape in ("straight", None, "curved", ""):
        api.batch(w, {"op": "update_edge", "id": "calls", "shape": shape})
        assert api.ask("GET", f"/workspaces/{w}/edges/calls")["shape"] == (shape or "")
    api.ask("POST", f"/workspaces/{w}/undo", json={})
    assert api.ask("GET", f"/workspaces/{w}/edges/calls")["shape"] == "curved"
    api.batch(w, {"op": "insert_between", "source": "web", "target": "db", "node": {"type": "api", "label": "Api"}})
    assert [one["shape"] for one in api.read(w)["diagram"]["edges"]] == ["curved", "curved"]
    api.batch(w, {"op": "delete_node", "id": "api", "bridge": True})
    assert [one["shape"] for one in api.read(w)["diagram"]["edges"]] == ["curved"]


def test_another_shape_is_refused_with_those_there_are(api: Api, w: str) -> None:
    """Nodes have none."""
    for operation in ({"op": "update_edge", "id": "calls", "shape": "round"}, node("web", shape="straight")):
        answer = api.send_to("POST", f"/workspaces/{w}/batches", json={"operations": [operation]})
        check_problem(answer, 422, "invalid_request")
        assert "straight" in answer.text or "shape" in answer.text
