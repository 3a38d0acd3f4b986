"""What a quote matches and what it does not: escapes, composed letters, links, whole words, sister sentences."""

from __future__ import annotations

import unicodedata

import pytest

from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.work import Work
from draftsmith.transform.costs import Searches
from draftsmith.transform.matching.equivalence import has_links_of, link_targets, normal_form, whole_links
from draftsmith.transform.matching.find_ladder import Finder, SearchBudgetExceeded, SearchRange
from draftsmith.transform.matching.locate import find_text_or_none
from draftsmith.transform.matching.marks import Pair, with_partners
from draftsmith.transform.matching.synonyms import are_paraphrases
from tests.builders import Op, refused, run, workspace_of
from tests.kit.documents import edit_error, edit_section, edited_text


def in_section(line: str) -> str:
    return f"# A\n\nBefore it.\n\n{line}\n\nAfter it.\n"


# -- canonical equality ----------------------------------------------------------------------------------------------

_LETTERS = ["café ouvert", "Ǻngström and ǖ", "한글 문서", "Ωm and Å", "क़ानून", "ệ in Việt", "কোন দিন"]


@pytest.mark.parametrize("letters", _LETTERS)
@pytest.mark.parametrize("there, quoted", [("NFC", "NFD"), ("NFD", "NFC")])
def test_what_is_canonically_equal_is_found(letters: str, there: str, quoted: str) -> None:
    """Composed or not, on either side; the document's own bytes around it stay as they are."""
    own = unicodedata.normalize(there, letters)  # type: ignore[arg-type]
    text = f"# A\n\n{own} before. See {own} here, {own} after.\n"
    find = unicodedata.normalize(quoted, f"See {letters} here")  # type: ignore[arg-type]
    assert edited_text(text, "A", find, "x") == text.replace(f"See {own} here", "x")


def test_so_is_the_title_of_a_section() -> None:
    title = unicodedata.normalize("NFD", "Café 한글")
    text = f"# {title}\n\nIt is open.\n"
    assert edited_text(text, unicodedata.normalize("NFC", title), "open", "shut") == text.replace("open", "shut")


def test_a_letter_is_not_found_in_one_with_a_mark() -> None:
    """`e` with an accent is another letter than `e`, also where the accent is a character by itself."""
    text = in_section("Go to the cafe\u0301 now.")
    assert edit_error(text, "A", "the cafe", "x").code == "find_not_found"
    assert "x now" in edited_text(text, "A", "the café", "x")


def test_many_marks_on_one_letter_cost_no_more_than_others() -> None:
    """Ordering marks takes the square of their number, so no more than some are ordered."""
    form = normal_form("a" + "\u0301\u0323" * 20_000, "A")
    assert len(form.starts) == len(form.text) == len(form.ends)


# -- escapes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "there, quoted",
    [
        (r"a \*starred\* word", "a *starred* word"),
        (r"\_\_init\_\_ and others", "__init__ and others"),
        (r"\`tick\` and `code`", "`tick` and `code`"),
        (r"the my\_own\_id of it", "the my_own_id of it"),
        (r"\[note\](see below) here", "[note](see below) here"),
        (r"one \| other", "one | other"),
        (r"C:\\temp\\new folder", r"C:\temp\new folder"),
        ("C:\\temp\\new folder", "C:\temp\new folder"),
        (r"matches `^\d+\.\w*$` only", "matches `^d+.w*$` only"),
        (r"ends with `a\r\n` always", "ends with `a\r\n` always"),
        ('the "name" of it', r"the \"name\" of it"),
        ("one line\nand another", r"one line\nand another"),
        ("a &lt;b&gt; &amp; c", "a <b> & c"),
        ("a <b> & c", "a &lt;b&gt; &amp; c"),
        ("ten&nbsp;seconds later", "ten seconds later"),
        ("it&#39;s &quot;so&quot;", 'it\'s "so"'),
    ],
)
def test_lost_and_doubled_escapes_are_the_same_text(there: str, quoted: str) -> None:
    """Whole, with the marks at its ends; nothing of an escape is left behind."""
    text = in_section(f"Here is {there} today.")
    assert edited_text(text, "A", f"is {quoted} today", "x") == text.replace(f"is {there} today", "x")
    assert edited_text(text, "A", quoted, "x") == text.replace(there, "x")


