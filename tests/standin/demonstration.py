"""What the stand-in says in `make demo-llm`: it knows the built-in commands, one fixed first diagram, and its manners.

Deterministic and no model at all, but everything between it and the page is what a model would go through.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from draftsmith.assistant.builtin import plan
from tests.standin.prefix import blocks_of
from tests.standin.reading import Asked, read_first
from tests.standin.script import Step, Text, Thinking, ToolUse, Turn

_CHUNK, _DELAY = 8, 0.03
_OPTIONAL = (
    ("cache", "cache", "Cache", "Redis"),
    ("queue", "queue", "Queue", "RabbitMQ"),
    ("login|auth|sign", "auth", "Sign-in", "OpenID Connect"),
    ("search", "search", "Search", "OpenSearch"),
    ("file|image|photo|video", "storage", "Files", "S3"),
)


def demonstrate(body: Mapping[str, Any]) -> Step:
    """Answer a request as the demonstration does."""
    asked = read_first(body["messages"])
    last = blocks_of(body["messages"][-1]["content"])
    results = [block for block in last if block["type"] == "tool_result"]
    if results:
        return _said(_after(asked, results, may_edit=_may_edit(body)))
    if "<commits-" in asked.request:
        return _said("This is a stand-in, which reads the commits and has no words for them. A model would tell them.")
    if len(body["messages"]) > 1:
        return _said("I leave it at that; please look at what has changed meanwhile, and ask again.")
    planned = plan(asked.request, asked.workspace, may_edit=_may_edit(body))
    if planned.refusal is None:
        calls = [ToolUse(name, given) for name, given in planned.calls]
        return Turn([Thinking(_thought(asked)), *calls], chunk=_CHUNK, delay=_DELAY)
    if _may_edit(body) and not asked.workspace.diagram.node_count:
        return Turn(
            [Thinking(_thought(asked)), Text("Here is a first draft."), *_draft(asked.request)],
            chunk=_CHUNK,
            delay=_DELAY,
        )
    known = "".join(f"\n- {one}" for one in planned.refusal.suggestions)
    hint = f"\n\nThis would work:{known}" if known else ""
    return _said(f"I am a demonstration, not a model, and know fixed sentences only. {planned.refusal.reason}{hint}")


def _may_edit(body: Mapping[str, Any]) -> bool:
    return any(tool["name"] == "edit_diagram" for tool in body.get("tools") or ())


def _said(text: str) -> Turn:
    return Turn([Text(text)], chunk=_CHUNK, delay=_DELAY)


def _thought(asked: Asked) -> str:
    diagram = asked.workspace.diagram
    return f"The diagram has {diagram.node_count} nodes and {diagram.edge_count} connections. The request is clear."


def _after(asked: Asked, results: list[dict[str, Any]], *, may_edit: bool) -> str:
    texts = ["\n".join(block.get("text", "") for block in blocks_of(result.get("content"))) for result in results]
    if any(result.get("is_error") for result in results):
        return f"That did not fit, so nothing was changed. {texts[0]}"
    planned = plan(asked.request, asked.workspace, may_edit=may_edit)
    if planned.questions:
        return "\n\n".join(texts)
    return " ".join(planned.sentences) or "Done: a first draft of the diagram and of the document."


def _draft(request: str) -> list[ToolUse]:
    """One small system, with what the request speaks of."""
    nodes = [
        ("web", "web", "Web app", "React"),
        ("gateway", "gateway", "Gateway", "NGINX"),
        ("service", "service", "Main service", "Python"),
        ("database", "database", "Database", "PostgreSQL"),
    ]
    optional = [(kind, kind, label, tech) for words, kind, label, tech in _OPTIONAL if re.search(words, request, re.I)]
    operations: list[dict[str, Any]] = [
        {"op": "add_node", "id": node_id, "type": kind, "label": label, "technology": technology}
        for node_id, kind, label, technology in nodes + optional
    ]
    ways = [("web", "gateway", "requests"), ("gateway", "service", "routes"), ("service", "database", "reads, writes")]
    ways += [("service", node_id, "uses") for node_id, *_ in optional]
    operations += [
        {"op": "add_edge", "source": source, "target": target, "label": label} for source, target, label in ways
    ]
    listed = "".join(f"\n- **{label}** ({technology})" for _, _, label, technology in nodes + optional)
    section = {"op": "insert_section", "title": "Components", "text": f"What the system is made of:\n{listed}"}
    return [
        ToolUse("edit_diagram", {"operations": operations, "explanation": "A first draft"}),
        ToolUse("edit_document", {"operations": [section], "explanation": "A first draft"}),
    ]
