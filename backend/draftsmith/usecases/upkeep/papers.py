"""PDF of workspaces: the exported page on paper, made by the processes that draw pictures, in the same fair turns.

Nothing is kept: a PDF is asked for once. Not here: how it is made (`draftsmith.renderer`).
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import images_named
from draftsmith.model.workspace import Workspace, diagram_json
from draftsmith.ports import Clock
from draftsmith.ports.engines import Engine, EngineFailed
from draftsmith.usecases.requests.client import current_client
from draftsmith.usecases.upkeep.images import Images
from draftsmith.usecases.upkeep.node_images import DrawnImages, ask_with_images
from draftsmith.usecases.upkeep.pictures import Pictures, head_for, images_for

MOST_IMAGE_BYTES: Final = 32 << 20
"""Of the images of one PDF, together."""
_TOO_COSTLY: Final = "A PDF of this takes more processor time or memory than one may. Print it in the editor: Ctrl+P."
_TOO_MANY_IMAGES: Final = (
    f"The images of a PDF may have {MOST_IMAGE_BYTES:,} bytes together; these have more. "
    "Print it in the editor: Ctrl+P."
)


@dataclass(frozen=True, slots=True)
class Papers:
    """What makes PDF on one worker."""

    pictures: Pictures
    images: Images
    clock: Clock

    async def pdf(self, workspace_id: WorkspaceId) -> bytes:
        """A workspace as PDF.

        Raises:
            DraftsmithError: `pdf_unavailable`, `too_costly`, `busy`, `internal`.
        """
        async with self.pictures.turn(current_client()) as engine:
            head, content = await self.pictures.workspaces.compute(workspace_id, page_content)
            day = datetime.fromtimestamp(self.clock.now_ms() / 1000, UTC)
            drawn = await images_for(self.images, self.pictures.icons, workspace_id, content)
            question = await question_for(self.images, workspace_id, head.revision, content, day)
            return await make_pdf(engine, question, drawn)


def page_content(workspace: Workspace) -> bytes:
    """What stands in the page: `{name, diagram, text}`, after the line of `head_for`."""
    return head_for("pdf", None, workspace) + orjson.dumps(
        {"name": workspace.name, "diagram": diagram_json(workspace.diagram), "text": workspace.document.text}
    )


async def question_for(
    images: Images, workspace_id: WorkspaceId, revision: int, content: bytes, day: datetime
) -> bytes:
    """What is asked of the process, still without the images of nodes; those of the document are in `files`, by hash.

    It is `PaperRequest` in `frontend/src/model/export/paper.ts`.

    Raises:
        DraftsmithError: `too_costly`, if the images are too large together.
    """
    page = content.partition(b"\n")[2]
    named = images_named(orjson.loads(page)["text"].encode())
    found = [image for image in await images.all(workspace_id) if image.sha256 in named] if named else []
    if sum(image.size for image in found) > MOST_IMAGE_BYTES:
        raise DraftsmithError("too_costly", _TOO_MANY_IMAGES)
    given = {image.sha256: base64.b64encode(await images.read(workspace_id, image)).decode() for image in found}
    date = {"words": f"{day:%B} {day.day}, {day.year}", "iso": day.isoformat(timespec="milliseconds")}
    head = orjson.dumps({"form": "pdf", "revision": revision, "date": date, "files": given})
    return head[:-1] + b"," + page[1:]


async def make_pdf(engine: Engine, question: bytes, images: DrawnImages) -> bytes:
    """Have a PDF made; without the images of its nodes where they make it fail.

    Raises:
        DraftsmithError: `pdf_unavailable`, `too_costly`, `busy`, `internal`.
    """
    return await ask_with_images(lambda asked: _make_pdf(engine, asked), question, images)


async def _make_pdf(engine: Engine, question: bytes) -> bytes:
    try:
        line, _, content = (await engine.run(question)).partition(b"\n")
    except EngineFailed as failure:
        if failure.is_too_costly:
            raise DraftsmithError("too_costly", _TOO_COSTLY) from failure
        raise DraftsmithError("busy", "The process that makes PDF has ended. Try again.") from failure
    head = orjson.loads(line)
    error = head.get("error")
    if error is None:
        return content
    if error == "pdf_unavailable":
        raise pdf_unavailable(head["reason"])
    if error == "too_costly":
        raise DraftsmithError("too_costly", _TOO_COSTLY)
    raise DraftsmithError("internal", "Something went wrong here; the server's log says what.")


def pdf_unavailable(reason: str) -> DraftsmithError:
    """Why no PDF is made here, and what to do about it."""
    return DraftsmithError(
        "pdf_unavailable",
        f"PDF cannot be made here: {reason}. Install the extra `pdf` (pip install 'draftsmith[pdf]') and Pango "
        "(Debian: apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0), or print in the editor: Ctrl+P.",
    )
