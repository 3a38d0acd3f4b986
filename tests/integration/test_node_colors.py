"""The colour of a node: one of a closed list, set, cleared and taken back like any other field."""

from __future__ import annotations

import pytest

from tests.integration.client import Api, check_problem, node


@pytest.fixture
def w(api: Api) -> str:
    return api.create(name="Shop")


def test_a_node_has_a_color(api: Api, w: str) -> None:
    api.batch(
        w,
        node("web", color="red"),
        node("api"),
        {"op": "add_node", "id": "zone", "type": "group", "label": "Zone", "color": "teal"},
    )
    colors = {one["id"]: one["color"] for one in api.read(w)["diagram"]["nodes"]}
    assert colors == {"web": "red", "api": "", "zone": "teal"}
    api.batch(w, {"op": "update_node", "id": "web", "color": None}, {"op": "update_node", "id": "api", "color": "blue"})
    colors = {one["id"]: one["color"] for one in api.read(w)["diagram"]["nodes"]}
    assert colors == {"web": "", "api": "blue", "zone": "teal"}
    api.ask("POST", f"/workspaces/{w}/undo", json={})
    assert api.ask("GET", f"/workspaces/{w}/nodes/web")["color"] == "red"
    copy = api.create(copy_of=w)
    assert api.read(copy)["diagram"]["nodes"] == api.read(w)["diagram"]["nodes"]


def test_another_color_is_refused_with_those_there_are(api: Api, w: str) -> None:
    answer = api.send_to("POST", f"/workspaces/{w}/batches", json={"operations": [{**node("web"), "color": "#ff0000"}]})
    check_problem(answer, 422, "invalid_request")
    assert "violet" in answer.text
    assert api.read(w)["diagram"]["nodes"] == []
