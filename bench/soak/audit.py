"""The log of each workspace, read while it grows, and compared with what clients were told.

Every entry is read before retention drops it, however long the soak takes, and its chain hash is computed here again:
what a killed process lost, doubled, changed or moved breaks the chain, the order or the sum.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from draftsmith.adapters.process.system import SystemClock
from draftsmith.history.actor import Actor
from draftsmith.history.commit import GENESIS, Entry, chain_hash
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import CommitLog, Meta
from draftsmith.usecases.requests.identity import identify

_PAGE = 500
_TXID_BYTES = 16
_CLOCK = SystemClock()


class Told(Protocol):
    """A client: what it was told, by the number of its request."""

    @property
    def told(self) -> Sequence[int]: ...

    def id_of(self, number: int) -> str: ...


@dataclass
class Line:
    """The log of one workspace, from its first entry on.

    Attributes:
        w: the workspace.
        ahead: entries before those of clients.
        chain: the hash at its end.
        actor: the id of who made all of it.
        kept: entries that the store still has.
    """

    w: WorkspaceId
    ahead: int
    chain: str = GENESIS
    actor: str = ""
    kept: int = 0
    _txids: bytearray = field(default_factory=bytearray)

    def __len__(self) -> int:
        return len(self._txids) // _TXID_BYTES

    def txid(self, revision: int) -> str:
        """The transaction at a revision; empty where there is none."""
        end = revision * _TXID_BYTES
        return self._txids[end - _TXID_BYTES : end].hex() if 0 < revision <= len(self) else ""

    def add(self, entry: Entry) -> None:
        """Take the next entry.

        Raises:
            AssertionError: it does not follow the one before.
        """
        self.chain = chain_hash(self.chain, entry)
        due = (len(self) + 1, self.chain)
        assert (entry.revision, entry.chain) == due, f"{self.w}: after {due[0] - 1} comes {entry.revision}"
        self.actor = self.actor or str(json.loads(entry.actor)["id"])
        self._txids += bytes.fromhex(entry.txid)

    async def read(self, log: CommitLog) -> None:
        """Read what is new.

        Raises:
            AssertionError: the log has changed where it was read already, has a gap, or does not end at its head.
        """
        meta: Meta | None = await log.meta(self.w)
        assert meta is not None, f"{self.w} is gone"
        head = meta.head.revision
        assert head >= len(self), f"{self.w} has gone back from {len(self)} to {head}"
        while len(self) < head:
            page = await log.entries(self.w, len(self), head, _PAGE)
            assert page, f"{self.w} ends before its head"
            for entry in page:
                self.add(entry)
        assert self.chain == meta.head.chain, f"{self.w} has another past at {head}"
        self.kept = head - meta.base

    def differences(self, clients: Sequence[Told]) -> list[str]:
        """What is not as clients were told: lost, elsewhere, twice, out of order, or never asked for.

        Every request of theirs is settled.
        """
        found = []
        actor = Actor(self.actor, "", "script")
        for client in clients:
            before = 0
            for number, revision in enumerate(client.told):
                name = client.id_of(number)
                if self.txid(revision) != identify(actor, name, _CLOCK).txid:
                    found.append(f"{name} was acknowledged as {revision}, and is not there")
                if revision <= before:
                    found.append(f"{name} at {revision} comes before what was sent before it")
                before = revision
        due = self.ahead + sum(len(client.told) for client in clients)
        if len(self) != due:
            found.append(f"{self.w}: {len(self)} commits in the log, {due} were acknowledged")
        different = {bytes(self._txids[at : at + _TXID_BYTES]) for at in range(0, len(self._txids), _TXID_BYTES)}
        if len(different) != len(self):
            found.append(f"{self.w}: {len(self) - len(different)} commits are in the log twice")
        return found
