"""The Lua scripts, read once from package data.

A script that draws on the shared functions has `lua/prelude.lua` put in front of it, since the store's script engine
knows no includes. What each script promises stands at its top.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files

_FOLDER = files("draftsmith.adapters") / "lua"


@dataclass(frozen=True, slots=True)
class Script:
    """A script's source and the name the store knows it by, its SHA-1."""

    source: str
    sha: str


def _load(name: str, *, prelude: bool = False) -> Script:
    names = ("prelude", name) if prelude else (name,)
    source = "\n".join((_FOLDER / f"{part}.lua").read_text(encoding="utf-8") for part in names)
    return Script(source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


CREATE = _load("create", prelude=True)
APPEND = _load("append", prelude=True)
LEASE = _load("lease")
PUT_SNAPSHOT = _load("put_snapshot")
TRIM = _load("trim")
KEEP = _load("keep")
DROP_KEPT = _load("drop_kept")
SET_DELETED = _load("set_deleted", prelude=True)
PURGE = _load("purge")
REPLACE = _load("replace", prelude=True)
