"""Every kind of step, so that reading one from JSON knows them all: import `step_from_json` from here."""

from __future__ import annotations

from draftsmith.transform import steps_edge, steps_node, steps_text
from draftsmith.transform.steps import step_from_json

__all__ = ["step_from_json", "steps_edge", "steps_node", "steps_text"]
