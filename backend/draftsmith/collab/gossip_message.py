"""The messages by which workers tell each other who has a workspace open.

JSON: `{l: instance, n: number}` with one or more of
    all   {member: {id, name, kind, since, claim, state}}   all members of this instance; members not listed have left
    in    {member: …}, out [member], at {member: state}     what has changed since the previous number
    ask   true: the receiver is to send all of its members, too
    look  true: runs or proposals have changed and are to be read again
    end   true: this instance is closed
An instance is one opening of a workspace on one worker. Not here: what follows from a message (`presence_gossip`,
`roster`), how it is sent (`ports.live`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NewType

import orjson

from draftsmith.collab.protocol import encode

MemberId = NewType("MemberId", str)
"""Of one open page in the roster."""
InstanceId = NewType("InstanceId", str)
"""Of one opening of a workspace on one worker."""

PresenceState = Mapping[str, Any]
"""Where somebody is, as their page sent it (`client_messages.PresenceState`)."""


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """One open page of somebody.

    Attributes:
        since: when it was opened, in milliseconds; decides only who keeps a colour or a name, so clocks need not agree.
        claim: number of the colour that it has or asks for.
        state: where it is.
        moved_at: number of its last move among those that this worker knows; 0 where it has not moved. Not sent.
    """

    id: str
    name: str
    kind: str
    since: int
    claim: int
    state: PresenceState
    moved_at: int = 0

    def to_json(self) -> dict[str, Any]:
        """The form in which other workers receive it."""
        return {
            "id": self.id, "name": self.name, "kind": self.kind,
            "since": self.since, "claim": self.claim, "state": self.state,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class GossipMessage:
    """One message of an instance; `members` is None where it contains only changes."""

    instance: InstanceId
    number: int
    members: Mapping[MemberId, RosterEntry] | None = None
    joined: Mapping[MemberId, RosterEntry] = field(default_factory=dict)
    left_members: Sequence[MemberId] = ()
    moved: Mapping[MemberId, PresenceState] = field(default_factory=dict)
    asks_for_all: bool = False
    runs_changed: bool = False
    is_last: bool = False

    def encode(self) -> bytes:
        """The bytes that are sent."""
        parts: dict[str, Any] = {
            "in": {member: entry.to_json() for member, entry in self.joined.items()},
            "out": list(self.left_members),
            "at": self.moved,
            "ask": self.asks_for_all,
            "look": self.runs_changed,
            "end": self.is_last,
        }
        shape: dict[str, Any] = {"l": self.instance, "n": self.number}
        shape |= {name: part for name, part in parts.items() if part}
        if self.members is not None:
            shape["all"] = {member: entry.to_json() for member, entry in self.members.items()}
        return encode(shape)


def read_gossip(content: bytes) -> GossipMessage:
    """Read what `GossipMessage.encode` wrote.

    Raises:
        ValueError: it is not of this form; another release may have sent it.
    """
    try:
        shape = orjson.loads(content)
        members = shape.get("all")
        return GossipMessage(
            instance=InstanceId(_text(shape["l"])),
            number=_number(shape["n"]),
            members=None if members is None else _entries(members),
            joined=_entries(shape.get("in", {})),
            left_members=tuple(MemberId(_text(member)) for member in shape.get("out", ())),
            moved={member: dict(state) for member, state in shape.get("at", {}).items()},
            asks_for_all=bool(shape.get("ask")),
            runs_changed=bool(shape.get("look")),
            is_last=bool(shape.get("end")),
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"not a gossip message: {error!r}") from error


def _entries(shape: Mapping[MemberId, Any]) -> dict[MemberId, RosterEntry]:
    return {member: _entry(entry) for member, entry in shape.items()}


def _entry(shape: Mapping[str, Any]) -> RosterEntry:
    id_, name, kind = (_text(shape[field]) for field in ("id", "name", "kind"))
    since, claim = _number(shape["since"]), _number(shape["claim"])
    return RosterEntry(id_, name, kind, since, claim, dict(shape["state"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise TypeError("not a number")
    return value
