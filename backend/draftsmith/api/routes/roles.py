"""Who may what in a workspace or in a folder: members, groups, everybody, ownership, audit. One router for both."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.folders import Folder, FolderId, role_in
from draftsmith.access.roles import Role
from draftsmith.access.workspace_access import WorkspaceAccess
from draftsmith.api.access.gate import AuthorizedCaller
from draftsmith.api.context import API, Ctx, Who
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import access_answers as answers
from draftsmith.api.forms.access_schemas import AccessBody, FolderAccessBody, RoleBody, TransferBody
from draftsmith.api.forms.responses import json_response
from draftsmith.api.shared.audit_answers import AUDIT_RESPONSES, audit_response
from draftsmith.api.shared.given_roles import TOKEN_MODE, given_by, inherited_of
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access import members
from draftsmith.usecases.access.role_records import FolderRoles, RoleRecord, WorkspaceRoles

router = APIRouter(route_class=Route, prefix=API)
_W: Final = "/workspaces/{w}"
_F: Final = "/folders/{f}"
_READ_W: Final[Any] = {
    "tags": ["access"], "dependencies": [requires(Action.ACCESS_READ)], "response_model": answers.AccessOut
}  # fmt: skip
_READ_F: Final[Any] = {
    "tags": ["folders"], "dependencies": [requires(Action.FOLDER_READ)], "response_model": answers.FolderAccessOut
}  # fmt: skip
_CHANGE_W: Final[Any] = {**_READ_W, "dependencies": [requires(Action.ACCESS_WRITE), TOKEN_MODE]}
_CHANGE_F: Final[Any] = {**_READ_F, "dependencies": [requires(Action.FOLDER_OWN), TOKEN_MODE]}
Named = Annotated[str, Path(max_length=200)]


async def _record(request: Request, context: Ctx, entered: Who) -> RoleRecord[Any]:
    path = request.path_params
    if "w" in path:
        return WorkspaceRoles(context.access, entered.asking, WorkspaceId(path["w"]))
    return FolderRoles(context.access, entered.asking, FolderId(path["f"]))


Record = Annotated[RoleRecord[Any], Depends(_record)]
"""The roles of the workspace or the folder that the path names."""


@router.get(f"{_W}/access", name="get_access", description="Say who may what in a workspace.", **_READ_W)
@router.get(
    f"{_F}/access",
    name="get_folder_access",
    description="Say who may what in a folder, and so in all that lies in it.",
    **_READ_F,
)
async def get_access(record: Record, context: Ctx, entered: Who) -> Response:
    """Say who may what."""
    role = entered.role or "viewer"
    if not isinstance(record, WorkspaceRoles):
        return _answer(entered.folders[0], role, entered)
    is_local = context.gate.mode == "local"
    access = WorkspaceAccess() if is_local else await members.read(context.access, record.workspace_id)
    return _answer(access, role, entered)


@router.patch(f"{_W}/access", **_CHANGE_W)
async def change_access(body: AccessBody, record: Record, entered: Who) -> Response:
    """Give everybody who is signed in a role, or none; let readers see what others asked the assistant, or not."""
    return _answer(await members.set_options(record, body.model_dump(exclude_unset=True)), "owner", entered)


@router.patch(f"{_F}/access", **_CHANGE_F)
async def change_folder_access(body: FolderAccessBody, record: Record, entered: Who) -> Response:
    """Give everybody who is signed in a role in a folder, or none."""
    return _answer(await members.set_options(record, {"everyone": body.everyone}), "owner", entered)


@router.put(f"{_W}/members/{{principal:path}}", name="set_member", description="Give somebody a role.", **_CHANGE_W)
@router.put(
    f"{_F}/members/{{principal:path}}",
    name="set_folder_member",
    description="Give somebody a role in a folder.",
    **_CHANGE_F,
)
async def set_member(principal: Named, body: RoleBody, record: Record, entered: Who) -> Response:
    """Give somebody a role."""
    return _answer(await members.set_member(record, principal, body.role), "owner", entered)


@router.delete(
    f"{_W}/members/{{principal:path}}", name="remove_member", description="Take somebody's role away.", **_CHANGE_W
)
@router.delete(
    f"{_F}/members/{{principal:path}}",
    name="remove_folder_member",
    description="Take somebody's role in a folder away; what they have open in it is closed at once.",
    **_CHANGE_F,
)
async def remove_member(principal: Named, record: Record, entered: Who) -> Response:
    """Take somebody's role away."""
    return _answer(await members.drop_member(record, principal), "owner", entered)


