"""Ids of events and turns: milliseconds and a number, as those of the store's streams."""

from __future__ import annotations

import re

from draftsmith.errors import DraftsmithError

_ID = re.compile(r"([0-9]{1,20})(?:-([0-9]{1,20}))?")
_MOST = 2**64 - 1


def parse_id(text: str) -> tuple[int, int]:
    """Parse an id, which comes from outside, to numbers that can be compared; `5` is `5-0`.

    Raises:
        DraftsmithError: `invalid_request`; it is no id.
    """
    found = _ID.fullmatch(text)
    place = (int(found[1]), int(found[2] or 0)) if found else (_MOST + 1, 0)
    if max(place) > _MOST:
        raise DraftsmithError("invalid_request", f"“{text[:50]}” is no id of an event or a turn; begin without one.")
    return place


def next_after(text: str) -> str:
    """The first id that comes after one.

    Raises:
        DraftsmithError: `invalid_request`; it is no id.
    """
    ms, number = parse_id(text)
    if number < _MOST:
        return f"{ms}-{number + 1}"
    return f"{ms + 1}-0" if ms < _MOST else f"{_MOST}-{_MOST}"  # no stream gets that far


def last_before(text: str) -> str:
    """The last id that comes before one; `0-0` before the first, an id that no stream has.

    Raises:
        DraftsmithError: `invalid_request`; it is no id.
    """
    ms, number = parse_id(text)
    if number:
        return f"{ms}-{number - 1}"
    return f"{ms - 1}-{_MOST}" if ms else "0-0"
