"""Forms filled with names of the open diagram, and how near a form is to what was written.

A form is only offered where it shares a verb or a thing with the refused sentence. Not here: in which order sentences
are offered (`suggestions`).
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import Final, NamedTuple

from rapidfuzz import fuzz

from draftsmith.assistant.builtin.forms import Form
from draftsmith.assistant.builtin.masking import NAME, QUOTE, mask
from draftsmith.assistant.builtin.name_index import titles_within
from draftsmith.assistant.builtin.naming import Names
from draftsmith.assistant.builtin.new_names import quoted
from draftsmith.assistant.builtin.phrases import noun_type
from draftsmith.assistant.builtin.template import Gap
from draftsmith.model.ids import NodeId
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.vocabulary import GROUP
from draftsmith.model.workspace import Workspace

_SEARCHED: Final = 60
_VARIANTS: Final = 8  # of each form, that are compared with what was written
_SAME_VERB: Final = 85  # "remove" and "move" are 80 % alike
_SAME_THING: Final = 80  # per cent of likeness that a thing in common counts
_THINGS_TEXT = (
    "connection group section bullet paragraph type technology description label kind direction diagram node "
    "path route text layout"
)
_THINGS: Final = frozenset(_THINGS_TEXT.split())
"""What sentences are about, in the singular; forms that hold one share it with a sentence that does."""
_NO_VERBS: Final = frozenset({"what", "who", "which", "how", "in", "is", "path", "the", ""})
"""First words of forms that say nothing of what a sentence is about."""
_PHRASE = re.compile(r"[A-Za-z][\w']{0,80}+(?: [A-Za-z][\w']{0,80}+){2,4}")


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
        found[_Shape(plain, _verb(plain), gaps)] = None
    return list(found)


@cache
def verbs(form: Form) -> frozenset[str]:
    """The words of a form that say what to do."""
    return frozenset(shape.verb for shape in _shapes(form))


def _sorts(form: Form) -> set[str]:
    return {part.sort for part in form.variants[0] if isinstance(part, Gap)}


def _verb(plain: str) -> str:
    """The first word that says what to do; a section or the name of who does it comes before."""
    return re.sub(r"^(?:in (?:the )?(?:section )?)?x,? ", "", plain).partition(" ")[0]


def is_like(verb: str, written: set[str]) -> bool:
    """Whether a verb is among some words, small slips after its first letter allowed."""
    return any(word[:1] == verb[:1] and fuzz.ratio(verb, word) >= _SAME_VERB for word in written)


class SlotFiller:
    """Fills forms with names: those of the refused clause first, then any that make sense."""

    def __init__(self, workspace: Workspace, names: Names, clause: str) -> None:
        self.workspace, self.names = workspace, names
        masked_text = mask(clause, [*self.names.within(clause), *titles_within(workspace, clause)])
        self.plain = " ".join(masked_text.masked.replace(NAME, " x ").replace(QUOTE, " x ").lower().split())
        self.verb = _verb(self.plain)
        spoken = (
            masked_text.slot(at, at + 1).text for at, sign in enumerate(masked_text.masked) if sign in (NAME, QUOTE)
        )
        self.spoken = list(spoken)
        self.written = set(re.findall(r"[^\W\d_]+", masked_text.masked.lower()))
        self.things = _THINGS & {word for one in self.written for word in (one, one.removesuffix("s"))}
        self.quotes = [masked_text.slot(at, at + 1).text for at, sign in enumerate(masked_text.masked) if sign == QUOTE]
        self.titled = [
            s for s in workspace.document.outline.sections if s.plain in self.spoken or s.title in self.spoken
        ]
        self.said = [ids[0] for name in self.spoken if len(ids := self.names.exactly(name)) == 1]

    @cached_property
    def kinds(self) -> str:
        """The first word that says a kind of node, in the plural; empty if there is none."""
        found = (word for word in re.findall(r"[a-z]+", self.plain) if len(word) > 2 and noun_type(word))
        word = next(found, "")
        return word if word.endswith("s") or not word else re.sub(r"y$", "ie", word) + "s"

    def shares(self, form: Form) -> bool:
        """Whether a form has a verb in common with what was written, or a thing: by its word, its kind or its name."""
        if any(is_like(verb, self.written) for verb in verbs(form) - _NO_VERBS):
            return True
        if self.things & form.words:
            return True
        sorts = _sorts(form)
        has_named = bool(self.said) and bool(sorts & {"node", "nodes"}) and form.topic == "diagram"
        return has_named or (bool(self.titled) and "section" in sorts) or (bool(self.kinds) and "kinds" in sorts)

    def nearness(self, form: Form) -> float:
        """How near a form is to what was written: as a whole, and at its first word, which is mostly the verb."""
        things = len(self.things & form.words) + (bool(self.kinds) and "kinds" in _sorts(form))
        return max(self._near(shape) for shape in _shapes(form)) + _SAME_THING * things

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
            "text": quoted(self.quotes[-1]) if len(self.quotes) in (1, 2) else '"to be decided"',
            "type": "service",
            "kind": "async",
            "direction": "both",
            "kinds": self.kinds or "databases",
            "technology": "Redis",
        }
        return plain.get(gap.sort)

    def _pair(self, how: str) -> tuple[NodeId | None, NodeId | None]:
        """Two nodes that were spoken of, else two that are connected as the form needs it."""
        diagram, types = self.workspace.diagram, self.names.types
        if len(self.said) > 1 and self.said[0] != self.said[1]:
            first, second = self.said[:2]
            is_there = how == "free" and diagram.edges_between(first, second)  # another one like it is hardly meant
            return (None, None) if is_there else (first, second)
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
            if len(self.quotes) == 2 and own.count(self.quotes[0]) == 1:
                return self._named(outline, section.index), quoted(self.quotes[0])
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
