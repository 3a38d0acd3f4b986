"""The fence: which batches of an agent would overwrite what it has not seen, by what it was shown and when."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pytest

from draftsmith.agents.fence import BatchContext, sections_touched, unread_by
from draftsmith.agents.marks import (
    LINES,
    TEXT,
    Marks,
    commit_mark,
    edge_mark,
    field_mark,
    line_mark,
    node_mark,
    section_marks,
)
from draftsmith.model.document import units
from draftsmith.model.markdown.sections import outline_of
from draftsmith.transform.resolvers.anchors import following
from draftsmith.transform.steps.steps import text_step_of
from tests.builders import Op, edge, node, run, update, workspace_of
from tests.kit.documents import append_to_section, delete_section, edit_section, replace_section

TEXT_BEFORE = (
    "Intro.\n\n# Shop\n\nSells 🚀.\n\n## Orders\n\nTimeout is 30 s. Retries twice.\n\n## Storage\n\nPostgres.\n"
)
MARKS_OF_SECTIONS = [mark for _, mark in section_marks(outline_of(TEXT_BEFORE))]
INTRO, SHOP, ORDERS, STORAGE = MARKS_OF_SECTIONS
ORDERS_PATH = "# Shop ## Orders"
ALL = {LINES: 1, TEXT: 1}
LABEL = {"part": "node", "id": "a", "field": "label", "node": "a"}


def unread(
    *mine: Op,
    marks: Marks,
    since: Sequence[Sequence[Op]] = (),
    own: Collection[int] = (),
    floor: int = 0,
    spoken_of: Collection[str] | None = None,
) -> list[Mapping[str, Any]]:
    """What a batch would overwrite unseen, on a workspace of revision 1 in which others have committed since."""
    workspace = workspace_of(
        node("a", description="Old", properties={"owner": "Ann"}), node("b", 300), node("c", 600),
        edge("a", "b", id="e", label="calls", description="Old"), edge("b", "c", id="f"), text=TEXT_BEFORE,
    )  # fmt: skip
    commits = [(at, run(workspace, *ops, revision=at).steps) for at, ops in enumerate(since, 2)]
    text = workspace.document.text
    tx = run(workspace, *mine, revision=9)
    steps = tx.finish()
    names = {one for result in tx.results for one in result.to_json()["ids"]} if spoken_of is None else spoken_of
    around = BatchContext(
        diagram=workspace.diagram, text=text, outline=outline_of(text) if text_step_of(steps) else None, marks=marks,
        since=commits, own=own, floor=floor, following=following(tx),
    )  # fmt: skip
    return [one.to_json() for one in unread_by(steps, names, around)]


@pytest.mark.parametrize("mark", [LINES, line_mark("a"), node_mark("a"), field_mark("node", "a", "label")])
def test_a_field_on_a_line_is_seen_by_every_mark_that_shows_it(mark: str) -> None:
    """Even if that was at the very beginning, but not before what is known of others' commits."""
    relabel = update("a", label="Mine")
    assert unread(relabel, marks={mark: 0}) == []
    assert unread(relabel, marks={mark: 1}, floor=1) == []
    assert unread(relabel, marks={mark: 1}, floor=2) == [LABEL]


@pytest.mark.parametrize(
    "mark", [TEXT, line_mark("b"), node_mark("b"), edge_mark("a"), field_mark("node", "a", "technology"), ORDERS]
)
def test_what_shows_something_else_does_not_count(mark: str) -> None:
    assert unread(update("a", label="Mine"), marks={mark: 1}) == [LABEL]


@pytest.mark.parametrize(
    "fields,field", [({"description": "Mine"}, "description"), ({"properties": {"owner": "Me"}}, "properties.owner")]
)
def test_what_no_line_shows_needs_the_node_or_the_field_itself(fields: Op, field: str) -> None:
    missing = [{"part": "node", "id": "a", "field": field, "node": "a"}]
    assert unread(update("a", **fields), marks={LINES: 1, line_mark("a"): 1}) == missing
    assert unread(update("a", **fields), marks={node_mark("a"): 1}) == []
    assert unread(update("a", **fields), marks={field_mark("node", "a", field): 1}) == []


def test_what_held_nothing_and_what_the_batch_makes_need_no_mark() -> None:
    assert unread(update("a", notes="Mine"), marks={}) == []
    assert unread(node("n", 900), update("n", label="Other"), edge("n", "a"), marks={}) == []


def test_after_what_needs_no_mark_the_rest_of_a_batch_is_looked_at() -> None:
    """Behind what the batch has made, and behind what it only moves out of the way."""
    assert unread(node("n", 900), update("n", label="Other"), update("a", label="Mine"), marks={}) == [LABEL]
    move = {"op": "move_nodes", "positions": {"b": {"x": 0, "y": 400}}}
    assert unread(move, update("a", label="Mine"), marks={}, spoken_of=("a",)) == [LABEL]


@pytest.mark.parametrize("mark", [LINES, line_mark("a"), node_mark("a"), node_mark("b"), edge_mark("e")])
def test_an_edge_is_seen_with_the_line_of_its_source_with_either_node_or_alone(mark: str) -> None:
    assert unread({"op": "update_edge", "id": "e", "label": "Mine"}, marks={mark: 1}) == []


