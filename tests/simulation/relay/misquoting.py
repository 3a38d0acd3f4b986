"""A drawn operation as a scripted model first sends it, and as it sends it with care.

What is wrong with a field depends on what it holds (`values`), whichever operation has it: a new operation is misquoted
as all others are.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tests.noise.quotes import Quote
from tests.noise.samples import Sample
from tests.simulation.relay.naive import Change
from tests.simulation.relay.outcomes import Outcome
from tests.simulation.relay.plan import Op
from tests.simulation.relay.quoting import Quoted, careful_quote, changed, named, noise_of, quoted
from tests.simulation.relay.values import BodyText, Quotation, SectionName, Substitute, field_of, plain

_HEADING_SHARE: Final = 0.15  # of texts for a section that begin with the section's own heading
_LINE_END_SHARE: Final = 0.08  # of quotes of whole lines that are sent with their line end
_WHOLE_LINES: Final = ("line", "item", "lines", "row")


@dataclass(frozen=True)
class Sent:
    """An operation as it is first sent.

    Attributes:
        noise: what is wrong with it.
        changes: what may become of the document by it.
        is_misremembered: its quotation means something else, so it has to be refused.
    """

    operation: Op
    noise: str
    changes: Sequence[Change]
    is_misremembered: bool = False


def misquoted(sample: Sample, op: Op, outcome: Outcome, rng: random.Random, *, keeps_marks: bool) -> Sent:
    """An operation with names, quotations and texts as models get them wrong, each seldom as it is meant.

    Args:
        sample: the document.
        op: what is meant.
        outcome: what must come of it.
        rng: the dice.
        keeps_marks: leave emphasis, code and links in quotations as they are.
    """
    sent, noises, changes, is_misremembered = plain(op), [], outcome.changes, False
    for field, value in op.items():
        if isinstance(value, SectionName):
            sent[field], noise = _misnamed(sample, value, rng)
            noises.append(noise)
        elif isinstance(value, BodyText):
            sent[field], noise = _with_heading(value, outcome, rng)
            noises.append(noise)
        elif isinstance(value, Quotation) and value.quote is not None:
            given = _quoted(value.quote, outcome, rng, keeps_marks=keeps_marks)
            changes, is_misremembered = _as_quoted(outcome, value.quote, given), given.is_misremembered
            sent[field] = given.find
            noises.append(given.noise)
    if outcome.is_known and not is_misremembered:
        noises.append(_add_line_end(op, sent, rng))
    return Sent(sent, noise_of(*noises), changes, is_misremembered)


def _misnamed(sample: Sample, name: SectionName, rng: random.Random) -> tuple[str, str]:
    if name.part is None:
        return str(name), "before the first heading"
    return named(sample, name.part, rng)


def _with_heading(text: BodyText, outcome: Outcome, rng: random.Random) -> tuple[str, str]:
    """The text, sometimes below its own heading line."""
    if not text or outcome.heading is None or rng.random() > _HEADING_SHARE:
        return str(text), "exact"
    level, title = outcome.heading
    return f"{'#' * level} {title}\n\n{text}", "heading in the text"


def _quoted(quote: Quote, outcome: Outcome, rng: random.Random, *, keeps_marks: bool) -> Quoted:
    """A quotation; where no rule says what becomes of marks and blanks at its ends, they are as they stand there."""
    given = quoted(quote, rng, keeps_marks=keeps_marks or not outcome.is_known)
    return given if outcome.is_known or not given.may_end_later else Quoted("exact", quote.text)


def _as_quoted(outcome: Outcome, quote: Quote, given: Quoted) -> Sequence[Change]:
    """What may become of the document if a stretch that is replaced is quoted like this."""
    if not outcome.is_known:
        return outcome.changes
    ways = [change.ways[0] for change in outcome.changes]
    return [
        changed(quote, given, new) if (start, end) == (quote.start, quote.end) else change
        for change, (start, end, new) in zip(outcome.changes, ways, strict=True)
    ]


def _add_line_end(op: Op, sent: Op, rng: random.Random) -> str:
    """Sometimes quote whole lines with their line end, which what replaces them has as well, or stays; returns how."""
    find, instead = field_of(op, Quotation), field_of(op, Substitute)
    quote = op[find].quote if find else None
    if quote is None or not instead or quote.shape not in _WHOLE_LINES:
        return "exact"
    if not quote.sample.text.startswith("\n", quote.end):
        return "exact"
    if rng.random() < _LINE_END_SHARE:
        sent[find], sent[instead] = f"{sent[find]}\n", f"{sent[instead]}\n"
        return "with its line end"
    if op[instead] and rng.random() < _LINE_END_SHARE:
        sent[find] = f"{sent[find]}\n"
        return "line end in the quote alone"
    return "exact"


def careful(op: Op) -> Op | None:
    """The operation with texts and names as they stand there; None where no quotation can be exact.

    A quotation that stands there more than once gets the lines around it, and what replaces it as well.
    """
    sure, find, instead = plain(op), field_of(op, Quotation), field_of(op, Substitute)
    quote = op[find].quote if find else None
    if quote is None or not instead:
        return sure
    whole, text = careful_quote(quote), quote.sample.text
    if whole is None:
        return None
    sure[find] = whole.true
    sure[instead] = text[whole.start : quote.start] + op[instead] + text[quote.end : whole.end]
    return sure
