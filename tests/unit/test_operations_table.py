"""docs/operations.md and the code say the same: every operation, field, and problem code, both ways."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from draftsmith.model.vocabulary import COLOR_STROKES, DIRECTIONS, EDGE_KINDS, NODE_TYPES, SHAPES, STYLES
from draftsmith.transform.requests.batch import OPERATION_MODELS, operations_schema
from draftsmith.transform.requests.operation_fields import Color, LineShape, Style
from draftsmith.transform.resolve import RESOLVERS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
SOURCES = ROOT / "backend" / "draftsmith"
ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| (.+?) \| (yes|no) \|", re.MULTILINE)
CODE_ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \|$", re.MULTILINE)
CODES = frozenset(CODE_ROW.findall(PAGE.partition("## Problem codes")[2].partition("## In words")[0]))
WARNINGS = frozenset(re.findall(r"`(\w+)` \(", PAGE.partition("Warnings have the same shape")[2]))


def documented() -> dict[str, dict[str, bool]]:
    """Operations with their fields, as the page lists them: whether each is required."""
    found: dict[str, dict[str, bool]] = {}
    for name, field, _, required in ROW.findall(PAGE):
        found.setdefault(name, {})[field] = required == "yes"
    return found


def test_every_operation_is_documented_and_resolved() -> None:
    """The page, the models and the resolvers know the same operations."""
    assert documented().keys() == OPERATION_MODELS.keys() == RESOLVERS.keys()


@pytest.mark.parametrize("name", sorted(OPERATION_MODELS))
def test_fields_are_as_documented(name: str) -> None:
    """Names of fields, and which of them must be given."""
    model = OPERATION_MODELS[name]
    fields = {field: info.is_required() for field, info in model.model_fields.items() if field != "op"}
    assert fields == documented()[name]


def test_lists_are_as_documented() -> None:
    """Node types, kinds, directions and looks of the page are those of the code, in the same order."""
    looks = (("color", tuple(COLOR_STROKES)), ("style", STYLES), ("shape", SHAPES))
    for word, values in (("type", NODE_TYPES), ("kind", EDGE_KINDS), ("direction", DIRECTIONS), *looks):
        line = re.search(rf"^\| {word} \| (?:one of )?(.+?) \|$", PAGE, re.MULTILINE)
        assert line is not None
        assert tuple(line[1].split(", ")) == values


def test_every_list_of_looks_is_the_same() -> None:
    """What operations take, what Mermaid draws, what the page offers, draws and writes into pictures."""
    assert get_args(Color) == ("", *COLOR_STROKES)
    assert get_args(Style) == ("", *STYLES)
    assert get_args(LineShape) == ("", *SHAPES)
    words = (ROOT / "frontend/src/model/words/looks.ts").read_text(encoding="utf-8")
    palette = (ROOT / "frontend/src/model/export/palette.ts").read_text(encoding="utf-8")
    lists = (("COLOR_NAMES", Color), ("STYLE_NAMES", Style), ("SHAPE_NAMES", LineShape))
    for name, known in lists:
        offered = re.search(rf"{name}: Names = \{{\n(.+?)\n\}}", words, re.DOTALL)
        assert offered is not None
        assert tuple(re.findall(r"^  \x27?(\w*)\x27?: \x27", offered[1], re.MULTILINE)) == get_args(known)
    drawn = re.search(r"const COLORS = \{\n(.+?)\n\}", palette, re.DOTALL)
    assert drawn is not None
    assert dict(re.findall(r"^  (\w+): \[\x27(#[0-9a-f]{6})\x27", drawn[1], re.MULTILINE)) == COLOR_STROKES


def test_every_code_that_is_used_is_documented() -> None:
    """No refusal carries a code that the page does not explain."""
    used: set[str] = set()
    for source in sorted((SOURCES / "transform").rglob("*.py")):
        text = source.read_text(encoding="utf-8")
        used |= set(re.findall(r'Refused\(\s*"(\w+)"', text))
        used |= set(re.findall(r'Problem\([^"]*"[^"]*",\s*"(\w+)"', text))
        used |= set(re.findall(r'return "(\w+)", f?"', text))
    assert used - CODES == set()
    assert len(used) > 25, "the search finds the codes"


def test_the_schema_lists_types_and_refuses_other_fields() -> None:
    """What a client is generated from: every operation, closed, with its literal name; the built-in types of nodes."""
    schema = operations_schema()
    shapes = schema["$defs"]
    for name, model in OPERATION_MODELS.items():
        shape = shapes[model.__name__]
        assert shape["additionalProperties"] is False
        assert shape["properties"]["op"]["const"] == name
    assert shapes["AddNode"]["properties"]["type"]["description"].startswith(" ".join(NODE_TYPES))
    assert shapes["DefineType"]["properties"]["type"]["enum"] == [one for one in NODE_TYPES if one != "group"]
