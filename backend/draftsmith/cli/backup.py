"""The command `backup`. Not here: what is in a backup (`usecases.upkeep.backup`)."""

from __future__ import annotations

from pathlib import Path

import click

from draftsmith import __version__
from draftsmith.cli.progress import plural, progress
from draftsmith.cli.store import (
    LoadSettings,
    OpenStore,
    data_dir_option,
    file_path,
    open_images,
    print_message,
    with_store,
)
from draftsmith.errors import DraftsmithError


@click.command("backup")
@click.argument("file", type=file_path)
@click.option("--force", is_flag=True, help="Overwrite FILE if it is there.")
@data_dir_option
@click.pass_obj
def backup(load: LoadSettings, file: Path, force: bool, data_dir: Path | None) -> None:
    """Write all workspaces with their whole history into FILE, also while Draftsmith runs."""
    from draftsmith.adapters.files.backup_file import BackupWriter
    from draftsmith.usecases.upkeep.backup import back_up

    settings = load(data_dir=data_dir)

    async def work(store: OpenStore) -> tuple[int, int, list[str]]:
        ids = sorted({*await store.index.all(), *await store.index.scan()})
        async with open_images(settings) as images:
            with BackupWriter(file, force) as writer:
                tell = progress("Saved", len(ids))
                saved, failures = await back_up(store.log, ids, writer, tell, store.access.workspaces, images)
                people, folders = await store.access.users.all(), (await store.access.folders.all()).folders.values()
                size = writer.finish(f"draftsmith {__version__}", store.clock.now_ms(), saved, people, list(folders))
        return len(saved), size, failures

    count, size, failures = with_store(settings, work)
    print_message(f"Wrote {file}: {plural(count, 'workspace')}, {size:,} bytes.")
    if failures:
        raise DraftsmithError("backup_incomplete", f"Not everything is in the backup. {' '.join(failures)}")
