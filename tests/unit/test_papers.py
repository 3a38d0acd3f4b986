"""PDF of workspaces, with a stand-in for the process that makes it."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import orjson
import pytest

from draftsmith.adapters.process.pdf_writer import PdfUnavailable, pdf_of
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.blobs import StoredImage
from draftsmith.ports.engines import EngineFailed
from draftsmith.usecases.upkeep import papers
from draftsmith.usecases.upkeep.images import Images
from draftsmith.usecases.upkeep.node_images import DrawnImages
from draftsmith.usecases.upkeep.papers import make_pdf, page_content, question_for
from tests.builders import node, workspace_of
from tests.image_samples import png

DAY = datetime(2026, 11, 8, 12, tzinfo=UTC)
W = WorkspaceId("0" * 26)
NO_IMAGES = DrawnImages({})


class Maker:
    """Answers alike, or fails alike."""

    def __init__(self, answer: bytes | EngineFailed) -> None:
        self.answer = answer

    async def run(self, question: bytes) -> bytes:
        if isinstance(self.answer, EngineFailed):
            raise self.answer
        return self.answer

    async def start(self) -> None: ...

    async def close(self) -> None: ...


@pytest.mark.parametrize(
    "answer, code, words",
    [
        (b'{"error":"pdf_unavailable","reason":"no Pango"}\n', "pdf_unavailable", "pip install 'draftsmith[pdf]'"),
        (b'{"error":"too_costly"}\n', "too_costly", "Ctrl+P"),
        (b'{"error":"internal"}\n', "internal", "log"),
        (EngineFailed("killed", is_too_costly=True), "too_costly", "Ctrl+P"),
        (EngineFailed("ended"), "busy", "again"),
    ],
)
async def test_why_there_is_none(answer: bytes | EngineFailed, code: str, words: str) -> None:
    with pytest.raises(DraftsmithError) as refused:
        await make_pdf(Maker(answer), b"{}", NO_IMAGES)
    assert refused.value.code == code
    assert words in refused.value.detail


async def test_the_file_is_what_comes_behind_the_line() -> None:
    assert await make_pdf(Maker(b"{}\n%PDF\nmore"), b"{}", NO_IMAGES) == b"%PDF\nmore"


class Costly(Maker):
    """Cannot draw images."""

    async def run(self, question: bytes) -> bytes:
        return b'{"error":"too_costly"}\n' if "images" in orjson.loads(question) else await super().run(question)


async def test_images_of_nodes_that_make_it_fail_are_left_out() -> None:
    """A PDF without them is better than none."""
    images = DrawnImages({"icons/kafka": "data:image/svg+xml;base64,"}, icons={"Kafka": "icons/kafka"})
    assert await make_pdf(Costly(b"{}\n%PDF"), b'{"form":"pdf"}', images) == b"%PDF"


class Kept:
    """What of a store of images is asked here."""

    def __init__(self, *contents: bytes) -> None:
        self.contents = {hashlib.sha256(content).hexdigest(): content for content in contents}

    async def all(self, workspace_id: WorkspaceId) -> list[StoredImage]:
        return [StoredImage(sha256, "image/png", len(content), 0) for sha256, content in self.contents.items()]

    async def chunks(self, workspace_id: WorkspaceId, image: StoredImage) -> AsyncIterator[bytes]:
        async def pieces() -> AsyncIterator[bytes]:
            yield self.contents[image.sha256]

        return pieces()


async def test_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page is made of, and the images that it names, up to a bound."""
    images = Images(Kept(png(4, 3), png(5, 3)))
    named, of_node = (hashlib.sha256(png(width, 3)).hexdigest() for width in (4, 5))
    card = node("api", image=f"images/{of_node}.png", technology="Kafka")
    workspace = workspace_of(card, text=f"![x](images/{named}.png)")
    question = orjson.loads(await question_for(images, W, 12, page_content(workspace), DAY))
    assert (question["form"], question["revision"], question["date"]["words"]) == ("pdf", 12, "November 8, 2026")
    assert [one["id"] for one in question["diagram"]["nodes"]] == ["api"]
    assert set(question["files"]) == {named}
    head = orjson.loads(page_content(workspace).splitlines()[0])
    assert head == {"form": "pdf", "images": {f"images/{of_node}.png": 1}, "technologies": []}
    monkeypatch.setattr(papers, "MOST_IMAGE_BYTES", len(png(4, 3)) - 1)
    with pytest.raises(DraftsmithError, match="bytes together"):
        await question_for(images, W, 12, page_content(workspace), DAY)


def test_without_weasyprint_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(PdfUnavailable, match="weasyprint"):
        pdf_of("<p>x", {}, {})
