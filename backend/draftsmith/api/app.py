"""The HTTP application: its routes, the handlers of their errors, and the guard around them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Scope

from draftsmith.api.access.cookies import SCRIPT
from draftsmith.api.context import API
from draftsmith.api.contract.openapi import openapi_of
from draftsmith.api.forms.problems import problem_response
from draftsmith.api.forms.reading import invalid_parameters
from draftsmith.api.http.bodies import Bodies, BodyLimits
from draftsmith.api.http.failures import Application
from draftsmith.api.http.guard import Guard
from draftsmith.api.http.other_origins import OtherOrigins
from draftsmith.api.http.proxies import behind_proxy
from draftsmith.api.routes import (
    agents,
    assistant,
    contents,
    docs,
    elements,
    events,
    folders,
    health,
    history,
    images,
    keys,
    live,
    pages,
    patterns,
    pictures,
    plugins,
    proposals,
    roles,
    runs,
    session,
    shares,
    sign_in,
    workloads,
    workspaces,
    writes,
)
from draftsmith.errors import DraftsmithError

# Routes are tried in this order; batches are asked for most.
API_ROUTERS = (
    writes.router,
    runs.router,
    events.router,  # before the history, which would take its address for that of a commit
    history.router,
    workspaces.router,
    contents.router,
    pictures.router,
    images.router,
    elements.router,
    proposals.router,
    patterns.router,
    workloads.router,
    assistant.router,
    plugins.router,
    live.router,
    session.router,
    sign_in.router,
    roles.router,
    shares.router,
    folders.router,
    keys.router,
)
ROOT_ROUTERS = (agents.router, health.router, docs.router, pages.router, live.last)
_TAGS = [
    {"name": "session", "description": "Who one is, and what there is to start from."},
    {"name": "workspaces", "description": "The lives of workspaces: list, create, rename, trash and back."},
    {"name": "writing", "description": "The one door, batches, and sugar for small ones. Writes are JSON."},
    {"name": "reading", "description": "What a workspace holds. Reads carry the revision as their ETag."},
    {"name": "images", "description": "Images that a document or a node refers to, by the hash of their bytes."},
    {"name": "history", "description": "Commits, old revisions, checkpoints, undo and redo."},
    {
        "name": "assistant",
        "description": "Requests to the assistant, what it proposes, who answers. See docs/assistant.md.",
    },
    {"name": "workloads", "description": "What runs, compared with what is designed. See docs/what-runs.md."},
    {"name": "live", "description": "What pages do at the same time, over a WebSocket. See docs/protocol.md."},
    {"name": "access", "description": "Who may what: members, share links, keys, people, audit. See docs/security.md."},
    {"name": "folders", "description": "Folders of workspaces, whose roles hold in all that lies in them."},
    {"name": "operating", "description": "Whether this process lives and can serve."},
]
GONE = 499
"""The status, in the log and in the metrics, of a request whose client has left before it was complete."""

_log = structlog.get_logger("draftsmith.http")


def build_app(version: str, lifespan: Any, root: str = "") -> FastAPI:
    """Put the routes together; `lifespan` provides `app.state.context`."""
    app = Application(
        title="Draftsmith",
        version=version,
        description="One atomic, undoable transaction over an architecture diagram and its design document.",
        lifespan=lifespan,
        openapi_url=f"{API}/openapi.json",
        openapi_tags=_TAGS,
        docs_url=None,  # FastAPI's page loads its scripts from another origin; ours is in `routes.docs`
        redoc_url=None,
    )
    for router in (*API_ROUTERS, *ROOT_ROUTERS):
        app.router.routes.extend(router.routes)  # `include_router` makes each route a second time, and a detour to it
    app.add_exception_handler(DraftsmithError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(ClientDisconnect, _on_gone)
    app.add_exception_handler(Exception, _on_defect)
    app.openapi = lambda: openapi_of(app, root)  # type: ignore[method-assign]  # the documented way to extend the schema
    return app


@dataclass(frozen=True, kw_only=True)
class NetworkOptions:
    """How the application is reached.

    Attributes:
        hosts: names that it answers to besides loopback ones.
        metrics_by_address: whether metrics are read by any address, too.
        origins: other origins whose pages may call it.
        proxies: addresses and networks of proxies that are believed, separated by commas.
        root: the path below which a proxy serves it; empty for none.
        public: the address that people open; empty for that of each request.
    """

    hosts: Collection[str] = ()
    metrics_by_address: bool = False
    origins: Collection[str] = ()
    proxies: str = ""
    root: str = ""
    public: str = ""


def add_guard(
    app: FastAPI, around: NetworkOptions, *, bodies: BodyLimits, log_requests: bool, after_request: Any
) -> ASGIApp:
    """The application behind its guard."""
    held = Bodies(bodies, partial(client_of, app))
    guard = Guard(
        app,
        bodies=held,
        hosts=around.hosts,
        metrics_by_address=around.metrics_by_address,
        log_requests=log_requests,
        after_request=after_request,
    )
    outer = OtherOrigins(guard, around.origins, methods_at)
    return behind_proxy(outer, trusted=around.proxies, root=around.root, public=around.public)


def client_of(app: FastAPI, scope: Scope) -> str:
    """Whose request it is: the profile that a cookie proves in local mode, else the address it comes from."""
    context = app.state.context
    # In token mode nothing is proved yet when a body arrives, so the address alone counts.
    actor = SCRIPT if context.gate.mode == "token" else context.profiles.actor(HTTPConnection(scope))
    return actor.id if actor is not SCRIPT else f"address {(scope.get('client') or ('',))[0]}"


def _id_of(request: Request) -> str:
    return str(getattr(request.state, "request_id", ""))


async def _on_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DraftsmithError)
    response = problem_response(error, _id_of(request))
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = agents.challenge(request)
    return response


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem_response(invalid_parameters(error.errors()), _id_of(request))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        return _other_method(request)
    code = "not_found" if error.status_code == 404 else "invalid_request"
    return problem_response(DraftsmithError(code, str(error.detail)), _id_of(request))


def _other_method(request: Request) -> Response:
    """The answer where no route has both the path and the method: 404, 405, or what OPTIONS asks for."""
    path = request.scope["path"]
    allowed = methods_at(path)
    if not allowed:
        return problem_response(DraftsmithError("not_found", "There is no such address; see /docs."), _id_of(request))
    allow = ", ".join(sorted({*allowed, "OPTIONS", *(["HEAD"] if "GET" in allowed else [])}))
    if request.method == "OPTIONS":  # without CORS headers, which named origins get in OtherOrigins
        return Response(status_code=204, headers={"Allow": allow})
    problem = DraftsmithError("method_not_allowed", f"This address takes {allow}.")
    response = problem_response(problem, _id_of(request))
    response.headers["Allow"] = allow
    return response


def methods_at(path: str) -> set[str]:
    """The methods that have a route at a path."""
    routers = API_ROUTERS if path.startswith("/api/") else ROOT_ROUTERS  # the pages' last route matches every path
    routes = [route for router in routers for route in router.routes if isinstance(route, Route)]
    return {method for route in routes if route.path_regex.match(path) for method in route.methods or ()}


async def _on_gone(request: Request, error: Exception) -> Response:
    """The client has left in the middle of its request: nothing was done, and nobody reads the answer."""
    return Response(status_code=GONE)


async def _on_defect(request: Request, error: Exception) -> Response:
    _log.error("defect", request_id=_id_of(request), exc_info=error)
    message = "Something went wrong here; the request id names it in the server's log."
    return problem_response(DraftsmithError("internal", message), _id_of(request))
