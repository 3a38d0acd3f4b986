"""What must come of an operation on a document: by splicing strings, and where no rule is known, by playing it plainly.

A rule asks no part of the product. Without one, what the product makes of the operation as it is meant has to come of
it however it is misquoted, and text outside of the sections that it names has to stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from draftsmith.errors import BatchRejected
from draftsmith.transform.steps.steps import text_step_of
from draftsmith.transform.transaction import in_code_points
from tests.builders import run, workspace_of
from tests.noise.samples import Part, Sample
from tests.simulation.relay.checking import Unexpected, is_outside_kept
from tests.simulation.relay.naive import Change, difference, one_way
from tests.simulation.relay.plan import Op
from tests.simulation.relay.quoting import careful_quote
from tests.simulation.relay.values import Quotation, SectionName, plain

Span = tuple[int, int]


@dataclass(frozen=True)
class Outcome:
    """What becomes of a document.

    Attributes:
        changes: of its text.
        touched: spans that belong to it, from which others stay away.
        named: the sections that it names, where they are more than that.
        heading: level and title of the heading above a text that is sent; models like to send it once more.
        quoted: the stretches whose words it quotes, once each.
        what: is quoted, for the row of the table.
        is_known: whether it is by a rule.
    """

    changes: Sequence[Change]
    touched: Sequence[Span]
    named: Sequence[Span] = ()
    heading: tuple[int, str] | None = None
    quoted: Sequence[Span] = ()
    what: str = ""
    is_known: bool = True


Rule = Callable[[Sample, Op], Outcome | None]


def outcome_of(sample: Sample, op: Op, rules: Mapping[str, Rule]) -> Outcome | None:
    """What must come of an operation; None if it does not fit the document, or changes nothing.

    Raises:
        Unexpected: where no rule is known, if text outside of the sections that it names changes.
    """
    found = rules[op["op"]](sample, op) if op["op"] in rules else None
    return found or _by_playing(sample, op)


# -- by playing it -----------------------------------------------------------------------------------------------------


def _by_playing(sample: Sample, op: Op) -> Outcome | None:
    text, workspace = sample.text, workspace_of(text=sample.text)
    try:
        step = text_step_of(run(workspace, plain(op)).steps)
    except BatchRejected:
        return None
    if step is None:
        return None
    named = [_named_span(sample, value) for value in op.values() if isinstance(value, SectionName)] or [(0, len(text))]
    now = workspace.document.text
    if not is_outside_kept(sorted(_with_blanks(text, span) for span in named), text, now):
        raise Unexpected("text outside the named section changed", f"   {difference(text, now)}\n   {plain(op)}")
    written = list(in_code_points(text, step.changes))
    quotes = [value.quote for value in op.values() if isinstance(value, Quotation) and value.quote is not None]
    return Outcome(
        changes=[one_way(one.start, one.end, one.inserted) for one in written],
        touched=[*((one.start, one.end) for one in written), *named],
        named=named,
        quoted=[(quote.start, quote.end) for quote in quotes],
        is_known=False,
    )


def _named_span(sample: Sample, name: SectionName) -> Span:
    if name.part is not None:
        return name.part.start, name.part.end
    return 0, sample.parts[0].start if sample.parts else len(sample.text)


def _with_blanks(text: str, span: Span) -> Span:
    """A span with the line ends around it, which operations set."""
    start, end = span
    return len(text[:start].rstrip("\n")), len(text) - len(text[end:].lstrip("\n"))


# -- by rules ----------------------------------------------------------------------------------------------------------


def _edited(sample: Sample, op: Op) -> Outcome | None:
    """Another text in place of quoted words; of a word, wherever it stands."""
    part, find, new = op["section"].part, op["find"], str(op["replace"])
    if find.quote is None:
        return _all_edited(sample, part, find, new) if op.get("all") else _line_edited(sample, find, new)
    quote, careful = find.quote, careful_quote(find.quote)
    if careful is None or new == quote.true:
        return None
    return Outcome(
        changes=[one_way(quote.start, quote.end, new)],
        touched=[lines_around(sample.text, careful.start, careful.end)],
        named=[_all_of(part)],
        quoted=[(quote.start, quote.end)],
        what=f": {quote.shape}",
    )


def _all_edited(sample: Sample, part: Part, find: Quotation, new: str) -> Outcome:
    found = re.finditer(re.escape(find), sample.text[part.start : part.end])
    changes = [one_way(part.start + one.start(), part.start + one.end(), new) for one in found]
    return Outcome(list(changes), [_all_of(part)], [_all_of(part)], what=", all")


def _line_edited(sample: Sample, find: Quotation, new: str) -> Outcome:
    """A line before the first heading, which the empty path names."""
    start, before = sample.text.index(find), sample.parts[0].start
    end = start + len(find)
    line = start, end
    return Outcome([one_way(start, end, new)], [line], [(0, before)], quoted=[line], what=": line")


def lines_around(text: str, start: int, end: int) -> Span:
    """A span, widened to whole lines."""
    stop = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if stop < 0 else stop


def _own(part: Part) -> Span:
    return part.start, part.own_end


def _all_of(part: Part) -> Span:
    return part.start, part.end


def core_of(sample: Sample, part: Part) -> Span | None:
    """A section's own text without the blank lines around it; None if it has none."""
    filled = [line for line in sample.lines(part) if line.text.strip()]
    return (filled[0].start, filled[-1].end) if filled else None


