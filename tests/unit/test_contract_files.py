"""The contract that is checked in is the one that is served."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import pytest

from draftsmith.main import contract

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    "what, name", [("openapi", "openapi.json"), ("operations", "operations.schema.json"), ("live", "live.schema.json")]
)
def test_the_contract_is_current(what: Literal["openapi", "operations", "live"], name: str) -> None:
    """`make schema` was run after the last change of the contract."""
    assert json.loads((DOCS / name).read_text("utf-8")) == json.loads(json.dumps(contract(what)))
