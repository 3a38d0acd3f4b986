"""What can go wrong, in two tiers.

A `Problem` is a value: one reason why a batch does not fit. The caller must see several of them at once. It says
what it is about (`Subject`), so that it can be compared with what others have changed (`transform.resolvers.subjects`).
A `DraftsmithError` is raised: it stops the caller and carries a stable code. How codes become HTTP statuses is
not here (`api.problems`), and no wording for people beyond `detail`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Remedy = Literal["fix", "retry", "stop"]
Part = Literal["node", "edge", "type"]


@dataclass(frozen=True, slots=True)
class Existence:
    """Whether a node, an edge or a type of one's own exists; of a node, `id` may be any name of it."""

    part: Part
    id: str


@dataclass(frozen=True, slots=True)
class Value:
    """One field of a node or an edge; the ends of an edge are fields, too."""

    part: Part
    id: str
    field: str


@dataclass(frozen=True, slots=True)
class EdgesBetween:
    """Which edges go from one node to another, with a label if one was named."""

    source: str
    target: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class SectionPath:
    """Whether a path leads to exactly one section; `fuzzy` as in `transform.matching.section_ladder.match`."""

    path: str
    fuzzy: bool = True


@dataclass(frozen=True, slots=True)
class SectionText:
    """The text of a section with its subsections; an empty path is the text before the first heading."""

    path: str


@dataclass(frozen=True, slots=True)
class DocumentRange:
    """A range of the document as it was at a revision, in UTF-16 units."""

    revision: int
    start: int
    end: int


Subject = Existence | Value | EdgesBetween | SectionPath | SectionText | DocumentRange


class ProblemOut(TypedDict):
    """One reason why something does not fit."""

    index: int
    op: str
    code: str
    path: str
    message: str
    candidates: list[str]
    remedy: Remedy
    caused_by: NotRequired[int | None]


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why an operation does not fit, or one warning about what it did.

    JSON shape: `{index, op, code, path, message, candidates[], caused_by?, remedy}`.

    Attributes:
        index: position of the operation in its batch, 0-based; -1 for the batch as a whole.
        op: the operation's name, empty for the batch as a whole.
        code: stable, documented in docs/operations.md.
        path: JSON Pointer into the request body, for example `/operations/3/source`.
        message: one sentence for a person or a model; says what would be right.
        candidates: values that would fit, best first.
        caused_by: index of the earlier operation that brought this one about: by its failure, or by what it deleted.
        remedy: fix the request, retry it unchanged, or stop.
        about: the parts of the workspace that it follows from; empty where the request alone is wrong. Never sent.
    """

    index: int
    op: str
    code: str
    path: str
    message: str
    candidates: tuple[str, ...] = ()
    caused_by: int | None = None
    remedy: Remedy = "fix"
    about: tuple[Subject, ...] = field(default=(), compare=False)

    def to_json(self) -> ProblemOut:
        """Give the JSON shape; `caused_by` only where there is one."""
        shape: ProblemOut = {
            "index": self.index,
            "op": self.op,
            "code": self.code,
            "path": self.path,
            "message": self.message,
            "candidates": list(self.candidates),
            "remedy": self.remedy,
        }
        if self.caused_by is not None:
            shape["caused_by"] = self.caused_by
        return shape


@dataclass
class DraftsmithError(Exception):
    """A refusal with a stable code; nothing was applied.

    Attributes:
        code: stable, for example `stale_base`.
        detail: one sentence that says what to do.
        problems: every reason, where there are several.
        extra: further members of the problem document (JSON values).
    """

    code: str
    detail: str
    problems: Sequence[Problem] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class BatchRejected(DraftsmithError):
    """A batch did not fit; `problems` holds every reason."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        count = len(problems)
        super().__init__(
            "batch_rejected",
            f"{count} problem{'s' if count != 1 else ''}; nothing was applied.",
            tuple(problems),
        )


class StorageError(DraftsmithError):
    """The store could not be reached or did not answer; what was asked may or may not have happened.

    Attributes:
        is_for_all: nobody else can write to it now either, so what is in memory is as new as anything.
    """

    is_for_all: bool = False

    def __init__(self, detail: str, code: str = "storage_down", *, is_for_all: bool = False) -> None:
        super().__init__(code, detail)
        self.is_for_all = is_for_all
