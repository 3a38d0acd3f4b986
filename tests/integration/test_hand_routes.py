"""Lines by hand over HTTP: kept, undone and redone after somebody else, copied, exported, and left alone by layout."""

from __future__ import annotations

from typing import Any

from tests.integration.client import Api, check_problem, edge, node
from tests.kit.fixtures import workspace_fixture

BENDS = [{"x": 300, "y": 30}, {"x": 300, "y": 230}]


w = workspace_fixture(
    [node("a", position={"x": 0, "y": 0}), node("b", position={"x": 500, "y": 200})],
    [edge("a", "b", id="e", route=BENDS, route_by="hand", label="calls", label_at=0.25)],
    name="Shop",
)


def moved(name: str, x: float, y: float) -> dict[str, Any]:
    return {"op": "move_nodes", "positions": {name: {"x": x, "y": y}}}


def line(api: Api, w: str) -> dict[str, Any]:
    found = api.ask("GET", f"/workspaces/{w}/edges/e")
    return {name: found[name] for name in ("route", "route_by", "label_at")}


def bent(*points: tuple[float, float]) -> dict[str, Any]:
    return {"route": [{"x": x, "y": y} for x, y in points], "route_by": "hand", "label_at": 0.25}


def test_a_line_by_hand_survives_moves_undo_and_redo(api: Api, w: str) -> None:
    """Also where somebody else has moved its other end meanwhile."""
    mine = api.batch(w, moved("a", 0, 50))["revision"]
    assert line(api, w) == bent((300, 80), (300, 230))
    api.batch(w, moved("b", 500, 300))
    assert line(api, w) == bent((300, 80), (300, 330))
    undone = api.ask("POST", f"/workspaces/{w}/commits/{mine}/revert", json={})
    assert undone["left_out"] == []
    assert line(api, w) == bent((300, 30), (300, 330))
    api.ask("POST", f"/workspaces/{w}/undo", json={})
    assert line(api, w) == bent((300, 80), (300, 330))


def test_copies_and_exports_have_it(api: Api, w: str) -> None:
    """JSON brings it along, so that an import has the same line."""
    copy = api.create(copy_of=w)
    assert line(api, copy) == bent((300, 30), (300, 230))
    exported = api.ask("GET", f"/workspaces/{w}/export?format=json")
    assert {**exported["diagram"]["edges"][0]} == {
        "id": "e", "source": "a", "target": "b", "label": "calls", **bent((300, 30), (300, 230)),
    }  # fmt: skip


def test_layout_says_what_it_has_kept(api: Api, w: str) -> None:
    """And draws it anew when told to."""
    answer = api.batch(w, {"op": "layout_diagram", "scope": "all"})
    assert [one["candidates"] for one in answer["warnings"] if one["code"] == "routes_kept"] == [["e"]]
    assert line(api, w)["route_by"] == "hand"
    api.batch(w, {"op": "layout_diagram", "scope": "all", "redraw": True})
    assert line(api, w)["route_by"] is None


def test_what_is_no_hand_and_no_share_is_refused(api: Api, w: str) -> None:
    for field, value in (("route_by", "mouse"), ("label_at", 2), ("label_at", "0.5")):
        operation = {"op": "update_edge", "id": "e", field: value}
        answer = api.send_to("POST", f"/workspaces/{w}/batches", json={"operations": [operation]})
        check_problem(answer, 422, "invalid_request")
        assert field in answer.text
    assert line(api, w) == bent((300, 30), (300, 230))
