"""The workspaces of an application: one for each name of its own, and no more than it may have, also made at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from draftsmith.usecases.access.dependencies import AccessDependencies
from tests.integration.client import check_problem
from tests.integration.people import Caller, Town, on_store
from tests.kit.fixtures import town_fixture

START = {"name": "Shop", "document": {"text": "# Shop\n"}}
MOST = 6
AT_ONCE = 12


place = town_fixture("a-one", "a-two", APPLICATION_WORKSPACES=str(MOST))


@pytest.fixture
def callers(place: Town) -> list[Caller]:
    """An application that nobody else is, by way of both workers."""
    key = place.key(delegate=True, personal=False)
    return [place.caller(server.url, key) for server in place.servers]


def at_once(ask: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(ask, range(AT_ONCE)))


def test_a_name_is_one_workspace_however_many_make_it_at_once(callers: list[Caller]) -> None:
    def make(number: int) -> httpx.Response:
        return callers[number % 2].send_to("POST", "/workspaces", json={**START, "external_id": "order-7"})

    answers = at_once(make)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert {answer.json()["role"] for answer in answers} == {"owner"}
    assert len(callers[0].ask("GET", "/workspaces")["items"]) == 1, "none is left over"


def test_there_are_never_more_than_an_application_may_have(callers: list[Caller]) -> None:
    def make(number: int) -> httpx.Response:
        return callers[number % 2].send_to("POST", "/workspaces", json=START)

    answers = at_once(make)
    made = [answer for answer in answers if answer.status_code == 201]
    for answer in answers:
        if answer.status_code != 201:
            check_problem(answer, 422, "quota_reached")
    assert len(made) == MOST
    assert len(callers[0].ask("GET", "/workspaces")["items"]) == MOST


def test_what_is_refused_takes_no_place(callers: list[Caller]) -> None:
    node = {"id": "a", "type": "service", "label": "A"}
    wrong: dict[str, Any] = {**START, "diagram": {"nodes": [node, node]}}
    for number in range(2 * MOST):
        named = {"external_id": "order-7"} if number % 2 else {}
        check_problem(callers[0].send_to("POST", "/workspaces", json={**wrong, **named}), 422, "batch_rejected")
    for number in range(MOST):
        callers[number % 2].create(**START, external_id=f"order-{number}")


def test_a_place_whose_workspace_was_never_made_is_taken_by_who_asks_next(place: Town, callers: list[Caller]) -> None:
    """A worker dies between the two."""
    application = str(callers[0].ask("GET", "/me")["id"])

    async def die(needs: AccessDependencies) -> None:
        never = "0" * 26
        assert await needs.stores.workspaces.reserve(application, "order-7", never, MOST) == never

    on_store(place.store_url, die)
    w = callers[0].create(**START, external_id="order-7")
    assert callers[1].create(**START, external_id="order-7") == w
    assert callers[0].read(w)["name"] == "Shop"
