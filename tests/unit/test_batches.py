"""Which batches of a run were refused and never corrected, from what was sent and what became of it."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.assistant.answers.batches import Batches
from draftsmith.errors import ProblemOut

Op = dict[str, Any]


def problem(index: int, code: str = "node_not_found", *candidates: str) -> ProblemOut:
    return {  # type: ignore[typeddict-item]  # what a remedy is does not matter here
        "index": index, "op": "", "code": code, "path": "", "message": f"No {index}.", "candidates": list(candidates),
    }  # fmt: skip


def left(refused: list[Op], *later: list[Op], problems: list[ProblemOut] | None = None, turn: int = 2) -> int:
    """How many operations of a refused batch are left after others were staged in a later turn."""
    batches = Batches()
    batches.refuse(1, "edit", refused, problems or [problem(0)])
    for operations in later:
        batches.stage(turn, "edit", operations)
    return sum(len(one.operations_left) for one in batches.uncorrected_batches)


APPEND: Op = {"op": "append_to_section", "section": "## Cachng", "text": "A cache answers reads."}
EDGE: Op = {"op": "add_edge", "source": "apii", "target": "Redis"}
NODE: Op = {"op": "add_node", "type": "cache", "label": "Order cache", "technology": "Redis"}


@pytest.mark.parametrize(
    "refused, again",
    [
        ([APPEND], {**APPEND, "section": "# Shop ## Caching"}),
        ([APPEND], {"op": "replace_section", "section": "Cachng", "text": "Else."}),
        ([EDGE], {**EDGE, "source": "api"}),
        ([{"op": "delete_node", "id": "nothing"}], {"op": "delete_node", "id": "db"}),
        ([NODE], {"op": "update_node", "id": "cache", "label": "order  cache", "technology": "Valkey"}),
        ([NODE], {"op": "insert_between", "source": "api", "target": "db", "node": {"label": "Order cache"}}),
        (["no operation"], {"op": "add_node", "label": "x"}),
        ([{"op": "addd_node", "label": "Order cache"}], NODE),
    ],
)
def test_what_comes_again_in_another_form_is_corrected(refused: list[Op], again: Op) -> None:
    """The same thing under its right name, by another operation, or as a part of one; in a later turn only."""
    assert left(refused, [again]) == 0
    assert left(refused, [again], turn=1) == 1, "a call beside it cannot have been meant as its correction"


@pytest.mark.parametrize(
    "refused, other",
    [
        (APPEND, {"op": "append_to_section", "section": "## Risks", "text": "One machine."}),
        (NODE, {"op": "add_node", "type": "cache", "label": "Session cache", "technology": "Redis"}),
        (EDGE, {"op": "add_node", "type": "api", "label": "Redis"}),
        ({"op": "update_node", "id": "dbb", "notes": "x"}, {"op": "update_node", "id": "api", "notes": "y"}),
    ],
)
def test_what_is_about_something_else_corrects_nothing(refused: Op, other: Op) -> None:
    """Of the same tool, of the same kind: a batch about other things leaves the refused one as it is."""
    assert left([refused], [other]) == 1


def test_what_the_refusal_offered_is_a_name_of_it() -> None:
    """An edge whose both ends were wrong is known by the ends that were offered."""
    both = {"op": "add_edge", "source": "Redis", "target": "Payment"}
    again = {"op": "add_edge", "source": "order-cache", "target": "payments"}
    assert left([both], [again]) == 1
    assert left([both], [again], problems=[problem(0, "node_not_found", "order-cache")]) == 0


def test_a_part_that_was_not_sent_again_is_left() -> None:
    """It may come later, or be there already; else it was not done."""
    assert left([NODE, APPEND], [NODE]) == 1
    assert left([NODE, APPEND], [NODE], [APPEND]) == 0
    assert left([NODE, EDGE], [NODE], problems=[problem(1, "edge_duplicate")]) == 0
    assert left([EDGE], [NODE], problems=[problem(0, "edge_duplicate")]) == 1, "a batch that was given up is said"


def test_what_is_refused_again_counts_once() -> None:
    """With the last reason; a call that could not be read is followed by any other of its tool."""
    batches = Batches()
    batches.refuse(1, "edit", [], [], "The call could not be read.")
    batches.refuse(2, "edit", [APPEND], [problem(0)])
    batches.refuse(3, "edit", [{**APPEND, "section": "## Cach"}], [problem(0), problem(0)])
    (one,) = batches.uncorrected_batches
    assert (one.turn, one.why) == (3, "No 0. And 1 more problem.")
    assert batches.repaired == 0
    batches.stage(4, "edit", [APPEND])
    assert (batches.uncorrected_batches, batches.repaired) == ((), 1)


def test_parts_are_counted_by_what_is_still_staged() -> None:
    """What others' changes took back is no part that is done, until it is sent again."""
    batches = Batches()
    kept, lost = [dict(NODE)], [dict(APPEND)]
    batches.stage(1, "edit_diagram", kept)
    batches.stage(1, "edit_document", lost)
    assert batches.parts([*kept, *lost]) == (2, 2)
    batches.take_back(2, "edit_document", lost, "it was changed")
    assert batches.parts(kept) == (1, 2)
    assert batches.uncorrected_batches[0].is_known
    again = [dict(APPEND)]
    batches.stage(3, "edit_document", again)
    assert batches.parts([*kept, *again]) == (2, 2)
