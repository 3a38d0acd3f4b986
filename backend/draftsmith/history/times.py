"""Times as people and programs read them."""

from __future__ import annotations

from datetime import UTC, datetime


def iso(ms: int) -> str:
    """A time of the store's clock (milliseconds since 1970) as ISO 8601 in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def iso_or_none(ms: int | None) -> str | None:
    """As `iso`; None for none."""
    return None if ms is None else iso(ms)
