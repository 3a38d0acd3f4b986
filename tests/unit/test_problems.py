"""Every problem code of docs/operations.md, by a batch that gives it; a refused batch leaves nothing behind."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.errors import BatchRejected, DraftsmithError, Problem
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.requests.faults import leading
from draftsmith.transform.steps.changeset import of_parts, replacing
from tests.builders import Op, canonical, edge, group, node, run, update, workspace_of
from tests.kit.documents import edit_section
from tests.unit.test_operations_table import CODES

TEXT = (
    "# Shop\n\nalpha beta alpha\n\n## Risks\n\nlate\n\n## Data\n\n### Risks\n\nlost 🚀\n\n## Twice\n\n*seen* and seen\n"
)
# Judged where a request comes in, not where operations are resolved.
ELSEWHERE = {"limit_bytes"}


def shop() -> Workspace:
    """Groups, edges, a locked node, a document with two sections of one name."""
    return workspace_of(
        group("g"),
        group("h", parent="g"),
        node("a"),
        node("b", 300),
        node("c", 600),
        node("in-g", parent="g"),
        node("fixed", 900, locked=True),
        node("full", 1200, properties={f"k{number}": "" for number in range(50)}),
        edge("a", "b", id="e"),
        edge("a", "b", id="e2", label="reads"),
        edge("b", "c", id="f"),
        edge("b", "fixed", id="held"),
        text=TEXT,
    )


FORM: list[tuple[str, Any, str]] = [
    ("op_unknown", {"op": "add_nodes"}, "/operations/0"),
    ("op_unknown", {"id": "a"}, "/operations/0"),
    ("field_unknown", update("a", colour="red"), "/operations/0/colour"),
    ("field_missing", {"op": "add_node", "type": "api"}, "/operations/0/label"),
    (
        "field_missing",
        {"op": "insert_between", "source": "a", "target": "b", "node": {"label": "x"}},
        "/operations/0/node/type",
    ),
    ("field_invalid", update("a", position={"x": "1", "y": 0}), "/operations/0/position/x"),
    ("field_invalid", update("a", position={"x": 1e9, "y": 0}), "/operations/0/position/x"),
    ("field_invalid", update("a", label="x" * 121), "/operations/0/label"),
    ("field_invalid", update("a", label="   "), "/operations/0/label"),
    ("field_invalid", update("a", label="half \ud83d"), "/operations/0/label"),
    ("field_invalid", update("a", properties={"k": 1}), "/operations/0/properties/k"),
    (
        "field_invalid",
        {"op": "move_nodes", "positions": {"a/b~": {"x": None, "y": 1}}},
        "/operations/0/positions/a~1b~0/x",
    ),
    ("field_invalid", {"op": "insert_section", "title": "two\nlines"}, "/operations/0/title"),
    ("field_invalid", {"op": "insert_section", "title": "## Marked"}, "/operations/0/title"),
    ("field_invalid", {"op": "insert_section", "title": " "}, "/operations/0/title"),
    ("field_invalid", {"op": "insert_section", "title": "x", "level": 7}, "/operations/0/level"),
    ("field_invalid", "add a node", "/operations/0"),
]


@pytest.mark.parametrize("code,operation,path", FORM)
def test_faults_of_form(code: str, operation: Any, path: str) -> None:
    """What is wrong whatever the workspace holds is found while reading, with the place in the request."""
    with pytest.raises(DraftsmithError) as refusal:
        parse_batch([operation], WorkspaceLimits())
    assert refusal.value.code == "invalid_request"
    assert [(problem.code, problem.path) for problem in refusal.value.problems] == [(code, path)]


def test_all_faults_of_form_come_at_once() -> None:
    """Each operation's faults, with its index; the good ones between them are no obstacle."""
    with pytest.raises(DraftsmithError) as refusal:
        parse_batch([node("a"), {"op": "add_nod"}, update("a", x=1, label=3)], WorkspaceLimits())
    found = [(problem.index, problem.op, problem.code) for problem in refusal.value.problems]
    assert sorted(found) == [
        (1, "add_nod", "op_unknown"),
        (2, "update_node", "field_invalid"),
        (2, "update_node", "field_unknown"),
    ]
    assert refusal.value.problems[0].candidates[0] == "add_node"


