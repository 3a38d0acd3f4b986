"""All forms in the order in which they are tried, and how a clause is read: the first form that matches decides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from draftsmith.assistant.builtin.document_edits import DOCUMENT_FORMS
from draftsmith.assistant.builtin.edge_edits import EDGE_FORMS
from draftsmith.assistant.builtin.edge_fields import EDGE_FIELD_FORMS
from draftsmith.assistant.builtin.forms import Clause, Edit, Form, Question, Topic
from draftsmith.assistant.builtin.masking import MaskedText, core, mask
from draftsmith.assistant.builtin.name_index import titles_within
from draftsmith.assistant.builtin.naming import Names
from draftsmith.assistant.builtin.node_edits import NODE_FORMS
from draftsmith.assistant.builtin.questions import ASKING_FORMS, READING_FORMS
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.model.workspace import Workspace

FORMS: Final[tuple[Form, ...]] = (
    *DOCUMENT_FORMS,
    *ASKING_FORMS,
    *READING_FORMS,
    *EDGE_FIELD_FORMS,
    *EDGE_FORMS,
    *NODE_FORMS,
)
WORDS: Final = frozenset(word for form in FORMS for word in form.words)
"""Words of the grammar; a name made of nothing else is also read as grammar."""
_SECTION = re.compile(r"\bsection\b", re.IGNORECASE)
LONGEST: Final = 1_000  # signs of a clause, names and quotations counted as one each


def forms_for(*, may_edit: bool) -> tuple[Form, ...]:
    """The forms that are carried out in Edit, or in Ask."""
    if may_edit:
        return (*DOCUMENT_FORMS, *READING_FORMS, *EDGE_FORMS, *EDGE_FIELD_FORMS, *NODE_FORMS)
    return (*ASKING_FORMS, *READING_FORMS)


def read(text: str, workspace: Workspace, names: Names) -> Edit | Question:
    """Read one clause.

    Raises:
        Unclear: as the forms do; `unknown` if none matches, `too_long`.
    """
    first: Unclear | None = None
    for is_strict in (True, False):
        try:
            found = _read(text, workspace, names, is_strict)
        except Unclear as unclear:
            first = first or unclear
            continue
        if found is not None:
            return found
    raise first or Unclear("unknown", "I do not know this form of sentence.")


def _read(text: str, workspace: Workspace, names: Names, is_strict: bool) -> Edit | Question | None:
    """Read with all names marked, or only with those that are no words of the grammar."""
    masked_text = {topic: mask(text, spelt) for topic, spelt in _spelt(text, workspace, names, is_strict)}
    spans = {topic: core(one) for topic, one in masked_text.items()}
    if any(end - start > LONGEST for start, end in spans.values()):
        raise Unclear(
            "too_long", "That sentence is long. Put names and text into quotation marks, or send it in parts."
        )
    is_named_section = _SECTION.search(text) and not _SECTION.search(masked_text["diagram"].masked)
    for form in FORMS:
        if form.topic == "document" and is_named_section:
            continue  # the word belongs to the name of a node
        one, (start, end) = masked_text[form.topic], spans[form.topic]
        found = form.pattern.fullmatch(one.masked, start, end)
        if found is not None:
            return form.build(_clause(found, one, workspace, names))
    return None


def _spelt(
    text: str, workspace: Workspace, names: Names, is_strict: bool
) -> Iterator[tuple[Topic, list[tuple[str, str]]]]:
    pools: tuple[tuple[Topic, list[tuple[str, str]]], ...] = (
        ("diagram", names.within(text)),
        ("document", titles_within(workspace, text)),
    )
    for topic, pool in pools:
        yield topic, [(name, fold) for name, fold in pool if is_strict or not is_grammar(fold)]


def is_grammar(fold: str) -> bool:
    """Whether a folded name is made of words of the grammar alone."""
    return all(word in WORDS for word in fold.split())


def _clause(found: re.Match[str], masked_text: MaskedText, workspace: Workspace, names: Names) -> Clause:
    spans = ((name, found.span(name)) for name in found.re.groupindex)
    slots = {name: masked_text.slot(*span) for name, span in spans if span != (-1, -1)}
    return Clause(workspace, names, slots)
