"""Check everything that Draftsmith needs on this machine, with a remedy for what is missing.

Changes nothing: if no store runs, one is started in a temporary folder as a test. Each check is a value, so
that the command line can show it to people or as JSON.
"""

from __future__ import annotations

import asyncio
import os
import platform
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import redis

from draftsmith.adapters.embedded.binary import OLDEST, Binary, find_binary, parse_version, version_text
from draftsmith.adapters.embedded.folder import DataFolder
from draftsmith.adapters.embedded.server import EmbeddedServer, connect
from draftsmith.adapters.files.editor_folder import static_folder
from draftsmith.adapters.redis.errors import storage_error
from draftsmith.adapters.redis.risks import Durability, disk_risk, eviction_risk
from draftsmith.adapters.server.engine_process import missing_for_charts, missing_for_layout, missing_for_pictures
from draftsmith.adapters.server.listening import listen
from draftsmith.errors import DraftsmithError
from draftsmith.ports.blobs import Blobs

Status = Literal["ok", "warn", "fail"]

_OLDEST_PYTHON = (3, 11)
_TRIAL = "draftsmith:doctor"
_WRITES_REMEDY = "REDIS_URL must name a primary with room, and a user with the rights of docs/operating.md."
_MIB = 1024 * 1024
_LITTLE_SPACE = 1024 * _MIB
_NO_SPACE = 100 * _MIB


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """The result of one check. JSON shape: `{name, status, detail, remedy}`; `remedy` is empty where all is well."""

    name: str
    status: Status
    detail: str
    remedy: str = ""

    def to_json(self) -> dict[str, str]:
        """Give the JSON shape."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSetup:
    """The settings to check; the fields are those of `Settings`.

    `images` opens what keeps images where that is not the data folder.
    """

    host: str
    port: int
    data_dir: Path
    redis_url: str | None
    mode: Literal["local", "token"]
    editor_dir: Path | None = None
    images: Callable[[], Blobs] | None = None
    find: Callable[[], Binary] = find_binary


def examine(setup: ServerSetup) -> Iterator[DoctorCheck]:
    """Yield each check as soon as it is done."""
    folder = DataFolder(setup.data_dir)
    yield check_python(sys.version_info[:3])
    binary: Binary | None = None
    if setup.redis_url is None:
        try:
            binary = setup.find()
        except DraftsmithError as problem:
            yield DoctorCheck("store server", "fail", "none found", problem.detail)
        else:
            yield DoctorCheck("store server", "ok", f"{binary} ({binary.path})")
    yield check_folder(folder)
    yield check_holder(folder)
    if binary is not None:
        refusal = folder.refusal_or_none(binary)
        if refusal is not None:
            yield DoctorCheck("data format", "fail", "written by another server", refusal)
    yield check_space(setup.data_dir)
    if setup.images is not None:
        yield check_images(setup.images)
    yield check_agents()
    yield check_layout(missing_for_layout(setup.editor_dir or static_folder()))
    yield check_pictures(missing_for_pictures(setup.editor_dir or static_folder()))
    yield check_charts(missing_for_charts(setup.editor_dir or static_folder()))
    yield from _check_store(setup, folder, binary)
    yield check_port(setup, folder)


def check_python(version: tuple[int, ...]) -> DoctorCheck:
    """Python itself."""
    found = f"{version_text(version)} on {platform.system()} {platform.machine()}"
    if version < _OLDEST_PYTHON:
        return DoctorCheck("python", "fail", found, f"Install Python {version_text(_OLDEST_PYTHON)} or later.")
    return DoctorCheck("python", "ok", found)


def may_write(folder: Path) -> bool:
    """Whether this user may make files in `folder`."""
    return os.access(folder, os.W_OK | os.X_OK)


def check_folder(folder: DataFolder, may_write: Callable[[Path], bool] = may_write) -> DoctorCheck:
    """The data folder, or the nearest one that exists above it: writable, and for its owner alone."""
    path = folder.path
    there = _nearest(path)
    if not there.is_dir():
        return DoctorCheck("data folder", "fail", f"{there} is not a folder", "Set DATA_DIR to another folder.")
    if not may_write(there):
        return DoctorCheck(
            "data folder",
            "fail",
            f"{there} is not writable",
            "Make it yours (chown) or set DATA_DIR to another folder.",
        )
    if there != path:
        return DoctorCheck("data folder", "ok", f"{path} does not exist yet and will be made")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        return DoctorCheck(
            "data folder", "warn", f"{path} has mode {mode:04o}", f"Others can look into it: chmod 700 {path}"
        )
    return DoctorCheck("data folder", "ok", f"{path}, mode {mode:04o}")


def check_images(images: Callable[[], Blobs]) -> DoctorCheck:
    """A place of the images that is not the data folder: something is written, read and removed there."""

    async def try_images() -> str:
        blobs = images()
        try:
            return await blobs.check()
        finally:
            await blobs.close()

    try:
        return DoctorCheck("images", "ok", f"{asyncio.run(try_images())} can be written and read")
    except DraftsmithError as problem:
        return DoctorCheck(
            "images", "fail", problem.detail, "Set IMAGES_DIR or IMAGES_BUCKET as docs/operating.md says."
        )


def check_holder(folder: DataFolder) -> DoctorCheck:
    """Who uses the data folder now."""
    holder = folder.holder_or_none()
    if holder is not None:
        where = f" at {holder.url}" if holder.url else ""
        return DoctorCheck("lock", "ok", f"held by a running Draftsmith (pid {holder.pid}){where}")
    if folder.has_server():
        left = folder.running_or_none()
        who = f" (pid {left.pid})" if left is not None else ""
        return DoctorCheck(
            "lock", "warn", f"a store server{who} was left behind by a run that was killed", "The next start ends it."
        )
    return DoctorCheck("lock", "ok", "free")


def check_space(path: Path) -> DoctorCheck:
    """Room on the disk of the data folder."""
    there = _nearest(path)
    return judge_space(shutil.disk_usage(there).free, there)


def judge_space(free: int, there: Path) -> DoctorCheck:
    """Whether `free` bytes at `there` are enough."""
    detail = f"{free // _MIB:,} MiB free at {there}"
    remedy = "Free some space: with a full disk nothing can be saved."
    if free < _NO_SPACE:
        return DoctorCheck("disk space", "fail", detail, remedy)
    return (
        DoctorCheck("disk space", "warn", detail, remedy)
        if free < _LITTLE_SPACE
        else DoctorCheck("disk space", "ok", detail)
    )


def check_agents() -> DoctorCheck:
    """Whether agents can be served: the package of their protocol is there."""
    if find_spec("mcp") is not None:
        return DoctorCheck("agents", "ok", f"mcp {version('mcp')}")
    remedy = "Works without agents. Install the extra `mcp`: pip install 'draftsmith[mcp]'."
    return DoctorCheck("agents", "warn", "the package mcp is not installed, so /mcp serves nobody", remedy)


def check_layout(missing: str) -> DoctorCheck:
    """The engine that lays diagrams out on the server as the page does."""
    if not missing:
        return DoctorCheck("layout engine", "ok", "mini-racer and engine/layout.js")
    remedy = "Works; what is laid out here is laid out simply. Install the extra `layout` and build the editor."
    return DoctorCheck("layout engine", "warn", missing, remedy)


def check_pictures(missing: str) -> DoctorCheck:
    """What draws diagrams on the server as the page exports them."""
    if not missing:
        return DoctorCheck("pictures", "ok", "mini-racer, resvg-py and picture/picture.js")
    remedy = "Works without pictures. Install the extra `layout` and build the editor."
    return DoctorCheck("pictures", "warn", missing, remedy)


def check_charts(missing: str) -> DoctorCheck:
    """Mermaid's own parsers."""
    if not missing:
        return DoctorCheck("charts", "ok", "mini-racer and charts/charts.js")
    remedy = "Works; of Mermaid flowcharts alone are read. Install the extra `layout` and build the editor."
    return DoctorCheck("charts", "warn", missing, remedy)


