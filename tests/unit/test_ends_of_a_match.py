"""Where a match begins and ends: line breaks stay, marks go as pairs, dots take no blank along."""

from __future__ import annotations

import pytest

from draftsmith.transform.matching.marks import marks_of
from tests.kit.documents import edit_error, edited_text

DOC = (
    "# Shop\n\nIt retries twice. Then it stops.\n\n## Goals\n\n- place an order\n- **keep** every order\n"
    "- lose nothing\n\n"
    "## Notes\n\n**Timeout:** 30 seconds, see `retry.max delay` and [the plan](#plan) for more.\n"
    "A **very important rule** holds.\n\nThe worker doesn't keep orders that it is done with, since "
    "it can’t know more.\n"
)


# -- line ends and blanks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tail", ["\n", "\n\n", " \n", "\n  "])
@pytest.mark.parametrize("find", ["- place an order", "- place  an order", "* place an order", "- place an **order**"])
def test_a_line_end_that_the_replacement_has_not_stays(find: str, tail: str) -> None:
    """On the exact rung and on every other; no two lines are joined."""
    assert edited_text(DOC, "Goals", find + tail, "- take an order") == DOC.replace("place", "take")


@pytest.mark.parametrize("lead", ["\n", "\n\n"])
def test_so_does_one_before(lead: str) -> None:
    for find in ("- lose nothing", "- lose  nothing"):
        assert edited_text(DOC, "Goals", lead + find, "- lose no order") == DOC.replace("lose nothing", "lose no order")


def test_the_line_end_is_that_of_the_document() -> None:
    """CR LF, too."""
    text = DOC.replace("\n", "\r\n")
    for find in ("- place an order\n", "- place  an order\n", "- place an order\r\n"):
        assert edited_text(text, "Goals", find, "- take an order") == text.replace("place", "take")


def test_a_whole_line_quoted_letter_for_letter_can_be_taken_out() -> None:
    """With its line end, as long as no two others are joined by it."""
    assert edited_text(DOC, "Goals", "- **keep** every order\n", "") == DOC.replace("- **keep** every order\n", "")
    assert edited_text(DOC, "Goals", "\n- lose nothing", "") == DOC.replace("\n- lose nothing", "")
    assert edited_text(DOC, "Goals", "every order\n", "") == DOC.replace("every order\n", "\n")
    assert edited_text(DOC, "Goals", "\n\n- place an order\n- **keep** every order\n", "") == DOC.replace(
        "\n\n- place an order\n- **keep** every order\n", "\n\n", 1
    )


def test_a_line_end_that_both_have_is_not_doubled() -> None:
    for find in ("- place an order\n", "- place  an order\n"):
        assert edited_text(DOC, "Goals", find, "- take an order\n") == DOC.replace("place", "take")
        assert edited_text(DOC, "Goals", find, "- take an order\n- pay\n") == DOC.replace(
            "place an order", "take an order\n- pay"
        )


def test_blanks_at_an_end_are_not_matched_but_letter_for_letter() -> None:
    """Words are not joined; what is deleted with a blank leaves none behind."""
    assert edited_text(DOC, "Shop", " It  retries twice. ", "It tries.") == DOC.replace(
        "It retries twice.", "It tries."
    )
    assert edited_text(DOC, "Shop", " Then  it stops.", "") == DOC.replace(" Then it stops.", "")
    assert edited_text(DOC, "Shop", " Then it stops.", "") == DOC.replace(" Then it stops.", "")


