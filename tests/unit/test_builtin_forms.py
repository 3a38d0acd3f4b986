"""Every form of command: the batch it becomes, and that the executor takes it; every form of question: its call."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.assistant.builtin import plan
from tests.builders import Op, assert_sound, canonical, run
from tests.unit.builtin_shop import builtin_shop

EDITS: list[tuple[str, str, list[Op]]] = [
    (
        "add a Redis cache",
        "edit_diagram",
        [{"op": "add_node", "type": "cache", "label": "Redis Cache", "technology": "Redis"}],
    ),
    (
        "add an oracle database called Ledger",
        "edit_diagram",
        [{"op": "add_node", "type": "database", "label": "Ledger", "technology": "Oracle"}],
    ),
    (
        "Please add another Redis cache called Orders.",
        "edit_diagram",
        [{"op": "add_node", "type": "cache", "label": "Orders 2", "technology": "Redis"}],
    ),
    (
        "add a rate limiter to group Core",
        "edit_diagram",
        [{"op": "add_node", "type": "service", "label": "Rate Limiter", "parent": "core"}],
    ),
    (
        'create a service called "Search, then Find" near Cart',
        "edit_diagram",
        [{"op": "add_node", "type": "service", "label": "Search, then Find", "near": "cart"}],
    ),
    (
        "add a Redis cache connected to Orders",
        "edit_diagram",
        [
            {"op": "add_node", "id": "redis-cache", "type": "cache", "label": "Redis Cache", "technology": "Redis"},
            {"op": "add_edge", "source": "orders", "target": "redis-cache"},
        ],
    ),
    (
        "add a mobile app called Scanner connected to API gateway",
        "edit_diagram",
        [
            {"op": "add_node", "id": "scanner", "type": "mobile", "label": "Scanner"},
            {"op": "add_edge", "source": "scanner", "target": "gateway"},
        ],
    ),
    ("add a group called Back office", "edit_diagram", [{"op": "add_node", "type": "group", "label": "Back office"}]),
    (
        "add a Redis cache between Orders and Orders DB",
        "edit_diagram",
        [
            {
                "op": "insert_between",
                "source": "orders",
                "target": "orders-db",
                "node": {"type": "cache", "label": "Redis Cache", "technology": "Redis"},
            }
        ],
    ),
    (
        "put a retry queue between Cart and Orders",
        "edit_diagram",
        [
            {"op": "add_node", "id": "retry-queue", "type": "queue", "label": "Retry Queue", "near": "cart"},
            {"op": "rewire_edge", "id": "cart--orders", "new_target": "retry-queue"},
            {"op": "add_edge", "source": "retry-queue", "target": "orders", "label": "check out"},
            {"op": "rewire_edge", "id": "cart--orders-2", "new_target": "retry-queue"},
            {"op": "add_edge", "source": "retry-queue", "target": "orders", "label": "notify", "kind": "async"},
        ],
    ),
    (
        "put Event stream between Orders and Orders DB",
        "edit_diagram",
        [{"op": "insert_between", "source": "orders", "target": "orders-db", "node": "events"}],
    ),
    (
        "add a mailer between Web shop and Batch 2",
        "edit_diagram",
        [
            {"op": "add_node", "id": "mailer", "type": "service", "label": "Mailer", "near": "web"},
            {"op": "add_edge", "source": "web", "target": "mailer"},
            {"op": "add_edge", "source": "mailer", "target": "batch"},
        ],
    ),
    (
        "add a rate limiter in front of Orders",
        "edit_diagram",
        [
            {"op": "add_node", "id": "rate-limiter", "type": "service", "label": "Rate Limiter", "near": "orders"},
            {"op": "rewire_edge", "id": "cart--orders", "new_target": "rate-limiter"},
            {"op": "rewire_edge", "id": "cart--orders-2", "new_target": "rate-limiter"},
            {"op": "rewire_edge", "source": "gateway", "target": "orders", "new_target": "rate-limiter"},
            {"op": "add_edge", "source": "rate-limiter", "target": "orders"},
        ],
    ),
    (
        "add an audit log after Web shop",
        "edit_diagram",
        [
            {"op": "add_node", "id": "audit-log", "type": "service", "label": "Audit Log", "near": "web"},
            {"op": "rewire_edge", "source": "web", "target": "gateway", "new_source": "audit-log"},
            {"op": "add_edge", "source": "web", "target": "audit-log"},
        ],
    ),
    ("connect Cart to Orders DB", "edit_diagram", [{"op": "add_edge", "source": "cart", "target": "orders-db"}]),
    (
        'connect the cart service to event stream with label "items; then totals" as async',
        "edit_diagram",
        [{"op": "add_edge", "source": "cart", "target": "events", "label": "items; then totals", "kind": "async"}],
    ),
    (
        'connect Web shop to Connect to "Bank" as a dependency',
        "edit_diagram",
        [{"op": "add_edge", "source": "web", "target": "bank", "kind": "dependency"}],
    ),
    (
        "Search and Browse calls Orders",
        "edit_diagram",
        [{"op": "add_edge", "source": "search", "target": "orders", "label": "calls"}],
    ),
    (
        "Batch 2 reads from Orders DB",
        "edit_diagram",
        [{"op": "add_edge", "source": "batch", "target": "orders-db", "label": "reads", "kind": "data"}],
    ),
    (
        "Cart writes to Orders DB",
        "edit_diagram",
        [{"op": "add_edge", "source": "cart", "target": "orders-db", "label": "writes", "kind": "data"}],
    ),
    (
        "Cart publishes to Event stream",
        "edit_diagram",
        [{"op": "add_edge", "source": "cart", "target": "events", "label": "publishes", "kind": "async"}],
    ),
    (
        "Batch 2 subscribes to Event stream",
        "edit_diagram",
        [{"op": "add_edge", "source": "batch", "target": "events", "label": "subscribes", "kind": "async"}],
    ),
    (
        "disconnect Orders from Orders DB",
        "edit_diagram",
        [{"op": "delete_edge", "source": "orders", "target": "orders-db"}],
    ),
    (
        "remove the connection between Cart and Orders",
        "edit_diagram",
        [{"op": "delete_edge", "id": "cart--orders"}, {"op": "delete_edge", "id": "cart--orders-2"}],
    ),
    (
        "delete the connection from Orders to Event stream",
        "edit_diagram",
        [{"op": "delete_edge", "source": "orders", "target": "events"}],
    ),
    (
        "reverse the connection from Orders to Event stream",
        "edit_diagram",
        [{"op": "rewire_edge", "source": "orders", "target": "events", "new_source": "events", "new_target": "orders"}],
    ),
    (
        'label the connection from Orders to Event stream "order events"',
        "edit_diagram",
        [{"op": "update_edge", "source": "orders", "target": "events", "label": "order events"}],
    ),
    (
        'label the connection from orders to evnt stream as "order events"',
        "edit_diagram",
        [{"op": "update_edge", "source": "orders", "target": "events", "label": "order events"}],
    ),
    (
        'connect Cart to Batch 2; set the label of the connection from Cart to Batch 2 to "nightly"',
        "edit_diagram",
        [
            {"op": "add_edge", "source": "cart", "target": "batch"},
            {"op": "update_edge", "source": "cart", "target": "batch", "label": "nightly"},
        ],
    ),
    (
        "change the kind of the connection from Orders to Event stream to data",
        "edit_diagram",
        [{"op": "update_edge", "source": "orders", "target": "events", "kind": "data"}],
    ),
    (
        "set the type of the connection from Web shop to API gateway to a dependency",
        "edit_diagram",
        [{"op": "update_edge", "source": "web", "target": "gateway", "kind": "dependency"}],
    ),
    (
        "change the direction of the connection from Orders to Event stream to both ways",
        "edit_diagram",
        [{"op": "update_edge", "source": "orders", "target": "events", "direction": "both"}],
    ),
    (
        'rename Search and Browse to "Find and Look"',
        "edit_diagram",
        [{"op": "update_node", "id": "search", "label": "Find and Look"}],
    ),
    ("rename cart to Basket", "edit_diagram", [{"op": "update_node", "id": "cart", "label": "Basket"}]),
    (
        "change the type of Batch 2 to scheduler",
        "edit_diagram",
        [{"op": "update_node", "id": "batch", "type": "scheduler"}],
    ),
    (
        'set the technology of Orders to "Go 1.24; net/http"',
        "edit_diagram",
        [{"op": "update_node", "id": "orders", "technology": "Go 1.24; net/http"}],
    ),
    (
        'change the description of Orders to "Takes orders. Then tells everybody."',
        "edit_diagram",
        [{"op": "update_node", "id": "orders", "description": "Takes orders. Then tells everybody."}],
    ),
    ("remove Cart", "edit_diagram", [{"op": "delete_node", "id": "cart"}]),
    ("remove Cart and bridge it", "edit_diagram", [{"op": "delete_node", "id": "cart", "bridge": True}]),
    ("remove Cart without bridging", "edit_diagram", [{"op": "delete_node", "id": "cart"}]),
    (
        'delete "Cart", Batch 2 and Search and Browse',
        "edit_diagram",
        [{"op": "delete_nodes", "ids": ["cart", "batch", "search"]}],
    ),
    ("remove Core", "edit_diagram", [{"op": "delete_node", "id": "core"}]),
    (
        "replace Orders DB with MongoDB",
        "edit_diagram",
        [{"op": "update_node", "id": "orders-db", "label": "MongoDB", "type": "database", "technology": "MongoDB"}],
    ),
    (
        "replace Event stream by a message queue called Jobs",
        "edit_diagram",
        [{"op": "update_node", "id": "events", "label": "Jobs", "type": "queue", "technology": None}],
    ),
    (
        'group Web shop and Search and Browse as "Shop and search"',
        "edit_diagram",
        [{"op": "group_nodes", "label": "Shop and search", "ids": ["web", "search"]}],
    ),
    ("ungroup Core", "edit_diagram", [{"op": "ungroup_nodes", "id": "core"}]),
    (
        "move Batch 2, replica-a and Web shop into Core",
        "edit_diagram",
        [{"op": "move_to_group", "ids": ["batch", "replica-a", "web"], "group": "core"}],
    ),
    (
        "move Orders and Cart out of their group",
        "edit_diagram",
        [{"op": "move_to_group", "ids": ["orders", "cart"], "group": None}],
    ),
    ("move Cart out of Core", "edit_diagram", [{"op": "move_to_group", "ids": ["cart"], "group": None}]),
    ("lay out the diagram", "edit_diagram", [{"op": "layout_diagram", "scope": "all"}]),
    ("tidy up everything", "edit_diagram", [{"op": "layout_diagram", "scope": "all"}]),
    (
        "add a Postgres database called Ledger; connect Orders to Ledger, then Batch 2 reads from Ledger",
        "edit_diagram",
        [
            {"op": "add_node", "type": "database", "label": "Ledger", "technology": "PostgreSQL", "id": "ledger"},
            {"op": "add_edge", "source": "orders", "target": "ledger"},
            {"op": "add_edge", "source": "batch", "target": "ledger", "label": "reads", "kind": "data"},
        ],
    ),
    (
        "group Orders and Cart as Heart\nmove Batch 2 into Heart",
        "edit_diagram",
        [
            {"op": "group_nodes", "label": "Heart", "ids": ["orders", "cart"], "id": "heart"},
            {"op": "move_to_group", "ids": ["batch"], "group": "heart"},
        ],
    ),
    (
        "rename Cart to Basket. Connect Basket to Batch 2.",
        "edit_diagram",
        [
            {"op": "update_node", "id": "cart", "label": "Basket"},
            {"op": "add_edge", "source": "cart", "target": "batch"},
        ],
    ),
    (
        'in section Storage change "30 seconds" to "20 seconds"',
        "edit_document",
        [{"op": "edit_section", "section": "# Shop ## Storage", "find": "30 seconds", "replace": "20 seconds"}],
    ),
    (
        'in Storage, replace all "kept" with "stored"',
        "edit_document",
        [{"op": "edit_section", "section": "# Shop ## Storage", "find": "kept", "replace": "stored", "all": True}],
    ),
    (
        'in section Storage add a bullet "Keys rotate; then expire."',
        "edit_document",
        [{"op": "append_to_section", "section": "# Shop ## Storage", "text": "* Keys rotate; then expire."}],
    ),
    (
        'in section Risks and Gaps add a bullet "No \nsecond bank."',
        "edit_document",
        [{"op": "append_to_section", "section": "# Shop ## Risks and Gaps", "text": "3. No \n   second bank."}],
    ),
    (
        'in the section Rollout add a bullet "Then the world."',
        "edit_document",
        [{"op": "append_to_section", "section": "# Shop ## Rollout", "text": "- Then the world."}],
    ),
    (
        'in section Retention add a paragraph "Except for audits."',
        "edit_document",
        [{"op": "append_to_section", "section": "# Shop ## Storage ### Retention", "text": "Except for audits."}],
    ),
    ("add a section Open questions", "edit_document", [{"op": "insert_section", "title": "Open questions"}]),
    (
        'add section "Costs and limits" after Storage with text "None yet."',
        "edit_document",
        [{"op": "insert_section", "title": "Costs and limits", "after": "# Shop ## Storage", "text": "None yet."}],
    ),
    (
        "add a section called Scope before Rollout",
        "edit_document",
        [{"op": "insert_section", "title": "Scope", "before": "# Shop ## Rollout"}],
    ),
    (
        "add a section Keys into Storage",
        "edit_document",
        [{"op": "insert_section", "title": "Keys", "into": "# Shop ## Storage"}],
    ),
    ("remove section Rollout", "edit_document", [{"op": "delete_section", "section": "# Shop ## Rollout"}]),
    (
        "rename section Risks and Gaps to Risks",
        "edit_document",
        [{"op": "rename_section", "section": "# Shop ## Risks and Gaps", "title": "Risks"}],
    ),
    (
        "move section Rollout before Storage",
        "edit_document",
        [{"op": "move_section", "section": "# Shop ## Rollout", "before": "# Shop ## Storage"}],
    ),
    (
        "move section Retention after Rollout",
        "edit_document",
        [{"op": "move_section", "section": "# Shop ## Storage ### Retention", "after": "# Shop ## Rollout"}],
    ),
    (
        "move the section Orders under Storage",
        "edit_document",
        [{"op": "move_section", "section": "# Shop ## Orders", "into": "# Shop ## Storage"}],
    ),
    (
        'add a section Costs; in section Costs add a bullet "Low."; rename Cart to Basket',
        "edit_diagram",
        [
            {"op": "insert_section", "title": "Costs"},
            {"op": "append_to_section", "section": "# Shop ## Costs", "text": "- Low."},
            {"op": "update_node", "id": "cart", "label": "Basket"},
        ],
    ),
]

QUESTIONS: list[tuple[str, bool, list[tuple[str, Op]]]] = [
    ("what calls Orders", False, [("neighbours", {"id": "orders", "direction": "in", "depth": 1})]),
    ("who uses Orders", False, [("neighbours", {"id": "orders", "direction": "both", "depth": 1})]),
    ("what does Orders use", False, [("neighbours", {"id": "orders", "direction": "both", "depth": 1})]),
    ("which databases are there", True, [("find_nodes", {"types": ["database"], "limit": 200})]),
    ("list all message queues", False, [("find_nodes", {"types": ["queue"], "limit": 200})]),
    ("what does Orders call", False, [("neighbours", {"id": "orders", "direction": "out", "depth": 1})]),
    ("what depends on the orders db", False, [("neighbours", {"id": "orders-db", "direction": "in", "depth": 5})]),
    ("what does Web shop depend on", False, [("neighbours", {"id": "web", "direction": "out", "depth": 5})]),
    ("path from Web shop to Orders DB", False, [("paths", {"source": "web", "target": "orders-db"})]),
    ("show me the path from Web shop to Orders DB", False, [("paths", {"source": "web", "target": "orders-db"})]),
    ("what breaks if Orders DB fails?", False, [("impact", {"id": "orders-db"})]),
    ("what happens when Orders is down", False, [("impact", {"id": "orders"})]),
    ("list all databases", False, [("find_nodes", {"types": ["database"], "limit": 200})]),
    ("list everything with Kafka", False, [("find_nodes", {"technology": "Kafka", "limit": 200})]),
    ("list all Kafka streams", False, [("find_nodes", {"types": ["stream"], "technology": "Kafka", "limit": 200})]),
    ("find services", False, [("find_nodes", {"types": ["service"], "limit": 200})]),
    ("what is unconnected", False, [("check_diagram", {})]),
    ("which nodes are not connected", False, [("check_diagram", {})]),
    ("what is in group Core", False, [("find_nodes", {"group": "core", "limit": 200})]),
    ("describe Search and Browse", False, [("read_nodes", {"ids": ["search"]})]),
    ("show section Storage", False, [("read_section", {"section": "# Shop ## Storage"})]),
    ("how many nodes are there", False, [("find_nodes", {"limit": 1})]),
    ("how many databases", False, [("find_nodes", {"types": ["database"], "limit": 1})]),
    ("check the diagram", False, [("check_diagram", {})]),
    (
        "what calls Orders; what is unconnected",
        False,
        [("neighbours", {"id": "orders", "direction": "in", "depth": 1}), ("check_diagram", {})],
    ),
    ("list all databases", True, [("find_nodes", {"types": ["database"], "limit": 200})]),
    ("describe Orders", True, [("read_nodes", {"ids": ["orders"]})]),
    ("show section Storage", True, [("read_section", {"section": "# Shop ## Storage"})]),
]


@pytest.mark.parametrize("sentence,tool,operations", EDITS, ids=[edit[0][:60] for edit in EDITS])
def test_a_command_is_this_batch_and_it_fits(sentence: str, tool: str, operations: list[Op]) -> None:
    """The sentence becomes exactly this batch, explained by itself; the executor takes it, and it changes something."""
    workspace = builtin_shop()
    before = canonical(workspace)
    made = plan(sentence, workspace, may_edit=True)
    assert made.refusal is None
    assert made.calls == [(tool, {"operations": operations, "explanation": sentence})]
    assert all(made.sentences)
    assert canonical(workspace) == before, "planning changes nothing"
    run(workspace, *operations, by_person=False)
    assert_sound(workspace)
    assert canonical(workspace) != before


@pytest.mark.parametrize("sentence,may_edit,calls", QUESTIONS, ids=[f"{q[0][:50]}-{q[1]}" for q in QUESTIONS])
def test_a_question_is_these_calls(sentence: str, may_edit: bool, calls: list[tuple[str, dict[str, Any]]]) -> None:
    """The question becomes calls of reading tools and nothing else."""
    made = plan(sentence, builtin_shop(), may_edit=may_edit)
    assert made.refusal is None
    assert [(name, dict(given)) for name, given in made.calls] == calls
    assert not made.sentences


def test_names_that_are_grammar_are_names() -> None:
    """A node may be called like a word of the grammar; commands without it still work, and with it as well."""
    workspace = builtin_shop()
    run(
        workspace,
        *({"op": "add_node", "type": "service", "label": label} for label in ("to", "and", "Add", "the diagram", "a")),
    )
    for sentence, operations in (
        ("connect Cart to Batch 2", [{"op": "add_edge", "source": "cart", "target": "batch"}]),
        ("connect to to Batch 2", [{"op": "add_edge", "source": "to", "target": "batch"}]),
        ('connect "to" to "and"', [{"op": "add_edge", "source": "to", "target": "and"}]),
        ("remove Add", [{"op": "delete_node", "id": "add"}]),
        ("add a cache between Cart and a", None),
        ("group Cart and Orders as Heart", [{"op": "group_nodes", "label": "Heart", "ids": ["cart", "orders"]}]),
        ("lay out the diagram", [{"op": "layout_diagram", "scope": "all"}]),
    ):
        made = plan(sentence, workspace, may_edit=True)
        assert made.refusal is None, sentence
        assert operations is None or made.calls[0][1]["operations"] == operations, sentence


def test_headings_and_names_that_hold_a_command_hide_none() -> None:
    """A section may be called like a whole command, and a node may have the word for a section in its name."""
    workspace = builtin_shop()
    run(workspace, {"op": "add_node", "type": "user", "label": "Section lead"})
    workspace.document.text += "\n## Remove Cart\n\nSoon.\n"
    for sentence, operation in (
        ("remove Cart", {"op": "delete_node", "id": "cart"}),
        ("remove section Remove Cart", {"op": "delete_section", "section": "# Shop ## Remove Cart"}),
        ("remove Section lead", {"op": "delete_node", "id": "section-lead"}),
    ):
        made = plan(sentence, workspace, may_edit=True)
        assert made.refusal is None, sentence
        assert made.calls[0][1]["operations"] == [operation], sentence


def test_what_was_written_goes_in_as_written() -> None:
    """Names and texts come from what the person wrote: letter case, signs and blanks, though names are found in it."""
    for sentence, value in (
        ("rename Cart to Public API gateway v2", "Public API gateway v2"),
        ("rename Cart to  ORDERS   db archive", "ORDERS   db archive"),
        ('rename Cart to "add a cache; then: remove Orders"', "add a cache; then: remove Orders"),
        ("rename Cart to “Korb für Größen”", "Korb für Größen"),
    ):
        made = plan(sentence, builtin_shop(), may_edit=True)
        assert made.calls[0][1]["operations"] == [{"op": "update_node", "id": "cart", "label": value}], sentence


def test_a_list_goes_on_as_it_is_written() -> None:
    """A bullet takes the marks of the section's list, counts on in a numbered one, and is nothing of a code block."""
    for own, item in (
        ("+ one\n+ two", "+ x"),
        ("1) one\n2) two\n   more", "3) x"),
        ("1. one\n\nThen text.", "- x"),
        ("* one\n    1. inner", "* x"),
        ("```\n* code\n```", "- x"),
        ("", "- x"),
    ):
        workspace = builtin_shop()
        workspace.document.text = f"# Shop\n\n## List\n\n{own}\n"
        made = plan('in section List add a bullet "x"', workspace, may_edit=True)
        assert made.calls[0][1]["operations"][0]["text"] == item, own


def test_names_that_are_nearly_right_are_taken_only_where_nothing_is_lost() -> None:
    """A slip in a name is forgiven when connecting, never when removing, renaming, replacing or disconnecting."""
    made = plan("connect serch and browse to the event streem", builtin_shop(), may_edit=True)
    assert made.calls[0][1]["operations"] == [{"op": "add_edge", "source": "search", "target": "events"}]
    for sentence in (
        "remove event streem",
        "rename event streem to X",
        "replace event streem with Kafka",
        "disconnect event streem from Orders",
        "ungroup coree",
    ):
        refusal = plan(sentence, builtin_shop(), may_edit=True).refusal
        assert refusal is not None
        assert refusal.kind == "inexact", sentence


def test_the_answer_says_which_connections_go() -> None:
    """Removing says what else is lost."""
    says = " ".join(plan("remove Cart", builtin_shop(), may_edit=True).sentences)
    assert "API gateway → Cart" in says
    assert "Cart → Orders (check out)" in says
