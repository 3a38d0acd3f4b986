"""Counted work: what one request may cost, by what it reads and makes and never by a clock.

A unit is about what it costs to look at one character with a pattern (20 ns on the machine of docs/performance.md).
What is expensive is spent before it is done, so that nothing is begun that cannot be paid. Accepted commits are
replayed, loaded and undone without any of this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FULL: Final = 100_000_000
"""Units that a request may spend by default; about two seconds."""

TRIAL: Final = 500_000
"""Units that may be spent while everybody else waits; about 10 ms."""


class TooCostly(Exception):
    """A request would cost more than it may. `what`: the work that was too much, as a noun phrase."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class NeedsMore(Exception):
    """A request costs more than may be spent where it was tried; elsewhere it may fit."""


@dataclass(slots=True)
class Work:
    """The work of one request.

    Attributes:
        limit: units that may be spent.
        is_trial: whether going beyond them means to try again elsewhere, and no refusal.
        spent: units so far.
    """

    limit: int = FULL
    is_trial: bool = False
    spent: int = 0

    def spend(self, units: int, what: str) -> None:
        """Spend units on `what`.

        Raises:
            TooCostly: they are more than is left.
            NeedsMore: the same, in a trial.
        """
        self.spent += units
        if self.spent > self.limit:
            raise NeedsMore(what) if self.is_trial else TooCostly(what)