def test_an_unknown_field_inside_a_value_is_told_of_that_value() -> None:
    """Not of the operation, whose fields would be no help there."""
    with pytest.raises(DraftsmithError) as refusal:
        parse_batch([update("a", position={"x": 1, "y": 1, "z": 1}, shade="red")], WorkspaceLimits())
    found = {problem.path: (problem.message, problem.candidates) for problem in refusal.value.problems}
    assert found["/operations/0/position/z"] == ("'position' has no field 'z'.", ("x", "y"))
    message, candidates = found["/operations/0/shade"]
    assert message == "'update_node' has no field 'shade'."
    assert "technology" in candidates


@pytest.mark.parametrize("operations", [None, {}, [], [node("a")] * 501])
def test_a_batch_has_one_to_five_hundred_operations(operations: Any) -> None:
    """`limit_operations`, before anything else is looked at."""
    with pytest.raises(DraftsmithError) as refusal:
        parse_batch(operations, WorkspaceLimits())
    assert [problem.code for problem in refusal.value.problems] == ["limit_operations"]


SECTION: Op = {"section": "# Shop"}
FIT: list[tuple[str, Op, str]] = [
    ("field_missing", {"op": "rewire_edge", "id": "e"}, "/new_target"),
    ("field_missing", {"op": "layout_diagram", "scope": "ids"}, "/ids"),
    ("field_missing", {"op": "replace_diagram", "nodes": [{"id": "n", "label": "N"}], "edges": []}, "/nodes/0/type"),
    ("field_missing", {"op": "replace_diagram", "nodes": [{"label": "🚀"}], "edges": []}, "/nodes/0/id"),
    ("field_invalid", update("a", label=None), "/label"),
    ("field_invalid", update("a", locked=None), "/locked"),
    ("field_invalid", {"op": "update_edge", "id": "e", "kind": None}, "/kind"),
    ("field_invalid", update("full", properties={"one-more": "1"}), "/properties"),
    ("field_invalid", {"op": "replace_section", "section": "## Risks", "text": "```\nopen"}, "/text"),
    ("heading_in_text", {"op": "replace_section", "section": "## Risks", "text": "## Other\n\nx"}, "/text"),
    ("id_invalid", node("Not an id"), "/id"),
    ("id_invalid", edge("a", "c", id="Not an id"), "/id"),
    ("type_unknown", node("n", type="databse"), "/type"),
    ("type_unknown", update("a", type="banana"), "/type"),
    ("type_unknown", {"op": "define_type", "label": "Bank", "type": "group"}, "/type"),
    ("type_unknown", {"op": "delete_type", "id": "bank"}, "/id"),
    ("type_exists", {"op": "define_type", "label": "Database", "type": "other"}, "/label"),
    ("node_not_found", update("aa"), "/id"),
    ("node_not_found", edge("a", "nowhere"), "/target"),
    ("node_not_found", {"op": "delete_nodes", "ids": ["a", "nowhere"]}, "/ids/1"),
    ("node_not_found", {"op": "move_nodes", "positions": {"nowhere": {"x": 0, "y": 0}}}, "/positions/nowhere"),
    ("node_not_found", node("n", parent="nowhere"), "/parent"),
    ("node_not_found", node("n", near="nowhere"), "/near"),
    (
        "node_not_found",
        {"op": "replace_diagram", "nodes": [{"id": "a"}], "edges": [{"source": "a", "target": "b"}]},
        "/edges/0/target",
    ),
    (
        "node_not_found",
        {"op": "replace_diagram", "nodes": [{"id": "a", "parent": "g"}], "edges": []},
        "/nodes/0/parent",
    ),
    (
        "node_ambiguous",
        {
            "op": "replace_diagram",
            "nodes": [{"id": "a", "label": "Same"}, {"id": "b", "label": "Same"}],
            "edges": [{"source": "same", "target": "a"}],
        },
        "/edges/0/source",
    ),
    ("node_exists", node("a"), "/id"),
    ("node_exists", {"op": "replace_diagram", "nodes": [{"id": "a"}, {"id": "a"}], "edges": []}, "/nodes/1/id"),
    ("edge_not_found", {"op": "delete_edge", "id": "nowhere"}, "/id"),
    ("edge_not_found", {"op": "delete_edge", "source": "b", "target": "a"}, ""),
    ("edge_not_found", {"op": "move_nodes", "positions": {}, "routes": {"no": None}}, "/routes/no"),
    ("edge_not_found", {"op": "move_nodes", "positions": {}, "routes": {"a/b~c": None}}, "/routes/a~1b~0c"),
    ("node_not_found", {"op": "move_nodes", "positions": {"a/b": {"x": 0, "y": 0}}}, "/positions/a~1b"),
    ("self_loop", {"op": "rewire_edge", "id": "e", "new_source": "b"}, "/new_source"),
    ("edge_exists", edge("a", "c", id="e"), "/id"),
    ("edge_ambiguous", {"op": "delete_edge", "source": "a", "target": "b"}, ""),
    ("edge_duplicate", edge("a", "b"), ""),
    ("edge_duplicate", {"op": "update_edge", "id": "e", "label": "reads"}, ""),
    ("edge_duplicate", {"op": "rewire_edge", "id": "f", "new_source": "a", "new_target": "b"}, ""),
    (
        "edge_duplicate",
        {
            "op": "replace_diagram",
            "nodes": [{"id": "a"}, {"id": "b"}],
            "edges": [{"id": "e", "source": "a", "target": "b"}, {"source": "a", "target": "b"}],
        },
        "/edges/1",
    ),
    ("edge_address", {"op": "delete_edge", "source": "a"}, ""),
    ("self_loop", edge("a", "a"), "/target"),
    ("self_loop", {"op": "rewire_edge", "id": "e", "new_target": "a"}, "/new_target"),
    ("self_loop", {"op": "insert_between", "source": "b", "target": "c", "node": "b"}, "/node"),
    ("not_a_group", node("n", parent="a"), "/parent"),
    ("not_a_group", {"op": "ungroup_nodes", "id": "a"}, "/id"),
    ("not_a_group", {"op": "move_to_group", "ids": ["b"], "group": "a"}, "/group"),
    ("containment_cycle", {"op": "move_to_group", "ids": ["g"], "group": "h"}, "/ids/0"),
    (
        "containment_cycle",
        {"op": "replace_diagram", "nodes": [{"id": "g", "parent": "h"}, {"id": "h"}], "edges": []},
        "/nodes/0/parent",
    ),
    ("different_parents", {"op": "group_nodes", "label": "G", "ids": ["a", "in-g"]}, "/ids"),
    ("different_parents", {"op": "layout_diagram", "scope": "ids", "ids": ["a", "in-g"]}, "/ids"),
    ("group_not_empty", update("g", type="service"), "/type"),
    (
        "group_not_empty",
        {
            "op": "replace_diagram",
            "nodes": [{"id": "g", "type": "api"}, {"id": "in-g"}, {"id": "b"}, {"id": "fixed"}],
            "edges": [{"id": "held", "source": "b", "target": "fixed"}],
        },
        "/nodes/0/type",
    ),
    ("locked", update("fixed", label="x"), "/id"),
    ("locked", {"op": "delete_node", "id": "fixed"}, "/id"),
    ("locked", {"op": "delete_node", "id": "b"}, ""),
    ("locked", {"op": "delete_edge", "id": "held"}, ""),
    ("locked", {"op": "update_edge", "id": "held", "label": "x"}, ""),
    ("locked", {"op": "rewire_edge", "id": "held", "new_target": "a"}, ""),
    ("locked", {"op": "move_nodes", "positions": {"fixed": {"x": 0, "y": 0}}}, "/positions/fixed"),
    ("locked", {"op": "move_nodes", "positions": {}, "routes": {"held": None}}, "/routes/held"),
    ("locked", {"op": "move_to_group", "ids": ["fixed"], "group": "g"}, "/ids/0"),
    ("locked", {"op": "group_nodes", "label": "G", "ids": ["a", "fixed"]}, "/ids/1"),
    ("locked", {"op": "layout_diagram", "scope": "ids", "ids": ["fixed"]}, "/ids/0"),
    ("locked", {"op": "replace_diagram", "nodes": [{"id": "a"}], "edges": []}, ""),
    ("section_not_found", {"op": "delete_section", "section": "Riks"}, "/section"),
    ("section_not_found", {"op": "insert_section", "title": "N", "after": "nowhere"}, "/after"),
    ("section_ambiguous", {"op": "delete_section", "section": "Risks"}, "/section"),
    ("section_target", {"op": "insert_section", "title": "N", "before": "Data", "after": "Data"}, ""),
    ("section_target", {"op": "move_section", "section": "Data"}, ""),
    ("section_target", {"op": "move_section", "section": "Data", "into": "Data > Risks"}, ""),
    ("section_target", {"op": "move_section", "section": "Data", "into": "Data"}, ""),
    ("find_empty", edit_section("# Shop", "  ", "new"), "/find"),
    ("find_not_found", edit_section("# Shop", "Alpha beta", "new"), "/find"),
    ("find_not_found", edit_section("Data", "late", "new"), "/find"),
    ("find_ambiguous", edit_section("# Shop", "alpha", "new"), "/find"),
    ("edit_ambiguous", edit_section("Twice", "seen and seen", "seen"), "/replace"),
    ("text_invalid", {"op": "edit_text", "changes": [3], "base_revision": 0}, "/changes"),
    ("text_invalid", {"op": "edit_text", "changes": [[0, "a\rb"], len(TEXT) + 1], "base_revision": 0}, "/changes"),
    ("text_invalid", {"op": "edit_text", "changes": ["3"], "base_revision": 0}, "/changes"),
    (
        "text_invalid",
        {
            "op": "edit_text",
            "changes": [TEXT.index("🚀") + 1, [1], len(TEXT) - TEXT.index("🚀") - 1],
            "base_revision": 0,
        },
        "/changes",
    ),
]


