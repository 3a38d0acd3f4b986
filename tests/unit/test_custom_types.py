"""Types of nodes of one's own: defined, used, changed and deleted, taken back, carried, shown and found."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from draftsmith.assistant.builtin import plan
from draftsmith.assistant.context.mentions import spoken_of
from draftsmith.assistant.tools.lines import LEGEND, legend, node_line
from draftsmith.assistant.tools.node_search import find_nodes
from draftsmith.assistant.tools.readers import READERS
from draftsmith.errors import BatchRejected
from draftsmith.history.diff import diff_of
from draftsmith.history.record import decode_record
from draftsmith.history.sentences import counts_of, sentence_of
from draftsmith.history.undo_status import undo_status_of
from draftsmith.model.custom_types import CustomType
from draftsmith.model.diagram_text import reader as text_reader
from draftsmith.model.diagram_text.writer import to_text
from draftsmith.model.ids import NodeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.mermaid.writer import to_mermaid
from draftsmith.model.readers import export as export_reader
from draftsmith.model.readers.reading import SourceFile, SourceSet, UnreadableSource
from draftsmith.model.selection import node_page
from draftsmith.model.workspace import Workspace, diagram_json, dump, export_json
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.requests.imported_diagram import ReadDiagram, add_diagram_rows
from draftsmith.transform.requests.imported_rows import ImportRows
from draftsmith.transform.staged_operations import StagedOperation, stage
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.footprint import clashes
from draftsmith.transform.steps.steps import StepConflict, apply, roll_back, step_from_json
from draftsmith.transform.undo.carry import carry
from draftsmith.transform.undo.dependencies import dependencies
from tests.builders import Op, Story, canonical, copy_of, fields, node, refused, run, update, workspace_of

PAYMENT: Op = {"op": "define_type", "id": "payment", "label": "Payment provider", "type": "external"}
MAINFRAME: Op = {"op": "define_type", "id": "mainframe", "label": "Mainframe", "type": "server", "technology": "IBM Z"}
GONE: Op = {"op": "delete_type", "id": "payment"}


@pytest.fixture
def shop() -> Workspace:
    """Two payment providers, one of them called by its type's name, beside a service."""
    return workspace_of(PAYMENT, node("stripe", type="payment"), node("adyen", type="Payment Provider"), node("orders"))


def problem_of(workspace: Workspace, *operations: Op, **options: Any) -> tuple[str, str, tuple[str, ...]]:
    """Code, path and candidates of the only reason why a batch does not fit; nothing of it is left."""
    before = canonical(workspace)
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, *operations, **options)
    assert canonical(workspace) == before
    (problem,) = rejected.value.problems
    return problem.code, problem.path, problem.candidates


def types_of(workspace: Workspace) -> dict[str, tuple[Any, Any]]:
    """Built-in and custom type of each node as stored."""
    return {one: (found["type"], found.get("custom_type")) for one, found in workspace.diagram.nodes().items()}


def shown(workspace: Workspace) -> dict[str, str]:
    """What each node is called a kind of."""
    return {one: workspace.diagram.type_of(one) for one in workspace.diagram.node_ids()}


