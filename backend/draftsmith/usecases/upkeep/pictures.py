"""Pictures of workspaces: what is asked of the process that draws, in fair turns, and what it has drawn lately.

A picture is drawn by the same code as the page's export, in a process of its own: its processor time and memory are
bounded there, a client has one turn at a time, and how many may wait is bounded, so no picture holds others up. Who
asks for what is being drawn already waits for that. Not here: how it is drawn (`frontend/src/model/export`), the
process (`draftsmith.renderer`).
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Final, Literal

import orjson

from draftsmith.access.records import SharedPicture
from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica
from draftsmith.model.formats import LEAST_SCALE, PictureFormat, Theme
from draftsmith.model.ids import NodeId, WorkspaceId
from draftsmith.model.workspace import Workspace, diagram_json
from draftsmith.ports.engines import Engine, EngineFailed
from draftsmith.ports.icons import Icons
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.matching.node_names import no_node, nodes_meant, several_nodes
from draftsmith.transform.refusal import OperationRefused, missing
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.prepare.fair_queue import FairQueue
from draftsmith.usecases.requests.client import Client, current_client
from draftsmith.usecases.upkeep.images import Images
from draftsmith.usecases.upkeep.node_images import (
    DrawnImages,
    ask_with_images,
    images_shown,
    read_images,
    technologies_shown,
    with_icons,
)

CACHE_BYTES: Final = 16 << 20
"""What pictures that are kept take, of one worker."""
_PREVIEW_SIDE: Final = 6_000
"""A preview is no larger on either side, whatever is asked, so that no PNG of one is `picture_too_large`."""
_LONGEST: Final = CACHE_BYTES // 4
_TOO_COSTLY: Final = (
    "This picture takes more processor time or memory than one may. Ask for a part: `section`, or `nodes`."
)


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """Which picture of a workspace.

    Attributes:
        scale: pixels for each pixel of the diagram.
        section: the path of a section, whose links to nodes say what is drawn; None for no section.
        nodes: ids or names of nodes to draw, with what they hold; with a section, too, the nodes of both.
        revision: None for the newest.
    """

    form: PictureFormat = "svg"
    theme: Theme = "light"
    scale: float = 1.0
    section: str | None = None
    nodes: tuple[str, ...] = ()
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: its file, its size in pixels, and the tag by which who has it already knows it."""

    tag: str
    content: bytes
    width: int
    height: int


class PictureTooCostly(DraftsmithError):
    """Drawing it takes more than one may; kept like a picture, so that it is not tried again and again."""

    def __init__(self) -> None:
        super().__init__("too_costly", _TOO_COSTLY)


def allowed_by(link: SharedPicture, asked: PictureOptions) -> PictureOptions:
    """What a link to a picture shows to who asks for this with it: what the link leaves open may be asked for.

    Names of sections and what was drawn earlier are not in the picture, so they are the link's to choose.

    Raises:
        DraftsmithError: `forbidden`.
    """
    if asked.section is not None or asked.revision is not None or (asked.nodes and link.is_part):
        raise DraftsmithError("forbidden", "With this link one may choose the theme, the scale and no other part.")
    return replace(asked, section=link.section, nodes=link.nodes or asked.nodes, revision=link.revision)


_Key = tuple[WorkspaceId, str, PictureOptions]


@dataclass(slots=True)
class _Drawing:
    """A picture that is being drawn, and how many wait for it."""

    task: asyncio.Task[Picture]
    waiting: int = 0


