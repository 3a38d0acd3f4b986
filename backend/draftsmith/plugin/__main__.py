"""Serve a plugin: `python -m draftsmith.plugin weather:plugin --port 8080` for `plugin` of `weather.py`."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from draftsmith.plugin.plugin import Plugin
from draftsmith.plugin.settings import add_place


def load(where: str) -> Plugin:
    """Import the plugin that `module:name` names; the name is `plugin` where none is given.

    Raises:
        SystemExit: there is none.
    """
    module, _, name = where.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    found = getattr(importlib.import_module(module), name or "plugin", None)
    if not isinstance(found, Plugin):
        raise SystemExit(f"{where} is no draftsmith.plugin.Plugin")
    return found


def main() -> None:
    """Read the arguments and serve."""
    parser = argparse.ArgumentParser(prog="python -m draftsmith.plugin", description="Serve a plugin of Draftsmith.")
    parser.add_argument("plugin", help="module:name, such as weather:plugin")
    add_place(parser)
    given = parser.parse_args()
    load(given.plugin).run(host=given.host, port=given.port)


if __name__ == "__main__":
    main()
