"""Resolves operations that replace the document or the workspace's name.

The document is compared with the current one, so that equal lines stay untouched. The diagram's counterpart is
`whole_diagram`.
"""

from __future__ import annotations

from draftsmith.model.document import LINE_ENDS_MIXED, eol_of, with_lf
from draftsmith.transform import costs
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.steps.line_changes import comparing_cost, line_changes
from draftsmith.transform.steps.workspace import Rename
from draftsmith.transform.transaction import Transaction


def replace_document(tx: Transaction, op: ops.ReplaceDocument) -> None:
    """Replace the document; equal lines stay untouched."""
    document = tx.workspace.document
    tx.check_length(len(op.text) - op.text.count("\r\n"))
    tx.work.spend(
        costs.writing(document.text) + costs.writing(op.text) + comparing_cost(document.text, op.text), costs.LINES
    )
    new = with_lf(op.text)
    if "\r" in op.text and eol_of(op.text) == "mixed":
        tx.warn("line_ends_mixed", "/text", LINE_ENDS_MIXED)
    compared = line_changes(document.text, new)
    if not compared.is_complete:
        message = "The documents differ in too many lines to be compared; what differs was replaced as a whole."
        tx.warn("compared_in_part", "/text", message)
    tx.result.match = {"rung": "whole", "section": "", "lines": [1, document.text.count("\n") + 1], "snippet": ""}
    tx.change_text(compared.spans)
    eol = op.eol if op.eol is not None else eol_of(op.text) if "\r" in op.text else document.eol
    if eol != document.eol:
        tx.do(Rename("eol", document.eol, eol))


def rename_workspace(tx: Transaction, op: ops.RenameWorkspace) -> None:
    """Give the workspace another name."""
    if op.name != tx.workspace.name:
        tx.do(Rename("name", tx.workspace.name, op.name))
