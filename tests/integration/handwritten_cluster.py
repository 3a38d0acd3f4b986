"""A plugin that says of a cluster what a file of a test holds; `python -m draftsmith.plugin` runs it in a process."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from draftsmith.plugin import Plugin

handwritten = Plugin("handwritten", "1.0.0")


@handwritten.tool(read_only=True)
def workloads(namespaces: list[str] | None = None) -> Any:
    """Say what runs in a cluster. Use it to compare a design with it."""
    found = json.loads(Path(os.environ["CLUSTER_FILE"]).read_text("utf-8"))
    if namespaces is not None and isinstance(found, dict) and isinstance(found.get("workloads"), list):
        kept = [one for one in found["workloads"] if one["namespace"] in namespaces]
        ids = {one["id"] for one in kept}
        found["namespaces"] = [one for one in found["namespaces"] if one in namespaces]
        found["workloads"] = kept
        found["outside"] = [one for one in found["outside"] if one["named_by"] in ids]
        ids |= {one["id"] for one in found["outside"]}
        found["connections"] = [one for one in found["connections"] if {one["source"], one["target"]} <= ids]
    return found
