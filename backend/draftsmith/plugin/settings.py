"""A plugin with a TOML file of settings: how it is read, and the command that serves the plugin with it."""

from __future__ import annotations

import argparse
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from draftsmith.plugin.plugin import Plugin
from draftsmith.plugin.signature import faults_of

S = TypeVar("S", bound=BaseModel)


def read_toml(file: Path, model: type[S]) -> S:
    """Read a file of settings.

    Raises:
        ValueError: it cannot be read, or something in it is wrong; the message says what.
    """
    try:
        return model.model_validate(tomllib.loads(file.read_text("utf-8")))
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}") from None
    except ValidationError as error:
        raise ValueError(f"{file}: {faults_of(error, 'settings')}") from None


def add_place(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where to listen."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8080, help="port to listen on (8080)")


def serve_with_settings(
    parser: argparse.ArgumentParser,
    read: Callable[[Path], S],
    create: Callable[[S], Plugin],
    *,
    variable: str,
    what: str = "settings",
) -> None:
    """Read the arguments and the settings, and serve.

    Args:
        parser: with the name and the description of the command; its options are added here.
        read: reads a file; raises `ValueError` with what is wrong.
        create: makes the plugin.
        variable: of the environment, which names the file where no option does.
        what: the file holds.

    Raises:
        SystemExit: no file is named, or something in it is wrong.
    """
    parser.add_argument("--settings", help=f"file of {what}, or {variable} names it")
    add_place(parser)
    given = parser.parse_args()
    file = given.settings or os.environ.get(variable)
    if not file:
        parser.error(f"name the file of {what} with --settings or {variable}; there is none by default")
    try:
        settings = read(Path(file))
    except ValueError as error:
        parser.error(str(error))
    create(settings).run(host=given.host, port=given.port)
