"""Convert what a person wrote to tool calls: all of it or nothing.

Several clauses make one batch. From the second one on, each is read on a copy to which the earlier ones have been
applied, so it may name what they add. A node that a later clause names gets its id here; every other one from the
resolver. Labels and the document are never read as commands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from draftsmith.assistant.builtin.clause import Edit, Op, Question
from draftsmith.assistant.builtin.grammar import mask_all, read
from draftsmith.assistant.builtin.masking import clauses, whole_text
from draftsmith.assistant.builtin.names import Names
from draftsmith.assistant.builtin.offers import Offers
from draftsmith.assistant.builtin.questions import READING
from draftsmith.assistant.builtin.refusal import Refusal, UnclearSentence
from draftsmith.errors import DraftsmithError
from draftsmith.model.limits import UNLIMITED
from draftsmith.model.workspace import Workspace, dump, load
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.resolve import open_transaction, run_batch

_LONGEST, _MOST_CLAUSES, _EXPLANATION = 20_000, 50, 2_000
_MAKES: Final = ("add_node", "group_nodes", "insert_between")


@dataclass(frozen=True, slots=True)
class Plan:
    """The result for a sentence: calls, or a refusal.

    Attributes:
        calls: (tool, input) in order; batches of operations, or questions, never both.
        sentences: for a batch: what it does, one for each clause.
        questions: for questions: what each call is about, in the same order.
        refusal: why nothing is done; then the others are empty.
    """

    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()
    sentences: Sequence[str] = ()
    questions: Sequence[Question] = ()
    refusal: Refusal | None = None


def plan(text: str, workspace: Workspace, *, may_edit: bool) -> Plan:
    """Read what a person wrote, on a workspace that is left as it is.

    Args:
        text: commands, or questions.
        workspace: whose names it speaks of.
        may_edit: whether it is Edit, which changes, or Ask, which only reads.
    """
    names = Names(workspace)
    try:
        return _plan(text, names, may_edit)
    except UnclearSentence as unclear:
        offers = Offers(text, unclear.clause or whole_text(text), names, may_edit=may_edit)
        return Plan(refusal=offers.refusal(unclear, partial(_is_understood, names, may_edit)))


def refuse(kind: str, reason: str, text: str, may_edit: bool, workspace: Workspace) -> Refusal:
    """The refusal of a text that is understood but did not fit, with two sentences that are not this one."""
    names = Names(workspace)
    offers = Offers(text, whole_text(text), names, may_edit=may_edit)
    return offers.refusal(
        UnclearSentence(kind, reason), lambda one: one != text and _is_understood(names, may_edit, one)
    )


def _is_understood(names: Names, may_edit: bool, text: str) -> bool:
    try:
        _plan(text, names, may_edit)
    except UnclearSentence:
        return False
    return True


@dataclass(kw_only=True)
class _Draft:
    """The clauses read so far, and the names of the workspace as they leave it."""

    names: Names
    operations: list[Op] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    new_nodes: dict[str, Op] = field(default_factory=dict)
    is_copy: bool = False

    def take(self, edit: Edit) -> None:
        """Add a clause; nodes that it names and that earlier clauses made without an id get one."""
        spoken = {value for one in edit.operations for value in _texts(one)}
        for node_id in spoken & self.new_nodes.keys():
            self.new_nodes[node_id].setdefault("id", node_id)
        self.operations += edit.operations
        self.sentences.append(edit.sentence)

    def advance(self, edit: Edit) -> None:
        """Apply the clause to a copy, for the next one.

        Raises:
            UnclearSentence: `misfit`.
        """
        todo = [one for one in edit.operations if one["op"] != "edit_section"]  # a search that the resolver does anyway
        if not todo:
            return
        workspace = self.names.workspace if self.is_copy else _copy(self.names.workspace)
        self.is_copy = True
        tx = open_transaction(workspace, 1 + len(self.operations), UNLIMITED, by_person=False)
        try:
            run_batch(tx, parse_batch(todo, UNLIMITED))
        except DraftsmithError as error:
            message = error.problems[0].message if error.problems else error.detail
            raise UnclearSentence("misfit", message) from None
        for operation, result in zip(todo, tx.results, strict=True):
            if operation["op"] in _MAKES and result.ids:
                shape = operation.get("node", operation)
                if isinstance(shape, dict):
                    self.new_nodes[result.ids[0]] = shape
        self.names = Names(workspace)


def _copy(workspace: Workspace) -> Workspace:
    """A workspace with the same content; the values, which nobody changes in place, are shared."""
    copy = load(dump(workspace))
    outline = workspace.document.known_outline
    if outline is not None:
        copy.document.take_outline(outline)
    return copy


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, one in value.items() if key not in ("label", "technology", "op") for text in _texts(one)]
    return [text for one in value for text in _texts(one)] if isinstance(value, list) else []


def _plan(text: str, names: Names, may_edit: bool) -> Plan:
    if len(text) > _LONGEST:
        raise UnclearSentence("too_long", f"A command has at most {_LONGEST:,} characters.")
    draft = _Draft(names=names)
    found = clauses(mask_all(text, names, with_grammar=False))
    if not found:
        raise UnclearSentence("empty", "There is nothing to do yet.")
    if len(found) > _MOST_CLAUSES:
        raise UnclearSentence("too_long", f"That is more than {_MOST_CLAUSES} sentences; send it in parts.")
    for clause in found:
        try:
            _read_clause(draft, clause.raw, may_edit, is_last=clause is found[-1])
        except UnclearSentence as unclear:
            unclear.clause = clause
            raise
    return _finish_plan(draft, text)


def _read_clause(draft: _Draft, clause: str, may_edit: bool, *, is_last: bool) -> None:
    found = read(clause, draft.names)
    if isinstance(found, Question):
        if may_edit and found.tool not in READING:
            raise UnclearSentence(
                "question", "That is a question, and questions belong to Ask. The same words work there."
            )
        if draft.operations:
            raise UnclearSentence("mixed", "Send commands and questions one after the other, not together.")
        draft.questions.append(found)
        return
    if not may_edit:
        raise UnclearSentence("read_only", "Ask only reads. The same words work in Edit.")
    if draft.questions:
        raise UnclearSentence("mixed", "Send commands and questions one after the other, not together.")
    draft.take(found)
    if not is_last:
        draft.advance(found)


def _finish_plan(draft: _Draft, text: str) -> Plan:
    if draft.questions:
        calls = [(question.tool, question.input) for question in draft.questions]
        return Plan(calls, questions=draft.questions)
    # One batch, so that it fits as a whole or not at all: either edit tool takes any operation.
    is_text = all(one["op"].endswith("_section") for one in draft.operations)
    batch = {"operations": draft.operations, "explanation": text.strip()[:_EXPLANATION]}
    return Plan([("edit_document" if is_text else "edit_diagram", batch)], sentences=draft.sentences)
