"""Which images stay, on the real store: what anything kept names, in whatever it is written, moved and brought back."""

from __future__ import annotations

import base64
import json
import zipfile
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from draftsmith.adapters.files.image_files import ImageFiles
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.assistant.runs import RedisRuns
from draftsmith.usecases.upkeep.housekeeping import purge_trash
from draftsmith.usecases.upkeep.kept_images import ImageUpkeep
from draftsmith.usecases.upkeep.purge import purge_history
from draftsmith.usecases.upkeep.snapshot import Policy, make_snapshot
from tests.contracts.backends import RedisBackend
from tests.contracts.run_lines import LONG_MS, started
from tests.image_samples import png, sha256_of, svg
from tests.integration.client import Api, check_problem, put_image
from tests.integration.edited_workspaces import DAY_MS, SetClock
from tests.integration.servers import Server, running
from tests.kit.commands import draftsmith
from tests.kit.fixtures import api_fixture

HOUR_MS = DAY_MS // 24
IMAGE, OTHER = png(salt=b"kept"), svg()
NAME, OTHER_NAME = sha256_of(IMAGE), sha256_of(OTHER)


@pytest.fixture(scope="module")
def keeping(redis_server: str, folder: Path) -> Iterator[Server]:
    """A worker whose images are in a folder that the test sees."""
    with running(redis_server, "w-keeping", IMAGES_DIR=str(folder)) as servers:
        yield servers[0]


api = api_fixture("keeping")


class Upkeep:
    """The upkeep of another worker, whose clock the test sets."""

    def __init__(self, store: RedisBackend, folder: Path) -> None:
        self.clock, self.store = SetClock(SystemClock().now_ms()), store
        self.blobs, self.runs = ImageFiles(folder), RedisRuns(store.connection)
        self.images = ImageUpkeep(blobs=self.blobs, log=store.log, clock=self.clock, runs=self.runs)

    async def after(self, hours: int) -> int:
        """Let time pass, with a sweep every hour; how many images went."""
        removed = 0
        for _ in range(hours):
            self.clock.ms += HOUR_MS
            removed += await self.images.sweep()
        return removed

    async def names(self, w: str) -> set[str]:
        return {image.sha256 for image in await self.blobs.all(w)}


@pytest.fixture
async def upkeep(store: RedisBackend, folder: Path) -> AsyncIterator[Upkeep]:
    upkeep = Upkeep(store, folder)
    for w in await upkeep.blobs.workspaces():  # of any test before, whose workspaces are gone
        await upkeep.blobs.remove_all(w)
    yield upkeep
    await upkeep.blobs.close()


def keep_image(api: Api, w: str, content: bytes = IMAGE, kind: str = "image/png") -> str:
    assert put_image(api, w, content, kind).is_success
    return sha256_of(content)


def status_of_image(api: Api, w: str, name: str = NAME) -> int:
    return api.get(f"/api/v1/workspaces/{w}/images/{name}").status_code


def write_document(api: Api, w: str, text: str) -> None:
    """The whole document anew."""
    api.batch(w, {"op": "replace_document", "text": text})


def with_image(name: str = NAME, ending: str = "png") -> str:
    return f"# Shop\n\n![A plan](images/{name}.{ending})\n"


async def test_what_nothing_names_goes_a_day_later(api: Api, upkeep: Upkeep) -> None:
    w = api.create(name="Shop", document={"text": with_image()})
    keep_image(api, w)
    keep_image(api, w, OTHER, "image/svg+xml")
    assert await upkeep.after(24) == 0
    assert await upkeep.names(w) == {NAME, OTHER_NAME}
    assert await upkeep.after(1) == 1
    assert await upkeep.names(w) == {NAME}
    assert (status_of_image(api, w), status_of_image(api, w, OTHER_NAME)) == (200, 404)
    assert await upkeep.after(48) == 0


