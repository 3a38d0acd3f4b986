"""Reads from the log whether the edits of a batch were made before; for `transform.matching.repeated_edits`.

The log is read only where it matters: where a find does not stand in its section and the replacement stands there once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress

from draftsmith.history.replica import Replica
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.transform.matching.locate import find_section, standing_once
from draftsmith.transform.matching.repeated_edits import LEAST, ReplacementTrace
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests.batch import Batch
from draftsmith.transform.steps.text import ChangeText
from draftsmith.usecases.replicas.log_reader import LogReader, reading_text_steps
from draftsmith.usecases.replicas.slices import in_slices

_FAR = 5_000  # commits; while somebody types, there are four in a second
_PAGE = 500
_MOST_READ = 100_000  # characters of sections in which replacements are looked for


async def kept_changes(batch: Batch, replica: Replica, log: LogReader) -> Sequence[ChangeText]:
    """The changes of the text by the commits up to the head, newest first, as far as a repeated edit makes them matter.

    Empty for a batch whose finds stand where they are looked for. The replica must not move meanwhile.
    """
    traces = list(_traces(batch, replica))
    found: list[ChangeText] = []
    beyond = replica.head.revision
    last = max(0, beyond - _FAR)
    while any(not trace.is_over for trace in traces) and beyond > last:
        entries = await log.upto(beyond, _PAGE)
        if not entries:
            break
        steps = (await in_slices(reading_text_steps(entries)))[::-1]
        await in_slices(_tracing(traces, steps))
        found += steps
        beyond = entries[0].revision - 1
    return found


def _traces(batch: Batch, replica: Replica) -> Iterator[ReplacementTrace]:
    document = replica.workspace.document
    left = _MOST_READ
    for one in batch.operations:
        if one.op == "edit_section" and len(one.replace.strip()) >= LEAST:
            section = _section_without(document.outline, one.section, one.find)
            left -= 0 if section is None else section[1]
            found = None if section is None or left < 0 else standing_once(document.outline, section[0], one.replace)
            if found is not None:
                yield ReplacementTrace(document.text, found[0], one.find, document.text[slice(*found)])


def _section_without(outline: Outline, path: str, find: str) -> tuple[Section | None, int] | None:
    """The section of an edit whose find does not stand in it, and its length; None for anything else."""
    with suppress(OperationRefused):  # reported when the batch is run
        section = find_section(outline, path, "") if path.strip() else None
        start, end = (0, outline.preamble_end) if section is None else (section.start, section.end)
        if outline.text.find(find, start, end) < 0:
            return section, end - start
    return None


def _tracing(traces: Sequence[ReplacementTrace], steps: Sequence[ChangeText]) -> Generator[None, None, None]:
    """Follow replacements back through changes, newest first."""
    for trace in traces:
        for step in steps:
            trace.step_back(step, is_kept=True)
        yield
