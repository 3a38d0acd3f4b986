"""The command `import`: through the server where one runs, else on its store."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import click

from draftsmith.cli.store import (
    DataSettings,
    LoadSettings,
    OpenStore,
    data_dir_option,
    open_images,
    print_message,
    with_store,
)
from draftsmith.errors import DraftsmithError
from draftsmith.model.formats import IMPORT_FORMATS, ImportFormat, format_of
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.readers.reading import SourceFile
from draftsmith.model.readers.registry import READERS, recognize

if TYPE_CHECKING:
    from draftsmith.usecases.upkeep.import_export import Import

FORMAT_CHOICES: Final = tuple(dict.fromkeys((*IMPORT_FORMATS, *READERS)))


@click.command("import")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--name", help="What to call it, or the folder of several; else what the file says.")
@click.option("--format", "form", type=click.Choice(FORMAT_CHOICES), help="Else it is recognized.")
@click.option(
    "--page", "--part", type=click.IntRange(min=1), help="Only this page or part, from 1; else each becomes one."
)
@click.option("--into", metavar="WORKSPACE", help="Compare with this workspace, and change nothing.")
@click.option("--apply", "applies", is_flag=True, help="With --into: take over what is new and changed, as one commit.")
@click.option("--propose", "proposes", is_flag=True, help="With --into: propose that; takes a running server.")
@click.option("--delete", metavar="ID", multiple=True, help="With --into: also remove this, which is no longer there.")
@data_dir_option
@click.pass_obj
def import_(
    load: LoadSettings,
    paths: tuple[Path, ...],
    name: str | None,
    form: str | None,
    page: int | None,
    into: str | None,
    applies: bool,
    proposes: bool,
    delete: tuple[str, ...],
    data_dir: Path | None,
) -> None:
    """Make workspaces of files and folders, and print their ids.

    The format is recognized: an export of Draftsmith (JSON), Markdown, Mermaid, text, draw.io and others. Of several
    files, or a drawing with several pages, each part becomes a workspace, in a folder if there are several files.
    """
    settings = load(data_dir=data_dir)
    if into is None and (applies or proposes or delete):
        raise click.UsageError("--apply, --propose and --delete go with --into.")
    if into is None and len(paths) == 1 and not paths[0].is_dir() and _is_plain(paths[0], form):
        _import_plain(settings, paths[0], name, form, page)
        return
    from draftsmith.cli.import_files import ImportCommand, files_of, say_where, with_charts
    from draftsmith.cli.import_into import OpenImportCommand

    found = files_of(paths)
    found.report_folders()
    files = with_charts(settings, found.files, form)
    if not files:
        raise DraftsmithError("file_unreadable", "There is no file that could be imported.")
    if into is None:
        made: list[str] = []
        for one in ImportCommand(settings, files, form, name).run(page):
            click.echo(one)
            made.append(one)
        say_where(settings, made)
        return
    from draftsmith.usecases.requests.identity import check_id

    command = OpenImportCommand(settings, check_id(into), files, form, page)
    command.run(applies=applies, proposes=proposes, delete=delete)


def _is_plain(file: Path, form: str | None) -> bool:
    """Whether a file is of one of the formats of which the server has forms of their own."""
    if form is not None or format_of(file.name) is None:
        return form in IMPORT_FORMATS
    try:
        content = file.read_bytes()
    except OSError:
        return True  # which says so
    found = recognize([SourceFile(file.name, content)]).sets
    return not found or found[0].reader in IMPORT_FORMATS


def _import_plain(settings: DataSettings, file: Path, name: str | None, form: str | None, page: int | None) -> None:
    """Make a workspace of a file, or one of each page of a drawing, and print their ids."""
    from draftsmith.cli.import_files import say_where, with_charts
    from draftsmith.usecases.upkeep.import_export import import_drawing, import_workspace

    form = cast(ImportFormat | None, form)
    form = form or format_of(file.name)
    if form is None:
        raise DraftsmithError("format_unknown", f"{file.name} does not say what it is; add --format.")
    try:
        raw = file.read_bytes()
    except OSError as problem:
        raise DraftsmithError("file_unreadable", f"{file} cannot be read: {problem.strerror}.") from problem
    if form == "drawio":
        pages = import_drawing(raw, page)
    elif page is not None:
        raise click.UsageError("Only a drawing has pages.")
    else:
        (parsed,) = with_charts(settings, [SourceFile(file.name, raw)], form)
        pages = [import_workspace(raw, form, parsed.parsed)]
    stem = file.stem.removesuffix(".drawio").removesuffix(".diagram")
    made: list[str] = []
    for number, found in enumerate(pages, 1):
        title = _title(name, found, stem, number if len(pages) > 1 else None)
        for notice in found.notices:
            print_message(notice if len(pages) == 1 else f"{title}: {notice}")
        created = _create_through_server(settings, title, found) or _create_directly(settings, title, found)
        asyncio.run(_put_images(settings, WorkspaceId(created), found))
        click.echo(created)
        made.append(created)
    say_where(settings, made)


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
    from draftsmith.adapters.files.import_request import create_on
    from draftsmith.cli.import_files import new_key, url_of

    url = url_of(settings)
    return None if url is None else create_on(url, {"name": name, "import": found.body}, new_key())


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
