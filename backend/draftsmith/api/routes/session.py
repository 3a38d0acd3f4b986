"""The caller: profile of the browser, name, sessions; and the templates that a workspace can start from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.records import BrowserSession, hash_of
from draftsmith.api.access.cookies import color_of, guest
from draftsmith.api.access.gate import AuthorizedCaller, local_principal
from draftsmith.api.context import API, Context, Ctx, Me, Who
from draftsmith.api.contract.describing import examples
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import access_answers, answers, schemas
from draftsmith.api.forms.responses import json_response
from draftsmith.api.http.proxies import address_of, base_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.times import iso
from draftsmith.usecases.access import keys, people, sessions
from draftsmith.usecases.access.dependencies import Asking

router = APIRouter(route_class=Route, prefix=API, tags=["session"])


def me_of(context: Context, entered: AuthorizedCaller, actor: Actor | None = None) -> answers.MeOut:
    """Who one is, as JSON; `actor` where that has just changed."""
    principal, named = entered.principal, actor or entered.principal.actor
    is_local = context.gate.mode == "local"
    sign_in = context.access.sign_in
    return {
        **named.to_json(),
        "color": color_of(named),
        "mode": context.gate.mode,
        "signed_in": principal.is_signed_in and not is_local,
        "is_admin": principal.is_admin,
        "sign_in": {"issuer": None if is_local or sign_in is None else sign_in.name},
    }


@router.get("/me", dependencies=[requires(Action.SIGN_IN)], response_model=answers.MeOut)
async def get_me(context: Ctx, entered: Who) -> Response:
    """Say who is asking: a person who is signed in, a key, a browser profile; `local:api` or `nobody` for no one."""
    return json_response(me_of(context, entered))


@router.patch("/me", dependencies=[requires(Action.SELF)], response_model=answers.MeOut)
async def rename_me(
    body: Annotated[schemas.MeBody, examples(name={"name": "Ada"})],
    request: Request,
    context: Ctx,
    actor: Me,
    entered: Who,
) -> Response:
    """Give oneself another name; for people and browser profiles."""
    if entered.principal.kind == "user":
        await people.rename(context.access, actor.id, body.name)
    elif actor.kind != "person" or entered.principal.kind == "delegate":
        raise DraftsmithError(
            "forbidden", "Only a browser profile has a name to change; POST /api/v1/session makes one."
        )
    renamed = Actor(actor.id, body.name, "person")
    context.live.rename(renamed)
    if entered.principal.kind == "user":
        return json_response(me_of(context, entered, renamed))
    return _profile(request, context, entered, renamed)


@router.post("/session", dependencies=[requires(Action.SIGN_IN)], response_model=answers.MeOut, status_code=201)
async def start_session(body: schemas.EmptyBody, request: Request, context: Ctx, actor: Me, entered: Who) -> Response:
    """Make this browser a profile of its own, unless it is one."""
    profile = context.profiles.profile(request)
    known = guest(context.clock.new_id()) if profile is None else profile.actor
    return _profile(request, context, entered, known, 201)


@router.delete(
    "/session",
    dependencies=[requires(Action.SIGN_IN)],
    status_code=204,
    responses={200: {"model": access_answers.SignedOut, "description": "To sign out at the issuer too, go there."}},
)
async def end_session(request: Request, context: Ctx) -> Response:
    """Sign out in this browser, and forget its profile; what it did stays in the history.

    In local mode the keys of the profile end with it.
    """
    url, secret = None, request.cookies.get(context.profiles.session_cookie)
    profile = context.profiles.profile(request)
    if context.gate.mode == "local" and profile is not None:
        principal = local_principal(profile.actor)
        await keys.revoke_all(context.access, Asking(principal, address_of(request)))
    if context.gate.mode == "token" and secret is not None:
        session = await sessions.end(context.access, secret)
        if session is not None and context.access.sign_in is not None:
            url = await context.access.sign_in.sign_out_url(f"{base_of(request)}/")
    done = Response(status_code=204) if url is None else json_response(access_answers.SignedOut(url=url))
    context.profiles.sign_out(done)
    context.profiles.forget(request, done)
    return done


@router.get("/sessions", dependencies=[requires(Action.SELF_READ)], response_model=access_answers.SessionList)
async def list_sessions(request: Request, context: Ctx, actor: Me) -> Response:
    """List the browsers in which one is signed in."""
    secret = request.cookies.get(context.profiles.session_cookie)
    current = None if secret is None else await context.access.stores.sessions.read(hash_of(secret))
    found = [] if context.gate.mode == "local" else await context.access.stores.sessions.of_user(actor.id)
    items = [_session(one, current) for one in found]
    return json_response(access_answers.SessionList(items=items, next_cursor=None))


@router.delete("/sessions", dependencies=[requires(Action.SELF)], status_code=204)
async def end_sessions(context: Ctx, entered: Who) -> Response:
    """Sign out everywhere."""
    await sessions.end_all(context.access, entered.asking)
    done = Response(status_code=204)
    context.profiles.sign_out(done)
    return done


@router.delete("/sessions/{session_id}", dependencies=[requires(Action.SELF)], status_code=204)
async def end_other_session(session_id: Annotated[str, Path(max_length=64)], context: Ctx, entered: Who) -> Response:
    """Sign out in one other browser."""
    await sessions.end_one(context.access, entered.asking, session_id)
    return Response(status_code=204)


def _session(session: BrowserSession, current: BrowserSession | None) -> access_answers.SessionOut:
    return {
        "id": session.id,
        "device": session.device,
        "created_at": iso(session.created_ms),
        "until": iso(session.until_ms),
        "current": current is not None and current.id == session.id,
    }


def _profile(
    request: Request, context: Context, entered: AuthorizedCaller, actor: Actor, status: int = 200
) -> Response:
    profile = context.profiles.profile(request)
    links = None if profile is None else profile.links
    is_profile = context.gate.mode == "local" or entered.principal.kind == "guest"
    response = json_response(me_of(context, entered, actor if is_profile else None), status)
    context.profiles.remember(response, actor, secure=request.url.scheme == "https", links=links)
    return response


@router.get("/templates", dependencies=[requires(Action.LIST)], response_model=answers.TemplateList)
async def list_templates(context: Ctx) -> Response:
    """List what a workspace can start from."""
    items = [_template(template) for template in context.templates()]
    return json_response(answers.TemplateList(items=items, next_cursor=None))


def _template(template: Mapping[str, Any]) -> answers.TemplateOut:
    return {
        "id": template["id"],
        "name": template["name"],
        "description": template["description"],
        "nodes": template["nodes"],
        "edges": template["edges"],
    }
