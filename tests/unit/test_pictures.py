"""Pictures of workspaces on a store in memory, with a stand-in for the process that draws."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from draftsmith.adapters.files.image_files import ImageFiles
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.engines import EngineFailed
from draftsmith.renderer import MOST_PIXELS
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.requests.client import Client, set_client
from draftsmith.usecases.upkeep import pictures
from draftsmith.usecases.upkeep.images import Images
from draftsmith.usecases.upkeep.pictures import Picture, PictureOptions, Pictures, PictureTooCostly, chosen_nodes
from tests.builders import edge, group, node, workspace_of
from tests.integration.layout_workers import new, send
from tests.integration.typists import new_workspace
from tests.unit.test_fair_queue import ANA, BEN, EVE, settled

LIGHT, DARK = PictureOptions(), PictureOptions(theme="dark")
HEAD = b'{"width":1,"height":1}\n'


class Drawer:
    """Answers with the question itself, once it may; keeps the questions."""

    def __init__(self, answer: Callable[[bytes], bytes] = lambda question: HEAD + question) -> None:
        self.answer, self.questions, self.kills = answer, list[Any](), 0
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def run(self, question: bytes) -> bytes:
        self.questions.append(orjson.loads(question))
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.kills += 1
            raise
        return self.answer(question)

    async def start(self) -> None: ...

    async def close(self) -> None: ...


def pictures_by(workspaces: Workspaces, *drawers: Drawer, images: Images | None = None) -> Pictures:
    return Pictures(workspaces, images or Images(ImageFiles(Path("none"))), drawers, version="v1")


async def picture_for(one: Pictures, w: str, options: PictureOptions = LIGHT, client: Client = ANA) -> Picture:
    set_client(client)
    return await one.picture(WorkspaceId(w), await one.tag(WorkspaceId(w), options), options)


def raises(error: Exception) -> Callable[[bytes], bytes]:
    def answer(question: bytes) -> bytes:
        raise error

    return answer


async def test_a_picture_is_drawn_once_for_each_revision(workspaces: Workspaces) -> None:
    """What is kept is answered again, under the same tag; a commit makes another one."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    one = pictures_by(workspaces, drawer)
    first = await picture_for(one, w)
    assert await picture_for(one, w) == first
    assert await picture_for(one, w, DARK) != first
    assert [question["theme"] for question in drawer.questions] == ["light", "dark"]
    await send(workspaces, w, [new("db")])
    second = await picture_for(one, w)
    assert second.tag != first.tag
    assert [len(question["diagram"]["nodes"]) for question in drawer.questions] == [1, 1, 2]


async def test_a_picture_of_the_past_stays_what_it_was(workspaces: Workspaces) -> None:
    """Its tag is that of its revision, whatever is committed since."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    one, past = pictures_by(workspaces, drawer), PictureOptions(revision=1)
    first = await picture_for(one, w, past)
    await send(workspaces, w, [new("db")])
    assert await picture_for(one, w, past) == first
    assert [len(question["diagram"]["nodes"]) for question in drawer.questions] == [1]
    with pytest.raises(DraftsmithError, match="revision_unknown"):
        await picture_for(one, w, PictureOptions(revision=9))


async def test_other_code_makes_other_tags(workspaces: Workspaces) -> None:
    """Who has a picture of an older release is not told that it is the newest."""
    w = await new_workspace(workspaces, "")
    both = [replace(pictures_by(workspaces, Drawer()), version=version) for version in ("v1", "v2")]
    tags = [await one.tag(WorkspaceId(w), LIGHT) for one in both]
    assert len(set(tags)) == 2


async def test_all_who_ask_for_the_same_wait_for_one_drawing(workspaces: Workspaces) -> None:
    """A page with a picture that a hundred people open costs one drawing; who leaves takes nothing from the others."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    one = pictures_by(workspaces, drawer)
    drawer.may_end.clear()
    tasks = [asyncio.create_task(picture_for(one, w, client=client)) for client in (ANA, BEN, EVE)]
    await settled()
    tasks[0].cancel()
    await settled()
    drawer.may_end.set()
    await settled()
    assert tasks[1].result() == tasks[2].result()
    assert (len(drawer.questions), drawer.kills) == (1, 0)


