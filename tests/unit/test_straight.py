"""The way to the route of batches past FastAPI answers as the way through it does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp

from draftsmith.api.app import build_app
from draftsmith.api.gated_route import GatedRoute
from draftsmith.api.routes import writes
from draftsmith.api.straight import straight_to
from draftsmith.errors import DraftsmithError
from tests import patient

BATCHES = f"/api/v1/workspaces/{'0' * 26}/batches"


class Gate:
    """Lets nobody pass."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def enter(self, *_: Any) -> None:
        raise self.error


def built(error: Exception) -> FastAPI:
    app = build_app("test", None)
    app.state.context = SimpleNamespace(gate=Gate(error), issuer=None)
    return app


def straight(app: FastAPI) -> ASGIApp:
    [route] = [one for one in writes.router.routes if isinstance(one, GatedRoute) and one.endpoint is writes.post_batch]
    return straight_to(route, app)


async def answer(app: ASGIApp, method: str, path: str) -> tuple[int, str, dict[str, str], str]:
    """What comes back, and what the server is told of."""
    raised = ""

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        nonlocal raised
        try:
            await app(scope, receive, send)
        except Exception as error:
            raised = repr(error)
            raise

    transport = httpx.ASGITransport(noting, raise_app_exceptions=False)
    async with patient.async_client(transport=transport, base_url="http://localhost") as client:
        found = await client.request(method, path, json={})
    return found.status_code, found.text, dict(found.headers), raised


@pytest.mark.parametrize(
    "error, status",
    [
        (DraftsmithError("forbidden", "Not you."), 403),
        (DraftsmithError("unauthorized", "Say who you are."), 401),
        (HTTPException(400, "So not."), 422),
        (ClientDisconnect(), 499),
        (RuntimeError("a defect"), 500),
    ],
)
async def test_what_is_raised_is_answered_alike(error: Exception, status: int) -> None:
    app = built(error)
    there, here = await answer(app, "POST", BATCHES), await answer(straight(app), "POST", BATCHES)
    assert here == there
    assert here[0] == status
    assert bool(here[3]) is (status == 500)


@pytest.mark.parametrize(
    "method, path", [("PUT", BATCHES), ("POST", f"{BATCHES}/"), ("OPTIONS", BATCHES), ("POST", "/api/v1/nothing")]
)
async def test_what_is_not_quite_it_goes_through(method: str, path: str) -> None:
    app = built(DraftsmithError("forbidden", "Not you."))
    there, here = await answer(app, method, path), await answer(straight(app), method, path)
    assert here == there
    assert here[0] in (204, 307, 404, 405)
