"""How runs, endings and proposals stand in Redis, as bytes."""

from __future__ import annotations

from collections.abc import Sequence

from draftsmith.adapters.redis.run_limits import EVENTS_KEPT, RUN_KEPT_MS, TALKS_KEPT
from draftsmith.adapters.redis.run_values import pack, unpack
from draftsmith.model.ids import ProposalId, RunId
from draftsmith.ports.runs import Ending, ProposalRow, RunRow

PROPOSAL_FIELDS = ("status", "content", "outcome", "created_us", "expires")
_US = 1000


def ending_arguments(ending: Ending) -> list[bytes | str | int]:
    """Lay an ending out as the scripts expect it (`lua/run_prelude.lua`)."""
    talk = b"" if ending.talk is None else pack(ending.talk)
    limits = (RUN_KEPT_MS, EVENTS_KEPT, TALKS_KEPT)
    return [ending.status, pack(ending.outcome), talk, *limits, *map(pack, ending.events)]


def run_row(run_id: RunId, values: Sequence[bytes | None], now_ms: int) -> RunRow | None:
    """Read a run from its row as the scripts pass it on; None if there is none."""
    if values[0] is None:
        return None
    status, request, outcome, staged, worker, alive, created, updated = (value or b"" for value in values)
    return RunRow(
        id=run_id,
        status=status.decode(),
        request=unpack(request),
        outcome=unpack(outcome),
        staged=staged,
        worker=worker.decode(),
        alive_until_ms=int(alive),
        created_ms=int(created),
        updated_ms=int(updated),
        now_ms=now_ms,
    )


def proposal_row(proposal_id: ProposalId, values: Sequence[bytes | None]) -> ProposalRow | None:
    """Read a proposal from the values of `PROPOSAL_FIELDS`; None if there is none."""
    if values[0] is None:
        return None
    status, content, outcome, created_us, expires = (value or b"" for value in values)
    created_ms = int(created_us) // _US
    return ProposalRow(proposal_id, status.decode(), content, unpack(outcome), created_ms, int(expires))


def newest_first(proposals: Sequence[tuple[ProposalId, Sequence[bytes | None]]]) -> list[ProposalRow]:
    """Read many, and leave out those that are gone."""
    present = [(int(values[3] or 0), name, values) for name, values in proposals if values[0] is not None]
    rows = [proposal_row(name, values) for _, name, values in sorted(present, reverse=True)]
    return [row for row in rows if row is not None]