@pytest.mark.parametrize(
    "there, quoted", [("a | b", "a|b"), ("a|b", "a | b"), ("go  test", "go test"), ("a\nb", "a b")]
)
def test_blanks_in_code_are_left_out_like_others(there: str, quoted: str) -> None:
    """Around a bar, where the quote has none or more, and where a line ends."""
    text = in_section(f"Run `{there}` now.")
    assert edited_text(text, "A", quoted, "x") == text.replace(there, "x")


def test_half_of_what_is_code_stands_for_all_of_it() -> None:
    """Also where a blank is another one."""
    for find in ("`go test", "`go  test", "go  test`"):
        assert edited_text(in_section("Run `go test` now."), "A", find, "x") == in_section("Run x now.")


@pytest.mark.parametrize("above", ["", "# A\n\n", "# A\n\nText *x.\n\n"])
def test_marks_in_a_block_of_code_are_letters(above: str) -> None:
    """There is no half of a pair, whether the block is the first of the document or not."""
    code = f"{above}```\nA **bold word** line\n```\n"
    for find in ("word** line", "word**  line"):
        assert edited_text(code, "A" if above else "", find, "x") == code.replace("word** line", "x")


def test_marks_as_letters_go_whole_where_emphasis_is_lost_as_well() -> None:
    """A quote with a mark at an end never leaves the escaped mark beside what comes there."""
    text = in_section(r"See \*this\* and **that** too.")
    assert edit_error(text, "A", "*this* and that too", "x").code == "find_not_found"
    assert edit_error(in_section(r"See **that** and this\* too."), "A", "that and this*", "x").code == "find_not_found"
    for line in (r"\*this other that", r"They take \*this other that"):
        assert edit_error(line, "", "*this* other that", "x").code == "find_not_found"
    assert edited_text(text, "A", "this* and **that** too", "x") == text.replace(r"this\* and **that** too", "x")


def test_an_escaped_letter_is_not_cut_from_its_backslash() -> None:
    """In a pattern the two are one; a backslash that is escaped itself stays where it is."""
    text = in_section(r"It matches \d+\w only.")
    assert edit_error(text, "A", "d+w only", "x").code == "find_not_found"
    assert edited_text(text, "A", "matches d+w only", "x") == text.replace(r"matches \d+\w only", "x")
    folder = in_section(r"In C:\\temp\\new they lie.")
    assert edited_text(folder, "A", "temp\\new  they", "x") == folder.replace(r"temp\\new they", "x")


def test_an_escape_that_is_there_twice_is_ambiguous() -> None:
    text = "# A\n\nOne \\*a b\\* here.\n\nTwo \\*a b\\* there.\n"
    assert edit_error(text, "A", "*a b*", "x").code == "find_ambiguous"


# -- links -----------------------------------------------------------------------------------------------------------

_WORDS = "which takes every new request of the shop and hands them to the warehouse at once"


@pytest.mark.parametrize(
    "there, quoted",
    [
        ("[orders](#node/orders)", "[orders](#node/payments)"),
        ("![orders](a.png)", "![orders](b.png)"),
        ("[orders][one]", "[orders][two]"),
        ("[orders][]", "[orders][two]"),
        ("orders[^1]", "orders[^2]"),
        ("orders[^1][^3]", "orders[^1][^2]"),
        ("orders", "[orders](#node/orders)"),
        ("[![orders](a.png)](#a)", "[![orders](a.png)](#b)"),
        ("[orders](https://shop.example/a--b)", "[orders](https://shop.example/a-b)"),
        ("orders <https://shop.example/a--b>", "orders <https://shop.example/a-b>"),
    ],
)
@pytest.mark.parametrize("words", [_WORDS, _WORDS.replace("every", "each"), _WORDS.replace("the shop", "a  shop")])
def test_another_target_is_never_taken(there: str, quoted: str, words: str) -> None:
    """On no rung: with the same words, with blanks or a small word otherwise; the refusal shows the true target."""
    text = in_section(f"See {there}, {_WORDS}.")
    error = edit_error(text, "A", f"See {quoted}, {words}.", "x")
    assert error.code == "find_not_found"
    assert there in str(error)


