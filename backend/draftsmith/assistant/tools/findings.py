"""Findings as a model reports them, checked against what there is: nothing is taken that cannot be looked up.

A finding names a node, an edge, a section or a commit, and quotes from it or from the section that it names beside it.
What does not exist and what does not stand there is a problem, with what comes near. Pure; commits are given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from rapidfuzz import fuzz, process

from draftsmith.assistant.tools.commit_answers import ReadableCommit, texts_of
from draftsmith.assistant.tools.investigation_inputs import ReportedFinding
from draftsmith.assistant.tools.lines import node_line, one_line, quote_line
from draftsmith.assistant.tools.readers import whole_node, without_empty
from draftsmith.assistant.tools.tool_arguments import ToolFault, named_node
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.fields import edge_json
from draftsmith.model.ids import EdgeId
from draftsmith.model.markdown.sections import Section
from draftsmith.model.workspace import Workspace
from draftsmith.ports.run_outcomes import FindingOut
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.refusal import OperationRefused

_Name = TypeVar("_Name")
_LARGE: Final = 200_000  # characters; checking holds up everybody who works in the workspace
_RANKED: Final = 400  # lines that are compared with a quote that stands nowhere
_LINE: Final = 2_000  # characters of each
_SHOWN: Final = 200  # characters of the nearest one
_ARROWS: Final = ("->", "→", "-->")
_MARKS: Final = "\"'“”„‘’«»… "


def cited_revisions(reported: Iterable[ReportedFinding]) -> list[int]:
    """The revisions that findings name, as far as they are numbers."""
    named = (_revision_or_none(one) for one in reported if one.kind == "commit")
    return list(dict.fromkeys(one for one in named if one is not None))


def check_findings(
    workspace: Workspace, commits: Mapping[int, ReadableCommit | str], reported: Sequence[ReportedFinding]
) -> tuple[list[FindingOut], list[str]]:
    """Check what was reported; the findings, and a problem for each that does not hold.

    Args:
        workspace: as it is now.
        commits: what `cited_revisions` names; a text where one cannot be read says why.
        reported: by the model.
    """
    found: list[FindingOut] = []
    problems: list[str] = []
    for index, one in enumerate(reported):
        try:
            finding = _check_finding(workspace, commits, one)
        except ToolFault as fault:
            problems.append(f"findings[{index}].{fault}")
            continue
        if finding not in found:
            found.append(finding)
    return found, problems


def named_edge(diagram: Diagram, wanted: str) -> EdgeId:
    """The id of an edge that is named by its id, or as `source -> target` where one edge connects the two.

    Raises:
        ToolFault: there is none or there are several; the message lists them.
    """
    if diagram.ends(EdgeId(wanted.strip())) is not None:
        return EdgeId(wanted.strip())
    arrow = next((one for one in reversed(_ARROWS) if one in wanted), None)
    if arrow is None:
        raise ToolFault(
            f"There is no edge {quote_line(wanted)}. Name it as source -> target, or read_nodes shows its id."
        )
    source, target = (named_node(diagram, part.strip().strip(_MARKS)) for part in wanted.split(arrow, 1))
    between = sorted(diagram.edges_between(source, target))
    if len(between) == 1:
        return between[0]
    if between:
        shown = ", ".join(f"{one} {quote_line((diagram.edge(one) or {}).get('label', ''))}" for one in between[:5])
        raise ToolFault(f"Several edges run from '{source}' to '{target}': {shown}. Give an id.")
    back = f" One runs from '{target}' to '{source}'." if diagram.edges_between(target, source) else ""
    raise ToolFault(f"No edge runs from '{source}' to '{target}'.{back}")


def finding_lines(finding: FindingOut) -> str:
    """A finding as a model is told of it that is to change something."""
    where = f" (section {finding['section']})" if finding["section"] else ""
    named = f"{finding['kind']} {finding['id']} {quote_line(finding['name'])}"
    return f"{named}\nwhy: {one_line(finding['why'])}\nevidence: {quote_line(finding['evidence'])}{where}"


def stretch_of(text: str, quote: str) -> str | None:
    """The stretch of a text that a quote means, as it is written there; None where it stands nowhere.

    White space may differ, except in texts of more than `_LARGE` characters, and marks around the quote do not count;
    everything else is letter for letter.
    """
    wanted = [one for one in dict.fromkeys((quote.strip(), quote.strip(_MARKS).strip())) if one]
    exact = next((one for one in wanted if one in text), None)
    if exact is not None or len(text) > _LARGE:
        return exact
    flat = " ".join(text.split())
    for one in (" ".join(one.split()) for one in wanted):
        at = flat.find(one)
        if at >= 0:
            before = at - flat.count(" ", 0, at)
            return _from_to(text, before, before + len(one) - one.count(" "))
    return None


def _from_to(text: str, first: int, beyond: int) -> str:
    """The text from one of its visible characters up to another, by their numbers."""
    places = [at for at, one in enumerate(text) if not one.isspace()]
    return text[places[first] : places[beyond - 1] + 1]


def _check_finding(
    workspace: Workspace, commits: Mapping[int, ReadableCommit | str], one: ReportedFinding
) -> FindingOut:
    section = _section(workspace, one)
    path = "" if section is None else workspace.document.outline.path(section)
    match one.kind:
        case "node":
            key, name, texts = _node(workspace.diagram, one)
        case "edge":
            key, name, texts = _edge(workspace.diagram, one)
        case "commit":
            key, name, texts = _commit(commits, one)
        case "section":
            key, name, texts = path, "" if section is None else section.title, []
    evidence = _evidence(workspace, one, texts, section)
    return FindingOut(kind=one.kind, id=key, section=path, evidence=evidence, why=one.why, name=one_line(name))


def _node(diagram: Diagram, one: ReportedFinding) -> tuple[str, str, list[str]]:
    """The id of a node, its name, and what may be quoted of it."""
    node_id = _resolve_name(lambda: named_node(diagram, _id_of(one)))
    whole = whole_node(diagram, node_id)
    texts = [node_line(diagram, node_id), *_texts_of(whole), json.dumps(without_empty(whole), ensure_ascii=False)]
    return node_id, diagram.label(node_id), texts


def _edge(diagram: Diagram, one: ReportedFinding) -> tuple[str, str, list[str]]:
    edge_id = _resolve_name(lambda: named_edge(diagram, _id_of(one)))
    source, target = diagram.ends(edge_id) or NO_ENDS
    shape = edge_json(edge_id, source, target, diagram.edge(edge_id) or {})
    drawn = f"{source} -> {target}({shape['label']})"
    texts = [drawn, *_texts_of(shape), json.dumps(without_empty(shape), ensure_ascii=False)]
    return edge_id, f"{diagram.label(source)} → {diagram.label(target)}", texts


def _commit(commits: Mapping[int, ReadableCommit | str], one: ReportedFinding) -> tuple[str, str, list[str]]:
    revision = _revision_or_none(one)
    if revision is None:
        raise ToolFault(f"id: {quote_line(one.id or '')} is no revision; find_commits lists them.")
    commit = commits[revision]
    if isinstance(commit, str):
        raise ToolFault(f"id: {commit}")
    return str(revision), commit["what"], texts_of(commit)


def _evidence(workspace: Workspace, one: ReportedFinding, texts: Sequence[str], section: Section | None) -> str:
    """The quote as it stands in the section that is named, else in what the finding is about."""
    cited = list(texts)
    if one.kind == "section" or one.section is not None:
        outline = workspace.document.outline
        start, end = (0, outline.preamble_end) if section is None else (section.start, section.end)
        cited.insert(0, outline.text[start:end])
    for text in cited:
        found = stretch_of(text, one.evidence)
        if found is not None:
            return found
    lines = [line[:_LINE] for text in cited for line in text[:_LARGE].splitlines() if line.strip()][:_RANKED]
    near = process.extractOne(one.evidence, lines, scorer=fuzz.partial_ratio, score_cutoff=50)
    hint = f" Nearest there: {quote_line(near[0].strip()[:_SHOWN])}." if near else ""
    raise ToolFault(
        f"evidence: {quote_line(one.evidence[:_SHOWN])} does not stand in what the finding names.{hint}"
        " Quote it letter for letter, and name the section if it stands in the document."
    )


def _resolve_name(find: Callable[[], _Name]) -> _Name:
    """What a name means; a name that means nothing is a problem of the field `id`."""
    try:
        return find()
    except ToolFault as fault:
        gone = "For what is no longer there, report the commit that took it away."
        raise ToolFault(f"id: {fault} {gone}") from None


def _id_of(one: ReportedFinding) -> str:
    if not (one.id or "").strip():
        raise ToolFault(f"A finding of kind {one.kind} needs an id.")
    return (one.id or "").strip()


def _revision_or_none(one: ReportedFinding) -> int | None:
    text = (one.id or "").strip().casefold().removeprefix("revision").strip().removeprefix("r")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 15 else None


def _section(workspace: Workspace, one: ReportedFinding) -> Section | None:
    """The section that a finding names; None for none, and for the text before the first heading."""
    wanted = one.section
    if one.kind == "section" and wanted is None:
        wanted = one.id
        if wanted is None:
            raise ToolFault("section: A finding of kind section needs its heading.")
    if not (wanted or "").strip():
        return None
    try:
        return find_section(workspace.document.outline, wanted or "", "/section", fuzzy=False)
    except OperationRefused as refused:
        near = f" Sections: {'; '.join(refused.candidates)}." if refused.candidates else ""
        raise ToolFault(f"section: {refused.message}{near}") from None


def _texts_of(shape: Mapping[str, object]) -> list[str]:
    """The texts of a node or an edge, properties as `key: value`."""
    said: list[str] = []
    for name, value in without_empty(shape).items():
        if isinstance(value, str):
            said += [value, f"{name}: {value}"]
        elif name == "properties" and isinstance(value, Mapping):
            said += [f"{key}: {one}" for key, one in value.items()]
    return said
