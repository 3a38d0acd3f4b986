"""What a wheel carries beside the package. Not here: a wheel that is built and installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hatch_build import CARRIED, CarryPromptsAndEditor


class HookOfAFolder(CarryPromptsAndEditor):
    """The hook on a folder of its own, without the rest of a build."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)

    @property
    def root(self) -> str:
        return self._root


def taken_in(root: Path, version: str) -> dict[str, str]:
    """What a build of that kind takes in, by source."""
    data: dict[str, Any] = {"force_include": {}}
    HookOfAFolder(root).initialize(version, data)
    return dict(data["force_include"])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with prompts and a built editor."""
    for folder in CARRIED:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "something").write_text("here")
    return tmp_path


def test_the_built_editor_ships_in_the_wheel(root: Path) -> None:
    """With the prompts, where the package looks for them."""
    targets = {str(root / "prompts"): "draftsmith/_prompts", str(root / "frontend/dist"): "draftsmith/_static"}
    assert taken_in(root, "standard") == targets


def test_an_editable_install_carries_nothing(root: Path) -> None:
    """It reads both where they lie."""
    assert taken_in(root, "editable") == {}


def test_an_editor_that_was_not_built_is_left_out(tmp_path: Path) -> None:
    """A folder that is not there stops no build."""
    assert taken_in(tmp_path, "standard") == {}
