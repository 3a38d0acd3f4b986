"""The commands `token` and `user`: keys of programs, links of administrators, people; also while Draftsmith runs.

Whoever runs them has the data folder or the store's address, and so is an administrator.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from draftsmith.cli_data import LoadSettings, Store, data_dir_option, print_message, with_store
from draftsmith.errors import DraftsmithError

if TYPE_CHECKING:
    from draftsmith.access.records import ApiKey
    from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

T = TypeVar("T")
_ROLES = click.Choice(["viewer", "commenter", "editor", "owner"])
Work = Callable[["AccessDependencies", "Asking"], Awaitable[T]]


def _with_access(load: LoadSettings, data_dir: Path | None, work: Work[T]) -> T:
    from draftsmith.access.principal import Principal
    from draftsmith.history.actor import Actor
    from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

    asking = Asking(Principal(Actor("local:command", "Command line", "script"), "local", is_admin=True), "command line")

    async def run(store: Store) -> T:
        return await work(AccessDependencies(stores=store.access, clock=store.clock), asking)

    return with_store(load(data_dir=data_dir), run)


@click.group("token")
def token() -> None:
    """Make, list and revoke keys of programs, and links of administrators."""


@token.command("create")
@click.option("--name", default="command line", show_default=True, help="What it is for.")
@click.option("--role", type=_ROLES, help="No more than this role in any workspace.")
@click.option("--days", type=click.IntRange(1, 3660), help="Days after which it ends; without it never.")
@click.option("--admin", is_flag=True, help="It administers; a link to sign in with is printed, too.")
@click.option("--delegate", is_flag=True, help="It acts for people of an application (Draftsmith-Actor).")
@data_dir_option
@click.pass_obj
def create_token(
    load: LoadSettings,
    name: str,
    role: str | None,
    days: int | None,
    admin: bool,
    delegate: bool,
    data_dir: Path | None,
) -> None:
    """Make a key; it is printed once and never again."""
    from draftsmith.usecases.access import keys, sessions

    async def work(needs: AccessDependencies, asking: Asking) -> tuple[str, str]:
        secret, _ = await keys.create(
            needs, asking, name=name, limit=role, days=days,  # type: ignore[arg-type]  # one of the choices
            is_admin=admin, is_delegate=delegate, is_personal=False,
        )  # fmt: skip
        return secret, await sessions.administrator_link(needs) if admin else ""

    secret, link = _with_access(load, data_dir, work)
    click.echo(secret)
    if link:
        address = load().public_url or "<address>"
        print_message(f"To sign in as an administrator, open once within 24 hours: {address}/sign-in#{link}")


@token.command("list")
@data_dir_option
@click.pass_obj
def list_tokens(load: LoadSettings, data_dir: Path | None) -> None:
    """List keys: id, what they may, whose they are, who made those of nobody, when they were used."""
    from draftsmith.history.times import iso
    from draftsmith.usecases.access import keys

    async def work(needs: AccessDependencies, _: Asking) -> list[str]:
        lines, found = [], await needs.stores.keys.all()
        for key, works in zip(found, await keys.working(needs, found), strict=True):
            kind = "delegate" if key.is_delegate else "admin" if key.is_admin else key.limit or "any role"
            used = "never used" if key.used_ms is None else f"used {iso(key.used_ms)}"
            until = "" if key.until_ms is None else f"  until {iso(key.until_ms)}"
            whose = key.user_id or ("itself" if not key.made_by else f"itself, made by {key.made_by}")
            stopped = "" if works else "  stopped"
            lines.append(f"{key.id}  {kind:9}  {whose}  {used}{until}{stopped}  {key.name}")
        return lines

    for line in _with_access(load, data_dir, work) or ["No keys."]:
        click.echo(line)


@token.command("take-over")
@click.argument("key_id")
@data_dir_option
@click.pass_obj
def take_over_token(load: LoadSettings, key_id: str, data_dir: Path | None) -> None:
    """Give the key KEY_ID, of no person, a new secret, which is printed once; whoever made it, it works from now on."""
    from draftsmith.usecases.access import keys

    async def work(needs: AccessDependencies, asking: Asking) -> str:
        return (await keys.take_over(needs, asking, key_id))[0]

    click.echo(_with_access(load, data_dir, work))


@token.command("revoke")
@click.argument("key_id")
@data_dir_option
@click.pass_obj
def revoke_token(load: LoadSettings, key_id: str, data_dir: Path | None) -> None:
    """Revoke the key KEY_ID; what is open with it is closed at once."""
    from draftsmith.usecases.access import keys

    async def work(needs: AccessDependencies, asking: Asking) -> None:
        await keys.revoke_any(needs, asking, key_id)

    _with_access(load, data_dir, work)
    print_message(f"Revoked {key_id}.")


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

    for line in _with_access(load, data_dir, work) or ["Nobody has signed in yet."]:
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

    stopped = _with_access(load, data_dir, work)
    print_message(f"Removed {user_id}.")
    _print_stopped(stopped)


@user.command("removed")
@data_dir_option
@click.pass_obj
def list_removed(load: LoadSettings, data_dir: Path | None) -> None:
    """List who was removed and was not let in again: the id they had, when, and how they were called."""
    from draftsmith.history.times import iso

    async def work(needs: AccessDependencies, _: Asking) -> list[str]:
        return [f"{one.id}  {iso(one.removed_ms)}  {one.name}" for one in await needs.stores.users.removed()]

    for line in _with_access(load, data_dir, work) or ["Nobody."]:
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

    print_message(f"{_with_access(load, data_dir, work)} may sign in again.")


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

    name, stopped = _with_access(load, data_dir, work)
    print_message(f"{name} is {'no longer ' if off else ''}an administrator.")
    _print_stopped(stopped)


def _print_stopped(keys: list[ApiKey]) -> None:
    for key in keys:
        print_message(
            f"The key {key.name} ({key.id}) has stopped; `draftsmith token take-over {key.id}` takes it over."
        )


def first_link(store_url: str) -> str | None:
    """Make the link of a first administrator; None where there is one already.

    Raises:
        DraftsmithError: as the store.
    """
    import asyncio

    from draftsmith.cli_data import connected
    from draftsmith.usecases.access import sessions
    from draftsmith.usecases.access.dependencies import AccessDependencies

    async def work(store: Store) -> str | None:
        needs = AccessDependencies(stores=store.access, clock=store.clock)
        return None if await sessions.has_administrator(needs) else await sessions.administrator_link(needs)

    return asyncio.run(connected(store_url, work))


def show_first_link(url: str) -> None:
    """Print a link for a first administrator where nobody administers the server at `url`."""
    try:
        link = first_link(os.environ["DRAFTSMITH_STORE_URL"])
    except DraftsmithError as problem:
        click.echo(f"No link for a first administrator: {problem.detail}")
        return
    if link is not None:
        click.echo(f"Nobody administers this server yet. Open once, within 24 hours: {url}/sign-in#{link}")


if __name__ == "__main__":
    show_first_link(sys.argv[1])
