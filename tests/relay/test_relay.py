"""Edits and their reversal by models that quote badly, while two people edit beside them: nothing else ever changes.

Over HTTP: `integration/test_relay_over_http.py`. At length: `python -m tests.relay`.
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
from tests.relay.__main__ import play_one
from tests.relay.diagram_edits import diagram, diagram_plan, edge_of, node_of
from tests.relay.document_edits import document_plan
from tests.relay.documents import shelf
from tests.relay.doors import MODEL, Answer, InProcess, State
from tests.relay.generated import TRAITS, generated_documents
from tests.relay.naive import results
from tests.relay.plan import Op
from tests.relay.relay import Relay
from tests.relay.reversal import reversal_plan
from tests.relay.tally import Tally
from tests.seeds import examples, is_chosen, run_seed
from tests.shop import TEXT
from tests.simulation.moves import names_of

PARTS = 4
KINDS = {
    "edit_section", "edit_section, all", "two edits at once", "replace_section", "append_to_section", "insert_section",
    "delete_section", "rename_section", "move_section", "add_node", "update_node", "delete_node", "delete_nodes",
    "move_nodes", "add_edge", "update_edge", "delete_edge", "rewire_edge", "group_nodes", "insert_between",
}  # fmt: skip


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
    """Ten pairs over each document that stays, over all with a chosen seed; `make soak` plays 20,000 edits.

    After every step the rest of document and diagram is the same, byte for byte, and others' edits are there. With
    everything taken back it is what it was, unless it was said that it is not. A refusal says enough: at most one edit
    in fifty is given up after three tries, four in five are right at once.
    """
    found, tally = shelf(), Tally()
    documents = (found.all if is_chosen() else found.lasting)[part :: examples(PARTS)]
    for name, text in documents:
        await play_one(name, text, run_seed(), tally)
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
    # What is typed the two people type; a whole document leaves no rest that must stay.
    assert kinds.keys() >= set(names_of("document", without=("edit_text", "replace_document")))
    assert {*NAMINGS, "heading in the text", "with its line end", "before the first heading"} <= noises.keys()
    assert len(SPOILERS.keys() - noises.keys()) <= 4  # few documents have a table with escapes to be padded
    assert sum(count for noise, count in noises.items() if noise.startswith("decoy: ")) > 20


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
