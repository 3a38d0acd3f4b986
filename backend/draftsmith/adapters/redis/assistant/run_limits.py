"""How much of runs, events and conversations every store keeps; the contract suite tests it on each adapter."""

from __future__ import annotations

from typing import Final

DAY_MS: Final = 24 * 3_600_000
RUN_KEPT_MS: Final = 7 * DAY_MS
"""How long a run and its events stay after it is over."""
USAGE_KEPT_MS: Final = 90 * DAY_MS
EVENTS_KEPT: Final = 10_000
TURNS_KEPT: Final = 500
RUNS_KEPT: Final = 1_000
"""The newest of a workspace; older ones that are over go before their 7 days, those that are not over stay."""
RUNS_SLACK: Final = 64
"""How many more there may be before the oldest are dropped, so that not every new run has to drop one."""
