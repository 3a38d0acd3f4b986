"""Resolve names to nodes: exact names first, then similar ones where that does no harm, else a refusal.

Similarity alone does not decide: "Worker 2" is 88 % similar to "Worker 3", and "what Orders uses" contains "Orders". So
numbers must agree, and every word that was written must be in the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import count
from typing import Final

from rapidfuzz import fuzz, process, utils

from draftsmith.assistant.builtin.masking import Slot, comparable_name, folded_name, word_set
from draftsmith.assistant.builtin.refusal import UnclearSentence
from draftsmith.model.ids import NodeId
from draftsmith.model.markdown.sections import Section
from draftsmith.model.type_words import guess_type
from draftsmith.model.vocabulary import GROUP
from draftsmith.model.workspace import Workspace

_ENOUGH, _MARGIN, _WORD = 80, 6, 75
_NEAR = 60  # from here on a name is offered; where a slip would take something away, from _WORD on
_ARTICLE = re.compile(r"^(?:the|an?|our|my|your)\s+", re.IGNORECASE)
_GENERIC: Final = word_set("node component element box part system group")
_PRONOUNS: Final = word_set(
    "it that this them those these they one ones he she him her here there both former latter itself everything all "
    "anything something"
)
_PRONOUN_PHRASE = re.compile(
    r"(?:the|this|that) (?:other|same|first|second|last|next|previous|new|old)(?: (?:one|two))?"
)
_WORDS = re.compile(r"\w+")


class NameIndex:
    """Names by their first word: to find those that stand in a sentence takes as long as the sentence is."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_word: dict[str, list[tuple[str, str]]] = {}
        self._others: list[tuple[str, str]] = []
        for name in names:
            fold = folded_name(name)
            word = _first_word(fold)
            (self._others if word is None else self._by_word.setdefault(word, [])).append((name, fold))

    def within(self, text: str) -> list[tuple[str, str]]:
        """Those whose letters stand in a text, whatever their case and blanks, with their folded forms."""
        plain = comparable_name(text)
        words = dict.fromkeys(_WORDS.findall(plain))
        some = [*self._others, *(pair for word in words for pair in self._by_word.get(word, ()))]
        return [(name, fold) for name, fold in some if fold and fold in plain]


def _first_word(fold: str) -> str | None:
    """The word that a text must have, as a whole, where a name stands in it; None if it may have half of it.

    A name that begins with a letter or a digit begins a word wherever it is marked (`masking`). Its first word ends
    with another sign, or with the name: then it ends a word only if its last sign is a letter or a digit, too.
    """
    found = _WORDS.match(fold)
    if found is None or not fold[0].isalnum() or (found.end() == len(fold) and not fold[-1].isalnum()):
        return None
    return found[0]


