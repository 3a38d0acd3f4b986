"""A sentence that has a form: what stands in its slots, and what it is converted to (`Edit` or `Question`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rapidfuzz import fuzz

from draftsmith.assistant.builtin.masking import Slot, mask
from draftsmith.assistant.builtin.names import Names, is_pronoun
from draftsmith.assistant.builtin.new_things import New, check_name, check_text, doubt, quote_text, read_new
from draftsmith.assistant.builtin.refusal import UnclearSentence
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.ids import EdgeId, NodeId, slug, unique
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.model.vocabulary import DIRECTIONS, EDGE_KINDS, GROUP, NODE_TYPES
from draftsmith.transform.matching.section_ladder import match

Op = dict[str, Any]
_LIST = re.compile(r"\s?,\s?(?:and\s)?|\sand\s|\s?&\s?", re.IGNORECASE)  # masked text has single blanks
_ARTICLE = re.compile(r"^(?:an?|the|new|one)\s+", re.IGNORECASE)
CHOICES: Final = {
    "kind": EDGE_KINDS,
    "direction": DIRECTIONS,
    "type": tuple(kind for kind in NODE_TYPES if kind != GROUP),
}
"""What may be chosen in slots of these sorts."""
_OTHER_WORDS: Final = {
    **dict.fromkeys(("one way", "one-way"), "forward"),
    **dict.fromkeys(("both ways", "both directions", "two-way"), "both"),
    "no direction": "none",
}


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
        form: how the answer is worded (`questions`).
        about: what was asked about, for the answer.
    """

    tool: str
    input: Mapping[str, Any]
    form: str
    about: str = ""


