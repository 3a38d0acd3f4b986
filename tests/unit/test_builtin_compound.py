"""Compound and odd sentences: each is exactly these operations or refused; what is offered works when it is sent.

Nothing here may be carried out wrongly: one that is refused costs a click, one that is misread costs trust.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.assistant.builtin import Plan, plan
from tests.builders import Op, run
from tests.seeds import examples
from tests.unit.builtin_shop import builtin_shop

UNCLEAR = "name_unclear"

REFUSED: list[tuple[str, str, str]] = [
    # two commands
    (
        "add a postgres database called Ledger and connect Orders to it",
        UNCLEAR,
        "add a postgres database called Ledger; connect Orders to Ledger",
    ),
    ("add a cache and connect it to Orders", UNCLEAR, "add a cache; connect Cache to Orders"),
    ("add a cache and connect to Orders", UNCLEAR, "add a cache connected to Orders"),
    ("add a cache called Hot and remove Cart", UNCLEAR, "add a cache called Hot; remove Cart"),
    ("add a cache and a queue", UNCLEAR, "add a cache; add a queue"),
    ("add a cache, a queue and a database", UNCLEAR, "add a cache; add a queue; add a database"),
    ("ADD A CACHE AND A QUEUE", UNCLEAR, "ADD A CACHE; ADD A QUEUE"),
    ("add Billing, Invoices", UNCLEAR, "add Billing; add Invoices"),
    (
        "add a cache between Cart and Orders and a queue between Orders and Orders DB",
        "joined",
        "add a cache between Cart and Orders; add a queue between Orders and Orders DB",
    ),
    ("rename Cart to Basket and Orders to Jobs", UNCLEAR, "rename Cart to Basket; rename Orders to Jobs"),
    (
        "rename Cart to Basket & connect Basket to Batch 2",
        UNCLEAR,
        "rename Cart to Basket; connect Basket to Batch 2",
    ),
    ("Rename Cart To Basket And Remove Orders", UNCLEAR, "Rename Cart To Basket; Remove Orders"),
    ("connect Cart to Orders DB and Batch 2", "joined", "connect Cart to Orders DB; connect Cart to Batch 2"),
    ("connect Cart and Batch 2 to Orders DB", "joined", "connect Cart to Orders DB; connect Batch 2 to Orders DB"),
    ("connect Cart to Orders DB and remove Batch 2", "joined", "connect Cart to Orders DB; remove Batch 2"),
    (
        "connect Web shop to Search and Browse and Cart",
        "joined",
        "connect Web shop to Search and Browse; connect Web shop to Cart",
    ),
    ("Orders calls Cart and Batch 2", "joined", "Orders calls Cart; Orders calls Batch 2"),
    (
        "Cart publishes to Event stream and Batch 2 subscribes to it",
        "joined",
        'Cart publishes to Event stream; Batch 2 subscribes to "Event stream"',
    ),
    (
        "remove Cart and Batch 2 and connect Orders to Web shop",
        "joined",
        "remove Cart and Batch 2; connect Orders to Web shop",
    ),
    (
        "replace Orders DB with MongoDB and Cart with Redis",
        UNCLEAR,
        "replace Orders DB with MongoDB; replace Cart with Redis",
    ),
    (
        "change the type of Cart to queue and rename Orders to Jobs",
        "joined",
        "change the type of Cart to queue; rename Orders to Jobs",
    ),
    (
        "change the description of Orders to Takes orders and rename Cart to Basket",
        "joined",
        "change the description of Orders to Takes orders; rename Cart to Basket",
    ),
    (
        "group Orders and Cart as Heart and move Batch 2 into it",
        UNCLEAR,
        "group Orders and Cart as Heart; move Batch 2 into Heart",
    ),
    (
        "put Event stream between Orders and Orders DB and remove Cart",
        "joined",
        "put Event stream between Orders and Orders DB; remove Cart",
    ),
    (
        'in section Storage add a bullet "x" and remove Cart',
        "joined",
        'in section Storage add a bullet "x"; remove Cart',
    ),
    (
        'in section Storage add a bullet "x" and "y"',
        "joined",
        'in section Storage add a bullet "x"; in section Storage add a bullet "y"',
    ),
    (
        'in section Storage and Rollout add a bullet "x"',
        "joined",
        'in section Storage add a bullet "x"; in section Rollout add a bullet "x"',
    ),
    ("add a section Costs and Limits", UNCLEAR, "add a section Costs; add a section Limits"),
    (
        "rename section Rollout to Release and remove section Storage",
        UNCLEAR,
        "rename section Rollout to Release; remove section Storage",
    ),
    ("remove section Rollout and Storage", "joined", "remove section Rollout; remove section Storage"),
    ("tidy the diagram and connect Cart to Batch 2", "joined", "tidy the diagram; connect Cart to Batch 2"),
    ("add a cache; connect it to Orders", "pronoun", "add a cache; connect Cache to Orders"),
    ("add a cache, then connect it to Orders", "pronoun", "add a cache, then connect Cache to Orders"),
    ("add a cache; and a queue", "unknown", ""),
    # more than a name
    ("rename Cart to Basket because it is nicer", UNCLEAR, 'rename Cart to "Basket"'),
    ("rename Cart to Basket instead", UNCLEAR, 'rename Cart to "Basket"'),
    ("rename Cart to Basket to be clear", UNCLEAR, 'rename Cart to "Basket to be clear"'),
    ("rename Cart to Basket (it is nicer)", UNCLEAR, 'rename Cart to "Basket (it is nicer)"'),
    ("rename Cart to Basket.Remove Orders", UNCLEAR, 'rename Cart to "Basket.Remove Orders"'),
    ("rename Cart to Basket remove Orders", UNCLEAR, 'rename Cart to "Basket remove Orders"'),
    ("rename Cart to it", UNCLEAR, 'rename Cart to "it"'),
    ("rename Cart to the one big basket we all share", UNCLEAR, 'rename Cart to "the one big basket we all share"'),
    ("add a service called Billing that stores bills", UNCLEAR, 'add a service called "Billing"'),
    (
        "add a service called Billing, connected to Orders",
        UNCLEAR,
        'add a service called "Billing" connected to Orders',
    ),
    ("add a database with replicas called Ledger", UNCLEAR, 'add a database called "Ledger"'),
    ("add a service Billing", UNCLEAR, 'add a service called "Billing"'),
    ("add a cache for Orders", UNCLEAR, "add a cache connected to Orders"),
    ("add a cache in Core", UNCLEAR, "add a cache to group Core"),
    ("add a cache left of Orders", UNCLEAR, 'add "cache left of Orders"'),
    ("add a cache unless there is one", UNCLEAR, "add a cache"),
    ("add a cache und a queue", UNCLEAR, 'add "cache und a queue"'),
    ("add another", UNCLEAR, ""),
    ("replace Orders DB with MongoDB because it scales", UNCLEAR, 'replace Orders DB with "MongoDB"'),
    ("replace Cart with something faster", UNCLEAR, 'replace Cart with "something faster"'),
    (
        "change the technology of Orders to Go and Postgres",
        UNCLEAR,
        'change the technology of Orders to "Go and Postgres"',
    ),
    (
        "change the description of Orders to Takes orders because it must",
        "unquoted",
        "change the description of Orders to Takes orders",
    ),
    ("connect Cart to Orders DB because it needs rows", "not_found", "connect Cart to Orders DB"),
    # how many
    ("add two caches", UNCLEAR, "add a cache"),
    ("add 3 services", UNCLEAR, "add a service"),
    ("add several caches", UNCLEAR, "add a cache"),
    ("add a couple of queues", UNCLEAR, "add a queue"),
    ("add a second cache", UNCLEAR, "add a cache"),
    ("add caches", UNCLEAR, "add a cache"),
    ("put two caches between Cart and Orders", UNCLEAR, ""),
    ("replace Cart with two services", UNCLEAR, "replace Cart with a service"),
    ("add no cache", UNCLEAR, ""),
    (
        "replace Orders DB with a MongoDB cluster of three nodes",
        UNCLEAR,
        'replace Orders DB with "MongoDB cluster of three nodes"',
    ),
    ("add monitoring (Prometheus, Grafana)", UNCLEAR, 'add "monitoring (Prometheus, Grafana)"'),
    # what is no node
    ("add a section about backups", UNCLEAR, 'add a section "Backups"'),
    ("add a section", UNCLEAR, ""),
    ("add a section into Storage", UNCLEAR, ""),
    ('add a section Costs "None yet."', UNCLEAR, 'add a section "Costs"'),
    ("add a section Costs after Storage because it matters", "section_not_found", "add a section Costs after Storage"),
    ("add a connection between Cart and Batch 2", UNCLEAR, 'connect "Cart" to "Batch 2"'),
    ('add a bullet "x" to section Storage', UNCLEAR, 'in section "Storage" add a bullet "x"'),
    ("add a description", UNCLEAR, ""),
    # the opposite
    ("do not remove Cart", "unknown", ""),
    ("remove Cart and not Orders", "not_found", ""),
    ("move Cart and Orders, but not Batch 2, into Core", "not_found", ""),
    ("Cart no longer calls Orders", "not_found", ""),
    # connections
    ('label the connection from Cart to Orders "x"', "ambiguous", ""),
    ('label the connection from Orders to Event stream "order.*"', "same", ""),
    (
        "label the connection from Orders to Event stream order events",
        "unquoted",
        'label the connection from Orders to Event stream "order events"',
    ),
    (
        'label the connection from Event stream to Orders "x"',
        "not_connected",
        'reverse the connection from "Orders" to "Event stream"',
    ),
    (
        "change the kind of the connection from Orders to Event stream to banana",
        "kind_unknown",
        "change the kind of the connection from Orders to Event stream to sync",
    ),
    (
        "change the direction of the connection from Orders to Event stream to backwards",
        "direction_unknown",
        "change the direction of the connection from Orders to Event stream to both",
    ),
    # what is asked for is not a command
    ("tidy", "unknown", "tidy the diagram"),
    ("can you tidy up", "unknown", "tidy the diagram"),
    ("tidy everything up", "unknown", "tidy everything"),
    ("show me the databases", "unknown", "show all databases"),
    (
        'replace "kept" with "held" in section Storage',
        "not_found",
        'in section "Storage" change "kept" to "held"',
    ),
]

ASKED: list[tuple[str, str, str]] = [
    ("what calls Orders and Cart", "joined", "what calls Orders; what calls Cart"),
    ("what calls Orders and what depends on Cart", "joined", "what calls Orders; what depends on Cart"),
    ("describe Orders and Cart", "joined", "describe Orders; describe Cart"),
    ("who uses Orders and Cart", "joined", "who uses Orders; who uses Cart"),
    ("list all databases and caches", "joined", ""),
    ("which databases and caches are there", "joined", "which databases are there; which caches are there"),
    (
        "how many databases and caches are there",
        "joined",
        "how many databases are there; how many caches are there",
    ),
    ("list all slow databases", "type_unknown", "list all databases"),
    ("list non Redis services", "type_unknown", ""),
    ("list everything with Kafka and Redis", UNCLEAR, ""),
    ("what about the caches", "unknown", "which caches are there"),
    ("tidy", "unknown", ""),
]

DONE: list[tuple[str, list[Op]]] = [
    ("rename Search and Browse to Find", [{"op": "update_node", "id": "search", "label": "Find"}]),
    (
        "rename Cart to Search and Browse archive",
        [{"op": "update_node", "id": "cart", "label": "Search and Browse archive"}],
    ),
    (
        'rename Cart to "Basket because it is nicer"',
        [{"op": "update_node", "id": "cart", "label": "Basket because it is nicer"}],
    ),
    ("rename Cart to CI/CD", [{"op": "update_node", "id": "cart", "label": "CI/CD"}]),
    ("rename Cart to R&D", [{"op": "update_node", "id": "cart", "label": "R&D"}]),
    ("rename Cart to Sign-in", [{"op": "update_node", "id": "cart", "label": "Sign-in"}]),
    ("rename Cart to IT", [{"op": "update_node", "id": "cart", "label": "IT"}]),
    ("rename Cart to Point of Sale", [{"op": "update_node", "id": "cart", "label": "Point of Sale"}]),
    ("rename Cart to add_to_cart", [{"op": "update_node", "id": "cart", "label": "add_to_cart"}]),
    ('add "two caches"', [{"op": "add_node", "type": "cache", "label": "two caches"}]),
    (
        'add a service called "Terms and Conditions"',
        [{"op": "add_node", "type": "service", "label": "Terms and Conditions"}],
    ),
    ("add users", [{"op": "add_node", "type": "user", "label": "Users"}]),
    ("add a 3rd party API", [{"op": "add_node", "type": "api", "label": "3rd Party API"}]),
    ("remove Search and Browse and Cart", [{"op": "delete_nodes", "ids": ["search", "cart"]}]),
    ("remove Cart and bridge it", [{"op": "delete_node", "id": "cart", "bridge": True}]),
    ('connect Cart to Connect to "Bank"', [{"op": "add_edge", "source": "cart", "target": "bank"}]),
    (
        "rename Cart to Basket, then connect Basket to Batch 2",
        [
            {"op": "update_node", "id": "cart", "label": "Basket"},
            {"op": "add_edge", "source": "cart", "target": "batch"},
        ],
    ),
    (
        "rename section Risks and Gaps to Risks",
        [{"op": "rename_section", "section": "# Shop ## Risks and Gaps", "title": "Risks"}],
    ),
    ('add a section "about backups"', [{"op": "insert_section", "title": "about backups"}]),
    ("add a section About", [{"op": "insert_section", "title": "About"}]),
    ("create a section Costs", [{"op": "insert_section", "title": "Costs"}]),
    (
        "change the description of Orders to Takes orders",
        [{"op": "update_node", "id": "orders", "description": "Takes orders"}],
    ),
    ("change the technology of Orders to C++", [{"op": "update_node", "id": "orders", "technology": "C++"}]),
]


def refusal_of(sentence: str, *, may_edit: bool) -> tuple[str, tuple[str, ...]]:
    """The kind, and what is offered; each offered sentence is planned and fits."""
    workspace = builtin_shop()
    made = plan(sentence, workspace, may_edit=may_edit)
    assert made.refusal is not None, made.calls
    assert made.calls == ()
    assert len(set(made.refusal.suggestions)) == 2
    for offered in made.refusal.suggestions:
        again = plan(offered, workspace, may_edit=may_edit)
        assert again.refusal is None, offered
        for tool, given_ in again.calls:
            if tool.startswith("edit_"):
                run(builtin_shop(), *given_["operations"], by_person=False)
    return made.refusal.kind, made.refusal.suggestions


@pytest.mark.parametrize("sentence,kind,offered", REFUSED, ids=[row[0] for row in REFUSED])
def test_a_compound_command_is_refused_and_offered_put_right(sentence: str, kind: str, offered: str) -> None:
    """Nothing is done; the kind is told, and what is offered first is what was meant."""
    found, suggestions = refusal_of(sentence, may_edit=True)
    assert found == kind
    assert not offered or suggestions[0] == offered


@pytest.mark.parametrize("sentence,kind,offered", ASKED, ids=[row[0] for row in ASKED])
def test_a_compound_question_is_refused_and_offered_put_right(sentence: str, kind: str, offered: str) -> None:
    """A question about two things is not answered about one of them."""
    found, suggestions = refusal_of(sentence, may_edit=False)
    assert found == kind
    assert not offered or suggestions[0] == offered


@pytest.mark.parametrize("sentence,operations", DONE, ids=[row[0] for row in DONE])
def test_names_that_hold_such_words_still_work(sentence: str, operations: list[Op]) -> None:
    """Names that are there, names in quotation marks, and signs within a word are no compound sentences."""
    made = plan(sentence, builtin_shop(), may_edit=True)
    assert made.refusal is None
    assert made.calls[0][1]["operations"] == operations


def test_an_unclear_name_is_offered_split_and_in_quotation_marks() -> None:
    """Both readings are offered, so that one click says which is meant."""
    for sentence, offered in (
        ("add a cache and a queue", ("add a cache; add a queue", 'add "cache and a queue"')),
        (
            "add a postgres database called Ledger and connect Orders to it",
            (
                "add a postgres database called Ledger; connect Orders to Ledger",
                'add a postgres database called "Ledger and connect Orders to it"',
            ),
        ),
        ("add two caches", ("add a cache", 'add "two caches"')),
        ("add a section about backups", ('add a section "Backups"', 'add a section "about backups"')),
    ):
        assert refusal_of(sentence, may_edit=True)[1] == offered


def test_no_clause_is_left_out_of_what_is_offered() -> None:
    """Where the second of two sentences is refused, the first alone is not what was meant."""
    for sentence in (
        "remove Cart; rename Cart to Basket",
        "ungroup Core; connect Ledger to Cart",
        "add a cache; make it",
    ):
        for offered in refusal_of(sentence, may_edit=True)[1]:
            assert not offered.endswith("; "), offered


def test_what_says_not_is_never_offered_as_its_opposite() -> None:
    """Of a sentence that says not to, nothing is offered that does it."""
    for sentence in ("do not remove Cart", "Cart no longer calls Orders", "don't rename Cart to Basket"):
        for offered in refusal_of(sentence, may_edit=True)[1]:
            assert not offered.startswith(("remove", "rename", '"Cart" calls', "Cart calls")), offered


@pytest.mark.parametrize("may_edit", [True, False])
@pytest.mark.parametrize("sentence", ["help", "what can you do?", "Help me!", "which commands are there"])
def test_help_lists_the_forms(sentence: str, may_edit: bool) -> None:
    """Who asks for help is told the forms that can be used there, and no others."""
    made = plan(sentence, builtin_shop(), may_edit=may_edit)
    assert made.refusal is not None
    assert made.refusal.kind == "help"
    assert ("rename … to …" in made.refusal.reason) == may_edit
    assert ("what breaks if … fails" in made.refusal.reason) != may_edit
    assert "list …" in made.refusal.reason
    assert len(made.refusal.suggestions) == 2


@pytest.mark.parametrize(
    "sentence", ["undo", "Undo that.", "please undo the last change", "take it back", "how do I undo"]
)
def test_undo_is_told_where_it_is(sentence: str) -> None:
    """Undo is no command; the answer names the key and the history."""
    made = plan(sentence, builtin_shop(), may_edit=True)
    assert made.refusal is not None
    assert made.refusal.kind == "undo"
    assert "Ctrl+Z" in made.refusal.reason
    assert "history" in made.refusal.reason


def test_what_is_offered_shares_a_verb_or_a_thing() -> None:
    """Similar letters are no reason to offer a form; where nothing is shared, the forms are listed."""
    for sentence, shared in (
        ("make Orders scale", "Orders"),
        ("give me all the caches", "caches"),
        ("the connection between Cart and Orders is slow", "connection"),
        ("write a paragraph into Storage", "paragraph"),
    ):
        made = plan(sentence, builtin_shop(), may_edit=True)
        assert made.refusal is not None
        assert shared in made.refusal.suggestions[0], made.refusal
        assert "These I know" not in made.refusal.reason
    verb = plan("rename everything nicely", builtin_shop(), may_edit=True).refusal
    assert verb is not None
    assert "rename … to …" in verb.reason.partition("Forms like it: ")[2], "it names nothing that could be renamed"
    lost = plan("frobnicate", builtin_shop(), may_edit=True).refusal
    assert lost is not None
    listed = lost.reason.partition("These I know: ")[2].removesuffix(".").split("; ")
    assert {"add …", "put … between … and …", "connect … to …", "tidy the diagram"} <= set(listed)


JOINTS = (" and ", ", and ", " and also ", ", ", " & ", " but ", " plus ", " that ", " which ", " because ", " so ")
CLAUSES = (
    "connect Orders to it", "connect it to Cart", "remove Cart", "rename Cart to Basket", "it is faster", "a queue",
    "two queues", "Orders needs it", "tidy the diagram", "move it into Core", "a queue between Cart and Orders",
    'in section Storage add a bullet "x"', "connect Cart to Batch 2", "add a queue", "add a queue called Jobs",
    "Orders calls it", "a section Costs", "add a section Costs", "then remove Orders", "is connected to Orders",
)  # fmt: skip
THINGS = st.sampled_from([
    "cache", "Redis cache", "service called Billing", "Postgres database called Ledger", "Billing", "rate limiter",
    "group called Back office", "mobile app called Scanner", "service", "message queue", "worker called Night shift",
])  # fmt: skip
ARTICLES = st.sampled_from(["a ", "an ", "the ", "another ", "one ", ""])


def labels_of(made: Plan) -> list[str]:
    """The labels of all nodes that a plan would make."""
    operations = [one for _, given_ in made.calls for one in given_.get("operations", ())]
    shapes = [one["node"] if isinstance(one.get("node"), dict) else one for one in operations]
    return [str(shape["label"]) for shape in shapes if "label" in shape]


@settings(max_examples=examples(150), deadline=None)
@given(
    st.sampled_from(["add ", "create ", "Add ", "please add "]),
    ARTICLES,
    THINGS,
    st.sampled_from(JOINTS),
    st.lists(st.sampled_from(CLAUSES), min_size=1, max_size=2, unique=True),
    st.sampled_from(["", ".", " please", "!"]),
)
def test_no_second_clause_becomes_a_part_of_a_name(
    verb: str, article: str, thing: str, joint: str, more: list[str], end: str
) -> None:
    """Where "add a X" has any second clause joined to it, it is never one node whose name holds the clause."""
    second = joint.join(more)
    made = plan(f"{verb}{article}{thing}{joint}{second}{end}", builtin_shop(), may_edit=True)
    for label in labels_of(made):
        folded = label.casefold()
        assert joint.strip() not in folded.split(), label
        assert not any(clause.casefold() in folded for clause in more), label
    if made.refusal is not None:
        for offered in made.refusal.suggestions:
            assert plan(offered, builtin_shop(), may_edit=True).refusal is None, offered
