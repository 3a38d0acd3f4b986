"""What a scripted model means to do: what it sends first, the same put carefully, and what must come of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.simulation.relay.naive import Change, Way, moved

Op = dict[str, Any]
Fields = Mapping[str, Any]
ANY = "(the server's choice)"


@dataclass(frozen=True)
class DiagramChange:
    """What becomes of the nodes and edges that are named: all their fields, or None where they go."""

    nodes: Mapping[str, Fields | None] = field(default_factory=dict)
    edges: Mapping[str, Fields | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """One edit, in offsets of the text that the model has read.

    Attributes:
        kind: row of the table.
        noise: what is wrong with its quotes and names, "exact" for nothing.
        operations: as first sent.
        careful: the same operations with text and names as they stand there; None where nothing can be more exact.
        changes: what may become of the document.
        touched: spans that belong to it, from which others stay away.
        named: the sections that it names, where they are more than that.
        diagram: what becomes of the diagram.
        nodes: ids that belong to it.
        quoted: the stretches whose words it quotes.
        true: for each operation, the text that its quote stands for.
        must_refuse: nothing of it can be certain, so whatever is applied is a guess.
        repeats: sending the same again must change nothing more.
        aside: nodes that the answer says to have moved aside; they may stand elsewhere.
    """

    kind: str
    noise: str
    operations: Sequence[Op]
    careful: Sequence[Op] | None
    changes: Sequence[Change] = ()
    touched: Sequence[tuple[int, int]] = ()
    named: Sequence[tuple[int, int]] = ()
    diagram: DiagramChange = field(default_factory=DiagramChange)
    nodes: frozenset[str] = frozenset()
    quoted: Sequence[tuple[int, int]] = ()
    true: Sequence[str] = ()
    must_refuse: bool = False
    repeats: bool = False
    aside: frozenset[str] = frozenset()

    def moved(self, splices: Sequence[Way]) -> Plan:
        """The same plan after splices elsewhere in the text."""
        touched, named = (
            [(moved(start, splices), moved(end, splices)) for start, end in spans]
            for spans in (self.touched, self.named)
        )
        return replace(self, changes=[change.moved(splices) for change in self.changes], touched=touched, named=named)


def together(one: Plan, other: Plan) -> Plan:
    """Both as one batch."""
    noises = [noise for noise in (one.noise, other.noise) if noise != "exact"]
    careful = None if one.careful is None or other.careful is None else [*one.careful, *other.careful]
    return Plan(
        kind=f"{one.kind} + {other.kind}",
        noise=" + ".join(noises) or "exact",
        operations=[*one.operations, *other.operations],
        careful=careful,
        changes=[*one.changes, *other.changes],
        touched=[*one.touched, *other.touched],
        named=[*one.named, *other.named],
        diagram=DiagramChange(
            {**one.diagram.nodes, **other.diagram.nodes}, {**one.diagram.edges, **other.diagram.edges}
        ),
        nodes=one.nodes | other.nodes,
        quoted=[*one.quoted, *other.quoted],
        true=[*one.true, *other.true],
        must_refuse=one.must_refuse or other.must_refuse,
    )
