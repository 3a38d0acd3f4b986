"""The format `workloads/1`: what a plugin says runs, and the connections between it. It is untrusted and read strictly.

A field that is not of the format is passed over, so that a plugin may say more; one that is of the format and wrong
refuses all of it. Not here: what is made of it (`running`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.transform.requests.faults import pointer, words_of

FORMAT: Final = "workloads/1"
TOOL: Final = "workloads"
"""The name of the tool that returns it."""
_MOST_PROBLEMS: Final = 10
_BIDIRECTIONAL: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the order of what follows, so that a text reads as what it is not."""


def _line(value: str) -> str:
    line = " ".join(value.split())
    if any(unicodedata.category(one) == "Cc" or one in _BIDIRECTIONAL for one in line):
        raise ValueError("must not hold control characters")
    return line


def _not_empty(value: str) -> str:
    if not value:
        raise ValueError("must not be empty")
    return value


def _time(value: str) -> str:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        raise ValueError("must be a time such as 2026-11-24T15:00:00Z") from None
    return value


_Clean, _NotEmpty = AfterValidator(_line), AfterValidator(_not_empty)
Name = Annotated[str, StringConstraints(min_length=1, max_length=253), _Clean, _NotEmpty]
Id = Annotated[str, StringConstraints(min_length=1, max_length=600), _Clean, _NotEmpty]
Line = Annotated[str, StringConstraints(max_length=1_000), _Clean]
Word = Annotated[str, StringConstraints(max_length=100), _Clean]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
PortNumber = Annotated[int, Field(ge=1, le=65_535)]
Role = Literal[
    "service", "database", "cache", "queue", "search", "storage", "gateway", "worker", "job", "monitoring", "other",
]  # fmt: skip
EvidenceKind = Literal["environment", "service", "networkPolicy", "ingress", "argument", "configMap"]


class ReadingModel(BaseModel):
    """Strict in what it knows; passes over what it does not know."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Replicas(ReadingModel):
    """How many there should be, and how many are ready."""

    desired: Count | None = None
    ready: Count | None = None


class Port(ReadingModel):
    """A port that is listened on."""

    port: PortNumber
    protocol: Word | None = None
    name: Word | None = None


class Evidence(ReadingModel):
    """Why a connection is believed to be there."""

    kind: EvidenceKind
    text: Line


EvidenceList = Annotated[list[Evidence], Field(max_length=50)]


class Workload(ReadingModel):
    """Something that runs; its id is the same from one reading to the next."""

    id: Id
    namespace: Name
    kind: Word
    name: Name
    application: Name | None = None
    role: Role
    technology: Line | None = None
    images: Annotated[list[Line], Field(max_length=20)] = Field(default_factory=list)
    replicas: Replicas | None = None
    ports: Annotated[list[Port], Field(max_length=100)] = Field(default_factory=list)
    description: Line = ""


class WorkloadConnection(ReadingModel):
    """A connection from a workload to another, or to a host outside."""

    source: Id
    target: Id
    port: PortNumber | None = None
    protocol: Word | None = None
    label: Line = ""
    evidence: EvidenceList


class OutsideHost(ReadingModel):
    """A host outside of the cluster that a workload names."""

    id: Id
    host: Name
    named_by: Id
    evidence: EvidenceList


class ClusterReading(ReadingModel):
    """What runs in some namespaces of a cluster at a time.

    Attributes:
        incomplete: what could not be read and why, a sentence each.
    """

    format: Literal["workloads/1"]
    cluster: Name
    read_at: Annotated[str, StringConstraints(max_length=40), AfterValidator(_time)]
    namespaces: Annotated[list[Name], Field(max_length=500)]
    incomplete: Annotated[list[Line], Field(max_length=200)] = Field(default_factory=list)
    workloads: Annotated[list[Workload], Field(max_length=2_000)]
    connections: Annotated[list[WorkloadConnection], Field(max_length=6_000)]
    outside: Annotated[list[OutsideHost], Field(max_length=1_000)] = Field(default_factory=list)


def read_workloads(result: Any) -> ClusterReading:
    """Read what the tool of a plugin has returned.

    Raises:
        DraftsmithError: `workloads_unreadable`; its problems say where and what, at most 10.
    """
    try:
        reading = ClusterReading.model_validate(result)
    except ValidationError as error:
        found = [
            Problem(-1, "", "field_invalid", pointer(one["loc"]), _sentence(one["loc"], one["type"], one["msg"]))
            for one in error.errors(include_url=False, include_input=False)[:_MOST_PROBLEMS]
        ]
        raise _unreadable(found) from None
    problems = list(_wrong_ids(reading))
    if problems:
        raise _unreadable(problems[:_MOST_PROBLEMS])
    return reading


def _sentence(place: tuple[int | str, ...], kind: str, message: str) -> str:
    return f"{pointer(place) or 'The result'}: {words_of(kind, message)}."


def _wrong_ids(reading: ClusterReading) -> Iterator[Problem]:
    """Ids that are there twice, and those that are named and not there."""
    workloads = {one.id for one in reading.workloads}
    known = workloads | {one.id for one in reading.outside}
    counts = Counter([*(one.id for one in reading.workloads), *(one.id for one in reading.outside)])
    namespaces = set(reading.namespaces)
    for index, workload in enumerate(reading.workloads):
        if counts[workload.id] > 1:
            yield _wrong(f"/workloads/{index}/id", "the id is given to another one, too")
        if workload.namespace not in namespaces:
            yield _wrong(f"/workloads/{index}/namespace", "the namespace is not among those that were read")
    for index, host in enumerate(reading.outside):
        if counts[host.id] > 1:
            yield _wrong(f"/outside/{index}/id", "the id is given to another one, too")
        if host.named_by not in workloads:
            yield _wrong(f"/outside/{index}/named_by", "there is no workload with this id")
    for index, connection in enumerate(reading.connections):
        if connection.source not in workloads:
            yield _wrong(f"/connections/{index}/source", "there is no workload with this id")
        if connection.target not in known:
            yield _wrong(f"/connections/{index}/target", "there is no workload and no host with this id")


def _wrong(path: str, why: str) -> Problem:
    return Problem(-1, "", "field_invalid", path, f"{path}: {why}.")


def _unreadable(problems: list[Problem]) -> DraftsmithError:
    detail = f"What the plugin says runs is not of the format {FORMAT}. {problems[0].message} Nothing was taken of it."
    return DraftsmithError("workloads_unreadable", detail, problems)
