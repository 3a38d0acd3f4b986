"""Proposals over HTTP: listed, read, tried, accepted in whole or in part, rejected; what no longer fits is said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.client import Api, check_problem, edge, label, node
from tests.kit.fixtures import workspace_fixture

NOBODY = "0" * 26


w = workspace_fixture([node("api", label="API"), node("db", label="Orders"), edge("api", "db")], name="Proposals")
"""A workspace with two connected nodes."""


@pytest.fixture
def ben(api: Api) -> Iterator[Api]:
    """Somebody else."""
    with Api(str(api.base_url)) as ben:
        ben.become("Ben")
        yield ben


def propose(api: Api, w: str, prompt: str = "add a cache called Sessions", **fields: Any) -> str:
    run = api.ask("POST", f"/workspaces/{w}/runs", json={"prompt": prompt, "mode": "propose", **fields})
    assert run["status"] == "proposed", run
    found: str = run["outcome"]["proposal"]
    return found


def test_a_proposal_changes_nothing_until_it_is_accepted(api: Api, ben: Api, w: str) -> None:
    """Accepting is one commit on the stack of whoever accepts, and one undo takes it back."""
    before = api.state(w)
    proposal = propose(api, w)
    assert api.state(w) == before
    (item,) = api.ask("GET", f"/workspaces/{w}/proposals")["items"]
    assert (item["id"], item["status"], item["fit"], item["count"]) == (proposal, "open", "fits", 1)
    full = api.ask("GET", f"/workspaces/{w}/proposals/{proposal}")
    assert {name: full[name] for name in item} == item
    assert [one["id"] for one in full["diff"]["nodes"]["added"]] == ["sessions"]
    assert (full["operations"][0]["fits"], full["operations"][0]["depends_on"]) == (True, [])
    place = f"/workspaces/{w}/proposals/{proposal}/accept"
    tried = ben.ask("POST", place, json={"dry_run": True})
    assert (tried["dry_run"], tried["changed"], tried["operations"]) == (True, True, [0])
    assert api.state(w) == before
    answer = ben.ask("POST", place)
    assert (answer["changed"], answer["operations"], answer["replayed"]) == (True, [0], False)
    assert "sessions" in api.nodes(w)
    again = ben.ask("POST", place)
    assert (again["revision"], again["replayed"]) == (answer["revision"], True)
    closed = api.ask("GET", f"/workspaces/{w}/proposals/{proposal}")
    assert (closed["status"], closed["diff"], closed["outcome"]["by"]["name"]) == ("accepted", None, "Ben")
    assert ben.ask("GET", f"/workspaces/{w}/undo")["undo"]["rev"] == answer["revision"]
    ben.ask("POST", f"/workspaces/{w}/undo")
    assert "sessions" not in api.nodes(w)


def test_a_part_brings_along_what_it_builds_on(api: Api, w: str) -> None:
    proposal = propose(api, w, "add a cache called Sessions; connect API to Sessions; add a queue called Jobs")
    full = api.ask("GET", f"/workspaces/{w}/proposals/{proposal}")
    needy = next(one for one in full["operations"] if one["depends_on"])
    place = f"/workspaces/{w}/proposals/{proposal}/accept"
    answer = api.ask("POST", place, json={"operations": [needy["index"]]})
    assert answer["operations"] == sorted([*needy["depends_on"], needy["index"]])
    assert "sessions" in api.nodes(w)
    assert "jobs" not in api.nodes(w)


def test_less_is_told_where_less_is_preferred(api: Api, w: str) -> None:
    place = f"/workspaces/{w}/proposals/{propose(api, w)}/accept"
    response = api.send_to("POST", place, headers={"Prefer": "return=minimal"})
    assert response.headers["preference-applied"] == "return=minimal"
    assert "diff" not in response.json()


def test_what_no_longer_fits_is_named_and_refused_as_a_whole(api: Api, ben: Api, w: str) -> None:
    proposal = propose(api, w, "rename Orders to Purchases; add a queue called Jobs")
    ben.batch(w, label("db", "Invoices"))
    before = api.state(w)
    (item,) = api.ask("GET", f"/workspaces/{w}/proposals")["items"]
    assert item["fit"] == "conflicts"
    assert item["conflicts"][0]["why"]
    place = f"/workspaces/{w}/proposals/{proposal}/accept"
    found = check_problem(api.send_to("POST", place), 409, "proposal_conflict")
    assert found["conflicts"][0]["index"] == 0
    assert api.state(w) == before
    assert api.ask("POST", place, json={"operations": [1]})["operations"] == [1]
    assert "jobs" in api.nodes(w)


def test_what_is_rejected_stays_closed(api: Api, w: str) -> None:
    before = api.state(w)
    place = f"/workspaces/{w}/proposals/{propose(api, w)}"
    assert api.ask("POST", f"{place}/reject")["status"] == "rejected"
    assert api.ask("POST", f"{place}/reject")["status"] == "rejected", "twice does nothing more"
    found = check_problem(api.send_to("POST", f"{place}/accept"), 409, "proposal_closed")
    assert found["proposal_status"] == "rejected"
    assert api.state(w) == before
    accepted = f"/workspaces/{w}/proposals/{propose(api, w, 'add a queue called Jobs')}"
    api.ask("POST", f"{accepted}/accept")
    check_problem(api.send_to("POST", f"{accepted}/reject"), 409, "proposal_closed")


@pytest.mark.parametrize(
    "body",
    [
        {"operations": []}, {"operations": [7]}, {"operations": [-1]}, {"operations": ["0"]}, {"operations": 0},
        {"dry_run": "yes"}, {"force": True},
    ],
)  # fmt: skip
def test_a_choice_of_the_wrong_form_is_refused(api: Api, w: str, body: dict[str, Any]) -> None:
    place = f"/workspaces/{w}/proposals/{propose(api, w)}"
    found = check_problem(api.send_to("POST", f"{place}/accept", json=body), 422, "invalid_request")
    assert found["problems"]
    assert api.ask("GET", place)["status"] == "open"


@pytest.mark.parametrize("proposal", [NOBODY, "x", "é" * 26])
def test_a_proposal_that_is_not_there_is_not_found(api: Api, w: str, proposal: str) -> None:
    place = f"/workspaces/{w}/proposals/{proposal}"
    for method, more in (("GET", ""), ("POST", "/accept"), ("POST", "/reject")):
        check_problem(api.send_to(method, f"{place}{more}"), 404, "proposal_not_found")
