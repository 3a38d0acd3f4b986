"""The bounds that `make lint` holds the structure of the code to."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests import places
from tests.structure import Checkout, ambiguous_helpers, broken_bounds

NONE = {
    "class names used twice": 0, "lines that tell steps apart by isinstance": 0, "lines with an open mapping": 0,
    "open mappings in signatures of usecases and transform": 0, "functions named by one participle or vague word": 0,
    "parameters and attributes named by one vague word": 0, "names of test helpers with several bodies": 0,
}  # fmt: skip


def checkout(root: Path, files: int) -> Checkout:
    """Sources in which one folder has so many files, two of them with a class of the same name."""
    folder = root / "backend" / "draftsmith" / "rooms"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    for number in range(files):
        body = f"class Room{number}: ..." if number else "from typing import Any\nclass Room1: x: dict[str, Any]"
        (folder / f"room{number}.py").write_text(body, "utf-8")
    return Checkout(root)


def test_what_is_more_than_its_bound_is_named(tmp_path: Path) -> None:
    assert broken_bounds(checkout(tmp_path, 26), {"files": {}, "counts": NONE}) == [
        "26 files in backend/draftsmith/rooms: at most 25",
        "1 class names used twice: at most 0",
        "1 lines with an open mapping: at most 0",
    ]


def test_functions_and_values_named_by_one_vague_word_are_counted(tmp_path: Path) -> None:
    """A name says what a thing is, not what was done to it; verbs like `need` are none of these."""
    folder = tmp_path / "backend" / "draftsmith"
    folder.mkdir(parents=True)
    source = "class Orders:\n    told: str\n    name: str\n    def listed(self, given, row): self.pieces = given\n"
    (folder / "orders.py").write_text(source + "def need(): ...\ndef elsewhere(): ...\n", "utf-8")
    assert broken_bounds(Checkout(tmp_path), {"files": {}, "counts": NONE}) == [
        "2 functions named by one participle or vague word: at most 0",
        "3 parameters and attributes named by one vague word: at most 0",
    ]


HELPERS = """
def read(): return {number}
def twice(): return {pair}
def same():
    "Says {number}."
    return 1
def test_it(): return {number}
def main(): return {number}
"""


def test_names_of_helpers_with_several_bodies_are_counted(tmp_path: Path) -> None:
    """From the third body on; a docstring makes no other one, and tests and programs are no helpers."""
    for number, folder in enumerate(("unit", "integration", "unit")):
        (tmp_path / "tests" / folder).mkdir(parents=True, exist_ok=True)
        source = HELPERS.format(number=number, pair=min(number, 1))
        (tmp_path / "tests" / folder / f"test_{number}.py").write_text(source, "utf-8")
    code = Checkout(tmp_path)
    assert ambiguous_helpers(code) == ["read"]
    assert broken_bounds(code, {"files": {}, "counts": NONE}) == [
        "1 names of test helpers with several bodies: at most 0"
    ]


def test_a_bound_is_lowered_with_what_it_bounds(tmp_path: Path) -> None:
    """Otherwise what was won could be lost again."""
    code = checkout(tmp_path, 26)
    counts = NONE | {"class names used twice": 2, "lines with an open mapping": 1}
    assert broken_bounds(code, {"files": {"backend/draftsmith/rooms": 30, "gone": 40}, "counts": counts}) == [
        "26 files in backend/draftsmith/rooms: lower the bound, which is 30",
        "0 files in gone: lower the bound, which is 40",
        "1 class names used twice: lower the bound, which is 2",
    ]


def test_additions_take_as_many_files_as_the_bounds_say() -> None:
    """The made-up operation, field and route still fit; more files are a decision, fewer lower the bound."""
    assert places.faults(places.ROOT) == []
    bounds = tomllib.loads((places.ROOT / "tests" / "structure.toml").read_text("utf-8"))["places"]
    assert places.counts() == bounds
