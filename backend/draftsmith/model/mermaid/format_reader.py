"""Mermaid as a format that is read (`model.readers`): a file is a set by itself and becomes one workspace."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from draftsmith.model.document import with_lf
from draftsmith.model.fields import SparseDiagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.mermaid.kinds import FIRST_WORDS, PARSED_KINDS, PARSED_WORDS, first_statement, kind_of
from draftsmith.model.mermaid.parsed_chart import chart_in, read_chart, refusal_in
from draftsmith.model.mermaid.reader import MermaidImport, UnreadLine, from_mermaid
from draftsmith.model.mermaid.writer import to_mermaid
from draftsmith.model.readers.alone import head_of, sets_of, text_of
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart

__all__ = ["from_chart", "own_ids", "read", "recognizes", "sets_of"]

_LOOKED_AT: Final = 4_096
_OWN_ENDINGS: Final = (".mmd", ".mermaid")
_CHART: Final = re.compile(rf"(?:{'|'.join((*FIRST_WORDS, *PARSED_WORDS))})(?:-elk|-v2|-beta)?(?=[\s;:]|\Z)")


def recognizes(file: SourceFile) -> bool:
    """Whether it is called as Mermaid is, whatever chart it holds, or begins as a chart does that is read."""
    return (
        file.path.lower().endswith(_OWN_ENDINGS) or _CHART.match(first_statement(head_of(file, _LOOKED_AT))) is not None
    )


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read a chart.

    Raises:
        UnreadableSource: it is of a kind that is not read, or nothing of it can be read.
    """
    root = sources.root
    found = from_chart(text_of(root), root.parsed, is_placed=False)
    if found.fault is not None:
        raise UnreadableSource(found.fault.reason, root.path, found.fault.line)
    unread = [UnreadPart(root.path, f"line {one.line}", one.text, one.reason) for one in found.unread]
    return [ReadWorkspace(found.name, found.diagram, unread=unread, sources=found.sources, flow=found.direction)]


def from_chart(text: str, parsed: bytes, *, is_placed: bool) -> MermaidImport:
    """Read a chart as Mermaid's own parser has read it; without that, a flowchart line by line. Never raises.

    What our export writes is read line by line: it keeps each id and each sign. So is a flowchart that the parser
    refuses, which it does for one line that it cannot read.

    Args:
        text: the chart.
        parsed: the answer of the parser (`parsed_chart`), empty where it was not asked.
        is_placed: whether nodes get positions and groups sizes.
    """
    own = from_mermaid(text, is_placed=is_placed)
    chart = chart_in(parsed)
    if chart is not None and (own.unread or to_mermaid(own.diagram) != text):
        return read_chart(with_lf(text), chart, is_placed=is_placed)
    refusal = refusal_in(parsed)
    if refusal is None:
        is_other = bool(parsed) and own.fault is not None and not own.is_flowchart
        return _of_another_kind(own) if is_other else own
    line = refusal["line"] or 1
    fault = UnreadLine(line, "", refusal["reason"])
    if own.is_flowchart:
        is_said = refusal["line"] is not None and any(line - 1 <= one.line <= line for one in own.unread)
        if is_said:  # which says it; a parser sees it at the next sign
            return own
        unread = [UnreadLine(line, "", f"{refusal['reason']}, so this flowchart is read line by line"), *own.unread]
        return replace(own, unread=unread)
    return replace(own, unread=[fault], fault=fault, is_flowchart=True)


def _of_another_kind(own: MermaidImport) -> MermaidImport:
    """What is no chart that is read, with the kinds that are."""
    assert own.fault is not None
    kind = kind_of(own.fault.text) or "no chart of Mermaid"
    fault = replace(own.fault, reason=f"this is {kind}; read are {PARSED_KINDS}; nothing was read")
    return replace(own, unread=[fault], fault=fault)


def own_ids(diagram: SparseDiagram) -> Mapping[NodeId | EdgeId, str]:
    """The ids of nodes as what the source calls them, where whoever wrote it gave them."""
    return {node["id"]: node["id"] for node in diagram["nodes"]}
