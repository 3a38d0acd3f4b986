"""A form of sentence, what it is converted to (`Edit` or `Question`), and the clause that is being read.

The forms themselves are in `node_edits`, `edge_edits`, `document_edits` and `questions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any, Literal

from rapidfuzz import fuzz

from draftsmith.assistant.builtin.masking import Slot, mask
from draftsmith.assistant.builtin.name_index import titles_within
from draftsmith.assistant.builtin.naming import Names, is_pronoun
from draftsmith.assistant.builtin.new_names import check_name, doubt, quoted, title_instead
from draftsmith.assistant.builtin.phrases import New, read_new
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.assistant.builtin.template import Variant, pattern, variants, words
from draftsmith.model.diagram import NO_ENDS
from draftsmith.model.ids import EdgeId, NodeId, slug, unique
from draftsmith.model.markdown.sections import Section
from draftsmith.model.vocabulary import GROUP
from draftsmith.model.workspace import Workspace
from draftsmith.transform.matching.section_ladder import match

Op = dict[str, Any]
Topic = Literal["diagram", "document"]
_AROUND_TITLE = re.compile(r"^the\s++|(?<!\s)\s++section$", re.IGNORECASE)
_LIST = re.compile(r"\s?,\s?(?:and\s)?|\sand\s|\s?&\s?", re.IGNORECASE)  # masked text has single blanks


@dataclass(frozen=True, slots=True)
class Edit:
    """What a command asks for.

    Attributes:
        operations: as docs/operations.md; all on the diagram or all on the document.
        sentence: what they do, in words that hold for a commit and for a proposal.
    """

    operations: Sequence[Op]
    sentence: str


@dataclass(frozen=True, slots=True)
class Question:
    """A call of a reading tool.

    Attributes:
        tool, input: the call.
        form: how the answer is worded (`answers`).
        about: what was asked about, for the answer.
    """

    tool: str
    input: Mapping[str, Any]
    form: str
    about: str = ""


@dataclass(frozen=True)
class Form:
    """One form of sentence.

    Attributes:
        key: stable name.
        template: see `template`.
        build: from the clause to what it asks for; raises Unclear.
        topic: whether its names are those of nodes or of sections.
        is_risky: it takes something away, so it is not offered unless asked for.
        pair: whether its two nodes are connected (`edge`) or not (`free`) where it makes sense.
    """

    key: str
    template: str
    build: Callable[[Clause], Edit | Question]
    topic: Topic = "diagram"
    _: KW_ONLY
    is_risky: bool = False
    pair: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What reads a masked clause."""
        return pattern(self.template)

    @cached_property
    def variants(self) -> list[Variant]:
        """The plain sequences it stands for."""
        return variants(self.template)

    @cached_property
    def words(self) -> set[str]:
        """Its words of grammar."""
        return words(self.template)


