"""Images of nodes in pictures: which get into the question, what has no room, and what happens while one is missing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from draftsmith.adapters.files.image_files import ImageFiles
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import ImageType, address_of
from draftsmith.ports.engines import EngineFailed
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.upkeep.images import Images
from draftsmith.usecases.upkeep.node_images import MAX_ALL_DRAWN_BYTES, MAX_DRAWN_BYTES, images_shown
from draftsmith.usecases.upkeep.pictures import PictureOptions, Pictures
from tests.builders import group, node, workspace_of
from tests.image_samples import png, sha256_of, svg
from tests.integration.layout_workers import new, send
from tests.integration.typists import new_workspace
from tests.unit.test_pictures import HEAD, LIGHT, Drawer, picture_for

PNG = PictureOptions(form="png")


@pytest.fixture
async def images(tmp_path: Path) -> AsyncIterator[Images]:
    blobs = ImageFiles(tmp_path)
    yield Images(blobs)
    await blobs.close()


async def put_shown(images: Images, w: str, content: bytes, kind: ImageType = "image/png") -> str:
    """Put an image; the address by which a node shows it."""
    await images.put(WorkspaceId(w), sha256_of(content), kind, content)
    return address_of(sha256_of(content), kind)


def pictures_by(workspaces: Workspaces, images: Images, drawer: Drawer) -> Pictures:
    return Pictures(workspaces, images, [drawer], "v1")


def drawn_of(drawer: Drawer) -> list[list[str]]:
    """The images of each question."""
    return [sorted(question.get("images", {})) for question in drawer.questions]


def test_what_is_shown_is_that_of_cards_in_the_part() -> None:
    """Groups are frames in a picture; of a part the images of what it holds, each as often as it is shown."""
    one, two = (address_of(letter * 64, "image/png") for letter in "ab")
    diagram = workspace_of(
        group("g", image=two),
        node("inner", parent="g", image=two),
        node("outer", image=one),
        node("plain"),
        node("again", image=two),
    ).diagram
    assert list(images_shown(diagram, None).items()) == [(one, 1), (two, 2)]
    assert [images_shown(diagram, part) for part in (["g"], ["plain"])] == [{two: 1}, {}]


async def test_images_are_in_the_question_each_once(workspaces: Workspaces, images: Images) -> None:
    """The process that draws reads nothing by itself."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    logo, sign = await put_shown(images, w, png()), await put_shown(images, w, svg(), "image/svg+xml")
    await send(workspaces, w, [new("a", image=logo), new("b", image=logo), new("c", image=sign)])
    await picture_for(pictures_by(workspaces, images, drawer), w)
    [question] = drawer.questions
    assert sorted(question["images"]) == sorted([logo, sign])
    assert question["images"][sign].startswith("data:image/svg+xml;base64,")
    assert [one["id"] for one in question["diagram"]["nodes"]][-3:] == ["a", "b", "c"]


async def test_a_missing_image_is_asked_for_until_it_is_there(workspaces: Workspaces, images: Images) -> None:
    """Its picture has a tag of its own, under which it is drawn once; with the image it has that of the whole."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    one, content = pictures_by(workspaces, images, drawer), png()
    await send(workspaces, w, [new("a", image=address_of(sha256_of(content), "image/png"))])
    whole = await one.tag(WorkspaceId(w), LIGHT)
    first, again = await picture_for(one, w), await picture_for(one, w)
    assert first == again
    assert first.tag != whole
    address = await put_shown(images, w, content)
    assert {(await picture_for(one, w)).tag, (await picture_for(one, w)).tag} == {whole}
    assert drawn_of(drawer) == [[], [address]]


async def test_what_has_no_room_is_left_out(workspaces: Workspaces, images: Images) -> None:
    """One that is too large, and those for which there is no room beside others; the picture is whole without them."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    one = pictures_by(workspaces, images, drawer)
    large = await put_shown(images, w, png(salt=b"x" * MAX_DRAWN_BYTES))
    some = sorted([await put_shown(images, w, png(salt=bytes([65 + at]) * 900_000)) for at in range(3)])
    assert 2 * 900_000 < MAX_ALL_DRAWN_BYTES < 3 * 900_000
    await send(workspaces, w, [new(f"n{at}", image=address) for at, address in enumerate([large, *some])])
    assert (await picture_for(one, w)).tag == await one.tag(WorkspaceId(w), LIGHT)
    assert drawn_of(drawer) == [some[:2]]


async def test_pixels_are_bounded_where_they_are_made(workspaces: Workspaces, images: Images) -> None:
    """What says it is huge is in an SVG, which others decode, and not in a PNG; nor is what is shown too often."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    one = pictures_by(workspaces, images, drawer)
    huge = await put_shown(images, w, png(16_000, 16_000, rows=b""))
    often = await put_shown(images, w, png(5_000, 4_000, rows=b""))
    await send(workspaces, w, [new("a", image=huge), *(new(f"n{at}", image=often) for at in range(3))])
    await picture_for(one, w)
    await picture_for(one, w, PNG)
    assert drawn_of(drawer) == [sorted([huge, often]), []]


def fails_with_images(error: Exception | bytes) -> Callable[[bytes], bytes]:
    def answer(question: bytes) -> bytes:
        if b'"images":' not in question:
            return HEAD
        if isinstance(error, bytes):
            return error
        raise error

    return answer


@pytest.mark.parametrize(
    "error", [EngineFailed("killed", is_too_costly=True), b'{"error":"internal"}\n'], ids=["time", "failure"]
)
async def test_a_picture_that_fails_with_its_images_is_drawn_without(
    workspaces: Workspaces, images: Images, error: Exception | bytes
) -> None:
    """Nobody's image takes the picture away from all; what came of it is kept."""
    drawer, w = Drawer(fails_with_images(error)), await new_workspace(workspaces, "")
    one = pictures_by(workspaces, images, drawer)
    await send(workspaces, w, [new("a", image=await put_shown(images, w, png()))])
    assert await picture_for(one, w, PNG) == await picture_for(one, w, PNG)
    assert [len(drawn) for drawn in drawn_of(drawer)] == [1, 0]


def test_bounds_are_those_of_the_page() -> None:
    """Both leave out the same images, so that their pictures are equal."""
    page = Path(__file__).parents[2] / "frontend/src/model/export/nodeImages.ts"
    text = page.read_text("utf-8")
    assert f"MAX_DRAWN_BYTES = {MAX_DRAWN_BYTES:_};" in text
    assert f"MAX_ALL_DRAWN_BYTES = {MAX_ALL_DRAWN_BYTES:_};" in text
