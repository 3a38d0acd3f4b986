"""Types of nodes of one's own over HTTP and live: two people at once, proposals, copies, exports, a killed worker."""

from __future__ import annotations

import json
from typing import Any

from tests.integration.client import Api, check_problem, node
from tests.integration.servers import running
from tests.integration.sockets import page, seated
from tests.kit.fixtures import workspace_fixture

PAYMENT_TYPE = {"name": "Payment provider", "base": "external", "icon": "Stripe"}
PAYMENT = {
    "op": "define_type",
    "id": "payment",
    "label": "Payment provider",
    "type": "external",
    "technology": "Stripe",
}


w = workspace_fixture([PAYMENT, node("stripe", type="payment"), node("orders")], name="Shop")


def types(api: Api, w: str) -> dict[str, tuple[str, str | None]]:
    """Built-in and custom type of each node, as far as that counts."""
    diagram = api.read(w)["diagram"]
    bases = {type_id: one["base"] for type_id, one in diagram.get("types", {}).items()}
    custom = {one["id"]: one.get("custom_type") for one in diagram["nodes"]}
    return {
        one["id"]: (one["type"], custom[one["id"]] if bases.get(custom[one["id"]]) == one["type"] else None)
        for one in diagram["nodes"]
    }


def test_answers_have_them_only_where_there_are_any(api: Api, w: str) -> None:
    """In the whole workspace, the diagram, a node, lists by type and exports; a copy and an import have them, too."""
    plain = api.create(name="Plain")
    api.batch(plain, node("orders"))
    for answer in (api.state(plain), api.send_to("GET", f"/workspaces/{plain}/export?format=json").content):
        assert b"custom_type" not in answer
        assert b'"types"' not in answer
    diagram = api.read(w)["diagram"]
    assert diagram["types"] == {"payment": PAYMENT_TYPE}
    assert api.ask("GET", f"/workspaces/{w}/diagram") == diagram
    assert api.ask("GET", f"/workspaces/{w}/nodes/stripe")["custom_type"] == "payment"
    assert "custom_type" not in api.ask("GET", f"/workspaces/{w}/nodes/orders")
    for kind in ("payment", "Payment%20Provider", "external"):
        assert [one["id"] for one in api.ask("GET", f"/workspaces/{w}/nodes?type={kind}")["items"]] == ["stripe"]
    refused = check_problem(api.send_to("GET", f"/workspaces/{w}/nodes?type=bank"), 422, "invalid_request")
    assert "payment" in refused["problems"][0]["message"]
    exported = api.ask("GET", f"/workspaces/{w}/export?format=json")
    for made in (
        api.create(copy_of=w),
        api.create(**{"import": {"format": "json", "content": exported}}),
        api.create(**{"import": {"format": "files", "files": [{"path": "x.json", "content": json.dumps(exported)}]}}),
        api.create(name="Begun", diagram=exported["diagram"]),
    ):
        assert types(api, made) == types(api, w)
        assert api.read(made)["diagram"]["types"] == diagram["types"]
    broken = {"nodes": [], "edges": [], "types": {"payment": {"name": "Payment", "base": "group"}}}
    answer = api.send_to("POST", "/workspaces", json={"name": "Broken", "diagram": broken})
    (problem,) = check_problem(answer, 422, "batch_rejected")["problems"]
    assert (problem["code"], problem["path"]) == ("type_unknown", "/diagram/types/payment/base")


def test_two_people_define_and_use_at_once(two: list[Api]) -> None:
    """Different parts of one type are one after the other; the same part is told; each takes back what is their own."""
    ana, ben = two
    ana.become("Ana")
    ben.become("Ben")
    w = ana.create(name="Shop")
    ana.batch(w, PAYMENT)
    base = ana.read(w)["revision"]
    ana.batch(w, node("stripe", type="payment"), base_revision=base)
    ben.batch(w, node("adyen", type="payment provider"), base_revision=base)
    renamed = ben.batch(w, {**PAYMENT, "label": "PSP"}, base_revision=base)["revision"]
    body = {"operations": [{**PAYMENT, "label": "Bank"}], "base_revision": base}
    stale = check_problem(ana.send_to("POST", f"/workspaces/{w}/batches", json=body), 409, "stale_base")
    assert [(one["part"], one["id"], one["field"]) for one in stale["changes"]] == [("type", "payment", "name")]
    deleted = ana.batch(w, {"op": "delete_type", "id": "payment"})
    assert {one["id"] for one in deleted["diff"]["nodes"]["changed"]} == {"stripe", "adyen"}
    assert deleted["diff"]["types"]["payment"][1] is None
    ben.batch(w, {"op": "update_node", "id": "adyen", "type": "service"})
    gone = ben.send_to("POST", f"/workspaces/{w}/batches", json={"operations": [node("klarna", type="payment")]})
    assert check_problem(gone, 422, "batch_rejected")["problems"][0]["code"] == "type_unknown"
    undone = ana.ask("POST", f"/workspaces/{w}/undo", json={})
    assert undone["left_out"] == []
    assert types(ben, w) == {"stripe": ("external", "payment"), "adyen": ("service", None)}
    assert ben.read(w)["diagram"]["types"]["payment"]["name"] == "PSP"
    ana.ask("POST", f"/workspaces/{w}/redo", json={})
    assert types(ana, w) == {"stripe": ("external", None), "adyen": ("service", None)}
    rows = ana.ask("GET", f"/workspaces/{w}/commits?limit=20")["items"]
    assert "Changed the type PSP" in [row["what"] for row in rows]
    compared = ana.ask("GET", f"/workspaces/{w}/compare?from={base}&to={renamed}")
    assert compared["diff"]["types"]["payment"][1]["name"] == "PSP"
    ben.ask("POST", f"/workspaces/{w}/revisions/{renamed}/restore", json={})
    assert types(ben, w) == {"stripe": ("external", "payment"), "adyen": ("external", "payment")}


