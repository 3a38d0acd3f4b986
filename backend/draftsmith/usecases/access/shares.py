"""Share links, which give a role or show a picture: make, list, revoke, open."""

from __future__ import annotations

from contextlib import suppress

from draftsmith.access.records import PICTURE_PREFIX, SHARE_PREFIX, Share, SharedPicture, has_ended, hash_of
from draftsmith.access.roles import Role
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking, new_secret
from draftsmith.usecases.access.standing import opens_now

MOST_SHARES = 200
"""Links of one workspace."""
_HOUR_MS = 3_600_000


async def create(
    needs: AccessDependencies,
    asking: Asking,
    workspace_id: WorkspaceId,
    role: Role,
    hours: int | None,
    picture: SharedPicture | None = None,
) -> tuple[str, Share]:
    """Make a link; its token, which nobody can read again, and what is kept of it.

    Args:
        needs: the ports.
        asking: who makes it.
        workspace_id: of what.
        role: what it gives.
        hours: until it ends; None for never.
        picture: what it shows, in place of giving the role.

    Raises:
        DraftsmithError: `too_many_shares`.
    """
    if len(await needs.stores.shares.all(workspace_id)) >= MOST_SHARES:
        raise DraftsmithError("too_many_shares", f"This workspace has {MOST_SHARES} links; revoke what is not needed.")
    token = new_secret(SHARE_PREFIX if picture is None else PICTURE_PREFIX)
    now_ms, actor = needs.clock.now_ms(), asking.principal.actor
    share = Share(
        needs.clock.new_id(), workspace_id, role, actor.id, actor.name, now_ms,
        until_ms=None if hours is None else now_ms + hours * _HOUR_MS, picture=picture,
    )  # fmt: skip
    await needs.stores.shares.put(hash_of(token), share)
    await needs.note(asking, "share.created", _name_of(share), workspace_id)
    return token, share


async def list_shares(needs: AccessDependencies, workspace_id: WorkspaceId) -> list[Share]:
    """Those of a workspace that have not ended."""
    now_ms = needs.clock.now_ms()
    return [share for share in await needs.stores.shares.all(workspace_id) if not has_ended(share.until_ms, now_ms)]


async def revoke(needs: AccessDependencies, asking: Asking, workspace_id: WorkspaceId, share_id: str) -> None:
    """Revoke a link at once, also where a page is open with it.

    Raises:
        DraftsmithError: `share_not_found`.
    """
    share = await needs.stores.shares.revoke(workspace_id, share_id)
    if share is None:
        raise DraftsmithError("share_not_found", "There is no such link of this workspace.")
    await needs.note(asking, "share.revoked", _name_of(share), workspace_id)
    await needs.tell("workspace", workspace_id)


async def open_share(needs: AccessDependencies, token: str) -> Share:
    """The link that a token is of, which gives a role and has just been used; raises as `_link_of`."""
    return await _link_of(needs, token, SHARE_PREFIX)


async def open_picture(needs: AccessDependencies, token: str) -> tuple[Share, SharedPicture]:
    """The link to a picture that a token is of, which has just been used, and what it shows; raises as `_link_of`."""
    share = await _link_of(needs, token, PICTURE_PREFIX)
    if share.picture is None:
        raise LookupError(f"{share.id} shows no picture")
    return share, share.picture


async def _link_of(needs: AccessDependencies, token: str, prefix: str) -> Share:
    """The link of a token with a prefix.

    Raises:
        DraftsmithError: `share_invalid`, the same for one that is unknown, revoked, expired, or of somebody who may not
            share the workspace any more.
    """
    share = await needs.stores.shares.of_token(hash_of(token)) if token.startswith(prefix) else None
    now_ms = needs.clock.now_ms()
    if share is None or not await opens_now(needs, share):
        raise DraftsmithError(
            "share_invalid",
            "This link opens nothing: it was revoked, has expired, is incomplete, or whose it is may not share now.",
        )
    with suppress(StorageError):  # a store without room, say; who may read does
        await needs.stores.shares.note_use(WorkspaceId(share.workspace_id), share.id, now_ms)
    return share


def _name_of(share: Share) -> str:
    """A link as the audit names it."""
    return f"{share.role if share.picture is None else 'picture'} ({share.id})"
