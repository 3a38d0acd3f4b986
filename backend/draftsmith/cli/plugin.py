"""The command `plugin`: register plugins, list them, try them. A server takes what is registered when it starts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from draftsmith.cli.store import data_dir_option, print_message
from draftsmith.errors import DraftsmithError

if TYPE_CHECKING:
    from draftsmith.plugin.protocol import Description
    from draftsmith.ports.plugins import RegisteredPlugin

LoadSettings = Callable[..., Any]
_AFTER = "A server that runs takes it when it is started again."


@click.group("plugin")
def plugin() -> None:
    """Register plugins, which give the assistant tools beyond the workspace; list and try them."""


@plugin.command("add")
@click.argument("name")
@click.argument("url")
@click.option("--token-file", type=click.Path(path_type=Path, dir_okay=False), help="File with the plugin's token.")
@click.option("--seconds", type=float, help="Seconds after which a call is given up (30).")
@click.option("--workflow", "workflows", multiple=True, help="Offer it there alone; may be given several times.")
@click.option("--replace", is_flag=True, help="Register it anew, with the tools that it has now.")
@data_dir_option
@click.pass_obj
def add(
    load: LoadSettings,
    name: str,
    url: str,
    token_file: Path | None,
    seconds: float | None,
    workflows: tuple[str, ...],
    replace: bool,
    data_dir: Path | None,
) -> None:
    """Register the plugin at URL as NAME, with the tools that it describes now; later ones are not offered."""
    from draftsmith.adapters.plugins.registered_file import check_entry, read_registered, read_shapes, write_shapes

    path = _path(load, data_dir)
    known = {one.name for one in read_registered(path)}
    if name in known and not replace:
        raise DraftsmithError("invalid_request", f"There is a plugin '{name}' already; --replace registers it anew.")
    given = {
        "name": name,
        "url": url,
        "workflows": list(workflows) or None,
        "seconds": seconds,
        "token_file": None if token_file is None else str(token_file.absolute()),
    }
    entry: dict[str, Any] = {field: value for field, value in given.items() if value is not None}
    described = _describe(check_entry(entry, path))
    entry["tools"] = {tool.name: "reads" if tool.read_only else "writes" for tool in described.tools}
    write_shapes(path, [*(one for one in read_shapes(path) if one["name"] != name), entry])
    _show(name, described)
    print_message(f"Registered in {path}. {_AFTER}")


@plugin.command("list")
@data_dir_option
@click.pass_obj
def list_plugins(load: LoadSettings, data_dir: Path | None) -> None:
    """List the registered plugins; nothing is asked of them."""
    from draftsmith.adapters.plugins.registered_file import read_registered

    registered = read_registered(_path(load, data_dir))
    for one in registered:
        tools = "all tools" if one.tools is None else f"{len(one.tools)} tools"
        where = "" if one.workflows is None else f"  in {', '.join(one.workflows)}"
        click.echo(f"{one.name:24}  {one.url}  {tools}{where}")
    if not registered:
        click.echo("No plugins.")


@plugin.command("remove")
@click.argument("name")
@data_dir_option
@click.pass_obj
def remove(load: LoadSettings, name: str, data_dir: Path | None) -> None:
    """Forget the plugin NAME."""
    from draftsmith.adapters.plugins.registered_file import read_registered, read_shapes, write_shapes

    path = _path(load, data_dir)
    if name not in {one.name for one in read_registered(path)}:
        raise DraftsmithError("invalid_request", f"There is no plugin '{name}'.")
    write_shapes(path, [one for one in read_shapes(path) if one["name"] != name])
    print_message(f"Removed {name}. {_AFTER}")


@plugin.command("check")
@click.argument("what", required=False)
@data_dir_option
@click.pass_obj
def check(load: LoadSettings, what: str | None, data_dir: Path | None) -> None:
    """Ask every registered plugin what it is, or the one that WHAT names or has as its address.

    Exit code 1 if one is away, or has tools that are not offered.
    """
    from draftsmith.adapters.plugins.registered_file import read_registered
    from draftsmith.ports.plugins import RegisteredPlugin

    registered = read_registered(_path(load, data_dir))
    if what is not None and "://" in what:
        registered = [RegisteredPlugin(name="(not registered)", url=what)]
    elif what is not None and not (registered := [one for one in registered if one.name == what]):
        raise DraftsmithError("invalid_request", f"There is no plugin '{what}'.")
    if not registered:
        click.echo("No plugins.")
    verdicts = [_is_fine(one) for one in registered]  # every one is tried
    sys.exit(0 if all(verdicts) else 1)


def _is_fine(one: RegisteredPlugin) -> bool:
    try:
        described = _describe(one)
    except DraftsmithError as problem:
        click.echo(f"FAIL  {one.name}: {problem.detail}")
        return False
    _show(one.name, described)
    allowed = one.tools
    new = [tool.name for tool in described.tools if allowed is not None and tool.name not in allowed]
    for name in new:
        click.echo(f"      {name}: it is not among the tools that were registered; `plugin add --replace` takes it")
    return not described.refused and not new


def _show(name: str, described: Description) -> None:
    click.echo(f"ok    {name}: {described.name} {described.version}")
    for tool in described.tools:
        click.echo(f"      {tool.name}: {'reads' if tool.read_only else 'writes, each call after a yes'}")
    for why in described.refused:
        click.echo(f"      not offered: {why}")


def _describe(one: RegisteredPlugin) -> Description:
    import asyncio

    from draftsmith.adapters.plugins.connection import HttpPlugin
    from draftsmith.ports.plugins import PluginFailure

    async def ask() -> Description:
        connection = HttpPlugin(one)
        try:
            return await connection.describe()
        finally:
            await connection.close()

    try:
        return asyncio.run(ask())
    except PluginFailure as failure:
        raise DraftsmithError(failure.code, f"The plugin at {one.url}: {failure}") from None


def _path(load: LoadSettings, data_dir: Path | None) -> Path:
    path: Path = load(data_dir=data_dir).plugins_path
    return path