async def test_what_is_named_again_in_time_stays(api: Api, upkeep: Upkeep) -> None:
    w = api.create(name="Shop")
    keep_image(api, w)
    await upkeep.after(20)
    write_document(api, w, with_image())
    assert await upkeep.after(48) == 0
    assert await upkeep.blobs.unnamed_since(w) == {}


async def test_what_history_names_stays(api: Api, upkeep: Upkeep) -> None:
    """In the log, in snapshots and in states that are kept of checkpoints, also once the log is trimmed."""
    w = api.create(name="Shop", document={"text": with_image()})
    keep_image(api, w)
    write_document(api, w, "# Shop\n")
    assert await upkeep.after(50) == 0
    api.ask("POST", f"/workspaces/{w}/checkpoints", 201, json={"name": "without"})
    for turn in range(6):
        write_document(api, w, f"# Shop\n\n{turn}\n")
    few = Policy(max_entries=2, min_entries=2)
    for turn in range(3):
        write_document(api, w, f"# Shop {turn}\n")
        await make_snapshot(upkeep.store.log, w, few, SystemClock())
    meta = await upkeep.store.log.meta(w)
    assert meta is not None
    assert meta.base > 2, "the commits that named it are gone"
    assert await upkeep.after(30) == 1


async def test_a_checkpoint_keeps_the_images_of_its_state(api: Api, upkeep: Upkeep) -> None:
    w = api.create(name="Shop", document={"text": with_image()})
    keep_image(api, w)
    api.ask("POST", f"/workspaces/{w}/checkpoints", 201, json={"name": "with"})
    few = Policy(max_entries=2, min_entries=2)
    for turn in range(8):
        write_document(api, w, f"# Shop {turn}\n")
        await make_snapshot(upkeep.store.log, w, few, SystemClock())
    meta = await upkeep.store.log.meta(w)
    assert meta is not None
    assert meta.base > 2
    assert await upkeep.after(50) == 0
    assert status_of_image(api, w) == 200


async def test_an_address_that_came_in_two_commits_stays(api: Api, upkeep: Upkeep) -> None:
    """No commit names it, what it shows of its place neither; the newest state does."""
    w = api.create(name="Shop")
    keep_image(api, w)
    write_document(api, w, f"# Shop\n\n{'far ' * 1_000}![A plan](imag/{NAME}.png){' off' * 1_000}\n")
    api.batch(w, {"op": "edit_section", "section": "Shop", "find": "imag/", "replace": "images/"})
    named = await upkeep.images.named_images(w, {NAME, OTHER_NAME})
    assert named == {NAME}
    assert await upkeep.after(50) == 0


async def test_a_proposal_keeps_what_it_would_show(api: Api, upkeep: Upkeep) -> None:
    w = api.create(name="Shop", document={"text": "# Shop\n"})
    keep_image(api, w)
    content = zlib.compress(json.dumps({"operations": [{"text": f"![A plan](images/{NAME}.png)"}]}).encode())
    await upkeep.runs.put_proposal(w, "0" * 26, content, 10**10)
    assert await upkeep.images.named_images(w, {NAME, OTHER_NAME}) == {NAME}
    assert await upkeep.after(50) == 0
    await upkeep.runs.purge(w)
    assert await upkeep.after(50) == 1


async def test_a_request_to_the_assistant_keeps_what_it_names(api: Api, upkeep: Upkeep) -> None:
    """In its words, and in what it has decided and not written yet."""
    w = api.create(name="Shop", document={"text": "# Shop\n"})
    keep_image(api, w)
    keep_image(api, w, OTHER, "image/svg+xml")
    api.run(w, f"what is images/{NAME}.png")
    assert await upkeep.images.named_images(w, {NAME, OTHER_NAME}) == {NAME}
    run = await started(upkeep.runs, w)
    staged = zlib.compress(json.dumps({"text": f"images/{OTHER_NAME}.svg"}).encode())
    assert await upkeep.runs.save_decision(w, run, staged, LONG_MS) == "settling"
    assert await upkeep.images.named_images(w, {NAME, OTHER_NAME}) == {NAME, OTHER_NAME}


