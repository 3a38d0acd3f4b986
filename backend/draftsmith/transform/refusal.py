"""`Refused`, raised by resolvers, as a refusal of a read, too; and `Written`, the spans of text that a batch wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from draftsmith.errors import DraftsmithError, Subject


class Refused(Exception):
    """An operation does not fit; the caller has to roll back its steps.

    Attributes:
        code, path, message, candidates: as in `Problem`; the path is relative to the operation.
        about: the parts of the workspace that cause it; empty if the operation is wrong in any workspace.
        quote: the text that was not found, if any.
        more: the same of other fields of the operation.
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
        self.more: tuple[Refused, ...] = ()


def missing(refused: Refused) -> DraftsmithError:
    """The refusal of a read of what is not there, with what is near to it as `candidates`."""
    return DraftsmithError(refused.code, refused.message, extra={"candidates": list(refused.candidates)})


@dataclass(slots=True)
class Written:
    """A span of the document that this batch wrote, in code points; `created`: a section that it inserted."""

    start: int
    end: int
    created: bool
