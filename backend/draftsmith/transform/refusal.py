"""Why an operation does not fit, on its way up; and what a batch has written, on its way down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class Refused(Exception):
    """An operation does not fit; its steps are to be taken back."""

    def __init__(self, code: str, path: str, message: str, candidates: Sequence[str] = (), about: str = "") -> None:
        super().__init__(message)
        self.code, self.path, self.message = code, path, message
        self.candidates, self.about = tuple(candidates), about


@dataclass(slots=True)
class Written:
    """A stretch of the document that this batch wrote, in code points; `created`: a section it made."""

    start: int
    end: int
    created: bool