@pytest.mark.parametrize("code,operation,path", FIT)
def test_what_does_not_fit(code: str, operation: Op, path: str) -> None:
    """What does not fit this workspace is refused with its code and place, and nothing has changed."""
    problem = only_problem(shop(), operation)
    assert (problem.code, problem.path) == (code, f"/operations/0{path}")
    led = leading({"operations": [operation]}, problem.path)
    assert led == problem.path or code == "field_missing", "the path leads to what was sent"
    assert problem.message[-1] in ".?" or problem.candidates[0] in problem.message
    assert (problem.op, problem.index, problem.remedy) == (operation["op"], 0, "fix")


def only_problem(workspace: Workspace, *operations: Op, **options: Any) -> Problem:
    """The one problem of a batch; the workspace is as it was."""
    before = canonical(workspace)
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, *operations, revision=2, **options)
    assert canonical(workspace) == before
    assert len(rejected.value.problems) == 1
    return rejected.value.problems[0]


LIMITS: list[tuple[str, WorkspaceLimits, Op]] = [
    ("limit_nodes", WorkspaceLimits(nodes=8), node("n")),
    ("limit_edges", WorkspaceLimits(edges=4), edge("a", "c")),
    ("limit_nodes", WorkspaceLimits(nodes=8), {"op": "group_nodes", "label": "G", "ids": ["a"]}),
    (
        "limit_types",
        WorkspaceLimits(),
        {
            "op": "replace_diagram",
            "nodes": [],
            "edges": [],
            "types": {f"t{i}": {"name": f"T {i}", "base": "other"} for i in range(51)},
        },
    ),
    (
        "limit_document",
        WorkspaceLimits(document_chars=len(TEXT) + 2),
        edit_section("# Shop", "beta", "beta+++"),
    ),
    (
        "limit_nodes",
        WorkspaceLimits(nodes=2),
        {
            "op": "replace_diagram",
            "nodes": [{"id": f"n{i}", "type": "api", "label": "N"} for i in range(9)],
            "edges": [],
        },
    ),
    (
        "limit_edges",
        WorkspaceLimits(edges=4),
        {
            "op": "replace_diagram",
            "nodes": [{"id": i} for i in ("a", "b", "c", "fixed")],
            "edges": [{"source": "a", "target": "b", "label": str(i)} for i in range(5)],
        },
    ),
]


