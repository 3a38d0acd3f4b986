"""An inexact edit keeps what the quotation left out: links, images, marks, breaks, white space; or it says so."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest

from draftsmith.document import EditError, apply_edits
from draftsmith.errors import Problem
from draftsmith.transform.matching import word_alignment
from draftsmith.transform.matching.overlay import laid_over
from tests.builders import run, workspace_of

_Normal = Literal["NFC", "NFD"]


def edited_section(text: str, find: str, replace: str, *, everywhere: bool = False) -> tuple[str, list[Problem]]:
    """A text after an edit of its only section, and what was told."""
    told: list[Problem] = []
    edit = {"section": "A", "find": find, "replace": replace, "all": everywhere}
    after = apply_edits(f"# A\n\n{text}\n", [edit], told)
    assert after.startswith("# A")
    return after[5:-1], told


@pytest.mark.parametrize(
    "text, find, replace, right",
    [
        ("The [Orders](#node/orders) service. Retries: 3.", "The Orders service. Retries: 3.",
         "The Orders service. Retries: 5.", "The [Orders](#node/orders) service. Retries: 5."),
        ("See [the runbook](x) and **never** page `ops`. 5.", "See the runbook and never page ops. 5.",
         "See the runbook and never page ops. 7.", "See [the runbook](x) and **never** page `ops`. 7."),
        ("![logo](x.png) The shop. 5.", "logo The shop. 5.", "logo The shop. 7.", "![logo](x.png) The shop. 7."),
        ("The ![](x.png) shop  is ok.", "The shop is ok.", "The old shop is fine.",
         "The ![](x.png) old shop  is fine."),
        ("As [Redis][r] says, it  is ok.", "As Redis says, it is ok.", "As Redis says, it is fine.",
         "As [Redis][r] says, it  is fine."),
        ("It is so.[^1] And *then* some.", "It is so. And then some.", "It is so. And then more.",
         "It is so.[^1] And *then* more."),
        ("AT&amp;T has 10&nbsp;MB *now*.", "AT&T has 10 MB now.", "AT&T has 12 MB now.",
         "AT&amp;T has 12&nbsp;MB *now*."),
        ("Up to 10\u00a0MB, 5\u00a0files.", "Up to 10 MB, 5 files.", "Up to 10 MB, 7 files.",
         "Up to 10\u00a0MB, 7\u00a0files."),
        ("Street 1  \nTown 2  \nLand 3", "Street 1\nTown 2\nLand 3", "Street 1\nTown 22\nLand 3",
         "Street 1  \nTown 22  \nLand 3"),
        ("Street 1\\\nTown 2\\\nLand *3*", "Street 1\nTown 2\nLand 3", "Street 1\nTown 22\nLand 3",
         "Street 1\\\nTown 22\\\nLand *3*"),
        ("It’s “good” and *it* works — for now.", 'It\'s "good" and it works - for now.',
         'It\'s "good" and it works - for ever.', "It’s “good” and *it* works — for ever."),
        ("* one [two](x)\n* three\n\nAnd **four**.", "- one two\n- three\n\nAnd four.",
         "- one two\n- new\n- three\n\nAnd four or five.",
         "* one [two](x)\n* new\n* three\n\nAnd **four** or five."),
        ("> a [b](c) d\n> e f", "a b d\ne f", "a b d\ne g", "> a [b](c) d\n> e g"),
        ("| [orders](x) |   80 |\n| [mail](y) |  82 |", "| orders | 80 |\n| mail | 82 |",
         "| orders | 80 |\n| mail | 83 |", "| [orders](x) |   80 |\n| [mail](y) |  83 |"),
        ("See [a](#b-c) or http://d-e.f/g *now* 5.", "See [a](#b–c) or http://d‐e.f/g now 5.",
         "See [a](#b–c) or http://d‐e.f/g now 7.", "See [a](#b-c) or http://d-e.f/g *now* 7."),
        ("see <https://a.b/c>  now", "see https://a.b/c now", "see https://a.b/c soon", "see <https://a.b/c>  soon"),
        ("see <https://a.b/c> and *all*", "see https://a.b/c and all", "see https://a.b/c and more or all",
         "see <https://a.b/c> and more or *all*"),
        ("ask <a@b.org> or <tel:123> *now* 5", "ask a@b.org or tel:123 now 5", "ask a@b.org or tel:123 now 7",
         "ask <a@b.org> or <tel:123> *now* 7"),
        ("[![build](b.svg)](http://ci) The shop. 5.", "build The shop. 5.", "build The shop. 7.",
         "[![build](b.svg)](http://ci) The shop. 7."),
        ("See [the ![icon](i.png) guide][g] *now* 5.", "See the icon guide now 5.", "See the icon guide now 7.",
         "See [the ![icon](i.png) guide][g] *now* 7."),
        ("Read [`a[0]`](x) or [b [c] d](y 'z') or [e](<f g>) 5.", "Read a[0] or b [c] d or e 5.",
         "Read a[0] or b [c] d or e 7.", "Read [`a[0]`](x) or [b [c] d](y 'z') or [e](<f g>) 7."),
        ("| A | B |\n|:------|----:|\n| [a](x) | 80 |", "| A | B |\n| --- | --- |\n| a | 80 |",
         "| A | B |\n| --- | --- |\n| a | 81 |", "| A | B |\n|:------|----:|\n| [a](x) | 81 |"),
        ("| A | B |\n|---|---|\n| [a](x) | 80 |", "| A | B |\n|-|-|\n| a | 80 |", "| A | B |\n|:-|-:|\n| a | 80 |",
         "| A | B |\n|:-|-:|\n| [a](x) | 80 |"),
        ("A | B\n--|--\n*x* | [l](z) 5", "A | B\n--- | ---\nx | l 5", "A | B\n--- | ---\nx | l 6",
         "A | B\n--|--\n*x* | [l](z) 6"),
        ("> | A | B |\n> |---|---|\n> | [a](x) | 80 |", "| A | B |\n| --- | --- |\n| a | 80 |",
         "| A | B |\n| --- | --- |\n| a | 81 |", "> | A | B |\n> |---|---|\n> | [a](x) | 81 |"),
        ("a <!-- why --> b  c *d*", "a b c d", "a b c e d", "a <!-- why --> b  c e *d*"),
        ("a\\_b is *c* now", "a_b is c now", "a_b is c soon", "a\\_b is *c* soon"),
        ("[foo](x)/[bar](y) is  it", "foo/bar is it", "foo/bar was it", "[foo](x)/[bar](y) was  it"),
        ("[Orders](x)'s  queue is full", "Orders's queue is full", "Orders's queue is empty",
         "[Orders](x)'s  queue is empty"),
        ("The worker doesn’t keep [orders](x).", "The worker does not keep orders.",
         "The worker does not keep old orders.", "The worker doesn’t keep old [orders](x)."),
        ("Do  not *wait* for it.", "Don't wait for it.", "Don't wait for mail.", "Do  not *wait* for mail."),
        ("See **(mail) box!** or *((a))*  b.", "See (mail) box! or ((a)) b.", "See (mail) box! or ((a)) c.",
         "See **(mail) box!** or *((a))*  c."),
        ("See mail\ufeff or *box*\u200b, that is  it.", "See mail or box, that is it.", "See mail or box, that is all.",
         "See mail\ufeff or *box*\u200b, that is  all."),
        ("说明[文档](x)在这里。", "说明文档在这里。", "说明文档不在这里。", "说明[文档](x)不在这里。"),
        ("说明[文档](x)在这里。", "说明文档在这里。", "新的文档在这里。", "新的[文档](x)在这里。"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_find_and_replacement_share_stays_as_it_stands(
    text: str, find: str, replace: str, right: str, line_end: str
) -> None:
    """Every kind of mark, white space, quotes and breaks; in paragraphs, lists, quotes and tables; nothing to tell."""
    after, told = edited_section(text.replace("\n", line_end), find, replace)
    assert after == right.replace("\n", line_end)
    assert not told


@pytest.mark.parametrize(
    "text, find, replace, right",
    [
        (r"the snake\_case  name", "the snake_case name", "the snake_case field", r"the snake\_case  field"),
        (r"\*important\* is it", "*important* is it", "*crucial* is it", r"\*crucial\* is it"),
        (r"\_\_init\_\_ and others", "__init__ and others", "__init__ and more", r"\_\_init\_\_ and more"),
        (r"\_\_init\_\_ and others", "__init__ and others", "x and more", "x and more"),
        (r"a **b\_c** d", "a **b_c** d", "a **b_c** e", r"a **b\_c** e"),
        (r"x\*y is [a](b) ok", "x*y is [a](b) ok", "x*y is a ok", r"x\*y is a ok"),
        ("a &lt;b&gt; &amp; c  d", "a <b> & c d", "a <b> & c e", "a &lt;b&gt; &amp; c  e"),
        (r"one \| other", "one | other", "one | more", r"one \| more"),
        ('the "name" of it', r"the \"name\" of it", r"the \"name\" of her", 'the "name" of her'),
        ("one **line**\nand another", r"one **line**\nand another", r"one **line**\nand more",
         "one **line**\nand more"),
        ("C:\\temp\\new folder", "C:\temp\new folder", "C:\temp\new file", "C:\\temp\\new file"),
    ],
)  # fmt: skip
def test_words_that_lost_escapes_stay_as_they_stand(text: str, find: str, replace: str, right: str) -> None:
    """Escapes that the quotation left out, or made of line ends, stay with the words and signs that it shares."""
    assert edited_section(text, find, replace) == (right, [])


@pytest.mark.parametrize(
    "written, right",
    [
        ("It is *so and so* here.", "It *is* ***so and so*** here."),
        ("It is **so** and so here.", "It *is* **so and so** here."),
        ("It **is so and so** here.", "It ***is* so and so** here."),
    ],
)
def test_emphasis_of_the_text_beside_that_of_the_replacement(written: str, right: str) -> None:
    """Of two of one kind the outer one is there alone, of two kinds both are."""
    assert edited_section("It *is* **so and so** here.", "It is so and so here.", written) == (right, [])


@pytest.mark.parametrize(
    "written, right, lost",
    [
        ("It is **so and** so here.", "It is **so and** so here.", ["`so and so`"]),
        ("It is **so and so** here.", "It is **`so and so`** here.", []),
        ("It **is so and so** here.", "It **is `so and so`** here.", []),
        ("It is so `and so here`.", "It is so `and so here`.", ["`so and so`"]),
    ],
)
def test_code_of_the_text_beside_marks_of_the_replacement(written: str, right: str, lost: list[str]) -> None:
    """It stays within them, and goes where they would cross it."""
    after, told = edited_section("It is `so and so` here.", "It is so and so  here.", written)
    assert (after, [one for problem in told for one in problem.candidates]) == (right, lost)


def test_half_of_what_is_marked_is_quoted() -> None:
    """The mark stays around the words that do; with none of them left the quotation is refused."""
    text = "A **bold word** and *more words* of it."
    assert edited_section(text, "word and more", "word or more") == (text.replace("and", "or"), [])
    assert edited_section(text, "more words of", "less words of") == (
        text.replace("*more words*", "less *words*"),
        [],
    )
    for replace in ("some and more", "word and some"):
        with pytest.raises(EditError):
            edited_section(text, "word and more", replace)


@pytest.mark.parametrize("sign", ["[^1]", " <!-- why -->", " ![](x.png)"])
@pytest.mark.parametrize(
    "text, find, replace, right",
    [
        ("It waits{} then *more*.", "It waits then more.", "It waits{} now more.", "It waits{} now *more*."),
        ("It then{} *waits* more.", "It then waits more.", "It now{} waits more.", "It now{} *waits* more."),
        ("It waits{} then *more*.", "It waits then more.", "It waits, now{} more.", "It waits, now{} *more*."),
        ("It waits.{} Then *more*.", "It waits. Then more.", "It stops.{} Now more.", "It stops.{} Now *more*."),
    ],
)
def test_what_the_replacement_writes_is_there_once(sign: str, text: str, find: str, replace: str, right: str) -> None:
    """A footnote, a comment or an image that the find left out; it is not told as gone either."""
    after = edited_section(text.replace("{}", sign), find, replace.replace("{}", sign))
    assert after == (right.replace("{}", sign), [])


def test_dots_lend_no_blank_to_what_comes_in_their_place() -> None:
    """The blank before the words that dots stand for is none before a sign that comes there."""
    text, find = "everything that may happen later (mail, stock) waits", "everything that… (mail, stock)"
    assert edited_section(text, find, "Nothing of that: `code`.") == ("Nothing of that: `code`. waits", [])


def test_emphasis_of_a_small_word_goes_with_the_words_around_it() -> None:
    """A small word that another text has, too, is another word there; beside what stays it keeps its emphasis."""
    after, told = edited_section(
        "The client says so\n*and* all is there.", "The client says so\nand all is there.", "One and two."
    )
    assert after == "One and two."
    assert [one.code for one in told] == ["marks_lost"]
    assert edited_section("It says so *and*  ends.", "It says so and ends.", "It says so and stops.") == (
        "It says so *and*  stops.",
        [],
    )


@pytest.mark.parametrize(
    "text, find, replace, right, codes",
    [
        # Half of what was marked is gone, and the number is another one.
        ("It checks **one writer** for it.", "It checks one writer for it.", "This or another one.",
         "This or another one.", ["marks_lost"]),
        ("Stop **after 7 tries** then.", "Stop after 7 tries then.", "See page 7, please.", "See page 7, please.",
         ["marks_lost"]),
        # The same number, beside words that stay, or all that was marked.
        ("Keep it for **7 days** there.", "Keep it for 7 days there.", "Keep it for 7 weeks there.",
         "Keep it for **7** weeks there.", []),
        ("It has **3** parts.", "It has 3 parts.", "There are 3 pieces.", "There are **3** pieces.", []),
    ],
)  # fmt: skip
def test_emphasis_is_not_carried_by_a_number_that_comes_up_again(
    text: str, find: str, replace: str, right: str, codes: list[str]
) -> None:
    """A number alone of what was marked says nothing; beside what stays, or alone in its mark, it keeps the mark."""
    after, told = edited_section(text, find, replace)
    assert (after, [one.code for one in told]) == (right, codes)


def test_a_line_is_not_broken_at_a_number_that_comes_up_again() -> None:
    """A number that another text has, too, does not bring the line break beside it; one that stays does."""
    text, find = "One line of step 4\nand another one.", "One line of\nstep 4 and another one."
    assert edited_section(text, find, "600/s for each of the 4 carts") == ("600/s for each of the 4 carts", [])
    assert edited_section(text, find, "A line of step 4 and no other.") == ("A line of step 4\nand no other.", [])
    last, quoted = "The mail waits for\n5 days", "The mail waits\nfor 5 days"
    assert edited_section(last, quoted, "Send 5 now") == ("Send 5 now", [])
    assert edited_section(last, quoted, "Send it in 5 days") == ("Send it in\n5 days", [])


def test_lines_of_the_replacement_are_not_joined_at_a_small_word_that_comes_up_again() -> None:
    """It does not bring the blank along that the document has before it; beside words that stay, it does."""
    text, find = "It reads [it](x) and sends mail on.", "[it](x)\nand sends\nmail"
    assert edited_section(text, find, "one line\nand another one") == ("It reads one line\nand another one on.", [])
    assert edited_section(text, find, "one\nand sends it") == ("It reads one and sends it on.", [])


@pytest.mark.parametrize("blanks", ["  ", "\u00a0", " \t"])
def test_blanks_between_two_words_go_with_what_comes_between(blanks: str) -> None:
    """They belong to neither word, so the replacement says what stands there; line breaks and other blanks stay."""
    assert edited_section(f"Ann{blanks}lines.", "Ann\u202flines.", "Ann writes lines.") == ("Ann writes lines.", [])
    assert edited_section(f"Ann{blanks}lines.", "Ann\u202flines.", "Ann lines up.")[0] == f"Ann{blanks}lines up."
    assert edited_section("Ann\nlines.", "Ann lines.", "Ann writes lines.") == ("Ann\nwrites lines.", [])
    # One that the replacement has there is not doubled.
    assert edited_section("Ann\n  lines.", "Ann lines.", "Ann\nwrites  lines.") == ("Ann\nwrites  lines.", [])


def test_dots_behind_a_full_stop_are_not_doubled() -> None:
    """`.…` reads as four dots, which are one sign, however they are written."""
    text, find = "It has `requires(Action.…)` now.", "It  has `requires(Action.…)` now."
    assert edited_section(text, find, "It has `requires(Action.…)`.") == ("It has `requires(Action.…)`.", [])
    assert edited_section("So. … Stop.… Go on", "So. …  Stop.... Go on", "So. … Stop.... Go") == ("So. … Stop.… Go", [])


@pytest.mark.parametrize(
    "text, find, replace, kept, new",
    [
        ("café open", "café open", "café closed", "café ", "closed"),
        ("[né](x)  naïf **à Ålesund**.", "né naïf à Ålesund.", "né naïf à Ålesund né.",
         "[né](x)  naïf **à Ålesund**", " né."),
        ("시스템은  [데이터](x) 를 본다", "시스템은 데이터 를 본다", "시스템은 데이터 를 쓴다",
         "시스템은  [데이터](x) 를 ", "쓴다"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("there, quoted", [("NFD", "NFC"), ("NFC", "NFD")])
def test_canonically_equal_words_keep_the_bytes_of_the_document(
    text: str, find: str, replace: str, kept: str, new: str, there: _Normal, quoted: _Normal
) -> None:
    """What was typed composed stays composed, what was decomposed stays so; new words come as they are sent."""
    find, replace, new = (unicodedata.normalize(quoted, one) for one in (find, replace, new))
    text, kept = (unicodedata.normalize(there, one) for one in (text, kept))
    assert edited_section(text, find, replace) == (kept + new, [])


@pytest.mark.parametrize(
    "text, replace, right",
    [
        ("[the old runbook](x) is  it", "the new runbook is it", "[the new runbook](x) is  it"),
        ("[the old runbook](x) is  it", "the runbook is it", "[the runbook](x) is  it"),
        ("**never page `ops`** at  night", "never ever page ops by day", "**never ever page `ops`** by day"),
        ("So **one two three four**.", "So one two\n\nthree four.", "So **one two**\n\n**three four**."),
        ("*[orders](x)* and  more", "all orders and more", "all *[orders](x)* and  more"),
    ],
)
def test_a_mark_goes_on_around_the_part_that_survives(text: str, replace: str, right: str) -> None:
    """With what stands in it now; in each block by itself."""
    find = text.replace("*", "").replace("`", "").replace("[", "").replace("](x)", "").replace("  ", " ")
    assert edited_section(text, find, replace) == (right, [])


@pytest.mark.parametrize(
    "text, find, replace, right, lost",
    [
        ("Ask [the runbook](x) now.", "Ask the runbook now.", "Ask the manual now.", "Ask the manual now.",
         "link [the runbook](x)"),
        ("Set `retry.max` to  5.", "Set retry.max to 5.", "Set retry.min to 5.", "Set retry.min to  5.",
         "code `retry.max`"),
        ("Ask those[^2] *all* else.", "Ask those all else.", "Ask all else.", "Ask *all* else.", "footnote [^2]"),
        ("An ![icon](i.png) here.", "An icon here.", "A text here.", "A text here.", "image ![icon](i.png)"),
        ("a [b](x) c", "a b c", "a [b](y) c", "a [b](y) c", "link [b](x)"),
    ],
)  # fmt: skip
def test_a_mark_of_which_nothing_survives_goes_and_that_is_told(
    text: str, find: str, replace: str, right: str, lost: str
) -> None:
    """With what it was and where; small words that come up again do not carry a mark."""
    after, told = edited_section(text, find, replace)
    assert after == right
    [warning] = told
    assert (warning.code, warning.path) == ("marks_lost", "/edits/0/find")
    assert f"{lost} (line 3)" in warning.message
    assert any(lost.endswith(one) for one in warning.candidates)


@pytest.mark.parametrize(
    "text, find, replace, right",
    [
        ("a **b c** d  e", "a b c d e", "a **b c** d f", "a **b c** d  f"),
        ("a **b c** d  e", "a **b c** d e", "a **b c** d f", "a **b c** d  f"),
        ("a **b c** d  e", "a **b c** d e", "a b c d f", "a b c d  f"),
        ("a __b c__ d  e", "a **b c** d e", "a **b c** d f", "a __b c__ d  f"),
        ("a b c  d", "a **b** c d", "a **b** c e", "a b c  e"),
        ("a b c  d", "a b c d", "a **b** c e", "a **b** c  e"),
        ("a [b](x) c  d", "a [b](x) c d", "a [b](y) c e", "a [b](y) c  e"),
        ("a [b](x) c  d", "a b c d", "a [b](x) c e", "a [b](x) c  e"),
        ("a `b` c  d", "a b c d", "a **b** c e", "a **`b`** c  e"),
        ("a **b c** d  e", "a b c d e", "a [b c](x) d e", "a [**b c**](x) d  e"),
    ],
)
def test_marks_of_the_replacement(text: str, find: str, replace: str, right: str) -> None:
    """What it has like the find is what stands there; what it adds, changes or leaves out is done, and only that."""
    after, told = edited_section(text, find, replace)
    assert after == right
    assert not told


@pytest.mark.parametrize(
    "text, find, replace, right",
    [
        ("**timeout is 30 s**", "_timeout is 30 s_", "limit of 10 s", "**limit of 10 s**"),
        ("**timeout is 30 s**", "_timeout is 30 s_", "_limit of 10 s_", "**limit of 10 s**"),
        ("**timeout is 30 s**", "_timeout is 30 s_", "**limit of 10 s**", "**limit of 10 s**"),
        ("**timeout is 30 s**", "_timeout is 30 s_", "another text", "**another text**"),
        ("Now **timeout is 30 s** here.", "Now _timeout is 30 s_ here.", "Now limit of 10 s here.",
         "Now **limit of 10 s** here."),
        ("`timeout is 30 s`", "**timeout is 30 s**", "limit of 10 s", "`limit of 10 s`"),
        ("~~timeout is 30 s~~", "`timeout is 30 s`", "limit of 10 s", "~~limit of 10 s~~"),
        ("[timeout is 30 s](x)", "_timeout is 30 s_", "limit of 10 s", "[limit of 10 s](x)"),
        ("[**timeout is 30 s**](x)", "`timeout is 30 s`", "limit of 10 s", "[**limit of 10 s**](x)"),
        ("**timeout is 30 s**", "_timeout is 30 s_", "timeout is 30 s. See there.", "**timeout is 30 s**. See there."),
        ("**timeout is 30 s**", "_timeout is 30 s_", "limit\n\nof 10 s", "limit\n\nof 10 **s**"),
        ("**timeout is 30 s**", "_timeout is 30 s_", "- limit of 10 s", "- limit of 10 **s**"),
        ("Now **timeout is 30 s** here.", "Now _timeout is 30 s_ here.", "Soon limit of 10 s here.",
         "Soon limit of 10 **s** here."),
        ("Now **timeout is 30 s** here.", "Now timeout is 30 s here.", "Now limit of 10 s here.",
         "Now limit of 10 **s** here."),
        ("| **timeout is 30 s** | x |", "| _timeout is 30 s_ | x |", "| limit of 10 | s | x |",
         "| limit of 10 | **s** | x |"),
        # What stands in the next block is no part of it.
        ("The **orders**\n\n- one  two", "The `orders`\n\n- one two", "The shop\n\n- one two",
         "The **shop**\n\n- one  two"),
    ],
)  # fmt: skip
def test_a_mark_quoted_as_another_kind_goes_around_what_comes_in_its_place(
    text: str, find: str, replace: str, right: str
) -> None:
    """Unless its words all stay, words beside it go, too, or what comes there is several blocks or cells."""
    assert edited_section(text, find, replace) == (right, [])


def test_a_numbered_item_keeps_its_blank() -> None:
    """Also where the replacement has a second line and the quotation a mark that the document has not."""
    assert edited_section("3. The report is merged", "3. The *report* is merged", "3. One line\n   and another") == (
        "3. One line\n   and another",
        [],
    )


@pytest.mark.parametrize(
    "text, find, replace, mark",
    [
        ("Use [Redis](a) or use [Redis](b) now.", "Use Redis or use Redis now.", "Use Redis now.", "link [Redis](a)"),
        ("The cache and the `cache` now.", "The cache and the cache now.", "The cache now.", "code `cache`"),
        ("- [orders](a)\n- [orders](b)", "- orders\n- orders", "- orders", "link [orders](a)"),
    ],
)
def test_two_ways_that_keep_different_marks_are_refused(text: str, find: str, replace: str, mark: str) -> None:
    """With a mark that may be meant and where it stands, and what to send instead; nothing was changed.

    Where the same mark is kept either way, it is clear.
    """
    with pytest.raises(EditError) as error:
        edited_section(text, find, replace)
    assert error.value.code == "edit_ambiguous"
    assert "Quote the marks in find" in error.value.problems[0].message
    assert f"{mark} (line 3)" in error.value.problems[0].message
    assert error.value.problems[0].candidates == (text,)
    quoted = edited_section(text, text.replace(" ", "  ").replace("-  ", "- "), replace.replace("cache", "`cache`"))
    assert quoted[0].count("(") + quoted[0].count("`") <= 2


@pytest.mark.parametrize(
    "text, replace, right",
    [
        ("It asks the [ledger](x).", "It asks the ledger. Nobody reads the ledger.",
         "It asks the [ledger](x). Nobody reads the ledger."),
        ("The [ledger](x) stores orders.", "The ledger is new. The ledger stores orders.",
         "The ledger is new. The [ledger](x) stores orders."),
        ("Orders wait in [Redis](a). Workers read Redis often.", "Orders wait in Redis. Nobody reads it.",
         "Orders wait in [Redis](a). Nobody reads it."),
    ],
)  # fmt: skip
def test_a_link_stays_in_its_sentence(text: str, replace: str, right: str) -> None:
    """Where its words come up again in a new one."""
    find = text.replace("[", "").replace("](x)", "").replace("](a)", "")
    assert edited_section(text, find, replace) == (right, [])


def test_a_new_column_is_set_like_those_before() -> None:
    text = "| [a](x) | 1 |\n|---|---|\n| [b](y) | 2 |"
    find, replace = "| a | 1 |\n|---|---|\n| b | 2 |", "| a | 1 | k |\n|---|---|---|\n| b | 2 | l |"
    right = "| [a](x) | 1 | k |\n|---|---|---|\n| [b](y) | 2 | l |"
    assert edited_section(text, find, replace) == (right, [])


@pytest.mark.parametrize("below", ["end", "end of it"])
def test_a_row_without_a_new_cell_ends_as_it_did(below: str) -> None:
    """Blanks that the replacement has behind its last bar stay out, whatever follows the row."""
    text, find, replace = (f"{row}\n{below}" for row in ("| *a*  | 1 |", "| a | 1 |", "| a | 2 | "))
    assert edited_section(text, find, replace) == (text.replace("1", "2"), [])


def test_a_small_word_with_another_capital_is_another_word_elsewhere() -> None:
    """It stays as the document has it only with a word or sign beside it."""
    text, find = "In step 10, `code` and  more replaced this.", "in step 10, `code` and more replaced this."
    assert edited_section(text, find, "Ben writes it in a section of") == ("Ben writes it in a section of", [])
    assert edited_section(text, find, "in step 10, `code` and less.") == ("In step 10, `code` and  less.", [])
    assert edited_section(f"({text}", f"({find}", "(in no way.") == ("(In no way.", [])


def test_an_exact_quotation_is_replaced_letter_for_letter() -> None:
    """Marks that it has and the replacement has not are gone: they were quoted."""
    assert edited_section("See [the runbook](x) now.", "See [the runbook](x) now.", "See the runbook.") == (
        "See the runbook.",
        [],
    )


def test_all_places_keep_what_each_of_them_has() -> None:
    """With `all`, too; what is lost is told once."""
    text = "See  [one](x) now.\n\nSee [one](y) now.\n\nSee *one*  now."
    assert edited_section(text, "See one now.", "See one soon.", everywhere=True) == (text.replace("now", "soon"), [])
    after, [told] = edited_section(text, "See one now.", "See two now.", everywhere=True)
    assert after == "See  two now.\n\nSee two now.\n\nSee two  now."
    assert all(part in told.message for part in ("[one](x) (line 3)", "[one](y) (line 5)", "*one* (line 7)"))


def test_code_is_no_mark_in_a_fence_and_keeps_its_indentation() -> None:
    text = "```\nif a:\n    b = *c\n    d = 1\n```"
    assert edited_section(text, "if a:\n  b = *c\n  d = 1", "if a:\n  b = *c\n  d = 2")[0] == text.replace("1", "2")


def test_dots_in_both_stand_for_what_is_there() -> None:
    text = "The worker keeps [all orders](x) of a day and **then** sends them to the archive."
    after, told = edited_section(
        text, "The worker keeps … sends them to the archive.", "The worker keeps … sends them away."
    )
    assert (after, told) == (text.replace("to the archive", "away"), [])


@pytest.mark.parametrize(
    "new", ["It asks requires(Action.…), once.", "It asks a..…, once.", "It asks \u4e2d…\u6587, once."]
)
def test_an_ellipsis_of_the_replacement_is_written_once(new: str) -> None:
    """Also behind a full stop and between characters that are words by themselves."""
    assert edited_section("It asks  policy, once.", "It asks policy, once.", new)[0] == new.replace("asks ", "asks  ")


@pytest.mark.parametrize(
    "text, find, replace, right",
    [
        ("a step, b or c waits.", "a step b or c waits.", "a step d waits.", "a step d waits."),
        ("Rows wait as one step, or go.", "Rows wait as one step or go.", "In step 16 all go.", "In step 16 all go."),
        (
            "It stops (at once) and waits.",
            "It stops at once and waits.",
            "It stops now, waits.",
            "It stops now, waits.",
        ),
        ("a step, b or c waits.", "a step b or c waits.", "a step b or d waits.", "a step, b or d waits."),
    ],
)
def test_a_sign_that_the_find_leaves_out_glues_no_words(text: str, find: str, replace: str, right: str) -> None:
    """Where the sign goes with the words behind it, the blank of the replacement stands there."""
    assert edited_section(text, find, replace)[0] == right


@pytest.mark.parametrize("text", ["Then first ask, `ops` or  mail us.", "Then first ask (`ops`) or  mail us."])
def test_a_sign_that_the_find_leaves_out_stays_outside_of_a_quoted_mark(text: str) -> None:
    """It stands before the words of the mark, so it does before the mark."""
    find, replace = "Then first ask `ops` or mail us.", "Then first ask `ops` or mail me."
    assert edited_section(text, find, replace)[0] == text.replace("us", "me")


def test_dots_stand_for_words_beside_small_words_as_well() -> None:
    """They are not written into the text where nothing but small words and no marks are in common."""
    text = "It is kept in memory for now."
    assert edited_section(text, "It is … for now.", "It was … for now.")[0] == "It was kept in memory for now."


@pytest.mark.parametrize(
    "find, replace, right",
    [
        ("The worker keeps... sends them.", "The worker keeps... sends me.", "keeps all orders of a day and sends me"),
        ("The worker keeps …sends them.", "The worker keeps …gets them.", "keeps all orders of a day and gets them"),
        ("The worker keeps … sends them.", "The worker now… sends them.", "now all orders of a day and sends them"),
        ("The worker keeps… sends them.", "The worker keeps … sends me.", "keeps all orders of a day and sends me"),
        ("The worker keeps… sends them.", "The worker “… sends” them.", "“all orders of a day and sends” them"),
    ],
)
def test_words_that_dots_stand_for_are_glued_to_no_others(find: str, replace: str, right: str) -> None:
    """Dots need no blanks around them; the words do, and have those of the document between its own."""
    text = "The worker keeps all orders of a day and sends them."
    assert edited_section(text, find, replace)[0] == f"The worker {right}."


@pytest.mark.parametrize(
    "text, replace, right",
    [
        ("Ann writes this in  7 lines.", "Ann writes this in all of 7 lines.", "Ann writes this in all of 7 lines."),
        ("Ann writes this in  7 lines.", "Ann writes this in … Good.", "Ann writes this in  7 lines. Good."),
        ("Ann writes this in[^1] 7 lines.", "Ann writes this in all of them.", "Ann writes this in[^1] all of them."),
    ],
)
def test_blanks_beside_dots_are_as_the_replacement_says(text: str, replace: str, right: str) -> None:
    """Nobody quoted them; where dots stand for the words in both, and in a footnote, nothing changes."""
    assert edited_section(text, "Ann writes this in …", replace)[0] == right


@pytest.mark.parametrize(
    "find, replace, right",
    [
        ("The worker keeps … sends them.", "The worker holds … gives them.",
         "The worker holds [all orders](x) of *the*  day and gives them."),
        ("The worker keeps ... sends them.", "Ann, … : them.", "Ann, [all orders](x) of *the*  day and : them."),
        ("The worker keeps…sends them.", "The worker holds…gives them.",
         "The worker holds [all orders](x) of *the*  day and gives them."),
        ("The worker keeps . . . sends them.", "Ann has … … it.", "Ann has [all orders](x) of *the*  day and it."),
        ("The worker keeps (…) sends them.", "Ann has (...) it.", "Ann has [all orders](x) of *the*  day and it."),
        ("The worker keeps … of *the* … sends them.", "Ann has … of a … for me.",
         "Ann has [all orders](x) of a day and for me."),
        ("The worker keeps …", "Ann has …", "Ann has [all orders](x) of *the*  day and sends them."),
        ("… of *the* day and sends them.", "… for me.", "The worker keeps [all orders](x) for me."),
        ("… of *the* day and sends them.", "Now … by me.", "Now The worker keeps [all orders](x) by me."),
        ("The worker keeps … sends them.", "**Sends** … it.", "**Sends** [all orders](x) of *the*  day and it."),
    ],
)  # fmt: skip
def test_as_many_dots_are_the_same_whatever_is_around_them(find: str, replace: str, right: str) -> None:
    """One to one, in order; what they stand for stays with its marks and gaps, and the text around is as given."""
    text = "The worker keeps [all orders](x) of *the*  day and sends them."
    assert edited_section(text, find, replace) == (right, [])


@pytest.mark.parametrize(
    "text, find, replace, right",
    [
        ("We keep the old and the worker.", "We keep … the worker.", "They hold … a worker.",
         "They hold the old and a worker."),
        ("Wait for the end of it.", "Wait for … the end of it.", "Hold on … an end of it.", "Hold on an end of it."),
        ("Please… then the worker keeps it and goes.", "Please… then the … and goes.", "Please… now Ann … and runs.",
         "Please… now Ann worker keeps it and runs."),
        ("Please… then the worker keeps it and goes.", "Please… then the … and goes.", "Now Ann … and runs.",
         "Now Ann worker keeps it and runs."),
        ("So they wait … for ever and go.", "So they wait … and go.", "So we … and go.", "So we … for ever and go."),
        ("So they wait for **10** orders.", "So they wait …", "We have …", "We have for **10** orders."),
        ("So write **the** day now.", "So write … day now.", "Now have … days.", "Now have **the** days."),
        ("The worker waits, reads it (or not) and goes.", "The worker waits … or not) and goes.",
         "The clerk sleeps … if ever) and runs.", "The clerk sleeps, reads it (if ever) and runs."),
        ("The worker waits, then goes.", "The worker waits, … goes.", "The worker waits … runs.",
         "The worker waits then runs."),
        ("The worker waits, then goes.", "The worker waits … goes.", "The clerk sleeps\n… runs.",
         "The clerk sleeps\n, then runs."),
    ],
)  # fmt: skip
def test_dots_stand_for_all_that_is_between_and_for_nothing_else(
    text: str, find: str, replace: str, right: str
) -> None:
    """Also where words beside them stand there twice; dots that are in the text are signs like others.

    Signs that they stand for have no blank at a word if the document has none there.
    """
    assert edited_section(text, find, replace) == (right, [])


@pytest.mark.parametrize(
    "find, replace",
    [
        ("The worker keeps … sends them.", "The worker holds … gives … them."),
        ("The worker keeps … of a day … sends them.", "The worker keeps … sends them."),
        ("The worker keeps … sends them.", "The worker holds [...] gives them."),
        ("The worker keeps … sends them.", "The worker holds it..them … once … more."),
        ("The worker keeps … sends them.", "The worker keeps … sends … them."),
        ("The worker keeps … sends them.", "The worker keeps … sends them, and so on…"),
        ("The worker keeps … sends them.", "The worker keeps … sends `...all`."),
        ("The worker keeps … sends them.", "The worker takes 1...5 them."),
        ("The worker keeps … sends them.", "The worker f(...all) sends them."),
        ("The worker keeps … sends them.", "The worker `f(a, ...)` sends them."),
        ("The worker keeps …", "The worker holds … and so on …"),
        ("The worker keeps … sends them.", "Them: …"),
        ("The worker keeps … sends them.", "The worker … gives them."),
        ("The worker keeps … sends them.", "… sends them."),
        ("The worker keeps … and sends them.", "The worker holds … them."),
        ("… of a day and sends them.", "… and sends me."),
    ],
)
def test_dots_that_may_stand_for_words_or_not_are_refused(find: str, replace: str) -> None:
    """No words are lost and no dots written; with those words and what to send instead, and nothing was changed."""
    text = "The worker keeps all orders of a day and sends them."
    with pytest.raises(EditError) as error:
        edited_section(text, find, replace)
    [problem] = error.value.problems
    assert (problem.code, problem.path, problem.candidates) == ("edit_ambiguous", "/edits/0/replace", (text,))
    assert "Quote these words in find" in problem.message
    assert "leave the dots out of replace" in problem.message
    assert "(line 3)" in problem.message


def test_dots_that_stand_for_no_words_are_refused_as_well() -> None:
    with pytest.raises(EditError, match="The dots of find stand for no words"):
        edited_section("Wait for the end of it.", "Wait for … the end of it.", "Wait … for … ever.")


@pytest.mark.parametrize(
    "find, replace, right",
    [
        ("The  worker keeps orders.", "The worker keeps orders, and so on…", "The worker keeps orders, and so on…"),
        ("The  worker keeps orders.", "The worker … runs `f(...all)`.", "The worker … runs `f(...all)`."),
        ("The worker … orders.", "The worker … [orders](a/.../b).", "The worker keeps [orders](a/.../b)."),
        ("The worker…orders.", "The worker … bills.", "The worker keeps bills."),
    ],
)
def test_dots_are_text_where_those_of_the_find_stand_for_no_words(find: str, replace: str, right: str) -> None:
    """Or where they are in an address, which dots of a find never stand for."""
    assert edited_section("The worker keeps orders.", find, replace) == (right, [])


def test_dots_in_the_text_and_dots_for_words_are_not_taken_for_one_another() -> None:
    text, find = "Please… then the worker keeps it and goes.", "Please… then the … and goes."
    for replace in ("Please… and run.", "Ann … or runs… off.", "Wait… now we go.", "Please… … and goes."):
        with pytest.raises(EditError, match="stand for words of 'worker keeps it'"):
            edited_section(text, find, replace)
    text, find = "He sends 17 … of it and the rest.", "He sends 17 … of it and the…"
    for replace in ("He has … … of it or the…", "He has … … of it."):
        with pytest.raises(EditError, match=r"stand for words of 'rest\.'"):
            edited_section(text, find, replace)


def test_dots_that_cut_words_stand_for_them_where_the_replacement_has_none() -> None:
    """What is left of the words is not, where it has dots as well: that is refused."""
    text, find = "The worker keeps orders and sends them.", "The worker kee…ds them."
    assert edited_section(text, find, "The clerk has them.")[0] == "The clerk has them."
    with pytest.raises(EditError, match="stand for words of 'ps orders and sen'"):
        edited_section(text, find, "The clerk hol…ds them.")


def test_dots_in_a_find_that_is_nearly_the_same_stand_for_words_as_well() -> None:
    text = "The worker always keeps all the orders of one day and then sends them to the archive."
    inside = text.replace(" the orders", "… orders")
    assert edited_section(text, inside, inside.replace("all", "most").replace("orders", "bills"))[0] == text.replace(
        "all", "most"
    ).replace("orders", "bills")
    nearly = inside.replace("keeps", "keep")
    assert edited_section(text, nearly, nearly)[0] == text
    assert edited_section(text, nearly, "Nobody does.")[0] == "Nobody does."
    with pytest.raises(EditError, match="The dots of find stand for words"):
        edited_section(text, nearly, nearly.replace("all", "most"))


@pytest.mark.parametrize("replace", ["The worker is gone.", "The worker keeps them.", "The worker keeps sends them."])
def test_words_that_dots_stand_for_go_where_the_replacement_has_no_dots(replace: str) -> None:
    text = "The worker keeps all orders of a day and sends them."
    assert edited_section(text, "The worker keeps … sends them.", replace)[0] == replace


@pytest.mark.parametrize(
    "text, find, replace, right",
    [
        ("a step b or c waits.", "a step (b or c) waits.", "a step (d) waits.", "a step d waits."),
        ("a step b or c waits.", "a step, b or c waits.", "a step: d waits.", "a step: d waits."),
        ("a step\nb or  c waits.", "a step, b or c waits.", "a step, b or c goes.", "a step\nb or  c goes."),
        ("a step  b or c waits.", "a step (b or c waits.", "a step (b or c goes.", "a step  b or c goes."),
        ("a step\n7. b or c waits.", "a step, 7. b or c waits.", "a step, the b or c.", "a step, the b or c."),
    ],
)
def test_a_sign_that_the_find_adds_glues_no_words(text: str, find: str, replace: str, right: str) -> None:
    """Where the document has none, the blanks around it are one gap, which stays between words that stay."""
    assert edited_section(text, find, replace)[0] == right


@pytest.mark.parametrize(
    "text, right",
    [
        ("a step, b or c waits.", "a step,\nb or d waits."),
        ("a step (b or c waits.", "a step\n(b or d waits."),
    ],
)
def test_a_line_break_beside_a_sign_that_the_find_leaves_out_is_written_once(text: str, right: str) -> None:
    """Where the document has its blank: behind a comma, but before a parenthesis."""
    assert edited_section(text, "a step b or c waits.", "a step\nb or d waits.")[0] == right


def test_a_batch_tells_it_in_its_answer() -> None:
    """With the operation it is about; a refusal names the replacement."""
    workspace = workspace_of(text="# A\n\nAsk [the runbook](x) now.\n")
    batch = run(workspace, {"op": "edit_section", "section": "A", "find": "Ask the runbook now.", "replace": "Ask me."})
    [told] = [one for one in batch.warnings if one.code == "marks_lost"]
    assert (told.index, told.path) == (0, "/operations/0/find")
    assert told.candidates == ("[the runbook](x)",)
    assert workspace.document.text == "# A\n\nAsk me.\n"


def test_long_texts_cost_what_they_differ_in() -> None:
    """Work is counted: ten times the text with the same change is about ten times the work, whatever changes.

    Texts that differ in too much to be compared word by word keep what is equal at their ends, and the rest is told.
    """

    def cost(size: int, replace: str) -> int:
        spent = 0

        def pay(units: int) -> None:
            nonlocal spent
            spent += units

        text = " ".join(f"word{number}" for number in range(size))
        laid_over(text.replace("word1 ", "[word1](x) "), [], text, replace.replace("TEXT", text), pay=pay)
        return spent

    for replace in ("TEXT more", "more TEXT", "more TEXT more"):
        assert cost(4_000, replace) <= 14 * cost(400, replace)
    bound = word_alignment.CELL * word_alignment.MOST_CELLS
    other = " ".join(f"other{number}" for number in range(3_000))
    assert cost(3_000, other) < bound


@pytest.mark.parametrize("new, is_full", [(49, True), (50, False)])
def test_a_table_of_an_alignment_is_as_large_as_may_be_and_no_larger(new: int, is_full: bool) -> None:
    """A row for each word and the beginning, as wide as words differ: 2,000 rows of 100 cells, and of 101."""
    same, asked = [f"word{number}" for number in range(1_949)], [f"old{number}" for number in range(50)]
    given = [f"new{number}" for number in range(new)]
    paid: list[int] = []
    borders = [0] * 2_000, [0] * 2_000
    alignment = word_alignment.Alignment([*same, *asked], [*same, *given], borders, paid.append)
    assert alignment.is_full == is_full
    assert alignment.pairs == [(at, at) for at in range(len(same))]
    assert paid[1:] == ([word_alignment.CELL * word_alignment.MOST_CELLS] if is_full else [])


def test_of_long_texts_that_differ_much_what_is_certain_is_kept() -> None:
    words, others = ([f"{name}{number}" for number in range(900)] for name in ("word", "other"))
    text = " ".join(["[first](x)", *words, "[middle](y)", *others, "[last](z)"])
    find = " ".join(["first", *words, "middle", *others, "last"])
    replace = " ".join(["first", *(f"{word}s" for word in words), "middle", *others[::3], "last"])
    after, told = edited_section(text, find, replace)
    assert after.startswith("[first](x) word0s")
    assert "[middle](y)" in after
    assert after.endswith("[last](z)")
    assert not told
