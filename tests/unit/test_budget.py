"""One budget of counted work for each request: what costs too much is refused, says why, and leaves nothing behind."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Callable, Sequence

import pytest

from draftsmith.errors import BatchRejected, Problem
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.work import NeedsMore, Work
from draftsmith.model.workspace import Workspace
from draftsmith.transform import costs
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.resolve import open_transaction, run_batch
from draftsmith.transform.staged_operations import Stager, stage
from draftsmith.transform.steps import line_changes
from draftsmith.transform.steps.changeset import of_parts
from tests.builders import Op, Story, canonical, copy_of, edge, group, node, run, update, workspace_of
from tests.kit.documents import append_to_section, edit_section
from tests.seeds import run_seed

PROSE = "Orders are kept here, and the queue is told of each of them at once, so that nobody ever waits for it.\n\n"
TEXT = f"# Shop\n\n{PROSE}## Orders\n\n{PROSE * 3}- one\n- two\n\n## Stock\n\nThe *last* thing stands here.\n"


def doc(text: str) -> Workspace:
    return workspace_of(text=text)


def street(count: int = 6) -> Workspace:
    """Nodes in a row, each connected with the next, in two groups inside one another."""
    places = [group("outer"), group("inner", 20, 40, parent="outer")]
    places += [node(f"n{i}", i * 200, 40, parent="inner" if i % 2 else "outer") for i in range(count)]
    return workspace_of(*places, *(edge(f"n{i}", f"n{i + 1}") for i in range(count - 1)), text=TEXT)


def spent_on(workspace: Workspace, *operations: Op, work: Work | None = None) -> int:
    """The units that a batch costs, refused or not; the workspace is as it was."""
    tx = open_transaction(workspace, 2, WorkspaceLimits(), work=work)
    try:
        run_batch(tx, parse_batch(list(operations), WorkspaceLimits()))
        tx.roll_back()
    except BatchRejected:
        pass
    return tx.work.spent


def problems_under_budget(workspace: Workspace, *operations: Op, work: int) -> Sequence[Problem]:
    """The problems of a batch under a budget; the workspace must be as it was, and so must its outline."""
    before, sections = canonical(workspace), workspace.document.outline.sections
    limits = WorkspaceLimits(operations=1_000, work=work)
    try:
        run_batch(open_transaction(workspace, 2, limits), parse_batch(list(operations), limits))
    except BatchRejected as rejected:
        assert canonical(workspace) == before
        assert workspace.document.outline.sections == sections
        return rejected.problems
    return []


BATCHES: dict[str, list[Op]] = {
    "edits": [
        edit_section("## Orders", "- two", "- two\n- three"),
        append_to_section("## Orders", "- four"),
        edit_section("## Orders", "the queue", "a queue", all=True),
    ],
    "sections": [
        {"op": "insert_section", "title": "New", "text": "Some text.", "after": "## Orders"},
        {"op": "move_section", "section": "## New", "before": "## Orders"},
        {"op": "rename_section", "section": "## Stock", "title": "Storage"},
        {"op": "replace_section", "section": "## Storage", "text": "Other text."},
        {"op": "delete_section", "section": "## Orders"},
    ],
    "whole": [
        {"op": "replace_document", "text": TEXT.replace("Orders", "Bills")},
        {"op": "rename_workspace", "name": "B"},
    ],
    "diagram": [
        node("new"),
        edge("new", "n1"),
        update("n2", label="Two"),
        {"op": "move_to_group", "ids": ["n2"], "group": "inner"},
        {"op": "insert_between", "source": "n3", "target": "n4", "node": {"type": "cache", "label": "C"}},
        {"op": "delete_node", "id": "n5", "bridge": True},
        {"op": "layout_diagram", "scope": "all"},
        append_to_section("## Orders", "More."),
    ],
}


@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_is_refused_below_what_it_costs_and_leaves_everything_as_it_was(name: str) -> None:
    """At exactly its cost it fits; below that it is refused, the further on the larger the budget is."""
    workspace, batch = street(), BATCHES[name]
    cost = spent_on(workspace, *batch)
    assert not problems_under_budget(copy_of(workspace), *batch, work=cost)
    at: list[int] = []
    for work in [0, *(cost * part // 16 for part in range(1, 16)), cost - 1]:
        [problem] = problems_under_budget(workspace, *batch, work=work)
        assert problem.code == "too_costly"
        assert problem.path == f"/operations/{problem.index}"
        assert problem.op == batch[problem.index]["op"]
        assert problem.message.startswith("Too much work for one request: ")
        at.append(problem.index)
    assert at == sorted(at)
    assert (at[0], at[-1]) == (0, len(batch) - 1)


@pytest.mark.parametrize("name", BATCHES)
def test_a_trial_takes_everything_back(name: str) -> None:
    """Where a trial ends nothing is refused: it is for somebody else to try with the whole budget."""
    workspace, batch = street(), BATCHES[name]
    cost, before = spent_on(workspace, *batch), canonical(workspace)
    for part in range(16):
        tx = open_transaction(workspace, 2, WorkspaceLimits(), work=Work(cost * part // 16, is_trial=True))
        with pytest.raises(NeedsMore):
            run_batch(tx, parse_batch(batch, WorkspaceLimits()))
        assert canonical(workspace) == before


def _crowd() -> Workspace:
    """One node with all spots around it taken."""
    workspace = doc("")
    run(workspace, node("m", 0, 0))
    return workspace


def _tower(height: int) -> list[Op]:
    return [group("g0"), *(group(f"g{i}", 20, 40, parent=f"g{i - 1}") for i in range(1, height))]


def _hub() -> Workspace:
    """Forty nodes that lead to one, which leads to forty."""
    nodes = [node("hub"), *(node(f"{side}{i}") for side in "ab" for i in range(40))]
    return workspace_of(*nodes, *(edge(f"a{i}", "hub") for i in range(40)), *(edge("hub", f"b{i}") for i in range(40)))


def _titles(count: int) -> str:
    return "".join(f"## Part {i}\n\nText {i}.\n\n" for i in range(count))


LONG = "".join(f"Sentence number {i} says nothing much. " for i in range(300))
KINDS: dict[str, tuple[Callable[[], Workspace], list[Op], int]] = {
    costs.SEARCH: (
        lambda: doc(f"# A\n\n{LONG}\n"),
        [edit_section("# A", "nothing at all of this stands in it", "x")],
        60_000,
    ),
    costs.HITS: (lambda: doc("# A\n\n" + "a " * 1_000), [edit_section("# A", "a", "b", all=True)], 100_000),
    costs.TITLES: (lambda: doc(_titles(200)), [append_to_section("## Quite another", "x")], 50_000),
    costs.EDITS: (
        lambda: doc("# A\n\n" + "ä" * 4_000),
        [{"op": "edit_text", "base_revision": 1, "changes": [5, *([[1, "x"], 1] * 1_000), 2_000]}],
        100_000,
    ),
    costs.HEADINGS: (lambda: doc(_titles(200)), [append_to_section("## Part 7", "x")], 30_000),
    costs.LINES: (
        lambda: doc("".join(f"old {i}\n" for i in range(2_000))),
        [{"op": "replace_document", "text": "".join(f"new {i}\n" for i in range(2_000))}],
        100_000,
    ),
    costs.STEPS: (lambda: doc(""), [node(f"n{i}") for i in range(100)], 50_000),
    costs.NESTING: (lambda: doc(""), _tower(150), 300_000),
    costs.PLACES: (
        _crowd,
        [{"op": "add_node", "type": "api", "label": f"A {i}", "near": "m"} for i in range(200)],
        1_000_000,
    ),
    costs.LAYOUT: (street, [{"op": "layout_diagram", "scope": "all"}], 3_000),
    costs.NAMES: (street, [update(f"zz{i}", label="x") for i in range(20)], 10_000),
    costs.PARALLEL: (street, [edge("n1", "n2", label=f"l{i}") for i in range(200)], 300_000),
    costs.BRIDGES: (_hub, [{"op": "delete_node", "id": "hub", "bridge": True}], 30_000),
}


@pytest.mark.parametrize("what", KINDS)
def test_a_refusal_says_what_was_too_much_and_what_to_do_instead(what: str) -> None:
    """For each kind of work a request that is refused for it, and only for it."""
    make, operations, budget = KINDS[what]
    problem = problems_under_budget(make(), *operations, work=budget)[-1]
    instead = costs._INSTEAD[what]
    assert (problem.code, problem.message) == ("too_costly", f"Too much work for one request: {what}. {instead}")
    assert not [one for one in problems_under_budget(make(), *operations, work=10**12) if one.code == "too_costly"]


def test_every_kind_of_work_has_its_case() -> None:
    """And its advice."""
    assert set(KINDS) == set(costs._INSTEAD)


TABLE: dict[str, tuple[Callable[[], Workspace], list[Op]]] = {
    "950,000 hits": (lambda: doc("# A\n\n" + "a" * 950_000), [edit_section("# A", "a", "b", all=True)]),
    "50 layouts": (street, [{"op": "layout_diagram", "scope": "all"}] * 50),
}


@pytest.mark.parametrize("name", TABLE)
def test_requests_that_once_held_everybody_up_are_refused(name: str) -> None:
    """A few bytes that would cost seconds, under the budget that is the default."""
    make, operations = TABLE[name]
    assert problems_under_budget(make(), *operations, work=WorkspaceLimits().work)[-1].code == "too_costly"


def test_a_batch_lays_the_whole_diagram_out_once() -> None:
    """The second time is refused by name of the first, whatever the budget is."""
    twice: list[Op] = [
        {"op": "layout_diagram", "scope": "all"},
        update("n1", label="A"),
        {"op": "layout_diagram", "scope": "all"},
    ]
    [problem] = problems_under_budget(street(), *twice, work=10**12)
    assert (problem.index, problem.code, problem.path) == (2, "too_costly", "/operations/2/scope")
    assert "operations[0]" in problem.message
    again: Op = {"op": "layout_diagram", "scope": "ids", "ids": ["n1", "n3"]}
    assert not problems_under_budget(street(), twice[0], again, again, work=10**12)


def test_what_is_cached_costs_what_it_cost_at_first() -> None:
    """Whether a request is refused does not depend on what was asked before it."""
    workspace = doc(f"# A\n\n{LONG}\n\nThe *odd* thing stands here once.\n")
    searched = [
        edit_section("# A", "The odd thing stands here", "x"),
        edit_section("# A", "Sentence 7 says nothing", "x"),
    ]
    first = [spent_on(workspace, one) for one in searched]
    assert [spent_on(workspace, one) for one in searched] == first
    assert workspace.document.outline.matches, "nothing was cached"


def test_a_normal_form_is_paid_for_once_in_a_request() -> None:
    """Ten wrong quotes in one section cost far less than ten requests with one each."""
    wrong = [edit_section("# A", f"nothing {i} at all", "x") for i in range(10)]
    together = spent_on(doc(f"# A\n\n{LONG}\n"), *wrong)
    assert together < sum(spent_on(doc(f"# A\n\n{LONG}\n"), one) for one in wrong) / 2


# -- the size of what is made ----------------------------------------------------------------------------------------


def test_a_text_that_would_be_too_long_is_never_made() -> None:
    """4,000 hits with 100,000 characters each would be 400 MB; it is refused with a few of them in memory."""
    workspace = doc("# A\n\n" + "a\n" * 4_000)
    workspace.document.outline  # noqa: B018  # not what is measured
    tracemalloc.start()
    [problem] = problems_under_budget(workspace, edit_section("# A", "a\n", "b" * 100_000, all=True), work=10**12)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert problem.code == "limit_document"
    assert peak < 20_000_000


def test_a_whole_document_that_is_too_long_is_not_compared() -> None:
    """Its length is looked at first, so no budget is spent on it."""
    limits = WorkspaceLimits(document_chars=1_000, work=2_000)
    whole: Op = {"op": "replace_document", "text": "x\n" * 501}
    with pytest.raises(BatchRejected) as rejected:
        run(doc(TEXT), whole, limits=limits)
    assert [one.code for one in rejected.value.problems] == ["limit_document"]


# -- comparing documents ---------------------------------------------------------------------------------------------


def text_with_changes(old: str, changes: line_changes.LineChanges) -> str:
    """The old text with changes, from the last to the first."""
    for start, end, new in reversed(changes.spans):
        old = old[:start] + new + old[end:]
    return old


def test_any_two_documents_are_compared_right_above_the_bound_as_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """Applying the changes gives the new text; spans are in order and apart; below the bound nothing has changed."""
    chance = random.Random(run_seed())
    for bound in (line_changes.MOST_PAIRS, 400, 20, 0):
        monkeypatch.setattr(line_changes, "MOST_PAIRS", bound)
        for _ in range(60):
            old = [f"{chance.randrange(30)}\n" for _ in range(chance.randrange(40))]
            new = [line for line in old if chance.random() < 0.8]
            for _ in range(chance.randrange(6)):
                new.insert(chance.randrange(len(new) + 1), f"{chance.randrange(60)}\n")
            before, after = "".join(old) + chance.choice(["", "end"]), "".join(new)
            changes = line_changes.line_changes(before, after)
            assert text_with_changes(before, changes) == after
            borders = [at for start, end, _ in changes.spans for at in (start, end)]
            assert borders == sorted(borders)
            assert changes.is_complete or bound < line_changes._ALL_PAIRS // 4


def test_above_the_bound_lines_that_stand_once_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long document with changes at both ends is not replaced as a whole."""
    monkeypatch.setattr(line_changes, "MOST_PAIRS", 100)
    old = [f"line {i}\n" for i in range(500)]
    new = [*old[:3], "new\n", *old[4:-4], "other\n", *old[-3:]]
    changes = line_changes.line_changes("".join(old), "".join(new))
    assert (len(changes.spans), changes.is_complete) == (2, True)


