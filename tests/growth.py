"""Whether work grows more than linearly with its input, by the CPU time of this thread alone.

Sizes are eight apart: linear work takes 8 times as long, quadratic work 64 times. A first look is cheap and may be
mistaken on a busy machine; what looks bad is measured again, larger and often, and only that counts.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import thread_time_ns

STEP = 8
BOUND = 24  # between 8 and 64, in the logarithm
_SMALLEST = (12, 24)  # exponential work would never come back from more
_MUCH = 20_000_000  # ns, for the small sizes
_FIRST, _SECOND = 256, 1_024  # the smaller size of the first look and of the measurement that counts
_LITTLE = 40_000  # ns; below this a clock says nothing

Work = Callable[[str], object]
Text = Callable[[int], str]


def grows_too_much(work: Work, text: Text, *, first: int = _FIRST, second: int = _SECOND) -> bool:
    """Whether `work` on the text of a size takes more than linearly longer for a larger size.

    Args:
        work: done with each text.
        text: makes the text of about as many characters as it is told.
        first, second: the smaller sizes of the first look and of the measurement that counts.
    """
    if any(_takes_much(work, text(size)) for size in (*_SMALLEST, first)):
        return True
    small = _time(work, text(first))
    large = _time(work, text(STEP * first))
    if large < _LITTLE or large < BOUND * small:
        return False
    return _ratio(work, text, second) > BOUND


def _takes_much(work: Work, text: str) -> bool:
    """Whether each of several tries takes much: one may have paid for what is read once, or for what else runs."""
    return all(_time(work, text) > _MUCH for _ in range(3))


def _ratio(work: Work, text: Text, size: int) -> float:
    """Of the least times: what else runs on the core, and on its other half, only ever adds to one."""
    few, many = text(size), text(STEP * size)
    smalls, larges = zip(*((_time(work, few), _time(work, many)) for _ in range(5)), strict=True)
    return min(larges) / max(min(smalls), 1)


def _time(work: Work, text: str) -> int:
    """Without the collector of garbage: it goes through all that the tests before have left, whatever the text."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        begun = thread_time_ns()
        work(text)
        return thread_time_ns() - begun
    finally:
        if is_collecting:
            gc.enable()
