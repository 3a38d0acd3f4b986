"""Named cases of undoing changes to the document that others have edited since."""

from __future__ import annotations

import pytest

from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.steps.text import edit_of
from draftsmith.transform.undo.retract import range_retraction
from draftsmith.transform.undo.text_run import TextCommit
from tests.builders import Story, edge, fields, node, update
from tests.kit.documents import edit_section
from tests.unit.test_undo_cases import whys

TEXT = "# Shop\n\nalpha beta gamma 🚀 delta\n"


def test_text_is_undone_where_it_stands_now() -> None:
    """Others edited before and behind it; my word still goes back, theirs stay."""
    story = Story(text=TEXT)
    story.do("ann", edit_section("Shop", "gamma", "GAMMA"))
    story.do("bob", edit_section("Shop", "alpha", "🚀🚀 first"))
    story.do("bob", edit_section("Shop", "delta", "last"))
    assert whys(story.undo("ann")) == []
    assert story.text == "# Shop\n\n🚀🚀 first beta gamma 🚀 last\n"


def test_text_that_others_edited_is_left_out_and_the_rest_is_not() -> None:
    """One batch changed two places; bob wrote inside one of them: that one stays and is named."""
    story = Story(text=TEXT)
    story.do("ann", edit_section("Shop", "alpha", "first word"), edit_section("Shop", "delta", "last"))
    story.do("bob", edit_section("Shop", "first word", "first big word"))
    done = story.undo("ann")
    assert done is not None
    assert done.left_out == [{"what": "a change of the document: “alpha”", "why": "that text has been changed since"}]
    assert story.text == "# Shop\n\nfirst big word beta gamma 🚀 delta\n"


def test_an_insertion_next_to_mine_is_not_inside_it() -> None:
    """Text that somebody wrote directly before or after my word does not keep it from going back."""
    story = Story(text="ab")
    story.do("ann", edit_section("", "b", "XX"))
    head = story.replica.head.revision
    story.do("bob", {"op": "edit_text", "changes": [1, [0, "("], 2, [0, ")"]], "base_revision": head})
    assert story.text == "a(XX)"
    assert whys(story.undo("ann")) == []
    assert story.text == "a(b)"


@pytest.mark.parametrize("replacement", ["Omega", "Ωmega 🚀"])
def test_undo_pairs_of_others_leave_no_trace(replacement: str) -> None:
    """Bob changed my word and took it back: mine can be undone as if he had not been there."""
    story = Story(text=TEXT)
    story.do("ann", edit_section("Shop", "alpha beta", "one two"))
    story.do("bob", edit_section("Shop", "one", replacement))
    story.undo("bob")
    assert whys(story.undo("ann")) == []
    assert story.text == TEXT


def test_my_own_edits_of_the_same_text_go_back_one_by_one() -> None:
    """Three edits of one place by one person, undone to the start and redone to the end."""
    story = Story(text="x")
    for word, other in (("x", "x one"), ("one", "one two"), ("x", "🚀")):
        story.do("ann", edit_section("", word, other))
    while (done := story.undo("ann")) is not None:
        assert whys(done) == []
    assert story.text == "x"
    while story.redo("ann") is not None:
        pass
    assert story.text == "🚀 one two"


def test_diagram_and_document_go_back_together() -> None:
    """One batch over both is one step: undo takes both back, whatever others did elsewhere."""
    story = Story(node("a"), text=TEXT)
    story.do("ann", node("b"), edge("a", "b"), edit_section("Shop", "alpha", "alpha and b"))
    story.do("bob", update("a", label="Bob"))
    story.undo("ann")
    assert story.text == TEXT
    assert "b" not in story.workspace.diagram
    assert fields(story.workspace, "a")["label"] == "Bob"


def test_text_comes_back_in_its_line_after_that_was_replaced_and_restored() -> None:
    """Also where others took the restore back and that again; where they did not, it is left out."""
    story = Story(text="one\ntwo")
    head = story.replica.head.revision
    added = story.do("bob", {"op": "edit_text", "changes": [3, [0, " more"], 4], "base_revision": head})
    story.revert("cleo", added)
    taken_back = story.replica.head.revision
    story.do("ann", {"op": "replace_document", "text": "six"})
    story.restore("bob", head)
    story.revert("cleo", story.replica.head.revision)
    assert whys(story.until(story.replica.head.revision).revert("bob", taken_back)) == [
        "that text has been changed since"
    ]
    story.revert("ann", story.replica.head.revision)
    assert whys(story.revert("bob", taken_back)) == []
    assert story.text == "one more\ntwo"


