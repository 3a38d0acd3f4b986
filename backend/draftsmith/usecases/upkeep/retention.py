"""The retention policy: when a snapshot is due, which commits and kept states are dropped. Pure; no store, no clock.

Commits: those of the last 30 days, but at most 50,000 or 64 MiB, and 10,000 whatever the rest says. Whole states, from
which revisions older than that are shown: the last of every hour for 7 days, the last of every day for 90, and that
of every checkpoint for as long as it exists. Hours and days are those of UTC, by the store's clock.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from draftsmith.ports import Meta

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
Kept = tuple[int, int, str]
"""A kept state as the log lists it: revision, milliseconds, reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The limits of retention.

    Attributes:
        every_entries, every_bytes: commits, or bytes of them, after which a new snapshot is due.
        retain_days: days that a commit stays.
        max_entries, max_bytes: most commits, and bytes of them, that stay.
        min_entries: commits that stay whatever the rest says.
        hourly_days, daily_days: days that the last state of an hour, of a day stays.
    """

    every_entries: int = 2_000
    every_bytes: int = 2 << 20
    retain_days: int = 30
    max_entries: int = 50_000
    max_bytes: int = 64 << 20
    min_entries: int = 10_000
    hourly_days: int = 7
    daily_days: int = 90

    def is_too_much(self, age_ms: int, entries: int, size: int) -> bool:
        """Whether the oldest commit is to be dropped.

        Args:
            age_ms: how old it is.
            entries: how many commits there are, with it.
            size: bytes of them, with it.
        """
        if entries <= self.min_entries:
            return False
        return age_ms > self.retain_days * DAY_MS or entries > self.max_entries or size > self.max_bytes


class RetentionSettings(Protocol):
    """The settings that make a policy."""

    @property
    def retain_days(self) -> int: ...  # noqa: D102  # described in settings
    @property
    def retain_max_entries(self) -> int: ...  # noqa: D102
    @property
    def retain_max_bytes(self) -> int: ...  # noqa: D102
    @property
    def retain_min_entries(self) -> int: ...  # noqa: D102
    @property
    def snapshot_every_entries(self) -> int: ...  # noqa: D102
    @property
    def snapshot_every_bytes(self) -> int: ...  # noqa: D102


def policy_of(settings: RetentionSettings) -> Policy:
    """Make the policy that settings ask for."""
    return Policy(
        every_entries=settings.snapshot_every_entries,
        every_bytes=settings.snapshot_every_bytes,
        retain_days=settings.retain_days,
        max_entries=settings.retain_max_entries,
        max_bytes=settings.retain_max_bytes,
        min_entries=settings.retain_min_entries,
    )


def is_due(meta: Meta, policy: Policy) -> bool:
    """Whether a snapshot is due."""
    if meta.deleted_ms is not None:
        return False
    entries = meta.head.revision - meta.snap
    return entries >= policy.every_entries or meta.log_bytes - meta.snap_bytes >= policy.every_bytes


def reason_to_keep(ms: int, next_ms: int, now_ms: int, policy: Policy) -> str | None:
    """Why the state after a commit is kept, if it is: it was the last of its hour or day, not too long ago.

    Args:
        ms: when the commit was made.
        next_ms: when the next one was.
        now_ms: now.
        policy: what stays.
    """
    age = now_ms - ms
    if ms // DAY_MS != next_ms // DAY_MS and age <= policy.daily_days * DAY_MS:
        return "day"
    if ms // HOUR_MS != next_ms // HOUR_MS and age <= policy.hourly_days * DAY_MS:
        return "hour"
    return None


def expired_states(states: Sequence[Kept], held_revisions: Collection[int], now_ms: int, policy: Policy) -> list[int]:
    """The revisions of kept states that may be dropped.

    The reason is not looked at, because one state may have several: the newest kept state of an hour is the last of
    that hour, and so with days; while the hour still runs it may not be, and stays until a newer one has come.

    Args:
        states: all kept states.
        held_revisions: revisions of checkpoints that exist.
        now_ms: now.
        policy: what stays.
    """
    stay = set(held_revisions)
    for period, days in ((HOUR_MS, policy.hourly_days), (DAY_MS, policy.daily_days)):
        newest = {ms // period: (revision, ms) for revision, ms, _ in sorted(states)}
        stay.update(revision for revision, ms in newest.values() if now_ms - ms <= days * DAY_MS)
    return [revision for revision, _, _ in sorted(states) if revision not in stay]
