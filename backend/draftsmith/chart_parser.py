"""A process that reads charts by the parsers of Mermaid itself: `python -m draftsmith.chart_parser SCRIPT`.

It runs `frontend/dist/charts/charts.js`, built from `frontend/src/engine/charts`. A worker starts it, or the command
`import` (`adapters.server.engine_process`).
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

from draftsmith.adapters.process.script_engine import ScriptEngine, is_out_of_memory, serve
from draftsmith.model.mermaid.parsed_chart import TOO_COSTLY

PROCESSOR_SECONDS: Final = 5
"""A flowchart of 6,000 links takes some two."""
MAX_ANSWER: Final = 20_000_000
"""Bytes of an answer: a label stands in it once for each of the lines that have it, and a chart may have 20,000."""


def _load() -> Callable[[bytes], bytes]:
    engine = ScriptEngine(Path(sys.argv[1]), "draftsmithCharts")

    def answer(question: bytes) -> bytes:
        try:
            found = engine.answer(question).encode("utf-8")
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            traceback.print_exc()
            return TOO_COSTLY
        return found if len(found) <= MAX_ANSWER else TOO_COSTLY

    return answer


if __name__ == "__main__":
    serve(_load, PROCESSOR_SECONDS)
