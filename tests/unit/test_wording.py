"""Which two wordings mean the same, and which words are another one's paraphrase."""

from __future__ import annotations

import pytest

from draftsmith.transform.matching.wording import agree, are_synonyms, is_plain_exchange, plain_words


def means_the_same(one: str, other: str) -> bool:
    first, second = plain_words(one), plain_words(other)
    assert agree(first, second) == agree(second, first)
    return agree(first, second)


@pytest.mark.parametrize(
    "one, other",
    [
        ("It reads the queue", "It reads a queue"),
        ("It was then so that it is read", "It is read"),
        ("It reads the lists", "It read the list"),
        ("It doesn't stop", "It does not stop"),
        ("It can't stop", "It cannot stop"),
        ("It won’t stop", "It will not stop"),
        ("It shan't stop", "It shall not stop"),
        ("It must allways stop", "It must always stop"),
        ("Its maximun is low", "Its maximum is low"),
        ("It starts early", "It begins early"),
        ("It uses the list", "It employs this list"),
        ("All clients wait", "All client wait"),
        ("Redis waits", "redis waits"),
        ("It waits (for mail).", "It waits for mail"),
        ("It waits for the worker", "It waits for the wroker"),
        ("Entries wait and others go", "Others go and entries wait"),
    ],
)
def test_wordings_that_mean_the_same(one: str, other: str) -> None:
    """Small words, inflections, typing errors, contractions and listed synonyms; a capital at the beginning."""
    assert means_the_same(one, other)


@pytest.mark.parametrize(
    "one, other",
    [
        ("It stops", "It does not stop"),
        ("It never stops", "It stops"),
        ("It takes 5 entries", "It takes 6 entries"),
        ("It takes two entries", "It takes three entries"),
        ("It must stop", "It may stop"),
        ("It stops before it is read", "It stops after it is read"),
        ("It waits for Redis", "It waits for redis-2"),
        ("It waits for Kafka", "It waits for Redis"),
        ("It waits for OrderQueue", "It waits for OrderQueues2"),
        ("It reads order_id", "It reads order_ids"),
        ("It runs with --fast", "It runs with --past"),
        ("It reads conf.yaml", "It reads conf.yamls"),
        ("It reads the archive", "It reads the ledger"),
        ("It reads the archive", "It reads the archive and ledger"),
        ("It reads the archive twice", "It reads the archive"),
        ("It reads it and reads it", "It reads it"),
        ("It runs all five", "It runs five"),
        ("It fails", "It falls"),
        ("Its minimum is low", "Its maximum is low"),
    ],
)
def test_wordings_that_mean_something_else(one: str, other: str) -> None:
    """Negations, numbers, words that turn a sentence, names, identifiers, and any other word."""
    assert not means_the_same(one, other)


@pytest.mark.parametrize(
    "one, other", [("start", "begins"), ("Quick", "fast"), ("gathers", "collects"), ("in", "within")]
)
def test_synonyms(one: str, other: str) -> None:
    """In whatever case and form; each is a plain exchange for the other."""
    assert are_synonyms(one, other)
    assert are_synonyms(other, one)
    assert not are_synonyms(one, "ledger")
    assert is_plain_exchange(one, other)


@pytest.mark.parametrize(
    "one, other",
    [
        ("ledger", "Ledger2"), ("ledger", "order_list"), ("ledger", "id"), ("never", "barely"), ("two", "some"),
        ("minutes", "moments"), ("must", "ought"), ("which", "ledger"), ("Ledger", "notebook"), ("redis", "memory"),
        ("sender", "receiver"), ("complete", "incomplete"), ("useful", "useless"),
    ],
)  # fmt: skip
def test_what_is_no_paraphrase(one: str, other: str) -> None:
    """Names, identifiers, counts, units, negations, modals, small and short words, opposites."""
    assert not is_plain_exchange(one, other)
    assert not is_plain_exchange(other, one)


@pytest.mark.parametrize("one, other", [("gladly", "willingly"), ("walks", "strolls"), ("ledger", "notebook")])
def test_plain_words_may_be_paraphrases(one: str, other: str) -> None:
    """Two that are in no list and exclude one another in none."""
    assert not are_synonyms(one, other)
    assert is_plain_exchange(one, other)


@pytest.mark.parametrize(
    "one, other",
    [
        ("collecting", "gathered"), ("stores", "keeping"), ("stopping", "halts"), ("planned", "intends"),
        ("chooses", "picking"), ("fixed", "mending"), ("relies", "depends"), ("tried", "attempting"),
        ("swapped", "exchanging"), ("showed", "displays"),
    ],
)  # fmt: skip
def test_synonyms_in_all_their_endings(one: str, other: str) -> None:
    """With `e` and `y` at the end of the stem, and a letter that is doubled before the ending."""
    assert are_synonyms(one, other)
    assert are_synonyms(other, one)
