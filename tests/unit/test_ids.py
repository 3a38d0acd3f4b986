"""Ids: their form, and how they are made from labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.model.ids import edge_id, is_edge_id, is_id, slug, unique


@pytest.mark.parametrize(
    "label,expected",
    [
        ("Orders API", "orders-api"),
        ("  Größe (neu) ", "grosse-neu"),
        ("Ærø Øl", "aero-ol"),
        ("Łódź Đakovo", "lodz-dakovo"),
        ("Straße STRASSE ẞ", "strasse-strasse-ss"),
        ("İstanbul ılık", "istanbul-ilik"),
        ("naïve café", "naive-cafe"),
        ("ﬁle №5 ①", "file-no5-1"),
        ("under_score--dash", "under-score-dash"),
        ("K8s", "k8s"),
        ("データベース", ""),
        ("🚀 Launch 🚀", "launch"),
        ("---", ""),
        ("", ""),
    ],
)
def test_slug_spells_letters_out(label: str, expected: str) -> None:
    """A label becomes what a person would type for it; nothing is left of what has no plain letters."""
    assert slug(label) == expected


@given(st.text(max_size=200))
def test_a_slug_is_empty_or_an_id(label: str) -> None:
    """Whatever the label, its slug is empty or a valid id, and stays the same when taken again."""
    made = slug(label)
    assert made == "" or is_id(made)
    assert slug(made) == made


def test_a_cut_slug_does_not_end_in_a_dash() -> None:
    """Cutting to 64 characters leaves no dangling dash."""
    assert slug("a" * 63 + " tail") == "a" * 63


@pytest.mark.parametrize("text", ["a", "0", "a_b-c", "x" * 64])
def test_valid_ids(text: str) -> None:
    """Lower-case letters, digits, `_` and `-`, not first, up to 64 of them."""
    assert is_id(text)


@pytest.mark.parametrize("text", ["", "-a", "_a", "A", "ä", "a b", "a\n", "x" * 65, "١"])
def test_invalid_ids(text: str) -> None:
    """Nothing else is an id, not even one with a line end behind it."""
    assert not is_id(text)


def test_unique_counts_from_two() -> None:
    """The plain id first, then -2, -3, filling the first gap."""
    assert unique("cart", set()) == "cart"
    assert unique("cart", {"cart"}) == "cart-2"
    assert unique("cart", {"cart", "cart-2", "cart-4"}) == "cart-3"


def test_unique_stays_within_the_limit() -> None:
    """A number never makes an id too long."""
    long = "a" * 64
    assert unique(long, {long}) == "a" * 62 + "-2"


def test_unique_is_dense_and_cheap_for_thousands() -> None:
    """Equal labels are numbered without a gap, and the ten-thousandth costs a handful of look-ups."""

    class Counting(set[str]):
        looked = 0

        def __contains__(self, item: object) -> bool:
            self.looked += 1
            return super().__contains__(item)

    taken = Counting()
    for _ in range(10_000):
        taken.add(unique("node", taken))
    assert set(taken) == {"node"} | {f"node-{number}" for number in range(2, 10_001)}
    before = taken.looked
    unique("node", taken)
    assert taken.looked - before < 100


@given(st.text("ab-", min_size=1, max_size=3), st.sets(st.text("ab-2345", min_size=1, max_size=6)))
def test_unique_is_free(base: str, taken: set[str]) -> None:
    """Whatever is taken, the answer is not."""
    assert unique(base, taken) not in taken


def test_edge_ids() -> None:
    """An edge is named after its ends; the next between the same ends is numbered."""
    assert edge_id("cart", "orders", set()) == "cart--orders"
    assert edge_id("cart", "orders", {"cart--orders"}) == "cart--orders-2"
    longest = edge_id("a" * 64, "b" * 64, {"a" * 64 + "--" + "b" * 64})
    assert is_edge_id(longest)
    assert longest.endswith("b-2")
