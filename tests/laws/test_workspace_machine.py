"""A history of several people, step by step: whatever they do, the log replays to what they see.

After every commit a second replica, which knows the entries alone, takes the entry and must be equal, byte for byte
(`Story._append`). The most important law of all: nothing that is committed may fail on replay.
"""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from draftsmith.errors import BatchRejected
from draftsmith.history.commit import GENESIS, chain_hash
from draftsmith.history.record import decode_record
from draftsmith.history.undo_stacks import UndoStacks, stacks_from_json
from draftsmith.history.undo_status import undo_status_of
from draftsmith.transform.steps.edge import SetEdge
from draftsmith.transform.steps.node import SetNode
from draftsmith.transform.undo.compensate import Compensation
from tests.builders import Story, assert_sound, canonical, refusal_of
from tests.laws.test_batches import START, TEXT
from tests.seeds import examples
from tests.strategies import changes_to, operations_on

actors = st.sampled_from(["ann", "bob", "cleo"])


class WorkspaceMachine(RuleBasedStateMachine):
    """Three people on one workspace."""

    def __init__(self) -> None:
        super().__init__()
        self.story = Story()
        self.states: list[bytes] = []
        self.alone = True

    @initialize(filled=st.booleans())
    def begin(self, filled: bool) -> None:
        """An empty workspace, or one in which there is something to meet."""
        self.story = Story(*START, text=TEXT) if filled else Story()
        self.states = [canonical(self.story.at(0)), canonical(self.story.workspace)][: 2 if filled else 1]

    def _note(self, actor: str) -> None:
        """Remember the state after a commit, and whether anybody but ann has done anything."""
        if self.story.replica.head.revision == len(self.states):
            self.states.append(canonical(self.story.workspace))
            self.alone = self.alone and actor == "ann"

    @rule(actor=actors, data=st.data())
    def edit(self, actor: str, data: st.DataObject) -> None:
        """Somebody runs a batch; what does not fit of it is left out."""
        self._edit(actor, data, "")

    @rule(actor=actors, data=st.data())
    def draw(self, actor: str, data: st.DataObject) -> None:
        """Somebody works on the diagram."""
        self._edit(actor, data, "diagram")

    @rule(actor=actors, data=st.data())
    def write(self, actor: str, data: st.DataObject) -> None:
        """Somebody works on the document."""
        self._edit(actor, data, "document")

    def _edit(self, actor: str, data: st.DataObject, part: str) -> None:
        operations = data.draw(st.lists(operations_on(self.story.workspace, part), min_size=1, max_size=3))
        before = canonical(self.story.workspace)
        while operations:
            try:
                self.story.commit(actor, operations)
                break
            except BatchRejected as rejected:
                assert canonical(self.story.workspace) == before
                bad = {problem.index for problem in rejected.problems}
                operations = [op for index, op in enumerate(operations) if index not in bad]
        self._note(actor)

    @rule(actor=actors, data=st.data())
    def type(self, actor: str, data: st.DataObject) -> None:
        """Somebody changes the text at a few places at once."""
        changes = data.draw(changes_to(self.story.text))
        head = self.story.replica.head.revision
        self.story.commit(actor, [{"op": "edit_text", "changes": changes.to_json(), "base_revision": head}])
        self._note(actor)

    @rule(actor=actors, everyone=st.booleans(), force=st.sampled_from([False, False, True]))
    def undo(self, actor: str, everyone: bool, force: bool) -> None:
        """P9, P11: undo touches only what still has the value its commit left; mine only my own commits."""
        stacks = self.story.replica.stacks
        item = stacks.top_of_all() if everyone else stacks.top(actor)
        if item is None:
            return
        assert everyone or item.owner == actor
        values = None if force else self._values()
        done = self.story.undo(actor, everyone=everyone, force=force)
        if values is not None and done is not None:
            self._check_cells(done, values)
        self._note(actor)

    def _values(self) -> dict[tuple[str, str], dict[str, object]]:
        diagram = self.story.workspace.diagram
        found: dict[tuple[str, str], dict[str, object]] = {}
        for node_id, attributes in diagram.nodes().items():
            found["node", node_id] = dict(attributes)
        for edge_id in diagram.edge_ids():
            found["edge", edge_id] = dict(diagram.edge(edge_id) or {})
        return found

    def _check_cells(self, done: Compensation, before: dict[tuple[str, str], dict[str, object]]) -> None:
        """P9: each field had the value the commit left, in the incarnation the commit knew."""
        reference = self.story.log[-1].ref_revision
        assert reference is not None
        left: dict[tuple[str, str, int, str], set[str]] = {}
        for step in self.story.steps_of(reference):
            if isinstance(step, SetNode | SetEdge):
                part = "node" if isinstance(step, SetNode) else "edge"
                for field, (_, new) in step.fields.items():
                    left.setdefault((part, step.id, step.birth, field), set()).add(repr(new))
        for step in done.steps:
            if not isinstance(step, SetNode | SetEdge):
                continue
            part = "node" if isinstance(step, SetNode) else "edge"
            now = before.get((part, step.id))
            for field, (old, _) in step.fields.items():
                if field == "route" or (now is not None and now["birth"] != step.birth):
                    continue  # a route is dropped with a move; another incarnation came back in this very undo
                assert repr(old) in left[part, step.id, step.birth, field]

    @rule(actor=actors)
    def redo(self, actor: str) -> None:
        """What was undone comes back as far as it fits."""
        self.story.redo(actor)
        self._note(actor)

    @precondition(lambda self: self.story.log)
    @rule(actor=actors, data=st.data())
    def revert(self, actor: str, data: st.DataObject) -> None:
        """Any commit may be taken back by anyone, at any time."""
        revision = data.draw(st.integers(1, len(self.story.log)))
        if self.story.log[revision - 1].kind not in ("create", "checkpoint"):
            self.story.revert(actor, revision)
        self._note(actor)

    @precondition(lambda self: self.story.log)
    @rule(actor=actors, data=st.data())
    def restore(self, actor: str, data: st.DataObject) -> None:
        """Any revision can be brought back, exactly, unless a lock stands in the way; then nothing changes."""
        revision = data.draw(st.integers(0, len(self.story.log)))
        before = canonical(self.story.workspace)
        assert canonical(self.story.at(revision)) == self.states[revision]
        refusal = refusal_of(lambda: self.story.restore(actor, revision))
        assert refusal in ("", "locked")
        assert canonical(self.story.workspace) == (before if refusal else self.states[revision])
        self._note(actor)

    @precondition(lambda self: len(self.story.log) % 6 == 5)
    @rule(name=st.sampled_from(["first", "second"]))
    def checkpoint(self, name: str) -> None:
        """A checkpoint changes nothing and is on no stack."""
        self.story.mark(name)
        self._note("ann")

    @rule(actor=actors)
    def undo_and_redo_at_once_is_nothing(self, actor: str) -> None:
        """P7: an undo and its redo leave the workspace as it was, whatever the undo had to leave out.

        Unless a lock holds on to what came back: an edge may be added to a locked node, but not taken from it.
        """
        if self.story.replica.stacks.top(actor) is None:
            return
        before = canonical(self.story.workspace)
        self.story.undo(actor)
        self._note(actor)
        done = self.story.redo(actor)
        self._note(actor)
        locked = done is not None and any("is locked" in left["why"] for left in done.left_out)
        assert canonical(self.story.workspace) == before or locked

    @precondition(lambda self: self.alone)
    @rule()
    def one_alone_goes_back_to_the_start(self) -> None:
        """P8: with nobody else about, undo after undo leads to the start, nothing is left out, and the log says so."""
        other = self.story.until(len(self.story.log))
        while (done := other.undo("ann")) is not None:
            assert done.left_out == []
        start = 1 if other.log and other.log[0].kind == "create" else 0
        assert canonical(other.workspace) == self.states[start]
        for number, entry in enumerate(other.log, 1):
            if entry.kind == "edit":
                found = undo_status_of(entry, other.log[number:])
                assert found is not None
                assert found.left_out == 0

    @invariant()
    def sound(self) -> None:
        """P6, P17, P18: no dangling or equal edges, groups a forest; the indexes as if built afresh."""
        assert_sound(self.story.workspace)

    def teardown(self) -> None:
        """P3, P4, P10: the log alone gives the same state, at every cut, and the same chain and stacks."""
        log = self.story.log
        chain = GENESIS
        stacks = UndoStacks()
        for number, entry in enumerate(log, 1):
            assert entry.revision == number
            chain = chain_hash(chain, entry)
            assert entry.chain == chain
            assert decode_record(entry.body).encode() == entry.body
            stacks.fold(entry)
            stacks = stacks_from_json(stacks.to_json())
        assert stacks.to_json() == self.story.replica.stacks.to_json()
        for number, entry in enumerate(log, 1):
            found = undo_status_of(entry, log[number:])
            assert found is None or (found.revision > number and 0 <= found.left_out < found.of)
        for cut in range(0, len(log) + 1, 3):
            assert self.story.replayed(cut).dump() == self.story.replica.dump()
        for revision, state in enumerate(self.states):
            assert canonical(self.story.at(revision)) == state


WorkspaceMachine.TestCase.settings = settings(max_examples=examples(200), stateful_step_count=40, deadline=None)
TestWorkspace = WorkspaceMachine.TestCase
