"""Conditions on what a request has led to, as JSON says them: one key names the condition, its value the details.

A node is meant by its id, or by an object of fields: `type` (one or several), `parent`, `id`, `properties` and, as
regular expressions without regard to letter case, `label`, `technology`, `description`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from draftsmith.model.rules import lint_all
from draftsmith.model.workspace import Workspace, diagram_json
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.refusal import OperationRefused

Json = Mapping[str, Any]


@dataclass(frozen=True)
class After:
    """What there is when a request is done: the workspace before and now, the answer, the run's status and findings.

    Findings are None where none were reported, not even an empty list. Of alternatives, which are counted, the first is
    accepted.
    """

    before: Workspace
    workspace: Workspace
    answer: str = ""
    status: str = ""
    findings: Sequence[Json] | None = None
    alternatives: int = 0


def holds(condition: Json, after: After) -> bool:
    """Whether a condition holds."""
    [(name, details)] = condition.items()
    return CONDITIONS[name](details, after)


def _says(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def _nodes(meant: Any, workspace: Workspace) -> list[str]:
    """Ids of the nodes that are meant."""
    if isinstance(meant, str):
        return [meant] if meant in workspace.diagram else []
    return [node["id"] for node in diagram_json(workspace.diagram)["nodes"] if _is_meant(node, meant)]


def _is_meant(node: Json, meant: Json) -> bool:
    for field, wanted in meant.items():
        value = node[field]
        if field in ("label", "technology", "description"):
            fits = _says(wanted, value)
        elif field == "properties":
            fits = all(_says(pattern, value.get(key, "")) for key, pattern in wanted.items())
        else:
            fits = value in wanted if isinstance(wanted, list) else value == wanted
        if not fits:
            return False
    return True


def _edges(meant: Json, workspace: Workspace) -> list[Json]:
    sources, targets = _nodes(meant["source"], workspace), _nodes(meant["target"], workspace)
    return [
        edge
        for edge in diagram_json(workspace.diagram)["edges"]
        if edge["source"] in sources
        and edge["target"] in targets
        and edge["kind"] == meant.get("kind", edge["kind"])
        and edge["direction"] == meant.get("direction", edge["direction"])
        and _says(meant.get("label", ""), edge["label"])
    ]


def _between(details: Json, after: After) -> bool:
    """A node that is meant stands between two, and nothing goes past it."""
    diagram = after.workspace.diagram
    source, target = details["source"], details["target"]
    return not diagram.edges_between(source, target) and any(
        diagram.edges_between(source, node_id) and diagram.edges_between(node_id, target)
        for node_id in _nodes(details["node"], after.workspace)
    )


def _together(details: Json, after: After) -> bool:
    """Some nodes stand in one group, whose label says this."""
    diagram = after.workspace.diagram
    parents = {diagram.parent(one) if one in diagram else None for one in details["nodes"]}
    [parent, *more] = parents
    return not more and parent is not None and _says(details.get("label", ""), diagram[parent]["label"])


def _count(details: Json, after: After) -> bool:
    return _is_within(len(_nodes(details["node"], after.workspace)), details)


def _is_within(count: int, details: Json) -> bool:
    return bool(details.get("least", 0) <= count <= details.get("most", count))


def _text_of(section: str | None, workspace: Workspace) -> str | None:
    """A section's text with its subsections; the whole document without one; None if there is no such section."""
    outline = workspace.document.outline
    if section is None:
        return outline.text
    try:
        found = find_section(outline, section, "", fuzzy=False)
    except OperationRefused:
        return None
    return outline.text[found.start : found.end]


def _text(details: Json, after: After) -> bool:
    text = _text_of(details.get("section"), after.workspace)
    if text is None:
        return False
    return _says(details.get("has", ""), text) and not ("lacks" in details and _says(details["lacks"], text))


def _order(titles: list[str], after: After) -> bool:
    """Sections stand in this order."""
    outline = after.workspace.document.outline
    places = [section.plain.casefold() for section in outline.sections]
    wanted = [title.casefold() for title in titles]
    at = [places.index(title) for title in wanted if title in places]
    return len(at) == len(wanted) and at == sorted(at)


def _same(part: str, after: After) -> bool:
    if part == "document":
        return after.workspace.document.text == after.before.document.text
    return diagram_json(after.workspace.diagram) == diagram_json(after.before.diagram)


def _sections_as_before(changed: list[str], after: After) -> bool:
    """Every section keeps its own text, except those that are named."""
    now = _own_texts(after.workspace)
    return all(now.get(title) == text for title, text in _own_texts(after.before).items() if title not in changed)


def _own_texts(workspace: Workspace) -> dict[str, str]:
    outline = workspace.document.outline
    return {one.plain: outline.text[one.body : one.own_end].strip() for one in outline.sections}


def _nodes_as_before(changed: list[str], after: After) -> bool:
    """Every node is there with its fields, except those that are named; where it stands does not matter."""
    fields = ("type", "label", "technology", "description", "notes", "properties")
    now, before = (
        {node["id"]: [node[field] for field in fields] for node in diagram_json(one.diagram)["nodes"]}
        for one in (after.workspace, after.before)
    )
    return all(now.get(node_id) == values for node_id, values in before.items() if node_id not in changed)


def _is_clean(codes: list[str], after: After) -> bool:
    """Lint says nothing of these kinds that it did not say before."""
    known = {problem.message for problem in lint_all(after.before)}
    return not any(one.code in codes and one.message not in known for one in lint_all(after.workspace))


def _has_finding(wanted: Sequence[Json], after: After) -> bool:
    """One of the findings is one of those wanted: kind and id are as they are, the section has these words."""
    return any(
        all(_says(value, one[name]) if name == "section" else one[name] == value for name, value in meant.items())
        for one in after.findings or ()
        for meant in wanted
    )


CONDITIONS: Mapping[str, Callable[[Any, After], bool]] = {
    "node": lambda meant, after: bool(_nodes(meant, after.workspace)),
    "no_node": lambda meant, after: not _nodes(meant, after.workspace),
    "edge": lambda meant, after: bool(_edges(meant, after.workspace)),
    "no_edge": lambda meant, after: not _edges(meant, after.workspace),
    "between": _between,
    "together": _together,
    "count": _count,
    "edges_at_least": lambda count, after: after.workspace.diagram.edge_count >= count,
    "text": _text,
    "no_section": lambda path, after: _text_of(path, after.workspace) is None,
    "order": _order,
    "sections_at_least": lambda count, after: len(after.workspace.document.outline.sections) >= count,
    "links_at_least": lambda count, after: len(after.workspace.document.outline.links) >= count,
    "name": lambda pattern, after: _says(pattern, after.workspace.name),
    "answer": lambda pattern, after: bool(after.answer.strip()) and _says(pattern, after.answer),
    "finding": _has_finding,
    "findings_at_most": lambda most, after: after.findings is not None and len(after.findings) <= most,
    "alternatives": lambda details, after: _is_within(after.alternatives, details),
    "changed": lambda is_changed, after: is_changed != (_same("document", after) and _same("diagram", after)),
    "same": _same,
    "sections_as_before": _sections_as_before,
    "nodes_as_before": _nodes_as_before,
    "clean": _is_clean,
}