async def test_what_is_put_again_is_young(api: Api, upkeep: Upkeep) -> None:
    """Somebody pastes it again while it is about to go."""
    w = api.create(name="Shop")
    keep_image(api, w)
    await upkeep.after(24)
    upkeep.clock.ms -= 24 * HOUR_MS  # files have the true time
    keep_image(api, w)
    assert await upkeep.images.sweep() == 0
    assert await upkeep.names(w) == {NAME}


async def test_a_purge_of_history_reaches_images(api: Api, upkeep: Upkeep) -> None:
    w = api.create(name="Shop", document={"text": with_image(OTHER_NAME, "svg")})
    keep_image(api, w)
    keep_image(api, w, OTHER, "image/svg+xml")
    write_document(api, w, with_image())
    write_document(api, w, with_image(OTHER_NAME, "svg"))
    done = await purge_history(upkeep.store.log, upkeep.runs, upkeep.clock, w, blobs=upkeep.blobs)
    assert done.images == 1
    assert await upkeep.names(w) == {OTHER_NAME}


async def test_the_end_of_a_workspace_is_that_of_its_images(api: Api, upkeep: Upkeep) -> None:
    w, stays = api.create(name="Shop"), api.create(name="Stays", document={"text": with_image()})
    for one in (w, stays):
        keep_image(api, one)
    api.ask("DELETE", f"/workspaces/{w}", 204)
    assert await upkeep.after(20) == 0
    upkeep.clock.ms += 31 * DAY_MS
    log, index = upkeep.store.log, upkeep.store.index
    assert await purge_trash(log, index, upkeep.clock, 30, upkeep.runs, blobs=upkeep.blobs) == [w]
    assert await upkeep.blobs.workspaces() == [stays]


async def test_what_is_left_of_no_workspace_goes(upkeep: Upkeep) -> None:
    w = "0" * 26
    await upkeep.blobs.put(w, NAME, "image/png", IMAGE, most=1, most_bytes=10**6)
    assert await upkeep.after(23) == 0
    assert await upkeep.after(2) == 1
    assert await upkeep.blobs.workspaces() == []


async def test_a_damaged_workspace_keeps_its_images(api: Api, upkeep: Upkeep) -> None:
    """What cannot be read may name anything."""
    w = api.create(name="Shop")
    keep_image(api, w)
    key = f"ws:{{{w}}}:log"
    await upkeep.store.connection.write.command("XADD", key, "2-1", "b", b"znot zlib", "t", "x", "f", "x", "a", "{}",
                                                "s", "", "k", "edit", "r", "", "h", "0" * 16, "ms", "1")  # fmt: skip
    await upkeep.store.connection.write.command("HSET", f"ws:{{{w}}}:meta", "v", 2, "h", "0" * 16)
    assert await upkeep.after(50) == 0
    assert await upkeep.names(w) == {NAME}


async def test_a_copy_has_images_of_its_own(api: Api, upkeep: Upkeep) -> None:
    """Those that it names; they stay when the original goes."""
    w = api.create(name="Shop", document={"text": with_image()})
    keep_image(api, w)
    keep_image(api, w, OTHER, "image/svg+xml")
    copy = api.create(copy_of=w)
    assert await upkeep.names(copy) == {NAME}
    await upkeep.blobs.remove_all(w)
    assert (status_of_image(api, w), status_of_image(api, copy)) == (404, 200)


