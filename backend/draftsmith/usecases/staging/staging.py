"""The staging area of one run or suggestion: operations resolved at the head, reverted at once, carried along.

Nothing awaits between applying and reverting, so nobody sees staged operations and a run that ends leaves none behind.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, cast

from draftsmith.assistant.answers.losses import losses_of
from draftsmith.errors import BatchRejected, DraftsmithError, ProblemOut
from draftsmith.history.changed_lines import changed_lines_of
from draftsmith.history.commit import Head
from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.lines_now import lines_now
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.history.shapes import TextDiff
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.markdown.sections import Outline, outline_of
from draftsmith.model.work import TRIAL, NeedsMore, Work
from draftsmith.model.workspace import Workspace
from draftsmith.transform.placement.layouts import Layouts
from draftsmith.transform.requests.batch import EVERYTHING, Batch, parse_batch
from draftsmith.transform.requests.op_words import Offer
from draftsmith.transform.resolvers.anchors import links_left
from draftsmith.transform.results import ConflictOut
from draftsmith.transform.staged_operations import StagedOperation, Stager, stage
from draftsmith.transform.steps.steps import Step, join_text_steps, other_steps, roll_back, text_step_of, text_steps
from draftsmith.transform.steps.text import ChangeText, TextHistory, in_one
from draftsmith.transform.undo.carry import CarryResult, carry
from draftsmith.usecases.commits.at_head import Base, at_head, base_of, have_text
from draftsmith.usecases.commits.staged_request import clash_list
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.prepare.arranging import TIMES_ASKED
from draftsmith.usecases.requests.repeats import kept_changes
from draftsmith.usecases.requests.request import warnings_of
from draftsmith.usecases.staging.staged_values import Preview, StagedBatch, StagedSummary

T = TypeVar("T")
_TRIES = 4  # to resolve a batch in slices while others commit


class _Asks(DraftsmithError):
    """A batch asks the layout engine something; raised as what leaves memory as it was."""

    def __init__(self) -> None:
        super().__init__("internal", "The layout engine is to be asked first.")


def _pickle_result(work: Callable[[Workspace], Any], workspace: Workspace) -> bytes:
    return pickle.dumps(work(workspace), pickle.HIGHEST_PROTOCOL)


class StagingArea:
    """Staged operations of one run on one workspace.

    Attributes:
        base: the revision they are resolved at; moves along with the head.
        operations: all that are staged, in order.
        dropped: those that no longer fitted as the head moved and are staged no more, `{index, op, what, why}` each;
            the caller reports them and clears the list.
        dropped_operations: what was asked for in those, in the same order.
        document: how all that is staged changes the document at the base, as whole lines (`history.changed_lines`);
            recorded when operations are staged or dropped.
        is_inline: the run takes milliseconds and nobody watches it, so the log is asked for the head once and then by
            the commit, and `document` stays empty.
    """

    def __init__(
        self,
        workspaces: Workspaces,
        workspace_id: WorkspaceId,
        limits: WorkspaceLimits,
        *,
        by_person: bool = False,
    ) -> None:
        self._workspaces, self._workspace_id, self._limits = workspaces, workspace_id, limits
        self._by_person = by_person
        self.base: Base | None = None
        self.operations: list[StagedOperation] = []
        self.dropped: list[ConflictOut] = []
        self.dropped_operations: list[Mapping[str, object]] = []
        self.document: list[TextDiff] = []
        self.is_inline = False

    def another(self) -> StagingArea:
        """An empty area for the same workspace, which knows nothing of what is staged here."""
        area = StagingArea(self._workspaces, self._workspace_id, self._limits, by_person=self._by_person)
        area.is_inline = self.is_inline
        return area

    async def read(self, work: Callable[[Workspace], T]) -> T:
        """Call `work` with the workspace and everything staged applied; it must keep no reference to the workspace."""
        return await self._at_head(lambda replica, carried: work(replica.workspace))

    async def compute(self, work: Callable[[Workspace], T]) -> T:
        """As `read`, in another process if the workspace is large and nothing is staged yet.

        Args:
            work: a function of a module, or a partial one, whose result can be pickled.
        """
        if self.operations or not self._workspaces.writer(self._workspace_id).computes_elsewhere:
            return await self.read(work)
        _, content = await self._workspaces.compute(self._workspace_id, partial(_pickle_result, work))
        computed: T = pickle.loads(content)  # noqa: S301  # of our own processes
        return computed

    async def add(self, asked: Sequence[Mapping[str, object]], offer: Offer = EVERYTHING) -> StagedBatch:
        """Resolve a batch on top of what is staged, and stage it; `offer`: what refusals may point to.

        Raises:
            DraftsmithError: `invalid_request` or `batch_rejected`, with every problem; nothing was staged.
        """
        batch = parse_batch(list(asked), self._limits, offer=offer)
        try:
            return await self._add(batch, asked)
        except BatchRejected as rejected:
            if all(problem.code != "find_not_found" for problem in rejected.problems):
                raise
            replica, log = await self._workspaces.log_reader(self._workspace_id, is_fresh=False)
            head, kept = replica.head, await kept_changes(batch, replica, log)
            if not kept:
                raise
        return await self._add(batch, asked, head, kept)

    async def _add(
        self,
        batch: Batch,
        asked: Sequence[Mapping[str, object]],
        head: Head | None = None,
        kept_changes: Sequence[ChangeText] = (),
    ) -> StagedBatch:
        """As `add`; `kept_changes`: changes of the text before a head, newest first.

        A long batch is resolved in slices, so that nobody waits for all of it. Where others commit in between, it is
        begun anew, the last time in one piece. What it asks the layout engine is asked, and it is resolved again.
        """
        arranging = self._workspaces.preparer_pool.arranging if self._workspaces.preparer_pool is not None else None
        if arranging is None:
            return await self._resolve(batch, asked, head, kept_changes, None)
        layouts = Layouts()
        for _ in range(TIMES_ASKED):
            try:
                return await self._resolve(batch, asked, head, kept_changes, layouts)
            except _Asks:
                layouts = Layouts({**layouts.answers, **await arranging.answers(layouts.asks)})
        try:
            return await self._resolve(batch, asked, head, kept_changes, layouts)
        except _Asks:
            answers = {**layouts.answers, **dict.fromkeys(layouts.asks)}
        return await self._resolve(batch, asked, head, kept_changes, Layouts(answers))

    async def _resolve(
        self,
        batch: Batch,
        asked: Sequence[Mapping[str, object]],
        head: Head | None,
        kept_changes: Sequence[ChangeText],
        layouts: Layouts | None,
    ) -> StagedBatch:
        """As `_add`, with what the layout engine has answered.

        Raises:
            _Asks: it asks more; nothing was staged.
        """
        stager: Stager | None = None
        begun = 0
        base: Base | None = None

        def work(replica: Replica, carried: CarryResult) -> StagedBatch | None:
            nonlocal stager, base, begun
            if stager is not None and base == self.base and stager.tx.workspace is replica.workspace:
                stager.tx.resume()
            else:
                past = TextHistory(
                    [carried.text] if carried.text is not None else [], kept_changes if replica.head == head else ()
                )
                budget = Work(self._limits.work)
                if layouts is not None:
                    layouts.asks.clear()
                stager = Stager(
                    replica.workspace, batch, asked, self._limits, describe=_sentence_of_steps, past=past, work=budget,
                    layouts=layouts, by_person=self._by_person,
                )  # fmt: skip
                base, begun = self.base, begun + 1
            stager.run(TRIAL if begun < _TRIES else self._limits.work)
            if stager.is_done and layouts is not None and layouts.asks:
                stager.tx.roll_back()
                raise _Asks
            if stager.is_done:
                return self._keep(stager, carried)
            stager.tx.suspend()
            return None

        while True:
            done = await self._at_head(work)
            if done is not None:
                return done
            await asyncio.sleep(0)

    def _keep(self, stager: Stager, carried: CarryResult) -> StagedBatch:
        """Keep the operations of a batch that is resolved, and take them back."""
        workspace, new = stager.tx.workspace, stager.results()
        told = [warning for one in new for warning in one.warnings]
        warnings = [*told, *warnings_of(workspace, stager.tx.steps, links_left(stager.tx))]
        lines = lines_now(workspace.document.text, new)
        stager.tx.roll_back()
        self.operations += new
        self._note_document(carried, new)
        return StagedBatch(new, warnings, lines)

    async def preview(self, asked: Sequence[Mapping[str, object]], before: Preview) -> list[StagedOperation | None]:
        """Resolve operations of a partial call, each by itself; None for one that does not fit. Nothing is staged.

        Args:
            asked: the operations.
            before: what earlier ones of that call would do, on which these build; those that fit are added.
        """
        if before.base != self.base:
            before.operations = []

        def work(replica: Replica, carried: CarryResult) -> list[StagedOperation | None]:
            budget = Work(TRIAL, is_trial=True)
            done = [self._fitting(replica.workspace, one, budget) for one in asked]
            fitting = iter(_describe_and_revert(replica.workspace, [one for one in done if one is not None]))
            described = [None if one is None else next(fitting) for one in done]
            new = _as_one([one for one in described if one is not None])
            before.operations = _as_one([*before.operations, *new])
            before.base = self.base
            return described

        return await self._at_head(work, before)

    def _fitting(self, workspace: Workspace, asked: Mapping[str, object], budget: Work) -> StagedOperation | None:
        """One operation, applied, or None: it does not fit, or is too costly for a preview."""
        try:
            return stage(workspace, parse_batch([asked], self._limits), [asked], self._limits, work=budget)[0]
        except (DraftsmithError, NeedsMore):
            return None

    async def summary(self) -> StagedSummary:
        """What all staged operations do together at the head."""

        def work(replica: Replica, carried: CarryResult) -> StagedSummary:
            workspace = replica.workspace
            places = places_of(carried.text, carried.text_before, carried.outline_before)
            after = workspace.document.outline
            before = after if carried.text is None else carried.outline_before or outline_of(carried.text_before)
            diff = diff_of(carried.steps, places)
            growth = sum(step.node_growth for step in carried.steps)
            return StagedSummary(
                base=base_of(replica),
                operations=tuple(self.operations),
                diff=diff,
                nodes=workspace.diagram.node_count - growth,
                chars=len(carried.text_before.strip()),
                sections_lost=max(0, len(before.sections) - len(after.sections)),
                losses=losses_of(carried.operations, diff, workspace.diagram, carried.text_before, before, after),
            )

        return await self._at_head(work)

    async def _at_head(self, work: Callable[[Replica, CarryResult], T], preview: Preview | None = None) -> T:
        """Apply what is staged, and a preview, at the head, call `work`, revert; without an await in between."""
        preview = preview or Preview()
        applied = [*self.operations, *preview.operations]
        base = self.base if applied else None  # with nothing to carry, nothing that was there before matters
        is_fresh = self.base is None or not self.is_inline
        return await at_head(
            self._workspaces,
            self._workspace_id,
            base,
            "run_conflict",
            lambda replica, later: self._work(replica, later, work, preview),
            is_fresh=is_fresh,
            reads_text=have_text(applied),
        )

    def _work(
        self, replica: Replica, later: Sequence[ChangeText], work: Callable[[Replica, CarryResult], T], preview: Preview
    ) -> T:
        workspace = replica.workspace
        carried = carry(workspace, [*self.operations, *preview.operations], later)
        if preview.operations and carried.clashes:  # what is staged is carried by itself; the preview begins anew
            carried.roll_back(workspace)
            preview.operations = []
            carried = carry(workspace, self.operations, later)
        self.dropped += clash_list(self.operations, carried)
        self.dropped_operations += [self.operations[clash.index].asked for clash in carried.clashes]
        kept = len(carried.operations) - len(preview.operations)
        self.operations, preview.operations = list(carried.operations[:kept]), list(carried.operations[kept:])
        self.base = base_of(replica)
        if carried.clashes:
            self._note_document(carried)
        try:
            return work(replica, carried)
        finally:
            carried.roll_back(workspace)

    def _note_document(self, carried: CarryResult, new: Sequence[StagedOperation] = ()) -> None:
        """Update `document` from what was carried and what is staged on top of it."""
        if self.is_inline:
            return
        texts = [step for one in new for step in text_steps(one.steps)]
        together = join_text_steps(texts if carried.text is None else [carried.text, *texts], carried.text_before)
        self.document = changed_lines_of(text_step_of(together), carried.text_before, carried.outline_before)


def problems_of(error: DraftsmithError) -> list[ProblemOut]:
    """The problems of a refused batch as JSON; its message as one problem where it lists none."""
    if error.problems:
        return [problem.to_json() for problem in error.problems]
    problem = {"index": -1, "op": "", "code": error.code, "path": "", "message": error.detail, "candidates": []}
    return [cast(ProblemOut, problem)]


def _describe_and_revert(workspace: Workspace, staged: Sequence[StagedOperation]) -> list[StagedOperation]:
    """Describe applied operations in a sentence each, and revert them."""
    described: list[StagedOperation] = []
    for one in reversed(staged):
        texts, others = text_steps(one.steps), other_steps(one.steps)
        roll_back(texts, workspace)  # places come from the text before, names from the diagram after
        document = workspace.document
        steps = join_text_steps(one.steps, document.text)
        diff = diff_of(steps, places_of(text_step_of(steps), document.text, document.known_outline))
        described.append(replace(one, what=sentence_of(diff, workspace.diagram, steps)))
        roll_back(others, workspace)
    return described[::-1]


def _sentence_of_steps(steps: Sequence[Step], text: str, outline: Outline | None, workspace: Workspace) -> str:
    """Return a sentence for the steps of one operation.

    Places come from the text before it, names from the diagram after it.
    """
    together = join_text_steps(steps, text)
    diff = diff_of(together, places_of(text_step_of(together), text, outline))
    return sentence_of(diff, workspace.diagram, together)


def _as_one(staged: Sequence[StagedOperation]) -> list[StagedOperation]:
    """Return the same steps as one operation, or none for none.

    All changes of the text are composed, so that applying many of them again costs little.
    """
    steps = [step for one in staged for step in one.steps]
    texts = text_steps(steps)
    return [replace(staged[-1], steps=(*other_steps(steps), *([in_one(texts)] if texts else [])))] if staged else []
