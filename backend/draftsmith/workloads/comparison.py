"""A design compared with what runs: rows that say what is so, with the evidence, and what can be done about each.

Pure: the diagram is read and nothing is changed; whoever chooses rows sends their operations as a batch. Not here: how
nodes and running things are matched (`matching`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Literal

import orjson

from draftsmith.manifests.roles import IMAGE, NAMESPACE, REPLICAS
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.workloads.drawing import Drawing, Op
from draftsmith.workloads.matching import Ambiguity, Matching, WorkloadMatch, match
from draftsmith.workloads.names import family_of
from draftsmith.workloads.reading import ClusterReading, Evidence
from draftsmith.workloads.running import (
    CLUSTER,
    MOST_TECHNOLOGY,
    WORKLOAD,
    RunningConnection,
    RunningWorkload,
    lines_in,
    running_in,
)
from draftsmith.workloads.shapes import (
    RowKind,
    WorkloadChoiceOut,
    WorkloadComparisonOut,
    WorkloadDifferenceOut,
    WorkloadEvidenceOut,
    WorkloadRowOut,
)
from draftsmith.workloads.technologies import adapted_technology

MOST_EXPLANATION: Final = 2_000
_MARK: Final = "running"
"""The property that marks a node of which nothing was found."""
_COMPARED: Final = (IMAGE, REPLICAS)
_MOST_CHOICES: Final = 12
_ORDER: Final[Sequence[RowKind]] = (
    "not_drawn", "differs", "ambiguous", "line_not_drawn", "line_without_evidence", "not_running", "fits",
)  # fmt: skip
"""What is added comes before what is removed, and a line before its ends."""
_UNDRAWN: Final = ("not_drawn", "line_not_drawn")


@dataclass
class Comparison:
    """Rows in the order in which their operations are sent.

    Attributes:
        notes: what nothing could be said of, a sentence each.
        fitting_lines: how many connections are drawn and run.
    """

    rows: list[WorkloadRowOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    fitting_lines: int = 0


def compare(diagram: Diagram, reading: ClusterReading) -> Comparison:
    """Compare a design with what runs."""
    return _Comparing(diagram, reading).result()


def rows_to_draw(rows: Sequence[WorkloadRowOut]) -> list[WorkloadRowOut]:
    """The rows that add everything that runs and is not drawn."""
    return [one for one in rows if one["kind"] in _UNDRAWN]


def explanation_of(compared: WorkloadComparisonOut) -> str:
    """What the history says of a drawing: from where, of when, and what is not in it."""
    where = f"{compared['cluster']} ({', '.join(compared['namespaces'])})"
    unclear = sum(len(one["workloads"]) for one in compared["rows"] if one["kind"] == "ambiguous")
    told = f"Draw what runs in {where}, read at {compared['read_at']}."
    if unclear:
        told += f" Left out, since they could be several nodes: {unclear}."
    return f"{told} {' '.join(compared['incomplete'])}".strip()[:MOST_EXPLANATION]


def operations_of(rows: Sequence[WorkloadRowOut]) -> list[Op]:
    """The operations of the first choice of each row, in their order, each once."""
    return _each_once(operation for row in rows for choice in row["choices"][:1] for operation in choice["operations"])


def _each_once(operations: Iterable[Op]) -> list[Op]:
    return list({orjson.dumps(one): one for one in operations}.values())


class _Comparing:
    def __init__(self, diagram: Diagram, reading: ClusterReading) -> None:
        self._diagram, self._reading = diagram, reading
        running = running_in(reading)
        self._names = {one.id: one for one in running}
        self._found: Matching = match(diagram, running, reading.cluster, reading.namespaces)
        self._drawing = Drawing(diagram, reading.cluster, self._found.matches)
        self._of_node = {one.node: one.running for one in self._found.matches}
        self._ends = {one.running.id: one.node for one in self._found.matches}
        self._new = {one.id: self._drawing.node_id(one) for one in self._found.running}
        self._on = f"in {reading.cluster} on {reading.read_at[:10]}"
        self._unread = " Not everything could be read." if reading.incomplete else ""

    def result(self) -> Comparison:
        lines = lines_in(self._reading)
        found = Comparison(notes=list(self._notes(lines)))
        rows = [
            *map(self._not_drawn, self._found.running),
            *map(self._matched_row, self._found.matches),
            *map(self._ambiguous, self._found.ambiguous),
            *self._lines(lines, found),
            *self._edges(lines),
            *(self._not_running() if self._reading.namespaces else ()),
        ]
        found.rows = sorted(rows, key=lambda one: (_ORDER.index(one["kind"]), one["title"].casefold(), one["id"]))
        return found

    def _notes(self, lines: Sequence[RunningConnection]) -> Iterator[str]:
        unclear = {running.id for one in self._found.ambiguous for running in one.running}
        untold = sum(line.source in unclear or line.target in unclear for line in lines)
        if untold:
            yield f"Connections of workloads that could be several nodes are not compared: {untold}."
        if self._found.passed_over:
            yield f"Nodes of namespaces that were not read are not compared: {len(self._found.passed_over)}."
        if self._found.unread:
            yield f"Services of these namespaces are not drawn as hosts: {len(self._found.unread)}."

    # -- nodes -------------------------------------------------------------------------------------------------------

    def _not_drawn(self, one: RunningWorkload) -> WorkloadRowOut:
        operations = self._drawing.node(one)
        facts = [*one.facts]
        if one.namespace in self._drawing.locked:
            facts.append(f"the group {one.namespace} is locked, so it is drawn beside it")
        return _row(
            f"draw:{one.id}", "not_drawn", one.name, one.namespace, workloads=[one.id], facts=facts,
            evidence=one.evidence, choices=[_choice("draw", "Draw it", *operations)],
        )  # fmt: skip

    def _matched_row(self, one: WorkloadMatch) -> WorkloadRowOut:
        attributes = self._diagram[one.node]
        differences = _differences(attributes, one.running, self._reading.cluster)
        facts, choices = [*one.running.facts], list[WorkloadChoiceOut]()
        is_free = not self._is_locked(one.node, facts)
        if differences and is_free:
            update = {"op": "update_node", "id": one.node, **_updates(attributes, one.running, differences)}
            choices.append(_choice("update", "Take over what runs", update))
        if one.by != "recorded" and is_free:
            choices.append(_choice("record", "Keep that it is this one", _record(one.node, one.running)))
        return _row(
            f"node:{one.node}", "differs" if differences else "fits", self._label(one.node), one.running.namespace,
            nodes=[one.node], workloads=[one.running.id], by=one.by, reason=one.reason, facts=facts,
            differences=differences, choices=choices,
        )  # fmt: skip

    def _ambiguous(self, one: Ambiguity) -> WorkloadRowOut:
        facts = [f"{running.name}: {', '.join(running.facts)}" for running in one.running[:_MOST_CHOICES]]
        pairs = (
            (running, node_id)
            for running in one.running
            for node_id in one.nodes
            if self._diagram.lock_on(node_id) is None
        )
        choices = [self._same_choice(node_id, running) for running, node_id in islice(pairs, _MOST_CHOICES)]
        drawn = _each_once(operation for running in one.running for operation in self._drawing.node(running))
        new = "Draw it as new" if len(one.running) == 1 else "Draw all of them as new"
        namespaces = {running.namespace for running in one.running}
        return _row(
            f"ambiguous:{one.running[0].id}", "ambiguous", ", ".join(running.name for running in one.running[:3]),
            namespaces.pop() if len(namespaces) == 1 else "", nodes=one.nodes,
            workloads=[running.id for running in one.running], reason=f"Several fit. {one.reason}", facts=facts,
            choices=[*choices, _choice("draw", new, *drawn)],
        )  # fmt: skip

    def _same_choice(self, node_id: NodeId, running: RunningWorkload) -> WorkloadChoiceOut:
        title = f"“{self._label(node_id)}” ({node_id}) is {running.id}"
        return _choice(f"same:{node_id}:{running.id}", title, _record(node_id, running))

    def _not_running(self) -> Iterator[WorkloadRowOut]:
        for node_id in self._found.nodes:
            attributes = self._diagram[node_id]
            properties = attributes.get("properties", {})
            is_recorded = properties.get(CLUSTER) == self._reading.cluster and WORKLOAD in properties
            if family_of(attributes.get("type", "other")) == "external" and not is_recorded:
                continue
            why = (
                f"{properties[WORKLOAD]}, which it was drawn from, is not there any more."
                if is_recorded
                else "Nothing that was read is recognised as this node."
            )
            facts: list[str] = []
            choices: list[WorkloadChoiceOut] = []
            if not self._is_locked(node_id, facts):
                mark = {"op": "update_node", "id": node_id, "properties": {_MARK: f"not found {self._on}"}}
                choices.append(_choice("mark", "Mark it as not found", mark))
                if not any(self._is_locked(end, facts) for end in self._neighbours(node_id)):
                    delete = {"op": "delete_node", "id": node_id}
                    choices.append(_choice("delete", "Remove it with its lines", delete))
            yield _row(
                f"node:{node_id}", "not_running", self._label(node_id), properties.get(NAMESPACE, ""),
                nodes=[node_id], reason=why + self._unread, facts=facts, choices=choices,
            )  # fmt: skip

    # -- lines -------------------------------------------------------------------------------------------------------

    def _lines(self, lines: Sequence[RunningConnection], found: Comparison) -> Iterator[WorkloadRowOut]:
        for line in lines:
            source, target = self._end(line.source), self._end(line.target)
            if source is None or target is None:
                continue
            if self._is_drawn(source, target):
                found.fitting_lines += 1
                continue
            ends = (line.source, line.target)
            title = " → ".join(
                self._label(self._ends[end]) if end in self._ends else self._names[end].name for end in ends
            )
            yield _row(
                f"line:{line.source} > {line.target} {line.label}".rstrip(), "line_not_drawn", title,
                self._names[line.source].namespace, workloads=ends, facts=[line.label, *line.ports],
                evidence=line.evidence,
                needs=[f"draw:{end}" for end in ends if end in self._new],
                choices=[_choice("draw", "Draw it", self._drawing.line(line, source, target))],
            )  # fmt: skip

    def _edges(self, lines: Sequence[RunningConnection]) -> Iterator[WorkloadRowOut]:
        """Drawn connections between things that run of which nothing says that they are used."""
        connected = {frozenset((line.source, line.target)) for line in lines}
        for edge_id, source, target, attributes in sorted(self._diagram.edges(), key=lambda one: one[0]):
            ends = [self._of_node[end] for end in (source, target) if end in self._of_node]
            if len(ends) < 2 or all(one.is_outside for one in ends):
                continue
            if frozenset(one.id for one in ends) in connected:
                continue
            facts = [attributes["label"]] if attributes.get("label") else []
            is_locked = self._is_locked(source, facts) or self._is_locked(target, facts)
            yield _row(
                f"edge:{edge_id}", "line_without_evidence", f"{self._label(source)} → {self._label(target)}",
                ends[0].namespace, nodes=[source, target], edge=edge_id, workloads=[one.id for one in ends],
                reason=f"No evidence found; that does not say that it is not used.{self._unread}", facts=facts,
                choices=[] if is_locked else self._edge_choices(edge_id),
            )  # fmt: skip

    def _edge_choices(self, edge_id: EdgeId) -> list[WorkloadChoiceOut]:
        mark = {"op": "update_edge", "id": edge_id, "properties": {"evidence": f"none found {self._on}"}}
        return [
            _choice("mark", "Mark it as without evidence", mark),
            _choice("delete", "Remove it", {"op": "delete_edge", "id": edge_id}),
        ]

    def _end(self, running_id: str) -> NodeId | None:
        """The node at the end of a line, which is there or is to be drawn; None where that is not clear."""
        return self._ends.get(running_id) or self._new.get(running_id)

    def _is_drawn(self, source: NodeId, target: NodeId) -> bool:
        """Whether a line is drawn between two nodes, in either direction."""
        return bool(self._diagram.edges_between(source, target) or self._diagram.edges_between(target, source))

    def _is_locked(self, node_id: NodeId, facts: list[str]) -> bool:
        """Whether a lock forbids a change, which is told then."""
        lock = self._diagram.lock_on(node_id)
        if lock is not None:
            facts.append(f"“{self._label(lock)}” is locked; unlock it to change this")
        return lock is not None

    def _neighbours(self, node_id: NodeId) -> list[NodeId]:
        return sorted({*self._diagram.outgoing(node_id), *self._diagram.incoming(node_id)})

    def _label(self, node_id: NodeId) -> str:
        return self._diagram.label(node_id) or node_id


def _record(node_id: NodeId, running: RunningWorkload) -> Op:
    return {"op": "update_node", "id": node_id, "properties": _identity(running)}


def _choice(choice_id: str, title: str, *operations: Op) -> WorkloadChoiceOut:
    return {"id": choice_id, "title": title, "operations": list(operations)}


def _row(
    row_id: str,
    kind: RowKind,
    title: str,
    namespace: str,
    *,
    nodes: Sequence[NodeId] = (),
    edge: EdgeId | None = None,
    workloads: Sequence[str] = (),
    by: Literal["recorded", "name", "likely"] | None = None,
    reason: str = "",
    facts: Sequence[str] = (),
    evidence: Sequence[Evidence] = (),
    differences: Sequence[WorkloadDifferenceOut] = (),
    needs: Sequence[str] = (),
    choices: Sequence[WorkloadChoiceOut] = (),
) -> WorkloadRowOut:
    return {
        "id": row_id, "kind": kind, "title": title, "namespace": namespace or None, "nodes": list(nodes), "edge": edge,
        "workloads": list(workloads), "by": by, "reason": reason, "facts": [one for one in facts if one],
        "evidence": [WorkloadEvidenceOut(kind=one.kind, text=one.text) for one in dict.fromkeys(evidence)],
        "differences": list(differences), "needs": list(needs), "choices": list(choices),
    }  # fmt: skip


def _differences(attributes: Mapping[str, Any], running: RunningWorkload, cluster: str) -> list[WorkloadDifferenceOut]:
    """Return where a node says something else than what runs; a field that it does not have promises nothing."""
    properties: Mapping[str, str] = attributes.get("properties", {})
    found: list[WorkloadDifferenceOut] = []
    if _new_technology(attributes, running) is not None:
        found.append({"field": "technology", "designed": attributes["technology"], "running": running.technology})
    compared = [(name, properties.get(name), running.properties.get(name)) for name in _COMPARED]
    if properties.get(CLUSTER) == cluster and not running.is_outside:
        compared.append((WORKLOAD, properties.get(WORKLOAD), running.id))
    for name, designed, runs in compared:
        if designed and runs and designed.strip() != runs:
            found.append({"field": name, "designed": designed, "running": runs})
    if _MARK in properties:
        found.append({"field": _MARK, "designed": properties[_MARK], "running": "runs"})
    return found


def _updates(
    attributes: Mapping[str, object], running: RunningWorkload, differences: Sequence[WorkloadDifferenceOut]
) -> dict[str, Any]:
    """Return the fields of `update_node` that take over what runs and record what the node stands for."""
    fields = {one["field"]: one["running"] for one in differences}
    technology = _new_technology(attributes, running) if fields.pop("technology", None) else None
    patch = {**fields, **_identity(running), **({_MARK: None} if _MARK in fields else {})}
    return {**({"technology": technology} if technology else {}), "properties": patch}


def _identity(running: RunningWorkload) -> dict[str, str]:
    """Return the properties by which a node is recognised as this."""
    return {key: running.properties[key] for key in (WORKLOAD, CLUSTER, NAMESPACE) if key in running.properties}


def _new_technology(attributes: Mapping[str, Any], running: RunningWorkload) -> str | None:
    """Return what a node should say of its technology now, or None if nothing differs."""
    is_whole = running.family not in ("compute", "")
    found = adapted_technology(attributes.get("technology", ""), running.technology, is_whole=is_whole)
    return None if found is None else found[:MOST_TECHNOLOGY].strip()
