"""The one table of who may what: every route and message, asked by everybody there is, in both modes.

What is asked is the real server; a route answers 401, 403 or 404 where the gate refuses, and anything else where it
lets pass (the request itself is mostly nonsense, so that nothing comes of it). docs/security.md has the same table.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from draftsmith.access.actions import Action
from draftsmith.access.roles import ROLES, is_at_least
from draftsmith.api.live.socket import ACTIONS
from draftsmith.api.routes.live import SOCKETS
from draftsmith.collab.client_messages import ClientMessage
from draftsmith.main import contract
from tests.integration.client import Api
from tests.integration.people import Caller, Town
from tests.kit.fixtures import town_fixture
from tests.policy_table import NOT_IN_CONTRACT, ROUTES, table_rows

SECURITY = Path(__file__).parents[2] / "docs" / "security.md"
ENDS = {"DELETE /api/v1/session", "DELETE /api/v1/sessions", "DELETE /api/v1/folders/{f}"}
"""Would take away the credential or the folder with which the next row is asked; the last has a test of its own."""
BY_KEY = {"POST /mcp"}
"""Takes no cookies; `test_mcp_access` asks it as everybody, by key."""
NOBODYS = {"w": "0" * 26, "run_id": "0" * 26, "revision": "1", "user_id": "user:none", "key_id": "none",
           "principal": "user:none", "rest": "x", "name": "x", "f": "0" * 26}  # fmt: skip
WHO = ("stranger", "outsider", "viewer", "commenter", "editor", "owner", "administrator", "limited")


place = town_fixture("p-one", WRITES_PER_MINUTE="0", TRIES_PER_MINUTE="0")


@pytest.fixture(scope="module")
def callers(place: Town) -> dict[str, Caller]:
    """One of each kind; the workspace and the folder beside it are the owner's."""
    owner = place.person("Owner")
    w = owner.create(name="Shop", document={"text": "# Shop\n"})
    folder = owner.ask("POST", "/folders", 201, json={"name": "Team"})["id"]
    found = {"stranger": place.stranger(), "outsider": place.person("Outsider"), "owner": owner}
    for role in ("viewer", "commenter", "editor"):
        found[role] = place.person(role.title())
        owner.ask("PUT", f"/workspaces/{w}/members/{found[role].id}", json={"role": role})
        owner.ask("PUT", f"/folders/{folder}/members/{found[role].id}", json={"role": role})
    found["administrator"] = place.admin
    found["limited"] = place.caller(key=place.key(admin=True, role="viewer"))
    NOBODYS.update(w=w, f=folder)
    return found


def filled_path(path: str) -> str:
    """A path with something in every place."""
    return re.sub(r"\{(\w+)(?::path)?\}", lambda match: NOBODYS.get(match[1], "none"), path)


def verdict(status: int, code: str) -> int:
    """401, 403 or 404 where the gate has refused; 200 where it let pass, whatever came of it."""
    refusals = {(401, "unauthorized"), (403, "forbidden"), (404, "workspace_not_found"), (404, "folder_not_found")}
    return status if (status, code) in refusals else 200


def expected(action: Action, who: str) -> int:
    """What the table says."""
    needs = action.value
    if needs.role is not None:
        if who == "stranger":
            return 401
        if who not in ROLES:
            return 404
        return 200 if is_at_least(who, needs.role) else 403  # type: ignore[arg-type]  # one of the roles
    if needs.who == "anybody":
        return 200
    if who == "stranger":
        return 401
    if who == "limited":
        return 200 if needs.limit == "viewer" else 403
    return 200 if who == "administrator" or needs.who != "administrator" else 403


def verdict_on(caller: Api, route: str) -> int:
    method, _, path = route.partition(" ")
    options: dict[str, Any] = {} if method in ("GET", "DELETE") else {"json": {"nonsense": 1}}
    with caller.stream(method, filled_path(path), **options) as answer:
        if answer.headers.get("content-type", "").startswith("application/problem"):
            answer.read()
            return verdict(answer.status_code, answer.json()["code"])
        return verdict(answer.status_code, "")


