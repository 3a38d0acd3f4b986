"""History for people and programs: lists of commits, one commit, old revisions, comparisons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry, Head
from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.record import Record, decode_record
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import counts_of, sentence_of
from draftsmith.history.stacks import Item
from draftsmith.model.workspace import Workspace
from draftsmith.ports import CommitLog
from draftsmith.transform.restore import difference
from draftsmith.transform.steps_text import text_step_of
from draftsmith.usecases.past import LogPast

TOKEN = re.compile(r'(?:W/)?"?([0-9A-Za-z_-]{1,64})\.([0-9]{1,18})\.([0-9a-f]{8})"?')
GROUP_GAP_MS = 60_000
_GROUPED = frozenset({"edit", "text"})


def commit_json(entry: Entry, record: Record) -> dict[str, Any]:
    """One commit in a list."""
    diff = diff_of(record.steps, record.places)
    return {
        "revision": entry.revision,
        "at_ms": entry.ms,
        "since_ms": entry.ms,
        "actor": actor_json(entry.actor),
        "kind": entry.kind,
        "ref": entry.ref_revision,
        "what": record.what,
        "why": record.explanation,
        "source": record.source,
        "counts": counts_of(diff),
        "left_out": list(record.left_out),
        "revisions": [entry.revision],
    }


async def list_commits(
    log: CommitLog, w: str, head: int, before: int | None, limit: int, *, grouped: bool
) -> tuple[list[dict[str, Any]], int | None]:
    """Commits before a revision, newest first, and the revision to go on before; None at the end.

    Grouped: neighbours of one person and kind, less than a minute apart, stand as one.
    """
    start = head + 1 if before is None else min(before, head + 1)
    items: list[dict[str, Any]] = []
    while True:
        page = await log.entries_before(w, start, max(limit, 20) + 1)
        for entry in page:
            record = decode_record(entry.body)
            if record.hidden:
                continue
            shown = commit_json(entry, record)
            if grouped and items and _belong_together(items[-1], shown):
                _join(items[-1], shown)
            elif len(items) == limit:
                return items, items[-1]["revisions"][-1]
            else:
                items.append(shown)
        if not page or page[-1].revision == 1:
            return items, None
        start = page[-1].revision


def _belong_together(newer: Mapping[str, Any], older: Mapping[str, Any]) -> bool:
    alike = newer["kind"] == older["kind"] and newer["actor"]["id"] == older["actor"]["id"]
    explained = newer["why"] or older["why"]
    return alike and newer["kind"] in _GROUPED and not explained and newer["since_ms"] - older["at_ms"] < GROUP_GAP_MS


def _join(newer: dict[str, Any], older: Mapping[str, Any]) -> None:
    newer["revisions"] = [*newer["revisions"], older["revision"]]
    newer["since_ms"] = older["at_ms"]
    newer["counts"] = {name: count + older["counts"][name] for name, count in newer["counts"].items()}


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