def test_what_is_beyond_the_bound_is_replaced_as_a_whole_and_said() -> None:
    """20,000 lines that all differ would be 400,000,000 pairs: a warning, and the right text."""
    old, new = ("".join(f"{word} line {i}\n" for i in range(20_000)) for word in ("old", "new"))
    workspace = doc(f"# A\n{old}# B\n")
    tx = run(
        workspace, {"op": "replace_document", "text": f"# A\n{new}# B\n"}, limits=WorkspaceLimits(document_chars=10**7)
    )
    assert workspace.document.text == f"# A\n{new}# B\n"
    assert [(one.code, one.path) for one in tx.warnings] == [("compared_in_part", "/operations/0/text")]
    [step] = tx.steps
    assert len(step.deleted) == 1  # type: ignore[union-attr]


# -- what is never refused -------------------------------------------------------------------------------------------


def test_what_was_accepted_is_replayed_undone_and_restored_under_any_budget() -> None:
    """Commits of a time with a larger budget stay what they are."""
    story = Story(node("a"), node("b"), edge("a", "b"), text=TEXT)
    story.do(
        "ada",
        edit_section("## Orders", "- two", "- two\n- three"),
        {"op": "layout_diagram", "scope": "all"},
        append_to_section("## Orders", "End."),
    )
    story.do("bob", {"op": "replace_document", "text": TEXT.upper()}, node("c"))
    story.limits = WorkspaceLimits(work=1)
    with pytest.raises(BatchRejected):
        story.do("ada", node("d"))
    assert story.undo("bob") is not None
    assert story.undo("ada") is not None
    assert story.redo("ada") is not None
    story.revert("ada", 2)
    story.restore("ada", 3)
    assert story.replayed().dump() == story.replica.dump()


