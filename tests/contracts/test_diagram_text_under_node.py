"""The diagram as text against the page's own sources under Node: printed byte for byte, and read as the page draws it.

Cases are drawn from a seed, which is printed; `DIAGRAM_TEXT_SEED` repeats one.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from draftsmith.model.diagram_text.writer import to_text
from draftsmith.model.shapes import DiagramOut
from draftsmith.model.workspace import Workspace, diagram_json
from tests.laws.test_batches import workspaces
from tests.node.diagram_texts import agrees, diagram_of, drawn, text_of
from tests.seeds import examples, seed_named

SCRIPT = Path(__file__).parents[1] / "node" / "diagram-text.mjs"
DIAGRAMS = 400
TEXTS = 1_500

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")


def of_the_page(diagrams: list[Any], texts: list[str]) -> dict[str, list[Any]]:
    """What the page makes of diagrams and texts."""
    asked = json.dumps({"diagrams": diagrams, "texts": texts})
    run = subprocess.run(["node", SCRIPT], input=asked, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    found: dict[str, list[Any]] = json.loads(run.stdout)
    return found


def test_the_page_prints_and_draws_the_same() -> None:
    """Random diagrams and random texts, with names that could be read as something else."""
    seed = seed_named("DIAGRAM_TEXT_SEED")
    print(f"seed: {seed}")
    draw = random.Random(seed)
    diagrams = [diagram_of(draw) for _ in range(DIAGRAMS)]
    texts = [text_of(draw) for _ in range(TEXTS)]
    page = of_the_page(diagrams, texts)
    for diagram, printed in zip(diagrams, page["printed"], strict=True):
        assert to_text(diagram) == printed
    unread = 0
    for text, theirs in zip(texts, page["drawn"], strict=True):
        ours = drawn(text)
        assert (ours["nodes"], ours["edges"]) == (theirs["nodes"], theirs["edges"]), repr(text)
        assert [line for line, _ in ours["unread"]] == [line for line, _ in theirs["unread"]], repr(text)
        for (_, reason), (_, sentence) in zip(ours["unread"], theirs["unread"], strict=True):
            assert agrees(reason, sentence), repr(text)
        unread += len(ours["unread"])
    assert unread > TEXTS  # so that refusals are compared as well


def test_the_page_prints_what_batches_have_made() -> None:
    """Diagrams as batches leave them, groups within groups and deleted ones too."""
    made: list[DiagramOut] = []

    @settings(max_examples=examples(100))
    @given(workspaces())
    def collect(workspace: Workspace) -> None:
        made.append(diagram_json(workspace.diagram))

    collect()
    assert sum(len(diagram["edges"]) for diagram in made) > len(made)
    for diagram, printed in zip(made, of_the_page(made, [])["printed"], strict=True):
        assert to_text(diagram) == printed