def test_a_client_of_the_last_release_works_on(api: Api, w: str) -> None:
    """What it sends names neither types nor custom types: it renames, moves, chooses a type, rewrites the diagram."""
    api.batch(w, {"op": "update_node", "id": "stripe", "label": "Stripe", "position": {"x": 5, "y": 5}})
    api.ask("PATCH", f"/workspaces/{w}/nodes/stripe", json={"notes": "By card"})
    assert types(api, w)["stripe"] == ("external", "payment")
    known = ("id", "type", "label", "description", "technology", "notes", "properties", "position", "size", "parent")
    nodes = [{name: one[name] for name in known} for one in api.read(w)["diagram"]["nodes"]]
    api.batch(w, {"op": "replace_diagram", "nodes": nodes, "edges": []})
    assert types(api, w) == {"stripe": ("external", "payment"), "orders": ("service", None)}
    assert api.read(w)["diagram"]["types"] == {"payment": PAYMENT_TYPE}
    api.batch(w, {"op": "update_node", "id": "stripe", "type": "external"})
    assert types(api, w)["stripe"] == ("external", None)
    api.ask("POST", f"/workspaces/{w}/undo", json={})
    assert types(api, w)["stripe"] == ("external", "payment")


def test_a_proposal_brings_a_type_and_its_nodes(api: Api, w: str) -> None:
    """Of which one alone takes the definition along; what somebody has changed meanwhile does not fit any more."""
    operations = [{"op": "define_type", "id": "mainframe", "label": "Mainframe", "type": "server"},
                  node("ledger", type="mainframe"), {"op": "delete_type", "id": "payment"}]  # fmt: skip
    made = api.ask("POST", f"/workspaces/{w}/batches", 201, json={"operations": operations, "propose": True})
    place = f"/workspaces/{w}/proposals/{made['id']}"
    shown = api.ask("GET", place)
    assert [one["depends_on"] for one in shown["operations"]] == [[], [0], []]
    assert set(shown["diff"]["types"]) == {"mainframe", "payment"}
    api.batch(w, {**PAYMENT, "label": "PSP"})
    assert [one["fits"] for one in api.ask("GET", place)["operations"]] == [True, True, False]
    answer = api.ask("POST", f"{place}/accept", json={"operations": [1]})
    assert answer["operations"] == [0, 1]
    assert types(api, w)["ledger"] == ("server", "mainframe")
    assert set(api.read(w)["diagram"]["types"]) == {"mainframe", "payment"}


async def test_a_page_is_sent_the_step_and_the_state(api: Api, w: str) -> None:
    """A page that is there by the step, one that comes later by the state; both take writes of a page."""
    async with seated(api, w) as one:
        await one.submit({"op": "delete_type", "id": "payment"})
        commit = await one.next("commit")
        assert commit["steps"] == [
            {"k": "node=", "id": "stripe", "b": 2, "v": {"custom_type": ["payment", None]}},
            {"k": "type", "id": "payment", "v": [PAYMENT_TYPE, None]},
        ]
        place = one.place
        api.ask("POST", f"/workspaces/{w}/undo", json={})
        back = await one.next("commit")
        assert [step["k"] for step in back["steps"]] == ["type", "node="]
    async with page(api, w) as fresh:
        state = await fresh.next("state")
        assert state["workspace"]["types"] == {"payment": PAYMENT_TYPE}
        assert dict(state["workspace"]["nodes"])["stripe"]["custom_type"] == "payment"
    async with page(api, w, resume=place) as again:
        assert (await again.next("welcome"))["resumed"]
        assert [step["k"] for step in (await again.next("commit"))["steps"]] == ["type", "node="]


def test_a_killed_worker_loses_nothing(redis_url: str) -> None:
    """Killed right after its answers; the next one reads types, nodes, history and undo from the log."""
    with running(redis_url, "w-doomed") as (doomed,), Api(doomed.url) as api:
        api.become("Ana")
        w = api.create(name="Shop")
        api.batch(w, PAYMENT, node("stripe", type="payment"))
        before: dict[str, Any] = api.read(w)["diagram"]
        last = api.batch(w, {**PAYMENT, "type": "service", "color": "red"})["revision"]
        doomed.process.kill()
        doomed.process.wait()
        with running(redis_url, "w-next") as (following,), Api(following.url) as later:
            later.become_same_as(api)
            found = later.read(w)
            assert found["revision"] == last
            assert found["diagram"]["types"]["payment"] == {**PAYMENT_TYPE, "base": "service", "color": "red"}
            assert types(later, w) == {"stripe": ("service", "payment")}
            later.ask("POST", f"/workspaces/{w}/undo", json={})
            assert later.read(w)["diagram"] == before


def test_what_a_workspace_answers_makes_another_though_a_definition_is_gone(api: Api, w: str) -> None:
    """A node that still says a type that an undo took back is of its base alone there."""
    defined = api.batch(w, PAYMENT | {"id": "bank", "label": "Bank"})["revision"]
    api.batch(w, node("klarna", type="bank"))
    api.ask("POST", f"/workspaces/{w}/commits/{defined}/revert", json={})
    diagram = api.read(w)["diagram"]
    assert {one["id"]: one.get("custom_type") for one in diagram["nodes"]}["klarna"] == "bank"
    made = api.create(diagram=diagram)
    assert types(api, made) == types(api, w)
    assert {one["id"]: one.get("custom_type") for one in api.read(made)["diagram"]["nodes"]}["klarna"] is None