def check_port(setup: ServerSetup, folder: DataFolder) -> DoctorCheck:
    """The address to listen on."""
    place = f"{setup.host}:{setup.port}"
    try:
        listen(setup.host, setup.port, is_local=setup.mode == "local").close()
    except DraftsmithError as problem:
        holder = folder.holder_or_none()
        if problem.code == "port_in_use" and holder is not None and (holder.url or "").endswith(f":{setup.port}"):
            return DoctorCheck("port", "ok", f"{place} is used by the Draftsmith that runs on this data folder")
        return DoctorCheck("port", "fail", f"{place}: {problem.code}", problem.detail)
    return DoctorCheck("port", "ok", f"{place} is free" if setup.port else f"any free one on {setup.host}")


def check_features(commands: Mapping[str, object], version: str) -> DoctorCheck:
    """What the store supports, by its commands, since version numbers of forks cannot be compared."""
    has = {name: name.lower() in commands for name in ("SPUBLISH", "WAITAOF")}
    detail = ", ".join(f"{name} {'yes' if there else 'no'}" for name, there in has.items())
    if parse_version(version) < OLDEST:
        return DoctorCheck(
            "features", "fail", f"version {version}", f"Use Redis {version_text(OLDEST)} or later, or Valkey."
        )
    if not all(has.values()):
        return DoctorCheck("features", "warn", detail, "Works; Valkey 8 or Redis 7.2 and later can do more.")
    return DoctorCheck("features", "ok", detail)