@pytest.mark.parametrize("mark", [line_mark("b"), node_mark("c"), edge_mark("f"), TEXT])
def test_an_edge_is_not_seen_with_the_line_of_its_target(mark: str) -> None:
    missing = [{"part": "edge", "id": "e", "field": "label", "node": "a"}]
    assert unread({"op": "update_edge", "id": "e", "label": "Mine"}, marks={mark: 1}) == missing


def test_what_no_line_shows_of_an_edge_needs_a_node_or_the_edge() -> None:
    change = {"op": "update_edge", "id": "e", "description": "Mine"}
    missing = [{"part": "edge", "id": "e", "field": "description", "node": "a"}]
    assert unread(change, marks={LINES: 1, line_mark("a"): 1}) == missing
    assert unread(change, marks={node_mark("b"): 1}) == []


@pytest.mark.parametrize("new,field", [({"new_source": "c"}, "source"), ({"new_target": "c"}, "target")])
def test_an_edge_that_gets_another_end_is_one_of_the_nodes_that_it_had(new: Op, field: str) -> None:
    """Also if it gets them one after the other, so that in between it is of neither its old nor its new nodes."""
    rewire = {"op": "rewire_edge", "id": "e", **new}
    missing = {"part": "edge", "id": "e", "field": field, "node": "a"}
    assert unread(rewire, marks={line_mark("c"): 1, node_mark("c"): 1}) == [missing]
    assert unread(rewire, marks={line_mark("a"): 1}) == []
    assert unread(rewire, marks={node_mark("b"): 1}) == []
    turned = [{"op": "rewire_edge", "id": "e", "new_target": "c"}, {"op": "rewire_edge", "id": "e", "new_source": "b"}]
    assert unread(*turned, marks={line_mark("b"): 1}) == [
        {"part": "edge", "id": "e", "field": name, "node": "a"} for name in ("target", "source")
    ]
    assert unread(*turned, marks={node_mark("b"): 1}) == []


def test_a_node_that_is_deleted_must_be_known_with_its_edges() -> None:
    """Those that begin elsewhere stand on other lines."""
    remove = {"op": "delete_node", "id": "b"}
    assert unread(remove, marks=ALL) == []
    assert unread(remove, marks={node_mark("b"): 1}) == []
    assert unread(remove, marks={line_mark("b"): 1}) == [{"part": "edge", "id": "e", "node": "a"}]


def test_where_things_stand_counts_for_what_the_batch_speaks_of() -> None:
    """What is moved out of the way needs no mark, nor does it matter that somebody else has moved it."""
    move = {"op": "move_nodes", "positions": {"a": {"x": 0, "y": 400}}}
    [place] = unread(move, marks={})
    assert (place["part"], place["id"]) == ("node", "a")
    assert unread(move, marks=ALL) == []
    assert unread(move, marks={}, spoken_of=()) == []
    others = [[{"op": "move_nodes", "positions": {"a": {"x": 0, "y": 800}}}, update("b", label="Theirs")]]
    mine = [move, update("b", label="Mine")]
    label = {"part": "node", "id": "b", "field": "label", "node": "b", "revision": 2}
    assert unread(*mine, marks=ALL, since=others, spoken_of=("b",)) == [label]
    assert unread(*mine, marks=ALL, since=others) == [{**place, "revision": 2}, label]


def test_the_name_of_the_workspace_is_seen_with_anything() -> None:
    """It stands above everything that is shown; what was shown before somebody renamed it shows the old one."""
    rename: Op = {"op": "rename_workspace", "name": "Mine"}
    name = {"part": "workspace", "field": "name"}
    assert unread(rename, marks={}) == [name]
    assert unread(rename, marks={STORAGE: 1}) == []
    theirs = [[{"op": "rename_workspace", "name": "Theirs"}]]
    assert unread(rename, marks=ALL, since=theirs) == [{**name, "revision": 2}]
    assert unread(rename, marks={LINES: 1, line_mark("c"): 2}, since=theirs) == []


def test_what_others_changed_must_have_been_shown_since() -> None:
    """At that revision or later; what the agent itself changed it knows."""
    mine, theirs = update("a", label="Mine"), [[update("a", label="Theirs")], [update("b", label="Theirs")]]
    assert unread(mine, marks={LINES: 1}, since=theirs) == [{**LABEL, "revision": 2}]
    assert unread(mine, marks={LINES: 1, line_mark("b"): 3}, since=theirs) == [{**LABEL, "revision": 2}]
    assert unread(mine, marks={LINES: 1, line_mark("a"): 2}, since=theirs) == []
    assert unread(mine, marks={LINES: 2}, since=theirs) == []
    assert unread(mine, marks={LINES: 1}, since=theirs, own={2}) == []


