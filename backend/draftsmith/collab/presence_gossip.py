"""Presence between workers: each worker sends its own members, nobody keeps a list for all.

A pure state machine: time is passed in, messages are bytes (`gossip_message`). Messages may be lost, doubled or late:
they are numbered, old numbers are ignored, a gap makes the receiver ask for everything, and everything is sent again
every few seconds. An instance that is silent for long counts as gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from draftsmith.collab.gossip_message import GossipMessage, InstanceId, read_gossip
from draftsmith.collab.roster import MemberRoster

SEND_ALL_S: Final = 4.5
"""Seconds between two messages with all members; a little less than a heartbeat, so that none comes too early."""
GONE_AFTER_S: Final = 15.0
_ASK_AGAIN_S: Final = 1.0
_MAX_ENDED: Final = 64


@dataclass(slots=True)
class _Peer:
    """What is known of an instance on another worker."""

    number: int
    heard_at: float


class PresenceGossip:
    """Keeps the remote part of a roster up to date, and tells other workers of the local part."""

    def __init__(self, instance: InstanceId, roster: MemberRoster) -> None:
        self._instance, self._roster = instance, roster
        self._number = 0
        self._peers: dict[InstanceId, _Peer] = {}
        self._ended: dict[InstanceId, None] = {}
        self._sent_all_at = self._asked_at = float("-inf")
        self._must_send_all = self._must_ask = True
        self._must_announce_runs = False

    def announce_runs(self) -> None:
        """Have other workers told that runs or proposals have changed."""
        self._must_announce_runs = True

    def receive(self, content: bytes, now: float) -> bool:
        """Take over what another worker has sent; return whether it says that runs or proposals have changed.

        What cannot be read is ignored: another release may have sent it.
        """
        try:
            message = read_gossip(content)
        except ValueError:
            return False
        if message.instance == self._instance or message.instance in self._ended:
            return False
        peer = self._peers.get(message.instance)
        if peer is not None and message.number <= peer.number:
            return False
        if message.is_last:
            self._end(message.instance)
            return False
        if message.members is None and (peer is None or message.number != peer.number + 1):
            self._ask(now)
        self._peers[message.instance] = _Peer(message.number, now)
        self._must_send_all = self._must_send_all or message.asks_for_all
        self._roster.apply(message)
        return message.runs_changed

    def drop_silent(self, now: float) -> None:
        """Drop the instances that have sent nothing for long; their worker may have been killed."""
        for instance in [instance for instance, peer in self._peers.items() if now - peer.heard_at > GONE_AFTER_S]:
            del self._peers[instance]
            self._roster.drop(instance)

    def _end(self, instance: InstanceId) -> None:
        self._ended[instance] = None
        while len(self._ended) > _MAX_ENDED:
            del self._ended[next(iter(self._ended))]
        self._peers.pop(instance, None)
        self._roster.drop(instance)

    def _ask(self, now: float) -> None:
        if now - self._asked_at >= _ASK_AGAIN_S:
            self._asked_at = now
            self._must_ask = self._must_send_all = True

    # -- what to send ------------------------------------------------------------------------------------------------

    def is_due(self, now: float) -> bool:
        """Whether there is something to send now; moves alone are sent only if other workers are known."""
        has_moves = bool(self._roster.moved and self._peers)
        return self._sends_all(now) or self._must_announce_runs or bool(self._roster.changed) or has_moves

    def _sends_all(self, now: float) -> bool:
        return self._must_send_all or now - self._sent_all_at >= SEND_ALL_S

    def next_message(self, now: float) -> bytes:
        """The message to send now."""
        roster, local = self._roster, self._roster.local
        self._number += 1
        if self._sends_all(now):
            message = GossipMessage(
                self._instance, self._number, local,
                asks_for_all=self._must_ask, runs_changed=self._must_announce_runs,
            )  # fmt: skip
            self._sent_all_at = now
            self._must_send_all = self._must_ask = False
        else:
            message = GossipMessage(
                self._instance,
                self._number,
                joined={member: local[member] for member in roster.changed if member in local},
                left_members=[member for member in roster.changed if member not in local],
                moved={member: local[member].state for member in roster.moved - roster.changed if member in local},
                runs_changed=self._must_announce_runs,
            )
        content = message.encode()
        self._must_announce_runs = False
        roster.changed.clear()
        roster.moved.clear()
        return content

    def last_message(self) -> bytes:
        """The message to send when this instance is closed."""
        self._number += 1
        return GossipMessage(self._instance, self._number, is_last=True).encode()
