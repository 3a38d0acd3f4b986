"""The HTTP application: routes, the guard around them, and the contract (OpenAPI) they follow."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractAsyncContextManager
from typing import Any

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api import schemas
from draftsmith.api.guard import Guard
from draftsmith.api.problems import problem_response
from draftsmith.api.reading import BODIES, invalid_parameters
from draftsmith.api.routes import health, history, pages, session, workspaces, writes
from draftsmith.errors import DraftsmithError

API = "/api/v1"
_PROBLEM = {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}}
_log = structlog.get_logger("draftsmith.http")


def build_app(version: str, lifespan: Any) -> FastAPI:
    """Put the routes together; `lifespan` provides `app.state.context`."""
    app = FastAPI(
        title="Draftsmith",
        version=version,
        description="One atomic, undoable transaction over an architecture diagram and its design document.",
        lifespan=lifespan,
        openapi_url=f"{API}/openapi.json",
        docs_url="/docs",
        redoc_url=None,
        responses={"4XX": {"description": "A problem", **_PROBLEM}, "5XX": {"description": "A problem", **_PROBLEM}},
    )
    for routes in (session, writes, workspaces, history):
        app.include_router(routes.router, prefix=API)
    app.include_router(health.router)
    app.include_router(pages.router)
    app.add_exception_handler(DraftsmithError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_defect)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]  # the documented way to extend the schema
    return app


def guarded(app: FastAPI, *, max_body: int, hosts: Collection[str], log_requests: bool, after_request: Any) -> Guard:
    """The application behind its guard."""
    return Guard(app, max_body=max_body, hosts=hosts, log_requests=log_requests, after_request=after_request)


Lifespan = AbstractAsyncContextManager[None]


def _id_of(request: Request) -> str:
    return str(getattr(request.state, "request_id", ""))


async def _on_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DraftsmithError)
    return problem_response(error, _id_of(request))


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem_response(invalid_parameters(error.errors()), _id_of(request))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "invalid_request")
    response = problem_response(DraftsmithError(code, str(error.detail)), _id_of(request))
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response


async def _on_defect(request: Request, error: Exception) -> Response:
    _log.error("defect", request_id=_id_of(request), exc_info=error)
    message = "Something went wrong here; the request id names it in the server's log."
    return problem_response(DraftsmithError("internal", message), _id_of(request))


def _openapi(app: FastAPI) -> dict[str, Any]:
    """FastAPI's schema and the bodies that routes read by themselves."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        models: list[Any] = [(model, "validation") for model in BODIES.values()]
        models.append((schemas.ProblemDocument, "serialization"))
        _, extra = models_json_schema(models, ref_template="#/components/schemas/{model}")
        schema.setdefault("components", {}).setdefault("schemas", {}).update(extra.get("$defs", {}))
        app.openapi_schema = schema
    return app.openapi_schema
