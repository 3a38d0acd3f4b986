"""The usual seed draws the same, whichever modules are imported."""

from __future__ import annotations

import pytest
from hypothesis.internal.conjecture import providers

from tests.seeds import is_chosen


@pytest.mark.skipif(is_chosen(), reason="a seed that was chosen is to find more")
def test_constants_of_imported_modules_are_not_drawn() -> None:
    constants = vars(providers)["_get_local_constants"]()
    assert not any(constants.set_for_type(kind) for kind in ("string", "integer", "float", "bytes"))
