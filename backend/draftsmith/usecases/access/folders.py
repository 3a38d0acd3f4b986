"""Folders: make, rename, move, delete, and put workspaces into them.

Folders are written where none has changed since all were read. Which folder a workspace lies in is in its own record,
in another slot; so whoever deletes a folder looks into those records once more afterwards, and whoever puts a workspace
into one looks afterwards whether it is still there: no workspace stays in a folder that is gone. Until then such a
record counts as one of no folder. Not here: who may what in a folder (`members`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from draftsmith.access.folders import MOST_FOLDERS, Folder, FolderId, FolderTree, folder_not_found
from draftsmith.access.workspace_access import UNCLAIMED
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking
from draftsmith.usecases.access.role_records import TRIES, FolderRoles, WorkspaceRoles, busy


async def create(
    needs: AccessDependencies,
    asking: Asking,
    folder_id: FolderId,
    name: str,
    parent: FolderId | None,
    fingerprint: str,
) -> tuple[Folder, bool]:
    """Make a folder; it, and whether it was there already, since this request had come before.

    Args:
        needs: the ports.
        asking: who makes it and owns it; in local mode it belongs to administrators, should there ever be any.
        folder_id: follows from the request, so that a repeat finds it.
        name: how it is called.
        parent: where; None for the top.
        fingerprint: of the request's body.

    Raises:
        DraftsmithError: `folder_not_found` for the parent; `folder_too_deep`; `too_many_folders`; `key_reused`; `busy`.
    """
    actor, is_local = asking.principal.actor, asking.principal.kind == "local"
    for _ in range(TRIES):
        tree = await needs.stores.folders.all()
        known = tree.folders.get(folder_id)
        if known is not None:
            if known.request != fingerprint:
                raise DraftsmithError("key_reused", "This key was used for another request.")
            return known, True
        if len(tree.folders) >= MOST_FOLDERS:
            raise DraftsmithError("too_many_folders", f"There are {MOST_FOLDERS} folders, as many as there may be.")
        tree.check_place(folder_id, parent)
        made = Folder(folder_id, name, parent, created_ms=needs.clock.now_ms(), request=fingerprint)
        if not is_local:
            made = replace(made, owner=actor.id, names={actor.id: actor.name})
        if await needs.stores.folders.write([made], version=tree.version):
            await needs.note(asking, "folder.created", name, folder_id=folder_id)
            return made, False
    raise busy()


class FolderChanges(TypedDict, total=False):
    """What is to change of a folder."""

    name: str
    parent: FolderId | None


async def change(needs: AccessDependencies, asking: Asking, folder_id: FolderId, changes: FolderChanges) -> Folder:
    """Change `name` and `parent` of a folder, as far as given; what lies in it comes along.

    Raises:
        DraftsmithError: `folder_not_found` for it or the parent; `folder_cycle`; `folder_too_deep`; `busy`.
    """

    def change(tree: FolderTree, folder: Folder) -> Folder:
        if "parent" in changes:
            tree.check_place(folder_id, changes["parent"])
        return replace(folder, **changes)

    detail = ", ".join(f"{name}: {value or 'none'}" for name, value in changes.items())
    return await FolderRoles(needs, asking, folder_id).change_in_tree(change, "folder.changed", detail)


async def remove(
    needs: AccessDependencies,
    asking: Asking,
    folder_id: FolderId,
    workspaces: Sequence[WorkspaceId],
    trashed: Sequence[WorkspaceId],
    *,
    moves_up: bool,
) -> None:
    """Delete a folder; what lies in it moves to where it lay, if that is asked for.

    Args:
        needs: the ports.
        asking: who deletes it.
        folder_id: which.
        workspaces: all of the installation that are not in the trash.
        trashed: those in the trash; they move up in any case.
        moves_up: whether it may have something in it.

    Raises:
        DraftsmithError: `folder_not_found`; `folder_not_empty`; `busy`.
    """
    everything = [*workspaces, *trashed]
    for _ in range(TRIES):
        tree = await needs.stores.folders.all()
        folder = tree.folders.get(folder_id)
        if folder is None:
            raise folder_not_found()
        inside = tree.children(folder_id)
        if not moves_up and (inside or await _lying_in(needs, folder_id, workspaces)):
            message = f"“{folder.name}” is not empty; move out what is in it, or delete it with contents=move_up."
            raise DraftsmithError("folder_not_empty", message)
        await _move_up(needs, asking, folder, everything)
        moved = [replace(one, parent=folder.parent) for one in inside]
        if await needs.stores.folders.write(moved, [folder_id], version=tree.version):
            await needs.tell("folder", folder_id)
            await _move_up(needs, asking, folder, everything)
            place = {"folder_id": folder.parent} if folder.parent is not None else {}
            await needs.note(asking, "folder.deleted", f"{folder.name} ({folder_id})", **place)
            return
    raise busy()


async def put_workspace(
    needs: AccessDependencies, asking: Asking, workspace_id: WorkspaceId, folder_id: FolderId | None
) -> None:
    """Put a workspace into a folder, or out of any.

    Raises:
        DraftsmithError: `folder_not_found`; `busy`.
    """
    around = [] if folder_id is None else await needs.stores.folders.chain(folder_id)
    if folder_id is not None and not around:
        raise folder_not_found()
    detail = f"{around[0].name} ({folder_id})" if around else "none"
    record = WorkspaceRoles(needs, asking, workspace_id)
    await record.change(lambda access: replace(access, folder=folder_id), "folder.changed", detail)
    await check_still_there(needs, asking, workspace_id, folder_id)


async def check_still_there(
    needs: AccessDependencies, asking: Asking, workspace_id: WorkspaceId, folder_id: FolderId | None
) -> None:
    """Take a workspace out of a folder that was deleted while it was put there.

    Raises:
        DraftsmithError: `folder_not_found`.
    """
    if folder_id is None or await needs.stores.folders.chain(folder_id):
        return
    record = WorkspaceRoles(needs, asking, workspace_id)
    await record.change(
        lambda access: replace(access, folder=None) if access.folder == folder_id else access, "folder.changed", "none"
    )
    raise folder_not_found()


async def release(needs: AccessDependencies, asking: Asking, principal_id: str) -> None:
    """Give the folders of somebody who goes to the administrators, and take the roles away that they had in others.

    Raises:
        DraftsmithError: `busy`.
    """
    for _ in range(TRIES):
        tree = await needs.stores.folders.all()
        changed = [_without(one, principal_id) for one in tree.folders.values() if principal_id in _named_in(one)]
        if not changed:
            return
        if await needs.stores.folders.write(changed, version=tree.version):
            for folder in changed:
                await needs.note(asking, "member.removed", principal_id, folder_id=folder.id)
                await needs.tell("folder", folder.id)
            return
    raise busy()


def _named_in(folder: Folder) -> set[str]:
    return {folder.owner, *folder.members}


def _without(folder: Folder, principal_id: str) -> Folder:
    return replace(
        folder,
        owner="" if folder.owner == principal_id else folder.owner,
        members={id_: role for id_, role in folder.members.items() if id_ != principal_id},
        names={id_: name for id_, name in folder.names.items() if id_ != principal_id},
    )


async def _lying_in(
    needs: AccessDependencies, folder_id: FolderId, workspaces: Sequence[WorkspaceId]
) -> list[WorkspaceId]:
    records = await needs.stores.workspaces.many(workspaces)
    found = zip(workspaces, records, strict=True)
    return [workspace_id for workspace_id, record in found if (record or UNCLAIMED).folder == folder_id]


async def _move_up(
    needs: AccessDependencies, asking: Asking, folder: Folder, workspaces: Sequence[WorkspaceId]
) -> None:
    for workspace_id in await _lying_in(needs, folder.id, workspaces):
        record = WorkspaceRoles(needs, asking, workspace_id)
        await record.change(
            lambda access: replace(access, folder=folder.parent) if access.folder == folder.id else access,
            "folder.changed",
            f"{folder.name} was deleted",
        )
