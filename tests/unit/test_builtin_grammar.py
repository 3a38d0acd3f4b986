"""The built-in commands are the grammar and nothing else: what stands behind it, or behind a new name, is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from draftsmith.assistant.builtin import plan
from draftsmith.assistant.builtin.grammar import ASKING_FORMS, FORMS, Form
from draftsmith.assistant.builtin.template import Gap, Variant
from tests.builders import Op
from tests.seeds import examples
from tests.unit.builtin_shop import builtin_shop

VALUES = {
    "node": "Cart", "nodes": "Cart", "group": "Core", "section": "Storage", "quote": '"kept"', "quoted": '"held"',
    "new": "a service called Ledger", "label": "Basket", "title": "Costs", "text": '"held"', "type": "scheduler",
    "kind": "async", "direction": "both", "kinds": "databases", "technology": "Kafka",
}  # fmt: skip
VARIANTS = [(form, variant) for form in FORMS for variant in form.variants]
WHEN = (
    "daily", "every night", "each hour", "nightly", "twice", "sometimes", "overnight", "running every night",
    "running", "refreshed regularly", "polling slowly", "intermittently", "all day long", "on Sundays",
)  # fmt: skip
MORE = (
    "because it is nicer", "for the big customers of the north", "that stores bills", "and remove Orders", "then",
    "with three replicas", "instead", "which we need", "of old grey heavy boxes", "if there is none",
)  # fmt: skip
NUMBERS = ("version 2", "version", "2", "17", "2.1", "Version 3", "version two", "three")
TAILS = st.sampled_from([*WHEN, *MORE, *NUMBERS])
WORD = st.sampled_from(["Order", "Billing", "API", "Nightly", "eBay", "R&D", "CI/CD", "Sign-in", "Tracking", "Kontor"])
LATER = st.sampled_from(["gateway", "v2", "store", "Hub", "Big", "Processing", "supply", "archive", "IT"])


def sentence_of(variant: Variant) -> str:
    """A variant filled with names of the shop."""
    return "".join(value_of(part) if isinstance(part, Gap) else part for part in variant)


def value_of(gap: Gap) -> str:
    """What to write for a slot: for the second node or section of a sentence another one."""
    if gap.name == "b":
        return "Orders"
    return "Rollout" if gap.sort == "section" != gap.name else VALUES[gap.sort]


def result_of(form: Form, sentence: str) -> tuple[Any, ...]:
    """What a sentence of a form is converted to, without its own words; or the kind of its refusal."""
    made = plan(sentence, builtin_shop(), may_edit=form not in ASKING_FORMS)
    if made.refusal is not None:
        return (made.refusal.kind,)
    return tuple((tool, {k: v for k, v in given_.items() if k != "explanation"}) for tool, given_ in made.calls)


def changes_of(sentence: str) -> list[Op]:
    made = plan(sentence, builtin_shop(), may_edit=True)
    assert made.refusal is None, made.refusal
    return list(made.calls[0][1]["operations"])


@st.composite
def names(draw: st.DrawFn) -> str:
    """A name as the page describes it: one to five words, the first capital, at most two in lower case at its end."""
    words = [draw(WORD), *draw(st.lists(LATER, max_size=4))]
    lower = next((count for count, word in enumerate(reversed(words)) if not word.islower()), len(words))
    return " ".join(words[: len(words) - max(0, lower - 2)])


@settings(max_examples=examples(300), deadline=None)
@given(st.sampled_from(VARIANTS))
def test_all_words_of_a_form_mean_the_same(chosen: tuple[Form, Variant]) -> None:
    """Every sentence that the grammar makes is converted to what the first one of its form is."""
    form, variant = chosen
    slots = {part.name for part in variant if isinstance(part, Gap)}
    same = next(one for one in form.variants if slots == {part.name for part in one if isinstance(part, Gap)})
    assert result_of(form, sentence_of(variant)) == result_of(form, sentence_of(same)) != ("unknown",)


@settings(max_examples=examples(400), deadline=None)
@given(st.sampled_from(VARIANTS), TAILS)
@example((FORMS[0], FORMS[0].variants[0]), "daily")
def test_what_stands_behind_the_grammar_is_refused(chosen: tuple[Form, Variant], tail: str) -> None:
    """A sentence of the grammar with anything behind it calls nothing: it is not carried out without the rest."""
    _, variant = chosen
    last = variant[-1]
    if isinstance(last, Gap) and last.sort == "technology" and tail in NUMBERS:
        return  # "Kafka 2": a technology has its version
    sentence = f"{sentence_of(variant)} {tail}"
    for may_edit in (True, False):
        made = plan(sentence, builtin_shop(), may_edit=may_edit)
        assert made.refusal is not None, (sentence, made.calls)
        assert made.calls == ()


@settings(max_examples=examples(200), deadline=None)
@given(names(), st.sampled_from(["", " to group Core", " near Cart", " connected to Orders"]))
@example("Order Service", "")
@example("API gateway v2", "")
@example("Nightly", " near Cart")
def test_a_name_of_plain_words_is_taken_as_it_is_written(name: str, clause: str) -> None:
    """It ends where a clause begins or the sentence ends."""
    added = changes_of(f"add a service called {name}{clause}")[0]
    assert (added["op"], added["label"]) == ("add_node", name)
    if name.lower() != "cart":
        assert changes_of(f"rename Cart to {name}") == [{"op": "update_node", "id": "cart", "label": name}]


@settings(max_examples=examples(300), deadline=None)
@given(
    names(),
    st.sampled_from([*WHEN, *NUMBERS]),
    st.sampled_from(["", " to group Core", " near Cart", " connected to Orders", " between Cart and Orders"]),
)
@example("Nightly", "running every night", "")
@example("Orders archive", "version 2", "")
@example("Billing", "daily", " near Cart")
def test_a_name_with_more_behind_it_is_refused_and_offered_in_quotation_marks(
    name: str, tail: str, clause: str
) -> None:
    """`name_unclear`; one offer is all of it in quotation marks, and each makes the node that it names."""
    sentence = f"add a service called {name} {tail}{clause}"
    refusal = plan(sentence, builtin_shop(), may_edit=True).refusal
    assert refusal is not None
    assert refusal.kind == "name_unclear"
    assert f'add a service called "{name} {tail}"{clause}' in refusal.suggestions
    for offered in refusal.suggestions:
        label = offered.partition('"')[2].partition('"')[0]
        made = changes_of(offered)
        shapes = [one["node"] if isinstance(one.get("node"), dict) else one for one in made]
        assert label in [shape.get("label") or shape.get("title") for shape in shapes]
        assert f"{name} {tail}".startswith(label)


@pytest.mark.parametrize(
    "sentence,offered",
    [
        ("add a scheduler called Nightly running every night", 'add a scheduler called "Nightly"'),
        ("add a database called Ledger version 2", 'add a database called "Ledger version 2"'),
        ("add service Billing daily", 'add a service called "Billing"'),
        ("add a cache running every night", "add a cache"),
        ("rename Cart to Nightly batch of big northern customers", 'rename Cart to "Nightly batch"'),
        ("group Orders and Cart as Heart beating daily", 'group Orders and Cart as "Heart"'),
        ("replace Cart with a service called Basket running hourly", 'replace Cart with a service called "Basket"'),
        ("rename section Rollout to Release every month", 'rename section Rollout to "Release"'),
        ("add a section Phase 2", 'add a section "Phase 2"'),
        ("add a payment fraud detection service", 'add "payment fraud detection service"'),
    ],
)
def test_the_likelier_name_is_offered_first(sentence: str, offered: str) -> None:
    """What stands in front of words that say when; all of it where they are more likely a part of the name."""
    refusal = plan(sentence, builtin_shop(), may_edit=True).refusal
    assert refusal is not None
    assert (refusal.kind, refusal.suggestions[0]) == ("name_unclear", offered)