class TestUsing:
    """A node of a custom type is of its base, and says which one it is."""

    def test_a_workspace_without_types_of_its_own_is_as_it_was(self) -> None:
        """Nothing that is stored, answered or exported has a word of them."""
        workspace = workspace_of(node("orders"))
        stored = orjson.dumps([dump(workspace), diagram_json(workspace.diagram), export_json(workspace)])
        assert b"types" not in stored
        assert b"custom_type" not in stored

    def test_a_type_is_named_by_its_id_or_its_name(self, shop: Workspace) -> None:
        """Letter case, blanks, hyphens and underscores make no difference; the base is what the node is."""
        run(shop, *(update("orders", type=name) for name in ("payment", "PAYMENT  provider", "payment_provider")))
        assert types_of(shop) == dict.fromkeys(("stripe", "adyen", "orders"), ("external", "payment"))
        assert shop.diagram.types == {"payment": {"name": "Payment provider", "base": "external"}}

    def test_a_built_in_type_clears_it_and_the_base_does_too(self, shop: Workspace) -> None:
        """As a page of the last release chooses a type."""
        run(shop, update("stripe", type="external"), update("adyen", type="database"))
        assert types_of(shop) == {
            "stripe": ("external", None), "adyen": ("database", None), "orders": ("service", None)
        }  # fmt: skip

    def test_other_fields_leave_it(self, shop: Workspace) -> None:
        """As a page of the last release renames, colours and moves a node."""
        run(shop, update("stripe", label="Stripe", color="red", position={"x": 3, "y": 4}))
        assert types_of(shop)["stripe"] == ("external", "payment")

    def test_a_batch_defines_a_type_and_uses_it(self) -> None:
        """Also in what comes between two nodes; ids are made of the name, and of the type where a label has none."""
        workspace = workspace_of(node("a"), node("b", 400), {"op": "add_edge", "source": "a", "target": "b"})
        defining = {"op": "define_type", "label": "Data product", "type": "storage", "color": "teal"}
        between = {"op": "insert_between", "source": "a", "target": "b", "node": {"type": "data-product", "label": "!"}}
        run(workspace, defining, between)
        assert types_of(workspace)["data-product-1"] == ("storage", "data-product")
        assert workspace.diagram.types["data-product"] == {"name": "Data product", "base": "storage", "color": "teal"}

    def test_an_unknown_type_is_refused_with_those_there_are(self, shop: Workspace) -> None:
        """The workspace's own among them."""
        code, path, candidates = problem_of(shop, node("x", type="payments"))
        assert (code, path) == ("type_unknown", "/operations/0/type")
        assert "payment" in candidates
        with pytest.raises(BatchRejected, match="1 problem") as rejected:
            run(shop, update("orders", type="bank"))
        assert "payment (“Payment provider”)" in rejected.value.problems[0].message

    def test_a_group_has_none(self, shop: Workspace) -> None:
        """What becomes a group loses it."""
        run(shop, update("stripe", type="group"))
        assert types_of(shop)["stripe"] == ("group", None)
        assert problem_of(shop, PAYMENT | {"type": "group"})[0] == "type_unknown"

    def test_one_that_is_not_defined_or_has_another_base_is_as_if_it_were_absent(self, shop: Workspace) -> None:
        """And counts again where the type comes back."""
        shop.diagram.set_node(NodeId("orders"), {"custom_type": "payment"})
        shop.diagram.set_node(NodeId("adyen"), {"custom_type": "gone"})
        assert shown(shop) == {"stripe": "payment", "adyen": "external", "orders": "service"}
        assert [one.get("custom_type") for one in export_json(shop)["diagram"]["nodes"]] == [None, None, "payment"]
        run(shop, {"op": "define_type", "id": "gone", "label": "Not gone", "type": "external"})
        assert shown(shop)["adyen"] == "gone"


