"""Serve the plugin: `python -m draftsmith_versions --settings versions.toml --port 8080`."""

from __future__ import annotations

import argparse

from draftsmith.plugin.settings import serve_with_settings
from draftsmith_versions.plugin import create
from draftsmith_versions.settings import read_settings


def main() -> None:
    """Read the arguments and the settings, and serve."""
    parser = argparse.ArgumentParser(prog="python -m draftsmith_versions", description="Serve look-ups of versions.")
    serve_with_settings(parser, read_settings, create, variable="VERSIONS_SETTINGS", what="sources")


if __name__ == "__main__":
    main()
