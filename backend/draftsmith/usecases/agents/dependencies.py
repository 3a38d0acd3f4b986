"""What the tools of agents need, and what each call is about."""

from __future__ import annotations

from dataclasses import dataclass

from draftsmith.access.roles import Role
from draftsmith.agents.texts import AgentTexts
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import Clock, CommitLog
from draftsmith.ports.agents import AgentStore
from draftsmith.usecases.agents.agent import Agent
from draftsmith.usecases.agents.presence import AgentPresence
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.runs.assistant import Assistant
from draftsmith.usecases.staging.suggestions import Suggestions
from draftsmith.usecases.upkeep.pictures import Pictures


@dataclass(frozen=True, kw_only=True)
class AgentDependencies:
    """The ports and use cases behind the tools.

    Attributes:
        pictures: draws diagrams; None where this installation cannot.
    """

    workspaces: Workspaces
    log: CommitLog
    proposals: Proposals
    suggestions: Suggestions
    store: AgentStore
    clock: Clock
    limits: WorkspaceLimits
    texts: AgentTexts
    presence: AgentPresence
    assistant: Assistant
    pictures: Pictures | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool about one workspace.

    Attributes:
        agent: who calls.
        role: what it may there.
        link: where people see the workspace.
    """

    agent: Agent
    workspace_id: WorkspaceId
    role: Role
    link: str

    def link_of(self, proposal_id: str) -> str:
        """Where people see a proposal: its card, opened in the workspace."""
        return f"{self.link}#proposal/{proposal_id}"
