"""What the commands `token` and `user` share: doing something as an administrator.

Whoever runs them has the data folder or the store's address, and so is an administrator.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from draftsmith.cli.store import LoadSettings, OpenStore, with_store

if TYPE_CHECKING:
    from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

T = TypeVar("T")
Work = Callable[["AccessDependencies", "Asking"], Awaitable[T]]


def with_access(load: LoadSettings, data_dir: Path | None, work: Work[T]) -> T:
    """Do something as an administrator on the store."""

    async def run(store: OpenStore) -> T:
        return await work(*administering(store))

    return with_store(load(data_dir=data_dir), run)


def administering(store: OpenStore) -> tuple[AccessDependencies, Asking]:
    """What the use cases of access need on an open store, and the administrator who asks."""
    from draftsmith.access.principal import Principal
    from draftsmith.history.actor import Actor
    from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

    asking = Asking(Principal(Actor("local:command", "Command line", "script"), "local", is_admin=True), "command line")
    return AccessDependencies(stores=store.access, clock=store.clock), asking
