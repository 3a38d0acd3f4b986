"""Which node of a design is which running thing. Certain first, likely with its reason, and never a guess.

Each rung compares what nothing before has matched by keys that both sides have. One node and one running thing that
share a key with nobody else are a match. Where several do, all of them are ambiguous: they are told as such, and no
later rung looks at them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from draftsmith.manifests.roles import NAMESPACE
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.vocabulary import ANNOTATIONS
from draftsmith.workloads.names import core_of, family_of, key_of, plain, words_in
from draftsmith.workloads.running import CLUSTER, WORKLOAD, RunningWorkload
from draftsmith.workloads.technologies import technologies_in

By = Literal["recorded", "name", "likely"]
PEOPLE: Final = frozenset({"user", "client", "mobile", *ANNOTATIONS})
"""Types of nodes that no cluster runs."""
_STORES: Final = frozenset({"database", "cache", "queue", "search", "storage"})
Keys = Iterable[str]


@dataclass(frozen=True, slots=True)
class WorkloadMatch:
    """A node that is a running thing, how that is known, and what speaks for it where it is not recorded."""

    node: NodeId
    running: RunningWorkload
    by: By
    reason: str


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Nodes and running things that could be each other."""

    nodes: Sequence[NodeId]
    running: Sequence[RunningWorkload]
    reason: str


@dataclass
class Matching:
    """What is matched, and what is left of both sides.

    Attributes:
        passed_over: nodes that were drawn from a namespace that was not read, so nothing can be said of them.
        unread: hosts that are Services of such namespaces, and so perhaps one of these nodes.
    """

    matches: list[WorkloadMatch] = field(default_factory=list)
    ambiguous: list[Ambiguity] = field(default_factory=list)
    nodes: list[NodeId] = field(default_factory=list)
    running: list[RunningWorkload] = field(default_factory=list)
    passed_over: list[NodeId] = field(default_factory=list)
    unread: list[RunningWorkload] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Rung:
    by: By
    reason: str
    of_node: Callable[[NodeId], Keys]
    of_running: Callable[[RunningWorkload], Keys]
    tells_ambiguous: bool = True


def match(diagram: Diagram, running: Sequence[RunningWorkload], cluster: str, namespaces: Iterable[str]) -> Matching:
    """Match the nodes of a diagram with what runs in some namespaces of a cluster; groups are not matched."""
    read = frozenset(namespaces)
    found = Matching()
    for node_id in sorted(diagram.node_ids()):
        attributes = diagram[node_id]
        if diagram.is_group(node_id) or attributes.get("type") in PEOPLE:
            continue
        recorded = attributes.get("properties", {})
        is_read = recorded.get(CLUSTER) != cluster or recorded.get(NAMESPACE, "") in {"", *read}
        (found.nodes if is_read else found.passed_over).append(node_id)
    drawn = {diagram[one]["properties"][NAMESPACE] for one in found.passed_over}
    for one in running:
        (found.unread if one.is_service_of(drawn) else found.running).append(one)
    for rung in _rungs(diagram, running, cluster):
        _climb(rung, found)
    return found


def _rungs(diagram: Diagram, running: Sequence[RunningWorkload], cluster: str) -> list[_Rung]:
    nodes = _Nodes(diagram, cluster, {plain(one.namespace) for one in running if one.namespace})
    return [
        _Rung("recorded", "The node was drawn from it.", nodes.recorded_keys, lambda one: [one.id]),
        _Rung("name", "The same name in the same namespace.", nodes.name_in_namespace, _name_in_namespace),
        _Rung("name", "The same name.", nodes.name, _name),
        _Rung("name", "Its id is the same name.", nodes.id_as_name, _name),
        _Rung("likely", "It was drawn from a workload of the same id in another cluster.", nodes.recorded_elsewhere,
              lambda one: [one.id]),
        _Rung("likely", "The same name, drawn as another kind of thing.", nodes.bare_name,
              lambda one: [plain(one.name)]),
        _Rung("likely", "The same words in another order or form.", nodes.words, _name_words),
        _Rung("likely", "The same name without words such as service, or the namespace.", nodes.core, _core),
        _Rung("likely", "The host belongs to this name.", nodes.host_name, _host_name),
        _Rung("likely", "The only one of this technology on both sides.", nodes.technology, _technology(running),
              tells_ambiguous=False),
    ]  # fmt: skip


def _climb(rung: _Rung, found: Matching) -> None:
    """Take what shares keys out of what is left: a match where it is one of each, else ambiguous."""
    by_id = {one.id: one for one in found.running}
    keys_of_nodes = {node_id: {key for key in rung.of_node(node_id) if key} for node_id in found.nodes}
    keys_of_running = {one.id: {key for key in rung.of_running(one) if key} for one in found.running}
    shared = set().union(*keys_of_nodes.values()) & set().union(*keys_of_running.values())
    parts = _KeyGroups()
    for node_id, keys in keys_of_nodes.items():
        parts.join((0, node_id), sorted(keys & shared))
    for name, keys in keys_of_running.items():
        parts.join((1, name), sorted(keys & shared))
    taken_nodes: set[str] = set()
    taken: set[str] = set()
    for members in parts.groups():
        nodes = [NodeId(name) for side, name in members if side == 0]
        things = [by_id[name] for side, name in members if side == 1]
        if not nodes or not things:
            continue
        if len(nodes) == len(things) == 1:
            found.matches.append(WorkloadMatch(nodes[0], things[0], rung.by, rung.reason))
        elif rung.tells_ambiguous:
            found.ambiguous.append(Ambiguity(nodes, things, rung.reason))
        else:
            continue
        taken_nodes.update(nodes)
        taken.update(one.id for one in things)
    found.nodes = [one for one in found.nodes if one not in taken_nodes]
    found.running = [one for one in found.running if one.id not in taken]


