"""Completions of a command that is being typed: verbs first, then names where a slot expects them, then words."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from itertools import islice, pairwise
from string import ascii_lowercase, ascii_uppercase
from typing import Final, TypeVar

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.assistant.builtin.clause import CHOICES
from draftsmith.assistant.builtin.grammar import FORMS, Form, forms_for, mask_all
from draftsmith.assistant.builtin.masking import NAME, QUOTE, clauses
from draftsmith.assistant.builtin.names import Names
from draftsmith.assistant.builtin.new_things import quote_text
from draftsmith.assistant.builtin.template import Gap, Part, Variant
from draftsmith.model.ids import NodeId
from draftsmith.model.vocabulary import GROUP
from draftsmith.model.workspace import Workspace

_NAMED: Final = frozenset({"node", "nodes", GROUP, "section"})
"""Sorts of slots that take names of what is there; the others take free text."""
_LONGEST, _TRIED, _MOST_NAMES = 400, 400, 20
_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)  # one for one, unlike `lower`
_SIMPLE = re.compile(r"[\w./+-]+(?: [\w./+-]+)*")
_ENDED = re.compile(r"(?:[;\n]|\.\s|\bthen\s)\s?$", re.IGNORECASE)
_FIRST: Final = (
    "add", "connect", "put", "rename", "remove", "in section", "replace", "group", "what calls", "what breaks if",
    "list", "describe", "path from", "what depends on",
)  # fmt: skip

_Key = TypeVar("_Key", bound=str)


class CompletionOut(TypedDict):
    """How a command may go on: the whole text, what is added, and what that is (verb, node, section or form)."""

    text: str
    label: str
    kind: str


def compiling() -> Generator[None, None, None]:
    """Make in slices what `complete` reads with: together it takes a tenth of a second, once in a process."""
    for form in FORMS:
        if form.variants:
            yield


def complete(text: str, workspace: Workspace, limit: int = 8, *, may_edit: bool = True) -> list[CompletionOut]:
    """Completions of a text, likeliest first; none where it fits no form."""
    names = Names(workspace)
    masked_text = mask_all(text, names)
    found_clauses = clauses(masked_text)
    has_ended = _ENDED.search(masked_text.masked) is not None or not found_clauses
    start = len(text) if has_ended else found_clauses[-1].start
    if len(text) - start > _LONGEST:
        return []
    typing = _Typing(names, text[start:])
    found: dict[str, CompletionOut] = {}
    for one in islice(typing.completions(may_edit), _TRIED):
        whole = text[:start] + one["text"]
        if whole.strip() != text.strip():
            found.setdefault(whole.casefold(), {**one, "text": whole})
    ranked = list(found.values())
    if start == len(text):
        ranked.sort(key=lambda one: (*_FIRST, one["label"]).index(one["label"]))
    return ranked[:limit]


class _Typing:
    """One clause that is being typed."""

    def __init__(self, names: Names, clause: str) -> None:
        self.names, self.clause = names, clause
        self.masked_text = mask_all(clause, names)
        self._offered: set[tuple[str, str]] = set()

    def completions(self, may_edit: bool) -> Iterator[CompletionOut]:
        """All that fit, form by form; of words that lead to the same slot, the first: not "to", "with" and "to the"."""
        for form in forms_for(may_edit=may_edit):
            seen: set[Part | None] = set()
            for variant, count, at in self._begun_variants(form):
                done, rest = self.clause[:at], self.clause[at:]
                part = variant[count]
                if isinstance(part, Gap):
                    yield from self._names(part, done, rest)
                    continue
                leads_to = variant[count + 1] if count + 1 < len(variant) else None
                words = self._words(variant, count, part, rest) if leads_to not in seen else ""
                if words:
                    seen.add(leads_to)
                    yield {"text": done + rest + words, "label": part.strip(), "kind": "form" if count else "verb"}

    def _begun_variants(self, form: Form) -> Iterator[tuple[Variant, int, int]]:
        """The variants that what was typed begins, how many parts of each may be over, and where the next begins."""
        low = self.masked_text.masked.translate(_LOWER)
        for variant in form.variants:
            places = [0]
            for part, following in pairwise(variant):
                at = _behind(part, following, low, places[-1])
                if at < 0:
                    break
                places.append(at)
            yield from ((variant, count, self.masked_text.offsets[at]) for count, at in reversed([*enumerate(places)]))

    def _words(self, variant: Variant, count: int, part: str, text: str) -> str:
        """What is missing of some words; empty where what was typed does not begin them."""
        words, low = (part if count else part.lstrip()), " ".join(text.lower().split(" "))
        if words.lower().startswith(low):
            return words[len(low) :]
        before = variant[count - 1] if count else None
        if not isinstance(before, Gap) or before.sort in _NAMED:
            return ""
        # The slot before is free text, so it is only known to be over where the next words have begun.
        lengths = range(min(len(words) - 1, len(low) - 1), 1, -1)
        begun = (length for length in lengths if words[:length].strip() and low.endswith(words[:length].lower()))
        return next((words[length:] for length in begun), "")

    def _names(self, gap: Gap, typed_before: str, typed_rest: str) -> Iterator[CompletionOut]:
        if (gap.sort, typed_before) in self._offered:
            return  # another form has the same slot there
        self._offered.add((gap.sort, typed_before))
        typed = typed_rest.lstrip("\"“'`").casefold()
        if gap.sort == "section":
            sections = self.names.workspace.document.outline.sections
            for index in _matching(typed, [(str(section.index), section.plain) for section in sections]):
                name = self.names.section_name(sections[int(index)])
                written = name if _SIMPLE.fullmatch(name) else quote_text(name)
                yield {"text": typed_before + written, "label": name, "kind": "section"}
        elif gap.sort in _NAMED:
            ids = [i for i in self.names.order if gap.sort != GROUP or self.names.types[i] == GROUP]
            for node_id in _matching(typed, [(i, self.names.labels[i]) for i in ids]):
                yield {
                    "text": typed_before + self._label_or_call(node_id),
                    "label": self.names.labels[node_id],
                    "kind": "node",
                }
        own = self.names.workspace.diagram.types if gap.sort == "type" else ()
        for name in (*CHOICES.get(gap.sort, ()), *own):
            if name.startswith(typed) and name != typed:
                yield {"text": typed_before + name, "label": name, "kind": "form"}

    def _label_or_call(self, node_id: NodeId) -> str:
        """The label where it can stand without quotation marks, else what `Names.call` says."""
        call, label = self.names.call(node_id), self.names.labels[node_id]
        return label if call == f'"{label}"' and _SIMPLE.fullmatch(label) else call


def _behind(part: Part, following: Part, low: str, at: int) -> int:
    """Where a part is over that begins at a place; negative where it is not. Names must be exact ones."""
    if isinstance(part, str):
        return at + len(part) if low.startswith(part.lower(), at) else -1
    if part.sort in _NAMED:
        return at + 1 if low[at : at + 1] in (NAME, QUOTE) else -1
    end = low.find(str(following).lower(), at + 1)
    return end if end >= 0 else min(at + 1, len(low))  # free text goes on until what comes next has begun


def _matching(typed: str, rows: list[tuple[_Key, str]]) -> list[_Key]:
    """Keys of the names that begin with what was typed, then of those with a word that does; exact matches left out."""
    starts = [key for key, name in rows if name.casefold().startswith(typed) and name.casefold() != typed]
    begun = set(starts)
    inside = [key for key, name in rows if typed and key not in begun and f" {typed}" in f" {name.casefold()}"]
    return (starts + inside)[:_MOST_NAMES]
