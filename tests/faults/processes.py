"""Worker processes for the fault tests: started, listened to, killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.faults.load import Asked, Ledger
from tests.forking import Popen
from tests.timeouts import TIMEOUT_SECONDS

ROOT = Path(__file__).parents[2]


class Runner:
    """One `runner.py`; every whole line that it has written counts as heard.

    Attributes:
        held: revision, chain and digest of its memory at its end; None if it was killed.
    """

    def __init__(self, url: str, w: str, seed: str, ledger: Ledger, clients: int, repeat: list[Asked]) -> None:
        self.held: tuple[int, str, str] | None = None
        self._ledger = ledger
        # A runner that dies before it got round to its repeats leaves them to the next.
        self._mine = {asked.txid: asked for asked in repeat}
        self._process = Popen(
            [sys.executable, "-m", "tests.faults.runner"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'backend'}{os.pathsep}{ROOT}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        given = {"url": url, "w": w, "seed": seed, "clients": clients, "repeat": [asked.to_json() for asked in repeat]}
        self._process.stdin.write(json.dumps(given).encode() + b"\n")
        self._process.stdin.flush()
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def kill(self) -> list[Asked]:
        """End it as the kernel does; what its clients had sent and had heard nothing of."""
        self._process.kill()
        self._end()
        return list(self._mine.values())

    def finish(self) -> None:
        """Let its clients hear their last answers, and wait for its end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(TIMEOUT_SECONDS) == 0
        self._end()
        assert not self._mine

    def _end(self) -> None:
        self._process.wait(TIMEOUT_SECONDS)
        self._listener.join(TIMEOUT_SECONDS)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.endswith(b"\n"):
                self._note(*json.loads(line))

    def _note(self, what: str, *more: Any) -> None:
        if what == "sent":
            asked = Asked(**more[0])
            self._mine[asked.txid] = self._ledger.open[asked.txid] = asked
        elif what == "held":
            self.held = (more[0], more[1], more[2])
        else:
            self._mine.pop(more[0], None)
            if what == "told":
                self._ledger.note_answer(more[0], more[1], is_commit=more[2])
            else:
                self._ledger.note_refusal(more[0], more[1])


@contextmanager
def runners() -> Iterator[list[Runner]]:
    """A list to put runners into; those that are still in it on the way out are killed."""
    alive: list[Runner] = []
    try:
        yield alive
    finally:
        for runner in alive:
            runner.kill()
