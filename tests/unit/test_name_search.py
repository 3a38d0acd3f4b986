"""Names are searched by words, each the beginning of one of theirs, in any order."""

from __future__ import annotations

import pytest

from draftsmith.model.name_search import matches, searched_words, sort_key, words_of


@pytest.mark.parametrize(
    "query, name, found",
    [
        ("", "Anything", True),
        ("ord", "Orders", True),
        ("rders", "Orders", False),
        ("service ord", "Orders service", True),
        ("ord ord", "Orders", True),
        ("ord x", "Orders", False),
        ("order-ser", "Order_Service v2", True),
        ("v2", "Order-Service v2", True),
        ("ÄRG", "ärger", True),
        ("系统", "订单系统", True),
        ("单系", "订单系统", True),
        ("统订", "订单系统", False),
        ("---", "Orders --- old", False),
        ("  ", "Orders", True),
    ],
)
def test_words_are_beginnings(query: str, name: str, found: bool) -> None:
    assert matches(searched_words(query), name) == found


def test_long_names_are_bounded() -> None:
    """What is kept of a name does not grow without bound, whatever it is made of."""
    assert len(words_of("统" * 120)) <= 64
    assert len(sort_key("x" * 120)) == 60
