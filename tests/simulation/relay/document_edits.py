"""Edits of a document, drawn from the table of moves: what is meant, what is sent, and what must come of it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from tests.noise.samples import Part, Sample
from tests.simulation.moves import MOVES, names_of, operation
from tests.simulation.relay.document_player import DocumentPlayer
from tests.simulation.relay.misquoting import careful, misquoted
from tests.simulation.relay.outcomes import RULES, Rule, outcome_of
from tests.simulation.relay.plan import Op, Plan, together
from tests.simulation.relay.values import Quotation, Substitute, field_of

DRAWN: Final = names_of("document", without=("edit_text", "replace_document"))
"""All but what the two people type, and a whole document, which leaves no rest that must stay."""
# How often beside their weight: models quote more than all else, and it is what goes wrong.
_TIMES: Final = {
    "edit_section": 18,
    "insert_section": 4,
    "replace_section": 6,
    "append_to_section": 4,
    "rename_section": 7,
}
_WEIGHTS: Final = [MOVES[name].weight * _TIMES.get(name, 3) for name in DRAWN]
_TRIES: Final = 40
_TWO_SHARE: Final = 0.1  # of edits that quote


def document_plan(sample: Sample, rng: random.Random, step: int, rules: Mapping[str, Rule] = RULES) -> Plan | None:
    """An edit of some kind, or None if the dice fell badly.

    Raises:
        Unexpected: an operation without a rule changes more than it names.
    """
    [name] = rng.choices(DRAWN, _WEIGHTS)
    for _ in range(_TRIES):
        op = operation(DocumentPlayer(rng, sample, step), (name,))
        plan = None if op is None else planned(sample, op, rng, rules)
        if op is not None and plan is not None and not _takes_too_much(plan, sample):
            return _with_another(plan, op, sample, rng, step, rules)
    return None


def _takes_too_much(plan: Plan, sample: Sample) -> bool:
    """Whether little of a document is left beside what goes."""
    ways = [change.ways[0] for change in plan.changes]
    return sum(end - start - len(new) for start, end, new in ways) > len(sample.text) // 3


def _with_another(plan: Plan, op: Op, sample: Sample, rng: random.Random, step: int, rules: Mapping[str, Rule]) -> Plan:
    """Sometimes, beside an edit of quoted words, another one in another section, as one batch."""
    first = _quoted_in(op)
    if first is None or rng.random() > _TWO_SHARE:
        return plan
    other = operation(DocumentPlayer(rng, sample, step), (op["op"],))
    second = None if other is None else _quoted_in(other)
    if other is None or second is None or second == first or not sample.is_chain_unique(second):
        return plan
    found = planned(sample, other, rng, rules)
    return plan if found is None else replace(together(plan, found), kind="two edits at once")


def _quoted_in(op: Op) -> Part | None:
    """The section in which an operation quotes a stretch."""
    find = field_of(op, Quotation)
    return op[find].quote.part if find and op[find].quote is not None else None


def planned(
    sample: Sample, op: Op, rng: random.Random, rules: Mapping[str, Rule] = RULES, *, keeps_marks: bool = False
) -> Plan | None:
    """A plan of an operation as it is meant; what is sent first may misquote it. None where nothing can come of it.

    Args:
        sample: the document.
        op: its texts know what they stand for.
        rng: the dice.
        rules: what must come of operations.
        keeps_marks: leave emphasis, code and links in quotations as they are.

    Raises:
        Unexpected: an operation without a rule changes more than it names.
    """
    outcome, sure = outcome_of(sample, op, rules), careful(op)
    if outcome is None or sure is None:
        return None
    sent = misquoted(sample, op, outcome, rng, keeps_marks=keeps_marks)
    find, instead = field_of(op, Quotation), field_of(op, Substitute)
    quote = op[find].quote if find else None
    true = quote.true if quote is not None else str(op[find]) if find else ""
    return Plan(
        kind=op["op"] + outcome.what,
        noise=sent.noise,
        operations=[sent.operation],
        careful=[sure],
        changes=sent.changes,
        touched=outcome.touched,
        named=outcome.named,
        quoted=outcome.quoted,
        true=[true] if find else [],
        must_refuse=sent.is_misremembered,
        repeats=quote is not None and bool(instead) and bool(op[instead]) and quote.true not in op[instead],
    )
