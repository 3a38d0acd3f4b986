"""The environment of processes that a worker starts from this package."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import draftsmith


def child_environment(store_url: str, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment (this process's own if not given) that names the store and where this package is."""
    return {
        **(os.environ if environment is None else environment),
        "DRAFTSMITH_STORE_URL": store_url,
        "PYTHONPATH": _import_path(),
    }


def package_environment() -> dict[str, str]:
    """An environment for what needs this package alone: it is told no secrets and no store."""
    kept = {
        name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH") if name in os.environ
    }
    return {**kept, "PYTHONPATH": _import_path()}


def _import_path() -> str:
    """The folder of this package, which may be imported without being installed, before what is there already."""
    roots = [str(Path(next(iter(draftsmith.__path__))).parent), os.environ.get("PYTHONPATH", "")]
    return os.pathsep.join(filter(None, roots))
