"""What identifiers of Structurizr DSL mean: flat ones everywhere, hierarchical ones from where they stand outwards.

Letter case makes no difference. Identifiers of relationships are flat always.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from draftsmith.model.readers.limits import MAX_SOURCE
from draftsmith.model.readers.structurizr.blocks import DslBlock
from draftsmith.model.readers.structurizr.c4 import C4Element, C4Environment, C4Relationship

_MOST_OWNERS: Final = 100
"""How far outwards an identifier is looked for, and how many it is made of."""
_Owner = C4Element | C4Environment | None


class Identifiers:
    """The identifiers of a workspace.

    Attributes:
        is_hierarchical: those that are given from now on belong to the element around them.
    """

    def __init__(self) -> None:
        self.is_hierarchical = False
        self._named: dict[tuple[_Owner, str], C4Element | C4Environment] = {}
        self._relationships: dict[str, C4Relationship] = {}

    def add(self, identifier: str, named: C4Element | C4Environment, block: DslBlock) -> bool:
        """Give an identifier to what stands in a block; False if something else has it."""
        owner = (block.element or block.environment) if self.is_hierarchical else None
        known = self._named.setdefault((owner, identifier.lower()), named)
        if known is named and not named.identifier:
            named.identifier = _full_identifier(identifier, owner)
        return known is named

    def add_relationship(self, identifier: str, relationship: C4Relationship) -> bool:
        """Give an identifier to a relationship; False if another has it."""
        known = self._relationships.setdefault(identifier.lower(), relationship)
        if known is relationship and len(identifier) <= MAX_SOURCE:
            relationship.identifier = identifier
        return known is relationship

    def relationship(self, identifier: str) -> C4Relationship | None:
        """The relationship of that identifier."""
        return self._relationships.get(identifier.lower())

    def element(self, identifier: str, block: DslBlock, kinds: Container[str] | None = None) -> C4Element | None:
        """The element that an identifier means in a block, if it is of one of those kinds."""
        if identifier.lower() == "this":
            return block.element
        for found in self._possible_meanings(identifier, block):
            if isinstance(found, C4Element) and (kinds is None or found.kind in kinds):
                return found
        return None

    def element_or_environment(self, identifier: str, block: DslBlock) -> C4Element | C4Environment | None:
        """The element or environment that an identifier means in a block."""
        return next(self._possible_meanings(identifier, block), None)

    def _possible_meanings(self, identifier: str, block: DslBlock) -> Iterator[C4Element | C4Environment]:
        """What it may mean, what is nearest first."""
        first, *parts = identifier.lower().split(".", _MOST_OWNERS)
        for owner in _owners(block):
            found = self._named.get((owner, first))
            for part in parts:
                found = None if found is None else self._named.get((found, part))
            if found is not None:
                yield found


def _owners(block: DslBlock) -> Iterator[_Owner]:
    current = block.element
    for _ in range(_MOST_OWNERS):
        if current is None:
            break
        if current.kind != "group":
            yield current
        current = current.parent
    if block.environment is not None:
        yield block.environment
    yield None


def _full_identifier(identifier: str, owner: _Owner) -> str:
    """With the identifiers of what is around it; empty where that has none."""
    if owner is not None and not owner.identifier:
        return ""
    full = identifier if owner is None else f"{owner.identifier}.{identifier}"
    return full if len(full) <= MAX_SOURCE else ""