class TestDefining:
    """A type is added, or replaced as a whole."""

    def test_a_type_is_replaced_as_a_whole_and_found_by_its_name(self, shop: Workspace) -> None:
        """Without an id it is the type of that name; what is left out is gone; the same again changes nothing."""
        again = {"op": "define_type", "label": "PAYMENT PROVIDER", "type": "external"}
        tx = run(shop, again | {"technology": "Stripe", "color": "red"})
        looks = {"icon": "Stripe", "color": "red"}
        assert shop.diagram.types == {"payment": {"name": "PAYMENT PROVIDER", "base": "external", **looks}}
        assert [result.ids for result in tx.results] == [["payment"]]
        run(shop, again | {"technology": "", "color": None})
        assert shop.diagram.types == {"payment": {"name": "PAYMENT PROVIDER", "base": "external"}}
        assert run(shop, again).steps == []

    def test_another_base_changes_its_nodes(self, shop: Workspace) -> None:
        """Those that are of it, and no other; also where it goes back in the same batch, which leaves nothing."""
        run(shop, update("adyen", type="database"), node("lost", type="cache"))
        shop.diagram.set_node(NodeId("lost"), {"custom_type": "payment"})
        run(shop, PAYMENT | {"type": "service"})
        assert types_of(shop) == {
            "stripe": ("service", "payment"),
            "adyen": ("database", None),
            "orders": ("service", None),
            "lost": ("cache", "payment"),
        }
        assert run(shop, PAYMENT, PAYMENT | {"type": "service"}).steps == []

    @pytest.mark.parametrize("name", ["Database", "load balancer", "LB", "Container", "Apache Kafka", "micro-service"])
    def test_a_word_for_a_built_in_type_is_no_name_and_no_id(self, shop: Workspace, name: str) -> None:
        """What models write is taken for that type; the answer has a name that is free."""
        code, path, candidates = problem_of(shop, PAYMENT | {"id": "own", "label": name})
        assert (code, path) == ("type_exists", "/operations/0/label")
        run(shop, PAYMENT | {"id": "own", "label": candidates[0]})
        named = name.lower().replace(" ", "-")
        assert problem_of(shop, PAYMENT | {"id": named, "label": "Something else"})[:2] == (
            "type_exists", "/operations/0/id",
        )  # fmt: skip

    @pytest.mark.parametrize("label", ["Payment provider", "payment-provider", "PAYMENT"])
    def test_two_types_cannot_be_called_alike(self, shop: Workspace, label: str) -> None:
        """Nor one as the id of another; the answer has the id of what is there."""
        refusal = problem_of(shop, PAYMENT | {"id": "other", "label": label})
        assert refusal == ("type_exists", "/operations/0/label", ("payment",))

    def test_no_more_than_fifty(self) -> None:
        """One that is there is changed all the same."""
        many = [PAYMENT | {"id": f"own-{number}", "label": f"Own {number}"} for number in range(50)]
        workspace = workspace_of(*many)
        assert problem_of(workspace, PAYMENT)[0] == "limit_types"
        run(workspace, many[7] | {"label": "Renamed"})
        whole = {f"w{number}": {"name": f"W {number}", "base": "other"} for number in range(51)}
        replacing = {"op": "replace_diagram", "nodes": [], "edges": [], "types": whole}
        assert problem_of(workspace, replacing)[:2] == ("limit_types", "/operations/0/types")

    def test_what_is_no_id_and_no_base_is_refused(self, shop: Workspace) -> None:
        """With what would be right."""
        assert problem_of(shop, PAYMENT | {"id": "Pay Me"}) == ("id_invalid", "/operations/0/id", ("pay-me",))
        assert problem_of(shop, MAINFRAME | {"type": "payment"})[:2] == ("type_unknown", "/operations/0/type")
        assert problem_of(shop, GONE | {"id": "paymant"}) == ("type_unknown", "/operations/0/id", ("payment",))
        assert problem_of(shop, GONE | {"id": "database"})[0] == "type_unknown"

    def test_a_locked_node_of_it_refuses_another_base_and_its_deletion(self, shop: Workspace) -> None:
        """Another name, colour or icon changes nothing of the node."""
        run(shop, update("adyen", locked=True))
        assert refused(shop, PAYMENT | {"type": "service"}) == [(0, "locked")]
        assert refused(shop, GONE) == [(0, "locked")]
        run(shop, PAYMENT | {"label": "PSP", "color": "red"})


