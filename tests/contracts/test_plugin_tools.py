"""Tools of plugins on every provider: whatever schema was registered is one that each of them takes."""

from __future__ import annotations

import pytest

from draftsmith.assistant.tools.plugin_tools import tool_spec
from draftsmith.plugin.protocol import read_description
from tests.standin import ToolUse, Turn
from tests.standin.conversation import ended, request
from tests.standin.kinds import KINDS, Kind, running

AWKWARD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "title": "Arguments",
    "required": ["kind"],
    "properties": {
        "kind": {"const": "chart", "default": "chart"},
        "size": {"type": ["integer", "string", "null"], "exclusiveMinimum": 0},
        "where": {"oneOf": [{"$ref": "#/$defs/Where"}, {"type": "null"}]},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}, "patternProperties": {"^x": {}}},
        "list": {"type": "array"},
        "pairs": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"allOf": [{"type": "string"}]}},
        "any": True,
        "if": {"if": {"const": 1}, "then": {}, "not": {"type": "null"}},
    },
    "$defs": {"Where": {"type": "object", "properties": {"name": {"type": "string", "format": "hostname"}}}},
    "dependentRequired": {"size": ["kind"]},
}
LONGEST = "t" * 38


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_every_provider_takes_tools_of_plugins(kind: Kind) -> None:
    """Awkward schemas, the longest names and as many tools as there may be are accepted, and a call comes back."""
    shapes = [{"name": f"t{number}", "description": "Look.", "inputSchema": AWKWARD} for number in range(63)]
    shapes.append({"name": LONGEST, "description": "Look.", "inputSchema": {"type": "object"}})
    described = read_description({"name": "p", "version": "1", "tools": shapes})
    assert described.refused == ()
    specs = [tool_spec("p" * 24, tool, writes=True) for tool in described.tools]
    call = ToolUse(f"{'p' * 24}__{LONGEST}", {"kind": "chart"})
    async with running(kind, [Turn([call])]) as (standin, provider):
        end = await ended(provider, request(provider.user("Look."), tools=specs))
        assert [one.name for one in end.calls] == [call.name]
        assert standin.refused == []
