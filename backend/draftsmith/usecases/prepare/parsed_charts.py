"""Charts of Mermaid are read by Mermaid's own parsers before a reader sees them, in a process of their own.

A reader is pure and cannot ask for anything, so what the parsers say comes with the file (`SourceFile.parsed`), for the
charts in a zip with the zip. The process bounds the processor time and the memory of each chart; a client has one turn
at a time, which is one chart. Not here: what becomes of a chart (`model.mermaid.parsed_chart`), the process
(`draftsmith.chart_parser`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import orjson

from draftsmith.model.mermaid.format_reader import recognizes
from draftsmith.model.mermaid.parsed_chart import FAILED, TOO_COSTLY
from draftsmith.model.mermaid.reader import MAX_BYTES
from draftsmith.model.readers import zips
from draftsmith.model.readers.alone import text_of
from draftsmith.model.readers.reading import SourceFile, UnreadableSource
from draftsmith.model.readers.registry import READERS, ZIP
from draftsmith.model.workspace import Workspace
from draftsmith.ports.engines import Engine, EngineFailed
from draftsmith.usecases.prepare.fair_queue import FairQueue
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.requests.client import Client

MERMAID: Final = "mermaid"
"""The name of the format."""
_MOST_ENDED: Final = 3
"""Charts of one request that may be ended for their costs; after these no other is parsed."""
_MOST_PACKED: Final = 10_000_000
"""Bytes of the charts in zips that are parsed; those behind them count as too costly."""


@dataclass
class ChartParsers:
    """Mermaid's parsers, for one worker.

    Attributes:
        engine: the process that parses.
        pool: where zips are unpacked; None where that is done at once.
    """

    engine: Engine
    pool: PreparerPool | None = None
    _queue: FairQueue[Engine] = field(init=False)

    def __post_init__(self) -> None:
        """Have turns at the process."""
        self._queue = FairQueue((self.engine,))

    async def parse(
        self, files: Sequence[SourceFile], reader: str | None, client: Client, root: str | None = None
    ) -> tuple[SourceFile, ...]:
        """The same files, each chart among them with what its parser says, those in zips too.

        Args:
            files: what came together.
            reader: the format that somebody says they are in; None to recognize it.
            client: whose turns these are.
            root: the file that alone is read; None for all.

        Raises:
            DraftsmithError: `busy`, if too many wait.
        """
        reader = None if reader == ZIP else reader
        packed = await self._packed_texts(files, reader, client, root)
        request = _ChartRequest(self, client)
        found: list[SourceFile] = []
        for file in files:
            if zips.recognizes(file):
                texts = packed.get(file.path, {})
                found.append(zips.with_parsed(file, {path: await request.parse(texts[path]) for path in texts}))
                continue
            text = _chart_text(file, reader) if root in (None, file.path) else None
            found.append(file if text is None else replace(file, parsed=await request.parse(text)))
        return tuple(found)

    async def ask(self, text: str, client: Client) -> bytes:
        """The answer of the parser, or what stands for it where there is none.

        Raises:
            DraftsmithError: `busy`, if too many wait.
        """
        async with self._queue.turn(client) as engine:
            try:
                return await engine.run(orjson.dumps({"text": text}))
            except EngineFailed as failure:
                return TOO_COSTLY if failure.is_too_costly else FAILED

    async def _packed_texts(
        self, files: Sequence[SourceFile], reader: str | None, client: Client, root: str | None
    ) -> Mapping[str, Mapping[str, str | None]]:
        """The charts in zips by the path of the zip, each by its own path; None for one too many."""
        packed = [
            file for file in files if zips.recognizes(file) and (root is None or root.startswith(f"{file.path}/"))
        ]
        if not packed:
            return {}
        work = partial(packed_charts, packed, reader, root)
        content = work(Workspace()) if self.pool is None else await self.pool.compute(client, work)
        found: dict[str, dict[str, str | None]] = {}
        for zip_path, path, text in orjson.loads(content):
            found.setdefault(zip_path, {})[path] = text
        return found

    async def close(self) -> None:
        """End the process."""
        await self.engine.close()


@dataclass(slots=True)
class _ChartRequest:
    """The charts of one request, of which a few may be ended."""

    parsers: ChartParsers
    client: Client
    _ended: int = 0

    async def parse(self, text: str | None) -> bytes:
        """What the parser says of a chart; nobody asks it after too many that were ended, nor for None."""
        if text is None or self._ended == _MOST_ENDED:
            return TOO_COSTLY
        parsed = await self.parsers.ask(text, self.client)
        self._ended += parsed == TOO_COSTLY
        return parsed


def packed_charts(files: Sequence[SourceFile], reader: str | None, root: str | None, _: Workspace) -> bytes:
    """The charts in zips as JSON: the path of the zip, that of the chart and its text, null for one too many."""
    found: list[tuple[str, str, str | None]] = []
    left = _MOST_PACKED
    for zip_path, file in zips.packed_files(files, lambda path: root in (None, path) and _may_be_chart(path, reader)):
        text = _chart_text(file, reader)
        if text is not None:
            left -= len(file.content)
            found.append((zip_path, file.path, text if left >= 0 else None))
    return orjson.dumps(found)


def _may_be_chart(path: str, reader: str | None) -> bool:
    """Whether Mermaid's reader may get a file of that path."""
    return reader == MERMAID or (reader is None and path.lower().endswith(READERS[MERMAID].endings))


def _chart_text(file: SourceFile, reader: str | None) -> str | None:
    """The text of a chart that Mermaid's reader will get; None for any other file, and for one that is too long."""
    if not _may_be_chart(file.path, reader) or (reader is None and not recognizes(file)):
        return None
    try:
        return text_of(file, MAX_BYTES)
    except UnreadableSource:
        return None