def test_what_others_changed_elsewhere_never_matters() -> None:
    theirs = [[update("a", description="Theirs"), update("b", label="Theirs"), node("n", 900)]]
    assert unread(update("a", label="Mine"), marks=ALL, since=theirs) == []
    theirs = [[edit_section("## Orders", "Retries twice.", "Retries never.")]]
    assert unread(edit_section("## Orders", "30 s", "20 s"), marks=ALL, since=theirs) == []


@pytest.mark.parametrize("mark", [TEXT, ORDERS])
def test_text_that_is_replaced_or_removed_must_have_been_shown(mark: str) -> None:
    """As the whole document or as that section, however long ago; what is only added needs nothing."""
    for change in (edit_section("## Orders", "30 s", "20 s"), edit_section("## Orders", " Retries twice.", "")):
        assert unread(change, marks={LINES: 1, STORAGE: 1, SHOP: 1}) == [{"part": "document", "section": ORDERS_PATH}]
        assert unread(change, marks={mark: 0}) == []
        assert unread(change, marks={mark: 1}, floor=2) == [{"part": "document", "section": ORDERS_PATH}]
    assert unread(append_to_section("## Orders", "More."), marks={}) == []


def test_each_section_that_a_batch_touches_is_named_and_no_other() -> None:
    """The text before the first heading has no path."""
    change = [edit_section("", "Intro.", "Start."), edit_section("## Storage", "Postgres", "Files")]
    paths = ["", "# Shop ## Storage"]
    assert unread(*change, marks={}) == [{"part": "document", "section": path} for path in paths]
    assert unread(*change, marks={INTRO: 1}) == [{"part": "document", "section": "# Shop ## Storage"}]
    removed = [{"part": "document", "section": ORDERS_PATH}]
    assert unread(delete_section("## Orders"), marks={SHOP: 1, STORAGE: 1}) == removed


@pytest.mark.parametrize("mark", [TEXT, ORDERS, commit_mark(2)])
def test_text_that_others_changed_must_have_been_shown_since(mark: str) -> None:
    """As a whole, as the section or as what that commit changed; what it was before does not help."""
    change, theirs = replace_section("## Orders", "Mine."), [[edit_section("## Orders", "30 s", "20 s")]]
    changed = [{"part": "document", "section": ORDERS_PATH, "revision": 2}]
    assert unread(change, marks={TEXT: 1, ORDERS: 1, STORAGE: 2}, since=theirs) == changed
    assert unread(change, marks={TEXT: 1, ORDERS: 1, commit_mark(3): 3}, since=theirs) == changed
    assert unread(change, marks={TEXT: 1, ORDERS: 1, mark: 2}, since=theirs) == []
    assert unread(change, marks=ALL, since=theirs, own={2}) == []


def test_where_others_have_removed_text_the_section_must_have_been_shown_since() -> None:
    change, theirs = replace_section("## Orders", "Mine."), [[edit_section("## Orders", "30 s. ", "")]]
    changed = [{"part": "document", "section": ORDERS_PATH, "revision": 2}]
    assert unread(change, marks=ALL, since=theirs) == changed
    assert unread(change, marks={TEXT: 1, ORDERS: 2}, since=theirs) == []


def test_a_batch_of_both_is_told_of_both() -> None:
    """First what was never shown, then what was changed; each once, with the revision that changed it."""
    theirs = [[edit_section("## Storage", "Postgres", "Files")], [update("a", label="Theirs")]]
    mine = [update("a", label="Mine", description="Mine"), replace_section("## Storage", "Mine.")]
    assert unread(*mine, marks=ALL, since=theirs) == [
        {"part": "node", "id": "a", "field": "description", "node": "a"},
        {**LABEL, "revision": 3},
        {"part": "document", "section": "# Shop ## Storage", "revision": 2},
    ]


@pytest.mark.parametrize("text", ["", "words", "# A\n", "# A\n\n## B\n\nb", "in 🚀\n\n# A\n\na\n# A\n"])
def test_a_section_is_touched_where_a_character_of_it_is_or_where_something_went(text: str) -> None:
    """All spans of a text: what is empty stands before a character, at the end behind the last."""
    outline = outline_of(text)
    ranges = [(0, outline.preamble_end), *((one.start, one.own_end) for one in outline.sections)]
    marks = [mark for _, mark in section_marks(outline)]
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            inside = [set(range(start, end)) & set(range(*one)) for one in ranges]
            if start == end:
                inside = [{start} & set(range(*one)) or (start == len(text) == one[1]) for one in ranges]
            span = (units(text[:start]), units(text[:end]))
            found = [mark for _, mark in sections_touched(outline, [span])]
            assert found == [mark for mark, some in zip(marks, inside, strict=True) if some], (start, end)


def test_of_several_spans_each_section_is_told_once() -> None:
    outline = outline_of(TEXT_BEFORE)
    starts = [units(TEXT_BEFORE[: TEXT_BEFORE.index(word)]) for word in ("Intro", "Timeout", "Retries", "Postgres")]
    found = list(sections_touched(outline, [(start, start + 1) for start in starts]))
    assert [mark for _, mark in found] == [INTRO, ORDERS, STORAGE]
    assert [section is None for section, _ in found] == [True, False, False]
    assert list(sections_touched(outline, [])) == []
