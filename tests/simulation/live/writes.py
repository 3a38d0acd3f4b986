"""Writes of a page that have not been answered, and what becomes of those of which nobody knows if they were done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Message = dict[str, Any]
GONE_FOR_GOOD = "outcome_lost"
"""Why a write is in the tray of which nobody can say whether it was carried out: its commits are no longer kept."""


@dataclass
class Write:
    """A write that has not been answered.

    Attributes:
        sent_before: on an earlier connection, so that it may be in the log although nobody said so.
        sent_at: the revision at which this client was when it was sent first.
    """

    message: Message
    sent_before: bool = False
    sent_at: int = 0
    sent: bool = False


@dataclass(frozen=True)
class TrayItem:
    """Work that did not become a commit: what was asked, the texts it would have put in, and why not."""

    id: str
    code: str
    message: Message
    texts: tuple[str, ...] = ()


def unknown_of(pending: Mapping[str, Write]) -> list[str]:
    """The ids of what was sent before: it may have been carried out and forgotten; said again it might be done twice.

    A push of text names its base, so the server refuses it by itself.
    """
    return [key for key, write in pending.items() if write.sent_before and write.message["t"] != "type"]


def question_about(pending: Mapping[str, Write], epoch: str, new_id: str) -> Message:
    """Ask whether the server remembers everything since the first of them: a push of nothing, from there on.

    It is refused with `base_gone` if not. Any other answer, a refusal of the empty changes too, says that it does.
    """
    base = min(pending[key].sent_at for key in unknown_of(pending))
    return {"t": "type", "id": new_id, "epoch": epoch, "base": base, "changes": []}
