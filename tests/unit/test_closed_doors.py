"""Doors between the stages that imports alone cannot show: read from the syntax of every module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import draftsmith
from draftsmith.transform.steps import steps

ROOT = Path(draftsmith.__file__).parent
STEP_NAMES = frozenset(kind.__name__ for kind in get_args(steps.Step))
MODULES = sorted(ROOT.rglob("*.py"))


def stage_of(path: Path) -> str:
    """The stage that a module belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def _step_imports(tree: ast.Module) -> dict[str, str]:
    """Names under which a module knows step classes, each with the class's own."""
    return {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("draftsmith.transform.steps")
        for alias in node.names
        if alias.name in STEP_NAMES
    }


def steps_made(source: str) -> Iterator[tuple[int, str]]:
    """Lines where a step class is called or inherited from, with the class's name."""
    tree = ast.parse(source)
    known = _step_imports(tree)
    modules = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "draftsmith.transform.steps"
        for alias in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call | ast.ClassDef):
            continue
        made = [node.func] if isinstance(node, ast.Call) else node.bases
        for one in made:
            if isinstance(one, ast.Name) and one.id in known:
                yield node.lineno, known[one.id]
            if isinstance(one, ast.Attribute) and one.attr in STEP_NAMES and _is_named(one.value, modules):
                yield node.lineno, one.attr


def _is_named(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def graphs_reached(source: str) -> Iterator[int]:
    """Lines that reach for the graph inside a diagram."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in ("graph", "_graph"):
            yield node.lineno


def test_only_transform_makes_steps() -> None:
    """Every step comes from `transform`, which checks it, or from the log through `step_from_json`."""
    others = [path for path in MODULES if stage_of(path) != "transform"]
    assert 100 < len(others) < len(MODULES)
    assert [
        f"{path.relative_to(ROOT)}:{line} makes {name}"
        for path in others
        for line, name in steps_made(path.read_text("utf-8"))
    ] == []


def test_only_the_diagram_knows_its_graph() -> None:
    """Everybody else asks `Diagram`, so its indexes cannot be passed by."""
    others = [path for path in MODULES if path != ROOT / "model" / "diagram.py"]
    assert len(others) == len(MODULES) - 1
    assert [
        f"{path.relative_to(ROOT)}:{line}" for path in others for line in graphs_reached(path.read_text("utf-8"))
    ] == []


def test_every_kind_of_step_has_its_readers() -> None:
    """The union and the table of JSON forms name the same classes."""
    read = {reader.__annotations__["return"] for reader in steps._READERS.values()}
    assert read == STEP_NAMES


def test_the_checks_find_what_they_look_for() -> None:
    """A step that is made, by any of the ways to name it, and a graph that is reached."""
    made = """
from draftsmith.transform.steps import text as steps_text
from draftsmith.transform.steps.steps import InsertNode as Put
from draftsmith.transform.steps.text import ChangeText

class Mine(ChangeText): ...

one = Put("a", 1, {}, None)
other = steps_text.ChangeText(changes, ())
"""
    assert [line for line, _ in steps_made(made)] == [6, 8, 9]
    assert set(graphs_reached("diagram.graph.nodes\nworkspace.diagram._graph\n")) == {1, 2}