@dataclass(frozen=True)
class Clause:
    """One sentence: its slots, and the names of the workspace as the sentences before leave it."""

    names: Names
    slots: Mapping[str, Slot]

    @property
    def diagram(self) -> Diagram:
        """The diagram that the sentence is about."""
        return self.names.workspace.diagram

    @property
    def outline(self) -> Outline:
        """The sections of the document that the sentence is about."""
        return self.names.workspace.document.outline

    # -- nodes -------------------------------------------------------------------------------------------------------

    def node(self, name: str = "node", *, exact: bool = False) -> NodeId:
        """The node in a slot."""
        return self.names.find(self.slots[name], exact=exact)

    def nodes(self, name: str = "nodes", *, exact: bool = False) -> list[NodeId]:
        """The nodes in a slot that may list several, each once."""
        slot = self.slots[name]
        try:
            return [self.names.find(slot, exact=exact)]
        except UnclearSentence:
            parts = self._split_list(slot)
            if len(parts) < 2:
                raise
        return list(dict.fromkeys(self.names.find(part, exact=exact) for part in parts))

    def _split_list(self, slot: Slot) -> list[Slot]:
        masked_text = mask(slot.raw, (pair for pair in self.names.within(slot.raw) if pair[1] not in ("and", "&", ",")))
        return [part.shift(slot.start) for part in masked_text.parts(_LIST) if part.raw]

    def labels_of(self, ids: Sequence[NodeId]) -> str:
        """For sentences: the labels of some nodes."""
        return name_list([self.names.quote(node_id) for node_id in ids])

    def group(self, name: str = GROUP, *, exact: bool = False) -> NodeId:
        """The group in a slot."""
        return self.names.find(self.slots[name], exact=exact, sort=GROUP)

    def two(self, *, exact: bool = False) -> tuple[NodeId, NodeId]:
        """The nodes in the slots `a` and `b`, which must differ."""
        one, other = self.node("a", exact=exact), self.node("b", exact=exact)
        if one == other:
            raise UnclearSentence("same", f"That names {self.names.quote(one)} twice; name two different nodes.")
        return one, other

    def new(self) -> New:
        """The new thing in the slot `new`; its label is free.

        Raises:
            UnclearSentence: `pronoun`, `name_unclear` or `exists`.
        """
        slot = self.slots["new"]
        if is_pronoun(slot):
            reason = f"I cannot tell what '{slot.text}' is. Say what it is and what it is called."
            raise UnclearSentence("pronoun", reason)
        new = read_new(slot, self.names.known_names)
        if not self.names.exactly(new.label):
            return new
        if new.is_another:
            return New(new.type, self.names.free(new.label), new.technology, True)
        instead = [f"another {_ARTICLE.sub('', slot.raw)}"]
        reason = f"There is a node called '{new.label}' already. Say 'another' if you want one more."
        raise UnclearSentence("exists", reason, slot, instead)

    def new_id(self, new: New) -> NodeId:
        """The id that a new node with connections gets; a group has none.

        Raises:
            UnclearSentence: `not_possible`.
        """
        if new.type == GROUP:
            raise UnclearSentence("not_possible", "A group has no connections of its own; connect what stands in it.")
        return NodeId(unique(slug(new.label) or f"{new.type}-1", self.diagram))

    # -- edges -------------------------------------------------------------------------------------------------------

    def address(self, edge_id: EdgeId) -> Op:
        """How operations address an edge: by its ends if it is the only one between them, else by id."""
        source, target = self.diagram.ends(edge_id) or NO_ENDS
        is_only = len(self.diagram.edges_between(source, target)) == 1
        return {"source": source, "target": target} if is_only else {"id": edge_id}

    def arrow(self, edge_id: EdgeId) -> str:
        """For sentences: `A → B (label)`."""
        source, target = self.diagram.ends(edge_id) or NO_ENDS
        label = (self.diagram.edge(edge_id) or {}).get("label")
        return f"{self.names.labels[source]} → {self.names.labels[target]}" + (f" ({label})" if label else "")

    def edge_label(self) -> str:
        """The label of a connection in the slot `label`."""
        label = self.quotation("label", "the label").strip()
        check_text(label, "label of a connection", 200)
        return label

    def choice(self, slot: str) -> str:
        """One of the fixed values that a slot takes.

        Raises:
            UnclearSentence: `kind_unknown` or `direction_unknown`.
        """
        written, values = self.slots[slot], CHOICES[slot]
        text = " ".join(written.text.lower().split())
        if (value := _OTHER_WORDS.get(text, text)) not in values:
            reason = f"The {slot} of a connection is one of {', '.join(values)}; '{written.text}' is none of them."
            raise UnclearSentence(f"{slot}_unknown", reason, written, values)
        return value

    # -- document and texts ------------------------------------------------------------------------------------------

    def section(self, name: str = "section", *, exact: bool = False) -> Section:
        """The section in a slot, found as operations find it.

        Raises:
            UnclearSentence: `section_not_found` or `section_ambiguous`.
        """
        slot, outline = self.slots[name], self.outline
        found = match(outline, slot.text, fuzzy=not exact).sections
        if len(found) == 1:
            return found[0]
        if found:
            paths = [quote_text(outline.path(section)) for section in found]
            reason = f"{len(found)} sections are called '{slot.text}': {', '.join(paths[:4])}. Give the whole path."
            raise UnclearSentence("section_ambiguous", reason, slot, paths[:4])
        raise self._no_section(slot, exact)

    def _no_section(self, slot: Slot, exact: bool) -> UnclearSentence:
        sections, low = self.outline.sections, slot.text.casefold()
        ranked = sorted(sections, key=lambda one: -fuzz.ratio(low, one.plain.casefold()))
        near = [one for one in ranked if not exact or fuzz.ratio(low, one.plain.casefold()) >= 75][:4]
        known = f" Nearest: {', '.join(repr(one.plain) for one in near)}." if near else ""
        instead = (quote_text(self.names.section_name(one)) for one in near)
        return UnclearSentence("section_not_found", f"The document has no section '{slot.text}'.{known}", slot, instead)

    def name(self, slot: str, of: str = "name") -> str:
        """A new name for something that is there.

        Raises:
            UnclearSentence: `name_unclear`, where it may hold more than the name.
        """
        check_name(self.slots[slot], self.names.known_names, of=of, has_numbers=of == "technology")
        return self.slots[slot].text.strip()

    def technology(self) -> str:
        """The technology in the slot of that name."""
        technology = self.name("technology", "technology")
        check_text(technology, "technology", 200, least=0)
        return technology

    def title(self, slot: str) -> str:
        """A new title of a section."""
        title = " ".join(self.name(slot, "title").split())
        if not title or title.startswith("#") or len(title) > 300 or "\x00" in title:
            raise UnclearSentence(
                "name_unclear", "A section's title is one line of at most 300 characters, without # marks."
            )
        return title

    def prose(self, slot: str) -> str:
        """A text that may only do without quotation marks where it is a few plain words.

        Raises:
            UnclearSentence: `unquoted`.
        """
        is_plain = doubt(self.slots[slot].raw, self.names.known_names, has_numbers=True) is None
        return self.slots[slot].text.strip() if is_plain else self.quotation(slot, "a text")

    def quotation(self, name: str, what: str = "text for the document") -> str:
        """A text that has to be in quotation marks, as written.

        Raises:
            UnclearSentence: `unquoted`.
        """
        slot = self.slots[name]
        if slot.is_quoted:
            return slot.text
        instead = [f'"{slot.text}"'] if '"' not in slot.text else ()
        raise UnclearSentence("unquoted", f"Put {what} into quotation marks: {quote_text(slot.text)}.", slot, instead)


def name_list(items: Sequence[str], most: int = 6) -> str:
    """`a, b and c`; beyond `most`, how many more there are."""
    shown = list(items[:most])
    if len(items) > most:
        return f"{', '.join(shown)} and {len(items) - most} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""
