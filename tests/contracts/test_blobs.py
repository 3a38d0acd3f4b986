"""The bytes of images, on every adapter: what `put` answered is there, whole, and within its bounds."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import boto3
import pytest

from draftsmith.adapters.files.image_files import ImageFiles
from draftsmith.adapters.s3.image_bucket import Bucket, ImageBucket
from draftsmith.components import images_of
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.ports.blobs import Blobs, StoredImage
from draftsmith.settings import Settings
from tests.image_samples import SAMPLES, png, sha256_of
from tests.timeouts import TIMEOUT_SECONDS

W, OTHER = "0" * 26, "1" * 26
LATER = 10**15
MakeBlobs = Callable[[], Blobs]
_NUMBERS = itertools.count(1)


@contextmanager
def closed_port() -> Iterator[int]:
    """A port at which nobody answers, and which nobody else takes meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """The address of a server that speaks S3."""
    moto = pytest.importorskip("moto.server")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3: str, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """An empty bucket there, in which others have something, too."""
    for name, value in (("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test")):
        monkeypatch.setenv(name, value)
    name = f"images-{next(_NUMBERS)}"
    client = boto3.client("s3", endpoint_url=s3, region_name="us-east-1")
    client.create_bucket(Bucket=name)
    client.put_object(Bucket=name, Key="others/note.txt", Body=b"not ours")
    client.close()
    return Bucket(name, "drafts/", s3)


@pytest.fixture(params=["files", "bucket"])
async def make_blobs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MakeBlobs]:
    """Makes one more that shares what the others have, as another worker does."""
    made: list[Blobs] = []
    bucket = request.getfixturevalue("bucket") if request.param == "bucket" else None

    def make() -> Blobs:
        made.append(ImageFiles(tmp_path / "images") if bucket is None else ImageBucket(bucket))
        return made[-1]

    yield make
    for one in made:
        await one.close()


@pytest.fixture
def blobs(make_blobs: MakeBlobs) -> Blobs:
    return make_blobs()


async def put_blob(blobs: Blobs, content: bytes, w: str = W, most: int = 100, most_bytes: int = 10**6) -> str:
    return await blobs.put(w, sha256_of(content), "image/png", content, most=most, most_bytes=most_bytes)


async def content_of(blobs: Blobs, image: StoredImage | None, w: str = W) -> bytes:
    assert image is not None
    return b"".join([piece async for piece in await blobs.chunks(w, image)])


async def test_what_was_put_is_there(make_blobs: MakeBlobs) -> None:
    left, right = make_blobs(), make_blobs()
    for kind, (content, _, _) in SAMPLES.items():
        name = sha256_of(content)
        outcome = await left.put(W, name, kind, content, most=100, most_bytes=10**6)
        found = await right.find(W, name)
        assert outcome == "new"
        assert found is not None
        assert (found.sha256, found.type, found.size) == (name, kind, len(content))
        assert await content_of(right, found) == content
    assert {one.sha256 for one in await right.all(W)} == {sha256_of(content) for content, _, _ in SAMPLES.values()}
    assert await right.workspaces() == [W]


async def test_nothing_is_there_of_what_was_not_put(blobs: Blobs) -> None:
    assert await blobs.find(W, "0" * 64) is None
    assert await blobs.all(W) == []
    assert await blobs.workspaces() == []
    assert await blobs.unnamed_since(W) == {}
    assert await blobs.remove(W, "0" * 64, unless_put_after_ms=LATER) is False
    await blobs.remove_all(W)
    await blobs.note_unnamed(W, {"0" * 64: 5})


async def test_putting_again_makes_it_young(blobs: Blobs) -> None:
    """An image that is put again is not removed for what it was before."""
    content = png()
    assert await put_blob(blobs, content) == "new"
    first = (await blobs.all(W))[0].put_ms
    while await put_blob(blobs, content) == "there" and (await blobs.all(W))[0].put_ms == first:
        pass
    assert await blobs.remove(W, sha256_of(content), unless_put_after_ms=first) is False
    assert await blobs.remove(W, sha256_of(content), unless_put_after_ms=LATER) is True
    assert await blobs.all(W) == []


async def test_room_is_counted_by_images_and_by_bytes(blobs: Blobs) -> None:
    first, second = png(salt=b"1"), png(salt=b"2")
    size = len(first)
    assert await put_blob(blobs, first, most=1, most_bytes=size) == "new"
    assert await put_blob(blobs, second, most=1) == "no_room"
    assert await put_blob(blobs, second, most_bytes=2 * size - 1) == "no_room"
    assert await put_blob(blobs, first, most=1, most_bytes=size) == "there"
    assert await put_blob(blobs, second, w=OTHER, most=1, most_bytes=size) == "new"
    assert [one.sha256 for one in await blobs.all(W)] == [sha256_of(first)]


async def test_an_image_that_is_being_read_is_not_cut_off(blobs: Blobs) -> None:
    content = png(salt=b"x" * 900_000)
    await put_blob(blobs, content)
    image = await blobs.find(W, sha256_of(content))
    assert image is not None
    pieces = await blobs.chunks(W, image)
    await blobs.remove(W, image.sha256, unless_put_after_ms=LATER)
    assert b"".join([piece async for piece in pieces]) == content
    with pytest.raises(DraftsmithError, match="image_not_found"):
        await blobs.chunks(W, image)


