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
from draftsmith.model.formats import IMPORT_FORMATS, ImportFormat, format_of
from draftsmith.model.ids import WorkspaceId

if TYPE_CHECKING:
    from draftsmith.usecases.upkeep.import_export import Import


@click.command("import")
@click.argument("file", type=file_path)
@click.option("--name", help="What to call it; else what the file says.")
@click.option("--format", "form", type=click.Choice(IMPORT_FORMATS), help="Else told by its name.")
@click.option("--page", type=click.IntRange(min=1), help="Of a drawing: only this page, from 1; else each becomes one.")
@data_dir_option
@click.pass_obj
def import_(
    load: LoadSettings, file: Path, name: str | None, form: ImportFormat | None, page: int | None, data_dir: Path | None
) -> None:
    """Create a workspace from FILE (JSON export, Markdown, Mermaid, text or draw.io) and print its id.

    Of a drawing with several pages each becomes a workspace; their ids are printed in that order.
    """
    from draftsmith.usecases.upkeep.import_export import import_drawing, import_workspace

    settings = load(data_dir=data_dir)
    form = form or format_of(file.name)
    if form is None:
        raise click.UsageError(
            f"{file.name} does not say what it is; add --format "
            f"{', '.join(IMPORT_FORMATS[:-1])} or {IMPORT_FORMATS[-1]}."
        )
    try:
        raw = file.read_bytes()
    except OSError as problem:
        raise DraftsmithError("file_unreadable", f"{file} cannot be read: {problem.strerror}.") from problem
    if form == "drawio":
        pages = import_drawing(raw, page)
    elif page is not None:
        raise click.UsageError("Only a drawing has pages.")
    else:
        pages = [import_workspace(raw, form)]
    stem = file.stem.removesuffix(".drawio").removesuffix(".diagram")
    for number, found in enumerate(pages, 1):
        title = _title(name, found, stem, number if len(pages) > 1 else None)
        for notice in found.notices:
            print_message(notice if len(pages) == 1 else f"{title}: {notice}")
        created = _create_through_server(settings, title, found) or _create_directly(settings, title, found)
        asyncio.run(_put_images(settings, WorkspaceId(created), found))
        click.echo(created)


def _title(name: str | None, found: Import, stem: str, number: int | None) -> str:
    """What to call a workspace; with a number, where several come from one file."""
    own = found.name if name is None or number is None else ""
    title = (name or own or stem).strip()
    if number is not None and not own:
        title = f"{title[:190]} {number}"
    return title[:200] or "Untitled"


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