class _KeyGroups:
    """Groups of members that share keys, directly or through others (union-find), in the order in which they joined."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}  # a key → another key of the same part
        self._members: dict[tuple[int, str], str] = {}

    def join(self, member: tuple[int, str], keys: Keys) -> None:
        """Add a member with its keys."""
        roots = [self._root(key) for key in keys]
        for root in roots[1:]:
            self._first[self._root(root)] = self._root(roots[0])
        if roots:
            self._members[member] = roots[0]

    def groups(self) -> list[list[tuple[int, str]]]:
        """The parts."""
        found: dict[str, list[tuple[int, str]]] = {}
        for member, key in self._members.items():
            found.setdefault(self._root(key), []).append(member)
        return list(found.values())

    def _root(self, key: str) -> str:
        path = [key]
        while (above := self._first.setdefault(path[-1], path[-1])) != path[-1]:
            path.append(above)
        for one in path:
            self._first[one] = path[-1]
        return path[-1]


class _Nodes:
    """The keys of nodes, for each rung."""

    def __init__(self, diagram: Diagram, cluster: str, namespaces: Container[str]) -> None:
        self._diagram, self._cluster, self._namespaces = diagram, cluster, namespaces
        every = [key for node_id in diagram.node_ids() for key in self._technology(node_id)]
        self._technologies = Counter(every)

    def recorded_keys(self, node_id: NodeId) -> Keys:
        return [self._property(node_id, WORKLOAD)] if self._property(node_id, CLUSTER) == self._cluster else []

    def recorded_elsewhere(self, node_id: NodeId) -> Keys:
        return [self._property(node_id, WORKLOAD)]

    def name_in_namespace(self, node_id: NodeId) -> Keys:
        return [f"{self._family(node_id)}|{one}|{self._label(node_id)}" for one in self._groups(node_id)]

    def name(self, node_id: NodeId) -> Keys:
        """None for what stands in the group of a namespace where there is nothing of its name."""
        is_elsewhere = any(one in self._namespaces for one in self._groups(node_id))
        return [] if is_elsewhere else [f"{self._family(node_id)}|{self._label(node_id)}"]

    def id_as_name(self, node_id: NodeId) -> Keys:
        return [f"{self._family(node_id)}|{plain(node_id)}"]

    def bare_name(self, node_id: NodeId) -> Keys:
        return [self._label(node_id)]

    def words(self, node_id: NodeId) -> Keys:
        return [f"{self._family(node_id)}|{key_of(words_in(self._diagram.label(node_id)))}"]

    def core(self, node_id: NodeId) -> Keys:
        around = [word for one in self._diagram.ancestors(node_id) for word in words_in(self._diagram.label(one))]
        core = core_of(words_in(self._diagram.label(node_id)), around)
        return [f"{self._family(node_id)}|{key_of(core)}"]

    def host_name(self, node_id: NodeId) -> Keys:
        return words_in(self._diagram.label(node_id)) if self._family(node_id) == "external" else []

    def technology(self, node_id: NodeId) -> Keys:
        return [key for key in self._technology(node_id) if self._technologies[key] == 1]

    def _technology(self, node_id: NodeId) -> list[str]:
        text = self._diagram[node_id].get("technology", "") or self._diagram.label(node_id)
        return _technology_key(self._family(node_id), text)

    def _groups(self, node_id: NodeId) -> list[str]:
        """The names of the groups around it, and of the namespaces that they were drawn from."""
        around = list(self._diagram.ancestors(node_id))
        names = {self._label(one) for one in around} | {plain(self._property(one, NAMESPACE)) for one in around}
        return sorted(names - {""})

    def _family(self, node_id: NodeId) -> str:
        return family_of(str(self._diagram[node_id].get("type", "other")))

    def _label(self, node_id: NodeId) -> str:
        return plain(self._diagram.label(node_id))

    def _property(self, node_id: NodeId, key: str) -> str:
        found: str = self._diagram[node_id].get("properties", {}).get(key, "")
        return found


def _name_in_namespace(one: RunningWorkload) -> Keys:
    return [f"{one.family}|{plain(one.namespace)}|{plain(one.name)}"] if one.namespace else []


def _name(one: RunningWorkload) -> Keys:
    return [f"{one.family}|{plain(one.name)}"]


def _name_words(one: RunningWorkload) -> Keys:
    return [f"{one.family}|{key_of(words_in(one.name))}"]


def _core(one: RunningWorkload) -> Keys:
    return [] if one.is_outside else [f"{one.family}|{key_of(one.core)}"]


def _host_name(one: RunningWorkload) -> Keys:
    return one.core if one.is_outside else []


def _technology(running: Sequence[RunningWorkload]) -> Callable[[RunningWorkload], Keys]:
    """The technology of a store that no other running store has."""
    counts = Counter(key for one in running for key in _technology_key(one.family, one.technology))
    return lambda one: [key for key in _technology_key(one.family, one.technology) if counts[key] == 1]


def _technology_key(family: str, text: str) -> list[str]:
    if family not in _STORES:
        return []
    return [f"{family}|{one.name}" for one in technologies_in(text)[:1] if one.name]
