"""Resolves operations that replace the document or the workspace's name.

The document is compared with the current one, so that equal lines stay untouched. The diagram's counterpart is
`whole_diagram`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Indel

from draftsmith.model.document import eol_of, with_lf
from draftsmith.transform import operations as ops
from draftsmith.transform.changeset import ChangeSet, replacing
from draftsmith.transform.steps_workspace import Rename
from draftsmith.transform.transaction import Transaction


def replace_document(tx: Transaction, op: ops.ReplaceDocument) -> None:
    """Replace the document; equal lines stay untouched."""
    document = tx.workspace.document
    new = with_lf(op.text)
    changes = line_changes(document.text, new)
    tx.result.match = {"rung": "whole", "section": "", "lines": [1, document.text.count("\n") + 1], "snippet": ""}
    tx.change_text(changes)
    eol = op.eol if op.eol is not None else eol_of(op.text) if "\r" in op.text else document.eol
    if eol != document.eol:
        tx.do(Rename("eol", document.eol, eol))


def line_changes(old: str, new: str) -> ChangeSet:
    """The changes from one text to the other, by whole lines."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old_lines, new_lines = before[head : len(before) - tail], after[head : len(after) - tail]
    start = sum(map(len, before[:head]))
    offsets = [start]
    for line in old_lines:
        offsets.append(offsets[-1] + len(line))
    spans = [
        (offsets[code.src_start], offsets[code.src_end], "".join(new_lines[code.dest_start : code.dest_end]))
        for code in Indel.opcodes(old_lines, new_lines)
        if code.tag != "equal"
    ]
    return replacing(old, _joined(spans))


def _joined(spans: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Merge adjacent deletions and insertions into one replacement."""
    joined: list[tuple[int, int, str]] = []
    for start, end, text in spans:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end, joined[-1][2] + text)
        else:
            joined.append((start, end, text))
    return joined


def rename_workspace(tx: Transaction, op: ops.RenameWorkspace) -> None:
    """Give the workspace another name."""
    if op.name != tx.workspace.name:
        tx.do(Rename("name", tx.workspace.name, op.name))
