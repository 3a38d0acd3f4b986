"""What a soak has found, and how it is told."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.soak.clients import Tally
from tests.hostile.serving import MIB

TENTHS = 10


@dataclass
class Tenth:
    """The most of everything in one tenth of a run.

    Attributes:
        told: commits acknowledged when it was over.
        second: of the run, when it was over.
        server, store: bytes of memory.
        stored: bytes of files.
        kept: commits that the logs hold at its end.
    """

    told: int = 0
    second: float = 0.0
    server: int = 0
    store: int = 0
    stored: int = 0
    kept: int = 0


@dataclass
class Outcome:
    """What came of a run.

    Attributes:
        ready: seconds from each start until the server said that it is ready.
        resumed: seconds from each kill until the next acknowledged commit.
        killed: processes that were killed, by kind.
        kills: how often everything was killed.
        longest: the most commits that one log holds, and the most that one ever had.
        findings: what may not be; the run has failed if there are any.
    """

    tally: Tally = field(default_factory=Tally)
    ready: list[float] = field(default_factory=list)
    resumed: list[float] = field(default_factory=list)
    killed: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    tenths: list[Tenth] = field(default_factory=list)
    seconds: float = 0.0
    commits: int = 0
    longest: tuple[int, int] = (0, 0)
    findings: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The report, as lines of text and a table."""
        tally = self.tally
        codes = ", ".join(f"{count} {code}" for code, count in sorted(tally.codes.items())) or "none"
        killed = ", ".join(f"{count} {kind}" for kind, count in sorted(self.killed.items())) or "none"
        rate = tally.told / self.seconds if self.seconds else 0.0
        return [
            f"{tally.told} commits acknowledged in {self.seconds:.0f} s, {rate:.0f} a second; logs have {self.commits}",
            f"everything killed {self.kills} times: {killed}",
            f"requests cut off {tally.cut}, of which {tally.found} had been committed; refusals: {codes}",
            f"acknowledged batches sent once more: {tally.repeats}, each answered as before",
            f"from start to ready: {_spread(self.ready)}; from kill to the next commit: {_spread(self.resumed)}",
            f"the longest log holds {self.longest[0]} commits; the most made in one workspace: {self.longest[1]}",
            "",
            *self._table(),
        ]

    def _table(self) -> list[str]:
        rows = [
            "| Commits | After | Memory of the server | of the store | Files of the store | Kept |",
            "|---" * 6 + "|",
        ]
        rows += [
            f"| {one.told:,} | {one.second:.0f} s | {one.server // MIB} MB | {one.store // MIB} MB "
            f"| {one.stored // MIB} MB | {one.kept:,} |"
            for one in self.tenths
        ]
        return rows


def _spread(seconds: Sequence[float]) -> str:
    if not seconds:
        return "none"
    return f"median {statistics.median(seconds):.1f} s, longest {max(seconds):.1f} s"
