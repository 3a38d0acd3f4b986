"""The one policy: may this principal do this, in a workspace or a folder where they have this role?"""

from __future__ import annotations

from draftsmith.access.actions import Action
from draftsmith.access.folders import folder_not_found
from draftsmith.access.principal import Principal
from draftsmith.access.roles import Role, is_at_least
from draftsmith.errors import DraftsmithError


def refusal(principal: Principal, action: Action, role: Role | None = None) -> DraftsmithError | None:
    """Why not; None where they may.

    Args:
        principal: who asks.
        action: what they ask.
        role: their role in the workspace or the folder; None for none, or where neither is asked.

    Returns:
        `unauthorized` for who has shown no credential; `workspace_not_found` or `folder_not_found` for who may not
        know that it is there; `forbidden` for too small a role.
    """
    needs = action.value
    if principal.kind == "local" and principal.limit is None:
        return None
    if needs.role is not None:
        if not principal.is_known:
            return _unauthorized_error()
        if role is None:
            return folder_not_found() if needs.of == "folder" else _workspace_not_found()
        if is_at_least(role, needs.role):
            return None
        return DraftsmithError(
            "forbidden", f"As {role} of this {needs.of} one may not {needs.says}; that takes the role {needs.role}."
        )
    if needs.who == "anybody":
        return None
    if not principal.is_known:
        return _unauthorized_error()
    if principal.limit is not None and not (needs.limit and is_at_least(principal.limit, needs.limit)):
        return DraftsmithError(
            "forbidden", f"This key is limited to the role {principal.limit}; with it one may not {needs.says}."
        )
    if needs.who == "known":
        return None
    if needs.who == "signed_in":
        return None if principal.is_signed_in else DraftsmithError("forbidden", f"To {needs.says}, sign in.")
    if principal.is_admin:
        return None
    return DraftsmithError("forbidden", f"Only administrators of this installation may {needs.says}.")


def check(principal: Principal, action: Action, role: Role | None = None) -> None:
    """Refuse what may not be.

    Raises:
        DraftsmithError: as `refusal`.
    """
    found = refusal(principal, action, role)
    if found is not None:
        raise found


def _unauthorized_error() -> DraftsmithError:
    return DraftsmithError("unauthorized", "Sign in, open a share link, or send a key: Authorization: Bearer <key>.")


def _workspace_not_found() -> DraftsmithError:
    return DraftsmithError("workspace_not_found", "There is no such workspace.")
