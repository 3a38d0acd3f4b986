"""The command `import`: through the server where one runs, else on its store."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from draftsmith.cli.store import (
    DataSettings,
    LoadSettings,
    OpenStore,
    data_dir_option,
    file_path,
    open_images,
    print_message,
    with_store,
)
from draftsmith.errors import DraftsmithError
from draftsmith.model.formats import FORMATS, Format, format_of
from draftsmith.model.ids import WorkspaceId

if TYPE_CHECKING:
    from draftsmith.usecases.upkeep.import_export import Import


@click.command("import")
@click.argument("file", type=file_path)
@click.option("--name", help="What to call it; else what the file says.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Else told by its name.")
@data_dir_option
@click.pass_obj
def import_(load: LoadSettings, file: Path, name: str | None, form: Format | None, data_dir: Path | None) -> None:
    """Create a workspace from FILE (JSON export, Markdown or Mermaid) and print its id."""
    from draftsmith.usecases.upkeep.import_export import import_workspace

    settings = load(data_dir=data_dir)
    form = form or format_of(file.name)
    if form is None:
        raise click.UsageError(
            f"{file.name} does not say what it is; add --format {', '.join(FORMATS[:-1])} or {FORMATS[-1]}."
        )
    try:
        raw = file.read_bytes()
    except OSError as problem:
        raise DraftsmithError("file_unreadable", f"{file} cannot be read: {problem.strerror}.") from problem
    found = import_workspace(raw, form)
    for line in found.unread:
        print_message(f"Line {line['line']} was not taken over: {line['reason']}")
    title = (name or found.name or file.stem).strip()[:200] or "Untitled"
    created = _create_through_server(settings, title, found) or _create_directly(settings, title, found)
    asyncio.run(_put_images(settings, WorkspaceId(created), found))
    click.echo(created)


async def _put_images(settings: DataSettings, workspace_id: WorkspaceId, found: Import) -> None:
    """Put the images of an export where the server has them, whether one runs or not."""
    if found.images:
        async with open_images(settings) as images:
            await images.put_exported(workspace_id, found.images)


def _create_through_server(settings: DataSettings, name: str, found: Import) -> str | None:
    """Create it through the running server; None if there is none or it requires a login."""
    from draftsmith.adapters.embedded.folder import DataFolder
    from draftsmith.adapters.files.import_request import create_on
    from draftsmith.adapters.process.system import SystemClock

    holder = DataFolder(settings.data_dir).holder_or_none() if settings.redis_url is None else None
    if holder is None or holder.url is None:
        return None
    return create_on(holder.url, name, found.body, f"import-{SystemClock().new_id()}")


def _create_directly(settings: DataSettings, name: str, found: Import) -> str:
    from draftsmith.history.actor import Actor
    from draftsmith.model.limits import WorkspaceLimits
    from draftsmith.usecases.commits.workspaces import Workspaces
    from draftsmith.usecases.requests.identity import fingerprint, identify

    limits = WorkspaceLimits(settings.max_nodes, settings.max_edges, document_chars=settings.max_document_chars)

    async def create(store: OpenStore) -> str:
        actor = Actor("local:cli", "Command line", "script")
        workspaces = Workspaces(store.log, store.index, store.clock, limits, "cli")
        identity = identify(actor, None, store.clock)
        mark = fingerprint({"name": name, "import": found.body})
        workspace_id, _ = await workspaces.create(
            identity, actor, name=name, content=found.content, source="import", fingerprint=mark
        )
        return workspace_id

    return with_store(settings, create)
