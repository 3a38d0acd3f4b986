"""Tokens of an applied request: the real SDK over a real socket, counted by the stand-in, against sending everything.

Who is measured: the product as it is (`ours`), the product with `EDIT_MODE=regenerate` (lines of the diagram and all of
the document, and the whole is written anew), and `everything`: a program that sends the whole workspace as compact JSON
without places and empty fields, and has it written anew in a single turn, which favours it. The product takes a call
and a closing sentence; `ours` reads in a turn before it what the edit needs and the first message does not hold. There
is no model in it: the edits are those of `tests/fixtures/tokens`, and how often a real model would need a second try is
not in these figures.

The stand-in counts four characters of JSON as a token, all that is sent and said, and knows the prompt cache: what was
sent before with the same beginning is read from it. Each edit meets a fresh workspace, so only tools and system text
are known from the request before, and within a request what was sent in its earlier turns.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from statistics import mean
from typing import Any

import pytest

from bench.conftest import Report
from bench.test_tokens import whole_diagram
from bench.token_workspaces import Case, Edit, case
from draftsmith.adapters.anthropic.provider import AnthropicConnection, AnthropicProvider
from draftsmith.adapters.files.prompt_files import read_prompts
from draftsmith.assistant.prompts import prompt_set
from draftsmith.assistant.provider import TurnRequest
from draftsmith.assistant.tools.tools import tools_of
from draftsmith.model.workspace import Workspace
from tests.builders import run
from tests.integration.assistant_workers import AssistantWorker, assistant_worker
from tests.standin import Block, Standin, Text, ToolUse, Turn, serve
from tests.standin.conversation import ended
from tests.standin.prefix import blocks_of
from tests.standin.reading import read_first

Json = Mapping[str, Any]
_SIZES = (24, 100, 300)
_PRICE = (2.0, 10.0)
"""Dollars for a million tokens sent and received: list price of claude-sonnet-5-5 in November 2026."""
_CACHE_READ, _CACHE_WRITE = 0.1, 1.25
"""What a token that is read from the cache or written to it costs, of one that is sent."""
_TOKENS_PER_SECOND, _FIRST_WORD_SECONDS = 60, 1.0
"""Assumed: how fast a model writes, and how long each turn takes before that."""
_ID = "(?<![\\w#/-]){}(?![\\w-])"
_ENDS = ("id", "source", "target", "new_source", "new_target", "near", "parent", "group", "ids")


@dataclass
class Sum:
    """What the requests of one kind took.

    Attributes:
        rows: for each request turns, input, of it read from the cache, output, and input written to the cache.
    """

    rows: list[tuple[int, int, int, int, int]] = field(default_factory=list)

    def add(self, calls: Iterable[Json]) -> None:
        every = list(calls)
        names = ("input_tokens", "cache_read", "output_tokens", "cache_write")
        sent, cached, said, kept = (sum(one[name] for one in every) for name in names)
        self.rows.append((len(every), sent, cached, said, kept))

    def of(self, column: int) -> float:
        return mean(row[column] for row in self.rows)

    @property
    def new(self) -> float:
        """Input that was not read from the cache."""
        return self.of(1) - self.of(2)

    @property
    def cents(self) -> float:
        """What a request costs with the cache."""
        plain = self.new - self.of(4)
        sent = plain + self.of(2) * _CACHE_READ + self.of(4) * _CACHE_WRITE
        return 100 * (sent * _PRICE[0] + self.of(3) * _PRICE[1]) / 1_000_000

    @property
    def cents_without_cache(self) -> float:
        """What it costs where nothing is cached."""
        return 100 * (self.of(1) * _PRICE[0] + self.of(3) * _PRICE[1]) / 1_000_000

    @property
    def seconds(self) -> float:
        """How long a model writes and thinks of its first word."""
        return self.of(0) * _FIRST_WORD_SECONDS + self.of(3) / _TOKENS_PER_SECOND


# -- the three that are measured ---------------------------------------------------------------------------------------


class Editor:
    """Makes the edit that is asked for by operations; reads first what the edit needs and the messages do not hold."""

    def __init__(self, asked: Case) -> None:
        self._case = asked
        self._edits = {edit.request: edit for edit in asked.edits}

    def __call__(self, body: Json) -> Turn:
        edit = self._edits[read_first(body["messages"]).request]
        if _called(body) & {"edit_diagram", "edit_document"}:
            return _closing(edit)
        missing = self._missing(edit, _read(body))
        if missing and not _called(body):
            return _turn(*missing)
        assert not missing, f"{edit.request}: reading did not show what is needed: {missing}"
        return _turn(call(edit))

    def _missing(self, edit: Edit, seen: str) -> list[ToolUse]:
        """The calls that read what was not seen: nodes by their names, sections by their headings."""
        if edit.is_of_diagram:
            return [ToolUse("find_nodes", {"text": one}) for one in self._unseen_nodes(edit, seen)]
        unread = {}
        for one in edit.operations:
            quotes = [one["find"]] if "find" in one else []
            if one["op"] == "replace_section":
                section = self._case.text.split(f"\n{one['section']}\n")[1].strip()
                quotes = [section.split("\n")[0]]
            if any(quote.strip("\n") not in seen for quote in quotes):
                unread[one["section"]] = ToolUse("read_section", {"section": one["section"]})
        return list(unread.values())

    def _unseen_nodes(self, edit: Edit, seen: str) -> list[str]:
        nodes = {node["id"]: node["label"] for node in self._case.diagram["nodes"]}
        used: dict[str, None] = {}
        for one in edit.operations:
            for name in _ENDS:
                value = one.get(name)
                used.update(dict.fromkeys(value if isinstance(value, list) else [value]))
        known = [one for one in used if one in nodes]
        return [nodes[one] for one in known if not re.search(_ID.format(re.escape(one)), seen)]


class Writer:
    """Writes the diagram or the document anew."""

    def __init__(self, asked: Case) -> None:
        self._case = asked
        self._edits = {edit.request: edit for edit in asked.edits}

    def __call__(self, body: Json) -> Turn:
        edit = self._edits[read_first(body["messages"]).request]
        return _closing(edit) if _called(body) else _turn(written_anew(self._case, edit))


def call(edit: Edit) -> ToolUse:
    """The call that makes an edit by operations."""
    return ToolUse(edit.tool, {"operations": edit.operations, "explanation": edit.explanation})


def written_anew(asked: Case, edit: Edit) -> ToolUse:
    """The call that writes the whole as it is after the edit: as lean as one may, no places and no empty fields."""
    before, after = asked.workspace(), asked.workspace()
    run(after, *edit.operations, revision=2, by_person=False)
    if not edit.is_of_diagram:
        return ToolUse("rewrite_document", {"text": after.document.text, "explanation": edit.explanation})
    whole = whole_diagram(after)
    for node in whole["nodes"]:
        if "parent" not in node and (before.diagram.node(node["id"]) or {}).get("parent"):
            node["parent"] = None  # what is absent is kept
    return ToolUse("rewrite_diagram", {**whole, "explanation": edit.explanation})


def _closing(edit: Edit) -> Turn:
    return _turn(Text(f"Done. {edit.explanation}"))


def _turn(*blocks: Block) -> Turn:
    return Turn(blocks, chunk=4_000)


def _called(body: Json) -> set[str]:
    """The tools that were called so far."""
    return {
        block["name"]
        for message in body["messages"]
        for block in blocks_of(message["content"])
        if block["type"] == "tool_use"
    }


def _read(body: Json) -> str:
    """Everything that was read so far: the first message up to the request, and results."""
    found = []
    for message in body["messages"]:
        for block in blocks_of(message["content"]):
            text = block.get("text") or block.get("content") or ""
            found.append(text if isinstance(text, str) else "\n".join(one.get("text", "") for one in text))
    found[0] = found[0].split("<request-")[0]
    return "\n".join(found)


# -- measuring ---------------------------------------------------------------------------------------------------------


async def _product(
    redis_url: str, asked: Case, brain: Callable[[Json], Turn], *, regenerate: bool = False
) -> tuple[dict[str, Sum], Standin]:
    """Every edit of a case by the product, each on a workspace of its own; all must be applied."""
    sums = {"edit_diagram": Sum(), "edit_document": Sum()}
    standin = Standin(brain, cache_floor=1_024)
    async with (
        serve(standin) as url,
        assistant_worker(redis_url, url, regenerate=regenerate) as one,
    ):
        for edit in asked.edits:
            await one.make_shop([{"op": "replace_diagram", **asked.diagram}], asked.text)
            first = len(one.usage.rows)
            result = await one.ask(edit.request, mode="apply")
            assert result["status"] == "applied", (edit.request, result["outcome"])
            await _assert_made(one, asked, edit)
            sums[edit.tool].add(one.usage.rows[first:])
    assert standin.refused == []
    return sums, standin


async def _assert_made(one: AssistantWorker, asked: Case, edit: Edit) -> None:
    """The workspace is as the edit makes it, so that nobody is cheap by doing less."""
    wanted = asked.workspace()
    run(wanted, *edit.operations, revision=2, by_person=False)
    known = await one.look(lambda replica: _known(replica.workspace))
    assert known == _known(wanted), edit.request


def _known(workspace: Workspace) -> tuple[Any, ...]:
    """What people see of a workspace; places and ids of edges left out."""
    whole = whole_diagram(workspace)
    parts = [sorted(json.dumps(one, sort_keys=True) for one in whole[name]) for name in ("nodes", "edges")]
    return (*parts, workspace.document.text)


async def _everything(asked: Case) -> dict[str, Sum]:
    """Every edit by a program that sends everything as JSON and has the whole written anew, through the same SDK."""
    sums = {"edit_diagram": Sum(), "edit_document": Sum()}
    prompts = prompt_set("regenerate", read_prompts("regenerate"))
    tools = tools_of("edit", prompts, regenerate=True)
    whole = json.dumps(whole_diagram(asked.workspace()), ensure_ascii=False, separators=(",", ":"))

    def brain(body: Json) -> Turn:
        request = blocks_of(body["messages"][0]["content"])[0]["text"].rsplit("\n\n", 1)[1]
        [edit] = [edit for edit in asked.edits if edit.request == request]
        return _turn(written_anew(asked, edit))

    standin = Standin(brain, cache_floor=1_024)
    async with serve(standin) as url, _connected(url) as provider:
        for edit in asked.edits:
            first = f"The diagram:\n\n{whole}\n\nThe document:\n\n{asked.text}\n\n{edit.request}"
            made = TurnRequest(prompts.system, tools, [provider.user(first)], 128_000)
            await ended(provider, made)
            used = made.usage
            row = {
                "input_tokens": used.input,
                "cache_read": used.cache_read,
                "cache_write": used.cache_write,
                "output_tokens": used.output,
            }
            sums[edit.tool].add([row])
    return sums


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[AnthropicProvider]:
    connection = AnthropicConnection("sk-standin", url)
    try:
        yield AnthropicProvider("sk-standin", "claude-sonnet-5-5", connection=connection)
    finally:
        await connection.close()


def _joined(sums: Mapping[str, Sum]) -> Sum:
    return Sum([row for one in sums.values() for row in one.rows])


def _less(ours: float, theirs: float) -> float:
    return 100 * (1 - ours / theirs)


def _print(nodes: int, name: str, sums: Mapping[str, Sum]) -> None:
    for kind, one in (*sums.items(), ("both", _joined(sums))):
        cells = f"{one.of(0):>6.2f} {one.of(1):>9.0f} {one.of(2):>9.0f} {one.new:>9.0f} {one.of(3):>8.0f}"
        cells += f" {one.cents:>8.2f} {one.cents_without_cache:>8.2f} {one.seconds:>6.0f}"
        print(f"{nodes:>5} {name:<11} {kind.removeprefix('edit_'):<9} {cells}")


@pytest.mark.parametrize("nodes", _SIZES)
async def test_tokens_of_an_applied_request(nodes: int, redis_url: str, report: Report) -> None:
    """Input, cached and output, against sending everything each time and writing the whole anew."""
    asked = case(nodes)
    ours, standin = await _product(redis_url, asked, Editor(asked))
    # What the whole takes hardly depends on the edit, and making it takes long.
    few = asked if nodes == 24 else replace(asked, edits=asked.edits[::3])
    lean, _ = await _product(redis_url, few, Writer(few), regenerate=True)
    everything = await _everything(few)
    print(
        f"\n{'nodes':>5} {'who':<11} {'edits of':<9} {'turns':>6} {'input':>9} {'cached':>9} {'new':>9} {'output':>8}"
        f" {'cents':>8} {'uncached':>8} {'s':>6}"
    )
    for name, sums in (("ours", ours), ("regenerate", lean), ("everything", everything)):
        _print(nodes, name, sums)
    mine, theirs = _joined(ours), _joined(everything)
    first = [_size(one.body) for one in standin.asked if len(one.body["messages"]) == 1]
    print(f"first request: {min(first)} to {max(first)} tokens; most turns {max(row[0] for row in mine.rows)}")
    print(
        f"less input in all {_less(mine.of(1), theirs.of(1)):.1f} %, of new input {_less(mine.new, theirs.new):.1f} %"
    )
    if nodes == 300:
        report("new input saved at 300 nodes against sending everything, %", _less(mine.new, theirs.new), ">=", 80)
    if nodes == 24:
        for name, whole in (("everything", theirs), ("regenerate", _joined(lean))):
            report(f"money of an applied change at 24 nodes / {name}, %", 100 * mine.cents / whole.cents, "<=", 100)
            uncached = 100 * mine.cents_without_cache / whole.cents_without_cache
            report(f"the same where nothing is cached / {name}, %", uncached, "<=", 100)
        shares = [
            Sum([own]).cents_without_cache / Sum([other]).cents_without_cache
            for own, other in zip(mine.rows, theirs.rows, strict=True)
        ]
        report("the dearest of 24 edits where nothing is cached / everything, %", 100 * max(shares), "<=", 100)
        _report_output(asked, ours, everything, report)
        report("tokens of the first request for the sample", mean(first), "<=", 5_000)


def _size(body: Json) -> int:
    """Tokens of a request as docs/performance.md counts them: characters of compact JSON / 4."""
    parts = (body["tools"], body["system"], body["messages"])
    return sum(len(json.dumps(part, ensure_ascii=False, separators=(",", ":"))) for part in parts) // 4


def _report_output(asked: Case, ours: Mapping[str, Sum], whole: Mapping[str, Sum], report: Report) -> None:
    """Output saved by each edit: of the call, and of all that is said, the closing sentence included."""
    for tool, bar in (("edit_diagram", 95), ("edit_document", 98)):
        edits = [edit for edit in asked.edits if edit.tool == tool]
        calls = [_less(_output(call(edit)), _output(written_anew(asked, edit))) for edit in edits]
        every = [_less(mine[3], theirs[3]) for mine, theirs in zip(ours[tool].rows, whole[tool].rows, strict=True)]
        for edit, percent, all_of_it in zip(edits, calls, every, strict=True):
            print(f"  {percent:5.1f} % less in the call, {all_of_it:5.1f} % in all  {edit.request}")
        least = min(range(len(calls)), key=calls.__getitem__)
        what = tool.removeprefix("edit_")
        print(f"{what}: {mean(calls):.1f} % on average, the least {calls[least]:.1f} %: {edits[least].request}")
        print(f"{what}, with the closing sentence: {mean(every):.1f} %, the least {min(every):.1f} %")
        report(f"output saved by {len(calls)} {what} edits of the sample, %", mean(calls), ">=", bar)


def _output(said: ToolUse) -> float:
    """Tokens of a call: characters of compact JSON / 4."""
    return len(json.dumps(said.input, ensure_ascii=False, separators=(",", ":"))) / 4
