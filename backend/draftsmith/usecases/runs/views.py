"""How runs and proposals are shown through every door: times as ISO 8601, and nothing that is ours alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any


def iso(ms: int) -> str:
    """A time of the store's clock as ISO 8601 in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def run_shown(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run (`run_values.run_json`) with times and its base in the form of the API."""
    shape = dict(run)
    base, created, updated = shape.pop("base"), shape.pop("created_ms"), shape.pop("updated_ms")
    return {**shape, "base_revision": base.get("revision"), "created_at": iso(created), "updated_at": iso(updated)}


def proposal_shown(proposal: Mapping[str, Any]) -> dict[str, Any]:
    """A proposal (`Proposals.list`) with times in the form of the API."""
    shape = dict(proposal)
    created, expires = shape.pop("created_ms"), shape.pop("expires_ms")
    return {**shape, "created_at": iso(created), "expires_at": iso(expires)}
