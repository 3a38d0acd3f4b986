"""`Refused`, raised by resolvers, and `Written`, the spans of text that a batch wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from draftsmith.errors import Subject


class Refused(Exception):
    """An operation does not fit; the caller has to roll back its steps.

    Attributes:
        code, path, message, candidates: as in `Problem`; the path is relative to the operation.
        about: the parts of the workspace that cause it; empty if the operation is wrong in any workspace.
        quote: the text that was not found, if any.
    """

    def __init__(
        self,
        code: str,
        path: str,
        message: str,
        candidates: Sequence[str] = (),
        about: Sequence[Subject] = (),
        quote: str = "",
    ) -> None:
        super().__init__(message)
        self.code, self.path, self.message = code, path, message
        self.candidates, self.about, self.quote = tuple(candidates), tuple(about), quote


@dataclass(slots=True)
class Written:
    """A span of the document that this batch wrote, in code points; `created`: a section that it inserted."""

    start: int
    end: int
    created: bool