class TestTakingBack:
    """Undo, redo, restore and what others have done meanwhile."""

    def test_one_undo_gives_the_type_and_its_nodes_back(self) -> None:
        """Of a deletion, of another base, of a definition."""
        story = Story(PAYMENT, node("stripe", type="payment"), node("orders"))
        states = [canonical(story.workspace)]
        for operation in (PAYMENT | {"type": "service"}, GONE, MAINFRAME):
            story.do("ann", operation)
            states.append(canonical(story.workspace))
        for state in states[-2::-1]:
            done = story.undo("ann")
            assert done is not None
            assert done.left_out == []
            assert canonical(story.workspace) == state
        for state in states[1:]:
            story.redo("ann")
            assert canonical(story.workspace) == state
        story.restore("bob", 1)
        assert canonical(story.workspace) == states[0]
        assert canonical(story.at(3)) == states[2]

    def test_an_undo_after_others_have_edited_on_keeps_what_they_did(self) -> None:
        """A node that somebody has made something else meanwhile stays that; a type that was changed since does too."""
        story = Story(PAYMENT, node("stripe", type="payment"), node("adyen", type="payment"))
        story.do("ann", GONE)
        story.do("bob", update("adyen", type="database"), node("klarna", type="external"))
        done = story.undo("ann")
        assert done is not None
        assert [(one["what"], one["ids"]) for one in done.left_out] == []
        assert shown(story.workspace) == {"stripe": "payment", "adyen": "database", "klarna": "external"}
        renamed = story.do("ann", PAYMENT | {"label": "PSP"})
        story.do("bob", PAYMENT | {"label": "Bank"})
        done = story.undo("ann")
        assert done is not None
        assert [one["what"] for one in done.left_out] == ["the type 'payment'"]
        assert story.workspace.diagram.types["payment"]["name"] == "Bank"
        status = undo_status_of(story.log[renamed - 1], story.log[renamed:])
        assert status is None

    def test_a_definition_is_taken_back_under_nodes_that_others_have_made(self) -> None:
        """They are of the base until it comes back."""
        story = Story(node("orders"))
        story.do("ann", PAYMENT)
        story.do("bob", node("stripe", type="payment"))
        story.undo("ann")
        assert shown(story.workspace) == {"orders": "service", "stripe": "external"}
        story.redo("ann")
        assert shown(story.workspace)["stripe"] == "payment"

    def test_what_was_left_out_is_counted(self) -> None:
        """A commit of which the type stayed is undone in part."""
        story = Story(node("orders"))
        made = story.do("ann", PAYMENT, update("orders", label="Orders API"))
        story.do("bob", PAYMENT | {"label": "Bank"})
        story.revert("ann", made)
        status = undo_status_of(story.log[made - 1], story.log[made:])
        assert status is not None
        assert (status.left_out, status.of) == (1, 2)

    def test_history_says_it_in_words(self, shop: Workspace) -> None:
        """By name, also of what is gone; a type and its nodes are counted each."""
        before = copy_of(shop)
        told = []
        for operation in (MAINFRAME, PAYMENT | {"label": "PSP"}, GONE):
            steps = run(shop, operation).steps
            diff = diff_of(steps)
            counts = counts_of(diff)
            told.append((sentence_of(diff, shop.diagram, steps), counts["changed"], counts["removed"]))
            assert set(diff["types"]) == {operation["id"]}
        assert told == [
            ("Added the type Mainframe", 0, 0),
            ("Changed the type PSP", 1, 0),
            ("Deleted the type PSP; changed nodes adyen, stripe", 2, 1),
        ]
        assert "types" not in diff_of(run(before, update("orders", label="O")).steps)
        steps = run(before, update("orders", type="payment")).steps
        assert sentence_of(diff_of(steps), before.diagram, steps) == "Changed type of O"


class TestStep:
    """The step of a type by itself."""

    def test_it_fits_only_over_what_it_knew_and_leads_back(self, shop: Workspace) -> None:
        """Whatever the order of the parts of a definition is."""
        (step,) = run(shop, PAYMENT | {"color": "red"}).steps
        shape = {"k": "type", "id": "payment", "v": [
            {"name": "Payment provider", "base": "external"},
            {"color": "red", "base": "external", "name": "Payment provider"},
        ]}  # fmt: skip
        written = orjson.loads(orjson.dumps(step.to_json()))
        assert step_from_json(written) == step_from_json(shape) == step  # type: ignore[arg-type]
        with pytest.raises(StepConflict, match="the type 'payment' has been changed since"):
            apply(step, shop)
        apply(step.inverse(), shop)
        assert "color" not in shop.diagram.types["payment"]

    @pytest.mark.parametrize("value", [1, "x", [], {"name": "A"}, {"name": 1, "base": "other"}, {"base": "other"}])
    def test_a_damaged_one_is_found_before_it_is_applied(self, value: object) -> None:
        """As a log has it that was written by nobody."""
        for pair in ([None, value], [value, None]):
            with pytest.raises(ValueError, match="damaged step"):
                step_from_json({"k": "type", "id": "a", "v": pair})  # type: ignore[typeddict-item]

    def test_only_what_both_change_clashes(self, shop: Workspace) -> None:
        """Two parts of one definition do not; its end does with whatever uses it."""
        mine = run(shop, PAYMENT | {"color": "red"}).steps
        roll_back(mine, shop)
        cases: list[tuple[Op, list[str]]] = [
            (PAYMENT | {"label": "PSP"}, []), (PAYMENT | {"color": "blue"}, ["color"]), (GONE, [""]), (MAINFRAME, []),
        ]  # fmt: skip
        for operation, wanted in cases:
            theirs = run(shop, operation).steps
            found = [one for one in clashes(mine, [(2, theirs)]) if one["part"] == "type"]
            assert [one["field"] for one in found] == wanted, operation
            roll_back(theirs, shop)


