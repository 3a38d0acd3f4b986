"""Serve the plugin: `python -m draftsmith_kubernetes --settings kubernetes.toml --port 8080`."""

from __future__ import annotations

import argparse

from draftsmith.plugin.settings import serve_with_settings
from draftsmith_kubernetes.plugin import create
from draftsmith_kubernetes.settings import read_settings


def main() -> None:
    """Read the arguments and the settings, and serve."""
    parser = argparse.ArgumentParser(prog="python -m draftsmith_kubernetes", description="Serve tools for a cluster.")
    serve_with_settings(parser, read_settings, create, variable="KUBERNETES_SETTINGS")


if __name__ == "__main__":
    main()
