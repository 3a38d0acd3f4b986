"""The layout of nested groups."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from draftsmith.model.nested_layout import nested_layout


def test_groups_hold_their_children() -> None:
    """Golden: a group is as large as its children with padding, and an edge out of it counts for the group."""
    layout = nested_layout(
        {"g": None, "a": "g", "b": "g", "c": None}, [("a", "b"), ("b", "c"), ("a", "g"), ("c", "nowhere")]
    )
    assert layout.sizes == {"g": (24 + 180 + 80 + 180 + 24, 40 + 72 + 24)}
    assert layout.positions == {"g": (0, 0), "a": (24, 40), "b": (284, 40), "c": (568, 32)}


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 7)), min_size=1, max_size=10),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20),
)
def test_siblings_never_overlap(parents: list[int | None], pairs: list[tuple[int, int]]) -> None:
    """In any forest with any edges, siblings keep apart and lie inside their group."""
    forest = {
        f"n{index}": f"n{parent}" if parent is not None and parent < index else None
        for index, parent in enumerate(parents)
    }
    layout = nested_layout(forest, [(f"n{one}", f"n{other}") for one, other in pairs])
    assert set(layout.positions) == set(forest)
    for one, parent in forest.items():
        x, y = layout.positions[one]
        width, height = layout.sizes.get(one, (180, 72))
        if parent is not None:
            assert x >= 24
            assert y >= 40
            assert x + width + 24 <= layout.sizes[parent][0]
            assert y + height + 24 <= layout.sizes[parent][1]
        for other, other_parent in forest.items():
            if other != one and other_parent == parent:
                u, v = layout.positions[other]
                other_width, other_height = layout.sizes.get(other, (180, 72))
                assert x + width <= u or u + other_width <= x or y + height <= v or v + other_height <= y
