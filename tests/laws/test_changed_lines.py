"""Changes of a text as whole lines: put in their places they give the text that the step gives, and say no more."""

from __future__ import annotations

from hypothesis import example, given

from draftsmith.history.changed_lines import changed_lines_of
from draftsmith.transform.steps.changeset import ChangeSet, from_json
from draftsmith.transform.steps.text import edit_of
from tests.laws.test_changesets import chains

DOCUMENT = "# Shop\n\nOrders come in.\n\n## Storage\n\nKept in Postgres."


def lines(text: str) -> list[str]:
    """Lines, each with its line feed; that of the last one may be missing."""
    return [f"{line}\n" for line in text.removesuffix("\n").split("\n")] if text else []


def shown(text: str, changes: list[object]) -> list[tuple[str, int, int, str, str]]:
    found = changed_lines_of(edit_of(text, from_json(changes)), text)
    return [(one["section"], one["from_line"], one["to_line"], one["old"], one["new"]) for one in found]


@given(chains(1))
@example(("ab", [from_json([[0, "x"], 2, [0, "y"]])]))
@example(("a\nb", [from_json([1, [2]])]))
@example(("a\n", [from_json([2, [0, "b"]])]))
@example(("", [from_json([[0, "", ""]])]))
def test_whole_lines_lead_to_the_same_text(chain: tuple[str, list[ChangeSet]]) -> None:
    """Each stands at its line, none at another's, and what they leave out is the same before and after."""
    text, (changes,) = chain
    now, at = lines(text), 0
    told: list[str] = []
    for one in changed_lines_of(edit_of(text, changes), text):
        old, new = lines(one["old"]), lines(one["new"])
        start = one["from_line"] - 1
        assert at <= start, "in order"
        assert now[start : start + len(old)] == old
        assert one["to_line"] == one["from_line"] + max(0, len(old) - 1)
        assert old != new, "nothing that stays is shown"
        told += [*now[at:start], *new]
        at = start + len(old)
    assert [*told, *now[at:]] == lines(changes.apply(text))


def test_a_word_is_shown_in_its_line() -> None:
    assert shown(DOCUMENT, [7 + 1, [6, "Carts"], 40]) == [
        ("# Shop", 3, 3, "Orders come in.\n", "Carts come in.\n"),
    ]


def test_lines_that_come_say_before_which() -> None:
    """A paragraph that comes has no old lines; it belongs to the section that it is written into."""
    at = DOCUMENT.index("## Storage")
    assert shown(DOCUMENT, [at, [0, "Really.", "", ""], len(DOCUMENT) - at]) == [("# Shop", 5, 5, "", "Really.\n\n")]
    end = len(DOCUMENT)
    assert shown(DOCUMENT, [end, [0, "", "", "For long."]]) == [("# Shop ## Storage", 8, 8, "", "\nFor long.\n")]


def test_changes_in_one_line_are_one() -> None:
    at = DOCUMENT.index("Kept")
    assert shown(DOCUMENT, [at, [4, "Held"], 4, [8, "MySQL"], 1]) == [
        ("# Shop ## Storage", 7, 7, "Kept in Postgres.\n", "Held in MySQL.\n")
    ]
