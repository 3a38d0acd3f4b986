"""Settings from the environment and from options, and the options of commands about a server."""

from __future__ import annotations

import sys
from contextlib import suppress

import click
from pydantic import ValidationError

from draftsmith.settings import Settings

host_option = click.option("--host", help="Address to listen on (HOST, 127.0.0.1).")
port_option = click.option("--port", type=int, help="Port to listen on; 0 takes a free one (PORT, 8000).")


def load_settings(**options: object) -> Settings:
    """Build the settings from the environment; options that were given win.

    Raises:
        click.UsageError: a value is not valid; the message names each setting in upper case.
    """
    try:
        return Settings(**{name: value for name, value in options.items() if value is not None})  # type: ignore[arg-type]  # names and types are checked by pydantic
    except ValidationError as problem:
        lines = [f"{'.'.join(map(str, error['loc'])).upper()}: {error['msg']}" for error in problem.errors()]
        raise click.UsageError("; ".join(lines)) from problem


def show(message: str) -> None:
    """Print a message to standard output, and do not mind if nobody reads it any more."""
    # The reader may have gone (`draftsmith serve | head`), which is no reason to stop.
    with suppress(OSError):
        click.echo(message)
        sys.stdout.flush()
