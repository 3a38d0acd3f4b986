"""The words of the agents' door: instructions and one text for each tool, read once from `prompts/mcp`.

Like the prompts of the assistant they are files, and `hash` names exactly these. Where files lie is not here
(`adapters.files.prompt_files`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from draftsmith.agents.prompts import AgentPrompt, agent_prompts
from draftsmith.assistant.prompts import front_matter, hash_of_files, version_in

_TOOL: Final = re.compile(r"tools/(\w+)\.md")
_SKILL: Final = "skills/draftsmith/SKILL.md"


@dataclass(frozen=True, slots=True)
class AgentTexts:
    """What agents are told.

    Attributes:
        version: of `instructions.md`, raised by hand when the words change their meaning.
        hash: 12 hexadecimal digits of all files.
        instructions: how to work here, sent when an agent connects.
        tools: tool name → description.
        prompts: what people may start an agent with, by name.
        skill: a `SKILL.md` as agents keep such files beside their own: front matter and the whole work in short.
    """

    version: int
    hash: str
    instructions: str
    tools: Mapping[str, str]
    prompts: Mapping[str, AgentPrompt]
    skill: str


def agent_texts(files: Mapping[str, str]) -> AgentTexts:
    """Make the texts of their files, by path inside `prompts/mcp`.

    Raises:
        ValueError: `instructions.md` or the skill is missing, or a file is malformed.
    """
    about, instructions = front_matter(files.get("instructions.md", ""), "mcp/instructions.md")
    tools = {
        found[1]: front_matter(text, path)[1].strip()
        for path, text in sorted(files.items())
        if (found := _TOOL.fullmatch(path))
    }
    return AgentTexts(
        version_in(about, "mcp/instructions.md"),
        hash_of_files(files),
        instructions.strip(),
        tools,
        agent_prompts(files),
        _skill(files),
    )


def _skill(files: Mapping[str, str]) -> str:
    """The file whole, as agents read it; its folder has to be called as it calls itself."""
    text = files.get(_SKILL, "")
    about, _ = front_matter(text, f"mcp/{_SKILL}")
    if about.get("name") != "draftsmith" or not about.get("description"):
        raise ValueError(f"mcp/{_SKILL} needs the name draftsmith and a description")
    return text
