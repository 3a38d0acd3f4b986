"""What Tidy promises, on the templates and on graphs made by chance, and what few nodes get without it.

The engine is that of the built editor, in an embedded V8, as on the server.
Not here: the numbers over many graphs (`bench/test_drawings.py`).
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator

import pytest

from bench.drawings.engine import Engine, missing
from bench.drawings.few import few_nodes, judged
from bench.drawings.graph import Graph, moved
from bench.drawings.graphs import templates
from bench.drawings.insertions import between, insert
from bench.drawings.random_graphs import random_graph
from bench.drawings.scores import FLAWS

_BOXES = ("overlaps", "strangersInFrames", "framesOverFrames", "linesThroughNodes")
_NONE_OF = (*_BOXES, "linesThroughTitles", "coincident")
_COUNTED = (*FLAWS, "coincident", "crossings")
_MACHINES = ("x86_64", "amd64", "aarch64", "arm64")
_GRAPHS = [*templates(), *(random_graph(size, seed) for size, seed in ((10, 4), (10, 5), (20, 1), (30, 4)))]
_HAS_WHEEL = platform.system() in ("Linux", "Darwin") and platform.machine().lower() in _MACHINES


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """The engine in a process of its own; skipped only where V8 has no wheel."""
    reason = missing()
    if reason and (os.environ.get("CI") or _HAS_WHEEL):
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    with Engine() as running:
        yield running


@pytest.mark.parametrize("graph", _GRAPHS, ids=lambda graph: graph.name)
def test_tidy_from_scratch_is_clear(engine: Engine, graph: Graph) -> None:
    """Nothing on anything else, and at most the crossings of the better of two plain runs."""
    diagram = graph.diagram()
    tidied = moved(diagram, engine.tidy(diagram)["operation"])
    score = engine.judge(tidied)["score"]
    assert {name: score[name] for name in _NONE_OF} == dict.fromkeys(_NONE_OF, 0)
    plain = [engine.plain(diagram, direction)["score"]["crossings"] for direction in ("RIGHT", "DOWN")]
    assert score["crossings"] <= min(plain)


def test_the_engine_says_what_the_judge_says(engine: Engine) -> None:
    """The score in an answer is that of the diagram after its operation."""
    diagram = random_graph(10, 4).diagram()
    answer = engine.tidy(diagram)
    judged = engine.judge(moved(diagram, answer["operation"]))["score"]
    assert {name: answer["after"][name] for name in _COUNTED} == {name: judged[name] for name in _COUNTED}


@pytest.mark.parametrize("graph", _GRAPHS[:4], ids=lambda graph: graph.name)
def test_tidying_gently_is_never_worse(engine: Engine, graph: Graph) -> None:
    """On no count, whatever was there before; where nothing is better, nothing is changed."""
    assert graph.author is not None
    answer = engine.tidy(graph.author, "gentle")
    drawings = (graph.author, moved(graph.author, answer["operation"]))
    before, after = (engine.judge(one)["score"] for one in drawings)
    assert not {name: (before[name], after[name]) for name in _COUNTED if after[name] > before[name]}


def test_an_insertion_leaves_the_rest_alone(engine: Engine) -> None:
    """A node into each third line of the templates: 15 % of the others move at most, and nothing lies on anything."""
    lines = moved_lines = 0
    for graph in _GRAPHS[:4]:
        diagram = graph.author
        assert diagram is not None
        before = engine.judge(diagram)["score"]
        for edge in diagram["edges"][::3]:
            inserted = insert(engine, diagram, between(edge))
            after = engine.judge(inserted.after)["score"]
            assert not {name: after[name] for name in _BOXES if after[name] > before[name]}
            lines += inserted.lines
            moved_lines += inserted.moved_lines
    assert moved_lines <= 0.15 * lines


def test_few_nodes_are_placed_about_as_clearly(engine: Engine) -> None:
    """Forty graphs that the worker places: nothing on anything, two labels covered and two crossings more at most."""
    scores = [judged(engine, few_nodes(seed)) for seed in range(40)]
    counted = (*_COUNTED, "length")
    worker, tidied = ({name: sum(pair[side][name] for pair in scores) for name in counted} for side in (0, 1))
    assert {name: worker[name] for name in _NONE_OF} == dict.fromkeys(_NONE_OF, 0)
    assert worker["labelsHidden"] + worker["labelsOnLabels"] <= 2
    assert worker["crossings"] <= tidied["crossings"] + 2
    assert worker["length"] <= 1.2 * tidied["length"]