def staged_on(workspace: Workspace, *operations: Op) -> list[StagedOperation]:
    """What operations become that wait for a yes; the workspace is as it was."""
    limits = WorkspaceLimits()
    staged = stage(workspace, parse_batch(list(operations), limits), operations, limits)
    roll_back([step for one in staged for step in one.steps], workspace)
    return staged


class TestProposals:
    """What waits for a yes, and is carried over what others do."""

    def test_what_uses_a_type_comes_with_what_defines_it(self) -> None:
        """A node of it needs the definition; another node does not."""
        staged = staged_on(Workspace(), PAYMENT, node("stripe", type="payment"), node("orders"))
        assert dependencies(staged) == [set(), {0}, set()]

    def test_a_definition_is_carried_unless_somebody_has_changed_it(self, shop: Workspace) -> None:
        """What does not touch it fits, whatever became of it."""
        staged = staged_on(shop, PAYMENT | {"label": "PSP"}, node("klarna", type="payment"))
        run(shop, PAYMENT | {"color": "red"})
        done = carry(shop, staged, [])
        assert [(one.index, one.why) for one in done.clashes] == [(0, "the type 'payment' has been changed since")]
        assert done.indexes == [1]
        assert shown(shop)["klarna"] == "payment"

    def test_a_node_of_a_type_that_went_is_of_its_base(self, shop: Workspace) -> None:
        """It is carried all the same."""
        staged = staged_on(shop, node("klarna", type="payment"))
        run(shop, GONE)
        assert carry(shop, staged, []).clashes == []
        assert shown(shop)["klarna"] == "external"