def check_eviction(policy: str) -> DoctorCheck:
    """The store must never drop data to make room."""
    risk = eviction_risk(Durability(None, None, policy))
    if risk is None:
        return DoctorCheck("eviction", "ok", policy)
    return DoctorCheck("eviction", "fail", policy or "unknown", f"{risk.detail} {risk.remedy}")


def check_durability(aof_enabled: bool, fsync: str) -> DoctorCheck:
    """When an answered commit is on disk; `fsync` is empty if the store does not say."""
    risk = disk_risk(Durability(aof_enabled, fsync or None, None))
    if risk is None:
        return DoctorCheck("durability", "ok", "appendonly yes, appendfsync always")
    said = f"appendonly yes, appendfsync {fsync or 'unknown'}" if aof_enabled else "appendonly no"
    return DoctorCheck("durability", "warn" if aof_enabled else "fail", said, f"{risk.detail} {risk.remedy}")


def check_writes(client: redis.Redis) -> DoctorCheck:
    """Write a key that expires by itself and read it: a replica answers reads, and so does a server without room."""
    value = secrets.token_hex(8)
    try:
        client.set(_TRIAL, value, px=10_000)
        found = client.get(_TRIAL)
        client.unlink(_TRIAL)
    except redis.RedisError as problem:
        return DoctorCheck("store writes", "fail", storage_error(problem).detail, _WRITES_REMEDY)
    if found != value:
        return DoctorCheck("store writes", "fail", "what was written is not what is read", _WRITES_REMEDY)
    return DoctorCheck("store writes", "ok", "a key was written, read and removed")


def _check_store(setup: ServerSetup, folder: DataFolder, binary: Binary | None) -> Iterator[DoctorCheck]:
    """The store that would be used if it runs, else an embedded one in a temporary folder."""
    if setup.redis_url is not None:
        yield from _check_reachable(setup.redis_url, "Check REDIS_URL, and that the server runs.")
        return
    running = folder.running_or_none()
    if folder.has_server() and running is not None:
        yield from _check_reachable(running.url, "It is restarted by the running Draftsmith; see server.log there.")
        return
    if binary is None:
        return
    with tempfile.TemporaryDirectory(prefix="draftsmith-doctor-") as trial:
        server = EmbeddedServer(Path(trial), binary)
        try:
            yield from _check_reachable(server.start(), "")
        except DraftsmithError as problem:
            yield DoctorCheck("store answers", "fail", "it does not start", problem.detail)
        finally:
            server.stop()


def _check_reachable(url: str, remedy: str) -> Iterator[DoctorCheck]:
    client = connect(url)
    try:
        info = dict(client.info())
        version = str(info.get("valkey_version") or info.get("redis_version") or "0")
        yield DoctorCheck("store answers", "ok", f"{info.get('server_name') or 'redis'} {version}")
        yield check_features(dict(client.command()), str(info.get("redis_version") or version))
        yield check_eviction(str(info.get("maxmemory_policy", "")))
        yield check_durability(bool(info.get("aof_enabled")), _fsync(client))
        yield check_writes(client)
    except redis.RedisError as problem:
        told = storage_error(problem)
        is_of_address = isinstance(problem, redis.ConnectionError) and not isinstance(
            problem, redis.AuthenticationError
        )
        yield DoctorCheck(
            "store answers", "fail", told.detail, remedy if is_of_address else "Then run the doctor again."
        )
    finally:
        client.close()


def _fsync(client: redis.Redis) -> str:
    try:
        return str(dict(client.config_get("appendfsync")).get("appendfsync", ""))
    except redis.ResponseError:
        # Hosted servers often refuse CONFIG.
        return ""


def _nearest(path: Path) -> Path:
    """Give the path itself or the nearest one above it that exists."""
    return next(place for place in (path, *path.parents) if place.exists())
