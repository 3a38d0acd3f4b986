"""Sending again is safe: the same key and body are answered alike and happen once, whatever has happened since."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.integration.client import Api, check_problem, edge, edit, label, node
from tests.kit.fixtures import workspace_fixture

KEY = {"Idempotency-Key": "the-very-same-key"}
TEXT = "# Plan\n\nWe use one queue.\n"


w = workspace_fixture([node("api"), node("db")], name="Repeat", document={"text": TEXT})
"""A workspace with two nodes, a document, and one commit of this caller to undo."""


def without_replayed(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "replayed"}


WRITES = {
    "batch": ("POST", "/batches", {"operations": [node("new"), edge("new", "api"), edit("Plan", "one", "two")]}),
    "document only": ("POST", "/batches", {"operations": [edit("Plan", "one", "two")], "explanation": "Why"}),
    "node": ("POST", "/nodes", {"id": "new", "type": "service", "label": "New"}),
    "nameless node": ("POST", "/nodes", {"type": "service", "label": "New"}),
    "edge": ("POST", "/edges", {"source": "api", "target": "db", "label": "x"}),
    "patch": ("PATCH", "/nodes/api", {"label": "Renamed"}),
    "delete": ("DELETE", "/nodes/db", None),
    "document": ("PUT", "/document", {"text": "# Other\n"}),
    "rename": ("PATCH", "", {"name": "Renamed"}),
    "undo": ("POST", "/undo", {}),
    "revert": ("POST", "/commits/2/revert", {}),
    "restore": ("POST", "/revisions/1/restore", {}),
    "checkpoint": ("POST", "/checkpoints", {"name": "Here"}),
}


@pytest.mark.parametrize("method, path, body", WRITES.values(), ids=WRITES)
def test_a_repeat_is_answered_alike_also_after_other_commits(
    api: Api, w: str, method: str, path: str, body: Any
) -> None:
    options: dict[str, Any] = {"headers": KEY, **({"json": body} if body is not None else {})}
    first = api.send_to(method, f"/workspaces/{w}{path}", **options)
    assert first.json()["replayed"] is False, first.text
    at_once = api.send_to(method, f"/workspaces/{w}{path}", **options)
    api.batch(w, node("later"), {"op": "replace_document", "text": "# All new\n"})
    later = api.send_to(method, f"/workspaces/{w}{path}", **options)
    for again in (at_once, later):
        assert again.status_code == first.status_code
        assert again.json()["replayed"] is True
        assert without_replayed(again.json()) == without_replayed(first.json())
    commits = api.ask("GET", f"/workspaces/{w}/commits")["items"]
    assert [commit["revision"] for commit in commits] == [4, 3, 2, 1]


def test_the_id_of_a_batch_does_as_well_as_the_header(api: Api, w: str) -> None:
    first = api.batch(w, node("new"), id="batch-id-1")
    assert first["batch_id"] == "batch-id-1"
    again = api.batch(w, node("new"), id="batch-id-1")
    assert without_replayed(again) == without_replayed(first)
    header = api.batch(w, node("newer"), id="batch-id-1", headers=KEY)
    assert (header["batch_id"], header["replayed"]) == (KEY["Idempotency-Key"], False)


def test_a_repeat_may_want_less(api: Api, w: str) -> None:
    api.batch(w, node("new"), headers=KEY)
    again = api.batch(w, node("new"), headers={**KEY, "Prefer": "return=minimal"})
    assert again["replayed"] is True
    assert "diff" not in again


@pytest.mark.parametrize(
    "change",
    [{"operations": [node("other")]}, {"explanation": "x"}, {"base_revision": 2}, {"operations": [node("new")] * 1}],
)
def test_another_body_under_the_same_key_is_refused(api: Api, w: str, change: dict[str, Any]) -> None:
    api.batch(w, node("new"), label("api", "X"), headers=KEY)
    before = api.state(w)
    body = {"operations": [node("new"), label("api", "X")], **change}
    response = api.send_to("POST", f"/workspaces/{w}/batches", json=body, headers=KEY)
    check_problem(response, 422, "key_reused")
    undone = api.send_to("POST", f"/workspaces/{w}/undo", headers=KEY)
    check_problem(undone, 422, "key_reused")
    assert api.state(w) == before


def test_a_key_is_that_of_a_workspace_and_a_principal(api: Api, w: str) -> None:
    api.batch(w, node("new"), headers=KEY)
    other = api.create(name="Other")
    assert api.batch(other, node("new"), headers=KEY)["replayed"] is False
    with Api(str(api.base_url)) as person:
        person.become("Ada")
        assert person.batch(w, node("hers"), headers=KEY)["replayed"] is False


def test_a_refused_batch_leaves_its_key_free(api: Api, w: str) -> None:
    refused = api.send_to("POST", f"/workspaces/{w}/batches", json={"operations": [node("api")]}, headers=KEY)
    check_problem(refused, 422, "batch_rejected")
    assert api.batch(w, node("fine"), headers=KEY)["replayed"] is False


CHANGING_NOTHING = {
    "batch": ("POST", "/batches", {"operations": [label("api", "Api"), label("db", "Db")], "explanation": "Why"}),
    "patch": ("PATCH", "/nodes/api", {"label": "Api"}),
    "document": ("PUT", "/document", {"text": TEXT}),
    "rename": ("PATCH", "", {"name": "Repeat"}),
    "undo": ("POST", "/undo", {}),
    "redo": ("POST", "/redo", {}),
    "restore": ("POST", "/revisions/2/restore", {}),
}


@pytest.mark.parametrize("method, path, body", CHANGING_NOTHING.values(), ids=CHANGING_NOTHING)
def test_what_changed_nothing_is_answered_alike_when_it_would_change_something(
    two: list[Api], method: str, path: str, body: Any
) -> None:
    """At every worker: an undo that found nothing does not undo later, nor does a label come back that was changed."""
    left, right = two
    w = left.create(name="Repeat", document={"text": TEXT})
    left.batch(w, node("api"), node("db"))
    left.become("Cleo")  # who has nothing to undo yet
    right.become_same_as(left)
    path, options = f"/workspaces/{w}{path}", {"headers": KEY, "json": body}
    first = left.send_to(method, path, **options).json()
    assert (first["changed"], first["replayed"]) == (False, False), first
    later = [label("api", "Later"), {"op": "replace_document", "text": "# New\n"}]
    left.batch(w, *later, {"op": "rename_workspace", "name": "Other"})
    if path.endswith("/redo"):
        left.ask("POST", f"/workspaces/{w}/undo")
    before = left.state(w)
    for api in (left, right, right, left):
        again = api.send_to(method, path, **options).json()
        assert again["replayed"] is True, again
        assert without_replayed(again) == without_replayed(first)
        other = api.send_to("POST", f"/workspaces/{w}/undo", json={"scope": "all"}, headers=KEY)
        check_problem(other, 422, "key_reused")
    assert left.state(w) == before


def test_a_preview_that_changes_nothing_leaves_its_key_free(api: Api, w: str) -> None:
    assert api.batch(w, label("api", "Api"), headers=KEY, dry_run=True)["changed"] is False
    assert api.batch(w, node("fine"), headers=KEY)["changed"] is True


def test_many_at_once_with_one_key_happen_once(api: Api, w: str) -> None:
    def send(_: int) -> dict[str, Any]:
        found: dict[str, Any] = api.batch(w, {"op": "add_node", "type": "service", "label": "Once"}, headers=KEY)
        return found

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(16)))
    assert sum(not answer["replayed"] for answer in answers) == 1
    assert all(without_replayed(answer) == without_replayed(answers[0]) for answer in answers)
    assert api.nodes(w) == ["api", "db", "once"]


@pytest.mark.parametrize("key", ["short", "x" * 129, "with space", "ünïcödé-key", ""])
def test_a_key_of_the_wrong_form_is_refused(api: Api, w: str, key: str) -> None:
    before = api.state(w)
    headers = {b"Idempotency-Key": key.encode()}
    response = api.request("POST", f"/api/v1/workspaces/{w}/batches", json={"operations": [node("n")]}, headers=headers)
    check_problem(response, 422, "invalid_request")
    body = {"operations": [node("n")], "id": key}
    found = check_problem(api.send_to("POST", f"/workspaces/{w}/batches", json=body), 422, "invalid_request")
    assert found["problems"][0]["path"] == "/id"
    assert api.state(w) == before
