"""The protocol of `/live`: reading the messages of pages, writing frames, close reasons, and the schema of it all.

A page sends one JSON object a WebSocket message, the first a `hello`. The server sends frames: JSON arrays of messages
in the order in which they happened. Messages of pages are read strictly (`client_messages`): anything outside the
schema closes the connection with a reason. `live_schema` gives both directions as one JSON Schema, from which the
page's types are generated. Version 1 is version 2 without typed commits. Not here: when which message is sent (`room`),
and sockets (`api.live`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import orjson
from pydantic import TypeAdapter
from pydantic_core import ErrorDetails

from draftsmith.collab.client_messages import ClientMessage, Hello
from draftsmith.collab.server_messages import Bye, ServerMessage, TypedCommit
from draftsmith.errors import DraftsmithError
from draftsmith.transform.requests.faults import place_of, pointer, words_of
from draftsmith.transform.requests.form_check import check_form
from draftsmith.transform.requests.json_counts import MAX_DEPTH, JsonCounts

VERSION: Final = 2
_SPOKEN: Final = (1, VERSION)
MAX_MESSAGE_VALUES: Final = 500_000
"""JSON values in a message of a page; a paste has one for each line."""
_HEAD: Final = 400
_ID: Final = re.compile(rb'"id":\s?"([A-Za-z0-9._:-]{8,128})"')
_SHORT: Final = 100_000  # bytes, in which there are never too many values


@dataclass(frozen=True, slots=True)
class CloseReason:
    """Why a connection is closed: a WebSocket close code, our own stable one, and a sentence.

    `again_ms`: when the page may connect anew by itself; None if that would not help. `about`: the id of the message
    that could not be read.
    """

    close: int
    code: str
    detail: str
    again_ms: int | None = None
    about: str = ""

    @property
    def text(self) -> str:
        """The reason in the close frame, at most 123 bytes."""
        return f"{self.code}: {self.detail}".encode()[:123].decode(errors="ignore")

    def bye(self) -> Bye:
        """The message that is sent before the connection is closed."""
        bye: Bye = {"t": "bye", "code": self.code, "detail": self.detail, "again_ms": self.again_ms}
        return {**bye, "id": self.about} if self.about else bye


CLOSE_CODES: Final[Mapping[str, int]] = {
    "restarting": 1012,
    "message_too_large": 1009,
    "invalid_message": 4400,
    "unauthorized": 4401,
    "forbidden": 4403,
    "role_changed": 4411,
    "claimed_elsewhere": 4412,
    "too_many_open": 4429,
    "workspace_not_found": 4404,
    "hello_missing": 4408,
    "version_unknown": 4409,
    "workspace_deleted": 4410,
    "storage_down": 4503,
    "internal": 4500,
}


def close_reason(code: str, detail: str, again_ms: int | None = None) -> CloseReason:
    """Make the reason of a known code."""
    return CloseReason(CLOSE_CODES.get(code, CLOSE_CODES["internal"]), code, detail, again_ms)


class ProtocolError(Exception):
    """A message is outside the schema; `reason` says what is wrong and where."""

    def __init__(self, reason: CloseReason) -> None:
        super().__init__(reason.text)
        self.reason = reason


def read_message(text: str | bytes) -> ClientMessage:
    """Read a message of a page.

    Raises:
        ProtocolError: it is no JSON (NaN and half surrogate pairs included), or outside the schema.
    """
    return _check_message(_json(text))


def read_hello(text: str | bytes) -> Hello:
    """Read the first message of a page.

    Raises:
        ProtocolError: as `read_message`; it is no hello, or one of another version of the protocol, whatever else it
            contains.
    """
    shape = _json(text)
    if not isinstance(shape, dict) or shape.get("t") != "hello":
        raise ProtocolError(close_reason("hello_missing", "the first message is a hello"))
    version = shape.get("v")
    if type(version) is int and version not in _SPOKEN:
        raise ProtocolError(
            close_reason(
                "version_unknown", f"this server speaks versions 1 and {VERSION}, not {version}; reload the page"
            )
        )
    message = _check_message(shape)
    assert isinstance(message, Hello)
    return message


def _json(text: str | bytes) -> object:
    raw = text.encode() if isinstance(text, str) else text
    if len(raw) > _SHORT or raw.count(b"[") + raw.count(b"{") > MAX_DEPTH:
        _check_counts(raw)
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise ProtocolError(close_reason("invalid_message", f"no JSON: {error}")) from error


def _check_counts(raw: bytes) -> None:
    try:
        JsonCounts("message", MAX_MESSAGE_VALUES).add(raw)
    except DraftsmithError as error:
        code = "message_too_large" if error.code == "body_too_large" else "invalid_message"
        raise ProtocolError(replace(close_reason(code, error.detail), about=_id_written(raw))) from None


def _id_written(raw: bytes) -> str:
    """The id of a message that is not parsed, so that its page drops it; pages write it first."""
    found = _ID.search(raw, 0, _HEAD)
    return "" if found is None else found[1].decode()


def _check_message(shape: object) -> ClientMessage:
    message, faults = check_form(ClientMessage, shape, most=1)
    if faults:
        reason = close_reason("invalid_message", _where(shape, faults[0]))
        raise ProtocolError(replace(reason, about=_id_in(shape)))
    return cast(ClientMessage, message)


def _id_in(shape: object) -> str:
    """The id of a message that cannot be read otherwise; empty for none."""
    given = shape.get("id") if isinstance(shape, dict) else None
    return given if isinstance(given, str) and 8 <= len(given) <= 128 else ""


def _where(shape: object, first: ErrorDetails) -> str:
    """A fault, with its place as a JSON Pointer."""
    loc = first["loc"]
    is_tagged = isinstance(shape, dict) and loc[:1] == (shape.get("t"),)
    place = pointer(place_of(shape, loc[1:] if is_tagged else loc, first["type"]))
    return f"{place or '/'}: {words_of(first['type'], first['msg'])}"


def live_schema() -> dict[str, Any]:
    """The JSON Schema of both directions: `$defs.ClientMessage`, and frames, lists of `$defs.ServerMessage`."""
    client = TypeAdapter(ClientMessage).json_schema(ref_template="#/$defs/{model}")
    server = TypeAdapter(ServerMessage).json_schema(ref_template="#/$defs/{model}")
    definitions = {**client.pop("$defs"), **server.pop("$defs")}
    definitions["ClientMessage"], definitions["ServerMessage"] = client, server
    definitions["TypedCommit"] = TypeAdapter(TypedCommit).json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Draftsmith live protocol, version {VERSION}",
        "$defs": dict(sorted(definitions.items())),
        "type": "array",
        "items": {"anyOf": [{"$ref": "#/$defs/ServerMessage"}, {"$ref": "#/$defs/TypedCommit"}]},
    }


def frame(messages: Sequence[bytes]) -> str:
    """Put encoded messages into one frame."""
    return (b"[" + b",".join(messages) + b"]").decode()


def encode(message: Mapping[str, object]) -> bytes:
    """Encode one message."""
    return orjson.dumps(message)
