"""How the API and the socket show runs and proposals: times as ISO 8601, no internal fields."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any


def iso(ms: int) -> str:
    """A time of the store's clock as ISO 8601 in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def run_view(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run (`values.run_json`) with its times and its base in the form of the API."""
    shape = dict(run)
    base, created, updated = shape.pop("base"), shape.pop("created_ms"), shape.pop("updated_ms")
    return {**shape, "base_revision": base.get("revision"), "created_at": iso(created), "updated_at": iso(updated)}


def proposal_view(proposal: Mapping[str, Any]) -> dict[str, Any]:
    """A proposal (`Proposals.list`) with its times in the form of the API."""
    shape = dict(proposal)
    created, expires = shape.pop("created_ms"), shape.pop("expires_ms")
    return {**shape, "created_at": iso(created), "expires_at": iso(expires)}
