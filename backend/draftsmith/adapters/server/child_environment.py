"""The environment of processes that a worker starts from this package."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import draftsmith


def child_environment(store_url: str, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment (this process's own if not given) that names the store and where this package is."""
    # The folder of this package, which may be imported without being installed.
    roots = [str(Path(next(iter(draftsmith.__path__))).parent), os.environ.get("PYTHONPATH", "")]
    return {
        **(os.environ if environment is None else environment),
        "DRAFTSMITH_STORE_URL": store_url,
        "PYTHONPATH": os.pathsep.join(filter(None, roots)),
    }
