"""The processes that work beside hostile clients, as whoever measures sees them: the prober, and the neighbour."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.hostile.serving import Deployed, environment
from tests.timeouts import TIMEOUT_SECONDS


class _Helper:
    """A process that reads commands a line, and answers with lines of JSON."""

    def __init__(self, module: str, *arguments: str) -> None:
        # A session of its own: the scheduler then gives it a share of its own beside whoever started it.
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            text=True,
            start_new_session=True,
        )

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def hear(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "a process beside the measurement has ended"
        return json.loads(line)

    def close(self) -> None:
        """End it; it ends when its input does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


class Beside(_Helper):
    """A prober (`tests.hostile.prober`)."""

    def __init__(self, server: Deployed) -> None:
        host, port = server.place
        super().__init__("tests.hostile.prober", host, str(port), str(server.pid))

    def stretch(self) -> dict[str, Any]:
        """What it has seen since this was asked last."""
        self.say("")
        found: dict[str, Any] = self.hear()
        return found


class BesideNeighbour(_Helper):
    """A well-behaved client (`tests.hostile.neighbour`)."""

    def __init__(self, server: Deployed) -> None:
        super().__init__("tests.hostile.neighbour", server.url)

    def mark(self, name: str) -> None:
        """Call what comes from now on by a name."""
        self.say(f"mark {name}")

    def end(self) -> dict[str, Any]:
        """Let it look for its nodes and end; what it found."""
        self.say("end")
        found: dict[str, Any] = self.hear()
        self.close()
        return found
