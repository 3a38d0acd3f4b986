"""Laws of rebasing: both orders lead to one text, no insertion is lost or doubled, the price is that of the changes."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.model.document import units
from draftsmith.transform.steps.changeset import ChangeSet, of_parts, replacing
from draftsmith.transform.steps.rebase import map_changes, rebase_changes
from tests.strategies import changes_to, documents

texts = st.one_of(documents, st.text("ab\n🚀é", max_size=12))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, ChangeSet, ChangeSet]:
    """A text and two changes of it."""
    text = draw(texts)
    return text, draw(changes_to(text)), draw(changes_to(text))


@given(pairs())
def test_both_orders_lead_to_one_text(pair: tuple[str, ChangeSet, ChangeSet]) -> None:
    """P14: mine after theirs, and theirs before mine, is the same text; in normal form both are the same value."""
    text, mine, theirs = pair
    first = map_changes(mine, theirs).apply(theirs.apply(text))
    second = map_changes(theirs, mine, before=True).apply(mine.apply(text))
    assert first == second
    assert of_parts(map_changes(mine, theirs).parts) == map_changes(mine, theirs)


@given(pairs(), st.booleans())
def test_nothing_is_kept_that_somebody_deleted_and_nothing_else_goes(
    pair: tuple[str, ChangeSet, ChangeSet], before: bool
) -> None:
    """Of the old text exactly that is left which both keep, and every insertion of both is there once."""
    text, mine, theirs = pair
    both = theirs.compose(map_changes(mine, theirs, before=before))
    kept = [_kept(text, changes) for changes in (mine, theirs, both)]
    assert kept[2] == kept[0] & kept[1]
    written = "".join(change.inserted for changes in (mine, theirs) for change in changes.changes())
    assert sorted("".join(change.inserted for change in both.changes())) == sorted(written)


def _kept(text: str, changes: ChangeSet) -> set[int]:
    """Which units of the text before are still there."""
    gone = {at for change in changes.changes() for at in range(change.start, change.end)}
    return set(range(units(text))) - gone


@given(pairs(), st.booleans())
def test_what_stands_there_first_comes_first(pair: tuple[str, ChangeSet, ChangeSet], before: bool) -> None:
    """Two insertions at one place: theirs first, unless mine are to stand before."""
    text, _, _ = pair
    at = len(text) // 2
    mine, theirs = (replacing(text, [(at, at, word)]) for word in ("mine", "theirs"))
    after = theirs.compose(map_changes(mine, theirs, before=before)).apply(text)
    assert after == text[:at] + ("minetheirs" if before else "theirsmine") + text[at:]


@given(texts, st.data())
def test_a_chain_is_mapped_over_one_after_the_other(text: str, data: st.DataObject) -> None:
    """Rebasing over a chain is mapping over each; over nothing, or over what changes nothing, it is nothing."""
    mine = data.draw(changes_to(text))
    now, chain, stepwise = text, [], mine
    for _ in range(3):
        other = data.draw(changes_to(now))
        chain.append(other)
        stepwise = map_changes(stepwise, other)
        now = other.apply(now)
    assert rebase_changes(mine, chain) == stepwise
    assert rebase_changes(mine, []) == mine
    assert rebase_changes(mine, [of_parts([(units(text), None)])]) == mine
    stepwise.apply(now)  # it fits


def test_changes_of_another_text_are_refused() -> None:
    """Lengths that disagree are refused, not guessed at."""
    with pytest.raises(ValueError, match="different lengths"):
        map_changes(of_parts([(3, None)]), of_parts([(4, None)]))
    with pytest.raises(ValueError, match="different lengths"):
        rebase_changes(of_parts([(3, "")]), [of_parts([(3, ""), (0, "abcd")]), of_parts([(3, None)])])


def test_the_price_is_that_of_the_changes() -> None:
    """Twice the changes take twice the calls, and the length of the text plays no part."""

    def calls(count: int, kept: int) -> int:
        mine = of_parts(part for _ in range(count) for part in ((2 * kept, None), (5, "x")))
        other = of_parts(part for _ in range(count) for part in ((kept, None), (3, "y"), (kept + 2, None)))
        return _calls(lambda: map_changes(mine, other))

    assert calls(400, 5) <= 2.1 * calls(200, 5)
    assert calls(200, 5_000) == calls(200, 5)


def _calls(work: Callable[[], object]) -> int:
    """How many calls of functions some work makes."""
    count = 0

    def note(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