def test_nor_around_dots() -> None:
    text = in_section(f"See [orders](#node/orders), {_WORDS}.")
    assert edit_error(text, "A", "See [orders](#node/other), which … warehouse at once.", "x").code == "find_not_found"
    assert edit_error(text, "A", "See [orders](#node/other), which takes ...", "x").code == "find_not_found"


def test_a_refusal_says_which_link_leads_elsewhere() -> None:
    """Also in a long paragraph, where some words differ as well."""
    text = in_section(f"{_WORDS.capitalize()}. " * 8 + f"See [orders](#node/orders), {_WORDS}.")
    error = edit_error(
        text, "A", f"the warehouse at once. See [orders](#node/other), {_WORDS.replace('takes', 'took')}.", "x"
    )
    assert "the document has `[orders](#node/orders)`, find has `[orders](#node/other)`" in str(error)


def test_links_that_are_quoted_as_text_may_lead_anywhere() -> None:
    """Beside one that is quoted with its target: what leads elsewhere is only what says so."""
    text = in_section("Both [orders](#a) and [payments](#b) wait.")
    assert edited_text(text, "A", "Both orders and [payments](#b) wait", "x") == text.replace(
        "Both [orders](#a) and [payments](#b) wait", "x"
    )
    assert edit_error(text, "A", "Both orders and [payments](#a) wait", "x").code == "find_not_found"


def test_a_link_is_taken_whole_or_not_at_all() -> None:
    text = in_section("See [the big orders](#node/orders) first, **and all others** then.")
    assert edit_error(text, "A", "big  orders first", "x").code == "find_not_found"
    assert edited_text(text, "A", "the big orders  first", "x") == text.replace(
        "[the big orders](#node/orders) first", "x"
    )
    for find in ("the  big", "the **big**"):
        assert edited_text(text, "A", find, "x") == text.replace("the big", "x")
    for find in ("big  orders", "**big** orders"):
        assert edited_text(text, "A", find, "x") == text.replace("big orders", "x")
    assert whole_links(3, 9, [(0, 1, 5, 12, 12)]) is None
    for find in ("first,  and all others", "first,  **and all others"):
        assert edited_text(text, "A", find, "x") == text.replace("first, **and all others**", "x")
    for find in ("and all others  then", "and all others**  then"):
        assert edited_text(text, "A", find, "x") == text.replace("**and all others** then", "x")


def test_links_are_read_in_all_their_forms() -> None:
    assert link_targets("[![a](i.png)](u) [x](<y>) [r][] [s][T] [^n] [no]") == ["i.png", "u", "y", "[r]", "[t]", "^n"]
    assert has_links_of(r"[a](x\_y)", "[a](x_y)")
    assert not has_links_of("[a](u)", "[a](v) [b](u)")


# -- whole words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("find", ["one  two", "“one two”", "**one** two"])
def test_what_differs_is_never_half_a_word(find: str) -> None:
    """At neither end; letter for letter it may be."""
    for line in ("stone two", "one twofold", "one two2"):
        text = in_section(line.replace("one two", '"one two"') if "“" in find else line)
        if "“" not in find:
            assert edit_error(text, "A", find, "x").code == "find_not_found"
    assert edited_text(in_section("stone two"), "A", "one two", "x") == in_section("stx")


def test_a_contraction_is_not_cut() -> None:
    """`do not` inside `don't` cannot be half of it."""
    assert edit_error(in_section("They don't wait."), "A", "They  do", "x").code == "find_not_found"


# -- deletions -------------------------------------------------------------------------------------------------------


def test_a_deletion_takes_a_blank_only_where_the_find_has_one() -> None:
    """One blank of the two around it, and none before a word that would be joined to another."""
    text = in_section("Take “this one” out of it.")
    assert edited_text(text, "A", '"this one"', "") == text.replace("“this one”", "")
    assert edited_text(text, "A", ' "this one"', "") == text.replace(" “this one”", "")
    assert edited_text(text, "A", '"this one" ', "") == text.replace("“this one” ", "")
    assert edited_text(in_section("(“this one” is)"), "A", '"this one" ', "") == in_section("( is)")