@pytest.mark.parametrize("code,limits,operation", LIMITS)
def test_limits(code: str, limits: WorkspaceLimits, operation: Op) -> None:
    """Crossing a limit names it; nothing has changed."""
    assert only_problem(shop(), operation, limits=limits).code == code


def test_the_document_may_be_replaced_at_its_limit() -> None:
    """The limit speaks of the text as it will be, not of what is written on the way."""
    workspace = shop()
    run(
        workspace, {"op": "replace_document", "text": "x" * len(TEXT)}, limits=WorkspaceLimits(document_chars=len(TEXT))
    )
    assert workspace.document.text == "x" * len(TEXT)


def test_the_diagram_may_be_replaced_at_its_limit() -> None:
    """As many new nodes as there were old ones fit, although all of them come before the old ones go."""
    workspace = workspace_of(node("a"), node("b"))
    nodes = [{"id": i, "type": "api", "label": i} for i in ("c", "d")]
    run(workspace, {"op": "replace_diagram", "nodes": nodes, "edges": []}, limits=WorkspaceLimits(nodes=2))
    assert sorted(workspace.diagram.node_ids()) == ["c", "d"]


@pytest.mark.parametrize(
    "operation",
    [
        node("n", locked=True),
        update("a", locked=True),
        update("fixed", locked=False),
        {"op": "replace_diagram", "nodes": [{"id": "n", "type": "api", "label": "N", "locked": True}], "edges": []},
    ],
)
def test_the_assistant_may_not_lock_or_unlock(operation: Op) -> None:
    """`lock_forbidden` for everyone but a person."""
    assert only_problem(shop(), operation, by_person=False).code == "lock_forbidden"


