"""From what a request shows to who it is.

In two steps: the credential is named (`read`), then who that is now (`principal_of`), which is done again for whoever
has a socket open when something may have been taken from them. What the second step looks up is a query (`query_of`),
so that the gate can ask for more in the same round trip.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from draftsmith.access.principal import STRANGER, Principal
from draftsmith.access.records import KEY_PREFIX, SHARE_PREFIX, ApiKey, User, has_ended, hash_of, sooner
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.access import AccessFacts, AccessQuery, Rate
from draftsmith.usecases.access.credentials import Credential, Profile
from draftsmith.usecases.access.dependencies import AccessDependencies
from draftsmith.usecases.access.people import check_signed_in, user_of
from draftsmith.usecases.access.standing import of_key, opens_now, person, stands

_MAX_ACTOR = 2_000
_MAX_ID, _MAX_NAME = 128, 80


@dataclass(frozen=True, slots=True)
class Credentials:
    """The headers and cookies that say who asks; each None where there is none."""

    authorization: str | None = None
    acts_for: str | None = None
    session: str | None = None
    profile: Profile | None = None


@dataclass(frozen=True, slots=True)
class Authentication:
    """Who it is, and until when what they showed is worth anything (None: for ever)."""

    principal: Principal
    until_ms: int | None = None


async def read(needs: AccessDependencies, credentials: Credentials) -> Credential:
    """Name a credential; what it is worth now, `principal_of` says.

    Raises:
        DraftsmithError: `credential_invalid`, `credential_expired` for an `Authorization` that is none; as the issuer.
    """
    if credentials.authorization is not None:
        return await _bearer(needs, credentials)
    if credentials.acts_for is not None:
        raise _invalid("Draftsmith-Actor goes with a key: Authorization: Bearer <key>.")
    if credentials.session is not None:
        return Credential("session", hash_of(credentials.session), profile=credentials.profile)
    return Credential(profile=credentials.profile)


async def _bearer(needs: AccessDependencies, credentials: Credentials) -> Credential:
    scheme, _, token = (credentials.authorization or "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise _invalid("Credentials are sent as: Authorization: Bearer <key>.")
    if token.startswith(KEY_PREFIX):
        acts_for = None if credentials.acts_for is None else read_actor(credentials.acts_for)
        return Credential("key", hash_of(token), acts_for)
    if credentials.acts_for is not None:
        raise _invalid("Draftsmith-Actor goes with a key that may act for others, not with a token.")
    if token.startswith(SHARE_PREFIX):
        return Credential("link", hash_of(token))
    if needs.verifier is None:
        raise _invalid("This is no key of this server, and no issuer of tokens is configured here.")
    claims = await needs.verifier.verify(token)
    user = await user_of(needs, claims)
    return Credential("person", user.id, until_ms=claims.until_ms, issued_ms=claims.issued_ms)


def read_actor(text: str) -> tuple[str, str]:
    """Id and name of whom a request acts for: `{"id": "…", "name": "…"}`.

    Raises:
        DraftsmithError: `credential_invalid`.
    """
    try:
        shape: Any = orjson.loads(text) if len(text) <= _MAX_ACTOR else None
    except orjson.JSONDecodeError:
        shape = None
    if not isinstance(shape, dict) or set(shape) - {"id", "name"}:
        raise _invalid('Draftsmith-Actor is JSON: {"id": "…", "name": "…"}.')
    id_, name = shape.get("id"), shape.get("name")
    is_id = isinstance(id_, str) and 0 < len(id_) <= _MAX_ID and all("\x21" <= char <= "\x7e" for char in id_)
    is_name = isinstance(name, str) and 0 < len(name.strip()) <= _MAX_NAME and name.isprintable()
    if not is_id or not is_name:
        raise _invalid("Draftsmith-Actor: an id of 1 to 128 visible ASCII characters, a name of 1 to 80 characters.")
    return str(id_), str(name).strip()


def query_of(credential: Credential, workspace_id: WorkspaceId | None = None, rate: Rate | None = None) -> AccessQuery:
    """What is looked up to know who that is now.

    Args:
        credential: what a request has shown.
        workspace_id: the workspace that it asks for; it is looked up with the link that the browser has opened, but not
            for who shows a link or nothing: what they may see is known only then.
        rate: what it is counted as.
    """
    kind, links = credential.kind, {} if credential.profile is None else credential.profile.links
    is_looked_up = workspace_id is not None and kind in ("session", "key", "person")
    return AccessQuery(
        key_hash=credential.id if kind == "key" else "",
        session_hash=credential.id if kind == "session" else "",
        user_id=credential.id if kind == "person" else "",
        workspace_id=workspace_id if is_looked_up else None,
        share_id=links.get(workspace_id) if is_looked_up and workspace_id is not None and kind == "session" else None,
        rate=rate,
    )


async def principal_of(
    needs: AccessDependencies, credential: Credential, facts: AccessFacts | None = None
) -> Authentication:
    """Who that is now; `facts`: what is known of `query_of` the credential, None to look it up.

    Raises:
        DraftsmithError: `credential_invalid`, `credential_expired` for a key or a token that is worth nothing now. A
            session that has ended leaves what the browser's profile is.
    """
    if credential.kind == "link":
        return await _of_link(needs, credential)
    if facts is None:
        facts = await needs.stores.facts.read(query_of(credential))
    user = facts.user
    if credential.kind == "key":
        return await _of_key(needs, credential, facts.key, user)
    if credential.kind == "person":
        if user is None or has_ended(credential.until_ms, needs.clock.now_ms()):
            raise _expired_error("This token is worth nothing any more; get a new one.")
        check_signed_in(user, credential.issued_ms)
        return Authentication(person(user, f"token {user.subject}"), credential.until_ms)
    if facts.session is not None and user is not None:
        links = None if credential.profile is None else credential.profile.links
        return Authentication(person(user, f"session {facts.session.id}", links), facts.session.until_ms)
    profile = credential.profile
    if profile is None or not profile.links:
        return Authentication(STRANGER)
    return Authentication(Principal(profile.actor, "guest", links=profile.links, credential="share link"))


async def _of_key(
    needs: AccessDependencies, credential: Credential, key: ApiKey | None, user: User | None
) -> Authentication:
    now_ms = needs.clock.now_ms()
    if key is None:
        raise _invalid("There is no such key; it may have been revoked.")
    if has_ended(key.until_ms, now_ms):
        raise _expired_error(f"The key {key.name} has expired; make a new one.")
    with suppress(StorageError):  # a store without room, say; who may read does
        await needs.stores.keys.note_use(key.id, now_ms)
    if needs.is_local and not key.is_delegate:
        return Authentication(_local_key(key, user), key.until_ms)
    if credential.acts_for is not None and not key.is_delegate:
        raise _invalid("This key may not act for others: Draftsmith-Actor goes with a key made for that.")
    refused = stands(needs, key, user)
    if refused is not None:
        raise refused
    vouched_until_ms = user.vouched_until_ms(needs.issuer_session_ms) if key.user_id and user is not None else None
    return Authentication(of_key(key, user, credential.acts_for), sooner(key.until_ms, vouched_until_ms))


def _local_key(key: ApiKey, user: User | None) -> Principal:
    """In local mode: the profile that made the key, or the key itself; it may everything that its role allows."""
    actor = Actor(f"key:{key.id}", key.name, "script")
    if key.user_id:
        name = key.user_name if user is None else user.name
        if not name:
            raise _invalid("This key was of somebody who is not here any more.")
        actor = Actor(key.user_id, name, "person")
    return Principal(
        actor, "local", is_admin=key.limit is None, limit=key.limit,
        credential=f"key {key.id}", credential_name=key.name,
    )  # fmt: skip


async def _of_link(needs: AccessDependencies, credential: Credential) -> Authentication:
    """A program that shows the token of a share link: nobody in particular, with the link's role in its workspace."""
    share, now_ms = await needs.stores.shares.of_token(credential.id), needs.clock.now_ms()
    if share is None:
        raise _invalid("This link opens nothing; it may have been revoked.")
    if has_ended(share.until_ms, now_ms):
        raise _expired_error("This link has expired; ask for a new one.")
    if not await opens_now(needs, share):
        raise _invalid("Who made this link may not share the workspace any more; ask for a new one.")
    workspace_id = WorkspaceId(share.workspace_id)
    with suppress(StorageError):  # a store without room, say; who may read does
        await needs.stores.shares.note_use(workspace_id, share.id, now_ms)
    actor = Actor(f"link:{share.id}", "Share link", "script")
    links = {workspace_id: share.id}
    return Authentication(Principal(actor, "guest", links=links, credential=f"link {share.id}"), share.until_ms)


def _invalid(detail: str) -> DraftsmithError:
    return DraftsmithError("credential_invalid", detail)


def _expired_error(detail: str) -> DraftsmithError:
    return DraftsmithError("credential_expired", detail)
