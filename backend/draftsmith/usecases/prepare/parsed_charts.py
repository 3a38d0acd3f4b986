"""Charts of Mermaid are read by Mermaid's own parsers before a reader sees them, in a process of their own.

A reader is pure and cannot ask for anything, so what the parsers say comes with the file (`SourceFile.parsed`). The
process bounds the processor time and the memory of each chart; a client has one turn at a time, which is one chart.
Not here: what becomes of a chart (`model.mermaid.parsed_chart`), the process (`draftsmith.chart_parser`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import orjson

from draftsmith.model.mermaid.format_reader import recognizes
from draftsmith.model.mermaid.parsed_chart import TOO_COSTLY
from draftsmith.model.mermaid.reader import MAX_BYTES
from draftsmith.model.readers.reading import SourceFile
from draftsmith.model.readers.registry import READERS
from draftsmith.ports.engines import Engine, EngineFailed
from draftsmith.usecases.prepare.fair_queue import FairQueue
from draftsmith.usecases.requests.client import Client

MERMAID: Final = "mermaid"
"""The name of the format."""
_MOST_ENDED: Final = 3
"""Charts of one request that may be ended for their costs; after these no other is parsed."""


@dataclass
class ChartParsers:
    """Mermaid's parsers, for one worker.

    Attributes:
        engine: the process that parses.
    """

    engine: Engine
    _queue: FairQueue[Engine] = field(init=False)

    def __post_init__(self) -> None:
        """Have turns at the process."""
        self._queue = FairQueue((self.engine,))

    async def parse(self, files: Sequence[SourceFile], reader: str | None, client: Client) -> tuple[SourceFile, ...]:
        """The same files, each chart among them with what its parser says.

        Args:
            files: what came together.
            reader: the format that somebody says they are in; None to recognize it.
            client: whose turns these are.

        Raises:
            DraftsmithError: `busy`, if too many wait.
        """
        found: list[SourceFile] = []
        ended = 0
        for file in files:
            if not _is_chart(file, reader):
                found.append(file)
                continue
            parsed = TOO_COSTLY if ended == _MOST_ENDED else await self._parse(file, client)
            ended += parsed == TOO_COSTLY and ended < _MOST_ENDED
            found.append(replace(file, parsed=parsed))
        return tuple(found)

    async def _parse(self, file: SourceFile, client: Client) -> bytes:
        """The answer of the parser; empty where it has none."""
        question = orjson.dumps({"text": file.content.decode("utf-8-sig")})
        async with self._queue.turn(client) as engine:
            try:
                return await engine.run(question)
            except EngineFailed as failure:
                return TOO_COSTLY if failure.is_too_costly else b""

    async def close(self) -> None:
        """End the process."""
        await self.engine.close()


def _is_chart(file: SourceFile, reader: str | None) -> bool:
    """Whether Mermaid's reader will get this file, and it is a text of a size that is read."""
    is_meant = reader == MERMAID or (reader is None and file.path.lower().endswith(READERS[MERMAID].endings))
    if not is_meant or len(file.content) > MAX_BYTES or (reader is None and not recognizes(file)):
        return False
    try:
        file.content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