async def test_what_nobody_waits_for_is_not_drawn_on(workspaces: Workspaces) -> None:
    """The process is told to stop, and is there for the next."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    one = pictures_by(workspaces, drawer)
    drawer.may_end.clear()
    tasks = [asyncio.create_task(picture_for(one, w, client=client)) for client in (ANA, BEN)]
    await settled()
    for task in tasks:
        task.cancel()
    await settled()
    assert drawer.kills == 1
    drawer.may_end.set()
    assert (await picture_for(one, w)).content


async def test_one_client_holds_up_nobody_else(workspaces: Workspaces) -> None:
    """However many pictures one asks for, it has one process; another client has the other at once."""
    slow, w = Drawer(), await new_workspace(workspaces, "")
    slow.may_end.clear()
    one = pictures_by(workspaces, slow, slow)
    scales = [PictureOptions(scale=1 + number / 10) for number in range(5)]
    tasks = [asyncio.create_task(picture_for(one, w, options)) for options in scales]
    await settled()
    assert len(slow.questions) == 1
    tasks.append(asyncio.create_task(picture_for(one, w, DARK, BEN)))
    await settled()
    assert [question["theme"] for question in slow.questions] == ["light", "dark"]
    slow.may_end.set()
    await asyncio.gather(*tasks)


async def test_too_many_that_wait_are_busy(workspaces: Workspaces) -> None:
    """Nothing piles up."""
    slow, w = Drawer(), await new_workspace(workspaces, "")
    slow.may_end.clear()
    one = pictures_by(workspaces, slow)
    tasks = [asyncio.create_task(picture_for(one, w, PictureOptions(scale=1 + number / 10))) for number in range(9)]
    await settled()
    with pytest.raises(DraftsmithError, match="busy"):
        await picture_for(one, w, DARK)
    slow.may_end.set()
    await asyncio.gather(*tasks)


@pytest.mark.parametrize(
    "answer",
    [raises(EngineFailed("killed", is_too_costly=True)), lambda _: b'{"error":"too_costly"}\n'],
    ids=["time", "memory"],
)
async def test_what_takes_too_much_is_not_tried_again(workspaces: Workspaces, answer: Callable[[bytes], bytes]) -> None:
    """The refusal is kept as a picture is; after a commit it is tried anew."""
    drawer, w = Drawer(answer), await new_workspace(workspaces, "")
    one = pictures_by(workspaces, drawer)
    for _ in range(2):
        with pytest.raises(PictureTooCostly, match="section"):
            await picture_for(one, w)
    assert len(drawer.questions) == 1
    await send(workspaces, w, [new("db")])
    drawer.answer = lambda question: HEAD + question
    assert (await picture_for(one, w)).content


@pytest.mark.parametrize(
    "answer, code",
    [(raises(EngineFailed("it was killed")), "busy"), (lambda _: b'{"error":"internal"}\n', "internal")],
)
async def test_another_failure_may_have_been_chance(
    workspaces: Workspaces, answer: Callable[[bytes], bytes], code: str
) -> None:
    """It is told and not kept."""
    drawer, w = Drawer(answer), await new_workspace(workspaces, "")
    one = pictures_by(workspaces, drawer)
    for _ in range(2):
        with pytest.raises(DraftsmithError, match=code):
            await picture_for(one, w)
    assert len(drawer.questions) == 2


async def test_what_is_kept_is_bounded(workspaces: Workspaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest goes first; what is too large is answered and not kept."""
    monkeypatch.setattr(pictures, "CACHE_BYTES", 20_000)
    monkeypatch.setattr(pictures, "_LONGEST", 5_000)
    drawer, w = Drawer(lambda _: HEAD + b"x" * 4_000), await new_workspace(workspaces, "")
    one = pictures_by(workspaces, drawer)
    scales = [PictureOptions(scale=1 + number / 10) for number in range(6)]
    for options in scales:
        await picture_for(one, w, options)
    await picture_for(one, w, scales[-1])
    assert len(drawer.questions) == 6
    await picture_for(one, w, scales[0])
    assert len(drawer.questions) == 7
    drawer.answer = lambda _: HEAD + b"x" * 6_000
    for _ in range(2):
        assert len((await picture_for(one, w, DARK)).content) == 6_000
    assert len(drawer.questions) == 9


# -- which nodes -------------------------------------------------------------------------------------------------------

TEXT = (
    "# Book\n\n## Orders\n\n[Api](#node/api)\n\n### Storage\n\n[Db](#node/db), [gone](#node/gone)\n\n## Rest\n\nNone.\n"
)
SHOP = workspace_of(group("g"), node("api"), node("db", label="Order store"), edge("api", "db"), text=TEXT)


@pytest.mark.parametrize(
    "options, chosen",
    [
        (PictureOptions(), None),
        (PictureOptions(nodes=("db", "api", "db")), ["api", "db"]),
        (PictureOptions(nodes=("order STORE",)), ["db"]),
        (PictureOptions(section="Book > Orders"), ["api", "db"]),
        (PictureOptions(section="Storage"), ["db"]),
        (PictureOptions(section="Storage", nodes=("g",)), ["db", "g"]),
    ],
)
def test_what_is_drawn_of_it(options: PictureOptions, chosen: list[str] | None) -> None:
    """All of it, nodes by id or name, or those that a section with its subsections links to."""
    assert chosen_nodes(SHOP, options) == chosen


@pytest.mark.parametrize(
    "options, code",
    [
        (PictureOptions(nodes=("api", "apis")), "node_not_found"),
        (PictureOptions(section="Nowhere"), "section_not_found"),
        (PictureOptions(section="Rest"), "section_without_nodes"),
    ],
)
def test_what_is_not_there_is_named(options: PictureOptions, code: str) -> None:
    """A part that is not there is never the whole."""
    with pytest.raises(DraftsmithError, match=code):
        chosen_nodes(SHOP, options)


async def test_the_size_of_a_preview_is_learned_of_one_svg(workspaces: Workspaces) -> None:
    """Whatever size is asked, by whoever: no pixels are made for it, and nothing is drawn twice."""
    drawer = Drawer(lambda _: b'{"width":1000,"height":501}\n<svg/>')
    w, one = await new_workspace(workspaces, ""), pictures_by(workspaces, drawer)
    found = [await one.size_within(WorkspaceId(w), LIGHT, *most) for most in ((1_200, 1_200), (500, 900), (900, 10))]
    assert found == [(1.0, 1000, 501), (0.5, 500, 251), (0.05, 50, 25)]
    assert [(question["form"], question["scale"]) for question in drawer.questions] == [("svg", 1.0)]


async def test_a_preview_is_never_larger_than_a_png_may_be(workspaces: Workspaces) -> None:
    """Also where more is asked: its address would show a refusal."""
    drawer = Drawer(lambda _: b'{"width":16000,"height":16000}\n<svg/>')
    w = await new_workspace(workspaces, "")
    _, width, height = await pictures_by(workspaces, drawer).size_within(WorkspaceId(w), LIGHT, 10_000, 10_000)
    assert width * height <= MOST_PIXELS