@dataclass(frozen=True)
class Clause:
    """A clause that has a form: its slots, and the workspace as the clauses before leave it."""

    workspace: Workspace
    names: Names
    slots: Mapping[str, Slot]
    _made: list[str] = field(default_factory=list)

    # -- nodes -------------------------------------------------------------------------------------------------------

    def node(self, name: str, *, exact: bool = False) -> NodeId:
        """The node in a slot."""
        return self.names.find(self.slots[name], exact=exact)

    def nodes(self, name: str, *, exact: bool = False) -> list[NodeId]:
        """The nodes in a slot that may list several, each once."""
        slot = self.slots[name]
        try:
            return [self.names.find(slot, exact=exact)]
        except Unclear:
            parts = self._listed(slot)
            if len(parts) < 2:
                raise
        return list(dict.fromkeys(self.names.find(part, exact=exact) for part in parts))

    def _listed(self, slot: Slot) -> list[Slot]:
        masked_text = mask(slot.raw, (pair for pair in self.names.within(slot.raw) if pair[1] not in ("and", "&", ",")))
        cuts = [place for cut in _LIST.finditer(masked_text.masked) for place in cut.span()]
        edges = [0, *cuts, len(masked_text.masked)]
        spans = zip(edges[::2], edges[1::2], strict=True)
        parts = (masked_text.slot(start, end) for start, end in spans)
        return [Slot(p.raw, p.start + slot.start, p.end + slot.start, p.is_quoted) for p in parts if p.raw]

    def group(self, name: str, *, exact: bool = False) -> NodeId:
        """The group in a slot."""
        return self.names.find(self.slots[name], exact=exact, sort=GROUP)

    def two(self, *, exact: bool = False) -> tuple[NodeId, NodeId]:
        """The nodes in the slots `a` and `b`, which must differ."""
        one, other = self.node("a", exact=exact), self.node("b", exact=exact)
        if one == other:
            raise Unclear("same", f"That names {self.names.quoted(one)} twice; name two different nodes.")
        return one, other

    def new(self, name: str = "new") -> New:
        """The new thing in a slot; its label is free.

        Raises:
            Unclear: `pronoun`, `name_unclear` or `exists`.
        """
        slot = self.slots[name]
        if is_pronoun(slot):
            raise Unclear(
                "pronoun", f"I cannot tell what '{slot.text}' stands for. Say what it is and what it is called."
            )
        new = read_new(slot, self._known)
        there = self.names.exactly(new.label)
        if not there:
            return new
        if new.is_another:
            return New(new.type, self._numbered(new.label), new.technology, True)
        instead = ((slot.start, slot.end, f"another {_without_article(slot.raw)}"),)
        reason = f"There is a node called '{new.label}' already. Say 'another' if you want one more."
        raise Unclear("exists", reason, instead)

    def _known(self, text: str) -> list[tuple[str, str]]:
        """The names that are there and stand in a new one."""
        return [*self.names.within(text), *titles_within(self.workspace, text)]

    def name(self, slot: str, of: str = "name") -> str:
        """A new name for something that is there.

        Raises:
            Unclear: `name_unclear`, where it may hold more than the name.
        """
        check_name(self.slots[slot], self._known, of=of)
        return self.literal(slot)

    def title(self, slot: str) -> str:
        """A new title of a section; "about backups" is none."""
        try:
            return self.name(slot, "title")
        except Unclear as unclear:
            raise Unclear(unclear.kind, unclear.reason, (*title_instead(self.slots[slot]), *unclear.instead)) from None

    def prose(self, slot: str) -> str:
        """A text that may only do without quotation marks where it is a few plain words.

        Raises:
            Unclear: `unquoted`.
        """
        return self.literal(slot) if not doubt(self.slots[slot].raw, self._known) else self.quotation(slot, "a text")

    def _numbered(self, label: str) -> str:
        number = 2
        while self.names.exactly(f"{label} {number}"):
            number += 1
        return f"{label} {number}"

    def new_id(self, new: New) -> NodeId:
        """The id that a new node gets; free, and not given twice by one clause."""
        taken = self.workspace.diagram
        base = slug(new.label) or f"{new.type}-1"
        return NodeId(unique(base, taken))

    # -- edges -------------------------------------------------------------------------------------------------------

    def edges(self, source: NodeId, target: NodeId) -> list[EdgeId]:
        """Ids of the edges from one node to another."""
        return self.workspace.diagram.edges_between(source, target)

    def address(self, edge_id: EdgeId) -> Op:
        """How operations address an edge: by its ends if it is the only one between them, else by id."""
        source, target = self.workspace.diagram.ends(edge_id) or NO_ENDS
        return {"source": source, "target": target} if len(self.edges(source, target)) == 1 else {"id": edge_id}

    def arrow(self, edge_id: EdgeId) -> str:
        """For sentences: `A → B (label)`."""
        source, target = self.workspace.diagram.ends(edge_id) or NO_ENDS
        label = (self.workspace.diagram.edge(edge_id) or {}).get("label")
        return f"{self.names.labels[source]} → {self.names.labels[target]}" + (f" ({label})" if label else "")

    # -- document and texts ------------------------------------------------------------------------------------------

    def section(self, name: str, *, exact: bool = False) -> Section:
        """The section in a slot, found as operations find it.

        Raises:
            Unclear: `section_not_found` or `section_ambiguous`.
        """
        slot, outline = self.slots[name], self.workspace.document.outline
        found = match(outline, slot.text, fuzzy=not exact).sections
        if not found:
            found = match(outline, _AROUND_TITLE.sub("", slot.text), fuzzy=not exact).sections
        if len(found) == 1:
            return found[0]
        if found:
            paths = [quoted(outline.path(section)) for section in found]
            reason = f"{len(found)} sections are called '{slot.text}': {', '.join(paths[:4])}. Give the whole path."
            raise Unclear("section_ambiguous", reason, tuple((slot.start, slot.end, path) for path in paths[:4]))
        raise self._no_section(slot, exact)

    def _no_section(self, slot: Slot, exact: bool) -> Unclear:
        outline = self.workspace.document.outline
        ranked = sorted(outline.sections, key=lambda one: -fuzz.ratio(slot.text.casefold(), one.plain.casefold()))
        near = [one for one in ranked if not exact or fuzz.ratio(slot.text.casefold(), one.plain.casefold()) >= 75][:4]
        known = f" Nearest: {', '.join(repr(one.plain) for one in near)}." if near else ""
        reason = f"The document has no section '{slot.text}'.{known}"
        return Unclear(
            "section_not_found", reason, tuple((slot.start, slot.end, quoted(self._titled(one))) for one in near)
        )

    def _titled(self, section: Section) -> str:
        outline = self.workspace.document.outline
        return section.plain if len(outline.by_title.get(section.plain, ())) == 1 else outline.path(section)

    def path(self, name: str, *, exact: bool = False) -> str:
        """The full path of the section in a slot."""
        return self.workspace.document.outline.path(self.section(name, exact=exact))

    def literal(self, name: str) -> str:
        """What was written in a slot, without quotation marks around it."""
        return self.slots[name].text.strip()

    def quotation(self, name: str, what: str = "text for the document") -> str:
        """A text that has to be in quotation marks, as written.

        Raises:
            Unclear: `unquoted`.
        """
        slot = self.slots[name]
        if slot.is_quoted:
            return slot.text
        reason = f"Put {what} into quotation marks: {quoted(slot.text)}."
        instead = ((slot.start, slot.end, f'"{slot.text}"'),) if '"' not in slot.text else ()
        raise Unclear("unquoted", reason, instead)


def listed(items: Sequence[str], most: int = 6) -> str:
    """`a, b and c`; beyond `most`, how many more there are."""
    shown = list(items[:most])
    if len(items) > most:
        return f"{', '.join(shown)} and {len(items) - most} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""


def _without_article(text: str) -> str:
    return re.sub(r"^(?:an?|the|new|one)\s+", "", text, flags=re.IGNORECASE)