# -- what is ahead of what -------------------------------------------------------------------------------------------

_LONG = "The worker reads all the entries of the ledger and sends their totals to the archive each evening"


def test_nearly_the_same_words_need_a_margin() -> None:
    """A second sentence that is nearly as near is as likely to be meant: both would be similar enough."""
    find = _LONG.replace("totals", "total")
    assert edited_text(in_section(_LONG + "."), "A", find, "x") == in_section("x.")
    sister = _LONG.replace("archive", "archives")
    assert edit_error(in_section(f"{_LONG}.\n\n{sister}."), "A", find, "x").code == "find_not_found"


def test_so_do_nearly_the_same_titles() -> None:
    """Two titles that are about as near are both offered."""
    text = "# A\n\n## Replication of ledgers\n\none\n\n## Replication of ledger\n\ntwo\n"
    assert edit_error(text, "Replicaton of ledgerz", "one", "x").code in ("section_ambiguous", "section_not_found")
    assert edit_error(text, "Replicatoin of ledgers", "one", "x").code == "section_ambiguous"


def test_the_own_text_of_a_section_comes_before_its_subsections() -> None:
    """On each rung: the same words in a subsection are not meant, unless the section has none."""
    text = "# A\n\nIt waits.\n\n## B\n\nIt waits. It goes.\n"
    assert edited_text(text, "A", "It  waits.", "x") == text.replace("It waits.", "x", 1)
    assert edited_text(text, "A", "It  goes.", "x") == text.replace("It goes.", "x")


def test_six_words_are_enough_for_nearly_the_same_and_five_are_not() -> None:
    text = in_section("The reader takes these lines away.")
    assert edited_text(text, "A", "The reader takes those lines away.", "x") == in_section("x")
    assert edit_error(text, "A", "The reader takes those lines", "x").code == "find_not_found"


def test_nearly_the_same_words_are_nearly_all_of_them() -> None:
    """Small words may be others or missing, and yet not so many of them."""
    text = in_section("She took those of them that are of use to us and then so did all of them who were here.")
    find = "She took those of them that are of use to us and so did all of them who were here."
    assert edited_text(text, "A", find, "x") == in_section("x")
    assert (
        edit_error(text, "A", "She took those which are of use to us and then so did all who are here.", "x").code
        == "find_not_found"
    )


@pytest.mark.parametrize("old, new", [("The worker", "A worker"), ("each evening", "each evenings")])
def test_the_words_at_both_ends_are_the_same(old: str, new: str) -> None:
    """Even small ones and inflections: what stands at an end decides how far the span reaches."""
    assert edit_error(in_section(_LONG + "."), "A", _LONG.replace(old, new), "x").code == "find_not_found"


def test_punctuation_behind_the_last_word_stays() -> None:
    """Where nearly the same words are found and the find does not end with it."""
    assert edited_text(in_section(_LONG + "!?"), "A", _LONG.replace("totals", "total"), "x") == in_section("x!?")


# -- synonyms and terms ----------------------------------------------------------------------------------------------

_SENTENCE = "The worker gathers all the numbers of the last night and stores them in the ledger for the clerks"


@pytest.mark.parametrize("new", ["collects", "collected", "accumulates"])
def test_a_plain_synonym_is_taken_even_where_the_document_has_it(new: str) -> None:
    """It names nothing, so that it stands elsewhere says nothing."""
    text = in_section(f"{_SENTENCE}.\n\nA job {new} the rest.")
    assert edited_text(text, "A", _SENTENCE.replace("gathers", new), "x") == text.replace(_SENTENCE, "x")