def _replaced(sample: Sample, op: Op) -> Outcome | None:
    """A text in place of a section's own text; the blank lines around that stay."""
    part = op["section"].part
    core = None if part is None or op.get("scope") == "subtree" else core_of(sample, part)
    if core is None:
        return None
    new = op["text"].rstrip(" \t\n")  # blanks at the very end of a text that is sent are not kept
    return Outcome([one_way(*core, new)], [_own(part)], heading=part.chain[-1])


def _appended(sample: Sample, op: Op) -> Outcome | None:
    """A text at the end of a section's own text, where it cannot continue a list or a table."""
    part = op["section"].part
    core = None if part is None else core_of(sample, part)
    begins = "item" if re.match(r"[-*+] |\d+[.)] ", op["text"]) else "row" if op["text"].startswith("|") else ""
    if core is None or begins in {line.kind for line in sample.lines(part)}:
        return None
    return Outcome([one_way(core[1], core[1], f"\n\n{op['text']}")], [_own(part)], heading=part.chain[-1])


def _inserted(sample: Sample, op: Op) -> Outcome | None:
    """A section beside or in another, or at the end."""
    beside = [(place, op[place].part) for place in ("before", "after", "into") if place in op]
    place, part = beside[0] if beside else ("", None)
    if (beside and part is None) or not (beside or "level" in op):
        return None
    at = len(sample.text) if part is None else part.start if place == "before" else part.end
    level = op["level"] if "level" in op else min(6, part.chain[-1][0] + (place == "into"))
    body = f"\n\n{op['text']}" if op.get("text") else ""
    change = standing(sample.text, at, f"{'#' * level} {op['title']}{body}")
    return Outcome([change], [(at, at), *([] if part is None else [_own(part)])], heading=(level, op["title"]))


def standing(text: str, at: int, piece: str) -> Change:
    """A section between two others: a blank line before and after it, none that is there already doubled."""
    before = text[:at]
    lead = "" if not before.strip("\ufeff \t\n") or re.search(r"\n[ \t]*\n\Z", before) else "\n"
    lead = lead if not before or before.endswith("\n") else "\n\n"
    return one_way(at, at, lead + piece.rstrip("\n") + ("\n\n" if at < len(text) else "\n"))


def _deleted(sample: Sample, op: Op) -> Outcome | None:
    part = op["section"].part
    return None if part is None else Outcome([_taken_out(sample, part)], [_all_of(part)])


def _taken_out(sample: Sample, part: Part) -> Change:
    """A section goes; at the end of the text, also the blank lines before it."""
    text, start = sample.text, part.start
    if part.end == len(text):
        above = text[:start].rstrip("\n")
        start = min(len(above) + 1, start) if above else start
    # A setext heading that follows must not become one with the line before it.
    follows = part.end < len(text) and not re.match(r" {0,3}#", text[part.end :])
    joins = follows and bool(text[:start].strip()) and not text[:start].endswith("\n\n")
    return one_way(start, part.end, "\n" if joins else "")


def _renamed(sample: Sample, op: Op) -> Outcome | None:
    """Another title in a heading; its marks or its underline stay."""
    part = op["section"].part
    if part is None:
        return None
    old = sample.text[part.start : part.body]
    end = "\n" if old.endswith("\n") else ""
    marks = re.match(r" {0,3}#{1,6}(?=[ \t]|\n|\Z)", old)
    new = f"{marks[0]} {op['title']}{end}" if marks else f"{op['title']}\n{old.rstrip().splitlines()[-1]}{end}"
    return Outcome([one_way(part.start, part.body, new)], [_own(part)])


def _moved(sample: Sample, op: Op) -> Outcome | None:
    """A section before or after another one of its level, so that no heading changes, and not at the end."""
    part, places = op["section"].part, [place for place in ("before", "after") if place in op]
    beside = op[places[0]].part if places else None
    if part is None or beside is None or beside.chain[-1][0] != part.chain[-1][0]:
        return None
    at = beside.start if places == ["before"] else beside.end
    if part.start <= at <= part.end or len(sample.text) in (at, part.end):
        return None
    put = standing(sample.text, at, sample.text[part.start : part.end])
    return Outcome([_taken_out(sample, part), put], [_all_of(part), (at, at), _own(beside)])


RULES: Mapping[str, Rule] = MappingProxyType({
    "edit_section": _edited,
    "replace_section": _replaced,
    "append_to_section": _appended,
    "insert_section": _inserted,
    "delete_section": _deleted,
    "rename_section": _renamed,
    "move_section": _moved,
})  # fmt: skip
"""The operations of which it is known what must come of them."""
