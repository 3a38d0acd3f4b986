"""A Mermaid flowchart drawn into a workspace that is there: read without a change, sent as one batch, undone as one."""

from __future__ import annotations

import pytest

from draftsmith.usecases.requests.costs import CHARACTERS
from tests.integration.client import Api, check_problem, edge, node

FLOWCHART = "flowchart LR\n  shop[Shop] -->|orders| orders[Orders]\n  orders --> db[(Store)]\n  style shop fill:#f00\n"


def test_a_flowchart_is_read_and_becomes_one_commit(api: Api) -> None:
    """Reading changes nothing; its nodes are new also where ids are taken, and one undo takes all of it back."""
    w = api.create(name="Mermaid")
    api.batch(w, node("web", type="web"), node("orders", label="Sales"), edge("web", "orders"))
    before, diagram = api.state(w), api.read(w)["diagram"]
    read = api.ask("POST", f"/workspaces/{w}/mermaid", json={"text": FLOWCHART})
    assert api.state(w) == before
    assert (read["revision"], read["new_ids"], read["namesakes"]) == (2, ["shop", "orders-2", "db"], ["orders-2"])
    assert [one["code"] for one in read["warnings"]] == ["line_unread"]
    assert api.batch(w, *read["operations"])["revision"] == 3
    after = api.read(w)["diagram"]
    labels = {one["id"]: one["label"] for one in after["nodes"]}
    assert labels == {"web": labels["web"], "orders": "Sales", "shop": "Shop", "orders-2": "Orders", "db": "Store"}
    assert {one["id"] for one in after["edges"]} == {"web--orders", "shop--orders-2", "orders-2--db"}
    again = api.ask("POST", f"/workspaces/{w}/mermaid", json={"text": FLOWCHART})
    assert again["new_ids"] == ["shop-2", "orders-3", "db-2"]
    api.ask("POST", f"/workspaces/{w}/undo")
    assert api.read(w)["diagram"] == diagram


def test_our_own_export_is_drawn_again(api: Api) -> None:
    """Into the same workspace and into another: groups, technologies, types, kinds and directions."""
    w = api.create(name="Export")
    api.batch(
        w,
        {"op": "add_node", "id": "zone", "type": "group", "label": "Zone"},
        node("end-user", type="user", label="Customer"),
        node("api", parent="zone", technology="Go", label='Orders "v2"'),
        node("db", type="database", parent="zone"),
        edge("end-user", "api", label="buys | browses"),
        edge("api", "db", kind="data", direction="both"),
    )
    text = api.get(f"/api/v1/workspaces/{w}/export", params={"format": "mermaid"}).text
    other = api.create(name="Other")
    for place in (other, w):
        read = api.ask("POST", f"/workspaces/{place}/mermaid", json={"text": text})
        assert read["warnings"] == []
        api.batch(place, *read["operations"])
    assert api.get(f"/api/v1/workspaces/{other}/export", params={"format": "mermaid"}).text == text
    fields = ("type", "label", "technology")
    nodes = api.read(w)["diagram"]["nodes"]
    drawn = sorted([one[field] for field in fields] for one in nodes)
    assert drawn == sorted([one[field] for field in fields] for one in nodes[:4] * 2)


@pytest.mark.parametrize(
    "text, code, line",
    [
        ("sequenceDiagram\n  A->>B: hi\n", "mermaid_unread", 1),
        ("flowchart LR\n  ??? what\n", "mermaid_unread", 2),
        ("", "mermaid_unread", 1),
        ("flowchart LR\n" + "a\n" * 500_000, "mermaid_unread", 1),
        ("flowchart LR\n" + "".join(f"n{n} --> n{n + 1}\n" for n in range(10_000)), "limit_operations", None),
        ("flowchart LR\n" + "".join(f"n{n} --> n{n + 1}\n" for n in range(300)), "limit_operations", None),
    ],
    ids=["sequence", "unreadable", "nothing", "too long", "10,000 lines", "too many"],
)
def test_what_cannot_be_drawn_is_refused_with_its_place(api: Api, text: str, code: str, line: int | None) -> None:
    w = api.create(name="Refused")
    before = api.state(w)
    found = check_problem(api.send_to("POST", f"/workspaces/{w}/mermaid", json={"text": text}), 422, code)
    assert [(one["code"], one["path"]) for one in found["problems"]] == [(code, "/text")]
    assert found.get("line") == line
    assert api.state(w) == before


def test_a_long_text_is_read_like_a_short_one(api: Api) -> None:
    """It is read in another process, and answered the same."""
    w = api.create(name="Long")
    comments = "%% words that draw nothing\n" * (CHARACTERS // 20)
    short = api.ask("POST", f"/workspaces/{w}/mermaid", json={"text": FLOWCHART})
    long = api.ask("POST", f"/workspaces/{w}/mermaid", json={"text": comments + FLOWCHART})
    assert (long["operations"], long["new_ids"]) == (short["operations"], short["new_ids"])


def test_a_body_without_an_end_is_cut_off(api: Api) -> None:
    """Two megabytes are read, whatever its text would be."""
    w = api.create(name="Endless")
    check_problem(
        api.send_to("POST", f"/workspaces/{w}/mermaid", json={"text": "flowchart LR\n" + "a --> b\n" * 250_000}),
        413,
        "body_too_large",
    )
