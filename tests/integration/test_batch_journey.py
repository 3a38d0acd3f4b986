"""The files that docs/architecture.md names on the way of a batch are those that a batch passes, in that order."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from starlette.testclient import TestClient

import draftsmith
from draftsmith.main import create_app
from draftsmith.settings import Settings

ROOT = Path(__file__).parents[2]
PACKAGE = str(Path(draftsmith.__file__).parent) + "/"
BATCH = {"operations": [{"op": "add_node", "id": "shop", "type": "service", "label": "Shop"}]}


def named_files() -> list[str]:
    """The modules that the page names on the way of a batch, in its order."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = re.split(r"^## ", page.split("## A batch, file by file", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    steps = re.findall(r"^\d+\. .+(?:\n {3,}.+)*", section, re.MULTILINE)
    assert len("\n".join(steps).splitlines()) <= 20
    return re.findall(r"`([\w/]+\.py)`", "\n".join(steps))


def test_a_batch_passes_the_files_that_the_page_names(redis_url: str, tmp_path: Path) -> None:
    passed: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE):
            passed.setdefault(file.removeprefix(PACKAGE))

    app = create_app(Settings(draftsmith_store_url=redis_url, data_dir=tmp_path))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert client.portal is not None
        path = f"/api/v1/workspaces/{client.post('/api/v1/workspaces', json={'name': 'Shop'}).json()['id']}/batches"
        assert client.post(path, json={"operations": [{"op": "rename_workspace", "name": "Opened"}]}).status_code == 200
        client.portal.call(sys.setprofile, note)
        answer = client.post(path, json=BATCH)
        client.portal.call(sys.setprofile, None)
    assert answer.status_code == 200, answer.text
    named = named_files()
    assert len(named) > 15
    assert named == [file for file in passed if file in named]
