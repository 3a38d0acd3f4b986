"""What connects the instances of a deployment environment.

Instances are connected as the model says of their originals, and, where it implies, of what is in these; then as is
written for the environment. Each with each, so what is looked at is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from draftsmith.model.readers.structurizr.c4 import (
    MAX_RELATIONSHIPS,
    C4Element,
    C4Environment,
    C4Model,
    C4Relationship,
)

_MAX_LOOKS: Final = 200_000
_Pair = tuple[C4Element, C4Element]


class InstanceConnections:
    """Finds the relationships of an environment; `is_cut`: there are more than are looked at."""

    def __init__(self, model: C4Model, environment: C4Environment) -> None:
        self._model, self._environment = model, environment
        self._instances: dict[C4Element, list[C4Element]] = {}
        self._looks = 0
        self.is_cut = False
        for element in environment.elements:
            if element.original is not None:
                self._instances.setdefault(element.original, []).append(element)

    def relationships(self) -> list[C4Relationship]:
        """All of them, as many as a workspace may hold."""
        found = [] if self._environment.has_all else list(self._taken_over())
        for relationship in self._environment.relationships:
            found += [
                replace(relationship, source=source, target=target)
                for source, target in self._pairs(relationship.source, relationship.target)
            ]
        self.is_cut = self.is_cut or len(found) > MAX_RELATIONSHIPS
        return found[:MAX_RELATIONSHIPS]

    def _taken_over(self) -> Iterator[C4Relationship]:
        removed = {pair for ends in self._environment.removed for pair in self._pairs(*ends)}
        for relationship, source, target in self._of_originals():
            for one, other in self._pairs(source, target):
                if (one, other) not in removed and _shares_group(one, other):
                    yield replace(relationship, source=one, target=other, identifier="")

    def _of_originals(self) -> Iterator[tuple[C4Relationship, C4Element, C4Element]]:
        """Relationships with the originals that they connect; one that is implied only where there is none yet."""
        known: set[_Pair] = set()
        for relationship in self._model.relationships:
            source, target = self._deployed_around(relationship.source), self._deployed_around(relationship.target)
            if source is None or target is None or source is target:
                continue
            is_said = source is relationship.source and target is relationship.target
            if is_said or (self._model.is_implying and (source, target) not in known):
                known.add((source, target))
                yield relationship, source, target

    def _deployed_around(self, element: C4Element) -> C4Element | None:
        """The element, or the nearest around it that has instances."""
        current: C4Element | None = element
        while current is not None and current not in self._instances:
            current = current.parent
        return current

    def _pairs(self, source: C4Element, target: C4Element) -> Iterator[_Pair]:
        """The instances of two elements, each with each; what has none stands for itself."""
        for one in self._instances.get(source, (source,)):
            for other in self._instances.get(target, (target,)):
                self._looks += 1
                if self._looks > _MAX_LOOKS:
                    self.is_cut = True
                    return
                if one is not other:
                    yield one, other


def others_of(relationships: Sequence[C4Relationship], elements: Sequence[C4Element]) -> list[C4Element]:
    """The ends of relationships that are not among some elements."""
    known = set(elements)
    ends = (end for relationship in relationships for end in (relationship.source, relationship.target))
    return list(dict.fromkeys(end for end in ends if end not in known))


def _shares_group(one: C4Element, other: C4Element) -> bool:
    groups = one.deployment_groups, other.deployment_groups
    return groups == (frozenset(), frozenset()) or not groups[0].isdisjoint(groups[1])
