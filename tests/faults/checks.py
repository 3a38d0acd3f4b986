"""What must hold after every fault, whatever it was.

The log is read and folded here from its first entry, with the chain recomputed in Python. What clients were told and
what workers hold is compared with that and with nothing else.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from draftsmith.history.commit import GENESIS, Entry, Head, chain_hash
from draftsmith.history.replica import Replica, copy_workspace, replica_from, rewind
from draftsmith.model.workspace import Workspace, dump
from draftsmith.ports import CommitLog
from draftsmith.usecases.commits.workspaces import Workspaces
from tests.faults.load import Ledger

_PAGE = 500


@dataclass
class Line:
    """The log, and what it leads to at each revision.

    Attributes:
        entries: from revision 1 to the head.
        heads: by revision.
        digests: SHA-256 of `Replica.dump`, by revision.
        replica: at the head.
        epoch: of the log.
    """

    entries: list[Entry]
    heads: dict[int, Head]
    digests: dict[int, str]
    replica: Replica
    epoch: str

    @property
    def txids(self) -> dict[str, int]:
        return {entry.txid: entry.revision for entry in self.entries}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


async def check(
    log: CommitLog, w: str, ledger: Ledger, workers: Sequence[Workspaces], *, seed: str, may_lose: bool = False
) -> Line:
    """Check everything; the log as it was read.

    Args:
        log: a way to the store without faults.
        w: the workspace.
        ledger: what clients were told.
        workers: those that live, with whatever they hold now.
        seed: chooses where the log is cut.
        may_lose: whether acknowledged commits may be gone, as after a power cut under a weaker setting.
    """
    line = await read_line(log, w)
    check_snapshots(line, seed)
    check_way_back(line)
    check_ledger(line, ledger, may_lose=may_lose)
    for txid, revision in list(line.txids.items())[-200:]:
        assert await log.find(w, txid) == revision
    for worker in workers:
        await check_worker(worker, w, line)
    return line


async def read_line(log: CommitLog, w: str) -> Line:
    """Read a log and fold it: revisions without a gap, a chain that joins, no edge in the air at any revision."""
    meta = await log.meta(w)
    assert meta is not None
    assert meta.base == 0
    replica, chain = Replica(meta.head.epoch), GENESIS
    entries: list[Entry] = []
    heads, digests = {0: replica.head}, {0: digest(replica.dump())}
    while len(entries) < meta.head.revision:
        page = await log.entries(w, len(entries), meta.head.revision, _PAGE)
        assert page, "the log ends before its head"
        for entry in page:
            chain = chain_hash(chain, entry)
            assert (entry.revision, entry.chain) == (len(entries) + 1, chain)
            replica.advance(entry)
            check_sound(replica.workspace)
            entries.append(entry)
            heads[entry.revision], digests[entry.revision] = replica.head, digest(replica.dump())
    assert replica.head == meta.head
    assert meta.log_bytes == sum(len(entry.body) for entry in entries)
    summary = replica.workspace.summary()
    newest = orjson.loads(entries[-1].actor)["name"]
    assert meta.summary in (summary, {**summary, "changed_by": newest}), "a replaced log names nobody"
    return Line(entries, heads, digests, replica, meta.head.epoch)


def check_sound(workspace: Workspace) -> None:
    """No edge without its ends, no child without its group, and indexes that agree with the graph."""
    diagram = workspace.diagram
    for _, source, target, _ in diagram.edges():
        # The graph would make up a missing end by itself, as a node without a birth.
        assert "birth" in diagram[source]
        assert "birth" in diagram[target]
    for node, attributes in diagram.nodes().items():
        assert "birth" in attributes
        parent = attributes.get("parent")
        assert parent is None or parent in diagram
        assert node in diagram.children(parent)
    assert diagram.edge_count == len(list(diagram.edges()))


def check_snapshots(line: Line, seed: str) -> None:
    """A state stored at any revision and the entries after it lead to the same bytes as the whole log, stacks too."""
    cut = random.Random(seed).randint(0, len(line.entries))
    before = Replica(line.epoch)
    for entry in line.entries[:cut]:
        before.advance(entry)
    after = replica_from(before.dump(), before.head)
    for entry in line.entries[cut:]:
        after.advance(entry)
    assert after.head == line.replica.head
    assert after.stacks.to_json() == line.replica.stacks.to_json()
    assert after.dump() == line.replica.dump()


def check_way_back(line: Line) -> None:
    """All inverses, newest first, lead to an empty workspace."""
    assert dump(rewind(copy_workspace(line.replica.workspace), line.entries[::-1])) == dump(Workspace())


def check_ledger(line: Line, ledger: Ledger, *, may_lose: bool = False) -> None:
    """What was acknowledged is there exactly once, where it was said to be; what was refused is not there."""
    counts, places = Counter(entry.txid for entry in line.entries), line.txids
    twice = [txid for txid, count in counts.items() if count > 1]
    assert not twice, f"in the log twice: {twice}"
    lost = [txid for txid in ledger.made if txid not in places]
    assert may_lose or not lost, f"acknowledged and lost: {lost}"
    moved = [txid for txid, revision in ledger.made.items() if places.get(txid, revision) != revision]
    assert may_lose or not moved, f"not where they were said to be: {moved}"
    for name, never in (("refused", ledger.refused), ("said to change nothing", ledger.unmade)):
        there = [txid for txid in never if txid in places]
        assert not there, f"{name}, and yet in the log: {there}"


def lost_of(line: Line, ledger: Ledger) -> list[str]:
    """Commits that were acknowledged and are not there."""
    return [txid for txid in ledger.made if txid not in line.txids]


async def check_worker(worker: Workspaces, w: str, line: Line) -> None:
    """A worker's memory is what the log says, before it has looked at the log again and afterwards."""
    held = worker.writer(w)._local.replica
    if held is not None and line.heads.get(held.head.revision) == held.head:
        assert digest(held.dump()) == line.digests[held.head.revision]
    head, content, stacks = await worker.read(
        w, lambda replica: (replica.head, replica.dump(), replica.stacks.to_json())
    )
    assert head == line.replica.head
    assert stacks == line.replica.stacks.to_json()
    assert content == line.replica.dump()
