"""One page's seat in a room: what it says becomes requests, what is to be said to it becomes frames.

Taking what it says never waits; writes go behind those that wait at the workspace's owner, in the order in which they
came. A defect here ends this connection and no other. Not here: sockets (`api.live`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import structlog

from draftsmith.collab.client_messages import ClientMessage, Hello, Ping, Presence, Resync, Unwatch, Watch, Write
from draftsmith.collab.listener import Listener
from draftsmith.collab.protocol import Ending, Outside, encode, ending
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import RunId
from draftsmith.usecases.commits.identity import identify
from draftsmith.usecases.commits.queue import Answer
from draftsmith.usecases.live.requests import request_of
from draftsmith.usecases.live.room import OpenRoom

_log: Final = structlog.get_logger("draftsmith.live")
_DEFECT: Final = ending("internal", "Something went wrong here; the server's log says what.", 5_000)
_NOT_DONE: Final = DraftsmithError("internal", "Something went wrong here; the server's log says what.")


class Seat:
    """One page."""

    def __init__(self, room: OpenRoom, listener: Listener, get_up: Callable[[], Awaitable[None]]) -> None:
        """Sit down; `get_up` lets go of the room."""
        self._room, self._listener, self._get_up = room, listener, get_up
        self._bell = room.bell_of(listener)
        self._told = room.room
        self._has_left = False

    @property
    def member(self) -> str:
        """Its name in the roster."""
        return self._listener.member

    async def frame(self) -> str | Ending:
        """Wait for the next frame; an ending where the connection is to be closed, whose `bye` has been in a frame."""
        while True:
            await self._bell.wait()
            self._bell.clear()
            if self._listener.has_ended and self._listener.ending is not None:
                self._bell.set()
                return self._listener.ending
            said = self._taken()
            if said is not None:
                return said

    def _taken(self) -> str | None:
        room, listener = self._told, self._listener
        try:
            said = room.take(listener, self._room.world.clock.monotonic())
            is_more = said is not None and (listener.has_ended or room.has_news(listener))
        except Exception:  # noqa: BLE001  # a defect, and it is this page's alone
            _log.exception("frame_failed", workspace=self._room.workspace_id, member=self.member)
            listener.end(_DEFECT)
            listener.has_ended = True
            self._bell.set()
            return f"[{encode(_DEFECT.bye()).decode()}]"
        if is_more:
            self._bell.set()
        return said

    def take(self, message: ClientMessage) -> None:
        """Take what the page says; never waits.

        Raises:
            Outside: it has said hello before.
        """
        if isinstance(message, Hello):
            raise Outside(ending("invalid_message", "a second hello"))
        if self._has_left or self._listener.ending is not None:
            return
        try:
            self._heed(message)
        except Exception:  # noqa: BLE001  # as above
            _log.exception("message_failed", workspace=self._room.workspace_id, member=self.member, kind=message.t)
            self._listener.end(_DEFECT)
            self._bell.set()

    def _heed(self, message: ClientMessage) -> None:
        listener = self._listener
        match message:
            case Presence():
                self._told.roster.move(self.member, message.state.model_dump(exclude_none=True))
                self._room.stir()
            case Ping():
                listener.say(encode({"t": "pong", "n": message.n}))
                self._bell.set()
            case Watch():
                self._room.news.watch(listener, RunId(message.run), message.after)
                self._bell.set()
            case Unwatch():
                self._room.news.unwatch(listener, RunId(message.run))
            case Resync():
                _log.warning("resync_asked", workspace=self._room.workspace_id, member=self.member, why=message.why)
                listener.lacks = listener.lacks or "asked"
                self._bell.set()
            case Hello():
                pass
            case _:
                self._write(message)

    async def leave(self) -> None:
        """Get up; what was written and not answered goes on its way all the same."""
        if not self._has_left:
            self._has_left = True
            self._room.let_go(self._listener)
            await self._get_up()

    # -- writes ------------------------------------------------------------------------------------------------------

    def _write(self, message: Write) -> None:
        world, listener = self._room.world, self._listener
        identity = identify(listener.actor, message.id, world.clock)
        self._told.expect(listener, identity.txid, message.id)
        try:
            request = request_of(message, identity, listener.actor, world.limits)
            answer = world.workspaces.enqueue(self._room.workspace_id, request)
        except DraftsmithError as error:
            self._refuse(identity.txid, error)
        except Exception:  # noqa: BLE001  # a defect in reading this one write
            _log.exception("write_failed", workspace=self._room.workspace_id, batch_id=message.id)
            self._refuse(identity.txid, _NOT_DONE)
        else:
            answer.add_done_callback(partial(self._answered, identity.txid))

    def _answered(self, txid: str, answer: asyncio.Future[Answer]) -> None:
        if self._has_left:
            return
        error = answer.exception()
        if error is None:
            found = answer.result()
            is_coming = self._told.is_coming(self._listener, txid, found["revision"])
            if self._listener.answer(txid, found, is_coming=is_coming):
                self._bell.set()
        elif isinstance(error, DraftsmithError):
            self._refuse(txid, error)
        else:
            _log.error("write_failed", workspace=self._room.workspace_id, exc_info=error)
            self._refuse(txid, _NOT_DONE)

    def _refuse(self, txid: str, error: DraftsmithError) -> None:
        if error.code == "storage_full":
            self._room.was_full()
        if self._listener.refuse(txid, error):
            self._bell.set()
