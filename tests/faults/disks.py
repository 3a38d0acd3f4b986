"""Disks that misbehave: slow to make things safe, forgetting what was not, and full."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("slow_disk.c")


def need(condition: object, what: str) -> None:
    """Skip a test that this machine cannot run; under REQUIRE_FAULTS=1 that is a failure."""
    if condition:
        return
    if os.environ.get("REQUIRE_FAULTS") == "1":
        pytest.fail(f"REQUIRE_FAULTS is set, and this machine has no {what}")
    pytest.skip(f"this machine has no {what}")


class Disk:
    """What the server under test takes for its disk; see slow_disk.c."""

    def __init__(self, folder: Path, library: Path) -> None:
        self._notes, self._delay, self._full = folder / "notes", folder / "delay", folder / "full"
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(library),
            "DISK_NOTES": str(self._notes),
            "DISK_DELAY": str(self._delay),
            "DISK_FULL": str(self._full),
        }
        self.slow(0)

    def slow(self, milliseconds: int) -> None:
        """Let each sync take so long from now on."""
        # Renamed into place: the server must not read half a number.
        fresh = self._delay.with_suffix(".new")
        fresh.write_text(str(milliseconds))
        fresh.replace(self._delay)

    def fill(self) -> None:
        self._full.touch()

    def free(self) -> None:
        self._full.unlink(missing_ok=True)

    @property
    def synced(self) -> dict[Path, int]:
        """How many bytes of each file are safe."""
        if not self._notes.exists():
            return {}
        lines = (line.split(" ", 1) for line in self._notes.read_text().splitlines())
        return {Path(path): int(length) for length, path in lines}

    def lose_power(self, append_only: Path) -> int:
        """Cut the append-only files, whose server has been killed, to what was safe; how many bytes that took."""
        unsafe = self.unsafe(append_only)
        for file, bytes_ in unsafe.items():
            os.truncate(file, file.stat().st_size - bytes_)
        return sum(unsafe.values())

    def unsafe(self, append_only: Path) -> dict[Path, int]:
        """How many bytes of which append-only files a power cut would take."""
        safe = self.synced
        sizes = {file: file.stat().st_size for file in append_only.resolve().glob("*.incr.aof")}
        return {file: size - safe.get(file, 0) for file, size in sizes.items() if size > safe.get(file, 0)}


@contextmanager
def bad_disk() -> Iterator[Disk]:
    """Compile the disk's manners and give a disk that has them."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    need(sys.platform.startswith("linux") and compiler, "Linux with a C compiler")
    folder = Path(tempfile.mkdtemp(prefix="ds-disk-"))
    try:
        library = folder / "slow_disk.so"
        command = [str(compiler), "-shared", "-fPIC", "-O1", "-Wall", "-o", str(library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)
        yield Disk(folder, library)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def can_mount() -> bool:
    """Whether this process can make a small disk of its own."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    try:
        with small_disk():
            return True
    except subprocess.CalledProcessError:
        return False


def as_root_of_a_namespace() -> list[str]:
    """The words before a command that let it make such a disk although its user may not; none where Linux refuses.

    It is then root of a namespace of its own, in which alone the disk is seen.
    """
    words = ["unshare", "--user", "--map-root-user", "--mount"]
    if not sys.platform.startswith("linux") or shutil.which(words[0]) is None:
        return []
    mounts = ["mount", "-t", "tmpfs", "tmpfs", tempfile.gettempdir()]
    return words if subprocess.run([*words, *mounts], check=False, capture_output=True).returncode == 0 else []


@contextmanager
def small_disk(megabytes: int = 2) -> Iterator[Path]:
    """Mount a disk in memory that fills up soon."""
    folder = Path(tempfile.mkdtemp(prefix="ds-"))
    try:
        options = ["-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "tmpfs", str(folder)]
        subprocess.run(["mount", *options], check=True, capture_output=True)
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
    finally:
        folder.rmdir()
