"""What tokens cost, as whoever runs the server has said; nothing is assumed where nobody has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from draftsmith.usecases.usage.counters import add_to
from draftsmith.usecases.usage.shapes import Counts, ModelPriceOut, PriceOut


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, sent and received.

    What is read from a cache or written to it counts as sent like all else; a provider that takes less for the one and
    more for the other sends a somewhat different bill.
    """

    input: float
    output: float
    currency: str = "USD"

    def of(self, fields: Mapping[str, int]) -> float:
        """What counted tokens cost, to a millionth of the currency."""
        return round((fields.get("input", 0) * self.input + fields.get("output", 0) * self.output) / 1_000_000, 6)

    def to_json(self) -> PriceOut:
        """`{input, output, currency}`."""
        return {"input": self.input, "output": self.output, "currency": self.currency}


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by provider and model.

    Attributes:
        of_all: of every model that has none of its own; None if nobody has said.
        of_models: by provider and model.
    """

    of_all: Price | None = None
    of_models: Mapping[tuple[str, str], Price] = field(default_factory=dict)

    def of(self, provider: str, model: str) -> Price | None:
        """The price of a model; None where it is not known."""
        return self.of_models.get((provider, model), self.of_all)

    def cost(self, provider: str, model: str, fields: Mapping[str, int]) -> float | None:
        """What counted tokens cost; None where the price is not known. Without a model there is nothing to pay."""
        if not model:
            return 0.0 if self.of_all is not None or self.of_models else None
        price = self.of(provider, model)
        return None if price is None else price.of(fields)

    def to_json(self) -> list[ModelPriceOut]:
        """`[{provider, model, input, output, currency}]`: those of single models."""
        return [
            {"provider": provider, "model": model, **price.to_json()}
            for (provider, model), price in sorted(self.of_models.items())
        ]


@dataclass(slots=True)
class CostedSum:
    """Sums of counts, with what they cost together as long as every part of that is known."""

    counts: dict[str, int] = field(default_factory=dict)
    _cost: float | None = 0.0
    _is_empty: bool = True

    def add(self, fields: Mapping[str, int], cost: float | None) -> None:
        """Add counts and their cost; None where it is not known."""
        add_to(self.counts, fields)
        self._is_empty = False
        self._cost = None if cost is None or self._cost is None else self._cost + cost

    def to_json(self) -> Counts:
        """The counts, with `cost` where it is known."""
        counts = cast(Counts, dict(self.counts))
        if self._cost is not None and not self._is_empty:
            counts["cost"] = round(self._cost, 6)
        return counts
