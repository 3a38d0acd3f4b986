"""`OperationRefused`, raised where an operation does not fit; as a refusal of a read, too."""

from __future__ import annotations

from collections.abc import Sequence

from draftsmith.errors import DraftsmithError, Subject


class OperationRefused(Exception):
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
        self.more: tuple[OperationRefused, ...] = ()


def missing(refused: OperationRefused) -> DraftsmithError:
    """The refusal of a read of what is not there, with what is near to it as `candidates`."""
    return DraftsmithError(refused.code, refused.message, extra={"candidates": list(refused.candidates)})
