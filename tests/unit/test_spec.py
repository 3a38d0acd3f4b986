"""What tests/SPEC.md names is there: a promise whose test is gone is kept by nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parents[1]
SPEC = TESTS / "SPEC.md"
# `path/to/file.py::test` or `::test` of the file before it, and › `a test` of the TypeScript file before it.
_NAMED = re.compile(r"› `([^`]+)`|`((?:[\w.-]+/)+[\w.-]+\.\w+)?(?:::(\w+(?:::\w+)*))?`")
_TITLE = r"""(['"`])((?:\\.|(?!\1).)+)\1"""
# `it('…'`, also with a table: `it.each(…)('…'`.
_WRITTEN = re.compile(rf"\b(?:it|test)(?:\.\w+)?(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\(\s*{_TITLE}", re.DOTALL)


class Named(NamedTuple):
    """Something SPEC names; without a test the whole file."""

    line: int
    path: Path
    test: str

    def exists(self) -> bool:
        if not self.path.exists():
            return False
        if self.path.suffix == ".py":
            return not self.test or self.test in names_in(self.path)
        return not self.test or self.test in titles_in(self.path)


class Feature(NamedTuple):
    """A row of a table of features."""

    line: int
    name: str
    tests: str
    by_keyboard: str


def found_at(path: str) -> Path:
    """The file of that name, from the folder of tests or from the root."""
    return next((base / path for base in (TESTS, TESTS.parent) if (base / path).exists()), TESTS / path)


def named_in(number: int, line: str) -> Iterator[Named]:
    """Everything that one line names."""
    path: Path | None = None
    for title, file, test in _NAMED.findall(line):
        if file:
            path = found_at(file)
        if path is not None:
            yield Named(number, path, test or title)


def names_in_spec() -> list[Named]:
    """Everything that is named."""
    lines = SPEC.read_text("utf-8").splitlines()
    return [one for number, line in enumerate(lines, 1) for one in named_in(number, line)]


def features() -> list[Feature]:
    """The rows of every table with a column for the keyboard."""
    found: list[Feature] = []
    is_inside = False
    for number, line in enumerate(SPEC.read_text("utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            is_inside = False
        elif cells == ["Feature", "Test", "By keyboard alone"]:
            is_inside = True
        elif is_inside and not line.startswith("|-"):
            name, tests, by_keyboard = cells if len(cells) == 3 else (cells[0], "", "")
            found.append(Feature(number, name, tests, by_keyboard))
    return found


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


@cache
def titles_in(path: Path) -> frozenset[str]:
    """What the tests of a TypeScript file are called, as it is written there."""
    return frozenset(title for _, title in _WRITTEN.findall(path.read_text("utf-8")))


def test_what_is_promised_is_tested() -> None:
    """Every file and test that SPEC names exists."""
    rows = names_in_spec()
    missing = [
        f"line {row.line}: {row.path.relative_to(TESTS.parent)} {row.test}".rstrip() for row in rows if not row.exists()
    ]
    assert len(rows) > 300
    assert not missing, "\n".join(missing)


def test_every_feature_of_the_editor_has_a_test() -> None:
    """Each row names a test by its name, and says how it is done without a pointer, or why it cannot be."""
    rows = features()
    assert len(rows) > 60
    assert not [f"line {row.line}: {row.name}" for row in rows if not names_a_test(row)]
    assert not [f"line {row.line}: {row.name}" for row in rows if not says_how(row)]


def names_a_test(row: Feature) -> bool:
    """Whether a row names a test, not only a file."""
    return bool(row.name) and any(one.test for one in named_in(row.line, row.tests))


def says_how(row: Feature) -> bool:
    """Whether a row names keys or a test, or gives a reason for a dash."""
    cell = row.by_keyboard
    return bool(cell.lstrip("–").strip(" :,")) if cell.startswith("–") else len(cell) > 1


def test_a_row_without_a_test_is_found() -> None:
    """The two checks can fail."""
    line = "`frontend/e2e/live.test.ts` › `no such test`"
    assert not any(one.exists() for one in named_in(1, line) if one.test)
    assert not names_a_test(Feature(1, "Minimap", "`frontend/e2e/live.test.ts`", "– a picture"))
    assert not names_a_test(Feature(1, "Minimap", "to be written", "– a picture"))
    assert names_a_test(Feature(1, "Minimap", "`frontend/e2e/live.test.ts` › `shows each`", "– a picture"))
    assert not says_how(Feature(1, "Minimap", "", "–"))
    assert not says_how(Feature(1, "Minimap", "", ""))
    assert says_how(Feature(1, "Minimap", "", "– a picture of what can be reached"))
    assert says_how(Feature(1, "Undo", "", "Ctrl+Z"))


def test_names_of_typescript_tests_are_read() -> None:
    """Also where they come from a table."""
    titles = titles_in(TESTS.parent / "frontend/e2e/live.test.ts")
    assert "shows each the other’s edits" in titles
    assert len(titles) > 15
