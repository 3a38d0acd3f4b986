"""The MCP endpoint, the metadata that names the issuer whose tokens are accepted there (RFC 9728), and the skill."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from draftsmith.access.actions import Action
from draftsmith.api.context import Ctx, context_of
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms.responses import json_response
from draftsmith.api.http.agent_endpoint import HandedOn
from draftsmith.api.http.proxies import base_of
from draftsmith.errors import DraftsmithError

PATH = "/mcp"
METADATA = "/.well-known/oauth-protected-resource"
router = APIRouter(route_class=Route, include_in_schema=False)


@router.post(PATH, dependencies=[requires(Action.AGENT)])
async def serve_agent(context: Ctx) -> Response:
    """Answer one message of an agent."""
    return HandedOn(await context.agent_endpoint.open())


@router.get(PATH, dependencies=[requires(Action.PUBLIC)])
async def refuse_stream() -> Response:
    """Refuse a stream that nothing would end: there are no sessions here."""
    raise DraftsmithError("method_not_allowed", "This address takes POST.")


@router.delete(PATH, dependencies=[requires(Action.PUBLIC)])
async def refuse_end() -> Response:
    """Refuse to end a session: there are none."""
    raise DraftsmithError("method_not_allowed", "This address takes POST.")


@router.get(f"{PATH}/SKILL.md", dependencies=[requires(Action.PUBLIC)])
async def skill(context: Ctx) -> Response:
    """Answer with the skill file that teaches an agent the work; it holds nothing of this installation."""
    return PlainTextResponse(context.agents.texts.skill, media_type="text/markdown")


@router.get(METADATA, dependencies=[requires(Action.PUBLIC)])
async def protected_resource(request: Request, context: Ctx) -> Response:
    """Say which issuer's tokens are accepted here."""
    return _metadata(request, context.issuer)


@router.get(f"{METADATA}{PATH}", dependencies=[requires(Action.PUBLIC)])
async def protected_resource_at_path(request: Request, context: Ctx) -> Response:
    """The same, where the standard looks for it."""
    return _metadata(request, context.issuer)


def challenge(request: Request) -> str:
    """What a refused credential is answered with (RFC 6750), for agents with the place of the metadata."""
    if request.scope["path"] != PATH or context_of(request).issuer is None:
        return "Bearer"
    return f'Bearer resource_metadata="{base_of(request)}{METADATA}{PATH}"'


def _metadata(request: Request, issuer: str | None) -> Response:
    if issuer is None:
        raise DraftsmithError("not_found", "No issuer of tokens is configured here; agents come with a key.")
    return json_response(
        {
            "resource": f"{base_of(request)}{PATH}",
            "authorization_servers": [issuer],
            "bearer_methods_supported": ["header"],
            "resource_name": "Draftsmith",
        }
    )