async def test_everything_of_a_workspace_goes_and_nothing_else(blobs: Blobs) -> None:
    await put_blob(blobs, png())
    await put_blob(blobs, png(), w=OTHER)
    await blobs.note_unnamed(W, {sha256_of(png()): 5})
    await blobs.remove_all(W)
    assert (await blobs.all(W), await blobs.unnamed_since(W)) == ([], {})
    assert await blobs.workspaces() == [OTHER]
    assert await put_blob(blobs, png()) == "new"


async def test_what_is_noted_is_read(make_blobs: MakeBlobs) -> None:
    left, right = make_blobs(), make_blobs()
    await put_blob(left, png())
    await left.note_unnamed(W, {"a" * 64: 1, "b" * 64: 2})
    assert await right.unnamed_since(W) == {"a" * 64: 1, "b" * 64: 2}
    await left.note_unnamed(W, {})
    assert await right.unnamed_since(W) == {}
    assert len(await right.all(W)) == 1


async def test_it_can_be_tried(blobs: Blobs) -> None:
    assert await blobs.check()
    assert (await blobs.workspaces(), await blobs.all(W)) == ([], [])


class TestBucket:
    """What a bucket alone promises."""

    async def test_what_it_refuses_is_told_without_secrets(self, bucket: Bucket) -> None:
        blobs = ImageBucket(replace(bucket, name="there-is-none"))
        with pytest.raises(StorageError, match="NoSuchBucket") as refused:
            await put_blob(blobs, png())
        assert "test" not in refused.value.detail
        with pytest.raises(StorageError, match="NoSuchBucket"):
            await blobs.check()
        await blobs.close()

    async def test_a_server_that_is_away_is_told(self, bucket: Bucket) -> None:
        with closed_port() as port:
            blobs = ImageBucket(replace(bucket, endpoint=f"http://127.0.0.1:{port}"))
            with pytest.raises(StorageError, match="did not answer"):
                await blobs.find(W, "0" * 64)
            await blobs.close()

    async def test_it_is_found_where_the_settings_say(self, bucket: Bucket) -> None:
        settings = Settings(images_bucket=f"s3://{bucket.name}/drafts", images_bucket_endpoint=bucket.endpoint)
        images = images_of(settings)
        await images.put(W, sha256_of(png()), "image/png", png())
        client = boto3.client("s3", endpoint_url=bucket.endpoint, region_name="us-east-1")
        [found] = client.list_objects_v2(Bucket=bucket.name, Prefix="drafts/")["Contents"]
        assert found["Key"] == f"drafts/{W}/{sha256_of(png())}.png"
        assert client.head_object(Bucket=bucket.name, Key=found["Key"])["ContentType"] == "image/png"
        assert await images.blobs.check() == f"s3://{bucket.name}/drafts/"
        client.close()
        await images.blobs.close()

    @pytest.mark.parametrize("place", ["bucket", "s3://", "s3://Bucket", "s3://../x", "s3://bucket/a b"])
    def test_false_places_are_refused(self, place: str) -> None:
        with pytest.raises(ValueError, match="must be s3://bucket"):
            Settings(images_bucket=place)


class TestFiles:
    """What files alone promise."""

    async def test_workers_keep_to_the_bound_together(self, tmp_path: Path) -> None:
        """Sixteen images at once by two workers, with room for three."""
        workers = [ImageFiles(tmp_path / "images") for _ in range(2)]
        images = [png(salt=f"{number:02}".encode()) for number in range(16)]
        found = await asyncio.gather(*(put_blob(workers[at % 2], image, most=3) for at, image in enumerate(images)))
        assert (found.count("new"), found.count("no_room")) == (3, 13)
        assert len(await workers[0].all(W)) == 3
        for worker in workers:
            await worker.close()

    @pytest.mark.parametrize("name", ["..", "../../etc/passwd", "a" * 63, "A" * 64, "a" * 64 + "\n", ""])
    async def test_no_name_leads_elsewhere(self, tmp_path: Path, name: str) -> None:
        files = ImageFiles(tmp_path / "images")
        with pytest.raises(DraftsmithError, match="image_not_found"):
            await files.put(W, name, "image/png", b"", most=1, most_bytes=1)
        with pytest.raises(DraftsmithError, match="workspace_not_found"):
            await files.put(name, "a" * 64, "image/png", b"", most=1, most_bytes=1)
        assert await files.workspaces() == []
        await files.close()

    async def test_what_a_killed_writer_left_is_no_image_and_goes(self, tmp_path: Path) -> None:
        files = ImageFiles(tmp_path / "images")
        await put_blob(files, png())
        young, old = tmp_path / "images" / W / ".a.1.part", tmp_path / "images" / W / ".a.2.part"
        for path in (young, old):
            path.write_bytes(b"half")
        os.utime(old, (0, 0))
        assert len(await files.all(W)) == 1
        assert (young.exists(), old.exists()) == (True, False)
        await files.close()

    async def test_no_thread_waits_for_more_work(self, tmp_path: Path) -> None:
        """One that does costs requests beside large bodies ten times their wait."""
        before = set(threading.enumerate())
        files = ImageFiles(tmp_path / "images")
        await asyncio.gather(*(put_blob(files, png(salt=f"{number}".encode())) for number in range(8)))
        for thread in set(threading.enumerate()) - before:
            await asyncio.to_thread(thread.join, TIMEOUT_SECONDS)
            assert not thread.is_alive()
        await files.close()
