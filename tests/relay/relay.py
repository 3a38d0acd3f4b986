"""One relay: ten edits of a document and its diagram, each followed by its reversal, while two people edit beside it.

After every step the whole document and the whole diagram are compared with what splicing strings and setting keys of
dictionaries makes of them. What differs and was not refused is a silent corruption.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.noise.samples import Sample
from tests.relay.checking import Unexpected, check_same, diagram_after, text_after
from tests.relay.correcting import corrected
from tests.relay.diagram_edits import diagram, diagram_plan, reversed_diagram
from tests.relay.document_edits import document_plan
from tests.relay.doors import MODEL, PEOPLE, Answer, Door, State
from tests.relay.naive import Result, Way, moved, spliced, with_lf
from tests.relay.people import Contribution, Person
from tests.relay.plan import Op, Plan, together
from tests.relay.reversal import reversal_plan
from tests.relay.taking_back import take_back
from tests.relay.tally import SILENT, TOLD, Finding, Tally

PAIRS = 10
_MOST_TRIES = 3
_UNDO_SHARE, _AGAIN_SHARE, _CONCURRENT_SHARE = 0.2, 0.1, 0.3


@dataclass(frozen=True)
class Played:
    """What came of a plan.

    Attributes:
        plan: with its offsets where they were when it was carried out.
        before: everything without it, with what the people did meanwhile.
        result: the document with it; None if it was refused.
        splices: what the people typed meanwhile, in the text that the plan was made for.
    """

    plan: Plan
    before: State
    result: Result | None = None
    splices: Sequence[Way] = ()

    @property
    def is_done(self) -> bool:
        return self.result is not None


class Relay:
    """Plays over one document.

    Attributes:
        truth: what the workspace must be.
    """

    def __init__(self, door: Door, name: str, text: str, seed: str, tally: Tally, pairs: int = PAIRS) -> None:
        self._door, self._name, self._seed, self._tally, self._pairs = door, name, seed, tally, pairs
        self._original = text
        self._chance = random.Random(f"{seed}:{name}")
        self._people = [Person(person) for person in PEOPLE]
        self._step = self._number = 0
        self._sample = Sample(name, "")
        self._ends_elsewhere = False
        self.truth = State(0, "", {}, {})

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
            tally.counts.update(await take_back(self._door, self._people, self.truth))
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

    @property
    def _where(self) -> str:
        return f"--only '{self._name}' --seed {self._seed} (step {self._step})"

    def _next_plan(self) -> Plan:
        """What the model is to do next: to the document, the diagram or both."""
        self._step += 1
        sample, dice = self._read(), self._chance.random()
        of_document = document_plan(sample, self._chance, self._step) if dice < 0.85 else None
        if of_document is not None and dice > 0.1:
            return of_document
        of_diagram = diagram_plan(self.truth, self._chance, self._step)
        return of_diagram if of_document is None else together(of_document, of_diagram)

    def _read(self) -> Sample:
        """The document as the model reads it now."""
        if self._sample.text != self.truth.text:
            self._sample = Sample(self._name, self.truth.text)
        return self._sample

    async def _pair(self, plan: Plan) -> None:
        tally = self._tally
        tally.counts["pairs"] += 1
        there = await self._play_plan(plan)
        if there.result is None:
            tally.counts["pairs that ended where they began"] += 1
            return
        if plan.repeats and self._chance.random() < _AGAIN_SHARE:
            await self._again(there)
        back = None if self._chance.random() < _UNDO_SHARE else self._reversal(there, there.result)
        if back is not None:
            self._step += 1
            tally.counts["reversals by an edit"] += 1
            done = await self._play_plan(replace(back, kind=f"reversal: {back.kind}", repeats=False))
            if done.is_done:
                tally.counts["pairs that ended where they began"] += 1
                return
            there = replace(there, before=_without(there, self.truth, done.splices))
        tally.counts["reversals by undo"] += 1
        await self._undo(there)

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
            back = of_diagram if back is None else together(back, of_diagram)
        return back

    # -- one edit ----------------------------------------------------------------------------------------------------

    async def _play_plan(self, plan: Plan) -> Played:
        """Send a plan, with others' commits between its reading and its sending; correct it as it is refused."""
        read = self.truth
        others = self._contributions(plan)
        splices: list[Way] = []
        way = self._chance.choice(["head", "base", "staged"] if self._door.can_stage else ["head", "base"])
        at_once = self._chance.random() < _CONCURRENT_SHARE
        sent: Sequence[Op] = plan.operations
        answer = Answer()
        for number in range(1, _MOST_TRIES + 1):
            answer = await self._send(sent, way, read.revision, others, at_once=at_once)
            if others:
                splices = self._take_in(others)
                plan, others = plan.moved(splices), []
            before, now = self.truth, await self._door.state()
            if not answer.is_refused:
                return replace(self._done(plan, number, before, now), splices=splices)
            self._check_refusal(answer, before, now)
            read = self.truth = now
            again = corrected(plan, sent, answer)
            if again is None:
                break
            sent, by_hint = again
            self._tally.counts["corrected by the refusal alone" if by_hint else "corrected by reading again"] += 1
        self._tally.add(plan.kind, plan.noise, TOLD)
        self._tally.refusals[answer.problems[0]["code"] if answer.problems else answer.code] += 1
        return Played(plan, self.truth, splices=splices)

    def _contributions(self, plan: Plan) -> list[Contribution]:
        """What the people do while the model thinks: one thing each, seldom none."""
        away = list(plan.touched)
        found: list[Contribution] = []
        for person in self._people:
            nodes = plan.nodes | {one.own.node for one in found}
            self._number += 1
            one = person.contribution(self._number, self.truth, self._read(), away, nodes, self._chance)
            if one is not None and self._chance.random() < 0.9:
                found.append(one)
                person.done.append(one.own)
                if one.splice is not None:  # not into the same line as the other one, so that the order is nothing
                    at = one.splice[0]
                    away.append((self.truth.text.rfind("\n", 0, at) + 1, (self.truth.text + "\n").find("\n", at)))
        self._tally.counts["commits of the two people"] += len(found)
        self._tally.counts["batches that others overtook"] += bool(found)
        return found

    async def _send(
        self, operations: Sequence[Op], way: str, base: int, others: Sequence[Contribution], *, at_once: bool
    ) -> Answer:
        if way == "staged":
            staged = await self._door.stage(operations)
            if staged.answer.is_refused:
                await self._others(others)
                return staged.answer
            writing = self._door.commit(staged)
        else:
            writing = self._door.batch(MODEL, operations, base if way == "base" else None)
        if not at_once:
            await self._others(others)
            return await writing
        _, answer = await asyncio.gather(self._others(others), writing)
        return answer

    async def _others(self, others: Sequence[Contribution]) -> None:
        """Both people at once; they write away from one another, so both must be taken."""
        answers = await asyncio.gather(*(self._door.batch(one.person, one.operations) for one in others))
        for one, answer in zip(others, answers, strict=True):
            if answer.is_refused or not answer.changed:
                raise Unexpected(f"the edit of {one.person} was not taken", f"{one.operations}\n{answer}")

    def _take_in(self, others: Sequence[Contribution]) -> list[Way]:
        """Put what the people did into the truth; the splices of the text, in an order in which they can be made."""
        found = [one.splice for one in others if one.splice is not None]
        splices = sorted(found, key=lambda splice: splice[0], reverse=True)
        nodes = dict(self.truth.nodes)
        for one in others:
            if one.own.node:
                nodes[one.own.node] = {**nodes[one.own.node], one.own.field: one.own.new}
        self.truth = replace(self.truth, text=spliced(self.truth.text, splices), nodes=nodes)
        return splices

    def _done(self, plan: Plan, number: int, before: State, now: State) -> Played:
        """Compare with what must have come of it."""
        try:
            result = text_after(plan, before, now)
            diagram_after(plan, before, now)
        except Unexpected as found:
            self._tally.add(plan.kind, plan.noise, SILENT)
            self._tally.counts[SILENT] -= 1  # it is counted where it is caught
            raise Unexpected(found.what, f"{found.details}\n   sent at try {number}: {plan.operations}") from None
        self._tally.add(plan.kind, plan.noise, str(number))
        if plan.must_refuse and number == 1:
            self._tally.guesses.append(
                Finding(self._where, plan.kind, plan.noise, f"{plan.operations} for {plan.true}")
            )
        self.truth = now
        return Played(plan, before, result)

    def _check_refusal(self, answer: Answer, before: State, now: State) -> None:
        check_same("a refused edit: the document", before.text, now.text)
        check_same("a refused edit: the nodes", before.nodes, now.nodes)
        check_same("a refused edit: the edges", before.edges, now.edges)
        if not answer.is_told:
            raise Unexpected("a refusal that says nothing", str(answer))

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

    async def _undo(self, there: Played) -> None:
        """The model takes its own edit back by undo."""
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


def _without(there: Played, now: State, splices: Sequence[Way]) -> State:
    """Everything as it would be without a plan, after others have typed elsewhere."""
    assert there.result is not None
    plan, before, text = there.plan, there.before, now.text
    for start, end, old in reversed(there.result.stretches):
        text = text[: moved(start, splices)] + old + text[moved(end, splices) :]
    nodes = {one: node for one, node in now.nodes.items() if one not in plan.diagram.nodes}
    nodes |= {one: node for one, node in before.nodes.items() if one in plan.diagram.nodes}
    edges = {one: edge for one, edge in now.edges.items() if one not in plan.diagram.edges}
    edges |= {one: edge for one, edge in before.edges.items() if one in plan.diagram.edges}
    return State(now.revision, text, nodes, edges)
