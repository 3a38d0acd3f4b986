"""Routes say who may what, and the one layer around them answers what is raised as FastAPI's four do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp

from draftsmith.access.actions import Action
from draftsmith.api.app import build_app
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.http.failures import Failures
from draftsmith.api.routes.assistant import OWN_ORIGIN
from draftsmith.errors import DraftsmithError
from tests import patient

W = f"/api/v1/workspaces/{'0' * 26}"
BATCHES = f"{W}/batches"


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


def with_layers_of_fastapi(error: Exception) -> FastAPI:
    app = built(error)
    app.middleware_stack = FastAPI.build_middleware_stack(app)
    return app


async def answer_of_app(app: ASGIApp, method: str, path: str) -> tuple[int, str, dict[str, str], str]:
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


@pytest.mark.parametrize("method, path", [("POST", BATCHES), ("GET", f"{W}/commits?limit=5"), ("DELETE", W)])
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
async def test_what_is_raised_is_answered_alike(error: Exception, status: int, method: str, path: str) -> None:
    there, here = (
        await answer_of_app(with_layers_of_fastapi(error), method, path),
        await answer_of_app(built(error), method, path),
    )
    assert here == there
    assert here[0] == status
    assert bool(here[3]) is (status == 500)


@pytest.mark.parametrize(
    "method, path", [("PUT", BATCHES), ("POST", f"{BATCHES}/"), ("OPTIONS", BATCHES), ("POST", "/api/v1/nothing")]
)
async def test_what_is_no_route_is_answered_alike(method: str, path: str) -> None:
    error = DraftsmithError("forbidden", "Not you.")
    there, here = (
        await answer_of_app(with_layers_of_fastapi(error), method, path),
        await answer_of_app(built(error), method, path),
    )
    assert here == there
    assert here[0] in (204, 307, 404, 405)


async def test_a_defect_in_the_middle_of_an_answer_is_noted_and_raised(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is sent after it: a client must not take a second answer for the rest of the first."""
    noted: list[Exception] = []

    async def note(_: Any, error: Exception) -> Response:
        noted.append(error)
        return Response(status_code=500)

    async def breaking(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise DraftsmithError("forbidden", "Too late.")

    sent: list[str] = []

    async def send(message: Any) -> None:
        sent.append(message["type"])

    failures = Failures(breaking, {DraftsmithError: note, Exception: note})
    with pytest.raises(DraftsmithError):
        await failures({"type": "http"}, None, send)  # type: ignore[arg-type]  # nothing is received
    assert (len(noted), sent) == (1, ["http.response.start"])


def test_a_route_says_what_may_be_done_there_and_by_whom() -> None:
    """One that does not cannot be registered, so none is open by mistake."""
    router = APIRouter(route_class=Route)

    async def endpoint() -> Response:
        return Response()

    with pytest.raises(LookupError, match=r"requires\("):
        router.get("/open")(endpoint)
    with pytest.raises(LookupError, match=r"requires\("):
        router.get("/open", dependencies=[OWN_ORIGIN])(endpoint)
    router.get("/open", dependencies=[requires(Action.PUBLIC), OWN_ORIGIN])(endpoint)
