"""Who is here and where they are, over all workers, with one colour and one name for each person.

Pure: time is passed in. Workers that know the same members compute the same names and colours. Not here: how workers
tell each other (`presence_gossip`), and when pages are sent what has changed (`room`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from draftsmith.collab.colors import assign_colors, color, preferred_color
from draftsmith.collab.gossip_message import GossipMessage, InstanceId, MemberId, PresenceState, RosterEntry
from draftsmith.collab.protocol import encode
from draftsmith.history.actor import Actor


class MemberRoster:
    """Everybody in one workspace, as one worker knows it.

    Attributes:
        version: grows whenever a member joins, leaves, or gets another name or colour.
        moves: grows whenever a member moves.
        local: the members on this worker.
        changed: local members that joined, left or changed since other workers were told.
        moved: local members that moved since other workers were told.
    """

    def __init__(self) -> None:
        self.version = self.moves = 0
        self.local: dict[MemberId, RosterEntry] = {}
        self.changed: set[MemberId] = set()
        self.moved: set[MemberId] = set()
        self._remote: dict[InstanceId, dict[MemberId, RosterEntry]] = {}
        self._listed: list[tuple[MemberId, str, str, str, int]] = []  # member, person, name, kind, number of the colour
        self._color_numbers: dict[str, int] = {}
        self._encoded: tuple[tuple[int, int], bytes] | None = None

    def join(self, member: MemberId, actor: Actor, now_ms: int) -> None:
        """Somebody has opened a page on this worker."""
        claim = self._color_numbers.get(actor.id)
        if claim is None:
            claim = assign_colors([*self._color_numbers.items(), (actor.id, preferred_color(actor.id))])[actor.id]
        self.local[member] = RosterEntry(actor.id, actor.name, actor.kind, now_ms, claim, {})
        self.changed.add(member)
        self._update()

    def leave(self, member: MemberId) -> None:
        """A page on this worker is gone."""
        if self.local.pop(member, None) is not None:
            self.changed.add(member)
            self._update()

    def rename(self, actor: Actor, now_ms: int) -> None:
        """A person has a new name, on all of their pages."""
        newest = max((entry.since for entry in self._everybody().values() if entry.id == actor.id), default=0)
        for member, entry in self.local.items():
            if entry.id == actor.id:  # as if it had just joined: the newest name of a person counts
                self.local[member] = replace(entry, name=actor.name, since=max(now_ms, newest + 1))
                self.changed.add(member)
        self._update()

    def move(self, member: MemberId, state: PresenceState) -> None:
        """A page on this worker says where it is."""
        if member in self.local:
            self.moves += 1
            self.local[member] = replace(self.local[member], state=state, moved_at=self.moves)
            self.moved.add(member)

    # -- members on other workers ------------------------------------------------------------------------------------

    def apply(self, message: GossipMessage) -> None:
        """Take over what a message says of another instance's members."""
        known = self._remote.setdefault(message.instance, {})
        joined = message.joined if message.members is None else message.members
        gone = [] if message.members is None else [member for member in known if member not in joined]
        for member in (*gone, *message.left_members):
            known.pop(member, None)
        for member, entry in joined.items():
            known[member] = self._with_number(known.get(member), entry)
        for member, state in message.moved.items():
            if member in known:
                self.moves += 1
                known[member] = replace(known[member], state=state, moved_at=self.moves)
        if joined or gone or message.left_members:
            self._update()

    def _with_number(self, before: RosterEntry | None, entry: RosterEntry) -> RosterEntry:
        """A received entry with the number of its last move."""
        if entry.state == ({} if before is None else before.state):
            return replace(entry, moved_at=0 if before is None else before.moved_at)
        self.moves += 1
        return replace(entry, moved_at=self.moves)

    def drop(self, instance: InstanceId) -> None:
        """An instance on another worker is closed or lost; its members have left."""
        if self._remote.pop(instance, None) is not None:
            self._update()

    # -- what pages are sent -----------------------------------------------------------------------------------------

    def members(self) -> list[dict[str, Any]]:
        """Everybody, in the order in which they joined: the members of a `roster` message."""
        everybody = self._everybody()
        return [
            {"member": member, "id": id_, "name": name, "kind": kind, "color": color(number),
             "state": everybody[member].state}
            for member, id_, name, kind, number in self._listed
        ]  # fmt: skip

    def message(self) -> bytes:
        """The encoded `roster` message."""
        key = (self.version, self.moves)
        if self._encoded is None or self._encoded[0] != key:
            self._encoded = key, encode({"t": "roster", "members": self.members()})
        return self._encoded[1]

    def color_of(self, person: str) -> str:
        """The colour that a person who is here has now."""
        return color(self._color_numbers[person])

    def moved_since(self, move: int) -> Iterator[tuple[MemberId, RosterEntry]]:
        """The members that have moved after the move of a number."""
        return ((member, entry) for member, entry in self._everybody().items() if entry.moved_at > move)

    def _everybody(self) -> Mapping[MemberId, RosterEntry]:
        if not self._remote:
            return self.local
        everybody = dict(self.local)
        for members in self._remote.values():
            everybody |= members
        return everybody

    def _update(self) -> None:
        """Compute who has which colour and name."""
        ordered = sorted(self._everybody().items(), key=lambda item: (item[1].since, item[0]))
        claims: dict[str, int] = {}
        for _, entry in ordered:
            claims.setdefault(entry.id, entry.claim)
        self._color_numbers = assign_colors(claims.items())
        for member, entry in self.local.items():
            if entry.claim != self._color_numbers[entry.id]:
                self.local[member] = replace(entry, claim=self._color_numbers[entry.id])
                self.changed.add(member)
        names = {entry.id: entry.name for _, entry in ordered}  # the newest counts
        listed = [
            (member, entry.id, names[entry.id], entry.kind, self._color_numbers[entry.id]) for member, entry in ordered
        ]
        if listed != self._listed:
            self._listed = listed
            self.version += 1
