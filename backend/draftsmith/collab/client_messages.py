"""The messages that pages send over `/live`, read strictly: others close the connection. See docs/protocol.md."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

MAX_REVISION: Final = 2**53 - 1
"""What every JSON parser reads exactly."""

CommitId = Annotated[str, StringConstraints(min_length=8, max_length=128, pattern=r"^[\x21-\x7e]+$")]
Revision = Annotated[int, Field(ge=0, le=MAX_REVISION)]
Unit = Annotated[int, Field(ge=0, le=2**31 - 1)]
Coordinate = Annotated[float, Field(ge=-1e7, le=1e7, allow_inf_nan=False)]
Epoch = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Hash = Annotated[str, StringConstraints(min_length=1, max_length=16)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
RunId = Annotated[str, StringConstraints(pattern=r"^[0-9a-hjkmnp-tv-z]{26}$")]
EventId = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,20}(-[0-9]{1,20})?$")]


class Message(BaseModel):
    """Strict: unknown fields are refused, numbers are numbers, texts are texts."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Resume(Message):
    """Where the page's state stands: what it was told last."""

    epoch: Epoch
    rev: Revision
    h: Hash


class Hello(Message):
    """The first message, within ten seconds.

    Attributes:
        v: the protocol version that the page speaks.
        resume: its state; null for none, then it is sent the whole.
        pending: ids of what it has sent and not heard of; commits among them are announced by `committed`.
    """

    t: Literal["hello"]
    v: int
    resume: Resume | None = None
    pending: Annotated[list[CommitId], Field(max_length=2_000)] = []


class Submit(Message):
    """A batch of operations; `id` makes repeats harmless. Answered by `committed` or `rejected`."""

    t: Literal["submit"]
    id: CommitId
    operations: Annotated[list[dict[str, Any]], Field(min_length=1)]
    explanation: Annotated[str, StringConstraints(max_length=2_000)] = ""


class Type(Message):
    """Typed text: a CodeMirror ChangeSet for the document as it was at `base`; answered like a batch.

    Rebased by the server over what came since, so it always fits while `base` is kept. One at a time: the next is sent
    when this one has been answered. `h`: the log's hash at `base`; with it, a text of the same number that is of
    another history is told from this one.
    """

    t: Literal["type"]
    id: CommitId
    epoch: Epoch
    base: Revision
    h: Hash | None = None
    changes: list[Any]


class Undo(Message):
    """Take back one's own newest commit, or anybody's; answered like a batch.

    `touching: document` takes one's own newest that changed the document, `touching: typing` one's own newest run of
    typed text that stands, which is on no stack.
    """

    t: Literal["undo"]
    id: CommitId
    scope: Literal["mine", "all"] = "mine"
    touching: Literal["document", "typing"] | None = None
    expect: Revision | None = None
    force: bool = False


class Redo(Message):
    """Bring back what was undone last; answered like a batch."""

    t: Literal["redo"]
    id: CommitId
    touching: Literal["document"] | None = None
    expect: Revision | None = None
    force: bool = False


class Revert(Message):
    """Take a named commit back, or with `upto` what one person typed from `rev` to there; answered like a batch."""

    t: Literal["revert"]
    id: CommitId
    rev: Annotated[int, Field(ge=1, le=MAX_REVISION)]
    upto: Annotated[int, Field(ge=1, le=MAX_REVISION)] | None = None
    force: bool = False


class Place(Message):
    """A point of the diagram, in its own coordinates."""

    x: Coordinate
    y: Coordinate


class Caret(Message):
    """A caret or selection in the document as it was at `rev`, in UTF-16 units."""

    rev: Revision
    anchor: Unit
    head: Unit


class PresenceState(Message):
    """Where somebody is; never logged. An absent field is null.

    Attributes:
        view: what is open.
        cursor: the pointer over the diagram.
        selection: ids of selected nodes and edges.
        caret: in the document.
        drag: where nodes are that are being dragged, relative to the diagram.
        editing: id of the node or edge whose text is being written, or `document`.
    """

    view: Literal["diagram", "split", "document"] | None = None
    cursor: Place | None = None
    selection: Annotated[list[Name], Field(max_length=200)] | None = None
    caret: Caret | None = None
    drag: Annotated[dict[Name, Place], Field(max_length=200)] | None = None
    editing: Name | None = None


class Presence(Message):
    """Where this page is now, in place of what it said before; at most 20 a second are passed on."""

    t: Literal["presence"]
    state: PresenceState


class Watch(Message):
    """Ask for the events of a run of the assistant, from after an event on; they come as `run_event`."""

    t: Literal["watch"]
    run: RunId
    after: EventId = "0"


class Unwatch(Message):
    """No more events of that run."""

    t: Literal["unwatch"]
    run: RunId


class Resync(Message):
    """Ask for the whole state, for a page that has lost faith in its own; `why` is logged."""

    t: Literal["resync"]
    why: Annotated[str, StringConstraints(max_length=500)] = ""


class Ping(Message):
    """Ask for a `pong` with the same number."""

    t: Literal["ping"]
    n: Revision


ClientMessage = Annotated[
    Hello | Submit | Type | Undo | Redo | Revert | Presence | Watch | Unwatch | Resync | Ping,
    Field(discriminator="t"),
]
Write = Submit | Type | Undo | Redo | Revert
"""What becomes a commit; each has an `id`."""
