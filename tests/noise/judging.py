"""Try cases, judge what came of them, and print the table.

right: the text is what it must be, no half pair of marks came out, and no mark that the find did not quote is gone
unsaid. wrong: it is anything else. refused: nothing was changed. For edits that must be refused, `hint` says how often
the refusal told its reader what was needed, and `code` how often it had the right code.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.noise.cases import Apply, Case, Refusal, applied
from tests.noise.damage import leaves_half_a_pair, lost_marks
from tests.noise.negatives import NEGATIVES, negative
from tests.noise.positives import POSITIVES, positive
from tests.noise.samples import Library

POSITIVE_SHARE = 0.6
_TRIES = 60


@dataclass(frozen=True)
class Outcome:
    """What came of a case; `code` and `hint` are None where they do not matter."""

    number: int
    case: Case
    verdict: str
    result: str | Refusal
    code: bool | None
    hint: bool | None
    seconds: float


def case_at(library: Library, seed: int, number: int, only: str = "") -> Case:
    """The case with a number: the same one every time, whatever came before it; `only`: how its kind begins."""
    rng = random.Random(f"{seed}:{number}")
    while True:
        good = rng.random() < POSITIVE_SHARE
        kinds = {kind: weight for kind, weight in (POSITIVES if good else NEGATIVES).items() if kind.startswith(only)}
        [kind] = rng.choices(list(kinds), list(kinds.values()))
        for _ in range(_TRIES):
            case = (positive if good else negative)(kind, library, rng)
            if case is not None:
                return case


def judge(apply: Apply, number: int, case: Case) -> Outcome:
    start = time.perf_counter()
    result, told = applied(apply, case.text, case.edits)
    seconds = time.perf_counter() - start
    if isinstance(result, str):
        is_whole = not any(leaves_half_a_pair(case.text, result, edit["replace"]) for edit in case.edits)
        with_lf = case.text.replace("\r\n", "\n")
        is_said = "marks_lost" in told or not any(
            edit["find"] not in with_lf and lost_marks(case.text, result, edit["find"]) for edit in case.edits
        )
        verdict = "right" if result in case.accepted and is_whole and is_said else "wrong"
        return Outcome(number, case, verdict, result, None, None, seconds)
    code = bool(result.codes) and result.codes <= case.codes if case.codes else None
    hint = case.hint(apply, result) if case.hint else None
    return Outcome(number, case, "refused", result, code, hint, seconds)


def outcomes(apply: Apply, library: Library, seed: int, numbers: Iterable[int], only: str = "") -> Iterator[Outcome]:
    for number in numbers:
        yield judge(apply, number, case_at(library, seed, number, only))


@dataclass(frozen=True)
class Score:
    """Shares of a set of outcomes, in percent."""

    count: int
    right: float
    wrong: float
    refused: float
    code: float | None
    hint: float | None


def score(found: list[Outcome]) -> Score:
    """Add up; `hint` and `code` are shares of the refusals for which they matter."""

    def share(verdict: str) -> float:
        return 100 * sum(one.verdict == verdict for one in found) / max(len(found), 1)

    def yes(answers: list[bool | None]) -> float | None:
        told = [answer for answer in answers if answer is not None]
        return 100 * sum(told) / len(told) if told else None

    codes, hints = yes([one.code for one in found]), yes([one.hint for one in found])
    return Score(len(found), share("right"), share("wrong"), share("refused"), codes, hints)


def outcome_table(found: list[Outcome]) -> str:
    """A line per kind, and totals."""
    kinds: dict[str, list[Outcome]] = defaultdict(list)
    for one in found:
        kinds[one.case.kind].append(one)
    lines = [f"{'must be carried out':<30}{'n':>6}{'right':>8}{'wrong':>8}{'refused':>9}"]
    good = [one for one in found if one.case.is_positive]
    for kind, some in [*((kind, kinds[kind]) for kind in POSITIVES if kind in kinds), ("all", good)]:
        s = score(some)
        lines.append(f"{kind:<30}{s.count:>6}{s.right:>8.1f}{s.wrong:>8.2f}{s.refused:>9.1f}")
    lines += ["", f"{'must be refused':<30}{'n':>6}{'refused':>8}{'wrong':>8}{'code':>9}{'hint':>8}"]
    bad = [one for one in found if not one.case.is_positive]
    for kind, some in [*((kind, kinds[kind]) for kind in NEGATIVES if kind in kinds), ("all", bad)]:
        s = score(some)
        tail = "".join(
            f"{'-' if value is None else format(value, '.1f'):>{w}}" for value, w in ((s.code, 9), (s.hint, 8))
        )
        lines.append(f"{kind:<30}{s.count:>6}{s.refused:>8.1f}{s.wrong:>8.2f}{tail}")
    times = sorted(one.seconds * 1000 for one in found)
    if times:
        middle, high = times[len(times) // 2], times[len(times) * 95 // 100]
        lines += ["", f"ms per edit: median {middle:.1f}, 95 % {high:.1f}, worst {times[-1]:.1f}"]
    return "\n".join(lines)


def outcome_in_words(one: Outcome) -> str:
    """An outcome for a person to look at."""
    result = one.result if isinstance(one.result, Refusal) else "changed: " + _difference(one.case.text, one.result)
    lines = [f"[{one.number}] {one.case.kind} in {one.case.name}: {one.verdict}, code {one.code}, hint {one.hint}"]
    lines += [f"   section {edit['section']!r}\n   find    {edit['find']!r}" for edit in one.case.edits]
    return "\n".join([*lines, f"   true    {one.case.true!r}", f"   {result}"])


def _difference(before: str, after: str) -> str:
    start = next((at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    back = 0
    while back < min(len(before), len(after)) - start and before[-1 - back] == after[-1 - back]:
        back += 1
    old, new = before[start : len(before) - back], after[start : len(after) - back]
    return f"{old!r} -> {new!r} after {before[max(0, start - 20) : start]!r}"
