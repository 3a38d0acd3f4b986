"""What `backup` and `recover` print while they go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from draftsmith.cli.store import print_message

if TYPE_CHECKING:
    from draftsmith.usecases.upkeep.backup import SavedWorkspace


def progress(verb: str, total: int) -> Callable[[int, SavedWorkspace], None]:
    """Prints a line for each workspace that is done, of so many."""

    def tell_one(number: int, saved: SavedWorkspace) -> None:
        print_message(f"{number} of {total}: {verb} {workspace_text(saved)}.")

    return tell_one


def workspace_text(saved: SavedWorkspace) -> str:
    """A workspace by name, id and revision."""
    return f"“{saved.summary.get('name', '')}” ({saved.id}), revision {saved.head.revision:,}"


def plural(count: int, what: str) -> str:
    """A number of things in words."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