# -- marks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "find, replace, old, new",
    [
        ("Timeout:** 30 seconds", "Limit: 10 seconds", "**Timeout:** 30 seconds", "Limit: 10 seconds"),
        ("Timeout:** 30 seconds", "**Limit:** 10 seconds", "**Timeout:** 30 seconds", "**Limit:** 10 seconds"),
        ("Timeout:** 30 seconds", "Limit:** 10 seconds", "Timeout:** 30 seconds", "Limit:** 10 seconds"),
        ("*Timeout:** 30 seconds", "Limit: 10 s", "**Timeout:** 30 seconds", "Limit: 10 s"),
        ("**Timeout:", "Limit:", "**Timeout:**", "Limit:"),
        ("**Timeout:", "**Limit:", "**Timeout:", "**Limit:"),
        ("`retry.max delay", "the delay", "`retry.max delay`", "the delay"),
        ("see `retry.max", "see `retry.min", "see `retry.max", "see `retry.min"),
        ("retry.max delay` and", "the delay and", "`retry.max delay` and", "the delay and"),
        ("the plan](#plan) for more", "plans", "[the plan](#plan) for more", "plans"),
        ("and [the plan", "and plans", "and [the plan](#plan)", "and plans"),
        ("`holds.", "is kept.", "holds.", "is kept."),
        ("**holds.", "is kept.", "holds.", "is kept."),
        ("*very important rule*", "rule", "**very important rule**", "rule"),
        ("very  important rule", "plain rule", "very important rule", "plain rule"),
    ],
)
def test_marks_at_an_end_go_as_a_pair_or_not_at_all(find: str, replace: str, old: str, new: str) -> None:
    """The other half goes along where it stands at the border; it stays where the new text has the same half."""
    assert DOC.count(old) == 1
    after = edited_text(DOC, "Notes", find, replace)
    assert after == DOC.replace(old, new)
    assert not marks_of(after).strays


@pytest.mark.parametrize(
    "find", ["important rule** holds", "see `retry.max", "delay` and", "A **very important", "plan](#plan) for", "[the"]
)
def test_half_a_pair_whose_other_half_stands_elsewhere_is_refused(find: str) -> None:
    """The refusal says why and shows the line."""
    error = edit_error(DOC, "Notes", find, "nothing")
    assert error.code == "find_not_found"
    assert "half of a pair of marks" in error.problems[0].message
    assert error.problems[0].candidates


@pytest.mark.parametrize("sign", ["**", "__", "*", "_"])
def test_a_quotation_that_is_marked_as_a_whole_in_another_way_goes_with_the_marks(sign: str) -> None:
    text = f"# Plan\n\nA {sign}timeout is 30 s{sign} here.\n"
    for find in ("**timeout is 30 s**", "_timeout is 30 s_", "`timeout is 30 s`"):
        assert edited_text(text, "Plan", find, "") == "# Plan\n\nA  here.\n"


@pytest.mark.parametrize(
    "opens, closes", [("*", "*"), ("`", "`"), ("**", "**"), ("[", "](x)"), ("~~", "~~"), ("_", "_")]
)
def test_the_half_that_find_and_replacement_have_stays_with_the_other(opens: str, closes: str) -> None:
    """Where a blank is another one as well."""
    text = f"# Plan\n\nA {opens}bold word{closes} here.\n"
    for find, replace in (
        (f"{opens}bold  word", f"{opens}thin word"),
        (f"bold  word{closes}", f"thin word{closes}"),
        (f"{opens}bold  word{closes}", f"{opens}thin word{closes}"),
    ):
        assert edited_text(text, "Plan", find, replace) == text.replace("bold", "thin")


@pytest.mark.parametrize("sign", ["*", "_", "~", "`"])
def test_one_of_two_signs_is_no_mark_of_its_own(sign: str) -> None:
    """A quotation that splits the marks at both its ends means all of them."""
    text = f"# Plan\n\nA {sign * 2}bold{sign * 2} word.\n"
    assert edited_text(text, "Plan", f"{sign}bold{sign}", "thin") == "# Plan\n\nA thin word.\n"


def test_a_half_that_the_document_has_not_comes_in_by_no_replacement() -> None:
    """A half that find and replacement share is no part of the document, so it is left out."""
    assert edited_text(DOC, "Notes", "**holds.", "**is kept.") == DOC.replace("holds.", "is kept.")


def test_signs_that_are_no_marks_are_text() -> None:
    """In code, between blanks, inside words, escaped; and what stood there alone before may stay alone."""
    text = "# A\n\n2 * 3 and a_b and \\*x and arr[0\n\n```\nint *p = a[i;\n```\n"
    for find, replace in (
        ("2 * 3", "2 * 4"), ("a_b", "a_c"), ("\\*x", "\\*y"), ("*p = a[i", "q = b"), ("arr[0", "arr[1"), ("[0", "0"),
    ):  # fmt: skip
        assert edited_text(text, "A", find, replace) == text.replace(find, replace)


