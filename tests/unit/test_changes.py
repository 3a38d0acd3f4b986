"""What changed over a range of commits as text: bounded for a model, and told without one."""

from __future__ import annotations

from typing import Any

from draftsmith.adapters.files.prompt_files import read_prompts
from draftsmith.assistant.context.changes import Changes, changes_message, diff_lines, told_without_a_model
from draftsmith.assistant.prompts import prompt_set
from draftsmith.history.shapes import CommitOut, DiffOut

NOTHING: DiffOut = {
    "nodes": {"added": [], "changed": [], "removed": []},
    "edges": {"added": [], "changed": [], "removed": []},
    "document": [],
    "workspace": {},
}


def row(revision: int, name: str = "Ana", what: str = "Added node A", why: str = "", since: int = 0) -> CommitOut:
    made: Any = {
        "revision": revision,
        "revisions": [*range(revision, (since or revision) - 1, -1)],
        "at": "2026-05-04T09:12:30.000Z",
        "actor": {"id": f"guest:{name}", "name": name, "kind": "person"},
        "what": what,
        "why": why,
    }
    found: CommitOut = made
    return found


def message(changes: Changes) -> tuple[str, int]:
    return changes_message(prompt_set("summary", read_prompts("summary")), "Shop", changes)


def test_a_row_is_a_line_with_who_when_what_and_why() -> None:
    """Commits that belong together are one; what people wrote begins no line of its own."""
    rows = [row(2, why="Two\nlines"), row(5, "Ben\n", "Typed in “Risks”", since=3)]
    text, left = message(Changes(since=1, until=5, rows=rows))
    assert left == 0
    assert "\nr2 2026-05-04T09:12 Ana (person): Added node A; because: Two lines\nr3-5 2026" in text
    assert "Ben (person): Typed in “Risks”\n" in text
    assert "<result" not in text


def test_of_too_much_the_newest_is_sent_and_the_rest_is_counted() -> None:
    """Lines beyond 16,000 characters, whole rows at a time, with what was not looked at before."""
    rows = [row(at, what="x" * 190) for at in range(11, 311)]
    text, left = message(Changes(since=1, until=310, rows=rows, left_out=9))
    assert 9 < left < 309
    assert f"The oldest {left} of 309 commits are left out." in text
    assert "\nr310 " in text
    assert f"\nr{left + 1} " not in text
    assert f"\nr{left + 2} " in text
    assert len(text) < 18_000


def test_a_difference_is_a_line_for_each_thing() -> None:
    """Moves are nothing; empty values are called so; long ones are cut."""
    diff: Any = {
        "nodes": {
            "added": [{"id": "db", "type": "database", "label": "Store", "technology": "PostgreSQL"}],
            "changed": [
                {"id": "api", "fields": {"label": ["A", "B"], "position": [{}, {}], "technology": [None, "G" * 300]}},
                {"id": "web", "fields": {"position": [{}, {}]}},
            ],
            "removed": ["mail"],
        },
        "edges": {"added": [{"id": "e", "source": "api", "target": "db", "label": ""}], "changed": [], "removed": []},
        "document": [{"section": "# P # Risks", "from_line": 3, "to_line": 4, "old": "None.\n\n", "new": "Some.\n"}],
        "workspace": {"name": ["Shop", "Store"]},
    }
    assert diff_lines(diff) == [
        '+ node db database "Store" [PostgreSQL]',
        "- node mail",
        f'~ node api: label "A" → "B", technology nothing → "{"G" * 199}…"',
        "+ edge api → db",
        "~ document, # P # Risks:",
        "- None.",
        "+ Some.",
        '~ workspace: name "Shop" → "Store"',
    ]
    text, _ = message(Changes(since=1, until=2, rows=[row(2)], diff={**NOTHING, "workspace": diff["workspace"]}))
    assert '>\n~ workspace: name "Shop" → "Store"\n</result-' in text


def test_without_a_model_each_person_is_told_by_the_newest_sentences() -> None:
    """Who did most comes first, each sentence once, in the order of time; many people are counted."""
    rows = [
        row(2, what="Added node A"),
        row(3, "Ben", "Deleted node B"),
        *[row(at, what=f"Changed {at}") for at in (4, 5, 6)],
        row(7, what="Changed 6"),
    ]
    assert told_without_a_model(Changes(since=1, until=7, rows=rows, what="Added node A")).splitlines() == [
        "6 commits after revision 1, by Ana and Ben.",
        "All in all: added node A.",
        "Ana: changed 4; changed 5; changed 6; before that 1 other change.",
        "Ben: deleted node B.",
    ]
    once = Changes(since=1, until=2, rows=[row(2)], what="Added node A")
    assert told_without_a_model(once) == "1 commit after revision 1, by Ana.\nAll in all: added node A."
    many = [row(at, f"P{at}") for at in range(2, 10)]
    told = told_without_a_model(Changes(since=1, until=9, rows=many, left_out=2)).splitlines()
    assert told[0] == "6 commits after revision 1, by P2, P3, P4, P5, P6 and 3 others."
    assert told[-1] == "The oldest 2 of 8 commits were not looked at."
    assert len(told) == 7
    assert told_without_a_model(Changes(since=4, until=4, rows=[])) == "Nothing has changed since revision 4."
    hidden = told_without_a_model(Changes(since=4, until=5, rows=[]))
    assert hidden == "1 commit after revision 4, by nobody that is shown."
