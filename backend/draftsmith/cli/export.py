"""The command `export`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

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
from draftsmith.model.formats import (
    FORMATS,
    LEAST_SCALE,
    MOST_SCALE,
    PICTURE_FORMATS,
    THEMES,
    ExportFormat,
    Format,
    PictureFormat,
    Theme,
)
from draftsmith.model.ids import WorkspaceId

if TYPE_CHECKING:
    from draftsmith.history.replica import Replica
    from draftsmith.model.workspace import Workspace
    from draftsmith.ports.engines import Engine
    from draftsmith.usecases.upkeep.pictures import PictureOptions


@click.command("export")
@click.argument("workspace")
@click.option(
    "--format", "form", type=click.Choice([*FORMATS, "pdf", "zip", *PICTURE_FORMATS]), default="json", show_default=True
)
@click.option("-o", "--output", type=file_path, help="File to write; standard output if not given.")
@click.option("--theme", type=click.Choice(THEMES), default="light", show_default=True, help="Colours of a picture.")
@click.option(
    "--scale",
    type=click.FloatRange(LEAST_SCALE, MOST_SCALE),
    default=1.0,
    show_default=True,
    help="Pixels of a picture for each of the diagram.",
)
@click.option("--section", help="Draw what this section links to, no more.")
@click.option("--node", "nodes", multiple=True, help="Draw this node with what it holds; repeat it for several.")
@data_dir_option
@click.pass_obj
def export(
    load: LoadSettings,
    workspace: str,
    form: ExportFormat | PictureFormat,
    output: Path | None,
    theme: Theme,
    scale: float,
    section: str | None,
    nodes: tuple[str, ...],
    data_dir: Path | None,
) -> None:
    """Write WORKSPACE (its id) as a file; JSON holds everything of its newest state, SVG and PNG show its diagram.

    PDF is the exported page on paper, made where the extra `pdf` is installed. ZIP is everything: all formats,
    pictures of the diagram, and images.
    """
    from draftsmith.usecases.upkeep.import_export import WRITERS
    from draftsmith.usecases.upkeep.pictures import PictureOptions

    settings = load(data_dir=data_dir)
    replica = with_store(settings, lambda store: _read(store, workspace))
    if form in PICTURE_FORMATS:
        options = PictureOptions(form, theme, scale, section, nodes)
        content = asyncio.run(_draw(settings, WorkspaceId(workspace), options, replica.workspace))
    elif form == "pdf":
        content = asyncio.run(_make_pdf(settings, WorkspaceId(workspace), replica))
    elif form == "zip":
        content = asyncio.run(_archive(settings, WorkspaceId(workspace), replica.workspace))
    else:
        content = WRITERS[cast(Format, form)].file(replica.workspace)
        if form == "json":
            content = asyncio.run(_with_images(settings, WorkspaceId(workspace), content))
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(content)
    except OSError as problem:
        raise DraftsmithError("file_unwritable", f"{output} cannot be written: {problem.strerror}.") from problem
    print_message(f"Wrote {output}: revision {replica.head.revision:,} of “{replica.workspace.name}”.")


async def _with_images(settings: DataSettings, workspace_id: WorkspaceId, content: bytes) -> bytes:
    async with open_images(settings) as images:
        return b"".join([piece async for piece in images.export(workspace_id, content)])


async def _draw(
    settings: DataSettings, workspace_id: WorkspaceId, options: PictureOptions, workspace: Workspace
) -> bytes:
    from draftsmith.components import icons_of
    from draftsmith.settings import Settings
    from draftsmith.usecases.upkeep.pictures import draw, images_for, question_for

    icons = icons_of(cast(Settings, settings))  # which `LoadSettings` gives
    async with _engine(settings, _no_pictures) as engine, open_images(settings) as images:
        question = question_for(options, workspace)
        drawn = await images_for(images, icons, workspace_id, question)
        return (await draw(engine, question, drawn)).content


async def _archive(settings: DataSettings, workspace_id: WorkspaceId, workspace: Workspace) -> bytes:
    from draftsmith.usecases.upkeep.archives import PICTURES, files_of, zip_pieces

    files = files_of(workspace)
    left_out: dict[str, str] = {}
    for name, options in PICTURES.items() if workspace.diagram.node_count else ():
        try:
            files[name] = await _draw(settings, workspace_id, options, workspace)
        except DraftsmithError as error:
            left_out[name] = error.detail
    async with open_images(settings) as images:
        pieces = zip_pieces(files, left_out, images, workspace_id, datetime.now(UTC))
        return b"".join([piece async for piece in pieces])


async def _make_pdf(settings: DataSettings, workspace_id: WorkspaceId, replica: Replica) -> bytes:
    from draftsmith.components import icons_of
    from draftsmith.settings import Settings
    from draftsmith.usecases.upkeep.papers import make_pdf, page_content, pdf_unavailable, question_for
    from draftsmith.usecases.upkeep.pictures import images_for

    content, day = page_content(replica.workspace), datetime.now(UTC)
    icons = icons_of(cast(Settings, settings))  # which `LoadSettings` gives
    async with _engine(settings, pdf_unavailable) as engine, open_images(settings) as images:
        question = await question_for(images, workspace_id, replica.head.revision, content, day)
        return await make_pdf(engine, question, await images_for(images, icons, workspace_id, content))


def _no_pictures(missing: str) -> DraftsmithError:
    return DraftsmithError("pictures_unavailable", f"Pictures cannot be drawn here: {missing}.")


@asynccontextmanager
async def _engine(settings: DataSettings, refusal: Callable[[str], DraftsmithError]) -> AsyncIterator[Engine]:
    from draftsmith.adapters.files.editor_folder import static_folder
    from draftsmith.adapters.server.engine_process import PictureProcess, missing_for_pictures, pictures_in

    static = settings.editor_dir or static_folder()
    missing = missing_for_pictures(static)
    if missing or static is None:
        raise refusal(missing)
    engine = PictureProcess(pictures_in(static))
    try:
        yield engine
    finally:
        await engine.close()


async def _read(store: OpenStore, text: str) -> Replica:
    from draftsmith.usecases.replicas.log_reader import FrozenReplica, load_or_freeze
    from draftsmith.usecases.requests.identity import check_id

    workspace_id = check_id(text)
    try:
        return await load_or_freeze(store.log, workspace_id)
    except FrozenReplica as frozen:
        print_message(
            f"This workspace is frozen ({frozen.corrupt}); this is revision {frozen.replica.head.revision:,} of it."
        )
        return frozen.replica
