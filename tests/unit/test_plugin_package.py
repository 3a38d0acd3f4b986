"""`draftsmith.plugin`: typed functions become tools; what a plugin says of itself is read by one set of rules."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from draftsmith.plugin import Plugin, PluginError, Session
from draftsmith.plugin.protocol import read_description
from draftsmith.plugin.schemas import plain_schema
from draftsmith.plugin.testing import PluginCaller

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin" / "greeter.py"


class Chart(BaseModel):
    name: str
    repository: str = "stable"


plugin = Plugin("trial", "2.1.0")


@plugin.tool(read_only=True)
def newest(charts: list[Chart], channel: Literal["stable", "edge"] = "stable", at_most: int | None = None) -> Any:
    """Find the newest versions. Use it before you write one."""
    return {chart.name: f"{channel} of {chart.repository}" for chart in charts[:at_most]}


@plugin.tool(read_only=False, seconds=0.05)
async def apply(session: Session, fails: str = "") -> int:
    """Change something outside."""
    session.state["calls"] = session.state.get("calls", 0) + 1
    if fails == "slow":
        await asyncio.sleep(60)
    if fails == "told":
        raise PluginError("no_cluster", "The cluster does not answer.", {"tried": 3})
    if fails == "defect":
        raise KeyError("a password")
    return int(session.state["calls"])


def test_a_typed_function_becomes_a_tool() -> None:
    """Name, text, schema and whether it only reads come from the function; a plugin's own check finds no fault."""
    caller = PluginCaller(plugin)
    first, second = caller.describe()["tools"]
    assert (first["name"], first["type"], first["readOnly"], second["readOnly"]) == ("newest", "agentic", True, False)
    assert first["description"] == "Find the newest versions. Use it before you write one."
    assert first["inputSchema"]["required"] == ["charts"]
    assert second["inputSchema"]["properties"] == {"fails": {"default": "", "type": "string"}}  # no session
    assert caller.problems() == []
    told = read_description(caller.describe()).tools[0].input_schema
    assert told["properties"]["charts"]["items"]["properties"].keys() == {
        "name",
        "repository",
    }  # references written out
    assert caller.invoke("newest", charts=[{"name": "redis"}]) == {"redis": "stable of stable"}


def test_the_state_of_a_session_comes_with_the_next_call() -> None:
    """A plugin keeps nothing itself."""
    caller = PluginCaller(plugin)
    assert [caller.invoke("apply"), caller.invoke("apply"), PluginCaller(plugin).invoke("apply")] == [1, 2, 1]


@pytest.mark.parametrize(
    "tool, args, code, says",
    [
        ("newest", {}, "invalid_args", "charts"),
        ("newest", {"charts": [], "channel": "beta"}, "invalid_args", "channel"),
        ("newest", {"charts": [], "more": 1}, "invalid_args", "more"),
        ("nothing", {}, "unknown_tool", "newest, apply"),
        ("apply", {"fails": "slow"}, "timeout", "0.05 seconds"),
        ("apply", {"fails": "told"}, "no_cluster", "does not answer"),
        ("apply", {"fails": "defect"}, "internal", "the log of the plugin"),
    ],
)
def test_what_goes_wrong_is_an_answer(tool: str, args: dict[str, Any], code: str, says: str) -> None:
    """A wrong call and a failing tool are told with a code, and nothing of a defect but that there was one."""
    with pytest.raises(PluginError) as told:
        PluginCaller(plugin).invoke(tool, **args)
    assert told.value.code == code
    assert says in told.value.message
    assert "password" not in told.value.message


def test_a_function_that_cannot_be_a_tool_is_refused_when_it_is_declared() -> None:
    """Without types there is no schema, without a text no model knows when to call it."""
    made = Plugin("made", "1")

    def untyped(name) -> None:  # type: ignore[no-untyped-def]
        """Do something."""

    def silent(name: str) -> None: ...

    def starred(*names: str) -> None:
        """Do something."""

    for function in (untyped, silent, starred):
        with pytest.raises(TypeError):
            made.tool(read_only=True)(function)


def test_a_tool_may_have_a_second_name() -> None:
    """It is the same tool; a name that is taken is refused."""
    named = Plugin("named", "1.0.0")
    named.tool(read_only=True)(newest)
    named.alias("latest", "newest")
    tools = named.describe()["tools"]
    assert [tool["name"] for tool in tools] == ["newest", "latest"]
    assert {**tools[1], "name": "newest"} == tools[0]
    charts = [{"name": "redis"}]
    assert PluginCaller(named).invoke("latest", charts=charts) == {"redis": "stable of stable"}
    with pytest.raises(ValueError, match="already"):
        named.alias("latest", "newest")


def test_it_stands_alone() -> None:
    """Importing it imports nothing else of the product, no web framework and no client."""
    code = "import sys, draftsmith.plugin, draftsmith.plugin.app, draftsmith.plugin.testing; print(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    ours = {name.split(".")[1] for name in names if name.startswith("draftsmith.")}
    assert ours == {"plugin"}
    assert not {"fastapi", "starlette", "uvicorn", "redis", "httpx2", "networkx", "anthropic"} & set(names)


