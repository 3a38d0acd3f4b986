"""An open block of Structurizr DSL: what reads the statements in it, and what these are about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from draftsmith.model.readers.structurizr.c4 import C4Element, C4Environment, C4Facts
from draftsmith.model.readers.structurizr.statements import Statement


@dataclass(frozen=True, slots=True)
class DslBlock:
    """An open block.

    Attributes:
        read: reads a statement, and returns the block that it opens; None for one whose content is passed over.
        facts: what descriptions, tags and properties in it are said of.
        element: what `this` means in it, and what identifiers in it belong to.
        parent: what new elements stand in: the element, or a group in it.
        environment: the deployment environment that it is part of.
    """

    read: Callable[[DslBlock, Statement], DslBlock | None]
    facts: C4Facts | None = None
    element: C4Element | None = None
    parent: C4Element | None = None
    environment: C4Environment | None = None

    def around(self, element: C4Element, environment: C4Environment | None) -> DslBlock:
        """The block of an element, read as this one."""
        return DslBlock(self.read, facts=element, element=element, parent=element, environment=environment)

    def around_group(self, group: C4Element) -> DslBlock:
        """The block of a group in this one."""
        return replace(self, facts=group, parent=group)


def pass_over(block: DslBlock, statement: Statement) -> None:
    """Read nothing of a block whose beginning was listed, or is not kept on purpose."""
