"""The JSON shapes of a comparison of a design with what runs. Types alone."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

RowKind = Literal[
    "not_drawn", "differs", "ambiguous", "line_not_drawn", "line_without_evidence", "not_running", "fits"
]  # fmt: skip
"""not_drawn: runs and is not designed. not_running: designed, and nothing that was read is it. ambiguous: several could
be each other. differs: in what the node says of version, image or replicas. fits: nothing differs."""


class WorkloadEvidenceOut(TypedDict):
    """Why a connection is believed to be there; `kind` says where that was read."""

    kind: str
    text: str


class WorkloadDifferenceOut(TypedDict):
    """A field of which the design says something else than what runs."""

    field: str
    designed: str
    running: str


class WorkloadChoiceOut(TypedDict):
    """What can be done about a row: operations to send to `…/batches`, as a proposal or at once."""

    id: str
    title: str
    operations: list[dict[str, Any]]


class WorkloadRowOut(TypedDict):
    """One thing that is so in the design, in the cluster, or in both.

    `by`: how it is known that `nodes` are `workloads`; null where they are not matched. `likely` is no certainty;
    `reason` says what speaks for it. `needs`: rows whose first choice this one builds on. `namespace`: null for what
    has none. `choices` is empty where nothing is to be done, or where a lock forbids it, which `facts` says then.
    """

    id: str
    kind: RowKind
    title: str
    namespace: str | None
    nodes: list[str]
    edge: str | None
    workloads: list[str]
    by: Literal["recorded", "name", "likely"] | None
    reason: str
    facts: list[str]
    evidence: list[WorkloadEvidenceOut]
    differences: list[WorkloadDifferenceOut]
    needs: list[str]
    choices: list[WorkloadChoiceOut]


class WorkloadComparisonOut(TypedDict):
    """A design at `revision` compared with what ran in `namespaces` of `cluster` at `read_at`.

    `incomplete`: what could not be read, and what nothing could be said of; a sentence each. `fitting_lines`: how many
    connections are drawn and run. The rows stand in the order in which the operations of several of them are sent,
    repeated operations left out.
    """

    plugin: str
    cluster: str
    read_at: str
    namespaces: list[str]
    incomplete: list[str]
    revision: int
    fitting_lines: int
    rows: list[WorkloadRowOut]
