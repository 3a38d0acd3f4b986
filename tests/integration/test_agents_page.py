"""The worked session of docs/agents.md, played as it stands there."""

from __future__ import annotations

import json
import re

from tests.docs.pages import ROOT, blocks_of
from tests.integration.agents import agent, text_of
from tests.integration.client import Api, edge, node
from tests.integration.servers import Server

TEXT = "# Shop\n\n## Orders\n\nOrders are kept for 90 days in Postgres 15.\n\n## Mail\n\nReceipts go out at once.\n"
ELLIPSIS = "…"


def session() -> list[tuple[str, str, list[str]]]:
    """Tool, arguments and promised lines of each call."""
    page = ROOT / "docs" / "agents.md"
    lines = page.read_text("utf-8").splitlines()
    first = lines.index("## A worked session") + 1
    last = next(number for number, line in enumerate(lines[first:], first) if line.startswith("## Getting in"))
    calls = []
    for block in blocks_of(page):
        if first < block.line < last:
            call, _, answer = block.text.partition("\n\n")
            tool, _, given = call.partition(" ")
            calls.append((tool, given, answer.splitlines()))
    return calls


def missing(promised: list[str], answered: list[str]) -> list[str]:
    """The promised lines that do not come; in order and without a gap, unless an ellipsis stands between."""
    at, may_skip = 0, False
    for line in promised:
        if line == ELLIPSIS:
            may_skip = True
            continue
        if line not in (answered[at:] if may_skip else answered[at : at + 1]):
            return [line]
        at, may_skip = answered.index(line, at) + 1, False
    return []


async def test_the_worked_session_goes_as_the_page_says(server: Server, api: Api) -> None:
    api.become("Ada")
    w = api.create(name="Shop", document={"text": TEXT})
    database = node("orders-db", type="database", label="Orders DB", technology="PostgreSQL 15")
    api.batch(w, node("orders", label="Orders"), database, edge("orders", "orders-db", label="order rows"))
    secret = api.ask("POST", "/keys", 201, json={"name": "Claude Code on Mac", "role": "editor"})["key"]
    calls = session()
    assert [tool for tool, _, _ in calls] == ["read_workspace", "edit", "read_sections", "edit", "undo"]
    async with agent(server.url, secret) as one:
        for number, (tool, given, promised) in enumerate(calls):
            if number == 1:
                api.batch(w, {"op": "edit_section", "section": "## Orders", "find": "90 days", "replace": "one year"})
            answered = text_of(await one.raw(tool, **json.loads(given.replace("WORKSPACE", w))))
            lines = re.sub(re.escape(w), "WORKSPACE", answered).splitlines()
            assert missing(promised, lines) == [], answered
    assert api.read(w)["document"]["text"] == TEXT.replace("90 days", "one year")


def test_another_answer_is_found() -> None:
    answered = ["a", "b", "c", "d"]
    assert missing(["a", ELLIPSIS, "d"], answered) == missing(["a", "b"], answered) == []
    assert missing(["a", "c"], answered) == ["c"]
    assert missing([ELLIPSIS, "c", ELLIPSIS, "b"], answered) == ["b"]
