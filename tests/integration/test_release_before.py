"""The data of the release before opens unchanged: its data folder, a backup, an export (tests/fixtures/README.md)."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from draftsmith.adapters.embedded.server import EmbeddedServer
from draftsmith.cli import main
from tests.integration.client import Api
from tests.integration.servers import running

RELEASED = Path(__file__).parents[1] / "fixtures" / "release-0.1.0"
KEPT = json.loads((RELEASED / "said.json").read_text("utf-8"))
W: str = KEPT["w"]
SAID: dict[str, Any] = KEPT["said"]
"""What the API of 0.1.0 said of the workspace, by path."""
ADDED = {"undo_typing", "edit_mode", "rating", "origin", "about", "alternative"}
"""Fields of answers that 0.1.0 did not have."""


def draftsmith(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result


@contextmanager
def opened(data: Path) -> Iterator[Api]:
    """A server of today on a copy of the data folder that 0.1.0 left."""
    with tarfile.open(RELEASED / "data.tar.gz") as archive:
        archive.extractall(data, filter="data")
    with EmbeddedServer(data) as store, running(store.url, "w-before") as servers, Api(servers[0].url) as api:
        yield api


def test_a_data_folder_says_what_it_said(tmp_path: Path) -> None:
    """Content, every commit, stacks, checkpoints, runs, proposals and the conversation, as 0.1.0 told them."""
    with opened(tmp_path) as api:
        for path, said in SAID.items():
            assert as_it_was(api.ask("GET", f"/workspaces/{W}{path}")) == said, path


def as_it_was(answer: Any) -> Any:
    """An answer without the fields that releases since have added to it."""
    if isinstance(answer, dict):
        return {name: as_it_was(value) for name, value in answer.items() if name not in ADDED}
    return [as_it_was(one) for one in answer] if isinstance(answer, list) else answer


def test_a_data_folder_is_worked_on(tmp_path: Path) -> None:
    """Redo, undo, a proposal's yes and a restore go on from where 0.1.0 stopped; the checkpoint leads to its state."""
    with opened(tmp_path) as api:
        again = api.ask("POST", f"/workspaces/{W}/redo")
        assert [node["id"] for node in again["diff"]["nodes"]["added"]] == ["mail"]
        api.ask("POST", f"/workspaces/{W}/undo")
        assert api.read(W)["diagram"] == SAID[""]["diagram"]
        (proposal,) = SAID["/proposals"]["items"]
        taken = api.ask("POST", f"/workspaces/{W}/proposals/{proposal['id']}/accept")
        assert [node["label"] for node in taken["diff"]["nodes"]["added"]] == ["Jobs"]
        (checkpoint,) = SAID["/checkpoints"]["items"]
        api.ask("POST", f"/workspaces/{W}/revisions/{checkpoint['revision']}/restore", json={})
        text = api.read(W)["document"]["text"]
        assert "Costs" in text
        assert "Types" not in text


def test_a_backup_is_recovered(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With history and stacks, into an empty store; runs, proposals and the conversation are in no backup."""
    monkeypatch.setenv("REDIS_URL", redis_url)
    draftsmith("recover", RELEASED / "all.backup")
    of_the_log = [path for path in SAID if not path.startswith(("/runs", "/proposals", "/conversation"))]
    with running(redis_url, "w-recovered") as servers, Api(servers[0].url) as api:
        for path in of_the_log:
            assert as_it_was(api.ask("GET", f"/workspaces/{W}{path}")) == SAID[path], path
        again = api.ask("POST", f"/workspaces/{W}/redo")
        assert [node["id"] for node in again["diff"]["nodes"]["added"]] == ["mail"]


def test_an_export_is_imported(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With everything of its newest state; only that what was made at different times is now of one age."""
    monkeypatch.setenv("REDIS_URL", redis_url)
    w = draftsmith("import", RELEASED / "export.json").stdout.strip()
    exported = json.loads(draftsmith("export", w).stdout)
    released = json.loads((RELEASED / "export.json").read_text("utf-8"))
    assert released == SAID["/export?format=json"]
    assert by_id(exported) == by_id(released)


def by_id(exported: dict[str, Any]) -> dict[str, Any]:
    parts = {name: sorted(cells, key=lambda cell: str(cell["id"])) for name, cells in exported["diagram"].items()}
    return {**exported, "diagram": parts}