class TestWhole:
    """Whole diagrams, as they are exported, copied and imported."""

    def test_an_export_makes_the_same_diagram(self, shop: Workspace) -> None:
        """Types and all; once more, nothing changes."""
        run(shop, MAINFRAME)
        exported = orjson.loads(orjson.dumps(export_json(shop)["diagram"]))
        assert exported["types"].keys() == {"payment", "mainframe"}
        again = {"op": "replace_diagram", **exported}
        fresh = workspace_of(again)
        assert export_json(fresh)["diagram"] == export_json(shop)["diagram"]
        assert run(fresh, again).steps == []

    def test_the_base_alone_keeps_it_and_another_type_clears_it(self, shop: Workspace) -> None:
        """As whoever rewrites a diagram without knowing of it; null clears it, too."""
        nodes: list[Op] = [
            {"id": "stripe", "type": "external"},
            {"id": "adyen", "type": "service"},
            {"id": "orders", "type": "payment"},
        ]
        run(shop, {"op": "replace_diagram", "nodes": nodes, "edges": []})
        assert types_of(shop) == {
            "stripe": ("external", "payment"), "adyen": ("service", None), "orders": ("external", "payment")
        }  # fmt: skip
        nodes = [{"id": "stripe", "type": "external", "custom_type": None}, {"id": "adyen", "custom_type": "payment"}]
        run(shop, {"op": "replace_diagram", "nodes": nodes, "edges": []})
        assert types_of(shop) == {"stripe": ("external", None), "adyen": ("external", "payment")}
        assert shop.diagram.types

    def test_given_types_take_the_place_of_those_there_are(self, shop: Workspace) -> None:
        """Names may go from one to another; a node of one that goes is of its base."""
        bank = {"name": "payment", "base": "other"}
        types: Op = {"psp": {"name": "Payment provider", "base": "external"}, "bank": bank}
        nodes: list[Op] = [{"id": "stripe"}, {"id": "adyen", "type": "psp"}]
        run(shop, {"op": "replace_diagram", "nodes": nodes, "edges": [], "types": types})
        assert types_of(shop) == {"stripe": ("external", None), "adyen": ("external", "psp")}
        assert shop.diagram.types == types
        run(shop, {"op": "replace_diagram", "nodes": nodes[:1], "edges": [], "types": {}})
        assert shop.diagram.types == {}

    def test_faults_are_told_where_they_stand(self, shop: Workspace) -> None:
        """A type that nobody defines, a base that is none, two of one name."""
        whole: Op = {"op": "replace_diagram", "nodes": [], "edges": []}
        unknown = {**whole, "nodes": [{"id": "x", "type": "other", "label": "X", "custom_type": "nope"}]}
        assert problem_of(shop, unknown)[:2] == ("type_unknown", "/operations/0/nodes/0/custom_type")
        twice = {**whole, "types": {"a": {"name": "One", "base": "other"}, "b": {"name": "one", "base": "other"}}}
        assert problem_of(shop, twice) == ("type_exists", "/operations/0/types/b/name", ("a",))
        based = {**whole, "types": {"a": {"name": "One", "base": "nothing"}}}
        assert problem_of(shop, based)[:2] == ("type_unknown", "/operations/0/types/a/base")

    def test_an_import_beside_what_is_there_defines_what_it_lacks(self, shop: Workspace) -> None:
        """A type of that name is taken; an id that means another type here is not."""
        source = workspace_of(
            PAYMENT | {"id": "psp"}, MAINFRAME | {"id": "payment-2", "label": "Big iron"}, node("a", type="psp"),
            node("b", 300, type="payment-2"), node("c", 600),
        )  # fmt: skip
        rows = ImportRows()
        read: Any = export_json(source)["diagram"]
        add_diagram_rows(rows, ReadDiagram(read, is_placed=True), shop.diagram)
        run(shop, *(operation for row in rows.new for operation in row["operations"]))
        assert {one: shown(shop)[one] for one in "abc"} == {"a": "payment", "b": "payment-2", "c": "service"}
        assert shop.diagram.types["payment-2"] == {"name": "Big iron", "base": "server", "icon": "IBM Z"}
        other = workspace_of(PAYMENT | {"label": "Another", "type": "cache"}, node("d", type="payment"))
        rows = ImportRows()
        read = export_json(other)["diagram"]
        add_diagram_rows(rows, ReadDiagram(read), shop.diagram)
        run(shop, *(operation for row in rows.new for operation in row["operations"]))
        assert shop.diagram.types["payment"]["base"] == "external"
        assert shown(shop)["d"] == "payment-3"

    def test_types_of_an_import_stay_apart_though_an_id_is_taken(self, shop: Workspace) -> None:
        """Also from another one of the import, and from what a type here is called."""
        run(shop, PAYMENT | {"id": "first", "label": "PSP"})
        source = workspace_of(
            PAYMENT | {"label": "Card"}, PAYMENT | {"id": "payment-2", "label": "Bank"},
            PAYMENT | {"id": "psp", "label": "Wallet"}, node("a", type="payment"), node("b", 300, type="payment-2"),
            node("c", 600, type="psp"),
        )  # fmt: skip
        rows = ImportRows()
        read: Any = export_json(source)["diagram"]
        add_diagram_rows(rows, ReadDiagram(read), shop.diagram)
        run(shop, *(operation for row in rows.new for operation in row["operations"]))
        names = {one: shop.diagram.types[shown(shop)[one]]["name"] for one in "abc"}
        assert names == {"a": "Card", "b": "Bank", "c": "Wallet"}

    def test_a_type_that_has_no_room_leaves_its_base(self) -> None:
        full = workspace_of(*(PAYMENT | {"id": f"own-{at}", "label": f"Own {at}"} for at in range(49)))
        source = workspace_of(
            PAYMENT, MAINFRAME, *(node(one, type=kind) for one, kind in (("a", "payment"), ("b", "mainframe"))),
        )  # fmt: skip
        rows = ImportRows()
        read: Any = export_json(source)["diagram"]
        add_diagram_rows(rows, ReadDiagram(read), full.diagram)
        run(full, *(operation for row in rows.new for operation in row["operations"]))
        assert (shown(full), len(full.diagram.types)) == ({"a": "payment", "b": "server"}, 50)

    def test_an_import_keeps_a_type_of_another_base_here_and_leaves_groups(self, shop: Workspace) -> None:
        """A group with contents cannot be of one, and a node that says one of another base is of none."""
        source = copy_of(shop)
        run(shop, PAYMENT | {"type": "cache"}, update("adyen", type="group"), node("inner", parent="adyen"))
        rows = ImportRows()
        read: Any = export_json(source)["diagram"]
        for one in read["nodes"]:
            one["properties"] = {"source_id": f"text:a#{one['id']}"}
        by_id = {one["id"]: one for one in read["nodes"]}
        by_id["stripe"]["technology"], by_id["orders"]["custom_type"] = "REST", "payment"
        run(shop, *(update(one, properties={"source_id": f"text:a#{one}"}) for one in ("stripe", "adyen", "orders")))
        add_diagram_rows(rows, ReadDiagram(read), shop.diagram)
        (row,) = rows.changed
        assert (row["element"], [one["field"] for one in row["differences"]]) == ("stripe", ["technology"])
        run(shop, *row["operations"])
        assert (shown(shop)["stripe"], rows.new, rows.unchanged) == ("payment", [], 2)

    def test_a_text_with_types_is_taken_again_as_it_was_written(self, shop: Workspace) -> None:
        """The text names types and does not define them: where they are not known, their nodes are of built-in ones."""
        run(shop, update("adyen", label="Cards"))
        file = SourceFile("shop.diagram.txt", to_text(diagram_json(shop.diagram)).encode())
        [found] = text_reader.read(SourceSet(file, {file.path: file}))
        assert [(part.place, part.reason.partition(";")[0]) for part in found.unread] == [
            (f"line {line}", "“payment” is no type that every workspace has") for line in (1, 3)
        ]
        rows = ImportRows()
        add_diagram_rows(rows, ReadDiagram(found.diagram), shop.diagram)
        assert (rows.new, rows.changed, rows.unchanged) == ([], [], 3)
        rows, other = ImportRows(), workspace_of(PAYMENT | {"id": "psp", "label": "Payment", "type": "cache"})
        add_diagram_rows(rows, ReadDiagram(found.diagram), other.diagram)
        run(other, *(operation for row in rows.new for operation in row["operations"]))
        assert sorted(shown(other).values()) == ["psp", "psp", "service"]
        rows, bare = ImportRows(), workspace_of()
        add_diagram_rows(rows, ReadDiagram(found.diagram), bare.diagram)
        run(bare, *(operation for row in rows.new for operation in row["operations"]))
        built_in = {"stripe": ("external", None), "cards": ("service", None), "orders": ("service", None)}
        assert types_of(bare) == built_in

    def test_a_changed_type_is_a_difference(self, shop: Workspace) -> None:
        """Of a node that is recognized; a source that says the base alone leaves it."""
        source = copy_of(shop)
        run(source, MAINFRAME | {"type": "external"}, update("stripe", type="mainframe"))
        run(source, update("adyen", type="external"))
        rows = ImportRows()
        read: Any = export_json(source)["diagram"]
        add_diagram_rows(rows, ReadDiagram(read), shop.diagram)
        (row,) = rows.changed
        assert (row["element"], row["differences"]) == (
            "stripe", [{"field": "type", "here": "payment", "source": "mainframe"}],
        )  # fmt: skip
        run(shop, *row["operations"])
        assert shown(shop) == {"stripe": "mainframe", "adyen": "payment", "orders": "service"}

    @pytest.mark.parametrize("types", [[], "x", {"a": 1}, {"a": {"name": "A"}}, {"a": {"name": "A", "base": ["b"]}}])
    def test_an_export_that_is_none_is_refused_in_words(self, types: object) -> None:
        """Before anything of it is used."""
        content = {"format": "draftsmith/1", "name": "X", "diagram": {"nodes": [], "edges": [], "types": types}}
        file = SourceFile("x.json", orjson.dumps(content))
        if types == []:
            assert "types" not in export_reader.read(SourceSet(file, {"x.json": file}))[0].diagram
            return
        with pytest.raises(UnreadableSource, match="types must be an object"):
            export_reader.read(SourceSet(file, {"x.json": file}))


