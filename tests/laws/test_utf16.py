"""Offsets in UTF-16 units and code points, in long texts whose measure is carried along with each change."""

from __future__ import annotations

from random import Random

import pytest

from draftsmith.model.utf16 import (
    carry_units,
    from_units,
    from_units_in_order,
    is_bmp,
    measure_of,
    to_units,
    units,
)
from tests.seeds import seed_named

_PIECES = ["a", "é", "\U0001f600", "\n", "word ", "\U0001f680\U0001f680", "\ufeff"]


def _encoded(text: str) -> bytes:
    return text.encode("utf-16-le")


def _check(text: str, places: list[int]) -> None:
    before = [len(_encoded(text[:place])) // 2 for place in places]
    assert units(text) == len(_encoded(text)) // 2
    assert is_bmp(text) == (units(text) == len(text))
    assert [*map(to_units(text), places)] == before
    assert [*map(from_units(text), before)] == places
    assert [*map(from_units_in_order(text), before)] == places


@pytest.mark.parametrize("pieces", [_PIECES, _PIECES[:2], [*_PIECES, *["plain "] * 400]])
def test_units_are_carried_along(pieces: list[str]) -> None:
    """After each change the measure is what a new one would be, and only a measured text hands it on."""
    random = Random(seed_named("DRAFTSMITH_UNITS_SEED"))
    text = "".join(random.choices(pieces, k=14_000))
    for _ in range(60):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice([0, 0, 1, 3, 2_500]))
        new = "".join(random.choices([*pieces, "\U0001f600"], k=random.choice([0, 1, 1, 3, 700])))
        after = text[:start] + new + text[end:]
        carry_units(text, after, start, end)
        _check(after, sorted(random.randrange(len(after) + 1) for _ in range(30)))
        text = after


def test_an_offset_inside_a_pair_is_refused() -> None:
    """In a short text and in a long one, wherever the pair stands in what is measured together."""
    for text in ("a\U0001f600b", "a" * 11_999 + "\U0001f600b"):
        inside = units(text) - 2
        for function in (from_units(text), from_units_in_order(text)):
            with pytest.raises(UnicodeDecodeError):
                function(inside)


def test_a_key_measures_one_stretch() -> None:
    """All other stretches of the measure are kept, and a text without wide characters needs none."""
    text = ("word \U0001f600 " * 100_000)[:500_000]
    for _ in range(50):
        known = measure_of(text)
        after = text[:250_000] + "x" + text[250_000:]
        carry_units(text, after, 250_000, 250_000)
        measure = measure_of(after)
        assert known is not None
        assert measure is not None
        assert len(measure.sizes) == len(known.sizes)
        assert sum(one is not other for one, other in zip(known.sizes, measure.sizes, strict=True)) == 1
        text = after
    assert measure_of("é" * 20_000) is None