def test_one_other_word_needs_eight_that_agree_and_none_at_an_end() -> None:
    eight, nine = "He gathers numbers and puts them in here", "He gathers numbers and puts all them in here"
    assert edited_text(in_section(nine), "A", nine.replace("gathers", "collects"), "x") == in_section("x")
    assert edit_error(in_section(eight), "A", eight.replace("gathers", "collects"), "x").code == "find_not_found"
    for old, new in (("The worker", "Our worker"), ("the clerks", "the tellers")):
        assert edit_error(in_section(_SENTENCE), "A", _SENTENCE.replace(old, new), "x").code == "find_not_found"
        both = _SENTENCE.replace(old, new).replace("gathers", "collects")
        assert edit_error(in_section(_SENTENCE), "A", both, "x").code == "find_not_found"


def test_one_other_word_among_very_many_equal_ones_is_not_looked_for() -> None:
    """At each of 8,001 places that begin alike all of 5,000 words would be compared."""
    text = "as " * 8_001
    with pytest.raises(SearchBudgetExceeded):
        Finder("as " * 5_000).but_for_one_word(SearchRange(text, 0, len(text)))


def test_no_word_of_code_or_of_a_table_is_another() -> None:
    """Code on either side; fenced and in a row of a table."""
    find = _SENTENCE.replace("gathers", "collects")
    assert edit_error(in_section(_SENTENCE.replace("gathers", "`gathers`")), "A", find, "x").code == "find_not_found"
    assert edit_error(in_section(_SENTENCE), "A", find.replace("collects", "`collects`"), "x").code == "find_not_found"
    for fence in ("```", "~~~"):
        assert edit_error(in_section(f"{fence}\n{_SENTENCE}\n{fence}"), "A", find, "x").code == "find_not_found"
    assert edit_error(in_section(f"| {_SENTENCE} | b |\n|---|---|"), "A", find, "x").code == "find_not_found"


@pytest.mark.parametrize(
    "old, new", [("worker", "scheduler"), ("worker", "controller"), ("gathers", "scatters"), ("clerks", "admins")]
)
def test_a_term_is_never_another_term(old: str, new: str) -> None:
    """Roles and parts of a system, and opposites: also where the document has only one of them."""
    sentence = _SENTENCE.replace("clerks", "users")
    text = in_section(f"{sentence}.")
    find = sentence.replace(old.replace("clerks", "users"), new)
    assert edit_error(text, "A", find, "x").code == "find_not_found"


def test_ordinary_words_that_are_terms_are_no_paraphrases() -> None:
    """`class` for `type` is one in everyday language alone; `sort` for `type` is one anywhere."""
    assert not are_paraphrases("class", "type")
    assert are_paraphrases("sorts", "types")


def test_terms_of_one_meaning_are_told_apart_where_the_document_has_both() -> None:
    """`machine` for `node` is a paraphrase until the document has machines, too."""
    sentence = _SENTENCE.replace("worker", "node")
    find = sentence.replace("node", "machine")
    assert edited_text(in_section(f"{sentence}."), "A", find, "x") == in_section("x.")
    assert edit_error(in_section(f"{sentence}.\n\nEach machine has two."), "A", find, "x").code == "find_not_found"


# -- dots ------------------------------------------------------------------------------------------------------------


def test_dots_may_stand_between_words_that_stand_elsewhere_as_well() -> None:
    """If only one block has them in this order; where one block has them twice, it is refused."""
    text = "# A\n\nThe worker sleeps.\n\nThe worker reads a line and goes on to the next one.\n\nTo the next one!\n"
    for dots in (" ... ", " […] ", " . . . ", " [ ... ] ", "\n...\n", " … … ", " .... "):
        assert "x." in edited_text(text, "A", f"The worker{dots}to the next one", "x")
    twice = text.replace("reads a line", "reads it, and the worker reads a line")
    assert edit_error(
        twice.replace("and the worker", "and The worker"), "A", "The worker ... to the next one", "x"
    ).code == ("find_not_found")


def test_one_word_behind_dots_stands_there_once() -> None:
    """One that stands anywhere behind them as well may be meant there."""
    text = "# A\n\n- The worker reads a line of its ledger\n- The clerk reads the ledger\n"
    assert edit_error(text, "A", "The worker ... ledger", "x").code == "find_not_found"
    assert edited_text(text.replace("the ledger", "it"), "A", "The worker ... ledger", "x").startswith("# A\n\n- x\n")


