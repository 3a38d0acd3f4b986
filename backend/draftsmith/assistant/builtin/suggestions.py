"""Two sentences to offer instead of one that is refused: with names of this diagram, and understood when sent.

First the sentence itself with the unclear part replaced, then the most similar forms filled with names. Each is tried
before it is offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from rapidfuzz import fuzz, process

from draftsmith.assistant.builtin.forms import Form, quoted
from draftsmith.assistant.builtin.grammar import WORDS, forms_for, titles
from draftsmith.assistant.builtin.masking import NAME, QUOTE, mask
from draftsmith.assistant.builtin.naming import Names
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.assistant.builtin.template import Gap
from draftsmith.model.ids import NodeId
from draftsmith.model.sections import Outline
from draftsmith.model.vocabulary import GROUP
from draftsmith.model.workspace import Workspace

_TRIED, _SEARCHED = 24, 60
_VARIANTS = 8  # of each form, that are compared with what was written
_SAME_VERB = 85  # "remove" and "move" are 80 % alike
_PHRASE = re.compile(r"[A-Za-z][\w']*(?: [A-Za-z][\w']*){2,4}")
_OTHER_TEXT = (
    "füge entferne lösche verbinde benenne zeige ändere was welche bitte wie ajoute ajouter supprime supprimer "
    "connecte renomme montre quels quelles comment añade agrega elimina conecta renombra muestra qué cuáles cómo "
    "aggiungi rimuovi collega rinomina mostra quali adicione adicionar remova remover conecte renomeie quais como "
    "voeg verwijder toon dodaj usuń połącz lägg anslut tilføj fjern forbind"
)
_OTHER = frozenset(_OTHER_TEXT.split())


def other_language(text: str) -> bool:
    """Whether a sentence begins like one that is not English, or is written in another script."""
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(letter > "\u024f" for letter in letters)
    first = re.findall(r"\w+", text.casefold())[:1]
    return (bool(letters) and foreign * 2 > len(letters)) or (bool(first) and first[0] in _OTHER)


def suggest(
    text: str,
    clause: str,
    workspace: Workspace,
    unclear: Unclear,
    *,
    may_edit: bool,
    is_understood: Callable[[str], bool],
) -> tuple[str, ...]:
    """Two sentences that are understood here.

    Args:
        text: what was written.
        clause: the part of it that is refused.
        workspace: whose names are used.
        unclear: why it is refused.
        may_edit: whether it may change anything.
        is_understood: tries a sentence.
    """
    found: dict[str, None] = {}
    for sentence in islice(_candidates(text, clause, workspace, unclear, may_edit), _TRIED + _SEARCHED):
        if sentence not in found and is_understood(sentence):
            found[sentence] = None
        if len(found) == 2:
            break
    return tuple(found)


def offers(text: str, workspace: Workspace, may_edit: bool, is_understood: Callable[[str], bool]) -> tuple[str, ...]:
    """Two sentences that are understood and differ from one that is, but did not fit."""
    nothing = Unclear("", "")
    return suggest(
        text,
        text,
        workspace,
        nothing,
        may_edit=may_edit,
        is_understood=lambda one: one != text and is_understood(one),
    )


def _candidates(text: str, clause: str, workspace: Workspace, unclear: Unclear, may_edit: bool) -> Iterator[str]:
    repaired = [text[:start] + new + text[end:] for start, end, new in unclear.instead]
    yield from repaired
    yield from unclear.hints
    if unclear.kind == "unknown":
        yield from _respelt(text, clause)
    filler = _SlotFiller(workspace, clause)
    for form in sorted(_offered(may_edit, clause), key=lambda form: -filler.nearness(form)):
        sentence = filler.fill(form)
        if sentence is not None:
            yield sentence
    if may_edit:
        yield from (f"add a service called {quoted(filler.free(name))}" for name in ("Billing", "Audit log"))
    yield from ("how many nodes are there", "list all databases", "how many services are there")


def _respelt(text: str, clause: str) -> Iterator[str]:
    """The sentence with one word exchanged for a word of the grammar that is spelt nearly so."""
    at = text.find(clause)
    for found in re.finditer(r"[a-z]+", clause, re.IGNORECASE):
        word = found[0].lower()
        if word not in WORDS:
            near = process.extractOne(word, sorted(WORDS), scorer=fuzz.ratio, score_cutoff=75)
            if near is not None:
                yield text[: at + found.start()] + near[0] + text[at + found.end() :]


def _offered(may_edit: bool, clause: str) -> Iterator[Form]:
    """The forms that may be used here; those that take something away only where one of their verbs was written."""
    written = set(re.findall(r"\w+", clause.lower()))
    for form in forms_for(may_edit=may_edit):
        if form.is_risky and not any(_is_like(verb, written) for verb in _verbs(form)):
            continue
        yield form


class _Shape(NamedTuple):
    """A variant of a form without names: its words with `x` for each slot, the first of them, and how many slots."""

    plain: str
    verb: str
    gaps: int


@cache
def _shapes(form: Form) -> list[_Shape]:
    found: dict[_Shape, None] = {}
    for variant in form.variants[:_VARIANTS]:
        plain = " ".join("x" if isinstance(part, Gap) else part.strip() for part in variant)
        gaps = sum(isinstance(part, Gap) for part in variant)
        found[_Shape(plain, plain.partition(" ")[0], gaps)] = None
    return list(found)


@cache
def _verbs(form: Form) -> frozenset[str]:
    firsts = (variant[0] for variant in form.variants)
    return frozenset(first.split()[0] for first in firsts if isinstance(first, str) and first.split())


def _is_like(verb: str, written: set[str]) -> bool:
    return any(fuzz.ratio(verb, word) >= _SAME_VERB for word in written)


class _SlotFiller:
    """Fills forms with names: those of the refused clause first, then any that make sense."""

    def __init__(self, workspace: Workspace, clause: str) -> None:
        self.workspace, self.names = workspace, Names(workspace)
        masked_text = mask(clause, [*self.names.spelt(), *titles(workspace)])
        self.plain = " ".join(masked_text.masked.replace(NAME, " x ").replace(QUOTE, " x ").lower().split())
        self.verb = self.plain.partition(" ")[0]
        spoken = (
            masked_text.slot(at, at + 1).text for at, sign in enumerate(masked_text.masked) if sign in (NAME, QUOTE)
        )
        self.spoken = list(spoken)
        self.titled = [
            s for s in workspace.document.outline.sections if s.plain in self.spoken or s.title in self.spoken
        ]
        self.said = [ids[0] for name in self.spoken if len(ids := self.names.exactly(name)) == 1]

    def nearness(self, form: Form) -> float:
        """How near a form is to what was written: as a whole, and at its first word, which is mostly the verb."""
        return max(self._near(shape) for shape in _shapes(form))

    def _near(self, shape: _Shape) -> float:
        first = fuzz.ratio(shape.verb, self.verb)
        more = shape.gaps - max(1, len(self.spoken))
        return fuzz.ratio(shape.plain, self.plain) + 0.8 * first - 6 * max(0, more)

    def fill(self, form: Form) -> str | None:
        """The form as a sentence; None where there is nothing to put in, or nothing was named that may be changed."""
        if form.is_risky and not (self.said if form.topic == "diagram" else self.titled):
            return None
        pair = self._pair(form.pair)
        values: list[str] = []
        for part in form.variants[0]:
            value = part if isinstance(part, str) else self._value(part, pair)
            if value is None:
                return None
            values.append(value)
        return "".join(values)

    def free(self, label: str) -> str:
        """A name that nothing has yet."""
        number, name = 2, label
        while self.names.exactly(name):
            number, name = number + 1, f"{label} {number}"
        return name

    def _value(self, gap: Gap, pair: tuple[NodeId | None, NodeId | None]) -> str | None:
        if gap.sort == "node":
            node = pair[1] if gap.name == "b" else pair[0]
            return None if node is None else self.names.call(node)
        if gap.sort == "nodes":
            return None if pair[0] is None else self.names.call(pair[0])
        if gap.sort == "group":
            groups = [i for i in [*self.said, *self.names.easy] if self.names.types[i] == GROUP]
            return self.names.call(groups[0]) if groups else None
        if gap.sort in ("section", "quote"):
            section, phrase = self._place()
            return (
                section
                if gap.sort == "section" and gap.name == "section"
                else phrase
                if gap.sort == "quote"
                else self._other()
            )
        plain = {
            "new": f"a service called {quoted(self.free('Billing'))}",
            "label": quoted(self.free("Front office")),
            "title": quoted(self._free_title()),
            "text": '"to be decided"',
            "type": "service",
            "kind": "async",
            "kinds": "databases",
            "technology": "Redis",
        }
        return plain.get(gap.sort)

    def _pair(self, how: str) -> tuple[NodeId | None, NodeId | None]:
        """Two nodes that were spoken of, else two that are connected as the form needs it."""
        diagram, types = self.workspace.diagram, self.names.types
        if len(self.said) > 1 and self.said[0] != self.said[1]:
            return self.said[0], self.said[1]
        order = [i for i in self.names.easy if types[i] != GROUP]
        order = [*self.said, *(i for i in order if diagram.lock_on(i) is None and i not in self.said)][:_SEARCHED]
        if how == "edge":
            near = ((i, other) for i in order for other in sorted(diagram.outgoing(i)) if other != i)
            return next(near, (None, None))
        for one in order[:2]:
            other = next((i for i in order if i != one and not diagram.edges_between(one, i)), None)
            if other is not None:
                return one, other
        return (order[0] if order else None), None

    # -- document ----------------------------------------------------------------------------------------------------

    def _place(self) -> tuple[str | None, str | None]:
        """A section, and a few words that stand in it once."""
        outline = self.workspace.document.outline
        for section in [*self.titled, *outline.sections][:_SEARCHED]:
            own = outline.text[section.body : section.own_end]
            phrases = (found[0] for found in _PHRASE.finditer(own) if outline.text.count(found[0]) == 1)
            phrase = next(phrases, None)
            if phrase is not None:
                return self._named(outline, section.index), quoted(phrase)
        first = [*self.titled, *outline.sections][:1]
        return (self._named(outline, first[0].index) if first else None), None

    def _other(self) -> str | None:
        """The last section, to be named beside another one."""
        outline = self.workspace.document.outline
        return self._named(outline, len(outline.sections) - 1) if len(outline.sections) > 1 else None

    def _named(self, outline: Outline, index: int) -> str:
        section = outline.sections[index]
        is_unique = len(outline.by_title.get(section.plain, ())) == 1
        return quoted(section.plain if is_unique else outline.path(section))

    def _free_title(self) -> str:
        outline = self.workspace.document.outline
        taken = {section.plain.casefold() for section in outline.sections}
        number, title = 2, "Next steps"
        while title.casefold() in taken:
            number, title = number + 1, f"Next steps {number}"
        return title
