"""Widens a span of a text to both halves of the pairs of marks that it cuts."""

from __future__ import annotations

from collections.abc import Sequence

from draftsmith.transform.matching.marks import Pair


def with_partners(start: int, end: int, pairs: Sequence[Pair]) -> tuple[int, int] | None:
    """A span with the other halves of the pairs that it cuts; None unless they all stand at its borders."""
    for _ in range(len(pairs) + 1):
        cut = [one for one in pairs if _is_cut(start, end, one)]
        if not cut:
            return start, end
        known = start, end
        for one in cut:
            if one.outer <= start <= one.inner and one.inner_end <= end:
                start, end = one.outer, max(end, one.outer_end)
            elif one.inner_end <= end <= one.outer_end and start <= one.inner:
                start, end = min(start, one.outer), one.outer_end
        if known == (start, end):
            return None
    return None


def _is_cut(start: int, end: int, one: Pair) -> bool:
    """Whether a span holds some of a pair's marks and not all."""
    opens = start < one.inner and one.outer < end
    closes = start < one.outer_end and one.inner_end < end
    if not (opens or closes):
        return False
    return not (start <= one.outer and one.outer_end <= end)
