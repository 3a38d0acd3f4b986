"""The servers that are compared: ours, ours without something that makes it fast, and a floor.

The floor does the least possible: it has the same server, middleware, log settings and checks of the body, and makes
one unbatched compare-and-append a request; it keeps no state but the head and answers with the revision alone.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

import draftsmith.collab.room
import draftsmith.usecases.commits.writer
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.api import schemas
from draftsmith.api.app import guarded
from draftsmith.api.bodies import BodyLimits
from draftsmith.api.reading import checked, read_json
from draftsmith.api.responses import json_response
from draftsmith.collab.connection_state import ConnectionState
from draftsmith.collab.protocol import frame
from draftsmith.history.commit import Draft, Head
from draftsmith.main import create_app
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import Appended
from draftsmith.transform.batch import parse_batch


def ours() -> ASGIApp:
    """Draftsmith as it is."""
    return create_app()


def one_at_a_time() -> ASGIApp:
    """Draftsmith with groups of one."""
    draftsmith.usecases.commits.writer.GROUP_SIZE = 1
    return create_app()


def frame_per_commit() -> ASGIApp:
    """Draftsmith without coalescing: pages are sent each commit at once, in a frame of its own that is made once."""
    together = ConnectionState._commits_frame

    def one(self: ConnectionState) -> str | None:
        commits, start = self._shared.commits, self.position.revision
        commit = commits.at(start + 1)
        if commit is None:
            return together(self)
        self.position = Head(commits.head.epoch, commit.revision, commit.chain)
        if start not in commits._frames:
            commits._frames[start] = frame([commit.commit])
        return commits._frames[start]

    draftsmith.collab.room.TICK_S = 0.0  # type: ignore[misc]  # what is measured is to do without it
    ConnectionState._commits_frame = one  # type: ignore[method-assign]
    return create_app()


def floor() -> ASGIApp:
    """The least that answers such a request durably."""
    heads: dict[str, Head] = {}
    state: dict[str, Any] = {}

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        connection = await connect(os.environ["DRAFTSMITH_STORE_URL"])
        connection.write._scripts = None  # one append a trip
        state["log"] = RedisCommitLog(connection)
        yield
        await connection.close()

    app = FastAPI(lifespan=lifespan)
    limits = WorkspaceLimits()

    @app.post("/api/v1/workspaces/{w}/batches")
    async def post(w: str, request: Request) -> Response:
        body = checked(await read_json(request), schemas.Envelope)
        parse_batch(body.operations, limits)
        log: RedisCommitLog = state["log"]
        if w not in heads:
            meta = await log.meta(w)
            assert meta is not None
            heads[w] = meta.head
        head = heads[w]
        txid = f"{w}{head.revision}"
        draft = Draft(txid, "", "{}", "s", "edit", "", b"j" + orjson.dumps(body.operations))
        outcome = await log.append(w, head, [draft], {}, "floor")
        assert isinstance(outcome, Appended), outcome
        heads[w] = outcome.head
        return json_response({"revision": outcome.head.revision})

    return guarded(app, bodies=BodyLimits(), hosts=[], log_requests=False, after_request=lambda: None)
