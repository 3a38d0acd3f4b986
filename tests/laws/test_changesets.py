"""Laws of changes to a text: apply, invert, compose, map and the JSON form, in UTF-16 units."""

from __future__ import annotations

import orjson
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.model.document import units
from draftsmith.transform.steps.changeset import ChangeSet, from_json, of_parts
from draftsmith.transform.steps.spans import SpanMap
from draftsmith.transform.steps.text import edit_of
from tests.strategies import changes_to, documents

texts = st.one_of(documents, st.text("ab\n🚀é", max_size=12))


@st.composite
def chains(draw: st.DrawFn, length: int) -> tuple[str, list[ChangeSet]]:
    """A text and changes that follow one another."""
    text = now = draw(texts)
    changes = []
    for _ in range(length):
        changes.append(draw(changes_to(now)))
        now = changes[-1].apply(now)
    return text, changes


@given(chains(1))
def test_apply_then_invert_is_nothing(chain: tuple[str, list[ChangeSet]]) -> None:
    """P1 for text: changes and their inverse lead back, and the inverse's inverse is the change itself."""
    text, [changes] = chain
    after = changes.apply(text)
    assert units(after) == changes.new_length
    step = edit_of(text, changes)
    assert step.inverse().changes.apply(after) == text
    assert step.inverse().inverse() == step


@given(chains(2))
def test_compose_is_one_after_the_other(chain: tuple[str, list[ChangeSet]]) -> None:
    """Two changes as one give the same text, and what they deleted leads back at once."""
    text, [first, second] = chain
    after = second.apply(first.apply(text))
    both = first.compose(second)
    assert both.apply(text) == after
    assert both.invert(both.deleted_texts(text)).apply(after) == text


@given(chains(3))
def test_compose_is_associative(chain: tuple[str, list[ChangeSet]]) -> None:
    """However three changes are joined, they are the same value."""
    _, [first, second, third] = chain
    assert first.compose(second).compose(third) == first.compose(second.compose(third))


@given(chains(1))
def test_json_round_trip(chain: tuple[str, list[ChangeSet]]) -> None:
    """P15 for text: the JSON form, through bytes, is the same value."""
    _, [changes] = chain
    assert from_json(orjson.loads(orjson.dumps(changes.to_json()))) == changes


@given(chains(2))
def test_trimming_changes_nothing(chain: tuple[str, list[ChangeSet]]) -> None:
    """Without what it puts back as it was, a change does the same, and what cancels out is no change at all."""
    text, [first, second] = chain
    both = first.compose(second)
    trimmed = both.trim(both.deleted_texts(text))
    assert trimmed.apply(text) == both.apply(text)
    step = edit_of(text, first)
    undone = first.compose(step.inverse().changes)
    assert undone.trim(undone.deleted_texts(text)).is_empty


@given(chains(1), st.data())
def test_a_mapped_span_holds_the_same_text(chain: tuple[str, list[ChangeSet]], data: st.DataObject) -> None:
    """A stretch that is said to have stayed reads the same where it lies now; one that was touched is None."""
    text, [changes] = chain
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = units(text[:start]), units(text[:end])
    span = SpanMap(changes.changes()).exact(first, last)
    reached = [c for c in changes.changes() if c.start < last and c.end > first]
    inside = [c for c in changes.changes() if first < c.start and c.end < last]
    assert (span is None) == (bool(reached) or bool(inside))
    if span is not None:
        raw = changes.apply(text).encode("utf-16-le")
        assert raw[2 * span[0] : 2 * span[1]].decode("utf-16-le") == text[start:end]


@given(chains(1), st.data())
def test_spans_keep_their_order(chain: tuple[str, list[ChangeSet]], data: st.DataObject) -> None:
    """Mapping never lets one stretch pass another."""
    text, [changes] = chain
    cuts = sorted(data.draw(st.lists(st.integers(0, units(text)), min_size=4, max_size=4)))
    now = SpanMap(changes.changes())
    one, other = now.exact(cuts[0], cuts[1]), now.exact(cuts[2], cuts[3])
    if one is not None and other is not None:
        assert one[1] <= other[0] or (cuts[0] == cuts[1] == cuts[2])


def test_the_inverse_of_nothing_is_nothing() -> None:
    """A change that keeps all is empty, both ways."""
    keep = of_parts([(5, None)])
    assert keep.is_empty
    assert keep.invert([]) == keep
