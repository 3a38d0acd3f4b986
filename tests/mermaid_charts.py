"""Charts of Mermaid through its own parsers, as the built editor brings them: what tests and measurements share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from draftsmith.adapters.server.engine_process import ChartProcess
from draftsmith.model.readers.reading import SourceFile
from draftsmith.usecases.prepare.parsed_charts import MERMAID, ChartParsers
from draftsmith.usecases.requests.client import NOBODY

SCRIPT = Path(__file__).parents[1] / "frontend/dist/charts/charts.js"


async def parse_charts(
    files: Sequence[SourceFile], reader: str | None = MERMAID, root: str | None = None
) -> tuple[SourceFile, ...]:
    """The files with what Mermaid's parsers say of them."""
    parsers = ChartParsers(ChartProcess(SCRIPT))
    try:
        return await parsers.parse(files, reader, NOBODY, root)
    finally:
        await parsers.close()
