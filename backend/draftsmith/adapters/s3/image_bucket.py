"""Images as objects of a bucket that speaks S3, `{prefix}{workspace}/{sha256}.{ext}`; implements `ports.blobs.Blobs`.

An object is there as a whole or not at all, and is durable when its putting is answered. There is no lock: what several
workers put at the same moment may exceed the room of a workspace together. boto3 waits for its answers, so it is asked
in a few threads; it is imported when the first image comes or is asked for. It finds its credentials where it always
does (`AWS_ACCESS_KEY_ID`, `AWS_PROFILE`, the role of the machine).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import orjson

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import ENDINGS, TYPES_BY_ENDING, ImageType, is_sha256
from draftsmith.ports.blobs import PutOutcome, StoredImage, outcome_of

_THREADS: Final = 8
_CHUNK: Final = 256 * 1024
_UNNAMED: Final = "unnamed.json"
_ABSENT: Final = frozenset({"NoSuchKey", "404"})
_CONNECT_SECONDS, _READ_SECONDS, _ATTEMPTS = 5, 30, 3
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Bucket:
    """Where the objects are; an empty `endpoint` or `region` is as AWS has it."""

    name: str
    prefix: str = ""
    endpoint: str = ""
    region: str = ""


class ImageBucket:
    """The images in a bucket."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="images")
        self._opening = threading.Lock()
        self._opened_client: Any = None

    async def put(
        self, workspace_id: WorkspaceId, sha256: str, kind: ImageType, content: bytes, *, most: int, most_bytes: int
    ) -> PutOutcome:
        """See the port."""
        return await self._do(partial(self._put, workspace_id, sha256, kind, content, most, most_bytes))

    async def find(self, workspace_id: WorkspaceId, sha256: str) -> StoredImage | None:
        """See the port."""
        return await self._do(partial(self._find, workspace_id, sha256))

    async def chunks(self, workspace_id: WorkspaceId, image: StoredImage) -> AsyncIterator[bytes]:
        """See the port."""
        key = self._key(workspace_id, f"{image.sha256}.{ENDINGS[image.type]}")
        body = await self._do(partial(self._body_or_none, key))
        if body is None:
            raise DraftsmithError("image_not_found", "This workspace has no such image.")
        return self._bytes_of(body)

    async def all(self, workspace_id: WorkspaceId) -> list[StoredImage]:
        """See the port."""
        return await self._do(lambda: list(self._images(self._key(workspace_id))))

    async def workspaces(self) -> list[WorkspaceId]:
        """See the port."""
        return await self._do(self._workspaces)

    async def remove(self, workspace_id: WorkspaceId, sha256: str, *, unless_put_after_ms: int) -> bool:
        """See the port."""
        return await self._do(partial(self._remove, workspace_id, sha256, unless_put_after_ms))

    async def remove_all(self, workspace_id: WorkspaceId) -> None:
        """See the port."""
        await self._do(partial(self._remove_all, workspace_id))

    async def unnamed_since(self, workspace_id: WorkspaceId) -> Mapping[str, int]:
        """See the port."""
        return await self._do(partial(self._read_unnamed, workspace_id))

    async def note_unnamed(self, workspace_id: WorkspaceId, since: Mapping[str, int]) -> None:
        """See the port."""
        await self._do(partial(self._note_unnamed, workspace_id, since))

    async def check(self) -> str:
        """See the port."""
        return await self._do(self._check)

    async def close(self) -> None:
        """See the port."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._opened_client is not None:
            self._opened_client.close()

    async def _do(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(_or_storage_error, work))

    async def _bytes_of(self, body: Any) -> AsyncIterator[bytes]:
        try:
            while piece := await self._do(partial(body.read, _CHUNK)):
                yield piece
        finally:
            body.close()

    @property
    def _client(self) -> Any:
        with self._opening:
            if self._opened_client is None:
                self._opened_client = _client_of(self._bucket)
            return self._opened_client

    @property
    def _place(self) -> dict[str, str]:
        return {"Bucket": self._bucket.name}

    def _key(self, workspace_id: WorkspaceId, name: str = "") -> str:
        return f"{self._bucket.prefix}{workspace_id}/{name}"

    def _put(
        self, workspace_id: WorkspaceId, sha256: str, kind: ImageType, content: bytes, most: int, most_bytes: int
    ) -> PutOutcome:
        images = self._images(self._key(workspace_id))
        outcome = outcome_of(images, sha256, len(content), most=most, most_bytes=most_bytes)
        if outcome != "no_room":
            key = self._key(workspace_id, f"{sha256}.{ENDINGS[kind]}")
            self._client.put_object(**self._place, Key=key, Body=content, ContentType=kind)
        return outcome

    def _find(self, workspace_id: WorkspaceId, sha256: str) -> StoredImage | None:
        return next(self._images(self._key(workspace_id, f"{sha256}.")), None)

    def _images(self, begin: str) -> Iterator[StoredImage]:
        """The images whose keys begin so."""
        for found in self._objects(begin):
            name, _, ending = found["Key"].rpartition("/")[2].partition(".")
            if is_sha256(name) and ending in TYPES_BY_ENDING:
                ms = int(found["LastModified"].timestamp() * 1000)
                yield StoredImage(name, TYPES_BY_ENDING[ending], int(found["Size"]), ms)

    def _objects(self, begin: str) -> Iterator[Any]:
        pages = self._client.get_paginator("list_objects_v2").paginate(**self._place, Prefix=begin)
        for page in pages:
            yield from page.get("Contents", ())

    def _workspaces(self) -> list[WorkspaceId]:
        prefix = self._bucket.prefix
        pages = self._client.get_paginator("list_objects_v2").paginate(**self._place, Prefix=prefix, Delimiter="/")
        found = (one["Prefix"] for page in pages for one in page.get("CommonPrefixes", ()))
        return [WorkspaceId(key.removeprefix(prefix).rstrip("/")) for key in found]

    def _remove(self, workspace_id: WorkspaceId, sha256: str, unless_put_after_ms: int) -> bool:
        image = self._find(workspace_id, sha256)
        if image is None or image.put_ms > unless_put_after_ms:
            return False
        key = self._key(workspace_id, f"{sha256}.{ENDINGS[image.type]}")
        self._client.delete_object(**self._place, Key=key)
        return True

    def _remove_all(self, workspace_id: WorkspaceId) -> None:
        for found in self._objects(self._key(workspace_id)):
            self._client.delete_object(**self._place, Key=found["Key"])

    def _body_or_none(self, key: str) -> Any:
        from botocore.exceptions import ClientError

        try:
            return self._client.get_object(**self._place, Key=key)["Body"]
        except ClientError as error:
            if error.response["Error"]["Code"] in _ABSENT:
                return None
            raise

    def _read_unnamed(self, workspace_id: WorkspaceId) -> Mapping[str, int]:
        body = self._body_or_none(self._key(workspace_id, _UNNAMED))
        content = {} if body is None else orjson.loads(body.read())
        return {str(name): int(since) for name, since in content.items()}

    def _note_unnamed(self, workspace_id: WorkspaceId, since: Mapping[str, int]) -> None:
        key = self._key(workspace_id, _UNNAMED)
        if not since:
            self._client.delete_object(**self._place, Key=key)
        elif next(self._images(self._key(workspace_id)), None) is not None:
            self._client.put_object(**self._place, Key=key, Body=orjson.dumps(since), ContentType="application/json")

    def _check(self) -> str:
        key = f"{self._bucket.prefix}.check"
        self._client.put_object(**self._place, Key=key, Body=b"images")
        body = self._body_or_none(key)
        if body is None or body.read() != b"images":
            raise StorageError("The bucket of the images does not give back what was put into it.")
        next(self._objects(key))
        self._client.delete_object(**self._place, Key=key)
        return f"s3://{self._bucket.name}/{self._bucket.prefix}"


def _client_of(bucket: Bucket) -> Any:
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=_CONNECT_SECONDS,
        read_timeout=_READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
        max_pool_connections=_THREADS,
        # Servers that are not AWS know fewer checksums, and buckets by path alone.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        s3={"addressing_style": "path"} if bucket.endpoint else {},
    )
    session = boto3.session.Session(region_name=bucket.region or None)
    region = session.region_name or "us-east-1"
    return session.client("s3", endpoint_url=bucket.endpoint or None, region_name=region, config=config)


def _or_storage_error(work: Callable[[], Result]) -> Result:
    """What the work gives; what the bucket says instead is told by its code alone, which holds no secret."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        return work()
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", ""))
        raise StorageError(f"The bucket of the images refused what was asked: {code[:64]}.") from None
    except BotoCoreError as error:
        raise StorageError(f"The bucket of the images did not answer: {type(error).__name__}.") from None
