"""What a step changes in the document, as whole lines: for previews of a proposal beside the text that is there.

A diff (`diff`) holds the changed spans themselves. They may begin and end within a line, so they cannot be found in a
text by their words alone; whole lines can.

JSON: as `diff.document`, with `old` and `new` made of whole lines, each with its line feed, the last of the text, too.
Where `old` is empty, `new` comes before line `from_line`.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftsmith.history.shapes import TextDiff
from draftsmith.model.document import from_units_in_order
from draftsmith.model.markdown.sections import Outline, outline_of
from draftsmith.transform.steps.text import ChangeText

_Span = tuple[int, int, str]  # from, to (code points of the text before), what comes there


def changed_lines_of(step: ChangeText | None, text: str, outline: Outline | None = None) -> list[TextDiff]:
    """The changes of a step on `text` as whole lines, in order; lines that stay are in none of them.

    `outline`: of that text, if it is known already.
    """
    if step is None:
        return []
    outline = outline if outline is not None else outline_of(text)
    found: list[TextDiff] = []
    at, line = 0, 1
    for start, end, new in _whole_lines(step, text):
        line, at = line + text.count("\n", at, start), start
        old = _lines(text[start:end])
        first, last, come = _without_what_stays(old, _lines(new))
        here = start + sum(len(one) for one in old[:first])
        gone = old[first : len(old) - last]
        if gone or come:
            section = outline.path_at(here if gone else max(0, here - 1))
            to_line = line + first + max(0, len(gone) - 1)
            found.append(
                {
                    "section": section,
                    "from_line": line + first,
                    "to_line": to_line,
                    "old": "".join(gone),
                    "new": "".join(come),
                }
            )
    return found


def _whole_lines(step: ChangeText, text: str) -> Iterator[_Span]:
    """Spans of whole lines with what comes in their place; changes that touch a line together are one."""
    point = from_units_in_order(text)
    begin, stop, at = 0, -1, 0  # of the lines so far, and the end of the last change in them
    pieces: list[str] = []
    for change in step.changes.changes():
        start, end = point(change.start), point(change.end)
        if start < stop or (stop == len(text) > 0 and text[-1] != "\n"):
            pieces += [text[at:start], change.inserted]
        else:
            if stop >= 0:
                yield begin, stop, "".join([*pieces, text[at:stop]])
            begin = text.rfind("\n", 0, start) + 1
            pieces = [text[begin:start], change.inserted]
        at = end
        stop = stop if end < stop else _line_end(text, end)
    if stop >= 0:
        yield begin, stop, "".join([*pieces, text[at:stop]])


def _line_end(text: str, at: int) -> int:
    """Behind the line feed of the line in which a place stands."""
    return text.find("\n", at) + 1 or len(text)


def _lines(text: str) -> list[str]:
    """Lines, each with its line feed."""
    lines = [f"{line}\n" for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "\n" else lines


def _without_what_stays(old: list[str], new: list[str]) -> tuple[int, int, list[str]]:
    """How many lines stay at the beginning and at the end, and what comes between."""
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    last = next((n for n in range(most - first) if old[-1 - n] != new[-1 - n]), most - first)
    return first, last, new[first : len(new) - last]
