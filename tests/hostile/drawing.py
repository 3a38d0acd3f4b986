"""What everything hostile is made of: sizes over many orders, marks that scanners fall over, what no text should be.

Everything is drawn from one `random.Random`, so a name gives the same request on every machine.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

MARKS = "`[](){}*_~<>!&\\|#-+=:;\"'.,/@^$%?"
"""What Markdown, links, HTML, Mermaid and our commands are written with."""
BLANKS = (" ", "\t", "\n", "\u00a0", "\u2003", "\u3000", "\u2028", "\x0b", "\x85")
ODD = (
    "\u200d", "\u0301", "\u202e", "\ufeff", "\u00ad", "\ufffd", "\U0001f468\u200d\U0001f469", "\U0001d54f", "ﬀ", "İ",
    "ß", "ǆ", "…", "“", "”", "\u0000", "\u001b[31m", "\r", "\u200b", "\ue000", "\U0010ffff",
)  # fmt: skip
"""Characters that change their length by folding, join, hide, turn or end what stands beside them."""
WORDS = ("a", "to", "queue", "Orders", "node", "the", "and", "connect", "in", "with", "section", "x" * 60)


@dataclass(frozen=True)
class Scale:
    """How large what is drawn may get.

    Attributes:
        text: characters of one text.
        body: bytes of a body.
        operations: in one batch.
        nodes: of a diagram.
        slow: seconds that a slow body takes.
    """

    text: int
    body: int
    operations: int
    nodes: int
    slow: float


FULL = Scale(text=1_000_000, body=32 << 20, operations=600, nodes=5_000, slow=6.0)
"""Up to the limits and a little beyond."""
SMALL = Scale(text=20_000, body=400_000, operations=60, nodes=120, slow=0.3)
"""For a test that must be over soon."""


class Draw:
    """Chance, with what hostile things are drawn by."""

    def __init__(self, rng: random.Random, scale: Scale) -> None:
        self.rng, self.scale = rng, scale

    def odds(self, chance: float) -> bool:
        """Whether something happens that happens so often."""
        return self.rng.random() < chance

    def pick(self, choices: Sequence[T]) -> T:
        """One of them."""
        return self.rng.choice(choices)

    def weighed(self, choices: Sequence[tuple[float, T]]) -> T:
        """One of them, by their weights."""
        return self.rng.choices([what for _, what in choices], [weight for weight, _ in choices])[0]

    def size(self, most: int, least: int = 1) -> int:
        """A number between, each order of magnitude as likely as another."""
        return min(most, max(least, round(math.exp(self.rng.uniform(math.log(least), math.log(max(least, most)))))))

    def unit(self) -> str:
        """A few characters that are repeated."""
        length = self.rng.randint(1, 4)
        sources: list[tuple[float, Callable[[], str]]] = [
            (6, lambda: self.pick(MARKS)),
            (2, lambda: self.pick(BLANKS)),
            (1, lambda: self.pick(ODD)),
            (2, lambda: self.pick(WORDS)),
            (1, lambda: self.pick("ab01Aé")),
        ]
        return "".join(self.weighed(sources)() for _ in range(length))

    def pump(self, most: int) -> str:
        """A beginning, something repeated, and an end that does not fit: what makes a pattern backtrack."""
        unit = self.unit()
        times = max(1, self.size(most) // len(unit))
        begin = self.unit() if self.odds(0.5) else ""
        return (begin + unit * times + (self.unit() if self.odds(0.5) else ""))[:most]

    def words(self, most: int) -> str:
        """Plain words."""
        count = max(1, self.size(most) // 6)
        return " ".join(self.pick(WORDS[:-1]) for _ in range(count))[:most]

    def number(self) -> object:
        """A number at or beyond an edge."""
        return self.pick(
            [0, -1, 1, -0.0, 0.005, 1e6, 1e6 + 0.01, -1e6, 1e308, 5e-324, 2**31, 2**53, 2**63, 2**64, -(2**63), 10**400]
        )

    def anything(self, depth: int = 0) -> object:
        """A value of any JSON type."""
        simple: list[tuple[float, Callable[[], object]]] = [
            (3, lambda: self.pump(200)),
            (2, self.number),
            (1, lambda: self.pick([True, False, None, "", [], {}])),
        ]
        if depth < 4:
            simple.append((1, lambda: [self.anything(depth + 1) for _ in range(self.size(6))]))
            simple.append((1, lambda: {self.pump(12): self.anything(depth + 1) for _ in range(self.size(6))}))
        return self.weighed(simple)()
