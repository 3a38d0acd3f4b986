"""Find the earlier operation of a batch that deleted or changed what a later one does not find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from draftsmith.errors import EdgesBetween, Existence, SectionPath, Subject
from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.name_search import name_key
from draftsmith.model.work import Work
from draftsmith.transform import costs
from draftsmith.transform.matching.node_names import names_changed
from draftsmith.transform.matching.section_ladder import match, parse_path
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step, text_steps
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.steps.workspace import Rename

Done = Sequence[tuple[int, Sequence[Step]]]  # index of an operation and its steps, oldest first
_NOT_FOUND = ("node_not_found", "edge_not_found", "section_not_found")
_MOST = 10_000_000  # units that one batch spends on it


class EarlierOperations:
    """Says which earlier operation of a batch is the cause where a later one does not find something."""

    __slots__ = ("_hindsight", "_operation_by_id")

    def __init__(self, work: Work) -> None:
        self._hindsight = Hindsight(work)
        self._operation_by_id: dict[str, int] = {}

    def has_not_made(self, element_id: str, index: int) -> None:
        """An operation that was refused would have created this: an id, a label, or the title of a section."""
        self._operation_by_id.setdefault(element_id, index)

    def cause_of(self, refusal: OperationRefused, fitting: Callable[[], Done], text: str) -> tuple[int | None, str]:
        """The index of the operation that is the cause of a refusal, if any, and the message that says so.

        Args:
            refusal: of the later operation.
            fitting: the operations before it that fit.
            text: of the document after them.
        """
        if refusal.code in _NOT_FOUND:
            keys = (key_of(subject) for subject in refusal.about)
            cause = next((self._operation_by_id[key] for key in keys if key in self._operation_by_id), None)
            if cause is not None:
                return cause, refusal.message
        if refusal.code in (*_NOT_FOUND, "find_not_found"):
            taken = taken_by(refusal, fitting(), text, self._hindsight)
            if taken is not None:
                return taken[0], f"{refusal.message} operations[{taken[0]}] of this batch {taken[1]} it."
        return None, refusal.message


class Hindsight:
    """The work that a batch may spend on finding which of its operations removed what a later one does not find."""

    __slots__ = ("_units_left", "_work")

    def __init__(self, work: Work) -> None:
        self._work, self._units_left = work, _MOST

    def can_spend(self, units: int) -> bool:
        """Spend units, of the budget of the request as well; False if there are not so many left."""
        if units > self._units_left:
            return False
        self._units_left -= units
        self._work.spend(units, costs.NAMES)
        return True


def taken_by(refusal: OperationRefused, fitting: Done, text: str, hindsight: Hindsight) -> tuple[int, str] | None:
    """The newest operation that took away what a refused one speaks of, and what it did with it; None if none did.

    Args:
        refusal: of the later operation.
        fitting: the operations before it that fit.
        text: of the document after them.
        hindsight: what may be spent on it.
    """
    names_node = any(isinstance(subject, Existence) and subject.part == "node" for subject in refusal.about)
    if names_node and not hindsight.can_spend(costs.NAMED * sum(len(steps) for _, steps in fitting)):
        return None
    for index, steps in reversed(fitting):
        for what in (_removal_of(step, subject) for step in reversed(steps) for subject in refusal.about):
            if what is not None:
                return index, what
    paths = [subject for subject in refusal.about if isinstance(subject, SectionPath)]
    if not refusal.quote and not paths:
        return None
    for index, step, before, after in _texts(fitting, text, hindsight, is_read=not refusal.quote):
        if refusal.quote:
            is_gone = before.count(refusal.quote) > after.count(refusal.quote)
        else:
            is_gone = any(_is_there(before, path) and not _is_there(after, path) for path in paths)
        if is_gone:
            return index, "changed" if any(change.inserted.strip() for change in step.changes.changes()) else "deleted"
    return None


def _texts(
    fitting: Done, text: str, hindsight: Hindsight, *, is_read: bool
) -> Iterator[tuple[int, ChangeText, str, str]]:
    """Each change of the text with the texts before and after it, newest first; `is_read`: their sections matter."""
    for index, steps in reversed(fitting):
        for step in reversed(text_steps(steps)):
            units = costs.writing(text) + costs.CHANGE * len(step.deleted)
            if not hindsight.can_spend(units + (2 * costs.reading(text, 0, len(text)) if is_read else 0)):
                return
            before = step.inverse().changes.apply(text)
            yield index, step, before, text
            text = before


def _removal_of(step: Step, subject: Subject) -> str | None:
    """What a step did by which a subject is not there any more; None if it did nothing to it."""
    match step:
        case RemoveNode():
            return "deleted" if _is_name_of(step, subject) else None
        case SetNode():
            return "renamed" if _is_name_of(step, subject) else None
        case RemoveEdge():
            ends = step.source, step.target
            is_between = isinstance(subject, EdgesBetween) and (subject.source, subject.target) == ends
            return "deleted" if is_between or subject == Existence("edge", step.id) else None
        case InsertNode() | InsertEdge() | SetEdge() | ChangeText() | Rename() | SetType():
            return None
        case _:
            assert_never(step)


def _is_name_of(step: RemoveNode | SetNode, subject: Subject) -> bool:
    """Whether a subject is a node by a name that a step takes from it or gives to it."""
    return isinstance(subject, Existence) and subject.part == "node" and name_key(subject.id) in names_changed(step)


def _is_there(text: str, path: SectionPath) -> bool:
    return len(match(outline_of(text), path.path, fuzzy=path.fuzzy).sections) == 1


def key_of(subject: Subject) -> str:
    """The key of a subject among the things a refused operation would have created; empty if it cannot be one."""
    match subject:
        case Existence(part="node"):
            return name_key(subject.id)
        case Existence():
            return subject.id
        case EdgesBetween():
            return f"{subject.source}--{subject.target}"
        case SectionPath():
            segments = parse_path(subject.path)
            return f"# {segments[-1].title}" if segments else ""
        case _:
            return ""
