"""The command `history purge`. Not here: what it does (`usecases.upkeep.purge`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from draftsmith.cli_data import LoadSettings, Store, data_dir_option, print_message, with_store

if TYPE_CHECKING:
    from draftsmith.usecases.upkeep.purge import Purged

_STILL = """Still to do, where the secret may stand as well:
- files that `draftsmith backup` and exports have written, and copies of the data folder: delete or replace them;
- the secret itself: whoever saw it has it, so make it worthless where it is used."""


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

    History, undo, checkpoints, conversation and proposals go; open pages load the workspace anew.
    """
    from draftsmith.usecases.commits.identity import check_id
    from draftsmith.usecases.upkeep.purge import purge_history

    workspace_id = check_id(workspace)
    secret = click.prompt("The secret", hide_input=True, err=True) if check else ""
    if not yes:
        click.confirm("Its history cannot be brought back. Go on?", abort=True, err=True)

    async def work(store: Store) -> tuple[Purged, bool]:
        done = await purge_history(store.log, store.runs, store.clock, workspace_id, secret)
        return done, await store.rewrite_files()

    done, is_rewritten = with_store(load(data_dir=data_dir), work)
    print_message(f"“{done.name}” begins at revision {done.revision:,} now; {done.states:,} older states were dropped.")
    if not is_rewritten:
        print_message(
            "The store's files still hold what was: run BGREWRITEAOF on it, and BGSAVE where there are RDB files."
        )
    print_message(_STILL)
