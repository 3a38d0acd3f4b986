"""The writes of one page that are not finally answered: which `committed` or `rejected` it is sent, and when.

Each write is answered exactly once, directly before its commit where that is sent over this connection. Writes are
known by transaction id, so their commits are recognised in the log, also after a reconnect. Another write under the id
of one that waits for its answer is refused, after that answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.collab.commit_message import RETRYABLE, CommitMessage, encode_committed, encode_rejected
from draftsmith.errors import DraftsmithError

_MAX_WRITES: Final = 8_192
_LOST: Final = DraftsmithError("outcome_unknown", "The store may have lost its newest commits; send this again.")


@dataclass(frozen=True, slots=True)
class _Write:
    """A write; `is_new`: it was sent over this connection, before it became a commit as far as is known."""

    id: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class _DeferredAnswer:
    """The writer's answer to a write, to be sent when the page receives the commit of `revision`."""

    revision: int
    message: bytes


class PendingWrites:
    """The pending writes of one page, oldest first."""

    def __init__(self) -> None:
        self._writes: dict[str, _Write] = {}
        self._deferred: dict[str, _DeferredAnswer] = {}
        self._refusals: dict[str, list[bytes]] = {}

    def __bool__(self) -> bool:
        return bool(self._writes)

    def __contains__(self, txid: str) -> bool:
        return txid in self._writes

    def add(self, txid: str, write_id: str, *, is_new: bool) -> None:
        """Expect the commit of a write; far too many pending ones push out the oldest."""
        self._writes.pop(txid, None)
        self._writes[txid] = _Write(write_id, is_new)
        if len(self._writes) > _MAX_WRITES:
            oldest = next(iter(self._writes))
            del self._writes[oldest]
            self._deferred.pop(oldest, None)
            self._refusals.pop(oldest, None)

    def announce(self, commits: Iterable[CommitMessage], *, is_typed: bool = False) -> list[bytes]:
        """The encoded commits, each of this page's own after its `committed`; `is_typed`: `CommitMessage.form`."""
        parts: list[bytes] = []
        for commit in commits:
            write = self._writes.pop(commit.txid, None)
            self._deferred.pop(commit.txid, None)
            if write is not None:
                parts.append(commit.committed_message(write.id, replayed=not write.is_new))
            parts += [commit.form(is_typed=is_typed), *self._refusals.pop(commit.txid, ())]
        return parts

    def answer(self, txid: str, answer: Mapping[str, Any], *, is_deferred: bool) -> list[bytes]:
        """Take the writer's answer; return the message to send at once, none if it is deferred or not expected."""
        write = self._writes.get(txid)
        if write is None:
            return []
        message = encode_committed(write.id, answer)
        if is_deferred:
            self._deferred[txid] = _DeferredAnswer(answer["revision"], message)
            return []
        del self._writes[txid]
        return [message, *self._refusals.pop(txid, ())]

    def refuse(self, txid: str, error: DraftsmithError) -> list[bytes]:
        """Take a refusal; return the message to send. A write that may have been committed stays pending."""
        write = self._writes.get(txid)
        if write is None or txid in self._deferred:
            return []
        if error.code not in RETRYABLE:
            del self._writes[txid]
        return [encode_rejected(write.id, error), *self._refusals.pop(txid, ())]

    def refuse_another(self, txid: str, write_id: str, error: DraftsmithError) -> list[bytes]:
        """Refuse a second write under the id of one that waits; the message is sent after the answer to that one."""
        message = encode_rejected(write_id, error)
        if txid not in self._writes:
            return [message]
        self._refusals.setdefault(txid, []).append(message)
        return []

    def settle(self, revision: int, is_commit: Callable[[str, int], bool]) -> list[bytes]:
        """The page has everything up to a revision: the deferred answers whose commits it was not sent one by one.

        `is_commit`: whether a transaction is known to be the commit of a revision. Where it is not, the store may have
        lost what it had acknowledged; the page then sends the write again, and the log decides what became of it.
        """
        messages: list[bytes] = []
        for txid, deferred in list(self._deferred.items()):
            if deferred.revision > revision:
                continue
            del self._deferred[txid]
            if is_commit(txid, deferred.revision):
                messages.append(deferred.message)
                del self._writes[txid]
            else:
                messages.append(encode_rejected(self._writes[txid].id, _LOST))
            messages += self._refusals.pop(txid, ())
        return messages

    def reject_after(self, revision: int) -> list[bytes]:
        """The log was read again and ends at a revision: the answers that speak of commits after it are taken back."""
        lost = [txid for txid, deferred in self._deferred.items() if deferred.revision > revision]
        for txid in lost:
            del self._deferred[txid]
        return [encode_rejected(self._writes[txid].id, _LOST) for txid in lost]
