"""Edits and their reversal by models that quote badly, while two people edit beside them: nothing else ever changes.

Over HTTP: `integration/test_relay_over_http.py`. At length: `python -m tests.simulation.relay`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.noise.naming import NAMINGS
from tests.noise.samples import Sample
from tests.noise.spoiling import SPOILERS
from tests.seeds import examples, is_chosen, run_seed
from tests.shop import TEXT
from tests.simulation.moves import names_of, operation
from tests.simulation.relay.__main__ import play_one
from tests.simulation.relay.checking import Unexpected
from tests.simulation.relay.diagram_edits import diagram, diagram_plan, edge_of, node_of
from tests.simulation.relay.document_edits import document_plan
from tests.simulation.relay.document_player import DocumentPlayer
from tests.simulation.relay.documents import shelf
from tests.simulation.relay.doors import MODEL, Answer, InProcess, State
from tests.simulation.relay.generated import TRAITS, generated_documents
from tests.simulation.relay.naive import results
from tests.simulation.relay.outcomes import RULES, outcome_of
from tests.simulation.relay.plan import Op, Plan
from tests.simulation.relay.relay import Relay
from tests.simulation.relay.reversal import reversal_plan
from tests.simulation.relay.tally import Tally
from tests.simulation.relay.values import SectionName, plain

PARTS = 4
PAIRS = 12
# What is typed the two people type; a whole document leaves no rest that must stay.
DOCUMENT = names_of("document", without=("edit_text", "replace_document"))
# Types are no part of a state as it is compared here; each group is taken back at once; the server alone lays out.
DIAGRAM = names_of("diagram", without=("define_type", "delete_type", "move_to_group", "ungroup_nodes",
                                       "layout_diagram", "replace_diagram"))  # fmt: skip
KINDS = {*DOCUMENT, *DIAGRAM, "edit_section, all", "two edits at once"}


def test_there_are_fifty_documents_with_every_trait() -> None:
    """Our own and generated ones; the generated ones are the same every time."""
    found = shelf()
    assert len(found.all) >= 50
    assert len({name for name, _ in found.all}) == len(found.all)
    assert all(any(trait in name for name, _ in found.generated) for trait in TRAITS)
    assert generated_documents(5) == generated_documents(5)
    assert any("\r\n" in text for _, text in found.all)


@pytest.mark.parametrize("part", range(examples(PARTS)))
async def test_nothing_changes_but_what_is_named(part: int) -> None:
    """Twelve pairs over each document that stays, over all with a chosen seed; `make soak` plays 20,000 edits.

    After every step the rest of document and diagram is the same, byte for byte, and others' edits are there. With
    everything taken back it is what it was, unless it was said that it is not. A refusal says enough: at most one edit
    in fifty is given up after three tries, four in five are right at once.
    """
    found, tally = shelf(), Tally()
    documents = (found.all if is_chosen() else found.lasting)[part :: examples(PARTS)]
    for name, text in documents:
        await play_one(name, text, run_seed(), tally, PAIRS)
    counts = tally.counts
    print("\n" + tally.table())
    assert not tally.findings, "\n".join(map(str, tally.findings[:10]))
    assert len(tally.guesses) <= 1, "\n".join(map(str, tally.guesses))
    assert counts["relays"] == len(documents)
    assert counts["relays that ended with the original"] + counts["relays that were told otherwise"] == len(documents)
    assert counts["relays that were told otherwise"] <= 1
    assert counts["refused"] <= 0.02 * counts["edits"], tally.table()
    assert counts["1"] >= 0.8 * counts["edits"], tally.table()
    assert counts["batches that others overtook"] > counts["edits"] / 2


def test_everything_is_tried() -> None:
    """Every kind of edit, and quotes and names that are wrong in every way, also so that they must be refused."""
    chance, kinds, noises = random.Random(1), Counter[str](), Counter[str]()
    nodes = {node["id"]: node_of(**node) for node in diagram()["nodes"]}
    state = State(1, "", nodes, {edge["id"]: edge_of(**edge) for edge in diagram()["edges"]})
    samples = [Sample(name, text.replace("\r\n", "\n")) for name, text in shelf().lasting]
    for step in range(2500):
        document, node = document_plan(chance.choice(samples), chance, step), diagram_plan(state, chance, step)
        plans = [node] if document is None else [document, node]
        kinds.update(plan.kind.split(":")[0] for plan in plans)
        noises.update(noise for plan in plans for noise in plan.noise.split(" + "))
    assert kinds.keys() == KINDS
    assert {*NAMINGS, "heading in the text", "with its line end", "before the first heading"} <= noises.keys()
    assert len(SPOILERS.keys() - noises.keys()) <= 4  # few documents have a table with escapes to be padded
    assert sum(count for noise, count in noises.items() if noise.startswith("decoy: ")) > 20


def test_what_comes_of_an_operation_is_the_same_by_rule_and_by_playing_it() -> None:
    """An operation of which nobody has said what must come of it is tried as well: it must come to what it is plainly.

    Its names and quotations are wrong as those of all others are.
    """
    chance, kinds, noises, compared = random.Random(6), Counter[str](), Counter[str](), Counter[str]()
    samples = [Sample(name, text.replace("\r\n", "\n")) for name, text in shelf().lasting]
    for step in range(300):
        sample = chance.choice(samples)
        plan = document_plan(sample, chance, step, rules={})
        if plan is None:
            continue
        kinds[plan.careful[0]["op"]] += 1
        noises.update(plan.noise.split(" + "))
    for name in DOCUMENT:
        for step in range(30):
            sample = chance.choice(samples)
            op = operation(DocumentPlayer(chance, sample, step), (name,))
            ruled = None if op is None else RULES[name](sample, op)
            played = None if op is None else outcome_of(sample, op, {})
            if ruled is not None and played is not None:
                [by_rule], [by_playing] = (list(results(sample.text, one.changes)) for one in (ruled, played))
                assert by_rule.text == by_playing.text, plain(op)
                compared[name] += 1
    assert kinds.keys() == set(DOCUMENT)
    assert compared.keys() == set(DOCUMENT)
    assert len(NAMINGS.keys() - noises.keys()) <= 2
    assert sum(count for noise, count in noises.items() if noise.startswith("decoy: ")) > 5
    assert len(SPOILERS.keys() & noises.keys()) > 5


def test_an_operation_without_a_rule_stays_in_the_sections_that_it_names() -> None:
    """What it changes elsewhere is found before it is played."""
    sample = Sample("shop", TEXT)
    section, other = (SectionName(part) for part in sample.parts[1:3])
    assert outcome_of(sample, {"op": "move_section", "section": section, "after": other}, {}) is not None
    with pytest.raises(Unexpected, match="outside the named section"):
        outcome_of(sample, {"op": "move_section", "section": str(section), "after": other}, {})


async def test_operations_without_rules_are_played() -> None:
    """Misquoted, beside two people, corrected, taken back by undo; a defect is found as in all others."""
    tally = Tally()
    for number, (name, text) in enumerate(shelf().lasting[:12]):
        door = InProcess()
        await Unruled(door, name, text, str(number), tally, pairs=6).play()
        await door.close()
    assert not tally.findings, "\n".join(map(str, tally.findings))
    assert tally.counts["refused"] <= 0.02 * tally.counts["edits"] + 1, tally.table()
    assert tally.counts["2"] > 0
    faulty = Tally()
    for defect in ("drops a blank", "doubles a line", "undoes nothing"):
        door = Faulty(defect)
        await Unruled(door, "shop", TEXT, "1", faulty).play()
        await door.close()
    assert len(faulty.findings) == 3, faulty.table()


class Unruled(Relay):
    """Plays operations on documents as if they were all new: no rule says what must come of them."""

    def _next_plan(self) -> Plan:
        self._step += 1
        for _ in range(9):
            plan = document_plan(self._read(), self._chance, self._step, rules={})
            if plan is not None:
                return plan
        raise AssertionError("nothing fits this document")


async def test_the_relay_is_the_same_every_time() -> None:
    """A relay is known by its document and its seed."""
    tables = []
    for _ in range(2):
        tally = Tally()
        await play_one("shop", TEXT, "3", tally)
        tables.append((tally.table(), tally.noise_table()))
    assert tables[0] == tables[1]


def test_every_reversal_gives_back_every_byte() -> None:
    """By the rules of the operations; where they cannot, there is no reversal but undo."""
    chance, kinds = random.Random(5), set()
    for name, text in shelf(generated=12).generated * 10:
        before = Sample(name, text.replace("\r\n", "\n"))
        plan = document_plan(before, chance, 1)
        if plan is None:  # nothing of the kind that the dice chose
            continue
        for result in results(before.text, plan.changes):
            after = Sample(name, result.text)
            back = reversal_plan(plan, before, after, result.stretches, chance)
            if back is not None:
                kinds.add(back.kind.split(":")[0])
                assert [one.text for one in results(after.text, back.changes)] == [before.text]
    assert kinds == {
        "edit_section",
        "edit_section, all",
        "two edits at once",
        "replace_section",
        "insert_section",
        "delete_section",
        "rename_section",
    }


class Faulty(InProcess):
    """A product with a defect, which shows after some batches of the model."""

    def __init__(self, defect: str) -> None:
        super().__init__()
        self._defect = defect
        self._batches = 0

    async def batch(self, who: str, operations: Sequence[Op], base: int | None = None) -> Answer:
        if who != MODEL and self._defect == "loses others' edits":
            return Answer(changed=True)
        answer = await super().batch(who, operations, base)
        self._batches += who == MODEL
        if who == MODEL and answer.is_refused and self._defect == "refuses without a word":
            return Answer(answer.code)
        return answer

    async def undo(self, who: str) -> Answer:
        return Answer(changed=True) if self._defect == "undoes nothing" else await super().undo(who)

    async def state(self) -> State:
        found = await super().state()
        if self._batches < 2:
            return found
        text, nodes = found.text, found.nodes
        match self._defect:
            case "drops a blank":
                text = text.replace(" \n", "\n").replace(". ", ".", 1)
            case "adds a line end":
                text += "\n"
            case "doubles a line":
                text = text.replace("\n\n", "\n\n\n", 1)
            case "moves a node":
                first = min(nodes)
                nodes = {**nodes, first: {**nodes[first], "position": {"x": 1, "y": 1}}}
        return replace(found, text=text, nodes=nodes)


@pytest.mark.parametrize(
    "defect",
    [
        "drops a blank", "adds a line end", "doubles a line", "moves a node", "loses others' edits", "undoes nothing",
        "refuses without a word",
    ],
)  # fmt: skip
async def test_a_defect_is_found(defect: str) -> None:
    """The checks can fail: each of these comes out as a finding, not as a refusal."""
    tally = Tally()
    for seed in ("1", "2", "3"):
        door = Faulty(defect)
        await Relay(door, "shop", TEXT, seed, tally).play()
        await door.close()
    assert tally.findings, tally.table()
