"""Folders of workspaces: what is kept of one, how they lie in one another, and the role that they give below.

A role in a folder holds in all that lies in it, folders and workspaces. Not here: what a workspace's own record gives
(`workspace_access`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NewType

from draftsmith.access.grants import granted_role, roles_from_json
from draftsmith.access.principal import Principal
from draftsmith.access.roles import ROLES, Role, larger, smaller
from draftsmith.errors import DraftsmithError

FolderId = NewType("FolderId", str)
MOST_FOLDERS: Final = 2_000
"""Of one installation."""
MOST_DEPTH: Final = 8
"""Folders in one another, the outermost included."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, and who may what in it.

    Attributes:
        parent: the folder in which it lies; None at the top.
        owner: id of the principal that owns it; empty for one from local mode, which belongs to administrators.
        members: role by principal id.
        names: display name by principal id, as it was when they were added.
        groups: role by group, as an issuer names it.
        everyone: the role of everybody who is signed in; None for none.
        created_ms: milliseconds since 1970.
        request: fingerprint of the request that made it, by which a repeat is known.
    """

    id: FolderId
    name: str
    parent: FolderId | None = None
    owner: str = ""
    members: Mapping[str, Role] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Role] = field(default_factory=dict)
    everyone: Role | None = None
    created_ms: int = 0
    request: str = ""

    def to_json(self) -> dict[str, Any]:
        """The JSON shape: its fields by name."""
        return {
            "id": self.id,
            "name": self.name,
            "parent": self.parent,
            "owner": self.owner,
            "members": dict(self.members),
            "names": dict(self.names),
            "groups": dict(self.groups),
            "everyone": self.everyone,
            "created_ms": self.created_ms,
            "request": self.request,
        }


def folder_from_json(shape: Mapping[str, Any]) -> Folder:
    """Read what `Folder.to_json` wrote; a role that is none is left out, so that it gives nothing.

    Raises:
        KeyError: it has no id or no name.
    """
    return Folder(
        id=FolderId(str(shape["id"])),
        name=str(shape["name"]),
        parent=None if shape.get("parent") is None else FolderId(str(shape["parent"])),
        owner=str(shape.get("owner", "")),
        members=roles_from_json(shape.get("members", {})),
        names={str(id_): str(name) for id_, name in shape.get("names", {}).items()},
        groups=roles_from_json(shape.get("groups", {})),
        everyone=shape["everyone"] if shape.get("everyone") in ROLES else None,
        created_ms=int(shape.get("created_ms", 0)),
        request=str(shape.get("request", "")),
    )


def role_in(principal: Principal, chain: Iterable[Folder]) -> Role | None:
    """The role of a principal in a folder, and so in all that lies in it; None for who may not know that it is there.

    Args:
        principal: who asks. Guests of a link and applications with their people have no role in any folder.
        chain: the folder and those around it.
    """
    if principal.kind == "local":
        return principal.limit or "owner"
    if not principal.is_signed_in or principal.application is not None:
        return None
    role: Role | None = None
    for folder in chain:
        role = larger(role, granted_role(principal, folder))
    return role if principal.limit is None else smaller(role, principal.limit)


class FolderTree:
    """All folders of an installation at one moment.

    Attributes:
        folders: by id.
        version: changes with every write; a write names the one that it was made for.
    """

    def __init__(self, folders: Iterable[Folder] = (), version: int = 0) -> None:
        self.folders: Mapping[FolderId, Folder] = {folder.id: folder for folder in folders}
        self.version = version

    def chain(self, folder_id: FolderId | None) -> tuple[Folder, ...]:
        """A folder and those around it, the innermost first; empty for one that is not there (any more)."""
        found: dict[FolderId, Folder] = {}
        while folder_id is not None and folder_id not in found and folder_id in self.folders:
            found[folder_id] = self.folders[folder_id]
            folder_id = self.folders[folder_id].parent
        return tuple(found.values())

    def children(self, folder_id: FolderId) -> list[Folder]:
        """The folders that lie directly in one."""
        return [folder for folder in self.folders.values() if folder.parent == folder_id]

    def check_place(self, folder_id: FolderId, parent: FolderId | None) -> None:
        """Refuse a place in which a folder, with all that lies in it, cannot be.

        Raises:
            DraftsmithError: `folder_not_found` for a parent that is not there; `folder_cycle`; `folder_too_deep`.
        """
        around = self.chain(parent)
        if parent is not None and not around:
            raise folder_not_found()
        if folder_id in {folder.id for folder in around}:
            raise DraftsmithError("folder_cycle", "A folder cannot lie in itself, or in a folder that lies in it.")
        if len(around) + self._height(folder_id) > MOST_DEPTH:
            raise DraftsmithError("folder_too_deep", f"Folders lie in one another at most {MOST_DEPTH} deep.")

    def _height(self, folder_id: FolderId) -> int:
        """How many folders lie in one another from this one down; 1 for one with none in it."""
        height, level = 0, [folder_id]
        while level and height <= MOST_DEPTH:
            height += 1
            level = [inner.id for one in level for inner in self.children(one)]
        return height


def folder_not_found() -> DraftsmithError:
    """The refusal of a folder that is not there, or that one may not see."""
    return DraftsmithError("folder_not_found", "There is no such folder.")
