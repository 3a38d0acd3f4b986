"""The messages that pages are sent over `/live`, JSON objects with their kind in `t`. See docs/protocol.md."""

from __future__ import annotations

from typing import (
    Any,
    Literal,
    NotRequired,  # pydantic reads no other before Python 3.12
)

from typing_extensions import TypedDict

from draftsmith.access.roles import Role
from draftsmith.errors import ProblemOut
from draftsmith.model.custom_types import CustomType
from draftsmith.ports.proposal_shapes import ProposalBase
from draftsmith.ports.run_shapes import RunBase
from draftsmith.ports.runs import FocusOut
from draftsmith.transform.results import LeftOut, ResultOut
from draftsmith.transform.steps.shapes import AnyStep


class By(TypedDict):
    """Who did it, as the history keeps it."""

    id: str
    name: str
    kind: Literal["person", "script", "assistant", "agent", "system"]


class Me(By):
    """Who this page is."""

    color: str


class LiveLimits(TypedDict):
    """What is refused beyond: operations in a batch, bytes of one, characters of the document."""

    operations: int
    batch_bytes: int
    document_chars: int


class WelcomeBase(TypedDict):
    """What every page of a workspace is welcomed with."""

    w: str
    silence_s: int
    limits: LiveLimits


class Welcome(TypedDict):
    """The answer to `hello`; then follow what is missing, as `commit`s, or a `state`.

    `resumed` says which. A page that hears nothing for `silence_s` seconds should connect anew. `role`: what this
    person may do here; `frozen`: why the workspace takes no writes from anybody, null where it does.
    """

    t: Literal["welcome"]
    v: int
    w: str
    member: str
    me: Me
    role: Role
    frozen: str | None
    resumed: bool
    silence_s: int
    limits: LiveLimits


class Content(TypedDict):
    """A whole workspace with its births: `nodes` are `[id, fields]`, `edges` `[id, source, target, fields]`.

    `types` of its own by id, only where there are any.
    """

    name: str
    eol: str
    text: str
    nodes: list[tuple[str, dict[str, object]]]
    edges: list[tuple[str, str, str, dict[str, object]]]
    types: NotRequired[dict[str, CustomType]]


class State(TypedDict):
    """The whole state at a revision, in place of what the page holds.

    `why`: `fresh` (it held none), `trimmed` or `diverged` (its own is no longer in the log), `behind` (too far, or too
    slow), `asked`.
    """

    t: Literal["state"]
    epoch: str
    rev: int
    h: str
    why: Literal["fresh", "trimmed", "diverged", "behind", "asked"]
    workspace: Content


CommitKind = Literal["create", "edit", "text", "undo", "redo", "revert", "restore", "checkpoint"]


class Commit(TypedDict):
    """One commit, the next after the last; its steps lead from one revision to the next.

    A checkpoint, or an undo of which nothing was left, has none.
    """

    t: Literal["commit"]
    rev: int
    h: str
    at_ms: int
    by: By
    kind: CommitKind
    ref: int | None
    what: str
    why: str
    source: str
    steps: list[AnyStep]
    left_out: list[LeftOut]


class Template(TypedDict):
    """What typed commits have in common: a `commit` without `rev`, `h`, `at_ms` and `steps`."""

    t: Literal["commit"]
    by: By
    kind: CommitKind
    ref: int | None
    what: str
    why: str
    source: str
    left_out: list[LeftOut]


class Templates(TypedDict):
    """The templates from number `start` on, in place of those that had these numbers."""

    t: Literal["templates"]
    start: int
    templates: list[Template]


TypedCommit = tuple[int, str, int, int, list[int | list[int | str]], list[str]]
"""A commit of typed text: `[rev, h, at_ms, template, c, d]`, its one step being `{k: "text", c, d}`."""


class Committed(TypedDict):
    """What was asked under `id` is durable as revision `rev`; with `changed: false` there was nothing to do.

    Where the commit comes over this connection, this comes before it. `replayed`: it had been carried out before.
    """

    t: Literal["committed"]
    id: str
    rev: int
    changed: bool
    replayed: bool
    kind: str
    results: list[ResultOut]
    warnings: list[ProblemOut]
    left_out: list[LeftOut]


class Rejected(TypedDict):
    """What was asked under `id` was not done; `retry`: the same may be sent again later, and may then be done.

    `code`, `detail`, `problems` as in the problem documents of the HTTP API.
    """

    t: Literal["rejected"]
    id: str
    code: str
    detail: str
    problems: list[ProblemOut]
    retry: bool


class Member(TypedDict):
    """One open page of somebody."""

    member: str
    id: str
    name: str
    kind: Literal["person", "script", "assistant", "agent", "system"]
    color: str
    state: dict[str, Any]


class Roster(TypedDict):
    """Who is here now, in place of the roster before; over all workers."""

    t: Literal["roster"]
    members: list[Member]


class PresenceOf(TypedDict):
    """Where others are now; members that are not named are where they were."""

    t: Literal["presence"]
    members: dict[str, dict[str, Any]]


class LiveRun(RunBase):
    """A run; what was asked, and with what selected, is there on the pages of whoever asked."""

    prompt: NotRequired[str]
    focus: NotRequired[FocusOut]


class Runs(TypedDict):
    """The runs of the assistant that go on here, and those that ended in the last minute, newest first.

    As in the HTTP API, without prompt and focus for all but the requester's own pages.
    """

    t: Literal["runs"]
    runs: list[LiveRun]


class RunEvent(TypedDict):
    """One event of a run that this page watches; docs/assistant.md lists them. `id` is for `after`."""

    t: Literal["run_event"]
    run: str
    id: str
    event: dict[str, Any]


class RunGone(TypedDict):
    """There is no such run to watch, or it could not be watched on."""

    t: Literal["run_gone"]
    run: str
    code: str
    detail: str


class LiveProposal(ProposalBase):
    """A proposal; what was asked is there on the pages of whoever asked."""

    prompt: NotRequired[str]


class ProposalsOpen(TypedDict):
    """The open proposals, newest first, each with whether it still fits; as in the HTTP API."""

    t: Literal["proposals"]
    proposals: list[LiveProposal]


class StoreRisk(TypedDict):
    """A setting of the store with which it may lose what was acknowledged, and what to set."""

    code: str
    detail: str
    remedy: str


class Store(TypedDict):
    """Whether commits can be made durable now, else why not; and what the store may lose as it is set."""

    t: Literal["store"]
    ok: bool
    reason: NotRequired[str]
    risks: NotRequired[list[StoreRisk]]


class Pong(TypedDict):
    """The answer to `ping`."""

    t: Literal["pong"]
    n: int


class Bye(TypedDict):
    """The connection is about to be closed by the server, which says when to come again; null for never by itself.

    `id`: of the message that could not be read, where it has a readable one.
    """

    t: Literal["bye"]
    code: str
    detail: str
    again_ms: int | None
    id: NotRequired[str]


ServerMessage = (
    Welcome | State | Commit | Templates | Committed | Rejected | Roster | PresenceOf | Runs | RunEvent | RunGone
    | ProposalsOpen | Store | Pong | Bye
)  # fmt: skip
