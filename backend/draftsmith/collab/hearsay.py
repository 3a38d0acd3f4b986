"""What workers tell one another about who has a workspace open, as values and as bytes.

JSON: `{l: life, n: number}` with one or more of
    all   {member: {id, name, kind, since, claim, state}}   everybody here; whoever is missing has gone
    in    {member: …}, out [member], at {member: state}     what has changed since the last number
    ask   true: whoever hears this is to say everything, too
    look  true: something that is not in the log is to be looked at again
    end   true: this life is over
A life is one opening of a workspace on one worker. Not here: what is made of it (`roster`), how it is sent
(`ports.live`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from draftsmith.collab.protocol import encode

State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Present:
    """One open page of somebody.

    Attributes:
        since: when it came, milliseconds; decides only who keeps a colour or a name, so clocks need not agree.
        claim: number of the colour that it has or asks for.
        state: where it is, as the page said it.
        at: number of its last move among those that one worker knows; 0 where it has not moved.
    """

    id: str
    name: str
    kind: str
    since: int
    claim: int
    state: State
    at: int = 0

    def to_json(self) -> dict[str, Any]:
        """As other workers are told it."""
        return {
            "id": self.id, "name": self.name, "kind": self.kind,
            "since": self.since, "claim": self.claim, "state": self.state,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a worker says; `everybody` is None where it says only what has changed."""

    life: str
    number: int
    everybody: Mapping[str, Present] | None = None
    came: Mapping[str, Present] = field(default_factory=dict)
    out: Sequence[str] = ()
    moved: Mapping[str, State] = field(default_factory=dict)
    ask: bool = False
    look: bool = False
    end: bool = False

    def encode(self) -> bytes:
        """The bytes that are sent."""
        parts: dict[str, Any] = {
            "in": {member: one.to_json() for member, one in self.came.items()},
            "out": list(self.out),
            "at": self.moved,
            "ask": self.ask,
            "look": self.look,
            "end": self.end,
        }
        shape: dict[str, Any] = {"l": self.life, "n": self.number} | {name: one for name, one in parts.items() if one}
        if self.everybody is not None:
            shape["all"] = {member: one.to_json() for member, one in self.everybody.items()}
        return encode(shape)


def read_said(content: bytes) -> Said:
    """Read what `Said.encode` wrote.

    Raises:
        ValueError: it is not of this form; it may be of another release.
    """
    try:
        shape = orjson.loads(content)
        everybody = shape.get("all")
        return Said(
            _text(shape["l"]),
            _number(shape["n"]),
            None if everybody is None else _members(everybody),
            _members(shape.get("in", {})),
            tuple(_text(member) for member in shape.get("out", ())),
            {member: dict(state) for member, state in shape.get("at", {}).items()},
            *(bool(shape.get(name)) for name in ("ask", "look", "end")),
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"no word of a worker: {error!r}") from error


def _members(shape: Mapping[str, Any]) -> dict[str, Present]:
    return {member: _member(one) for member, one in shape.items()}


def _member(shape: Mapping[str, Any]) -> Present:
    id_, name, kind = (_text(shape[field]) for field in ("id", "name", "kind"))
    return Present(id_, name, kind, _number(shape["since"]), _number(shape["claim"]), dict(shape["state"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise TypeError("not a number")
    return value
