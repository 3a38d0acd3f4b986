"""What tests say to a provider, and how they collect what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

from draftsmith.assistant.provider import AIProvider, Event, Message, ToolSpec, TurnEnd, TurnRequest

EDIT = ToolSpec(
    "edit_diagram",
    "Change the diagram by a batch of operations; all of them are applied or none.",
    {
        "type": "object",
        "properties": {"operations": {"type": "array", "items": {"type": "object"}}, "explanation": {"type": "string"}},
        "required": ["operations"],
    },
    examples=[{"operations": [{"op": "add_node", "type": "cache", "label": "Redis"}]}],
    eager=True,
)
READ = ToolSpec(
    "read_section",
    "Read a section of the document.",
    {"type": "object", "properties": {"section": {"type": "string"}}, "required": ["section"]},
)
SYSTEM = ("You edit an architecture diagram and its document. " * 20, "Answer briefly.")


def request(
    *messages: Message,
    system: Sequence[str] = SYSTEM,
    tools: Sequence[ToolSpec] = (EDIT, READ),
    max_tokens: int = 4_000,
) -> TurnRequest:
    """Give one turn to be made."""
    return TurnRequest(system, tools, messages, max_tokens)


async def told(provider: AIProvider, asked: TurnRequest) -> list[Event]:
    """Make a turn and give everything that was told of it."""
    turn: Any = provider.turn(asked)
    async with aclosing(turn) as events:
        return [event async for event in events]


async def ended(provider: AIProvider, asked: TurnRequest) -> TurnEnd:
    """Make a turn and give its end."""
    end = (await told(provider, asked))[-1]
    assert isinstance(end, TurnEnd)
    return end