# -- dots ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dots", ["...", "…", " ...", " …"])
def test_dots_at_an_end_take_no_blank_along(dots: str) -> None:
    """Blanks at the end of the line are a line break; dots that stand there are themselves."""
    text = (
        "# A\n\n1. keep raw logs for fourteen days  \n2. keep nothing else at all\n\nOn… and on and on until the end\n"
    )
    assert edited_text(text, "A", f"keep raw logs{dots}", "drop logs") == text.replace(
        "keep raw logs for fourteen days", "drop logs"
    )
    assert edited_text(text, "A", f"{dots.strip()} for fourteen days", "x") == text.replace(
        "keep raw logs for fourteen days", "x"
    )
    assert edited_text(text, "A", "and  on until …", "x").startswith("# A\n\n1. keep raw logs for fourteen days  \n2.")


def test_dots_inside_a_block_stand_for_what_is_between() -> None:
    """Where both sides are unique and in one block; dots over two blocks are refused, and words that stand twice."""
    whole = "The worker doesn't keep orders that it is done with, since it can’t know more."
    for dots in (" ... ", "…", " […] ", "... "):
        assert edited_text(DOC, "Notes", f"The worker doesn't keep{dots}it can't know more.", "x") == DOC.replace(
            whole, "x"
        )
    assert edit_error(DOC, "Notes", "important rule holds ... worker doesn't keep", "x").code == "find_not_found"
    assert edit_error(DOC, "Goals", "- place an ... lose nothing", "x").code == "find_not_found"
    twice = "# A\n\none two three four, then five six, and again five six.\n"
    assert edit_error(twice, "A", "one two ... five six", "x").code == "find_not_found"


@pytest.mark.parametrize(
    "replace, right",
    [
        ("known … ledgers", "The *known* clerk reads the ledgers today."),
        ("all … lines", "The all clerk reads the [lines](x) today."),
        ("known … lines and ledgers", "The *known* clerk reads the [lines](x) and ledgers today."),
    ],
)
def test_marks_at_the_ends_of_a_find_with_dots_go_as_pairs(replace: str, right: str) -> None:
    """No half of them is left around nothing where the words in them are replaced."""
    text = "# A\n\nThe *known* clerk reads the [lines](x) today.\n"
    assert edited_text(text, "A", "known … lines", replace) == f"# A\n\n{right}\n"


# -- other words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "find",
    [
        "worker does not keep",
        "does not keep orders",
        "that it's done",
        "since it cannot",
        "it can not know",
        "it can't",
    ],
)
def test_contractions_are_the_same_words(find: str) -> None:
    """At an end, too, and in a quote of a few words; a negation is never lost by one."""
    assert "x" in edited_text(DOC, "Notes", find, "x")
    for wrong in ("worker does keep", "since it can know", "worker did not keep", "not keep orders that it isn't"):
        assert edit_error(DOC, "Notes", wrong, "x").code == "find_not_found"


_PARAGRAPH = "The scheduler decides which worker takes the next job and tells it where the input can be found today."


@pytest.mark.parametrize(
    "old, new", [("decides", "determines"), ("job", "task"), ("tells", "informs"), ("found", "located")]
)
def test_one_plain_word_may_be_another(old: str, new: str) -> None:
    """Where eight others agree and no other place is near."""
    text = f"# A\n\nBefore.\n\n{_PARAGRAPH}\n"
    assert edited_text(text, "A", _PARAGRAPH.replace(old, new), "x") == text.replace(_PARAGRAPH, "x")


@pytest.mark.parametrize(
    "old, new",
    [
        ("can be", "must be"), ("can be", "cannot be"), ("can be", "may be"), ("input", "output"), ("next", "previous"),
        ("worker", "Kafka"), ("worker", "job_worker"), ("job", "2 job"), ("takes", "gives"), ("today", "tomorrow"),
        ("worker", "redis"), ("found", "lost"), ("The scheduler", "A planner"),
        ("decides which worker", "chooses whatever worker"),
    ],
)  # fmt: skip
def test_no_word_that_carries_meaning_may_be_another(old: str, new: str) -> None:
    """Modals, opposites, counts, negations, names, two words at once, and words at the ends."""
    text = f"# A\n\nBefore.\n\n{_PARAGRAPH}\n"
    assert edit_error(text, "A", _PARAGRAPH.replace(old, new), "x").code == "find_not_found"


@pytest.mark.parametrize(
    "old, new",
    [("seconds", "minutes"), ("two", "three"), ("`limit`", "`bound`"), ("attached", "detached"), ("known", "unknown")],
)
def test_nor_a_unit_a_count_code_or_an_opposite(old: str, new: str) -> None:
    line = (
        "After two or more seconds the volume is attached to each known host and `limit` is read from the file again."
    )
    assert edit_error(f"# A\n\n{line}\n", "A", line.replace(old, new), "x").code == "find_not_found"


