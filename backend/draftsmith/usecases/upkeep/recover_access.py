"""Bring back who may what in workspaces that were recovered, the people that this names, and the folders around them.

What is there already stands: nobody gets a role back that was taken from them since. Share links, keys and sessions are
in no backup; they are made anew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from draftsmith.access.folders import MOST_FOLDERS, Folder, FolderId, FolderTree
from draftsmith.access.records import User
from draftsmith.access.workspace_access import access_from_json
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.access import AccessStores
from draftsmith.usecases.access.role_records import TRIES, R, busy


@dataclass(frozen=True)
class SavedAccess:
    """What a backup says of an installation beside its workspaces.

    Attributes:
        people: whom it knew.
        folders: in which its workspaces lay.
    """

    people: Sequence[User] = ()
    folders: Sequence[Folder] = ()


async def recover_access(
    stores: AccessStores,
    workspace_id: WorkspaceId,
    record: Mapping[str, object] | None,
    saved: SavedAccess,
    *,
    as_copy: bool,
    with_administrators: bool,
) -> bool:
    """Write the record of a recovered workspace where it has none; whether it was written.

    People that it names and that nobody knows here are known again. Who signs in here as the same subject under another
    id takes the place of the one in the backup. The folders around it that are not here are made again, too.

    Args:
        stores: of this installation.
        workspace_id: where the workspace is now.
        record: as the backup has it; None for a workspace of local mode.
        saved: what else the backup has.
        as_copy: whether it stands beside the workspace that it was, under no name of an application's.
        with_administrators: whether administrators are that again: only in an installation that knew nobody.
    """
    if record is None or await stores.workspaces.read(workspace_id) is not None:
        return False
    found = access_from_json(record)
    access = await _with_people(stores, found, saved.people, with_administrators=with_administrators)
    if found.folder is not None:
        await recover_folders(stores, saved, [found.folder], with_administrators=with_administrators)
    access = replace(access, external_id=None if as_copy else found.external_id)
    return await stores.workspaces.put(workspace_id, access, expected=None)


async def recover_folders(
    stores: AccessStores, saved: SavedAccess, wanted: Collection[FolderId], *, with_administrators: bool
) -> None:
    """Make folders of a backup again that are not here, with those around them; at the top where they cannot lie.

    Raises:
        DraftsmithError: `too_many_folders`; `busy`.
    """
    there = FolderTree(saved.folders)
    chains = [reversed(there.chain(folder_id)) for folder_id in wanted]
    outermost_first = {folder.id: folder for chain in chains for folder in chain}
    for _ in range(TRIES):
        tree = await stores.folders.all()
        missing = [folder for folder in outermost_first.values() if folder.id not in tree.folders]
        if not missing:
            return
        if len(tree.folders) + len(missing) > MOST_FOLDERS:
            raise DraftsmithError("too_many_folders", f"With those of the backup there were more than {MOST_FOLDERS}.")
        made: list[Folder] = []
        for folder in missing:
            known = await _with_people(stores, folder, saved.people, with_administrators=with_administrators)
            made.append(_place_folder(FolderTree([*tree.folders.values(), *made]), known))
        if await stores.folders.write(made, version=tree.version):
            return
    raise busy()


def _place_folder(tree: FolderTree, folder: Folder) -> Folder:
    try:
        tree.check_place(folder.id, folder.parent)
    except DraftsmithError:
        return replace(folder, parent=None)
    return folder


async def _with_people(stores: AccessStores, record: R, people: Sequence[User], *, with_administrators: bool) -> R:
    """A record that names people as they are called here, where they are known now; who was removed is not."""
    named = {record.owner, *record.members}
    ids: dict[str, str] = {}
    for person in people:
        if person.id in named and await stores.users.read(person.id) is None:
            try:
                kept = await stores.users.put(replace(person, is_admin=person.is_admin and with_administrators))
            except DraftsmithError as error:
                if error.code != "user_removed":
                    raise
            else:
                ids[person.id] = kept.id
    return replace(
        record,
        owner=ids.get(record.owner, record.owner),
        members={ids.get(one, one): role for one, role in record.members.items()},
        names={ids.get(one, one): name for one, name in record.names.items()},
    )
