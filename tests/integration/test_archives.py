"""A workspace as one archive: every format that it is written in, its pictures and images, given piece by piece."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from draftsmith.adapters.files.image_files import ImageFiles
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.blobs import StoredImage
from draftsmith.usecases.upkeep.archives import LEFT_OUT, NAMES, zip_pieces
from draftsmith.usecases.upkeep.images import Images
from tests.image_samples import png, sha256_of
from tests.integration.client import Api, edge, node

IMAGE = png(40, 30)
TEXT = f"# Shop\n\n![Figure](images/{sha256_of(IMAGE)}.png)\n"
DAY = datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC)
W = WorkspaceId("0" * 26)


def archive(api: Api, w: str) -> zipfile.ZipFile:
    answer = api.get(f"/api/v1/workspaces/{w}/export", params={"format": "zip"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip"), answer.text
    found = zipfile.ZipFile(io.BytesIO(answer.content))
    assert found.testzip() is None
    return found


def test_an_archive_holds_every_format_pictures_and_images(api: Api) -> None:
    """Each file is what its export by itself is."""
    pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")
    w = api.create(name="Shop", document={"text": TEXT})
    api.batch(w, node("a"), node("b", position={"x": 400, "y": 0}), edge("a", "b"))
    put = {"content": IMAGE, "headers": {"Content-Type": "image/png"}}
    api.ask("PUT", f"/workspaces/{w}/images/{sha256_of(IMAGE)}", 201, **put)
    other = png(salt=b"named by nothing")
    api.ask("PUT", f"/workspaces/{w}/images/{sha256_of(other)}", 201, **{**put, "content": other})
    found = archive(api, w)
    image = f"images/{sha256_of(IMAGE)}.png"
    assert sorted(found.namelist()) == sorted([*NAMES.values(), "diagram.svg", "diagram.png", image])
    for form, name in NAMES.items():
        alone = api.get(f"/api/v1/workspaces/{w}/export", params={"format": form})
        if form == "json":
            assert json.loads(found.read(name)) == alone.json()
        else:
            assert found.read(name).decode() == alone.text, form
    assert found.read(image) == IMAGE
    for form in ("svg", "png"):
        assert found.read(f"diagram.{form}") == api.get(f"/api/v1/workspaces/{w}/picture.{form}").content


def test_an_archive_of_nothing_holds_nothing_but_that(api: Api) -> None:
    assert archive(api, api.create(name="Empty")).namelist() == ["workspace.json"]


async def test_images_come_one_at_a_time_and_what_is_missing_is_said(tmp_path: Path) -> None:
    """What has been given is not kept: the largest piece is far smaller than all."""
    images = Images(ImageFiles(tmp_path))
    contents = [png(salt=os.urandom(500_000)) for _ in range(8)]
    for content in contents:
        await images.put(W, sha256_of(content), "image/png", content)
    gone = await images.find(W, sha256_of(contents[3]))
    named = json.dumps({"text": [f"images/{sha256_of(content)}.png" for content in contents]}).encode()
    files = {NAMES["json"]: named, NAMES["markdown"]: b"# Shop\n"}
    giving = zip_pieces(files, {"diagram.png": "it is too large"}, _Losing(images, gone), W, DAY)
    pieces = [piece async for piece in giving]
    assert max(map(len, pieces)) < 1_000_000
    found = zipfile.ZipFile(io.BytesIO(b"".join(pieces)))
    assert found.testzip() is None
    assert found.read(NAMES["markdown"]) == b"# Shop\n"
    for content in contents:
        name = f"images/{sha256_of(content)}.png"
        assert (name in found.namelist()) is (content != contents[3])
        if name in found.namelist():
            assert found.read(name) == content
    assert found.read(LEFT_OUT).decode().splitlines() == [
        "diagram.png: it is too large",
        f"images/{sha256_of(contents[3])}.png: it was removed a moment ago",
    ]
    assert {entry.date_time for entry in found.infolist()} == {(2026, 1, 2, 3, 4, 6)}


class _Losing(Images):
    """Images of which one goes between the look for it and its being read."""

    def __init__(self, images: Images, gone: StoredImage) -> None:
        super().__init__(images.blobs, images.limits)
        self._gone = gone

    async def chunks(self, workspace_id: WorkspaceId, image: StoredImage) -> AsyncIterator[bytes]:
        if image.sha256 == self._gone.sha256:
            raise DraftsmithError("image_not_found", "This workspace has no such image.")
        return await super().chunks(workspace_id, image)
