"""A process that lays diagrams out with the page's own code: `python -m draftsmith.layouter SCRIPT`.

It runs the layout engine (`frontend/dist/engine/layout.js`, built from `frontend/src/engine`). A worker starts it
(`adapters.server.engine_process`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from draftsmith.adapters.process.script_engine import ScriptEngine, serve

PROCESSOR_SECONDS: Final = 30


def _load() -> Callable[[bytes], bytes]:
    engine = ScriptEngine(Path(sys.argv[1]), "draftsmithLayout")
    return lambda question: engine.answer(question).encode("utf-8")


if __name__ == "__main__":
    serve(_load, PROCESSOR_SECONDS)
