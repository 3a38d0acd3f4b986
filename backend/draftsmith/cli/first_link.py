"""Prints the link for a first administrator; the launcher runs it in a process of its own."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from draftsmith.errors import DraftsmithError

if TYPE_CHECKING:
    from draftsmith.cli.store import OpenStore


def first_link(store_url: str) -> str | None:
    """Make the link of a first administrator; None where there is one already.

    Raises:
        DraftsmithError: as the store.
    """
    import asyncio

    from draftsmith.cli.store import run_on_store
    from draftsmith.usecases.access import sessions
    from draftsmith.usecases.access.dependencies import AccessDependencies

    async def work(store: OpenStore) -> str | None:
        needs = AccessDependencies(stores=store.access, clock=store.clock)
        return None if await sessions.has_administrator(needs) else await sessions.administrator_link(needs)

    return asyncio.run(run_on_store(store_url, work))


def show_first_link(url: str) -> None:
    """Print a link for a first administrator where nobody administers the server at `url`."""
    try:
        link = first_link(os.environ["DRAFTSMITH_STORE_URL"])
    except DraftsmithError as problem:
        click.echo(f"No link for a first administrator: {problem.detail}")
        return
    if link is not None:
        click.echo(f"Nobody administers this server yet. Open once, within 24 hours: {url}/sign-in#{link}")


if __name__ == "__main__":
    show_first_link(sys.argv[1])
