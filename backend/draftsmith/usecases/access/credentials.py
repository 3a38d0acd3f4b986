"""The credential of a request, in a form that may be kept while a socket is open: secrets as hashes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NotRequired, TypedDict

from draftsmith.history.actor import Actor, actor_from_json
from draftsmith.history.shapes import ActorOut
from draftsmith.model.ids import WorkspaceId

CredentialKind = Literal["nothing", "session", "key", "person", "link"]


@dataclass(frozen=True, slots=True)
class Profile:
    """The signed cookie of a browser.

    Attributes:
        actor: the profile.
        links: the share links that were opened in it, by workspace.
    """

    actor: Actor
    links: Mapping[WorkspaceId, str] = field(default_factory=dict)


class ProfileJson(TypedDict):
    """The JSON form of a profile."""

    actor: ActorOut
    links: dict[WorkspaceId, str]


class CredentialJson(TypedDict):
    """The JSON form of a credential."""

    kind: CredentialKind
    id: str
    acts_for: Sequence[str] | None
    profile: ProfileJson | None
    until_ms: int | None
    issued_ms: NotRequired[int | None]


@dataclass(frozen=True, slots=True)
class Credential:
    """The credential that a request carried.

    Attributes:
        kind: session, key, token of an issuer, or token of a share link; nothing for none of them.
        id: the hash of the session's, the key's or the link's secret, or the id of the user that a token named.
        acts_for: id and name of the person for whom a delegate key acts; None for nobody.
        profile: the browser's profile; None for a program.
        until_ms: when a token ends; None for never.
        issued_ms: when it was issued; None where it does not say.
    """

    kind: CredentialKind = "nothing"
    id: str = ""
    acts_for: tuple[str, str] | None = None
    profile: Profile | None = None
    until_ms: int | None = None
    issued_ms: int | None = None

    def to_json(self) -> CredentialJson:
        """The JSON shape, for what is kept elsewhere for a moment."""
        profile: ProfileJson | None = None
        if self.profile is not None:
            profile = {"actor": self.profile.actor.to_json(), "links": dict(self.profile.links)}
        return {
            "kind": self.kind,
            "id": self.id,
            "acts_for": self.acts_for,
            "profile": profile,
            "until_ms": self.until_ms,
            "issued_ms": self.issued_ms,
        }


def credential_from_json(shape: CredentialJson) -> Credential:
    """Read what `Credential.to_json` wrote."""
    profile = shape["profile"]
    return Credential(
        kind=shape["kind"],
        id=shape["id"],
        acts_for=None if not shape["acts_for"] else (shape["acts_for"][0], shape["acts_for"][1]),
        profile=profile and Profile(actor_from_json(profile["actor"]), dict(profile["links"])),
        until_ms=shape["until_ms"],
        issued_ms=shape.get("issued_ms"),
    )