# -- linear ----------------------------------------------------------------------------------------------------------


def cpu_seconds(work: Callable[[], object]) -> float:
    """Of this thread: that of a process moves in ticks of milliseconds where its processor time has a limit."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def hits_side_by_side(count: int) -> Callable[[], object]:
    """Changes that touch one another become one."""
    return lambda: of_parts((1, "b") for _ in range(count))


def deletions_in_one_line(count: int) -> Callable[[], object]:
    """Every other character of one long line."""
    workspace = doc("# A\n\n" + "ab" * count)
    return lambda: spent_on(workspace, edit_section("# A", "a", "", all=True), work=Work(10**12))


def made_and_taken_away(count: int) -> Callable[[], object]:
    """Nodes that a batch adds and deletes again leave nothing."""
    nodes = [{"id": f"n{i}", "type": "api", "label": "N", "position": {"x": i, "y": 0}} for i in range(count)]
    whole: list[Op] = [
        {"op": "replace_diagram", "nodes": nodes, "edges": []},
        {"op": "replace_diagram", "nodes": [], "edges": []},
    ]
    return lambda: spent_on(doc(""), *whole, work=Work(10**12))


def paths_of_sections(count: int) -> Callable[[], object]:
    """Of sections that nothing is around."""
    outline = doc("## Part\n\nWords of a part.\n\n" * count).document.outline
    return lambda: [outline.path(section) for section in outline.sections]


@pytest.mark.parametrize(
    "make, small, large",
    [
        (hits_side_by_side, 20_000, 640_000),
        (deletions_in_one_line, 500, 8_000),
        (made_and_taken_away, 150, 2_400),
        (paths_of_sections, 2_000, 64_000),
    ],
)
def test_what_was_quadratic_is_linear(make: Callable[[int], Callable[[], object]], small: int, large: int) -> None:
    """CPU time per element grows by far less than the size, in one of a few tries."""

    def growth() -> float:
        few = min(cpu_seconds(make(small)) for _ in range(3)) / small
        return cpu_seconds(make(large)) / large / few

    assert any(growth() < (large / small) / 3 for _ in range(5))  # what else a machine does slows some down


# -- in slices -------------------------------------------------------------------------------------------------------


def in_slices(workspace: Workspace, batch: list[Op]) -> tuple[Stager, Sequence[Problem]]:
    """Resolve a batch in slices of one operation; between two of them nothing of it may be there."""
    before = canonical(workspace)
    stager = Stager(workspace, parse_batch(batch, WorkspaceLimits()), batch, WorkspaceLimits())
    for _ in batch:
        try:
            stager.run()
        except BatchRejected as rejected:
            return stager, rejected.problems
        if stager.is_done:
            return stager, ()
        stager.tx.suspend()
        assert canonical(workspace) == before
        workspace.document.text = "".join(list(workspace.document.text))  # equal, and another one
        stager.tx.resume()
    raise AssertionError("it took more slices than there are operations")


@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_in_slices_is_the_batch(name: str) -> None:
    """At the end it is what it is in one piece."""
    batch, workspace, whole = BATCHES[name], street(), street()
    stager, problems = in_slices(workspace, batch)
    assert not problems
    assert stager.results() == stage(whole, parse_batch(batch, WorkspaceLimits()), batch, WorkspaceLimits())
    assert canonical(workspace) == canonical(whole)


def test_a_batch_in_slices_is_refused_as_a_whole() -> None:
    """With every problem of all its slices, and nothing of it stays."""
    batch = [update("nobody", label="x"), *BATCHES["edits"], edit_section("## Orders", "nowhere", "x")]
    workspace = street()
    before = canonical(workspace)
    _, problems = in_slices(workspace, batch)
    assert [(one.index, one.code) for one in problems] == [(0, "node_not_found"), (4, "find_not_found")]
    assert canonical(workspace) == before
