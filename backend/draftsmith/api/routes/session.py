"""Who one is, and what there is to start from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api import answers, schemas
from draftsmith.api.auth import color_of, guest
from draftsmith.api.context import API, Context, Ctx, Me
from draftsmith.api.reading import read_body, takes
from draftsmith.api.responses import json_response
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor

router = APIRouter(prefix=API, tags=["session"])


def _me(actor: Actor) -> answers.MeOut:
    return {**actor.to_json(), "color": color_of(actor)}


@router.get("/me", response_model=answers.MeOut)
async def get_me(actor: Me) -> Response:
    """Say who is asking: a browser profile, or `local:api`."""
    return json_response(_me(actor))


@router.patch("/me", response_model=answers.MeOut, openapi_extra=takes(schemas.MeBody))
async def rename_me(request: Request, context: Ctx, actor: Me) -> Response:
    """Give oneself another name; for browser profiles."""
    body = await read_body(request, schemas.MeBody)
    if actor.kind != "person":
        raise DraftsmithError(
            "forbidden", "Only a browser profile has a name to change; POST /api/v1/session makes one."
        )
    renamed = Actor(actor.id, body.name, "person")
    context.live.rename(renamed)
    return _profile(request, context, renamed)


@router.post("/session", response_model=answers.MeOut, status_code=201, openapi_extra=takes(schemas.EmptyBody))
async def start_session(request: Request, context: Ctx, actor: Me) -> Response:
    """Make this browser a profile of its own, unless it is one."""
    await read_body(request, schemas.EmptyBody)
    known = actor if actor.kind == "person" else guest(context.clock.new_id())
    return _profile(request, context, known, 201)


@router.delete("/session", status_code=204)
async def end_session(request: Request, context: Ctx) -> Response:
    """Forget this browser's profile; what it did stays in the history."""
    done = Response(status_code=204)
    context.profiles.forget(request, done)
    return done


def _profile(request: Request, context: Context, actor: Actor, status: int = 200) -> Response:
    response = json_response(_me(actor), status)
    context.profiles.remember(response, actor, secure=request.url.scheme == "https")
    return response


@router.get("/templates", response_model=answers.TemplateList)
async def list_templates(context: Ctx) -> Response:
    """List what a workspace can start from."""
    items = [_template(template) for template in context.templates()]
    return json_response(answers.TemplateList(items=items, next_cursor=None))


def _template(given: Mapping[str, Any]) -> answers.TemplateOut:
    return {
        "id": given["id"],
        "name": given["name"],
        "description": given["description"],
        "nodes": given["nodes"],
        "edges": given["edges"],
    }
