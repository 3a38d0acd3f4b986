"""Two workers on one store, eight clients, everything sent to both: nothing lost, nothing twice, nothing late."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import httpx

from tests.integration.client import Api, label, node
from tests.kit.documents import edit_section
from tests.timeouts import TIMEOUT_SECONDS

CLIENTS, ADDS = 8, 50


async def add_node(client: httpx.AsyncClient, w: str, name: str) -> dict[str, Any]:
    """Add a node under a key of its own; the answer."""
    headers = {"Idempotency-Key": f"add-{name}"}
    body = {"operations": [node(name)]}
    response = await client.post(f"/api/v1/workspaces/{w}/batches", json=body, headers=headers)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def nodes_at(client: httpx.AsyncClient, w: str) -> tuple[int, set[str]]:
    """The revision that a worker shows, and the ids of its nodes."""
    response = await client.get(f"/api/v1/workspaces/{w}")
    assert response.status_code == 200, response.text
    whole = response.json()
    return whole["revision"], {one["id"] for one in whole["diagram"]["nodes"]}


def clients(two: list[Api]) -> list[httpx.AsyncClient]:
    return [httpx.AsyncClient(base_url=api.base_url, timeout=TIMEOUT_SECONDS) for api in two]


def all_commits(api: Api, w: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    query: dict[str, Any] = {"limit": 200}
    while True:
        page = api.ask("GET", f"/workspaces/{w}/commits", params=query)
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        query["cursor"] = page["next_cursor"]


async def test_repeated_adds_on_two_workers_happen_once_and_are_seen_at_once_on_both(two: list[Api]) -> None:
    w = two[0].create(name="Busy")
    left, right = clients(two)
    chance = random.Random(20)

    async def work(client: int) -> None:
        for number in range(ADDS):
            name = f"c{client}-{number}"
            answers = await asyncio.gather(*(add_node(worker, w, name) for worker in (left, right)))
            if chance.random() < 0.2:
                answers.append(await add_node(chance.choice((left, right)), w, name))
            assert sum(not answer.pop("replayed") for answer in answers) == 1
            assert all(answer == answers[0] for answer in answers)
            revision, seen = await nodes_at(chance.choice((left, right)), w)
            assert name in seen
            assert revision >= answers[0]["revision"]

    try:
        await asyncio.gather(*(work(client) for client in range(CLIENTS)))
    finally:
        await asyncio.gather(left.aclose(), right.aclose())
    for api in two:
        assert len(set(api.nodes(w))) == len(api.nodes(w)) == CLIENTS * ADDS
        commits = all_commits(api, w)
        assert [commit["revision"] for commit in commits] == list(range(CLIENTS * ADDS + 1, 0, -1))
        assert all(commit["counts"]["added"] == 1 for commit in commits[:-1])
    whole = [api.get(f"/api/v1/workspaces/{w}") for api in two]
    assert whole[0].content == whole[1].content
    assert whole[0].headers["etag"] == whole[1].headers["etag"]


async def test_failure_o_four_writers_lose_nothing(two: list[Api]) -> None:
    """A store of whole objects kept 50 to 55 of 200 nodes that four writers had been told were saved."""
    w = two[0].create(name="Four")
    workers = clients(two)

    async def write(writer: int) -> None:
        for number in range(50):
            await add_node(workers[writer % 2], w, f"w{writer}-{number}")

    try:
        await asyncio.gather(*(write(writer) for writer in range(4)))
    finally:
        await asyncio.gather(*(worker.aclose() for worker in workers))
    for api in two:
        assert set(api.nodes(w)) == {f"w{writer}-{number}" for writer in range(4) for number in range(50)}
        assert api.read(w)["revision"] == 201


async def test_writers_of_one_field_lose_nothing_that_was_acknowledged(two: list[Api]) -> None:
    """Writers that name their base read again when it is stale; none overwrites what it has not seen."""
    w = two[0].create(name="Counter")
    two[0].batch(w, node("count", notes="0"))
    workers = clients(two)

    async def count_up(worker: httpx.AsyncClient) -> None:
        for _ in range(10):
            while True:
                seen = await worker.get(f"/api/v1/workspaces/{w}")
                notes = seen.json()["diagram"]["nodes"][0]["notes"]
                more = {"notes": str(int(notes) + 1)}
                headers = {"If-Match": seen.headers["etag"]}
                response = await worker.patch(f"/api/v1/workspaces/{w}/nodes/count", json=more, headers=headers)
                assert response.status_code in (200, 409), response.text
                # Where another has written the same meanwhile, nothing is left to change and nothing is counted.
                if response.json().get("changed"):
                    break

    try:
        await asyncio.gather(*(count_up(worker) for worker in workers * 2))
    finally:
        await asyncio.gather(*(worker.aclose() for worker in workers))
    assert [api.read(w)["diagram"]["nodes"][0]["notes"] for api in two] == ["40", "40"]


def test_what_one_worker_did_the_other_can_undo_at_once(two: list[Api]) -> None:
    left, right = two
    w = left.create(name="Both", document={"text": "# Plan\n\nOne.\n"})
    left.batch(w, node("a"), edit_section("Plan", "One", "Two"))
    assert right.ask("GET", f"/workspaces/{w}/undo")["undo"]["rev"] == 2
    right.ask("POST", f"/workspaces/{w}/undo", json={"expect": 2})
    assert left.nodes(w) == []
    left.ask("POST", f"/workspaces/{w}/redo")
    right.batch(w, label("a", "Seen"), base_revision=4)
    assert left.state(w) == right.state(w)
    left.ask("DELETE", f"/workspaces/{w}", 204)
    assert right.ask("GET", "/workspaces")["items"] == []
    assert right.get(f"/api/v1/workspaces/{w}").status_code == 404