async def test_an_export_brings_its_images(api: Api, upkeep: Upkeep) -> None:
    """Where it is asked to, those that it names; without them it is as it always was."""
    w = api.create(name="Shop", document={"text": with_image()})
    keep_image(api, w)
    keep_image(api, w, OTHER, "image/svg+xml")
    plain = api.ask("GET", f"/workspaces/{w}/export")
    whole = api.ask("GET", f"/workspaces/{w}/export?images=true")
    assert whole == {**plain, "images": {NAME: {"type": "image/png", "data": base64.b64encode(IMAGE).decode()}}}
    assert "images" not in plain
    again = api.create(**{"import": {"format": "json", "content": whole}})
    assert (status_of_image(api, again), await upkeep.names(again)) == (200, {NAME})
    assert api.ask("GET", f"/workspaces/{again}/export?images=true") == whole
    bare = api.create(**{"import": {"format": "json", "content": plain}})
    assert await upkeep.names(bare) == set()
    write_document(api, w, "# Shop\n")
    assert api.get(f"/api/v1/workspaces/{w}/export?images=true").json().keys() == plain.keys()


@pytest.mark.parametrize(
    "image, code",
    [
        ({"type": "image/png", "data": "no base 64"}, "image_unread"),
        ({"type": "image/gif", "data": base64.b64encode(IMAGE).decode()}, "type_differs"),
        ({"type": "image/png", "data": base64.b64encode(png(1, 1)).decode()}, "hash_differs"),
    ],
)
def test_an_import_takes_no_false_images(api: Api, image: dict[str, Any], code: str) -> None:
    content = {"format": "draftsmith/1", "name": "Shop", "document": {"text": with_image()}, "images": {NAME: image}}
    answer = api.post("/api/v1/workspaces", json={"import": {"format": "json", "content": content}})
    problem = check_problem(answer, 422, "image_refused")
    assert {"path": f"/import/content/images/{NAME}", "code": code}.items() <= problem["problems"][-1].items()
    assert api.ask("GET", "/workspaces")["items"] == []


def test_commands_bring_images_along(api: Api, redis_url: str, folder: Path, tmp_path: Path) -> None:
    """Backup and recovery, export and import; also under new ids, into a folder where nothing was."""
    w = api.create(name="Shop", document={"text": with_image()})
    keep_image(api, w)
    keep_image(api, w, OTHER, "image/svg+xml")
    backup, file, elsewhere = tmp_path / "all.backup", tmp_path / "shop.json", tmp_path / "elsewhere"

    def run(*arguments: object, images: Path = folder) -> str:
        environment = {"DATA_DIR": str(tmp_path / "data"), "REDIS_URL": redis_url, "IMAGES_DIR": str(images)}
        return draftsmith(*arguments, **environment).stdout.strip()

    run("backup", backup)
    run("export", w, "-o", file)
    imported = run("import", file)
    assert status_of_image(api, imported) == 200
    run("recover", backup, "--as-copies")
    [copy] = {item["id"] for item in api.ask("GET", "/workspaces")["items"]} - {w, imported}
    assert (status_of_image(api, copy), status_of_image(api, copy, OTHER_NAME)) == (200, 200)
    write_document(api, w, "# Shop\n")
    run("recover", backup, "--force", images=elsewhere)
    there = {path.relative_to(elsewhere).as_posix(): path.read_bytes() for path in elsewhere.glob("*/*.*")}
    assert there == {f"{w}/{NAME}.png": IMAGE, f"{w}/{OTHER_NAME}.svg": OTHER}


def test_a_backup_with_a_false_image_is_refused(api: Api, redis_url: str, folder: Path, tmp_path: Path) -> None:
    """Everything is checked before anything is written."""
    w = api.create(name="Shop", document={"text": with_image()})
    keep_image(api, w)
    backup, false = tmp_path / "all.backup", tmp_path / "false.backup"
    environment = {"DATA_DIR": str(tmp_path / "data"), "REDIS_URL": redis_url, "IMAGES_DIR": str(folder)}
    draftsmith("backup", backup, **environment)
    with zipfile.ZipFile(backup) as whole, zipfile.ZipFile(false, "w") as made:
        for name in whole.namelist():
            content = whole.read(name)
            made.writestr(name, content.replace(b"kept", b"lost") if name.endswith(".png") else content)
    assert "damaged" in draftsmith("recover", false, "--as-copies", code=1, **environment).stderr
    assert len(api.ask("GET", "/workspaces")["items"]) == 1
