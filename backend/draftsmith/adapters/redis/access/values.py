"""Records as JSON text."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import orjson

from draftsmith.access.records import ApiKey, BrowserSession, RemovedUser, Share, SharedPicture, User

Record = User | RemovedUser | BrowserSession | ApiKey


def encode_record(record: Record) -> bytes:
    """The JSON text of a record."""
    return orjson.dumps(asdict(record))


def user_of(text: bytes) -> User:
    """Read a person."""
    shape: dict[str, Any] = orjson.loads(text)
    return User(**{**shape, "groups": tuple(shape["groups"])})


def removed_of(text: bytes) -> RemovedUser:
    """Read who was removed."""
    return RemovedUser(**orjson.loads(text))


def session_of(text: bytes) -> BrowserSession:
    """Read a session."""
    return BrowserSession(**orjson.loads(text))


def key_of(text: bytes, used_ms: bytes | None) -> ApiKey:
    """Read a key; when it was used is kept beside it."""
    return ApiKey(**{**orjson.loads(text), "used_ms": None if used_ms is None else int(used_ms)})


def share_of(text: bytes, used_ms: bytes | None) -> Share:
    """Read a share link; when it was used is kept beside it."""
    shape = orjson.loads(text)
    picture = shape.pop("picture", None)
    if picture is not None:
        picture = SharedPicture(**{**picture, "nodes": tuple(picture["nodes"])})
    return Share(**{**shape, "used_ms": None if used_ms is None else int(used_ms), "picture": picture})


def encode_share(share: Share) -> bytes:
    """The JSON text of a share link; one that gives a role is written as releases before links to pictures read it."""
    shape = asdict(share)
    if share.picture is None:
        del shape["picture"]
    return orjson.dumps(shape)
