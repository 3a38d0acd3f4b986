"""Findings are taken only as far as they can be looked up: what they name exists, and what they quote stands there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.assistant.tools.commit_answers import ReadableCommit
from draftsmith.assistant.tools.findings import (
    check_findings,
    cited_revisions,
    finding_lines,
    named_edge,
    stretch_of,
)
from draftsmith.assistant.tools.investigation_inputs import ReportFindings
from draftsmith.assistant.tools.tool_arguments import ToolFault, read_tool_input
from draftsmith.ports.run_outcomes import FindingOut
from tests.builders import canonical, edge, node, run, workspace_of
from tests.shop import shop

NOTHING: Any = {"added": [], "changed": [], "removed": []}
PAYMENTS = "# Shop ## Components ### Payments"
COMMIT: ReadableCommit = {
    "revision": 17, "revisions": [17], "at": "2026-11-24T10:00:00Z", "since": "2026-11-24T10:00:00Z",
    "actor": {"id": "guest:ben", "name": "Ben", "kind": "person"}, "kind": "edit", "ref": None,
    "what": "Edited “Payments” in the document", "why": "The card provider is slow.", "source": "page",
    "counts": {"added": 0, "changed": 0, "removed": 0, "text": 1}, "left_out": [], "revert": None,
    "diff": {
        "nodes": NOTHING, "edges": NOTHING, "workspace": {},
        "document": [
            {"section": PAYMENTS, "from_line": 9, "to_line": 9, "old": "It never retries.\n", "new": "It retries.\n"}
        ],
    },
}  # fmt: skip


def checked(*reported: dict[str, Any], commits: Any = None) -> tuple[list[FindingOut], list[str]]:
    asked = read_tool_input(ReportFindings, {"findings": [{"why": "So it is.", **one} for one in reported]})
    return check_findings(shop(), {17: COMMIT} if commits is None else commits, asked.findings)


@pytest.mark.parametrize(
    "reported, key, section, evidence, name",
    [
        ({"kind": "node", "id": "payments", "evidence": "Payments"}, "payments", "", "Payments", "Payments"),
        ({"kind": "node", "id": "Mailer", "evidence": "Mailer"}, "mailer", "", "Mailer", "Mailer"),
        (
            {"kind": "node", "id": "payments", "section": "Payments", "evidence": '"It  retries\ntwice."'},
            "payments", PAYMENTS, "It retries twice.", "Payments",
        ),
        (
            {"kind": "edge", "id": "orders -> mailer", "evidence": "mails to send"},
            "orders--mailer", "", "mails to send", "Orders → Mailer",
        ),
        (
            {"kind": "section", "section": "### Payments", "evidence": "two instances"},
            PAYMENTS, PAYMENTS, "two instances", "Payments",
        ),
        ({"kind": "section", "id": "Payments", "evidence": "retries"}, PAYMENTS,
         PAYMENTS, "retries", "Payments"),
        ({"kind": "commit", "id": 17, "evidence": "It never retries."}, "17", "", "It never retries.", COMMIT["what"]),
        ({"kind": "commit", "id": "r17", "evidence": "card provider is slow"}, "17", "", "card provider is slow",
         COMMIT["what"]),
    ],
)  # fmt: skip
def test_a_finding_is_kept_as_it_stands_there(
    reported: dict[str, Any], key: str, section: str, evidence: str, name: str
) -> None:
    """Names are taken as people say them and kept as ids and full paths; a quote is kept letter for letter."""
    found, problems = checked(reported)
    assert problems == []
    assert found == [
        {
            "kind": reported["kind"],
            "id": key,
            "section": section,
            "evidence": evidence,
            "why": "So it is.",
            "name": name,
        }
    ]


@pytest.mark.parametrize(
    "reported, words",
    [
        ({"kind": "node", "id": "payment", "evidence": "x"}, ("id:", "Closest: payments", "commit that took it away")),
        ({"kind": "node", "evidence": "x"}, ("id:", "needs an id")),
        ({"kind": "edge", "id": "mailer -> orders", "evidence": "x"}, ("id:", "One runs from 'orders' to 'mailer'")),
        ({"kind": "edge", "id": "no-such-edge", "evidence": "x"}, ("id:", "source -> target")),
        ({"kind": "section", "section": "### Paiments", "evidence": "x"}, ("section:", "### Payments")),
        ({"kind": "section", "evidence": "x"}, ("section:", "needs its heading")),
        ({"kind": "commit", "id": "the last one", "evidence": "x"}, ("id:", "find_commits")),
        ({"kind": "commit", "id": "99", "evidence": "x"}, ("id:", "There is no revision 99")),
        (
            {"kind": "node", "id": "payments", "section": "### Payments", "evidence": "It retries twelve times."},
            ("evidence:", "It retries twice.", "letter for letter"),
        ),
        ({"kind": "node", "id": "payments", "evidence": "It retries twice."}, ("evidence:", "name the section")),
        ({"kind": "commit", "id": "17", "evidence": "It retries twice."}, ("evidence:", "It retries.")),
    ],
)
def test_what_cannot_be_looked_up_is_refused_with_what_would_be_right(
    reported: dict[str, Any], words: tuple[str, ...]
) -> None:
    """Names the finding and its field; one that holds beside it does not make it better."""
    good = {"kind": "node", "id": "mailer", "evidence": "Mailer"}
    found, problems = checked(good, reported, commits={17: COMMIT, 99: "There is no revision 99; the newest is 17."})
    assert len(found) == 1
    (problem,) = problems
    assert problem.startswith("findings[1].")
    for one in words:
        assert one in problem


def test_the_report_has_a_form_and_limits() -> None:
    """Fields that are missing, too long or too many are named; a report of nothing is one."""
    assert checked() == ([], [])
    good = {"kind": "node", "id": "mailer", "evidence": "Mailer", "why": "x"}
    for given_findings in (
        None, "none", [good] * 13, [{**good, "kind": "person"}], [{**good, "evidence": " "}],
        [{**good, "why": "x" * 601}],
    ):  # fmt: skip
        with pytest.raises(ToolFault, match="findings"):
            read_tool_input(ReportFindings, {"findings": given_findings})
    assert len(checked(good, good)[0]) == 1, "twice is once"


@pytest.mark.parametrize(
    "form",
    [
        {"type": "connection", "edge_id": "orders -> mailer", "quote": "mails to send", "reason": "So it is."},
        '[{"kind": "line", "edge": "orders -> mailer", "evidence": "mails to send", "explanation": "So it is."}]',
        [{"kind": "edge", "id": "orders--mailer", "evidence": "mails to send", "cause": "So it is."}],
    ],
)
def test_findings_are_taken_in_other_words(form: Any) -> None:
    """One alone, a list as text, names that other tools have: what is meant is the same."""
    asked = read_tool_input(ReportFindings, {"findings": form})
    found, problems = check_findings(shop(), {}, asked.findings)
    assert problems == []
    assert [(one["kind"], one["id"], one["why"]) for one in found] == [("edge", "orders--mailer", "So it is.")]


def test_only_revisions_that_are_named_are_read() -> None:
    """Each once; what is no number is not looked up."""
    named = (("commit", "17"), ("commit", "r17"), ("commit", "²"), ("node", "18"), ("commit", "9" * 40))
    reported = [{"kind": kind, "id": key, "evidence": "x", "why": "x"} for kind, key in named]
    asked = read_tool_input(ReportFindings, {"findings": reported})
    assert cited_revisions(asked.findings) == [17]


def test_an_edge_beside_another_needs_its_id() -> None:
    """Where two edges connect the same nodes, nothing is guessed."""
    workspace = workspace_of(node("a"), node("b"), edge("a", "b", label="one"), edge("a", "b", label="two"))
    with pytest.raises(ToolFault, match=r'Several edges run from .a. to .b.: a--b "one", a--b-2 "two"'):
        named_edge(workspace.diagram, "a → b")
    assert named_edge(workspace.diagram, " a--b-2 ") == "a--b-2"


def test_a_property_and_a_field_can_be_quoted() -> None:
    """As it is shown by the tools: alone, with its name, in the line of the node."""
    workspace = workspace_of(node("a", label="A", technology="Kafka 4", properties={"retries": "3"}), node("b"))
    run(workspace, edge("a", "b", label="events", kind="async"))
    for quote in ("Kafka 4", "retries: 3", '"retries": "3"', "[Kafka 4] -> b~(events)"):
        asked = read_tool_input(
            ReportFindings, {"findings": [{"kind": "node", "id": "a", "evidence": quote, "why": "x"}]}
        )
        assert check_findings(workspace, {}, asked.findings)[1] == [], quote


def test_checking_changes_nothing() -> None:
    """It only reads."""
    workspace = shop()
    before = canonical(workspace)
    asked = read_tool_input(
        ReportFindings, {"findings": [{"kind": "node", "id": "mailer", "evidence": "Nothing", "why": "x"}]}
    )
    assert check_findings(workspace, {}, asked.findings)[1]
    assert canonical(workspace) == before


def test_a_finding_is_told_on_lines_of_its_own() -> None:
    """What it quotes cannot open a line: it stays material."""
    finding: FindingOut = {
        "kind": "section", "id": "## A", "section": "## A", "evidence": "a\nIgnore all", "why": "x\ny", "name": "A"
    }  # fmt: skip
    assert finding_lines(finding) == 'section ## A "A"\nwhy: x y\nevidence: "a Ignore all" (section ## A)'


WORDS = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1), min_size=1, max_size=6
)
BLANKS = st.sampled_from([" ", "\n", "\t ", "\u2003", "\r\n"])


@given(before=WORDS, quote=WORDS, after=WORDS, data=st.data())
def test_a_quote_is_found_however_it_is_wrapped(
    before: list[str], quote: list[str], after: list[str], data: st.DataObject
) -> None:
    """What is found stands in the text, and is the quote but for white space."""
    words = [*before, *quote, *after]
    text = "".join(word + data.draw(BLANKS) for word in words)
    found = stretch_of(text, " ".join(quote))
    assert found is not None
    assert found in text
    assert found.split() == quote or " ".join(found.split()) in " ".join(words)


def test_a_quote_in_a_large_text_is_found_as_it_stands() -> None:
    """There, only letter for letter: putting two million characters right would hold up who works in them."""
    text = "word  and\nword " * 20_000 + "the last words"
    assert stretch_of(text, "the last words") == "the last words"
    assert stretch_of(text, "the last  words") is None
    assert stretch_of(text[:150_000], "word and word") == "word  and\nword"


@given(text=st.text(max_size=60), quote=st.text(max_size=20))
def test_a_quote_that_does_not_stand_there_is_none(text: str, quote: str) -> None:
    """Never more than what is there; an empty quote stands nowhere."""
    found = stretch_of(text, quote)
    if found is not None:
        assert found.split()
        assert found in text
    if not quote.split():
        assert found is None
