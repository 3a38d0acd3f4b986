"""The data of every release opens unchanged: its data folder, a backup, an export (tests/fixtures/README.md)."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from draftsmith.adapters.embedded.server import EmbeddedServer
from tests.integration.client import Api, node
from tests.integration.people import town
from tests.integration.servers import running
from tests.kit.commands import draftsmith

FOLDERS = sorted((Path(__file__).parents[1] / "fixtures").glob("release-*"))
NEW = {"picture", "changed_by", "image", "color", "style", "shape", "route_by", "label_at"}
ADDED = {
    "release-0.1.0": {"undo_typing", "edit_mode", "rating", "origin", "about", "alternative", *NEW},
    "release-0.2.0": NEW,
    "release-0.2.1": NEW,
}
"""Fields of answers that a release did not have."""

# A Python before 3.11.4 has no filters; what is unpacked is ours.
SAFE: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


class Release:
    """What a release left.

    Attributes:
        w: the id of its workspace.
        said: what its API said of the workspace, by path.
        people: what it said to an administrator of who may what, by path; of a release without people nothing.
        keys: what programs, an application and a guest show, by name.
    """

    def __init__(self, folder: Path) -> None:
        kept = json.loads((folder / "said.json").read_text("utf-8"))
        self.folder = folder
        self.w: str = kept["w"]
        self.said: dict[str, Any] = kept["said"]
        self.people: dict[str, Any] = kept.get("people", {})
        self.keys: dict[str, str] = kept.get("keys", {})

    @contextmanager
    def stored(self, data: Path) -> Iterator[EmbeddedServer]:
        """A store on a copy of the data folder."""
        with tarfile.open(self.folder / "data.tar.gz") as archive:
            archive.extractall(data, **SAFE)
        with EmbeddedServer(data) as store:
            yield store

    @contextmanager
    def opened(self, data: Path) -> Iterator[Api]:
        """A server of today on a copy of the data folder."""
        with self.stored(data) as store, running(store.url, "w-before") as servers, Api(servers[0].url) as api:
            yield api

    def as_it_was(self, answer: Any) -> Any:
        """An answer without the fields that releases since have added to it."""
        if isinstance(answer, dict):
            added = ADDED.get(self.folder.name, set())
            return {name: self.as_it_was(value) for name, value in answer.items() if name not in added}
        return [self.as_it_was(one) for one in answer] if isinstance(answer, list) else answer


def name_of(folder: Path) -> str:
    return folder.name


@pytest.fixture(params=FOLDERS, ids=name_of)
def release(request: pytest.FixtureRequest) -> Release:
    return Release(request.param)


def test_a_data_folder_says_what_it_said(release: Release, tmp_path: Path) -> None:
    """Content, every commit, stacks, checkpoints, runs, proposals and the conversation, as the release said."""
    with release.opened(tmp_path) as api:
        for path, said in release.said.items():
            assert release.as_it_was(api.ask("GET", f"/workspaces/{release.w}{path}")) == said, path


def test_a_data_folder_is_worked_on(release: Release, tmp_path: Path) -> None:
    """Redo, undo, a yes to proposals and a restore go on from where it stopped; the checkpoint leads to its state."""
    with release.opened(tmp_path) as api:
        again = api.ask("POST", f"/workspaces/{release.w}/redo")
        assert [node["id"] for node in again["diff"]["nodes"]["added"]] == ["mail"]
        api.ask("POST", f"/workspaces/{release.w}/undo")
        assert release.as_it_was(api.read(release.w))["diagram"] == release.said[""]["diagram"]
        for proposal in release.said["/proposals"]["items"]:
            taken = api.ask("POST", f"/workspaces/{release.w}/proposals/{proposal['id']}/accept")
            added = [node["label"] for node in taken["diff"]["nodes"]["added"]]
            assert [f"Added node {label}" for label in added] == proposal["what"]
            assert len(added) == 1
        (checkpoint,) = release.said["/checkpoints"]["items"]
        api.ask("POST", f"/workspaces/{release.w}/revisions/{checkpoint['revision']}/restore", json={})
        text = api.read(release.w)["document"]["text"]
        assert "Costs" in text
        assert "Types" not in text


@pytest.mark.parametrize("release", [one for one in FOLDERS if Release(one).people], indirect=True, ids=name_of)
def test_people_may_what_they_might(release: Release, tmp_path: Path) -> None:
    """People, folders, roles and the audit are as they were; keys and links open what they opened."""
    (ada,) = release.people["/users"]["items"]
    with release.stored(tmp_path) as store, town(store.url, "w-before") as place:
        admin = place.signed_in(ada["id"])
        for path, said in release.people.items():
            found = admin.ask("GET", path)
            if path in ("/users", "/audit"):  # with the administrator of `town`
                found["items"] = [one for one in found["items"] if one in said["items"]]
            assert release.as_it_was(found) == said, path
        program = place.caller(key=release.keys["program"])
        assert program.id == ada["id"]
        program.batch(release.w, node("more"))
        guest = place.opened(release.keys["link"])
        assert guest.read(release.w)["role"] == "commenter"
        application = place.caller(key=release.keys["application"], acts_for='{"id": "eve", "name": "Eve"}')
        application.create(name="Of Eve")
        assert place.caller(key=release.keys["admin"]).ask("GET", "/users")["items"]


def test_a_backup_is_recovered(release: Release, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With history and stacks, into an empty store; runs, proposals and the conversation are in no backup."""
    monkeypatch.setenv("REDIS_URL", redis_url)
    draftsmith("recover", release.folder / "all.backup")
    of_the_log = [path for path in release.said if not path.startswith(("/runs", "/proposals", "/conversation"))]
    with running(redis_url, "w-recovered") as servers, Api(servers[0].url) as api:
        for path in of_the_log:
            assert release.as_it_was(api.ask("GET", f"/workspaces/{release.w}{path}")) == release.said[path], path
        again = api.ask("POST", f"/workspaces/{release.w}/redo")
        assert [node["id"] for node in again["diff"]["nodes"]["added"]] == ["mail"]


def test_an_export_is_imported(release: Release, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With everything of its newest state; only that what was made at different times is now of one age."""
    monkeypatch.setenv("REDIS_URL", redis_url)
    w = draftsmith("import", release.folder / "export.json").stdout.strip()
    exported = json.loads(draftsmith("export", w).stdout)
    released = json.loads((release.folder / "export.json").read_text("utf-8"))
    assert released == release.said["/export?format=json"]
    assert cells_by_id(exported) == cells_by_id(released)


def cells_by_id(exported: dict[str, Any]) -> dict[str, Any]:
    parts = {name: sorted(cells, key=lambda cell: str(cell["id"])) for name, cells in exported["diagram"].items()}
    return {**exported, "diagram": parts}
