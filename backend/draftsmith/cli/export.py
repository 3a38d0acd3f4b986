"""The command `export`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from draftsmith.cli.store import LoadSettings, OpenStore, data_dir_option, file_path, print_message, with_store
from draftsmith.errors import DraftsmithError
from draftsmith.model.formats import FORMATS, Format

if TYPE_CHECKING:
    from draftsmith.history.replica import Replica


@click.command("export")
@click.argument("workspace")
@click.option("--format", "form", type=click.Choice(FORMATS), default="json", show_default=True)
@click.option("-o", "--output", type=file_path, help="File to write; standard output if not given.")
@data_dir_option
@click.pass_obj
def export(load: LoadSettings, workspace: str, form: Format, output: Path | None, data_dir: Path | None) -> None:
    """Write WORKSPACE (its id) as a file; JSON holds everything of its newest state."""
    from draftsmith.usecases.upkeep.import_export import WRITERS

    replica = with_store(load(data_dir=data_dir), lambda store: _read(store, workspace))
    content = WRITERS[form].file(replica.workspace)
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(content)
    except OSError as problem:
        raise DraftsmithError("file_unwritable", f"{output} cannot be written: {problem.strerror}.") from problem
    print_message(f"Wrote {output}: revision {replica.head.revision:,} of “{replica.workspace.name}”.")


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
