"""What all runs of one worker share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from draftsmith.assistant.loop import RunLimits
from draftsmith.assistant.patterns.pattern import Pattern
from draftsmith.assistant.prompts import PromptSet
from draftsmith.ports import Clock
from draftsmith.ports.runs import DebugLog, EditMode, RunStore
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.providers.providers import Providers
from draftsmith.usecases.runs.finish import RunFinisher
from draftsmith.usecases.usage.metering import Metering

if TYPE_CHECKING:  # nothing of plugins is imported where none is registered
    from draftsmith.usecases.plugins.plugins import Plugins


@dataclass(kw_only=True)
class RunDependencies:
    """The stores, providers and limits that runs work with.

    Attributes:
        prompts: gives the prompts of a workflow.
        run_limits: where a run is stopped.
        edit_mode: how models edit where neither request nor workspace says (EDIT_MODE).
        patterns: those that models and people search.
        debug: keeps debug records of runs; None: nothing does.
        plugins: the registered plugins; None: there are none.
    """

    workspaces: Workspaces
    store: RunStore
    providers: Providers
    metering: Metering
    prompts: Callable[[str], PromptSet]
    run_limits: RunLimits
    clock: Clock
    edit_mode: EditMode = "tools"
    debug: DebugLog | None = None
    patterns: Sequence[Pattern] = ()
    plugins: Plugins | None = None

    @property
    def finisher(self) -> RunFinisher:
        """What carries decisions out."""
        return RunFinisher(self.workspaces, self.store, self.workspaces.limits)

    @property
    def worker(self) -> str:
        """The name of this worker."""
        return self.workspaces.worker
