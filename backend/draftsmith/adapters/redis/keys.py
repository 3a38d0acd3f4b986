"""The names of keys and channels in the store.

Every key of a workspace carries the hash tag `{W}`, so that a cluster keeps them in one slot and one script may touch
them together. The index of all workspaces has a slot of its own, as have the list of runs in flight and each day's
counted usage.
"""

from __future__ import annotations

from draftsmith.model.ids import ProposalId, RunId, WorkspaceId

INDEX = "draftsmith:workspaces"
PING = "draftsmith:ping"
RUNS_IN_FLIGHT = "draftsmith:runs-in-flight"
ANY_META = "ws:{*}:meta"
_META_HEAD, _META_TAIL = "ws:{", "}:meta"


class WorkspaceKeys:
    """The keys of one workspace, a 26-character lower-case ULID."""

    __slots__ = (
        *("_stem", "answered", "answers", "channel", "claims", "kept", "lease", "log", "meta"),
        *("presence", "snaplock", "txn"),
        *("active_runs", "proposals", "runs", "runs_off", "edit_mode", "provider", "conversation"),
        *("access", "shares", "shares_used", "picture_shares", "audit"),
    )

    def __init__(self, workspace_id: WorkspaceId) -> None:
        stem = self._stem = f"ws:{{{workspace_id}}}:"
        self.meta = f"{stem}meta"
        self.log = f"{stem}log"
        self.txn = f"{stem}txn"
        self.answers = f"{stem}answers"
        self.answered = f"{stem}answered"
        self.claims = f"{stem}claims"
        self.lease = f"{stem}lease"
        self.snaplock = f"{stem}snaplock"
        self.kept = f"{stem}kept"
        self.channel = f"{stem}ch"
        self.presence = f"{stem}presence"
        self.runs = f"{stem}runs"
        self.active_runs = f"{stem}runs:active"
        self.runs_off = f"{stem}runs:off"
        self.edit_mode = f"{stem}runs:mode"
        self.provider = f"{stem}runs:provider"
        self.conversation = f"{stem}talks"
        self.proposals = f"{stem}proposals"
        self.access = f"{stem}access"
        self.shares = f"{stem}shares"
        self.shares_used = f"{stem}shares:used"
        self.picture_shares = f"{stem}shares:pictures"
        self.audit = f"{stem}audit"

    def snapshot(self, revision: int) -> str:
        """Name the snapshot of a revision."""
        return f"{self._stem}snap:{revision}"

    def kept_state(self, revision: int) -> str:
        """Name the kept state of a revision."""
        return f"{self._stem}kept:{revision}"

    def run(self, run_id: RunId) -> str:
        """Name a run of the assistant."""
        return f"{self._stem}run:{run_id}"

    def events(self, run_id: RunId) -> str:
        """Name the event stream of a run."""
        return f"{self._stem}events:{run_id}"

    def proposal(self, proposal_id: ProposalId) -> str:
        """Name a proposal."""
        return f"{self._stem}proposal:{proposal_id}"

    def agent_marks(self, agent_hash: str) -> str:
        """Name what an agent was shown."""
        return f"{self._stem}seen:{agent_hash}"

    def temporary(self, what: str, nonce: str) -> str:
        """Name a temporary value that a script will rename, or that expires."""
        return f"{self._stem}staged:{what}:{nonce}"


def workspace_of_meta(key: bytes) -> WorkspaceId:
    """Take the workspace id out of the name of a meta key."""
    return WorkspaceId(key.decode().removeprefix(_META_HEAD).removesuffix(_META_TAIL))


def usage_of_day(day: str) -> str:
    """Name the counted usage of a day, `YYYY-MM-DD`."""
    return f"draftsmith:usage:{day}"


def refused_of_agent(agent_hash: str) -> str:
    """Name the count of the calls of an agent that were refused in a row."""
    return f"draftsmith:agent:{agent_hash}:refused"
