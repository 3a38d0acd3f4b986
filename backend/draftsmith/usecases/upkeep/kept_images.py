"""Which images stay: those that anything kept of their workspace names, and the others for a day more.

What names an image is looked for where it stands, not counted as edits are made: in the snapshots, the log, the kept
states, the requests to the assistant and the proposals of its workspace, and last in its newest state. Only workspaces
that have images are looked at, and each as far as needed. Copies have images of their own.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass

import orjson
import structlog

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import body_json
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import images_named
from draftsmith.ports import Clock, CommitLog
from draftsmith.ports.blobs import Blobs, StoredImage
from draftsmith.ports.runs import RunStore
from draftsmith.usecases.replicas.log_reader import PAGE, FrozenReplica, load_or_freeze
from draftsmith.usecases.upkeep.retention import DAY_MS

_RUNS = 100
_log = structlog.get_logger("draftsmith.images")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageUpkeep:
    """Removes images that nothing names; `runs` is None where there is no assistant."""

    blobs: Blobs
    log: CommitLog
    clock: Clock
    runs: RunStore | None = None

    async def sweep(self) -> int:
        """Remove what nothing has named for a day, and what is left of workspaces that are gone; how many went."""
        removed = 0
        for workspace_id in await self.blobs.workspaces():
            images = await self.blobs.all(workspace_id)
            if await self.log.meta(workspace_id) is None:
                removed += await self._remove_left_over(workspace_id, images)
            else:
                removed += await self._remove_unnamed_or_nothing(workspace_id, images)
        return removed

    async def remove_all_unnamed(self, workspace_id: WorkspaceId) -> int:
        """Remove at once every image that nothing kept of a workspace names, however young; how many went.

        Raises:
            FrozenReplica: as `named_images`.
        """
        images = await self.blobs.all(workspace_id)
        named = await self.named_images(workspace_id, {image.sha256 for image in images})
        gone = [image for image in images if image.sha256 not in named]
        for image in gone:
            await self.blobs.remove(workspace_id, image.sha256, unless_put_after_ms=image.put_ms)
        return len(gone)

    async def named_images(self, workspace_id: WorkspaceId, among: Collection[str]) -> set[str]:
        """Those of some images that anything kept of a workspace names.

        Raises:
            FrozenReplica: its log cannot be applied; ValueError, zlib.error: something of it is damaged.
        """
        left = set(among)
        if left:
            async for content in self._kept_texts(workspace_id):
                left -= images_named(content)
                if not left:
                    break
        return set(among) - left

    async def _remove_unnamed_or_nothing(self, workspace_id: WorkspaceId, images: list[StoredImage]) -> int:
        """As `_remove_unnamed`; of a workspace that cannot be read nothing, since it may name anything."""
        try:
            return await self._remove_unnamed(workspace_id, images)
        except (FrozenReplica, ValueError, zlib.error) as error:
            reason = str(error)
        except DraftsmithError as error:
            if error.code != "frozen":
                raise
            reason = error.detail
        _log.warning("images_stay", workspace=workspace_id, reason=reason)
        return 0

    async def _remove_unnamed(self, workspace_id: WorkspaceId, images: list[StoredImage]) -> int:
        now, names = self.clock.now_ms(), {image.sha256 for image in images}
        named = await self.named_images(workspace_id, names)
        noted = await self.blobs.unnamed_since(workspace_id)
        since = {name: min(noted.get(name, now), now) for name in sorted(names - named)}
        removed = 0
        for name in [name for name, ms in since.items() if ms <= now - DAY_MS]:
            removed += await self.blobs.remove(workspace_id, name, unless_put_after_ms=now - DAY_MS)
            del since[name]
        if since != noted:
            await self.blobs.note_unnamed(workspace_id, since)
        return removed

    async def _remove_left_over(self, workspace_id: WorkspaceId, images: list[StoredImage]) -> int:
        """What is there of a workspace that is gone, or that was never finished; one may be about to be made."""
        if any(image.put_ms > self.clock.now_ms() - DAY_MS for image in images):
            return 0
        await self.blobs.remove_all(workspace_id)
        return len(images)

    async def _kept_texts(self, workspace_id: WorkspaceId) -> AsyncIterator[bytes]:
        """Everything that is kept of a workspace, as JSON; what most likely names everything comes first."""
        meta = await self.log.meta(workspace_id)
        if meta is None:
            return
        for revision in sorted({meta.snap, meta.snap_prev} - {0}, reverse=True):
            blob = await self.log.snapshot(workspace_id, revision)
            if blob is not None:
                yield blob.content
        after = meta.base
        while page := await self.log.entries(workspace_id, after, meta.head.revision, PAGE):
            for entry in page:
                yield body_json(entry.body)
            after = page[-1].revision
        for revision, _, _ in await self.log.kept_states(workspace_id):
            blob = await self.log.read_kept(workspace_id, revision)
            if blob is not None:
                yield blob.content
        async for content in self._assistant_texts(workspace_id):
            yield content
        yield (await load_or_freeze(self.log, workspace_id)).dump()

    async def _assistant_texts(self, workspace_id: WorkspaceId) -> AsyncIterator[bytes]:
        """What the assistant keeps: requests, what they decided and wrote, what they propose."""
        if self.runs is None:
            return
        before: str | None = None
        while rows := await self.runs.runs(workspace_id, before=before, count=_RUNS):
            for row in rows:
                yield orjson.dumps([row.request, row.outcome])
                yield zlib.decompress(row.staged) if row.staged else b""
                if not row.is_over:
                    events = await self.runs.events(workspace_id, row.id, "0", 10_000)
                    yield orjson.dumps(events)
            before = rows[-1].id
        for proposal in await self.runs.proposals(workspace_id):
            yield zlib.decompress(proposal.content)
