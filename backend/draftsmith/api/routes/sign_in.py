"""Signing in: by an administrator's link, or with the issuer, to which and from which a browser is sent."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from draftsmith.access.actions import Action
from draftsmith.access.records import BrowserSession
from draftsmith.api.access.gate import AuthorizedCaller
from draftsmith.api.context import API, Context, Ctx, Who
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import answers
from draftsmith.api.forms.access_schemas import LinkBody
from draftsmith.api.forms.responses import json_response
from draftsmith.api.http.proxies import base_of, is_at_base, root_of
from draftsmith.api.routes.session import me_of
from draftsmith.errors import DraftsmithError
from draftsmith.usecases.access import sessions, sign_in

router = APIRouter(route_class=Route, prefix=API, tags=["session"])
_COOKIE: Final = "draftsmith_sign_in"
_MOST_FIELDS: Final = 20
_BEGIN: Final = f"{API}/sign-in/begin"
_CALLBACK: Final = f"{API}/sign-in/callback"


async def _refuse_local(context: Ctx) -> None:
    if context.gate.mode == "local":
        raise DraftsmithError(
            "local_mode", "This server runs for this machine alone (DRAFTSMITH_MODE=local): nobody signs in."
        )


_TOKEN_MODE: Final[Any] = Depends(_refuse_local)


@router.post("/sign-in/link", dependencies=[requires(Action.SIGN_IN), _TOKEN_MODE], response_model=answers.MeOut)
async def sign_in_by_link(body: LinkBody, request: Request, context: Ctx, entered: Who) -> Response:
    """Sign in with the one-time link of an administrator, which is worth nothing afterwards."""
    try:
        secret, session, _ = await sessions.sign_in_by_link(
            context.access, body.token, body.name, device=_device(request), address=entered.address,
            instead_of=_session_cookie(request, context),
        )  # fmt: skip
    except DraftsmithError:
        await context.gate.count_try(entered)
        raise
    response = json_response(await _me_with(request, context, secret))
    _signed_in(request, response, context, secret, session)
    return response


@router.get("/sign-in/begin", dependencies=[requires(Action.SIGN_IN), _TOKEN_MODE], include_in_schema=False)
async def begin_sign_in(
    request: Request,
    context: Ctx,
    next_: Annotated[str, Query(alias="next", max_length=2_000)] = "/",
    moved: Annotated[bool, Query()] = False,
) -> Response:
    """Send the browser to the issuer, by way of the address that the issuer sends it back to."""
    if not moved and not is_at_base(request):  # the cookie below would not come back; once, whatever proxies make of it
        return RedirectResponse(f"{base_of(request)}{_BEGIN}?{urlencode({'next': next_, 'moved': 1})}", 302)
    begun = await sign_in.begin(context.access, f"{base_of(request)}{_CALLBACK}", next_)
    response = RedirectResponse(begun.url, 302)
    response.set_cookie(
        _COOKIE, begun.cookie, max_age=sign_in.WITHIN_MS // 1000, path=f"{root_of(request)}{_CALLBACK}", httponly=True,
        samesite="lax", secure=request.url.scheme == "https",
    )  # fmt: skip
    return response


@router.get("/sign-in/callback", dependencies=[requires(Action.SIGN_IN), _TOKEN_MODE], include_in_schema=False)
async def finish_sign_in(request: Request, context: Ctx, entered: Who) -> Response:
    """Where the issuer sends the browser back; signs in, and goes on to where it wanted to go."""
    root = root_of(request)
    try:
        done = await sign_in.finish(
            context.access,
            state=request.query_params.get("state", ""),
            cookie=request.cookies.get(_COOKIE, ""),
            query=request.url.query,
            device=_device(request),
            address=entered.address,
            instead_of=_session_cookie(request, context),
        )
    except DraftsmithError as error:
        if error.code == "sign_in_failed":
            await context.gate.count_try(entered)
        response = RedirectResponse(f"{root}/sign-in?failed={error.code}", 302)
    else:
        response = RedirectResponse(f"{root}{done.path}", 302)
        _signed_in(request, response, context, done.cookie, done.session)
    response.delete_cookie(_COOKIE, path=f"{root}{_CALLBACK}")
    return response


@router.post(
    "/sign-in/notice", dependencies=[requires(Action.SIGN_IN), _TOKEN_MODE], status_code=200, include_in_schema=False
)
async def hear_sign_out(request: Request, context: Ctx, entered: Who) -> Response:
    """Hear from the issuer that somebody signed out there (OpenID Connect Back-Channel Logout)."""
    try:
        form = dict(parse_qsl((await request.body()).decode("ascii"), max_num_fields=_MOST_FIELDS))
    except ValueError:
        form = {}
    try:
        await sign_in.hear_sign_out(context.access, form.get("logout_token", ""))
    except DraftsmithError as error:
        if error.code == "sign_in_failed":
            await context.gate.count_try(entered)
        raise
    return Response(status_code=200, headers={"Cache-Control": "no-store"})


def _session_cookie(request: Request, context: Context) -> str | None:
    """The cookie of the session that the browser has; None for none."""
    return request.cookies.get(context.profiles.session_cookie)


def _device(request: Request) -> str:
    """How the browser names itself."""
    return request.headers.get("user-agent", "")


def _signed_in(request: Request, response: Response, context: Context, secret: str, session: BrowserSession) -> None:
    seconds, is_secure = (session.until_ms - session.created_ms) // 1000, request.url.scheme == "https"
    context.profiles.sign_in(response, secret, seconds=seconds, secure=is_secure)


async def _me_with(request: Request, context: Context, secret: str) -> answers.MeOut:
    """Who one is with the session that has just begun."""
    entered: AuthorizedCaller = await context.gate.as_session(request, secret)
    return me_of(context, entered)
