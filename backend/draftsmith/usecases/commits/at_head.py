"""Work on the head of a workspace with all changes of the text since a base, without an `await` in between."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, chain_hash
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.transform.staged_operations import StagedOperation
from draftsmith.transform.steps.steps import text_step_of
from draftsmith.transform.steps.text import ChangeText, in_one
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.replicas.log_reader import reading_text_steps
from draftsmith.usecases.replicas.slices import in_slices

T = TypeVar("T")
_TRIES = 50
_MANY = 200  # text steps from which on they are composed; as many are composed without a pause


@dataclass(frozen=True, slots=True)
class Base:
    """The state that operations were staged on; `chain` tells it from a lost one of the same revision."""

    epoch: str
    revision: int
    chain: str = ""

    def to_json(self) -> list[Any]:
        """`[epoch, revision, chain]`."""
        return [self.epoch, self.revision, self.chain]


def base_of(replica: Replica) -> Base:
    """The state that a replica is in."""
    return Base(replica.head.epoch, replica.head.revision, replica.head.chain)


async def at_head(
    workspaces: Workspaces,
    workspace_id: WorkspaceId,
    base: Base | None,
    code: str,
    work: Callable[[Replica, Sequence[ChangeText]], T],
    *,
    is_fresh: bool = True,
    reads_text: bool = True,
) -> T:
    """Bring a workspace up to date and call `work` with its replica and the text steps since the base.

    `work` may change the workspace if it takes everything back; it must not keep what it is given. If it raises
    anything but a DraftsmithError, the replica may be damaged and is dropped.

    Args:
        workspaces: of this worker.
        workspace_id: which one.
        base: where the text steps begin; None for no text steps.
        code: of the refusals below.
        work: called without an `await` after the last look at the log.
        is_fresh: whether the head of the log is asked for; else it is the one that this worker knows.
        reads_text: whether `work` uses the text steps; else the log is not read, however old the base is.

    Raises:
        DraftsmithError: `code` if the base is of another history, `trimmed` if it is no longer kept, `busy`.
    """
    replica, log = await workspaces.log_reader(workspace_id, is_fresh=is_fresh)
    later: list[ChangeText] = []
    reached = base
    for _ in range(_TRIES):
        if reached is not None:
            check_base(replica, reached, code)
        if reached is None or not reads_text or reached.revision == replica.head.revision:
            return _call_work(workspaces, workspace_id, replica, later, work)
        entries = await log.entries_after(reached.revision)
        check_joins(reached, entries, code)
        later += await in_slices(reading_text_steps(entries))
        later = await composed_if_many(later)
        last = entries[-1]
        reached = Base(reached.epoch, last.revision, last.chain)
        replica, log = await workspaces.log_reader(
            workspace_id, is_fresh=False
        )  # it may have moved meanwhile, or been read anew
    raise DraftsmithError("busy", "Too many others are writing here; nothing was applied. Try again.")


def _call_work(
    workspaces: Workspaces,
    workspace_id: WorkspaceId,
    replica: Replica,
    later: Sequence[ChangeText],
    work: Callable[[Replica, Sequence[ChangeText]], T],
) -> T:
    try:
        return work(replica, later)
    except DraftsmithError:
        raise
    except Exception:
        workspaces.forget(workspace_id)  # memory may be half changed; the log has everything
        raise


def check_base(replica: Replica, base: Base, code: str) -> None:
    """Refuse what was staged on another history.

    Raises:
        DraftsmithError: `code`.
    """
    head = replica.head
    is_lost = base.chain and head.revision == base.revision and head.chain != base.chain
    if head.epoch != base.epoch or head.revision < base.revision or is_lost:
        raise _of_another_history(code)


def check_joins(base: Base, entries: Sequence[Entry], code: str) -> None:
    """Refuse what was staged on a state that the log has lost since, so that the entries do not follow it.

    Raises:
        DraftsmithError: `code`.
    """
    if base.chain and entries and chain_hash(base.chain, entries[0]) != entries[0].chain:
        raise _of_another_history(code)


def _of_another_history(code: str) -> DraftsmithError:
    message = "The workspace was recovered from a backup meanwhile, so this no longer belongs to it."
    return DraftsmithError(code, message, extra={"conflicts": []})


def have_text(staged: Iterable[StagedOperation]) -> bool:
    """Whether any of these operations changes the text."""
    return any(text_step_of(one.steps) is not None for one in staged)


async def composed_if_many(steps: list[ChangeText]) -> list[ChangeText]:
    """Text steps that follow one another; many are composed into one, in slices."""
    return [await in_slices(_composing(steps))] if len(steps) > _MANY else steps


def _composing(steps: Sequence[ChangeText]) -> Generator[None, None, ChangeText]:
    parts: list[ChangeText] = []
    for start in range(0, len(steps), _MANY):
        parts.append(in_one(steps[start : start + _MANY]))
        yield
    return in_one(parts)
