"""The command `recover`.

Not here: how a backup comes back (`usecases.upkeep.recover`) and what a repair does (`usecases.upkeep.repair`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from draftsmith.cli.progress import plural, progress, workspace_text
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

if TYPE_CHECKING:
    from draftsmith.adapters.files.backup_file import BackupReader
    from draftsmith.history.commit import Entry
    from draftsmith.usecases.upkeep.backup import SavedWorkspace
    from draftsmith.usecases.upkeep.recover import RecoveryResult

_WHAT = {
    "recovered": "Recovered",
    "unchanged": "Unchanged, nothing to do",
    "newer": "LEFT ALONE, what is there is newer (--force, --as-copies)",
}


@click.command("recover")
@click.argument("file", type=file_path, required=False)
@click.option("--workspace", "only", help="Only this workspace (its id).")
@click.option("--as-copies", is_flag=True, help="Beside what is there, under new ids.")
@click.option("--force", is_flag=True, help="Also in place of workspaces that have been worked on since.")
@click.option("--any-size", is_flag=True, help="However large it is unpacked; for a backup that is your own.")
@click.option("--repair", "frozen", metavar="WORKSPACE", help="Make a frozen workspace usable again; needs no FILE.")
@data_dir_option
@click.pass_obj
def recover(
    load: LoadSettings,
    file: Path | None,
    only: str | None,
    as_copies: bool,
    force: bool,
    any_size: bool,
    frozen: str | None,
    data_dir: Path | None,
) -> None:
    """Bring workspaces back from the backup FILE, with history and undo; or repair a frozen one."""
    if (file is None) == (frozen is None):
        raise click.UsageError("Give a backup FILE, or --repair WORKSPACE.")
    settings = load(data_dir=data_dir)
    if frozen is not None:
        if only or as_copies or force or any_size:
            raise click.UsageError("--repair goes with no other option.")
        _repair(settings, frozen)
    elif file is not None:
        _recover(settings, file, only, as_copies, force, any_size)


def _recover(
    settings: DataSettings, file: Path, only: str | None, as_copies: bool, force: bool, any_size: bool
) -> None:
    from draftsmith.adapters.files.backup_file import NO_LIMITS, BackupReader
    from draftsmith.usecases.upkeep.recover import check, recover
    from draftsmith.usecases.upkeep.recover_access import SavedAccess, recover_access, recover_folders

    async def work(store: OpenStore, reader: BackupReader, chosen: Sequence[SavedWorkspace]) -> list[RecoveryResult]:
        done = []
        knew_nobody = not await store.access.users.all()
        around = SavedAccess(reader.people, reader.folders)
        if only is None and not (await store.access.folders.all()).folders:  # then also those with nothing in them
            every = [folder.id for folder in reader.folders]
            await recover_folders(store.access, around, every, with_administrators=knew_nobody)
        for number, one in enumerate(chosen, 1):
            async with open_images(settings) as images:
                result = await recover(
                    store.log, store.index, store.clock, reader, one,
                    as_copy=as_copies, force=force, blobs=images.blobs,
                )  # fmt: skip
            if result.outcome == "recovered":
                await recover_access(
                    store.access, result.id, one.access, around,
                    as_copy=as_copies, with_administrators=knew_nobody,
                )  # fmt: skip
            where = f" as {result.id}" if as_copies else ""
            print_message(f"{number} of {len(chosen)}: {_WHAT[result.outcome]}: {workspace_text(one)}{where}.")
            done.append(result)
        return done

    with BackupReader(file, NO_LIMITS if any_size else None) as reader:
        chosen = [one for one in reader.saved if only in (None, one.id)]
        if not chosen:
            what = "holds no workspace" if only is None else f"does not hold the workspace {only}"
            raise DraftsmithError("workspace_not_found", f"{file} {what}.")
        check(reader, chosen, progress("Checked", len(chosen)))
        done = with_store(settings, lambda store: work(store, reader, chosen))
    newer = sum(one.outcome == "newer" for one in done)
    if newer:
        message = f"{plural(newer, 'workspace')} had been worked on since the backup and was left as it is."
        raise DraftsmithError("newer_exists", message)


def _repair(settings: DataSettings, text: str) -> None:
    from draftsmith.usecases.requests.identity import check_id
    from draftsmith.usecases.upkeep.repair import repair

    workspace_id = check_id(text)
    places: list[Path] = []

    async def work(store: OpenStore) -> None:
        async def set_aside(entries: Sequence[Entry]) -> None:
            name = f"{workspace_id}-{entries[0].revision}-{entries[-1].revision}-{store.clock.now_ms()}.jsonl"
            places.append(_set_aside(settings.data_dir / "repaired" / name, entries))

        done = await repair(store.log, workspace_id, store.clock, set_aside)
        if done is None:
            print_message("Nothing to repair: the whole log can be applied.")
            return
        print_message(f"Why: {done.reason}.")
        print_message(
            f"The workspace goes on from revision {done.revision:,}; "
            f"before, its log ended at {done.previous_revision:,}."
        )
        if places:
            print_message(f"{plural(len(done.entries_left), 'commit')} that could not stay: {places[0]}")

    with_store(settings, work)


def _set_aside(path: Path, entries: Sequence[Entry]) -> Path:
    """Write commits as JSON lines, on disk before anything is changed."""
    from draftsmith.usecases.upkeep.backup import entry_line

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.writelines(map(entry_line, entries))
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        message = f"{path} cannot be written: {problem.strerror}. Nothing was changed."
        raise DraftsmithError("file_unwritable", message) from problem
    return path
