"""Draw what runs, and compare it with a workspace. Nothing is changed here: what comes of it is a proposal.

Only made where a plugin is registered. Not here: where it is read (`workload_sources`), how it is compared
(`draftsmith.workloads`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, cast

import orjson

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import Batch, parsing_batch
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.shapes import ProposalFull
from draftsmith.usecases.replicas.slices import in_slices
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.from_input import common
from draftsmith.usecases.requests.identity import RequestIdentity
from draftsmith.usecases.staging.suggestions import Suggestions
from draftsmith.usecases.workloads.workload_sources import WorkloadSources
from draftsmith.workloads.comparison import compare, explanation_of, operations_of, rows_to_draw
from draftsmith.workloads.reading import ClusterReading
from draftsmith.workloads.shapes import WorkloadComparisonOut

_LARGE: Final = 500
"""Workloads and connections from which on a comparison takes long."""


@dataclass(frozen=True)
class RunningWorkloads:
    """What runs, beside the workspaces."""

    sources: WorkloadSources
    workspaces: Workspaces
    suggestions: Suggestions
    limits: WorkspaceLimits

    async def compare(
        self, workspace_id: WorkspaceId, plugin: str | None, namespaces: Sequence[str] | None
    ) -> WorkloadComparisonOut:
        """Read what runs, and compare it with a workspace as it is then.

        Raises:
            DraftsmithError: `workspace_not_found`; as `WorkloadSources.read`.
        """
        await self.workspaces.meta(workspace_id)  # nobody is asked for a workspace that is not there
        name, reading = await self.sources.read(plugin, namespaces)
        is_long = len(reading.workloads) + len(reading.connections) > _LARGE
        compared = partial(_compare, name, reading)
        head, content = await self.workspaces.compute(workspace_id, compared, is_long=is_long)
        return cast(WorkloadComparisonOut, {**orjson.loads(content), "revision": head.revision})

    async def draw(
        self,
        workspace_id: WorkspaceId,
        identity: RequestIdentity,
        actor: Actor,
        plugin: str | None,
        namespaces: Sequence[str] | None,
    ) -> ProposalFull:
        """Propose to draw everything that runs and is not drawn; a repeat is answered with the same proposal.

        Raises:
            DraftsmithError: as `compare`; `nothing_to_draw`; `invalid_request` if it is too much for one batch;
                `stale_base` if somebody changed what it builds on meanwhile; as `Suggestions.make`.
        """
        asked = BatchRequest(
            **common(identity, actor, ["workloads", plugin, namespaces and list(namespaces)]),
            batch=Batch(()), limits=self.limits, dry_run=True,
        )  # fmt: skip
        if identity.is_given:
            before = await self.suggestions.find_repeated(workspace_id, asked)
            if before is not None:
                return before
        compared = await self.compare(workspace_id, plugin, namespaces)
        operations = operations_of(rows_to_draw(compared["rows"]))
        self._check(operations)
        batch = await in_slices(parsing_batch(operations, self.limits))
        request = replace(asked, batch=batch, base=compared["revision"], explanation=explanation_of(compared))
        return await self.suggestions.make(workspace_id, request, operations)

    def _check(self, operations: Sequence[object]) -> None:
        if not operations:
            raise DraftsmithError("nothing_to_draw", "Everything that was read is drawn already, or could be.")
        if len(operations) > self.limits.operations:
            message = (
                f"To draw this takes {len(operations):,} operations, and a proposal may have"
                f" {self.limits.operations:,}; name fewer namespaces."
            )
            problem = Problem(-1, "", "limit_operations", "/namespaces", message)
            raise DraftsmithError("invalid_request", message, [problem])


def _compare(plugin: str, reading: ClusterReading, workspace: Workspace) -> bytes:
    """A comparison as JSON, but for its revision; for another process, too."""
    found = compare(workspace.diagram, reading)
    return orjson.dumps(
        {
            "plugin": plugin,
            "cluster": reading.cluster,
            "read_at": reading.read_at,
            "namespaces": list(dict.fromkeys(reading.namespaces)),
            "incomplete": list(dict.fromkeys([*reading.incomplete, *found.notes])),
            "fitting_lines": found.fitting_lines,
            "rows": found.rows,
        }
    )