def test_words_beside_dots_are_whole() -> None:
    """At both ends of a find with dots, and at dots with a blank: a word is cut by dots right at it alone."""
    text = "# A\n\nIt resends themselves to all ledgers of Größe.\n"
    for find in (
        *("sends themselves … ledgers", "It resends … all ledger", "It resend … ledgers", "It resends … edgers of"),
        *("It resends themselves to all led …", "t resends themselves to all …", "It resends … ledgers of Größ"),
        "… hemselves to all ledgers of Größe.",
    ):
        assert edit_error(text, "A", find, "x").code == "find_not_found"
    for find in ("It resen…edgers of", "It resends … ledgers of", "It resends themselves to all led…"):
        assert "\n\nx" in edited_text(text, "A", find, "x")
    elsewhere = text.replace("It", "He sends them the bills, it")
    assert edited_text(elsewhere, "A", "sends … bills", "has") == elsewhere.replace("sends them the bills", "has")


def test_half_a_word_of_any_alphabet_is_not_taken() -> None:
    """Where blanks differ; a script without blanks, and one that writes endings to words, has no half ones."""
    assert edit_error(in_section("Der Größenwahn ist da."), "A", "größenwahn  ist d", "x").code == "find_not_found"
    assert edit_error(in_section("Лес подлежит там."), "A", "лежит  там", "x").code == "find_not_found"
    assert edited_text(in_section("주문  서비스는 있다."), "A", "주문 서비스", "x") == in_section("x는 있다.")


@pytest.mark.parametrize(
    "find, has, wants",
    [
        ("falcon garnet harbor island, always", "island.", "island always"),
        ("garnet harbor island, always and ever", "island.", "island always and ever"),
        ("ember falcons garnet harbor", "falcon", "falcons"),
        ("amber falcon garnet harbour island", "ember", "amber"),
        ("dragon falcon garnet harbor island", "ember", "falcon"),
        ("ember and falcon garnet", "falcon", "and"),
    ],
)
def test_a_refusal_names_the_first_difference(find: str, has: str, wants: str) -> None:
    """What the text has beside the quotation is none, also where the quotation goes on behind the end of the text."""
    error = edit_error("# A\n\nAnvil badger copper dragon ember falcon garnet harbor island.\n", "A", find, "x")
    assert f"First difference: the document has `{has}`, find has `{wants}`." in str(error)


def test_dots_at_an_end_need_a_line_that_is_a_block() -> None:
    """In a paragraph of several lines nobody can say how far they reach."""
    text = "# A\n\nThe worker reads a line\nand goes on.\n\nThe clerk writes it down.\n"
    for find in ("The worker reads …", "… goes on."):
        assert edit_error(text, "A", find, "x").code == "find_not_found"
    assert "\n\nx\n" in edited_text(text, "A", "The clerk writes …", "x")


def test_dots_at_an_end_reach_over_no_bar_of_a_table() -> None:
    """Unless the find begins (or ends) with the row: else cells that nobody quoted would go."""
    row = "| the very first one | keep raw logs for ever | all day by day |"
    text = f"# A\n\n| a | b | c |\n|---|---|---|\n{row}\n"
    for find in ("keep raw logs …", "one | keep raw logs …", "… logs for ever", "… logs for ever | all day by day"):
        assert edit_error(text, "A", find, "x").code == "find_not_found"
    for find in ("| the very first one | keep raw …", "… ever | all day by day |"):
        assert edited_text(text, "A", find, "| x | y | z |") == text.replace(row, "| x | y | z |")
    assert edited_text(text, "A", "all day by d…", "x") == text.replace("all day by day", "x")
    assert edited_text(text, "A", "… very first one |", "x |") == text.replace("the very first one", "x")


def test_dots_reach_over_no_border_of_blocks() -> None:
    text = "# A\n\nThe worker reads.\n\nThe clerk writes it down.\n\n- one item here\n- two items there\n"
    assert edit_error(text, "A", "The worker … writes it down", "x").code == "find_not_found"
    assert edit_error(text, "A", "one item … items there", "x").code == "find_not_found"


