"""Several sentences to offer for one that holds more than one: "add a cache and connect Orders to it".

Only offered, never carried out: each candidate is tried by the caller. Not here: which refusals offer them
(`suggestions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final

from draftsmith.assistant.builtin.forms import Edit
from draftsmith.assistant.builtin.grammar import FORMS, is_grammar, read
from draftsmith.assistant.builtin.masking import NAME, QUOTE, MaskedText, clauses, core, mask
from draftsmith.assistant.builtin.name_index import titles_within
from draftsmith.assistant.builtin.naming import Names
from draftsmith.assistant.builtin.new_names import one_each, quoted
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.assistant.builtin.template import Gap
from draftsmith.model.ids import NodeId
from draftsmith.model.workspace import Workspace

_CUT = re.compile(r",?\s(?:and|but|plus|&|\+)\s(?:also\s)?|,\s", re.IGNORECASE)
_REST = re.compile(
    r",?\s(?:because|since|so|that|which|who|whose|where|when|while|if|unless|as|for|instead|too|[-–—(])(?!\w).*",
    re.IGNORECASE | re.DOTALL,
)
_PRONOUN = re.compile(r"\b(?:it|them|that|this)\b", re.IGNORECASE)
_IN_SECTION = re.compile(rf"in (?:the )?(?:section )?[{NAME}{QUOTE}],? ", re.IGNORECASE)
_PLACED = re.compile(rf",?\s(?:to|in|into|inside|for|with|on|at|by)\s(?=[{NAME}{QUOTE}])", re.IGNORECASE)
_CONNECTED = re.compile(r",?\sand connect(?:ed)?(?: (?:it|them))? (to|with)\s", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"\w+(?: \w+)?")
_MOST_CUTS: Final = 4
_LISTED: Final = frozenset({"node", "nodes", "new", "title", "section", "kinds"})  # slots where several may be named


@cache
def verbs() -> frozenset[str]:
    """The words that sentences begin with; looked up when it is first needed, which takes a fifteenth of a second."""
    first = [parts[0] for form in FORMS for parts in form.variants[:8]]
    return frozenset(part.split()[0].lower() for part in first if isinstance(part, str) and part.strip())


@dataclass(frozen=True)
class Splitter:
    """One refused clause of a text.

    Attributes:
        text: all that was written.
        clause: the part of it that is refused.
        workspace, names: what it speaks of.
    """

    text: str
    clause: str
    workspace: Workspace
    names: Names

    def _masked(self) -> tuple[MaskedText, int, int]:
        known = [*self.names.within(self.clause), *titles_within(self.workspace, self.clause)]
        masked_text = mask(self.clause, [pair for pair in known if not is_grammar(pair[1])])
        return masked_text, *core(masked_text)

    def _whole(self, clause: str) -> str:
        """The text with another clause in the place of the refused one."""
        at = self.text.find(self.clause)
        blank = self.clause[: len(self.clause) - len(self.clause.lstrip())]
        return self.text[:at] + blank + clause + self.text[at + len(self.clause) :]

    def as_several(self) -> Iterator[str]:
        """The clause as several sentences.

        Cut where it is joined, fewest cuts first; then one for each of the things in one place; then cut, with the
        beginning carried over to the parts that leave it out.
        """
        yield from self._cut(carries=False)
        yield from self._one_each()
        yield from self._cut(carries=True)

    def _cut(self, *, carries: bool) -> Iterator[str]:
        masked_text, start, end = self._masked()
        cuts = [found.span() for found in _CUT.finditer(masked_text.masked, start, end)]
        for count in range(1, len(cuts) + 1 if len(cuts) <= _MOST_CUTS else 1):
            for chosen in combinations(cuts, count):
                edges = [start, *(place for cut in chosen for place in cut), end]
                parts = self._parts(masked_text, list(zip(edges[::2], edges[1::2], strict=True)), carries=carries)
                if parts is not None:
                    yield self._whole("; ".join(parts))

    def _parts(self, masked_text: MaskedText, spans: Sequence[tuple[int, int]], *, carries: bool) -> list[str] | None:
        """The parts as sentences; None where carrying words over makes no difference."""
        parts = [masked_text.slot(*spans[0]).raw]
        has_carried = False
        for span in spans[1:]:
            part = self._referring(masked_text, span, parts[-1])
            head = self._head(masked_text, spans[0], masked_text.masked[slice(*span)]) if carries else ""
            has_carried = has_carried or bool(head)
            parts.append(head + part)
        return parts if has_carried or not carries else None

    def _head(self, masked_text: MaskedText, first: tuple[int, int], part: str) -> str:
        """The beginning of the first part that a later one leaves out: its verb, or its section and its verb."""
        start, end = first
        verb = part.partition(" ")[0].lower()
        section = _IN_SECTION.match(masked_text.masked, start, end)
        begin = start if section is None else section.end()
        if verb in verbs():
            return "" if section is None else masked_text.slot(start, begin).raw + " "
        quote = masked_text.masked.find(QUOTE, begin, end)
        if part.startswith(QUOTE) and quote > 0:
            return masked_text.slot(start, quote).raw + " "
        blank = masked_text.masked.find(" ", begin, end)
        return masked_text.slot(start, blank).raw + " " if blank > 0 else ""

    def _referring(self, masked_text: MaskedText, span: tuple[int, int], before: str) -> str:
        """A part with "it" replaced by what the part before it speaks of."""
        found = _PRONOUN.search(masked_text.masked, *span)
        name = "" if found is None else self._spoken_of(before)
        if found is None or not name:
            return masked_text.slot(*span).raw
        first, last = masked_text.offsets[found.start()], masked_text.offsets[found.end()]
        begin, end = masked_text.offsets[span[0]], masked_text.offsets[span[1]]
        return (self.clause[begin:first] + name + self.clause[last:end]).strip()

    def _spoken_of(self, sentence: str) -> str:
        """A name of what a sentence makes, renames or mentions; empty if there is none."""
        try:
            made = read(sentence, self.workspace, self.names)
        except Unclear:
            return ""
        for one in made.operations if isinstance(made, Edit) else ():
            shape = one["node"] if isinstance(one.get("node"), dict) else one
            name = shape.get("label") or shape.get("title")
            if name and one["op"] not in ("add_edge", "update_edge"):
                return name if _PLAIN_NAME.fullmatch(name) else quoted(name)
            for field in ("id", "target"):  # of two ends the one named last
                if isinstance(one.get(field), str) and one[field] in self.names.labels:
                    return self.names.call(NodeId(one[field]))
        return ""

    def _one_each(self) -> Iterator[str]:
        masked_text, start, end = self._masked()
        for form in FORMS:
            found = form.pattern.fullmatch(masked_text.masked, start, end)
            if found is None:
                continue
            sorts = {part.name: part.sort for variant in form.variants for part in variant if isinstance(part, Gap)}
            for slot in found.re.groupindex:
                if sorts[slot] in _LISTED and not (form.is_risky and sorts[slot] == "new"):
                    yield from self._spread(masked_text, found.span(slot), (start, end))
            return

    def as_named(self) -> Iterator[str]:
        """The clause with "it" replaced by what the clause before it speaks of."""
        before = self.text[: self.text.find(self.clause)] + " "  # ends after "then", which is one only before a blank
        spans = clauses(mask(before, self.names.within(before)))
        if spans:
            masked_text, start, end = self._masked()
            yield self._whole(self._referring(masked_text, (start, end), before[slice(*spans[-1])]))

    def as_continued(self) -> Iterator[str]:
        """The clause with the verb of the one before it: "add a cache; and a queue"."""
        before = re.split(r"[;\n]|\. ", self.text[: self.text.find(self.clause)].rstrip(" ;,.\n"))[-1]
        rest = re.sub(r"^\s*(?:(?:and|also|or|plus)\s+)+", "", self.clause, flags=re.IGNORECASE).strip()
        verb = before.split()[:1]
        if verb and verb[0].lower() in verbs():
            yield self._whole(f"{verb[0]} {rest}")

    def as_one(self) -> Iterator[str]:
        """The clause with a place as the forms say it, or without the reason at its end."""
        masked_text, start, end = self._masked()
        for pattern, new in ((_CONNECTED, r" connected \1 "), (_PLACED, " to group "), (_PLACED, " connected to ")):
            found = pattern.search(masked_text.masked, start, end)
            if found is not None:
                front, back = masked_text.slot(start, found.start()), masked_text.slot(found.end(), end)
                yield self._whole(front.raw + found.expand(new) + back.raw)
        rest = _REST.search(masked_text.masked, start, end)
        if rest is not None:
            yield self._whole(masked_text.slot(start, rest.start()).raw)

    def _spread(self, masked_text: MaskedText, span: tuple[int, int], whole: tuple[int, int]) -> Iterator[str]:
        """A sentence for each thing that stands in a slot."""
        if span == (-1, -1):
            return
        cuts = [place for cut in _CUT.finditer(masked_text.masked, *span) for place in cut.span()]
        edges = [span[0], *cuts, span[1]]
        things = [masked_text.slot(*piece).raw for piece in zip(edges[::2], edges[1::2], strict=True)]
        counted = [one_each(thing) or [thing] for thing in things]
        values = [value for several in counted for value in several]
        if len(values) < 2 and values == things:
            return
        front, back = masked_text.slot(whole[0], span[0]).raw, masked_text.slot(span[1], whole[1]).raw
        for all_new in (False, True):
            said = [re.sub(r"^an? ", "another ", value) for value in values] if all_new else values
            yield self._whole("; ".join(" ".join(filter(None, (front, value, back))) for value in said))
