"""The records that give roles, of workspaces and folders: changed so that nothing is lost of what others change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from draftsmith.access.folders import Folder, FolderId, FolderTree, folder_not_found
from draftsmith.access.workspace_access import UNCLAIMED, WorkspaceAccess
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

TRIES = 8
R = TypeVar("R", WorkspaceAccess, Folder)


class RoleRecord(Protocol[R]):
    """The record of one workspace or one folder, and who changes it."""

    needs: AccessDependencies
    asking: Asking
    word: str

    async def change(self, change: Callable[[R], R], what: str, detail: str) -> R:
        """Change it, note it in its audit, and have what is open there looked at again.

        Raises:
            DraftsmithError: `busy`; what `change` raises.
        """
        ...


@dataclass
class WorkspaceRoles:
    """Those of a workspace."""

    needs: AccessDependencies
    asking: Asking
    workspace_id: WorkspaceId
    word: str = "workspace"

    async def change(
        self, change: Callable[[WorkspaceAccess], WorkspaceAccess], what: str, detail: str
    ) -> WorkspaceAccess:
        """Change it; see `RoleRecord`."""
        needs, store = self.needs, self.needs.stores.workspaces
        for _ in range(TRIES):
            before = await store.read(self.workspace_id)
            after = change(before or UNCLAIMED)
            if after == before:
                return after
            if await store.put(self.workspace_id, after, expected=before):
                await needs.note(self.asking, what, detail, self.workspace_id)
                await needs.tell("workspace", self.workspace_id)
                return after
        raise busy()


@dataclass
class FolderRoles:
    """Those of a folder."""

    needs: AccessDependencies
    asking: Asking
    folder_id: FolderId
    word: str = "folder"

    async def change(self, change: Callable[[Folder], Folder], what: str, detail: str) -> Folder:
        """Change it; see `RoleRecord`."""
        return await self.change_in_tree(lambda _, folder: change(folder), what, detail)

    async def change_in_tree(self, change: Callable[[FolderTree, Folder], Folder], what: str, detail: str) -> Folder:
        """Change it where that depends on the others, too.

        Raises:
            DraftsmithError: `folder_not_found`; as `change`.
        """
        needs, store = self.needs, self.needs.stores.folders
        for _ in range(TRIES):
            tree = await store.all()
            before = tree.folders.get(self.folder_id)
            if before is None:
                raise folder_not_found()
            after = change(tree, before)
            if after == before:
                return after
            if await store.write([after], version=tree.version):
                await needs.note(self.asking, what, detail, folder_id=self.folder_id)
                await needs.tell("folder", self.folder_id)
                return after
        raise busy()


def with_owner(record: R, owner: str, name: str) -> R:
    """A record with another owner; who was it before stays as an editor."""
    members = {id_: role for id_, role in record.members.items() if id_ != owner}
    if record.owner and record.owner != owner:
        members[record.owner] = "editor"
    return replace(record, owner=owner, members=members, names={**record.names, owner: name})


def busy() -> DraftsmithError:
    """The refusal where others were faster each time."""
    return DraftsmithError("busy", "Others are changing who may what here at the same time; try again.")
