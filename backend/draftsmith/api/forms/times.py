"""Times in answers that may be none."""

from __future__ import annotations

from draftsmith.history.times import iso


def iso_or_none(ms: int | None) -> str | None:
    """RFC 3339 of milliseconds since 1970; None stays None."""
    return None if ms is None else iso(ms)
