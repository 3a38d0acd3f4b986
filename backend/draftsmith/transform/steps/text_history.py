"""The changes that a text has come from, newest first: evidence for edits that may have been made before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from draftsmith.transform.steps.text import ChangeText


@dataclass(frozen=True, slots=True)
class TextHistory:
    """The changes that led to the current text.

    Attributes:
        pending: changes that are not committed, newest first.
        kept_changes: changes of commits before them, newest first.
    """

    pending: Sequence[ChangeText] = ()
    kept_changes: Sequence[ChangeText] = ()
