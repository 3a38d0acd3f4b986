"""The order of tests that a seed draws."""

from __future__ import annotations

from tests.seeds import in_drawn_order

ITEMS = [(group, number) for group in "abcd" for number in range(5)]


def test_the_order_is_of_the_seed_and_loses_nothing() -> None:
    orders = [in_drawn_order(ITEMS, lambda item: item[0], seed) for seed in "12345"]
    assert all(sorted(order) == ITEMS for order in orders)
    assert len({tuple(order) for order in orders}) == len(orders)
    assert in_drawn_order(ITEMS, lambda item: item[0], "1") == orders[0]


def test_what_is_of_one_group_stays_together_in_an_order_of_its_own() -> None:
    order = in_drawn_order(ITEMS, lambda item: item[0], "1")
    groups = [order[start : start + 5] for start in range(0, len(order), 5)]
    assert all(len({group for group, _ in part}) == 1 for part in groups)
    assert [part[0][0] for part in groups] != list("abcd")
    assert len({tuple(number for _, number in part) for part in groups}) == len(groups)
