"""The built-in commands as a provider: turns, messages, answers from the real reading tools, and what a misfit says."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import pytest

from draftsmith.assistant.builtin import BuiltinProvider, complete
from draftsmith.assistant.provider import (
    AIProvider,
    Event,
    Message,
    TextDelta,
    ToolCall,
    ToolDelta,
    ToolResult,
    ToolSpec,
    ToolStart,
    TurnEnd,
    TurnRequest,
)
from draftsmith.assistant.tools.readers import READERS
from draftsmith.errors import BatchRejected
from draftsmith.model.workspace import Workspace
from tests.builders import canonical, run
from tests.unit.builtin_shop import builtin_shop

T = TypeVar("T")
EDIT = ("edit_diagram", "edit_document", "find_nodes", "read_nodes", "read_section")
ASK = ("check_diagram", "find_nodes", "impact", "neighbours", "paths", "read_nodes", "read_section")


class Desk:
    """A workspace, the provider beside it, and tools that are really carried out."""

    def __init__(self, tools: tuple[str, ...], workspace: Workspace | None = None) -> None:
        self.workspace = workspace if workspace is not None else builtin_shop()
        self.tools = [ToolSpec(name, "", {"type": "object"}) for name in tools]
        self.provider: AIProvider = BuiltinProvider(self.look)
        self.messages: list[Message] = []

    async def look(self, work: Callable[[Workspace], T]) -> T:
        return work(self.workspace)

    async def turn(self) -> tuple[list[Event], TurnEnd]:
        request = TurnRequest([], self.tools, self.messages, 1000)
        events = [event async for event in self.provider.turn(request)]
        end = events.pop()
        assert isinstance(end, TurnEnd)
        self.messages.append(end.message)
        json.dumps(end.message)
        assert request.usage.input == request.usage.output == 0
        return events, end

    async def ask(self, text: str) -> tuple[str, TurnEnd]:
        """The whole run: the last text, and how it ended."""
        self.messages = [self.provider.user(text)]
        events, end = await self.turn()
        if end.stop == "tools":
            check_streamed(events, end)
            self.messages.append(self.provider.results([self.carry_out(call) for call in end.calls]))
            events, end = await self.turn()
        assert end.stop == "end"
        return "".join(event.text for event in events if isinstance(event, TextDelta)), end

    def carry_out(self, call: ToolCall) -> ToolResult:
        given: Mapping[str, Any] = call.input or {}
        if call.name in READERS:
            answer = READERS[call.name](self.workspace, given)
            return ToolResult(call.id, answer.text, data=answer.data)
        try:
            tx = run(self.workspace, *given["operations"], by_person=False)
        except BatchRejected as rejected:
            problems = [problem.to_json() for problem in rejected.problems]
            return ToolResult(call.id, "no", is_error=True, data={"problems": problems}, failed_batch=True)
        staged = [{"index": one.index, "op": one.op, "what": one.op} for one in tx.results]
        return ToolResult(call.id, "yes", data={"staged": staged, "warnings": []})


def check_streamed(events: list[Event], end: TurnEnd) -> None:
    """A short text first, then each call: its name, and pieces that together are its input."""
    assert isinstance(events[0], TextDelta)
    starts = [event for event in events if isinstance(event, ToolStart)]
    assert [(start.id, start.name) for start in starts] == [(call.id, call.name) for call in end.calls]
    for call in end.calls:
        written = "".join(event.json for event in events if isinstance(event, ToolDelta) and event.id == call.id)
        assert json.loads(written) == call.input


async def test_a_command_is_called_and_told() -> None:
    """The first turn calls, the second says what the batch does; the workspace has it."""
    desk = Desk(EDIT)
    text, end = await desk.ask("add a Redis cache between Orders and Orders DB")
    assert text == "Puts 'Redis Cache' between 'Orders' and 'Orders DB'."
    assert "refused" not in end.message
    assert desk.workspace.diagram.edges_between("redis-cache", "orders-db")


async def test_a_refusal_is_one_turn() -> None:
    """Nothing is called; the message holds reason and sentences, the text has them in words."""
    desk = Desk(EDIT)
    before = canonical(desk.workspace)
    text, end = await desk.ask("remove Ordrs")
    refused = end.message["refused"]
    assert refused["kind"] == "inexact"
    assert refused["suggestions"][0] == 'remove "Orders"'
    assert refused["reason"] in text
    assert all(one in text for one in refused["suggestions"])
    assert not end.calls
    assert canonical(desk.workspace) == before


async def test_a_batch_that_does_not_fit_ends_the_run_with_its_problem() -> None:
    """What the executor says comes as one sentence, with what stands near it; nothing else is tried."""
    desk = Desk(EDIT)
    text, end = await desk.ask('add a cache; in section Storage change "no such text" to "x"')
    assert end.message["refused"]["kind"] == "misfit"
    assert "does not stand" in text
    assert "Nothing was changed." in text
    assert len(end.message["refused"]["suggestions"]) == 2
    assert "cache" not in desk.workspace.diagram, "diagram and document are one batch"


async def test_a_locked_node_is_told_as_such() -> None:
    """The executor's refusal of a locked node reaches the person."""
    desk = Desk(EDIT)
    run(desk.workspace, {"op": "update_node", "id": "cart", "locked": True})
    text, _ = await desk.ask("remove Cart")
    assert "locked" in text