@pytest.mark.parametrize("route", sorted(ROUTES.keys() - ENDS - BY_KEY))
def test_in_token_mode_every_route_answers_as_the_table_says(callers: dict[str, Caller], route: str) -> None:
    assert {who: verdict_on(callers[who], route) for who in WHO} == {who: expected(ROUTES[route], who) for who in WHO}
    if route == "DELETE /api/v1/workspaces/{w}":
        callers["owner"].ask("POST", f"/workspaces/{NOBODYS['w']}/undelete")


def test_a_folder_is_deleted_by_its_owner_alone(callers: dict[str, Caller], monkeypatch: pytest.MonkeyPatch) -> None:
    route = "DELETE /api/v1/folders/{f}"
    for who in WHO:
        monkeypatch.setitem(NOBODYS, "f", callers["owner"].ask("POST", "/folders", 201, json={"name": who})["id"])
        for role in ("viewer", "commenter", "editor"):
            callers["owner"].ask("PUT", f"/folders/{NOBODYS['f']}/members/{callers[role].id}", json={"role": role})
        assert verdict_on(callers[who], route) == expected(ROUTES[route], who), who


@pytest.mark.parametrize("route", sorted(ROUTES.keys() - ENDS))
def test_in_local_mode_nobody_is_refused(api: Api, route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NOBODYS, "w", api.create(name="Shop"))
    monkeypatch.setitem(NOBODYS, "f", api.ask("POST", "/folders", 201, json={"name": "Team"})["id"])
    api.headers.update(api.own_origin)  # without which settings are not changed
    assert verdict_on(api, route) == 200


MAINFRAME = {"op": "define_type", "id": "mainframe", "label": "Mainframe", "type": "server"}
TYPE_OPERATIONS = (MAINFRAME, {"op": "delete_type", "id": "mainframe"})


@pytest.mark.parametrize("operation", TYPE_OPERATIONS, ids=lambda one: one["op"])
def test_types_of_a_workspace_are_defined_and_deleted_by_who_may_change_it(
    callers: dict[str, Caller], operation: dict[str, str]
) -> None:
    """By `WRITE`, as all of it; who may only propose proposes them, too. Somebody refused has changed nothing."""
    w, owner = NOBODYS["w"], callers["owner"]
    defines, given = operation["op"] == "define_type", {"operations": [operation]}
    said, proposed, changed = {}, {}, {}
    for who in WHO:
        owner.batch(w, MAINFRAME)
        if defines:
            owner.batch(w, {"op": "delete_type", "id": "mainframe"})
        before = owner.read(w)["diagram"].get("types", {})
        proposed[who] = (
            callers[who].send_to("POST", f"/workspaces/{w}/batches", json={**given, "propose": True}).status_code
        )
        assert owner.read(w)["diagram"].get("types", {}) == before, "a proposal alone changes nothing"
        said[who] = callers[who].send_to("POST", f"/workspaces/{w}/batches", json=given).status_code
        changed[who] = owner.read(w)["diagram"].get("types", {}) != before
        if changed[who] and defines:
            owner.batch(w, {"op": "delete_type", "id": "mainframe"})
    assert said == {who: expected(Action.WRITE, who) for who in WHO}
    assert proposed == {who: {200: 201}.get(code := expected(Action.PROPOSE, who), code) for who in WHO}
    assert changed == {who: code == 200 for who, code in said.items()}


def test_every_route_of_the_contract_is_asked_here() -> None:
    """A route without an action cannot be registered at all (`unit/test_failures.py`)."""
    paths = contract("openapi")["paths"]
    there = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    listed = {re.sub(r":path\}", "}", route) for route in ROUTES.keys() - NOT_IN_CONTRACT}
    assert {re.sub(r"\{\w+\}", "{}", one) for one in listed} == {re.sub(r"\{\w+\}", "{}", one) for one in there}


def test_every_message_of_a_page_has_a_row() -> None:
    kinds = {one.model_fields["t"].annotation.__args__[0] for one in _messages()}  # type: ignore[union-attr]  # a Literal
    assert kinds == ACTIONS.keys()
    assert len(SOCKETS) == 2


def _messages() -> tuple[Any, ...]:
    union = ClientMessage.__args__[0] if hasattr(ClientMessage, "__args__") else ClientMessage
    return tuple(getattr(union, "__args__", (union,)))


def test_the_page_has_the_same_table() -> None:
    text = SECURITY.read_text("utf-8")
    missing = [row for row in table_rows() if row not in text]
    assert missing == [], "write it anew: python -m tests.policy_table"
