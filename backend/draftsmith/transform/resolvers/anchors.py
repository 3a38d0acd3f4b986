"""Keeps links to headings, `[x](#notes)`, on the sections that they mean, whatever an operation does to the headings.

A heading that gets another address (it was renamed, or equal ones are numbered otherwise) takes its links along, in the
steps of the operation that did it. Links whose heading is gone stay, and are told (`KnownAnchors.gone`). Links in text
that the operation itself brought are left as they were written. Not here: what addresses are (`markdown.anchors`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import quote

from draftsmith.model.markdown.anchors import Anchors, HeadingLink, base_anchor
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.utf16 import to_units
from draftsmith.transform import costs
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.steps.changeset import Change
from draftsmith.transform.steps.steps import text_step_of
from draftsmith.transform.steps.written_spans import WrittenPlaces
from draftsmith.transform.transaction import KnownAnchors, Transaction, in_code_points

FOLLOWED: Final = frozenset(
    {
        "edit_section",
        "replace_section",
        "append_to_section",
        "insert_section",
        "delete_section",
        "move_section",
        "rename_section",
        "replace_document",
    }
)
"""Operations whose headings are followed. What is typed is not: every key would be another name."""

_RENAMING: Final = frozenset({"edit_section", "rename_section", "move_section"})
"""Those after which as many headings in a stretch as before are the same, under whatever titles."""

_OWN_LINKS: Final = frozenset({"rename_section", "move_section"})
"""Those that bring no text of a caller's: links in what they write were there before."""

_QUOTED: Final = re.compile(r"(\](?:\(\s*+|:\s*+)<?#)([^\s()<>]++)")
_LISTED: Final = 5


def keep_links(tx: Transaction, op: str, before: Outline, steps: int) -> None:
    """Write links anew whose headings have got another address by an operation.

    Args:
        tx: just after the operation.
        op: its name.
        before: the outline before it.
        steps: how many steps there were before it.
    """
    step = text_step_of(tx.steps[steps:])
    if step is None:
        return
    after = tx.workspace.document.outline
    changes = list(in_code_points(before.text, step.changes))
    kept = _HeadingPairs(before.anchors, after.anchors, changes, op)
    if kept.is_everything:
        return
    _spend_on_names(tx, before)
    _spend_on_names(tx, after)
    called = kept.new_titles(_linked_addresses(tx, after))
    if called or tx.anchors.gone:
        _write_anew(tx, kept, called, op)


def links_left(tx: Transaction) -> list[HeadingLink]:
    """The links whose headings a batch took away, once all its operations are applied."""
    if not tx.anchors.gone:
        return []
    written = WrittenPlaces([*tx.own_spans, *tx.followed])
    links = tx.workspace.document.outline.anchors.links_named(tx.anchors.gone)
    return [one for one in links if not written.meet(one.start, one.end)]


def following(tx: Transaction) -> frozenset[tuple[int, int]]:
    """The changes of the text before a finished batch that only take links along, as spans in UTF-16 units."""
    step = text_step_of(tx.steps) if tx.followed else None
    if step is None:
        return frozenset()
    unit = to_units(tx.workspace.document.text)
    followed = sorted((unit(one.start), unit(one.end)) for one in tx.followed)
    found: set[tuple[int, int]] = set()
    for change in step.changes.changes():
        number = bisect_right(followed, change.new_start, key=lambda span: span[0]) - 1
        if number >= 0 and change.new_end <= followed[number][1]:
            found.add((change.start, change.end))
    return frozenset(found)


def as_it_stands(tx: Transaction, op: ops.EditSection) -> ops.EditSection:
    """The same edit, its quotation with the addresses that earlier operations of the batch have given to links."""
    now = tx.anchors.now
    if not now or op.find in tx.workspace.document.text:
        return op

    def with_new(text: str) -> str:
        return _QUOTED.sub(lambda found: found[1] + now.get(found[2], found[2]), text)

    return op.model_copy(update={"find": with_new(op.find), "replace": with_new(op.replace)})


class _HeadingPairs:
    """Which heading is which after an operation."""

    def __init__(self, before: Anchors, after: Anchors, changes: Sequence[Change], op: str) -> None:
        self.before, self.after, self._changes = before, after, changes
        old = [_met(before, one.start, one.end) for one in changes]
        new = [_met(after, one.new_start, one.new_end) for one in changes]
        if op == "move_section":  # what is cut out at one place is put in at another
            old, new = [[number for some in old for number in some]], [[number for some in new for number in some]]
        self._pairs: dict[int, int] = {}
        for was, now in zip(old, new, strict=True):
            self._pairs |= _pair_headings(before, after, was, now, is_renaming=op in _RENAMING)
        self._met = {number for some in old for number in some}
        self.made = {number for some in new for number in some} - set(self._pairs.values())
        self.is_everything = not self._met and not self.made and before.count == after.count

    def now(self, number: int) -> int | None:
        """The number of a heading after the operation; None if it is gone."""
        if number in self._met:
            return self._pairs.get(number)
        start = self.before.heading(number).start
        before = bisect_right(self._changes, start, key=lambda change: change.end)
        if before:
            start += self._changes[before - 1].new_end - self._changes[before - 1].end
        found = self.after.count_before(start)
        return found if found < self.after.count and self.after.heading(found).start == start else None

    def new_titles(self, names: Iterable[str]) -> dict[str, str]:
        """What the headings of some addresses are called now, if they have another one; empty for none."""
        by_name, after = self.before.by_name, self.after.names
        numbers = {name: self.now(by_name[name]) for name in names if name in by_name}
        now = {name: "" if number is None else after[number] for name, number in numbers.items()}
        return {name: other for name, other in now.items() if other != name}

    def is_new(self, link: HeadingLink) -> bool:
        """Whether a link stands in what the operation wrote."""
        before = bisect_right(self._changes, link.start, key=lambda change: change.new_start)
        return before > 0 and link.start < self._changes[before - 1].new_end


