"""The text that replaces a match: the replacement verbatim, apart from outer white space and line ends."""

from __future__ import annotations

import re

from draftsmith.transform.find_ladder import TextMatch

_LINE_END = re.compile(r"\r\n|\n|\r")


def replacement(text: str, found: TextMatch, find: str, replace: str) -> tuple[int, int, str]:
    """Return start, end and new text.

    A find that did not match exactly is matched without its outer white space. Outer white space that find and replace
    share is left as it is in the document; a line end that only the find has is deleted.
    """
    new = _with_line_ends(replace, text)
    if found.rung == "exact":
        return found.start, found.end, new
    start, end = found.start, found.end
    lead, tail = find[: len(find) - len(find.lstrip())], find[len(find.rstrip()) :]
    if lead and replace.startswith(lead):
        new = _with_line_ends(replace[len(lead) :], text)
    if tail and replace.endswith(tail) and len(replace) >= len(tail):
        new = new[: len(new) - len(_with_line_ends(tail, text))]
    elif "\n" in tail:
        stop = _LINE_END.match(text, end)
        end = stop.end() if stop is not None else end
    return start, end, new


def _with_line_ends(new: str, text: str) -> str:
    """Convert line ends to those most frequent in the document."""
    if "\r" not in text and "\r" not in new:
        return new
    crlf = text.count("\r\n")
    counts = {"\r\n": crlf, "\n": text.count("\n") - crlf, "\r": text.count("\r") - crlf}
    usual = max(counts, key=lambda end: counts[end])
    return _LINE_END.sub(lambda _: usual, new) if any(counts.values()) else new