def test_overlap() -> None:
    """Text that this batch wrote is not found again, and a section that it wrote into is not replaced."""
    first = edit_section("# Shop", "beta", "new")
    for second in (
        edit_section("# Shop", "new", "new"),
        edit_section("# Shop", "new alpha", "new"),
        {"op": "replace_section", "section": "# Shop", "text": "all"},
    ):
        assert only_problem(shop(), first, second).code == "overlap"
    assert (
        only_problem(shop(), edit_section("# Shop", "beta", ""), edit_section("# Shop", "alpha  alpha", "new")).code
        == "overlap"
    )


def test_stale_base() -> None:
    """A ChangeSet that speaks of text which has changed since its base is refused; elsewhere it is mapped over."""
    workspace = shop()
    start = TEXT.index("beta")
    since = {1: replacing(TEXT, [(start, start + 4, "other")])}
    workspace.document.text = since[1].apply(TEXT)
    inside = {
        "op": "edit_text",
        "changes": replacing(TEXT, [(start + 1, start + 2, "x")]).to_json(),
        "base_revision": 1,
    }
    assert only_problem(workspace, inside, since=since).code == "stale_base"
    both = {**inside, "changes": replacing(TEXT, [(start + 1, start + 2, "x"), (start + 3, start + 4, "y")]).to_json()}
    problem = only_problem(workspace, both, since=since)
    assert f"at {start + 1}, {start + 3} has been changed" in problem.message
    assert len(problem.about) == 2
    late = TEXT.index("late")
    after = {"op": "edit_text", "changes": replacing(TEXT, [(late, late + 4, "later")]).to_json(), "base_revision": 1}
    run(workspace, after, since=since)
    assert workspace.document.text == TEXT.replace("beta", "other").replace("late", "later")


