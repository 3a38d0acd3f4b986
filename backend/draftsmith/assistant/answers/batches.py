"""The batches of one run: which were staged, which were refused, and what of those was never corrected.

Taken from what ran, so that a run is told as it was, whatever the model says of it. Pure.

What a refused batch asked for counts as done when a later turn stages it in another form. For each of its operations
that is: one on the same kind of thing (nodes, edges, the document) with a name or a text in common, where what the
refusal offered instead counts as a name, too; the same operation, if it has one argument only; or none, if what it
asked for is there already and the rest of the batch was sent again. An operation that is refused again counts once, as
it was refused last. What others' changes took back (`take_back`) is treated alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from draftsmith.errors import ProblemOut

_THERE_ALREADY: Final = frozenset({"edge_duplicate", "edge_exists", "node_exists"})
_SAYS_LITTLE: Final = frozenset(
    {"op", "type", "kind", "direction", "technology", "children", "bridge", "scope", "all", "level", "locked"}
)
"""Fields whose value is no name: two operations that have it in common may be about different things."""
_WHY_CHARS: Final = 300


@dataclass(slots=True)
class RefusedBatch:
    """A batch that was refused, as far as it was not corrected.

    Attributes:
        tool: that it was sent by.
        why: in a sentence.
        problems: those of what is left of it.
        turn: in which it was refused.
        operations_left: its operations that were not corrected; none where the call could not be read.
        is_known: the model has been told that what is left was taken back; it needs no reminder.
        was_readable: it had operations.
        is_resent: some of it was sent again.
        until: what makes it count no longer, where it was no batch: a later call of the same tool, or of any.
    """

    tool: str
    why: str
    problems: list[ProblemOut]
    turn: int
    operations_left: dict[int, Mapping[str, Any]]
    is_known: bool = False
    was_readable: bool = True
    is_resent: bool = False
    until: Literal["corrected", "same_tool", "any_tool"] = "corrected"


@dataclass
class Batches:
    """Collects the batches of a run in the order in which they were executed.

    Attributes:
        repaired: how many refused batches were staged in another form afterwards.
    """

    repaired: int = 0
    _staged: list[Sequence[Any]] = field(default_factory=list)
    _newest: dict[str, Sequence[Any]] = field(default_factory=dict)
    _refused: list[RefusedBatch] = field(default_factory=list)

    def stage(self, turn: int, tool: str, operations: Sequence[Any]) -> None:
        """A batch fits; `operations` as the model sent them."""
        self._staged.append(operations)
        self._newest[tool] = operations
        come = _BatchNames(operations)
        for one in self._refused:
            if one.turn < turn and self._take_up(one, tool, come):
                self.repaired += 1
        self._drop_what_is_done()

    def refuse(
        self, turn: int, tool: str, operations: Sequence[Any], problems: Sequence[ProblemOut], why: str = ""
    ) -> None:
        """A batch does not fit; `why` where it could not be read, so that there are neither operations nor problems."""
        come = _BatchNames(operations)
        for one in self._refused:
            if one.turn < turn:
                self._take_up(one, tool, come)
        self._drop_what_is_done()
        left = dict(enumerate(map(_mapping, operations)))
        self._refused.append(
            RefusedBatch(tool, why or _why(problems), list(problems), turn, left, was_readable=bool(left))
        )

    def take_back(self, turn: int, tool: str, operations: Sequence[Mapping[str, object]], why: str) -> None:
        """Operations that were staged no longer fit after what others did, and the model is told."""
        self._refused.append(RefusedBatch(tool, why, [], turn, dict(enumerate(operations)), is_known=True))

    def is_repeated(self, tool: str, operations: Sequence[Any], alive: Sequence[Mapping[str, object]]) -> bool:
        """Whether the newest batch of a tool is the same and all of it is still staged.

        Not an earlier one: what was changed and changed back may be changed again. `alive`: as in `parts`.
        """
        newest = self._newest.get(tool)
        ids = {id(one) for one in alive}
        return bool(newest) and newest == operations and all(id(one) in ids for one in newest)

    def note_failure(self, turn: int, tool: str, why: str, *, until: Literal["same_tool", "any_tool"]) -> None:
        """A call was not carried out and the model is told: there is no such tool, or a person declined it."""
        self._refused.append(RefusedBatch(tool, why, [], turn, {}, is_known=True, was_readable=False, until=until))

    def note_success(self, turn: int, tool: str) -> None:
        """A call was carried out, so those that failed before it and meant the same count no longer."""
        self._refused = [
            one
            for one in self._refused
            if one.turn >= turn or not (one.until == "any_tool" or (one.until == "same_tool" and one.tool == tool))
        ]

    @property
    def uncorrected_batches(self) -> Sequence[RefusedBatch]:
        """What was refused and not corrected."""
        return tuple(self._refused)

    def parts(self, alive: Sequence[Mapping[str, object]]) -> tuple[int, int]:
        """How many batches are done, of how many that were asked for; `alive`: the operations that are staged now."""
        ids = {id(one) for one in alive}
        done = sum(any(id(one) in ids for one in batch) for batch in self._staged)
        return done, done + len(self._refused)

    def _drop_what_is_done(self) -> None:
        self._refused = [one for one in self._refused if one.operations_left or not (one.was_readable or one.is_resent)]

    @staticmethod
    def _take_up(refused: RefusedBatch, tool: str, names: _BatchNames) -> bool:
        """Take what comes again out of a refused batch; whether nothing is left of it."""
        if not refused.was_readable:
            refused.is_resent = refused.is_resent or refused.tool == tool
            return refused.is_resent
        again = [index for index in refused.operations_left if _comes_again(refused, index, names)]
        refused.is_resent = refused.is_resent or bool(again)
        if refused.is_resent:
            again += [index for index in refused.operations_left if _is_there_already(refused, index)]
        refused.operations_left = {index: one for index, one in refused.operations_left.items() if index not in again}
        refused.problems = [
            one for one in refused.problems if one["index"] in refused.operations_left
        ] or refused.problems
        refused.why = _why(refused.problems) if refused.problems else refused.why
        return not refused.operations_left


class _BatchNames:
    """The operations of a batch by what they have in common with others."""

    def __init__(self, operations: Sequence[Any]) -> None:
        self.ops: set[str] = set()
        self.of_kind: dict[str, set[str]] = {}
        for operation in map(_mapping, operations):
            self.ops.add(str(operation.get("op", "")))
            names = set(_names(operation))
            for kind in _kinds(operation):
                self.of_kind.setdefault(kind, set()).update(names)


def is_about_document(operation: Mapping[str, object]) -> bool:
    """Whether an operation changes the document alone."""
    return _kinds(operation) == {"document"}


def _mapping(operation: Any) -> Mapping[str, Any]:
    return operation if isinstance(operation, Mapping) else {}


def _why(problems: Sequence[ProblemOut]) -> str:
    first = " ".join(str(problems[0]["message"]).split()) if problems else "It did not fit."
    more = len(problems) - 1
    said = first if len(first) <= _WHY_CHARS else f"{first[: _WHY_CHARS - 1]}…"
    return said if more < 1 else f"{said} And {more} more problem{'s' if more > 1 else ''}."


def _is_there_already(refused: RefusedBatch, index: int) -> bool:
    codes = {one["code"] for one in refused.problems if one["index"] == index}
    return bool(codes) and codes <= _THERE_ALREADY


def _comes_again(refused: RefusedBatch, index: int, batch_names: _BatchNames) -> bool:
    """Whether an operation of a refused batch is among those that come, in the same form or another."""
    operation = refused.operations_left[index]
    if len(operation.keys() - {"op"}) <= 1 and str(operation.get("op", "")) in batch_names.ops:
        return True
    offered = [one["candidates"] for one in refused.problems if one["index"] == index]
    names = {*_names(operation), *_names(offered)}
    known = [batch_names.of_kind[kind] for kind in _kinds(operation) if kind in batch_names.of_kind]
    return any(not names or not names.isdisjoint(one) for one in known)


def _kinds(operation: Mapping[str, object]) -> frozenset[str]:
    """What an operation is about; a name that nobody knows may be about anything."""
    name = str(operation.get("op", ""))
    if "section" in name or name in ("edit_text", "replace_document"):
        return frozenset({"document"})
    if name in ("insert_between", "replace_diagram"):
        return frozenset({"nodes", "edges"})
    if "edge" in name:
        return frozenset({"edges"})
    if "node" in name or "group" in name or name == "layout_diagram":
        return frozenset({"nodes"})
    return frozenset({"document", "edges", "nodes"})


def _names(value: Any) -> Iterator[str]:
    """The names and texts in a value, at any depth, as they are compared; of the path of a section its last heading."""
    if isinstance(value, str):
        flat = " ".join(value.split()).casefold()
        if flat:
            yield flat
            yield flat.rpartition("#")[2].strip() if flat.startswith("#") else flat
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in _SAYS_LITTLE:
                yield from _names(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _names(inner)
