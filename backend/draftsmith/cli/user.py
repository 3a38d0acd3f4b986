"""The command `user`: people and administrators; also while Draftsmith runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from draftsmith.cli.administering import with_access
from draftsmith.cli.store import LoadSettings, data_dir_option, print_message

if TYPE_CHECKING:
    from draftsmith.access.records import ApiKey
    from draftsmith.usecases.access.dependencies import AccessDependencies, Asking


@click.group("user")
def user() -> None:
    """List and remove people, make administrators."""


@user.command("list")
@data_dir_option
@click.pass_obj
def list_users(load: LoadSettings, data_dir: Path | None) -> None:
    """List people: id, whether they administer, name, address."""

    async def work(needs: AccessDependencies, _: Asking) -> list[str]:
        found = await needs.stores.users.all()
        return [f"{one.id}  {'admin' if one.is_admin else '     '}  {one.name}  {one.email}".rstrip() for one in found]

    for line in with_access(load, data_dir, work) or ["Nobody has signed in yet."]:
        click.echo(line)


@user.command("remove")
@click.argument("user_id")
@data_dir_option
@click.pass_obj
def remove_user(load: LoadSettings, user_id: str, data_dir: Path | None) -> None:
    """Remove the person USER_ID: sessions, keys and links end at once; what they did stays in the history.

    Who signs in as they did is refused until `draftsmith user let-in`.
    """
    from draftsmith.usecases.access import people

    async def work(needs: AccessDependencies, asking: Asking) -> list[ApiKey]:
        return await people.remove(needs, asking, user_id)

    stopped = with_access(load, data_dir, work)
    print_message(f"Removed {user_id}.")
    _print_stopped(stopped)


@user.command("removed")
@data_dir_option
@click.pass_obj
def list_removed(load: LoadSettings, data_dir: Path | None) -> None:
    """List who was removed and was not let in again: the id they had, when, and how they were called."""
    from draftsmith.history.times import iso

    async def work(needs: AccessDependencies, _: Asking) -> list[str]:
        return [f"{one.id}  {iso(one.removed_ms)}  {one.name}" for one in await needs.stores.users.removed_users()]

    for line in with_access(load, data_dir, work) or ["Nobody."]:
        click.echo(line)


@user.command("let-in")
@click.argument("user_id")
@data_dir_option
@click.pass_obj
def let_user_in(load: LoadSettings, user_id: str, data_dir: Path | None) -> None:
    """Let the person sign in again who had the id USER_ID; they come as somebody new, with nothing of what they had."""
    from draftsmith.usecases.access import people

    async def work(needs: AccessDependencies, asking: Asking) -> str:
        return (await people.let_in(needs, asking, user_id)).name

    print_message(f"{with_access(load, data_dir, work)} may sign in again.")


@user.command("admin")
@click.argument("user_id")
@click.option("--off", is_flag=True, help="No longer one.")
@data_dir_option
@click.pass_obj
def make_admin(load: LoadSettings, user_id: str, off: bool, data_dir: Path | None) -> None:
    """Make the person USER_ID an administrator."""
    from draftsmith.usecases.access import people

    async def work(needs: AccessDependencies, asking: Asking) -> tuple[str, list[ApiKey]]:
        name = (await people.set_admin(needs, asking, user_id, not off)).name
        return name, await people.stopped_with(needs, user_id) if off else []

    name, stopped = with_access(load, data_dir, work)
    print_message(f"{name} is {'no longer ' if off else ''}an administrator.")
    _print_stopped(stopped)


def _print_stopped(keys: list[ApiKey]) -> None:
    for key in keys:
        print_message(
            f"The key {key.name} ({key.id}) has stopped; `draftsmith token take-over {key.id}` takes it over."
        )
