"""The command `token`: keys of programs, and links of administrators; also while Draftsmith runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from draftsmith.cli.administering import with_access
from draftsmith.cli.store import LoadSettings, data_dir_option, print_message

if TYPE_CHECKING:
    from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

_ROLES = click.Choice(["viewer", "commenter", "editor", "owner"])


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

    secret, link = with_access(load, data_dir, work)
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

    for line in with_access(load, data_dir, work) or ["No keys."]:
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

    click.echo(with_access(load, data_dir, work))


@token.command("revoke")
@click.argument("key_id")
@data_dir_option
@click.pass_obj
def revoke_token(load: LoadSettings, key_id: str, data_dir: Path | None) -> None:
    """Revoke the key KEY_ID; what is open with it is closed at once."""
    from draftsmith.usecases.access import keys

    async def work(needs: AccessDependencies, asking: Asking) -> None:
        await keys.revoke_any(needs, asking, key_id)

    with_access(load, data_dir, work)
    print_message(f"Revoked {key_id}.")
