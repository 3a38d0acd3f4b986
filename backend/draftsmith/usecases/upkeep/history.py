"""Queries on the history: lists of commits and of rows, one commit, comparisons of states."""

from __future__ import annotations

import re

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Head
from draftsmith.history.commit_filter import CommitFilter
from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.record import decode_record
from draftsmith.history.replica import Replica
from draftsmith.history.rows import PageCursor, Rows, commit_json
from draftsmith.history.sentences import counts_of, sentence_of
from draftsmith.history.shapes import CommitOut
from draftsmith.history.undo_stacks import StackItem
from draftsmith.history.undo_status import UndoStatus, undo_status_of
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import Workspace
from draftsmith.ports import CommitLog
from draftsmith.transform.steps.steps import text_step_of
from draftsmith.transform.undo.restore import difference
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.requests.typing_runs import newest_run
from draftsmith.usecases.requests.undo_requests import newest_of_document
from draftsmith.usecases.upkeep.shapes import CommitFull, CompareOut, StackTop, UndoState

TOKEN = re.compile(r'(?:W/)?"?([0-9A-Za-z_-]{1,64})\.([0-9]{1,18})\.([0-9a-f]{8})"?')
_PAGE = 500
_LOOKED_AT = 5_000  # commits that one request searches: some 50 ms of work
_ALL = CommitFilter()

Listed = tuple[list[CommitOut], PageCursor | None]


async def list_commits(
    log: CommitLog, workspace_id: WorkspaceId, start: PageCursor, limit: int, commit_filter: CommitFilter = _ALL
) -> Listed:
    """Commits from a position on, newest first, and the position of the next page; None at the end.

    With a filter, a page may hold fewer than `limit` or none although more follow.
    """
    items: list[CommitOut] = []
    before = start.before
    size = max(limit, 20) + 1 if commit_filter.is_empty else _PAGE
    while start.before - before < _LOOKED_AT:
        page = await log.entries_before(workspace_id, before, size)
        for entry in page:
            if not commit_filter.matches(entry):
                continue
            record = decode_record(entry.body)
            if record.hidden:
                continue
            if len(items) == limit:
                return items, PageCursor(items[-1]["revision"])
            items.append(commit_json(entry, record))
        if not page or page[-1].revision == 1:
            return items, None
        before = page[-1].revision
    return items, PageCursor(before)


async def list_rows(
    log: CommitLog, workspace_id: WorkspaceId, start: PageCursor, limit: int, commit_filter: CommitFilter = _ALL
) -> Listed:
    """As `list_commits`, with related commits as one row; see `history.rows`."""
    above = await log.entries(workspace_id, start.before - 1, max(start.open, default=0), _PAGE) if start.open else []
    rows = Rows(limit, [entry for entry in above if entry.revision in start.open])
    before = start.before
    while True:
        page = await log.entries_before(workspace_id, before, _PAGE)
        for entry in page:
            if commit_filter.matches(entry):
                rows.add(entry)
            else:
                rows.pass_over(entry)
            if rows.is_full:
                return rows.items, rows.following
        if not page or page[-1].revision == 1:
            return rows.items, rows.following
        before = page[-1].revision
        if start.before - before >= _LOOKED_AT and not commit_filter.is_empty:
            rows.begin_no_more(before)
            if rows.is_full:
                return rows.items, rows.following


async def read_commit(past: LogReader, revision: int) -> CommitFull:
    """One commit with everything it changed, and which later commit undid it.

    For that the headers of the commits after it are looked at, `_LOOKED_AT` at most, and the bodies of those that name
    it: the last thousand or so are in memory, 5,000 of the store take some 50 ms. What comes later still is not seen.
    """
    entry = await past.entry(revision)
    return full_commit(entry, undo_status_of(entry, await past.following(revision, _LOOKED_AT)))


def full_commit(entry: Entry, undone: UndoStatus | None = None) -> CommitFull:
    """One commit with everything it changed."""
    record = decode_record(entry.body)
    return {
        **commit_json(entry, record),
        "results": list(record.results),
        "diff": diff_of(record.steps, record.places),
        "warnings": list(record.warnings),
        "checkpoint": dict(record.checkpoint) or None,
        "steps": [step.to_json() for step in record.steps],
        "undone": None if undone is None else undone.to_json(),
    }


def compare(from_revision: int, to_revision: int, old: Workspace, new: Workspace) -> bytes:
    """The diff from one state to another, with a sentence, as JSON; `old` is modified and must not be used again."""
    text = old.document.text
    steps = difference(old, new)
    diff = diff_of(steps, places_of(text_step_of(steps), text))
    compared: CompareOut = {
        "from_revision": from_revision,
        "to_revision": to_revision,
        "what": sentence_of(diff, new.diagram, steps),
        "diff": diff,
        "counts": counts_of(diff),
    }
    return orjson.dumps(compared)


async def undo_state(past: LogReader, replica: Replica, scope: str) -> UndoState:
    """What undo and redo would take: `{undo: {rev, label} | null, redo: …, undo_document: …, …}`."""
    stacks = replica.stacks
    undo_document = await newest_of_document(tuple(stacks.undo.get(scope, ())), past)
    redo_document = await newest_of_document(tuple(stacks.redo.get(scope, ())), past)
    typing = await newest_run(replica, past, scope, undo_document.revision if undo_document is not None else 0)
    return {
        "undo": await _undo_item(past, stacks.top(scope)),
        "redo": await _undo_item(past, stacks.next_redo(scope)),
        "undo_document": await _undo_item(past, undo_document),
        "undo_typing": None if typing is None else _stack_top(typing.last),
        "redo_document": await _undo_item(past, redo_document),
        "undo_all": await _undo_item(past, stacks.top_of_all()),
    }


async def _undo_item(past: LogReader, item: StackItem | None) -> StackTop | None:
    if item is None:
        return None
    try:
        return _stack_top(await past.entry(item.revision))
    except DraftsmithError:
        return {"rev": item.revision, "label": ""}  # trimmed


def _stack_top(entry: Entry) -> StackTop:
    label = decode_record(entry.body).what
    for said in ("Undid: ", "Redid: "):
        label = label.removeprefix(said)
    return {"rev": entry.revision, "label": label}


def read_token(text: str) -> tuple[str, int, str]:
    """Read the token of an ETag: epoch, revision, first 8 of the hash.

    Raises:
        DraftsmithError: `invalid_request`.
    """
    found = TOKEN.fullmatch(text)
    if found is None:
        raise DraftsmithError("invalid_request", "base_revision is a number or the ETag of a read.")
    return found[1], int(found[2]), found[3]


async def check_token(past: LogReader, head: Head, token: tuple[str, int, str]) -> int:
    """The revision of a token, if it is one of this history.

    Raises:
        DraftsmithError: `stale_base` for a token of another epoch, or of a tail that the store has lost.
    """
    epoch, revision, chain = token
    if epoch == head.epoch and (revision > head.revision or revision == 0):
        return revision  # the batch itself is refused for a revision that is not there yet
    if epoch != head.epoch or not (await past.entry(revision)).chain.startswith(chain):
        message = "The history was restored since; read the workspace again."
        raise DraftsmithError("stale_base", message, extra={"revision": head.revision, "changes": []})
    return revision
