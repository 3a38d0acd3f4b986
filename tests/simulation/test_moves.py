"""The table of moves knows every operation of the schema, with all its fields, and each player draws from it."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from draftsmith.transform.requests.operations import Operation
from tests.simulation.moves import MOVES, Player, View, operation

_SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs" / "operations.schema.json").read_text("utf-8"))
_SHAPES = [_SCHEMA["$defs"][one["$ref"].rpartition("/")[2]]["properties"] for one in _SCHEMA["items"]["oneOf"]]
FIELDS = {str(shape["op"]["const"]): shape.keys() for shape in _SHAPES}
VIEW = View(
    nodes=("a", "b", "c", "g"),
    groups=("g",),
    edges=("e", "f"),
    ends=(("a", "b"), ("b", "c")),
    own_types=("own",),
    sections=("Risks", ""),
    finds=("alpha",),
    text="# Risks\n\nalpha 🚀\n",
)


def _drawn(player: Player) -> dict[str, set[str]]:
    """The fields of each operation that a player draws."""
    found: dict[str, set[str]] = defaultdict(set)
    for _ in range(20_000):
        drawn = operation(player, tuple(MOVES))
        assert drawn is not None
        found[drawn["op"]] |= drawn.keys()
    return found


def test_every_operation_of_the_schema_is_drawn_with_all_its_fields() -> None:
    """A new operation, or a new field of one, is drawn by every simulation, or this fails."""
    assert MOVES.keys() == FIELDS.keys()
    assert _drawn(Player(random.Random(1), VIEW)) == FIELDS


def test_whatever_is_drawn_is_of_the_right_form() -> None:
    """What a player draws is refused for what a workspace holds, never for how it is written."""
    player, reader = Player(random.Random(2), VIEW), TypeAdapter[Any](Operation)
    for _ in range(5_000):
        drawn = operation(player, tuple(MOVES))
        reader.validate_json(json.dumps(drawn))


def test_an_empty_workspace_is_begun() -> None:
    """Where nothing is there, what needs nothing is drawn."""
    player = Player(random.Random(3), View())
    player.errs = 0
    drawn = [operation(player, tuple(MOVES)) for _ in range(2_000)]
    assert {one["op"] for one in drawn if one is not None} == {
        "add_node", "define_type", "delete_type", "edit_text", "insert_section", "layout_diagram", "rename_workspace",
        "replace_diagram", "replace_document",
    }  # fmt: skip
