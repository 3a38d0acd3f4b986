"""The rules of retention, on a clock that is set."""

from __future__ import annotations

import pytest

from draftsmith.history.commit import Head
from draftsmith.ports import Meta
from draftsmith.settings import Settings
from draftsmith.usecases.upkeep.retention import (
    DAY_MS,
    HOUR_MS,
    Policy,
    expired_states,
    is_due,
    policy_of,
    reason_to_keep,
)

POLICY = Policy()
NOW = 1_800_000_000_000 // DAY_MS * DAY_MS + DAY_MS // 2


def meta(revision: int, snap: int, log_bytes: int, snap_bytes: int, deleted_ms: int | None = None) -> Meta:
    return Meta(
        head=Head("e", revision, "h"),
        base=0,
        snap=snap,
        snap_prev=0,
        summary={},
        created_ms=0,
        updated_ms=0,
        deleted_ms=deleted_ms,
        log_bytes=log_bytes,
        snap_bytes=snap_bytes,
    )


@pytest.mark.parametrize(
    "revision,snap,log_bytes,snap_bytes,due",
    [
        (1_999, 0, 0, 0, False),
        (2_000, 0, 0, 0, True),
        (3_999, 2_000, 9_000_000, 9_000_000, False),
        (4_000, 2_000, 9_000_000, 9_000_000, True),
        (2_001, 2_000, 9_000_000 + (2 << 20) - 1, 9_000_000, False),
        (2_001, 2_000, 9_000_000 + (2 << 20), 9_000_000, True),
        (5, 0, 2 << 20, 0, True),
    ],
)
def test_a_snapshot_is_due_by_commits_or_bytes(
    revision: int, snap: int, log_bytes: int, snap_bytes: int, due: bool
) -> None:
    """Since the last one, whichever comes first; never for what lies in the trash."""
    assert is_due(meta(revision, snap, log_bytes, snap_bytes), POLICY) is due
    assert not is_due(meta(revision, snap, log_bytes, snap_bytes, deleted_ms=1), POLICY)


@pytest.mark.parametrize(
    "age_days,entries,size,goes",
    [
        (29.9, 20_000, 0, False),
        (30.1, 20_000, 0, True),
        (30.1, 10_001, 0, True),
        (365.0, 10_000, 1 << 40, False),
        (0.0, 50_000, 0, False),
        (0.0, 50_001, 0, True),
        (0.0, 10_001, 64 << 20, False),
        (0.0, 10_001, (64 << 20) + 1, True),
    ],
)
def test_the_oldest_commit_goes_by_age_number_or_size(age_days: float, entries: int, size: int, goes: bool) -> None:
    """But 10,000 stay whatever the rest says."""
    assert POLICY.is_too_much(int(age_days * DAY_MS), entries, size) is goes


def test_the_last_state_of_an_hour_and_of_a_day_is_kept() -> None:
    """A day's last is also its hour's last, and the longer life wins; what is too old is not kept at all."""
    at = NOW // HOUR_MS * HOUR_MS
    assert reason_to_keep(at, at + HOUR_MS - 1, NOW, POLICY) is None
    assert reason_to_keep(at - 1, at, NOW, POLICY) == "hour"
    assert reason_to_keep(at - 5 * HOUR_MS, at, NOW, POLICY) == "hour"
    midnight = NOW // DAY_MS * DAY_MS
    assert reason_to_keep(midnight - 1, midnight, NOW, POLICY) == "day"
    assert reason_to_keep(midnight - 8 * DAY_MS, midnight - 8 * DAY_MS + HOUR_MS, NOW, POLICY) is None
    assert reason_to_keep(midnight - 89 * DAY_MS - 1, midnight, NOW, POLICY) == "day"
    assert reason_to_keep(midnight - 91 * DAY_MS - 1, midnight, NOW, POLICY) is None


def test_a_clock_that_jumps_back_loses_nothing() -> None:
    """Every change of the hour counts, in either direction."""
    at = NOW // HOUR_MS * HOUR_MS
    assert reason_to_keep(at, at - 1, NOW, POLICY) == "hour"
    kept = [(5, at, "hour"), (9, at - 1, "hour"), (12, at + 5, "hour")]
    assert expired_states(kept, (), NOW, POLICY) == [5]


def test_states_age_out_hour_by_hour_then_day_by_day() -> None:
    """A state for every hour of 100 days: all of the last 7 days stay, then one a day for 90."""
    newest = NOW // HOUR_MS
    kept = [(number, number * HOUR_MS, "hour") for number in range(newest - 100 * 24, newest + 1)]
    gone = set(expired_states(kept, (), NOW, POLICY))
    stay = [ms for _, ms, _ in kept if ms // HOUR_MS not in gone]
    hourly = [ms for ms in stay if NOW - ms <= 7 * DAY_MS]
    daily = [ms for ms in stay if NOW - ms > 7 * DAY_MS]
    assert len(hourly) == 7 * 24 + 1
    assert [ms % DAY_MS for ms in daily[:-1]] == [23 * HOUR_MS] * (len(daily) - 1)
    assert 82 <= len(daily) <= 84
    again = [(ms // HOUR_MS, ms, "day") for ms in stay]
    assert expired_states(again, (), NOW, POLICY) == []


def test_states_of_checkpoints_stay_while_they_exist() -> None:
    """However old, and whatever reason is written on them; a dropped one stays only as its hour's or day's last."""
    old = NOW - 200 * DAY_MS
    at = NOW // HOUR_MS * HOUR_MS
    kept = [
        (1, old, "checkpoint:a"),
        (2, old + 1, "checkpoint:b"),
        (3, at - 5, "checkpoint:c"),
        (4, at - 4, "hour"),
        (5, at + 5, "checkpoint:d"),
    ]
    assert expired_states(kept, {1}, NOW, POLICY) == [2, 3]
    assert expired_states(kept, {1, 2, 3}, NOW, POLICY) == []
    assert expired_states(kept, (), NOW + 100 * DAY_MS, POLICY) == [1, 2, 3, 4, 5]


def test_the_policy_comes_from_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """With their defaults it is the documented one."""
    for name in ("RETAIN_DAYS", "RETAIN_MAX_ENTRIES", "RETAIN_MAX_BYTES", "RETAIN_MIN_ENTRIES",
                 "SNAPSHOT_EVERY_ENTRIES", "SNAPSHOT_EVERY_BYTES"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    assert policy_of(Settings()) == Policy()
    monkeypatch.setenv("RETAIN_MIN_ENTRIES", "7")
    assert policy_of(Settings()).min_entries == 7
