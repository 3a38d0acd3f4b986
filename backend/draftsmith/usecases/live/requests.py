"""The writes of pages as requests, the same as over HTTP.

Text with NUL characters is refused, because neither logs nor Markdown parsers can carry them. Not here: answers
(`collab.pending_writes`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from draftsmith.collab.client_messages import ClientMessage, Redo, Revert, Submit, Type, Undo, Write
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.actor import Actor
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import Batch, parse_batch, parsing_batch
from draftsmith.usecases.replicas.slices import in_slices
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.identity import RequestIdentity
from draftsmith.usecases.requests.request import Request
from draftsmith.usecases.requests.typing_request import TypingRequest, typed_changes

ReadBatch = Batch | DraftsmithError


async def read_batch(message: ClientMessage, limits: WorkspaceLimits) -> ReadBatch | None:
    """The batch of a message, read in slices, or why it is refused; None for a message of another kind."""
    if not isinstance(message, Submit):
        return None
    try:
        return await in_slices(parsing_batch(message.operations, limits))
    except DraftsmithError as error:
        return error


def request_of(
    message: Write, identity: RequestIdentity, actor: Actor, limits: WorkspaceLimits, batch: ReadBatch | None = None
) -> Request[Any]:
    """Make the request that a message asks for; `batch`: its batch, where that has been read.

    Raises:
        DraftsmithError: `invalid_request`, if it is of the wrong form or too large.
    """
    match message:
        case Submit():
            return _edit(message, identity, actor, limits, batch)
        case Type():
            return _typing(message, identity, actor, limits)
        case Undo():
            said = message.model_dump(include={"scope", "touching", "expect", "force"})
            return from_input.undo(identity, actor, limits=limits, **said)
        case Redo():
            said = message.model_dump(include={"touching", "expect", "force"})
            return from_input.redo(identity, actor, limits=limits, **said)
        case Revert():
            return from_input.revert(
                identity, actor, message.rev, limits=limits, upto=message.upto, force=message.force
            )


def _edit(
    message: Submit, identity: RequestIdentity, actor: Actor, limits: WorkspaceLimits, batch: ReadBatch | None
) -> Request[Any]:
    if batch is None:
        batch = parse_batch(message.operations, limits)
    elif isinstance(batch, DraftsmithError):
        raise batch
    raw = orjson.dumps(message.operations)
    # Looking at bytes is a hundred times cheaper than at values, and nearly always enough.
    if b"\\u0000" in raw and any("\x00" in text for text in _texts(message.operations)):
        raise _nul("/operations")
    if "\x00" in message.explanation:
        raise _nul("/explanation")
    from_input.check_size(batch, len(raw), limits)
    # What a page means by a name it saw a while ago, perhaps offline: an id, and never another node that is called so.
    return from_input.edit(
        identity, actor, operations=message.operations, batch=batch, limits=limits,
        explanation=message.explanation, by_id=True,
    )  # fmt: skip


def _typing(message: Type, identity: RequestIdentity, actor: Actor, limits: WorkspaceLimits) -> Request[Any]:
    changes = typed_changes(message.changes)
    if any("\x00" in text for _, text in changes.parts if text is not None):
        raise _nul("/changes")
    # Only the id says which push it is: sent again after a while, the same one is mapped to another base.
    common = from_input.common(identity, actor, ["type"])
    return TypingRequest(
        **common, epoch=message.epoch, base=message.base, chain=message.h, changes=changes, limits=limits
    )


def _texts(value: object) -> Iterator[str]:
    """All texts in a value, names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _nul(path: str) -> DraftsmithError:
    problem = Problem(-1, "", "field_invalid", path, "No text may hold the NUL character.")
    return DraftsmithError("invalid_request", f"{problem.message} Nothing was applied.", [problem])
