"""Icons of technologies as the use cases see them: those that come along, and those of the operator's folder."""

from __future__ import annotations

from typing import Protocol

from draftsmith.model.technologies import TechnologyIcon


class Icons(Protocol):
    """The icons of this installation, which stay the same while it runs."""

    @property
    def version(self) -> str:
        """Names them all; other icons have another one."""
        ...

    def find(self, technology: str) -> TechnologyIcon | None:
        """The icon of a technology, or None."""
        ...

    def read(self, icon: TechnologyIcon) -> bytes | None:
        """The SVG of an icon, small and in memory once it was read; None if its file is gone."""
        ...
