"""What reads untrusted text takes time in proportion to its length, whatever the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from draftsmith.assistant.builtin.masking import mask, quotations
from draftsmith.model.diagram_text.reader import from_text
from draftsmith.model.markdown.heading_text import heading_text
from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.markdown.titles import plain_title
from draftsmith.model.mermaid.reader import from_mermaid
from draftsmith.model.workspace import Workspace
from draftsmith.transform.matching import ellipses
from draftsmith.transform.matching.equivalence import (
    expand_contractions,
    has_links_of,
    link_elsewhere,
    link_targets,
    normal_form,
    whole_links,
)
from draftsmith.transform.matching.find_ladder import Finder, SearchRange
from draftsmith.transform.matching.marks import context, is_in_fence, marks_of
from draftsmith.transform.matching.section_ladder import parse_path
from draftsmith.transform.requests.drawn_flowchart import draw_flowchart
from tests.growth import grows_too_much
from tests.pattern_texts import Pump

_HOUSE = "The `orders` service writes to **Redis**... and [reads](#node/a) from it.\n"
_ROUNDS = (
    *(
        "`",
        "` ",
        "``a`",
        "`a``",
        "[",
        "![",
        "]",
        "[a](",
        "[a]( ",
        "](",
        "]( <",
        "[a](b ",
        "[a](#node/a)",
        "[a][",
        "(",
        "<",
    ),
    *(
        "<!--",
        "<a ",
        "*",
        "* ",
        "*a",
        "*a ",
        "a*",
        "**a*",
        "_",
        "a_",
        "_a ",
        "*_",
        "~~",
        "\\",
        " ",
        "\t",
        "\n",
        " \n",
        "\n\n",
    ),
    *(
        "\r",
        "\r\n",
        "> ",
        ">",
        ">\n",
        "- a\n",
        "-",
        "--",
        "---\n",
        "# a\n",
        "#",
        "# ",
        "=",
        "|",
        "...",
        "… ",
        "a ...\n",
        "'",
    ),
    *(
        '"',
        '" "',
        "“",
        "‘",
        "don't ",
        "n't",
        "1. ",
        "9",
        "a",
        "a ",
        "é",
        "```\n",
        "~~~\n",
        "\u200b",
        "/ ",
        " > ",
        "%% id ",
        "A-->",
        "&amp;",
        "&nbsp;",
        "\\n",
        "e\u0301",
        "\u0301",
    ),
)
_LEADS = ("", "# ", "---\na: b\n", "[a](", "`", "- ", "flowchart TD\nA")
TEXTS = [Pump("", one, "") for one in _ROUNDS] + [Pump(lead, one, '"x') for lead in _LEADS[1:] for one in _ROUNDS[::3]]


def _in_house(text: str) -> SearchRange:
    whole = _HOUSE + text
    return SearchRange(whole, 0, len(whole))


def _rungs(find: str, text: str) -> None:
    place, finder = _in_house(text), Finder(find)
    for rung in (*finder.same_words, finder.ellipsis, finder.ellipsis_inside):
        rung(place)


def _all_links(text: str) -> None:
    form = normal_form(text, "B")
    for start in range(0, len(text), 8):
        whole_links(start, min(start + 8, len(text)), form.links)


def _all_fences(text: str) -> None:
    for start in range(0, len(text), 8):
        is_in_fence(text, 0, start)


# Made once: the first workspace of a process reads the library of graphs.
_EMPTY = Workspace("Shop").diagram


def _drawn(text: str) -> object:
    return draw_flowchart(from_mermaid(text, is_placed=False).diagram, _EMPTY)


WORK: dict[str, Callable[[str], Any]] = {
    "form A": lambda text: normal_form(text, "A"),
    "form B, spoken": lambda text: expand_contractions(normal_form(text, "B")),
    "forms D and E": lambda text: (normal_form(text, "D"), normal_form(text, "E")),
    "outline": outline_of,
    "links": lambda text: outline_of(text + " [a](#node/a)").links,
    "links to headings": lambda text: list(outline_of(text + " [a](#b)").anchors.links()),
    "text of a heading": heading_text,
    "title": plain_title.__wrapped__,
    "path": lambda text: (parse_path.__wrapped__(text), parse_path.__wrapped__(text, tightly=True)),
    "link targets": lambda text: (link_targets(text), has_links_of(text, "[a](b)"), link_elsewhere(text, "[a](b)")),
    "ellipses": lambda text: (ellipses.has_ellipsis(text), ellipses._BETWEEN.split(text)),
    "marks": marks_of,
    "context": lambda text: context(text, len(text) // 2, len(text) // 2),
    "whole links": _all_links,
    "fences": _all_fences,
    "find in a long text": lambda text: _rungs("The orders service writes ... from it.", text),
    "long find": lambda text: _rungs(text, "`a` *b*\n"),
    # The links of overlapping matches are read for each; that is spent from the budget of the search.
    "half of a text in it": lambda text: None if "](" in text else _rungs(text[: len(text) // 2], text),
    "quotations": lambda text: list(quotations(text)),
    "masked text": lambda text: mask(text, [("Orders", "orders")]),
    "Mermaid": from_mermaid,
    "a drawn flowchart": _drawn,
    "a diagram as text": from_text,
}


@pytest.mark.parametrize("name", WORK)
def test_work_grows_with_the_text_and_no_faster(name: str) -> None:
    """Each of the readers of text, on each of the hostile texts."""
    bad = [text for text in TEXTS if grows_too_much(WORK[name], text)]
    assert not bad


def test_a_line_of_many_links_is_read_in_one_go() -> None:
    """Each was once searched for from the end of its line, which shows in lines of some size only."""
    work, links = WORK["links to headings"], Pump("", "[a](#node/a)", "")
    assert not grows_too_much(work, links, first=4_096, second=8_192)


def test_a_line_of_backticks_and_a_heading_of_brackets_are_read_at_once() -> None:
    """As they were sent: 30,000 of them, where each was once searched for its partner through all the others."""
    outline = outline_of("# " + "[" * 30_000 + "\n\na " + "`" * 30_000)
    assert outline.sections[0].plain == "[" * 30_000
    assert normal_form("`" * 30_000, "B").text == "`" * 30_000
