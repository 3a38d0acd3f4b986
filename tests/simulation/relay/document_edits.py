"""Which edits of a document a scripted model makes, and how often."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.noise.samples import Sample
from tests.simulation.relay import section_edits as sections
from tests.simulation.relay.plan import Plan
from tests.simulation.relay.text_edits import edit, edit_all, edit_preamble

_TRIES = 40

Planner = Callable[[Sample, random.Random, int], Plan | None]
_KINDS: dict[str, tuple[int, Planner]] = {
    "edit_section": (54, edit),
    "edit_section, all": (3, edit_all),
    "text before the first heading": (2, edit_preamble),
    "replace_section": (11, sections.replace_section),
    "append_to_section": (8, sections.append),
    "insert_section": (8, sections.insert),
    "delete_section": (6, sections.delete),
    "rename_section": (6, sections.rename),
    "move_section": (5, sections.move),
}


def document_plan(sample: Sample, rng: random.Random, step: int) -> Plan | None:
    """An edit of some kind, or None if the dice fell badly."""
    [kind] = rng.choices(list(_KINDS), [weight for weight, _ in _KINDS.values()])
    for _ in range(_TRIES):
        plan = _KINDS[kind][1](sample, rng, step)
        if plan is not None:
            return plan
    return None
