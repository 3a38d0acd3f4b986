"""What a plugin may say of itself: the rules of `describe`, for the server, the command line and a plugin's tests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.plugin.schemas import plain_schema

TOOL_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,37}")
MOST_TOOLS: Final = 64
MOST_DESCRIPTION_CHARS: Final = 4_000
_MOST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class DescribedTool:
    """A tool as a plugin describes it; one that does not say so is not read-only."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    read_only: bool


@dataclass(frozen=True, slots=True)
class Description:
    """A plugin as it describes itself.

    Attributes:
        refused: of the tools that cannot be offered, why each.
    """

    name: str
    version: str
    tools: tuple[DescribedTool, ...]
    refused: tuple[str, ...] = ()


def read_description(answer: Any) -> Description:
    """Read the answer to `describe`; tools that cannot be offered are left out and told.

    Raises:
        ValueError: it is no description at all.
    """
    if not isinstance(answer, Mapping):
        raise ValueError("describe must answer an object: name, version, tools")
    name, version, tools = answer.get("name"), answer.get("version", ""), answer.get("tools")
    if not isinstance(name, str) or not name.strip() or not isinstance(version, str):
        raise ValueError("describe must say 'name' and 'version', both texts")
    if not isinstance(tools, list):
        raise ValueError("describe must list 'tools'")
    if len(tools) > MOST_TOOLS:
        raise ValueError(f"describe lists {len(tools)} tools; {MOST_TOOLS} are allowed")
    kept: dict[str, DescribedTool] = {}
    refused: list[str] = []
    for index, shape in enumerate(tools):
        try:
            tool = _read_tool(shape)
            if tool.name in kept:
                raise ValueError("there is another tool of this name")
            kept[tool.name] = tool
        except ValueError as error:
            named = shape.get("name") if isinstance(shape, Mapping) else None
            refused.append(f"{_printable(named) if isinstance(named, str) else f'tools/{index}'}: {error}")
    return Description(_printable(name), _printable(version), tuple(kept.values()), tuple(refused))


def _read_tool(shape: Any) -> DescribedTool:
    if not isinstance(shape, Mapping):
        raise ValueError("a tool is an object")
    name, description = shape.get("name"), shape.get("description")
    if not isinstance(name, str) or not TOOL_NAME.fullmatch(name) or "__" in name:
        raise ValueError(f"a tool's name must match {TOOL_NAME.pattern}, without two underscores in a row")
    if shape.get("type", "agentic") != "agentic":
        raise ValueError('the only type of tools that is known is "agentic"')
    if not isinstance(description, str) or not description.strip():
        raise ValueError("it must have a description that says what it does and when to use it")
    if len(description) > MOST_DESCRIPTION_CHARS:
        raise ValueError(f"its description is longer than {MOST_DESCRIPTION_CHARS:,} characters")
    return DescribedTool(
        name, description.strip(), plain_schema(shape.get("inputSchema")), shape.get("readOnly") is True
    )


def _printable(text: str) -> str:
    """A name without control characters, cut."""
    return "".join(one for one in text if one.isprintable())[:_MOST_NAME].strip()
