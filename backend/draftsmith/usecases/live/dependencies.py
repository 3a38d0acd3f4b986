"""What every open room needs of the rest."""

from __future__ import annotations

from dataclasses import dataclass

from draftsmith.model.limits import Limits
from draftsmith.ports import Clock
from draftsmith.ports.live import Wakes
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.runs.assistant import Assistant


@dataclass(frozen=True)
class World:
    """The use cases and ports behind rooms; `heartbeat`: seconds between two looks that nobody asked for."""

    workspaces: Workspaces
    wakes: Wakes
    assistant: Assistant
    proposals: Proposals
    clock: Clock
    limits: Limits
    heartbeat: float