ANSWERS = [
    ("what calls Orders", ["'Orders' is called by", "'API gateway' (place order)", "'Cart' (check out; notify)"]),
    ("what does Web shop call", ["'Web shop' calls 'API gateway' (HTTPS)."]),
    (
        "who uses Event stream",
        ["'Event stream' is used by 'Orders' (order.*)", "From it, connections lead to 'Search and Browse'"],
    ),
    (
        "what does Search and Browse use",
        ["No connection leads from 'Search and Browse'.", "To it, connections lead from 'Event stream'"],
    ),
    ("who uses Batch 2", ["Nothing uses 'Batch 2': no connection leads to it or from it."]),
    ("what does Web shop use", ["'Web shop' uses 'API gateway' (HTTPS): its connections lead there."]),
    ("which databases are there", ["3 found", "'Orders DB' (PostgreSQL 18)"]),
    ("what calls Batch 2", ["Nothing calls 'Batch 2'."]),
    ("what depends on Orders DB", ["Directly", "'Orders'", "Through others", "'Web shop'"]),
    ("what does Batch 2 depend on", ["'Batch 2' depends on nothing."]),
    ("path from Web shop to Orders DB", ["Web shop → API gateway → Orders → Orders DB"]),
    ("path from Orders DB to Web shop", ["Without regard", "Orders DB – Orders – API gateway – Web shop"]),
    ("path from Orders DB to Batch 2", ["Nothing connects 'Orders DB' with 'Batch 2'."]),
    ("what breaks if Orders fails", ["If 'Orders' fails:", "'API gateway'", "'Web shop' (through"]),
    ("what breaks if Batch 2 fails", ["nothing else in the diagram does"]),
    ("list all databases", ["3 found", "'Orders DB' (PostgreSQL 18)", "'Replica'"]),
    ("list everything with Kafka", ["1 found: 'Event stream' (Kafka)."]),
    ("list all caches", ["There are no caches."]),
    ("list everything with Redis", ["There is nothing in the diagram with Redis."]),
    ("what is unconnected", ["'Batch 2'", "'Replica'"]),
    ("what is in group Core", ["In 'Core': 'Cart' and 'Orders'."]),
    ("describe Orders", ["'Orders' (orders): service, Kotlin 2.", "In the group 'Core'.", "Connected to", "from"]),
    ("show section Storage", ["## Storage", "Backups run at night"]),
    ("how many nodes are there", ["13 nodes"]),
    ("how many databases", ["3 of them (databases)"]),
    ("check the diagram", ["Nothing is connected to 'batch'."]),
    ("what calls Cart; how many queues", ["'Cart' is called by 'API gateway'.", "There are 0 of them (queues)."]),
]


