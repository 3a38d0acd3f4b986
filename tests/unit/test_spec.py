"""What tests/SPEC.md names is there: a promise whose test is gone is kept by nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
_NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.\w+)?(?:::(\w+(?:::\w+)*))?`")


def named() -> Iterator[tuple[int, Path, str]]:
    """Line, file and test (empty for the whole file) of everything that is named; `::test` is of the file before it."""
    for number, line in enumerate((TESTS / "SPEC.md").read_text("utf-8").splitlines(), 1):
        path: Path | None = None
        for file, test in _NAMED.findall(line):
            if file:
                path = next((base / file for base in (TESTS, TESTS.parent) if (base / file).exists()), TESTS / file)
            if path is not None:
                yield number, path, test


@cache
def names_in(path: Path) -> frozenset[str]:
    """Classes, tests in and out of them, and values at the top of a module."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            inner = [one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
            found |= {node.name, *inner, *(f"{node.name}::{name}" for name in inner)}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(found)


def test_what_is_promised_is_tested() -> None:
    """Every file and test that SPEC names exists."""
    rows = list(named())
    missing = [
        f"line {number}: {path.relative_to(TESTS.parent)}{'::' if test else ''}{test}"
        for number, path, test in rows
        if not path.exists() or (test and path.suffix == ".py" and test not in names_in(path))
    ]
    assert len(rows) > 300
    assert not missing
