"""The list of runs (`transform/undo/text_run.py`), compared with the units of a plain list."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from draftsmith.transform.undo.text_run import PRESENT, TextRun, TextRunList
from tests.seeds import run_seed

Unit = tuple[int, int, bool]
"""The run that it was born in, its offset there, and whether it stands in the document."""


def _units(runs: Iterable[TextRun]) -> list[Unit]:
    return [(run.origin[1], run.origin[2] + at, run.is_present) for run in runs for at in range(run.size)]


def _runs(random: Random, count: int, first: int) -> list[TextRun]:
    states = random.choices([PRESENT, 3], weights=[4, 1], k=count)
    return [
        TextRun(random.randint(1, 3), None, state, origin=(0, number, 0)) for number, state in enumerate(states, first)
    ]


def _range(units: list[Unit], start: int, end: int) -> tuple[int, int]:
    """Where the units of `[start, end)` lie, with those that do not stand at both ends."""
    present = [at for at, (_, _, is_present) in enumerate(units) if is_present]
    return present[start - 1] + 1 if start else 0, present[end] if end < len(present) else len(units)


@pytest.mark.parametrize("longest", [0, 5, 60, 2_000])
def test_units_are_cut_out_and_put_as_in_a_plain_list(longest: int) -> None:
    """None, some of a block, and over many blocks; wherever the list was searched last."""
    random = Random(f"{run_seed()} {longest}")
    runs = _runs(random, 700, 0)
    plain, listed, made = _units(runs), TextRunList(runs), 700
    for _ in range(150):
        length = sum(is_present for _, _, is_present in plain)
        start = random.randrange(length + 1)
        end = min(length, start + random.randint(0, longest))
        first, beyond = _range(plain, start, end)
        cut, block, index = listed.cut_out(start, end)
        assert _units(cut) == plain[first:beyond]
        new = _runs(random, random.choice([0, 1, 5, longest // 2]), made)
        made += len(new)
        plain[first:beyond] = _units(new)
        listed.put(new, block, index)
        assert _units(listed) == plain
