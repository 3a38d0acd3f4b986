"""The two people who edit other sections and other nodes while the model thinks."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.noise.samples import Sample
from tests.relay.doors import State
from tests.relay.naive import Way
from tests.relay.plan import Op

_GAP = re.compile(r"(?<=[a-z]{3})(?= [a-z]{3})")


@dataclass(frozen=True)
class Own:
    """One commit of a person, so that it can be taken back.

    Attributes:
        number: later ones have a greater one, whoever made them.
        written: the text that was typed; empty for an edit of the diagram.
        node, field, old, new: what was set, for an edit of the diagram.
    """

    number: int = 0
    written: str = ""
    node: str = ""
    field: str = ""
    old: Any = None
    new: Any = None


@dataclass(frozen=True)
class Contribution:
    """What a person does next: operations, how the text changes by them, and the base that typed text speaks of."""

    person: str
    operations: Sequence[Op]
    own: Own
    splice: Way | None = None


@dataclass
class Person:
    """One person, with what they have done and not taken back yet, oldest first."""

    name: str
    done: list[Own] = field(default_factory=list)

    def contribution(
        self,
        number: int,
        state: State,
        sample: Sample,
        away: Sequence[tuple[int, int]],
        nodes: frozenset[str],
        rng: random.Random,
    ) -> Contribution | None:
        """Something small, away from some spans and nodes; None if there is no room for it."""
        if rng.random() < 0.25:
            return self._of_diagram(number, state, nodes, rng)
        return self._of_document(number, state, sample, away, rng)

    def _of_diagram(self, number: int, state: State, nodes: frozenset[str], rng: random.Random) -> Contribution | None:
        free = sorted(state.nodes.keys() - nodes)
        if not free:
            return None
        name = rng.choice(free)
        new: Any = f"{self.name} {number}"
        if rng.random() < 0.5:
            return Contribution(
                self.name,
                [{"op": "update_node", "id": name, "notes": new}],
                Own(number, node=name, field="notes", old=state.nodes[name]["notes"], new=new),
            )
        old = state.nodes[name]["position"]
        new = {"x": old["x"] + 10 * number, "y": old["y"]}
        move = {"op": "move_nodes", "positions": {name: new}}
        return Contribution(self.name, [move], Own(number, node=name, field="position", old=old, new=new))

    def _of_document(
        self, number: int, state: State, sample: Sample, away: Sequence[tuple[int, int]], rng: random.Random
    ) -> Contribution | None:
        """A word typed between two others of a line of prose."""
        lines = [
            line
            for part in sample.parts
            for line in sample.lines(part)
            if line.kind in ("prose", "item") and all(line.end < start or line.start > end for start, end in away)
        ]
        rng.shuffle(lines)
        for line in lines[:8]:
            gaps = [found.start() for found in _GAP.finditer(line.text)]
            if gaps:
                at = line.start + rng.choice(gaps)
                written = f" {self.name}{number}x"
                change = {
                    "op": "edit_text",
                    "changes": typed(sample.text, at, at, written),
                    "base_revision": state.revision,
                }
                return Contribution(self.name, [change], Own(number, written), (at, at, written))
        return None


def typed(text: str, start: int, end: int, new: str) -> list[Any]:
    """A change of a text as an editor sends it: UTF-16 units that are kept, and what is put in place of others."""
    units = [len(piece.encode("utf-16-le")) // 2 for piece in (text[:start], text[start:end], text[end:])]
    parts: list[Any] = [units[0]] if units[0] else []
    parts.append([units[1], *(new.split("\n") if new else [])])
    return [*parts, units[2]] if units[2] else parts
