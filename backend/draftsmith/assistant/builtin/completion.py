"""Completions of a command that is being typed: verbs first, then names where a slot expects them, then words."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final, TypeVar

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.assistant.builtin.forms import Form
from draftsmith.assistant.builtin.grammar import FORMS, forms_for
from draftsmith.assistant.builtin.masking import NAME, QUOTE, clauses, mask
from draftsmith.assistant.builtin.name_index import titles_within
from draftsmith.assistant.builtin.naming import Names
from draftsmith.assistant.builtin.new_names import quoted
from draftsmith.assistant.builtin.template import Gap, Part, Variant
from draftsmith.model.ids import NodeId
from draftsmith.model.vocabulary import DIRECTIONS, EDGE_KINDS, GROUP, NODE_TYPES
from draftsmith.model.workspace import Workspace

_FREE: Final = frozenset({"new", "label", "title", "text", "quote", "type", "technology", "kinds", "kind", "direction"})
_CHOICES: Final = {
    "type": tuple(kind for kind in NODE_TYPES if kind != GROUP),
    "kind": EDGE_KINDS,
    "direction": DIRECTIONS,
}
_NODES: Final = frozenset({"node", "nodes"})
_LONGEST, _TRIED = 400, 400
_SIMPLE = re.compile(r"[\w./+-]+(?: [\w./+-]+)*")
_FIRST: Final = (
    "add", "connect", "put", "rename", "remove", "in section", "replace", "group", "what calls", "what breaks if",
    "list", "describe", "path from", "what depends on",
)  # fmt: skip

_Key = TypeVar("_Key", bound=str)


class CompletionOut(TypedDict):
    """How a command may go on: the whole text, what is added, and what that is."""

    text: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Completion:
    """`text`: the whole sentence when it is taken; `label`: what is added; `kind`: verb, node, section or form."""

    text: str
    label: str
    kind: str

    def to_json(self) -> CompletionOut:
        """`{text, label, kind}`."""
        return {"text": self.text, "label": self.label, "kind": self.kind}


_COMPILED: Final[set[str]] = set()


def compiling() -> Generator[None, None, None]:
    """Compile in slices what `complete` reads with: together it takes a tenth of a second or two, once in a process."""
    for form in FORMS:
        if form.key in _COMPILED:
            continue
        for variant in form.variants:
            for count in range(len(variant)):
                _read_so_far(variant[:count])
            yield
        _COMPILED.add(form.key)


def complete(text: str, workspace: Workspace, limit: int = 8, *, may_edit: bool = True) -> list[CompletionOut]:
    """Completions of a text as `{text, label, kind}`, likeliest first; none where it fits no form."""
    names = Names(workspace)
    begun, clause = _last_clause(text, [*names.within(text), *titles_within(workspace, text)])
    if len(clause) > _LONGEST:
        return []
    typing = _ClauseCompletion(workspace, names, clause)
    found: dict[str, Completion] = {}
    for one in islice(typing.completions(may_edit), _TRIED):
        whole = begun + one.text
        if whole.strip() != text.strip():
            found.setdefault(whole.casefold(), Completion(whole, one.label, one.kind))
    ranked = list(found.values())
    if not clause:
        ranked.sort(key=lambda one: (*_FIRST, one.label).index(one.label))
    return [one.to_json() for one in ranked[:limit]]


def _last_clause(text: str, pool: list[tuple[str, str]]) -> tuple[str, str]:
    """What stands before the clause that is being typed, and that clause."""
    masked_text = mask(text, pool)
    ended = re.search(r"(?:[;\n]|\.\s|\bthen\s)\s?$", masked_text.masked, re.IGNORECASE)
    spans = clauses(masked_text)
    if ended is not None or not spans:
        return text, ""
    start = spans[-1][0] + (len(text[spans[-1][0] :]) - len(text[spans[-1][0] :].lstrip()))
    return text[:start], text[start:]


class _ClauseCompletion:
    """One clause that is being typed."""

    def __init__(self, workspace: Workspace, names: Names, clause: str) -> None:
        self.workspace, self.names, self.clause = workspace, names, clause
        self.masked_text = mask(clause, [*names.within(clause), *titles_within(workspace, clause)])
        self._offered: set[tuple[str, str]] = set()

    def completions(self, may_edit: bool) -> Iterator[Completion]:
        """All that fit, form by form."""
        for form in forms_for(may_edit=may_edit):
            yield from self._without_synonyms(form)

    def _without_synonyms(self, form: Form) -> Iterator[Completion]:
        """Of words that lead to the same slot of a form, the first: not "to", "with" and "to the"."""
        seen: set[Part | None] = set()
        for variant in form.variants:
            for count, one in self._continued(variant):
                leads_to = variant[count + 1] if count + 1 < len(variant) else None
                if isinstance(variant[count], Gap):
                    yield one
                elif leads_to not in seen:
                    seen.add(leads_to)
                    yield one

    def _continued(self, variant: Variant) -> Iterator[tuple[int, Completion]]:
        """The completions of one sequence after what has been typed."""
        for count in range(len(variant) - 1, -1, -1):
            found = _read_so_far(variant[:count]).fullmatch(self.masked_text.masked)
            if found is None:
                continue
            at = self.masked_text.offsets[found.start("rest")]
            for one in self._next(variant, count, self.clause[:at], self.clause[at:]):
                yield count, one

    def _next(self, variant: Variant, count: int, done: str, rest: str) -> Iterator[Completion]:
        part = variant[count]
        if isinstance(part, Gap):
            yield from self._names(part, done, rest)
            return
        words = part if count else part.lstrip()
        low = " ".join(rest.lower().split(" "))
        if words.lower().startswith(low) and low != words.lower():
            yield Completion(done + rest + words[len(low) :], words.strip(), "form" if count else "verb")
        elif count and isinstance(variant[count - 1], Gap) and variant[count - 1].sort in _FREE:  # type: ignore[union-attr]
            yield from self._after_free(words, done, rest)

    def _after_free(self, words: str, done: str, rest: str) -> Iterator[Completion]:
        """The slot before is free text, so it is only known to be over where the next words have begun."""
        low = rest.lower()
        for length in range(min(len(words) - 1, len(low) - 1), 1, -1):
            if low.endswith(words[:length].lower()) and words[:length].strip():
                yield Completion(done + rest + words[length:], words.strip(), "form")
                return

    def _names(self, gap: Gap, done: str, rest: str) -> Iterator[Completion]:
        if (gap.sort, done) in self._offered:
            return  # another form has the same slot there
        self._offered.add((gap.sort, done))
        typed = rest.lstrip("\"“'`").casefold()
        if gap.sort in _NODES or gap.sort == GROUP:
            ids = [i for i in self.names.order if gap.sort != GROUP or self.names.types[i] == GROUP]
            for node_id in _matching(typed, [(i, self.names.labels[i]) for i in ids]):
                yield Completion(done + self._quoted_name(node_id), self.names.labels[node_id], "node")
        elif gap.sort == "section":
            outline = self.workspace.document.outline
            rows = [(str(section.index), section.plain) for section in outline.sections]
            for index in _matching(typed, rows):
                section = outline.sections[int(index)]
                is_unique = len(outline.by_title.get(section.plain, ())) == 1
                name = section.plain if is_unique else outline.path(section)
                yield Completion(done + (name if _SIMPLE.fullmatch(name) else quoted(name)), name, "section")
        elif gap.sort in _CHOICES:
            for name in _CHOICES[gap.sort]:
                if name.startswith(typed) and name != typed:
                    yield Completion(done + name, name, "form")

    def _quoted_name(self, node_id: NodeId) -> str:
        """The label where it can stand without quotation marks, else what `Names.call` says."""
        call, label = self.names.call(node_id), self.names.labels[node_id]
        return label if call == f'"{label}"' and _SIMPLE.fullmatch(label) else call


def _matching(typed: str, rows: list[tuple[_Key, str]]) -> list[_Key]:
    """Keys of the names that begin with what was typed, then of those with a word that does; exact matches left out."""
    starts = [key for key, name in rows if name.casefold().startswith(typed) and name.casefold() != typed]
    begun = set(starts)
    inside = [key for key, name in rows if typed and key not in begun and f" {typed}" in f" {name.casefold()}"]
    return (starts + inside)[:20]


@lru_cache(maxsize=4096)
def _read_so_far(parts: tuple[Part, ...]) -> re.Pattern[str]:
    """Reads the parts that are over; names of nodes and sections must be exact ones."""
    pieces = []
    for part in parts:
        if isinstance(part, Gap):
            pieces.append(r"[^\s].*?" if part.sort in _FREE else f"[{NAME}{QUOTE}]")
        else:
            pieces.append(r"\s".join(map(re.escape, part.split(" "))))
    # What takes free text is read once and never again: if what comes next is not there, it is nowhere.
    begins = [number for number, part in enumerate(parts) if isinstance(part, Gap) and part.sort in _FREE]
    for first, end in pairwise([*begins, len(pieces)]):
        pieces[first] = f"(?>{pieces[first]}"
        pieces[end - 1] += ")"
    return re.compile("".join(pieces) + "(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