@router.put(
    f"{_W}/groups/{{group}}",
    name="set_group",
    description="Give a group, as the issuer names it, a role.",
    **_CHANGE_W,
)
@router.put(
    f"{_F}/groups/{{group}}",
    name="set_folder_group",
    description="Give a group, as the issuer names it, a role in a folder.",
    **_CHANGE_F,
)
async def set_group(group: Named, body: RoleBody, record: Record, entered: Who) -> Response:
    """Give a group a role."""
    return _answer(await members.set_group(record, group, body.role), "owner", entered)


@router.delete(f"{_W}/groups/{{group}}", name="remove_group", description="Take a group's role away.", **_CHANGE_W)
@router.delete(
    f"{_F}/groups/{{group}}",
    name="remove_folder_group",
    description="Take a group's role in a folder away.",
    **_CHANGE_F,
)
async def remove_group(group: Named, record: Record, entered: Who) -> Response:
    """Take a group's role away."""
    return _answer(await members.set_group(record, group, None), "owner", entered)


@router.post(
    f"{_W}/transfer",
    name="transfer",
    description="Make somebody else the owner; who was it stays as an editor.",
    **_CHANGE_W,
)
@router.post(
    f"{_F}/transfer",
    name="transfer_folder",
    description="Make somebody else the owner of a folder; who was it stays as an editor.",
    **_CHANGE_F,
)
async def transfer(body: TransferBody, record: Record, context: Ctx, entered: Who) -> Response:
    """Make somebody else the owner."""
    after = await members.transfer(record, body.to)
    if isinstance(record, WorkspaceRoles):
        [role] = await context.gate.roles(entered, [record.workspace_id])
    else:
        role = role_in(entered.principal, await context.access.stores.folders.chain(after.id))
    return _answer(after, role or "viewer", entered)


@router.get(
    f"{_W}/audit",
    name="get_workspace_audit",
    description="List who changed who may what here, newest first; as JSON lines for `Accept: application/x-ndjson`.",
    tags=["access"],
    dependencies=[requires(Action.AUDIT_READ)],
    response_model=answers.AuditList,
    responses=AUDIT_RESPONSES,
)
@router.get(
    f"{_F}/audit",
    name="get_folder_audit",
    description="List who changed a folder and who may what in it, newest first; as JSON lines like that of a "
    "workspace.",
    tags=["folders"],
    dependencies=[requires(Action.FOLDER_OWN)],
    response_model=answers.AuditList,
    responses=AUDIT_RESPONSES,
)
async def get_audit_of(
    request: Request,
    context: Ctx,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
) -> Response:
    """List who changed who may what."""
    path = request.path_params
    return await audit_response(request, context, path.get("w"), cursor, limit, path.get("f"))


def _answer(record: WorkspaceAccess | Folder, role: Role, entered: AuthorizedCaller) -> Response:
    """What a record gives, and beside it the folders around: those of a folder come after itself."""
    if isinstance(record, Folder):
        inherited = inherited_of(entered.principal, entered.folders[1:])
        return json_response(answers.FolderAccessOut(**given_by(record), role=role, inherited=inherited))
    inherited = inherited_of(entered.principal, entered.folders)
    shows_runs = record.shows_runs
    return json_response(answers.AccessOut(**given_by(record), role=role, shows_runs=shows_runs, inherited=inherited))
