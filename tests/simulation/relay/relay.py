"""One relay: ten edits of a document and its diagram, each followed by its reversal, while two people edit beside it.

After every step the whole document and the whole diagram are compared with what splicing strings and setting keys of
dictionaries makes of them. What differs and was not refused is a silent corruption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.noise.samples import Sample
from tests.simulation.relay.checking import Unexpected, check_same, placed_as_in
from tests.simulation.relay.diagram_edits import diagram, diagram_plan
from tests.simulation.relay.diagram_reversal import reversed_diagram
from tests.simulation.relay.document_edits import document_plan
from tests.simulation.relay.doors import MODEL, Door, State
from tests.simulation.relay.naive import Result, Way, moved, with_lf
from tests.simulation.relay.outcomes import lines_around
from tests.simulation.relay.plan import Plan, together
from tests.simulation.relay.playing import Played, Playing
from tests.simulation.relay.reversal import reversal_plan
from tests.simulation.relay.taking_back import take_back
from tests.simulation.relay.tally import SILENT, TOLD, Finding, Tally

PAIRS = 10
_UNDO_SHARE, _AGAIN_SHARE = 0.2, 0.1


class Relay(Playing):
    """Plays over one document."""

    def __init__(self, door: Door, name: str, text: str, seed: str, tally: Tally, pairs: int = PAIRS) -> None:
        super().__init__(door, name, seed, tally)
        self._original, self._pairs = text, pairs
        self._ends_elsewhere = False
        self._moved_aside: set[str] = set()

    async def play(self) -> None:
        """Play all pairs, then take back what the people did, and look whether everything is as it was."""
        tally = self._tally
        tally.counts["relays"] += 1
        plan: Plan | None = None
        try:
            await self._door.open(self._name, self._original, diagram())
            first = self.truth = await self._door.state()
            check_same("the document as it was imported", with_lf(self._original), first.text)
            for _ in range(self._pairs):
                plan = self._next_plan()
                await self._pair(plan)
            tally.counts.update(await take_back(self._door, self._people, self.truth, self._moved_aside))
            last = await self._door.state()
            if not self._ends_elsewhere:
                check_same("the document at the end", first.text, last.text)
                check_same("the nodes at the end", first.nodes, last.nodes)
                check_same("the edges at the end", first.edges, last.edges)
                tally.counts["relays that ended with the original"] += 1
            else:
                tally.counts["relays that were told otherwise"] += 1
        except Unexpected as found:
            tally.counts[SILENT] += 1
            kind = plan.kind if plan is not None else "opening"
            tally.findings.append(Finding(self._where, kind, found.what, found.details))

    def _next_plan(self) -> Plan:
        """What the model is to do next: to the document, the diagram or both."""
        self._step += 1
        sample, dice = self._read(), self._chance.random()
        of_document = document_plan(sample, self._chance, self._step) if dice < 0.85 else None
        if of_document is not None and dice > 0.1:
            return of_document
        of_diagram = diagram_plan(self.truth, self._chance, self._step)
        return of_diagram if of_document is None else together(of_document, of_diagram)

    async def _pair(self, plan: Plan) -> None:
        tally = self._tally
        tally.counts["pairs"] += 1
        there = await self.play_plan(plan)
        self._moved_aside |= there.plan.aside
        if there.result is None:
            tally.counts["pairs that ended where they began"] += 1
            return
        if plan.repeats and self._chance.random() < _AGAIN_SHARE:
            await self._again(there)
        splices: Sequence[Way] = ()
        is_undone = self._chance.random() < _UNDO_SHARE or there.plan.aside  # no edit tells where others stood
        back = None if is_undone else self._reversal(there, there.result)
        if back is not None:
            self._step += 1
            tally.counts["reversals by an edit"] += 1
            # Nobody writes over the words that it quotes: undo would have to leave those.
            done = await self.play_plan(replace(back, kind=f"reversal: {back.kind}", repeats=False, quoted=()))
            if done.is_done:
                tally.counts["pairs that ended where they began"] += 1
                return
            splices = done.splices
        tally.counts["reversals by undo"] += 1
        await self._undo(there, there.result, splices)

    def _reversal(self, there: Played, result: Result) -> Plan | None:
        """The edit that takes a plan back; None where only undo can."""
        plan, back = there.plan, None
        if plan.changes:
            before = Sample(self._name, there.before.text)
            back = reversal_plan(plan, before, self._read(), result.stretches, self._chance)
            if back is None:
                return None
        if plan.nodes:
            of_diagram = reversed_diagram(plan, there.before, self.truth, self._chance)
            if of_diagram is None:
                return None
            back = of_diagram if back is None else together(back, of_diagram)
        return back

    async def _again(self, there: Played) -> None:
        """The same edit a second time, as of a model that has forgotten that it made it: nothing may change."""
        answer = await self._door.batch(MODEL, there.plan.operations)
        now = await self._door.state()
        check_same("the same edit sent again", self.truth.text, now.text)
        check_same("the same edit sent again", self.truth.nodes, now.nodes)
        check_same("the same edit sent again", self.truth.edges, now.edges)
        if not answer.is_refused and answer.changed:
            raise Unexpected("the same edit sent again says that it changed something", str(answer))
        self._tally.counts["sent again: nothing changed"] += 1
        self.truth = now

    # -- undo --------------------------------------------------------------------------------------------------------

    async def _undo(self, there: Played, result: Result, since: Sequence[Way]) -> None:
        """The model takes its own edit back by undo, after others have edited elsewhere, as they have `since`."""
        written = [(moved(start, since), moved(end, since)) for start, end, _ in result.stretches]
        around = [lines_around(self.truth.text, start, end) for start, end in written]
        others = self._contributions(replace(there.plan, touched=around))
        await self._others(others)
        splices = [*since, *self._take_in(others)]
        there = replace(there, before=_without(there, result, self.truth, splices))
        answer = await self._door.undo(MODEL)
        now = await self._door.state()
        outcome = "1"
        if answer.is_refused or answer.left_out:
            outcome, self._ends_elsewhere = TOLD, True
        else:
            check_same("undo: the document", there.before.text, now.text)
            check_same("undo: the nodes", there.before.nodes, now.nodes)
            check_same("undo: the edges", there.before.edges, now.edges)
            self._tally.counts["pairs that ended where they began"] += 1
        self._tally.add(f"undo: {there.plan.kind.split(':')[0]}", "exact", outcome)
        self.truth = now


def _without(there: Played, result: Result, now: State, splices: Sequence[Way]) -> State:
    """Everything as it would be without a plan, after others have typed elsewhere."""
    plan, before, text = there.plan, there.before, now.text
    for start, end, old in reversed(result.stretches):
        text = text[: moved(start, splices)] + old + text[moved(end, splices) :]
    nodes = {one: node for one, node in now.nodes.items() if one not in plan.diagram.nodes}
    nodes |= {one: node for one, node in before.nodes.items() if one in plan.diagram.nodes}
    nodes = placed_as_in(nodes, before.nodes, plan.aside)
    edges = {one: edge for one, edge in now.edges.items() if one not in plan.diagram.edges}
    edges |= {one: edge for one, edge in before.edges.items() if one in plan.diagram.edges}
    return State(now.revision, text, nodes, edges)