def _met(anchors: Anchors, start: int, end: int) -> list[int]:
    """The headings that a span reaches into; text inserted at either border of one stays outside."""
    first = max(0, anchors.count_before(start) - 1)
    beyond = anchors.count_before(end)
    return [
        number
        for number in range(first, beyond)
        for heading in [anchors.heading(number)]
        if heading.start < end and start < heading.body
    ]


def _pair_headings(
    before: Anchors, after: Anchors, was: Sequence[int], now: Sequence[int], *, is_renaming: bool
) -> dict[int, int]:
    """Which of the headings in a stretch is which: those of one title first, in order."""
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    for number in now:
        waiting[base_anchor(after.heading(number).title)].append(number)
    pairs: dict[int, int] = {}
    for number in was:
        same = waiting[base_anchor(before.heading(number).title)]
        if same:
            pairs[number] = same.popleft()
    gone = [number for number in was if number not in pairs]
    made = sorted(number for some in waiting.values() for number in some)
    return pairs | dict(zip(gone, made, strict=True)) if is_renaming and len(gone) == len(made) else pairs


def _write_anew(tx: Transaction, kept_headings: _HeadingPairs, called: Mapping[str, str], op: str) -> None:
    """Write links anew whose headings are called otherwise now, and remember those whose headings are gone."""
    _spend_on_links(tx, called)
    links = [
        one for one in kept_headings.after.links_named(called) if op in _OWN_LINKS or not kept_headings.is_new(one)
    ]
    new = {one.name: called[one.name] for one in links if called[one.name]}
    gone = {one.name for one in links if not called[one.name]}
    names = kept_headings.after.names
    known = tx.anchors
    left = (known.gone - {names[number] for number in kept_headings.made}) | gone
    if op == "replace_document":  # the caller has written all of it
        tx.anchors = replace(known, gone=left | new.keys())
        return
    chained = {name: new.get(other, other) for name, other in known.now.items()}
    tx.anchors = KnownAnchors({**new, **chained}, left)
    followed = [link for link in links if link.name in new]
    if followed:
        spans = [(link.start, link.end, _address_like(link.address, new[link.name])) for link in followed]
        tx.change_text(spans, follows=True)
        tx.warn("links_followed", "", _links_message(followed, new), [f"#{name}" for name in [*new.values()][:_LISTED]])


def _address_like(address: str, name: str) -> str:
    """An address in the form of the one that stood there."""
    return quote(name) if "%" in address else name


def _links_message(links: Sequence[HeadingLink], new: dict[str, str]) -> str:
    """Say which links were rewritten, and how."""
    lines = list(dict.fromkeys(str(link.line) for link in links))
    shown = ", ".join(lines[:_LISTED]) + (" …" if len(lines) > _LISTED else "")
    names = list(dict.fromkeys(link.name for link in links))
    each = [f"'#{name}' is now '#{new[name]}'" for name in names[:_LISTED]] + ["…"] * (len(names) > _LISTED)
    count = f"{len(links)} links" if len(links) > 1 else "1 link"
    return f"{count} to headings followed them (line{'s' * (len(lines) > 1)} {shown}): {', '.join(each)}."


def _linked_addresses(tx: Transaction, outline: Outline) -> Sequence[str]:
    """The addresses that links of a text may mean; each of its segments is spent on once."""
    units = 0
    found: dict[str, None] = {}
    for number, one in enumerate(outline.segments.all):
        if id(one) not in tx.paid.looked_at:
            tx.paid.looked_at[id(one)] = one
            units += one.length // 4
        found |= dict.fromkeys(sorted(outline.anchors.named_in(number)))
    tx.work.spend(units + costs.LINK * len(found), costs.HEADINGS)
    return [*found]


def _spend_on_names(tx: Transaction, outline: Outline) -> None:
    """Spend on telling the addresses of a text apart, and on reading titles with marks once."""
    units = costs.ANCHOR * outline.anchors.count
    for number, one in enumerate(outline.segments.all):
        if id(one) not in tx.paid.named:
            tx.paid.named[id(one)] = one
            units += costs.MARKED_TITLE * outline.anchors.marked_length(number)
    tx.work.spend(units, costs.HEADINGS)


def _spend_on_links(tx: Transaction, names: Collection[str]) -> None:
    """Spend on reading the segments that may have links to some addresses, once on each."""
    outline, units = tx.workspace.document.outline, 0
    for number in outline.anchors.naming(names):
        one = outline.segments.all[number]
        if id(one) not in tx.paid.links:
            tx.paid.links[id(one)] = one
            begin = outline.segments.begin(number)
            units += costs.reading(outline.text, begin, begin + one.length)
    tx.work.spend(units, costs.HEADINGS)