def test_too_costly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work of a search is counted, and has a bound that no clock decides."""
    monkeypatch.setattr("draftsmith.transform.matching.search_range.BUDGET", 50)
    quoted = {"op": "edit_section", "section": "# Shop", "find": "nothing like this is there at all", "replace": ""}
    assert only_problem(shop(), quoted).code == "too_costly"


def test_every_code_of_the_page_has_a_case() -> None:
    """Nothing on the page that no batch can get, and no test for what is not on it."""
    shown = {case[0] for case in (*FORM, *FIT, *LIMITS)}
    by_name = {"limit_operations", "lock_forbidden", "overlap", "stale_base", "too_costly"}
    assert shown | by_name | ELSEWHERE == CODES


# -- several at once -------------------------------------------------------------------------------------------------


def test_all_problems_come_at_once_and_name_their_cause() -> None:
    """Each operation is tried; what follows from an earlier failure says so."""
    batch = [
        node("a"),
        node("n", type="banana"),
        edge("n", "a"),
        update("b", label="fine"),
        {"op": "delete_edge", "source": "n", "target": "a"},
        {"op": "insert_section", "title": "New", "after": "nowhere"},
        {"op": "append_to_section", "section": "New", "text": "x"},
        edge("b", "zzz"),
        {"op": "update_edge", "id": "n--a", "label": "x"},
    ]
    workspace = shop()
    before = canonical(workspace)
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, *batch, revision=2)
    assert canonical(workspace) == before
    found = [(problem.index, problem.code, problem.caused_by) for problem in rejected.value.problems]
    assert found == [
        (0, "node_exists", None),
        (1, "type_unknown", None),
        (2, "node_not_found", 1),
        (4, "node_not_found", 1),
        (5, "section_not_found", None),
        (6, "section_not_found", 5),
        (7, "node_not_found", None),
        (8, "edge_not_found", 2),
    ]
    assert "caused_by" not in rejected.value.problems[0].to_json()
    assert rejected.value.problems[2].to_json()["caused_by"] == 1


def test_candidates_are_what_would_fit() -> None:
    """The nearest ids, types, paths: in the form that can be sent back."""
    workspace = workspace_of(
        node("orders-db", label="Orders DB"), node("cart"), text="intro text\n# Shop\n\n## Risks\n"
    )
    cases: list[tuple[Op, str]] = [
        (update("order-db"), "orders-db"),
        (node("n", type="databse"), "database"),
        (node("Orders DB"), "orders-db"),
        ({"op": "delete_section", "section": "## Riks"}, "# Shop ## Risks"),
        ({"op": "edit_section", "section": "", "find": "Intro", "replace": "x"}, "intro text"),
    ]
    for operation, candidate in cases:
        assert only_problem(workspace, operation).candidates[0] == candidate
    assert only_problem(workspace, node("cart")).candidates == ("cart-2",)


def test_a_defect_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is no refusal still rolls the whole batch back before it is raised."""
    from draftsmith.transform import resolve

    def broken(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setitem(resolve.RESOLVERS, "rename_workspace", broken)
    workspace = shop()
    before = canonical(workspace)
    with pytest.raises(RuntimeError):
        run(
            workspace,
            node("n"),
            edit_section("# Shop", "beta", "new"),
            {"op": "rename_workspace", "name": "X"},
            revision=2,
        )
    assert canonical(workspace) == before


def test_a_change_that_keeps_everything_is_none() -> None:
    """An identity ChangeSet, an equal replacement, an update to what is there: no step."""
    workspace = shop()
    length = of_parts([(len(TEXT) + 1, None)])
    same: list[Op] = [
        {"op": "edit_text", "changes": length.to_json(), "base_revision": 0},
        edit_section("# Shop", "beta", "beta"),
        update("a", label="a", description=None),
        {"op": "replace_document", "text": TEXT},
        {"op": "rename_workspace", "name": "Shop"},
        {"op": "append_to_section", "section": "# Shop", "text": " \n"},
        edit_section("# Shop", "beta", "gamma"),
        {"op": "edit_text", "changes": replacing(TEXT, []).to_json(), "base_revision": 0},
    ]
    assert run(workspace, *same[:6], revision=2).steps == []
    back = {"op": "replace_document", "text": TEXT}
    assert run(workspace, same[6], back, revision=2).steps == []