def test_the_example_does_what_its_page_says() -> None:
    """The ten lines of the guide, called through the helper for tests."""
    spec = importlib.util.spec_from_file_location("greeter", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    caller = PluginCaller(module.plugin)
    assert caller.problems() == []
    assert caller.invoke("greet", name="Ada") == "Hello, Ada! 0 were greeted before."
    assert caller.invoke("greet", name="Alan", loud=True) == "HELLO, ALAN! 1 WERE GREETED BEFORE."


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


def bomb() -> dict[str, Any]:
    """A small schema whose references double at each of forty levels."""
    defs: dict[str, Any] = {"d0": {"type": "string"}}
    for level in range(1, 9):
        inner = {"$ref": f"#/$defs/d{level - 1}"}
        defs[f"d{level}"] = {"type": "object", "properties": dict.fromkeys("abcdefgh", inner)}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/d8"}}, "$defs": defs}


@pytest.mark.parametrize(
    "schema, says",
    [
        (None, "must be an object"),
        ({"type": "string"}, "at the top"),
        ({"anyOf": [{"type": "object"}]}, "at the top"),
        (nested(40), "nested deeper"),
        (bomb(), "properties"),
        ({"type": "object", "properties": {"x": {"anyOf": [{"enum": ["y" * 30_000]}]}}}, "longer than"),
        ({"type": "object", "properties": {"x": {"$ref": "https://elsewhere.test/s.json"}}}, "into the schema itself"),
        ({"type": "object", "properties": {"x": {"$ref": "#"}}}, "into the schema itself"),
        (
            {"type": "object", "properties": {"x": {"$ref": "#/$defs/t"}},
             "$defs": {"t": {"type": "object", "properties": {"t": {"$ref": "#/$defs/t"}}}}},
            "recursive",
        ),
        ({"type": "object", "properties": {"x": {"type": "text"}}}, "type must be"),
        ({"type": "object", "properties": {"x": 7}}, "no schema"),
        ({"type": "object", "properties": {"a b": {}}}, "name of a property"),
        ({"type": "object", "properties": {"x": {"allOf": [{}, {}]}}}, "allOf"),
        ({"type": "object", "properties": {"x": {"enum": [{"a": 1}]}}}, "enum"),
    ],
)  # fmt: skip
def test_a_schema_that_some_model_cannot_be_told_is_refused_with_the_reason(schema: Any, says: str) -> None:
    """When the plugin is registered, not in the middle of a request."""
    with pytest.raises(ValueError, match=says):
        plain_schema(schema)


def test_a_schema_keeps_what_every_model_reads() -> None:
    """References and one-of are written out, what only validators need goes, and the given one stays as it is."""
    given = {
        "$schema": "x", "type": "object", "title": "T", "required": ["kind", "gone"],
        "properties": {
            "kind": {"const": "pod", "default": "pod"},
            "name": {"type": ["string", "null"], "pattern": "^a", "minLength": 1, "description": "of it"},
            "size": {"type": ["integer", "string"]},
            "any": True,
            "where": {"allOf": [{"$ref": "#/$defs/Where"}], "description": "place"},
            "list": {"type": "array"},
        },
        "$defs": {"Where": {"oneOf": [{"type": "string"}, {"type": "object", "patternProperties": {}}]}},
    }  # fmt: skip
    before = json.dumps(given)
    assert plain_schema(given) == {
        "type": "object", "required": ["kind"],
        "properties": {
            "kind": {"enum": ["pod"]},
            "name": {"type": ["string", "null"], "description": "of it"},
            "size": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "any": {},
            "where": {"anyOf": [{"type": "string"}, {"type": "object"}], "description": "place"},
            "list": {"type": "array", "items": {}},
        },
    }  # fmt: skip
    assert json.dumps(given) == before


def test_a_tool_that_cannot_be_offered_is_left_out_and_told() -> None:
    """The others are offered; what does not say that it only reads counts as writing."""
    good = {"name": "look", "description": "Look.", "inputSchema": {"type": "object"}}
    tools = [
        good,
        {**good, "description": "Another."},
        {**good, "name": "delete all"},
        {**good, "name": "a__b"},
        {**good, "name": "silent", "description": ""},
        {**good, "name": "odd", "type": "hook"},
        {**good, "name": "lying", "readOnly": "yes"},
        7,
    ]
    found = read_description({"name": "x\u202e\n", "version": "1", "tools": tools})
    assert [(tool.name, tool.read_only) for tool in found.tools] == [("look", False), ("lying", False)]
    assert [why.partition(":")[0] for why in found.refused] == [
        "look",
        "delete all",
        "a__b",
        "silent",
        "odd",
        "tools/7",
    ]
    assert found.name == "x"
    for answer in (
        None,
        [],
        {"name": "x"},
        {"name": 1, "tools": []},
        {"name": "x", "version": "1", "tools": [good] * 65},
    ):
        with pytest.raises(ValueError, match="describe"):
            read_description(answer)
