"""Build workspaces, batches and whole histories in memory, with the product's own parts and no store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from draftsmith.errors import BatchRejected, DraftsmithError
from draftsmith.history.commit import Draft, Entry, Kind, chain_hash, entry_of
from draftsmith.history.diff import diff_of, is_nothing, places_of
from draftsmith.history.record import Record, decode_record
from draftsmith.history.replica import Replica, copy_workspace, replica_from, rewind
from draftsmith.history.text_commits import earliest_reference, text_commits
from draftsmith.model.diagram import Diagram
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace, dump, load
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.resolve import open_transaction, run_batch
from draftsmith.transform.steps.changeset import ChangeSet
from draftsmith.transform.steps.steps import Step, text_step_of
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.transaction import Transaction
from draftsmith.transform.undo.compensate import Compensation, compensate
from draftsmith.transform.undo.restore import restore
from draftsmith.transform.undo.retract import retraction
from draftsmith.transform.undo.text_run import TextCommit

Op = dict[str, Any]
EPOCH = "e"


def canonical(workspace: Workspace) -> bytes:
    """The bytes that two equal workspaces share."""
    return orjson.dumps(dump(workspace), option=orjson.OPT_SORT_KEYS)


def copy_of(workspace: Workspace) -> Workspace:
    """A workspace of its own with the same content, its indexes built afresh."""
    return load(orjson.loads(canonical(workspace)))


def run(
    workspace: Workspace,
    *operations: Op,
    revision: int = 1,
    limits: WorkspaceLimits | None = None,
    by_person: bool = True,
    since: dict[int, ChangeSet] | None = None,
    by_id: bool = False,
) -> Transaction:
    """Run a batch on a workspace, in place; the transaction with its steps and results."""
    limits = limits or WorkspaceLimits()
    tx = open_transaction(workspace, revision, limits, by_person=by_person, since=since, by_id=by_id)
    run_batch(tx, parse_batch(list(operations), limits))
    return tx


def refused(workspace: Workspace, *operations: Op, **options: Any) -> list[tuple[int, str]]:
    """The problems of a batch that does not fit, as (index, code); the workspace must be as it was."""
    before = canonical(workspace)
    try:
        run(workspace, *operations, **options)
    except BatchRejected as rejected:
        assert canonical(workspace) == before, "a refused batch left something behind"
        return [(problem.index, problem.code) for problem in rejected.problems]
    raise AssertionError("the batch was not refused")


def refusal_of(call: Callable[[], object]) -> str:
    """The code with which a call is refused; empty if it is not."""
    try:
        call()
    except DraftsmithError as error:
        return error.code
    return ""


def workspace_of(*operations: Op, text: str = "", name: str = "Shop") -> Workspace:
    """A workspace in which some operations have happened, as revision 1, and whose document is `text`."""
    workspace = Workspace(name)
    workspace.document.text = text
    if operations:
        run(workspace, *operations)
    return workspace


def node(node_id: str, x: float = 0, y: float = 0, **fields: Any) -> Op:
    """An `add_node` with an id, a place and the type service."""
    return {"op": "add_node", "id": node_id, "type": "service", "label": node_id, "position": {"x": x, "y": y}} | fields


def group(node_id: str, x: float = 0, y: float = 0, **fields: Any) -> Op:
    """An `add_node` that makes a group."""
    return node(node_id, x, y, type="group", **fields)


def edge(source: str, target: str, **fields: Any) -> Op:
    """An `add_edge`."""
    return {"op": "add_edge", "source": source, "target": target} | fields


def update(node_id: str, **fields: Any) -> Op:
    """An `update_node`."""
    return {"op": "update_node", "id": node_id} | fields


def place(workspace: Workspace, node_id: str) -> tuple[float, float]:
    """Where a node stands on the screen."""
    return workspace.diagram.origin_of(node_id)


def fields(workspace: Workspace, node_id: str) -> Mapping[str, Any]:
    """The attributes of a node that must be there."""
    found = workspace.diagram.node(node_id)
    assert found is not None, f"there is no node '{node_id}'"
    return found


class Story:
    """A history: commits by several people, undo, redo, revert, restore, on a log that is a list.

    `replica` is what a worker holds; `follower` sees nothing but the entries.
    """

    def __init__(self, *operations: Op, text: str = "", limits: WorkspaceLimits | None = None) -> None:
        self.replica = Replica(EPOCH)
        self.follower = Replica(EPOCH)
        self.limits = limits or WorkspaceLimits()
        self.log: list[Entry] = []
        if operations or text:
            given = [{"op": "replace_document", "text": text}] if text else []
            self.commit("", [*given, *operations], kind="create")

    @property
    def workspace(self) -> Workspace:
        return self.replica.workspace

    @property
    def text(self) -> str:
        return self.workspace.document.text

    def commit(self, actor: str, operations: Sequence[Op], kind: Kind = "edit", **options: Any) -> int | None:
        """Run a batch as somebody; its revision, or None if it changed nothing."""
        text = self.text
        tx = open_transaction(self.workspace, self._next, self.limits, **options)
        run_batch(tx, parse_batch(list(operations), self.limits))
        if is_nothing(diff_of(tx.steps)) and kind == "edit":
            tx.roll_back()
            return None
        return self._append(actor, kind, "", tx.steps, text)

    def do(self, actor: str, *operations: Op) -> int:
        """Run a batch that must change something; its revision."""
        revision = self.commit(actor, operations)
        assert revision is not None, "the batch changed nothing"
        return revision

    def undo(self, actor: str, *, everyone: bool = False, force: bool = False) -> Compensation | None:
        """Undo one's own newest commit, or anyone's; None if there is nothing to undo."""
        item = self.replica.stacks.top_of_all() if everyone else self.replica.stacks.top(actor)
        return None if item is None else self._take_back(actor, "undo", item.revision, force)

    def redo(self, actor: str) -> Compensation | None:
        """Redo what one undid or had undone; None if there is nothing."""
        item = self.replica.stacks.next_redo(actor)
        return None if item is None else self._take_back(actor, "redo", item.revision, False)

    def revert(self, actor: str, revision: int, *, force: bool = False) -> Compensation:
        """Take back a named commit."""
        return self._take_back(actor, "revert", revision, force)

    def restore(self, actor: str, revision: int) -> int | None:
        """Make the workspace what it was at a revision; None if it is that already."""
        text = self.text
        steps = restore(self.workspace, self.at(revision))
        return self._append(actor, "restore", str(revision), steps, text) if steps else None

    def mark(self, name: str) -> int:
        """Add a checkpoint."""
        content = {"id": f"cp{self._next}", "name": name, "revision": self.replica.head.revision}
        return self._append("", "checkpoint", "", (), self.text, checkpoint=content)

    def at(self, revision: int) -> Workspace:
        """The workspace as it was at a revision, built backwards."""
        return rewind(copy_workspace(self.workspace), self.log[revision:][::-1])

    def until(self, revision: int) -> Story:
        """The same history up to a revision, as a story of its own."""
        other = Story(limits=self.limits)
        for entry in self.log[:revision]:
            other.replica.advance(entry)
            other.follower.advance(entry)
            other.log.append(entry)
        return other

    def steps_of(self, revision: int) -> Sequence[Step]:
        """The steps of a commit, as they come out of the log."""
        return decode_record(self.log[revision - 1].body).steps

    def replayed(self, cut: int = 0) -> Replica:
        """The log replayed from nothing, through a dump and load after `cut` entries."""
        replica = Replica(EPOCH)
        for entry in self.log[:cut]:
            replica.advance(entry)
        replica = replica_from(replica.dump(), replica.head)
        for entry in self.log[cut:]:
            replica.advance(entry)
        return replica

    @property
    def _next(self) -> int:
        return self.replica.head.revision + 1

    def _take_back(self, actor: str, kind: Kind, revision: int, force: bool) -> Compensation:
        text = self.text
        steps = self.steps_of(revision)
        retracted = None
        if text_step_of(steps) is not None:
            retracted = retraction(*_commits_since(self.log, revision))
        done = compensate(self.workspace, steps, retracted, force=force)
        self._append(actor, kind, str(revision), done.steps, text, left_out=done.left_out, hidden=not done.steps)
        return done

    def _append(self, actor: str, kind: Kind, ref: str, steps: Sequence[Step], text: str, **record: Any) -> int:
        """Put steps that are applied into the log; the follower must take the entry and be equal."""
        step = next((one for one in steps if isinstance(one, ChangeText)), None)
        body = Record(list(steps), "what", places=places_of(step, text), **record).encode()
        draft = Draft(f"t{self._next}", "f", orjson.dumps({"id": actor}).decode(), actor, kind, ref, body)
        entry = entry_of(draft, self._next, chain_hash(self.replica.head.chain, draft), self._next)
        self.log.append(entry)
        self.replica.settle(entry, decode_record(body))
        self.follower.advance(entry)
        assert self.follower.dump() == self.replica.dump(), f"revision {entry.revision} replays to something else"
        return entry.revision


def _commits_since(log: Sequence[Entry], revision: int) -> tuple[Sequence[TextCommit], int, int]:
    """What the server reads to take a commit back: the text commits, the revision, and since when these are all."""
    first = revision
    commits = text_commits(log[first - 1 :])
    while (wanted := max(earliest_reference(commits, revision), 1)) < first:
        first = wanted
        commits = text_commits(log[first - 1 :])
    return commits, revision, first


def assert_sound(workspace: Workspace) -> None:
    """What holds of every workspace: no dangling edge, no self loop, no equal edges, groups a forest, indexes right."""
    diagram = workspace.diagram
    seen: set[tuple[str, str, str, str]] = set()
    for edge_id in diagram.edge_ids():
        ends = diagram.ends(edge_id)
        assert ends is not None
        assert diagram.node(ends[0]) is not None, f"{edge_id} dangles"
        assert diagram.node(ends[1]) is not None, f"{edge_id} dangles"
        assert ends[0] != ends[1], f"{edge_id} is a self loop"
        attributes = diagram.edge(edge_id) or {}
        identity = (*ends, attributes.get("label", ""), attributes.get("kind", "sync"))
        assert identity not in seen, f"two edges {identity}"
        seen.add(identity)
    for node_id in diagram.node_ids():
        assert diagram.node(node_id), f"{node_id} has no attributes"
        around = []
        for parent in diagram.ancestors(node_id):
            assert parent in diagram, f"the group of {node_id} is gone"
            assert fields(workspace, parent)["type"] == "group", f"{parent} holds something but is no group"
            around.append(parent)
            assert len(around) <= diagram.node_count, f"{node_id} stands in itself"
    assert_indexes(diagram, copy_of(workspace).diagram)


def assert_indexes(diagram: Diagram, fresh: Diagram) -> None:
    """The indexes that were kept say the same as those of a diagram built afresh."""
    assert {e: diagram.ends(e) for e in diagram.edge_ids()} == {e: fresh.ends(e) for e in fresh.edge_ids()}
    groups: list[str | None] = [None, *fresh.node_ids()]
    for parent in groups:
        assert sorted(diagram.children(parent)) == sorted(fresh.children(parent)), f"children of {parent}"
        assert diagram.places.extent(diagram, parent) == fresh.places.extent(fresh, parent), f"extent of {parent}"
    assert diagram.places._rects == fresh.places._rects, "rectangles"
    assert diagram.places._cells == fresh.places._cells, "cells of the grid"
    for label in {fresh.label(node_id) for node_id in fresh.node_ids()}:
        assert sorted(diagram.ids_by_name(label)) == sorted(fresh.ids_by_name(label)), f"nodes called {label}"
    for node_id in fresh.node_ids():
        assert diagram.size_of(node_id) == fresh.size_of(node_id)
        assert sorted(diagram.edges_at(node_id)) == sorted(fresh.edges_at(node_id))
