"""Prompts: what people start an agent with, from a menu of their program, with blanks to fill in.

Each is a file `prompts/mcp/prompts/<name>.md`: front matter with title, description and arguments (one line each; `?`
before those that may be left out), and the text with `{{argument}}`. What stands between `{{#argument}}` and
`{{/argument}}` goes where the argument was left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from draftsmith.assistant.prompts import front_matter
from draftsmith.errors import DraftsmithError

_FILE: Final = re.compile(r"prompts/([\w-]+)\.md")
_BLANK: Final = re.compile(r"\{\{(\w+)\}\}")
_TAG: Final = re.compile(r"\{\{#(\w+)\}\}|\{\{/(\w+)\}\}\n?")
"""Where a part begins and ends that is there only with its argument."""
_MOST: Final = 20_000


@dataclass(frozen=True, slots=True)
class Argument:
    """A blank of a prompt."""

    name: str
    description: str
    is_required: bool


@dataclass(frozen=True, slots=True)
class AgentPrompt:
    """One prompt; `text` has the blanks in it."""

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    text: str

    def fill(self, values: Mapping[str, str]) -> str:
        """The text with its blanks filled in.

        Raises:
            DraftsmithError: `invalid_request` where an argument lacks, is unknown or is too long.
        """
        names = [one.name for one in self.arguments]
        for name, value in values.items():
            if name not in names:
                raise DraftsmithError("invalid_request", f"{self.name} takes {', '.join(names)}; not {name[:80]!r}.")
            if len(value) > _MOST:
                raise DraftsmithError("invalid_request", f"{name} is longer than {_MOST:,} characters.")
        for one in self.arguments:
            if one.is_required and not values.get(one.name, "").strip():
                raise DraftsmithError("invalid_request", f"{self.name} needs {one.name}: {one.description}.")
        text = "".join(part for name, part in _parts_of(self.text) if not name or values.get(name, "").strip())
        return _BLANK.sub(lambda found: values.get(found[1], "").strip(), text)


def _parts_of(text: str) -> list[tuple[str, str]]:
    """The text in parts, each with the argument without which it is left out; empty for none.

    Raises:
        ValueError: a part is not closed, or closed twice.
    """
    parts, name = [], ""
    before, *tags = _TAG.split(text)
    parts.append(("", before))
    for begun, ended, rest in zip(tags[::3], tags[1::3], tags[2::3], strict=True):
        if (name != "") == (begun is not None) or ended not in (None, name):
            raise ValueError(f"{{{{{begun or ended}}}}} is not in its place")
        name = begun or ""
        parts.append((name, rest))
    if name:
        raise ValueError(f"{{{{#{name}}}}} is not closed")
    return parts


def agent_prompts(files: Mapping[str, str]) -> Mapping[str, AgentPrompt]:
    """Make the prompts of their files, by path inside `prompts/mcp`.

    Raises:
        ValueError: a file is malformed, or uses an argument that it does not declare.
    """
    return {
        found[1]: _prompt(found[1], text, path)
        for path, text in sorted(files.items())
        if (found := _FILE.fullmatch(path))
    }


def _prompt(name: str, text: str, path: str) -> AgentPrompt:
    about, body = front_matter(text, path)
    declared = about.get("arguments") or {}
    arguments = tuple(
        Argument(word, said.removeprefix("?").strip(), not said.startswith("?")) for word, said in declared.items()
    )
    used = {found[1] for found in _BLANK.finditer(body)} | {part for part, _ in _parts_of(body) if part}
    if used != set(declared) or not about.get("title") or not about.get("description"):
        raise ValueError(f"{path} needs a title, a description, and each of its arguments declared and used")
    return AgentPrompt(name, about["title"], about["description"], arguments, body.strip())
