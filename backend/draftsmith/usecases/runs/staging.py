"""The stage of one run: operations resolved at the head, taken back at once, and carried along as others commit.

Nothing here waits between applying and taking back, so nobody ever sees staged operations, and a run that is dropped
leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from draftsmith.errors import DraftsmithError
from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.lines import lines_of
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import Limits
from draftsmith.model.sections import outline_of
from draftsmith.model.workspace import Workspace
from draftsmith.transform.batch import parse_batch
from draftsmith.transform.carry import Carried, carry
from draftsmith.transform.staged import Staged, stage
from draftsmith.transform.steps import joined, other_steps, take_back, text_step_of, text_steps
from draftsmith.transform.steps_text import EditText
from draftsmith.usecases.commits.at_head import Base, at_head, base_of, have_text
from draftsmith.usecases.commits.request import warnings_of
from draftsmith.usecases.commits.staged_request import clash_list
from draftsmith.usecases.commits.workspaces import Workspaces

T = TypeVar("T")
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What everything staged comes to at one revision, all seen at the same moment.

    Attributes:
        base: that revision.
        operations: what is staged.
        diff: what they change together, as in the answer of a write.
        nodes: how many there are without them.
        chars: how long the document is without them.
        sections_lost: how many sections the document has less with them.
    """

    base: Base
    operations: tuple[Staged, ...]
    diff: Json
    nodes: int
    chars: int
    sections_lost: int


@dataclass(frozen=True, slots=True)
class Added:
    """What a batch has put on the stage, and lint of what it touched."""

    operations: Sequence[Staged]
    warnings: Sequence[Json]


class Stage:
    """Staged operations of one run on one workspace.

    Attributes:
        base: the revision they are resolved against; moves along with the head.
        operations: all that are staged, in order.
        fallen: what no longer fitted as the head moved, `{index, op, what, why}` each, and is staged no more; the
            caller says so to whoever staged it and clears the list.
        document: what all that is staged changes in the document at the base, as whole lines (`history.lines`); it is
            told when something is staged and when something has fallen.
        is_brief: the run is over within milliseconds, so the log is asked for the head once, and by the commit; nobody
            sees what is staged meanwhile, so `document` is left empty.
    """

    def __init__(self, workspaces: Workspaces, workspace_id: WorkspaceId, limits: Limits) -> None:
        self._workspaces, self._workspace_id, self._limits = workspaces, workspace_id, limits
        self.base: Base | None = None
        self.operations: list[Staged] = []
        self.fallen: list[dict[str, Any]] = []
        self.document: list[dict[str, Any]] = []
        self.is_brief = False

    async def look(self, work: Callable[[Workspace], T]) -> T:
        """Run something on the workspace with everything staged applied; it must keep nothing of it."""
        return await self._at_head(lambda replica, carried: work(replica.workspace))

    async def add(self, asked: Sequence[Json]) -> Added:
        """Resolve a batch on top of what is staged, and keep it.

        Raises:
            DraftsmithError: `invalid_request` or `batch_rejected`, with every problem; nothing was staged.
        """
        batch = parse_batch(list(asked), self._limits)

        def work(replica: Replica, carried: Carried) -> Added:
            workspace = replica.workspace
            new = stage(workspace, batch, asked, self._limits)
            warnings = warnings_of(workspace, [step for one in new for step in one.steps])
            told = _told_and_taken_back(workspace, new)
            self.operations += told
            self._show(carried, new)
            return Added(told, warnings)

        return await self._at_head(work)

    async def preview(self, asked: Sequence[Json]) -> list[Staged]:
        """What operations that are still being written would do, each as far as it fits; nothing is kept."""

        def work(replica: Replica, carried: Carried) -> list[Staged]:
            done: list[Staged] = []
            for one in asked:
                try:
                    done += stage(replica.workspace, parse_batch([one], self._limits), [one], self._limits)
                except DraftsmithError:
                    continue
            return _told_and_taken_back(replica.workspace, done)

        return await self._at_head(work)

    async def outlook(self) -> Outlook:
        """What everything staged comes to now."""

        def work(replica: Replica, carried: Carried) -> Outlook:
            workspace = replica.workspace
            places = places_of(carried.text, carried.text_before, carried.outline_before)
            before = outline_of(carried.text_before) if carried.outline_before is None else carried.outline_before
            lost = 0 if carried.text is None else len(before.sections) - len(workspace.document.outline.sections)
            growth = sum(step.node_growth for step in carried.steps)
            return Outlook(
                base_of(replica), tuple(self.operations), diff_of(carried.steps, places),
                workspace.diagram.node_count - growth, len(carried.text_before.strip()), max(0, lost),
            )  # fmt: skip

        return await self._at_head(work)

    async def _at_head(self, work: Callable[[Replica, Carried], T]) -> T:
        """Apply what is staged at the head, work, take it back; without a wait in between."""
        base = self.base if self.operations else None  # with nothing to carry, nothing that was there before matters
        is_fresh = self.base is None or not self.is_brief
        return await at_head(
            self._workspaces, self._workspace_id, base, "run_conflict", lambda replica, later:
            self._work(replica, later, work), is_fresh=is_fresh, reads_text=have_text(self.operations),
        )  # fmt: skip

    def _work(self, replica: Replica, later: Sequence[EditText], work: Callable[[Replica, Carried], T]) -> T:
        workspace = replica.workspace
        carried = carry(workspace, self.operations, later)
        self.fallen += clash_list(self.operations, carried)
        self.operations = list(carried.operations)
        self.base = base_of(replica)
        if carried.clashes:
            self._show(carried)
        try:
            return work(replica, carried)
        finally:
            carried.take_back(workspace)

    def _show(self, carried: Carried, new: Sequence[Staged] = ()) -> None:
        """Note how the text changes by what is carried and what is staged on top of it."""
        if self.is_brief:
            return
        texts = [step for one in new for step in text_steps(one.steps)]
        together = joined(texts if carried.text is None else [carried.text, *texts], carried.text_before)
        self.document = lines_of(text_step_of(together), carried.text_before, carried.outline_before)


def _told_and_taken_back(workspace: Workspace, staged: Sequence[Staged]) -> list[Staged]:
    """Applied operations with a sentence each, and the workspace as it was before them."""
    told: list[Staged] = []
    for one in reversed(staged):
        texts, others = text_steps(one.steps), other_steps(one.steps)
        take_back(texts, workspace)  # places are told from the text before, names from the diagram after
        document = workspace.document
        steps = joined(one.steps, document.text)
        diff = diff_of(steps, places_of(text_step_of(steps), document.text, document.known_outline))
        told.append(replace(one, what=sentence_of(diff, workspace.diagram, steps)))
        take_back(others, workspace)
    return told[::-1]


def problems_of(error: DraftsmithError) -> list[dict[str, Any]]:
    """The problems of a refused batch as JSON; its own sentence where there are none."""
    if error.problems:
        return [problem.to_json() for problem in error.problems]
    return [{"index": -1, "op": "", "code": error.code, "path": "", "message": error.detail, "candidates": []}]