def test_a_span_is_widened_to_partners_at_its_borders_alone() -> None:
    """To both halves of a pair that it cuts; to none where the other half stands elsewhere."""
    assert with_partners(2, 8, [Pair(0, 2, 6, 8)]) == (0, 8)
    assert with_partners(0, 6, [Pair(0, 2, 6, 8)]) == (0, 8)
    assert with_partners(0, 5, [Pair(0, 2, 6, 8)]) is None
    assert with_partners(2, 8, [Pair(0, 2, 6, 8), Pair(0, 1, 9, 10)]) is None
    assert with_partners(3, 5, [Pair(0, 2, 6, 8)]) == (3, 5)


# -- what the batch wrote --------------------------------------------------------------------------------------------


_BATCH = "# Shop\n\nalpha beta\n\n## Risks\n\nnone\n"
_MADE: Op = {"op": "insert_section", "after": "## Risks", "title": "Notes", "text": "one line\n"}


def _text_after(*operations: Op) -> str:
    workspace = workspace_of(text=_BATCH)
    run(workspace, *operations, revision=2)
    return workspace.document.text


def test_a_section_that_the_batch_made_is_its_own_to_edit() -> None:
    """With all that the batch writes into it later: at its end, in its middle, in place of its text."""
    append: Op = {"op": "append_to_section", "section": "Notes", "text": "two lines"}
    assert "new line" in _text_after(_MADE, edit_section("Notes", "one", "new"))
    assert "new lines" in _text_after(_MADE, append, edit_section("Notes", "two", "new"))
    assert "newer line" in _text_after(
        _MADE, edit_section("Notes", "one", "new"), edit_section("Notes", "new", "newer")
    )
    assert "two lines" not in _text_after(_MADE, append, {"op": "replace_section", "section": "Notes", "text": "all"})
    moved: Op = {"op": "move_section", "section": "Risks", "before": "# Shop"}
    assert "new" in _text_after(moved, edit_section("Risks", "none", "new"), edit_section("Risks", "new", "newer"))


def test_what_the_batch_wrote_elsewhere_is_not_quoted_again() -> None:
    """Not where it touches what was written by one character, nor all of several; right beside it is free."""
    workspace = workspace_of(text=_BATCH)
    for second in (
        edit_section("Shop", "new", "new"),
        edit_section("Shop", "a new", "new"),
        edit_section("Shop", "w", ""),
        edit_section("Shop", "alpha  new", "new"),
    ):
        assert refused(workspace, edit_section("Shop", "beta", "new"), second) == [(1, "overlap")]
    assert "x new" in _text_after(edit_section("Shop", "beta", "new"), edit_section("Shop", "alpha", "x"))
    assert "new gamma" in _text_after(edit_section("Shop", "alpha", "new"), edit_section("Shop", " beta", " gamma"))
    assert refused(
        workspace, edit_section("Shop", "beta", "new"), edit_section("Shop", "new", "new") | {"all": True}
    ) == [(1, "overlap")]


# -- what a search costs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("find", ["numbers of the", "numbers  of the", "numbers of **the**", "nothing of that"])
def test_a_search_costs_as_much_when_its_result_is_known(find: str) -> None:
    """What a request may cost does not depend on what was asked before it."""
    outline, spent = outline_of(in_section(_SENTENCE)), []
    for _ in range(2):
        work = Work()
        find_text_or_none(outline, outline.sections[0], find, [], "/find", Searches(work))
        spent.append(work.spent)
    assert spent[0] == spent[1] > 0


def test_a_search_costs_more_in_a_longer_text_and_on_later_rungs() -> None:
    """What is found letter for letter costs least, what is not found most."""
    rising = []
    for find in ("numbers of the", "numbers  of the", "numbers of **the**", "nothing of all that is here in it"):
        costs = []
        for times in (1, 10):
            text = in_section(_SENTENCE) + "\n\nOther words stand here." * 20 * times
            outline, work = outline_of(text), Work()
            find_text_or_none(outline, outline.sections[0], find, [], "/find", Searches(work))
            costs.append(work.spent)
        assert costs[0] < costs[1] < 20 * costs[0]
        rising.append(costs[1])
    assert rising == sorted(rising)
    assert len({*rising}) == len(rising)
