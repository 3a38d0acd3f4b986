"""A copy of this checkout, in which the product is changed and tested; the checkout itself stays as it is."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.mutants.changes import Change
from tests.places import ROOT, copy_project
from tests.seeds import VARIABLE

_MOST_KILOBYTES: Final = 4 << 20
"""Of memory for one process: such a loop may fill a list."""


class Copy:
    """A copy of this checkout, with its packages and its built editor."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changes = 0
        self._seconds: dict[Sequence[str], float] = {}
        copy_project(folder)
        page, packages = folder / "frontend", folder / "frontend" / "node_modules"
        packages.mkdir()  # in which vitest writes
        for package in (ROOT / "frontend" / "node_modules").glob("[!.]*"):
            (packages / package.name).symlink_to(package)
        (page / "dist").symlink_to(ROOT / "frontend" / "dist")

    @contextmanager
    def changed(self, change: Change) -> Iterator[None]:
        """Make a change, and take it back in the end."""
        file = self._folder / change.file
        source, times = file.read_bytes(), file.stat()
        self._changes += 1
        file.write_bytes(change.made_in(source))
        # Python knows bytecode by the size of its source and the second of its last change.
        os.utime(file, (times.st_atime, times.st_mtime + self._changes))
        try:
            yield
        finally:
            file.write_bytes(source)
            os.utime(file, (times.st_atime, times.st_mtime))

    def seconds(self, tests: Sequence[str]) -> float:
        """How much processor time some tests take without any change.

        Raises:
            SystemExit: they fail.
        """
        if tests not in self._seconds:
            before = _processor_time()
            if not self.passes(tests):
                raise SystemExit(f"Without any change, these fail: {' '.join(tests)}")
            self._seconds[tests] = _processor_time() - before
        return self._seconds[tests]

    def passes(self, tests: Sequence[str], most_seconds: float = 3_600) -> bool:
        """Whether all of some tests pass, in so much processor time: a change may make a loop that never ends."""
        command, folder = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", *tests], self._folder
        if tests[0].startswith("frontend/"):
            files = [test.removeprefix("frontend/") for test in tests]
            command = ["node", "node_modules/vitest/vitest.mjs", "run", "--bail", "1", *files]
            folder = self._folder / "frontend"
        environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
        environment["PYTHONPATH"] = str(self._folder / "backend")
        limited = [
            "sh",
            "-c",
            f'ulimit -t {most_seconds:.0f} && ulimit -d {_MOST_KILOBYTES} && exec "$@"',
            "sh",
            *command,
        ]
        run = subprocess.run(
            limited, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        )
        return run.returncode == 0


def _processor_time() -> float:
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
