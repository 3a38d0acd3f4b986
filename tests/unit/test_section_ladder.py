"""Which section a name means: blanks and slips do not matter, numbers and other words do, and two are never one."""

from __future__ import annotations

import pytest

from draftsmith.model.markdown.sections import outline_of
from draftsmith.transform.matching.section_ladder import match

_TITLES = "# Design\n\n## Test plan\n\none\n\n## Boolean flag\n\ntwo\n\n## Data model\n\nthree\n"


def lines_of_matches(text: str, name: str, *, fuzzy: bool = True) -> list[int]:
    """The lines of the sections that a name matches."""
    return [section.line for section in match(outline_of(text), name, fuzzy=fuzzy).sections]


def rung(text: str, name: str) -> str:
    return match(outline_of(text), name).rung


@pytest.mark.parametrize(
    "name",
    [
        "# Design ##Test plan", "# Design ##\u00a0Test plan", "##Test plan", "##  Test\tplan", "Test\u00a0plan",
        "Testplan", "TEST  PLAN ", "Test\nplan", "Test plna", "test paln", "Tset plan", "# Design\u00a0##test  pln",
    ],
)  # fmt: skip
def test_a_section_is_found_by_its_name_with_other_blanks_and_slips(name: str) -> None:
    assert lines_of_matches(_TITLES, name) == [3]


@pytest.mark.parametrize(
    "name", ["Text plan", "Data node", "Test", "Boolean frog", "#Plan", "Test plan 2", "Lest plan", "Test plan notes"]
)
def test_no_section_is_found_by_a_name_that_may_be_another(name: str) -> None:
    """One letter for another in a short word, a word more or less, another word, another first letter."""
    assert lines_of_matches(_TITLES, name) == []


def test_a_title_of_one_short_word_is_found_by_no_slip() -> None:
    """`Plna` may be much; beside another word it is not."""
    assert lines_of_matches("# Plan\n\none\n", "Plna") == []
    assert lines_of_matches("# Goals\n\none\n", "gols") == [1]
    assert lines_of_matches("# The plan of it\n\none\n", "The plna of it") == [1]


@pytest.mark.parametrize("name", ["Replicating srvices", "Replicates servces", "the replicating of  Servicse"])
def test_each_word_of_a_title_may_be_inflected_or_misspelt(name: str) -> None:
    text = "# Replication of services\n\none\n"
    assert lines_of_matches(text, name) == [1]
    assert lines_of_matches(text, name.casefold().replace("repl", "dupl")) == []


def test_what_deletes_or_replaces_whole_sections_takes_no_slip() -> None:
    assert lines_of_matches(_TITLES, "Boolaen flag") == [7]
    assert lines_of_matches(_TITLES, "Boolaen flag", fuzzy=False) == []
    assert lines_of_matches(_TITLES, "boolean  FLAG", fuzzy=False) == [7]


@pytest.mark.parametrize(
    "title, name",
    [
        ("Phase 2 of the rollout", "Phase 3 of the rollout"),
        ("2.1 Storage of orders", "2.2 Storage of orders"),
        ("3. Storage of orders", "4 Storage of orders"),
        ("Phase2 rollout", "Phase3 rollout"),
        ("Version 1.10 of the store", "Version 1.1 of the store"),
    ],
)
def test_another_number_is_another_section(title: str, name: str) -> None:
    """Within the title and before it, also where all the rest is the same."""
    assert lines_of_matches(f"# {title}\n\none\n", name) == []


def test_a_number_that_one_side_lacks_does_not_matter() -> None:
    assert lines_of_matches("# 2.1 Storage\n\none\n", "Storage") == [1]
    assert lines_of_matches("# Storage\n\none\n", "2.1 Storage") == [1]


def test_two_titles_that_are_as_near_are_both_found() -> None:
    """Five points of a hundred ahead, or it is neither."""
    text = "# A\n\n## Replication of ledgers\n\n## Replication of ledger\n"
    assert lines_of_matches(text, "Replicatoin of ledgers") == [3, 5]
    assert lines_of_matches(text.replace("Replication of ledger\n", "Sharding\n"), "Replicatoin of ledgers") == [3]
    assert lines_of_matches("# A\n\n## Queue worker\n\n## Queued workers\n", "Queue workr") == [3]


_TREE = "# A\n\n## B\n\n### C\n\n## D\n\n### C\n\n#### B\n\n# E\n\n## C\n\n# C\n"


@pytest.mark.parametrize(
    "name, lines",
    [
        ("C", [17]),  # its chain is as long as the name
        ("# A ## D ### C", [9]),
        ("## D ### C", [9]),
        ("# E ## C", [15]),
        ("# A ## D #### B", [11]),  # what is between may be missing
        ("# A #### B", [3]),  # the whole chain decides before the level
        ("#### B", [11]),  # the level decides between equals
        ("## B", [3]),
        ("# A ## C", [5, 9]),  # nothing decides between two that stand as deep
        ("## D # A ### C", []),  # never in another order
        ("# E ### B", []),
    ],
)
def test_headings_above_and_levels_decide_between_equals(name: str, lines: list[int]) -> None:
    assert lines_of_matches(_TREE, name) == lines


def test_headings_without_one_between_them_are_meant_first() -> None:
    """Where no chain is as long as the name, and no levels are given."""
    text = "# A\n\n## D\n\n### E\n\n#### C\n\n### C\n"
    assert lines_of_matches(text, "D > C") == [9]
    assert lines_of_matches(text, "E > C") == [7]


def test_titles_may_hold_what_separates_others() -> None:
    text = "# Part # 2\n\none\n\n## CI / CD\n\ntwo\n\n## CI\n\n### CD\n\nthree\n"
    assert lines_of_matches(text, "CI / CD") == [5]
    assert lines_of_matches(text, "ci / cd") == [11]
    assert lines_of_matches(text.replace("## CI\n\n### CD\n", "## X\n"), "ci / cd") == [5]
    assert lines_of_matches(text, "# Part # 2") == [1]
    assert lines_of_matches("# A / B\n\n# A / B\n", "A / B") == [1, 3]
    assert lines_of_matches("# Part # 2\n\n# B\n\n## Part # 3\n", "# 2") == [1]
    assert lines_of_matches("# Part # 2\n\n# B\n\n## Part # 3\n", "# B ## Part # 3") == [5]


def test_the_rungs_are_tried_in_order() -> None:
    """A title that is the same hides those that are alike."""
    assert rung("# Data model\n\n# data-model\n", "Data model") == "exact"
    assert lines_of_matches("# Data model\n\n# data-model\n", "Data model") == [1]
    assert rung("# data-model\n", "Data model") == "normalised"
    assert rung("# Datamodel\n", "Data model") == "joined"
    assert rung("# 2. Data model\n", "Data model") == "numbering"
    assert rung("# Data models\n", "Data model") == "fuzzy"


def test_signs_without_a_title_name_no_section() -> None:
    """Read without blanks between them, they are no path at all."""
    for path in ("# # ", "##  #", "# > #"):
        assert match(outline_of("# A\n\ntext\n"), path).sections == ()
