"""A process that lays diagrams out with the page's own code: `python -m draftsmith.layouter SCRIPT`.

It runs the layout engine (`frontend/dist/engine/layout.js`, built from `frontend/src/engine`) in an embedded V8, which
is an optional package (the extra `layout`). It reads questions from its standard input and writes an answer to each,
one at a time, until the input ends. It knows nothing of workspaces and reaches nothing outside. A worker starts it
(`adapters.server.layout_process`); the kernel ends it when a question takes too much processor time.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Any, Final, NoReturn

from draftsmith.adapters.process.frames import read_frame, write_frame
from draftsmith.adapters.process.processor_time import allow_processor_seconds

MEMORY_BYTES: Final = 1 << 30
"""What the process may use for data; more ends it."""

SCRIPT_BYTES: Final = 512 << 20
"""What the script may use; more ends in a failure."""

PROCESSOR_SECONDS: Final = 30
"""Processor time that one question may take, of all threads."""

_NICE: Final = 5  # whoever serves everybody goes first

_TIMERS: Final = """
globalThis.setTimeout = (run) => { Promise.resolve().then(run); return 0; };
globalThis.clearTimeout = () => {};
"""
"""The package's own need what its V8 lacks; the engine waits for no time, so these only put off what comes next."""


def main() -> NoReturn:
    """Answer questions until the input ends."""
    code = 1
    try:
        _serve()
        code = 0
    except Exception:  # noqa: BLE001  # whatever it is, it is said, and the process ends
        traceback.print_exc()
    os._exit(code)  # V8 may hold up an interpreter that ends by itself


def _serve() -> None:
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not mix with answers
    os.nice(_NICE)
    _limit_memory()
    engine = _Engine(Path(sys.argv[1]))
    while (question := read_frame(sys.stdin.buffer)) is not None:
        allow_processor_seconds(PROCESSOR_SECONDS)
        write_frame(output, engine.answer(question))  # an empty one stands for a failure


def _limit_memory() -> None:
    try:
        import resource  # absent on some systems
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))


class _Engine:
    """The script in its own world."""

    def __init__(self, script: Path) -> None:
        from py_mini_racer import MiniRacer  # optional; who starts this process has looked for it

        self._world: Any = MiniRacer()
        self._world.set_hard_memory_limit(SCRIPT_BYTES)
        self._world.eval(_TIMERS)
        self._world.eval(script.read_text("utf-8"))
        self._run: Any = self._world.eval("(question) => draftsmithLayout.run(question)")

    def answer(self, question: bytes) -> bytes:
        """The script's answer; empty for a failure."""
        try:
            answer = self._run(question.decode("utf-8")).get()
        except Exception as error:  # noqa: BLE001  # whatever the script throws, the worker must hear of it
            sys.stderr.write(f"layout engine: {error!r:.2000}\n")
            return b""
        return answer.encode("utf-8") if isinstance(answer, str) else b""


if __name__ == "__main__":
    main()
