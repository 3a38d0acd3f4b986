"""What is kept of people, sessions, keys, share links, roles and folders; implemented by `adapters.redis.access`.

Every method may raise `DraftsmithError` `storage_down`; after one of a write it is not known whether it was made, and
making it again is harmless. What is written is acknowledged as commits are: it survives a kill of every process.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from draftsmith.access.folders import Folder, FolderId, FolderTree
from draftsmith.access.records import AccessChange, ApiKey, AuditEntry, BrowserSession, RemovedUser, Share, User
from draftsmith.access.workspace_access import WorkspaceAccess
from draftsmith.model.ids import WorkspaceId


class UserStore(Protocol):
    """The people."""

    async def read(self, user_id: str) -> User | None:
        """One of them; None if there is no such person (any more)."""

    async def of_subject(self, subject: str) -> User | None:
        """Who signs in as this subject, `iss|sub`, in one round trip.

        Raises:
            DraftsmithError: `user_removed`.
        """

    async def put(self, user: User) -> User:
        """Write a person down; where another already signs in as the same subject, that one is kept and returned.

        Raises:
            DraftsmithError: `user_removed`, for who was and was not let in again.
        """

    async def change(self, user_id: str, by: Callable[[User], User]) -> User | None:
        """Write down what `by` makes of a person, of whom nothing that others write meanwhile is lost.

        Returns:
            The person as they are from then on; None if there is no such person (any more).

        Raises:
            DraftsmithError: `last_administrator`, where it would leave none.
        """

    async def remove(self, user_id: str, now_ms: int) -> bool:
        """Forget a person, and remember that they were removed; whether there was one.

        Of how they signed in only a keyed hash is kept.

        Raises:
            DraftsmithError: `last_administrator`.
        """

    async def removed_users(self) -> list[RemovedUser]:
        """Who was removed and was not let in again, in the order in which they went."""

    async def let_in(self, user_id: str) -> RemovedUser | None:
        """Forget that somebody was removed; who it was."""

    async def all(self) -> list[User]:
        """Everybody, by time of creation."""


class SessionStore(Protocol):
    """Who is signed in where."""

    async def read(self, secret_hash: str) -> BrowserSession | None:
        """The session of a cookie; None for none or an ended one."""

    async def put(self, secret_hash: str, session: BrowserSession) -> None:
        """Begin one; it goes by itself at `until_ms`."""

    async def end(self, secret_hash: str) -> BrowserSession | None:
        """End one; which it was."""

    async def of_user(self, user_id: str) -> list[BrowserSession]:
        """Those of a person that have not ended."""

    async def end_of(self, user_id: str, session_id: str) -> BrowserSession | None:
        """End one of a person, by its id; which it was."""

    async def end_all(self, user_id: str, issuer_session: str | None = None) -> list[BrowserSession]:
        """End all of a person, or those of one session at the issuer; which they were."""


class ApiKeyStore(Protocol):
    """Keys of programs."""

    async def look(self, secret_hash: str) -> tuple[ApiKey, User | None] | None:
        """The key of a secret, also an expired one, and whose it is or who made it, in one round trip.

        None for no key; no person where there is none (any more).
        """

    async def look_by_id(self, key_id: str) -> tuple[ApiKey, User | None] | None:
        """As `look`, for the key of an id."""

    async def put(self, secret_hash: str, key: ApiKey) -> None:
        """Make one."""

    async def renew(self, secret_hash: str, key: ApiKey) -> bool:
        """Write one down that is there, with another secret, and end that which it had; whether it is there."""

    async def all(self, user_id: str | None = None) -> list[ApiKey]:
        """Those of a person, or all; by time of creation."""

    async def remove(self, key_id: str) -> ApiKey | None:
        """Revoke one; which it was."""

    async def note_use(self, key_id: str, now_ms: int) -> None:
        """Note that it was used."""


class ShareStore(Protocol):
    """Share links."""

    async def of_token(self, token_hash: str) -> Share | None:
        """The link of a token, also an expired one."""

    async def put(self, token_hash: str, share: Share) -> None:
        """Make one."""

    async def all(self, workspace_id: WorkspaceId) -> list[Share]:
        """Those of a workspace, by time of creation."""

    async def read(self, workspace_id: WorkspaceId, share_id: str) -> Share | None:
        """One of them; None once it is revoked."""

    async def revoke(self, workspace_id: WorkspaceId, share_id: str) -> Share | None:
        """Revoke one; which it was."""

    async def revoke_made_by(self, principal_id: str) -> list[Share]:
        """Revoke all that somebody made, in any workspace; which they were."""

    async def note_use(self, workspace_id: WorkspaceId, share_id: str, now_ms: int) -> None:
        """Note that it was used."""


class WorkspaceAccessStore(Protocol):
    """Who may what where."""

    async def read(self, workspace_id: WorkspaceId) -> WorkspaceAccess | None:
        """The record of a workspace; None for one without, which belongs to administrators."""

    async def put(
        self, workspace_id: WorkspaceId, access: WorkspaceAccess, *, expected: WorkspaceAccess | None
    ) -> bool:
        """Write a record where it is still as expected (None: there is none); whether it was."""

    async def look(
        self, workspace_id: WorkspaceId, share_id: str | None = None
    ) -> tuple[WorkspaceAccess | None, Share | None]:
        """The record, and one of its links if named and not revoked, in one round trip."""

    async def reserve(
        self, application: str, external_id: str | None, workspace_id: WorkspaceId, most: int
    ) -> WorkspaceId | None:
        """Give a workspace, before it is made, its place among the at most `most` of an application.

        Returns:
            The workspace that has it: this one, or the one that the application calls so already; None where no place
            is left.
        """

    async def release(self, application: str, external_id: str | None, workspace_id: WorkspaceId) -> None:
        """Give up the place of a workspace that was not made: of one that has no record."""

    async def many(self, workspace_ids: Sequence[WorkspaceId]) -> list[WorkspaceAccess | None]:
        """The records of several, in their order."""

    async def drop(self, workspace_id: WorkspaceId) -> None:
        """Forget the record and the links of a workspace that is gone for good."""


class FolderStore(Protocol):
    """The folders in which workspaces lie."""

    async def all(self) -> FolderTree:
        """All of them."""

    async def chain(self, folder_id: FolderId) -> list[Folder]:
        """A folder and those around it, the innermost first, in one round trip; empty for one that is not there."""

    async def write(self, folders: Sequence[Folder], removed: Sequence[FolderId] = (), *, version: int) -> bool:
        """Write some and remove others, with their audit, where no folder was written since `version`; whether it was.

        After `storage_down` it may have been made; made again it fails for the version, and whoever reads sees it.
        """


class OneTimeStore(Protocol):
    """Values that can be taken once: links of first administrators, sign-ins under way, live tickets."""

    async def put(self, name: str, value: str, life_ms: int) -> None:
        """Keep a value for a while, under a name that nobody guesses."""

    async def take(self, name: str) -> str | None:
        """Take it away; None if there is none (any more)."""

    async def read(self, name: str) -> str | None:
        """Look without taking it."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may be done in a fixed window of time.

    Attributes:
        name: of what is counted.
        most: how often it may be done in a window.
        window_ms: length of a window.
        now_ms: milliseconds since 1970, which say in which window it is counted.
    """

    name: str
    most: int
    window_ms: int
    now_ms: int


class RateStore(Protocol):
    """How often something was done."""

    async def spend(self, rate: Rate) -> int:
        """Count one more; 0 if it is within the rate, else after how many milliseconds to try again."""


@dataclass(frozen=True, slots=True)
class AccessQuery:
    """What is asked about one request, before anything of it is done; what is empty or None is not asked.

    Attributes:
        key_hash: of a key's secret.
        session_hash: of a session's secret.
        user_id: a person.
        workspace_id: the workspace that is asked for.
        share_id: one of its share links.
        rate: what the request is counted as.
    """

    key_hash: str = ""
    session_hash: str = ""
    user_id: str = ""
    workspace_id: WorkspaceId | None = None
    share_id: str | None = None
    rate: Rate | None = None


@dataclass(frozen=True, slots=True)
class AccessFacts:
    """What is kept of what a query names; None or empty for what is not there (any more).

    Attributes:
        query: what was asked.
        key: also an expired one.
        session: one that has not ended.
        user: whose the key or the session is, who made the key, or the person that was named.
        record: of the workspace.
        folders: in which it lies, the innermost first.
        share: a link that was not revoked.
        again_ms: after how many milliseconds to try again; 0 if the request is within its rate.
    """

    query: AccessQuery
    key: ApiKey | None = None
    session: BrowserSession | None = None
    user: User | None = None
    record: WorkspaceAccess | None = None
    folders: tuple[Folder, ...] = ()
    share: Share | None = None
    again_ms: int = 0


class AccessFactStore(Protocol):
    """What the stores of access know about one request."""

    async def read(self, query: AccessQuery) -> AccessFacts:
        """Everything that a query asks, as it is now, and count the request; one round trip, more in a cluster."""


class AuditStore(Protocol):
    """Who did what to access and settings. Entries stay for a year, the newest 100,000 of each workspace and folder."""

    async def add(self, entry: AuditEntry) -> None:
        """Write one down."""

    async def read(
        self, workspace_id: WorkspaceId | None, before: str | None, limit: int, folder_id: FolderId | None = None
    ) -> tuple[list[AuditEntry], str | None]:
        """The newest of a workspace, a folder or (neither) the installation; and the cursor of what is older."""


class AccessChanges(Protocol):
    """Tells every worker that something was taken from somebody."""

    async def tell(self, news: AccessChange) -> None:
        """Tell it."""

    def listen(self) -> AsyncIterator[AccessChange | None]:
        """Yield what is told from now on; None when something may have been missed, at the start too."""


@dataclass(frozen=True, kw_only=True)
class AccessStores:
    """All of them."""

    users: UserStore
    sessions: SessionStore
    keys: ApiKeyStore
    shares: ShareStore
    workspaces: WorkspaceAccessStore
    folders: FolderStore
    facts: AccessFactStore
    one_time: OneTimeStore
    rates: RateStore
    audit: AuditStore
    news: AccessChanges
