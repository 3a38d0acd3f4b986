"""Who somebody is *now*, by what is kept of them: a person, a key, an application or somebody for whom it acts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from draftsmith.access.folders import Folder, role_in
from draftsmith.access.principal import Principal
from draftsmith.access.records import ApiKey, Share, User, has_ended
from draftsmith.access.workspace_access import UNCLAIMED, WorkspaceAccess, role_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.dependencies import AccessDependencies


def person(user: User, credential: str, links: Mapping[WorkspaceId, str] | None = None) -> Principal:
    """A person, with the share links that were opened in their browser."""
    return Principal(
        Actor(user.id, user.name, "person"),
        "user",
        frozenset(user.groups),
        is_admin=user.is_admin,
        links=links or {},
        credential=credential,
    )


def stands(needs: AccessDependencies, key: ApiKey, user: User | None) -> DraftsmithError | None:
    """Why a key works no longer that has not ended; None where it works.

    Args:
        needs: the ports.
        key: a key in token mode.
        user: whose it is, or who made it; None for who is not there (any more).
    """
    if not key.user_id:
        if key.stands_with(user):
            return None
        return _invalid("Who made this key administers no longer; an administrator can take it over.")
    if user is None:
        return _invalid("This key was of somebody who is not here any more.")
    if has_ended(user.vouched_until_ms(needs.issuer_session_ms), needs.clock.now_ms()):
        return DraftsmithError(
            "credential_expired", "Whose key this is has not signed in for too long; once they do, it works again."
        )
    return None


def of_key(key: ApiKey, user: User | None, acts_for: tuple[str, str] | None = None) -> Principal:
    """Whoever shows a key that works: its person, itself, its application, or the person for whom that acts."""
    credential = f"key {key.id}"
    if key.user_id and user is not None:
        return Principal(
            Actor(user.id, user.name, "person"),
            "user",
            frozenset(user.groups),
            is_admin=user.is_admin and key.is_admin,
            limit=key.limit,
            credential=credential,
            credential_name=key.name,
        )
    acts = acts_for if key.is_delegate else None
    actor = Actor(f"key:{key.id}", key.name, "script")
    return Principal(
        actor if acts is None else Actor(f"app:{key.id}/{acts[0]}", acts[1], "person"),
        "key" if acts is None else "delegate",
        is_admin=key.is_admin and not key.is_delegate,
        limit=key.limit,
        application=key.id if key.is_delegate else None,
        credential=credential,
        credential_name=key.name,
        made_by=key.made_by,
    )


async def opens(needs: AccessDependencies, share: Share, record: WorkspaceAccess, folders: Iterable[Folder]) -> bool:
    """Whether a share link opens: it has not ended, and who made it may decide now who may what in the workspace.

    Args:
        needs: the ports.
        share: the link.
        record: of its workspace.
        folders: in which that lies.
    """
    return _does_open(needs, share, await _of_id(needs, share.made_by), record, folders)


def _does_open(
    needs: AccessDependencies,
    share: Share,
    made_by: Principal | None,
    record: WorkspaceAccess,
    folders: Iterable[Folder],
) -> bool:
    if made_by is None or has_ended(share.until_ms, needs.clock.now_ms()):
        return False
    return role_of(made_by, record, inherited=role_in(made_by, folders)) == "owner"


async def opening(needs: AccessDependencies, workspace_id: WorkspaceId, shares: Sequence[Share]) -> list[bool]:
    """Which of several share links of a workspace open."""
    record, makers = await asyncio.gather(
        needs.stores.workspaces.read(workspace_id),
        asyncio.gather(*(_of_id(needs, share.made_by) for share in shares)),
    )
    folders = [] if record is None or record.folder is None else await needs.stores.folders.chain(record.folder)
    return [
        _does_open(needs, share, made_by, record or UNCLAIMED, folders)
        for share, made_by in zip(shares, makers, strict=True)
    ]


async def opens_now(needs: AccessDependencies, share: Share) -> bool:
    """As `opens`, where the workspace was not read yet."""
    [does_open] = await opening(needs, WorkspaceId(share.workspace_id), [share])
    return does_open


async def _of_id(needs: AccessDependencies, principal_id: str) -> Principal | None:
    """Who a principal is; None for who is not here any more, or whose key works no longer."""
    kind, _, id_ = principal_id.partition(":")
    if kind == "user":
        user = await needs.stores.users.read(principal_id)
        return None if user is None else person(user, "")
    key_id, _, acts_for = id_.partition("/")
    found = await needs.stores.keys.look_by_id(key_id)
    if found is None or has_ended(found[0].until_ms, needs.clock.now_ms()) or stands(needs, *found) is not None:
        return None
    return of_key(*found, (acts_for, "") if acts_for else None)


def _invalid(detail: str) -> DraftsmithError:
    return DraftsmithError("credential_invalid", detail)
