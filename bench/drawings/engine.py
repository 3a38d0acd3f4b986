"""The layout engine of the built editor, run in a process of its own, which is ended by force when it is not needed.

The engine is one script; here it runs in an embedded V8, as on the server. It is asked in JSON and answers in JSON.
Not here: how the server runs it, with its limits.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

SCRIPT = Path(__file__).parents[2] / "frontend/dist/engine/layout.js"
Answer = dict[str, Any]
_LIMIT_S = 600
# The runtime's own timer needs an event loop, which there is none of here.
_TIMERS = """
globalThis.setTimeout = (run) => { Promise.resolve().then(run); return 0; };
globalThis.clearTimeout = () => {};
"""


def missing() -> str:
    """Why the engine cannot run here; empty where it can."""
    if importlib.util.find_spec("py_mini_racer") is None:
        return "mini-racer is not installed: it has no wheel for this platform"
    return "" if SCRIPT.exists() else f"{SCRIPT} is not built: make setup"


class EngineFailed(Exception):
    """The engine did not answer what it was asked."""


class Engine:
    """An engine to be asked one thing after the other.

    Attributes:
        seconds: how long the last answer took.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, task: str, **fields: Any) -> Answer:
        """Ask for a task; its answer."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"task": task, **fields}) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise EngineFailed(f"{task}: the engine's process has ended")
        answer: Answer = json.loads(line)
        if "failed" in answer:
            raise EngineFailed(f"{task}: {answer['failed']}")
        self.seconds = answer["seconds"]
        return dict(answer["answer"])

    def judge(self, diagram: Any, before: Any = None) -> Answer:
        """The `score` of a diagram as it is shown, and how many of its names are `legible`."""
        return self.ask("judge", diagram=diagram, before=before)

    def tidy(self, diagram: Any, mode: str = "scratch") -> Answer:
        """What Tidy makes of a diagram in which everything may move."""
        return self.ask("arrange", diagram=diagram, mode=mode, ids=None, room=None, variants=None)

    def plain(self, diagram: Any, direction: str) -> Answer:
        """What one run of the layout library makes of it, `RIGHT` or `DOWN`."""
        return self.ask("plain", diagram=diagram, direction=direction)


def _serve(script: str) -> None:
    """Answer each line of the input with a line, until there is none left."""
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval(_TIMERS)
    loads = Path(script).read_text("utf-8")
    for line in sys.stdin:
        try:
            engine.eval(loads)
            loads = ""
            began = time.perf_counter()
            answer = json.loads(engine.eval(f"draftsmithLayout.run({json.dumps(line)})").get(timeout=_LIMIT_S))
            said: Answer = {"answer": answer, "seconds": time.perf_counter() - began}
        except Exception as error:  # noqa: BLE001  # whatever it is, the one who asked is told
            said = {"failed": f"{type(error).__name__}: {error}"[:1000]}
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve(sys.argv[1])
