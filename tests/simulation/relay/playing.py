"""Plays one edit at a time: sends it while others commit, corrects it as it is refused, compares what came of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.noise.samples import Sample
from tests.simulation.relay.checking import Unexpected, check_same, diagram_after, text_after
from tests.simulation.relay.correcting import corrected
from tests.simulation.relay.doors import MODEL, PEOPLE, Answer, Door, State
from tests.simulation.relay.naive import Result, Way, difference, spliced
from tests.simulation.relay.people import Contribution, Person
from tests.simulation.relay.plan import Op, Plan
from tests.simulation.relay.tally import OVERTAKEN, SILENT, TOLD, Finding, Tally

_MOST_TRIES = 3
_CONCURRENT_SHARE, _OVERTAKEN_SHARE = 0.3, 0.04


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


class Playing:
    """A workspace that is played on.

    Attributes:
        truth: what the workspace must be.
    """

    def __init__(self, door: Door, name: str, seed: str, tally: Tally) -> None:
        self._door, self._name, self._seed, self._tally = door, name, seed, tally
        self._chance = random.Random(f"{seed}:{name}")
        self._people = [Person(person) for person in PEOPLE]
        self._step = self._number = 0
        self._sample = Sample(name, "")
        self.truth = State(0, "", {}, {})

    @property
    def _where(self) -> str:
        return f"--only '{self._name}' --seed {self._seed} (step {self._step})"

    def _read(self) -> Sample:
        """The document as the model reads it now."""
        if self._sample.text != self.truth.text:
            self._sample = Sample(self._name, self.truth.text)
        return self._sample

    async def play_plan(self, plan: Plan) -> Played:
        """Send a plan, with others' commits between its reading and its sending; correct it as it is refused."""
        read = self.truth
        others = self._contributions(plan)
        splices: list[Way] = []
        is_overtaken = self._chance.random() < _OVERTAKEN_SHARE and self._write_into(plan, others)
        way = self._chance.choice(["head", "base", "staged"] if self._door.can_stage else ["head", "base"])
        at_once = not is_overtaken and self._chance.random() < _CONCURRENT_SHARE
        sent: Sequence[Op] = plan.operations
        answer = Answer()
        for number in range(1, _MOST_TRIES + 1):
            answer = await self._send(sent, way, read.revision, others, at_once=at_once)
            if others:
                splices = self._take_in(others)
                plan, others = plan.moved(splices), []
            before, now = self.truth, await self._door.state()
            if is_overtaken:
                return self._overtaken(plan, answer, before, now)
            if not answer.is_refused:
                plan = replace(plan, aside=answer.aside)
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
                if one.splice is not None:  # not into the same line as the other one, so that the order is nothing
                    at = one.splice[0]
                    away.append((self.truth.text.rfind("\n", 0, at) + 1, (self.truth.text + "\n").find("\n", at)))
        self._tally.counts["commits of the two people"] += len(found)
        self._tally.counts["batches that others overtook"] += bool(found)
        return found

    def _write_into(self, plan: Plan, others: list[Contribution]) -> bool:
        """Have somebody change the very words that a plan quotes; False where there is no room."""
        if len(plan.quoted) != 1 or plan.must_refuse or "ellipsis" in plan.noise:
            return False  # dots do not quote what they stand for
        self._number += 1
        [(start, end)] = plan.quoted
        found = self._people[0].writing_over(self._number, self.truth, start, end, self._chance)
        if found is not None:
            others[:] = [found]
        return found is not None

    async def _send(
        self, operations: Sequence[Op], way: str, base: int, others: Sequence[Contribution], *, at_once: bool
    ) -> Answer:
        if way == "staged":
            return await self._send_staged(operations, others, at_once=at_once)
        if not at_once:
            await self._others(others)
            return await self._door.batch(MODEL, operations, base if way == "base" else None)
        writing = self._door.batch(MODEL, operations, base if way == "base" else None)
        _, answer = await asyncio.gather(self._others(others), writing)
        return answer

    async def _send_staged(self, operations: Sequence[Op], others: Sequence[Contribution], *, at_once: bool) -> Answer:
        """Stage, let others commit, and commit; several operations one by one, with the others after the first."""
        left = list(operations)
        first, left = (left[:1], left[1:]) if at_once else (left, [])
        staged = await self._door.stage(first)
        await self._others(others)
        if left and not staged.answer.is_refused:
            staged = await self._door.stage(left, staged)
            problems = [{**one, "index": one["index"] + len(first)} for one in staged.answer.problems]
            staged.answer = replace(staged.answer, problems=problems)
        return staged.answer if staged.answer.is_refused else await self._door.commit(staged)

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
            next(person for person in self._people if person.name == one.person).done.append(one.own)
            if one.own.node:
                nodes[one.own.node] = {**nodes[one.own.node], one.own.field: one.own.new}
        self.truth = replace(self.truth, text=spliced(self.truth.text, splices), nodes=nodes)
        return splices

    def _overtaken(self, plan: Plan, answer: Answer, before: State, now: State) -> Played:
        """The words that a plan quotes are others by now: it must be refused, and theirs stay."""
        if not answer.is_refused:
            self._tally.add(OVERTAKEN, plan.noise, SILENT)
            raise Unexpected(
                "what somebody typed was overwritten", f"   {difference(before.text, now.text)}\n   {plan.operations}"
            )
        self._check_refusal(answer, before, now)
        self._tally.add(OVERTAKEN, plan.noise, TOLD)
        self._tally.counts[TOLD] -= 1  # it is meant to be
        self.truth = now
        return Played(plan, now)

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