@dataclass
class Pictures:
    """The pictures that one worker draws.

    Attributes:
        images: the images that nodes show.
        engines: the processes that draw.
        version: names what draws, the code and the icons; another one makes other tags.
        icons: the icons of technologies; None where there are none.
    """

    workspaces: Workspaces
    images: Images
    engines: Sequence[Engine]
    version: str
    icons: Icons | None = None
    _cache: OrderedDict[_Key, Picture | None] = field(default_factory=OrderedDict, init=False)
    _cache_bytes: int = field(default=0, init=False)
    _drawings: dict[_Key, _Drawing] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Have turns at the processes."""
        self._queue = FairQueue(self.engines)

    async def tag(self, workspace_id: WorkspaceId, options: PictureOptions) -> str:
        """The tag of a picture as it would be now.

        Raises:
            DraftsmithError: what it is to show is not there.
        """

        def read(replica: Replica) -> str:
            if options.revision is None:
                chosen_nodes(replica.workspace, options)
            return self._tag(replica.head, options)

        return await self.workspaces.read(workspace_id, read)

    async def check_link(self, workspace_id: WorkspaceId, link: SharedPicture) -> SharedPicture:
        """Check that what a link is to show is there; the same with ids for names, which stay when names change.

        Raises:
            DraftsmithError: what it is to show is not there.
        """
        options = PictureOptions(section=link.section, nodes=link.nodes, revision=link.revision)
        if link.revision is not None:
            await self.workspaces.compute_past(workspace_id, partial(question_for, options), [link.revision])
            return link
        named = PictureOptions(nodes=link.nodes)

        def read(replica: Replica) -> tuple[NodeId, ...]:
            chosen_nodes(replica.workspace, options)
            return tuple(chosen_nodes(replica.workspace, named) or ())

        return replace(link, nodes=await self.workspaces.read(workspace_id, read))

    async def picture(self, workspace_id: WorkspaceId, tag: str, options: PictureOptions) -> Picture:
        """A picture that is no older than a tag.

        Raises:
            DraftsmithError: `too_costly`, `picture_too_large`, `busy`; what it is to show is not there.
        """
        key = (workspace_id, tag, options)
        if key in self._cache:
            return self._from_cache(key)
        drawing = self._drawings.get(key)
        if drawing is None:
            drawing = _Drawing(asyncio.create_task(self._draw(key), name="draw a picture"))
            self._drawings[key] = drawing
            drawing.task.add_done_callback(lambda _: self._forget(key, drawing))
        drawing.waiting += 1
        try:
            return await asyncio.shield(drawing.task)
        finally:
            drawing.waiting -= 1
            if drawing.waiting == 0 and not drawing.task.done():
                self._forget(key, drawing)
                drawing.task.cancel()

    async def size_within(
        self, workspace_id: WorkspaceId, options: PictureOptions, most_width: int, most_height: int
    ) -> tuple[float, int, int]:
        """The scale at which a PNG is no larger than that, and its width and height in pixels then.

        The SVG says how large it is by itself: no pixels are made for that, and it is kept for whoever asks next.

        Raises:
            DraftsmithError: as `picture`.
        """
        natural = replace(options, form="svg", scale=1.0)
        picture = await self.picture(workspace_id, await self.tag(workspace_id, natural), natural)
        most = min(most_width, _PREVIEW_SIDE), min(most_height, _PREVIEW_SIDE)
        fitting = min(most[0] / picture.width, most[1] / picture.height)
        scale = max(LEAST_SCALE, min(1.0, math.floor(100 * fitting) / 100))
        return scale, _pixels(picture.width, scale), _pixels(picture.height, scale)

    async def images_of(self, workspace_id: WorkspaceId) -> DrawnImages:
        """The images and icons that a picture of the whole diagram shows as it is now.

        Raises:
            DraftsmithError: `storage_down`, `workspace_not_found`.
        """
        _, head = await self.workspaces.compute(workspace_id, partial(head_for, "svg", None))
        return await images_for(self.images, self.icons, workspace_id, head)

    def _from_cache(self, key: _Key) -> Picture:
        self._cache.move_to_end(key)
        found = self._cache[key]
        if found is None:
            raise PictureTooCostly
        return found

    def _forget(self, key: _Key, drawing: _Drawing) -> None:
        if self._drawings.get(key) is drawing:
            del self._drawings[key]

    async def _draw(self, key: _Key) -> Picture:
        workspace_id, tag, options = key
        async with self._queue.turn(current_client()) as engine:
            reader = partial(question_for, options)
            if options.revision is None:
                head, question = await self.workspaces.compute(workspace_id, reader)
                tag = self._tag(head, options)
            else:
                question = await self.workspaces.compute_past(workspace_id, reader, [options.revision])
            images = await images_for(self.images, self.icons, workspace_id, question)
            tag = _tag_without(tag, images.missing)
            key = (workspace_id, tag, options)
            if key in self._cache:
                return self._from_cache(key)
            try:
                picture = await draw(engine, question, images, tag)
            except PictureTooCostly:
                self._keep(key, None)
                raise
        self._keep(key, picture)
        return picture

    def _keep(self, key: _Key, picture: Picture | None) -> None:
        if _size(picture) > _LONGEST:
            return
        if key in self._cache:
            self._cache_bytes -= _size(self._cache.pop(key))
        self._cache[key] = picture
        self._cache_bytes += _size(picture)
        while self._cache_bytes > CACHE_BYTES:
            _, oldest = self._cache.popitem(last=False)
            self._cache_bytes -= _size(oldest)

    def _tag(self, head: Head, options: PictureOptions) -> str:
        """As the ETag of a read, with what draws; a picture of the past has no hash, but never changes."""
        shown = head.token if options.revision is None else f"{head.epoch}.{options.revision}"
        return f'"{shown}.{self.version}"'

    def turn(self, client: Client) -> AbstractAsyncContextManager[Engine]:
        """A turn at one of the processes, for what is drawn beside pictures.

        Raises:
            DraftsmithError: `busy`.
        """
        return self._queue.turn(client)

    async def close(self) -> None:
        """End the processes, and what they draw."""
        tasks = [drawing.task for drawing in self._drawings.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(engine.close() for engine in self.engines))


def check_there(pictures: Pictures | None) -> Pictures:
    """What draws pictures here.

    Raises:
        DraftsmithError: `pictures_unavailable`.
    """
    if pictures is None:
        raise DraftsmithError(
            "pictures_unavailable", "This server draws no pictures; `draftsmith doctor` says what it lacks."
        )
    return pictures


async def images_for(images: Images, icons: Icons | None, workspace_id: WorkspaceId, question: bytes) -> DrawnImages:
    """The images and icons of what is asked, whose first line is as `head_for` writes it.

    Raises:
        DraftsmithError: `storage_down`.
    """
    head = orjson.loads(question.partition(b"\n")[0])
    drawn = await read_images(images, workspace_id, head["images"], is_decoded=head["form"] != "svg")
    return drawn if icons is None else with_icons(drawn, icons, head["technologies"])


async def draw(engine: Engine, question: bytes, images: DrawnImages, tag: str = "") -> Picture:
    """Have a picture drawn; without its images where they make it fail.

    Raises:
        DraftsmithError: `too_costly`, `picture_too_large`, `busy`, `internal`.
    """
    return await ask_with_images(lambda asked: _draw(engine, asked, tag), question.partition(b"\n")[2], images)


async def _draw(engine: Engine, question: bytes, tag: str) -> Picture:
    try:
        return _picture_in(await engine.run(question), tag)
    except EngineFailed as failure:
        if failure.is_too_costly:
            raise PictureTooCostly from failure
        raise DraftsmithError("busy", "The process that draws has ended. Try again.") from failure


def _picture_in(answer: bytes, tag: str) -> Picture:
    """The picture in an answer of the process that draws.

    Raises:
        DraftsmithError: `too_costly`, `picture_too_large`, `internal`.
    """
    line, _, content = answer.partition(b"\n")
    head = orjson.loads(line)
    error = head.get("error")
    if error is None:
        return Picture(tag, content, head["width"], head["height"])
    if error == "too_costly":
        raise PictureTooCostly
    if error == "picture_too_large":
        size = f"{head['width']:,} × {head['height']:,}"
        raise DraftsmithError(
            error,
            f"This picture would have {size} pixels; take a smaller `scale`, a part, or SVG.",
            extra={"width": head["width"], "height": head["height"]},
        )
    raise DraftsmithError("internal", "Something went wrong here; the server's log says what.")


def _pixels(side: int, scale: float) -> int:
    """As `frontend/src/model/export/pixelSize.ts` rounds."""
    return math.floor(side * scale + 0.5)


def _tag_without(tag: str, missing: Sequence[str]) -> str:
    """The tag of a picture that lacks these images: another one than that of the whole, which it may become."""
    return f'{tag[:-1]}-{sha256(" ".join(missing).encode()).hexdigest()[:8]}"' if missing else tag


_OVERHEAD: Final = 500
"""Bytes that a kept picture takes beside its file; there is one for what cannot be drawn, too."""


def _size(picture: Picture | None) -> int:
    return _OVERHEAD + (0 if picture is None else len(picture.content))


def question_for(options: PictureOptions, workspace: Workspace) -> bytes:
    """What a picture is drawn of: the line of `head_for`, and after it what is asked.

    That is JSON, `PictureRequest` in `frontend/src/model/export/picture.ts`, still without the images (`draw`).

    Raises:
        DraftsmithError: what it is to show is not there.
    """
    nodes = chosen_nodes(workspace, options)
    return head_for(options.form, nodes, workspace) + orjson.dumps(
        {
            "diagram": diagram_json(workspace.diagram),
            "nodes": nodes,
            "title": workspace.name,
            "form": options.form,
            "theme": options.theme,
            "scale": options.scale,
        }
    )


def head_for(form: PictureFormat | Literal["pdf"], nodes: Sequence[NodeId] | None, workspace: Workspace) -> bytes:
    """The line before what is asked: its form, and the images and technologies of what it shows."""
    head = {
        "form": form,
        "images": images_shown(workspace.diagram, nodes),
        "technologies": technologies_shown(workspace.diagram, nodes),
    }
    return orjson.dumps(head, option=orjson.OPT_APPEND_NEWLINE)


def chosen_nodes(workspace: Workspace, options: PictureOptions) -> list[NodeId] | None:
    """The nodes to draw; None for all.

    Raises:
        DraftsmithError: `node_not_found`, `node_ambiguous`; `section_not_found`, `section_ambiguous`,
            `section_without_nodes`.
    """
    if options.section is None and not options.nodes:
        return None
    try:
        found = [] if options.section is None else _nodes_linked_in(workspace, options.section)
        return sorted({*found, *(_node_called(workspace, name) for name in options.nodes)})
    except OperationRefused as refused:
        raise missing(refused) from None


def _node_called(workspace: Workspace, name: str) -> NodeId:
    found = nodes_meant(workspace.diagram, name)
    if not found:
        raise no_node(workspace.diagram, name)
    if len(found) > 1:
        raise several_nodes(name, found)
    return found[0]


def _nodes_linked_in(workspace: Workspace, path: str) -> list[NodeId]:
    outline = workspace.document.outline
    section = find_section(outline, path, "/section")
    links = outline.links_at(section.start, max(section.start, section.end - 1))
    found = [NodeId(node) for _, node in links if node in workspace.diagram]
    if not found:
        message = f"The section '{path[:80]}' links to no node of the diagram; link to one, [Orders](#node/orders)."
        raise OperationRefused("section_without_nodes", "", message)
    return found