class TestShowing:
    """What models, searches and formats of others are told."""

    def test_a_line_has_the_type_and_one_more_line_lists_them(self, shop: Workspace) -> None:
        """Only where there are any: a name where the id does not say it, and what it is based on."""
        assert legend(Workspace().diagram) == LEGEND
        run(shop, MAINFRAME)
        assert legend(shop.diagram) == f'{LEGEND}\nown types: mainframe (server), payment "Payment provider" (external)'
        assert node_line(shop.diagram, NodeId("stripe")) == 'stripe payment "stripe"'
        (read,) = READERS["read_nodes"](shop, {"ids": ["stripe"]}).data["nodes"]
        assert read["type"] == "payment"
        assert "custom_type" not in read

    def test_nodes_are_found_by_it(self, shop: Workspace) -> None:
        """By words of its name, by filters, and by its base; a request that speaks of it speaks of them."""
        assert find_nodes(shop, "payment providers").ids == ["adyen", "stripe"]
        assert find_nodes(shop, "orders").ids == ["orders"]
        for kind in ("payment", "external", "Payment providers"):
            found = READERS["find_nodes"](shop, {"types": [kind]}).data["nodes"]
            assert [(one["id"], one["type"]) for one in found] == [("adyen", "payment"), ("stripe", "payment")]
            page, _ = node_page(shop.diagram, None, 10, types=[kind.removesuffix("s")])
            assert [one["id"] for one in page] == ["adyen", "stripe"]
        run(shop, *(node(f"n{number}", 300 * number) for number in range(1, 9)))
        assert set(spoken_of(shop.diagram, "which payment fails?", 5)) == {"adyen", "stripe"}

    def test_a_built_in_command_chooses_it(self, shop: Workspace) -> None:
        """By its name."""
        ((_, given),) = plan("change the type of orders to payment provider", shop, may_edit=True).calls
        run(shop, *given["operations"])
        assert shown(shop)["orders"] == "payment"

    def test_text_has_its_id_and_mermaid_its_base(self, shop: Workspace) -> None:
        """What is no type any more is not written; these names say the base by themselves."""
        lines = to_text(diagram_json(shop.diagram)).splitlines()
        assert sorted(lines) == ["adyen (payment)", "orders", "stripe (payment)"]
        assert ":::external" in to_mermaid(diagram_json(shop.diagram))
        shop.diagram.set_type("payment", None)
        assert sorted(to_text(diagram_json(shop.diagram)).splitlines()) == ["adyen", "orders", "stripe"]

    def test_a_log_entry_has_the_step_as_the_protocol_says(self) -> None:
        """And the next one replays it."""
        story = Story(node("orders"))
        story.do("ann", PAYMENT, update("orders", type="payment"))
        assert [step.to_json() for step in decode_record(story.log[-1].body).steps] == [
            {"k": "type", "id": "payment", "v": (None, {"name": "Payment provider", "base": "external"})},
            {
                "k": "node=",
                "id": "orders",
                "b": 1,
                "v": {"type": ("service", "external"), "custom_type": (None, "payment")},
            },
        ]
        assert fields(story.workspace, "orders")["custom_type"] == "payment"


def test_a_step_on_a_type_overwrites_what_it_changes_and_with_a_removal_everything() -> None:
    old: CustomType = {"name": "Lambda", "base": "function", "icon": "AWS Lambda"}
    assert list(SetType("lambda", None, old).overwrites()) == []
    recoloured: CustomType = {**old, "color": "blue"}
    assert list(SetType("lambda", old, recoloured).overwrites()) == []
    renamed: CustomType = {**recoloured, "name": "Function"}
    assert list(SetType("lambda", recoloured, renamed).overwrites()) == [("type", "lambda", "name")]
    removal = SetType("lambda", renamed, None)
    assert list(removal.overwrites()) == [("type", "lambda", "*")]
    assert list(removal.writes()) == [("type", "lambda", ""), ("type", "lambda", "*")]
