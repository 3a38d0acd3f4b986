"""The page's own code in an embedded V8, in a process of its own: how it is loaded, bounded and asked.

V8 is an optional package (the extra `layout`). Such a process reads questions from its standard input and writes an
answer to each, one at a time, until the input ends. It knows nothing of workspaces and reaches nothing outside; the
kernel ends it when a question takes too much processor time. Not here: what is asked (`layouter`, `renderer`).
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NoReturn

from draftsmith.adapters.process.frames import read_frame, write_frame
from draftsmith.adapters.process.processor_time import allow_processor_seconds

MEMORY_BYTES: Final = 1 << 30
"""What the process may use for data; more ends it."""

SCRIPT_BYTES: Final = 512 << 20
"""What the script may use; more ends in a failure."""

_NICE: Final = 5  # whoever serves everybody goes first

_TIMERS: Final = """
globalThis.setTimeout = (run) => { Promise.resolve().then(run); return 0; };
globalThis.clearTimeout = () => {};
"""
"""The package's own need what its V8 lacks; nothing here waits for a time, so these only put off what comes next."""


class ScriptEngine:
    """A script in its own world."""

    def __init__(self, script: Path, name: str) -> None:
        """Load it; `name` is the object that it sets, whose `run` answers."""
        from py_mini_racer import MiniRacer  # optional; who starts this process has looked for it

        self._world: Any = MiniRacer()
        self._world.set_hard_memory_limit(SCRIPT_BYTES)
        self._world.eval(_TIMERS)
        self._world.eval(script.read_text("utf-8"))
        self._run: Any = self._world.eval(f"async (question) => {name}.run(question)")

    def answer(self, question: bytes) -> str:
        """The script's answer.

        Raises:
            Exception: whatever it throws.
        """
        answer = self._run(question.decode("utf-8")).get()
        if not isinstance(answer, str):
            raise TypeError("the script has answered no text")
        return answer


def is_out_of_memory(error: Exception) -> bool:
    """Whether the script was stopped since it took more memory than it may."""
    return isinstance(error, MemoryError) or type(error).__name__ == "JSOOMException"


def serve(load: Callable[[], Callable[[bytes], bytes]], processor_seconds: int) -> NoReturn:
    """Answer questions until the input ends, and end the process.

    Args:
        load: gives what answers; what that raises is a failure of one question, for which stands an empty answer.
        processor_seconds: processor time that one question may take, of all threads.
    """
    code = 1
    try:
        _serve(load, processor_seconds)
        code = 0
    except Exception:  # noqa: BLE001  # whatever it is, it is said, and the process ends
        traceback.print_exc()
    os._exit(code)  # V8 may hold up an interpreter that ends by itself


def _serve(load: Callable[[], Callable[[bytes], bytes]], processor_seconds: int) -> None:
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not mix with answers
    os.nice(_NICE)
    _limit_memory()
    answer = load()
    while (question := read_frame(sys.stdin.buffer)) is not None:
        allow_processor_seconds(processor_seconds)
        write_frame(output, _answer_or_none(answer, question))


def _answer_or_none(answer: Callable[[bytes], bytes], question: bytes) -> bytes:
    try:
        return answer(question)
    except Exception as error:  # noqa: BLE001  # whatever is thrown, the worker must hear of it
        sys.stderr.write(f"engine: {error!r:.2000}\n")
        return b""


def _limit_memory() -> None:
    try:
        import resource  # absent on some systems
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
