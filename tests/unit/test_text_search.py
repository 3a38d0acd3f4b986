"""Finding text in the document: best first, as it is written, and never more work than a few passes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.assistant.tools.readers import READERS, ReadAnswer
from draftsmith.assistant.tools.text_search import MOST_PLACES, TextSearch, find_text
from draftsmith.assistant.tools.tool_arguments import ToolFault
from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.workspace import Workspace
from tests.builders import run, workspace_of
from tests.shop import TEXT, shop

_LETTERS = """# Letters

## One

The reservation runs out after 15 minutes.
A Reservation is a row.

## Two

Rows expire; a RESERVATION IS A ROW, says the note.
15 rows wait for ten minutes
without an end.
"""


def _lines(text: str, asked: str, limit: int = 10) -> list[int]:
    return [place.line for place in find_text(outline_of(text), asked, limit).places]


def _ask(workspace: Workspace | None = None, **asked: Any) -> ReadAnswer:
    return READERS["find_text"](workspace or shop(), asked)


class TestOrder:
    """The phrase as written, the phrase in other letters, all the words, and only then what comes near."""

    def test_a_phrase_as_it_is_written_comes_first(self) -> None:
        assert _lines(_LETTERS, "RESERVATION IS A ROW") == [10, 6]
        assert _lines(_LETTERS, "Reservation is a row") == [6, 10]

    def test_all_the_words_come_after_the_phrase(self) -> None:
        assert _lines(_LETTERS, "15 minutes") == [5, 11]
        assert _lines(_LETTERS, "ten minutes") == [11]
        assert _lines(_LETTERS, "minutes ten") == [11]
        assert _lines(_LETTERS, "rows wait") == [11]
        assert _lines(_LETTERS + "\nwait for rows\n", "rows wait") == [11, 14]

    def test_a_quoted_phrase_is_not_taken_apart(self) -> None:
        assert _lines(_LETTERS, "rows minutes") == [11]
        found = find_text(outline_of(_LETTERS), '"rows minutes"')
        assert (found.places, found.missing) == ([], ["rows minutes"])
        assert _lines(_LETTERS, '"a row" reservation') == [6, 10]

    def test_what_comes_near_is_given_only_where_nothing_fits(self) -> None:
        found = find_text(outline_of(_LETTERS), "rows that expire after midnight")
        assert found.partly
        assert found.places[0].line == 10
        assert found.missing == ["midnight"]

    def test_rarer_words_count_more(self) -> None:
        text = "# T\n\n" + "the service calls\n" * 30 + "a ledger\n"
        assert _lines(text, "service calls ledger slowly")[0] == 33

    def test_endings_and_one_typing_error_are_forgiven(self) -> None:
        assert _lines(_LETTERS, "reservatoin")[0] == 5
        assert _lines(_LETTERS, "expires")[0] == 10
        assert _lines(_LETTERS, "expiring")[0] == 10

    def test_words_inside_longer_words_come_last(self) -> None:
        assert _lines("# T\n\nthrow\narrow row\n", "row") == [4, 3]

    def test_accents_and_blanks_do_not_count(self) -> None:
        text = "# T\n\nDie Größe  des Cafés\nist offen.\n"
        assert _lines(text, "GRÖßE des cafes") == [3]
        assert _lines(text, "Cafés ist offen") == [3]


class TestPlaces:
    """What is found can be quoted as it stands."""

    def test_a_phrase_over_a_line_break_is_given_with_both_lines(self) -> None:
        [place] = find_text(outline_of(_LETTERS), "ten minutes without an end").places
        assert place.text == "15 rows wait for ten minutes\nwithout an end."

    def test_it_can_be_quoted_in_an_edit(self) -> None:
        """Word for word, in the section that is named with it."""
        workspace = shop()
        answer = _ask(workspace, text="retries twice")
        [row] = answer.data["places"]
        assert row["section"] == "### Payments"
        edit = {"op": "edit_section", "section": row["section"], "find": row["text"], "replace": "It never retries."}
        run(workspace, edit, revision=2, by_person=False)
        assert "It never retries." in workspace.document.text

    def test_twins_are_named_with_their_parents_and_the_beginning_by_itself(self) -> None:
        assert _ask(text="Mails may come twice").data["places"][0]["section"] == "# Shop ## Rollout ### Risks"
        answer = _ask(text="Status")
        assert answer.data["places"][0]["section"] == ""
        assert answer.text.endswith("before the first heading, line 1: Status: Draft")

    def test_a_long_line_is_cut_around_what_was_found(self) -> None:
        text = "# T\n\n" + "before " * 100 + "the needle " + "after " * 100 + "\n"
        [place] = find_text(outline_of(text), "the needle").places
        assert "the needle" in place.text
        assert len(place.text) <= 240
        assert place.before
        assert place.after
        assert place.text in text
        assert "…before" in _ask(workspace_of(text=text), text="needle").text

    @given(st.lists(st.sampled_from("abcd éÄ-*|\n"), min_size=1, max_size=60), st.data())
    def test_whatever_stands_there_is_found_as_it_stands(self, letters: list[str], data: st.DataObject) -> None:
        """Any word of any text is found, in the right line, word for word."""
        text = "# T\n\n" + "".join(letters) + "\n"
        written = text.split()
        word = data.draw(st.sampled_from(written))
        found = find_text(outline_of(text), word, 50)
        lines = text.split("\n")
        for place in found.places:
            assert place.text == lines[place.line - 1]
        if any(letter.isalnum() for letter in word):
            assert not found.partly
            assert any(word in place.text.split() for place in found.places)


class TestAnswers:
    """What a model reads."""

    def test_a_line_for_each_place(self) -> None:
        assert _ask(text="Memcached").text == (
            "2 places found.\n"
            "## Components, line 14: Two services and a worker. Sessions are kept in Memcached; "
            "the [Fax worker](#node/fax-worker) goes soon.\n"
            "### Mailer, line 28: Mailer reads its templates through Memcached."
        )

    def test_it_says_how_many_more_there_are(self) -> None:
        answer = _ask(text="orders", limit=2)
        assert answer.text.startswith("4 places found. Here are the best 2:\n")
        assert (len(answer.data["places"]), answer.data["total"]) == (2, 4)

    def test_what_only_comes_near_is_said_to(self) -> None:
        said = _ask(text="Payments waits for bananas").text
        assert said.startswith('No place has all of "Payments waits for bananas"; ')
        assert 'Nowhere: "waits", "bananas".' in said

    def test_nothing_is_an_answer(self) -> None:
        answer = _ask(text="banana")
        assert answer.text == 'Nothing in the document is like "banana". Try other words, or fewer.'
        assert answer.data == {"places": [], "total": 0, "partly": False}
        assert _ask(Workspace(), text="x").text == "The document is empty."

    def test_it_is_asked_for_words_under_any_usual_name(self) -> None:
        assert _ask(query="Memcached").data == _ask(phrase="Memcached").data == _ask(text="Memcached").data
        with pytest.raises(ToolFault, match="Fields: text, limit"):
            _ask()
        with pytest.raises(ToolFault, match="limit"):
            _ask(text="a", limit=51)


class TestBounds:
    """A document of a megabyte is searched in a few passes, whatever is asked for."""

    @pytest.mark.parametrize("line", ["a a a a a a a b\n", "word ", "Это документ о платеже, ё.\n", "\n"])
    def test_a_megabyte_of_anything(self, line: str) -> None:
        search = TextSearch(outline_of("# T\n\n" + line * (1_000_000 // len(line))))
        for asked in ("a " * 500, '"' + "a " * 490 + '"', "x" * 1_000, "word платеже b", "reservatoin", '"" "'):
            found = search.find(asked)
            assert len(found.places) <= 10
            assert all(len(place.text) <= 500 for place in found.places)
            assert found.total <= 2 * MOST_PLACES

    def test_the_answer_stays_short(self) -> None:
        workspace = workspace_of(text="# T\n\n" + f"needle {'x' * 230}\n" * 4_000)
        answer = _ask(workspace, text="needle", limit=50)
        assert len(answer.text) <= 8_100
        assert answer.text.startswith("at least 2000 places found. Here are the best 50:")
        assert "ask for less" in answer.text

    def test_it_is_the_same_every_time(self) -> None:
        assert _ask(text="orders payments timeout").text == _ask(text="orders payments timeout").text
        assert shop().document.text == TEXT, "and changes nothing"
