"""Whether a commit stands, or what has taken it back since: told from the log alone.

An undo, a redo and a revert each name the commit that they took back, as far as it still fitted; a redo takes back an
undo. A commit is undone by the commits that name it and were not taken back themselves. How much of it is undone is
counted in things: nodes, edges, types of one's own, changes of the document, the name, the line ends. A thing counts
as left out if any of it stayed as the commit left it. A restored revision takes nothing back: it is a state.

Not here: reading the log, and how far (`usecases.upkeep.history`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from draftsmith.history.commit import Entry
from draftsmith.history.record import decode_record
from draftsmith.history.shapes import UndoneOut
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.steps.workspace import Rename

_Thing = tuple[str, str | int]
_NAMED: Final[Mapping[str, _Thing]] = {"the name": ("name", ""), "the line ends": ("eol", "")}


@dataclass(frozen=True, slots=True)
class UndoStatus:
    """What took a commit back.

    Attributes:
        revision: the newest commit that did.
        left_out: how many things are as the commit left them, or as others have made them since.
        of: how many things the commit changed.
    """

    revision: int
    left_out: int
    of: int

    def to_json(self) -> UndoneOut:
        """`{revision, left_out, of}`."""
        return {"revision": self.revision, "left_out": self.left_out, "of": self.of}


def undo_status_of(entry: Entry, later: Iterable[Entry]) -> UndoStatus | None:
    """What took a commit back; None if it stands. `later`: commits after it, oldest first."""
    root = _Commit(entry)
    known = {entry.revision: root}
    for one in later:
        named = known.get(one.ref_revision or 0) if one.kind in ("undo", "redo", "revert") else None
        if named is not None:
            known[one.revision] = answer = _Commit(one)
            named.answers.append(answer)
    # Newest first: whatever names a commit comes after it, so each is settled before it is asked for.
    for one_of_them in reversed(known.values()):
        one_of_them.settle()
    if not root.taken:
        return None
    count = len(root.things)
    return UndoStatus(max(root.taken.values()), count - len(root.taken), count)


class _Commit:
    """A commit with what names it.

    Attributes:
        answers: the commits that took it back, oldest first.
        taken: its things that have been taken back and were not brought back, each with the commit that did it.
        since: since when what it did has been standing.
    """

    def __init__(self, entry: Entry) -> None:
        self.revision = self.since = entry.revision
        self._record = decode_record(entry.body)
        self.things = _subjects(self._record.steps)
        self.answers: list[_Commit] = []
        self.taken: dict[_Thing, int] = {}

    def settle(self) -> None:
        """Find out what is taken of it, once that is known of all its answers."""
        for one in self.answers:
            self.since = max(self.since, *one.taken.values(), 0)
            if len(one.taken) < len(one.things):  # else it is as if it had not been, or had nothing left to take back
                left = one.left_of(self.things, self.taken)
                gone = self.things.keys() - left - one.taken.keys() - self.taken.keys()
                self.taken |= dict.fromkeys(gone, one.since)

    def left_of(self, things: Mapping[_Thing, None], counts: Mapping[_Thing, int]) -> set[_Thing]:
        """What it left as it was, of the things that it should have taken back."""
        left_out = self._record.left_out
        ids = {name for left in left_out for name in left.get("ids", ())}
        left = {thing for thing in things if thing[0] in ("node", "edge") and thing[1] in ids}
        bare = [str(one.get("what", "")) for one in left_out if not one.get("ids")]
        types = {f"the type '{name}'": (part, name) for part, name in things if part == "type"}
        for what, thing in {**_NAMED, **types}.items():
            if what in bare:
                bare.remove(what)
                left.add(thing)
        # Spans are not named, only counted: those that had been taken back before are among those that were left.
        text_changes = [thing for thing in things if thing[0] == "text"]
        still = [thing for thing in text_changes if thing not in counts]
        count = max(0, len(bare) - (len(text_changes) - len(still)))
        return left | set(still[max(0, len(still) - count) :])


def _subjects(steps: Sequence[Step]) -> dict[_Thing, None]:
    """What steps change, in order."""
    found: dict[_Thing, None] = {}
    routes: dict[_Thing, None] = {}
    for step in steps:
        match step:
            case ChangeText():
                found |= {("text", number): None for number, _ in enumerate(step.changes.changes())}
            case Rename():
                found[step.field, ""] = None
            case SetType():
                found["type", step.id] = None
            case InsertNode() | RemoveNode() | SetNode():
                found["node", step.id] = None
            case SetEdge() if step.fields.keys() == {"route"}:
                routes["edge", step.id] = None  # it follows from a move, and is dropped by another one
            case InsertEdge() | RemoveEdge() | SetEdge():
                found["edge", step.id] = None
            case _:
                assert_never(step)
    return found or routes
