"""The command `history purge`. Not here: what it does (`usecases.upkeep.purge`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from draftsmith.cli.store import LoadSettings, OpenStore, data_dir_option, open_images, print_message, with_store

if TYPE_CHECKING:
    from draftsmith.usecases.upkeep.purge import PurgeResult, TextHolder

_STILL = """Still to do, where the secret may stand as well:
- files that `draftsmith backup` and exports have written, and copies of the data folder: delete or replace them;
- debug-runs/ in the data folders of other machines with workers on this store: delete what is in it;
- pages that were closed before they had saved: what they keep is in the storage of that browser for this site;
- the secret itself: whoever saw it has it, so make it worthless where it is used."""
_NOT_LOOKED = """- copies of this workspace, those in the trash included: with --check they are looked for and named;"""


def _holder_text(other: TextHolder) -> str:
    """Where else it stands, and what to do."""
    where = f"the workspace “{other.name}” ({other.id}){', which is in the trash' if other.is_deleted else ''}"
    purge = f"`draftsmith history purge {other.id} --check`"
    if not other.stands:
        return f"the history of {where}: {purge};"
    restore = "take it out of the trash, " if other.is_deleted else ""
    return f"{where}: {restore}delete it there, then {purge};"


@click.group("history")
def history() -> None:
    """What the store keeps of earlier states."""


@history.command("purge")
@click.argument("workspace")
@click.option("--check", is_flag=True, help="Ask for the secret, unseen, and refuse while it stands in the workspace.")
@click.option("--yes", is_flag=True, help="Do not ask whether you mean it.")
@data_dir_option
@click.pass_obj
def purge(load: LoadSettings, workspace: str, check: bool, yes: bool, data_dir: Path | None) -> None:
    """Forget everything of WORKSPACE (its id) but what stands in it now, for a secret that was written into it.

    History, undo, checkpoints, conversation, proposals and debug records go; open pages load the workspace anew. With
    --check, other workspaces that hold the secret are named, those in the trash included.
    """
    from draftsmith.adapters.files.debug_files import FOLDER, remove_records
    from draftsmith.usecases.requests.identity import check_id
    from draftsmith.usecases.upkeep.purge import holders, purge_history

    workspace_id = check_id(workspace)
    secret = click.prompt("The secret", hide_input=True, err=True) if check else ""
    if not yes:
        click.confirm("Its history cannot be brought back. Go on?", abort=True, err=True)

    settings = load(data_dir=data_dir)

    async def work(store: OpenStore) -> tuple[PurgeResult, bool, list[TextHolder]]:
        async with open_images(settings) as images:
            done = await purge_history(store.log, store.runs, store.clock, workspace_id, secret, blobs=images.blobs)
        others = await holders(store.log, store.index, workspace_id, secret) if secret else []
        return done, await store.rewrite_files(), others

    done, is_rewritten, others = with_store(settings, work)
    removed, left = remove_records(settings.data_dir / FOLDER, workspace_id, secret)
    print_message(f"“{done.name}” begins at revision {done.revision:,} now; {done.states:,} older states were dropped.")
    print_message(f"{done.images:,} images that it does not show now were removed.")
    print_message(f"{removed:,} debug records of requests to the assistant were removed.")
    if not is_rewritten:
        print_message(
            "The store's files still hold what was: run BGREWRITEAOF on it, and BGSAVE where there are RDB files."
        )
    print_message(_STILL)
    if not check:
        print_message(_NOT_LOOKED)
    for path in [*left, *sorted((settings.data_dir / "repaired").glob(f"{workspace_id}-*.jsonl"))]:
        print_message(f"- the file {path}: delete it;")
    for other in others:
        print_message(f"- {_holder_text(other)}")
