"""The texts of the tools of agents: one for each, with examples that fit, naming nothing that is not there."""

from __future__ import annotations

import json
import re

import pytest

from draftsmith.adapters.files.prompt_files import read_agent_texts
from draftsmith.agents.texts import agent_texts
from draftsmith.agents.tools import TOOLS, agent_tools
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import OPERATION_MODELS, parse_batch

WORDS = {
    "base_revision",
    "id",
    "op",
    "stale_base",
    "unread_change",
    "auto",
    "dry_run",
    "since",
    "bridge",
    "order-queue",
    "markdown",
    "mermaid",
    "text",
    "png",
    "json",
    "list",
    "show",
    "accept",
    "withdraw",
    "patterns",
}
OF_THE_SKILL = {"draftsmith", "draftsmith_edit", "mcp__draftsmith__edit", "workspace", "explanation", "format", "kind",
                "sync", "async", "data", "dependency", "description", "Dockerfile", "batch_rejected", "locked",
                "agent_looping", "too_many_requests"}  # fmt: skip


def test_every_tool_has_a_text_and_every_text_a_tool() -> None:
    files = dict(read_agent_texts())
    assert [tool.name for tool in agent_tools(agent_texts(files))] == list(TOOLS)
    for wrong in (
        {name: text for name, text in files.items() if name != "tools/edit.md"},
        {**files, "tools/x.md": "X"},
    ):
        with pytest.raises(ValueError, match="do not agree on"):
            agent_tools(agent_texts(wrong))


def test_the_hash_names_exactly_these_texts() -> None:
    files = dict(read_agent_texts())
    assert agent_texts(files).hash == agent_texts(files).hash
    assert agent_texts({**files, "tools/find.md": files["tools/find.md"] + "x"}).hash != agent_texts(files).hash


def test_examples_are_batches_that_are_read() -> None:
    lines = agent_texts(read_agent_texts()).tools["edit"].splitlines()
    examples = [json.loads(line) for line in lines if line.startswith("[")]
    assert len(examples) >= 3
    for example in examples:
        parse_batch(example, WorkspaceLimits())


def test_what_texts_name_is_there() -> None:
    """Names in backticks are tools, operations or their words."""
    texts = agent_texts(read_agent_texts())
    for text in (texts.instructions, *texts.tools.values()):
        named = set(re.findall(r"`([\w-]+)`", text))
        assert named <= TOOLS.keys() | OPERATION_MODELS.keys() | WORDS, named


def test_edit_offers_the_operations_of_the_assistant_and_needs_a_base() -> None:
    [edit] = [tool for tool in agent_tools(agent_texts(read_agent_texts())) if tool.name == "edit"]
    offered = set(edit.input_schema["properties"]["operations"]["items"]["properties"]["op"]["enum"])
    assert offered < OPERATION_MODELS.keys()
    assert {"replace_document", "replace_diagram", "edit_text", "move_nodes"}.isdisjoint(offered)
    assert set(edit.input_schema["required"]) == {"workspace", "base_revision", "operations"}


def test_the_tools_of_agents_stay_small() -> None:
    """Names, texts and schemas of what they take, in characters / 4: programs hand all of them to their model."""
    tools = agent_tools(agent_texts(read_agent_texts()))
    shown = [{"name": one.name, "description": one.description, "input_schema": one.input_schema} for one in tools]
    assert len(json.dumps(shown, ensure_ascii=False)) / 4 <= 3_000


def test_the_skill_names_what_there_is_and_its_examples_are_read() -> None:
    """It has a name, which is its folder's, a description of at most 1,024 characters, and the text."""
    skill = agent_texts(read_agent_texts()).skill
    head, _, body = skill.removeprefix("---\n").partition("\n---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields.keys() == {"name", "description"}
    assert fields["name"] == "draftsmith"
    assert re.fullmatch(r"[^:#]{1,1024}", fields["description"]), "else YAML reads it otherwise"
    examples = [json.loads(one) for one in re.findall(r"```json\n(.*?)```", body, re.DOTALL)]
    assert len(examples) >= 3
    for example in examples:
        assert example.keys() <= {*TOOLS["edit"].takes.model_fields, "operations"}
        parse_batch(example["operations"], WorkspaceLimits())
    named = set(re.findall(r"`([\w-]+)`", re.sub(r"```.*?```", "", body, flags=re.DOTALL)))
    assert named <= TOOLS.keys() | OPERATION_MODELS.keys() | WORDS | OF_THE_SKILL
    assert named >= {"read_workspace", "read_sections", "read_nodes", "find", "edit", "undo", "check", "export"}


def test_a_skill_of_another_name_is_refused() -> None:
    files = dict(read_agent_texts())
    path = "skills/draftsmith/SKILL.md"
    for wrong in ("", files[path].replace("name: draftsmith", "name: other")):
        with pytest.raises(ValueError, match="needs the name draftsmith"):
            agent_texts({**files, path: wrong})
