"""What OpenAPI says to people and to generators of clients beside forms: what routes do, where, with which problems."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from draftsmith.api.forms.problems import STATUS, TITLES
from tests.openapi import ANSWERS, OPENAPI

API_PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
WRITES = ("post", "put", "patch", "delete")


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in OPENAPI["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def test_a_summary_says_what_a_route_does() -> None:
    """Not the name of a function with blanks in it; short, and different for every route."""
    summaries = [operation["summary"] for _, _, operation in operations()]
    for _, path, operation in operations():
        summary = operation["summary"]
        assert summary != operation["operationId"].replace("_", " ").title(), path
        assert " " in summary, path
        assert len(summary) <= 90, summary
        assert not summary.endswith((".", ":", ";", ",")), summary
        assert " ".join(operation["description"].split()).startswith(summary), path
    assert len(set(summaries)) == len(summaries)


def test_it_says_where_the_api_is_served() -> None:
    """Generators of clients take the first server; a relative one is resolved against where the contract was read."""
    assert OPENAPI["servers"][0]["url"] == "/"
    assert all(server["description"] for server in OPENAPI["servers"])


def test_what_a_new_workspace_takes_is_described() -> None:
    fields = OPENAPI["components"]["schemas"]["WorkspaceBody"]["properties"]
    assert [name for name, field in fields.items() if not field.get("description")] == []
    assert '`{"text": ' in fields["document"]["description"]


def test_every_write_may_be_refused_for_its_media_type() -> None:
    for method, path, operation in operations():
        assert ("415" in operation["responses"]) == (method in WRITES), path
    assert "`media_type`" in OPENAPI["components"]["responses"]["415"]["description"]


@pytest.mark.parametrize("name", ANSWERS)
def test_examples_of_answers_have_the_form_they_are_examples_of(name: str) -> None:
    (operation,) = [operation for _, _, operation in operations() if operation["operationId"] == name]
    success = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
    content = success["content"]["application/json"]
    assert content["example"] == ANSWERS[name]
    form = {**content["schema"], "components": OPENAPI["components"]}
    assert jsonschema_rs.validator_for(form).is_valid(content["example"])


def statuses_of_page() -> dict[int, str]:
    """The table of statuses in docs/api.md: each status with its codes, of all its rows."""
    found: dict[int, str] = {}
    for status, codes in re.findall(r"^\| (\d{3}) \| ([^|]+) \|[^|]+\|$", API_PAGE, re.MULTILINE):
        found[int(status)] = f"{found.get(int(status), '')} {codes}"
    return found


def test_the_page_lists_every_status_with_its_codes() -> None:
    """docs/api.md, "When it does not fit": 415 and all others; a row says where it names but some of the codes."""
    assert statuses_of_page().keys() == TITLES.keys()
    for status, text in statuses_of_page().items():
        named = set(re.findall(r"`(\w+)`", text))
        every = {code for code, of in STATUS.items() if of == status}
        assert named <= every, status
        assert named, status
        assert named == every or "and others" in text, status
