"""The JSON shapes of access: sessions, keys, people, share links, members, audit. Types alone, as in `answers`."""

from __future__ import annotations

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.access.roles import Role


class SessionOut(TypedDict):
    """A browser in which one is signed in."""

    id: str
    device: str
    created_at: str
    until: str
    current: bool


class SessionList(TypedDict):
    """All of them."""

    items: list[SessionOut]
    next_cursor: None


class SignedOut(TypedDict):
    """Where to go to end the session at the issuer, too."""

    url: str


class KeyItem(TypedDict):
    """A key, without its secret. `person` is whose it is: it acts as they; null for a key that acts as itself.

    `made_by` is who made the latter or took it over: it works while they administer; null for the installation.
    """

    id: str
    name: str
    person: str | None
    role: Role | None
    delegate: bool
    admin: bool
    created_at: str
    until: str | None
    used_at: str | None
    made_by: str | None
    works: bool


class KeyMade(KeyItem):
    """A key that was just made; `key` is shown only now."""

    key: str


class KeyList(TypedDict):
    """Keys."""

    items: list[KeyItem]
    next_cursor: None


class UserOut(TypedDict):
    """A person."""

    id: str
    name: str
    email: str
    groups: list[str]
    is_admin: bool
    created_at: str
    seen_at: str


class UserList(TypedDict):
    """Everybody."""

    items: list[UserOut]
    next_cursor: None


class RemovedUserOut(TypedDict):
    """Somebody who was removed."""

    id: str
    name: str
    removed_at: str


class RemovedUserList(TypedDict):
    """All of them who were not let in again."""

    items: list[RemovedUserOut]
    next_cursor: None


class SharedPictureOut(TypedDict):
    """What a link to a picture shows."""

    section: str | None
    nodes: list[str]
    revision: int | None


class ShareItem(TypedDict):
    """A share link, without its token; `opens` as long as who made it may share the workspace.

    One with a `picture` shows that alone, and gives no role.
    """

    id: str
    role: Role
    made_by: str
    created_at: str
    until: str | None
    used_at: str | None
    opens: bool
    picture: SharedPictureOut | None


class ShareMade(ShareItem):
    """A link that was just made; `token` and `url` are shown only now."""

    token: str
    url: str


class ShareList(TypedDict):
    """The links of a workspace that have not ended."""

    items: list[ShareItem]
    next_cursor: None


class OpenedOut(TypedDict):
    """What a link has opened."""

    workspace_id: str
    role: Role


class PersonOut(TypedDict):
    """Somebody, as they were called when they were added."""

    id: str
    name: str


class MemberOut(PersonOut):
    """Somebody with a role."""

    role: Role


class GroupOut(TypedDict):
    """A group of the issuer with a role."""

    name: str
    role: Role


class GivenOut(TypedDict):
    """Who has which role. `owner` is null where it belongs to administrators."""

    owner: PersonOut | None
    members: list[MemberOut]
    groups: list[GroupOut]
    everyone: Role | None


class InheritedOut(GivenOut):
    """What a folder gives in all that lies in it; `id` and `name` are the folder's."""

    id: str
    name: str


class AccessOut(GivenOut):
    """Who may what in a workspace. `role` is the caller's own; `inherited` are its folders that the caller sees."""

    role: Role
    shows_runs: bool
    inherited: list[InheritedOut]


class FolderOut(TypedDict):
    """A folder. `parent` is null at the top, and where the caller does not see the folder around it."""

    id: str
    name: str
    parent: str | None
    role: Role
    created_at: str


class FolderList(TypedDict):
    """All folders that one sees, by name."""

    items: list[FolderOut]
    next_cursor: None


class FolderAccessOut(GivenOut):
    """Who may what in a folder, and so in all that lies in it; else as `AccessOut`."""

    role: Role
    inherited: list[InheritedOut]


class AuditItem(TypedDict):
    """One line of audit."""

    at: str
    who: str
    name: str
    what: str
    address: str
    detail: str
    workspace: str | None


class AuditList(TypedDict):
    """A page of audit, newest first."""

    items: list[AuditItem]
    next_cursor: str | None
