"""The process that draws pictures: real V8, a real process, a stand-in for the script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import orjson
import psutil
import pytest

from draftsmith.adapters.doctor.doctor import check_pictures
from draftsmith.adapters.server.engine_process import PictureProcess, missing_for_pictures
from draftsmith.ports.engines import EngineFailed
from tests.timeouts import timeout

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.fixture
async def drawer() -> AsyncIterator[PictureProcess]:
    one = PictureProcess(FIXTURES / "picture")
    yield one
    await one.close()


def question(title: str, form: str = "svg") -> bytes:
    return orjson.dumps({"title": title, "form": form})


async def answer_to(one: PictureProcess, title: str, form: str = "svg") -> tuple[dict[str, object], bytes]:
    head, _, content = (await one.run(question(title, form))).partition(b"\n")
    return orjson.loads(head), content


async def why_not(one: PictureProcess, title: str) -> object:
    """Why there is no picture: V8 could stop the script, or has ended the process."""
    try:
        head, _ = await answer_to(one, title)
    except EngineFailed as failed:
        return "too_costly" if failed.is_too_costly else str(failed)
    return head.get("error")


async def test_it_draws_one_after_the_other(drawer: PictureProcess) -> None:
    """Each question has its own answer, with the size in pixels."""
    async with timeout():
        (size, svg), (_, png), (_, other) = await asyncio.gather(
            answer_to(drawer, "a"), answer_to(drawer, "b", "png"), answer_to(drawer, "c")
        )
    assert size == {"width": 2, "height": 1}
    assert (svg[:4], png[:4], other[:4]) == (b"<svg", b"\x89PNG", b"<svg")
    assert b"<title>a<" in svg
    assert b"<title>c<" in other


async def test_a_failure_is_one_picture_less(drawer: PictureProcess) -> None:
    """What the script throws is told by a code; the process stays."""
    async with timeout():
        await answer_to(drawer, "a")
        pid = drawer.pid
        assert await answer_to(drawer, "throws") == ({"error": "internal"}, b"")
        assert (await answer_to(drawer, "a"))[1]
    assert drawer.pid == pid


async def test_too_much_memory_is_too_costly(drawer: PictureProcess) -> None:
    """The script's memory is limited; whatever becomes of the process, the next picture is drawn."""
    async with timeout():
        assert await why_not(drawer, "too much") == "too_costly"
        assert (await answer_to(drawer, "a"))[1]


async def test_a_side_may_be_too_long(drawer: PictureProcess) -> None:
    """Of a PNG; an SVG of the size is drawn."""
    async with timeout():
        assert await answer_to(drawer, "wide", "png") == (
            {"error": "picture_too_large", "width": 16001, "height": 1},
            b"",
        )
        assert (await answer_to(drawer, "wide"))[1]


async def test_what_nobody_waits_for_is_killed(drawer: PictureProcess) -> None:
    """Whoever leaves a page while its picture is drawn costs nothing more."""
    async with timeout():
        await answer_to(drawer, "a")
        process = psutil.Process(drawer.pid)
        task = asyncio.create_task(drawer.run(question("for ever")))
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.wait([task])
        assert not process.is_running()
        assert (await answer_to(drawer, "a"))[1]


async def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    """Fails the question."""
    one = PictureProcess(tmp_path)
    async with timeout():
        with pytest.raises(EngineFailed):
            await one.run(question("a"))
    await one.close()


def test_doctor_says_what_is_missing(tmp_path: Path) -> None:
    """The built editor without the script is a warning with a remedy."""
    assert missing_for_pictures(FIXTURES) == ""
    check = check_pictures(missing_for_pictures(tmp_path))
    assert (check.status, "picture.js" in check.detail, bool(check.remedy)) == ("warn", True, True)
    assert check_pictures("").status == "ok"
