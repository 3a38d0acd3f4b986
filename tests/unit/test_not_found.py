"""What a refusal says of a quotation or a section that is not found, so that the next one is."""

from __future__ import annotations

import pytest

from tests.kit.documents import edit_error

_SENTENCE = "The worker reads all the entries of the ledger each evening."
_TEXT = f"Begin.\n\n# A\n\nBefore it.\n\n{_SENTENCE}\n\n## B\n\nOther lines stand here.\n"
_MANY = "many " * 100


def message_of(text: str, section: str, find: str, replace: str = "x") -> str:
    """What the refusal of an edit says."""
    [problem] = edit_error(text, section, find, replace).problems
    return problem.message


def candidates_of(text: str, section: str, find: str) -> list[str]:
    """What it offers in place of what was sent."""
    [problem] = edit_error(text, section, find, "x").problems
    return list(problem.candidates)


@pytest.mark.parametrize(
    "old, new, has, wants",
    [
        ("reads", "drops", "reads", "drops"),
        ("all ", "", "all", "the"),
        ("entries", "old entries", "entries", "old"),
        ("reads all", "drops it all", "reads", "drops"),
        ("The worker", "Our worker", "The", "Our"),
        ("each evening.", "each morning.", "evening.", "morning"),
    ],
)
def test_the_nearest_text_and_its_first_difference(old: str, new: str, has: str, wants: str) -> None:
    """Another word, one too few or too many, and at both ends; with the lines as they stand."""
    text, find = f"# A\n\n{_SENTENCE}\n", _SENTENCE.replace(old, new)
    [shown] = candidates_of(text, "A", find)
    assert shown.removeprefix("# A\n\n") == _SENTENCE
    assert message_of(text, "A", find) == (
        f"The text does not stand in '# A'. Nearest (line {3 if shown == _SENTENCE else 1}): {shown} "
        f"First difference: the document has `{has}`, find has `{wants}`."
    )


def test_of_a_long_line_what_is_around_the_difference() -> None:
    """No more than a few lines of it, with some of what stands before."""
    text = f"# A\n\n{_MANY}before 7 behind {_MANY}\n"
    [shown] = candidates_of(text, "A", f"{'many ' * 60}before 8 behind {'many ' * 60}")
    assert len(shown) == 400
    assert 150 < shown.index("7") < 250


def test_nothing_is_near_what_has_hardly_a_letter_in_common() -> None:
    assert message_of("# A\n\nx y z\n", "A", "Quite something else") == "The text does not stand in '# A'."


@pytest.mark.parametrize(
    "section, find, where",
    [
        ("B", _SENTENCE, "in '# A ## B'; it stands in '# A' (line 7)"),
        ("B", "entries  of the ledger", "in '# A ## B'; it stands in '# A' (line 7)"),
        ("B", "**Before** it", "in '# A ## B'; it stands in '# A' (line 5)"),
        ("", "Before it", "before the first heading; it stands in '# A' (line 5)"),
        ("A", "Begin.", "in '# A'; it stands in 'the text before the first heading' (line 1)"),
    ],
)
def test_where_else_it_stands(section: str, find: str, where: str) -> None:
    """Letter for letter or nearly so, above or below."""
    assert message_of(_TEXT, section, find) == f"The text does not stand {where}."


def test_that_the_replacement_is_there_already() -> None:
    said_twice = message_of(_TEXT, "A", _SENTENCE.replace("reads", "drops"), _SENTENCE)
    assert " The replacement stands there already. Nearest (line 7): " in said_twice


@pytest.mark.parametrize("before, behind", [("", ""), ("Above.\n", "\nBelow.")])
def test_half_a_pair_is_shown_with_its_line(before: str, behind: str) -> None:
    """From its beginning to its end, wherever the line stands."""
    text = f"{before}A **bold word** line.{behind}\n"
    assert message_of(text, "", "word**").endswith(" It reads: A **bold word** line.")
    assert candidates_of(text, "", "word**") == ["A **bold word** line."]


def test_lines_in_which_it_stands_more_than_once() -> None:
    """The first five of them, each of some length at most."""
    text = "It stands first.\n\n# A\n\n" + "".join(f"{number} stands {_MANY}\n\n" for number in range(1, 8))
    assert "stands there 7 times (lines 5, 7, 9, 11, 13)" in message_of(text, "A", "stands")
    shown = candidates_of(text, "A", "stands")
    assert [line[:8] for line in shown] == [f"{number} stands" for number in range(1, 6)]
    assert {len(line) for line in shown} == {200}


@pytest.mark.parametrize("hidden", ["```\n# Plan\n```\n", "> ## Plan\n", "> > # Plan #\n"])
def test_a_line_that_is_no_heading_where_it_stands(hidden: str) -> None:
    text = f"{hidden}\n# A\n\n# B\n"
    note = " A line like it stands in a code block, a quote or a list, where it is no heading."
    assert message_of(text, "Plan", "x") == f"No section is called 'Plan'.{note}"
    assert message_of(text, "# Plans", "x") == "No section is called '# Plans'."


def test_a_document_without_headings_has_no_sections() -> None:
    assert message_of("Some text.\n", "A", "text").startswith("The document has no headings; ")


def test_sections_with_titles_like_the_one_that_is_missing() -> None:
    """Five of them with their full paths, first the one that differs in its number alone."""
    titles = ["Storage", "Stores", "Storing", "9. Stock", "Stations", "Stable"]
    text = "# Shop\n\n" + "".join(f"## {title}\n\nText.\n\n" for title in titles)
    found = candidates_of(text, "7. Stock", "Text")
    assert found[0] == "# Shop ## 9. Stock"
    assert len(found) == 5
    assert "# Shop ## Storing" in found


def test_sections_that_a_title_may_mean_are_named_by_line_and_path() -> None:
    text = "# A\n\n## One\n\n# B\n\n## One\n"
    assert "2 sections match 'One' (line 3, line 7)" in message_of(text, "One", "x")
    assert candidates_of(text, "One", "x") == ["# A ## One", "# B ## One"]
