"""What live updates need from the other use cases and from the ports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import Clock
from draftsmith.ports.live import Wakes
from draftsmith.ports.store import DataLossRisk
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.runs.assistant import Assistant

HEARTBEAT_S: Final = 5.0


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    """The use cases and ports behind the rooms of a worker.

    Attributes:
        store_risks: what pages are to be told that the store may lose.
        heartbeat: seconds between two checks of the log, of runs and of silent workers for which there is no reason.
    """

    workspaces: Workspaces
    wakes: Wakes
    assistant: Assistant
    proposals: Proposals
    clock: Clock
    limits: WorkspaceLimits
    store_risks: Callable[[], Sequence[DataLossRisk]] = tuple
    heartbeat: float = HEARTBEAT_S
