"""How runs and endings stand in Redis, as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from draftsmith.adapters.redis.assistant.run_limits import EVENTS_KEPT, RUN_KEPT_MS, TURNS_KEPT
from draftsmith.adapters.redis.assistant.run_values import pack, unpack
from draftsmith.model.ids import RunId
from draftsmith.ports.approvals import Verdict, approval_from_json
from draftsmith.ports.run_outcomes import OutcomeOut
from draftsmith.ports.runs import Ending, GivenRating, Rating, RunRequest, RunRow


def ending_arguments(ending: Ending) -> list[bytes | str | int]:
    """The arguments of an ending as the scripts expect them (`lua/run_prelude.lua`)."""
    turn = b"" if ending.turn is None else pack(ending.turn)
    limits = (RUN_KEPT_MS, EVENTS_KEPT, TURNS_KEPT)
    return [ending.status, pack(ending.outcome), turn, *limits, *map(pack, ending.events)]


def run_row(run_id: RunId, values: Sequence[bytes | None], now_ms: int) -> RunRow | None:
    """Read a run from a row as the scripts return it; None if there is none."""
    if values[0] is None:
        return None
    status, request, outcome, staged, worker, alive, created, updated, rated, approval, verdict = (
        value or b"" for value in values
    )
    return RunRow(
        id=run_id,
        status=status.decode(),
        request=cast(RunRequest, unpack(request)),
        outcome=cast(OutcomeOut, unpack(outcome)),
        staged=staged,
        worker=worker.decode(),
        alive_until_ms=int(alive),
        created_ms=int(created),
        updated_ms=int(updated),
        now_ms=now_ms,
        rating=None if (given := given_rating(rated)) is None else given.rating,
        approval=approval_from_json(unpack(approval)) if approval else None,
        verdict=verdict_of(verdict),
    )


def given_rating(content: bytes) -> GivenRating | None:
    """Read a rating as it stands in a run; None if there is none."""
    rating, _, day = content.decode().partition(" ")
    return GivenRating(cast(Rating, rating), day) if rating else None


def verdict_of(content: bytes) -> Verdict | None:
    """Read the answer to a call that waits, as it stands in a run; None if there is none."""
    said, _, by = content.decode().partition(" ")
    return Verdict(said == "yes", by) if said else None