def test_a_word_that_the_document_has_itself_is_no_paraphrase() -> None:
    """`Upload` and `ledger` name two things here; the sentence on uploads may just be gone."""
    text = "# A\n\nThe ledger scheduler waits until the last of the writers is done.\n\nAn upload takes a minute.\n"
    find = "The upload scheduler waits until the last of the writers is done."
    assert edit_error(text, "A", find, "It waits.").code == "find_not_found"
    assert "It waits." in edited_text(text.replace("An upload", "A copy"), "A", find, "It waits.")


def test_one_word_is_refused_among_few_in_code_in_tables_and_where_two_places_are_near() -> None:
    few = "The scheduler decides which worker takes jobs."
    assert edit_error(f"# A\n\n{few}\n", "A", few.replace("decides", "determines"), "x").code == "find_not_found"
    for text in (f"# A\n\n```\n{_PARAGRAPH}\n```\n", f"# A\n\n| {_PARAGRAPH} | b |\n|---|---|\n"):
        assert edit_error(text, "A", _PARAGRAPH.replace("job", "task"), "x").code == "find_not_found"
    near = _PARAGRAPH.replace("decides", "says")
    text = f"# A\n\n{_PARAGRAPH}\n\n{near}\n"
    assert edit_error(text, "A", _PARAGRAPH.replace("decides", "determines"), "x").code == "find_not_found"


# -- the reading of marks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, strays",
    [
        ("**a** *b* `c` [d](e) ~~f~~ ***g*** _h_ a_b_c 2 * 3", {}),
        ("**a", {"*": 2}), ("a `b", {"`": 1}), ("[a", {"[": 1}), ("a](b)", {"]": 1}), ("**a*", {"*": 1}),
        ("`a ** b` \\* <http://a*b>", {}), ("* item\n* **other\n", {"*": 2}), ("**a\n\nb**", {"*": 4}),
        ("a ** b **", {}), ("__init__ and `` a`b ``", {}),
    ],
)  # fmt: skip
def test_marks_are_read_as_commonmark_does(text: str, strays: dict[str, int]) -> None:
    """Pairs within one block; what is left has no partner."""
    assert dict(marks_of(text).strays) == strays


@pytest.mark.parametrize(
    "find", ["> report since nobody answers it in time here.", ">  report because **nobody** answers it in time here."]
)
def test_a_quote_mark_of_the_find_is_not_doubled(find: str) -> None:
    """Normal forms leave quote marks out; a find that begins with one means the one that stands there."""
    text = "# A\n\n> The archive retries.\n> report because nobody answers it in time here.\n"
    new = "> It stops because nobody answers it in time here."
    assert edited_text(text, "A", find, new) == text.replace("> report", "> It stops")


@pytest.mark.parametrize("marks", ["> ", ">", "> > ", ""])
def test_a_quote_mark_where_other_marks_are_left_out(marks: str) -> None:
    """The line keeps as many as it has; one that the document has not comes in by no replacement."""
    text = f"# A\n\n{marks}It **waits** here.\n{marks}And more.\n"
    find, new = f"{marks or '> '}It waits here.", f"{marks or '> '}It goes."
    assert edited_text(text, "A", find, new) == text.replace("It **waits** here.", "It goes.")


def test_a_deletion_leaves_no_words_joined_and_the_indentation() -> None:
    """Of the blank before what is deleted, which the find has as well."""
    for line, rest in (
        ("- a\n\n  “this one” out", "- a\n\n   out"),
        ("Take “this one”s out", "Take s out"),
        ("Take “this one” out", "Take out"),
        ("Take “this one”", "Take"),
    ):
        assert edited_text(f"# A\n\n{line}", "A", ' "this one"', "") == f"# A\n\n{rest}"
    assert edited_text("# A\n\nTake\n“this one” out", "A", '\n"this one"', "") == "# A\n\nTake\n out"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_a_replacement_are_those_of_most_lines(end: str) -> None:
    """Whichever it has itself; in a text of one line they are as they come."""
    text = "# A\n\none x two\n\nthree\n".replace("\n", end)
    for own in ("\n", "\r\n", "\r"):
        assert edited_text(text, "A", "x", f"a{own}b") == text.replace("x", f"a{end}b")
        assert edited_text("one x two", "", "x", f"a{own}b") == f"one a{own}b two"
