"""Whether two sides differ by more than chance, in words: the exact sign test on pairs; for right or not, McNemar's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import Final

QUESTIONS: Final = 3
"""How many comparisons are made of the same pairs: what is right, what it costs, how long it takes."""
BAR: Final = 0.05 / QUESTIONS
"""A p below it is called a difference: Bonferroni's correction, so that all questions together are wrong in 1 of 20."""
FEWEST: Final = next(n for n in range(1, 100) if 2 / 2**n < BAR)
"""So many pairs have to differ before any result can be below the bar."""


@dataclass(frozen=True)
class SignTest:
    """Pairs in which A did better, in which B did, and how probable a split at least as uneven is between equals."""

    a: int
    b: int

    @property
    def p(self) -> float:
        """Two-sided, exact; 1 where no pair differs."""
        n, less = self.a + self.b, min(self.a, self.b)
        return min(1.0, 2 * sum(comb(n, k) for k in range(less + 1)) / 2**n)

    @property
    def is_difference(self) -> bool:
        """Whether chance is an unlikely explanation."""
        return self.p < BAR

    def words(self, alone: str) -> str:
        """Two sentences; `alone` says what is counted, such as "Right where the other was not"."""
        if not self.a + self.b:
            return f"{alone}: neither in any request. No difference was seen."
        split = f"{alone}: A in {self.a} requests, B in {self.b}"
        chance = f"Between equals a split at least as uneven comes about in {_share(self.p)} ({_p(self.p)})"
        if self.is_difference:
            return f"{split}. {chance}: probably a difference, in favour of {'A' if self.a > self.b else 'B'}."
        few = f" With fewer than {FEWEST} such requests nothing could be told from chance." if self._is_small else ""
        return f"{split}. {chance}: not to be told from chance, so do not choose by it.{few}"

    @property
    def _is_small(self) -> bool:
        return self.a + self.b < FEWEST


def less_of(pairs: Iterable[tuple[float, float]]) -> SignTest:
    """Who needed less, over pairs of amounts; equal ones say nothing."""
    signs = [(a < b, b < a) for a, b in pairs]
    return SignTest(sum(a for a, _ in signs), sum(b for _, b in signs))


def right_of(pairs: Iterable[tuple[bool, bool]]) -> SignTest:
    """Who was right where the other was not (McNemar)."""
    known = list(pairs)
    return SignTest(sum(a and not b for a, b in known), sum(b and not a for a, b in known))


def _share(p: float) -> str:
    if p >= 0.01:
        return f"{100 * p:.0f} of 100 comparisons"
    return "fewer than 1 of 1,000 comparisons" if p < 0.001 else f"{1000 * p:.0f} of 1,000 comparisons"


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