# -- what is said of typed text that is left out -----------------------------------------------------------------------


def left_of_typing(text: str, *changes: tuple[str, str, str]) -> tuple[list[str], str]:
    """What is said once all that Ada typed is taken back, and the text then; changes: who, an old text, a new one."""
    commits = []
    for number, (who, old, new) in enumerate(changes, 1):
        at = text.index(old)
        step = edit_of(text, replacing(text, [(at, at + len(old), new)]))
        commits.append(TextCommit(number, step, who))
        text = step.changes.apply(text)
    found = range_retraction(commits, [commit.revision for commit in commits if commit.by == "ada"])
    return [f"{one['what']}: {one['why']}" for one in found.left_out], found.changes.apply(text)


def test_typed_text_that_stood_in_for_other_text_is_named_with_it() -> None:
    """It was written into since, so it stays, and what it replaced does not come back."""
    said, text = left_of_typing("one two three", ("ada", "two", "22"), ("bob", "22", "2 and 2"))
    assert said == ["the typed text “22”, which stood in for “two”: that text has been changed since"]
    assert text == "one 2 and 2 three"


def test_typed_text_that_was_written_into_is_named() -> None:
    """On one line, and not all of it."""
    said, text = left_of_typing("one", ("ada", "one", "one two\n\nthree"), ("bob", "two\n\nthree", "two\n\n+three"))
    assert said == ["the typed text “two three”: that text has been changed since"]
    assert text == "one two\n\n+three"
    long = "word " * 100
    [what], _ = left_of_typing("one\n", ("ada", "one", f"one {long}"), ("bob", "word word", "word, word"))
    shown = what.split("“")[1].split("”")[0]
    assert shown.endswith("…")
    assert long.startswith(shown[:-1])


def test_typed_texts_beside_one_another_are_named_as_one() -> None:
    """Where the same is to be said of both, and nothing stands between them."""
    said, _ = left_of_typing(
        "one", ("ada", "one", "one abc"), ("ada", "abc", "abcdef"), ("bob", "bc", "b+c"), ("bob", "ef", "e+f")
    )
    assert said == ["the typed text “abcdef”: that text has been changed since"]
    said, _ = left_of_typing(
        "one", ("ada", "one", "one abc"), ("bob", "bc", "b+c"), ("bob", "c", "c, "), ("ada", ", ", ", def"),
        ("bob", "ef", "e+f"),
    )  # fmt: skip
    assert said == [f"the typed text “{text}”: that text has been changed since" for text in ("abc", "def")]


def test_what_is_shown_of_a_text_is_as_long_as_the_longest_that_is_shown_whole() -> None:
    shown = []
    for size in range(3, 200):
        [what], _ = left_of_typing("one", ("ada", "one", f"one {'x' * size}"), ("bob", "xxx", "x+xx"))
        shown.append(what.split("“")[1].split("”")[0])
    assert {len(one) for one in shown if one.endswith("…")} == {max(len(one) for one in shown if "…" not in one)}


def test_deleted_text_that_is_back_is_named() -> None:
    """Somebody has taken the deletion back; what else was typed goes."""
    text, steps = "one two three", []
    for cut in ((3, 7, ""), (3, 3, " two"), (13, 13, " four")):
        steps.append(edit_of(text, replacing(text, [cut])))
        text = steps[-1].changes.apply(text)
    people: list[tuple[str, tuple[int, int] | None]] = [("ada", None), ("bob", (1, 1)), ("ada", None)]
    commits = [
        TextCommit(number, step, by, takes_back=back)
        for number, (step, (by, back)) in enumerate(zip(steps, people, strict=True), 1)
    ]
    found = range_retraction(commits, [1, 3])
    assert found.left_out == [{"what": "bringing back “two”", "why": "that text is already back"}]
    assert found.changes.apply(text) == "one two three"
