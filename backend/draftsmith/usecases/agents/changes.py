"""Which of some resources of a workspace have changed, as commits come, from whatever worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Any, Final

import orjson

from draftsmith.agents.resources import Resource, fingerprints
from draftsmith.errors import DraftsmithError
from draftsmith.history.record import Record
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Clock
from draftsmith.usecases.commits.workspaces import Workspaces

QUIET_S: Final = 1.0
"""Seconds between two reports about one workspace at least; what changes meanwhile is in the next one."""
_ANEW: Final = ("stale_base", "trimmed")

Follow = Callable[[WorkspaceId], AsyncGenerator[Any, None]]
Told = Callable[[Sequence[Resource]], None]


class ResourceWatcher:
    """Reports which resources of one workspace have changed."""

    def __init__(self, workspaces: Workspaces, clock: Clock, follow: Follow, watched: Sequence[Resource]) -> None:
        """Prepare.

        Args:
            workspaces: to read from.
            clock: paces reports.
            follow: the commits of a workspace as they come, and None first (`Live.follow`).
            watched: of one workspace.
        """
        self._workspaces, self._clock, self._follow = workspaces, clock, follow
        self._watched = list(watched)
        self._workspace_id = WorkspaceId(self._watched[0].workspace)
        self._versions: Mapping[Resource, str] = {}
        self._suspects: set[Resource] = set()
        self._news = asyncio.Event()

    async def run(self, ready: asyncio.Event, notify: Told) -> None:
        """Report until cancelled, or until the workspace can no longer be followed.

        Args:
            ready: set when nothing that changes from then on is missed.
            notify: called with what has changed.

        Raises:
            DraftsmithError: `workspace_not_found`; as reads.
        """
        following = asyncio.create_task(self._listen(ready), name=f"changes of {self._workspace_id}")
        try:
            while not following.done():
                waiting = asyncio.create_task(self._news.wait())
                try:
                    await asyncio.wait({waiting, following}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    waiting.cancel()
                if self._news.is_set():
                    self._news.clear()
                    suspects, self._suspects = self._suspects, set()
                    changed = await self._changed_resources(suspects)
                    if changed:
                        notify(changed)
                        await self._clock.sleep(QUIET_S)
            await following
        finally:
            following.cancel()
            with suppress(asyncio.CancelledError, DraftsmithError):
                await following

    async def _listen(self, ready: asyncio.Event) -> None:
        while True:
            try:
                async with aclosing(self._follow(self._workspace_id)) as commits:
                    await anext(commits)
                    if ready.is_set():  # another history: whatever differs from what was known has changed
                        self._suspect(self._watched)
                    else:
                        self._versions = await self._read(self._watched)
                        ready.set()
                    async for one in commits:
                        if one is not None:
                            self._suspect(touched_resources(self._watched, one[1]))
                    return
            except DraftsmithError as error:
                if error.code not in _ANEW:
                    raise

    def _suspect(self, resources: Sequence[Resource]) -> None:
        if resources:
            self._suspects.update(resources)
            self._news.set()

    async def _changed_resources(self, suspects: set[Resource]) -> list[Resource]:
        now = await self._read([one for one in self._watched if one in suspects])
        changed = [one for one, mark in now.items() if self._versions.get(one) != mark]
        self._versions = {**self._versions, **now}
        return changed

    async def _read(self, resources: Sequence[Resource]) -> dict[Resource, str]:
        wanted = tuple((one.part, one.section) for one in resources)
        _, content = await self._workspaces.compute(self._workspace_id, partial(fingerprints, wanted))
        return dict(zip(resources, orjson.loads(content), strict=True))


def touched_resources(watched: Sequence[Resource], record: Record) -> list[Resource]:
    """The resources that a commit may have changed: of the diagram, of the document, or of both."""
    has_text = record.text_step is not None
    has_other = len(record.steps) > (1 if has_text else 0)
    return [one for one in watched if (has_other if one.part == "diagram" else has_text)]
