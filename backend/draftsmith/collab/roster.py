"""Who is here and where they are, over all workers: each worker tells its own members, nobody keeps a list for all.

A pure state machine: time is passed in, what comes from others and what is to be sent to them is bytes (`hearsay`).
What one worker tells others may be lost, doubled or late: it is numbered, so what is old counts for nothing, and
everything is said again every few seconds. Who says nothing for long has gone. Every worker that knows the same
members works out the same names and colours. Not here: what a page is told, and when (`room`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from draftsmith.collab.colors import color, preferred, shared_out
from draftsmith.collab.hearsay import Present, Said, State, read_said
from draftsmith.history.actor import Actor

SAY_ALL_S: Final = 4.5
"""A little less than the time between two looks of a room, so that none of them comes just too early."""
GONE_AFTER_S: Final = 15.0
_ASK_AGAIN_S: Final = 1.0
_ENDED_KEPT: Final = 64


@dataclass(slots=True)
class _Elsewhere:
    """What is known of one life on another worker."""

    number: int
    heard_at: float
    members: dict[str, Present] = field(default_factory=dict)


class Roster:
    """Everybody in one workspace, as one worker knows it.

    Attributes:
        version: grows whenever somebody comes, goes, or gets another name or colour.
        moves: grows whenever somebody moves.
    """

    def __init__(self, life: str) -> None:
        self.version = self.moves = 0
        self._life, self._number = life, 0
        self._here: dict[str, Present] = {}
        self._elsewhere: dict[str, _Elsewhere] = {}
        self._ended: dict[str, None] = {}
        self._listed: list[tuple[str, str, str, str, int]] = []  # member, person, name, kind, number of the colour
        self._numbers: dict[str, int] = {}
        self._said_all_at = self._asked_at = float("-inf")
        self._must_say_all = self._must_ask = True
        self._must_hint = False
        self._changed: set[str] = set()
        self._moved: set[str] = set()

    # -- one's own ---------------------------------------------------------------------------------------------------

    def join(self, member: str, actor: Actor, now_ms: int) -> None:
        """Somebody has opened a page here."""
        claim = self._numbers.get(actor.id)
        if claim is None:
            claim = shared_out([*self._numbers.items(), (actor.id, preferred(actor.id))])[actor.id]
        self._here[member] = Present(actor.id, actor.name, actor.kind, now_ms, claim, {})
        self._changed.add(member)
        self._settle()

    def leave(self, member: str) -> None:
        """The page is gone."""
        if self._here.pop(member, None) is not None:
            self._changed.add(member)
            self._settle()

    def rename(self, actor: Actor, now_ms: int) -> None:
        """Somebody has another name now, on all of their pages."""
        newest = max((one.since for one in self._everybody().values() if one.id == actor.id), default=0)
        for member, one in self._here.items():
            if one.id == actor.id:  # as if it had come anew: the newest name of a person counts
                self._here[member] = replace(one, name=actor.name, since=max(now_ms, newest + 1))
                self._changed.add(member)
        self._settle()

    def move(self, member: str, state: State) -> None:
        """A page here says where it is."""
        if member in self._here:
            self.moves += 1
            self._here[member] = replace(self._here[member], state=state, at=self.moves)
            self._moved.add(member)

    def hint(self) -> None:
        """Have other workers told to look again at what is not in the log."""
        self._must_hint = True

    # -- others ------------------------------------------------------------------------------------------------------

    def receive(self, content: bytes, now: float) -> bool:
        """Take in what another worker has sent; whether it hints that there is something to look at.

        What cannot be read is passed over: it may be of another release.
        """
        try:
            said = read_said(content)
        except ValueError:
            return False
        if said.life == self._life or said.life in self._ended:
            return False
        known = self._elsewhere.get(said.life)
        if known is not None and said.number <= known.number:
            return False
        if said.end:
            self._forget(said.life)
            return False
        if said.everybody is None and (known is None or said.number != known.number + 1):
            self._ask(now)
        if known is None:
            known = self._elsewhere[said.life] = _Elsewhere(said.number, now)
        known.number, known.heard_at = said.number, now
        self._must_say_all = self._must_say_all or said.ask
        self._take_in(known, said)
        return said.look

    def _take_in(self, known: _Elsewhere, said: Said) -> None:
        came = said.came if said.everybody is None else said.everybody
        gone = [] if said.everybody is None else [member for member in known.members if member not in came]
        for member in (*gone, *said.out):
            known.members.pop(member, None)
        for member, one in came.items():
            known.members[member] = self._met(known.members.get(member), one)
        for member, state in said.moved.items():
            if member in known.members:
                self.moves += 1
                known.members[member] = replace(known.members[member], state=state, at=self.moves)
        if came or gone or said.out:
            self._settle()

    def _met(self, before: Present | None, now: Present) -> Present:
        """Somebody as told, with the number of the last move."""
        if now.state == ({} if before is None else before.state):
            return replace(now, at=0 if before is None else before.at)
        self.moves += 1
        return replace(now, at=self.moves)

    def drop_silent(self, now: float) -> None:
        """Whoever has said nothing for long is gone, killed perhaps."""
        for life in [life for life, one in self._elsewhere.items() if now - one.heard_at > GONE_AFTER_S]:
            del self._elsewhere[life]
            self._settle()

    def _forget(self, life: str) -> None:
        self._ended[life] = None
        while len(self._ended) > _ENDED_KEPT:
            del self._ended[next(iter(self._ended))]
        if self._elsewhere.pop(life, None) is not None:
            self._settle()

    def _ask(self, now: float) -> None:
        if now - self._asked_at >= _ASK_AGAIN_S:
            self._asked_at = now
            self._must_ask = self._must_say_all = True

    # -- what to send ------------------------------------------------------------------------------------------------

    def has_to_say(self, now: float) -> bool:
        """Whether others are to be told something now; where somebody is counts only if there are others."""
        is_heard_moving = bool(self._moved and self._elsewhere)
        return self._says_all(now) or self._must_hint or bool(self._changed) or is_heard_moving

    def _says_all(self, now: float) -> bool:
        return self._must_say_all or now - self._said_all_at >= SAY_ALL_S

    def say(self, now: float) -> bytes:
        """What others are to be told now."""
        self._number += 1
        if self._says_all(now):
            said = Said(self._life, self._number, self._here, ask=self._must_ask, look=self._must_hint)
            self._said_all_at = now
            self._must_say_all = self._must_ask = False
        else:
            here = self._here
            came = {member: here[member] for member in self._changed if member in here}
            out = [member for member in self._changed if member not in here]
            moved = {member: here[member].state for member in self._moved - self._changed if member in here}
            said = Said(self._life, self._number, None, came, out, moved, look=self._must_hint)
        content = said.encode()
        self._must_hint = False
        self._changed.clear()
        self._moved.clear()
        return content

    def say_end(self) -> bytes:
        """The last word of this life."""
        self._number += 1
        return Said(self._life, self._number, end=True).encode()

    # -- what pages are told -----------------------------------------------------------------------------------------

    def members(self) -> list[dict[str, Any]]:
        """Everybody, those who came first before the others: the members of a `roster` message."""
        everybody = self._everybody()
        return [
            {"member": member, "id": id_, "name": name, "kind": kind, "color": color(number),
             "state": everybody[member].state}
            for member, id_, name, kind, number in self._listed
        ]  # fmt: skip

    def color_of(self, person: str) -> str:
        """The colour that somebody who is here has now."""
        return color(self._numbers[person])

    def moved_since(self, moves: int) -> Iterator[tuple[str, Present]]:
        """Those who have moved since."""
        return ((member, one) for member, one in self._everybody().items() if one.at > moves)

    def _everybody(self) -> Mapping[str, Present]:
        if not self._elsewhere:
            return self._here
        everybody = dict(self._here)
        for one in self._elsewhere.values():
            everybody |= one.members
        return everybody

    def _settle(self) -> None:
        """Work out who has which colour and name."""
        ordered = sorted(self._everybody().items(), key=lambda item: (item[1].since, item[0]))
        claims: dict[str, int] = {}
        for _, one in ordered:
            claims.setdefault(one.id, one.claim)
        self._numbers = shared_out(claims.items())
        for member, one in self._here.items():
            if one.claim != self._numbers[one.id]:
                self._here[member] = replace(one, claim=self._numbers[one.id])
                self._changed.add(member)
        names = {one.id: one.name for _, one in ordered}  # the newest counts
        listed = [(member, one.id, names[one.id], one.kind, self._numbers[one.id]) for member, one in ordered]
        if listed != self._listed:
            self._listed = listed
            self.version += 1
