"""The same batch on the same workspace makes the same bytes in every process, whatever its hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
from tests.builders import Story, edge, group, node, update

story = Story(group("g"), *(node(i, parent="g") for i in "abcdef"), text="# A\\n\\n## B\\n\\nx\\n")
story.do("ann", edge("a", "b"), edge("b", "c"), edge("c", "a", label="x"), edge("d", "c"))
story.do("ann", update("a", label="L", notes="n", description="d", technology="t", size=None, properties={"z": "1"}))
story.do("ann", {"op": "update_edge", "id": "a--b", "label": "l", "kind": "async", "description": "d"})
story.do("bob", {"op": "delete_nodes", "ids": ["g", "c", "b"], "bridge": True})
story.do("bob", {"op": "layout_diagram", "scope": "all"}, {"op": "append_to_section", "section": "B", "text": "y"})
story.do("ann", {"op": "replace_diagram", "nodes": [{"id": i, "type": "api", "label": i} for i in "xya"],
                 "edges": [{"source": "x", "target": "y", "label": "l", "kind": "data", "direction": "both"}]})
story.undo("ann")
story.restore("bob", 2)
print(story.replica.head.chain)
"""


def test_hash_seeds_do_not_matter() -> None:
    """Every commit's steps, in order, down to the chain hash; so results and sentences are repeatable too."""
    chains = set()
    for seed in ("0", "1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT / 'backend'}{os.pathsep}{ROOT}"}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        chains.add(done.stdout)
    assert len(chains) == 1
