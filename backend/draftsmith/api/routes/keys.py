"""Keys of programs, the people of the installation, and its audit."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.records import ApiKey, User
from draftsmith.api.context import API, Ctx, Who
from draftsmith.api.contract.describing import problems
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import access_answers as answers
from draftsmith.api.forms.access_schemas import ApiKeyBody, UserBody
from draftsmith.api.forms.responses import json_response
from draftsmith.api.forms.schemas import EmptyBody
from draftsmith.api.shared.audit_answers import AUDIT_RESPONSES, audit_response
from draftsmith.history.times import iso, iso_or_none
from draftsmith.usecases.access import keys, people

router = APIRouter(route_class=Route, prefix=API, tags=["access"])
Named = Annotated[str, Path(max_length=200)]


@router.get("/keys", dependencies=[requires(Action.KEYS_READ)], response_model=answers.KeyList)
async def list_keys(context: Ctx, entered: Who) -> Response:
    """List one's own keys, and for administrators those of nobody in particular."""
    found = await keys.list_keys(context.access, entered.asking)
    works = await keys.working(context.access, found)
    items = [_key(key, is_working) for key, is_working in zip(found, works, strict=True)]
    return json_response(answers.KeyList(items=items, next_cursor=None))


@router.post("/keys", dependencies=[requires(Action.KEYS)], response_model=answers.KeyMade, status_code=201)
async def create_key(body: ApiKeyBody, context: Ctx, entered: Who) -> Response:
    """Make a key for a program; it is shown only now."""
    # Only administrators make one that administers, or one of nobody: with `delegate`, or without `personal`.
    secret, key = await keys.create(
        context.access,
        entered.asking,
        name=body.name,
        limit=body.role,
        days=body.expires_in_days,
        is_admin=body.admin,
        is_delegate=body.delegate,
        is_personal=body.personal,
    )
    return json_response(answers.KeyMade(**_key(key), key=secret), 201)


@router.delete("/keys/{key_id}", dependencies=[requires(Action.KEYS)], status_code=204)
async def revoke_key(key_id: Named, context: Ctx, entered: Who) -> Response:
    """Revoke a key; what is open with it is closed at once."""
    await keys.revoke(context.access, entered.asking, key_id)
    return Response(status_code=204)


@router.post(
    "/keys/{key_id}/take-over", dependencies=[requires(Action.PEOPLE)], response_model=answers.KeyMade, status_code=201
)
async def take_over_key(key_id: Named, body: EmptyBody, context: Ctx, entered: Who) -> Response:
    """Take over a key of no person, with a new secret: it works while you administer, and the old secret ends."""
    secret, key = await keys.take_over(context.access, entered.asking, key_id)
    return json_response(answers.KeyMade(**_key(key), key=secret), 201)


@router.get("/users", dependencies=[requires(Action.PEOPLE_READ)], response_model=answers.UserList)
async def list_users(context: Ctx) -> Response:
    """List the people of this installation."""
    found = await context.access.stores.users.all()
    return json_response(answers.UserList(items=[_user(user) for user in found], next_cursor=None))


@router.patch(
    "/users/{user_id}", dependencies=[requires(Action.PEOPLE)], response_model=answers.UserOut, responses=problems(409)
)
async def change_user(user_id: Named, body: UserBody, context: Ctx, entered: Who) -> Response:
    """Make somebody an administrator, or no longer one."""
    return json_response(_user(await people.set_admin(context.access, entered.asking, user_id, body.is_admin)))


@router.delete("/users/{user_id}", dependencies=[requires(Action.PEOPLE)], status_code=204, responses=problems(409))
async def remove_user(user_id: Named, context: Ctx, entered: Who) -> Response:
    """Remove a person: their sessions, keys and links end at once; what they did stays in the history.

    Who signs in as they did is refused until they are let in again.
    """
    await people.remove(context.access, entered.asking, user_id)
    return Response(status_code=204)


@router.get("/removed-users", dependencies=[requires(Action.PEOPLE_READ)], response_model=answers.RemovedUserList)
async def list_removed_users(context: Ctx) -> Response:
    """List who was removed and was not let in again."""
    found = await context.access.stores.users.removed_users()
    items = [answers.RemovedUserOut(id=one.id, name=one.name, removed_at=iso(one.removed_ms)) for one in found]
    return json_response(answers.RemovedUserList(items=items, next_cursor=None))


@router.delete("/removed-users/{user_id}", dependencies=[requires(Action.PEOPLE)], status_code=204)
async def let_user_in(user_id: Named, context: Ctx, entered: Who) -> Response:
    """Let somebody sign in again who was removed; they come as somebody new, with nothing of what they had."""
    await people.let_in(context.access, entered.asking, user_id)
    return Response(status_code=204)


@router.get(
    "/audit", dependencies=[requires(Action.PEOPLE_READ)], response_model=answers.AuditList, responses=AUDIT_RESPONSES
)
async def get_audit(
    request: Request,
    context: Ctx,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
) -> Response:
    """List what was done to people, keys and settings; as JSON lines for `Accept: application/x-ndjson`."""
    return await audit_response(request, context, None, cursor, limit)


def _key(key: ApiKey, works: bool = True) -> answers.KeyItem:
    return {
        "id": key.id,
        "name": key.name,
        "person": key.user_id or None,
        "role": key.limit,
        "delegate": key.is_delegate,
        "admin": key.is_admin,
        "created_at": iso(key.created_ms),
        "until": iso_or_none(key.until_ms),
        "used_at": iso_or_none(key.used_ms),
        "made_by": key.made_by or None,
        "works": works,
    }


def _user(user: User) -> answers.UserOut:
    return {
        "id": user.id,
        "name": user.name,
        "email": user.email,
        "groups": list(user.groups),
        "is_admin": user.is_admin,
        "created_at": iso(user.created_ms),
        "seen_at": iso(user.seen_ms),
    }
