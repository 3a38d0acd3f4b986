"""Laws of spans over changes, against a text whose every character is followed by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from draftsmith.model.document import units
from draftsmith.transform.steps.changeset import Change, ChangeSet
from draftsmith.transform.steps.spans import Span, SpanMap
from tests.strategies import changes_to, documents

texts = st.one_of(documents, st.text("ab\n🚀é", max_size=12))


@st.composite
def cases(draw: st.DrawFn) -> tuple[ChangeSet, int, int]:
    """Changes to a text, and a span of it."""
    text = draw(texts)
    start, end = sorted((draw(st.integers(0, units(text))), draw(st.integers(0, units(text)))))
    return draw(changes_to(text)), start, end


def kept(changes: ChangeSet, start: int, end: int) -> list[Span]:
    """Each unit of a span that is kept, as a span of the text after."""
    found, at, new = [], 0, 0
    for length, inserted in changes.parts:
        if inserted is None:
            places = range(max(at, start), min(at + length, end))
            found += [(new + place - at, new + place - at + 1) for place in places]
        at, new = at + length, new + (length if inserted is None else units(inserted))
    return found


def reaching(changes: ChangeSet, start: int, end: int) -> list[Change]:
    """Changes that delete some of a span or insert inside it."""
    return [
        change
        for change in changes.changes()
        if (change.start < end and start < change.end) or start < change.start == change.end < end
    ]


def around(spans: list[Span]) -> Span:
    """The smallest span around some."""
    return min(start for start, _ in spans), max(end for _, end in spans)


@given(cases())
def test_an_exact_span_is_all_of_it_in_one_piece(case: tuple[ChangeSet, int, int]) -> None:
    """It is given exactly where no change reached in; then every unit is there and nothing else."""
    changes, start, end = case
    span = SpanMap(changes.changes()).exact(start, end)
    assert (span is None) == bool(reaching(changes, start, end))
    if span is not None and start < end:
        places = kept(changes, start, end)
        assert span == around(places)
        assert len(places) == span[1] - span[0]


@given(cases())
def test_a_deleted_span_has_nothing_left(case: tuple[ChangeSet, int, int]) -> None:
    """Deleted is what has no unit left; an empty span never is."""
    changes, start, end = case
    assert SpanMap(changes.changes()).is_deleted(start, end) == (start < end and not kept(changes, start, end))


@given(cases())
def test_a_widened_span_is_the_smallest_around_what_is_left_and_what_reached_in(
    case: tuple[ChangeSet, int, int],
) -> None:
    """Nothing more is taken in, and nothing left out."""
    changes, start, end = case
    inside = reaching(changes, start, end)
    written = [(change.new_start, change.new_end) for change in inside]
    spans = [*kept(changes, start, end), *written]
    if spans:
        assert SpanMap(changes.changes()).map_widening(start, end) == around(spans)


@given(cases())
def test_a_span_that_is_widened_at_its_borders_takes_in_neighbours(case: tuple[ChangeSet, int, int]) -> None:
    """As widened, with the changes that only touch a border."""
    changes, start, end = case
    touching = [change for change in changes.changes() if change.start <= end and start <= change.end]
    spans = [*kept(changes, start, end), *((change.new_start, change.new_end) for change in touching)]
    if spans:
        assert SpanMap(changes.changes()).map_widening(start, end, adjacent=True) == around(spans)


@given(cases())
def test_a_clipped_span_is_what_is_left_with_what_was_written_inside(case: tuple[ChangeSet, int, int]) -> None:
    """What reaches over a border is left out; where nothing is left there is no span."""
    changes, start, end = case
    if start == end:
        return
    inside = [change for change in reaching(changes, start, end) if start <= change.start and change.end <= end]
    spans = [*kept(changes, start, end), *((change.new_start, change.new_end) for change in inside)]
    expected = around(spans) if spans else None
    clipped = SpanMap(changes.changes()).map_clipping(start, end)
    assert clipped == (None if expected is None or expected[0] == expected[1] else expected)


@given(cases())
def test_an_empty_span_stays_where_its_place_is(case: tuple[ChangeSet, int, int]) -> None:
    """Exact before what is inserted there, clipped and widened after it; none once its surroundings are deleted."""
    changes, at, _ = case
    now = SpanMap(changes.changes())
    growths = [(c, units(c.inserted) - (c.end - c.start)) for c in changes.changes()]
    before = sum(growth for c, growth in growths if c.end <= at and c.start < at)
    here = sum(units(c.inserted) for c in changes.changes() if c.start == c.end == at)
    if reaching(changes, at, at) or any(c.start < at < c.end for c in changes.changes()):
        assert now.exact(at, at) is None
        assert now.map_clipping(at, at) is None
    else:
        assert now.exact(at, at) == (at + before, at + before)
        assert now.map_clipping(at, at) == now.map_widening(at, at) == (at + before + here, at + before + here)


@given(cases())
def test_spans_keep_their_order(case: tuple[ChangeSet, int, int]) -> None:
    """Mapping never lets one span pass another."""
    changes, start, end = case
    now = SpanMap(changes.changes())
    left, right = now.map_widening(0, start), now.map_widening(end, changes.length)
    assert left[0] <= left[1]
    assert right[0] <= right[1]
    assert left[1] <= right[1]
    assert left[0] <= right[0]
