"""History for people and programs: lists of commits and of rows, one commit, comparisons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Head
from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.record import decode_record
from draftsmith.history.replica import Replica
from draftsmith.history.rows import Place, Rows, commit_json
from draftsmith.history.sentences import counts_of, sentence_of
from draftsmith.history.stacks import Item
from draftsmith.model.workspace import Workspace
from draftsmith.ports import CommitLog
from draftsmith.transform.restore import difference
from draftsmith.transform.steps_text import text_step_of
from draftsmith.usecases.past import LogPast

TOKEN = re.compile(r'(?:W/)?"?([0-9A-Za-z_-]{1,64})\.([0-9]{1,18})\.([0-9a-f]{8})"?')
_PAGE = 500


async def list_commits(log: CommitLog, w: str, start: Place, limit: int) -> tuple[list[dict[str, Any]], Place | None]:
    """Commits from a place on, newest first, and where to go on; None at the end."""
    items: list[dict[str, Any]] = []
    before = start.before
    while True:
        page = await log.entries_before(w, before, max(limit, 20) + 1)
        for entry in page:
            record = decode_record(entry.body)
            if record.hidden:
                continue
            if len(items) == limit:
                return items, Place(items[-1]["revision"])
            items.append(commit_json(entry, record))
        if not page or page[-1].revision == 1:
            return items, None
        before = page[-1].revision


async def list_rows(log: CommitLog, w: str, start: Place, limit: int) -> tuple[list[dict[str, Any]], Place | None]:
    """As `list_commits`, with what belongs together as one row; see `history.rows`."""
    above = await log.entries(w, start.before - 1, max(start.open, default=0), _PAGE) if start.open else []
    rows = Rows(limit, [entry for entry in above if entry.revision in start.open])
    before = start.before
    while True:
        page = await log.entries_before(w, before, _PAGE)
        for entry in page:
            rows.add(entry)
            if rows.is_full:
                return rows.items, rows.following
        if not page or page[-1].revision == 1:
            return rows.items, rows.following
        before = page[-1].revision


def full_commit(entry: Entry) -> dict[str, Any]:
    """One commit with everything it changed."""
    record = decode_record(entry.body)
    return {
        **commit_json(entry, record),
        "results": list(record.results),
        "diff": diff_of(record.steps, record.places),
        "warnings": list(record.warnings),
        "checkpoint": dict(record.checkpoint) or None,
        "steps": [step.to_json() for step in record.steps],
    }


def compare(old: Workspace, new: Workspace) -> dict[str, Any]:
    """What changed from one state to another, with a sentence; `old` is used up."""
    text = old.document.text
    steps = difference(old, new)
    diff = diff_of(steps, places_of(text_step_of(steps), text))
    return {"what": sentence_of(diff, new.diagram, steps), "diff": diff, "counts": counts_of(diff)}


async def undo_state(log: CommitLog, w: str, replica: Replica, scope: str) -> dict[str, Any]:
    """What undo and redo would take: `{undo: {rev, label} | null, redo: …, undo_all: …}`."""
    stacks = replica.stacks
    items = {"undo": stacks.top(scope), "redo": stacks.next_redo(scope), "undo_all": stacks.top_of_all()}
    known = {entry.revision: entry for entry in replica.tail}
    return {name: await _labelled(log, w, item, known) for name, item in items.items()}


async def _labelled(log: CommitLog, w: str, item: Item | None, known: Mapping[int, Entry]) -> dict[str, Any] | None:
    if item is None:
        return None
    entry = known.get(item.revision)
    if entry is None:
        found: Sequence[Entry] = await log.entries(w, item.revision - 1, item.revision, 1)
        entry = found[0] if found and found[0].revision == item.revision else None
    label = "" if entry is None else decode_record(entry.body).what
    for said in ("Undid: ", "Redid: "):
        label = label.removeprefix(said)
    return {"rev": item.revision, "label": label}


def read_token(text: str) -> tuple[str, int, str]:
    """Read the token of an ETag: epoch, revision, first 8 of the hash.

    Raises:
        DraftsmithError: `invalid_request`.
    """
    found = TOKEN.fullmatch(text)
    if found is None:
        raise DraftsmithError("invalid_request", "base_revision is a number or the ETag of a read.")
    return found[1], int(found[2]), found[3]


async def check_token(past: LogPast, head: Head, token: tuple[str, int, str]) -> int:
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
