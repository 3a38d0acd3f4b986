"""Edits with imperfect quotes, over real documents: what is certain is applied, what is not is refused with a hint."""

from __future__ import annotations

import pytest

from draftsmith.document import apply_edits
from tests.noise.damage import lost_marks
from tests.noise.judging import Outcome, case_at, outcome_in_words, outcome_table, outcomes, score
from tests.noise.negatives import NEGATIVES
from tests.noise.positives import POSITIVES
from tests.noise.samples import OWN, Library, library
from tests.seeds import examples

SEED = 1
COUNT = examples(3400)


@pytest.fixture(scope="module")
def found() -> list[Outcome]:
    """A sample of the suite; `python -m tests.noise --full` runs it at length."""
    return list(outcomes(apply_edits, library(), SEED, range(COUNT)))


def test_the_suite_is_the_same_every_time() -> None:
    """A case is known by its seed and number alone, so that a failure can be looked at."""
    one, other = Library(OWN), Library(OWN)
    assert [case_at(one, 7, number).edits for number in range(40)] == [
        case_at(other, 7, number).edits for number in reversed(range(40))
    ][::-1]


def test_every_kind_is_tried(found: list[Outcome]) -> None:
    """No row of the table is empty."""
    assert {one.case.kind for one in found} == {*POSITIVES, *NEGATIVES}


def test_what_is_certain_is_applied_and_nothing_else(found: list[Outcome]) -> None:
    """Right at least 99 %, wrong at most 0.1 % of what must be applied."""
    print("\n" + outcome_table(found))
    good = [one for one in found if one.case.is_positive]
    wrong = "\n".join(outcome_in_words(one) for one in good if one.verdict == "wrong")
    assert score(good).right >= 99, outcome_table(found)
    assert score(good).wrong <= 0.1, wrong


def test_what_is_not_certain_is_refused(found: list[Outcome]) -> None:
    """At least 99.9 % of decoys, absent, misplaced and ambiguous text is refused, under the right code."""
    bad = [one for one in found if not one.case.is_positive]
    wrong = "\n".join(outcome_in_words(one) for one in bad if one.verdict == "wrong" or not one.code)
    assert score(bad).refused >= 99.9, wrong
    assert (score(bad).code or 0) >= 99, wrong


def test_a_refusal_says_what_to_send_instead(found: list[Outcome]) -> None:
    """At least 97 %: the true text verbatim, the section that holds it, count and lines, or paths that are accepted."""
    bad = [one for one in found if not one.case.is_positive]
    assert (score(bad).hint or 0) >= 97, "\n".join(outcome_in_words(one) for one in bad if one.hint is False)


@pytest.mark.parametrize("there, after", [("count", "cout"), ("retry 5", "rety 5"), ("net\\sort", "nesort")])
@pytest.mark.parametrize("quoted", ["{}", "`x{}`"])
def test_a_letter_changed_in_code_is_a_lost_mark(there: str, after: str, quoted: str) -> None:
    """Though it is one of those that JSON writes line ends and tabs with; also where other code was quoted."""
    lost = lost_marks(f"Set `{there}` now.", f"Set `{after}` soon.", f"Set {quoted.format(there)} now.")
    assert [kind for kind, _ in lost] == ["code_inline"]


@pytest.mark.parametrize(
    "there, quoted",
    [(r"a\nb\r\nc", "a\nb\nc"), (r"x\tz", "x z"), (r"snake\_case \\*", "snake_case *"), (r"\d+\.\nx", "d+.nx")],
)
def test_code_that_was_quoted_without_its_escapes_is_not_lost(there: str, quoted: str) -> None:
    """What stands for a line end or a tab, or a backslash, is the same code without it; that code was asked for."""
    assert not lost_marks(f"Set `{there}` now.", "Set it.", f"Set `{quoted}` now.")
