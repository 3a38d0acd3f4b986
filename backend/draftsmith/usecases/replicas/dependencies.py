"""What every writer of a worker uses."""

from __future__ import annotations

from dataclasses import dataclass

from draftsmith.ports import Clock, CommitLog


@dataclass(slots=True)
class Counters:
    """What happened, for metrics."""

    commits: int = 0
    groups: int = 0
    conflicts: int = 0
    repeats: int = 0
    reloads: int = 0
    unknown: int = 0
    prepared_again: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterDependencies:
    """The log, the clock, and how this worker is called.

    Attributes:
        worker: its name, for leases.
    """

    log: CommitLog
    clock: Clock
    worker: str
    counters: Counters
