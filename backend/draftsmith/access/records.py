"""What is kept about people, their sessions and keys, and about share links. Secrets are kept as hashes only."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final, Literal

from draftsmith.access.roles import Role
from draftsmith.errors import DraftsmithError

KEY_PREFIX: Final = "dsk_"
SHARE_PREFIX: Final = "dss_"
LINK_PREFIX: Final = "dsl_"
PICTURE_PREFIX: Final = "dsp_"
"""Secrets begin with what they are, so that scanners for leaked ones know them."""


def hash_of(secret: str) -> str:
    """What is kept of a secret. Secrets are 256 random bits, so that a plain hash cannot be guessed back."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class User:
    """A person that this installation knows.

    Attributes:
        id: principal id, `user:<ulid>`; never given to another.
        name: as they want to be called.
        subject: `iss|sub` of their issuer; empty for who came by a one-time link.
        email: as their issuer says; empty for none.
        groups: as their issuer said when they signed in last.
        is_admin: whether they administer this installation.
        created_ms, seen_ms: milliseconds since 1970; `seen_ms` is when they signed in last.
        vouched_ms: when their issuer vouched for them last, by a sign-in or a token; 0 since it has said that they are
            signed out; None in records of before this was written down, where `seen_ms` stands for it.
        signed_out_ms: when their issuer said that they are signed out there; what it said before counts for nothing.
    """

    id: str
    name: str
    subject: str = ""
    email: str = ""
    groups: tuple[str, ...] = ()
    is_admin: bool = False
    created_ms: int = 0
    seen_ms: int = 0
    vouched_ms: int | None = None
    signed_out_ms: int = 0

    def vouched_until_ms(self, life_ms: int) -> int | None:
        """Until when their issuer's word counts that counts for `life_ms`; None for who has no issuer."""
        vouched_ms = self.seen_ms if self.vouched_ms is None else self.vouched_ms
        return vouched_ms + life_ms if self.subject else None


@dataclass(frozen=True, slots=True)
class RemovedUser:
    """Somebody who was removed. Who signs in as they did is refused, until somebody lets them in again.

    Attributes:
        id: which they had, and nobody gets again.
        name: as they were called, by which an administrator knows whom to let in.
        removed_ms: milliseconds since 1970.
    """

    id: str
    name: str
    removed_ms: int


def user_removed() -> DraftsmithError:
    """The refusal of somebody who was removed."""
    return DraftsmithError(
        "user_removed",
        "An administrator has removed you from this installation; only an administrator can let you in again.",
    )


def last_administrator() -> DraftsmithError:
    """The refusal of what would leave nobody who administers."""
    return DraftsmithError("last_administrator", "This is the last administrator; make somebody else one before.")


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A browser in which somebody signed in; known by the hash of its cookie.

    Attributes:
        id: names it without giving it away.
        user_id: who signed in.
        issuer_session: `sid` of the issuer; empty for none.
        device: as the browser names itself, shortened.
    """

    id: str
    user_id: str
    created_ms: int
    until_ms: int
    issuer_session: str = ""
    device: str = ""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key for programs; known by the hash of its secret.

    Attributes:
        id: names it without giving it away.
        name: what it is for, in words.
        user_id: whose it is: it acts as this person; empty for a key of no person, which acts as itself. In local mode
            that is a browser's profile.
        user_name: as a profile was called when it made the key; of people the installation knows the name.
        is_delegate: whether it acts for people of an application, whom `Draftsmith-Actor` names.
        is_admin: whether it administers; of a personal key only while its person does.
        limit: no more than this role anywhere; None for no limit.
        until_ms: when it ends; None for never.
        used_ms: about when it was used last; None for never.
        made_by: of a key of no person, who made it or took it over: it works while they administer. Empty for the
            installation itself, on whose machine it was made; so are those of before this was written down.
    """

    id: str
    name: str
    user_id: str = ""
    is_delegate: bool = False
    is_admin: bool = False
    limit: Role | None = None
    created_ms: int = 0
    until_ms: int | None = None
    used_ms: int | None = None
    user_name: str = ""
    made_by: str = ""

    def stands_with(self, made_by: User | None) -> bool:
        """Whether a key of no person works: whoever made it may make it now; `made_by` is them, None once removed."""
        return not self.made_by or (made_by is not None and made_by.is_admin)


@dataclass(frozen=True, slots=True)
class SharedPicture:
    """What a link to a picture shows; each None or empty where the link leaves it open.

    Attributes:
        section: the path of a section, whose links to nodes say what is drawn.
        nodes: ids of nodes that are drawn, with what they hold.
        revision: the one that is drawn; None for the newest.
    """

    section: str | None = None
    nodes: tuple[str, ...] = ()
    revision: int | None = None

    @property
    def is_part(self) -> bool:
        """Whether it shows less than the whole diagram."""
        return self.section is not None or bool(self.nodes)


@dataclass(frozen=True, slots=True)
class Share:
    """A link that gives a role, or shows a picture and gives none; known by the hash of its token.

    Attributes:
        role: which it gives; of a link to a picture `viewer`, of which it gives the picture alone.
        made_by: principal id of who made it; it opens while they may decide who may what in the workspace.
        until_ms: when it ends; None for never.
        used_ms: about when it was used last; None for never.
        picture: what a link to a picture shows; None for one that gives its role.
    """

    id: str
    workspace_id: str
    role: Role
    made_by: str
    made_by_name: str
    created_ms: int
    until_ms: int | None = None
    used_ms: int | None = None
    picture: SharedPicture | None = None


def has_ended(until_ms: int | None, now_ms: int) -> bool:
    """Whether a session, a key or a link that may end has ended."""
    return until_ms is not None and until_ms <= now_ms


def sooner(one_ms: int | None, other_ms: int | None) -> int | None:
    """The first of two ends; None where neither ends."""
    return min((end for end in (one_ms, other_ms) if end is not None), default=None)


AccessChangeKind = Literal["workspace", "folder", "principal", "session", "key"]


@dataclass(frozen=True, slots=True)
class AccessChange:
    """A change by which somebody may have lost access; open pages that it concerns check their access again.

    Attributes:
        kind: what changed: the record or the links of a workspace, a folder (and so all that lies in it), a principal,
            one session, or one key.
        id: its id; a session is named by its `id`, not by its hash.
    """

    kind: AccessChangeKind
    id: str


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of audit.

    Attributes:
        at_ms: milliseconds since 1970.
        who: principal id; `name`: as they were called then.
        what: a word for it, such as `share.created`.
        address: where it came from.
        workspace_id: empty for the installation, or a folder.
        detail: what of, without secrets.
        folder_id: empty for the installation, or a workspace.
    """

    at_ms: int
    who: str
    name: str
    what: str
    address: str
    workspace_id: str = ""
    detail: str = ""
    folder_id: str = ""
