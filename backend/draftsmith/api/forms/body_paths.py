"""Paths of problems for routes whose bodies become operations: into what was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from draftsmith.errors import DraftsmithError, ProblemOut
from draftsmith.transform.requests.faults import leading
from draftsmith.usecases.requests.shapes import WriteAnswer

_LIST = "/operations"


@dataclass(frozen=True, slots=True)
class BodyPaths:
    """Where in a body the operations stand that were made of it.

    Attributes:
        content: the body; a path into it is cut where it leads to nothing that was sent, such as an id of the URL.
        heads: for each operation the JSON Pointer to its fields in the body; empty for the body itself.
        renamed: fields of operations that have another name in the body.
    """

    content: Any
    heads: Sequence[str] = ("",)
    renamed: Mapping[str, str] = field(default_factory=dict)

    def of_error(self, error: DraftsmithError) -> DraftsmithError:
        """A refusal with its problems' paths in the body."""
        problems = [replace(problem, path=self._path(problem.path)) for problem in error.problems]
        return DraftsmithError(error.code, error.detail, problems, error.extra)

    def of_answer(self, answer: WriteAnswer) -> WriteAnswer:
        """An answer with its warnings' paths in the body."""
        warnings: list[ProblemOut] = [{**one, "path": self._path(one["path"])} for one in answer["warnings"]]
        return {**answer, "warnings": warnings}

    def _path(self, path: str) -> str:
        index, *rest = path.removeprefix(f"{_LIST}/").split("/") if path.startswith(f"{_LIST}/") else [""]
        if not index.isdigit() or int(index) >= len(self.heads):
            return ""
        renamed = [self.renamed.get(part, part) for part in rest[:1]]
        return leading(self.content, "/".join([self.heads[int(index)], *renamed, *rest[1:]]))