@pytest.mark.parametrize("question,parts", ANSWERS, ids=[row[0] for row in ANSWERS])
async def test_answers_come_from_what_the_tools_gave(question: str, parts: list[str]) -> None:
    """Each question is answered in words from the data of the real reading tools."""
    text, end = await Desk(ASK).ask(question)
    assert "refused" not in end.message
    for part in parts:
        assert part in text, text


async def test_what_others_still_feed_is_not_said_to_get_nothing() -> None:
    """It loses one of its two sources."""
    desk = Desk(ASK)
    run(desk.workspace, {"op": "add_edge", "source": "web", "target": "search", "kind": "data"})
    text, _ = await desk.ask("what breaks if Event stream fails")
    assert "- 'Search and Browse' loses one of its two sources" in text
    assert "gets nothing any more" not in text
    text, _ = await desk.ask("what breaks if Orders fails")
    assert "- gets nothing any more: 'Event stream' and 'Orders DB'" in text
    assert "- 'Search and Browse' loses one of its two sources (through 'Event stream')" in text


async def test_tools_that_are_missing_are_not_called() -> None:
    """Where the tools that a command needs are switched off, it is refused and nothing is called."""
    desk = Desk(("edit_diagram", "find_nodes"))
    _, end = await desk.ask("show section Storage")
    assert end.message["refused"]["kind"] == "unavailable"


async def test_a_clash_after_the_end_is_not_answered_with_a_second_thought() -> None:
    """Told that others changed what it spoke of, it says so and stops."""
    desk = Desk(EDIT)
    await desk.ask("remove Cart")
    desk.messages.append(desk.provider.user("These no longer fit: …"))
    _, end = await desk.turn()
    assert end.stop == "end"
    assert end.message["refused"]["kind"] == "changed"


async def test_it_is_what_it_says() -> None:
    """Name and label as everywhere, no model, no context wanted, always there."""
    provider: AIProvider = Desk(EDIT).provider
    assert (provider.name, provider.label) == ("builtin", "Built-in commands (no AI model)")
    assert (provider.model, provider.reads_context) == ("", False)
    assert (await provider.check()).ok


@pytest.mark.parametrize(
    "typed,first,kind",
    [
        ("", "add ", "verb"),
        ("con", "connect ", "verb"),
        ("connect Or", "connect Orders", "node"),
        ("connect Orders ", "connect Orders to ", "form"),
        ("connect Cart ", "connect Cart to ", "form"),
        ("connect Cart to Ord", "connect Cart to Orders", "node"),
        ("add a Redis cache betw", "add a Redis cache between ", "form"),
        ("add a cache; remove Ca", "add a cache; remove Cart", "node"),
        ("in section Stor", "in section Storage", "section"),
        ("in section Storage add a b", "in section Storage add a bullet ", "form"),
        ("move Cart into Fr", "move Cart into Front of house", "node"),
        ("change the type of Cart to que", "change the type of Cart to queue", "form"),
        ("remove Connect", 'remove "bank"', "node"),
        ("lab", "label the connection from ", "verb"),
        (
            "change the kind of the connection from Orders to Event stream to a",
            "change the kind of the connection from Orders to Event stream to async",
            "form",
        ),
        (
            "change the direction of the connection from Orders to Event stream to b",
            "change the direction of the connection from Orders to Event stream to both",
            "form",
        ),
    ],
)
def test_a_command_is_completed(typed: str, first: str, kind: str) -> None:
    """Verbs at the start, names where a slot expects them, then the next words; the text is the whole sentence."""
    found = complete(typed, builtin_shop())
    assert (found[0]["text"], found[0]["kind"]) == (first, kind), found
    assert len(found) <= 8
    assert len({one["text"] for one in found}) == len(found)


def test_completions_end_where_no_form_fits() -> None:
    """Nothing is offered for what is no command, and Ask is offered no commands."""
    assert complete("frobnicate ", builtin_shop()) == []
    assert complete("conn", builtin_shop(), may_edit=False) == []
    assert complete("what ca", builtin_shop(), may_edit=False)[0]["text"] == "what calls "