class Names:
    """A workspace and the names in it, those of its nodes read once."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        nodes = workspace.diagram.nodes()
        self.order = sorted(nodes, key=lambda node_id: (nodes[node_id].get("birth", 0), node_id))
        self.labels = {node_id: str(nodes[node_id].get("label", "")) for node_id in self.order}
        self.types = {node_id: str(nodes[node_id].get("type", "other")) for node_id in self.order}
        self._folded: dict[str, list[NodeId]] = {}
        for node_id in self.order:
            for name in dict.fromkeys((folded_name(self.labels[node_id]), node_id)):
                self._folded.setdefault(name, []).append(node_id)

    @cached_property
    def easy(self) -> list[NodeId]:
        """Ids in their order, those first that can be called by their label."""
        return sorted(self.order, key=lambda node_id: self.call(node_id) != f'"{self.labels[node_id]}"')

    @cached_property
    def _index(self) -> NameIndex:
        return NameIndex(dict.fromkeys([*self.labels.values(), *self.order]))

    @cached_property
    def _titles(self) -> NameIndex:
        sections = self.workspace.document.outline.sections
        return NameIndex(dict.fromkeys(name for one in sections for name in (one.title, one.plain)))

    def within(self, text: str) -> list[tuple[str, str]]:
        """Labels and ids that stand in a text, with their folded forms."""
        return self._index.within(text)

    def titles(self, text: str) -> list[tuple[str, str]]:
        """Titles of sections that stand in a text, and their paths where it has any, with their folded forms."""
        found, outline = self._titles.within(text), self.workspace.document.outline
        written = [title for title, _ in found if title.strip() and "#" in text]
        paths = dict.fromkeys(outline.path(one) for title in written for one in outline.by_title.get(title, ()))
        return [*found, *((path, folded_name(path)) for path in paths)]

    def known_names(self, text: str) -> list[tuple[str, str]]:
        """Both: what is there and stands in a text."""
        return [*self.within(text), *self.titles(text)]

    def section_name(self, section: Section) -> str:
        """The title of a section where no other has it, else its path."""
        outline = self.workspace.document.outline
        return section.plain if len(outline.by_title.get(section.plain, ())) == 1 else outline.path(section)

    def exactly(self, name: str) -> list[NodeId]:
        """Ids of the nodes that are called so or have this id; letter case only counts if it tells them apart."""
        found = self._folded.get(comparable_name(name), [])
        as_written = [node_id for node_id in found if name in (self.labels[node_id], node_id)]
        return as_written if len(found) > 1 and len(as_written) == 1 else found

    def call(self, node_id: NodeId) -> str:
        """A name, in quotation marks, that means this node and no other."""
        label = self.labels[node_id]
        usable = label.strip() and '"' not in label and "\n" not in label and self.exactly(label) == [node_id]
        return f'"{label if usable else node_id}"'

    def free(self, label: str) -> str:
        """The label, with a number where a node is called so already."""
        return unused_name(label, lambda name: bool(self.exactly(name)))

    def quote(self, node_id: NodeId) -> str:
        """For sentences: the label in single quotation marks."""
        return f"'{self.labels[node_id]}'"

    # -- from words to a node ----------------------------------------------------------------------------------------

    def find(self, slot: Slot, *, exact: bool = False, sort: str = "node") -> NodeId:
        """The one node that is meant.

        Args:
            slot: what was written.
            exact: whether only its exact name will do.
            sort: `node`, or `group` for groups alone.

        Raises:
            UnclearSentence: `pronoun`, `not_found`, `inexact`, `ambiguous` or `not_a_group`.
        """
        for name in dict.fromkeys((slot.text, slot.text if slot.is_quoted else _ARTICLE.sub("", slot.text, count=1))):
            named = self.exactly(name)
            found = [node_id for node_id in named if sort != GROUP or self.types[node_id] == GROUP]
            if named and not found:
                reason = f"{self.quote(named[0])} is not a group."
                raise UnclearSentence("not_a_group", reason, slot, self._any(sort))
            if len(found) == 1:
                return found[0]
            if found:
                raise self._several(slot, found, f"{len(found)} nodes are called '{name}'")
        if is_pronoun(slot):
            reason = f"I cannot tell what '{slot.text}' stands for: every command is read by itself. Use the name."
            raise UnclearSentence("pronoun", reason, slot, () if exact else self._any(sort))
        return self._nearly(slot, exact, sort)

    def _nearly(self, slot: Slot, exact: bool, sort: str) -> NodeId:
        ranked, low = self._rank(slot, sort), slot.text.casefold()
        near = [node_id for node_id, score in ranked if score >= (_WORD if exact else _NEAR)]
        near.sort(key=lambda node_id: -fuzz.ratio(low, self.labels[node_id].casefold()))
        instead = list(map(self.call, near[:4])) if near or exact else self._any(sort)
        known = f" Nearest: {', '.join(map(self.quote, near[:3]))}." if near else ""
        likely = [(i, score) for i, score in ranked if score >= _ENOUGH and self._matches_by_words(i, slot)]
        if slot.is_quoted or not likely:
            raise UnclearSentence("not_found", f"No node is called '{slot.text}'.{known}", slot, instead)
        if exact:
            reason = f"No node is called exactly '{slot.text}', and this needs the exact name.{known}"
            raise UnclearSentence("inexact", reason, slot, instead)
        rivals = [node_id for node_id, score in ranked if score > likely[0][1] - _MARGIN]
        if len(rivals) > 1:
            raise self._several(slot, rivals, f"'{slot.text}' may mean more than one node")
        return likely[0][0]

    def _rank(self, slot: Slot, sort: str) -> list[tuple[NodeId, float]]:
        labels = {i: label for i, label in self.labels.items() if sort != GROUP or self.types[i] == GROUP}
        text = _ARTICLE.sub("", slot.text, count=1)
        if len(text.strip()) < 3:
            return []
        found = process.extract(text, labels, scorer=fuzz.WRatio, processor=utils.default_process, limit=5)
        return [(NodeId(str(node_id)), float(score)) for _, score, node_id in found]

    def _matches_by_words(self, node_id: NodeId, slot: Slot) -> bool:
        """Whether a node's label or id contains the words of the slot, small typing errors allowed.

        Generic words ("node", "box") and words that only say the node's type are ignored. Words with digits have to be
        equal, and if the slot has any, the node must have the same ones.
        """
        name = utils.default_process(f"{self.labels[node_id]} {node_id.replace('-', ' ')}").split()
        written = utils.default_process(_ARTICLE.sub("", slot.text, count=1)).split()
        telling = [w for w in written if w not in _GENERIC and guess_type(w, otherwise="") != self.types[node_id]]
        alike = all(
            any(word == other if _has_digit(word + other) else fuzz.ratio(word, other) >= _WORD for other in name)
            for word in telling
        )
        numbers = {word for word in written if _has_digit(word)}
        return alike and (not numbers or numbers == {word for word in name if _has_digit(word)})

    def _several(self, slot: Slot, found: Sequence[NodeId], start: str) -> UnclearSentence:
        listed = ", ".join(f"{self.quote(i)} ({i})" for i in found[:5])
        reason = f"{start}: {listed}. Use the exact name or the id."
        return UnclearSentence("ambiguous", reason, slot, map(self.call, found[:4]))

    def _any(self, sort: str) -> list[str]:
        return [self.call(i) for i in self.easy if (self.types[i] == GROUP) == (sort == GROUP)][:4]


def is_pronoun(slot: Slot) -> bool:
    """Whether a word stands for something said elsewhere."""
    low = slot.text.lower()
    return not slot.is_quoted and (low in _PRONOUNS or _PRONOUN_PHRASE.fullmatch(low) is not None)


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def unused_name(name: str, is_used: Callable[[str], bool]) -> str:
    """A name, with the first number that makes it one that is not used."""
    return next(one for one in (f"{name} {number}" if number > 1 else name for number in count(1)) if not is_used(one))
