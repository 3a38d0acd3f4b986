"""A request that is prepared in another process: what it has become there, and how it is taken over here.

The other process holds a replica of its own and follows the log (`prepare_at_head`). What it sends back is for one
head: this process takes it over only if its own replica stands there too, and the append checks the same head again.
The values are cheap to send and to read: the body of the commit as it will stand in the log, and the segments of the
text in portions, so that neither reading them nor putting them in place holds the event loop.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from draftsmith.errors import DraftsmithError, ProblemOut
from draftsmith.history.commit import Head, Kind
from draftsmith.history.diff import diff_of
from draftsmith.history.record import Record, reading_record
from draftsmith.history.replica import LogDiverged, Replica
from draftsmith.history.shapes import DiffOut
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.markdown.segments import HeadingSpan, Segments, segment
from draftsmith.model.work import TooCostly
from draftsmith.model.workspace import WorkspaceSummary
from draftsmith.ports import CommitLog
from draftsmith.transform.results import LeftOut, ResultOut
from draftsmith.transform.steps.applied_steps import AppliedSteps
from draftsmith.transform.steps.steps import text_step_of
from draftsmith.usecases.replicas.local_replica import LocalReplica
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.requests.batch_request import BatchEvidence
from draftsmith.usecases.requests.costs import too_costly
from draftsmith.usecases.requests.request import PreparedRequest, PreparedTransaction, ReadRequest, Request

_PORTION: Final = 50  # segments that are read without a pause
_TRIES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """What a request has become on the state that ends at `head`.

    Attributes:
        failure: why it does not fit there; the rest then says nothing.
        body: of the commit; empty if there is nothing to commit.
        summary: of the workspace with it.
        segments: of the document with it, in portions of JSON, if it changes the text.
        front: where its front matter ends, or -1.
        value: what a read has computed.
        asks: what the layout engine is to be asked first, by key.
    """

    head: Head
    failure: DraftsmithError | None = None
    body: bytes = b""
    kind: Kind = "edit"
    ref: str = ""
    diff: DiffOut = field(default_factory=lambda: diff_of(()))
    results: Sequence[ResultOut] = ()
    warnings: Sequence[ProblemOut] = ()
    left_out: Sequence[LeftOut] = ()
    summary: WorkspaceSummary = field(default_factory=WorkspaceSummary)
    segments: Sequence[bytes] = ()
    front: int = -1
    value: bytes = b""
    asks: Mapping[str, bytes] = field(default_factory=dict)


# -- in the other process ----------------------------------------------------------------------------------------------


async def prepare_at_head(
    local: LocalReplica, log: CommitLog, workspace_id: WorkspaceId, request: Request[Any]
) -> Preparation:
    """Bring a replica to where the log ends now and prepare a request there; the replica stays as it is.

    Raises:
        DraftsmithError: the workspace cannot be read.
        CorruptEntry: the log has an entry that cannot be applied.
    """
    replica = await _newest(local)
    try:
        past = LogReader(log, workspace_id, replica)
        if isinstance(request, ReadRequest):
            states = [await past.state(revision) for revision in request.revisions] or [replica.workspace]
            return Preparation(head=replica.head, value=request.reader(*states))
        evidence = await request.fetch(replica, past)
        return prepare_on(replica, request, evidence)
    except DraftsmithError as error:
        return Preparation(head=replica.head, failure=portable(error))


def prepare_first(replica: Replica, request: Request[Any]) -> Preparation:
    """Prepare the first request of a workspace, on a replica that is empty."""
    try:
        if isinstance(request, ReadRequest):
            return Preparation(head=replica.head, value=request.reader(replica.workspace))
        return prepare_on(replica, request, BatchEvidence())
    except DraftsmithError as error:
        return Preparation(head=replica.head, failure=portable(error))


async def _newest(local: LocalReplica) -> Replica:
    for _ in range(_TRIES):
        replica = await local.ready()
        try:
            if local.corrupt is not None:
                raise local.corrupt
            await local.catch_up(replica)
        except LogDiverged:
            local.drop()
            continue
        except BaseException:
            local.drop()
            raise
        return replica
    raise DraftsmithError("busy", "The workspace changes faster than it can be read; nothing was applied. Try again.")


def prepare_on(replica: Replica, request: Request[Any], evidence: Any) -> Preparation:
    """Prepare a request on a replica, with its whole budget, and take it back.

    Raises:
        DraftsmithError: it does not fit.
    """
    try:
        prepared = request.prepare(replica, evidence)
    except TooCostly as error:
        raise too_costly(error) from None
    workspace = replica.workspace
    try:
        if prepared.asks:
            return Preparation(head=replica.head, asks=prepared.asks)
        has_new_text = text_step_of(prepared.steps) is not None and not request.dry_run
        outline = workspace.document.outline if has_new_text else None
        return Preparation(
            head=replica.head,
            body=b"" if prepared.record is None else prepared.record.encode(),
            kind=prepared.kind,
            ref=prepared.ref,
            diff=prepared.diff,
            results=list(prepared.results),
            warnings=list(prepared.warnings),
            left_out=list(prepared.left_out),
            summary=workspace.summary(),
            segments=[] if outline is None else _portions(outline.segments),
            front=-1 if outline is None else outline.front,
        )
    finally:
        prepared.applied.roll_back(workspace)


def portable(error: DraftsmithError) -> DraftsmithError:
    """The same refusal as a value that can be sent to another process."""
    return DraftsmithError(error.code, error.detail, tuple(error.problems), dict(error.extra))


def _portions(segments: Segments) -> list[bytes]:
    rows = [(one.length, one.breaks, [tuple(heading) for heading in one.headings]) for one in segments.all]
    return [orjson.dumps(rows[start : start + _PORTION]) for start in range(0, len(rows), _PORTION)]


# -- in this process ---------------------------------------------------------------------------------------------------


def taking(preparation: Preparation) -> Generator[None, None, PreparedRequest]:
    """Read a preparation, in slices.

    Raises:
        ValueError: a body of another release; both processes are of one, so this is a defect.
    """
    record: Record | None = None
    applied = AppliedSteps()
    if preparation.body:
        record = yield from reading_record(preparation.body)
        outline = yield from _outline(preparation)
        applied = AppliedSteps(record.steps, outline=outline)
    transaction = PreparedTransaction(
        applied=applied, record=record, kind=preparation.kind, ref=preparation.ref, diff=preparation.diff,
        results=preparation.results, warnings=preparation.warnings, left_out=preparation.left_out,
    )  # fmt: skip
    return PreparedRequest(
        head=preparation.head, failure=preparation.failure, transaction=transaction, body=preparation.body,
        summary=preparation.summary, value=preparation.value,
    )  # fmt: skip


def _outline(preparation: Preparation) -> Generator[None, None, Outline | None]:
    """The outline of the text after, without the text."""
    if not preparation.segments:
        return None
    found = []
    for portion in preparation.segments:
        for length, breaks, headings in orjson.loads(portion):
            found.append(segment(length, breaks, (HeadingSpan(*heading) for heading in headings)))
        yield
    return Outline("", Segments(tuple(found)), preparation.front)
