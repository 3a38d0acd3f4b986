"""The inputs of the tools that read the history, and of the one that reports findings.

Not here: what is read of a workspace as it is now (`tool_inputs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Final, Literal

import orjson
from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from draftsmith.assistant.tools.tool_inputs import ToolInput

MOST_FINDINGS: Final = 12
MOST_CHARS: Final = 600
"""Characters of an evidence, and of a reason."""

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MOST_CHARS)]
_Name = Annotated[str, StringConstraints(max_length=2_000)]


def _as_revision(value: Any) -> Any:
    """`r17` and `revision 17` as `17`."""
    return value.strip().casefold().removeprefix("revision").strip().removeprefix("r") if type(value) is str else value


def _as_text(value: Any) -> Any:
    return str(value) if type(value) is int else value


_OTHER_NAMES: Final = {
    "type": "kind", "quote": "evidence", "text": "evidence", "reason": "why", "explanation": "why", "cause": "why",
    "node": "id", "node_id": "id", "edge": "id", "edge_id": "id", "revision": "id", "commit": "id",
    "path": "section", "section_path": "section", "heading": "section",
}  # fmt: skip
_OTHER_KINDS: Final = {"line": "edge", "connection": "edge", "group": "node", "change": "commit", "revision": "commit"}


def _in_our_words(value: Any) -> Any:
    """A finding under the names of the fields; what is there under its own name stays."""
    if not isinstance(value, Mapping):
        return value
    named: dict[str, Any] = dict(value)
    for other, name in _OTHER_NAMES.items():
        if other in named and named.get(name) is None:
            named[name] = named.pop(other)
    kind = named.get("kind")
    return {**named, "kind": _OTHER_KINDS.get(kind, kind)} if isinstance(kind, str) else named


def _as_findings(value: Any) -> Any:
    """A list of findings that came as JSON text, and one that came alone, as a list."""
    if isinstance(value, str):
        with suppress(ValueError):
            value = orjson.loads(value)
    return [value] if isinstance(value, Mapping) else value


_Revision = Annotated[int, BeforeValidator(_as_revision), Field(ge=1, le=10**15)]


class FindCommits(ToolInput):
    """Find commits."""

    text: Annotated[str, Field(max_length=400, description="words in what was done, why, or by whom")] = ""
    node: Annotated[str, Field(max_length=200, description="that came, went or changed, or whose edges did")] = ""
    edge: Annotated[str, Field(max_length=500, description="id, or source -> target")] = ""
    section: Annotated[_Name, Field(description="heading, with parents where needed; subsections count")] = ""
    before: Annotated[_Revision | None, Field(description="older than this revision")] = None
    limit: Annotated[int, Field(ge=1, le=50, description="default 20")] = 20


class ReadCommit(ToolInput):
    """Read what a commit changed."""

    revision: _Revision


class ReportedFinding(ToolInput):
    """One place that has to do with the question."""

    kind: Literal["node", "edge", "section", "commit"]
    id: Annotated[
        str | None,
        BeforeValidator(_as_text),
        Field(max_length=2_000, description="of the node; of the edge, or source -> target; revision of the commit"),
    ] = None
    section: Annotated[
        str | None,
        Field(max_length=2_000, description="for kind section, or where the evidence stands; heading with parents"),
    ] = None
    evidence: Annotated[_Text, Field(description="exact quote from what it names")]
    why: Annotated[_Text, Field(description="one sentence: what it has to do with it")]

    _renamed = model_validator(mode="before")(_in_our_words)


class ReportFindings(ToolInput):
    """The findings of a run."""

    findings: Annotated[list[ReportedFinding], BeforeValidator(_as_findings), Field(max_length=MOST_FINDINGS)]


HISTORY_TOOL_INPUTS: Final[Mapping[str, type[ToolInput]]] = {"find_commits": FindCommits, "read_commit": ReadCommit}
"""What is asked of the history; answered where the log can be read (`usecases.runs.investigation`)."""
REPORT: Final = "report_findings"
